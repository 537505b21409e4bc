// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/random_program.h"

#include <algorithm>
#include <array>
#include <set>

namespace runner {

using corpus::Opcode;
using corpus::Operand;
using corpus::Shape;
using corpus::Type;

namespace {
constexpr std::array<unsigned, 7> widths = {1, 2, 4, 8, 16, 33, 64};
const Type i1 = Type::integer(1);
} // namespace

Type RandomPrograms::width() {
  return Type::integer(widths[below(widths.size())]);
}

/// A literal, an argument, or a result of this block or of the entry, which
/// dominate all of it.
Operand RandomPrograms::value(Type type, std::size_t block) {
  std::vector<Operand> choices = {Operand::constant(type, random_()),
                                  Operand::constant(type, below(3))};
  if (oneIn(8))
    choices = {Operand::undef(type), Operand::poison(type)};
  const auto &parameters = program_.signature.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].type == type)
      choices.push_back(Operand::argument(type, i));
  for (const std::size_t b : std::set<std::size_t>{0, block})
    for (std::size_t i = program_.blocks[b].begin; i < program_.blocks[b].end;
         ++i)
      if (program_.instructions[i].type == type)
        choices.push_back(Operand::instruction(type, i));
  return choices[below(choices.size())];
}

corpus::Attributes RandomPrograms::valueAttributes(Type type) {
  corpus::Attributes attributes;
  if (!type.isInteger())
    return attributes;
  if (oneIn(6))
    attributes.bits |= corpus::attribute::noundef;
  if (oneIn(12) && type.width() > 1) {
    attributes.bits |= corpus::attribute::range;
    attributes.rangeLow = random_() & type.mask();
    attributes.rangeHigh =
        (attributes.rangeLow + 1 + below(type.mask())) & type.mask();
    if (attributes.rangeLow == attributes.rangeHigh)
      attributes = {};
  }
  return attributes;
}

corpus::Attributes RandomPrograms::functionAttributes() {
  corpus::Attributes attributes;
  for (const corpus::AttributeInfo &row : corpus::attributeTable)
    if (row.onFunction && oneIn(6))
      attributes.bits |= row.bit;
  // memory(none) says memory(read) already, and LLVM keeps one of them.
  if (attributes.has(corpus::attribute::memoryNone))
    attributes.bits &= ~corpus::attribute::memoryRead;
  return attributes;
}

void RandomPrograms::addCallAttributes() {
  const corpus::Instruction &made = program_.instructions.back();
  corpus::CallAttributes site;
  if (made.opcode == Opcode::call)
    site.function = functionAttributes();
  site.result = valueAttributes(made.type);
  std::vector<corpus::Attributes> parameters;
  for (const Operand &operand : program_.operandsOf(made))
    parameters.push_back(made.opcode == Opcode::call
                             ? valueAttributes(operand.type)
                             : corpus::Attributes());
  if (std::any_of(parameters.begin(), parameters.end(),
                  [](const auto &each) { return !each.empty(); }))
    site.parameters = std::move(parameters);
  if (site == corpus::CallAttributes())
    return;
  program_.instructions.back().attributes =
      static_cast<std::uint32_t>(program_.callAttributes.size());
  program_.callAttributes.push_back(std::move(site));
}

void RandomPrograms::call(std::size_t block) {
  // The signature follows from the name, so that programs can share a module.
  static const std::array<corpus::Callee, 3> known = {{
      {"use", {}},
      {"use_i4", {{}, {}, {}, {{Type::integer(4), {}}}}},
      {"get",
       {Type::integer(8),
        {corpus::attribute::nounwind | corpus::attribute::willreturn, 0, 0},
        {corpus::attribute::noundef, 0, 0},
        {{i1, {corpus::attribute::noundef, 0, 0}}}}},
  }};
  const corpus::Callee &callee = known[below(known.size())];
  const auto found =
      std::find(program_.callees.begin(), program_.callees.end(), callee);
  const auto index =
      static_cast<std::uint32_t>(found - program_.callees.begin());
  if (found == program_.callees.end())
    program_.callees.push_back(callee);
  std::vector<Operand> arguments;
  for (const corpus::Parameter &parameter : callee.signature.parameters)
    arguments.push_back(value(parameter.type, block));
  program_.append(Opcode::call, callee.signature.returnType, arguments);
  program_.instructions.back().callee = index;
  addCallAttributes();
}

void RandomPrograms::instruction(std::size_t block) {
  const auto table = corpus::opcodeTable();
  const corpus::OpcodeInfo &row = table[below(table.size())];
  const Type type = width();
  const Type other = width();
  corpus::Flags flags;
  for (const corpus::FlagInfo &flag : corpus::flagTable)
    if (row.allowedFlags.has(flag.flag) && oneIn(2))
      flags = flags | flag.flag;
  const auto operand = [&](Type of) { return value(of, block); };
  switch (row.shape) {
  case Shape::binary:
    program_.append(row.opcode, type, {operand(type), operand(type)}, flags);
    return;
  case Shape::compare:
    program_.append(row.opcode, i1, {operand(type), operand(type)}, flags,
                    corpus::predicateTable[below(10)].predicate);
    return;
  case Shape::select:
    program_.append(row.opcode, type,
                    {operand(i1), operand(type), operand(type)});
    return;
  case Shape::unary:
    program_.append(row.opcode, type, {operand(type)});
    return;
  case Shape::widen:
  case Shape::narrow: {
    if (type == other)
      return;
    const bool typeWider = type.width() > other.width();
    const bool widens = row.shape == Shape::widen;
    program_.append(row.opcode, typeWider == widens ? type : other,
                    {operand(typeWider == widens ? other : type)}, flags);
    return;
  }
  case Shape::intrinsicUnary:
    if (row.opcode == Opcode::bswap && type.width() % 16 != 0)
      return;
    program_.append(row.opcode, type, {operand(type)});
    break;
  case Shape::intrinsicUnaryWithFlag:
    program_.append(row.opcode, type,
                    {operand(type), Operand::constant(i1, below(2))});
    break;
  case Shape::intrinsicBinary:
    program_.append(row.opcode, type, {operand(type), operand(type)});
    break;
  case Shape::intrinsicTernary:
    program_.append(row.opcode, type,
                    {operand(type), operand(type), operand(type)});
    break;
  case Shape::intrinsicOverflow: {
    const Operand pair =
        program_.append(row.opcode, Type::overflowPair(type.width()),
                        {operand(type), operand(type)});
    const std::uint64_t index = below(2);
    program_.append(Opcode::extractvalue, index == 0 ? type : i1,
                    {pair, Operand::constant(Type::integer(32), index)});
    return;
  }
  case Shape::intrinsicThreeWay:
    if (type.width() == 1)
      return;
    program_.append(row.opcode, type, {operand(other), operand(other)});
    break;
  case Shape::intrinsicAssume:
    program_.append(row.opcode, Type(), {operand(i1)});
    return;
  case Shape::call:
    call(block);
    return;
  case Shape::extract:
  case Shape::phi:
  case Shape::terminator:
    return;
  }
  addCallAttributes();
}

/// One entry for each edge into `block`. Values of a predecessor that comes
/// later cannot be named before they exist, so those edges carry other things.
void RandomPrograms::phi(std::size_t block) {
  const Type type = width();
  std::vector<Operand> operands;
  for (std::size_t from = 0; from < successors_.size(); ++from) {
    const auto edges =
        std::count(successors_[from].begin(), successors_[from].end(), block);
    if (edges == 0)
      continue;
    // Several edges from one block must carry the same value.
    const Operand carried = value(type, from < block ? from : 0);
    for (auto i = edges; i > 0; --i) {
      operands.push_back(carried);
      operands.push_back(Operand::block(from));
    }
  }
  if (operands.size() > 2)
    program_.append(Opcode::phi, type, operands);
}

/// Every block but the entry has an earlier predecessor, so that all are
/// reachable; there may be loops.
void RandomPrograms::chooseSuccessors() {
  const std::size_t count = 1 + below(4);
  successors_.assign(count, {});
  for (std::size_t block = 1; block < count; ++block)
    successors_[below(block)].push_back(block);
  for (auto &list : successors_)
    while (count > 1 && list.size() < 3 && oneIn(3))
      list.push_back(1 + below(count - 1));
}

void RandomPrograms::terminator(std::size_t block) {
  const auto &targets = successors_[block];
  if (targets.empty()) {
    if (oneIn(8))
      program_.append(Opcode::unreachable, Type(), {});
    else if (program_.signature.returnType.isVoid())
      program_.append(Opcode::ret, Type(), {});
    else
      program_.append(Opcode::ret, Type(),
                      {value(program_.signature.returnType, block)});
  } else if (targets.size() == 1 && oneIn(2)) {
    program_.append(Opcode::br, Type(), {Operand::block(targets[0])});
  } else if (targets.size() == 2 && oneIn(2)) {
    program_.append(Opcode::br, Type(),
                    {value(i1, block), Operand::block(targets[0]),
                     Operand::block(targets[1])});
  } else {
    const Type type = Type::integer(8);
    std::vector<Operand> operands = {value(type, block),
                                     Operand::block(targets[0])};
    for (std::size_t i = 1; i < targets.size(); ++i) {
      operands.push_back(Operand::constant(type, i * 50));
      operands.push_back(Operand::block(targets[i]));
    }
    program_.append(Opcode::switch_, Type(), operands);
  }
}

corpus::Program RandomPrograms::next() {
  program_.clear();
  program_.signature.returnType = oneIn(8) ? Type() : width();
  program_.signature.result = valueAttributes(program_.signature.returnType);
  program_.signature.function = functionAttributes();
  for (std::uint64_t i = 1 + below(4); i > 0; --i) {
    const Type type = width();
    program_.addParameter(type, valueAttributes(type));
  }
  chooseSuccessors();
  for (std::size_t block = 0; block < successors_.size(); ++block) {
    program_.beginBlock();
    if (block > 0)
      for (std::uint64_t i = below(3); i > 0; --i)
        phi(block);
    for (std::uint64_t i = below(6); i > 0; --i)
      instruction(block);
    terminator(block);
  }
  return program_;
}

} // namespace runner
