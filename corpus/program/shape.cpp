// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/shape.h"

#include <algorithm>

namespace corpus {
namespace {

constexpr bool isInOrder() {
  for (std::size_t i = 0; i < std::size(detail::shapes); ++i)
    if (static_cast<std::size_t>(detail::shapes[i].shape) != i)
      return false;
  return std::size(detail::shapes) ==
         static_cast<std::size_t>(Shape::terminator) + 1;
}
static_assert(isInOrder(), "a shape without its row");

/// Of the lanes of two integers or vectors of as many of them; 0 where they are
/// not.
struct Widths {
  unsigned from = 0;
  unsigned to = 0;
};
Widths laneWidths(Type t, Type type) {
  if (!t.isSingle() || !type.isSingle() || t.isVector() != type.isVector() ||
      t.lanes() != type.lanes() || !t.lane(0).isInteger() ||
      !type.lane(0).isInteger())
    return {};
  return {t.lane(0).width(), type.lane(0).width()};
}

bool isVectorLike(Type type, Type t) {
  return type.isVector() && t.isVector() && type.lane(0) == t.lane(0);
}

} // namespace

bool worksOn(const OpcodeInfo &row, Type type) {
  const std::uint8_t types = info(row.shape).types;
  if (type.isAggregate())
    return (types & kind::aggregates) != 0;
  if (!type.isSingle())
    return false;
  if ((types & kind::vectors) != 0)
    return type.isVector();
  if (type.lane(0).isPointer())
    return (types & kind::pointers) != 0;
  return (types & kind::integers) != 0 &&
         (!row.has(trait::evenBytes) || type.lane(0).width() % 16 == 0);
}

std::optional<Type> typeAt(Place place, Type t) {
  const Type i1 = Type::integer(1);
  switch (place) {
  case Place::value:
    return t;
  case Place::condition:
  case Place::bit:
  case Place::immediateBit:
  case Place::immediateFalse:
    return i1;
  case Place::bits:
    return t.withLanes(i1);
  case Place::overflowPair:
    return Type::overflowPair(t);
  case Place::lane:
    return t.lane(0);
  case Place::immediateIndex:
    return Type::integer(32);
  case Place::immediateCount:
    return Type::integer(64);
  case Place::pointer:
    return Type::pointer();
  case Place::byte:
    return Type::integer(8);
  case Place::immediateLane:
    return Type::integer(64);
  case Place::nothing:
  case Place::wider:
  case Place::narrower:
  case Place::threeWay:
  case Place::element:
  case Place::integers:
  case Place::length:
  case Place::index:
  case Place::sameBits:
  case Place::sameLanes:
  case Place::part:
  case Place::mask:
    break;
  }
  return std::nullopt;
}

bool fits(Place place, Type t, Type type) {
  switch (place) {
  case Place::nothing:
    return type.isVoid();
  case Place::condition:
    return type == Type::integer(1) ||
           (t.isSingle() && type == t.withLanes(Type::integer(1)));
  case Place::wider:
    return laneWidths(t, type).from < laneWidths(t, type).to;
  case Place::narrower:
    return laneWidths(t, type).from > laneWidths(t, type).to;
  case Place::threeWay:
    return laneWidths(t, type).to >= 2;
  case Place::element:
    for (unsigned i = 0; i < t.elements(); ++i)
      if (t.element(i) == type)
        return true;
    return false;
  case Place::integers:
    return type.isSingle() && type.lane(0).isInteger() &&
           type == t.withLanes(type.lane(0));
  case Place::length:
  case Place::index:
    return type.isInteger();
  case Place::sameBits:
    return type.isSingle() && type.lane(0).isInteger() &&
           type.bits() == t.bits();
  case Place::sameLanes:
    return isVectorLike(type, t);
  case Place::part:
    return isVectorLike(type, t) && type.lanes() <= t.lanes();
  case Place::mask:
    return type.isVector() && type.lane(0) == Type::integer(32);
  case Place::lane:
  case Place::immediateLane:
  case Place::value:
  case Place::bit:
  case Place::bits:
  case Place::overflowPair:
  case Place::pointer:
  case Place::byte:
  case Place::immediateBit:
  case Place::immediateIndex:
  case Place::immediateCount:
  case Place::immediateFalse:
    break;
  }
  return typeAt(place, t) == type;
}

Type typeOf(const Program &program, const Instruction &instruction) {
  const ShapeInfo &row = shapeOf(instruction.opcode);
  if (row.result == Place::value)
    return instruction.type;
  for (unsigned i = 0; i < row.operandCount(); ++i)
    if (row.operands[i] == Place::value)
      return program.operandsOf(instruction)[i].type;
  return Type();
}

SuffixTypes suffixTypes(const Program &program,
                        const Instruction &instruction) {
  const ShapeInfo &row = shapeOf(instruction.opcode);
  SuffixTypes result;
  switch (row.suffix) {
  case Suffix::none:
    break;
  case Suffix::resultAndValue:
    result.add(instruction.type);
    [[fallthrough]];
  case Suffix::value:
    result.add(typeOf(program, instruction));
    break;
  case Suffix::valueAndPart:
    result.add(typeOf(program, instruction));
    result.add(program.operandsOf(instruction)[1].type);
    break;
  case Suffix::places:
    for (unsigned i = 0; i < row.operandCount(); ++i)
      if (row.operands[i] == Place::pointer || row.operands[i] == Place::length)
        result.add(program.operandsOf(instruction)[i].type);
    break;
  }
  return result;
}

std::vector<AddressStep> addressSteps(const Program &program,
                                      const Instruction &address) {
  const auto operands = program.operandsOf(address);
  std::vector<AddressStep> steps;
  for (std::size_t i = 1; i < operands.size(); i += 2)
    steps.push_back({operands[i], operands[i + 1].payload});
  for (std::size_t i = steps.size() - 1; i-- > 0;) {
    AddressStep &step = steps[i];
    const std::uint64_t inner = steps[i + 1].scale;
    const auto offset = static_cast<std::int64_t>(step.index.payload);
    if (step.index.is(Operand::Kind::constant) && step.scale == 1 &&
        offset > 0 && inner != 0 && step.index.payload % inner == 0) {
      step.index.payload /= inner;
      step.scale = inner;
    }
    step.countsArrays = inner != 0 && step.scale % inner == 0;
    step.elements = step.countsArrays ? step.scale / inner : 0;
  }
  return steps;
}

} // namespace corpus
