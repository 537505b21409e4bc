// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors retyped, against functions written by hand.
#include "corpus/program/retype.h"

#include "corpus/program/print.h"
#include "corpus/program/target.h"

#include <gtest/gtest.h>

namespace corpus {
namespace {

const Type i8 = Type::integer(8);
const Type v4i8 = Type::vector(4, i8);

Operand mask(Program &program, const std::vector<int> &entries) {
  const Type i32 = Type::integer(32);
  std::vector<Operand> lanes;
  lanes.reserve(entries.size());
  for (const int entry : entries)
    lanes.push_back(entry < 0 ? Operand::poison(i32)
                              : Operand::constant(i32, entry));
  const auto count = static_cast<unsigned>(lanes.size());
  return program.literal(Type::vector(count, i32), std::move(lanes));
}

/// Of a shuffle, a constant with a poison lane, an index and a sum of lanes.
Program withLanes() {
  Program program;
  program.signature.returnType = i8;
  const Operand a = program.addParameter(v4i8);
  const Operand b = program.addParameter(v4i8);
  const Operand entries = mask(program, {3, 6, -1, 1});
  const Operand shuffled =
      program.append(Opcode::shufflevector, v4i8, {a, b, entries});
  const Operand constant = program.literal(
      v4i8, {Operand::constant(i8, 3), Operand::poison(i8),
             Operand::constant(i8, 1), Operand::constant(i8, 1)});
  const Operand sum = program.append(Opcode::add, v4i8, {shuffled, constant});
  const Operand inserted = program.append(
      Opcode::insertelement, v4i8,
      {sum, Operand::constant(i8, 1), Operand::constant(Type::integer(32), 3)});
  const Operand total = program.append(Opcode::reduceAdd, i8, {inserted});
  program.append(Opcode::ret, Type(), {total});
  return program;
}

std::string text(const std::optional<Program> &program) {
  return program ? printFunction(*program) : "nothing";
}

TEST(Retype, LanesOfAllThatBelongsTogether) {
  EXPECT_EQ(mainLanes(withLanes()), 4U);
  EXPECT_EQ(text(atLanes(withLanes(), 2)),
            "define i8 @f(<2 x i8> %a, <2 x i8> %b) {\n"
            "  %v0 = shufflevector <2 x i8> %a, <2 x i8> %b, "
            "<2 x i32> <i32 1, i32 2>\n"
            "  %v1 = add <2 x i8> %v0, <i8 3, i8 poison>\n"
            "  %v2 = insertelement <2 x i8> %v1, i8 1, i32 1\n"
            "  %v3 = call i8 @llvm.vector.reduce.add.v2i8(<2 x i8> %v2)\n"
            "  ret i8 %v3\n"
            "}\n");
  EXPECT_EQ(atLanes(withLanes(), 4), withLanes());
}

TEST(Retype, ScalarsInThePlaceOfLanes) {
  EXPECT_EQ(text(onScalars(withLanes())), "define i8 @f(i8 %a, i8 %b) {\n"
                                          "  %v0 = add i8 %a, 3\n"
                                          "  ret i8 1\n"
                                          "}\n");
}

TEST(Retype, AnIntegerThatHoldsTheLanes) {
  Program program;
  program.signature.returnType = Type::integer(32);
  const Operand a = program.addParameter(v4i8);
  const Operand whole = program.append(Opcode::bitcast, Type::integer(32), {a});
  program.append(Opcode::ret, Type(), {whole});
  EXPECT_EQ(text(atLanes(program, 3)), "define i24 @f(<3 x i8> %a) {\n"
                                       "  %v0 = bitcast <3 x i8> %a to i24\n"
                                       "  ret i24 %v0\n"
                                       "}\n");
  EXPECT_EQ(atLanes(program, 9), std::nullopt) << "i72";
  EXPECT_EQ(onScalars(program), std::nullopt);
}

/// An index keeps its type, and one that names no lane names none then.
TEST(Retype, IndicesBehindTheLastLane) {
  Program program;
  program.signature.returnType = i8;
  const Operand a = program.addParameter(v4i8);
  const Operand lane = program.append(
      Opcode::extractelement, i8, {a, Operand::constant(Type::integer(3), 5)});
  program.append(Opcode::ret, Type(), {lane});
  EXPECT_EQ(text(atLanes(program, 2)),
            "define i8 @f(<2 x i8> %a) {\n"
            "  %v0 = extractelement <2 x i8> %a, i3 3\n"
            "  ret i8 %v0\n"
            "}\n");
  EXPECT_EQ(atLanes(program, 8), std::nullopt) << "no i3 names lane 9";
  EXPECT_EQ(onScalars(program), std::nullopt);
  EXPECT_EQ(text(atWidth(program, 2, ConstantRule::signedValue)),
            "define i2 @f(<4 x i2> %a) {\n"
            "  %v0 = extractelement <4 x i2> %a, i3 -3\n"
            "  ret i2 %v0\n"
            "}\n");
}

TEST(Retype, WidthOfLanes) {
  EXPECT_EQ(mainWidth(withLanes()), 8U);
  EXPECT_EQ(text(atWidth(withLanes(), 3, ConstantRule::signedValue)),
            "define i3 @f(<4 x i3> %a, <4 x i3> %b) {\n"
            "  %v0 = shufflevector <4 x i3> %a, <4 x i3> %b, "
            "<4 x i32> <i32 3, i32 6, i32 poison, i32 1>\n"
            "  %v1 = add <4 x i3> %v0, <i3 3, i3 poison, i3 1, i3 1>\n"
            "  %v2 = insertelement <4 x i3> %v1, i3 1, i32 3\n"
            "  %v3 = call i3 @llvm.vector.reduce.add.v4i3(<4 x i3> %v2)\n"
            "  ret i3 %v3\n"
            "}\n");
}

/// An intrinsic of a target has the types of its instruction.
TEST(Retype, LeavesIntrinsicsOfTargets) {
  const TargetIntrinsic *intrinsic = targetIntrinsic("llvm.x86.sse2.pmadd.wd");
  const Type v8i16 = Type::vector(8, Type::integer(16));
  const Type v4i32 = Type::vector(4, Type::integer(32));
  Program program;
  program.callees = {intrinsic->callee};
  program.signature.returnType = v4i32;
  const Operand a = program.addParameter(v8i16);
  const Operand b = program.addParameter(v4i32);
  const Operand sum = program.append(Opcode::call, v4i32, {a, a});
  program.append(Opcode::ret, Type(),
                 {program.append(Opcode::add, v4i32, {sum, b})});
  ASSERT_EQ(verify(program), std::nullopt);
  EXPECT_EQ(text(atLanes(program, 2)), "nothing");
  program.callees[0].signature.returnType = Type::vector(2, Type::integer(32));
  EXPECT_NE(verify(program), std::nullopt);
}

} // namespace
} // namespace corpus
