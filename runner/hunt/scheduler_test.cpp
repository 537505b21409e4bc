// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts: what fairness, curiosity and reproducibility mean, on arms whose
// rewards are known.
#include "runner/hunt/scheduler.h"

#include "enumerate/space.h"
#include "runner/hunt/portfolio.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace runner {
namespace {

/// Two pipelines over three spaces each; the first has twice the weight.
Scheduler sixArms(std::uint64_t seed, std::uint64_t size = 1'000'000'000) {
  std::vector<Arm> arms;
  for (std::size_t pipeline : {0, 1})
    for (std::size_t space : {0, 1, 2})
      arms.push_back({space, pipeline, {pipeline == 0 ? 10.0 : 40.0}, size});
  return {std::move(arms), {2, 1}, seed};
}

/// Space 1 goes on to bring something new, the others did once.
Reward rewardOf(const Scheduler &scheduler, const Decision &decision) {
  if (scheduler.arms()[decision.arm].space == 1)
    return {(decision.end - decision.begin) / 1000, 0};
  return {decision.begin == 0 ? 10U : 0U, 0};
}

std::vector<Decision> run(Scheduler &scheduler, int count) {
  std::vector<Decision> decisions;
  for (int i = 0; i < count; ++i) {
    const auto decision = scheduler.next();
    if (!decision)
      break;
    scheduler.reward(*decision, rewardOf(scheduler, *decision));
    decisions.push_back(*decision);
  }
  return decisions;
}

TEST(Scheduler, PipelinesGetTimeByWeightAndSpacesByWhatTheyBring) {
  Scheduler scheduler = sixArms(1);
  std::map<std::size_t, double> pipelines;
  std::map<std::size_t, double> spaces;
  std::map<std::size_t, std::uint64_t> next;
  for (const Decision &decision : run(scheduler, 300)) {
    EXPECT_EQ(decision.begin, next[decision.arm]) << "no position is left out";
    next[decision.arm] = decision.end;
    const Arm &arm = scheduler.arms()[decision.arm];
    const double seconds =
        static_cast<double>(decision.end - decision.begin) * arm.cost.function;
    pipelines[arm.pipeline] += seconds;
    spaces[arm.space] += seconds;
  }
  EXPECT_EQ(next.size(), 6U);
  EXPECT_NEAR(pipelines[0] / pipelines[1], 2, 0.2);
  EXPECT_NEAR(spaces[1] / (spaces[0] + spaces[2]), 3.0 / 2, 0.15);
}

TEST(Scheduler, TheSeedAndTheRewardsDecide) {
  Scheduler one = sixArms(7);
  Scheduler same = sixArms(7);
  Scheduler other = sixArms(8);
  const auto decisions = run(one, 100);
  EXPECT_EQ(decisions, run(same, 100));
  EXPECT_NE(decisions, run(other, 100));
}

/// Two pipelines of one weight, of which one soon shows nothing any more.
TEST(Scheduler, WhatShowsNothingNewGetsAThirdOfItsTime) {
  const std::uint64_t huge = 1'000'000'000;
  Scheduler scheduler({{0, 0, {10.0}, huge}, {0, 1, {10.0}, huge}}, {1, 1}, 5);
  std::array<double, 2> functions = {0, 0};
  for (int i = 0; i < 500; ++i) {
    const auto decision = scheduler.next();
    ASSERT_TRUE(decision);
    const std::size_t pipeline = scheduler.arms()[decision->arm].pipeline;
    const std::uint64_t now = decision->end - decision->begin;
    functions[pipeline] += static_cast<double>(now);
    scheduler.reward(
        *decision,
        {.rewrites = pipeline == 0 || decision->begin == 0 ? now / 100 : 0});
  }
  EXPECT_NEAR(functions[0] / functions[1], 3, 0.3);
}

/// Of what nobody tried, the spaces that one slice ends; then the others as
/// they stand in the table.
TEST(Scheduler, WhatIsSmallIsTriedFirst) {
  const std::uint64_t huge = 1'000'000'000;
  Scheduler scheduler({{0, 0, {10.0}, huge},
                       {1, 0, {10.0}, huge - 1},
                       {2, 0, {10.0}, 2'000},
                       {3, 0, {10.0}, 1'000}},
                      {1}, 5);
  std::vector<std::size_t> spaces;
  for (const Decision &decision : run(scheduler, 4))
    spaces.push_back(scheduler.arms()[decision.arm].space);
  EXPECT_EQ(spaces, (std::vector<std::size_t>{3, 2, 0, 1}));
}

/// Of an arm that shows little in a tenth of a second.
TEST(Scheduler, TheFirstSliceIsTheArms) {
  const std::uint64_t huge = 1'000'000'000;
  Scheduler scheduler({{0, 0, {10.0}, huge, 0, 2.0}, {1, 0, {10.0}, huge, 0}},
                      {1}, 5);
  const auto decisions = run(scheduler, 2);
  EXPECT_EQ(decisions[0].end, 200'000U);
  EXPECT_EQ(decisions[1].end, 10'000U);
}

/// Five functions that were not changed do not make the next free.
TEST(Scheduler, AFewFunctionsTellLittle) {
  Scheduler scheduler({{0, 0, {10.0, 60'000.0}, 1'000}}, {1}, 5);
  const auto first = scheduler.next();
  EXPECT_EQ(first, (Decision{0, 0, 5}));
  scheduler.reward(*first, {0, 0, 0, 0});
  const auto second = scheduler.next();
  EXPECT_LT(second->end - second->begin, 20U);
}

/// What a pipeline is for is all tried before the rest, small or not; then the
/// untried get most of the time (of two others there is no small one), those
/// first that are more like it.
TEST(Scheduler, WhatThePipelineIsForIsTriedFirst) {
  const std::uint64_t huge = 1'000'000'000;
  std::vector<Arm> arms = {{0, 0, {10.0}, 1'000, 2},
                           {1, 0, {10.0}, huge, 0},
                           {2, 0, {10.0}, huge - 1, 0}};
  for (std::size_t space = 3; space < 400; ++space)
    arms.push_back({space, 0, {10.0}, huge, 1});
  Scheduler scheduler(arms, {1}, 5);
  std::vector<std::size_t> spaces;
  double untried = 0;
  double tried = 0;
  for (const Decision &decision : run(scheduler, 300)) {
    spaces.push_back(scheduler.arms()[decision.arm].space);
    const auto functions = static_cast<double>(decision.end - decision.begin);
    if (spaces.size() > 2)
      (decision.begin == 0 ? untried : tried) += functions;
  }
  EXPECT_EQ(spaces[0] + spaces[1], 3U);
  EXPECT_THAT(spaces, testing::Not(testing::Contains(0)));
  EXPECT_NEAR(untried / tried, 3, 1);
}

/// Ten seconds of what the pipeline is for, beside much that nobody tried.
TEST(Scheduler, WhatIsSmallIsEndedBeforeEverythingIsTried) {
  const std::uint64_t small = 1'000'000;
  std::vector<Arm> arms = {{0, 0, {10.0}, small, 0}};
  for (std::size_t space = 1; space < 200; ++space)
    arms.push_back({space, 0, {10.0}, 1'000'000'000, 1});
  Scheduler scheduler(arms, {1}, 5);
  std::uint64_t done = 0;
  for (const Decision &decision : run(scheduler, 190))
    if (scheduler.arms()[decision.arm].space == 0)
      done += decision.end - decision.begin;
  EXPECT_EQ(done, small);
}

/// Ten seconds that bring nothing are looked at all the same.
TEST(Scheduler, WhatIsSmallIsLookedAtToItsEnd) {
  const std::uint64_t small = 1'000'000;
  Scheduler scheduler({{0, 0, {10.0}, small}, {1, 0, {10.0}, 1'000'000'000}},
                      {1}, 5);
  std::uint64_t done = 0;
  for (const Decision &decision : run(scheduler, 40))
    if (scheduler.arms()[decision.arm].space == 0)
      done += decision.end - decision.begin;
  EXPECT_EQ(done, small);
}

/// Of three spaces that bring the same, one hangs on each thousandth function:
/// it gets little, and that it does costs the pipeline no turn.
TEST(Scheduler, WhatHangsTakesTime) {
  const std::uint64_t huge = 1'000'000'000;
  Scheduler scheduler(
      {{0, 0, {10.0}, huge}, {1, 0, {10.0}, huge}, {2, 1, {10.0}, huge}},
      {1, 1}, 5);
  std::array<std::uint64_t, 3> functions = {0, 0, 0};
  for (int i = 0; i < 1000; ++i) {
    const auto decision = scheduler.next();
    ASSERT_TRUE(decision);
    const std::size_t space = scheduler.arms()[decision->arm].space;
    const std::uint64_t now = decision->end - decision->begin;
    functions[space] += now;
    scheduler.reward(*decision, {.rewrites = now / 100,
                                 .hangs = space == 1 ? now / 1000 : 0});
  }
  EXPECT_LT(functions[1], functions[0] / 20);
  EXPECT_NEAR(static_cast<double>(functions[0] + functions[1]) /
                  static_cast<double>(functions[2]),
              1, 0.1);
}

TEST(Scheduler, EndsWhenEverythingIsDone) {
  Scheduler scheduler = sixArms(3, 12'345);
  std::map<std::size_t, std::uint64_t> done;
  for (const Decision &decision : run(scheduler, 1000))
    done[decision.arm] += decision.end - decision.begin;
  EXPECT_FALSE(scheduler.next());
  EXPECT_EQ(done.size(), 6U);
  for (const auto &[arm, functions] : done)
    EXPECT_EQ(functions, 12'345U);
}

TEST(Portfolio, EachLineIsGoodForSomething) {
  std::set<std::string_view> pipelines;
  for (const HuntPipeline &row : huntPipelines()) {
    EXPECT_TRUE(pipelines.insert(row.passes).second) << row.passes;
    EXPECT_GT(row.weight, 0);
    EXPECT_GT(row.microseconds, 0);
    EXPECT_FALSE(row.purpose.empty());
  }
  std::set<std::string_view> specs;
  for (const HuntSpace &row : huntSpaces()) {
    EXPECT_TRUE(specs.insert(row.spec).second) << row.spec;
    EXPECT_FALSE(row.purpose.empty());
    const auto space = enumerate::parseSpace(row.spec);
    ASSERT_TRUE(space) << row.spec;
    EXPECT_EQ((*space)->count(), corpus::Rank(row.functions)) << row.spec;
    const Cost cost =
        costOf(pipelineRow("gvn"), featuresOf(row.spec), row.spec);
    EXPECT_EQ(cost.changed, row.microseconds);
    EXPECT_GE(cost.function, pipelineRow("gvn").microseconds);
  }
}

TEST(Portfolio, LoopPassesGetLoops) {
  const HuntPipeline licm = pipelineRow("licm");
  EXPECT_TRUE(goTogether(licm, featuresOf("i1x1:blocks=4,loops")));
  EXPECT_FALSE(goTogether(licm, featuresOf("i1x1:blocks=4")));
  EXPECT_TRUE(goTogether(pipelineRow("gvn"), featuresOf("i2x2")));
  EXPECT_TRUE(goTogether(pipelineRow("some-other-pass"), featuresOf("i2x2")));
  const auto ofPatterns = featuresOf("i2x2:idioms");
  for (const char *passes : {"instcombine", "some-other-pass"})
    EXPECT_TRUE(goTogether(pipelineRow(passes), ofPatterns)) << passes;
  EXPECT_FALSE(
      goTogether(pipelineRow("sink"), featuresOf("i2x2:idioms,graph=if")));
  EXPECT_EQ(distance(pipelineRow("instcombine"), ofPatterns), 0U);
  const auto ofFolds = featuresOf("folds:i4:edits=2");
  EXPECT_EQ(distance(pipelineRow("instcombine"), ofFolds), 0U);
  EXPECT_TRUE(goTogether(pipelineRow("instcombine"), ofFolds));
  EXPECT_TRUE(goTogether(pipelineRow("gvn"), ofFolds));
  EXPECT_FALSE(goTogether(pipelineRow("slp-vectorizer"), ofFolds));
  EXPECT_EQ(distance(pipelineRow("gvn"), featuresOf("folds:i4:branches")), 0U);
  EXPECT_EQ(distance(licm, featuresOf("folds:i4:loops")), 0U);
  EXPECT_FALSE(goTogether(licm, featuresOf("folds:i4:branches")));
  EXPECT_FALSE(
      goTogether(pipelineRow("instcombine"), featuresOf("folds:i4:loops")));
  const auto ofPairs = featuresOf("i2x2:pairs");
  EXPECT_TRUE(goTogether(pipelineRow("slp-vectorizer"), ofPairs));
  EXPECT_FALSE(goTogether(pipelineRow("instcombine"), ofPairs));
  EXPECT_TRUE(goTogether(licm, featuresOf("i8x2:mem=p1,graph=loop")));
  for (const char *graph : {"loop", "while", "nested", "dispatch"})
    EXPECT_TRUE(
        goTogether(licm, featuresOf(fmt::format("i1x2:graph={}", graph))))
        << graph;
  for (const char *graph : {"if", "diamond", "thread", "table"})
    EXPECT_FALSE(
        goTogether(licm, featuresOf(fmt::format("i1x2:graph={}", graph))))
        << graph;
}

/// Of a file nobody knows what its functions have before they are read.
TEST(Portfolio, EveryPassLooksAtSomebodysFunctions) {
  for (const char *spec : {"corpus:values.ll", "near:loops.ll:edits=2"})
    for (const HuntPipeline &row : huntPipelines()) {
      EXPECT_TRUE(goTogether(row, featuresOf(spec))) << row.passes;
      EXPECT_EQ(distance(row, featuresOf(spec)), 0U) << row.passes;
    }
}

TEST(Portfolio, FirstLooksAreLongerAtPatternsAndWhereTheyEnd) {
  constexpr std::uint64_t huge = 1'000'000'000;
  const HuntPipeline instcombine = pipelineRow("instcombine");
  const Cost cost{1, 0};
  EXPECT_GT(firstSlice(instcombine, featuresOf("i2x2:idioms"), cost, huge),
            usualSlice);
  EXPECT_GT(firstSlice(instcombine, featuresOf("folds:i4"), cost, huge),
            firstSlice(instcombine, featuresOf("i2x2:idioms"), cost, huge));
  EXPECT_EQ(firstSlice(instcombine, featuresOf("i4x3"), cost, huge),
            usualSlice);
  EXPECT_EQ(firstSlice(instcombine, featuresOf("i3x2"), cost, 1'000'000), 3)
      << "which ends it";
  EXPECT_GT(firstSlice(instcombine, featuresOf("v2i2x3"), cost, huge),
            usualSlice)
      << "lanes of what it is for";
  EXPECT_EQ(
      firstSlice(instcombine, featuresOf("i2x2:graph=if"), cost, 1'000'000),
      usualSlice)
      << "not what it is for";
  EXPECT_GT(firstSlice(pipelineRow("slp-vectorizer"), featuresOf("i2x2:pairs"),
                       cost, huge),
            usualSlice);
}

TEST(Portfolio, MemoryAndVectorsHaveTheirPasses) {
  const HuntPipeline dse = pipelineRow("dse");
  EXPECT_TRUE(goTogether(dse, featuresOf("i8x2:mem=p1,graph=if")));
  EXPECT_FALSE(goTogether(dse, featuresOf("i2x2")));
  EXPECT_TRUE(goTogether(pipelineRow("mldst-motion"),
                         featuresOf("i8x2:mem=p1,graph=diamond")));
  EXPECT_FALSE(
      goTogether(pipelineRow("mldst-motion"), featuresOf("i8x2:mem=p1")));
  EXPECT_FALSE(
      goTogether(pipelineRow("reassociate"), featuresOf("i8x2:mem=p1")));
  EXPECT_TRUE(
      goTogether(pipelineRow("vector-combine"), featuresOf("v2i2x2:shuffle")));
  EXPECT_FALSE(goTogether(pipelineRow("vector-combine"), featuresOf("i2x2")));
  EXPECT_GT(costOf(dse, featuresOf("i8x2:mem=p1"), "i8x2:mem=p1").changed,
            costOf(dse, featuresOf("i2x2"), "i2x2").changed);
}

} // namespace
} // namespace runner
