// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/factors.h"

#include "checker/symbolic/term_kinds.h"

#include <algorithm>
#include <unordered_set>

namespace checker::smt {

using z3::expr;

namespace {

/// In larger formulas the literals do not get far.
constexpr std::size_t maximumTerms = 20'000;

class Factors {
public:
  void collect(const expr &term) {
    if (!term.is_app() || isTooLarge() || !seen_.insert(idOf(term)).second)
      return;
    const bool isProduct =
        term.decl().decl_kind() == Z3_OP_BMUL && !term.arg(0).is_numeral();
    for (unsigned i = 0; i < term.num_args(); ++i) {
      if (isProduct)
        add(term.arg(i));
      collect(term.arg(i));
    }
  }
  std::vector<expr> take() {
    return isTooLarge() ? std::vector<expr>() : std::move(variables_);
  }

private:
  bool isTooLarge() const { return seen_.size() > maximumTerms; }

  void add(expr factor) {
    while (factor.is_app() && isPieceOrExtension(factor))
      factor = factor.arg(factor.num_args() - 1);
    if (factor.is_const() && !factor.is_numeral() &&
        std::none_of(variables_.begin(), variables_.end(),
                     [&](const expr &each) { return z3::eq(each, factor); }))
      variables_.push_back(factor);
  }
  /// Of its last operand.
  static bool isPieceOrExtension(const expr &term) {
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

  std::unordered_set<unsigned> seen_; ///< by id of the term
  std::vector<expr> variables_;
};

} // namespace

std::vector<expr> factorsOf(const expr &formula) {
  Factors factors;
  factors.collect(formula);
  return factors.take();
}

} // namespace checker::smt
