// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// llvm::Function -> Program, without text, or a reason that names what a
// Program cannot hold. Runs once for every function of a campaign.
//
// Blocks keep their order, unreachable ones and the phi entries from them are
// dropped. Casts from pointer to pointer are the pointer that is cast; constant
// expressions become instructions in front of all others; every getelementptr
// counts in bytes (program.h). Each call with attributes gets a CallAttributes
// of its own; callees are listed in order of first call. Hence lift(lower(p))
// == p for a program in that form. Threads: a Lifter belongs to one thread.
#pragma once

#include "corpus/program/library.h"
#include "corpus/program/program.h"
#include "corpus/program/reader.h"
#include "corpus/program/target.h"
#include "runner/llvm/attributes.h"
#include "runner/llvm/value_numbers.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace runner {

/// A part of a constant structure or array, with its offset in bytes.
struct StoredPart {
  const llvm::Constant *value;
  std::uint64_t offset;
};

class Lifter {
public:
  explicit Lifter(corpus::Reading reading = corpus::Reading::exactly)
      : reading_(reading) {}

  /// Overwrites `program`, keeping its capacity. With a reason, `program` is
  /// unspecified. A function that LLVM's verifier rejects may come out as a
  /// program that corpus::verify() rejects.
  std::optional<std::string> lift(const llvm::Function &function,
                                  corpus::Program &program);

  /// Of the last function that was lifted.
  const std::vector<std::string> &leftOut() const { return leftOut_; }

private:
  /// Whether that can stay out, and notes it.
  bool leaveOut(std::string what);
  bool isLeftOut(const llvm::Instruction &instruction);
  // Each returns false after setting reason_.
  bool fail(std::string reason);
  bool liftSignature(const llvm::Function &function,
                     corpus::Signature &signature, bool ofLibrary = false);
  bool liftType(const llvm::Type &type, corpus::Type &out);
  /// `ofLibrary`: of a function that LLVM knows by its name, so that attributes
  /// about allocations, and `returned`, say nothing new.
  bool liftAttributes(llvm::AttributeSet set, Place place,
                      corpus::Attributes &out, bool ofLibrary = false);
  bool liftAggregate(const llvm::Type &type, corpus::Type &out);
  bool checkPromises();
  std::size_t lengthOf(const llvm::Instruction &instruction);
  bool liftOrExpand(const llvm::Instruction &instruction);
  bool liftParts(const llvm::StoreInst &store,
                 const std::vector<StoredPart> &parts);
  bool liftMetadataOf(const llvm::Instruction &instruction,
                      corpus::Attributes &result);
  std::optional<corpus::Operand> operandOf(const llvm::Value &value);
  bool liftInstruction(const llvm::Instruction &instruction);
  bool liftOperands(const llvm::Instruction &instruction);
  bool liftCall(const llvm::CallBase &call, corpus::Instruction &out);
  bool liftCallee(const llvm::CallBase &call, corpus::Instruction &out);
  bool hasTypes(const llvm::Function &function,
                const corpus::TargetIntrinsic &intrinsic);
  bool liftExpressions();
  bool liftAlignment(llvm::Align alignment, std::uint32_t &out);
  bool liftAllocation(const llvm::AllocaInst &instruction,
                      corpus::Instruction &out);
  /// `count` values of `type` as `elements` of a scalar. `what`: for reasons.
  bool liftAllocated(llvm::Type &type, std::uint64_t count,
                     std::string_view what, corpus::Type &element,
                     std::uint64_t &elements);
  bool liftAddress(const llvm::GetElementPtrInst &instruction);
  bool liftGlobal(const llvm::GlobalVariable &variable);
  bool liftUse(const llvm::GlobalObject &object);
  bool liftAddressOf(const llvm::Function &function);
  bool checkNames();
  bool checkLifetime(const llvm::CallBase &call);
  bool hasAllocation() const;
  /// Name and types alone.
  bool liftTypes(const llvm::Function &function, corpus::Callee &callee);
  bool liftLibraryFunction(const llvm::CallBase &call,
                           const llvm::Function &function,
                           const corpus::LibraryFunction &known,
                           corpus::Callee callee, corpus::Instruction &out);
  bool liftVariadic(const llvm::CallBase &call, const llvm::Function &function,
                    corpus::Instruction &out);
  bool liftIndirect(const llvm::CallBase &call, corpus::Instruction &out);
  std::uint32_t addCallee(corpus::Callee callee);
  bool liftPhi(const llvm::Instruction &instruction);
  bool liftSwitch(const llvm::Instruction &instruction);
  bool liftValue(const llvm::Value &value);
  /// Appends one literal for each lane of a constant of that type.
  bool liftLanes(const llvm::Constant &constant, corpus::Type type,
                 std::vector<corpus::Operand> &lanes);
  bool liftMask(const llvm::ShuffleVectorInst &shuffle);
  void liftBlock(const llvm::BasicBlock &block);

  bool isReachable(const llvm::BasicBlock &block) const {
    return blocks_.empty() || blocks_.count(&block) != 0;
  }
  void number(const llvm::Function &function, bool hasExpressions);
  void numberExpressions(const llvm::Function &function);

  corpus::Reading reading_;
  std::vector<std::string> leftOut_;
  corpus::Program *program_ = nullptr;
  std::string reason_;
  llvm::DataLayout usualLayout_{""};
  const llvm::DataLayout *layout_ = nullptr;
  /// Somewhere in the function. Else promises about memory are dropped.
  bool hasPointers_ = false;
  /// The parameter that the definition promises to return; checkPromises() sees
  /// whether that is plainly true.
  std::optional<std::size_t> returned_;
  ValueNumbers numbers_;
  /// Reachable blocks; empty for a function of one block.
  llvm::DenseMap<const llvm::BasicBlock *, std::uint32_t> blocks_;
  llvm::SmallVector<const llvm::BasicBlock *, 8> stack_;
  llvm::SmallVector<const llvm::Function *, 4> callees_;
  llvm::SmallVector<const llvm::GlobalObject *, 4> globals_;
};

} // namespace runner
