// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs pieces of work in other processes, several at a time, so that whatever
// becomes of one (no end, no memory left, a crash in Z3) is an answer like any
// other. A process does one piece after the other, because the first costs as
// much as many; where it ends before it answers, the piece is done again in a
// fresh one, whose end counts. What a piece answers must not depend on those
// before it.
// Threads: the calling process must have only one, as always with fork().
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>

namespace checker {

struct ChildLimits {
  std::chrono::seconds time{60};     ///< for each, 0 for none
  std::uint64_t memory = 4ULL << 30; ///< bytes
};

/// What became of a child: the code that its work returned, or how it ended
/// before that ("no answer within 60 s", "out of memory", "SIGSEGV").
using ChildEnd = std::variant<int, std::string>;

struct Children {
  std::size_t count = 0;
  unsigned atOnce = 1;
  ChildLimits limits;
  /// Returns a code in 0..99.
  std::function<int(std::size_t)> work;
  /// What became of each, and what it wrote to stdout, in the order of the
  /// numbers.
  std::function<void(std::size_t, const ChildEnd &, const std::string &)> done;
};

void runChildren(const Children &children);

} // namespace checker
