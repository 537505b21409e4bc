// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/skeleton_walk.h"

#include "enumerate/type_orders.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace enumerate {

using corpus::Rank;
using corpus::Type;
using Kind = Decision::Kind;

namespace {

/// 0 where more are usable than there are.
int signedChoicesOfUsable(const TypeCounts &results, const TypeCounts &usable) {
  TypeCounts unusable{};
  for (std::size_t type = 0; type < results.size(); ++type) {
    if (usable[type] > results[type])
      return 0;
    unusable[type] = results[type] - usable[type];
  }
  return signedChoices(results, unusable);
}

} // namespace

template <typename Number>
SkeletonWalk<Number>::SkeletonWalk(const LayoutTables &tables,
                                   const Layout &layout)
    : tables_(tables), layout_(layout), points_(tables.points().size()),
      types_(tables.types().size()),
      shape_(shapeOf(tables.grammar().cfgs()[layout.cfg], layout.blocks)),
      sum_(tables, shape_, layout.lengths), branches_(1), products_(points_) {
  for (const auto &[point, weight] : tables.points().terms(0))
    products_[point] = static_cast<Number>(weight);
  for (std::size_t i = 0; i < layout.lengths.size(); ++i)
    decided_.open[i].instructions = layout.lengths[i];
  countEnds();
  options_.reserve(16);
  enterBlock();
}

template <typename Number> void SkeletonWalk<Number>::enterBlock() {
  if (block_ < shape_.blocks.size()) {
    stage_ = shape_.blocks[block_].incoming.empty() ? Stage::instruction
                                                    : Stage::phis;
    return;
  }
  stage_ = switch_ < switches_.size() ? Stage::cases : Stage::complete;
}

template <typename Number>
std::span<const Option> SkeletonWalk<Number>::options() {
  options_.clear();
  if (stage_ == Stage::phis)
    while (options_.empty() && asked_ <= layout_.lengths[block_])
      addPhis(asked_++);
  else if (asked_++ == 0)
    stage_ == Stage::instruction ? addInstructions() : addCases();
  return options_;
}

template <typename Number>
void SkeletonWalk<Number>::take(const Decision &decision) {
  asked_ = 0;
  switch (stage_) {
  case Stage::phis:
    return takePhis(tables_.counts()[decision.index]);
  case Stage::instruction:
    return takeInstruction(decision.index);
  case Stage::cases: {
    const Shape::Blocks sees = switches_[switch_++].sees;
    addToEnds(tables_.numberOf(decision.type),
              [&](std::size_t, const UsableOfType::Counts &usable,
                  unsigned arguments) {
                return Number(seen(sees, usable)) + arguments;
              });
    return enterBlock();
  }
  case Stage::complete:
    assert(false && "nothing is open");
  }
}

template <typename Number>
void SkeletonWalk<Number>::add(const Decision &decision, Number sum) {
  if (sum != 0)
    options_.push_back({decision, tables_.points().divide(sum, 0)});
}

template <typename Number> void SkeletonWalk<Number>::countEnds() {
  for (std::size_t type = 0; type < types_; ++type)
    ends_[type].assign(sum_.usableOfType().size() *
                           (tables_.spec().arguments + 1UL),
                       Number(1));
  for (const Shape::End &end : shape_.ends) {
    if (end.kind == Exit::Kind::switch_) {
      switches_.add(end);
      continue;
    }
    const auto taken = takenBy(tables_, end, layout_.returned);
    if (!taken)
      continue;
    const auto literals = static_cast<Number>(taken->literals);
    addToEnds(taken->type, [&](std::size_t, const UsableOfType::Counts &usable,
                               unsigned arguments) {
      return literals + seen(end.sees, usable) + arguments;
    });
  }
}

template <typename Number>
template <typename Ways>
void SkeletonWalk<Number>::addToEnds(std::size_t type, const Ways &ways) {
  const unsigned most = tables_.spec().arguments;
  Number *end = ends_[type].data();
  std::size_t combination = 0;
  sum_.usableOfType().forEach([&](const UsableOfType::Counts &usable) {
    for (unsigned arguments = 0; arguments <= most; ++arguments)
      *end++ *= ways(combination, usable, arguments);
    ++combination;
  });
}

template <typename Number>
TypeCounts SkeletonWalk<Number>::seenHere(const ByBlock &usable) const {
  return seen(static_cast<Shape::Blocks>(shape_.blocks[block_].dominators |
                                         1U << block_),
              usable);
}

template <typename Number>
void SkeletonWalk<Number>::multiplyByEnds(Numbers &product) const {
  for (std::size_t type = 0; type < types_; ++type)
    sum_.multiply(product, type,
                  &ends_[type][sum_.combination(type) *
                               (tables_.spec().arguments + 1UL)]);
  for (std::size_t i = switch_; i < switches_.size(); ++i)
    enumerate::multiplyByEnds(tables_, std::span(&switches_[i], 1),
                              layout_.returned, sum_.usable(), product);
}

template <typename Number> bool SkeletonWalk<Number>::isLastBlock() const {
  return block_ + 1 == shape_.blocks.size() && switches_.empty();
}

template <typename Number>
template <typename WaysOf>
Number SkeletonWalk<Number>::sumOf(const Number *product,
                                   const WaysOf &waysOf) const {
  const ArgumentPoints &points = tables_.points();
  Numbers all;
  for (std::size_t type = 0; type < types_; ++type)
    if (const Number *ways = waysOf(type)) {
      for (std::size_t point = 0; point < points_; ++point)
        all[point] = product[point] * ways[points[point][type]];
      product = all.data();
    }
  return std::accumulate(product, product + points_, Number(0));
}

template <typename Number> void SkeletonWalk<Number>::addPhis(unsigned others) {
  const auto counts = tables_.countsOfPhis(layout_.lengths[block_] - others);
  std::vector<Number> sums(counts.size());
  if (others == 0 && isLastBlock())
    countLastPhis(counts, sums);
  else
    countPhis(counts, others, sums);
  for (std::size_t option = 0; option < counts.size(); ++option)
    add({Kind::instruction, counts[option], Type(),
         typeOrders(tables_.counts()[counts[option]])},
        sums[option]);
}

template <typename Number>
void SkeletonWalk<Number>::countLastPhis(std::span<const std::uint16_t> counts,
                                         std::span<Number> sums) const {
  const unsigned phis = layout_.lengths[block_];
  const unsigned most = tables_.spec().arguments;
  const std::size_t stride = sum_.usableOfType().stride(block_);
  // By type, number of its phis, and arguments.
  std::array<std::array<std::array<Number, SpaceSpec::maximumArguments + 1>,
                        SpaceSpec::maximumInstructions + 1>,
             SpaceSpec::maximumTypes>
      ways;
  for (std::size_t branch = 0; branch < branches_.size(); ++branch) {
    for (std::size_t type = 0; type < types_; ++type) {
      std::size_t combination = 0;
      for (std::size_t block = 0; block < block_; ++block)
        combination +=
            branches_[branch][block][type] * sum_.usableOfType().stride(block);
      for (unsigned count = 0; count <= phis; ++count) {
        std::fill_n(ways[type][count].begin(), most + 1, Number(0));
        if (count != 0 && !tables_.hasPhi(type))
          continue;
        for (unsigned usable = 0; usable <= count; ++usable) {
          const std::size_t with = combination + usable * stride;
          const Number *ends = &ends_[type][with * (most + 1UL)];
          const Number *own =
              count == 0 ? nullptr : sum_.phis(block_, type, count, with);
          const auto choices =
              static_cast<Number>(signedBinomial(count, count - usable));
          for (unsigned arguments = 0; arguments <= most; ++arguments)
            ways[type][count][arguments] +=
                choices * ends[arguments] *
                (own == nullptr ? Number(1) : own[arguments]);
        }
      }
    }
    for (std::size_t option = 0; option < counts.size(); ++option) {
      const TypeCounts &made = tables_.counts()[counts[option]];
      sums[option] += sumOf(productOf(branch), [&](std::size_t type) {
        return ways[type][made[type]].data();
      });
    }
  }
}

template <typename Number>
void SkeletonWalk<Number>::countPhis(std::span<const std::uint16_t> counts,
                                     unsigned others, std::span<Number> sums) {
  const unsigned phis = layout_.lengths[block_] - others;
  decided_.open[block_] = {static_cast<std::uint8_t>(others), false};
  std::vector<Number> ways(counts.size());
  for (unsigned usable = 0; usable <= phis; ++usable)
    for (const std::uint16_t some : tables_.countsOfPhis(usable)) {
      for (std::size_t option = 0; option < counts.size(); ++option)
        ways[option] = static_cast<Number>(signedChoicesOfUsable(
            tables_.counts()[counts[option]], tables_.counts()[some]));
      for (std::size_t branch = 0; branch < branches_.size(); ++branch) {
        decided_.usable = branches_[branch];
        decided_.usable[block_] = tables_.counts()[some];
        sum_.forEach(decided_, [&](Numbers &all) {
          for (std::size_t point = 0; point < points_; ++point)
            all[point] *= productOf(branch)[point];
          multiplyByEnds(all);
          for (std::size_t option = 0; option < counts.size(); ++option)
            if (ways[option] != 0) {
              const TypeCounts &made = tables_.counts()[counts[option]];
              sums[option] +=
                  ways[option] * sumOf(all.data(), [&](std::size_t type) {
                    return made[type] == 0
                               ? nullptr
                               : sum_.phis(block_, type, made[type]);
                  });
            }
        });
      }
    }
}

template <typename Number>
void SkeletonWalk<Number>::takePhis(const TypeCounts &phis) {
  OpenBlock &open = decided_.open[block_];
  open = {
      static_cast<std::uint8_t>(layout_.lengths[block_] -
                                std::accumulate(phis.begin(), phis.end(), 0U)),
      false};
  stage_ = Stage::instruction;
  if (open.instructions == 0 && isLastBlock()) {
    stage_ = Stage::complete;
    return;
  }
  const std::vector<ByBlock> branches = std::move(branches_);
  const std::vector<Number> products = std::move(products_);
  branches_.clear();
  products_.clear();
  for (std::size_t i = 0; i < branches.size(); ++i)
    for (const LayoutTables::PhiPart &some : tables_.phiParts(phis)) {
      const auto ways =
          static_cast<Number>(signedChoicesOfUsable(phis, some.phis));
      ByBlock usable = branches[i];
      usable[block_] = some.phis;
      Numbers product;
      for (std::size_t point = 0; point < points_; ++point)
        product[point] = products[i * points_ + point] * ways;
      addBranch(usable, product);
    }
  for (std::size_t type = 0; type < types_; ++type)
    if (phis[type] != 0)
      addToEnds(type, [&](std::size_t combination, const UsableOfType::Counts &,
                          unsigned arguments) {
        return sum_.phis(block_, type, phis[type], combination)[arguments];
      });
  if (open.instructions == 0) {
    ++block_;
    enterBlock();
  }
}

template <typename Number>
std::size_t SkeletonWalk<Number>::rest(const ByBlock &usable) {
  const auto known = std::find(restsOf_.begin(), restsOf_.end(), usable);
  if (known != restsOf_.end())
    return static_cast<std::size_t>(known - restsOf_.begin()) * points_;
  restsOf_.push_back(usable);
  const std::size_t result = rests_.size();
  rests_.resize(result + points_);
  decided_.usable = usable;
  sum_.forEach(decided_, [&](Numbers &all) {
    multiplyByEnds(all);
    for (std::size_t point = 0; point < points_; ++point)
      rests_[result + point] += all[point];
  });
  return result;
}

template <typename Number>
Number *SkeletonWalk<Number>::behind(const TypeCounts &seen) {
  const std::size_t size = (types_ + 1) * points_;
  const auto known = std::find(seen_.begin(), seen_.end(), seen);
  const auto number = static_cast<std::size_t>(known - seen_.begin());
  if (known == seen_.end()) {
    seen_.push_back(seen);
    behind_.resize(seen_.size() * size);
  }
  return &behind_[number * size];
}

template <typename Number>
void SkeletonWalk<Number>::addBehind(std::size_t branch) {
  const ByBlock &usable = branches_[branch];
  const Number *product = productOf(branch);
  Number *here = behind(seenHere(usable));
  const std::size_t without = rest(usable);
  for (std::size_t point = 0; point < points_; ++point)
    here[types_ * points_ + point] += product[point] * rests_[without + point];
  for (std::size_t type = 0; type < types_; ++type) {
    ByBlock more = usable;
    ++more[block_][type];
    const std::size_t with = rest(more);
    for (std::size_t point = 0; point < points_; ++point)
      here[type * points_ + point] +=
          product[point] * (rests_[with + point] - rests_[without + point]);
  }
}

template <typename Number> void SkeletonWalk<Number>::addInstructions() {
  OpenBlock &open = decided_.open[block_];
  --open.instructions;
  seen_.clear();
  behind_.clear();
  restsOf_.clear();
  rests_.clear();
  for (std::size_t i = 0; i < branches_.size(); ++i)
    addBehind(i);
  ++open.instructions;

  const auto &groups = tables_.grammar().groups();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const TemplateGroup &group = groups[g];
    if (group.isPhi)
      continue;
    const std::size_t result = tables_.resultOf(g);
    Number sum = 0;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const auto own = tables_.ofGroup<Number>(g, seen_[i]);
      const Number *numbers = &behind_[(i * (types_ + 1) + result) * points_];
      for (std::size_t point = 0; point < points_; ++point)
        sum += own[point] * numbers[point];
    }
    add({Kind::instruction, static_cast<std::uint16_t>(g), Type(),
         group.templates.size()},
        sum);
  }
}

template <typename Number>
void SkeletonWalk<Number>::addBranch(const ByBlock &usable,
                                     const Numbers &product) {
  const auto found = std::find(branches_.begin(), branches_.end(), usable);
  if (found == branches_.end()) {
    branches_.push_back(usable);
    products_.insert(products_.end(), product.begin(),
                     product.begin() + static_cast<std::ptrdiff_t>(points_));
    return;
  }
  Number *sum =
      &products_[static_cast<std::size_t>(found - branches_.begin()) * points_];
  for (std::size_t point = 0; point < points_; ++point)
    sum[point] += product[point];
}

template <typename Number>
void SkeletonWalk<Number>::takeInstruction(std::uint16_t index) {
  std::uint8_t &open = decided_.open[block_].instructions;
  --open;
  if (open == 0 && isLastBlock()) {
    stage_ = Stage::complete;
    return;
  }
  const std::size_t result = tables_.resultOf(index);
  const std::vector<ByBlock> branches = std::move(branches_);
  const std::vector<Number> products = std::move(products_);
  branches_.clear();
  products_.clear();
  for (std::size_t i = 0; i < branches.size(); ++i) {
    Numbers product;
    const auto own = tables_.ofGroup<Number>(index, seenHere(branches[i]));
    for (std::size_t point = 0; point < points_; ++point)
      product[point] = products[i * points_ + point] * own[point];
    if (result < types_) {
      ByBlock usable = branches[i];
      ++usable[block_][result];
      addBranch(usable, product);
      for (std::size_t point = 0; point < points_; ++point)
        product[point] = -product[point];
    }
    addBranch(branches[i], product);
  }
  if (open == 0) {
    ++block_;
    enterBlock();
  }
}

template <typename Number> void SkeletonWalk<Number>::addCases() {
  const Shape::End &end = switches_[switch_++];
  std::array<Number, SpaceSpec::maximumTypes> sums{};
  for (std::size_t branch = 0; branch < branches_.size(); ++branch) {
    const TypeCounts results = seen(end.sees, branches_[branch]);
    decided_.usable = branches_[branch];
    // Nothing is open: there is one way to go on.
    sum_.forEach(decided_, [&](Numbers &all) {
      multiplyByEnds(all);
      for (std::size_t point = 0; point < points_; ++point) {
        const Number product = productOf(branch)[point] * all[point];
        for (std::size_t type = 0; type < types_; ++type)
          sums[type] +=
              product * (Number(results[type]) + tables_.points()[point][type]);
      }
    });
  }
  --switch_;
  for (std::size_t type = 0; type < types_; ++type)
    if (const Rank sets = tables_.caseSets(type, end.cases); sets != 0)
      add({Kind::cases, end.cases, tables_.types()[type],
           static_cast<std::uint64_t>(sets)},
          sums[type]);
}

template class SkeletonWalk<Rank>;
template class SkeletonWalk<std::uint64_t>;

} // namespace enumerate
