// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The states of a Grammar with the number of programs behind each: what turns
// a rank into decisions and back. Edges that lead to no program are left out.
// Immutable after construction, may be shared by threads.
#pragma once

#include "corpus/program/result.h"
#include "enumerate/grammar.h"

#include <cstdint>
#include <span>
#include <vector>

namespace enumerate {

class DecisionGraph {
public:
  using Node = std::uint32_t;
  /// The node of every complete program.
  static constexpr Node leaf = 0;

  struct Edge {
    Decision decision;
    Node target = leaf;
    std::uint64_t before = 0; ///< programs behind the earlier edges of the node
  };

  /// Fails when the count does not fit 64 bits, or when there are too many
  /// states.
  static corpus::Result<DecisionGraph> build(const Grammar &grammar);

  std::size_t nodeCount() const { return nodes_.size(); }
  std::size_t edgeCount() const { return edges_.size(); }
  Node root() const { return root_; }
  std::uint64_t count(Node node) const { return nodes_[node].count; }
  std::span<const Edge> edges(Node node) const {
    return {edges_.data() + nodes_[node].firstEdge, nodes_[node].edgeCount};
  }
  /// The edge of `node` that `rank` goes through. Requires rank < count(node).
  const Edge &edgeOf(Node node, std::uint64_t rank) const;

private:
  struct NodeData {
    std::uint64_t count = 0;
    std::uint32_t firstEdge = 0;
    std::uint32_t edgeCount = 0;
  };
  class Builder;

  std::vector<NodeData> nodes_;
  std::vector<Edge> edges_;
  Node root_ = leaf;
};

} // namespace enumerate
