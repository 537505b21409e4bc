// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that call, for tests. Pure functions.
#pragma once

#include "corpus/program/program.h"

#include <string_view>

namespace checker {

/// Of an i2 %a, with the callees @use and @other, which take one too.
inline corpus::Program withCallees(std::uint32_t functionBits = 0) {
  const corpus::Type i2 = corpus::Type::integer(2);
  corpus::Program program;
  program.addParameter(i2);
  for (const char *name : {"use", "other"}) {
    corpus::Callee callee;
    callee.name = name;
    callee.signature.parameters.push_back({i2, {}});
    callee.signature.function.bits = functionBits;
    program.callees.push_back(callee);
  }
  return program;
}

inline void appendCall(corpus::Program &program, std::uint32_t callee,
                       corpus::Operand passed) {
  program.append(corpus::Opcode::call, corpus::Type(), {passed});
  program.instructions.back().callee = callee;
}

/// `void f(i2 %a)`: calls of @use(%a), @other(%a) and divisions by %a in the
/// order given: "u", "o", "d".
inline corpus::Program sequence(
    std::string_view steps, std::uint32_t functionBits = 0,
    corpus::Operand passed = corpus::Operand::argument(corpus::Type::integer(2),
                                                       0)) {
  const corpus::Type i2 = corpus::Type::integer(2);
  corpus::Program program = withCallees(functionBits);
  for (const char step : steps)
    if (step == 'd')
      program.append(
          corpus::Opcode::udiv, i2,
          {corpus::Operand::constant(i2, 1), corpus::Operand::argument(i2, 0)});
    else
      appendCall(program, step == 'u' ? 0 : 1, passed);
  program.append(corpus::Opcode::ret, corpus::Type(), {});
  return program;
}

} // namespace checker
