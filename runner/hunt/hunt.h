// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hunt: one optimizer against a portfolio of spaces and pipelines, under one
// budget. Each space is a campaign with a database of its own in the hunt's
// folder; what runs next, on which positions, is the scheduler's to say.
//
//     hunt.json         what the hunt is: the same command resumes it
//     decisions.jsonl   what each decision that was carried out brought
//     spent.json        what is gone of the budget, and whether it came to its
//                       end
//     *.db              a campaign for each space that was looked at
//
// Invariant: decisions, and the findings of those that were carried out, depend
// on hunt.json alone: not on the machine, the threads, or how often the hunt
// was killed and resumed.
// Threads: one.
#pragma once

#include "runner/campaign.h"
#include "runner/hunt/scheduler.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace runner {

/// The databases of a hunt's folder, by name; `path` itself where it is none.
corpus::Result<std::vector<std::string>> databasesOf(const std::string &path);

/// Whether the hunt of a folder came to its end: nothing was left, or its
/// budget was spent. Fails where a database is not, or no longer, a sound one.
corpus::Result<bool> isEndedHunt(const std::string &path);

/// Makes a folder that databasesOf() takes, for databases of several hunts.
corpus::Result<std::monostate> makeHuntFolder(const std::string &path);

struct HuntOptions {
  std::string folder;
  /// Optimizer, pipelines, semantics and threads, and `corpus` as one more
  /// space; no pipelines stand for those of the portfolio. Everything else is
  /// the hunt's to say.
  CampaignOptions campaign;
  std::vector<std::string> spaces; ///< empty: those of the portfolio
  /// i/n: only every n-th arm, from the i-th on. Empty: all.
  std::string shard;
  std::uint64_t seed = 0;
  /// Of all runs of the hunt together.
  std::optional<std::chrono::seconds> budget;
  double triageShare = 0.25;       ///< of the budget
  std::uint64_t mostDecisions = 0; ///< 0: no limit
};

/// What triage found out so far.
struct HuntBugs {
  std::map<std::string, std::string> lines; ///< by root, what to print
  std::map<std::string, std::string> roots; ///< by id, of every bug
  bool isDone = false; ///< there was nothing left of what was wanted
};

/// Of findings.
enum class Wanted : std::uint8_t {
  news, ///< one of each kind that a pipeline has shown nowhere else
  all,
};

struct HuntHooks {
  /// Asked several times a second.
  std::function<bool()> interrupted;
  /// Makes bugs of findings until there are no more, or `shouldStop`.
  std::function<corpus::Result<HuntBugs>(
      const std::vector<corpus::Store *> &stores, Wanted wanted,
      const std::function<bool()> &shouldStop)>
      triage;
  std::function<void(const std::string &)> say;
};

class Hunt {
public:
  /// Opens or creates the folder. Checks everything that a user can get wrong
  /// before anything is written.
  static corpus::Result<Hunt> prepare(const HuntOptions &options,
                                      corpus::ProgramReader &reader);

  /// Until all is done, the budget is spent, or a signal came.
  corpus::Result<Campaign::End> run(Progress::Style style,
                                    const HuntHooks &hooks);

  /// A line each of the table of what was tried.
  struct Row {
    std::string space;
    std::string pipeline;
    std::uint64_t done = 0; ///< functions
    std::uint64_t size = 0;
    std::uint64_t changed = 0; ///< functions
    std::uint64_t hangs = 0;   ///< functions
    std::uint64_t slices = 0;
    std::uint64_t rewrites = 0;  ///< that nothing before had shown
    std::uint64_t findings = 0;  ///< kinds, in the same way
    std::string dataLayout = ""; ///< empty: LLVM's default
  };
  std::vector<Row> rows() const;
  std::chrono::seconds spent() const;
  /// How much was spent when triage first had the bug of that id.
  const std::map<std::string, std::chrono::seconds> &foundAfter() const {
    return found_;
  }
  /// "LLVM 22", or the path of its opt.
  std::string optimizer() const { return optimizer_; }
  /// Spaces and pipelines that this optimizer does not take, with its word.
  const std::vector<std::string> &refused() const { return refused_; }

private:
  using Clock = std::chrono::steady_clock;
  /// How many of something there are in a pipeline's spaces together.
  class Union {
  public:
    /// `items` take the place of what that arm had before.
    void set(std::size_t arm, std::vector<std::uint64_t> items);
    std::uint64_t size() const { return counts_.size(); }

  private:
    std::map<std::size_t, std::vector<std::uint64_t>> items_;
    std::unordered_map<std::uint64_t, std::uint32_t> counts_;
  };
  struct Space {
    std::string spec; ///< empty: the corpus
    std::uint8_t features;
    std::uint64_t size; ///< functions, as many of them as a hunt looks at
    std::string dataLayout;
    std::optional<Campaign> campaign;
    std::vector<std::size_t> pipelines; ///< a lane each
  };
  struct Pipeline {
    std::string passes;
    Union rewrites;
    Union findings;
    Reward total; ///< of all decisions so far
  };

  Hunt() = default;
  struct Optimizer;
  /// The one that was asked for; without a word the newest that is installed,
  /// which `campaign` then asks for.
  static corpus::Result<Optimizer> findOptimizer(CampaignOptions &campaign);
  /// What was asked for, or of the portfolio what the optimizer takes; the rest
  /// is refused_.
  corpus::Result<std::monostate> takePipelines(const Optimizer &optimizer);
  corpus::Result<std::vector<Space>> takeSpaces(unsigned release);
  corpus::Result<std::monostate> makeArms();
  corpus::Result<std::monostate> recall();
  void recallFound();
  corpus::Result<std::monostate>
  announce(const HuntBugs &bugs, Progress::Style style, const HuntHooks &hooks);
  corpus::Result<Campaign *> campaignOf(std::size_t space);
  std::string databaseOf(const Space &space) const;
  /// Carries out decisions until `stop`, or until there are no more.
  corpus::Result<Campaign::End> explore(Progress::Style style,
                                        const HuntHooks &hooks,
                                        const std::function<bool()> &stop);
  corpus::Result<Campaign::End> carryOut(const Decision &decision,
                                         const std::function<bool()> &stop);
  std::pair<Campaign *, std::size_t> laneOf(std::size_t arm);
  void look(std::size_t arm);
  Reward rewardOf(std::size_t arm);
  corpus::Result<std::monostate> record(const Decision &decision,
                                        const Reward &reward);
  corpus::Result<std::monostate> certify(std::size_t space);
  void count(const Decision &decision, const Reward &reward);
  corpus::Result<std::monostate> triage(Progress::Style style,
                                        const HuntHooks &hooks, Wanted wanted,
                                        Clock::duration longest);
  Clock::duration elapsed() const;
  bool isOver(Clock::duration after) const;
  void saveSpent();
  Reward total() const;
  /// As triage has them, or, until it looks, as it had them before this run.
  std::size_t rowsSoFar() const {
    return bugs_.lines.empty() ? recalledRows_.size() : bugs_.lines.size();
  }
  /// What a line of progress says of the whole hunt.
  Json toJson() const;
  void show(Progress::Style style, const HuntHooks &hooks,
            const Decision &decision);

  HuntOptions options_;
  corpus::ProgramReader *reader_ = nullptr;
  std::string optimizer_;
  std::vector<Space> spaces_;
  std::vector<Pipeline> pipelines_;
  std::vector<std::string> refused_;
  std::optional<Scheduler> scheduler_;
  std::vector<Row> rows_; ///< of each arm
  std::uint64_t decisions_ = 0;
  Clock::time_point started_;
  Clock::time_point saved_;
  Clock::duration before_{0};     ///< spent by earlier runs
  Clock::duration triaged_{0};    ///< of all that is spent
  std::uint64_t newFindings_ = 0; ///< kinds, since triage last had all news
  bool isAllTriaged_ = true;
  HuntBugs bugs_;
  std::map<std::string, std::chrono::seconds> found_; ///< by id
  std::set<std::string> recalledRows_; ///< roots that runs before this one had
  Clock::time_point shown_;
  bool isEnded_ = false;
};

} // namespace runner
