// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/arguments.h"

#include <algorithm>
#include <bit>
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

/// Modulo 2^128, of an odd number. Each of Newton's steps doubles the bits that
/// are right; an odd number is its own inverse in the lowest three.
Rank inverseOf(Rank odd) {
  Rank inverse = odd;
  for (unsigned bits = 3; bits < 128; bits *= 2)
    inverse *= 2 - odd * inverse;
  return inverse;
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
    Divisor &by = divisors_.emplace_back();
    by.divisor = divisor;
    by.shift =
        static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(divisor)));
    by.inverse = inverseOf(divisor >> by.shift);
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
  for (unsigned set = 0; set < 1U << types; ++set)
    projections_.push_back(projectionOn(set));
}

ArgumentPoints::Projection ArgumentPoints::projectionOn(unsigned types) const {
  Projection result;
  for (TypeCounts counts : points_) {
    for (std::size_t t = 0; t < counts.size(); ++t)
      if ((types >> t & 1U) == 0)
        counts[t] = 0;
    const auto known =
        std::find(result.points.begin(), result.points.end(), counts);
    result.of.push_back(
        static_cast<std::uint8_t>(known - result.points.begin()));
    if (known == result.points.end())
      result.points.push_back(counts);
  }
  return result;
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
