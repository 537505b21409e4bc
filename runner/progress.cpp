// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/progress.h"

#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace runner {

std::string durationText(std::chrono::seconds duration) {
  const auto seconds = duration.count();
  if (seconds < 60)
    return fmt::format("{}s", seconds);
  if (seconds < 3600)
    return fmt::format("{}m{:02}s", seconds / 60, seconds % 60);
  return fmt::format("{}h{:02}m", seconds / 3600, seconds / 60 % 60);
}

Progress::Progress(Style style)
    : style_(style),
      terminal_(style == Style::automatic && ::isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() { end(); }

void Progress::begin(std::string title, std::uint64_t total,
                     std::uint64_t done) {
  title_ = std::move(title);
  total_ = total;
  doneBefore_ = done_ = done;
  changed_ = findings_ = 0;
  started_ = std::chrono::steady_clock::now();
  shown_ = started_;
}

void Progress::update(std::uint64_t done, std::uint64_t changed,
                      std::uint64_t findings) {
  done_ = done;
  changed_ = changed;
  findings_ = findings;
  if (std::chrono::steady_clock::now() - shown_ >= pause())
    show(false);
}

std::chrono::milliseconds Progress::pause() const {
  if (terminal_)
    return std::chrono::milliseconds(200);
  return style_ == Style::json ? std::chrono::seconds(1)
                               : std::chrono::minutes(1);
}

void Progress::end() {
  if (!title_.empty() && (terminal_ || style_ == Style::json))
    show(true);
  title_.clear();
}

void Progress::show(bool last) {
  if (style_ == Style::off)
    return;
  shown_ = std::chrono::steady_clock::now();
  const std::chrono::duration<double> elapsed = shown_ - started_;
  const double speed = static_cast<double>(done_ - doneBefore_) /
                       std::max(elapsed.count(), 1e-3);
  const auto left = std::chrono::seconds(
      speed > 0 ? static_cast<long>(static_cast<double>(total_ - done_) / speed)
                : 0);
  if (style_ == Style::json) {
    const nlohmann::json line = {{"lane", title_},
                                 {"done", done_},
                                 {"total", total_},
                                 {"changed", changed_},
                                 {"findings", findings_},
                                 {"functions_per_second", std::llround(speed)},
                                 {"seconds_left", left.count()}};
    fmt::print(stderr, "{}\n", line.dump());
    return;
  }
  fmt::print(stderr,
             "{}{}: {}/{} ({:.1f} %), {:.0f} functions/s, {} changed, {} "
             "findings, {} left{}",
             terminal_ ? "\r\033[K" : "", title_, done_, total_,
             total_ == 0 ? 100.0
                         : 100.0 * static_cast<double>(done_) /
                               static_cast<double>(total_),
             speed, changed_, findings_, durationText(left),
             terminal_ && !last ? "" : "\n");
  std::fflush(stderr);
}

} // namespace runner
