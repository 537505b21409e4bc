// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, loops and calls: SEMANTICS section 3 by examples.
#include "checker/calls_test.h"
#include "checker/check.h"
#include "checker/render.h"
#include "corpus/program/print.h"

#include <gtest/gtest.h>

namespace checker {
namespace {

using corpus::Attributes;
using corpus::Callee;
using corpus::Opcode;
using corpus::Operand;
using corpus::Predicate;
using corpus::Program;
using corpus::Type;
namespace attribute = corpus::attribute;

const Type i1 = Type::integer(1);
const Type i2 = Type::integer(2);
const Type none;

Operand constant(Type type, std::int64_t value) {
  return Operand::constant(type, static_cast<std::uint64_t>(value));
}

std::string verdict(const Program &source, const Program &target,
                    std::string_view semantics = "llvm") {
  EXPECT_EQ(corpus::verify(source), std::nullopt);
  EXPECT_EQ(corpus::verify(target), std::nullopt);
  Checker checker;
  const Verdict verdict =
      checker.check(source, target, *parseSemantics(semantics));
  return verdict.word == VerdictWord::wrong
             ? std::string(toString(verdict.kind))
         : verdict.word == VerdictWord::refines ? "refines"
                                                : headline(verdict);
}

// LLVM UB manual, "Time Travel".
TEST(Calls, DivisionAboveACall) {
  EXPECT_EQ(verdict(sequence("ud"), sequence("du")), "more-ub");
  EXPECT_EQ(verdict(sequence("du"), sequence("ud")), "refines");
  const std::uint32_t sure = attribute::willreturn | attribute::nounwind;
  EXPECT_EQ(verdict(sequence("ud", sure), sequence("du", sure)), "refines");
  for (std::uint32_t half : {attribute::willreturn, attribute::nounwind})
    EXPECT_EQ(verdict(sequence("ud", half), sequence("du", half)), "more-ub");
}

// SEMANTICS section 2: after a `noreturn nounwind` call in a `willreturn`
// function UB travels back over the call, and over what stands before it.
TEST(Calls, UbTravelsBackOverCallsThatMustNotStay) {
  const auto function = [](bool calls, std::uint32_t calleeBits,
                           std::uint32_t ownBits) {
    Program program =
        sequence(calls ? "u" : "", calleeBits, Operand::poison(i2));
    program.instructions.back().opcode = Opcode::unreachable;
    program.signature.function.bits = ownBits;
    return program;
  };
  using namespace attribute;
  const auto ofCall = [&](std::uint32_t calleeBits, std::uint32_t ownBits) {
    return verdict(function(true, calleeBits, ownBits),
                   function(false, 0, ownBits));
  };
  EXPECT_EQ(ofCall(noreturn | nounwind, willreturn), "refines");
  EXPECT_EQ(ofCall(noreturn, willreturn), "more-ub"); // it may unwind
  EXPECT_EQ(ofCall(noreturn, willreturn | nounwind), "refines");
  EXPECT_EQ(ofCall(noreturn | nounwind, 0), "more-ub"); // it may stay
  EXPECT_EQ(ofCall(nounwind, willreturn), "refines");
  // The other way round the call must not be made.
  EXPECT_EQ(verdict(function(false, 0, 0), function(true, noreturn, 0)),
            "refines");
}

// LangRef: a call that is `noreturn` and comes back is UB, and one that is
// `willreturn` and `nounwind` does; that it reaches nothing changes neither.
TEST(Calls, NoreturnOfACallThatIsSureToReturn) {
  using namespace attribute;
  const std::uint32_t sure = willreturn | nounwind | memoryNone;
  const Program plain = sequence("");
  EXPECT_EQ(verdict(plain, sequence("u", sure)), "refines");
  EXPECT_EQ(verdict(plain, sequence("u", sure | noreturn)), "more-ub");
  EXPECT_EQ(verdict(sequence("u", sure | noreturn), plain), "refines");
}

TEST(Calls, DroppedAddedReorderedChanged) {
  EXPECT_EQ(verdict(sequence("u"), sequence("u")), "refines");
  // A trace that no run of the source ends with (SEMANTICS section 3, kinds).
  EXPECT_EQ(verdict(sequence("u"), sequence("")), "calls");
  EXPECT_EQ(verdict(sequence(""), sequence("u")), "calls");
  EXPECT_EQ(verdict(sequence("uo"), sequence("ou")), "calls");
  // Here one does: @use may not come back.
  EXPECT_EQ(verdict(sequence("uo"), sequence("u")), "returns");
  EXPECT_EQ(verdict(sequence("u"), sequence("u", 0, constant(i2, 1))), "calls");
  EXPECT_EQ(verdict(sequence("u", 0, Operand::poison(i2)), sequence("u")),
            "refines");
  EXPECT_EQ(verdict(sequence("u"), sequence("u", 0, Operand::poison(i2))),
            "calls");
}

// LangRef: what a `nounwind` call that raises, or a `willreturn` call that does
// not return does is undefined. It is the callee that does so or not, for both
// sides alike: an attribute may be dropped, not added.
TEST(Calls, HowACalleeLeavesIsGiven) {
  using namespace attribute;
  for (const std::uint32_t promise : {willreturn, nounwind}) {
    EXPECT_EQ(verdict(sequence("u", promise), sequence("u")), "refines");
    EXPECT_EQ(verdict(sequence("u"), sequence("u", promise)), "calls");
    const auto of = [&](std::uint32_t own, std::int64_t result,
                        std::uint32_t callee = 0) {
      Program program = sequence("u", callee);
      program.signature.returnType = i2;
      program.signature.function.bits = own;
      program.instructions.pop_back();
      program.append(Opcode::ret, none, {constant(i2, result)});
      return program;
    };
    // The promise may be this function's: then it may come to the call.
    EXPECT_EQ(verdict(of(promise, 0), of(0, 0)), "refines");
    EXPECT_EQ(verdict(of(promise, 0), of(promise, 0, promise)), "refines");
    EXPECT_EQ(verdict(of(0, 0), of(promise, 0)), "more-ub");
    // A callee that keeps it makes nothing else right.
    EXPECT_EQ(verdict(of(promise, 0), of(promise, 1)), "value");
    EXPECT_EQ(verdict(of(0, 0, promise), of(0, 1, promise)), "value");
  }
}

// The same place in the trace and the same callee give the same result.
TEST(Calls, Results) {
  const auto returning = [](Operand passed, bool twice, bool second) {
    Program program;
    program.addParameter(i2);
    Callee callee;
    callee.name = "g";
    callee.signature.returnType = i2;
    callee.signature.parameters.push_back({i2, {}});
    program.callees.push_back(callee);
    const Operand first = program.append(Opcode::call, i2, {passed});
    Operand result = first;
    if (twice) {
      const Operand other = program.append(Opcode::call, i2, {passed});
      result = second ? other : first;
    }
    program.signature.returnType = i2;
    program.append(Opcode::ret, none, {result});
    return program;
  };
  const Operand a = Operand::argument(i2, 0);
  EXPECT_EQ(verdict(returning(Operand::poison(i2), false, false),
                    returning(constant(i2, 3), false, false)),
            "refines");
  EXPECT_EQ(verdict(returning(a, true, true), returning(a, true, true)),
            "refines");
  // Two results, one of them poison on the smallest input that tells them
  // apart.
  EXPECT_EQ(verdict(returning(a, true, true), returning(a, true, false)),
            "more-poison");
  EXPECT_EQ(verdict(returning(a, true, true), returning(a, true, false),
                    "defined-inputs"),
            "value");
}

/// Counts from `from` while the counter is not `until`, by `step`, in an
/// integer of that width; returns `result`, or the argument.
Program counting(unsigned width, std::int64_t from, std::int64_t until,
                 std::int64_t step, std::optional<std::int64_t> result,
                 Attributes attributes = {}) {
  const Type type = Type::integer(width);
  Program program;
  program.signature.function = std::move(attributes);
  const Operand a = program.addParameter(i2);
  program.signature.returnType = i2;
  program.append(Opcode::br, none, {Operand::block(1)});
  program.beginBlock();
  const Operand phi = Operand::instruction(type, 1);
  const Operand next = Operand::instruction(type, 4);
  program.append(
      Opcode::phi, type,
      {constant(type, from), Operand::block(0), next, Operand::block(2)});
  const Operand done = program.append(
      Opcode::icmp, i1, {phi, constant(type, until)}, {}, Predicate::eq);
  program.append(Opcode::br, none,
                 {done, Operand::block(3), Operand::block(2)});
  program.beginBlock();
  program.append(Opcode::add, type, {phi, constant(type, step)});
  program.append(Opcode::br, none, {Operand::block(1)});
  program.beginBlock();
  program.append(Opcode::ret, none, {result ? constant(i2, *result) : a});
  return program;
}

Program returning(std::optional<std::int64_t> result) {
  Program program;
  const Operand a = program.addParameter(i2);
  program.signature.returnType = i2;
  program.append(Opcode::ret, none, {result ? constant(i2, *result) : a});
  return program;
}

TEST(Loops, LongRunsAreFollowedToTheirEnd) {
  EXPECT_EQ(verdict(counting(4, 0, 7, 1, 2), returning(2)), "refines");
  EXPECT_EQ(verdict(returning(2), counting(8, 0, 200, 1, 2)), "refines");
  EXPECT_EQ(verdict(returning(3), counting(8, 0, 200, 1, 2)), "value");
}

/// Goes round until the counter, an integer of that width, is `last`; returns
/// `odd` if it was `when` once, else the argument.
Program onceIn(unsigned width, std::int64_t last, std::int64_t when, bool odd) {
  const Type type = Type::integer(width);
  Program program;
  const Operand a = program.addParameter(i2);
  program.signature.returnType = i2;
  program.append(Opcode::br, none, {Operand::block(1)});
  program.beginBlock();
  const Operand counter =
      program.append(Opcode::phi, type,
                     {constant(type, 0), Operand::block(0),
                      Operand::instruction(type, 5), Operand::block(1)});
  const Operand value = program.append(
      Opcode::phi, i2,
      {a, Operand::block(0), Operand::instruction(i2, 4), Operand::block(1)});
  const Operand isIt =
      program.append(Opcode::icmp, i1, {counter, constant(type, when)});
  program.append(Opcode::select, i2,
                 {isIt, odd ? constant(i2, 3) : value, value});
  program.append(Opcode::add, type, {counter, constant(type, 1)});
  const Operand done =
      program.append(Opcode::icmp, i1, {counter, constant(type, last)});
  program.append(Opcode::br, none,
                 {done, Operand::block(2), Operand::block(1)});
  program.beginBlock();
  program.append(Opcode::ret, none, {Operand::instruction(i2, 4)});
  return program;
}

TEST(Loops, AWrongValueInOneIteration) {
  for (const auto &[width, when] :
       {std::pair(4U, 7), std::pair(4U, 15), std::pair(8U, 200)}) {
    const std::int64_t last = (1 << width) - 1;
    const Program right = onceIn(width, last, when, false);
    const Program wrong = onceIn(width, last, when, true);
    EXPECT_EQ(verdict(right, right), "refines");
    EXPECT_EQ(verdict(right, wrong), "value");
  }
  // The loop ends before it happens.
  EXPECT_EQ(verdict(onceIn(4, 6, 7, false), onceIn(4, 6, 7, true)), "refines");
}

TEST(Loops, DivergenceIsExact) {
  // An odd number is never reached by steps of two from an even one.
  const Program endless = counting(8, 0, 201, 2, 2);
  EXPECT_EQ(verdict(returning(2), endless), "diverges");
  EXPECT_EQ(verdict(endless, endless), "refines");
  EXPECT_EQ(verdict(endless, returning(2)), "returns");
  // mustprogress makes it UB, from which everything may follow.
  for (std::uint32_t bit : {attribute::mustprogress, attribute::willreturn}) {
    const Attributes attributes{bit, 0, 0};
    const Program ub = counting(8, 0, 201, 2, 2, attributes);
    EXPECT_EQ(verdict(ub, returning(2)), "refines");
    EXPECT_EQ(verdict(endless, ub), "more-ub");
    EXPECT_EQ(verdict(counting(8, 0, 200, 2, 2, attributes), returning(2)),
              "refines");
  }
}

// A loop variable that the optimizer widened.
TEST(Loops, TargetMayUseWiderIntegers) {
  EXPECT_EQ(verdict(counting(3, 0, 7, 1, 2), counting(64, 0, 7, 1, 2)),
            "refines");
}

/// `for (;;) use(value)`, alternating between 1 and `second`.
Program alternating(std::int64_t second, std::uint32_t ofCallee = 0,
                    std::uint32_t ofFunction = 0) {
  Program program;
  program.signature.function.bits = ofFunction;
  Callee callee;
  callee.name = "use";
  callee.signature.function.bits = ofCallee;
  callee.signature.parameters.push_back({i2, {}});
  program.callees.push_back(callee);
  program.append(Opcode::br, none, {Operand::block(1)});
  program.beginBlock();
  const Operand value =
      program.append(Opcode::phi, i2,
                     {constant(i2, 1), Operand::block(0),
                      Operand::instruction(i2, 3), Operand::block(1)});
  program.append(Opcode::call, none, {value});
  program.append(Opcode::xor_, i2, {value, constant(i2, 1 ^ second)});
  program.append(Opcode::br, none, {Operand::block(1)});
  return program;
}

TEST(Loops, EndlessTracesAreCompared) {
  EXPECT_EQ(verdict(alternating(2), alternating(2)), "refines");
  EXPECT_EQ(verdict(alternating(2), alternating(3)), "calls");
  EXPECT_EQ(verdict(alternating(1), alternating(1)), "refines");
  // Calls that surely return leave no other outcome than the endless one.
  const std::uint32_t sure = attribute::willreturn | attribute::nounwind;
  EXPECT_EQ(verdict(alternating(2, sure), alternating(2, sure)), "refines");
  EXPECT_EQ(verdict(alternating(2, sure), alternating(3, sure)), "calls");
}

// SEMANTICS section 2: willreturn and Diverge, with calls or without, is UB;
// with mustprogress only a Diverge without calls is.
TEST(Loops, AFunctionThatMustReturn) {
  for (const std::uint32_t callee :
       {attribute::willreturn | attribute::nounwind, attribute::willreturn}) {
    const Program endless = alternating(2, callee);
    const Program must = alternating(2, callee, attribute::willreturn);
    EXPECT_EQ(verdict(endless, must), "more-ub");
    EXPECT_EQ(verdict(must, endless), "refines");
    EXPECT_EQ(verdict(must, must), "refines");
    const Program progress = alternating(2, callee, attribute::mustprogress);
    EXPECT_EQ(verdict(endless, progress), "refines");
  }
  // UB travels back over calls that surely return, not over one that may
  // unwind.
  const auto must = [](std::int64_t second, std::uint32_t callee) {
    return alternating(second, callee, attribute::willreturn);
  };
  const std::uint32_t sure = attribute::willreturn | attribute::nounwind;
  EXPECT_EQ(verdict(must(2, sure), alternating(3, sure)), "refines");
  EXPECT_EQ(verdict(must(2, attribute::willreturn),
                    alternating(3, attribute::willreturn)),
            "calls");
}

Program branchOnArgument(bool frozen) {
  Program program;
  Operand a = program.addParameter(i1);
  program.signature.returnType = i1;
  if (frozen)
    a = program.append(Opcode::freeze, i1, {a});
  program.append(Opcode::br, none, {a, Operand::block(1), Operand::block(2)});
  program.beginBlock();
  program.append(Opcode::ret, none, {constant(i1, 1)});
  program.beginBlock();
  program.append(Opcode::ret, none, {constant(i1, 0)});
  return program;
}

// Taming UB 3.3.
TEST(Branches, OnPoison) {
  EXPECT_EQ(verdict(branchOnArgument(true), branchOnArgument(false)),
            "more-ub");
  EXPECT_EQ(verdict(branchOnArgument(false), branchOnArgument(true)),
            "refines");
  for (std::string_view semantics : {"branch-nondet", "branch-nondet-undef"}) {
    EXPECT_EQ(
        verdict(branchOnArgument(true), branchOnArgument(false), semantics),
        "refines");
    EXPECT_EQ(
        verdict(branchOnArgument(false), branchOnArgument(true), semantics),
        "refines");
  }
}

/// br %a, 1, 2; 1: ret freeze poison; 2: ret zext (freeze i1 poison).
Program freezeInBothBranches(Type first) {
  Program program;
  program.signature.returnType = i2;
  const Operand a = program.addParameter(i1);
  program.append(Opcode::br, none, {a, Operand::block(1), Operand::block(2)});
  for (Type type : {first, i1}) {
    program.beginBlock();
    Operand value =
        program.append(Opcode::freeze, type, {Operand::poison(type)});
    if (type != i2)
      value = program.append(Opcode::zext, i2, {value});
    program.append(Opcode::ret, none, {value});
  }
  return program;
}

// Two bits of freedom are more than one, whichever block is looked at first.
TEST(Branches, FreezeInEach) {
  EXPECT_EQ(verdict(freezeInBothBranches(i1), freezeInBothBranches(i2)),
            "value");
  EXPECT_EQ(verdict(freezeInBothBranches(i2), freezeInBothBranches(i1)),
            "refines");
}

/// A reader compares the witness with the printed function, where an
/// instruction without a result has a number too.
TEST(Branches, WitnessNamesValuesAsTheyArePrinted) {
  const auto doubled = [](corpus::Flags flags) {
    Program program;
    const Operand a = program.addParameter(i2);
    program.signature.returnType = i2;
    program.append(Opcode::br, none, {Operand::block(1)});
    program.beginBlock();
    const Operand sum = program.append(Opcode::add, i2, {a, a}, flags);
    program.append(Opcode::ret, none, {sum});
    return program;
  };
  const Program source = doubled({});
  const Program target = doubled(corpus::flag::nuw);
  EXPECT_NE(corpus::printFunction(source).find("%v1 = add i2 %a, %a"),
            std::string::npos);
  for (const Engine engine : {Engine::reference, Engine::smt}) {
    const Verdict verdict =
        Checker().check(source, target, {}, WantWitness::yes, engine);
    ASSERT_TRUE(verdict.witness) << headline(verdict);
    ASSERT_EQ(verdict.witness->targetValues.size(), 1U);
    EXPECT_EQ(verdict.witness->targetValues.front().name, "%v1");
  }
}

} // namespace
} // namespace checker
