// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/layout_walk.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace enumerate {

using corpus::Rank;
using corpus::Type;
using Kind = Decision::Kind;

SkeletonWalk::SkeletonWalk(const LayoutTables &tables, const Layout &layout)
    : tables_(tables), layout_(layout), points_(tables.points().size()),
      shape_(shapeOf(tables.grammar().cfgs()[layout.cfg], layout.blocks)),
      sum_(tables, shape_, layout.lengths), branches_(1),
      switchTypes_(shape_.ends.size()), ends_(sum_.combinations() * points_),
      knowsEnds_(sum_.combinations()) {
  for (std::size_t i = 0; i < layout.lengths.size(); ++i)
    decided_.open[i].instructions = layout.lengths[i];
  std::fill_n(branches_.front().product.begin(), points_, Rank(1));
}

std::span<const Option> SkeletonWalk::options() {
  options_.clear();
  if (block_ < shape_.blocks.size())
    addInstructions();
  else
    addSwitches();
  return options_;
}

void SkeletonWalk::take(const Decision &decision) {
  if (decision.kind == Kind::instruction)
    return takeInstruction(decision.index);
  for (std::size_t i = 0; i < shape_.ends.size(); ++i)
    if (shape_.ends[i].kind == Exit::Kind::switch_ && !switchTypes_[i]) {
      switchTypes_[i] = tables_.numberOf(decision.type);
      return;
    }
  assert(false && "no switch is open");
}

void SkeletonWalk::add(const Decision &decision, Rank sum) {
  if (sum != 0)
    options_.push_back({decision, sum / tables_.points().divisor(0)});
}

LayoutTables::Numbers SkeletonWalk::rest(const ByBlock &usable) {
  LayoutTables::Numbers sum;
  std::fill_n(sum.begin(), points_, Rank(0));
  decided_.usable = usable;
  sum_.forEach(decided_, [&](const LayoutTables::Numbers &product,
                             const ByBlock &then, std::size_t combination) {
    const Rank *behind = ends(then, combination);
    for (std::size_t point = 0; point < points_; ++point)
      sum[point] += product[point] * behind[point];
  });
  return sum;
}

const Rank *SkeletonWalk::ends(const ByBlock &usable, std::size_t combination) {
  Rank *behind = &ends_[combination * points_];
  if (knowsEnds_[combination])
    return behind;
  knowsEnds_[combination] = true;
  LayoutTables::Numbers ways;
  std::fill_n(ways.begin(), points_, Rank(1));
  for (std::size_t i = 0; i < shape_.ends.size(); ++i) {
    const Shape::End &end = shape_.ends[i];
    if (!switchTypes_[i]) {
      multiplyByEnds(tables_, std::span(&end, 1), layout_.returned, usable,
                     ways);
      continue;
    }
    const std::uint8_t type = *switchTypes_[i];
    const unsigned count = seen(end.sees, usable)[type];
    for (std::size_t point = 0; point < points_; ++point)
      ways[point] *= Rank(tables_.points()[point][type]) + count;
  }
  std::copy_n(ways.begin(), points_, behind);
  return behind;
}

TypeCounts SkeletonWalk::seenHere(const Branch &branch) const {
  return seen(static_cast<Shape::Blocks>(shape_.blocks[block_].dominators |
                                         1U << block_),
              branch.usable);
}

void SkeletonWalk::addInstructions() {
  const auto &groups = tables_.grammar().groups();
  const std::size_t types = tables_.types().size();
  LayoutSum::Open &open = decided_.open[block_];
  --open.instructions;
  open.mayBePhis = false;
  // By branch: what a result adds when it is usable, by type, and what follows
  // when there is none.
  std::vector<Rank> behind(branches_.size() * (types + 1) * points_);
  const auto behindOf = [&](std::size_t branch, std::size_t result) {
    return &behind[(branch * (types + 1) + result) * points_];
  };
  std::vector<TypeCounts> usable;
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    const Branch &branch = branches_[i];
    usable.push_back(seenHere(branch));
    const LayoutTables::Numbers without = rest(branch.usable);
    Rank *numbers = behindOf(i, types);
    for (std::size_t point = 0; point < points_; ++point)
      numbers[point] = branch.product[point] * without[point];
    for (std::size_t type = 0; type < types; ++type) {
      ByBlock with = branch.usable;
      ++with[block_][type];
      const LayoutTables::Numbers then = rest(with);
      numbers = behindOf(i, type);
      for (std::size_t point = 0; point < points_; ++point)
        numbers[point] = branch.product[point] * (then[point] - without[point]);
    }
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const TemplateGroup &group = groups[g];
    const auto index = static_cast<std::uint16_t>(g);
    if (group.isPhi) {
      if (mayBePhi())
        addPhi(index);
      continue;
    }
    const std::size_t result =
        group.results.empty() ? types : tables_.numberOf(group.results.front());
    Rank sum = 0;
    for (std::size_t i = 0; i < branches_.size(); ++i) {
      const auto own = tables_.ofGroup(g, usable[i]);
      const Rank *numbers = behindOf(i, result);
      for (const auto &[point, weight] : tables_.points().terms(0))
        sum += weight * own[point] * numbers[point];
    }
    add({Kind::instruction, index, Type(), group.templates.size()}, sum);
  }
  open.mayBePhis = isBeforeOthers_;
  ++open.instructions;
}

void SkeletonWalk::addPhi(std::uint16_t index) {
  const TemplateGroup &group = tables_.grammar().groups()[index];
  const std::size_t type = tables_.numberOf(group.results.front());
  decided_.open[block_].mayBePhis = true;
  ++decided_.phis[block_][type];
  Rank sum = 0;
  for (const Branch &branch : branches_) {
    ByBlock with = branch.usable;
    ++with[block_][type];
    const LayoutTables::Numbers usable = rest(with);
    const LayoutTables::Numbers unusable = rest(branch.usable);
    for (const auto &[point, weight] : tables_.points().terms(0))
      sum += weight * branch.product[point] * (usable[point] - unusable[point]);
  }
  --decided_.phis[block_][type];
  decided_.open[block_].mayBePhis = false;
  add({Kind::instruction, index, Type(), group.templates.size()}, sum);
}

void SkeletonWalk::takeInstruction(std::uint16_t index) {
  const TemplateGroup &group = tables_.grammar().groups()[index];
  const std::size_t before = branches_.size();
  for (std::size_t i = 0; i < before; ++i) {
    if (!group.isPhi) {
      const auto own = tables_.ofGroup(index, seenHere(branches_[i]));
      for (std::size_t point = 0; point < points_; ++point)
        branches_[i].product[point] *= own[point];
    }
    if (group.results.empty())
      continue;
    branches_.push_back(branches_[i]);
    ++branches_.back().usable[block_][tables_.numberOf(group.results.front())];
    for (std::size_t point = 0; point < points_; ++point)
      branches_[i].product[point] = -branches_[i].product[point];
  }
  if (group.isPhi)
    ++decided_.phis[block_][tables_.numberOf(group.results.front())];
  isBeforeOthers_ = isBeforeOthers_ && group.isPhi;
  decided_.open[block_].mayBePhis = isBeforeOthers_;
  --decided_.open[block_].instructions;
  if (++length_ < layout_.lengths[block_])
    return;
  ++block_;
  length_ = 0;
  isBeforeOthers_ = true;
}

void SkeletonWalk::addSwitches() {
  for (std::size_t i = 0; i < shape_.ends.size(); ++i) {
    if (shape_.ends[i].kind != Exit::Kind::switch_ || switchTypes_[i])
      continue;
    for (std::size_t type = 0; type < tables_.types().size(); ++type) {
      switchTypes_[i] = static_cast<std::uint8_t>(type);
      knowsEnds_.assign(knowsEnds_.size(), false);
      Rank sum = 0;
      for (const Branch &branch : branches_) {
        const LayoutTables::Numbers behind = rest(branch.usable);
        for (const auto &[point, weight] : tables_.points().terms(0))
          sum += weight * branch.product[point] * behind[point];
      }
      const auto sets = tables_.caseSets(type, shape_.ends[i].cases);
      if (sets != 0)
        add({Kind::terminator, 0, tables_.types()[type],
             static_cast<std::uint64_t>(sets)},
            sum);
    }
    switchTypes_[i].reset();
    return;
  }
}

OperandWalk::OperandWalk(const LayoutTables &tables, const Skeleton &skeleton)
    : tables_(tables), points_(tables.points().size()) {
  addItems(skeleton);
  unused_ = static_cast<Values>((1U << values_.size()) - 1);
  countItems();
}

void OperandWalk::addItems(const Skeleton &skeleton) {
  const Layout &layout = skeleton.layout;
  const Cfg &cfg = tables_.grammar().cfgs()[layout.cfg];
  const Shape shape = shapeOf(cfg, layout.blocks);
  std::array<Values, SpaceSpec::maximumBlocks> inBlock{};
  std::array<Values, SpaceSpec::maximumTypes> ofType{};
  std::size_t instruction = 0;
  for (std::size_t block = 0; block < layout.lengths.size(); ++block)
    for (unsigned i = 0; i < layout.lengths[block]; ++i) {
      const auto &made = skeleton.instructions[instruction++];
      for (const Type result : tables_.grammar().groups()[made.group].results) {
        const auto value = static_cast<Values>(1U << values_.size());
        values_.push_back(tables_.numberOf(result));
        inBlock[block] |= value;
        ofType[values_.back()] |= value;
      }
    }
  const auto seen = [&](Shape::Blocks blocks) {
    Values values = 0;
    for (std::size_t i = 0; i < shape.blocks.size(); ++i)
      values |= (blocks >> i & 1U) != 0 ? inBlock[i] : Values(0);
    return values;
  };
  const auto slot = [&](std::uint8_t type, Values values) {
    return Slot{type, static_cast<Values>(values & ofType[type])};
  };

  std::vector<Item> phis;
  instruction = 0;
  unsigned value = 0;
  auto end = shape.ends.begin();
  for (std::size_t block = 0; block < cfg.size(); ++block) {
    const auto here =
        std::find(layout.blocks.begin(), layout.blocks.end(), block);
    if (here != layout.blocks.end()) {
      const auto number =
          static_cast<std::size_t>(here - layout.blocks.begin());
      const Shape::Block &blockOf = shape.blocks[number];
      for (unsigned i = 0; i < layout.lengths[number]; ++i) {
        const auto before = static_cast<Values>((1U << value) - 1);
        const TemplateGroup &group =
            tables_.grammar()
                .groups()[skeleton.instructions[instruction++].group];
        Item item;
        item.group = &group;
        if (group.isPhi) {
          item.kind = Item::Kind::phi;
          for (const Shape::Blocks blocks : blockOf.incoming)
            item.slots.push_back(
                slot(tables_.numberOf(group.results.front()), seen(blocks)));
          phis.push_back(std::move(item));
        } else if (!group.operands.empty()) {
          for (const Type type : group.operands)
            item.slots.push_back(
                slot(tables_.numberOf(type),
                     seen(blockOf.dominators) | (inBlock[number] & before)));
          items_.push_back(std::move(item));
        }
        value += static_cast<unsigned>(group.results.size());
      }
    }
    const Exit::Kind kind = cfg.exits[block].kind;
    if (kind == Exit::Kind::jump || kind == Exit::Kind::unreachable)
      continue;
    const Type type = skeleton.ends[block].type;
    if (!type.isVoid())
      items_.push_back({kind == Exit::Kind::ret ? Item::Kind::returned
                                                : Item::Kind::condition,
                        nullptr,
                        {slot(tables_.numberOf(type), seen(end->sees))}});
    ++end;
  }
  std::move(phis.begin(), phis.end(), std::back_inserter(items_));
}

Rank OperandWalk::withoutArguments(const Item &item, const Slot &slot,
                                   Values unusable) const {
  return (item.kind == Item::Kind::condition ? 0
                                             : tables_.literals(slot.type)) +
         static_cast<unsigned>(
             std::popcount(static_cast<Values>(slot.seen & ~unusable)));
}

void OperandWalk::multiplyBySlots(const Item &item, std::size_t from,
                                  Values unusable, Rank *product) const {
  for (std::size_t i = from; i < item.slots.size(); ++i) {
    const Slot &slot = item.slots[i];
    const Rank first = withoutArguments(item, slot, unusable);
    for (std::size_t point = 0; point < points_; ++point)
      product[point] *= first + tables_.points()[point][slot.type];
  }
}

Rank OperandWalk::excludedLiterals(const Item &item, std::size_t from) const {
  Rank product = 1;
  for (std::size_t i = from; i < item.slots.size(); ++i)
    product *= tables_.excludedLiterals(*item.group, item.slots[i].type);
  return product;
}

void OperandWalk::multiplyByItem(const Item &item, Values unusable,
                                 Rank *product) const {
  LayoutTables::Numbers ways;
  std::fill_n(ways.begin(), points_, Rank(1));
  multiplyBySlots(item, 0, unusable, ways.data());
  if (item.kind == Item::Kind::instruction) {
    const Rank excluded = excludedLiterals(item, 0);
    for (std::size_t point = 0; point < points_; ++point)
      ways[point] -= excluded;
  } else if (item.kind == Item::Kind::phi) {
    Slot everywhere = item.slots.front();
    for (const Slot &slot : item.slots)
      everywhere.seen &= slot.seen;
    const Rank same = withoutArguments(item, everywhere, unusable);
    for (std::size_t point = 0; point < points_; ++point)
      ways[point] -= same + tables_.points()[point][everywhere.type];
  }
  for (std::size_t point = 0; point < points_; ++point)
    product[point] *= ways[point];
}

void OperandWalk::countItems() {
  const std::size_t sets = std::size_t(1) << values_.size();
  behind_.assign(items_.size() + 1, Numbers(sets * points_, 1));
  for (std::size_t i = items_.size(); i-- > 0;) {
    behind_[i] = behind_[i + 1];
    for (std::size_t set = 0; set < sets; ++set)
      multiplyByItem(items_[i], static_cast<Values>(set),
                     &behind_[i][set * points_]);
  }
  open_.resize(sets * points_);
  excluded_.resize(sets * points_);
}

Rank OperandWalk::sumOf(const Numbers &numbers, Values unused,
                        std::size_t used) const {
  Rank sum = 0;
  for (Values set = unused;; set = static_cast<Values>((set - 1U) & unused)) {
    Rank here = 0;
    for (const auto &[point, weight] : tables_.points().terms(used))
      here += weight * numbers[set * points_ + point];
    sum += std::popcount(set) % 2 == 0 ? here : -here;
    if (set == 0)
      break;
  }
  return sum / tables_.points().divisor(used);
}

std::span<const Option> OperandWalk::options() {
  options_.clear();
  if (item_ == items_.size())
    return options_;
  const Item &item = items_[item_];
  const Slot &slot = item.slots[slot_];
  const Rank excluded = item.kind == Item::Kind::instruction
                            ? excludedLiterals(item, slot_ + 1)
                            : 1;
  for (Values set = unused_;; set = static_cast<Values>((set - 1U) & unused_)) {
    const Rank *behind = &behind_[item_ + 1][set * points_];
    Rank *open = &open_[set * points_];
    std::copy_n(behind, points_, open);
    multiplyBySlots(item, slot_ + 1, set, open);
    for (std::size_t point = 0; point < points_; ++point)
      excluded_[set * points_ + point] = behind[point] * excluded;
    if (set == 0)
      break;
  }
  if (item.kind != Item::Kind::condition)
    addLiterals(item, slot);
  addVariables(item, slot);
  return options_;
}

bool OperandWalk::isSame(Kind kind, std::uint16_t index) const {
  return isExcluded_ && (slot_ == 0 || first_ == std::pair(kind, index));
}

void OperandWalk::add(Kind kind, std::uint16_t index, const Slot &slot,
                      std::uint64_t choices, Rank each) {
  if (choices != 0 && each != 0)
    options_.push_back(
        {{kind, index, tables_.types()[slot.type], choices}, each});
}

void OperandWalk::addLiterals(const Item &item, const Slot &slot) {
  const Rank all = sumOf(open_, unused_, used_);
  const bool isPhi = item.kind == Item::Kind::phi;
  const auto behind = [&](Kind kind) {
    const bool isExcluded =
        isPhi ? isSame(kind, 0)
              : item.kind == Item::Kind::instruction && isExcluded_ &&
                    (kind == Kind::constant || !item.group->isFreeze);
    return isExcluded ? all - sumOf(excluded_, unused_, used_) : all;
  };
  const std::uint64_t constants =
      tables_.grammar().constants(tables_.types()[slot.type]).size();
  if (isPhi && slot_ != 0 && isSame(Kind::constant, 0)) {
    add(Kind::sameConstant, 0, slot, 1, behind(Kind::constant));
    add(Kind::otherConstant, 0, slot, constants - 1, all);
  } else {
    add(Kind::constant, 0, slot, constants, behind(Kind::constant));
  }
  if (tables_.spec().undef)
    add(Kind::undef, 0, slot, 1, behind(Kind::undef));
  if (tables_.spec().poison)
    add(Kind::poison, 0, slot, 1, behind(Kind::poison));
}

void OperandWalk::addVariables(const Item &item, const Slot &slot) {
  const bool isPhi = item.kind == Item::Kind::phi;
  const auto behind = [&](Kind kind, std::uint16_t index, Values unused,
                          std::size_t used, bool isEverywhere) {
    const Rank all = sumOf(open_, unused, used);
    return isPhi && isEverywhere && isSame(kind, index)
               ? all - sumOf(excluded_, unused, used)
               : all;
  };
  const auto next = static_cast<std::uint16_t>(arguments_.size());
  for (std::uint16_t i = 0; i < next; ++i)
    if (arguments_[i] == slot.type)
      add(Kind::argument, i, slot, 1,
          behind(Kind::argument, i, unused_, used_, true));
  if (const auto used = tables_.points().next(used_, slot.type))
    add(Kind::newArgument, next, slot, 1,
        behind(Kind::argument, next, unused_, *used, true));
  const auto values = static_cast<std::uint16_t>(values_.size());
  for (std::uint16_t i = 0; i < values; ++i) {
    const auto value = static_cast<Values>(1U << i);
    if ((slot.seen & value) == 0)
      continue;
    const bool isEverywhere =
        std::all_of(item.slots.begin() + static_cast<std::ptrdiff_t>(slot_),
                    item.slots.end(), [&](const Slot &later) {
                      return (later.seen & value) != 0;
                    });
    add(Kind::value, i, slot, 1,
        behind(Kind::value, i, static_cast<Values>(unused_ & ~value), used_,
               isEverywhere));
  }
}

void OperandWalk::take(const Decision &decision) {
  const Item &item = items_[item_];
  const Slot &slot = item.slots[slot_];
  std::pair<Kind, std::uint16_t> taken(decision.kind, decision.index);
  bool isExcludedLiteral = false;
  switch (decision.kind) {
  case Kind::newArgument:
    used_ = tables_.points().next(used_, slot.type).value();
    arguments_.push_back(slot.type);
    taken.first = Kind::argument;
    break;
  case Kind::value:
    unused_ &= static_cast<Values>(~(1U << decision.index));
    break;
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
  ++item_;
  slot_ = 0;
  isExcluded_ = true;
}

} // namespace enumerate
