// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products and quotients by what was shifted: for each amount they are those of
// a literal, which Z3 knows, and for all amounts together it does not end.
// Threads: terms belong to a Z3 context, and that to one thread.
#pragma once

#include <z3++.h>

#include <vector>

namespace checker::smt {

/// Requires a simplified Bool without quantifiers. Formulas that have a model
/// together exactly where `formula` has one, and each only such models: one for
/// every amount below the width and one for those beyond, without those that
/// are false. One that is `formula` where no product or quotient has a shift in
/// it, or not all shifts are by one and the same variable.
std::vector<z3::expr> casesOfAmount(const z3::expr &formula);

} // namespace checker::smt
