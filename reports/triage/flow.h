// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of a reduction that change the control flow. Each result satisfies
// verify(), has no block that is never reached and no phi that has nothing to
// choose, and its blocks stand in reverse postorder.
// Threads: pure functions.
#pragma once

#include "corpus/program/program.h"

#include <vector>

namespace reports {

/// A conditional branch taken to one side only, a case of a switch dropped, a
/// block that returns instead of branching, a block folded into its only
/// predecessor, an empty one threaded, nothing returned (and one of two blocks
/// that then only return left to the other). Blocks that are not reached any
/// more go. None for a straight line.
std::vector<corpus::Program> flowSteps(const corpus::Program &program);

/// The same program; a block that is the only one behind another, and has no
/// other before it, is part of that.
corpus::Program withBlocksFolded(corpus::Program program);

/// What a branch or switch of each block decides by, returned instead: one
/// program for each block that has a condition. Nothing for a block whose
/// condition is not the only value returned then.
std::vector<corpus::Program> conditionsReturned(const corpus::Program &program);

/// The two sides of a conditional branch swapped, or the two values of a phi,
/// one at a time: no smaller, but the same bug may be written this way round.
std::vector<corpus::Program> withSidesSwapped(const corpus::Program &program);

/// The same program with its blocks and the operands of its phis in order.
corpus::Program inFlowOrder(const corpus::Program &program);

} // namespace reports
