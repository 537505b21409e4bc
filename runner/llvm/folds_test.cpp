// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of folds against InstCombine.
#include "enumerate/folds.h"
#include "runner/llvm/llvm_optimizer.h"
#include "runner/llvm/release.h"

#include <gtest/gtest.h>

#include <numeric>

namespace runner {
namespace {

/// They are those of LLVM 19; 13 has three quarters of them.
TEST(Folds, InstCombineMakesSomethingElseOfEach) {
  std::vector<corpus::Program> folds;
  for (auto &[text, function] :
       enumerate::makeFolds(enumerate::FoldSpec().type))
    folds.push_back(std::move(function));
  std::vector<std::uint64_t> positions(folds.size());
  std::iota(positions.begin(), positions.end(), 0);
  std::vector<Output> outputs;
  LlvmOptimizer optimizer({"instcombine", "", "", {}}, WatchPasses::no);
  Slot slot;
  optimizer.optimize(folds, positions, slot, outputs);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    const bool isChanged = outputs[i].status != Output::Status::ok ||
                           outputs[i].program != folds[i];
    changed += isChanged ? 1 : 0;
    EXPECT_TRUE(isChanged || LLVM_VERSION_MAJOR != 19)
        << enumerate::foldTable()[i].text;
  }
  EXPECT_GE(changed, folds.size() * 3 / 4);
}

} // namespace
} // namespace runner
