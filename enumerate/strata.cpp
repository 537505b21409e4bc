// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/strata.h"

#include "enumerate/permutation.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <map>
#include <vector>

namespace enumerate {

namespace {

using Node = DecisionGraph::Node;
using Edge = DecisionGraph::Edge;

bool choosesConstant(const Decision &decision) {
  switch (decision.kind) {
  case Decision::Kind::constant:
  case Decision::Kind::otherConstant:
  case Decision::Kind::cases:
    return true;
  default:
    return false;
  }
}

/// Whether the choices are all the values of a type that has some which are not
/// special.
bool hasSpecial(const Decision &decision) {
  return decision.kind == Decision::Kind::constant && decision.choices >= 8 &&
         decision.type.isInteger() &&
         decision.choices == std::uint64_t(1) << decision.type.width();
}

/// Highest power of two that `number`, which is not 0, has.
unsigned logarithm(Rank number) {
  const auto high = static_cast<std::uint64_t>(number >> 64);
  return static_cast<unsigned>(
      high != 0 ? 63 + std::bit_width(high)
                : std::bit_width(static_cast<std::uint64_t>(number)) - 1);
}

/// Rounded down.
Rank squareRoot(Rank number) {
  Rank root = 0;
  for (unsigned bit = 64; bit-- > 0;)
    if (const Rank next = root | Rank(1) << bit; next <= number / next)
      root = next;
  return root;
}

class StrataOrder final : public Order {
public:
  StrataOrder(const DecisionGraph &graph, std::uint64_t seed, Share share)
      : graph_(graph), seed_(seed) {
    countSkeletons();
    sortSizes();
    for (const Rank size : sizes_)
      weights_.push_back(share == Share::equal ? 1 : squareRoot(size));
    layOut();
    findRootBegins();
  }

  Rank count() const override { return graph_.count(graph_.root()); }
  Rank at(Rank position) const override;
  Rank positionOf(Rank rank) const override;

private:
  /// Index in sizes_.
  using Size = std::uint16_t;
  static constexpr Size none = ~Size(0);

  /// How many skeletons behind a node have constants for sizes_[size] members.
  struct Skeletons {
    Size size;
    Rank count;
  };
  /// The members that a round takes of all skeletons of one size.
  struct Part {
    Rank begin; ///< in the round
    Size size;
    Rank first;   ///< turn of each skeleton's first
    Rank members; ///< of each skeleton
  };
  struct Round {
    Rank begin; ///< its first position
    std::vector<Part> parts;
    Permutation permutation;
  };
  /// A constant of a skeleton.
  struct Constant {
    /// 0, 1, the least and -1: where bugs are. Digits number choices, special
    /// ones first.
    static constexpr std::uint64_t special = 4;

    std::uint64_t choices;
    bool hasSpecial; ///< all values of a type of more than two bits
    Rank weight;     ///< what rank the next choice adds
    std::uint64_t choice = 0;

    std::uint64_t digit() const;
    std::uint64_t choiceOf(std::uint64_t digit) const;
  };
  /// What a path through the graph is.
  struct Skeleton {
    Size size;
    Rank index; ///< among those of its size
    std::vector<Constant> constants;
  };

  std::span<const Skeletons> skeletons(Node node) const {
    return {skeletons_.data() + first_[node], first_[node + 1] - first_[node]};
  }
  Rank skeletonsOf(Node node, Size size) const {
    const auto all = skeletons(node);
    const auto found = std::lower_bound(
        all.begin(), all.end(), size, [](const Skeletons &entry, Size wanted) {
          return entry.size < wanted;
        });
    return found != all.end() && found->size == size ? found->count : 0;
  }
  /// How many skeletons of `size` begin with `edge`.
  Rank skeletonsBehind(const Edge &edge, Size size) const {
    const Size rest = sizeBehind(edge.decision, size);
    if (rest == none)
      return 0;
    const Rank each = skeletonsOf(edge.target, rest);
    return choosesConstant(edge.decision) ? each : each * edge.decision.choices;
  }
  /// The size of what follows behind `decision` in a skeleton of `size`.
  Size sizeBehind(const Decision &decision, Size size) const {
    return choosesConstant(decision) ? quotients_.at(decision.choices)[size]
                                     : size;
  }
  /// How many members of a skeleton come before that round.
  Rank turnsBefore(unsigned round, Size size) const {
    const Rank rounds = (Rank(1) << round) - 1;
    return weights_[size] > sizes_[size] / (rounds + 1)
               ? std::min(sizes_[size], weights_[size] * rounds)
               : weights_[size] * rounds;
  }

  void countSkeletons();
  void sortSizes();
  void layOut();
  void findRootBegins();
  const Edge &edgeOf(Node node, Size size, Rank &skeleton) const;
  class Turns;
  /// Adds the constants, and returns the rank of the member whose choices are
  /// all 0.
  Rank descend(Skeleton &skeleton) const;
  Skeleton skeletonOf(Rank rank) const;

  const DecisionGraph &graph_;
  std::uint64_t seed_;
  std::vector<Rank> sizes_; ///< all there are, ascending
  /// By size: how many members a skeleton has in the first round.
  std::vector<Rank> weights_;
  /// By number of choices: size divided by it, or none.
  std::map<std::uint64_t, std::vector<Size>> quotients_;
  std::vector<Skeletons> skeletons_; ///< of all nodes, by size
  std::vector<std::size_t> first_;   ///< by node, in skeletons_, and the end
  std::vector<Round> rounds_;        ///< by position
  /// By size: skeletons behind the edges of the root before each edge, since
  /// there are as many edges as control-flow graphs.
  std::vector<std::vector<Rank>> rootBegins_;
};

/// Counts the skeletons of every node, from the leaf upwards.
void StrataOrder::countSkeletons() {
  sizes_ = {1};
  std::map<Rank, Size> indexOf = {{1, 0}};
  const auto times = [&](Size size, std::uint64_t choices) {
    const Rank product = sizes_[size] * choices;
    const auto [known, isNew] =
        indexOf.emplace(product, static_cast<Size>(sizes_.size()));
    if (isNew)
      sizes_.push_back(product);
    return known->second;
  };
  std::vector<Rank> counts; // by size, of one node
  for (Node node = 0; node < graph_.nodeCount(); ++node) {
    first_.push_back(skeletons_.size());
    if (node == DecisionGraph::leaf) {
      skeletons_.push_back({0, 1});
      continue;
    }
    counts.assign(sizes_.size(), 0);
    for (const Edge &edge : graph_.edges(node)) {
      const std::uint64_t choices = edge.decision.choices;
      const bool isConstant = choosesConstant(edge.decision);
      for (std::size_t i = first_[edge.target]; i < first_[edge.target + 1];
           ++i) {
        const Size size = isConstant ? times(skeletons_[i].size, choices)
                                     : skeletons_[i].size;
        counts.resize(sizes_.size());
        counts[size] += skeletons_[i].count * (isConstant ? 1 : choices);
      }
      if (isConstant)
        quotients_[choices];
    }
    for (std::size_t size = 0; size < counts.size(); ++size)
      if (counts[size] != 0)
        skeletons_.push_back({static_cast<Size>(size), counts[size]});
  }
  first_.push_back(skeletons_.size());
  assert(sizes_.size() < none);
}

/// Numbers sizes in ascending order instead of that in which they came up.
void StrataOrder::sortSizes() {
  std::vector<Rank> sorted = sizes_;
  std::sort(sorted.begin(), sorted.end());
  const auto indexOf = [&](Rank size) {
    return static_cast<Size>(
        std::lower_bound(sorted.begin(), sorted.end(), size) - sorted.begin());
  };
  for (Skeletons &entry : skeletons_)
    entry.size = indexOf(sizes_[entry.size]);
  for (Node node = 0; node < graph_.nodeCount(); ++node)
    std::sort(
        skeletons_.begin() + static_cast<std::ptrdiff_t>(first_[node]),
        skeletons_.begin() + static_cast<std::ptrdiff_t>(first_[node + 1]),
        [](const Skeletons &a, const Skeletons &b) { return a.size < b.size; });
  sizes_ = std::move(sorted);
  for (auto &[choices, quotients] : quotients_)
    for (const Rank size : sizes_) {
      const Rank quotient = size / choices;
      const bool isSize =
          size % choices == 0 &&
          std::binary_search(sizes_.begin(), sizes_.end(), quotient);
      quotients.push_back(
          isSize ? static_cast<Size>(std::lower_bound(sizes_.begin(),
                                                      sizes_.end(), quotient) -
                                     sizes_.begin())
                 : none);
    }
}

void StrataOrder::layOut() {
  Rank begin = 0;
  for (unsigned round = 0; begin < count(); ++round) {
    Rank end = 0;
    std::vector<Part> parts;
    for (const Skeletons &entry : skeletons(graph_.root())) {
      const Rank first = turnsBefore(round, entry.size);
      const Rank members = turnsBefore(round + 1, entry.size) - first;
      if (members == 0)
        continue;
      parts.push_back({end, entry.size, first, members});
      end += entry.count * members;
    }
    rounds_.push_back({begin, std::move(parts),
                       Permutation(end, seed_ + round * corpus::mixStep)});
    begin += end;
  }
  assert(begin == count());
}

/// In which turn the members of a skeleton come. Half of the skeletons begin
/// with those that have special constants only, the others with any.
class StrataOrder::Turns {
public:
  Turns(const Skeleton &skeleton, std::uint64_t seed)
      : seed_(corpus::mixBits(seed + skeleton.size) ^
              corpus::mixBits(static_cast<std::uint64_t>(skeleton.index))) {
    isSpecialFirst_ = corpus::mixBits(seed_) % 2 == 0;
    for (const Constant &constant : skeleton.constants) {
      slow_ *= slowOf(constant);
      fast_ *= constant.choices / slowOf(constant);
    }
  }

  /// Gives the constants the values that they have in that turn.
  void choose(Rank turn, Skeleton &skeleton) const {
    Rank slow = turn / fast_;
    Rank fast = turn - slow * fast_;
    fast = shuffledFast().at(fast);
    if (slow != 0)
      slow = 1 + shuffledSlow().at(slow - 1);
    for (Constant &constant : skeleton.constants) {
      const Rank radix = slowOf(constant);
      const Rank fastRadix = constant.choices / slowOf(constant);
      constant.choice = constant.choiceOf(static_cast<std::uint64_t>(
          fast % fastRadix + slow % radix * fastRadix));
      fast /= fastRadix;
      slow /= radix;
    }
  }

  Rank turnOf(const Skeleton &skeleton) const {
    Rank fast = 0;
    Rank slow = 0;
    Rank fastWeight = 1;
    Rank slowWeight = 1;
    for (const Constant &constant : skeleton.constants) {
      const Rank radix = slowOf(constant);
      const Rank fastRadix = constant.choices / slowOf(constant);
      const Rank digit = constant.digit();
      fast += digit % fastRadix * fastWeight;
      slow += digit / fastRadix * slowWeight;
      fastWeight *= fastRadix;
      slowWeight *= radix;
    }
    fast = shuffledFast().find(fast);
    if (slow != 0)
      slow = 1 + shuffledSlow().find(slow - 1);
    return slow * fast_ + fast;
  }

private:
  /// Which digit of the turn, written with a slow and a fast one for each
  /// constant, tells special values, which come first, from the others.
  std::uint64_t slowOf(const Constant &constant) const {
    return isSpecialFirst_ && constant.hasSpecial
               ? constant.choices / Constant::special
               : 1;
  }
  Permutation shuffledFast() const { return {fast_, seed_}; }
  Permutation shuffledSlow() const { return {slow_ - 1, seed_ + 1}; }

  std::uint64_t seed_;
  bool isSpecialFirst_;
  Rank fast_ = 1;
  Rank slow_ = 1;
};

void StrataOrder::findRootBegins() {
  const auto sizes = static_cast<Size>(sizes_.size());
  for (Size size = 0; size < sizes; ++size) {
    Rank begin = 0;
    std::vector<Rank> &begins = rootBegins_.emplace_back();
    for (const Edge &edge : graph_.edges(graph_.root())) {
      begins.push_back(begin);
      begin += skeletonsBehind(edge, size);
    }
  }
}

/// The edge that the skeleton goes through; takes those before it off its
/// number.
const Edge &StrataOrder::edgeOf(Node node, Size size, Rank &skeleton) const {
  const auto edges = graph_.edges(node);
  if (node == graph_.root()) {
    const std::vector<Rank> &begins = rootBegins_[size];
    const auto next = std::upper_bound(begins.begin(), begins.end(), skeleton);
    skeleton -= *(next - 1);
    return edges[static_cast<std::size_t>(next - 1 - begins.begin())];
  }
  for (const Edge &edge : edges) {
    const Rank behind = skeletonsBehind(edge, size);
    if (skeleton < behind)
      return edge;
    skeleton -= behind;
  }
  assert(false && "there is no such skeleton");
  return edges.back();
}

std::uint64_t StrataOrder::Constant::digit() const {
  if (!hasSpecial)
    return choice;
  const std::uint64_t least = choices / 2;
  if (choice < 2)
    return choice;
  if (choice == least)
    return 2;
  if (choice == choices - 1)
    return 3;
  return choice + (choice < least ? 2 : 1);
}

std::uint64_t StrataOrder::Constant::choiceOf(std::uint64_t digit) const {
  if (!hasSpecial || digit < 2)
    return digit;
  const std::uint64_t least = choices / 2;
  if (digit == 2)
    return least;
  if (digit == 3)
    return choices - 1;
  return digit - (digit - 2 < least ? 2 : 1);
}

Rank StrataOrder::at(Rank position) const {
  assert(position < count());
  const Round &round =
      *(std::upper_bound(
            rounds_.begin(), rounds_.end(), position,
            [](Rank p, const Round &later) { return p < later.begin; }) -
        1);
  const Rank drawn = round.permutation.at(position - round.begin);
  const Part &part =
      *(std::upper_bound(
            round.parts.begin(), round.parts.end(), drawn,
            [](Rank p, const Part &later) { return p < later.begin; }) -
        1);
  const Rank index = (drawn - part.begin) / part.members;
  const Rank turn = part.first + (drawn - part.begin - index * part.members);
  Skeleton skeleton = {part.size, index, {}};
  Rank rank = descend(skeleton);
  Turns(skeleton, seed_).choose(turn, skeleton);
  for (const Constant &constant : skeleton.constants)
    rank += constant.choice * constant.weight;
  return rank;
}

Rank StrataOrder::positionOf(Rank rank) const {
  const Skeleton skeleton = skeletonOf(rank);
  const Rank turn = Turns(skeleton, seed_).turnOf(skeleton);
  const unsigned number = logarithm(turn / weights_[skeleton.size] + 1);
  const Round &round = rounds_[number];
  const auto part = std::find_if(
      round.parts.begin(), round.parts.end(),
      [&](const Part &candidate) { return candidate.size == skeleton.size; });
  const Rank drawn =
      part->begin + skeleton.index * part->members + (turn - part->first);
  return round.begin + round.permutation.find(drawn);
}

Rank StrataOrder::descend(Skeleton &skeleton) const {
  Rank rank = 0;
  Size size = skeleton.size;
  Rank index = skeleton.index;
  for (Node node = graph_.root(); node != DecisionGraph::leaf;) {
    const Edge &edge = edgeOf(node, size, index);
    const Rank count = graph_.count(edge.target);
    size = sizeBehind(edge.decision, size);
    rank += edge.before;
    if (choosesConstant(edge.decision)) {
      skeleton.constants.push_back(
          {edge.decision.choices, hasSpecial(edge.decision), count});
    } else if (edge.decision.choices != 1) {
      const Rank each = skeletonsOf(edge.target, size);
      const std::uint64_t choice = quotient(index, each);
      index -= choice * each;
      rank += choice * count;
    }
    node = edge.target;
  }
  return rank;
}

StrataOrder::Skeleton StrataOrder::skeletonOf(Rank rank) const {
  struct Step {
    Node node;
    const Edge *edge;
    std::uint64_t choice;
  };
  std::vector<Step> path;
  Skeleton skeleton = {0, 0, {}};
  Rank members = 1;
  for (Node node = graph_.root(); node != DecisionGraph::leaf;) {
    const Edge &edge = graph_.edgeOf(node, rank);
    const Rank count = graph_.count(edge.target);
    rank -= edge.before;
    const std::uint64_t choice = quotient(rank, count);
    rank -= choice * count;
    if (choosesConstant(edge.decision)) {
      members *= edge.decision.choices;
      skeleton.constants.push_back(
          {edge.decision.choices, hasSpecial(edge.decision), count, choice});
    }
    path.push_back({node, &edge, choice});
    node = edge.target;
  }
  skeleton.size = static_cast<Size>(
      std::lower_bound(sizes_.begin(), sizes_.end(), members) - sizes_.begin());
  Size size = skeleton.size;
  for (const auto &[node, edge, choice] : path) {
    const Edge *first = graph_.edges(node).data();
    if (node == graph_.root())
      skeleton.index +=
          rootBegins_[size][static_cast<std::size_t>(edge - first)];
    else
      for (const Edge *before = first; before != edge; ++before)
        skeleton.index += skeletonsBehind(*before, size);
    size = sizeBehind(edge->decision, size);
    if (!choosesConstant(edge->decision))
      skeleton.index += choice * skeletonsOf(edge->target, size);
  }
  return skeleton;
}

} // namespace

std::unique_ptr<Order> makeStrataOrder(const DecisionGraph &graph,
                                       std::uint64_t seed, Share share) {
  return std::make_unique<StrataOrder>(graph, seed, share);
}

} // namespace enumerate
