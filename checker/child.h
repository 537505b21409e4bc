// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a piece of work in a process of its own, so that whatever becomes of it
// (no end, no memory left, a crash in Z3) is an answer like any other.
// Threads: the calling process must have only one, as always with fork().
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>

namespace checker {

struct ChildLimits {
  std::chrono::seconds time{60};     ///< 0 for none
  std::uint64_t memory = 4ULL << 30; ///< bytes
};

/// What became of the child: the code that `work` returned, or how it ended
/// before that ("no answer within 60 s", "out of memory", "SIGSEGV").
using ChildEnd = std::variant<int, std::string>;

/// `work` prints what it has to say in one go, at its end; its code is in
/// 0..99.
ChildEnd runInChild(const ChildLimits &limits,
                    const std::function<int()> &work);

} // namespace checker
