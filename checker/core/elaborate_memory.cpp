// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores: copies between registers and the bytes of memory. A byte is
// a number, poison, or, where it was never written, the set of all numbers
// (Value::maySet), and then a slot behind its bits says in which runs.
//
// Memory is one for all blocks: a run takes one path, so what blocks elsewhere
// store under their guards is not seen on it. A store into the window of one
// argument changes those of the others where they coincide.
#include "checker/core/elaborate.h"

namespace checker::core {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Type;
namespace attribute = corpus::attribute;

namespace {

constexpr unsigned byteBits = 8;

} // namespace

void Elaborator::enterMemory() {
  const ProgramMemory &memory = *options_->memory;
  zero_ = literal(Literal::Kind::number, 1, 0);
  uninitialized_ = undefined(byteBits);
  bytes_.clear();
  for (std::size_t i = 0; i < memory.shape->bytes().size(); ++i)
    bytes_.emplace_back(memory.bytes +
                            static_cast<Slot>(i) * ProgramMemory::slotsOfByte,
                        false);
  locals_.clear();
  localBytes_.clear();
  const bool isPoison = semantics_->uninitializedLoad == LoadRule::poison ||
                        (semantics_->uninitializedLoad == LoadRule::undef &&
                         semantics_->undef == UndefRule::asPoison);
  fresh_ = isPoison ? Value(literal(Literal::Kind::poison, byteBits, 0), false)
                    : uninitialized_;
  for (const Instruction &instruction : program_->instructions) {
    if (instruction.opcode != Opcode::alloca_)
      continue;
    const std::uint64_t size = program_->operandsOf(instruction)[0].payload *
                               corpus::allocationSize(instruction.accessedType);
    locals_.push_back({localBytes_.size(), size, instruction.alignment});
    localBytes_.insert(localBytes_.end(), size, fresh_);
  }

  const std::uint64_t effects = program_->signature.function.effects();
  effects_ = corpus::memory::at(effects, corpus::memory::argument);
  tracksWrites_ = (effects_ & corpus::memory::read) == 0;
  for (const corpus::Parameter &parameter : program_->signature.parameters)
    tracksWrites_ =
        tracksWrites_ ||
        parameter.attributes.has(attribute::writeonly | attribute::initializes);
  if (!tracksWrites_)
    return;
  unwritten_.assign(bytes_.size(), literal(Literal::Kind::on, 1, 0));
  unwrittenThrough_ = unwritten_;
}

/// Its attributes that are asked about at entry.
bool Elaborator::pointerArgument(const corpus::Parameter &parameter,
                                 Value &value) {
  const corpus::Attributes &own = parameter.attributes;
  const auto root = static_cast<std::uint16_t>(
      &parameter - program_->signature.parameters.data());
  if (own.has(attribute::nonnull))
    value = {poisonWhere(value.slot(), ProgramMemory::slotsOfPointer,
                         value.slot() + 1),
             false};
  if (own.has(attribute::dereferenceable))
    requireNot(
        factOfSize(root, 0, own.valueOf(attribute::dereferenceable).low));
  if (own.has(attribute::noundef))
    require(value, Type::integer(1), mode::ofPoison);
  return true;
}

/// What `initializes` makes of bytes that were not written.
void Elaborator::leaveMemory() {
  const ProgramMemory &memory = *options_->memory;
  const auto &parameters = program_->signature.parameters;
  tracksWrites_ = false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const corpus::Attributes &own = parameters[i].attributes;
    if (!parameters[i].type.isPointer() || !own.has(attribute::initializes))
      continue;
    const auto root = static_cast<std::uint16_t>(i);
    const auto &range = own.valueOf(attribute::initializes);
    const auto high = static_cast<std::int64_t>(range.high);
    for (auto at = static_cast<std::int64_t>(range.low); at < high; ++at) {
      const std::size_t byte =
          memory.shape->byteAt(root, static_cast<std::int32_t>(at));
      if (unwrittenThrough_[byte] == zero_)
        continue;
      const std::size_t fact = memory.shape->indexOf(factOfSize(root, at, 1));
      guard_ = chooseSlot(memory.facts + static_cast<Slot>(fact), zero_,
                          unwrittenThrough_[byte]);
      if (own.has(attribute::nonnull)) // a block may be behind null
        guard_ = chooseSlot(arguments_[i].slot(), zero_, guard_);
      add(code::enterBlock, 1).a = guard_;
      const std::size_t enter = stepCount_ - 1;
      write(bytes_[byte], fresh_);
      out_->storage[enter].b = static_cast<Slot>(stepCount_);
    }
  }
  out_->bytes = bytes_;
}

/// The set of all numbers.
Value Elaborator::undefined(unsigned width) {
  const Slot slot = literal(Literal::Kind::number, width, 0);
  literal(Literal::Kind::on, 1, 0);
  return {slot, true};
}

/// A slot that says whether it is the set of all numbers.
Slot Elaborator::isUndefined(const Value &value, unsigned width) const {
  return value.maySet() ? value.slot() + 1 + width : zero_;
}

void Elaborator::copyPlanes(Slot from, Slot to, unsigned count) {
  Step &step = add(code::choose, count - 1);
  step.a = step.b = step.c = from;
  step.result = to;
}

/// The slot behind the bits of `result` that says whether it is a set.
void Elaborator::chooseUndefined(Slot guard, const Value &then,
                                 const Value &otherwise, unsigned width,
                                 Slot result) {
  Step &step = add(code::choose, 0);
  step.a = isUndefined(then, width);
  step.b = isUndefined(otherwise, width);
  step.c = guard;
  step.result = result + 1 + width;
}

Value Elaborator::chooseWithUndefined(Slot guard, const Value &then,
                                      const Value &otherwise, unsigned width) {
  const bool maySet = then.maySet() || otherwise.maySet();
  const Slot result = allocate(1 + width + (maySet ? 1 : 0));
  Step &step = add(code::choose, width);
  step.a = then.slot();
  step.b = otherwise.slot();
  step.c = guard;
  step.result = result;
  if (maySet)
    chooseUndefined(guard, then, otherwise, width, result);
  return {result, maySet};
}

/// What is chosen is passed on as it is: an arm that is a set stays one.
bool Elaborator::selectWithUndefined(std::size_t index) {
  const Instruction &instruction = program_->instructions[index];
  const auto operands = program_->operandsOf(instruction);
  const Value first = use(operands[0]);
  const Value then = whole(operands[1]);
  const Value otherwise = whole(operands[2]);
  const Value guard = condition(first, Type::integer(1));
  if (lack_.kind != Lack::Kind::none)
    return false;
  const unsigned width = instruction.type.width();
  const bool maySet = then.maySet() || otherwise.maySet();
  Step &step = add(static_cast<std::uint8_t>(Opcode::select), width);
  step.mode = laneMode_;
  step.resultWidth = static_cast<std::uint8_t>(width);
  step.a = guard.slot();
  step.b = then.slot();
  step.c = otherwise.slot();
  const Slot result = step.result = allocate(1 + width + (maySet ? 1 : 0));
  if (maySet)
    chooseUndefined(guard.slot() + 1, then, otherwise, width, result);
  results_[index] = {result, maySet};
  return true;
}

/// result = then where the guard holds, else otherwise
Slot Elaborator::chooseSlot(Slot guard, Slot then, Slot otherwise) {
  Step &step = add(code::choose, 0);
  step.a = then;
  step.b = otherwise;
  step.c = guard;
  return step.result = allocate(1);
}

/// A copy of so many slots, the first of which says where it is poison.
Slot Elaborator::poisonWhere(Slot value, unsigned slots, Slot poison) {
  const Slot result = allocate(slots);
  copyPlanes(value, result, slots);
  Step &join = add(code::join, 1);
  join.a = value;
  join.b = poison;
  join.result = result;
  return result;
}

void Elaborator::requireNot(const MemoryFact &fact) {
  const ProgramMemory &memory = *options_->memory;
  Step &step = add(code::require, 1);
  step.mode = mode::ofPoison;
  step.a = memory.facts + static_cast<Slot>(memory.shape->indexOf(fact));
}

/// By attributes, whatever memory says. Requires a pointer based on an
/// argument.
bool Elaborator::isForbidden(const Pointer &pointer, bool isWrite) const {
  const corpus::Attributes &own = attributesOf(pointer);
  if (own.has(attribute::readnone))
    return true;
  if (isWrite)
    return own.has(attribute::readonly) ||
           (effects_ & corpus::memory::write) == 0;
  return own.has(attribute::writeonly) &&
         semantics_->writeonlyLoad == WriteonlyLoad::ub;
}

/// What attributes make of a load of bytes that were not written before.
Value Elaborator::poisonWhereUnwritten(Value value, const Pointer &pointer,
                                       Type type,
                                       std::span<Value *const> bytes) {
  const corpus::Attributes &own = attributesOf(pointer);
  const auto add = [&](Slot unwritten) {
    if (unwritten != zero_)
      value = {poisonWhere(value.slot(),
                           1 + type.width() + (value.maySet() ? 1 : 0),
                           unwritten),
               value.maySet()};
  };
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<std::size_t>(bytes[i] - bytes_.data());
    const std::int64_t offset = pointer.offset + static_cast<std::int64_t>(i);
    const bool isInitialized =
        own.has(attribute::initializes) &&
        offset >= static_cast<std::int64_t>(
                      own.valueOf(attribute::initializes).low) &&
        offset <
            static_cast<std::int64_t>(own.valueOf(attribute::initializes).high);
    if (own.has(attribute::writeonly) || isInitialized)
      add(unwrittenThrough_[byte]);
    if ((effects_ & corpus::memory::read) == 0)
      add(unwritten_[byte]);
  }
  return value;
}

/// UB where it is not fine. The accessed bytes; none where it never is.
std::span<Value *const> Elaborator::access(const Operand &operand,
                                           const Instruction &instruction,
                                           Type type, bool isWrite) {
  const ProgramMemory &memory = *options_->memory;
  const Pointer pointer = pointerOf(operand, *memory.pointers);
  accessed_.clear();
  const auto size = static_cast<std::int64_t>(corpus::storeSize(type));
  if (pointer.kind == Pointer::Kind::local) {
    const Local &local = locals_[pointer.root];
    // Of its address only the alignment of its alloca is known.
    if (pointer.offset >= 0 &&
        pointer.offset + size <= static_cast<std::int64_t>(local.size) &&
        instruction.alignment <= local.alignment &&
        pointer.offset % instruction.alignment == 0) {
      for (std::int64_t i = 0; i < size; ++i)
        accessed_.push_back(
            &localBytes_[local.first +
                         static_cast<std::size_t>(pointer.offset + i)]);
      return accessed_;
    }
  }
  if (pointer.kind != Pointer::Kind::argument ||
      isForbidden(pointer, isWrite)) {
    add(code::ub, 1);
    return {};
  }
  for (std::size_t i = 0; i < pointer.stepCount; ++i)
    requireNot(memory.shape->facts()[pointer.steps[i]]);
  requireNot(factOfAccess(pointer, instruction, type, isWrite));
  if (attributesOf(pointer).has(attribute::nonnull)) // it may be behind null
    require(arguments_[pointer.root], Type::integer(1), mode::ofPoison);
  for (std::int64_t i = 0; i < size; ++i)
    accessed_.push_back(&bytes_[memory.shape->byteAt(
        pointer.root, pointer.offset + static_cast<std::int32_t>(i))]);
  return accessed_;
}

bool Elaborator::load(std::size_t index) {
  const Instruction &instruction = program_->instructions[index];
  const Type type = instruction.type;
  const auto bytes =
      access(program_->operandsOf(instruction)[0], instruction, type, false);
  Value &result = results_[index];
  if (bytes.empty()) {
    result = {literal(Literal::Kind::number, type.width(), 0), false};
    return true;
  }
  bool maySet = false;
  bool areUninitialized = true;
  for (const Value *byte : bytes) {
    maySet = maySet || byte->maySet();
    areUninitialized = areUninitialized && *byte == uninitialized_;
  }
  // A pick for each load, and numbers of which only some bits are known.
  if (maySet &&
      (semantics_->uninitializedLoad != LoadRule::undef ||
       (bytes.size() > 1 && !areUninitialized)) &&
      !need(feature::sets))
    return false;
  if (bytes.size() == 1) {
    result = *bytes[0];
  } else if (maySet) {
    result = undefined(type.width());
  } else {
    const Slot at = allocate(1 + type.width());
    result = {at, false};
    Slot poison = bytes[0]->slot();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const std::size_t place = program_->bigEndian ? bytes.size() - 1 - i : i;
      copyPlanes(bytes[i]->slot() + 1,
                 at + 1 + static_cast<Slot>(place * byteBits), byteBits);
      if (i == 0)
        continue;
      Step &join = add(code::join, 1);
      join.a = poison;
      join.b = bytes[i]->slot();
      poison = join.result = i + 1 == bytes.size() ? at : allocate(1);
    }
  }
  const Pointer pointer = pointerOf(program_->operandsOf(instruction)[0],
                                    *options_->memory->pointers);
  if (tracksWrites_ && pointer.kind == Pointer::Kind::argument)
    result = poisonWhereUnwritten(result, pointer, type, bytes);
  const corpus::CallAttributes *attributes = attributesOf(instruction);
  return attributes == nullptr || attributes->result.empty() ||
         restrict(attributes->result, type, result);
}

bool Elaborator::store(std::size_t index) {
  const Instruction &instruction = program_->instructions[index];
  const auto operands = program_->operandsOf(instruction);
  const Value value = whole(operands[0]);
  if (!value.exists())
    return false;
  const Type type = operands[0].type;
  // Stored as a set of which loads pick.
  if (value.maySet() && semantics_->uninitializedLoad != LoadRule::undef &&
      !need(feature::sets))
    return false;
  if (semantics_->storePoison == StorePoison::ub)
    require(value, type, mode::ofPoison);
  const auto bytes = access(operands[1], instruction, type, true);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    write(*bytes[i],
          partOf(value, type, program_->bigEndian ? bytes.size() - 1 - i : i));
  return true;
}

/// One byte of it, counted from the lowest.
Value Elaborator::partOf(const Value &value, Type type, std::size_t place) {
  // Its poison and its lowest bits stand side by side.
  if (type.width() == byteBits || (place == 0 && !value.maySet()))
    return value.maySet() ? value : Value(value.slot(), false);
  const Slot part = allocate(ProgramMemory::slotsOfByte + 1);
  copyPlanes(value.slot(), part, 1);
  copyPlanes(value.slot() + 1 + static_cast<Slot>(place * byteBits), part + 1,
             byteBits);
  if (value.maySet())
    copyPlanes(isUndefined(value, type.width()), part + 1 + byteBits, 1);
  return {part, value.maySet()};
}

void Elaborator::write(Value &byte, const Value &value) {
  byte = guard_ == noSlot ? value
                          : chooseWithUndefined(guard_, value, byte, byteBits);
  const ProgramMemory &memory = *options_->memory;
  if (&byte < bytes_.data() || &byte >= bytes_.data() + bytes_.size())
    return; // of a local
  const auto index = static_cast<std::size_t>(&byte - bytes_.data());
  const WindowByte &own = memory.shape->bytes()[index];
  if (tracksWrites_)
    for (std::vector<Slot> *unwritten : {&unwritten_, &unwrittenThrough_}) {
      Slot &slot = (*unwritten)[index];
      slot = guard_ == noSlot || slot == zero_
                 ? zero_
                 : chooseSlot(guard_, zero_, slot);
    }
  const auto &facts = memory.shape->facts();
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const MemoryFact &fact = facts[i];
    if (fact.kind != MemoryFact::Kind::same)
      continue;
    const bool isFirst = fact.root == own.root && fact.offset == own.offset;
    const bool isSecond =
        fact.otherRoot == own.root && fact.other == own.offset;
    if (!isFirst && !isSecond)
      continue;
    const std::size_t otherByte =
        isFirst ? memory.shape->byteAt(fact.otherRoot, fact.other)
                : memory.shape->byteAt(fact.root, fact.offset);
    Value &other = bytes_[otherByte];
    Slot guard = memory.facts + static_cast<Slot>(i);
    if (guard_ != noSlot) {
      // Where this block runs and they coincide.
      Step &split = add(code::split, 1);
      split.a = guard - 1;
      split.b = guard = allocate(1);
      split.c = allocate(1);
    }
    other = chooseWithUndefined(guard, value, other, byteBits);
    if (tracksWrites_)
      unwritten_[otherByte] = chooseSlot(guard, zero_, unwritten_[otherByte]);
  }
}

/// Of an argument with null.
bool Elaborator::testForNull(std::size_t index) {
  const Instruction &instruction = program_->instructions[index];
  const auto operands = program_->operandsOf(instruction);
  Value &result = results_[index];
  result = arguments_[operands[0].payload];
  if (instruction.predicate == corpus::Predicate::ne)
    result = {operate(Opcode::xor_, 1, 1, result.slot(),
                      literal(Literal::Kind::number, 1, 1)),
              false};
  return lack_.kind == Lack::Kind::none;
}

/// Requires a pointer that the shape knows.
bool Elaborator::returnPointer(std::size_t index) {
  if (!program_->signature.result.empty())
    return fails(Lack::Kind::attribute, program_->signature.result.bits);
  const ProgramMemory &memory = *options_->memory;
  const Operand &operand =
      program_->operandsOf(program_->instructions[index]).front();
  const Type type = ProgramMemory::returned;
  Value value;
  if (operand.is(Operand::Kind::poison)) {
    value = {literal(Literal::Kind::poison, type.width(), 0), false};
  } else {
    const std::size_t place =
        memory.shape->indexOf(placeOf(operand, *memory.pointers));
    value = {memory.places +
                 static_cast<Slot>(place) * ProgramMemory::slotsOfPlace,
             false};
  }
  const Pointer pointer = pointerOf(operand, *memory.pointers);
  const auto addPoison = [&](Slot poison) {
    value = {poisonWhere(value.slot(), ProgramMemory::slotsOfPlace, poison),
             false};
  };
  for (std::size_t i = 0; i < pointer.stepCount; ++i)
    addPoison(memory.facts + static_cast<Slot>(pointer.steps[i]));
  if (pointer.kind == Pointer::Kind::argument &&
      attributesOf(pointer).has(attribute::nonnull))
    addPoison(arguments_[pointer.root].slot());
  out_->returned = out_->returned.exists()
                       ? choose(guard_, value, out_->returned, type)
                       : value;
  return true;
}

/// It may be the set of all numbers.
Value Elaborator::wholeWithMemory(const Operand &operand) {
  return operand.is(Operand::Kind::undef) && operand.type.isInteger() &&
                 semantics_->undef == UndefRule::perUse
             ? undefined(operand.type.width())
             : valueOf(operand);
}

bool Elaborator::memory(std::size_t index) {
  const Opcode opcode = program_->instructions[index].opcode;
  if (options_->memory == nullptr)
    return fails(Lack::Kind::opcode, static_cast<std::uint32_t>(opcode));
  switch (opcode) {
  case Opcode::alloca_:
  case Opcode::getelementptr:
    return true; // MemoryShape knows
  case Opcode::load:
    return load(index);
  case Opcode::store:
    return store(index);
  default:
    return fails(Lack::Kind::opcode, static_cast<std::uint32_t>(opcode));
  }
}

} // namespace checker::core
