// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worker that an opt loads as a pass plugin: it takes over the process, and
// its LLVM is the opt's, with whatever passes that has.
#include "runner/llvm/llvm_backend.h"
#include "runner/serve.h"

/// What opt calls to be told of passes, with its command line read up to the
/// option that named this file, or further. It is never told.
extern "C" [[noreturn]] void llvmGetPassPluginInfo() {
  runner::LlvmBackend backend;
  runner::serveInPlaceOfOpt(backend);
}
