// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/gate/patch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reports {
namespace {

using ::testing::ElementsAre;

TEST(Patch, NamesPassesAndTests) {
  const auto patch =
      readPatch("diff --git a/llvm/lib/Transforms/Scalar/GVN.cpp "
                "b/llvm/lib/Transforms/Scalar/GVN.cpp\n"
                "--- a/llvm/lib/Transforms/Scalar/GVN.cpp\n"
                "+++ b/llvm/lib/Transforms/Scalar/GVN.cpp\t2026-01-01\n"
                "@@ -1,2 +1,2 @@\n-a\n+b\n"
                "--- /dev/null\n"
                "+++ b/llvm/test/Transforms/GVN/new.ll\n"
                "--- a/llvm/lib/Transforms/InstCombine/InstCombineAddSub.cpp\n"
                "+++ b/llvm/lib/Transforms/InstCombine/InstCombineAddSub.cpp\n"
                "+++ b/llvm/lib/Transforms/IPO/Inliner.cpp\n"
                "+++ b/clang/lib/Sema/Sema.cpp\n");
  ASSERT_TRUE(patch);
  EXPECT_THAT(patch->passes, ElementsAre("gvn", "instcombine", "default<O2>"));
  EXPECT_THAT(patch->tests, ElementsAre("llvm/test/Transforms/GVN/new.ll",
                                        "llvm/test/Transforms/GVN",
                                        "llvm/test/Transforms/InstCombine"));
  EXPECT_EQ(patch->files.size(), 5U);
}

TEST(Patch, TheLongerNameIsNotTheShorterOne) {
  EXPECT_THAT(
      readPatch("+++ b/llvm/lib/Transforms/Scalar/NewGVN.cpp\n")->passes,
      ElementsAre("newgvn"));
  EXPECT_THAT(
      readPatch("+++ b/llvm/lib/Transforms/Scalar/NaryReassociate.cpp\n")
          ->passes,
      ElementsAre("nary-reassociate"));
  EXPECT_THAT(
      readPatch(
          "+++ b/llvm/lib/Transforms/AggressiveInstCombine/TruncInst.cpp\n")
          ->passes,
      ElementsAre("aggressive-instcombine"));
}

TEST(Patch, WhatIsNoDiffIsRefused) {
  EXPECT_FALSE(readPatch(""));
  EXPECT_FALSE(readPatch("define i4 @f(i4 %x) {\n"));
}

} // namespace
} // namespace reports
