// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `irsieve diff`: what another optimizer does otherwise with the same
// functions, so that a patch can be tried before it lands.
#pragma once

#include "runner/campaign.h"
#include "runner/command.h"
#include "runner/progress.h"
#include "runner/protocol.h"

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace runner {

/// Two optimizers, each the number of a release, the name of an own build or
/// the path of an opt, and what they are to be compared on: a space, a corpus,
/// or in the place of the space the database of an earlier run.
struct DiffQuestion {
  CampaignOptions campaign;
  std::string base;
  std::string next;
  Progress::Style progress = Progress::Style::off;
  /// Checks only functions of which the two make different outputs: the others
  /// are as right as before. Counts, verdicts, rewrites and bugs are then of
  /// those, and a stop leaves what was compared until then.
  bool checksOnlyChanged = false;
};

struct DiffResult {
  Json summary;              ///< as `irsieve diff --format json` prints it
  std::vector<BugLine> bugs; ///< as Triage gives them
  /// Of each of them: "new", "fixed" or "both".
  std::vector<std::string> states;
  double baseSeconds = 0; ///< to optimize all functions, and to check them
  double newSeconds = 0;  ///< unless that was for the changed ones only
  bool isWhole = true;    ///< or stopped, with checksOnlyChanged
};

/// Why there is no result: badInput, incomplete, or stopped.
struct DiffFailure {
  corpus::ExitCode code = corpus::ExitCode::badInput;
  std::string message;
};

/// Compares. `shouldStop` is asked several times a second.
std::variant<DiffResult, DiffFailure>
diffOptimizers(DiffQuestion question, corpus::ProgramReader &reader,
               const Triage &triage, const std::function<bool()> &shouldStop);

/// The references must outlive the parsing.
void addDiffCommand(CLI::App &app, corpus::ProgramReader &reader,
                    const Triage &triage, corpus::ExitCode &exitCode);

} // namespace runner
