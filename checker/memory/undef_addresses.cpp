// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/memory/undef_addresses.h"

#include <algorithm>

namespace checker {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;

namespace {

bool isUndefPointer(const Operand &operand) {
  return operand.type.isPointer() && operand.is(Operand::Kind::undef);
}

/// Whether something is accessed there, however the program goes on.
bool isAccessed(const Program &program, const Instruction &instruction,
                std::size_t position) {
  const auto operands = program.operandsOf(instruction);
  const auto isSome = [](const Operand &length) {
    return length.is(Operand::Kind::constant) && length.payload != 0;
  };
  switch (instruction.opcode) {
  case Opcode::load:
    return true;
  case Opcode::store:
    return position == 1;
  case Opcode::memcpy_:
  case Opcode::memmove_:
    return position < 2 && isSome(operands[2]);
  case Opcode::memset_:
    return position == 0 && isSome(operands[2]);
  default:
    return false;
  }
}

bool isHandedOn(const Instruction &instruction, std::size_t position) {
  return instruction.opcode == Opcode::phi ||
         (instruction.opcode == Opcode::getelementptr && position == 0);
}

/// Of each instruction, whether only accesses see its value.
std::vector<bool> onlyAccessed(const Program &program) {
  std::vector<bool> result(program.instructions.size(), true);
  bool isNew = true;
  while (isNew) {
    isNew = false;
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
      const Instruction &user = program.instructions[i];
      const auto operands = program.operandsOf(user);
      for (std::size_t position = 0; position < operands.size(); ++position) {
        const Operand &operand = operands[position];
        if (!operand.is(Operand::Kind::instruction) ||
            !result[operand.payload] || isAccessed(program, user, position) ||
            (isHandedOn(user, position) && result[i]))
          continue;
        result[operand.payload] = false;
        isNew = true;
      }
    }
  }
  return result;
}

} // namespace

std::optional<Program> withPoisonAddresses(const Program &program) {
  if (std::none_of(program.operands.begin(), program.operands.end(),
                   isUndefPointer))
    return std::nullopt;
  const std::vector<bool> isOnlyAccessed = onlyAccessed(program);
  Program result = program;
  bool isChanged = false;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction &user = program.instructions[i];
    for (std::size_t position = 0; position < user.operandCount; ++position) {
      Operand &operand = result.operands[user.firstOperand + position];
      if (!isUndefPointer(operand) ||
          !(isAccessed(program, user, position) ||
            (isHandedOn(user, position) && isOnlyAccessed[i])))
        continue;
      operand = Operand::poison(operand.type);
      isChanged = true;
    }
  }
  return isChanged ? std::optional(std::move(result)) : std::nullopt;
}

} // namespace checker
