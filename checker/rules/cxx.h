// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules as C++ in the style of today's InstCombine (Alive paper, section 4): a
// function for each rule that matches an instruction, asks for the
// precondition, and builds the target with an IRBuilder.
// Threads: pure functions.
#pragma once

#include "checker/rules/rule.h"
#include "corpus/program/result.h"

#include <span>

namespace checker::rules {

/// The name of the function that toCxx() writes.
std::string cxxNameOf(const Rule &rule);

/// `static Value *NAME(Instruction &I, IRBuilderBase &Builder, const
/// SimplifyQuery &SQ)`: what stands in I's place then, or null. An error names
/// what of the rule has no C++.
corpus::Result<std::string> toCxx(const Rule &rule);

/// A file to be compiled against LLVM 22: the functions, and a table
/// `rewriteRules` all of them. Rules without C++ are left out, each with a
/// comment that says why.
std::string cxxFile(std::span<const Rule> rules);

} // namespace checker::rules
