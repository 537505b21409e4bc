// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From functions whose operands have so many arguments to choose from to
// functions whose arguments are numbered by first use. The one is a polynomial
// in the number of arguments of each type; the other follows from its values at
// a few points, as set partitions follow from powers.
// Immutable after construction, may be shared by threads.
#pragma once

#include "corpus/program/rank.h"
#include "enumerate/spec.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace enumerate {

/// How many there are of each type.
using TypeCounts = std::array<std::uint8_t, SpaceSpec::maximumTypes>;

/// All vectors of so many numbers with a sum of at most `limit`, ascending.
std::vector<TypeCounts> countsUpTo(std::size_t types, unsigned limit);

class ArgumentPoints {
public:
  using Rank = corpus::Rank;

  ArgumentPoints(std::size_t types, unsigned arguments);

  /// The first has no arguments.
  std::size_t size() const { return points_.size(); }
  const TypeCounts &operator[](std::size_t point) const {
    return points_[point];
  }
  /// With one argument more of that type, if there may be one.
  std::optional<std::size_t> next(std::size_t point, std::size_t type) const;

  /// Points as far as some types go.
  struct Projection {
    std::vector<TypeCounts> points; ///< none of other types
    std::vector<std::uint8_t> of;   ///< by point, which of these
  };
  /// `types` is a set of them.
  const Projection &projection(unsigned types) const {
    return projections_[types];
  }

  struct Term {
    std::uint32_t point;
    Rank weight; ///< modulo 2^128
  };
  /// When the arguments of `used` are in use, the sum of these terms of a
  /// polynomial is divisor(used) times the ways to choose the other operands.
  std::span<const Term> terms(std::size_t used) const { return terms_[used]; }
  Rank divisor(std::size_t used) const { return divisors_[used].divisor; }
  /// By divisor(used), of which it must be a multiple. Requires a type that can
  /// hold it; several times faster than `/`.
  template <typename Number>
  Number divide(Number multiple, std::size_t used) const {
    const Divisor &by = divisors_[used];
    return (multiple >> by.shift) * static_cast<Number>(by.inverse);
  }

private:
  Projection projectionOn(unsigned types) const;

  struct Divisor {
    Rank divisor = 1;
    unsigned shift = 0;
    Rank inverse = 1; ///< of the odd divisor >> shift, modulo 2^128
  };

  std::vector<TypeCounts> points_;
  std::vector<std::vector<Term>> terms_;
  std::vector<Divisor> divisors_;
  std::vector<Projection> projections_;
};

} // namespace enumerate
