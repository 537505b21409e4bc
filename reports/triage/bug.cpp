// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/bug.h"

#include "checker/check.h"
#include "corpus/program/print.h"
#include "reports/triage/join.h"
#include "runner/external_opt.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <tuple>

namespace reports {
namespace {

/// What a developer reads first, by kind.
constexpr std::array<std::string_view, checker::kindSpelling.size()> titles = {
    "undefined behavior that the source does not have",
    "calls that the source does not make",
    "does not return where the source does",
    "returns where the source never does",
    "poison where the source has none",
    "undef where the source has a value",
    "wrong value",
    "the optimizer crashes",
    "the optimizer does not finish",
    "the optimizer makes invalid IR",
    "the output varies from run to run",
};

/// Without the terminators of a straight line: `%v0 = shl i4 %a, 1`.
std::string oneLine(const corpus::Program &program) {
  if (!program.isStraightLine())
    return fmt::format("{} blocks, {} instruction{}", program.blocks.size(),
                       program.instructionCount(),
                       program.instructionCount() == 1 ? "" : "s");
  // `ret` of the last result goes without saying.
  std::vector<std::string> lines;
  const std::size_t last = program.instructions.size() - 1;
  for (std::size_t i = 0; i < last; ++i)
    lines.push_back(corpus::printInstruction(program, i));
  const auto returned = program.operandsOf(program.instructions[last]);
  const bool isLastResult =
      last > 0 && !returned.empty() &&
      returned[0].is(corpus::Operand::Kind::instruction) &&
      returned[0].payload == last - 1;
  if (!isLastResult)
    lines.push_back(corpus::printInstruction(program, last));
  if (!program.signature.result.empty()) {
    const std::string text = corpus::printFunction(program);
    const std::size_t define = std::string_view("define ").size();
    lines.push_back(fmt::format("returns {}",
                                text.substr(define, text.find(" @") - define)));
  }
  return fmt::format("{}", fmt::join(lines, "; "));
}

/// "1, 4-8, 16" of ascending numbers, each behind `prefix`.
std::string rangesText(const std::vector<unsigned> &numbers,
                       std::string_view prefix) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
      ++last;
    parts.push_back(fmt::format("{}{}", prefix, numbers[i]));
    if (last > i)
      parts.back() += fmt::format("-{}{}", prefix, numbers[last]);
    i = last + 1;
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// The runs of wrong releases between right ones, as half-open intervals of
/// what is known: a bug that is right in 16 and wrong in 19 came in (16, 19].
std::string wrongSpans(const Window &window) {
  std::vector<std::pair<unsigned, bool>> answers;
  for (const unsigned release : window.wrong)
    answers.emplace_back(release, true);
  for (const unsigned release : window.right)
    answers.emplace_back(release, false);
  std::sort(answers.begin(), answers.end());
  std::vector<std::string> spans;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto [release, wrong] = answers[i];
    const bool before = i > 0 && answers[i - 1].second;
    if (wrong && !before)
      spans.push_back(i == 0 ? fmt::format("wrong since <= {}", release)
                             : fmt::format("wrong since ({}, {}]",
                                           answers[i - 1].first, release));
    if (!wrong && before)
      spans.push_back(
          fmt::format("fixed in ({}, {}]", answers[i - 1].first, release));
  }
  if (!answers.empty() && answers.back().second)
    spans.push_back(fmt::format("not fixed in {}", answers.back().first));
  return fmt::format("{}", fmt::join(spans, ", "));
}

std::string joined(const std::vector<std::string> &parts) {
  return fmt::format("{}", fmt::join(parts, "; "));
}

} // namespace

corpus::Program storedProgram(const corpus::Bytes &bytes) {
  auto program = corpus::decode(bytes);
  assert(program && "the store keeps what encode() wrote");
  return std::move(*program);
}

checker::Verdict explain(const Bug &bug) {
  assert(bug.target);
  const auto semantics = checker::parseSemantics(bug.checkedUnder);
  assert(semantics);
  return checker::Checker().check(bug.source, *bug.target, *semantics);
}

bool areApart(const Window &a, const Window &b) {
  const auto meet = [](const auto &wrong, const auto &right) {
    return std::any_of(wrong.begin(), wrong.end(), [&](unsigned release) {
      return std::find(right.begin(), right.end(), release) != right.end();
    });
  };
  return meet(a.wrong, b.right) && meet(b.wrong, a.right);
}

void sortForReaders(std::vector<Bug> &bugs) {
  joinRows(bugs);
  // Of each row, its first bug: where the row stands.
  const auto within = [](const Bug &bug) {
    return std::tuple(!bug.known, bug.source.blocks.size(),
                      bug.source.instructionCount(), std::string_view(bug.id));
  };
  std::map<std::string, const Bug *> first;
  for (const Bug &bug : bugs) {
    const Bug *&slot = first[bug.root];
    if (slot == nullptr || within(bug) < within(*slot))
      slot = &bug;
  }
  std::vector<const Bug *> order;
  order.reserve(bugs.size());
  for (const Bug &bug : bugs)
    order.push_back(&bug);
  std::sort(order.begin(), order.end(), [&](const Bug *a, const Bug *b) {
    const auto key = [&](const Bug &bug) {
      const Bug &head = *first.at(bug.root);
      return std::tuple(head.known.has_value(), head.kind,
                        std::string_view(head.pass),
                        std::string_view(head.root), within(bug));
    };
    return key(*a) < key(*b);
  });
  std::vector<Bug> sorted;
  sorted.reserve(bugs.size());
  for (const Bug *bug : order)
    sorted.push_back(*bug);
  bugs = std::move(sorted);
}

std::vector<Row> rowsOf(std::span<const Bug> bugs) {
  std::vector<Row> rows;
  const auto addAll = [](auto &to, const auto &from) {
    for (const auto &each : from)
      if (std::find(to.begin(), to.end(), each) == to.end())
        to.push_back(each);
  };
  for (std::size_t begin = 0; begin < bugs.size();) {
    std::size_t end = begin;
    while (end < bugs.size() && bugs[end].root == bugs[begin].root)
      ++end;
    Row &row =
        rows.emplace_back(Row{bugs[begin], bugs.subspan(begin, end - begin)});
    for (const Bug &form : row.forms.subspan(1)) {
      addAll(row.bug.releases, form.releases);
      addAll(row.bug.pipelines, form.pipelines);
      addAll(row.bug.semantics, form.semantics);
      row.bug.functions += form.functions;
      // In several places, a function may have been counted twice.
      row.bug.functionsExact = row.bug.functionsExact && form.functionsExact &&
                               form.shownBy.size() == 1;
      row.bug.shownBy.insert(row.bug.shownBy.end(), form.shownBy.begin(),
                             form.shownBy.end());
    }
    std::sort(row.bug.releases.begin(), row.bug.releases.end());
    begin = end;
  }
  return rows;
}

std::string countText(std::span<const Row> rows) {
  std::size_t forms = 0;
  for (const Row &row : rows)
    forms += row.forms.size();
  return fmt::format("{} {}{}", rows.size(), rows.size() == 1 ? "bug" : "bugs",
                     forms == rows.size() ? ""
                                          : fmt::format(" in {} forms", forms));
}

std::string optimizersText(const Bug &bug) {
  return bug.releases.empty()
             ? runner::optimizerName(bug.release, bug.pipeline)
             : fmt::format("{}", fmt::join(bug.releases, ", "));
}

std::string optArguments(const Bug &bug) {
  std::string text;
  for (const std::string &argument :
       runner::optArguments(bug.pipeline, bug.asRun)) {
    // The name of an option needs no quotes.
    const std::size_t value = argument.find('=') + 1;
    text += fmt::format("{}{}{}", text.empty() ? "" : " ",
                        argument.substr(0, value),
                        corpus::shellWord(argument.substr(value)));
  }
  constexpr unsigned readsOpaquePointersIfTold = 14;
  const corpus::Program &input = optInput(bug);
  if (bug.release == readsOpaquePointersIfTold &&
      std::any_of(
          input.operands.begin(), input.operands.end(),
          [](const corpus::Operand &each) { return each.type.isPointer(); }))
    text += " -opaque-pointers";
  return text;
}

const corpus::Program &optInput(const Bug &bug) {
  return bug.input ? *bug.input : bug.source;
}

std::string command(const Bug &bug) {
  const auto &external = bug.pipeline.opt;
  const auto &build = bug.pipeline.build;
  std::string opt = fmt::format("opt-{}", bug.release);
  if (external)
    opt = corpus::shellWord(external->path);
  else if (build && build->opt.empty())
    opt = fmt::format("# with the opt of {}\nopt", build->name);
  else if (build)
    opt = corpus::shellWord(build->opt);
  return fmt::format("{} -S {} <<'EOF'\n{}EOF\n", opt, optArguments(bug),
                     corpus::printModule(optInput(bug), "f", bug.release));
}

std::string oneLine(const Bug &bug) {
  return bug.target ? fmt::format("{} -> {}", oneLine(bug.source),
                                  oneLine(*bug.target))
                    : oneLine(bug.source);
}

std::string functionsText(const Bug &bug) {
  return fmt::format("{}{} {}", bug.functionsExact ? "" : "about ",
                     bug.functions,
                     bug.functions == 1 ? "function" : "functions");
}

std::string_view titleOf(checker::Kind kind) {
  return titles[static_cast<std::size_t>(kind)];
}

std::string pairText(const corpus::Program &source,
                     const corpus::Program &target, unsigned release) {
  std::vector<std::string> declarations =
      corpus::printDeclarations(source, release);
  for (std::string &line : corpus::printDeclarations(target, release))
    if (std::find(declarations.begin(), declarations.end(), line) ==
        declarations.end())
      declarations.push_back(std::move(line));
  return fmt::format("{}{}{}\n{}", fmt::join(declarations, "\n"),
                     declarations.empty() ? "" : "\n\n",
                     corpus::printFunction(source, "src", release),
                     corpus::printFunction(target, "tgt", release));
}

std::string headline(const Bug &bug) {
  return bug.title.empty() ? std::string(titleOf(bug.kind)) : bug.title;
}

bool isStraight(const Bug &bug) {
  return bug.source.isStraightLine() &&
         (!bug.target || bug.target->isStraightLine());
}

std::string summaryLine(const Bug &bug) {
  return summaryLine(Row{bug, {&bug, 1}});
}

std::string summaryLine(const Row &row) {
  const Bug &bug = row.bug;
  return fmt::format(
      "{} {} {} (LLVM {}; {}{}){}: {}{}", bug.id, checker::toString(bug.kind),
      bug.pass, optimizersText(bug), functionsText(bug),
      row.forms.size() == 1 ? ""
                            : fmt::format(" in {} forms", row.forms.size()),
      bug.known ? " known: " + knownText(bug) : "", headline(bug),
      isStraight(bug) ? ": " + oneLine(bug) : "");
}

std::string windowText(const Bug &bug) {
  std::vector<std::string> parts;
  if (std::string spans = wrongSpans(bug.window); !spans.empty())
    parts.push_back(std::move(spans));
  else if (!bug.window.right.empty())
    parts.push_back(
        fmt::format("right in {}", fmt::join(bug.window.right, ", ")));
  for (const auto &[before, releases, after] :
       {std::tuple("", &bug.window.cannotExpress, " cannot express it"),
        {"not decided for ", &bug.window.undecided, ""},
        {"", &bug.window.otherwise, " fail at it in another way"}})
    if (!releases->empty())
      parts.push_back(
          fmt::format("{}{}{}", before, fmt::join(*releases, ", "), after));
  return joined(parts);
}

std::string widthsText(const Bug &bug) {
  std::vector<std::string> parts;
  for (const auto &[head, widths] :
       {std::pair("wrong for ", &bug.widths.wrong),
        std::pair("right for ", &bug.widths.right),
        std::pair("not known for ", &bug.widths.unknown)})
    if (!widths->empty())
      parts.push_back(head + rangesText(*widths, "i"));
  return joined(parts);
}

std::string lanesText(const Bug &bug) {
  std::vector<std::string> parts;
  for (const auto &[head, counts] :
       {std::pair("wrong for ", &bug.lanes.wrong),
        std::pair("right for ", &bug.lanes.right),
        std::pair("not known for ", &bug.lanes.unknown)}) {
    std::vector<unsigned> lanes = *counts;
    std::vector<std::string> texts;
    if (std::erase(lanes, 0U) != 0)
      texts.push_back("scalars");
    if (!lanes.empty())
      texts.push_back(fmt::format("{} lane{}", rangesText(lanes, ""),
                                  lanes.back() == 1 ? "" : "s"));
    if (!texts.empty())
      parts.push_back(head + fmt::format("{}", fmt::join(texts, " and ")));
  }
  return joined(parts);
}

std::string repairText(const Bug &bug) {
  return bug.repair ? bug.repair->text : "";
}

std::string flagsText(const Bug &bug) {
  std::vector<std::string> parts;
  for (const auto &[head, role] :
       {std::pair("needs ", SourceFlag::Role::needed),
        std::pair("would be right with ", SourceFlag::Role::cure)}) {
    std::vector<std::string> flags;
    for (const SourceFlag &each : bug.flags)
      if (each.role == role)
        flags.push_back(fmt::format("{} of {}", each.flag, each.instruction));
    const bool isCure = role == SourceFlag::Role::cure;
    if (!flags.empty())
      parts.push_back(fmt::format("{}{}", head,
                                  fmt::join(flags, isCure ? " or " : " and ")));
  }
  return joined(parts);
}

std::string knownText(const Bug &bug) {
  if (!bug.known)
    return "";
  if (bug.known->id.empty())
    return fmt::format("seen in {}", bug.known->campaign);
  if (bug.known->issues.empty())
    return bug.known->id;
  return fmt::format("{} ({})", bug.known->id,
                     fmt::join(bug.known->issues, ", "));
}

std::string instanceText(const Bug &bug) {
  return bug.instance ? fmt::format("pass {} ({})", bug.instance->index,
                                    bug.instance->name)
                      : "";
}

} // namespace reports
