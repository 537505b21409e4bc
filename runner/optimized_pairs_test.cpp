// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All engines on what a real optimizer makes of random programs, and on edits
// of that: the exhaustive engine against the reference interpreter, the oracle
// of the tests, and Z3. checker/engines_test.cpp and smt_test.cpp do the same
// with edits alone.
#include "checker/agreement.h"
#include "checker/check.h"
#include "checker/exact/oracle.h"
#include "checker/render.h"
#include "corpus/program/print.h"
#include "corpus/program/random_program.h"
#include "runner/worker.h"

#include <gtest/gtest.h>

namespace runner {
namespace {

using checker::Engine;
using checker::Verdict;
using checker::VerdictWord;

class OptimizedPairs : public checker::Agreement {
protected:
  void compareEngines(checker::Checker &engines, const corpus::Program &source,
                      const corpus::Program &target,
                      const checker::Semantics &semantics);
  void compareOnOptimized(const corpus::RandomOptions &options,
                          const std::string &passes, std::uint64_t seed);

private:
  unsigned changed_ = 0;  ///< by the optimizer
  unsigned byOracle_ = 0; ///< pairs that it could decide
};

void OptimizedPairs::compareEngines(checker::Checker &engines,
                                    const corpus::Program &source,
                                    const corpus::Program &target,
                                    const checker::Semantics &semantics) {
  const auto ask = [&](Engine engine) {
    return engines.check(source, target, semantics, checker::WantWitness::no,
                         engine);
  };
  const std::string what = toString(semantics) + "\n" +
                           corpus::printFunction(source, "src") +
                           corpus::printFunction(target, "tgt");
  const Verdict fast = ask(Engine::exhaustive);
  const Verdict slow = ask(Engine::reference);
  if (!isDecided(fast) || !isDecided(slow)) {
    ++counts.undecided;
    return;
  }
  counts.add(fast);
  ASSERT_EQ(headline(fast), headline(slow)) << what;
  // With Z3, where it knows; a disagreement would be `undecided`.
  ASSERT_TRUE(isDecided(ask(Engine::both))) << what;
  const auto answer = checker::askOracle(source, target, semantics);
  if (!answer.complete || !answer.exact)
    return;
  ++byOracle_;
  ASSERT_EQ(answer.kind ? toString(*answer.kind) : "refines",
            fast.word == VerdictWord::wrong ? toString(fast.kind) : "refines")
      << what;
}

void OptimizedPairs::compareOnOptimized(const corpus::RandomOptions &options,
                                        const std::string &passes,
                                        std::uint64_t seed) {
  const unsigned batches = checker::scaled(1);
  const auto installed = installedReleases();
  ASSERT_FALSE(installed.empty());
  Worker worker(installed.back());
  checker::Limits limits;
  limits.smt.resources = 300'000;
  checker::Checker engines(limits);
  corpus::Random random(seed);
  const auto presets = checker::presetTable();
  for (unsigned batch = 0; batch < batches; ++batch) {
    std::vector<corpus::Program> programs;
    while (programs.size() < 100)
      programs.push_back(randomProgram(random, options));
    const auto answer = worker.optimize(programs, {passes, "", "", {}});
    const auto *outputs = std::get_if<std::vector<Output>>(&answer);
    ASSERT_NE(outputs, nullptr) << std::get<WorkerDied>(answer).how;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      corpus::Program target = (*outputs)[i].program;
      if ((*outputs)[i].status != Output::Status::ok)
        continue;
      changed_ += target != programs[i] ? 1 : 0;
      for (auto edits = random() % 7; edits > 0; --edits)
        target = randomEdit(random, target, options);
      compareEngines(engines, programs[i], target,
                     presets[random() % presets.size()].semantics);
      if (HasFatalFailure())
        return;
    }
  }
  counts.expectBalance(0.02);
  EXPECT_GT(changed_, batches * 30);
  EXPECT_GT(byOracle_, counts.pairs() / 2);
}

TEST_F(OptimizedPairs, Straight) {
  corpus::RandomOptions options;
  options.maximumArguments = 2;
  options.undefAndPoison = options.attributes = true;
  compareOnOptimized(options, "instcombine", 31);
}

TEST_F(OptimizedPairs, Branching) {
  corpus::RandomOptions options;
  options.widths = {1, 3};
  options.maximumArguments = 2;
  options.maximumBlocks = 4;
  compareOnOptimized(options, "default<O2>", 32);
}

TEST_F(OptimizedPairs, Looping) {
  corpus::RandomOptions options;
  options.maximumArguments = 2;
  options.maximumBlocks = 4;
  options.loops = true;
  compareOnOptimized(options, "default<O2>", 33);
}

TEST_F(OptimizedPairs, Calling) {
  corpus::RandomOptions options;
  options.maximumArguments = 1;
  options.maximumBlocks = 3;
  options.calls = true;
  compareOnOptimized(options, "default<O2>", 34);
}

} // namespace
} // namespace runner
