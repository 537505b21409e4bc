// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that changed their name between LLVM releases: one spelling serves
// all, in the same bug as in the same command.
// Threads: pure functions.
#pragma once

#include <array>
#include <limits>
#include <string_view>

namespace runner {

/// `older` before release `since`.
struct PassRename {
  std::string_view older;
  std::string_view newer;
  unsigned since;
};
inline constexpr std::array<PassRename, 4> passRenames = {{
    {"flattencfg", "flatten-cfg", 17},
    {"loweratomic", "lower-atomic", 17},
    {"lowerinvoke", "lower-invoke", 17},
    {"lowerswitch", "lower-switch", 17},
}};

/// How that release spells the pass, whichever name it was given; by default
/// the newest.
constexpr std::string_view
passNameIn(std::string_view name,
           unsigned release = std::numeric_limits<unsigned>::max()) {
  for (const PassRename &row : passRenames)
    if (name == row.older || name == row.newer)
      return release < row.since ? row.older : row.newer;
  return name;
}

} // namespace runner
