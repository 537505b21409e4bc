// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an instruction computes from one element of each operand, where elements
// have any number of lanes: as LangRef has it, lane by lane. The
// meaning of an opcode on the numbers of one lane is lane_ops/concrete.h.
// Threads: pure functions.
#pragma once

#include "checker/lane_ops/concrete.h"

namespace checker {

/// Opcodes that move or combine lanes, beside those that work lane by lane.
bool isMoveOfLanes(corpus::Opcode opcode);

struct LaneResults {
  enum class Kind : std::uint8_t {
    set,
    ub,
    tooMany, ///< more than we care to try
  };
  Kind kind = Kind::set;
  /// Several elements where the knobs make undef, each lane on its own. Nothing
  /// of void.
  ValueSet set;
};

/// Requires a lane operation of opcodesOfNumbers() or a move of lanes; the
/// condition of a select is no poison where the knob makes its answer a fork.
LaneResults evaluateLanes(const corpus::Program &program,
                          const corpus::Instruction &instruction,
                          const Semantics &semantics,
                          std::span<const Element> operands);

} // namespace checker
