// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Bug: all findings with one signature, as one small function that shows it.
// Threads: a value type.
#pragma once

#include "checker/verdict.h"
#include "corpus/program/program.h"
#include "runner/backend.h"
#include "runner/command.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reports {

struct Bug {
  std::string id; ///< the signature, twelve hexadecimal digits
  checker::Kind kind = checker::Kind::value;
  std::string pass; ///< culprit, as -passes= spells it

  /// Lanes and columns of the campaign with findings of it.
  std::vector<runner::BugLine::Place> shownBy;
  std::vector<unsigned> releases; ///< that show it, ascending
  std::vector<std::string>
      pipelines; ///< that show it, as the user spelled them
  /// That show it, in the campaign's order; all of them for a crash.
  std::vector<std::string> semantics;
  /// Functions that show it, in the lane and column where most do; exact unless
  /// the campaign kept only a sample of some kind of finding.
  std::uint64_t functions = 0;
  bool functionsExact = true;
  std::vector<std::string> examples; ///< names of a few of them

  // The function that stands for all, and where it was reproduced.
  corpus::Program source; ///< what the culprit is given
  /// What the pipeline is given, where the culprit alone is not enough.
  std::optional<corpus::Program> input;
  std::optional<corpus::Program> target; ///< of a wrong result
  unsigned release = 0;                  ///< the newest that shows the bug
  runner::Pipeline pipeline; ///< the culprit alone where that is enough
  std::string asRun;         ///< `pipeline.passes` as that release spells it
  std::string checkedUnder;  ///< the semantics of `verdict`
  /// Why (source, target) is wrong, with its witness. Not stored: made again
  /// from the programs.
  checker::Verdict verdict;
  std::string detail; ///< the crash's line, or the verifier's message
};

/// What a Checker says of the pair under `checkedUnder`, with the witness.
/// Requires a target and a semantics that parses.
checker::Verdict explain(const Bug &bug);

/// By kind, pass, id.
void sortForReaders(std::vector<Bug> &bugs);

/// The `opt` command that shows the bug, with the function in a here-document:
/// ready to be pasted into a shell.
std::string command(const Bug &bug);
/// One line that shows the change: `mul i1 %a, %b -> mul nsw i1 %a, %b`.
std::string oneLine(const Bug &bug);
/// One line for the end of a run.
std::string summaryLine(const Bug &bug);
/// "4 functions", "about 4000 functions".
std::string functionsText(const Bug &bug);

} // namespace reports
