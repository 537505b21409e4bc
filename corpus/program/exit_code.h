// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the irsieve program tells its caller.
#pragma once

namespace corpus {

enum class ExitCode {
  nothingWrong = 0,
  somethingWrong = 1,
  badInput = 2,
  /// A tool failed, or verdicts are missing (unsupported, undecided).
  incomplete = 3,
  /// Stopped by a budget or a signal at a checkpoint; run again to resume.
  stopped = 4,
  // What `git bisect run` reads, and only `irsieve bisect --opt` says.
  cannotTell = 125,
  bisectUsage = 128,
};

/// The code to exit with where both apply: 2 before 1 before 4 before 3.
/// Requires codes below 5.
constexpr ExitCode worse(ExitCode a, ExitCode b) {
  constexpr int precedence[] = {0, 3, 4, 1, 2};
  return precedence[static_cast<int>(a)] >= precedence[static_cast<int>(b)] ? a
                                                                            : b;
}

} // namespace corpus
