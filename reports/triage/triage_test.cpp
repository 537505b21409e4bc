// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Triage over an optimizer of two made-up bugs: how many bugs come out is
// known.
#include "reports/triage/triage.h"

#include "corpus/program/print.h"
#include "corpus/system/temporary_folder.h"
#include "reports/render/json.h"
#include "reports/render/markdown.h"
#include "runner/campaign.h"
#include "runner/evaluate.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <unistd.h>

namespace reports {
namespace {

using checker::Kind;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;
using runner::Output;

/// One made-up pass on one program; false: it crashes.
bool runPass(const std::string &pass, Program &program) {
  for (corpus::Instruction &instruction : program.instructions) {
    if (pass == "mulflags" && instruction.opcode == Opcode::mul)
      instruction.flags = instruction.flags | corpus::flag::nsw;
    if (pass == "mulflags" && instruction.opcode == Opcode::sub &&
        instruction.flags.empty()) {
      const auto operands = program.operandsOf(instruction);
      std::swap(operands[0], operands[1]);
    }
    if (pass == "division" && instruction.opcode == Opcode::sdiv)
      return false;
    if (pass == "hungry" && instruction.opcode == Opcode::udiv)
      return false;
  }
  return true;
}

runner::Trace runPipeline(const Program &program, const std::string &passes) {
  runner::Trace trace;
  trace.end.program = program;
  std::istringstream stream(passes);
  for (std::string pass; std::getline(stream, pass, ',');) {
    const Program before = trace.end.program;
    if (!runPass(pass, trace.end.program)) {
      trace.end.status = Output::Status::crash;
      trace.end.pass = pass;
      trace.end.detail =
          pass == "hungry" ? "runaway memory" : "SIGFPE in divide";
      return trace;
    }
    runner::Step step;
    step.pass = pass;
    step.changed = trace.end.program != before;
    if (step.changed)
      step.after = trace.end.program;
    trace.steps.push_back(std::move(step));
  }
  return trace;
}

class FakeSubject : public Subject {
public:
  runner::Answer<corpus::Result<runner::PipelineInfo>>
  describe(const runner::Pipeline &pipeline) override {
    return corpus::Result<runner::PipelineInfo>(
        runner::PipelineInfo{pipeline.passes, pipeline.passes});
  }
  runner::Answer<std::vector<Output>>
  optimize(std::span<const Program> programs,
           const runner::Pipeline &pipeline) override {
    std::vector<Output> outputs;
    for (const Program &program : programs)
      outputs.push_back(runPipeline(program, pipeline.passes).end);
    return outputs;
  }
  runner::Answer<runner::Trace>
  trace(const Program &program, const runner::Pipeline &pipeline) override {
    return runPipeline(program, pipeline.passes);
  }
};

corpus::Result<std::unique_ptr<Subject>> fakeSubject(unsigned,
                                                     const runner::Pipeline &) {
  return std::unique_ptr<Subject>(std::make_unique<FakeSubject>());
}

/// Crashes on every function after the first.
class DamagedSubject : public FakeSubject {
public:
  runner::Answer<std::vector<Output>>
  optimize(std::span<const Program> programs,
           const runner::Pipeline &) override {
    std::vector<Output> outputs;
    for (const Program &program : programs) {
      Output &output = outputs.emplace_back();
      output.program = program;
      if (std::exchange(isDamaged_, true)) {
        output.status = Output::Status::crash;
        output.pass = "division";
        output.detail = "SIGFPE in divide";
      }
    }
    return outputs;
  }

private:
  bool isDamaged_ = false;
};

class FakeOptimizer : public runner::Optimizer {
public:
  explicit FakeOptimizer(std::string passes) : passes_(std::move(passes)) {}
  void optimize(std::span<const Program> batch, std::span<const std::uint64_t>,
                runner::Slot &, std::vector<Output> &outputs) override {
    outputs.clear();
    for (const Program &program : batch)
      outputs.push_back(runPipeline(program, passes_).end);
  }

private:
  std::string passes_;
};

std::unique_ptr<enumerate::Space> spaceOf(std::string_view spec) {
  auto space = enumerate::parseSpace(spec);
  EXPECT_TRUE(space);
  return std::move(*space);
}

class TriageTest : public testing::Test {
protected:
  /// A finished campaign over `space`, a lane for each pipeline; the chunks are
  /// committed from the last to the first if `backwards`.
  corpus::Store campaign(const enumerate::Space &space,
                         const std::vector<std::string> &pipelines,
                         bool backwards = false, std::uint64_t keep = 50) {
    runner::CampaignIdentity identity;
    identity.space = space.spec();
    identity.semantics = {"defined-inputs", "llvm"};
    std::vector<corpus::Lane> lanes;
    for (const std::string &passes : pipelines) {
      runner::Pipeline pipeline;
      pipeline.passes = passes;
      identity.lanes.push_back({14, pipeline});
      lanes.push_back({14, "14.0.6", passes, passes, passes});
    }
    auto store = corpus::Store::openOrCreate(
        folder_.file(std::to_string(databases_++)), identity.toText(), lanes);
    EXPECT_TRUE(store);

    runner::WorkOrder order;
    order.space = space.spec();
    order.selection = runner::Selection::range(0, space.count());
    order.keep = keep;
    for (const std::string &name : identity.semantics)
      order.columns.push_back(*checker::parseSemantics(name));
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      runner::Evaluator evaluator(
          space, order, std::make_unique<FakeOptimizer>(pipelines[lane]));
      runner::Slot slot;
      std::vector<corpus::PositionRange> ranges;
      constexpr std::uint64_t chunk = 50;
      for (std::uint64_t begin = 0; begin < space.count(); begin += chunk)
        ranges.push_back(
            {begin, std::min(begin + chunk,
                             static_cast<std::uint64_t>(space.count()))});
      if (backwards)
        std::reverse(ranges.begin(), ranges.end());
      for (const corpus::PositionRange &range : ranges)
        EXPECT_TRUE(store->commit(lane, evaluator.evaluate(range, slot), keep));
    }
    return std::move(*store);
  }

  static std::vector<std::string> documents(const std::vector<Bug> &bugs) {
    std::vector<std::string> result;
    result.reserve(bugs.size());
    for (const Bug &bug : bugs)
      result.push_back(toJson(bug).dump());
    return result;
  }

private:
  corpus::TemporaryFolder folder_;
  int databases_ = 0;
};

TEST_F(TriageTest, ACrashIsShownByAFreshProcessOrDoesNotRepeat) {
  const auto space = spaceOf("i1x1");
  auto store = campaign(*space, {"division"});
  const Subjects damaged = [](unsigned, const runner::Pipeline &) {
    return corpus::Result<std::unique_ptr<Subject>>(
        std::make_unique<DamagedSubject>());
  };
  const auto bugs = triage(store, damaged);
  ASSERT_TRUE(bugs);
  ASSERT_FALSE(bugs->empty());
  for (const Bug &bug : *bugs) {
    EXPECT_EQ(bug.detail, "SIGFPE in divide, not a second time");
    EXPECT_TRUE(bug.widths.empty()) << "nobody can ask";
    EXPECT_TRUE(bug.window.right.empty());
  }
  auto again = campaign(*space, {"division"});
  const auto repeated = triage(again, fakeSubject);
  ASSERT_TRUE(repeated);
  ASSERT_EQ(repeated->size(), 1U);
  EXPECT_EQ(repeated->front().detail, "SIGFPE in divide");
}

TEST_F(TriageTest, BlamesReducesAndGroups) {
  const auto space = spaceOf("i1x1");
  auto store = campaign(*space, {"mulflags", "division,mulflags", "division"});
  auto bugs = triage(store, fakeSubject);
  ASSERT_TRUE(bugs);
  ASSERT_EQ(bugs->size(), 2U); // x - y = y - x in i1
  const Bug &poison = bugs->at(0);
  EXPECT_EQ(poison.kind, Kind::morePoison);
  EXPECT_EQ(poison.pass, "mulflags");
  EXPECT_EQ(oneLine(poison), "%v0 = mul i2 %a, %b -> %v0 = mul nsw i2 %a, %b");
  EXPECT_THAT(poison.pipelines,
              testing::ElementsAre("mulflags", "division,mulflags"));
  EXPECT_THAT(poison.semantics, testing::ElementsAre("defined-inputs", "llvm"));
  EXPECT_EQ(poison.pipeline.passes, "mulflags");
  const Bug &crash = bugs->at(1);
  EXPECT_EQ(crash.kind, Kind::crash);
  EXPECT_EQ(crash.pass, "division");
  EXPECT_EQ(oneLine(crash), "%v0 = sdiv i2 %a, %b");
  EXPECT_THAT(crash.pipelines,
              testing::ElementsAre("division,mulflags", "division"));

  // By hand: mul and mul nuw of (a,a) (a,b) (a,0) (a,1) (0,a) (1,a), which are
  // poison with nsw where -1 * -1 can happen; sdiv and sdiv exact of all six.
  EXPECT_EQ(poison.functions, 2U * 4);
  EXPECT_EQ(crash.functions, 2U * 6);
  EXPECT_TRUE(poison.functionsExact);
}

TEST_F(TriageTest, DoesNotDependOnTheOrderOfChunks) {
  const auto space = spaceOf("i2x1");
  auto forwards = campaign(*space, {"mulflags", "division,mulflags"}, false);
  auto backwards = campaign(*space, {"mulflags", "division,mulflags"}, true);
  const auto bugs = triage(forwards, fakeSubject);
  const auto others = triage(backwards, fakeSubject);
  ASSERT_TRUE(bugs);
  ASSERT_TRUE(others);
  EXPECT_EQ(documents(*bugs), documents(*others));
}

TEST_F(TriageTest, CountsWhatIsNotKept) {
  const auto space = spaceOf("i1x1");
  auto all = campaign(*space, {"mulflags"});
  auto few = campaign(*space, {"mulflags"}, false, 1);
  const auto exact = triage(all, fakeSubject);
  const auto sampled = triage(few, fakeSubject);
  ASSERT_TRUE(exact);
  ASSERT_TRUE(sampled);
  ASSERT_EQ(sampled->size(), 1U);
  EXPECT_EQ(sampled->front().functions, exact->front().functions);
  EXPECT_FALSE(sampled->front().functionsExact);
}

/// With these options there is a bug of that pass to be made, and nothing else.
void expectOnly(const std::string &pass, corpus::Store &store,
                const TriageOptions &options) {
  EXPECT_TRUE(hasWork(store, options));
  const auto bugs = triage(store, fakeSubject, options);
  ASSERT_TRUE(bugs);
  ASSERT_EQ(bugs->size(), 1U);
  EXPECT_EQ(bugs->front().pass, pass);
  EXPECT_FALSE(hasWork(store, options));
}

TEST_F(TriageTest, WhatEatsMemoryCanWait) {
  const auto space = spaceOf("i1x1");
  auto store = campaign(*space, {"hungry", "mulflags"});
  TriageOptions options;
  options.leavesDear = true;
  expectOnly("mulflags", store, options);
  options.leavesDear = false;
  options.resumes = true;
  EXPECT_TRUE(hasWork(store, options));
  const auto all = triage(store, fakeSubject, options);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->size(), 2U);
}

/// A later look at fewer findings takes no bug away.
TEST_F(TriageTest, WhatHasABugKeepsIt) {
  const auto space = spaceOf("i1x1");
  auto store = campaign(*space, {"mulflags,division"});
  TriageOptions options;
  options.resumes = true;
  const auto all = triage(store, fakeSubject, options);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 2U);
  options.findings = 1;
  const auto few = triage(store, fakeSubject, options);
  ASSERT_TRUE(few);
  EXPECT_EQ(documents(*few), documents(*all));
}

TEST_F(TriageTest, WhatIsNoNewsIsLeft) {
  const auto space = spaceOf("i1x1");
  auto store = campaign(*space, {"division", "mulflags"});
  TriageOptions options;
  options.newsIn =
      [](const std::string &passes,
         const corpus::Finding &finding) -> std::optional<std::string> {
    if (passes == "division" && finding.bucket.starts_with("crash"))
      return "a crash";
    return std::nullopt;
  };
  expectOnly("division", store, options);
  EXPECT_TRUE(hasWork(store, {}));
}

/// Of several findings of a column with one name one is looked at, whatever
/// their buckets, and never again one that has a bug.
TEST_F(TriageTest, OneOfEachNews) {
  const auto space = spaceOf("i1x1");
  auto store = campaign(*space, {"mulflags"});
  TriageOptions options;
  options.resumes = true;
  options.newsIn = [](const std::string &, const corpus::Finding &) {
    return std::optional<std::string>("the same");
  };
  for (const int looks : {1, 2}) {
    ASSERT_TRUE(triage(store, fakeSubject, options));
    std::map<int, int> solved;
    std::map<int, std::set<std::string>> buckets;
    for (const corpus::Finding &finding : store.findings(0)) {
      solved[finding.column] += finding.bug.empty() ? 0 : 1;
      buckets[finding.column].insert(finding.bucket);
    }
    EXPECT_GT(buckets[0].size(), 1U);
    for (const auto &[column, count] : solved)
      EXPECT_EQ(count,
                std::min(looks, static_cast<int>(buckets[column].size())));
  }
}

/// Both bugs are in one function; its own kind decides where it is reduced to.
TEST_F(TriageTest, DoesNotSlipToAnotherBug) {
  const Type i2 = Type::integer(2);
  Program both;
  both.signature.returnType = i2;
  const Operand a = both.addParameter(i2);
  const Operand b = both.addParameter(i2);
  const Operand c = both.addParameter(i2);
  const Operand product = both.append(Opcode::mul, i2, {a, b});
  both.append(Opcode::ret, Type(),
              {both.append(Opcode::sub, i2, {product, c})});
  Program difference;
  difference.signature.returnType = i2;
  const Operand x = difference.addParameter(i2);
  const Operand y = difference.addParameter(i2);
  difference.append(Opcode::ret, Type(),
                    {difference.append(Opcode::sub, i2, {x, y})});
  const auto space = enumerate::makeListSpace(
      "test", {{"both", both}, {"difference", difference}});
  auto store = campaign(*space, {"mulflags"});
  const auto bugs = triage(store, fakeSubject);
  ASSERT_TRUE(bugs);
  ASSERT_EQ(bugs->size(), 2U);
  EXPECT_EQ(oneLine(bugs->at(0)),
            "%v0 = mul i2 %a, %b -> %v0 = mul nsw i2 %a, %b");
  EXPECT_THAT(bugs->at(0).examples, testing::ElementsAre("both"));
  EXPECT_EQ(oneLine(bugs->at(1)), "%v0 = sub i2 %a, %b -> %v0 = sub i2 %b, %a");
  EXPECT_THAT(bugs->at(1).examples, testing::ElementsAre("difference"));
}

/// What the user merges is one bug, in one row, and keeps its own function.
TEST_F(TriageTest, AMergedBugIsPartOfTheOther) {
  const auto space = spaceOf("i1x1");
  auto store = campaign(*space, {"mulflags", "division"});
  const auto apart = triage(store, fakeSubject);
  ASSERT_TRUE(apart);
  ASSERT_EQ(rowsOf(*apart).size(), 2U);
  ASSERT_TRUE(store.decide({apart->at(1).id, apart->at(0).id}));
  const auto merged = triage(store, fakeSubject);
  ASSERT_TRUE(merged);
  ASSERT_EQ(merged->size(), 1U);
  EXPECT_EQ(merged->front().id, apart->front().id);
  EXPECT_EQ(merged->front().root, apart->front().root);
  EXPECT_EQ(merged->front().source, apart->front().source);
}

/// What the user split is in no row with others, and keeps its words.
TEST_F(TriageTest, ASplitBugHasARowOfItsOwn) {
  const auto space = spaceOf("i1x1");
  auto store = campaign(*space, {"mulflags"});
  const auto whole = triage(store, fakeSubject);
  ASSERT_TRUE(whole);
  ASSERT_TRUE(store.decide({whole->front().id, ""}));
  const auto split = triage(store, fakeSubject);
  ASSERT_TRUE(split);
  EXPECT_NE(split->front().root, whole->front().root);
  EXPECT_EQ(split->front().title, whole->front().title);
}

TEST_F(TriageTest, BugsSurviveTheDatabase) {
  const auto space = spaceOf("i1x1");
  auto store = campaign(*space, {"mulflags,division"});
  const auto bugs = bugsOf(store, fakeSubject); // triages
  ASSERT_TRUE(bugs);
  const auto again =
      bugsOf(store, [](unsigned release, const runner::Pipeline &pipeline) {
        ADD_FAILURE() << "nothing is left to triage";
        return fakeSubject(release, pipeline);
      });
  ASSERT_TRUE(again);
  EXPECT_EQ(documents(*bugs), documents(*again));
  for (std::size_t i = 0; i < bugs->size(); ++i)
    EXPECT_EQ(markdown(bugs->at(i)), markdown(again->at(i)));
  for (std::size_t lane = 0; lane < store.lanes().size(); ++lane)
    for (const corpus::Finding &finding : store.findings(lane))
      EXPECT_FALSE(finding.bug.empty());
}

TEST_F(TriageTest, MarkdownSaysWhatADeveloperNeeds) {
  const auto space = spaceOf("i1x1");
  auto store = campaign(*space, {"mulflags"});
  const auto bugs = triage(store, fakeSubject);
  ASSERT_TRUE(bugs);
  const std::string text = markdown(bugs->front());
  const char *const command = "opt-14 -S -passes='mulflags' <<'EOF'\n"
                              "define i2 @f(i2 %a, i2 %b) {\n"
                              "  %v0 = mul i2 %a, %b\n";
  for (const char *expected :
       {"# [mulflags] gives `nsw` to `mul i2`\n",
        "kind: `more-poison`: poison where the source has none\n",
        "releases that show it: 14\n",
        "semantics that show it: defined-inputs, llvm\n", command,
        "define i2 @src(i2 %a, i2 %b)", "define i2 @tgt(i2 %a, i2 %b)",
        "  %v0 = mul nsw i2 %a, %b\n"})
    EXPECT_THAT(text, testing::HasSubstr(expected));
  EXPECT_THAT(markdownIndex(*bugs),
              testing::HasSubstr(markdownFile(bugs->front())));
}

/// Scripts rely on these keys.
TEST_F(TriageTest, JsonKeepsItsContract) {
  const auto space = spaceOf("i1x1");
  auto store = campaign(*space, {"mulflags,division"});
  const auto bugs = triage(store, fakeSubject);
  ASSERT_TRUE(bugs);
  for (const Bug &bug : *bugs) {
    const nlohmann::json json = toJson(bug);
    for (const char *key :
         {"id", "kind", "pass", "root", "title", "llvm", "semantics",
          "functions", "source", "target", "witness", "command"})
      EXPECT_TRUE(json.contains(key)) << key;
    EXPECT_EQ(json.at("target").is_null(), bug.kind == Kind::crash);
    EXPECT_EQ(json.at("witness").is_null(), bug.kind == Kind::crash);
  }
  for (const char *garbage : {"", "[]", "{}", "{\"id\": 1}"})
    EXPECT_FALSE(bugFromJson(garbage));
}

} // namespace
} // namespace reports
