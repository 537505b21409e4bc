// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs against made-up disagreements, of which the size of a small pair is
// known.
#include "reports/triage/reduce_pair.h"

#include "corpus/program/canonical.h"
#include "corpus/program/print.h"
#include "corpus/program/random_program.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace reports {
namespace {

using corpus::Opcode;
using corpus::Program;

/// One of i3 that is not dead.
bool has(const Program &program, Opcode opcode) {
  const Program live = corpus::withoutDeadInstructions(program);
  return std::any_of(live.instructions.begin(), live.instructions.end(),
                     [&](const auto &instruction) {
                       return instruction.opcode == opcode &&
                              instruction.type == corpus::Type::integer(3);
                     });
}

bool hasSameTypes(const Pair &pair) {
  const auto &a = pair.source.signature;
  const auto &b = pair.target.signature;
  return a.returnType == b.returnType &&
         std::equal(
             a.parameters.begin(), a.parameters.end(), b.parameters.begin(),
             b.parameters.end(),
             [](const auto &p, const auto &q) { return p.type == q.type; });
}

TEST(ReducePair, EndsAtASmallPairOfEveryRandomOne) {
  corpus::Random random(1);
  corpus::RandomOptions options;
  options.instructions = 4;
  options.widths = {1, 3};
  unsigned pairs = 0;
  const auto shows = [&](const Pair &pair) {
    EXPECT_TRUE(hasSameTypes(pair));
    EXPECT_EQ(corpus::verify(pair.source), std::nullopt);
    EXPECT_EQ(corpus::verify(pair.target), std::nullopt);
    return has(pair.source, Opcode::udiv) && has(pair.target, Opcode::lshr);
  };
  for (unsigned i = 0; i < 100'000 && pairs < 20; ++i) {
    const auto [source, target] = randomPair(random, options);
    if (!shows({source, target}))
      continue;
    ++pairs;
    const Pair small = reducePair({source, target}, shows);
    EXPECT_LE(small.source.instructions.size(), 3U)
        << corpus::printFunction(small.source);
    EXPECT_LE(small.target.instructions.size(), 3U)
        << corpus::printFunction(small.target);
  }
  EXPECT_EQ(pairs, 20U);
}

} // namespace
} // namespace reports
