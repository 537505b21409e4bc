// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How opcodes of a Program and of LLVM correspond: one line for each
// instruction that is built from opcode and operands alone, intrinsics by their
// spelling in opcode.def. Lowering and lifting both follow these tables.
// Threads: immutable after the first call.
#pragma once

#include "corpus/program/opcode.h"
#include "runner/llvm/release.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Intrinsics.h>

#include <array>
#include <cstdint>
#include <optional>

namespace runner {

struct InstructionRow {
  unsigned llvmOpcode;
  corpus::Opcode opcode;
};

inline constexpr std::array<InstructionRow, 38> instructionTable = {{
    {llvm::Instruction::Add, corpus::Opcode::add},
    {llvm::Instruction::Sub, corpus::Opcode::sub},
    {llvm::Instruction::Mul, corpus::Opcode::mul},
    {llvm::Instruction::UDiv, corpus::Opcode::udiv},
    {llvm::Instruction::SDiv, corpus::Opcode::sdiv},
    {llvm::Instruction::URem, corpus::Opcode::urem},
    {llvm::Instruction::SRem, corpus::Opcode::srem},
    {llvm::Instruction::Shl, corpus::Opcode::shl},
    {llvm::Instruction::LShr, corpus::Opcode::lshr},
    {llvm::Instruction::AShr, corpus::Opcode::ashr},
    {llvm::Instruction::And, corpus::Opcode::and_},
    {llvm::Instruction::Or, corpus::Opcode::or_},
    {llvm::Instruction::Xor, corpus::Opcode::xor_},
    {llvm::Instruction::ICmp, corpus::Opcode::icmp},
    {llvm::Instruction::Select, corpus::Opcode::select},
    {llvm::Instruction::Freeze, corpus::Opcode::freeze},
    {llvm::Instruction::ZExt, corpus::Opcode::zext},
    {llvm::Instruction::SExt, corpus::Opcode::sext},
    {llvm::Instruction::Trunc, corpus::Opcode::trunc},
    {llvm::Instruction::ExtractValue, corpus::Opcode::extractvalue},
    {llvm::Instruction::Alloca, corpus::Opcode::alloca_},
    {llvm::Instruction::Load, corpus::Opcode::load},
    {llvm::Instruction::Store, corpus::Opcode::store},
    {llvm::Instruction::GetElementPtr, corpus::Opcode::getelementptr},
    {llvm::Instruction::PtrToInt, corpus::Opcode::ptrtoint},
    {llvm::Instruction::IntToPtr, corpus::Opcode::inttoptr},
    {release::ptrToAddr, corpus::Opcode::ptrtoaddr},
    {llvm::Instruction::InsertValue, corpus::Opcode::insertvalue},
    {llvm::Instruction::BitCast, corpus::Opcode::bitcast},
    {llvm::Instruction::ExtractElement, corpus::Opcode::extractelement},
    {llvm::Instruction::InsertElement, corpus::Opcode::insertelement},
    {llvm::Instruction::ShuffleVector, corpus::Opcode::shufflevector},
    {llvm::Instruction::PHI, corpus::Opcode::phi},
    {llvm::Instruction::Call, corpus::Opcode::call},
    {llvm::Instruction::Ret, corpus::Opcode::ret},
    {llvm::Instruction::Br, corpus::Opcode::br},
    {llvm::Instruction::Switch, corpus::Opcode::switch_},
    {llvm::Instruction::Unreachable, corpus::Opcode::unreachable},
}};

/// Nothing for an instruction that a Program cannot hold.
std::optional<corpus::Opcode> opcodeOf(unsigned llvmOpcode);
/// Requires a row for `opcode`, that is: not an intrinsic.
unsigned llvmOpcodeOf(corpus::Opcode opcode);

std::optional<corpus::Opcode> opcodeOfIntrinsic(llvm::Intrinsic::ID id);
/// Intrinsic::not_intrinsic where this release lacks it.
llvm::Intrinsic::ID intrinsicOf(corpus::Opcode opcode);

/// The two enumerations have the same order.
constexpr llvm::CmpInst::Predicate toLlvm(corpus::Predicate predicate) {
  return static_cast<llvm::CmpInst::Predicate>(llvm::CmpInst::ICMP_EQ +
                                               static_cast<int>(predicate));
}
constexpr corpus::Predicate fromLlvm(llvm::CmpInst::Predicate predicate) {
  return static_cast<corpus::Predicate>(predicate - llvm::CmpInst::ICMP_EQ);
}
static_assert(toLlvm(corpus::Predicate::ne) == llvm::CmpInst::ICMP_NE &&
              toLlvm(corpus::Predicate::ugt) == llvm::CmpInst::ICMP_UGT &&
              toLlvm(corpus::Predicate::uge) == llvm::CmpInst::ICMP_UGE &&
              toLlvm(corpus::Predicate::ult) == llvm::CmpInst::ICMP_ULT &&
              toLlvm(corpus::Predicate::ule) == llvm::CmpInst::ICMP_ULE &&
              toLlvm(corpus::Predicate::sgt) == llvm::CmpInst::ICMP_SGT &&
              toLlvm(corpus::Predicate::sge) == llvm::CmpInst::ICMP_SGE &&
              toLlvm(corpus::Predicate::slt) == llvm::CmpInst::ICMP_SLT &&
              toLlvm(corpus::Predicate::sle) == llvm::CmpInst::ICMP_SLE);

} // namespace runner
