// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C++ that `irsieve prove --emit-cpp` makes of corpus/known/rules compiles
// against this LLVM, fires on the rule's own source template, and what it makes
// of that refines it.
#include "checker/check.h"
#include "checker/render.h"
#include "checker/rules/cxx.h"
#include "checker/rules/expectations.h"
#include "checker/rules/instantiate.h"
#include "checker/rules/parse.h"
#include "corpus/program/print.h"
#include "instcombine_rules.inc"
#include "runner/llvm/lift.h"
#include "runner/llvm/lower.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using checker::rules::Choice;
using checker::rules::Rule;
using checker::rules::Typing;

/// What the rule makes of the instruction that is returned; nothing if it does
/// not fire.
std::optional<corpus::Program> rewritten(const corpus::Program &source,
                                         const RewriteRule &rule) {
  llvm::LLVMContext context;
  llvm::Module module("rules", context);
  runner::Lowerer lowerer(context);
  lowerer.start(module);
  llvm::Function &function = lowerer.lower(source, "f");
  auto *root = llvm::dyn_cast<llvm::Instruction>(
      function.getEntryBlock().getTerminator()->getOperand(0));
  if (root == nullptr)
    return std::nullopt;
  llvm::IRBuilder<> builder(root);
  llvm::Value *result =
      rule.Apply(*root, builder, llvm::SimplifyQuery(module.getDataLayout()));
  if (result == nullptr)
    return std::nullopt;
  root->replaceAllUsesWith(result);
  root->eraseFromParent();
  corpus::Program target;
  const auto lack = runner::Lifter().lift(function, target);
  EXPECT_FALSE(lack) << *lack;
  return target;
}

/// The first constants of which the precondition holds and for which it fires
/// and changes something.
bool firesAndRefines(const Rule &rule, const RewriteRule &code,
                     checker::Checker &checker) {
  Choice choice;
  Typing typing;
  // Of i8 where the rule has i8, so that constants have room.
  rule.types.forEach([&](const Typing &t) {
    typing = t;
    unsigned widest = 0;
    for (unsigned c = 0; c < t.size(); ++c)
      if (rule.types.isOpen(c))
        widest = std::max<unsigned>(widest, t[c]);
    return widest < 5;
  });
  choice.typing = &typing;
  choice.root = rule.roots.back();
  choice.hasPrecondition = false;
  unsigned bits = 0;
  for (const auto symbol : rule.symbols)
    bits += typeOf(rule, typing, symbol).width();
  bits = std::min(bits, 14U);
  for (std::uint64_t n = 0; n < std::uint64_t(1) << bits; ++n) {
    std::vector<std::uint64_t> constants;
    std::uint64_t rest = n;
    for (const auto symbol : rule.symbols) {
      const corpus::Type type = typeOf(rule, typing, symbol);
      constants.push_back(rest & type.mask());
      rest >>= type.width();
    }
    if (!holds(rule, typing, constants))
      continue;
    choice.constants = constants;
    const corpus::Program source = instantiate(rule, choice).source;
    const auto target = rewritten(source, code);
    if (!target || *target == source)
      continue;
    const checker::Verdict verdict =
        checker.check(source, *target, checker::Semantics());
    EXPECT_EQ(verdict.word, checker::VerdictWord::refines)
        << rule.name << ": " << headline(verdict) << "\n"
        << printFunction(source) << printFunction(*target);
    return true;
  }
  return false;
}

TEST(RulesAsCxx, EachFiresOnItsOwnSource) {
  const std::string text =
      checker::rules::textOfFile("corpus/known/rules/instcombine.opt");
  const auto rules = checker::rules::parseRules(text);
  ASSERT_TRUE(rules) << rules.error().message;
  const auto expected = checker::rules::expectationsIn(text);
  checker::Checker checker;
  unsigned fired = 0;
  for (const Rule &rule : *rules) {
    // What an analysis claims of an argument is not known of one.
    const bool isRight = expected.at(rule.name).answers.at("llvm") == "correct";
    if (!isRight || claimsFacts(rule))
      continue;
    const std::string name = checker::rules::cxxNameOf(rule);
    const auto *code =
        std::find_if(std::begin(rewriteRules), std::end(rewriteRules),
                     [&](const RewriteRule &r) { return r.Name == name; });
    ASSERT_NE(code, std::end(rewriteRules)) << rule.name;
    if (firesAndRefines(rule, *code, checker))
      ++fired;
    else
      ADD_FAILURE() << rule.name << " does not fire";
  }
  EXPECT_GE(fired, 20U);
}

} // namespace
