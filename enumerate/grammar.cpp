// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/grammar.h"

#include "enumerate/subsets.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace enumerate {

using corpus::Type;
using Kind = Decision::Kind;
using Stage = GrammarState::Stage;

namespace {

/// Each list of so many of `bytes`, which are ascending, once.
std::vector<std::vector<unsigned>> arrange(const std::vector<unsigned> &bytes,
                                           unsigned count) {
  std::vector<std::vector<unsigned>> lists;
  std::vector<bool> taken(bytes.size());
  std::vector<unsigned> list;
  const auto extend = [&](const auto &self) -> void {
    if (list.size() == count) {
      lists.push_back(list);
      return;
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      // Of equal ones the first that is left.
      if (taken[i] || (i > 0 && bytes[i] == bytes[i - 1] && !taken[i - 1]))
        continue;
      taken[i] = true;
      list.push_back(bytes[i]);
      self(self);
      list.pop_back();
      taken[i] = false;
    }
  };
  extend(extend);
  return lists;
}

bool takesValue(Exit::Kind kind) {
  return kind != Exit::Kind::jump && kind != Exit::Kind::unreachable;
}

/// Each set of those attributes that go together.
std::vector<corpus::Attributes>
attributeSets(const std::vector<std::uint32_t> &bits, unsigned window) {
  std::vector<corpus::Attributes> sets;
  for (unsigned set = 0; set < 1U << bits.size(); ++set) {
    corpus::Attributes attributes;
    for (std::size_t i = 0; i < bits.size(); ++i)
      if ((set >> i & 1U) != 0)
        addPointerAttribute(attributes, bits[i], window);
    if (canStandTogether(attributes))
      sets.push_back(std::move(attributes));
  }
  return sets;
}

} // namespace

Grammar::Grammar(const SpaceSpec &spec, const Vocabulary &vocabulary)
    : spec_(spec), arithmetic_(vocabulary.typeOf(spec.width)),
      types_(vocabulary.types()), groups_(makeTemplateGroups(vocabulary)),
      cfgs_(makeCfgs(spec.cfgRules()).value()) {
  assert(groups_.size() <= std::numeric_limits<std::uint8_t>::max());
  assert(cfgs_.size() <= std::numeric_limits<std::uint16_t>::max());
  const bool hasMemory = vocabulary.memory.has_value();
  for (const Type type : types_)
    constants_.emplace_back(!type.isPointer()         ? spec.constants
                            : vocabulary.memory->null ? Constants::all
                                                      : Constants::none,
                            type);
  for (unsigned i = 0; i <= spec.memory.allocations.size(); ++i)
    frames_.push_back(arrange(spec.memory.allocations, i));
  if (hasMemory && vocabulary.memory->aligned)
    leastAlignment_ = 2;
  if (hasMemory)
    pointerAttributes_ =
        attributeSets(vocabulary.memory->attributes, spec.memory.window);
  // With memory, what an instruction makes.
  for (const Type type : types_) {
    const bool isMade = std::any_of(
        groups_.begin(), groups_.end(), [&](const TemplateGroup &group) {
          return std::find(group.results.begin(), group.results.end(), type) !=
                 group.results.end();
        });
    if (!hasMemory ||
        (type.isPointer() ? vocabulary.memory->has(corpus::Opcode::ret)
                          : isMade))
      returned_.push_back(type);
  }
}

GrammarState Grammar::start() const {
  GrammarState state;
  if (!spec_.hasBranches())
    state.stage = spec_.memory.empty() ? Stage::block : Stage::frame;
  return state;
}

void Grammar::expand(const GrammarState &state,
                     std::vector<Move> &moves) const {
  switch (state.stage) {
  case Stage::cfg:
    return expandCfg(state, moves);
  case Stage::frame:
    return expandFrame(state, moves);
  case Stage::block:
    return expandBlock(state, moves);
  case Stage::operand:
    return expandOperand(state, moves);
  case Stage::exit:
    return expandExit(state, moves);
  case Stage::cases:
    return expandCases(state, moves);
  case Stage::phi:
    return expandPhi(state, moves);
  case Stage::stuck:
    return;
  case Stage::complete:
    break;
  }
  assert(false && "nothing to decide");
}

void Grammar::keyOf(const GrammarState &state, corpus::Bytes &key) const {
  key.assign({static_cast<std::uint8_t>(state.stage), state.phisOver,
              state.instructions, state.group, state.operand, state.allLiteral,
              state.exitType, state.returns, state.returnType, state.firstKind,
              state.firstIndex, state.allSame, state.argumentCount,
              state.valueCount, state.allocations, state.allocationsUsed});
  key.insert(key.end(), state.arguments.begin(),
             state.arguments.begin() + state.argumentCount);
  for (unsigned i = 0; i < state.valueCount; ++i) {
    key.push_back(state.values[i]);
    key.push_back(
        static_cast<std::uint8_t>(state.unused[i] + 2 * state.phis[i]));
  }
  if (state.stage == Stage::complete || state.stage == Stage::stuck ||
      state.stage == Stage::cfg)
    return;
  if (state.stage != Stage::phi)
    addExits(state, key);
  if (state.stage == Stage::operand && groups_[state.group].isPhi)
    addIncoming(state, state.block, key);
  for (unsigned i = state.stage == Stage::phi ? state.group : 0;
       i < state.valueCount; ++i)
    if (state.phis[i] != GrammarState::noPhi)
      addIncoming(state, state.valueBlocks[i], key);
}

/// How the block and those behind it end, and what can be used there.
void Grammar::addExits(const GrammarState &state, corpus::Bytes &key) const {
  const Cfg &cfg = cfgs_[state.cfg];
  const bool mayGrow = state.instructions < spec_.instructions;
  for (unsigned block = state.block; block < cfg.size(); ++block) {
    key.push_back(static_cast<std::uint8_t>(cfg.exits[block].kind));
    key.push_back(static_cast<std::uint8_t>(cfg.exits[block].targets.size()));
    addVisible(state, block, key);
    if (mayGrow && cfg.incoming[block].size() >= 2)
      addIncoming(state, block, key);
  }
}

/// What phis of `block` can take from each predecessor.
void Grammar::addIncoming(const GrammarState &state, unsigned block,
                          corpus::Bytes &key) const {
  const auto &incoming = cfgs_[state.cfg].incoming[block];
  key.push_back(static_cast<std::uint8_t>(incoming.size()));
  for (const Cfg::Incoming &from : incoming)
    addVisible(state, from.block, key);
}

/// Which results are available at the end of `block`: those there are, and
/// those that blocks still to be filled may make.
void Grammar::addVisible(const GrammarState &state, unsigned block,
                         corpus::Bytes &key) const {
  const Cfg &cfg = cfgs_[state.cfg];
  std::uint32_t visible = 0;
  for (unsigned i = 0; i < state.valueCount; ++i)
    visible |= cfg.dominates(state.valueBlocks[i], block) ? 1U << i : 0;
  key.push_back(static_cast<std::uint8_t>(visible));
  key.push_back(static_cast<std::uint8_t>(visible >> 8));
  if (state.instructions < spec_.instructions || state.stage == Stage::operand)
    key.push_back(
        static_cast<std::uint8_t>(cfg.dominators[block] >> state.block));
}

/// Whether each unused result is available to something that is not decided
/// yet.
bool Grammar::canUseAll(const GrammarState &state) const {
  const Cfg &cfg = cfgs_[state.cfg];
  const bool mayGrow = state.instructions < spec_.instructions;
  for (unsigned i = 0; i < state.valueCount; ++i) {
    if (state.unused[i] == 0)
      continue;
    const unsigned home = state.valueBlocks[i];
    bool isUsable = false;
    const auto reachesPhi = [&](unsigned block) {
      for (const Cfg::Incoming &from : cfg.incoming[block])
        isUsable |= cfg.dominates(home, from.block);
    };
    for (unsigned block = state.block; block < cfg.size(); ++block) {
      isUsable |= cfg.dominates(home, block) &&
                  (mayGrow || takesValue(cfg.exits[block].kind));
      if (mayGrow && cfg.incoming[block].size() >= 2)
        reachesPhi(block);
    }
    for (unsigned j = 0; j < state.valueCount; ++j)
      if (state.phis[j] != GrammarState::noPhi)
        reachesPhi(state.valueBlocks[j]);
    if (!isUsable)
      return false;
  }
  return true;
}

void Grammar::expandCfg(const GrammarState &state,
                        std::vector<Move> &moves) const {
  for (std::size_t i = 0; i < cfgs_.size(); ++i) {
    GrammarState next = state;
    next.cfg = static_cast<std::uint16_t>(i);
    next.stage = spec_.memory.empty() ? Stage::block : Stage::frame;
    moves.push_back({{Kind::cfg, next.cfg, Type()}, next});
  }
}

void Grammar::expandFrame(const GrammarState &state,
                          std::vector<Move> &moves) const {
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    GrammarState next = state;
    next.allocations = static_cast<std::uint8_t>(i);
    next.stage = Stage::block;
    moves.push_back(
        {{Kind::frame, next.allocations, Type(), frames_[i].size()}, next});
  }
}

void Grammar::expandBlock(const GrammarState &state,
                          std::vector<Move> &moves) const {
  const bool mayHavePhis = cfgs_[state.cfg].incoming[state.block].size() >= 2;
  if (state.instructions < spec_.instructions)
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const TemplateGroup &group = groups_[i];
      if (group.isPhi && (!mayHavePhis || state.phisOver != 0))
        continue;
      if (group.isRecurrence && !cfgs_[state.cfg].isHeader(state.block))
        continue;
      GrammarState next = state;
      next.stage = Stage::operand;
      next.group = static_cast<std::uint8_t>(i);
      next.allLiteral = group.isRecurrence ? 0 : 1;
      next.phisOver =
          mayHavePhis && (!group.isPhi || group.isRecurrence) ? 1 : 0;
      ++next.instructions;
      const Decision decision = {Kind::instruction, next.group, Type(),
                                 group.templates.size()};
      if (group.operands.empty())
        finishInstruction(next);
      moves.push_back({decision, next});
    }
  const bool isLastBlock = state.block + 1U == cfgs_[state.cfg].size();
  if (!isLastBlock || state.instructions == spec_.instructions)
    expandTerminator(state, moves);
}

void Grammar::expandTerminator(const GrammarState &state,
                               std::vector<Move> &moves) const {
  GrammarState next = state;
  next.phisOver = 0;
  const auto takeValue = [&](Type type) {
    next.stage = Stage::exit;
    next.exitType = numberOf(type);
    moves.push_back({{Kind::terminator, 0, type}, next});
  };
  const auto takeNothing = [&] {
    finishBlock(next);
    moves.push_back({{Kind::terminator, 0, Type()}, next});
  };
  switch (cfgs_[state.cfg].exits[state.block].kind) {
  case Exit::Kind::ret:
    next.returns = 1;
    if ((spec_.calls.any || !spec_.memory.empty()) &&
        (state.returns == 0 || state.returnType == 0)) {
      takeNothing();
      next = state;
      next.phisOver = 0;
      next.returns = 1;
    }
    for (const Type type : returned_)
      if (state.returns == 0 || state.returnType == numberOf(type)) {
        next.returnType = numberOf(type);
        takeValue(type);
      }
    return;
  case Exit::Kind::jump:
  case Exit::Kind::unreachable:
    return takeNothing();
  case Exit::Kind::branch:
    return takeValue(Type::integer(1));
  case Exit::Kind::switch_:
    for (const Type type : types_)
      if (!type.isPointer())
        takeValue(type);
    return;
  }
}

template <typename After>
void Grammar::expandVariables(const GrammarState &state, Type type,
                              unsigned block, const After &after,
                              std::vector<Move> &moves) const {
  const std::uint8_t number = numberOf(type);
  for (std::uint8_t i = 0; i < state.argumentCount; ++i) {
    if (state.arguments[i] != number)
      continue;
    GrammarState next = state;
    after(next, Kind::argument, i);
    moves.push_back({{Kind::argument, i, type}, next});
  }
  if (mayAddArgument(state, type)) {
    GrammarState next = state;
    next.arguments[next.argumentCount++] = number;
    after(next, Kind::argument, state.argumentCount);
    moves.push_back({{Kind::newArgument, state.argumentCount, type,
                      type.isPointer() ? pointerAttributes_.size() : 1},
                     next});
  }
  for (std::uint8_t i = 0; i < state.valueCount; ++i) {
    if (state.values[i] != number ||
        !cfgs_[state.cfg].dominates(state.valueBlocks[i], block))
      continue;
    GrammarState next = state;
    next.unused[i] = 0;
    if (i > 0 && state.phis[i - 1U] == GrammarState::recurrence)
      next.unused[i - 1U] = 0;
    after(next, Kind::value, i);
    moves.push_back({{Kind::value, i, type}, next});
  }
  if (type.isPointer())
    expandAllocations(state, after, moves);
}

template <typename After>
void Grammar::expandAllocations(const GrammarState &state, const After &after,
                                std::vector<Move> &moves) const {
  const unsigned last =
      std::min<unsigned>(state.allocationsUsed + 1U, state.allocations);
  for (std::uint8_t i = 0; i < last; ++i) {
    GrammarState next = state;
    next.allocationsUsed = std::max<std::uint8_t>(next.allocationsUsed, i + 1U);
    after(next, Kind::allocation, i);
    moves.push_back({{Kind::allocation, i, Type::pointer()}, next});
  }
}

bool Grammar::mayAddArgument(const GrammarState &state, Type type) const {
  const auto *end = state.arguments.begin() + state.argumentCount;
  const auto pointers =
      spec_.memory.empty()
          ? 0
          : std::count(state.arguments.begin(), end, numberOf(Type::pointer()));
  return type.isPointer() ? pointers < spec_.memory.pointers
                          : state.argumentCount - pointers < spec_.arguments;
}

void Grammar::expandOperand(const GrammarState &state,
                            std::vector<Move> &moves) const {
  const TemplateGroup &group = groups_[state.group];
  const Type type = group.operands[state.operand];
  const auto finish = [&](GrammarState &next, Kind, std::uint8_t) {
    finishOperand(next, false);
  };
  if (type.isPointer() && group.pointers == Pointers::allocation)
    return expandAllocations(state, finish, moves);
  if (type.isPointer() && group.pointers == Pointers::accessed)
    return expandVariables(state, type, state.block, finish, moves);

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
  expandVariables(state, type, state.block, finish, moves);
}

void Grammar::finishOperand(GrammarState &state, bool isLiteral) const {
  ++state.operand;
  if (!isLiteral)
    state.allLiteral = 0;
  if (state.operand == groups_[state.group].operands.size())
    finishInstruction(state);
}

void Grammar::finishInstruction(GrammarState &state) const {
  const TemplateGroup &group = groups_[state.group];
  const std::uint8_t first = state.valueCount;
  for (Type result : group.results) {
    const std::uint8_t value = state.valueCount++;
    state.values[value] = numberOf(result);
    state.valueBlocks[value] = state.block;
    state.phis[value] = GrammarState::noPhi;
    state.unused[value] = 1;
  }
  if (group.isRecurrence) {
    state.phis[first] = GrammarState::recurrence;
    state.unused[first + 1U] = 0;
  } else if (group.isPhi) {
    state.phis[first] = GrammarState::phi;
  }
  state.stage = Stage::block;
  state.group = 0;
  state.operand = 0;
  state.allLiteral = 0;
}

void Grammar::expandExit(const GrammarState &state,
                         std::vector<Move> &moves) const {
  const Type type = types_[state.exitType - 1U];
  const Exit::Kind kind = cfgs_[state.cfg].exits[state.block].kind;
  const auto finish = [&](GrammarState &next, Kind, std::uint8_t) {
    if (kind == Exit::Kind::switch_)
      next.stage = Stage::cases;
    else
      finishBlock(next);
  };
  if (kind == Exit::Kind::ret) {
    GrammarState next = state;
    finish(next, Kind::constant, 0);
    moves.push_back({{Kind::constant, 0, type, constants(type).size()}, next});
    if (spec_.undef)
      moves.push_back({{Kind::undef, 0, type}, next});
    if (spec_.poison)
      moves.push_back({{Kind::poison, 0, type}, next});
  }
  expandVariables(state, type, state.block, finish, moves);
}

void Grammar::expandCases(const GrammarState &state,
                          std::vector<Move> &moves) const {
  const Type type = types_[state.exitType - 1U];
  const auto cases = static_cast<std::uint16_t>(
      cfgs_[state.cfg].exits[state.block].targets.size() - 1);
  const std::uint64_t choices =
      subsets(constants(type).size(), cases).value_or(Decision::tooMany);
  GrammarState next = state;
  finishBlock(next);
  moves.push_back({{Kind::cases, cases, type, choices}, next});
}

/// Goes on to the next block, or to the operands of the phis.
void Grammar::finishBlock(GrammarState &state) const {
  state.exitType = 0;
  if (state.block + 1U < cfgs_[state.cfg].size()) {
    ++state.block;
    state.stage = Stage::block;
    if (!canUseAll(state)) {
      state = GrammarState();
      state.stage = Stage::stuck;
    }
  } else {
    beginPhi(state, 0);
  }
}

/// Goes on to the first phi among the values behind `from`, or ends.
void Grammar::beginPhi(GrammarState &state, unsigned from) const {
  const auto *phi = std::find_if(
      state.phis.begin() + from, state.phis.end(),
      [](std::uint8_t kind) { return kind != GrammarState::noPhi; });
  state.operand = 0;
  state.firstKind = 0;
  state.firstIndex = 0;
  state.allSame = 1;
  if (phi != state.phis.end()) {
    state.stage = Stage::phi;
    state.group = static_cast<std::uint8_t>(phi - state.phis.begin());
    return;
  }
  const bool allUsed = std::find(state.unused.begin(), state.unused.end(), 1) ==
                           state.unused.end() &&
                       state.allocationsUsed == state.allocations;
  state = GrammarState();
  state.stage = allUsed ? Stage::complete : Stage::stuck;
}

void Grammar::expandPhi(const GrammarState &state,
                        std::vector<Move> &moves) const {
  const Type type = types_[state.values[state.group] - 1U];
  const auto &incoming =
      cfgs_[state.cfg].incoming[state.valueBlocks[state.group]];
  const bool isLast = state.operand + 1U == incoming.size();
  if (state.phis[state.group] == GrammarState::recurrence &&
      cfgs_[state.cfg].dominates(state.valueBlocks[state.group],
                                 incoming[state.operand].block)) {
    const auto step = static_cast<std::uint8_t>(state.group + 1);
    GrammarState next = state;
    finishPhiOperand(next, Kind::value, step);
    moves.push_back({{Kind::value, step, type}, next});
    return;
  }
  const auto isSame = [&](Kind kind, std::uint8_t index) {
    return state.operand != 0 && state.allSame != 0 &&
           state.firstKind == static_cast<std::uint8_t>(kind) &&
           state.firstIndex == index;
  };
  const auto add = [&](const Decision &decision, Kind kind,
                       std::uint8_t index) {
    if (isLast && isSame(kind, index))
      return;
    GrammarState next = state;
    finishPhiOperand(next, kind, index);
    moves.push_back({decision, next});
  };

  const std::uint64_t size = constants(type).size();
  if (isSame(Kind::constant, 0)) {
    add({Kind::sameConstant, 0, type}, Kind::constant, 0);
    // A kind that no operand has: differs from the first.
    add({Kind::otherConstant, 0, type, size - 1}, Kind::otherConstant, 0);
  } else {
    add({Kind::constant, 0, type, size}, Kind::constant, 0);
  }
  if (spec_.undef)
    add({Kind::undef, 0, type}, Kind::undef, 0);
  if (spec_.poison)
    add({Kind::poison, 0, type}, Kind::poison, 0);

  std::vector<Move> variables;
  expandVariables(
      state, type, incoming[state.operand].block,
      [&](GrammarState &next, Kind kind, std::uint8_t index) {
        finishPhiOperand(next, kind, index);
      },
      variables);
  for (const Move &move : variables) {
    const Kind kind = move.decision.kind == Kind::newArgument
                          ? Kind::argument
                          : move.decision.kind;
    if (!isLast ||
        !isSame(kind, static_cast<std::uint8_t>(move.decision.index)))
      moves.push_back(move);
  }
}

void Grammar::finishPhiOperand(GrammarState &state, Kind kind,
                               std::uint8_t index) const {
  const auto code = static_cast<std::uint8_t>(kind);
  if (state.operand == 0) {
    state.firstKind = code;
    state.firstIndex = index;
  } else if (state.firstKind != code || state.firstIndex != index) {
    state.allSame = 0;
    state.firstKind = 0;
    state.firstIndex = 0;
  }
  ++state.operand;
  const auto &incoming =
      cfgs_[state.cfg].incoming[state.valueBlocks[state.group]];
  if (state.operand == incoming.size())
    beginPhi(state, state.group + 1U);
}

} // namespace enumerate
