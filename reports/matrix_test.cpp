// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix against what the Taming UB paper says of LLVM's passes, and
// against a plain loop over the space.
#include "reports/matrix.h"

#include "checker/check.h"
#include "corpus/system/temporary_folder.h"
#include "enumerate/space.h"
#include "enumerate/spec.h"
#include "reports/triage/triage.h"
#include "runner/campaign.h"
#include "runner/worker.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace reports {
namespace {

using corpus::Counter;

#ifdef IRSIEVE_HAS_LLVM_22
/// `findings`: kept of each bucket, and looked at in each cell.
Matrix measure(const std::string &space, const std::vector<std::string> &passes,
               const std::string &semantics, std::uint64_t findings) {
  const corpus::TemporaryFolder folder;
  runner::CampaignOptions options;
  options.space = space;
  options.passes = passes;
  options.releases = {22};
  options.semantics = {semantics};
  options.keep = findings;
  options.database = folder.file("db");
  runner::WorkerReader reader;
  auto campaign = runner::Campaign::prepare(options, reader);
  EXPECT_TRUE(campaign) << campaign.error().message;
  runner::Progress progress(runner::Progress::Style::off);
  EXPECT_TRUE(campaign->run(progress, [] { return false; }));
  TriageOptions triageOptions;
  triageOptions.findings = findings;
  const auto bugs = triage(campaign->store(), workerSubject, triageOptions);
  EXPECT_TRUE(bugs) << bugs.error().message;
  auto matrix = matrixOf(campaign->store(), *bugs);
  EXPECT_TRUE(matrix) << matrix.error().message;
  return std::move(*matrix);
}

constexpr const char *branching =
    "i2x1:blocks=3,args=2,consts=none,symmetry=args";

/// T section 3.3: GVN needs a branch on poison to be UB. T section 3.4: a phi
/// becomes a select only where select does not look at the other arm.
TEST(Matrix, ShowsTheInconsistenciesOfThePaper) {
  const Matrix matrix =
      measure(branching, {"gvn", "simplifycfg"},
              "llvm,branch-nondet,select-either,overflow-undef", 2);
  ASSERT_EQ(matrix.rows.size(), 2U);
  const auto wrong = [&](std::size_t row) {
    std::vector<bool> columns;
    for (const Cell &cell : matrix.rows[row].cells) {
      columns.push_back(cell.wrong() != 0);
      EXPECT_EQ(cell.wrong() != 0, cell.bugs != 0);
      EXPECT_EQ(cell.wrong() != 0, cell.smallest.has_value());
      EXPECT_EQ(cell.unknown(), 0U);
    }
    return columns;
  };
  EXPECT_THAT(wrong(0), testing::ElementsAre(false, true, false, false));
  EXPECT_THAT(wrong(1), testing::ElementsAre(false, true, true, false));
  EXPECT_THAT(matrixMarkdown(matrix), testing::HasSubstr("| `gvn` | 0 | "));
}

/// Every cell is what one asks for alone, function by function.
TEST(Matrix, IsThePlainLoopOverTheSpace) {
  const std::string presets = "llvm,branch-nondet,select-either";
  const Matrix matrix = measure(branching, {"simplifycfg"}, presets, 2);
  const auto space = enumerate::parseSpace(branching);
  ASSERT_TRUE(space);
  const auto semantics = checker::parseSemanticsList(presets);
  ASSERT_TRUE(semantics);
  ASSERT_EQ(matrix.size, (*space)->count());

  std::vector<corpus::Program> programs;
  for (corpus::Rank rank = 0; rank < matrix.size; ++rank)
    programs.push_back((*space)->at(rank));
  const runner::Pipeline pipeline = {"simplifycfg", "", "", {}};
  auto subject = workerSubject(22, pipeline);
  ASSERT_TRUE(subject);
  ASSERT_TRUE(std::get<corpus::Result<runner::PipelineInfo>>(
      (*subject)->describe(pipeline)));
  const auto outputs = std::get<std::vector<runner::Output>>(
      (*subject)->optimize(programs, pipeline));

  checker::Checker checker;
  for (std::size_t column = 0; column < semantics->size(); ++column) {
    std::vector<std::uint64_t> wrong;
    for (corpus::Rank rank = 0; rank < matrix.size; ++rank)
      if (checker
              .check(programs[rank], outputs[rank].program,
                     (*semantics)[column], checker::WantWitness::no)
              .word == checker::VerdictWord::wrong)
        wrong.push_back(rank);
    const Cell &cell = matrix.rows.front().cells[column];
    EXPECT_EQ(cell.wrong(), wrong.size());
    ASSERT_EQ(cell.smallest.has_value(), !wrong.empty());
    if (cell.smallest) {
      EXPECT_EQ(cell.smallest->rank, wrong.front());
    }
  }
}

/// "At least" is said exactly where not every finding was looked at, and then
/// the number is not larger.
TEST(Matrix, SaysWhereBugsAreALowerBound) {
  const Matrix few = measure(branching, {"simplifycfg"}, "branch-nondet", 1);
  const Matrix all =
      measure(branching, {"simplifycfg"}, "branch-nondet", 1000000);
  const Cell &sampled = few.rows.front().cells.front();
  const Cell &exact = all.rows.front().cells.front();
  EXPECT_FALSE(sampled.bugsExact);
  EXPECT_TRUE(exact.bugsExact);
  EXPECT_LE(sampled.bugs, exact.bugs);
  EXPECT_EQ(sampled.wrong(), exact.wrong());
  EXPECT_EQ(sampled.smallest->rank, exact.smallest->rank);
  EXPECT_THAT(cellText(sampled), testing::HasSubstr("≥"));
  EXPECT_THAT(cellText(exact), testing::Not(testing::HasSubstr("≥")));
}
#endif

/// What is not decided is never silently zero.
TEST(Matrix, NamesWhatIsUnknownAndWhatFailed) {
  Cell cell;
  EXPECT_EQ(cellText(cell), "0");
  cell.tally[Counter::unsupported] = 2;
  cell.tally[Counter::undecided] = 1;
  EXPECT_EQ(cellText(cell), "?3");
  cell.tally[Counter::crash] = 4;
  EXPECT_EQ(cellText(cell), "!4 ?3");
}

} // namespace
} // namespace reports
