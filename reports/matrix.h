// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes by semantics: which choice of semantics breaks which pass. A view of a
// campaign, whose columns were all checked against one optimizer run.
// Invariant: every function of a row that was represented is in each cell as
// right, wrong, failed or unknown; nothing that was not decided counts as
// right. Threads: pure functions.
#pragma once

#include "corpus/store/store.h"
#include "reports/triage/bug.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace reports {

struct Cell {
  corpus::Tally tally;
  /// Distinct bugs among the findings that hold under this semantics; a lower
  /// bound where not all of them were kept and looked at.
  std::size_t bugs = 0;
  bool bugsExact = true;
  /// The wrong function of the lowest rank: never a sample, because the lowest
  /// ranks are always kept.
  std::optional<corpus::Finding> smallest;

  std::uint64_t wrong() const;
  std::uint64_t failed() const;  ///< crash, hang, invalid
  std::uint64_t unknown() const; ///< unsupported, undecided
};

struct Matrix {
  struct Row {
    corpus::Lane lane;
    std::string optimizer;   ///< "LLVM 22.1.8", "LLVM 22.1.8 (trunk)"
    std::vector<Cell> cells; ///< one for each column
    /// Why cells have unknown functions, each reason once.
    std::vector<corpus::Omission> omissions;
  };
  std::string space;
  std::uint64_t size = 0;           ///< functions of a finished row
  std::vector<std::string> columns; ///< semantics
  std::vector<Row> rows;
};

/// Of a campaign and the bugs that triage made of it. Fails for a database that
/// does not say what its campaign was.
corpus::Result<Matrix> matrixOf(const corpus::Store &store,
                                std::span<const Bug> bugs);

/// "28 · 1 · #22249": functions wrong, distinct bugs, the rank of the smallest;
/// then "!2" for failures and "?3" for what is unknown. "0" for none of these.
std::string cellText(const Cell &cell);
/// What cellText() means, for the reader of a table.
std::string cellLegend(const Matrix &matrix);

/// "`newgvn` in LLVM 22: 15 unsupported (store), for example #3": a line for
/// each reason that something was not decided, with the most of any column.
std::vector<std::string> omissionLines(const Matrix &matrix);

/// One Markdown table for each release, with the legend.
std::string matrixMarkdown(const Matrix &matrix);
/// space, functions, semantics, and rows with their cells.
nlohmann::json toJson(const Matrix &matrix);

} // namespace reports
