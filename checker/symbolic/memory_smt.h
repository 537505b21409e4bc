// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The symbolic engine for programs with memory: the runs of memory_run.h and
// the quantifiers of refinement as a game. What is returned and one byte of
// memory, any one, are compared. Threads: a pure function.
#pragma once

#include "checker/symbolic/smt.h"

namespace checker {

/// As checkSymbolic(), with fewer rounds of a loop. Requires a program with
/// memory.
Verdict checkMemorySymbolically(const corpus::Program &source,
                                const corpus::Program &target,
                                const Semantics &semantics, bool wantWitness,
                                const SmtLimits &limits = {});

} // namespace checker
