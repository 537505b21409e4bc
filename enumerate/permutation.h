// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A permutation of 0 .. count - 1 that looks random, by arithmetic alone: a
// Feistel network over the next power of two, walked on until it is in range
// (Black, Rogaway 2002). Neither side needs memory or what was drawn before.
// A value type, immutable after construction.
#pragma once

#include "corpus/program/rank.h"

#include <cstdint>

namespace enumerate {

class Permutation {
public:
  Permutation(corpus::Rank count, std::uint64_t seed);

  corpus::Rank count() const { return count_; }
  /// Requires position < count().
  corpus::Rank at(corpus::Rank position) const;
  /// The inverse of at(); requires value < count().
  corpus::Rank find(corpus::Rank value) const;

private:
  struct Halves {
    std::uint64_t low;
    std::uint64_t high;
  };
  Halves split(corpus::Rank value) const;
  corpus::Rank join(Halves halves) const;
  void applyRound(unsigned round, Halves &halves) const;

  corpus::Rank count_;
  std::uint64_t seed_;
  unsigned lowBits_;
  std::uint64_t lowMask_;
  std::uint64_t highMask_;
};

} // namespace enumerate
