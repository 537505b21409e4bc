// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/attribute.h"

#include <algorithm>
#include <bit>

namespace corpus {
namespace {

/// Row i has bit i.
constexpr bool isInOrder() {
  for (std::size_t i = 0; i < attributeTable.size(); ++i)
    if (attributeTable[i].bit != 1U << i)
      return false;
  return true;
}
static_assert(isInOrder());

} // namespace

const AttributeInfo &attributeInfo(std::uint32_t bit) {
  assert(std::has_single_bit(bit));
  return attributeTable[std::countr_zero(bit)];
}

Attributes::Attributes(std::uint32_t some, std::uint64_t low,
                       std::uint64_t high) {
  for (; some != 0; some &= some - 1)
    add(some & (~some + 1), low, high);
}

void Attributes::add(std::uint32_t bit, std::uint64_t low, std::uint64_t high) {
  remove(bit);
  bits |= bit;
  if (attributeInfo(bit).value == AttributeValue::none)
    return;
  const auto behind =
      std::find_if(values.begin(), values.end(),
                   [&](const Value &value) { return value.bit > bit; });
  values.insert(behind, {bit, low, high});
}

void Attributes::remove(std::uint32_t some) {
  bits &= ~some;
  std::erase_if(values,
                [&](const Value &value) { return (value.bit & some) != 0; });
}

void Attributes::add(const Attributes &other) {
  for (const AttributeInfo &row : attributeTable)
    if (other.has(row.bit)) {
      const bool hasValue = row.value != AttributeValue::none;
      const Value value = hasValue ? other.valueOf(row.bit) : Value();
      add(row.bit, value.low, value.high);
    }
}

const Attributes::Value &Attributes::valueOf(std::uint32_t bit) const {
  const auto found =
      std::find_if(values.begin(), values.end(),
                   [&](const Value &value) { return value.bit == bit; });
  assert(found != values.end());
  return *found;
}

} // namespace corpus
