// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same function over integers of another width. What must be i1 (results of
// comparisons, conditions) stays i1, and so does what is joined to it; of the
// rest, the widest type is exchanged.
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

} // namespace corpus
