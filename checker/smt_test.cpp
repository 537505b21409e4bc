// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The symbolic engine against the others on random pairs of narrow integers,
// and by facts from LangRef and the Alive paper on wide ones.
#include "checker/smt.h"

#include "checker/check.h"
#include "checker/random_program.h"
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

struct Counts {
  unsigned refines = 0;
  unsigned wrong = 0;
};

/// The presets whose poison is value-wise.
std::vector<Preset> supportedPresets() {
  std::vector<Preset> presets;
  for (const Preset &preset : presetTable())
    if (preset.semantics.poisonUnit == PoisonUnit::value)
      presets.push_back(preset);
  return presets;
}

void compareEngines(const RandomOptions &options, unsigned pairs,
                    std::uint64_t seed, Counts &counts) {
  Random random(seed);
  Checker checker;
  const std::vector<Preset> presets = supportedPresets();
  for (unsigned i = 0; i < pairs; ++i) {
    const corpus::Program source = randomProgram(random, options);
    corpus::Program target = source;
    for (auto edits = 1 + random() % 4; edits > 0; --edits)
      target = randomEdit(random, target, options);
    const Semantics semantics = presets[random() % presets.size()].semantics;
    const std::string what = toString(semantics) + "\n" +
                             corpus::printFunction(source, "src") +
                             corpus::printFunction(target, "tgt");
    const Verdict exact =
        checker.check(source, target, semantics, WantWitness::no);
    if (exact.word == VerdictWord::undecided)
      continue;
    const Verdict symbolic = checkSymbolic(source, target, semantics, true);
    ASSERT_EQ(headline(symbolic), headline(exact)) << what;
    counts.refines += exact.word == VerdictWord::refines ? 1 : 0;
    counts.wrong += exact.word == VerdictWord::wrong ? 1 : 0;
  }
}

TEST(Symbolic, AgreesOnRandomPairs) {
  Counts counts;
  RandomOptions options;
  options.widths = {1, 2};
  compareEngines(options, scaled(400), 11, counts);
  options.widths = {1, 3};
  options.maximumArguments = 2;
  compareEngines(options, scaled(300), 12, counts);
  options.widths = {2, 3};
  options.attributes = true;
  compareEngines(options, scaled(300), 13, counts);
  options.widths = {1, 2};
  options.undefAndPoison = true;
  options.instructions = 4;
  compareEngines(options, scaled(300), 14, counts);
  options.widths = {4, 1};
  compareEngines(options, scaled(200), 15, counts);
  RecordProperty("refines", static_cast<int>(counts.refines));
  RecordProperty("wrong", static_cast<int>(counts.wrong));
  // A test of agreement says little when nearly everything is right or wrong.
  EXPECT_GT(counts.wrong, counts.refines / 4);
  EXPECT_GT(counts.refines, counts.wrong / 4);
}

TEST(Symbolic, AgreesOnRandomPairsOfBytes) {
  Counts counts;
  RandomOptions options;
  options.widths = {8, 5, 1};
  options.maximumArguments = 1;
  compareEngines(options, scaled(100), 16, counts);
  options.widths = {6, 7};
  options.attributes = true;
  compareEngines(options, scaled(100), 17, counts);
}

} // namespace
} // namespace checker
