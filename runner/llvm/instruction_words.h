// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an LLVM instruction has beside its operands, as words: opcode, flags,
// type, attributes, and what else each class of instructions keeps. Two with
// equal words and equal operands do the same. An instruction without a line
// here, or with metadata, has no words.
// Threads: as the context's.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace runner {

using Words = llvm::SmallVector<std::uint64_t, 256>;

inline void addPointer(Words &words, const void *pointer) {
  words.push_back(reinterpret_cast<std::uintptr_t>(pointer));
}

/// False where it has none; then `words` means nothing. `wordOf`: of a block.
template <typename WordOf>
bool addInstruction(Words &words, const llvm::Instruction &instruction,
                    const WordOf &wordOf) {
  if (instruction.hasMetadata())
    return false;
  words.push_back(std::uint64_t(instruction.getOpcode()) |
                  std::uint64_t(instruction.getRawSubclassOptionalData())
                      << 16 |
                  std::uint64_t(instruction.getNumOperands()) << 32);
  addPointer(words, instruction.getType());
  if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    if (call->hasOperandBundles() || call->isInlineAsm())
      return false;
    words.push_back(std::uint64_t(call->getTailCallKind()) |
                    std::uint64_t(call->getCallingConv()) << 8);
    addPointer(words, call->getAttributes().getRawPointer());
    addPointer(words, call->getFunctionType());
  } else if (const auto *compare =
                 llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
    words.push_back(compare->getPredicate());
  } else if (const auto *alloca =
                 llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    addPointer(words, alloca->getAllocatedType());
    words.push_back(alloca->getAlign().value() << 2 |
                    (alloca->isUsedWithInAlloca() ? 1 : 0) |
                    (alloca->isSwiftError() ? 2 : 0));
  } else if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (!load->isSimple())
      return false;
    words.push_back(load->getAlign().value());
  } else if (const auto *store =
                 llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (!store->isSimple())
      return false;
    words.push_back(store->getAlign().value());
  } else if (const auto *address =
                 llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    addPointer(words, address->getSourceElementType());
  } else if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    for (const llvm::BasicBlock *block : phi->blocks())
      words.push_back(wordOf(*block));
  } else if (const auto *extract =
                 llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    for (const unsigned index : extract->indices())
      words.push_back(index);
  } else if (const auto *insert =
                 llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    for (const unsigned index : insert->indices())
      words.push_back(index);
  } else if (const auto *shuffle =
                 llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    for (const int lane : shuffle->getShuffleMask())
      words.push_back(static_cast<std::uint32_t>(lane));
  } else if (const auto *choice =
                 llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
    for (const auto &item : choice->cases()) {
      addPointer(words, item.getCaseValue());
      words.push_back(wordOf(*item.getCaseSuccessor()));
    }
  } else if (!instruction.isBinaryOp() && !instruction.isCast() &&
             !llvm::isa<llvm::SelectInst, llvm::FreezeInst, llvm::ReturnInst,
                        llvm::UnreachableInst, llvm::BranchInst,
                        llvm::ExtractElementInst, llvm::InsertElementInst>(
                 instruction)) {
    return false;
  }
  return true;
}

} // namespace runner
