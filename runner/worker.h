// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parent's side of a worker process: find the installed ones, start one,
// ask it things. A worker may die at any question, because LLVM may; then the
// answer is WorkerDied, which is a fact about the optimizer and not an error of
// the user. The handle restarts the process at the next question.
// Threads: one thread per Worker.
#pragma once

#include "corpus/program/reader.h"
#include "corpus/store/store.h"
#include "runner/backend.h"
#include "runner/in_flight.h"
#include "runner/worker_channel.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace runner {

/// A worker: an executable that stands beside irsieve, or a plugin that does
/// and that an opt loads.
struct Installation {
  unsigned release = 0; ///< 0 for an own build, which says it itself
  std::string path;
  std::string name = ""; ///< "22", or that of an own build
  std::vector<std::string> arguments = {std::string(workerArgument)};
  /// `path` is an opt, which loads the worker and does what it does anyway.
  bool isInPlaceOfOpt = false;

  friend bool operator==(const Installation &, const Installation &) = default;
};

/// Ascending by release.
std::vector<Installation> installedReleases();
/// Own builds, by name.
std::vector<Installation> installedBuilds();
/// The one of that release, or a message that names those there are.
corpus::Result<Installation> findRelease(unsigned release);
/// The same by name, of releases and own builds.
corpus::Result<Installation> findNamed(const std::string &name);
/// The worker that runs a lane: of the own build, or of that release; for an
/// external opt of a release that is not here, the newest one. An opt of a
/// release that is here loads that worker, wherever it can and then sees in the
/// pipeline what it sees in it without; it is for these options of LLVM alone.
corpus::Result<Installation> findWorker(unsigned release,
                                        const Pipeline &pipeline);

class WaitingWorker;

/// The same, asked once for each pipeline and remembered: to try what an opt
/// does with a worker takes most of a second. And the worker that is at hand.
/// Threads: one.
class KnownWorkers {
public:
  KnownWorkers();
  ~KnownWorkers();

  WaitingWorker &waiting() { return *waiting_; }
  corpus::Result<Installation> find(unsigned release, const Pipeline &pipeline);
  /// What note() said of it, or nothing.
  const corpus::Lane *lane(unsigned release, const Pipeline &pipeline);
  /// Requires that find() found the worker.
  void note(unsigned release, const Pipeline &pipeline, corpus::Lane lane);

private:
  struct Known {
    unsigned release;
    Pipeline pipeline;
    Installation installation;
    std::optional<corpus::Lane> lane;
  };
  Known *known(unsigned release, const Pipeline &pipeline);

  std::vector<Known> known_;
  std::unique_ptr<WaitingWorker> waiting_;
};

/// How a worker died that held too much.
inline constexpr std::string_view runawayMemory = "runaway memory";

struct WorkerDied {
  std::string how; ///< "SIGSEGV", "exit 3", "no answer for 10 s"
  bool hung = false;
  std::string pass; ///< that was running, when known
  /// Somebody else ended it: no optimizer sends itself a SIGKILL. Worth
  /// another attempt or two, for it may be the kernel that ran out of memory.
  bool isKilled() const { return how == "SIGKILL" && !hung; }
};
/// How often a question is asked before a SIGKILL counts as the answer.
inline constexpr int killedAttempts = 3;

template <typename T> using Answer = std::variant<T, WorkerDied>;

class Worker {
public:
  explicit Worker(Installation installation);
  ~Worker();
  Worker(Worker &&) noexcept;
  Worker &operator=(Worker &&) noexcept;

  const Installation &installation() const;
  /// How long a question may take before the worker is killed; 20 s unless set.
  void setTimeLimit(std::chrono::milliseconds limit);
  /// What it may hold before it is killed; corpus::runawayBytes unless set.
  void setMemoryLimit(std::uint64_t bytes);
  /// Asked several times a second during a question, and before each: true
  /// kills the worker, and the answer says nothing about the optimizer.
  void setStop(std::function<bool()> stop);

  Answer<BuildInfo> build();
  Answer<corpus::Result<std::vector<corpus::ReadFunction>>>
  read(const std::string &path, corpus::Reading reading);
  Answer<corpus::Result<PipelineInfo>> describe(const Pipeline &pipeline);
  /// outputs[i] belongs to programs[i].
  Answer<std::vector<Output>>
  optimize(std::span<const corpus::Program> programs, const Pipeline &pipeline);
  Answer<Trace> trace(const corpus::Program &program, const Pipeline &pipeline);
  Answer<std::optional<std::string>> verify(const corpus::Program &program);

private:
  friend class Supervisor;
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads files in a worker of the newest installed release, or in its reader.
class WorkerReader : public corpus::ProgramReader {
public:
  corpus::Result<std::vector<corpus::ReadFunction>>
  read(const std::string &path, corpus::Reading reading) override;

private:
  std::optional<Worker> worker_;
};

} // namespace runner
