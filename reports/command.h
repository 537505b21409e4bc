// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sub-commands of this folder.
#pragma once

#include "corpus/program/exit_code.h"
#include "corpus/program/reader.h"
#include "reports/triage.h"

namespace CLI {
class App;
}

namespace reports {

/// Each adds a sub-command to `app` that stores its exit code when it runs.
/// `exitCode` and `reader` must outlive the parsing.
void addReportCommand(CLI::App &app, corpus::ExitCode &exitCode);
void addMatrixCommand(CLI::App &app, corpus::ProgramReader &reader,
                      corpus::ExitCode &exitCode);
void addTriageCommand(CLI::App &app, corpus::ExitCode &exitCode);
void addDoctorCommand(CLI::App &app, corpus::ExitCode &exitCode);

} // namespace reports
