// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites that LLVM made, as functions, against the rules that its source code
// has for them.
#include "checker/rules/generalise.h"

#include "checker/rules/print.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;
using ::testing::HasSubstr;

namespace checker::rules {
namespace {

namespace flag = corpus::flag;

ProofLimits narrow() {
  ProofLimits limits;
  limits.width = 8;
  return limits;
}

/// `ret (second (first %a, c1), c2)` of iN.
Program chain(unsigned width, Opcode first, std::uint64_t c1,
              corpus::Flags firstFlags, Opcode second, std::uint64_t c2,
              corpus::Flags secondFlags = {}) {
  const Type type = Type::integer(width);
  Program program;
  program.signature.returnType = type;
  Operand value = program.addParameter(type);
  value = program.append(first, type, {value, Operand::constant(type, c1)},
                         firstFlags);
  value = program.append(second, type, {value, Operand::constant(type, c2)},
                         secondFlags);
  program.append(Opcode::ret, Type(), {value});
  return program;
}

Program single(unsigned width, Opcode opcode, std::uint64_t c,
               corpus::Flags flags = {}) {
  const Type type = Type::integer(width);
  Program program;
  program.signature.returnType = type;
  const Operand value = program.append(
      opcode, type, {program.addParameter(type), Operand::constant(type, c)},
      flags);
  program.append(Opcode::ret, Type(), {value});
  return program;
}

// InstCombine: (x + 3) + 2 becomes x + 5.
TEST(Generalise, ARightRewriteBecomesATheorem) {
  Prover prover(narrow());
  const std::vector<Rewrite> seen = {
      {chain(4, Opcode::add, 3, {}, Opcode::add, 2),
       single(4, Opcode::add, 5)}};
  const auto result = generalise(seen, Semantics(), prover);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->proof.word, VerdictWord::refines);
  EXPECT_EQ(widthsOf(result->proof), "right for i1-i8");
  EXPECT_THAT(toText(result->rule), HasSubstr("add %a0, C1 + C2"));
}

// What a constant is of those before it, in rules that InstCombine has.
TEST(Generalise, WhatAConstantIs) {
  struct Case {
    Rewrite rewrite;
    std::string_view formula;
  };
  const Case cases[] = {
      {{chain(4, Opcode::add, 3, {}, Opcode::sub, 5),
        single(4, Opcode::add, 14)},
       "C1 - C2"},
      {{chain(4, Opcode::and_, 6, {}, Opcode::and_, 12),
        single(4, Opcode::and_, 4)},
       "C1 & C2"},
      {{chain(4, Opcode::or_, 2, {}, Opcode::or_, 9),
        single(4, Opcode::or_, 11)},
       "C1 | C2"},
      {{chain(4, Opcode::xor_, 6, {}, Opcode::xor_, 12),
        single(4, Opcode::xor_, 10)},
       "C1 ^ C2"},
      {{chain(4, Opcode::mul, 3, {}, Opcode::mul, 7),
        single(4, Opcode::mul, 5)},
       "C1 * C2"},
      {{chain(4, Opcode::lshr, 3, {}, Opcode::shl, 3),
        single(4, Opcode::and_, 8)},
       "-1 << C1"},
      {{chain(4, Opcode::shl, 3, {}, Opcode::lshr, 3),
        single(4, Opcode::and_, 1)},
       "-1 u>> C1"},
      {{chain(4, Opcode::mul, 3, {}, Opcode::shl, 2),
        single(4, Opcode::mul, 12)},
       "C1 << C2"},
      {{single(4, Opcode::mul, 8), single(4, Opcode::shl, 3)}, "log2(C1)"},
  };
  Prover prover(narrow());
  for (const Case &each : cases) {
    const auto result =
        generalise(std::span(&each.rewrite, 1), Semantics(), prover);
    ASSERT_TRUE(result) << each.formula;
    EXPECT_EQ(result->proof.word, VerdictWord::refines) << each.formula;
    EXPECT_THAT(toText(result->rule), HasSubstr(each.formula));
  }
}

// x - C to x + -C keeps nsw but for the one constant whose negation overflows.
TEST(Generalise, AWrongRewriteSaysWhen) {
  Prover prover(narrow());
  const std::vector<Rewrite> seen = {{single(4, Opcode::sub, 8, flag::nsw),
                                      single(4, Opcode::add, 8, flag::nsw)},
                                     {single(4, Opcode::sub, 3, flag::nsw),
                                      single(4, Opcode::add, 13, flag::nsw)}};
  const auto result = generalise(seen, Semantics(), prover);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->proof.word, VerdictWord::wrong);
  EXPECT_EQ(widthsOf(result->proof), "wrong for i1-i8");
  EXPECT_THAT(toText(result->rule), HasSubstr("add nsw %a0, -C1"));
  EXPECT_EQ(result->wrongWhen, "isSignBit(C1)");
  ASSERT_TRUE(result->repaired);
  EXPECT_THAT(toText(*result->repaired), HasSubstr("Pre: !isSignBit(C1)"));
}

// kb06 (llvm-project#55291): that the dividend is used twice is wrong for -1 at
// every width, and right when it is frozen; of other divisors nothing is said.
TEST(Generalise, WhatTheSameRepairMakesRight) {
  const Type type = Type::integer(4);
  const auto target = [&](bool frozen) {
    Program program;
    program.signature.returnType = type;
    Operand x = program.addParameter(type);
    if (frozen)
      x = program.append(Opcode::freeze, type, {x});
    const Operand c = program.append(Opcode::icmp, Type::integer(1),
                                     {x, Operand::constant(type, type.mask())});
    const Operand r = program.append(Opcode::select, type,
                                     {c, Operand::constant(type, 0), x});
    program.append(Opcode::ret, Type(), {r});
    return program;
  };
  ProofLimits limits;
  limits.width = 4;
  Prover prover(limits);
  const std::vector<Rewrite> seen = {
      {single(4, Opcode::urem, 15), target(false), target(true)}};
  const auto result = generalise(seen, *parseSemantics("llvm-undef"), prover);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->proof.word, VerdictWord::wrong);
  EXPECT_EQ(result->proof.kind, Kind::moreUndef);
  ASSERT_TRUE(result->repaired);
  EXPECT_THAT(toText(*result->repaired), HasSubstr("freeze %a0"));
  const auto semantics = *parseSemantics("llvm-undef");
  EXPECT_EQ(prover.prove(*result->repaired, {semantics})[0].word,
            VerdictWord::refines)
      << toText(*result);
}

// kb19 (llvm-project#59301): without nsw it is right of i1 alone, so it is of
// i1 alone that anything is said.
TEST(Generalise, TypesThatTheRepairNeeds) {
  const auto product = [](corpus::Flags flags) {
    const Type type = Type::integer(1);
    Program program;
    program.signature.returnType = type;
    const Operand x = program.addParameter(type);
    const Operand y = program.addParameter(type);
    program.append(Opcode::ret, Type(),
                   {program.append(Opcode::mul, type, {x, y}, flags)});
    return program;
  };
  Prover prover(narrow());
  const std::vector<Rewrite> seen = {
      {product({}), product(flag::nuw | flag::nsw), product(flag::nuw)}};
  const auto result = generalise(seen, Semantics(), prover);
  ASSERT_TRUE(result);
  EXPECT_EQ(widthsOf(result->proof),
            "wrong for 1 and right for 0 of 1 typings");
  EXPECT_THAT(toText(result->rule), HasSubstr("mul i1 %a0, %a1"));
  ASSERT_TRUE(result->repaired);
  EXPECT_THAT(toText(*result->repaired), HasSubstr("mul nuw"));
}

TEST(Generalise, WhatTheLanguageCannotSay) {
  Prover prover(narrow());
  Program branches = single(4, Opcode::add, 1);
  branches.blocks.push_back(branches.blocks[0]);
  const std::vector<Rewrite> seen = {{branches, branches}};
  EXPECT_FALSE(generalise(seen, Semantics(), prover));
}

} // namespace
} // namespace checker::rules
