// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is at fault in a wrong pair: the one thing in the target that makes it
// wrong, found by changing the target until it is right. A flag or a freeze, a
// logical `and`, a guard: reduced functions of one mistake differ in their
// shape, and hardly ever in this.
// Threads: pure functions; the Checker belongs to the caller's thread.
#pragma once

#include "checker/check.h"
#include "reports/triage/bug.h"

#include <string>

namespace reports {

struct Fault {
  /// Bugs of one pass with equal keys are one row: "flag nsw mul". Free of
  /// widths, constants, predicates and of what only uses the wrong value.
  std::string key;
  /// For readers, behind the name of the pass: "keeps `nsw` on `mul i1`".
  std::string words;
  /// The key but for what is seldom a matter of the cause: in which of two
  /// operations that passes treat alike it shows, whether a wrong value is
  /// returned or decides that a loop ends, poison or undef; of a flag beside
  /// `undef`, what it is and where. Empty where the key has no such part.
  std::string kin = {};
};

/// The smallest single change that makes the target right decides; for
/// undefined behaviour that no such change avoids, the writes that are gone
/// where that is all, or the instruction that has it; then the kind, with the
/// operations of the source where the control flow stayed as it was. A crash, a
/// hang or invalid output is its own fault. The work is bounded by the limits
/// of `checker`, which is asked with `engine`. Requires `bug.verdict` where
/// there is a target.
Fault faultOf(const Bug &bug, checker::Checker &checker,
              checker::Engine engine = checker::Engine::automatic);

} // namespace reports
