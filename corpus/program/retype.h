// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same function over integers of another width, or vectors of other lanes.
// What must be i1 (results of comparisons, conditions) stays i1, and so does
// what is joined to it; of the rest, the widest type is exchanged.
// Threads: pure functions.
#pragma once

#include "corpus/program/program.h"

#include <array>
#include <optional>

namespace corpus {

/// What becomes of a constant. 0, 1, -1, INT_MIN and INT_MAX stay what they are
/// unless the rule says otherwise; a constant that does not fit has no answer.
enum class ConstantRule : std::uint8_t {
  signedValue,   ///< keeps its signed value
  unsignedValue, ///< keeps its unsigned value
  fromWidth,     ///< a shift amount keeps its distance to the width
};
inline constexpr std::array<ConstantRule, 3> constantRules = {
    ConstantRule::signedValue, ConstantRule::unsignedValue,
    ConstantRule::fromWidth};

/// The width that can be exchanged; nothing where every integer must be i1.
std::optional<unsigned> mainWidth(const Program &program);

/// `program` with its main width replaced by `width`, which is 1 to 64; nothing
/// where that is no program, or its attributes name a range.
std::optional<Program> atWidth(const Program &program, unsigned width,
                               ConstantRule rule);

/// The most lanes of a vector that is an argument or a result; nothing where
/// there are no vectors.
std::optional<unsigned> mainLanes(const Program &program);

/// `program` with vectors of `lanes` lanes, 1 to 64, in the place of those of
/// its main lanes, and integers that such a vector is cast to as wide as it; an
/// index or an entry of a mask that is behind them counts from the end, and
/// constants repeat. Nothing where that is no program, or it accesses memory.
std::optional<Program> atLanes(const Program &program, unsigned lanes);

/// `program` on the lanes alone: what moves lanes is a copy. Nothing where that
/// has no meaning.
std::optional<Program> onScalars(const Program &program);

} // namespace corpus
