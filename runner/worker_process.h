// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One worker process as its parent sees it: a pid, a socket and the shared
// table. Destruction kills and reaps it; no child is left behind.
#pragma once

#include "corpus/system/process.h"
#include "runner/protocol.h"
#include "runner/shared_table.h"
#include "runner/worker.h"

#include <chrono>
#include <sys/types.h>

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

} // namespace runner
