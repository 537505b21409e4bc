// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws hold of values of narrow words, and are enough for rewrites of wide
// ones.
#include "checker/symbolic/products.h"

#include "checker/lane_ops/terms.h"
#include "checker/symbolic/walk.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

namespace checker::smt {
namespace {

using z3::expr;

/// Every law, on words of two widths: what is true stays possible.
TEST(Products, LawsAreTrue) {
  z3::context context;
  constexpr unsigned width = 3;
  const auto word = [&](const char *name) {
    return context.bv_const(name, width);
  };
  const expr x = word("x");
  const expr y = word("y");
  const expr z = word("z");
  const expr w = word("w");
  expr formula = context.bool_val(true);
  unsigned results = 0;
  const auto take = [&](const expr &term) {
    const expr result = context.bv_const(
        ("r" + std::to_string(results++)).c_str(), term.get_sort().bv_size());
    formula = formula && result == term;
  };
  for (const auto &[a, b] : {std::pair(x, y), {z, w}})
    for (const bool isWide : {false, true}) {
      const auto wide = [&](const expr &term, bool isSigned) {
        if (!isWide)
          return term;
        return isSigned ? z3::sext(term, 1) : z3::zext(term, 1);
      };
      for (const bool isSigned : {false, true}) {
        const expr left = wide(a, isSigned);
        const expr right = wide(b, isSigned);
        take(left * right);
        take(isSigned ? left / right : z3::udiv(left, right));
        take(isSigned ? z3::srem(left, right) : z3::urem(left, right));
      }
    }
  take(z3::zext(x, width) * z3::zext(y, width));
  take(z3::sext(x, width) * z3::sext(y, width));
  take((x + y) * (x - z));
  take((z3::zext(x, width) + z3::zext(y, width)) * z3::zext(~z, width));
  take(z3::shl(x, context.bv_val(1, width)) * (x * y));
  take(z3::udiv(x, context.bv_val(3, width)));
  take(z3::urem(y, context.bv_val(5, width)));
  const auto weaker = byLawsOfProducts(formula.simplify());
  ASSERT_TRUE(weaker);
  z3::solver solver(context, "QF_BV");
  solver.add(*weaker);
  constexpr unsigned values = 1U << width;
  // One of 13, which is prime to the number of values: each takes all of its
  // own.
  for (unsigned n = 0; n < values * values * values * values; n += 13) {
    z3::expr_vector given(context);
    unsigned left = n;
    for (const expr &each : {x, y, z, w}) {
      given.push_back(each == context.bv_val(left % values, width));
      left /= values;
    }
    // The results are what they are: one model of the formula.
    z3::solver exact(context, "QF_BV");
    exact.add(formula);
    exact.add(z3::mk_and(given));
    ASSERT_EQ(exact.check(), z3::sat);
    const z3::model model = exact.get_model();
    for (unsigned i = 0; i < model.num_consts(); ++i) {
      const z3::func_decl name = model.get_const_decl(i);
      given.push_back(name() == model.get_const_interp(name));
    }
    EXPECT_EQ(solver.check(given), z3::sat) << n;
  }
}

TEST(Products, RefuteWhatDiffersFromRewrites) {
  z3::context context;
  const expr x = context.bv_const("x", 64);
  const expr y = context.bv_const("y", 64);
  const expr a = context.bv_const("a", 16);
  const expr b = context.bv_const("b", 16);
  const auto wide = [](const expr &term) { return z3::sext(term, 16); };
  const expr isDivision = b != 0 && !(a == context.bv_val(0x8000, 16) &&
                                      b == -context.bv_val(1, 16));
  const auto fits = [&](const expr &left, const expr &right, bool isSigned) {
    const auto more = [&](const expr &term) {
      return isSigned ? z3::sext(term, 1) : z3::zext(term, 1);
    };
    return !productOverflows(left, right, more(left) * more(right), isSigned);
  };
  const expr refuted[] = {
      z3::urem(x, y) != x - z3::udiv(x, y) * y && y != 0,
      z3::udiv(z3::udiv(x, y) * y, y) != z3::udiv(x, y) && y != 0,
      x * y / y != x && y != 0 && fits(x, y, true),
      x * y / -y != -x && y < 0 && -y > 0 && fits(x, y, true),
      z3::udiv(x * y, x) != y && x != 0 && fits(x, y, false),
      x * x < 0 && fits(x, x, true),
      fits(-x, -y, true) && !fits(x, y, true) && x > 0 && y > 0,
      (z3::lshr(z3::zext(x, 64) * z3::zext(y, 64), 64) != 0) ==
          fits(x, y, false),
      x < y && x / 40 > y / 40,
      z3::srem(x, y) != x - x / y * y && y != 0,
      wide(a / b) != wide(a) / wide(b) && isDivision,
      wide(z3::srem(a, b)) != z3::srem(wide(a), wide(b)) && isDivision,
      x / y != z3::udiv(x, y) && x > 0 && y > 0,
      z3::ult(x, y) && z3::uge(x / 40, y / 40) && z3::srem(x, 40) == 0 &&
          z3::srem(y, 40) == 0,
      x * x + (2 * x + y) * y != (x + y) * (x + y),
      x * (y * (x + 1)) != x * y + (x * x) * y,
      (x - y) * (x + y) != x * x - y * y,
      ~x * ~y != x * y + x + y + 1,
      x / y != -z3::udiv(-x, y) && x < 0 && y > 0,
      z3::ugt(z3::udiv(x, context.bv_val(10, 64)),
              context.bv_val(std::uint64_t(1) << 61, 64)),
  };
  for (const expr &each : refuted) {
    const auto weaker = byLawsOfProducts(expr(each).simplify());
    ASSERT_TRUE(weaker) << each;
    z3::solver solver(context, "QF_BV");
    solver.add(*weaker);
    EXPECT_EQ(solver.check(), z3::unsat) << each;
  }
}

/// Z3 cuts products down to the bits that are used, each piece in its width.
TEST(Products, OfLowBitsAreLowBits) {
  z3::context context;
  const auto byte = [&](const char *name) { return context.bv_const(name, 8); };
  const expr x = byte("x");
  const expr y = byte("y");
  const expr wide = z3::concat(byte("p"), x) * z3::concat(byte("q"), y);
  const auto weaker =
      byLawsOfProducts(x * y == byte("r") && y * x == byte("s") &&
                       wide == z3::concat(byte("t"), byte("u")));
  ASSERT_TRUE(weaker);
  std::set<std::string> unknowns;
  for (const expr &term : applicationsIn(*weaker, 1000))
    if (term.is_const() && !term.is_numeral() &&
        term.decl().name().str().starts_with("product"))
      unknowns.insert(term.decl().name().str());
  EXPECT_EQ(unknowns, std::set<std::string>{"product0"});
}

TEST(Products, AreLookedForWhereThereAreSome) {
  z3::context context;
  const expr x = context.bv_const("x", 8);
  EXPECT_FALSE(byLawsOfProducts(x + 1 == x));
  EXPECT_FALSE(byLawsOfProducts(x * 3 == x));
}

} // namespace
} // namespace checker::smt
