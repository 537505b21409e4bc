// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/command.h"
#include "reports/gate/gate.h"
#include "reports/gate/patch.h"
#include "runner/campaign_options.h"
#include "runner/interrupt.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <sstream>

namespace reports {
namespace {

using corpus::Error;
using corpus::ExitCode;
using corpus::Result;

struct GateArguments {
  GateOptions gate;
  std::string patch;
  std::string source; ///< of LLVM
  std::string budget = "10m";
  std::string format = "text";
  std::string out;
  runner::Progress::Style progress = runner::Progress::Style::automatic;
};

/// Passes and tests that the patch is about, where none were given.
Result<std::monostate> takePatch(GateArguments &arguments) {
  namespace fs = std::filesystem;
  std::ifstream file(arguments.patch);
  if (!file)
    return Error{fmt::format("--patch {}: cannot be read", arguments.patch)};
  std::stringstream text;
  text << file.rdbuf();
  const auto patch = readPatch(text.str());
  if (!patch)
    return Error{
        fmt::format("--patch {}: {}", arguments.patch, patch.error().message)};
  GateOptions &gate = arguments.gate;
  if (gate.passes.empty())
    gate.passes = patch->passes;
  if (!gate.tests.empty())
    return std::monostate();
  for (const std::string &test : patch->tests) {
    const fs::path path = fs::path(arguments.source) / test;
    std::error_code error;
    if (!arguments.source.empty() && fs::exists(path, error))
      gate.tests.push_back(path.string());
    else if (arguments.progress != runner::Progress::Style::off)
      say(fmt::format("{} is not looked at: {}", test,
                      arguments.source.empty()
                          ? "--llvm-source says where LLVM's source is"
                          : "it is not there"));
  }
  return std::monostate();
}

/// In folders of tests, what the patch brings stands twice otherwise.
void dropContained(std::vector<std::string> &tests) {
  namespace fs = std::filesystem;
  std::vector<std::string> kept;
  for (const std::string &test : tests)
    if (std::none_of(tests.begin(), tests.end(), [&](const std::string &other) {
          return other != test && fs::path(test).parent_path() == other;
        }))
      kept.push_back(test);
  tests = std::move(kept);
}

/// What is new, with a row for each pipeline.
Report gateReport(const Gate &gate, const GateOptions &options) {
  Report report;
  report.matrix.space = "a gate";
  report.matrix.columns = {
      fmt::format("{}", fmt::join(options.campaign.semantics, ","))};
  for (const std::string &passes : options.passes) {
    Matrix::Row &row = report.matrix.rows.emplace_back();
    row.lane.passes = passes;
    row.optimizer = gate.next;
    row.cells.resize(1);
    for (const GatePart &part : gate.parts)
      if (part.passes == passes) {
        row.cells[0].tally[corpus::Counter::functions] += part.covered;
        row.cells[0].tally[corpus::Counter::represented] += part.functions;
      }
    report.matrix.size = std::max(
        report.matrix.size, row.cells[0].tally[corpus::Counter::functions]);
  }
  for (const GateBug &each : gate.bugs) {
    if (each.state != "new")
      continue;
    Bug &bug = report.bugs.emplace_back(each.bug);
    std::size_t row = 0;
    while (row + 1 < options.passes.size() &&
           options.passes[row] != bug.pipeline.passes)
      ++row;
    bug.shownBy = {{row, 0}};
    report.matrix.rows[row].lane.release = bug.release;
    ++report.matrix.rows[row].cells[0].tally[corpus::Counter::wrong];
  }
  sortForReaders(report.bugs);
  return report;
}

Result<ExitCode> gate(GateArguments &arguments, corpus::ProgramReader &reader) {
  GateOptions &options = arguments.gate;
  const auto budget = runner::parseDuration("--budget", arguments.budget);
  if (!budget)
    return budget.error();
  options.budget = *budget;
  options.passes = std::exchange(options.campaign.passes, {});
  if (!arguments.patch.empty())
    if (auto taken = takePatch(arguments); !taken)
      return taken.error();
  if (options.passes.empty())
    return Error{"no pass to look at: give --passes, or a --patch that changes "
                 "llvm/lib"};
  dropContained(options.tests);

  const runner::SignalGuard signals;
  const auto result =
      runGate(options, reader, runner::SignalGuard::isInterrupted,
              [&](const std::string &text) {
                if (arguments.progress != runner::Progress::Style::off)
                  say(text);
              });
  if (!result)
    return result.error();

  const std::string text = arguments.format == "md" ? gateMarkdown(*result)
                           : arguments.format == "json"
                               ? gateJson(*result).dump() + "\n"
                               : gateText(*result);
  fmt::print("{}", text);
  if (!arguments.out.empty()) {
    const Report report = gateReport(*result, options);
    if (auto written = writeReport(report, arguments.out,
                                   {"html", "junit", "sarif", "md"});
        !written)
      return written.error();
    const std::string path =
        (std::filesystem::path(arguments.out) / "gate.md").string();
    std::ofstream file(path);
    file << gateMarkdown(*result);
    file.close();
    if (!file)
      return Error{fmt::format("{}: cannot be written", path)};
  }
  if (!result->isOpen())
    return ExitCode::somethingWrong;
  return result->isInterrupted ? ExitCode::stopped : ExitCode::nothingWrong;
}

} // namespace

void addGateCommand(CLI::App &app, corpus::ProgramReader &reader,
                    ExitCode &exitCode) {
  auto arguments = std::make_shared<GateArguments>();
  GateOptions &options = arguments->gate;
  CLI::App *command = app.add_subcommand(
      "gate", "Is a patch of LLVM right? What it newly miscompiles, fixes, "
              "gains and loses, under one budget");
  command
      ->add_option("--base", options.base,
                   "LLVM release, name of an own build, or the path of an opt")
      ->required();
  command
      ->add_option("--new", options.next,
                   "LLVM release, name of an own build, or the path of an opt")
      ->required();
  command->add_option("--patch", arguments->patch,
                      "The patch, as `git diff` prints it: says which passes "
                      "and tests it is about");
  command->add_option("--llvm-source", arguments->source,
                      "Checkout of LLVM, for the tests that --patch names");
  command
      ->add_option("--tests", options.tests,
                   "Files and folders of tests, each through the pipelines of "
                   "its RUN lines; repeat it for more")
      ->allow_extra_args(false);
  command->add_option("--budget", arguments->budget,
                      "Of all of it, such as 10m (the default)");
  runner::addPipelineOptions(*command, options.campaign);
  runner::addThreadsOption(*command, options.campaign.threads);
  command->add_option("--format", arguments->format, "text, md or json")
      ->check(CLI::IsMember({"text", "md", "json"}));
  command->add_option("--out", arguments->out,
                      "Folder for gate.md and for the new bugs as HTML, "
                      "Markdown, JUnit and SARIF");
  runner::addProgressOptions(*command, arguments->progress);
  command->footer(
      "First the tests, then everything one edit away from what comes out of "
      "them otherwise,\nthen a hunt's spaces that the passes go with, larger "
      "in each turn, while the budget lasts.\nBugs that base has too do not "
      "fail it.\n"
      "Example: irsieve gate --base 22 --new mine --patch fix.diff "
      "--llvm-source ~/llvm-project --format md\n"
      "Exit code: 0 nothing that is newly wrong, 1 a new bug, 2 bad input, 4 "
      "stopped by a signal");
  command->callback([arguments, &reader, &exitCode] {
    const auto code = gate(*arguments, reader);
    if (!code)
      fmt::print(stderr, "irsieve gate: {}\n", code.error().message);
    exitCode = code ? *code : ExitCode::badInput;
  });
}

} // namespace reports
