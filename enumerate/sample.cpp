// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/rank.h"
#include "enumerate/space.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace enumerate {

namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): the standard library's distributions
/// differ between implementations.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return corpus::mixBits(state_ += corpus::mixStep); }

  /// Uniform in [0, bound), bound > 0: Lemire's multiplication with rejection.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t rejected = (0 - bound) % bound;
    for (;;) {
      const auto product = static_cast<unsigned __int128>(next()) * bound;
      if (static_cast<std::uint64_t>(product) >= rejected)
        return static_cast<std::uint64_t>(product >> 64);
    }
  }

private:
  std::uint64_t state_;
};

} // namespace

std::vector<std::uint64_t> sampleRanks(std::uint64_t count, std::uint64_t k,
                                       std::uint64_t seed) {
  std::vector<std::uint64_t> ranks;
  if (k >= count) {
    ranks.resize(count);
    std::iota(ranks.begin(), ranks.end(), std::uint64_t(0));
    return ranks;
  }
  // Floyd's algorithm: k draws however large the space is.
  Random random(seed);
  std::unordered_set<std::uint64_t> chosen;
  chosen.reserve(k);
  for (std::uint64_t last = count - k; last < count; ++last)
    if (!chosen.insert(random.below(last + 1)).second)
      chosen.insert(last);
  ranks.assign(chosen.begin(), chosen.end());
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

} // namespace enumerate
