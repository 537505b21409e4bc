// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/hunt/options.h"

#include "runner/campaign_options.h"

#include <CLI/CLI.hpp>

namespace runner {

void addHuntOptions(CLI::App &command, HuntOptions &options) {
  command.add_option_function<std::string>(
      "--budget",
      [&options](const std::string &text) {
        const auto budget = parseDuration("--budget", text);
        if (!budget)
          throw CLI::ValidationError(budget.error().message);
        options.budget = *budget;
      },
      "Of all runs of this hunt together, such as 8h");
  command
      .add_option("--spaces", options.spaces,
                  "Only these spaces; repeat it for more (default: all of "
                  "--list)")
      ->allow_extra_args(false);
  command.add_option("--corpus", options.campaign.corpus,
                     "The functions of these files or folders, as one more "
                     "space");
  addPipelineOptions(command, options.campaign);
  addReleasesOption(command, options.campaign);
  command
      .add_option("--opt", options.campaign.opts,
                  "Path of an opt of your own, instead of --llvm")
      ->allow_extra_args(false);
  addThreadsOption(command, options.campaign.threads);
  command.add_option("--seed", options.seed,
                     "Of what is looked at, and in which order (default: 0)");
  command
      .add_option("--triage-share", options.triageShare,
                  "Of the budget, for making bugs of what is wrong")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.9));
  command.add_option("--decisions", options.mostDecisions,
                     "Stop after so many decisions of what to run next");
}

} // namespace runner
