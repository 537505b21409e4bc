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
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

namespace runner {

/// The name of a pass, ready to be copied a word at a time: that happens for
/// every pass on every function.
class PassName {
public:
  static constexpr std::size_t capacity = 64;
  using Words = std::array<std::uint64_t, capacity / sizeof(std::uint64_t)>;

  /// Cuts a name of `capacity` and more.
  explicit PassName(std::string_view name = {}) {
    std::array<char, capacity> bytes = {};
    name.copy(bytes.data(), capacity - 1);
    std::memcpy(words_.data(), bytes.data(), capacity);
  }
  const Words &words() const { return words_; }

private:
  Words words_ = {};
};

struct Slot {
  static constexpr std::uint64_t idle =
      std::numeric_limits<std::uint64_t>::max();

  std::atomic<std::uint64_t> position{idle};
  /// Counts function changes; a parent that sees it stand still suspects a
  /// hang.
  std::atomic<std::uint64_t> heartbeat{0};
  std::array<std::atomic<std::uint64_t>, PassName::Words().size()> pass{};

  void enter(std::uint64_t newPosition, const PassName &newPass) {
    if (position.load(std::memory_order_relaxed) != newPosition) {
      position.store(newPosition, std::memory_order_relaxed);
      heartbeat.fetch_add(1, std::memory_order_relaxed);
    }
    for (std::size_t i = 0; i < pass.size(); ++i)
      pass[i].store(newPass.words()[i], std::memory_order_relaxed);
  }
  void leave() { position.store(idle, std::memory_order_relaxed); }

  std::string passName() const {
    std::array<char, PassName::capacity> name;
    for (std::size_t i = 0; i < pass.size(); ++i) {
      const std::uint64_t word = pass[i].load(std::memory_order_relaxed);
      std::memcpy(name.data() + i * sizeof(word), &word, sizeof(word));
    }
    return {name.begin(), std::find(name.begin(), name.end(), '\0')};
  }
};

} // namespace runner
