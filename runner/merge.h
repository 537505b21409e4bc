// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `irsieve merge`: folds the databases of a campaign's shards into one.
#pragma once

#include "corpus/program/exit_code.h"
#include "corpus/program/result.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace runner {

/// Folds the databases `in` of one campaign's shards into `out`, which is made
/// if it does not exist, and prints what it then holds. True when that is all
/// of the campaign; then `out` has its certificate.
corpus::Result<bool> mergeShards(const std::string &out,
                                 const std::vector<std::string> &in);
/// Puts the databases of the hunts' folders `in` side by side in the folder
/// `out`: those of the same functions become one where they are of different
/// positions.
corpus::Result<std::monostate> mergeHunts(const std::string &out,
                                          const std::vector<std::string> &in);
/// Whether the database of a shard, or of a whole campaign, has all its
/// results. Fails for a file that is not, or no longer, a sound database.
corpus::Result<bool> isFinishedShard(const std::string &path);

/// `exitCode` must outlive the parsing.
void addMergeCommand(CLI::App &app, corpus::ExitCode &exitCode);

} // namespace runner
