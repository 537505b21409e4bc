// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which arm of a hunt runs next: a seeded bandit. Pipelines get time by their
// weight, and a part of it once they show nothing new. Of a pipeline's spaces
// each gets a slice, first those that are most like what it is for, small ones
// before large ones. Then time is shared out: half of it, while there is such,
// is for what was not tried, the rest for small ones, which come to their end,
// for the one that lately showed the most new rewrites and findings for its
// time, and, when all were tried, for the one that got the least.
//
// Invariant: decisions depend on the seed and on what earlier ones brought, and
// time is what the portfolio estimates, so that two hunts decide alike on any
// machine, and a resumed one as if it had not been stopped.
// Threads: one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace runner {

/// Of functions, before any were looked at.
inline constexpr double usuallyChanged = 0.3;

/// Estimated microseconds.
struct Cost {
  double function = 1; ///< of each
  double changed = 0;  ///< of each that the pipeline changed, beyond that

  /// Estimated seconds of so many, of which so many are changed.
  double seconds(double functions, double ofThese) const {
    return (functions * function + ofThese * changed) * 1e-6;
  }
};

/// Estimated seconds of an arm's first slice; the next are longer. A decision
/// costs 0.03 beside: short slices, so that everything is tried early.
inline constexpr double usualSlice = 0.1;

/// A space through a pipeline.
struct Arm {
  std::size_t space = 0;    ///< of the caller's list
  std::size_t pipeline = 0; ///< of the caller's list
  Cost cost;
  std::uint64_t size = 0; ///< functions
  /// How unlike the space is to what the pipeline is for.
  unsigned distance = 0;
  double firstSlice = usualSlice;
};

/// The next functions of an arm, in its order.
struct Decision {
  std::size_t arm = 0;
  std::uint64_t begin = 0; ///< positions
  std::uint64_t end = 0;
  friend bool operator==(const Decision &, const Decision &) = default;
};

/// What a decision brought.
struct Reward {
  std::uint64_t rewrites = 0; ///< that the pipeline had not shown before
  std::uint64_t findings = 0; ///< kinds of findings, in the same way
  std::uint64_t changed = 0;  ///< functions
  std::uint64_t hangs = 0;    ///< functions, and such that ate memory
  friend bool operator==(const Reward &, const Reward &) = default;
};

class Scheduler {
public:
  /// `weights` of the pipelines.
  Scheduler(std::vector<Arm> arms, std::vector<double> weights,
            std::uint64_t seed);

  /// Nothing when all arms are done. The same until reward() is called.
  std::optional<Decision> next() const;
  /// Of the decision that next() gave.
  void reward(const Decision &decision, const Reward &reward);

  const std::vector<Arm> &arms() const { return arms_; }

private:
  struct State {
    std::uint64_t done = 0;    ///< functions
    std::uint64_t changed = 0; ///< of these
    std::uint64_t hangs = 0;   ///< of these
    std::uint64_t slices = 0;
    double seconds = 0;
    double quality = 0; ///< of late, for a second
  };
  /// What a decision is for.
  enum class Turn : std::uint8_t { home, untried, small, best, least };
  static constexpr std::size_t turns = 5;
  struct Choice {
    std::size_t arm = 0;
    Turn turn = Turn::home;
  };
  /// Of a pipeline.
  struct Account {
    /// More of them than went by where it showed nothing new.
    double seconds = 0;
    std::array<double, turns> secondsOf{}; ///< by Turn
    /// Of the latest decisions, each counted less with each after it.
    double latelyValue = 0;
    double latelySeconds = 0;
  };
  double secondsEach(std::size_t arm) const;
  /// One of the `open` arms of a pipeline, which are not none.
  Choice choose(std::size_t pipeline,
                const std::vector<std::size_t> &open) const;
  /// Nothing when all arms are done.
  std::optional<Choice> choose() const;

  std::vector<Arm> arms_;
  std::vector<State> states_;
  std::vector<double> weights_;
  std::vector<Account> accounts_; ///< by pipeline
  std::uint64_t seed_;
  std::uint64_t decisions_ = 0;
};

} // namespace runner
