// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A callee does the same, and returns the same, whenever it is given the same
// arguments and finds the same memory (LangRef of "memory", and of earlier
// releases on "readnone" and "readonly"). So one that writes nothing, or reads
// nothing, need not be called again behind a call like it with nothing written
// in between; the trace of a run would have both.
//
// Threads: pure functions.
#pragma once

#include "checker/semantics/rewritten.h"

#include <optional>

namespace checker {

/// The program without calls that only repeat an earlier one. Nothing: there is
/// none.
std::optional<Rewritten> withoutRepeatedCalls(const corpus::Program &program,
                                              const Semantics &semantics);

} // namespace checker
