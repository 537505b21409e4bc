// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/encode.h"
#include "enumerate/order.h"
#include "enumerate/permutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace enumerate {
namespace {

TEST(Permutation, everyValueOnceAndBack) {
  for (const unsigned count : {1U, 2U, 3U, 5U, 8U, 64U, 65U, 1000U, 4096U})
    for (const std::uint64_t seed : {0U, 1U, 7U}) {
      const Permutation permutation(count, seed);
      std::set<Rank> seen;
      for (Rank position = 0; position < count; ++position) {
        const Rank value = permutation.at(position);
        ASSERT_LT(value, count);
        ASSERT_TRUE(seen.insert(value).second);
        ASSERT_EQ(permutation.find(value), position);
      }
    }
}

TEST(Permutation, upTo128Bits) {
  for (const Rank count :
       {Rank(1) << 64, (Rank(1) << 64) + 1, (Rank(5) << 100) + 3, ~Rank(0)}) {
    const Permutation permutation(count, 3);
    for (unsigned i = 0; i < 1000; ++i) {
      const Rank position = i % 2 == 0 ? Rank(i) : count - 1 - i;
      const Rank value = permutation.at(position);
      ASSERT_LT(value, count);
      ASSERT_EQ(permutation.find(value), position);
    }
  }
}

// The 3! orders of three values, over many seeds: chi-squared with 5 degrees of
// freedom is below 20.5 in 999 of 1000 fair draws.
TEST(Permutation, seedsGiveAllOrdersEqually) {
  constexpr unsigned seeds = 6000;
  std::vector<unsigned> drawn(6);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Permutation permutation(3, seed);
    const auto first = static_cast<unsigned>(permutation.at(0));
    const auto second = static_cast<unsigned>(permutation.at(1));
    ++drawn[2 * first + (second > 3 - first - second ? 1 : 0)];
  }
  double chiSquared = 0;
  for (const unsigned times : drawn)
    chiSquared += (times - seeds / 6.0) * (times - seeds / 6.0) / (seeds / 6.0);
  EXPECT_LT(chiSquared, 20.5);
}

// A tenth of the positions hits each tenth of the ranks about equally often.
TEST(Permutation, aPrefixIsSpread) {
  const Permutation permutation(1'000'003, 42);
  std::vector<unsigned> hits(10);
  for (Rank position = 0; position < 100'000; ++position)
    ++hits[static_cast<std::size_t>(permutation.at(position) / 100'001)];
  for (const unsigned hit : hits) {
    EXPECT_GT(hit, 9'500U);
    EXPECT_LT(hit, 10'500U);
  }
}

class EveryOrder : public ::testing::TestWithParam<OrderInfo> {};

TEST_P(EveryOrder, isAPermutationOfTheRanks) {
  const auto space = parseSpace("i2x1");
  ASSERT_TRUE(space) << space.error().message;
  std::set<std::vector<Rank>> different;
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    const auto order = GetParam().make(**space, seed);
    ASSERT_EQ(order->count(), (*space)->count());
    std::set<Rank> seen;
    std::vector<Rank> ranks;
    for (Rank position = 0; position < order->count(); ++position) {
      ranks.push_back(order->at(position));
      ASSERT_TRUE(seen.insert(ranks.back()).second);
      ASSERT_EQ(order->positionOf(ranks.back()), position);
    }
    EXPECT_EQ(seen.size(), (*space)->count());
    EXPECT_EQ(*seen.rbegin(), (*space)->count() - 1);
    different.insert(ranks);
  }
  EXPECT_EQ(different.size(), 3U);
}

INSTANTIATE_TEST_SUITE_P(Orders, EveryOrder,
                         ::testing::ValuesIn(orderTable().begin(),
                                             orderTable().end()),
                         [](const auto &row) {
                           return std::string(row.param.name);
                         });

/// What is left of a program when its constants are taken away.
corpus::Bytes skeletonOf(corpus::Program program) {
  for (corpus::Operand &operand : program.operands)
    if (operand.is(corpus::Operand::Kind::constant))
      operand.payload = 0;
  return corpus::encode(program);
}

// A skeleton with one constant of i8 has 256 members: 16 in the first round of
// `balanced`, 32 in the second, and so on; one without a constant has one.
TEST(Balanced, aRoundTakesTheSquareRootOfASkeleton) {
  const auto space = parseSpace("i8x1:ops=add+freeze,args=2");
  ASSERT_TRUE(space) << space.error().message;
  const auto order = findOrder("balanced")->make(**space, 1);
  std::size_t skeletons = 0; // with a constant
  std::size_t alone = 0;
  for (auto cursor = (*space)->from(0); !cursor->atEnd(); cursor->next()) {
    const auto &operands = cursor->program().operands;
    const bool hasConstant =
        std::any_of(operands.begin(), operands.end(), [](const auto &operand) {
          return operand.is(corpus::Operand::Kind::constant);
        });
    ++(hasConstant ? skeletons : alone);
  }
  skeletons /= 256;
  ASSERT_GT(skeletons, 0U);
  ASSERT_GT(alone, 0U);
  std::map<corpus::Bytes, std::size_t> seen;
  const std::size_t firstRound = alone + 16 * skeletons;
  for (Rank position = 0; position < firstRound; ++position)
    ++seen[skeletonOf((*space)->at(order->at(position)))];
  std::map<std::size_t, std::size_t> times;
  for (const auto &[skeleton, members] : seen)
    ++times[members];
  EXPECT_EQ(times,
            (std::map<std::size_t, std::size_t>{{1, alone}, {16, skeletons}}));
}

TEST(Strata, eachSkeletonHasItsKthMemberBeforeAnyHasIts2Kth) {
  for (const char *spec :
       {"i2x2:ops=add+select,args=2", "i3x1", "i2x1:blocks=2,args=1",
        "i2x1:ops=phi,blocks=3,args=1", "i2x1:ops=freeze,blocks=3,switch"}) {
    const auto space = parseSpace(spec);
    ASSERT_TRUE(space) << space.error().message;
    const auto order = findOrder("strata")->make(**space, 1);
    std::map<corpus::Bytes, std::size_t> sizes;
    for (auto cursor = (*space)->from(0); !cursor->atEnd(); cursor->next())
      ++sizes[skeletonOf(cursor->program())];
    std::map<corpus::Bytes, std::size_t> seen;
    std::size_t highest = 0;
    for (Rank position = 0; position < order->count(); ++position) {
      const Rank rank = order->at(position);
      ASSERT_EQ(order->positionOf(rank), position);
      const corpus::Bytes skeleton = skeletonOf((*space)->at(rank));
      const std::size_t now = ++seen[skeleton];
      if (now <= highest)
        continue;
      highest = now;
      for (const auto &[other, size] : sizes)
        ASSERT_GE(seen[other], std::min(size, now / 2)) << spec;
    }
  }
}

TEST(Order, largeSpacesGoThereAndBack) {
  for (const char *spec :
       {"i4x3", "i32x2:args=2,undef,poison", "i4x1:blocks=3,switch,calls",
        "i2x2:ops=phi,blocks=3,loops,args=2"}) {
    const auto space = parseSpace(spec);
    ASSERT_TRUE(space) << space.error().message;
    for (const OrderInfo &row : orderTable()) {
      const auto order = row.make(**space, 3);
      ASSERT_EQ(order->count(), (*space)->count());
      std::set<Rank> seen;
      for (const Rank position : sampleRanks(order->count(), 2'000, 5)) {
        const Rank rank = order->at(position);
        ASSERT_LT(rank, order->count());
        ASSERT_TRUE(seen.insert(rank).second);
        ASSERT_EQ(order->positionOf(rank), position);
      }
    }
  }
}

TEST(Order, isFoundByName) {
  ASSERT_NE(findOrder("uniform"), nullptr);
  EXPECT_EQ(findOrder("uniform")->name, "uniform");
  EXPECT_EQ(findOrder("random"), nullptr);
}

// Frozen, since databases name positions. From a separate implementation in
// Python.
TEST(Order, uniformStaysAsItIs) {
  const auto order = makeUniformOrder(1'000'000, 1);
  std::vector<Rank> first;
  for (Rank position = 0; position < 5; ++position)
    first.push_back(order->at(position));
  EXPECT_EQ(first, (std::vector<Rank>{69662, 13368, 216584, 221590, 353673}));
}

TEST(Order, WhatLeadsComesFirst) {
  const auto space = parseSpace("folds:i4:modern");
  ASSERT_TRUE(space);
  const auto order = findOrder(orderOfFirstLook)->make(**space, 1);
  const Rank leading = (*space)->leading();
  ASSERT_GT(leading, 0);
  ASSERT_LT(leading, order->count());
  for (Rank position = 0; position < order->count(); ++position) {
    const Rank rank = order->at(position);
    EXPECT_EQ(rank < leading, position < leading);
    EXPECT_EQ(order->positionOf(rank), position);
  }
}

} // namespace
} // namespace enumerate
