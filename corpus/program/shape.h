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
  integers,       ///< an integer of any width for each lane of T
  pointer,        ///< ptr
  byte,           ///< i8
  length,         ///< an integer of any width
  lane,           ///< the type of the lanes of T
  index,          ///< an integer of any width
  sameBits,       ///< a scalar or a vector with as many bits as T
  sameLanes,      ///< a vector with any number of lanes like those of T
  part,           ///< a vector with as many lanes like those of T, or fewer
  immediateBit,   ///< i1, a constant
  immediateIndex, ///< i32, a constant
  immediateCount, ///< i64, a constant
  immediateFalse, ///< i1, the constant 0
  immediateLane,  ///< i64, a constant, a multiple of the lanes of the part
  mask,           ///< i32 for each lane of the result: a literal, poison or
                  ///< the number of a lane of both operands
};

/// Sets of types that T may be, one bit each.
namespace kind {
inline constexpr std::uint8_t integers = 1;   ///< and vectors of them
inline constexpr std::uint8_t pointers = 2;   ///< and vectors of them
inline constexpr std::uint8_t aggregates = 4; ///< structures and arrays
inline constexpr std::uint8_t vectors = 8;    ///< of integers or pointers
inline constexpr std::uint8_t any = integers | pointers | aggregates;
} // namespace kind

/// The types that are part of an intrinsic's name. `places`: those of the
/// operands in the places `pointer` and `length`.
enum class Suffix : std::uint8_t {
  none,
  value,
  resultAndValue,
  places,
  valueAndPart
};

struct ShapeInfo {
  Shape shape;
  std::uint8_t types; ///< of T; 0 where there is none
  Place result;
  /// None of phi, call, address and terminators, of which verify() knows more.
  std::array<Place, 4> operands;
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
    {Shape::select, kind::any, value, {condition, value, value}},
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
    {Shape::intrinsicReduce, kind::vectors, lane, {value}},
    {Shape::intrinsicExtract,
     kind::vectors,
     part,
     {value, immediateLane},
     Suffix::resultAndValue},
    {Shape::intrinsicInsert,
     kind::vectors,
     value,
     {value, part, immediateLane},
     Suffix::valueAndPart},
    {Shape::extract, kind::aggregates, element, {value, immediateIndex}},
    {Shape::allocation, 0, pointer, {immediateCount}},
    {Shape::load, kind::any, value, {pointer}},
    {Shape::store, kind::any, nothing, {value, pointer}},
    {Shape::address, 0, pointer, {}},
    {Shape::toInteger, kind::pointers, integers, {value}},
    {Shape::toPointer, kind::pointers, value, {integers}},
    {Shape::intrinsicCopy,
     0,
     nothing,
     {pointer, pointer, length, immediateFalse},
     Suffix::places},
    {Shape::intrinsicFill,
     0,
     nothing,
     {pointer, byte, length, immediateFalse},
     Suffix::places},
    {Shape::intrinsicLifetime, 0, nothing, {pointer}, Suffix::places},
    {Shape::insert, kind::aggregates, value, {value, element, immediateIndex}},
    {Shape::reinterpret, kind::integers, sameBits, {value}},
    {Shape::extractElement, kind::vectors, lane, {value, index}},
    {Shape::insertElement, kind::vectors, value, {value, lane, index}},
    {Shape::shuffle, kind::vectors, sameLanes, {value, value, mask}},
    {Shape::phi, kind::any, value, {}},
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
constexpr bool isImmediate(Place place) { return place >= Place::immediateBit; }
/// Of operand `index`; where the shape has no list, operands are values, the
/// scales of an address aside.
constexpr bool isImmediate(Shape shape, std::size_t index) {
  if (shape == Shape::address)
    return index != 0 && index % 2 == 0;
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

/// The types in the name of an intrinsic, in their order.
struct SuffixTypes {
  std::array<Type, 3> types;
  unsigned count = 0;

  void add(Type type) { types[count++] = type; }
  std::span<const Type> list() const { return {types.data(), count}; }
};
/// Requires a call of an intrinsic with the operands of its shape.
SuffixTypes suffixTypes(const Program &program, const Instruction &instruction);

/// One index of an address, as a getelementptr writes it.
struct AddressStep {
  Operand index;
  std::uint64_t scale = 1; ///< bytes that it counts
  /// Of the step behind it: the scale is a multiple of that one, so that it
  /// counts arrays of it. True of the last step.
  bool countsArrays = true;
  std::uint64_t elements = 0; ///< of such an array
};
/// In their order. Offsets count what the step behind them counts, where that
/// comes out even. Requires the operands of its shape.
std::vector<AddressStep> addressSteps(const Program &program,
                                      const Instruction &address);

} // namespace corpus
