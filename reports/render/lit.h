// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bug as a lit test that fails while the bug is there. It says what the
// output must not be, since what it will be once the bug is fixed is for those
// who fix it: any other output passes.
// Threads: pure functions.
#pragma once

#include "reports/triage/bug.h"

#include <string>

namespace reports {

/// The test of a wrong result looks for the whole wrong body on one line, with
/// the names of values and blocks free but consistent (the first seven of
/// them, which is what FileCheck can do). That of a crash, a hang or invalid
/// output only runs `opt`. Written in the spelling of `bug.release`.
std::string litTest(const Bug &bug);

/// lit.cfg.py beside the tests: `lit --param bin=/usr/lib/llvm-22/bin .` takes
/// opt and FileCheck from there, and from PATH without it.
std::string litConfiguration();

} // namespace reports
