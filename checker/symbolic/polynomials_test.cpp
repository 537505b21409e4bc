// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A polynomial has the value of its word, whatever the values of its factors.
#include "checker/symbolic/polynomials.h"

#include <gtest/gtest.h>

#include <string>

namespace checker::smt {
namespace {

using z3::expr;

Polynomials::Factors noFactors(const expr & /*word*/) { return std::nullopt; }

expr sumOf(z3::context &context, const Polynomial &polynomial,
           const Polynomials &polynomials, unsigned width) {
  expr sum = context.bv_val(0, width);
  for (const auto &[factors, times] : polynomial) {
    expr product = context.bv_val(times, width);
    for (const unsigned factor : factors)
      product = product * polynomials.factor(factor);
    sum = sum + product;
  }
  return sum;
}

TEST(Polynomials, HaveTheValuesOfTheirWords) {
  z3::context context;
  constexpr unsigned width = 4;
  const expr x = context.bv_const("x", width);
  const expr y = context.bv_const("y", width);
  const expr two = context.bv_val(2, width);
  const expr words[] = {
      (x + y) * (x - y),
      ~x * y + -x,
      z3::shl(x, two) * y,
      z3::shl(x + y, 1) * (x * x + 3),
      (x * y) * (x + 15) - 1,
      two * x - z3::lshr(y, two) * x,
      z3::concat(x.extract(1, 0), context.bv_val(0, 2)) * (x + y),
      (x & y) * (x & y) + 8 * x + 8 * x,
  };
  for (const expr &each : words) {
    const expr word = each.simplify();
    Polynomials polynomials(noFactors);
    const auto polynomial = polynomials.of(word);
    ASSERT_TRUE(polynomial) << word;
    z3::solver solver(context);
    solver.add(word != sumOf(context, *polynomial, polynomials, width));
    EXPECT_EQ(solver.check(), z3::unsat) << word;
  }
}

// (x + y)(x - y) = x x - y y, and so on: the laws of a ring.
TEST(Polynomials, AreEqualWhereTheRingSaysSo) {
  z3::context context;
  for (const unsigned width : {8U, 32U, 64U}) {
    const expr x = context.bv_const("x", width);
    const expr y = context.bv_const("y", width);
    const expr z = context.bv_const("z", width);
    Polynomials polynomials(noFactors);
    const auto of = [&](const expr &word) {
      return polynomials.of(expr(word).simplify());
    };
    EXPECT_EQ(of((x + y) * (x - y)), of(x * x - y * y));
    EXPECT_EQ(of(x * (y * z)), of((z * x) * y));
    EXPECT_EQ(of(x * (y + z) - z * x), of(y * x));
    EXPECT_EQ(of(x - x), Polynomial());
    EXPECT_NE(of(x * y), of(x * z));
    EXPECT_NE(of(x + x), of(x));
  }
}

TEST(Polynomials, OfProductsWithAName) {
  z3::context context;
  const expr x = context.bv_const("x", 16);
  const expr y = context.bv_const("y", 16);
  const expr product = context.bv_const("product", 16);
  Polynomials polynomials([&](const expr &word) -> Polynomials::Factors {
    if (z3::eq(word, product))
      return std::pair(x + y, x);
    return std::nullopt;
  });
  EXPECT_EQ(polynomials.of(product), polynomials.of(x * x + y * x));
  const auto low = [](const expr &word) {
    return word.extract(7, 0).simplify();
  };
  EXPECT_EQ(polynomials.of(low(product)),
            polynomials.of(low(x) * low(x) + low(y) * low(x)));
}

// What stands in two places is looked at once.
TEST(Polynomials, OfDeepSums) {
  z3::context context;
  expr before = context.bv_const("x", 32);
  expr word = context.bv_const("y", 32);
  for (int i = 0; i < 200; ++i) {
    const expr next =
        z3::concat(word.extract(30, 0), context.bv_val(0, 1)) + before;
    before = word;
    word = next;
  }
  Polynomials polynomials(noFactors);
  EXPECT_EQ(polynomials.of(word)->size(), 2U);
}

TEST(Polynomials, LimitsAreKept) {
  z3::context context;
  Polynomials polynomials(noFactors);
  EXPECT_FALSE(polynomials.of(context.bv_const("wide", 65)));
  expr power = context.bv_const("x", 32);
  for (int times = 0; times < 3; ++times)
    power = power * power;
  EXPECT_FALSE(polynomials.of(power));
  expr sum = context.bv_const("a0", 32);
  for (int i = 1; i < 20; ++i)
    sum = sum + context.bv_const(("a" + std::to_string(i)).c_str(), 32);
  EXPECT_FALSE(polynomials.of(sum));
}

} // namespace
} // namespace checker::smt
