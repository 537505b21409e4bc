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
#include <optional>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
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

/// A number or a code. Where nobody is left to take it, that shows in what
/// comes back.
void give(int socket, std::uint64_t value) {
  send(socket, &value, sizeof value, MSG_NOSIGNAL);
}

std::optional<std::uint64_t> take(int socket) {
  std::uint64_t value = 0;
  ssize_t size = 0;
  while ((size = recv(socket, &value, sizeof value, MSG_WAITALL)) < 0 &&
         errno == EINTR) {
  }
  return size == sizeof value ? std::optional(value) : std::nullopt;
}

/// Whether the work so far may leave less memory for what comes.
bool hasUsedMuch(const ChildLimits &limits) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024 > limits.memory / 8;
}

/// Takes numbers and gives codes until there are no more.
[[noreturn]] void work(const Children &children, int socket, int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); // not to be left behind
  limitMemory(children.limits.memory);
  // An allocator in C can't throw: it asks this, and aborts without.
  std::set_new_handler([] { _exit(outOfMemory); });
  dup2(output, STDOUT_FILENO);
  try {
    while (const auto number = take(socket)) {
      const int code = children.work(*number);
      assert(code >= 0 && code < outOfMemory);
      std::fflush(stdout);
      give(socket, static_cast<std::uint64_t>(code));
      if (hasUsedMuch(children.limits))
        break; // the next one gets another process
    }
  } catch (const std::bad_alloc &) {
    _exit(outOfMemory);
  }
  std::fflush(stderr);
  _exit(0);
}

using Clock = std::chrono::steady_clock;

struct Answer {
  ChildEnd end;
  std::string output;
};

/// A file that is closed with its owner.
class File {
public:
  explicit File(int descriptor = -1) : descriptor_(descriptor) {}
  File(File &&other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}
  File &operator=(File &&other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~File() {
    if (descriptor_ >= 0)
      close(descriptor_);
  }
  int get() const { return descriptor_; }

private:
  int descriptor_;
};

/// A child with the number that it has, or none.
class Child {
public:
  /// Nothing where the system has no process or file left; errno says why.
  static std::optional<Child> start(const Children &children) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
      return std::nullopt;
    Child child;
    child.socket_ = File(ends[0]);
    const File theirs(ends[1]);
    child.output_ = File(memfd_create("output", MFD_CLOEXEC));
    if (child.output_.get() < 0 || (child.id_ = fork()) < 0)
      return std::nullopt;
    if (child.id_ == 0) {
      child.socket_ = File();
      work(children, theirs.get(), child.output_.get());
    }
    return child;
  }

  void ask(std::size_t number, const ChildLimits &limits) {
    number_ = number;
    deadline_ = Clock::now() + limits.time;
    ++asked_;
    give(socket_.get(), number);
  }

  std::size_t number() const { return number_; }
  int socket() const { return socket_.get(); }
  Clock::time_point deadline() const { return deadline_; }
  /// Whether nothing was done in this process before what it does now.
  bool isFresh() const { return asked_ == 1; }

  /// After socket() had something: the answer, whose `end` is an int while the
  /// child lives on.
  Answer answer(const ChildLimits &limits) {
    const auto code = take(socket_.get());
    if (!code)
      return end(limits, true);
    return {static_cast<int>(*code), newOutput()};
  }
  Answer end(const ChildLimits &limits, bool isInTime) {
    if (!isInTime)
      kill(id_, SIGKILL);
    const int status = wait();
    Answer answer{{}, newOutput()};
    if (!isInTime)
      answer.end = fmt::format("no answer within {} s", limits.time.count());
    else if (WIFSIGNALED(status))
      answer.end = fmt::format("SIG{}", sigabbrev_np(WTERMSIG(status)));
    else if (WEXITSTATUS(status) == outOfMemory)
      answer.end = fmt::format("out of memory ({} MB)", limits.memory >> 20);
    else
      answer.end = fmt::format("exit {}", WEXITSTATUS(status));
    return answer;
  }
  /// There is no more to ask.
  void dismiss() {
    shutdown(socket_.get(), SHUT_RDWR); // closing it is not enough: children
    wait();                             // started later have it too
  }

private:
  Child() = default;

  int wait() const {
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

  std::string newOutput() {
    std::string text;
    std::array<char, 4096> buffer{};
    for (;;) {
      const ssize_t size =
          pread(output_.get(), buffer.data(), buffer.size(), told_);
      if (size <= 0)
        return text;
      text.append(buffer.data(), static_cast<std::size_t>(size));
      told_ += size;
    }
  }

  std::size_t number_ = 0;
  unsigned asked_ = 0;
  pid_t id_ = 0;
  File socket_; ///< closed at the other end when the child is over
  File output_;
  off_t told_ = 0; ///< of what it wrote
  Clock::time_point deadline_;
};

/// Milliseconds until the first of them is late; -1: never.
int patience(const std::vector<Child> &running, const ChildLimits &limits) {
  if (limits.time.count() == 0)
    return -1;
  const auto first = std::min_element(running.begin(), running.end(),
                                      [](const Child &a, const Child &b) {
                                        return a.deadline() < b.deadline();
                                      });
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(
      first->deadline() - Clock::now());
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
  const auto startWith = [&](std::size_t number) {
    if (auto child = Child::start(children)) {
      child->ask(number, children.limits);
      running.push_back(std::move(*child));
    } else {
      ended.emplace(
          number,
          Answer{fmt::format("no process: {}", std::strerror(errno)), {}});
    }
  };
  while (told < children.count) {
    while (next < children.count && running.size() < children.atOnce)
      startWith(next++);
    if (!running.empty()) {
      std::vector<pollfd> waiting;
      waiting.reserve(running.size());
      for (const Child &child : running)
        waiting.push_back({child.socket(), POLLIN, 0});
      poll(waiting.data(), waiting.size(), patience(running, children.limits));
      std::vector<Child> before = std::exchange(running, {});
      for (std::size_t i = 0; i < before.size(); ++i) {
        Child &child = before[i];
        const bool isOver = waiting[i].revents != 0;
        const bool isLate = children.limits.time.count() != 0 &&
                            Clock::now() >= child.deadline();
        if (!isOver && !isLate) {
          running.push_back(std::move(child));
          continue;
        }
        Answer answer = isOver ? child.answer(children.limits)
                               : child.end(children.limits, false);
        const bool lives = std::holds_alternative<int>(answer.end);
        if (!lives && isOver && !child.isFresh()) {
          // What earlier work left behind must not decide.
          startWith(child.number());
          continue;
        }
        ended.emplace(child.number(), std::move(answer));
        if (lives && next < children.count) {
          child.ask(next++, children.limits);
          running.push_back(std::move(child));
        } else if (lives) {
          child.dismiss();
        }
      }
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
