// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker's side: answers the questions of runner/worker.h from a socket
// until the parent goes away, and runs work orders on all its threads.
#pragma once

#include "runner/backend.h"

namespace runner {

/// The main() of a worker. Returns its exit code.
int serve(Backend &backend, int argc, char **argv);

/// The same within an opt that loaded the worker: what is to go through an opt,
/// and with which options, goes through the backend's own LLVM, which has read
/// them.
[[noreturn]] void serveInPlaceOfOpt(Backend &backend);

} // namespace runner
