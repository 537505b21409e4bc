// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/sliced/set_tables.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace checker::setsliced {

using corpus::Type;

namespace {

constexpr std::size_t maximumElements = 512;
constexpr std::size_t maximumTerms = 1 << 20;

} // namespace

std::uint16_t Elements::indexOf(const Element &element) const {
  return static_cast<std::uint16_t>(
      std::find(list.begin(), list.end(), element) - list.begin());
}

std::size_t SetTables::KeyHash::operator()(const Key &key) const {
  std::uint64_t hash = 0;
  for (std::uint64_t word : key.words) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  return hash;
}

const Elements *SetTables::elementsOf(Type type) {
  for (const auto &[known, all] : elements_)
    if (known == type)
      return all->list.empty() ? nullptr : all.get();
  auto &slot =
      elements_.emplace_back(type, std::make_unique<Elements>()).second;
  if (!type.isInteger() && !type.isOverflowPair())
    return nullptr;
  const bool isBitwise = semantics_.poisonUnit == PoisonUnit::bit;
  const bool isPair = type.isOverflowPair();
  const double count =
      std::pow(isBitwise ? 3 : 2, type.width() + (isPair ? 1 : 0));
  if (count + 1 > maximumElements)
    return nullptr;
  std::vector<Element> &list = slot->list;
  for (std::uint64_t bits = 0; bits <= type.mask(); ++bits)
    list.push_back(isPair ? Element::pair(bits, false) : Element::number(bits));
  if (isPair)
    for (std::uint64_t bits = 0; bits <= type.mask(); ++bits)
      list.push_back(Element::pair(bits, true));
  slot->numbers = slot->poisonFrom = static_cast<std::uint32_t>(list.size());
  if (!isBitwise) {
    list.push_back(Element::poisonOf(type));
    return slot.get();
  }
  for (std::uint64_t poison = 0; poison <= type.mask(); ++poison)
    for (std::uint64_t bits = 0; bits <= type.mask(); ++bits) {
      if ((bits & poison) != 0)
        continue;
      if (!isPair) {
        if (poison != 0)
          list.push_back({bits, poison, {}});
        continue;
      }
      if (poison != 0) {
        list.push_back({bits, poison, {{0, 0}}});
        list.push_back({bits, poison, {{1, 0}}});
      }
      list.push_back({bits, poison, {{0, 1}}});
    }
  return slot.get();
}

std::vector<std::uint16_t>
SetTables::literalElements(const TableOperand &operand) {
  const Elements *all = elementsOf(operand.type);
  assert(all != nullptr && operand.literal != nullptr &&
         "checked by the caller");
  std::vector<std::uint16_t> list;
  switch (operand.literal->kind) {
  case core::Literal::Kind::any:
    for (std::uint16_t i = 0; i < static_cast<std::uint16_t>(all->numbers); ++i)
      list.push_back(i);
    break;
  case core::Literal::Kind::number:
    list.push_back(all->indexOf(Element::number(operand.literal->bits)));
    break;
  default:
    list.push_back(all->indexOf(Element::poisonOf(operand.type)));
  }
  return list;
}

void SetTables::clear() {
  tables_.clear();
  size_ = 0;
}

template <typename Build>
std::optional<Table> SetTables::known(const Key &key, Build build) {
  const auto [found, isNew] = tables_.try_emplace(key);
  OwnedTable &table = found->second;
  if (isNew) {
    table = build();
    size_ += table.terms.size();
  }
  if (table.ends.empty())
    return std::nullopt;
  return Table{table.terms.data(), table.ends.data(),
               static_cast<std::uint32_t>(table.ends.size()), table.arity};
}

/// `outputsOf` calls back with each output that an element contributes to.
template <typename Outputs>
SetTables::OwnedTable SetTables::ofOneOperand(Type type, std::size_t outputs,
                                              Outputs outputsOf) {
  const Elements &all = *elementsOf(type);
  std::vector<std::vector<Term>> terms(outputs);
  for (std::uint16_t i = 0; i < all.size(); ++i)
    outputsOf(all.list[i], [&](std::size_t output) {
      terms[output].push_back({{i, 0, 0}});
    });
  OwnedTable table;
  table.arity = 1;
  for (const auto &list : terms) {
    table.terms.insert(table.terms.end(), list.begin(), list.end());
    table.ends.push_back(static_cast<std::uint32_t>(table.terms.size()));
  }
  return table;
}

std::optional<Table> SetTables::pick(Type type) {
  const Elements *all = elementsOf(type);
  if (all == nullptr)
    return std::nullopt;
  return known({{static_cast<std::uint64_t>(Purpose::pick), type.id()}}, [&] {
    return ofOneOperand(
        type, all->numbers, [&](const Element &element, const auto &add) {
          for (std::uint32_t i = 0; i < all->numbers; ++i)
            if (((all->list[i].bits ^ element.bits) & ~element.poison) == 0 &&
                (element.rest.empty() || element.rest[0].poison != 0 ||
                 all->list[i].rest == element.rest))
              add(i);
        });
  });
}

std::optional<Table> SetTables::settle(Type type, unsigned picked) {
  const Elements *all = elementsOf(type);
  if (all == nullptr)
    return std::nullopt;
  return known(
      {{static_cast<std::uint64_t>(Purpose::settle), type.id(), picked}}, [&] {
        return ofOneOperand(type, all->list.size() + 1,
                            [&](const Element &element, const auto &add) {
                              add(all->indexOf(element.hasPoison()
                                                   ? Element::number(picked)
                                                   : element));
                              if (element.hasPoison())
                                add(all->list.size());
                            });
      });
}

std::optional<Table> SetTables::range(Type type, std::uint64_t low,
                                      std::uint64_t high) {
  const Elements *all = elementsOf(type);
  if (all == nullptr)
    return std::nullopt;
  return known(
      {{static_cast<std::uint64_t>(Purpose::range), type.id(), low, high}},
      [&] {
        const corpus::Attributes range(corpus::attribute::range, low, high);
        return ofOneOperand(
            type, all->list.size() + 1,
            [&](const Element &element, const auto &add) {
              add(all->indexOf(
                  applyAttributes(range, type, {element})->front()));
            });
      });
}

std::optional<Table> SetTables::covers(Type type) {
  const Elements *all = elementsOf(type);
  if (all == nullptr)
    return std::nullopt;
  return known({{static_cast<std::uint64_t>(Purpose::covers), type.id()}}, [&] {
    return ofOneOperand(type, all->list.size(),
                        [&](const Element &source, const auto &add) {
                          for (std::size_t t = 0; t < all->list.size(); ++t)
                            if (refines(all->list[t], source))
                              add(t);
                        });
  });
}

std::optional<Table>
SetTables::compute(const Operation &operation,
                   std::span<const TableOperand> operands) {
  Key key;
  key.words[0] = static_cast<std::uint64_t>(Purpose::compute) |
                 static_cast<std::uint64_t>(operation.opcode) << 8 |
                 std::uint64_t(operation.flags.bits()) << 16 |
                 static_cast<std::uint64_t>(operation.predicate) << 24 |
                 std::uint64_t(operation.type.id()) << 32;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const core::Literal *literal = operands[i].literal;
    key.words[1 + i / 2] |= std::uint64_t(operands[i].type.id())
                            << 32 * (i % 2);
    if (literal != nullptr) {
      key.words[2] |= (1 + static_cast<std::uint64_t>(literal->kind))
                      << (32 + 8 * i);
      key.words[3 + i] = literal->bits;
    }
  }
  return known(key, [&] { return build(operation, operands); });
}

/// The outputs that one choice of elements contributes to. False when that
/// cannot be told.
bool SetTables::addOutputs(const Operation &operation,
                           std::span<const Element> pick,
                           std::vector<std::uint32_t> &outputs) {
  outputs.clear();
  const bool hasResult = !operation.type.isVoid();
  const Elements *results = hasResult ? elementsOf(operation.type) : nullptr;
  const ElementResult result = evaluate(operation, semantics_, pick);
  switch (result.kind) {
  case ElementResult::Kind::element:
    if (hasResult)
      outputs.push_back(results->indexOf(result.element));
    return true;
  case ElementResult::Kind::undef:
    if (semantics_.undef == UndefRule::asPoison)
      outputs.push_back(results->indexOf(Element::poisonOf(operation.type)));
    else
      for (std::uint32_t i = 0; i < results->numbers; ++i)
        outputs.push_back(i);
    return true;
  case ElementResult::Kind::ub:
    outputs.push_back(
        static_cast<std::uint32_t>(hasResult ? results->list.size() : 0));
    return true;
  case ElementResult::Kind::eitherArm:
    // The core has made a number of the condition.
    return true;
  case ElementResult::Kind::tooMany:
    return false;
  }
  return false;
}

SetTables::OwnedTable SetTables::build(const Operation &operation,
                                       std::span<const TableOperand> operands) {
  struct Choice {
    const Elements *elements;
    std::vector<std::uint16_t> indices;
    bool isLiteral;
  };
  std::vector<Choice> choices;
  std::size_t combinations = 1;
  OwnedTable table;
  for (const TableOperand &operand : operands) {
    const Elements *all = elementsOf(operand.type);
    if (all == nullptr)
      return {};
    Choice choice{all, {}, operand.literal != nullptr};
    if (choice.isLiteral)
      choice.indices = literalElements(operand);
    else
      for (std::uint16_t i = 0; i < all->size(); ++i)
        choice.indices.push_back(i);
    combinations *= choice.indices.size();
    if (combinations > maximumTerms)
      return {};
    table.arity += choice.isLiteral ? 0 : 1;
    choices.push_back(std::move(choice));
  }
  const bool hasResult = !operation.type.isVoid();
  if (hasResult && elementsOf(operation.type) == nullptr)
    return {};
  const std::size_t outputCount =
      1 + (hasResult ? elementsOf(operation.type)->list.size() : 0);
  std::vector<std::vector<Term>> terms(outputCount);

  std::vector<std::size_t> at(choices.size(), 0);
  std::vector<Element> pick(choices.size());
  std::vector<std::uint32_t> outputs;
  std::size_t termCount = 0;
  while (true) {
    Term term{{0, 0, 0}};
    unsigned place = 0;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const std::uint16_t index = choices[i].indices[at[i]];
      pick[i] = choices[i].elements->list[index];
      if (!choices[i].isLiteral)
        term.element[place++] = index;
    }
    if (!addOutputs(operation, pick, outputs))
      return {};
    for (std::uint32_t output : outputs)
      terms[output].push_back(term);
    termCount += outputs.size();
    if (termCount > maximumTerms)
      return {};
    std::size_t i = 0;
    while (i < choices.size() && ++at[i] == choices[i].indices.size())
      at[i++] = 0;
    if (i == choices.size())
      break;
  }
  const auto same = [](const Term &a, const Term &b) {
    return std::equal(a.element, a.element + 3, b.element);
  };
  for (std::vector<Term> &list : terms) {
    list.erase(std::unique(list.begin(), list.end(), same), list.end());
    table.terms.insert(table.terms.end(), list.begin(), list.end());
    table.ends.push_back(static_cast<std::uint32_t>(table.terms.size()));
  }
  return table;
}

} // namespace checker::setsliced
