// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the intrinsics of corpus/program/target.def compute, as lane operations.
// Sources: Intel's Software Developer's Manual volume 2, AMD's Programmer's
// Manual volumes 3 and 4, Arm's Architecture Reference Manuals. A lane of the
// result is poison if a lane that it is computed from is.
//
// Each appends to the Builder's program and returns the result, of type
// `result`.
#pragma once

#include "checker/intrinsics/builder.h"

namespace checker::intrinsics {

using Operands = std::span<const corpus::Operand>;
using Meaning = corpus::Operand (*)(Builder &builder, corpus::Type result,
                                    Operands operands);

/// Of row `index` of targetIntrinsics().
Meaning meaningOf(std::size_t index);

} // namespace checker::intrinsics
