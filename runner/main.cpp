// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts the sub-commands together; each lives in the folder that does its work.
#include "checker/command.h"
#include "checker/rules/command.h"
#include "enumerate/command.h"
#include "reports/command.h"
#include "runner/campaign_options.h"
#include "runner/cluster.h"
#include "runner/command.h"
#include "runner/completion.h"
#include "runner/diff.h"
#include "runner/estimate.h"
#include "runner/merge.h"
#include "runner/rewrites_command.h"
#include "runner/verify.h"
#include "runner/worker.h"

#include <CLI/CLI.hpp>
#include <exception>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

namespace {

/// CLI11 complains of a missing sub-command where one is misspelled.
std::string complaint(CLI::App &app, const CLI::ParseError &error, int argc,
                      char **argv) {
  if (argc < 2 || argv[1][0] == '-')
    return error.what();
  std::vector<std::string> names;
  for (const CLI::App *command : app.get_subcommands({})) {
    if (command->get_name() == argv[1])
      return error.what();
    names.push_back(command->get_name());
  }
  return fmt::format("no command '{}', only {}", argv[1],
                     fmt::join(names, ", "));
}

int run(int argc, char **argv) {
  CLI::App app("Sends every small LLVM IR function through the optimizer and "
               "checks that the result refines the original");
  app.name("irsieve");
  app.set_version_flag("--version", IRSIEVE_VERSION);
  app.set_config("--config", "", "Read options from this TOML file");
  app.require_subcommand(1);

  runner::WorkerReader reader;
  corpus::ExitCode exitCode = corpus::ExitCode::nothingWrong;
  enumerate::addSpaceCommand(
      app, reader,
      [&](const enumerate::TimeQuestion &question) {
        runner::CampaignOptions options;
        options.space = question.space;
        options.passes = question.passes;
        for (const std::string &name : question.optimizers)
          runner::addOptimizer(name, options);
        return runner::estimateTime(std::move(options), question.cores, reader);
      },
      exitCode);
  enumerate::addEnumerateCommand(app, reader, exitCode);
  checker::addCheckCommand(app, reader, exitCode);
  checker::addSemanticsCommand(app, exitCode);
  checker::rules::addProveCommand(app, reader, exitCode);
  runner::addRunCommand(app, reader, reports::triageForRun, exitCode);
  runner::addVerifyCommand(app, reader, exitCode);
  runner::addMergeCommand(app, exitCode);
  runner::addClusterCommand(app, exitCode);
  runner::addRewritesCommand(app, exitCode);
  runner::addDiffCommand(app, reader, reports::triageForRun, exitCode);
  reports::addHuntCommand(app, reader, exitCode);
  reports::addGateCommand(app, reader, exitCode);
  reports::addReportCommand(app, exitCode);
  reports::addMatrixCommand(app, reader, exitCode);
  reports::addTriageCommand(app, exitCode);
  reports::addReduceCommand(app, reader, exitCode);
  reports::addBisectCommand(app, reader, exitCode);
  reports::addDoctorCommand(app, exitCode);
  runner::addCompletionCommand(app, IRSIEVE_VERSION, exitCode);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &request) {
    // --help and --version.
    return app.exit(request);
  } catch (const CLI::ParseError &error) {
    // CLI11 has codes of its own; ours are a contract.
    fmt::print(stderr, "irsieve: {}; `irsieve --help` says more\n",
               complaint(app, error, argc, argv));
    exitCode = reports::isBisectScript(argc, argv)
                   ? corpus::ExitCode::bisectUsage
                   : corpus::ExitCode::badInput;
  }
  return static_cast<int>(exitCode);
}

} // namespace

int main(int argc, char **argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception &error) {
    fmt::print(stderr, "irsieve: {}\n", error.what());
    return static_cast<int>(reports::isBisectScript(argc, argv)
                                ? corpus::ExitCode::cannotTell
                                : corpus::ExitCode::incomplete);
  }
}
