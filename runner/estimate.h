// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a campaign over a space would take on this machine, from a short one
// over a sample of it.
// Threads: one.
#pragma once

#include "runner/campaign.h"

#include <string>

namespace runner {

/// One line for each pipeline and release of `options`, which name a space,
/// and nothing else of which ranks; with `cores` above 0 one more, for a
/// cluster of so many, a thread a shard. Takes a few seconds a line. Fails as
/// Campaign::prepare() and run() do.
corpus::Result<std::string> estimateTime(CampaignOptions options,
                                         std::uint64_t cores,
                                         corpus::ProgramReader &reader);

} // namespace runner
