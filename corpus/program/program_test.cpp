// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text facts come from LangRef; that LLVM itself reads this text back to the
// same Program is tested in runner/llvm.
#include "corpus/program/program.h"

#include "corpus/program/encode.h"
#include "corpus/program/print.h"
#include "corpus/program/random_program.h"

#include <array>
#include <bit>
#include <gtest/gtest.h>
#include <random>
#include <set>

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
      [](Program &p) {
        p.signature.result.values.push_back({attribute::range, 1, 0});
      },
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

TEST(Program, EncodingOfLongFunctionsRoundTrips) {
  const Type i8 = Type::integer(8);
  Program program;
  program.signature.returnType = i8;
  Operand value = program.addParameter(i8);
  program.callees.push_back({std::string(3000, 'f'), {}});
  for (unsigned i = 0; i < 1000; ++i)
    value = program.append(Opcode::add, i8, {value, Operand::constant(i8, i)});
  Instruction call;
  call.opcode = Opcode::call;
  program.append(call, {});
  program.append(Opcode::ret, Type(), {value});
  ASSERT_EQ(verify(program), std::nullopt);
  Bytes bytes = {7};
  encode(program, bytes);
  EXPECT_EQ(bytes.front(), 7);
  bytes.erase(bytes.begin());
  EXPECT_EQ(bytes, encode(program));
  const auto decoded = decode(bytes);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, program);
}

TEST(Program, EncodingSeesEveryField) {
  const Bytes original = encode(branching());
  const std::vector<Program> variants = [] {
    std::vector<Program> programs(6, branching());
    programs[0].signature.result.add(attribute::range, 14, 4);
    programs[1].callees[0].name = "other";
    programs[2].instructions[3].flags = flag::nsw;
    programs[3].callAttributes[0].result.add(attribute::range, 1, 5);
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

/// Ids are part of the disk format: these stay as they are.
TEST(Type, IdsStay) {
  EXPECT_EQ(Type().id(), 0U);
  for (unsigned width = 1; width <= 64; ++width) {
    EXPECT_EQ(Type::integer(width).id(), width);
    EXPECT_EQ(Type::overflowPair(width).id(), 64 + width);
  }
  EXPECT_EQ(Type::pointer().id(), 1U << 14);
  EXPECT_EQ(Type::vector(2, i4).id(), 2U << 7 | 4);
  EXPECT_EQ(Type::vector(64, Type::pointer()).id(), 1U << 14 | 64U << 7);
  EXPECT_EQ(Type::structure(i4, i4).id(), 1U << 30 | 4U << 15 | 4);
  EXPECT_EQ(Type::array(3, i4).id(), 2U << 30 | 3U << 15 | 4);
}

TEST(Type, SaysWhatItIs) {
  const Type v2i4 = Type::vector(2, i4);
  const Type v2p = Type::vector(2, Type::pointer());
  const Type pair = Type::overflowPair(v2i4);
  const Type array = Type::array(3, v2i4);
  EXPECT_EQ(toString(v2i4), "<2 x i4>");
  EXPECT_EQ(toString(v2p), "<2 x ptr>");
  EXPECT_EQ(toString(pair), "{ <2 x i4>, <2 x i1> }");
  EXPECT_EQ(toString(Type::overflowPair(4)), "{ i4, i1 }");
  EXPECT_EQ(toString(Type::structure(Type::pointer(), i4)), "{ ptr, i4 }");
  EXPECT_EQ(toString(array), "[3 x <2 x i4>]");
  EXPECT_EQ(array.lanes(), 6U);
  EXPECT_EQ(array.bits(), 24U);
  EXPECT_EQ(v2p.bits(), 128U);
  EXPECT_EQ(pair.bits(), 10U);
  EXPECT_EQ(pair.lanes(), 4U);
  EXPECT_EQ(pair.lane(1), i4);
  EXPECT_EQ(pair.lane(2), i1);
  EXPECT_EQ(Type::overflowPair(4).lane(1), i1);
  EXPECT_EQ(Type::structure(i4, i1), Type::overflowPair(4));
  EXPECT_EQ(mapIntegers(array, [](Type) { return Type::integer(8); }),
            Type::array(3, Type::vector(2, Type::integer(8))));
  EXPECT_TRUE(v2p.isVector() && !v2p.isPointer() && !v2p.isAggregate());
  EXPECT_TRUE(Type::pointer().isScalar() && !Type::pointer().isInteger());
}

/// Of all numbers below 2^21 and many others just those are types that the
/// constructors make.
TEST(Type, KnownIdsAreThoseOfTypes) {
  std::set<std::uint32_t> made = {0};
  std::vector<Type> singles = {Type::pointer()};
  for (unsigned width = 1; width <= 64; ++width)
    singles.push_back(Type::integer(width));
  for (std::size_t i = 0, scalars = singles.size(); i < scalars; ++i)
    for (unsigned lanes = 1; lanes <= 64; ++lanes)
      singles.push_back(Type::vector(lanes, singles[i]));
  for (const Type type : singles) {
    EXPECT_TRUE(type.isSingle() && !type.isAggregate());
    made.insert(type.id());
  }
  for (unsigned width = 1; width <= 64; ++width)
    made.insert(Type::overflowPair(width).id());
  for (std::uint32_t id = 0; id < 1U << 21; ++id)
    EXPECT_EQ(Type::fromId(id).isKnown(), made.contains(id)) << id;
  std::mt19937 random(1);
  for (int i = 0; i < 100000; ++i) {
    const Type type = Type::fromId(static_cast<std::uint32_t>(random()));
    if (!type.isKnown() || type.isSingle() || type.isVoid())
      continue;
    EXPECT_EQ(type.isArray()
                  ? Type::array(type.elements(), type.element(0))
                  : Type::structure(type.element(0), type.element(1)),
              type);
  }
}

/// What a vector function looks like in LangRef's words.
Program vectorLine() {
  const Type v2i4 = Type::vector(2, i4);
  Program program;
  program.signature.returnType = v2i4;
  const Operand a = program.addParameter(v2i4);
  const Operand p =
      program.addParameter(Type::pointer(), {attribute::align, 8});
  const Operand sum = program.append(
      Opcode::add, v2i4,
      {a,
       program.literal(v2i4, {Operand::constant(i4, 15), Operand::poison(i4)})},
      flag::nsw);
  const Operand low = program.append(Opcode::umin, v2i4, {sum, a});
  const Operand isNull =
      program.append(Opcode::icmp, i1, {p, Operand::null()}, {}, Predicate::eq);
  const Operand chosen = program.append(Opcode::select, v2i4, {isNull, low, a});
  const Operand both = program.append(Opcode::saddOverflow,
                                      Type::overflowPair(v2i4), {chosen, a});
  const Operand frozen = program.append(Opcode::freeze, both.type, {both});
  const Operand first =
      program.append(Opcode::extractvalue, v2i4,
                     {frozen, Operand::constant(Type::integer(32), 0)});
  program.append(Opcode::ret, Type(), {first});
  return program;
}

TEST(Program, HoldsVectorsAndPointers) {
  const Program program = vectorLine();
  ASSERT_EQ(verify(program), std::nullopt);
  EXPECT_EQ(printModule(program),
            "declare <2 x i4> @llvm.umin.v2i4(<2 x i4>, <2 x i4>)\n"
            "declare { <2 x i4>, <2 x i1> } "
            "@llvm.sadd.with.overflow.v2i4(<2 x i4>, <2 x i4>)\n"
            "\n"
            "define <2 x i4> @f(<2 x i4> %a, ptr align 8 %b) {\n"
            "  %v0 = add nsw <2 x i4> %a, <i4 -1, i4 poison>\n"
            "  %v1 = call <2 x i4> @llvm.umin.v2i4(<2 x i4> %v0, <2 x i4> %a)\n"
            "  %v2 = icmp eq ptr %b, null\n"
            "  %v3 = select i1 %v2, <2 x i4> %v1, <2 x i4> %a\n"
            "  %v4 = call { <2 x i4>, <2 x i1> } "
            "@llvm.sadd.with.overflow.v2i4(<2 x i4> %v3, <2 x i4> %a)\n"
            "  %v5 = freeze { <2 x i4>, <2 x i1> } %v4\n"
            "  %v6 = extractvalue { <2 x i4>, <2 x i1> } %v5, 0\n"
            "  ret <2 x i4> %v6\n"
            "}\n");
  const auto decoded = decode(encode(program));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, program);

  using Mutation = void (*)(Program &);
  const Mutation mutations[] = {
      [](Program &p) { p.constants.clear(); },
      [](Program &p) { p.constants.push_back(p.constants[0]); },
      [](Program &p) { p.constants[0].lanes.pop_back(); },
      [](Program &p) { p.constants[0].lanes[0].payload = 16; },
      [](Program &p) { p.constants[0].lanes[0] = Operand::poison(i4); },
      [](Program &p) { p.constants[0].lanes[1].type = i1; },
      [](Program &p) { p.operands[1].payload = 1; },
      [](Program &p) { p.operands[5].payload = 1; },
      [](Program &p) { p.instructions[0].alignment = 1; },
      [](Program &p) { p.instructions[0].accessedType = i4; },
      [](Program &p) { p.instructions[2].flags = flag::samesign; },
      [](Program &p) { p.instructions[2].type = Type::vector(2, i1); },
      [](Program &p) { p.instructions[4].type = Type::structure(i4, i4); },
      [](Program &p) { p.signature.parameters[0].attributes = {1U << 8}; },
      [](Program &p) {
        p.signature.parameters[1].attributes = {1U << 9, 3};
      },
  };
  for (std::size_t i = 0; i < std::size(mutations); ++i) {
    Program broken = program;
    mutations[i](broken);
    EXPECT_NE(verify(broken), std::nullopt) << "mutation " << i;
  }
}

/// Every way to move lanes, as LangRef writes it.
Program laneLine() {
  const Type i2 = Type::integer(2);
  const Type i32 = Type::integer(32);
  const Type i64 = Type::integer(64);
  const Type v3 = Type::vector(3, i2);
  const Type v2 = Type::vector(2, i2);
  const Type pair = Type::structure(v2, i2);
  Program program;
  const Operand a = program.addParameter(v3);
  const Operand b = program.addParameter(i4);
  const Operand lane = program.append(Opcode::extractelement, i2, {a, b});
  const Operand with = program.append(Opcode::insertelement, v3,
                                      {a, lane, Operand::constant(i32, 1)});
  const Operand mask = program.literal(
      Type::vector(2, i32), {Operand::constant(i32, 5), Operand::poison(i32)});
  const Operand shuffled =
      program.append(Opcode::shufflevector, v2, {a, with, mask});
  program.append(Opcode::bitcast, Type::vector(2, Type::integer(3)), {a});
  const Operand sum = program.append(Opcode::reduceUmax, i2, {shuffled});
  const Operand part =
      program.append(Opcode::vectorExtract, Type::vector(1, i2),
                     {a, Operand::constant(i64, 2)});
  const Operand whole = program.append(
      Opcode::vectorInsert, v2, {shuffled, part, Operand::constant(i64, 1)});
  const Operand made =
      program.append(Opcode::insertvalue, pair,
                     {Operand::poison(pair), whole, Operand::constant(i32, 0)});
  const Operand both = program.append(Opcode::insertvalue, pair,
                                      {made, sum, Operand::constant(i32, 1)});
  program.signature.returnType = pair;
  program.append(Opcode::ret, Type(), {both});
  return program;
}

TEST(Program, MovesLanes) {
  const Program program = laneLine();
  ASSERT_EQ(verify(program), std::nullopt);
  EXPECT_EQ(
      printModule(program),
      "declare i2 @llvm.vector.reduce.umax.v2i2(<2 x i2>)\n"
      "declare <1 x i2> @llvm.vector.extract.v1i2.v3i2(<3 x i2>, i64 immarg)\n"
      "declare <2 x i2> @llvm.vector.insert.v2i2.v1i2(<2 x i2>, <1 x i2>, i64 "
      "immarg)\n"
      "\n"
      "define { <2 x i2>, i2 } @f(<3 x i2> %a, i4 %b) {\n"
      "  %v0 = extractelement <3 x i2> %a, i4 %b\n"
      "  %v1 = insertelement <3 x i2> %a, i2 %v0, i32 1\n"
      "  %v2 = shufflevector <3 x i2> %a, <3 x i2> %v1, <2 x i32> <i32 5, i32 "
      "poison>\n"
      "  %v3 = bitcast <3 x i2> %a to <2 x i3>\n"
      "  %v4 = call i2 @llvm.vector.reduce.umax.v2i2(<2 x i2> %v2)\n"
      "  %v5 = call <1 x i2> @llvm.vector.extract.v1i2.v3i2(<3 x i2> %a, i64 "
      "2)\n"
      "  %v6 = call <2 x i2> @llvm.vector.insert.v2i2.v1i2(<2 x i2> %v2, <1 x "
      "i2> %v5, i64 1)\n"
      "  %v7 = insertvalue { <2 x i2>, i2 } poison, <2 x i2> %v6, 0\n"
      "  %v8 = insertvalue { <2 x i2>, i2 } %v7, i2 %v4, 1\n"
      "  ret { <2 x i2>, i2 } %v8\n"
      "}\n");
  const auto decoded = decode(encode(program));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, program);

  using Mutation = void (*)(Program &);
  const Mutation mutations[] = {
      // of a scalar, with a lane of another type, from beyond the lanes
      [](Program &p) { p.operandsOf(p.instructions[0])[0] = p.operands[1]; },
      [](Program &p) { p.instructions[0].type = i4; },
      [](Program &p) { p.operandsOf(p.instructions[1])[1].type = i4; },
      [](Program &p) { p.constants[0].lanes[0].payload = 6; },
      [](Program &p) { p.constants[0].lanes[1].kind = Operand::Kind::undef; },
      [](Program &p) { p.instructions[2].type = Type::vector(3, i4); },
      [](Program &p) { p.instructions[3].type = Type::vector(3, i4); },
      [](Program &p) { p.instructions[4].type = Type::integer(3); },
      [](Program &p) { p.operandsOf(p.instructions[5])[1].payload = 3; },
      [](Program &p) { p.operandsOf(p.instructions[6])[2].payload = 2; },
      [](Program &p) { p.operandsOf(p.instructions[7])[2].payload = 1; },
      [](Program &p) { p.operandsOf(p.instructions[8])[2].payload = 2; },
  };
  for (std::size_t i = 0; i < std::size(mutations); ++i) {
    Program broken = program;
    mutations[i](broken);
    EXPECT_NE(verify(broken), std::nullopt) << "mutation " << i;
  }
}

TEST(Program, RandomLanesVerify) {
  Random random(1);
  RandomOptions options;
  options.lanes = {1, 2, 3};
  options.maximumBlocks = 3;
  options.undefAndPoison = options.attributes = true;
  std::set<Opcode> seen;
  for (unsigned i = 0; i < 5000; ++i) {
    const RandomPair pair = randomPair(random, options);
    ASSERT_EQ(verify(pair.source), std::nullopt) << printModule(pair.source);
    for (const Instruction &instruction : pair.target.instructions)
      seen.insert(instruction.opcode);
  }
  for (const Opcode opcode :
       {Opcode::insertvalue, Opcode::extractvalue, Opcode::bitcast,
        Opcode::extractelement, Opcode::insertelement, Opcode::shufflevector,
        Opcode::vectorInsert, Opcode::vectorExtract})
    EXPECT_TRUE(seen.contains(opcode)) << info(opcode).spelling;
}

TEST(Program, PoolSharesEqualConstants) {
  const Type v2i4 = Type::vector(2, i4);
  Program program;
  const std::vector<Operand> lanes = {Operand::constant(i4, 1),
                                      Operand::undef(i4)};
  const Operand first = program.literal(v2i4, lanes);
  EXPECT_EQ(program.literal(v2i4, lanes), first);
  EXPECT_EQ(program.constants.size(), 1U);
  EXPECT_EQ(program.literal(v2i4, {lanes[1], lanes[1]}), Operand::undef(v2i4));
}

TEST(Attributes, effectsAreSaidByAtMostOne) {
  for (std::uint64_t effects = 0; effects <= memory::all; ++effects) {
    Attributes attributes;
    attributes.addEffects(effects);
    EXPECT_EQ(attributes.effects(), effects);
    EXPECT_EQ(std::popcount(attributes.bits), effects == memory::all ? 0 : 1);
  }
}

TEST(Attributes, HaveTheValuesOfTheirRows) {
  Attributes attributes;
  attributes.add(attribute::dereferenceable, 4);
  attributes.add(attribute::range, 1, 3);
  attributes.add(attribute::noundef);
  attributes.add(attribute::range, 2, 5);
  EXPECT_EQ(attributes.range().low, 2U);
  EXPECT_EQ(attributes.valueOf(attribute::dereferenceable).low, 4U);
  Attributes other(attribute::noundef | attribute::range, 2, 5);
  EXPECT_NE(attributes, other);
  other.add(Attributes(attribute::dereferenceable, 4));
  EXPECT_EQ(attributes, other);
  other.remove(attribute::range | attribute::noundef);
  EXPECT_EQ(other, Attributes(attribute::dereferenceable, 4));
}

/// Codes are part of the disk format and of what identities are made from: a
/// row may move, its code never changes.
TEST(Opcode, CodesStay) {
  const std::string_view byCode[] = {
      "add",
      "sub",
      "mul",
      "udiv",
      "sdiv",
      "urem",
      "srem",
      "shl",
      "lshr",
      "ashr",
      "and",
      "or",
      "xor",
      "icmp",
      "select",
      "freeze",
      "zext",
      "sext",
      "trunc",
      "llvm.smin",
      "llvm.smax",
      "llvm.umin",
      "llvm.umax",
      "llvm.abs",
      "llvm.ctpop",
      "llvm.ctlz",
      "llvm.cttz",
      "llvm.bitreverse",
      "llvm.bswap",
      "llvm.fshl",
      "llvm.fshr",
      "llvm.sadd.sat",
      "llvm.uadd.sat",
      "llvm.ssub.sat",
      "llvm.usub.sat",
      "llvm.sshl.sat",
      "llvm.ushl.sat",
      "llvm.sadd.with.overflow",
      "llvm.uadd.with.overflow",
      "llvm.ssub.with.overflow",
      "llvm.usub.with.overflow",
      "llvm.smul.with.overflow",
      "llvm.umul.with.overflow",
      "llvm.scmp",
      "llvm.ucmp",
      "extractvalue",
      "llvm.assume",
      "phi",
      "call",
      "ret",
      "br",
      "switch",
      "unreachable",
      "llvm.expect",
      "alloca",
      "load",
      "store",
      "getelementptr",
      "ptrtoint",
      "inttoptr",
      "ptrtoaddr",
      "llvm.memcpy",
      "llvm.memmove",
      "llvm.memset",
      "llvm.lifetime.start",
      "llvm.lifetime.end",
  };
  ASSERT_GE(opcodeTable().size(), std::size(byCode));
  for (std::size_t code = 0; code < std::size(byCode); ++code) {
    const auto opcode = findOpcode(static_cast<std::uint8_t>(code));
    ASSERT_TRUE(opcode);
    EXPECT_EQ(info(*opcode).spelling, byCode[code]);
  }
}

const Type i64 = Type::integer(64);
const Type ptr = Type::pointer();

/// Every kind of access and of what they say beside their operands.
Program accesses() {
  Program program;
  program.bigEndian = true;
  program.globals.push_back({"g", i4, 1, 4, false, {}});
  program.globals.push_back({"t\"1", Type::integer(8), 2, 1, true, {0, 255}});
  program.signature.function.add(attribute::memory,
                                 memory::read << memory::argument |
                                     memory::write << memory::inaccessible);
  program.signature.function.add(attribute::nullPointerIsValid);
  Attributes attributes = attribute::noalias;
  attributes.add(attribute::captures, captures::addressIsNull, captures::all);
  attributes.add(attribute::initializes, 0, 4);
  const Operand p = program.addParameter(ptr, attributes);
  const Operand n = program.addParameter(i64);
  const Operand two = Operand::constant(i64, 2);
  Instruction made;
  made.opcode = Opcode::alloca_;
  made.type = ptr;
  made.accessedType = i4;
  made.alignment = 4;
  const Operand a = program.append(made, std::array{two});
  program.append(Opcode::lifetimeStart, Type(), {a});
  Instruction access;
  access.opcode = Opcode::load;
  access.type = i4;
  access.alignment = 2;
  access.attributes = 0;
  program.callAttributes.push_back(
      {{}, {attribute::noundef | attribute::range, 1, 9}, {}});
  program.callAttributes[0].result.add(attribute::invariantLoad);
  const Operand v = program.append(access, std::array{p});
  access = {};
  access.opcode = Opcode::store;
  access.alignment = 1;
  const Operand q =
      program.append(Opcode::getelementptr, ptr,
                     {p, n, Operand::constant(i64, 12), two,
                      Operand::constant(i64, 4), n, Operand::constant(i64, 3)},
                     flag::inbounds | flag::nuw);
  program.append(access, std::array{v, q});
  program.append(Opcode::memcpy_, Type(),
                 {a, Operand::global(1), n, Operand::constant(i1, 0)});
  program.callees.push_back({"use", {}});
  program.callees[0].signature.parameters.push_back({ptr, {}});
  program.append(Opcode::call, Type(), {Operand::global(0)});
  program.callAttributes.push_back({attribute::tail, {}, {}});
  program.instructions.back().attributes = 1;
  program.append(Opcode::ret, Type(), {});
  return program;
}

/// Spelled as LLVM 22's parser takes it (runner/llvm reads it back).
TEST(Program, PrintsMemoryAsLangRefSays) {
  const Program program = accesses();
  ASSERT_EQ(verify(program), std::nullopt);
  EXPECT_EQ(
      printModule(program),
      "target datalayout = \"E\"\n"
      "declare void @llvm.lifetime.start.p0(ptr)\n"
      "@\"t\\221\" = constant [2 x i8] c\"\\00\\FF\", align 1\n"
      "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)\n"
      "@g = external global i4, align 4\n"
      "declare void @use(ptr)\n"
      "\n"
      "define void @f(ptr noalias captures(address_is_null, ret: address, "
      "provenance) initializes((0, 4)) %a, i64 %b) null_pointer_is_valid "
      "memory(argmem: read, inaccessiblemem: write) {\n"
      "  %v0 = alloca [2 x i4], align 4\n"
      "  call void @llvm.lifetime.start.p0(ptr %v0)\n"
      "  %v2 = load i4, ptr %a, align 2, !noundef !{}, !range !{i4 1, i4 -7}, "
      "!invariant.load !{}\n"
      "  %v3 = getelementptr inbounds nuw [3 x <{ [0 x [3 x i8]], [4 x i8] "
      "}>], ptr %a, i64 %b, i64 2, i32 0, i64 %b\n"
      "  store i4 %v2, ptr %v3, align 1\n"
      "  call void @llvm.memcpy.p0.p0.i64(ptr %v0, ptr @\"t\\221\", i64 %b, i1 "
      "false)\n"
      "  tail call void @use(ptr @g)\n"
      "  ret void\n"
      "}\n");
  const std::string old = printModule(program, "f", 21);
  for (const char *line :
       {"declare void @llvm.lifetime.start.p0(i64 immarg, ptr)\n",
        "  call void @llvm.lifetime.start.p0(i64 2, ptr %v0)\n"})
    EXPECT_NE(old.find(line), old.npos) << line;
  const auto decoded = decode(encode(program));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, program);
}

TEST(Program, VerifierRejectsBrokenMemory) {
  using Mutation = void (*)(Program &);
  const Mutation mutations[] = {
      [](Program &p) { p.instructions[0].alignment = 0; },
      [](Program &p) { p.instructions[2].alignment = 3; },
      [](Program &p) { p.instructions[0].accessedType = Type(); },
      [](Program &p) { p.operands[0].payload = maximumAllocation; },
      [](Program &p) { p.operands[1] = Operand::argument(ptr, 0); },
      [](Program &p) { p.instructions[3].flags = flag::inbounds | flag::nusw; },
      [](Program &p) { p.operands[5] = Operand::argument(i64, 1); },
      [](Program &p) { p.globals.pop_back(); },
      [](Program &p) { p.globals[1].name = "g"; },
      [](Program &p) { p.globals[1].isConstant = false; },
      [](Program &p) { p.globals[0].alignment = 3; },
      [](Program &p) { p.callAttributes[0].result.add(attribute::noalias); },
      [](Program &p) { p.callAttributes[0].function = attribute::tail; },
      [](Program &p) { p.operands[15] = Operand::constant(i1, 1); },
      [](Program &p) {
        p.signature.parameters[0].attributes.add(attribute::invariantLoad);
      },
      [](Program &p) {
        p.signature.parameters[0].attributes.add(attribute::captures, 2, 0);
      },
  };
  for (std::size_t i = 0; i < std::size(mutations); ++i) {
    Program program = accesses();
    mutations[i](program);
    EXPECT_NE(verify(program), std::nullopt) << "mutation " << i;
  }
  Program scalar = straightLine();
  scalar.bigEndian = true;
  EXPECT_NE(verify(scalar), std::nullopt);
}

/// Bytes that this encoding has always written.
TEST(Program, EncodingStays) {
  EXPECT_EQ(toString(digestOf(encode(straightLine()))),
            "5cc5c71792a6f683226d8a9982899901");
  EXPECT_EQ(toString(digestOf(encode(branching()))),
            "a4a0bda6488930a2625db2611a279c4b");
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
