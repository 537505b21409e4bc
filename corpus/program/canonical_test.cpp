// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symmetries are applied at random and must leave the form alone. That a form
// means the same is tested in reports, with the checker.
#include "corpus/program/canonical.h"

#include "corpus/program/encode.h"
#include "corpus/program/print.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace corpus {
namespace {

const Type i1 = Type::integer(1);
const Type i4 = Type::integer(4);

/// A straight-line program over i4 and i1 in which everything is used.
Program randomProgram(std::mt19937 &random, unsigned size) {
  const auto below = [&](std::size_t n) { return random() % n; };
  Program program;
  program.signature.returnType = i4;
  std::vector<Operand> numbers, bits;
  for (int i = 0; i < 3; ++i)
    numbers.push_back(program.addParameter(i4));
  bits.push_back(program.addParameter(i1));
  Operand last = numbers[0];
  for (unsigned i = 0; i < size; ++i) {
    const Operand x = below(4) == 0 ? Operand::constant(i4, below(16))
                                    : numbers[below(numbers.size())];
    const Operand condition = bits[below(bits.size())];
    switch (below(7)) {
    case 0:
      last = program.append(Opcode::add, i4, {x, last}, Flags(below(4)));
      break;
    case 1:
      last = program.append(Opcode::mul, i4, {last, x});
      break;
    case 2:
      last = program.append(Opcode::sub, i4, {last, x});
      break;
    case 3:
      last = program.append(Opcode::udiv, i4, {x, last});
      break;
    case 4:
      bits.push_back(program.append(Opcode::icmp, i1, {last, x}, {},
                                    static_cast<Predicate>(below(10))));
      continue;
    case 5:
      last = program.append(Opcode::select, i4, {condition, last, x});
      break;
    default:
      last = program.append(Opcode::freeze, i4, {x});
      break;
    }
    numbers.push_back(last);
  }
  program.append(Opcode::ret, Type(), {last});
  return program;
}

/// The same function, written another way round.
Program shuffled(const Program &program, std::mt19937 &random) {
  std::vector<std::uint64_t> arguments(program.signature.parameters.size());
  std::iota(arguments.begin(), arguments.end(), 0);
  std::shuffle(arguments.begin(), arguments.end(), random);
  Program out;
  out.signature = program.signature;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    out.signature.parameters[arguments[i]] = program.signature.parameters[i];

  const std::size_t count = program.instructions.size();
  std::vector<Operand> written(count);
  std::vector<bool> done(count, false);
  for (std::size_t emitted = 0; emitted < count;) {
    const std::size_t i = random() % count;
    const Instruction &instruction = program.instructions[i];
    const auto operands = program.operandsOf(instruction);
    const bool ready =
        !done[i] && (i + 1 < count || emitted + 1 == count) &&
        std::all_of(operands.begin(), operands.end(), [&](const Operand &o) {
          return !o.is(Operand::Kind::instruction) || done[o.payload];
        });
    if (!ready)
      continue;
    std::vector<Operand> values;
    for (Operand operand : operands) {
      if (operand.is(Operand::Kind::argument))
        operand.payload = arguments[operand.payload];
      else if (operand.is(Operand::Kind::instruction))
        operand = written[operand.payload];
      values.push_back(operand);
    }
    Predicate predicate = instruction.predicate;
    if (random() % 2 == 0 &&
        (info(instruction.opcode).has(trait::commutative) ||
         instruction.opcode == Opcode::icmp)) {
      std::swap(values[0], values[1]);
      if (instruction.opcode == Opcode::icmp)
        predicate = info(predicate).swapped;
    }
    written[i] = out.append(instruction.opcode, instruction.type, values,
                            instruction.flags, predicate);
    done[i] = true;
    ++emitted;
  }
  return out;
}

TEST(Canonical, IsOneFormForAllSymmetricPrograms) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    const Program program = randomProgram(random, 1 + random() % 5);
    const Program form = canonical(program);
    ASSERT_EQ(verify(form), std::nullopt) << printModule(form);
    EXPECT_EQ(canonical(form), form) << printModule(form);
    const Program other = shuffled(program, random);
    ASSERT_EQ(verify(other), std::nullopt) << printModule(other);
    EXPECT_EQ(printModule(canonical(other)), printModule(form))
        << printModule(program) << printModule(other);
  }
}

/// Forms that differ in content do not collapse: as many forms as programs.
TEST(Canonical, KeepsDifferentProgramsApart) {
  const auto form = [](Opcode opcode, bool swap) {
    Program program;
    program.signature.returnType = i4;
    const Operand a = program.addParameter(i4);
    const Operand c = Operand::constant(i4, 3);
    if (swap)
      program.append(opcode, i4, {c, a});
    else
      program.append(opcode, i4, {a, c});
    program.append(Opcode::ret, Type(), {Operand::instruction(i4, 0)});
    return canonical(program);
  };
  EXPECT_EQ(form(Opcode::add, false), form(Opcode::add, true));
  EXPECT_NE(form(Opcode::sub, false), form(Opcode::sub, true));
  EXPECT_NE(form(Opcode::add, false), form(Opcode::mul, false));
}

TEST(Canonical, DropsWhatIsDeadAndKeepsWhatMayBeSeen) {
  Program program;
  program.signature.returnType = i4;
  program.addParameter(i1);
  const Operand a = program.addParameter(i4);
  const Operand b = program.addParameter(i4);
  const Operand unused = program.append(Opcode::xor_, i4, {b, a});
  program.append(Opcode::freeze, i4, {unused});
  program.append(Opcode::udiv, i4, {a, b});
  program.append(Opcode::ret, Type(), {a});
  EXPECT_EQ(printModule(canonical(program)), "define i4 @f(i4 %a, i4 %b) {\n"
                                             "  %v0 = udiv i4 %a, %b\n"
                                             "  ret i4 %a\n"
                                             "}\n");
}

/// @use may not return, so the division must stay behind it.
TEST(Canonical, KeepsTheOrderOfCallsAndDivisions) {
  Program program;
  program.signature.returnType = i4;
  program.callees.push_back({"use", {}});
  const Operand a = program.addParameter(i4);
  program.append(Opcode::call, Type(), {});
  const Operand quotient =
      program.append(Opcode::udiv, i4, {Operand::constant(i4, 1), a});
  program.append(Opcode::ret, Type(), {quotient});
  EXPECT_EQ(canonical(program), program);
}

/// A loop: instructions stay where they are, operands are put in order.
TEST(Canonical, SortsOperandsInLoops) {
  Program program;
  program.signature.returnType = i4;
  program.addParameter(i4);
  const Operand n = program.addParameter(i4);
  program.append(Opcode::br, Type(), {Operand::block(1)});
  program.beginBlock();
  const Operand next = Operand::instruction(i4, 2);
  const Operand i = program.append(
      Opcode::phi, i4,
      {Operand::constant(i4, 0), Operand::block(0), next, Operand::block(1)});
  program.append(Opcode::add, i4, {i, Operand::constant(i4, 1)});
  const Operand less =
      program.append(Opcode::icmp, i1, {next, n}, {}, Predicate::ult);
  program.append(Opcode::br, Type(),
                 {less, Operand::block(1), Operand::block(2)});
  program.beginBlock();
  program.append(Opcode::ret, Type(), {next});
  ASSERT_EQ(verify(program), std::nullopt);
  EXPECT_EQ(printModule(canonical(program)),
            "define i4 @f(i4 %a) {\n"
            "entry:\n"
            "  br label %b1\n"
            "b1:\n"
            "  %v1 = phi i4 [ 0, %entry ], [ %v2, %b1 ]\n"
            "  %v2 = add i4 1, %v1\n"
            "  %v3 = icmp ugt i4 %a, %v2\n"
            "  br i1 %v3, label %b1, label %b2\n"
            "b2:\n"
            "  ret i4 %v2\n"
            "}\n");
}

TEST(CanonicalPair, IsOneFormForPairsThatDifferInTheirSymmetries) {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    const Program source = randomProgram(random, 1 + random() % 3);
    const Program target = randomProgram(random, 1 + random() % 3);
    const auto form = canonicalPair(source, target);
    EXPECT_EQ(canonicalPair(form.first, form.second), form);
    EXPECT_EQ(form.first.signature.parameters,
              form.second.signature.parameters);
    // The same generator state: the same permutation of the arguments.
    std::mt19937 copy = random;
    const Program otherSource = shuffled(source, copy);
    const Program otherTarget = shuffled(target, random);
    EXPECT_EQ(canonicalPair(otherSource, otherTarget), form)
        << printModule(source) << printModule(target)
        << printModule(otherSource) << printModule(otherTarget);
  }
}

/// add a, b is symmetric; which of the two the target repeats is not a
/// difference.
TEST(CanonicalPair, LooksThroughAutomorphismsOfTheSource) {
  const auto pair = [](std::uint64_t repeated) {
    Program source, target;
    for (Program *program : {&source, &target}) {
      program->signature.returnType = i4;
      program->addParameter(i4);
      program->addParameter(i4);
    }
    const Operand a = Operand::argument(i4, 0);
    const Operand b = Operand::argument(i4, 1);
    const Operand x = Operand::argument(i4, repeated);
    source.append(Opcode::ret, Type(),
                  {source.append(Opcode::add, i4, {a, b})});
    target.append(Opcode::ret, Type(),
                  {target.append(Opcode::add, i4, {x, x})});
    return canonicalPair(source, target);
  };
  EXPECT_EQ(pair(0), pair(1));
}

TEST(AbstractPair, ForgetsWidthsAndMostConstants) {
  const auto pair = [](Type type, std::uint64_t bits) {
    Program source;
    source.signature.returnType = type;
    const Operand a = source.addParameter(type);
    source.append(
        Opcode::ret, Type(),
        {source.append(Opcode::mul, type, {a, Operand::constant(type, bits)})});
    return abstractPair(source, source);
  };
  const Type i8 = Type::integer(8);
  EXPECT_EQ(pair(i4, 3), pair(i4, 5));
  EXPECT_EQ(pair(i4, 15), pair(i8, 255));
  EXPECT_EQ(pair(i4, 8), pair(i8, 128));
  EXPECT_NE(pair(i4, 8), pair(i4, 15));
  EXPECT_NE(pair(i4, 0), pair(i4, 1));
  EXPECT_NE(pair(i4, 1), pair(i4, 5));
  EXPECT_NE(pair(i1, 1), pair(i4, 1));
}

/// Two hundred symmetric additions: no guarantee of one form, but an answer.
TEST(Canonical, EndsOnProgramsWithManyTies) {
  Program program;
  program.signature.returnType = i4;
  Operand sum = Operand::constant(i4, 0);
  std::vector<Operand> pairs;
  for (int i = 0; i < 100; ++i) {
    const Operand a = program.addParameter(i4);
    const Operand b = program.addParameter(i4);
    pairs.push_back(program.append(Opcode::add, i4, {a, b}));
  }
  for (const Operand &value : pairs)
    sum = program.append(Opcode::xor_, i4, {sum, value});
  program.append(Opcode::ret, Type(), {sum});
  EXPECT_EQ(verify(canonical(program)), std::nullopt);
}

} // namespace
} // namespace corpus
