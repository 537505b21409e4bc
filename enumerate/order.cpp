// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/order.h"

#include "enumerate/permutation.h"
#include "enumerate/strata.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace enumerate {

namespace {

class UniformOrder final : public Order {
public:
  UniformOrder(Rank count, std::uint64_t seed) : permutation_(count, seed) {}
  Rank count() const override { return permutation_.count(); }
  Rank at(Rank position) const override { return permutation_.at(position); }
  Rank positionOf(Rank rank) const override { return permutation_.find(rank); }

private:
  Permutation permutation_;
};

/// Uniform among the first ranks, then among the others.
class LeadingFirst final : public Order {
public:
  LeadingFirst(Rank leading, Rank count, std::uint64_t seed)
      : leading_(leading), first_(makeUniformOrder(leading, seed)),
        then_(makeUniformOrder(count - leading, seed)) {}

  Rank count() const override { return leading_ + then_->count(); }
  Rank at(Rank position) const override {
    return position < leading_ ? first_->at(position)
                               : leading_ + then_->at(position - leading_);
  }
  Rank positionOf(Rank rank) const override {
    return rank < leading_ ? first_->positionOf(rank)
                           : leading_ + then_->positionOf(rank - leading_);
  }

private:
  Rank leading_;
  std::unique_ptr<Order> first_;
  std::unique_ptr<Order> then_;
};

template <Share share>
std::unique_ptr<Order> bySkeletons(const Space &space, std::uint64_t seed) {
  const DecisionGraph *graph = space.decisions();
  if (graph != nullptr)
    return makeStrataOrder(*graph, seed, share);
  if (space.leading() == 0)
    return makeUniformOrder(space.count(), seed);
  return std::make_unique<LeadingFirst>(space.leading(), space.count(), seed);
}

constexpr std::array<OrderInfo, 3> orders = {{
    {orderOfFirstLook,
     "of each skeleton, all of a function but its constants, as many members "
     "as "
     "the square root of all it has, then twice as many, and so on",
     bySkeletons<Share::squareRoot>},
    {"strata", "each skeleton has its k-th member before any has its 2k-th",
     bySkeletons<Share::equal>},
    {"uniform", "every function is as likely to be next as any other",
     [](const Space &space, std::uint64_t seed) {
       return makeUniformOrder(space.count(), seed);
     }},
}};

} // namespace

std::span<const OrderInfo> orderTable() { return orders; }

std::string orderNames() {
  std::string names;
  for (const OrderInfo &row : orders)
    names += (names.empty() ? "" : " or ") + std::string(row.name);
  return names;
}

std::string orderHelp() {
  std::string text;
  for (const OrderInfo &row : orders)
    text +=
        fmt::format("{}{}: {}", text.empty() ? "" : ";\n", row.name, row.help);
  return text;
}

const OrderInfo *findOrder(std::string_view name) {
  const auto *found =
      std::find_if(orders.begin(), orders.end(),
                   [&](const OrderInfo &row) { return row.name == name; });
  return found == orders.end() ? nullptr : found;
}

std::unique_ptr<Order> makeUniformOrder(Rank count, std::uint64_t seed) {
  return std::make_unique<UniformOrder>(count, seed);
}

} // namespace enumerate
