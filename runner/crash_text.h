// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a crash reads in a finding: one line, equal for the same bug on different
// functions, whether a worker or an external opt crashed.
// Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace runner {

/// Ends the line of a crash that did not repeat when its function was optimized
/// again: the heap had been damaged before, or damages others.
inline constexpr std::string_view notAgain = ", not a second time";
/// Of the line of a crash.
constexpr bool isRepeated(std::string_view line) {
  return !line.ends_with(notAgain);
}

/// One line, with every number replaced by N: they name functions, widths and
/// values, not bugs.
std::string withoutNumbers(std::string_view message);

/// "llvm::APInt::sdiv" of a demangled function: without parameters and template
/// arguments, short, and the same when only they differ.
std::string frameName(std::string_view demangled);

/// " in a < b < c": the innermost frames with a name, up to the pass. Empty
/// names are passed over.
std::string framesText(std::span<const std::string> names);

} // namespace runner
