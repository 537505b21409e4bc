// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts the sub-commands together; each lives in the folder that does its work.
#include "checker/command.h"
#include "enumerate/command.h"
#include "reports/command.h"
#include "runner/command.h"
#include "runner/worker.h"

#include <CLI/CLI.hpp>
#include <exception>
#include <fmt/format.h>

namespace {

int run(int argc, char **argv) {
  CLI::App app("Sends every small LLVM IR function through the optimizer and "
               "checks that the result refines the original");
  app.name("irsieve");
  app.set_version_flag("--version", IRSIEVE_VERSION);
  app.set_config("--config", "", "Read options from this TOML file");
  app.require_subcommand(1);

  runner::WorkerReader reader;
  corpus::ExitCode exitCode = corpus::ExitCode::nothingWrong;
  enumerate::addSpaceCommand(app, exitCode);
  enumerate::addEnumerateCommand(app, reader, exitCode);
  checker::addCheckCommand(app, reader, exitCode);
  checker::addSemanticsCommand(app, exitCode);
  runner::addRunCommand(app, reader, reports::triageForRun, exitCode);
  reports::addReportCommand(app, exitCode);
  reports::addDoctorCommand(app, exitCode);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    // CLI11 has codes of its own; ours are a contract.
    return app.exit(error) == 0
               ? static_cast<int>(corpus::ExitCode::nothingWrong)
               : static_cast<int>(corpus::ExitCode::badInput);
  }
  return static_cast<int>(exitCode);
}

} // namespace

int main(int argc, char **argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception &error) {
    fmt::print(stderr, "irsieve: {}\n", error.what());
    return static_cast<int>(corpus::ExitCode::incomplete);
  }
}
