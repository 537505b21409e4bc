// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One worker process as its parent sees it: a pid, a socket and the shared
// table. Destruction kills and reaps it; no child is left behind.
#pragma once

#include "corpus/system/process.h"
#include "runner/protocol.h"
#include "runner/shared_table.h"
#include "runner/worker.h"

#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace runner {

class WorkerProcess {
public:
  using Clock = std::chrono::steady_clock;

  static WorkerProcess start(const Installation &installation);
  ~WorkerProcess();
  WorkerProcess(WorkerProcess &&other) noexcept;
  WorkerProcess &operator=(WorkerProcess &&other) noexcept;

  bool send(const Json &message) const { return writeFrame(socket_, message); }
  /// More memory than this runs away.
  void setMemoryLimit(std::uint64_t bytes) { memoryLimit_ = bytes; }
  bool isRunaway() const { return corpus::residentBytes(pid()) > memoryLimit_; }

  /// The next frame; nothing at the deadline, when the worker is gone, when its
  /// memory runs away, or when `stop` says so.
  std::optional<Json> receive(Clock::time_point deadline,
                              const std::function<bool()> &stop = {}) const;
  /// Waits for a frame to begin, or for the worker's end.
  bool isReadable(std::chrono::milliseconds patience) const;
  /// Reads a frame that has begun; nothing when the worker is gone.
  std::optional<Json> receive() const { return readFrame(socket_); }

  const SharedTable &table() const { return table_; }
  /// Of the process that serves: what was started, or a child of it.
  int pid() const {
    const int serving = table_->pid;
    return serving > 0 ? serving : pid_;
  }
  void kill();
  /// Ends the process, if it still runs, and says how it ended and in which
  /// pass. `hung` when it had to be killed, and not for its memory.
  WorkerDied bury();

private:
  WorkerProcess(pid_t pid, int socket, SharedTable table)
      : pid_(pid), socket_(socket), table_(std::move(table)) {}

  pid_t pid_;
  int socket_;
  SharedTable table_;
  std::uint64_t memoryLimit_ = corpus::runawayBytes;
};

/// A worker between two orders, so that the next one finds it started, with the
/// spaces that it knows. It has seen no crash: what did may have written
/// anywhere in it.
/// Threads: one.
class WaitingWorker {
public:
  /// The one that waits, if it is this one with these options of LLVM, which a
  /// process takes once; else a new one.
  WorkerProcess take(const Installation &installation,
                     const std::vector<std::string> &llvmArgs);
  /// Unless it holds so much that a new one is better.
  void put(const Installation &installation,
           const std::vector<std::string> &llvmArgs, WorkerProcess process);

private:
  struct Waiting {
    Installation installation;
    std::vector<std::string> llvmArgs;
    WorkerProcess process;
  };
  std::optional<Waiting> waiting_;
};

} // namespace runner
