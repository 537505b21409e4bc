// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/space.h"

#include "corpus/program/encode.h"
#include "corpus/program/print.h"
#include "enumerate/brute_force.h"
#include "enumerate/parsed_space.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;
using ::testing::HasSubstr;

namespace enumerate {
namespace {

const Type i1 = Type::integer(1);
const Type i2 = Type::integer(2);

std::string text(const Program &program) {
  return corpus::printFunction(program);
}

std::set<std::string> allTexts(const Space &members) {
  std::set<std::string> texts;
  for (auto cursor = members.from(0); !cursor->atEnd(); cursor->next())
    EXPECT_TRUE(texts.insert(text(cursor->program())).second)
        << text(cursor->program());
  return texts;
}

// The design's numbers. i2x1 by hand: 39 templates on two i2 times 10 pairs of
// leaves, 3 on two i1 times 6, a select of i2 46, of i1 29, 2 freeze, 3 casts.
TEST(Space, counts) {
  EXPECT_EQ(space("i1x1")->count(), 264U);
  EXPECT_EQ(space("i1x2")->count(), 114'969U);
  EXPECT_EQ(space("i2x1")->count(), 488U);
  EXPECT_EQ(space("i2x2")->count(), 203'557U);
  EXPECT_EQ(space("i2x3")->count(), 126'284'145U);
  EXPECT_EQ(space("i4x1")->count(), 1'736U);
  EXPECT_EQ(space("i4x2")->count(), 2'238'781U);
  EXPECT_EQ(space("i3x2:args=2")->count(), 596'752U);
}

struct CoreCase {
  const char *spec;
  unsigned width;
  unsigned instructions;
  std::size_t arguments;
};

class AgainstBruteForce : public ::testing::TestWithParam<CoreCase> {};

TEST_P(AgainstBruteForce, sameFunctions) {
  testing::BruteForceSpace expected;
  expected.instructions = GetParam().instructions;
  expected.arguments = GetParam().arguments;
  expected.forms = testing::coreForms(GetParam().width);
  for (unsigned width : {1U, GetParam().width})
    expected.constants[width] = testing::allConstants(width);
  const auto members = space(GetParam().spec);
  const std::set<std::string> texts = allTexts(*members);
  EXPECT_EQ(texts.size(), members->count());
  EXPECT_TRUE(texts == testing::generateAndFilter(expected));
}

INSTANTIATE_TEST_SUITE_P(Core, AgainstBruteForce,
                         ::testing::Values(CoreCase{"i1x1", 1, 1, 3},
                                           CoreCase{"i1x2", 1, 2, 3},
                                           CoreCase{"i2x1", 2, 1, 3},
                                           CoreCase{"i2x2", 2, 2, 3},
                                           CoreCase{"i2x2:args=1", 2, 2, 1},
                                           CoreCase{"i4x1", 4, 1, 3},
                                           CoreCase{"i3x1:args=2", 3, 1, 2}));

TEST(Space, everyMemberOfI2x2) {
  const auto members = space("i2x2");
  corpus::Rank rank = 0;
  for (auto cursor = members->from(0); !cursor->atEnd(); cursor->next()) {
    ASSERT_EQ(cursor->rank(), rank);
    ASSERT_EQ(corpus::verify(cursor->program()), std::nullopt)
        << text(cursor->program());
    ASSERT_EQ(cursor->program(), members->at(rank));
    ASSERT_EQ(members->rank(cursor->program()), rank);
    ++rank;
  }
  EXPECT_EQ(rank, members->count());
}

/// Counted by hand: leaves are arguments, at most three, numbered by first use,
/// and the constants of a type, one operand at least no constant.
TEST(Space, countsOfVectors) {
  const std::vector<std::pair<std::string, std::uint64_t>> counts = {
      // iW and i1 are exchanged for vectors of them.
      {"v2i2x1", 488},
      {"v3i1x2", 114969},
      // 25 masks; %a %a, %a %b, and one of 4 splats on either side.
      {"v2i2x1:ops=shufflevector", 25 * 10},
      {"v2i2x1:ops=shufflevector,consts=none", 25 * 2},
      {"v2i2x1:ops=shufflevector,args=1,consts=none", 25},
      // A poison lane in each of two places, of each of 4 splats.
      {"v2i2x1:ops=shufflevector,consts=lanes", 25 * (2 + 2 * 12)},
      // Four sets of flags; %a %a, or %a and on either side a constant: one of
      // four, perhaps with a hole of two kinds in one of two lanes.
      {"v2i8x1:ops=add,args=1,consts=holes", 4 * (1 + 2 * 4 * (1 + 2 * 2))},
      // Vector and lane, not both of 4 constants, at two indices.
      {"v2i2x1:ops=insertelement", 2 * (1 + 4 + 4)},
      // Beside these any index: 26 with an argument as the vector, 10 with each
      // of 4 constants.
      {"v2i2x1:ops=insertelement,index", 18 + 26 + 4 * 10},
      {"v2i2x1:ops=extractelement", 2},
      {"v2i2x1:ops=extractelement,index", 2 + 1 + 4 + 4},
      {"v2i2x1:ops=bitcast", 2},
      {"v2i2x1:ops=vector.reduce.add+vector.reduce.umax", 2},
      // Of <1 x i2> the vector and the integer.
      {"v1i2x2:ops=bitcast", 2},
  };
  for (const auto &[spec, count] : counts)
    EXPECT_EQ(space(spec)->count(), count) << spec;
}

struct VectorCase {
  const char *spec;
  unsigned lanes;
  unsigned width;
  unsigned instructions;
  std::size_t arguments;
  const char *forms;      ///< those that have this in their text
  const char *holes = ""; ///< in one lane of a constant
  bool indefinite = false;
};

class VectorsAgainstBruteForce : public ::testing::TestWithParam<VectorCase> {};

TEST_P(VectorsAgainstBruteForce, sameFunctions) {
  const auto &[spec, lanes, width, instructions, arguments, forms, holes,
               indefinite] = GetParam();
  testing::BruteForceSpace expected;
  expected.instructions = instructions;
  expected.arguments = arguments;
  for (testing::Form &form : testing::vectorForms(lanes, width))
    if (form.text.find(forms) != form.text.npos)
      expected.forms.push_back(std::move(form));
  std::vector<std::string> holesInLanes;
  for (const char *hole : {"undef", "poison"})
    if (std::string_view(holes).find(hole) != std::string_view::npos)
      holesInLanes.emplace_back(hole);
  for (const unsigned each : {1U, width}) {
    const unsigned vector = testing::vectorOf(lanes, each);
    expected.types[vector] = fmt::format("<{} x i{}>", lanes, each);
    expected.constants[vector] =
        testing::laneConstants(lanes, each, holesInLanes);
    expected.constants[each] = testing::allConstants(each);
  }
  expected.constants[lanes * width] = testing::allConstants(lanes * width);
  if (indefinite)
    expected.indefinite = {"undef", "poison"};
  const auto members = space(spec);
  const std::set<std::string> texts = allTexts(*members);
  EXPECT_EQ(texts.size(), members->count());
  EXPECT_TRUE(texts == testing::generateAndFilter(expected));
}

INSTANTIATE_TEST_SUITE_P(
    Vectors, VectorsAgainstBruteForce,
    ::testing::Values(
        VectorCase{"v2i2x1:shuffle,insert,index,bitcast,reduce", 2, 2, 1, 3,
                   ""},
        VectorCase{"v2i2x1:shuffle,insert,index,bitcast,reduce,consts=lanes", 2,
                   2, 1, 3, "", "poison"},
        VectorCase{"v2i2x1:shuffle,insert,index,bitcast,reduce,undef,poison,"
                   "args=1",
                   2, 2, 1, 1, "", "", true},
        VectorCase{"v3i1x1:shuffle,insert,index,bitcast,reduce,args=2", 3, 1, 1,
                   2, ""},
        VectorCase{"v2i1x2:ops=shufflevector,args=1,consts=lanes", 2, 1, 2, 1,
                   "shufflevector", "poison"},
        // Of i2 the few are all.
        VectorCase{"v2i2x1:shuffle,insert,index,bitcast,reduce,consts=holes", 2,
                   2, 1, 3, "", "undef poison"},
        VectorCase{
            "v3i1x1:shuffle,insert,index,bitcast,reduce,args=2,consts=holes", 3,
            1, 1, 2, "", "undef poison"},
        VectorCase{"v2i2x2:index,ops=insertelement+extractelement,args=2", 2, 2,
                   2, 2, "element"},
        VectorCase{"v2i2x3:ops=bitcast,args=2", 2, 2, 3, 2, "bitcast"}));

TEST(Space, everyMemberOfVectors) {
  for (const char *spec :
       {"v2i2x1:shuffle,insert,index,bitcast,reduce,undef,poison,consts=lanes",
        "v2i1x2:ops=shufflevector+add+extractelement,args=2"}) {
    const auto whole = space(spec);
    std::set<std::string> members;
    for (auto cursor = whole->from(0); !cursor->atEnd(); cursor->next()) {
      const corpus::Program &program = cursor->program();
      ASSERT_EQ(corpus::verify(program), std::nullopt)
          << corpus::printFunction(program);
      ASSERT_EQ(whole->at(cursor->rank()), program);
      ASSERT_EQ(whole->rank(program), cursor->rank())
          << corpus::printFunction(program);
      members.insert(corpus::printFunction(program));
    }
    EXPECT_EQ(members.size(), whole->count()) << spec;
  }
}

TEST(Space, aMillionSamplesOfI2x3) {
  const auto members = space("i2x3");
  for (corpus::Rank rank : sampleRanks(members->count(), 1'000'000, 1)) {
    const Program program = members->at(rank);
    ASSERT_EQ(corpus::verify(program), std::nullopt) << text(program);
    ASSERT_EQ(members->rank(program), rank) << text(program);
  }
}

TEST(Space, aCursorFromAnywhereAgreesWithAt) {
  for (const char *spec : {"i2x3", "i4x3:args=2,consts=few", "i8x2"}) {
    const auto members = space(spec);
    for (corpus::Rank start : sampleRanks(members->count(), 2'000, 2)) {
      const auto cursor = members->from(start);
      for (corpus::Rank rank = start; rank < start + 20 && !cursor->atEnd();
           ++rank, cursor->next()) {
        ASSERT_EQ(cursor->rank(), rank);
        ASSERT_EQ(cursor->program(), members->at(rank))
            << spec << "#" << corpus::toString(rank);
      }
    }
  }
}

TEST(Space, cursorEnds) {
  const auto members = space("i1x1");
  EXPECT_TRUE(members->from(264)->atEnd());
  EXPECT_TRUE(members->from(~std::uint64_t(0))->atEnd());
  const auto last = members->from(263);
  EXPECT_FALSE(last->atEnd());
  last->next();
  EXPECT_TRUE(last->atEnd());
}

TEST(Space, hugeSpacesWork) {
  const auto members = space("i8x3:args=2");
  EXPECT_GT(members->count(), std::uint64_t(1) << 40);
  for (corpus::Rank rank : sampleRanks(members->count(), 1'000, 3))
    ASSERT_EQ(members->rank(members->at(rank)), rank);
}

TEST(Space, nameAndSpec) {
  EXPECT_EQ(space("i2x2")->nameOf(17), "i2x2#17");
  EXPECT_EQ(space("i2x2:args=3,consts=all,core")->spec(), "i2x2");
  EXPECT_EQ(space("i2x2:symmetry=full")->spec(), "i2x2:symmetry=full");
  EXPECT_EQ(space("i2x2:symmetry=full")->nameOf(17), "i2x2#17");
  EXPECT_EQ(space("i4x2:consts=few,cmp,args=2,minmax")->spec(),
            "i4x2:minmax,cmp,args=2,consts=few");
}

// Whoever has to change these changes orderVersion too: ranks are permanent.
TEST(Space, frozenOrder) {
  ASSERT_EQ(orderVersion, 1);
  const auto digest = [](const char *spec) {
    corpus::Digest sum;
    corpus::Bytes bytes;
    const auto members = space(spec);
    for (auto cursor = members->from(0); !cursor->atEnd(); cursor->next()) {
      bytes.clear();
      corpus::encode(cursor->program(), bytes);
      for (int shift = 0; shift < 64; shift += 8)
        bytes.push_back(static_cast<std::uint8_t>(cursor->rank() >> shift));
      sum += corpus::digestOf(bytes);
    }
    return corpus::toString(sum);
  };
  EXPECT_EQ(digest("i1x2"), "4cfab3f89e8cb10e6e9f385a5d641783");
  EXPECT_EQ(digest("i2x2"), "6507127d938ca0757c3a3d63088f7235");
}

TEST(Space, constants) {
  const auto constantsOf = [](const char *spec) {
    std::set<std::string> found;
    const auto members = space(spec);
    for (auto cursor = members->from(0); !cursor->atEnd(); cursor->next())
      for (const Operand &operand : cursor->program().operands)
        if (operand.is(Operand::Kind::constant))
          found.insert(corpus::printOperand(cursor->program(), operand));
    return found;
  };
  using Set = std::set<std::string>;
  EXPECT_EQ(constantsOf("i4x1:consts=few"),
            (Set{"0", "1", "-8", "-1", "false", "true"}));
  EXPECT_EQ(constantsOf("i2x1:consts=few"), constantsOf("i2x1"));
  EXPECT_EQ(constantsOf("i64x1:consts=few").size(), 6U);
  EXPECT_EQ(constantsOf("i4x1:consts=none"), Set{});
}

struct Outsider {
  Program program;
  const char *why;
};

TEST(Space, outsidersHaveNoRank) {
  const auto members = space("i2x2");
  const auto build = [](auto &&body) {
    Program program;
    body(program);
    return program;
  };
  const auto ret = [](Program &program, const Operand &value) {
    program.signature.returnType = value.type;
    program.append(Opcode::ret, Type(), {value});
  };
  const Operand one = Operand::constant(i2, 1);

  const Program member = build([&](Program &p) {
    const Operand a = p.addParameter(i2);
    const Operand b = p.addParameter(i2);
    const Operand x = p.append(Opcode::xor_, i2, {a, b});
    ret(p, p.append(Opcode::add, i2, {x, a}, corpus::flag::nuw));
  });
  ASSERT_TRUE(members->rank(member));

  const std::vector<Outsider> outsiders = {
      {build([&](Program &p) {
         const Operand a = p.addParameter(i2);
         const Operand b = p.addParameter(i2);
         const Operand x = p.append(Opcode::xor_, i2, {b, a});
         ret(p, p.append(Opcode::add, i2, {x, a}));
       }),
       "arguments out of order"},
      {build([&](Program &p) {
         const Operand a = p.addParameter(i2);
         p.addParameter(i2);
         const Operand x = p.append(Opcode::xor_, i2, {a, a});
         ret(p, p.append(Opcode::add, i2, {x, a}));
       }),
       "unused argument"},
      {build([&](Program &p) {
         const Operand a = p.addParameter(i2);
         p.append(Opcode::xor_, i2, {a, a});
         ret(p, p.append(Opcode::add, i2, {one, a}));
       }),
       "unused instruction"},
      {build([&](Program &p) {
         const Operand a = p.addParameter(i2);
         const Operand x = p.append(Opcode::xor_, i2, {one, one});
         ret(p, p.append(Opcode::add, i2, {x, a}));
       }),
       "constant operands only"},
      {build([&](Program &p) {
         const Operand a = p.addParameter(i2);
         const Operand x = p.append(Opcode::xor_, i2, {a, one});
         p.append(Opcode::add, i2, {x, a});
         ret(p, x);
       }),
       "the last is not returned"},
      {build([&](Program &p) {
         const Operand a = p.addParameter(i2);
         ret(p, p.append(Opcode::add, i2, {one, a}));
       }),
       "one instruction only"},
      {build([&](Program &p) {
         const Operand a = p.addParameter(i2);
         const Operand x = p.append(Opcode::add, i2, {one, a});
         const Operand y = p.append(Opcode::add, i2, {x, x});
         ret(p, p.append(Opcode::add, i2, {y, y}));
       }),
       "three instructions"},
      {build([&](Program &p) {
         const Operand a = p.addParameter(Type::integer(3));
         const Operand x = p.append(Opcode::add, a.type, {a, a});
         ret(p, p.append(Opcode::add, a.type, {x, x}));
       }),
       "another width"},
      {build([&](Program &p) {
         const Operand a = p.addParameter(i2);
         const Operand x =
             p.append(Opcode::or_, i2, {a, a}, corpus::flag::disjoint);
         ret(p, p.append(Opcode::add, i2, {x, x}));
       }),
       "a flag of `modern`"},
      {build([&](Program &p) {
         const Operand a = p.addParameter(i2);
         const Operand x = p.append(Opcode::xor_, i2, {a, Operand::undef(i2)});
         ret(p, p.append(Opcode::add, i2, {x, x}));
       }),
       "undef"},
      {build([&](Program &p) {
         const Operand a = p.addParameter(i1, {corpus::attribute::noundef});
         const Operand x = p.append(Opcode::zext, i2, {a});
         ret(p, p.append(Opcode::add, i2, {x, x}));
       }),
       "an attribute"},
      {build([&](Program &p) {
         const Operand a = p.addParameter(i2);
         const Operand x = p.append(Opcode::xor_, i2, {a, one});
         p.append(Opcode::br, Type(), {Operand::block(1)});
         p.beginBlock();
         ret(p, p.append(Opcode::add, i2, {x, x}));
       }),
       "two blocks"},
      {Program(), "not valid at all"},
  };
  for (const Outsider &outsider : outsiders)
    EXPECT_EQ(members->rank(outsider.program), std::nullopt) << outsider.why;
}

TEST(Space, badSpecsAreNamed) {
  const auto messageOf = [](std::string_view spec) {
    auto result = parseSpace(spec);
    EXPECT_FALSE(result) << spec;
    return result ? std::string() : result.error().message;
  };
  for (const char *spec : {"", "i2", "2x3", "foo", ":args=2", "u2x3"})
    EXPECT_THAT(messageOf(spec), HasSubstr("i<W>x<N>")) << spec;
  EXPECT_THAT(messageOf("i0x2"), HasSubstr("`i0`"));
  EXPECT_THAT(messageOf("i65x2"), HasSubstr("i1 to i64"));
  EXPECT_THAT(messageOf("i2x"), HasSubstr("``"));
  EXPECT_THAT(messageOf("i2x0"), HasSubstr("`0`"));
  EXPECT_THAT(messageOf("i2x-1"), HasSubstr("1 to 8"));
  EXPECT_THAT(messageOf("i2x99999999999"), HasSubstr("1 to 8"));
  EXPECT_THAT(messageOf("i2x2:arsg=2"),
              ::testing::AllOf(HasSubstr("`arsg=2`"), HasSubstr("args=")));
  EXPECT_THAT(messageOf("i2x2:"), HasSubstr("minmax"));
  EXPECT_THAT(messageOf("i2x2:args=2,,consts=few"), HasSubstr("``"));
  EXPECT_THAT(messageOf("i2x2:args"), HasSubstr("0 to 8"));
  EXPECT_THAT(messageOf("i2x2:args=9"), HasSubstr("0 to 8"));
  EXPECT_THAT(messageOf("i2x2:consts=some"), HasSubstr("all, few, none"));
  EXPECT_THAT(messageOf("i2x2:core=1"), HasSubstr("`core=1`"));
  EXPECT_THAT(messageOf("i64x1"), HasSubstr("consts=few"));
  EXPECT_THAT(messageOf("i32x4"), HasSubstr("128 bits"));
  EXPECT_THAT(messageOf("v0i2x1"), HasSubstr("`0`"));
  EXPECT_THAT(messageOf("i2x1:shuffle"), HasSubstr("v2i2x1"));
  EXPECT_THAT(messageOf("i2x1:ops=bitcast"), HasSubstr("`bitcast`"));
  EXPECT_THAT(messageOf("i2x1:consts=lanes"), HasSubstr("vectors"));
  EXPECT_THAT(messageOf("i2x1:consts=holes"), HasSubstr("vectors"));
  EXPECT_THAT(messageOf("v2i2x1:blocks=2"), HasSubstr("`blocks`"));
  EXPECT_THAT(messageOf("v4i32x1:bitcast,consts=few"), HasSubstr("64 bits"));
}

TEST(ListSpace, isTheListInOrder) {
  const auto source = space("i2x1");
  std::vector<NamedProgram> programs;
  for (Rank rank : {5, 3, 5, 400})
    programs.push_back({"x.ll @f" + corpus::toString(rank), source->at(rank)});
  const auto list = makeListSpace("x.ll", programs);
  EXPECT_EQ(list->spec(), "x.ll");
  EXPECT_EQ(list->count(), 4U);
  EXPECT_EQ(list->nameOf(1), "x.ll @f3");
  EXPECT_EQ(list->at(3), source->at(400));
  EXPECT_EQ(list->rank(source->at(5)), 0U);
  EXPECT_EQ(list->rank(source->at(400)), 3U);
  EXPECT_EQ(list->rank(source->at(4)), std::nullopt);
  std::uint64_t seen = 1;
  for (auto cursor = list->from(1); !cursor->atEnd(); cursor->next())
    EXPECT_EQ(cursor->program(), programs[seen++].program);
  EXPECT_EQ(seen, 4U);
}

TEST(SampleRanks, isASortedSubset) {
  const auto ranks = sampleRanks(126'284'145, 10'000, 7);
  EXPECT_EQ(ranks.size(), 10'000U);
  EXPECT_TRUE(std::is_sorted(ranks.begin(), ranks.end(), std::less_equal<>()));
  EXPECT_LT(ranks.back(), 126'284'145U);
  EXPECT_NE(ranks, sampleRanks(126'284'145, 10'000, 8));
  EXPECT_EQ(sampleRanks(5, 9, 1), (std::vector<Rank>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(sampleRanks(0, 3, 1).empty());
}

// Every one of the 10 subsets of 2 out of 5 about equally often: chi-square
// with 9 degrees of freedom is below 27.9 in 999 of 1000 fair experiments.
TEST(SampleRanks, isUniform) {
  std::map<std::vector<Rank>, double> seen;
  constexpr int experiments = 20'000;
  for (int seed = 0; seed < experiments; ++seed)
    ++seen[sampleRanks(5, 2, seed)];
  ASSERT_EQ(seen.size(), 10U);
  double chiSquare = 0;
  for (const auto &[subset, times] : seen)
    chiSquare += (times - experiments / 10.0) * (times - experiments / 10.0) /
                 (experiments / 10.0);
  EXPECT_LT(chiSquare, 27.9);
}

// From a separate implementation of SplitMix64, Lemire and Floyd in Python.
TEST(SampleRanks, isTheSameEverywhere) {
  EXPECT_EQ(sampleRanks(1'000'000, 5, 42),
            (std::vector<Rank>{38030, 159909, 278600, 344190, 741561}));
  EXPECT_EQ(sampleRanks(~std::uint64_t(0), 3, 9),
            (std::vector<Rank>{4894335158745139637U, 12587370737594032225U,
                               13847876567842155104U}));
}

} // namespace
} // namespace enumerate
