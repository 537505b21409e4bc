// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/confirm.h"

#include "corpus/program/canonical.h"
#include "corpus/program/graph.h"
#include "corpus/program/print.h"
#include "corpus/system/process.h"
#include "corpus/system/temporary_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

namespace checker {
namespace {

namespace fs = std::filesystem;
using corpus::Program;

constexpr std::chrono::seconds patience{30};
/// Loops are unrolled that often; it says "correct" if nothing was wrong so
/// far.
constexpr unsigned unroll = 8;

/// What it prints (tools/alive-tv.cpp, llvm_util/compare.cpp). Anything else,
/// "ERROR: Timeout" for one, is no opinion.
constexpr std::string_view correctMark = "Transformation seems to be correct!";
constexpr std::string_view wrongMark = "Transformation doesn't verify!";
constexpr std::string_view typeErrorMark = "ERROR: program doesn't type check!";

corpus::ProcessEnd run(const std::vector<std::string> &arguments) {
  corpus::ProcessOptions options;
  options.timeLimit = patience;
  return corpus::runProcess(arguments, "", options);
}

/// Its options for that semantics, nothing if it has none like it.
std::optional<std::vector<std::string>> optionsFor(Semantics semantics) {
  std::vector<std::string> options;
  switch (semantics.inputs) {
  case Inputs::defined:
    options = {"--disable-undef-input", "--disable-poison-input"};
    break;
  case Inputs::poison:
    options = {"--disable-undef-input"};
    break;
  case Inputs::poisonUndef:
    break;
  case Inputs::anySet:
    return std::nullopt;
  }
  semantics.inputs = Semantics().inputs;
  if (semantics != Semantics())
    return std::nullopt;
  return options;
}

bool hasPartlyUndefInput(const Witness &witness) {
  return std::any_of(witness.inputs.begin(), witness.inputs.end(),
                     [](const NamedValue &input) {
                       return input.text.find("partly undef") !=
                              std::string::npos;
                     });
}

} // namespace

std::string shippedDifferences() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return self.parent_path() / "alive-differences.ll";
}

corpus::Result<AliveTv> AliveTv::find(const std::string &differences,
                                      corpus::ProgramReader &reader) {
  if (const auto end = run({"alive-tv", "--version"});
      end.code == corpus::ProcessEnd::cannotStart)
    return corpus::Error{
        fmt::format("--confirm needs alive-tv on PATH ({}); build it from "
                    "https://github.com/AliveToolkit/alive2",
                    end.err.substr(0, end.err.find('\n')))};
  const auto functions = reader.read(differences, corpus::Reading::exactly);
  if (!functions)
    return functions.error();
  AliveTv alive;
  for (const corpus::ReadFunction &source : *functions) {
    if (!source.name.starts_with("src"))
      continue;
    const auto target = std::find_if(
        functions->begin(), functions->end(), [&](const auto &function) {
          return function.name == "tgt" + source.name.substr(3);
        });
    const auto *from = std::get_if<Program>(&source.body);
    const auto *to = target == functions->end()
                         ? nullptr
                         : std::get_if<Program>(&target->body);
    if (from == nullptr || to == nullptr)
      return corpus::Error{fmt::format("{}: @{} makes no pair; give it a @tgt",
                                       differences, source.name)};
    alive.differences_.push_back(corpus::canonicalPair(*from, *to));
  }
  return alive;
}

Confirmation AliveTv::confirm(const Program &source, const Program &target,
                              const Semantics &semantics,
                              const Verdict &verdict) const {
  if (verdict.word != VerdictWord::refines &&
      verdict.word != VerdictWord::wrong)
    return {Opinion::none, "nothing to confirm"};
  auto arguments = optionsFor(semantics);
  if (!arguments)
    return {Opinion::none, "it does not know this semantics"};
  const bool loops =
      corpus::Graph(source).hasCycle() || corpus::Graph(target).hasCycle();
  if (loops)
    for (const char *option : {"--src-unroll", "--tgt-unroll"})
      arguments->push_back(fmt::format("{}={}", option, unroll));
  const corpus::TemporaryFolder folder;
  arguments->insert(arguments->begin(), "alive-tv");
  arguments->push_back(
      folder.write("src.ll", corpus::printModule(source, "f")));
  arguments->push_back(
      folder.write("tgt.ll", corpus::printModule(target, "f")));
  const corpus::ProcessEnd end = run(*arguments);
  const std::string output = end.out + end.err;

  const auto says = [&](std::string_view mark) {
    return output.find(mark) != std::string::npos;
  };
  const bool correct = says(correctMark);
  const bool wrong = says(wrongMark) && !says(typeErrorMark);
  std::string why;
  if (const auto at = output.find("ERROR: "); at != std::string::npos)
    why = output.substr(at, output.find('\n', at) - at);
  if (end.how == corpus::ProcessEnd::How::hung)
    return {Opinion::none, fmt::format("no answer in {} s", patience.count())};
  if (correct == wrong)
    return {Opinion::none, why.empty() ? "it does not say" : why};
  if (correct == (verdict.word == VerdictWord::refines))
    return {Opinion::agrees, why};
  // A source that only diverges is one that it unrolls into nothing, and it
  // knows no undef value but the whole one.
  if (correct && loops)
    return {Opinion::none, "it unrolls loops to a bound"};
  if (correct && verdict.witness && hasPartlyUndefInput(*verdict.witness))
    return {Opinion::none, "it has no partly undef inputs"};
  if (std::find(differences_.begin(), differences_.end(),
                corpus::canonicalPair(source, target)) != differences_.end())
    return {Opinion::knownDifference, why};
  return {Opinion::disagrees, correct ? std::string(correctMark) : why};
}

} // namespace checker
