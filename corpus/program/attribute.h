// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes that have a meaning here (SEMANTICS: attributes are semantics).
// The optimizer adds them, and a wrong one is a miscompilation, so they are
// part of a Program's hash and of its equality.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace corpus {

/// A set of attributes on one parameter, one return value or one function.
/// Invariant: rangeLow == rangeHigh == 0 unless the bit `range` is set.
struct Attributes {
  std::uint32_t bits = 0;
  /// The half-open, possibly wrapping interval [low, high) of `range`.
  std::uint64_t rangeLow = 0;
  std::uint64_t rangeHigh = 0;

  constexpr bool has(std::uint32_t bit) const { return (bits & bit) != 0; }
  constexpr bool empty() const { return bits == 0; }
  friend bool operator==(const Attributes &, const Attributes &) = default;
};

namespace attribute {
inline constexpr std::uint32_t noundef = 1;
inline constexpr std::uint32_t range = 2;
inline constexpr std::uint32_t willreturn = 4;
inline constexpr std::uint32_t nounwind = 8;
inline constexpr std::uint32_t noreturn = 16;
inline constexpr std::uint32_t mustprogress = 32;
/// memory(none) and memory(read): LLVM 13 to 15 spell them readnone, readonly.
inline constexpr std::uint32_t memoryNone = 64;
inline constexpr std::uint32_t memoryRead = 128;
} // namespace attribute

struct AttributeInfo {
  std::uint32_t bit;
  std::string_view spelling;
  bool onValue;    ///< allowed on parameters and return values
  bool onFunction; ///< allowed on functions and call sites
};

inline constexpr std::array<AttributeInfo, 8> attributeTable = {{
    {attribute::noundef, "noundef", true, false},
    {attribute::range, "range", true, false},
    {attribute::willreturn, "willreturn", false, true},
    {attribute::nounwind, "nounwind", false, true},
    {attribute::noreturn, "noreturn", false, true},
    {attribute::mustprogress, "mustprogress", false, true},
    {attribute::memoryNone, "memory(none)", false, true},
    {attribute::memoryRead, "memory(read)", false, true},
}};

} // namespace corpus
