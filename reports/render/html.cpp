// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/render/html.h"

#include "checker/render.h"
#include "corpus/program/lines.h"
#include "corpus/program/print.h"
#include "reports/render/explorer.h"
#include "reports/render/lit.h"
#include "reports/render/markdown.h"
#include "reports/render/markup.h"
#include "reports/render/page.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace reports {
namespace {

using corpus::Counter;

/// "1,234,567".
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3;)
    text.insert(i -= 3, ",");
  return text;
}

std::string plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

/// With `what stands in backticks` as code.
std::string markedUp(std::string_view markdown) {
  std::string html;
  bool isCode = false;
  for (std::size_t end = 0; end != markdown.npos; isCode = !isCode) {
    end = markdown.find('`');
    const std::string text = escaped(markdown.substr(0, end));
    html += isCode ? fmt::format("<code>{}</code>", text) : text;
    markdown.remove_prefix(end == markdown.npos ? 0 : end + 1);
  }
  return html;
}

std::string cells(const std::vector<std::string> &texts) {
  std::string html;
  for (const std::string &text : texts)
    html += fmt::format("<td>{}</td>", escaped(text));
  return html;
}

std::string withCommas(const std::vector<std::string> &texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string codeWithCopy(std::string_view text) {
  return fmt::format("<div class=\"code\"><button class=\"copy\" "
                     "type=\"button\">Copy</button><pre>{}</pre></div>",
                     escaped(text));
}

std::string folded(std::string_view summary, std::string_view text) {
  return fmt::format("<details><summary>{}</summary>{}</details>",
                     escaped(summary), codeWithCopy(text));
}

/// The text as <pre>, with the lines marked that `other` does not have.
std::string compared(const std::string &text, const std::string &other,
                     std::string_view mark) {
  const auto others = corpus::linesOf(other);
  const std::set<std::string> known(others.begin(), others.end());
  std::string html = "<pre>";
  for (const std::string &line : corpus::linesOf(text))
    html += known.count(line) != 0
                ? escaped(line) + "\n"
                : fmt::format("<{0}>{1}</{0}>\n", mark, escaped(line));
  return html + "</pre>";
}

std::string values(const std::vector<checker::NamedValue> &list) {
  std::string html;
  for (const checker::NamedValue &value : list)
    html +=
        fmt::format("<tr><th>{} {}</th><td>{}</td></tr>", escaped(value.type),
                    escaped(value.name), escaped(value.text));
  return html;
}

std::string oneRun(std::string_view name,
                   const std::vector<checker::NamedValue> &list,
                   std::string_view outcome) {
  return fmt::format("<table class=\"values\"><caption>{}</caption>{}"
                     "<tr class=\"end\"><td colspan=\"2\">{}</td></tr></table>",
                     name, values(list), escaped(outcome));
}

std::string counterexample(const Bug &bug) {
  const checker::Witness &witness = *bug.verdict.witness;
  return fmt::format(
      "<h3>Counterexample <small>semantics {}</small></h3>"
      "<table class=\"values\"><caption>Input</caption>{}</table>"
      "<div class=\"pair\">{}{}</div>",
      escaped(bug.checkedUnder), values(witness.inputs),
      oneRun("Source", witness.sourceValues, witness.sourceOutcome),
      oneRun("Target", witness.targetValues, witness.targetOutcome));
}

/// The releases as a strip, each with its answer.
std::string windowStrip(const Window &window) {
  std::vector<std::pair<unsigned, std::string_view>> answers;
  for (const auto &[releases, answer] :
       {std::pair(&window.wrong, "wrong"),
        {&window.right, "right"},
        {&window.cannotExpress, "cannot express"},
        {&window.undecided, "cannot be decided"},
        {&window.otherwise, "fails in another way"}})
    for (const unsigned release : *releases)
      answers.emplace_back(release, answer);
  std::sort(answers.begin(), answers.end());
  std::string html;
  for (const auto &[release, answer] : answers)
    html += fmt::format("<span class=\"release {}\" title=\"LLVM {}: {}\">{}"
                        "</span>",
                        answer.substr(0, answer.find(' ')), release, answer,
                        release);
  return html;
}

std::string factsList(const Bug &bug) {
  std::string html = "<dl>";
  const auto add = [&](std::string_view what, const std::string &fact,
                       const std::string &before = "") {
    if (!fact.empty())
      html +=
          fmt::format("<dt>{}</dt><dd>{}{}</dd>", what, before, escaped(fact));
  };
  add("Pass", bug.pass);
  add("Kind",
      fmt::format("{}: {}", checker::toString(bug.kind), titleOf(bug.kind)));
  add("Known as", knownText(bug));
  add("Releases", bug.window.empty() ? optimizersText(bug) : windowText(bug),
      windowStrip(bug.window));
  add("Widths", widthsText(bug));
  add("Vectors", lanesText(bug));
  add("Source flags", flagsText(bug));
  add("Would be right with", repairText(bug));
  add("Pipelines", withCommas(bug.pipelines));
  add("Culprit instance", instanceText(bug));
  add("Semantics", withCommas(bug.semantics));
  add("Seen on", fmt::format("{}, for example {}", functionsText(bug),
                             withCommas(bug.examples)));
  add("Signature", bug.id);
  return html + "</dl>";
}

/// Links to the bugs that share the row of this one.
std::string otherForms(const Bug &bug, std::span<const Bug> forms) {
  if (forms.size() == 1)
    return "";
  std::string html = fmt::format(
      "<details><summary>{} of it, each with its own function</summary><ul>",
      plural(forms.size() - 1, "other form"));
  for (const Bug &form : forms)
    if (form.id != bug.id)
      html +=
          fmt::format("<li><a href=\"#{0}\"><code>{0}</code></a>{1} "
                      "<small>{2}</small> <code>{3}</code></li>",
                      form.id, form.known ? " " + escaped(knownText(form)) : "",
                      functionsText(form), escaped(oneLine(form)));
  return html + "</ul></details>";
}

std::string section(const Bug &bug, std::span<const Bug> forms, bool asRule) {
  std::string html =
      fmt::format("<section class=\"bug\" id=\"{}\"><p class=\"back\"><a "
                  "href=\"#bugs\">All "
                  "bugs</a></p><h2><span class=\"pass\">{}</span> {}</h2>",
                  bug.id, escaped(bug.pass), markedUp(headline(bug)));
  html += factsList(bug) + otherForms(bug, forms);
  const std::string source = corpus::printModule(bug.source, "f", bug.release);
  html += "<div class=\"pair\">";
  const std::string target =
      bug.target ? corpus::printModule(*bug.target, "f", bug.release) : "";
  html += fmt::format("<div><h3>Source</h3>{}</div>",
                      compared(source, bug.target ? target : source, "del"));
  if (bug.target)
    html +=
        fmt::format("<div><h3>Target <small>by LLVM {}</small></h3>{}</div>",
                    bug.release, compared(target, source, "ins"));
  html += "</div>";
  if (!bug.detail.empty())
    html += fmt::format("<h3>The optimizer says</h3><pre>{}</pre>",
                        escaped(bug.detail));
  if (bug.verdict.witness)
    html += counterexample(bug);
  html += "<h3>To reproduce</h3>" + codeWithCopy(command(bug));
  if (bug.repair)
    html += folded("Repaired target: " + bug.repair->text,
                   corpus::printModule(bug.repair->target, "f", bug.release));
  if (const std::string pair = alive2(bug); !pair.empty())
    html += folded("For alive-tv", pair);
  html += folded("As a lit test", litTest(bug));
  html += folded("As an issue, in Markdown", markdown(bug, asRule));
  html += fmt::format("<p><a href=\"{}\">Open in Compiler Explorer</a></p>",
                      compilerExplorerLink(bug));
  return html + "</section>\n";
}

std::string bugRow(const Row &row) {
  const Bug &bug = row.bug;
  std::string what = markedUp(headline(bug));
  if (isStraight(bug))
    what += fmt::format("<br><code>{}</code>", escaped(oneLine(bug)));
  if (row.forms.size() > 1)
    what += fmt::format(" <small>{} forms</small>", row.forms.size());
  return fmt::format(
      "<tr><td><a href=\"#{0}\"><code>{0}</code></a></td>{1}"
      "<td class=\"functions\" data-key=\"{2}\">{3}{4}</td><td>{5}</td><td "
      "class=\"what\">{6}</td></tr>\n",
      bug.id,
      cells({std::string(checker::toString(bug.kind)), bug.pass,
             optimizersText(bug), withCommas(bug.semantics)}),
      bug.functions, bug.functionsExact ? "" : "about ", grouped(bug.functions),
      escaped(knownText(bug)), what);
}

std::string bugTable(std::span<const Row> rows) {
  if (rows.empty())
    return "<p>Nothing wrong was found.</p>";
  std::string html =
      "<div class=\"scroll\"><table class=\"sortable\"><thead><tr>";
  for (const char *head : {"Bug", "Kind", "Pass", "LLVM", "Semantics",
                           "Functions", "Known as", "What is wrong"})
    html += fmt::format("<th scope=\"col\"><button type=\"button\">{}</button>"
                        "</th>",
                        head);
  html += "</tr></thead><tbody>\n";
  for (const Row &row : rows)
    html += bugRow(row);
  return html + "</tbody></table></div>";
}

/// 0 for none, 1 for all functions of the space, by magnitude.
double heat(std::uint64_t count, std::uint64_t functions) {
  if (count == 0 || functions < 2)
    return count == 0 ? 0 : 1;
  return std::log1p(static_cast<double>(count)) /
         std::log1p(static_cast<double>(functions));
}

std::string matrixCell(const Matrix &matrix, const Cell &cell) {
  if (cell.wrong() + cell.failed() + cell.unknown() == 0)
    return "<td class=\"none\">0</td>";
  std::string inner;
  if (cell.smallest) {
    const std::string bugs =
        fmt::format("{}{} bug{}", cell.bugsExact ? "" : "≥ ", cell.bugs,
                    cell.bugs == 1 ? "" : "s");
    inner += fmt::format("<b>{}</b>", grouped(cell.wrong()));
    inner += cell.smallest->bug.empty()
                 ? fmt::format("<small>{}</small>", bugs)
                 : fmt::format("<small><a href=\"#{}\">{}</a></small>",
                               cell.smallest->bug, bugs);
  }
  if (cell.failed() != 0)
    inner += fmt::format("<small>{} failed</small>", grouped(cell.failed()));
  if (cell.unknown() != 0)
    inner +=
        fmt::format("<small>{} not decided</small>", grouped(cell.unknown()));
  return fmt::format(
      "<td style=\"--heat:{:.3f}\" title=\"{}\">{}</td>",
      heat(cell.wrong() + cell.failed(), matrix.size),
      cell.smallest ? escaped("smallest: " + cell.smallest->name) : "", inner);
}

/// "gvn"; with the optimizer where there are several.
std::string rowHead(const Matrix &matrix, const Matrix::Row &row) {
  const bool isPlain = std::all_of(
      matrix.rows.begin(), matrix.rows.end(),
      [&](const Matrix::Row &each) { return each.optimizer == row.optimizer; });
  return escaped(row.lane.passes) +
         (isPlain ? ""
                  : fmt::format(" <small>{}</small>", escaped(row.optimizer)));
}

std::string matrixTable(const Matrix &matrix) {
  std::string html = "<div class=\"scroll\"><table class=\"matrix\"><thead><tr>"
                     "<th></th>";
  for (const std::string &column : matrix.columns)
    html += fmt::format("<th scope=\"col\">{}</th>", escaped(column));
  html += "</tr></thead><tbody>\n";
  for (const Matrix::Row &row : matrix.rows) {
    html += fmt::format("<tr><th scope=\"row\">{}</th>", rowHead(matrix, row));
    for (const Cell &cell : row.cells)
      html += matrixCell(matrix, cell);
    html += "</tr>\n";
  }
  html += "</tbody></table></div>";
  for (const std::string &line : omissionLines(matrix))
    html +=
        fmt::format("<p class=\"legend\">Not decided: {}</p>", markedUp(line));
  return html;
}

/// Of these, how many the first semantics of the campaign shows: the others
/// are often of semantics that nobody implements.
std::size_t countFirst(const Report &report, std::span<const Row> rows) {
  return std::count_if(rows.begin(), rows.end(), [&](const Row &row) {
    for (std::size_t lane = 0; lane < report.matrix.rows.size(); ++lane)
      if (runner::isShownIn(row.bug.shownBy, lane, 0))
        return true;
    return false;
  });
}

/// "109 more under other semantics", or nothing.
std::string countOthers(const Report &report, std::span<const Row> rows) {
  const std::size_t others = rows.size() - countFirst(report, rows);
  return others == 0
             ? ""
             : fmt::format("{} more under other semantics", grouped(others));
}

/// Enumerated, changed, wrong, bugs: over all rows, under the first semantics
/// of the campaign.
std::string funnel(const Report &report, std::span<const Row> rows) {
  const Matrix &matrix = report.matrix;
  corpus::Tally sum;
  for (const Matrix::Row &row : matrix.rows)
    sum += row.cells.front().tally;
  const std::uint64_t wrong = sum[Counter::wrong] + sum[Counter::crash] +
                              sum[Counter::hang] + sum[Counter::invalid];
  const auto step = [&](std::uint64_t count, std::string_view what,
                        const std::string &note) {
    return fmt::format("<li style=\"--part:{:.3f}\"><b>{}</b> {}<small>{}"
                       "</small></li>",
                       heat(count, sum[Counter::functions]), grouped(count),
                       what, escaped(note));
  };
  const std::uint64_t unknown =
      sum[Counter::unsupported] + sum[Counter::undecided];
  return "<ol class=\"funnel\">" +
         step(sum[Counter::functions], "enumerated",
              fmt::format("{} of {} × {}; {} left to another of their symmetry",
                          plural(matrix.size, "function"), matrix.space,
                          plural(matrix.rows.size(), "pipeline"),
                          grouped(sum[Counter::skipped]))) +
         step(sum[Counter::changed], "changed", "by the optimizer") +
         step(wrong, "wrong",
              fmt::format("under {}; {} not decided", matrix.columns.front(),
                          grouped(unknown))) +
         step(countFirst(report, rows),
              countFirst(report, rows) == 1 ? "bug" : "bugs",
              countOthers(report, rows)) +
         "</ol>";
}

std::string titleText(const Report &report, std::span<const Row> rows) {
  std::set<std::string> optimizers;
  for (const Matrix::Row &row : report.matrix.rows)
    optimizers.insert(row.optimizer);
  const std::string others = countOthers(report, rows);
  return fmt::format("{} in {}{}{}", plural(countFirst(report, rows), "bug"),
                     fmt::join(optimizers, ", "), others.empty() ? "" : ", ",
                     others);
}

} // namespace

std::string html(const Report &report) {
  const std::vector<Row> rows = rowsOf(report.bugs);
  std::string sections;
  for (const Row &row : rows)
    for (const Bug &bug : row.forms)
      sections += section(bug, row.forms, !report.isUrgent());
  const std::pair<std::string_view, std::string> parts[] = {
      {"title", escaped(titleText(report, rows))},
      {"space", escaped(report.matrix.space)},
      {"summary", funnel(report, rows)},
      {"bugs", bugTable(rows)},
      {"matrix", matrixTable(report.matrix)},
      {"sections", std::move(sections)}};
  std::string page;
  std::string_view rest = pageTemplate();
  for (std::size_t mark = rest.find("{{"); mark != rest.npos;
       mark = rest.find("{{")) {
    page += rest.substr(0, mark);
    const std::size_t end = rest.find("}}", mark);
    const std::string_view name = rest.substr(mark + 2, end - mark - 2);
    const auto *part =
        std::find_if(std::begin(parts), std::end(parts),
                     [&](const auto &each) { return each.first == name; });
    assert(part != std::end(parts) && "page.html names what we have");
    page += part->second;
    rest.remove_prefix(end + 2);
  }
  page += rest;
  return page;
}

} // namespace reports
