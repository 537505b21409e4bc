// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/intrinsics/builder.h"

namespace checker::intrinsics {

using corpus::Opcode;
using corpus::Operand;
using corpus::Type;

namespace {
const Type bit = Type::integer(1);
const Type i32 = Type::integer(32);
const Type i64 = Type::integer(64);
} // namespace

Operand Builder::number(Type type, std::uint64_t bits) {
  if (type.isScalar())
    return Operand::constant(type, bits);
  return program_.literal(
      type, std::vector(type.lanes(), Operand::constant(type.lane(0), bits)));
}

Operand Builder::apply(Opcode opcode, Operand a, Operand b) {
  return program_.append(opcode, a.type, {a, b});
}

Operand Builder::compare(corpus::Predicate predicate, Operand a, Operand b) {
  return program_.append(Opcode::icmp, a.type.withLanes(bit), {a, b}, {},
                         predicate);
}

Operand Builder::select(Operand condition, Operand a, Operand b) {
  return program_.append(Opcode::select, a.type, {condition, a, b});
}

Operand Builder::resize(Opcode opcode, Operand value, Type lane) {
  return value.type.lane(0) == lane
             ? value
             : program_.append(opcode, value.type.withLanes(lane), {value});
}

Operand Builder::bitcast(Operand value, Type type) {
  return value.type == type ? value
                            : program_.append(Opcode::bitcast, type, {value});
}

Operand Builder::address(Operand pointer) {
  return program_.append(Opcode::ptrtoint, i64, {pointer});
}

Operand Builder::move(Operand pointer, Operand bytes) {
  return program_.append(Opcode::getelementptr, Type::pointer(),
                         {pointer, bytes, Operand::constant(i64, 1)});
}

Operand Builder::extract(Operand vector, Operand index) {
  return program_.append(Opcode::extractelement, vector.type.lane(0),
                         {vector, index});
}

Operand Builder::extract(Operand vector, unsigned lane) {
  return extract(vector, Operand::constant(i64, lane));
}

Operand Builder::insert(Operand vector, Operand value, unsigned lane) {
  return program_.append(Opcode::insertelement, vector.type,
                         {vector, value, Operand::constant(i64, lane)});
}

Operand Builder::shuffle(Operand a, Operand b,
                         std::span<const std::optional<unsigned>> mask) {
  std::vector<Operand> lanes;
  for (const std::optional<unsigned> &lane : mask)
    lanes.push_back(lane ? Operand::constant(i32, *lane)
                         : Operand::poison(i32));
  const auto count = static_cast<unsigned>(mask.size());
  return program_.append(
      Opcode::shufflevector, Type::vector(count, a.type.lane(0)),
      {a, b, program_.literal(Type::vector(count, i32), std::move(lanes))});
}

Operand Builder::splat(Type type, Operand value) {
  const Operand first = insert(Operand::poison(type), value, 0);
  const std::vector<std::optional<unsigned>> mask(type.lanes(), 0);
  return shuffle(first, Operand::poison(type), mask);
}

std::optional<Operand> Builder::literal(Operand vector, unsigned lane) const {
  const Type type = vector.type.lane(0);
  if (vector.is(Operand::Kind::pooled))
    return program_.constants[vector.payload].lanes[lane];
  if (vector.is(Operand::Kind::poison))
    return Operand::poison(type);
  if (vector.is(Operand::Kind::undef))
    return Operand::undef(type);
  return std::nullopt;
}

} // namespace checker::intrinsics
