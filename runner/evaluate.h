// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The campaign's inner loop: enumerate a chunk of positions, optimize it in
// batches, check what changed under every column, and count. LLVM-free: the
// optimizer is whatever implements Optimizer.
// Threads: one Evaluator per thread; the Space is shared.
#pragma once

#include "checker/check.h"
#include "checker/semantics/relevance.h"
#include "corpus/store/store.h"
#include "enumerate/space.h"
#include "runner/optimizer.h"
#include "runner/protocol.h"
#include "runner/rewrite.h"
#include "runner/rewrite_counts.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace runner {

/// What a slot shows while the result of the passes is checked.
inline constexpr std::string_view checkingName = "irsieve check";

/// Runs one function alone and reports every pass, as Backend::trace().
using Tracer = std::function<Trace(const corpus::Program &)>;

class Evaluator {
public:
  /// `space` and `order` outlive the evaluator. Requires a tracer where
  /// order.checkEach.
  Evaluator(const enumerate::Space &space, const WorkOrder &order,
            std::unique_ptr<Optimizer> optimizer, Tracer tracer = nullptr);

  /// Positions [range.begin, range.end) of the order's selection, or only the
  /// first of them where `stop` becomes true. The result depends on nothing but
  /// the range that it is about.
  corpus::ChunkResult evaluate(corpus::PositionRange range, Slot &slot,
                               const std::atomic<bool> *stop = nullptr);

private:
  struct Bucket {
    std::uint64_t count = 0;
    std::vector<corpus::Finding> findings;
  };

  /// Takes a batch of representatives off the front of `range`, and returns how
  /// many members were left to another one by the space's symmetry.
  std::uint64_t fillBatch(enumerate::Cursor *cursor,
                          corpus::PositionRange &range);
  void judge(std::size_t index, Slot &slot, corpus::ChunkResult &chunk);
  /// Optimizes the chunk's sample again, in one batch and each function alone:
  /// an optimizer that is a function of its input gives the same.
  void repeat(Slot &slot, corpus::ChunkResult &chunk);
  /// Fills worstSteps_.
  void checkSteps(const corpus::Program &source);
  void checkColumns(const corpus::Program &source,
                    const corpus::Program &target);
  void add(corpus::Finding finding, std::size_t index);
  void omit(int column, checker::VerdictWord word, std::string reason,
            std::size_t index);

  const enumerate::Space &space_;
  const WorkOrder &order_;
  std::unique_ptr<Optimizer> optimizer_;
  Tracer tracer_;
  checker::Checker checker_;
  std::optional<enumerate::RepresentativeFilter> filter_;

  // Reused from batch to batch.
  std::vector<corpus::Program> batch_;
  std::vector<Rank> ranks_;
  std::vector<std::uint64_t> positions_; ///< of ranks_
  std::vector<Output> outputs_;
  corpus::Bytes scratch_;
  std::vector<checker::Semantics> checked_; ///< relevant parts, each once
  std::vector<checker::Verdict> verdicts_;  ///< of each of checked_
  std::vector<std::size_t> verdictOf_;      ///< of each column
  /// The first pass that is wrong, else the first that could not be checked.
  struct WorstStep {
    checker::Verdict verdict;
    std::string pass;
    corpus::Program before;
    corpus::Program after;
  };
  std::vector<std::optional<WorstStep>> worstSteps_; ///< of each column
  struct Sampled {
    Rank rank;
    std::uint64_t position;
    corpus::Program program;
    Output output;
  };
  RewriteFinder rewriteFinder_;
  RewriteCounts rewrites_;      ///< of the chunk
  std::vector<Sampled> sample_; ///< of the chunk, for repeat()
  std::map<std::pair<int, std::string>, Bucket> buckets_;
  std::map<std::tuple<int, std::string, std::string>, corpus::Omission>
      omissions_;
};

/// What ChunkResult::Outcomes say of a function: a verdict, or the kind of a
/// finding.
std::uint8_t outcomeOf(const checker::Verdict &verdict);
std::uint8_t outcomeOf(checker::Kind kind);
std::string_view outcomeSpelling(std::uint8_t word);

/// What a finding is filed under before triage: its kind, and the opcodes and
/// flags that disappeared and appeared.
std::string quickSignature(std::string_view kind, const corpus::Program &source,
                           const corpus::Program &target);

/// The result of one position on which the optimizer never answered: `kind` is
/// crash or hang. A hang of the check is `undecided`.
corpus::ChunkResult lostPosition(const enumerate::Space &space,
                                 const WorkOrder &order, std::uint64_t position,
                                 checker::Kind kind, const std::string &pass,
                                 const std::string &detail);

/// Whether each look at what is filed under `bucket` costs a limit of time or
/// memory: what lostPosition() calls a hang, or what ate memory.
bool isDear(std::string_view bucket);

} // namespace runner
