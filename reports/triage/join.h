// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that are one though their faults read differently, and that are two
// though they read alike (fault.h knows one bug at a time).
// Threads: pure functions.
#pragma once

#include "reports/triage/bug.h"

#include <vector>

namespace reports {

/// Gives bugs the root of another one:
/// - The roots of one bug of corpus/known are one.
/// - Where several passes make the same of the same function, but for what
///   nobody uses, what they share is at fault: a fold, an analysis.
/// - So are those of one pass and one kin (fault.h) once they have windows,
///   unless these tell them apart or they are different bugs of corpus/known.
/// - A crash or invalid output whose function has all that a smaller straight
///   line has on which the pass fails in one of the same releases: as many
///   instructions of these opcodes and types, with its flags and its constants;
///   an index out of range is as good as any other. A pass that writes where it
///   must not fails at another place for each function, and may not fail again
///   when that is to be reduced. A hang is explained by a hang.
/// - Nor does what crashes only in the memory that such a pass has damaged: a
///   crash that does not repeat is of the pass's only row that does.
/// - Different bugs of corpus/known are different rows, unless they are one
///   issue. What is not known goes with the one that it reads like.
void joinRows(std::vector<Bug> &bugs);

} // namespace reports
