// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduction against made-up bugs, of which the smallest function is known; and
// the canonical form against the checker: it must not change any verdict.
#include "reports/triage/reduce.h"

#include "checker/check.h"
#include "corpus/program/canonical.h"
#include "corpus/program/print.h"
#include "corpus/program/random_program.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace reports {
namespace {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

const Type i4 = Type::integer(4);

/// A made-up bug: a `shl nsw` of i4 by one of these constants.
bool showsShift(const Program &program,
                std::initializer_list<std::uint64_t> amounts) {
  return std::any_of(program.instructions.begin(), program.instructions.end(),
                     [&](const Instruction &instruction) {
                       const auto operands = program.operandsOf(instruction);
                       return instruction.opcode == Opcode::shl &&
                              instruction.type == i4 &&
                              instruction.flags.has(corpus::flag::nsw) &&
                              operands[1].is(Operand::Kind::constant) &&
                              std::count(amounts.begin(), amounts.end(),
                                         operands[1].payload) != 0;
                     });
}

/// What a Reducer is told of it. Nothing is made of the program.
std::vector<std::optional<Reducer::Shown>>
shown(std::span<const Program> programs,
      std::initializer_list<std::uint64_t> amounts) {
  std::vector<std::optional<Reducer::Shown>> result(programs.size());
  for (std::size_t i = 0; i < programs.size(); ++i)
    if (showsShift(programs[i], amounts))
      result[i].emplace();
  return result;
}

Program largeProgram() {
  Program program;
  program.signature.returnType = i4;
  const Operand a = program.addParameter(i4);
  const Operand b = program.addParameter(i4);
  const Operand sum = program.append(Opcode::add, i4, {b, a});
  const Operand quotient = program.append(Opcode::udiv, i4, {a, sum});
  const Operand shifted =
      program.append(Opcode::shl, i4, {quotient, Operand::constant(i4, 11)},
                     corpus::flag::nsw | corpus::flag::nuw);
  const Operand product = program.append(Opcode::mul, i4, {shifted, a});
  program.append(Opcode::ret, Type(), {product});
  return program;
}

TEST(Reducer, EndsAtTheSmallestFunctionOfTheBug) {
  Reducer reducer([](std::span<const Program> programs) {
    return shown(programs, {5, 6, 11});
  });
  // No simple constant shows it, and 5 is on the way down from 11.
  EXPECT_EQ(corpus::printModule(*reducer.reduce(largeProgram())),
            "define i4 @f(i4 %a) {\n"
            "  %v0 = shl nsw i4 %a, 5\n"
            "  ret i4 %v0\n"
            "}\n");
}

TEST(Reducer, AsksNothingTwice) {
  std::size_t asked = 0;
  Reducer reducer([&](std::span<const Program> programs) {
    asked += programs.size();
    return shown(programs, {0, 11});
  });
  const Program small = *reducer.reduce(largeProgram());
  const std::size_t first = asked;
  EXPECT_GT(first, 0U);
  EXPECT_EQ(reducer.reduce(largeProgram()), small);
  EXPECT_EQ(reducer.reduce(small), small);
  EXPECT_EQ(asked, first);
}

/// A comparison of a `sub nuw` or an `add nuw` becomes false, and what it
/// compared stays behind without a use: which of the two it was is the bug.
TEST(Reducer, DoesNotExchangeWhatIsOnlyLeftBehind) {
  const Type i1 = Type::integer(1);
  const auto compared = [&](Opcode opcode) {
    Program program;
    program.signature.returnType = i1;
    const Operand a = program.addParameter(i4);
    const Operand moved = program.append(
        opcode, i4, {a, Operand::constant(i4, 13)}, corpus::flag::nuw);
    const Operand less = program.append(Opcode::icmp, i1, {moved, a});
    program.instructions.back().predicate = corpus::Predicate::ult;
    program.append(Opcode::ret, Type(), {less});
    return program;
  };
  const Program source = compared(Opcode::sub);
  Reducer reducer([&](std::span<const Program> programs) {
    std::vector<std::optional<Reducer::Shown>> result(programs.size());
    for (std::size_t i = 0; i < programs.size(); ++i)
      for (const Opcode opcode : {Opcode::sub, Opcode::add})
        if (programs[i] == compared(opcode)) {
          Program target = programs[i];
          target.operands.back() = Operand::constant(i1, 0);
          result[i].emplace().target = std::move(target);
        }
    return result;
  });
  EXPECT_EQ(reducer.reduce(source), source);
}

/// A made-up bug: any store. What is stored is whole bytes to the end; padding
/// is another question (LangRef, `store` of a type that does not fill them).
TEST(Reducer, NarrowsAccessesToBytes) {
  const auto stored = [](unsigned width) {
    Program program;
    const Operand a = program.addParameter(Type::pointer());
    const Operand b = program.addParameter(Type::integer(width));
    Instruction access;
    access.opcode = Opcode::store;
    access.alignment = 1;
    program.append(access, std::array{b, a});
    program.append(Opcode::ret, Type(), {});
    return program;
  };
  Reducer reducer([](std::span<const Program> programs) {
    std::vector<std::optional<Reducer::Shown>> result(programs.size());
    for (std::size_t i = 0; i < programs.size(); ++i)
      if (programs[i].instructions.front().opcode == Opcode::store)
        result[i].emplace().target = programs[i];
    return result;
  });
  const auto typeOfWhatIsLeft = [&](unsigned width) {
    return toString(reducer.reduce(stored(width))->operands.front().type);
  };
  EXPECT_EQ(typeOfWhatIsLeft(32), "i8");
  EXPECT_EQ(typeOfWhatIsLeft(8), "i8");
  EXPECT_EQ(typeOfWhatIsLeft(7), "i2");
}

/// A made-up bug: a shuffle that takes its first lane from behind.
TEST(Reducer, DropsLanesAndNarrowsThem) {
  const auto shows = [](const Program &program) {
    return std::any_of(program.instructions.begin(), program.instructions.end(),
                       [&](const Instruction &instruction) {
                         if (instruction.opcode != Opcode::shufflevector)
                           return false;
                         const auto operands = program.operandsOf(instruction);
                         const auto &mask =
                             program.constants[operands[2].payload].lanes;
                         return instruction.flags.empty() && mask.size() > 1 &&
                                mask[0].payload + 1 == operands[0].type.lanes();
                       });
  };
  const Type v4i8 = Type::vector(4, Type::integer(8));
  const Type i32 = Type::integer(32);
  Program program;
  program.signature.returnType = v4i8;
  const Operand a = program.addParameter(v4i8);
  std::vector<Operand> entries;
  for (const unsigned lane : {3, 6, 0, 1})
    entries.push_back(Operand::constant(i32, lane));
  const Operand mask = program.literal(Type::vector(4, i32), entries);
  const Operand sum = program.append(Opcode::add, v4i8, {a, a});
  const Operand shuffled =
      program.append(Opcode::shufflevector, v4i8, {sum, a, mask});
  const Operand changed = program.append(
      Opcode::insertelement, v4i8,
      {shuffled, Operand::constant(Type::integer(8), 7), entries[0]});
  program.append(Opcode::ret, Type(), {changed});
  Reducer reducer([&](std::span<const Program> programs) {
    std::vector<std::optional<Reducer::Shown>> result(programs.size());
    for (std::size_t i = 0; i < programs.size(); ++i)
      if (shows(programs[i]))
        result[i].emplace();
    return result;
  });
  EXPECT_EQ(corpus::printFunction(*reducer.reduce(program)),
            "define <2 x i2> @f(<2 x i2> %a, <2 x i2> %b) {\n"
            "  %v0 = shufflevector <2 x i2> %a, <2 x i2> %b, "
            "<2 x i32> <i32 1, i32 1>\n"
            "  ret <2 x i2> %v0\n"
            "}\n");
}

/// The same value written with a select, or as a product, is no other bug.
TEST(Reducer, WritesTheSamePlainly) {
  const Type i1 = Type::integer(1);
  const auto quotient = [&](auto &&divisorOf) {
    Program program;
    program.signature.returnType = i4;
    const Operand a = program.addParameter(i1);
    const Operand b = program.addParameter(i4);
    const Operand divisor = divisorOf(program, a, b);
    program.append(Opcode::ret, Type(),
                   {program.append(Opcode::udiv, i4, {b, divisor})});
    return corpus::canonical(corpus::renumberArguments(program));
  };
  const Operand zero = Operand::constant(i4, 0);
  const Operand ones = Operand::constant(i4, 15);
  const Program bySelect = quotient([&](Program &program, auto &a, auto &) {
    return program.append(Opcode::select, i4, {a, zero, ones});
  });
  const Program byExtension = quotient([&](Program &program, auto &a, auto &) {
    return program.append(Opcode::sext, i4, {a});
  });
  const Program byProduct = quotient([&](Program &program, auto &, auto &b) {
    return program.append(Opcode::mul, i4, {b, ones}, corpus::flag::nsw);
  });
  const Program byDifference = quotient([&](Program &program, auto &, auto &b) {
    return program.append(Opcode::sub, i4, {zero, b}, corpus::flag::nsw);
  });
  Reducer reducer([&](std::span<const Program> programs) {
    std::vector<std::optional<Reducer::Shown>> result(programs.size());
    for (std::size_t i = 0; i < programs.size(); ++i)
      for (const Program *shows :
           {&bySelect, &byExtension, &byProduct, &byDifference})
        if (corpus::canonical(programs[i]) == *shows)
          result[i].emplace().target = byExtension;
    return result;
  });
  EXPECT_EQ(corpus::printModule(*reducer.reduce(bySelect)),
            corpus::printModule(byExtension));
  EXPECT_EQ(corpus::printModule(*reducer.reduce(byProduct)),
            corpus::printModule(byDifference));
}

/// What a pass takes for non-zero shows in many comparisons; that with 0 stands
/// for those of which it makes the same.
TEST(Reducer, ComparesWithZero) {
  const Type i1 = Type::integer(1);
  const auto comparison = [&](auto &&compare) {
    Program program;
    program.signature.returnType = i1;
    const Operand a = program.addParameter(i4);
    const Operand b = program.addParameter(i4);
    const Operand shifted =
        program.append(Opcode::shl, i4, {a, b}, corpus::flag::nuw);
    program.append(Opcode::ret, Type(), {compare(program, shifted, b)});
    return program;
  };
  const Program ofSum =
      comparison([&](Program &program, auto &shifted, auto &b) {
        const Operand sum = program.append(Opcode::add, i4, {shifted, b});
        return program.append(Opcode::icmp, i1, {sum, b});
      });
  const Program withZero =
      comparison([&](Program &program, auto &shifted, auto &) {
        return program.append(Opcode::icmp, i1,
                              {shifted, Operand::constant(i4, 0)});
      });
  const Program never = comparison(
      [&](Program &, auto &, auto &) { return Operand::constant(i1, 0); });
  const auto reduced = [&](const Program &madeOfZero) {
    Reducer reducer([&](std::span<const Program> programs) {
      std::vector<std::optional<Reducer::Shown>> result(programs.size());
      for (std::size_t i = 0; i < programs.size(); ++i)
        for (const auto &[source, target] :
             {std::pair(&ofSum, &never), std::pair(&withZero, &madeOfZero)})
          if (corpus::canonical(programs[i]) == corpus::canonical(*source))
            result[i].emplace().target = *target;
      return result;
    });
    return corpus::canonical(*reducer.reduce(ofSum));
  };
  EXPECT_EQ(reduced(never), corpus::canonical(withZero));
  EXPECT_EQ(reduced(withZero), corpus::canonical(ofSum));
}

/// One bit is a width like any other, unless the bug is of one bit.
TEST(Reducer, TakesTwoBitsForOne) {
  const auto quotient = [](unsigned width) {
    const Type type = Type::integer(width);
    Program program;
    program.signature.returnType = type;
    const Operand a = program.addParameter(type);
    const Operand b = program.addParameter(type);
    program.append(Opcode::ret, Type(),
                   {program.append(Opcode::udiv, type, {a, b})});
    return program;
  };
  const auto reducerUpTo = [&](unsigned widest) {
    return Reducer([&quotient, widest](std::span<const Program> programs) {
      std::vector<std::optional<Reducer::Shown>> result(programs.size());
      for (std::size_t i = 0; i < programs.size(); ++i)
        for (unsigned width = 1; width <= widest; ++width)
          if (programs[i] == quotient(width))
            result[i].emplace().target = programs[i];
      return result;
    });
  };
  EXPECT_EQ(reducerUpTo(1).reduce(quotient(1)), quotient(1));
  EXPECT_EQ(reducerUpTo(4).reduce(quotient(1)), quotient(2));
  EXPECT_EQ(reducerUpTo(4).reduce(quotient(4)), quotient(2));
}

TEST(Reductions, AreSmallerAndValid) {
  corpus::Random random(3);
  corpus::RandomOptions options;
  options.undefAndPoison = true;
  options.attributes = true;
  options.instructions = 4;
  std::size_t count = 0;
  for (int round = 0; round < 500; ++round) {
    const Program program = corpus::randomProgram(random, options);
    for (const Step &each : reductions(program)) {
      const Program &step = each.program;
      ++count;
      EXPECT_LT(sizeOf(step), sizeOf(program))
          << corpus::printModule(program) << corpus::printModule(step);
      EXPECT_EQ(corpus::verify(step), std::nullopt);
    }
  }
  EXPECT_GT(count, 5000U);
}

/// A pair means the same in canonical form, under every preset.
TEST(CanonicalPair, KeepsEveryVerdict) {
  corpus::Random random(4);
  corpus::RandomOptions options;
  options.undefAndPoison = true;
  checker::Checker checker;
  std::size_t wrong = 0;
  for (int round = 0; round < 1500; ++round) {
    const Program source = corpus::randomProgram(random, options);
    const Program target = corpus::randomEdit(random, source, options);
    if (source.signature.parameters.size() !=
        target.signature.parameters.size())
      continue;
    const auto form = corpus::canonicalPair(source, target);
    for (const checker::Preset &preset : checker::presetTable()) {
      if (preset.isOfMemory)
        continue; // the programs have none
      const auto before = checker.check(source, target, preset.semantics,
                                        checker::WantWitness::no);
      const auto after = checker.check(
          form.first, form.second, preset.semantics, checker::WantWitness::no);
      EXPECT_EQ(before.word, after.word)
          << preset.name << "\n"
          << corpus::printModule(source) << corpus::printModule(target)
          << corpus::printModule(form.first)
          << corpus::printModule(form.second);
      if (before.word != checker::VerdictWord::wrong)
        continue;
      ++wrong;
      EXPECT_EQ(before.kind, after.kind) << preset.name;
    }
  }
  EXPECT_GT(wrong, 1000U);
}

} // namespace
} // namespace reports
