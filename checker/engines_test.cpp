// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engines against each other on random pairs, about half of them wrong, and
// every opcode against the law that all of them must obey (monotonicity).
#include "checker/agreement.h"
#include "checker/check.h"
#include "checker/exact/oracle.h"
#include "checker/exact/reference.h"
#include "checker/lane_ops/concrete.h"
#include "checker/render.h"
#include "checker/sliced/bitsliced.h"
#include "corpus/program/print.h"
#include "corpus/program/random_program.h"

#include <gtest/gtest.h>

#include <string>

namespace checker {
namespace {

std::string describe(const corpus::Program &source,
                     const corpus::Program &target,
                     const Semantics &semantics) {
  return toString(semantics) + "\n" + corpus::printFunction(source, "src") +
         corpus::printFunction(target, "tgt");
}

class Engines : public Agreement {
protected:
  void compareWithReference(const corpus::RandomOptions &options,
                            unsigned pairs, std::uint64_t seed);
  void comparePlanes(const corpus::RandomOptions &options, unsigned pairs,
                     std::uint64_t seed);
  void compareWithOracle(const corpus::RandomOptions &options, unsigned pairs,
                         std::uint64_t seed);
  void expectBalance(double undecidedShare) {
    counts.expectBalance(undecidedShare);
    counts.expectEveryChoice([](const Semantics &) { return true; });
  }

  unsigned byExhaustive = 0; ///< and not by the reference interpreter
};

std::string inputsOf(const Witness &witness) {
  std::string text;
  for (const NamedValue &value : witness.inputs)
    text += value.text + " ";
  return text;
}

/// By the headline, and by the witness.
Opinions compared(const Verdict &fast, const Verdict &slow,
                  const std::string &ofFast, const std::string &ofSlow) {
  const std::string said = headline(fast);
  const std::string other = headline(slow);
  if (said == other && ofFast == ofSlow)
    return {Opinions::Word::agree, fast};
  return {Opinions::Word::disagree, fast,
          "exhaustive says " + said + " " + ofFast + ", the other says " +
              other + " " + ofSlow};
}

/// By the whole text of the witness.
Opinions comparedByText(const Verdict &fast, const Verdict &slow) {
  const auto text = [](const Verdict &verdict) {
    return verdict.witness ? toText(*verdict.witness) : "";
  };
  return text(fast) == text(slow)
             ? compared(fast, slow, "", "")
             : compared(fast, slow, inputsOf(*fast.witness),
                        slow.witness ? inputsOf(*slow.witness) : "");
}

void Engines::compareWithReference(const corpus::RandomOptions &options,
                                   unsigned pairs, std::uint64_t seed) {
  Checker checker;
  const auto ask = [&](const Question &question) -> Opinions {
    const auto by = [&](Engine engine) {
      return checker.check(question.source, question.target, question.semantics,
                           WantWitness::yes, engine);
    };
    const Verdict fast = by(Engine::exhaustive);
    const Verdict slow = by(Engine::reference);
    byExhaustive += fast.engine != "reference" ? 1 : 0;
    return isDecided(fast) && isDecided(slow) ? comparedByText(fast, slow)
                                              : Opinions();
  };
  compareOnRandomPairs(options, pairs, seed, ask);
}

/// Loops and calls: there the exhaustive engine is the reference interpreter,
/// and needs another opinion.
void Engines::compareWithOracle(const corpus::RandomOptions &options,
                                unsigned pairs, std::uint64_t seed) {
  Checker checker;
  const auto ask = [&](const Question &question) -> Opinions {
    const auto &[source, target, semantics] = question;
    const Verdict fast = checker.check(source, target, semantics,
                                       WantWitness::yes, Engine::exhaustive);
    if (!isDecided(fast))
      return {};
    const OracleAnswer answer = askOracle(source, target, semantics);
    const std::string said =
        answer.kind ? std::string(toString(*answer.kind)) : "refines";
    if (!answer.complete || !answer.exact) {
      // What it has found stands, but for earlier kinds.
      const bool stands =
          !answer.complete || !answer.kind ||
          (fast.word == VerdictWord::wrong && fast.kind <= *answer.kind);
      return {stands ? Opinions::Word::undecided : Opinions::Word::disagree,
              fast, headline(fast) + ", but the oracle has found " + said};
    }
    Verdict slow;
    slow.word = answer.kind ? VerdictWord::wrong : VerdictWord::refines;
    slow.kind = answer.kind.value_or(Kind::value);
    if (!answer.smallest || !fast.witness)
      return compared(fast, slow, "", "");
    Witness smallest = *fast.witness;
    const auto &parameters = source.signature.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      smallest.inputs[i].text =
          format((*answer.smallest)[i], parameters[i].type);
    return compared(fast, slow, inputsOf(*fast.witness), inputsOf(smallest));
  };
  compareOnRandomPairs(options, pairs, seed, ask);
}

/// Planes with the reference interpreter; what they leave to that is not asked
/// twice.
void Engines::comparePlanes(const corpus::RandomOptions &options,
                            unsigned pairs, std::uint64_t seed) {
  Limits limits;
  // Most of the time would go to the few pairs with the most inputs.
  limits.referenceSteps = 200'000;
  limits.setSlicedTerms = std::uint64_t(1) << 24;
  Checker reference(limits);
  limits.referenceSteps = 0;
  Checker planes(limits);
  const auto ask = [&](const Question &question) -> Opinions {
    const auto by = [&](Checker &checker, Engine engine) {
      return checker.check(question.source, question.target, question.semantics,
                           WantWitness::yes, engine);
    };
    const Verdict fast = by(planes, Engine::exhaustive);
    if (fast.engine == "reference")
      return {Opinions::Word::untaken};
    if (!isDecided(fast))
      return {};
    const Verdict slow = by(reference, Engine::reference);
    return isDecided(slow) ? comparedByText(fast, slow) : Opinions();
  };
  compareOnRandomPairs(options, pairs, seed, ask);
}

TEST_F(Engines, AgreeOnRandomPairs) {
  corpus::RandomOptions options;
  options.widths = {1, 2};
  compareWithReference(options, scaled(1200), 1);
  options.widths = {1, 3};
  options.maximumArguments = 2;
  compareWithReference(options, scaled(600), 2);
  options.widths = {2, 3};
  options.attributes = true;
  compareWithReference(options, scaled(600), 3);
  options.widths = {1, 2};
  options.undefAndPoison = true;
  options.instructions = 4;
  compareWithReference(options, scaled(600), 4);
  options.widths = {4};
  options.maximumArguments = 1;
  compareWithReference(options, scaled(200), 5);
  expectBalance(0.01);
  EXPECT_GT(byExhaustive, counts.pairs() / 2);
}

TEST_F(Engines, AgreeOnRandomPairsOfVectors) {
  corpus::RandomOptions options;
  options.widths = {1, 2};
  options.lanes = {2};
  options.maximumArguments = 1;
  comparePlanes(options, scaled(1200), 31);
  options.lanes = {1, 3};
  options.attributes = true;
  options.instructions = 4;
  comparePlanes(options, scaled(500), 32);
  options.lanes = {2};
  options.maximumBlocks = 3;
  options.undefAndPoison = true;
  comparePlanes(options, scaled(500), 33);
  options = {};
  options.lanes = {2};
  options.maximumArguments = 2;
  comparePlanes(options, scaled(400), 34);
  expectBalance(0.05);
}

TEST_F(Engines, AgreeOnRandomBranchingPairs) {
  corpus::RandomOptions options;
  options.maximumBlocks = 4;
  compareWithReference(options, scaled(1000), 7);
  options.widths = {1, 3};
  options.maximumArguments = 2;
  options.undefAndPoison = options.attributes = true;
  compareWithReference(options, scaled(800), 8);
  expectBalance(0.01);
  EXPECT_GT(byExhaustive, counts.pairs() / 3);
}

/// Planes say which inputs the reference need not try.
TEST_F(Engines, AgreeOnRandomLoopsAndCalls) {
  corpus::RandomOptions options;
  options.maximumArguments = 2;
  options.maximumBlocks = 4;
  options.loops = true;
  compareWithReference(options, scaled(500), 41);
  options.undefAndPoison = options.attributes = true;
  compareWithReference(options, scaled(500), 42);
  options.loops = false;
  options.calls = true;
  compareWithReference(options, scaled(500), 43);
  options.widths = {1, 3};
  options.maximumArguments = 1;
  options.loops = true;
  compareWithReference(options, scaled(300), 44);
  expectBalance(1.0 / 10);
}

TEST_F(Engines, AgreeWithTheOracleOnRandomPairs) {
  corpus::RandomOptions options;
  options.maximumArguments = 2;
  options.undefAndPoison = options.attributes = true;
  compareWithOracle(options, scaled(3000), 21);
  options.maximumBlocks = 4;
  compareWithOracle(options, scaled(3000), 22);
  options.widths = {1, 3, 4};
  options.maximumArguments = 1;
  compareWithOracle(options, scaled(3000), 29);
  options.maximumBlocks = 1;
  compareWithOracle(options, scaled(3000), 30);
  expectBalance(0.01);
}

TEST_F(Engines, AgreeWithTheOracleOnRandomLoopingPairs) {
  corpus::RandomOptions options;
  options.maximumArguments = 2;
  options.maximumBlocks = 4;
  options.loops = true;
  compareWithOracle(options, scaled(500), 23);
  options.widths = {1, 3};
  compareWithOracle(options, scaled(300), 24);
  options.widths = {4};
  options.maximumArguments = 1;
  options.undefAndPoison = options.attributes = true;
  compareWithOracle(options, scaled(200), 25);
  // Forks in a loop: 5 % of all pairs have more runs than can be walked one by
  // one, even with ten times the steps.
  expectBalance(1.0 / 15);
}

TEST_F(Engines, AgreeWithTheOracleOnRandomCallingPairs) {
  corpus::RandomOptions options;
  options.maximumArguments = 2;
  options.calls = true;
  compareWithOracle(options, scaled(400), 26);
  options.maximumBlocks = 4;
  options.attributes = true;
  compareWithOracle(options, scaled(400), 27);
  options.undefAndPoison = true;
  options.loops = true;
  compareWithOracle(options, scaled(200), 28);
  expectBalance(1.0 / 4);
}

/// An engine that is wrong whenever the target shifts under
/// shift_amount=masked.
TEST(AsTest, ADisagreementBecomesASmallFile) {
  using corpus::Opcode;
  const corpus::Type i3 = corpus::Type::integer(3);
  corpus::Program source;
  source.signature.returnType = i3;
  const corpus::Operand a = source.addParameter(i3);
  const corpus::Operand b = source.addParameter(i3);
  const corpus::Operand sum = source.append(Opcode::add, i3, {b, a});
  const corpus::Operand shifted =
      source.append(Opcode::shl, i3, {sum, b}, corpus::flag::nuw);
  source.append(Opcode::ret, corpus::Type(),
                {source.append(Opcode::mul, i3, {shifted, a})});
  const auto ask = [](const Question &question) -> Opinions {
    for (const auto &instruction : question.target.instructions)
      if (instruction.opcode == Opcode::shl && instruction.type.isInteger() &&
          question.semantics.shiftAmount == ShiftRule::masked)
        return {Opinions::Word::disagree, {}, "one says yes, the other no"};
    return {Opinions::Word::agree};
  };
  Semantics semantics;
  semantics.shiftAmount = ShiftRule::masked;
  semantics.selectArms = SelectArms::either;
  semantics.inputs = Inputs::poisonUndef;
  EXPECT_EQ(asTest({source, source, semantics}, "at first", ask),
            "as corpus/known/pairs/NAME.ll, with the verdict of "
            "docs/semantics.md in the place of ???:\n\n"
            "; one says yes, the other no\n"
            "; EXPECT llvm:shift_amount=masked: ???\n"
            "define i2 @src(i2 %a, i2 %b) {\n"
            "  ret i2 0\n"
            "}\n\n"
            "define i2 @tgt(i2 %a, i2 %b) {\n"
            "  %v0 = shl i2 %a, %b\n"
            "  ret i2 %v0\n"
            "}\n");
}

/// Wider values and more inputs than the reference could try: several blocks,
/// counting planes, runs without a fixed width.
TEST(Kernels, Agree) {
  const auto kernels = bitsliced::kernels();
  corpus::Random random(6);
  for (const std::vector<unsigned> &widths :
       {std::vector<unsigned>{8, 1}, {5, 1}, {4, 6}, {2, 16}}) {
    corpus::RandomOptions options;
    options.widths = widths;
    options.maximumArguments = widths[0] == 4 ? 2 : 1;
    for (unsigned i = 0; i < scaled(60); ++i) {
      const corpus::Program source = randomProgram(random, options);
      const corpus::Program target = randomEdit(random, source, options);
      std::optional<BitSliced::Result> first;
      for (std::size_t k = 0; k < kernels.size(); ++k) {
        BitSliced engine(kernels[k]);
        const BitSliced::Result result =
            engine.check(source, target, {}, true, 1 << 20);
        if (!first)
          first = result;
        const std::string what = describe(source, target, {});
        ASSERT_EQ(result.word, first->word) << k << what;
        ASSERT_EQ(result.kind, first->kind) << k << what;
        ASSERT_EQ(result.smallest, first->smallest) << k << what;
      }
      // The reference confirms the input that was found.
      if (first->smallest) {
        ASSERT_EQ(kindOfInput(source, target, {}, *first->smallest),
                  first->kind)
            << describe(source, target, {});
      }
    }
  }
}

/// Some inputs show nothing that all inputs do not show, and nearly all that
/// they do.
TEST(Samples, ShowWhatAllInputsShow) {
  unsigned wrong = 0;
  unsigned shown = 0;
  BitSliced engine(bitsliced::kernels().back());
  corpus::Random random(7);
  for (const std::vector<unsigned> &widths :
       {std::vector<unsigned>{2, 1}, {8, 1}, {4, 6}}) {
    corpus::RandomOptions options;
    options.widths = widths;
    options.maximumArguments = 2;
    options.maximumBlocks = widths[0] == 4 ? 3 : 1;
    for (unsigned i = 0; i < scaled(400); ++i) {
      const corpus::Program source = randomProgram(random, options);
      const corpus::Program target = randomEdit(random, source, options);
      using Word = BitSliced::Result::Word;
      const auto all = engine.check(source, target, {}, false, 1 << 24);
      const auto some = engine.trySamples(source, target, {}, true);
      const std::string what = describe(source, target, {});
      if (all.word != Word::wrong && all.word != Word::refines)
        continue;
      wrong += all.word == Word::wrong ? 1 : 0;
      if (some.word != Word::wrong)
        continue;
      ASSERT_EQ(all.word, Word::wrong) << what;
      ASSERT_GE(some.kind, all.kind) << what;
      ASSERT_EQ(kindOfInput(source, target, {}, *some.smallest), some.kind)
          << what;
      shown += some.kind == all.kind ? 1 : 0;
    }
  }
  EXPECT_GE(wrong, scaled(100));
  EXPECT_GE(shown, wrong * 95 / 100) << "of " << wrong;
}

/// Every operation at width 2 (results and second types of width 1 to 3).
std::vector<Operation> allOperations() {
  using corpus::Shape;
  using corpus::Type;
  std::vector<Operation> operations;
  for (const corpus::OpcodeInfo &info : corpus::opcodeTable())
    for (unsigned bits = 0; bits < 64; ++bits) {
      const corpus::Flags flags(static_cast<std::uint8_t>(bits));
      if (!info.allowedFlags.has(flags))
        continue;
      const Type two = Type::integer(2);
      Operation operation{info.opcode, flags, {}, two, two};
      switch (info.shape) {
      case Shape::binary:
      case Shape::intrinsicUnary:
      case Shape::intrinsicUnaryWithFlag:
      case Shape::intrinsicBinary:
      case Shape::intrinsicTernary:
        if (info.opcode == corpus::Opcode::bswap)
          break;
        operations.push_back(operation);
        break;
      case Shape::compare:
        operation.type = Type::integer(1);
        for (const corpus::PredicateInfo &predicate : corpus::predicateTable) {
          operation.predicate = predicate.predicate;
          operations.push_back(operation);
        }
        break;
      case Shape::select:
        operation.operandType = Type::integer(1);
        operations.push_back(operation);
        break;
      case Shape::widen:
      case Shape::intrinsicThreeWay:
        operation.type = Type::integer(3);
        operations.push_back(operation);
        break;
      case Shape::narrow:
        operation.type = Type::integer(1);
        operations.push_back(operation);
        break;
      case Shape::intrinsicOverflow:
        operation.type = Type::overflowPair(2);
        operations.push_back(operation);
        break;
      case Shape::intrinsicAssume:
        operation.operandType = Type::integer(1);
        operation.type = Type();
        operations.push_back(operation);
        break;
      default:
        break;
      }
    }
  return operations;
}

unsigned operandCount(corpus::Shape shape) {
  using corpus::Shape;
  switch (shape) {
  case Shape::select:
  case Shape::intrinsicTernary:
    return 3;
  case Shape::widen:
  case Shape::narrow:
  case Shape::intrinsicUnary:
  case Shape::intrinsicAssume:
    return 1;
  default:
    return 2;
  }
}

/// x' is at least as defined as x implies op(x') at least as defined as op(x).
TEST(Evaluate, EveryOpcodeIsMonotoneUnderEveryPreset) {
  for (const Preset &preset : presetTable())
    for (const Operation &operation : allOperations()) {
      const corpus::Shape shape = corpus::info(operation.opcode).shape;
      const unsigned count = operandCount(shape);
      std::vector<std::vector<Element>> values(count);
      for (unsigned i = 0; i < count; ++i) {
        const bool isCondition = (shape == corpus::Shape::select ||
                                  shape == corpus::Shape::intrinsicAssume) &&
                                 i == 0;
        const bool isFlag =
            shape == corpus::Shape::intrinsicUnaryWithFlag && i == 1;
        const std::uint64_t mask = isCondition || isFlag ? 1 : 3;
        for (std::uint64_t bits = 0; bits <= mask; ++bits)
          for (std::uint64_t poison = 0; poison <= mask; ++poison) {
            const bool isWhole = poison == 0 || poison == mask;
            const bool exists =
                !isFlag && preset.semantics.poisonUnit == PoisonUnit::bit
                    ? (bits & poison) == 0
                    : isWhole && (bits & poison) == 0 &&
                          !(isFlag && poison != 0);
            if (exists)
              values[i].push_back({bits, poison, {}});
          }
      }
      std::vector<std::vector<Element>> inputs(1);
      for (const std::vector<Element> &list : values) {
        std::vector<std::vector<Element>> longer;
        for (const auto &prefix : inputs)
          for (const Element &element : list) {
            longer.push_back(prefix);
            longer.back().push_back(element);
          }
        inputs = std::move(longer);
      }
      using ResultKind = ElementResult::Kind;
      for (const auto &less : inputs)
        for (const auto &more : inputs) {
          bool ordered = true;
          for (unsigned i = 0; i < count; ++i)
            ordered = ordered && refines(more[i], less[i]);
          if (!ordered)
            continue;
          const auto a = evaluate(operation, preset.semantics, less);
          const auto b = evaluate(operation, preset.semantics, more);
          bool fine = a.kind == ResultKind::ub;
          switch (a.kind) {
          case ResultKind::ub:
            break;
          case ResultKind::undef: // any number
            fine = b.kind == ResultKind::undef ||
                   (b.kind == ResultKind::element && !b.element.hasPoison());
            break;
          case ResultKind::element:
            fine = b.kind == ResultKind::element
                       ? refines(b.element, a.element)
                       : b.kind == ResultKind::undef &&
                             a.element.poison == operation.type.mask();
            break;
          default:
            fine = true;
          }
          ASSERT_TRUE(fine)
              << preset.name << " " << corpus::info(operation.opcode).spelling;
        }
    }
}

} // namespace
} // namespace checker
