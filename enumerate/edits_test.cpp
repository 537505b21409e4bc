// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/edits.h"

#include "corpus/program/print.h"
#include "enumerate/neighbours.h"
#include "enumerate/space.h"
#include "enumerate/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

namespace enumerate {
namespace {

std::set<std::string> allBodies(const Program &program) {
  const Edits edits(program);
  std::set<std::string> bodies;
  for (std::uint64_t i = 0; i < edits.count(); ++i) {
    const Program edited = edits.apply(i);
    EXPECT_EQ(corpus::verify(edited), std::nullopt)
        << corpus::printFunction(edited);
    EXPECT_NE(edited, program);
    std::string body;
    for (std::size_t j = 0; j < edited.instructions.size(); ++j)
      body += (j == 0 ? "" : "; ") + corpus::printInstruction(edited, j);
    bodies.insert(body);
  }
  return bodies;
}

/// Of two arguments of that type, which is the result's, too.
Program ofTwoArguments(Opcode opcode, Type type,
                       corpus::Predicate predicate = {}) {
  Program program;
  const Operand a = program.addParameter(type);
  const Operand b = program.addParameter(type);
  program.signature.returnType = type;
  const Operand x = program.append(opcode, type, {a, b}, {}, predicate);
  program.append(Opcode::ret, Type(), {x});
  return program;
}

// By hand, for `%v0 = icmp ult i1 %a, %b; ret i1 %v0`.
TEST(Edits, ofOneComparison) {
  const Program program =
      ofTwoArguments(Opcode::icmp, Type::integer(1), corpus::Predicate::ult);
  const auto bodies = allBodies(program);
  for (const char *expected :
       {"%v0 = icmp ult i1 %b, %a; ret i1 %v0",
        "%v0 = icmp sge i1 %a, %b; ret i1 %v0",
        "%v0 = icmp ult i1 true, %b; ret i1 %v0",
        "%v0 = icmp ult i1 %a, %a; ret i1 %v0",
        "%v0 = icmp ult i1 %a, %b; ret i1 false",
        "%v0 = icmp ult i1 %a, %b; ret i1 %b", "ret i1 %a", "ret i1 true",
        "%v0 = freeze i1 %b; %v1 = icmp ult i1 %a, %v0; ret i1 %v1",
        "%v0 = icmp ult i1 %a, %b; %v1 = xor i1 %v0, true; ret i1 %v1",
        "%v0 = udiv i1 %b, %a; %v1 = icmp ult i1 %v0, %b; ret i1 %v1"})
    EXPECT_TRUE(bodies.count(expected) == 1) << expected;
  // 1 swap, 9 predicates, 3 + 3 operands of icmp and 4 of ret, 3
  // freezes, 4 removals; wrapping: 24 binary opcodes on two sides of the 4
  // candidates (5 at the ret) for three operands.
  EXPECT_EQ(Edits(program).count(),
            1 + 9 + 3 + 3 + 4 + 3 + 4 + 24 * 2 * (4 + 4 + 5));
}

// By hand, for `%v0 = add i4 %a, %b; ret i4 %v0`: nothing is added, and a value
// becomes one of the four constants that `consts=few` has, or the other
// argument.
TEST(Edits, fewOfOneSum) {
  const Edits edits(ofTwoArguments(Opcode::add, Type::integer(4)),
                    Edits::Kinds::few);
  // 1 swap, 3 sets of flags, 23 other opcodes; operands, of add 5 and 5, of ret
  // 6; 6 removals.
  EXPECT_EQ(edits.count(), 1 + 3 + 23 + 5 + 5 + 6 + 6);
  for (std::uint64_t i = 0; i < edits.count(); ++i)
    EXPECT_LE(edits.apply(i).instructions.size(), 2U);
}

TEST(Edits, fewHaveEveryConstantWhereOneStands) {
  const Type i4 = Type::integer(4);
  Program program;
  const Operand a = program.addParameter(i4);
  program.signature.returnType = i4;
  const Operand x =
      program.append(Opcode::add, i4, {a, Operand::constant(i4, 3)});
  program.append(Opcode::ret, Type(), {x});
  const Edits edits(program, Edits::Kinds::few);
  std::set<std::uint64_t> constants = {3};
  for (std::uint64_t i = 0; i < edits.count(); ++i) {
    const Program edited = edits.apply(i);
    if (edited.instructions[0].opcode == Opcode::add &&
        edited.operands[0] == a && edited.operands[1].isLiteral())
      constants.insert(edited.operands[1].payload);
  }
  EXPECT_EQ(constants.size(), 16U);
}

// By hand, for `store i1 %x, %p; %v1 = load i1, %q; ret i1 %v1`.
TEST(Edits, ofAStoreAndALoad) {
  const Type i1 = Type::integer(1);
  Program program;
  const Operand p = program.addParameter(Type::pointer());
  const Operand x = program.addParameter(i1);
  const Operand q = program.addParameter(Type::pointer());
  program.signature.returnType = i1;
  program.append(Opcode::store, Type(), {x, p});
  program.instructions.back().alignment = 2;
  const Operand loaded = program.append(Opcode::load, i1, {q});
  program.instructions.back().alignment = 1;
  program.append(Opcode::ret, Type(), {loaded});
  const auto bodies = allBodies(program);
  for (const char *expected :
       {"store i1 %b, ptr %a, align 1; %v1 = load i1, ptr %c, align 1; ret i1 "
        "%v1",
        "store i1 %b, ptr %a, align 2; %v1 = load i1, ptr %c, align 8; ret i1 "
        "%v1",
        "store i1 %b, ptr %c, align 2; %v1 = load i1, ptr %c, align 1; ret i1 "
        "%v1",
        "store i1 true, ptr %a, align 2; %v1 = load i1, ptr %c, align 1; ret "
        "i1 %v1",
        "%v0 = load i1, ptr %c, align 1; store i1 %b, ptr %a, align 2; ret i1 "
        "%v0",
        "%v0 = load i1, ptr %c, align 1; ret i1 %v0",
        "store i1 %b, ptr null, align 2; %v1 = load i1, ptr %c, align 1; ret "
        "i1 %v1"})
    EXPECT_TRUE(bodies.count(expected) == 1) << expected;
  // 3 + 3 alignments, 1 exchange, 2 operands each for value and both pointers
  // (null, another), 3 for what is returned, 4 freezes, 1 removal of the store
  // and 3 of the load; wrapping: 24 binary opcodes on two sides of 3 candidates
  // for the store and 4 for the ret; every attribute on either pointer; 2
  // promises.
  EXPECT_EQ(Edits(program).count(), 3 + 3 + 1 + 2 + 2 + 2 + 3 + 4 + 1 + 3 +
                                        24 * 2 * (3 + 4) + 2 +
                                        2 * pointerAttributes().size());
}

/// Of a call that LLVM 13 knows, noundef; beside something newer, a range too.
TEST(Edits, promisesOfAnIntrinsic) {
  const Type i4 = Type::integer(4);
  const auto promised = [&](corpus::Flags flags,
                            const corpus::Attributes &now) {
    Program program;
    const Operand a = program.addParameter(i4);
    program.signature.returnType = i4;
    const Operand x = program.append(Opcode::or_, i4, {a, a}, flags);
    const Operand bits = program.append(Opcode::ctpop, i4, {x});
    program.append(Opcode::ret, Type(), {bits});
    if (!now.empty()) {
      program.callAttributes.push_back({{}, now, {}});
      program.instructions[1].attributes = 0;
    }
    std::set<std::string> calls;
    for (const std::string &body : allBodies(program))
      if (body.starts_with("%v0 = or") && body.ends_with("ret i4 %v1") &&
          body.find("@llvm.ctpop.i4(i4 %v0)") != body.npos)
        calls.insert(body.substr(body.find("call ")));
    return calls;
  };
  using testing::Contains;
  using testing::HasSubstr;
  const std::string rest = "i4 @llvm.ctpop.i4(i4 %v0); ret i4 %v1";
  const auto old = promised({}, {});
  EXPECT_THAT(old, Contains("call noundef " + rest));
  EXPECT_THAT(old, testing::Not(Contains(HasSubstr("range"))));
  EXPECT_THAT(promised(corpus::flag::disjoint, {}),
              Contains("call range(i4 1, 0) " + rest));
  EXPECT_THAT(promised({}, {corpus::attribute::noundef}),
              Contains("call " + rest));
}

/// By hand: both operands exchanged; each the other argument, one of 24 binary
/// operators on it and either argument on either side, or frozen; in two places
/// of the mask four other entries; either argument in its place.
TEST(Edits, ofAShuffle) {
  const Type v2i2 = Type::vector(2, Type::integer(2));
  const Type i32 = Type::integer(32);
  corpus::Program program;
  program.signature.returnType = v2i2;
  const Operand a = program.addParameter(v2i2);
  const Operand b = program.addParameter(v2i2);
  const Operand mask =
      program.literal(Type::vector(2, i32),
                      {Operand::constant(i32, 0), Operand::constant(i32, 3)});
  program.append(Opcode::ret, Type(),
                 {program.append(Opcode::shufflevector, v2i2, {a, b, mask})});
  const Edits edits(program);
  EXPECT_EQ(edits.count(), 1 + 2 * (1 + 24 * 2 * 2 + 1) + 2 * 4 + 2 +
                               // what is returned: %a, %b, wrapped, frozen
                               2 + 24 * 2 * 3 + 1);
  EXPECT_THAT(
      allBodies(program),
      testing::Contains("%v0 = shufflevector <2 x i2> %a, <2 x i2> %b, "
                        "<2 x i32> <i32 0, i32 poison>; ret <2 x i2> %v0"));
}

TEST(Edits, newerFlagsOnlyBesideOthers) {
  const auto flagsOf = [](const char *spec) {
    corpus::Flags seen;
    const auto space = parseSpace(spec);
    const Edits edits((*space)->at((*space)->count() - 1));
    for (std::uint64_t i = 0; i < edits.count(); ++i)
      for (const corpus::Instruction &instruction : edits.apply(i).instructions)
        seen = seen | instruction.flags;
    return seen;
  };
  EXPECT_TRUE(flagsOf("i2x1:ops=or").empty());
  EXPECT_TRUE(flagsOf("i2x1:ops=or,modern").has(corpus::flag::disjoint));
}

TEST(Edits, areValidEverywhere) {
  const char *const pointers = "i1x3:mem=p1+p1,graph=loop,args=2,"
                               "ptr=phi+select+icmp+ret,"
                               "attrs=noalias+readonly+dereferenceable";
  for (const char *spec :
       {"v2i2x2:shuffle,insert,index,bitcast,reduce,poison,consts=lanes",
        "i2x2:blocks=3,loops,args=2", "i4x2:modern,minmax,overflow,bits",
        "i1x2:blocks=3,switch,same-target,calls,args=2", "i16x3:consts=few",
        "i1x4:mem=a1+p2,align,gep,lifetime,calls,args=2", pointers}) {
    const auto space = parseSpace(spec);
    ASSERT_TRUE(space) << space.error().message;
    for (corpus::Rank rank : sampleRanks((*space)->count(), 30, 1))
      allBodies((*space)->at(rank));
  }
}

// By hand, for `%v0 = icmp ult i2 %a, %b; ret i1 %v0` in i2x1: itself, nine
// other predicates, %a twice, four constants on either side. Swapped it is the
// same with its arguments renumbered; wrapped or removed it is no member.
TEST(Neighbours, ofOneComparison) {
  Program program;
  const Operand a = program.addParameter(Type::integer(2));
  const Operand b = program.addParameter(Type::integer(2));
  const Operand result = program.append(Opcode::icmp, Type::integer(1), {a, b});
  program.instructions.back().predicate = corpus::Predicate::ult;
  program.signature.returnType = Type::integer(1);
  program.append(Opcode::ret, Type(), {result});
  const auto space = parseSpace("i2x1");
  const std::vector<Rank> ranks = neighbours(**space, program);
  EXPECT_EQ(ranks.size(), 19U);
  EXPECT_EQ((*space)->at(ranks.at(0)), program);
  EXPECT_EQ(std::set<Rank>(ranks.begin(), ranks.end()).size(), 19U);
  for (const Rank rank : ranks)
    EXPECT_EQ((*space)->at(rank).instructions[0].opcode, Opcode::icmp);
}

} // namespace
} // namespace enumerate
