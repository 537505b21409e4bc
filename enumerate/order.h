// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which order to look at a space that is too large to finish: a permutation
// of its ranks. Position k stands for rank at(k), so that the first so many
// positions are a selection that can be stopped, resumed and named by three
// things: space, order, seed. What a rank means does not depend on the order.
// Threads: immutable after construction, may be shared.
#pragma once

#include "enumerate/space.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace enumerate {

class Order {
public:
  virtual ~Order() = default;
  /// Number of positions: that of the ranks.
  virtual Rank count() const = 0;
  /// The rank at `position`; requires position < count().
  virtual Rank at(Rank position) const = 0;
  /// The inverse of at(); requires rank < count().
  virtual Rank positionOf(Rank rank) const = 0;
};

struct OrderInfo {
  std::string_view name;
  std::string_view help;
  /// `space` must live as long as what is made. Equal arguments give the same
  /// order on every machine.
  std::unique_ptr<Order> (*make)(const Space &space, std::uint64_t seed);
};

/// The one for a first look at a large space: docs/orders.md.
inline constexpr std::string_view orderOfFirstLook = "balanced";
/// All orders, by the name that `--order` takes.
std::span<const OrderInfo> orderTable();
/// "strata or uniform".
std::string orderNames();
/// One line for each, for --help.
std::string orderHelp();
/// Nothing when no order has that name.
const OrderInfo *findOrder(std::string_view name);

/// Looks random, without repetition; another seed is another permutation.
std::unique_ptr<Order> makeUniformOrder(Rank count, std::uint64_t seed);

} // namespace enumerate
