// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spaces by layout against the same spaces by decision graph, which
// branching_test compares with generate-and-filter.
#include "enumerate/layout_space.h"

#include "corpus/program/encode.h"
#include "corpus/program/print.h"
#include "enumerate/decision_graph.h"
#include "enumerate/layouts.h"
#include "enumerate/operand_walk.h"
#include "enumerate/skeleton_walk.h"
#include "enumerate/type_orders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>
#include <string>

using corpus::Program;
using ::testing::AnyOf;
using ::testing::HasSubstr;

namespace enumerate {
namespace {

/// Ways to fill operands with arguments numbered by first use, of which `used`
/// are there and at most `limit` may be, one after the other.
Rank byFirstUse(unsigned operands, unsigned used, unsigned limit) {
  if (operands == 0)
    return 1;
  return used * byFirstUse(operands - 1, used, limit) +
         (used < limit ? byFirstUse(operands - 1, used + 1, limit) : Rank(0));
}

TEST(ArgumentPoints, CountArgumentsByFirstUse) {
  const ArgumentPoints points(1, 3);
  ASSERT_EQ(points.size(), 4U);
  for (std::size_t used = 0; used < points.size(); ++used)
    for (unsigned operands = 0; operands < 7; ++operands) {
      Rank sum = 0;
      for (const auto &[point, weight] : points.terms(used)) {
        Rank ways = weight;
        for (unsigned i = 0; i < operands; ++i)
          ways *= points[point][0];
        sum += ways;
      }
      EXPECT_EQ(sum,
                points.divisor(used) * byFirstUse(operands, points[used][0], 3))
          << operands << " operands, " << used << " in use";
    }
}

/// Of two types, in turn.
Rank byFirstUseOfTwo(unsigned operands, unsigned first, unsigned second,
                     unsigned limit) {
  if (operands == 0)
    return 1;
  const auto with = [&](unsigned a, unsigned b) {
    return byFirstUseOfTwo(operands - 1, b, a, limit);
  };
  return first * with(first, second) +
         (first + second < limit ? with(first + 1, second) : Rank(0));
}

TEST(ArgumentPoints, ShareTheLimitBetweenTypes) {
  for (const unsigned limit : {0U, 1U, 2U, 4U}) {
    const ArgumentPoints points(2, limit);
    for (const unsigned operands : {1U, 2U, 5U, 8U}) {
      Rank sum = 0;
      for (const auto &[point, weight] : points.terms(0)) {
        Rank ways = weight;
        for (unsigned i = 0; i < operands; ++i)
          ways *= points[point][i % 2];
        sum += ways;
      }
      EXPECT_EQ(sum, points.divisor(0) * byFirstUseOfTwo(operands, 0, 0, limit))
          << operands << " operands, at most " << limit;
    }
  }
}

TEST(ArgumentPoints, NextHasOneMore) {
  const ArgumentPoints points(2, 2);
  const auto one = points.next(0, 1);
  ASSERT_TRUE(one);
  EXPECT_EQ(points[*one], (TypeCounts{0, 1}));
  const auto two = points.next(*one, 0);
  ASSERT_TRUE(two);
  EXPECT_EQ(points[*two], (TypeCounts{1, 1}));
  EXPECT_FALSE(points.next(*two, 0));
}

TEST(ArgumentPoints, DividesExactly) {
  const ArgumentPoints points(2, 8);
  for (std::size_t used = 0; used < points.size(); ++used)
    for (const std::uint64_t number : {0ULL, 1ULL, 41ULL, 123456789012ULL}) {
      const Rank multiple = points.divisor(used) * number;
      EXPECT_EQ(points.divide(multiple, used), number);
      EXPECT_EQ(points.divide(static_cast<std::uint64_t>(multiple), used),
                number);
      EXPECT_EQ(points.divide(multiple * (Rank(1) << 70), used), Rank(number)
                                                                     << 70);
    }
}

TEST(ArgumentPoints, ProjectionsForgetTypes) {
  const ArgumentPoints points(2, 2);
  const auto &first = points.projection(1);
  EXPECT_EQ(first.points.size(), 3U);
  EXPECT_EQ(points.projection(0).points.size(), 1U);
  EXPECT_EQ(points.projection(3).points.size(), points.size());
  for (std::size_t point = 0; point < points.size(); ++point) {
    EXPECT_EQ(first.points[first.of[point]][0], points[point][0]);
    EXPECT_EQ(first.points[first.of[point]][1], 0);
  }
}

TEST(TypeOrders, AreNumberedOnce) {
  const TypeCounts counts{2, 1, 0, 2};
  // 5! / (2! 1! 2!)
  ASSERT_EQ(typeOrders(counts), 30U);
  std::set<std::vector<std::uint8_t>> orders;
  for (std::uint64_t number = 0; number < typeOrders(counts); ++number) {
    const TypeOrder order = typeOrderAt(counts, number);
    orders.insert({order.begin(), order.end()});
    EXPECT_EQ(numberOf(order), number);
    EXPECT_EQ(countsOf(order), counts);
  }
  EXPECT_EQ(orders.size(), 30U);
  EXPECT_EQ(binomial(8, 3), 56U);
  EXPECT_EQ(signedChoices(TypeCounts{4, 3, 0, 0}, TypeCounts{2, 1, 0, 0}),
            -6 * 3);
}

SpaceSpec specOf(std::string_view text) {
  const auto spec = parseSpec(text);
  EXPECT_TRUE(spec) << (spec ? "" : spec.error().message);
  return *spec;
}

Grammar grammarOf(const SpaceSpec &spec) {
  return Grammar(spec, spec.vocabulary());
}

std::unique_ptr<Space> byLayout(std::string_view text) {
  const SpaceSpec spec = specOf(text);
  auto space = makeLayoutSpace(spec, grammarOf(spec));
  EXPECT_TRUE(space) << (space ? "" : space.error().message);
  return space ? std::move(*space) : nullptr;
}

/// One for each thing that a space with branches may have.
const char *const small[] = {
    "i2x1:blocks=2,args=2",
    "i1x1:blocks=3,args=2",
    "i1x3:ops=phi+xor,graph=while,args=1,consts=none",
    "i2x1:blocks=3,loops,args=1,consts=two",
    "i1x1:blocks=2,loops,switch,args=1",
    "i1x1:blocks=3,switch,args=1,consts=two",
    "i2x1:blocks=3,loops,same-target,args=1,consts=none",
    "i2x2:ops=add+icmp,blocks=3,loops,args=1,consts=none",
    "i1x1:blocks=3,undef,poison,args=1",
    "i2x1:blocks=3,calls,args=1,consts=none",
    "i2x1:blocks=3,unreachable,frozen,args=1,consts=none",
    "i4x1:types=1+2+4,blocks=2,args=1,consts=none",
    "i2x1:minmax,cmp,bits,graph=diamond,args=1,consts=none",
};

TEST(LayoutSpace, HasTheMembersOfTheGraphOnce) {
  for (const char *text : small) {
    const auto graph = parseSpace(text);
    ASSERT_TRUE(graph) << graph.error().message;
    ASSERT_NE((*graph)->decisions(), nullptr);
    const auto space = byLayout(text);
    ASSERT_TRUE(space);
    ASSERT_EQ(space->count(), (*graph)->count()) << text;
    std::set<Rank> ranks;
    for (auto cursor = (*graph)->from(0); !cursor->atEnd(); cursor->next()) {
      const auto rank = space->rank(cursor->program());
      ASSERT_TRUE(rank) << space->whyNotMember(cursor->program()) << '\n'
                        << corpus::printFunction(cursor->program());
      ASSERT_LT(*rank, space->count());
      ASSERT_TRUE(ranks.insert(*rank).second) << text;
      ASSERT_EQ(space->at(*rank), cursor->program()) << text;
    }
    EXPECT_EQ(ranks.size(), space->count()) << text;
  }
}

TEST(LayoutSpace, CountsWhatTheGraphCounts) {
  for (const char *text :
       {"i2x3:blocks=3,loops,args=2", "i1x3:blocks=4,loops,args=2",
        "i2x2:blocks=3,loops,calls,switch,args=2",
        "i2x3:ops=add+icmp+select,blocks=3,loops,args=2",
        "i2x2:blocks=3,undef,poison,same-target,args=3",
        "i4x2:types=1+2+4,blocks=3,args=2", "i8x2:blocks=3,loops,switch",
        "i1x3:blocks=3,loops,args=8"}) {
    const SpaceSpec spec = specOf(text);
    const auto graph = DecisionGraph::build(grammarOf(spec));
    ASSERT_TRUE(graph) << graph.error().message;
    ASSERT_TRUE(LayoutTables::covers(spec, grammarOf(spec))) << text;
    const LayoutTables tables(spec, grammarOf(spec));
    const auto layouts = Layouts::build(tables);
    ASSERT_TRUE(layouts) << layouts.error().message;
    EXPECT_EQ(layouts->count(), graph->count(graph->root())) << text;
  }
}

TEST(LayoutSpace, RanksFunctionsOfLargeSpaces) {
  // The last needs more than 64 bits for one layout.
  for (const char *text :
       {"i2x4:blocks=4,loops,args=2", "i2x3:blocks=3,loops,switch,calls,args=2",
        "i8x4:blocks=3,loops,undef,poison,minmax,consts=few",
        "i2x4:blocks=5,loops,args=3"}) {
    const auto space = byLayout(text);
    ASSERT_TRUE(space);
    for (const Rank rank : sampleRanks(space->count(), 300, 1)) {
      const Program program = space->at(rank);
      ASSERT_EQ(corpus::verify(program), std::nullopt)
          << space->nameOf(rank) << '\n'
          << corpus::printFunction(program);
      ASSERT_EQ(space->rank(program), rank) << space->nameOf(rank);
    }
    EXPECT_EQ(space->rank(space->at(space->count() - 1)), space->count() - 1);
  }
}

/// All that there are.
template <typename Walk> std::vector<Option> optionsOf(Walk &walk) {
  std::vector<Option> all;
  for (auto options = walk.options(); !options.empty();
       options = walk.options())
    all.insert(all.end(), options.begin(), options.end());
  return all;
}

void expectEqual(const std::vector<Option> &a, const std::vector<Option> &b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].each, b[i].each);
    EXPECT_EQ(a[i].decision.kind, b[i].decision.kind);
    EXPECT_EQ(a[i].decision.index, b[i].decision.index);
    EXPECT_EQ(a[i].decision.choices, b[i].decision.choices);
  }
}

/// One skeleton of the layout, which `numbers` choose.
Skeleton someSkeleton(const LayoutTables &tables, const Layout &layout,
                      const std::function<std::size_t()> &numbers) {
  using Narrow = SkeletonWalk<std::uint64_t>;
  Skeleton skeleton{layout, {}, {}};
  std::vector<corpus::Type> switched;
  Narrow narrow(tables, layout);
  SkeletonWalk<Rank> wide(tables, layout);
  Rank all = 0;
  while (narrow.stage() != Narrow::Stage::complete) {
    const auto stage = narrow.stage();
    const auto options = optionsOf(narrow);
    expectEqual(options, optionsOf(wide));
    if (all == 0)
      for (const Option &option : options)
        all += option.each * option.decision.choices;
    const Decision decision = options[numbers() % options.size()].decision;
    narrow.take(decision);
    wide.take(decision);
    if (stage == Narrow::Stage::phis)
      for (const std::uint8_t type :
           typeOrderAt(tables.counts()[decision.index], 0))
        skeleton.instructions.push_back({tables.phiGroup(type), 0});
    else if (stage == Narrow::Stage::instruction)
      skeleton.instructions.push_back({decision.index, 0});
    else
      switched.push_back(decision.type);
  }
  EXPECT_EQ(all, layout.functions);
  auto next = switched.begin();
  for (const Exit &exit : tables.grammar().cfgs()[layout.cfg].exits) {
    Skeleton::End &end = skeleton.ends.emplace_back();
    if (exit.kind == Exit::Kind::branch)
      end.type = corpus::Type::integer(1);
    else if (exit.kind == Exit::Kind::switch_)
      end.type = *next++;
    else if (exit.kind == Exit::Kind::ret &&
             layout.returned < tables.types().size())
      end.type = tables.types()[layout.returned];
  }
  return skeleton;
}

TEST(LayoutSpace, CountsTheSameInNumbersOf64Bits) {
  std::mt19937 random(1);
  const auto numbers = [&] { return std::size_t(random()); };
  for (const char *text :
       {"i2x3:blocks=3,loops,switch,undef,args=2", "i1x4:blocks=4,args=3",
        "i4x2:types=1+2+4,blocks=3,args=2", "i2x3:blocks=3,calls,args=2"}) {
    const SpaceSpec spec = specOf(text);
    const LayoutTables tables(spec, grammarOf(spec));
    const auto layouts = Layouts::build(tables);
    ASSERT_TRUE(layouts) << layouts.error().message;
    for (Rank rank : sampleRanks(layouts->count(), 200, 1)) {
      const Skeleton skeleton =
          someSkeleton(tables, layouts->at(rank), numbers);
      OperandWalk<std::uint64_t> narrow(tables, skeleton);
      OperandWalk<Rank> wide(tables, skeleton);
      while (!wide.isComplete()) {
        OperandWalk<std::uint64_t> narrowed(wide);
        const auto options = optionsOf(wide);
        expectEqual(options, optionsOf(narrow));
        expectEqual(options, optionsOf(narrowed));
        ASSERT_FALSE(options.empty()) << text;
        const Decision decision = options[numbers() % options.size()].decision;
        narrow.take(decision);
        wide.take(decision);
      }
      ASSERT_FALSE(HasFailure()) << text;
    }
  }
}

TEST(LayoutSpace, IsWhatIsTooLargeForAGraph) {
  const auto space = parseSpace("i2x4:blocks=4,loops,args=2,symmetry=full");
  ASSERT_TRUE(space) << space.error().message;
  EXPECT_EQ((*space)->decisions(), nullptr);
  EXPECT_EQ(corpus::toString((*space)->count()), "61316457410214782");
  EXPECT_EQ((*space)->nameOf(17), "i2x4:blocks=4,loops,args=2#17");
  EXPECT_EQ((*space)->symmetry(), symmetry::full);
  auto cursor = (*space)->from((*space)->count() - 2);
  cursor->next();
  EXPECT_EQ(cursor->program(), (*space)->at((*space)->count() - 1));
  cursor->next();
  EXPECT_TRUE(cursor->atEnd());
}

// Whoever has to change these changes orderVersion too: ranks are permanent.
TEST(LayoutSpace, FrozenOrder) {
  ASSERT_EQ(orderVersion, 1);
  const auto digest = [](const char *text) {
    const auto space = byLayout(text);
    corpus::Bytes bytes;
    for (const Rank rank : sampleRanks(space->count(), 300, 1))
      corpus::encode(space->at(rank), bytes);
    return corpus::toString(corpus::digestOf(bytes));
  };
  EXPECT_EQ(digest("i2x4:blocks=4,loops,args=2"),
            "efddfdb33f7f648860dcfc6936886a28");
  EXPECT_EQ(digest("i2x3:blocks=3,loops,switch,calls,args=2"),
            "e3b97f1c17a5c81ea8abfc63431d459c");
}

TEST(LayoutSpace, SaysWhyAProgramIsNoMember) {
  const auto space = byLayout("i2x1:blocks=3,args=1,consts=none");
  const auto others = parseSpace("i2x1:blocks=3,args=2");
  const auto more = parseSpace("i2x2:blocks=3,args=1,consts=none");
  ASSERT_TRUE(space && others && more);
  bool hasConstant = false;
  for (auto cursor = (*others)->from(0); !cursor->atEnd(); cursor->next())
    if (!space->rank(cursor->program())) {
      const std::string why = space->whyNotMember(cursor->program());
      EXPECT_THAT(why, AnyOf(HasSubstr("; allowed there is "),
                             HasSubstr("no member has these instructions")));
      hasConstant = hasConstant || why.find("`1`") != std::string::npos;
    }
  EXPECT_TRUE(hasConstant);
  EXPECT_THAT(space->whyNotMember((*more)->at(0)),
              HasSubstr("allowed there is the terminator"));
}

TEST(LayoutSpace, RefusesWhatMightNotFit) {
  const SpaceSpec spec = specOf("i32x8:blocks=3,loops,args=1");
  const auto space = makeLayoutSpace(spec, grammarOf(spec));
  ASSERT_FALSE(space);
  EXPECT_THAT(space.error().message, HasSubstr("128 bits"));
}

TEST(LayoutSpace, CoversIntegersWithBranches) {
  for (const char *text :
       {"i2x2", "i2x2:blocks=2,overflow", "v2i2x2", "i8x2:mem=p1,graph=if",
        "i2x2:idioms,graph=if", "i2x2:recurrences,graph=loop"})
    EXPECT_FALSE(LayoutTables::covers(specOf(text), grammarOf(specOf(text))))
        << text;
}

} // namespace
} // namespace enumerate
