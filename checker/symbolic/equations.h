// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A good answer to every proposal at once: where a formula compares words made
// of the answering player's variables by what has an inverse (slices, sums,
// negations, odd factors), they are what makes the words equal.
// Threads: terms belong to a Z3 context, and that to one thread.
#pragma once

#include <z3++.h>

#include <optional>
#include <vector>

namespace checker::smt {

/// For each of `variables`, bit-vectors or not, a term with none of them and
/// none of `unknown`, such that equalities in `formula` hold, as many as could
/// be solved in turn; bits that none of them tells are 0. Nothing where none
/// could be solved. Requires a simplified Bool without quantifiers.
std::optional<std::vector<z3::expr>>
solveEquations(const z3::expr &formula, const std::vector<z3::expr> &variables,
               const std::vector<z3::expr> &unknown);

} // namespace checker::smt
