// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules against what stands beside them in corpus/known/rules, and the meaning
// of the language against SMT-LIB's definitions and LLVM's documentation.
#include "checker/rules/prove.h"

#include "checker/rules/expectations.h"
#include "checker/rules/parse.h"
#include "checker/rules/print.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using ::testing::HasSubstr;

namespace checker::rules {
namespace {

Proof proofOf(const std::string &text, std::string_view semantics = "llvm",
              Engine engine = Engine::automatic) {
  const auto rules = parseRules(text);
  EXPECT_TRUE(rules) << (rules ? "" : rules.error().message);
  Prover prover({}, engine);
  return prover.prove((*rules)[0], {*parseSemantics(semantics)})[0];
}

/// The suite is for every day: `irsieve prove` goes on to 64 bits.
ProofLimits narrow() {
  ProofLimits limits;
  limits.width = 8;
  return limits;
}

/// The widths that a file names, as far as they are looked at.
std::string narrowed(std::string widths) {
  const std::size_t at = widths.find("i64");
  return at == widths.npos ? widths : widths.replace(at, 3, "i8");
}

void expectWhatTheFileSays(const std::string &path) {
  const std::string text = textOfFile(path);
  const auto rules = parseRules(text);
  ASSERT_TRUE(rules) << rules.error().message;
  const auto expected = expectationsIn(text);
  EXPECT_EQ(expected.size(), rules->size());
  Prover prover(narrow());
  for (const Rule &rule : *rules)
    for (const auto &[preset, answer] : expected.at(rule.name).answers) {
      const Proof proof = prover.prove(rule, {*parseSemantics(preset)})[0];
      EXPECT_EQ(answerOf(proof), answer)
          << rule.name << " under " << preset << ": " << widthsOf(proof) << " "
          << proof.reason << "\n"
          << proof.counterexample;
      const auto &widths = expected.at(rule.name).widths;
      if (const auto found = widths.find(preset); found != widths.end()) {
        EXPECT_EQ(widthsOf(proof), narrowed(found->second)) << rule.name;
      }
      for (const std::string &line : expected.at(rule.name).example)
        EXPECT_THAT(proof.counterexample, HasSubstr(line)) << rule.name;
    }
}

TEST(Prove, RulesOfThePaper) {
  expectWhatTheFileSays("corpus/known/rules/paper.opt");
}

TEST(Prove, KnownBugsAsRules) {
  expectWhatTheFileSays("corpus/known/rules/known.opt");
}

/// A rule that is right only because its precondition cannot hold.
bool neverHolds(const std::string &precondition) {
  return proofOf("Pre: " + precondition +
                 "\n%a = add i4 %x, C1\n%r = add %a, C2\n"
                 "=>\n%r = xor %a, 1\n")
             .word == VerdictWord::refines;
}

TEST(Prove, ConstantExpressionsAreTotalAsInSmtLib) {
  struct Fact {
    int c1;
    int c2;
    const char *expression;
    int value;
  };
  for (const Fact &fact :
       std::initializer_list<Fact>{{7, 0, "C1 /u C2", -1},
                                   {7, 0, "C1 %u C2", 7},
                                   {7, 0, "C1 / C2", -1},
                                   {-3, 0, "C1 / C2", 1},
                                   {-3, 0, "C1 % C2", -3},
                                   {-8, -1, "C1 / C2", -8},
                                   {-8, -1, "C1 % C2", 0},
                                   {-7, 2, "C1 / C2", -3},
                                   {-7, 2, "C1 % C2", -1},
                                   {5, 4, "C1 << C2", 0},
                                   {5, 1, "C1 << C2", -6},
                                   {-8, 9, "C1 >> C2", -1},
                                   {-8, 1, "C1 >> C2", -4},
                                   {-8, 1, "C1 u>> C2", 4},
                                   {-8, 5, "C1 u>> C2", 0},
                                   {-8, 1, "abs(C1)", -8},
                                   {-3, 1, "abs(C1)", 3},
                                   {6, 1, "log2(C1)", 2},
                                   {-8, 1, "log2(C1)", 3},
                                   {0, 1, "log2(C1)", 0},
                                   {1, 2, "umax(C1, C2)", 2},
                                   {-1, 2, "umax(C1, C2)", -1},
                                   {-1, 2, "max(C1, C2)", 2},
                                   {3, 0, "countLeadingZeros(C1)", 2},
                                   {4, 0, "countTrailingZeros(C1)", 2},
                                   {-1, 0, "ComputeNumSignBits(C1)", 4},
                                   {3, 0, "ComputeNumSignBits(C1)", 2},
                                   {5, 3, "C1 & C2 | 8 ^ C1", 5 - 8},
                                   {5, 3, "C1 + C2 * 2 - 1", -6},
                                   {5, 3, "~C1 - -C2", -3},
                                   {5, 3, "width(C1) << 1 - C2", 0}}) {
    const std::string given =
        fmt::format("C1 == {} && C2 == {} && ", fact.c1, fact.c2);
    EXPECT_TRUE(neverHolds(
        fmt::format("{}{} != {}", given, fact.expression, fact.value)))
        << fact.c1 << " " << fact.c2 << " " << fact.expression;
    EXPECT_FALSE(neverHolds(
        fmt::format("{}{} == {}", given, fact.expression, fact.value)))
        << fact.c1 << " " << fact.c2 << " " << fact.expression;
  }
}

// LLVM's APInt and ValueTracking on single constants.
TEST(Prove, PredicatesOfConstantsAreExact) {
  const auto always = [](const std::string &condition, int c) {
    const std::string given = fmt::format("C1 == {} && C2 == 0 && ", c);
    return neverHolds(given + "!" + condition) &&
           !neverHolds(given + condition);
  };
  EXPECT_TRUE(always("isPowerOf2(C1)", 4));
  EXPECT_TRUE(always("isPowerOf2(C1)", -8));
  EXPECT_FALSE(always("isPowerOf2(C1)", 0));
  EXPECT_FALSE(always("isPowerOf2(C1)", 6));
  EXPECT_TRUE(always("isPowerOf2OrZero(C1)", 0));
  EXPECT_TRUE(always("isShiftedMask(C1)", 6));
  EXPECT_TRUE(always("isShiftedMask(C1)", 4));
  EXPECT_FALSE(always("isShiftedMask(C1)", 5));
  EXPECT_FALSE(always("isShiftedMask(C1)", 0));
  EXPECT_TRUE(always("isSignBit(C1)", -8));
  EXPECT_FALSE(always("isSignBit(C1)", 4));
  EXPECT_TRUE(always("MaskedValueIsZero(C1, 3)", 4));
  EXPECT_FALSE(always("WillNotOverflowSignedAdd(C1, 4)", 4));
  EXPECT_TRUE(always("WillNotOverflowUnsignedAdd(C1, 4)", 4));
  EXPECT_FALSE(always("WillNotOverflowUnsignedSub(C1, 5)", 4));
  EXPECT_FALSE(always("WillNotOverflowSignedSub(C1, 5)", -4));
  EXPECT_FALSE(always("WillNotOverflowSignedMul(C1, 4)", 2));
  EXPECT_TRUE(always("WillNotOverflowUnsignedMul(C1, 4)", 2));
  EXPECT_FALSE(always("WillNotOverflowUnsignedShl(C1, 3)", 2));
}

// An analysis may not know (paper, section 3.1.1; Alive's issue 11): that it
// does not say `no overflow` says nothing.
TEST(Prove, AnalysesOfValuesMayNotKnow) {
  const std::string body = "%0 = add i8 %a, C\n%r = icmp sge %a, %0\n=>\n"
                           "%r = true\n";
  EXPECT_EQ(
      proofOf("Pre: C >= 0 && !WillNotOverflowSignedAdd(%a, C)\n" + body).word,
      VerdictWord::wrong);
  EXPECT_EQ(proofOf("Pre: MaskedValueIsZero(%x, 1)\n%r = and i8 %x, -2\n=>\n"
                    "%r = %x\n")
                .word,
            VerdictWord::refines);
  EXPECT_EQ(proofOf("Pre: (C | computeKnownZeroBits(%x)) == -1\n"
                    "%r = and i8 %x, C\n=>\n%r = %x\n")
                .word,
            VerdictWord::refines);
  EXPECT_EQ(proofOf("Pre: (C & computeKnownZeroBits(%x)) == C\n"
                    "%r = add i8 %x, C\n=>\n%r = or %x, C\n")
                .word,
            VerdictWord::refines);
  EXPECT_EQ(proofOf("Pre: ComputeNumSignBits(%x) > C\n%r = shl i8 %x, C\n=>\n"
                    "%r = shl nsw %x, C\n")
                .word,
            VerdictWord::refines);
  EXPECT_EQ(proofOf("Pre: ComputeNumSignBits(%x) >= C\n%r = shl i8 %x, C\n=>\n"
                    "%r = shl nsw %x, C\n")
                .word,
            VerdictWord::wrong);
}

// Of a poison value an analysis may say what it likes; the rule must hold there
// too.
TEST(Prove, AFactIsNotATruthAboutPoison) {
  const std::string rule = "Pre: MaskedValueIsZero(%x, -2)\n%f = freeze i6 %x\n"
                           "%r = and %f, 1\n=>\n%r = %x\n";
  EXPECT_EQ(proofOf(rule, "defined-inputs").word, VerdictWord::refines);
  EXPECT_EQ(proofOf(rule, "llvm").word, VerdictWord::wrong);
}

// What the source computes may be poison though its operands are numbers, and
// then a fact about it leaves out nothing either (LangRef: add nsw, shl).
TEST(Prove, AFactAboutAResultIsNotATruthAboutPoison) {
  const auto answer = [](const std::string &sum, std::string_view preset) {
    return answerOf(proofOf("Pre: MaskedValueIsZero(%y, -2)\n%y = " + sum +
                                "\n%f = freeze %y\n%r = and %f, 1\n=>\n"
                                "%r = %y\n",
                            preset));
  };
  EXPECT_EQ(answer("add nsw i4 %a, %b", "defined-inputs"), "wrong more-poison");
  EXPECT_EQ(answer("shl i4 %a, %b", "defined-inputs"), "wrong more-poison");
  EXPECT_EQ(answer("add i4 %a, %b", "defined-inputs"), "correct");
  EXPECT_EQ(answer("add i4 %a, %b", "llvm"), "wrong more-poison");
  EXPECT_EQ(answer("add nsw i4 %a, %b", "overflow-undef"), "unsupported");
  // Where the source is poison too, the fact is of use.
  EXPECT_EQ(answerOf(proofOf("Pre: isPowerOf2(%y)\n%y = shl nsw i4 %a, %b\n"
                             "%r = urem %x, %y\n=>\n%m = sub %y, 1\n"
                             "%r = and %x, %m\n")),
            "correct");
  EXPECT_EQ(answerOf(proofOf("Pre: (C & computeKnownZeroBits(%y)) == C\n"
                             "%y = mul nuw i4 %a, %b\n%r = add %y, C\n=>\n"
                             "%r = or %y, C\n")),
            "correct");
  EXPECT_EQ(answerOf(proofOf("Pre: (C & computeKnownOneBits(%y)) == 0\n"
                             "%y = mul nuw i4 %a, %b\n%r = add %y, C\n=>\n"
                             "%r = or %y, C\n")),
            "wrong value");
}

// What freeze picked is a number, and the fact is true of every pick.
TEST(Prove, AFactAboutAFrozenValue) {
  EXPECT_EQ(answerOf(proofOf("Pre: MaskedValueIsZero(%f, -2)\n"
                             "%f = freeze i4 %x\n%r = and %f, 1\n=>\n"
                             "%r = %x\n")),
            "correct");
  const Proof proof = proofOf("Pre: MaskedValueIsZero(%y, -2)\n"
                              "%f = freeze i4 %x\n%y = add nsw %f, 1\n"
                              "%r = and %y, 1\n=>\n%r = %y\n");
  EXPECT_EQ(proof.word, VerdictWord::unsupported);
  EXPECT_THAT(proof.reason, HasSubstr("computed from a pick"));
}

// Other users of %y may run before the division does, or without it.
TEST(Prove, ADivisionThatARegisterDoesNotNeedIsNotExecutedForIt) {
  const std::string target = "=>\n%z = icmp eq %b, 0\n%p = add %a, 1\n"
                             "%y = select %z, 0, %p\n%r = mul %d, %y\n";
  const Proof proof = proofOf(
      "%y = add i4 %a, 1\n%d = udiv exact %x, %b\n%r = mul %d, %y\n" + target);
  EXPECT_EQ(proof.word, VerdictWord::wrong);
  EXPECT_THAT(proof.counterexample, HasSubstr("i4 %y"));
  const Proof claimed =
      proofOf("Pre: isPowerOf2(%d)\n%y = add i4 %a, 1\n%d = udiv %x, %b\n"
              "%r = mul %d, %y\n" +
              target);
  EXPECT_EQ(claimed.word, VerdictWord::unsupported);
  EXPECT_EQ(claimed.reason, "a fact about a division that %y does not need");
}

TEST(Prove, MoreTypingsThanCanBeLookedAt) {
  std::string source = "%a0 = zext %x0 to i64\n";
  for (int i = 1; i < 5; ++i)
    source += fmt::format("%z{0} = zext %x{0} to i64\n"
                          "%a{0} = xor %a{1}, %z{0}\n",
                          i, i - 1);
  ProofLimits limits;
  limits.maximumTypings = 100;
  Prover prover(limits);
  const auto rules = parseRules(source + "=>\n%a4 = xor %z4, %a3\n");
  const Proof proof = prover.prove((*rules)[0], {Semantics()})[0];
  EXPECT_EQ(proof.word, VerdictWord::undecided);
  EXPECT_EQ(proof.right, 32U);
  EXPECT_EQ(proof.reason, "more than 100 typings: open types of more than 2 "
                          "bits are not looked at");
}

// A register that the target defines again may have other users, unless the
// rule says that it has none.
TEST(Prove, EveryRegisterThatIsReplacedCounts) {
  const std::string body = "%y = lshr i6 %a, %b\n%r = and %y, 1\n=>\n"
                           "%y = ashr %a, %b\n%r = and %y, 1\n";
  const Proof proof = proofOf(body);
  EXPECT_EQ(proof.word, VerdictWord::wrong);
  EXPECT_THAT(proof.counterexample, HasSubstr("%y"));
  EXPECT_NE(proofOf("Pre: hasOneUse(%y)\n" + body).counterexample,
            proof.counterexample);
  EXPECT_EQ(
      proofOf("Pre: hasOneUse(%y)\n%y = mul i6 %a, 2\n%r = xor %y, -1\n=>\n"
              "%y = add %a, 1\n%z = shl %a, 1\n%r = xor %z, -1\n")
          .word,
      VerdictWord::refines);
}

// Products and quotients of wide words are looked at operand by operand, and
// power by power: each must say no.
TEST(Prove, WideProductsAndQuotientsThatAreWrong) {
  const auto answer = [](const std::string &rule) {
    return answerOf(proofOf(rule));
  };
  // 1 << 32 is no number that an i33 has without a sign.
  const auto shifted = [&](const std::string &flags) {
    return answer("Pre: hasOneUse(%Y)\n"
                  "%s = shl i33 1, %A\n%Y = lshr %s, %B\n%r = udiv %X, %Y\n"
                  "=>\n%d = sub %A, %B\n%Y = shl " +
                  flags + " 1, %d\n%r = udiv %X, %Y\n");
  };
  EXPECT_EQ(shifted("nuw"), "correct");
  EXPECT_EQ(shifted("nsw"), "wrong more-ub");
  const auto exact = [&](const std::string &precondition) {
    return answer("Pre: " + precondition +
                  "\n%r = sdiv exact i24 %x, C\n"
                  "=>\n%r = ashr exact %x, log2(C)\n");
  };
  EXPECT_EQ(exact("isPowerOf2(C) && C > 0"), "correct");
  EXPECT_EQ(exact("isPowerOf2(C)"), "wrong value"); // of INT_MIN alone
  const auto product = [&](const std::string &operation) {
    return answer("%a = and %x, -4\n%b = add i24 %a, 3\n%r = mul %b, %y\n"
                  "=>\n%b = " +
                  operation + " %a, 3\n%r = mul %b, %y\n");
  };
  EXPECT_EQ(product("or disjoint"), "correct");
  EXPECT_EQ(product("and"), "wrong value");
}

TEST(Prove, ComparisonsByAnyPredicate) {
  EXPECT_EQ(
      proofOf("%1 = icmp i6 %n, %a\n%2 = xor %1, true\n%r = xor %2, true\n"
              "=>\n%r = %1\n")
          .word,
      VerdictWord::refines);
  const Proof proof =
      proofOf("%r = icmp n i6 %a, %b\n=>\n%r = icmp n %b, %a\n");
  EXPECT_EQ(proof.word, VerdictWord::wrong);
  EXPECT_THAT(proof.counterexample, HasSubstr("icmp n = ugt"));
}

TEST(Prove, BothEnginesAgreeOnNarrowTypes) {
  for (const char *rule :
       {"Pre: isPowerOf2(C)\n%r = udiv i6 %x, C\n=>\n%r = lshr %x, log2(C)\n",
        "Pre: C2 % (1 << C1) == 0\n%s = shl nsw i5 %X, C1\n"
        "%r = sdiv %s, C2\n=>\n%r = sdiv %X, C2 / (1 << C1)\n",
        "Pre: MaskedValueIsZero(%x, C)\n%r = add i6 %x, C\n=>\n"
        "%r = or %x, C\n"}) {
    const Proof proof = proofOf(rule, "llvm", Engine::both);
    EXPECT_NE(proof.word, VerdictWord::undecided) << proof.reason;
    EXPECT_EQ(proof.word, proofOf(rule).word) << rule;
    EXPECT_EQ(proof.word, proofOf(rule, "llvm", Engine::smt).word) << rule;
  }
}

TEST(Prove, WhatCannotBeDecidedSaysFromWhichWidthOn) {
  const auto rules = parseRules("%d = udiv %x, %y\n%r = udiv %d, %z\n=>\n"
                                "%e = udiv %x, %z\n%r = udiv %e, %y\n");
  ProofLimits limits;
  limits.check.bitSlicedWork = 1 << 13;
  limits.check.smt.resources = 20'000;
  Prover prover(limits);
  const Proof proof = prover.prove((*rules)[0], {Semantics()})[0];
  EXPECT_EQ(proof.word, VerdictWord::undecided);
  EXPECT_GT(proof.right, 0U);
  EXPECT_THAT(proof.reason, HasSubstr("from i"));
}

} // namespace
} // namespace checker::rules
