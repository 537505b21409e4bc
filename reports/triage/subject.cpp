// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/subject.h"

namespace reports {
namespace {

class WorkerSubject : public Subject {
public:
  explicit WorkerSubject(runner::Installation installation)
      : worker_(std::move(installation)) {}
  /// See limitedSubjects().
  void limit(std::function<bool()> stop) {
    // A thousand times what a batch of small functions takes.
    constexpr std::chrono::seconds time(4);
    constexpr std::uint64_t memory = 3ULL << 27; // 384 MiB
    worker_.setTimeLimit(time);
    worker_.setMemoryLimit(memory);
    worker_.setStop(std::move(stop));
  }

  runner::Answer<corpus::Result<runner::PipelineInfo>>
  describe(const runner::Pipeline &pipeline) override {
    return worker_.describe(pipeline);
  }
  runner::Answer<std::vector<runner::Output>>
  optimize(std::span<const corpus::Program> programs,
           const runner::Pipeline &pipeline) override {
    return worker_.optimize(programs, pipeline);
  }
  runner::Answer<runner::Trace>
  trace(const corpus::Program &program,
        const runner::Pipeline &pipeline) override {
    return worker_.trace(program, pipeline);
  }

private:
  runner::Worker worker_;
};

} // namespace

corpus::Result<std::unique_ptr<Subject>>
workerSubject(unsigned release, const runner::Pipeline &pipeline) {
  auto installation = runner::findWorker(release, pipeline);
  if (!installation)
    return installation.error();
  return std::unique_ptr<Subject>(
      std::make_unique<WorkerSubject>(std::move(*installation)));
}

Subjects limitedSubjects(std::function<bool()> stop) {
  return [stop = std::move(stop)](unsigned release,
                                  const runner::Pipeline &pipeline) {
    auto subject = workerSubject(release, pipeline);
    if (subject)
      static_cast<WorkerSubject &>(**subject).limit(stop);
    return subject;
  };
}

corpus::Result<Subject *> OpenSubjects::of(unsigned release,
                                           const runner::Pipeline &pipeline) {
  std::unique_ptr<Subject> &slot =
      open_[{runner::optimizerName(release, pipeline), pipeline.llvmArgs}];
  if (!slot) {
    auto subject = subjects_(release, pipeline);
    if (!subject)
      return subject.error();
    slot = std::move(*subject);
  }
  return slot.get();
}

} // namespace reports
