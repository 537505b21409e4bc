// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What irsieve and its workers say to each other about campaigns, as the JSON
// of frames.
#pragma once

#include "checker/semantics/semantics.h"
#include "corpus/store/store.h"
#include "enumerate/order.h"
#include "runner/backend.h"
#include "runner/frames.h"

#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace runner {

using corpus::Rank;

/// Which functions of a space a campaign looks at, in ascending order of rank
/// unless inOrder() says otherwise. Position p stands for rank(p). A shard
/// looks at a window of the positions; what they stand for is the same in all
/// shards, so that results can be merged.
class Selection {
public:
  static constexpr std::uint64_t mostPositions =
      std::numeric_limits<std::uint64_t>::max();
  /// Ranks [begin, end), of which there are less than 2^64.
  static Selection range(Rank begin, Rank end);
  /// `count` distinct ranks of a space of `size`, as enumerate::sampleRanks().
  static Selection sample(Rank size, std::uint64_t count, std::uint64_t seed);
  /// The first `count` positions of an order of `space`, which outlives it; all
  /// when there are less. Requires that they fit 64 bits.
  static Selection inOrder(const enumerate::Space &space,
                           const enumerate::OrderInfo &order,
                           std::uint64_t seed, std::uint64_t count);
  /// Needed by rank() where fromJson() made the selection: the space that it
  /// was made for, which outlives it. False for one of another size.
  bool bind(const enumerate::Space &space);
  /// The i-th of n equal slices of this one, which is no shard, i = 1 .. n.
  Selection shard(std::uint64_t i, std::uint64_t n) const;
  /// What a shard is a shard of; itself for any other.
  Selection whole() const;

  corpus::PositionRange window() const { return window_; }
  /// Number of positions in the window.
  std::uint64_t size() const { return window_.end - window_.begin; }
  Rank rank(std::uint64_t position) const;
  /// Ranks follow each other, so that a cursor can walk them.
  bool isContiguous() const { return ranks_.empty() && info_ == nullptr; }

  /// Digests are kept for each of so many equal parts of all positions, so that
  /// a result can be verified by a sample of them.
  std::uint64_t parts() const;
  corpus::PositionRange part(std::uint64_t index) const;
  std::uint64_t partOf(std::uint64_t position) const;

  Json toJson() const;
  /// Nothing for JSON that toJson() cannot have written.
  static std::optional<Selection> fromJson(const Json &json);

private:
  static Selection inOrder(Rank size, const enumerate::OrderInfo &order,
                           std::uint64_t seed, std::uint64_t count);

  Rank begin_ = 0;          ///< rank of position 0, unless ranks_ has them
  std::uint64_t count_ = 0; ///< positions of all shards together
  corpus::PositionRange window_;
  std::vector<Rank> ranks_; ///< of a sample
  /// Of a selection in an order; `order_` once it is bound.
  const enumerate::OrderInfo *info_ = nullptr;
  std::uint64_t seed_ = 0;
  Rank size_ = 0;
  std::shared_ptr<const enumerate::Order> order_;
  Json origin_;
};

/// One lane's work for one worker process.
struct WorkOrder {
  Pipeline pipeline;
  std::string space;
  /// Encoded; of a space that comes from files (see enumerate/file_space.h).
  std::vector<corpus::Bytes> programs;
  std::vector<std::string> names; ///< of `programs`
  Selection selection;
  std::vector<checker::Semantics> columns;
  std::vector<corpus::PositionRange> ranges; ///< positions still to do
  std::uint64_t chunkSize = 16384;
  std::uint64_t keep = 50; ///< findings of a bucket, see corpus::trimBucket()
  unsigned threads = 1;
  std::chrono::milliseconds functionLimit = defaultFunctionLimit;
  WatchPasses watchPasses = WatchPasses::no;
  std::uint64_t memoBytes = 0; ///< of each thread, see Optimizer::setMemo()
  bool checkEach = false;     ///< every pass must refine, not only all together
  bool wantsOutcomes = false; ///< chunks say what became of each function
  /// Outcomes without words are all that is wanted: nothing is checked.
  bool outputsOnly = false;
};

void to_json(Json &json, const Pipeline &pipeline);
void from_json(const Json &json, Pipeline &pipeline);
void to_json(Json &json, const PipelineInfo &info);
void from_json(const Json &json, PipelineInfo &info);
void to_json(Json &json, const BuildInfo &info);
void from_json(const Json &json, BuildInfo &info);
void to_json(Json &json, const Output &output);
void from_json(const Json &json, Output &output);
void to_json(Json &json, const Trace &trace);
void from_json(const Json &json, Trace &trace);
void to_json(Json &json, const WorkOrder &order);
void from_json(const Json &json, WorkOrder &order);

/// A number; beyond 64 bits, which JSON has not, its decimal digits as text.
Json toJson(Rank rank);
/// Nothing for JSON that toJson() cannot have written.
std::optional<Rank> rankFromJson(const Json &json);
Json toJson(const corpus::ChunkResult &chunk);
corpus::ChunkResult chunkFromJson(const Json &json);

} // namespace runner
