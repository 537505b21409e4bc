// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which engine decides what: every opcode with every set of its flags, under
// every choice of every knob. Found out by asking, not by what an engine says
// of itself: a cell is a few small functions checked against themselves and
// against a constant. What an engine does not decide must stand in lackTable(),
// with the reason.
// Threads: pure functions.
#pragma once

#include "checker/semantics/semantics.h"
#include "corpus/program/program.h"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace checker {

/// Where the meaning of an opcode on numbers comes from; two engines with the
/// same table are one opinion of that.
enum class LaneTable : std::uint8_t { planes, concrete, terms };

struct CoverageEngine {
  char letter;
  std::string_view name;
  LaneTable table;
};
inline constexpr std::array<CoverageEngine, 4> coverageEngines = {{
    {'p', "planes, exhaustive", LaneTable::planes},
    {'s', "sets, exhaustive", LaneTable::concrete},
    {'r', "reference interpreter", LaneTable::concrete},
    {'z', "Z3", LaneTable::terms},
}};

struct CoverageCell {
  std::array<bool, coverageEngines.size()> decides{};
  bool agree = true; ///< those that decide

  /// By two engines whose meaning of the opcode was written twice.
  bool isDecidedTwice() const;
};

/// A preset `llvm` with one knob turned; none is `llvm` itself.
struct CoverageColumn {
  const Knob *knob = nullptr;
  std::size_t choice = 0;

  Semantics semantics() const;
  std::string name() const; ///< `shift_amount=masked`
};

struct CoverageRow {
  corpus::Opcode opcode = corpus::Opcode::add;
  corpus::Flags flags;

  std::string name() const; ///< `add nuw nsw`
  /// Functions that have it, some for each operand that may differ. Empty for
  /// an opcode that nobody has written down here.
  std::vector<corpus::Program> probes() const;
};

struct Coverage {
  std::vector<CoverageRow> rows;
  std::vector<CoverageColumn> columns;
  std::vector<std::vector<CoverageCell>> cells; ///< by row and column
};
/// Some seconds, most of them Z3's.
Coverage measureCoverage();
/// The matrix, its legend, and the lacks.
std::string toText(const Coverage &coverage);

/// What an engine does not decide.
struct CoverageLack {
  char engine;
  std::string_view opcode; ///< its spelling; empty for all
  std::string_view choice; ///< `knob=choice`; empty for all
  std::string_view reason;

  bool covers(char letter, const CoverageRow &row,
              const CoverageColumn &column) const;
};
std::span<const CoverageLack> lackTable();

} // namespace checker
