// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/command.h"

#include "corpus/system/temporary_folder.h"
#include "reports/matrix.h"
#include "reports/triage/triage.h"
#include "runner/campaign.h"
#include "runner/campaign_options.h"
#include "runner/interrupt.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace reports {
namespace {

using corpus::ExitCode;

/// The choices that the field has argued about.
constexpr const char *measuredSemantics =
    "llvm,llvm-undef,branch-nondet,select-ub,select-either,overflow-undef,"
    "overflow-wrap,shift-undef,bitwise";
/// Findings kept of each quick signature: there are thousands of these under a
/// semantics that nobody implements.
constexpr std::uint64_t keptFindings = 2;

struct MatrixArguments {
  runner::CampaignOptions campaign;
  std::uint64_t findings = 50;
  std::string format = "text";
  runner::Progress::Style progress = runner::Progress::Style::automatic;
};

struct Measured {
  Matrix matrix;
  bool finished = true;
};

corpus::Result<Measured> measuredOf(corpus::Store &store,
                                    std::uint64_t findings) {
  TriageOptions options;
  options.findings = findings;
  const auto bugs = bugsOf(store, workerSubject, options);
  if (!bugs)
    return bugs.error();
  auto matrix = matrixOf(store, *bugs);
  if (!matrix)
    return matrix.error();
  return Measured{std::move(*matrix)};
}

corpus::Result<Measured> measure(const MatrixArguments &arguments,
                                 corpus::ProgramReader &reader) {
  runner::CampaignOptions options = arguments.campaign;
  if (options.space.empty() && options.corpus.empty()) {
    if (options.database.empty())
      return corpus::Error{"give a space (`irsieve matrix i2x2 --passes=...`) "
                           "or --db of a campaign"};
    auto store = corpus::Store::open(options.database);
    return store ? measuredOf(*store, arguments.findings)
                 : corpus::Result<Measured>(store.error());
  }
  std::optional<corpus::TemporaryFolder> temporary;
  if (options.database.empty())
    options.database = temporary.emplace().file("campaign.db");
  auto campaign = runner::Campaign::prepare(options, reader);
  if (!campaign)
    return campaign.error();
  const runner::SignalGuard signals;
  runner::Progress progress(arguments.progress);
  const auto end = campaign->run(progress, runner::SignalGuard::isInterrupted);
  if (!end)
    return end.error();
  auto measured = measuredOf(campaign->store(), arguments.findings);
  if (measured)
    measured->finished = *end == runner::Campaign::End::finished;
  return measured;
}

ExitCode exitCodeOf(const Measured &measured) {
  ExitCode code =
      measured.finished ? ExitCode::nothingWrong : ExitCode::stopped;
  for (const Matrix::Row &row : measured.matrix.rows)
    for (const Cell &cell : row.cells) {
      if (cell.wrong() + cell.failed() != 0)
        code = corpus::worse(code, ExitCode::somethingWrong);
      if (cell.unknown() != 0)
        code = corpus::worse(code, ExitCode::incomplete);
    }
  return code;
}

} // namespace

void addMatrixCommand(CLI::App &app, corpus::ProgramReader &reader,
                      corpus::ExitCode &exitCode) {
  auto arguments = std::make_shared<MatrixArguments>();
  runner::CampaignOptions &campaign = arguments->campaign;
  campaign.semantics = {measuredSemantics};
  campaign.keep = keptFindings;
  CLI::App *command = app.add_subcommand(
      "matrix", "Which choice of semantics breaks which pass: passes by "
                "semantics over one space, from one optimizer run each");
  runner::addCampaignOptions(*command, campaign);
  runner::addReleasesOption(*command, campaign);
  command->get_option("space")->description(
      "Space, such as i2x2; without it, a campaign that --db holds is read");
  command->get_option("--semantics")
      ->description(fmt::format("Columns (default: {})", measuredSemantics));
  command->add_option("--db", campaign.database,
                      "Database; the same command again resumes it");
  command
      ->add_option("--findings", arguments->findings,
                   "Findings of each cell that are reduced, to count distinct "
                   "bugs (default: 50)")
      ->check(CLI::PositiveNumber);
  command->add_option("--format", arguments->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  runner::addProgressOptions(*command, arguments->progress);
  command->footer(
      "Example: irsieve matrix i2x1:blocks=3 --passes=gvn "
      "--passes=simplifycfg --llvm 22\n"
      "Exit code: 0 nothing wrong in any cell, 1 something wrong, 2 bad "
      "input, 3 something not decided, 4 stopped at a checkpoint");
  command->callback([arguments, &reader, &exitCode] {
    const auto measured = measure(*arguments, reader);
    if (!measured) {
      fmt::print(stderr, "irsieve matrix: {}\n", measured.error().message);
      exitCode = ExitCode::badInput;
      return;
    }
    if (arguments->format == "json")
      fmt::print("{}\n", toJson(measured->matrix).dump());
    else
      fmt::print("{}", matrixMarkdown(measured->matrix));
    if (!measured->finished)
      fmt::print(stderr, "stopped at a checkpoint; {}\n",
                 arguments->campaign.database.empty()
                     ? "with --db FILE it can be resumed"
                     : "the same command resumes it");
    exitCode = exitCodeOf(*measured);
  });
}

} // namespace reports
