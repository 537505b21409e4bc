// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Triage with the real LLVM releases, from the campaign to a command that a
// reader pastes. Facts: corpus/known, and each release's own opt.
#include "reports/triage/known.h"
#include "reports/triage/triage.h"

#include "corpus/program/canonical.h"
#include "corpus/program/print.h"
#include "corpus/system/temporary_folder.h"
#include "runner/campaign.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <unistd.h>

namespace reports {
namespace {

using checker::Kind;
using corpus::Program;

/// One that stays open when triage is done with it.
class Lent : public Subject {
public:
  explicit Lent(Subject &subject) : subject_(subject) {}

  runner::Answer<corpus::Result<runner::PipelineInfo>>
  describe(const runner::Pipeline &pipeline) override {
    return subject_.describe(pipeline);
  }
  runner::Answer<std::vector<runner::Output>>
  optimize(std::span<const Program> programs,
           const runner::Pipeline &pipeline) override {
    return subject_.optimize(programs, pipeline);
  }
  runner::Answer<runner::Trace>
  trace(const Program &program, const runner::Pipeline &pipeline) override {
    return subject_.trace(program, pipeline);
  }

private:
  Subject &subject_;
};

class HuntTest : public testing::Test {
protected:
  std::vector<Bug> hunt(unsigned release, const std::string &space,
                        const std::vector<std::string> &passes) {
    runner::CampaignOptions options;
    options.space = space;
    options.releases = {release};
    options.passes = passes;
    return hunt(std::move(options));
  }

  std::vector<Bug> hunt(runner::CampaignOptions options,
                        const TriageOptions &triageOptions = {}) {
    options.database = folder_.file(std::to_string(databases_++));
    runner::WorkerReader reader;
    auto campaign = runner::Campaign::prepare(options, reader);
    EXPECT_TRUE(campaign) << campaign.error().message;
    runner::Progress progress(runner::Progress::Style::off);
    const auto end = campaign->run(progress, [] { return false; });
    EXPECT_TRUE(end) << end.error().message;
    auto bugs = triage(campaign->store(), lend_, triageOptions);
    EXPECT_TRUE(bugs) << bugs.error().message;
    return std::move(*bugs);
  }

  /// What the shell says to the report's command, as opt's output and status.
  std::pair<std::string, int> paste(const Bug &bug) const {
    const std::string script = folder_.write("command.sh", command(bug));
    const std::string line = fmt::format("sh {} 2>/dev/null", script);
    std::FILE *pipe = ::popen(line.c_str(), "r");
    std::string output;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
      output.push_back(static_cast<char>(c));
    return {output, ::pclose(pipe)};
  }

  void expectReproduces(const Bug &bug) const {
    const auto [output, status] = paste(bug);
    if (bug.kind == Kind::crash) {
      EXPECT_NE(status, 0) << command(bug);
      return;
    }
    ASSERT_EQ(status, 0) << command(bug);
    const std::string file = folder_.write("output.ll", output);
    runner::WorkerReader reader;
    auto functions = reader.read(file, corpus::Reading::exactly);
    ASSERT_TRUE(functions) << output;
    ASSERT_EQ(functions->size(), 1U);
    EXPECT_EQ(corpus::printModule(std::get<Program>(functions->front().body)),
              corpus::printModule(*bug.target))
        << command(bug);
  }

private:
  corpus::TemporaryFolder folder_;
  int databases_ = 0;
  const Subjects open_ = workerSubject;
  OpenSubjects workers_{open_};
  const Subjects lend_ = [this](unsigned release,
                                const runner::Pipeline &pipeline)
      -> corpus::Result<std::unique_ptr<Subject>> {
    const auto subject = workers_.of(release, pipeline);
    if (!subject)
      return subject.error();
    return std::unique_ptr<Subject>(std::make_unique<Lent>(**subject));
  };
};

#ifdef IRSIEVE_HAS_LLVM_14
/// kb19 and kb51: one wrong flag, one crash, each on several functions.
TEST_F(HuntTest, FindsExactlyTwoBugsInOldValuePropagation) {
  const auto bugs = hunt(14, "i1x1", {"correlated-propagation"});
  std::string seen;
  for (const Bug &bug : bugs)
    seen += summaryLine(bug) + "\n";
  ASSERT_EQ(bugs.size(), 2U) << seen;
  EXPECT_EQ(bugs[0].kind, Kind::morePoison);
  EXPECT_EQ(bugs[1].kind, Kind::crash);
  EXPECT_THAT(bugs[1].detail, testing::HasSubstr("SIGFPE"));
  for (const Bug &bug : bugs) {
    EXPECT_EQ(bug.pass, "correlated-propagation");
    EXPECT_GT(bug.functions, 1U);
    EXPECT_TRUE(bug.functionsExact);
    expectReproduces(bug);
  }
}

/// The culprit is found inside a long pipeline, and it is the same bug.
TEST_F(HuntTest, BlamesThePassInsideAPipeline) {
  const auto alone = hunt(14, "i1x1", {"correlated-propagation"});
  const auto inside = hunt(
      14, "i1x1", {"function(adce,correlated-propagation,gvn),function(adce)"});
  ASSERT_EQ(inside.size(), alone.size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(inside[i].id, alone[i].id);
    EXPECT_EQ(inside[i].asRun, "correlated-propagation");
  }
}
#endif

#ifdef IRSIEVE_HAS_LLVM_22
/// x01 is in the newest release, alone and in a short list.
TEST_F(HuntTest, FindsTheShiftThatReassociateMultiplies) {
  const auto bugs = hunt(22, "i1x2:args=2", {"reassociate"});
  std::string seen;
  for (const Bug &bug : bugs)
    seen += summaryLine(bug) + "\n";
  ASSERT_EQ(bugs.size(), 1U) << seen;
  EXPECT_EQ(bugs[0].kind, Kind::morePoison);
  EXPECT_THAT(oneLine(bugs[0]), testing::HasSubstr("shl nuw nsw i1"));
  EXPECT_THAT(oneLine(bugs[0]), testing::HasSubstr("mul nuw nsw i1"));
  expectReproduces(bugs[0]);
}

TEST_F(HuntTest, OneFormOfEachRowIsAskedFirst) {
  TriageOptions options;
  options.releases = {22};
  options.examinesRows = true;
  runner::CampaignOptions campaign;
  campaign.space = "v2i2x1:shuffle,undef,args=2";
  campaign.releases = {22};
  campaign.passes = {"scalarizer"};
  const auto bugs = hunt(std::move(campaign), options);
  std::map<std::string, unsigned> forms;
  std::map<std::string, unsigned> windows;
  for (const Bug &bug : bugs) {
    ++forms[bug.root];
    windows[bug.root] += bug.window.empty() ? 0 : 1;
  }
  EXPECT_LT(forms.size(), bugs.size());
  for (const auto &[root, count] : windows)
    EXPECT_EQ(count, 1U) << root;
}

TEST_F(HuntTest, OldValuePropagationBugsAreGone) {
  EXPECT_TRUE(hunt(22, "i1x1", {"correlated-propagation"}).empty());
}
#endif

runner::CampaignOptions campaignOf(const KnownBug &known, unsigned release) {
  const runner::Pipeline pipeline = known.pipeline(release);
  runner::CampaignOptions options;
  options.corpus = {known.path};
  options.releases = {release};
  options.passes = {pipeline.passes};
  options.llvmArgs = pipeline.llvmArgs;
  options.dataLayout = pipeline.dataLayout;
  if (known.kind != Kind::crash)
    options.semantics = {known.semantics};
  return options;
}

bool contains(const std::vector<unsigned> &releases, unsigned release) {
  return std::count(releases.begin(), releases.end(), release) != 0;
}

/// Where an older release has a wider bug of the pass, and that is what its
/// function shows: 13 and 14 freeze no branch that they hoist out of a loop.
const std::map<std::pair<std::string, unsigned>, std::string> widerBugs = {
    {{"x07", 13}, "kb35"}, {{"x07", 14}, "kb35"}};

/// Every known bug, run as a corpus in every release: one bug of that kind,
/// blamed on that pass, recognised, with the window of its file and no more
/// instructions than that has; and nothing where the file says so.
TEST_F(HuntTest, FindsTheKnownBugsWhereTheyAreAndNowhereElse) {
  TriageOptions options = defaultTriage();
  options.examined = 0;
  options.say = nullptr;
  const std::vector<unsigned> installed = options.releases;
  const auto bugs = readKnownBugs("corpus/known");
  ASSERT_TRUE(bugs) << bugs.error().message;
  EXPECT_EQ(bugs->size(), 111U);
  runner::WorkerReader reader;
  for (const KnownBug &known : *bugs) {
    const auto file = reader.read(known.path, corpus::Reading::exactly);
    ASSERT_TRUE(file);
    const auto &function = std::get<Program>(file->front().body);
    for (const unsigned release : installed) {
      SCOPED_TRACE(fmt::format("{} on LLVM {}", known.id, release));
      if (contains(known.notIn, release))
        continue;
      const auto found = hunt(campaignOf(known, release), options);
      if (contains(known.otherwiseIn, release)) {
        ASSERT_EQ(found.size(), 1U);
        EXPECT_GE(found.front().kind, checker::Kind::crash);
        continue;
      }
      if (!contains(known.wrongIn, release)) {
        EXPECT_TRUE(contains(known.rightIn, release));
        EXPECT_TRUE(found.empty()) << summaryLine(found.front());
        continue;
      }
      ASSERT_EQ(found.size(), 1U);
      const Bug &bug = found.front();
      SCOPED_TRACE(command(bug));
      EXPECT_EQ(bug.kind, known.kind);
      // "loop-mssa(simple-loop-unswitch<nontrivial>)" is that loop pass.
      EXPECT_THAT(known.pipeline(release).passes, testing::HasSubstr(bug.pass));
      EXPECT_LE(bug.source.instructionCount(), function.instructionCount());
      const auto wider = widerBugs.find({known.id, release});
      EXPECT_TRUE(bug.known) << "signature " << bug.id;
      if (!bug.known)
        continue;
      EXPECT_EQ(bug.known->id,
                wider == widerBugs.end() ? known.id : wider->second);
      if (release == known.wrongIn.back()) {
        EXPECT_THAT(known.roots, testing::Contains(bug.root)) << bug.title;
      }
      if (wider != widerBugs.end())
        continue;
      for (const unsigned other : installed) {
        // A pass that has to be called or switched on otherwise.
        if (known.pipeline(other) != known.pipeline(release))
          continue;
        SCOPED_TRACE(fmt::format("asked of LLVM {}", other));
        EXPECT_EQ(contains(bug.window.wrong, other),
                  contains(known.wrongIn, other));
        EXPECT_EQ(contains(bug.window.right, other),
                  contains(known.rightIn, other));
        EXPECT_EQ(contains(bug.window.cannotExpress, other),
                  contains(known.notIn, other));
        EXPECT_EQ(contains(bug.window.otherwise, other),
                  contains(known.otherwiseIn, other));
      }
    }
  }
}

/// Those with pointers: the pass is wrong where the file says so, of that kind,
/// and triage recognises it.
TEST_F(HuntTest, FindsTheKnownBugsOfMemory) {
  TriageOptions options = defaultTriage();
  options.examined = 0;
  options.say = nullptr;
  const auto bugs = readKnownBugs("corpus/known/memory/bugs");
  ASSERT_TRUE(bugs) << bugs.error().message;
  EXPECT_EQ(bugs->size(), 39U);
  for (const KnownBug &known : *bugs)
    for (const unsigned release : options.releases) {
      SCOPED_TRACE(fmt::format("{} on LLVM {}", known.id, release));
      if (contains(known.wrongIn, release)) {
        const auto found = hunt(campaignOf(known, release), options);
        ASSERT_FALSE(found.empty());
        EXPECT_EQ(found.front().kind, known.kind);
        EXPECT_TRUE(found.front().known) << "signature " << found.front().id;
        if (found.front().known) {
          EXPECT_EQ(found.front().known->id, known.id);
        }
        EXPECT_THAT(known.roots, testing::Contains(found.front().root))
            << found.front().title;
      } else if (contains(known.rightIn, release)) {
        EXPECT_TRUE(hunt(campaignOf(known, release), options).empty());
      }
    }
}

} // namespace
} // namespace reports
