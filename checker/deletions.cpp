// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/deletions.h"

#include <algorithm>

namespace checker {

using corpus::Block;
using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;

namespace {

/// Index of the operand that is accessed and nothing else.
constexpr std::uint32_t addressOf(Opcode opcode) {
  return opcode == Opcode::store ? 1 : 0;
}

bool isAccess(Opcode opcode) {
  return opcode == Opcode::load || opcode == Opcode::store;
}

} // namespace

/// It has memory; pointers are arguments and locals that are accessed, and go
/// nowhere else. Notes which locals are loaded from.
bool Deletions::seesOnlyContents(const Program &program) {
  isRead_.assign(program.instructions.size(), false);
  bool hasMemory = false;
  for (const Instruction &instruction : program.instructions) {
    const corpus::OpcodeInfo &row = corpus::info(instruction.opcode);
    if ((row.has(corpus::trait::accessesMemory) &&
         !isAccess(instruction.opcode)) ||
        (instruction.type.isPointer() && instruction.opcode != Opcode::alloca_))
      return false;
    hasMemory = hasMemory || isAccess(instruction.opcode) ||
                instruction.opcode == Opcode::alloca_;
    const auto operands = program.operandsOf(instruction);
    for (std::uint32_t i = 0; i < operands.size(); ++i) {
      if (!operands[i].type.isPointer())
        continue;
      if (!isAccess(instruction.opcode) || i != addressOf(instruction.opcode))
        return false;
      if (operands[i].is(Operand::Kind::instruction) &&
          instruction.opcode == Opcode::load)
        isRead_[operands[i].payload] = true;
    }
  }
  return hasMemory;
}

bool Deletions::isUnread(const Program &source, const Operand &pointer) const {
  return pointer.is(Operand::Kind::instruction) &&
         source.instructions[pointer.payload].opcode == Opcode::alloca_ &&
         !isRead_[pointer.payload];
}

/// `end`: of its block.
bool Deletions::canLeaveOut(const Program &source, std::uint32_t index,
                            std::uint32_t end) const {
  const Instruction &instruction = source.instructions[index];
  if (instruction.opcode != Opcode::store)
    return !corpus::info(instruction.opcode).isTerminator();
  const auto operands = source.operandsOf(instruction);
  if (isUnread(source, operands[1]))
    return true;
  for (std::uint32_t i = index + 1; i < end; ++i) {
    const Instruction &later = source.instructions[i];
    if (later.opcode == Opcode::load)
      return false;
    if (later.opcode != Opcode::store)
      continue;
    const auto others = source.operandsOf(later);
    if (others[1] == operands[1] && corpus::storeSize(others[0].type) >=
                                        corpus::storeSize(operands[0].type))
      return true;
  }
  return false;
}

bool Deletions::isSame(const Operand &before, const Operand &after) const {
  if (!before.is(Operand::Kind::instruction))
    return before == after;
  return after.is(Operand::Kind::instruction) &&
         kept_[before.payload] == after.payload;
}

/// Requires as many of both.
bool Deletions::haveSameOperands(const Program &source,
                                 const Instruction &before,
                                 const Program &target,
                                 const Instruction &after) const {
  const auto ours = source.operandsOf(before);
  const auto theirs = target.operandsOf(after);
  return std::equal(
      ours.begin(), ours.end(), theirs.begin(),
      [&](const Operand &x, const Operand &y) { return isSame(x, y); });
}

/// Operands of phis aside, which may come from behind them.
bool Deletions::areSame(const Program &source, std::uint32_t before,
                        const Program &target, std::uint32_t after) const {
  const Instruction &a = source.instructions[before];
  const Instruction &b = target.instructions[after];
  if (a.opcode != b.opcode || a.flags != b.flags ||
      a.predicate != b.predicate || a.type != b.type ||
      a.operandCount != b.operandCount || a.accessedType != b.accessedType ||
      a.alignment != b.alignment || a.attributes != Instruction::noAttributes ||
      b.attributes != Instruction::noAttributes)
    return false;
  return a.opcode == Opcode::phi || haveSameOperands(source, a, target, b);
}

bool Deletions::matchBlock(const Program &source, const Block &from,
                           const Program &target, const Block &to) {
  std::uint32_t after = to.begin;
  for (std::uint32_t before = from.begin; before < from.end; ++before) {
    const std::uint32_t left = from.end - before;
    const bool mayLeaveOut =
        left > to.end - after && canLeaveOut(source, before, from.end);
    const bool isStore = source.instructions[before].opcode == Opcode::store;
    // Of a store that could go or stay rather the later one stays.
    if ((!mayLeaveOut || !isStore) && after < to.end &&
        areSame(source, before, target, after)) {
      if (source.instructions[before].opcode == Opcode::phi)
        phis_.push_back(before);
      kept_[before] = after++;
    } else if (!mayLeaveOut) {
      return false;
    }
  }
  return after == to.end;
}

bool Deletions::explain(const Program &source, const Program &target) {
  if (source.blocks.size() != target.blocks.size() ||
      source.instructions.size() <= target.instructions.size() ||
      source.signature != target.signature ||
      source.constants != target.constants || !source.globals.empty() ||
      !target.globals.empty() || source.bigEndian != target.bigEndian ||
      !seesOnlyContents(source))
    return false;
  kept_.assign(source.instructions.size(), none);
  phis_.clear();
  for (std::size_t i = 0; i < source.blocks.size(); ++i)
    if (!matchBlock(source, source.blocks[i], target, target.blocks[i]))
      return false;
  return std::all_of(phis_.begin(), phis_.end(), [&](std::uint32_t phi) {
    return haveSameOperands(source, source.instructions[phi], target,
                            target.instructions[kept_[phi]]);
  });
}

} // namespace checker
