// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sub-command `irsieve prove`.
#pragma once

#include "corpus/program/exit_code.h"
#include "corpus/program/reader.h"

namespace CLI {
class App;
}

namespace checker::rules {

/// Adds the sub-command to `app`; it stores its exit code when it runs, and the
/// references must outlive the parsing.
void addProveCommand(CLI::App &app, corpus::ProgramReader &reader,
                     corpus::ExitCode &exitCode);

} // namespace checker::rules
