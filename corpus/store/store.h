// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The campaign database, one SQLite file. It holds what a campaign is (its
// identity), which parts of which lane are done, exact counts, the findings
// that were kept, and the bugs that triage made of them.
//
// A lane is one LLVM release with one pipeline; a column is one semantics.
// Positions number the functions that a campaign selected (0, 1, ...); ranks
// number the functions of the space.
//
// Invariants: one chunk's results are one transaction, so a SIGKILL at any
// moment loses at most what was in flight; counts are exact, and findings are
// capped per bucket in a way that does not depend on the order of chunks.
// Threads: one thread, one writer process.
#pragma once

#include "corpus/program/encode.h"
#include "corpus/program/rank.h"
#include "corpus/program/result.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace corpus {

/// What is counted for each lane and column. The spelling is that of the
/// database and of `run --format json`.
enum class Counter : std::uint8_t {
  functions,   ///< ranks covered: represented + skipped
  represented, ///< went through the optimizer
  skipped,     ///< left to another member by the space's symmetry
  changed,     ///< came out different, or did not come out as a program
  refines,     ///< unchanged ones are in here
  wrong,
  unsupported,
  undecided,
  crash,
  hang,
  invalid,
  nondeterministic,
};
inline constexpr std::array<std::string_view, 12> counterSpelling = {
    "functions", "represented", "skipped",     "changed",
    "refines",   "wrong",       "unsupported", "undecided",
    "crash",     "hang",        "invalid",     "nondeterministic"};

/// represented = refines + wrong + unsupported + undecided + crash + hang +
/// invalid.
struct Tally {
  std::array<std::uint64_t, counterSpelling.size()> counts{};
  Digest digest;

  std::uint64_t &operator[](Counter counter) {
    return counts[static_cast<std::size_t>(counter)];
  }
  std::uint64_t operator[](Counter counter) const {
    return counts[static_cast<std::size_t>(counter)];
  }
  Tally &operator+=(const Tally &other);
  friend bool operator==(const Tally &, const Tally &) = default;
};

/// A finding that holds under every semantics (crash, hang, invalid).
inline constexpr int everyColumn = -1;

struct Finding {
  int column = everyColumn;
  Rank rank = 0;
  std::string name;   ///< of the function: "i2x2#17", "file.ll:@f"
  std::string kind;   ///< checker::Kind's spelling
  std::string bucket; ///< quick signature: kind, opcodes and flags that changed
  Bytes source;       ///< encoded Program
  Bytes target;       ///< encoded Program; empty without one
  std::string pass;   ///< of crash and hang: the pass that was running
  std::string detail; ///< signal and frames, or the verifier's message
  std::string text;   ///< of invalid: the result as IR
  std::string bug;    ///< id of its bug; empty before triage
  friend bool operator==(const Finding &, const Finding &) = default;
};

/// How often something was not decided, and one example.
struct Omission {
  int column = everyColumn;
  std::string word; ///< "unsupported" or "undecided"
  std::string reason;
  std::uint64_t count = 0;
  Rank exampleRank = 0;    ///< the lowest
  std::string exampleText; ///< the result as IR, when there is one
  friend bool operator==(const Omission &, const Omission &) = default;
};

/// What an optimizer did to so many functions, the same to each, in a form of
/// the caller's choice.
struct Rewrite {
  std::uint64_t hash = 0; ///< of the form; 63 bits, spread evenly
  Bytes form;
  std::uint64_t count = 0;
  Rank firstRank = 0; ///< the lowest
  friend bool operator==(const Rewrite &, const Rewrite &) = default;
};
/// Of a lane's rewrites those of the lowest hashes are kept, so that memory is
/// bounded and what is kept, and its counts, depend on no schedule.
inline constexpr std::uint64_t keptRewrites = 1U << 16;

/// A few bytes beside each form, for the pipe and for the database.
Bytes packRewrites(std::span<const Rewrite> rewrites);
/// Of what packRewrites() wrote.
std::vector<Rewrite> unpackRewrites(const Bytes &bytes);

struct ChunkResult {
  std::uint64_t begin = 0; ///< positions [begin, end)
  std::uint64_t end = 0;
  std::vector<Tally> tallies; ///< one for each column
  /// How many findings each bucket really has; `findings` is capped.
  struct BucketCount {
    int column = everyColumn;
    std::string bucket;
    std::uint64_t count = 0;
  };
  std::vector<BucketCount> buckets;
  std::vector<Finding> findings;
  std::vector<Omission> omissions;
  /// What became of each represented function, for those who compare two
  /// optimizers; only when asked for, and not stored.
  struct Outcomes {
    std::vector<std::uint64_t> positions; ///< ascending
    std::vector<std::uint64_t> outputs;   ///< hashes, or instead the word
    Bytes words; ///< of each position and column, as runner/evaluate.h says
    std::map<std::size_t, std::string> reasons; ///< by the index of the word
  };
  Outcomes outcomes = {};
  Bytes rewrites = {}; ///< each once, as packRewrites() writes them
};

/// Orders findings for the second half of a bucket's sample: a fixed mix of the
/// rank, so that what is kept does not depend on the schedule.
std::uint64_t rankHash(Rank rank);
/// Keeps of the findings of one bucket the `keep` lowest ranks and the `keep`
/// lowest rankHash()es.
void trimBucket(std::vector<Finding> &findings, std::uint64_t keep);

struct PositionRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  friend bool operator==(const PositionRange &,
                         const PositionRange &) = default;
};

/// What a lane is, as the campaign recorded it.
struct Lane {
  unsigned release = 0;
  std::string version;
  std::string passes; ///< as the user spelled them
  std::string asRun;
  std::string expanded;
  friend bool operator==(const Lane &, const Lane &) = default;
};

/// A bug as triage wrote it: `document` is the JSON object of bugs.json.
struct BugRecord {
  std::string id;
  std::string document;
};

class Store {
public:
  /// Opens `path` for the campaign `identity` (canonical JSON text), creating
  /// it if it does not exist. Fails, and writes nothing, when the file is no
  /// irsieve database, is of a newer irsieve, or holds another campaign.
  static Result<Store> openOrCreate(const std::string &path,
                                    const std::string &identity,
                                    const std::vector<Lane> &lanes);
  /// Opens an existing database.
  static Result<Store> open(const std::string &path);
  ~Store();
  Store(Store &&) noexcept;
  Store &operator=(Store &&) noexcept;

  std::string identity() const;
  std::vector<Lane> lanes() const;
  /// Fails where the file was damaged: SQLite's own check, and digests of parts
  /// that do not sum up to that of their tally. Reads all of it.
  Result<std::monostate> check() const;

  /// One transaction. Fails when the disk is full or the file is locked; then
  /// the database is as before. Requires that no position was done before.
  /// `part` is the part of the campaign's positions that the chunk lies in.
  Result<std::monostate> commit(std::size_t lane, const ChunkResult &chunk,
                                std::uint64_t keep, std::uint64_t part = 0);
  /// Adds a lane's results in another database of the same campaign; one
  /// transaction, as commit(). False, and nothing changes, when they are all
  /// here already; fails when some are. What triage made of the findings is not
  /// taken over.
  Result<bool> fold(const Store &other, std::size_t lane, std::uint64_t keep);
  /// Disjoint, ascending, merged where they touch.
  std::vector<PositionRange> done(std::size_t lane) const;
  Tally tally(std::size_t lane, std::size_t column) const;
  /// Of each part, up to the last one with results; they sum up to the tally's.
  std::vector<Digest> digests(std::size_t lane, std::size_t column) const;
  std::vector<Omission> omissions(std::size_t lane) const;
  /// In order of bucket, then rank.
  std::vector<Finding> findings(std::size_t lane) const;
  /// Exact numbers of findings, kept or not.
  std::vector<ChunkResult::BucketCount> buckets(std::size_t lane) const;
  /// Ascending by hash, at most keptRewrites.
  std::vector<Rewrite> rewrites(std::size_t lane) const;
  /// Their hashes, which are at hand once the lane was looked at.
  std::vector<std::uint64_t> rewriteHashes(std::size_t lane) const;
  /// Exact number of findings of that bucket, kept or not.
  std::uint64_t bucketCount(std::size_t lane, int column,
                            const std::string &bucket) const;

  /// Replaces all bugs and the bug of every kept finding; one transaction.
  struct Assignment {
    std::size_t lane = 0;
    int column = everyColumn;
    std::string bucket;
    Rank rank = 0;
    std::string bug;
  };
  Result<std::monostate> saveBugs(const std::vector<BugRecord> &bugs,
                                  const std::vector<Assignment> &assignments);
  std::vector<BugRecord> bugs() const;

  /// What a finished campaign certifies, as JSON; empty before.
  std::string certificate() const;
  Result<std::monostate> saveCertificate(const std::string &document);

  /// What a user said of a bug: that it is the bug `target`, or, where `target`
  /// is empty, that it is several. Triage asks; one decision for each bug.
  struct Decision {
    std::string bug;
    std::string target;
  };
  Result<std::monostate> decide(const Decision &decision);
  Result<std::monostate> forgetDecision(const std::string &bug);
  std::vector<Decision> decisions() const;

private:
  /// Columns with results.
  std::uint64_t columns() const;

  struct State;
  explicit Store(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace corpus
