// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All engines on what a real optimizer makes of random programs, and on edits
// of that: the exhaustive engine against the reference interpreter, the oracle
// of the tests, and Z3. checker/engines_test.cpp and smt_test.cpp do the same
// with edits alone.
#include "checker/agreement.h"
#include "checker/check.h"
#include "checker/exact/oracle.h"
#include "checker/render.h"
#include "corpus/program/random_program.h"
#include "runner/worker.h"

#include <gtest/gtest.h>

#include <ctime>
#include <functional>
#include <iostream>

namespace runner {
namespace {

using checker::Engine;
using checker::Verdict;
using checker::VerdictWord;

class OptimizedPairs : public checker::Agreement {
protected:
  void compareOnOptimized(const corpus::RandomOptions &options,
                          const std::string &passes, std::uint64_t seed);

private:
  unsigned changed_ = 0;  ///< by the optimizer
  unsigned byOracle_ = 0; ///< pairs that it could decide
};

using checker::Opinions;

/// Counts in `byOracle` what the oracle decides, too, if it is asked.
Opinions ask(checker::Checker &engines, const checker::Question &question,
             unsigned *byOracle) {
  const auto &[source, target, semantics] = question;
  const auto by = [&](Engine engine) {
    return engines.check(question.source, question.target, question.semantics,
                         checker::WantWitness::no, engine);
  };
  const Verdict fast = by(Engine::exhaustive);
  const Verdict slow = by(Engine::reference);
  if (!isDecided(fast) || !isDecided(slow))
    return {};
  const auto disagree = [&](const std::string &other) -> Opinions {
    return {Opinions::Word::disagree, fast,
            "exhaustive says " + headline(fast) + ", but " + other};
  };
  if (headline(fast) != headline(slow))
    return disagree("reference says " + headline(slow));
  // With Z3, where it knows; a disagreement would be `undecided`.
  if (const Verdict both = by(Engine::both); !isDecided(both))
    return disagree(headline(both));
  if (byOracle == nullptr)
    return {Opinions::Word::agree, fast};
  const auto answer = checker::askOracle(source, target, semantics);
  if (answer.complete && answer.exact) {
    ++*byOracle;
    const auto said = answer.kind ? toString(*answer.kind) : "refines";
    if (said != (fast.word == VerdictWord::wrong ? toString(fast.kind)
                                                 : toString(fast.word)))
      return disagree("the oracle says " + std::string(said));
  }
  return {Opinions::Word::agree, fast};
}

/// Hundreds of random programs, what `passes` make of each and up to
/// `maximumEdits` edits of that, and whether the optimizer changed it. Stops at
/// a failure.
void forEachOptimized(const corpus::RandomOptions &options,
                      const std::string &passes, corpus::Random &random,
                      unsigned maximumEdits,
                      const std::function<void(const corpus::Program &source,
                                               const corpus::Program &target,
                                               bool isChanged)> &visit) {
  const auto installed = installedReleases();
  ASSERT_FALSE(installed.empty());
  Worker worker(installed.back());
  for (unsigned batch = 0; batch < checker::scaled(1); ++batch) {
    std::vector<corpus::Program> programs;
    while (programs.size() < 100)
      programs.push_back(randomProgram(random, options));
    const auto answer = worker.optimize(programs, {passes, "", "", {}});
    const auto *outputs = std::get_if<std::vector<Output>>(&answer);
    ASSERT_NE(outputs, nullptr) << std::get<WorkerDied>(answer).how;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      if ((*outputs)[i].status != Output::Status::ok)
        continue;
      corpus::Program target = (*outputs)[i].program;
      const bool isChanged = target != programs[i];
      for (auto edits = random() % (maximumEdits + 1); edits > 0; --edits)
        target = randomEdit(random, target, options);
      visit(programs[i], target, isChanged);
      if (testing::Test::HasFatalFailure())
        return;
    }
  }
}

void OptimizedPairs::compareOnOptimized(const corpus::RandomOptions &options,
                                        const std::string &passes,
                                        std::uint64_t seed) {
  checker::Limits limits;
  limits.smt.resources = 300'000;
  if (options.memory)
    limits.referenceSteps = 1 << 15; // else a few pairs take most of the time
  checker::Checker engines(limits);
  corpus::Random random(checker::seeded(seed));
  forEachOptimized(options, passes, random, 8,
                   [&](const corpus::Program &source,
                       const corpus::Program &target, bool isChanged) {
                     changed_ += isChanged ? 1 : 0;
                     compare({source, target,
                              checker::randomSemantics(random, options.widths)},
                             [&](const checker::Question &question) {
                               return ask(engines, question,
                                          options.memory ? nullptr
                                                         : &byOracle_);
                             });
                   });
  if (HasFatalFailure())
    return;
  counts.expectBalance(options.memory ? 1 : 0.02);
  EXPECT_GT(changed_, checker::scaled(1) * 30);
  EXPECT_GE(byOracle_, options.memory ? 0 : counts.pairs() / 2);
}

/// Of wide integers, as engines are chosen by cost: undef inputs are decided as
/// often, and what that takes is told.
TEST(UndefInputs, AreDecided) {
  corpus::RandomOptions options;
  options.widths = {8, 16, 32, 64};
  options.maximumArguments = 2;
  options.undefAndPoison = options.attributes = true;
  corpus::Random random(checker::seeded(38));
  std::vector<std::pair<corpus::Program, corpus::Program>> pairs;
  forEachOptimized(
      options, "instcombine", random, 3,
      [&](const corpus::Program &source, const corpus::Program &target,
          bool /*isChanged*/) { pairs.emplace_back(source, target); });
  ASSERT_FALSE(pairs.empty());
  checker::Checker engines;
  double before = 0;
  for (const char *preset : {"llvm", "llvm-undef"}) {
    unsigned undecided = 0;
    unsigned unsupported = 0;
    unsigned wrong = 0;
    const std::clock_t start = std::clock();
    for (const auto &[source, target] : pairs) {
      const Verdict verdict =
          engines.check(source, target, *checker::parseSemantics(preset));
      // A store to poison, which LLVM has for UB.
      unsupported += verdict.word == VerdictWord::unsupported ? 1 : 0;
      undecided += verdict.word == VerdictWord::undecided ? 1 : 0;
      wrong += verdict.word == VerdictWord::wrong ? 1 : 0;
    }
    const double seconds =
        static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::cout << preset << ": " << pairs.size() << " pairs, " << wrong
              << " wrong, " << undecided << " undecided, " << unsupported
              << " unsupported, " << seconds << " s";
    if (before != 0)
      std::cout << ", " << seconds / before << " times as long";
    std::cout << std::endl;
    before = seconds;
    EXPECT_LE(undecided, pairs.size() / 200);
    EXPECT_LE(unsupported, pairs.size() / 20);
    EXPECT_GE(wrong, pairs.size() / 10);
  }
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
  compareOnOptimized(options, "default<O2>", 35);
}

/// What LLVM makes of loads and stores; of memory the oracle knows nothing.
TEST_F(OptimizedPairs, Memory) {
  corpus::RandomOptions options;
  options.widths = {8, 1};
  options.maximumArguments = 2;
  options.maximumBlocks = 3;
  options.memory = true;
  compareOnOptimized(options, "default<O2>", 36);
}

TEST_F(OptimizedPairs, MemoryAndCalls) {
  corpus::RandomOptions options;
  options.widths = {8, 1};
  options.maximumArguments = 2;
  options.memory = options.calls = true;
  compareOnOptimized(options, "default<O2>", 37);
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
