// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/file_bugs.h"

#include "corpus/system/temporary_folder.h"
#include "reports/render/json.h"

#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace reports {

using corpus::Error;
using corpus::Result;

Result<std::vector<Bug>> bugsOfFiles(runner::CampaignOptions options,
                                     corpus::ProgramReader &reader) {
  const corpus::TemporaryFolder folder;
  options.database = folder.file("campaign.db");
  auto campaign = runner::Campaign::prepare(options, reader);
  if (!campaign)
    return campaign.error();
  runner::Progress progress(runner::Progress::Style::off);
  const auto end = campaign->run(progress, [] { return false; });
  if (!end)
    return end.error();
  for (const runner::LeftOutFor &one :
       runner::byReason(campaign->corpusReport().unsupported))
    fmt::print(stderr, "irsieve: {}{} left out: {}\n", one.example,
               one.count == 1 ? " is"
                              : fmt::format(" and {} more are", one.count - 1),
               one.reason);
  return triage(campaign->store(), workerSubject, defaultTriage());
}

Result<std::vector<Bug>> readBugs(const std::string &path) {
  const auto refuse = [&](std::string_view why) {
    return Error{fmt::format("{}: {}; give a database of `irsieve run --db` or "
                             "the bugs.json of `irsieve report --format json`",
                             path, why)};
  };
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return refuse("cannot be read");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (text.starts_with("SQLite format 3")) {
    auto store = corpus::Store::open(path);
    if (!store)
      return store.error();
    return bugsOf(*store, workerSubject, defaultTriage());
  }
  const auto list = nlohmann::json::parse(text, nullptr, false);
  if (!list.is_array())
    return refuse("holds no list of bugs");
  std::vector<Bug> bugs;
  for (const auto &entry : list) {
    auto bug = bugFromJson(entry.dump());
    if (!bug)
      return refuse("holds a bug that cannot be read");
    bugs.push_back(std::move(*bug));
  }
  return bugs;
}

Result<Bug> findBug(const std::string &prefix, const std::string &file) {
  auto bugs = readBugs(file);
  if (!bugs)
    return bugs.error();
  std::vector<Bug> found;
  for (Bug &bug : *bugs)
    if (bug.id.starts_with(prefix))
      found.push_back(std::move(bug));
  if (found.size() != 1)
    return Error{fmt::format("{}: {} bug begins with '{}'; give more of an id "
                             "that `irsieve report` prints",
                             file, found.empty() ? "no" : "more than one",
                             prefix)};
  return std::move(found.front());
}

} // namespace reports
