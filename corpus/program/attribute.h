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
} // namespace attribute

/// What an attribute says beside its name.
enum class AttributeValue : std::uint8_t {
  none,
  interval,   ///< low, high: [low, high), which may wrap, of the value's type
  bytes,      ///< low: a number of bytes, not 0
  powerOfTwo, ///< low: bytes, a power of two
};

/// Where an attribute may stand, one bit each.
namespace place {
inline constexpr std::uint8_t integer = 1; ///< parameter or result, and vectors
inline constexpr std::uint8_t pointer = 2; ///< parameter or result
inline constexpr std::uint8_t function = 4; ///< function or call site
inline constexpr std::uint8_t value = integer | pointer;
} // namespace place

struct AttributeInfo {
  std::uint32_t bit;
  std::string_view spelling;
  std::uint8_t places;
  AttributeValue value;
  unsigned since; ///< the first LLVM release that has it
};

inline constexpr std::array<AttributeInfo, 15> attributeTable = {{
    {attribute::noundef, "noundef", place::value, AttributeValue::none, 13},
    {attribute::range, "range", place::integer, AttributeValue::interval, 19},
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
    {attribute::nonnull, "nonnull", place::pointer, AttributeValue::none, 13},
    {attribute::align, "align", place::pointer, AttributeValue::powerOfTwo, 13},
    {attribute::dereferenceable, "dereferenceable", place::pointer,
     AttributeValue::bytes, 13},
    {attribute::dereferenceableOrNull, "dereferenceable_or_null",
     place::pointer, AttributeValue::bytes, 13},
    {attribute::noalias, "noalias", place::pointer, AttributeValue::none, 13},
    {attribute::writable, "writable", place::pointer, AttributeValue::none, 18},
    {attribute::deadOnUnwind, "dead_on_unwind", place::pointer,
     AttributeValue::none, 18},
}};

/// A set of attributes on one parameter, one return value or one function.
/// Invariant: `values` has an entry for each bit whose row has a value, in the
/// order of the bits.
struct Attributes {
  struct Value {
    std::uint32_t bit = 0;
    std::uint64_t low = 0;
    std::uint64_t high = 0; ///< 0 unless the value is an interval
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

  friend bool operator==(const Attributes &, const Attributes &) = default;
};

/// Requires the bit of a row.
const AttributeInfo &attributeInfo(std::uint32_t bit);

} // namespace corpus
