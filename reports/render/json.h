// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bugs as JSON: the objects of bugs.json, which are also what the database
// keeps. The keys id, kind, pass, llvm, semantics, functions, source, target,
// witness, command, window, widths, lanes, repair and known are a contract;
// null stands for what a bug does not have.
#pragma once

#include "corpus/program/result.h"
#include "reports/triage/bug.h"

#include <nlohmann/json_fwd.hpp>

namespace reports {

nlohmann::json toJson(const Bug &bug);

/// Reads back what toJson() wrote; the verdict is made anew. Fails for anything
/// else.
corpus::Result<Bug> bugFromJson(const std::string &text);

} // namespace reports
