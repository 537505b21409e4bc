// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which members of a space stand for others. Two functions are symmetric when
// the rules turn one into the other; the representative is the least of them in
// the order that this file defines, which prefers results to arguments to
// constants on the left as LLVM does. Ranks do not depend on it.
//
// LLVM is not indifferent to operand order: a certificate says what was
// skipped.
#pragma once

#include "corpus/program/program.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enumerate {

/// A set of rules, one bit each (symmetryRules names them).
class Symmetry {
public:
  constexpr Symmetry() = default;
  explicit constexpr Symmetry(unsigned bits) : bits_(bits) {}
  constexpr bool has(Symmetry rule) const {
    return (bits_ & rule.bits_) == rule.bits_;
  }
  constexpr bool empty() const { return bits_ == 0; }
  friend constexpr Symmetry operator|(Symmetry a, Symmetry b) {
    return Symmetry(a.bits_ | b.bits_);
  }
  friend constexpr bool operator==(Symmetry, Symmetry) = default;

private:
  unsigned bits_ = 0;
};

namespace symmetry {
/// Only the numbering of arguments and allocas, which no space has twice.
inline constexpr Symmetry args(0);
inline constexpr Symmetry commute(1);
inline constexpr Symmetry mirror(2);
inline constexpr Symmetry reorder(4);
inline constexpr Symmetry full(7);
} // namespace symmetry

struct SymmetryRule {
  Symmetry rule;
  std::string_view name;
  std::string_view help;
};

inline constexpr std::array<SymmetryRule, 3> symmetryRules = {{
    {symmetry::commute, "commute",
     "the operands of a commutative instruction in the other order"},
    {symmetry::mirror, "mirror",
     "an icmp with its operands and its predicate swapped"},
    {symmetry::reorder, "reorder",
     "independent instructions of a block in another order; calls keep theirs, "
     "and so does what may be undefined with a call that may not return, and "
     "what writes memory with what accesses it, unless each has its own "
     "alloca"},
}};

/// `args`, `full`, or names of rules joined by +.
std::string toString(Symmetry symmetry);
std::optional<Symmetry> parseSymmetry(std::string_view text);

/// Decides quickly; keeps its memory. One for each thread.
class RepresentativeFilter {
public:
  explicit RepresentativeFilter(Symmetry rules) : rules_(rules) {}

  /// Whether `program`, which must satisfy verify(), is the least of all that
  /// the rules make of it, arguments and allocas renumbered by first use.
  bool isRepresentative(const corpus::Program &program);

private:
  /// Instructions that move together: one, or an overflow intrinsic with its
  /// extractvalues.
  struct Unit {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
    std::uint32_t section = 0;  ///< only units of one section change places
    std::uint64_t needs = 0;    ///< bit i: unit i stands before it
    std::uint32_t position = 0; ///< where it stands now
  };
  /// An operand as the order sees it.
  struct Key {
    std::uint8_t kind;
    std::uint32_t type;
    std::uint64_t payload;
    std::uint64_t carried; ///< what the argument or alloca is, beside a number
    // NOLINTNEXTLINE(modernize-use-nullptr): it compares a category with 0.
    friend auto operator<=>(const Key &, const Key &) = default;
  };

  void split();
  void findNeeds();
  bool hasSmaller(std::uint32_t position);
  bool hasSmallerPhis();
  int compare(std::uint32_t unit, bool swapped, std::uint32_t original);
  bool canSwap(const corpus::Instruction &instruction) const;
  Key keyOf(const corpus::Operand &operand);
  std::uint32_t numberOf(std::size_t leaf);
  void forgetArguments(std::size_t known);

  Symmetry rules_;
  const corpus::Program *program_ = nullptr;
  std::vector<Unit> units_;
  std::vector<std::uint32_t> unitOf_; ///< by instruction; of an alloca none
  std::uint64_t placed_ = 0;          ///< bit i: unit i
  std::vector<std::uint32_t> order_;  ///< unit by position
  /// By argument, and behind these by alloca: its number by first use in the
  /// variant being built.
  std::vector<std::uint32_t> argumentNumber_;
  std::vector<std::uint32_t> numbered_; ///< the same in order of their numbers
  std::vector<Key> own_;                ///< operands of the program itself
  std::size_t ownNext_ = 0;             ///< first of own_ not compared yet
};

} // namespace enumerate
