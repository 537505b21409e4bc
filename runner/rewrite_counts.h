// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often each rewrite was seen, and where first: a table that is looked into
// for every changed function of a campaign, so that it is one array.
// Threads: belongs to one thread.
#pragma once

#include "corpus/store/store.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace runner {

class RewriteCounts {
public:
  void note(std::span<const std::uint8_t> form, corpus::Rank rank);
  /// Each once, in no order; afterwards none.
  std::vector<corpus::Rewrite> take();

private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint64_t count = 0; ///< 0: free
    corpus::Rank firstRank = 0;
  };
  /// The entry of that rewrite, or the free one for it.
  Entry &entryOf(std::uint64_t hash);
  void grow();

  /// Open addressing by hash; a power of two long, at most half full. Without
  /// the forms, which are needed once, it stays in a processor's cache.
  std::vector<Entry> table_;
  std::vector<std::pair<std::uint64_t, corpus::Bytes>> forms_; ///< with hashes
};

} // namespace runner
