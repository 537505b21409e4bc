// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remainders by their quotients: who computes x % y as x - x / y * y, or the
// reverse, is not found out by bits of wide words.
// Threads: belong to the Z3 context of the formula.
#pragma once

#include <z3++.h>

#include <optional>

namespace checker::smt {

bool hasRemainder(const z3::expr &formula);

/// The same formula with x - x / y * y for each x % y whose quotient stands in
/// it too; nothing where none does, or where it is large. Requires a simplified
/// Bool without quantifiers.
std::optional<z3::expr> withoutRemainders(const z3::expr &formula);

} // namespace checker::smt
