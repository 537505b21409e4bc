// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Subsets of 0, 1, 2, ... of one size, numbered by their largest member, then
// by the largest of the others, and so on: those below n come before all
// others. Pure functions, safe from any thread.
#pragma once

#include <cstdint>
#include <optional>

namespace enumerate {

/// How many subsets of `size` members 0 .. n - 1 have, which is also the number
/// of the first one whose largest member is n. Nothing beyond 64 bits.
std::optional<std::uint64_t> subsets(std::uint64_t n, unsigned size);

/// The largest member of the subset number `index`. Requires size > 0.
std::uint64_t largestOfSubset(unsigned size, std::uint64_t index);

} // namespace enumerate
