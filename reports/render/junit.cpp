// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/render/junit.h"

#include "reports/render/markup.h"

#include <fmt/format.h>

namespace reports {
namespace {

enum class Outcome : std::uint8_t { passed, failure, error };

Outcome outcomeOf(const Cell &cell) {
  if (cell.wrong() + cell.failed() != 0)
    return Outcome::failure;
  return cell.unknown() != 0 ? Outcome::error : Outcome::passed;
}

/// What stands inside the test case.
std::string body(const Report &report, std::size_t lane, std::size_t column) {
  const Cell &cell = report.matrix.rows[lane].cells[column];
  switch (outcomeOf(cell)) {
  case Outcome::passed:
    return "";
  case Outcome::error:
    return fmt::format("<error message=\"{} not decided\"/>", cell.unknown());
  case Outcome::failure:
    break;
  }
  std::string bugs;
  for (const Bug &bug : report.bugs)
    if (runner::isShownIn(bug.shownBy, lane, column))
      bugs += summaryLine(bug) + "\n";
  return fmt::format(
      "<failure message=\"{} wrong, {} without a result, {} not decided\">{}"
      "</failure>",
      cell.wrong(), cell.failed(), cell.unknown(), escaped(bugs));
}

} // namespace

std::string junit(const Report &report) {
  const Matrix &matrix = report.matrix;
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "
                     "name=\"irsieve\">\n";
  for (std::size_t lane = 0; lane < matrix.rows.size(); ++lane) {
    const Matrix::Row &row = matrix.rows[lane];
    const auto count = [&](Outcome outcome) {
      return std::count_if(
          row.cells.begin(), row.cells.end(),
          [&](const Cell &cell) { return outcomeOf(cell) == outcome; });
    };
    text += fmt::format(
        "  <testsuite name=\"{} {}\" tests=\"{}\" failures=\"{}\" "
        "errors=\"{}\">\n",
        escaped(row.optimizer), escaped(row.lane.passes), row.cells.size(),
        count(Outcome::failure), count(Outcome::error));
    for (std::size_t column = 0; column < row.cells.size(); ++column)
      text += fmt::format(
          "    <testcase classname=\"{}\" name=\"{}\">{}</testcase>\n",
          escaped(matrix.space), escaped(matrix.columns[column]),
          body(report, lane, column));
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

} // namespace reports
