// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Program as a path of decisions: the control-flow graph, the allocas, then
// block by block the template of each instruction, its operands left to right,
// the terminator and its operands; operands of phis come behind everything
// else. Arguments and allocas are numbered by first use in this order. The
// grammar says which decisions are open in which state. A state remembers only
// what later decisions depend on, so there are few states however many programs
// there are.
//
// Invariant: the state that follows a decision is the same for every choice of
// that decision, so a decision counts as `choices` programs times those of its
// successor. Immutable after construction, may be shared by threads.
#pragma once

#include "corpus/program/encode.h"
#include "enumerate/cfg.h"
#include "enumerate/spec.h"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace enumerate {

/// One class of interchangeable choices.
struct Decision {
  enum class Kind : std::uint8_t {
    cfg,           ///< index: control-flow graph; only if there are blocks=
    frame,         ///< index: how many allocas; choice: which, in their order
    instruction,   ///< index: template group; choice: template in it
    terminator,    ///< type: of the value to return or to switch on, or void
    cases,         ///< index: how many; choice: which constants, ascending
    constant,      ///< choice: position in the ConstantSet
    sameConstant,  ///< of a phi: the constant that all earlier operands are
    otherConstant, ///< of a phi: any but the constant of the operand before
    undef,
    poison,
    argument,    ///< index: an argument used before
    newArgument, ///< the next argument; choice: attributes of a pointer
    value,       ///< index: a result, in the order of definition
    allocation,  ///< index: the result of an alloca
  };
  Kind kind;
  std::uint16_t index = 0;
  corpus::Type type;
  std::uint64_t choices = 1;
  /// More than that: such a space cannot be counted.
  static constexpr std::uint64_t tooMany =
      std::numeric_limits<std::uint64_t>::max();
};

struct GrammarState {
  static constexpr unsigned maximumValues = 2 * SpaceSpec::maximumInstructions;

  enum class Stage : std::uint8_t {
    cfg,
    frame,    ///< the allocas
    block,    ///< at the next instruction or the terminator
    operand,  ///< of the instruction of `group`
    exit,     ///< the value that the terminator takes
    cases,    ///< the constants of a switch
    phi,      ///< operands of the phi that is value `group`
    stuck,    ///< something is unused; everything else is zero
    complete, ///< everything else is zero
  };

  std::uint16_t cfg = 0;
  Stage stage = Stage::cfg;
  std::uint8_t block = 0;
  std::uint8_t phisOver = 0;     ///< the block has an instruction that is none
  std::uint8_t instructions = 0; ///< begun so far
  std::uint8_t group = 0;
  std::uint8_t operand = 0;    ///< next operand of it
  std::uint8_t allLiteral = 0; ///< its operands so far are literals
  std::uint8_t exitType = 0;   ///< of the value that the terminator takes
  std::uint8_t returns = 0;    ///< there has been a `ret`
  std::uint8_t returnType = 0; ///< types by their number, from 1 on
  /// Of the phi in progress: its first operand (a Decision::Kind and an index)
  /// and whether all have been the same.
  std::uint8_t firstKind = 0;
  std::uint8_t firstIndex = 0;
  std::uint8_t allSame = 0;
  std::uint8_t argumentCount = 0;
  std::uint8_t valueCount = 0;
  std::uint8_t allocations = 0;     ///< there are
  std::uint8_t allocationsUsed = 0; ///< the first so many
  std::array<std::uint8_t, SpaceSpec::maximumArguments> arguments{}; ///< types
  std::array<std::uint8_t, maximumValues> values{};                  ///< types
  std::array<std::uint8_t, maximumValues> valueBlocks{}; ///< where they are
  /// noPhi, phi, or recurrence: a phi whose step is the next value.
  std::array<std::uint8_t, maximumValues> phis{};
  /// 1: must still be used. Of a recurrence that is the phi, by something that
  /// takes it or its step.
  std::array<std::uint8_t, maximumValues> unused{};
  static constexpr std::uint8_t noPhi = 0;
  static constexpr std::uint8_t phi = 1;
  static constexpr std::uint8_t recurrence = 2;
};

class Grammar {
public:
  struct Move {
    Decision decision;
    GrammarState next;
  };

  /// `vocabulary` is the spec's, or less. Requires that makeCfgs() lists the
  /// graphs of the spec.
  Grammar(const SpaceSpec &spec, const Vocabulary &vocabulary);

  GrammarState start() const;
  /// Appends the decisions open in `state`, in rank order. Some may lead
  /// nowhere. Requires that the stage is not `complete`.
  void expand(const GrammarState &state, std::vector<Move> &moves) const;
  /// What later decisions depend on: states with equal keys have the same
  /// decisions before them, whatever graph they come from. Replaces `key`.
  void keyOf(const GrammarState &state, corpus::Bytes &key) const;

  const std::vector<TemplateGroup> &groups() const { return groups_; }
  const std::vector<Cfg> &cfgs() const { return cfgs_; }
  /// Whether what such an exit takes is frozen first.
  bool freezes(Exit::Kind exit) const {
    return spec_.frozen &&
           (exit == Exit::Kind::branch || exit == Exit::Kind::switch_);
  }
  /// Bytes of so many allocas, in every order that the space has.
  /// Of allocas, at least: what accesses may say, which is undefined elsewhere.
  std::uint32_t leastAlignment() const { return leastAlignment_; }
  const std::vector<std::vector<unsigned>> &frames(unsigned allocations) const {
    return frames_[allocations];
  }
  /// What a pointer argument may carry, nothing first.
  const std::vector<corpus::Attributes> &pointerAttributes() const {
    return pointerAttributes_;
  }
  corpus::Type arithmeticType() const { return arithmetic_; }
  const ConstantSet &constants(corpus::Type type) const {
    return constants_[numberOf(type) - 1];
  }

private:
  void expandCfg(const GrammarState &state, std::vector<Move> &moves) const;
  void expandFrame(const GrammarState &state, std::vector<Move> &moves) const;
  void expandBlock(const GrammarState &state, std::vector<Move> &moves) const;
  void expandTerminator(const GrammarState &state,
                        std::vector<Move> &moves) const;
  void expandOperand(const GrammarState &state, std::vector<Move> &moves) const;
  void expandExit(const GrammarState &state, std::vector<Move> &moves) const;
  void expandCases(const GrammarState &state, std::vector<Move> &moves) const;
  void expandPhi(const GrammarState &state, std::vector<Move> &moves) const;

  /// Arguments, and results that dominate the end of `block`, of one type.
  /// `after` finishes the operand in the state that knows about its use.
  template <typename After>
  void expandVariables(const GrammarState &state, corpus::Type type,
                       unsigned block, const After &after,
                       std::vector<Move> &moves) const;

  /// The allocas used so far, and the next one.
  template <typename After>
  void expandAllocations(const GrammarState &state, const After &after,
                         std::vector<Move> &moves) const;
  bool mayAddArgument(const GrammarState &state, corpus::Type type) const;

  void addExits(const GrammarState &state, corpus::Bytes &key) const;
  void addIncoming(const GrammarState &state, unsigned block,
                   corpus::Bytes &key) const;
  void addVisible(const GrammarState &state, unsigned block,
                  corpus::Bytes &key) const;
  bool canUseAll(const GrammarState &state) const;

  void finishOperand(GrammarState &state, bool isLiteral) const;
  void finishInstruction(GrammarState &state) const;
  void finishBlock(GrammarState &state) const;
  void beginPhi(GrammarState &state, unsigned from) const;
  void finishPhiOperand(GrammarState &state, Decision::Kind kind,
                        std::uint8_t index) const;

  /// From 1 on. Requires one of the types.
  std::uint8_t numberOf(corpus::Type type) const {
    std::uint8_t number = 1;
    while (types_[number - 1] != type)
      ++number;
    return number;
  }

  SpaceSpec spec_;
  corpus::Type arithmetic_;
  std::vector<corpus::Type> types_;
  std::vector<TemplateGroup> groups_;
  std::vector<Cfg> cfgs_;
  std::vector<ConstantSet> constants_; ///< by number of the type
  /// By number of allocas.
  std::vector<std::vector<std::vector<unsigned>>> frames_;
  std::uint32_t leastAlignment_ = 1;
  std::vector<corpus::Attributes> pointerAttributes_;
  std::vector<corpus::Type> returned_; ///< types that a ret may take
};

} // namespace enumerate
