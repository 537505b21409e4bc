// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/semantics/relevance.h"

#include <algorithm>

namespace checker {

using corpus::Operand;

Relevance::Relevance(const corpus::Program &source,
                     const corpus::Program &target) {
  note(source);
  note(target);
}

void Relevance::note(const corpus::Program &program) {
  for (const corpus::Instruction &instruction : program.instructions) {
    flag_ |= !instruction.flags.empty();
    const corpus::OpcodeInfo &row = corpus::info(instruction.opcode);
    shift_ |= row.has(corpus::trait::shift);
    select_ |= row.shape == corpus::Shape::select;
    branch_ |= row.isTerminator() && row.has(corpus::trait::knobUb);
    memory_ |= row.opcode != corpus::Opcode::call &&
               row.has(corpus::trait::accessesMemory);
  }
  memory_ |= std::any_of(
      program.operands.begin(), program.operands.end(),
      [](const Operand &operand) { return operand.type.isPointer(); });
  const auto hasUndef = [](const std::vector<Operand> &operands) {
    return std::any_of(operands.begin(), operands.end(),
                       [](const Operand &operand) {
                         return operand.is(Operand::Kind::undef);
                       });
  };
  undef_ |= hasUndef(program.operands) ||
            std::any_of(program.constants.begin(), program.constants.end(),
                        [&](const corpus::Constant &constant) {
                          return hasUndef(constant.lanes);
                        });
}

Semantics Relevance::relevantPart(const Semantics &semantics) const {
  const Semantics defaults;
  Semantics part = semantics;
  if (!branch_) {
    part.branchOnPoison = defaults.branchOnPoison;
    part.branchOnUndef = defaults.branchOnUndef;
  }
  if (!select_) {
    part.selectCondition = defaults.selectCondition;
    part.selectArms = defaults.selectArms;
  }
  if (!flag_)
    part.overflow = defaults.overflow;
  if (!shift_)
    part.shiftAmount = defaults.shiftAmount;
  if (!memory_) {
    part.uninitializedLoad = defaults.uninitializedLoad;
    part.memoryPoison = defaults.memoryPoison;
    part.padding = defaults.padding;
    part.deadLoad = defaults.deadLoad;
    part.writeonlyLoad = defaults.writeonlyLoad;
    part.storePoison = defaults.storePoison;
    part.gepBounds = defaults.gepBounds;
    part.deref = defaults.deref;
  }
  if (!undef_ && !memory_ && part.inputs <= Inputs::poison &&
      part.overflow != OverflowRule::undef &&
      part.shiftAmount != ShiftRule::undef)
    part.undef = defaults.undef;
  return part;
}

} // namespace checker
