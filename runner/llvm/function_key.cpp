// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/function_key.h"

#include <llvm/IR/Constants.h>

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
  const auto numberOf = [&](const llvm::BasicBlock &block) {
    return numbers_.numberOf(block).value_or(0);
  };
  if (!runner::addInstruction(words_, instruction, numberOf))
    return false;
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
