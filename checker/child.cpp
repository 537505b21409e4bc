// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/child.h"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace checker {
namespace {

constexpr int outOfMemory = 100;

void limitMemory(std::uint64_t bytes) {
// The sanitizers keep terabytes of addresses for themselves.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
#else
  (void)bytes;
#endif
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

[[noreturn]] void work(const ChildLimits &limits,
                       const std::function<int()> &task) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); // not to be left behind
  limitMemory(limits.memory);
  int code = outOfMemory;
  try {
    code = task();
    assert(code >= 0 && code < outOfMemory);
  } catch (const std::bad_alloc &) {
    code = outOfMemory;
  }
  std::fflush(stdout);
  std::fflush(stderr);
  _exit(code);
}

/// Whether the other end was closed in time.
bool awaitEnd(int pipe, std::chrono::seconds time) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point deadline = Clock::now() + time;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - Clock::now());
    if (time.count() != 0 && left.count() <= 0)
      return false;
    pollfd descriptor{pipe, POLLIN, 0};
    const int ready =
        poll(&descriptor, 1,
             time.count() == 0 ? -1 : static_cast<int>(left.count()));
    if (ready > 0)
      return true;
    if (ready < 0 && errno != EINTR)
      return true;
  }
}

} // namespace

ChildEnd runInChild(const ChildLimits &limits,
                    const std::function<int()> &task) {
  std::fflush(stdout);
  std::fflush(stderr);
  std::array<int, 2> pipeEnds{};
  if (pipe2(pipeEnds.data(), O_CLOEXEC) != 0)
    return fmt::format("no pipe: {}", std::strerror(errno));
  const pid_t child = fork();
  if (child == 0) {
    close(pipeEnds[0]);
    work(limits, task);
  }
  const int forkError = errno;
  close(pipeEnds[1]);
  if (child < 0) {
    close(pipeEnds[0]);
    return fmt::format("no process: {}", std::strerror(forkError));
  }
  const bool inTime = awaitEnd(pipeEnds[0], limits.time);
  close(pipeEnds[0]);
  if (!inTime)
    kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!inTime)
    return fmt::format("no answer within {} s", limits.time.count());
  if (WIFSIGNALED(status))
    return fmt::format("SIG{}", sigabbrev_np(WTERMSIG(status)));
  if (WEXITSTATUS(status) == outOfMemory)
    return fmt::format("out of memory ({} MB)", limits.memory >> 20);
  return WEXITSTATUS(status);
}

} // namespace checker
