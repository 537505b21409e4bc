// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where LLVM releases differ: the only #if of this folder. One small function
// for each difference, named for what it does; the code above it reads the same
// for every release.
// Threads: pure functions of their arguments.
#pragma once

#include "corpus/program/attribute.h"
#include "corpus/program/opcode.h"

#include <llvm/ADT/Any.h>
#include <llvm/Analysis/LazyCallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Attributes.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#if LLVM_VERSION_MAJOR >= 14
#include <llvm/MC/TargetRegistry.h>
#else
#include <llvm/Support/TargetRegistry.h>
#endif
#if LLVM_VERSION_MAJOR >= 16
#include <llvm/Support/ModRef.h>
#include <llvm/TargetParser/Triple.h>
#else
#include <llvm/ADT/Triple.h>
#endif

#include <memory>
#include <optional>
#include <string>

namespace runner::release {

inline constexpr unsigned number = LLVM_VERSION_MAJOR;

/// Whether -opt-bisect-limit counts that class although it only runs others:
/// 19 does not, 22 does.
inline bool countsInliner(llvm::StringRef className) {
  return number >= 20 && className == "ModuleInlinerWrapperPass";
}

inline void append(llvm::BasicBlock &block, llvm::Instruction *instruction) {
#if LLVM_VERSION_MAJOR >= 16
  instruction->insertInto(&block, block.end());
#else
  block.getInstList().push_back(instruction);
#endif
}

inline llvm::Intrinsic::ID intrinsicNamed(llvm::StringRef name) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::Intrinsic::lookupIntrinsicID(name);
#else
  return llvm::Function::lookupIntrinsicID(name);
#endif
}

inline llvm::Function *declare(llvm::Module &module, llvm::Intrinsic::ID id,
                               llvm::ArrayRef<llvm::Type *> types) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::Intrinsic::getOrInsertDeclaration(&module, id, types);
#else
  return llvm::Intrinsic::getDeclaration(&module, id, types);
#endif
}

/// Flags that came after LLVM 13: disjoint and nneg with 18, those of trunc
/// with 19, samesign with 20. Requires an instruction that can carry `flags`.
inline void setYoungFlags(llvm::Instruction &instruction, corpus::Flags flags) {
#if LLVM_VERSION_MAJOR >= 18
  if (auto *disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction))
    disjoint->setIsDisjoint(flags.has(corpus::flag::disjoint));
  else if (llvm::isa<llvm::ZExtInst>(instruction))
    instruction.setNonNeg(flags.has(corpus::flag::nneg));
#endif
#if LLVM_VERSION_MAJOR >= 19
  else if (llvm::isa<llvm::TruncInst>(instruction)) {
    instruction.setHasNoUnsignedWrap(flags.has(corpus::flag::nuw));
    instruction.setHasNoSignedWrap(flags.has(corpus::flag::nsw));
  }
#endif
#if LLVM_VERSION_MAJOR >= 20
  else if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
    compare->setSameSign(flags.has(corpus::flag::samesign));
#endif
  (void)instruction, (void)flags;
}

inline bool isDisjoint(const llvm::Instruction &instruction) {
#if LLVM_VERSION_MAJOR >= 18
  return llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint();
#else
  return (void)instruction, false;
#endif
}

inline bool isNonNegative(const llvm::Instruction &zext) {
#if LLVM_VERSION_MAJOR >= 18
  return zext.hasNonNeg();
#else
  return (void)zext, false;
#endif
}

inline bool isSameSign(const llvm::ICmpInst &compare) {
#if LLVM_VERSION_MAJOR >= 20
  return compare.hasSameSign();
#else
  return (void)compare, false;
#endif
}

inline corpus::Flags truncFlags(const llvm::Instruction &trunc) {
  corpus::Flags flags;
#if LLVM_VERSION_MAJOR >= 19
  if (trunc.hasNoUnsignedWrap())
    flags = flags | corpus::flag::nuw;
  if (trunc.hasNoSignedWrap())
    flags = flags | corpus::flag::nsw;
#endif
  return (void)trunc, flags;
}

/// Pointers without the type of what they point to are all there is since 15.
inline constexpr unsigned pointersSince = 15;

/// Requires release number >= pointersSince.
inline llvm::Type *pointerType(llvm::LLVMContext &context) {
#if LLVM_VERSION_MAJOR >= 15
  return llvm::PointerType::get(context, 0);
#else
  (void)context;
  llvm_unreachable("lowering refuses pointers here");
#endif
}

inline std::optional<llvm::ConstantRange> rangeOf(llvm::Attribute attribute) {
#if LLVM_VERSION_MAJOR >= 19
  if (attribute.hasAttribute(llvm::Attribute::Range))
    return attribute.getValueAsConstantRange();
#endif
  return (void)attribute, std::nullopt;
}

/// Requires a release that has the attribute `range`.
inline llvm::Attribute rangeAttribute(llvm::LLVMContext &context,
                                      const llvm::ConstantRange &range) {
#if LLVM_VERSION_MAJOR >= 19
  return llvm::Attribute::get(context, llvm::Attribute::Range, range);
#else
  (void)context, (void)range;
  llvm_unreachable("lowering refuses range attributes here");
#endif
}

/// What a memory attribute says, projected on programs without pointers.
enum class Memory { notAboutMemory, none, read, other };

inline Memory memoryOf(llvm::Attribute attribute) {
  if (attribute.isStringAttribute())
    return Memory::notAboutMemory;
#if LLVM_VERSION_MAJOR >= 16
  if (!attribute.hasAttribute(llvm::Attribute::Memory))
    return Memory::notAboutMemory;
  const llvm::MemoryEffects effects = attribute.getMemoryEffects();
  if (effects.doesNotAccessMemory())
    return Memory::none;
  return effects == llvm::MemoryEffects::readOnly() ? Memory::read
                                                    : Memory::other;
#else
  switch (attribute.getKindAsEnum()) {
  case llvm::Attribute::ReadNone:
    return Memory::none;
  case llvm::Attribute::ReadOnly:
    return Memory::read;
  case llvm::Attribute::WriteOnly:
  case llvm::Attribute::ArgMemOnly:
  case llvm::Attribute::InaccessibleMemOnly:
  case llvm::Attribute::InaccessibleMemOrArgMemOnly:
    return Memory::other;
  default:
    return Memory::notAboutMemory;
  }
#endif
}

/// Requires Memory::none or Memory::read.
inline llvm::Attribute memoryAttribute(llvm::LLVMContext &context,
                                       Memory memory) {
  const bool none = memory == Memory::none;
#if LLVM_VERSION_MAJOR >= 16
  return llvm::Attribute::getWithMemoryEffects(
      context,
      none ? llvm::MemoryEffects::none() : llvm::MemoryEffects::readOnly());
#else
  return llvm::Attribute::get(context, none ? llvm::Attribute::ReadNone
                                            : llvm::Attribute::ReadOnly);
#endif
}

/// Pointer to the T inside what a pass callback calls its IR unit, or null.
template <typename T> const T *unitAs(const llvm::Any &unit) {
#if LLVM_VERSION_MAJOR >= 16
  const auto *pointer = llvm::any_cast<const T *>(&unit);
  return pointer ? *pointer : nullptr;
#else
  return llvm::any_isa<const T *>(unit) ? llvm::any_cast<const T *>(unit)
                                        : nullptr;
#endif
}

/// The function that a pass callback's IR unit belongs to; null for a module
/// and for a component of several functions.
inline const llvm::Function *functionOf(const llvm::Any &unit) {
  if (const auto *function = unitAs<llvm::Function>(unit))
    return function;
  if (const auto *loop = unitAs<llvm::Loop>(unit))
    return loop->getHeader()->getParent();
  if (const auto *component = unitAs<llvm::LazyCallGraph::SCC>(unit))
    return component->size() == 1 ? &component->begin()->getFunction()
                                  : nullptr;
  return nullptr;
}

/// Every pass of `manager` by name; empty before 14, which cannot print it.
template <typename PassManager>
std::string expand(PassManager &manager,
                   llvm::PassInstrumentationCallbacks &callbacks) {
  std::string text;
#if LLVM_VERSION_MAJOR >= 14
  llvm::raw_string_ostream stream(text);
  manager.printPipeline(stream, [&](llvm::StringRef className) {
    const llvm::StringRef name = callbacks.getPassNameForClassName(className);
    return name.empty() ? className : name;
  });
  stream.flush();
#else
  (void)manager, (void)callbacks;
#endif
  return text;
}

/// An option that has PassBuilder keep the names of passes beside their
/// classes, which it otherwise does only for those who print them. Since 17 it
/// always does.
inline constexpr const char *keepPassNames = number >= 17 ? nullptr
                                             : number >= 14
                                                 ? "-print-pipeline-passes"
                                                 : "-print-before=-";

/// Makes report_fatal_error call `handler` with its message.
template <void (*handler)(llvm::StringRef)> void installFatalErrorHandler() {
#if LLVM_VERSION_MAJOR >= 14
  llvm::install_fatal_error_handler(
      [](void *, const char *message, bool) { handler(message); });
#else
  llvm::install_fatal_error_handler(
      [](void *, const std::string &message, bool) { handler(message); });
#endif
}

inline void setTriple(llvm::Module &module, const std::string &triple) {
#if LLVM_VERSION_MAJOR >= 21
  module.setTargetTriple(llvm::Triple(triple));
#else
  module.setTargetTriple(triple);
#endif
}

/// `opt` takes the data layout from the triple since 17.
inline constexpr bool layoutFollowsTriple = number >= 17;

/// As `opt -mtriple` makes it. Null, with `error`, for an unknown triple.
inline std::unique_ptr<llvm::TargetMachine>
makeTargetMachine(const std::string &triple, std::string &error) {
#if LLVM_VERSION_MAJOR >= 21
  const llvm::Triple target(triple);
#else
  const std::string &target = triple;
#endif
  const llvm::Target *found = llvm::TargetRegistry::lookupTarget(target, error);
  if (!found)
    return nullptr;
#if LLVM_VERSION_MAJOR >= 18
  constexpr auto level = llvm::CodeGenOptLevel::None;
#else
  constexpr auto level = llvm::CodeGenOpt::None;
#endif
  return std::unique_ptr<llvm::TargetMachine>(found->createTargetMachine(
      target, "", "", llvm::TargetOptions(), {}, {}, level));
}

} // namespace runner::release
