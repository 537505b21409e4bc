// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of folds against the passes that they are of.
#include "checker/memory/windows.h"
#include "enumerate/expression.h"
#include "enumerate/folds.h"
#include "runner/llvm/llvm_optimizer.h"
#include "runner/llvm/release.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace runner {
namespace {

struct Changed {
  std::size_t all = 0;
  std::vector<std::string_view> unchanged;
};

Changed changedOf(const enumerate::FoldList &list) {
  std::vector<corpus::Program> folds;
  for (const enumerate::FoldInfo &fold : list.folds) {
    corpus::Program &program = folds.emplace_back(
        enumerate::makeFunction(fold.text, enumerate::FoldSpec().type));
    // A byte is the smallest that memory has.
    if (checker::touchesMemory(program))
      program = enumerate::makeFunction(fold.text, corpus::Type::integer(8));
  }
  std::vector<std::uint64_t> positions(folds.size());
  std::iota(positions.begin(), positions.end(), 0);
  std::vector<Output> outputs;
  Pipeline pipeline;
  pipeline.passes = list.passes;
  pipeline.dataLayout = list.dataLayout;
  LlvmOptimizer optimizer(std::move(pipeline), WatchPasses::no);
  Slot slot;
  optimizer.optimize(folds, positions, slot, outputs);
  Changed changed{folds.size(), {}};
  for (std::size_t i = 0; i < folds.size(); ++i)
    if (outputs[i].status == Output::Status::ok &&
        outputs[i].program == folds[i])
      changed.unchanged.push_back(list.folds[i].text);
  return changed;
}

/// They are those of LLVM 19.
TEST(Folds, TheirPassMakesSomethingElseOfEach) {
  if (LLVM_VERSION_MAJOR != 19)
    GTEST_SKIP() << "other releases have other folds";
  for (const enumerate::FoldList &list : enumerate::foldLists())
    EXPECT_THAT(changedOf(list).unchanged, testing::IsEmpty()) << list.passes;
}

TEST(Folds, EveryReleaseHasThreeQuartersOfInstCombines) {
  const Changed changed = changedOf(enumerate::foldLists().front());
  EXPECT_LE(changed.unchanged.size(), changed.all / 4);
}

} // namespace
} // namespace runner
