// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the language of the Alive paper as Alive's own files write it (.opt).
// Its memory instructions and branches are read, and make a rule `unsupported`.
// Threads: a pure function.
#pragma once

#include "checker/rules/rule.h"
#include "corpus/program/result.h"

#include <string_view>
#include <vector>

namespace checker::rules {

/// All rules of a file. An error names the line and what was expected there.
corpus::Result<std::vector<Rule>> parseRules(std::string_view text);

} // namespace checker::rules
