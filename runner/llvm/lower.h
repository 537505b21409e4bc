// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Program -> llvm::Function, without text. What this release lacks is refused
// by name, never dropped.
// Threads: a Lowerer belongs to the thread of its LLVMContext.
#pragma once

#include "corpus/program/program.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>

#include <array>
#include <optional>
#include <string>

namespace runner {

/// What this LLVM release cannot express of `program` ("LLVM 14 has no
/// `samesign` on icmp"), or nothing.
std::optional<std::string> lackOf(const corpus::Program &program);

/// Adds functions to one module at a time.
class Lowerer {
public:
  explicit Lowerer(llvm::LLVMContext &context);

  /// The functions that follow go into `module`, which must outlive them.
  void start(llvm::Module &module);
  /// Whether a callee of `program` means something else in the module already:
  /// another signature, or a function with a body. Such programs cannot share a
  /// module.
  bool conflicts(const corpus::Program &program) const;
  /// Requires that verify() accepts the program, that lackOf() finds nothing,
  /// and that conflicts() is false. The function is external and uncalled.
  llvm::Function &lower(const corpus::Program &program,
                        const llvm::Twine &name);
  /// The same into a function that has one block, empty, and the type of
  /// typeOf(program). Requires that the program has no variables and callees.
  void lowerInto(llvm::Function &function, const corpus::Program &program);
  llvm::FunctionType *typeOf(const corpus::Program &program) {
    return functionType(program.signature);
  }

private:
  llvm::Type *type(corpus::Type type);
  llvm::Type *allocated(corpus::Type type, std::uint64_t count);
  llvm::Constant *contents(const corpus::Global &global);
  void addGlobal(const corpus::Global &global);
  bool isSame(const llvm::GlobalValue &known, const corpus::Global &global);
  llvm::FunctionType *functionType(const corpus::Signature &signature);
  llvm::AttributeList attributes(const corpus::Signature &signature);
  llvm::Value *value(const corpus::Operand &operand);
  llvm::ConstantInt *integer(corpus::Type type, std::uint64_t bits);
  /// Takes as many literals from the front as the type has lanes.
  llvm::Constant *constant(corpus::Type type,
                           std::span<const corpus::Operand> &lanes);
  llvm::BasicBlock *block(const corpus::Operand &operand);
  llvm::Function *callee(const corpus::Program &program,
                         const corpus::Instruction &instruction);
  void lowerBody();
  void lowerBlock(std::size_t index);
  llvm::Instruction *lowerInstruction(const corpus::Instruction &instruction);
  /// `pointer`, in the block being lowered cast to point to that if pointers
  /// have types.
  llvm::Value *pointerTo(llvm::Value *pointer, llvm::Type *pointee);
  llvm::Instruction *lowerAddress(const corpus::Instruction &instruction);
  /// In bytes. Requires an allocation's result.
  llvm::Value *sizeOf(const corpus::Operand &allocation);
  /// Of a call site, for the operands from `first` on. `hasSize`: the call has
  /// one more argument, in front.
  void lowerAttributes(const corpus::Instruction &instruction,
                       std::size_t first, bool hasSize, llvm::CallInst &call);
  llvm::Instruction *lowerCall(const corpus::Instruction &instruction);
  llvm::Instruction *lowerTerminator(const corpus::Instruction &instruction);
  void lowerPhiOperands();

  llvm::LLVMContext &context_;
  llvm::Module *module_ = nullptr;
  template <typename T>
  using ByWidth = std::array<T, corpus::Type::maximumWidth + 1>;
  ByWidth<llvm::IntegerType *> integers_{};
  /// 0, 1, 2, 3: most constants are, and LLVM's table takes its time.
  ByWidth<std::array<llvm::ConstantInt *, 4>> numbers_{};
  /// By opcode, T and the other type of the name.
  llvm::DenseMap<std::pair<unsigned, std::pair<unsigned, unsigned>>,
                 llvm::Function *>
      intrinsics_;

  // Of the function being lowered.
  const corpus::Program *program_ = nullptr;
  llvm::Function *function_ = nullptr;
  llvm::BasicBlock *block_ = nullptr;
  llvm::SmallVector<llvm::BasicBlock *, 8> blocks_;
  llvm::SmallVector<llvm::Value *, 16> values_; ///< by instruction
};

} // namespace runner
