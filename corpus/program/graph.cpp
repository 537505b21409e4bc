// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/graph.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace corpus {
namespace {

std::vector<std::vector<std::size_t>> successorsOf(const Program &program) {
  std::vector<std::vector<std::size_t>> successors(program.blocks.size());
  for (std::size_t block = 0; block < successors.size(); ++block)
    for (const Operand &operand : program.operandsOf(
             program.instructions[program.blocks[block].end - 1]))
      if (operand.is(Operand::Kind::block))
        successors[block].push_back(operand.payload);
  return successors;
}

} // namespace

Graph::Graph(const Program &program) : Graph(successorsOf(program)) {}

Graph::Graph(std::vector<std::vector<std::size_t>> successors)
    : successors_(std::move(successors)) {
  assert(!successors_.empty());
  findPredecessors();
  findOrder();
  findDominators();
}

void Graph::findPredecessors() {
  predecessors_.resize(size());
  for (std::size_t from = 0; from < size(); ++from)
    for (const std::size_t to : successors_[from])
      predecessors_[to].push_back(from);
}

void Graph::findOrder() {
  std::vector<bool> seen(size(), false);
  struct Visit {
    std::size_t block;
    std::size_t left; ///< successors to look at, the last one first
  };
  std::vector<Visit> path = {{0, successors_[0].size()}};
  seen[0] = true;
  while (!path.empty()) {
    Visit &visit = path.back();
    if (visit.left == 0) {
      order_.push_back(visit.block);
      path.pop_back();
      continue;
    }
    const std::size_t next = successors_[visit.block][--visit.left];
    if (!seen[next]) {
      seen[next] = true;
      path.push_back({next, successors_[next].size()});
    }
  }
  std::reverse(order_.begin(), order_.end());
  place_.assign(size(), size());
  for (std::size_t i = 0; i < order_.size(); ++i)
    place_[order_[i]] = i;
  for (const std::size_t from : order_)
    for (const std::size_t to : successors_[from])
      hasCycle_ = hasCycle_ || place_[to] <= place_[from];
}

/// Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm.
void Graph::findDominators() {
  const std::size_t unknown = size();
  parent_.assign(order_.size(), unknown);
  parent_[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 1; i < order_.size(); ++i) {
      std::size_t meet = unknown;
      for (const std::size_t from : predecessors_[order_[i]]) {
        std::size_t other = place_[from];
        if (other == size() || parent_[other] == unknown)
          continue;
        if (meet == unknown)
          meet = other;
        while (meet != other)
          (meet > other ? meet : other) = parent_[std::max(meet, other)];
      }
      changed = changed || meet != parent_[i];
      parent_[i] = meet;
    }
  }
}

bool Graph::dominates(std::size_t dominator, std::size_t block) const {
  if (!isReachable(block))
    return true;
  std::size_t at = place_[block];
  while (at > place_[dominator])
    at = parent_[at];
  return at == place_[dominator];
}

bool Graph::isInCycle(std::size_t block) const {
  std::vector<bool> seen(size(), false);
  std::vector<std::size_t> todo = {block};
  while (!todo.empty()) {
    const std::size_t at = todo.back();
    todo.pop_back();
    for (const std::size_t next : successors_[at]) {
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
