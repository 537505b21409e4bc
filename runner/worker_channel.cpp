// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/worker_channel.h"

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace runner {

SharedTable joinParent() {
  // No child is left behind, however the parent ends; and a Ctrl-C on the
  // terminal is the parent's to handle.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  SharedTable table = SharedTable::attach(workerTable);
  table->pid = ::getpid();
  return table;
}

} // namespace runner
