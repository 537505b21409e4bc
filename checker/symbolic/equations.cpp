// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/equations.h"

#include "checker/symbolic/term_kinds.h"
#include "checker/symbolic/variables.h"

#include <map>
#include <unordered_map>
#include <unordered_set>

namespace checker::smt {

using z3::expr;

namespace {

/// In larger formulas the choices are those of memory.
constexpr std::size_t maximumTerms = 20'000;

class Equations {
public:
  Equations(const std::vector<expr> &variables,
            const std::vector<expr> &unknown) {
    for (const expr &variable : variables)
      solved_.try_emplace(idOf(variable));
    for (const auto *list : {&variables, &unknown})
      for (const expr &variable : *list)
        isOpen_[idOf(variable)] = true;
  }

  void solveIn(const expr &term);
  /// Its slices; nothing of what has none.
  std::optional<expr> solutionOf(const expr &variable) const;

private:
  /// By its lowest bit.
  using Slices = std::map<unsigned, expr>;

  bool isOpen(const expr &term);
  void solve(const expr &term, const expr &value);
  void take(const expr &variable, unsigned low, const expr &value);

  std::unordered_map<unsigned, bool> isOpen_; ///< by id: has variables in it
  std::unordered_map<unsigned, Slices> solved_;
  std::unordered_set<unsigned> seen_;
};

bool Equations::isOpen(const expr &term) {
  if (const auto found = isOpen_.find(idOf(term)); found != isOpen_.end())
    return found->second;
  bool result = false;
  for (unsigned i = 0; term.is_app() && i < term.num_args(); ++i)
    result |= isOpen(term.arg(i));
  return isOpen_[idOf(term)] = result;
}

void Equations::take(const expr &variable, unsigned low, const expr &value) {
  const auto found = solved_.find(idOf(variable));
  if (found == solved_.end())
    return;
  const unsigned end = low + value.get_sort().bv_size();
  for (const auto &[start, slice] : found->second)
    if (start < end && low < start + slice.get_sort().bv_size())
      return; // the first equation has it
  found->second.emplace(low, value);
}

/// The inverse of an odd number modulo 2^width, by Newton's steps.
expr inverseOf(const expr &odd) {
  const unsigned width = odd.get_sort().bv_size();
  expr result = odd;
  for (unsigned bits = 3; bits < width; bits *= 2)
    result = (result * (2 - odd * result)).simplify();
  return result;
}

void Equations::solve(const expr &term, const expr &value) {
  if (!isOpen(term))
    return;
  if (term.num_args() == 0) {
    take(term, 0, value);
    return;
  }
  // All operands but one are known.
  std::optional<unsigned> open;
  for (unsigned i = 0; i < term.num_args(); ++i)
    if (isOpen(term.arg(i))) {
      if (open && term.decl().decl_kind() != Z3_OP_CONCAT)
        return;
      open = i;
    }
  const expr inner = term.arg(*open);
  const auto without = [&](const auto &remove) {
    expr rest = value;
    for (unsigned i = 0; i < term.num_args(); ++i)
      if (i != *open)
        rest = remove(rest, term.arg(i));
    solve(inner, rest);
  };
  switch (term.decl().decl_kind()) {
  case Z3_OP_CONCAT: {
    unsigned end = term.get_sort().bv_size();
    for (unsigned i = 0; i < term.num_args(); ++i) {
      const unsigned width = term.arg(i).get_sort().bv_size();
      solve(term.arg(i), value.extract(end - 1, end - width));
      end -= width;
    }
    return;
  }
  case Z3_OP_EXTRACT:
    if (inner.num_args() == 0)
      take(inner, term.lo(), value);
    return;
  case Z3_OP_ITE: // a word that says whether two are equal
    if (*open == 0 && inner.is_eq() && inner.arg(0).is_bv())
      for (const unsigned side : {0U, 1U})
        if (const expr other = inner.arg(1 - side); !isOpen(other))
          solve(inner.arg(side), z3::ite(value == term.arg(1), other, ~other));
    return;
  case Z3_OP_BNOT:
    return solve(inner, ~value);
  case Z3_OP_BNEG:
    return solve(inner, -value);
  case Z3_OP_BADD:
    return without(
        [](const expr &sum, const expr &part) { return sum - part; });
  case Z3_OP_BXOR:
    return without(
        [](const expr &sum, const expr &part) { return sum ^ part; });
  case Z3_OP_BMUL: {
    const expr &factor = term.arg(1 - *open);
    if (term.num_args() == 2 && factor.is_numeral() &&
        factor.extract(0, 0).simplify().get_numeral_uint() == 1)
      solve(inner, value * inverseOf(factor));
    return;
  }
  default:
    return;
  }
}

void Equations::solveIn(const expr &term) {
  if (!term.is_app() || seen_.size() > maximumTerms ||
      !seen_.insert(idOf(term)).second)
    return;
  if (term.is_eq() && term.arg(0).is_bv())
    for (const unsigned side : {0U, 1U})
      if (!isOpen(term.arg(1 - side)))
        solve(term.arg(side), term.arg(1 - side));
  for (unsigned i = 0; i < term.num_args(); ++i)
    solveIn(term.arg(i));
}

std::optional<expr> Equations::solutionOf(const expr &variable) const {
  const Slices &slices = solved_.at(idOf(variable));
  if (slices.empty())
    return std::nullopt;
  std::optional<expr> result;
  unsigned end = 0;
  const auto append = [&](const expr &slice) {
    result = result ? z3::concat(slice, *result) : slice;
    end += slice.get_sort().bv_size();
  };
  const auto fillUpTo = [&](unsigned start) {
    if (start > end)
      append(variable.ctx().bv_val(0, start - end));
  };
  for (const auto &[low, slice] : slices) {
    fillUpTo(low);
    append(slice);
  }
  fillUpTo(variable.get_sort().bv_size());
  return result;
}

} // namespace

std::optional<std::vector<expr>>
solveEquations(const expr &formula, const std::vector<expr> &variables,
               const std::vector<expr> &unknown) {
  Equations equations(variables, unknown);
  equations.solveIn(formula);
  std::vector<expr> result;
  bool isSolved = false;
  for (const expr &variable : variables) {
    const auto solution = equations.solutionOf(variable);
    isSolved |= solution.has_value();
    result.push_back(solution ? *solution : zeroOf(variable));
  }
  return isSolved ? std::optional(result) : std::nullopt;
}

} // namespace checker::smt
