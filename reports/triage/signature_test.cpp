// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What LLVM developers would call one bug, and what they would call two.
#include "reports/triage/signature.h"

#include "corpus/program/print.h"

#include <gtest/gtest.h>

namespace reports {
namespace {

using checker::Kind;
using corpus::Flags;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

const Type i1 = Type::integer(1);

/// mul i1 in one of its spellings, with `flags`.
Program product(bool constant, bool commuted, Flags flags) {
  Program program;
  program.signature.returnType = i1;
  const Operand a = program.addParameter(i1);
  const Operand b =
      constant ? Operand::constant(i1, 1) : program.addParameter(i1);
  const Operand result = commuted
                             ? program.append(Opcode::mul, i1, {b, a}, flags)
                             : program.append(Opcode::mul, i1, {a, b}, flags);
  program.append(Opcode::ret, Type(), {result});
  return program;
}

/// `outer (shl nuw nsw %a, 0), %b`, or the multiplication that Reassociate
/// makes of the shift.
Program shifted(std::optional<Opcode> outer, bool asProduct) {
  Program program;
  program.signature.returnType = i1;
  const Operand a = program.addParameter(i1);
  const Operand b = program.addParameter(i1);
  const Flags flags = corpus::flag::nuw | corpus::flag::nsw;
  Operand value = asProduct
                      ? program.append(Opcode::mul, i1,
                                       {a, Operand::constant(i1, 1)}, flags)
                      : program.append(Opcode::shl, i1,
                                       {a, Operand::constant(i1, 0)}, flags);
  if (outer)
    value = program.append(*outer, i1, {value, b});
  program.append(Opcode::ret, Type(), {value});
  return program;
}

class SignatureTest : public testing::Test {
protected:
  std::string sign(const Program &source, const Program &target,
                   Kind kind = Kind::morePoison,
                   std::string_view pass = "pass") {
    const checker::Verdict verdict = checker_.check(source, target, {});
    EXPECT_EQ(verdict.word, checker::VerdictWord::wrong);
    EXPECT_EQ(verdict.kind, kind);
    const Core core = coreOf(source, target, kind, {}, checker_);
    const checker::Verdict again = checker_.check(core.source, core.target, {});
    EXPECT_EQ(again.word, checker::VerdictWord::wrong);
    EXPECT_EQ(again.kind, core.kind);
    return signatureOf(pass, core);
  }
  checker::Checker checker_;
};

TEST_F(SignatureTest, CommutedOperandsAreOneBug) {
  const Flags none;
  const Flags nsw = corpus::flag::nsw;
  for (const bool constant : {false, true})
    EXPECT_EQ(
        sign(product(constant, false, none), product(constant, false, nsw)),
        sign(product(constant, true, none), product(constant, true, nsw)));
}

TEST_F(SignatureTest, FlagsThatAreNotToBlameDoNotCount) {
  const Flags nsw = corpus::flag::nsw;
  EXPECT_EQ(sign(product(false, false, {}), product(false, false, nsw)),
            sign(product(false, false, {}),
                 product(false, false, nsw | corpus::flag::nuw)));
}

TEST_F(SignatureTest, TheSameMistakeInAnotherContextIsOneBug) {
  const std::string bare = sign(shifted({}, false), shifted({}, true));
  for (const Opcode outer : {Opcode::add, Opcode::mul, Opcode::xor_})
    EXPECT_EQ(sign(shifted(outer, false), shifted(outer, true)), bare);
}

/// Poison made by the same wrong flag, seen as UB by a division and as a value
/// by a freeze.
TEST_F(SignatureTest, WhatAUseMakesOfTheMistakeDoesNotCount) {
  const auto used = [](Opcode use, corpus::Flags flags) {
    Program program = product(false, false, flags);
    program.instructions.pop_back();
    program.operands.pop_back();
    const Operand value = Operand::instruction(i1, 0);
    const Operand result =
        use == Opcode::freeze
            ? program.append(use, i1, {value})
            : program.append(use, i1, {Operand::constant(i1, 1), value});
    program.append(Opcode::ret, Type(), {result});
    return program;
  };
  const corpus::Flags nsw = corpus::flag::nsw;
  const std::string bare =
      sign(product(false, false, {}), product(false, false, nsw));
  EXPECT_EQ(bare, sign(used(Opcode::udiv, {}), used(Opcode::udiv, nsw),
                       Kind::moreUb));
  EXPECT_EQ(bare, sign(used(Opcode::freeze, {}), used(Opcode::freeze, nsw),
                       Kind::value));
}

/// A division that nothing uses is UB of the same mistake.
TEST_F(SignatureTest, ADeadDivisionByTheMistakeDoesNotCount) {
  const auto divided = [](bool returns, corpus::Flags flags) {
    Program program = product(false, false, flags);
    program.instructions.pop_back();
    program.operands.pop_back();
    program.append(Opcode::udiv, i1,
                   {program.addParameter(i1), Operand::instruction(i1, 0)});
    if (returns) {
      program.append(Opcode::ret, Type(), {Operand::constant(i1, 0)});
    } else {
      program.append(Opcode::ret, Type(), {});
      program.signature.returnType = Type();
    }
    return program;
  };
  const corpus::Flags nsw = corpus::flag::nsw;
  for (const bool returns : {false, true})
    EXPECT_EQ(sign(product(false, false, {}), product(false, false, nsw)),
              sign(divided(returns, {}), divided(returns, nsw), Kind::moreUb));
}

/// A range that is wrong is one bug, whatever the function and the range.
TEST_F(SignatureTest, WrongAttributesAreOneBug) {
  const auto pair = [&](corpus::Predicate predicate, std::uint64_t bit) {
    Program source;
    source.signature.returnType = i1;
    const Operand a = source.addParameter(i1);
    source.append(
        Opcode::ret, Type(),
        {source.append(Opcode::icmp, i1, {Operand::constant(i1, 0), a}, {},
                       predicate)});
    Program target = source;
    target.signature.result = {corpus::attribute::range, bit, 1 - bit};
    return sign(source, target);
  };
  EXPECT_EQ(pair(corpus::Predicate::eq, 0), pair(corpus::Predicate::ne, 0));
  EXPECT_EQ(pair(corpus::Predicate::eq, 0), pair(corpus::Predicate::eq, 1));
}

TEST_F(SignatureTest, OtherPassesKindsAndMistakesAreOtherBugs) {
  const Program source = product(false, false, {});
  const Program target = product(false, false, corpus::flag::nsw);
  const std::string one = sign(source, target);
  EXPECT_NE(one, sign(source, target, Kind::morePoison, "other"));
  EXPECT_NE(one, sign(shifted({}, false), shifted({}, true)));
  Program constant = source;
  constant.operands.back() = Operand::constant(i1, 1);
  EXPECT_NE(one, sign(source, constant, Kind::value));
}

TEST(CanonicalPass, HasNoOptionsAndItsNewestName) {
  EXPECT_EQ(canonicalPass("instcombine<no-verify-fixpoint>"), "instcombine");
  EXPECT_EQ(canonicalPass("gvn"), "gvn");
  EXPECT_EQ(canonicalPass("flattencfg"), "flatten-cfg");
  EXPECT_EQ(canonicalPass("flatten-cfg"), "flatten-cfg");
}

} // namespace
} // namespace reports
