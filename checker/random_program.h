// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs and random edits of them, for tests and benchmarks.
#pragma once

#include "corpus/program/program.h"

#include <random>

namespace checker {

using Random = std::mt19937_64;

struct RandomOptions {
  std::vector<unsigned> widths = {1, 2}; ///< of arguments and results
  unsigned maximumArguments = 3;
  unsigned instructions = 3;
  bool intrinsics = true; ///< everything straight-line, else the `core` opcodes
  bool undefAndPoison = false; ///< as operands
  bool attributes = false;     ///< noundef and range
};

/// A straight-line program that satisfies verify().
corpus::Program randomProgram(Random &random, const RandomOptions &options);

/// The same with branches: two or three blocks side by side between an entry
/// and an end with phis; some return early, some are unreachable.
corpus::Program randomBranching(Random &random, const RandomOptions &options);

/// One edit. About half of them keep the meaning or refine it: drop a flag,
/// commute, freeze an operand; the others change an operand, opcode, predicate
/// or flag.
corpus::Program randomEdit(Random &random, const corpus::Program &program,
                           const RandomOptions &options);

} // namespace checker
