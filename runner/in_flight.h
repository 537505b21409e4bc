// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The in-flight table: one slot per worker thread, in memory shared between a
// worker and its parent, holding the function and the pass now running. When a
// worker dies or hangs the parent reads the culprit here, without a search.
// Written by one thread, read by another process: every field is atomic, and a
// torn read of the pass name is harmless (it is only shown to people).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace runner {

struct Slot {
  static constexpr std::uint64_t idle =
      std::numeric_limits<std::uint64_t>::max();
  static constexpr std::size_t passCapacity = 64;

  std::atomic<std::uint64_t> rank{idle};
  /// Counts function changes; a parent that sees it stand still suspects a
  /// hang.
  std::atomic<std::uint64_t> heartbeat{0};
  std::array<std::atomic<char>, passCapacity> pass{};

  void enter(std::uint64_t newRank, std::string_view newPass) {
    if (rank.load(std::memory_order_relaxed) != newRank) {
      rank.store(newRank, std::memory_order_relaxed);
      heartbeat.fetch_add(1, std::memory_order_relaxed);
    }
    const std::size_t size = std::min(newPass.size(), passCapacity - 1);
    for (std::size_t i = 0; i < size; ++i)
      pass[i].store(newPass[i], std::memory_order_relaxed);
    pass[size].store('\0', std::memory_order_relaxed);
  }
  void leave() { rank.store(idle, std::memory_order_relaxed); }

  std::string passName() const {
    std::string name;
    for (const auto &character : pass) {
      const char c = character.load(std::memory_order_relaxed);
      if (c == '\0')
        break;
      name.push_back(c);
    }
    return name;
  }
};

} // namespace runner
