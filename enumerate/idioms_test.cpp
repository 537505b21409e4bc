// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What counts as one instruction and is more: idioms, and recurrences.
#include "enumerate/idioms.h"

#include "corpus/program/encode.h"
#include "corpus/program/print.h"
#include "enumerate/expression.h"
#include "enumerate/parsed_space.h"
#include "enumerate/space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

using corpus::Program;
using corpus::Type;

namespace enumerate {
namespace {

TEST(Idioms, everyoneIsAFunctionOfEveryType) {
  for (const Type type :
       {Type::integer(2), Type::integer(3), Type::integer(64),
        Type::vector(2, Type::integer(2)), Type::vector(4, Type::integer(3))})
    for (const IdiomInfo &idiom : idiomTable()) {
      const Program function = makeFunction(idiom.text, type);
      EXPECT_EQ(corpus::verify(function), std::nullopt) << idiom.text;
      EXPECT_EQ(numberByDecision(function), function) << idiom.text;
      const auto decoded = corpus::decode(corpus::encode(function));
      ASSERT_TRUE(decoded) << idiom.text << ": " << decoded.error().message;
      EXPECT_EQ(*decoded, function) << idiom.text;
    }
}

void expectWalk(std::string_view spec, Rank first, Rank stride) {
  const auto members = space(spec);
  ASSERT_NE(members, nullptr);
  auto cursor = members->from(first);
  std::map<std::string, Rank> firstOf;
  for (Rank rank = first; rank < members->count(); rank += stride) {
    const Program program = members->at(rank);
    ASSERT_EQ(corpus::verify(program), std::nullopt)
        << members->nameOf(rank) << corpus::printFunction(program);
    const auto lowest = members->rank(program);
    ASSERT_TRUE(lowest) << members->nameOf(rank)
                        << members->whyNotMember(program)
                        << corpus::printFunction(program);
    EXPECT_LE(*lowest, rank);
    EXPECT_EQ(members->at(*lowest), program) << members->nameOf(rank);
    if (stride == 1) {
      ASSERT_FALSE(cursor->atEnd());
      EXPECT_EQ(cursor->program(), program) << members->nameOf(rank);
      cursor->next();
      const auto seen =
          firstOf.emplace(corpus::printFunction(program), rank).first;
      EXPECT_EQ(*lowest, seen->second) << members->nameOf(rank);
    }
  }
}

TEST(Idioms, lowestRankOfEachIsFound) {
  expectWalk("i3x1:idioms", 0, 1);
  expectWalk("i2x2:idioms,args=1,consts=none", 0, 1);
  expectWalk("i3x3:idioms,args=2,consts=few", 12345, 9'999'991);
  expectWalk("i8x2:mem=a1+p1,idioms,consts=none,args=1", 0, 997);
  expectWalk("v2i2x1:idioms,consts=holes", 0, 1);
  expectWalk("v2i2x3:idioms,consts=lanes,args=2", 54321, 99'999'999'989);
  expectWalk("i2x2:idioms,graph=if,args=2,consts=two", 777, 9'973);
  expectWalk("i2x2:conditions,masks,args=1,consts=none", 0, 1);
  expectWalk("i3x3:ops=and+icmp+select,conditions,args=2,consts=none", 4321,
             99'991);
}

/// The instructions of such an idiom, by hand: the lowest bit that is set.
TEST(Idioms, standInFunctionsAsTheyAreWritten) {
  const auto members = space("i4x1:idioms,args=1,consts=none");
  ASSERT_NE(members, nullptr);
  std::set<std::string> texts;
  for (auto cursor = members->from(0); !cursor->atEnd(); cursor->next())
    texts.insert(corpus::printFunction(cursor->program()));
  EXPECT_THAT(texts, testing::Contains("define i4 @f(i4 %a) {\n"
                                       "  %v0 = sub i4 0, %a\n"
                                       "  %v1 = and i4 %a, %v0\n"
                                       "  ret i4 %v1\n"
                                       "}\n"));
  EXPECT_THAT(texts, testing::Contains(testing::HasSubstr(
                         "  %v0 = call i4 @llvm.ctlz.i4(i4 %a, i1 true)\n"
                         "  %v1 = xor i4 %v0, 3\n")));
}

TEST(Recurrences, lowestRankOfEachIsFound) {
  expectWalk("i2x1:recurrences,graph=loop,args=2", 0, 1);
  expectWalk("i2x2:ops=sub+phi,recurrences,graph=loop,args=1,consts=none", 0,
             1);
  expectWalk("i1x2:recurrences,graph=nested,args=1,consts=two", 0, 997);
  expectWalk("i2x2:recurrences,blocks=3,loops,args=1,consts=none", 0, 2'111);
  expectWalk("i2x3:recurrences,modern,graph=while,args=2,consts=two", 4321,
             99'999'989);
}

using Blocks = std::set<std::size_t>;

/// Which blocks are reached from the entry by a way around `without`.
Blocks reached(const Program &program, std::size_t without) {
  Blocks blocks;
  std::vector<std::size_t> open = {0};
  while (!open.empty()) {
    const std::size_t block = open.back();
    open.pop_back();
    if (block == without || !blocks.insert(block).second)
      continue;
    const auto &exit = program.instructions[program.blocks[block].end - 1];
    for (const corpus::Operand &operand : program.operandsOf(exit))
      if (operand.is(corpus::Operand::Kind::block))
        open.push_back(operand.payload);
  }
  return blocks;
}

/// Whether `block` begins with a recurrence, as SCEV would say it: the value of
/// the phi on all edges back is the next instruction, which takes the phi (as
/// its first operand where that is no matter), and something else takes one of
/// the two.
bool beginsWithRecurrence(const Program &program, std::size_t block) {
  const auto is = [](const corpus::Operand &operand, std::size_t instruction) {
    return operand.is(corpus::Operand::Kind::instruction) &&
           operand.payload == instruction;
  };
  const std::size_t first = program.blocks[block].begin;
  if (program.instructions[first].opcode != corpus::Opcode::phi)
    return false;
  const auto &next = program.instructions[first + 1];
  const auto step = program.operandsOf(next);
  if (step.size() != 2 || is(step[0], first) == is(step[1], first) ||
      (next.opcode != corpus::Opcode::sub && !is(step[0], first)))
    return false;
  const Blocks around = reached(program, block);
  const auto incoming = program.operandsOf(program.instructions[first]);
  bool hasBack = false;
  for (std::size_t i = 0; i < incoming.size(); i += 2) {
    const bool isBack = !around.contains(incoming[i + 1].payload);
    if (isBack && !is(incoming[i], first + 1))
      return false;
    hasBack |= isBack;
  }
  bool isUsed = false;
  for (std::size_t i = 0; i < program.instructions.size(); ++i)
    for (const auto &operand : program.operandsOf(program.instructions[i]))
      isUsed |= i != first && i != first + 1 &&
                (is(operand, first) || is(operand, first + 1));
  return hasBack && isUsed;
}

/// One recurrence is two instructions that are one.
TEST(Recurrences, areThoseOfTwoInstructions) {
  for (const std::string rest :
       {"graph=loop,args=2,consts=two", "graph=while,args=2,consts=none",
        "blocks=3,loops,args=2,consts=two", "blocks=4,loops,args=2,consts=none",
        "graph=nested,args=2,consts=none"}) {
    std::set<std::string> expected;
    std::set<std::string> found;
    const auto read = [&](std::string_view spec, auto &texts,
                          const auto &isWanted) {
      const auto members = space(spec);
      ASSERT_NE(members, nullptr) << spec;
      for (auto cursor = members->from(0); !cursor->atEnd(); cursor->next())
        if (isWanted(cursor->program()))
          texts.insert(corpus::printFunction(cursor->program()));
    };
    const auto any = [](const Program &) { return true; };
    read("i2x1:ops=sub+xor," + rest, expected, any);
    const std::size_t others = expected.size();
    read("i2x2:ops=sub+xor+phi," + rest, expected, [](const Program &program) {
      for (std::size_t block = 0; block < program.blocks.size(); ++block)
        if (beginsWithRecurrence(program, block))
          return true;
      return false;
    });
    EXPECT_GT(expected.size(), others) << rest;
    read("i2x1:ops=sub+xor,recurrences," + rest, found, any);
    EXPECT_EQ(found, expected) << rest;
  }
}

TEST(Recurrences, areRefusedWhereThereAreNone) {
  for (const auto &[spec, word] :
       {std::pair("i2x2:recurrences", "it is of loops"),
        std::pair("i2x2:recurrences,blocks=3", "it is of loops"),
        std::pair("i2x2:recurrences,graph=diamond", "it is of loops"),
        std::pair("i2x2:recurrences,graph=loop,symmetry=full",
                  "symmetry=args")}) {
    const auto result = parseSpace(spec);
    ASSERT_FALSE(result) << spec;
    EXPECT_THAT(result.error().message, testing::HasSubstr(word));
  }
}

TEST(Idioms, areRefusedWhereThereAreNone) {
  for (const auto &[spec, word] :
       {std::pair("i1x2:idioms", "i2 or wider"),
        std::pair("i2x2:idioms,symmetry=full", "symmetry=args")}) {
    const auto result = parseSpace(spec);
    ASSERT_FALSE(result) << spec;
    EXPECT_THAT(result.error().message, testing::HasSubstr(word));
  }
}

} // namespace
} // namespace enumerate
