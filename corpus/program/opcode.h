// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opcodes, their flags and the icmp predicates, as tables. Immutable data, safe
// from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace corpus {

/// A set of instruction flags, one bit each (FlagInfo names them).
class Flags {
public:
  constexpr Flags() = default;
  explicit constexpr Flags(std::uint8_t bits) : bits_(bits) {}

  constexpr std::uint8_t bits() const { return bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool has(Flags other) const {
    return (bits_ & other.bits_) == other.bits_;
  }
  constexpr Flags without(Flags other) const {
    return Flags(bits_ & ~other.bits_);
  }
  friend constexpr Flags operator|(Flags a, Flags b) {
    return Flags(a.bits_ | b.bits_);
  }
  friend constexpr bool operator==(Flags, Flags) = default;

private:
  std::uint8_t bits_ = 0;
};

namespace flag {
inline constexpr Flags none(0);
inline constexpr Flags nuw(1);
inline constexpr Flags nsw(2);
inline constexpr Flags exact(4);
inline constexpr Flags disjoint(8);
inline constexpr Flags nneg(16);
inline constexpr Flags samesign(32);
/// Says nusw too, which does not stand beside it.
inline constexpr Flags inbounds(64);
inline constexpr Flags nusw(128);
} // namespace flag

struct FlagInfo {
  Flags flag;
  std::string_view spelling;
};

/// In the order in which LLVM prints them.
inline constexpr std::array<FlagInfo, 8> flagTable = {{
    {flag::inbounds, "inbounds"},
    {flag::nusw, "nusw"},
    {flag::nuw, "nuw"},
    {flag::nsw, "nsw"},
    {flag::exact, "exact"},
    {flag::disjoint, "disjoint"},
    {flag::nneg, "nneg"},
    {flag::samesign, "samesign"},
}};

/// How operands and result are typed: shape.h has a row for each.
enum class Shape : std::uint8_t {
  binary,
  compare,
  select,
  unary,
  widen,
  narrow,
  intrinsicUnary,
  intrinsicUnaryWithFlag,
  intrinsicBinary,
  intrinsicTernary,
  intrinsicOverflow,
  intrinsicThreeWay,
  intrinsicAssume,
  intrinsicReduce,
  intrinsicExtract,
  intrinsicInsert,
  extract,
  allocation,
  load,
  store,
  address,
  toInteger,
  toPointer,
  intrinsicCopy,
  intrinsicFill,
  intrinsicLifetime,
  insert,
  reinterpret,
  extractElement,
  insertElement,
  shuffle,
  phi,
  call,
  terminator,
};

/// What an opcode does beyond its result, where its poison comes from, and what
/// else sets it apart; one bit each.
using Traits = std::uint32_t;

namespace trait {
inline constexpr Traits plain = 0;
/// The first two operands may be swapped.
inline constexpr Traits commutative = 1U << 0;
/// Of use on i1 too, which is for conditions: in small spaces the others work
/// on wider integers only.
inline constexpr Traits onConditions = 1U << 1;

// Effects.
/// Immediate UB where the second operand is 0 or poison, and in signed
/// overflow.
inline constexpr Traits division = 1U << 2;
/// Other immediate UB that its operands decide.
inline constexpr Traits immediateUb = 1U << 3;
/// Immediate UB under some choice of a knob.
inline constexpr Traits knobUb = 1U << 4;
/// May end the run, unless attributes say otherwise; a trace shows it.
inline constexpr Traits mayNotReturn = 1U << 5;
inline constexpr Traits readsMemory = 1U << 6;
inline constexpr Traits writesMemory = 1U << 7;
inline constexpr Traits accessesMemory = readsMemory | writesMemory;

// Sources of poison, beside operands and the flags that the row allows.
/// The second operand counts bits; not less than the width, the knob
/// `shift_amount` answers.
inline constexpr Traits shift = 1U << 8;
/// The third operand counts bits, modulo the width.
inline constexpr Traits funnelShift = 1U << 9;
/// The immediate says whether one value of the first operand gives poison.
inline constexpr Traits toldPoison = 1U << 10;

/// Width rule: whole bytes, an even number of them.
inline constexpr Traits evenBytes = 1U << 11;

// What an instruction has beside flags and operands.
inline constexpr Traits predicate = 1U << 12;
inline constexpr Traits callee = 1U << 13;
inline constexpr Traits accessedType = 1U << 14;
inline constexpr Traits alignment = 1U << 15;

/// Which byte of memory is the lowest one of a value matters.
inline constexpr Traits byteOrder = 1U << 16;

/// Executing it may be immediate UB whatever the knobs say.
inline constexpr Traits mayBeUb = division | immediateUb;
/// Executing it may be seen under some semantics, its result aside.
inline constexpr Traits mayBeSeen =
    mayBeUb | knobUb | mayNotReturn | writesMemory;
} // namespace trait

enum class Opcode : std::uint8_t {
#define OPCODE(code, enumerator, spelling, shape, flags, since, traits)        \
  enumerator,
#include "corpus/program/opcode.def"
#undef OPCODE
};

/// 32 bytes: hot paths look rows up.
struct OpcodeInfo {
  std::string_view spelling;
  unsigned since;
  Traits traits;
  Opcode opcode;
  std::uint8_t code; ///< on disk, and wherever opcodes are ordered or hashed
  Shape shape;
  Flags allowedFlags;

  /// Any of them.
  constexpr bool has(Traits some) const { return (traits & some) != 0; }
  constexpr bool isIntrinsic() const { return spelling.starts_with("llvm."); }
  constexpr bool isTerminator() const { return shape == Shape::terminator; }
};

namespace detail {
using namespace flag;
using namespace trait;
inline constexpr OpcodeInfo opcodes[] = {
#define OPCODE(code, enumerator, spelling, shape, flags, since, traits)        \
  {spelling, since, traits, Opcode::enumerator, code, Shape::shape, flags},
#include "corpus/program/opcode.def"
#undef OPCODE
};
} // namespace detail

/// All opcodes in enumerator order.
constexpr std::span<const OpcodeInfo> opcodeTable() { return detail::opcodes; }
constexpr const OpcodeInfo &info(Opcode opcode) {
  return detail::opcodes[static_cast<std::size_t>(opcode)];
}
std::optional<Opcode> findOpcode(std::string_view spelling);
std::optional<Opcode> findOpcode(std::uint8_t code);
/// The first LLVM release that knows every one of `flags` on this opcode: trunc
/// had no nuw and nsw before 19.
unsigned flagsSince(Opcode opcode, Flags flags);
/// What llvm.vector.reduce.* folds the lanes with; nothing for other opcodes.
std::optional<Opcode> reductionOf(Opcode opcode);

enum class Predicate : std::uint8_t {
  eq,
  ne,
  ugt,
  uge,
  ult,
  ule,
  sgt,
  sge,
  slt,
  sle,
};

struct PredicateInfo {
  Predicate predicate;
  std::string_view spelling;
  Predicate swapped; ///< a P b is b swapped a
};

inline constexpr std::array<PredicateInfo, 10> predicateTable = {{
    {Predicate::eq, "eq", Predicate::eq},
    {Predicate::ne, "ne", Predicate::ne},
    {Predicate::ugt, "ugt", Predicate::ult},
    {Predicate::uge, "uge", Predicate::ule},
    {Predicate::ult, "ult", Predicate::ugt},
    {Predicate::ule, "ule", Predicate::uge},
    {Predicate::sgt, "sgt", Predicate::slt},
    {Predicate::sge, "sge", Predicate::sle},
    {Predicate::slt, "slt", Predicate::sgt},
    {Predicate::sle, "sle", Predicate::sge},
}};

constexpr const PredicateInfo &info(Predicate predicate) {
  return predicateTable[static_cast<std::size_t>(predicate)];
}

} // namespace corpus
