// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ways to choose some of a few things, and the orders in which so many of each
// type may stand, by number.
// Threads: functions alone.
#pragma once

#include "enumerate/arguments.h"
#include "enumerate/few.h"

#include <array>
#include <cstdint>
#include <span>

namespace enumerate {

/// Types by their number.
using TypeOrder = Few<std::uint8_t, SpaceSpec::maximumInstructions>;

inline constexpr auto pascalsTriangle = [] {
  constexpr unsigned size = SpaceSpec::maximumInstructions + 1;
  std::array<std::array<std::uint8_t, size>, size> rows{};
  for (unsigned n = 0; n < size; ++n) {
    rows[n][0] = 1;
    for (unsigned k = 1; k <= n; ++k)
      rows[n][k] =
          static_cast<std::uint8_t>(rows[n - 1][k - 1] + rows[n - 1][k]);
  }
  return rows;
}();

/// Requires some <= of <= SpaceSpec::maximumInstructions.
inline unsigned binomial(unsigned of, unsigned some) {
  return pascalsTriangle[of][some];
}

/// Negative where `some` is odd.
inline int signedBinomial(unsigned of, unsigned some) {
  const auto ways = static_cast<int>(binomial(of, some));
  return some % 2 == 0 ? ways : -ways;
}
/// Ways to choose so many of each kind; negative where their number is odd. As
/// many of these as there are kinds.
int signedChoices(std::span<const std::uint8_t> of,
                  std::span<const std::uint8_t> some);

/// Requires a sum of at most SpaceSpec::maximumInstructions.
std::uint64_t typeOrders(const TypeCounts &counts);
/// Requires number < typeOrders(counts).
TypeOrder typeOrderAt(TypeCounts counts, std::uint64_t number);
/// Among the orders of what it has.
std::uint64_t numberOf(const TypeOrder &order);
TypeCounts countsOf(const TypeOrder &order);

} // namespace enumerate
