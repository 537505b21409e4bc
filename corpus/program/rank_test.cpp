// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/rank.h"

#include <gtest/gtest.h>

namespace corpus {
namespace {

// 2^64 and 2^128 - 1 as anybody's calculator has them.
TEST(Rank, decimalGoesThereAndBack) {
  const std::pair<Rank, const char *> cases[] = {
      {0, "0"},
      {7, "7"},
      {Rank(1) << 64, "18446744073709551616"},
      {~Rank(0), "340282366920938463463374607431768211455"}};
  for (const auto &[rank, text] : cases) {
    EXPECT_EQ(toString(rank), text);
    EXPECT_EQ(parseRank(text), rank);
  }
}

TEST(Rank, nonsenseIsNothing) {
  for (const char *text : {"", "-1", "+1", " 1", "1 ", "0x1", "1.0",
                           "340282366920938463463374607431768211456",
                           "3402823669209384634633746074317682114550"})
    EXPECT_EQ(parseRank(text), std::nullopt) << text;
}

} // namespace
} // namespace corpus
