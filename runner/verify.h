// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `irsieve verify`: runs what a certificate is about again, or a sample of it,
// and compares.
#pragma once

#include "corpus/program/exit_code.h"
#include "corpus/program/reader.h"

namespace CLI {
class App;
}

namespace runner {

/// The references must outlive the parsing.
void addVerifyCommand(CLI::App &app, corpus::ProgramReader &reader,
                      corpus::ExitCode &exitCode);

} // namespace runner
