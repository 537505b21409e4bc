// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gate for a patch: two optimizers over tests, over what is near the tests
// that come out otherwise, and over a hunt's spaces, under one budget.
//
// Invariant: a bug that base shows too never closes the gate.
// Threads: one; campaigns have their own.
#pragma once

#include "reports/triage/bug.h"
#include "runner/diff.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace reports {

struct GateOptions {
  std::string base; ///< release, own build or opt
  std::string next;
  std::vector<std::string> passes; ///< pipelines
  std::vector<std::string> tests;  ///< files and folders
  std::chrono::seconds budget{600};
  /// Semantics, LLVM's own options, threads.
  runner::CampaignOptions campaign;
};

/// One comparison that was made, or not.
struct GatePart {
  std::string what; ///< "tests", "near what changed", or a space
  std::string passes;
  std::uint64_t functions = 0; ///< optimized by each side
  std::uint64_t covered = 0;   ///< these, and what they stand for
  std::uint64_t outputsChanged = 0;
  std::string missing; ///< why it was not made, or not to its end
};

struct GateBug {
  Bug bug;
  std::string state; ///< "new", "fixed" or "both"
};

/// A rewrite that one side has and the other has not, with its first function.
struct GateRewrite {
  bool isGained = false;
  std::string passes;
  std::string text;
  std::uint64_t functions = 0;
  std::string source;
  std::string base;
  std::string next;
};

/// An output that is longer, or has fewer flags, than base's.
struct GateLoss {
  std::string passes;
  std::string source;
  std::string base;
  std::string next;
  long instructions = 0; ///< more
  long flags = 0;        ///< fewer
};

struct Gate {
  std::string base; ///< as a reader knows it: "LLVM 19.1.7 (mine)"
  std::string next;
  std::vector<GatePart> parts;
  std::vector<GateBug> bugs; ///< of each root and state one; new ones first
  /// Functions that base gets right and the other one does not.
  std::uint64_t newlyWrong = 0;
  std::string newlyWrongExample; ///< such as i2x2#113986
  std::vector<GateRewrite> rewrites;
  std::vector<GateLoss> losses;
  std::uint64_t gained = 0;
  std::uint64_t lost = 0;
  double baseSeconds = 0;
  double newSeconds = 0;
  double seconds = 0; ///< all of it
  bool isInterrupted = false;

  bool isOpen() const;
  std::size_t count(std::string_view state) const;
};

/// Runs until the budget is spent or all is done. Fails on bad input, such as
/// an unknown optimizer or pipeline.
corpus::Result<Gate>
runGate(const GateOptions &options, corpus::ProgramReader &reader,
        const std::function<bool()> &interrupted,
        const std::function<void(const std::string &)> &say);

/// Short enough for a comment on a pull request; the rest is folded.
std::string gateMarkdown(const Gate &gate);
/// For a terminal.
std::string gateText(const Gate &gate);
runner::Json gateJson(const Gate &gate);

} // namespace reports
