// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/assembler.h"

#include "corpus/program/print.h"

#include <bit>
#include <cassert>
#include <fmt/format.h>

namespace enumerate {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;
using Kind = Decision::Kind;

namespace {

/// Extracts of the overflow call at `call`, as TemplateGroup::extracts says;
/// those directly behind it count.
std::uint8_t extractsOf(const Program &program, std::size_t call) {
  std::uint8_t extracts = 0;
  for (std::size_t i = call + 1; i < program.instructions.size(); ++i) {
    const auto operands = program.operandsOf(program.instructions[i]);
    if (program.instructions[i].opcode != Opcode::extractvalue ||
        operands[0].payload != call)
      break;
    extracts |= static_cast<std::uint8_t>(1U << operands[1].payload);
  }
  return extracts;
}

} // namespace

Assembler::Assembler(const Grammar &grammar) : grammar_(grammar) {
  constexpr std::size_t usualInstructions = 8;
  program_.blocks.push_back({0, 0});
  program_.signature.parameters.reserve(4);
  program_.instructions.reserve(usualInstructions);
  program_.operands.reserve(2 * usualInstructions);
  values_.reserve(usualInstructions);
  slots_.reserve(2 * usualInstructions);
}

void Assembler::apply(const Decision &decision, std::uint64_t choice) {
  assert(choice < decision.choices);
  switch (decision.kind) {
  case Kind::instruction: {
    const TemplateGroup &group = grammar_.groups()[decision.index];
    appendInstruction(group, group.templates[choice]);
    return;
  }
  case Kind::newArgument:
    program_.signature.parameters.push_back({decision.type, {}});
    [[fallthrough]];
  case Kind::constant:
  case Kind::undef:
  case Kind::poison:
  case Kind::argument:
  case Kind::value:
    program_.operands[slots_[filled_++]] = operandFor(decision, choice);
    return;
  case Kind::returnValue: {
    const Operand &value = values_[decision.index];
    program_.append(Opcode::ret, Type(), {value});
    program_.signature.returnType = value.type;
    return;
  }
  }
}

void Assembler::undo(const Decision &decision) {
  switch (decision.kind) {
  case Kind::instruction:
    removeInstruction(grammar_.groups()[decision.index]);
    return;
  case Kind::newArgument:
    program_.signature.parameters.pop_back();
    [[fallthrough]];
  case Kind::constant:
  case Kind::undef:
  case Kind::poison:
  case Kind::argument:
  case Kind::value:
    --filled_;
    return;
  case Kind::returnValue:
    program_.instructions.pop_back();
    program_.operands.pop_back();
    --program_.blocks.back().end;
    return;
  }
}

Operand Assembler::operandFor(const Decision &decision,
                              std::uint64_t choice) const {
  switch (decision.kind) {
  case Kind::constant:
    return Operand::constant(decision.type,
                             grammar_.constants(decision.type).at(choice));
  case Kind::undef:
    return Operand::undef(decision.type);
  case Kind::poison:
    return Operand::poison(decision.type);
  case Kind::argument:
  case Kind::newArgument:
    return Operand::argument(decision.type, decision.index);
  case Kind::value:
  case Kind::returnValue:
    return values_[decision.index];
  case Kind::instruction:
    break;
  }
  assert(false && "not an operand");
  return {};
}

void Assembler::appendInstruction(const TemplateGroup &group,
                                  const Template &made) {
  const auto first = static_cast<std::uint32_t>(program_.operands.size());
  for (std::uint32_t i = 0; i < group.operands.size(); ++i) {
    slots_.push_back(first + i);
    program_.operands.emplace_back();
  }
  if (made.immediate)
    program_.operands.push_back(
        Operand::constant(Type::integer(1), *made.immediate));

  Instruction instruction;
  instruction.opcode = made.opcode;
  instruction.flags = made.flags;
  instruction.predicate = made.predicate;
  instruction.type = made.type;
  instruction.firstOperand = first;
  instruction.operandCount =
      static_cast<std::uint32_t>(program_.operands.size()) - first;
  const Operand result =
      Operand::instruction(made.type, program_.instructions.size());
  program_.instructions.push_back(instruction);
  program_.blocks.back().end =
      static_cast<std::uint32_t>(program_.instructions.size());

  if (group.extracts == 0) {
    values_.push_back(result);
    return;
  }
  std::size_t next = 0;
  for (std::uint64_t i : {0, 1})
    if ((group.extracts & 1U << i) != 0)
      values_.push_back(
          program_.append(Opcode::extractvalue, group.results[next++],
                          {result, Operand::constant(Type::integer(32), i)}));
}

void Assembler::removeInstruction(const TemplateGroup &group) {
  values_.resize(values_.size() - group.results.size());
  slots_.resize(slots_.size() - group.operands.size());
  program_.instructions.resize(program_.instructions.size() -
                               std::popcount(group.extracts));
  program_.operands.resize(program_.instructions.back().firstOperand);
  program_.instructions.pop_back();
  program_.blocks.back().end =
      static_cast<std::uint32_t>(program_.instructions.size());
}

std::optional<std::uint64_t> Assembler::match(const Decision &decision,
                                              const Program &wanted) const {
  switch (decision.kind) {
  case Kind::instruction:
    return matchInstruction(grammar_.groups()[decision.index], wanted);
  case Kind::returnValue: {
    const std::size_t index = program_.instructions.size();
    if (index >= wanted.instructions.size() ||
        wanted.instructions[index].opcode != Opcode::ret)
      return std::nullopt;
    const auto operands = wanted.operandsOf(wanted.instructions[index]);
    if (operands.size() == 1 && operands[0] == values_[decision.index])
      return 0;
    return std::nullopt;
  }
  case Kind::constant: {
    const Operand &operand = wanted.operands[slots_[filled_]];
    if (!operand.is(Operand::Kind::constant) || operand.type != decision.type)
      return std::nullopt;
    return grammar_.constants(decision.type).find(operand.payload);
  }
  case Kind::undef:
  case Kind::poison:
  case Kind::argument:
  case Kind::newArgument:
  case Kind::value:
    if (wanted.operands[slots_[filled_]] == operandFor(decision, 0))
      return 0;
    return std::nullopt;
  }
  return std::nullopt;
}

std::string Assembler::describe(const Decision &decision) const {
  switch (decision.kind) {
  case Kind::instruction:
    return "an instruction of the vocabulary";
  case Kind::constant:
    return "a constant of the space";
  case Kind::returnValue:
    return fmt::format("`ret` of {}",
                       corpus::printOperand(program_, operandFor(decision, 0)));
  case Kind::undef:
  case Kind::poison:
  case Kind::argument:
  case Kind::newArgument:
  case Kind::value:
    return corpus::printOperand(program_, operandFor(decision, 0));
  }
  return "";
}

std::string Assembler::describePosition(const Program &wanted) const {
  const bool atOperand = filled_ < slots_.size();
  const std::size_t index = program_.instructions.size() - (atOperand ? 1 : 0);
  if (index >= wanted.instructions.size())
    return "it ends early";
  const std::string line = corpus::printInstruction(wanted, index);
  if (!atOperand)
    return fmt::format("`{}`", line);
  return fmt::format(
      "operand `{}` of `{}`",
      corpus::printOperand(wanted, wanted.operands[slots_[filled_]]), line);
}

std::optional<std::uint64_t>
Assembler::matchInstruction(const TemplateGroup &group,
                            const Program &wanted) const {
  const std::size_t index = program_.instructions.size();
  if (index >= wanted.instructions.size())
    return std::nullopt;
  const Instruction &instruction = wanted.instructions[index];
  const auto operands = wanted.operandsOf(instruction);
  for (std::size_t i = 0; i < group.templates.size(); ++i) {
    const Template &made = group.templates[i];
    if (made.opcode != instruction.opcode || made.flags != instruction.flags ||
        made.predicate != instruction.predicate ||
        made.type != instruction.type)
      continue;
    if (instruction.firstOperand != program_.operands.size() ||
        operands.size() != group.operands.size() + (made.immediate ? 1 : 0) ||
        operands[0].type != group.operands[0] ||
        operands[group.operands.size() - 1].type != group.operands.back())
      continue;
    if (made.immediate && operands.back().payload != *made.immediate)
      continue;
    if (group.extracts != 0 && group.extracts != extractsOf(wanted, index))
      continue;
    return i;
  }
  return std::nullopt;
}

} // namespace enumerate
