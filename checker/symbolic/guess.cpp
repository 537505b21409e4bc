// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/guess.h"

namespace checker::smt {

using z3::expr;

namespace {

/// Pairs of terms that one walk looks at.
constexpr std::size_t maximumPairs = 20'000;

unsigned idOf(const expr &term) { return Z3_get_ast_id(term.ctx(), term); }

bool sameSort(const expr &a, const expr &b) {
  return z3::eq(a.get_sort(), b.get_sort());
}

} // namespace

Guess::Guess(const std::vector<expr> &variables) : variables_(variables) {
  for (std::size_t i = 0; i < variables.size(); ++i)
    places_.emplace(idOf(variables[i]), i);
}

void Guess::unify(const expr &source, const expr &target) {
  std::vector<std::pair<expr, expr>> todo = {{source, target}};
  while (!todo.empty()) {
    const auto [s, t] = todo.back();
    todo.pop_back();
    if (z3::eq(s, t) || !sameSort(s, t) || !s.is_app() || !t.is_app() ||
        seen_.size() == maximumPairs ||
        !seen_.try_emplace({idOf(s), idOf(t)}, true).second)
      continue;
    if (const auto place = places_.find(idOf(s)); place != places_.end()) {
      met_.try_emplace(place->second, t);
      continue;
    }
    if (z3::eq(s.decl(), t.decl()) && s.num_args() == t.num_args()) {
      // The first operands last, so that they are looked at first.
      for (unsigned i = s.num_args(); i-- > 0;)
        todo.emplace_back(s.arg(i), t.arg(i));
      continue;
    }
    // What one side froze, or chose, the other may do without.
    if (t.is_ite()) {
      todo.emplace_back(s, t.arg(1));
      todo.emplace_back(s, t.arg(2));
    } else if (s.is_ite()) {
      todo.emplace_back(s.arg(1), t);
      todo.emplace_back(s.arg(2), t);
    }
  }
}

std::vector<expr> Guess::answer(const std::vector<expr> &otherwise) const {
  std::vector<expr> answer = otherwise;
  for (const auto &[place, term] : met_)
    answer[place] = term;
  return answer;
}

} // namespace checker::smt
