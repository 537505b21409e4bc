// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/random_program.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>

namespace checker {

using corpus::Attributes;
using corpus::Flags;
using corpus::Instruction;
using corpus::Opcode;
using corpus::OpcodeInfo;
using corpus::Operand;
using corpus::Predicate;
using corpus::Program;
using corpus::Shape;
using corpus::Type;

namespace {

std::size_t below(Random &random, std::size_t count) {
  return random() % count;
}

bool oneIn(Random &random, unsigned n) { return below(random, n) == 0; }

Flags randomFlags(Random &random, Opcode opcode) {
  Flags flags;
  for (const corpus::FlagInfo &flag : corpus::flagTable)
    if (corpus::info(opcode).allowedFlags.has(flag.flag) && oneIn(random, 2))
      flags = flags | flag.flag;
  return flags;
}

Predicate randomPredicate(Random &random) {
  return corpus::predicateTable[below(random, corpus::predicateTable.size())]
      .predicate;
}

Attributes randomValueAttributes(Random &random, Type type) {
  Attributes attributes;
  if (oneIn(random, 3))
    attributes.bits |= corpus::attribute::noundef;
  const std::uint64_t low = random() & type.mask();
  const std::uint64_t high = random() & type.mask();
  if (low != high && oneIn(random, 3)) {
    attributes.bits |= corpus::attribute::range;
    attributes.rangeLow = low;
    attributes.rangeHigh = high;
  }
  return attributes;
}

class Generator {
public:
  Generator(Random &random, const RandomOptions &options)
      : random_(random), options_(options) {}

  Program generate() {
    const std::size_t arguments = 1 + below(random_, options_.maximumArguments);
    for (std::size_t i = 0; i < arguments; ++i) {
      const Type type = randomType();
      program_.addParameter(type, options_.attributes
                                      ? randomValueAttributes(random_, type)
                                      : Attributes());
      values_.push_back(Operand::argument(type, i));
    }
    while (program_.instructions.size() < options_.instructions)
      appendRandom();
    // Return the last integer, so that most of the program matters.
    Operand last = values_.back();
    for (const Operand &value : values_)
      if (value.type.isInteger())
        last = value;
    program_.signature.returnType = last.type;
    if (options_.attributes)
      program_.signature.result = randomValueAttributes(random_, last.type);
    program_.append(Opcode::ret, Type(), {last});
    return std::move(program_);
  }

  Program generateBranching() {
    const std::size_t arguments = 1 + below(random_, options_.maximumArguments);
    for (std::size_t i = 0; i < arguments; ++i) {
      const Type type = randomType();
      program_.addParameter(type);
      values_.push_back(Operand::argument(type, i));
    }
    const Type returned = randomType();
    program_.signature.returnType = returned;
    // Blocks: 0 entry, 1 .. sides, then the end.
    const std::size_t sides = 2 + below(random_, 2);
    const std::size_t last = sides + 1;
    appendSome(below(random_, options_.instructions));
    if (sides == 2) {
      program_.append(
          Opcode::br, Type(),
          {operand(Type::integer(1)), Operand::block(1), Operand::block(2)});
    } else {
      const Type type = randomType();
      const std::uint64_t value = random_() & type.mask();
      program_.append(Opcode::switch_, Type(),
                      {operand(type), Operand::block(1),
                       Operand::constant(type, value), Operand::block(2),
                       Operand::constant(type, value ^ 1), Operand::block(3)});
    }
    const std::vector<Operand> outer = values_;
    std::vector<std::pair<std::size_t, Operand>> incoming;
    for (std::size_t side = 1; side <= sides; ++side) {
      program_.beginBlock();
      values_ = outer;
      appendSome(below(random_, 3));
      // The first side always goes on, so that the end is reachable.
      if (side > 1 && oneIn(random_, 6)) {
        program_.append(Opcode::unreachable, Type(), {});
      } else if (side > 1 && oneIn(random_, 4)) {
        program_.append(Opcode::ret, Type(), {operand(returned)});
      } else {
        incoming.emplace_back(side, operand(returned));
        program_.append(Opcode::br, Type(), {Operand::block(last)});
      }
    }
    program_.beginBlock();
    values_ = outer;
    std::vector<Operand> phi;
    for (const auto &[side, value] : incoming) {
      phi.push_back(value);
      phi.push_back(Operand::block(side));
    }
    values_.push_back(program_.append(Opcode::phi, returned, phi));
    appendSome(below(random_, 3));
    program_.append(Opcode::ret, Type(), {operand(returned)});
    return std::move(program_);
  }

private:
  void appendSome(std::size_t count) {
    const std::size_t end = program_.instructions.size() + count;
    while (program_.instructions.size() < end)
      appendRandom();
  }

  Type randomType() {
    return Type::integer(
        options_.widths[below(random_, options_.widths.size())]);
  }

  Operand literal(Type type) {
    if (options_.undefAndPoison && oneIn(random_, 4))
      return oneIn(random_, 3) ? Operand::poison(type) : Operand::undef(type);
    return Operand::constant(type, random_());
  }

  Operand operand(Type type) {
    std::vector<Operand> candidates;
    for (const Operand &value : values_)
      if (value.type == type)
        candidates.push_back(value);
    // Newer values first, so that chains form.
    if (candidates.empty() || oneIn(random_, 5))
      return literal(type);
    return oneIn(random_, 2) ? candidates.back()
                             : candidates[below(random_, candidates.size())];
  }

  std::optional<Operand> find(bool (Type::*property)() const) {
    std::vector<Operand> candidates;
    for (const Operand &value : values_)
      if ((value.type.*property)())
        candidates.push_back(value);
    if (candidates.empty())
      return std::nullopt;
    return candidates[below(random_, candidates.size())];
  }

  void appendRandom() {
    const auto table = corpus::opcodeTable();
    const OpcodeInfo &info = table[below(random_, table.size())];
    if (info.isIntrinsic() && !options_.intrinsics)
      return;
    const Flags flags = randomFlags(random_, info.opcode);
    const Type type = randomType();
    const auto append = [&](Type result,
                            std::initializer_list<Operand> operands,
                            Predicate predicate = Predicate::eq) {
      Operand value =
          program_.append(info.opcode, result, operands, flags, predicate);
      if (options_.attributes && info.isIntrinsic() && result.isInteger() &&
          oneIn(random_, 3)) {
        corpus::CallAttributes attributes;
        attributes.result = randomValueAttributes(random_, result);
        program_.instructions.back().attributes =
            static_cast<std::uint32_t>(program_.callAttributes.size());
        program_.callAttributes.push_back(attributes);
        if (attributes.result.empty()) {
          program_.instructions.back().attributes = Instruction::noAttributes;
          program_.callAttributes.pop_back();
        }
      }
      if (!result.isVoid())
        values_.push_back(value);
    };
    const Type bit = Type::integer(1);
    switch (info.shape) {
    case Shape::binary:
    case Shape::intrinsicBinary:
      return append(type, {operand(type), operand(type)});
    case Shape::compare:
      return append(bit, {operand(type), operand(type)},
                    randomPredicate(random_));
    case Shape::select:
      return append(type, {operand(bit), operand(type), operand(type)});
    case Shape::unary:
      return append(type, {operand(type)});
    case Shape::intrinsicUnary:
      if (info.opcode == Opcode::bswap && type.width() % 16 != 0)
        return;
      return append(type, {operand(type)});
    case Shape::intrinsicUnaryWithFlag:
      return append(type, {operand(type), Operand::constant(bit, random_())});
    case Shape::intrinsicTernary:
      return append(type, {operand(type), operand(type), operand(type)});
    case Shape::widen:
    case Shape::narrow: {
      const Type other = randomType();
      const bool fits = info.shape == Shape::widen
                            ? other.width() > type.width()
                            : other.width() < type.width();
      if (fits)
        append(other, {operand(type)});
      return;
    }
    case Shape::intrinsicOverflow:
      return append(Type::overflowPair(type.width()),
                    {operand(type), operand(type)});
    case Shape::intrinsicThreeWay: {
      const Type result = randomType();
      if (result.width() >= 2)
        append(result, {operand(type), operand(type)});
      return;
    }
    case Shape::intrinsicAssume:
      // Rarely: most of them make the source UB.
      if (oneIn(random_, 3))
        append(Type(), {operand(bit)});
      return;
    case Shape::extract:
      if (const auto pair = find(&Type::isOverflowPair)) {
        const std::uint64_t index = below(random_, 2);
        append(index == 0 ? Type::integer(pair->type.width()) : bit,
               {*pair, Operand::constant(Type::integer(32), index)});
      }
      return;
    case Shape::phi:
    case Shape::call:
    case Shape::terminator:
      return;
    }
  }

  Random &random_;
  const RandomOptions &options_;
  Program program_;
  std::vector<Operand> values_;
};

/// Inserts `freeze` of operand `operand` in front of its instruction.
void freezeOperand(Program &program, std::size_t instruction,
                   std::size_t operand) {
  Program result;
  result.signature = program.signature;
  result.callAttributes = program.callAttributes;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction &old = program.instructions[i];
    for (const corpus::Block &block : program.blocks)
      if (block.begin == i)
        result.beginBlock();
    std::vector<Operand> operands;
    for (Operand item : program.operandsOf(old)) {
      if (item.is(Operand::Kind::instruction) && item.payload >= instruction)
        ++item.payload;
      operands.push_back(item);
    }
    if (i == instruction)
      operands[operand] = result.append(Opcode::freeze, operands[operand].type,
                                        {operands[operand]});
    result.append(old.opcode, old.type, operands, old.flags, old.predicate);
    result.instructions.back().attributes = old.attributes;
  }
  program = std::move(result);
}

} // namespace

Program randomProgram(Random &random, const RandomOptions &options) {
  return Generator(random, options).generate();
}

Program randomBranching(Random &random, const RandomOptions &options) {
  return Generator(random, options).generateBranching();
}

Program randomEdit(Random &random, const Program &program,
                   const RandomOptions &options) {
  Program edited = program;
  for (unsigned attempt = 0; attempt < 32 && edited == program; ++attempt) {
    const std::size_t at = below(random, edited.instructions.size());
    Instruction &instruction = edited.instructions[at];
    const OpcodeInfo &info = corpus::info(instruction.opcode);
    const auto operands = edited.operandsOf(instruction);
    switch (below(random, 8)) {
    case 0:
    case 1: // drop flags
      instruction.flags =
          Flags(static_cast<std::uint8_t>(instruction.flags.bits() & random()));
      break;
    case 2: // commute
      if (info.commutative)
        std::swap(operands[0], operands[1]);
      break;
    case 3: { // freeze an operand
      const bool isFixed = info.shape == Shape::extract ||
                           info.shape == Shape::intrinsicUnaryWithFlag ||
                           instruction.opcode == Opcode::switch_;
      if (operands.empty())
        break;
      const std::size_t which = isFixed ? 0 : below(random, operands.size());
      if (operands[which].type.isInteger() && instruction.opcode != Opcode::phi)
        freezeOperand(edited, at, which);
      break;
    }
    case 4:
      instruction.flags = randomFlags(random, instruction.opcode);
      break;
    case 5:
      if (info.shape == Shape::compare)
        instruction.predicate = randomPredicate(random);
      break;
    case 6: { // another opcode of the same shape
      const auto table = corpus::opcodeTable();
      const OpcodeInfo &other = table[below(random, table.size())];
      const bool fits = other.shape == info.shape &&
                        other.opcode != Opcode::bswap &&
                        info.shape != Shape::terminator &&
                        (options.intrinsics || !other.isIntrinsic());
      if (fits) {
        instruction.opcode = other.opcode;
        instruction.flags = randomFlags(random, other.opcode);
      }
      break;
    }
    case 7: { // another operand
      if (operands.empty())
        break;
      const std::size_t which = below(random, operands.size());
      const bool isFixed = (info.shape == Shape::extract ||
                            info.shape == Shape::intrinsicUnaryWithFlag ||
                            instruction.opcode == Opcode::switch_) &&
                           which > 0;
      const Type type = operands[which].type;
      if (isFixed || type.isVoid() || !type.isInteger())
        break;
      std::vector<Operand> candidates = {Operand::constant(type, random())};
      for (std::size_t i = 0; i < edited.signature.parameters.size(); ++i)
        if (edited.signature.parameters[i].type == type)
          candidates.push_back(Operand::argument(type, i));
      for (std::size_t i = 0; i < at; ++i)
        if (edited.instructions[i].type == type)
          candidates.push_back(Operand::instruction(type, i));
      operands[which] = candidates[below(random, candidates.size())];
      break;
    }
    }
    // A new operand may not dominate.
    if (corpus::verify(edited))
      edited = program;
  }
  return edited;
}

} // namespace checker
