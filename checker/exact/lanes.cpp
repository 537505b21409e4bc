// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/exact/lanes.h"

#include "corpus/program/shape.h"

#include <algorithm>
#include <cassert>

namespace checker {
namespace {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

constexpr unsigned maximumUndefBits = 16;

using Lanes = std::vector<Lane>;

Lane poisonLane(Type type) { return {0, type.mask()}; }

void append(Lanes &lanes, const Element &element) {
  lanes.push_back(element.lane(0));
  lanes.insert(lanes.end(), element.rest.begin(), element.rest.end());
}

Lanes lanesOf(const Element &element) {
  Lanes lanes;
  append(lanes, element);
  return lanes;
}

/// Value-wise, one poison bit makes the whole lane poison that it gets into.
Lanes reinterpret(const Lanes &lanes, Type from, Type to,
                  const Semantics &semantics) {
  std::vector<bool> bits;
  std::vector<bool> poison;
  for (unsigned i = 0; i < from.lanes(); ++i)
    for (unsigned bit = 0; bit < from.lane(i).width(); ++bit) {
      bits.push_back((lanes[i].bits >> bit & 1) != 0);
      poison.push_back((lanes[i].poison >> bit & 1) != 0);
    }
  Lanes result;
  std::size_t next = 0;
  for (unsigned i = 0; i < to.lanes(); ++i) {
    Lane lane;
    for (unsigned bit = 0; bit < to.lane(i).width(); ++bit, ++next) {
      lane.bits |= std::uint64_t(bits[next]) << bit;
      lane.poison |= std::uint64_t(poison[next]) << bit;
    }
    const bool isWhole =
        lane.poison != 0 && semantics.poisonUnit == PoisonUnit::value;
    result.push_back(isWhole ? poisonLane(to.lane(i)) : lane);
  }
  return result;
}

Lanes shuffle(const Program &program, const Instruction &instruction,
              std::span<const Element> operands) {
  Lanes both = lanesOf(operands[0]);
  append(both, operands[1]);
  const Operand &mask = program.operandsOf(instruction)[2];
  const Type type = instruction.type;
  Lanes result(type.lanes(), poisonLane(type.lane(0)));
  if (mask.is(Operand::Kind::pooled))
    for (unsigned i = 0; i < type.lanes(); ++i) {
      const Operand &from = program.constants[mask.payload].lanes[i];
      if (from.is(Operand::Kind::constant))
        result[i] = both[from.payload];
    }
  return result;
}

LaneResults reduce(const Instruction &instruction, const Semantics &semantics,
                   const Lanes &lanes) {
  const Type type = instruction.type;
  const Operation fold{
      *corpus::reductionOf(instruction.opcode), {}, {}, type, type};
  Element sum = Element::ofLanes({&lanes[0], 1});
  for (std::size_t i = 1; i < lanes.size(); ++i) {
    const Element pair[] = {sum, Element::ofLanes({&lanes[i], 1})};
    const ElementResult result = evaluate(fold, semantics, pair);
    if (result.kind == ElementResult::Kind::tooMany)
      return {LaneResults::Kind::tooMany, {}};
    sum = result.element;
  }
  return {LaneResults::Kind::set, {sum}};
}

LaneResults move(const Program &program, const Instruction &instruction,
                 const Semantics &semantics,
                 std::span<const Element> operands) {
  const auto values = program.operandsOf(instruction);
  const Type from = values[0].type;
  const Lanes lanes = lanesOf(operands[0]);
  Lanes result = lanes;
  const auto put = [&](const Element &element, std::uint64_t at) {
    const Lanes part = lanesOf(element);
    std::copy(part.begin(), part.end(),
              result.begin() + static_cast<std::ptrdiff_t>(at));
  };
  const auto take = [&](std::uint64_t at) {
    const auto first = lanes.begin() + static_cast<std::ptrdiff_t>(at);
    result.assign(first, first + instruction.type.lanes());
  };
  // Of an index that is poison, or of no lane.
  const auto isLane = [&](const Element &index) {
    return index.poison == 0 && index.bits < from.lanes();
  };
  switch (instruction.opcode) {
  case Opcode::extractvalue:
    take(from.firstLane(values[1].payload));
    break;
  case Opcode::insertvalue:
    put(operands[1], from.firstLane(values[2].payload));
    break;
  case Opcode::vectorExtract:
    take(values[1].payload);
    break;
  case Opcode::vectorInsert:
    put(operands[1], values[2].payload);
    break;
  case Opcode::extractelement:
    result = {isLane(operands[1]) ? lanes[operands[1].bits]
                                  : poisonLane(instruction.type)};
    break;
  case Opcode::insertelement:
    if (isLane(operands[2]))
      result[operands[2].bits] = operands[1].lane(0);
    else
      result.assign(lanes.size(), poisonLane(from.lane(0)));
    break;
  case Opcode::shufflevector:
    result = shuffle(program, instruction, operands);
    break;
  case Opcode::bitcast:
    result = reinterpret(lanes, from, instruction.type, semantics);
    break;
  default:
    return reduce(instruction, semantics, lanes);
  }
  return {LaneResults::Kind::set, {Element::ofLanes(result)}};
}

/// The operation of one lane: its own, or the only one there is (a scalar
/// condition, an immediate).
Operation operationOfLane(const Program &program,
                          const Instruction &instruction, unsigned lane) {
  Operation operation = operationOf(program, instruction);
  const auto laneOf = [&](Type type) {
    return type.isSingle() ? type.lane(lane % type.lanes()) : type;
  };
  operation.operandType = laneOf(operation.operandType);
  const bool isPair =
      corpus::shapeOf(instruction.opcode).result == corpus::Place::overflowPair;
  operation.type = isPair ? Type::overflowPair(operation.operandType)
                   : instruction.type.isAggregate()
                       ? instruction.type.lane(lane)
                       : laneOf(operation.type);
  return operation;
}

} // namespace

bool isMoveOfLanes(Opcode opcode) {
  switch (opcode) {
  case Opcode::extractvalue:
  case Opcode::insertvalue:
  case Opcode::vectorExtract:
  case Opcode::vectorInsert:
  case Opcode::extractelement:
  case Opcode::insertelement:
  case Opcode::shufflevector:
  case Opcode::bitcast:
    return true;
  default:
    return corpus::reductionOf(opcode).has_value();
  }
}

LaneResults evaluateLanes(const Program &program,
                          const Instruction &instruction,
                          const Semantics &semantics,
                          std::span<const Element> operands) {
  if (isMoveOfLanes(instruction.opcode))
    return move(program, instruction, semantics, operands);
  const Type t = typeOf(program, instruction);
  // The same as below, without lists of one.
  if (t.isInteger() && instruction.type.isInteger()) {
    ElementResult result =
        evaluate(operationOf(program, instruction), semantics, operands);
    if (result.kind == ElementResult::Kind::element)
      return {LaneResults::Kind::set, {std::move(result.element)}};
  }
  const unsigned count = t.isVoid() ? 1 : t.lanes();
  unsigned undefBits = 0;
  // By lane of the result, what it may be; overflow bits behind the numbers.
  std::vector<Lanes> lanes(std::max(1U, instruction.type.lanes()));
  for (unsigned i = 0; i < count; ++i) {
    std::vector<Element> pick;
    for (const Element &operand : operands) {
      const Lane lane = operand.lane(i % operand.lanes());
      pick.push_back(Element::ofLanes({&lane, 1}));
    }
    const Operation operation = operationOfLane(program, instruction, i);
    const ElementResult result = evaluate(operation, semantics, pick);
    switch (result.kind) {
    case ElementResult::Kind::ub:
      return {LaneResults::Kind::ub, {}};
    case ElementResult::Kind::tooMany:
      return {LaneResults::Kind::tooMany, {}};
    case ElementResult::Kind::undef: {
      undefBits += operation.type.bits();
      if (undefBits > maximumUndefBits)
        return {LaneResults::Kind::tooMany, {}};
      const auto any = [](Type type) {
        Lanes numbers;
        for (std::uint64_t bits = 0; bits <= type.mask(); ++bits)
          numbers.push_back({bits, 0});
        return numbers;
      };
      lanes[i] = semantics.undef == UndefRule::perUse
                     ? any(operation.type.lane(0))
                     : Lanes{poisonLane(operation.type.lane(0))};
      break;
    }
    case ElementResult::Kind::element:
      if (instruction.type.isVoid())
        return {};
      lanes[i] = {result.element.lane(0)};
      if (!result.element.rest.empty())
        lanes[count + i] = {result.element.rest[0]};
      break;
    case ElementResult::Kind::eitherArm:
      assert(false && "settled by the caller");
    }
  }
  LaneResults results;
  forEachTuple(lanes, [&](const Element &element) {
    results.set.push_back(element);
    return true;
  });
  return results;
}

} // namespace checker
