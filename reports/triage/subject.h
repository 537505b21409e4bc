// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The optimizer under suspicion, as triage questions it: the worker of one LLVM
// release, or a fake in tests.
// Threads: one thread per Subject.
#pragma once

#include "corpus/program/result.h"
#include "runner/worker.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace reports {

class Subject {
public:
  virtual ~Subject() = default;
  virtual runner::Answer<corpus::Result<runner::PipelineInfo>>
  describe(const runner::Pipeline &pipeline) = 0;
  /// Requires that describe() accepted the pipeline; as for trace().
  virtual runner::Answer<std::vector<runner::Output>>
  optimize(std::span<const corpus::Program> programs,
           const runner::Pipeline &pipeline) = 0;
  virtual runner::Answer<runner::Trace>
  trace(const corpus::Program &program, const runner::Pipeline &pipeline) = 0;
};

/// Brings what runs the pipeline as that release does, or says why there is
/// nothing.
using Subjects = std::function<corpus::Result<std::unique_ptr<Subject>>(
    unsigned release, const runner::Pipeline &pipeline)>;

/// The worker of runner::findWorker().
corpus::Result<std::unique_ptr<Subject>>
workerSubject(unsigned release, const runner::Pipeline &pipeline);

/// The same under limits for the small functions of a reduction: a hang or a
/// flight of memory shows after seconds. Each question ends when `stop` is
/// true, and then its answer says nothing.
Subjects limitedSubjects(std::function<bool()> stop);

/// Those that were asked for, each brought once.
class OpenSubjects {
public:
  /// `subjects` outlives this.
  explicit OpenSubjects(const Subjects &subjects) : subjects_(subjects) {}

  /// The one that runs the pipeline as that release does; it stays until this
  /// goes.
  corpus::Result<Subject *> of(unsigned release,
                               const runner::Pipeline &pipeline);
  /// A new one, to which nothing has happened.
  corpus::Result<std::unique_ptr<Subject>>
  fresh(unsigned release, const runner::Pipeline &pipeline) const {
    return subjects_(release, pipeline);
  }

private:
  const Subjects &subjects_;
  /// By runner::optimizerName() and the options of LLVM, which a process has.
  std::map<std::pair<std::string, std::vector<std::string>>,
           std::unique_ptr<Subject>>
      open_;
};

} // namespace reports
