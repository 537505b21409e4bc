// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Progress of long work on stderr: one line that rewrites itself on a terminal,
// one plain line a minute elsewhere, or one JSON object a second for programs.
// NO_COLOR is honoured (there is no colour).
// Threads: one.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace runner {

class Progress {
public:
  enum class Style { automatic, json, off };
  static constexpr std::pair<std::string_view, Style> spelling[] = {
      {"auto", Style::automatic}, {"json", Style::json}, {"off", Style::off}};

  explicit Progress(Style style);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Begins a lane: what it is called, its size, and what is done already.
  void begin(std::string title, std::uint64_t total, std::uint64_t done);
  void update(std::uint64_t done, std::uint64_t changed,
              std::uint64_t findings);
  /// Ends the line of a terminal.
  void end();

private:
  void show(bool last);
  std::chrono::milliseconds pause() const;

  Style style_;
  bool terminal_; ///< a line that rewrites itself
  std::string title_;
  std::uint64_t total_ = 0;
  std::uint64_t doneBefore_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t changed_ = 0;
  std::uint64_t findings_ = 0;
  std::chrono::steady_clock::time_point started_;
  std::chrono::steady_clock::time_point shown_;
};

/// "1m05s", "3h20m".
std::string durationText(std::chrono::seconds duration);

} // namespace runner
