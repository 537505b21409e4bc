// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow made smaller: every step is a valid program of its own, no step
// leaves a block that is not reached, and bugs of which the smallest function
// is known by hand are reduced to it.
#include "reports/triage/flow.h"
#include "reports/triage/reduce.h"

#include "checker/check.h"
#include "corpus/program/print.h"
#include "corpus/program/random_program.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace reports {
namespace {

using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

const Type i1 = Type::integer(1);
const Type i4 = Type::integer(4);

/// A diamond in front of a loop; a value of each side of it meets in a phi.
Program diamondAndLoop() {
  Program program;
  program.signature.returnType = i4;
  const Operand c = program.addParameter(i1);
  const Operand a = program.addParameter(i4);
  program.append(Opcode::br, Type(), {c, Operand::block(1), Operand::block(2)});
  program.beginBlock();
  const Operand left = program.append(Opcode::udiv, i4, {a, a});
  program.append(Opcode::br, Type(), {Operand::block(3)});
  program.beginBlock();
  program.append(Opcode::br, Type(), {Operand::block(3)});
  program.beginBlock();
  const Operand met = program.append(
      Opcode::phi, i4, {left, Operand::block(1), a, Operand::block(2)});
  program.append(Opcode::br, Type(), {Operand::block(4)});
  program.beginBlock();
  program.append(Opcode::br, Type(), {c, Operand::block(4), Operand::block(5)});
  program.beginBlock();
  program.append(Opcode::ret, Type(), {met});
  EXPECT_EQ(corpus::verify(program), std::nullopt);
  return program;
}

Program reducedFor(const Program &program,
                   bool (*shows)(const Program &program)) {
  Reducer reducer([&](std::span<const Program> programs) {
    std::vector<std::optional<Reducer::Shown>> result(programs.size());
    for (std::size_t i = 0; i < programs.size(); ++i)
      if (shows(programs[i]))
        result[i].emplace();
    return result;
  });
  return reducer.reduce(program).value();
}

bool has(const Program &program, Opcode opcode) {
  return std::any_of(program.instructions.begin(), program.instructions.end(),
                     [&](const auto &each) { return each.opcode == opcode; });
}

TEST(FlowSteps, LeaveNothingAroundABugOfStraightLines) {
  const Program small =
      reducedFor(diamondAndLoop(), [](const Program &program) {
        return has(program, Opcode::udiv);
      });
  EXPECT_TRUE(small.isStraightLine()) << corpus::printFunction(small);
  EXPECT_EQ(small.instructionCount(), 1U) << corpus::printFunction(small);
}

TEST(FlowSteps, KeepThePhiThatABugIsAbout) {
  const Program small =
      reducedFor(diamondAndLoop(), [](const Program &program) {
        return has(program, Opcode::phi);
      });
  EXPECT_EQ(small.blocks.size(), 3U) << corpus::printFunction(small);
  EXPECT_EQ(small.instructionCount(), 1U) << corpus::printFunction(small);
}

TEST(FlowSteps, KeepTheLoopThatABugIsAbout) {
  const Program small =
      reducedFor(diamondAndLoop(), [](const Program &program) {
        for (std::size_t b = 0; b < program.blocks.size(); ++b)
          for (const Operand &operand : program.operandsOf(
                   program.instructions[program.blocks[b].end - 1]))
            if (operand.is(Operand::Kind::block) && operand.payload <= b)
              return true;
        return false;
      });
  EXPECT_EQ(corpus::printFunction(small), "define i4 @f() {\n"
                                          "entry:\n"
                                          "  br label %b1\n"
                                          "b1:\n"
                                          "  br label %b1\n"
                                          "}\n");
}

TEST(WithBlocksFolded, MeansTheSame) {
  corpus::Random random(6);
  corpus::RandomOptions options;
  options.widths = {1, 2};
  options.maximumBlocks = 5;
  options.loops = true;
  options.instructions = 3;
  checker::Checker checker;
  std::size_t smaller = 0;
  for (int round = 0; round < 300; ++round) {
    const Program program = corpus::randomProgram(random, options);
    const Program folded = withBlocksFolded(program);
    smaller += folded.blocks.size() < program.blocks.size() ? 1 : 0;
    EXPECT_EQ(withBlocksFolded(folded), folded);
    for (const auto &[source, target] :
         {std::pair(program, folded), std::pair(folded, program)})
      EXPECT_NE(checker.check(source, target, {}).word,
                checker::VerdictWord::wrong)
          << corpus::printModule(program) << corpus::printModule(folded);
  }
  EXPECT_GT(smaller, 20U);
}

/// verify() rejects unreachable blocks, phis that do not fit and uses that are
/// not dominated.
TEST(FlowSteps, AreValidPrograms) {
  corpus::Random random(5);
  corpus::RandomOptions options;
  options.maximumBlocks = 5;
  options.loops = true;
  options.calls = true;
  options.attributes = true;
  options.instructions = 4;
  std::size_t count = 0;
  for (int round = 0; round < 300; ++round) {
    const Program program = corpus::randomProgram(random, options);
    for (const auto &steps : {flowSteps(program), withSidesSwapped(program),
                              conditionsReturned(program)})
      for (const Program &step : steps) {
        ++count;
        EXPECT_EQ(corpus::verify(step), std::nullopt)
            << corpus::printModule(program) << corpus::printModule(step);
      }
    EXPECT_EQ(inFlowOrder(inFlowOrder(program)), inFlowOrder(program));
  }
  EXPECT_GT(count, 500U);
}

} // namespace
} // namespace reports
