// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/rewrite_counts.h"

#include "runner/rewrite.h"

#include <algorithm>
#include <utility>

namespace runner {

void RewriteCounts::note(std::span<const std::uint8_t> form,
                         corpus::Rank rank) {
  if (2 * size_ >= table_.size())
    grow();
  const std::uint64_t hash = rewriteHash(form);
  corpus::Rewrite &rewrite = placeOf(hash);
  if (rewrite.count++ == 0) {
    rewrite.hash = hash;
    rewrite.form.assign(form.begin(), form.end());
    rewrite.firstRank = rank;
    ++size_;
  }
  rewrite.firstRank = std::min(rewrite.firstRank, rank);
}

std::vector<corpus::Rewrite> RewriteCounts::take() {
  std::vector<corpus::Rewrite> rewrites;
  rewrites.reserve(size_);
  for (corpus::Rewrite &rewrite : table_)
    if (rewrite.count != 0)
      rewrites.push_back(std::exchange(rewrite, {}));
  size_ = 0;
  return rewrites;
}

corpus::Rewrite &RewriteCounts::placeOf(std::uint64_t hash) {
  const std::size_t mask = table_.size() - 1;
  std::size_t place = hash & mask;
  while (table_[place].count != 0 && table_[place].hash != hash)
    place = (place + 1) & mask;
  return table_[place];
}

void RewriteCounts::grow() {
  constexpr std::size_t first = 1024;
  auto old = std::exchange(
      table_, std::vector<corpus::Rewrite>(std::max(first, 2 * table_.size())));
  for (corpus::Rewrite &rewrite : old)
    if (rewrite.count != 0)
      placeOf(rewrite.hash) = std::move(rewrite);
}

} // namespace runner
