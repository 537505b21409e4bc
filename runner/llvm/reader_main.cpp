// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reader: of a worker only what reads files, linked against LLVM's parser
// alone. A short `irsieve check` is little else than programs being started.
#include "corpus/program/exit_code.h"
#include "runner/frames.h"
#include "runner/llvm/read.h"
#include "runner/worker_channel.h"

#include <cassert>
#include <cstdio>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 2 || std::string_view(argv[1]) != runner::workerArgument) {
    std::fputs("This is irsieve's reader of files; run irsieve instead.\n",
               stderr);
    return static_cast<int>(corpus::ExitCode::badInput);
  }
  const runner::SharedTable table = runner::joinParent();
  while (const auto request = runner::readFrame(runner::workerSocket)) {
    assert(request->at("do") == "read");
    table->slots[0].enter(0, runner::PassName("read"));
    const runner::Json reply = runner::answerToRead(*request, runner::readFile);
    table->slots[0].leave();
    if (!runner::writeFrame(runner::workerSocket, reply))
      break;
  }
  // Crashed LLVM contexts were leaked on purpose.
  ::_exit(0);
}
