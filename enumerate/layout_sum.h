// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many functions there are with instructions in given blocks of a graph,
// some of them decided: a sum of products over which results are usable.
//
// That every result is used follows by inclusion and exclusion: of each it is
// said whether it is usable or not, and a product with an odd number of results
// that are not is subtracted. So nothing matters of the instructions before a
// point but how many results of each type are usable, and what instructions of
// a block count together is a table.
// Threads: a sum belongs to one.
#pragma once

#include "enumerate/cfg.h"
#include "enumerate/few.h"
#include "enumerate/layout_tables.h"

#include <algorithm>
#include <array>
#include <cstdint>
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

/// Multiplies by the ways to choose what terminators take: of a `ret`, a value
/// of the type with that number, if there is such a type.
void multiplyByEnds(const LayoutTables &tables,
                    std::span<const Shape::End> ends, std::size_t returned,
                    const ByBlock &usable, LayoutTables::Numbers &product);

class LayoutSum {
public:
  using Rank = corpus::Rank;
  using Numbers = LayoutTables::Numbers;

  struct Open {
    std::uint8_t instructions = 0;
    bool mayBePhis = true; ///< nothing but phis before them
  };
  struct Decided {
    ByBlock usable{}; ///< results
    ByBlock phis{};
    std::array<Open, SpaceSpec::maximumBlocks> open{}; ///< what is not
  };

  /// Keeps references. `lengths`: instructions of each block of the shape,
  /// decided or not.
  LayoutSum(const LayoutTables &tables, const Shape &shape,
            const std::vector<std::uint8_t> &lengths);

  /// Numbers from 0 on all that may be usable.
  std::size_t combinations() const { return combinations_; }
  /// Calls finish(product, usable, combination) for each way to go on: a
  /// product over open instructions and decided phis, and the results that are
  /// usable then.
  template <typename Finish>
  void forEach(const Decided &decided, const Finish &finish) {
    decided_ = &decided;
    usable_ = decided.usable;
    combination_ = 0;
    for (std::size_t block = 0; block < shape_.blocks.size(); ++block)
      for (std::size_t type = 0; type < tables_.types().size(); ++type)
        combination_ += usable_[block][type] * strides_[block][type];
    extend(0, finish);
  }

private:
  template <typename Finish>
  void extend(std::size_t block, const Finish &finish) {
    if (block == shape_.blocks.size())
      return finish(multiply(), usable_, combination_);
    const unsigned open = decided_->open[block].instructions;
    extendType(block, 0, open, finish);
  }
  template <typename Finish>
  void extendType(std::size_t block, std::size_t type, unsigned left,
                  const Finish &finish) {
    if (type == tables_.types().size())
      return extend(block + 1, finish);
    std::uint8_t &usable = usable_[block][type];
    const std::size_t stride = strides_[block][type];
    for (unsigned i = 0;; ++i, ++usable, combination_ += stride) {
      extendType(block, type + 1, left - i, finish);
      if (i == left)
        break;
    }
    usable = static_cast<std::uint8_t>(usable - left);
    combination_ -= left * stride;
  }

  const Numbers &multiply();
  void multiplyByOpen(std::size_t block);
  /// Ways to choose the operands of a phi, by point.
  const Rank *phi(std::size_t block, std::size_t type);
  void countPhi(std::size_t block, std::size_t type, Rank *ways) const;
  /// As LayoutTables::ofRun(), of runs that may begin with phis.
  void runsWithPhis(std::size_t block, std::size_t instructions,
                    const TypeCounts &usable, const TypeCounts &more,
                    Numbers &ways);

  const LayoutTables &tables_;
  const Shape &shape_;
  const std::size_t points_;
  std::size_t combinations_ = 1;
  std::array<std::array<std::size_t, SpaceSpec::maximumTypes>,
             SpaceSpec::maximumBlocks>
      strides_{}; ///< of combinations
  const Decided *decided_ = nullptr;
  ByBlock usable_{};
  std::size_t combination_ = 0;
  Numbers product_;
  /// By combination, block and type: where phis_ has it, from 1 on.
  std::vector<std::uint32_t> knownPhis_;
  std::vector<Rank> phis_;
};

} // namespace enumerate
