// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions against the instructions that a reader of them expects.
#include "enumerate/expression.h"

#include "corpus/program/print.h"

#include <gtest/gtest.h>

#include <string>

namespace enumerate {
namespace {

using corpus::Type;

/// What is between the braces, on one line.
std::string made(std::string_view text, Type type = Type::integer(4)) {
  corpus::Program program = makeExpression(text, type);
  program.append(corpus::Opcode::ret, Type(), {});
  const std::string function = corpus::printFunction(program);
  std::string body;
  for (std::size_t begin = function.find('\n') + 3;
       function.compare(begin, 3, "ret") != 0;
       begin = function.find('\n', begin) + 3)
    body += function.substr(begin, function.find('\n', begin) - begin) + "; ";
  return body;
}

TEST(Expression, numbersHaveTheTypeBesideThem) {
  EXPECT_EQ(made("add nsw nuw(x, -1)"), "%v0 = add nuw nsw i4 %a, -1; ");
  EXPECT_EQ(made("and(x, min)"), "%v0 = and i4 %a, -8; ");
  EXPECT_EQ(made("icmp ult(n, last)"), "%v0 = icmp ult i2 %a, 1; ");
  EXPECT_EQ(made("sub(width, n)"), "%v0 = sub i2 -2, %a; ");
  EXPECT_EQ(made("select(c, -1, m)"), "%v0 = select i1 %a, i2 -1, i2 %b; ");
  EXPECT_EQ(made("xor(c, true)"), "%v0 = xor i1 %a, true; ");
  EXPECT_EQ(made("ctlz(x, true)"),
            "%v0 = call i4 @llvm.ctlz.i4(i4 %a, i1 true); ");
}

TEST(Expression, castsSayWhatTheyAreTo) {
  EXPECT_EQ(made("zext(trunc half(x))"),
            "%v0 = trunc i4 %a to i2; %v1 = zext i2 %v0 to i4; ");
  EXPECT_EQ(made("sext(trunc bit(n))"),
            "%v0 = trunc i2 %a to i1; %v1 = sext i1 %v0 to i4; ");
  EXPECT_EQ(made("zext half(c)"), "%v0 = zext i1 %a to i2; ");
}

TEST(Expression, whatStandsThereTwiceIsOneValue) {
  EXPECT_EQ(made("mul(add(x, 1), add(x, 1))"),
            "%v0 = add i4 %a, 1; %v1 = mul i4 %v0, %v0; ");
  EXPECT_EQ(made("mul(add(x, 1), add nsw(x, 1))"),
            "%v0 = add i4 %a, 1; %v1 = add nsw i4 %a, 1; "
            "%v2 = mul i4 %v0, %v1; ");
}

TEST(Expression, lettersAreNumberedByFirstUse) {
  EXPECT_EQ(made("sub(z, add(y, z))"),
            "%v0 = add i4 %a, %b; %v1 = sub i4 %b, %v0; ");
}

/// What is between the braces of a function.
std::string bodyOf(std::string_view text, Type type = Type::integer(4)) {
  const corpus::Program program = makeFunction(text, type);
  EXPECT_EQ(corpus::verify(program), std::nullopt) << text;
  const std::string function = corpus::printFunction(program);
  const std::size_t begin = function.find("{\n") + 2;
  return function.substr(begin, function.rfind('}') - begin);
}

TEST(Statements, oneExpressionIsReturned) {
  EXPECT_EQ(bodyOf("add(x, 1)"), bodyOf("ret(add(x, 1))"));
}

TEST(Statements, blocksAndPhis) {
  EXPECT_EQ(bodyOf("br(icmp ult(x, 3), low, done); low: p = mul(x, y); "
                   "br(done); done: r = phi(p@low, -1@entry); ret(r)"),
            "entry:\n"
            "  %v0 = icmp ult i4 %a, 3\n"
            "  br i1 %v0, label %b1, label %b2\n"
            "b1:\n"
            "  %v2 = mul i4 %a, %b\n"
            "  br label %b2\n"
            "b2:\n"
            "  %v4 = phi i4 [ %v2, %b1 ], [ -1, %entry ]\n"
            "  ret i4 %v4\n");
}

TEST(Statements, phisNameWhatComesLater) {
  EXPECT_EQ(bodyOf("br(loop); loop: i = phi half(0@entry, j@loop); "
                   "j = add nuw(i, 1); br(icmp ult(j, n), loop, end); "
                   "end: ret(i)"),
            "entry:\n"
            "  br label %b1\n"
            "b1:\n"
            "  %v1 = phi i2 [ 0, %entry ], [ %v2, %b1 ]\n"
            "  %v2 = add nuw i2 %v1, 1\n"
            "  %v3 = icmp ult i2 %v2, %a\n"
            "  br i1 %v3, label %b1, label %b2\n"
            "b2:\n"
            "  ret i2 %v1\n");
}

TEST(Statements, branchesOnWhatIsInBrackets) {
  EXPECT_EQ(bodyOf("br(trunc bit(x), a, b); a: ret(1); b: ret(0)"),
            "entry:\n"
            "  %v0 = trunc i4 %a to i1\n"
            "  br i1 %v0, label %b1, label %b2\n"
            "b1:\n"
            "  ret i4 1\n"
            "b2:\n"
            "  ret i4 0\n");
}

TEST(Statements, switches) {
  EXPECT_EQ(bodyOf("switch(n, e, 1@a, 2@a); a: use(c); ret(); e: "
                   "unreachable()"),
            "entry:\n"
            "  switch i2 %a, label %b2 [ i2 1, label %b1 i2 -2, label %b1 ]\n"
            "b1:\n"
            "  call void @use_i1(i1 %b)\n"
            "  ret void\n"
            "b2:\n"
            "  unreachable\n");
}

TEST(Statements, whatStandsInTwoIsTwice) {
  EXPECT_EQ(bodyOf("p = freeze(x); q = freeze(x); ret(sub(p, q))"),
            "  %v0 = freeze i4 %a\n"
            "  %v1 = freeze i4 %a\n"
            "  %v2 = sub i4 %v0, %v1\n"
            "  ret i4 %v2\n");
}

TEST(Statements, pairsAreNamed) {
  EXPECT_EQ(bodyOf("p = sadd.with.overflow(x, 1); assume(extractvalue(p, 1)); "
                   "ret(extractvalue(p, 0))"),
            "  %v0 = call { i4, i1 } @llvm.sadd.with.overflow.i4(i4 %a, i4 1)\n"
            "  %v1 = extractvalue { i4, i1 } %v0, 1\n"
            "  call void @llvm.assume(i1 %v1)\n"
            "  %v3 = extractvalue { i4, i1 } %v0, 0\n"
            "  ret i4 %v3\n");
}

TEST(Statements, memory) {
  EXPECT_EQ(
      bodyOf("s = alloca(2); memcpy(s, p, 2); store(x, gep inbounds(s, 1)); "
             "r = load wide(s); ret(r)",
             Type::integer(8)),
      "  %v0 = alloca [2 x i8], align 1\n"
      "  call void @llvm.memcpy.p0.p0.i64(ptr %v0, ptr %a, i64 2, i1 false)\n"
      "  %v2 = getelementptr inbounds i8, ptr %v0, i8 1\n"
      "  store i8 %b, ptr %v2, align 1\n"
      "  %v4 = load i16, ptr %v0, align 1\n"
      "  ret i16 %v4\n");
}

TEST(Expression, ofVectors) {
  EXPECT_EQ(made("select(c, sext(n), 1)", Type::vector(2, Type::integer(4))),
            "%v0 = sext <2 x i2> %a to <2 x i4>; "
            "%v1 = select <2 x i1> %b, <2 x i4> %v0, <2 x i4> <i4 1, i4 1>; ");
}

} // namespace
} // namespace enumerate
