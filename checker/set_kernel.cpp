// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/set_kernel.h"

namespace checker::setsliced {

#define IRSIEVE_KERNEL "checker/set_kernel.inc"
#include "checker/each_instruction_set.inc"

} // namespace checker::setsliced
