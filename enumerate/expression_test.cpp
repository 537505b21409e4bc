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

TEST(Expression, ofVectors) {
  EXPECT_EQ(made("select(c, sext(n), 1)", Type::vector(2, Type::integer(4))),
            "%v0 = sext <2 x i2> %a to <2 x i4>; "
            "%v1 = select <2 x i1> %b, <2 x i4> %v0, <2 x i4> <i4 1, i4 1>; ");
}

} // namespace
} // namespace enumerate
