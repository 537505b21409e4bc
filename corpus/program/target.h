// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The intrinsics of target.def. A call of one is a call of a callee with that
// name and signature, without attributes.
// Threads: immutable after the first call.
#pragma once

#include "corpus/program/program.h"

#include <string_view>

namespace corpus {

struct TargetIntrinsic {
  Callee callee;
  std::uint32_t immediates = 0; ///< operands that are constants, one bit each
};

/// In the order of target.def.
std::span<const TargetIntrinsic> targetIntrinsics();
/// The row of that name, or null.
const TargetIntrinsic *targetIntrinsic(std::string_view name);

} // namespace corpus
