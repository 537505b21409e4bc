// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/retype.h"

#include "corpus/program/shape.h"

#include <algorithm>
#include <numeric>

namespace corpus {
namespace {

/// Everything in a program that has a type, in classes that must have the same.
class TypeClasses {
public:
  explicit TypeClasses(const Program &program)
      : program_(program),
        parent_(returnSlot() + 1 + calleeSlots(program.callees.size())),
        fixed_(parent_.size(), false) {
    std::iota(parent_.begin(), parent_.end(), std::size_t(0));
    for (const Instruction &instruction : program.instructions)
      constrain(instruction);
  }

  bool isFree(std::size_t slot) const {
    const std::size_t root = find(slot);
    for (std::size_t i = 0; i < parent_.size(); ++i)
      if (fixed_[i] && find(i) == root)
        return false;
    return true;
  }

  std::size_t argumentSlot(std::size_t index) const {
    return program_.operands.size() + index;
  }
  std::size_t resultSlot(std::size_t index) const {
    return argumentSlot(program_.signature.parameters.size()) + index;
  }
  std::size_t returnSlot() const {
    return resultSlot(program_.instructions.size());
  }
  /// Of the return type; the parameters follow.
  std::size_t calleeSlot(std::size_t index) const {
    return returnSlot() + 1 + calleeSlots(index);
  }
  /// Of an operand: the value that it names, or itself.
  std::size_t operandSlot(std::size_t index) const {
    const Operand &operand = program_.operands[index];
    if (operand.is(Operand::Kind::argument))
      return argumentSlot(operand.payload);
    if (operand.is(Operand::Kind::instruction))
      return resultSlot(operand.payload);
    return index;
  }

private:
  std::size_t calleeSlots(std::size_t count) const {
    std::size_t slots = 0;
    for (std::size_t i = 0; i < count; ++i)
      slots += 1 + program_.callees[i].signature.parameters.size();
    return slots;
  }

  std::size_t find(std::size_t slot) const {
    while (parent_[slot] != slot)
      slot = parent_[slot];
    return slot;
  }
  void join(std::size_t a, std::size_t b) { parent_[find(a)] = find(b); }

  void constrain(const Instruction &instruction) {
    const auto index =
        static_cast<std::size_t>(&instruction - program_.instructions.data());
    const std::size_t result = resultSlot(index);
    const auto operand = [&](std::size_t i) {
      return operandSlot(instruction.firstOperand + i);
    };
    const auto joinFrom = [&](std::size_t first, std::size_t step,
                              std::size_t with) {
      for (std::size_t i = first; i < instruction.operandCount; i += step)
        join(operand(i), with);
    };
    const OpcodeInfo &row = info(instruction.opcode);
    switch (row.shape) {
    case Shape::phi:
      return joinFrom(0, 2, result);
    case Shape::extract:
      fixed_[operand(1)] = true;
      if (program_.operandsOf(instruction)[1].payload == 0)
        join(operand(0), result);
      else
        fixed_[result] = true;
      return;
    case Shape::call: {
      const std::size_t callee = calleeSlot(instruction.callee);
      join(result, callee);
      for (std::size_t i = 0; i < instruction.operandCount; ++i)
        join(operand(i), callee + 1 + i);
      return;
    }
    case Shape::address: // offsets
      for (std::size_t i = 1; i < instruction.operandCount; ++i)
        fixed_[operand(i)] = true;
      return;
    case Shape::terminator:
      if (instruction.opcode == Opcode::br && instruction.operandCount == 3)
        fixed_[operand(0)] = true;
      if (instruction.opcode == Opcode::switch_)
        joinFrom(2, 2, operand(0));
      if (instruction.opcode == Opcode::ret && instruction.operandCount == 1)
        join(operand(0), returnSlot());
      return;
    default:
      break;
    }
    const ShapeInfo &shape = info(row.shape);
    std::optional<std::size_t> t; // the first slot of that type
    const auto constrain = [&](Place place, std::size_t slot) {
      if (place == Place::value || place == Place::overflowPair)
        join(slot, t.value_or(slot));
      else if (place == Place::length ||
               typeAt(place, typeOf(program_, instruction)))
        fixed_[slot] = true;
      if (place == Place::value)
        t = t.value_or(slot);
    };
    for (unsigned i = 0; i < shape.operandCount(); ++i)
      constrain(shape.operands[i], operand(i));
    constrain(shape.result, result);
  }

  const Program &program_;
  std::vector<std::size_t> parent_;
  std::vector<bool> fixed_;
};

bool isShiftAmount(const Instruction &instruction, std::size_t operand) {
  const OpcodeInfo &row = info(instruction.opcode);
  return (operand == 1 && row.has(trait::shift)) ||
         (operand == 2 && row.has(trait::funnelShift));
}

std::optional<std::uint64_t> constantAt(std::uint64_t bits, Type from, Type to,
                                        ConstantRule rule, bool shiftAmount) {
  if (bits == 0)
    return 0;
  if (rule == ConstantRule::fromWidth && shiftAmount) {
    // Modulo 2^64, so that a shift may come out narrower.
    const std::uint64_t moved = bits + to.width() - from.width();
    if (bits >= from.width() || moved == 0 || moved >= to.width())
      return std::nullopt;
    return moved;
  }
  if (rule == ConstantRule::unsignedValue)
    return bits > to.mask() ? std::nullopt : std::optional(bits);
  if (bits == from.mask())
    return to.mask();
  if (bits == 1)
    return 1;
  if (bits == (from.mask() >> 1) + 1)
    return (to.mask() >> 1) + 1;
  if (bits == from.mask() >> 1)
    return to.mask() >> 1;
  const auto value = static_cast<std::uint64_t>(signExtend(bits, from.width()));
  const std::uint64_t kept = value & to.mask();
  if (static_cast<std::uint64_t>(signExtend(kept, to.width())) != value)
    return std::nullopt;
  return kept;
}

bool hasRange(const Signature &signature) {
  return signature.result.has(attribute::range) ||
         std::any_of(signature.parameters.begin(), signature.parameters.end(),
                     [](const Parameter &parameter) {
                       return parameter.attributes.has(attribute::range);
                     });
}

bool hasRange(const Program &program) {
  const auto ofCall = [](const CallAttributes &call) {
    return call.result.has(attribute::range) ||
           std::any_of(call.parameters.begin(), call.parameters.end(),
                       [](const Attributes &attributes) {
                         return attributes.has(attribute::range);
                       });
  };
  return hasRange(program.signature) ||
         std::any_of(
             program.callees.begin(), program.callees.end(),
             [](const Callee &callee) { return hasRange(callee.signature); }) ||
         std::any_of(program.callAttributes.begin(),
                     program.callAttributes.end(), ofCall);
}

/// Calls `visit` with each type of the program and its slot. Program may be
/// const.
template <typename AnyProgram, typename Visitor>
void forEachType(AnyProgram &program, const TypeClasses &classes,
                 Visitor &&visit) {
  for (std::size_t i = 0; i < program.signature.parameters.size(); ++i)
    visit(program.signature.parameters[i].type, classes.argumentSlot(i));
  for (std::size_t i = 0; i < program.instructions.size(); ++i)
    visit(program.instructions[i].type, classes.resultSlot(i));
  for (std::size_t i = 0; i < program.operands.size(); ++i)
    visit(program.operands[i].type, classes.operandSlot(i));
  visit(program.signature.returnType, classes.returnSlot());
  for (std::size_t c = 0; c < program.callees.size(); ++c) {
    auto &signature = program.callees[c].signature;
    visit(signature.returnType, classes.calleeSlot(c));
    for (std::size_t i = 0; i < signature.parameters.size(); ++i)
      visit(signature.parameters[i].type, classes.calleeSlot(c) + 1 + i);
  }
}

/// Of an integer or of the first half of a pair; 0 of other types.
unsigned widthOf(Type type) {
  return type.isInteger() || type.isOverflowPair() ? type.lane(0).width() : 0;
}

unsigned mainWidth(const Program &program, const TypeClasses &classes) {
  unsigned width = 0;
  forEachType(program, classes, [&](Type type, std::size_t slot) {
    if (classes.isFree(slot))
      width = std::max(width, widthOf(type));
  });
  return width;
}

} // namespace

std::optional<unsigned> mainWidth(const Program &program) {
  const unsigned width = mainWidth(program, TypeClasses(program));
  return width == 0 ? std::nullopt : std::optional(width);
}

std::optional<Program> atWidth(const Program &program, unsigned width,
                               ConstantRule rule) {
  const TypeClasses classes(program);
  const unsigned from = mainWidth(program, classes);
  if (from == 0 || hasRange(program))
    return std::nullopt;
  Program out = program;
  forEachType(out, classes, [&](Type &type, std::size_t slot) {
    if (widthOf(type) == from && classes.isFree(slot))
      type =
          type.isInteger() ? Type::integer(width) : Type::overflowPair(width);
  });
  for (Instruction &instruction : out.instructions)
    for (std::size_t i = 0; i < instruction.operandCount; ++i) {
      Operand &operand = out.operandsOf(instruction)[i];
      const Type before = program.operands[instruction.firstOperand + i].type;
      if (!operand.is(Operand::Kind::constant) || operand.type == before)
        continue;
      const auto bits = constantAt(operand.payload, before, operand.type, rule,
                                   isShiftAmount(instruction, i));
      if (!bits)
        return std::nullopt;
      operand.payload = *bits;
    }
  if (verify(out))
    return std::nullopt;
  return out;
}

} // namespace corpus
