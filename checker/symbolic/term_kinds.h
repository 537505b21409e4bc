// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a Z3 term is, for those who walk through a formula.
// Threads: terms belong to a Z3 context, and that to one thread.
#pragma once

#include <z3++.h>

namespace checker::smt {

/// The same of equal terms, as long as one of them is held.
inline unsigned idOf(const z3::expr &term) {
  return Z3_get_ast_id(term.ctx(), term);
}

/// A shift by an amount that is no literal. Requires an application.
inline bool isOpenShift(const z3::expr &term) {
  switch (term.decl().decl_kind()) {
  case Z3_OP_BSHL:
  case Z3_OP_BLSHR:
  case Z3_OP_BASHR:
    return !term.arg(1).is_numeral();
  default:
    return false;
  }
}

} // namespace checker::smt
