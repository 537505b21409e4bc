// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/command.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace reports {
namespace {

using corpus::ExitCode;

struct Arguments {
  std::string database;
};

corpus::Result<std::vector<Bug>> triage(const Arguments &arguments) {
  auto store = corpus::Store::open(arguments.database);
  if (!store)
    return store.error();
  return reports::triage(*store, workerSubject);
}

} // namespace

void addTriageCommand(CLI::App &app, ExitCode &exitCode) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App *command =
      app.add_subcommand("triage", "Make bugs of a campaign's findings anew");
  command->add_option("--db", arguments->database, "Database of the campaign")
      ->required();
  command->footer("Example: irsieve triage --db hunt.db\n"
                  "Exit code: 0 no bugs, 1 bugs, 2 bad input");
  command->callback([arguments, &exitCode] {
    const auto bugs = triage(*arguments);
    if (!bugs) {
      fmt::print(stderr, "irsieve triage: {}\n", bugs.error().message);
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
