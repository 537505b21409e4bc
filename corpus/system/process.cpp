// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/system/process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace corpus {
namespace {

constexpr std::chrono::milliseconds tick(50);

[[noreturn]] void fail(int code, const std::string &what) {
  throw std::system_error(code, std::generic_category(), what);
}

/// A file in memory: unlike a pipe it never makes one side wait for the other.
class MemoryFile {
public:
  explicit MemoryFile(const std::string &text = "")
      : file_(::memfd_create("irsieve-text", MFD_CLOEXEC)) {
    if (file_ < 0)
      fail(errno, "memfd");
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t count =
          ::pwrite(file_, text.data() + done, text.size() - done,
                   static_cast<off_t>(done));
      if (count < 0 && errno != EINTR)
        fail(errno, "memfd");
      done += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  int file() const { return file_; }
  std::size_t size() const {
    struct stat status = {};
    return ::fstat(file_, &status) == 0
               ? static_cast<std::size_t>(status.st_size)
               : 0;
  }
  std::string text() const {
    std::string text(size(), '\0');
    std::size_t done = 0;
    while (done < text.size()) {
      const ssize_t count = ::pread(file_, &text[done], text.size() - done,
                                    static_cast<off_t>(done));
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        break;
      done += static_cast<std::size_t>(count);
    }
    text.resize(done);
    return text;
  }

private:
  int file_;
};

pid_t spawn(std::vector<std::string> arguments, const MemoryFile &in,
            const MemoryFile &out, const MemoryFile &err,
            const std::vector<std::string> &additions) {
  const std::string guard =
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() /
       "irsieve-guard")
          .string();
  arguments.insert(arguments.begin(), {guard, std::to_string(::getpid())});
  std::vector<char *> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  std::vector<std::string> added = additions;
  std::vector<char *> environment;
  environment.reserve(added.size());
  for (std::string &entry : added)
    environment.push_back(entry.data());
  for (char **entry = environ; *entry != nullptr; ++entry)
    environment.push_back(*entry);
  environment.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  // A descriptor of the files themselves is above 2: those three are taken.
  ::posix_spawn_file_actions_adddup2(&actions, in.file(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out.file(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.file(), STDERR_FILENO);
  pid_t pid = 0;
  const int code = ::posix_spawn(&pid, guard.c_str(), &actions, nullptr,
                                 pointers.data(), environment.data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (code != 0)
    fail(code, "cannot start " + guard);
  return pid;
}

} // namespace

std::chrono::duration<double> cpuTime(int pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  // The name of the program may hold anything; fields count from behind it.
  std::string rest;
  for (std::string part; std::getline(file, part, ')');)
    rest = std::move(part);
  std::istringstream fields(rest);
  constexpr int fieldsBefore = 11;
  std::string skipped;
  for (int i = 0; i < fieldsBefore; ++i)
    fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  return std::chrono::duration<double>(
      (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK)));
}

std::uint64_t residentBytes(int pid) {
  std::ifstream statm(fmt::format("/proc/{}/statm", pid));
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::string shellWord(std::string_view text) {
  std::string result = "'";
  for (const char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string describeStatus(int status) {
  if (!WIFSIGNALED(status))
    return fmt::format("exit {}", WEXITSTATUS(status));
  const char *name = ::sigabbrev_np(WTERMSIG(status));
  return name == nullptr ? fmt::format("signal {}", WTERMSIG(status))
                         : fmt::format("SIG{}", name);
}

ProcessEnd runProcess(const std::vector<std::string> &arguments,
                      const std::string &input, const ProcessOptions &options) {
  const MemoryFile in(input);
  const MemoryFile out;
  const MemoryFile err;
  const pid_t pid = spawn(arguments, in, out, err, options.environment);
  // glibc 2.36 declares pidfd_open() for C only.
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));

  ProcessEnd end;
  std::optional<ProcessEnd::How> stopped;
  auto alive = std::chrono::steady_clock::now();
  std::size_t heard = 0;
  for (;;) {
    pollfd waiting = {handle, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(tick.count())) > 0)
      break;
    if (options.whileWaiting)
      options.whileWaiting();
    const auto now = std::chrono::steady_clock::now();
    if (options.stderrIsPulse && err.size() != heard) {
      heard = err.size();
      alive = now;
    }
    if (residentBytes(pid) > runawayBytes)
      stopped = ProcessEnd::How::runaway;
    else if (now - alive > options.timeLimit)
      stopped = ProcessEnd::How::hung;
    if (stopped) {
      ::kill(pid, SIGKILL);
      break;
    }
  }
  ::close(handle);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  end.how = stopped.value_or(WIFSIGNALED(status) ? ProcessEnd::How::signalled
                                                 : ProcessEnd::How::exited);
  end.what = end.how == ProcessEnd::How::hung      ? "hung"
             : end.how == ProcessEnd::How::runaway ? "runaway memory"
                                                   : describeStatus(status);
  end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  end.out = out.text();
  end.err = err.text();
  return end;
}

} // namespace corpus
