// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a patch of LLVM is about: the passes that its files belong to, and the
// tests that it brings.
// Threads: pure functions.
#pragma once

#include "corpus/program/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace reports {

struct Patch {
  std::vector<std::string> files; ///< below LLVM's source, as the diff has them
  std::vector<std::string> passes; ///< pipelines, each once
  /// Below LLVM's source: .ll files of llvm/test that the patch changes, then
  /// the folders of the passes' tests.
  std::vector<std::string> tests;
};

/// Reads a diff as `git diff` prints it. Fails where no file is named in it.
/// What belongs to no pass that has a line in the table is of `default<O2>`.
corpus::Result<Patch> readPatch(std::string_view text);

} // namespace reports
