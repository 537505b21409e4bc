// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the inputs of a signature, and what the target's forks pick, stand in
// lanes. Inputs with the same arguments poison form one series, in which the
// numbers simply count up, so a block's planes follow from the block before by
// flipping a few. Layouts are made once and kept.
// Threads: a Layouts belongs to one thread.
#pragma once

#include "checker/core/takes.h"
#include "checker/sliced/bitsliced_kernel.h"

#include <array>
#include <span>
#include <unordered_map>
#include <vector>

namespace checker::bitsliced {

/// What may make a value poison: one bit for each argument that is, and
/// `always` where a number may become poison.
using MayBePoison = std::uint32_t;
inline constexpr MayBePoison always = 1 << 8;

inline constexpr std::size_t maximumArguments = 8;
inline constexpr std::size_t maximumChoices = 8;

struct LayoutArgument {
  std::uint32_t planes = 0;
  unsigned width = 0; ///< 0: unused, it stays 0
};

/// What a fork of the target picks, where what it forks is poison.
struct Choice {
  std::uint32_t planes = 0; ///< as of a value
  std::uint8_t width = 0;
  MayBePoison when = 0;
};

struct Layout {
  std::vector<Plane> planes;
  std::vector<std::uint32_t> counters;
  std::vector<Series> series;
  double blocks = 0;
};

/// Of checker/lane_ops/planes.def.
constexpr core::OpcodeSet opcodesOfPlanes() {
  core::OpcodeSet opcodes;
#define LANE(opcode, statement) opcodes.insert(corpus::Opcode::opcode);
#include "checker/lane_ops/planes.def"
#undef LANE
  return opcodes;
}

/// Puts what the function's steps read as literals into their planes.
void writeLiterals(const core::Function &function, Plane *file);
/// The register file of two functions that return `returned`, elaborated one
/// behind the other: room for all slots of both and for zeros, which are what a
/// side returns that never does; and their literals. Where the zeros begin.
core::Slot prepareFile(core::Function &source, core::Function &target,
                       corpus::Type returned, std::vector<Plane> &file);
/// Of the lanes of a value.
void noteWidths(corpus::Type type, std::vector<std::uint8_t> &widths);

class Layouts {
public:
  /// Arguments stand one behind the other from plane 0 on, then the choices;
  /// together `inputPlanes`. At most maximumArguments and maximumChoices.
  const Layout &of(std::span<const LayoutArgument> arguments,
                   std::span<const Choice> choices, bool poisonInputs,
                   std::uint32_t inputPlanes);

private:
  /// Argument widths, then the choices; 0 from the first word on that is not
  /// needed.
  struct Key {
    std::array<std::uint64_t, 1 + maximumChoices / 2> words{};
    friend bool operator==(const Key &a, const Key &b) {
      std::size_t i = 0;
      while (i < a.words.size() - 1 && a.words[i] == b.words[i] &&
             a.words[i] != 0)
        ++i;
      return a.words[i] == b.words[i];
    }
  };
  struct KeyHash {
    std::size_t operator()(const Key &key) const {
      std::uint64_t hash = 0;
      for (std::uint64_t word : key.words) {
        if (word == 0)
          break;
        hash = (hash ^ word) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 32;
      }
      return hash;
    }
  };

  std::unordered_map<Key, Layout, KeyHash> layouts_;
  /// Of layouts_, by hash: the pairs of a campaign come with few of them.
  std::array<const std::pair<const Key, Layout> *, 256> recent_{};
};

} // namespace checker::bitsliced
