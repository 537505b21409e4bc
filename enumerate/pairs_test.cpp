// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/pairs.h"

#include "corpus/program/print.h"
#include "enumerate/parsed_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

using testing::Contains;
using testing::HasSubstr;

namespace enumerate {
namespace {

void expectRanked(const Space &members, Rank rank) {
  const corpus::Program program = members.at(rank);
  ASSERT_EQ(corpus::verify(program), std::nullopt)
      << members.nameOf(rank) << corpus::printFunction(program);
  EXPECT_EQ(members.rank(program), rank)
      << members.nameOf(rank) << corpus::printFunction(program);
}

TEST(Pairs, AreAllPairsOnceAndByRank) {
  for (const std::string_view each :
       {"i2x1:ops=add+icmp,args=1,consts=none", "i1x1:args=1,consts=two",
        "i2x1:ops=sadd.with.overflow+zext,args=2,consts=none"}) {
    const auto alone = space(each);
    const auto members = space(std::string(each) + ",pairs");
    ASSERT_TRUE(alone && members);
    EXPECT_EQ(members->count(), alone->count() * alone->count() * 6) << each;
    std::set<std::string> texts;
    auto cursor = members->from(0);
    for (Rank rank = 0; rank < members->count(); ++rank, cursor->next()) {
      expectRanked(*members, rank);
      ASSERT_FALSE(cursor->atEnd());
      EXPECT_EQ(cursor->program(), members->at(rank));
      texts.insert(corpus::printFunction(cursor->program()));
    }
    EXPECT_TRUE(cursor->atEnd());
    EXPECT_EQ(texts.size(), members->count()) << each;
  }
}

TEST(Pairs, OfLargeSpacesAreRanked) {
  for (const std::string_view spec :
       {"i2x3:ops=icmp+select,pairs,args=4,consts=two",
        "i3x2:pairs,overflow,args=2,consts=few",
        "i2x2:idioms,pairs,args=2,consts=none"}) {
    const auto members = space(spec);
    ASSERT_NE(members, nullptr);
    for (const Rank rank : sampleRanks(members->count(), 300, 1)) {
      const corpus::Program program = members->at(rank);
      ASSERT_EQ(corpus::verify(program), std::nullopt);
      const auto lowest = members->rank(program);
      ASSERT_TRUE(lowest) << corpus::printFunction(program);
      EXPECT_EQ(members->at(*lowest), program);
    }
  }
}

/// As they are written, by hand: a sum and a flag, widened and multiplied; the
/// or of two comparisons that is made a select; two lanes.
TEST(Pairs, StandInFunctionsAsTheyAreWritten) {
  const auto texts = [](std::string_view spec) {
    std::set<std::string> all;
    const auto members = space(spec);
    for (auto cursor = members->from(0); !cursor->atEnd(); cursor->next())
      all.insert(corpus::printFunction(cursor->program()));
    return all;
  };
  const auto sums = texts("i2x1:ops=add+icmp,pairs,args=1,consts=none");
  EXPECT_THAT(sums, Contains("define i2 @f(i2 %a, i2 %b) {\n"
                             "  %v0 = add nsw i2 %a, %a\n"
                             "  %v1 = icmp eq i2 %b, %b\n"
                             "  %v2 = zext i1 %v1 to i2\n"
                             "  %v3 = mul i2 %v0, %v2\n"
                             "  ret i2 %v3\n"
                             "}\n"));
  EXPECT_THAT(sums, Contains("define i1 @f(i2 %a, i2 %b) {\n"
                             "  %v0 = icmp ult i2 %a, %a\n"
                             "  %v1 = icmp slt i2 %b, %b\n"
                             "  %v2 = select i1 %v0, i1 true, i1 %v1\n"
                             "  ret i1 %v2\n"
                             "}\n"));
  EXPECT_THAT(sums,
              Contains("define <2 x i2> @f(i2 %a, i2 %b) {\n"
                       "  %v0 = add i2 %a, %a\n"
                       "  %v1 = add nuw i2 %b, %b\n"
                       "  %v2 = insertelement <2 x i2> poison, i2 %v0, i32 0\n"
                       "  %v3 = insertelement <2 x i2> %v2, i2 %v1, i32 1\n"
                       "  ret <2 x i2> %v3\n"
                       "}\n"));
}

TEST(Pairs, AreOfStraightLinesOfIntegers) {
  for (const auto &[spec, word] :
       {std::pair("i2x1:pairs,blocks=3", "`blocks`"),
        std::pair("i2x1:pairs,graph=if", "`graph`"),
        std::pair("i8x1:pairs,mem=p1", "`mem`"),
        std::pair("i2x1:pairs,calls", "`calls`"),
        std::pair("v2i2x1:pairs", "`pairs`"),
        std::pair("i2x1:pairs,assume", "`assume`"),
        std::pair("i2x1:pairs,symmetry=full", "symmetry=args"),
        std::pair("i16x5:pairs,types=1+8+16", "128 bits")}) {
    const auto result = parseSpace(spec);
    ASSERT_FALSE(result) << spec;
    EXPECT_THAT(result.error().message, HasSubstr(word)) << spec;
  }
}

} // namespace
} // namespace enumerate
