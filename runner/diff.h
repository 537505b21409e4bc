// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `irsieve diff`: what another optimizer does otherwise with the same
// functions, so that a patch can be tried before it lands.
#pragma once

#include "runner/command.h"

namespace runner {

/// The references must outlive the parsing.
void addDiffCommand(CLI::App &app, corpus::ProgramReader &reader,
                    const Triage &triage, corpus::ExitCode &exitCode);

} // namespace runner
