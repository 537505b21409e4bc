// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inner loop with an optimizer of the test's own, whose answers are known.
#include "runner/evaluate.h"

#include "corpus/program/encode.h"
#include "corpus/program/print.h"
#include "runner/worker.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace runner {
namespace {

using corpus::Counter;
using corpus::Opcode;

/// Sets nsw on every mul (wrong where it can overflow), crashes on sdiv, cannot
/// express srem, gives malformed IR for urem, and leaves the rest alone.
class BadOptimizer : public Optimizer {
public:
  void optimize(std::span<const corpus::Program> batch,
                std::span<const std::uint64_t> positions, Slot &slot,
                std::vector<Output> &outputs) override {
    outputs.resize(batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      slot.enter(positions[i], PassName("bad"));
      Output &output = outputs[i];
      output = Output();
      output.program = batch[i];
      for (corpus::Instruction &instruction : output.program.instructions)
        switch (instruction.opcode) {
        case Opcode::mul:
          instruction.flags = instruction.flags | corpus::flag::nsw;
          break;
        case Opcode::sdiv:
          output.status = Output::Status::crash;
          output.pass = "bad";
          output.detail = "SIGFPE";
          break;
        case Opcode::srem:
          output.status = Output::Status::unsupported;
          output.detail = "load";
          output.text = "ir";
          break;
        case Opcode::urem:
          output.status = Output::Status::invalid;
          output.detail = "broken";
          break;
        default:
          break;
        }
    }
  }
};

class EvaluateTest : public testing::Test {
protected:
  EvaluateTest() : space_(std::move(*enumerate::parseSpace("i1x1"))) {
    order_.space = space_->spec();
    order_.selection = Selection::range(0, space_->count());
    order_.columns = {checker::Semantics(),
                      *checker::parseSemantics("defined-inputs")};
  }
  corpus::ChunkResult evaluate(std::uint64_t begin, std::uint64_t end) {
    Evaluator evaluator(*space_, order_, std::make_unique<BadOptimizer>());
    Slot slot;
    auto chunk = evaluator.evaluate({begin, end}, slot);
    EXPECT_EQ(slot.position.load(), Slot::idle);
    return chunk;
  }
  /// Members with that opcode, counted by reading them one by one.
  std::uint64_t membersWith(Opcode opcode) const {
    std::uint64_t count = 0;
    for (corpus::Rank rank = 0; rank < space_->count(); ++rank)
      count += space_->at(rank).instructions.front().opcode == opcode ? 1 : 0;
    return count;
  }

  std::unique_ptr<enumerate::Space> space_;
  WorkOrder order_;
};

TEST_F(EvaluateTest, CountsEveryFunctionOnce) {
  const auto chunk = evaluate(0, space_->count());
  ASSERT_EQ(chunk.tallies.size(), 2U);
  for (const corpus::Tally &tally : chunk.tallies) {
    EXPECT_EQ(tally[Counter::functions], space_->count());
    EXPECT_EQ(tally[Counter::represented],
              tally[Counter::refines] + tally[Counter::wrong] +
                  tally[Counter::unsupported] + tally[Counter::undecided] +
                  tally[Counter::crash] + tally[Counter::hang] +
                  tally[Counter::invalid]);
    EXPECT_EQ(tally[Counter::crash], membersWith(Opcode::sdiv));
    EXPECT_EQ(tally[Counter::unsupported], membersWith(Opcode::srem));
    EXPECT_EQ(tally[Counter::invalid], membersWith(Opcode::urem));
    EXPECT_GT(tally[Counter::wrong], 0U);
  }
}

TEST_F(EvaluateTest, ResultIsTheSumOfAnyParts) {
  const auto whole = evaluate(0, space_->count());
  for (const std::uint64_t step : {1, 7, 100}) {
    std::vector<corpus::Tally> sum(2);
    std::size_t findings = 0;
    for (Rank begin = 0; begin < space_->count(); begin += step) {
      const auto part =
          evaluate(begin, std::min(begin + step, space_->count()));
      for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] += part.tallies[i];
      for (const auto &bucket : part.buckets)
        findings += bucket.count;
    }
    EXPECT_EQ(sum, whole.tallies);
    std::size_t wholeFindings = 0;
    for (const auto &bucket : whole.buckets)
      wholeFindings += bucket.count;
    EXPECT_EQ(findings, wholeFindings);
  }
}

TEST_F(EvaluateTest, FindingsHoldTheirPrograms) {
  const auto chunk = evaluate(0, space_->count());
  for (const corpus::Finding &finding : chunk.findings) {
    const auto source = corpus::decode(finding.source);
    ASSERT_TRUE(source);
    EXPECT_EQ(*source, space_->at(finding.rank));
    EXPECT_EQ(finding.name, space_->nameOf(finding.rank));
    if (finding.column == corpus::everyColumn)
      continue;
    const auto target = corpus::decode(finding.target);
    ASSERT_TRUE(target);
    // -1 * -1 = 1 is no i1 (LangRef, mul): the flag brings poison.
    EXPECT_EQ(finding.kind, "more-poison") << corpus::printFunction(*source);
    EXPECT_TRUE(target->instructions.front().flags.has(corpus::flag::nsw));
  }
}

TEST_F(EvaluateTest, FindingsOfABucketAreCappedAndCounted) {
  order_.keep = 2;
  const auto chunk = evaluate(0, space_->count());
  std::uint64_t counted = 0;
  for (const auto &bucket : chunk.buckets) {
    counted += bucket.count;
    const auto kept = std::count_if(
        chunk.findings.begin(), chunk.findings.end(), [&](const auto &f) {
          return f.column == bucket.column && f.bucket == bucket.bucket;
        });
    EXPECT_LE(kept, 4);
    EXPECT_GE(kept, std::min<long>(2, static_cast<long>(bucket.count)));
  }
  EXPECT_GT(counted, chunk.findings.size());
  ASSERT_EQ(chunk.omissions.size(), 1U);
  EXPECT_EQ(chunk.omissions[0].reason, "load");
  EXPECT_EQ(chunk.omissions[0].count, membersWith(Opcode::srem));
  EXPECT_EQ(chunk.omissions[0].exampleText, "ir");
}

TEST_F(EvaluateTest, ALostPositionCountsAsWhatItIs) {
  const auto chunk =
      lostPosition(*space_, order_, 3, checker::Kind::hang, "gvn", "no end");
  EXPECT_EQ(chunk.tallies.at(1)[Counter::hang], 1U);
  EXPECT_EQ(chunk.tallies.at(1)[Counter::functions], 1U);
  EXPECT_EQ(chunk.findings.at(0).kind, "hang");
  EXPECT_EQ(chunk.findings.at(0).pass, "gvn");
}

TEST_F(EvaluateTest, WhatCostsALimitAtEachLookIsDear) {
  const auto bucket = [&](checker::Kind kind, std::string_view detail) {
    return lostPosition(*space_, order_, 3, kind, "gvn", std::string(detail))
        .findings.at(0)
        .bucket;
  };
  EXPECT_TRUE(isDear(bucket(checker::Kind::hang, "no end")));
  EXPECT_TRUE(isDear(bucket(checker::Kind::crash, runawayMemory)));
  EXPECT_FALSE(isDear(bucket(checker::Kind::crash, "SIGSEGV")));
  EXPECT_FALSE(isDear(quickSignature("poison", space_->at(0), space_->at(1))));
}

TEST_F(EvaluateTest, AnEndlessCheckIsNoFinding) {
  const auto chunk = lostPosition(*space_, order_, 3, checker::Kind::hang,
                                  "irsieve check", "no end");
  EXPECT_EQ(chunk.tallies.at(1)[Counter::hang], 0U);
  EXPECT_EQ(chunk.tallies.at(1)[Counter::undecided], 1U);
  EXPECT_TRUE(chunk.findings.empty());
  ASSERT_EQ(chunk.omissions.size(), 1U);
  EXPECT_EQ(chunk.omissions[0].word, "undecided");
  EXPECT_EQ(chunk.omissions[0].exampleRank, order_.selection.rank(3));
}

/// Leaves everything alone in a batch, and knows nothing of one function.
class MoodyOptimizer : public Optimizer {
public:
  void optimize(std::span<const corpus::Program> batch,
                std::span<const std::uint64_t>, Slot &,
                std::vector<Output> &outputs) override {
    outputs.assign(batch.size(), Output());
    for (std::size_t i = 0; i < batch.size(); ++i)
      outputs[i].program = batch[i];
    if (batch.size() == 1)
      outputs.front().status = Output::Status::unsupported;
  }
};

TEST(Nondeterministic, AnotherResultAloneIsAFinding) {
  const auto space = std::move(*enumerate::parseSpace("i1x2:symmetry=args"));
  WorkOrder order;
  order.selection = Selection::range(0, 20'000);
  order.columns = {checker::Semantics()};
  order.keep = 1000;
  std::vector<corpus::Tally> tallies;
  for (const std::uint64_t size : {20'000, 5'000}) {
    Evaluator evaluator(*space, order, std::make_unique<MoodyOptimizer>());
    Slot slot;
    corpus::Tally sum;
    std::size_t findings = 0;
    for (std::uint64_t begin = 0; begin < 20'000; begin += size) {
      const auto chunk = evaluator.evaluate({begin, begin + size}, slot);
      sum += chunk.tallies.front();
      findings += chunk.findings.size();
      for (const corpus::Finding &finding : chunk.findings) {
        EXPECT_EQ(finding.kind, "nondeterministic");
        EXPECT_EQ(finding.detail, "another result alone");
      }
    }
    EXPECT_EQ(sum[Counter::refines], 20'000U) << "the verdicts are those of "
                                                 "the batch";
    EXPECT_EQ(sum[Counter::nondeterministic], findings);
    EXPECT_GT(findings, 10U);
    EXPECT_LT(findings, 200U) << "a sample";
    tallies.push_back(sum);
  }
  EXPECT_EQ(tallies[0], tallies[1]) << "the same sample in any chunks";
}

/// Remembers of every function that it is another one.
class ForgetfulOptimizer : public Optimizer {
public:
  void optimize(std::span<const corpus::Program> batch,
                std::span<const std::uint64_t>, Slot &,
                std::vector<Output> &outputs) override {
    outputs.assign(batch.size(), Output());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      outputs[i].program = bytes_ != 0 ? batch.front() : batch[i];
      outputs[i].knownFrom = bytes_ != 0 ? 2 : 0;
    }
  }
  void setMemo(std::size_t bytes) override { bytes_ = bytes; }
  std::string stage(std::size_t index) const override {
    return index == 2 ? "gvn" : "another stage";
  }

private:
  std::size_t bytes_ = 0;
};

TEST(Nondeterministic, AnotherResultThanWhatWasRememberedNamesTheCut) {
  const auto space = std::move(*enumerate::parseSpace("i1x2:symmetry=args"));
  WorkOrder order;
  order.selection = Selection::range(0, 20'000);
  order.columns = {checker::Semantics()};
  Slot slot;
  for (const std::uint64_t bytes : {0, 1 << 20}) {
    order.memoBytes = bytes;
    Evaluator evaluator(*space, order, std::make_unique<ForgetfulOptimizer>());
    const auto chunk = evaluator.evaluate({0, 20'000}, slot);
    const auto nondeterministic =
        chunk.tallies.front()[Counter::nondeterministic];
    if (bytes == 0) {
      EXPECT_EQ(nondeterministic, 0U);
      continue;
    }
    EXPECT_GT(nondeterministic, 10U);
    std::set<std::string> details;
    for (const corpus::Finding &finding : chunk.findings)
      if (finding.kind == "nondeterministic")
        details.insert(finding.detail);
    EXPECT_THAT(details, testing::ElementsAre(testing::HasSubstr("'gvn'")));
  }
}

/// Correlated value propagation leaves what it has replaced to others.
TEST(QuickSignature, IsOfWhatIsUsed) {
  const auto i2 = corpus::Type::integer(2);
  corpus::Program source;
  source.signature.returnType = i2;
  const auto a = source.addParameter(i2);
  const auto product = source.append(Opcode::mul, i2, {a, a});
  corpus::Program target = source;
  source.append(Opcode::ret, corpus::Type(), {product});
  target.append(Opcode::ret, corpus::Type(),
                {corpus::Operand::constant(i2, 0)});
  EXPECT_EQ(quickSignature("value", source, target), "value: mul -> ");
}

} // namespace
} // namespace runner
