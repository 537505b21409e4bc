// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs over every opcode, flag, attribute and terminator that
// opcode.def and attribute.h know, and random edits of them; for tests and
// benchmarks. The same seed gives the same sequence.
// Threads: an object of class Random belongs to one thread.
#pragma once

#include "corpus/program/program.h"

#include <random>

namespace corpus {

using Random = std::mt19937_64;

struct RandomOptions {
  std::vector<unsigned> widths = {1, 2}; ///< of arguments and results
  /// Vectors of integers of these widths too, and pairs of what there is.
  std::vector<unsigned> lanes = {};
  unsigned maximumArguments = 3;
  /// Of a straight line exactly; of a block less than that.
  unsigned instructions = 3;
  unsigned maximumBlocks = 1;  ///< at least two of them if more than one
  bool loops = false;          ///< branches may go back
  bool calls = false;          ///< the signature of a callee follows its name
  bool intrinsics = true;      ///< else the `core` opcodes
  bool undefAndPoison = false; ///< as operands
  bool attributes = false;     ///< wherever they may stand
  /// Pointers, and what accesses memory of the `widths` and takes addresses.
  bool memory = false;
};

/// A program that satisfies verify().
Program randomProgram(Random &random, const RandomOptions &options);

/// One edit, after which verify() still holds. About half of them keep the
/// meaning or refine it: drop a flag, commute, freeze an operand; the others
/// change an operand, opcode, predicate, flag, branch, call or attribute.
Program randomEdit(Random &random, const Program &program,
                   const RandomOptions &options);

struct RandomPair {
  Program source;
  Program target;
};

/// A random program and a few edits of it: right about as often as wrong.
RandomPair randomPair(Random &random, const RandomOptions &options);

} // namespace corpus
