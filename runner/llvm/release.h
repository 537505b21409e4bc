// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where LLVM releases differ: the only #if of this folder. One small function
// for each difference, named for what it does; the code above it reads the same
// for every release.
// Threads: pure functions of their arguments.
#pragma once

#include "corpus/program/attribute.h"
#include "corpus/program/opcode.h"

#include <llvm/ADT/Any.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LazyCallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Attributes.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
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
#if LLVM_VERSION_MAJOR >= 20
#include <llvm/Analysis/LastRunTrackingAnalysis.h>
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
#include <utility>

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

inline void addAttribute(llvm::CallInst &call,
                         llvm::Attribute::AttrKind attribute) {
#if LLVM_VERSION_MAJOR >= 14
  call.addFnAttr(attribute);
#else
  call.addAttribute(llvm::AttributeList::FunctionIndex, attribute);
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

/// Before 15 the type of a pointer says what it points to. A pointer of ours is
/// an i8* there, and cast wherever it has to be another one.
inline constexpr bool hasTypedPointers = number < 15;

inline llvm::PointerType *pointerTo(llvm::Type &pointee) {
#if LLVM_VERSION_MAJOR >= 15
  return llvm::PointerType::get(pointee.getContext(), 0);
#else
  return pointee.getPointerTo();
#endif
}

inline llvm::PointerType *pointerType(llvm::LLVMContext &context) {
  return pointerTo(*llvm::Type::getInt8Ty(context));
}

/// Its code among LLVM's opcodes, or one that none has.
#if LLVM_VERSION_MAJOR >= 22
inline constexpr unsigned ptrToAddr = llvm::Instruction::PtrToAddr;
#else
inline constexpr unsigned ptrToAddr = 255;
#endif

/// llvm.lifetime.* say the size of the allocation, in front of the pointer.
inline constexpr bool lifetimesHaveSize = number < 22;

inline void setAddressFlags(llvm::GetElementPtrInst &address,
                            corpus::Flags flags) {
  using namespace corpus::flag;
#if LLVM_VERSION_MAJOR >= 19
  auto all = llvm::GEPNoWrapFlags::none();
  if (flags.has(inbounds))
    all |= llvm::GEPNoWrapFlags::inBounds();
  if (flags.has(nusw))
    all |= llvm::GEPNoWrapFlags::noUnsignedSignedWrap();
  if (flags.has(nuw))
    all |= llvm::GEPNoWrapFlags::noUnsignedWrap();
  address.setNoWrapFlags(all);
#else
  address.setIsInBounds(flags.has(inbounds));
#endif
}

/// Bytes from one element to the next: those of a vector were as far apart as
/// those of an array.
inline llvm::TypeSize strideOf(const llvm::gep_type_iterator &step,
                               const llvm::DataLayout &layout) {
#if LLVM_VERSION_MAJOR >= 18
  return step.getSequentialElementStride(layout);
#else
  return layout.getTypeAllocSize(step.getIndexedType());
#endif
}

inline corpus::Flags addressFlags(const llvm::GEPOperator &address) {
  using namespace corpus::flag;
  corpus::Flags flags = address.isInBounds() ? inbounds : none;
#if LLVM_VERSION_MAJOR >= 19
  if (!address.isInBounds() && address.hasNoUnsignedSignedWrap())
    flags = flags | nusw;
  if (address.hasNoUnsignedWrap())
    flags = flags | nuw;
#endif
  return flags;
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

/// What the attribute of a function says of the memory that it touches, as in
/// corpus::memory; nothing for other attributes. Before 16 several of them say
/// it together: all of them hold.
inline std::optional<std::uint64_t> memoryOf(llvm::Attribute attribute) {
  using namespace corpus;
  if (attribute.isStringAttribute())
    return std::nullopt;
#if LLVM_VERSION_MAJOR >= 16
  if (!attribute.hasAttribute(llvm::Attribute::Memory))
    return std::nullopt;
  const llvm::MemoryEffects effects = attribute.getMemoryEffects();
  const auto at = [&](llvm::MemoryEffects::Location location,
                      unsigned position) {
    return static_cast<std::uint64_t>(effects.getModRef(location)) << position;
  };
  using Location = llvm::MemoryEffects::Location;
#if LLVM_VERSION_MAJOR >= 21
  constexpr Location errnoVariable = Location::ErrnoMem;
#else
  constexpr Location errnoVariable = Location::Other;
#endif
  return at(Location::ArgMem, memory::argument) |
         at(Location::InaccessibleMem, memory::inaccessible) |
         at(errnoVariable, memory::errnoVariable) |
         at(Location::Other, memory::other);
#else
  constexpr std::uint64_t both = memory::read | memory::write;
  switch (attribute.getKindAsEnum()) {
  case llvm::Attribute::ReadNone:
    return 0;
  case llvm::Attribute::ReadOnly:
    return memory::readOnly;
  case llvm::Attribute::WriteOnly:
    return memory::writeOnly;
  case llvm::Attribute::ArgMemOnly:
    return both << memory::argument;
  case llvm::Attribute::InaccessibleMemOnly:
    return both << memory::inaccessible;
  case llvm::Attribute::InaccessibleMemOrArgMemOnly:
    return both << memory::argument | both << memory::inaccessible;
  default:
    return std::nullopt;
  }
#endif
}

/// Whether memoryAttributes() can say that.
inline bool hasMemoryAttributes(std::uint64_t effects) {
  using namespace corpus;
  if constexpr (number < 16)
    return effects == 0 || !oldMemoryAttributes(effects).empty();
  return number >= 21 || memory::at(effects, memory::errnoVariable) ==
                             memory::at(effects, memory::other);
}

/// Requires hasMemoryAttributes(). More than one before 16.
inline llvm::SmallVector<llvm::Attribute, 2>
memoryAttributes(llvm::LLVMContext &context, std::uint64_t effects) {
  using namespace corpus;
#if LLVM_VERSION_MAJOR >= 16
  using Location = llvm::MemoryEffects::Location;
  const auto at = [&](unsigned location) {
    return static_cast<llvm::ModRefInfo>(memory::at(effects, location));
  };
  llvm::MemoryEffects all(at(memory::other));
  all = all.getWithModRef(Location::ArgMem, at(memory::argument))
            .getWithModRef(Location::InaccessibleMem, at(memory::inaccessible));
#if LLVM_VERSION_MAJOR >= 21
  all = all.getWithModRef(Location::ErrnoMem, at(memory::errnoVariable));
#endif
  return {llvm::Attribute::getWithMemoryEffects(context, all)};
#else
  if (effects == 0)
    return {llvm::Attribute::get(context, llvm::Attribute::ReadNone)};
  llvm::SmallVector<llvm::Attribute, 2> list;
  for (const std::string_view name : oldMemoryAttributes(effects))
    list.push_back(llvm::Attribute::get(
        context, llvm::Attribute::getAttrKindFromName(
                     llvm::StringRef(name.data(), name.size()))));
  return list;
#endif
}

/// What may be captured, as the value of corpus::attribute::captures; nothing
/// for other attributes.
inline std::optional<std::pair<std::uint64_t, std::uint64_t>>
capturesOf(llvm::Attribute attribute) {
#if LLVM_VERSION_MAJOR >= 21
  if (attribute.hasAttribute(llvm::Attribute::Captures)) {
    const llvm::CaptureInfo info = attribute.getCaptureInfo();
    return std::pair(static_cast<std::uint64_t>(info.getOtherComponents()),
                     static_cast<std::uint64_t>(info.getRetComponents()));
  }
#else
  if (attribute.hasAttribute(llvm::Attribute::NoCapture))
    return std::pair(std::uint64_t(0), std::uint64_t(0));
#endif
  return (void)attribute, std::nullopt;
}

/// Whether capturesAttribute() can say that.
inline bool hasCaptures(std::uint64_t other, std::uint64_t result) {
  return number >= 21 || (other == 0 && result == 0);
}

/// Requires hasCaptures().
inline llvm::Attribute capturesAttribute(llvm::LLVMContext &context,
                                         std::uint64_t other,
                                         std::uint64_t result) {
#if LLVM_VERSION_MAJOR >= 21
  return llvm::Attribute::getWithCaptureInfo(
      context, llvm::CaptureInfo(static_cast<llvm::CaptureComponents>(other),
                                 static_cast<llvm::CaptureComponents>(result)));
#else
  (void)other, (void)result;
  return llvm::Attribute::get(context, llvm::Attribute::NoCapture);
#endif
}

/// The intervals of `initializes`; empty for other attributes.
inline llvm::ArrayRef<llvm::ConstantRange>
initializedBy(llvm::Attribute attribute) {
#if LLVM_VERSION_MAJOR >= 19
  if (attribute.hasAttribute(llvm::Attribute::Initializes))
    return attribute.getValueAsConstantRangeList();
#endif
  return (void)attribute, llvm::ArrayRef<llvm::ConstantRange>();
}

/// Requires a release that has the attribute.
inline llvm::Attribute initializesAttribute(llvm::LLVMContext &context,
                                            const llvm::ConstantRange &range) {
#if LLVM_VERSION_MAJOR >= 19
  return llvm::Attribute::get(context, llvm::Attribute::Initializes,
                              llvm::ArrayRef<llvm::ConstantRange>(range));
#else
  (void)context, (void)range;
  llvm_unreachable("lowering refuses the attribute here");
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

/// Whether the `opt` of a release takes the data layout from the triple.
constexpr bool layoutFollowsTriple(unsigned release) { return release >= 17; }

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

/// All that can be asked about aliases where no function touches memory: what
/// an intrinsic does, which its attributes say. Up to 15 as everywhere.
#if LLVM_VERSION_MAJOR >= 16
class EffectsByAttributes
    : public llvm::AnalysisInfoMixin<EffectsByAttributes> {
public:
  class Result : public llvm::AAResultBase {
  public:
    // It is of no function.
    bool invalidate(llvm::Function &, const llvm::PreservedAnalyses &,
                    llvm::FunctionAnalysisManager::Invalidator &) {
      return false;
    }
    static llvm::MemoryEffects getMemoryEffects(const llvm::CallBase *call,
                                                llvm::AAQueryInfo &) {
      return call->getMemoryEffects();
    }
    static llvm::MemoryEffects getMemoryEffects(const llvm::Function *callee) {
      return callee->getMemoryEffects();
    }
  };
  static Result run(llvm::Function &, llvm::FunctionAnalysisManager &) {
    return Result();
  }

private:
  friend llvm::AnalysisInfoMixin<EffectsByAttributes>;
  // NOLINTNEXTLINE(readability-identifier-naming): LLVM's name.
  static inline llvm::AnalysisKey Key;
};
inline void
provideAliasesWithoutMemory(llvm::PassBuilder &,
                            llvm::FunctionAnalysisManager &manager) {
  manager.registerPass([] { return EffectsByAttributes(); });
  manager.registerPass([] {
    llvm::AAManager aliases;
    aliases.registerFunctionAnalysis<EffectsByAttributes>();
    return aliases;
  });
}
#else
inline void
provideAliasesWithoutMemory(llvm::PassBuilder &builder,
                            llvm::FunctionAnalysisManager &manager) {
  manager.registerPass([&] { return builder.buildDefaultAAPipeline(); });
}
#endif

/// What LLVM found out about a function without assumptions that stays as true
/// when its body is another one and the tree of dominators is filled anew.
inline llvm::PreservedAnalyses ofEveryBody() {
  llvm::PreservedAnalyses kept;
  kept.preserve<llvm::AAManager>();
  kept.preserve<llvm::AssumptionAnalysis>();
  kept.preserve<llvm::DominatorTreeAnalysis>();
  kept.preserve<llvm::OptimizationRemarkEmitterAnalysis>();
  kept.preserve<llvm::TargetIRAnalysis>();
  kept.preserve<llvm::TargetLibraryAnalysis>();
#if LLVM_VERSION_MAJOR >= 20
  // It is kept unless somebody says otherwise.
  kept.abandon<llvm::LastRunTrackingAnalysis>();
#endif
  return kept;
}

/// Which passes changed nothing when they ran last, to be skipped.
#if LLVM_VERSION_MAJOR >= 20
inline bool isLastRun(llvm::StringRef analysis) {
  return analysis == llvm::LastRunTrackingAnalysis::name();
}
inline void forgetLastRun(llvm::FunctionAnalysisManager &manager,
                          llvm::Function &function) {
  using Analysis = llvm::LastRunTrackingAnalysis;
  if (auto *last = manager.getCachedResult<Analysis>(function))
    *last = Analysis::Result();
}
#else
inline bool isLastRun(llvm::StringRef) { return false; }
inline void forgetLastRun(llvm::FunctionAnalysisManager &, llvm::Function &) {}
#endif

} // namespace runner::release
