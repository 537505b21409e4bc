// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/estimate.h"

#include "corpus/system/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace runner {
namespace {

using Seconds = std::chrono::duration<double>;

/// A sample that ran for this long says enough.
constexpr Seconds enough(2);
constexpr std::uint64_t firstSample = 4096;
/// A worker's start and first batch would count as work in a small sample, so
/// that each sample is this many times the last one.
constexpr std::uint64_t growth = 4;

struct Speed {
  std::uint64_t functions = 0;
  Seconds time{0};
  std::string version;
  unsigned threads = 0;
  std::uint64_t databaseBytes = 0;
};

corpus::Result<Speed> measure(const CampaignOptions &options,
                              corpus::ProgramReader &reader) {
  const corpus::TemporaryFolder folder;
  CampaignOptions copy = options;
  copy.database = folder.file("estimate.db");
  Speed speed;
  {
    auto campaign = Campaign::prepare(copy, reader);
    if (!campaign)
      return campaign.error();
    Progress silent(Progress::Style::off);
    const auto started = std::chrono::steady_clock::now();
    const auto end = campaign->run(silent, [] { return false; });
    if (!end)
      return end.error();
    speed.functions = campaign->store().tally(0, 0)[corpus::Counter::functions];
    speed.time = std::chrono::steady_clock::now() - started;
    speed.version = campaign->store().lanes().front().version;
    speed.threads = campaign->threads();
  }
  // Until it is closed most of a database is in files beside it.
  std::error_code error;
  const auto bytes = std::filesystem::file_size(copy.database, error);
  speed.databaseBytes = error ? 0 : bytes;
  return speed;
}

/// What a cluster would need for `seconds` of one core.
std::string clusterText(double seconds, std::uint64_t cores,
                        std::uint64_t databaseBytes) {
  constexpr double shardSeconds = 600;
  const double shards = std::max(1.0, std::ceil(seconds / shardSeconds));
  // Shards are as long as each other: the last round is as long as the others.
  const double rounds = std::ceil(shards / static_cast<double>(cores));
  const double megabytes = static_cast<double>(databaseBytes) / 1e6;
  return fmt::format(
      "  on {} cores: {} in {:.0f} {} of {}, each with a database of about "
      "{:.1f} MB\n",
      cores,
      durationText(
          std::chrono::seconds(static_cast<long>(rounds * seconds / shards))),
      shards, shards == 1 ? "shard" : "shards",
      durationText(std::chrono::seconds(static_cast<long>(seconds / shards))),
      megabytes);
}

} // namespace

corpus::Result<std::string> estimateTime(CampaignOptions options,
                                         std::uint64_t cores,
                                         corpus::ProgramReader &reader) {
  const auto space = enumerate::openSpace(options.space, reader);
  if (!space)
    return space.error();
  const Rank count = (*space)->count();
  const std::vector<std::string> pipelines = options.passes;
  std::vector<CampaignOptions> optimizers;
  for (const unsigned release : std::exchange(options.releases, {})) {
    optimizers.push_back(options);
    optimizers.back().builds.clear();
    optimizers.back().releases = {release};
  }
  for (const std::string &build : std::exchange(options.builds, {})) {
    optimizers.push_back(options);
    optimizers.back().builds = {build};
  }
  if (optimizers.empty())
    optimizers.push_back(options);
  std::string report;
  for (CampaignOptions &one : optimizers)
    for (const std::string &passes : pipelines) {
      one.passes = {passes};
      Speed speed;
      for (std::uint64_t sample = firstSample;; sample *= growth) {
        one.sample = sample;
        const auto measured = measure(one, reader);
        if (!measured)
          return measured.error();
        speed = *measured;
        if (speed.time >= enough || sample >= count)
          break;
      }
      const double perSecond =
          static_cast<double>(speed.functions) / speed.time.count();
      report += fmt::format(
          "LLVM {} {}: {:.0f} functions/s with {} threads, {} for all "
          "(from {} of them)\n",
          speed.version, passes, perSecond, speed.threads,
          durationText(std::chrono::seconds(
              static_cast<long>(static_cast<double>(count) / perSecond))),
          speed.functions);
      if (cores > 0)
        report +=
            clusterText(static_cast<double>(count) / perSecond * speed.threads,
                        cores, speed.databaseBytes);
    }
  return report;
}

} // namespace runner
