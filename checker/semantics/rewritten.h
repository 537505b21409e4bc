// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program in the place of another that means the same, and what its values
// were called there; and which values may be sets, which such a program must
// not use in other places.
// Threads: pure functions.
#pragma once

#include "checker/semantics/semantics.h"
#include "checker/semantics/verdict.h"
#include "corpus/program/program.h"

#include <cstdint>
#include <vector>

namespace checker {

struct Rewritten {
  corpus::Program program;
  /// By instruction of the program that was rewritten: what has its value.
  /// Nothing of the program where none has.
  std::vector<corpus::Operand> values;
};

/// Values of the rewritten program, by the names that they have in `program`;
/// those in between are left out.
std::vector<NamedValue> namedAsIn(const corpus::Program &program,
                                  const Rewritten &rewritten,
                                  const std::vector<NamedValue> &shown);

/// Lanes of values, one bit each; the last one stands for all from the 64th on.
using Lanes = std::uint64_t;
Lanes allLanes(corpus::Type type);

/// By instruction: its value may be a set.
std::vector<bool> setsIn(const corpus::Program &program,
                         const Semantics &semantics);

/// Lanes of an operand that may be sets. `results`: setsIn().
Lanes setLanes(const corpus::Program &program, const Semantics &semantics,
               const std::vector<bool> &results,
               const corpus::Operand &operand);

} // namespace checker
