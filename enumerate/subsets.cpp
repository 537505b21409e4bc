// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/subsets.h"

#include <cassert>
#include <limits>

namespace enumerate {

std::optional<std::uint64_t> subsets(std::uint64_t n, unsigned size) {
  unsigned __int128 count = 1;
  for (unsigned i = 0; i < size; ++i) {
    if (i >= n)
      return 0;
    // What is counted so far divides: it is the subsets of i members.
    count = count * (n - i) / (i + 1);
    if (count > std::numeric_limits<std::uint64_t>::max())
      return std::nullopt;
  }
  return static_cast<std::uint64_t>(count);
}

std::uint64_t largestOfSubset(unsigned size, std::uint64_t index) {
  assert(size > 0);
  if (size == 1)
    return index;
  // The last n of which so few subsets come before.
  std::uint64_t low = size - 1;
  std::uint64_t high = low + 1;
  const auto isBehind = [&](std::uint64_t n) {
    const auto before = subsets(n, size);
    return !before || *before > index;
  };
  while (!isBehind(high))
    high *= 2;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (isBehind(middle) ? high : low) = middle;
  }
  return low;
}

} // namespace enumerate
