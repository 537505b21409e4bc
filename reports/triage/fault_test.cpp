// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an LLVM developer would say is wrong with a pair, and which pairs have
// the same thing wrong with them.
#include "reports/triage/fault.h"

#include "runner/crash_text.h"

#include <array>
#include <gtest/gtest.h>
#include <optional>

namespace reports {
namespace {

using corpus::Flags;
using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

const Type i1 = Type::integer(1);

Bug bugOf(Program source, Program target, std::string_view semantics = "llvm") {
  Bug bug;
  bug.source = std::move(source);
  bug.target = std::move(target);
  bug.checkedUnder = semantics;
  bug.verdict = explain(bug);
  bug.kind = bug.verdict.kind;
  EXPECT_EQ(bug.verdict.word, checker::VerdictWord::wrong);
  return bug;
}

Fault faultOf(Program source, Program target,
              std::string_view semantics = "llvm") {
  checker::Checker checker;
  return reports::faultOf(
      bugOf(std::move(source), std::move(target), semantics), checker);
}

/// `opcode flags %a, %b`, and `ret`.
Program binary(Opcode opcode, Flags flags, unsigned width) {
  Program program;
  const Type type = Type::integer(width);
  program.signature.returnType = type;
  const Operand a = program.addParameter(type);
  const Operand b = program.addParameter(type);
  program.append(Opcode::ret, Type(),
                 {program.append(opcode, type, {a, b}, flags)});
  return program;
}

TEST(FaultOf, NamesTheFlagAtAnyWidth) {
  const Fault narrow = faultOf(binary(Opcode::mul, {}, 2),
                               binary(Opcode::mul, corpus::flag::nsw, 2));
  EXPECT_EQ(narrow.words, "gives `nsw` to `mul i2`");
  const Fault wide =
      faultOf(binary(Opcode::mul, {}, 3),
              binary(Opcode::mul, corpus::flag::nsw | corpus::flag::nuw, 3));
  EXPECT_NE(wide.key, narrow.key) << "two flags: the first of both is named";
  const Fault other = faultOf(binary(Opcode::add, {}, 2),
                              binary(Opcode::add, corpus::flag::nsw, 2));
  EXPECT_NE(other.key, narrow.key);
  EXPECT_EQ(faultOf(binary(Opcode::mul, {}, 4),
                    binary(Opcode::mul, corpus::flag::nsw, 4))
                .key,
            narrow.key);
}

TEST(FaultOf, AFlagThatTheSourceHasIsKept) {
  // Shifted by 0, or multiplied by -1.
  const auto moved = [](Opcode opcode, std::uint64_t constant) {
    Program program;
    program.signature.returnType = i1;
    const Operand a = program.addParameter(i1);
    program.append(
        Opcode::ret, Type(),
        {program.append(opcode, i1, {a, Operand::constant(i1, constant)},
                        corpus::flag::nsw)});
    return program;
  };
  EXPECT_EQ(faultOf(moved(Opcode::shl, 0), moved(Opcode::mul, 1)).words,
            "keeps `nsw` on `mul i1`");
}

/// br %a, then, join; then: division of %b by %c; `used` by a phi in join.
Program guarded(Opcode division, unsigned width) {
  Program program;
  const Type type = Type::integer(width);
  program.signature.returnType = type;
  const Operand a = program.addParameter(i1);
  const Operand b = program.addParameter(type);
  const Operand c = program.addParameter(type);
  program.append(Opcode::br, Type(), {a, Operand::block(1), Operand::block(2)});
  program.beginBlock();
  const Operand quotient = program.append(division, type, {b, c});
  program.append(Opcode::br, Type(), {Operand::block(2)});
  program.beginBlock();
  const Operand phi = program.append(
      Opcode::phi, type, {b, Operand::block(0), quotient, Operand::block(1)});
  program.append(Opcode::ret, Type(), {phi});
  return program;
}

/// That with the division in front of the choice.
Program speculated(Opcode division, unsigned width) {
  Program program;
  const Type type = Type::integer(width);
  program.signature.returnType = type;
  const Operand a = program.addParameter(i1);
  const Operand b = program.addParameter(type);
  const Operand c = program.addParameter(type);
  const Operand frozen = program.append(Opcode::freeze, i1, {a});
  const Operand quotient = program.append(division, type, {b, c});
  program.append(Opcode::ret, Type(),
                 {program.append(Opcode::select, type, {frozen, quotient, b})});
  return program;
}

TEST(FaultOf, ADivisionIsSpeculatedWhicheverItIs) {
  const Fault udiv =
      faultOf(guarded(Opcode::udiv, 1), speculated(Opcode::udiv, 1));
  EXPECT_EQ(udiv.words, "speculates `udiv i1` past a branch");
  const Fault srem =
      faultOf(guarded(Opcode::srem, 2), speculated(Opcode::srem, 2));
  EXPECT_EQ(srem.words, "speculates `srem i2` past a branch");
  EXPECT_EQ(udiv.key, srem.key);
}

/// Writes a byte to an alloca whose life has ended, or not.
Program written(Opcode by, bool isDead) {
  Program program;
  const Type byte = Type::integer(8);
  const Operand one = Operand::constant(Type::integer(64), 1);
  const Operand a = program.addParameter(byte);
  Instruction local;
  local.opcode = Opcode::alloca_;
  local.type = Type::pointer();
  local.accessedType = byte;
  local.alignment = 1;
  const Operand place = program.append(local, std::array{one});
  if (isDead)
    program.append(Opcode::lifetimeEnd, Type(), {place});
  Instruction write;
  write.opcode = by;
  if (by == Opcode::store) {
    write.alignment = 1;
    program.append(write, std::array{a, place});
  } else {
    program.append(write, std::array{place, a, one, Operand::constant(i1, 0)});
  }
  program.append(Opcode::ret, Type(), {});
  return program;
}

TEST(FaultOf, WhatIsDeadMayNotBeWrittenByAnybody) {
  const Fault store =
      faultOf(written(Opcode::store, false), written(Opcode::store, true));
  EXPECT_EQ(store.words,
            "makes `store i8` access an alloca outside its lifetime");
  const Fault memset =
      faultOf(written(Opcode::memset_, false), written(Opcode::memset_, true));
  EXPECT_EQ(memset.words,
            "makes `llvm.memset` access an alloca outside its lifetime");
  EXPECT_EQ(store.key, memset.key);
}

/// for (;;) if (%a) then divide: the division may never be reached.
Program behindALoop(bool hoisted) {
  Program program;
  const Operand a = program.addParameter(i1);
  const Operand b = program.addParameter(i1);
  const Operand c = program.addParameter(i1);
  if (hoisted)
    program.append(Opcode::udiv, i1, {b, c});
  program.append(Opcode::br, Type(), {Operand::block(1)});
  program.beginBlock();
  program.append(Opcode::br, Type(), {a, Operand::block(1), Operand::block(2)});
  program.beginBlock();
  if (!hoisted)
    program.append(Opcode::udiv, i1, {b, c});
  program.append(Opcode::ret, Type(), std::initializer_list<Operand>{});
  return program;
}

TEST(FaultOf, ALoopThatMayNotEndIsAGuard) {
  EXPECT_EQ(faultOf(behindALoop(false), behindALoop(true)).words,
            "speculates `udiv i1` past a loop that may not end");
}

/// select %a, %b, %c, or a branch on %a instead.
Program chosen(bool branches) {
  Program program;
  program.signature.returnType = i1;
  const Operand a = program.addParameter(i1);
  const Operand b = program.addParameter(i1);
  const Operand c = program.addParameter(i1);
  if (!branches) {
    program.append(Opcode::ret, Type(),
                   {program.append(Opcode::select, i1, {a, b, c})});
    return program;
  }
  program.append(Opcode::br, Type(), {a, Operand::block(1), Operand::block(2)});
  program.beginBlock();
  program.append(Opcode::ret, Type(), {b});
  program.beginBlock();
  program.append(Opcode::ret, Type(), {c});
  return program;
}

TEST(FaultOf, ABranchNeedsAFreeze) {
  EXPECT_EQ(faultOf(chosen(false), chosen(true)).words,
            "branches on a value that may be poison, without `freeze`");
}

/// %a && %b, logical or bitwise.
Program both(bool bitwise) {
  Program program;
  program.signature.returnType = i1;
  const Operand a = program.addParameter(i1);
  const Operand b = program.addParameter(i1);
  program.append(Opcode::ret, Type(),
                 {bitwise ? program.append(Opcode::and_, i1, {a, b})
                          : program.append(Opcode::select, i1,
                                           {a, b, Operand::constant(i1, 0)})});
  return program;
}

TEST(FaultOf, ALogicalAndIsNotBitwise) {
  EXPECT_EQ(
      faultOf(both(false), both(true)).words,
      "uses `and` where one side may be poison and the other one decides");
}

TEST(FaultOf, AnAndOfLanesIsNoLogicalOne) {
  const auto lanes = [](bool freezes) {
    Program program;
    const Type pair = Type::vector(2, i1);
    program.signature.returnType = pair;
    Operand value = program.addParameter(i1);
    const Operand other = program.addParameter(pair);
    if (freezes)
      value = program.append(Opcode::freeze, i1, {value});
    const Operand inserted =
        program.append(Opcode::insertelement, pair,
                       {other, value, Operand::constant(Type::integer(32), 0)});
    program.append(Opcode::ret, Type(),
                   {program.append(Opcode::and_, pair, {inserted, other})});
    return program;
  };
  EXPECT_EQ(faultOf(lanes(true), lanes(false)).key, "freeze more-poison");
}

/// icmp of (sub nuw %a, constant) and %a, or what it was folded to.
Program compared(corpus::Predicate predicate, unsigned width,
                 std::optional<bool> folded) {
  Program program;
  const Type type = Type::integer(width);
  program.signature.returnType = i1;
  const Operand a = program.addParameter(type);
  const Operand difference = program.append(
      Opcode::sub, type, {a, Operand::constant(type, 1)}, corpus::flag::nuw);
  const Operand result =
      program.append(Opcode::icmp, i1, {difference, a}, {}, predicate);
  program.append(Opcode::ret, Type(),
                 {folded ? Operand::constant(i1, *folded) : result});
  return program;
}

TEST(FaultOf, AWrongFactIsWhatItIsKnownFrom) {
  const Fault less = faultOf(compared(corpus::Predicate::ult, 2, std::nullopt),
                             compared(corpus::Predicate::ult, 2, false));
  const Fault more = faultOf(compared(corpus::Predicate::ugt, 4, std::nullopt),
                             compared(corpus::Predicate::ugt, 4, true));
  EXPECT_EQ(less.words, "folds `icmp i2` to a constant that it is not");
  EXPECT_EQ(less.key, more.key) << "whichever way round it is asked";
  const Fault product =
      faultOf(binary(Opcode::mul, {}, 2), binary(Opcode::add, {}, 2));
  EXPECT_EQ(product.words, "makes `add i2` of `mul i2`");
  EXPECT_NE(product.key, less.key);
}

/// Two operations side by side that become one on vectors, of which one lane is
/// what it was not: which operation that lane was is no matter, nor what stands
/// beside it.
TEST(FaultOf, LanesOfOtherOperations) {
  const Type i2 = Type::integer(2);
  const Type pair = Type::vector(2, i2);
  const Type i32 = Type::integer(32);
  const auto lane = [&](Program &program, Operand into, Operand value,
                        std::uint64_t index) {
    return program.append(Opcode::insertelement, pair,
                          {into, value, Operand::constant(i32, index)});
  };
  const auto arguments = [&](Program &program) {
    program.signature.returnType = pair;
    return std::array{program.addParameter(i2), program.addParameter(i2),
                      program.addParameter(i2)};
  };
  const Operand zero = Operand::constant(i2, 0);
  const auto keyOf = [&](Opcode neutral) {
    Program source;
    auto [a, b, c] = arguments(source);
    const Operand same = source.append(neutral, i2, {a, zero});
    const Operand product = source.append(Opcode::mul, i2, {b, c});
    source.append(Opcode::ret, Type(),
                  {lane(source, lane(source, Operand::poison(pair), same, 0),
                        product, 1)});
    Program target;
    arguments(target);
    const Operand left =
        lane(target, lane(target, Operand::poison(pair), a, 0), b, 1);
    const Operand right =
        lane(target, lane(target, Operand::poison(pair), zero, 0), c, 1);
    target.append(Opcode::ret, Type(),
                  {target.append(Opcode::mul, pair, {left, right})});
    const Fault fault = faultOf(source, target);
    EXPECT_EQ(fault.words, "makes `mul <2 x i2>` of other operations");
    return fault.key;
  };
  EXPECT_EQ(keyOf(Opcode::or_), keyOf(Opcode::sub));
}

/// `opcode %a, %b` compared with %a, or what that is taken for.
Program compared(Opcode opcode, std::optional<bool> folded) {
  Program program;
  const Type i2 = Type::integer(2);
  program.signature.returnType = i1;
  const Operand a = program.addParameter(i2);
  const Operand b = program.addParameter(i2);
  const Operand value = program.append(opcode, i2, {a, b});
  const Operand equal = program.append(Opcode::icmp, i1, {value, a});
  program.append(Opcode::ret, Type(),
                 {folded ? Operand::constant(i1, *folded ? 1 : 0) : equal});
  return program;
}

TEST(FaultOf, KinIsWhatPassesTreatAlike) {
  const auto of = [](Opcode opcode) {
    return faultOf(compared(opcode, std::nullopt), compared(opcode, true));
  };
  EXPECT_NE(of(Opcode::add).key, of(Opcode::sub).key);
  EXPECT_EQ(of(Opcode::add).kin, of(Opcode::sub).kin);
  EXPECT_NE(of(Opcode::add).kin, of(Opcode::xor_).kin);
  const auto exact = [](Opcode opcode) {
    return faultOf(binary(opcode, {}, 2),
                   binary(opcode, corpus::flag::exact, 2));
  };
  EXPECT_NE(exact(Opcode::udiv).key, exact(Opcode::sdiv).key);
  EXPECT_EQ(exact(Opcode::udiv).kin, exact(Opcode::sdiv).kin);
  EXPECT_NE(exact(Opcode::udiv).kin, exact(Opcode::lshr).kin);
  const auto wrapping = [](Opcode opcode, Flags flag) {
    return faultOf(binary(opcode, {}, 2), binary(opcode, flag, 2));
  };
  EXPECT_NE(wrapping(Opcode::add, corpus::flag::nsw).kin,
            wrapping(Opcode::sub, corpus::flag::nsw).kin)
      << "of flags, passes decide for each operation";
}

TEST(FaultOf, KinOfAFlagBesideUndefIsThat) {
  const auto plus = [](Opcode opcode, Flags flags) {
    Program program;
    const Type i2 = Type::integer(2);
    program.signature.returnType = i2;
    const Operand a = program.addParameter(i2);
    const Operand some = program.append(
        Opcode::select, i2, {program.addParameter(i1), a, Operand::undef(i2)});
    program.append(Opcode::ret, Type(),
                   {program.append(opcode, i2, {a, some}, flags)});
    return program;
  };
  const Fault add =
      faultOf(plus(Opcode::add, {}), plus(Opcode::add, corpus::flag::nuw));
  const Fault mul =
      faultOf(plus(Opcode::mul, {}), plus(Opcode::mul, corpus::flag::nsw));
  EXPECT_NE(add.key, mul.key);
  EXPECT_EQ(add.kin, mul.kin);
}

TEST(FaultOf, ACrashIsItsOwn) {
  Bug bug;
  bug.id = "0123456789ab";
  bug.kind = checker::Kind::crash;
  bug.detail = "SIGFPE in divide";
  checker::Checker checker;
  const Fault fault = reports::faultOf(bug, checker);
  EXPECT_EQ(fault.words, "crashes: SIGFPE in divide");
  bug.id = "ba9876543210";
  bug.detail += runner::notAgain;
  EXPECT_EQ(reports::faultOf(bug, checker).key, fault.key);
  bug.detail = "SIGFPE in remainder";
  EXPECT_NE(reports::faultOf(bug, checker).key, fault.key);
}

/// LangRef: `urem i1 b, c` is 0 or undefined, so that b2 is never reached; with
/// `b` in its place it would be.
TEST(FaultOf, ADivisionIsSpeculatedWhateverStandsForIt) {
  const auto branches = [](bool speculates) {
    Program program;
    const Operand a = program.addParameter(i1);
    const Operand b = program.addParameter(i1);
    const Operand c = program.addParameter(i1);
    const auto divide = [&] {
      return program.append(Opcode::urem, i1, {b, c});
    };
    if (speculates) {
      const Operand both = program.append(
          Opcode::select, i1, {a, divide(), Operand::constant(i1, 0)});
      program.append(Opcode::br, Type(),
                     {both, Operand::block(1), Operand::block(2)});
    } else {
      program.append(Opcode::br, Type(),
                     {a, Operand::block(3), Operand::block(2)});
    }
    program.beginBlock();
    program.append(Opcode::unreachable, Type(), {});
    program.beginBlock();
    program.append(Opcode::ret, Type(), {});
    if (!speculates) {
      program.beginBlock();
      program.append(Opcode::br, Type(),
                     {divide(), Operand::block(1), Operand::block(2)});
    }
    return program;
  };
  const Fault fault = faultOf(branches(false), branches(true));
  EXPECT_EQ(fault.key, "guard division");
  EXPECT_EQ(fault.words, "speculates `urem i1` past a branch");
}

/// `ret` of what the loop froze; or frozen once more behind it.
TEST(FaultOf, OneFreezeMadeTwo) {
  const auto loop = [](bool twice) {
    Program program;
    program.signature.returnType = i1;
    const Operand a = program.addParameter(i1);
    program.append(Opcode::br, Type(), {Operand::block(1)});
    program.beginBlock();
    Operand frozen = program.append(Opcode::freeze, i1, {a});
    program.append(Opcode::br, Type(),
                   {frozen, Operand::block(1), Operand::block(2)});
    program.beginBlock();
    if (twice)
      frozen = program.append(Opcode::freeze, i1, {a});
    program.append(Opcode::ret, Type(), {frozen});
    return program;
  };
  const Fault fault = faultOf(loop(false), loop(true));
  EXPECT_EQ(fault.key, "freeze twice");
  EXPECT_EQ(fault.words, "freezes a value twice, and may get two values");
}

/// A copy of one byte, of a kind, or none.
Program copying(std::optional<Opcode> copy) {
  Program program;
  const Operand to = program.addParameter(Type::pointer());
  const Operand from = program.addParameter(Type::pointer());
  if (copy)
    program.append(*copy, Type(),
                   {to, from, Operand::constant(Type::integer(64), 1),
                    Operand::constant(i1, 0)});
  program.append(Opcode::ret, Type(), std::initializer_list<Operand>{});
  return program;
}

TEST(FaultOf, ACopyIsDroppedWhicheverItIs) {
  const Fault cpy = faultOf(copying(Opcode::memcpy_), copying(std::nullopt));
  EXPECT_EQ(cpy.words, "drops `llvm.memcpy`");
  const Fault move = faultOf(copying(Opcode::memmove_), copying(std::nullopt));
  EXPECT_EQ(move.words, "drops `llvm.memmove`");
  EXPECT_EQ(cpy.key, move.key);
}

/// Two bytes, one of which may be poison, are copied as one integer: to freeze
/// what is stored, or what is loaded at the end, would help, and is not what is
/// wrong.
TEST(FaultOf, ACopyThatIsAnAccessIsNoMissingFreeze) {
  const Type i8 = Type::integer(8);
  const Type i16 = Type::integer(16);
  const auto copied = [&](bool asInteger, bool isPromised = false) {
    Program program;
    program.signature.returnType = i8;
    const Operand stored = program.addParameter(i8);
    const Operand index = program.addParameter(Type::integer(64));
    const auto access = [&](Opcode opcode, Type type,
                            std::initializer_list<Operand> operands) {
      Instruction instruction;
      instruction.opcode = opcode;
      instruction.type = type;
      instruction.alignment = 1;
      return program.append(instruction, std::vector<Operand>(operands));
    };
    const auto local = [&] {
      Instruction alloca;
      alloca.opcode = Opcode::alloca_;
      alloca.type = Type::pointer();
      alloca.accessedType = i8;
      alloca.alignment = 1;
      return program.append(
          alloca, std::array{Operand::constant(Type::integer(64), 2)});
    };
    const Operand from =
        isPromised ? program.addParameter(Type::pointer()) : local();
    const Operand to = local();
    if (!isPromised)
      access(Opcode::store, Type(), {stored, from});
    if (asInteger)
      access(Opcode::store, Type(), {access(Opcode::load, i16, {from}), to});
    else
      program.append(Opcode::memcpy_, Type(),
                     {to, from, Operand::constant(Type::integer(64), 2),
                      Operand::constant(i1, 0)});
    const Operand byte =
        program.append(Opcode::getelementptr, Type::pointer(),
                       {to, index, Operand::constant(index.type, 1)});
    const Operand loaded = access(Opcode::load, i8, {byte});
    if (isPromised) {
      program.instructions.back().attributes = 0;
      program.callAttributes.push_back({{}, {corpus::attribute::noundef}, {}});
    }
    program.append(Opcode::ret, Type(), {loaded});
    return program;
  };
  EXPECT_EQ(faultOf(copied(false), copied(true)).key,
            "poison writes copy -> load, store");
  EXPECT_EQ(faultOf(copied(false, true), copied(true, true)).key,
            "poison writes copy -> load, store");
}

TEST(FaultOf, AStoreThatIsAdded) {
  Program program;
  const Operand p = program.addParameter(Type::pointer());
  Instruction store;
  store.opcode = Opcode::store;
  store.alignment = 1;
  program.append(store, std::array{Operand::constant(Type::integer(8), 1), p});
  program.append(Opcode::ret, Type(), std::initializer_list<Operand>{});
  Program none;
  none.addParameter(Type::pointer());
  none.append(Opcode::ret, Type(), std::initializer_list<Operand>{});
  const Fault added = faultOf(none, program);
  EXPECT_EQ(added.words, "makes `store i8` undefined where the source is not");
  const Fault dropped = faultOf(program, none);
  EXPECT_EQ(dropped.words, "drops `store i8`");
}

} // namespace
} // namespace reports
