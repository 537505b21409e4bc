// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/render/opt_program.h"

#include "checker/render.h"
#include "corpus/program/lines.h"
#include "corpus/system/process.h"
#include "runner/external_opt.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace reports {
namespace {

using checker::Kind;
using Word = OptVerdict::Word;

constexpr const char *outputName = "output.ll";

/// "BISECT: running pass (17) simplifycfg on f"; a pass behind the limit is
/// not running.
std::optional<OptStep> parseStep(const std::string &line) {
  constexpr std::string_view head = "BISECT: running pass (";
  if (!line.starts_with(head))
    return std::nullopt;
  OptStep step;
  const char *end = line.data() + line.size();
  const auto [behind, error] =
      std::from_chars(line.data() + head.size(), end, step.index);
  if (error != std::errc() || end - behind < 2)
    return std::nullopt;
  step.name.assign(behind + 2, end); // ") "
  return step;
}

} // namespace

OptProgram::Ran OptProgram::run(const std::string &file,
                                const runner::Pipeline &pipeline,
                                const std::string &passes,
                                std::optional<int> limit) {
  std::vector<std::string> command = {path_, "-S", file};
  for (std::string &argument : runner::optArguments(pipeline, passes))
    command.push_back(std::move(argument));
  if (limit)
    command.push_back(fmt::format("-opt-bisect-limit={}", *limit));
  const corpus::ProcessEnd end = corpus::runProcess(command, "", {});
  folder_.write(outputName, end.out);
  Ran ran;
  for (const std::string &line : corpus::linesOf(end.err)) {
    if (auto step = parseStep(line))
      ran.steps.push_back(std::move(*step));
    else if (!line.empty() && ran.message.empty())
      ran.message = line;
  }
  // A script that calls opt exits with this and the signal that ended it.
  constexpr int signalled = 128;
  using How = corpus::ProcessEnd::How;
  if (end.how == How::hung)
    ran.end = End::hung;
  else if (end.how != How::exited || end.code >= signalled)
    ran.end = End::crashed;
  else if (end.code == corpus::ProcessEnd::cannotStart)
    ran.end = End::missing;
  else if (end.code != 0)
    ran.end = End::refused;
  return ran;
}

OptVerdict OptProgram::judge(const std::string &file,
                             const runner::Pipeline &pipeline,
                             const std::vector<std::string> &spellings,
                             const OptQuestion &question,
                             std::optional<unsigned> limit) {
  Ran ran;
  for (const std::string &passes : spellings) {
    ran = run(file, pipeline, passes,
              limit ? std::optional(static_cast<int>(*limit)) : std::nullopt);
    if (ran.end != End::refused)
      break;
  }
  const auto failed = [&](Kind kind) {
    if (!question.kind || question.kind == kind)
      return OptVerdict{Word::bad,
                        fmt::format("{}: {}", toString(kind), ran.message)};
    return OptVerdict{Word::cannotTell,
                      fmt::format("{} instead of {}: {}", toString(kind),
                                  toString(*question.kind), ran.message)};
  };
  switch (ran.end) {
  case End::finished:
    return compare(file, question);
  case End::crashed:
    return failed(Kind::crash);
  case End::hung:
    return failed(Kind::hang);
  case End::refused:
    return {Word::cannotTell, ran.message};
  case End::missing:
    return {Word::cannotTell, fmt::format("{} cannot be run", path_)};
  }
  return {};
}

OptVerdict OptProgram::compare(const std::string &file,
                               const OptQuestion &question) {
  if (question.kind && *question.kind >= Kind::crash)
    return {}; // it did not
  const auto before = reader_.read(file, corpus::Reading::exactly);
  if (!before)
    return {Word::cannotTell, before.error().message};
  const auto after =
      reader_.read(folder_.file(outputName), corpus::Reading::exactly);
  if (!after)
    return {Word::cannotTell, after.error().message};
  OptVerdict result;
  const auto cannotTell = [&](const std::string &name,
                              const std::string &reason) {
    if (result.word == Word::good)
      result = {Word::cannotTell, fmt::format("@{}: {}", name, reason)};
  };
  for (const corpus::ReadFunction &source : *before) {
    const auto target =
        std::find_if(after->begin(), after->end(), [&](const auto &each) {
          return each.name == source.name;
        });
    if (target == after->end()) {
      cannotTell(source.name, "gone from the output");
      continue;
    }
    const auto *left = std::get_if<corpus::Program>(&source.body);
    const auto *right = std::get_if<corpus::Program>(&target->body);
    if (left == nullptr || right == nullptr) {
      const auto *lack = std::get_if<corpus::Unsupported>(
          left == nullptr ? &source.body : &target->body);
      cannotTell(source.name, lack->reason);
      continue;
    }
    const checker::Verdict verdict = checker_.check(
        *left, *right, question.semantics, checker::WantWitness::no);
    const std::string text =
        fmt::format("@{}: {}", source.name, checker::headline(verdict));
    if (verdict.word == checker::VerdictWord::wrong &&
        (!question.kind || verdict.kind == *question.kind))
      return {Word::bad, text};
    if (verdict.word != checker::VerdictWord::refines)
      cannotTell(source.name, checker::headline(verdict));
  }
  return result;
}

std::optional<OptStep>
OptProgram::culprit(const std::string &file, const runner::Pipeline &pipeline,
                    const std::vector<std::string> &spellings,
                    const OptQuestion &question) {
  Ran whole;
  std::vector<std::string> taken;
  for (const std::string &passes : spellings) {
    whole = run(file, pipeline, passes, -1);
    taken = {passes};
    if (whole.end != End::refused)
      break;
  }
  const auto isBad = [&](unsigned limit) {
    return judge(file, pipeline, taken, question, limit).word == Word::bad;
  };
  if (whole.steps.empty() || !isBad(whole.steps.back().index) || isBad(0))
    return std::nullopt;
  // Good before `low`, bad at `high`.
  unsigned low = 0;
  unsigned high = whole.steps.back().index;
  while (high - low > 1) {
    const unsigned middle = low + (high - low) / 2;
    (isBad(middle) ? high : low) = middle;
  }
  const auto step =
      std::find_if(whole.steps.begin(), whole.steps.end(),
                   [&](const OptStep &each) { return each.index == high; });
  return step == whole.steps.end() ? std::nullopt : std::optional(*step);
}

} // namespace reports
