// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sub-commands `irsieve space` and `irsieve enumerate`.
#pragma once

#include "corpus/program/exit_code.h"
#include "corpus/program/reader.h"

namespace CLI {
class App;
}

namespace enumerate {

/// Each adds a sub-command to `app` that stores its exit code when it runs. The
/// references must outlive the parsing.
void addSpaceCommand(CLI::App &app, corpus::ExitCode &exitCode);
void addEnumerateCommand(CLI::App &app, corpus::ProgramReader &reader,
                         corpus::ExitCode &exitCode);

} // namespace enumerate
