// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The decisions that make the operands of one skeleton, with how many functions
// are behind each: what turns a rank into a function and back, one decision
// after the other, without a state for each. Numbers of 64 bits do where they
// can count the functions, times the divisor of no arguments.
// Threads: a walk belongs to one.
#pragma once

#include "enumerate/few.h"
#include "enumerate/layout_tables.h"
#include "enumerate/skeleton_walk.h"

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace enumerate {

/// The operands of a skeleton in the order of an Assembler, and which of them
/// are decided. Types that no instruction takes together are apart: results and
/// operands of one say nothing of those of another but how many arguments are
/// left.
class Operands {
public:
  /// Keeps references.
  Operands(const LayoutTables &tables, const Skeleton &skeleton);

  bool isComplete() const { return item_ == items_.size(); }

protected:
  using Values = std::uint16_t; ///< a set of results, later of classes
  /// How many results of each class of a part.
  using Counts = std::array<std::uint8_t, SpaceSpec::maximumInstructions>;
  struct Value {
    std::uint8_t type = 0;
    std::uint8_t classNumber = 0; ///< in the part
    bool isUnused = true;
  };
  struct Slot {
    std::uint8_t type = 0;
    Values seen = 0; ///< classes of that type
  };
  /// Operands that depend on each other.
  struct Item {
    enum class Kind : std::uint8_t { instruction, phi, returned, condition };
    Kind kind = Kind::instruction;
    const TemplateGroup *group = nullptr; ///< of an instruction
    Few<Slot, LayoutTables::maximumOperands> slots;
  };
  /// Types that are taken together. Results that the same operands see are a
  /// class: nothing matters of them but how many are used or usable.
  struct Part {
    unsigned types = 0;                                 ///< a set of them
    const ArgumentPoints::Projection *points = nullptr; ///< of these
    std::uint8_t classes = 0;
    Counts sizes{}; ///< of the classes
    Counts unused{};
    std::size_t ways = 1; ///< in which results may be usable
    std::uint8_t items = 0;
    std::uint8_t decided = 0; ///< of the items

    /// Calls visit(way, counts) for all counts up to these, in which the number
    /// of the way is the same whatever the limits.
    template <typename Visit>
    void forEachUpTo(const Counts &limits, const Visit &visit) const {
      Counts counts{};
      std::size_t way = 0;
      for (;;) {
        visit(way, counts);
        std::size_t number = 0;
        std::size_t stride = 1;
        for (; number < classes && counts[number] == limits[number];
             stride *= sizes[number++] + 1U) {
          way -= counts[number] * stride;
          counts[number] = 0;
        }
        if (number == classes)
          return;
        ++counts[number];
        way += stride;
      }
    }
  };

  const Item &item() const { return items_[item_]; }
  const Slot &slot() const { return item().slots[slot_]; }
  std::size_t partOf(const Item &item) const {
    return partOfType_[item.slots[0].type];
  }
  const Part &part() const { return parts_[partOf(item())]; }
  /// Of a phi: whether with that operand all are the same so far.
  bool isSame(Decision::Kind kind, std::uint16_t index) const;
  void decide(const Decision &decision);

  const LayoutTables &tables_;
  std::array<std::uint8_t, SpaceSpec::maximumTypes> partOfType_{};
  Few<Part, SpaceSpec::maximumTypes> parts_;
  Few<Value, SpaceSpec::maximumInstructions> values_; ///< in program order
  Few<Item, SpaceSpec::maximumInstructions + SpaceSpec::maximumBlocks> items_;
  std::size_t item_ = 0;
  std::size_t slot_ = 0;
  std::size_t used_ = 0; ///< point of the arguments
  Few<std::uint8_t, SpaceSpec::maximumArguments> arguments_; ///< their types
  /// Of an instruction: no operand so far is anything but an excluded literal.
  /// Of a phi: all operands so far are the same, which is `first_`.
  bool isExcluded_ = true;
  std::pair<Decision::Kind, std::uint16_t> first_{};

private:
  void addParts(const Skeleton &skeleton);
  void addItems(const Skeleton &skeleton);
  void addItem(const Item &item);
  /// From sets of results to sets of classes.
  void addClasses();
};

/// Decides the operands of a skeleton.
template <typename Number> class OperandWalk : public Operands {
public:
  /// Keeps references.
  OperandWalk(const LayoutTables &tables, const Skeleton &skeleton);
  /// Goes on where another is between two decisions.
  template <typename Other>
  explicit OperandWalk(const OperandWalk<Other> &from);

  /// More of what the next operand may be, nothing when there is no more.
  std::span<const Option> options();
  /// Requires one of these.
  void take(const Decision &decision);

private:
  template <typename Other> friend class OperandWalk;

  struct Behind {
    Number open = 0;
    Number excluded = 0; ///< of that, what would be excluded
  };

  void countRows();
  template <typename Ways>
  void multiplyByItem(const Item &item, const Counts &unusable,
                      const Number *behind, Number *product) const;
  /// What the items of a part count from one on, by way and point.
  const Number *row(std::size_t part, std::size_t item) const {
    return &rows_[part][item * parts_[part].ways *
                        parts_[part].points->points.size()];
  }
  /// Choices for an operand when there are no arguments.
  Number withoutArguments(const Item &item, const Slot &slot,
                          const Counts &unusable) const;
  /// Of an instruction: how its operands from one on may be what not all of
  /// them may be.
  Number excludedLiterals(const Item &item, std::size_t from) const;
  /// What is open of the other parts, by their points.
  void countOthers();
  /// Terms of the part, by its points: what all others count.
  void weigh(std::size_t used, std::span<Number> weights) const;
  /// What is behind the slot when the arguments of that point are in use.
  void countBehind(std::size_t used);
  /// Of these, in which what is unused comes to be used.
  Behind sumOf(const Counts &unused) const;
  Number functions(const Behind &behind, bool isExcluded) const;
  void addLiterals(const Behind &behind);
  void addArguments(const Behind &behind);
  void addNewArgument();
  void addResults();
  void add(Decision::Kind kind, std::uint16_t index, std::uint64_t choices,
           Number each);

  /// By part: by item of it, way in which results are not usable, and point.
  std::array<std::vector<Number>, SpaceSpec::maximumTypes> rows_;
  /// By part, but that of the item; when they are known of it.
  std::array<std::array<Number, LayoutTables::maximumPoints>,
             SpaceSpec::maximumTypes>
      others_;
  bool knowsOthers_ = false;
  unsigned asked_ = 0; ///< how often for options of the slot
  /// Behind the slot, by way in which results are not usable.
  std::array<Behind, 1U << SpaceSpec::maximumInstructions> behind_;
  std::size_t behindUsed_ = 0; ///< with these arguments in use
  std::vector<Option> options_;
};

} // namespace enumerate
