// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What checker::Deletions explains, asked of the reference interpreter: every
// set of instructions whose results nothing uses is taken out of functions of
// small spaces.
#include "checker/agreement.h"
#include "checker/deletions.h"
#include "checker/exact/reference.h"
#include "corpus/program/print.h"
#include "enumerate/space.h"

#include <bit>
#include <gtest/gtest.h>

namespace runner {
namespace {

using corpus::Instruction;
using corpus::Operand;
using corpus::Program;

/// Without the instructions in `gone`, or nothing if a result of theirs is
/// used.
std::optional<Program> without(const Program &program, unsigned gone) {
  Program rest = program.withoutBlocks();
  std::vector<Operand> operands;
  for (const corpus::Block &block : program.blocks) {
    rest.beginBlock();
    for (std::uint32_t i = block.begin; i < block.end; ++i) {
      if ((gone >> i & 1U) != 0)
        continue;
      const Instruction &instruction = program.instructions[i];
      operands.clear();
      for (Operand operand : program.operandsOf(instruction)) {
        if (operand.is(Operand::Kind::instruction)) {
          if ((gone >> operand.payload & 1U) != 0)
            return std::nullopt;
          operand.payload -=
              std::popcount(gone & ((1U << operand.payload) - 1));
        }
        operands.push_back(operand);
      }
      rest.append(instruction, operands);
    }
  }
  return rest;
}

/// One bit for each instruction that is no terminator.
unsigned candidates(const Program &program) {
  unsigned set = 0;
  for (std::size_t i = 0; i < program.instructions.size(); ++i)
    if (!corpus::info(program.instructions[i].opcode).isTerminator())
      set |= 1U << i;
  return set;
}

struct Counts {
  unsigned explained = 0;
  unsigned refine = 0; ///< not explained, and right all the same
  unsigned wrong = 0;
};

Counts compare(const char *spec, unsigned functions) {
  const auto space = enumerate::parseSpace(spec);
  EXPECT_TRUE(space) << spec;
  checker::Deletions deletions;
  Counts counts;
  for (const auto rank : enumerate::sampleRanks(
           (*space)->count(), checker::scaled(functions), checker::seeded(1))) {
    const Program source = (*space)->at(rank);
    const unsigned all = candidates(source);
    for (unsigned gone = all; gone != 0; gone = (gone - 1) & all) {
      const auto target = without(source, gone);
      if (!target)
        continue;
      EXPECT_FALSE(corpus::verify(*target));
      const bool isExplained = deletions.explain(source, *target);
      const auto verdict =
          checkByReference(source, *target, checker::Semantics(), false);
      const bool refines = verdict.word == checker::VerdictWord::refines;
      if (isExplained) {
        EXPECT_TRUE(refines) << corpus::printPair(source, *target);
        ++counts.explained;
      } else {
        ++(refines ? counts.refine : counts.wrong);
      }
    }
    EXPECT_FALSE(deletions.explain(source, source));
  }
  return counts;
}

TEST(Deletions, WhatIsExplainedRefines) {
  for (const char *spec : {"i8x4:mem=a1+p1,align,args=1,consts=two,poison",
                           "i8x4:mem=p2+p2,access=8+16,args=1,consts=two",
                           "i8x4:mem=a1+p1,graph=if,args=2,consts=two",
                           "i8x3:mem=a1+a1,graph=diamond,args=1,consts=two",
                           "i8x3:mem=a1+p1,graph=loop,args=1,consts=two"}) {
    const Counts counts = compare(spec, 150);
    EXPECT_GT(2 * counts.explained, counts.refine) << spec;
    EXPECT_GT(counts.wrong, 10U) << spec;
  }
}

// A pointer that goes elsewhere shows what is in memory to others.
TEST(Deletions, NothingIsSaidWherePointersGoElsewhere) {
  for (const char *spec : {"i8x3:mem=a1+p1,ptr=ret,args=1,consts=two",
                           "i8x3:mem=a1+p1,calls,args=1,consts=two",
                           "i8x3:mem=a2+p2,gep,args=1,consts=two"}) {
    const auto space = enumerate::parseSpace(spec);
    ASSERT_TRUE(space) << spec;
    checker::Deletions deletions;
    unsigned asked = 0;
    for (const auto rank :
         enumerate::sampleRanks((*space)->count(), 2000, checker::seeded(1))) {
      const Program source = (*space)->at(rank);
      const bool goesElsewhere = std::any_of(
          source.instructions.begin(), source.instructions.end(),
          [&](const Instruction &instruction) {
            return instruction.opcode == corpus::Opcode::call ||
                   instruction.opcode == corpus::Opcode::getelementptr ||
                   (instruction.opcode == corpus::Opcode::ret &&
                    source.signature.returnType.isPointer());
          });
      const unsigned all = candidates(source);
      for (unsigned gone = all; gone != 0 && goesElsewhere;
           gone = (gone - 1) & all)
        if (const auto target = without(source, gone)) {
          EXPECT_FALSE(deletions.explain(source, *target));
          ++asked;
        }
    }
    EXPECT_GT(asked, 200U) << spec;
  }
}

} // namespace
} // namespace runner
