// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/cfg.h"

#include <algorithm>

namespace enumerate {

namespace {

class CfgGenerator {
public:
  explicit CfgGenerator(const CfgRules &rules) : rules_(rules) {}

  std::optional<std::vector<Cfg>> run() {
    if (rules_.only != nullptr) {
      exits_ = rules_.only->exits;
      finish();
      return std::move(found_);
    }
    extend(1);
    if (found_.size() > maximumCfgs)
      return std::nullopt;
    return std::move(found_);
  }

private:
  /// Chooses the exit of the next block; blocks below `known` have been met.
  void extend(unsigned known) {
    if (found_.size() > maximumCfgs)
      return;
    if (exits_.size() == rules_.blocks) {
      finish();
      return;
    }
    if (exits_.size() >= known) // nothing leads to it
      return;
    choose(Exit::Kind::ret, 0, known);
    choose(Exit::Kind::jump, 1, known);
    choose(Exit::Kind::branch, 2, known);
    if (rules_.switches) {
      choose(Exit::Kind::switch_, 2, known);
      choose(Exit::Kind::switch_, 3, known);
    }
    if (rules_.unreachable)
      choose(Exit::Kind::unreachable, 0, known);
  }

  void choose(Exit::Kind kind, unsigned targets, unsigned known) {
    exits_.push_back({kind, {}});
    chooseTargets(targets, known);
    exits_.pop_back();
  }

  void chooseTargets(unsigned left, unsigned known) {
    if (left == 0) {
      const std::vector<std::uint8_t> &targets = exits_.back().targets;
      const bool allSame =
          targets.size() > 1 &&
          std::all_of(targets.begin(), targets.end(), [&](std::uint8_t target) {
            return target == targets[0];
          });
      if (!allSame || rules_.sameTarget)
        extend(known);
      return;
    }
    // Not the entry; a block not met before is the next number.
    for (unsigned target = 1; target <= known && target < rules_.blocks;
         ++target) {
      if (!rules_.loops && closesCycle(target))
        continue;
      exits_.back().targets.push_back(static_cast<std::uint8_t>(target));
      chooseTargets(left - 1, std::max(known, target + 1));
      exits_.back().targets.pop_back();
    }
  }

  void finish() {
    Cfg cfg;
    cfg.exits = exits_;
    cfg.incoming.resize(exits_.size());
    for (std::size_t from = 0; from < exits_.size(); ++from)
      for (std::uint8_t target : exits_[from].targets) {
        auto &incoming = cfg.incoming[target];
        if (incoming.empty() || incoming.back().block != from)
          incoming.push_back({static_cast<std::uint8_t>(from), 0});
        ++incoming.back().edges;
      }
    findDominators(cfg);
    found_.push_back(std::move(cfg));
  }

  /// Whether an edge of the block being decided to `target` closes a cycle
  /// among the blocks decided so far.
  bool closesCycle(unsigned target) const {
    const std::size_t last = exits_.size() - 1;
    std::uint32_t reached = 1U << target;
    for (std::uint32_t before = 0; before != reached;) {
      before = reached;
      for (std::size_t b = 0; b < last; ++b)
        if ((before >> b & 1U) != 0)
          for (const std::uint8_t next : exits_[b].targets)
            reached |= 1U << next;
    }
    return (reached >> last & 1U) != 0;
  }

  static void findDominators(Cfg &cfg) {
    const std::uint32_t all = (1U << cfg.size()) - 1;
    cfg.dominators.assign(cfg.size(), all);
    cfg.dominators[0] = 1;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = 1; b < cfg.size(); ++b) {
        std::uint32_t meet = all;
        for (const Cfg::Incoming &from : cfg.incoming[b])
          meet &= cfg.dominators[from.block];
        meet |= 1U << b;
        changed |= meet != cfg.dominators[b];
        cfg.dominators[b] = meet;
      }
    }
  }

  const CfgRules &rules_;
  std::vector<Exit> exits_;
  std::vector<Cfg> found_;
};

} // namespace

std::span<const CfgInfo> cfgTable() {
  using enum Exit::Kind;
  static const std::vector<CfgInfo> table = {
      {"if",
       "a block that is executed if a condition holds",
       {{branch, {1, 2}}, {jump, {2}}, {ret, {}}}},
      {"diamond",
       "one of two blocks, then a last one",
       {{branch, {1, 2}}, {jump, {3}}, {jump, {3}}, {ret, {}}}},
      {"loop",
       "a block that is executed until a condition fails, between two others",
       {{jump, {1}}, {branch, {1, 2}}, {ret, {}}}},
      {"while",
       "a loop of two blocks, of which the first one may leave it",
       {{jump, {1}}, {branch, {2, 3}}, {jump, {1}}, {ret, {}}}},
      {"thread",
       "a block that may be skipped, then one of two ends",
       {{branch, {1, 2}}, {jump, {2}}, {branch, {3, 4}}, {ret, {}}, {ret, {}}}},
      {"nested",
       "a loop of one block in a loop, between two others",
       {{jump, {1}},
        {jump, {2}},
        {branch, {2, 3}},
        {branch, {1, 4}},
        {ret, {}}}},
      {"table",
       "a switch of three cases, a block for each and one for the others, then "
       "a last one",
       {{switch_, {1, 2, 3, 4}},
        {jump, {5}},
        {jump, {5}},
        {jump, {5}},
        {jump, {5}},
        {ret, {}}}},
      {"lookup",
       "a switch of four cases, a block for each, then a last one for the "
       "others too",
       {{switch_, {1, 2, 3, 4, 5}},
        {ret, {}},
        {jump, {1}},
        {jump, {1}},
        {jump, {1}},
        {jump, {1}}}},
      {"chain",
       "a switch of two cases, then one of what is left, whose only case has a "
       "block, then a last one for all others",
       {{switch_, {1, 2, 2}}, {switch_, {2, 3}}, {ret, {}}, {jump, {2}}}},
      {"dispatch",
       "a loop around a switch of two cases, of which one leaves it",
       {{jump, {1}},
        {switch_, {2, 3, 4}},
        {jump, {1}},
        {jump, {1}},
        {ret, {}}}},
  };
  return table;
}

bool hasCycle(const CfgInfo &graph) {
  // By block: the set of blocks that it reaches, by paths one edge longer each
  // time.
  std::vector<std::uint32_t> reached(graph.exits.size());
  for (std::size_t length = 0; length < reached.size(); ++length)
    for (std::size_t b = 0; b < reached.size(); ++b)
      for (const std::uint8_t target : graph.exits[b].targets)
        reached[b] |= 1U << target | reached[target];
  for (std::size_t b = 0; b < reached.size(); ++b)
    if ((reached[b] >> b & 1U) != 0)
      return true;
  return false;
}

std::optional<std::vector<Cfg>> makeCfgs(const CfgRules &rules) {
  return CfgGenerator(rules).run();
}

} // namespace enumerate
