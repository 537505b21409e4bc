// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/child.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <new>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

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

[[noreturn]] void work(const ChildLimits &limits, int output,
                       const std::function<int(std::size_t)> &task,
                       std::size_t number) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); // not to be left behind
  limitMemory(limits.memory);
  dup2(output, STDOUT_FILENO);
  int code = outOfMemory;
  try {
    code = task(number);
    assert(code >= 0 && code < outOfMemory);
  } catch (const std::bad_alloc &) {
    code = outOfMemory;
  }
  std::fflush(stdout);
  std::fflush(stderr);
  _exit(code);
}

using Clock = std::chrono::steady_clock;

struct Child {
  std::size_t number = 0;
  pid_t id = 0;
  int pipe = -1; ///< closed at the other end when it is over
  int output = -1;
  Clock::time_point deadline;
};

struct Answer {
  ChildEnd end;
  std::string output;
};

std::variant<Child, Answer> start(const Children &children,
                                  std::size_t number) {
  const auto failure = [](const char *what) {
    return Answer{fmt::format("no {}: {}", what, std::strerror(errno)), {}};
  };
  Child child{number, 0, -1, -1, Clock::now() + children.limits.time};
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    return failure("pipe");
  child.pipe = ends[0];
  child.output = memfd_create("output", MFD_CLOEXEC);
  if (child.output >= 0)
    child.id = fork();
  if (child.output >= 0 && child.id == 0) {
    close(ends[0]);
    work(children.limits, child.output, children.work, number);
  }
  close(ends[1]);
  if (child.output >= 0 && child.id > 0)
    return child;
  const Answer answer = failure(child.output < 0 ? "file" : "process");
  close(child.pipe);
  if (child.output >= 0)
    close(child.output);
  return answer;
}

std::string contentOf(int file) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (off_t at = 0;;) {
    const ssize_t size = pread(file, buffer.data(), buffer.size(), at);
    if (size <= 0)
      return text;
    text.append(buffer.data(), static_cast<std::size_t>(size));
    at += size;
  }
}

Answer finish(const Child &child, const ChildLimits &limits, bool inTime) {
  close(child.pipe);
  if (!inTime)
    kill(child.id, SIGKILL);
  int status = 0;
  while (waitpid(child.id, &status, 0) < 0 && errno == EINTR) {
  }
  Answer answer{{}, contentOf(child.output)};
  close(child.output);
  if (!inTime)
    answer.end = fmt::format("no answer within {} s", limits.time.count());
  else if (WIFSIGNALED(status))
    answer.end = fmt::format("SIG{}", sigabbrev_np(WTERMSIG(status)));
  else if (WEXITSTATUS(status) == outOfMemory)
    answer.end = fmt::format("out of memory ({} MB)", limits.memory >> 20);
  else
    answer.end = WEXITSTATUS(status);
  return answer;
}

/// Milliseconds until the first of them is late; -1: never.
int patience(const std::vector<Child> &running, const ChildLimits &limits) {
  if (limits.time.count() == 0)
    return -1;
  const auto first = std::min_element(
      running.begin(), running.end(),
      [](const Child &a, const Child &b) { return a.deadline < b.deadline; });
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(
      first->deadline - Clock::now());
  return static_cast<int>(std::max<std::int64_t>(0, left.count()));
}

} // namespace

void runChildren(const Children &children) {
  std::fflush(stdout);
  std::fflush(stderr);
  std::vector<Child> running;
  std::map<std::size_t, Answer> ended; ///< before others that come first
  std::size_t next = 0;
  std::size_t told = 0;
  while (told < children.count) {
    while (next < children.count && running.size() < children.atOnce) {
      auto started = start(children, next);
      if (auto *child = std::get_if<Child>(&started))
        running.push_back(*child);
      else
        ended.emplace(next, std::move(std::get<Answer>(started)));
      ++next;
    }
    if (!running.empty()) {
      std::vector<pollfd> waiting;
      waiting.reserve(running.size());
      for (const Child &child : running)
        waiting.push_back({child.pipe, POLLIN, 0});
      poll(waiting.data(), waiting.size(), patience(running, children.limits));
      std::vector<Child> left;
      for (std::size_t i = 0; i < running.size(); ++i) {
        const Child &child = running[i];
        const bool isOver = waiting[i].revents != 0;
        const bool isLate =
            children.limits.time.count() != 0 && Clock::now() >= child.deadline;
        if (isOver || isLate)
          ended.emplace(child.number, finish(child, children.limits, isOver));
        else
          left.push_back(child);
      }
      running = std::move(left);
    }
    for (auto first = ended.begin();
         first != ended.end() && first->first == told;
         first = ended.erase(first), ++told)
      children.done(told, first->second.end, first->second.output);
    // Children take a copy of what is not written yet.
    std::fflush(stdout);
    std::fflush(stderr);
  }
}

} // namespace checker
