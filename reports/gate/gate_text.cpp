// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/gate/gate.h"

#include "corpus/program/print.h"
#include "reports/render/json.h"
#include "reports/render/markdown.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace reports {
namespace {

std::string verdictText(const Gate &gate) {
  if (gate.isOpen())
    return gate.losses.empty()
               ? "nothing that is newly wrong"
               : fmt::format("nothing that is newly wrong, but {} outputs are "
                             "longer or have fewer flags",
                             gate.losses.size());
  const std::size_t count = gate.count("new");
  std::string bugs =
      fmt::format("{} new {}", count, count == 1 ? "bug" : "bugs");
  if (gate.newlyWrong == 0)
    return bugs;
  const std::string functions = fmt::format(
      "{} newly wrong, such as {}",
      gate.newlyWrong == 1 ? "1 function"
                           : fmt::format("{} functions", gate.newlyWrong),
      gate.newlyWrongExample);
  // Where the budget was spent before any was reduced.
  return count == 0 ? functions : bugs + ", " + functions;
}

std::uint64_t total(const Gate &gate, std::uint64_t GatePart::*number) {
  std::uint64_t sum = 0;
  for (const GatePart &part : gate.parts)
    sum += part.*number;
  return sum;
}

std::string numbersText(const Gate &gate) {
  return fmt::format(
      "{} functions through both, {} come out otherwise; {:.0f} s",
      total(gate, &GatePart::functions), total(gate, &GatePart::outputsChanged),
      gate.seconds);
}

std::string ratioText(const Gate &gate) {
  return gate.baseSeconds > 0
             ? fmt::format("{:.2f}", gate.newSeconds / gate.baseSeconds)
             : "unknown";
}

std::string lossText(const GateLoss &loss) {
  const long count = loss.instructions > 0 ? loss.instructions : loss.flags;
  return fmt::format("{} {}{}", count,
                     loss.instructions > 0 ? "more instruction" : "lost flag",
                     count == 1 ? "" : "s");
}

/// As Markdown shows it folded.
std::string foldedMarkdown(const std::string &summary,
                           const std::string &text) {
  return fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n\n",
                     summary, text);
}

std::string codeText(const std::string &code) {
  return fmt::format("```llvm\n{}{}```\n", code,
                     code.empty() || code.back() == '\n' ? "" : "\n");
}

std::string bothText(const std::string &source, const std::string &base,
                     const std::string &next) {
  return fmt::format("{}base:\n{}new:\n{}", codeText(source), codeText(base),
                     codeText(next));
}

std::string throughText(const GatePart &part) {
  return part.passes.empty() ? "" : fmt::format(" through `{}`", part.passes);
}

std::string partsText(const Gate &gate, bool wasMade) {
  std::string text;
  for (const GatePart &part : gate.parts)
    if (wasMade ? part.functions != 0 || part.missing.empty()
                : !part.missing.empty())
      text +=
          fmt::format("- {}{}: {}\n", part.what, throughText(part),
                      wasMade ? fmt::format("{} functions, {} outputs changed",
                                            part.functions, part.outputsChanged)
                              : part.missing);
  return text;
}

} // namespace

std::string gateMarkdown(const Gate &gate) {
  std::string text =
      fmt::format("### irsieve: {}\n\n`{}` against `{}`. {}.\n\n",
                  verdictText(gate), gate.next, gate.base, numbersText(gate));
  text += fmt::format(
      "| new bugs | fixed | in both | rewrites gained | lost | longer or fewer "
      "flags | time new/base |\n|---|---|---|---|---|---|---|\n"
      "| {} | {} | {} | {} | {} | {} | {} |\n\n",
      gate.count("new"), gate.count("fixed"), gate.count("both"), gate.gained,
      gate.lost, gate.losses.size(), ratioText(gate));
  for (const GateBug &each : gate.bugs) {
    if (each.state != "new")
      continue;
    std::string pair = corpus::printFunction(each.bug.source, "src");
    if (each.bug.target)
      pair += "\n" + corpus::printFunction(*each.bug.target, "tgt");
    text += fmt::format("**{}**: {}\n\n{}\n", each.bug.pass, headline(each.bug),
                        codeText(pair));
    text += foldedMarkdown("counterexample, and how to reproduce it",
                           markdown(each.bug));
  }
  std::string old;
  for (const GateBug &each : gate.bugs)
    if (each.state != "new")
      old += fmt::format("- {}: {}\n", each.state, summaryLine(each.bug));
  if (!old.empty())
    text += foldedMarkdown(fmt::format("{} fixed, {} in both",
                                       gate.count("fixed"), gate.count("both")),
                           old);
  for (const bool isGained : {true, false}) {
    std::string list;
    for (const GateRewrite &each : gate.rewrites)
      if (each.isGained == isGained)
        list += fmt::format("- `{}` ({}, {} functions)\n\n{}\n", each.text,
                            each.passes, each.functions,
                            bothText(each.source, each.base, each.next));
    if (!list.empty())
      text += foldedMarkdown(fmt::format("{} rewrites {}",
                                         isGained ? gate.gained : gate.lost,
                                         isGained ? "gained" : "lost"),
                             list);
  }
  std::string losses;
  for (const GateLoss &loss : gate.losses)
    losses += fmt::format("- {}: {}\n\n{}\n", loss.passes, lossText(loss),
                          bothText(loss.source, loss.base, loss.next));
  if (!losses.empty())
    text += foldedMarkdown(
        fmt::format("{} outputs longer or with fewer flags, of those "
                    "that were looked at",
                    gate.losses.size()),
        losses);
  text += foldedMarkdown("what was looked at", partsText(gate, true));
  if (const std::string missing = partsText(gate, false); !missing.empty())
    text += foldedMarkdown("what was not looked at", missing);
  return text;
}

std::string gateText(const Gate &gate) {
  std::string text = fmt::format("{} -> {}: {}\n{}\n", gate.base, gate.next,
                                 verdictText(gate), numbersText(gate));
  for (const GateBug &each : gate.bugs)
    text += fmt::format("{}: {}\n", each.state, summaryLine(each.bug));
  for (const GateRewrite &each : gate.rewrites)
    text += fmt::format("{} {}: {}\n", each.isGained ? "gained" : "lost",
                        each.passes, each.text);
  for (const GateLoss &loss : gate.losses)
    text += fmt::format("{} {}:\n{}base:\n{}new:\n{}", loss.passes,
                        lossText(loss), loss.source, loss.base, loss.next);
  text += fmt::format("time to optimize, new/base: {}\n", ratioText(gate));
  std::size_t missing = 0;
  const GatePart *example = nullptr;
  for (const GatePart &part : gate.parts)
    if (!part.missing.empty() && missing++ == 0)
      example = &part;
  if (example != nullptr)
    text += fmt::format("not looked at: {} {}, for example {}{}: {}\n", missing,
                        missing == 1 ? "part" : "parts", example->what,
                        throughText(*example), example->missing);
  return text;
}

runner::Json gateJson(const Gate &gate) {
  using runner::Json;
  Json bugs = Json::array();
  for (const GateBug &each : gate.bugs) {
    bugs.push_back(toJson(each.bug));
    bugs.back()["state"] = each.state;
  }
  Json rewrites = Json::array();
  for (const GateRewrite &each : gate.rewrites)
    rewrites.push_back({{"state", each.isGained ? "gained" : "lost"},
                        {"pipeline", each.passes},
                        {"rewrite", each.text},
                        {"functions", each.functions},
                        {"source", each.source},
                        {"base", each.base},
                        {"new", each.next}});
  Json losses = Json::array();
  for (const GateLoss &each : gate.losses)
    losses.push_back({{"pipeline", each.passes},
                      {"instructions", each.instructions},
                      {"flags", each.flags},
                      {"source", each.source},
                      {"base", each.base},
                      {"new", each.next}});
  Json parts = Json::array();
  for (const GatePart &each : gate.parts) {
    parts.push_back({{"what", each.what},
                     {"pipeline", each.passes},
                     {"functions", each.functions},
                     {"outputs_changed", each.outputsChanged}});
    if (!each.missing.empty())
      parts.back()["not_looked_at"] = each.missing;
  }
  return {{"base", gate.base},
          {"new", gate.next},
          {"open", gate.isOpen()},
          {"newly_wrong", gate.newlyWrong},
          {"newly_wrong_example", gate.newlyWrongExample},
          {"bugs", std::move(bugs)},
          {"rewrites_gained", gate.gained},
          {"rewrites_lost", gate.lost},
          {"rewrites", std::move(rewrites)},
          {"losses", std::move(losses)},
          {"base_seconds", gate.baseSeconds},
          {"new_seconds", gate.newSeconds},
          {"seconds", gate.seconds},
          {"parts", std::move(parts)}};
}

} // namespace reports
