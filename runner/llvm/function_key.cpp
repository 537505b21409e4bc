// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/function_key.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace runner {
namespace {

/// Marks that no pointer and no small number equals.
enum Mark : std::uint64_t { isNumbered = 1, isGlobal = 3, isConstant = 5 };

} // namespace

void FunctionKey::number(const llvm::Function &function) {
  numbers_.clear();
  for (const llvm::Argument &argument : function.args())
    numbers_.add(argument);
  for (const llvm::BasicBlock &block : function) {
    numbers_.add(block);
    for (const llvm::Instruction &instruction : block)
      numbers_.add(instruction);
  }
  numbers_.index();
}

/// In the order of the list. One use has no order.
void FunctionKey::addUses(const llvm::Value &value) {
  if (!value.hasNUsesOrMore(2))
    return;
  for (const llvm::Use &use : value.uses()) {
    const auto user = numbers_.numberOf(*use.getUser());
    // A block's address in a constant, for one.
    add(user ? std::uint64_t(*user) << 32 | use.getOperandNo()
             : ~std::uint64_t(0));
  }
}

bool FunctionKey::addOperand(const llvm::Value &value) {
  if (llvm::isa<llvm::ConstantData>(value)) { // unique in its context
    add(isConstant);
    addPointer(&value);
    return true;
  }
  if (const auto number = numbers_.numberOf(value)) {
    add(isNumbered | std::uint64_t(*number) << 8);
    return true;
  }
  if (const auto *callee = llvm::dyn_cast<llvm::Function>(&value);
      callee != nullptr && callee->isDeclaration()) {
    // Another module has another declaration of that name.
    add(isGlobal);
    add(XXH3_64bits(callee->getName().data(), callee->getName().size()));
    addPointer(callee->getFunctionType());
    addPointer(callee->getAttributes().getRawPointer());
    return true;
  }
  // Vectors and other aggregates of data are unique as well.
  if (llvm::isa<llvm::ConstantAggregate>(value)) {
    for (const llvm::Use &element :
         llvm::cast<llvm::ConstantAggregate>(value).operands())
      if (!llvm::isa<llvm::ConstantData>(element.get()))
        return false;
    add(isConstant);
    addPointer(&value);
    return true;
  }
  return false;
}

bool FunctionKey::addInstruction(const llvm::Instruction &instruction) {
  if (instruction.hasMetadata())
    return false;
  add(std::uint64_t(instruction.getOpcode()) |
      std::uint64_t(instruction.getRawSubclassOptionalData()) << 16 |
      std::uint64_t(instruction.getNumOperands()) << 32);
  addPointer(instruction.getType());
  if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    if (call->hasOperandBundles() || call->isInlineAsm())
      return false;
    add(std::uint64_t(call->getTailCallKind()) |
        std::uint64_t(call->getCallingConv()) << 8);
    addPointer(call->getAttributes().getRawPointer());
    addPointer(call->getFunctionType());
  } else if (const auto *compare =
                 llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
    add(compare->getPredicate());
  } else if (const auto *alloca =
                 llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    addPointer(alloca->getAllocatedType());
    add(alloca->getAlign().value() << 2 |
        (alloca->isUsedWithInAlloca() ? 1 : 0) |
        (alloca->isSwiftError() ? 2 : 0));
  } else if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (!load->isSimple())
      return false;
    add(load->getAlign().value());
  } else if (const auto *store =
                 llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (!store->isSimple())
      return false;
    add(store->getAlign().value());
  } else if (const auto *address =
                 llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    addPointer(address->getSourceElementType());
  } else if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    for (const llvm::BasicBlock *block : phi->blocks())
      add(numbers_.numberOf(*block).value_or(0));
  } else if (const auto *extract =
                 llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    for (const unsigned index : extract->indices())
      add(index);
  } else if (const auto *insert =
                 llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    for (const unsigned index : insert->indices())
      add(index);
  } else if (const auto *shuffle =
                 llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    for (const int lane : shuffle->getShuffleMask())
      add(static_cast<std::uint32_t>(lane));
  } else if (const auto *choice =
                 llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
    for (const auto &item : choice->cases()) {
      addPointer(item.getCaseValue());
      add(numbers_.numberOf(*item.getCaseSuccessor()).value_or(0));
    }
  } else if (!instruction.isBinaryOp() && !instruction.isCast() &&
             !llvm::isa<llvm::SelectInst, llvm::FreezeInst, llvm::ReturnInst,
                        llvm::UnreachableInst, llvm::BranchInst,
                        llvm::ExtractElementInst, llvm::InsertElementInst>(
                 instruction)) {
    return false;
  }
  for (const llvm::Use &operand : instruction.operands())
    if (!addOperand(*operand.get()))
      return false;
  return true;
}

std::optional<FunctionKey::Value>
FunctionKey::of(const llvm::Function &function) {
  if (function.hasMetadata() || function.hasPersonalityFn() ||
      function.hasPrefixData() || function.hasPrologueData() ||
      function.hasGC() || function.hasComdat() ||
      !function.hasExternalLinkage())
    return std::nullopt;
  words_.clear();
  number(function);
  addPointer(function.getFunctionType());
  addPointer(function.getAttributes().getRawPointer());
  add(function.getCallingConv());
  for (const llvm::Argument &argument : function.args())
    addUses(argument);
  for (const llvm::BasicBlock &block : function) {
    add(block.size());
    addUses(block);
    for (const llvm::Instruction &instruction : block) {
      if (!addInstruction(instruction))
        return std::nullopt;
      addUses(instruction);
    }
  }
  const XXH128_hash_t hash =
      XXH3_128bits(words_.data(), words_.size() * sizeof(std::uint64_t));
  return Value(hash.low64, hash.high64);
}

} // namespace runner
