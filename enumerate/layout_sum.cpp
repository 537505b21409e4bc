// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/layout_sum.h"

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
      shape.ends.add({exit.kind, 0, seenFrom(block)});
      break;
    case Exit::Kind::switch_:
      shape.ends.add({exit.kind,
                      static_cast<std::uint8_t>(exit.targets.size() - 1),
                      seenFrom(block)});
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

void multiplyByEnds(const LayoutTables &tables,
                    std::span<const Shape::End> ends, std::size_t returned,
                    const ByBlock &usable, LayoutTables::Numbers &product) {
  const ArgumentPoints &points = tables.points();
  const std::size_t types = tables.types().size();
  /// Choices without arguments, for a value of a type.
  struct Choices {
    Rank first = 0;
    std::size_t type = 0;
  };
  Few<Choices, SpaceSpec::maximumBlocks> all;
  for (const Shape::End &end : ends) {
    const TypeCounts seen = enumerate::seen(end.sees, usable);
    if (end.kind == Exit::Kind::ret) {
      if (returned < types)
        all.add({tables.literals(returned) + seen[returned], returned});
    } else if (end.kind == Exit::Kind::branch) {
      const std::size_t type = tables.numberOf(corpus::Type::integer(1));
      all.add({seen[type], type});
    } else {
      assert(end.kind == Exit::Kind::switch_);
      LayoutTables::Numbers ways;
      std::fill_n(ways.begin(), points.size(), Rank(0));
      for (std::size_t type = 0; type < types; ++type) {
        const Rank sets = tables.caseSets(type, end.cases);
        for (std::size_t point = 0; point < points.size(); ++point)
          ways[point] += (Rank(points[point][type]) + seen[type]) * sets;
      }
      for (std::size_t point = 0; point < points.size(); ++point)
        product[point] *= ways[point];
    }
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
    multiply(Rank(1));
}

LayoutSum::LayoutSum(const LayoutTables &tables, const Shape &shape,
                     const std::vector<std::uint8_t> &lengths)
    : tables_(tables), shape_(shape), points_(tables.points().size()) {
  const std::size_t types = tables.types().size();
  for (std::size_t block = 0; block < shape.blocks.size(); ++block)
    for (std::size_t type = 0; type < types; ++type) {
      strides_[block][type] = combinations_;
      combinations_ *= lengths[block] + 1U;
    }
  knownPhis_.resize(combinations_ * shape.blocks.size() * types);
  phis_.reserve(combinations_ * types * points_);
}

const Rank *LayoutSum::phi(std::size_t block, std::size_t type) {
  const std::size_t types = tables_.types().size();
  std::uint32_t &known =
      knownPhis_[(combination_ * shape_.blocks.size() + block) * types + type];
  if (known == 0) {
    known = static_cast<std::uint32_t>(phis_.size() / points_) + 1;
    phis_.resize(phis_.size() + points_);
    countPhi(block, type, &phis_[(known - 1UL) * points_]);
  }
  return &phis_[(known - 1UL) * points_];
}

void LayoutSum::countPhi(std::size_t block, std::size_t type,
                         Rank *ways) const {
  const auto choices = [&](Shape::Blocks blocks) {
    Rank sum = tables_.literals(type);
    for (std::size_t i = 0; i < shape_.blocks.size(); ++i)
      sum += (blocks >> i & 1U) != 0 ? usable_[i][type] : 0;
    return sum;
  };
  Few<Rank, SpaceSpec::maximumBlocks> incoming;
  auto everywhere = static_cast<Shape::Blocks>(~0U);
  for (const Shape::Blocks blocks : shape_.blocks[block].incoming) {
    everywhere &= blocks;
    incoming.add(choices(blocks));
  }
  const Rank same = choices(everywhere);
  const auto multiply = [&](auto one) {
    for (std::size_t point = 0; point < points_; ++point) {
      const auto arguments = tables_.points()[point][type];
      auto all = one;
      for (const Rank first : incoming)
        all *= static_cast<decltype(one)>(first) + arguments;
      // All the same is no phi.
      ways[point] = Rank(all) - (same + arguments);
    }
  };
  if (tables_.areChoicesSmall())
    multiply(std::uint64_t(1));
  else
    multiply(Rank(1));
}

const LayoutSum::Numbers &LayoutSum::multiply() {
  std::fill_n(product_.begin(), points_, Rank(1));
  for (std::size_t block = 0; block < shape_.blocks.size(); ++block) {
    if (decided_->open[block].instructions != 0)
      multiplyByOpen(block);
    for (std::size_t type = 0; type < tables_.types().size(); ++type) {
      const unsigned count = decided_->phis[block][type];
      if (count == 0)
        continue;
      const Rank *ways = phi(block, type);
      for (unsigned i = 0; i < count; ++i)
        for (std::size_t point = 0; point < points_; ++point)
          product_[point] *= ways[point];
    }
  }
  return product_;
}

void LayoutSum::multiplyByOpen(std::size_t block) {
  const Open &open = decided_->open[block];
  TypeCounts from = seen(shape_.blocks[block].dominators, usable_);
  TypeCounts more = usable_[block];
  for (std::size_t t = 0; t < from.size(); ++t) {
    from[t] += decided_->usable[block][t];
    more[t] -= decided_->usable[block][t];
  }
  if (!open.mayBePhis || shape_.blocks[block].incoming.empty()) {
    const auto run = tables_.ofRun(open.instructions, from, more);
    for (std::size_t point = 0; point < points_; ++point)
      product_[point] *= run[point];
    return;
  }
  Numbers ways;
  runsWithPhis(block, open.instructions, from, more, ways);
  for (std::size_t point = 0; point < points_; ++point)
    product_[point] *= ways[point];
}

void LayoutSum::runsWithPhis(std::size_t block, std::size_t instructions,
                             const TypeCounts &usable, const TypeCounts &more,
                             Numbers &ways) {
  const auto run = tables_.ofRun(instructions, usable, more);
  std::copy(run.begin(), run.end(), ways.begin());
  if (instructions == 0)
    return;
  const unsigned results = std::accumulate(more.begin(), more.end(), 0U);
  // Most often there is nothing behind the first phi.
  const bool isLast = instructions == 1;
  Numbers rest;
  for (std::size_t type = 0; type < tables_.types().size(); ++type) {
    if (!tables_.hasPhi(type))
      continue;
    if (more[type] != 0) {
      TypeCounts with = usable;
      TypeCounts without = more;
      ++with[type];
      --without[type];
      if (!isLast)
        runsWithPhis(block, instructions - 1, with, without, rest);
      const Rank *first = phi(block, type);
      for (std::size_t point = 0; point < points_; ++point)
        ways[point] += isLast ? first[point] : first[point] * rest[point];
    }
    if (results == instructions)
      continue;
    if (!isLast)
      runsWithPhis(block, instructions - 1, usable, more, rest);
    const Rank *first = phi(block, type);
    for (std::size_t point = 0; point < points_; ++point)
      ways[point] -= isLast ? first[point] : first[point] * rest[point];
  }
}

} // namespace enumerate
