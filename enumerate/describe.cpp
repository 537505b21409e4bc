// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/describe.h"

#include "enumerate/decision_graph.h"
#include "enumerate/grammar.h"
#include "enumerate/lack.h"
#include "enumerate/space.h"
#include "enumerate/spec.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace enumerate {

using corpus::Opcode;
using corpus::Result;

namespace {

std::uint64_t countOf(const SpaceSpec &spec, const Vocabulary &vocabulary) {
  const auto graph = DecisionGraph::build(Grammar(spec, vocabulary));
  assert(graph && "part of a space that has been counted");
  return graph->count(graph->root());
}

/// Spaces up to this size are walked, of larger ones so many are drawn.
constexpr std::uint64_t walkedFunctions = 5'000'000;

/// How many functions each rule and all together would skip.
std::string describeSymmetry(const Space &space) {
  const bool isExact = space.count() <= walkedFunctions;
  const auto ranks = isExact
                         ? std::vector<std::uint64_t>()
                         : sampleRanks(space.count(), walkedFunctions / 5, 0);
  std::string text = fmt::format("\n{:<24}{:>20}\n", "skipped by symmetry",
                                 isExact ? "functions" : "about");
  const auto row = [&](std::string_view name, Symmetry rules) {
    RepresentativeFilter filter(rules);
    std::uint64_t skipped = 0;
    if (isExact)
      for (auto cursor = space.from(0); !cursor->atEnd(); cursor->next())
        skipped += filter.isRepresentative(cursor->program()) ? 0 : 1;
    else
      for (std::uint64_t rank : ranks)
        skipped += filter.isRepresentative(space.at(rank)) ? 0 : 1;
    const double share =
        double(skipped) / double(isExact ? space.count() : ranks.size());
    text += fmt::format(
        "{:<24}{:>20}  {:5.1f} %\n", name,
        isExact ? skipped
                : static_cast<std::uint64_t>(share * double(space.count())),
        100 * share);
  };
  for (const SymmetryRule &rule : symmetryRules)
    row(rule.name, rule.rule);
  row("full", symmetry::full);
  return text;
}

} // namespace

Result<std::string> describeSpace(std::string_view text) {
  const auto space = parseSpace(text);
  if (!space)
    return space.error();
  const auto spec = parseSpec(text);
  const Vocabulary vocabulary = spec->vocabulary();
  const std::uint64_t total = (*space)->count();

  std::string report =
      fmt::format("{}: {} functions\n\n", (*space)->spec(), total);
  const auto row = [&](std::string_view name, std::uint64_t functions) {
    report += fmt::format(
        "{:<24}{:>20}  {:5.1f} %\n", name, functions,
        total == 0 ? 0.0 : 100.0 * double(functions) / double(total));
  };

  report += fmt::format("{:<24}{:>20}\n", "with the instruction", "functions");
  for (Opcode opcode : vocabulary.opcodes) {
    Vocabulary without = vocabulary;
    std::erase(without.opcodes, opcode);
    row(corpus::info(opcode).spelling, total - countOf(*spec, without));
  }

  report += fmt::format("\n{:<24}{:>20}\n", "with arguments", "functions");
  std::uint64_t fewer = 0;
  for (unsigned arguments = 0; arguments <= spec->arguments; ++arguments) {
    SpaceSpec limited = *spec;
    limited.arguments = arguments;
    const std::uint64_t upTo = countOf(limited, vocabulary);
    row(fmt::format("{}", arguments), upTo - fewer);
    fewer = upTo;
  }

  report += describeSymmetry(**space);
  report += '\n';
  for (unsigned release : knownReleases)
    report += fmt::format("{}\n",
                          (*space)->lackIn(release).value_or(
                              fmt::format("LLVM {} takes all of it", release)));
  return report;
}

} // namespace enumerate
