// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two functions as a rule about all widths, for what Alive's language cannot
// say: branches, loops, calls. The widest integer type that both leave open
// stands for i1 to i64; constants of its own are arguments that are `noundef`.
// Threads: a pure function.
#pragma once

#include "checker/rules/prove.h"
#include "corpus/program/program.h"

namespace checker::rules {

/// Literals keep their signed value, 0, 1, -1, INT_MIN and INT_MAX what they
/// are; a width without them is no typing. Where both must be of i1, there is
/// one typing. A loop that is only followed to a bound is undecided.
Proof prove(const corpus::Program &source, const corpus::Program &target,
            const Semantics &semantics, const ProofLimits &limits = {},
            Engine engine = Engine::automatic);

} // namespace checker::rules
