// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one work order to its end through as many worker processes as that
// takes. A worker that dies or stands still is replaced by one that watches
// every pass, for as long as workers die. The functions that were in flight
// when such a one dies are tried again alone, and one that kills or stops its
// worker even alone is a crash or a hang, which is a result like any other.
// Threads: one.
#pragma once

#include "enumerate/space.h"
#include "runner/protocol.h"
#include "runner/worker.h"
#include "runner/worker_process.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace runner {

/// What the functions of a pipeline usually take, so that one that takes
/// hundreds of times as much is known for a hang at once, and sooner where
/// others have hung.
class UsualCost {
public:
  /// CPU time of one function, from a chunk of them; and what the worker held.
  void note(std::chrono::duration<double> each, std::uint64_t bytes);
  void noteHang() { hasHung_ = true; }
  /// Of a pass, or of the check of what it made.
  std::chrono::duration<double> timeLimit(bool ofCheck) const;
  /// Nothing before the first note.
  std::optional<std::uint64_t> memoryLimit() const;

private:
  std::vector<double> seconds_; ///< of chunks
  std::uint64_t bytes_ = 0;
  bool hasHung_ = false;
};
/// By pipeline.
using UsualCosts = std::map<std::string, UsualCost>;

class Supervisor {
public:
  enum class End { finished, stopped };

  struct Hooks {
    /// Takes each chunk's result exactly once; an error ends the run.
    std::function<corpus::Result<std::monostate>(const corpus::ChunkResult &)>
        commit;
    /// Asked several times a second; true means: finish the chunks in flight.
    std::function<bool()> shouldStop;
  };

  /// `space` is what order.space or order.programs name. `waiting` has the
  /// worker, and gets it back where it can go on. With `usual`, which learns,
  /// limits below `functionLimit` apply.
  Supervisor(const Installation &installation, WaitingWorker &waiting,
             const enumerate::Space &space,
             std::chrono::milliseconds functionLimit, UsualCost *usual,
             Hooks hooks);

  /// Fails when results cannot be stored or workers die without a cause.
  corpus::Result<End> run(WorkOrder order);

private:
  enum class SessionEnd { done, died, failed };

  SessionEnd session(const WorkOrder &order);
  SessionEnd receive(WorkerProcess &process);
  void limitMemory(WorkerProcess &process) const;
  std::optional<std::uint64_t> standingStill(const WorkerProcess &process);
  SessionEnd isolate(const WorkOrder &order, std::uint64_t position);
  void markDone(corpus::PositionRange range);

  const Installation &installation_;
  WaitingWorker &waiting_;
  const enumerate::Space &space_;
  std::chrono::milliseconds functionLimit_;
  UsualCost *usual_;
  Hooks hooks_;
  unsigned threads_ = 1;         ///< of this session
  std::uint64_t heldBefore_ = 0; ///< bytes of its worker, when it began
  bool mayGoOn_ = false;         ///< its worker, with another order

  std::vector<corpus::PositionRange> left_;
  std::uint64_t sessionDone_ = 0; ///< positions that this session committed
  corpus::Error error_;

  // About the worker that died last.
  struct Suspect {
    std::uint64_t position;
    std::string pass;
  };
  std::vector<Suspect> suspects_;
  WorkerDied death_;

  struct Pulse {
    std::uint64_t heartbeat = 0;
    std::chrono::steady_clock::time_point since;
    std::chrono::duration<double> cpu{0}; ///< of the process, then
  };
  std::vector<Pulse> pulses_;
};

} // namespace runner
