// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests in which engines must agree on random pairs: how long they run,
// what is counted, and a last line that says it.
//
// The full run of one of them is one command: IRSIEVE_TEST_SCALE=N makes its
// random tests N times longer (ci/agree knows the numbers).
// Threads: tests run on one.
#pragma once

#include "checker/semantics/verdict.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace checker {

inline unsigned scaled(unsigned count) {
  const char *scale = std::getenv("IRSIEVE_TEST_SCALE");
  return scale == nullptr
             ? count
             : count * static_cast<unsigned>(std::strtoul(scale, nullptr, 10));
}

inline bool isDecided(const Verdict &verdict) {
  return verdict.word == VerdictWord::refines ||
         verdict.word == VerdictWord::wrong;
}

struct AgreementCounts {
  unsigned refines = 0;   ///< pairs that both engines decide
  unsigned wrong = 0;     ///< likewise
  unsigned undecided = 0; ///< pairs on which one of them gave up
  unsigned bounded = 0;   ///< pairs that one knows up to a loop bound only

  unsigned pairs() const { return refines + wrong; }
  void add(const Verdict &verdict) {
    ++(verdict.word == VerdictWord::wrong ? wrong : refines);
  }
  /// A test of agreement says little when nearly everything is right or
  /// wrong, or when an engine does not say which.
  void expectBalance(double undecidedShare = 0) const {
    EXPECT_GT(wrong, refines / 4);
    EXPECT_GT(refines, wrong / 4);
    EXPECT_LE(undecided, pairs() * undecidedShare);
  }
};

class Agreement : public testing::Test {
protected:
  AgreementCounts counts;

  void TearDown() override {
    total_.refines += counts.refines;
    total_.wrong += counts.wrong;
    total_.undecided += counts.undecided;
    total_.bounded += counts.bounded;
    print("pairs", counts);
  }
  static void SetUpTestSuite() { total_ = {}; }
  static void TearDownTestSuite() { print("pairs together", total_); }

private:
  static void print(const char *what, const AgreementCounts &counts) {
    std::printf("[ COUNTED  ] %u %s: %u refines, %u wrong; beside them %u "
                "undecided by one engine, %u up to a loop bound\n",
                counts.pairs(), what, counts.refines, counts.wrong,
                counts.undecided, counts.bounded);
    std::fflush(stdout);
  }
  inline static AgreementCounts total_;
};

} // namespace checker
