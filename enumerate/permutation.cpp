// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/permutation.h"

#include <bit>
#include <cassert>

namespace enumerate {

using corpus::Rank;

namespace {

/// Four are enough for large halves (Luby, Rackoff 1988); small ones need more.
constexpr unsigned rounds = 8;

std::uint64_t maskOf(unsigned bits) {
  return bits == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << bits) - 1;
}

} // namespace

Permutation::Permutation(Rank count, std::uint64_t seed)
    : count_(count), seed_(corpus::mixBits(seed + corpus::mixStep)) {
  const Rank last = count == 0 ? 0 : count - 1;
  const auto high = static_cast<std::uint64_t>(last >> 64);
  const auto bits = static_cast<unsigned>(
      high != 0 ? 64 + std::bit_width(high)
                : std::bit_width(static_cast<std::uint64_t>(last)));
  lowBits_ = bits / 2;
  lowMask_ = maskOf(lowBits_);
  highMask_ = maskOf(bits - lowBits_);
}

Rank Permutation::at(Rank position) const {
  assert(position < count_);
  do {
    Halves halves = split(position);
    for (unsigned round = 0; round < rounds; ++round)
      applyRound(round, halves);
    position = join(halves);
  } while (position >= count_);
  return position;
}

Rank Permutation::find(Rank value) const {
  assert(value < count_);
  do {
    Halves halves = split(value);
    for (unsigned round = rounds; round-- > 0;)
      applyRound(round, halves);
    value = join(halves);
  } while (value >= count_);
  return value;
}

Permutation::Halves Permutation::split(Rank value) const {
  return {static_cast<std::uint64_t>(value) & lowMask_,
          static_cast<std::uint64_t>(value >> lowBits_)};
}

Rank Permutation::join(Halves halves) const {
  return Rank(halves.high) << lowBits_ | halves.low;
}

/// Its own inverse: one half changes by a function of the other.
void Permutation::applyRound(unsigned round, Halves &halves) const {
  const std::uint64_t key = seed_ + (round + 1) * corpus::mixStep;
  if (round % 2 == 0)
    halves.low ^= corpus::mixBits(halves.high ^ key) & lowMask_;
  else
    halves.high ^= corpus::mixBits(halves.low ^ key) & highMask_;
}

} // namespace enumerate
