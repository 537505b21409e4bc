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

std::uint64_t Attributes::effects() const {
  if (has(attribute::memoryNone))
    return 0;
  if (has(attribute::memoryRead))
    return memory::readOnly;
  return has(attribute::memory) ? valueOf(attribute::memory).low : memory::all;
}

void Attributes::addEffects(std::uint64_t effects) {
  assert(this->effects() == memory::all);
  if (effects == 0)
    add(attribute::memoryNone);
  else if (effects == memory::readOnly)
    add(attribute::memoryRead);
  else if (effects != memory::all)
    add(attribute::memory, effects);
}

std::vector<std::string_view> oldMemoryAttributes(std::uint64_t effects) {
  constexpr unsigned locations[] = {memory::argument, memory::inaccessible,
                                    memory::errnoVariable, memory::other};
  std::uint64_t access = 0;
  for (const unsigned location : locations)
    access |= memory::at(effects, location);
  std::uint64_t touched = 0;
  for (const unsigned location : locations) {
    if (memory::at(effects, location) == 0)
      continue;
    if (memory::at(effects, location) != access)
      return {};
    touched |= std::uint64_t(3) << location;
  }
  struct Row {
    std::uint64_t touched;
    std::string_view spelling; ///< empty: all of memory
  };
  constexpr std::uint64_t both = 3;
  constexpr Row rows[] = {
      {both << memory::argument, "argmemonly"},
      {both << memory::inaccessible, "inaccessiblememonly"},
      {both << memory::argument | both << memory::inaccessible,
       "inaccessiblemem_or_argmemonly"},
      {memory::all, ""},
  };
  std::vector<std::string_view> result;
  for (const Row &row : rows) {
    if (row.touched != touched)
      continue;
    if (!row.spelling.empty())
      result.push_back(row.spelling);
    if (access != (memory::read | memory::write))
      result.push_back(access == memory::read ? "readonly" : "writeonly");
  }
  return result;
}

const Attributes::Value &Attributes::valueOf(std::uint32_t bit) const {
  const auto found =
      std::find_if(values.begin(), values.end(),
                   [&](const Value &value) { return value.bit == bit; });
  assert(found != values.end());
  return *found;
}

} // namespace corpus
