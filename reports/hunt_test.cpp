// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Triage with the real LLVM releases, from the campaign to a command that a
// reader pastes. Facts: corpus/known, and each release's own opt.
#include "reports/experiment.h"
#include "reports/known.h"
#include "reports/triage.h"

#include "corpus/program/canonical.h"
#include "corpus/program/print.h"
#include "runner/campaign.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace reports {
namespace {

using checker::Kind;
using corpus::Program;

class HuntTest : public testing::Test {
protected:
  HuntTest() {
    std::string name =
        (std::filesystem::temp_directory_path() / "irsieve-hunt-XXXXXX")
            .string();
    folder_ = ::mkdtemp(name.data());
  }
  ~HuntTest() override { std::filesystem::remove_all(folder_); }

  std::vector<Bug> hunt(unsigned release, const std::string &space,
                        const std::vector<std::string> &passes) {
    runner::CampaignOptions options;
    options.space = space;
    options.releases = {release};
    options.passes = passes;
    options.database = (folder_ / std::to_string(databases_++)).string();
    runner::WorkerReader reader;
    auto campaign = runner::Campaign::prepare(options, reader);
    EXPECT_TRUE(campaign) << campaign.error().message;
    runner::Progress progress(runner::Progress::Style::off);
    const auto end = campaign->run(progress, [] { return false; });
    EXPECT_TRUE(end) << end.error().message;
    auto bugs = triage(campaign->store(), workerSubject);
    EXPECT_TRUE(bugs) << bugs.error().message;
    return std::move(*bugs);
  }

  /// What the shell says to the report's command, as opt's output and status.
  std::pair<std::string, int> paste(const Bug &bug) const {
    const std::string script = (folder_ / "command.sh").string();
    std::ofstream(script) << command(bug);
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
    const std::string file = (folder_ / "output.ll").string();
    std::ofstream(file) << output;
    runner::WorkerReader reader;
    auto functions = reader.read(file);
    ASSERT_TRUE(functions) << output;
    ASSERT_EQ(functions->size(), 1U);
    EXPECT_EQ(corpus::printModule(std::get<Program>(functions->front().body)),
              corpus::printModule(*bug.target))
        << command(bug);
  }

private:
  std::filesystem::path folder_;
  int databases_ = 0;
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

TEST_F(HuntTest, OldValuePropagationBugsAreGone) {
  EXPECT_TRUE(hunt(22, "i1x1", {"correlated-propagation"}).empty());
}
#endif

/// Every known straight-line bug: wrong with that kind where its file says so,
/// with that pass to blame, and on none of the other releases.
TEST(KnownBugs, AreBlamedOnTheirPass) {
  const auto bugs = readKnownBugs("corpus/known");
  ASSERT_TRUE(bugs) << bugs.error().message;
  EXPECT_EQ(bugs->size(), 13U);
  runner::WorkerReader reader;
  checker::Checker checker;
  for (const KnownBug &known : *bugs) {
    const auto functions = reader.read(known.path);
    ASSERT_TRUE(functions) << functions.error().message;
    ASSERT_EQ(functions->size(), 1U);
    const Program &program = std::get<Program>(functions->front().body);
    if (!program.isStraightLine())
      continue;
    std::optional<checker::Semantics> semantics;
    if (known.kind != Kind::crash)
      semantics = *checker::parseSemantics(known.semantics);
    for (const runner::Installation &installation :
         runner::installedReleases()) {
      SCOPED_TRACE(
          fmt::format("{} on LLVM {}", known.id, installation.release));
      runner::Worker worker(installation);
      const runner::Pipeline pipeline = known.pipeline(installation.release);
      const auto described = worker.describe(pipeline);
      ASSERT_TRUE(std::get<0>(described));
      const auto found =
          blame(program, worker.trace(program, pipeline), semantics, checker);
      const bool isWrong =
          std::count(known.wrongIn.begin(), known.wrongIn.end(),
                     installation.release) != 0;
      ASSERT_EQ(found.has_value(), isWrong);
      if (!isWrong)
        continue;
      EXPECT_EQ(found->symptom.kind, known.kind);
      EXPECT_EQ(found->symptom.pass, known.passes);
    }
  }
}

} // namespace
} // namespace reports
