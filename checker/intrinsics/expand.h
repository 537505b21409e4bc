// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lane operations in place of the calls of target intrinsics, so that no engine
// has to know one.
// Threads: pure functions.
#pragma once

#include "checker/semantics/semantics.h"
#include "checker/semantics/verdict.h"
#include "corpus/program/program.h"
#include "corpus/program/result.h"

#include <vector>

namespace checker::intrinsics {

/// A callee is one of targetIntrinsics().
bool callsTarget(const corpus::Program &program);

struct Expansion {
  corpus::Program program;
  /// By instruction of the program that was expanded: what has its value.
  std::vector<corpus::Operand> values;
};

/// A program that means the same and calls none of them. An error names the
/// intrinsic and what of the call is not known: an attribute of the call site,
/// or an operand that may be undef, which is one value to the intrinsic and
/// would be several to its operations; or semantics under which a `select` does
/// not what an intrinsic does that chooses.
corpus::Result<Expansion> expanded(const corpus::Program &program,
                                   const Semantics &semantics);

/// Values of the expansion, by the names that they have in `program`; those in
/// between are left out.
std::vector<NamedValue> namedAsIn(const corpus::Program &program,
                                  const Expansion &expansion,
                                  const std::vector<NamedValue> &shown);

} // namespace checker::intrinsics
