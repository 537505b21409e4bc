// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words as integers: sums, literal factors and comparisons of wide words, which
// is what offsets and lengths are made of, are linear arithmetic with few
// cases, where bits are a carry for each place.
// Source: Zohar, Irfan, Mann, Niemetz, Notzli, Preiner, Reynolds, Barrett and
// Tinelli, Bit-Precise Reasoning via Int-Blasting, VMCAI 2022.
// Threads: terms belong to a Z3 context, and that to one thread.
#pragma once

#include <z3++.h>

#include <optional>

namespace checker::smt {

/// Requires a simplified Bool without quantifiers. A weaker formula over
/// integers and Booleans: where it has no model `formula` has none, and a model
/// of it says nothing, since operations bit by bit and products of two unknowns
/// are numbers of which little is said. Nothing where the formula is large.
std::optional<z3::expr> overIntegers(const z3::expr &formula);

} // namespace checker::smt
