// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sub-commands of this folder.
#pragma once

#include "corpus/program/exit_code.h"
#include "corpus/program/reader.h"
#include "reports/render/formats.h"
#include "reports/triage/triage.h"
#include "runner/campaign.h"

namespace CLI {
class App;
}

namespace reports {

/// Each adds a sub-command to `app` that stores its exit code when it runs.
/// `exitCode` and `reader` must outlive the parsing.
void addReportCommand(CLI::App &app, corpus::ExitCode &exitCode);
void addGateCommand(CLI::App &app, corpus::ProgramReader &reader,
                    corpus::ExitCode &exitCode);
void addHuntCommand(CLI::App &app, corpus::ProgramReader &reader,
                    corpus::ExitCode &exitCode);
void addMatrixCommand(CLI::App &app, corpus::ProgramReader &reader,
                      corpus::ExitCode &exitCode);
void addTriageCommand(CLI::App &app, corpus::ExitCode &exitCode);
void addReduceCommand(CLI::App &app, corpus::ProgramReader &reader,
                      corpus::ExitCode &exitCode);
void addBisectCommand(CLI::App &app, corpus::ProgramReader &reader,
                      corpus::ExitCode &exitCode);
void addDoctorCommand(CLI::App &app, corpus::ExitCode &exitCode);

/// A line of progress, on stderr.
void say(const std::string &text);

/// Writes the report in these formats into `folder`, which is made.
corpus::Result<std::monostate>
writeReport(const Report &report, const std::string &folder,
            const std::vector<std::string> &formats);

/// What commands take that send the functions of one file through one pipeline.
void addFileOptions(CLI::App &command, runner::CampaignOptions &options);

/// Whether the command line is one of `irsieve bisect --opt`, of which `git
/// bisect run` would read the exit code 2 as "bad".
bool isBisectScript(int argc, char **argv);

} // namespace reports
