// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shifts by amounts that are no literals, bit by bit. Two shifted words differ
// where they differ at some position, and what stands there is a bit of an
// unshifted word at a position that is a sum of few bits: far less than the
// shifters of each bit.
// Threads: terms belong to a Z3 context, and that to one thread.
#pragma once

#include <z3++.h>

#include <optional>

namespace checker::smt {

/// Requires a simplified Bool without quantifiers. A weaker formula: where it
/// has no model `formula` has none, and a model of it says nothing. Words that
/// are not made of shifts and bitwise operations have any bits, equal ones at
/// equal positions; of equalities that hold only some positions are looked at,
/// with each round more of them. Nothing where no equality has such a shift.
std::optional<z3::expr> inPositions(const z3::expr &formula, unsigned rounds);

} // namespace checker::smt
