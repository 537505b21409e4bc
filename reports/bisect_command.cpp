// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/command.h"
#include "reports/render/opt_program.h"
#include "reports/triage/file_bugs.h"
#include "runner/worker.h"

#include "corpus/program/print.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <optional>

namespace reports {
namespace {

using corpus::Error;
using corpus::ExitCode;
using corpus::Result;

struct BisectArguments {
  std::string subject; ///< BUG or FILE.ll
  std::string bugs;    ///< database or bugs.json
  std::string opt;
  std::string kind;
  runner::CampaignOptions campaign;
};

/// What is sent through an opt, and what is asked of it.
struct BisectCase {
  std::string file;
  runner::Pipeline pipeline;
  std::vector<std::string> spellings;
  OptQuestion question;
};

/// As the newest worker and as the user spells it.
std::vector<std::string> spellingsOf(const runner::Pipeline &pipeline) {
  std::vector<std::string> result;
  const auto installed = runner::installedReleases();
  if (!installed.empty()) {
    runner::Worker worker(installed.back());
    const auto answer = worker.describe(pipeline);
    if (const auto *info = std::get_if<Result<runner::PipelineInfo>>(&answer))
      if (*info)
        result.push_back((*info)->asRun);
  }
  if (result.empty() || result.front() != pipeline.passes)
    result.push_back(pipeline.passes);
  return result;
}

Result<BisectCase> caseOfFile(const BisectArguments &arguments) {
  BisectCase result;
  result.file = arguments.subject;
  if (!std::filesystem::is_regular_file(result.file))
    return Error{fmt::format("{}: no such file; name a .ll file, or a bug with "
                             "--bugs FILE",
                             result.file)};
  if (arguments.campaign.passes.empty())
    return Error{"a file needs --passes"};
  result.pipeline.passes = arguments.campaign.passes.front();
  result.pipeline.triple = arguments.campaign.triple;
  result.pipeline.dataLayout = arguments.campaign.dataLayout;
  result.pipeline.llvmArgs = arguments.campaign.llvmArgs;
  result.spellings = spellingsOf(result.pipeline);
  auto semantics =
      checker::parseSemantics(arguments.campaign.semantics.front());
  if (!semantics)
    return semantics.error();
  result.question.semantics = *semantics;
  result.question.kind = checker::parseKind(arguments.kind);
  return result;
}

/// Writes the bug's function into `folder`.
Result<BisectCase> caseOfBug(const Bug &bug,
                             const corpus::TemporaryFolder &folder) {
  BisectCase result;
  result.file = folder.write(
      "bug.ll", corpus::printModule(optInput(bug), "f", bug.release));
  result.pipeline = bug.pipeline;
  result.spellings = {bug.asRun};
  if (bug.pipeline.passes != bug.asRun)
    result.spellings.push_back(bug.pipeline.passes);
  for (std::string &spelling : spellingsOf(bug.pipeline))
    if (std::find(result.spellings.begin(), result.spellings.end(), spelling) ==
        result.spellings.end())
      result.spellings.push_back(std::move(spelling));
  if (!bug.checkedUnder.empty()) {
    auto semantics = checker::parseSemantics(bug.checkedUnder);
    if (!semantics)
      return semantics.error();
    result.question.semantics = *semantics;
  }
  result.question.kind = bug.kind;
  return result;
}

bool isFile(const BisectArguments &arguments) { return arguments.bugs.empty(); }

/// One step of `git bisect run`.
ExitCode judge(const BisectArguments &arguments,
               corpus::ProgramReader &reader) {
  const auto refuse = [](const std::string &message) {
    fmt::print(stderr, "irsieve bisect: {}\n", message);
    return ExitCode::bisectUsage;
  };
  const corpus::TemporaryFolder folder;
  Result<BisectCase> asked = Error{};
  if (isFile(arguments)) {
    asked = caseOfFile(arguments);
  } else {
    const auto bug = findBug(arguments.subject, arguments.bugs);
    if (!bug)
      return refuse(bug.error().message);
    asked = caseOfBug(*bug, folder);
  }
  if (!asked)
    return refuse(asked.error().message);
  OptProgram opt(arguments.opt, reader);
  const OptVerdict verdict = opt.judge(asked->file, asked->pipeline,
                                       asked->spellings, asked->question);
  switch (verdict.word) {
  case OptVerdict::Word::good:
    fmt::print("good\n");
    return ExitCode::nothingWrong;
  case OptVerdict::Word::bad:
    fmt::print("bad: {}\n", verdict.reason);
    return ExitCode::somethingWrong;
  case OptVerdict::Word::cannotTell:
    break;
  }
  fmt::print("cannot tell: {}\n", verdict.reason);
  return ExitCode::cannotTell;
}

void printLine(std::string_view head, const std::string &text) {
  if (!text.empty())
    fmt::print("  {}: {}\n", head, text);
}

/// Of the optimizers that were named; else of the newest release that shows
/// any.
Result<std::vector<Bug>> bugsOfAnyRelease(const BisectArguments &arguments,
                                          corpus::ProgramReader &reader) {
  runner::CampaignOptions options = arguments.campaign;
  options.corpus = {arguments.subject};
  const std::vector<runner::Installation> installed =
      runner::installedReleases();
  if (!options.releases.empty() || !options.builds.empty() ||
      !options.opts.empty() || installed.empty())
    return bugsOfFiles(options, reader);
  // What a release refuses, such as a pass that it does not have, counts only
  // where all do.
  std::optional<Result<std::vector<Bug>>> newest;
  for (auto each = installed.rbegin(); each != installed.rend(); ++each) {
    options.releases = {each->release};
    auto found = bugsOfFiles(options, reader);
    if (found && !found->empty())
      return found;
    if (!newest || (!*newest && found))
      newest = std::move(found);
  }
  return *newest;
}

/// Which pass of the pipeline, and which releases.
ExitCode explainBugs(const BisectArguments &arguments,
                     corpus::ProgramReader &reader) {
  const auto refuse = [](const std::string &message) {
    fmt::print(stderr, "irsieve bisect: {}\n", message);
    return ExitCode::badInput;
  };
  std::vector<Bug> bugs;
  const corpus::TemporaryFolder folder;
  Result<BisectCase> asked = Error{};
  if (isFile(arguments)) {
    asked = caseOfFile(arguments);
    if (!asked)
      return refuse(asked.error().message);
    auto found = bugsOfAnyRelease(arguments, reader);
    if (!found)
      return refuse(found.error().message);
    bugs = std::move(*found);
  } else {
    auto bug = findBug(arguments.subject, arguments.bugs);
    if (!bug)
      return refuse(bug.error().message);
    asked = caseOfBug(*bug, folder);
    if (!asked)
      return refuse(asked.error().message);
    bugs.push_back(std::move(*bug));
  }
  if (bugs.empty()) {
    fmt::print("nothing is wrong\n");
    return ExitCode::nothingWrong;
  }
  for (const Bug &bug : bugs) {
    fmt::print("{}\n", summaryLine(bug));
    asked->question.kind = bug.kind;
    const std::string program = bug.pipeline.build
                                    ? bug.pipeline.build->opt
                                    : fmt::format("opt-{}", bug.release);
    if (program.empty()) {
      printLine("pass", fmt::format("{} ({} has no bin/opt that counts passes)",
                                    bug.pass, bug.pipeline.build->name));
    } else {
      OptProgram opt(program, reader);
      if (const auto step = opt.culprit(asked->file, asked->pipeline,
                                        asked->spellings, asked->question))
        fmt::print("  pass {} ({}) of -passes={} with {}\n", step->index,
                   step->name, corpus::shellWord(asked->pipeline.passes),
                   program);
    }
    printLine("releases", windowText(bug));
    printLine("widths", widthsText(bug));
    printLine("vectors", lanesText(bug));
    printLine("known", knownText(bug));
  }
  return ExitCode::somethingWrong;
}

} // namespace

void addBisectCommand(CLI::App &app, corpus::ProgramReader &reader,
                      ExitCode &exitCode) {
  auto arguments = std::make_shared<BisectArguments>();
  CLI::App *command = app.add_subcommand(
      "bisect", "Say which pass instance and which releases a bug is in; with "
                "--opt, whether one opt program has it");
  command
      ->add_option("subject", arguments->subject,
                   "FILE.ll, or with --bugs the id of a bug or how it begins")
      ->required();
  command->add_option("--bugs,--db", arguments->bugs,
                      "Database or bugs.json that has the bug");
  command->add_option("--opt", arguments->opt,
                      "Ask this opt program and nothing else");
  command
      ->add_option("--kind", arguments->kind,
                   "Only this kind is bad; another one cannot be told "
                   "(default: any, of a bug its own)")
      ->check(CLI::IsMember(std::vector<std::string>(
          checker::kindSpelling.begin(), checker::kindSpelling.end())));
  addFileOptions(*command, arguments->campaign);
  command->get_option("--llvm")->description(
      "One LLVM release or own build by name, such as 19 or trunk (default: "
      "every release, the newest first)");
  command->footer(
      "Examples:\n"
      "  irsieve bisect f.ll --passes='default<O2>' --llvm 16\n"
      "  git bisect run sh -c 'ninja -C build opt || exit 125; irsieve bisect "
      "--opt build/bin/opt BUG --bugs bugs.json'\n"
      "As interestingness test of llvm-reduce, a script with\n"
      "  irsieve bisect --opt opt-22 \"$1\" --passes=gvn --kind value; "
      "test $? -eq 1\n"
      "Exit code: 0 nothing wrong, 1 something wrong, 2 bad input; with --opt: "
      "0 good, 1 bad, 125 cannot tell, 128 usage");
  command->callback([arguments, &reader, &exitCode] {
    exitCode = arguments->opt.empty() ? explainBugs(*arguments, reader)
                                      : judge(*arguments, reader);
  });
}

bool isBisectScript(int argc, char **argv) {
  return argc > 1 && std::string_view(argv[1]) == "bisect" &&
         std::any_of(argv + 2, argv + argc, [](const char *argument) {
           return std::string_view(argument).starts_with("--opt");
         });
}

} // namespace reports
