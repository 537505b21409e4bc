// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inputs that show most of what is wrong, for integers of any width: corner
// values, the constants of both programs and what stands beside them, equal
// arguments, and for the rest values that look random. The same for the same
// pair, always.
// Threads: immutable once made.
#pragma once

#include "checker/value/value.h"
#include "corpus/program/program.h"

#include <span>

namespace checker {

class Samples {
public:
  Samples(const corpus::Program &source, const corpus::Program &target,
          bool withPoison);

  /// Input `number`, the most telling ones first: an element for each type.
  /// Requires integers.
  std::vector<Element> input(std::span<const corpus::Type> types,
                             std::uint64_t number) const;

private:
  Element corner(corpus::Type type, std::uint64_t number) const;

  std::vector<std::uint64_t> corners_; ///< of 64 bits, cut to each width
  bool withPoison_;
};

/// Smaller inputs beside this one, among which one may show the same.
std::vector<std::vector<Element>>
smallerInputs(std::span<const corpus::Type> types,
              std::span<const Element> input);

/// Whether `a` is the smaller witness (inputs.h).
bool isSmaller(std::span<const Element> a, std::span<const Element> b);

} // namespace checker
