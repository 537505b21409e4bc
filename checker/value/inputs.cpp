// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/value/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>

namespace checker {
namespace {

using corpus::Type;

constexpr unsigned maximumAnySetWidth = 2;

bool hasUndefInputs(const Semantics &semantics) {
  return semantics.inputs == Inputs::poisonUndef &&
         semantics.undef == UndefRule::perUse;
}

bool hasAnySets(const Semantics &semantics) {
  return semantics.inputs == Inputs::anySet &&
         semantics.undef == UndefRule::perUse;
}

/// The cube whose bits in `unknown` vary.
ValueSet cube(std::uint64_t bits, std::uint64_t unknown, std::uint64_t poison) {
  ValueSet set;
  for (std::uint64_t fill = 0;; fill = (fill - unknown) & unknown) {
    set.push_back({bits | fill, poison, {}});
    if (fill == unknown)
      break;
  }
  return set;
}

/// Elements in all the sets of a list together.
double sizeOf(Type type, const Semantics &semantics) {
  const double perBit = 2.0 + (hasUndefInputs(semantics) ? 2.0 : 0.0) +
                        (semantics.poisonUnit == PoisonUnit::bit ? 1.0 : 0.0);
  double size = 1;
  for (unsigned i = 0; i < type.width(); ++i)
    size *= perBit;
  return size;
}

void appendCubes(std::vector<InputChoice> &list, Type type,
                 std::uint64_t poison, unsigned poisonCount, bool withUndef) {
  const std::uint64_t rest = type.mask() & ~poison;
  for (std::uint64_t unknown = 0;; unknown = (unknown - rest) & rest) {
    const std::uint64_t fixed = rest & ~unknown;
    for (std::uint64_t bits = 0;; bits = (bits - fixed) & fixed) {
      list.push_back({cube(bits, unknown, poison), poisonCount,
                      static_cast<unsigned>(std::popcount(unknown))});
      if (bits == fixed)
        break;
    }
    if (!withUndef || unknown == rest)
      break;
  }
}

void appendAnySets(std::vector<InputChoice> &list, Type type) {
  const std::uint64_t numbers = type.mask() + 1;
  for (std::uint64_t members = 1; members >> numbers == 0; ++members) {
    InputChoice choice;
    std::uint64_t varying = 0;
    for (std::uint64_t bits = 0; bits < numbers; ++bits)
      if ((members >> bits & 1) != 0) {
        choice.set.push_back(Element::number(bits));
        varying |= bits ^ choice.set.front().bits;
      }
    choice.undef = static_cast<unsigned>(std::popcount(varying));
    list.push_back(std::move(choice));
  }
}

/// In unsigned order, numbers before poison.
void sortForWitness(std::vector<InputChoice> &list) {
  std::sort(list.begin(), list.end(),
            [](const InputChoice &a, const InputChoice &b) {
              const auto key = [](const InputChoice &choice) {
                return std::tuple<bool, const ValueSet &>(
                    choice.set.front().poison != 0, choice.set);
              };
              return key(a) < key(b);
            });
}

std::vector<InputChoice> laneChoices(Type type, const Semantics &semantics) {
  std::vector<InputChoice> list;
  if (hasAnySets(semantics))
    appendAnySets(list, type);
  else
    appendCubes(list, type, 0, 0, hasUndefInputs(semantics));
  const bool withPoison = semantics.inputs != Inputs::defined;
  if (withPoison && semantics.poisonUnit == PoisonUnit::value)
    list.push_back({{Element::poisonOf(type)}, 1, 0});
  if (withPoison && semantics.poisonUnit == PoisonUnit::bit)
    for (std::uint64_t poison = 1; poison <= type.mask() && poison != 0;
         ++poison)
      appendCubes(list, type, poison,
                  static_cast<unsigned>(std::popcount(poison)),
                  hasUndefInputs(semantics));
  sortForWitness(list);
  return list;
}

/// The lanes so far with one more behind.
std::vector<InputChoice> product(const std::vector<InputChoice> &lanes,
                                 const std::vector<InputChoice> &next) {
  std::vector<InputChoice> list;
  for (const InputChoice &first : lanes)
    for (const InputChoice &last : next)
      list.push_back({withLane(first.set, last.set), first.poison + last.poison,
                      first.undef + last.undef});
  return list;
}

} // namespace

corpus::Result<std::vector<InputChoice>>
inputChoices(Type type, const Semantics &semantics, std::uint64_t maximum) {
  for (unsigned i = 0; i < std::max(1U, type.lanes()); ++i)
    if (type.isVoid() || !type.lane(i).isInteger())
      return corpus::Error{
          fmt::format("an input of type {}", corpus::toString(type))};
  if (hasAnySets(semantics) &&
      (!type.isInteger() || type.width() > maximumAnySetWidth))
    return corpus::Error{fmt::format(
        "inputs=any-set for {}, it takes i1 and i2", corpus::toString(type))};
  double size = type.lanes();
  for (unsigned i = 0; i < type.lanes(); ++i)
    size *= sizeOf(type.lane(i), semantics);
  if (size > static_cast<double>(maximum))
    return corpus::Error{fmt::format("{} has too many values to try one by one",
                                     corpus::toString(type))};
  std::vector<InputChoice> list = laneChoices(type.lane(0), semantics);
  for (unsigned i = 1; i < type.lanes(); ++i)
    list = product(list, laneChoices(type.lane(i), semantics));
  return list;
}

void forEachChoice(
    std::span<const std::vector<InputChoice> *const> choices,
    const std::function<bool(std::span<const std::uint32_t>)> &visit) {
  const std::size_t count = choices.size();
  // The most poison and undef bits that the inputs from i on can still have.
  std::vector<unsigned> poisonLeft(count + 1, 0);
  std::vector<unsigned> undefLeft(count + 1, 0);
  for (std::size_t i = count; i-- > 0;) {
    unsigned poison = 0;
    unsigned undef = 0;
    for (const InputChoice &choice : *choices[i]) {
      poison = std::max(poison, choice.poison);
      undef = std::max(undef, choice.undef);
    }
    poisonLeft[i] = poisonLeft[i + 1] + poison;
    undefLeft[i] = undefLeft[i + 1] + undef;
  }

  std::vector<std::uint32_t> places(count);
  const std::function<bool(std::size_t, unsigned, unsigned)> extend =
      [&](std::size_t i, unsigned poison, unsigned undef) {
        if (i == count)
          return visit(places);
        for (std::uint32_t place = 0; place < choices[i]->size(); ++place) {
          const InputChoice &choice = (*choices[i])[place];
          if (choice.poison > poison || choice.undef > undef ||
              poison - choice.poison > poisonLeft[i + 1] ||
              undef - choice.undef > undefLeft[i + 1])
            continue;
          places[i] = place;
          if (!extend(i + 1, poison - choice.poison, undef - choice.undef))
            return false;
        }
        return true;
      };
  for (unsigned poison = 0; poison <= poisonLeft[0]; ++poison)
    for (unsigned undef = 0; undef <= undefLeft[0]; ++undef)
      if (!extend(0, poison, undef))
        return;
}

void forEachInput(std::span<const std::vector<InputChoice> *const> choices,
                  const std::function<bool(const Input &)> &visit) {
  Input input(choices.size());
  std::vector<std::uint32_t> last(choices.size(), ~std::uint32_t(0));
  forEachChoice(choices, [&](std::span<const std::uint32_t> places) {
    for (std::size_t i = 0; i < places.size(); ++i)
      if (last[i] != places[i])
        input[i] = (*choices[i])[last[i] = places[i]].set;
    return visit(input);
  });
}

} // namespace checker
