// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inferred flags and preconditions against what the Alive paper, LangRef and
// InstCombine's own code say of the same rules.
#include "checker/rules/infer.h"

#include "checker/rules/parse.h"
#include "checker/rules/print.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace checker::rules {
namespace {

Rule ruleOf(const std::string &text) {
  auto rules = parseRules(text);
  EXPECT_TRUE(rules) << (rules ? "" : rules.error().message);
  return (*rules)[0];
}

std::string flagsOf(const Rule &rule, const std::vector<NodeId> &definitions) {
  std::string text;
  for (const NodeId node : definitions)
    if (!rule.nodes[node].flags.empty())
      text +=
          fmt::format("{}; ", flagsText(rule, node, rule.nodes[node].flags));
  return text;
}

std::vector<std::string> weakestSources(const std::string &text) {
  Prover prover;
  std::vector<std::string> sources;
  for (const Rule &rule :
       inferFlags(ruleOf(text), Semantics(), prover).weakestSources)
    sources.push_back(flagsOf(rule, rule.source));
  return sources;
}

std::string strongestTarget(const std::string &text) {
  Prover prover;
  const auto rule =
      inferFlags(ruleOf(text), Semantics(), prover).strongestTarget;
  return rule ? flagsOf(*rule, rule->target) : "wrong as written";
}

using List = std::vector<std::string>;

// x - -A to x + A keeps nsw only if -A does not overflow; then it may
// (PR20189).
TEST(InferFlags, NegatedSubtrahend) {
  const std::string target = "=>\n%c = add nsw %x, %A\n";
  EXPECT_EQ(weakestSources("%B = sub i8 0, %A\n%c = sub %x, %B\n" + target),
            (List{"nuw of %B; ", "nsw of %B; nsw of %c; "}));
  EXPECT_EQ(strongestTarget("%B = sub nsw i8 0, %A\n%c = sub nsw %x, %B\n=>\n"
                            "%c = add %x, %A\n"),
            "nsw of %c; ");
  EXPECT_EQ(strongestTarget("%B = sub i8 0, %A\n%c = sub nsw %x, %B\n=>\n"
                            "%c = add %x, %A\n"),
            "");
}

// (x + 1) > x needs nsw (Alive paper, section 2.4), and nuw does not help.
TEST(InferFlags, IncrementIsGreater) {
  EXPECT_EQ(weakestSources("%1 = add i8 %x, 1\n%2 = icmp sgt %1, %x\n=>\n"
                           "%2 = true\n"),
            List{"nsw of %1; "});
  EXPECT_EQ(weakestSources("%1 = add i8 %x, 1\n%2 = icmp ugt %1, %x\n=>\n"
                           "%2 = true\n"),
            List{"nuw of %1; "});
}

// A rule that is right without its flags, as one of the paper's 334.
TEST(InferFlags, FlagsThatNothingNeeds) {
  EXPECT_EQ(weakestSources("%a = add nsw i8 %x, %x\n=>\n%a = shl %x, 1\n"),
            List{""});
  EXPECT_EQ(strongestTarget("%a = add nsw nuw i8 %x, %x\n=>\n"
                            "%a = shl %x, 1\n"),
            "nuw nsw of %a; ");
}

// LangRef: an exact division has no remainder, and then x / y * y is x.
TEST(InferFlags, ExactDivision) {
  EXPECT_EQ(weakestSources("%d = udiv i8 %x, %y\n%r = mul %d, %y\n=>\n"
                           "%r = %x\n"),
            List{"exact of %d; "});
}

TEST(InferFlags, WhatNoFlagsMakeRight) {
  EXPECT_EQ(weakestSources("%r = add i8 %x, 1\n=>\n%r = add i8 %x, 2\n"),
            List{});
  EXPECT_EQ(strongestTarget("%r = add i8 %x, 1\n=>\n%r = add i8 %x, 2\n"),
            "wrong as written");
}

std::string preconditionOf(const std::string &text) {
  Prover prover;
  const auto result = inferPrecondition(ruleOf(text), Semantics(), prover);
  if (!result)
    return "";
  return toText(result->rule, result->rule.precondition);
}

TEST(InferPrecondition, TheWeakestOfTheVocabulary) {
  EXPECT_EQ(preconditionOf("%r = mul i8 %x, C\n=>\n%r = shl %x, log2(C)\n"),
            "isPowerOf2(C)");
  // A division by 0 is undefined anyway.
  EXPECT_EQ(preconditionOf("%r = udiv i8 %x, C\n=>\n%r = lshr %x, log2(C)\n"),
            "isPowerOf2OrZero(C)");
  // x * C has no bit of x only if it has none at all.
  EXPECT_EQ(preconditionOf("%a = mul i4 %x, C\n%r = xor %a, %x\n=>\n"
                           "%r = or %a, %x\n"),
            "C == 0");
}

// Neither of the two is enough alone.
TEST(InferPrecondition, OfTwoFactsTogether) {
  EXPECT_EQ(preconditionOf("%a = mul i3 %x, C1\n%b = mul i3 %y, C2\n"
                           "%r = xor %a, %b\n=>\n%c = shl %x, log2(C1)\n"
                           "%d = shl %y, log2(C2)\n%r = xor %c, %d\n"),
            "isPowerOf2(C1) && isPowerOf2(C2)");
}

// Alive paper, section 3.1.3: its precondition, or a weaker one that allows
// amounts which are poison anyway.
TEST(InferPrecondition, OfTwoConstants) {
  Prover prover;
  const Rule rule = ruleOf("%0 = shl nsw i5 %a, C1\n%1 = ashr %0, C2\n=>\n"
                           "%1 = shl nsw %a, C1-C2\n");
  const auto result = inferPrecondition(rule, Semantics(), prover);
  ASSERT_TRUE(result);
  EXPECT_GT(result->wrong, 0U);
  // Pairs of amounts below 5 of which the second is not the larger one.
  EXPECT_GE(result->allowed, 15U);
}

TEST(InferPrecondition, NothingWhereNoneIsNeeded) {
  EXPECT_EQ(preconditionOf("%r = add i8 %x, C\n=>\n%r = sub %x, -C\n"), "");
}

} // namespace
} // namespace checker::rules
