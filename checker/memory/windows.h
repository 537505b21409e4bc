// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What two programs can touch of the memory behind an argument or a variable:
// the offsets at which accesses begin and end, their alignments, the offsets
// that an inbounds getelementptr steps on. Scenarios differ only in what these
// tell apart.
// Threads: pure functions.
#pragma once

#include "corpus/program/program.h"
#include "corpus/program/result.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace checker {

/// From `low` to `high`, both of them possible.
struct OffsetRange {
  std::int64_t low = 0;
  std::int64_t high = 0;

  bool isFar() const;
  friend bool operator==(const OffsetRange &, const OffsetRange &) = default;
};

/// What an operand may be as a signed number, cut off far from 0. Requires an
/// integer.
OffsetRange rangeOf(const corpus::Program &program,
                    const corpus::Operand &operand);

/// Offsets count from the pointer that the program is given.
struct Window {
  std::set<std::int64_t> cuts;  ///< where accesses begin and end
  std::set<std::int64_t> steps; ///< that must be in bounds
  std::set<std::pair<std::int64_t, std::uint32_t>> alignments;
  std::set<std::int64_t> nullTests; ///< of which it is asked whether it is null
  std::set<std::int64_t> compared;  ///< of which addresses are compared
  bool isWritten = false;
  bool isPassed = false; ///< to a call

  std::int64_t begin() const { return *cuts.begin(); }
  std::int64_t end() const { return *cuts.rbegin(); }
};

struct Windows {
  std::vector<Window> parameters;      ///< empty windows of integers
  std::vector<corpus::Global> globals; ///< of both programs, by name
  std::vector<Window> ofGlobals;
  bool observesAddresses = false;
  /// More of addresses is seen than how some of arguments compare.
  bool observesNumbers = false;
  bool ordersUnsigned = false; ///< where they are compared
  bool ordersSigned = false;
  std::int64_t reach = 0; ///< sum of the largest offsets that are compared
  bool hasCalls = false;  ///< that may touch memory
  /// How far what one program makes of a pointer in no block may be from what
  /// the other makes of it; nothing where that is not a few numbers.
  std::optional<std::set<std::uint64_t>> shifts;
};

/// It has pointers, or accesses memory.
bool touchesMemory(const corpus::Program &program);

/// An error is what keeps the windows from being finite.
corpus::Result<Windows> windowsOf(const corpus::Program &source,
                                  const corpus::Program &target);

} // namespace checker
