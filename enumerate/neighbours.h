// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of a space is near a program, such as one that is wrong in another
// release: where to look before any order.
// Threads: a pure function.
#pragma once

#include "enumerate/space.h"

#include <vector>

namespace enumerate {

/// Ranks of the members of `space` that are `program` or one edit from it, as
/// class Edits says, with their arguments renumbered; each once, the program
/// itself first.
std::vector<Rank> neighbours(const Space &space,
                             const corpus::Program &program);

} // namespace enumerate
