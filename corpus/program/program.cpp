// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/program.h"

#include "corpus/program/graph.h"
#include "corpus/program/print.h"

#include <algorithm>
#include <fmt/format.h>

namespace corpus {

std::string toString(Type type) {
  if (type.isVoid())
    return "void";
  if (type.isInteger())
    return fmt::format("i{}", type.width());
  assert(type.isOverflowPair());
  return fmt::format("{{ i{}, i1 }}", type.width());
}

void Program::clear() {
  signature.returnType = Type();
  signature.function = {};
  signature.result = {};
  signature.parameters.clear();
  blocks.clear();
  instructions.clear();
  operands.clear();
  callees.clear();
  callAttributes.clear();
}

void Program::beginBlock() {
  const auto position = static_cast<std::uint32_t>(instructions.size());
  blocks.push_back({position, position});
}

Operand Program::append(Opcode opcode, Type type,
                        std::span<const Operand> values, Flags flags,
                        Predicate predicate) {
  if (blocks.empty())
    beginBlock();
  Instruction instruction;
  instruction.opcode = opcode;
  instruction.flags = flags;
  instruction.predicate = predicate;
  instruction.type = type;
  instruction.firstOperand = static_cast<std::uint32_t>(operands.size());
  instruction.operandCount = static_cast<std::uint32_t>(values.size());
  operands.insert(operands.end(), values.begin(), values.end());
  instructions.push_back(instruction);
  blocks.back().end = static_cast<std::uint32_t>(instructions.size());
  return Operand::instruction(type, instructions.size() - 1);
}

Operand Program::addParameter(Type type, Attributes attributes) {
  signature.parameters.push_back({type, attributes});
  return Operand::argument(type, signature.parameters.size() - 1);
}

bool Program::isStraightLine() const {
  return blocks.size() == 1 && !instructions.empty() &&
         instructions.back().opcode == Opcode::ret;
}

unsigned Program::instructionCount() const {
  return static_cast<unsigned>(
      std::count_if(instructions.begin(), instructions.end(),
                    [](const Instruction &instruction) {
                      return !info(instruction.opcode).isTerminator();
                    }));
}

namespace {

/// One pass over the program; the first broken invariant stops it.
class Verifier {
public:
  explicit Verifier(const Program &program) : program_(program) {}

  std::optional<std::string> run() {
    if (!checkLayout() || !checkSignature() || !checkInstructions() ||
        !checkDominance())
      return std::move(problem_);
    return std::nullopt;
  }

private:
  bool fail(std::string message) {
    problem_ = std::move(message);
    return false;
  }
  bool failAt(std::size_t index, std::string_view message) {
    return fail(fmt::format("instruction {} ({}): {}", index,
                            info(program_.instructions[index].opcode).spelling,
                            message));
  }

  bool checkLayout() {
    if (program_.blocks.empty())
      return fail("no blocks");
    std::size_t next = 0;
    for (const Block &block : program_.blocks) {
      if (block.begin != next || block.end <= block.begin ||
          block.end > program_.instructions.size())
        return fail("blocks do not cut the instructions into runs");
      next = block.end;
    }
    if (next != program_.instructions.size())
      return fail("instructions behind the last block");
    blockOf_.resize(program_.instructions.size());
    for (std::size_t b = 0; b < program_.blocks.size(); ++b)
      std::fill(blockOf_.begin() + program_.blocks[b].begin,
                blockOf_.begin() + program_.blocks[b].end, b);
    return true;
  }

  bool checkAttributes(const Attributes &attributes, Type type,
                       bool onFunction) {
    for (const AttributeInfo &row : attributeTable)
      if (attributes.has(row.bit) &&
          !(onFunction ? row.onFunction : row.onValue))
        return fail(
            fmt::format("attribute {} in the wrong place", row.spelling));
    const bool hasRange = attributes.has(attribute::range);
    if (hasRange &&
        (!type.isInteger() ||
         ((attributes.rangeLow | attributes.rangeHigh) & ~type.mask()) != 0))
      return fail("range does not fit its type");
    if (!hasRange && (attributes.rangeLow | attributes.rangeHigh) != 0)
      return fail("range bounds without range");
    return true;
  }

  bool checkSignature(const Signature &signature) {
    if (!signature.returnType.isKnown())
      return fail("unknown return type");
    for (const Parameter &parameter : signature.parameters)
      if (!parameter.type.isInteger() ||
          !checkAttributes(parameter.attributes, parameter.type, false))
        return problem_ ? false : fail("a parameter that is not an integer");
    return checkAttributes(signature.result, signature.returnType, false) &&
           checkAttributes(signature.function, Type(), true);
  }

  bool checkSignature() {
    for (const Callee &callee : program_.callees)
      if (!checkSignature(callee.signature))
        return false;
    return checkSignature(program_.signature);
  }

  bool checkOperand(std::size_t index, const Operand &operand) {
    if (!operand.type.isKnown())
      return failAt(index, "operand of an unknown type");
    switch (operand.kind) {
    case Operand::Kind::constant:
      if (!operand.type.isInteger() ||
          (operand.payload & ~operand.type.mask()) != 0)
        return failAt(index, "constant wider than its type");
      return true;
    case Operand::Kind::undef:
    case Operand::Kind::poison:
      if (operand.type.isVoid() || operand.payload != 0)
        return failAt(index, "malformed undef or poison");
      return true;
    case Operand::Kind::argument:
      if (operand.payload >= program_.signature.parameters.size() ||
          program_.signature.parameters[operand.payload].type != operand.type)
        return failAt(index, "no such argument");
      return true;
    case Operand::Kind::instruction:
      if (operand.payload >= program_.instructions.size() ||
          program_.instructions[operand.payload].type != operand.type ||
          operand.type.isVoid())
        return failAt(index, "no such result");
      return true;
    case Operand::Kind::block:
      if (operand.payload >= program_.blocks.size() || !operand.type.isVoid())
        return failAt(index, "no such block");
      if (operand.payload == 0 &&
          info(program_.instructions[index].opcode).isTerminator())
        return failAt(index, "branch to the entry block");
      return true;
    }
    return failAt(index, "unknown operand kind");
  }

  /// Operand and result types, by shape; one case for each Shape.
  bool checkShape(std::size_t index) {
    const Instruction &instruction = program_.instructions[index];
    const auto values = program_.operandsOf(instruction);
    const auto count = [&](std::size_t n) { return values.size() == n; };
    const auto isInt = [&](std::size_t i) {
      return values[i].type.isInteger();
    };
    const auto allResultType = [&](std::size_t from, std::size_t n) {
      return count(n) && std::all_of(values.begin() + from, values.end(),
                                     [&](const Operand &value) {
                                       return value.type == instruction.type;
                                     });
    };
    const auto constantOf = [&](std::size_t i, unsigned width) {
      return values[i].is(Operand::Kind::constant) &&
             values[i].type == Type::integer(width);
    };
    const bool intResult = instruction.type.isInteger();
    switch (info(instruction.opcode).shape) {
    case Shape::binary:
    case Shape::intrinsicBinary:
      return intResult && allResultType(0, 2);
    case Shape::unary:
    case Shape::intrinsicUnary:
      return intResult && allResultType(0, 1) &&
             (instruction.opcode != Opcode::bswap ||
              instruction.type.width() % 16 == 0);
    case Shape::intrinsicTernary:
      return intResult && allResultType(0, 3);
    case Shape::compare:
      return instruction.type == Type::integer(1) && count(2) && isInt(0) &&
             values[0].type == values[1].type;
    case Shape::select:
      return intResult && allResultType(1, 3) &&
             values[0].type == Type::integer(1);
    case Shape::widen:
      return intResult && count(1) && isInt(0) &&
             values[0].type.width() < instruction.type.width();
    case Shape::narrow:
      return intResult && count(1) && isInt(0) &&
             values[0].type.width() > instruction.type.width();
    case Shape::intrinsicUnaryWithFlag:
      return intResult && count(2) && values[0].type == instruction.type &&
             constantOf(1, 1);
    case Shape::intrinsicOverflow:
      return count(2) && isInt(0) && values[0].type == values[1].type &&
             instruction.type == Type::overflowPair(values[0].type.width());
    case Shape::intrinsicThreeWay:
      return intResult && instruction.type.width() >= 2 && count(2) &&
             isInt(0) && values[0].type == values[1].type;
    case Shape::intrinsicAssume:
      return instruction.type.isVoid() && count(1) &&
             values[0].type == Type::integer(1);
    case Shape::extract:
      return count(2) && values[0].type.isOverflowPair() && constantOf(1, 32) &&
             values[1].payload <= 1 &&
             instruction.type == Type::integer(values[1].payload == 0
                                                   ? values[0].type.width()
                                                   : 1);
    case Shape::phi:
      if (!intResult || values.empty() || values.size() % 2 != 0)
        return false;
      for (std::size_t i = 0; i < values.size(); i += 2)
        if (values[i].type != instruction.type ||
            !values[i + 1].is(Operand::Kind::block))
          return false;
      return true;
    case Shape::call: {
      if (instruction.callee >= program_.callees.size())
        return false;
      const Signature &callee = program_.callees[instruction.callee].signature;
      return instruction.type == callee.returnType &&
             std::equal(values.begin(), values.end(), callee.parameters.begin(),
                        callee.parameters.end(),
                        [](const Operand &value, const Parameter &parameter) {
                          return value.type == parameter.type;
                        });
    }
    case Shape::terminator:
      return instruction.type.isVoid() && checkTerminator(instruction, values);
    }
    return false;
  }

  bool checkTerminator(const Instruction &instruction,
                       std::span<const Operand> values) {
    const auto isBlock = [&](std::size_t i) {
      return values[i].is(Operand::Kind::block);
    };
    switch (instruction.opcode) {
    case Opcode::ret:
      return program_.signature.returnType.isVoid()
                 ? values.empty()
                 : values.size() == 1 &&
                       values[0].type == program_.signature.returnType;
    case Opcode::br:
      return (values.size() == 1 && isBlock(0)) ||
             (values.size() == 3 && values[0].type == Type::integer(1) &&
              isBlock(1) && isBlock(2));
    case Opcode::switch_: {
      if (values.size() < 2 || values.size() % 2 != 0 ||
          !values[0].type.isInteger() || !isBlock(1))
        return false;
      for (std::size_t i = 2; i < values.size(); i += 2) {
        if (!values[i].is(Operand::Kind::constant) ||
            values[i].type != values[0].type || !isBlock(i + 1))
          return false;
        for (std::size_t j = 2; j < i; j += 2)
          if (values[j] == values[i])
            return false;
      }
      return true;
    }
    default:
      return instruction.opcode == Opcode::unreachable && values.empty();
    }
  }

  bool checkInstructions() {
    std::uint32_t nextOperand = 0;
    for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
      const Instruction &instruction = program_.instructions[i];
      const Block &block = program_.blocks[blockOf_[i]];
      if (static_cast<std::size_t>(instruction.opcode) >= opcodeTable().size())
        return fail("unknown opcode");
      const OpcodeInfo &row = info(instruction.opcode);
      if (instruction.firstOperand != nextOperand ||
          instruction.operandCount > program_.operands.size() - nextOperand)
        return failAt(i, "operands are not in instruction order");
      nextOperand += instruction.operandCount;
      if (row.isTerminator() != (i + 1 == block.end))
        return failAt(i, "a block ends in its only terminator");
      if (instruction.opcode == Opcode::phi && i > block.begin &&
          program_.instructions[i - 1].opcode != Opcode::phi)
        return failAt(i, "phi behind another instruction");
      if (!row.allowedFlags.has(instruction.flags))
        return failAt(i, "flag that the opcode does not have");
      if (instruction.opcode != Opcode::icmp &&
          instruction.predicate != Predicate::eq)
        return failAt(i, "predicate on something that is not icmp");
      if (static_cast<std::size_t>(instruction.predicate) >=
          predicateTable.size())
        return failAt(i, "unknown predicate");
      if (instruction.opcode != Opcode::call && instruction.callee != 0)
        return failAt(i, "callee on something that is not a call");
      if (!checkCallAttributes(i))
        return false;
      const bool takesBlocks =
          row.shape == Shape::terminator || row.shape == Shape::phi;
      for (const Operand &operand : program_.operandsOf(instruction)) {
        if (!checkOperand(i, operand))
          return false;
        if (operand.is(Operand::Kind::block) && !takesBlocks)
          return failAt(i, "a block as an operand");
      }
      if (!instruction.type.isKnown() || !checkShape(i))
        return failAt(i, "operands do not fit");
    }
    if (nextOperand != program_.operands.size())
      return fail("operands behind the last instruction");
    return true;
  }

  bool checkCallAttributes(std::size_t index) {
    const Instruction &instruction = program_.instructions[index];
    if (instruction.attributes == Instruction::noAttributes)
      return true;
    const OpcodeInfo &row = info(instruction.opcode);
    if (!row.isIntrinsic() && row.shape != Shape::call)
      return failAt(index, "attributes on something that is not a call");
    if (instruction.attributes >= program_.callAttributes.size())
      return failAt(index, "no such call attributes");
    const CallAttributes &call =
        program_.callAttributes[instruction.attributes];
    if (!call.parameters.empty() &&
        call.parameters.size() != instruction.operandCount)
      return failAt(index, "attributes do not fit the arguments");
    const auto values = program_.operandsOf(instruction);
    for (std::size_t i = 0; i < call.parameters.size(); ++i)
      if (!checkAttributes(call.parameters[i], values[i].type, false))
        return false;
    return checkAttributes(call.result, instruction.type, false) &&
           checkAttributes(call.function, Type(), true);
  }

  /// Dominance in the one block that most functions of a campaign are.
  bool checkOrder() {
    for (std::size_t i = 0; i < program_.instructions.size(); ++i)
      for (const Operand &value : program_.operandsOf(program_.instructions[i]))
        if (value.is(Operand::Kind::instruction) && value.payload >= i)
          return failAt(i, "operand does not dominate its use");
    return true;
  }

  bool checkDominance() {
    if (program_.blocks.size() == 1)
      return checkOrder();
    const Graph graph(program_);
    for (std::size_t b = 1; b < graph.size(); ++b)
      if (graph.predecessors(b).empty())
        return fail(fmt::format("block {} has no predecessors", b));
    const auto dominates = [&](std::size_t definition, std::size_t block,
                               std::size_t position) {
      return blockOf_[definition] == block
                 ? definition < position
                 : graph.dominates(blockOf_[definition], block);
    };

    for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
      const Instruction &instruction = program_.instructions[i];
      const auto values = program_.operandsOf(instruction);
      if (instruction.opcode == Opcode::phi) {
        std::vector<std::size_t> incoming;
        for (std::size_t v = 0; v < values.size(); v += 2) {
          const std::size_t from = values[v + 1].payload;
          incoming.push_back(from);
          for (std::size_t w = 0; w < v; w += 2)
            if (values[w + 1].payload == from && values[w] != values[v])
              return failAt(i, "several values over edges from one block");
          if (values[v].is(Operand::Kind::instruction) &&
              !dominates(values[v].payload, from, program_.blocks[from].end))
            return failAt(i, "operand does not dominate its edge");
        }
        std::sort(incoming.begin(), incoming.end());
        if (!std::ranges::equal(incoming, graph.predecessors(blockOf_[i])))
          return failAt(i, "phi does not list its block's predecessors");
        continue;
      }
      for (const Operand &value : values)
        if (value.is(Operand::Kind::instruction) &&
            !dominates(value.payload, blockOf_[i], i))
          return failAt(i, "operand does not dominate its use");
    }
    return true;
  }

  const Program &program_;
  std::vector<std::size_t> blockOf_;
  std::optional<std::string> problem_;
};

} // namespace

std::optional<std::string> verify(const Program &program) {
  return Verifier(program).run();
}

} // namespace corpus
