// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reduced inputs against all 257 values of each byte, on random pairs of
// small functions with one byte of memory and on pairs that are made to hit the
// rules of reduction.h.
#include "checker/memory/reduction.h"

#include "checker/agreement.h"
#include "checker/exact/reference.h"
#include "corpus/program/print.h"

#include <gtest/gtest.h>

#include <random>

namespace checker {
namespace {

using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

const Type i1 = Type::integer(1);
const Type i2 = Type::integer(2);
const Type i8 = Type::integer(8);

class RandomMemory {
public:
  explicit RandomMemory(unsigned seed) : random_(seed) {}

  /// `i8 (ptr, i2)`, or void: straight, with that many instructions.
  Program program(unsigned count) {
    Program program;
    program.signature.returnType = i8;
    const Operand p = program.addParameter(Type::pointer());
    const Operand x = program.addParameter(i2);
    std::vector<Operand> bytes = {Operand::constant(i8, below(256)),
                                  Operand::constant(i8, below(3))};
    bytes.push_back(program.append(Opcode::zext, i8, {x}));
    Operand q = p;
    if (below(2) == 0) {
      corpus::Instruction local;
      local.opcode = Opcode::alloca_;
      local.type = Type::pointer();
      local.accessedType = i8;
      local.alignment = 1;
      q = program.append(local,
                         std::array{Operand::constant(Type::integer(64), 1)});
    }
    for (unsigned i = 0; i < count; ++i)
      step(program, below(3) == 0 ? q : p, bytes);
    program.append(Opcode::ret, Type(), {pick(bytes)});
    return program;
  }
  /// With one operand of another place, or an instruction of another kind.
  Program edited(const Program &program) {
    Program out = program;
    for (unsigned tries = 0; tries < 20; ++tries) {
      out = program;
      corpus::Instruction &at = out.instructions[below(
          static_cast<unsigned>(out.instructions.size()))];
      if (at.operandCount == 0)
        continue;
      Operand &operand = out.operands[at.firstOperand + below(at.operandCount)];
      if (operand.type != i8)
        continue;
      std::vector<Operand> others = {Operand::constant(i8, below(256)),
                                     Operand::poison(i8)};
      const auto index =
          static_cast<std::size_t>(&at - out.instructions.data());
      for (std::size_t i = 0; i < index; ++i)
        if (out.instructions[i].type == i8)
          others.push_back(Operand::instruction(i8, i));
      operand = pick(others);
      if (out != program && !corpus::verify(out))
        return out;
    }
    return out;
  }
  unsigned below(unsigned bound) {
    return static_cast<unsigned>(random_() % bound);
  }

private:
  Operand pick(const std::vector<Operand> &from) {
    return from[below(static_cast<unsigned>(from.size()))];
  }
  void step(Program &program, const Operand &pointer,
            std::vector<Operand> &bytes) {
    corpus::Instruction access;
    access.alignment = 1;
    switch (below(8)) {
    case 0:
    case 1:
      access.opcode = Opcode::load;
      access.type = i8;
      bytes.push_back(program.append(access, std::array{pointer}));
      return;
    case 2:
    case 3:
      access.opcode = Opcode::store;
      program.append(access, std::array{pick(bytes), pointer});
      return;
    case 4: {
      static constexpr Opcode binary[] = {
          Opcode::add, Opcode::and_, Opcode::xor_, Opcode::or_, Opcode::lshr};
      bytes.push_back(program.append(
          binary[below(5)], i8,
          {pick(bytes),
           below(2) == 0 ? pick(bytes) : Operand::constant(i8, below(9))}));
      return;
    }
    case 5:
      bytes.push_back(program.append(Opcode::freeze, i8, {pick(bytes)}));
      return;
    case 6: {
      const Operand condition = program.append(
          Opcode::icmp, i1, {pick(bytes), Operand::constant(i8, below(256))},
          {}, corpus::Predicate::ult);
      bytes.push_back(program.append(Opcode::select, i8,
                                     {condition, pick(bytes), pick(bytes)}));
      return;
    }
    default: {
      const Operand bit = program.append(Opcode::trunc, i1, {pick(bytes)});
      bytes.push_back(program.append(Opcode::sext, i8, {bit}));
    }
    }
  }

  std::mt19937 random_;
};

Verdict ask(const Program &source, const Program &target,
            const Semantics &semantics, FullBytes fullBytes) {
  return checkByReference(source, target, semantics, false,
                          std::uint64_t(1) << 23, fullBytes);
}

TEST(Reduction, AsAllValuesOfEachByte) {
  RandomMemory random(1);
  unsigned wrong = 0;
  unsigned decided = 0;
  const Semantics rules[] = {*parseSemantics("llvm"),
                             *parseSemantics("uninit-poison"),
                             *parseSemantics("store-poison-ub"),
                             *parseSemantics("defined-inputs:padding=zero")};
  // A pair takes a tenth of a second.
  const unsigned pairs = scaled(12);
  for (unsigned i = 0; i < pairs; ++i) {
    const Program source = random.program(1 + random.below(3));
    const Program target = random.edited(source);
    if (corpus::verify(source) || corpus::verify(target))
      continue;
    const Semantics &semantics = rules[i % std::size(rules)];
    const Verdict reduced = ask(source, target, semantics, FullBytes::no);
    const Verdict all = ask(source, target, semantics, FullBytes::yes);
    if (reduced.word == VerdictWord::undecided ||
        all.word == VerdictWord::undecided)
      continue;
    ++decided;
    wrong += all.word == VerdictWord::wrong ? 1 : 0;
    EXPECT_TRUE(reduced.word == all.word &&
                (all.word != VerdictWord::wrong || reduced.kind == all.kind))
        << toString(semantics) << ": " << toString(reduced.word) << " "
        << toString(reduced.kind) << " instead of " << toString(all.word) << " "
        << toString(all.kind) << '\n'
        << corpus::printPair(source, target);
  }
  EXPECT_GE(decided, pairs / 2);
  EXPECT_GE(wrong, decided / 8);
  EXPECT_GE(decided - wrong, decided / 8);
}

// Pointers that are compared far from where they begin lie to each other in
// billions of ways. To say so must not take as long as to list them: with each
// of three pointers 250 ways to be shifted, and more to lie, that was hours.
TEST(Scenarios, AreNotListedWhereTheyAreTooMany) {
  Program program;
  program.signature.returnType = Type::integer(1);
  std::vector<Operand> far;
  for (int i = 0; i < 3; ++i) {
    const Operand p = program.addParameter(Type::pointer());
    for (const std::uint64_t step : {5, 250})
      far.push_back(
          program.append(Opcode::getelementptr, Type::pointer(),
                         {p, Operand::constant(Type::integer(64), step),
                          Operand::constant(Type::integer(64), 1)},
                         corpus::flag::inbounds));
  }
  const Operand less =
      program.append(Opcode::icmp, Type::integer(1), {far[1], far[3]}, {},
                     corpus::Predicate::ult);
  const Operand more =
      program.append(Opcode::icmp, Type::integer(1), {far[3], far[5]}, {},
                     corpus::Predicate::ult);
  program.append(
      Opcode::ret, Type(),
      {program.append(Opcode::and_, Type::integer(1), {less, more})});
  ASSERT_EQ(corpus::verify(program), std::nullopt);
  EXPECT_FALSE(scenariosOf(program, program, Semantics(), 1000));
}

// Where a byte is only moved, few inputs are enough; where it meets arithmetic,
// all of them are needed.
TEST(Reduction, CountsOfMovedAndComputedBytes) {
  const auto plan = [](Opcode opcode) {
    Program program;
    program.signature.returnType = i8;
    const Operand p = program.addParameter(Type::pointer());
    corpus::Instruction load;
    load.opcode = Opcode::load;
    load.type = i8;
    load.alignment = 1;
    const Operand v = program.append(load, std::array{p});
    const Operand r = program.append(opcode, i8, {v, Operand::constant(i8, 3)});
    program.append(Opcode::ret, Type(), {r});
    const auto scenarios = scenariosOf(program, program, Semantics(), 100);
    EXPECT_TRUE(scenarios);
    // Readable, nothing valid, null, poison: nobody writes.
    EXPECT_EQ(scenarios->size(), 4U);
    return InputPlan(program, program, Semantics(), scenarios->front(),
                     FullBytes::no)
        .count();
  };
  // 1 + ceil(log2(8 + 1)) + 1.
  EXPECT_EQ(plan(Opcode::and_), 6);
  EXPECT_EQ(plan(Opcode::add), 256 * 2);
}

// What only one kind of memory has: bits of a byte that are poison one by one.
TEST(Reduction, PoisonBitByBitOnlyWhereMemoryHasIt) {
  Program program;
  program.signature.returnType = i8;
  const Operand p = program.addParameter(Type::pointer());
  corpus::Instruction load;
  load.opcode = Opcode::load;
  load.type = i8;
  load.alignment = 1;
  const Operand v = program.append(load, std::array{p});
  const Operand sum = program.append(Opcode::add, i8, {v, v});
  program.append(Opcode::ret, Type(), {sum});
  const auto count = [&](const char *rules) {
    const Semantics semantics = *parseSemantics(rules);
    const auto scenarios = scenariosOf(program, program, semantics, 100);
    return InputPlan(program, program, semantics, scenarios->front(),
                     FullBytes::yes)
        .count();
  };
  // Numbers and poison; each of 8 bits is 0, 1 or poison.
  EXPECT_EQ(count("llvm"), 257);
  EXPECT_GE(count("memory-bits"), 6561);
}

TEST(Reduction, MoreInputsThanThereIsBudgetFor) {
  RandomMemory random(3);
  const Program program = random.program(3);
  const Verdict verdict =
      checkByReference(program, program, Semantics(), false, 2);
  EXPECT_EQ(verdict.word, VerdictWord::undecided);
  EXPECT_NE(verdict.reason.find("too many to try one by one"),
            std::string::npos)
      << verdict.reason;
}

TEST(Bytes, BitByBitWhereTheyDiffer) {
  Byte byte = Byte::number(0x05);
  EXPECT_EQ(format(Memory(), byte), "0x05");
  byte.poison = 0x80;
  byte.uninit = 0x40;
  EXPECT_EQ(format(Memory(), byte), "0bp?000101");
}

} // namespace
} // namespace checker
