// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The control-flow graph of a Program: who follows whom, in which order, what
// dominates what, what lies on a cycle. Everything that walks blocks asks here.
//
// Block 0 is the entry. Edges count: a conditional `br` with both sides equal
// is two of them. Computed once, when made; it keeps no reference to the
// Program. Threads: immutable once made.
#pragma once

#include "corpus/program/program.h"

#include <cstddef>
#include <span>
#include <vector>

namespace corpus {

class Graph {
public:
  /// Requires that each block ends in its only terminator and that branches
  /// name blocks of the program; nothing else of verify().
  explicit Graph(const Program &program);
  /// By block: its successors, one for each edge. Requires at least one block.
  explicit Graph(const std::vector<std::vector<std::size_t>> &successors);

  std::size_t size() const { return size_; }
  /// One for each edge, in the order of the terminator's operands.
  std::span<const std::size_t> successors(std::size_t block) const {
    return edges(successors_, block);
  }
  /// One for each edge, in ascending order.
  std::span<const std::size_t> predecessors(std::size_t block) const {
    return edges(predecessors_, block);
  }

  /// The blocks that the entry reaches, in reverse post order, of two
  /// successors the first one first: without cycles each block stands behind
  /// its predecessors, and always behind what dominates it.
  std::span<const std::size_t> order() const {
    return {data_.data() + order_, reachable_};
  }
  /// Place of a block in order(); size() if the entry does not reach it.
  std::size_t place(std::size_t block) const { return data_[place_ + block]; }
  bool isReachable(std::size_t block) const { return place(block) != size(); }

  /// Every path from the entry to `block` passes `dominator`, which may be
  /// `block` itself. True of all blocks where there is no such path.
  bool dominates(std::size_t dominator, std::size_t block) const;

  /// A path of at least one edge leads from `block` back to it.
  bool isInCycle(std::size_t block) const;
  /// The entry reaches a cycle.
  bool hasCycle() const { return hasCycle_; }

private:
  /// Makes room for `size` blocks and `edges` edges.
  void reserve(std::size_t size, std::size_t edges);
  /// From the successors, all that follows from them.
  void finish();
  void findPredecessors();
  void findOrder();
  void findDominators();

  std::span<const std::size_t> edges(std::size_t table,
                                     std::size_t block) const {
    const std::size_t begin = data_[table + block];
    return {data_.data() + begin, data_[table + block + 1] - begin};
  }

  // All tables stand in one vector, as each check of a pair makes two graphs.
  // Of successors and predecessors: size() + 1 places in data_, where those of
  // a block begin, and behind these the blocks themselves.
  std::vector<std::size_t> data_;
  std::size_t size_ = 0;
  std::size_t successors_ = 0;
  std::size_t predecessors_ = 0;
  std::size_t order_ = 0;
  std::size_t place_ = 0;
  /// By place: the place of the closest other dominator; 0 for the entry.
  std::size_t parent_ = 0;
  std::size_t scratch_ = 0; ///< two for each block
  std::size_t reachable_ = 0;
  bool hasCycle_ = false;
};

} // namespace corpus
