// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sub-commands `irsieve space` and `irsieve enumerate`.
#pragma once

#include "corpus/program/exit_code.h"
#include "corpus/program/reader.h"

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace enumerate {

/// How long a space would take through pipelines of LLVMs (none: the newest
/// release). Campaigns belong to a folder above this one; main lends it.
struct TimeQuestion {
  std::string space;
  std::vector<std::string> passes;
  std::vector<std::string> optimizers; ///< releases and own builds, by name
  std::uint64_t cores = 0; ///< of a cluster, or 0 for this machine alone
};
using EstimateTime =
    std::function<corpus::Result<std::string>(const TimeQuestion &)>;

/// Each adds a sub-command to `app` that stores its exit code when it runs. The
/// references must outlive the parsing.
void addSpaceCommand(CLI::App &app, corpus::ProgramReader &reader,
                     const EstimateTime &estimateTime,
                     corpus::ExitCode &exitCode);
void addEnumerateCommand(CLI::App &app, corpus::ProgramReader &reader,
                         corpus::ExitCode &exitCode);

} // namespace enumerate
