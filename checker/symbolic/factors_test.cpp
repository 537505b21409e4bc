// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which words are factors, and what follows where such a word is one of few
// numbers: against arithmetic.
#include "checker/symbolic/factors.h"

#include "checker/symbolic/game.h"

#include <gmock/gmock.h>

#include <string>

namespace checker::smt {
namespace {

using z3::expr;

class Factors : public ::testing::Test {
protected:
  expr word(const char *name, unsigned width) {
    return context_.bv_const(name, width);
  }
  std::vector<std::string> namesIn(const expr &formula) {
    std::vector<std::string> names;
    for (const expr &factor : factorsOf(expr(formula).simplify()))
      names.push_back(factor.to_string());
    return names;
  }
  std::optional<z3::model> play(const Game::Block &variables,
                                const expr &formula) {
    constexpr std::uint32_t resources = 1'000'000;
    return Game(context_, resources, Game::Style::memory)
        .play({variables}, formula);
  }

  z3::context context_;
};

TEST_F(Factors, AreVariablesBehindPiecesAndExtensions) {
  const expr x = word("x", 64);
  const expr y = word("y", 32);
  const expr z = word("z", 64);
  using ::testing::UnorderedElementsAre;
  EXPECT_THAT(namesIn(x * z3::sext(y, 32) == z),
              UnorderedElementsAre("x", "y"));
  EXPECT_THAT(namesIn(z3::shl(x * z, context_.bv_val(2, 64)) == z),
              UnorderedElementsAre("x", "z"));
  EXPECT_THAT(namesIn(context_.bv_val(12, 64) * x == z),
              UnorderedElementsAre());
  EXPECT_THAT(namesIn(x + z == z), UnorderedElementsAre());
}

/// A length after one to three rounds, as a sum and as a product.
TEST_F(Factors, OfFewRounds) {
  const expr step = word("step", 64);
  const expr rounds = word("rounds", 64);
  const expr sum = z3::ite(
      rounds == 1, step, z3::ite(rounds == 2, step + step, step + step + step));
  const expr end = z3::shl(step * rounds, context_.bv_val(2, 64));
  const auto differs = [&](std::uint64_t most) {
    return rounds > 0 && rounds <= context_.bv_val(most, 64) &&
           (end != z3::shl(sum, context_.bv_val(2, 64)));
  };
  EXPECT_FALSE(play({step, rounds}, differs(3)));
  const auto model = play({step, rounds}, differs(4));
  ASSERT_TRUE(model);
  EXPECT_EQ(model->eval(rounds, true).get_numeral_uint64(), 4U);
}

/// Formulas with and without a model, each by all values of narrow words.
TEST_F(Factors, AgreeWithAllValues) {
  constexpr unsigned width = 4;
  constexpr unsigned values = 1U << width;
  const expr x = word("x", width);
  const expr y = word("y", width);
  for (unsigned most = 0; most < 6; ++most)
    for (unsigned product = 0; product < values; ++product) {
      bool hasModel = false;
      for (unsigned a = 0; a < values; ++a)
        for (unsigned b = 0; b <= most; ++b)
          hasModel = hasModel || ((a * b) % values == product && a > b);
      const expr formula = x * y == context_.bv_val(product, width) &&
                           z3::ule(y, context_.bv_val(most, width)) &&
                           z3::ugt(x, y);
      EXPECT_EQ(play({x, y}, formula).has_value(), hasModel)
          << most << ' ' << product;
    }
}

} // namespace
} // namespace checker::smt
