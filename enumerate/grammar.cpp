// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/grammar.h"

#include <algorithm>
#include <cassert>

namespace enumerate {

using corpus::Type;
using Kind = Decision::Kind;

Grammar::Grammar(const SpaceSpec &spec, const Vocabulary &vocabulary)
    : spec_(spec), groups_(makeTemplateGroups(vocabulary)) {
  assert(groups_.size() < GrammarState::noGroup);
  constants_.assign(Type::maximumWidth + 1, ConstantSet(Constants::none, 1));
  for (unsigned width : vocabulary.widths)
    constants_[width] = ConstantSet(spec.constants, width);
}

void Grammar::expand(const GrammarState &state,
                     std::vector<Move> &moves) const {
  assert(!state.complete);
  if (state.group != GrammarState::noGroup)
    expandOperand(state, moves);
  else if (state.instructions < spec_.instructions)
    expandInstruction(state, moves);
  else
    expandReturn(state, moves);
}

void Grammar::expandInstruction(const GrammarState &state,
                                std::vector<Move> &moves) const {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    GrammarState next = state;
    next.group = static_cast<std::uint8_t>(i);
    next.operand = 0;
    next.allLiteral = 1;
    moves.push_back(
        {{Kind::instruction, next.group, Type(), groups_[i].templates.size()},
         next});
  }
}

void Grammar::expandOperand(const GrammarState &state,
                            std::vector<Move> &moves) const {
  const TemplateGroup &group = groups_[state.group];
  const Type type = group.operands[state.operand];
  const auto width = static_cast<std::uint8_t>(type.width());

  const bool isLast = state.operand + 1U == group.operands.size();
  GrammarState afterLiteral = state;
  finishOperand(afterLiteral, true);
  if (!isLast || state.allLiteral == 0)
    moves.push_back(
        {{Kind::constant, 0, type, constants(type).size()}, afterLiteral});
  if (!isLast || state.allLiteral == 0 || group.isFreeze) {
    if (spec_.undef)
      moves.push_back({{Kind::undef, 0, type}, afterLiteral});
    if (spec_.poison)
      moves.push_back({{Kind::poison, 0, type}, afterLiteral});
  }
  for (std::uint8_t i = 0; i < state.argumentCount; ++i) {
    if (state.arguments[i] != width)
      continue;
    GrammarState next = state;
    finishOperand(next, false);
    moves.push_back({{Kind::argument, i, type}, next});
  }
  if (state.argumentCount < spec_.arguments) {
    GrammarState next = state;
    next.arguments[next.argumentCount++] = width;
    finishOperand(next, false);
    moves.push_back({{Kind::newArgument, state.argumentCount, type}, next});
  }
  for (std::uint8_t i = 0; i < state.valueCount; ++i) {
    if (state.values[i] != width)
      continue;
    GrammarState next = state;
    next.unused[i] = 0;
    finishOperand(next, false);
    moves.push_back({{Kind::value, i, type}, next});
  }
}

void Grammar::finishOperand(GrammarState &state, bool literal) const {
  const TemplateGroup &group = groups_[state.group];
  ++state.operand;
  if (!literal)
    state.allLiteral = 0;
  if (state.operand < group.operands.size())
    return;
  for (Type result : group.results) {
    state.values[state.valueCount] = static_cast<std::uint8_t>(result.width());
    state.unused[state.valueCount] = 1;
    ++state.valueCount;
  }
  ++state.instructions;
  state.group = GrammarState::noGroup;
  state.operand = 0;
  state.allLiteral = 0;
}

void Grammar::expandReturn(const GrammarState &state,
                           std::vector<Move> &moves) const {
  for (std::uint8_t i = 0; i < state.valueCount; ++i) {
    const auto unused = std::count(state.unused.begin(), state.unused.end(), 1);
    if (unused != 1 || state.unused[i] == 0)
      continue;
    GrammarState done;
    done.complete = 1;
    moves.push_back(
        {{Kind::returnValue, i, Type::integer(state.values[i])}, done});
  }
}

} // namespace enumerate
