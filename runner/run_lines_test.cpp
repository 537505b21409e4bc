// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/run_lines.h"

#include <gmock/gmock.h>

namespace runner {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> passesOf(std::string_view text) {
  std::vector<std::string> passes;
  for (const Pipeline &pipeline : parseRunLines(text).pipelines)
    passes.push_back(pipeline.passes);
  return passes;
}

// The shapes that LLVM's own tests have.
TEST(RunLines, SpellingsOfOnePipeline) {
  for (const char *text : {
           "; RUN: opt < %s -passes=gvn -S | FileCheck %s\n",
           "; RUN: opt -S --passes=gvn %s | FileCheck %s\r\n",
           ";RUN: opt %s -passes='gvn' -S -o - | FileCheck %s\n",
           "; RUN: opt -passes=\"gvn\" -disable-output < %s 2>&1 | FileCheck\n",
           "; RUN: opt -S -p gvn <%s >%t.out\n",
           "; RUN: opt < %s \\\n; RUN:   -passes=gvn \\\n; RUN:   -S\n",
           "; RUN: opt -passes=gvn -o /dev/null %s\n; RUN: llc < %s\n",
       })
    EXPECT_THAT(passesOf(text), ElementsAre("gvn")) << text;
}

TEST(RunLines, EachPipelineOnce) {
  EXPECT_THAT(
      passesOf("; RUN: opt -passes='loop-mssa(licm)' -S < %s | FileCheck %s\n"
               "define void @f() {\n"
               "; RUN: opt -passes='instcombine<no-verify-fixpoint>' %s -S\n"
               "; RUN: opt -passes='loop-mssa(licm)' -S < %s | FileCheck "
               "--check-prefix=B %s\n"),
      ElementsAre("loop-mssa(licm)", "instcombine<no-verify-fixpoint>"));
}

TEST(RunLines, OptionsOfLlvmBelongToThePipeline) {
  const RunLines lines = parseRunLines(
      "; RUN: opt -S -mtriple=x86_64-- -data-layout=\"e-p:32:32\" "
      "-passes=simplifycfg -phi-node-folding-threshold=3 < %s\n");
  ASSERT_EQ(lines.pipelines.size(), 1U);
  const Pipeline &pipeline = lines.pipelines.front();
  EXPECT_EQ(pipeline.triple, "x86_64--");
  EXPECT_EQ(pipeline.dataLayout, "e-p:32:32");
  EXPECT_THAT(pipeline.llvmArgs, ElementsAre("-phi-node-folding-threshold=3"));
}

// Only what opt does to the functions as they stand in the file.
TEST(RunLines, OtherProgramsAndOtherInputs) {
  EXPECT_THAT(passesOf("; RUN: opt -passes=sroa -S < %s | opt -passes=gvn -S\n"
                       "; RUN: not opt -passes=adce < %s\n"
                       "; RUN: llc < %s -passes=dse\n"
                       "; RUN: opt -passes=licm -S %p/Inputs/x.ll\n"),
              ElementsAre("sroa"));
  EXPECT_THAT(passesOf("define void @f() { ret void }\n"), IsEmpty());
}

TEST(RunLines, WhatIsNotUnderstoodIsSaid) {
  EXPECT_THAT(parseRunLines("; RUN: opt -instcombine -S < %s\n").refused,
              ElementsAre("a RUN line of opt without -passes="));
  const RunLines lines = parseRunLines(
      "; RUN: opt -load-pass-plugin=%llvmshlibdir/x.so -passes=x -S < %s\n");
  EXPECT_THAT(lines.pipelines, IsEmpty());
  EXPECT_EQ(lines.refused.size(), 1U);
}

} // namespace
} // namespace runner
