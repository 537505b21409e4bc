// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/edits.h"

#include "corpus/program/shape.h"

#include "enumerate/lack.h"
#include "enumerate/spec.h"
#include "enumerate/vocabulary.h"

#include <algorithm>
#include <cassert>

namespace enumerate {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

namespace {

/// Opcodes whose operands and result are typed like those of `opcode`, itself
/// too, and that work on `type`.
std::vector<Opcode> opcodesLike(Opcode opcode, Type type) {
  const corpus::ShapeInfo &shape = corpus::shapeOf(opcode);
  std::vector<Opcode> result;
  for (const corpus::OpcodeInfo &row : corpus::opcodeTable()) {
    const corpus::ShapeInfo &other = corpus::info(row.shape);
    if (other.result == shape.result && other.operands == shape.operands &&
        worksOn(row, type))
      result.push_back(row.opcode);
  }
  return result;
}

/// Whether another opcode cannot take its place.
bool hasFixedOpcode(corpus::Shape shape) {
  const corpus::ShapeInfo &row = corpus::info(shape);
  return row.operandCount() == 0 || row.types == 0 ||
         row.types == corpus::kind::aggregates;
}

/// An integer or a vector of them.
bool isOfIntegers(Type type) {
  return type.isSingle() && type.lane(0).isInteger();
}

/// Whether operand `which` may be any value of its type.
bool isFree(const Instruction &instruction, const Operand &operand,
            std::uint32_t which) {
  const corpus::Shape shape = corpus::info(instruction.opcode).shape;
  return (operand.type.isPointer() || isOfIntegers(operand.type)) &&
         !isImmediate(shape, which) &&
         shape != corpus::Shape::intrinsicLifetime && // of allocas alone
         // of a switch the value, not its cases
         (shape != corpus::Shape::terminator || which == 0);
}

std::vector<std::uint64_t> constantsNear(const Operand &now,
                                         Edits::Kinds kinds) {
  constexpr unsigned allUpTo = 8;
  const unsigned width = now.type.width();
  const bool takesAll = width <= allUpTo && (kinds == Edits::Kinds::all ||
                                             now.is(Operand::Kind::constant));
  const ConstantSet set(takesAll ? Constants::all : Constants::few, now.type);
  std::vector<std::uint64_t> result;
  for (std::uint64_t i = 0; i < set.size(); ++i)
    result.push_back(set.at(i));
  if (now.is(Operand::Kind::constant))
    for (const std::uint64_t step :
         {~std::uint64_t(0), std::uint64_t(0), std::uint64_t(1)})
      result.push_back((now.payload + step) & now.type.mask());
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// A literal of lanes with another one in one place: of a mask any lane of both
/// operands, else a number near it; and poison.
std::vector<std::pair<unsigned, Operand>>
otherLanes(const Program &program, const Instruction &instruction,
           std::uint32_t which) {
  std::vector<std::pair<unsigned, Operand>> result;
  const auto operands = program.operandsOf(instruction);
  if (!operands[which].is(Operand::Kind::pooled) ||
      !isOfIntegers(operands[which].type))
    return result;
  const bool isMask =
      isImmediate(corpus::info(instruction.opcode).shape, which);
  const auto &lanes = program.constants[operands[which].payload].lanes;
  for (unsigned i = 0; i < lanes.size(); ++i) {
    std::vector<Operand> values = {Operand::poison(lanes[i].type)};
    if (isMask)
      for (unsigned lane = 0; lane < 2 * operands[0].type.lanes(); ++lane)
        values.push_back(Operand::constant(lanes[i].type, lane));
    else
      for (const std::uint64_t bits :
           constantsNear(lanes[i], Edits::Kinds::all))
        values.push_back(Operand::constant(lanes[i].type, bits));
    for (const Operand &value : values)
      if (value != lanes[i])
        result.emplace_back(i, value);
  }
  return result;
}

constexpr std::uint32_t alignments[] = {1, 2, 4, 8};

/// As far as they are not what it is.
std::vector<std::uint32_t> otherAlignments(const Instruction &access) {
  std::vector<std::uint32_t> result;
  for (const std::uint32_t alignment : alignments)
    if (alignment != access.alignment)
      result.push_back(alignment);
  return result;
}

bool touchesMemory(const Instruction &instruction) {
  return corpus::info(instruction.opcode).has(corpus::trait::accessesMemory);
}

/// The attribute there if it was not, or the other way round; of a range, that
/// it is not 0.
corpus::Attributes toggled(corpus::Attributes attributes, std::uint32_t bit) {
  if (attributes.has(bit))
    attributes.remove(bit);
  else if (bit == corpus::attribute::range)
    attributes.add(bit, 1, 0);
  else
    addPointerAttribute(attributes, bit, 1);
  return attributes;
}

/// What may be promised of a result.
constexpr std::uint32_t promises[] = {corpus::attribute::noundef,
                                      corpus::attribute::range};

/// That promise made of the result if it was not, or the other way round.
void toggleResult(Program &program, Instruction &instruction,
                  std::uint32_t promise) {
  corpus::CallAttributes attributes;
  if (instruction.attributes != Instruction::noAttributes)
    attributes = program.callAttributes[instruction.attributes];
  attributes.result = toggled(std::move(attributes.result), promise);
  if (attributes == corpus::CallAttributes()) {
    instruction.attributes = Instruction::noAttributes;
    return;
  }
  instruction.attributes =
      static_cast<std::uint32_t>(program.callAttributes.size());
  program.callAttributes.push_back(std::move(attributes));
}

/// The candidates without `now`, by position.
const Operand &otherThan(const std::vector<Operand> &candidates,
                         const Operand &now, std::uint64_t choice) {
  const auto own = static_cast<std::uint64_t>(
      std::find(candidates.begin(), candidates.end(), now) -
      candidates.begin());
  return candidates[choice + (choice >= own ? 1 : 0)];
}

std::uint64_t othersThan(const std::vector<Operand> &candidates,
                         const Operand &now) {
  return candidates.size() -
         std::count(candidates.begin(), candidates.end(), now);
}

} // namespace

Edits::Edits(Program program, Kinds kinds)
    : program_(std::move(program)), kinds_(kinds), graph_(program_),
      isModern_(std::any_of(
          program_.instructions.begin(), program_.instructions.end(),
          [](const Instruction &instruction) {
            return !instruction.flags.empty() &&
                   corpus::flagsSince(instruction.opcode, instruction.flags) >
                       knownReleases.front();
          })) {
  blockOf_.resize(program_.instructions.size());
  for (std::uint32_t b = 0; b < program_.blocks.size(); ++b)
    std::fill(blockOf_.begin() + program_.blocks[b].begin,
              blockOf_.begin() + program_.blocks[b].end, b);
  for (std::uint32_t i = 0; i < program_.instructions.size(); ++i)
    addSites(i);
  const auto &parameters = program_.signature.parameters;
  for (std::uint32_t i = 0; i < parameters.size(); ++i)
    for (std::uint32_t row = 0; row < pointerAttributes().size(); ++row)
      if (parameters[i].type.isPointer() &&
          canStandTogether(
              toggled(parameters[i].attributes, pointerAttributes()[row])))
        add(Kind::attribute, i, row, 1);
}

void Edits::add(Kind kind, std::uint32_t instruction, std::uint32_t detail,
                std::uint64_t choices) {
  if (choices == 0)
    return;
  sites_.push_back({kind, instruction, detail, count_});
  count_ += choices;
}

void Edits::addSites(std::uint32_t index) {
  const Instruction &instruction = program_.instructions[index];
  const corpus::OpcodeInfo &row = corpus::info(instruction.opcode);
  const auto operands = program_.operandsOf(instruction);
  if (operands.size() >= 2 && isFree(instruction, operands[0], 0) &&
      isFree(instruction, operands[1], 1) && operands[0] != operands[1] &&
      operands[0].type == operands[1].type && row.shape != corpus::Shape::phi)
    add(Kind::swap, index, 0, 1);
  if (kinds_ == Kinds::few)
    add(Kind::flags, index, 0, flagSets(row).size() - 1);
  for (std::uint32_t i = 0; i < corpus::flagTable.size(); ++i)
    if (kinds_ == Kinds::all && canHave(row, corpus::flagTable[i].flag))
      add(Kind::flag, index, i, 1);
  if (instruction.opcode == Opcode::icmp)
    add(Kind::predicate, index, 0, corpus::predicateTable.size() - 1);
  else if (!hasFixedOpcode(row.shape))
    add(Kind::opcode, index, 0,
        opcodesLike(instruction.opcode, operands[0].type).size() - 1);

  for (std::uint32_t which = 0; which < operands.size(); ++which) {
    const Operand &now = operands[which];
    add(Kind::lane, index, which,
        otherLanes(program_, instruction, which).size());
    if (!isFree(instruction, now, which))
      continue;
    const auto values = candidates(now, readAt(index, which));
    add(Kind::operand, index, which, othersThan(values, now));
    if (row.shape == corpus::Shape::phi || kinds_ == Kinds::few)
      continue;
    add(Kind::wrap, index, which,
        2 * opcodesLike(Opcode::add, now.type).size() * values.size());
    add(Kind::freeze, index, which, 1);
  }
  if (row.has(corpus::trait::alignment))
    add(Kind::alignment, index, 0, otherAlignments(instruction).size());
  if (canExchange(index) && exchange(index) != program_)
    add(Kind::exchange, index, 0, 1);
  for (const std::uint32_t promise : promises)
    if (canPromise(instruction, promise))
      add(Kind::promise, index, promise, 1);
  if (isOfIntegers(instruction.type) ||
      (instruction.type.isPointer() && instruction.opcode != Opcode::alloca_))
    add(Kind::remove, index, 0,
        candidates(Operand::instruction(instruction.type, index), index)
            .size());
  else if (touchesMemory(instruction) && instruction.type.isVoid())
    add(Kind::removeVoid, index, 0, 1);
}

bool Edits::canHave(const corpus::OpcodeInfo &row, corpus::Flags flag) const {
  return row.allowedFlags.has(flag) &&
         (isModern_ ||
          corpus::flagsSince(row.opcode, flag) <= knownReleases.front());
}

bool Edits::canPromise(const Instruction &instruction,
                       std::uint32_t attribute) const {
  const bool isLoad = instruction.opcode == Opcode::load;
  if (!instruction.type.isInteger() ||
      (!isLoad && !corpus::info(instruction.opcode).isIntrinsic()))
    return false;
  // Of a load it is metadata, which is older.
  return isLoad || isModern_ ||
         corpus::attributeInfo(attribute).since <= knownReleases.front();
}

std::vector<corpus::Flags>
Edits::flagSets(const corpus::OpcodeInfo &row) const {
  std::vector<corpus::Flags> sets = {{}};
  for (const corpus::FlagInfo &info : corpus::flagTable)
    if (canHave(row, info.flag))
      for (std::size_t i = sets.size(); i-- > 0;)
        sets.push_back(sets[i] | info.flag);
  return sets;
}

/// Both touch memory, and the next one does not use this one.
bool Edits::canExchange(std::uint32_t index) const {
  const std::uint32_t next = index + 1;
  if (next >= program_.instructions.size() ||
      blockOf_[index] != blockOf_[next] ||
      !touchesMemory(program_.instructions[index]) ||
      !touchesMemory(program_.instructions[next]))
    return false;
  const auto operands = program_.operandsOf(program_.instructions[next]);
  return std::none_of(operands.begin(), operands.end(),
                      [&](const Operand &operand) {
                        return operand.is(Operand::Kind::instruction) &&
                               operand.payload == index;
                      });
}

bool Edits::isVisible(std::uint64_t value, std::uint32_t position) const {
  return blockOf_[value] == blockOf_[position]
             ? value < position
             : graph_.dominates(blockOf_[value], blockOf_[position]);
}

std::uint32_t Edits::readAt(std::uint32_t index, std::uint32_t which) const {
  const Instruction &instruction = program_.instructions[index];
  if (instruction.opcode != Opcode::phi)
    return index;
  const Operand &from = program_.operandsOf(instruction)[which + 1];
  return program_.blocks[from.payload].end - 1;
}

std::vector<Operand> Edits::candidates(const Operand &now,
                                       std::uint32_t position) const {
  std::vector<Operand> result;
  if (now.type.isPointer())
    result.push_back(Operand::null());
  else if (now.type.isInteger())
    for (std::uint64_t bits : constantsNear(now, kinds_))
      result.push_back(Operand::constant(now.type, bits));
  for (std::size_t i = 0; i < program_.signature.parameters.size(); ++i)
    if (program_.signature.parameters[i].type == now.type)
      result.push_back(Operand::argument(now.type, i));
  for (std::size_t i = 0; i < program_.instructions.size(); ++i)
    if (program_.instructions[i].type == now.type && isVisible(i, position))
      result.push_back(Operand::instruction(now.type, i));
  return result;
}

Program Edits::apply(std::uint64_t index) const {
  assert(index < count_);
  const Site &site = *(std::upper_bound(sites_.begin(), sites_.end(), index,
                                        [](std::uint64_t i, const Site &s) {
                                          return i < s.before;
                                        }) -
                       1);
  const std::uint64_t choice = index - site.before;
  Program result = program_;
  Instruction &instruction = result.instructions[site.instruction];
  const auto operands = result.operandsOf(instruction);
  switch (site.kind) {
  case Kind::swap:
    std::swap(operands[0], operands[1]);
    return result;
  case Kind::flag: {
    const corpus::Flags flag = corpus::flagTable[site.detail].flag;
    instruction.flags = instruction.flags.has(flag)
                            ? instruction.flags.without(flag)
                            : instruction.flags | flag;
    return result;
  }
  case Kind::flags: {
    std::vector<corpus::Flags> sets =
        flagSets(corpus::info(instruction.opcode));
    std::erase(sets, instruction.flags);
    instruction.flags = sets[choice];
    return result;
  }
  case Kind::predicate: {
    const auto now = static_cast<std::uint64_t>(instruction.predicate);
    instruction.predicate =
        corpus::predicateTable[choice + (choice >= now ? 1 : 0)].predicate;
    return result;
  }
  case Kind::opcode: {
    std::vector<Opcode> opcodes =
        opcodesLike(instruction.opcode, operands[0].type);
    std::erase(opcodes, instruction.opcode);
    instruction.opcode = opcodes[choice];
    // Flags that the new opcode does not have go.
    corpus::Flags kept;
    for (const corpus::FlagInfo &row : corpus::flagTable)
      if (instruction.flags.has(row.flag) &&
          corpus::info(instruction.opcode).allowedFlags.has(row.flag))
        kept = kept | row.flag;
    instruction.flags = kept;
    // Attributes of a call site belong to an intrinsic.
    if (!corpus::info(instruction.opcode).isIntrinsic())
      instruction.attributes = Instruction::noAttributes;
    return result;
  }
  case Kind::operand: {
    const Operand now = operands[site.detail];
    const auto values = candidates(now, readAt(site.instruction, site.detail));
    const Operand &next = otherThan(values, now, choice);
    operands[site.detail] = next;
    if (instruction.opcode == Opcode::phi) // all edges from the same block
      for (std::size_t i = 0; i < operands.size(); i += 2)
        if (operands[i + 1] == operands[site.detail + 1])
          operands[i] = next;
    return result;
  }
  case Kind::lane: {
    const Operand now = operands[site.detail];
    const auto [lane, value] = otherLanes(
        program_, program_.instructions[site.instruction], site.detail)[choice];
    std::vector<Operand> lanes = program_.constants[now.payload].lanes;
    lanes[lane] = value;
    operands[site.detail] = result.literal(now.type, std::move(lanes));
    return result;
  }
  case Kind::wrap: {
    const Operand now = operands[site.detail];
    const auto values = candidates(now, readAt(site.instruction, site.detail));
    const auto opcodes = opcodesLike(Opcode::add, now.type);
    const Operand &other = values[choice % values.size()];
    const bool isLeft = choice / values.size() % 2 == 0;
    return insert(site.instruction, site.detail,
                  opcodes[choice / values.size() / 2],
                  isLeft ? std::vector{now, other} : std::vector{other, now});
  }
  case Kind::freeze:
    return insert(site.instruction, site.detail, Opcode::freeze,
                  {operands[site.detail]});
  case Kind::remove: {
    const auto values =
        candidates(Operand::instruction(instruction.type, site.instruction),
                   site.instruction);
    return remove(site.instruction, values[choice]);
  }
  case Kind::removeVoid:
    return remove(site.instruction, Operand());
  case Kind::alignment:
    instruction.alignment = otherAlignments(instruction)[choice];
    return result;
  case Kind::exchange:
    return exchange(site.instruction);
  case Kind::attribute: {
    corpus::Attributes &attributes =
        result.signature.parameters[site.instruction].attributes;
    attributes = toggled(attributes, pointerAttributes()[site.detail]);
    return result;
  }
  case Kind::promise:
    toggleResult(result, instruction, site.detail);
    return result;
  }
  return result;
}

Program Edits::exchange(std::uint32_t position) const {
  Program result = program_;
  Instruction &first = result.instructions[position];
  Instruction &second = result.instructions[position + 1];
  const auto operands = result.operands.begin() + first.firstOperand;
  std::rotate(operands, operands + first.operandCount,
              operands + first.operandCount + second.operandCount);
  second.firstOperand = first.firstOperand;
  first.firstOperand += second.operandCount;
  std::swap(first, second);
  for (Operand &operand : result.operands)
    if (operand.is(Operand::Kind::instruction) &&
        (operand.payload == position || operand.payload == position + 1))
      operand.payload = 2 * std::uint64_t(position) + 1 - operand.payload;
  return result;
}

Program Edits::insert(std::uint32_t position, std::uint32_t which,
                      Opcode opcode, std::vector<Operand> operands) const {
  Program result = program_;
  const Instruction &user = program_.instructions[position];
  Instruction made;
  made.opcode = opcode;
  made.type = operands[0].type;
  made.firstOperand = user.firstOperand;
  made.operandCount = static_cast<std::uint32_t>(operands.size());
  result.operands.insert(result.operands.begin() + user.firstOperand,
                         operands.begin(), operands.end());
  result.instructions.insert(result.instructions.begin() + position, made);
  for (std::uint32_t i = position + 1; i < result.instructions.size(); ++i)
    result.instructions[i].firstOperand += made.operandCount;
  for (corpus::Block &block : result.blocks) {
    block.begin += block.begin > position ? 1 : 0;
    block.end += block.end > position ? 1 : 0;
  }
  for (Operand &operand : result.operands)
    if (operand.is(Operand::Kind::instruction) && operand.payload >= position)
      ++operand.payload;
  result.operandsOf(result.instructions[position + 1])[which] =
      Operand::instruction(made.type, position);
  return result;
}

Program Edits::remove(std::uint32_t position,
                      const Operand &replacement) const {
  Program result = program_;
  const Instruction removed = program_.instructions[position];
  const auto first = result.operands.begin() + removed.firstOperand;
  result.operands.erase(first, first + removed.operandCount);
  result.instructions.erase(result.instructions.begin() + position);
  for (std::uint32_t i = position; i < result.instructions.size(); ++i)
    result.instructions[i].firstOperand -= removed.operandCount;
  for (corpus::Block &block : result.blocks) {
    block.begin -= block.begin > position ? 1 : 0;
    block.end -= block.end > position ? 1 : 0;
  }
  for (Operand &operand : result.operands) {
    if (operand.is(Operand::Kind::instruction) && operand.payload == position)
      operand = replacement;
    if (operand.is(Operand::Kind::instruction) && operand.payload > position)
      --operand.payload;
  }
  return result;
}

} // namespace enumerate
