// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// llvm::Function -> Program, without text, or a reason that names what a
// Program cannot hold. Runs once for every function of a campaign.
//
// Blocks keep their order, unreachable ones and the phi entries from them are
// dropped. Each call with attributes gets a CallAttributes of its own; callees
// are listed in order of first call. Hence lift(lower(p)) == p for a program in
// that form.
// Threads: a Lifter belongs to one thread.
#pragma once

#include "corpus/program/program.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

#include <cstdint>
#include <optional>
#include <string>

namespace runner {

class Lifter {
public:
  /// Overwrites `program`, keeping its capacity. With a reason, `program` is
  /// unspecified. A function that LLVM's verifier rejects may come out as a
  /// program that corpus::verify() rejects.
  std::optional<std::string> lift(const llvm::Function &function,
                                  corpus::Program &program);

private:
  // Each returns false after setting reason_.
  bool fail(std::string reason);
  bool liftSignature(const llvm::Function &function,
                     corpus::Signature &signature);
  bool liftType(const llvm::Type &type, corpus::Type &out);
  bool liftAttributes(llvm::AttributeSet set, corpus::Attributes &out);
  bool checkPromises();
  bool liftInstruction(const llvm::Instruction &instruction);
  bool liftOperands(const llvm::Instruction &instruction);
  bool liftCall(const llvm::CallBase &call, corpus::Instruction &out);
  bool liftCallee(const llvm::CallBase &call, corpus::Instruction &out);
  bool liftPhi(const llvm::Instruction &instruction);
  bool liftSwitch(const llvm::Instruction &instruction);
  bool liftValue(const llvm::Value &value);
  void liftBlock(const llvm::BasicBlock &block);

  bool isReachable(const llvm::BasicBlock &block) const {
    return blocks_.empty() || blocks_.count(&block) != 0;
  }
  void number(const llvm::Function &function);
  std::optional<std::uint32_t> numberOf(const llvm::Value &value) const;

  corpus::Program *program_ = nullptr;
  std::string reason_;
  // What the definition promises and a Program cannot say; checkPromises() sees
  // whether it is plainly true.
  std::string otherMemory_;
  std::optional<std::size_t> returned_; ///< the parameter
  /// In a short list nothing is found faster than by looking at all of it.
  static constexpr std::size_t shortList = 16;
  llvm::SmallVector<const llvm::Value *, shortList> order_;
  /// Of order_, unless that is short.
  llvm::DenseMap<const llvm::Value *, std::uint32_t> numbers_;
  /// Reachable blocks; empty for a function of one block.
  llvm::DenseMap<const llvm::BasicBlock *, std::uint32_t> blocks_;
  llvm::SmallVector<const llvm::BasicBlock *, 8> stack_;
  llvm::SmallVector<const llvm::Function *, 4> callees_;
};

} // namespace runner
