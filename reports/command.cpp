// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/command.h"

#include "reports/json.h"
#include "reports/markdown.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

namespace reports {
namespace {

using corpus::ExitCode;

struct File {
  std::string name;
  std::string text;
};

std::vector<File> markdownFiles(std::span<const Bug> bugs) {
  std::vector<File> files = {{"README.md", markdownIndex(bugs)}};
  for (const Bug &bug : bugs)
    files.push_back({markdownFile(bug), markdown(bug)});
  return files;
}

std::vector<File> jsonFiles(std::span<const Bug> bugs) {
  nlohmann::json list = nlohmann::json::array();
  for (const Bug &bug : bugs)
    list.push_back(toJson(bug));
  return {{"bugs.json", list.dump(2) + "\n"}};
}

struct Format {
  std::string_view name;
  std::vector<File> (*render)(std::span<const Bug>);
};
constexpr std::array<Format, 2> formats = {{
    {"md", markdownFiles},
    {"json", jsonFiles},
}};

struct Arguments {
  std::string database;
  std::string out;
  std::vector<std::string> formats;
};

corpus::Result<std::monostate> write(const std::filesystem::path &folder,
                                     const File &file) {
  const std::filesystem::path path = folder / file.name;
  std::ofstream stream(path, std::ios::binary);
  stream << file.text;
  stream.close();
  if (!stream)
    return corpus::Error{fmt::format("{}: cannot be written: {}", path.string(),
                                     std::strerror(errno))};
  return std::monostate();
}

corpus::Result<std::vector<Bug>> report(const Arguments &arguments) {
  auto store = corpus::Store::open(arguments.database);
  if (!store)
    return store.error();
  std::error_code error;
  std::filesystem::create_directories(arguments.out, error);
  if (error)
    return corpus::Error{fmt::format("--out {}: {}; give a folder that can be "
                                     "written",
                                     arguments.out, error.message())};
  auto bugs = bugsOf(*store, workerSubject);
  if (!bugs)
    return bugs;
  for (const Format &format : formats) {
    if (std::find(arguments.formats.begin(), arguments.formats.end(),
                  format.name) == arguments.formats.end())
      continue;
    for (const File &file : format.render(*bugs))
      if (auto written = write(arguments.out, file); !written)
        return written.error();
  }
  return bugs;
}

} // namespace

void addReportCommand(CLI::App &app, corpus::ExitCode &exitCode) {
  std::vector<std::string> names(formats.size());
  std::transform(formats.begin(), formats.end(), names.begin(),
                 [](const Format &format) { return std::string(format.name); });
  auto arguments = std::make_shared<Arguments>();
  arguments->formats = names;
  CLI::App *command = app.add_subcommand(
      "report", "Write the bugs of a campaign, a file for each");
  command->add_option("--db", arguments->database, "Database of the campaign")
      ->required();
  command->add_option("--out", arguments->out, "Folder to write to")
      ->required();
  command
      ->add_option(
          "--format", arguments->formats,
          fmt::format("Formats, of {} (default: all)", fmt::join(names, ",")))
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  command->footer("Example: irsieve report --db hunt.db --out report "
                  "--format md,json\n"
                  "Exit code: 0 no bugs, 1 bugs, 2 bad input");
  command->callback([arguments, &exitCode] {
    const auto bugs = report(*arguments);
    if (!bugs) {
      fmt::print(stderr, "irsieve report: {}\n", bugs.error().message);
      exitCode = ExitCode::badInput;
      return;
    }
    for (const Bug &bug : *bugs)
      fmt::print("{}\n", summaryLine(bug));
    exitCode =
        bugs->empty() ? ExitCode::nothingWrong : ExitCode::somethingWrong;
  });
}

} // namespace reports
