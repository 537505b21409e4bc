// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/snapshot.h"

namespace runner {

bool Snapshot::write(const llvm::Function &function, Words &words) {
  words.clear();
  if (function.hasMetadata())
    return false;
  addPointer(words, &function);
  addPointer(words, function.getAttributes().getRawPointer());
  for (const llvm::BasicBlock &block : function) {
    addPointer(words, &block);
    for (const llvm::Instruction &instruction : block) {
      const auto wordOf = [](const llvm::BasicBlock &named) {
        return reinterpret_cast<std::uintptr_t>(&named);
      };
      addPointer(words, &instruction);
      if (llvm::isa<llvm::CallBase>(instruction) ||
          !addInstruction(words, instruction, wordOf))
        return false;
      for (const llvm::Use &operand : instruction.operands())
        addPointer(words, operand.get());
    }
  }
  return true;
}

void Snapshot::take(const llvm::Function &function) {
  if (!write(function, words_))
    words_.clear();
}

bool Snapshot::isOf(const llvm::Function &function) {
  return !words_.empty() && write(function, now_) && words_ == now_;
}

} // namespace runner
