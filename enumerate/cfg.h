// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control-flow graphs of exactly B blocks, each once: blocks are numbered in
// the order in which a breadth-first walk from the entry meets them, so a
// graph has one numbering, and a dominator comes before what it dominates.
// Immutable data, safe from any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace enumerate {

/// How a block ends.
struct Exit {
  enum class Kind : std::uint8_t {
    ret,
    jump,    ///< to targets[0]
    branch,  ///< to targets[0] if true, targets[1] if false
    switch_, ///< to targets[0] by default, to the others by case
    unreachable,
  };
  Kind kind = Kind::ret;
  std::vector<std::uint8_t> targets;

  friend bool operator==(const Exit &, const Exit &) = default;
};

/// A graph with a name.
struct CfgInfo {
  std::string_view name;
  std::string_view help;
  std::vector<Exit> exits; ///< by block, numbered as all graphs are
};
std::span<const CfgInfo> cfgTable();
bool hasCycle(const CfgInfo &graph);

/// How blocks may be connected.
struct CfgRules {
  unsigned blocks = 1;
  bool loops = false;       ///< cycles are allowed
  bool switches = false;    ///< blocks may end in a switch of one or two cases
  bool sameTarget = false;  ///< all targets of a br or switch may be equal
  bool unreachable = false; ///< blocks may end in `unreachable`
  const CfgInfo *only = nullptr; ///< this graph, whatever else is said

  friend bool operator==(const CfgRules &, const CfgRules &) = default;
};

struct Cfg {
  /// An edge from a block, as often as its exit names the target.
  struct Incoming {
    std::uint8_t block;
    std::uint8_t edges;
  };

  std::vector<Exit> exits;
  std::vector<std::vector<Incoming>> incoming; ///< by block, ascending
  std::vector<std::uint32_t> dominators;       ///< by block: a set of blocks

  std::size_t size() const { return exits.size(); }
  bool dominates(unsigned a, unsigned b) const {
    return (dominators[b] >> a & 1U) != 0;
  }
  /// Whether an edge leads back to `block` from one that it dominates.
  bool isHeader(unsigned block) const {
    return std::any_of(
        incoming[block].begin(), incoming[block].end(),
        [&](const Incoming &from) { return dominates(block, from.block); });
  }
};

/// More graphs than this are not listed.
inline constexpr std::size_t maximumCfgs = 65'535;

/// All graphs that the rules allow, in a fixed order: by the exits of block 0,
/// then block 1, and so on. Nothing when there are more than maximumCfgs.
std::optional<std::vector<Cfg>> makeCfgs(const CfgRules &rules);

} // namespace enumerate
