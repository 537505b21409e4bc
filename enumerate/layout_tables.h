// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What instructions count of a space whose functions are counted by layout
// (layouts.h), by how many results of each type they may use. An operand has as
// many choices as there are literals, arguments, and results that it may use;
// the number of arguments is a variable (arguments.h), so a count is a value
// for each of its points. Numbers are a Rank or, which is several times faster,
// 64 bits wide: all sums are modulo 2^128 or 2^64, so either is right where the
// result fits.
// Immutable after construction, may be shared by threads.
#pragma once

#include "corpus/program/rank.h"
#include "enumerate/arguments.h"
#include "enumerate/grammar.h"
#include "enumerate/spec.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace enumerate {

class LayoutTables {
public:
  using Rank = corpus::Rank;
  static constexpr std::size_t maximumPoints = 64;
  /// Of an instruction; a phi has no more.
  static constexpr std::size_t maximumOperands = SpaceSpec::maximumBlocks;
  /// By point; those behind the last point are anything.
  template <typename Number> using Numbers = std::array<Number, maximumPoints>;

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
  /// Number of the type of a group's result; without one, that of types.
  std::size_t resultOf(std::size_t group) const { return results_[group]; }
  /// Constants, undef and poison of a type.
  Rank literals(std::size_t type) const { return literals_[type]; }
  /// Of these, what not all operands of an instruction may be.
  Rank excludedLiterals(const TemplateGroup &group, std::size_t type) const;
  /// Whether there are phis of a type.
  bool hasPhi(std::size_t type) const { return phiGroups_[type].has_value(); }
  /// Requires hasPhi().
  std::uint16_t phiGroup(std::size_t type) const { return *phiGroups_[type]; }
  /// How many results of each type there may be.
  const std::vector<TypeCounts> &counts() const { return usable_; }
  /// Those, by number, that so many phis may have.
  std::span<const std::uint16_t> countsOfPhis(std::size_t phis) const {
    return countsOfPhis_[phis];
  }
  /// Whether the ways to choose as many operands as there may be blocks fit 64
  /// bits.
  bool areChoicesSmall() const { return areChoicesSmall_; }
  /// Sets of so many cases of a switch on that type.
  Rank caseSets(std::size_t type, unsigned cases) const;

  /// One instruction of a group, phis aside, where so many results are used.
  template <typename Number>
  std::span<const Number> ofGroup(std::size_t group,
                                  const TypeCounts &usable) const {
    return span(tables<Number>().groups,
                group * usable_.size() + indexOf(usable));
  }
  /// All sequences of so many instructions, phis aside, in which each result
  /// is called usable or not and counts, if not, the other way round: of those
  /// that begin where `usable` are and make `more` usable.
  template <typename Number>
  std::span<const Number> ofRun(std::size_t instructions,
                                const TypeCounts &usable,
                                const TypeCounts &more) const {
    return ofRun<Number>(instructions, positionOf(usable), positionOf(more));
  }
  template <typename Number>
  std::span<const Number> ofRun(std::size_t instructions, std::size_t usable,
                                std::size_t more) const {
    return span(tables<Number>().runs,
                runIndex(instructions, indices_[usable], indices_[more]));
  }
  /// Of counts; that of a sum is the sum.
  std::size_t positionOf(const TypeCounts &counts) const {
    std::size_t position = 0;
    for (std::size_t t = 0; t < types_.size(); ++t)
      position = position * (spec_.instructions + 1U) + counts[t];
    return position;
  }
  /// Some of a number of results that may be phis.
  struct PhiPart {
    TypeCounts phis{};
    std::uint8_t size = 0; ///< their sum
    std::uint64_t orders = 0;
    std::size_t position = 0;
  };
  std::span<const PhiPart> phiParts(const TypeCounts &results) const {
    return phiParts_[indexOf(results)];
  }

private:
  template <typename Number> struct Tables {
    std::vector<Number> groups; ///< by group, usable results, point
    std::vector<Number> runs;   ///< by length, usable results, more, point
  };
  template <typename Number> const Tables<Number> &tables() const {
    if constexpr (std::is_same_v<Number, Rank>)
      return wide_;
    else
      return narrow_;
  }
  std::size_t indexOf(const TypeCounts &counts) const {
    return indices_[positionOf(counts)];
  }
  std::size_t runIndex(std::size_t instructions, std::size_t usable,
                       std::size_t more) const {
    return (instructions * usable_.size() + usable) * usable_.size() + more;
  }
  template <typename Number>
  std::span<const Number> span(const std::vector<Number> &numbers,
                               std::size_t index) const {
    return {numbers.data() + index * points_.size(), points_.size()};
  }
  void countPhiParts();
  void countGroup(std::size_t group);
  void countRuns();

  SpaceSpec spec_;
  Grammar grammar_;
  std::vector<corpus::Type> types_;
  ArgumentPoints points_;
  std::vector<Rank> literals_;
  std::vector<std::size_t> results_; ///< by group
  std::array<std::optional<std::uint16_t>, SpaceSpec::maximumTypes>
      phiGroups_{};
  bool areChoicesSmall_ = true;
  std::vector<TypeCounts> usable_; ///< every number of results, ascending
  std::vector<std::vector<std::uint16_t>> countsOfPhis_;
  std::vector<std::vector<PhiPart>> phiParts_;
  std::vector<std::uint16_t> indices_;
  Tables<Rank> wide_;
  Tables<std::uint64_t> narrow_;
};

} // namespace enumerate
