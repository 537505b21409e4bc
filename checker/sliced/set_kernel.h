// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inner loop of the set-sliced engine, behind an interface of plain data so
// that it can be compiled once per instruction set and chosen at run time.
//
// A value is one plane for each element that it may have: bit i of the plane
// says whether the element is a member of the set in lane i. What an
// instruction computes is a table of terms: an element is a member of the
// result in the lanes where all the planes of one of its terms are set.
#pragma once

#include "checker/sliced/bitsliced_kernel.h"

namespace checker::setsliced {

using bitsliced::laneBits;
using bitsliced::lanes;
using bitsliced::Plane;

/// Elements of up to three operands, counted from the operand's first plane.
struct Term {
  std::uint16_t element[3];
};

struct Table {
  const Term *terms = nullptr;
  /// Terms of output i are ends[i - 1] up to ends[i]. The last output is UB.
  const std::uint32_t *ends = nullptr;
  std::uint32_t outputs = 0;
  std::uint8_t arity = 0; ///< operands that are not literals
};

struct Step {
  enum class Kind : std::uint8_t {
    compute, ///< result and UB from the table
    pick,    ///< freeze: output i says where the number i may be picked
    settle,  ///< a condition whose poison becomes 0 or 1: table 0 or 1
    require, ///< UB where operand 0 is poison, or several elements
  };
  Kind kind = Kind::compute;
  std::uint8_t pickBits = 0;  ///< of pick and settle
  std::uint8_t firstPick = 0; ///< bit in the number of the fork
  Table tables[2];
  std::uint32_t operands[3] = {0, 0, 0};
  std::uint32_t result = 0;
  std::uint32_t size = 0;   ///< require: elements of the operand
  std::uint32_t poison = 0; ///< require: elements from here on have poison
  bool ofPoison = false;    ///< require: poison is UB
  bool ofSets = false;      ///< require: several elements are UB
};

struct Code {
  const Step *steps = nullptr;
  std::size_t stepCount = 0;
  std::uint32_t returned = 0;
  unsigned pickBits = 0;
  std::uint64_t cost = 1; ///< terms of all steps
};

struct Job {
  Plane *file = nullptr; ///< the register file; inputs first
  std::uint32_t inputPlanes = 0;
  const Plane *inputs = nullptr; ///< inputPlanes for each block
  const Plane *valid = nullptr;  ///< one for each block
  std::size_t blocks = 0;
  Code source, target;
  std::uint32_t returnedSize = 0;   ///< elements; 0 for void
  std::uint32_t returnedPoison = 0; ///< elements from here on have poison
  /// Output t: source elements that element t of the target refines.
  Table covers;
  std::uint64_t budget = 0; ///< terms on one block
};

struct Answer {
  static constexpr std::uint64_t never = ~std::uint64_t(0);
  /// First lane, over all blocks, by kind: more-ub, more-poison, more-undef,
  /// value.
  std::uint64_t firstLane[4] = {never, never, never, never};
  bool outOfBudget = false;
};

/// Tries every block.
using Kernel = Answer (*)(const Job &);

/// Those that this machine runs, the best last.
std::span<const Kernel> kernels();

} // namespace checker::setsliced
