// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which slots of the inputs do more than move (checker/memory/reduction.h), by
// one walk back over the steps of a Function: a slot is computed if it reaches
// anything but a copy, a shift by a constant, an `and` with one and the like.
// Not less than reduction.h finds, so that it is exact as well.
// Threads: belongs to one thread; it keeps scratch memory.
#pragma once

#include "checker/core/core.h"

#include <vector>

namespace checker {

class MovedBits {
public:
  /// Of two Functions that are carried out one after the other and take
  /// `slots` slots together. Requires steps without sets, forks, calls and
  /// loops.
  void find(const core::Function &first, const core::Function &second,
            std::size_t slots);
  bool isComputed(core::Slot slot) const { return computed_[slot] != 0; }

private:
  enum class Known : std::uint8_t { no, zero, one };

  void findConstants(const core::Function &function);
  void follow(const core::Step &step);
  void operation(const core::Step &step);
  void compute(core::Slot operand, unsigned width);
  void move(core::Slot result, core::Slot operand) {
    computed_[operand] |= computed_[result];
  }
  void logic(const core::Step &step);
  bool shift(const core::Step &step);

  std::vector<std::uint8_t> computed_;
  std::vector<Known> known_;
};

} // namespace checker
