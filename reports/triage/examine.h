// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What else there is to know of a bug: which releases and which widths show it,
// the smallest repair of its target, and the flags of its source that decide.
// The work is bounded: a few hundred small functions through the optimizer, and
// checks by resource, not by time, so that the answers are the same anywhere.
// Threads: one thread.
#pragma once

#include "checker/check.h"
#include "reports/triage/bug.h"
#include "reports/triage/experiment.h"
#include "reports/triage/subject.h"

#include <span>

namespace reports {

class Examiner {
public:
  /// `releases`: of the window. `subjects` outlives this.
  Examiner(OpenSubjects &subjects, std::span<const unsigned> releases);

  /// Fills in the window; one batch for each pipeline and release.
  void findWindows(std::span<Bug *const> bugs);
  /// Fills in widths, repair and flags. Requires a bug that was reproduced.
  void examine(Bug &bug);

private:
  /// A pair that shows the bug at one width.
  struct Shown {
    corpus::Program source;
    corpus::Program target;
  };
  enum class Answer : std::uint8_t {
    wrong,
    right,
    unknown,
    undecided,
    otherwise, ///< a failure, and of another kind
  };

  /// How the bugs, which have that pipeline, fare in a release.
  std::vector<Answer> answersOf(std::span<Bug *const> bugs,
                                const runner::Pipeline &pipeline,
                                Subject &subject);
  Answer answerOf(const Bug &bug, const Reaction &reaction);
  Answer answerInPipeline(const Bug &bug, const runner::Pipeline &pipeline,
                          Subject &subject);
  /// How each program fares under the culprit, and what is made of the wrong.
  std::vector<Answer> ask(const Bug &bug,
                          std::span<const corpus::Program> programs,
                          std::vector<std::optional<Shown>> &shown);
  Answer judge(const corpus::Program &source, const corpus::Program &target,
               const Bug &bug);
  void findWidths(Bug &bug);
  void findLanes(Bug &bug);
  void findRepair(Bug &bug);
  void findFlags(Bug &bug);
  bool isRight(const Shown &pair, const Bug &bug);

  OpenSubjects &subjects_;
  std::vector<unsigned> releases_;
  checker::Checker checker_;
  unsigned undecided_ = 0; ///< checks of the bug under examination
  /// Of the bug under examination: itself, then a few other widths.
  std::vector<Shown> shown_;
};

} // namespace reports
