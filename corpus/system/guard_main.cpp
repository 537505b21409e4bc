// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// irsieve-guard PARENT PROGRAM [ARGUMENT...]: becomes PROGRAM, which the kernel
// ends when its parent ends. posix_spawn cannot ask for that, and a fork of a
// process with threads must not.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv) {
  constexpr int cannotStart = 127;
  if (argc < 3) {
    std::fputs("irsieve starts other programs through this one; run irsieve "
               "instead.\n",
               stderr);
    return 2;
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // It may have ended before it was asked for.
  if (::getppid() != static_cast<pid_t>(std::atoi(argv[1])))
    return cannotStart;
  ::execvp(argv[2], argv + 2);
  std::fprintf(stderr, "%s: %s\n", argv[2], std::strerror(errno));
  return cannotStart;
}
