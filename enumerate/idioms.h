// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Idioms: patterns of a few instructions that programs are full of and that
// passes look for. In a space with a vocabulary of them, such as `idioms`, each
// counts as one instruction, so that functions of three come together to the
// six or eight that a fold wants. Ranks of those spaces follow from the rows of
// their vocabularies (orderVersion in space.h).
// Immutable data, safe from any thread.
#pragma once

#include "corpus/program/program.h"
#include "corpus/program/type.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace enumerate {

/// Which vocabularies have an idiom; a set. Spaces of a smaller one come to an
/// end.
namespace family {
enum : std::uint8_t {
  idioms = 1,     ///< of all kinds
  conditions = 2, ///< comparisons, and what is made of their results
  masks = 4,      ///< bits by logic, sums and shifts
};
} // namespace family

struct IdiomInfo {
  std::string_view text; ///< as expression.h says
  std::string_view help;
  std::uint8_t families = family::idioms;
};
std::span<const IdiomInfo> idiomTable();

/// The same idiom of vectors with one of `holes`, undef or poison of a lane, in
/// one lane of one constant, each once.
std::vector<corpus::Program> withHoles(const corpus::Program &idiom,
                                       std::span<const corpus::Operand> holes);

} // namespace enumerate
