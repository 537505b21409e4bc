// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/layout_sum.h"

#include "enumerate/type_orders.h"

#include <bit>
#include <numeric>

namespace enumerate {

using corpus::Rank;

Shape shapeOf(const Cfg &cfg, const std::vector<std::uint8_t> &blocks) {
  const auto seenFrom = [&](unsigned block) {
    Shape::Blocks seen = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i)
      if (cfg.dominates(blocks[i], block))
        seen |= static_cast<Shape::Blocks>(1U << i);
    return seen;
  };
  Shape shape;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Shape::Block block;
    block.dominators =
        static_cast<Shape::Blocks>(seenFrom(blocks[i]) & ~(1U << i));
    const auto &incoming = cfg.incoming[blocks[i]];
    if (incoming.size() >= 2)
      for (const Cfg::Incoming &from : incoming)
        block.incoming.add(seenFrom(from.block));
    shape.blocks.add(block);
  }
  for (unsigned block = 0; block < cfg.size(); ++block) {
    const Exit &exit = cfg.exits[block];
    switch (exit.kind) {
    case Exit::Kind::ret:
    case Exit::Kind::branch:
      shape.ends.add(
          {exit.kind, 0, seenFrom(block), static_cast<std::uint8_t>(block)});
      break;
    case Exit::Kind::switch_:
      shape.ends.add({exit.kind,
                      static_cast<std::uint8_t>(exit.targets.size() - 1),
                      seenFrom(block), static_cast<std::uint8_t>(block)});
      break;
    case Exit::Kind::jump:
    case Exit::Kind::unreachable:
      break;
    }
  }
  return shape;
}

TypeCounts seen(Shape::Blocks blocks, const ByBlock &usable) {
  TypeCounts sum{};
  for (; blocks != 0; blocks &= static_cast<Shape::Blocks>(blocks - 1U))
    for (std::size_t t = 0; t < sum.size(); ++t)
      sum[t] += usable[static_cast<unsigned>(std::countr_zero(blocks))][t];
  return sum;
}

std::optional<Taken> takenBy(const LayoutTables &tables, const Shape::End &end,
                             std::size_t returned) {
  assert(end.kind == Exit::Kind::ret || end.kind == Exit::Kind::branch);
  if (end.kind == Exit::Kind::branch)
    return Taken{tables.numberOf(corpus::Type::integer(1)), 0};
  if (returned == tables.types().size())
    return std::nullopt;
  return Taken{returned, tables.literals(returned)};
}

template <typename Number>
void multiplyByEnds(const LayoutTables &tables,
                    std::span<const Shape::End> ends, std::size_t returned,
                    const ByBlock &usable,
                    LayoutTables::Numbers<Number> &product) {
  const ArgumentPoints &points = tables.points();
  const std::size_t types = tables.types().size();
  /// Choices without arguments, for a value of a type.
  struct Choices {
    std::size_t type = 0;
    Rank first = 0;
  };
  Few<Choices, SpaceSpec::maximumBlocks> all;
  for (const Shape::End &end : ends) {
    const TypeCounts seen = enumerate::seen(end.sees, usable);
    if (end.kind != Exit::Kind::switch_) {
      if (const auto taken = takenBy(tables, end, returned))
        all.add({taken->type, taken->literals + seen[taken->type]});
      continue;
    }
    LayoutTables::Numbers<Number> ways;
    std::fill_n(ways.begin(), points.size(), Number(0));
    for (std::size_t type = 0; type < types; ++type) {
      const auto sets = static_cast<Number>(tables.caseSets(type, end.cases));
      for (std::size_t point = 0; point < points.size(); ++point)
        ways[point] += (Number(points[point][type]) + seen[type]) * sets;
    }
    for (std::size_t point = 0; point < points.size(); ++point)
      product[point] *= ways[point];
  }
  const auto multiply = [&](auto one) {
    for (std::size_t point = 0; point < points.size(); ++point) {
      auto ways = one;
      for (const Choices &each : all)
        ways *=
            static_cast<decltype(one)>(each.first) + points[point][each.type];
      product[point] *= ways;
    }
  };
  // Numbers of 64 bits are multiplied faster.
  if (tables.areChoicesSmall())
    multiply(std::uint64_t(1));
  else
    multiply(Number(1));
}

template void multiplyByEnds<Rank>(const LayoutTables &,
                                   std::span<const Shape::End>, std::size_t,
                                   const ByBlock &,
                                   LayoutTables::Numbers<Rank> &);
template void
multiplyByEnds<std::uint64_t>(const LayoutTables &, std::span<const Shape::End>,
                              std::size_t, const ByBlock &,
                              LayoutTables::Numbers<std::uint64_t> &);

UsableOfType::UsableOfType(std::span<const std::uint8_t> lengths) {
  for (const std::uint8_t length : lengths) {
    strides_[lengths_.size()] = size_;
    lengths_.add(length);
    size_ *= length + 1U;
  }
}

unsigned seen(Shape::Blocks blocks, const UsableOfType::Counts &usable) {
  unsigned sum = 0;
  for (; blocks != 0; blocks &= static_cast<Shape::Blocks>(blocks - 1U))
    sum += usable[static_cast<unsigned>(std::countr_zero(blocks))];
  return sum;
}

template <typename Number>
LayoutSum<Number>::LayoutSum(const LayoutTables &tables, const Shape &shape,
                             std::span<const std::uint8_t> lengths)
    : tables_(tables), shape_(shape), points_(tables.points().size()),
      types_(tables.types().size()), lengths_(lengths), ofType_(lengths) {
  for (std::size_t block = 0; block < shape.blocks.size(); ++block)
    if (!shape.blocks[block].incoming.empty())
      countPhis(block);
}

template <typename Number>
void LayoutSum<Number>::countPhis(std::size_t block) {
  const auto &incoming = shape_.blocks[block].incoming;
  Shape::Blocks everywhere = incoming[0];
  for (const Shape::Blocks blocks : incoming)
    everywhere &= blocks;
  const std::size_t length = lengths_[block];
  const unsigned most = tables_.spec().arguments;
  phis_[block].reserve(types_ * ofType_.size() * length * (most + 1UL));
  for (std::size_t type = 0; type < types_; ++type) {
    const auto literals = static_cast<Number>(tables_.literals(type));
    ofType_.forEach([&](const UsableOfType::Counts &usable) {
      std::array<Number, LayoutTables::maximumOperands> first;
      for (std::size_t i = 0; i < incoming.size(); ++i)
        first[i] = literals + seen(incoming[i], usable);
      const Number same = literals + seen(everywhere, usable);
      std::array<Number, SpaceSpec::maximumArguments + 1> ways;
      for (unsigned arguments = 0; arguments <= most; ++arguments) {
        Number all = 1;
        for (std::size_t i = 0; i < incoming.size(); ++i)
          all *= first[i] + arguments;
        // All the same is no phi.
        ways[arguments] = all - (same + arguments);
        phis_[block].push_back(ways[arguments]);
      }
      for (std::size_t count = 2; count <= length; ++count)
        for (unsigned arguments = 0; arguments <= most; ++arguments)
          phis_[block].push_back(phis_[block].end()[-1 - std::ptrdiff_t(most)] *
                                 ways[arguments]);
    });
  }
}

template <typename Number> void LayoutSum<Number>::multiplyByOpen() {
  std::fill_n(product_.begin(), points_, Number(1));
  for (std::size_t block = 0; block < shape_.blocks.size(); ++block)
    if (decided_->open[block].instructions != 0)
      multiplyByOpen(block);
}

template <typename Number>
void LayoutSum<Number>::multiplyByOpen(std::size_t block) {
  const OpenBlock &open = decided_->open[block];
  TypeCounts from = seen(shape_.blocks[block].dominators, usable_);
  TypeCounts more = usable_[block];
  for (std::size_t t = 0; t < types_; ++t) {
    from[t] += decided_->usable[block][t];
    more[t] -= decided_->usable[block][t];
  }
  if (!open.mayBePhis || shape_.blocks[block].incoming.empty()) {
    const auto run = tables_.ofRun<Number>(open.instructions, from, more);
    for (std::size_t point = 0; point < points_; ++point)
      product_[point] *= run[point];
    return;
  }
  Numbers ways;
  runsWithPhis(block, open.instructions, from, more, ways);
  for (std::size_t point = 0; point < points_; ++point)
    product_[point] *= ways[point];
}

// Phis stand first: some of each type that are usable, and some of any type
// that are not, in any order, then a run of others.
template <typename Number>
void LayoutSum<Number>::runsWithPhis(std::size_t block, unsigned instructions,
                                     const TypeCounts &usable,
                                     const TypeCounts &more,
                                     Numbers &ways) const {
  const unsigned results = std::accumulate(more.begin(), more.end(), 0U);
  const ArgumentPoints &points = tables_.points();
  if (instructions == 1) {
    const auto run = tables_.ofRun<Number>(1, usable, more);
    std::copy_n(run.begin(), points_, ways.begin());
    for (std::size_t type = 0; type < types_; ++type) {
      if (!tables_.hasPhi(type) || more[type] != results)
        continue;
      const Number *one = phis(block, type, 1);
      for (std::size_t point = 0; point < points_; ++point) {
        const Number phi = one[points[point][type]];
        ways[point] += results == 0 ? -phi : phi;
      }
    }
    return;
  }
  Numbers unusable;
  std::fill_n(unusable.begin(), points_, Number(0));
  for (std::size_t type = 0; type < types_; ++type)
    if (tables_.hasPhi(type)) {
      const Number *one = phis(block, type, 1);
      for (std::size_t point = 0; point < points_; ++point)
        unusable[point] -= one[points[point][type]];
    }
  std::fill_n(ways.begin(), points_, Number(0));
  const std::size_t from = tables_.positionOf(usable);
  const std::size_t to = tables_.positionOf(more);
  for (const LayoutTables::PhiPart &part : tables_.phiParts(more)) {
    Numbers sum;
    std::fill_n(sum.begin(), points_, Number(0));
    for (unsigned count = instructions - results + 1; count-- > 0;) {
      const std::uint64_t orders =
          part.orders * binomial(part.size + count, count);
      const auto run =
          tables_.ofRun<Number>(instructions - part.size - count,
                                from + part.position, to - part.position);
      for (std::size_t point = 0; point < points_; ++point)
        sum[point] = sum[point] * unusable[point] + orders * run[point];
    }
    for (std::size_t type = 0; type < types_; ++type)
      if (part.phis[type] != 0)
        multiply(sum, type, phis(block, type, part.phis[type]));
    for (std::size_t point = 0; point < points_; ++point)
      ways[point] += sum[point];
  }
}

template class LayoutSum<Rank>;
template class LayoutSum<std::uint64_t>;

} // namespace enumerate
