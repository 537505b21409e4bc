// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inner loop of the bit-sliced engine, behind an interface of plain data so
// that it can be compiled once per instruction set and chosen at run time.
//
// A plane is 512 bits, one for each of 512 inputs ("lanes"). A value of width W
// is W + 1 consecutive planes: poison, then the bits from the least significant
// on. A {iN, i1} pair has one more, the overflow bit. Bits of a poison lane are
// arbitrary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace checker::bitsliced {

inline constexpr unsigned laneBits = 9;
inline constexpr unsigned lanes = 1U << laneBits;

struct alignas(lanes / 8) Plane {
  std::uint64_t words[lanes / 64];
};

namespace mode {
inline constexpr std::uint8_t shiftMasked = 1;
inline constexpr std::uint8_t selectUb = 2;
inline constexpr std::uint8_t selectEither = 4;
} // namespace mode

/// Steps beside the instructions of opcode.def. Branches are followed on both
/// sides: each block has a plane of the lanes that are in it.
namespace code {
inline constexpr std::uint8_t firstAttribute = 240;
inline constexpr std::uint8_t requireNoundef = 240;  ///< a: the value
inline constexpr std::uint8_t restrictToRange = 241; ///< a; b low, c high - low
inline constexpr std::uint8_t firstControl = 245;
inline constexpr std::uint8_t enterBlock = 245; ///< a: the plane of the block
inline constexpr std::uint8_t join = 246;       ///< planes: result = a or b
/// a: the condition; b and c: planes of the edges if true and if false.
inline constexpr std::uint8_t split = 247;
/// a: the value; b: the case; result: plane of the edge; c: plane of the lanes
/// that no case has taken yet.
inline constexpr std::uint8_t splitCase = 248;
inline constexpr std::uint8_t choose =
    249; ///< a in the lanes of plane c, else b
inline constexpr std::uint8_t cannotBeHere = 250; ///< unreachable
} // namespace code

/// One step. Operands and result are numbers of planes in the register file.
struct Step {
  std::uint8_t code = 0; ///< corpus::Opcode, or one of checker::bitsliced::code
  std::uint8_t flags = 0;
  std::uint8_t predicate = 0;
  std::uint8_t mode = 0;
  std::uint8_t width = 0; ///< of the first operand; of select: of the arms
  std::uint8_t resultWidth = 0;
  std::uint32_t result = 0;
  /// freeze: b is what poison becomes. extractvalue: b is the index itself.
  std::uint32_t a = 0, b = 0, c = 0;
};

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

struct Job {
  Plane *file = nullptr; ///< the register file; inputs first
  std::uint32_t inputPlanes = 0;
  const Series *series = nullptr;
  std::size_t seriesCount = 0;
  Code source, target;
  std::uint8_t returnedPlanes = 0; ///< without the poison plane; 0 for void
  const Pick *picks = nullptr;
  std::size_t pickCount = 0;
  /// What the source may pick to be like the target, before the search: guess g
  /// copies plane guesses[g * pickCount + i] to picks[i].
  const std::uint32_t *guesses = nullptr;
  std::size_t guessCount = 0;
  std::uint64_t budget = 0; ///< runs of the source in search of a pick
  /// Called with the lanes that show `wantedKind`.
  void (*onWrong)(void *context, const Plane *file,
                  const Plane &wrong) = nullptr;
  void *context = nullptr;
  std::uint8_t wantedKind = 0;
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
