// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hundred rules over InstCombine's integer files: what the file says of each,
// by both engines, and what becomes of the right ones when something that they
// need is taken away.
#include "checker/rules/expectations.h"
#include "checker/rules/infer.h"
#include "checker/rules/parse.h"
#include "checker/rules/print.h"

#include <gtest/gtest.h>

namespace checker::rules {
namespace {

class InstCombine : public ::testing::Test {
protected:
  void SetUp() override {
    const std::string text = textOfFile("corpus/known/rules/instcombine.opt");
    auto rules = parseRules(text);
    ASSERT_TRUE(rules) << rules.error().message;
    rules_ = std::move(*rules);
    expected_ = expectationsIn(text);
    ASSERT_EQ(expected_.size(), rules_.size());
  }

  bool isRight(const Rule &rule) {
    return expected_.at(rule.name).answers.at("llvm") == "correct";
  }
  /// On all inputs of a few narrow types.
  bool isWrongSomewhere(const Rule &rule) {
    for (const Typing &typing : narrowTypings(rule, 4))
      if (prover_.check(rule, typing, Semantics()).word == VerdictWord::wrong)
        return true;
    return false;
  }

  std::vector<Rule> rules_;
  std::map<std::string, Expectation> expected_;
  Prover prover_;
};

TEST_F(InstCombine, AsTheFileSaysByBothEngines) {
  EXPECT_GE(rules_.size(), 100U);
  ProofLimits limits;
  limits.width = 8; // `irsieve prove` goes on to 64
  Prover prover(limits, Engine::both);
  for (const Rule &rule : rules_) {
    const Proof proof = prover.prove(rule, {Semantics()})[0];
    EXPECT_EQ(answerOf(proof), expected_.at(rule.name).answers.at("llvm"))
        << rule.name << ": " << widthsOf(proof) << " " << proof.reason << "\n"
        << proof.counterexample;
  }
}

TEST_F(InstCombine, NoRightRuleDoesWithoutItsPrecondition) {
  unsigned tried = 0;
  for (const Rule &rule : rules_) {
    if (!isRight(rule) || rule.precondition.kind == Condition::Kind::always)
      continue;
    // Each part of it, and nothing less.
    std::vector<Condition> parts = {rule.precondition};
    if (rule.precondition.kind == Condition::Kind::conjunction)
      parts = rule.precondition.operands;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Rule mutant = rule;
      mutant.precondition = {};
      if (parts.size() > 1) {
        mutant.precondition = rule.precondition;
        mutant.precondition.operands.erase(
            mutant.precondition.operands.begin() +
            static_cast<std::ptrdiff_t>(i));
      }
      ++tried;
      EXPECT_TRUE(isWrongSomewhere(mutant))
          << rule.name << " without " << toText(rule, parts[i]);
    }
  }
  EXPECT_GE(tried, 35U);
}

TEST_F(InstCombine, NoRightRuleDoesWithoutAFlagOfItsSource) {
  unsigned tried = 0;
  for (const Rule &rule : rules_)
    for (const NodeId node : rule.source)
      for (const corpus::FlagInfo &row : corpus::flagTable) {
        if (!isRight(rule) || !rule.nodes[node].flags.has(row.flag))
          continue;
        Rule mutant = rule;
        mutant.nodes[node].flags = rule.nodes[node].flags.without(row.flag);
        ++tried;
        EXPECT_TRUE(isWrongSomewhere(mutant))
            << rule.name << " without " << flagsText(rule, node, row.flag);
      }
  EXPECT_GE(tried, 10U);
}

} // namespace
} // namespace checker::rules
