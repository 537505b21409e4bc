// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a worker process finds its parent: fixed descriptors, given at spawn.
#pragma once

#include <string_view>

namespace runner {

inline constexpr int workerSocket = 3;
inline constexpr int workerTable = 4;
inline constexpr std::string_view workerArgument = "--worker";

} // namespace runner
