// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/graph.h"

#include <algorithm>
#include <cassert>

namespace corpus {
namespace {

std::span<const Operand> terminatorOf(const Program &program,
                                      const Block &block) {
  return program.operandsOf(program.instructions[block.end - 1]);
}

} // namespace

Graph::Graph(const Program &program) {
  std::size_t edges = 0;
  for (const Block &block : program.blocks)
    for (const Operand &operand : terminatorOf(program, block))
      edges += operand.is(Operand::Kind::block) ? 1 : 0;
  reserve(program.blocks.size(), edges);
  std::size_t next = data_[0];
  for (std::size_t block = 0; block < size(); ++block) {
    data_[successors_ + block] = next;
    for (const Operand &operand : terminatorOf(program, program.blocks[block]))
      if (operand.is(Operand::Kind::block))
        data_[next++] = operand.payload;
  }
  data_[successors_ + size()] = next;
  finish();
}

Graph::Graph(const std::vector<std::vector<std::size_t>> &successors) {
  std::size_t edges = 0;
  for (const auto &each : successors)
    edges += each.size();
  reserve(successors.size(), edges);
  std::size_t next = data_[0];
  for (std::size_t block = 0; block < size(); ++block) {
    data_[successors_ + block] = next;
    for (const std::size_t to : successors[block])
      data_[next++] = to;
  }
  data_[successors_ + size()] = next;
  finish();
}

void Graph::reserve(std::size_t size, std::size_t edges) {
  assert(size != 0);
  size_ = size;
  successors_ = 0;
  predecessors_ = successors_ + size + 1 + edges;
  order_ = predecessors_ + size + 1 + edges;
  place_ = order_ + size;
  parent_ = place_ + size;
  scratch_ = parent_ + size;
  data_.assign(scratch_ + 2 * size, 0);
  data_[successors_] = successors_ + size + 1;
}

void Graph::finish() {
  findPredecessors();
  findOrder();
  findDominators();
}

void Graph::findPredecessors() {
  // Counted, summed up to where each block's end, and filled in from there.
  std::size_t *const begin = data_.data() + predecessors_;
  for (std::size_t from = 0; from < size(); ++from)
    for (const std::size_t to : successors(from))
      ++begin[to];
  std::size_t end = predecessors_ + size() + 1;
  for (std::size_t block = 0; block <= size(); ++block)
    begin[block] = end += begin[block];
  for (std::size_t from = size(); from-- > 0;)
    for (const std::size_t to : successors(from))
      data_[--begin[to]] = from;
}

void Graph::findOrder() {
  // A block is seen from its first visit on, and its place is known at the
  // last.
  constexpr std::size_t seen = 1;
  std::size_t *const place = data_.data() + place_;
  std::size_t *const path = data_.data() + scratch_;
  // Of each block on the path, how many successors are to look at, the last
  // one first.
  std::size_t *const left = path + size();
  std::size_t depth = 0;
  const auto visit = [&](std::size_t block) {
    place[block] = seen;
    path[depth] = block;
    left[depth] = successors(block).size();
    ++depth;
  };
  visit(0);
  // Filled from the end of its table, then moved to its beginning.
  std::size_t *const order = data_.data() + order_;
  std::size_t first = size();
  while (depth != 0) {
    const std::size_t block = path[depth - 1];
    if (left[depth - 1] == 0) {
      order[--first] = block;
      --depth;
      continue;
    }
    const std::size_t next = successors(block)[--left[depth - 1]];
    if (place[next] != seen)
      visit(next);
  }
  reachable_ = size() - first;
  std::copy(order + first, order + size(), order);
  std::fill(place, place + size(), size());
  for (std::size_t i = 0; i < reachable_; ++i)
    place[order[i]] = i;
  for (std::size_t i = 0; i < reachable_; ++i)
    for (const std::size_t to : successors(order[i]))
      hasCycle_ = hasCycle_ || place[to] <= i;
}

/// Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm.
void Graph::findDominators() {
  const std::size_t unknown = size();
  std::size_t *const parent = data_.data() + parent_;
  std::fill(parent, parent + size(), unknown);
  parent[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 1; i < reachable_; ++i) {
      std::size_t meet = unknown;
      for (const std::size_t from : predecessors(order()[i])) {
        std::size_t other = place(from);
        if (other == size() || parent[other] == unknown)
          continue;
        if (meet == unknown)
          meet = other;
        while (meet != other)
          (meet > other ? meet : other) = parent[std::max(meet, other)];
      }
      // Without a cycle, all predecessors come first.
      changed = changed || (hasCycle_ && meet != parent[i]);
      parent[i] = meet;
    }
  }
}

bool Graph::dominates(std::size_t dominator, std::size_t block) const {
  if (!isReachable(block))
    return true;
  std::size_t at = place(block);
  while (at > place(dominator))
    at = data_[parent_ + at];
  return at == place(dominator);
}

bool Graph::isInCycle(std::size_t block) const {
  std::vector<bool> seen(size(), false);
  std::vector<std::size_t> todo = {block};
  while (!todo.empty()) {
    const std::size_t at = todo.back();
    todo.pop_back();
    for (const std::size_t next : successors(at)) {
      if (next == block)
        return true;
      if (!seen[next]) {
        seen[next] = true;
        todo.push_back(next);
      }
    }
  }
  return false;
}

} // namespace corpus
