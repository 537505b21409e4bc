// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The symbolic engine against the others on random pairs of narrow integers,
// and by facts from LangRef and the Alive paper on wide ones.
#include "checker/symbolic/smt.h"

#include "checker/agreement.h"
#include "checker/check.h"
#include "checker/memory/windows.h"
#include "checker/render.h"
#include "checker/symbolic/memory_smt.h"
#include "corpus/program/print.h"
#include "corpus/program/random_program.h"

#include <gtest/gtest.h>

#include <string>

namespace checker {
namespace {

class SymbolicAgreement : public Agreement {
protected:
  void compareEngines(const corpus::RandomOptions &options, unsigned pairs,
                      std::uint64_t seed, const Limits &exhaustive = {});
  static Opinions ask(Checker &checker, const Question &question);
};

/// Its poison is value-wise.
bool isKnown(const Semantics &semantics) {
  return semantics.poisonUnit == PoisonUnit::value;
}

Opinions SymbolicAgreement::ask(Checker &checker, const Question &question) {
  const auto &[source, target, semantics] = question;
  const Verdict exact = checker.check(source, target, semantics,
                                      WantWitness::no, Engine::exhaustive);
  const Verdict symbolic =
      checker.check(source, target, semantics, WantWitness::yes, Engine::smt);
  if (!isDecided(exact) || !isDecided(symbolic))
    return {};
  // Of longer runs it knows nothing: they may show an earlier kind.
  const bool isBounded = !symbolic.reason.empty();
  const bool isWrong = symbolic.word == VerdictWord::wrong;
  if (isBounded && !isWrong)
    return {Opinions::Word::bounded};
  const bool agree = isBounded ? exact.word == VerdictWord::wrong
                               : headline(symbolic) == headline(exact);
  if (agree && symbolic.witness.has_value() == isWrong)
    return {Opinions::Word::agree, exact};
  return {Opinions::Word::disagree, exact,
          "exhaustive says " + headline(exact) + ", smt says " +
              headline(symbolic) + (symbolic.witness ? " with a witness" : "")};
}

void SymbolicAgreement::compareEngines(const corpus::RandomOptions &options,
                                       unsigned pairs, std::uint64_t seed,
                                       const Limits &exhaustive) {
  Limits limits = exhaustive;
  limits.smt.resources = 1'000'000; // a few pairs would take most of the time
  Checker checker(limits);
  compareOnRandomPairs(
      options, pairs, seed,
      [&](const Question &question) { return ask(checker, question); },
      isKnown);
}

TEST_F(SymbolicAgreement, OnRandomPairs) {
  corpus::RandomOptions options;
  options.widths = {1, 2};
  compareEngines(options, scaled(400), 11);
  options.widths = {1, 3};
  options.maximumArguments = 2;
  compareEngines(options, scaled(300), 12);
  options.widths = {2, 3};
  options.attributes = true;
  compareEngines(options, scaled(300), 13);
  options.widths = {1, 2};
  options.undefAndPoison = true;
  options.instructions = 4;
  compareEngines(options, scaled(300), 14);
  options.widths = {4, 1};
  compareEngines(options, scaled(200), 15);
  counts.expectBalance(0.01);
  counts.expectEveryChoice(isKnown);
}

TEST_F(SymbolicAgreement, OnRandomPairsOfVectors) {
  // Most of the time would go to the few pairs with the most inputs.
  Limits limits;
  limits.referenceSteps = 200'000;
  limits.setSlicedTerms = std::uint64_t(1) << 24;
  corpus::RandomOptions options;
  options.widths = {1, 2};
  options.lanes = {2};
  options.maximumArguments = 2;
  compareEngines(options, scaled(250), 31, limits);
  options.lanes = {1, 3};
  options.maximumArguments = 1;
  options.attributes = true;
  compareEngines(options, scaled(100), 32, limits);
  options.undefAndPoison = true;
  compareEngines(options, scaled(100), 33, limits);
  options.lanes = {2};
  options.maximumBlocks = 3;
  compareEngines(options, scaled(100), 34, limits);
  counts.expectBalance(0.1);
}

TEST_F(SymbolicAgreement, OnRandomBranchingPairs) {
  corpus::RandomOptions options;
  options.maximumBlocks = 4;
  compareEngines(options, scaled(500), 18);
  options.widths = {1, 3};
  options.undefAndPoison = options.attributes = true;
  compareEngines(options, scaled(300), 19);
  counts.expectBalance(0.01);
  counts.expectEveryChoice(isKnown);
}

TEST_F(SymbolicAgreement, OnRandomLoopingPairs) {
  corpus::RandomOptions options;
  options.maximumBlocks = 4;
  options.maximumArguments = 2;
  options.loops = true;
  compareEngines(options, scaled(150), 26);
  counts.expectBalance(0.03);
}

TEST_F(SymbolicAgreement, OnRandomPairsWithMemory) {
  corpus::RandomOptions options;
  options.memory = true;
  options.maximumArguments = 2;
  options.widths = {8, 1};
  compareEngines(options, scaled(15), 41);
  options.maximumBlocks = 4;
  options.loops = true;
  compareEngines(options, scaled(30), 42);
  options.widths = {1, 2};
  compareEngines(options, scaled(30), 43);
  // The exhaustive engine gives up where contents of memory are many.
  counts.expectBalance(1.0);
}

TEST_F(SymbolicAgreement, OnRandomCallingPairs) {
  corpus::RandomOptions options;
  options.calls = true;
  options.maximumArguments = 2;
  options.widths = {1, 2};
  compareEngines(options, scaled(300), 21);
  options.maximumBlocks = 4;
  compareEngines(options, scaled(300), 22);
  options.attributes = options.undefAndPoison = true;
  compareEngines(options, scaled(300), 23);
  counts.expectBalance(0.1);
  options.loops = true;
  compareEngines(options, scaled(100), 24);
}

/// Two locals that calls are given, in ways that differ in what they promise.
corpus::Program passingProgram(corpus::Random &random) {
  using namespace corpus;
  const auto below = [&](std::size_t count) { return random() % count; };
  struct Kind {
    const char *name;
    std::uint32_t function;
    std::uint64_t effects;
    std::vector<bool> captures; ///< by argument
  };
  constexpr std::uint32_t sure = attribute::willreturn | attribute::nounwind;
  constexpr std::uint64_t argument = (memory::read | memory::write)
                                     << memory::argument;
  static const Kind kinds[] = {
      {"take", 0, memory::all, {true}},
      {"lend", 0, memory::all, {false}},
      {"lend_two", attribute::nounwind, memory::all, {false, false}},
      {"take_one", 0, memory::all, {false, true}},
      {"use", 0, argument, {false}},
      {"use_two", 0, argument, {false, true}},
      {"fill", sure, argument, {false}},
      {"look", attribute::nounwind, memory::readOnly, {false}},
      {"go", 0, memory::all, {}},
  };
  Program program;
  const Type i8 = Type::integer(8);
  program.signature.returnType = i8;
  std::vector<Operand> pointers;
  for (unsigned i = 0; i < 2; ++i) {
    Instruction made;
    made.opcode = Opcode::alloca_;
    made.type = Type::pointer();
    made.accessedType = i8;
    made.alignment = 1U << below(2);
    const Operand count =
        Operand::constant(Type::integer(64), 1 + below(4) / 3);
    pointers.push_back(program.append(made, std::span(&count, 1)));
  }
  const Operand argumentPointer = program.addParameter(
      Type::pointer(),
      below(3) == 0 ? Attributes(attribute::noalias) : Attributes());
  pointers.push_back(argumentPointer);
  const Operand number = program.addParameter(i8, attribute::noundef);
  const auto pointer = [&] { return pointers[below(pointers.size())]; };
  Operand last = Operand::constant(i8, 0);
  for (std::size_t steps = 2 + below(3); steps > 0; --steps)
    switch (below(8)) {
    case 0:
    case 1: {
      Instruction made;
      made.opcode = Opcode::store;
      made.alignment = 1;
      const std::array<Operand, 2> operands = {
          below(2) == 0 ? number : Operand::constant(i8, 1), pointer()};
      program.append(made, operands);
      break;
    }
    case 2:
      program.append(Opcode::memcpy_, Type(),
                     {pointer(), pointer(),
                      Operand::constant(Type::integer(64), 1),
                      Operand::constant(Type::integer(1), 0)});
      break;
    case 3: {
      Instruction made;
      made.opcode = Opcode::load;
      made.alignment = 1;
      made.type = i8;
      const Operand from = pointer();
      last = program.append(made, std::span(&from, 1));
      break;
    }
    default: {
      const Kind &kind = kinds[below(std::size(kinds))];
      Callee callee;
      callee.name = kind.name;
      callee.signature.function = kind.function;
      if (kind.effects == memory::readOnly)
        callee.signature.function.add(attribute::memoryRead);
      else if (kind.effects != memory::all)
        callee.signature.function.add(attribute::memory, kind.effects);
      std::vector<Operand> arguments;
      for (const bool isCaptured : kind.captures) {
        callee.signature.parameters.push_back({Type::pointer(), {}});
        if (!isCaptured)
          callee.signature.parameters.back().attributes.add(
              attribute::captures);
        arguments.push_back(pointer());
      }
      auto &callees = program.callees;
      auto found = std::find(callees.begin(), callees.end(), callee);
      if (found == callees.end())
        found = callees.insert(found, callee);
      const auto index = static_cast<std::uint32_t>(found - callees.begin());
      program.append(Opcode::call, Type(), arguments);
      program.instructions.back().callee = index;
    }
    }
  program.append(Opcode::ret, Type(), {last});
  return program;
}

TEST_F(SymbolicAgreement, OnRandomPairsThatPassLocals) {
  Limits limits;
  limits.referenceSteps = 1'000'000;
  Checker checker(limits);
  corpus::RandomOptions edits;
  edits.memory = edits.calls = true;
  edits.widths = {8};
  corpus::Random random(seeded(44));
  for (unsigned i = scaled(30); i > 0; --i) {
    Question question;
    question.source = question.target = passingProgram(random);
    for (std::size_t n = 1 + random() % 2; n > 0; --n)
      question.target = corpus::randomEdit(random, question.target, edits);
    ASSERT_EQ(corpus::verify(question.source), std::nullopt);
    do
      question.semantics = randomSemantics(random, edits.widths);
    while (!isKnown(question.semantics) ||
           question.semantics.inputs > Inputs::poison);
    compare(question, [&](const Question &each) { return ask(checker, each); });
    if (HasFatalFailure())
      return;
  }
  counts.expectBalance(4.0);
}

TEST_F(SymbolicAgreement, OnRandomPairsOfBytes) {
  corpus::RandomOptions options;
  options.widths = {8, 5, 1};
  options.maximumArguments = 1;
  compareEngines(options, scaled(60), 16);
  options.widths = {6, 7};
  options.attributes = true;
  compareEngines(options, scaled(60), 17);
}

// Facts at widths that nobody enumerates.

using corpus::Opcode;
using corpus::Operand;
using corpus::Predicate;
using corpus::Program;
using corpus::Type;
namespace flag = corpus::flag;

using Arguments = std::vector<Operand>;

const Type i1 = Type::integer(1);
const Type i32 = Type::integer(32);
const Type i64 = Type::integer(64);

Operand constant(Type type, std::int64_t value) {
  return Operand::constant(type, static_cast<std::uint64_t>(value));
}

/// Builds `define RET @f(PARAMETERS) { ... }`; `body` returns what is returned.
template <typename Body>
Program function(std::initializer_list<Type> parameters, Body body) {
  Program program;
  Arguments arguments;
  for (Type type : parameters)
    arguments.push_back(program.addParameter(type));
  const Operand returned = body(program, arguments);
  program.signature.returnType = returned.type;
  program.append(Opcode::ret, Type(), {returned});
  return program;
}

/// op(argument, value)
Program with(Type type, Opcode opcode, std::int64_t value,
             corpus::Flags flags = {}) {
  return function({type}, [&](Program &p, const Arguments &a) {
    return p.append(opcode, type, {a[0], constant(type, value)}, flags);
  });
}

/// op(op(argument, first), second)
Program chain(Type type, Opcode first, std::int64_t firstValue, Opcode second,
              std::int64_t secondValue, corpus::Flags firstFlags = {},
              corpus::Flags secondFlags = {}) {
  return function({type}, [&](Program &p, const Arguments &a) {
    const Operand inner =
        p.append(first, type, {a[0], constant(type, firstValue)}, firstFlags);
    return p.append(second, type, {inner, constant(type, secondValue)},
                    secondFlags);
  });
}

Program twice(Type type, bool frozen) {
  return function({type}, [&](Program &p, const Arguments &a) {
    const Operand x = frozen ? p.append(Opcode::freeze, type, {a[0]}) : a[0];
    return p.append(Opcode::add, type, {x, x});
  });
}

std::string verdict(const Program &source, const Program &target,
                    std::string_view semantics = "llvm") {
  EXPECT_EQ(corpus::verify(source), std::nullopt);
  EXPECT_EQ(corpus::verify(target), std::nullopt);
  const Verdict verdict =
      checkSymbolic(source, target, *parseSemantics(semantics), true);
  EXPECT_EQ(verdict.engine, "smt");
  EXPECT_EQ(verdict.witness.has_value(), verdict.word == VerdictWord::wrong);
  return verdict.word == VerdictWord::wrong
             ? std::string(toString(verdict.kind))
             : headline(verdict);
}

TEST(SymbolicWide, Strength) {
  for (Type type : {i32, i64, Type::integer(33)}) {
    EXPECT_EQ(verdict(with(type, Opcode::mul, 2), with(type, Opcode::shl, 1)),
              "refines");
    EXPECT_EQ(verdict(with(type, Opcode::mul, 2, flag::nsw),
                      with(type, Opcode::shl, 1, flag::nsw)),
              "refines");
    EXPECT_EQ(verdict(with(type, Opcode::mul, 2, flag::nuw),
                      with(type, Opcode::shl, 1, flag::nuw)),
              "refines");
    EXPECT_EQ(verdict(with(type, Opcode::mul, 2),
                      with(type, Opcode::shl, 1, flag::nsw)),
              "more-poison");
    EXPECT_EQ(
        verdict(with(type, Opcode::udiv, 16), with(type, Opcode::lshr, 4)),
        "refines");
    EXPECT_EQ(
        verdict(with(type, Opcode::sdiv, 16), with(type, Opcode::ashr, 4)),
        "value");
    EXPECT_EQ(verdict(with(type, Opcode::sdiv, 16, flag::exact),
                      with(type, Opcode::ashr, 4, flag::exact)),
              "refines");
    EXPECT_EQ(verdict(with(type, Opcode::urem, 8), with(type, Opcode::and_, 7)),
              "refines");
  }
}

TEST(SymbolicWide, EveryWidth) {
  for (unsigned width = 1; width <= Type::maximumWidth; ++width) {
    const Type type = Type::integer(width);
    // |x| without a branch: (x ^ s) - s, where s is the sign in every bit.
    const auto folded = [&](Opcode opcode) {
      return function({type}, [&](Program &p, const Arguments &a) {
        const Operand sign =
            p.append(Opcode::ashr, type, {a[0], constant(type, width - 1)});
        const Operand flipped = p.append(Opcode::xor_, type, {a[0], sign});
        return p.append(opcode, type, {flipped, sign});
      });
    };
    const Program absolute =
        function({type}, [&](Program &p, const Arguments &a) {
          return p.append(Opcode::abs, type, {a[0], constant(i1, 0)});
        });
    EXPECT_EQ(verdict(folded(Opcode::sub), absolute), "refines") << width;
    // At one bit, plus and minus are the same.
    EXPECT_EQ(verdict(folded(Opcode::add), absolute),
              width == 1 ? "refines" : "value")
        << width;
    EXPECT_EQ(verdict(with(type, Opcode::add, 1),
                      with(type, Opcode::add, 1, flag::nsw)),
              "more-poison")
        << width;
  }
}

// A product that overflows only if it is unsigned, or only if it is signed.
TEST(SymbolicWide, OverflowOfProducts) {
  const auto product = [](corpus::Flags flags) {
    return function({i64, i64}, [&](Program &p, const Arguments &a) {
      return p.append(Opcode::mul, i64, {a[0], a[1]}, flags);
    });
  };
  EXPECT_EQ(verdict(product(flag::nsw), product({})), "refines");
  EXPECT_EQ(verdict(product({}), product(flag::nsw)), "more-poison");
  EXPECT_EQ(verdict(product({}), product(flag::nuw)), "more-poison");
  EXPECT_EQ(verdict(product(flag::nsw), product(flag::nuw)), "more-poison");
  EXPECT_EQ(verdict(product(flag::nuw), product(flag::nsw)), "more-poison");
}

// Taming UB 3.1 and LLVM UB manual: each use of undef is another value.
TEST(SymbolicWide, UndefInputs) {
  const Program product = with(i64, Opcode::mul, 2);
  EXPECT_EQ(verdict(product, twice(i64, false)), "refines");
  EXPECT_EQ(verdict(product, twice(i64, false), "llvm-undef"), "more-undef");
  EXPECT_EQ(verdict(twice(i64, false), product, "llvm-undef"), "refines");
  EXPECT_EQ(verdict(product, twice(i64, true), "llvm-undef"), "refines");
  EXPECT_EQ(verdict(twice(i64, true), product, "llvm-undef"), "more-poison");
  // Bit 0 undef is enough: (x & 1) + (x & 1) may be odd.
  EXPECT_EQ(verdict(chain(i64, Opcode::and_, 1, Opcode::mul, 2),
                    function({i64},
                             [](Program &p, const Arguments &a) {
                               const Operand bit = p.append(
                                   Opcode::and_, i64, {a[0], constant(i64, 1)});
                               return p.append(Opcode::add, i64, {bit, bit});
                             }),
                    "llvm-undef"),
            "more-undef");
}

// One freeze is one pick; two are two (Taming UB 5.5).
TEST(SymbolicWide, Freeze) {
  const auto difference = [](bool two) {
    return function({i64}, [&](Program &p, const Arguments &a) {
      const Operand x = p.append(Opcode::freeze, i64, {a[0]});
      const Operand y = two ? p.append(Opcode::freeze, i64, {a[0]}) : x;
      return p.append(Opcode::sub, i64, {x, y});
    });
  };
  const Program zero = function(
      {i64}, [](Program &, const Arguments &) { return constant(i64, 0); });
  EXPECT_EQ(verdict(difference(false), zero), "refines");
  EXPECT_EQ(verdict(zero, difference(false)), "refines");
  EXPECT_EQ(verdict(difference(true), zero), "refines");
  EXPECT_EQ(verdict(zero, difference(true)), "value");
  EXPECT_EQ(verdict(difference(true), difference(false)), "refines");
  EXPECT_EQ(verdict(difference(false), difference(true)), "value");
}

// Alive figure 8 at i32. Each is wrong for the constants that LLVM forgot.
TEST(SymbolicWide, AliveFigure8) {
  const std::int64_t minimum = std::int64_t(1) << 31;
  const auto negated = [](std::int64_t divisor) {
    return function({i32}, [&](Program &p, const Arguments &a) {
      const Operand quotient =
          p.append(Opcode::sdiv, i32, {a[0], constant(i32, divisor)});
      return p.append(Opcode::sub, i32, {constant(i32, 0), quotient});
    });
  };
  // PR20186: 0 - (X / C) -> X / -C
  EXPECT_EQ(verdict(negated(minimum), with(i32, Opcode::sdiv, -minimum)),
            "value");
  EXPECT_EQ(verdict(negated(7), with(i32, Opcode::sdiv, -7)), "refines");
  // PR20189: X -nsw (0 - A) -> X +nsw A
  const auto minusNegated =
      function({i32, i32}, [](Program &p, const Arguments &a) {
        const Operand b = p.append(Opcode::sub, i32, {constant(i32, 0), a[1]});
        return p.append(Opcode::sub, i32, {a[0], b}, flag::nsw);
      });
  const auto sum = [](corpus::Flags flags) {
    return function({i32, i32}, [&](Program &p, const Arguments &a) {
      return p.append(Opcode::add, i32, {a[0], a[1]}, flags);
    });
  };
  EXPECT_EQ(verdict(minusNegated, sum(flag::nsw)), "more-poison");
  EXPECT_EQ(verdict(minusNegated, sum({})), "refines");
  // PR21242: mul nsw X, 2^C -> shl nsw X, C where C is the width less 1
  EXPECT_EQ(verdict(with(i32, Opcode::mul, minimum, flag::nsw),
                    with(i32, Opcode::shl, 31, flag::nsw)),
            "more-poison");
  // PR21243: (X s/ C1) s/ C2 -> 0 where C1 * C2 overflows
  const auto zero = function(
      {i32}, [](Program &, const Arguments &) { return constant(i32, 0); });
  EXPECT_EQ(
      verdict(chain(i32, Opcode::sdiv, -minimum / 2, Opcode::sdiv, -2), zero),
      "value");
  EXPECT_EQ(
      verdict(chain(i32, Opcode::sdiv, -minimum / 2, Opcode::sdiv, 3), zero),
      "refines");
  // PR21245: (X shl nsw C1) s/ C2 -> X s/ (C2 >> C1), C1 is the width less 1
  EXPECT_EQ(
      verdict(chain(i32, Opcode::shl, 31, Opcode::sdiv, minimum, flag::nsw),
              with(i32, Opcode::sdiv, 1)),
      "value");
  // PR21255: (X u>> C1) u/ C2 -> X u/ (C2 << C1) where that loses bits
  EXPECT_EQ(verdict(chain(i32, Opcode::lshr, 16, Opcode::udiv, 1 << 16),
                    with(i32, Opcode::udiv, 0)),
            "more-ub");
  // PR21256: X s% (0 - Y) -> X s% Y
  const auto remainder = [](bool isNegated) {
    return function({i32, i32}, [&](Program &p, const Arguments &a) {
      const Operand divisor =
          isNegated ? p.append(Opcode::sub, i32, {constant(i32, 0), a[1]})
                    : a[1];
      return p.append(Opcode::srem, i32, {a[0], divisor});
    });
  };
  EXPECT_EQ(verdict(remainder(true), remainder(false)), "more-ub");
  // PR21274: X u/ ((Power << A) u>> B) -> X u/ (Power << (A - B))
  const auto byPower = [](bool isShort) {
    return function({i32, i32, i32}, [&](Program &p, const Arguments &a) {
      const Operand power = constant(i32, std::int64_t(1) << 31);
      Operand divisor = power;
      if (isShort) {
        const Operand amount = p.append(Opcode::sub, i32, {a[1], a[2]});
        divisor = p.append(Opcode::shl, i32, {power, amount});
      } else {
        const Operand shifted = p.append(Opcode::shl, i32, {power, a[1]});
        divisor = p.append(Opcode::lshr, i32, {shifted, a[2]});
      }
      return p.append(Opcode::udiv, i32, {a[0], divisor});
    });
  };
  EXPECT_EQ(verdict(byPower(false), byPower(true)), "more-ub");
}

/// Sums 1 to the argument, which is at most `limit`, or it is UB.
Program sumOfLoop(Type type, std::uint64_t limit) {
  Program program;
  const Operand n = program.addParameter(type);
  const Operand small = program.append(
      Opcode::icmp, i1, {n, constant(type, static_cast<std::int64_t>(limit))},
      {}, Predicate::ule);
  program.append(Opcode::assume, Type(), {small});
  program.append(Opcode::br, Type(), {Operand::block(1)});
  program.beginBlock();
  const Operand i = Operand::instruction(type, 3);
  const Operand sum = Operand::instruction(type, 4);
  program.append(Opcode::phi, type,
                 {constant(type, 0), Operand::block(0),
                  Operand::instruction(type, 7), Operand::block(2)});
  program.append(Opcode::phi, type,
                 {constant(type, 0), Operand::block(0),
                  Operand::instruction(type, 8), Operand::block(2)});
  const Operand done = program.append(Opcode::icmp, i1, {i, n});
  program.append(Opcode::br, Type(),
                 {done, Operand::block(3), Operand::block(2)});
  program.beginBlock();
  const Operand next =
      program.append(Opcode::add, type, {i, constant(type, 1)});
  program.append(Opcode::add, type, {sum, next});
  program.append(Opcode::br, Type(), {Operand::block(1)});
  program.beginBlock();
  program.signature.returnType = type;
  program.append(Opcode::ret, Type(), {sum});
  return program;
}

TEST(SymbolicLoops, UpToABound) {
  // 1 + ... + n = n(n + 1)/2
  const auto formula = [](std::int64_t divisor) {
    return function({i32}, [&](Program &p, const Arguments &a) {
      const Operand next = p.append(Opcode::add, i32, {a[0], constant(i32, 1)});
      const Operand product = p.append(Opcode::mul, i32, {a[0], next});
      return p.append(Opcode::udiv, i32, {product, constant(i32, divisor)});
    });
  };
  EXPECT_EQ(verdict(sumOfLoop(i32, 9), formula(2)), "refines");
  EXPECT_EQ(verdict(sumOfLoop(i32, 1000), formula(2)),
            "refines: up to bound 16");
  EXPECT_EQ(verdict(sumOfLoop(i32, 9), formula(3)), "value");
  EXPECT_EQ(verdict(sumOfLoop(i32, 1000), formula(3)), "value");
  EXPECT_EQ(verdict(sumOfLoop(i32, 9), sumOfLoop(i32, 9)), "refines");
}

/// i from 0 by 1 while i < n, giving 2 * i at last in some way.
Program doubleOfLoop(Type type, Opcode opcode, std::int64_t operand,
                     std::int64_t step = 1, corpus::Flags flags = {}) {
  Program program;
  const Operand n = program.addParameter(type);
  program.append(Opcode::br, Type(), {Operand::block(1)});
  program.beginBlock();
  const Operand i =
      program.append(Opcode::phi, type,
                     {constant(type, 0), Operand::block(0),
                      Operand::instruction(type, 2), Operand::block(1)});
  const Operand next =
      program.append(Opcode::add, type, {i, constant(type, step)}, flags);
  const Operand twice =
      program.append(opcode, type, {next, constant(type, operand)});
  const Operand goesOn =
      program.append(Opcode::icmp, i1, {next, n}, {}, Predicate::ult);
  program.append(Opcode::br, Type(),
                 {goesOn, Operand::block(1), Operand::block(2)});
  program.beginBlock();
  program.signature.returnType = type;
  program.append(Opcode::ret, Type(), {twice});
  return program;
}

// Loops that run in step need no bound, and a step that is wrong after a
// thousand rounds is not proved.
TEST(SymbolicLoops, WithoutABoundInStep) {
  const Program product = doubleOfLoop(i32, Opcode::mul, 2);
  EXPECT_EQ(verdict(product, doubleOfLoop(i32, Opcode::shl, 1)), "refines");
  EXPECT_EQ(verdict(product, doubleOfLoop(i32, Opcode::mul, 3)), "value");
  EXPECT_EQ(verdict(product, doubleOfLoop(i32, Opcode::shl, 1, 2)), "value");
  const Type i8 = Type::integer(8);
  // The sum overflows in round 128, and is branched on.
  EXPECT_EQ(verdict(doubleOfLoop(i8, Opcode::mul, 2),
                    doubleOfLoop(i8, Opcode::mul, 2, 1, flag::nsw)),
            "refines: up to bound 16");
  EXPECT_EQ(verdict(doubleOfLoop(i8, Opcode::mul, 2, 8),
                    doubleOfLoop(i8, Opcode::mul, 2, 8, flag::nsw)),
            "more-ub");
}

TEST(Symbolic, LimitsAndLacksAreNamed) {
  SmtLimits limits;
  limits.resources = 1000;
  // a / b / c, or a / c / b.
  const auto quotientBy = [](std::size_t first, std::size_t second) {
    return function({i64, i64, i64}, [&](Program &p, const Arguments &a) {
      const Operand q = p.append(Opcode::udiv, i64, {a[0], a[first]});
      return p.append(Opcode::udiv, i64, {q, a[second]});
    });
  };
  const Program quotient = quotientBy(1, 2);
  const Program otherWay = quotientBy(2, 1);
  const Verdict undecided = checkSymbolic(quotient, otherWay, {}, true, limits);
  EXPECT_EQ(headline(undecided),
            "undecided: Z3 found no answer within 1000 resource units");
  EXPECT_EQ(verdict(quotient, quotient, "bitwise"),
            "unsupported: poison_unit=bit in the symbolic engine");
  EXPECT_EQ(verdict(quotient, quotient, "llvm:inputs=any-set"),
            "unsupported: inputs=any-set for i64, it takes i1 and i2");
}

// Where the inputs are too many, the door asks the symbolic engine by itself.
TEST(Symbolic, AutomaticForWideInputs) {
  Checker checker;
  const Verdict verdict =
      checker.check(with(i64, Opcode::mul, 2), with(i64, Opcode::shl, 1), {});
  EXPECT_EQ(headline(verdict), "refines");
  EXPECT_EQ(verdict.engine, "smt");
  EXPECT_EQ(checker
                .check(with(i64, Opcode::mul, 2), with(i64, Opcode::shl, 1), {},
                       WantWitness::no, Engine::exhaustive)
                .word,
            VerdictWord::undecided);
  const Type i4 = Type::integer(4);
  const Verdict both =
      checker.check(with(i4, Opcode::mul, 2), with(i4, Opcode::shl, 2), {},
                    WantWitness::yes, Engine::both);
  EXPECT_EQ(headline(both), "wrong (value)");
  EXPECT_EQ(both.engine, "both");
}

} // namespace
} // namespace checker
