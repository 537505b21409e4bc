// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/semantics/relevance.h"

#include "checker/check.h"
#include "corpus/program/print.h"
#include "corpus/program/random_program.h"

#include <gtest/gtest.h>

namespace checker {
namespace {

/// Nothing but the checker itself knows better: the parts that are left out
/// must not show in any verdict.
TEST(Relevance, EqualRelevantPartsGiveEqualVerdicts) {
  corpus::Random random(1);
  Checker checker;
  unsigned shared = 0;
  unsigned wrong = 0;
  for (unsigned i = 0; i < 600; ++i) {
    corpus::RandomOptions options;
    options.maximumArguments = 2;
    options.instructions = 2;
    options.maximumBlocks = i % 4 == 0 ? 3 : 1;
    options.undefAndPoison = i % 3 == 0;
    const auto pair = corpus::randomPair(random, options);
    const Relevance relevance(pair.source, pair.target);
    for (const Preset &preset : presetTable()) {
      const Semantics part = relevance.relevantPart(preset.semantics);
      EXPECT_EQ(part, relevance.relevantPart(part));
      if (part == preset.semantics)
        continue;
      ++shared;
      const Verdict whole =
          checker.check(pair.source, pair.target, preset.semantics);
      const Verdict less = checker.check(pair.source, pair.target, part);
      wrong += whole.word == VerdictWord::wrong ? 1 : 0;
      EXPECT_TRUE(whole.word == less.word && whole.kind == less.kind)
          << preset.name << " as " << toString(part) << '\n'
          << corpus::printFunction(pair.source, "src")
          << corpus::printFunction(pair.target, "tgt");
    }
  }
  EXPECT_GT(shared, 1000U);
  EXPECT_GT(wrong, shared / 10);
}

/// `inbounds` is a question of memory where nothing is read or written, too.
TEST(Relevance, PointersAloneAreAQuestionOfMemory) {
  corpus::Program program;
  const auto pointer = corpus::Type::pointer();
  program.signature.returnType = pointer;
  program.append(corpus::Opcode::ret, corpus::Type(),
                 {program.addParameter(pointer)});
  Semantics semantics;
  semantics.gepBounds = GepBounds::ignored;
  const Relevance relevance(program, program);
  EXPECT_EQ(relevance.relevantPart(semantics), semantics);
}

} // namespace
} // namespace checker
