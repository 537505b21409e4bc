// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/command.h"
#include "reports/hunt.h"
#include "reports/triage/file_bugs.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace reports {
namespace {

using corpus::ExitCode;
using corpus::Result;

struct TriageArguments {
  std::string database;
  std::vector<std::string> merge; ///< pairs: the bug that stays, the other
  std::vector<std::string> split;
  std::vector<std::string> known;
  std::uint64_t findings = defaultTriage().findings;
  std::size_t examined = defaultTriage().examined;
};

/// The whole id of the bug, or of a decision's, that begins with `prefix`.
Result<std::string> idOfPrefix(const corpus::Store &store,
                               const std::string &prefix) {
  std::vector<std::string> found;
  for (const corpus::BugRecord &bug : store.bugs())
    if (bug.id.starts_with(prefix))
      found.push_back(bug.id);
  for (const corpus::Store::Decision &decision : store.decisions())
    if (decision.bug.starts_with(prefix) &&
        std::find(found.begin(), found.end(), decision.bug) == found.end())
      found.push_back(decision.bug);
  if (found.size() != 1)
    return corpus::Error{
        fmt::format("{} bug begins with '{}'; give more of an id that `irsieve "
                    "triage` prints",
                    found.empty() ? "no" : "more than one", prefix)};
  return found.front();
}

/// Writes what the user decided into the store.
Result<std::monostate> decide(corpus::Store &store,
                              const TriageArguments &arguments) {
  for (std::size_t i = 0; i + 1 < arguments.merge.size(); i += 2) {
    const auto stays = idOfPrefix(store, arguments.merge[i]);
    if (!stays)
      return stays.error();
    const auto goes = idOfPrefix(store, arguments.merge[i + 1]);
    if (!goes)
      return goes.error();
    if (*stays == *goes)
      return corpus::Error{fmt::format("{} is one bug already", *stays)};
    if (auto done = store.decide({*goes, *stays}); !done)
      return done;
  }
  for (const std::string &prefix : arguments.split) {
    const auto id = idOfPrefix(store, prefix);
    if (!id)
      return id.error();
    const auto decisions = store.decisions();
    const bool wasMerged = std::any_of(
        decisions.begin(), decisions.end(), [&](const auto &decision) {
          return decision.bug == *id && !decision.target.empty();
        });
    auto done = wasMerged ? store.forgetDecision(*id) : store.decide({*id, ""});
    if (!done)
      return done;
  }
  return std::monostate();
}

/// A decision about the bugs of a hunt is for those of its databases that have
/// them; one at least does.
Result<std::monostate> decide(std::vector<corpus::Store> &stores,
                              const TriageArguments &arguments) {
  std::optional<Result<std::monostate>> failed;
  bool isDecided = false;
  for (corpus::Store &store : stores)
    if (auto decided = decide(store, arguments); decided)
      isDecided = true;
    else
      failed = std::move(decided);
  return isDecided || !failed ? std::monostate() : *failed;
}

Result<std::vector<Bug>> triage(const TriageArguments &arguments) {
  auto stores = openStores(arguments.database);
  if (!stores)
    return stores.error();
  if (auto decided = decide(*stores, arguments); !decided)
    return decided.error();
  TriageOptions options = defaultTriage();
  options.findingsBeside.reset();
  if (arguments.findings != 0)
    options.findings = arguments.findings;
  else
    options.findings = TriageOptions().findings;
  options.examined = arguments.examined;
  for (const std::string &file : arguments.known) {
    const auto bugs = readBugs(file);
    if (!bugs)
      return bugs.error();
    for (const Bug &bug : *bugs)
      options.known.emplace(bug.id,
                            std::filesystem::path(file).filename().string());
  }
  std::vector<const corpus::Store *> all;
  for (corpus::Store &store : *stores) {
    if (auto bugs = reports::triage(store, workerSubject, options); !bugs)
      return bugs;
    all.push_back(&store);
  }
  auto report = reportOf(all);
  if (!report)
    return report.error();
  return std::move(report->bugs);
}

} // namespace

void addTriageCommand(CLI::App &app, ExitCode &exitCode) {
  auto arguments = std::make_shared<TriageArguments>();
  CLI::App *command =
      app.add_subcommand("triage", "Make bugs of a campaign's findings anew, "
                                   "with what you know of them");
  command
      ->add_option("--db", arguments->database,
                   "Database of the campaign, or folder of a hunt")
      ->required();
  command
      ->add_option("--merge", arguments->merge,
                   "Two bugs A B are one: B becomes part of A; kept in the "
                   "database")
      ->expected(2)
      ->take_all();
  command
      ->add_option("--split", arguments->split,
                   "A bug is several, one for each reduced pair; or takes back "
                   "a --merge of it")
      ->allow_extra_args(false);
  command
      ->add_option("--known", arguments->known,
                   "Database or bugs.json of another campaign: its bugs are "
                   "known")
      ->allow_extra_args(false);
  command
      ->add_option("--findings", arguments->findings,
                   "Findings to look at for each release, pipeline and "
                   "semantics; 0: all of them")
      ->capture_default_str();
  command
      ->add_option("--examine", arguments->examined,
                   "Bugs whose widths, repair and flags are looked for, beside "
                   "those of earlier triages")
      ->capture_default_str();
  command->footer("Example: irsieve triage --db hunt.db --known monday.db "
                  "--merge 7d55b42e9923 9de068585da8\n"
                  "Exit code: 0 no bugs, 1 bugs, 2 bad input");
  command->callback([arguments, &exitCode] {
    const auto bugs = triage(*arguments);
    if (!bugs) {
      fmt::print(stderr, "irsieve triage: {}\n", bugs.error().message);
      exitCode = ExitCode::badInput;
      return;
    }
    const auto rows = rowsOf(*bugs);
    const auto known =
        std::count_if(rows.begin(), rows.end(),
                      [](const Row &row) { return row.bug.known.has_value(); });
    fmt::print("{}, {} known before\n", countText(rows), known);
    for (const Row &row : rows)
      fmt::print("{}\n", summaryLine(row));
    exitCode =
        bugs->empty() ? ExitCode::nothingWrong : ExitCode::somethingWrong;
  });
}

} // namespace reports
