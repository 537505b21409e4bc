// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Program under a Semantics, elaborated once: one list of steps on lanes,
// which the engines of planes, sets and terms carry out. Attributes, pairs,
// phis, branches, loops (unrolled), and what a knob makes of a flag, a shift, a
// select or a branch are written here; what an opcode makes of numbers is not,
// that stands in checker/lane_ops once for each engine. The reference
// interpreter and the oracle of the tests read the Program itself.
//
// Values stand in slots. A lane of width W takes 1 + W of them: whether it is
// poison, then the bits from the least significant on, so that a slot is a
// plane where there are planes. The lanes of a value stand side by side: one of
// an integer, those of the type of a vector or an aggregate, which are compiled
// away: engines see lanes. A guard (who is in a block, who takes
// an edge) is one slot. Each slot is written by one step, the rest of a switch
// (splitCase) excepted.
//
// Steps are predicated by the guard of their block: it says in which runs UB,
// a fork and a call happen. What they compute elsewhere is never looked at.
//
// A value is a number, poison, or, where the Semantics makes undef, a set
// (Value::maySet). A lane operation works on elements: each use of a set is
// preceded by a `pick`. Where steps act on the lanes of one value together
// (all but lane operations), they stand side by side and Step::more says how
// many lanes are to come.
//
// Memory is one value for each byte (elaborate_memory.cpp); what an input says
// of its layout stands in slots too (memory_shape.h). Threads: plain data.
#pragma once

#include "corpus/program/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace checker::core {

using Slot = std::uint32_t;
inline constexpr Slot noSlot = ~Slot(0) >> 1;

/// Step::more counts no further.
inline constexpr unsigned maximumLanes = 256;

/// Lanes of a value of that type; none of void, and of what is not taken.
constexpr unsigned lanesOf(corpus::Type type) {
  if (type.isInteger())
    return 1;
  const unsigned lanes = type.lanes();
  for (unsigned lane = 0; lane < lanes; ++lane)
    if (!type.lane(lane).isInteger())
      return 0;
  return lanes <= maximumLanes ? lanes : 0;
}
constexpr unsigned laneWidth(corpus::Type type, unsigned lane) {
  return type.isInteger() ? type.width() : type.lane(lane).width();
}
[[gnu::noinline]] constexpr Slot slotsOfLanes(corpus::Type type) {
  return lanesOf(type) == 0 ? 0 : type.lanes() + type.bits();
}
constexpr Slot slotsOf(corpus::Type type) {
  return type.isInteger() ? 1 + type.width() : slotsOfLanes(type);
}
/// Slots of a value before those of that lane.
constexpr Slot slotsBefore(corpus::Type type, unsigned lane) {
  if (type.isVector())
    return lane * (1 + type.lane(0).width());
  Slot slots = 0;
  for (unsigned i = 0; i < lane; ++i)
    slots += 1 + laneWidth(type, i);
  return slots;
}

/// What Step::mode says. Of lane operations: the answer of the knobs where it
/// is not poison.
namespace mode {
inline constexpr std::uint8_t shiftMasked = 1;
inline constexpr std::uint8_t shiftUndef =
    2;                                       ///< an over-wide shift: any number
inline constexpr std::uint8_t flagUndef = 4; ///< a violated flag: any number
/// A select is poison if either of its arms is.
inline constexpr std::uint8_t selectEither = 8;
/// Of fork and require: what is settled, or is UB.
inline constexpr std::uint8_t ofPoison = 1;
inline constexpr std::uint8_t ofSets = 2;
} // namespace mode

/// Steps beside the lane operations, which have the number of their Opcode.
namespace code {
inline constexpr std::uint8_t first = 232;
/// UB where a is poison, where a has several elements (as `mode` says).
inline constexpr std::uint8_t require = 232;
/// result = a, poison outside of the interval; b: low, c: high - low, both
/// numbers. c = 0 is the full range.
inline constexpr std::uint8_t restrictToRange = 233;
/// result: one element of the set a.
inline constexpr std::uint8_t pick = 234;
/// result: the element of the set a, which is UB if it has several.
inline constexpr std::uint8_t single = 235;
/// result = a without poison, without sets (as `mode` says): the run forks, one
/// way for each element. Where a is poison, result is the number b.
inline constexpr std::uint8_t fork = 236;
/// a: its place in Function::calls.
inline constexpr std::uint8_t call = 237;

inline constexpr std::uint8_t firstControl = 245;
/// a: the guard of the block, whose steps end before step b. Where it never
/// holds all of them may be left out but `choose`.
inline constexpr std::uint8_t enterBlock = 245;
inline constexpr std::uint8_t join = 246; ///< guards: result = a or b
/// a: the condition; b and c: guards of the edges if true and if false.
inline constexpr std::uint8_t split = 247;
/// a: the value; b: the case; result: guard of the edge; c: guard of the runs
/// that no case has taken yet.
inline constexpr std::uint8_t splitCase = 248;
/// result = a where the guard c holds, else b.
inline constexpr std::uint8_t choose = 249;
inline constexpr std::uint8_t ub = 250;
/// a: guard of the runs that take more back edges than were unrolled.
inline constexpr std::uint8_t beyond = 251;
} // namespace code

struct Step {
  std::uint8_t code = 0;  ///< corpus::Opcode, or one of core::code
  std::uint8_t flags = 0; ///< those that the semantics looks at
  std::uint8_t predicate = 0;
  std::uint8_t mode = 0;
  std::uint8_t width = 0; ///< of the first operand; of select: of the arms
  std::uint8_t resultWidth = 0;
  std::uint8_t more = 0; ///< steps behind this one for lanes of the same value
  /// The pair of a with.overflow intrinsic: its overflow is the lane behind.
  Slot result = noSlot;
  Slot a = noSlot, b = noSlot, c = noSlot;
};

/// In one word: it is written and read again at once, all the time.
class Value {
public:
  constexpr Value() = default;
  constexpr Value(Slot slot, bool maySet)
      : word_(slot << 1 | (maySet ? 1 : 0)) {}

  constexpr bool exists() const { return word_ != none; }
  /// Its first one. Requires that it exists.
  constexpr Slot slot() const { return word_ >> 1; }
  constexpr bool maySet() const { return (word_ & 1) != 0; }
  friend constexpr bool operator==(Value, Value) = default;

private:
  static constexpr std::uint32_t none = ~std::uint32_t(0) - 1;
  std::uint32_t word_ = none;
};

struct Literal {
  enum class Kind : std::uint8_t {
    number,
    poison,
    any, ///< the set of all numbers
    on,  ///< a guard that always holds
  };
  Slot slot = 0;
  Kind kind = Kind::number;
  std::uint8_t width = 0;
  std::uint64_t bits = 0; ///< of number
};

/// One lane of a fork, with what it picks where it is poison.
struct Fork {
  std::uint32_t step = 0;
  Slot picks = 0; ///< slots as of a value
  std::uint8_t width = 0;
};

struct Call {
  const corpus::Callee *callee = nullptr;
  std::uint32_t functionAttributes = 0; ///< of the callee and the call site
  std::uint32_t firstArgument = 0;      ///< in Function::callArguments
  std::uint32_t argumentCount = 0;
  Value result; ///< before its attributes
};

/// Where the result of an instruction stands, and the guard of its block.
struct Definition {
  std::uint32_t instruction = 0;
  Value value;
  Slot guard = noSlot; ///< noSlot: always
};

/// What occurs in a Function beside plain steps on numbers. An engine says
/// which of them it takes (takes.h).
namespace feature {
inline constexpr std::uint32_t sets = 1;      ///< registers that hold sets
inline constexpr std::uint32_t freezes = 2;   ///< forks of `freeze`
inline constexpr std::uint32_t knobForks = 4; ///< forks of branch and select
inline constexpr std::uint32_t blocks = 8;    ///< more than one block
inline constexpr std::uint32_t loops = 16;    ///< and cycles of them
inline constexpr std::uint32_t calls = 32;    ///< calls of functions
inline constexpr std::uint32_t bitwise = 64;  ///< poison bits
/// Vectors and aggregates, other than the pair {iN, i1} inside a function.
inline constexpr std::uint32_t lanes = 128;
inline constexpr std::uint32_t memory = 256; ///< loads and stores
} // namespace feature

/// Made again and again for millions of programs, so memory is kept.
struct Function {
  Function() = default;
  Function(const Function &) = delete;
  Function &operator=(const Function &) = delete;

  std::span<Step> steps;
  std::vector<Literal> literals;
  std::vector<Fork> forks;
  std::vector<Call> calls;
  std::vector<Value> callArguments;
  std::vector<Value> arguments; ///< after their attributes; at least so many
  /// By instruction: the last one computed. At least so many.
  std::vector<Value> results;
  std::vector<Definition> definitions; ///< when asked for
  /// Nothing of void, and where no return is reached.
  Value returned;
  /// Of memory, by byte of the MemoryShape: what is left there.
  std::vector<Value> bytes;
  std::uint32_t features = 0;
  Slot end = 0; ///< slots from here on are free

  std::vector<Step> storage; ///< of the steps
};

} // namespace checker::core
