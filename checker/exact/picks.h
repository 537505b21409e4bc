// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One element of each of several sets, in every combination. Part of the
// reference interpreter.
// Threads: pure functions.
#pragma once

#include "checker/value/value.h"

#include <algorithm>
#include <span>

namespace checker {

/// Larger sets are too many to try.
inline constexpr unsigned maximumSetBits = 17;
inline constexpr std::uint64_t maximumSetSize = std::uint64_t(1)
                                                << (maximumSetBits - 1);

/// Calls `visit` with one element of each set, for every combination; stops
/// when it returns false.
template <typename Visit>
bool forEachPick(std::span<const ValueSet> sets, Visit visit) {
  std::vector<std::size_t> index(sets.size(), 0);
  std::vector<Element> pick(sets.size());
  while (true) {
    for (std::size_t i = 0; i < sets.size(); ++i)
      pick[i] = sets[i][index[i]];
    if (!visit(std::span<const Element>(pick)))
      return false;
    std::size_t i = 0;
    while (i < sets.size() && ++index[i] == sets[i].size())
      index[i++] = 0;
    if (i == sets.size())
      return true;
  }
}

inline std::uint64_t productOfSizes(std::span<const ValueSet> sets) {
  std::uint64_t product = 1;
  for (const ValueSet &set : sets)
    product *= std::min<std::uint64_t>(set.size(), maximumSetSize + 1);
  return product;
}

} // namespace checker
