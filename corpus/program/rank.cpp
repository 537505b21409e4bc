// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/rank.h"

#include <algorithm>

namespace corpus {

std::optional<Rank> parseRank(std::string_view text) {
  if (text.empty())
    return std::nullopt;
  Rank rank = 0;
  for (const char digit : text)
    if (digit < '0' || digit > '9' ||
        __builtin_mul_overflow(rank, Rank(10), &rank) ||
        __builtin_add_overflow(rank, static_cast<Rank>(digit - '0'), &rank))
      return std::nullopt;
  return rank;
}

std::string toString(Rank rank) {
  std::string text;
  do {
    text.push_back(static_cast<char>('0' + static_cast<int>(rank % 10)));
    rank /= 10;
  } while (rank != 0);
  std::reverse(text.begin(), text.end());
  return text;
}

} // namespace corpus
