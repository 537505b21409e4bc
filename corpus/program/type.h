// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types, each one number, without a table: void, iN, ptr (of address space 0),
// vectors of these, and {T, U} and [N x T] of all that. The number is part of
// the disk format: 0 is void, 1..64 the integer of that width, 65..128 the pair
// {iN, i1} that the with.overflow intrinsics return; the others are packed, see
// `Packing`.
//
// A value is a row of lanes, each an integer or a pointer: one of a scalar, N
// of a vector, those of the elements one behind the other of an aggregate.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>

namespace corpus {

class Type {
public:
  static constexpr unsigned maximumWidth = 64; ///< of an integer
  static constexpr unsigned maximumLanes = 64; ///< of a vector
  static constexpr unsigned maximumCount = 64; ///< elements of an array
  /// Bits of a pointer, in memory and as an address.
  static constexpr unsigned pointerWidth = 64;

  constexpr Type() = default;
  static constexpr Type integer(unsigned width) {
    assert(width >= 1 && width <= maximumWidth);
    return Type(width);
  }
  static constexpr Type pointer() { return Type(Packing::pointer); }
  /// Requires an integer or a pointer as the lane.
  static constexpr Type vector(unsigned lanes, Type lane) {
    assert(lanes >= 1 && lanes <= maximumLanes && lane.isScalar());
    return Type(lanes << Packing::lanesAt | lane.id_);
  }
  /// Requires scalars or vectors as elements, as array() does.
  static constexpr Type structure(Type first, Type second) {
    assert(first.isSingle() && second.isSingle());
    if (first.isInteger() && second == integer(1))
      return Type(maximumWidth + first.id_);
    return Type(Packing::structure | second.id_ << Packing::secondAt |
                first.id_);
  }
  static constexpr Type array(unsigned count, Type element) {
    assert(count >= 1 && count <= maximumCount && element.isSingle());
    return Type(Packing::array | count << Packing::secondAt | element.id_);
  }
  /// `{iN, i1}`, with a vector of integers `{<L x iN>, <L x i1>}`.
  static constexpr Type overflowPair(Type value) {
    return structure(value, value.withLanes(integer(1)));
  }
  static constexpr Type overflowPair(unsigned width) {
    return overflowPair(integer(width));
  }
  /// The type with that number, as id() gave it; isKnown() tells whether there
  /// is one.
  static constexpr Type fromId(std::uint32_t id) { return Type(id); }

  constexpr std::uint32_t id() const { return id_; }
  constexpr bool isKnown() const {
    return isVoid() || isSingle() || isAggregate();
  }

  constexpr bool isVoid() const { return id_ == 0; }
  constexpr bool isInteger() const { return id_ - 1 < maximumWidth; }
  constexpr bool isPointer() const { return id_ == Packing::pointer; }
  /// An integer or a pointer.
  constexpr bool isScalar() const { return isInteger() || isPointer(); }
  constexpr bool isVector() const {
    return id_ < Packing::singles &&
           (id_ >> Packing::lanesAt & Packing::lanesMask) - 1 < maximumLanes &&
           Type(id_ & ~(Packing::lanesMask << Packing::lanesAt)).isScalar();
  }
  /// A scalar or a vector.
  constexpr bool isSingle() const { return isScalar() || isVector(); }
  constexpr bool isStructure() const {
    return isSmallPair() ||
           ((id_ & Packing::kindMask) == Packing::structure &&
            packedElement(0).isSingle() && packedElement(1).isSingle() &&
            !(packedElement(0).isInteger() &&
              packedElement(1) == Type::integer(1)));
  }
  constexpr bool isArray() const {
    return (id_ & Packing::kindMask) == Packing::array &&
           packedElement(0).isSingle() &&
           packedElement(1).id_ - 1 < maximumCount;
  }
  constexpr bool isAggregate() const { return isStructure() || isArray(); }
  /// What a with.overflow intrinsic on scalars returns.
  constexpr bool isOverflowPair() const { return isSmallPair(); }

  /// Of an integer, or of the first half of an overflow pair.
  constexpr unsigned width() const {
    assert(id_ - 1 < 2 * maximumWidth);
    return id_ <= maximumWidth ? id_ : id_ - maximumWidth;
  }
  /// All bits of the width set.
  constexpr std::uint64_t mask() const {
    return ~std::uint64_t(0) >> (maximumWidth - width());
  }

  /// Elements of an aggregate.
  constexpr unsigned elements() const {
    assert(isAggregate());
    return isArray() ? packedElement(1).id_ : 2;
  }
  constexpr Type element(unsigned index) const {
    assert(index < elements());
    if (isSmallPair())
      return index == 0 ? Type(id_ - maximumWidth) : integer(1);
    return packedElement(isArray() ? 0 : index);
  }
  /// The first lane of an element of an aggregate.
  constexpr unsigned firstLane(unsigned index) const {
    // All elements but a structure's second one are of one type.
    assert(index < elements());
    return index * element(0).lanes();
  }

  /// 0 of void.
  constexpr unsigned lanes() const {
    // Integers and overflow pairs first: hot paths ask.
    if (id_ <= 2 * maximumWidth)
      return id_ == 0 ? 0 : id_ <= maximumWidth ? 1 : 2;
    return otherLanes();
  }
  /// An integer or a pointer.
  constexpr Type lane(unsigned index) const {
    assert(index < lanes());
    if (id_ <= 2 * maximumWidth)
      return index == 1            ? integer(1)
             : id_ <= maximumWidth ? *this
                                   : Type(id_ - maximumWidth);
    return otherLane(index);
  }
  /// All bits of all lanes.
  constexpr unsigned bits() const {
    unsigned sum = 0;
    for (unsigned i = 0; i < lanes(); ++i)
      sum += lane(i).isPointer() ? pointerWidth : lane(i).width();
    return sum;
  }
  /// `one` for a scalar, as many of them as it has lanes for a vector.
  constexpr Type withLanes(Type one) const {
    assert(isSingle());
    return isVector() ? vector(lanes(), one) : one;
  }

  friend constexpr bool operator==(Type, Type) = default;

private:
  /// A scalar or a vector takes 15 bits: width (0 of a pointer), lanes (0 of a
  /// scalar), whether it is a pointer. An aggregate has its first element in
  /// the low 15 bits, the second one or the count behind, and its kind on top.
  struct Packing {
    static constexpr unsigned lanesAt = 7;
    static constexpr std::uint32_t lanesMask = 127;
    static constexpr std::uint32_t pointer = 1U << 14;
    static constexpr unsigned secondAt = 15;
    static constexpr std::uint32_t singles = 1U << secondAt;
    static constexpr std::uint32_t structure = 1U << 30;
    static constexpr std::uint32_t array = 2U << 30;
    static constexpr std::uint32_t kindMask = 3U << 30;
  };

  explicit constexpr Type(std::uint32_t id) : id_(id) {}
  // Not inlined, so that the common cases are.
  [[gnu::noinline]] constexpr unsigned otherLanes() const {
    if (isPointer())
      return 1;
    if (isVector())
      return id_ >> Packing::lanesAt & Packing::lanesMask;
    return isArray() ? elements() * element(0).lanes()
                     : element(0).lanes() + element(1).lanes();
  }
  [[gnu::noinline]] constexpr Type otherLane(unsigned index) const {
    if (isPointer())
      return *this;
    if (isVector())
      return Type(id_ & ~(Packing::lanesMask << Packing::lanesAt));
    const unsigned first = element(0).lanes();
    assert(first != 0 && "there are no empty elements");
    return index < first || isArray() ? element(0).lane(index % first)
                                      : element(1).lane(index - first);
  }
  constexpr bool isSmallPair() const {
    return id_ - 1 - maximumWidth < maximumWidth;
  }
  constexpr Type packedElement(unsigned index) const {
    return Type(id_ >> (index * Packing::secondAt) & (Packing::singles - 1));
  }

  std::uint32_t id_ = 0;
};

/// The same type with `map` of each integer in it. Lanes of a vector are of one
/// type, and so are the elements of an array.
template <typename Map> constexpr Type mapIntegers(Type type, Map map) {
  if (type.isInteger())
    return map(type);
  if (type.isVector())
    return type.withLanes(mapIntegers(type.lane(0), map));
  if (type.isArray())
    return Type::array(type.elements(), mapIntegers(type.element(0), map));
  if (type.isStructure())
    return Type::structure(mapIntegers(type.element(0), map),
                           mapIntegers(type.element(1), map));
  return type;
}

/// As LLVM IR spells it: `i4`, `void`, `<2 x ptr>`, `{ i4, i1 }`.
std::string toString(Type type);

/// Value of the low `width` bits of `bits` read as two's complement.
constexpr std::int64_t signExtend(std::uint64_t bits, unsigned width) {
  const unsigned unused = Type::maximumWidth - width;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

} // namespace corpus
