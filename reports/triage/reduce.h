// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Greedy reduction of a function that shows a bug. Which functions show it is
// the caller's business, so that a real optimizer decides in the product and
// anything at all in tests.
// Threads: one Reducer per thread.
#pragma once

#include "corpus/program/encode.h"
#include "corpus/program/program.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace reports {

/// How large a program is to a reader; compared from left to right. Every step
/// of a reduction makes it smaller, or keeps it and gives the canonical form.
/// An argument is smaller than a constant, because it says that any value does.
using Size = std::array<std::uint64_t, 13>;
Size sizeOf(const corpus::Program &program);

/// One step from a program.
struct Step {
  /// Whether the bug shows again is all there is to ask about a step that takes
  /// something away. One that writes the same thing in a plainer way could walk
  /// into another bug of the pass, so the pass must also make the same of it.
  enum class Kind : std::uint8_t { takesAway, rewrites };
  Kind kind = Kind::takesAway;
  corpus::Program program;
  /// Of a rewritten opcode: what may stand in the target for the first of them.
  std::pair<corpus::Opcode, corpus::Opcode> opcodes = {};
};

enum class Arguments : std::uint8_t {
  renumbered, ///< by first use, without those that nothing uses
  kept,       ///< new ones come behind
};

/// The programs that are one step smaller, the smallest first: control flow
/// simplified (reports/triage/flow.h), an intermediate value returned, an
/// instruction or an operand replaced by a new argument, an instruction by a
/// constant or bypassed, a flag or an attribute dropped, a constant or a mask
/// made simpler, lanes dropped; and rewritten: an opcode or a predicate
/// replaced by one that stands before it in its table, an instruction by a
/// plainer one that computes the same, integers narrowed. Each satisfies
/// verify().
std::vector<Step> reductions(const corpus::Program &program,
                             Arguments arguments = Arguments::renumbered);

class Reducer {
public:
  /// A program that shows the bug, with what was made of it, where it is a
  /// program.
  struct Shown {
    std::optional<corpus::Program> target;
  };
  /// result[i]: whether programs[i] shows the bug.
  using Shows = std::function<std::vector<std::optional<Shown>>(
      std::span<const corpus::Program>)>;
  explicit Reducer(Shows shows) : shows_(std::move(shows)) {}

  /// A program that shows the bug although no step from it does; nothing if
  /// `program` does not show it. Remembers every program on the way, so that
  /// the thousand findings of one bug cost little more than one.
  std::optional<corpus::Program> reduce(const corpus::Program &program);

private:
  std::optional<std::size_t> takeStep(const corpus::Program &current,
                                      const std::vector<Step> &steps,
                                      std::optional<Shown> &shown) const;

  Shows shows_;
  std::map<corpus::Bytes, corpus::Program> reduced_;
};

} // namespace reports
