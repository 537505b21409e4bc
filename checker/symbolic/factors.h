// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is multiplied by what nobody knows: how often a loop goes round is one
// of few numbers where it was followed a few rounds, and then a length that is
// a product is a literal times a word.
//
// Threads: terms belong to a Z3 context, and that to one thread.
#pragma once

#include <z3++.h>

#include <vector>

namespace checker::smt {

/// Requires a simplified Bool without quantifiers. The variables that are, or
/// of which a part or an extension is, a factor of a product without a literal,
/// each once. None where the formula is large.
std::vector<z3::expr> factorsOf(const z3::expr &formula);

} // namespace checker::smt
