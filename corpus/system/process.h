// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program to its end: text in, text out, with limits on time and memory.
// The program dies with its caller, however that ends: it is started through
// irsieve-guard, which stands beside the running executable.
// Threads: any number may run programs at the same time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace corpus {

/// A process that holds more than this is stopped: its memory runs away.
inline constexpr std::uint64_t runawayBytes = 4ULL << 30;

/// Resident memory of a process; 0 when it is gone.
std::uint64_t residentBytes(int pid);
/// CPU time of all its threads, user and system; 0 when it is gone.
std::chrono::duration<double> cpuTime(int pid);

/// "SIGSEGV" or "exit 3" for what waitpid() says.
std::string describeStatus(int status);

/// As a POSIX shell reads it back: in single quotes.
std::string shellWord(std::string_view text);

struct ProcessOptions {
  /// From the last sign of life: the start, or output on stderr where
  /// `stderrIsPulse`.
  std::chrono::milliseconds timeLimit = std::chrono::seconds(20);
  bool stderrIsPulse = false;
  std::vector<std::string> environment = {}; ///< beside our own: "NAME=value"
  std::function<void()> whileWaiting = {};   ///< several times a second
};

struct ProcessEnd {
  enum class How { exited, signalled, hung, runaway };
  static constexpr int cannotStart = 127;

  How how = How::exited;
  int code = 0;     ///< of exited
  std::string what; ///< "exit 0", "SIGSEGV", "hung", "runaway memory"
  std::string out;
  std::string err;
  bool isGood() const { return what == "exit 0"; }
};

/// `arguments` begins with the program, which is looked up on PATH where it
/// has no slash; a program that cannot be started exits with `cannotStart` and
/// says why on stderr. Throws std::system_error when the system is out of
/// descriptors.
ProcessEnd runProcess(const std::vector<std::string> &arguments,
                      const std::string &input, const ProcessOptions &options);

} // namespace corpus
