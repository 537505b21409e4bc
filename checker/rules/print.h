// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rule as text in Alive's language; parseRules() reads it back to an equal
// rule.
// Threads: pure functions.
#pragma once

#include "checker/rules/rule.h"

#include <string>

namespace checker::rules {

/// Name, precondition, source, =>, target; lines end in newlines. Of an
/// unsupported rule only the name.
std::string toText(const Rule &rule);
std::string toText(const Rule &rule, const Condition &condition);
/// As an operand: `%x`, `C1`, `(C1 + 1)`.
std::string toText(const Rule &rule, NodeId node);

} // namespace checker::rules
