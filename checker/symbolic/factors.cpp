// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/factors.h"

#include "checker/symbolic/walk.h"

#include <algorithm>

namespace checker::smt {

using z3::expr;

namespace {

/// In larger formulas the literals do not get far.
constexpr std::size_t maximumTerms = 20'000;

/// Of its last operand.
bool isPieceOrExtension(const expr &term) {
  switch (term.decl().decl_kind()) {
  case Z3_OP_EXTRACT:
  case Z3_OP_ZERO_EXT:
  case Z3_OP_SIGN_EXT:
  case Z3_OP_CONCAT:
    return true;
  default:
    return false;
  }
}

} // namespace

std::vector<expr> factorsOf(const expr &formula) {
  std::vector<expr> variables;
  const auto add = [&](expr factor) {
    while (factor.is_app() && isPieceOrExtension(factor))
      factor = factor.arg(factor.num_args() - 1);
    if (factor.is_const() && !factor.is_numeral() &&
        std::none_of(variables.begin(), variables.end(),
                     [&](const expr &each) { return z3::eq(each, factor); }))
      variables.push_back(factor);
  };
  for (const expr &term : applicationsIn(formula, maximumTerms))
    if (term.decl().decl_kind() == Z3_OP_BMUL && !term.arg(0).is_numeral())
      for (unsigned i = 0; i < term.num_args(); ++i)
        add(term.arg(i));
  return variables;
}

} // namespace checker::smt
