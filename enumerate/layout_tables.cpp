// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/layout_tables.h"

#include "enumerate/subsets.h"
#include "enumerate/type_orders.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>

namespace enumerate {

using corpus::Rank;
using corpus::Type;

bool LayoutTables::covers(const SpaceSpec &spec, const Grammar &grammar) {
  constexpr std::size_t maximumRuns = 1'000'000; // numbers
  const Vocabulary vocabulary = spec.vocabulary();
  if (!spec.hasBranches() || !spec.memory.empty() || spec.lanes != 0 ||
      !vocabulary.idioms.empty() || vocabulary.recurrences)
    return false;
  const std::size_t types = vocabulary.types().size();
  const std::size_t points = countsUpTo(types, spec.arguments).size();
  const std::size_t usable = countsUpTo(types, spec.instructions).size();
  return points <= maximumPoints &&
         (spec.instructions + 1) * usable * usable * points <= maximumRuns &&
         std::all_of(grammar.groups().begin(), grammar.groups().end(),
                     [](const TemplateGroup &group) {
                       return group.results.size() <= 1 &&
                              group.extracts == 0 &&
                              group.operands.size() <= maximumOperands &&
                              (!group.isPhi || group.templates.size() == 1);
                     });
}

LayoutTables::LayoutTables(const SpaceSpec &spec, Grammar grammar)
    : spec_(spec), grammar_(std::move(grammar)),
      types_(spec.vocabulary().types()), points_(types_.size(), spec.arguments),
      usable_(countsUpTo(types_.size(), spec.instructions)) {
  assert(covers(spec_, grammar_));
  for (const Type type : types_)
    literals_.push_back(Rank(grammar_.constants(type).size()) +
                        (spec.undef ? 1 : 0) + (spec.poison ? 1 : 0));
  for (const Rank literals : literals_)
    areChoicesSmall_ =
        areChoicesSmall_ && literals + spec.arguments + spec.instructions <=
                                (1U << 64 / SpaceSpec::maximumBlocks);
  std::size_t size = 1;
  for (std::size_t t = 0; t < types_.size(); ++t)
    size *= spec.instructions + 1;
  indices_.resize(size);
  for (std::size_t i = 0; i < usable_.size(); ++i)
    indices_[positionOf(usable_[i])] = static_cast<std::uint16_t>(i);
  const auto &groups = grammar_.groups();
  wide_.groups.resize(groups.size() * usable_.size() * points_.size());
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const auto &results = groups[group].results;
    results_.push_back(results.empty() ? types_.size()
                                       : numberOf(results.front()));
    if (groups[group].isPhi)
      phiGroups_[results_.back()] = static_cast<std::uint16_t>(group);
    else
      countGroup(group);
  }
  countRuns();
  countPhiParts();
  const auto narrow = [](const std::vector<Rank> &numbers) {
    std::vector<std::uint64_t> result;
    result.reserve(numbers.size());
    for (const Rank number : numbers)
      result.push_back(static_cast<std::uint64_t>(number));
    return result;
  };
  narrow_ = {narrow(wide_.groups), narrow(wide_.runs)};
}

std::uint8_t LayoutTables::numberOf(Type type) const {
  const auto found = std::find(types_.begin(), types_.end(), type);
  assert(found != types_.end());
  return static_cast<std::uint8_t>(found - types_.begin());
}

Rank LayoutTables::excludedLiterals(const TemplateGroup &group,
                                    std::size_t type) const {
  return group.isFreeze ? Rank(grammar_.constants(types_[type]).size())
                        : literals_[type];
}

Rank LayoutTables::caseSets(std::size_t type, unsigned cases) const {
  const auto sets = subsets(grammar_.constants(types_[type]).size(), cases);
  assert(sets && "Layouts::build() looks at them first");
  return *sets;
}

void LayoutTables::countPhiParts() {
  countsOfPhis_.resize(spec_.instructions + 1UL);
  std::vector<PhiPart> all;
  for (std::size_t i = 0; i < usable_.size(); ++i) {
    PhiPart part{usable_[i], 0, typeOrders(usable_[i]), positionOf(usable_[i])};
    bool areThere = true;
    for (std::size_t t = 0; t < types_.size(); ++t) {
      part.size += part.phis[t];
      areThere = areThere && (part.phis[t] == 0 || hasPhi(t));
    }
    if (!areThere)
      continue;
    countsOfPhis_[part.size].push_back(static_cast<std::uint16_t>(i));
    all.push_back(part);
  }
  for (const TypeCounts &results : usable_) {
    auto &parts = phiParts_.emplace_back();
    for (const PhiPart &part : all)
      if (std::equal(part.phis.begin(), part.phis.end(), results.begin(),
                     std::less_equal<>()))
        parts.push_back(part);
  }
}

void LayoutTables::countGroup(std::size_t index) {
  const TemplateGroup &group = grammar_.groups()[index];
  Rank *number = wide_.groups.data() + index * usable_.size() * points_.size();
  for (const TypeCounts &usable : usable_)
    for (std::size_t point = 0; point < points_.size(); ++point) {
      Rank all = 1;
      Rank excluded = group.operands.empty() ? 0 : 1;
      for (const Type type : group.operands) {
        const std::size_t t = numberOf(type);
        all *= literals_[t] + points_[point][t] + usable[t];
        excluded *= excludedLiterals(group, t);
      }
      *number++ = all - excluded;
    }
}

void LayoutTables::countRuns() {
  const std::size_t size = usable_.size();
  const std::size_t points = points_.size();
  wide_.runs.resize((spec_.instructions + 1UL) * size * size * points);
  const std::size_t none = indexOf({});
  for (std::size_t from = 0; from < size; ++from)
    std::fill_n(wide_.runs.begin() + static_cast<std::ptrdiff_t>(
                                         runIndex(0, from, none) * points),
                points, Rank(1));
  const auto sum = [](const TypeCounts &counts) {
    return std::accumulate(counts.begin(), counts.end(), 0U);
  };
  for (unsigned length = 1; length <= spec_.instructions; ++length)
    for (std::size_t from = 0; from < size; ++from)
      for (std::size_t more = 0; more < size; ++more) {
        if (sum(usable_[more]) > length ||
            sum(usable_[from]) + length > spec_.instructions)
          continue;
        Rank *into = wide_.runs.data() + runIndex(length, from, more) * points;
        for (std::size_t g = 0; g < grammar_.groups().size(); ++g) {
          const TemplateGroup &group = grammar_.groups()[g];
          if (group.isPhi)
            continue;
          const auto own = ofGroup<Rank>(g, usable_[from]);
          const auto add = [&](std::span<const Rank> rest, bool isUsable) {
            for (std::size_t point = 0; point < points; ++point) {
              const Rank product =
                  group.templates.size() * own[point] * rest[point];
              into[point] += isUsable ? product : -product;
            }
          };
          const auto without =
              ofRun<Rank>(length - 1, usable_[from], usable_[more]);
          const std::size_t type = resultOf(g);
          if (type == types_.size()) {
            add(without, true);
            continue;
          }
          add(without, false);
          TypeCounts usable = usable_[from];
          TypeCounts rest = usable_[more];
          if (rest[type] == 0)
            continue;
          ++usable[type];
          --rest[type];
          add(ofRun<Rank>(length - 1, usable, rest), true);
        }
      }
}

} // namespace enumerate
