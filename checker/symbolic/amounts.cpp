// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/amounts.h"

#include "checker/symbolic/term_kinds.h"

#include <optional>
#include <unordered_map>

namespace checker::smt {

using z3::expr;

namespace {

/// In larger formulas the literals do not get far.
constexpr std::size_t maximumTerms = 5000;

struct Shifts {
  std::unordered_map<unsigned, bool> isAbove; ///< by id: has a shift inside
  std::vector<expr> terms;
  bool isFactor = false; ///< some product or quotient has one inside

  bool collect(const expr &term) {
    if (!term.is_app() || isAbove.size() > maximumTerms)
      return false;
    if (const auto found = isAbove.find(idOf(term)); found != isAbove.end())
      return found->second;
    bool has = false;
    for (unsigned i = 0; i < term.num_args(); ++i)
      has |= collect(term.arg(i));
    isFactor |= has && productKindOf(term).has_value();
    if (isOpenShift(term)) {
      terms.push_back(term);
      has = true;
    }
    return isAbove[idOf(term)] = has;
  }
};

/// The variable by which all are shifted.
std::optional<expr> amountOf(const expr &formula) {
  Shifts shifts;
  shifts.collect(formula);
  if (!shifts.isFactor || shifts.isAbove.size() > maximumTerms)
    return std::nullopt;
  const expr amount = shifts.terms[0].arg(1);
  for (const expr &shift : shifts.terms)
    if (!z3::eq(shift.arg(1), amount))
      return std::nullopt;
  return amount.is_const() ? std::optional(amount) : std::nullopt;
}

/// Where the amount is the width or more.
expr beyond(expr formula, const expr &amount) {
  z3::context &context = formula.ctx();
  const unsigned width = amount.get_sort().bv_size();
  formula = formula && z3::uge(amount, context.bv_val(width, width));
  while (true) {
    Shifts shifts;
    shifts.collect(formula);
    if (shifts.terms.empty())
      return formula;
    z3::expr_vector from(context);
    z3::expr_vector to(context);
    for (const expr &shift : shifts.terms) {
      from.push_back(shift);
      to.push_back(
          shift.decl().decl_kind() == Z3_OP_BASHR
              ? z3::ashr(shift.arg(0), context.bv_val(width - 1, width))
              : context.bv_val(0, width));
    }
    formula = formula.substitute(from, to);
  }
}

} // namespace

std::vector<expr> casesOfAmount(const expr &formula) {
  const auto amount = amountOf(formula);
  if (!amount)
    return {formula};
  z3::context &context = formula.ctx();
  const unsigned width = amount->get_sort().bv_size();
  std::vector<expr> cases;
  const auto add = [&](const expr &part) {
    if (const expr simple = expr(part).simplify(); !simple.is_false())
      cases.push_back(simple);
  };
  for (unsigned n = 0; n < width; ++n) {
    z3::expr_vector from(context);
    z3::expr_vector to(context);
    from.push_back(*amount);
    to.push_back(context.bv_val(n, width));
    add(expr(formula).substitute(from, to) && *amount == to.back());
  }
  // An i1 or i2 has its width, or not even that, as a number.
  add(beyond(formula, *amount));
  return cases;
}

} // namespace checker::smt
