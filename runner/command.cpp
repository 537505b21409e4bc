// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/command.h"

#include "corpus/system/temporary_folder.h"
#include "runner/campaign.h"
#include "runner/campaign_options.h"
#include "runner/certificate.h"
#include "runner/evaluate.h"
#include "runner/expect.h"
#include "runner/interrupt.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <memory>

namespace runner {
namespace {

using corpus::ExitCode;

struct RunArguments {
  CampaignOptions campaign;
  std::string budget;
  std::string expect;
  std::string certificate;
  std::string each; ///< file that says what became of each function
  bool triage = true;
  std::string format = "text";
  Progress::Style progress = Progress::Style::automatic;
};

std::size_t countBugs(const std::vector<BugLine> &bugs, std::size_t lane,
                      std::size_t column) {
  return std::count_if(bugs.begin(), bugs.end(), [&](const BugLine &bug) {
    return isShownIn(bug.shownBy, lane, column);
  });
}

Json resultsJson(Campaign &campaign, const std::vector<BugLine> &bugs) {
  Json results = Json::array();
  const auto lanes = campaign.store().lanes();
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    for (std::size_t column = 0; column < campaign.identity().semantics.size();
         ++column) {
      Json entry = resultEntry(campaign.identity(), lanes, lane, column,
                               campaign.store().tally(lane, column));
      entry["bugs"] = countBugs(bugs, lane, column);
      results.push_back(std::move(entry));
    }
  return results;
}

Json omissionsJson(Campaign &campaign) {
  Json omissions = Json::array();
  const auto lanes = campaign.store().lanes();
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    for (const corpus::Omission &omission : campaign.store().omissions(lane))
      omissions.push_back(
          {{"llvm", lanes[lane].release},
           {"pipeline", lanes[lane].passes},
           {"verdict", omission.word},
           {"reason", omission.reason},
           {"count", omission.count},
           {"example", campaign.space().nameOf(omission.exampleRank)}});
  const CorpusReport &report = campaign.corpusReport();
  for (const auto &[word, list] :
       {std::pair("unreadable", &report.unreadable),
        std::pair("unsupported", &report.unsupported),
        std::pair("read without", &report.readWithout),
        std::pair("not run", &report.notRun)})
    for (const LeftOutFor &one : byReason(*list))
      omissions.push_back({{"verdict", word},
                           {"reason", one.reason},
                           {"count", one.count},
                           {"example", one.example}});
  return omissions;
}

/// Null for a space.
Json corpusJson(const Campaign &campaign) {
  const CorpusReport &report = campaign.corpusReport();
  if (report.files == 0)
    return nullptr;
  return {{"files", report.files},
          {"unreadable", report.unreadable.size()},
          {"functions", report.functions},
          {"read", report.functions - report.unsupported.size()}};
}

/// The objects of bugs.json, as triage stored them, and whether each was
/// expected.
Json bugsJson(const corpus::Store &store,
              const std::set<std::string> &expected) {
  Json bugs = Json::array();
  for (const corpus::BugRecord &bug : store.bugs()) {
    bugs.push_back(Json::parse(bug.document, nullptr, false));
    bugs.back()["expected"] = expected.count(bug.id) != 0;
  }
  return bugs;
}

bool hasFindings(const Json &summary) {
  for (const Json &entry : summary.at("results"))
    for (const char *counter :
         {"wrong", "crash", "hang", "invalid", "nondeterministic"})
      if (entry.at(counter) != 0)
        return true;
  return false;
}

void printCounts(const Json &summary) {
  if (const Json &corpus = summary.at("corpus"); !corpus.is_null())
    fmt::print("{} of {} functions read, in {} files, {} of them unreadable\n",
               corpus.at("read").get<std::uint64_t>(),
               corpus.at("functions").get<std::uint64_t>(),
               corpus.at("files").get<std::uint64_t>(),
               corpus.at("unreadable").get<std::uint64_t>());
  for (const Json &entry : summary.at("results")) {
    const auto functions = entry.at("functions").get<std::uint64_t>();
    fmt::print("{} {} [{}]: {} {}, {} changed", optimizerText(entry),
               entry.at("pipeline").get<std::string>(),
               entry.at("semantics").get<std::string>(), functions,
               functions == 1 ? "function" : "functions",
               entry.at("changed").get<std::uint64_t>());
    for (const char *counter :
         {"wrong", "crash", "hang", "invalid", "nondeterministic",
          "unsupported", "undecided", "skipped"})
      if (const auto count = entry.at(counter).get<std::uint64_t>();
          count != 0 || std::string_view(counter) == "wrong")
        fmt::print(", {} {}", count, counter);
    fmt::print("\n  digest {}\n", entry.at("digest").get<std::string>());
  }
  for (const Json &omission : summary.at("omissions"))
    fmt::print("{} ({}): {}, for example {}\n",
               omission.at("verdict").get<std::string>(),
               omission.at("count").get<std::uint64_t>(),
               omission.at("reason").get<std::string>(),
               omission.at("example").get<std::string>());
}

void printBugs(const std::vector<BugLine> &bugs,
               const std::set<std::string> &expected) {
  struct Row {
    std::string text;
    bool known;
    std::size_t forms = 0;
    std::size_t expected = 0;
  };
  std::vector<Row> rows;
  for (const BugLine &bug : bugs) {
    if (!bug.text.empty())
      rows.push_back({bug.text, bug.known});
    ++rows.back().forms;
    rows.back().expected += expected.count(bug.id);
  }
  const auto known = std::count_if(rows.begin(), rows.end(),
                                   [](const Row &row) { return row.known; });
  fmt::print("{} {}{}{}\n", rows.size(), rows.size() == 1 ? "bug" : "bugs",
             rows.size() == bugs.size()
                 ? ""
                 : fmt::format(" in {} forms", bugs.size()),
             known == 0 ? "" : fmt::format(", {} known before", known));
  for (const Row &row : rows)
    fmt::print("{}{}\n", row.text,
               row.expected == 0 ? ""
               : row.expected == row.forms
                   ? " (expected)"
                   : fmt::format(" ({} of {} forms expected)", row.expected,
                                 row.forms));
}

/// Writes what became of each function, in the order of their names.
class EachFunction {
public:
  /// Until the campaign has run.
  explicit EachFunction(Campaign &campaign) : campaign_(campaign) {
    campaign.observe([this](std::size_t lane,
                            const corpus::ChunkResult::Outcomes &outcomes) {
      const std::size_t columns = campaign_.identity().semantics.size();
      for (std::size_t i = 0; i < outcomes.positions.size(); ++i)
        for (std::size_t column = 0; column < columns; ++column) {
          const std::size_t word = i * columns + column;
          const auto reason = outcomes.reasons.find(word);
          add(nameAt(outcomes.positions[i]), lane, column,
              outcomeSpelling(outcomes.words[word]),
              reason == outcomes.reasons.end() ? "" : reason->second);
        }
    });
  }
  EachFunction(const EachFunction &) = delete;
  EachFunction &operator=(const EachFunction &) = delete;

  corpus::Result<std::monostate> write(const std::string &path) {
    for (const LeftOut &one : campaign_.corpusReport().unsupported)
      lines_.push_back(
          fmt::format("{}\t\t\tunread\t{}\n", one.name, one.reason));
    std::sort(lines_.begin(), lines_.end());
    std::ofstream file(path);
    for (const std::string &line : lines_)
      file << line;
    file.close();
    if (!file)
      return corpus::Error{fmt::format("{}: cannot be written", path)};
    return std::monostate();
  }

private:
  std::string nameAt(std::uint64_t position) const {
    return campaign_.space().nameOf(
        campaign_.identity().selection.rank(position));
  }
  void add(const std::string &name, std::size_t lane, std::size_t column,
           std::string_view word, std::string_view reason) {
    lines_.push_back(fmt::format(
        "{}\t{}\t{}\t{}\t{}\n", name, campaign_.store().lanes()[lane].passes,
        campaign_.identity().semantics[column], word, reason));
  }

  Campaign &campaign_;
  std::vector<std::string> lines_;
};

/// After triage every finding has a bug, and the bugs decide.
ExitCode exitCodeOf(const Json &summary, Campaign::End end, bool isTriaged) {
  ExitCode code = end == Campaign::End::stopped ? ExitCode::stopped
                                                : ExitCode::nothingWrong;
  if (!isTriaged && hasFindings(summary))
    code = corpus::worse(code, ExitCode::somethingWrong);
  for (const Json &bug : summary.at("bugs"))
    if (!bug.at("expected").get<bool>())
      code = corpus::worse(code, ExitCode::somethingWrong);
  if (!summary.at("omissions").empty())
    code = corpus::worse(code, ExitCode::incomplete);
  return code;
}

/// Stores the certificate of a finished campaign, and writes it to `path`
/// unless that is empty.
corpus::Result<std::monostate> certify(Campaign &campaign,
                                       const std::string &path) {
  const std::string text =
      toText(certificateOf(campaign.identity(), campaign.store()));
  if (auto saved = campaign.store().saveCertificate(text);
      !saved || path.empty())
    return saved;
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file)
    return corpus::Error{fmt::format("{}: cannot be written", path)};
  return std::monostate();
}

ExitCode run(RunArguments arguments, corpus::ProgramReader &reader,
             const Triage &triage) {
  const auto refuse = [](const std::string &message) {
    fmt::print(stderr, "irsieve run: {}\n", message);
    return ExitCode::badInput;
  };
  CampaignOptions &options = arguments.campaign;
  if (!arguments.budget.empty()) {
    const auto budget = parseDuration("--budget", arguments.budget);
    if (!budget)
      return refuse(budget.error().message);
    options.budget = *budget;
  }
  std::set<std::string> expected;
  if (!arguments.expect.empty()) {
    auto ids = readExpected(arguments.expect);
    if (!ids)
      return refuse(ids.error().message);
    expected = std::move(*ids);
  }

  std::optional<corpus::TemporaryFolder> temporary;
  if (options.database.empty())
    options.database = temporary.emplace().file("campaign.db");

  auto campaign = Campaign::prepare(options, reader);
  if (!campaign)
    return refuse(campaign.error().message);
  std::optional<EachFunction> each;
  if (!arguments.each.empty())
    each.emplace(*campaign);
  // Only for as long as a signal leads to a checkpoint.
  const SignalGuard signals;
  const auto started = std::chrono::steady_clock::now();
  const auto isSpent = [&](double part) {
    return options.budget &&
           std::chrono::steady_clock::now() - started >= part * *options.budget;
  };
  const auto end = [&] {
    // What is left is for triage.
    constexpr double partOfRun = 0.75;
    Progress progress(arguments.progress);
    return campaign->run(progress, [&] {
      return SignalGuard::isInterrupted() ||
             (arguments.triage && isSpent(partOfRun));
    });
  }();
  if (!end) {
    fmt::print(stderr, "irsieve run: {}\n", end.error().message);
    return ExitCode::incomplete;
  }
  if (each)
    if (const auto written = each->write(arguments.each); !written) {
      fmt::print(stderr, "irsieve run: {}\n", written.error().message);
      return ExitCode::incomplete;
    }

  if (*end == Campaign::End::finished) {
    const auto certified = certify(*campaign, arguments.certificate);
    if (!certified) {
      fmt::print(stderr, "irsieve run: {}\n", certified.error().message);
      return ExitCode::incomplete;
    }
  } else if (!arguments.certificate.empty()) {
    fmt::print(stderr, "no certificate before the end: {} is not written\n",
               arguments.certificate);
  }

  constexpr double partOfAll = 0.98;
  bool isCut = false;
  const auto shouldStop = [&] {
    return isCut = isCut || SignalGuard::isInterrupted() || isSpent(partOfAll);
  };
  const auto bugs = arguments.triage ? triage(campaign->store(), shouldStop)
                                     : corpus::Result(std::vector<BugLine>());
  if (!bugs) {
    fmt::print(stderr, "irsieve run: {}\n", bugs.error().message);
    return ExitCode::incomplete;
  }
  const Json summary = {{"space", campaign->identity().space},
                        {"corpus", corpusJson(*campaign)},
                        {"finished", *end == Campaign::End::finished},
                        {"results", resultsJson(*campaign, *bugs)},
                        {"omissions", omissionsJson(*campaign)},
                        {"bugs", bugsJson(campaign->store(), expected)}};
  if (arguments.format == "json")
    fmt::print("{}\n", summary.dump());
  else
    printCounts(summary);
  if (arguments.format == "text" && arguments.triage)
    printBugs(*bugs, expected);
  if (!arguments.triage && hasFindings(summary) && !temporary)
    fmt::print(stderr, "`irsieve triage --db {}` makes bugs of what is wrong\n",
               options.database);
  if (*end == Campaign::End::stopped)
    fmt::print(stderr, "stopped at a checkpoint; {}\n",
               temporary ? "with --db FILE a run can be resumed"
                         : "the same command resumes it");
  isCut = isCut && hasFindings(summary);
  if (isCut)
    fmt::print(stderr, "not everything that is wrong was made a bug of; "
                       "`irsieve triage` goes on\n");
  return exitCodeOf(summary, isCut ? Campaign::End::stopped : *end,
                    arguments.triage && !isCut);
}

} // namespace

bool isShownIn(const std::vector<BugLine::Place> &places, std::size_t lane,
               std::size_t column) {
  return std::any_of(
      places.begin(), places.end(), [&](const BugLine::Place &place) {
        return place.lane == lane && (place.column == corpus::everyColumn ||
                                      place.column == static_cast<int>(column));
      });
}

void addRunCommand(CLI::App &app, corpus::ProgramReader &reader,
                   const Triage &triage, corpus::ExitCode &exitCode) {
  auto arguments = std::make_shared<RunArguments>();
  CampaignOptions &campaign = arguments->campaign;
  CLI::App *command = app.add_subcommand(
      "run", "Send every function of a space through the optimizer and report "
             "what comes out wrong");
  addCampaignOptions(*command, campaign);
  addReleasesOption(*command, campaign);
  command
      ->add_option(
          "--opt", campaign.opts,
          "Path of an opt of your own, instead of or beside --llvm; it "
          "loads the worker of its release, and is as fast, where "
          "it can; repeat it for more")
      ->allow_extra_args(false);
  CLI::Option *database = command->add_option(
      "--db", campaign.database, "Database; the same command again resumes it");
  command
      ->add_option("--each", arguments->each,
                   "Write here what became of each function: name, pipeline, "
                   "semantics, verdict and, of what is unread, unsupported or "
                   "undecided, why, with tabs between them")
      ->excludes(database);
  command->add_option("--shard", campaign.shard,
                      "The i-th of n equal parts, as i/n");
  command->add_option("--budget", arguments->budget,
                      "Stop at a checkpoint after this long, such as 8h; the "
                      "last quarter of it is for triage");
  CLI::Option *expect = command->add_option(
      "--expect", arguments->expect,
      "Bugs that do not fail: a bugs.json of `irsieve report`");
  command
      ->add_flag("!--no-triage", arguments->triage,
                 "Count what is wrong, and leave its reduction to bugs to "
                 "`irsieve triage`")
      ->excludes(expect);
  command->add_option("--certificate", arguments->certificate,
                      "Write here what the finished campaign has shown, for "
                      "`irsieve verify`");
  command->add_option("--format", arguments->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  addProgressOptions(*command, arguments->progress);
  command->footer("Example: irsieve run i2x2 --passes=instcombine "
                  "--passes='default<O2>' --llvm 22 --db hunt.db\n"
                  "Exit code: 0 nothing wrong but what --expect names, 1 "
                  "something wrong, 2 bad input, "
                  "3 unsupported or undecided, 4 stopped at a checkpoint");
  command->callback([arguments, &reader, triage, &exitCode] {
    exitCode = run(*arguments, reader, triage);
  });
}

} // namespace runner
