// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/crash.h"

#include "runner/crash_text.h"
#include "runner/llvm/release.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/ErrorHandling.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>

#include <fmt/format.h>

#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

namespace runner {
namespace {

struct Signal {
  int number;
  const char *name;
};
/// Those that llvm::CrashRecoveryContext recovers from.
constexpr Signal signals[] = {
    {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
    {SIGILL, "SIGILL"},   {SIGSEGV, "SIGSEGV"}, {SIGTRAP, "SIGTRAP"},
};

/// What the handlers note for the code behind the jump. One for each thread,
/// because a signal handler has no other way to hand anything over.
struct Notes {
  static constexpr int depth = 64;
  std::array<void *, depth> frames{};
  int frameCount = 0;
  int signal = 0;      ///< 0: no signal
  std::string message; ///< of report_fatal_error, or of an assertion
};
thread_local Notes notes;

/// A stack for signal handlers, so that a stack overflow can be noted too.
class HandlerStack {
public:
  HandlerStack() {
    stack_t stack = {};
    stack.ss_sp = memory_.data();
    stack.ss_size = memory_.size();
    sigaltstack(&stack, nullptr);
  }
  HandlerStack(const HandlerStack &) = delete;
  HandlerStack &operator=(const HandlerStack &) = delete;
  ~HandlerStack() {
    stack_t stack = {};
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, nullptr);
  }

private:
  std::vector<char> memory_ = std::vector<char>(std::size_t(256) * 1024);
};

/// The handlers of llvm::CrashRecoveryContext, by index into `signals`; written
/// once, before ours are installed.
std::array<struct sigaction, std::size(signals)> recoveryHandlers;

void noteSignal(int number) {
  const auto *row =
      std::find_if(std::begin(signals), std::end(signals),
                   [&](const Signal &each) { return each.number == number; });
  const auto index = static_cast<std::size_t>(row - std::begin(signals));
  if (!llvm::CrashRecoveryContext::GetCurrent()) {
    // Not LLVM's crash: die of it as if nobody had looked.
    std::signal(number, SIG_DFL);
    std::raise(number);
    return;
  }
  notes.signal = number;
  notes.frameCount = backtrace(notes.frames.data(), Notes::depth);
  recoveryHandlers[index].sa_handler(number); // jumps
}

/// Of `opt: lib/A.cpp:12: int llvm::f(): Assertion `x' failed.` what says which
/// assertion it is; "" of anything else.
std::string assertionOf(std::string_view text) {
  constexpr std::string_view opening = "Assertion `";
  const std::size_t begin = text.find(opening);
  const std::size_t end = text.rfind("' failed");
  if (begin == std::string_view::npos || end == std::string_view::npos)
    return "";
  std::size_t line = text.find(':');
  while (line < begin &&
         std::isdigit(static_cast<unsigned char>(text[line + 1])) == 0)
    line = text.find(':', line + 1);
  const std::string_view path = text.substr(0, line);
  return fmt::format(
      "assertion `{}` of {}",
      text.substr(begin + opening.size(), end - begin - opening.size()),
      path.substr(path.find_last_of("/ ") + 1));
}

/// In the place of the C library's stderr: what a failed `assert` writes
/// belongs to the crash that follows. It comes in one piece, on its thread.
ssize_t noteAssertion(void *, const char *text, std::size_t size) {
  if (llvm::CrashRecoveryContext::GetCurrent())
    if (auto assertion = assertionOf({text, size}); !assertion.empty())
      notes.message = std::move(assertion);
  return ::write(STDERR_FILENO, text, size);
}

void watchAssertions() {
  cookie_io_functions_t functions = {};
  functions.write = noteAssertion;
  FILE *watched = ::fopencookie(nullptr, "w", functions);
  if (watched == nullptr)
    return; // out of memory; the crash will do without
  std::setvbuf(watched, nullptr, _IONBF, 0);
  stderr = watched;
}

void prepareProcess() {
  static std::once_flag once;
  std::call_once(once, [] {
    void *warmUp[1];
    backtrace(warmUp, 1); // loads the unwinder, which a handler must not do
    watchAssertions();
    llvm::CrashRecoveryContext::Enable();
    release::installFatalErrorHandler<failGuarded>();
    struct sigaction ours = {};
    ours.sa_handler = noteSignal;
    ours.sa_flags = SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    for (std::size_t i = 0; i < std::size(signals); ++i)
      sigaction(signals[i].number, &ours, &recoveryHandlers[i]);
  });
}

bool isOfLlvm(std::string_view name) { return name.starts_with("llvm::"); }

/// "llvm::APInt::sdiv" for a return address in libLLVM, or in a worker that
/// holds all of it, else "".
std::string describeFrame(void *address) {
  Dl_info found = {};
  // A return address may be one past the end of a function that never returns.
  if (dladdr(static_cast<char *>(address) - 1, &found) == 0 || !found.dli_sname)
    return "";
  std::string name = frameName(llvm::demangle(std::string(found.dli_sname)));
  return std::strstr(found.dli_fname, "libLLVM") || isOfLlvm(name) ? name : "";
}

const std::string &nameOfFrame(void *address) {
  // dladdr reads all of libLLVM's symbols, a millisecond.
  thread_local llvm::DenseMap<void *, std::string> names;
  const auto [entry, isNew] = names.try_emplace(address);
  if (isNew)
    entry->second = describeFrame(address);
  return entry->second;
}

/// The innermost functions of libLLVM.
std::string innermost() {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(notes.frameCount));
  for (int i = 0; i < notes.frameCount; ++i)
    names.push_back(nameOfFrame(notes.frames[i]));
  return framesText(names);
}

} // namespace

void failGuarded(llvm::StringRef message) {
  if (auto *current = llvm::CrashRecoveryContext::GetCurrent()) {
    notes.message = message.str();
    current->HandleExit(1);
  }
}

std::optional<std::string> runGuarded(llvm::function_ref<void()> code) {
  prepareProcess();
  thread_local const HandlerStack handlerStack;
  (void)handlerStack;
  notes.signal = 0;
  notes.message.clear();
  llvm::CrashRecoveryContext recovery;
  if (recovery.RunSafely(code))
    return std::nullopt;
  if (notes.signal == 0)
    return "fatal error: " + withoutNumbers(notes.message);
  const auto *row = std::find_if(
      std::begin(signals), std::end(signals),
      [&](const Signal &each) { return each.number == notes.signal; });
  const std::string assertion =
      notes.message.empty() ? "" : ": " + notes.message;
  return row->name + assertion + innermost();
}

} // namespace runner
