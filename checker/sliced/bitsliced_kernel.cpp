// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/sliced/bitsliced_kernel.h"

#include "corpus/program/opcode.h"

namespace checker::bitsliced {

#define IRSIEVE_KERNEL "checker/sliced/bitsliced_kernel.inc"
#include "checker/sliced/each_instruction_set.inc"

} // namespace checker::bitsliced
