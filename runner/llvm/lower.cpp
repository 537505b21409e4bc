// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/lower.h"

#include "corpus/program/shape.h"
#include "corpus/program/target.h"

#include "runner/llvm/attributes.h"
#include "runner/llvm/instruction_map.h"
#include "runner/llvm/release.h"

#include "corpus/program/library.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace runner {
namespace {

using corpus::Opcode;
using corpus::Operand;
using corpus::Shape;

std::optional<std::string> lackOf(const corpus::Instruction &instruction) {
  const corpus::OpcodeInfo &row = info(instruction.opcode);
  if (row.since > release::number)
    return fmt::format("LLVM {} has no `{}`", release::number, row.spelling);
  if (instruction.flags.empty() ||
      flagsSince(row.opcode, instruction.flags) <= release::number)
    return std::nullopt;
  for (const corpus::FlagInfo &flag : corpus::flagTable)
    if (instruction.flags.has(flag.flag) &&
        flagsSince(row.opcode, flag.flag) > release::number)
      return fmt::format("LLVM {} has no `{}` on {}", release::number,
                         flag.spelling, row.spelling);
  return std::nullopt;
}

std::optional<std::string> lackOf(const corpus::Signature &signature) {
  if (auto lack = lackedAttribute(signature.function))
    return lack;
  if (auto lack = lackedAttribute(signature.result))
    return lack;
  for (const corpus::Parameter &parameter : signature.parameters)
    if (auto lack = lackedAttribute(parameter.attributes))
      return lack;
  return std::nullopt;
}

void setFlags(llvm::Instruction &instruction, corpus::Flags flags) {
  using namespace corpus::flag;
  if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    release::setAddressFlags(*address, flags);
  } else if (llvm::isa<llvm::OverflowingBinaryOperator>(instruction)) {
    instruction.setHasNoUnsignedWrap(flags.has(nuw));
    instruction.setHasNoSignedWrap(flags.has(nsw));
  } else if (llvm::isa<llvm::PossiblyExactOperator>(instruction)) {
    instruction.setIsExact(flags.has(exact));
  } else {
    release::setYoungFlags(instruction, flags);
  }
}

/// Whether LLVM believes to know a function by this name.
bool isLibraryName(llvm::StringRef name) {
  static const llvm::TargetLibraryInfoImpl library{llvm::Triple()};
  llvm::LibFunc function{};
  return library.getLibFunc(name, function);
}

/// Blocks in an order in which every dominator comes before what it dominates:
/// a path of the depth-first tree passes through all dominators of its end.
/// Unreachable blocks come last.
llvm::SmallVector<std::uint32_t, 8> depthFirst(const corpus::Program &program) {
  llvm::SmallVector<std::uint32_t, 8> order;
  llvm::SmallVector<std::uint32_t, 8> stack;
  llvm::SmallVector<bool, 8> seen(program.blocks.size(), false);
  for (std::uint32_t root = 0; root < program.blocks.size(); ++root) {
    stack.push_back(root);
    while (!stack.empty()) {
      const std::uint32_t index = stack.pop_back_val();
      if (seen[index])
        continue;
      seen[index] = true;
      order.push_back(index);
      const auto &terminator =
          program.instructions[program.blocks[index].end - 1];
      for (const Operand &operand : program.operandsOf(terminator))
        if (operand.is(Operand::Kind::block))
          stack.push_back(static_cast<std::uint32_t>(operand.payload));
    }
  }
  return order;
}

} // namespace

std::optional<std::string> lackOf(const corpus::Program &program) {
  for (const corpus::Instruction &instruction : program.instructions) {
    if (auto lack = lackOf(instruction))
      return lack;
    // Metadata of a load is as old as loads.
    if (instruction.attributes != corpus::Instruction::noAttributes &&
        info(instruction.opcode).shape != Shape::load)
      if (auto lack = lackedAttribute(
              program.callAttributes[instruction.attributes].result))
        return lack;
  }
  if (auto lack = lackOf(program.signature))
    return lack;
  for (const corpus::Callee &callee : program.callees) {
    if (auto lack = lackOf(callee.signature))
      return lack;
    if (release::hasTypedPointers && callee.isIndirect())
      return "a call through a pointer of no type";
    // The name of one says what its pointers point to, too.
    if (corpus::targetIntrinsic(callee.name) != nullptr &&
        (release::intrinsicNamed(callee.name) ==
             llvm::Intrinsic::not_intrinsic ||
         (release::hasTypedPointers &&
          callee.signature.returnType.isPointer())))
      return fmt::format("LLVM {} has no {}", release::number, callee.name);
  }
  for (const corpus::CallAttributes &call : program.callAttributes) {
    if (auto lack = lackedAttribute(call.function))
      return lack;
    for (const corpus::Attributes &parameter : call.parameters)
      if (auto lack = lackedAttribute(parameter))
        return lack;
  }
  return std::nullopt;
}

Lowerer::Lowerer(llvm::LLVMContext &context) : context_(context) {}

void Lowerer::start(llvm::Module &module) {
  module_ = &module;
  intrinsics_.clear();
}

bool Lowerer::conflicts(const corpus::Program &program) const {
  auto *self = const_cast<Lowerer *>(this); // the type caches
  for (const corpus::Global &global : program.globals)
    if (const llvm::GlobalValue *known = module_->getNamedValue(global.name);
        known != nullptr && !self->isSame(*known, global))
      return true;
  for (const corpus::Callee &callee : program.callees) {
    const llvm::GlobalValue *value = module_->getNamedValue(callee.name);
    const auto *known = llvm::dyn_cast_or_null<llvm::Function>(value);
    if (value != nullptr && known == nullptr)
      return true;
    if (known &&
        (!known->isDeclaration() ||
         known->getFunctionType() != self->functionType(callee.signature) ||
         (corpus::targetIntrinsic(callee.name) == nullptr &&
          known->getAttributes() != self->attributes(callee.signature))))
      return true;
  }
  return false;
}

llvm::Function &Lowerer::lower(const corpus::Program &program,
                               const llvm::Twine &name) {
  assert(module_ && "start() comes first");
  program_ = &program;
  // Callees first, so that a callee keeps its name and the function gives way.
  for (const corpus::Global &global : program.globals)
    if (!module_->getNamedValue(global.name))
      addGlobal(global);
  for (const corpus::Callee &external : program.callees)
    if (!external.isIndirect() && !module_->getFunction(external.name)) {
      auto *function = llvm::Function::Create(functionType(external.signature),
                                              llvm::Function::ExternalLinkage,
                                              external.name, *module_);
      // LLVM gives intrinsics theirs.
      if (corpus::targetIntrinsic(external.name) == nullptr)
        function->setAttributes(attributes(external.signature));
    }
  function_ =
      llvm::Function::Create(functionType(program.signature),
                             llvm::Function::ExternalLinkage, name, *module_);
  function_->setAttributes(attributes(program.signature));

  lowerBody();
  return *function_;
}

void Lowerer::lowerInto(llvm::Function &function,
                        const corpus::Program &program) {
  assert(function.arg_size() == program.signature.parameters.size());
  program_ = &program;
  function_ = &function;
  function_->setAttributes(attributes(program.signature));
  lowerBody();
}

/// The blocks that the function has already, empty ones, come first.
void Lowerer::lowerBody() {
  blocks_.clear();
  for (llvm::BasicBlock &block : *function_)
    blocks_.push_back(&block);
  for (; blocks_.size() > program_->blocks.size(); blocks_.pop_back())
    blocks_.back()->eraseFromParent();
  while (blocks_.size() < program_->blocks.size())
    blocks_.push_back(llvm::BasicBlock::Create(context_, "", function_));
  values_.assign(program_->instructions.size(), nullptr);
  if (program_->blocks.size() == 1) {
    lowerBlock(0);
  } else {
    for (const std::uint32_t index : depthFirst(*program_))
      lowerBlock(index);
    lowerPhiOperands();
  }
}

llvm::Type *Lowerer::type(corpus::Type type) {
  if (type.isVoid())
    return llvm::Type::getVoidTy(context_);
  if (type.isInteger()) {
    auto *&integer = integers_[type.width()];
    if (!integer)
      integer = llvm::IntegerType::get(context_, type.width());
    return integer;
  }
  if (type.isPointer())
    return release::pointerType(context_);
  if (type.isVector())
    return llvm::FixedVectorType::get(this->type(type.lane(0)), type.lanes());
  if (type.isArray())
    return llvm::ArrayType::get(this->type(type.element(0)), type.elements());
  return llvm::StructType::get(this->type(type.element(0)),
                               this->type(type.element(1)));
}

llvm::Type *Lowerer::allocated(corpus::Type type, std::uint64_t count) {
  llvm::Type *one = this->type(type);
  return count == 1 ? one : llvm::ArrayType::get(one, count);
}

llvm::Constant *Lowerer::contents(const corpus::Global &global) {
  return global.contents.empty()
             ? nullptr
             : llvm::ConstantDataArray::get(
                   context_, llvm::ArrayRef<std::uint8_t>(global.contents));
}

void Lowerer::addGlobal(const corpus::Global &global) {
  llvm::Constant *bytes = contents(global);
  llvm::Type *type = bytes != nullptr ? bytes->getType()
                                      : allocated(global.type, global.count);
  auto *variable = new llvm::GlobalVariable(*module_, type, global.isConstant,
                                            llvm::GlobalValue::ExternalLinkage,
                                            bytes, global.name);
  variable->setAlignment(llvm::Align(global.alignment));
}

bool Lowerer::isSame(const llvm::GlobalValue &known,
                     const corpus::Global &global) {
  const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&known);
  llvm::Constant *bytes = contents(global);
  return variable != nullptr && variable->isConstant() == global.isConstant &&
         variable->getAlign() == llvm::Align(global.alignment) &&
         (variable->hasInitializer() ? variable->getInitializer() : nullptr) ==
             bytes &&
         (bytes != nullptr ||
          variable->getValueType() == allocated(global.type, global.count));
}

llvm::FunctionType *Lowerer::functionType(const corpus::Signature &signature) {
  llvm::SmallVector<llvm::Type *, 8> parameters;
  for (const corpus::Parameter &parameter : signature.parameters)
    parameters.push_back(type(parameter.type));
  return llvm::FunctionType::get(type(signature.returnType), parameters,
                                 /*isVarArg=*/false);
}

llvm::AttributeList Lowerer::attributes(const corpus::Signature &signature) {
  llvm::SmallVector<llvm::AttributeSet, 8> parameters;
  bool any = !signature.function.empty() || !signature.result.empty();
  for (const corpus::Parameter &parameter : signature.parameters)
    any |= !parameter.attributes.empty();
  if (!any)
    return {};
  for (const corpus::Parameter &parameter : signature.parameters)
    parameters.push_back(runner::lowerAttributes(context_, parameter.attributes,
                                                 parameter.type));
  return llvm::AttributeList::get(
      context_,
      runner::lowerAttributes(context_, signature.function, corpus::Type()),
      runner::lowerAttributes(context_, signature.result, signature.returnType),
      parameters);
}

llvm::Value *Lowerer::value(const Operand &operand) {
  switch (operand.kind) {
  case Operand::Kind::constant:
    if (operand.type.isPointer())
      return llvm::ConstantPointerNull::get(
          llvm::cast<llvm::PointerType>(type(operand.type)));
    return integer(operand.type, operand.payload);
  case Operand::Kind::pooled: {
    std::span<const Operand> lanes = program_->constants[operand.payload].lanes;
    return constant(operand.type, lanes);
  }
  case Operand::Kind::undef:
    return llvm::UndefValue::get(type(operand.type));
  case Operand::Kind::poison:
    return llvm::PoisonValue::get(type(operand.type));
  case Operand::Kind::argument:
    return function_->getArg(static_cast<unsigned>(operand.payload));
  case Operand::Kind::instruction:
    // Only an operand in an unreachable block may come before its definition.
    if (llvm::Value *known = values_[operand.payload])
      return known;
    return llvm::PoisonValue::get(type(operand.type));
  case Operand::Kind::global: {
    llvm::Constant *variable =
        module_->getNamedValue(program_->globals[operand.payload].name);
    return release::hasTypedPointers
               ? llvm::ConstantExpr::getBitCast(variable, type(operand.type))
               : variable;
  }
  case Operand::Kind::block:
    break;
  }
  llvm_unreachable("a block is not a value");
}

llvm::ConstantInt *Lowerer::integer(corpus::Type type, std::uint64_t bits) {
  auto *of = llvm::cast<llvm::IntegerType>(this->type(type));
  auto &numbers = numbers_[type.width()];
  if (bits >= numbers.size())
    return llvm::ConstantInt::get(of, bits);
  llvm::ConstantInt *&known = numbers[bits];
  if (known == nullptr)
    known = llvm::ConstantInt::get(of, bits);
  return known;
}

llvm::Constant *Lowerer::constant(corpus::Type type,
                                  std::span<const Operand> &lanes) {
  if (type.isScalar()) {
    auto *lane = llvm::cast<llvm::Constant>(value(lanes.front()));
    lanes = lanes.subspan(1);
    return lane;
  }
  llvm::SmallVector<llvm::Constant *, 4> elements;
  const unsigned count = type.isVector() ? type.lanes() : type.elements();
  for (unsigned i = 0; i < count; ++i)
    elements.push_back(
        constant(type.isVector() ? type.lane(0) : type.element(i), lanes));
  if (type.isVector())
    return llvm::ConstantVector::get(elements);
  if (type.isArray())
    return llvm::ConstantArray::get(
        llvm::cast<llvm::ArrayType>(this->type(type)), elements);
  return llvm::ConstantStruct::get(
      llvm::cast<llvm::StructType>(this->type(type)), elements);
}

llvm::BasicBlock *Lowerer::block(const Operand &operand) {
  assert(operand.is(Operand::Kind::block));
  return blocks_[operand.payload];
}

void Lowerer::lowerBlock(std::size_t index) {
  const corpus::Block &range = program_->blocks[index];
  block_ = blocks_[index];
  for (std::uint32_t i = range.begin; i < range.end; ++i) {
    const corpus::Instruction &instruction = program_->instructions[i];
    llvm::Instruction *lowered = lowerInstruction(instruction);
    if (!instruction.flags.empty())
      setFlags(*lowered, instruction.flags);
    release::append(*block_, lowered);
    values_[i] = instruction.type.isPointer()
                     ? pointerTo(lowered, llvm::Type::getInt8Ty(context_))
                     : lowered;
  }
}

llvm::Value *Lowerer::pointerTo(llvm::Value *pointer, llvm::Type *pointee) {
  if constexpr (release::hasTypedPointers) {
    llvm::Type *wanted = release::pointerTo(*pointee);
    if (pointer->getType() == wanted)
      return pointer;
    auto *cast =
        llvm::CastInst::Create(llvm::Instruction::BitCast, pointer, wanted);
    release::append(*block_, cast);
    return cast;
  }
  return (void)pointee, pointer;
}

llvm::Instruction *
Lowerer::lowerInstruction(const corpus::Instruction &instruction) {
  const auto operands = program_->operandsOf(instruction);
  switch (info(instruction.opcode).shape) {
  case Shape::binary:
    return llvm::BinaryOperator::Create(
        static_cast<llvm::Instruction::BinaryOps>(
            llvmOpcodeOf(instruction.opcode)),
        value(operands[0]), value(operands[1]));
  case Shape::compare:
    return new llvm::ICmpInst(toLlvm(instruction.predicate), value(operands[0]),
                              value(operands[1]));
  case Shape::select:
    return llvm::SelectInst::Create(value(operands[0]), value(operands[1]),
                                    value(operands[2]));
  case Shape::unary:
    return new llvm::FreezeInst(value(operands[0]));
  case Shape::allocation:
    return new llvm::AllocaInst(
        allocated(instruction.accessedType, operands[0].payload), 0, nullptr,
        llvm::Align(instruction.alignment));
  case Shape::load: {
    auto *load = new llvm::LoadInst(
        type(instruction.type),
        pointerTo(value(operands[0]), type(instruction.type)), "",
        /*isVolatile=*/false, llvm::Align(instruction.alignment));
    if (instruction.attributes != corpus::Instruction::noAttributes)
      lowerMetadata(program_->callAttributes[instruction.attributes].result,
                    *load);
    return load;
  }
  case Shape::store:
    return new llvm::StoreInst(
        value(operands[0]),
        pointerTo(value(operands[1]), type(operands[0].type)),
        /*isVolatile=*/false, llvm::Align(instruction.alignment));
  case Shape::address:
    return lowerAddress(instruction);
  case Shape::widen:
  case Shape::narrow:
  case Shape::toInteger:
  case Shape::toPointer:
  case Shape::reinterpret:
    return llvm::CastInst::Create(static_cast<llvm::Instruction::CastOps>(
                                      llvmOpcodeOf(instruction.opcode)),
                                  value(operands[0]), type(instruction.type));
  case Shape::extract:
    return llvm::ExtractValueInst::Create(
        value(operands[0]), {static_cast<unsigned>(operands[1].payload)});
  case Shape::insert:
    return llvm::InsertValueInst::Create(
        value(operands[0]), value(operands[1]),
        {static_cast<unsigned>(operands[2].payload)});
  case Shape::extractElement:
    return llvm::ExtractElementInst::Create(value(operands[0]),
                                            value(operands[1]));
  case Shape::insertElement:
    return llvm::InsertElementInst::Create(
        value(operands[0]), value(operands[1]), value(operands[2]));
  case Shape::shuffle: {
    llvm::SmallVector<int, 8> mask(operands[2].type.lanes(), -1);
    if (operands[2].is(Operand::Kind::pooled))
      for (std::size_t i = 0; i < mask.size(); ++i)
        if (const Operand &lane =
                program_->constants[operands[2].payload].lanes[i];
            lane.is(Operand::Kind::constant))
          mask[i] = static_cast<int>(lane.payload);
    return new llvm::ShuffleVectorInst(value(operands[0]), value(operands[1]),
                                       mask);
  }
  case Shape::phi:
    return llvm::PHINode::Create(type(instruction.type),
                                 static_cast<unsigned>(operands.size() / 2));
  case Shape::terminator:
    return lowerTerminator(instruction);
  case Shape::call:
  case Shape::intrinsicUnary:
  case Shape::intrinsicUnaryWithFlag:
  case Shape::intrinsicBinary:
  case Shape::intrinsicTernary:
  case Shape::intrinsicOverflow:
  case Shape::intrinsicThreeWay:
  case Shape::intrinsicAssume:
  case Shape::intrinsicCopy:
  case Shape::intrinsicFill:
  case Shape::intrinsicLifetime:
  case Shape::intrinsicReduce:
  case Shape::intrinsicExtract:
  case Shape::intrinsicInsert:
    return lowerCall(instruction);
  }
  llvm_unreachable("shape without a lowering");
}

llvm::Function *Lowerer::callee(const corpus::Program &program,
                                const corpus::Instruction &instruction) {
  if (instruction.opcode == Opcode::call)
    return module_->getFunction(program.callees[instruction.callee].name);

  // Between the first and the last type there are but pointers.
  const corpus::SuffixTypes suffix = suffixTypes(program, instruction);
  const unsigned last = suffix.count == 0 ? 0 : suffix.count - 1;
  llvm::Function *&known =
      intrinsics_[{static_cast<unsigned>(instruction.opcode),
                   {suffix.types[0].id(), suffix.types[last].id()}}];
  if (!known) {
    llvm::SmallVector<llvm::Type *, 3> types;
    for (const corpus::Type type : suffix.list())
      types.push_back(this->type(type));
    known = release::declare(*module_, intrinsicOf(instruction.opcode), types);
  }
  return known;
}

llvm::Instruction *Lowerer::lowerCall(const corpus::Instruction &instruction) {
  llvm::SmallVector<llvm::Value *, 4> arguments;
  const auto operands = program_->operandsOf(instruction);
  const bool hasSize =
      release::lifetimesHaveSize &&
      info(instruction.opcode).shape == Shape::intrinsicLifetime;
  if (hasSize)
    arguments.push_back(sizeOf(operands[0]));
  const bool isIndirect = instruction.opcode == Opcode::call &&
                          program_->callees[instruction.callee].isIndirect();
  for (const Operand &operand : operands.subspan(isIndirect ? 1 : 0))
    arguments.push_back(value(operand));
  llvm::FunctionCallee called;
  if (isIndirect) {
    corpus::Signature pointed = program_->callees[instruction.callee].signature;
    pointed.parameters.erase(pointed.parameters.begin());
    called = {functionType(pointed), value(operands[0])};
  } else {
    called = callee(*program_, instruction);
  }
  auto *call = llvm::CallInst::Create(called, arguments);
  if (instruction.attributes != corpus::Instruction::noAttributes)
    lowerAttributes(instruction, isIndirect ? 1 : 0, hasSize, *call);
  if (instruction.opcode != Opcode::call || isIndirect)
    return call;
  // Of other callees of a Program nobody knows what they do, whatever they are
  // called.
  if (const auto *known = corpus::libraryFunctionOf(*program_, instruction)) {
    if (known->isOperator())
      release::addAttribute(*call, llvm::Attribute::Builtin);
  } else if (isLibraryName(called.getCallee()->getName()) &&
             corpus::unknownLibraryFunction(
                 program_->callees[instruction.callee])
                 .empty()) {
    release::addAttribute(*call, llvm::Attribute::NoBuiltin);
  }
  return call;
}

void Lowerer::lowerAttributes(const corpus::Instruction &instruction,
                              std::size_t first, bool hasSize,
                              llvm::CallInst &call) {
  const auto operands = program_->operandsOf(instruction);
  const corpus::CallAttributes &site =
      program_->callAttributes[instruction.attributes];
  llvm::SmallVector<llvm::AttributeSet, 4> parameters;
  if (hasSize)
    parameters.emplace_back();
  for (std::size_t i = first; i < site.parameters.size(); ++i)
    parameters.push_back(runner::lowerAttributes(context_, site.parameters[i],
                                                 operands[i].type));
  call.setAttributes(llvm::AttributeList::get(
      context_,
      runner::lowerAttributes(context_, site.function, corpus::Type()),
      runner::lowerAttributes(context_, site.result, instruction.type),
      parameters));
  call.setTailCall(site.function.has(corpus::attribute::tail));
}

llvm::Value *Lowerer::sizeOf(const Operand &allocation) {
  const corpus::Instruction &made = program_->instructions[allocation.payload];
  return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context_),
                                program_->operandsOf(made)[0].payload *
                                    corpus::allocationSize(made.accessedType));
}

/// Of the types that printAddress() writes.
llvm::Instruction *
Lowerer::lowerAddress(const corpus::Instruction &instruction) {
  const auto steps = addressSteps(*program_, instruction);
  llvm::Type *const byte = llvm::Type::getInt8Ty(context_);
  const auto last = static_cast<unsigned>(steps.back().scale);
  llvm::Type *stepped = llvm::ArrayType::get(byte, steps.back().scale);
  if (last == steps.back().scale &&
      (last == 1 || last == 2 || last == 4 || last == 8))
    stepped = llvm::Type::getIntNTy(context_, 8 * last);
  llvm::SmallVector<llvm::Value *, 4> indices;
  for (std::size_t i = steps.size(); i-- > 0;) {
    const corpus::AddressStep &step = steps[i];
    if (!step.countsArrays)
      indices.push_back(
          llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), 0));
    if (i + 1 < steps.size())
      stepped =
          step.countsArrays
              ? static_cast<llvm::Type *>(
                    llvm::ArrayType::get(stepped, step.elements))
              : llvm::StructType::get(context_,
                                      {llvm::ArrayType::get(stepped, 0),
                                       llvm::ArrayType::get(byte, step.scale)},
                                      /*isPacked=*/true);
    indices.push_back(value(step.index));
  }
  std::reverse(indices.begin(), indices.end());
  const corpus::Operand &base = program_->operandsOf(instruction)[0];
  return llvm::GetElementPtrInst::Create(
      stepped, pointerTo(value(base), stepped), indices);
}

llvm::Instruction *
Lowerer::lowerTerminator(const corpus::Instruction &instruction) {
  const auto operands = program_->operandsOf(instruction);
  switch (instruction.opcode) {
  case Opcode::ret:
    return llvm::ReturnInst::Create(
        context_, operands.empty() ? nullptr : value(operands[0]));
  case Opcode::br:
    if (operands.size() == 1)
      return llvm::BranchInst::Create(block(operands[0]));
    return llvm::BranchInst::Create(block(operands[1]), block(operands[2]),
                                    value(operands[0]));
  case Opcode::switch_: {
    auto *inst = llvm::SwitchInst::Create(
        value(operands[0]), block(operands[1]),
        static_cast<unsigned>(operands.size() / 2 - 1));
    for (std::size_t i = 2; i < operands.size(); i += 2)
      inst->addCase(llvm::cast<llvm::ConstantInt>(value(operands[i])),
                    block(operands[i + 1]));
    return inst;
  }
  case Opcode::unreachable:
    return new llvm::UnreachableInst(context_);
  default:
    llvm_unreachable("terminator without a lowering");
  }
}

void Lowerer::lowerPhiOperands() {
  for (std::size_t i = 0; i < program_->instructions.size(); ++i) {
    const corpus::Instruction &instruction = program_->instructions[i];
    if (instruction.opcode != Opcode::phi)
      continue;
    auto *phi = llvm::cast<llvm::PHINode>(values_[i]);
    const auto operands = program_->operandsOf(instruction);
    for (std::size_t o = 0; o < operands.size(); o += 2)
      phi->addIncoming(value(operands[o]), block(operands[o + 1]));
  }
}

} // namespace runner
