// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which calls repeat an earlier one, by LangRef's text on `memory`.
#include "checker/memory/repeated_calls.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace checker {
namespace {

namespace memory = corpus::memory;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

const Type i8 = Type::integer(8);

/// `i8 f(ptr, i8)`: calls of `i8 @f(i8)` with these effects, "c" with the
/// argument, "u" with undef, "n" with the argument and `nounwind`, "s" a store
/// of the argument, "b" the end of a block.
Program sequence(std::string_view steps, std::uint64_t effects) {
  Program program;
  program.signature.returnType = i8;
  const Operand pointer = program.addParameter(Type::pointer());
  const Operand number = program.addParameter(i8);
  corpus::Callee callee;
  callee.name = "f";
  callee.signature.returnType = i8;
  callee.signature.parameters.push_back({i8, {}});
  if (effects == 0)
    callee.signature.function.add(corpus::attribute::memoryNone);
  else if (effects == memory::readOnly)
    callee.signature.function.add(corpus::attribute::memoryRead);
  else if (effects != memory::all)
    callee.signature.function.add(corpus::attribute::memory, effects);
  program.callees.push_back(callee);
  program.callAttributes.emplace_back();
  program.callAttributes[0].function.add(corpus::attribute::nounwind);
  program.beginBlock();
  Operand last = number;
  std::uint32_t blocks = 1;
  for (const char step : steps)
    switch (step) {
    case 'b':
      program.append(Opcode::br, Type(), {Operand::block(blocks++)});
      program.beginBlock();
      break;
    case 's':
      program.append(Opcode::store, Type(), {number, pointer});
      program.instructions.back().alignment = 1;
      break;
    default:
      last = program.append(Opcode::call, i8,
                            {step == 'u' ? Operand::undef(i8) : number});
      if (step == 'n')
        program.instructions.back().attributes = 0;
    }
  program.append(Opcode::ret, Type(), {last});
  return program;
}

/// How many calls are left.
long left(std::string_view steps, std::uint64_t effects) {
  const Program program = sequence(steps, effects);
  EXPECT_EQ(corpus::verify(program), std::nullopt);
  const auto rewritten = withoutRepeatedCalls(program, Semantics());
  if (rewritten) {
    EXPECT_EQ(corpus::verify(rewritten->program), std::nullopt);
    EXPECT_EQ(rewritten->values.size(), program.instructions.size());
  }
  return std::ranges::count(rewritten ? rewritten->program.instructions
                                      : program.instructions,
                            Opcode::call, &corpus::Instruction::opcode);
}

TEST(RepeatedCalls, AreThoseThatFindTheSame) {
  EXPECT_EQ(left("cc", 0), 1);
  EXPECT_EQ(left("csc", 0), 1);
  EXPECT_EQ(left("cbsc", 0), 1);
  EXPECT_EQ(left("ccc", memory::readOnly), 1);
  EXPECT_EQ(left("cbc", memory::readOnly), 1);
  EXPECT_EQ(left("csc", memory::readOnly), 2);
  EXPECT_EQ(left("cbcs", memory::readOnly), 2); // nobody looks where it is
  EXPECT_EQ(left("scc", memory::readOnly), 1);
  EXPECT_EQ(left("ccc", memory::writeOnly), 1);
  EXPECT_EQ(left("csc", memory::writeOnly), 2);
  EXPECT_EQ(left("cc", memory::all), 2);
}

TEST(RepeatedCalls, SayAndTakeTheSame) {
  EXPECT_EQ(left("uu", 0), 2); // each is given a value of its own
  EXPECT_EQ(left("cu", 0), 2);
  EXPECT_EQ(left("cn", 0), 2);
  EXPECT_EQ(left("nn", 0), 1);
}

} // namespace
} // namespace checker
