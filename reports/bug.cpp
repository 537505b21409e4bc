// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/bug.h"

#include "checker/check.h"
#include "corpus/program/print.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace reports {
namespace {

/// As a POSIX shell reads it back.
std::string shellWord(std::string_view text) {
  std::string result = "'";
  for (const char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// Without the terminators of a straight line: `%v0 = shl i4 %a, 1`.
std::string oneLine(const corpus::Program &program) {
  if (!program.isStraightLine())
    return fmt::format("{} blocks, {} instructions", program.blocks.size(),
                       program.instructionCount());
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

} // namespace

checker::Verdict explain(const Bug &bug) {
  assert(bug.target);
  const auto semantics = checker::parseSemantics(bug.checkedUnder);
  assert(semantics);
  return checker::Checker().check(bug.source, *bug.target, *semantics);
}

void sortForReaders(std::vector<Bug> &bugs) {
  std::sort(bugs.begin(), bugs.end(), [](const Bug &a, const Bug &b) {
    return std::tie(a.kind, a.pass, a.id) < std::tie(b.kind, b.pass, b.id);
  });
}

std::string command(const Bug &bug) {
  std::string text =
      fmt::format("opt-{} -S -passes={}", bug.release, shellWord(bug.asRun));
  if (!bug.pipeline.triple.empty())
    text += fmt::format(" -mtriple={}", shellWord(bug.pipeline.triple));
  if (!bug.pipeline.dataLayout.empty())
    text += fmt::format(" -data-layout={}", shellWord(bug.pipeline.dataLayout));
  for (const std::string &argument : bug.pipeline.llvmArgs)
    text += fmt::format(" {}", shellWord(argument));
  return fmt::format("{} <<'EOF'\n{}EOF\n", text,
                     corpus::printModule(bug.input ? *bug.input : bug.source,
                                         "f", bug.release));
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

std::string summaryLine(const Bug &bug) {
  return fmt::format("{} {} {} (LLVM {}; {}): {}", bug.id,
                     checker::toString(bug.kind), bug.pass,
                     fmt::join(bug.releases, ", "), functionsText(bug),
                     oneLine(bug));
}

} // namespace reports
