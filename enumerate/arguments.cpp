// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/arguments.h"

#include <algorithm>
#include <numeric>

namespace enumerate {

using corpus::Rank;

namespace {

unsigned sumOf(const TypeCounts &counts) {
  return std::accumulate(counts.begin(), counts.end(), 0U);
}

bool isWithin(const TypeCounts &counts, const TypeCounts &limits) {
  return std::equal(counts.begin(), counts.end(), limits.begin(),
                    [](auto count, auto limit) { return count <= limit; });
}

TypeCounts difference(TypeCounts counts, const TypeCounts &less) {
  for (std::size_t t = 0; t < counts.size(); ++t)
    counts[t] -= less[t];
  return counts;
}

Rank factorial(unsigned n) {
  Rank result = 1;
  for (unsigned i = 2; i <= n; ++i)
    result *= i;
  return result;
}

Rank factorials(const TypeCounts &counts) {
  Rank result = 1;
  for (const unsigned count : counts)
    result *= factorial(count);
  return result;
}

} // namespace

std::vector<TypeCounts> countsUpTo(std::size_t types, unsigned limit) {
  std::vector<TypeCounts> all;
  TypeCounts counts{};
  const auto extend = [&](const auto &self, std::size_t type,
                          unsigned left) -> void {
    if (type == types) {
      all.push_back(counts);
      return;
    }
    for (unsigned i = 0; i <= left; ++i) {
      counts[type] = static_cast<std::uint8_t>(i);
      self(self, type + 1, left - i);
    }
    counts[type] = 0;
  };
  extend(extend, 0, limit);
  return all;
}

// In terms of falling factorials, which count the ways to give distinct
// arguments to classes of operands, a polynomial P has the coefficients of its
// finite differences: at k, the sum over all j up to k of
// (-1)^(k-j) P(j) / (j! (k-j)!).
ArgumentPoints::ArgumentPoints(std::size_t types, unsigned arguments)
    : points_(countsUpTo(types, arguments)) {
  for (const TypeCounts &used : points_) {
    const unsigned open = arguments - sumOf(used);
    const Rank divisor = factorial(open);
    divisors_.push_back(divisor);
    std::vector<Term> &terms = terms_.emplace_back();
    for (std::uint32_t at = 0; at < points_.size(); ++at) {
      if (!isWithin(used, points_[at]))
        continue;
      const TypeCounts j = difference(points_[at], used);
      Term term{at, 0};
      for (const TypeCounts &to : points_) {
        if (!isWithin(points_[at], to))
          continue;
        const TypeCounts more = difference(to, points_[at]);
        const Rank share = divisor / (factorials(j) * factorials(more));
        term.weight += sumOf(more) % 2 == 0 ? share : -share;
      }
      if (term.weight != 0)
        terms.push_back(term);
    }
  }
}

std::optional<std::size_t> ArgumentPoints::next(std::size_t point,
                                                std::size_t type) const {
  TypeCounts counts = points_[point];
  ++counts[type];
  const auto found = std::lower_bound(points_.begin(), points_.end(), counts);
  if (found == points_.end() || *found != counts)
    return std::nullopt;
  return static_cast<std::size_t>(found - points_.begin());
}

} // namespace enumerate
