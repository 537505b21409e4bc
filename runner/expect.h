// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bugs that a gate knows already and does not fail for.
// Threads: pure functions.
#pragma once

#include "corpus/program/result.h"

#include <set>
#include <string>

namespace runner {

/// Ids of the bugs in the JSON file `path`: bugs.json of `irsieve report`, the
/// object of `irsieve run --format json`, or a list of ids.
corpus::Result<std::set<std::string>> readExpected(const std::string &path);

} // namespace runner
