// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Greedy reduction of a source and a target together, for whoever has two of
// them and no optimizer in between: two engines that disagree.
// Threads: a pure function.
#pragma once

#include "corpus/program/program.h"

#include <functional>

namespace reports {

/// Both take and return the same types.
struct Pair {
  corpus::Program source;
  corpus::Program target;
  friend bool operator==(const Pair &, const Pair &) = default;
};

/// A pair for which `shows` holds although it does for none that is one step
/// smaller (reports/triage/reduce.h) on one side, or on both where the step
/// changes the types. Requires that it holds for `pair`.
Pair reducePair(Pair pair, const std::function<bool(const Pair &)> &shows);

} // namespace reports
