// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a Z3 term is, for those who walk through a formula.
// Threads: terms belong to a Z3 context, and that to one thread.
#pragma once

#include <z3++.h>

#include <optional>

namespace checker::smt {

/// The same of equal terms, as long as one of them is held.
inline unsigned idOf(const z3::expr &term) {
  return Z3_get_ast_id(term.ctx(), term);
}

enum class ProductKind {
  product,
  unsignedQuotient,
  unsignedRemainder,
  signedQuotient,
  signedRemainder
};

/// Nothing of other terms. The forms for divisors other than 0 (_I) stand
/// behind a test of that. Requires an application.
inline std::optional<ProductKind> productKindOf(const z3::expr &term) {
  switch (term.decl().decl_kind()) {
  case Z3_OP_BMUL:
    return ProductKind::product;
  case Z3_OP_BUDIV:
  case Z3_OP_BUDIV_I:
    return ProductKind::unsignedQuotient;
  case Z3_OP_BUREM:
  case Z3_OP_BUREM_I:
    return ProductKind::unsignedRemainder;
  case Z3_OP_BSDIV:
  case Z3_OP_BSDIV_I:
    return ProductKind::signedQuotient;
  case Z3_OP_BSREM:
  case Z3_OP_BSREM_I:
    return ProductKind::signedRemainder;
  default:
    return std::nullopt;
  }
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
