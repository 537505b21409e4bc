// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options that every command over a campaign takes, spelled once.
#pragma once

#include "runner/campaign.h"

namespace CLI {
class App;
}

namespace runner {

// What is filled must outlive the parsing.

/// "90s", "15m", "8h"; seconds without a unit. Fails for anything else, which
/// `option` was given.
corpus::Result<std::chrono::seconds> parseDuration(std::string_view option,
                                                   const std::string &text);

/// --passes, --semantics and what else decides an output.
void addPipelineOptions(CLI::App &command, CampaignOptions &options);
/// --llvm.
void addReleasesOption(CLI::App &command, CampaignOptions &options);
/// A release by its number, any other name is an own build's.
void addOptimizer(const std::string &name, CampaignOptions &options);
/// -j.
void addThreadsOption(CLI::App &command, unsigned &threads);
/// The functions, pipelines, semantics and limits.
void addCampaignOptions(CLI::App &command, CampaignOptions &options);
/// --progress and --quiet.
void addProgressOptions(CLI::App &command, Progress::Style &style);

} // namespace runner
