// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/operand_walk.h"

#include "enumerate/type_orders.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace enumerate {

using corpus::Rank;
using corpus::Type;
using Kind = Decision::Kind;

Operands::Operands(const LayoutTables &tables, const Skeleton &skeleton)
    : tables_(tables) {
  addParts(skeleton);
  addItems(skeleton);
  addClasses();
}

void Operands::addParts(const Skeleton &skeleton) {
  const auto &groups = tables_.grammar().groups();
  const std::size_t types = tables_.types().size();
  std::array<unsigned, SpaceSpec::maximumTypes> together{};
  for (std::size_t type = 0; type < types; ++type)
    together[type] = 1U << type;
  for (const Skeleton::Made &made : skeleton.instructions) {
    unsigned taken = 0;
    for (const Type type : groups[made.group].operands)
      taken |= together[tables_.numberOf(type)];
    for (std::size_t type = 0; type < types; ++type)
      if ((taken >> type & 1U) != 0)
        together[type] = taken;
  }
  for (std::size_t type = 0; type < types; ++type) {
    const bool isFirst = (together[type] & ((1U << type) - 1)) == 0;
    if (!isFirst) {
      partOfType_[type] = partOfType_[static_cast<std::size_t>(
          std::countr_zero(together[type]))];
      continue;
    }
    partOfType_[type] = static_cast<std::uint8_t>(parts_.size());
    Part part;
    part.types = together[type];
    part.points = &tables_.points().projection(part.types);
    parts_.add(part);
  }
}

void Operands::addItem(const Item &item) {
  items_.add(item);
  ++parts_[partOf(item)].items;
}

void Operands::addItems(const Skeleton &skeleton) {
  const auto &groups = tables_.grammar().groups();
  const Layout &layout = skeleton.layout;
  const Cfg &cfg = tables_.grammar().cfgs()[layout.cfg];
  const Shape shape = shapeOf(cfg, layout.blocks);
  std::array<std::array<Values, SpaceSpec::maximumTypes>,
             SpaceSpec::maximumBlocks>
      inBlock{};
  auto made = skeleton.instructions.begin();
  for (std::size_t block = 0; block < layout.lengths.size(); ++block)
    for (unsigned i = 0; i < layout.lengths[block]; ++i, ++made)
      if (const std::size_t type = tables_.resultOf(made->group);
          type < tables_.types().size()) {
        inBlock[block][type] |= static_cast<Values>(1U << values_.size());
        values_.add({static_cast<std::uint8_t>(type)});
      }
  const auto slot = [&](Type of, Shape::Blocks blocks) {
    Slot result{tables_.numberOf(of), 0};
    for (std::size_t i = 0; i < shape.blocks.size(); ++i)
      if ((blocks >> i & 1U) != 0)
        result.seen |= inBlock[i][result.type];
    return result;
  };

  Few<Item, SpaceSpec::maximumInstructions> phis;
  made = skeleton.instructions.begin();
  std::size_t number = 0; // of the block in the shape
  unsigned value = 0;
  auto end = shape.ends.begin();
  for (std::size_t block = 0; block < cfg.size(); ++block) {
    if (number < layout.blocks.size() && layout.blocks[number] == block) {
      const Shape::Block &blockOf = shape.blocks[number];
      std::array<Values, SpaceSpec::maximumTypes> before{};
      for (unsigned i = 0; i < layout.lengths[number]; ++i, ++made) {
        const TemplateGroup &group = groups[made->group];
        Item item;
        item.group = &group;
        if (group.isPhi) {
          item.kind = Item::Kind::phi;
          for (const Shape::Blocks blocks : blockOf.incoming)
            item.slots.add(slot(group.results.front(), blocks));
          phis.add(item);
        } else if (!group.operands.empty()) {
          for (const Type type : group.operands) {
            item.slots.add(slot(type, blockOf.dominators));
            Slot &added = item.slots[item.slots.size() - 1];
            added.seen |= before[added.type];
          }
          addItem(item);
        }
        if (!group.results.empty()) {
          before[values_[value].type] |= static_cast<Values>(1U << value);
          ++value;
        }
      }
      ++number;
    }
    const Exit::Kind kind = cfg.exits[block].kind;
    if (kind == Exit::Kind::jump || kind == Exit::Kind::unreachable)
      continue;
    const Type type = skeleton.ends[block].type;
    if (!type.isVoid()) {
      Item item;
      item.kind = kind == Exit::Kind::ret ? Item::Kind::returned
                                          : Item::Kind::condition;
      item.slots.add(slot(type, end->sees));
      addItem(item);
    }
    ++end;
  }
  for (const Item &phi : phis)
    addItem(phi);
}

void Operands::addClasses() {
  struct Class {
    std::size_t type = 0;
    Values results = 0;
    std::uint8_t number = 0; ///< in the part
  };
  Few<Class, SpaceSpec::maximumInstructions> classes;
  for (std::size_t type = 0; type < tables_.types().size(); ++type) {
    Class ofType{type};
    for (unsigned i = 0; i < values_.size(); ++i)
      if (values_[i].type == type)
        ofType.results |= static_cast<Values>(1U << i);
    if (ofType.results != 0)
      classes.add(ofType);
  }
  for (const Item &item : items_)
    for (const Slot &slot : item.slots)
      for (std::size_t i = classes.size(); i-- > 0;) {
        Class &all = classes[i];
        const auto inside = static_cast<Values>(all.results & slot.seen);
        if (inside == 0 || inside == all.results)
          continue;
        Class outside = all;
        outside.results &= static_cast<Values>(~inside);
        all.results = inside;
        classes.add(outside);
      }
  for (Class &each : classes) {
    Part &part = parts_[partOfType_[each.type]];
    each.number = part.classes++;
    for (unsigned i = 0; i < values_.size(); ++i)
      if ((each.results >> i & 1U) != 0) {
        values_[i].classNumber = each.number;
        ++part.sizes[each.number];
      }
  }
  for (Part &part : parts_) {
    part.unused = part.sizes;
    for (std::size_t i = 0; i < part.classes; ++i)
      part.ways *= part.sizes[i] + 1U;
  }
  for (Item &item : items_)
    for (Slot &slot : item.slots) {
      Values seen = 0;
      for (const Class &each : classes)
        if ((each.results & slot.seen) != 0)
          seen |= static_cast<Values>(1U << each.number);
      slot.seen = seen;
    }
}

bool Operands::isSame(Kind kind, std::uint16_t index) const {
  return isExcluded_ && (slot_ == 0 || first_ == std::pair(kind, index));
}

void Operands::decide(const Decision &decision) {
  const Item &item = this->item();
  std::pair<Kind, std::uint16_t> taken(decision.kind, decision.index);
  bool isExcludedLiteral = false;
  switch (decision.kind) {
  case Kind::newArgument:
    used_ = tables_.points().next(used_, slot().type).value();
    arguments_.add(slot().type);
    taken.first = Kind::argument;
    break;
  case Kind::value: {
    Value &value = values_[decision.index];
    if (value.isUnused)
      --parts_[partOf(item)].unused[value.classNumber];
    value.isUnused = false;
    break;
  }
  case Kind::constant:
    isExcludedLiteral = true;
    break;
  case Kind::sameConstant:
    taken.first = Kind::constant;
    break;
  case Kind::undef:
  case Kind::poison:
    isExcludedLiteral = item.group != nullptr && !item.group->isFreeze;
    break;
  default:
    break;
  }
  if (item.kind == Item::Kind::phi) {
    isExcluded_ = isSame(taken.first, taken.second);
    if (slot_ == 0)
      first_ = taken;
  } else {
    isExcluded_ = isExcluded_ && isExcludedLiteral;
  }
  if (++slot_ < item.slots.size())
    return;
  ++parts_[partOf(item)].decided;
  ++item_;
  slot_ = 0;
  isExcluded_ = true;
}

template <typename Number>
OperandWalk<Number>::OperandWalk(const LayoutTables &tables,
                                 const Skeleton &skeleton)
    : Operands(tables, skeleton) {
  countRows();
}

template <typename Number>
template <typename Other>
OperandWalk<Number>::OperandWalk(const OperandWalk<Other> &from)
    : Operands(from) {
  assert(from.asked_ == 0);
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    rows_[part].reserve(from.rows_[part].size());
    for (const Other number : from.rows_[part])
      rows_[part].push_back(static_cast<Number>(number));
  }
}

template <typename Number>
Number OperandWalk<Number>::withoutArguments(const Item &item, const Slot &slot,
                                             const Counts &unusable) const {
  const Part &part = parts_[partOf(item)];
  unsigned results = 0;
  for (std::size_t i = 0; i < part.classes; ++i)
    if ((slot.seen >> i & 1U) != 0)
      results += part.sizes[i] - unusable[i];
  return (item.kind == Item::Kind::condition
              ? Number(0)
              : static_cast<Number>(tables_.literals(slot.type))) +
         results;
}

template <typename Number>
Number OperandWalk<Number>::excludedLiterals(const Item &item,
                                             std::size_t from) const {
  Number product = 1;
  for (std::size_t i = from; i < item.slots.size(); ++i)
    product *= static_cast<Number>(
        tables_.excludedLiterals(*item.group, item.slots[i].type));
  return product;
}

template <typename Number>
template <typename Ways>
void OperandWalk<Number>::multiplyByItem(const Item &item,
                                         const Counts &unusable,
                                         const Number *behind,
                                         Number *product) const {
  const auto &points = parts_[partOf(item)].points->points;
  std::array<Ways, LayoutTables::maximumOperands> first;
  Slot everywhere = item.slots[0];
  for (std::size_t i = 0; i < item.slots.size(); ++i) {
    first[i] =
        static_cast<Ways>(withoutArguments(item, item.slots[i], unusable));
    everywhere.seen &= item.slots[i].seen;
  }
  // All the same is no phi.
  const bool isPhi = item.kind == Item::Kind::phi;
  const auto same =
      isPhi ? static_cast<Ways>(withoutArguments(item, everywhere, unusable))
            : Ways(0);
  const auto excluded = item.kind == Item::Kind::instruction
                            ? static_cast<Ways>(excludedLiterals(item, 0))
                            : same;
  for (std::size_t point = 0; point < points.size(); ++point) {
    Ways all = 1;
    for (std::size_t i = 0; i < item.slots.size(); ++i)
      all *= first[i] + points[point][item.slots[i].type];
    if (isPhi)
      all -= points[point][everywhere.type];
    product[point] = behind[point] * (all - excluded);
  }
}

template <typename Number> void OperandWalk<Number>::countRows() {
  std::array<Number *, SpaceSpec::maximumTypes> rows{};
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const std::size_t size = parts_[i].ways * parts_[i].points->points.size();
    rows_[i].resize((parts_[i].items + 1U) * size);
    rows[i] = &rows_[i][parts_[i].items * size];
    std::fill_n(rows[i], size, Number(1));
  }
  for (std::size_t i = items_.size(); i-- > 0;) {
    const Item &item = items_[i];
    const Part &part = parts_[partOf(item)];
    const std::size_t points = part.points->points.size();
    const std::size_t size = part.ways * points;
    Number *&row = rows[partOf(item)];
    row -= size;
    part.forEachUpTo(part.sizes, [&](std::size_t way, const Counts &unusable) {
      Number *product = row + way * points;
      const auto multiply = [&](auto one) {
        multiplyByItem<decltype(one)>(item, unusable, product + size, product);
      };
      // Numbers of 64 bits are multiplied faster.
      if (tables_.areChoicesSmall())
        multiply(std::uint64_t(1));
      else
        multiply(Number(1));
    });
  }
}

template <typename Number> void OperandWalk<Number>::countOthers() {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (i == partOf(item()))
      continue;
    const Part &part = parts_[i];
    const std::size_t points = part.points->points.size();
    const Number *rows = row(i, part.decided);
    std::fill_n(others_[i].begin(), points, Number(0));
    part.forEachUpTo(part.unused, [&](std::size_t way, const Counts &unusable) {
      const auto ways = static_cast<Number>(
          signedChoices({part.unused.data(), part.classes}, unusable));
      for (std::size_t point = 0; point < points; ++point)
        others_[i][point] += ways * rows[way * points + point];
    });
  }
  knowsOthers_ = true;
}

template <typename Number>
void OperandWalk<Number>::weigh(std::size_t used,
                                std::span<Number> weights) const {
  const std::size_t here = partOf(item());
  std::fill(weights.begin(), weights.end(), Number(0));
  for (const auto &[point, weight] : tables_.points().terms(used)) {
    auto product = static_cast<Number>(weight);
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (i != here)
        product *= others_[i][parts_[i].points->of[point]];
    weights[parts_[here].points->of[point]] += product;
  }
}

template <typename Number>
void OperandWalk<Number>::countBehind(std::size_t used) {
  const Item &item = this->item();
  const Part &part = this->part();
  const auto &points = part.points->points;
  const Number excludedLater = item.kind == Item::Kind::instruction
                                   ? excludedLiterals(item, slot_ + 1)
                                   : 1;
  behindUsed_ = used;
  if (!knowsOthers_)
    countOthers();
  std::array<Number, LayoutTables::maximumPoints> weights;
  weigh(used, {weights.data(), points.size()});
  const Number *rows = row(partOf(item), part.decided + 1U);
  part.forEachUpTo(part.unused, [&](std::size_t way, const Counts &unusable) {
    const Number *later = rows + way * points.size();
    std::array<Number, LayoutTables::maximumOperands> first;
    for (std::size_t i = slot_ + 1; i < item.slots.size(); ++i)
      first[i] = withoutArguments(item, item.slots[i], unusable);
    Number open = 0;
    Number excluded = 0;
    for (std::size_t point = 0; point < points.size(); ++point) {
      Number ways = weights[point] * later[point];
      excluded += ways;
      for (std::size_t i = slot_ + 1; i < item.slots.size(); ++i)
        ways *= first[i] + points[point][item.slots[i].type];
      open += ways;
    }
    behind_[way] = {open, excluded * excludedLater};
  });
}

template <typename Number>
typename OperandWalk<Number>::Behind
OperandWalk<Number>::sumOf(const Counts &unused) const {
  Behind sum;
  const Part &part = this->part();
  part.forEachUpTo(unused, [&](std::size_t way, const Counts &unusable) {
    const auto ways = static_cast<Number>(
        signedChoices({unused.data(), part.classes}, unusable));
    sum.open += ways * behind_[way].open;
    sum.excluded += ways * behind_[way].excluded;
  });
  return sum;
}

template <typename Number>
Number OperandWalk<Number>::functions(const Behind &behind,
                                      bool isExcluded) const {
  return tables_.points().divide(
      isExcluded ? behind.open - behind.excluded : behind.open, behindUsed_);
}

template <typename Number>
std::span<const Option> OperandWalk<Number>::options() {
  options_.clear();
  // What is dear to count is counted when it is asked for.
  while (options_.empty() && asked_ < 3)
    switch (asked_++) {
    case 0: {
      countBehind(used_);
      const Behind behind = sumOf(part().unused);
      addLiterals(behind);
      addArguments(behind);
      break;
    }
    case 1:
      addResults();
      break;
    default:
      addNewArgument();
    }
  return options_;
}

template <typename Number>
void OperandWalk<Number>::take(const Decision &decision) {
  asked_ = 0;
  const std::size_t before = item_;
  decide(decision);
  knowsOthers_ = knowsOthers_ && item_ == before;
}

template <typename Number>
void OperandWalk<Number>::add(Kind kind, std::uint16_t index,
                              std::uint64_t choices, Number each) {
  if (choices != 0 && each != 0)
    options_.push_back(
        {{kind, index, tables_.types()[slot().type], choices}, each});
}

template <typename Number>
void OperandWalk<Number>::addLiterals(const Behind &behind) {
  const Item &item = this->item();
  if (item.kind == Item::Kind::condition)
    return;
  const bool isPhi = item.kind == Item::Kind::phi;
  const auto each = [&](Kind kind) {
    const bool isExcluded =
        isPhi ? isSame(kind, 0)
              : item.kind == Item::Kind::instruction && isExcluded_ &&
                    (kind == Kind::constant || !item.group->isFreeze);
    return functions(behind, isExcluded);
  };
  const std::uint64_t constants =
      tables_.grammar().constants(tables_.types()[slot().type]).size();
  if (isPhi && slot_ != 0 && isSame(Kind::constant, 0)) {
    add(Kind::sameConstant, 0, 1, each(Kind::constant));
    add(Kind::otherConstant, 0, constants - 1, functions(behind, false));
  } else {
    add(Kind::constant, 0, constants, each(Kind::constant));
  }
  if (tables_.spec().undef)
    add(Kind::undef, 0, 1, each(Kind::undef));
  if (tables_.spec().poison)
    add(Kind::poison, 0, 1, each(Kind::poison));
}

template <typename Number>
void OperandWalk<Number>::addArguments(const Behind &behind) {
  const bool isPhi = item().kind == Item::Kind::phi;
  const auto size = static_cast<std::uint16_t>(arguments_.size());
  for (std::uint16_t i = 0; i < size; ++i)
    if (arguments_[i] == slot().type)
      add(Kind::argument, i, 1,
          functions(behind, isPhi && isSame(Kind::argument, i)));
}

template <typename Number> void OperandWalk<Number>::addNewArgument() {
  const auto used = tables_.points().next(used_, slot().type);
  if (!used)
    return;
  countBehind(*used);
  const bool isPhi = item().kind == Item::Kind::phi;
  const auto index = static_cast<std::uint16_t>(arguments_.size());
  add(Kind::newArgument, index, 1,
      functions(sumOf(part().unused), isPhi && isSame(Kind::argument, index)));
}

template <typename Number> void OperandWalk<Number>::addResults() {
  const Item &item = this->item();
  const auto size = static_cast<std::uint16_t>(values_.size());
  for (std::uint16_t i = 0; i < size; ++i) {
    const Value &value = values_[i];
    const auto isSeen = [&](const Slot &at) {
      return at.type == value.type && (at.seen >> value.classNumber & 1U) != 0;
    };
    if (!isSeen(slot()))
      continue;
    const bool isEverywhere =
        std::all_of(item.slots.begin() + slot_, item.slots.end(), isSeen);
    Counts unused = part().unused;
    if (value.isUnused)
      --unused[value.classNumber];
    add(Kind::value, i, 1,
        functions(sumOf(unused), item.kind == Item::Kind::phi && isEverywhere &&
                                     isSame(Kind::value, i)));
  }
}

template class OperandWalk<Rank>;
template class OperandWalk<std::uint64_t>;
template OperandWalk<std::uint64_t>::OperandWalk(const OperandWalk<Rank> &);

} // namespace enumerate
