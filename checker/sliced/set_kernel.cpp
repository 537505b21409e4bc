// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/sliced/set_kernel.h"

namespace checker::setsliced {

#define IRSIEVE_KERNEL "checker/sliced/set_kernel.inc"
#include "checker/sliced/each_instruction_set.inc"

} // namespace checker::setsliced
