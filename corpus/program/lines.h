// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text as its lines.
// Threads: a pure function.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace corpus {

/// Without their ends; what follows the last newline is a line if not empty.
inline std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

} // namespace corpus
