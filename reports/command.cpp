// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/command.h"

#include "reports/hunt.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace reports {
namespace {

using corpus::ExitCode;

struct ReportArguments {
  std::string database;
  std::string out;
  std::vector<std::string> formats;
};

corpus::Result<std::monostate> write(const std::filesystem::path &folder,
                                     const File &file) {
  const std::filesystem::path path = folder / file.name;
  std::error_code ignored; // said below
  std::filesystem::create_directories(path.parent_path(), ignored);
  std::ofstream stream(path, std::ios::binary);
  stream << file.text;
  stream.close();
  if (!stream)
    return corpus::Error{fmt::format("{}: cannot be written: {}", path.string(),
                                     std::strerror(errno))};
  return std::monostate();
}

corpus::Result<std::vector<Bug>> report(const ReportArguments &arguments) {
  auto stores = openStores(arguments.database);
  if (!stores)
    return stores.error();
  // A hunt has its own share of time for triage, and is a night's work without.
  const bool wasTriaged =
      stores->size() > 1 && std::any_of(stores->begin(), stores->end(),
                                        [](const corpus::Store &store) {
                                          return !store.bugs().empty();
                                        });
  const TriageOptions options = defaultTriage();
  std::vector<const corpus::Store *> all;
  bool hasMore = false;
  for (corpus::Store &store : *stores) {
    if (wasTriaged)
      hasMore = hasMore || hasWork(store, options);
    else if (auto bugs = bugsOf(store, workerSubject, options); !bugs)
      return bugs;
    all.push_back(&store);
  }
  if (hasMore)
    fmt::print(
        stderr,
        "irsieve report: not everything that is wrong was made a bug of; "
        "`irsieve triage --db {}` goes on\n",
        arguments.database);
  const auto whole = reportOf(all);
  if (!whole)
    return whole.error();
  if (auto written = writeReport(*whole, arguments.out, arguments.formats);
      !written)
    return written.error();
  return whole->bugs;
}

} // namespace

void say(const std::string &text) { fmt::print(stderr, "irsieve: {}\n", text); }

corpus::Result<std::monostate>
writeReport(const Report &report, const std::string &folder,
            const std::vector<std::string> &wanted) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return corpus::Error{fmt::format("--out {}: {}; give a folder that can be "
                                     "written",
                                     folder, error.message())};
  for (const Format &format : formats()) {
    if (std::find(wanted.begin(), wanted.end(), format.name) == wanted.end())
      continue;
    for (const File &file : format.render(report))
      if (auto written = write(folder, file); !written)
        return written;
  }
  return std::monostate();
}

void addReportCommand(CLI::App &app, corpus::ExitCode &exitCode) {
  std::vector<std::string> names;
  std::string help;
  for (const Format &format : formats()) {
    names.emplace_back(format.name);
    help += fmt::format("  {:<8}{}\n", format.name, format.what);
  }
  auto arguments = std::make_shared<ReportArguments>();
  arguments->formats = names;
  CLI::App *command = app.add_subcommand(
      "report", "Write the bugs of a campaign, a file for each");
  command
      ->add_option("--db", arguments->database,
                   "Database of the campaign, or folder of a hunt")
      ->required();
  command->add_option("--out", arguments->out, "Folder to write to")
      ->required();
  command
      ->add_option(
          "--format", arguments->formats,
          fmt::format("Formats, of {} (default: all)", fmt::join(names, ",")))
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  command->footer(
      fmt::format("Formats:\n{}\n"
                  "Example: irsieve report --db hunt.db --out report "
                  "--format html,md\n"
                  "Exit code: 0 no bugs, 1 bugs, 2 bad input",
                  help));
  command->callback([arguments, &exitCode] {
    const auto bugs = report(*arguments);
    if (!bugs) {
      fmt::print(stderr, "irsieve report: {}\n", bugs.error().message);
      exitCode = ExitCode::badInput;
      return;
    }
    for (const Row &row : rowsOf(*bugs))
      fmt::print("{}\n", summaryLine(row));
    exitCode =
        bugs->empty() ? ExitCode::nothingWrong : ExitCode::somethingWrong;
  });
}

} // namespace reports
