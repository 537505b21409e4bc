// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/sliced/layout.h"

#include <algorithm>
#include <cmath>

namespace checker::bitsliced {

namespace {

constexpr std::size_t maximumLayouts = 4096;

/// Lays out the inputs of one signature.
class Builder {
public:
  Builder(std::span<const LayoutArgument> arguments,
          std::span<const Choice> choices, bool poisonInputs,
          std::uint32_t inputPlanes, Layout &layout)
      : arguments_(arguments), choices_(choices), poisonInputs_(poisonInputs),
        inputPlanes_(inputPlanes), layout_(layout) {}

  void build() {
    if (!buildInOneBlock())
      buildByPattern();
    // The vectors no longer move.
    for (std::size_t i = 0; i < layout_.series.size(); ++i) {
      layout_.series[i].planes = layout_.planes.data() + i * inputPlanes_;
      layout_.series[i].counters = layout_.counters.data() + counterStart_[i];
      layout_.blocks += static_cast<double>(layout_.series[i].blocks);
    }
  }

private:
  /// The planes that count when exactly the arguments of `pattern` are poison.
  std::vector<std::uint32_t> dimensions(unsigned pattern) const {
    std::vector<std::uint32_t> planes;
    for (std::size_t i = arguments_.size(); i-- > 0;)
      if ((pattern >> i & 1) == 0)
        for (unsigned bit = 0; bit < arguments_[i].width; ++bit)
          planes.push_back(arguments_[i].planes + 1 + bit);
    for (const Choice &choice : choices_)
      if ((choice.when & (always | pattern)) != 0)
        for (unsigned bit = 0; bit < choice.width; ++bit)
          planes.push_back(choice.planes + 1 + bit);
    return planes;
  }

  Plane *addSeries(std::uint64_t blocks) {
    const std::size_t start = layout_.planes.size();
    layout_.planes.resize(start + inputPlanes_);
    Series series;
    series.blocks = blocks;
    layout_.series.push_back(series);
    counterStart_.push_back(layout_.counters.size());
    return layout_.planes.data() + start;
  }

  static Plane countingPlane(unsigned bit) {
    Plane plane{};
    for (unsigned lane = 0; lane < lanes; ++lane)
      plane.words[lane / 64] |= std::uint64_t(lane >> bit & 1) << lane % 64;
    return plane;
  }

  /// Poison is one more dimension of each argument; that there are several
  /// lanes for the same poison input does no harm.
  bool buildInOneBlock() {
    std::vector<std::uint32_t> planes = dimensions(0);
    for (const Choice &choice : choices_)
      if ((choice.when & always) == 0)
        for (unsigned bit = 0; bit < choice.width; ++bit)
          planes.push_back(choice.planes + 1 + bit);
    if (poisonInputs_)
      for (const LayoutArgument &argument : arguments_)
        if (argument.width != 0)
          planes.push_back(argument.planes);
    if (planes.size() > laneBits)
      return false;
    Plane *start = addSeries(1);
    for (unsigned bit = 0; bit < planes.size(); ++bit)
      start[planes[bit]] = countingPlane(bit);
    return true;
  }

  void buildByPattern() {
    const unsigned patterns = poisonInputs_ ? 1U << arguments_.size() : 1;
    unsigned used = 0;
    for (std::size_t i = 0; i < arguments_.size(); ++i)
      used |= arguments_[i].width != 0 ? 1U << i : 0;
    for (unsigned pattern = 0; pattern < patterns; ++pattern) {
      if ((pattern & ~used) != 0)
        continue;
      const std::vector<std::uint32_t> counting = dimensions(pattern);
      if (counting.size() < laneBits)
        addLanes(pattern, counting);
      else if (counting.size() - laneBits >= 62)
        layout_.blocks = HUGE_VAL;
      else
        addBlocks(pattern, counting);
    }
  }

  void addBlocks(unsigned pattern, const std::vector<std::uint32_t> &counting) {
    Plane *start = addSeries(std::uint64_t(1) << (counting.size() - laneBits));
    for (std::size_t i = 0; i < arguments_.size(); ++i)
      if ((pattern >> i & 1) != 0)
        std::fill(std::begin(start[arguments_[i].planes].words),
                  std::end(start[arguments_[i].planes].words),
                  ~std::uint64_t(0));
    for (unsigned bit = 0; bit < laneBits; ++bit)
      start[counting[bit]] = countingPlane(bit);
    layout_.counters.insert(layout_.counters.end(), counting.begin() + laneBits,
                            counting.end());
  }

  /// Patterns that do not fill a block share blocks. Lanes left over are the
  /// input 0, 0, ..., which is an input like any other.
  void addLanes(unsigned pattern, const std::vector<std::uint32_t> &counting) {
    for (std::uint64_t number = 0; number >> counting.size() == 0; ++number) {
      if (sharedLane_ == lanes || sharedSeries_ == noSeries) {
        sharedSeries_ = layout_.series.size();
        addSeries(1);
        sharedLane_ = 0;
      }
      Plane *start = layout_.planes.data() + sharedSeries_ * inputPlanes_;
      const auto set = [&](std::uint32_t plane) {
        start[plane].words[sharedLane_ / 64] |= std::uint64_t(1)
                                                << sharedLane_ % 64;
      };
      for (std::size_t i = 0; i < arguments_.size(); ++i)
        if ((pattern >> i & 1) != 0)
          set(arguments_[i].planes);
      for (std::size_t bit = 0; bit < counting.size(); ++bit)
        if ((number >> bit & 1) != 0)
          set(counting[bit]);
      ++sharedLane_;
    }
  }

  static constexpr std::size_t noSeries = ~std::size_t(0);

  std::span<const LayoutArgument> arguments_;
  std::span<const Choice> choices_;
  bool poisonInputs_;
  std::uint32_t inputPlanes_;
  Layout &layout_;
  std::vector<std::size_t> counterStart_;
  std::size_t sharedSeries_ = noSeries;
  unsigned sharedLane_ = 0;
};

} // namespace

const Layout &Layouts::of(std::span<const LayoutArgument> arguments,
                          std::span<const Choice> choices, bool poisonInputs,
                          std::uint32_t inputPlanes) {
  Key key;
  key.words[0] = poisonInputs ? 3 : 2; // the leading bit tells the length
  for (const LayoutArgument &argument : arguments)
    key.words[0] = key.words[0] << 7 | argument.width;
  for (std::size_t k = 0; k < choices.size(); ++k)
    key.words[1 + k / 2] |=
        (std::uint64_t(choices[k].width) << 16 | choices[k].when)
        << 32 * (k % 2);
  const auto *&recent = recent_[KeyHash()(key) % recent_.size()];
  if (recent != nullptr && recent->first == key)
    return recent->second;
  if (const auto found = layouts_.find(key); found != layouts_.end()) {
    recent = &*found;
    return recent->second;
  }
  if (layouts_.size() == maximumLayouts) {
    layouts_.clear();
    recent_.fill(nullptr);
  }
  const auto added = layouts_.try_emplace(key).first;
  recent = &*added;
  Builder(arguments, choices, poisonInputs, inputPlanes, added->second).build();
  return added->second;
}

void writeLiterals(const core::Function &function, Plane *file) {
  for (const core::Literal &literal : function.literals) {
    Plane *plane = file + literal.slot;
    const auto fill = [&](bool value) {
      for (std::uint64_t &word : plane->words)
        word = -std::uint64_t(value);
      ++plane;
    };
    fill(literal.kind != core::Literal::Kind::number);
    if (literal.kind != core::Literal::Kind::on)
      for (unsigned i = 0; i < literal.width; ++i)
        fill((literal.bits >> i & 1) != 0);
  }
}

core::Slot prepareFile(core::Function &source, core::Function &target,
                       corpus::Type returned, std::vector<Plane> &file) {
  const core::Slot zero = std::max(source.end, target.end);
  const core::Slot zeros = std::max<core::Slot>(1, core::slotsOf(returned));
  if (file.size() < zero + zeros)
    file.resize(2 * static_cast<std::size_t>(zero + zeros));
  std::fill_n(file.begin() + zero, zeros, Plane{});
  for (core::Function *function : {&source, &target}) {
    if (!function->returned.exists())
      function->returned = {zero, false};
    writeLiterals(*function, file.data());
  }
  return zero;
}

void noteWidths(corpus::Type type, std::vector<std::uint8_t> &widths) {
  widths.clear();
  for (unsigned lane = 0; lane < core::lanesOf(type); ++lane)
    widths.push_back(static_cast<std::uint8_t>(core::laneWidth(type, lane)));
}

} // namespace checker::bitsliced
