// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that a worker and its parent share: the in-flight slots, and the
// parent's wish to stop. It outlives the worker, however that ends.
#pragma once

#include "runner/in_flight.h"

#include <array>
#include <atomic>

namespace runner {

inline constexpr std::size_t maximumThreads = 64;

struct InFlightTable {
  /// Set by the parent: hand out no further chunk.
  std::atomic<bool> stop{false};
  /// Written by the worker: what was started may be a script that waits for it.
  std::atomic<int> pid{0};
  std::array<Slot, maximumThreads> slots;
};
static_assert(std::atomic<bool>::is_always_lock_free &&
              std::atomic<std::uint64_t>::is_always_lock_free);

class SharedTable {
public:
  /// A new, zeroed table that child processes can inherit.
  static SharedTable create();
  /// The parent's table, by the descriptor that was inherited.
  static SharedTable attach(int file);
  ~SharedTable();
  SharedTable(SharedTable &&other) noexcept;
  SharedTable &operator=(SharedTable &&other) noexcept;

  int file() const { return file_; }
  InFlightTable *operator->() const { return table_; }

private:
  SharedTable(int file, InFlightTable *table) : file_(file), table_(table) {}

  int file_;
  InFlightTable *table_;
};

} // namespace runner
