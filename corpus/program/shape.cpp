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

} // namespace

bool worksOn(const OpcodeInfo &row, Type type) {
  const std::uint8_t types = info(row.shape).types;
  if (type.isAggregate())
    return (types & kind::aggregates) != 0;
  if (!type.isSingle())
    return false;
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
    return i1;
  case Place::bits:
    return t.withLanes(i1);
  case Place::overflowPair:
    return Type::overflowPair(t);
  case Place::immediateIndex:
    return Type::integer(32);
  case Place::nothing:
  case Place::wider:
  case Place::narrower:
  case Place::threeWay:
  case Place::element:
    break;
  }
  return std::nullopt;
}

bool fits(Place place, Type t, Type type) {
  switch (place) {
  case Place::nothing:
    return type.isVoid();
  case Place::condition:
    return type == Type::integer(1) || type == t.withLanes(Type::integer(1));
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
  case Place::value:
  case Place::bit:
  case Place::bits:
  case Place::overflowPair:
  case Place::immediateBit:
  case Place::immediateIndex:
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

} // namespace corpus
