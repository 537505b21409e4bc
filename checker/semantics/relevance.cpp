// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/semantics/relevance.h"

#include <algorithm>

namespace checker {

using corpus::Opcode;
using corpus::Operand;

Relevance::Relevance(const corpus::Program &source,
                     const corpus::Program &target) {
  note(source);
  note(target);
}

void Relevance::note(const corpus::Program &program) {
  for (const corpus::Instruction &instruction : program.instructions) {
    flag_ |= !instruction.flags.empty();
    switch (instruction.opcode) {
    case Opcode::shl:
    case Opcode::lshr:
    case Opcode::ashr:
    case Opcode::sshlSat:
    case Opcode::ushlSat:
      shift_ = true;
      break;
    case Opcode::select:
      select_ = true;
      break;
    case Opcode::br:
    case Opcode::switch_:
      branch_ = true;
      break;
    default:
      break;
    }
  }
  undef_ |= std::any_of(
      program.operands.begin(), program.operands.end(),
      [](const Operand &operand) { return operand.is(Operand::Kind::undef); });
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
  part.uninitializedLoad = defaults.uninitializedLoad; // there are no loads
  if (!undef_ && part.inputs <= Inputs::poison &&
      part.overflow != OverflowRule::undef &&
      part.shiftAmount != ShiftRule::undef)
    part.undef = defaults.undef;
  return part;
}

} // namespace checker
