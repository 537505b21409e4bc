// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inputs that a check quantifies over, and the order in which a witness is
// the smallest: fewest poison, then fewest undef bits, then unsigned, arguments
// left to right (a number before poison).
// Threads: plain data.
#pragma once

#include "checker/semantics/semantics.h"
#include "checker/value/value.h"
#include "corpus/program/result.h"

#include <functional>
#include <span>
#include <string>

namespace checker {

/// One value that an argument, or the result of an external call, may have.
struct InputChoice {
  ValueSet set;
  unsigned poison = 0; ///< poison values, or poison bits when bitwise
  unsigned undef = 0;  ///< undef bits
};

/// Results of external calls: one input for each place in the trace and callee.
struct CallResultSlot {
  unsigned position = 0;
  std::string callee;
  corpus::Type type;
  friend bool operator==(const CallResultSlot &,
                         const CallResultSlot &) = default;
};

constexpr std::uint64_t maximumInputChoices = std::uint64_t(1) << 21;

/// Every value of an input of that type, in unsigned order. An error says why
/// there is no such list (more of them than `maximum`, a type without one).
corpus::Result<std::vector<InputChoice>>
inputChoices(corpus::Type type, const Semantics &semantics,
             std::uint64_t maximum = maximumInputChoices);

using Input = std::vector<ValueSet>;

/// Calls `visit` with the places in their lists of each element of the product,
/// smallest witness first, until it returns false.
void forEachChoice(
    std::span<const std::vector<InputChoice> *const> choices,
    const std::function<bool(std::span<const std::uint32_t>)> &visit);

/// The same with their sets.
void forEachInput(std::span<const std::vector<InputChoice> *const> choices,
                  const std::function<bool(const Input &)> &visit);

} // namespace checker
