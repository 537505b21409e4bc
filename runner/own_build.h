// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worker that was built for the user's own LLVM (-DIRSIEVE_LLVM="name=path").
// Threads: none; it starts a process and waits for it.
#pragma once

#include "corpus/program/result.h"
#include "runner/backend.h"

#include <string>

namespace runner {

struct IdentifiedBuild {
  unsigned release = 0; ///< whose IR it speaks
  OwnBuild build;
};

/// Asks the worker of that name what it is, and reads it with the libLLVM that
/// it loads, so that a rebuilt one is another optimizer.
corpus::Result<IdentifiedBuild> identifyBuild(const std::string &name);

} // namespace runner
