// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often each rewrite was seen, and where first: a table that is looked into
// for every changed function of a campaign, so that it is one array.
// Threads: belongs to one thread.
#pragma once

#include "corpus/store/store.h"

#include <cstddef>
#include <span>
#include <vector>

namespace runner {

class RewriteCounts {
public:
  void note(std::span<const std::uint8_t> form, corpus::Rank rank);
  /// Each once, in no order; afterwards none.
  std::vector<corpus::Rewrite> take();

private:
  /// The place of that rewrite, or the free one for it.
  corpus::Rewrite &placeOf(std::uint64_t hash);
  void grow();

  /// Open addressing by hash; a power of two long, at most half full. Free: a
  /// count of 0.
  std::vector<corpus::Rewrite> table_;
  std::size_t size_ = 0;
};

} // namespace runner
