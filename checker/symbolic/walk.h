// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The terms of a formula, each once.
// Threads: terms belong to a Z3 context, and that to one thread.
#pragma once

#include <z3++.h>

#include <cstddef>
#include <vector>

namespace checker::smt {

/// All applications in `formula`, literals and variables too, each after its
/// arguments. None where they are more than `most`.
std::vector<z3::expr> applicationsIn(const z3::expr &formula, std::size_t most);

} // namespace checker::smt
