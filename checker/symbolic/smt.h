// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The symbolic engine: docs/semantics.md as quantifier-free bit-vector queries
// to Z3, for integers of 1 to 64 bits.
//
// A register is an expression over the inputs, the forks of the run and choice
// variables of its own; every use of it puts fresh choices in their place. The
// quantifiers of refinement (all inputs and target forks, some source fork, all
// target picks, some source pick) are played as a game between quantifier-free
// queries. Every check has a Z3 context of its own, so that a verdict depends
// on nothing but the pair, the semantics and the limits. Loops in which both
// sides run in step are proved without a bound (simulation.h).
// Threads: a pure function.
#pragma once

#include "checker/semantics/semantics.h"
#include "checker/semantics/verdict.h"
#include "corpus/program/program.h"

#include <cstdint>
#include <optional>

namespace checker {

struct SmtLimits {
  /// Z3 resource units (`rlimit`) for all queries of one check together: work,
  /// not time, so that the answer is the same on every machine.
  std::uint32_t resources = 10'000'000;
  /// How often a run may go back to an earlier block.
  unsigned unroll = 16;
};

/// Both programs satisfy verify() and have equal parameter and return types.
/// The witness shows the kind, but need not be the smallest. `undecided` when a
/// limit is reached; `refines` with a reason ("up to bound 16") when a loop may
/// run longer than it was unrolled. `before`: only kinds that come before that
/// one are looked for; `refines` then means that there are none.
Verdict checkSymbolic(const corpus::Program &source,
                      const corpus::Program &target, const Semantics &semantics,
                      bool wantWitness, const SmtLimits &limits = {},
                      std::optional<Kind> before = std::nullopt);

} // namespace checker
