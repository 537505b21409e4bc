// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/lift.h"

#include "runner/llvm/attributes.h"
#include "runner/llvm/instruction_map.h"
#include "runner/llvm/release.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
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

/// Calls without any effect on a function's meaning.
bool isIgnored(const llvm::Instruction &instruction) {
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
  default:
    return false;
  }
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

bool Lifter::fail(std::string reason) {
  reason_ = std::move(reason);
  return false;
}

std::optional<std::string> Lifter::lift(const llvm::Function &function,
                                        corpus::Program &program) {
  program.clear();
  program_ = &program;
  reason_.clear();
  otherMemory_.clear();
  returned_.reset();
  callees_.clear();
  if (!liftSignature(function, program.signature))
    return std::move(reason_);
  number(function);
  for (const llvm::BasicBlock &block : function) {
    if (!isReachable(block))
      continue;
    program.beginBlock();
    for (const llvm::Instruction &instruction : block)
      if (!isIgnored(instruction) && !liftInstruction(instruction))
        return std::move(reason_);
  }
  if (!checkPromises())
    return std::move(reason_);
  return std::nullopt;
}

bool Lifter::checkPromises() {
  // Nothing in a function that calls nobody can break a promise about memory.
  if (!otherMemory_.empty() && !program_->callees.empty())
    return fail(fmt::format("attribute {}", otherMemory_));
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

void Lifter::number(const llvm::Function &function) {
  blocks_.clear();
  if (function.size() > 1) {
    stack_.push_back(&function.getEntryBlock());
    while (!stack_.empty()) {
      const llvm::BasicBlock *block = stack_.pop_back_val();
      if (blocks_.try_emplace(block, 0).second)
        stack_.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
  }
  order_.clear();
  numbers_.clear();
  std::uint32_t blockNumber = 0;
  for (const llvm::BasicBlock &block : function) {
    if (!isReachable(block))
      continue;
    if (!blocks_.empty())
      blocks_[&block] = blockNumber++;
    for (const llvm::Instruction &instruction : block)
      if (!isIgnored(instruction))
        order_.push_back(&instruction);
  }
  if (order_.size() > shortList)
    for (std::uint32_t i = 0; i < order_.size(); ++i)
      numbers_.try_emplace(order_[i], i);
}

std::optional<std::uint32_t> Lifter::numberOf(const llvm::Value &value) const {
  if (order_.size() > shortList) {
    const auto found = numbers_.find(&value);
    return found == numbers_.end() ? std::nullopt
                                   : std::optional(found->second);
  }
  const auto *found = std::find(order_.begin(), order_.end(), &value);
  return found == order_.end() ? std::nullopt
                               : std::optional(static_cast<std::uint32_t>(
                                     found - order_.begin()));
}

bool Lifter::liftSignature(const llvm::Function &function,
                           corpus::Signature &signature) {
  if (function.isVarArg())
    return fail("variadic function");
  if (function.hasGC())
    return fail("garbage collector");
  if (!function.getReturnType()->isVoidTy() &&
      !liftType(*function.getReturnType(), signature.returnType))
    return false;
  if (signature.returnType.isOverflowPair())
    return fail(text(*function.getReturnType()) + " is not an integer type");
  for (const llvm::Argument &argument : function.args()) {
    corpus::Type type;
    if (!liftType(*argument.getType(), type))
      return false;
    if (!type.isInteger())
      return fail(text(*argument.getType()) + " is not an integer type");
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

  LiftedAttributes lifted;
  if (auto reason = runner::liftAttributes(
          attributes.getAttributes(llvm::AttributeList::FunctionIndex), lifted))
    return fail(std::move(*reason));
  signature.function = lifted.attributes;
  if (!lifted.otherMemory.empty()) {
    if (function.isDeclaration())
      return fail(fmt::format("attribute {}", lifted.otherMemory));
    otherMemory_ = std::move(lifted.otherMemory);
  }
  if (!liftAttributes(
          attributes.getAttributes(llvm::AttributeList::ReturnIndex),
          signature.result))
    return false;
  for (unsigned i = 0; i < signature.parameters.size(); ++i) {
    LiftedAttributes parameter;
    if (auto reason = runner::liftAttributes(
            attributes.getAttributes(llvm::AttributeList::FirstArgIndex + i),
            parameter))
      return fail(std::move(*reason));
    if (parameter.returned && function.isDeclaration())
      return fail("attribute returned");
    if (parameter.returned)
      returned_ = i;
    signature.parameters[i].attributes = parameter.attributes;
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
  if (const auto *pair = llvm::dyn_cast<llvm::StructType>(&type))
    if (pair->isLiteral() && !pair->isPacked() && pair->getNumElements() == 2 &&
        pair->getElementType(0)->isIntegerTy() &&
        pair->getElementType(1)->isIntegerTy(1) &&
        pair->getElementType(0)->getIntegerBitWidth() <=
            corpus::Type::maximumWidth) {
      out = corpus::Type::overflowPair(
          pair->getElementType(0)->getIntegerBitWidth());
      return true;
    }
  if (type.isVectorTy())
    return fail("vector type " + text(type));
  return fail(text(type) + " is not an integer type");
}

bool Lifter::liftAttributes(llvm::AttributeSet set, corpus::Attributes &out) {
  if (!set.hasAttributes())
    return true;
  LiftedAttributes lifted;
  if (auto reason = runner::liftAttributes(set, lifted))
    return fail(std::move(*reason));
  if (!lifted.otherMemory.empty())
    return fail(fmt::format("attribute {}", lifted.otherMemory));
  if (lifted.returned)
    return fail("attribute returned");
  out = lifted.attributes;
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
  case Shape::extract: {
    const auto &extract = llvm::cast<llvm::ExtractValueInst>(instruction);
    corpus::Type source;
    lifted = liftType(*extract.getAggregateOperand()->getType(), source) &&
             liftValue(*extract.getAggregateOperand());
    program_->operands.push_back(
        Operand::constant(corpus::Type::integer(32), extract.getIndices()[0]));
    break;
  }
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
  default:
    lifted = liftOperands(instruction);
    break;
  }
  if (!lifted)
    return false;

  // Only intrinsics make a pair, only extractvalue and freeze take one.
  if (out.type.isOverflowPair() && !info(out.opcode).isIntrinsic() &&
      out.opcode != Opcode::freeze)
    return fail(fmt::format("{} of type {}", instruction.getOpcodeName(),
                            text(*instruction.getType())));
  if (hasUnknownFlag(instruction, out.opcode))
    return fail(
        fmt::format("an unknown flag on {}", instruction.getOpcodeName()));
  out.flags = flagsOf(instruction, out.opcode);
  if (instruction.hasMetadataOtherThanDebugLoc()) {
    corpus::Attributes result;
    if (out.attributes != corpus::Instruction::noAttributes)
      result = program_->callAttributes[out.attributes].result;
    if (auto reason = liftMetadata(instruction, result))
      return fail(std::move(*reason));
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

bool Lifter::liftOperands(const llvm::Instruction &instruction) {
  return std::all_of(
      instruction.op_begin(), instruction.op_end(),
      [&](const llvm::Use &operand) { return liftValue(*operand); });
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
  if (call.isMustTailCall())
    return fail("musttail call");
  for (const llvm::Use &argument : call.args())
    if (!liftValue(*argument))
      return false;

  const llvm::AttributeList attributes = call.getAttributes();
  if (attributes.isEmpty())
    return true;
  corpus::CallAttributes site;
  if (!liftAttributes(
          attributes.getAttributes(llvm::AttributeList::FunctionIndex),
          site.function) ||
      !liftAttributes(
          attributes.getAttributes(llvm::AttributeList::ReturnIndex),
          site.result))
    return false;
  std::vector<corpus::Attributes> parameters(call.arg_size());
  for (unsigned i = 0; i < parameters.size(); ++i)
    if (!liftAttributes(
            attributes.getAttributes(llvm::AttributeList::FirstArgIndex + i),
            parameters[i]))
      return false;
  if (std::any_of(parameters.begin(), parameters.end(),
                  [](const auto &each) { return !each.empty(); }))
    site.parameters = std::move(parameters);
  if (site == corpus::CallAttributes())
    return true;
  out.attributes = static_cast<std::uint32_t>(program_->callAttributes.size());
  program_->callAttributes.push_back(std::move(site));
  return true;
}

bool Lifter::liftCallee(const llvm::CallBase &call, corpus::Instruction &out) {
  const llvm::Function *function = call.getCalledFunction();
  if (!function)
    return fail(call.isInlineAsm() ? "inline assembly" : "indirect call");
  if (call.getFunctionType() != function->getFunctionType())
    return fail("call through another type");
  if (function->isIntrinsic()) {
    const auto opcode = opcodeOfIntrinsic(function->getIntrinsicID());
    if (!opcode)
      return fail(function->getName().str());
    out.opcode = *opcode;
    return true;
  }
  if (!function->isDeclaration())
    return fail("call of a function with a body");
  if (call.getCallingConv() != function->getCallingConv())
    return fail("call with another calling convention than its callee");
  const auto *known = std::find(callees_.begin(), callees_.end(), function);
  out.callee = static_cast<std::uint32_t>(known - callees_.begin());
  if (known != callees_.end())
    return true;
  callees_.push_back(function);
  corpus::Callee callee;
  callee.name = function->getName().str();
  if (!liftSignature(*function, callee.signature))
    return false;
  program_->callees.push_back(std::move(callee));
  return true;
}

bool Lifter::liftValue(const llvm::Value &value) {
  auto &operands = program_->operands;
  corpus::Type type;
  if (!liftType(*value.getType(), type))
    return false;
  if (const auto *argument = llvm::dyn_cast<llvm::Argument>(&value)) {
    operands.push_back(Operand::argument(type, argument->getArgNo()));
    return true;
  }
  if (llvm::isa<llvm::Instruction>(value)) {
    const auto number = numberOf(value);
    if (!number)
      return fail("use of a value from an unreachable block");
    operands.push_back(Operand::instruction(type, *number));
    return true;
  }
  if (const auto *integer = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
    operands.push_back(Operand::constant(type, integer->getZExtValue()));
    return true;
  }
  if (llvm::isa<llvm::PoisonValue>(value)) {
    operands.push_back(Operand::poison(type));
    return true;
  }
  if (llvm::isa<llvm::UndefValue>(value)) {
    operands.push_back(Operand::undef(type));
    return true;
  }
  if (const auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(&value))
    return fail(
        fmt::format("constant expression {}", expression->getOpcodeName()));
  return fail("constant of type " + text(*value.getType()));
}

void Lifter::liftBlock(const llvm::BasicBlock &block) {
  const std::uint32_t index = blocks_.empty() ? 0 : blocks_.lookup(&block);
  program_->operands.push_back(Operand::block(index));
}

} // namespace runner
