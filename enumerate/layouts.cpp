// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/layouts.h"

#include "corpus/program/encode.h"
#include "enumerate/subsets.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cmath>
#include <thread>
#include <tuple>
#include <unordered_map>

namespace enumerate {

using corpus::Error;
using corpus::Rank;
using corpus::Result;

namespace {

/// All lists of `parts` positive numbers with that sum.
std::vector<std::vector<std::uint8_t>> compositions(unsigned sum,
                                                    unsigned parts) {
  std::vector<std::vector<std::uint8_t>> lists;
  std::vector<std::uint8_t> list;
  const auto extend = [&](const auto &self, unsigned left) -> void {
    const auto open = parts - static_cast<unsigned>(list.size());
    if (open == 0) {
      lists.push_back(list);
      return;
    }
    for (unsigned i = open == 1 ? left : 1; i + open - 1 <= left; ++i) {
      list.push_back(static_cast<std::uint8_t>(i));
      self(self, left - i);
      list.pop_back();
    }
  };
  extend(extend, sum);
  return lists;
}

/// No less than the functions of the space, times what sums are divided by.
/// Nothing where a number of cases does not fit.
std::optional<long double> boundOf(const LayoutTables &tables) {
  const SpaceSpec &spec = tables.spec();
  const Grammar &grammar = tables.grammar();
  const long double values = spec.arguments + spec.instructions;
  const auto choices = [&](std::size_t type) {
    return static_cast<long double>(tables.literals(type)) + values;
  };
  std::size_t incoming = 0;
  std::size_t cases = 0;
  for (const Cfg &cfg : grammar.cfgs()) {
    for (const auto &from : cfg.incoming)
      incoming = std::max(incoming, from.size());
    for (const Exit &exit : cfg.exits)
      if (exit.kind == Exit::Kind::switch_)
        cases = std::max(cases, exit.targets.size() - 1);
  }
  long double instruction = 0;
  for (const TemplateGroup &group : grammar.groups()) {
    long double ways =
        group.isPhi ? std::pow(choices(tables.numberOf(group.results.front())),
                               incoming)
                    : 1;
    for (const corpus::Type type : group.operands)
      ways *= choices(tables.numberOf(type));
    instruction += static_cast<long double>(group.templates.size()) * ways;
  }
  // A `ret` takes a value of one type, a `br` or `switch` no literal.
  long double returned = 0;
  long double condition = values;
  for (unsigned i = 1; i <= cases; ++i) {
    long double sets = 0;
    for (std::size_t type = 0; type < tables.types().size(); ++type) {
      if (!subsets(grammar.constants(tables.types()[type]).size(), i))
        return std::nullopt;
      sets += static_cast<long double>(tables.caseSets(type, i));
    }
    condition = std::max(condition, values * sets);
  }
  for (std::size_t type = 0; type < tables.types().size(); ++type)
    returned = std::max(returned, choices(type));
  const long double end = std::max(returned, condition);
  const unsigned blocks = static_cast<unsigned>(grammar.cfgs()[0].size());
  return static_cast<long double>(grammar.cfgs().size()) *
         std::pow(static_cast<long double>(blocks), spec.instructions) *
         static_cast<long double>(tables.types().size() + 1) *
         std::pow(instruction, spec.instructions) * std::pow(end, blocks) *
         std::tgamma(1.0L + spec.arguments);
}

/// What is equal for blocks of which instructions count the same. Sorts what
/// has no order.
corpus::Digest digestOf(Shape &shape, corpus::Bytes &key) {
  key.clear();
  for (Shape::Block &block : shape.blocks) {
    std::sort(block.incoming.begin(), block.incoming.end());
    key.push_back(block.dominators);
    key.push_back(static_cast<std::uint8_t>(block.incoming.size()));
    key.insert(key.end(), block.incoming.begin(), block.incoming.end());
  }
  return corpus::digestOf(key);
}

/// The same of terminators.
corpus::Digest digestOf(Shape::Ends &ends, corpus::Bytes &key) {
  std::sort(ends.begin(), ends.end(),
            [](const Shape::End &a, const Shape::End &b) {
              return std::tie(a.kind, a.cases, a.sees) <
                     std::tie(b.kind, b.cases, b.sees);
            });
  key.clear();
  for (const Shape::End &end : ends)
    key.insert(key.end(),
               {static_cast<std::uint8_t>(end.kind), end.cases, end.sees});
  return corpus::digestOf(key);
}

} // namespace

class Layouts::Builder {
public:
  Builder(const LayoutTables &tables, Layouts &layouts)
      : tables_(tables), layouts_(layouts) {}

  void run() {
    const auto &cfgs = tables_.grammar().cfgs();
    const unsigned instructions = tables_.spec().instructions;
    const auto blocks = static_cast<unsigned>(cfgs.front().size());
    for (unsigned set = 1; set < 1U << blocks; ++set)
      if (std::popcount(set) <= static_cast<int>(instructions)) {
        auto &list = layouts_.sets_.emplace_back();
        for (std::uint8_t block = 0; block < blocks; ++block)
          if ((set >> block & 1U) != 0)
            list.push_back(block);
      }
    for (unsigned parts = 0; parts <= std::min(blocks, instructions); ++parts)
      layouts_.lengths_.push_back(compositions(instructions, parts));
    for (const Cfg &cfg : cfgs)
      for (const auto &set : layouts_.sets_)
        layouts_.groupOf_.push_back(groupOf(shapeOf(cfg, set)));
    countParts();
    layouts_.before_.push_back(0);
    auto group = layouts_.groupOf_.begin();
    for (std::size_t i = 0; i < cfgs.size(); ++i) {
      Rank sum = layouts_.before_.back();
      for (std::size_t set = 0; set < layouts_.sets_.size(); ++set)
        sum += layouts_.groups_[*group++].count();
      layouts_.before_.push_back(sum);
    }
  }

private:
  static constexpr std::size_t partsForAThread = 100;

  /// All shapes whose blocks are alike.
  struct Part {
    Shape shape; ///< of one of them
    std::unordered_map<corpus::Digest, std::uint32_t, corpus::DigestHash>
        groups;
    std::vector<std::pair<std::uint32_t, Shape::Ends>> ends;
  };

  /// Changes the order of what has none.
  std::uint32_t groupOf(Shape shape) {
    const auto [part, isNewPart] = parts_.try_emplace(digestOf(shape, key_));
    if (isNewPart)
      part->second.shape = shape;
    const auto [group, isNew] = part->second.groups.try_emplace(
        digestOf(shape.ends, key_),
        static_cast<std::uint32_t>(layouts_.groups_.size()));
    if (isNew) {
      layouts_.groups_.emplace_back();
      part->second.ends.emplace_back(group->second, shape.ends);
    }
    return group->second;
  }

  /// What instructions count in each way to go on, without terminators.
  struct Ways {
    std::vector<Rank> products; ///< by way and point
    std::vector<ByBlock> usable;
  };

  void countParts() {
    std::vector<const Part *> parts;
    for (const auto &[digest, part] : parts_)
      parts.push_back(&part);
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      std::vector<Ways> ways;
      for (std::size_t i = next++; i < parts.size(); i = next++)
        countPart(*parts[i], ways);
    };
    // Joined at the end.
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < std::thread::hardware_concurrency() &&
                            i * partsForAThread < parts.size();
         ++i)
      others.emplace_back(work);
    work();
  }

  /// Safe for several parts at once. `buffer` is used for its memory.
  void countPart(const Part &part, std::vector<Ways> &buffer) const {
    const Shape &shape = part.shape;
    const auto &all = layouts_.lengths_[shape.blocks.size()];
    buffer.resize(std::max(buffer.size(), all.size()));
    auto ways = buffer.begin();
    for (const auto &lengths : all) {
      Decided decided;
      for (std::size_t i = 0; i < lengths.size(); ++i)
        decided.open[i].instructions = lengths[i];
      Ways &here = *ways++;
      here.products.clear();
      here.usable.clear();
      LayoutSum<Rank> sum(tables_, shape, lengths);
      sum.forEach(decided, [&](const LayoutTables::Numbers<Rank> &product) {
        here.products.insert(here.products.end(), product.begin(),
                             product.begin() + static_cast<std::ptrdiff_t>(
                                                   tables_.points().size()));
        here.usable.push_back(sum.usable());
      });
    }
    for (const auto &[group, ends] : part.ends)
      layouts_.groups_[group] = countGroup(ends, {buffer.data(), all.size()});
  }

  Group countGroup(const Shape::Ends &ends, std::span<const Ways> ways) const {
    const auto *conditions = std::partition_point(
        ends.begin(), ends.end(),
        [](const Shape::End &end) { return end.kind == Exit::Kind::ret; });
    const std::span rets(ends.begin(), conditions);
    const std::span others(conditions, ends.end());
    const std::size_t points = tables_.points().size();
    Group group;
    if (!rets.empty())
      group.returns = static_cast<std::uint8_t>(
          tables_.types().size() + (tables_.spec().calls.any ? 1 : 0));
    group.before.push_back(0);
    LayoutTables::Numbers<Rank> common;
    LayoutTables::Numbers<Rank> all;
    for (const Ways &here : ways) {
      std::vector<Rank> sums(group.returns);
      const Rank *product = here.products.data();
      for (const ByBlock &usable : here.usable) {
        std::copy_n(product, points, common.begin());
        product += points;
        multiplyByEnds(tables_, others, 0, usable, common);
        for (std::uint8_t type = 0; type < group.returns; ++type) {
          std::copy_n(common.begin(), points, all.begin());
          multiplyByEnds(tables_, rets, type, usable, all);
          for (const auto &[point, weight] : tables_.points().terms(0))
            sums[type] += weight * all[point];
        }
      }
      for (const Rank each : sums)
        group.before.push_back(group.before.back() +
                               each / tables_.points().divisor(0));
    }
    return group;
  }

  const LayoutTables &tables_;
  Layouts &layouts_;
  std::unordered_map<corpus::Digest, Part, corpus::DigestHash> parts_;
  corpus::Bytes key_;
};

Result<Layouts> Layouts::build(const LayoutTables &tables) {
  const auto bound = boundOf(tables);
  if (!bound || *bound >= std::ldexp(1.0L, 127))
    return Error{"may have more functions than 128 bits can count"};
  Layouts layouts;
  Builder(tables, layouts).run();
  return layouts;
}

Layout Layouts::at(Rank &rank) const {
  assert(rank < count());
  const auto behind = std::upper_bound(before_.begin(), before_.end(), rank);
  const auto cfg = static_cast<std::size_t>(behind - before_.begin()) - 1;
  rank -= before_[cfg];
  std::size_t set = 0;
  const auto groupAt = [&]() -> const Group & {
    return groups_[groupOf_[cfg * sets_.size() + set]];
  };
  for (; rank >= groupAt().count(); ++set)
    rank -= groupAt().count();
  const Group &group = groupAt();
  const auto end =
      std::upper_bound(group.before.begin(), group.before.end(), rank);
  const auto entry = static_cast<std::size_t>(end - group.before.begin()) - 1;
  rank -= group.before[entry];
  const auto &blocks = sets_[set];
  return {static_cast<std::uint16_t>(cfg), blocks,
          lengths_[blocks.size()][entry / group.returns],
          static_cast<std::uint8_t>(entry % group.returns),
          *end - group.before[entry]};
}

Rank Layouts::before(Layout &layout) const {
  Rank rank = before_[layout.cfg];
  const std::uint32_t *group = &groupOf_[layout.cfg * sets_.size()];
  for (std::size_t set = 0; sets_[set] != layout.blocks; ++set, ++group)
    rank += groups_[*group].count();
  const auto &lengths = lengths_[layout.blocks.size()];
  const auto found = std::find(lengths.begin(), lengths.end(), layout.lengths);
  assert(found != lengths.end());
  const std::vector<Rank> &entries = groups_[*group].before;
  const auto entry = static_cast<std::size_t>(found - lengths.begin()) *
                         groups_[*group].returns +
                     layout.returned;
  layout.functions = entries[entry + 1] - entries[entry];
  return rank + entries[entry];
}

} // namespace enumerate
