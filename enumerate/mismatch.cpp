// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/mismatch.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace enumerate {

std::string mismatch(const Space &space, const Assembler &assembler,
                     std::span<const Decision> allowed,
                     const corpus::Program &program) {
  const corpus::Program renumbered = numberByDecision(program);
  if (program != renumbered)
    if (const auto rank = space.rank(renumbered))
      return fmt::format(
          "its arguments are not numbered by first use; numbered "
          "so it is {}",
          space.nameOf(*rank));
  std::vector<std::string> names;
  for (const Decision &decision : allowed)
    if (auto name = assembler.describe(decision);
        std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  return fmt::format(
      "{}; allowed there is {}", assembler.describePosition(program),
      names.empty() ? "nothing" : fmt::to_string(fmt::join(names, ", ")));
}

} // namespace enumerate
