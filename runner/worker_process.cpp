// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/worker_process.h"

#include "corpus/system/process.h"
#include "runner/worker_channel.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace runner {
namespace {

[[noreturn]] void fail(int code, const std::string &what) {
  throw std::system_error(code, std::generic_category(), what);
}

/// Descriptors for the child must not be those that dup2 is about to fill.
constexpr int firstFreeDescriptor = 10;
/// How often a worker's memory is looked at.
constexpr std::chrono::milliseconds memoryTick(100);
/// No worker waits that holds more.
constexpr std::uint64_t mostWaiting = 1ULL << 30;

int moveAway(int file) {
  const int moved = ::fcntl(file, F_DUPFD_CLOEXEC, firstFreeDescriptor);
  if (moved < 0)
    fail(errno, "dup");
  return moved;
}

} // namespace

WorkerProcess WorkerProcess::start(const Installation &installation) {
  SharedTable table = SharedTable::create();
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    fail(errno, "socketpair");
  const int childSocket = moveAway(sockets[1]);
  const int childTable = moveAway(table.file());

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  // LLVM chats on both; a crashing one prints stack traces.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR,
                                       0);
  ::posix_spawn_file_actions_adddup2(&actions, childSocket, workerSocket);
  ::posix_spawn_file_actions_adddup2(&actions, childTable, workerTable);

  const std::string &path = installation.path;
  std::vector<std::string> words = {path};
  words.insert(words.end(), installation.arguments.begin(),
               installation.arguments.end());
  std::vector<char *> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t pid = 0;
  const int code = ::posix_spawn(&pid, path.c_str(), &actions, nullptr,
                                 arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(childSocket);
  ::close(childTable);
  ::close(sockets[1]);
  if (code != 0)
    fail(code, "cannot start " + path);
  return {pid, sockets[0], std::move(table)};
}

WorkerProcess::~WorkerProcess() {
  if (pid_ > 0)
    bury();
  if (socket_ >= 0)
    ::close(socket_);
}

WorkerProcess::WorkerProcess(WorkerProcess &&other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      socket_(std::exchange(other.socket_, -1)),
      table_(std::move(other.table_)), memoryLimit_(other.memoryLimit_) {}

WorkerProcess &WorkerProcess::operator=(WorkerProcess &&other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(socket_, other.socket_);
  std::swap(table_, other.table_);
  std::swap(memoryLimit_, other.memoryLimit_);
  return *this;
}

bool WorkerProcess::isReadable(std::chrono::milliseconds patience) const {
  pollfd descriptor = {socket_, POLLIN, 0};
  return ::poll(&descriptor, 1, static_cast<int>(patience.count())) > 0;
}

std::optional<Json>
WorkerProcess::receive(Clock::time_point deadline,
                       const std::function<bool()> &stop) const {
  // A signal interrupts poll; the deadline decides.
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - Clock::now());
    if (left.count() <= 0 || isRunaway() || (stop && stop()))
      return std::nullopt;
    if (isReadable(std::min(left, memoryTick)))
      return receive();
  }
}

void WorkerProcess::kill() {
  if (pid_ <= 0)
    return;
  if (pid() != pid_)
    ::kill(pid(), SIGKILL);
  ::kill(pid_, SIGKILL);
}

WorkerDied WorkerProcess::bury() {
  WorkerDied died;
  died.pass = table_->slots[0].passName();
  const bool hasRunAway = isRunaway();
  int status = 0;
  // A worker that closed its socket is at its end, but may not be there yet.
  constexpr int patience = 200;
  pid_t ended = 0;
  pollfd descriptor = {socket_, POLLIN, 0};
  const bool closing =
      ::poll(&descriptor, 1, 0) > 0 && (descriptor.revents & POLLHUP) != 0;
  for (int i = 0; closing && ended == 0 && i < patience; ++i) {
    ended = ::waitpid(pid_, &status, WNOHANG);
    if (ended == 0)
      ::usleep(1000);
  }
  if (ended == 0) {
    died.hung = !closing;
    kill();
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  // As a shell tells it.
  constexpr int signalled = 128;
  if (pid() != pid_ && WIFEXITED(status) && WEXITSTATUS(status) > signalled)
    status = WEXITSTATUS(status) - signalled;
  died.how = corpus::describeStatus(status);
  if (hasRunAway)
    died = {std::string(runawayMemory), false, died.pass};
  pid_ = 0;
  return died;
}

WorkerProcess WaitingWorker::take(const Installation &installation,
                                  const std::vector<std::string> &llvmArgs) {
  std::optional<Waiting> waiting;
  std::swap(waiting, waiting_);
  // It has nothing to say but that it is gone.
  if (waiting && waiting->installation == installation &&
      waiting->llvmArgs == llvmArgs &&
      !waiting->process.isReadable(std::chrono::milliseconds(0)))
    return std::move(waiting->process);
  return WorkerProcess::start(installation);
}

void WaitingWorker::put(const Installation &installation,
                        const std::vector<std::string> &llvmArgs,
                        WorkerProcess process) {
  if (corpus::residentBytes(process.pid()) <= mostWaiting)
    waiting_.emplace(Waiting{installation, llvmArgs, std::move(process)});
}

} // namespace runner
