// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/value/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace checker {

using corpus::Type;

void normalise(ValueSet &set) {
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
}

bool hasPoison(const ValueSet &set) {
  return std::any_of(set.begin(), set.end(),
                     [](const Element &e) { return e.hasPoison(); });
}

bool refines(const Element &target, const Element &source) {
  const std::uint64_t defined = ~source.poison;
  return (target.poison & defined) == 0 &&
         ((target.bits ^ source.bits) & defined) == 0 &&
         (source.overflowPoison ||
          (!target.overflowPoison && target.overflow == source.overflow));
}

bool refines(const ValueSet &target, const ValueSet &source) {
  return std::all_of(target.begin(), target.end(), [&](const Element &t) {
    return std::binary_search(source.begin(), source.end(), t) ||
           std::any_of(source.begin(), source.end(),
                       [&](const Element &s) { return refines(t, s); });
  });
}

namespace {

std::string formatNumber(std::uint64_t bits, Type type) {
  const unsigned width = type.width();
  if (width == 1)
    return fmt::format("{}", bits);
  const std::int64_t asSigned = corpus::signExtend(bits, width);
  const bool negative = asSigned < 0;
  if (width < 4)
    return negative ? fmt::format("{} ({})", bits, asSigned)
                    : fmt::format("{}", bits);
  const std::string hex = fmt::format("0x{:0{}x}", bits, (width + 3) / 4);
  return negative ? fmt::format("{} ({}, {})", hex, bits, asSigned)
                  : fmt::format("{} ({})", hex, bits);
}

std::string formatBits(std::uint64_t bits, std::uint64_t unknown, char mark,
                       unsigned width) {
  std::string text = "0b";
  for (unsigned i = width; i-- > 0;)
    text += (unknown >> i & 1) != 0 ? mark
                                    : static_cast<char>('0' + (bits >> i & 1));
  return text;
}

std::string formatElement(const Element &element, Type type) {
  std::string first =
      element.poison == type.mask() ? "poison"
      : element.poison != 0
          ? formatBits(element.bits, element.poison, 'p', type.width())
          : formatNumber(element.bits, type);
  if (!type.isOverflowPair())
    return first;
  return fmt::format("{{ {}, {} }}", first,
                     element.overflowPoison ? "poison"
                     : element.overflow     ? "true"
                                            : "false");
}

} // namespace

std::string format(const ValueSet &set, Type type) {
  if (set.empty())
    return "not computed";
  if (set.size() == 1)
    return formatElement(set.front(), type);
  if (type.isInteger() && !hasPoison(set)) {
    std::uint64_t varying = 0;
    for (const Element &element : set)
      varying |= element.bits ^ set.front().bits;
    const bool isCube = set.size() == std::uint64_t(1)
                                          << std::popcount(varying);
    if (isCube && varying == type.mask())
      return "undef";
    if (isCube)
      return formatBits(set.front().bits, varying, '?', type.width()) +
             " (partly undef)";
  }
  std::string text = "{";
  for (const Element &element : set)
    text += fmt::format("{}{}", text.size() == 1 ? "" : ", ",
                        formatElement(element, type));
  return text + "}";
}

} // namespace checker
