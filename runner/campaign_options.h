// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options that every command over a campaign takes, spelled once.
#pragma once

#include "runner/campaign.h"

namespace CLI {
class App;
}

namespace runner {

/// The functions, pipelines, semantics and limits. Both must outlive the
/// parsing.
void addCampaignOptions(CLI::App &command, CampaignOptions &options);
/// --progress and --quiet.
void addProgressOptions(CLI::App &command, Progress::Style &style);

} // namespace runner
