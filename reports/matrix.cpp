// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/matrix.h"

#include "corpus/program/print.h"
#include "runner/campaign.h"
#include "runner/certificate.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>

namespace reports {
namespace {

using corpus::Counter;

/// Adds to the cells of a row what its kept findings say.
void addFindings(const corpus::Store &store, std::size_t lane,
                 std::vector<Cell> &cells) {
  std::map<std::pair<int, std::string>, std::uint64_t> kept;
  for (corpus::Finding &finding : store.findings(lane)) {
    ++kept[{finding.column, finding.bucket}];
    if (finding.column == corpus::everyColumn)
      continue;
    Cell &cell = cells[static_cast<std::size_t>(finding.column)];
    if (finding.bug.empty())
      cell.bugsExact = false;
    if (!cell.smallest || finding.rank < cell.smallest->rank)
      cell.smallest = std::move(finding);
  }
  for (const auto &[bucket, count] : kept)
    if (bucket.first != corpus::everyColumn &&
        store.bucketCount(lane, bucket.first, bucket.second) != count)
      cells[static_cast<std::size_t>(bucket.first)].bugsExact = false;
}

/// Of each word and reason the column with most.
std::vector<corpus::Omission> largest(std::vector<corpus::Omission> all) {
  std::map<std::pair<std::string, std::string>, corpus::Omission> byReason;
  for (corpus::Omission &omission : all) {
    corpus::Omission &slot = byReason[{omission.word, omission.reason}];
    if (slot.count < omission.count)
      slot = std::move(omission);
  }
  std::vector<corpus::Omission> result;
  result.reserve(byReason.size());
  for (auto &[reason, omission] : byReason)
    result.push_back(std::move(omission));
  return result;
}

/// "#17" of "i2x2#17"; a function of a file has no rank worth naming.
std::string shortName(const corpus::Finding &finding) {
  const std::size_t mark = finding.name.rfind('#');
  return mark == std::string::npos ? finding.name : finding.name.substr(mark);
}

std::string text(const corpus::Bytes &encoded, unsigned release) {
  const auto program = corpus::decode(encoded);
  return program ? corpus::printModule(*program, "f", release) : "";
}

nlohmann::json toJson(const Cell &cell, const std::string &semantics,
                      unsigned release) {
  nlohmann::json json = {{"semantics", semantics},
                         {"bugs", cell.bugs},
                         {"bugs_exact", cell.bugsExact},
                         {"smallest", nullptr}};
  for (const Counter counter :
       {Counter::wrong, Counter::crash, Counter::hang, Counter::invalid,
        Counter::unsupported, Counter::undecided})
    json[std::string(
        corpus::counterSpelling[static_cast<std::size_t>(counter)])] =
        cell.tally[counter];
  if (cell.smallest)
    json["smallest"] = {{"rank", runner::toJson(cell.smallest->rank)},
                        {"name", cell.smallest->name},
                        {"kind", cell.smallest->kind},
                        {"source", text(cell.smallest->source, release)},
                        {"target", text(cell.smallest->target, release)}};
  return json;
}

/// "`gvn`", with how far a row came that is not finished.
std::string rowName(const Matrix &matrix, const Matrix::Row &row) {
  const std::uint64_t done = row.cells.front().tally[Counter::functions];
  if (done == matrix.size)
    return fmt::format("`{}`", row.lane.passes);
  return fmt::format("`{}` (so far {})", row.lane.passes, done);
}

} // namespace

std::uint64_t Cell::wrong() const { return tally[Counter::wrong]; }
std::uint64_t Cell::failed() const {
  return tally[Counter::crash] + tally[Counter::hang] + tally[Counter::invalid];
}
std::uint64_t Cell::unknown() const {
  return tally[Counter::unsupported] + tally[Counter::undecided];
}

corpus::Result<Matrix> matrixOf(const corpus::Store &store,
                                std::span<const Bug> bugs) {
  const auto identity = runner::CampaignIdentity::fromText(store.identity());
  if (!identity)
    return identity.error();
  Matrix matrix;
  matrix.space = identity->space;
  matrix.size = identity->selection.size();
  matrix.columns = identity->semantics;
  const std::vector<corpus::Lane> lanes = store.lanes();
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    Matrix::Row row{lanes[lane],
                    runner::optimizerText(lanes[lane].version,
                                          identity->lanes[lane].pipeline),
                    std::vector<Cell>(matrix.columns.size()),
                    largest(store.omissions(lane))};
    for (std::size_t column = 0; column < row.cells.size(); ++column)
      row.cells[column].tally = store.tally(lane, column);
    addFindings(store, lane, row.cells);
    matrix.rows.push_back(std::move(row));
  }
  for (const Bug &bug : bugs)
    for (const runner::BugLine::Place &place : bug.shownBy)
      if (place.column != corpus::everyColumn)
        ++matrix.rows[place.lane]
              .cells[static_cast<std::size_t>(place.column)]
              .bugs;
  return matrix;
}

std::string cellText(const Cell &cell) {
  std::vector<std::string> parts;
  if (cell.smallest)
    parts.push_back(fmt::format("{} · {}{} · {}", cell.wrong(),
                                cell.bugsExact ? "" : "≥", cell.bugs,
                                shortName(*cell.smallest)));
  if (cell.failed() != 0)
    parts.push_back(fmt::format("!{}", cell.failed()));
  if (cell.unknown() != 0)
    parts.push_back(fmt::format("?{}", cell.unknown()));
  return parts.empty() ? "0" : fmt::format("{}", fmt::join(parts, " "));
}

std::string cellLegend(const Matrix &matrix) {
  return fmt::format(
      "Functions wrong · distinct bugs (≥: at least, because not every finding "
      "was looked at) · the wrong function of the lowest rank (`irsieve "
      "enumerate "
      "{} --rank R` prints it); !N the optimizer failed, ?N not decided.",
      matrix.space);
}

std::vector<std::string> omissionLines(const Matrix &matrix) {
  std::vector<std::string> lines;
  for (const Matrix::Row &row : matrix.rows)
    for (const corpus::Omission &omission : row.omissions)
      lines.push_back(fmt::format("`{}` in {}: {} {} ({}), for example #{}",
                                  row.lane.passes, row.optimizer,
                                  omission.count, omission.word,
                                  omission.reason, omission.exampleRank));
  return lines;
}

std::string matrixMarkdown(const Matrix &matrix) {
  std::map<std::string, std::vector<const Matrix::Row *>> byOptimizer;
  for (const Matrix::Row &row : matrix.rows)
    byOptimizer[row.optimizer].push_back(&row);
  std::string text;
  for (const auto &[optimizer, rows] : byOptimizer) {
    const corpus::Tally &tally = rows.front()->cells.front().tally;
    text +=
        fmt::format("{}, {}: {} functions, {} of them optimized\n\n", optimizer,
                    matrix.space, matrix.size, tally[Counter::represented]);
    text += fmt::format(
        "| | {} |\n|---|{}\n", fmt::join(matrix.columns, " | "), [&] {
          std::string rule;
          for (std::size_t i = 0; i < matrix.columns.size(); ++i)
            rule += "---|";
          return rule;
        }());
    for (const Matrix::Row *row : rows) {
      text += fmt::format("| {} |", rowName(matrix, *row));
      for (const Cell &cell : row->cells)
        text += fmt::format(" {} |", cellText(cell));
      text += "\n";
    }
    text += "\n";
  }
  text += cellLegend(matrix) + "\n";
  const std::vector<std::string> omissions = omissionLines(matrix);
  for (const std::string &line : omissions)
    text +=
        fmt::format("{}- {}\n", &line == omissions.data() ? "\n" : "", line);
  return text;
}

nlohmann::json toJson(const Matrix &matrix) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Matrix::Row &row : matrix.rows) {
    const corpus::Tally &tally = row.cells.front().tally;
    nlohmann::json cells = nlohmann::json::array();
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      cells.push_back(
          toJson(row.cells[i], matrix.columns[i], row.lane.release));
    nlohmann::json omissions = nlohmann::json::array();
    for (const corpus::Omission &omission : row.omissions)
      omissions.push_back({{"verdict", omission.word},
                           {"reason", omission.reason},
                           {"count", omission.count},
                           {"example", runner::toJson(omission.exampleRank)}});
    rows.push_back({{"llvm", row.lane.release},
                    {"version", row.lane.version},
                    {"optimizer", row.optimizer},
                    {"pipeline", row.lane.passes},
                    {"as_run", row.lane.asRun},
                    {"functions", tally[Counter::functions]},
                    {"represented", tally[Counter::represented]},
                    {"changed", tally[Counter::changed]},
                    {"omissions", std::move(omissions)},
                    {"cells", std::move(cells)}});
  }
  return {{"space", matrix.space},
          {"functions", matrix.size},
          {"semantics", matrix.columns},
          {"rows", std::move(rows)}};
}

} // namespace reports
