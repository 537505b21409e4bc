// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/rewrites_command.h"

#include "enumerate/space.h"
#include "runner/campaign.h"
#include "runner/hunt/hunt.h"
#include "runner/rewrite.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace runner {
namespace {

using corpus::ExitCode;
using corpus::Result;
using corpus::Rewrite;

struct RewritesArguments {
  std::string database;
  std::vector<std::string> passes;
  std::size_t top = 20;
  std::string format = "text";
};

/// Of one lane: the most frequent first, then by first function.
std::vector<Rewrite> sortedRewrites(const corpus::Store &store,
                                    std::size_t lane) {
  std::vector<Rewrite> rewrites = store.rewrites(lane);
  std::sort(rewrites.begin(), rewrites.end(),
            [](const Rewrite &a, const Rewrite &b) {
              return std::tuple(b.count, a.firstRank, a.hash) <
                     std::tuple(a.count, b.firstRank, b.hash);
            });
  return rewrites;
}

/// Adds an object for each lane of the database.
Result<std::monostate> addLanes(const std::string &database,
                                const RewritesArguments &arguments,
                                Json &lanes) {
  const auto store = corpus::Store::open(database);
  if (!store)
    return store.error();
  const auto identity = CampaignIdentity::fromText(store->identity());
  if (!identity)
    return identity.error();
  for (std::size_t lane = 0; lane < identity->lanes.size(); ++lane) {
    const CampaignIdentity::LaneIdentity &which = identity->lanes[lane];
    if (!arguments.passes.empty() &&
        std::find(arguments.passes.begin(), arguments.passes.end(),
                  which.pipeline.passes) == arguments.passes.end())
      continue;
    const std::vector<Rewrite> rewrites = sortedRewrites(*store, lane);
    Json list = Json::array();
    for (const Rewrite &rewrite : rewrites) {
      if (list.size() == arguments.top)
        break;
      list.push_back({{"rewrite", rewriteText(rewrite.form).value_or("")},
                      {"functions", rewrite.count},
                      {"first", fmt::format("{}#{}", identity->space,
                                            rewrite.firstRank)}});
    }
    lanes.push_back(
        {{"llvm", which.release},
         {"optimizer", optimizerName(which.release, which.pipeline)},
         {"pipeline", which.pipeline.passes},
         {"space", identity->space},
         {"distinct", rewrites.size()},
         {"complete", rewrites.size() < corpus::keptRewrites},
         {"rewrites", std::move(list)}});
  }
  return std::monostate();
}

Result<Json> rewritesJson(const RewritesArguments &arguments) {
  const auto databases = databasesOf(arguments.database);
  if (!databases)
    return databases.error();
  Json lanes = Json::array();
  for (const std::string &database : *databases)
    if (auto added = addLanes(database, arguments, lanes); !added)
      return added.error();
  if (lanes.empty())
    return corpus::Error{fmt::format("{}: no pipeline of that name; "
                                     "`irsieve rewrites {}` lists all",
                                     arguments.database, arguments.database)};
  return lanes;
}

void printLanes(const Json &lanes) {
  for (const Json &lane : lanes) {
    const auto distinct = lane.at("distinct").get<std::uint64_t>();
    fmt::print("{} {}, {}: {}{} distinct {}\n",
               lane.at("optimizer").get<std::string>(),
               lane.at("pipeline").get<std::string>(),
               lane.at("space").get<std::string>(),
               lane.at("complete").get<bool>() ? "" : "more than ", distinct,
               distinct == 1 ? "rewrite" : "rewrites");
    for (const Json &rewrite : lane.at("rewrites"))
      fmt::print("{:>10}  {}  ; first {}\n",
                 rewrite.at("functions").get<std::uint64_t>(),
                 rewrite.at("rewrite").get<std::string>(),
                 rewrite.at("first").get<std::string>());
    if (lane.at("rewrites").size() < distinct)
      fmt::print("            and {} more; --top 0 prints all\n",
                 distinct - lane.at("rewrites").size());
  }
}

} // namespace

void addRewritesCommand(CLI::App &app, ExitCode &exitCode) {
  auto arguments = std::make_shared<RewritesArguments>();
  CLI::App *command = app.add_subcommand(
      "rewrites", "What each pass did to the functions of a campaign, by how "
                  "many functions show it");
  command
      ->add_option("db", arguments->database,
                   "Database that `irsieve run --db` made, or folder of a "
                   "hunt")
      ->required();
  command
      ->add_option("--passes", arguments->passes,
                   "Only these pipelines of the campaign")
      ->allow_extra_args(false);
  command
      ->add_option("--top", arguments->top,
                   "So many of each pipeline; 0: all of them")
      ->capture_default_str();
  command->add_option("--format", arguments->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  command->footer(
      "In a rewrite %v0, %v1, ... are instructions, %a, %b, ... anything else; "
      "iN is any width\nabove 1, C any constant that is not 0, 1, -1 or the "
      "lowest signed value.\n"
      "Example: irsieve run i2x2 --passes=instcombine --db i2x2.db && irsieve "
      "rewrites i2x2.db --top 10\n"
      "Exit code: 0 printed, 2 bad input");
  command->callback([arguments, &exitCode] {
    if (arguments->top == 0)
      arguments->top = corpus::keptRewrites;
    const auto lanes = rewritesJson(*arguments);
    if (!lanes) {
      fmt::print(stderr, "irsieve rewrites: {}\n", lanes.error().message);
      exitCode = ExitCode::badInput;
      return;
    }
    if (arguments->format == "json")
      fmt::print("{}\n", lanes->dump());
    else
      printLanes(*lanes);
  });
}

} // namespace runner
