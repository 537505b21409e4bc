// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `irsieve report` writes: a table of formats, each a function from the
// report to files.
// Threads: pure functions.
#pragma once

#include "reports/matrix.h"
#include "reports/triage/bug.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reports {

/// A campaign for readers.
struct Report {
  std::vector<Bug> bugs; ///< in the order of sortForReaders()
  Matrix matrix;
  /// Asked before each bug: where it says so, the rule that would take a second
  /// is left out.
  std::function<bool()> isUrgent = [] { return false; };
};

struct File {
  std::string name; ///< relative, with '/'
  std::string text;
};

struct Format {
  std::string_view name;
  std::string_view what; ///< for --help
  std::vector<File> (*render)(const Report &);
};

std::span<const Format> formats();

} // namespace reports
