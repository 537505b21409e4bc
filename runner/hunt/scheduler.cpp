// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/hunt/scheduler.h"

#include "corpus/program/rank.h"

#include <algorithm>
#include <cassert>

namespace runner {
namespace {

/// Estimated seconds of an arm's first slice, and of its largest: long enough
/// for the start of a worker not to count.
constexpr double firstSlice = 0.5;
constexpr double largestSlice = 8;
/// Of so many decisions one is for any arm, and `thoroughness` are for what is
/// left of a small one: where everything was looked at, nothing was missed.
constexpr std::uint64_t curiosity = 6;
constexpr std::uint64_t thoroughness = 2;
/// Estimated seconds that are left of a small arm.
constexpr double smallArm = 64;
/// A new kind of finding is worth so many new rewrites.
constexpr double findingValue = 50;
/// How much the last slice says against all before it.
constexpr double freshness = 0.5;

} // namespace

Scheduler::Scheduler(std::vector<Arm> arms, std::vector<double> weights,
                     std::uint64_t seed)
    : arms_(std::move(arms)), states_(arms_.size()),
      weights_(std::move(weights)), spent_(weights_.size(), 0), seed_(seed) {}

std::optional<Decision> Scheduler::next() const {
  std::vector<std::vector<std::size_t>> open(weights_.size());
  for (std::size_t i = 0; i < arms_.size(); ++i)
    if (states_[i].done < arms_[i].size)
      open[arms_[i].pipeline].push_back(i);
  std::optional<std::size_t> pipeline;
  for (std::size_t i = 0; i < open.size(); ++i)
    if (!open[i].empty() &&
        (!pipeline ||
         spent_[i] / weights_[i] < spent_[*pipeline] / weights_[*pipeline]))
      pipeline = i;
  if (!pipeline)
    return std::nullopt;

  const std::vector<std::size_t> &candidates = open[*pipeline];
  const std::uint64_t bits =
      corpus::mixBits(seed_ * corpus::mixStep + decisions_ + 1);
  const auto secondsLeft = [&](std::size_t i) {
    return static_cast<double>(arms_[i].size - states_[i].done) *
           arms_[i].microseconds * 1e-6;
  };
  const std::size_t smallest = *std::min_element(
      candidates.begin(), candidates.end(), [&](std::size_t a, std::size_t b) {
        return secondsLeft(a) < secondsLeft(b);
      });
  std::size_t arm = 0;
  const auto untried =
      std::find_if(candidates.begin(), candidates.end(),
                   [&](std::size_t i) { return states_[i].slices == 0; });
  if (untried != candidates.end())
    arm = *untried;
  else if (bits % curiosity == 0)
    arm = candidates[bits / curiosity % candidates.size()];
  else if (bits % curiosity <= thoroughness &&
           secondsLeft(smallest) <= smallArm)
    arm = smallest;
  else
    arm = *std::max_element(candidates.begin(), candidates.end(),
                            [&](std::size_t a, std::size_t b) {
                              return states_[a].quality < states_[b].quality;
                            });

  const State &state = states_[arm];
  double seconds = firstSlice;
  for (std::uint64_t i = 0; i < state.slices && seconds < largestSlice; ++i)
    seconds *= 2;
  const auto functions =
      static_cast<std::uint64_t>(seconds * 1e6 / arms_[arm].microseconds);
  return Decision{arm, state.done,
                  state.done + std::min(std::max<std::uint64_t>(functions, 1),
                                        arms_[arm].size - state.done)};
}

void Scheduler::reward(const Decision &decision, const Reward &reward) {
  assert(next() == decision);
  const Arm &arm = arms_[decision.arm];
  State &state = states_[decision.arm];
  const double seconds = static_cast<double>(decision.end - decision.begin) *
                         arm.microseconds * 1e-6;
  const double quality = (static_cast<double>(reward.rewrites) +
                          findingValue * static_cast<double>(reward.findings)) /
                         std::max(seconds, firstSlice / 2);
  state.quality = state.slices == 0
                      ? quality
                      : freshness * quality + (1 - freshness) * state.quality;
  state.done = decision.end;
  ++state.slices;
  spent_[arm.pipeline] += seconds;
  ++decisions_;
}

} // namespace runner
