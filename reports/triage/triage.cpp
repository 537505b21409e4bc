// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/triage.h"

#include "reports/render/json.h"
#include "reports/triage/examine.h"
#include "reports/triage/experiment.h"
#include "reports/triage/fault.h"
#include "reports/triage/known.h"
#include "reports/triage/reduce.h"
#include "reports/triage/signature.h"
#include "runner/campaign.h"
#include "runner/crash_text.h"
#include "runner/evaluate.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>

namespace reports {
namespace {

using checker::Kind;
using corpus::Error;
using corpus::Finding;
using corpus::Program;
using corpus::Result;
using Place = runner::BugLine::Place;

Kind kindOf(const std::string &spelling) {
  const auto kind = checker::parseKind(spelling);
  assert(kind && "the store keeps our words");
  return *kind;
}

/// Whether it waits for another triage.
bool isLeft(const TriageOptions &options, const Finding &finding) {
  return options.leavesDear && runner::isDear(finding.bucket);
}

/// Whether a `-passes=` string names one pass and nothing around it: then there
/// is nobody else to blame.
bool isSinglePass(std::string_view passes) {
  return passes.find_first_of(",(") == std::string_view::npos &&
         !passes.starts_with("default<") && !passes.starts_with("thinlto") &&
         !passes.starts_with("lto");
}

/// A verifier's message names values and types by number.
std::string textWithoutNumbers(std::string text) {
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text;
}

/// Of one column's findings: the lowest rank, then one of each bucket before
/// any bucket has a second. Within a bucket and among buckets the hash of the
/// rank decides, so that what one column keeps another keeps too where it is
/// wrong there.
std::vector<Finding> inTurns(std::vector<Finding> findings) {
  std::sort(findings.begin(), findings.end(),
            [](const Finding &a, const Finding &b) {
              return corpus::rankHash(a.rank) < corpus::rankHash(b.rank);
            });
  const auto lowest = std::min_element(
      findings.begin(), findings.end(),
      [](const Finding &a, const Finding &b) { return a.rank < b.rank; });
  std::map<std::string, std::size_t> turns;
  std::vector<std::pair<std::size_t, std::size_t>> order; // turn, index
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const std::size_t turn = ++turns[findings[i].bucket];
    order.emplace_back(&findings[i] == &*lowest ? 0 : turn, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<Finding> sorted;
  sorted.reserve(order.size());
  for (const auto &[turn, index] : order)
    sorted.push_back(std::move(findings[index]));
  return sorted;
}

/// At most `limit` of them, so that a larger limit only adds; where triage
/// resumes, and beyond the limit, what has a bug.
std::vector<Finding> thinned(std::vector<Finding> findings, std::uint64_t limit,
                             const TriageOptions &options) {
  if (findings.size() <= limit)
    return findings;
  std::vector<Finding> kept;
  std::uint64_t place = 0;
  for (Finding &finding : inTurns(std::move(findings)))
    if (place++ < limit || (options.resumes && !finding.bug.empty()))
      kept.push_back(std::move(finding));
  return kept;
}

/// The same where only news are looked at: so many that with the bugs that are
/// there they are `limit`.
std::vector<Finding> newsAmong(std::vector<Finding> findings,
                               std::uint64_t limit, const std::string &passes,
                               const TriageOptions &options) {
  std::vector<Finding> kept;
  std::set<std::string> bugs;
  std::vector<Finding> firsts; // of buckets
  std::set<std::string> buckets;
  for (Finding &finding : inTurns(std::move(findings))) {
    const bool isFirst = buckets.insert(finding.bucket).second;
    if (options.resumes && !finding.bug.empty()) {
      bugs.insert(finding.bug);
      kept.push_back(std::move(finding));
    } else if (isFirst && !isLeft(options, finding)) {
      firsts.push_back(std::move(finding));
    }
  }
  std::set<std::string> news;
  for (Finding &finding : firsts) {
    if (bugs.size() + news.size() >= limit)
      break;
    if (auto what = options.newsIn(passes, finding);
        what && news.insert(std::move(*what)).second)
      kept.push_back(std::move(finding));
  }
  return kept;
}

/// What triage looks at in a lane, by column.
std::map<int, std::vector<Finding>> selection(std::vector<Finding> findings,
                                              const std::string &passes,
                                              const TriageOptions &options) {
  std::map<int, std::vector<Finding>> byColumn;
  for (Finding &finding : findings)
    byColumn[finding.column].push_back(std::move(finding));
  for (auto &[column, own] : byColumn) {
    const std::uint64_t limit =
        column > 0 ? options.findingsBeside.value_or(options.findings)
                   : options.findings;
    own = options.newsIn ? newsAmong(std::move(own), limit, passes, options)
                         : thinned(std::move(own), limit, options);
  }
  return byColumn;
}

/// What became of one finding.
struct Solved {
  std::string id;
  std::string signature; ///< its own, before the user's decisions
  Blame reduced;
  Program input;             ///< what `pipeline` is given
  bool isInPipeline = false; ///< which is more than the culprit
  runner::Pipeline pipeline;
  std::string checkedUnder;
};

/// All findings of one symptom that one experiment can show.
struct Case {
  explicit Case(Experiment shows)
      : experiment(std::move(shows)),
        reducer([this](std::span<const Program> programs) {
          auto results = experiment.run(programs);
          std::vector<std::optional<Reducer::Shown>> shown(results.size());
          for (std::size_t i = 0; i < results.size(); ++i)
            if (results[i])
              shown[i].emplace().target = std::move(results[i]->after);
          return shown;
        }) {}
  Case(const Case &) = delete;
  Case &operator=(const Case &) = delete;

  Experiment experiment;
  Reducer reducer;
  std::map<corpus::Bytes, Solved> solved; ///< by the reduced source
};

/// One bug in the making.
struct Group {
  Solved best;
  unsigned release = 0;
  int column = corpus::everyColumn;
  /// Ranks by place and bucket.
  std::map<std::pair<std::size_t, int>,
           std::map<std::string, std::set<corpus::Rank>>>
      findings;
  std::set<std::pair<corpus::Rank, std::string>> names;
  /// By their own signatures, bugs that the user merged into this one.
  std::map<std::string, Solved> merged;
};

class Triage {
public:
  Triage(corpus::Store &store, const Subjects &subjects,
         const TriageOptions &options)
      : store_(store), subjects_(subjects), options_(options) {}

  Result<std::vector<Bug>> run() {
    auto identity = runner::CampaignIdentity::fromText(store_.identity());
    if (!identity)
      return identity.error();
    identity_ = std::move(*identity);
    for (const std::string &name : identity_.semantics) {
      auto semantics = checker::parseSemantics(name);
      if (!semantics)
        return semantics.error();
      columns_.push_back(*semantics);
    }
    for (corpus::Store::Decision &decision : store_.decisions())
      decisions_.emplace(decision.bug, decision.target);
    if (options_.resumes)
      for (const corpus::BugRecord &record : store_.bugs())
        if (auto bug = bugFromJson(record.document))
          earlier_.emplace(record.id, std::move(*bug));
    for (const Turn turn : {Turn::solved, Turn::cheap, Turn::dear})
      for (std::size_t lane = 0; lane < identity_.lanes.size(); ++lane)
        if (auto error = examineLane(lane, turn))
          return std::move(*error);
    if (looked_ < found_)
      say(fmt::format("{} of {} kept findings make these bugs; `irsieve triage "
                      "--findings 0` looks at all of them",
                      looked_, found_));
    std::vector<Bug> bugs = collect();
    examine(bugs);
    for (Bug &bug : bugs)
      if (!bug.known)
        bug.known = knownRoot(bug);
    splitRows(bugs);
    sortForReaders(bugs);
    if (auto saved = save(bugs); !saved)
      return saved.error();
    return bugs;
  }

private:
  /// What was solved before costs nothing; what hangs or eats memory is dear.
  enum class Turn : std::uint8_t { solved, cheap, dear };
  Turn turnOf(const std::vector<Finding> &findings) const {
    const auto all = [&](auto &&is) {
      return std::all_of(findings.begin(), findings.end(), is);
    };
    if (all([&](const Finding &f) { return earlier_.count(f.bug) != 0; }))
      return Turn::solved;
    return all([](const Finding &f) { return !runner::isDear(f.bucket); })
               ? Turn::cheap
               : Turn::dear;
  }

  bool shouldStop() const {
    return options_.shouldStop && options_.shouldStop();
  }

  std::optional<Error> examineLane(std::size_t lane, Turn turn) {
    std::vector<Finding> all = store_.findings(lane);
    found_ += turn == Turn::solved ? all.size() : 0;
    std::map<int, std::uint64_t> left;
    for (const Finding &finding : all)
      ++left[finding.column];
    std::map<corpus::Rank, std::vector<Finding>> byRank;
    const std::string &passes = identity_.lanes[lane].pipeline.passes;
    for (auto &[column, findings] :
         selection(std::move(all), passes, options_)) {
      if (left[column] > findings.size())
        sampled_.insert({lane, column});
      for (Finding &finding : findings)
        byRank[finding.rank].push_back(std::move(finding));
    }
    std::erase_if(byRank, [&](const auto &entry) {
      const auto &findings = entry.second;
      return turnOf(findings) != turn ||
             (turn != Turn::solved &&
              std::all_of(findings.begin(), findings.end(),
                          [&](const Finding &finding) {
                            return isLeft(options_, finding);
                          }));
    });
    if (byRank.empty())
      return std::nullopt;
    auto subject = subjects_.of(identity_.lanes[lane].release,
                                identity_.lanes[lane].pipeline);
    if (!subject)
      return subject.error();
    std::size_t done = 0;
    for (auto &[rank, findings] : byRank) {
      if (turn != Turn::solved && shouldStop()) {
        for (const auto &[column, count] : left)
          sampled_.insert({lane, column});
        break;
      }
      std::sort(findings.begin(), findings.end(),
                [](const Finding &a, const Finding &b) {
                  return a.column < b.column;
                });
      const runner::CampaignIdentity::LaneIdentity &identity =
          identity_.lanes[lane];
      beat([&] {
        return fmt::format("reducing what LLVM {} {} got wrong: {} of {} "
                           "functions done, {} bugs",
                           identity.release, identity.pipeline.passes, done,
                           byRank.size(), groups_.size());
      });
      ++done;
      examineRank(lane, **subject, findings);
    }
    return std::nullopt;
  }

  /// All findings of one function in one lane.
  void examineRank(std::size_t lane, Subject &subject,
                   const std::vector<Finding> &findings) {
    const runner::Pipeline &pipeline = identity_.lanes[lane].pipeline;
    const Program source = storedProgram(findings.front().source);
    std::optional<runner::Answer<runner::Trace>> trace;
    std::vector<Solved> before;
    if (turnOf(findings) == Turn::solved) {
      for (const Finding &finding : findings)
        file(lane, finding, solvedBefore(earlier_.at(finding.bug)));
      return;
    }
    for (const Finding &finding : findings) {
      Blame blamed;
      if (isSinglePass(pipeline.passes)) {
        blamed = asFound(finding, source, pipeline);
      } else {
        if (!trace)
          trace = subject.trace(source, pipeline);
        auto found = blame(source, *trace, semanticsOf(finding), checker_);
        blamed = found && !found->symptom.pass.empty()
                     ? std::move(*found)
                     : asFound(finding, source, pipeline);
      }
      Solved solved = solve(lane, subject, finding.column, source,
                            std::move(blamed), before);
      // Then the answers of the last questions mean nothing.
      if (shouldStop())
        return;
      file(lane, finding, solved);
      before.push_back(std::move(solved));
    }
  }

  /// What an earlier triage made of it.
  static Solved solvedBefore(const Bug &bug) {
    Solved solved;
    solved.id = solved.signature = bug.id;
    solved.reduced.symptom = {bug.pass, bug.kind,
                              bug.kind == Kind::crash ? bug.detail : ""};
    solved.reduced.before = bug.source;
    solved.reduced.after = bug.target;
    if (bug.kind != Kind::crash)
      solved.reduced.message = bug.detail;
    if (bug.instance)
      solved.reduced.index = bug.instance->index;
    solved.input = bug.input.value_or(bug.source);
    solved.pipeline = bug.pipeline;
    solved.checkedUnder = bug.checkedUnder;
    return solved;
  }

  /// The finding as its own explanation, with nobody to blame but the pipeline.
  static Blame asFound(const Finding &finding, const Program &source,
                       const runner::Pipeline &pipeline) {
    Blame found;
    found.symptom.pass =
        canonicalPass(finding.pass.empty() ? pipeline.passes : finding.pass);
    found.symptom.kind = kindOf(finding.kind);
    if (found.symptom.kind == Kind::crash)
      found.symptom.detail = finding.detail;
    else
      found.message = finding.detail;
    found.before = source;
    if (!finding.target.empty())
      found.after = storedProgram(finding.target);
    return found;
  }

  std::optional<checker::Semantics> semanticsOf(const Finding &finding) const {
    if (finding.column == corpus::everyColumn)
      return std::nullopt;
    return columns_[static_cast<std::size_t>(finding.column)];
  }

  /// `before`: what the same function gave under earlier columns. Where the
  /// reduced pair shows this symptom too, it is the same bug: a reduction under
  /// every semantics of its own would drift apart.
  Solved solve(std::size_t lane, Subject &subject, int column,
               const Program &source, Blame blamed,
               const std::vector<Solved> &before) {
    const bool isVerdict = column != corpus::everyColumn;
    if (isVerdict)
      for (const Solved &earlier : before)
        if (earlier.reduced.symptom == blamed.symptom &&
            isWrong(earlier.reduced, column))
          return earlier;

    const runner::Pipeline &whole = identity_.lanes[lane].pipeline;
    runner::Pipeline alone = whole;
    if (!isSinglePass(whole.passes))
      alone.passes = blamed.symptom.pass;
    const bool hasName =
        blamed.symptom.kind != Kind::hang && accepts(subject, alone);
    if (hasName)
      if (auto solved = reduce(lane, subject, column, alone, true,
                               blamed.symptom, blamed.before))
        return std::move(*solved);
    if (blamed.symptom.kind != Kind::hang && !isSinglePass(whole.passes))
      if (auto solved = reduce(lane, subject, column, whole, false,
                               blamed.symptom, source))
        return std::move(*solved);
    // It does not show again, or every look at it costs a time limit.
    if (isSignal(blamed.symptom) && runner::isRepeated(blamed.symptom.detail))
      blamed.symptom.detail += runner::notAgain;
    return sign(std::move(blamed), source, whole, column);
  }

  static bool isSignal(const Symptom &symptom) {
    return symptom.kind == Kind::crash && symptom.detail.starts_with("SIG");
  }

  /// Whether a crash shows in a process that ran nothing before: one that read
  /// or wrote behind an end may let others crash after it. True of anything
  /// else.
  bool showsAfresh(unsigned release, const runner::Pipeline &pipeline,
                   const Symptom &symptom, const Program &program) const {
    if (!isSignal(symptom))
      return true;
    const auto subject = subjects_.fresh(release, pipeline);
    return !subject ||
           react(**subject, {&program, 1}, pipeline).front().failure ==
               Kind::crash;
  }

  bool isWrong(const Blame &pair, int column) {
    if (!pair.after)
      return false;
    const checker::Verdict verdict = checker_.check(
        pair.before, *pair.after, columns_[static_cast<std::size_t>(column)],
        checker::WantWitness::no);
    return verdict.word == checker::VerdictWord::wrong &&
           verdict.kind == pair.symptom.kind;
  }

  static bool accepts(Subject &subject, const runner::Pipeline &pipeline) {
    const auto answer = subject.describe(pipeline);
    const auto *info = std::get_if<Result<runner::PipelineInfo>>(&answer);
    return info != nullptr && *info;
  }

  std::optional<Solved> reduce(std::size_t lane, Subject &subject, int column,
                               const runner::Pipeline &pipeline,
                               bool isCulpritAlone, const Symptom &symptom,
                               const Program &program) {
    const unsigned release = identity_.lanes[lane].release;
    const std::string optimizer = runner::optimizerName(release, pipeline);
    auto &slot = cases_[{optimizer, pipeline.passes, isCulpritAlone, column,
                         symptom.pass, symptom.kind, symptom.detail}];
    if (!slot) {
      std::optional<checker::Semantics> semantics;
      if (column != corpus::everyColumn)
        semantics = columns_[static_cast<std::size_t>(column)];
      slot = std::make_unique<Case>(Experiment(
          subject, checker_, symptom, pipeline, isCulpritAlone, semantics));
    }
    const auto reduced = slot->reducer.reduce(program);
    if (!reduced)
      return std::nullopt;
    const Program &small = *reduced;
    const corpus::Bytes key = corpus::encode(small);
    if (const auto known = slot->solved.find(key); known != slot->solved.end())
      return known->second;
    auto shown = std::move(slot->experiment.run({&small, 1}).front());
    if (!shown || !showsAfresh(release, pipeline, symptom, small))
      return std::nullopt; // it does not show every time
    std::optional<Solved> solved;
    // A symptom that only a use of the wrong value turned into another kind.
    if (isCulpritAlone && shown->after && column != corpus::everyColumn) {
      const Core core = coreOf(*shown, column);
      if (sizeOf(core.source) < sizeOf(small))
        solved = reduce(lane, subject, column, pipeline, true,
                        {symptom.pass, core.kind, ""}, core.source);
    }
    if (!solved)
      solved = sign(std::move(*shown), small, pipeline, column);
    solved->isInPipeline = !isCulpritAlone;
    if (solved->isInPipeline)
      showInput(*solved, column);
    return slot->solved.emplace(key, std::move(*solved)).first->second;
  }

  /// What the pipeline is given was reduced, what it makes of that for the
  /// culprit was not: shows the former, if what the culprit makes is wrong for
  /// it in the same way.
  void showInput(Solved &solved, int column) {
    if (!solved.reduced.after)
      return;
    Blame whole = solved.reduced;
    whole.before = solved.input;
    if (isWrong(whole, column))
      solved.reduced = std::move(whole);
  }

  Solved sign(Blame reduced, Program input, runner::Pipeline pipeline,
              int column) {
    Solved solved;
    if (column != corpus::everyColumn)
      solved.checkedUnder =
          identity_.semantics[static_cast<std::size_t>(column)];
    solved.signature = idOf(reduced, column);
    solved.id = decided(solved.signature, reduced);
    solved.reduced = std::move(reduced);
    solved.input = std::move(input);
    solved.pipeline = std::move(pipeline);
    return solved;
  }

  /// The bug that a user made of this one. Decisions may go round in circles.
  std::string decided(std::string id, const Blame &reduced) const {
    for (std::size_t i = 0; i <= decisions_.size(); ++i) {
      const auto decision = decisions_.find(id);
      if (decision == decisions_.end())
        break;
      const auto &[pass, kind, detail] = reduced.symptom;
      if (!decision->second.empty())
        id = decision->second;
      else
        id = exactSignatureOf(pass, kind, reduced.before,
                              reduced.after.value_or(reduced.before));
    }
    return id;
  }

  std::string idOf(const Blame &reduced, int column) {
    const auto &[pass, kind, detail] = reduced.symptom;
    switch (kind) {
    case Kind::crash:
      // Where it crashes is the bug, whoever called; a message may be anyone's.
      return signatureOf(detail.find(" in ") == std::string::npos ? pass : "",
                         kind, detail);
    case Kind::hang:
    case Kind::nondeterministic:
      return signatureOf(pass, kind, detail);
    case Kind::invalid:
      return signatureOf(pass, kind, textWithoutNumbers(reduced.message));
    default:
      return signatureOf(pass, coreOf(reduced, column));
    }
  }

  Core coreOf(const Blame &wrong, int column) {
    return reports::coreOf(wrong.before, *wrong.after, wrong.symptom.kind,
                           columns_[static_cast<std::size_t>(column)],
                           checker_);
  }

  void file(std::size_t lane, const Finding &finding, const Solved &solved) {
    const unsigned release = identity_.lanes[lane].release;
    ++looked_;
    buckets_[{lane, finding.column, finding.bucket}].insert(finding.rank);
    const auto [entry, isNew] = groups_.try_emplace(solved.id);
    Group &group = entry->second;
    if (isNew || isBetter(solved, release, finding.column, group)) {
      group.best = solved;
      group.release = release;
      group.column = finding.column;
    }
    group.findings[{lane, finding.column}][finding.bucket].insert(finding.rank);
    group.names.insert({finding.rank, finding.name});
    if (isMerged(solved))
      group.merged.try_emplace(solved.signature, solved);
    assignments_.push_back(
        {lane, finding.column, finding.bucket, finding.rank, solved.id});
  }

  /// The user made it part of another bug, and not a bug of its own.
  bool isMerged(const Solved &solved) const {
    const auto decision = decisions_.find(solved.signature);
    return decision != decisions_.end() && !decision->second.empty();
  }

  /// One that was not merged into it; the newest release, then the smallest
  /// function, then the first column.
  bool isBetter(const Solved &solved, unsigned release, int column,
                const Group &group) const {
    const auto order = [&](const Solved &which, unsigned llvm, int position) {
      return std::tuple(isMerged(which), ~llvm, sizeOf(which.reduced.before),
                        corpus::encode(which.reduced.before),
                        which.pipeline.passes, position);
    };
    return order(solved, release, column) <
           order(group.best, group.release, group.column);
  }

  std::vector<Bug> collect() {
    std::map<std::string, Bug> before;
    for (const corpus::BugRecord &record : store_.bugs())
      if (auto bug = bugFromJson(record.document))
        before.emplace(record.id, std::move(*bug));
    std::vector<Bug> bugs;
    std::map<std::string, std::string> sameRow; // root -> root
    for (const auto &[id, group] : groups_) {
      bugs.push_back(makeBug(id, group));
      for (const auto &[signature, solved] : group.merged)
        if (Bug merged = reducedBug(signature, solved);
            merged.root != bugs.back().root)
          sameRow.emplace(merged.root, bugs.back().root);
      if (const auto old = before.find(id);
          old != before.end() && recall(std::move(old->second), bugs.back()))
        recalled_.insert(id);
    }
    for (Bug &bug : bugs)
      if (const auto same = sameRow.find(bug.root); same != sameRow.end())
        bug.root = same->second;
    sortForReaders(bugs);
    return bugs;
  }

  /// What is said of the function alone, with its verdict, fault and row.
  Bug reducedBug(const std::string &id, const Solved &solved) {
    const Blame &reduced = solved.reduced;
    Bug bug;
    bug.id = id;
    bug.kind = reduced.symptom.kind;
    bug.pass = reduced.symptom.pass;
    bug.source = reduced.before;
    if (solved.isInPipeline || solved.input != bug.source)
      bug.input = solved.input;
    // Of two results without a verdict on either, none is the wrong one.
    if (!solved.checkedUnder.empty())
      bug.target = reduced.after;
    bug.pipeline = solved.pipeline;
    if (reduced.index != 0 && !isSinglePass(bug.pipeline.passes))
      bug.instance = PassInstance{reduced.index, bug.pass};
    bug.checkedUnder = solved.checkedUnder;
    bug.detail =
        bug.kind == Kind::crash ? reduced.symptom.detail : reduced.message;
    if (bug.target)
      bug.verdict = explain(bug);
    Fault fault = faultOf(bug, checker_);
    bug.title = std::move(fault.words);
    bug.kin = std::move(fault.kin);
    // What the user split stands alone.
    const bool isSplit = id != solved.signature && !isMerged(solved);
    bug.root = rootOf(bug.pass, isSplit ? id : fault.key);
    if (isSplit)
      bug.kin.clear();
    return bug;
  }

  /// One fault is two mistakes where their windows say so; the bug with the
  /// widest window keeps the root.
  void splitRows(std::vector<Bug> &bugs) const {
    std::map<std::string, std::vector<Bug *>> rows;
    for (Bug &bug : bugs)
      rows[bug.root].push_back(&bug);
    for (auto &[root, forms] : rows) {
      std::stable_sort(forms.begin(), forms.end(),
                       [](const Bug *a, const Bug *b) {
                         return a->window.wrong.size() > b->window.wrong.size();
                       });
      std::vector<std::vector<Bug *>> parts;
      for (Bug *bug : forms) {
        const auto part = std::find_if(
            parts.begin(), parts.end(), [&](const std::vector<Bug *> &others) {
              return std::none_of(others.begin(), others.end(),
                                  [&](const Bug *other) {
                                    return areApart(bug->window, other->window);
                                  });
            });
        if (part == parts.end())
          parts.push_back({bug});
        else
          part->push_back(bug);
      }
      for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::string own = rootOf(parts[i].front()->pass,
                                       root + windowText(*parts[i].front()));
        for (Bug *bug : parts[i])
          bug->root = own;
      }
    }
  }

  Bug makeBug(const std::string &id, const Group &group) {
    Bug bug = reducedBug(id, group.best);
    bug.known = knownBug(id);
    if (const auto seen = options_.known.find(id);
        !bug.known && seen != options_.known.end())
      bug.known = Known{"", {}, seen->second};
    std::set<unsigned> releases;
    std::vector<bool> shows(columns_.size(), false);
    for (const auto &[place, buckets] : group.findings) {
      const auto &[lane, column] = place;
      const runner::CampaignIdentity::LaneIdentity &identity =
          identity_.lanes[lane];
      if (!identity.pipeline.opt && !identity.pipeline.build)
        releases.insert(identity.release);
      if (std::find(bug.pipelines.begin(), bug.pipelines.end(),
                    identity.pipeline.passes) == bug.pipelines.end())
        bug.pipelines.push_back(identity.pipeline.passes);
      if (column == corpus::everyColumn)
        shows.assign(shows.size(), true);
      else
        shows[static_cast<std::size_t>(column)] = true;
      bug.shownBy.push_back({lane, column});
      count(lane, column, buckets, bug);
    }
    bug.releases.assign(releases.begin(), releases.end());
    for (std::size_t i = 0; i < shows.size(); ++i)
      if (shows[i])
        bug.semantics.push_back(identity_.semantics[i]);
    constexpr std::size_t shown = 3;
    for (const auto &[rank, name] : group.names)
      if (bug.examples.size() < shown)
        bug.examples.push_back(name);

    bug.release = group.release;
    bug.asRun = spelled(group.release, bug.pipeline);
    return bug;
  }

  /// Where all findings of a bucket that were looked at are this bug, the rest
  /// are taken to be it too.
  void count(std::size_t lane, int column,
             const std::map<std::string, std::set<corpus::Rank>> &buckets,
             Bug &bug) {
    std::uint64_t functions = 0;
    bool exact = sampled_.count({lane, column}) == 0;
    for (const auto &[bucket, ranks] : buckets) {
      const std::size_t looked = buckets_[{lane, column, bucket}].size();
      const std::uint64_t all = store_.bucketCount(lane, column, bucket);
      functions += ranks.size() == looked ? all : ranks.size();
      exact = exact && looked == all;
    }
    if (functions < bug.functions)
      return;
    // Of two places that show as many, the sampled one decides.
    bug.functionsExact =
        exact && (functions > bug.functions || bug.functionsExact);
    bug.functions = functions;
  }

  std::string spelled(unsigned release, const runner::Pipeline &pipeline) {
    const auto subject = subjects_.of(release, pipeline);
    if (!subject)
      return pipeline.passes;
    const auto answer = (*subject)->describe(pipeline);
    if (const auto *info = std::get_if<Result<runner::PipelineInfo>>(&answer))
      if (*info)
        return (*info)->asRun;
    return pipeline.passes;
  }

  /// Finds out the rest, unless the store has it from an earlier triage.
  void examine(std::vector<Bug> &bugs) {
    if (options_.releases.empty())
      return;
    std::set<std::string> asked; // roots
    for (const Bug &bug : bugs)
      if (!bug.window.empty())
        asked.insert(bug.root);
    std::vector<Bug *> unasked;
    for (Bug &bug : bugs)
      if (recalled_.count(bug.id) == 0 &&
          (!options_.examinesRows || asked.insert(bug.root).second))
        unasked.push_back(&bug);
    const auto isUnasked = [&](const Bug *bug) {
      return std::find(unasked.begin(), unasked.end(), bug) != unasked.end();
    };
    Examiner examiner(subjects_, options_.releases);
    beat([] { return "asking the other releases"; });
    examiner.findWindows(unasked);
    if (shouldStop())
      for (Bug *bug : unasked)
        bug->window = {};
    // First what is new, and wrong under the campaign's first semantics; of
    // each row one form before a second of any.
    std::vector<Bug *> order;
    std::map<const Bug *, unsigned> turns;
    std::map<std::string, unsigned> formsOf;
    for (Bug &bug : bugs) {
      turns[&bug] = formsOf[bug.root]++;
      if (!isExamined(bug) && (!options_.examinesRows || isUnasked(&bug)))
        order.push_back(&bug);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](const Bug *a, const Bug *b) {
                       const auto urgency = [&](const Bug &bug) {
                         return std::tuple(bug.known.has_value(),
                                           !isOfFirst(bug), turns.at(&bug));
                       };
                       return urgency(*a) < urgency(*b);
                     });
    const auto beside =
        std::stable_partition(order.begin(), order.end(), [&](const Bug *bug) {
          return !options_.findingsBeside || isOfFirst(*bug);
        });
    const std::size_t count = std::min<std::size_t>(
        static_cast<std::size_t>(beside - order.begin()), options_.examined);
    for (std::size_t i = 0; i < count && !shouldStop(); ++i) {
      beat([&] {
        return fmt::format("widths, repair and flags: {} of {} bugs done", i,
                           count);
      });
      const Bug unexamined = *order[i];
      examiner.examine(*order[i]);
      if (shouldStop())
        *order[i] = unexamined;
    }
    if (count < order.size())
      say(fmt::format("widths, repair and flags of {} bug{} were not looked "
                      "for; `irsieve triage --examine N` does so for N more",
                      order.size() - count,
                      order.size() - count == 1 ? "" : "s"));
  }

  /// Whether it is a bug under the campaign's first semantics.
  bool isOfFirst(const Bug &bug) const {
    return bug.checkedUnder.empty() ||
           bug.checkedUnder == identity_.semantics.front();
  }

  static bool isExamined(const Bug &bug) {
    return !bug.widths.empty() || !bug.lanes.empty() || bug.repair ||
           !bug.flags.empty();
  }

  /// Takes over what an earlier triage found out, if it is about this function.
  static bool recall(Bug old, Bug &bug) {
    if (!bug.known)
      bug.known = std::move(old.known);
    if (old.window.empty() || old.source != bug.source ||
        old.input != bug.input || old.releases != bug.releases ||
        old.release != bug.release || old.checkedUnder != bug.checkedUnder)
      return false;
    bug.window = std::move(old.window);
    bug.widths = std::move(old.widths);
    bug.lanes = std::move(old.lanes);
    bug.repair = std::move(old.repair);
    bug.flags = std::move(old.flags);
    return true;
  }

  void say(const std::string &text) const {
    if (options_.say)
      options_.say(text);
  }

  /// Says what goes on, the more rarely the longer it does.
  template <typename Text> void beat(Text &&text) {
    const auto now = std::chrono::steady_clock::now();
    if (now - spoken_ < pause_)
      return;
    spoken_ = now;
    pause_ = std::min(2 * pause_, std::chrono::seconds(60));
    say(text());
  }

  Result<std::monostate> save(const std::vector<Bug> &bugs) {
    std::vector<corpus::BugRecord> records;
    records.reserve(bugs.size());
    for (const Bug &bug : bugs)
      records.push_back({bug.id, toJson(bug).dump()});
    return store_.saveBugs(records, assignments_);
  }

  corpus::Store &store_;
  OpenSubjects subjects_;
  const TriageOptions &options_;
  runner::CampaignIdentity identity_;
  std::vector<checker::Semantics> columns_;
  std::map<std::string, std::string> decisions_; ///< as Store::Decision
  checker::Checker checker_{checker::Limits::ofCampaign()};
  std::map<std::tuple<std::string, std::string, bool, int, std::string, Kind,
                      std::string>,
           std::unique_ptr<Case>>
      cases_;
  /// Ranks of each bucket that are looked at.
  std::map<std::tuple<std::size_t, int, std::string>, std::set<corpus::Rank>>
      buckets_;
  std::map<std::string, Bug> earlier_; ///< where triage resumes, by id
  std::map<std::string, Group> groups_;
  std::vector<corpus::Store::Assignment> assignments_;
  std::set<std::string> recalled_; ///< ids of bugs that need no examination
  /// Lanes and columns of which only a part is looked at.
  std::set<std::pair<std::size_t, int>> sampled_;
  std::uint64_t found_ = 0;  ///< findings in the store
  std::uint64_t looked_ = 0; ///< of these, in the selection
  std::chrono::steady_clock::time_point spoken_ =
      std::chrono::steady_clock::now();
  std::chrono::seconds pause_{2};
};

} // namespace

TriageOptions defaultTriage() {
  TriageOptions options;
  for (const runner::Installation &each : runner::installedReleases())
    options.releases.push_back(each.release);
  options.findings = 250;
  options.findingsBeside = 10;
  options.examined = 10;
  options.say = [](const std::string &text) {
    fmt::print(stderr, "irsieve: {}\n", text);
  };
  return options;
}

Result<std::vector<Bug>> triage(corpus::Store &store, const Subjects &subjects,
                                const TriageOptions &options) {
  return Triage(store, subjects, options).run();
}

bool hasWork(const corpus::Store &store, const TriageOptions &options) {
  const std::vector<corpus::Lane> lanes = store.lanes();
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    for (const auto &[column, findings] :
         selection(store.findings(lane), lanes[lane].passes, options))
      for (const Finding &finding : findings)
        if (finding.bug.empty() && !isLeft(options, finding))
          return true;
  return false;
}

Result<std::vector<Bug>> bugsOf(corpus::Store &store, const Subjects &subjects,
                                const TriageOptions &options) {
  if (hasWork(store, options))
    return triage(store, subjects, options);
  std::vector<Bug> bugs;
  for (const corpus::BugRecord &record : store.bugs()) {
    auto bug = bugFromJson(record.document);
    if (!bug)
      return bug.error();
    bugs.push_back(std::move(*bug));
  }
  sortForReaders(bugs);
  return bugs;
}

Result<std::vector<runner::BugLine>>
triageForRun(corpus::Store &store, const std::function<bool()> &shouldStop) {
  TriageOptions options = defaultTriage();
  options.shouldStop = shouldStop;
  auto bugs = triage(store, limitedSubjects(shouldStop), options);
  if (!bugs)
    return bugs.error();
  std::vector<runner::BugLine> lines;
  for (const Row &row : rowsOf(*bugs))
    for (const Bug &form : row.forms)
      lines.push_back({form.id,
                       &form == row.forms.data() ? summaryLine(row) : "",
                       form.shownBy, form.known.has_value()});
  return lines;
}

} // namespace reports
