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
} // namespace flag

struct FlagInfo {
  Flags flag;
  std::string_view spelling;
};

/// In the order in which LLVM prints them.
inline constexpr std::array<FlagInfo, 6> flagTable = {{
    {flag::nuw, "nuw"},
    {flag::nsw, "nsw"},
    {flag::exact, "exact"},
    {flag::disjoint, "disjoint"},
    {flag::nneg, "nneg"},
    {flag::samesign, "samesign"},
}};

/// How operands and result are typed; T and U stand for integers.
enum class Shape : std::uint8_t {
  binary,                 ///< (T, T) -> T
  compare,                ///< (T, T) -> i1, with a predicate
  select,                 ///< (i1, T, T) -> T
  unary,                  ///< T -> T
  widen,                  ///< T -> U, wider
  narrow,                 ///< T -> U, narrower
  intrinsicUnary,         ///< T -> T
  intrinsicUnaryWithFlag, ///< (T, constant i1) -> T
  intrinsicBinary,        ///< (T, T) -> T
  intrinsicTernary,       ///< (T, T, T) -> T
  intrinsicOverflow,      ///< (T, T) -> {T, i1}
  intrinsicThreeWay,      ///< (T, T) -> U
  intrinsicAssume,        ///< i1 -> void
  extract,                ///< ({T, i1}, constant i32 index) -> T or i1
  phi,                    ///< (value, block)* -> type of the values
  call,                   ///< arguments of the callee -> its return type
  terminator,             ///< ends a block, no result
};

enum class Opcode : std::uint8_t {
#define OPCODE(enumerator, spelling, shape, flags, commutative, since)         \
  enumerator,
#include "corpus/program/opcode.def"
#undef OPCODE
};

struct OpcodeInfo {
  Opcode opcode;
  std::string_view spelling;
  Shape shape;
  Flags allowedFlags;
  bool commutative;
  unsigned since;

  constexpr bool isIntrinsic() const { return spelling.starts_with("llvm."); }
  constexpr bool isTerminator() const { return shape == Shape::terminator; }
};

/// All opcodes in enumerator order.
std::span<const OpcodeInfo> opcodeTable();
const OpcodeInfo &info(Opcode opcode);
std::optional<Opcode> findOpcode(std::string_view spelling);
/// The first LLVM release that knows every one of `flags` on this opcode: trunc
/// had no nuw and nsw before 19.
unsigned flagsSince(Opcode opcode, Flags flags);

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
