// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes of a wrong target that may make it right, the smallest first. Each is
// named by instruction, so that it can be tried on the same target at other
// widths.
// Threads: pure functions.
#pragma once

#include "corpus/program/program.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace reports {

struct Edit {
  enum class Kind : std::uint8_t {
    flag,
    attributes,
    alignment,
    freeze,
    logical
  };
  Kind kind = Kind::flag;      ///< of two edits at a time: of the first
  std::size_t instruction = 0; ///< of flag, alignment and logical: where
  corpus::Flags flag;          ///< of flag
  corpus::Operand value;       ///< of freeze
  std::string text;            ///< "drop nsw of %v1"
  /// Nothing for a program that has no such place.
  std::function<std::optional<corpus::Program>(const corpus::Program &)> apply;
  std::uint32_t attribute = 0; ///< of attributes: which; 0: all
};

/// A flag dropped, an attribute dropped wherever it is, the alignment of an
/// access lowered, a value frozen, `and` and `or` of i1 made a select; all
/// attributes, all alignments; then two of these at a time.
std::vector<Edit> repairsOf(const corpus::Program &target);

/// `value` frozen where it is defined, for all its uses. Requires an argument
/// or a result that is an integer.
std::optional<corpus::Program> withFrozen(const corpus::Program &program,
                                          const corpus::Operand &value);

} // namespace reports
