// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/command.h"
#include "reports/hunt.h"
#include "reports/render/json.h"
#include "runner/campaign_options.h"
#include "runner/hunt/options.h"
#include "runner/hunt/portfolio.h"
#include "runner/interrupt.h"
#include "runner/progress.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

namespace reports {
namespace {

using corpus::ExitCode;
using corpus::Result;
using nlohmann::json;

struct HuntArguments {
  runner::HuntOptions hunt;
  std::string format = "text";
  runner::Progress::Style progress = runner::Progress::Style::automatic;
  bool isList = false;
};

/// What `hunt --list` prints.
void printPortfolio(bool asJson) {
  if (asJson) {
    json spaces = json::array();
    for (const runner::HuntSpace &row : runner::huntSpaces())
      spaces.push_back({{"spec", row.spec},
                        {"purpose", row.purpose},
                        {"data_layout", row.dataLayout}});
    json pipelines = json::array();
    for (const runner::HuntPipeline &row : runner::huntPipelines())
      pipelines.push_back({{"passes", row.passes},
                           {"weight", row.weight},
                           {"purpose", row.purpose}});
    fmt::print("{}\n", json({{"spaces", std::move(spaces)},
                             {"pipelines", std::move(pipelines)}})
                           .dump());
    return;
  }
  fmt::print("spaces:\n");
  for (const runner::HuntSpace &row : runner::huntSpaces())
    fmt::print("  {:<58} {}{}\n", row.spec, row.purpose,
               row.dataLayout.empty()
                   ? ""
                   : fmt::format(" (--data-layout={})", row.dataLayout));
  fmt::print("pipelines:\n");
  for (const runner::HuntPipeline &row : runner::huntPipelines())
    fmt::print("  {:<46} weight {:>2}  {}\n", row.passes, row.weight,
               row.purpose);
}

json rowJson(const runner::Hunt::Row &row) {
  return {{"space", row.space},           {"pipeline", row.pipeline},
          {"functions", row.done},        {"size", row.size},
          {"slices", row.slices},         {"new_rewrites", row.rewrites},
          {"new_findings", row.findings}, {"data_layout", row.dataLayout}};
}

void printRows(const std::vector<runner::Hunt::Row> &rows) {
  std::size_t untried = 0;
  for (const runner::Hunt::Row &row : rows) {
    untried += row.slices == 0 ? 1 : 0;
    if (row.slices != 0)
      fmt::print("{} over {}: {} of {} functions, {} new {}{}\n", row.pipeline,
                 row.space, row.done, row.size, row.rewrites,
                 row.rewrites == 1 ? "rewrite" : "rewrites",
                 row.findings == 0
                     ? ""
                     : fmt::format(", {} kinds of findings", row.findings));
  }
  if (untried != 0)
    fmt::print("not tried yet: {} more pairs of a space and a pipeline\n",
               untried);
}

/// Of the form that came first; nothing where the folder does not say.
std::optional<std::chrono::seconds> foundAfter(const runner::Hunt &hunt,
                                               std::span<const Bug> forms) {
  std::optional<std::chrono::seconds> first;
  for (const Bug &form : forms)
    if (const auto found = hunt.foundAfter().find(form.id);
        found != hunt.foundAfter().end())
      first = std::min(first.value_or(found->second), found->second);
  return first;
}

Result<ExitCode> hunt(HuntArguments &arguments, corpus::ProgramReader &reader) {
  runner::HuntOptions &options = arguments.hunt;
  auto prepared = runner::Hunt::prepare(options, reader);
  if (!prepared)
    return prepared.error();
  runner::Hunt &hunt = *prepared;
  if (arguments.progress != runner::Progress::Style::off)
    for (const std::string &refused : hunt.refused())
      say("not in this hunt: " + refused);

  const runner::SignalGuard signals;
  const auto speak = [&](const std::string &text) {
    if (arguments.progress == runner::Progress::Style::json)
      fmt::print(stderr, "{}\n", text);
    else if (arguments.progress != runner::Progress::Style::off)
      say(text);
  };
  Guesses guesses;
  const auto makeBugs = [&](const std::vector<corpus::Store *> &stores,
                            runner::Wanted wanted,
                            const std::function<bool()> &shouldStop) {
    return triageSome(stores, wanted, options.campaign.threads, guesses,
                      shouldStop);
  };
  const auto end =
      hunt.run(arguments.progress,
               {runner::SignalGuard::isInterrupted, makeBugs, speak});
  if (!end) {
    say(end.error().message);
    return ExitCode::incomplete;
  }

  const auto stores = openStores(options.folder);
  if (!stores)
    return stores.error();
  std::vector<const corpus::Store *> all;
  for (const corpus::Store &store : *stores)
    all.push_back(&store);
  auto report = reportOf(all);
  if (!report)
    return report.error();
  report->isUrgent = runner::SignalGuard::isInterrupted;
  if (auto written = writeReport(*report, options.folder, {"html"}); !written)
    return written.error();

  if (arguments.format == "json") {
    json rows = json::array();
    for (const runner::Hunt::Row &row : hunt.rows())
      rows.push_back(rowJson(row));
    json bugs = json::array();
    for (const Bug &bug : report->bugs) {
      bugs.push_back(toJson(bug));
      if (const auto after = foundAfter(hunt, {&bug, 1}))
        bugs.back()["found_after_seconds"] = after->count();
    }
    fmt::print("{}\n",
               json({{"optimizer", hunt.optimizer()},
                     {"seconds", hunt.spent().count()},
                     {"finished", *end == runner::Campaign::End::finished},
                     {"arms", std::move(rows)},
                     {"bugs", std::move(bugs)}})
                   .dump());
  } else {
    printRows(hunt.rows());
    const auto rows = rowsOf(report->bugs);
    fmt::print("{} in {}\n", countText(rows), hunt.optimizer());
    for (const Row &row : rows) {
      const auto after = foundAfter(hunt, row.forms);
      fmt::print("{}{}\n", after ? runner::durationText(*after) + ": " : "",
                 summaryLine(row));
    }
    fmt::print("page: {}\n",
               (std::filesystem::path(options.folder) / "index.html").string());
  }
  std::fflush(stdout);
  ExitCode code = ExitCode::nothingWrong;
  if (*end == runner::Campaign::End::stopped) {
    code = ExitCode::stopped;
    say("stopped at a checkpoint; the same command, with more --budget where "
        "that is spent, resumes it");
  }
  return report->bugs.empty() ? code
                              : corpus::worse(code, ExitCode::somethingWrong);
}

} // namespace

void addHuntCommand(CLI::App &app, corpus::ProgramReader &reader,
                    ExitCode &exitCode) {
  auto arguments = std::make_shared<HuntArguments>();
  runner::HuntOptions &options = arguments->hunt;
  CLI::App *command = app.add_subcommand(
      "hunt", "Look for bugs of one optimizer in many spaces and pipelines, "
              "under one budget, and write one page of them");
  CLI::Option *folder = command->add_option(
      "--db", options.folder,
      "Folder of the hunt; the same command again resumes it");
  runner::addHuntOptions(*command, options);
  command->add_option("--shard", options.shard,
                      "i/n: only every n-th pair of a space and a pipeline, "
                      "from the i-th on; `irsieve merge` puts the folders of "
                      "all together");
  command->add_flag("--list", arguments->isList,
                    "Print the portfolio of spaces and pipelines, and what "
                    "each is for");
  command->add_option("--format", arguments->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  runner::addProgressOptions(*command, arguments->progress);
  command->footer(
      "Time goes to the pipelines by weight, and of a pipeline's spaces to "
      "those that lately\nshowed the most new rewrites (see `irsieve "
      "rewrites`). Seed and results decide, no clock,\nso a hunt that was "
      "killed and resumed decides as if it had not been.\n"
      "Example: irsieve hunt --llvm 22 --budget 8h --db hunt\n"
      "Exit code: 0 nothing wrong, 1 bugs, 2 bad input, 4 stopped by the "
      "budget or a signal before all was done");
  command->callback([arguments, folder, &reader, &exitCode] {
    if (arguments->isList)
      return printPortfolio(arguments->format == "json");
    if (folder->count() == 0) {
      fmt::print(stderr, "irsieve hunt: give a folder with --db\n");
      exitCode = ExitCode::badInput;
      return;
    }
    const auto code = hunt(*arguments, reader);
    if (!code)
      fmt::print(stderr, "irsieve hunt: {}\n", code.error().message);
    exitCode = code ? *code : ExitCode::badInput;
  });
}

} // namespace reports
