// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verdicts as text for people and as JSON for programs.
#pragma once

#include "checker/semantics/verdict.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace checker {

/// `wrong (more-poison)`, `unsupported: br`.
std::string headline(const Verdict &verdict);

/// The counterexample as Alive prints it: the inputs, every value on both
/// sides, both outcomes. Lines end in newlines.
std::string toText(const Witness &witness);

/// One object: inputs, source and target each with values and outcome.
nlohmann::json toJson(const Witness &witness);

/// The contract of `check --format json`: name verdict kind witness semantics
/// engine, and reason where there is one. What does not apply is null.
nlohmann::json toJson(const Verdict &verdict, std::string_view name,
                      std::string_view semantics);

} // namespace checker
