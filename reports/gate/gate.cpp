// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/gate/gate.h"

#include "corpus/system/temporary_folder.h"
#include "enumerate/order.h"
#include "reports/render/json.h"
#include "reports/triage/triage.h"
#include "runner/certificate.h"
#include "runner/hunt/portfolio.h"
#include "runner/worker.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <memory>
#include <set>

namespace reports {
namespace {

using corpus::Error;
using corpus::Result;
using runner::CampaignOptions;
using runner::DiffFailure;
using runner::DiffResult;
using runner::Json;
using Clock = std::chrono::steady_clock;

/// Of the budget, until when the tests and what is near them may run.
constexpr double untilTests = 0.4;
constexpr double untilNear = 0.6;
/// Functions of a space in its first turn, and how many times as many in each
/// further one.
constexpr std::uint64_t firstTurn = 2'500;
constexpr std::uint64_t growth = 8;
/// And of what is near folds, so that some functions of each are among them.
constexpr std::uint64_t timesNearFolds = 20;
constexpr std::uint64_t nearFunctions = 20'000;
/// Rewrites, losses and functions that are kept for the reader.
constexpr std::size_t keptRewrites = 10;
constexpr std::size_t keptLosses = 10;
constexpr std::size_t keptNear = 12;
constexpr std::string_view spentInside = "the budget was spent before its end";

/// Few findings, and no window: base says which bugs are old.
Result<std::vector<runner::BugLine>>
triageForGate(corpus::Store &store, const std::function<bool()> &shouldStop) {
  TriageOptions options;
  constexpr std::uint64_t findings = 40;
  options.findings = findings;
  options.shouldStop = shouldStop;
  auto bugs = triage(store, limitedSubjects(shouldStop), options);
  if (!bugs)
    return bugs.error();
  std::vector<runner::BugLine> lines;
  for (const Bug &bug : *bugs)
    lines.push_back(
        {bug.id, summaryLine(bug), bug.shownBy, bug.known.has_value()});
  return lines;
}

class Runner {
public:
  Runner(const GateOptions &options, corpus::ProgramReader &reader,
         const std::function<bool()> &interrupted,
         const std::function<void(const std::string &)> &say)
      : options_(options), reader_(reader), interrupted_(interrupted),
        say_(say) {}

  Result<Gate> run() {
    if (auto tests = runTests(); !tests)
      return tests.error();
    if (auto near = runNear(); !near)
      return near.error();
    if (auto spaces = runSpaces(); !spaces)
      return spaces.error();
    takeRows();
    gate_.seconds = spent();
    gate_.isInterrupted = interrupted_();
    return std::move(gate_);
  }

private:
  /// Of each root and state the smallest bug, new ones first.
  void takeRows() {
    std::map<std::pair<int, std::string>, GateBug> rows;
    const auto orderOf = [](const GateBug &each) {
      return each.state == "new" ? 0 : each.state == "fixed" ? 1 : 2;
    };
    for (auto &[id, bug] : bugs_) {
      const auto [row, isFirst] =
          rows.try_emplace({orderOf(bug), bug.bug.root}, bug);
      if (!isFirst && bug.bug.source.instructionCount() <
                          row->second.bug.source.instructionCount())
        row->second = bug;
    }
    for (auto &[key, bug] : rows)
      gate_.bugs.push_back(std::move(bug));
  }

  double spent() const {
    return std::chrono::duration<double>(Clock::now() - started_).count();
  }
  bool isOver(double share) const {
    return interrupted_() ||
           spent() >= share * static_cast<double>(options_.budget.count());
  }
  void leaveOut(const std::string &what, const std::string &passes,
                std::string why) {
    gate_.parts.push_back({what, passes, 0, 0, 0, std::move(why)});
  }

  /// A part of the gate; false where it had to stop or could not begin.
  Result<bool> compare(const std::string &what, const std::string &passes,
                       CampaignOptions campaign, double until) {
    say_(fmt::format("{} over {}",
                     passes.empty() ? "pipelines of the files" : passes, what));
    campaign.workers = workers_;
    runner::DiffQuestion question{std::move(campaign), options_.base,
                                  options_.next};
    question.checksOnlyChanged = true;
    // What was found in the last moment is still to be said.
    const auto triage = [&](corpus::Store &store,
                            const std::function<bool()> &) {
      return triageForGate(store,
                           [&] { return isOver(std::min(1.0, until + 0.1)); });
    };
    const auto answer = runner::diffOptimizers(
        std::move(question), reader_, triage, [&] { return isOver(until); });
    if (const auto *failure = std::get_if<DiffFailure>(&answer)) {
      if (failure->code == corpus::ExitCode::badInput)
        return Error{failure->message};
      leaveOut(what, passes,
               failure->code == corpus::ExitCode::stopped
                   ? std::string(spentInside)
                   : failure->message);
      return false;
    }
    const DiffResult &result = std::get<DiffResult>(answer);
    take(what, passes, result);
    return result.isWhole;
  }

  void take(const std::string &what, const std::string &passes,
            const DiffResult &result) {
    GatePart part;
    part.what = what;
    part.passes = passes;
    if (!result.isWhole)
      part.missing = spentInside;
    for (const Json &entry : result.summary.at("comparisons")) {
      part.functions += entry.at("optimized").get<std::uint64_t>();
      part.covered += entry.at("functions").get<std::uint64_t>();
      part.outputsChanged += entry.at("outputs_changed").get<std::uint64_t>();
      takeVerdicts(entry.at("verdicts_changed"));
      gate_.base = runner::optimizerText(entry.at("base"));
      gate_.next = runner::optimizerText(entry.at("new"));
    }
    gate_.baseSeconds += result.baseSeconds;
    gate_.newSeconds += result.newSeconds;
    takeBugs(result);
    takeRewrites(result);
    for (const Json &output : result.summary.at("outputs")) {
      const std::string pipeline = output.at("pipeline");
      const std::string source = output.at("source");
      takeLoss(pipeline, output);
      if (changed_.size() < keptNear && seen_.insert(pipeline + source).second)
        changed_.push_back({pipeline, source});
    }
    // A later turn looks at all that an earlier one looked at, unless it was
    // stopped before.
    for (GatePart &before : gate_.parts)
      if (before.what == what && before.passes == passes) {
        if (part.functions > before.functions)
          before = std::move(part);
        return;
      }
    gate_.parts.push_back(std::move(part));
  }

  /// What is cut off by a limit says nothing of the patch.
  void takeVerdicts(const Json &changes) {
    for (const Json &change : changes) {
      const std::string word = change.at("new");
      if (change.at("base") != "refines" || word == "unsupported" ||
          word == "undecided" || word == "hang")
        continue;
      gate_.newlyWrong += change.at("count").get<std::uint64_t>();
      if (gate_.newlyWrongExample.empty())
        gate_.newlyWrongExample = change.at("example");
    }
  }

  void takeBugs(const DiffResult &result) {
    for (const Json &document : result.summary.at("bugs")) {
      auto bug = bugFromJson(document.dump());
      if (!bug || !document.contains("state"))
        continue;
      const std::string state = document.at("state");
      const auto [entry, isNew] =
          bugs_.try_emplace(bug->id, GateBug{*bug, state});
      // What both show anywhere, base showed before.
      if (!isNew && entry->second.state != state)
        entry->second.state = "both";
    }
  }

  void takeRewrites(const DiffResult &result) {
    for (const Json &entry : result.summary.at("rewrites"))
      for (const bool isGained : {true, false}) {
        const Json &list = entry.at(isGained ? "gained" : "lost");
        const std::string passes = entry.at("pipeline");
        for (const Json &each : list.at("shown")) {
          const std::string text = each.at("rewrite");
          if (!seen_.insert(fmt::format("{}{}{}", isGained, passes, text))
                   .second)
            continue;
          ++(isGained ? gate_.gained : gate_.lost);
          takeLoss(passes, each);
          if (gate_.rewrites.size() < keptRewrites)
            gate_.rewrites.push_back({isGained, passes, text,
                                      each.at("functions"), each.at("source"),
                                      each.at("base"), each.at("new")});
        }
      }
  }

  void takeLoss(const std::string &passes, const Json &example) {
    if (!example.contains("size") || !example.at("size").contains("base") ||
        !example.at("size").contains("new"))
      return;
    const Json &base = example.at("size").at("base");
    const Json &next = example.at("size").at("new");
    const auto difference = [&](const char *what) {
      return next.at(what).get<long>() - base.at(what).get<long>();
    };
    const long more = difference("instructions");
    const long fewer = more > 0 ? 0 : -difference("flags");
    const std::string source = example.at("source");
    if ((more <= 0 && (more < 0 || fewer <= 0)) ||
        gate_.losses.size() == keptLosses ||
        !seen_.insert("loss" + passes + source).second)
      return;
    gate_.losses.push_back({passes, source, example.at("base"),
                            example.at("new"), std::max(more, 0L), fewer});
  }

  Result<bool> runTests() {
    if (options_.tests.empty()) {
      leaveOut("tests", "", "none were given");
      return true;
    }
    CampaignOptions campaign = options_.campaign;
    campaign.corpus = options_.tests;
    campaign.passes = {std::string(runner::passesFromFile)};
    return compare("tests", "", std::move(campaign), untilTests);
  }

  /// Everything one edit away from what came out otherwise.
  Result<bool> runNear() {
    const corpus::TemporaryFolder folder;
    const std::vector<Changed> changed = changed_;
    for (std::size_t i = 0; i < changed.size(); ++i) {
      const std::string what =
          fmt::format("one edit of changed function {}", i + 1);
      if (isOver(untilNear)) {
        leaveOut(what, changed[i].passes, "the budget was spent before it");
        continue;
      }
      const std::string path = folder.file(fmt::format("{}.ll", i));
      std::ofstream(path) << changed[i].source;
      CampaignOptions campaign = options_.campaign;
      campaign.space = "near:" + path;
      campaign.passes = {changed[i].passes};
      campaign.order = "uniform";
      campaign.first = nearFunctions;
      // What has no edits in a space of ours is no mistake of the user.
      if (auto done =
              compare(what, changed[i].passes, std::move(campaign), untilNear);
          !done)
        leaveOut(what, changed[i].passes, done.error().message);
    }
    return true;
  }

  Result<bool> runSpaces() {
    std::set<std::pair<std::string, std::string>> finished;
    std::set<std::string> noted;
    for (std::uint64_t size = firstTurn;; size *= growth) {
      bool isAny = false;
      for (const runner::HuntSpace &space : runner::huntSpaces())
        for (const std::string &passes : options_.passes) {
          const std::string spec(space.spec);
          const std::uint8_t features = runner::featuresOf(spec);
          const std::uint64_t functions =
              (features & runner::folds) != 0 ? size * timesNearFolds : size;
          if (!runner::goTogether(runner::pipelineRow(passes), features) ||
              finished.count({spec, passes}) != 0)
            continue;
          if (isOver(1)) {
            if (size == firstTurn)
              leaveOut(spec, passes, "the budget was spent before it");
            continue;
          }
          CampaignOptions campaign = options_.campaign;
          campaign.space = spec;
          campaign.dataLayout =
              runner::dataLayoutOf(space, campaign.dataLayout);
          campaign.passes = {passes};
          campaign.order = enumerate::orderOfFirstLook;
          campaign.first = functions;
          const std::size_t before = gate_.parts.size();
          const auto done = compare(spec, passes, std::move(campaign), 1);
          if (!done) {
            // The first space is for every release: what is wrong with it is
            // wrong with the question.
            if (&space == runner::huntSpaces().data())
              return done.error();
            leaveOut(spec, passes, done.error().message);
            finished.insert({spec, passes});
            continue;
          }
          if (!*done) {
            // An earlier, smaller turn is the one that stands.
            if (size != firstTurn && gate_.parts.size() > before)
              gate_.parts.pop_back();
            continue;
          }
          isAny = true;
          if (coveredOf(spec, passes) < functions)
            finished.insert({spec, passes});
        }
      if (!isAny)
        return true;
    }
  }
  std::uint64_t coveredOf(const std::string &what,
                          const std::string &passes) const {
    for (const GatePart &part : gate_.parts)
      if (part.what == what && part.passes == passes)
        return part.covered;
    return 0;
  }

  struct Changed {
    std::string passes;
    std::string source;
  };

  const GateOptions &options_;
  corpus::ProgramReader &reader_;
  const std::function<bool()> &interrupted_;
  const std::function<void(const std::string &)> &say_;
  /// Parts of a second are dear: an opt is tried once, not for each.
  const std::shared_ptr<runner::KnownWorkers> workers_ =
      std::make_shared<runner::KnownWorkers>();
  Clock::time_point started_ = Clock::now();
  Gate gate_;
  std::map<std::string, GateBug> bugs_; ///< by id
  std::vector<Changed> changed_;
  std::set<std::string> seen_;
};

} // namespace

bool Gate::isOpen() const { return count("new") == 0 && newlyWrong == 0; }

std::size_t Gate::count(std::string_view state) const {
  return static_cast<std::size_t>(
      std::count_if(bugs.begin(), bugs.end(),
                    [&](const GateBug &bug) { return bug.state == state; }));
}

Result<Gate> runGate(const GateOptions &options, corpus::ProgramReader &reader,
                     const std::function<bool()> &interrupted,
                     const std::function<void(const std::string &)> &say) {
  return Runner(options, reader, interrupted, say).run();
}

} // namespace reports
