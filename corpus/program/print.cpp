// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/print.h"

#include "corpus/program/library.h"

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

std::string join(std::span<const std::string> parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// `address, read_provenance`; `none`.
std::string printCaptured(std::uint64_t bits) {
  std::vector<std::string> parts;
  if ((bits & captures::address) == captures::address)
    parts.emplace_back("address");
  else if ((bits & captures::addressIsNull) != 0)
    parts.emplace_back("address_is_null");
  if ((bits & captures::provenance) == captures::provenance)
    parts.emplace_back("provenance");
  else if ((bits & captures::readProvenance) != 0)
    parts.emplace_back("read_provenance");
  return parts.empty() ? "none" : join(parts);
}

std::string printCaptures(const Attributes::Value &value, unsigned release) {
  if (release < 21 && value.low == 0 && value.high == 0)
    return " nocapture";
  std::string text =
      value.low == 0 && value.high != 0 ? "" : printCaptured(value.low);
  if (value.high != value.low)
    text += fmt::format("{}ret: {}", text.empty() ? "" : ", ",
                        printCaptured(value.high));
  return fmt::format(" captures({})", text);
}

/// What `other` allows stands in front, for all that is not named.
std::string printMemory(std::uint64_t effects, unsigned release) {
  if (release < 16)
    return fmt::format(" {}", fmt::join(oldMemoryAttributes(effects), " "));
  static constexpr std::string_view accesses[] = {"none", "read", "write",
                                                  "readwrite"};
  struct Location {
    unsigned at;
    std::string_view name;
    unsigned since;
  };
  static constexpr Location locations[] = {
      {memory::argument, "argmem", 16},
      {memory::inaccessible, "inaccessiblemem", 16},
      {memory::errnoVariable, "errnomem", 21},
  };
  const std::uint64_t other = memory::at(effects, memory::other);
  std::vector<std::string> parts;
  if (other != 0)
    parts.emplace_back(accesses[other]);
  for (const Location &location : locations)
    if (memory::at(effects, location.at) != other && location.since <= release)
      parts.push_back(fmt::format("{}: {}", location.name,
                                  accesses[memory::at(effects, location.at)]));
  return fmt::format(" memory({})", join(parts));
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
  case AttributeValue::byteInterval:
    return fmt::format(" {}(({}, {}))", row.spelling,
                       static_cast<std::int64_t>(value.low),
                       static_cast<std::int64_t>(value.high));
  case AttributeValue::captures:
    return printCaptures(value, release);
  case AttributeValue::memory:
    return printMemory(value.low, release);
  case AttributeValue::powerOfTwo:
    return fmt::format(" {} {}", row.spelling, value.low);
  }
  return {};
}

std::string printAttributes(const Attributes &attributes, Type type,
                            unsigned release) {
  std::string text;
  for (const AttributeInfo &row : attributeTable)
    if (attributes.has(row.bit) && row.bit != attribute::tail)
      text += printAttribute(row, attributes, type, release);
  return text;
}

/// `, !range !{i8 0, i8 4}`
std::string printMetadata(const Attributes &attributes, Type type) {
  std::string text;
  for (const AttributeInfo &row : attributeTable) {
    if (!attributes.has(row.bit))
      continue;
    text += fmt::format(", !{} !{{", row.spelling);
    if (row.value == AttributeValue::interval) {
      const Attributes::Value &value = attributes.valueOf(row.bit);
      const Type lane = type.lane(0);
      text += fmt::format("{0} {1}, {0} {2}", toString(lane),
                          signExtend(value.low, lane.width()),
                          signExtend(value.high, lane.width()));
    } else if (row.value != AttributeValue::none) {
      text += fmt::format("i64 {}", attributes.valueOf(row.bit).low);
    }
    text += "}";
  }
  return text;
}

/// Quoted where LLVM would.
std::string globalName(std::string_view name) {
  const bool isPlain = !name.empty() && (name[0] < '0' || name[0] > '9') &&
                       std::all_of(name.begin(), name.end(), [](char c) {
                         return (c >= '0' && c <= '9') ||
                                (c >= 'a' && c <= 'z') ||
                                (c >= 'A' && c <= 'Z') || c == '_' ||
                                c == '.' || c == '$' || c == '-';
                       });
  if (isPlain)
    return fmt::format("@{}", name);
  std::string text = "@\"";
  for (const char c : name)
    if (c < ' ' || c > '~' || c == '"' || c == '\\')
      text += fmt::format("\\{:02X}", static_cast<unsigned char>(c));
    else
      text += c;
  return text + '"';
}

/// `i32`, `[4 x i8]`
std::string printAllocated(Type type, std::uint64_t count) {
  return count == 1 ? toString(type)
                    : fmt::format("[{} x {}]", count, toString(type));
}

/// `@g = external global i32, align 4`
std::string printGlobal(const Global &global) {
  std::string contents;
  for (const std::uint8_t byte : global.contents)
    contents += fmt::format("\\{:02X}", byte);
  const std::string type =
      contents.empty() ? printAllocated(global.type, global.count)
                       : fmt::format("[{} x i8]", global.contents.size());
  return fmt::format("{} = {}{} {}{}, align {}", globalName(global.name),
                     contents.empty() ? "external " : "",
                     global.isConstant ? "constant" : "global", type,
                     contents.empty() ? "" : fmt::format(" c\"{}\"", contents),
                     global.alignment);
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
  const auto types = suffixTypes(program, instruction);
  for (const Type type : types.list())
    name += "." + suffixOf(type);
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

/// Before LLVM 22 a lifetime says how many bytes live, in front of the pointer.
bool hasLifetimeSize(const Instruction &instruction, unsigned release) {
  return release < 22 &&
         info(instruction.opcode).shape == Shape::intrinsicLifetime;
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
  if (hasLifetimeSize(instruction, release)) {
    const Instruction &made = program.instructions[values[0].payload];
    arguments = fmt::format("i64 {}, ", program.operandsOf(made)[0].payload *
                                            allocationSize(made.accessedType));
  }
  const bool isIndirect = instruction.opcode == Opcode::call &&
                          program.callees[instruction.callee].isIndirect();
  const std::size_t first = isIndirect ? 1 : 0;
  for (std::size_t i = first; i < values.size(); ++i) {
    const std::string extra = attributes.parameters.empty()
                                  ? ""
                                  : printAttributes(attributes.parameters[i],
                                                    values[i].type, release);
    arguments += fmt::format("{}{}{} {}", i == first ? "" : ", ",
                             toString(values[i].type), extra,
                             printOperand(program, values[i]));
  }
  const std::string name =
      isIndirect ? printOperand(program, values[0])
      : instruction.opcode == Opcode::call
          ? globalName(program.callees[instruction.callee].name)
          : "@" + intrinsicName(program, instruction);
  const LibraryFunction *library = libraryFunctionOf(program, instruction);
  return fmt::format(
      "{}call{} {} {}({}){}{}",
      attributes.function.has(attribute::tail) ? "tail " : "",
      printAttributes(attributes.result, instruction.type, release),
      toString(instruction.type), name, arguments,
      printAttributes(attributes.function, Type(), release),
      library != nullptr && library->isOperator() ? " builtin" : "");
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

/// ` i8, ptr %a, i64 1`. What does not count arrays counts structures of its
/// scale with an empty array at the front.
std::string printAddress(const Program &program,
                         const Instruction &instruction) {
  const std::vector<AddressStep> steps = addressSteps(program, instruction);
  const std::uint64_t last = steps.back().scale;
  std::string type = last == 1 || last == 2 || last == 4 || last == 8
                         ? fmt::format("i{}", 8 * last)
                         : fmt::format("[{} x i8]", last);
  std::string indices;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (!step->countsArrays)
      indices.insert(0, ", i32 0");
    if (step != steps.rbegin())
      type = step->countsArrays ? fmt::format("[{} x {}]", step->elements, type)
                                : fmt::format("<{{ [0 x {}], [{} x i8] }}>",
                                              type, step->scale);
    indices.insert(0, ", " + typed(program, step->index));
  }
  return fmt::format(" {}, {}{}", type,
                     typed(program, program.operandsOf(instruction)[0]),
                     indices);
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
  case Shape::allocation:
    return fmt::format(
        "{} {}, align {}", text,
        printAllocated(instruction.accessedType, values[0].payload),
        instruction.alignment);
  case Shape::load:
    text += fmt::format(" {}, {}, align {}", toString(instruction.type),
                        typed(program, values[0]), instruction.alignment);
    return instruction.attributes == Instruction::noAttributes
               ? text
               : text +
                     printMetadata(
                         program.callAttributes[instruction.attributes].result,
                         instruction.type);
  case Shape::store:
    return fmt::format("{} {}, {}, align {}", text, typed(program, values[0]),
                       typed(program, values[1]), instruction.alignment);
  case Shape::address:
    return text + printAddress(program, instruction);
  case Shape::widen:
  case Shape::narrow:
  case Shape::toInteger:
  case Shape::toPointer:
  case Shape::reinterpret:
    return fmt::format("{} {} to {}", text, typed(program, values[0]),
                       toString(instruction.type));
  case Shape::extract:
    return fmt::format("{} {}, {}", text, typed(program, values[0]),
                       values[1].payload);
  case Shape::insert:
    return fmt::format("{} {}, {}, {}", text, typed(program, values[0]),
                       typed(program, values[1]), values[2].payload);
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
      "declare{} {} {}({}){}",
      printAttributes(signature.result, signature.returnType, release),
      toString(signature.returnType), globalName(callee.name), parameters,
      printAttributes(signature.function, Type(), release));
}

/// `name`, with a number behind it where a callee has that name.
std::string freeName(const Program &program, std::string_view name) {
  std::string free(name);
  const auto isTaken = [&](const Callee &callee) {
    return callee.name == free;
  };
  for (unsigned i = 1;
       std::any_of(program.callees.begin(), program.callees.end(), isTaken);
       ++i)
    free = fmt::format("{}.{}", name, i);
  return free;
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
  case Operand::Kind::global:
    return globalName(program.globals[operand.payload].name);
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
      "define{} {} {}({}){} {{\n",
      printAttributes(signature.result, signature.returnType, release),
      toString(signature.returnType), globalName(freeName(program, name)),
      parameters, printAttributes(signature.function, Type(), release));
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
    for (const Operand &operand : program.operandsOf(instruction))
      if (operand.is(Operand::Kind::global))
        add(printGlobal(program.globals[operand.payload]));
    if (row.shape == Shape::call) {
      const Callee &callee = program.callees[instruction.callee];
      if (!callee.isIndirect())
        add(printDeclaration(callee, release));
    } else if (row.isIntrinsic()) {
      std::string parameters =
          hasLifetimeSize(instruction, release) ? "i64 immarg, " : "";
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

namespace {
std::string printLayout(const Program &program) {
  return program.bigEndian ? "target datalayout = \"E\"\n" : "";
}
} // namespace

std::string printModule(const Program &program, std::string_view name,
                        unsigned release) {
  std::string text = printLayout(program);
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
  return fmt::format("{}{}{}{}\n{}", printLayout(source),
                     fmt::join(lines, "\n"), lines.empty() ? "" : "\n\n",
                     printFunction(source, "src", release),
                     printFunction(target, "tgt", release));
}

} // namespace corpus
