// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Greedy reduction of a function that shows a bug. Which functions show it is
// the caller's business, so that a real optimizer decides in the product and
// anything at all in tests.
// Threads: one Reducer per thread.
#pragma once

#include "corpus/program/encode.h"
#include "corpus/program/program.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace reports {

/// How large a program is to a reader; compared from left to right. Every step
/// of a reduction makes it smaller, or keeps it and gives the canonical form.
/// An argument is smaller than a constant, because it says that any value does.
using Size = std::array<std::uint64_t, 8>;
Size sizeOf(const corpus::Program &program);

/// The programs that are one step smaller, the smallest first: an intermediate
/// value returned, an instruction or an operand replaced by a new argument, an
/// instruction by a constant or bypassed, a flag or an attribute dropped, a
/// constant made simpler. Each satisfies verify().
std::vector<corpus::Program> reductions(const corpus::Program &program);

class Reducer {
public:
  /// result[i]: programs[i] still shows the bug.
  using Interesting =
      std::function<std::vector<bool>(std::span<const corpus::Program>)>;
  explicit Reducer(Interesting interesting)
      : interesting_(std::move(interesting)) {}

  /// A program that shows the bug although no step from it does. Requires that
  /// `program` shows it. Remembers every program on the way, so that the
  /// thousand findings of one bug cost little more than one.
  corpus::Program reduce(const corpus::Program &program);

private:
  Interesting interesting_;
  std::map<corpus::Bytes, corpus::Program> reduced_;
};

} // namespace reports
