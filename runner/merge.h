// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `irsieve merge`: folds the databases of a campaign's shards into one.
#pragma once

#include "corpus/program/exit_code.h"

namespace CLI {
class App;
}

namespace runner {

/// `exitCode` must outlive the parsing.
void addMergeCommand(CLI::App &app, corpus::ExitCode &exitCode);

} // namespace runner
