// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `irsieve run`.
#pragma once

#include "corpus/program/exit_code.h"
#include "corpus/program/reader.h"
#include "corpus/store/store.h"

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace runner {

/// One bug, as far as `run` has to know about it.
struct BugLine {
  struct Place {
    std::size_t lane = 0;
    int column = corpus::everyColumn;
  };
  std::string id;   ///< its signature
  std::string text; ///< of its row, without the newline; empty for a bug that
                    ///< is one more form of the row before it
  std::vector<Place> shownBy; ///< lanes and columns with findings of it
  bool known = false;         ///< before this campaign
};

/// Whether one of the places is in that cell of the table of lanes by columns.
bool isShownIn(const std::vector<BugLine::Place> &places, std::size_t lane,
               std::size_t column);

/// Turns the findings of a campaign into bugs and stores them, as far as it
/// comes until `shouldStop`, asked several times a second, is true. Triage
/// belongs to a folder above this one; main lends it.
using Triage = std::function<corpus::Result<std::vector<BugLine>>(
    corpus::Store &, const std::function<bool()> &shouldStop)>;

void addRunCommand(CLI::App &app, corpus::ProgramReader &reader,
                   const Triage &triage, corpus::ExitCode &exitCode);

} // namespace runner
