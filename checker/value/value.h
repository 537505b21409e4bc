// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values as SEMANTICS section 1 has them: an element is a number, poison, or
// (in bitwise poison) a number some of whose bits are poison, one for each lane
// of the type; a pointer is a block and an offset, or an address in no block; a
// register holds a non-empty set of elements.
// Threads: plain data.
#pragma once

#include "corpus/program/type.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace checker {

/// Invariant: a bit is never set both in `bits` and in `poison`. Value-wise
/// poison has every bit of its type in `poison`.
struct Lane {
  std::uint64_t bits = 0;
  std::uint64_t poison = 0;
  // clang-tidy 14 takes the 0 of a defaulted comparison for a pointer.
  friend auto operator<=>(const Lane &, const Lane &) = default; // NOLINT
};

/// Its lanes, the first one at hand: most values have no other.
struct Element {
  std::uint64_t bits = 0;
  std::uint64_t poison = 0;
  std::vector<Lane> rest; ///< the lanes behind
  /// Of a pointer into a block: its index plus one, and `bits` is the offset.
  /// 0: `bits` is the address, and nothing may be accessed through it.
  std::uint16_t block = 0;
  /// Of a pointer: the parameters it is based on, bit i for parameter i.
  std::uint16_t basedOn = 0;
  /// Of a returned pointer: nothing may be accessed through this copy.
  bool isUseless = false;

  /// Of one lane.
  static Element number(std::uint64_t bits) { return {bits, 0, {}}; }
  /// Of the pair that a with.overflow intrinsic returns.
  static Element pair(std::uint64_t bits, bool overflow) {
    return {bits, 0, {{overflow ? 1U : 0U, 0}}};
  }
  static Element poisonOf(corpus::Type type);
  static Element ofLanes(std::span<const Lane> lanes);

  std::size_t lanes() const { return 1 + rest.size(); }
  Lane lane(std::size_t index) const {
    return index == 0 ? Lane{bits, poison} : rest[index - 1];
  }
  void setLane(std::size_t index, const Lane &lane) {
    if (index == 0)
      bits = lane.bits, poison = lane.poison;
    else
      rest[index - 1] = lane;
  }
  bool hasPoison() const;
  friend auto operator<=>(const Element &,
                          const Element &) = default; // NOLINT
};

/// Sorted, without duplicates, never empty once computed.
using ValueSet = std::vector<Element>;

void normalise(ValueSet &set);
bool hasPoison(const ValueSet &set);
/// Calls `visit` with every choice of one lane from each list until it returns
/// false, and returns what it did last.
bool forEachTuple(std::span<const std::vector<Lane>> lists,
                  const std::function<bool(const Element &)> &visit);
/// The tuples of `set`, each with every element of `lane` as one lane more.
ValueSet withLane(const ValueSet &set, const ValueSet &lane);
/// t of the target may stand where the source has s.
bool refines(const Element &target, const Element &source);
/// Return(T) of SEMANTICS section 3: each element of `target` refines one of
/// `source`.
bool refines(const ValueSet &target, const ValueSet &source);

/// Some lane is poison in `target` that is not in `source`.
bool isMorePoison(const Element &target, const Element &source);

/// `3`, `poison`, `undef`, `0b?1 (partly undef)`, `{0, 2}`; numbers of i4 and
/// wider as Alive prints them: `0xd (13, -3)`; `<3, poison>` of a vector,
/// `{ 3, true }` of a structure.
std::string format(const ValueSet &set, corpus::Type type);

} // namespace checker
