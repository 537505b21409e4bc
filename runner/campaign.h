// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A campaign: a space, pipelines, releases and semantics, with a database. It
// is identified by what decides its results and by nothing else, so that
// running the same thing again resumes it, with any number of threads.
#pragma once

#include "checker/semantics/semantics.h"
#include "corpus/program/exit_code.h"
#include "corpus/program/reader.h"
#include "corpus/store/store.h"
#include "enumerate/file_space.h"
#include "runner/backend.h"
#include "runner/file_corpus.h"
#include "runner/progress.h"
#include "runner/protocol.h"
#include "runner/supervisor.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace runner {

/// What a campaign's results depend on; kept in its database as JSON.
struct CampaignIdentity {
  struct LaneIdentity {
    unsigned release = 0;
    Pipeline pipeline;
    /// What the lane looks at where its files chose the pipeline, ascending and
    /// disjoint; all of the selection when empty.
    std::vector<corpus::PositionRange> positions = {};
  };

  std::string space;        ///< canonical spec, or the files of a corpus
  std::string corpusDigest; ///< of the functions of files and their names
  int orderVersion = enumerate::orderVersion;
  Selection selection = Selection::range(0, 0);
  std::vector<LaneIdentity> lanes;    ///< in the order of Store::lanes()
  std::vector<std::string> semantics; ///< in the order of the columns
  std::uint64_t keep = 50;
  bool checkEach = false; ///< every pass must refine, not only all together

  Json toJson() const;
  static corpus::Result<CampaignIdentity> fromJson(const Json &json);
  std::string toText() const { return toJson().dump(); }
  static corpus::Result<CampaignIdentity> fromText(const std::string &text);
  /// Of functions that came from files, which an identity does not hold.
  bool isOfFiles() const;
  /// The files chose the pipelines: --passes=from-file.
  bool isByFile() const;
  /// What of the selection a lane looks at.
  std::vector<corpus::PositionRange> positionsOf(std::size_t lane) const;
};

/// What is in both; each is ascending and disjoint.
std::vector<corpus::PositionRange>
intersection(const std::vector<corpus::PositionRange> &a,
             const std::vector<corpus::PositionRange> &b);
std::uint64_t totalSize(const std::vector<corpus::PositionRange> &ranges);

/// A program that must be started is given many functions at a time.
inline constexpr std::uint64_t chunkSizeOfOpt = 65536;

struct CampaignOptions {
  std::string space;               ///< spec of any kind; empty with a corpus
  std::vector<std::string> corpus; ///< files and folders
  bool failOnUnreadable = false;   ///< or leave unreadable files of folders out
  /// Empty without builds and opts: the newest installed.
  std::vector<unsigned> releases;
  std::vector<std::string> builds; ///< names of own builds, after the releases
  std::vector<std::string> opts;   ///< programs, after the builds
  std::vector<std::string> passes; ///< a pipeline each, or passesFromFile
  /// With passesFromFile: a pipeline that one optimizer refuses, none runs, so
  /// that all have the same lanes.
  bool commonPipelines = false;
  std::vector<std::string> semantics = {"llvm"}; ///< lists of presets
  std::string triple;
  std::string dataLayout;
  std::vector<std::string> llvmArgs;
  std::string range;        ///< A:B
  std::string shard;        ///< i/n
  std::uint64_t sample = 0; ///< 0: all
  std::uint64_t seed = 0;   ///< of the sample or the order
  std::string order;        ///< name of an enumerate::Order; with `first`
  std::uint64_t first = 0;  ///< positions of the order
  /// Instead of range, shard, sample and order.
  std::optional<Selection> selection;
  std::string database;
  unsigned threads = 0; ///< 0: one for each core
  std::uint64_t keep = 50;
  bool checkEach = false;
  std::uint64_t chunkSize = 0; ///< 0: what is usual
  std::chrono::milliseconds functionLimit = defaultFunctionLimit;
  std::uint64_t memoMebibytes = 128; ///< of each thread; 0: nothing is kept
  /// Limits are shorter where functions usually take a small part of them,
  /// which is noted here.
  std::shared_ptr<UsualCosts> usual = nullptr;
  std::optional<std::chrono::seconds> budget;
  /// Campaigns that share it ask an opt once; none: it has its own.
  std::shared_ptr<KnownWorkers> workers = nullptr;
};

/// What runs the same again, by the optimizers of `others`, and in all that no
/// identity holds as they say.
CampaignOptions optionsOf(const CampaignIdentity &identity,
                          CampaignOptions others);
/// Why ranks mean something else in `now` than in `then`, which `owner` holds.
std::optional<corpus::Error> otherFunctions(const std::string &owner,
                                            const CampaignIdentity &then,
                                            const CampaignIdentity &now);

/// i and n of "i/n" with 1 <= i <= n, which --shard was given.
corpus::Result<std::pair<std::uint64_t, std::uint64_t>>
parseShard(const std::string &text);

class Campaign {
public:
  /// Checks everything that a user can get wrong before anything is written.
  static corpus::Result<Campaign> prepare(const CampaignOptions &options,
                                          corpus::ProgramReader &reader);

  enum class End { finished, stopped };
  /// Runs every lane to its end, or to a checkpoint when `interrupted` says so
  /// or the budget is spent.
  corpus::Result<End> run(Progress &progress,
                          const std::function<bool()> &interrupted);

  /// Limits run() to these positions of the selection.
  void lookOnlyAt(std::vector<corpus::PositionRange> positions) {
    only_ = std::move(positions);
  }
  /// Limits run() to one lane.
  void lookOnlyThrough(std::size_t lane) { onlyLane_ = lane; }
  /// Takes what became of every function, chunk by chunk, in any order.
  using Observer = std::function<void(std::size_t lane,
                                      const corpus::ChunkResult::Outcomes &)>;
  void observe(Observer observer) {
    observer_ = std::move(observer);
    order_.wantsOutcomes = true;
  }

  /// While it is set, run() checks nothing and writes nothing: it only tells
  /// the observer which output each function has, and again each time.
  void lookOnlyAtOutputs(bool isSo) { order_.outputsOnly = isSo; }

  corpus::Store &store() { return *store_; }
  const CampaignIdentity &identity() const { return identity_; }
  const enumerate::Space &space() const { return *space_; }
  unsigned threads() const { return order_.threads; }
  /// Of functions of files; empty for any other space.
  const CorpusReport &corpusReport() const { return corpusReport_; }

private:
  Campaign() = default;
  corpus::Result<std::monostate>
  readCorpus(const CampaignOptions &options,
             const std::vector<std::string> &arguments,
             corpus::ProgramReader &reader);
  corpus::Result<std::monostate>
  takeFunctions(const std::string &spec,
                std::vector<enumerate::NamedProgram> functions);
  corpus::Result<std::monostate> makeSpace(const CampaignOptions &options,
                                           corpus::ProgramReader &reader);
  corpus::Result<std::monostate> select(const CampaignOptions &options);
  corpus::Result<std::monostate> makeLanes(const CampaignOptions &options);
  corpus::Result<std::vector<CampaignIdentity::LaneIdentity>>
  wantedLanes(const CampaignOptions &options) const;
  corpus::Result<std::vector<corpus::Result<corpus::Lane>>>
  describe(unsigned release,
           const std::vector<CampaignIdentity::LaneIdentity> &wanted) const;
  void leaveOut(const CampaignIdentity::LaneIdentity &lane,
                const std::string &reason);
  corpus::Result<End> runLane(std::size_t lane, Progress &progress,
                              const std::function<bool()> &shouldStop);

  CampaignOptions options_;
  std::optional<std::vector<corpus::PositionRange>> only_;
  std::optional<std::size_t> onlyLane_;
  Observer observer_;
  CampaignIdentity identity_;
  std::unique_ptr<enumerate::Space> space_;
  WorkOrder order_; ///< without pipeline and ranges, which are a lane's
  std::vector<corpus::Lane> lanes_;
  CorpusReport corpusReport_;
  /// With passesFromFile: the pipelines, and what each is for.
  std::vector<FileCorpus::Group> groups_;
  std::optional<corpus::Store> store_;
};

} // namespace runner
