// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What instructions count of a space whose functions are counted by layout
// (layouts.h), by how many results of each type they may use. An operand has as
// many choices as there are literals, arguments, and results that it may use;
// the number of arguments is a variable (arguments.h), so a count is a value
// for each of its points. Numbers are modulo 2^128.
// Immutable after construction, may be shared by threads.
#pragma once

#include "corpus/program/rank.h"
#include "enumerate/arguments.h"
#include "enumerate/grammar.h"
#include "enumerate/spec.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace enumerate {

class LayoutTables {
public:
  using Rank = corpus::Rank;
  static constexpr std::size_t maximumPoints = 64;
  /// By point; those behind the last point are anything.
  using Numbers = std::array<Rank, maximumPoints>;

  /// Whether functions of the space can be counted so: integers, instructions
  /// with at most one result, none that stands for several, few arguments.
  static bool covers(const SpaceSpec &spec, const Grammar &grammar);

  /// Requires covers().
  LayoutTables(const SpaceSpec &spec, Grammar grammar);

  const SpaceSpec &spec() const { return spec_; }
  const Grammar &grammar() const { return grammar_; }
  const std::vector<corpus::Type> &types() const { return types_; }
  const ArgumentPoints &points() const { return points_; }
  /// From 0 on. Requires one of the types.
  std::uint8_t numberOf(corpus::Type type) const;
  /// Constants, undef and poison of a type.
  Rank literals(std::size_t type) const { return literals_[type]; }
  /// Of these, what not all operands of an instruction may be.
  Rank excludedLiterals(const TemplateGroup &group, std::size_t type) const;
  /// Whether there are phis of a type.
  bool hasPhi(std::size_t type) const { return hasPhi_[type]; }
  /// Whether the ways to choose as many operands as there may be blocks fit 64
  /// bits.
  bool areChoicesSmall() const { return areChoicesSmall_; }
  /// Sets of so many cases of a switch on that type.
  Rank caseSets(std::size_t type, unsigned cases) const;

  /// One instruction of a group, phis aside, where so many results are used.
  std::span<const Rank> ofGroup(std::size_t group,
                                const TypeCounts &usable) const {
    return span(groups_, group * usable_.size() + indexOf(usable));
  }
  /// All sequences of so many instructions, phis aside, in which each result
  /// is called usable or not and counts, if not, the other way round: of those
  /// that begin where `usable` are and make `more` usable.
  std::span<const Rank> ofRun(std::size_t instructions,
                              const TypeCounts &usable,
                              const TypeCounts &more) const {
    return span(runs_, runIndex(instructions, indexOf(usable), indexOf(more)));
  }

private:
  std::size_t indexOf(const TypeCounts &counts) const;
  std::size_t runIndex(std::size_t instructions, std::size_t usable,
                       std::size_t more) const {
    return (instructions * usable_.size() + usable) * usable_.size() + more;
  }
  std::span<const Rank> span(const std::vector<Rank> &numbers,
                             std::size_t index) const {
    return {numbers.data() + index * points_.size(), points_.size()};
  }
  void countGroup(std::size_t group);
  void countRuns();

  SpaceSpec spec_;
  Grammar grammar_;
  std::vector<corpus::Type> types_;
  ArgumentPoints points_;
  std::vector<Rank> literals_;
  std::array<bool, SpaceSpec::maximumTypes> hasPhi_{};
  bool areChoicesSmall_ = true;
  std::vector<TypeCounts> usable_; ///< every number of results, ascending
  std::vector<std::uint16_t> indices_;
  std::vector<Rank> groups_; ///< by group, usable results, point
  std::vector<Rank> runs_;   ///< by length, usable results, more, point
};

} // namespace enumerate
