// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is remembered must be what happens: the same outputs with and without,
// and a key for all that a pass can see.
#include "corpus/program/print.h"
#include "corpus/program/random_program.h"
#include "enumerate/space.h"
#include "runner/llvm/llvm_optimizer.h"
#include "runner/llvm/release.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Support/SourceMgr.h>

#include <memory>
#include <numeric>
#include <set>

namespace runner {
namespace {

using corpus::Program;

std::vector<Program> straightLines() {
  const auto space = enumerate::parseSpace("i2x3:symmetry=args");
  std::vector<Program> programs;
  const std::uint64_t middle = (*space)->count() / 2;
  for (std::uint64_t rank = middle; rank < middle + 1500; ++rank)
    programs.push_back((*space)->at(rank));
  return programs;
}

/// Blocks, loops, calls, attributes; small, so that some meet.
std::vector<Program> anything() {
  corpus::Random random(7);
  corpus::RandomOptions options;
  options.instructions = 2;
  options.maximumBlocks = 3;
  options.loops = options.calls = true;
  options.undefAndPoison = options.attributes = true;
  std::vector<Program> programs;
  while (programs.size() < 1500) {
    Program program = corpus::randomProgram(random, options);
    if (!lackOf(program))
      programs.push_back(std::move(program));
  }
  return programs;
}

std::vector<Program> sample(const char *spec) {
  const auto space = enumerate::parseSpace(spec);
  std::vector<Program> programs;
  for (const corpus::Rank rank :
       enumerate::sampleRanks((*space)->count(), 500, 1))
    programs.push_back((*space)->at(rank));
  return programs;
}

struct Optimized {
  std::vector<Output> outputs;
  std::size_t known = 0; ///< not run to their end
};

/// In batches, as a campaign does.
Optimized optimizeWithMemo(std::span<const Program> programs,
                           const std::string &passes, std::size_t memoBytes) {
  LlvmOptimizer optimizer({passes, "", "", {}}, WatchPasses::no);
  optimizer.setMemo(memoBytes);
  Optimized all;
  Slot slot;
  for (std::size_t begin = 0; begin < programs.size(); begin += 256) {
    const auto batch = programs.subspan(
        begin, std::min<std::size_t>(256, programs.size() - begin));
    std::vector<std::uint64_t> positions(batch.size());
    std::iota(positions.begin(), positions.end(), begin);
    std::vector<Output> outputs;
    optimizer.optimize(batch, positions, slot, outputs);
    for (Output &output : outputs) {
      all.known += output.knownFrom != 0 ? 1 : 0;
      all.outputs.push_back(std::move(output));
    }
  }
  return all;
}

/// A limit of one byte forgets all the time.
TEST(Memo, ChangesNoOutput) {
  std::size_t known = 0;
  for (const auto &programs :
       {straightLines(), anything(),
        sample("i8x3:mem=a1+p1,align,graph=if,consts=two")})
    for (const char *passes :
         {"default<O2>", "default<O3>", "instcombine,gvn,simplifycfg,sccp",
          "simplifycfg,loop-mssa(licm),loop(indvars),instcombine",
          "ipsccp,function(instcombine,gvn),function(simplifycfg,sccp)"}) {
      const Optimized plain = optimizeWithMemo(programs, passes, 0);
      EXPECT_EQ(plain.known, 0U);
      for (const std::size_t bytes : {std::size_t(1) << 24, std::size_t(1)}) {
        const Optimized remembered = optimizeWithMemo(programs, passes, bytes);
        for (std::size_t i = 0; i < programs.size(); ++i) {
          ASSERT_EQ(remembered.outputs[i].status, plain.outputs[i].status)
              << passes << "\n"
              << corpus::printModule(programs[i])
              << remembered.outputs[i].detail;
          ASSERT_EQ(remembered.outputs[i].program, plain.outputs[i].program)
              << passes << ", known from stage "
              << remembered.outputs[i].knownFrom << "\n"
              << corpus::printModule(programs[i]);
        }
        known += remembered.known;
      }
    }
  // 13 cannot spell what a pipeline stands for, so it cuts none.
  if (release::number >= 14) {
    EXPECT_GT(known, 1000U);
  } else {
    EXPECT_EQ(known, 0U);
  }
}

/// A key may have the address of a constant, and vectors are not kept for ever.
TEST(Memo, KeepsNothingOfVectors) {
  EXPECT_EQ(optimizeWithMemo(sample("v2i2x2"), "instcombine,gvn,simplifycfg",
                             std::size_t(1) << 24)
                .known,
            0U);
}

class KeyTest : public testing::Test {
protected:
  std::optional<FunctionKey::Value> keyOf(const std::string &text) {
    llvm::SMDiagnostic error;
    modules_.push_back(llvm::parseAssemblyString(text, error, context_));
    EXPECT_TRUE(modules_.back()) << error.getMessage().str();
    return key_.of(*modules_.back()->getFunction("f"));
  }

  llvm::LLVMContext context_;
  std::vector<std::unique_ptr<llvm::Module>> modules_;
  FunctionKey key_;
};

TEST_F(KeyTest, DoesNotDependOnNames) {
  const auto key = keyOf("define i2 @f(i2 %a) {\n  %x = add i2 %a, 1\n"
                         "  ret i2 %x\n}\n");
  ASSERT_TRUE(key);
  EXPECT_EQ(key, keyOf("define i2 @f(i2 %b) {\n  %y = add i2 %b, 1\n"
                       "  ret i2 %y\n}\n"));
}

TEST_F(KeyTest, EveryPartCounts) {
  const char *const functions[] = {
      "define i2 @f(i2 %a) {\n  %x = add i2 %a, 1\n  ret i2 %x\n}\n",
      "define i2 @f(i2 %a) {\n  %x = add nuw i2 %a, 1\n  ret i2 %x\n}\n",
      "define i2 @f(i2 %a) {\n  %x = add i2 %a, -1\n  ret i2 %x\n}\n",
      "define i2 @f(i2 %a) {\n  %x = sub i2 %a, 1\n  ret i2 %x\n}\n",
      "define i2 @f(i2 noundef %a) {\n  %x = add i2 %a, 1\n  ret i2 %x\n}\n",
      "define i2 @f(i2 %a) nounwind {\n  %x = add i2 %a, 1\n  ret i2 %x\n}\n",
      "define i2 @f(i2 %a, i2 %b) {\n  %x = add i2 %a, 1\n  ret i2 %x\n}\n",
      "define i2 @f(i2 %a, i2 %b) {\n  %x = add i2 %b, 1\n  ret i2 %x\n}\n",
      "define i2 @f(i2 %a) {\n  ret i2 %a\n}\n",
      "define i1 @f(i2 %a) {\n  %x = icmp ult i2 %a, 1\n  ret i1 %x\n}\n",
      "define i1 @f(i2 %a) {\n  %x = icmp ugt i2 %a, 1\n  ret i1 %x\n}\n",
      "declare void @g()\ndefine void @f() {\n  call void @g()\n  ret "
      "void\n}\n",
      "declare void @h()\ndefine void @f() {\n  call void @h()\n  ret "
      "void\n}\n",
      "declare void @g() nounwind\ndefine void @f() {\n  call void @g()\n"
      "  ret void\n}\n",
      "declare void @g()\ndefine void @f() {\n  call void @g() nounwind\n"
      "  ret void\n}\n",
      "declare void @g()\ndefine void @f() {\n  tail call void @g()\n"
      "  ret void\n}\n",
  };
  std::set<FunctionKey::Value> keys;
  for (const char *function : functions) {
    const auto key = keyOf(function);
    ASSERT_TRUE(key) << function;
    EXPECT_TRUE(keys.insert(*key).second) << function;
  }
}

/// Passes walk the users of a value.
TEST_F(KeyTest, OrderOfUsesCounts) {
  const std::string text = "define i2 @f(i2 %a) {\n  %x = add i2 %a, 1\n"
                           "  %y = mul i2 %a, %x\n  ret i2 %y\n";
  const auto key = keyOf(text + "}\n");
  const auto other = keyOf(text + "  uselistorder i2 %a, { 1, 0 }\n}\n");
  ASSERT_TRUE(key && other);
  EXPECT_NE(key, other);
}

TEST_F(KeyTest, WhatItDoesNotDescribeHasNone) {
  EXPECT_FALSE(keyOf("define i2 @f(i2 %a) {\n  %x = add i2 %a, 1, !m !0\n"
                     "  ret i2 %x\n}\n!0 = !{}\n"));
  EXPECT_FALSE(keyOf("define void @f() {\n  fence seq_cst\n  ret void\n}\n"));
  EXPECT_FALSE(keyOf("declare void @g()\ndefine void @f() {\n"
                     "  call void @g() [ \"deopt\"() ]\n  ret void\n}\n"));
}

} // namespace
} // namespace runner
