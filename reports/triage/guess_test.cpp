// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/guess.h"

#include "corpus/program/encode.h"
#include "reports/triage/bug.h"
#include "reports/triage/fault.h"

#include <gtest/gtest.h>

namespace reports {
namespace {

using corpus::Flags;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

const Type i2 = Type::integer(2);

/// A product, and as many differences from it as `below` says.
Program product(Flags flags, unsigned below) {
  Program program;
  program.signature.returnType = i2;
  const Operand a = program.addParameter(i2);
  const Operand b = program.addParameter(i2);
  Operand value = program.append(Opcode::mul, i2, {a, b}, flags);
  for (unsigned i = 0; i < below; ++i)
    value = program.append(Opcode::sub, i2, {a, value});
  program.append(Opcode::ret, Type(), {value});
  return program;
}

const std::vector<std::string> llvm = {"llvm"};

corpus::Finding findingOf(const Program &source, const Program &target) {
  corpus::Finding finding;
  finding.column = 0;
  finding.kind = "more-poison";
  finding.bucket = "the bucket";
  finding.source = corpus::encode(source);
  finding.target = corpus::encode(target);
  return finding;
}

std::string keyOf(Program source, Program target) {
  Bug bug;
  bug.source = std::move(source);
  bug.target = std::move(target);
  bug.checkedUnder = "llvm";
  bug.verdict = explain(bug);
  bug.kind = bug.verdict.kind;
  checker::Checker checker;
  return faultOf(bug, checker).key;
}

TEST(Guesses, WhatIsAroundAFaultDoesNotMatter) {
  const std::string reduced =
      keyOf(product({}, 0), product(corpus::flag::nsw, 0));
  Guesses guesses;
  for (const unsigned below : {0U, 1U, 3U})
    EXPECT_EQ(guesses.of(findingOf(product({}, below),
                                   product(corpus::flag::nsw, below)),
                         llvm),
              reduced);
  EXPECT_NE(guesses.of(findingOf(product({}, 1), product(corpus::flag::nuw, 1)),
                       llvm),
            reduced);
}

TEST(Guesses, TheBucketWhereNothingIsSeenToBeWrong) {
  Guesses guesses;
  EXPECT_EQ(guesses.of(findingOf(product({}, 1), product({}, 1)), llvm),
            "the bucket");
  corpus::Finding crash =
      findingOf(product({}, 1), product(corpus::flag::nsw, 1));
  crash.target.clear();
  EXPECT_EQ(guesses.of(crash, llvm), "the bucket");
}

} // namespace
} // namespace reports
