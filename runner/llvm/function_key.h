// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All that a pass can see of a function of ours, as a number: instructions with
// their flags, types, attributes, and the order of blocks and of use lists,
// which passes walk. Two functions of one context with equal keys go the same
// way through the passes that follow. What is not known to be in the key, such
// as metadata or an instruction without a line here, leaves the function
// without one.
// Threads: as the context's.
#pragma once

#include "runner/llvm/instruction_words.h"
#include "runner/llvm/value_numbers.h"

#include <llvm/IR/Function.h>

#include <cstdint>
#include <optional>
#include <utility>

namespace runner {

class FunctionKey {
public:
  /// 128 bits of hash: among 2^32 functions, equal for two different ones with
  /// a probability of 2^-64.
  using Value = std::pair<std::uint64_t, std::uint64_t>;

  /// Valid as long as the context lives; nothing where the function has
  /// something that no key describes.
  std::optional<Value> of(const llvm::Function &function);

private:
  void add(std::uint64_t word) { words_.push_back(word); }
  void addPointer(const void *pointer) { runner::addPointer(words_, pointer); }
  void number(const llvm::Function &function);
  void addUses(const llvm::Value &value);
  bool addOperand(const llvm::Value &value);
  bool addInstruction(const llvm::Instruction &instruction);

  // Reused from function to function.
  Words words_;
  /// Arguments, blocks and instructions of the function.
  ValueNumbers numbers_;
};

} // namespace runner
