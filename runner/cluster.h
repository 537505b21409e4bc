// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `irsieve cluster`: a campaign in shards, on the machines of somebody else's
// scheduler. All that there is of it lies in one folder, which every machine
// sees: the options of the campaign (run.toml), how it is cut (plan.json), the
// scripts that run it, and for each shard a database and a log. A shard is
// `irsieve run --shard`, so running one again is harmless, and what is missing
// is known from the databases alone.
#pragma once

#include "corpus/program/exit_code.h"

namespace CLI {
class App;
}

namespace runner {

/// `exitCode` must outlive the parsing.
void addClusterCommand(CLI::App &app, corpus::ExitCode &exitCode);

} // namespace runner
