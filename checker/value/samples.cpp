// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/value/samples.h"

#include "corpus/program/rank.h"

#include <algorithm>
#include <tuple>

namespace checker {

using corpus::Operand;
using corpus::Program;
using corpus::Type;

namespace {

constexpr std::uint64_t highBit = std::uint64_t(1) << 63;
/// INT_MIN and INT_MAX of each width: the sign bit, wherever it is.
constexpr std::uint64_t minimum = highBit;
constexpr std::uint64_t maximum = ~highBit;
/// Constants of a large program do not crowd out the rest.
constexpr std::size_t maximumConstants = 48;
/// Combinations of the first corners for 1, 2, ... arguments: this many each.
constexpr std::uint64_t gridSides[] = {1, 160, 24, 8, 5, 4, 3};

/// Positive numbers keep their low bits; INT_MIN and INT_MAX their high ones.
std::uint64_t cutTo(Type type, std::uint64_t number) {
  if (number == minimum)
    return (type.mask() >> 1) + 1;
  if (number == maximum)
    return type.mask() >> 1;
  return number & type.mask();
}

void addConstants(const Program &program, std::vector<std::uint64_t> &numbers) {
  const auto add = [&](const Operand &operand) {
    if (!operand.is(Operand::Kind::constant) || !operand.type.isInteger() ||
        numbers.size() == maximumConstants)
      return;
    // Signed, as they read in wider and narrower types.
    const std::uint64_t sign = (operand.type.mask() >> 1) + 1;
    const std::uint64_t number = (operand.payload ^ sign) - sign;
    if (std::find(numbers.begin(), numbers.end(), number) == numbers.end())
      numbers.push_back(number);
  };
  for (const Operand &operand : program.operands)
    add(operand);
  for (const corpus::Constant &constant : program.constants)
    for (const Operand &lane : constant.lanes)
      add(lane);
}

std::size_t poisonCount(std::span<const Element> input) {
  return static_cast<std::size_t>(
      std::count_if(input.begin(), input.end(), [](const Element &element) {
        return element.hasPoison();
      }));
}

} // namespace

Samples::Samples(const Program &source, const Program &target, bool withPoison)
    : withPoison_(withPoison) {
  std::vector<std::uint64_t> constants;
  addConstants(source, constants);
  addConstants(target, constants);
  corners_ = {0, 1, ~std::uint64_t(0), minimum, maximum};
  const auto add = [&](std::uint64_t number) {
    if (std::find(corners_.begin(), corners_.end(), number) == corners_.end())
      corners_.push_back(number);
  };
  for (const std::uint64_t number : constants)
    add(number);
  add(2);
  for (const std::uint64_t number : constants)
    for (const std::uint64_t beside : {number + 1, number - 1, 0 - number})
      add(beside);
  for (unsigned bit = 2; bit < 64; ++bit) {
    add(std::uint64_t(1) << bit);
    add((std::uint64_t(1) << bit) - 1);
  }
}

/// Poison, where there is any, stands behind the first few numbers.
Element Samples::corner(Type type, std::uint64_t number) const {
  constexpr std::uint64_t poisonAt = 5;
  if (withPoison_ && number == poisonAt)
    return Element::poisonOf(type);
  if (withPoison_ && number > poisonAt)
    --number;
  return Element::number(cutTo(type, corners_[number % corners_.size()]));
}

std::vector<Element> Samples::input(std::span<const Type> types,
                                    std::uint64_t number) const {
  std::vector<Element> input;
  const std::size_t count = types.size();
  const std::uint64_t side =
      count < std::size(gridSides) ? gridSides[count] : 1;
  std::uint64_t grid = 1;
  for (std::size_t i = 0; i < count; ++i)
    grid *= side;
  if (number < grid) {
    for (std::size_t i = 0; i < count; ++i, number /= side)
      input.push_back(corner(types[i], number % side));
    return input;
  }
  number -= grid;
  if (number < corners_.size() && count > 1) {
    for (const Type type : types)
      input.push_back(corner(type, number));
    return input;
  }
  std::uint64_t state = number * 64;
  const auto next = [&] { return corpus::mixBits(++state * corpus::mixStep); };
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t choice = next();
    const std::uint64_t bits = next();
    const Type type = types[i];
    if (withPoison_ && choice % 16 == 0)
      input.push_back(Element::poisonOf(type));
    else if (choice % 16 <= 2 && i != 0 && !input[bits % i].hasPoison())
      input.push_back(Element::number(input[bits % i].bits & type.mask()));
    else if (choice % 16 <= 8)
      input.push_back(corner(type, 6 + bits % corners_.size()));
    else if (choice % 16 <= 11)
      input.push_back(Element::number((bits % 32) & type.mask()));
    else
      input.push_back(Element::number(bits & type.mask()));
  }
  return input;
}

bool isSmaller(std::span<const Element> a, std::span<const Element> b) {
  const auto count = std::pair(poisonCount(a), poisonCount(b));
  if (count.first != count.second)
    return count.first < count.second;
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const Element &x, const Element &y) {
        return std::tuple(x.hasPoison(), x.bits) <
               std::tuple(y.hasPoison(), y.bits);
      });
}

std::vector<std::vector<Element>>
smallerInputs(std::span<const Type> types, std::span<const Element> input) {
  std::vector<std::vector<Element>> candidates;
  std::vector<Element> candidate(input.begin(), input.end());
  for (std::size_t i = 0; i < input.size(); ++i) {
    const Element old = candidate[i];
    const auto add = [&](std::uint64_t bits) {
      candidate[i] = Element::number(bits & types[i].mask());
      if (isSmaller(candidate, input))
        candidates.push_back(candidate);
    };
    for (std::uint64_t number = 0; number < 8; ++number)
      add(number);
    for (const Element &other : input)
      if (!other.hasPoison())
        add(other.bits);
    for (unsigned bit = 0; bit < types[i].width() && !old.hasPoison(); ++bit) {
      add(old.bits & ~(std::uint64_t(1) << bit));
      add(old.bits >> bit);
      add(old.bits & ((std::uint64_t(1) << bit) - 1));
      add((std::uint64_t(1) << bit));
      add(old.bits - (std::uint64_t(1) << bit));
    }
    candidate[i] = old;
  }
  return candidates;
}

} // namespace checker
