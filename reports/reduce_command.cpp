// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/command.h"
#include "reports/triage/file_bugs.h"

#include "corpus/program/print.h"
#include "runner/campaign_options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace reports {
namespace {

using corpus::ExitCode;

/// A comment and a module, so that the whole is IR again.
void print(const Bug &bug) {
  fmt::print("; {} in {} of LLVM {}", checker::toString(bug.kind), bug.pass,
             bug.release);
  for (const std::string &text :
       {windowText(bug), widthsText(bug), lanesText(bug), flagsText(bug),
        repairText(bug), knownText(bug)})
    if (!text.empty())
      fmt::print("\n; {}", text);
  fmt::print("\n{}", corpus::printModule(optInput(bug), "f", bug.release));
}

ExitCode reduceFile(const runner::CampaignOptions &options,
                    corpus::ProgramReader &reader) {
  const auto bugs = bugsOfFiles(options, reader);
  if (!bugs) {
    fmt::print(stderr, "irsieve reduce: {}\n", bugs.error().message);
    return ExitCode::badInput;
  }
  if (bugs->empty()) {
    fmt::print(stderr, "irsieve reduce: nothing is wrong\n");
    return ExitCode::nothingWrong;
  }
  for (const Bug &bug : *bugs)
    print(bug);
  return ExitCode::somethingWrong;
}

} // namespace

void addReduceCommand(CLI::App &app, corpus::ProgramReader &reader,
                      ExitCode &exitCode) {
  auto options = std::make_shared<runner::CampaignOptions>();
  CLI::App *command = app.add_subcommand(
      "reduce", "Make a function that the optimizer gets wrong smaller");
  command->add_option("file", options->corpus, "FILE.ll or FILE.bc")
      ->required()
      ->expected(1);
  addFileOptions(*command, *options);
  command->footer("Prints the smallest function that the same pass gets wrong "
                  "in the same way, one for each bug of the file.\n"
                  "Example: irsieve reduce f.ll --passes=instcombine --llvm 16 "
                  "> small.ll\n"
                  "Exit code: 0 nothing wrong, 1 something wrong, 2 bad input");
  command->callback([options, &reader, &exitCode] {
    exitCode = reduceFile(*options, reader);
  });
}

void addFileOptions(CLI::App &command, runner::CampaignOptions &options) {
  runner::addPipelineOptions(command, options);
  runner::addReleasesOption(command, options);
  for (const char *single : {"--passes", "--semantics", "--llvm"})
    command.get_option(single)->expected(1);
  command.get_option("--llvm")->description(
      "One LLVM release or own build by name, such as 19 or trunk (default: "
      "the newest release)");
}

} // namespace reports
