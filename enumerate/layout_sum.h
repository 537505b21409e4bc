// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many functions there are with instructions in given blocks of a graph,
// some of them decided: a sum of products over which results are usable.
//
// That every result is used follows by inclusion and exclusion: of each it is
// said whether it is usable or not, and a product with an odd number of results
// that are not is subtracted. So nothing matters of the instructions before a
// point but how many results of each type are usable, and what instructions of
// a block count together is a table. What phis and terminators count depends on
// the results of one type alone, so that is a table too.
// Threads: a sum belongs to one.
#pragma once

#include "enumerate/cfg.h"
#include "enumerate/few.h"
#include "enumerate/layout_tables.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace enumerate {

/// The blocks of a graph that have instructions, and all terminators that take
/// a value, by what they see: sets of those blocks.
struct Shape {
  using Blocks = std::uint8_t;
  struct Block {
    Blocks dominators = 0; ///< without itself
    /// What is seen at the end of each predecessor; empty where no phi may be.
    Few<Blocks, SpaceSpec::maximumBlocks> incoming;
  };
  struct End {
    Exit::Kind kind = Exit::Kind::ret;
    std::uint8_t cases = 0; ///< of a switch
    Blocks sees = 0;
    std::uint8_t block = 0; ///< of the graph
  };
  using Ends = Few<End, SpaceSpec::maximumBlocks>;
  Few<Block, SpaceSpec::maximumBlocks> blocks;
  Ends ends; ///< in the order of the blocks
};

/// `blocks` ascending: those that have instructions.
Shape shapeOf(const Cfg &cfg, const std::vector<std::uint8_t> &blocks);

/// Results of each type, by block of a shape.
using ByBlock = std::array<TypeCounts, SpaceSpec::maximumBlocks>;

/// In those blocks.
TypeCounts seen(Shape::Blocks blocks, const ByBlock &usable);

/// What a terminator may take, other than a `switch`.
struct Taken {
  std::size_t type = 0; ///< number of it
  corpus::Rank literals = 0;
};
/// Of a `ret`, a value of the type with that number, if there is such a type.
std::optional<Taken> takenBy(const LayoutTables &tables, const Shape::End &end,
                             std::size_t returned);

/// Multiplies by the ways to choose what terminators take: of a `ret`, a value
/// of the type with that number, if there is such a type.
template <typename Number>
void multiplyByEnds(const LayoutTables &tables,
                    std::span<const Shape::End> ends, std::size_t returned,
                    const ByBlock &usable,
                    LayoutTables::Numbers<Number> &product);

/// All ways in which results of one type may be usable, in a layout.
class UsableOfType {
public:
  /// By block of a shape.
  using Counts = std::array<std::uint8_t, SpaceSpec::maximumBlocks>;

  /// `lengths`: instructions of each block of the shape.
  explicit UsableOfType(std::span<const std::uint8_t> lengths);

  std::size_t size() const { return size_; }
  /// What one result more in that block adds to a way's number.
  std::size_t stride(std::size_t block) const { return strides_[block]; }
  /// Calls visit(counts) for each, by number.
  template <typename Visit> void forEach(const Visit &visit) const {
    Counts counts{};
    for (std::size_t way = 0; way < size_; ++way) {
      visit(counts);
      for (std::size_t block = 0;
           block < lengths_.size() && counts[block]++ == lengths_[block];
           ++block)
        counts[block] = 0;
    }
  }

private:
  Few<std::uint8_t, SpaceSpec::maximumBlocks> lengths_;
  std::array<std::size_t, SpaceSpec::maximumBlocks> strides_{};
  std::size_t size_ = 1;
};

/// In those blocks.
unsigned seen(Shape::Blocks blocks, const UsableOfType::Counts &usable);

/// Instructions of a block that are not decided.
struct OpenBlock {
  std::uint8_t instructions = 0;
  bool mayBePhis = true; ///< nothing but phis before them
};

/// What is decided of a layout but the operands.
struct Decided {
  ByBlock usable{};                                       ///< results
  std::array<OpenBlock, SpaceSpec::maximumBlocks> open{}; ///< what is not
};

/// Instantiated for the numbers of LayoutTables.
template <typename Number> class LayoutSum {
public:
  using Numbers = LayoutTables::Numbers<Number>;
  /// By type.
  using Combination = std::array<std::size_t, SpaceSpec::maximumTypes>;

  /// Keeps references. `lengths`: instructions of each block of the shape,
  /// decided or not.
  LayoutSum(const LayoutTables &tables, const Shape &shape,
            std::span<const std::uint8_t> lengths);

  const UsableOfType &usableOfType() const { return ofType_; }

  /// Calls finish(product) for each way to go on: a product over open
  /// instructions, which it may change. Until it returns, the functions below
  /// are about that way.
  template <typename Finish>
  void forEach(const Decided &decided, const Finish &finish) {
    decided_ = &decided;
    usable_ = decided.usable;
    combination_ = {};
    for (std::size_t block = 0; block < shape_.blocks.size(); ++block)
      for (std::size_t type = 0; type < types_; ++type)
        combination_[type] += usable_[block][type] * ofType_.stride(block);
    extend(0, finish);
  }
  /// Results that are usable.
  const ByBlock &usable() const { return usable_; }
  /// Those of a type, a number of usableOfType().
  std::size_t combination(std::size_t type) const { return combination_[type]; }
  /// Ways to choose the operands of so many phis of a block and a type, by
  /// arguments of that type. Requires at least one and a block that may have as
  /// many.
  const Number *phis(std::size_t block, std::size_t type, unsigned count,
                     std::size_t combination) const {
    return &phis_[block]
                 [((type * ofType_.size() + combination) * lengths_[block] +
                   count - 1) *
                  (tables_.spec().arguments + 1UL)];
  }
  const Number *phis(std::size_t block, std::size_t type,
                     unsigned count) const {
    return phis(block, type, count, combination_[type]);
  }
  /// By what counts by arguments of a type.
  void multiply(Numbers &product, std::size_t type, const Number *ways) const {
    const ArgumentPoints &points = tables_.points();
    for (std::size_t point = 0; point < points_; ++point)
      product[point] *= ways[points[point][type]];
  }

private:
  template <typename Finish>
  void extend(std::size_t block, const Finish &finish) {
    if (block == shape_.blocks.size()) {
      multiplyByOpen();
      return finish(product_);
    }
    extendType(block, 0, decided_->open[block].instructions, finish);
  }
  template <typename Finish>
  void extendType(std::size_t block, std::size_t type, unsigned left,
                  const Finish &finish) {
    if (type == types_)
      return extend(block + 1, finish);
    std::uint8_t &usable = usable_[block][type];
    const std::size_t stride = ofType_.stride(block);
    for (unsigned i = 0;; ++i, ++usable, combination_[type] += stride) {
      extendType(block, type + 1, left - i, finish);
      if (i == left)
        break;
    }
    usable = static_cast<std::uint8_t>(usable - left);
    combination_[type] -= left * stride;
  }

  void multiplyByOpen();
  void multiplyByOpen(std::size_t block);
  void countPhis(std::size_t block);
  /// As LayoutTables::ofRun(), of runs that may begin with phis.
  void runsWithPhis(std::size_t block, unsigned instructions,
                    const TypeCounts &usable, const TypeCounts &more,
                    Numbers &ways) const;

  const LayoutTables &tables_;
  const Shape &shape_;
  const std::size_t points_;
  const std::size_t types_;
  const std::span<const std::uint8_t> lengths_;
  const UsableOfType ofType_;
  const Decided *decided_ = nullptr;
  ByBlock usable_{};
  Combination combination_{};
  Numbers product_;
  /// By block; by type, combination, number of phis and arguments.
  std::array<std::vector<Number>, SpaceSpec::maximumBlocks> phis_;
};

} // namespace enumerate
