// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops without a bound, where source and target run in step: a simulation
// (Necula, "Translation validation for an optimizing compiler", PLDI 2000). The
// programs are cut at the headers of their cycles. From the entry, and from
// each header, what both sides do until the next header is a pair of functions
// without cycles; that the runs arrive there is a call whose arguments are the
// values that live on. If each target piece refines its source piece, for all
// values of what is live, then the target refines the source: every operation
// is monotone, and runs that never end pass the same headers for ever.
//
// Beside memory a piece ends in a call that sees all of it, and begins with any
// contents of it, the same on both sides.
//
// Which value of the target goes with which of the source is guessed, and
// guessed again where a piece says that they differ.
// Threads: a pure function.
#pragma once

#include "checker/symbolic/smt.h"

namespace checker::smt {

/// True when it is proved. Requires that no register holds a set; of memory it
/// sees to that itself.
bool isSimulation(const corpus::Program &source, const corpus::Program &target,
                  const Semantics &semantics, const SmtLimits &limits);

} // namespace checker::smt
