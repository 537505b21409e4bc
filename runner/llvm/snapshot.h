// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a pass left a function as it was, without reading it back: the same
// blocks, instructions and operands stand in the same order, at their old
// addresses. Where something new stands at the address of what is gone, it is
// what that was, or the function has changed.
// Threads: as the context's.
#pragma once

#include "runner/llvm/instruction_words.h"

#include <llvm/IR/Function.h>

namespace runner {

class Snapshot {
public:
  /// Of functions that call somebody it takes none, whom a pass may change too.
  void take(const llvm::Function &function);
  /// False where none was taken, or another function now takes its place.
  bool isOf(const llvm::Function &function);

private:
  /// False where it cannot be written, or begins otherwise than expected.
  static bool write(const llvm::Function &function, const Words *expected,
                    Words &words);

  Words words_; ///< none: nothing was taken
  Words now_;   ///< scratch
};

} // namespace runner
