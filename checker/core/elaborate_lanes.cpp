// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors and aggregates, compiled away: an instruction on several lanes is one
// operation for each, what moves lanes is copies, and the rest is put together
// from operations on numbers that every engine has.
#include "checker/core/elaborate.h"

#include "corpus/program/shape.h"

#include <algorithm>

namespace checker::core {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Predicate;
using corpus::Type;

/// One operation on numbers, no knob of which matters.
Slot Elaborator::operate(Opcode opcode, unsigned width, unsigned resultWidth,
                         Slot a, Slot b, Slot c) {
  if (!takes_->opcodes.has(opcode)) {
    fails(Lack::Kind::opcode, static_cast<std::uint32_t>(opcode));
    return a;
  }
  const Slot result = allocate(1 + resultWidth);
  Step &step = add(static_cast<std::uint8_t>(opcode), width);
  step.resultWidth = static_cast<std::uint8_t>(resultWidth);
  step.a = a;
  step.b = b;
  step.c = c;
  step.result = result;
  return result;
}

Slot Elaborator::icmp(Predicate predicate, unsigned width, Slot a, Slot b) {
  const Slot result = operate(Opcode::icmp, width, 1, a, b);
  out_->storage[stepCount_ - 1].predicate =
      static_cast<std::uint8_t>(predicate);
  return result;
}

/// A value of these lanes; copies unless they stand side by side already.
Value Elaborator::assemble(Type type, std::span<const Slot> lanes,
                           bool maySet) {
  bool areTogether = true;
  for (unsigned i = 1; i < lanes.size(); ++i)
    areTogether =
        areTogether && lanes[i] == lanes[i - 1] + 1 + laneWidth(type, i - 1);
  if (areTogether)
    return {lanes[0], maySet};
  const Slot result = allocate(slotsOf(type));
  Slot to = result;
  for (unsigned i = 0; i < lanes.size(); ++i) {
    const unsigned width = laneWidth(type, i);
    Step &copy = add(code::choose, width);
    copy.a = copy.b = copy.c = lanes[i];
    copy.result = to;
    to += 1 + width;
  }
  return {result, maySet};
}

/// Each lane of T on its own; what has one lane goes with all of them.
bool Elaborator::laneByLane(std::size_t index) {
  const Instruction &instruction = program_->instructions[index];
  const corpus::OpcodeInfo &row = corpus::info(instruction.opcode);
  const auto operands = program_->operandsOf(instruction);
  if (options_->memory != nullptr && instruction.opcode == Opcode::icmp &&
      operands[0].type.isPointer())
    return testForNull(index);
  const Type t = typeOf(*program_, instruction);
  const Type type = instruction.type;
  for (const Type each : {t, type})
    if (lanesOf(each) == 0)
      return fails(Lack::Kind::type, each.id());
  if (!need(feature::lanes))
    return false;
  const corpus::CallAttributes *attributes = attributesOf(instruction);
  Value values[3];
  for (std::size_t i = 0; i < operands.size(); ++i)
    values[i] = attributes == nullptr ? use(operands[i])
                                      : argumentOf(*attributes, i, operands[i]);
  if (lack_.kind != Lack::Kind::none)
    return false;
  if (row.shape == corpus::Shape::select) {
    values[0] = condition(values[0], operands[0].type);
    if (lack_.kind != Lack::Kind::none)
      return false;
  }
  bool maySet =
      std::any_of(values, values + operands.size(), [](const Value &value) {
        return value.exists() && value.maySet();
      });
  const std::uint8_t flags = instruction.flags.bits() & flagMask_;
  if (((laneMode_ & mode::flagUndef) != 0 && flags != 0) ||
      ((laneMode_ & mode::shiftUndef) != 0 && row.has(corpus::trait::shift))) {
    maySet = true;
    if (!need(feature::sets))
      return false;
  }

  const bool isPair = row.shape == corpus::Shape::intrinsicOverflow;
  std::vector<Slot> pairs;
  const Slot result = isPair ? noSlot : allocate(slotsOf(type));
  for (unsigned lane = 0; lane < t.lanes(); ++lane) {
    const unsigned width = laneWidth(t, lane);
    Slot slots[3] = {noSlot, noSlot, noSlot};
    for (std::size_t i = 0; i < operands.size(); ++i)
      slots[i] = values[i].slot() + (operands[i].type.lanes() == 1
                                         ? 0
                                         : slotsBefore(operands[i].type, lane));
    const Slot to =
        isPair ? allocate(3 + width) : result + slotsBefore(type, lane);
    if (isPair)
      pairs.push_back(to);
    Step &step = add(static_cast<std::uint8_t>(instruction.opcode), width);
    step.flags = flags;
    step.predicate = static_cast<std::uint8_t>(instruction.predicate);
    step.mode = laneMode_;
    step.a = slots[0];
    step.b = slots[1];
    step.c = slots[2];
    step.resultWidth = static_cast<std::uint8_t>(laneWidth(type, lane));
    step.result = to;
  }
  Value &value = results_[index];
  if (isPair) {
    // The numbers, then the bits behind them.
    for (unsigned lane = 0; lane < t.lanes(); ++lane)
      pairs.push_back(pairs[lane] + 1 + laneWidth(t, lane));
    value = assemble(type, pairs, maySet);
  } else {
    value = {result, maySet};
  }
  return attributes == nullptr || attributes->result.empty() ||
         restrict(attributes->result, type, value);
}

/// The bits from `first` on of all lanes in a row, as a lane of its own. Poison
/// in one of the lanes they come from makes it poison.
Slot Elaborator::bitsOf(const Value &value, Type type, unsigned first,
                        unsigned width) {
  Slot bits = noSlot;
  unsigned at = 0; // of the lane, in the row
  for (unsigned lane = 0; lane < type.lanes(); ++lane) {
    const unsigned from = laneWidth(type, lane);
    const unsigned begin = std::max(at, first);
    const unsigned end = std::min(at + from, first + width);
    if (begin < end) {
      Slot piece = value.slot() + slotsBefore(type, lane);
      if (begin > at)
        piece = operate(Opcode::lshr, from, from, piece,
                        literal(Literal::Kind::number, from, begin - at));
      if (from != width)
        piece = operate(from < width ? Opcode::zext : Opcode::trunc, from,
                        width, piece);
      if (begin > first)
        piece = operate(Opcode::shl, width, width, piece,
                        literal(Literal::Kind::number, width, begin - first));
      bits = bits == noSlot ? piece
                            : operate(Opcode::or_, width, width, bits, piece);
    }
    at += from;
  }
  return bits;
}

/// Poison where the index is, or names no lane.
Slot Elaborator::extractElement(const Value &vector, Type type,
                                const Value &index, Type indexType) {
  const unsigned width = laneWidth(type, 0);
  Slot result = literal(Literal::Kind::poison, width, 0);
  for (unsigned lane = 0; lane < type.lanes() && lane <= indexType.mask();
       ++lane) {
    const Slot number = literal(Literal::Kind::number, indexType.width(), lane);
    const Slot isHere =
        icmp(Predicate::eq, indexType.width(), index.slot(), number);
    result = operate(Opcode::select, width, width, isHere,
                     vector.slot() + slotsBefore(type, lane), result);
  }
  return result;
}

void Elaborator::insertElement(const Instruction &instruction,
                               std::span<const Value> values,
                               std::vector<Slot> &lanes) {
  const Type type = instruction.type;
  const Operand &index = program_->operandsOf(instruction)[2];
  const unsigned width = laneWidth(type, 0);
  const bool isKnown = index.is(Operand::Kind::constant);
  if (isKnown && index.payload < lanes.size()) {
    lanes[index.payload] = values[1].slot();
    return;
  }
  const Slot poison = literal(Literal::Kind::poison, width, 0);
  if (isKnown) {
    std::fill(lanes.begin(), lanes.end(), poison);
    return;
  }
  const Type indexType = index.type;
  const unsigned indexWidth = indexType.width();
  const std::uint64_t last =
      std::min<std::uint64_t>(lanes.size() - 1, indexType.mask());
  // Poison too, where the index is.
  const Slot isLane = icmp(Predicate::ule, indexWidth, values[2].slot(),
                           literal(Literal::Kind::number, indexWidth, last));
  for (unsigned lane = 0; lane < lanes.size(); ++lane) {
    Slot &to = lanes[lane];
    if (lane <= last) {
      const Slot isHere =
          icmp(Predicate::eq, indexWidth, values[2].slot(),
               literal(Literal::Kind::number, indexWidth, lane));
      to = operate(Opcode::select, width, width, isHere, values[1].slot(), to);
    }
    to = operate(Opcode::select, width, width, isLane, to, poison);
  }
}

void Elaborator::shuffle(const Instruction &instruction,
                         std::span<const Value> values,
                         std::vector<Slot> &lanes) {
  const auto operands = program_->operandsOf(instruction);
  const Type from = operands[0].type;
  const Slot poison = literal(Literal::Kind::poison, laneWidth(from, 0), 0);
  lanes.assign(instruction.type.lanes(), poison);
  if (!operands[2].is(Operand::Kind::pooled))
    return;
  const auto &mask = program_->constants[operands[2].payload].lanes;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (!mask[i].is(Operand::Kind::constant))
      continue;
    auto lane = static_cast<unsigned>(mask[i].payload);
    const bool isSecond = lane >= from.lanes();
    if (isSecond)
      lane -= from.lanes();
    lanes[i] = values[isSecond ? 1 : 0].slot() + slotsBefore(from, lane);
  }
}

bool Elaborator::moveLanes(std::size_t index) {
  const Instruction &instruction = program_->instructions[index];
  const auto operands = program_->operandsOf(instruction);
  const Type type = instruction.type;
  const Type from = operands[0].type;
  for (const Type each : {from, type})
    if (lanesOf(each) == 0)
      return fails(Lack::Kind::type, each.id());
  const bool isOverflowBit =
      instruction.opcode == Opcode::extractvalue && from.isOverflowPair();
  if (!isOverflowBit && !need(feature::lanes))
    return false;

  // What stands there already.
  std::optional<std::uint64_t> first;
  switch (instruction.opcode) {
  case Opcode::extractvalue:
    first = from.firstLane(operands[1].payload);
    break;
  case Opcode::vectorExtract:
    first = operands[1].payload;
    break;
  case Opcode::extractelement:
    if (operands[1].is(Operand::Kind::constant) &&
        operands[1].payload < from.lanes())
      first = operands[1].payload;
    break;
  default:
    break;
  }
  const corpus::CallAttributes *attributes = attributesOf(instruction);
  if (first) {
    Value value = attributes == nullptr
                      ? valueOf(operands[0])
                      : argumentOf(*attributes, 0, operands[0]);
    if (!value.exists() || lack_.kind != Lack::Kind::none)
      return false;
    value = {value.slot() + slotsBefore(from, static_cast<unsigned>(*first)),
             value.maySet()};
    results_[index] = value;
    return attributes == nullptr ||
           restrict(attributes->result, type, results_[index]);
  }

  Value values[3];
  bool maySet = false;
  const std::size_t count =
      operands.size() -
      (isImmediate(corpus::info(instruction.opcode).shape, operands.size() - 1)
           ? 1
           : 0);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = attributes == nullptr ? use(operands[i])
                                      : argumentOf(*attributes, i, operands[i]);
    if (!values[i].exists() || lack_.kind != Lack::Kind::none)
      return false;
    maySet = maySet || values[i].maySet();
  }
  std::vector<Slot> lanes;
  for (unsigned lane = 0; lane < from.lanes(); ++lane)
    lanes.push_back(values[0].slot() + slotsBefore(from, lane));
  const auto put = [&](std::uint64_t at) {
    for (unsigned lane = 0; lane < operands[1].type.lanes(); ++lane)
      lanes[at + lane] = values[1].slot() + slotsBefore(operands[1].type, lane);
  };
  switch (instruction.opcode) {
  case Opcode::extractelement:
    lanes = {extractElement(values[0], from, values[1], operands[1].type)};
    break;
  case Opcode::insertelement:
    insertElement(instruction, values, lanes);
    break;
  case Opcode::vectorInsert:
    put(operands[2].payload);
    break;
  case Opcode::insertvalue:
    put(from.firstLane(operands[2].payload));
    break;
  case Opcode::shufflevector:
    shuffle(instruction, values, lanes);
    break;
  case Opcode::bitcast: {
    lanes.clear();
    unsigned at = 0;
    for (unsigned lane = 0; lane < type.lanes(); ++lane) {
      lanes.push_back(bitsOf(values[0], from, at, laneWidth(type, lane)));
      at += laneWidth(type, lane);
    }
    break;
  }
  default: { // a reduction
    const unsigned width = laneWidth(from, 0);
    const Opcode fold = *corpus::reductionOf(instruction.opcode);
    for (std::size_t lane = 1; lane < lanes.size(); ++lane)
      lanes[0] = operate(fold, width, width, lanes[0], lanes[lane]);
    lanes.resize(1);
    break;
  }
  }
  results_[index] = assemble(type, lanes, maySet);
  return lack_.kind == Lack::Kind::none &&
         (attributes == nullptr ||
          restrict(attributes->result, type, results_[index]));
}

} // namespace checker::core
