// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/interrupt.h"

#include <csignal>

namespace runner {
namespace {

/// A handler can reach nothing but a global; this one is the only one, and only
/// SignalGuard touches it.
volatile std::sig_atomic_t interrupted = 0;

void remember(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

} // namespace

SignalGuard::SignalGuard() {
  interrupted = 0;
  std::signal(SIGINT, remember);
  std::signal(SIGTERM, remember);
}

SignalGuard::~SignalGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool SignalGuard::isInterrupted() { return interrupted != 0; }

} // namespace runner
