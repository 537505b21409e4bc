// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second opinion for tests on what the reference interpreter says: sections 1
// to 3 of docs/semantics.md read once more, with as few ideas as possible.
// Every run of a program on one input is walked to its end and written down as
// an outcome (trace, end); a target outcome is compared with every source
// outcome. No states are merged, no graph is built. Traces are cut after a few
// calls. What one instruction computes from numbers is taken from
// checker/lane_ops/concrete.h. Threads: a pure function.
#pragma once

#include "checker/semantics/verdict.h"
#include "checker/value/inputs.h"
#include "corpus/program/program.h"

#include <optional>

namespace checker {

struct OracleAnswer {
  /// False: too many inputs or runs; then the rest says nothing.
  bool complete = true;
  /// The kind that the outcomes walked so far show.
  std::optional<Kind> kind;
  /// False: beyond the cut there may be another, earlier kind.
  bool exact = true;
  /// Of the kind, if that is exact: arguments, then results of calls.
  std::optional<Input> smallest;
};

/// Requires programs that the reference interpreter decides.
OracleAnswer askOracle(const corpus::Program &source,
                       const corpus::Program &target,
                       const Semantics &semantics);

} // namespace checker
