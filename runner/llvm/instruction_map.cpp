// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/instruction_map.h"

#include "runner/llvm/release.h"

#include <array>
#include <cassert>
#include <vector>

namespace runner {
namespace {

constexpr std::size_t llvmOpcodes = 256;

using ByLlvmOpcode = std::array<std::optional<corpus::Opcode>, llvmOpcodes>;

constexpr ByLlvmOpcode byLlvmOpcode = [] {
  ByLlvmOpcode table;
  for (const InstructionRow &row : instructionTable)
    table[row.llvmOpcode] = row.opcode;
  return table;
}();

/// LLVM counts from 1.
constexpr auto byOpcode = [] {
  std::array<unsigned, 256> table{};
  for (const InstructionRow &row : instructionTable)
    table[static_cast<std::uint8_t>(row.opcode)] = row.llvmOpcode;
  return table;
}();

struct Intrinsics {
  std::vector<llvm::Intrinsic::ID> byOpcode;
  llvm::DenseMap<unsigned, corpus::Opcode> byId;

  Intrinsics() {
    for (const corpus::OpcodeInfo &row : corpus::opcodeTable()) {
      const auto id = row.isIntrinsic()
                          ? release::intrinsicNamed(llvm::StringRef(
                                row.spelling.data(), row.spelling.size()))
                          : llvm::Intrinsic::not_intrinsic;
      byOpcode.push_back(id);
      if (id != llvm::Intrinsic::not_intrinsic)
        byId[id] = row.opcode;
    }
  }
};

const Intrinsics &intrinsics() {
  static const Intrinsics table;
  return table;
}

} // namespace

std::optional<corpus::Opcode> opcodeOf(unsigned llvmOpcode) {
  return llvmOpcode < llvmOpcodes ? byLlvmOpcode[llvmOpcode] : std::nullopt;
}

unsigned llvmOpcodeOf(corpus::Opcode opcode) {
  const unsigned found = byOpcode[static_cast<std::uint8_t>(opcode)];
  assert(found != 0 && "an intrinsic has no LLVM opcode");
  return found;
}

std::optional<corpus::Opcode> opcodeOfIntrinsic(llvm::Intrinsic::ID id) {
  const auto found = intrinsics().byId.find(id);
  if (found == intrinsics().byId.end())
    return std::nullopt;
  return found->second;
}

llvm::Intrinsic::ID intrinsicOf(corpus::Opcode opcode) {
  return intrinsics().byOpcode[static_cast<std::size_t>(opcode)];
}

} // namespace runner
