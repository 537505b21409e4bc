// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/campaign_options.h"

#include "runner/shared_table.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <fmt/format.h>

namespace runner {

corpus::Result<std::chrono::seconds> parseDuration(std::string_view option,
                                                   const std::string &text) {
  std::uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, text.data() + text.size() - end);
  constexpr std::pair<std::string_view, int> units[] = {
      {"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}};
  for (const auto &[spelling, factor] : units)
    if (unit == spelling && error == std::errc())
      return std::chrono::seconds(number * factor);
  return corpus::Error{fmt::format("{} {}: want a number and one of s m h d, "
                                   "such as 8h",
                                   option, text)};
}

void addPipelineOptions(CLI::App &command, CampaignOptions &options) {
  command
      .add_option("--passes", options.passes,
                  "Pipeline as opt takes it; repeat it for more pipelines. "
                  "from-file: of --corpus, each file's functions through what "
                  "its lines `; RUN: opt -passes=` say")
      ->allow_extra_args(false);
  command
      .add_option("--semantics", options.semantics,
                  "Semantics, such as llvm,llvm-undef, or all "
                  "(see `irsieve semantics`; default: llvm)")
      ->allow_extra_args(false);
  command.add_option("--triple", options.triple, "Target triple");
  command.add_option("--data-layout", options.dataLayout, "Data layout");
  command
      .add_option("--llvm-arg", options.llvmArgs,
                  "Option for LLVM itself, such as --llvm-arg=-opt-option")
      ->allow_extra_args(false);
}

void addReleasesOption(CLI::App &command, CampaignOptions &options) {
  command
      .add_option_function<std::vector<std::string>>(
          "--llvm",
          [&options](const std::vector<std::string> &names) {
            for (const std::string &name : names)
              addOptimizer(name, options);
          },
          "LLVM releases, and own builds by name, such as 14,22,trunk "
          "(default: the newest release)")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void addOptimizer(const std::string &name, CampaignOptions &options) {
  unsigned release = 0;
  const auto [end, error] =
      std::from_chars(name.data(), name.data() + name.size(), release);
  if (error == std::errc() && end == name.data() + name.size())
    options.releases.push_back(release);
  else
    options.builds.push_back(name);
}

void addThreadsOption(CLI::App &command, unsigned &threads) {
  command
      .add_option("-j,--threads", threads,
                  "Threads (default: one for each core)")
      ->check(CLI::Range(1, static_cast<int>(maximumThreads)));
}

void addCampaignOptions(CLI::App &command, CampaignOptions &options) {
  command.add_option("space", options.space,
                     "Space, such as i2x2 (see `irsieve space --help`)");
  command.add_option("--corpus", options.corpus,
                     "Take the functions of these .ll or .bc files or folders "
                     "instead of a space; what cannot be read or expressed is "
                     "counted and named, and the rest runs");
  command.add_flag("--fail-on-unreadable", options.failOnUnreadable,
                   "End at the first file of a folder that cannot be read");
  addPipelineOptions(command, options);
  addThreadsOption(command, options.threads);
  command.add_option("--range", options.range, "Ranks A:B, without B");
  command
      .add_option("--sample", options.sample,
                  "Only this many functions, drawn uniformly")
      ->check(CLI::PositiveNumber);
  auto *order = command.add_option("--order", options.order,
                                   "Take functions in this order:\n" +
                                       enumerate::orderHelp());
  auto *first = command
                    .add_option("--first", options.first,
                                "Only so many, the first of --order")
                    ->check(CLI::PositiveNumber);
  order->needs(first);
  first->needs(order);
  command.add_option("--seed", options.seed,
                     "Of the sample or order (default: 0)");
  command.add_flag("--check-each", options.checkEach,
                   "Every pass must refine its input, not only the pipeline "
                   "as a whole; much slower");
  command
      .add_option_function<double>(
          "--function-limit",
          [&options](double seconds) {
            options.functionLimit =
                std::chrono::milliseconds(static_cast<long>(seconds * 1000));
          },
          "Seconds that one function may take before it counts as a hang "
          "(default: 10)")
      ->check(CLI::PositiveNumber);
  command
      .add_option("--keep", options.keep,
                  "Findings kept of each quick signature (default: 50)")
      ->check(CLI::PositiveNumber);
  auto *memo = command.add_option(
      "--memo", options.memoMebibytes,
      "MiB that each thread may take to remember what became of functions "
      "from a stage of the pipeline on (default: 128)");
  command
      .add_flag_callback(
          "--no-memo", [&options] { options.memoMebibytes = 0; },
          "Send every function through the whole pipeline; the results are "
          "the same")
      ->excludes(memo);
  command
      .add_option("--chunk", options.chunkSize,
                  "Functions committed at a time (default: 16384, and 65536 "
                  "with --opt)")
      ->check(CLI::PositiveNumber);
}

void addProgressOptions(CLI::App &command, Progress::Style &style) {
  command
      .add_option_function<std::string>(
          "--progress",
          [&style](const std::string &name) {
            for (const auto &[spelling, named] : Progress::spelling)
              if (spelling == name)
                style = named;
          },
          "auto, json (an object a second on stderr), or off")
      ->check(CLI::IsMember({"auto", "json", "off"}));
  command.add_flag_callback(
      "-q,--quiet", [&style] { style = Progress::Style::off; }, "No progress");
}

} // namespace runner
