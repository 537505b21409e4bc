// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of Z3 variables: what a set may be picks by them, and a quantified
// formula has them in blocks.
// Threads: terms belong to a Z3 context, and that to one thread.
#pragma once

#include "checker/lane_ops/terms.h"

#include <vector>

namespace checker::smt {

using Variables = std::vector<z3::expr>;

/// As many fresh variables, each of the same sort.
Variables copiesOf(const Variables &variables, FreshVariables &fresh);

/// Those that are not in `to` yet.
void addMissing(Variables &to, const Variables &from);

/// `to` in the place of `from`, one by one.
z3::expr substituted(const z3::expr &term, const Variables &from,
                     const Variables &to);
Term substituted(const Term &term, const Variables &from, const Variables &to);

/// Zero or false.
z3::expr zeroOf(const z3::expr &variable);

} // namespace checker::smt
