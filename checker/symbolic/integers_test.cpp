// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Over integers nothing is refuted that Z3 has a model of bit by bit, all is
// that is linear, and offsets of 64 bits at once.
#include "checker/symbolic/integers.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace checker::smt {
namespace {

using z3::expr;

class Integers : public ::testing::Test {
protected:
  static bool hasModel(z3::solver solver, const expr &formula) {
    z3::params limit(formula.ctx());
    limit.set("rlimit", 2'000'000U); // one that is hard is as good as open
    solver.set(limit);
    solver.add(formula);
    return solver.check() != z3::unsat;
  }
  bool hasModel(const expr &formula) {
    return hasModel(z3::solver(context_, "QF_BV"), formula);
  }
  bool isRefuted(const expr &formula) {
    const auto weaker = overIntegers(formula.simplify());
    return weaker &&
           !hasModel(z3::tactic(context_, "smt").mk_solver(), *weaker);
  }
  expr word(const std::string &name, unsigned width) {
    return context_.bv_const((name + std::to_string(width)).c_str(), width);
  }
  expr number(std::uint64_t value, unsigned width) {
    return context_.bv_val(value, width);
  }
  unsigned below(unsigned bound) {
    return static_cast<unsigned>(random_() % bound);
  }
  expr randomWord(unsigned width, unsigned depth, bool isLinear);
  expr randomFormula(unsigned width, unsigned depth, bool isLinear);

  z3::context context_;
  std::mt19937_64 random_{11};
};

expr Integers::randomWord(unsigned width, unsigned depth, bool isLinear) {
  if (depth == 0)
    return below(4) == 0 ? number(random_(), width)
                         : word(below(2) == 0 ? "p" : "q", width);
  const auto operand = [&] { return randomWord(width, depth - 1, isLinear); };
  const expr first = operand();
  const expr literal = number(random_(), width);
  switch (below(isLinear ? 12 : 20)) {
  case 0:
  case 1:
    return first + operand();
  case 2:
    return first - operand();
  case 3:
    return -first;
  case 4:
    return ~first;
  case 5:
    return first * literal;
  case 6:
    return z3::ite(z3::ult(first, operand()), first, literal);
  case 7:
    return width > 2 ? z3::zext(first.extract(width - 2, 1), 2) : first;
  case 8:
    return width > 1 ? z3::sext(first.extract(width - 2, 0), 1) : first;
  case 9:
    return width > 1 ? z3::concat(randomWord(1, depth - 1, isLinear),
                                  first.extract(width - 1, 1))
                     : first;
  case 10: {
    const expr amount = number(below(width + 2), width);
    return below(2) == 0 ? z3::lshr(first, amount) : z3::ashr(first, amount);
  }
  case 11:
    return z3::shl(first, number(below(width + 2), width));
  case 12:
    return first & operand();
  case 13:
    return first | operand();
  case 14:
    return first ^ operand();
  case 15:
    return first * operand();
  case 16:
    return z3::udiv(first, below(2) == 0 ? literal : operand());
  case 17:
    return z3::urem(first, below(2) == 0 ? literal : operand());
  case 18:
    return z3::lshr(first, operand());
  default:
    return below(2) == 0 ? first | literal : first & literal;
  }
}

expr Integers::randomFormula(unsigned width, unsigned depth, bool isLinear) {
  if (depth != 0) {
    const expr first = randomFormula(width, depth - 1, isLinear);
    const expr second = randomFormula(width, depth - 1, isLinear);
    return below(4) == 0 ? first || !second : first && second;
  }
  const expr a = randomWord(width, 2, isLinear);
  const expr b = randomWord(width, 2, isLinear);
  switch (below(5)) {
  case 0:
    return a == b;
  case 1:
    return z3::ult(a, b);
  case 2:
    return z3::slt(a, b);
  case 3:
    return z3::sle(a, b);
  default:
    return z3::ule(a, b);
  }
}

TEST_F(Integers, NothingIsRefutedThatHasAModel) {
  unsigned refuted = 0;
  for (unsigned i = 0; i < 400; ++i) {
    const expr formula = randomFormula(2 + below(4), 2, false);
    if (isRefuted(formula)) {
      ++refuted;
      EXPECT_FALSE(hasModel(formula)) << formula;
    }
  }
  EXPECT_GE(refuted, 60U);
}

TEST_F(Integers, WhatIsLinearIsExact) {
  unsigned refuted = 0;
  for (unsigned i = 0; i < 400; ++i) {
    const expr formula = randomFormula(2 + below(4), 2, true);
    const bool has = hasModel(formula);
    refuted += has ? 0 : 1;
    EXPECT_EQ(isRefuted(formula), !has) << formula;
  }
  EXPECT_GE(refuted, 60U);
}

TEST_F(Integers, OffsetsOfWideWords) {
  const auto wide = [&](const char *name) { return word(name, 64); };
  const expr base = wide("base");
  const expr size = wide("size");
  const expr a = wide("a");
  const expr b = wide("b");
  const expr length = wide("length");
  // A block does not go round the end of the address space.
  const expr isBlock = z3::ule(base, base + size);
  const expr isInside = z3::ule(a, size) && z3::ule(b, size);
  EXPECT_TRUE(isRefuted(isBlock && isInside &&
                        z3::ult(a, b) != z3::ult(base + a, base + b)));
  EXPECT_FALSE(
      isRefuted(isInside && z3::ult(a, b) != z3::ult(base + a, base + b)));
  // What lies behind the first bytes of a range and before its end.
  const expr shorter =
      z3::ite(z3::ule(size, length), number(0, 64), size - length);
  EXPECT_TRUE(isRefuted(z3::ult(a, size) && z3::uge(a, length) &&
                        z3::uge(a - length, shorter)));
  EXPECT_FALSE(isRefuted(z3::ult(a, size) && z3::uge(a - length, shorter)));
  // Equal operands, in either order.
  const expr c = wide("c");
  EXPECT_TRUE(isRefuted(a == b && a * c != c * b));
  EXPECT_FALSE(isRefuted(a != b && a * c == b * c));
  EXPECT_TRUE(isRefuted(a == b && z3::lshr(c, a) != z3::lshr(c, b)));
  // Rotations are one operation by different amounts.
  expr turned = a;
  EXPECT_FALSE(isRefuted(turned.rotate_left(3) != turned.rotate_left(5)));
}

} // namespace
} // namespace checker::smt
