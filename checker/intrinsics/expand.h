// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lane operations in place of the calls of target intrinsics, so that no engine
// has to know one.
// Threads: pure functions.
#pragma once

#include "checker/semantics/rewritten.h"
#include "checker/semantics/semantics.h"
#include "corpus/program/program.h"
#include "corpus/program/result.h"

namespace checker::intrinsics {

/// A callee is one of targetIntrinsics().
bool callsTarget(const corpus::Program &program);

/// A program that means the same and calls none of them. An error names the
/// intrinsic and what of the call is not known: an attribute of the call site,
/// or an operand that may be undef, which is one value to the intrinsic and
/// would be several to its operations; or semantics under which a `select` does
/// not what an intrinsic does that chooses.
corpus::Result<Rewritten> expanded(const corpus::Program &program,
                                   const Semantics &semantics);

} // namespace checker::intrinsics
