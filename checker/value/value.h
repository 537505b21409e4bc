// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values as SEMANTICS section 1 has them: an element is a number, poison, or
// (in bitwise poison) a number some of whose bits are poison; a register holds
// a non-empty set of elements. Threads: plain data.
#pragma once

#include "corpus/program/type.h"

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace checker {

/// Invariant: a bit is never set both in `bits` and in `poison`. Value-wise
/// poison has every bit of its type in `poison`.
struct Element {
  std::uint64_t bits = 0;
  std::uint64_t poison = 0;
  /// The second half of the pair that a with.overflow intrinsic returns.
  bool overflow = false;
  bool overflowPoison = false;

  static Element number(std::uint64_t bits) { return {bits, 0, false, false}; }
  static Element poisonOf(corpus::Type type) {
    return {0, type.mask(), false, type.isOverflowPair()};
  }

  bool hasPoison() const { return poison != 0 || overflowPoison; }
  // clang-tidy 14 takes the 0 of a defaulted comparison for a pointer.
  friend auto operator<=>(const Element &,
                          const Element &) = default; // NOLINT
};

/// Sorted, without duplicates, never empty once computed.
using ValueSet = std::vector<Element>;

void normalise(ValueSet &set);
bool hasPoison(const ValueSet &set);
/// t of the target may stand where the source has s.
bool refines(const Element &target, const Element &source);
/// Return(T) of SEMANTICS section 3: each element of `target` refines one of
/// `source`.
bool refines(const ValueSet &target, const ValueSet &source);

/// `3`, `poison`, `undef`, `0b?1 (partly undef)`, `{0, 2}`; numbers of i4 and
/// wider as Alive prints them: `0xd (13, -3)`.
std::string format(const ValueSet &set, corpus::Type type);

} // namespace checker
