// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/semantics/rewritten.h"

#include "corpus/program/target.h"

#include <algorithm>
#include <fmt/format.h>

namespace checker {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;

namespace {

/// Lanes of a literal that are undef.
Lanes undefLanes(const Program &program, const Operand &literal) {
  if (literal.is(Operand::Kind::undef))
    return allLanes(literal.type);
  Lanes lanes = 0;
  if (literal.is(Operand::Kind::pooled)) {
    const auto &parts = program.constants[literal.payload].lanes;
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (parts[i].is(Operand::Kind::undef))
        lanes |= Lanes(1) << std::min<std::size_t>(i, 63);
  }
  return lanes;
}

} // namespace

Lanes allLanes(corpus::Type type) {
  return type.isVoid() ? 0 : ~Lanes(0) >> (64 - std::min(64U, type.lanes()));
}

Lanes setLanes(const Program &program, const Semantics &semantics,
               const std::vector<bool> &results, const Operand &operand) {
  if (semantics.undef == UndefRule::asPoison)
    return 0;
  bool isSet = false;
  if (operand.is(Operand::Kind::instruction))
    isSet = results[operand.payload];
  else if (operand.is(Operand::Kind::argument))
    isSet = semantics.inputs == Inputs::poisonUndef ||
            semantics.inputs == Inputs::anySet;
  else
    return undefLanes(program, operand);
  return isSet ? allLanes(operand.type) : 0;
}

std::vector<bool> setsIn(const Program &program, const Semantics &semantics) {
  std::vector<bool> sets(program.instructions.size(), false);
  const bool areResultsSets = semantics.overflow == OverflowRule::undef ||
                              semantics.shiftAmount == ShiftRule::undef;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const Instruction &instruction = program.instructions[i];
      const bool comesFromOutside =
          instruction.opcode == Opcode::load ||
          (instruction.opcode == Opcode::call &&
           corpus::targetIntrinsic(program.callees[instruction.callee].name) ==
               nullptr);
      const auto operands = program.operandsOf(instruction);
      const bool may =
          instruction.opcode != Opcode::freeze &&
          (areResultsSets || comesFromOutside ||
           std::any_of(operands.begin(), operands.end(), [&](const auto &o) {
             return setLanes(program, semantics, sets, o) != 0;
           }));
      changed = changed || may != sets[i];
      sets[i] = may;
    }
  }
  return sets;
}

std::vector<NamedValue> namedAsIn(const Program &program,
                                  const Rewritten &rewritten,
                                  const std::vector<NamedValue> &shown) {
  std::vector<NamedValue> result;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const Operand &value = rewritten.values[i];
    if (!value.is(Operand::Kind::instruction))
      continue;
    const std::string name = fmt::format("%v{}", value.payload);
    for (const NamedValue &each : shown) {
      // Lanes may stand one by one, as `%v0, lane 1`.
      const std::string_view rest =
          each.name.starts_with(name)
              ? std::string_view(each.name).substr(name.size())
              : "-";
      if (rest.empty() || rest.front() == ',')
        result.push_back(
            {fmt::format("%v{}{}", i, rest), each.type, each.text});
    }
  }
  return result;
}

} // namespace checker
