// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/snapshot.h"

#include <algorithm>
#include <utility>

namespace runner {

bool Snapshot::write(const llvm::Function &function, const Words *expected,
                     Words &words) {
  words.clear();
  std::size_t seen = 0;
  const auto isExpected = [&] {
    const std::size_t begin = std::exchange(seen, words.size());
    return expected == nullptr ||
           (words.size() <= expected->size() &&
            std::equal(words.begin() + begin, words.end(),
                       expected->begin() + begin));
  };
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
      if (!isExpected())
        return false;
    }
  }
  return isExpected();
}

void Snapshot::take(const llvm::Function &function) {
  if (!write(function, nullptr, words_))
    words_.clear();
}

bool Snapshot::isOf(const llvm::Function &function) {
  return !words_.empty() && write(function, &words_, now_) &&
         now_.size() == words_.size();
}

} // namespace runner
