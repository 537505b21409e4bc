// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a worker process finds its parent: fixed descriptors, given at spawn.
#pragma once

#include "runner/shared_table.h"

#include <string_view>

namespace runner {

inline constexpr int workerSocket = 3;
inline constexpr int workerTable = 4;
inline constexpr std::string_view workerArgument = "--worker";

/// The first thing that a worker does: it ends when its parent does, leaves
/// Ctrl-C to it, and says in the table that they share who it is.
SharedTable joinParent();

} // namespace runner
