// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has no model in positions has none: against Z3's own shifts, of random
// formulas and of identities that fail for one amount alone.
#include "checker/symbolic/positions.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace checker::smt {
namespace {

using z3::expr;

class Positions : public ::testing::Test {
protected:
  bool hasModel(const expr &formula) {
    z3::solver solver(context_, "QF_BV");
    solver.add(formula);
    z3::params limit(context_);
    limit.set("rlimit", 2'000'000U); // one that is hard is as good as open
    solver.set(limit);
    return solver.check() != z3::unsat;
  }
  bool isRefuted(const expr &formula, unsigned rounds = 1) {
    const auto weaker = inPositions(formula.simplify(), rounds);
    return weaker && !hasModel(*weaker);
  }
  expr word(const char *name, unsigned width = 8) {
    return context_.bv_const(name, width);
  }
  expr number(std::uint64_t value, unsigned width = 8) {
    return context_.bv_val(value, width);
  }

  z3::context context_;
};

TEST_F(Positions, IdentitiesOfWideWords) {
  const expr x = word("x", 64);
  const expr y = word("y", 64);
  const expr a = word("a", 64);
  const expr b = word("b", 64);
  const expr wide = number(64, 64);
  EXPECT_TRUE(isRefuted(z3::lshr(z3::shl(x, a), a) !=
                        (x & z3::lshr(number(~std::uint64_t(0), 64), a))));
  EXPECT_TRUE(isRefuted(z3::shl(x ^ y, a) != (z3::shl(y, a) ^ z3::shl(x, a))));
  const expr sumFits = z3::ult(a, wide) && z3::ult(b, wide - a);
  const auto isAssociative = [&](const auto &shift) {
    return isRefuted(sumFits && shift(shift(x, a), b) != shift(x, a + b));
  };
  const auto by = [](auto *function) {
    return [function](const expr &u, const expr &v) {
      return expr(u.ctx(), function(u.ctx(), u, v));
    };
  };
  EXPECT_TRUE(isAssociative(by(Z3_mk_bvshl)));
  EXPECT_TRUE(isAssociative(by(Z3_mk_bvlshr)));
  EXPECT_TRUE(isAssociative(by(Z3_mk_bvashr)));
  // Equal positions of a word have equal bits.
  EXPECT_TRUE(isRefuted(z3::ule(a, b) && z3::ule(b, a) &&
                        z3::lshr(x, a) != z3::lshr(x, b)));
  // A premise that is itself an equality of shifted words.
  EXPECT_TRUE(isRefuted(z3::ult(b, a) && z3::ult(a, wide) &&
                        z3::ashr(z3::shl(x, a), a) == x &&
                        z3::ashr(z3::shl(x, a), b) != z3::shl(x, a - b)));
}

TEST_F(Positions, OneWrongAmountIsEnough) {
  const expr x = word("x");
  const expr a = word("a");
  const expr right = x & z3::lshr(number(255), a);
  EXPECT_TRUE(isRefuted(z3::lshr(z3::shl(x, a), a) != right));
  for (unsigned amount = 0; amount <= 9; ++amount) {
    const expr other =
        z3::ite(a == number(amount), right ^ number(1U << amount % 8), right);
    EXPECT_FALSE(isRefuted(z3::lshr(z3::shl(x, a), a) != other)) << amount;
  }
  const expr narrow = word("narrow", 4);
  EXPECT_FALSE(isRefuted(z3::shl(z3::sext(narrow, 4), a) !=
                         z3::shl(z3::zext(narrow, 4), a)));
  // The sum of the amounts may be the width, or wrap.
  const expr b = word("b");
  for (unsigned last : {8U, 9U, 255U})
    EXPECT_FALSE(isRefuted(z3::ule(a + b, number(last)) &&
                           z3::ashr(z3::ashr(x, a), b) != z3::ashr(x, a + b)))
        << last;
}

TEST_F(Positions, NothingIsRefutedThatHasAModel) {
  std::mt19937_64 random(7);
  const auto below = [&](unsigned bound) {
    return static_cast<unsigned>(random() % bound);
  };
  const auto randomWord = [&](auto self, unsigned width,
                              unsigned depth) -> expr {
    if (depth == 0) {
      const char *names[] = {"p", "q"};
      if (below(5) == 0)
        return number(random(), width);
      return word((names[below(2)] + std::to_string(width)).c_str(), width);
    }
    const auto operand = [&] { return self(self, width, depth - 1); };
    const expr first = operand();
    const expr amount = self(self, width, 0);
    switch (below(11)) {
    case 0:
    case 1:
      return z3::shl(first, amount);
    case 2:
      return z3::lshr(first, amount);
    case 3:
      return z3::ashr(first, amount);
    case 4:
      return first & operand();
    case 5:
      return first | operand();
    case 6:
      return first ^ operand();
    case 7:
      return ~first;
    case 8:
      return first + operand();
    case 9:
      return z3::ite(first == amount, operand(), first);
    default:
      if (width > 3)
        return below(2) == 0 ? z3::zext(first.extract(width - 2, 1), 2)
                             : z3::sext(first.extract(width - 2, 0), 1);
      return width == 1 ? first
                        : z3::concat(self(self, 1, depth - 1),
                                     first.extract(width - 1, 1));
    }
  };
  const auto formulaOf = [&](auto self, unsigned width,
                             unsigned depth) -> expr {
    const auto literal = [&] {
      const expr a = randomWord(randomWord, width, 2);
      const expr b = randomWord(randomWord, width, 2);
      switch (below(3)) {
      case 0:
        return a == b;
      case 1:
        return z3::ult(randomWord(randomWord, width, 0), a);
      default:
        return a != b;
      }
    };
    if (depth == 0)
      return literal();
    const expr first = self(self, width, depth - 1);
    const expr second = self(self, width, depth - 1);
    return below(4) == 0 ? first || second : first && second;
  };
  unsigned refuted = 0;
  for (unsigned i = 0; i < 300; ++i) {
    const expr formula = formulaOf(formulaOf, 2 + below(4), 2);
    if (isRefuted(formula, below(3))) {
      ++refuted;
      EXPECT_FALSE(hasModel(formula)) << formula;
    }
  }
  EXPECT_GE(refuted, 45U);
}

} // namespace
} // namespace checker::smt
