// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Solutions make words equal, by Z3, and have none of the variables in them.
#include "checker/symbolic/equations.h"

#include <gtest/gtest.h>

namespace checker::smt {
namespace {

using z3::expr;

class Solutions : public testing::Test {
protected:
  /// Whether what was found makes both sides equal, whatever t and x are.
  bool holds(const expr &equality) {
    const expr formula = expr(equality).simplify();
    const auto solved = solveEquations(formula, {u_, v_}, {x_});
    if (!solved)
      return false;
    z3::expr_vector from(context_);
    z3::expr_vector to(context_);
    for (const auto &[variable, term] :
         {std::pair(u_, (*solved)[0]), {v_, (*solved)[1]}}) {
      from.push_back(variable);
      to.push_back(term);
    }
    z3::solver solver(context_, "QF_BV");
    solver.add(!expr(formula).substitute(from, to));
    return solver.check() == z3::unsat;
  }

  z3::context context_;
  expr u_ = context_.bv_const("u", 8);
  expr v_ = context_.bv_const("v", 8);
  expr t_ = context_.bv_const("t", 16);
  expr x_ = context_.bv_const("x", 16); ///< chosen later
};

TEST_F(Solutions, OfSlices) {
  EXPECT_TRUE(holds(z3::concat(u_, v_) == t_));
  EXPECT_TRUE(holds(
      z3::concat(v_.extract(3, 0), z3::concat(u_, v_.extract(7, 4))) == t_));
}

TEST_F(Solutions, OfWhatHasAnInverse) {
  EXPECT_TRUE(holds(u_ + v_ * 0 + t_.extract(7, 0) == 5));
  EXPECT_TRUE(holds(~u_ == t_.extract(7, 0)));
  EXPECT_TRUE(holds(u_ * 77 == t_.extract(7, 0)));
  EXPECT_TRUE(holds((z3::concat(u_, v_) ^ (t_ * t_)) * 12345 == t_ + 1));
}

TEST_F(Solutions, OfComparisons) {
  const expr bit = t_.extract(0, 0);
  EXPECT_TRUE(holds(z3::ite(u_ == t_.extract(15, 8), context_.bv_val(1, 1),
                            context_.bv_val(0, 1)) == bit));
}

TEST_F(Solutions, ThatDoNotExist) {
  EXPECT_FALSE(holds(u_ * 2 == t_.extract(7, 0)));
  EXPECT_FALSE(holds(u_ * v_ == t_.extract(7, 0)));
  EXPECT_FALSE(holds(z3::concat(u_, v_) == x_));
  EXPECT_FALSE(holds(t_ == 0));
}

} // namespace
} // namespace checker::smt
