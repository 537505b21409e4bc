// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/walk.h"

#include "checker/symbolic/term_kinds.h"

#include <unordered_set>

namespace checker::smt {

using z3::expr;

namespace {

struct Walk {
  std::size_t most;
  std::unordered_set<unsigned> seen = {}; ///< ids of terms
  std::vector<expr> terms = {};

  bool isTooLarge() const { return seen.size() > most; }

  void visit(const expr &term) {
    if (!term.is_app() || isTooLarge() || !seen.insert(idOf(term)).second)
      return;
    for (unsigned i = 0; i < term.num_args(); ++i)
      visit(term.arg(i));
    terms.push_back(term);
  }
};

} // namespace

std::vector<expr> applicationsIn(const expr &formula, std::size_t most) {
  Walk walk{most};
  walk.visit(formula);
  return walk.isTooLarge() ? std::vector<expr>() : std::move(walk.terms);
}

} // namespace checker::smt
