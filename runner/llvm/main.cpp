// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worker: one LLVM release behind a pipe.
#include "runner/llvm/llvm_backend.h"
#include "runner/serve.h"

int main(int argc, char **argv) {
  runner::LlvmBackend backend;
  return runner::serve(backend, argc, argv);
}
