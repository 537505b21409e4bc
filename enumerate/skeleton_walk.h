// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The decisions that make the instructions of one layout, with how many
// functions are behind each, without a state for each: what operand_walk.h goes
// on with. Numbers of 64 bits do for a layout whose functions they can count,
// times the divisor of no arguments.
// Threads: a walk belongs to one.
#pragma once

#include "enumerate/few.h"
#include "enumerate/layout_sum.h"
#include "enumerate/layouts.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace enumerate {

/// A decision, and how many functions are behind each of its choices.
struct Option {
  Decision decision;
  corpus::Rank each = 0;
};

/// What is decided of a function but its operands.
struct Skeleton {
  struct Made {
    std::uint16_t group = 0;
    std::uint64_t index = 0; ///< of the template in it
  };
  struct End {
    corpus::Type type;       ///< of what it takes, or void
    std::uint64_t cases = 0; ///< which set of them, of a switch
  };
  Layout layout;
  std::vector<Made> instructions; ///< in program order
  std::vector<End> ends;          ///< by block
};

/// Decides the instructions of a layout in program order, then on which types
/// it switches. How many phis of each type a block begins with is one decision:
/// of many blocks in a graph with loops most functions have nothing else.
template <typename Number> class SkeletonWalk {
public:
  enum class Stage : std::uint8_t {
    phis, ///< of a block; an index of LayoutTables::counts() and their order
    instruction,
    cases, ///< of a switch: a type and a set
    complete,
  };

  /// Keeps references.
  SkeletonWalk(const LayoutTables &tables, const Layout &layout);

  /// Of the next decision.
  Stage stage() const { return stage_; }
  /// Instructions of the block, when some are not decided.
  std::size_t length() const { return layout_.lengths[block_]; }
  /// Of the graph, at the stage `cases`.
  std::size_t switchBlock() const { return switches_[switch_].block; }
  /// More options of it, nothing when there are no more.
  std::span<const Option> options();
  /// Requires one of these.
  void take(const Decision &decision);

private:
  using Numbers = LayoutTables::Numbers<Number>;

  /// Before so many other instructions of the block.
  void addPhis(unsigned others);
  void countPhis(std::span<const std::uint16_t> counts, unsigned others,
                 std::span<Number> sums);
  /// Where nothing is open but phis, each type counts by itself.
  bool isLastBlock() const;
  void countLastPhis(std::span<const std::uint16_t> counts,
                     std::span<Number> sums) const;
  /// Over all points, of a product by point with waysOf(type), which are by
  /// arguments of that type, if there are any.
  template <typename WaysOf>
  Number sumOf(const Number *product, const WaysOf &waysOf) const;
  void addInstructions();
  void addCases();
  void takePhis(const TypeCounts &phis);
  void takeInstruction(std::uint16_t index);
  void enterBlock();
  /// Two that have the same usable results become one.
  void addBranch(const ByBlock &usable, const Numbers &product);
  const Number *productOf(std::size_t branch) const {
    return &products_[branch * points_];
  }
  /// Adds what is behind other instructions than phis.
  void addBehind(std::size_t branch);
  /// In `behind_`, where so much is seen.
  Number *behind(const TypeCounts &seen);
  /// Where in `rests_` everything is that is open, when these are usable.
  std::size_t rest(const ByBlock &usable);
  void countEnds();
  void multiplyByEnds(Numbers &product) const;
  /// Multiplies what ends count by ways(combination, results, arguments).
  template <typename Ways> void addToEnds(std::size_t type, const Ways &ways);
  void add(const Decision &decision, Number sum);
  /// Results that are usable in the next instruction.
  TypeCounts seenHere(const ByBlock &usable) const;

  const LayoutTables &tables_;
  const Layout &layout_;
  const std::size_t points_;
  const std::size_t types_;
  const Shape shape_;
  LayoutSum<Number> sum_;
  Stage stage_ = Stage::instruction;
  std::size_t block_ = 0; ///< of the shape
  unsigned asked_ = 0;    ///< how often for options of the next decision
  Decided decided_;
  /// Whether each result is usable, and what the decided instructions count
  /// then, by point, as terms of functions.
  std::vector<ByBlock> branches_;
  std::vector<Number> products_;
  /// Of the next instruction.
  std::vector<TypeCounts> seen_; ///< by the next instruction
  /// What follows it when it is no phi: by what it sees; by the type of its
  /// result, last of one that has none; by point.
  std::vector<Number> behind_;
  std::vector<ByBlock> restsOf_;
  std::vector<Number> rests_;
  Few<Shape::End, SpaceSpec::maximumBlocks> switches_; ///< in their order
  std::size_t switch_ = 0;                             ///< the next to decide
  /// By type: what terminators and decided phis count that take it, by its
  /// combination, then by arguments.
  std::array<std::vector<Number>, SpaceSpec::maximumTypes> ends_;
  std::vector<Option> options_;
};

} // namespace enumerate
