// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/guess.h"

#include "checker/symbolic/term_kinds.h"
#include "corpus/program/rank.h"

#include <algorithm>

namespace checker::smt {

using z3::expr;

namespace {

/// Pairs of terms that one walk looks at.
constexpr std::size_t maximumPairs = 20'000;

Z3_decl_kind kindOf(const expr &term) { return term.decl().decl_kind(); }

bool isCommutative(const expr &term) {
  if (!term.is_app())
    return false;
  switch (kindOf(term)) {
  case Z3_OP_EQ:
  case Z3_OP_AND:
  case Z3_OP_OR:
  case Z3_OP_BADD:
  case Z3_OP_BMUL:
  case Z3_OP_BAND:
  case Z3_OP_BOR:
  case Z3_OP_BXOR:
    return true;
  default:
    return false;
  }
}

bool sameSort(const expr &a, const expr &b) {
  return z3::eq(a.get_sort(), b.get_sort());
}

} // namespace

Guess::Guess(const std::vector<expr> &variables,
             const std::vector<expr> &inputs)
    : variables_(variables) {
  for (std::size_t i = 0; i < variables.size(); ++i)
    places_.emplace(idOf(variables[i]), i);
  for (const expr &input : inputs)
    inputs_.insert(idOf(input));
}

std::uint64_t Guess::shapeOf(const expr &root) {
  std::vector<expr> todo = {root};
  while (!todo.empty()) {
    const expr term = todo.back();
    if (shapes_.count(idOf(term)) != 0) {
      todo.pop_back();
      continue;
    }
    const std::size_t before = todo.size();
    const unsigned count = term.is_app() ? term.num_args() : 0;
    for (unsigned i = 0; i < count; ++i)
      if (shapes_.count(idOf(term.arg(i))) == 0)
        todo.push_back(term.arg(i));
    if (todo.size() != before)
      continue;
    todo.pop_back();
    const bool isNamed =
        count == 0 && (!term.is_const() || term.is_numeral() ||
                       term.is_bool() || inputs_.count(idOf(term)) != 0);
    std::uint64_t shape = corpus::mixBits(
        isNamed ? idOf(term)
                : (std::uint64_t(1) << 32) + (count == 0 ? 0 : kindOf(term)));
    std::vector<std::uint64_t> shapes;
    for (unsigned i = 0; i < count; ++i)
      shapes.push_back(shapes_.at(idOf(term.arg(i))));
    if (isCommutative(term))
      std::sort(shapes.begin(), shapes.end());
    for (const std::uint64_t part : shapes)
      shape = corpus::mixBits(shape * corpus::mixStep + part);
    shapes_.emplace(idOf(term), shape);
  }
  return shapes_.at(idOf(root));
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
    // What one side froze, chose or met with itself the other may do without.
    if (!isAlike(s, t)) {
      const std::size_t before = todo.size();
      for (unsigned i = t.num_args(); i-- > 0;)
        if (sameSort(s, t.arg(i)) && isAlike(s, t.arg(i)))
          todo.emplace_back(s, t.arg(i));
      for (unsigned i = s.num_args(); i-- > 0;)
        if (sameSort(s.arg(i), t) && isAlike(s.arg(i), t))
          todo.emplace_back(s.arg(i), t);
      if (todo.size() != before)
        continue;
    }
    if (kindOf(s) == kindOf(t) && s.num_args() == t.num_args()) {
      const unsigned count = s.num_args();
      const bool isSwapped =
          count == 2 && isCommutative(s) && !isAlike(s.arg(0), t.arg(0)) &&
          (isAlike(s.arg(0), t.arg(1)) || isAlike(s.arg(1), t.arg(0)));
      // The first operands last, so that they are looked at first.
      for (unsigned i = count; i-- > 0;)
        todo.emplace_back(s.arg(i), t.arg(isSwapped ? 1 - i : i));
      continue;
    }
    for (unsigned arm : {1U, 2U})
      if (t.is_ite() || s.is_ite())
        todo.emplace_back(t.is_ite() ? s : s.arg(arm),
                          t.is_ite() ? t.arg(arm) : t);
  }
}

std::vector<expr> Guess::answer(const std::vector<expr> &otherwise) const {
  std::vector<expr> answer = otherwise;
  for (const auto &[place, term] : met_)
    answer[place] = term;
  return answer;
}

} // namespace checker::smt
