// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/lift.h"

#include "runner/llvm/attributes.h"
#include "runner/llvm/instruction_map.h"
#include "runner/llvm/release.h"

#include "corpus/program/library.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace runner {
namespace {

using corpus::Opcode;
using corpus::Operand;
using corpus::Shape;

std::string text(const llvm::Type &type) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  type.print(stream);
  stream.flush();
  return out;
}

/// LLVM knows what it does by its name and type; here a call is a call.
bool isLibraryFunction(const llvm::Function &function) {
  static const llvm::TargetLibraryInfoImpl library{llvm::Triple()};
  llvm::LibFunc known;
  return library.getLibFunc(function, known);
}

/// To LLVM too such a call is a call.
bool isNotBuiltIn(const llvm::CallBase &call) {
  return call.isNoBuiltin() ||
         call.getFunction()->hasFnAttribute("no-builtins");
}

/// From a pointer to a pointer, which are all one type of ours.
bool isPointerCast(const llvm::Value &value) {
  const auto *cast = llvm::dyn_cast<llvm::Operator>(&value);
  return cast != nullptr &&
         (cast->getOpcode() == llvm::Instruction::BitCast ||
          cast->getOpcode() == llvm::Instruction::AddrSpaceCast) &&
         cast->getType()->isPointerTy() &&
         cast->getOperand(0)->getType()->isPointerTy();
}

const llvm::Value &withoutCasts(const llvm::Value &value) {
  const llvm::Value *inner = &value;
  while (isPointerCast(*inner))
    inner = llvm::cast<llvm::Operator>(inner)->getOperand(0);
  return *inner;
}

/// Computed from constants, in front of all instructions.
bool isExpression(const llvm::Value &value) {
  return llvm::isa<llvm::ConstantExpr>(value) && !isPointerCast(value);
}

/// What its values and operands are, somewhere in a function.
struct Mentions {
  bool pointers = false; ///< a callee is none
  bool otherAddressSpaces = false;
  bool expressions = false;
};

void mention(const llvm::Value &value, bool isCallee, Mentions &seen) {
  const llvm::Type *type = value.getType();
  if (type->isPtrOrPtrVectorTy()) {
    seen.pointers = seen.pointers || !isCallee;
    seen.otherAddressSpaces =
        seen.otherAddressSpaces || type->getPointerAddressSpace() != 0;
  }
  const auto *constant = llvm::dyn_cast<llvm::ConstantExpr>(&value);
  if (constant == nullptr)
    return;
  seen.expressions = true;
  seen.pointers = seen.pointers || !isCallee;
  for (const llvm::Use &operand : constant->operands())
    mention(*operand, isCallee, seen);
}

Mentions mentionsOf(const llvm::Function &function) {
  Mentions seen;
  for (const llvm::Argument &argument : function.args())
    mention(argument, false, seen);
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block) {
      mention(instruction, false, seen);
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const unsigned values =
          call != nullptr ? call->arg_size() : instruction.getNumOperands();
      for (unsigned i = 0; i < instruction.getNumOperands(); ++i)
        mention(*instruction.getOperand(i), i >= values, seen);
    }
  return seen;
}

/// Of `count` values of the type, in bytes; nothing if that is too much. LLVM
/// counts modulo 2^64.
std::optional<std::uint64_t> sizeOf(llvm::Type &type, std::uint64_t count,
                                    const llvm::DataLayout &layout) {
  std::uint64_t one = 0;
  if (const auto *array = llvm::dyn_cast<llvm::ArrayType>(&type)) {
    const auto size =
        sizeOf(*array->getElementType(), array->getNumElements(), layout);
    if (!size)
      return std::nullopt;
    one = *size;
  } else {
    if (const auto *structure = llvm::dyn_cast<llvm::StructType>(&type))
      for (llvm::Type *element : structure->elements())
        if (!sizeOf(*element, 1, layout))
          return std::nullopt;
    one = layout.getTypeAllocSize(&type);
  }
  if (one != 0 && count >= corpus::maximumAllocation / one)
    return std::nullopt;
  return count * one;
}

/// That many scalars or vectors of one type, one behind the other.
struct Allocated {
  llvm::Type *type = nullptr;
  std::uint64_t count = 1;
};
/// Arrays by their elements, structures by their bytes.
Allocated allocatedBy(llvm::Type &type, const llvm::DataLayout &layout) {
  Allocated result = {&type};
  while (const auto *array = llvm::dyn_cast<llvm::ArrayType>(result.type))
    result = {array->getElementType(), result.count * array->getNumElements()};
  if (result.type->isStructTy()) {
    result.count *= layout.getTypeAllocSize(result.type);
    result.type = llvm::Type::getInt8Ty(type.getContext());
  }
  return result;
}

/// Appends the bytes of a constant in memory, or says false.
bool appendBytes(const llvm::Constant &constant, const llvm::DataLayout &layout,
                 std::vector<std::uint8_t> &bytes) {
  const std::size_t end =
      bytes.size() + layout.getTypeAllocSize(constant.getType());
  if (constant.isNullValue() && !constant.getType()->isPtrOrPtrVectorTy()) {
    bytes.resize(end, 0);
    return true;
  }
  if (const auto *integer = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
    const unsigned width = integer->getBitWidth();
    if (width % 8 != 0)
      return false;
    for (unsigned i = 0; i < width / 8; ++i) {
      const unsigned at = layout.isBigEndian() ? width / 8 - 1 - i : i;
      bytes.push_back(static_cast<std::uint8_t>(
          integer->getValue().extractBitsAsZExtValue(8, 8 * at)));
    }
    // Padding has any value.
    return bytes.size() == end;
  }
  if (!constant.getType()->isArrayTy())
    return false;
  for (unsigned i = 0; i < constant.getType()->getArrayNumElements(); ++i) {
    const llvm::Constant *element = constant.getAggregateElement(i);
    if (element == nullptr || !appendBytes(*element, layout, bytes))
      return false;
  }
  return bytes.size() == end;
}

/// Calls without any effect on a function's meaning, and casts that are none.
bool isIgnored(const llvm::Instruction &instruction) {
  if (isPointerCast(instruction))
    return true;
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!intrinsic)
    return false;
  switch (intrinsic->getIntrinsicID()) {
  case llvm::Intrinsic::dbg_declare:
  case llvm::Intrinsic::dbg_label:
  case llvm::Intrinsic::dbg_value:
  case llvm::Intrinsic::donothing:
  case llvm::Intrinsic::experimental_noalias_scope_decl:
  case llvm::Intrinsic::pseudoprobe:
    return true;
  case llvm::Intrinsic::lifetime_start:
  case llvm::Intrinsic::lifetime_end:
    return llvm::isa<llvm::UndefValue>(
        intrinsic->getArgOperand(release::lifetimesHaveSize ? 1 : 0));
  default:
    return false;
  }
}

/// A call that several instructions mean the same as, where nobody runs them.
struct Expansion {
  enum class Kind : std::uint8_t { none, findFirstSet, bundles };
  Kind kind = Kind::none;
  std::size_t length = 1; ///< instructions
};

bool isNullTest(const llvm::OperandBundleUse &bundle) {
  return bundle.getTagName() == "nonnull" && bundle.Inputs.size() == 1;
}

/// The alignment that an assumption is about, where it is a power of two.
std::optional<std::uint64_t> alignmentOf(const llvm::OperandBundleUse &bundle) {
  if (bundle.getTagName() != "align" || bundle.Inputs.size() != 2)
    return std::nullopt;
  const auto *number = llvm::dyn_cast<llvm::ConstantInt>(bundle.Inputs[1]);
  return number != nullptr && number->getValue().isPowerOf2()
             ? std::optional(number->getZExtValue())
             : std::nullopt;
}

Expansion expansionOf(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *function =
      call == nullptr ? nullptr : call->getCalledFunction();
  if (function == nullptr || !function->isDeclaration())
    return {};
  const llvm::StringRef name = function->getName();
  if (function->getIntrinsicID() == llvm::Intrinsic::assume &&
      call->hasOperandBundles()) {
    std::size_t length = 1;
    for (unsigned i = 0; i < call->getNumOperandBundles(); ++i) {
      const llvm::OperandBundleUse bundle = call->getOperandBundleAt(i);
      if (!isNullTest(bundle) && !alignmentOf(bundle))
        return {};
      length += isNullTest(bundle) ? 2 : 4;
    }
    return {Expansion::Kind::bundles, length};
  }
  if (call->hasOperandBundles())
    return {};
  if (isLibraryFunction(*function) &&
      (name == "ffs" || name == "ffsl" || name == "ffsll"))
    return {Expansion::Kind::findFirstSet,
            instruction.getOperand(0)->getType()->isIntegerTy(32) ? 4U : 5U};
  return {};
}

void appendParts(const llvm::Constant *constant, std::uint64_t offset,
                 const llvm::DataLayout &layout,
                 std::vector<StoredPart> &parts) {
  llvm::Type *type = constant->getType();
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      appendParts(constant->getAggregateElement(i),
                  offset +
                      layout.getStructLayout(structure)->getElementOffset(i),
                  layout, parts);
  } else if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const std::uint64_t stride =
        layout.getTypeAllocSize(array->getElementType());
    for (unsigned i = 0; i < array->getNumElements(); ++i)
      appendParts(constant->getAggregateElement(i), offset + i * stride, layout,
                  parts);
  } else {
    parts.push_back({constant, offset});
  }
}

/// What a store of a constant structure or array stores; nothing of another.
std::vector<StoredPart> partsOf(const llvm::Instruction &instruction,
                                const llvm::DataLayout &layout) {
  constexpr std::uint64_t mostBytes = 64;
  const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (store == nullptr || !store->isSimple())
    return {};
  const auto *constant =
      llvm::dyn_cast<llvm::Constant>(store->getValueOperand());
  if (constant == nullptr || !constant->getType()->isAggregateType() ||
      llvm::isa<llvm::ConstantExpr>(constant) ||
      layout.getTypeAllocSize(constant->getType()) > mostBytes)
    return {};
  std::vector<StoredPart> parts;
  appendParts(constant, 0, layout, parts);
  if (std::any_of(parts.begin(), parts.end(), [](StoredPart part) {
        return llvm::isa<llvm::ConstantExpr>(part.value);
      }))
    return {};
  return parts;
}

corpus::Flags flagsOf(const llvm::Instruction &instruction, Opcode opcode) {
  using namespace corpus::flag;
  corpus::Flags flags;
  switch (opcode) {
  case Opcode::add:
  case Opcode::sub:
  case Opcode::mul:
  case Opcode::shl:
    if (instruction.hasNoUnsignedWrap())
      flags = flags | nuw;
    if (instruction.hasNoSignedWrap())
      flags = flags | nsw;
    return flags;
  case Opcode::udiv:
  case Opcode::sdiv:
  case Opcode::lshr:
  case Opcode::ashr:
    return instruction.isExact() ? exact : none;
  case Opcode::or_:
    return release::isDisjoint(instruction) ? disjoint : none;
  case Opcode::zext:
    return release::isNonNegative(instruction) ? nneg : none;
  case Opcode::icmp:
    return release::isSameSign(llvm::cast<llvm::ICmpInst>(instruction))
               ? samesign
               : none;
  case Opcode::trunc:
    return release::truncFlags(instruction);
  case Opcode::getelementptr:
    return release::addressFlags(llvm::cast<llvm::GEPOperator>(instruction));
  default:
    return none;
  }
}

/// LLVM keeps the flags of an instruction in the low bits of one word; a bit
/// beyond those that the opcode's row allows means something that we do not
/// know.
bool hasUnknownFlag(const llvm::Instruction &instruction, Opcode opcode) {
  const int known = std::popcount(info(opcode).allowedFlags.bits());
  return instruction.getRawSubclassOptionalData() >> known != 0;
}

} // namespace

bool Lifter::leaveOut(std::string what) {
  if (reading_ != corpus::Reading::toRun)
    return false;
  if (std::find(leftOut_.begin(), leftOut_.end(), what) == leftOut_.end())
    leftOut_.push_back(std::move(what));
  return true;
}

bool Lifter::isLeftOut(const llvm::Instruction &instruction) {
  if (reading_ == corpus::Reading::exactly)
    return false;
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (call == nullptr)
    return false;
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::assume:
    return call->hasOperandBundles() &&
           leaveOut("an assumption with operand bundles");
  case llvm::Intrinsic::invariant_end:
    return leaveOut("llvm.invariant.end");
  case llvm::Intrinsic::invariant_start: {
    const auto isEnd = [](const llvm::User *user) {
      const auto *end = llvm::dyn_cast<llvm::IntrinsicInst>(user);
      return end != nullptr &&
             end->getIntrinsicID() == llvm::Intrinsic::invariant_end;
    };
    return llvm::all_of(call->users(), isEnd) &&
           leaveOut("llvm.invariant.start");
  }
  default:
    return false;
  }
}

bool Lifter::fail(std::string reason) {
  reason_ = std::move(reason);
  return false;
}

std::optional<std::string> Lifter::lift(const llvm::Function &function,
                                        corpus::Program &program) {
  program.clear();
  program_ = &program;
  leftOut_.clear();
  reason_.clear();
  returned_.reset();
  callees_.clear();
  globals_.clear();
  layout_ = &function.getParent()->getDataLayout();
  const bool isBigEndian = layout_->isBigEndian();
  const Mentions seen = mentionsOf(function);
  hasPointers_ = seen.pointers;
  if (seen.otherAddressSpaces &&
      !leaveOut("that pointers are of other address spaces"))
    return "a pointer of another address space";
  if (const unsigned bits = layout_->getPointerSizeInBits(0);
      hasPointers_ && (bits != 64 || layout_->getIndexSizeInBits(0) != 64)) {
    std::string reason =
        fmt::format("data layout with pointers of {} bits", bits);
    if (!leaveOut(reason))
      return reason;
    layout_ = &usualLayout_;
  }
  if (!liftSignature(function, program.signature))
    return std::move(reason_);
  number(function, seen.pointers && seen.expressions);
  for (const llvm::BasicBlock &block : function) {
    if (!isReachable(block))
      continue;
    program.beginBlock();
    if (&block == &function.getEntryBlock() && !liftExpressions())
      return std::move(reason_);
    for (const llvm::Instruction &instruction : block)
      if (!isIgnored(instruction) && !isLeftOut(instruction) &&
          !liftOrExpand(instruction))
        return std::move(reason_);
  }
  if (!checkPromises() || !checkNames())
    return std::move(reason_);
  if (isBigEndian && hasByteOrder(program))
    program.bigEndian = !leaveOut("a data layout with the highest byte first");
  return std::nullopt;
}

bool Lifter::liftExpressions() {
  for (const llvm::Value *value : numbers_.order()) {
    const auto *expression = llvm::dyn_cast_or_null<llvm::ConstantExpr>(value);
    if (expression == nullptr)
      break;
    llvm::Instruction *instruction =
        const_cast<llvm::ConstantExpr *>(expression)->getAsInstruction();
    const bool lifted = liftInstruction(*instruction);
    instruction->deleteValue();
    if (!lifted)
      return false;
  }
  return true;
}

/// Of what is called, and of whose address is used.
bool Lifter::checkNames() {
  for (const corpus::Callee &callee : program_->callees)
    for (const corpus::Global &global : program_->globals)
      if (callee.name == global.name)
        return fail("the address of a function that is called");
  return true;
}

bool Lifter::checkPromises() {
  // Nothing in a function without pointers that calls nobody can break a
  // promise about memory.
  corpus::Attributes &attributes = program_->signature.function;
  if (!hasPointers_ && attributes.has(corpus::attribute::memory)) {
    if (!program_->callees.empty())
      return fail("attribute memory");
    attributes.remove(corpus::attribute::memory);
  }
  if (!returned_)
    return true;
  for (const corpus::Instruction &instruction : program_->instructions) {
    if (instruction.opcode != Opcode::ret)
      continue;
    const Operand &result = program_->operandsOf(instruction).front();
    if (!result.is(Operand::Kind::argument) || result.payload != *returned_)
      return fail("attribute returned");
  }
  return true;
}

void Lifter::number(const llvm::Function &function, bool hasExpressions) {
  blocks_.clear();
  if (function.size() > 1) {
    stack_.push_back(&function.getEntryBlock());
    while (!stack_.empty()) {
      const llvm::BasicBlock *block = stack_.pop_back_val();
      if (blocks_.try_emplace(block, 0).second)
        stack_.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
  }
  numbers_.clear();
  if (hasExpressions)
    numberExpressions(function);
  std::uint32_t blockNumber = 0;
  for (const llvm::BasicBlock &block : function) {
    if (!isReachable(block))
      continue;
    if (!blocks_.empty())
      blocks_[&block] = blockNumber++;
    for (const llvm::Instruction &instruction : block) {
      if (isIgnored(instruction) || isLeftOut(instruction))
        continue;
      // Its value is that of the last one.
      numbers_.skip(lengthOf(instruction) - 1);
      numbers_.add(instruction);
    }
  }
  numbers_.index();
}

/// Those that an instruction has as operands, each behind its own operands.
void Lifter::numberExpressions(const llvm::Function &function) {
  const auto add = [&](const auto &self, const llvm::Value &operand) -> void {
    const llvm::Value &value = withoutCasts(operand);
    if (!isExpression(value) || llvm::is_contained(numbers_.order(), &value))
      return;
    for (const llvm::Use &use :
         llvm::cast<llvm::ConstantExpr>(value).operands())
      self(self, *use);
    numbers_.add(value);
  };
  for (const llvm::BasicBlock &block : function) {
    if (!isReachable(block))
      continue;
    for (const llvm::Instruction &instruction : block)
      if (!isIgnored(instruction))
        for (const llvm::Use &use : instruction.operands())
          add(add, *use);
  }
}

bool Lifter::liftSignature(const llvm::Function &function,
                           corpus::Signature &signature, bool ofLibrary) {
  if (function.isVarArg())
    return fail("variadic function");
  if (function.hasGC())
    return fail("garbage collector");
  if (!function.getReturnType()->isVoidTy() &&
      !liftType(*function.getReturnType(), signature.returnType))
    return false;
  for (const llvm::Argument &argument : function.args()) {
    corpus::Type type;
    if (!liftType(*argument.getType(), type))
      return false;
    signature.parameters.push_back({type, {}});
  }
  if (function.hasMetadata()) {
    llvm::SmallVector<std::pair<unsigned, llvm::MDNode *>, 4> nodes;
    function.getAllMetadata(nodes);
    llvm::SmallVector<llvm::StringRef, 64> names;
    function.getContext().getMDKindNames(names);
    for (const auto &node : nodes)
      if (!isIgnoredMetadata(names[node.first]))
        return fail(
            fmt::format("metadata !{} on a function", names[node.first].str()));
  }
  const llvm::AttributeList attributes = function.getAttributes();
  if (attributes.isEmpty())
    return true;

  if (!liftAttributes(
          attributes.getAttributes(llvm::AttributeList::FunctionIndex),
          Place::function, signature.function, ofLibrary) ||
      !liftAttributes(
          attributes.getAttributes(llvm::AttributeList::ReturnIndex),
          Place::value, signature.result, ofLibrary))
    return false;
  if (!hasPointers_ && function.isDeclaration() &&
      signature.function.has(corpus::attribute::memory))
    return fail("attribute memory");
  for (unsigned i = 0; i < signature.parameters.size(); ++i) {
    LiftedAttributes parameter;
    if (auto reason = runner::liftAttributes(
            attributes.getAttributes(llvm::AttributeList::FirstArgIndex + i),
            Place::value,
            [&](std::string_view attribute) {
              return ofLibrary ||
                     leaveOut(fmt::format("attribute {}", attribute));
            },
            parameter))
      return fail(std::move(*reason));
    signature.parameters[i].attributes = parameter.attributes;
    if (!parameter.returned)
      continue;
    if (!function.isDeclaration())
      returned_ = i;
    else if (!ofLibrary && !leaveOut("attribute returned"))
      return fail("attribute returned");
  }
  return true;
}

bool Lifter::liftType(const llvm::Type &type, corpus::Type &out) {
  if (const auto *integer = llvm::dyn_cast<llvm::IntegerType>(&type)) {
    if (integer->getBitWidth() > corpus::Type::maximumWidth)
      return fail("integer wider than 64 bits");
    out = corpus::Type::integer(integer->getBitWidth());
    return true;
  }
  if (type.isPointerTy()) {
    out = corpus::Type::pointer();
    return true;
  }
  if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(&type)) {
    corpus::Type lane;
    if (!liftType(*vector->getElementType(), lane))
      return false;
    if (lane.isPointer())
      return fail("a vector of pointers");
    if (vector->getNumElements() > corpus::Type::maximumLanes)
      return fail(fmt::format("a vector of more than {} lanes",
                              corpus::Type::maximumLanes));
    out = corpus::Type::vector(vector->getNumElements(), lane);
    return true;
  }
  if (type.isVectorTy())
    return fail("a scalable vector");
  return liftAggregate(type, out);
}

/// `{T, U}` and `[N x T]` of scalars and vectors.
bool Lifter::liftAggregate(const llvm::Type &type, corpus::Type &out) {
  const auto *pair = llvm::dyn_cast<llvm::StructType>(&type);
  const bool isPair = pair && pair->isLiteral() && !pair->isPacked() &&
                      pair->getNumElements() == 2;
  const auto *array = llvm::dyn_cast<llvm::ArrayType>(&type);
  const bool isArray = array && array->getNumElements() >= 1 &&
                       array->getNumElements() <= corpus::Type::maximumCount;
  if (!isPair && !isArray)
    return fail(text(type) + " is not an integer type");
  corpus::Type elements[2];
  for (unsigned i = 0; i < (isPair ? 2U : 1U); ++i) {
    const llvm::Type &element =
        isPair ? *pair->getElementType(i) : *array->getElementType();
    if (element.isAggregateType())
      return fail(text(type) + " is not an integer type");
    if (!liftType(element, elements[i]))
      return false;
  }
  out = isPair
            ? corpus::Type::structure(elements[0], elements[1])
            : corpus::Type::array(
                  static_cast<unsigned>(array->getNumElements()), elements[0]);
  return true;
}

bool Lifter::liftAttributes(llvm::AttributeSet set, Place place,
                            corpus::Attributes &out, bool ofLibrary) {
  if (!set.hasAttributes())
    return true;
  LiftedAttributes lifted;
  const auto mayStayOut = [&](std::string_view attribute) {
    return ofLibrary || leaveOut(fmt::format("attribute {}", attribute));
  };
  if (auto reason = runner::liftAttributes(set, place, mayStayOut, lifted))
    return fail(std::move(*reason));
  if (lifted.returned && !mayStayOut("returned"))
    return fail("attribute returned");
  out = lifted.attributes;
  if (!hasPointers_ && place == Place::function)
    out.remove(corpus::attribute::aboutPointers);
  return true;
}

/// How many instructions it becomes.
std::size_t Lifter::lengthOf(const llvm::Instruction &instruction) {
  if (reading_ == corpus::Reading::exactly)
    return expansionOf(instruction).length;
  if (reading_ != corpus::Reading::toRun)
    return 1;
  const std::vector<StoredPart> parts = partsOf(instruction, *layout_);
  const auto moved =
      std::count_if(parts.begin(), parts.end(),
                    [](StoredPart part) { return part.offset != 0; });
  return parts.empty() ? 1 : parts.size() + static_cast<std::size_t>(moved);
}

/// For an instruction that is yet to be appended.
std::optional<Operand> Lifter::operandOf(const llvm::Value &value) {
  if (!liftValue(value))
    return std::nullopt;
  const Operand result = program_->operands.back();
  program_->operands.pop_back();
  return result;
}

/// A store of a constant structure, as stores of its parts.
bool Lifter::liftParts(const llvm::StoreInst &store,
                       const std::vector<StoredPart> &parts) {
  corpus::Attributes none;
  if (!liftMetadataOf(store, none))
    return false;
  const auto pointer = operandOf(*store.getPointerOperand());
  if (!pointer)
    return false;
  corpus::Program &program = *program_;
  const auto i64 = corpus::Type::integer(64);
  for (const auto &[part, offset] : parts) {
    const auto stored = operandOf(*part);
    if (!stored)
      return false;
    const Operand place =
        offset == 0
            ? *pointer
            : program.append(Opcode::getelementptr, corpus::Type::pointer(),
                             {*pointer, Operand::constant(i64, offset),
                              Operand::constant(i64, 1)});
    program.append(Opcode::store, corpus::Type(), {*stored, place});
    if (!liftAlignment(llvm::commonAlignment(store.getAlign(), offset),
                       program.instructions.back().alignment))
      return false;
  }
  return true;
}

/// Requires that number() made room for it.
bool Lifter::liftOrExpand(const llvm::Instruction &instruction) {
  if (reading_ == corpus::Reading::toRun)
    if (const auto parts = partsOf(instruction, *layout_);
        !parts.empty() && leaveOut("that a structure is stored at once"))
      return liftParts(llvm::cast<llvm::StoreInst>(instruction), parts);
  const Expansion expansion = reading_ == corpus::Reading::exactly
                                  ? expansionOf(instruction)
                                  : Expansion();
  if (expansion.kind == Expansion::Kind::none)
    return liftInstruction(instruction);
  const auto &call = llvm::cast<llvm::CallInst>(instruction);
  const auto i1 = corpus::Type::integer(1);
  const auto i32 = corpus::Type::integer(32);
  const auto i64 = corpus::Type::integer(64);
  corpus::Program &program = *program_;
  if (expansion.kind == Expansion::Kind::bundles) {
    for (unsigned i = 0; i < call.getNumOperandBundles(); ++i) {
      const llvm::OperandBundleUse bundle = call.getOperandBundleAt(i);
      const auto pointer = operandOf(*bundle.Inputs[0]);
      if (!pointer)
        return false;
      Operand holds;
      if (isNullTest(bundle)) {
        holds = program.append(Opcode::icmp, i1, {*pointer, Operand::null()},
                               {}, corpus::Predicate::ne);
      } else {
        const Operand address =
            program.append(Opcode::ptrtoint, i64, {*pointer});
        const Operand low = program.append(
            Opcode::and_, i64,
            {address, Operand::constant(i64, *alignmentOf(bundle) - 1)});
        holds =
            program.append(Opcode::icmp, i1, {low, Operand::constant(i64, 0)},
                           {}, corpus::Predicate::eq);
      }
      program.append(Opcode::assume, corpus::Type(), {holds});
    }
    const auto condition = operandOf(*call.getArgOperand(0));
    if (!condition)
      return false;
    program.append(Opcode::assume, corpus::Type(), {*condition});
    return true;
  }
  const auto operand = operandOf(*call.getArgOperand(0));
  if (!operand)
    return false;
  const corpus::Type type = operand->type;
  const Operand zero = Operand::constant(type, 0);
  const Operand trailing =
      program.append(Opcode::cttz, type, {*operand, Operand::constant(i1, 0)});
  const Operand place =
      program.append(Opcode::add, type, {trailing, Operand::constant(type, 1)});
  const Operand isZero = program.append(Opcode::icmp, i1, {*operand, zero}, {},
                                        corpus::Predicate::eq);
  const Operand result =
      program.append(Opcode::select, type, {isZero, zero, place});
  if (type != i32)
    program.append(Opcode::trunc, i32, {result});
  return true;
}

bool Lifter::liftInstruction(const llvm::Instruction &instruction) {
  corpus::Instruction out;
  out.firstOperand = static_cast<std::uint32_t>(program_->operands.size());

  const auto opcode = opcodeOf(instruction.getOpcode());
  if (!opcode)
    return fail(instruction.getOpcodeName());
  out.opcode = *opcode;
  if (!instruction.getType()->isVoidTy() &&
      !liftType(*instruction.getType(), out.type))
    return false;

  bool lifted = true;
  switch (info(*opcode).shape) {
  case Shape::call:
    lifted = liftCall(llvm::cast<llvm::CallBase>(instruction), out);
    break;
  case Shape::phi:
    lifted = liftPhi(instruction);
    break;
  case Shape::extract:
  case Shape::insert: {
    const llvm::ArrayRef<unsigned> indices =
        *opcode == Opcode::extractvalue
            ? llvm::cast<llvm::ExtractValueInst>(instruction).getIndices()
            : llvm::cast<llvm::InsertValueInst>(instruction).getIndices();
    lifted = liftOperands(instruction);
    program_->operands.push_back(
        Operand::constant(corpus::Type::integer(32), indices[0]));
    break;
  }
  case Shape::allocation:
    lifted = liftAllocation(llvm::cast<llvm::AllocaInst>(instruction), out);
    break;
  case Shape::load: {
    const auto &load = llvm::cast<llvm::LoadInst>(instruction);
    if (!load.isSimple())
      return fail(load.isVolatile() ? "volatile load" : "atomic load");
    lifted = liftAlignment(load.getAlign(), out.alignment) &&
             liftOperands(instruction);
    break;
  }
  case Shape::store: {
    const auto &store = llvm::cast<llvm::StoreInst>(instruction);
    if (!store.isSimple())
      return fail(store.isVolatile() ? "volatile store" : "atomic store");
    lifted = liftAlignment(store.getAlign(), out.alignment) &&
             liftOperands(instruction);
    break;
  }
  case Shape::address:
    lifted = liftAddress(llvm::cast<llvm::GetElementPtrInst>(instruction));
    break;
  case Shape::shuffle:
    lifted = liftValue(*instruction.getOperand(0)) &&
             liftValue(*instruction.getOperand(1)) &&
             liftMask(llvm::cast<llvm::ShuffleVectorInst>(instruction));
    break;
  case Shape::compare:
    out.predicate =
        fromLlvm(llvm::cast<llvm::ICmpInst>(instruction).getPredicate());
    lifted = liftOperands(instruction);
    break;
  case Shape::terminator:
    if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
      if (branch->isConditional())
        lifted = liftValue(*branch->getCondition());
      // Not successors(), which walks the operands: false before true.
      for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
        liftBlock(*branch->getSuccessor(i));
    } else if (*opcode == Opcode::switch_) {
      lifted = liftSwitch(instruction);
    } else {
      lifted = liftOperands(instruction);
    }
    break;
  case Shape::reinterpret:
    lifted = liftOperands(instruction);
    if (lifted && layout_->isBigEndian() &&
        program_->operands.back().type.lanes() != out.type.lanes() &&
        !leaveOut("a data layout with the highest byte first"))
      return fail("bitcast of vectors, the highest byte first");
    break;
  default:
    lifted = liftOperands(instruction);
    break;
  }
  if (!lifted)
    return false;

  if (hasUnknownFlag(instruction, out.opcode))
    return fail(
        fmt::format("an unknown flag on {}", instruction.getOpcodeName()));
  out.flags = flagsOf(instruction, out.opcode);
  if (out.flags.has(corpus::flag::samesign) &&
      instruction.getOperand(0)->getType()->isPointerTy())
    return fail("samesign on pointers");
  if (instruction.hasMetadataOtherThanDebugLoc()) {
    corpus::Attributes result;
    if (out.attributes != corpus::Instruction::noAttributes)
      result = program_->callAttributes[out.attributes].result;
    if (!liftMetadataOf(instruction, result))
      return false;
    if (!result.empty()) {
      if (out.attributes == corpus::Instruction::noAttributes) {
        out.attributes =
            static_cast<std::uint32_t>(program_->callAttributes.size());
        program_->callAttributes.emplace_back();
      }
      program_->callAttributes[out.attributes].result = result;
    }
  }
  out.operandCount =
      static_cast<std::uint32_t>(program_->operands.size()) - out.firstOperand;
  program_->instructions.push_back(out);
  program_->blocks.back().end =
      static_cast<std::uint32_t>(program_->instructions.size());
  return true;
}

bool Lifter::liftMetadataOf(const llvm::Instruction &instruction,
                            corpus::Attributes &result) {
  const auto mayStayOut = [&](std::string_view metadata) {
    return (!hasPointers_ && metadata != "llvm.loop.mustprogress") ||
           leaveOut(fmt::format("metadata !{}", metadata));
  };
  auto reason = liftMetadata(instruction, mayStayOut, result);
  return !reason || fail(std::move(*reason));
}

bool Lifter::liftOperands(const llvm::Instruction &instruction) {
  return std::all_of(
      instruction.op_begin(), instruction.op_end(),
      [&](const llvm::Use &operand) { return liftValue(*operand); });
}

/// LLVM's largest one, 2^32, is one too many here.
bool Lifter::liftAlignment(llvm::Align alignment, std::uint32_t &out) {
  out = static_cast<std::uint32_t>(alignment.value());
  return out != 0 || fail("an alignment of 4 GiB");
}

bool Lifter::liftAllocation(const llvm::AllocaInst &instruction,
                            corpus::Instruction &out) {
  const auto *count =
      llvm::dyn_cast<llvm::ConstantInt>(instruction.getArraySize());
  if (count == nullptr || !instruction.isStaticAlloca())
    return fail(instruction.isUsedWithInAlloca() ? "inalloca"
                                                 : "dynamic alloca");
  if (instruction.isSwiftError())
    return fail("swifterror");
  std::uint64_t elements = 0;
  if (!liftAllocated(*instruction.getAllocatedType(), count->getZExtValue(),
                     "alloca", out.accessedType, elements) ||
      !liftAlignment(instruction.getAlign(), out.alignment))
    return false;
  program_->operands.push_back(
      Operand::constant(corpus::Type::integer(64), elements));
  return true;
}

bool Lifter::liftAllocated(llvm::Type &type, std::uint64_t count,
                           std::string_view what, corpus::Type &element,
                           std::uint64_t &elements) {
  if (!type.isSized() || layout_->getTypeAllocSize(&type).isScalable())
    return fail(fmt::format("{} of {}", what, text(type)));
  const auto size = sizeOf(type, count, *layout_);
  if (!size)
    return fail(fmt::format("{} of 4 GiB or more", what));
  const Allocated allocated = allocatedBy(type, *layout_);
  elements = count * allocated.count;
  if (const auto *integer = llvm::dyn_cast<llvm::IntegerType>(allocated.type);
      (integer == nullptr ||
       integer->getBitWidth() <= corpus::Type::maximumWidth) &&
      (integer != nullptr || allocated.type->isPointerTy())) {
    if (!liftType(*allocated.type, element))
      return false;
    if (allocationSize(element) == layout_->getTypeAllocSize(allocated.type))
      return true;
  }
  element = corpus::Type::integer(8);
  elements = *size;
  return true;
}

/// Each index by what it steps over. Constants become offsets in bytes; one
/// behind the other, neither negative, they are one step.
bool Lifter::liftAddress(const llvm::GetElementPtrInst &instruction) {
  if (!instruction.getType()->isPointerTy())
    return fail("getelementptr of vectors");
  if (!liftValue(*instruction.getPointerOperand()))
    return false;
  const corpus::Type i64 = corpus::Type::integer(64);
  auto &operands = program_->operands;
  const std::size_t first = operands.size();
  const auto add = [&](Operand index, std::uint64_t scale) {
    operands.push_back(index);
    operands.push_back(Operand::constant(i64, scale));
  };
  const bool mayWrap =
      release::addressFlags(llvm::cast<llvm::GEPOperator>(instruction)).empty();
  const auto addConstant = [&](std::int64_t index, std::uint64_t scale) {
    std::int64_t offset = 0;
    const bool wraps = scale > std::uint64_t(INT64_MAX) ||
                       __builtin_mul_overflow(
                           index, static_cast<std::int64_t>(scale), &offset);
    if (mayWrap)
      offset =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(index) * scale);
    else if (wraps || (index < 0 && scale != 1))
      return add(Operand::constant(i64, static_cast<std::uint64_t>(index)),
                 scale);
    if (offset == 0)
      return;
    if (operands.size() > first) {
      Operand &last = operands[operands.size() - 2];
      std::int64_t sum = 0;
      if (last.is(Operand::Kind::constant) && last.type == i64 &&
          operands.back().payload == 1 &&
          (mayWrap ||
           (offset > 0 && static_cast<std::int64_t>(last.payload) > 0 &&
            !__builtin_add_overflow(
                offset, static_cast<std::int64_t>(last.payload), &sum)))) {
        last.payload += static_cast<std::uint64_t>(offset);
        return;
      }
    }
    add(Operand::constant(i64, static_cast<std::uint64_t>(offset)), 1);
  };
  for (auto step = llvm::gep_type_begin(instruction);
       step != llvm::gep_type_end(instruction); ++step) {
    const llvm::Value &index = *step.getOperand();
    if (llvm::StructType *structure = step.getStructTypeOrNull()) {
      const auto element = static_cast<unsigned>(
          llvm::cast<llvm::ConstantInt>(index).getZExtValue());
      addConstant(
          1, layout_->getStructLayout(structure)->getElementOffset(element));
      continue;
    }
    const llvm::TypeSize size = release::strideOf(step, *layout_);
    if (size.isScalable())
      return fail("getelementptr over a scalable vector");
    const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&index);
    if (constant != nullptr && constant->getBitWidth() <= 64) {
      addConstant(constant->getSExtValue(), size.getFixedValue());
      continue;
    }
    if (!liftValue(index))
      return false;
    add(operands.back(), size.getFixedValue());
    operands.erase(operands.end() - 3);
  }
  if (operands.size() == first)
    add(Operand::constant(i64, 0), 1);
  return true;
}

/// Appends the operand. Whether it is the first that is this one.
bool Lifter::liftUse(const llvm::GlobalObject &object) {
  const auto *known = std::find(globals_.begin(), globals_.end(), &object);
  program_->operands.push_back(
      Operand::global(static_cast<std::uint64_t>(known - globals_.begin())));
  if (known != globals_.end())
    return false;
  globals_.push_back(&object);
  return true;
}

/// A function, of which nothing but the address is used: an object of its own.
bool Lifter::liftAddressOf(const llvm::Function &function) {
  if (!leaveOut("that a constant is a function"))
    return fail("the address of a function");
  if (function.hasExternalWeakLinkage())
    return fail("a function that may be absent");
  if (liftUse(function))
    program_->globals.push_back(
        {function.getName().str(), corpus::Type::integer(8), 1, 1, true, {}});
  return true;
}

bool Lifter::liftGlobal(const llvm::GlobalVariable &variable) {
  if (!liftUse(variable))
    return true;
  std::string name = variable.getName().str();
  if (name.empty()) {
    if (reading_ != corpus::Reading::exactly)
      return fail("a global variable without a name");
    // By their order, as LLVM numbers them.
    std::size_t before = 0;
    for (const llvm::GlobalVariable &other : variable.getParent()->globals()) {
      if (&other == &variable)
        break;
      before += other.hasName() ? 0 : 1;
    }
    name = std::to_string(before);
  }
  if (variable.isThreadLocal())
    return fail("a thread local variable");
  if (variable.hasExternalWeakLinkage())
    return fail("a global variable that may be absent");
  corpus::Global global;
  global.name = name;
  if (!liftAllocated(*variable.getValueType(), 1, "a global variable",
                     global.type, global.count) ||
      !liftAlignment(variable.getPointerAlignment(*layout_), global.alignment))
    return false;
  global.isConstant = variable.isConstant();
  if (global.isConstant && variable.hasDefinitiveInitializer()) {
    constexpr std::uint64_t maximumContents = 4096;
    const char *what = "the contents of a constant global variable";
    if (global.count * allocationSize(global.type) <= maximumContents &&
        appendBytes(*variable.getInitializer(), *layout_, global.contents)) {
      global.type = corpus::Type::integer(8);
      global.count = global.contents.size();
    } else if (leaveOut(what)) {
      global.contents.clear();
    } else {
      return fail(what);
    }
  }
  program_->globals.push_back(std::move(global));
  return true;
}

bool Lifter::liftPhi(const llvm::Instruction &instruction) {
  const auto &phi = llvm::cast<llvm::PHINode>(instruction);
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    if (!isReachable(*phi.getIncomingBlock(i)))
      continue;
    if (!liftValue(*phi.getIncomingValue(i)))
      return false;
    liftBlock(*phi.getIncomingBlock(i));
  }
  return true;
}

bool Lifter::liftSwitch(const llvm::Instruction &instruction) {
  const auto &inst = llvm::cast<llvm::SwitchInst>(instruction);
  if (!liftValue(*inst.getCondition()))
    return false;
  liftBlock(*inst.getDefaultDest());
  for (const auto &entry : inst.cases()) {
    if (!liftValue(*entry.getCaseValue()))
      return false;
    liftBlock(*entry.getCaseSuccessor());
  }
  return true;
}

bool Lifter::liftCall(const llvm::CallBase &call, corpus::Instruction &out) {
  if (!liftCallee(call, out))
    return false;
  if (call.hasOperandBundles())
    return fail("operand bundle");
  if (call.isMustTailCall() && !leaveOut("musttail"))
    return fail("musttail call");
  const Shape shape = info(out.opcode).shape;
  const unsigned first =
      release::lifetimesHaveSize && shape == Shape::intrinsicLifetime ? 1 : 0;
  for (unsigned i = first; i < call.arg_size(); ++i)
    if (!liftValue(*call.getArgOperand(i)))
      return false;
  if (shape == Shape::intrinsicLifetime && !checkLifetime(call))
    return false;
  if ((shape == Shape::intrinsicCopy || shape == Shape::intrinsicFill) &&
      program_->operands.back() !=
          Operand::constant(corpus::Type::integer(1), 0))
    return fail(fmt::format("volatile {}", info(out.opcode).spelling));
  if (shape == Shape::intrinsicCopy && call.onlyReadsMemory())
    return fail(
        fmt::format("{} that may not write", info(out.opcode).spelling));

  const llvm::AttributeList attributes = call.getAttributes();
  // Without allocations there is none that the callee could touch.
  const bool isTail = hasPointers_ &&
                      (shape == Shape::call || shape == Shape::intrinsicCopy ||
                       shape == Shape::intrinsicFill) &&
                      llvm::cast<llvm::CallInst>(call).isTailCall() &&
                      hasAllocation();
  if (attributes.isEmpty() && !isTail)
    return true;
  corpus::CallAttributes site;
  const bool ofLibrary =
      shape == Shape::call &&
      (corpus::libraryFunctionOf(program_->callees[out.callee]) != nullptr ||
       !corpus::unknownLibraryFunction(program_->callees[out.callee]).empty());
  if (!liftAttributes(
          attributes.getAttributes(llvm::AttributeList::FunctionIndex),
          Place::function, site.function, ofLibrary) ||
      !liftAttributes(
          attributes.getAttributes(llvm::AttributeList::ReturnIndex),
          Place::value, site.result, ofLibrary))
    return false;
  if (!hasPointers_ && site.function.has(corpus::attribute::memory))
    return fail("attribute memory");
  if (isTail)
    site.function.add(corpus::attribute::tail);
  std::vector<corpus::Attributes> parameters(call.arg_size() - first);
  for (unsigned i = 0; i < parameters.size(); ++i)
    if (!liftAttributes(attributes.getAttributes(
                            llvm::AttributeList::FirstArgIndex + first + i),
                        Place::value, parameters[i], ofLibrary))
      return false;
  if (shape == Shape::call && program_->callees[out.callee].isIndirect())
    parameters.insert(parameters.begin(), corpus::Attributes());
  if (std::any_of(parameters.begin(), parameters.end(),
                  [](const auto &each) { return !each.empty(); }))
    site.parameters = std::move(parameters);
  if (site == corpus::CallAttributes())
    return true;
  out.attributes = static_cast<std::uint32_t>(program_->callAttributes.size());
  program_->callAttributes.push_back(std::move(site));
  return true;
}

bool Lifter::hasAllocation() const {
  return std::any_of(program_->instructions.begin(),
                     program_->instructions.end(),
                     [](const corpus::Instruction &instruction) {
                       return instruction.opcode == Opcode::alloca_;
                     });
}

/// Requires that the operand, the last one, was lifted.
bool Lifter::checkLifetime(const llvm::CallBase &call) {
  const auto &pointer =
      withoutCasts(*call.getArgOperand(release::lifetimesHaveSize ? 1 : 0));
  const auto *allocation = llvm::dyn_cast<llvm::AllocaInst>(&pointer);
  if (allocation == nullptr)
    return fail("lifetime of something that is no alloca");
  if constexpr (release::lifetimesHaveSize) {
    const auto &size = llvm::cast<llvm::ConstantInt>(*call.getArgOperand(0));
    const auto whole = allocation->getAllocationSizeInBits(*layout_);
    if (!size.isMinusOne() &&
        (!whole || whole->getFixedValue() / 8 != size.getZExtValue()))
      return fail("lifetime of a part of an alloca");
  }
  return true;
}

bool Lifter::liftCallee(const llvm::CallBase &call, corpus::Instruction &out) {
  const llvm::Function *function = call.getCalledFunction();
  if (!function)
    return liftIndirect(call, out);
  if (function->getName().take_front() == "*")
    return fail("a function whose name begins with *");
  if (call.getFunctionType() != function->getFunctionType())
    return fail("call through another type");
  const bool isTrap = function->getIntrinsicID() == llvm::Intrinsic::trap;
  const corpus::TargetIntrinsic *intrinsic = nullptr;
  if (function->isIntrinsic() && !isTrap) {
    const bool isInline =
        function->getIntrinsicID() == llvm::Intrinsic::memcpy_inline &&
        leaveOut("that a copy is inline");
    const auto opcode = isInline
                            ? std::optional(Opcode::memcpy_)
                            : opcodeOfIntrinsic(function->getIntrinsicID());
    if (opcode) {
      out.opcode = *opcode;
      return true;
    }
    const std::string name = function->getName().str();
    intrinsic = corpus::targetIntrinsic(name);
    if (intrinsic == nullptr || !hasTypes(*function, *intrinsic))
      return fail(name);
  }
  if (!function->isDeclaration() && !leaveOut("the body of a callee"))
    return fail("call of a function with a body");
  bool ofLibrary = isLibraryFunction(*function);
  if (ofLibrary) {
    corpus::Callee callee;
    if (!liftTypes(*function, callee))
      return false;
    if (const auto *known = corpus::libraryFunctionOf(callee))
      return liftLibraryFunction(call, *function, *known, std::move(callee),
                                 out);
    // With sizes of another layout, which is left out, it is one; with those
    // of the usual layout it is a function as others are.
    ofLibrary = !corpus::unknownLibraryFunction(callee).empty();
    if (!ofLibrary &&
        (layout_ != &usualLayout_ || !corpus::isLibraryName(callee.name)))
      return fail(fmt::format("call of the library function @{}", callee.name));
    if (ofLibrary && isNotBuiltIn(call))
      return fail(
          fmt::format("call of @{}, which is not built in", callee.name));
  }
  if (call.getCallingConv() != function->getCallingConv() &&
      !leaveOut("calling conventions"))
    return fail("call with another calling convention than its callee");
  if (function->isVarArg())
    return liftVariadic(call, *function, out);
  const auto *known = std::find(callees_.begin(), callees_.end(), function);
  out.callee = static_cast<std::uint32_t>(known - callees_.begin());
  if (known != callees_.end())
    return true;
  callees_.push_back(function);
  corpus::Callee callee;
  callee.name = function->getName().str();
  if (intrinsic != nullptr) {
    callee = intrinsic->callee;
  } else if (isTrap) {
    namespace attribute = corpus::attribute;
    callee.signature.function.add(attribute::noreturn);
    callee.signature.function.add(attribute::nounwind);
    if (hasPointers_)
      callee.signature.function.add(attribute::memory,
                                    corpus::memory::write
                                        << corpus::memory::inaccessible);
  } else if (!liftSignature(*function, callee.signature, ofLibrary)) {
    return false;
  }
  program_->callees.push_back(std::move(callee));
  return true;
}

bool Lifter::liftIndirect(const llvm::CallBase &call,
                          corpus::Instruction &out) {
  if (call.isInlineAsm())
    return fail("inline assembly");
  const llvm::FunctionType &type = *call.getFunctionType();
  if (type.isVarArg())
    return fail("indirect call of a variadic function");
  if (call.getCallingConv() != llvm::CallingConv::C &&
      !leaveOut("calling conventions"))
    return fail("indirect call with a calling convention");
  corpus::Type result;
  if (!type.getReturnType()->isVoidTy() &&
      !liftType(*type.getReturnType(), result))
    return false;
  std::vector<corpus::Type> parameters(type.getNumParams());
  for (unsigned i = 0; i < parameters.size(); ++i)
    if (!liftType(*type.getParamType(i), parameters[i]))
      return false;
  out.callee = addCallee(corpus::indirectCallee(result, parameters));
  return liftValue(*call.getCalledOperand());
}

/// Of one that is no function of the module by itself.
std::uint32_t Lifter::addCallee(corpus::Callee callee) {
  auto &callees = program_->callees;
  const auto known = std::find(callees.begin(), callees.end(), callee);
  const auto index = static_cast<std::uint32_t>(known - callees.begin());
  if (known == callees.end()) {
    callees.push_back(std::move(callee));
    callees_.push_back(nullptr);
  }
  return index;
}

/// Other releases have other types under some names.
bool Lifter::hasTypes(const llvm::Function &function,
                      const corpus::TargetIntrinsic &intrinsic) {
  const corpus::Signature &signature = intrinsic.callee.signature;
  corpus::Type type;
  if (!liftType(*function.getReturnType(), type) ||
      type != signature.returnType ||
      function.arg_size() != signature.parameters.size())
    return false;
  for (const llvm::Argument &argument : function.args())
    if (!liftType(*argument.getType(), type) ||
        type != signature.parameters[argument.getArgNo()].type)
      return false;
  return true;
}

bool Lifter::liftTypes(const llvm::Function &function, corpus::Callee &callee) {
  callee.name = function.getName().str();
  if (!function.getReturnType()->isVoidTy() &&
      !liftType(*function.getReturnType(), callee.signature.returnType))
    return false;
  for (const llvm::Argument &argument : function.args()) {
    corpus::Type type;
    if (!liftType(*argument.getType(), type))
      return false;
    callee.signature.parameters.push_back({type, {}});
  }
  return true;
}

/// What it does is known by its name; attributes of the function need not say
/// it.
bool Lifter::liftLibraryFunction(const llvm::CallBase &call,
                                 const llvm::Function &function,
                                 const corpus::LibraryFunction &known,
                                 corpus::Callee callee,
                                 corpus::Instruction &out) {
  corpus::Signature &signature = callee.signature;
  if (isNotBuiltIn(call))
    return fail(fmt::format("call of @{}, which is not built in", callee.name));
  if (known.isOperator() && !known.mayFail && !call.doesNotThrow())
    return fail(fmt::format("call of @{}, which may unwind", callee.name));
  if (known.isOperator())
    signature.function.add(corpus::attribute::nounwind);
  if (call.doesNotReturn())
    return fail(fmt::format("call of @{}, which is noreturn", callee.name));
  if (call.getCallingConv() != function.getCallingConv())
    return fail("call with another calling convention than its callee");
  const llvm::AttributeList attributes = function.getAttributes();
  if (!liftAttributes(
          attributes.getAttributes(llvm::AttributeList::ReturnIndex),
          Place::value, signature.result, true))
    return false;
  for (unsigned i = 0; i < signature.parameters.size(); ++i)
    if (!liftAttributes(
            attributes.getAttributes(llvm::AttributeList::FirstArgIndex + i),
            Place::value, signature.parameters[i].attributes, true))
      return false;
  const auto before = std::find(callees_.begin(), callees_.end(), &function);
  out.callee = static_cast<std::uint32_t>(before - callees_.begin());
  if (before == callees_.end()) {
    callees_.push_back(&function);
    program_->callees.push_back(std::move(callee));
  }
  return true;
}

/// A call of a variadic function, as one of a function that takes just these
/// arguments and has a name of its own.
bool Lifter::liftVariadic(const llvm::CallBase &call,
                          const llvm::Function &function,
                          corpus::Instruction &out) {
  corpus::Callee callee;
  callee.name = function.getName().str();
  corpus::Signature &signature = callee.signature;
  if (!call.getType()->isVoidTy() &&
      !liftType(*call.getType(), signature.returnType))
    return false;
  for (const llvm::Use &argument : call.args()) {
    corpus::Type type;
    if (!liftType(*argument->getType(), type))
      return false;
    callee.name += "." + toString(type);
    signature.parameters.push_back({type, {}});
  }
  const llvm::AttributeList attributes = function.getAttributes();
  if (!liftAttributes(
          attributes.getAttributes(llvm::AttributeList::FunctionIndex),
          Place::function, signature.function) ||
      !liftAttributes(
          attributes.getAttributes(llvm::AttributeList::ReturnIndex),
          Place::value, signature.result))
    return false;
  for (unsigned i = 0; i < function.arg_size(); ++i)
    if (!liftAttributes(
            attributes.getAttributes(llvm::AttributeList::FirstArgIndex + i),
            Place::value, signature.parameters[i].attributes))
      return false;
  if (!hasPointers_ && signature.function.has(corpus::attribute::memory))
    return fail("attribute memory");
  out.callee = addCallee(std::move(callee));
  return true;
}

bool Lifter::liftValue(const llvm::Value &operand) {
  auto &operands = program_->operands;
  corpus::Type type;
  const llvm::Value &value = hasPointers_ ? withoutCasts(operand) : operand;
  if (!liftType(*value.getType(), type))
    return false;
  if (const auto *argument = llvm::dyn_cast<llvm::Argument>(&value)) {
    operands.push_back(Operand::argument(type, argument->getArgNo()));
    return true;
  }
  if (llvm::isa<llvm::Instruction>(value) || isExpression(value)) {
    const auto number = numbers_.numberOf(value);
    if (!number)
      return fail("use of a value from an unreachable block");
    operands.push_back(Operand::instruction(type, *number));
    return true;
  }
  if (const auto *integer = llvm::dyn_cast<llvm::ConstantInt>(&value);
      integer && type.isInteger()) {
    operands.push_back(Operand::constant(type, integer->getZExtValue()));
    return true;
  }
  if (llvm::isa<llvm::ConstantPointerNull>(value)) {
    operands.push_back(Operand::null());
    return true;
  }
  if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&value))
    return liftGlobal(*variable);
  if (const auto *function = llvm::dyn_cast<llvm::Function>(&value))
    return liftAddressOf(*function);
  if (llvm::isa<llvm::GlobalValue>(value))
    return fail("an alias");
  if (llvm::isa<llvm::PoisonValue>(value)) {
    operands.push_back(Operand::poison(type));
    return true;
  }
  if (llvm::isa<llvm::UndefValue>(value)) {
    operands.push_back(Operand::undef(type));
    return true;
  }
  std::vector<Operand> lanes;
  if (type.isScalar() || !llvm::isa<llvm::Constant>(value))
    return fail("constant of type " + text(*value.getType()));
  if (!liftLanes(llvm::cast<llvm::Constant>(value), type, lanes))
    return false;
  operands.push_back(program_->literal(type, std::move(lanes)));
  return true;
}

bool Lifter::liftLanes(const llvm::Constant &constant, corpus::Type type,
                       std::vector<Operand> &lanes) {
  if (!type.isScalar()) {
    const unsigned count = type.isVector() ? type.lanes() : type.elements();
    for (unsigned i = 0; i < count; ++i) {
      const llvm::Constant *element = constant.getAggregateElement(i);
      if (!element)
        return fail("constant of type " + text(*constant.getType()));
      if (!liftLanes(*element, type.isVector() ? type.lane(i) : type.element(i),
                     lanes))
        return false;
    }
    return true;
  }
  // A scalar literal needs no place of its own.
  if (!liftValue(constant))
    return false;
  lanes.push_back(program_->operands.back());
  program_->operands.pop_back();
  return lanes.back().is(Operand::Kind::constant) ||
         lanes.back().is(Operand::Kind::undef) ||
         lanes.back().is(Operand::Kind::poison) ||
         fail("constant of type " + text(*constant.getType()));
}

bool Lifter::liftMask(const llvm::ShuffleVectorInst &shuffle) {
  const auto i32 = corpus::Type::integer(32);
  std::vector<Operand> lanes;
  for (const int lane : shuffle.getShuffleMask())
    lanes.push_back(lane < 0
                        ? Operand::poison(i32)
                        : Operand::constant(i32, static_cast<unsigned>(lane)));
  if (lanes.size() > corpus::Type::maximumLanes)
    return fail("a mask of more than 64 lanes");
  const auto type =
      corpus::Type::vector(static_cast<unsigned>(lanes.size()), i32);
  program_->operands.push_back(program_->literal(type, std::move(lanes)));
  return true;
}

void Lifter::liftBlock(const llvm::BasicBlock &block) {
  const std::uint32_t index = blocks_.empty() ? 0 : blocks_.lookup(&block);
  program_->operands.push_back(Operand::block(index));
}

} // namespace runner
