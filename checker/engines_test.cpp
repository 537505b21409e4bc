// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engines against each other on random pairs, about half of them wrong, and
// every opcode against the law that all of them must obey (monotonicity).
#include "checker/bitsliced.h"
#include "checker/check.h"
#include "checker/evaluate.h"
#include "checker/random_program.h"
#include "checker/reference.h"
#include "checker/render.h"
#include "corpus/program/print.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace checker {
namespace {

/// IRSIEVE_TEST_SCALE=100 makes the random tests a hundred times longer.
unsigned scaled(unsigned count) {
  const char *scale = std::getenv("IRSIEVE_TEST_SCALE");
  return scale == nullptr
             ? count
             : count * static_cast<unsigned>(std::strtoul(scale, nullptr, 10));
}

std::string describe(const corpus::Program &source,
                     const corpus::Program &target,
                     const Semantics &semantics) {
  return toString(semantics) + "\n" + corpus::printFunction(source, "src") +
         corpus::printFunction(target, "tgt");
}

struct Counts {
  unsigned refines = 0;
  unsigned wrong = 0;
  unsigned byExhaustive = 0;
};

void compareEngines(const RandomOptions &options, unsigned pairs,
                    std::uint64_t seed, Counts &counts,
                    bool branching = false) {
  Random random(seed);
  Checker checker;
  for (unsigned i = 0; i < pairs; ++i) {
    const corpus::Program source = branching ? randomBranching(random, options)
                                             : randomProgram(random, options);
    ASSERT_EQ(corpus::verify(source), std::nullopt);
    corpus::Program target = source;
    for (auto edits = (branching ? 3 : 1) + random() % 4; edits > 0; --edits)
      target = randomEdit(random, target, options);
    ASSERT_EQ(corpus::verify(target), std::nullopt);
    const auto presets = presetTable();
    const Semantics semantics = presets[random() % presets.size()].semantics;
    const Verdict fast = checker.check(source, target, semantics);
    const Verdict slow = checker.check(source, target, semantics,
                                       WantWitness::yes, Engine::reference);
    if (slow.word == VerdictWord::undecided)
      continue;
    const std::string what = describe(source, target, semantics);
    ASSERT_EQ(fast.word, slow.word) << what;
    counts.refines += fast.word == VerdictWord::refines ? 1 : 0;
    counts.byExhaustive += fast.engine != "reference" ? 1 : 0;
    if (fast.word != VerdictWord::wrong)
      continue;
    ++counts.wrong;
    ASSERT_EQ(fast.kind, slow.kind) << what;
    ASSERT_EQ(toText(*fast.witness), toText(*slow.witness)) << what;
  }
}

TEST(Engines, AgreeOnRandomPairs) {
  Counts counts;
  RandomOptions options;
  options.widths = {1, 2};
  compareEngines(options, scaled(4000), 1, counts);
  options.widths = {1, 3};
  options.maximumArguments = 2;
  compareEngines(options, scaled(2000), 2, counts);
  options.widths = {2, 3};
  options.attributes = true;
  compareEngines(options, scaled(2000), 3, counts);
  options.widths = {1, 2};
  options.undefAndPoison = true;
  options.instructions = 4;
  compareEngines(options, scaled(2000), 4, counts);
  options.widths = {4};
  options.maximumArguments = 1;
  compareEngines(options, scaled(600), 5, counts);
  RecordProperty("refines", static_cast<int>(counts.refines));
  RecordProperty("wrong", static_cast<int>(counts.wrong));
  // A test of agreement says little when nearly everything is right or wrong.
  EXPECT_GT(counts.wrong, counts.refines / 4);
  EXPECT_GT(counts.refines, counts.wrong / 4);
  EXPECT_GT(counts.byExhaustive, 1000U);
}

TEST(Engines, AgreeOnRandomBranchingPairs) {
  Counts counts;
  RandomOptions options;
  options.widths = {1, 2};
  compareEngines(options, scaled(2000), 7, counts, true);
  options.widths = {1, 3};
  options.maximumArguments = 2;
  options.undefAndPoison = true;
  compareEngines(options, scaled(1000), 8, counts, true);
  EXPECT_GT(counts.wrong, counts.refines / 4);
  EXPECT_GT(counts.refines, counts.wrong / 4);
  EXPECT_GT(counts.byExhaustive, 500U);
}

/// Wider values and more inputs than the reference could try: several blocks,
/// counting planes, runs without a fixed width.
TEST(Engines, KernelsAgree) {
  bitsliced::NamedKernel kernels[3];
  const std::size_t count = bitsliced::availableKernels(kernels);
  Random random(6);
  for (const std::vector<unsigned> &widths :
       {std::vector<unsigned>{8, 1}, {5, 1}, {4, 6}, {2, 16}}) {
    RandomOptions options;
    options.widths = widths;
    options.maximumArguments = widths[0] == 4 ? 2 : 1;
    for (unsigned i = 0; i < scaled(60); ++i) {
      const corpus::Program source = randomProgram(random, options);
      const corpus::Program target = randomEdit(random, source, options);
      std::optional<BitSliced::Result> first;
      for (std::size_t k = 0; k < count; ++k) {
        BitSliced engine(kernels[k].run, 1 << 16);
        const BitSliced::Result result = engine.check(source, target, {}, true);
        if (!first)
          first = result;
        const std::string what = describe(source, target, {});
        ASSERT_EQ(result.word, first->word) << kernels[k].name << what;
        ASSERT_EQ(result.kind, first->kind) << kernels[k].name << what;
        ASSERT_EQ(result.smallest, first->smallest) << kernels[k].name << what;
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
              values[i].push_back({bits, poison, false, false});
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
