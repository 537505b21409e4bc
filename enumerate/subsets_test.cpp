// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/subsets.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace enumerate {
namespace {

/// Sets of bits below 2^10, largest member first, are their numbers in order.
TEST(Subsets, AreNumberedAsNumbersWithSoManyBitsAre) {
  for (unsigned size = 1; size <= 4; ++size) {
    std::uint64_t index = 0;
    for (unsigned bits = 1; bits < 1U << 10; ++bits) {
      std::vector<std::uint64_t> members;
      for (unsigned bit = 0; bit < 10; ++bit)
        if ((bits >> bit & 1U) != 0)
          members.push_back(bit);
      if (members.size() != size)
        continue;
      EXPECT_EQ(largestOfSubset(size, index), members.back());
      std::uint64_t rank = 0;
      for (unsigned i = 0; i < size; ++i)
        rank += subsets(members[i], i + 1).value();
      EXPECT_EQ(rank, index);
      ++index;
    }
    EXPECT_EQ(index, subsets(10, size));
  }
}

TEST(Subsets, MoreThan64BitsAreNone) {
  EXPECT_EQ(subsets(std::uint64_t(1) << 32, 2),
            (std::uint64_t(1) << 31) * ((std::uint64_t(1) << 32) - 1));
  EXPECT_EQ(subsets(std::uint64_t(1) << 33, 2), std::nullopt);
  EXPECT_EQ(largestOfSubset(2, (std::uint64_t(1) << 63) - 1), std::uint64_t(1)
                                                                  << 32);
}

} // namespace
} // namespace enumerate
