// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Program as a path of decisions: the template of the first instruction, its
// operands left to right, the template of the second, ..., the returned value.
// The grammar says which decisions are open in which state. A state remembers
// only what later decisions depend on, so there are few states however many
// programs there are.
//
// Invariant: a state that may follow a decision is the same for every choice
// of that decision, so a decision counts as `choices` programs times those of
// its successor. Immutable after construction, may be shared by threads.
#pragma once

#include "enumerate/spec.h"

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace enumerate {

/// One class of interchangeable choices.
struct Decision {
  enum class Kind : std::uint8_t {
    instruction, ///< index: template group; choice: template in it
    constant,    ///< choice: position in the ConstantSet
    undef,
    poison,
    argument,    ///< index: an argument used before
    newArgument, ///< the next argument
    value,       ///< index: a result, in the order of definition
    returnValue, ///< index: a result
  };
  Kind kind;
  std::uint8_t index = 0;
  corpus::Type type;
  std::uint64_t choices = 1;
};

/// Only bytes, so that it can be compared and hashed as such.
struct GrammarState {
  static constexpr std::uint8_t noGroup = 255;
  static constexpr unsigned maximumValues = 2 * SpaceSpec::maximumInstructions;

  std::uint8_t complete = 0;
  std::uint8_t instructions = 0; ///< finished ones
  std::uint8_t group = noGroup;  ///< of the instruction in progress
  std::uint8_t operand = 0;      ///< next operand of it
  std::uint8_t allLiteral = 0;   ///< its operands so far are literals
  std::uint8_t argumentCount = 0;
  std::uint8_t valueCount = 0;
  std::array<std::uint8_t, SpaceSpec::maximumArguments> arguments{}; ///< widths
  std::array<std::uint8_t, maximumValues> values{};                  ///< widths
  std::array<std::uint8_t, maximumValues> unused{}; ///< 1: must still be used

  friend bool operator==(const GrammarState &, const GrammarState &) = default;
};
static_assert(std::has_unique_object_representations_v<GrammarState>);

class Grammar {
public:
  struct Move {
    Decision decision;
    GrammarState next;
  };

  /// `vocabulary` is the spec's, or less.
  Grammar(const SpaceSpec &spec, const Vocabulary &vocabulary);

  GrammarState start() const { return {}; }
  /// Appends the decisions open in `state`, in rank order. Some may lead
  /// nowhere. Requires !state.complete.
  void expand(const GrammarState &state, std::vector<Move> &moves) const;

  const std::vector<TemplateGroup> &groups() const { return groups_; }
  const ConstantSet &constants(corpus::Type type) const {
    return constants_[type.width()];
  }

private:
  void expandOperand(const GrammarState &state, std::vector<Move> &moves) const;
  void expandInstruction(const GrammarState &state,
                         std::vector<Move> &moves) const;
  void expandReturn(const GrammarState &state, std::vector<Move> &moves) const;
  void finishOperand(GrammarState &state, bool literal) const;

  SpaceSpec spec_;
  std::vector<TemplateGroup> groups_;
  std::vector<ConstantSet> constants_; ///< by width
};

} // namespace enumerate
