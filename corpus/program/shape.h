// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How instructions are typed, as data: one row for each Shape. verify(), the
// printer, lowering, lifting, the vocabularies of the spaces, random programs
// and the retyping of a bug read the rows.
//
// T stands for the type that an instruction works on: that of its result, or
// where the result is of another type, of its first operand in place `value`.
// Threads: immutable data.
#pragma once

#include "corpus/program/program.h"

namespace corpus {

/// What stands in one place of an instruction.
enum class Place : std::uint8_t {
  nothing,        ///< void; behind the last operand
  value,          ///< T
  condition,      ///< i1, or i1 for each lane of T
  bit,            ///< i1
  bits,           ///< i1 for each lane of T
  wider,          ///< T with wider lanes
  narrower,       ///< T with narrower lanes
  threeWay,       ///< T with lanes of any width from 2
  overflowPair,   ///< {T, i1 for each lane of T}
  element,        ///< the element of T that the immediate index names
  immediateBit,   ///< i1, a constant
  immediateIndex, ///< i32, a constant
};

/// Sets of types that T may be, one bit each.
namespace kind {
inline constexpr std::uint8_t integers = 1;   ///< and vectors of them
inline constexpr std::uint8_t pointers = 2;   ///< and vectors of them
inline constexpr std::uint8_t aggregates = 4; ///< structures and arrays
inline constexpr std::uint8_t any = integers | pointers | aggregates;
} // namespace kind

/// The types that are part of an intrinsic's name.
enum class Suffix : std::uint8_t { none, value, resultAndValue };

struct ShapeInfo {
  Shape shape;
  std::uint8_t types; ///< of T; 0 where there is none
  Place result;
  /// None of phi, call and terminators, of which verify() knows more.
  std::array<Place, 3> operands;
  Suffix suffix = Suffix::value;

  constexpr unsigned operandCount() const {
    unsigned count = 0;
    while (count < operands.size() && operands[count] != Place::nothing)
      ++count;
    return count;
  }
};

namespace detail {
using enum Place;
inline constexpr ShapeInfo shapes[] = {
    {Shape::binary, kind::integers, value, {value, value}},
    {Shape::compare, kind::integers | kind::pointers, bits, {value, value}},
    {Shape::select,
     kind::integers | kind::pointers,
     value,
     {condition, value, value}},
    {Shape::unary, kind::any, value, {value}},
    {Shape::widen, kind::integers, wider, {value}},
    {Shape::narrow, kind::integers, narrower, {value}},
    {Shape::intrinsicUnary, kind::integers, value, {value}},
    {Shape::intrinsicUnaryWithFlag,
     kind::integers,
     value,
     {value, immediateBit}},
    {Shape::intrinsicBinary, kind::integers, value, {value, value}},
    {Shape::intrinsicTernary, kind::integers, value, {value, value, value}},
    {Shape::intrinsicOverflow, kind::integers, overflowPair, {value, value}},
    {Shape::intrinsicThreeWay,
     kind::integers,
     threeWay,
     {value, value},
     Suffix::resultAndValue},
    {Shape::intrinsicAssume, 0, nothing, {bit}, Suffix::none},
    {Shape::extract, kind::aggregates, element, {value, immediateIndex}},
    {Shape::phi, kind::integers | kind::pointers, value, {}},
    {Shape::call, 0, nothing, {}},
    {Shape::terminator, 0, nothing, {}},
};
} // namespace detail

constexpr const ShapeInfo &info(Shape shape) {
  return detail::shapes[static_cast<std::size_t>(shape)];
}
constexpr const ShapeInfo &shapeOf(Opcode opcode) {
  return info(info(opcode).shape);
}

/// Whether the operand in that place is part of what the instruction is, and
/// not a value that is computed.
constexpr bool isImmediate(Place place) {
  return place == Place::immediateBit || place == Place::immediateIndex;
}
/// Of operand `index`; where the shape has no list, operands are values.
constexpr bool isImmediate(Shape shape, std::size_t index) {
  const ShapeInfo &row = info(shape);
  return index < row.operands.size() && isImmediate(row.operands[index]);
}

/// Whether T may be `type` for this opcode, its width rule too.
bool worksOn(const OpcodeInfo &row, Type type);
/// The one type that the place has when T is `t`; nothing where there are
/// several, or none.
std::optional<Type> typeAt(Place place, Type t);
/// Whether `type` may stand there when T is `t`. For `element` whether some
/// index names one of that type.
bool fits(Place place, Type t, Type type);
/// T of that instruction; void without one. Requires the operands of its shape.
Type typeOf(const Program &program, const Instruction &instruction);

} // namespace corpus
