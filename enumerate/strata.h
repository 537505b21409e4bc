// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The orders by skeletons. A skeleton is everything of a function but its
// constants: opcodes, flags, control flow, which operands are constants,
// arguments or results. Round r takes of each skeleton twice as many members as
// the round before, one (`strata`) or the square root of what it has
// (`balanced`) in the first; inside a round everything is shuffled. So in
// `strata` each skeleton has its k-th member before any has its 2k-th. Of half
// of the skeletons those members come first whose constants are all 0, 1, -1 or
// the least number, where bugs are; of the others, any.
// Memory: some ten numbers for each node of the graph.
#pragma once

#include "enumerate/decision_graph.h"
#include "enumerate/order.h"

#include <memory>

namespace enumerate {

/// How much of a skeleton the first round takes.
enum class Share { equal, squareRoot };

/// `graph` must live as long as the order.
std::unique_ptr<Order> makeStrataOrder(const DecisionGraph &graph,
                                       std::uint64_t seed, Share share);

} // namespace enumerate
