// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cases of a shift amount are the formula: against Z3 on the whole of it.
#include "checker/symbolic/amounts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace checker::smt {
namespace {

using z3::expr;

class Amounts : public ::testing::Test {
protected:
  bool hasModel(const expr &formula) {
    z3::solver solver(context_, "QF_BV");
    solver.add(formula);
    return solver.check() == z3::sat;
  }
  bool someHasModel(const std::vector<expr> &cases) {
    return std::any_of(cases.begin(), cases.end(),
                       [&](const expr &part) { return hasModel(part); });
  }
  expr word(const char *name, unsigned width) {
    return context_.bv_const(name, width);
  }

  z3::context context_;
};

TEST_F(Amounts, QuotientsOfWideWords) {
  const expr x = word("x", 64);
  const expr y = word("y", 64);
  const expr power = z3::shl(context_.bv_val(1, 64), y);
  const expr fits = z3::ult(y, context_.bv_val(64, 64));
  const auto cases = [&](const expr &formula) {
    return casesOfAmount(formula.simplify());
  };
  EXPECT_FALSE(
      someHasModel(cases(fits && z3::udiv(x, power) != z3::lshr(x, y))));
  EXPECT_FALSE(someHasModel(cases(fits && x * power != z3::shl(x, y))));
  // Where nothing remains, but for the amount that gives INT_MIN.
  const expr isWrong =
      fits && z3::srem(x, power) == 0 && x / power != z3::ashr(x, y);
  EXPECT_TRUE(someHasModel(cases(isWrong)));
  EXPECT_FALSE(someHasModel(cases(isWrong && y != context_.bv_val(63, 64))));
}

TEST_F(Amounts, WhatIsNotSplit) {
  const expr x = word("x", 8);
  const expr y = word("y", 8);
  const expr z = word("z", 8);
  for (const expr &formula :
       {x * y == z,                             // no shift
        z3::shl(x, y) == z,                     // no product
        z3::shl(x, y) * z == z3::lshr(x, z),    // two amounts
        z3::udiv(x, z3::shl(z, x ^ y)) == y}) { // no variable
    const expr simple = formula.simplify();
    const auto cases = casesOfAmount(simple);
    ASSERT_EQ(cases.size(), 1U) << simple;
    EXPECT_TRUE(z3::eq(cases[0], simple)) << simple;
  }
}

/// At each pair of amount and another number, for every width to i3: the cases
/// have a model exactly where the formula has one.
TEST_F(Amounts, EveryAmountIsInOneCase) {
  for (unsigned width = 1; width <= 3; ++width) {
    const expr x = word(("x" + std::to_string(width)).c_str(), width);
    const expr y = word(("y" + std::to_string(width)).c_str(), width);
    const auto number = [&](unsigned n) { return context_.bv_val(n, width); };
    const expr shifted[] = {z3::shl(x, y), z3::lshr(x, y), z3::ashr(x, y),
                            z3::ashr(z3::shl(z3::ashr(x, y), y), y)};
    for (const expr &term : shifted)
      for (const expr &result :
           {term * x, z3::udiv(x, term), z3::srem(term, x)}) {
        unsigned models = 0;
        for (unsigned n = 0; n < 1U << width; ++n)
          for (unsigned m = 0; m < 1U << width; ++m) {
            const expr formula = y == number(n) && result == number(m);
            const auto cases = casesOfAmount(formula.simplify());
            const bool expected = hasModel(formula);
            EXPECT_EQ(someHasModel(cases), expected) << formula;
            models += expected ? 1 : 0;
          }
        EXPECT_GT(models, 0U) << result;
      }
  }
}

} // namespace
} // namespace checker::smt
