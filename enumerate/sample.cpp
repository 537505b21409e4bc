// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
  Rank below(Rank bound) {
    if (bound >> 64 == 0)
      return belowWord(static_cast<std::uint64_t>(bound));
    // As many bits as the bound has, drawn again until they are below it.
    unsigned excess = 0;
    while ((bound - 1) << excess >> 127 == 0)
      ++excess;
    for (;;) {
      const Rank high = next();
      const Rank drawn = (high << 64 | next()) >> excess;
      if (drawn < bound)
        return drawn;
    }
  }

private:
  std::uint64_t belowWord(std::uint64_t bound) {
    const std::uint64_t rejected = (0 - bound) % bound;
    for (;;) {
      const auto product = static_cast<unsigned __int128>(next()) * bound;
      if (static_cast<std::uint64_t>(product) >= rejected)
        return static_cast<std::uint64_t>(product >> 64);
    }
  }

  std::uint64_t state_;
};

struct RankHash {
  std::size_t operator()(Rank rank) const {
    return corpus::mixBits(static_cast<std::uint64_t>(rank) ^
                           static_cast<std::uint64_t>(rank >> 64));
  }
};

} // namespace

std::vector<Rank> sampleRanks(Rank count, std::uint64_t k, std::uint64_t seed) {
  std::vector<Rank> ranks;
  if (k >= count) {
    ranks.resize(static_cast<std::size_t>(count));
    std::iota(ranks.begin(), ranks.end(), Rank(0));
    return ranks;
  }
  // Floyd's algorithm: k draws however large the space is.
  Random random(seed);
  std::unordered_set<Rank, RankHash> chosen;
  chosen.reserve(k);
  for (Rank last = count - k; last < count; ++last)
    if (!chosen.insert(random.below(last + 1)).second)
      chosen.insert(last);
  ranks.assign(chosen.begin(), chosen.end());
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

} // namespace enumerate
