// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/hunt.h"

#include "reports/render/json.h"
#include "reports/triage/join.h"
#include "runner/campaign.h"
#include "runner/hunt/portfolio.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tuple>

namespace reports {
namespace {

using corpus::Error;
using corpus::Result;
using corpus::Store;

/// Findings of each pipeline and semantics that triage looks at, in turn; at
/// first of what may be news.
constexpr std::uint64_t rounds[] = {4, 20, 100};

/// What a store says of itself, and triage of a hunt asks.
struct Origin {
  /// What makes another bug of the same opcodes: memory, or vectors.
  std::uint8_t kind = 0;
  std::vector<std::string> semantics;
};

Origin originOf(const Store &store) {
  const auto identity = runner::CampaignIdentity::fromText(store.identity());
  if (!identity)
    return {};
  return {static_cast<std::uint8_t>(runner::featuresOf(identity->space) &
                                    (runner::memory | runner::vectors)),
          identity->semantics};
}

/// By kind of space and pipeline, what findings with a bug were filed under,
/// and what is at fault in the first of each of these: another one is most
/// often the same bug. Safe from any thread.
class Solved {
public:
  explicit Solved(Guesses &guesses) : guesses_(guesses) {}

  void add(const Store &store, const std::function<bool()> &shouldStop) {
    const Origin origin = originOf(store);
    const std::vector<corpus::Lane> lanes = store.lanes();
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const std::string &passes = lanes[lane].passes;
      for (const corpus::Finding &finding : store.findings(lane))
        if (!finding.bug.empty() && !shouldStop() &&
            put({origin.kind, passes, finding.bucket}))
          put({origin.kind, passes, guesses_.of(finding, origin.semantics)});
    }
  }

  /// The guess at a finding's fault, if neither that nor its bucket has a bug.
  std::optional<std::string> newsIn(const Origin &origin,
                                    const std::string &passes,
                                    const corpus::Finding &finding) {
    if (contains({origin.kind, passes, finding.bucket}))
      return std::nullopt;
    std::string fault = guesses_.of(finding, origin.semantics);
    if (contains({origin.kind, passes, fault}))
      return std::nullopt;
    return fault;
  }

private:
  /// Kind of space, pipeline, and a bucket or a fault: these never look alike.
  using Entry = std::tuple<std::uint8_t, std::string, std::string>;

  /// Whether it is new.
  bool put(Entry entry) {
    const std::lock_guard lock(mutex_);
    return solved_.insert(std::move(entry)).second;
  }
  bool contains(const Entry &entry) const {
    const std::lock_guard lock(mutex_);
    return solved_.contains(entry);
  }

  Guesses &guesses_;
  mutable std::mutex mutex_;
  std::set<Entry> solved_;
};

/// `later` is the same bug, found in another space; the smaller one stands for
/// both.
void merge(Bug &bug, Bug later) {
  const auto size = [](const Bug &each) {
    return std::pair(each.source.blocks.size(), each.source.instructionCount());
  };
  if (size(later) < size(bug)) {
    std::swap(bug, later);
    if (bug.window.empty())
      bug.window = later.window;
    if (!bug.known)
      bug.known = later.known;
  }
  const auto add = [](auto &into, auto &from) {
    for (auto &each : from)
      if (std::find(into.begin(), into.end(), each) == into.end())
        into.push_back(std::move(each));
  };
  std::vector<runner::BugLine::Place> places = std::move(bug.shownBy);
  places.insert(places.end(), later.shownBy.begin(), later.shownBy.end());
  add(bug.pipelines, later.pipelines);
  add(bug.semantics, later.semantics);
  add(bug.releases, later.releases);
  std::sort(bug.releases.begin(), bug.releases.end());
  constexpr std::size_t shown = 3;
  add(bug.examples, later.examples);
  bug.examples.resize(std::min(bug.examples.size(), shown));
  bug.functionsExact = bug.functions >= later.functions ? bug.functionsExact
                                                        : later.functionsExact;
  bug.functions = std::max(bug.functions, later.functions);
  bug.shownBy = std::move(places);
}

Result<std::vector<Bug>> storedBugs(const Store &store) {
  std::vector<Bug> bugs;
  for (const corpus::BugRecord &record : store.bugs()) {
    auto bug = bugFromJson(record.document);
    if (!bug)
      return bug.error();
    bugs.push_back(std::move(*bug));
  }
  return bugs;
}

} // namespace

Result<std::vector<Store>> openStores(const std::string &path) {
  const auto databases = runner::databasesOf(path);
  if (!databases)
    return databases.error();
  std::vector<Store> stores;
  for (const std::string &database : *databases) {
    auto store = Store::open(database);
    if (!store)
      return store.error();
    stores.push_back(std::move(*store));
  }
  return stores;
}

Result<runner::HuntBugs> triageSome(const std::vector<Store *> &stores,
                                    runner::Wanted wanted, unsigned threads,
                                    Guesses &guesses,
                                    const std::function<bool()> &shouldStop) {
  runner::HuntBugs found;
  std::mutex asking;
  const auto stops = [&] {
    const std::lock_guard lock(asking);
    return shouldStop();
  };
  TriageOptions options = defaultTriage();
  options.say = nullptr;
  options.shouldStop = stops;
  options.resumes = true;
  Solved solved(guesses);
  bool looksForNews = true;
  const auto optionsFor = [&](const Store &store) {
    TriageOptions result = options;
    if (looksForNews)
      result.newsIn = [&solved, &stops, origin = originOf(store)](
                          const std::string &passes,
                          const corpus::Finding &finding) {
        return stops() ? std::nullopt : solved.newsIn(origin, passes, finding);
      };
    return result;
  };
  const auto hasSomeWork = [&](const Store &store) {
    return Result<bool>(hasWork(store, optionsFor(store)));
  };
  const auto triageIf = [&](const auto &isWanted,
                            Store &store) -> std::optional<Error> {
    if (stops())
      return std::nullopt;
    const auto wanted = isWanted(store);
    if (!wanted)
      return wanted.error();
    if (!*wanted)
      return std::nullopt;
    if (auto bugs = triage(store, limitedSubjects(stops), optionsFor(store));
        !bugs)
      return bugs.error();
    if (looksForNews)
      solved.add(store, stops);
    return std::nullopt;
  };
  tbb::task_arena arena(threads == 0 ? tbb::task_arena::automatic
                                     : static_cast<int>(threads));
  // Where time is short a store that has no bug yet is worth more than one
  // that has many.
  std::vector<std::pair<std::size_t, Store *>> byBugs;
  byBugs.reserve(stores.size());
  for (Store *store : stores)
    byBugs.emplace_back(store->bugs().size(), store);
  std::stable_sort(
      byBugs.begin(), byBugs.end(),
      [](const auto &a, const auto &b) { return a.first < b.first; });
  const auto all = [&](const auto &isWanted) -> Result<bool> {
    std::vector<std::optional<Error>> errors(byBugs.size());
    std::atomic<std::size_t> next = 0; // ranges are taken in no order
    arena.execute([&] {
      tbb::parallel_for(std::size_t(0), byBugs.size(), [&](std::size_t) {
        const std::size_t i = next++;
        errors[i] = triageIf(isWanted, *byBugs[i].second);
      });
    });
    for (std::optional<Error> &error : errors)
      if (error)
        return std::move(*error);
    return !stops();
  };
  // One form of each row, so that its page is whole; the others come last.
  options.examinesRows = true;
  for (const Store *store : stores)
    solved.add(*store, stops);
  options.leavesDear = true;
  const auto look = [&](const std::uint64_t findings) -> std::optional<Error> {
    options.findings = findings;
    const auto done = all(hasSomeWork);
    if (!done)
      return done.error();
    found.isDone = *done;
    return std::nullopt;
  };
  for (const std::uint64_t findings : rounds)
    if (auto error = look(findings))
      return std::move(*error);
  looksForNews = false;
  // What is dear would keep what is cheap in all others from its turn.
  if (wanted == runner::Wanted::all)
    for (const bool leavesDear : {true, false})
      for (const std::uint64_t findings : rounds) {
        options.leavesDear = leavesDear;
        if (auto error = look(findings))
          return std::move(*error);
      }
  if (found.isDone && wanted == runner::Wanted::all) {
    options.examinesRows = false;
    const auto done = all([](const Store &store) -> Result<bool> {
      const auto bugs = storedBugs(store);
      if (!bugs)
        return bugs.error();
      return std::any_of(bugs->begin(), bugs->end(),
                         [](const Bug &bug) { return bug.window.empty(); });
    });
    if (!done)
      return done.error();
    found.isDone = *done;
  }
  std::vector<Bug> bugs;
  for (const Store *store : stores) {
    auto mine = storedBugs(*store);
    if (!mine)
      return mine.error();
    std::move(mine->begin(), mine->end(), std::back_inserter(bugs));
  }
  joinRows(bugs);
  // What stands in two stores is of the row that it has in the first, as in the
  // report.
  for (const Bug &bug : bugs)
    if (found.roots.emplace(bug.id, bug.root).second)
      found.lines.try_emplace(bug.root, summaryLine(bug));
  return found;
}

Result<Report> reportOf(const std::vector<const Store *> &stores) {
  Report whole;
  std::map<std::string, Bug> bugs;
  std::set<std::string> spaces;
  for (const Store *store : stores) {
    auto mine = storedBugs(*store);
    if (!mine)
      return mine.error();
    auto matrix = matrixOf(*store, *mine);
    if (!matrix)
      return matrix.error();
    if (stores.size() == 1) {
      sortForReaders(*mine);
      return Report{std::move(*mine), std::move(*matrix)};
    }
    // Rows of pipelines that have not looked yet would be empty.
    std::vector<std::optional<std::size_t>> place(matrix->rows.size());
    for (std::size_t lane = 0; lane < matrix->rows.size(); ++lane) {
      Matrix::Row &row = matrix->rows[lane];
      if (row.cells.front().tally[corpus::Counter::functions] == 0)
        continue;
      place[lane] = whole.matrix.rows.size();
      row.lane.passes += " over " + matrix->space;
      whole.matrix.rows.push_back(std::move(row));
      spaces.insert(matrix->space);
    }
    whole.matrix.columns = matrix->columns;
    whole.matrix.size = std::max(whole.matrix.size, matrix->size);
    for (Bug &bug : *mine) {
      for (runner::BugLine::Place &shown : bug.shownBy)
        shown.lane = place[shown.lane].value_or(0);
      const auto [entry, isNew] = bugs.try_emplace(bug.id, bug);
      if (!isNew)
        merge(entry->second, std::move(bug));
    }
  }
  for (auto &[id, bug] : bugs)
    whole.bugs.push_back(std::move(bug));
  sortForReaders(whole.bugs);
  whole.matrix.space = fmt::format("{} spaces", spaces.size());
  return whole;
}

} // namespace reports
