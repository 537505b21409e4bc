// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A callee that writes nothing does the same, and returns the same, whenever it
// is given the same arguments and finds the same memory (LangRef, "memory",
// and of earlier releases "readnone" and "readonly"). So a call behind one like
// it, with nothing written in between, is that one; the trace of a run would
// have both.
//
// Threads: pure functions.
#pragma once

#include "checker/semantics/rewritten.h"

#include <optional>

namespace checker {

/// The program without calls that only repeat an earlier one. Nothing: there is
/// none.
std::optional<Rewritten>
withoutRepeatedCalls(const corpus::Program &program,
                     const Semantics &semantics);

} // namespace checker
