// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sub-commands `irsieve check` and `irsieve semantics`.
#pragma once

#include "corpus/program/exit_code.h"
#include "corpus/program/reader.h"

namespace CLI {
class App;
}

namespace checker {

/// Each adds a sub-command to `app` that stores its exit code when it runs. The
/// references must outlive the parsing.
void addCheckCommand(CLI::App &app, corpus::ProgramReader &reader,
                     corpus::ExitCode &exitCode);
void addSemanticsCommand(CLI::App &app, corpus::ExitCode &exitCode);

} // namespace checker
