// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of a function by number, in the order in which they were added.
// Invariant: numberOf() is asked after index() has seen the last value.
// Threads: belongs to one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <optional>

namespace llvm {
class Value;
} // namespace llvm

namespace runner {

class ValueNumbers {
  /// In a short list nothing is found faster than by looking at all of it.
  static constexpr std::size_t shortList = 16;

public:
  using Order = llvm::SmallVector<const llvm::Value *, shortList>;

  void clear() { order_.clear(); }
  void add(const llvm::Value &value) { order_.push_back(&value); }
  /// Numbers that belong to no value.
  void skip(std::size_t count) { order_.append(count, nullptr); }
  void index() {
    if (order_.size() <= shortList)
      return;
    numbers_.clear();
    for (std::uint32_t i = 0; i < order_.size(); ++i)
      if (order_[i] != nullptr)
        numbers_.try_emplace(order_[i], i);
  }

  /// Null where a number belongs to no value.
  const Order &order() const { return order_; }
  std::optional<std::uint32_t> numberOf(const llvm::Value &value) const {
    if (order_.size() > shortList) {
      const auto found = numbers_.find(&value);
      return found == numbers_.end() ? std::nullopt
                                     : std::optional(found->second);
    }
    const auto *found = std::find(order_.begin(), order_.end(), &value);
    return found == order_.end() ? std::nullopt
                                 : std::optional(static_cast<std::uint32_t>(
                                       found - order_.begin()));
  }

private:
  Order order_;
  /// Of order_, unless that is short.
  llvm::DenseMap<const llvm::Value *, std::uint32_t> numbers_;
};

} // namespace runner
