// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests in which engines must agree on random pairs, under any choice of
// the knobs and not under presets alone: how long they run, what is counted, a
// last line that says it, and a pair on which they do not agree as a small file
// for corpus/known/pairs.
//
// The full run of one of them is one command: IRSIEVE_TEST_SCALE=N makes its
// random tests N times longer (ci/agree knows the numbers), or shorter.
// IRSIEVE_TEST_SEED=N draws other pairs: it is added to the seed of each test.
// IRSIEVE_TEST_REDUCE=N asks N questions for a smaller pair at most.
// Threads: tests run on one.
#pragma once

#include "checker/semantics/semantics.h"
#include "checker/semantics/verdict.h"
#include "corpus/program/random_program.h"

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <string>

namespace checker {

unsigned scaled(unsigned count);
/// The seed of a test, or another one where IRSIEVE_TEST_SEED says so.
std::uint64_t seeded(std::uint64_t seed);

/// A preset with a knob or two turned to any of their choices. inputs=any-set
/// takes arguments of at most two bits, of which `widths` has nothing wider.
Semantics randomSemantics(corpus::Random &random,
                          const std::vector<unsigned> &widths);

/// A pair, under a semantics.
struct Question {
  corpus::Program source;
  corpus::Program target;
  Semantics semantics;
};

/// What two or more engines said.
struct Opinions {
  enum class Word : std::uint8_t {
    agree,     ///< on `verdict`
    disagree,  ///< as `how` says
    undecided, ///< by one of them
    bounded,   ///< one knows up to a loop bound only
    untaken,   ///< one leaves it to the other
  };
  Word word = Word::undecided;
  Verdict verdict = {};
  std::string how = {};
};
using Ask = std::function<Opinions(const Question &)>;

/// A question on which they disagree, as small as it gets while they do, in the
/// form of a file of corpus/known/pairs. `how` is the first disagreement.
std::string asTest(const Question &question, const std::string &how,
                   const Ask &ask);

struct AgreementCounts {
  unsigned refines = 0;   ///< pairs that both engines decide
  unsigned wrong = 0;     ///< likewise
  unsigned undecided = 0; ///< pairs on which one of them gave up
  unsigned bounded = 0;   ///< pairs that one knows up to a loop bound only
  unsigned untaken = 0;   ///< pairs that one leaves to the other
  /// Pairs that both decide, by `knob=choice`.
  std::map<std::string, unsigned> byChoice;

  unsigned pairs() const { return refines + wrong; }
  void add(const Semantics &semantics, const Verdict &verdict);
  void add(const AgreementCounts &others);
  /// A test of agreement says little when nearly everything is right or
  /// wrong, or when an engine does not say which.
  void expectBalance(double undecidedShare = 0) const;
  /// Nor when it leaves out a choice of a knob that `isKnown` to all engines.
  void expectEveryChoice(
      const std::function<bool(const Semantics &)> &isKnown) const;
};

class Agreement : public testing::Test {
protected:
  AgreementCounts counts;

  /// Random pairs under random semantics for which `isKnown` holds; engines
  /// that disagree end the test.
  void compareOnRandomPairs(
      const corpus::RandomOptions &options, unsigned pairs, std::uint64_t seed,
      const Ask &ask,
      const std::function<bool(const Semantics &)> &isKnown = nullptr);
  /// Counts what they say of one question; fails if they disagree.
  void compare(const Question &question, const Ask &ask);

  void TearDown() override;
  static void SetUpTestSuite();
  static void TearDownTestSuite();

private:
  static AgreementCounts total;
};

} // namespace checker
