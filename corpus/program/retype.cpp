// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/retype.h"

#include "corpus/program/canonical.h"
#include "corpus/program/shape.h"
#include "corpus/program/target.h"

#include <algorithm>
#include <numeric>
#include <utility>

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
      const bool isTyped =
          program_.callees[instruction.callee].isIndirect() ||
          targetIntrinsic(program_.callees[instruction.callee].name) != nullptr;
      fixed_[callee] = fixed_[callee] || isTyped;
      join(result, callee);
      for (std::size_t i = 0; i < instruction.operandCount; ++i) {
        fixed_[callee + 1 + i] = fixed_[callee + 1 + i] || isTyped;
        join(operand(i), callee + 1 + i);
      }
      return;
    }
    case Shape::reinterpret: // of as many bits
      fixed_[operand(0)] = fixed_[result] = true;
      return;
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
      if (place == Place::value || place == Place::overflowPair ||
          place == Place::lane || place == Place::sameLanes ||
          place == Place::part)
        join(slot, t.value_or(slot));
      else if (place == Place::length || place == Place::index ||
               place == Place::mask ||
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

bool isOverflowPair(Type type) {
  return type.isStructure() && type.element(0).lane(0).isInteger() &&
         type == Type::overflowPair(type.element(0));
}

/// Of an integer, of lanes, or of the first half of an overflow pair; 0 of
/// other types.
unsigned widthOf(Type type) {
  const bool isOfIntegers = type.isSingle() && type.lane(0).isInteger();
  return isOfIntegers || isOverflowPair(type) ? type.lane(0).width() : 0;
}

/// A type that has such a width, with another one.
Type withWidth(Type type, unsigned width) {
  return isOverflowPair(type)
             ? Type::overflowPair(withWidth(type.element(0), width))
             : type.withLanes(Type::integer(width));
}

/// An operand of type `type` for `out`: of a literal of `program` lane by lane,
/// as map(lane, type of the lane) has it, or nothing if that is nothing; of
/// lanes behind the last one, those from the first one on.
template <typename Map>
std::optional<Operand> mapLanes(const Program &program, Program &out,
                                Operand operand, Type type, Map &&map) {
  if (operand.is(Operand::Kind::constant))
    return map(operand, type);
  if (!operand.is(Operand::Kind::pooled)) {
    operand.type = type;
    return operand;
  }
  const std::vector<Operand> &old = program.constants[operand.payload].lanes;
  std::vector<Operand> lanes;
  for (unsigned i = 0; i < type.lanes(); ++i) {
    const auto lane = map(old[i % old.size()], type.lane(i));
    if (!lane)
      return std::nullopt;
    lanes.push_back(*lane);
  }
  return type.isScalar() ? lanes[0] : out.literal(type, std::move(lanes));
}

unsigned mainWidth(const Program &program, const TypeClasses &classes) {
  unsigned width = 0;
  forEachType(program, classes, [&](Type type, std::size_t slot) {
    if (classes.isFree(slot))
      width = std::max(width, widthOf(type));
  });
  return width;
}

/// The number of a lane among others: as before, or from the end.
std::optional<std::uint64_t> laneAmong(std::uint64_t lane, unsigned before,
                                       unsigned now) {
  if (lane < now && lane < before)
    return lane;
  // Behind the end it stays so.
  return lane + now < before ? std::nullopt
                             : std::optional(lane + now - before);
}

/// Vectors of some number of lanes with another one.
class Lanes {
public:
  Lanes(const Program &program, unsigned before, unsigned now)
      : program_(program), before_(before), now_(now) {}

  std::optional<Program> run() {
    for (const Instruction &instruction : program_.instructions)
      if (!note(instruction))
        return std::nullopt;
    Program out = program_;
    out.constants.clear();
    // Types alone; the slots say nothing here.
    forEachType(out, TypeClasses(program_),
                [&](Type &type, std::size_t) { type = changed(type); });
    for (Instruction &instruction : out.instructions)
      for (std::size_t i = 0; i < instruction.operandCount; ++i) {
        const auto made = operandOf(instruction, i, out);
        if (!made)
          return std::nullopt;
        out.operandsOf(instruction)[i] = *made;
      }
    if (verify(out))
      return std::nullopt;
    return out;
  }

private:
  /// Takes down which integers hold such vectors; false if that cannot be.
  bool note(const Instruction &instruction) {
    const OpcodeInfo &row = info(instruction.opcode);
    // Offsets would have to change.
    if (row.has(trait::accessesMemory))
      return false;
    if (row.shape != Shape::reinterpret)
      return true;
    const Type from = program_.operandsOf(instruction)[0].type;
    const Type to = instruction.type;
    const Type vector = from.isVector() ? from : to;
    const Type other = from.isVector() ? to : from;
    if (!vector.isVector() || vector.lanes() != before_ || !other.isInteger())
      return false;
    const unsigned bits = now_ * vector.lane(0).width();
    if (bits > Type::maximumWidth || (held_ != 0 && held_ != other.width()))
      return false;
    held_ = other.width();
    holds_ = bits;
    return true;
  }

  Type changed(Type type) const {
    if (type.isVector() && type.lanes() == before_)
      return Type::vector(now_, type.lane(0));
    if (type.isInteger() && type.width() == held_)
      return Type::integer(holds_);
    if (type.isStructure())
      return Type::structure(changed(type.element(0)),
                             changed(type.element(1)));
    if (type.isArray())
      return Type::array(type.elements(), changed(type.element(0)));
    return type;
  }

  std::optional<Operand> operandOf(const Instruction &instruction,
                                   std::size_t i, Program &out) const {
    const Operand &old = program_.operands[instruction.firstOperand + i];
    const ShapeInfo &shape = info(info(instruction.opcode).shape);
    const Place place = i < shape.operands.size() ? shape.operands[i] : Place();
    const auto moved = [&](Operand lane, std::uint64_t count) {
      if (!lane.is(Operand::Kind::constant))
        return std::optional(lane);
      const std::uint64_t base = lane.payload / count * count;
      const auto place = laneAmong(lane.payload - base, before_, now_);
      if (!place)
        return std::optional<Operand>();
      lane.payload = base / before_ * now_ + *place;
      return (lane.payload & lane.type.mask()) == lane.payload
                 ? std::optional(lane)
                 : std::nullopt;
    };
    const Type vector = program_.operands[instruction.firstOperand].type;
    const bool ofThese = vector.isVector() && vector.lanes() == before_;
    if (place == Place::index)
      return ofThese && old.is(Operand::Kind::constant)
                 ? moved(old, ~std::uint64_t(0))
                 : std::optional(old);
    const auto lane = [&](Operand lane, Type type) -> std::optional<Operand> {
      if (place == Place::mask)
        return ofThese ? moved(lane, before_) : lane;
      lane.type = type;
      return lane.is(Operand::Kind::constant) &&
                     (lane.payload & type.mask()) != lane.payload
                 ? std::nullopt
                 : std::optional(lane);
    };
    return mapLanes(program_, out, old, changed(old.type), lane);
  }

  const Program &program_;
  const unsigned before_;
  const unsigned now_;
  unsigned held_ = 0;  ///< width of integers that hold such a vector
  unsigned holds_ = 0; ///< then
};

/// The operand of which an instruction that moves lanes is a copy if there is
/// one lane alone.
std::optional<std::size_t> copied(const Program &program,
                                  const Instruction &instruction) {
  const auto operands = program.operandsOf(instruction);
  const auto isOutside = [&](std::size_t index) {
    return operands[index].is(Operand::Kind::constant) &&
           operands[index].payload >= operands[0].type.lanes();
  };
  switch (info(instruction.opcode).shape) {
  case Shape::intrinsicReduce:
    return 0;
  case Shape::extractElement:
    return isOutside(1) ? std::nullopt : std::optional<std::size_t>(0);
  case Shape::insertElement:
    return isOutside(2) ? std::nullopt : std::optional<std::size_t>(1);
  case Shape::shuffle: {
    if (!operands[2].is(Operand::Kind::pooled))
      return std::nullopt;
    for (const Operand &lane : program.constants[operands[2].payload].lanes)
      if (lane.is(Operand::Kind::constant))
        return lane.payload / operands[0].type.lanes();
    return std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

Type onScalars(Type type) {
  if (type.isVector())
    return type.lane(0);
  if (type.isStructure())
    return Type::structure(onScalars(type.element(0)),
                           onScalars(type.element(1)));
  return type;
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
  out.constants.clear();
  forEachType(out, classes, [&](Type &type, std::size_t slot) {
    if (widthOf(type) == from && classes.isFree(slot))
      type = withWidth(type, width);
  });
  for (Instruction &instruction : out.instructions)
    for (std::size_t i = 0; i < instruction.operandCount; ++i) {
      Operand &operand = out.operandsOf(instruction)[i];
      const Operand &old = program.operands[instruction.firstOperand + i];
      const bool isChanged = operand.type != old.type;
      const auto changed = [&](Operand lane,
                               Type to) -> std::optional<Operand> {
        const Type was = std::exchange(lane.type, to);
        if (!isChanged || !lane.is(Operand::Kind::constant))
          return lane;
        const auto bits = constantAt(lane.payload, was, to, rule,
                                     isShiftAmount(instruction, i));
        if (!bits)
          return std::nullopt;
        lane.payload = *bits;
        return lane;
      };
      const auto made = mapLanes(program, out, old, operand.type, changed);
      if (!made)
        return std::nullopt;
      operand = *made;
    }
  if (verify(out))
    return std::nullopt;
  return out;
}

std::optional<unsigned> mainLanes(const Program &program) {
  unsigned lanes = 0;
  for (const Parameter &parameter : program.signature.parameters)
    if (parameter.type.isVector())
      lanes = std::max(lanes, parameter.type.lanes());
  for (const Instruction &instruction : program.instructions)
    if (instruction.type.isVector())
      lanes = std::max(lanes, instruction.type.lanes());
  return lanes == 0 ? std::nullopt : std::optional(lanes);
}

std::optional<Program> atLanes(const Program &program, unsigned lanes) {
  const auto before = mainLanes(program);
  return before ? Lanes(program, *before, lanes).run() : std::nullopt;
}

std::optional<Program> onScalars(const Program &program) {
  if (!mainLanes(program))
    return std::nullopt;
  Program out = program;
  out.constants.clear();
  forEachType(out, TypeClasses(program),
              [](Type &type, std::size_t) { type = onScalars(type); });
  for (std::size_t i = 0; i < program.operands.size(); ++i) {
    const Operand &old = program.operands[i];
    const auto lane = [](Operand lane, Type) { return std::optional(lane); };
    out.operands[i] = *mapLanes(program, out, old, onScalars(old.type), lane);
  }
  for (std::size_t i = program.instructions.size(); i-- > 0;) {
    const Instruction &instruction = program.instructions[i];
    const Shape shape = info(instruction.opcode).shape;
    const bool movesLanes =
        shapeOf(instruction.opcode).types == kind::vectors ||
        shape == Shape::insertElement || shape == Shape::reinterpret;
    if (info(instruction.opcode).has(trait::accessesMemory))
      return std::nullopt;
    if (!movesLanes)
      continue;
    const auto from = copied(program, instruction);
    if (!from)
      return std::nullopt;
    const Operand value = out.operandsOf(out.instructions[i])[*from];
    for (Operand &operand : out.operands)
      if (operand.is(Operand::Kind::instruction) && operand.payload == i)
        operand = value;
    out = withoutInstruction(out, i);
  }
  if (verify(out))
    return std::nullopt;
  return out;
}

} // namespace corpus
