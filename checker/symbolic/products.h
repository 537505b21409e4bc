// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products, quotients and remainders as numbers of which a few laws are known:
// most rewrites of them hold by these laws alone, which no solver finds out bit
// by bit in wide words.
// Threads: terms belong to a Z3 context, and that to one thread.
#pragma once

#include <z3++.h>

#include <optional>

namespace checker::smt {

/// Requires a simplified Bool without quantifiers. A weaker formula: where it
/// has no model `formula` has none, and a model of it says nothing. Each
/// product and quotient is a number of its own, bound by its size, by others of
/// the same operands (in either order, negated, of other widths) or of the same
/// divisor, and by what cancels; a remainder is what a multiple leaves. Nothing
/// where there is none of them, or where the formula is large.
std::optional<z3::expr> byLawsOfProducts(const z3::expr &formula);

} // namespace checker::smt
