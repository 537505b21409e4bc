// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inner loop of the bit-sliced engine, behind an interface of plain data so
// that it can be compiled once per instruction set and chosen at run time.
//
// A plane is 512 bits, one for each of 512 inputs ("lanes" here). The slots of
// core.h are planes, its steps are what the loop carries out. Bits of a poison
// lane are arbitrary.
#pragma once

#include "checker/core/core.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace checker::bitsliced {

inline constexpr unsigned laneBits = 9;
inline constexpr unsigned lanes = 1U << laneBits;

struct alignas(lanes / 8) Plane {
  std::uint64_t words[lanes / 64];
};

constexpr bool hasLane(const Plane &plane, std::size_t lane) {
  return (plane.words[lane / 64] >> lane % 64 & 1) != 0;
}
constexpr void setLane(Plane &plane, std::size_t lane) {
  plane.words[lane / 64] |= std::uint64_t(1) << lane % 64;
}

using core::Step;

/// A series of blocks: the planes of the inputs in the first block, and which
/// of them count the blocks (plane counters[i] is bit i of the block's number).
struct Series {
  const Plane *planes = nullptr;
  const std::uint32_t *counters = nullptr;
  std::uint64_t blocks = 1;
};

/// What the source's freezes may pick: bit i of the number of the try is added
/// (exclusive or) to plane `to`, whose start value is the plane `base`.
struct Pick {
  std::uint32_t to = 0;
  std::uint32_t base = 0;
};

struct Code {
  const Step *steps = nullptr;
  std::size_t stepCount = 0;
  std::uint32_t returned = 0; ///< planes of the returned value
};

/// What a step core::code::call is, by its `a`.
struct Call {
  static constexpr std::uint32_t notTraced = ~std::uint32_t(0);
  /// Equal where the callee and what is promised of it are; below
  /// Traces::identities.
  std::uint32_t identity = notTraced;
  /// First planes of the lanes of all arguments, and their widths.
  const std::uint32_t *arguments = nullptr;
  const std::uint8_t *widths = nullptr;
  unsigned lanes = 0;
  std::uint32_t result = 0; ///< first plane
  unsigned resultPlanes = 0;
  /// By position in the trace, the first plane of what it returns there.
  const std::uint32_t *results = nullptr;
};

/// Then the question is not what is wrong but which inputs need no other look:
/// those on which no side forks or goes `beyond`, and what they do is the same
/// call by call, up to where the source has UB or both return.
struct Traces {
  const Call *source = nullptr;
  const Call *target = nullptr;
  unsigned positions = 0; ///< a run with more calls than these needs a look
  unsigned identities = 0;
  unsigned argumentPlanes = 0; ///< of the call that has most
  Plane *scratch = nullptr;    ///< scratchPlanes()
  Plane *fine = nullptr;       ///< the answer, a plane for each series

  std::size_t scratchPlanes() const {
    return positions * (identities + argumentPlanes + 3) + 2 * (positions + 1);
  }
};

struct Job {
  Plane *file = nullptr; ///< the register file; inputs first
  std::uint32_t inputPlanes = 0;
  const Series *series = nullptr;
  std::size_t seriesCount = 0;
  Code source, target;
  /// Widths of the lanes of the returned value; none for void.
  const std::uint8_t *returnedWidths = nullptr;
  unsigned returnedLanes = 0;
  const Pick *picks = nullptr;
  std::size_t pickCount = 0;
  /// What the source may pick to be like the target, before the search: guess g
  /// copies plane guesses[g * pickCount + i] to picks[i].
  const std::uint32_t *guesses = nullptr;
  std::size_t guessCount = 0;
  std::uint64_t budget = 0; ///< runs of the source in search of a pick
  /// Else lanes in which the source forks and no guess holds are not wrong.
  bool searchesPicks = true;
  /// Called with the lanes that show `wantedKind`.
  void (*onWrong)(void *context, const Plane *file,
                  const Plane &wrong) = nullptr;
  void *context = nullptr;
  std::uint8_t wantedKind = 0;
  /// Requires series of one block each; the answer is 0.
  const Traces *traces = nullptr;
};

/// Kinds of wrong lanes, as bits of the answer.
namespace found {
inline constexpr std::uint8_t moreUb = 1;
inline constexpr std::uint8_t morePoison = 2;
inline constexpr std::uint8_t value = 4;
inline constexpr std::uint8_t outOfBudget = 8;
} // namespace found

/// Tries every block; stops early once moreUb is found and onWrong is not set.
using Kernel = std::uint8_t (*)(const Job &);

/// Those that this machine runs, the best last.
std::span<const Kernel> kernels();

} // namespace checker::bitsliced
