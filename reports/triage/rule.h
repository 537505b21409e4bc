// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bug as a rule in Alive's language.
// Threads: a pure function.
#pragma once

#include "reports/triage/bug.h"

#include <string>

namespace reports {

/// For which types and constants the change is wrong, the rule, and one that is
/// right; empty where the language cannot say it, and of functions of more than
/// four instructions. Takes a second or so; its limits are of work, so that
/// equal bugs give equal texts.
std::string ruleText(const Bug &bug);

} // namespace reports
