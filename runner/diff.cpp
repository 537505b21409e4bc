// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/diff.h"

#include "corpus/program/print.h"
#include "corpus/system/temporary_folder.h"
#include "runner/campaign_options.h"
#include "runner/certificate.h"
#include "runner/evaluate.h"
#include "runner/hunt/hunt.h"
#include "runner/interrupt.h"
#include "runner/rewrite.h"
#include "runner/worker.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>

namespace runner {
namespace {

using corpus::Error;
using corpus::ExitCode;
using corpus::PositionRange;
using corpus::Result;
using Outcomes = corpus::ChunkResult::Outcomes;

/// What became of so many functions is in memory at a time.
constexpr std::uint64_t sliceSize = 1U << 22;
/// Where only changed functions are checked: so many are optimized, and so
/// many changed ones checked first, for an answer that may be stopped.
constexpr std::uint64_t surveySize = 1U << 14;
constexpr std::size_t firstChecked = 64;
/// Changed outputs that are shown.
constexpr std::size_t shownOutputs = 5;
/// Rewrites gained and lost that are shown.
constexpr std::size_t shownRewrites = 10;

struct DiffArguments {
  DiffQuestion question;
  std::string format = "text";
};

/// The rewrites of `all` that `other` has not, the most frequent first. Where
/// one of them is not complete, of those hashes that both would have kept.
std::vector<corpus::Rewrite>
difference(const std::vector<corpus::Rewrite> &all,
           const std::vector<corpus::Rewrite> &other) {
  // Both ascend by hash.
  std::vector<corpus::Rewrite> only;
  std::set_difference(all.begin(), all.end(), other.begin(), other.end(),
                      std::back_inserter(only),
                      [](const corpus::Rewrite &a, const corpus::Rewrite &b) {
                        return a.hash < b.hash;
                      });
  if (other.size() == corpus::keptRewrites)
    std::erase_if(only, [&](const corpus::Rewrite &rewrite) {
      return rewrite.hash > other.back().hash;
    });
  std::sort(only.begin(), only.end(),
            [](const corpus::Rewrite &a, const corpus::Rewrite &b) {
              return std::tuple(b.count, a.firstRank, a.hash) <
                     std::tuple(a.count, b.firstRank, b.hash);
            });
  return only;
}

/// One pipeline, base against new.
struct Comparison {
  struct Change {
    std::uint64_t count = 0;
    std::uint64_t example = 0; ///< lowest position
  };
  std::uint64_t functions = 0; ///< looked at, with those they stand for
  std::uint64_t optimized = 0;
  std::uint64_t outputsChanged = 0;
  std::vector<std::uint64_t> examples; ///< lowest positions with other outputs
  /// Of each column: words of base and new.
  std::vector<std::map<std::pair<std::uint8_t, std::uint8_t>, Change>> verdicts;
};

/// Outcomes of a slice, in any order of chunks.
class Slice {
public:
  explicit Slice(std::size_t columns) : columns_(columns) {}

  void add(const Outcomes &outcomes) {
    for (std::size_t i = 0; i < outcomes.positions.size(); ++i)
      entries_.push_back({outcomes.positions[i], outcomes.outputs[i],
                          words_.size() + i * columns_});
    words_.insert(words_.end(), outcomes.words.begin(), outcomes.words.end());
  }
  void sort() {
    std::sort(
        entries_.begin(), entries_.end(),
        [](const Entry &a, const Entry &b) { return a.position < b.position; });
  }

  struct Entry {
    std::uint64_t position;
    std::uint64_t output;
    std::size_t words; ///< index of the first column's
  };
  const std::vector<Entry> &entries() const { return entries_; }
  std::uint8_t word(const Entry &entry, std::size_t column) const {
    return words_[entry.words + column];
  }

private:
  std::size_t columns_;
  std::vector<Entry> entries_;
  corpus::Bytes words_;
};

/// Calls `take` with each function's entry of both.
template <typename Take>
void forBoth(const Slice &base, const Slice &next, const Take &take) {
  assert(base.entries().size() == next.entries().size() &&
         "symmetry does not know the optimizer");
  for (std::size_t i = 0; i < base.entries().size(); ++i) {
    assert(base.entries()[i].position == next.entries()[i].position);
    take(base.entries()[i], next.entries()[i]);
  }
}

/// Positions whose outputs differ, ascending.
std::vector<std::uint64_t> changedOutputs(const Slice &base, const Slice &next,
                                          Comparison &comparison) {
  std::vector<std::uint64_t> changed;
  forBoth(base, next, [&](const Slice::Entry &one, const Slice::Entry &other) {
    if (one.output != other.output)
      changed.push_back(one.position);
  });
  comparison.optimized += base.entries().size();
  comparison.outputsChanged += changed.size();
  for (std::size_t i = 0;
       i < changed.size() && comparison.examples.size() < shownOutputs; ++i)
    comparison.examples.push_back(changed[i]);
  return changed;
}

void compareWords(const Slice &base, const Slice &next,
                  Comparison &comparison) {
  forBoth(base, next, [&](const Slice::Entry &one, const Slice::Entry &other) {
    for (std::size_t column = 0; column < comparison.verdicts.size();
         ++column) {
      const std::pair words(base.word(one, column), next.word(other, column));
      if (words.first == words.second)
        continue;
      Comparison::Change &change = comparison.verdicts[column][words];
      if (change.count++ == 0)
        change.example = one.position;
    }
  });
}

/// Puts an optimizer beside the others, and says which kind it is, in the order
/// of a campaign's lanes.
enum class Kind { release, build, opt };
Kind addEither(const std::string &name, CampaignOptions &options) {
  const std::size_t releases = options.releases.size();
  if (name.find_first_of("/\\") == std::string::npos) {
    CampaignOptions named;
    addOptimizer(name, named);
    if (!named.releases.empty() || findNamed(name)) {
      addOptimizer(name, options);
      return options.releases.size() > releases ? Kind::release : Kind::build;
    }
  }
  options.opts.push_back(name);
  return Kind::opt;
}

/// Lanes of base and new.
struct Sides {
  std::size_t pipelines = 0;
  std::size_t base = 0; ///< its first lane
  std::size_t next = 0;
};

class Diff {
public:
  Diff(Campaign &campaign, Sides sides, std::vector<PositionRange> positions,
       bool checksOnlyChanged)
      : campaign_(campaign), sides_(sides), positions_(std::move(positions)),
        checksOnlyChanged_(checksOnlyChanged), comparisons_(sides.pipelines) {
    for (Comparison &comparison : comparisons_)
      comparison.verdicts.resize(campaign.identity().semantics.size());
  }

  Result<Campaign::End> run(Progress &progress,
                            const std::function<bool()> &shouldStop) {
    const std::uint64_t size = checksOnlyChanged_ ? surveySize : sliceSize;
    for (const PositionRange &range : positions_)
      for (std::uint64_t begin = range.begin; begin < range.end;
           begin += size) {
        const PositionRange slice{begin, std::min(begin + size, range.end)};
        auto end = checksOnlyChanged_
                       ? compareChanged(slice, progress, shouldStop)
                       : compare(slice, progress, shouldStop);
        if (!end || *end == Campaign::End::stopped)
          return end;
      }
    return Campaign::End::finished;
  }

  /// Something was compared, though a stop may have come before the end.
  bool isBegun() const {
    return std::any_of(
        comparisons_.begin(), comparisons_.end(),
        [](const Comparison &each) { return each.optimized != 0; });
  }

  /// An object for each pipeline and semantics.
  Json comparisonsJson() const {
    Json all = Json::array();
    const CampaignIdentity &identity = campaign_.identity();
    const std::vector<corpus::Lane> lanes = campaign_.store().lanes();
    for (std::size_t i = 0; i < sides_.pipelines; ++i)
      for (std::size_t column = 0; column < identity.semantics.size();
           ++column) {
        const auto resultOf = [&](std::size_t lane) {
          return resultEntry(identity, lanes, lane, column,
                             campaign_.store().tally(lane, column));
        };
        Json verdicts = Json::array();
        for (const auto &[words, change] : comparisons_[i].verdicts[column])
          verdicts.push_back(
              {{"base", outcomeSpelling(words.first)},
               {"new", outcomeSpelling(words.second)},
               {"count", change.count},
               {"example", campaign_.space().nameOf(rankAt(change.example))}});
        all.push_back({{"pipeline", lanes[sides_.base + i].passes},
                       {"semantics", identity.semantics[column]},
                       {"base", resultOf(sides_.base + i)},
                       {"new", resultOf(sides_.next + i)},
                       {"functions", comparisons_[i].functions},
                       {"optimized", comparisons_[i].optimized},
                       {"outputs_changed", comparisons_[i].outputsChanged},
                       {"verdicts_changed", verdicts}});
      }
    return all;
  }

  /// What each pipeline does to functions that it did not do, or no longer.
  Json rewritesJson() const {
    Json all = Json::array();
    const corpus::Store &store = campaign_.store();
    for (std::size_t i = 0; i < sides_.pipelines; ++i) {
      const auto base = store.rewrites(sides_.base + i);
      const auto next = store.rewrites(sides_.next + i);
      const auto listOf = [&](const std::vector<corpus::Rewrite> &rewrites) {
        Json list = Json::array();
        for (const corpus::Rewrite &rewrite : rewrites) {
          if (list.size() == shownRewrites)
            break;
          Json entry = exampleJson(i, rewrite.firstRank);
          entry["rewrite"] = rewriteText(rewrite.form).value_or("");
          entry["functions"] = rewrite.count;
          entry["first"] = campaign_.space().nameOf(rewrite.firstRank);
          list.push_back(std::move(entry));
        }
        return Json{{"count", rewrites.size()}, {"shown", std::move(list)}};
      };
      all.push_back({{"pipeline", store.lanes()[sides_.base + i].passes},
                     {"gained", listOf(difference(next, base))},
                     {"lost", listOf(difference(base, next))}});
    }
    return all;
  }

  /// Both outputs of the changed functions of the lowest positions.
  Json outputsJson() const {
    Json all = Json::array();
    for (std::size_t i = 0; i < sides_.pipelines; ++i)
      for (const std::uint64_t position : comparisons_[i].examples) {
        const Rank rank = rankAt(position);
        Json entry = exampleJson(i, rank);
        entry["function"] = campaign_.space().nameOf(rank);
        entry["pipeline"] = campaign_.store().lanes()[sides_.base + i].passes;
        all.push_back(std::move(entry));
      }
    return all;
  }

  /// "new", "fixed" or "both".
  std::string_view stateOf(const BugLine &bug) const {
    bool inBase = false;
    bool inNew = false;
    for (const BugLine::Place &place : bug.shownBy)
      (isBase(place.lane) ? inBase : inNew) = true;
    return inBase && inNew ? "both" : inNew ? "new" : "fixed";
  }

  using Seconds = std::chrono::duration<double>;
  Seconds baseTime() const { return seconds_[0]; }
  Seconds newTime() const { return seconds_[1]; }

private:
  bool isBase(std::size_t lane) const {
    return lane - sides_.base < sides_.pipelines;
  }
  Rank rankAt(std::uint64_t position) const {
    return campaign_.identity().selection.rank(position);
  }
  /// What becomes of functions through one pipeline.
  struct Look {
    Campaign::End end = Campaign::End::finished;
    Slice base;
    Slice next;
  };
  Result<Look> look(std::size_t pipeline, std::vector<PositionRange> positions,
                    Progress &progress,
                    const std::function<bool()> &shouldStop) {
    const std::size_t columns = campaign_.identity().semantics.size();
    Look result{Campaign::End::finished, Slice(columns), Slice(columns)};
    campaign_.observe([&](std::size_t lane, const Outcomes &outcomes) {
      (isBase(lane) ? result.base : result.next).add(outcomes);
    });
    campaign_.lookOnlyAt(std::move(positions));
    for (const std::size_t side : {sides_.base, sides_.next}) {
      campaign_.lookOnlyThrough(side + pipeline);
      const auto started = std::chrono::steady_clock::now();
      const auto end = campaign_.run(progress, shouldStop);
      if (!end)
        return end.error();
      result.end = *end;
      if (*end == Campaign::End::stopped)
        return result;
      seconds_[isBase(side + pipeline) ? 0 : 1] +=
          std::chrono::steady_clock::now() - started;
    }
    result.base.sort();
    result.next.sort();
    return result;
  }

  Result<Campaign::End> compare(PositionRange slice, Progress &progress,
                                const std::function<bool()> &shouldStop) {
    for (std::size_t i = 0; i < sides_.pipelines; ++i) {
      const auto both = look(i, {slice}, progress, shouldStop);
      if (!both)
        return both.error();
      if (both->end == Campaign::End::stopped)
        return both->end;
      comparisons_[i].functions += functionsOf(i, slice);
      changedOutputs(both->base, both->next, comparisons_[i]);
      compareWords(both->base, both->next, comparisons_[i]);
    }
    return Campaign::End::finished;
  }

  Result<Campaign::End>
  compareChanged(PositionRange slice, Progress &progress,
                 const std::function<bool()> &shouldStop) {
    for (std::size_t i = 0; i < sides_.pipelines; ++i) {
      campaign_.lookOnlyAtOutputs(true);
      const auto both = look(i, {slice}, progress, shouldStop);
      campaign_.lookOnlyAtOutputs(false);
      if (!both)
        return both.error();
      if (both->end == Campaign::End::stopped)
        return both->end;
      comparisons_[i].functions += functionsOf(i, slice);
      const auto changed =
          changedOutputs(both->base, both->next, comparisons_[i]);
      const Seconds ofOutputs[] = {seconds_[0], seconds_[1]};
      auto end = check(i, changed, progress, shouldStop);
      std::copy(std::begin(ofOutputs), std::end(ofOutputs), seconds_);
      if (!end || *end == Campaign::End::stopped)
        return end;
    }
    return Campaign::End::finished;
  }

  /// Few at first, so that there is an answer about some.
  Result<Campaign::End> check(std::size_t pipeline,
                              const std::vector<std::uint64_t> &changed,
                              Progress &progress,
                              const std::function<bool()> &shouldStop) {
    for (std::size_t begin = 0, size = firstChecked; begin < changed.size();
         begin += size, size *= 2) {
      std::vector<PositionRange> positions;
      for (std::size_t i = begin; i < std::min(begin + size, changed.size());
           ++i)
        positions.push_back({changed[i], changed[i] + 1});
      const auto both =
          look(pipeline, std::move(positions), progress, shouldStop);
      if (!both)
        return both.error();
      if (both->end == Campaign::End::stopped)
        return both->end;
      compareWords(both->base, both->next, comparisons_[pipeline]);
    }
    return Campaign::End::finished;
  }

  std::uint64_t functionsOf(std::size_t pipeline, PositionRange slice) const {
    return totalSize(intersection(
        campaign_.identity().positionsOf(sides_.base + pipeline), {slice}));
  }

  /// A function with what it needs to be read, what both make of it, and the
  /// size of that.
  Json exampleJson(std::size_t pipeline, Rank rank) const {
    const corpus::Program source = campaign_.space().at(rank);
    Json entry = {{"source", corpus::printModule(source, "src")}};
    for (const auto &[side, lane] :
         {std::pair("base", sides_.base), std::pair("new", sides_.next)}) {
      const Output output = outputOf(lane + pipeline, source);
      const bool isGood = output.status == Output::Status::ok;
      entry[side] =
          isGood ? corpus::printFunction(output.program, "tgt") : output.detail;
      if (isGood)
        entry["size"][side] = {
            {"instructions", output.program.instructionCount()},
            {"flags", flagCount(output.program)}};
    }
    return entry;
  }
  static unsigned flagCount(const corpus::Program &program) {
    unsigned count = 0;
    for (const corpus::Instruction &each : program.instructions)
      count += static_cast<unsigned>(std::popcount(each.flags.bits()));
    return count;
  }
  Output outputOf(std::size_t lane, const corpus::Program &source) const {
    const auto &[release, pipeline, positions] =
        campaign_.identity().lanes[lane];
    const auto installation = findWorker(release, pipeline);
    assert(installation && "it ran the campaign");
    auto answer = Worker(*installation).optimize({&source, 1}, pipeline);
    if (auto *outputs = std::get_if<std::vector<Output>>(&answer))
      return std::move(outputs->front());
    Output dead;
    dead.status = Output::Status::crash;
    dead.detail = std::get<WorkerDied>(answer).how;
    return dead;
  }

  Campaign &campaign_;
  Sides sides_;
  std::vector<PositionRange> positions_;
  bool checksOnlyChanged_;
  std::vector<Comparison> comparisons_;
  Seconds seconds_[2] = {}; ///< of base and new
};

void printText(const DiffResult &result) {
  const Json &summary = result.summary;
  for (const Json &entry : summary.at("comparisons")) {
    fmt::print("{} {} [{}]: {} -> {}\n", summary.at("space").get<std::string>(),
               entry.at("pipeline").get<std::string>(),
               entry.at("semantics").get<std::string>(),
               optimizerText(entry.at("base")), optimizerText(entry.at("new")));
    fmt::print("  {} functions optimized, {} outputs changed\n",
               entry.at("base").at("represented").get<std::uint64_t>(),
               entry.at("outputs_changed").get<std::uint64_t>());
    for (const Json &change : entry.at("verdicts_changed"))
      fmt::print("  {} -> {}: {}, for example {}\n",
                 change.at("base").get<std::string>(),
                 change.at("new").get<std::string>(),
                 change.at("count").get<std::uint64_t>(),
                 change.at("example").get<std::string>());
  }
  for (const Json &entry : summary.at("rewrites"))
    for (const char *what : {"gained", "lost"}) {
      const Json &list = entry.at(what);
      if (list.at("count") == 0)
        continue;
      fmt::print("{}: {} rewrites {}\n",
                 entry.at("pipeline").get<std::string>(),
                 list.at("count").get<std::uint64_t>(), what);
      for (const Json &rewrite : list.at("shown"))
        fmt::print("{:>10}  {}  ; first {}\n",
                   rewrite.at("functions").get<std::uint64_t>(),
                   rewrite.at("rewrite").get<std::string>(),
                   rewrite.at("first").get<std::string>());
    }
  for (const Json &output : summary.at("outputs"))
    fmt::print("\n{} {}\n{}\nbase:\n{}\nnew:\n{}",
               output.at("function").get<std::string>(),
               output.at("pipeline").get<std::string>(),
               output.at("source").get<std::string>(),
               output.at("base").get<std::string>(),
               output.at("new").get<std::string>());
  if (!summary.at("outputs").empty())
    fmt::print("\n");
  for (const auto &[state, title] :
       {std::pair("new", "new"), std::pair("fixed", "fixed"),
        std::pair("both", "in both")}) {
    fmt::print("{} bugs {}\n",
               std::count(result.states.begin(), result.states.end(), state),
               title);
    for (std::size_t i = 0; i < result.bugs.size(); ++i)
      if (result.states[i] == state)
        fmt::print("  {}\n", result.bugs[i].text.empty()
                                 ? result.bugs[i].id + " one more form of it"
                                 : result.bugs[i].text);
  }
}

/// Verdicts that base had and new has not.
bool losesVerdicts(const Json &summary) {
  const auto isNone = [](const Json &word) {
    return word == "unsupported" || word == "undecided";
  };
  for (const Json &entry : summary.at("comparisons"))
    for (const Json &change : entry.at("verdicts_changed"))
      if (isNone(change.at("new")) && !isNone(change.at("base")))
        return true;
  return false;
}

/// Where the functions are those of an earlier campaign, `options.space` names
/// its database.
bool namesDatabase(const CampaignOptions &options) {
  std::error_code error;
  return std::filesystem::is_regular_file(options.space, error);
}

/// An earlier campaign, and what it has looked at.
struct Earlier {
  CampaignIdentity identity;
  std::vector<PositionRange> positions; ///< ascending, disjoint
};

/// What any lane has done.
std::vector<PositionRange> doneBy(const corpus::Store &store) {
  std::vector<PositionRange> all;
  for (std::size_t lane = 0; lane < store.lanes().size(); ++lane)
    for (const PositionRange &range : store.done(lane))
      all.push_back(range);
  std::sort(all.begin(), all.end(),
            [](const PositionRange &a, const PositionRange &b) {
              return a.begin < b.begin;
            });
  std::vector<PositionRange> joined;
  for (const PositionRange &range : all)
    if (!joined.empty() && range.begin <= joined.back().end)
      joined.back().end = std::max(joined.back().end, range.end);
    else
      joined.push_back(range);
  return joined;
}

/// Takes what was run there, and leaves the optimizers and how to run them.
Result<Earlier> takeFromDatabase(CampaignOptions &options) {
  const std::string path = options.space;
  const auto store = corpus::Store::open(path);
  if (!store)
    return store.error();
  auto identity = CampaignIdentity::fromText(store->identity());
  if (!identity)
    return identity.error();
  const CampaignOptions usual;
  if (!options.passes.empty() || options.semantics != usual.semantics ||
      !options.range.empty() || options.sample != 0 || options.checkEach ||
      !options.triple.empty() || !options.dataLayout.empty() ||
      !options.llvmArgs.empty())
    return Error{fmt::format("{} says which functions, passes and semantics; "
                             "give a space to choose others",
                             path)};
  if (identity->isOfFiles() && options.corpus.empty())
    return Error{fmt::format("{} is about functions of files; give them with "
                             "--corpus",
                             path)};
  options = optionsOf(*identity, std::move(options));
  return Earlier{std::move(*identity), doneBy(*store)};
}

ExitCode runOne(const DiffArguments &arguments, corpus::ProgramReader &reader,
                const Triage &triage) {
  const SignalGuard signals;
  const auto answer = diffOptimizers(arguments.question, reader, triage,
                                     SignalGuard::isInterrupted);
  if (const auto *failure = std::get_if<DiffFailure>(&answer)) {
    fmt::print(stderr, "irsieve diff: {}\n", failure->message);
    return failure->code;
  }
  const DiffResult &result = std::get<DiffResult>(answer);
  if (arguments.format == "json")
    fmt::print("{}\n", result.summary.dump());
  else
    printText(result);
  if (std::count(result.states.begin(), result.states.end(), "new") != 0)
    return ExitCode::somethingWrong;
  return losesVerdicts(result.summary) ? ExitCode::incomplete
                                       : ExitCode::nothingWrong;
}

/// A hunt's folder is each of its databases.
ExitCode runDiff(const DiffArguments &arguments, corpus::ProgramReader &reader,
                 const Triage &triage) {
  std::error_code error;
  if (!std::filesystem::is_directory(arguments.question.campaign.space, error))
    return runOne(arguments, reader, triage);
  const auto databases = databasesOf(arguments.question.campaign.space);
  if (!databases) {
    fmt::print(stderr, "irsieve diff: {}\n", databases.error().message);
    return ExitCode::badInput;
  }
  ExitCode code = ExitCode::nothingWrong;
  for (const std::string &database : *databases) {
    DiffArguments one = arguments;
    one.question.campaign.space = database;
    code = corpus::worse(code, runOne(one, reader, triage));
    if (code == ExitCode::stopped)
      break;
  }
  return code;
}

} // namespace

std::variant<DiffResult, DiffFailure>
diffOptimizers(DiffQuestion question, corpus::ProgramReader &reader,
               const Triage &triage, const std::function<bool()> &shouldStop) {
  const auto refuse = [](const std::string &message) {
    return DiffFailure{ExitCode::badInput, message};
  };
  const auto fail = [](const Error &error) {
    return DiffFailure{ExitCode::incomplete, error.message};
  };
  CampaignOptions &options = question.campaign;
  if (question.base == question.next)
    return refuse(fmt::format("--base and --new are both {}; give two releases "
                              "or opts",
                              question.base));
  const Kind base = addEither(question.base, options);
  const bool baseComesLast = base > addEither(question.next, options);
  const std::string database = options.space;
  std::optional<Earlier> earlier;
  if (namesDatabase(options)) {
    auto taken = takeFromDatabase(options);
    if (!taken)
      return refuse(taken.error().message);
    earlier = std::move(*taken);
  }
  const corpus::TemporaryFolder folder;
  options.database = folder.file("diff.db");
  options.commonPipelines = true;
  auto campaign = Campaign::prepare(options, reader);
  if (!campaign)
    return refuse(campaign.error().message);
  if (earlier)
    if (const auto difference =
            otherFunctions(database, earlier->identity, campaign->identity()))
      return refuse(difference->message);
  Progress progress(question.progress);
  const std::size_t pipelines = campaign->identity().lanes.size() / 2;
  Diff diff(
      *campaign,
      {pipelines, baseComesLast ? pipelines : 0, baseComesLast ? 0 : pipelines},
      earlier ? earlier->positions
              : std::vector{campaign->identity().selection.window()},
      question.checksOnlyChanged);
  const auto end = diff.run(progress, shouldStop);
  if (!end)
    return fail(end.error());
  const bool isWhole = *end == Campaign::End::finished;
  if (!isWhole && !(question.checksOnlyChanged && diff.isBegun()))
    return DiffFailure{ExitCode::stopped,
                       "stopped; a smaller --range or a --sample ends sooner"};
  auto bugs = triage(campaign->store(), shouldStop);
  if (!bugs)
    return fail(bugs.error());

  DiffResult result;
  result.bugs = std::move(*bugs);
  for (const BugLine &line : result.bugs)
    result.states.emplace_back(diff.stateOf(line));
  Json documents = Json::array();
  for (const corpus::BugRecord &record : campaign->store().bugs()) {
    documents.push_back(Json::parse(record.document, nullptr, false));
    for (std::size_t i = 0; i < result.bugs.size(); ++i)
      if (result.bugs[i].id == record.id)
        documents.back()["state"] = result.states[i];
  }
  result.summary = {{"space", campaign->identity().space},
                    {"comparisons", diff.comparisonsJson()},
                    {"rewrites", diff.rewritesJson()},
                    {"outputs", diff.outputsJson()},
                    {"bugs", std::move(documents)}};
  result.baseSeconds = diff.baseTime().count();
  result.newSeconds = diff.newTime().count();
  result.isWhole = isWhole;
  return result;
}

void addDiffCommand(CLI::App &app, corpus::ProgramReader &reader,
                    const Triage &triage, ExitCode &exitCode) {
  auto arguments = std::make_shared<DiffArguments>();
  DiffQuestion &question = arguments->question;
  question.progress = Progress::Style::automatic;
  CLI::App *command = app.add_subcommand(
      "diff", "Compare two optimizers on the same functions: outputs and "
              "verdicts that changed, bugs new and fixed. In the place of a "
              "space a database of `irsieve run`, or the folder of a hunt, may "
              "stand: its functions, passes and semantics");
  command
      ->add_option("--base", question.base,
                   "LLVM release, name of an own build, or the path of an opt")
      ->required();
  command
      ->add_option("--new", question.next,
                   "LLVM release, name of an own build, or the path of an opt")
      ->required();
  addCampaignOptions(*command, question.campaign);
  command->add_option("--format", arguments->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  addProgressOptions(*command, question.progress);
  command->footer(
      "Example: irsieve diff --base 22 --new build/bin/opt i2x2 "
      "--passes=instcombine\n"
      "     or: irsieve diff --base 22 --new build/bin/opt hunt.db\n"
      "Exit code: 0 no new bug, 1 a new bug, 2 bad input, 3 what had a verdict "
      "has none any more, 4 stopped");
  command->callback([arguments, &reader, triage, &exitCode] {
    exitCode = runDiff(*arguments, reader, triage);
  });
}

} // namespace runner
