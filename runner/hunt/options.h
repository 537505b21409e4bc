// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options that decide what a hunt looks at, spelled once: for the hunt of
// one machine, and for one in shards.
#pragma once

#include "runner/hunt/hunt.h"

namespace CLI {
class App;
}

namespace runner {

/// `options` must outlive the parsing.
void addHuntOptions(CLI::App &command, HuntOptions &options);

} // namespace runner
