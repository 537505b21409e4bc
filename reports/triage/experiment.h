// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blame, and the question that every step of a reduction asks again: does this
// function still show this bug?
// Threads: one thread.
#pragma once

#include "checker/check.h"
#include "reports/triage/subject.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace reports {

/// One wrong result. Equal `pass`, `kind` and `detail` are the same symptom.
struct Symptom {
  std::string pass; ///< the culprit
  checker::Kind kind = checker::Kind::value;
  std::string detail; ///< of crash: what and where; else empty
  friend bool operator==(const Symptom &, const Symptom &) = default;
};

/// A symptom with the function that the culprit was given and what it made of
/// it.
struct Blame {
  Symptom symptom;
  corpus::Program before;
  std::optional<corpus::Program> after; ///< of a wrong result
  std::string message;                  ///< of invalid: the verifier's word
  unsigned index = 0; ///< of the culprit in a traced pipeline, as Step::index
};

/// What happened to each program, deaths of the worker included: a batch that
/// kills it is asked one by one.
struct Reaction {
  std::optional<checker::Kind> failure; ///< crash, hang or invalid
  runner::Output output;
};
std::vector<Reaction> react(Subject &subject,
                            std::span<const corpus::Program> programs,
                            const runner::Pipeline &pipeline);

/// Which pass of a traced run owns the bug. Under a semantics: the first one
/// whose output does not refine its input. Without one: the pass in which the
/// run failed (crash, hang, invalid). Nothing when there is no such pass.
std::optional<Blame> blame(const corpus::Program &source,
                           const runner::Answer<runner::Trace> &trace,
                           const std::optional<checker::Semantics> &semantics,
                           checker::Checker &checker);

/// A way to see a symptom again: one pipeline, one semantics (none for a
/// symptom that is no verdict).
class Experiment {
public:
  /// `isCulpritAlone`: the pipeline is the culprit and nothing else, so that no
  /// blame is needed. `subject` and `checker` outlive this.
  Experiment(Subject &subject, checker::Checker &checker, Symptom symptom,
             runner::Pipeline pipeline, bool isCulpritAlone,
             std::optional<checker::Semantics> semantics)
      : subject_(subject), checker_(checker), symptom_(std::move(symptom)),
        pipeline_(std::move(pipeline)), isCulpritAlone_(isCulpritAlone),
        semantics_(semantics) {}

  const Symptom &symptom() const { return symptom_; }
  const runner::Pipeline &pipeline() const { return pipeline_; }
  const std::optional<checker::Semantics> &semantics() const {
    return semantics_;
  }

  /// result[i]: programs[i] shows the symptom, and how.
  std::vector<std::optional<Blame>>
  run(std::span<const corpus::Program> programs);

private:
  std::optional<Blame> judge(const corpus::Program &program,
                             const Reaction &reaction);

  Subject &subject_;
  checker::Checker &checker_;
  Symptom symptom_;
  runner::Pipeline pipeline_;
  bool isCulpritAlone_;
  std::optional<checker::Semantics> semantics_;
};

} // namespace reports
