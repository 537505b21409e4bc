// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts from LangRef and the papers, each on both engines.
#include "checker/check.h"
#include "checker/exact/reference.h"
#include "checker/render.h"
#include "checker/sliced/bitsliced.h"
#include "checker/sliced/set_sliced.h"
#include "checker/value/samples.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

namespace checker {
namespace {

using corpus::Opcode;
using corpus::Operand;
using corpus::Predicate;
using corpus::Program;
using corpus::Type;
namespace flag = corpus::flag;

const Type i1 = Type::integer(1);
const Type i2 = Type::integer(2);
const Type i4 = Type::integer(4);

/// Builds `define RET @f(PARAMETERS) { ... }`; `body` returns what is returned.
template <typename Body>
Program function(std::initializer_list<Type> parameters, Body body) {
  Program program;
  std::vector<Operand> arguments;
  for (Type type : parameters)
    arguments.push_back(program.addParameter(type));
  const Operand returned = body(program, arguments);
  program.signature.returnType = returned.type;
  program.append(Opcode::ret, Type(), {returned});
  return program;
}

using Arguments = std::vector<Operand>;

Operand constant(Type type, std::int64_t value) {
  return Operand::constant(type, static_cast<std::uint64_t>(value));
}

/// "refines", or the kind, the same from both engines.
std::string verdict(const Program &source, const Program &target,
                    std::string_view semantics) {
  EXPECT_EQ(corpus::verify(source), std::nullopt);
  EXPECT_EQ(corpus::verify(target), std::nullopt);
  const Semantics parsed = *parseSemantics(semantics);
  Checker checker;
  std::string answers[2];
  for (Engine engine : {Engine::automatic, Engine::reference}) {
    const Verdict verdict =
        checker.check(source, target, parsed, WantWitness::yes, engine);
    answers[engine == Engine::reference] =
        verdict.word == VerdictWord::wrong ? std::string(toString(verdict.kind))
        : verdict.word == VerdictWord::refines ? "refines"
                                               : headline(verdict);
  }
  EXPECT_EQ(answers[0], answers[1]);
  return answers[1];
}

Program unary(Type type, Opcode opcode, std::int64_t value,
              corpus::Flags flags = {}) {
  return function({type}, [&](Program &p, const Arguments &a) {
    return p.append(opcode, type, {a[0], constant(type, value)}, flags);
  });
}

Program twice(Type type) {
  return function({type}, [&](Program &p, const Arguments &a) {
    return p.append(Opcode::add, type, {a[0], a[0]});
  });
}

Program identity(Type type) {
  return function({type}, [](Program &, const Arguments &a) { return a[0]; });
}

Program returning(Type parameter, Operand value) {
  return function({parameter},
                  [&](Program &, const Arguments &) { return value; });
}

// Taming UB 3.1: the two uses of x may observe different values of an undef.
TEST(Facts, MultiplicationByTwoIsNotAdditionOfUndef) {
  const Program source = unary(i2, Opcode::mul, 2);
  EXPECT_EQ(verdict(source, twice(i2), "llvm"), "refines");
  EXPECT_EQ(verdict(source, twice(i2), "taming"), "refines");
  EXPECT_EQ(verdict(source, twice(i2), "defined-inputs"), "refines");
  EXPECT_EQ(verdict(source, twice(i2), "llvm-undef"), "more-undef");
}

// RFC 2016: `shl x, 1` of bitwise poison has a zero bit, x + x has none.
TEST(Facts, ShiftLeftIsNotAdditionOfBitwisePoison) {
  const Program source = unary(i4, Opcode::shl, 1);
  EXPECT_EQ(verdict(source, twice(i4), "llvm"), "refines");
  EXPECT_EQ(verdict(source, twice(i4), "llvm-undef"), "more-undef");
  EXPECT_EQ(verdict(source, twice(i4), "bitwise"), "more-poison");
}

// Alive 2.4 and Taming UB 2.4: signed overflow is what allows this.
TEST(Facts, IncrementIsGreater) {
  const auto source = [](corpus::Flags flags) {
    return function({i4}, [&](Program &p, const Arguments &a) {
      const Operand sum =
          p.append(Opcode::add, i4, {a[0], constant(i4, 1)}, flags);
      return p.append(Opcode::icmp, i1, {sum, a[0]}, {}, Predicate::sgt);
    });
  };
  const Program target = returning(i4, constant(i1, 1));
  EXPECT_EQ(verdict(source(flag::nsw), target, "llvm"), "refines");
  EXPECT_EQ(verdict(source(flag::nsw), target, "overflow-undef"), "value");
  EXPECT_EQ(verdict(source(flag::nsw), target, "overflow-wrap"), "value");
  EXPECT_EQ(verdict(source({}), target, "llvm"), "value");
}

// Taming UB 3.4.
TEST(Facts, SelectIsNotOr) {
  const Program source = function({i1, i1}, [](Program &p, const Arguments &a) {
    return p.append(Opcode::select, i1, {a[0], constant(i1, 1), a[1]});
  });
  const Program plainOr =
      function({i1, i1}, [](Program &p, const Arguments &a) {
        return p.append(Opcode::or_, i1, {a[0], a[1]});
      });
  const Program frozenOr =
      function({i1, i1}, [](Program &p, const Arguments &a) {
        const Operand frozen = p.append(Opcode::freeze, i1, {a[1]});
        return p.append(Opcode::or_, i1, {a[0], frozen});
      });
  for (std::string_view semantics : {"llvm", "taming"}) {
    EXPECT_EQ(verdict(source, plainOr, semantics), "more-poison");
    EXPECT_EQ(verdict(source, frozenOr, semantics), "refines");
  }
  EXPECT_EQ(verdict(source, plainOr, "select-either"), "refines");
  EXPECT_EQ(verdict(source, plainOr, "defined-inputs"), "refines");
}

// Taming UB 3.4: wrong since x may be poison, and undef is not.
TEST(Facts, SelectOfUndefIsNotItsOtherArm) {
  const Program source = function({i1, i2}, [](Program &p, const Arguments &a) {
    return p.append(Opcode::select, i2, {a[0], a[1], Operand::undef(i2)});
  });
  const Program target =
      function({i1, i2}, [](Program &, const Arguments &a) { return a[1]; });
  EXPECT_EQ(verdict(source, target, "llvm"), "more-poison");
  EXPECT_EQ(verdict(source, target, "llvm-undef"), "more-poison");
  EXPECT_EQ(verdict(source, target, "defined-inputs"), "refines");
}

// Taming UB 3.4: a division to a select adds no branch unless select is one.
TEST(Facts, DivisionBecomesSelect) {
  const Program source = unary(i4, Opcode::udiv, -3);
  const Program target = function({i4}, [](Program &p, const Arguments &a) {
    const Operand less = p.append(Opcode::icmp, i1, {a[0], constant(i4, -3)},
                                  {}, Predicate::ult);
    return p.append(Opcode::select, i4,
                    {less, constant(i4, 0), constant(i4, 1)});
  });
  EXPECT_EQ(verdict(source, target, "llvm"), "refines");
  EXPECT_EQ(verdict(source, target, "taming"), "refines");
  EXPECT_EQ(verdict(source, target, "select-ub"), "more-ub");
}

// LLVM UB manual: undef + 0 added to itself is undef again.
TEST(Facts, SumsOfUndefAreUndef) {
  const Program source = function({i2}, [](Program &p, const Arguments &) {
    const Operand undef =
        p.append(Opcode::add, i2, {Operand::undef(i2), constant(i2, 0)});
    return p.append(Opcode::add, i2, {undef, undef});
  });
  EXPECT_EQ(verdict(source, returning(i2, Operand::undef(i2)), "llvm"),
            "refines");
  EXPECT_EQ(verdict(source, returning(i2, Operand::undef(i2)), "taming"),
            "refines");
}

// Alive 3.1.3: undef may be picked so that the two agree.
TEST(Facts, SelectOnUndefBecomesShift) {
  const Program source = function({i4}, [](Program &p, const Arguments &) {
    return p.append(Opcode::select, i4,
                    {Operand::undef(i1), constant(i4, -1), constant(i4, 0)});
  });
  const Program target = function({i4}, [](Program &p, const Arguments &) {
    return p.append(Opcode::ashr, i4, {Operand::undef(i4), constant(i4, 3)});
  });
  EXPECT_EQ(verdict(source, target, "llvm"), "refines");
}

// Taming UB 5.5 and 6.
TEST(Facts, Freeze) {
  const auto frozenSum = [](bool once) {
    return function({i2}, [&](Program &p, const Arguments &a) {
      const Operand first = p.append(Opcode::freeze, i2, {a[0]});
      const Operand second =
          once ? first : p.append(Opcode::freeze, i2, {a[0]});
      return p.append(Opcode::sub, i2, {first, second});
    });
  };
  for (std::string_view semantics : {"llvm", "taming", "llvm-undef"}) {
    EXPECT_EQ(verdict(frozenSum(true), frozenSum(false), semantics), "value");
    EXPECT_EQ(verdict(frozenSum(false), frozenSum(true), semantics), "refines");
    EXPECT_EQ(
        verdict(frozenSum(true), returning(i2, constant(i2, 0)), semantics),
        "refines");
  }
  const auto frozen = [](unsigned times) {
    return function({i2}, [&](Program &p, const Arguments &a) {
      Operand value = a[0];
      for (unsigned i = 0; i < times; ++i)
        value = p.append(Opcode::freeze, i2, {value});
      return value;
    });
  };
  for (std::string_view semantics : {"llvm", "taming", "llvm-undef"}) {
    EXPECT_EQ(verdict(frozen(2), frozen(1), semantics), "refines");
    EXPECT_EQ(verdict(frozen(0), frozen(1), semantics), "refines");
  }
  EXPECT_EQ(verdict(frozen(1), frozen(0), "llvm"), "more-poison");
  EXPECT_EQ(verdict(frozen(1), frozen(0), "llvm-undef"), "more-poison");
  EXPECT_EQ(verdict(frozen(1), frozen(0), "llvm-undef:inputs=defined"),
            "refines");
}

// SEMANTICS section 3: Alive2 accepts this pair; each choice of the freeze
// gives the source a set of its own, and none has all four values.
TEST(Facts, FreezeIsChosenBeforeUndefIsPicked) {
  const Program source = function({i4}, [](Program &p, const Arguments &) {
    const Operand frozen = p.append(Opcode::freeze, i4, {Operand::poison(i4)});
    const Operand high = p.append(Opcode::and_, i4, {frozen, constant(i4, -4)});
    const Operand low =
        p.append(Opcode::and_, i4, {Operand::undef(i4), constant(i4, 3)});
    return p.append(Opcode::or_, i4, {high, low});
  });
  EXPECT_EQ(verdict(source, returning(i4, Operand::undef(i4)), "llvm"),
            "more-undef");
}

// SEMANTICS section 1: bit 0 undef and bit 1 zero is a value of its own.
TEST(Facts, PartlyUndefInput) {
  // x & x is x unless bit 0 differs between the two uses: mask the other bit.
  const Program source = function({i2}, [](Program &p, const Arguments &a) {
    const Operand high =
        p.append(Opcode::icmp, i1, {a[0], constant(i2, 2)}, {}, Predicate::uge);
    const Operand differ = p.append(Opcode::sub, i2, {a[0], a[0]});
    const Operand wide = p.append(Opcode::zext, i2, {high});
    return p.append(
        Opcode::udiv, i2,
        {differ, p.append(Opcode::sub, i2, {constant(i2, 1), wide})});
  });
  const Program target = function({i2}, [](Program &p, const Arguments &a) {
    const Operand high =
        p.append(Opcode::icmp, i1, {a[0], constant(i2, 2)}, {}, Predicate::uge);
    const Operand wide = p.append(Opcode::zext, i2, {high});
    return p.append(Opcode::udiv, i2,
                    {Operand::undef(i2),
                     p.append(Opcode::sub, i2, {constant(i2, 1), wide})});
  });
  // Source on {0, 1}: {0, 1, 3}; target: everything. Wholly undef: UB.
  EXPECT_EQ(verdict(source, target, "llvm-undef"), "more-undef");
}

// SEMANTICS section 1: no cube shows it, the set {1, 2} does.
TEST(Facts, ArbitrarySet) {
  const auto guarded = [](Opcode opcode) {
    return function({i2}, [&](Program &p, const Arguments &a) {
      for (std::int64_t forbidden : {0, 3}) {
        const Operand fine =
            p.append(Opcode::icmp, i1, {a[0], constant(i2, forbidden)}, {},
                     Predicate::ne);
        p.append(Opcode::assume, Type(), {fine});
      }
      return p.append(opcode, i2,
                      {a[0], opcode == Opcode::mul ? constant(i2, 2) : a[0]});
    });
  };
  const Program source = guarded(Opcode::mul);
  const Program target = guarded(Opcode::add);
  EXPECT_EQ(verdict(source, target, "llvm-undef"), "refines");
  EXPECT_EQ(verdict(source, target, "llvm:inputs=any-set"), "more-undef");
}

// LangRef: immediate UB.
TEST(Facts, Division) {
  const auto divide = [](Opcode opcode) {
    return function({i2, i2}, [&](Program &p, const Arguments &a) {
      return p.append(opcode, i2, {a[0], a[1]});
    });
  };
  const Program any = function(
      {i2, i2}, [](Program &, const Arguments &) { return constant(i2, 0); });
  EXPECT_EQ(verdict(any, divide(Opcode::udiv), "llvm"), "more-ub");
  // -2 / -1 overflows: UB, and for the remainder too.
  const Program minimumBy = function({i2}, [](Program &p, const Arguments &a) {
    return p.append(Opcode::srem, i2, {constant(i2, -2), a[0]});
  });
  const Program remainder = function({i2}, [](Program &p, const Arguments &a) {
    const Operand isZero =
        p.append(Opcode::icmp, i1, {a[0], constant(i2, 0)}, {}, Predicate::ne);
    p.append(Opcode::assume, Type(), {isZero});
    return constant(i2, 0);
  });
  EXPECT_EQ(verdict(minimumBy, remainder, "defined-inputs"), "refines");
  EXPECT_EQ(verdict(remainder, minimumBy, "defined-inputs"), "more-ub");
}

// SEMANTICS section 2, attributes.
TEST(Facts, Attributes) {
  Program plain = identity(i4);
  Program result = plain;
  result.signature.result = {corpus::attribute::range, 0, 8};
  EXPECT_EQ(verdict(plain, result, "llvm"), "more-poison");
  EXPECT_EQ(verdict(result, plain, "llvm"), "refines");
  result.signature.result = {corpus::attribute::noundef, 0, 0};
  EXPECT_EQ(verdict(plain, result, "llvm"), "more-ub");
  EXPECT_EQ(verdict(plain, result, "defined-inputs"), "refines");
  EXPECT_EQ(verdict(result, plain, "llvm"), "refines");
  Program parameter = plain;
  parameter.signature.parameters[0].attributes = {corpus::attribute::noundef, 0,
                                                  0};
  EXPECT_EQ(verdict(plain, parameter, "llvm"), "more-ub");
  EXPECT_EQ(verdict(plain, parameter, "llvm-undef"), "more-ub");
  EXPECT_EQ(verdict(parameter, plain, "llvm"), "refines");
  // A wrapping range: [6, 2) does not contain 2..5.
  parameter.signature.parameters[0].attributes = {corpus::attribute::range, 6,
                                                  2};
  EXPECT_EQ(verdict(plain, parameter, "llvm"), "more-poison");
  EXPECT_EQ(verdict(parameter, plain, "llvm"), "refines");
}

// Fewest poison, then unsigned, arguments left to right.
TEST(Facts, SmallestWitness) {
  const Program source = function({i4, i4}, [](Program &p, const Arguments &a) {
    return p.append(Opcode::add, i4, {a[0], a[1]});
  });
  const Program target = function({i4, i4}, [](Program &p, const Arguments &a) {
    return p.append(Opcode::add, i4, {a[0], a[1]}, flag::nsw);
  });
  Checker checker;
  for (Engine engine : {Engine::automatic, Engine::reference}) {
    const Verdict verdict =
        checker.check(source, target, {}, WantWitness::yes, engine);
    EXPECT_EQ(verdict.kind, Kind::morePoison);
    EXPECT_EQ(toText(*verdict.witness), "Example:\n"
                                        "i4 %a = 0x1 (1)\n"
                                        "i4 %b = 0x7 (7)\n"
                                        "\n"
                                        "Source:\n"
                                        "i4 %v0 = 0x8 (8, -8)\n"
                                        "returns 0x8 (8, -8)\n"
                                        "\n"
                                        "Target:\n"
                                        "i4 %v0 = poison\n"
                                        "returns poison\n");
  }
}

// SEMANTICS section 1: freeze picks one element, here a pair. With an undef
// argument both halves of uadd.with.overflow(%a, true) vary, but together.
TEST(Facts, FreezeOfAPairPicksBothHalvesTogether) {
  const Type pair = Type::overflowPair(1);
  const auto isOdd = [&](bool frozenApart) {
    Program program;
    const Operand a = program.addParameter(i1);
    Operand sum =
        program.append(Opcode::uaddOverflow, pair, {a, constant(i1, 1)});
    if (!frozenApart)
      sum = program.append(Opcode::freeze, pair, {sum});
    Operand halves[2];
    for (int i = 0; i < 2; ++i) {
      halves[i] = program.append(Opcode::extractvalue, i1,
                                 {sum, constant(Type::integer(32), i)});
      if (frozenApart)
        halves[i] = program.append(Opcode::freeze, i1, {halves[i]});
    }
    program.signature.returnType = i1;
    const Operand result =
        program.append(Opcode::xor_, i1, {halves[0], halves[1]});
    program.append(Opcode::ret, Type(), {result});
    EXPECT_EQ(corpus::verify(program), std::nullopt);
    return program;
  };
  const Program together = isOdd(false);
  const Program apart = isOdd(true);
  Checker checker;
  for (const Engine engine :
       {Engine::exhaustive, Engine::smt, Engine::reference}) {
    SCOPED_TRACE(static_cast<int>(engine));
    const auto ask = [&](const Program &source, const Program &target,
                         std::string_view semantics) {
      return headline(checker.check(source, target, *parseSemantics(semantics),
                                    WantWitness::no, engine));
    };
    EXPECT_EQ(ask(together, apart, "llvm"), "refines");
    EXPECT_EQ(ask(apart, together, "llvm"), "refines");
    EXPECT_EQ(ask(together, apart, "llvm-undef"), "wrong (value)");
    EXPECT_EQ(ask(apart, together, "llvm-undef"), "refines");
  }
  BitSliced planes(bitsliced::kernels().back());
  SetSliced sets;
  EXPECT_EQ(planes.check(together, apart, {}, false, 10'000).word,
            BitSliced::Result::Word::refines);
  EXPECT_EQ(sets.check(together, apart, *parseSemantics("llvm-undef"), 0, false,
                       1 << 20)
                .word,
            SetSliced::Result::Word::wrong);
}

// LangRef: it has no effect on the value; LowerExpectIntrinsic puts its first
// operand in its place.
TEST(Facts, ExpectIsItsFirstOperand) {
  const Program expected = function({i4}, [](Program &program,
                                             const Arguments &arguments) {
    return program.append(Opcode::expect, i4, {arguments[0], constant(i4, 3)});
  });
  const std::vector<Semantics> semanticsList =
      *parseSemanticsList("llvm,llvm-undef");
  Checker checker;
  for (const Engine engine :
       {Engine::exhaustive, Engine::smt, Engine::reference})
    for (const Semantics &semantics : semanticsList)
      for (const auto &[source, target] :
           {std::pair(expected, identity(i4)), {identity(i4), expected}})
        EXPECT_EQ(headline(checker.check(source, target, semantics,
                                         WantWitness::no, engine)),
                  "refines");
}

TEST(Facts, DifferentTypesAreUnsupported) {
  Checker checker;
  EXPECT_EQ(checker.check(identity(i2), identity(i4), {}).word,
            VerdictWord::unsupported);
}

/// A freeze of a pair is one of each half: with a single use each, the halves
/// may as well be frozen behind the extractvalue.
TEST(Facts, FreezeOfAnOverflowPair) {
  enum class Freeze { no, pair, half };
  const Type pair = Type::overflowPair(2);
  const auto half = [&](Freeze freeze, unsigned index) {
    return function({i2, i2}, [&](Program &p, const Arguments &a) {
      Operand both = p.append(Opcode::saddOverflow, pair, {a[0], a[1]});
      if (freeze == Freeze::pair)
        both = p.append(Opcode::freeze, pair, {both});
      const Operand value =
          p.append(Opcode::extractvalue, pair.lane(index),
                   {both, Operand::constant(Type::integer(32), index)});
      return freeze == Freeze::half
                 ? p.append(Opcode::freeze, value.type, {value})
                 : value;
    });
  };
  for (const unsigned index : {0U, 1U})
    for (const std::string_view semantics : {"llvm", "bitwise"}) {
      const auto answer = [&](Freeze source, Freeze target) {
        return verdict(half(source, index), half(target, index), semantics);
      };
      EXPECT_EQ(answer(Freeze::no, Freeze::pair), "refines");
      EXPECT_EQ(answer(Freeze::pair, Freeze::no), "more-poison");
      EXPECT_EQ(answer(Freeze::half, Freeze::pair), "refines");
      EXPECT_EQ(answer(Freeze::pair, Freeze::half), "refines");
    }
  Checker checker;
  for (const Engine engine : {Engine::exhaustive, Engine::smt, Engine::both}) {
    const auto word = [&](Freeze source, Freeze target) {
      return checker
          .check(half(source, 1), half(target, 1), {}, WantWitness::no, engine)
          .word;
    };
    EXPECT_EQ(word(Freeze::no, Freeze::pair), VerdictWord::refines);
    EXPECT_EQ(word(Freeze::pair, Freeze::no), VerdictWord::wrong);
  }
}

/// A product of 33 bits and more: twice as many are in it before it is cut.
TEST(Facts, OverflowOfAWideProduct) {
  const Type i3 = Type::integer(3);
  for (const unsigned width : {33U, 40U, 64U}) {
    const Type wide = Type::integer(width);
    const auto product = [&](Opcode extension, std::int64_t factor,
                             corpus::Flags flags) {
      return function({i3}, [&](Program &p, const Arguments &a) {
        const Operand extended = p.append(extension, wide, {a[0]});
        return p.append(Opcode::mul, wide, {extended, constant(wide, factor)},
                        flags);
      });
    };
    const auto keeps = [&](Opcode extension, std::int64_t factor,
                           corpus::Flags flags) {
      const Program plain = product(extension, factor, {});
      const Program flagged = product(extension, factor, flags);
      Checker checker;
      const Verdict exhaustive = checker.check(
          plain, flagged, {}, WantWitness::no, Engine::exhaustive);
      EXPECT_EQ(headline(exhaustive),
                headline(checker.check(plain, flagged, {}, WantWitness::no,
                                       Engine::reference)));
      return exhaustive.word == VerdictWord::refines;
    };
    const std::int64_t quarter = std::int64_t{1} << (width - 3);
    EXPECT_TRUE(keeps(Opcode::zext, quarter, flag::nuw));
    EXPECT_FALSE(keeps(Opcode::zext, quarter + (quarter >> 1), flag::nuw));
    EXPECT_FALSE(keeps(Opcode::zext, quarter, flag::nsw));
    EXPECT_TRUE(keeps(Opcode::sext, quarter, flag::nsw));
    EXPECT_FALSE(keeps(Opcode::sext, quarter + 1, flag::nsw));
    EXPECT_FALSE(keeps(Opcode::sext, quarter, flag::nuw));
  }
}

TEST(Facts, PointersAreValues) {
  const Type pointer = Type::pointer();
  const auto frozen = [&](std::optional<Operand> value) {
    return function({pointer}, [&](Program &p, const Arguments &a) {
      return p.append(Opcode::freeze, pointer, {value.value_or(a[0])});
    });
  };
  EXPECT_EQ(verdict(identity(pointer), identity(pointer), "llvm"), "refines");
  EXPECT_EQ(verdict(identity(pointer), frozen(std::nullopt), "llvm"),
            "refines");
  EXPECT_EQ(verdict(frozen(std::nullopt), identity(pointer), "llvm"),
            "more-poison");
  EXPECT_EQ(
      verdict(frozen(Operand::poison(pointer)), identity(pointer), "llvm"),
      "more-poison");
}

TEST(Facts, OtherTypesAreUnsupportedByName) {
  const Type types[] = {Type::vector(2, Type::pointer())};
  Checker checker;
  for (const Type type : types)
    for (const Engine engine : {Engine::automatic, Engine::exhaustive,
                                Engine::smt, Engine::both, Engine::reference}) {
      Program program;
      program.signature.returnType = i2;
      program.append(Opcode::freeze, type, {Operand::poison(type)});
      program.append(Opcode::ret, Type(), {constant(i2, 0)});
      ASSERT_EQ(corpus::verify(program), std::nullopt);
      const Verdict verdict =
          checker.check(program, program, {}, WantWitness::no, engine);
      EXPECT_EQ(verdict.word, VerdictWord::unsupported);
      EXPECT_NE(verdict.reason.find("a value of type " + toString(type)),
                std::string::npos)
          << verdict.reason;

      Program identity;
      identity.signature.returnType = type;
      const Operand a = identity.addParameter(type);
      identity.append(Opcode::ret, Type(), {a});
      EXPECT_EQ(
          checker.check(identity, identity, {}, WantWitness::no, engine).word,
          VerdictWord::unsupported);

      Program calling;
      calling.signature.returnType = i2;
      calling.callees.push_back({"get", {}});
      calling.callees[0].signature.returnType = type;
      calling.append(Opcode::call, type, {});
      calling.append(Opcode::ret, Type(), {constant(i2, 0)});
      ASSERT_EQ(corpus::verify(calling), std::nullopt);
      EXPECT_EQ(
          checker.check(calling, calling, {}, WantWitness::no, engine).word,
          VerdictWord::unsupported);
    }
}

TEST(Facts, TooManyInputsAreUndecided) {
  const Type i64 = Type::integer(64);
  Checker checker;
  const Verdict verdict = checker.check(twice(i64), twice(i64), {},
                                        WantWitness::no, Engine::exhaustive);
  EXPECT_EQ(verdict.word, VerdictWord::undecided);
  EXPECT_FALSE(verdict.reason.empty());
}

// Wide values from narrow inputs are fine.
TEST(Facts, WideIntermediate) {
  const Type i64 = Type::integer(64);
  const auto viaWide = [&](std::int64_t added) {
    return function({i2}, [&](Program &p, const Arguments &a) {
      const Operand wide = p.append(Opcode::zext, i64, {a[0]});
      const Operand sum =
          p.append(Opcode::mul, i64, {wide, constant(i64, added)}, flag::nuw);
      return p.append(Opcode::trunc, i2, {sum});
    });
  };
  const Program target = unary(i2, Opcode::mul, 3);
  EXPECT_EQ(verdict(viaWide(3), target, "llvm"), "refines");
  EXPECT_EQ(verdict(viaWide(2), target, "llvm"), "value");
}

// Where only odd numbers show it, those around them do not take it back; the
// smallest is 1, and poison would show more than a number does.
TEST(Samples, TheSmallestOfThoseThatShowIt) {
  const Type i32 = Type::integer(32);
  const Program same =
      function({i32}, [](Program &, const Arguments &a) { return a[0]; });
  const Program even = function({i32}, [&](Program &p, const Arguments &a) {
    return p.append(Opcode::and_, i32, {a[0], constant(i32, -2)});
  });
  const auto found =
      trySamplesByReference(same, even, Semantics(), true, 100000);
  ASSERT_TRUE(found);
  EXPECT_EQ(toString(found->kind), "value");
  ASSERT_TRUE(found->witness);
  EXPECT_EQ(found->witness->sourceOutcome, "returns 0x00000001 (1)");
  EXPECT_EQ(found->witness->targetOutcome, "returns 0x00000000 (0)");
  EXPECT_FALSE(trySamplesByReference(same, same, Semantics(), true, 100000));
}

// The first ones of a single argument: every power of two and what is below.
TEST(Samples, EveryPowerOfTwoAndTheNumberBelow) {
  const std::vector<Type> types = {Type::integer(64)};
  const Program same =
      function({types[0]}, [](Program &, const Arguments &a) { return a[0]; });
  const Samples samples(same, same, false);
  std::set<std::uint64_t> numbers;
  for (std::uint64_t number = 0; number < 160; ++number)
    numbers.insert(samples.input(types, number)[0].bits);
  for (unsigned bit = 0; bit < 64; ++bit) {
    EXPECT_TRUE(numbers.contains(std::uint64_t(1) << bit)) << bit;
    EXPECT_TRUE(numbers.contains((std::uint64_t(1) << bit) - 1)) << bit;
  }
}

// Of those behind the corners, too, that are equal by chance once in 2^64.
TEST(Samples, ArgumentsAreOftenEqual) {
  const Type i64 = Type::integer(64);
  const std::vector<Type> types = {i64, i64};
  const Program first =
      function({i64, i64}, [](Program &, const Arguments &a) { return a[0]; });
  const Samples samples(first, first, true);
  unsigned equal = 0;
  for (std::uint64_t number = 10000; number < 10500; ++number) {
    const std::vector<Element> input = samples.input(types, number);
    equal += !input[0].hasPoison() && input[0] == input[1] &&
                     input[0].bits > 1000 && !std::has_single_bit(input[0].bits)
                 ? 1
                 : 0;
  }
  EXPECT_GE(equal, 10U);
}

// Lanes that vary on their own are printed lane by lane, the first one too.
TEST(Values, ASetOfTuplesIsPrintedByLanes) {
  const Type type = Type::vector(2, i2);
  ValueSet set;
  for (std::uint64_t bits = 0; bits < 4; ++bits)
    set.push_back(Element::ofLanes(std::vector<Lane>{{bits, 0}, {2, 0}}));
  EXPECT_EQ(format(set, type), "<undef, 2 (-2)>");
  set.pop_back();
  set.push_back(Element::ofLanes(std::vector<Lane>{{3, 0}, {1, 0}}));
  EXPECT_EQ(format(set, type).front(), '{');
}

TEST(Values, WhetherItOverflowedIsPrintedAsAWord) {
  const Type type = Type::overflowPair(2);
  EXPECT_EQ(format({Element::pair(1, true)}, type), "{ 1, true }");
  EXPECT_EQ(format({Element::pair(1, false)}, type), "{ 1, false }");
}

// However few terms it may look at, sets of values never say more than is true.
TEST(SetSliced, ABudgetThatRunsOutIsNoAnswer) {
  const Semantics semantics = *parseSemantics("llvm-undef");
  const Program frozen = function({i2}, [](Program &p, const Arguments &a) {
    return p.append(Opcode::freeze, i2, {a[0]});
  });
  const Program sum = function({i2}, [](Program &p, const Arguments &a) {
    const Operand f = p.append(Opcode::freeze, i2, {a[0]});
    return p.append(Opcode::add, i2, {f, constant(i2, 1)});
  });
  const Program plain =
      function({i2}, [](Program &, const Arguments &a) { return a[0]; });
  const Program next = unary(i2, Opcode::add, 1);
  using Word = SetSliced::Result::Word;
  for (const auto &[source, target] :
       {std::pair(frozen, sum), std::pair(frozen, plain),
        std::pair(plain, next)}) {
    std::set<Word> words;
    for (std::uint64_t limit = 0; limit < 1000; ++limit) {
      SetSliced sets;
      words.insert(sets.check(source, target, semantics, 0, false, limit).word);
    }
    EXPECT_EQ(words, std::set<Word>({Word::wrong, Word::cannot}));
  }
}

} // namespace
} // namespace checker
