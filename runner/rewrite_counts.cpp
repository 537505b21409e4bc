// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/rewrite_counts.h"

#include "runner/rewrite.h"

#include <algorithm>
#include <utility>

namespace runner {

void RewriteCounts::note(std::span<const std::uint8_t> form,
                         corpus::Rank rank) {
  if (2 * forms_.size() >= table_.size())
    grow();
  const std::uint64_t hash = rewriteHash(form);
  Entry &entry = entryOf(hash);
  if (entry.count++ == 0) {
    entry.hash = hash;
    entry.firstRank = rank;
    forms_.emplace_back(hash, corpus::Bytes(form.begin(), form.end()));
  }
  entry.firstRank = std::min(entry.firstRank, rank);
}

std::vector<corpus::Rewrite> RewriteCounts::take() {
  std::vector<corpus::Rewrite> rewrites;
  rewrites.reserve(forms_.size());
  for (auto &[hash, form] : forms_) {
    const Entry &entry = entryOf(hash);
    rewrites.push_back({hash, std::move(form), entry.count, entry.firstRank});
  }
  forms_.clear();
  std::fill(table_.begin(), table_.end(), Entry());
  return rewrites;
}

RewriteCounts::Entry &RewriteCounts::entryOf(std::uint64_t hash) {
  const std::size_t mask = table_.size() - 1;
  std::size_t place = hash & mask;
  while (table_[place].count != 0 && table_[place].hash != hash)
    place = (place + 1) & mask;
  return table_[place];
}

void RewriteCounts::grow() {
  constexpr std::size_t first = 1024;
  const auto old = std::exchange(
      table_, std::vector<Entry>(std::max(first, 2 * table_.size())));
  for (const Entry &entry : old)
    if (entry.count != 0)
      entryOf(entry.hash) = entry;
}

} // namespace runner
