// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/type_orders.h"

#include <cassert>
#include <numeric>

namespace enumerate {

int signedChoices(std::span<const std::uint8_t> of,
                  std::span<const std::uint8_t> some) {
  int ways = 1;
  for (std::size_t i = 0; i < of.size(); ++i)
    ways *= signedBinomial(of[i], some[i]);
  return ways;
}

std::uint64_t typeOrders(const TypeCounts &counts) {
  std::uint64_t orders = 1;
  unsigned placed = 0;
  for (const std::uint8_t count : counts) {
    placed += count;
    orders *= binomial(placed, count);
  }
  return orders;
}

TypeOrder typeOrderAt(TypeCounts counts, std::uint64_t number) {
  assert(number < typeOrders(counts));
  TypeOrder order;
  for (unsigned left = std::accumulate(counts.begin(), counts.end(), 0U);
       left > 0; --left)
    for (std::uint8_t type = 0;; ++type) {
      if (counts[type] == 0)
        continue;
      --counts[type];
      const std::uint64_t first = typeOrders(counts);
      if (number < first) {
        order.add(type);
        break;
      }
      number -= first;
      ++counts[type];
    }
  return order;
}

std::uint64_t numberOf(const TypeOrder &order) {
  TypeCounts left = countsOf(order);
  std::uint64_t number = 0;
  for (const std::uint8_t here : order) {
    for (std::uint8_t type = 0; type < here; ++type) {
      if (left[type] == 0)
        continue;
      --left[type];
      number += typeOrders(left);
      ++left[type];
    }
    --left[here];
  }
  return number;
}

TypeCounts countsOf(const TypeOrder &order) {
  TypeCounts counts{};
  for (const std::uint8_t type : order)
    ++counts[type];
  return counts;
}

} // namespace enumerate
