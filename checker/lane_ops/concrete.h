// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one instruction computes from one element of each operand: SEMANTICS
// section 4, LangRef for the rest; concrete.def has a line for each opcode.
// Freeze, phi, calls and terminators are not here: they fork, or concern the
// whole run.
// Threads: pure functions.
#pragma once

#include "checker/core/takes.h"
#include "checker/semantics/semantics.h"
#include "checker/value/value.h"
#include "corpus/program/program.h"

#include <optional>
#include <span>

namespace checker {

/// An instruction without its operands.
struct Operation {
  corpus::Opcode opcode = corpus::Opcode::add;
  corpus::Flags flags;
  corpus::Predicate predicate = corpus::Predicate::eq;
  corpus::Type operandType; ///< of the first operand
  corpus::Type type;        ///< of the result; void of assume
};

Operation operationOf(const corpus::Program &program,
                      const corpus::Instruction &instruction);

struct ElementResult {
  enum class Kind : std::uint8_t {
    element,
    undef,     ///< every number of the result type
    ub,        ///< immediate undefined behaviour
    eitherArm, ///< select: fork, either of the operands 1 and 2
    tooMany,   ///< more completions of poison bits than we care to try
  };
  Kind kind = Kind::element;
  Element element;
};

/// The opcodes of the table in concrete.def, and select.
core::OpcodeSet opcodesOfNumbers();

/// Requires as many operands as the shape of the opcode has, and one of
/// opcodesOfNumbers() or extractvalue.
ElementResult evaluate(const Operation &operation, const Semantics &semantics,
                       std::span<const Element> operands);

/// The value attributes of SEMANTICS section 2: outside of `range` becomes
/// poison, then `noundef` with poison or with several elements is UB (nothing).
std::optional<ValueSet> applyAttributes(const corpus::Attributes &attributes,
                                        corpus::Type type, ValueSet set);

} // namespace checker
