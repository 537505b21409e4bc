// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The states of a Grammar with the number of programs behind each: what turns
// a rank into decisions and back. Edges that lead to no program are left out.
// Immutable after construction, may be shared by threads.
#pragma once

#include "corpus/program/rank.h"
#include "corpus/program/result.h"
#include "enumerate/grammar.h"

#include <cstdint>
#include <span>
#include <vector>

namespace enumerate {

/// rank / each, which must fit 64 bits; division of 128 bits is slow.
inline std::uint64_t quotient(corpus::Rank rank, corpus::Rank each) {
  assert(each != 0);
  if ((rank | each) >> 64 == 0)
    return static_cast<std::uint64_t>(rank) / static_cast<std::uint64_t>(each);
  return static_cast<std::uint64_t>(rank / each);
}

class DecisionGraph {
public:
  using Rank = corpus::Rank;
  using Node = std::uint32_t;
  /// The node of every complete program.
  static constexpr Node leaf = 0;

  struct Edge {
    Decision decision;
    Node target = leaf;
    Rank before = 0; ///< programs behind the earlier edges of the node
  };

  /// Fails when the count does not fit 128 bits, or when there are too many
  /// states.
  static corpus::Result<DecisionGraph> build(const Grammar &grammar);

  std::size_t nodeCount() const { return nodes_.size(); }
  std::size_t edgeCount() const { return edges_.size(); }
  Node root() const { return root_; }
  Rank count(Node node) const { return nodes_[node].count; }
  std::span<const Edge> edges(Node node) const {
    return {edges_.data() + nodes_[node].firstEdge, nodes_[node].edgeCount};
  }
  /// The edge of `node` that `rank` goes through. Requires rank < count(node).
  const Edge &edgeOf(Node node, Rank rank) const;

private:
  struct NodeData {
    Rank count = 0;
    std::uint32_t firstEdge = 0;
    std::uint32_t edgeCount = 0;
  };
  class Builder;

  std::vector<NodeData> nodes_;
  std::vector<Edge> edges_;
  Node root_ = leaf;
};

} // namespace enumerate
