// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/print.h"

#include "corpus/program/shape.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace corpus {
namespace {

std::string blockName(std::size_t index) {
  return index == 0 ? "entry" : fmt::format("b{}", index);
}

/// A constant, undef or poison.
std::string printLiteral(const Operand &operand) {
  if (operand.is(Operand::Kind::undef))
    return "undef";
  if (operand.is(Operand::Kind::poison))
    return "poison";
  if (operand.type.isPointer())
    return "null";
  if (operand.type == Type::integer(1))
    return operand.payload != 0 ? "true" : "false";
  return fmt::format("{}", signExtend(operand.payload, operand.type.width()));
}

std::string typed(const Program &program, const Operand &operand) {
  if (operand.is(Operand::Kind::block))
    return fmt::format("label %{}", blockName(operand.payload));
  return fmt::format("{} {}", toString(operand.type),
                     printOperand(program, operand));
}

/// One attribute with a space before it.
std::string printAttribute(const AttributeInfo &row,
                           const Attributes &attributes, Type type,
                           unsigned release) {
  if (release < 16 && row.bit == attribute::memoryNone)
    return " readnone";
  if (release < 16 && row.bit == attribute::memoryRead)
    return " readonly";
  if (row.value == AttributeValue::none)
    return fmt::format(" {}", row.spelling);
  const Attributes::Value &value = attributes.valueOf(row.bit);
  switch (row.value) {
  case AttributeValue::none:
    break;
  case AttributeValue::interval: {
    const Type lane = type.lane(0);
    return fmt::format(" {}({} {}, {})", row.spelling, toString(lane),
                       signExtend(value.low, lane.width()),
                       signExtend(value.high, lane.width()));
  }
  case AttributeValue::bytes:
    return fmt::format(" {}({})", row.spelling, value.low);
  case AttributeValue::powerOfTwo:
    return fmt::format(" {} {}", row.spelling, value.low);
  }
  return {};
}

std::string printAttributes(const Attributes &attributes, Type type,
                            unsigned release) {
  std::string text;
  for (const AttributeInfo &row : attributeTable)
    if (attributes.has(row.bit))
      text += printAttribute(row, attributes, type, release);
  return text;
}

/// As the name of an overloaded intrinsic has it.
std::string suffixOf(Type type) {
  if (type.isVector())
    return fmt::format("v{}{}", type.lanes(), suffixOf(type.lane(0)));
  return type.isPointer() ? "p0" : toString(type);
}

std::string intrinsicName(const Program &program,
                          const Instruction &instruction) {
  const OpcodeInfo &row = info(instruction.opcode);
  std::string name(row.spelling);
  const Suffix suffix = info(row.shape).suffix;
  if (suffix == Suffix::resultAndValue)
    name += "." + suffixOf(instruction.type);
  if (suffix != Suffix::none)
    name += "." + suffixOf(typeOf(program, instruction));
  return name;
}

/// The lanes from `next` on that a value of this type has, without the type.
std::string printLanes(Type type, std::span<const Operand> &next) {
  if (type.isScalar()) {
    const Operand &lane = next.front();
    next = next.subspan(1);
    return printLiteral(lane);
  }
  const unsigned count = type.isVector() ? type.lanes() : type.elements();
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    const Type element = type.isVector() ? type.lane(0) : type.element(i);
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", toString(element),
                        printLanes(element, next));
  }
  return type.isVector()  ? fmt::format("<{}>", text)
         : type.isArray() ? fmt::format("[{}]", text)
                          : fmt::format("{{ {} }}", text);
}

std::string printCall(const Program &program, const Instruction &instruction,
                      unsigned release) {
  static const CallAttributes noAttributes;
  const CallAttributes &attributes =
      instruction.attributes == Instruction::noAttributes
          ? noAttributes
          : program.callAttributes[instruction.attributes];
  const auto values = program.operandsOf(instruction);
  std::string arguments;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string extra = attributes.parameters.empty()
                                  ? ""
                                  : printAttributes(attributes.parameters[i],
                                                    values[i].type, release);
    arguments +=
        fmt::format("{}{}{} {}", i == 0 ? "" : ", ", toString(values[i].type),
                    extra, printOperand(program, values[i]));
  }
  const std::string name = instruction.opcode == Opcode::call
                               ? program.callees[instruction.callee].name
                               : intrinsicName(program, instruction);
  return fmt::format(
      "call{} {} @{}({}){}",
      printAttributes(attributes.result, instruction.type, release),
      toString(instruction.type), name, arguments,
      printAttributes(attributes.function, Type(), release));
}

std::string printTerminator(const Program &program,
                            const Instruction &instruction) {
  const auto values = program.operandsOf(instruction);
  if (instruction.opcode == Opcode::ret && values.empty())
    return "ret void";
  if (instruction.opcode == Opcode::switch_) {
    std::string text = fmt::format("switch {}, {} [", typed(program, values[0]),
                                   typed(program, values[1]));
    for (std::size_t i = 2; i < values.size(); i += 2)
      text += fmt::format(" {}, {}", typed(program, values[i]),
                          typed(program, values[i + 1]));
    return text + " ]";
  }
  std::string text(info(instruction.opcode).spelling);
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i == 0 ? " " : ", ") + typed(program, values[i]);
  return text;
}

std::string printBody(const Program &program, const Instruction &instruction,
                      unsigned release) {
  const OpcodeInfo &row = info(instruction.opcode);
  const auto values = program.operandsOf(instruction);
  if (row.isIntrinsic() || row.shape == Shape::call)
    return printCall(program, instruction, release);
  if (row.isTerminator())
    return printTerminator(program, instruction);

  std::string text(row.spelling);
  for (const FlagInfo &flagRow : flagTable)
    if (instruction.flags.has(flagRow.flag))
      text += fmt::format(" {}", flagRow.spelling);
  switch (row.shape) {
  case Shape::compare:
    text += fmt::format(" {}", info(instruction.predicate).spelling);
    [[fallthrough]];
  case Shape::binary:
    return fmt::format("{} {}, {}", text, typed(program, values[0]),
                       printOperand(program, values[1]));
  case Shape::widen:
  case Shape::narrow:
    return fmt::format("{} {} to {}", text, typed(program, values[0]),
                       toString(instruction.type));
  case Shape::extract:
    return fmt::format("{} {}, {}", text, typed(program, values[0]),
                       values[1].payload);
  case Shape::phi:
    text += fmt::format(" {}", toString(instruction.type));
    for (std::size_t i = 0; i < values.size(); i += 2)
      text += fmt::format("{} [ {}, %{} ]", i == 0 ? "" : ",",
                          printOperand(program, values[i]),
                          blockName(values[i + 1].payload));
    return text;
  default:
    for (std::size_t i = 0; i < values.size(); ++i)
      text += (i == 0 ? " " : ", ") + typed(program, values[i]);
    return text;
  }
}

std::string printInstruction(const Program &program, std::size_t index,
                             unsigned release) {
  const Instruction &instruction = program.instructions[index];
  const std::string body = printBody(program, instruction, release);
  return instruction.type.isVoid()
             ? body
             : fmt::format("{} = {}", resultName(index), body);
}

std::string printDeclaration(const Callee &callee, unsigned release) {
  const Signature &signature = callee.signature;
  std::string parameters;
  for (const Parameter &parameter : signature.parameters)
    parameters += fmt::format(
        "{}{}{}", parameters.empty() ? "" : ", ", toString(parameter.type),
        printAttributes(parameter.attributes, parameter.type, release));
  return fmt::format(
      "declare{} {} @{}({}){}",
      printAttributes(signature.result, signature.returnType, release),
      toString(signature.returnType), callee.name, parameters,
      printAttributes(signature.function, Type(), release));
}

} // namespace

std::string argumentName(std::size_t index) {
  constexpr std::size_t letters = 26;
  const char letter = static_cast<char>('a' + index % letters);
  return index < letters ? fmt::format("%{}", letter)
                         : fmt::format("%{}{}", letter, index / letters);
}

std::string resultName(std::size_t index) { return fmt::format("%v{}", index); }

std::string printOperand(const Program &program, const Operand &operand) {
  switch (operand.kind) {
  case Operand::Kind::constant:
  case Operand::Kind::undef:
  case Operand::Kind::poison:
    return printLiteral(operand);
  case Operand::Kind::pooled: {
    std::span<const Operand> lanes = program.constants[operand.payload].lanes;
    return printLanes(operand.type, lanes);
  }
  case Operand::Kind::argument:
    return argumentName(operand.payload);
  case Operand::Kind::instruction:
    return resultName(operand.payload);
  case Operand::Kind::block:
    return fmt::format("%{}", blockName(operand.payload));
  }
  return "?";
}

std::string printInstruction(const Program &program, std::size_t index) {
  return printInstruction(program, index, 22);
}

std::string printFunction(const Program &program, std::string_view name,
                          unsigned release) {
  const Signature &signature = program.signature;
  std::string parameters;
  for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
    const Parameter &parameter = signature.parameters[i];
    parameters += fmt::format(
        "{}{}{} {}", i == 0 ? "" : ", ", toString(parameter.type),
        printAttributes(parameter.attributes, parameter.type, release),
        argumentName(i));
  }
  std::string text = fmt::format(
      "define{} {} @{}({}){} {{\n",
      printAttributes(signature.result, signature.returnType, release),
      toString(signature.returnType), name, parameters,
      printAttributes(signature.function, Type(), release));
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    if (program.blocks.size() > 1)
      text += fmt::format("{}:\n", blockName(b));
    for (std::size_t i = program.blocks[b].begin; i < program.blocks[b].end;
         ++i)
      text += fmt::format("  {}\n", printInstruction(program, i, release));
  }
  return text + "}\n";
}

std::vector<std::string> printDeclarations(const Program &program,
                                           unsigned release) {
  std::vector<std::string> lines;
  const auto add = [&](std::string line) {
    if (std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(std::move(line));
  };
  for (const Instruction &instruction : program.instructions) {
    const OpcodeInfo &row = info(instruction.opcode);
    if (row.shape == Shape::call) {
      add(printDeclaration(program.callees[instruction.callee], release));
    } else if (row.isIntrinsic()) {
      std::string parameters;
      const auto values = program.operandsOf(instruction);
      for (std::size_t i = 0; i < values.size(); ++i) {
        parameters +=
            fmt::format("{}{}{}", i == 0 ? "" : ", ", toString(values[i].type),
                        isImmediate(row.shape, i) ? " immarg" : "");
      }
      add(fmt::format("declare {} @{}({})", toString(instruction.type),
                      intrinsicName(program, instruction), parameters));
    }
  }
  return lines;
}

std::string printModule(const Program &program, std::string_view name,
                        unsigned release) {
  std::string text;
  for (const std::string &line : printDeclarations(program, release))
    text += line + "\n";
  return text + (text.empty() ? "" : "\n") +
         printFunction(program, name, release);
}

std::string printPair(const Program &source, const Program &target,
                      unsigned release) {
  std::vector<std::string> lines = printDeclarations(source, release);
  for (std::string &line : printDeclarations(target, release))
    if (std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(std::move(line));
  return fmt::format("{}{}{}\n{}", fmt::join(lines, "\n"),
                     lines.empty() ? "" : "\n\n",
                     printFunction(source, "src", release),
                     printFunction(target, "tgt", release));
}

} // namespace corpus
