// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/quotients.h"

#include "checker/symbolic/term_kinds.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace checker::smt {

using z3::expr;

namespace {

constexpr std::size_t maximumTerms = 20'000;

/// For a divisor of 0 SMT-LIB has x % 0 = x and, as a product with 0,
/// x / 0 * 0 = 0; the forms for other divisors alone stand behind a test of it.
struct Kinds {
  Z3_decl_kind remainder;
  Z3_decl_kind quotient;
};
constexpr Kinds kinds[] = {{Z3_OP_BUREM, Z3_OP_BUDIV},
                           {Z3_OP_BUREM_I, Z3_OP_BUDIV_I},
                           {Z3_OP_BSREM, Z3_OP_BSDIV},
                           {Z3_OP_BSREM_I, Z3_OP_BSDIV_I}};

struct Divisions {
  std::unordered_set<unsigned> seen;
  std::vector<expr> remainders;
  std::vector<expr> quotients;

  void collect(const expr &term) {
    if (!term.is_app() || seen.size() > maximumTerms ||
        !seen.insert(idOf(term)).second)
      return;
    for (unsigned i = 0; i < term.num_args(); ++i)
      collect(term.arg(i));
    const Z3_decl_kind kind = term.decl().decl_kind();
    for (const Kinds &each : kinds) {
      if (kind == each.remainder)
        remainders.push_back(term);
      if (kind == each.quotient)
        quotients.push_back(term);
    }
  }
};

bool areOneDivision(const expr &remainder, const expr &quotient) {
  return z3::eq(remainder.arg(0), quotient.arg(0)) &&
         z3::eq(remainder.arg(1), quotient.arg(1)) &&
         std::any_of(std::begin(kinds), std::end(kinds), [&](const Kinds &k) {
           return remainder.decl().decl_kind() == k.remainder &&
                  quotient.decl().decl_kind() == k.quotient;
         });
}

} // namespace

bool hasRemainder(const expr &formula) {
  Divisions divisions;
  divisions.collect(formula);
  return !divisions.remainders.empty();
}

std::optional<expr> withoutRemainders(const expr &formula) {
  // What is divided may be a remainder itself, so that one makes others equal.
  constexpr unsigned mostRounds = 4;
  std::optional<expr> result;
  for (unsigned round = 0; round < mostRounds; ++round) {
    const expr &before = result ? *result : formula;
    Divisions divisions;
    divisions.collect(before);
    if (divisions.seen.size() > maximumTerms)
      break;
    z3::expr_vector from(formula.ctx());
    z3::expr_vector to(formula.ctx());
    for (const expr &remainder : divisions.remainders)
      for (const expr &quotient : divisions.quotients)
        if (areOneDivision(remainder, quotient)) {
          from.push_back(remainder);
          to.push_back(remainder.arg(0) - quotient * remainder.arg(1));
          break;
        }
    if (from.empty())
      break;
    result = expr(before).substitute(from, to).simplify();
  }
  return result;
}

} // namespace checker::smt
