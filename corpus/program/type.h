// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types by number in the type table. 0 is void, 1..64 the integer of that
// width, 65..128 the pair {iN, i1} that the with.overflow intrinsics return.
// Higher numbers are free for pointers, vectors and structs.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>

namespace corpus {

class Type {
public:
  static constexpr unsigned maximumWidth = 64;

  constexpr Type() = default;
  static constexpr Type integer(unsigned width) {
    assert(width >= 1 && width <= maximumWidth);
    return Type(static_cast<std::uint16_t>(width));
  }
  static constexpr Type overflowPair(unsigned width) {
    assert(width >= 1 && width <= maximumWidth);
    return Type(static_cast<std::uint16_t>(maximumWidth + width));
  }
  /// The type with that number, as id() gave it.
  static constexpr Type fromId(std::uint16_t id) { return Type(id); }

  constexpr std::uint16_t id() const { return id_; }
  constexpr bool isVoid() const { return id_ == 0; }
  constexpr bool isInteger() const { return id_ >= 1 && id_ <= maximumWidth; }
  constexpr bool isOverflowPair() const {
    return id_ > maximumWidth && id_ <= 2 * maximumWidth;
  }
  constexpr bool isKnown() const { return id_ <= 2 * maximumWidth; }
  /// Bits of an integer, or of the first element of a pair.
  constexpr unsigned width() const {
    assert(isInteger() || isOverflowPair());
    return isInteger() ? id_ : id_ - maximumWidth;
  }
  /// All bits of the width set.
  constexpr std::uint64_t mask() const {
    return ~std::uint64_t(0) >> (maximumWidth - width());
  }

  friend constexpr bool operator==(Type, Type) = default;

private:
  explicit constexpr Type(std::uint16_t id) : id_(id) {}
  std::uint16_t id_ = 0;
};

/// As LLVM IR spells it: `i4`, `void`, `{ i4, i1 }`.
std::string toString(Type type);

/// Value of the low `width` bits of `bits` read as two's complement.
constexpr std::int64_t signExtend(std::uint64_t bits, unsigned width) {
  const unsigned unused = Type::maximumWidth - width;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

} // namespace corpus
