// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text facts come from LangRef; that LLVM itself reads this text back to the
// same Program is tested in runner/llvm.
#include "corpus/program/program.h"

#include "corpus/program/encode.h"
#include "corpus/program/print.h"

#include <gtest/gtest.h>
#include <random>

namespace corpus {
namespace {

const Type i1 = Type::integer(1);
const Type i4 = Type::integer(4);

/// add nsw, a compare, and a select that uses both.
Program straightLine() {
  Program program;
  program.signature.returnType = i4;
  const Operand a = program.addParameter(i4);
  const Operand c = program.addParameter(i1);
  const Operand sum = program.append(
      Opcode::add, i4, {a, Operand::constant(i4, 15)}, flag::nuw | flag::nsw);
  const Operand less =
      program.append(Opcode::icmp, i1, {sum, a}, {}, Predicate::slt);
  const Operand both = program.append(Opcode::and_, i1, {less, c});
  const Operand chosen = program.append(Opcode::select, i4, {both, sum, a});
  program.append(Opcode::ret, Type(), {chosen});
  return program;
}

/// A counted loop with a call, a switch and every kind of attribute.
Program branching() {
  Program program;
  program.signature.returnType = i4;
  program.signature.result = {attribute::noundef | attribute::range, 14, 3};
  program.signature.function.bits = attribute::willreturn;
  program.callees.push_back({"use", {}});
  program.callees[0].signature.parameters.push_back(
      {i4, {attribute::noundef, 0, 0}});
  const Operand n = program.addParameter(i4, {attribute::range, 0, 5});
  program.append(Opcode::br, Type(), {Operand::block(1)});
  program.beginBlock();
  const Operand next = Operand::instruction(i4, 3);
  const Operand i = program.append(
      Opcode::phi, i4,
      {Operand::constant(i4, 0), Operand::block(0), next, Operand::block(1)});
  program.append(Opcode::call, Type(), {i});
  program.append(Opcode::add, i4, {i, Operand::constant(i4, 1)});
  program.append(Opcode::switch_, Type(),
                 {next, Operand::block(1), Operand::constant(i4, 8),
                  Operand::block(2), Operand::constant(i4, 3),
                  Operand::block(3)});
  program.beginBlock();
  program.callAttributes.push_back({{}, {attribute::range, 0, 5}, {}});
  const Operand bits = program.append(Opcode::ctpop, i4, {n});
  program.instructions.back().attributes = 0;
  program.append(Opcode::ret, Type(), {bits});
  program.beginBlock();
  program.append(Opcode::unreachable, Type(), {});
  return program;
}

TEST(Program, PrintsWhatLangRefSays) {
  EXPECT_EQ(printModule(straightLine()),
            "define i4 @f(i4 %a, i1 %b) {\n"
            "  %v0 = add nuw nsw i4 %a, -1\n"
            "  %v1 = icmp slt i4 %v0, %a\n"
            "  %v2 = and i1 %v1, %b\n"
            "  %v3 = select i1 %v2, i4 %v0, i4 %a\n"
            "  ret i4 %v3\n"
            "}\n");
  EXPECT_EQ(printModule(branching(), "g"),
            "declare void @use(i4 noundef)\n"
            "declare i4 @llvm.ctpop.i4(i4)\n"
            "\n"
            "define noundef range(i4 -2, 3) i4 @g(i4 range(i4 0, 5) %a)"
            " willreturn {\n"
            "entry:\n"
            "  br label %b1\n"
            "b1:\n"
            "  %v1 = phi i4 [ 0, %entry ], [ %v3, %b1 ]\n"
            "  call void @use(i4 %v1)\n"
            "  %v3 = add i4 %v1, 1\n"
            "  switch i4 %v3, label %b1 [ i4 -8, label %b2 i4 3, label %b3 ]\n"
            "b2:\n"
            "  %v5 = call range(i4 0, 5) i4 @llvm.ctpop.i4(i4 %a)\n"
            "  ret i4 %v5\n"
            "b3:\n"
            "  unreachable\n"
            "}\n");
}

TEST(Program, VerifierAcceptsGoodPrograms) {
  EXPECT_EQ(verify(straightLine()), std::nullopt);
  EXPECT_EQ(verify(branching()), std::nullopt);
}

/// Each mutation breaks one invariant.
TEST(Program, VerifierRejectsBrokenPrograms) {
  using Mutation = void (*)(Program &);
  const Mutation mutations[] = {
      [](Program &p) { p.blocks.clear(); },
      [](Program &p) { p.blocks[0].end--; },
      [](Program &p) { p.operands[0].payload = 7; },
      [](Program &p) { p.operands[1].payload = 16; },
      [](Program &p) { p.operands[0].type = i1; },
      [](Program &p) { p.operands[2] = Operand::instruction(i4, 3); },
      [](Program &p) { p.instructions[0].flags = flag::exact; },
      [](Program &p) { p.instructions[0].predicate = Predicate::ult; },
      [](Program &p) { p.instructions[0].operandCount = 1; },
      [](Program &p) { p.instructions[0].type = i1; },
      [](Program &p) { p.instructions[0].attributes = 0; },
      [](Program &p) { p.instructions[3].opcode = Opcode::ret; },
      [](Program &p) { p.signature.returnType = i1; },
      [](Program &p) { p.operands.push_back(p.operands[0]); },
      [](Program &p) { p.signature.result.bits = attribute::willreturn; },
      [](Program &p) { p.signature.result.rangeLow = 1; },
  };
  for (std::size_t i = 0; i < std::size(mutations); ++i) {
    Program program = straightLine();
    mutations[i](program);
    EXPECT_NE(verify(program), std::nullopt) << "mutation " << i;
  }
  const Mutation branchMutations[] = {
      [](Program &p) { p.operands[0] = Operand::block(0); },
      [](Program &p) { p.operands[2] = Operand::block(2); },
      [](Program &p) { p.operands[1] = Operand::instruction(i4, 3); },
      [](Program &p) { p.operands[0] = Operand::block(2); },
      [](Program &p) { p.operands.end()[-3].payload = 8; },
      [](Program &p) { p.instructions[2].callee = 1; },
      [](Program &p) { p.callAttributes.clear(); },
  };
  for (std::size_t i = 0; i < std::size(branchMutations); ++i) {
    Program program = branching();
    branchMutations[i](program);
    EXPECT_NE(verify(program), std::nullopt) << "branch mutation " << i;
  }
}

TEST(Program, EncodingRoundTrips) {
  for (const Program &program : {straightLine(), branching()}) {
    const auto decoded = decode(encode(program));
    ASSERT_TRUE(decoded);
    EXPECT_EQ(*decoded, program);
    EXPECT_EQ(hash(*decoded), hash(program));
  }
  EXPECT_NE(hash(straightLine()), hash(branching()));
}

TEST(Program, EncodingSeesEveryField) {
  const Bytes original = encode(branching());
  const std::vector<Program> variants = [] {
    std::vector<Program> programs(6, branching());
    programs[0].signature.result.rangeHigh = 4;
    programs[1].callees[0].name = "other";
    programs[2].instructions[3].flags = flag::nsw;
    programs[3].callAttributes[0].result.rangeLow = 1;
    programs[4].signature.function.bits |= attribute::nounwind;
    programs[5].instructions[5].attributes = Instruction::noAttributes;
    return programs;
  }();
  for (const Program &program : variants)
    EXPECT_NE(encode(program), original);
}

/// Bytes from outside never crash decode(), and what it accepts is canonical.
TEST(Program, DecodeRefusesGarbage) {
  const Bytes original = encode(branching());
  std::mt19937 random(1);
  std::size_t accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    Bytes bytes = original;
    bytes.resize(random() % (bytes.size() + 1));
    for (int change = 0; change < 3 && !bytes.empty(); ++change)
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    if (const auto program = decode(bytes)) {
      ++accepted;
      EXPECT_EQ(verify(*program), std::nullopt);
    }
  }
  EXPECT_LT(accepted, 2000U);
  for (std::size_t size = 0; size < original.size(); ++size)
    EXPECT_FALSE(decode(std::span(original).first(size)));
}

TEST(Digest, AddsModulo128Bits) {
  Digest digest{~std::uint64_t(0), 5};
  digest += Digest{1, 1};
  EXPECT_EQ(digest, (Digest{0, 7}));
  EXPECT_EQ(toString(digest), "00000000000000070000000000000000");
  const auto parsed = parseDigest(toString(digest));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(*parsed, digest);
  EXPECT_FALSE(parseDigest("12"));
}

TEST(Opcode, FlagsArriveWithTheirRelease) {
  // Release notes: disjoint, nneg 18; trunc nuw/nsw 19; samesign 20.
  EXPECT_EQ(flagsSince(Opcode::add, flag::nuw | flag::nsw), 13U);
  EXPECT_EQ(flagsSince(Opcode::or_, flag::disjoint), 18U);
  EXPECT_EQ(flagsSince(Opcode::zext, flag::nneg), 18U);
  EXPECT_EQ(flagsSince(Opcode::trunc, flag::nsw), 19U);
  EXPECT_EQ(flagsSince(Opcode::icmp, flag::samesign), 20U);
  EXPECT_EQ(flagsSince(Opcode::scmp, flag::none), 19U);
  for (const OpcodeInfo &row : opcodeTable())
    EXPECT_EQ(findOpcode(row.spelling), row.opcode);
}

} // namespace
} // namespace corpus
