// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs: two functions of a space side by side in one, and an operation on what
// the two return. For passes that look for the same in several places, as those
// that make vectors of scalars do, and that a few instructions in a row show
// nothing.
// Threads: the space is immutable and may be shared.
#pragma once

#include "corpus/program/result.h"
#include "enumerate/space.h"

#include <memory>
#include <string>

namespace enumerate {

/// Ranks go by the first function, then the second, then the operation: and,
/// or, xor; of i1 the logical `and` and `or`, of other integers add and mul;
/// and both as the lanes of a vector. The narrower result is zero-extended
/// before. Arguments of the second function follow those of the first.
/// `spec` is what the space calls itself. Fails where the pairs are more than
/// 128 bits can count. Requires that `each` has straight lines that return
/// integers.
corpus::Result<std::unique_ptr<Space>>
makePairSpace(std::string spec, std::unique_ptr<Space> each);

} // namespace enumerate
