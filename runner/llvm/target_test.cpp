// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the checker says that intrinsics of targets compute, against what this
// LLVM makes of calls with literal operands, which nobody here wrote; and that
// LLVM sees those intrinsics themselves. Built once per release.
#include "checker/check.h"
#include "checker/render.h"
#include "corpus/program/print.h"
#include "corpus/program/target.h"
#include "runner/llvm/llvm_optimizer.h"
#include "runner/llvm/lower.h"
#include "runner/llvm/release.h"
#include "runner/pass_names.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace runner {
namespace {

using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

/// Half of the time few kinds of lanes: amounts near their width, numbers that
/// saturate.
Operand literalOf(Program &program, Type type, std::mt19937_64 &random) {
  static constexpr std::uint64_t corners[] = {0,  1,  7,  8,    15,   16,
                                              31, 32, 63, 0x7f, 0x80, ~0ULL};
  if (type.isPointer())
    return Operand::null();
  const bool isSmall = random() % 2 == 0;
  std::vector<Operand> lanes;
  for (unsigned i = 0; i < type.lanes(); ++i)
    lanes.push_back(Operand::constant(
        type.lane(0),
        isSmall ? corners[random() % std::size(corners)] : random()));
  return type.isScalar() ? lanes.front()
                         : program.literal(type, std::move(lanes));
}

/// With literals as operands, or parameters where none are asked for.
Program calling(const corpus::TargetIntrinsic &intrinsic,
                std::mt19937_64 &random, bool withLiterals) {
  Program program;
  program.callees = {intrinsic.callee};
  const corpus::Signature &signature = intrinsic.callee.signature;
  program.signature.returnType = signature.returnType;
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
    const Type type = signature.parameters[i].type;
    operands.push_back(withLiterals || (intrinsic.immediates >> i & 1) != 0
                           ? literalOf(program, type, random)
                           : program.addParameter(type));
  }
  const Operand result =
      program.append(Opcode::call, signature.returnType, operands);
  program.append(Opcode::ret, Type(), {result});
  return program;
}

std::string tripleOf(std::string_view name) {
  return name.starts_with("llvm.x86.")   ? "x86_64-unknown-unknown"
         : name.starts_with("llvm.arm.") ? "armv8.1m.main-unknown-unknown"
                                         : "aarch64-unknown-unknown";
}

std::vector<Output> optimized(const std::vector<Program> &programs,
                              const std::string &passes,
                              const std::string &triple) {
  std::vector<std::uint64_t> positions(programs.size());
  std::iota(positions.begin(), positions.end(), 1000);
  LlvmOptimizer optimizer(
      {*spellForRelease(passes, release::number, false), triple, "", {}},
      WatchPasses::no);
  Slot slot;
  std::vector<Output> outputs;
  optimizer.optimize(programs, positions, slot, outputs);
  return outputs;
}

TEST(Targets, AreSeenByLlvm) {
  std::mt19937_64 random(1);
  std::vector<Program> programs;
  for (const corpus::TargetIntrinsic &intrinsic : corpus::targetIntrinsics()) {
    Program program = calling(intrinsic, random, false);
    ASSERT_EQ(corpus::verify(program), std::nullopt) << intrinsic.callee.name;
    if (!lackOf(program))
      programs.push_back(std::move(program));
  }
  EXPECT_GT(programs.size(), 160U);
  const std::vector<Output> outputs = optimized(programs, "gvn", "");
  for (std::size_t i = 0; i < programs.size(); ++i) {
    ASSERT_EQ(outputs[i].status, Output::Status::ok) << outputs[i].detail;
    EXPECT_EQ(outputs[i].program, programs[i]) << printModule(programs[i]);
  }
}

TEST(Targets, FoldAsTheCheckerSays) {
  std::mt19937_64 random(2);
  checker::Checker checker;
  unsigned folded = 0;
  for (const corpus::TargetIntrinsic &intrinsic : corpus::targetIntrinsics()) {
    std::vector<Program> programs;
    for (unsigned i = 0; i < 20; ++i)
      programs.push_back(calling(intrinsic, random, true));
    if (lackOf(programs.front()))
      continue;
    const std::vector<Output> outputs =
        optimized(programs, "instcombine", tripleOf(intrinsic.callee.name));
    bool areLiterals = true;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      ASSERT_EQ(outputs[i].status, Output::Status::ok) << outputs[i].detail;
      areLiterals = areLiterals && outputs[i].program.callees.empty();
      const checker::Verdict verdict = checker.check(
          programs[i], outputs[i].program, {}, checker::WantWitness::no);
      ASSERT_EQ(headline(verdict), "refines")
          << corpus::printPair(programs[i], outputs[i].program);
    }
    folded += areLiterals ? 1 : 0;
  }
  std::printf("[ COUNTED  ] %u intrinsics that LLVM folds\n", folded);
  EXPECT_GT(folded, 60U);
}

} // namespace
} // namespace runner
