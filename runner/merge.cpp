// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/merge.h"

#include "runner/certificate.h"
#include "runner/hunt/hunt.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace runner {
namespace {

using corpus::Error;
using corpus::ExitCode;
using corpus::Result;
using corpus::Store;

struct MergeArguments {
  std::string out;
  std::vector<std::string> in;
};

struct Input {
  std::string path;
  Store store;
  CampaignIdentity campaign; ///< of all shards together
};

Result<Input> openInput(const std::string &path) {
  auto store = Store::open(path);
  if (!store)
    return store.error();
  auto identity = CampaignIdentity::fromText(store->identity());
  if (!identity)
    return Error{fmt::format("{}: {}", path, identity.error().message)};
  identity->selection = identity->selection.whole();
  return Input{path, std::move(*store), std::move(*identity)};
}

/// What keeps two databases from being shards of one campaign.
std::optional<Error> conflictOf(const Input &a, const Input &b) {
  const Json one = a.campaign.toJson();
  const Json other = b.campaign.toJson();
  std::vector<std::string> differences;
  for (const auto &[key, value] : one.items())
    if (value != other.at(key))
      differences.push_back(
          fmt::format("{} ({}, {})", key, value.dump(), other.at(key).dump()));
  const auto lanesOf = [](const Store &store) {
    std::vector<std::string> lanes;
    for (const corpus::Lane &lane : store.lanes())
      lanes.push_back(fmt::format("LLVM {} {}", lane.version, lane.expanded));
    return lanes;
  };
  if (differences.empty() && lanesOf(a.store) != lanesOf(b.store))
    differences.push_back(fmt::format("{} and {}",
                                      fmt::join(lanesOf(a.store), ", "),
                                      fmt::join(lanesOf(b.store), ", ")));
  if (differences.empty())
    return std::nullopt;
  return Error{fmt::format("{} and {} are not of one campaign: {}; merge only "
                           "shards of the same `irsieve run`",
                           a.path, b.path, fmt::join(differences, ", "))};
}

void printMerged(const Store &store, const CampaignIdentity &campaign) {
  const std::vector<corpus::Lane> lanes = store.lanes();
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    for (std::size_t column = 0; column < campaign.semantics.size(); ++column) {
      const corpus::Tally tally = store.tally(lane, column);
      fmt::print("LLVM {} {} [{}]: {} of {} functions, {} wrong\n  digest {}\n",
                 lanes[lane].version, lanes[lane].passes,
                 campaign.semantics[column], tally[corpus::Counter::functions],
                 campaign.selection.size(), tally[corpus::Counter::wrong],
                 corpus::toString(tally.digest));
    }
}

bool isFinished(const Store &store, const CampaignIdentity &campaign) {
  for (std::size_t lane = 0; lane < campaign.lanes.size(); ++lane)
    if (store.done(lane) != campaign.positionsOf(lane))
      return false;
  return true;
}

} // namespace

Result<bool> isFinishedShard(const std::string &path) {
  auto store = Store::open(path);
  if (!store)
    return store.error();
  if (auto sound = store->check(); !sound)
    return sound.error();
  const auto identity = CampaignIdentity::fromText(store->identity());
  if (!identity)
    return Error{fmt::format("{}: {}", path, identity.error().message)};
  return isFinished(*store, *identity);
}

Result<bool> mergeShards(const std::string &path,
                         const std::vector<std::string> &in) {
  std::vector<Input> inputs;
  for (const std::string &shard : in) {
    auto input = openInput(shard);
    if (!input)
      return input.error();
    inputs.push_back(std::move(*input));
    if (auto conflict = conflictOf(inputs.front(), inputs.back()))
      return std::move(*conflict);
  }
  const CampaignIdentity &campaign = inputs.front().campaign;
  auto out = Store::openOrCreate(path, campaign.toText(),
                                 inputs.front().store.lanes());
  if (!out)
    return out.error();
  for (const Input &input : inputs) {
    bool isNew = false;
    for (std::size_t lane = 0; lane < campaign.lanes.size(); ++lane) {
      const auto added = out->fold(input.store, lane, campaign.keep);
      if (!added)
        return Error{fmt::format("{}: {}", input.path, added.error().message)};
      isNew = isNew || *added;
    }
    if (!isNew)
      fmt::print(stderr, "{}: {} holds all of it already\n", input.path, path);
  }
  printMerged(*out, campaign);
  if (!isFinished(*out, campaign))
    return false;
  if (auto saved = out->saveCertificate(toText(certificateOf(campaign, *out)));
      !saved)
    return saved.error();
  return true;
}

Result<std::monostate> mergeHunts(const std::string &path,
                                  const std::vector<std::string> &in) {
  namespace fs = std::filesystem;
  constexpr int mostOfAName = 100;
  if (auto made = makeHuntFolder(path); !made)
    return made;
  for (const std::string &folder : in) {
    const auto databases = databasesOf(folder);
    if (!databases)
      return databases.error();
    for (const std::string &database : *databases) {
      Result<bool> merged = true;
      for (int i = 1; i <= mostOfAName; ++i) {
        const fs::path name = fs::path(database).stem();
        const std::string out =
            (fs::path(path) / fmt::format("{}{}.db", name.string(),
                                          i == 1 ? "" : fmt::format("-{}", i)))
                .string();
        std::error_code error;
        const bool isNew = !fs::exists(out, error);
        merged = mergeShards(out, {database});
        if (merged || isNew)
          break;
      }
      if (!merged)
        return merged.error();
    }
  }
  return std::monostate();
}

namespace {

Result<std::monostate> merge(const MergeArguments &arguments) {
  std::error_code error;
  if (std::filesystem::is_directory(arguments.in.front(), error))
    return mergeHunts(arguments.out, arguments.in);
  if (auto merged = mergeShards(arguments.out, arguments.in); !merged)
    return merged.error();
  return std::monostate();
}

} // namespace

void addMergeCommand(CLI::App &app, ExitCode &exitCode) {
  auto arguments = std::make_shared<MergeArguments>();
  CLI::App *command = app.add_subcommand(
      "merge", "Fold the databases of a campaign's shards into one");
  command->add_option("out", arguments->out, "Database to make, or to add to")
      ->required();
  command
      ->add_option("in", arguments->in,
                   "Databases of shards, or folders of hunts")
      ->required();
  command->footer(
      "Example: irsieve run i2x2 --passes=gvn --shard 1/2 --db a.db\n"
      "         irsieve run i2x2 --passes=gvn --shard 2/2 --db b.db\n"
      "         irsieve merge all.db a.db b.db && irsieve triage --db all.db\n"
      "Merging the same database again changes nothing. Folders of hunts give "
      "a folder for\n`report`, `triage`, `rewrites` and `diff`.\n"
      "Exit code: 0 merged, 2 bad input");
  command->callback([arguments, &exitCode] {
    const auto merged = merge(*arguments);
    if (merged)
      return;
    fmt::print(stderr, "irsieve merge: {}\n", merged.error().message);
    exitCode = ExitCode::badInput;
  });
}

} // namespace runner
