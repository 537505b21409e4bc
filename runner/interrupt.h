// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ctrl-C and SIGTERM, as a question that a long command asks now and then.
// Threads: one guard at a time, in the main thread.
#pragma once

namespace runner {

/// Remembers the first signal for as long as it lives; the second one ends the
/// program in the ordinary way.
class SignalGuard {
public:
  SignalGuard();
  ~SignalGuard();
  SignalGuard(const SignalGuard &) = delete;
  SignalGuard &operator=(const SignalGuard &) = delete;

  static bool isInterrupted();
};

} // namespace runner
