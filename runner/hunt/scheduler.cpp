// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/hunt/scheduler.h"

#include "corpus/program/rank.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace runner {
namespace {

/// Estimated seconds of an arm's largest slice.
constexpr double largestSlice = 4;
/// Of a pipeline's time, one against the other. What got little gets some,
/// since rewrites are not yet bugs; so does what is left of small arms, since
/// nothing was missed where everything was looked at; and the best.
struct Shares {
  double little;
  double small;
  double best;
};
constexpr Shares sharesAtFirst = {3, 2, 1}; ///< the little is what nobody tried
constexpr Shares sharesLater = {2, 2, 3};
/// Of so many functions how many were changed tells as little of the next as
/// what is usual: where some take a second, the first slice has a few.
constexpr double tellsLittle = 10;
/// Estimated seconds until one that hangs is known for it, and the workers that
/// it stopped are replaced.
constexpr double secondsOfHang = 1;
/// Estimated seconds that are left of a small arm.
constexpr double smallArm = 64;
/// A new kind of finding is worth so many new rewrites.
constexpr double findingValue = 50;
/// How much the last slice says against all before it.
constexpr double freshness = 0.5;
/// A pipeline that lately showed less in a second has shown what it does, and
/// its time counts so many times: with most passes it is thousands.
constexpr double fewNews = 2;
constexpr double costOfFewNews = 3;
/// What a decision counts for after the next.
constexpr double memoryOfNews = 0.9;

} // namespace

Scheduler::Scheduler(std::vector<Arm> arms, std::vector<double> weights,
                     std::uint64_t seed)
    : arms_(std::move(arms)), states_(arms_.size()),
      weights_(std::move(weights)), accounts_(weights_.size()), seed_(seed) {}

double Scheduler::secondsEach(std::size_t arm) const {
  const State &state = states_[arm];
  const double changed =
      (static_cast<double>(state.changed) + usuallyChanged * tellsLittle) /
      (static_cast<double>(state.done) + tellsLittle);
  const double hung =
      static_cast<double>(state.hangs) /
      static_cast<double>(std::max<std::uint64_t>(state.done, 1));
  return arms_[arm].cost.seconds(1, changed) + hung * secondsOfHang;
}

Scheduler::Choice
Scheduler::choose(std::size_t pipeline,
                  const std::vector<std::size_t> &open) const {
  const auto secondsLeft = [&](std::size_t i) {
    return static_cast<double>(arms_[i].size - states_[i].done) *
           secondsEach(i);
  };
  const auto least = [](const std::vector<std::size_t> &arms,
                        const auto &measure) {
    return *std::min_element(
        arms.begin(), arms.end(),
        [&](std::size_t a, std::size_t b) { return measure(a) < measure(b); });
  };
  std::vector<std::size_t> tried;
  std::vector<std::size_t> untried;
  for (const std::size_t i : open)
    (states_[i].slices == 0 ? untried : tried).push_back(i);
  struct Share {
    Choice choice;
    double share; ///< of the time, against the others
  };
  const Shares &given = untried.empty() ? sharesLater : sharesAtFirst;
  std::vector<Share> shares;
  if (!untried.empty()) {
    const std::size_t next = least(untried, [&](std::size_t i) {
      return std::pair(arms_[i].distance, std::min(secondsLeft(i), usualSlice));
    });
    if (arms_[next].distance == 0 || tried.empty())
      return {next, Turn::home};
    shares.push_back({{next, Turn::untried}, given.little});
  } else {
    const std::size_t next =
        least(tried, [&](std::size_t i) { return states_[i].seconds; });
    shares.push_back({{next, Turn::least}, given.little});
  }
  const std::size_t smallest = least(tried, secondsLeft);
  if (secondsLeft(smallest) <= smallArm)
    shares.push_back({{smallest, Turn::small}, given.small});
  const std::size_t best =
      least(tried, [&](std::size_t i) { return -states_[i].quality; });
  shares.push_back({{best, Turn::best}, given.best});

  // One of those that did not get more than their share: not all did.
  constexpr double rounding = 1e-9;
  const auto secondsOf = [&](const Share &share) {
    return accounts_[pipeline]
        .secondsOf[static_cast<std::size_t>(share.choice.turn)];
  };
  double allSeconds = 0;
  double allShares = 0;
  for (const Share &share : shares) {
    allSeconds += secondsOf(share);
    allShares += share.share;
  }
  std::erase_if(shares, [&](const Share &share) {
    return secondsOf(share) * allShares >
           share.share * allSeconds * (1 + rounding);
  });
  return shares[corpus::mixBits(seed_ * corpus::mixStep + decisions_ + 1) %
                shares.size()]
      .choice;
}

std::optional<Scheduler::Choice> Scheduler::choose() const {
  std::vector<std::vector<std::size_t>> open(weights_.size());
  for (std::size_t i = 0; i < arms_.size(); ++i)
    if (states_[i].done < arms_[i].size)
      open[arms_[i].pipeline].push_back(i);
  const auto spent = [&](std::size_t pipeline) {
    return accounts_[pipeline].seconds / weights_[pipeline];
  };
  std::optional<std::size_t> pipeline;
  for (std::size_t i = 0; i < open.size(); ++i)
    if (!open[i].empty() && (!pipeline || spent(i) < spent(*pipeline)))
      pipeline = i;
  if (!pipeline)
    return std::nullopt;
  return choose(*pipeline, open[*pipeline]);
}

std::optional<Decision> Scheduler::next() const {
  const auto choice = choose();
  if (!choice)
    return std::nullopt;
  const std::size_t arm = choice->arm;
  const State &state = states_[arm];
  double seconds = arms_[arm].firstSlice;
  for (std::uint64_t i = 0; i < state.slices && seconds < largestSlice; ++i)
    seconds *= 2;
  const auto functions = static_cast<std::uint64_t>(seconds / secondsEach(arm));
  return Decision{arm, state.done,
                  state.done + std::min(std::max<std::uint64_t>(functions, 1),
                                        arms_[arm].size - state.done)};
}

void Scheduler::reward(const Decision &decision, const Reward &reward) {
  assert(next() == decision);
  const Turn turn = choose()->turn;
  const Arm &arm = arms_[decision.arm];
  State &state = states_[decision.arm];
  const double withoutHangs =
      arm.cost.seconds(static_cast<double>(decision.end - decision.begin),
                       static_cast<double>(reward.changed));
  const double seconds =
      withoutHangs + static_cast<double>(reward.hangs) * secondsOfHang;
  const double value = static_cast<double>(reward.rewrites) +
                       findingValue * static_cast<double>(reward.findings);
  const double quality = value / std::max(seconds, usualSlice / 2);
  state.quality = state.slices == 0
                      ? quality
                      : freshness * quality + (1 - freshness) * state.quality;
  state.done = decision.end;
  state.changed += reward.changed;
  state.hangs += reward.hangs;
  state.seconds += seconds;
  ++state.slices;
  // That it hangs in one space is no reason to look less at its others.
  Account &account = accounts_[arm.pipeline];
  account.secondsOf[static_cast<std::size_t>(turn)] += withoutHangs;
  account.latelyValue = memoryOfNews * account.latelyValue + value;
  account.latelySeconds = memoryOfNews * account.latelySeconds + seconds;
  const bool isDry = account.latelyValue < fewNews * account.latelySeconds;
  account.seconds += withoutHangs * (isDry ? costOfFewNews : 1);
  ++decisions_;
}

} // namespace runner
