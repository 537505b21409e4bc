// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What planes say of calls and loops, by examples from LangRef and the UB
// manual; engines_test.cpp compares with the reference interpreter and the
// oracle on random programs.
#include "checker/sliced/trace_sliced.h"

#include "checker/calls_test.h"

#include <gmock/gmock.h>

#include <string>

namespace checker {
namespace {

using corpus::Opcode;
using corpus::Operand;
using corpus::Predicate;
using corpus::Program;
using corpus::Type;
using testing::ElementsAre;
using testing::IsEmpty;
namespace attribute = corpus::attribute;

const Type i1 = Type::integer(1);
const Type i2 = Type::integer(2);
const Operand a = Operand::argument(i2, 0);
const std::vector<std::string> all = {"0", "1", "2", "3", "poison"};

Operand number(std::uint64_t value) { return Operand::constant(i2, value); }

/// Values of the i2 argument that are left, of functions without results of
/// calls.
std::vector<std::string> left(const Program &source, const Program &target) {
  EXPECT_EQ(corpus::verify(source), std::nullopt);
  EXPECT_EQ(corpus::verify(target), std::nullopt);
  const Semantics semantics;
  const std::vector<InputChoice> list = *inputChoices(i2, semantics);
  const std::vector<InputChoice> *choices[] = {&list};
  TraceSliced planes(bitsliced::kernels().back());
  const auto inputs = planes.inputsLeft(source, target, semantics, choices, {});
  if (!inputs)
    return {"cannot say"};
  std::vector<std::string> values;
  for (const Input &input : *inputs)
    values.push_back(hasPoison(input[0]) ? "poison"
                                         : std::to_string(input[0][0].bits));
  return values;
}

TEST(TraceSliced, ComparesCallByCallUpToUndefinedBehaviour) {
  EXPECT_THAT(left(sequence("ud"), sequence("ud")), IsEmpty());
  // Behind UB anything may happen; before it a call may not return.
  EXPECT_THAT(left(sequence("du"), sequence("ud")), IsEmpty());
  EXPECT_THAT(left(sequence("ud"), sequence("du")), ElementsAre("0", "poison"));
  EXPECT_THAT(left(sequence("du"), sequence("doo")),
              ElementsAre("1", "2", "3"));
}

TEST(TraceSliced, LeavesWhatIsCalledMoreOrLessOrOtherwise) {
  EXPECT_EQ(left(sequence("u"), sequence("o")), all);
  EXPECT_EQ(left(sequence("u"), sequence("uu")), all);
  EXPECT_EQ(left(sequence("uu"), sequence("u")), all);
  EXPECT_EQ(left(sequence("u"), sequence("u", attribute::nounwind)), all);
}

Program returning(Operand value) {
  Program program;
  program.addParameter(i2);
  program.signature.returnType = i2;
  program.append(Opcode::ret, Type(), {value});
  return program;
}

TEST(TraceSliced, MayReturnANumberForPoisonAndNotPoisonForANumber) {
  EXPECT_THAT(left(returning(a), returning(a)), IsEmpty());
  EXPECT_THAT(left(returning(Operand::poison(i2)), returning(a)), IsEmpty());
  EXPECT_THAT(left(returning(number(2)), returning(a)),
              ElementsAre("0", "1", "3", "poison"));
}

// LangRef, "Undefined Values": undef is no poison.
TEST(TraceSliced, PicksForUndefInTheSourceAndNotInTheTarget) {
  const Operand undef = Operand::undef(i2);
  EXPECT_THAT(left(returning(undef), returning(a)), ElementsAre("poison"));
  EXPECT_THAT(left(returning(undef), returning(number(0))), IsEmpty());
  EXPECT_EQ(left(returning(undef), returning(Operand::poison(i2))), all);
  EXPECT_THAT(left(returning(a), returning(undef)),
              ElementsAre("0", "1", "2", "3"));
}

TEST(TraceSliced, LeavesAFreezeOfPoison) {
  Program program;
  program.addParameter(i2);
  program.signature.returnType = i2;
  const Operand frozen = program.append(Opcode::freeze, i2, {a});
  program.append(Opcode::ret, Type(), {frozen});
  EXPECT_THAT(left(program, program), ElementsAre("poison"));
}

/// `for (i = 0;; i += step) { use(i + more); if (i == a) return; }`
Program counting(std::uint64_t step, std::uint64_t more) {
  Program program = withCallees();
  const auto to = [](std::uint64_t block) { return Operand::block(block); };
  program.append(Opcode::br, Type(), {to(1)});
  program.beginBlock();
  constexpr std::size_t next = 6;
  const Operand i =
      program.append(Opcode::phi, i2,
                     {number(0), to(0), Operand::instruction(i2, next), to(2)});
  appendCall(program, 0, program.append(Opcode::add, i2, {i, number(more)}));
  const Operand isLast =
      program.append(Opcode::icmp, i1, {i, a}, {}, Predicate::eq);
  program.append(Opcode::br, Type(), {isLast, to(3), to(2)});
  program.beginBlock();
  program.append(Opcode::add, i2, {i, number(step)});
  program.append(Opcode::br, Type(), {to(1)});
  program.beginBlock();
  program.append(Opcode::ret, Type(), {});
  return program;
}

TEST(TraceSliced, FollowsLoopsForSomeRounds) {
  EXPECT_THAT(left(counting(1, 0), counting(1, 0)), IsEmpty());
  EXPECT_EQ(left(counting(1, 0), counting(1, 1)), all);
  // The first round is the same, and a branch on poison is UB.
  EXPECT_THAT(left(counting(1, 0), counting(3, 0)), ElementsAre("1", "2", "3"));
  // Of even numbers only 0 and 2 come to an end.
  EXPECT_THAT(left(counting(2, 0), counting(2, 0)), ElementsAre("1", "3"));
}

} // namespace
} // namespace checker
