// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/verify.h"

#include "corpus/system/temporary_folder.h"
#include "runner/campaign_options.h"
#include "runner/certificate.h"
#include "runner/interrupt.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace runner {
namespace {

using corpus::ExitCode;
using corpus::PositionRange;
using corpus::Result;

struct VerifyArguments {
  std::string file;
  std::vector<std::string> corpus;
  std::uint64_t sample = 0; ///< 0: all parts
  std::uint64_t seed = 0;
  unsigned threads = 0;
  std::string format = "text";
  Progress::Style progress = Progress::Style::automatic;
};

/// Parts of a certificate's selection that are run again.
struct Sample {
  std::vector<std::uint64_t> parts;
  std::vector<PositionRange> ranges; ///< of the same index
  bool isAll = false;
};

Sample draw(const Selection &selection, std::uint64_t count,
            std::uint64_t seed) {
  std::vector<std::pair<std::uint64_t, PositionRange>> candidates;
  const PositionRange window = selection.window();
  for (std::uint64_t part = 0; part < selection.parts(); ++part) {
    PositionRange range = selection.part(part);
    range.begin = std::max(range.begin, window.begin);
    range.end = std::min(range.end, window.end);
    if (range.begin < range.end)
      candidates.emplace_back(part, range);
  }
  Sample sample;
  if (count == 0)
    count = candidates.size();
  for (const Rank drawn :
       enumerate::sampleRanks(candidates.size(), count, seed)) {
    const auto &[part, range] = candidates[static_cast<std::size_t>(drawn)];
    sample.parts.push_back(part);
    sample.ranges.push_back(range);
  }
  sample.isAll = sample.parts.size() == candidates.size();
  return sample;
}

CampaignOptions optionsOf(const CampaignIdentity &identity, std::size_t lane,
                          const VerifyArguments &arguments) {
  const Pipeline &pipeline = identity.lanes[lane].pipeline;
  CampaignOptions others;
  others.corpus = arguments.corpus;
  others.threads = arguments.threads;
  if (pipeline.opt)
    others.opts = {pipeline.opt->path};
  else if (pipeline.build)
    others.builds = {pipeline.build->name};
  else
    others.releases = {identity.lanes[lane].release};
  CampaignOptions options = optionsOf(identity, std::move(others));
  options.passes = {pipeline.passes};
  options.triple = pipeline.triple;
  options.dataLayout = pipeline.dataLayout;
  options.llvmArgs = pipeline.llvmArgs;
  options.keep = 1;
  return options;
}

/// Runs the sample of one lane, and says how each column compares. Nothing
/// when the user interrupts.
Result<std::optional<Json>> verifyLane(const Certificate &certificate,
                                       std::size_t lane, const Sample &sample,
                                       const VerifyArguments &arguments,
                                       corpus::ProgramReader &reader) {
  const corpus::TemporaryFolder folder;
  CampaignOptions options = optionsOf(certificate.campaign, lane, arguments);
  options.database = folder.file("verify.db");
  auto campaign = Campaign::prepare(options, reader);
  if (!campaign)
    return campaign.error();
  if (auto difference = otherFunctions("the certificate", certificate.campaign,
                                       campaign->identity()))
    return std::move(*difference);
  const auto ranges =
      intersection(sample.ranges, certificate.campaign.positionsOf(lane));
  campaign->lookOnlyAt(ranges);
  const corpus::Lane &then = certificate.lanes[lane];
  const corpus::Lane now = campaign->store().lanes().front();
  if (then != now)
    fmt::print(stderr,
               "the certificate is about LLVM {} {}, this is LLVM {} {}\n",
               then.version, then.expanded, now.version, now.expanded);

  Progress progress(arguments.progress);
  const auto end = campaign->run(progress, SignalGuard::isInterrupted);
  if (!end)
    return end.error();
  if (*end == Campaign::End::stopped)
    return std::optional<Json>();

  Json results = Json::array();
  for (std::size_t column = 0; column < certificate.entries[lane].size();
       ++column) {
    const auto &[tally, parts] = certificate.entries[lane][column];
    auto digests = campaign->store().digests(0, column);
    digests.resize(parts.size());
    Json differ = Json::array();
    for (std::size_t i = 0; i < sample.parts.size(); ++i) {
      const std::uint64_t part = sample.parts[i];
      if (digests[part] != parts[part])
        differ.push_back({{"part", part},
                          {"begin", sample.ranges[i].begin},
                          {"end", sample.ranges[i].end},
                          {"digest", corpus::toString(digests[part])},
                          {"certified", corpus::toString(parts[part])}});
    }
    const bool sameCounts =
        !sample.isAll ||
        campaign->store().tally(0, column).counts == tally.counts;
    Json entry = resultEntry(certificate.campaign, certificate.lanes, lane,
                             column, tally);
    entry["verified_functions"] = totalSize(ranges);
    entry["verified_parts"] = sample.parts.size();
    entry["parts"] = parts.size();
    entry["differ"] = differ;
    entry["holds"] = differ.empty() && sameCounts;
    results.push_back(std::move(entry));
  }
  return std::optional(std::move(results));
}

void printSummary(const Json &summary) {
  for (const Json &entry : summary.at("results")) {
    fmt::print("{}: LLVM {} {} [{}]: {} functions, {} refine of {}\n",
               summary.at("space").get<std::string>(),
               entry.at("version").get<std::string>(),
               entry.at("pipeline").get<std::string>(),
               entry.at("semantics").get<std::string>(),
               entry.at("functions").get<std::uint64_t>(),
               entry.at("refines").get<std::uint64_t>(),
               entry.at("represented").get<std::uint64_t>());
    fmt::print("  {} functions run again, {} of {} parts: {}\n",
               entry.at("verified_functions").get<std::uint64_t>(),
               entry.at("verified_parts").get<std::uint64_t>(),
               entry.at("parts").get<std::uint64_t>(),
               entry.at("holds").get<bool>() ? "the certificate holds"
                                             : "the certificate does not hold");
    for (const Json &part : entry.at("differ"))
      fmt::print("  part {}, positions {}:{}: digest {}, certified {}\n",
                 part.at("part").get<std::uint64_t>(),
                 part.at("begin").get<std::uint64_t>(),
                 part.at("end").get<std::uint64_t>(),
                 part.at("digest").get<std::string>(),
                 part.at("certified").get<std::string>());
  }
}

ExitCode verify(const VerifyArguments &arguments,
                corpus::ProgramReader &reader) {
  const auto refuse = [](const std::string &message) {
    fmt::print(stderr, "irsieve verify: {}\n", message);
    return ExitCode::badInput;
  };
  const auto certificate = readCertificate(arguments.file);
  if (!certificate)
    return refuse(certificate.error().message);
  const CampaignIdentity &identity = certificate->campaign;
  if (identity.isOfFiles() && arguments.corpus.empty())
    return refuse(fmt::format("{} is about functions of files; give them with "
                              "--corpus",
                              arguments.file));
  const Sample sample =
      draw(identity.selection, arguments.sample, arguments.seed);
  const SignalGuard signals;
  Json summary = {{"space", identity.space}, {"results", Json::array()}};
  ExitCode code = ExitCode::nothingWrong;
  for (std::size_t lane = 0; lane < identity.lanes.size(); ++lane) {
    const auto results =
        verifyLane(*certificate, lane, sample, arguments, reader);
    if (!results)
      return refuse(results.error().message);
    if (!*results) {
      fmt::print(stderr, "irsieve verify: stopped before the end\n");
      code = corpus::worse(code, ExitCode::stopped);
      break;
    }
    for (const Json &entry : **results) {
      if (!entry.at("holds").get<bool>())
        code = corpus::worse(code, ExitCode::somethingWrong);
      summary["results"].push_back(entry);
    }
  }
  if (arguments.format == "json")
    fmt::print("{}\n", summary.dump());
  else
    printSummary(summary);
  return code;
}

} // namespace

void addVerifyCommand(CLI::App &app, corpus::ProgramReader &reader,
                      ExitCode &exitCode) {
  auto arguments = std::make_shared<VerifyArguments>();
  CLI::App *command = app.add_subcommand(
      "verify", "Run what a certificate is about again, and compare");
  command
      ->add_option("certificate", arguments->file,
                   "What `irsieve run --certificate` wrote")
      ->required();
  command
      ->add_option("--sample", arguments->sample,
                   "Only so many of its parts (an i2x3 has 256)")
      ->check(CLI::PositiveNumber);
  command->add_option("--seed", arguments->seed, "Which parts (default: 0)");
  command->add_option("--corpus", arguments->corpus,
                      "The files of a certificate about a corpus");
  addThreadsOption(*command, arguments->threads);
  command->add_option("--format", arguments->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  addProgressOptions(*command, arguments->progress);
  command->footer(
      "Example: irsieve run i2x2 --passes=instcombine --certificate c.json && "
      "irsieve verify c.json --sample 1\n"
      "Exit code: 0 it holds, 1 it does not, 2 bad input, 4 stopped");
  command->callback([arguments, &reader, &exitCode] {
    exitCode = verify(*arguments, reader);
  });
}

} // namespace runner
