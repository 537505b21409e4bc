// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/decision_graph.h"

#include "corpus/program/encode.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <unordered_map>

namespace enumerate {

using corpus::Error;

namespace {

/// About a gigabyte; such a space is irregular rather than large.
constexpr std::size_t maximumEdges = 20'000'000;

} // namespace

class DecisionGraph::Builder {
public:
  Builder(const Grammar &grammar, DecisionGraph &graph)
      : grammar_(grammar), graph_(graph) {
    graph_.nodes_.push_back({1, 0, 0});
  }

  /// Recursion is as deep as a program has decisions. After a problem the
  /// result means nothing.
  Node build(const GrammarState &state) {
    if (state.stage == GrammarState::Stage::complete)
      return leaf;
    // 128 bits of a key stand for it: no two keys will ever share them.
    grammar_.keyOf(state, key_);
    const corpus::Digest digest = corpus::digestOf(key_);
    if (const auto known = nodes_.find(digest); known != nodes_.end())
      return known->second;

    std::vector<Grammar::Move> moves;
    grammar_.expand(state, moves);
    std::vector<Edge> edges;
    NodeData data;
    for (const Grammar::Move &move : moves) {
      if (move.decision.choices == 0)
        continue;
      const Node target = build(move.next);
      if (problem_)
        return leaf;
      Rank programs = 0;
      const Rank before = data.count;
      if (move.decision.choices == Decision::tooMany ||
          __builtin_mul_overflow(Rank(move.decision.choices),
                                 graph_.nodes_[target].count, &programs) ||
          __builtin_add_overflow(before, programs, &data.count)) {
        problem_ = "has more functions than 128 bits can count";
        return leaf;
      }
      if (programs != 0)
        edges.push_back({move.decision, target, before});
    }
    data.firstEdge = static_cast<std::uint32_t>(graph_.edges_.size());
    data.edgeCount = static_cast<std::uint32_t>(edges.size());
    graph_.edges_.insert(graph_.edges_.end(), edges.begin(), edges.end());
    if (graph_.edges_.size() > maximumEdges)
      problem_ = "has too many shapes to index";
    const Node node = static_cast<Node>(graph_.nodes_.size());
    graph_.nodes_.push_back(data);
    nodes_.emplace(digest, node);
    return node;
  }

  const std::optional<std::string> &problem() const { return problem_; }

private:
  const Grammar &grammar_;
  DecisionGraph &graph_;
  std::unordered_map<corpus::Digest, Node, corpus::DigestHash> nodes_;
  corpus::Bytes key_;
  std::optional<std::string> problem_;
};

corpus::Result<DecisionGraph> DecisionGraph::build(const Grammar &grammar) {
  DecisionGraph graph;
  Builder builder(grammar, graph);
  graph.root_ = builder.build(grammar.start());
  if (builder.problem())
    return Error{*builder.problem()};
  graph.nodes_.shrink_to_fit();
  graph.edges_.shrink_to_fit();
  return graph;
}

const DecisionGraph::Edge &DecisionGraph::edgeOf(Node node, Rank rank) const {
  assert(rank < count(node));
  const auto candidates = edges(node);
  const auto above = std::upper_bound(
      candidates.begin(), candidates.end(), rank,
      [](Rank r, const Edge &edge) { return r < edge.before; });
  return *(above - 1);
}

} // namespace enumerate
