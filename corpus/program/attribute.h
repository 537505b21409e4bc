// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes that have a meaning here (SEMANTICS: attributes are semantics).
// The optimizer adds them, and a wrong one is a miscompilation, so they are
// part of a Program's hash and of its equality.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <string_view>
#include <vector>

namespace corpus {

namespace attribute {
// Bits of the disk format: they stay.
inline constexpr std::uint32_t noundef = 1U << 0;
inline constexpr std::uint32_t range = 1U << 1;
inline constexpr std::uint32_t willreturn = 1U << 2;
inline constexpr std::uint32_t nounwind = 1U << 3;
inline constexpr std::uint32_t noreturn = 1U << 4;
inline constexpr std::uint32_t mustprogress = 1U << 5;
/// memory(none) and memory(read): LLVM 13 to 15 spell them readnone, readonly.
inline constexpr std::uint32_t memoryNone = 1U << 6;
inline constexpr std::uint32_t memoryRead = 1U << 7;
inline constexpr std::uint32_t nonnull = 1U << 8;
inline constexpr std::uint32_t align = 1U << 9;
inline constexpr std::uint32_t dereferenceable = 1U << 10;
inline constexpr std::uint32_t dereferenceableOrNull = 1U << 11;
inline constexpr std::uint32_t noalias = 1U << 12;
inline constexpr std::uint32_t writable = 1U << 13;
inline constexpr std::uint32_t deadOnUnwind = 1U << 14;
inline constexpr std::uint32_t readonly = 1U << 15;
inline constexpr std::uint32_t readnone = 1U << 16;
inline constexpr std::uint32_t writeonly = 1U << 17;
/// LLVM 13 to 20 spell captures(none) nocapture.
inline constexpr std::uint32_t captures = 1U << 18;
inline constexpr std::uint32_t deadOnReturn = 1U << 19;
inline constexpr std::uint32_t initializes = 1U << 20;
inline constexpr std::uint32_t nofree = 1U << 21;
inline constexpr std::uint32_t nullPointerIsValid = 1U << 22;
/// Other than memory(none) and memory(read).
inline constexpr std::uint32_t memory = 1U << 23;
/// Of a call site: printed in front of it.
inline constexpr std::uint32_t tail = 1U << 24;
inline constexpr std::uint32_t invariantLoad = 1U << 25;

/// Attributes of functions and calls that mean nothing where there is no
/// pointer.
inline constexpr std::uint32_t aboutPointers =
    nofree | nullPointerIsValid | tail;
} // namespace attribute

/// What a pointer may be captured of: bits of the value of `captures`.
namespace captures {
inline constexpr std::uint64_t addressIsNull = 1;
inline constexpr std::uint64_t address = 2 | addressIsNull;
inline constexpr std::uint64_t readProvenance = 4;
inline constexpr std::uint64_t provenance = 8 | readProvenance;
inline constexpr std::uint64_t all = address | provenance;
/// What says more says less too.
constexpr bool isClosed(std::uint64_t bits) {
  return bits <= all && ((bits & 2) == 0 || (bits & 1) != 0) &&
         ((bits & 8) == 0 || (bits & 4) != 0);
}
} // namespace captures

/// What a call may do to which memory: the value of `memory` has two bits for
/// each location.
namespace memory {
inline constexpr std::uint64_t read = 1;
inline constexpr std::uint64_t write = 2;
inline constexpr unsigned argument = 0; ///< what its pointer arguments point to
inline constexpr unsigned inaccessible = 2;
inline constexpr unsigned errnoVariable = 4;
inline constexpr unsigned other = 6;
inline constexpr std::uint64_t readOnly = 0x55;
inline constexpr std::uint64_t writeOnly = 0xAA;
inline constexpr std::uint64_t all = 0xFF;
/// Of read and write, what is allowed at that location.
constexpr std::uint64_t at(std::uint64_t effects, unsigned location) {
  return effects >> location & 3;
}
} // namespace memory

/// What an attribute says beside its name.
enum class AttributeValue : std::uint8_t {
  none,
  interval,     ///< low, high: [low, high), which may wrap, of the value's type
  bytes,        ///< low: a number of bytes, not 0
  powerOfTwo,   ///< low: bytes, a power of two
  byteInterval, ///< low, high: offsets [low, high), signed
  captures,     ///< low: other than through the result, high: through it
  memory,       ///< low: effects by location, neither none, read nor all
};
constexpr bool hasHigh(AttributeValue value) {
  return value == AttributeValue::interval ||
         value == AttributeValue::byteInterval ||
         value == AttributeValue::captures;
}

/// Where an attribute may stand, one bit each.
namespace place {
inline constexpr std::uint8_t integer = 1; ///< parameter or result, and vectors
inline constexpr std::uint8_t pointer = 2; ///< parameter or result
inline constexpr std::uint8_t function = 4; ///< function or call site
/// Metadata of a load; a row with nothing else may stand on one of any type.
inline constexpr std::uint8_t load = 8;
inline constexpr std::uint8_t value = integer | pointer;
} // namespace place

struct AttributeInfo {
  std::uint32_t bit;
  std::string_view spelling;
  std::uint8_t places;
  AttributeValue value;
  unsigned since; ///< the first LLVM release that has it
};

inline constexpr std::array<AttributeInfo, 26> attributeTable = {{
    {attribute::noundef, "noundef", place::value | place::load,
     AttributeValue::none, 13},
    {attribute::range, "range", place::integer | place::load,
     AttributeValue::interval, 19},
    {attribute::willreturn, "willreturn", place::function, AttributeValue::none,
     13},
    {attribute::nounwind, "nounwind", place::function, AttributeValue::none,
     13},
    {attribute::noreturn, "noreturn", place::function, AttributeValue::none,
     13},
    {attribute::mustprogress, "mustprogress", place::function,
     AttributeValue::none, 13},
    {attribute::memoryNone, "memory(none)", place::function,
     AttributeValue::none, 13},
    {attribute::memoryRead, "memory(read)", place::function,
     AttributeValue::none, 13},
    {attribute::nonnull, "nonnull", place::pointer | place::load,
     AttributeValue::none, 13},
    {attribute::align, "align", place::pointer | place::load,
     AttributeValue::powerOfTwo, 13},
    {attribute::dereferenceable, "dereferenceable",
     place::pointer | place::load, AttributeValue::bytes, 13},
    {attribute::dereferenceableOrNull, "dereferenceable_or_null",
     place::pointer | place::load, AttributeValue::bytes, 13},
    {attribute::noalias, "noalias", place::pointer, AttributeValue::none, 13},
    {attribute::writable, "writable", place::pointer, AttributeValue::none, 18},
    {attribute::deadOnUnwind, "dead_on_unwind", place::pointer,
     AttributeValue::none, 18},
    {attribute::readonly, "readonly", place::pointer, AttributeValue::none, 13},
    {attribute::readnone, "readnone", place::pointer, AttributeValue::none, 13},
    {attribute::writeonly, "writeonly", place::pointer, AttributeValue::none,
     13},
    {attribute::captures, "captures", place::pointer, AttributeValue::captures,
     13},
    {attribute::deadOnReturn, "dead_on_return", place::pointer,
     AttributeValue::none, 21},
    {attribute::initializes, "initializes", place::pointer,
     AttributeValue::byteInterval, 19},
    {attribute::nofree, "nofree", place::pointer | place::function,
     AttributeValue::none, 13},
    {attribute::nullPointerIsValid, "null_pointer_is_valid", place::function,
     AttributeValue::none, 13},
    {attribute::memory, "memory", place::function, AttributeValue::memory, 13},
    {attribute::tail, "tail", place::function, AttributeValue::none, 13},
    {attribute::invariantLoad, "invariant.load", place::load,
     AttributeValue::none, 13},
}};

/// A set of attributes on one parameter, one return value or one function.
/// Invariant: `values` has an entry for each bit whose row has a value, in the
/// order of the bits.
struct Attributes {
  struct Value {
    std::uint32_t bit = 0;
    std::uint64_t low = 0;
    std::uint64_t high = 0; ///< 0 unless hasHigh()
    friend bool operator==(const Value &, const Value &) = default;
  };

  std::uint32_t bits = 0;
  std::vector<Value> values;

  Attributes() = default;
  /// `low` and `high` are the value of the one bit that has one.
  Attributes(std::uint32_t bits, std::uint64_t low = 0, std::uint64_t high = 0);

  bool has(std::uint32_t some) const { return (bits & some) != 0; }
  bool empty() const { return bits == 0; }
  void add(std::uint32_t bit, std::uint64_t low = 0, std::uint64_t high = 0);
  void remove(std::uint32_t some);
  /// All of `other`, whose values win.
  void add(const Attributes &other);
  /// Requires has(bit), and a row with a value.
  const Value &valueOf(std::uint32_t bit) const;
  /// The interval of `range`.
  const Value &range() const { return valueOf(attribute::range); }
  /// What a function may do to memory: of memory(none), memory(read) and
  /// memory(...), which never stand together.
  std::uint64_t effects() const;
  /// The one of these that says it; none for memory::all. Requires that there
  /// is none yet.
  void addEffects(std::uint64_t effects);

  friend bool operator==(const Attributes &, const Attributes &) = default;
};

/// Requires the bit of a row.
const AttributeInfo &attributeInfo(std::uint32_t bit);

/// How LLVM 13 to 15 say `memory` with these effects, as attributes of the
/// function; empty: they cannot.
std::vector<std::string_view> oldMemoryAttributes(std::uint64_t effects);

} // namespace corpus
