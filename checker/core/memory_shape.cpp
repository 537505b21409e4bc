// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/core/memory_shape.h"

#include <algorithm>
#include <cstdlib>

namespace checker::core {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;
namespace flag = corpus::flag;

namespace {

/// Larger locals, and accesses farther away, are not taken.
constexpr std::uint64_t maximumLocal = 64;
constexpr std::int64_t farAway = 1 << 10;

bool refuse(Lack &lack, Lack::Kind kind, std::uint32_t what) {
  lack = {kind, what};
  return false;
}

bool refuse(Lack &lack, Opcode opcode) {
  return refuse(lack, Lack::Kind::opcode, static_cast<std::uint32_t>(opcode));
}

/// What is loaded and stored as whole bytes.
bool fillsBytes(Type type) { return type.isInteger() && type.width() % 8 == 0; }

} // namespace

MemoryFact factOfAccess(const Pointer &pointer, const Instruction &instruction,
                        Type type, bool isWrite) {
  MemoryFact fact;
  fact.isWrite = isWrite;
  fact.root = pointer.root;
  fact.offset = pointer.offset;
  fact.size = static_cast<std::uint32_t>(corpus::storeSize(type));
  fact.alignment = instruction.alignment;
  return fact;
}

MemoryFact factOfSize(std::uint16_t root, std::int64_t offset,
                      std::uint64_t size) {
  MemoryFact fact;
  fact.root = root;
  fact.offset = static_cast<std::int32_t>(offset);
  fact.size = static_cast<std::uint32_t>(size);
  return fact;
}

Pointer pointerOf(const Operand &operand,
                  const std::vector<Pointer> &pointers) {
  Pointer pointer;
  if (operand.is(Operand::Kind::instruction))
    return pointers[operand.payload];
  if (operand.is(Operand::Kind::argument)) {
    pointer.kind = Pointer::Kind::argument;
    pointer.root = static_cast<std::uint16_t>(operand.payload);
  }
  return pointer; // null and poison are nowhere
}

Place placeOf(const Operand &operand, const std::vector<Pointer> &pointers) {
  Place place;
  if (operand.is(Operand::Kind::constant))
    return place;
  const Pointer pointer = pointerOf(operand, pointers);
  return {pointer.root, pointer.offset};
}

void MemoryShape::clear() {
  places_.clear();
  facts_.clear();
  bytes_.clear();
  nullTests_.clear();
}

std::size_t MemoryShape::indexOf(const MemoryFact &fact) const {
  return static_cast<std::size_t>(
      std::find(facts_.begin(), facts_.end(), fact) - facts_.begin());
}

std::size_t MemoryShape::byteAt(std::uint16_t root, std::int32_t offset) const {
  return static_cast<std::size_t>(std::find_if(bytes_.begin(), bytes_.end(),
                                               [&](const WindowByte &byte) {
                                                 return byte.root == root &&
                                                        byte.offset == offset;
                                               }) -
                                  bytes_.begin());
}

std::size_t MemoryShape::indexOf(const Place &place) const {
  return static_cast<std::size_t>(
      std::find(places_.begin(), places_.end(), place) - places_.begin());
}

std::size_t MemoryShape::note(const MemoryFact &fact) {
  const std::size_t index = indexOf(fact);
  if (index == facts_.size())
    facts_.push_back(fact);
  return index;
}

void MemoryShape::access(const Pointer &pointer, const Instruction &instruction,
                         Type type, bool isWrite) {
  if (pointer.kind != Pointer::Kind::argument)
    return;
  const MemoryFact fact = factOfAccess(pointer, instruction, type, isWrite);
  note(fact);
  for (std::uint32_t i = 0; i < fact.size; ++i)
    noteByte(pointer.root, pointer.offset + static_cast<std::int32_t>(i),
             isWrite);
}

void MemoryShape::noteByte(std::uint16_t root, std::int32_t offset,
                           bool isWrite) {
  const std::size_t at = byteAt(root, offset);
  if (at == bytes_.size())
    bytes_.push_back({root, false, offset});
  bytes_[at].isWritten = bytes_[at].isWritten || isWrite;
}

void MemoryShape::noteNullTest(std::uint16_t root) {
  if (std::find(nullTests_.begin(), nullTests_.end(), root) == nullTests_.end())
    nullTests_.push_back(root);
}

/// Of the arguments that are pointers. What is not accessed may be seen too.
bool MemoryShape::addAttributes(const Program &program, Lack &lack) {
  namespace attribute = corpus::attribute;
  constexpr std::uint32_t known =
      attribute::noundef | attribute::nonnull | attribute::dereferenceable |
      attribute::readonly | attribute::readnone | attribute::writeonly |
      attribute::initializes | attribute::captures | attribute::nofree;
  const auto &parameters = program.signature.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const corpus::Attributes &own = parameters[i].attributes;
    if (!parameters[i].type.isPointer() || own.empty())
      continue;
    const auto root = static_cast<std::uint16_t>(i);
    if ((own.bits & ~known) != 0)
      return refuse(lack, Lack::Kind::attribute, own.bits & ~known);
    // A copy that was not captured must not be used.
    if (own.has(attribute::captures) &&
        program.signature.returnType.isPointer())
      return refuse(lack, Lack::Kind::attribute, attribute::captures);
    if (own.has(attribute::dereferenceable)) {
      const std::uint64_t size = own.valueOf(attribute::dereferenceable).low;
      if (size > maximumLocal)
        return refuse(lack, Lack::Kind::attribute, attribute::dereferenceable);
      note(factOfSize(root, 0, size));
    }
    if (own.has(attribute::nonnull))
      noteNullTest(root);
    if (!own.has(attribute::initializes))
      continue;
    const auto &range = own.valueOf(attribute::initializes);
    const auto low = static_cast<std::int64_t>(range.low);
    const auto high = static_cast<std::int64_t>(range.high);
    if (low < -farAway || high > farAway ||
        high - low > static_cast<std::int64_t>(maximumLocal))
      return refuse(lack, Lack::Kind::attribute, attribute::initializes);
    for (std::int64_t offset = low; offset < high; ++offset) {
      noteByte(root, static_cast<std::int32_t>(offset), true);
      MemoryFact fact = factOfSize(root, offset, 1);
      note(fact);
      fact.isWrite = true; // read-only memory tells them apart
      note(fact);
    }
  }
  return true;
}

/// By constants only. As Run::step() of the reference interpreter.
bool MemoryShape::step(const Program &program, const Semantics &semantics,
                       const Instruction &gep, Pointer &pointer, Lack &lack) {
  const auto operands = program.operandsOf(gep);
  const bool checks = semantics.gepBounds == GepBounds::poison;
  const bool inbounds = checks && gep.flags.has(flag::inbounds);
  const bool ordered =
      checks && (gep.flags.has(flag::nusw) || gep.flags.has(flag::nuw));
  for (std::size_t i = 1; i < operands.size(); i += 2)
    if (!operands[i].is(Operand::Kind::constant))
      return operands[i].is(Operand::Kind::poison)
                 ? (pointer = {}, true)
                 : refuse(lack, Opcode::getelementptr);
  if (pointer.kind == Pointer::Kind::nowhere)
    return true;
  if (pointer.kind == Pointer::Kind::local && ordered)
    return refuse(lack, Opcode::getelementptr);
  for (std::size_t i = 1; i < operands.size(); i += 2) {
    const std::int64_t index =
        corpus::signExtend(operands[i].payload, operands[i].type.width());
    const auto scale = static_cast<std::int64_t>(operands[i + 1].payload);
    std::int64_t product = 0;
    if (__builtin_mul_overflow(index, scale, &product) ||
        std::abs(product) > farAway ||
        std::abs(pointer.offset + product) > farAway)
      return refuse(lack, Opcode::getelementptr);
    if (product == 0)
      continue;
    std::uint64_t asUnsigned = 0;
    if (checks && gep.flags.has(flag::nuw) &&
        __builtin_mul_overflow(static_cast<std::uint64_t>(index),
                               static_cast<std::uint64_t>(scale),
                               &asUnsigned)) {
      pointer = {};
      return true;
    }
    const auto to = static_cast<std::int32_t>(pointer.offset + product);
    if (pointer.kind == Pointer::Kind::local) {
      const auto size = static_cast<std::int32_t>(localSizes_[pointer.root]);
      if (inbounds && (pointer.offset < 0 || pointer.offset > size || to < 0 ||
                       to > size)) {
        pointer = {};
        return true;
      }
    } else if (inbounds || ordered) {
      if (pointer.stepCount == Pointer::maximumSteps)
        return refuse(lack, Opcode::getelementptr);
      MemoryFact fact;
      fact.kind = MemoryFact::Kind::outside;
      fact.flags = gep.flags.bits();
      fact.root = pointer.root;
      fact.offset = pointer.offset;
      fact.other = to;
      pointer.steps[pointer.stepCount++] =
          static_cast<std::uint16_t>(note(fact));
    }
    pointer.offset = to;
  }
  return true;
}

bool MemoryShape::add(const Program &program, const Semantics &semantics,
                      std::vector<Pointer> &pointers, Lack &lack) {
  localSizes_.clear();
  if (!addAttributes(program, lack))
    return false;
  if (pointers.size() < program.instructions.size())
    pointers.resize(program.instructions.size());
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction &instruction = program.instructions[i];
    const auto operands = program.operandsOf(instruction);
    if (instruction.opcode == Opcode::alloca_) {
      const std::uint64_t size =
          operands[0].payload *
          corpus::allocationSize(instruction.accessedType);
      if (size > maximumLocal)
        return refuse(lack, Opcode::alloca_);
      pointers[i] = {};
      pointers[i].kind = Pointer::Kind::local;
      pointers[i].root = static_cast<std::uint16_t>(localSizes_.size());
      localSizes_.push_back(static_cast<std::uint32_t>(size));
      continue;
    }
    bool isTaken = true;
    for (std::size_t o = 0; o < operands.size(); ++o) {
      if (!operands[o].type.isPointer())
        continue;
      // Of a literal null and poison; defined before; at its place.
      const bool isKnown = operands[o].is(Operand::Kind::constant) ||
                           operands[o].is(Operand::Kind::poison) ||
                           operands[o].is(Operand::Kind::argument) ||
                           (operands[o].is(Operand::Kind::instruction) &&
                            operands[o].payload < i);
      const bool isAccessed =
          (instruction.opcode == Opcode::load && o == 0) ||
          (instruction.opcode == Opcode::store && o == 1) ||
          (instruction.opcode == Opcode::getelementptr && o == 0);
      // Of comparisons only the test of an argument for null.
      const bool isNullTest =
          instruction.opcode == Opcode::icmp &&
          (instruction.predicate == corpus::Predicate::eq ||
           instruction.predicate == corpus::Predicate::ne) &&
          operands[0].is(Operand::Kind::argument) &&
          operands[1].is(Operand::Kind::constant);
      if (isNullTest)
        noteNullTest(static_cast<std::uint16_t>(operands[0].payload));
      isTaken = isTaken && isKnown &&
                (isAccessed || isNullTest || instruction.opcode == Opcode::ret);
    }
    if (!isTaken)
      return refuse(lack, instruction.opcode);
    switch (instruction.opcode) {
    case Opcode::load:
      if (!fillsBytes(instruction.type))
        return refuse(lack, Lack::Kind::type, instruction.type.id());
      access(pointerOf(operands[0], pointers), instruction, instruction.type,
             false);
      break;
    case Opcode::store:
      if (!fillsBytes(operands[0].type))
        return refuse(lack, Lack::Kind::type, operands[0].type.id());
      access(pointerOf(operands[1], pointers), instruction, operands[0].type,
             true);
      break;
    case Opcode::getelementptr:
      pointers[i] = pointerOf(operands[0], pointers);
      if (!step(program, semantics, instruction, pointers[i], lack))
        return false;
      break;
    case Opcode::ret: {
      if (operands.empty() || !operands[0].type.isPointer() ||
          operands[0].is(Operand::Kind::poison))
        break;
      // Where a local is nobody knows, and no longer matters; of an address in
      // no block it does.
      if (!operands[0].is(Operand::Kind::constant) &&
          pointerOf(operands[0], pointers).kind != Pointer::Kind::argument)
        return refuse(lack, Opcode::ret);
      const Place place = placeOf(operands[0], pointers);
      if (indexOf(place) == places_.size())
        places_.push_back(place);
      if (places_.size() > ProgramMemory::maximumPlaces)
        return refuse(lack, Opcode::ret);
      break;
    }
    default:
      if (instruction.type.isPointer())
        return refuse(lack, instruction.opcode);
    }
  }
  return true;
}

/// Two windows may meet where one of the bytes is written.
void MemoryShape::finish() {
  for (std::size_t i = 0; i < bytes_.size(); ++i)
    for (std::size_t j = i + 1; j < bytes_.size(); ++j) {
      if (bytes_[i].root == bytes_[j].root ||
          (!bytes_[i].isWritten && !bytes_[j].isWritten))
        continue;
      MemoryFact fact;
      fact.kind = MemoryFact::Kind::same;
      fact.root = bytes_[i].root;
      fact.offset = bytes_[i].offset;
      fact.otherRoot = bytes_[j].root;
      fact.other = bytes_[j].offset;
      facts_.push_back(fact);
    }
}

} // namespace checker::core
