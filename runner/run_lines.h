// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pipelines that a test of LLVM names for itself: its lines
// `; RUN: opt < %s -passes=gvn -S | FileCheck %s`.
// Threads: pure functions.
#pragma once

#include "runner/backend.h"

#include <string>
#include <string_view>
#include <vector>

namespace runner {

struct RunLines {
  std::vector<Pipeline> pipelines; ///< distinct, in order
  /// Why there are none: each `opt` over the file that could not be taken.
  std::vector<std::string> refused;
};

/// Every command `opt` of the RUN lines that reads the file itself (%s):
/// -passes=, -mtriple= and -data-layout=, options that only say what is printed
/// and where are dropped, and any other is one of LLVM's own.
RunLines parseRunLines(std::string_view text);

} // namespace runner
