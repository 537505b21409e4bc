// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/certificate.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

namespace runner {
namespace {

using corpus::Counter;
using corpus::Error;
using corpus::Result;

constexpr int certificateVersion = 1;

std::string claimOf(const corpus::Tally &tally) {
  const std::uint64_t represented = tally[Counter::represented];
  const std::uint64_t refining = tally[Counter::refines];
  return refining == represented
             ? fmt::format("all {} functions refine", represented)
             : fmt::format("{} of {} functions refine", refining, represented);
}

/// May throw, as the JSON library does.
std::optional<Certificate::Entry> entryFrom(const Json &json,
                                            std::uint64_t parts) {
  Certificate::Entry entry;
  for (std::size_t i = 0; i < corpus::counterSpelling.size(); ++i)
    json.at(std::string(corpus::counterSpelling[i]))
        .get_to(entry.tally.counts[i]);
  corpus::Digest sum;
  for (const Json &part : json.at("parts")) {
    const auto digest = corpus::parseDigest(part.get<std::string>());
    if (!digest)
      return std::nullopt;
    entry.parts.push_back(*digest);
    sum += *digest;
  }
  const auto digest = corpus::parseDigest(json.at("digest").get<std::string>());
  if (!digest || *digest != sum || entry.parts.size() != parts)
    return std::nullopt;
  entry.tally.digest = sum;
  return entry;
}

/// May throw, as the JSON library does.
std::optional<Certificate> certificateFrom(const Json &json) {
  const auto campaign = CampaignIdentity::fromJson(json.at("campaign"));
  if (!campaign)
    return std::nullopt;
  Certificate certificate{*campaign, {}, {}};
  const std::size_t columns = campaign->semantics.size();
  const Json &results = json.at("results");
  if (results.size() != columns * campaign->lanes.size())
    return std::nullopt;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Json &result = results.at(i);
    if (i % columns == 0) {
      certificate.lanes.push_back({result.at("llvm"), result.at("version"),
                                   result.at("pipeline"), result.at("as_run"),
                                   result.at("expanded")});
      certificate.entries.emplace_back();
    }
    auto entry = entryFrom(result, campaign->selection.parts());
    if (!entry)
      return std::nullopt;
    certificate.entries.back().push_back(std::move(*entry));
  }
  return certificate;
}

} // namespace

Certificate certificateOf(const CampaignIdentity &campaign,
                          const corpus::Store &store) {
  Certificate certificate{campaign, store.lanes(), {}};
  for (std::size_t lane = 0; lane < certificate.lanes.size(); ++lane) {
    auto &entries = certificate.entries.emplace_back();
    for (std::size_t column = 0; column < campaign.semantics.size(); ++column) {
      entries.push_back(
          {store.tally(lane, column), store.digests(lane, column)});
      entries.back().parts.resize(campaign.selection.parts());
    }
  }
  return certificate;
}

Json resultEntry(const CampaignIdentity &campaign,
                 const std::vector<corpus::Lane> &lanes, std::size_t lane,
                 std::size_t column, const corpus::Tally &tally) {
  Json entry = {{"llvm", lanes[lane].release},
                {"version", lanes[lane].version},
                {"opt", nullptr},
                {"pipeline", lanes[lane].passes},
                {"as_run", lanes[lane].asRun},
                {"semantics", campaign.semantics[column]},
                {"digest", corpus::toString(tally.digest)}};
  const Pipeline &pipeline = campaign.lanes[lane].pipeline;
  if (pipeline.opt)
    entry["opt"] = pipeline.opt->path;
  if (pipeline.build)
    entry["build"] = pipeline.build->name;
  for (const auto &[key, value] :
       {std::pair("triple", &pipeline.triple),
        std::pair("data_layout", &pipeline.dataLayout)})
    if (!value->empty())
      entry[key] = *value;
  if (!pipeline.llvmArgs.empty())
    entry["llvm_args"] = pipeline.llvmArgs;
  for (std::size_t i = 0; i < corpus::counterSpelling.size(); ++i)
    entry[std::string(corpus::counterSpelling[i])] = tally.counts[i];
  return entry;
}

namespace {
std::string versionText(const std::string &version, const std::string &own) {
  return own.empty() ? fmt::format("LLVM {}", version)
                     : fmt::format("LLVM {} ({})", version, own);
}
} // namespace

std::string optimizerText(const std::string &version,
                          const Pipeline &pipeline) {
  return versionText(version, pipeline.build ? pipeline.build->name
                              : pipeline.opt ? pipeline.opt->path
                                             : "");
}

std::string optimizerText(const Json &entry) {
  return versionText(
      entry.at("version").get<std::string>(),
      entry.contains("build")     ? entry.at("build").get<std::string>()
      : entry.at("opt").is_null() ? ""
                                  : entry.at("opt").get<std::string>());
}

std::string toText(const Certificate &certificate) {
  Json json = {{"irsieve_certificate", certificateVersion},
               {"campaign", certificate.campaign.toJson()},
               {"results", Json::array()}};
  for (std::size_t lane = 0; lane < certificate.lanes.size(); ++lane)
    for (std::size_t column = 0; column < certificate.entries[lane].size();
         ++column) {
      const auto &[tally, parts] = certificate.entries[lane][column];
      Json entry = resultEntry(certificate.campaign, certificate.lanes, lane,
                               column, tally);
      entry["expanded"] = certificate.lanes[lane].expanded;
      entry["claim"] = claimOf(tally);
      entry["parts"] = Json::array();
      for (const corpus::Digest &digest : parts)
        entry["parts"].push_back(corpus::toString(digest));
      json["results"].push_back(std::move(entry));
    }
  return json.dump(1) + "\n";
}

Result<Certificate> readCertificate(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    return Error{fmt::format("{}: {}", path, std::strerror(errno))};
  const Json json = Json::parse(file, nullptr, false);
  if (!json.is_object() || !json.contains("irsieve_certificate"))
    return Error{fmt::format(
        "{}: no certificate; `irsieve run --certificate FILE` writes one",
        path)};
  if (json.at("irsieve_certificate") != certificateVersion)
    return Error{fmt::format("{}: a certificate of a newer irsieve; verify it "
                             "with that one",
                             path)};
  std::optional<Certificate> certificate;
  try {
    certificate = certificateFrom(json);
  } catch (const Json::exception &) {
    // As good as none.
  }
  if (!certificate)
    return Error{fmt::format(
        "{}: the certificate was changed or cut off; take the original", path)};
  return std::move(*certificate);
}

} // namespace runner
