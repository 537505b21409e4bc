// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/library.h"

namespace corpus {
namespace {

using enum LibraryAction;
constexpr std::uint8_t no = LibraryFunction::noOperand;
constexpr LibraryFunction libraryTable[] = {
    // name, types, action, family, size, count, alignment, isZeroed, mayFail
    {"malloc", "pl", allocate, HeapFamily::malloc, 0, no, no, false, true},
    {"calloc", "pll", allocate, HeapFamily::malloc, 1, 0, no, true, true},
    {"aligned_alloc", "pll", allocate, HeapFamily::malloc, 1, no, 0, false,
     true},
    {"realloc", "ppl", reallocate, HeapFamily::malloc, 1, no, no, false, true},
    {"free", "vp", free, HeapFamily::malloc},
    {"_Znwm", "pl", allocate, HeapFamily::new_, 0},
    {"_Znam", "pl", allocate, HeapFamily::newArray, 0},
    {"_ZdlPv", "vp", free, HeapFamily::new_},
    {"_ZdaPv", "vp", free, HeapFamily::newArray},
    {"_ZdlPvm", "vpl", free, HeapFamily::new_},
    {"_ZdaPvm", "vpl", free, HeapFamily::newArray},
    {"memcmp", "ippl", compare},
    {"bcmp", "ippl", differ},
    {"strlen", "lp", length},
};

bool isOf(char letter, Type type) {
  switch (letter) {
  case 'v':
    return type.isVoid();
  case 'p':
    return type.isPointer();
  case 'i':
    return type == Type::integer(32);
  default:
    return type == Type::integer(64);
  }
}

} // namespace

const LibraryFunction *libraryFunctionOf(const Callee &callee) {
  const Signature &signature = callee.signature;
  for (const LibraryFunction &row : libraryTable) {
    if (row.name != callee.name ||
        row.types.size() != signature.parameters.size() + 1 ||
        !isOf(row.types[0], signature.returnType))
      continue;
    bool fits = true;
    for (std::size_t i = 0; i < signature.parameters.size(); ++i)
      fits &= isOf(row.types[i + 1], signature.parameters[i].type);
    if (fits)
      return &row;
  }
  return nullptr;
}

const LibraryFunction *libraryFunctionOf(const Program &program,
                                         const Instruction &instruction) {
  return instruction.opcode == Opcode::call
             ? libraryFunctionOf(program.callees[instruction.callee])
             : nullptr;
}

} // namespace corpus
