// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The decisions that make a function of one layout, with how many functions are
// behind each: what turns a rank into a function and back, one decision after
// the other, without a state for each.
// Threads: a walk belongs to one.
#pragma once

#include "enumerate/layouts.h"

#include <array>
#include <cstdint>
#include <optional>
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
/// it switches.
class SkeletonWalk {
public:
  using Rank = corpus::Rank;

  /// Keeps references.
  SkeletonWalk(const LayoutTables &tables, const Layout &layout);

  /// What comes next: an `instruction`, or a `terminator` whose choices are
  /// sets of cases. Nothing at the end.
  std::span<const Option> options();
  /// Requires one of these.
  void take(const Decision &decision);

private:
  /// Whether each result is usable, and what the decided instructions count.
  struct Branch {
    ByBlock usable{};
    LayoutTables::Numbers product;
  };

  void addInstructions();
  void addPhi(std::uint16_t group);
  void addSwitches();
  void takeInstruction(std::uint16_t index);
  /// Everything that is open, after the decided instructions.
  LayoutTables::Numbers rest(const ByBlock &usable);
  const Rank *ends(const ByBlock &usable, std::size_t combination);
  void add(const Decision &decision, Rank sum);
  /// Results that are usable in the next instruction.
  TypeCounts seenHere(const Branch &branch) const;
  bool mayBePhi() const {
    return isBeforeOthers_ && !shape_.blocks[block_].incoming.empty();
  }

  const LayoutTables &tables_;
  const Layout &layout_;
  const std::size_t points_;
  Shape shape_;
  LayoutSum sum_;
  std::size_t block_ = 0;      ///< of the shape
  std::size_t length_ = 0;     ///< instructions decided in it
  bool isBeforeOthers_ = true; ///< nothing but phis among these
  LayoutSum::Decided decided_;
  std::vector<Branch> branches_;
  std::vector<std::optional<std::uint8_t>> switchTypes_; ///< by end
  /// What terminators count, by combination of usable results, then by point;
  /// of those that are known.
  std::vector<Rank> ends_;
  std::vector<bool> knowsEnds_;
  std::vector<Option> options_;
};

/// Decides the operands of a skeleton in the order of an Assembler.
class OperandWalk {
public:
  using Rank = corpus::Rank;

  /// Keeps references.
  OperandWalk(const LayoutTables &tables, const Skeleton &skeleton);

  /// What the next operand may be. Nothing at the end.
  std::span<const Option> options();
  /// Requires one of these.
  void take(const Decision &decision);

private:
  using Values = std::uint16_t; ///< a set of results
  struct Slot {
    std::uint8_t type = 0;
    Values seen = 0; ///< of that type
  };
  /// Operands that depend on each other.
  struct Item {
    enum class Kind : std::uint8_t { instruction, phi, returned, condition };
    Kind kind = Kind::instruction;
    const TemplateGroup *group = nullptr; ///< of an instruction
    std::vector<Slot> slots;
  };
  /// By set of results that are not usable, then by point.
  using Numbers = std::vector<Rank>;

  void addItems(const Skeleton &skeleton);
  void countItems();
  /// Choices for an operand when there are no arguments.
  Rank withoutArguments(const Item &item, const Slot &slot,
                        Values unusable) const;
  /// Multiplies, by point, by the choices for its operands from one on.
  void multiplyBySlots(const Item &item, std::size_t from, Values unusable,
                       Rank *product) const;
  void multiplyByItem(const Item &item, Values unusable, Rank *product) const;
  /// Of an instruction: how its operands from one on may be what not all of
  /// them may be.
  Rank excludedLiterals(const Item &item, std::size_t from) const;
  /// Functions in which what is unused comes to be used, with the arguments of
  /// that point and perhaps more.
  Rank sumOf(const Numbers &numbers, Values unused, std::size_t used) const;
  void addLiterals(const Item &item, const Slot &slot);
  void addVariables(const Item &item, const Slot &slot);
  void add(Decision::Kind kind, std::uint16_t index, const Slot &slot,
           std::uint64_t choices, Rank each);
  /// Of a phi: whether with that operand all are the same so far.
  bool isSame(Decision::Kind kind, std::uint16_t index) const;

  const LayoutTables &tables_;
  const std::size_t points_;
  std::vector<std::uint8_t> values_; ///< their types, in program order
  std::vector<Item> items_;
  std::vector<Numbers> behind_; ///< by item: it and all behind it

  std::size_t item_ = 0;
  std::size_t slot_ = 0;
  Values unused_ = 0;
  std::size_t used_ = 0;                ///< point
  std::vector<std::uint8_t> arguments_; ///< their types
  /// Of an instruction: no operand so far is anything but an excluded literal.
  /// Of a phi: all operands so far are the same, which is `first_`.
  bool isExcluded_ = true;
  std::pair<Decision::Kind, std::uint16_t> first_{};
  Numbers open_;     ///< what is behind the slot
  Numbers excluded_; ///< of that, what would be excluded
  std::vector<Option> options_;
};

} // namespace enumerate
