// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands for a remainder is equal to it, at all values of a narrow word.
#include "checker/symbolic/quotients.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace checker::smt {
namespace {

using z3::expr;

TEST(Quotients, StandForRemainders) {
  z3::context context;
  constexpr unsigned width = 4;
  constexpr unsigned values = 1U << width;
  const expr x = context.bv_const("x", width);
  const expr y = context.bv_const("y", width);
  const expr r = context.bv_const("r", width);
  const expr q = context.bv_const("q", width);
  const expr formulas[] = {z3::urem(x, y) == r && z3::udiv(x, y) == q,
                           z3::srem(x, y) == r && x / y == q};
  for (const expr &formula : formulas)
    for (const bool isSimplified : {false, true}) {
      const expr before = isSimplified ? expr(formula).simplify() : formula;
      const auto after = withoutRemainders(before);
      ASSERT_TRUE(after) << before;
      for (unsigned a = 0; a < values; ++a)
        for (unsigned b = 0; b < values; ++b) {
          z3::solver solver(context, "QF_BV");
          solver.add(x == context.bv_val(a, width) &&
                     y == context.bv_val(b, width));
          solver.add(before != *after);
          // A form for divisors other than 0 says nothing of 0.
          if (isSimplified && b == 0)
            continue;
          EXPECT_EQ(solver.check(), z3::unsat)
              << before << " " << a << " " << b;
        }
    }
}

TEST(Quotients, AreNotMadeWhereNoneStands) {
  z3::context context;
  const expr x = context.bv_const("x", 8);
  const expr y = context.bv_const("y", 8);
  EXPECT_FALSE(withoutRemainders(z3::urem(x, y) == x));
  EXPECT_FALSE(withoutRemainders(z3::urem(x, y) == z3::udiv(y, x)));
}

} // namespace
} // namespace checker::smt
