// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The language as the Alive paper and Alive's own files write it: what is read,
// what is refused and where, and which typings a rule has.
#include "checker/rules/parse.h"
#include "checker/rules/print.h"
#include "checker/rules/prove.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using ::testing::HasSubstr;

namespace checker::rules {
namespace {

Rule ruleOf(const std::string &text) {
  auto rules = parseRules(text);
  EXPECT_TRUE(rules) << (rules ? "" : rules.error().message);
  EXPECT_EQ(rules->size(), 1U);
  return (*rules)[0];
}

std::string errorOf(const std::string &text) {
  const auto rules = parseRules(text);
  return rules ? "no error" : rules.error().message;
}

std::size_t countTypings(const std::string &text) {
  return typingsOf(ruleOf(text)).size();
}

TEST(Parse, SeveralRulesWithCommentsEverywhere) {
  const auto rules = parseRules("; a comment\n"
                                "%c = add %a, %b ; another\n"
                                "  =>\n"
                                "%c = add %b, %a\n"
                                "\n"
                                "Name: second; with a sign\n"
                                "; between\n"
                                "Pre: C == 1 ; why\n"
                                "%r = sdiv %x, C => %r = %x\n"
                                "; the end\n");
  ASSERT_TRUE(rules) << rules.error().message;
  ASSERT_EQ(rules->size(), 2U);
  EXPECT_EQ((*rules)[0].name, "1");
  EXPECT_EQ((*rules)[1].name, "second; with a sign");
  EXPECT_EQ((*rules)[1].line, 6U);
}

TEST(Parse, WhatIsPrintedIsReadBack) {
  for (const char *text :
       {"Name: a\nPre: C1 & C2 == 0 || C1 | C2 ^ 1 u>= -C2 && !isSignBit(C1)"
        "\n%a = add nuw nsw %x, C1\n%r = sub %a, C2\n=>\n"
        "%r = sub %x, (C1 + C2) * 2 << 1 - (C2 - 3)\n",
        "Name: b\nPre: C1 u< C2 && hasOneUse(%z)\n%z = zext i8 %x to i16\n"
        "%c = icmp ult %z, C1\n%r = select %c, %z, C2\n=>\n"
        "%c2 = icmp ult %x, trunc(C1)\n%r = select %c2, %z, C2\n",
        "Name: c\n%r = select undef, i4 -1, 0\n=>\n%r = ashr undef, 3\n"}) {
    const Rule rule = ruleOf(text);
    EXPECT_EQ(toText(rule), text);
  }
}

TEST(Parse, ErrorsSayWhereAndWhatWasExpected) {
  EXPECT_EQ(errorOf("%r = add %x = %y\n=>\n%r = %x\n"),
            "line 1: expected ',' before '= %y'");
  EXPECT_THAT(errorOf("\n%r = mul exact %x, %y\n=>\n%r = %x\n"),
              HasSubstr("line 2: expected operands (mul has no exact)"));
  EXPECT_THAT(errorOf("%r = add %x, 1\n=>\n%r = add %x, C\n"),
              HasSubstr("line 3: C is not in the source template"));
  EXPECT_THAT(errorOf("%r = add %x, C+1\n=>\n%r = %x\n"),
              HasSubstr("line 1: expected a register or a plain constant"));
  EXPECT_THAT(errorOf("%r = add %x, 1\n"), HasSubstr("expected '=>'"));
  EXPECT_THAT(errorOf("%a = add %x, 1\n%r = add %x, 2\n=>\n%r = %x\n"),
              HasSubstr("line 1: %a is neither used nor does it replace"));
  EXPECT_THAT(errorOf("%r = add %x, 1\n=>\n%s = add %x, 2\n"),
              HasSubstr("expected a target that defines a register"));
  EXPECT_THAT(errorOf("Pre: isPowerOf2(C, C)\n%r = add %x, C\n=>\n%r = %x\n"),
              HasSubstr("line 1: expected 1 argument of isPowerOf2, not 2"));
  EXPECT_THAT(errorOf("Pre: C\n%r = add %x, C\n=>\n%r = %x\n"),
              HasSubstr("line 1: expected a comparison"));
  EXPECT_THAT(errorOf("%r = add %x, 1\n%r = add %x, 1\n=>\n%r = %x\n"),
              HasSubstr("line 2: %r is defined a second time"));
  EXPECT_THAT(errorOf("%r = frobnicate %x\n=>\n%r = %x\n"),
              HasSubstr("line 1: expected an instruction or an operand"));
  EXPECT_THAT(errorOf("%r = add i4 %x, 99\n=>\n%r = %x\n"),
              HasSubstr("line 1: expected a number that i4 has"));
}

// Of a line that ends too early its last 60 characters.
TEST(Parse, ErrorsAtTheEndOfALine) {
  const auto errorOfLength = [](std::size_t length) {
    const std::string begin = "%r = add %";
    return errorOf(begin + std::string(length - begin.size() - 1, 'x') +
                   ",\n=>\n%r = %x\n");
  };
  EXPECT_THAT(errorOfLength(60), HasSubstr(" at the end of '%r = add %x"));
  EXPECT_THAT(errorOfLength(61), HasSubstr(" at the end of '...r = add %x"));
}

TEST(Parse, UnknownFunctionsAndPredicates) {
  EXPECT_THAT(errorOf("Pre: isOdd(C)\n%r = add %x, C\n=>\n%r = %x\n"),
              ::testing::AllOf(HasSubstr("line 1: expected one of abs, "),
                               HasSubstr(", isPowerOf2, "),
                               HasSubstr(" before 'isOdd(C)'")));
  EXPECT_THAT(errorOf("%r = add %x, C\n=>\n%r = add %x, foo(C)\n"),
              ::testing::AllOf(HasSubstr("line 3: expected one of abs, "),
                               ::testing::Not(HasSubstr("isPowerOf2")),
                               HasSubstr(" before 'foo(C)'")));
}

// Files may be hostile; each of these would end the process otherwise.
TEST(Parse, LimitsOfWhatARuleMayHave) {
  const auto repeated = [](std::string_view text, std::size_t times) {
    std::string result;
    while (times-- != 0)
      result += text;
    return result;
  };
  const std::string body = "\n%r = add %x, C\n=>\n%r = %x\n";
  const auto nests = HasSubstr("expected at most 200 levels of nesting");
  EXPECT_THAT(errorOf("Pre: " + repeated("(", 9000) + "C" +
                      repeated(")", 9000) + " == 0" + body),
              nests);
  EXPECT_THAT(errorOf("Pre: " + repeated("!", 9000) + "isSignBit(C)" + body),
              nests);
  EXPECT_THAT(errorOf("Pre: " + repeated("~", 9000) + "C == 0" + body), nests);
  EXPECT_THAT(errorOf("%r = load " + repeated("[1 x ", 9000) + "i8" + body),
              nests);
  EXPECT_THAT(errorOf("Pre: 1" + repeated("+1", 9000) + " == C" + body),
              HasSubstr("line 1: expected at most 1000 instructions"));
  EXPECT_THAT(errorOf("%r = add %x, " + repeated("1", 100'000)),
              HasSubstr("line 1: expected a line of at most 65536 characters"));
  EXPECT_THAT(errorOf("%r = add %x," + repeated(" ", 1000) + ", %y" + body),
              ::testing::SizeIs(::testing::Lt(200U)));
}

TEST(Parse, WhatIsLeftOutIsUnsupportedByName) {
  EXPECT_EQ(ruleOf("%p = alloca Ty, 0\n=>\n%p = null\n").unsupported, "alloca");
  EXPECT_EQ(ruleOf("store %x, i64* %p\n=>\nstore %x, %p\n").unsupported,
            "store");
  EXPECT_EQ(ruleOf("%v = load i5* null\n=>\nunreachable\n").unsupported,
            "load");
  EXPECT_EQ(ruleOf("a:\n%0 = icmp eq %a, %b\nbr %0, label %x, label %y\n=>\n"
                   "%0 = false\n")
                .unsupported,
            "basic block");
  EXPECT_EQ(ruleOf("%r = add i99 %x, %y\n=>\n%r = %x\n").unsupported,
            "type i99");
}

TEST(Typing, EveryFeasibleOneUpTo64Bits) {
  EXPECT_EQ(countTypings("%r = add %x, %y\n=>\n%r = add %y, %x\n"), 64U);
  EXPECT_EQ(countTypings("%r = add i7 %x, %y\n=>\n%r = add %y, %x\n"), 1U);
  // Pairs of different widths.
  EXPECT_EQ(countTypings("%r = zext %x\n=>\n%r = sext %x\n"), 64U * 63 / 2);
  EXPECT_EQ(countTypings("%r = zext %x to i8\n=>\n%r = sext %x\n"), 7U);
  // 3 is no signed number of i1 and i2, and -2 none of i1.
  EXPECT_EQ(countTypings("%r = add %x, 3\n=>\n%r = add 3, %x\n"), 62U);
  EXPECT_EQ(countTypings("%r = add %x, -2\n=>\n%r = add -2, %x\n"), 63U);
  // A sum that must fit into something wider: not of i64.
  EXPECT_EQ(countTypings("Pre: zext(C1+C2) >= width(C1)\n%a = shl %x, C1\n"
                         "%r = shl %a, C2\n=>\n%r = 0\n"),
            63U);
  EXPECT_EQ(countTypings("%a = zext %x to i4\n%r = trunc %a to i9\n=>\n"
                         "%r = zext %x\n"),
            0U);
  EXPECT_EQ(countTypings("%c = icmp eq %x, %y\n%r = select %c, %a, %b\n=>\n"
                         "%r = %a\n"),
            64U * 64);
}

} // namespace
} // namespace checker::rules
