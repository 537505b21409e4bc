// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/render/markdown.h"

#include "checker/render.h"
#include "corpus/program/print.h"
#include "reports/render/explorer.h"
#include "reports/triage/rule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace reports {
namespace {

std::string code(std::string_view language, std::string_view text) {
  return fmt::format("```{}\n{}```\n", language, text);
}

/// "- what: text", for what triage found out.
std::string facts(const Bug &bug) {
  std::string text;
  for (const auto &[what, fact] :
       {std::pair("release window", windowText(bug)),
        {"integer widths", widthsText(bug)},
        {"vectors", lanesText(bug)},
        {"source flags", flagsText(bug)},
        {"would be right with", repairText(bug)},
        {"culprit inside the pipeline", instanceText(bug)},
        {"known as", knownText(bug)}})
    if (!fact.empty())
      text += fmt::format("- {}: {}\n", what, fact);
  return text;
}

} // namespace

std::string alive2(const Bug &bug) {
  return bug.target ? corpus::printPair(bug.source, *bug.target, bug.release)
                    : "";
}

std::string markdownFile(const Bug &bug) { return bug.id + ".md"; }

std::string markdown(const Bug &bug, bool asRule) {
  std::string text = fmt::format("# [{}] {}\n\n", bug.pass, headline(bug));
  text += fmt::format("- kind: `{}`: {}\n", checker::toString(bug.kind),
                      titleOf(bug.kind));
  text += fmt::format("- pass: `{}`\n", bug.pass);
  text +=
      fmt::format("- LLVM releases that show it: {}\n", optimizersText(bug));
  text += facts(bug);
  text += fmt::format("- pipelines that show it: `{}`\n",
                      fmt::join(bug.pipelines, "`, `"));
  text += fmt::format("- semantics that show it: {}\n",
                      fmt::join(bug.semantics, ", "));
  text += fmt::format("- seen on {}, for example {}\n", functionsText(bug),
                      fmt::join(bug.examples, ", "));
  text += fmt::format("- signature: `{}`, root `{}`\n\n", bug.id, bug.root);

  if (!bug.detail.empty())
    text += fmt::format("The optimizer says: `{}`\n\n", bug.detail);
  text += "## Source\n\n";
  text += code("llvm", corpus::printModule(bug.source, "f", bug.release));
  if (bug.target) {
    text += fmt::format("\n## Target, made by {}\n\n",
                        runner::optimizerName(bug.release, bug.pipeline));
    text += code("llvm", corpus::printModule(*bug.target, "f", bug.release));
  }
  if (bug.verdict.witness) {
    text += fmt::format("\n## Counterexample (semantics `{}`)\n\n",
                        bug.checkedUnder);
    text += code("", checker::toText(*bug.verdict.witness));
  }
  if (const std::string rule = asRule ? ruleText(bug) : ""; !rule.empty())
    text += "\n## As a rule\n\n" + code("", rule);
  text += "\n## To reproduce\n\n";
  if (bug.input)
    text += fmt::format("`{}` alone does not show it; {}.\n\n", bug.pass,
                        *bug.input == bug.source
                            ? "inside this pipeline it does, and the target is "
                              "what it leaves behind"
                            : "inside this pipeline it is given the source "
                              "above");
  text += code("sh", command(bug));
  if (bug.target) {
    text += "\nFor `alive-tv` and alive2.llvm.org:\n\n";
    text += code("llvm", alive2(bug));
  }
  text += fmt::format("\n[Open in Compiler Explorer]({})\n",
                      compilerExplorerLink(bug));
  return text;
}

std::string markdownIndex(std::span<const Bug> bugs) {
  const std::vector<Row> rows = rowsOf(bugs);
  std::string text = fmt::format("# {}\n\n", countText(rows));
  if (bugs.empty())
    return text;
  text += "| bug | kind | pass | LLVM | semantics | functions | known as | "
          "what is wrong | forms |\n|---|---|---|---|---|---|---|---|---|\n";
  for (const Row &row : rows) {
    const Bug &bug = row.bug;
    std::vector<std::string> forms;
    for (const Bug &form : row.forms)
      forms.push_back(fmt::format("[{}]({})", form.id, markdownFile(form)));
    text += fmt::format(
        "| {} | {} | {} | {} | {} | {}{} | {} | {}{} | {} |\n", forms.front(),
        checker::toString(bug.kind), bug.pass, optimizersText(bug),
        fmt::join(bug.semantics, ", "), bug.functionsExact ? "" : "about ",
        bug.functions, knownText(bug), headline(bug),
        isStraight(bug) ? fmt::format(": `{}`", oneLine(bug)) : "",
        fmt::join(forms.begin() + 1, forms.end(), " "));
  }
  return text;
}

} // namespace reports
