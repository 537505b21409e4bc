// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Crashes and invalid output by what makes them: a pass that writes where it
// must not fails at another place for each function, so that the place says
// nothing, and a function may be beyond reduction because it fails now and
// then. What they have in common is the instruction that the pass fails on.
// Threads: pure functions.
#pragma once

#include "reports/triage/bug.h"

#include <vector>

namespace reports {

/// A failure whose function has all that a smaller straight line has on which
/// the pass fails in one of the same releases gets the root of that one. All
/// that it has: as many instructions of these opcodes and types, with its
/// flags and its constants; an index out of range is as good as any other.
/// A hang is explained by a hang.
void joinFailures(std::vector<Bug> &bugs);

} // namespace reports
