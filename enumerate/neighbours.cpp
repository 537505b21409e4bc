// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/neighbours.h"

#include "enumerate/edits.h"

#include <algorithm>
#include <set>

namespace enumerate {

std::vector<Rank> neighbours(const Space &space,
                             const corpus::Program &program) {
  std::vector<Rank> ranks;
  std::set<Rank> seen;
  const auto add = [&](const corpus::Program &near) {
    const auto rank = space.rank(numberByDecision(near));
    if (rank && seen.insert(*rank).second)
      ranks.push_back(*rank);
  };
  add(program);
  const Edits edits(program);
  for (std::uint64_t i = 0; i < edits.count(); ++i)
    add(edits.apply(i));
  return ranks;
}

} // namespace enumerate
