// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/value/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

namespace checker {

using corpus::Type;

Element Element::poisonOf(Type type) {
  if (type.isPointer())
    return {0, ~std::uint64_t(0), {}};
  Element element{0, type.lane(0).mask(), {}};
  for (unsigned i = 1; i < type.lanes(); ++i)
    element.rest.push_back({0, type.lane(i).mask()});
  return element;
}

Element Element::ofLanes(std::span<const Lane> lanes) {
  return {lanes[0].bits, lanes[0].poison, {lanes.begin() + 1, lanes.end()}};
}

bool Element::hasPoison() const {
  return poison != 0 ||
         std::any_of(rest.begin(), rest.end(),
                     [](const Lane &lane) { return lane.poison != 0; });
}

bool forEachTuple(std::span<const std::vector<Lane>> lists,
                  const std::function<bool(const Element &)> &visit) {
  std::vector<std::size_t> index(lists.size(), 0);
  std::vector<Lane> tuple(lists.size());
  while (true) {
    for (std::size_t i = 0; i < lists.size(); ++i)
      tuple[i] = lists[i][index[i]];
    if (!visit(Element::ofLanes(tuple)))
      return false;
    // The last lane varies fastest, so that sorted lists give sorted tuples.
    std::size_t i = lists.size();
    while (i > 0 && ++index[i - 1] == lists[i - 1].size())
      index[--i] = 0;
    if (i == 0)
      return true;
  }
}

ValueSet withLane(const ValueSet &set, const ValueSet &lane) {
  ValueSet tuples;
  for (const Element &tuple : set)
    for (const Element &last : lane) {
      tuples.push_back(tuple);
      tuples.back().rest.push_back(last.lane(0));
    }
  return tuples;
}

void normalise(ValueSet &set) {
  // Large sets are made in order.
  if (set.size() < 2 ||
      std::is_sorted(set.begin(), set.end(), std::less_equal<>()))
    return;
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
}

bool hasPoison(const ValueSet &set) {
  return std::any_of(set.begin(), set.end(),
                     [](const Element &e) { return e.hasPoison(); });
}

namespace {

bool refines(const Lane &target, const Lane &source) {
  const std::uint64_t defined = ~source.poison;
  return (target.poison & defined) == 0 &&
         ((target.bits ^ source.bits) & defined) == 0;
}

} // namespace

bool refines(const Element &target, const Element &source) {
  const bool isSamePlace =
      ~source.poison == 0 ||
      (target.block == source.block && target.isUseless == source.isUseless);
  return isSamePlace && refines(target.lane(0), source.lane(0)) &&
         std::equal(target.rest.begin(), target.rest.end(), source.rest.begin(),
                    [](const Lane &t, const Lane &s) { return refines(t, s); });
}

bool isMorePoison(const Element &target, const Element &source) {
  for (std::size_t i = 0; i < target.lanes(); ++i)
    if ((target.lane(i).poison & ~source.lane(i).poison) != 0)
      return true;
  return false;
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

std::string formatLane(const Lane &lane, Type type) {
  return lane.poison == type.mask() ? "poison"
         : lane.poison != 0
             ? formatBits(lane.bits, lane.poison, 'p', type.width())
             : formatNumber(lane.bits, type);
}

/// What `formatOne` says of each lane, in the brackets of the type.
std::string formatLanes(Type type, unsigned firstLane,
                        const std::function<std::string(unsigned)> &formatOne) {
  if (type.isScalar())
    return formatOne(firstLane);
  const unsigned count = type.isVector() ? type.lanes() : type.elements();
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    const Type element = type.isVector() ? type.lane(i) : type.element(i);
    text += (i == 0 ? "" : ", ") + formatLanes(element, firstLane, formatOne);
    firstLane += element.lanes();
  }
  return type.isVector()  ? fmt::format("<{}>", text)
         : type.isArray() ? fmt::format("[{}]", text)
                          : fmt::format("{{ {} }}", text);
}

std::string formatElement(const Element &element, Type type) {
  if (type.isScalar())
    return formatLane(element.lane(0), type);
  return formatLanes(type, 0, [&](unsigned i) {
    const Lane lane = element.lane(i);
    // As before there were vectors.
    if (type.isOverflowPair() && i == 1 && lane.poison == 0)
      return std::string(lane.bits != 0 ? "true" : "false");
    return formatLane(lane, type.lane(i));
  });
}

/// A set of tuples whose lanes vary on their own: lane by lane.
std::optional<std::string> formatProduct(const ValueSet &set, Type type) {
  std::vector<ValueSet> lanes(type.lanes());
  std::size_t size = 1;
  for (unsigned i = 0; i < type.lanes(); ++i) {
    for (const Element &element : set)
      lanes[i].push_back({element.lane(i).bits, element.lane(i).poison, {}});
    normalise(lanes[i]);
    size *= lanes[i].size();
  }
  if (size != set.size())
    return std::nullopt;
  return formatLanes(
      type, 0, [&](unsigned i) { return format(lanes[i], type.lane(i)); });
}

} // namespace

std::string format(const ValueSet &set, Type type) {
  if (set.empty())
    return "not computed";
  if (set.size() == 1)
    return formatElement(set.front(), type);
  if (!type.isScalar())
    if (auto product = formatProduct(set, type))
      return *product;
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
