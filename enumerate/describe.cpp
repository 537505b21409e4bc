// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/describe.h"

#include "enumerate/decision_graph.h"
#include "enumerate/expression.h"
#include "enumerate/file_space.h"
#include "enumerate/folds.h"
#include "enumerate/grammar.h"
#include "enumerate/idioms.h"
#include "enumerate/lack.h"
#include "enumerate/spec.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

namespace enumerate {

using corpus::Opcode;
using corpus::Result;

namespace {

Rank countOf(const SpaceSpec &spec, const Vocabulary &vocabulary) {
  const auto graph = DecisionGraph::build(Grammar(spec, vocabulary));
  assert(graph && "part of a space that has been counted");
  return graph->count(graph->root());
}

/// Spaces up to this size are walked, of larger ones so many are drawn.
constexpr std::uint64_t walkedFunctions = 2'000'000;
constexpr std::uint64_t drawnFunctions = 200'000;
/// Of spaces where to draw one takes longer, and to count a part of them too.
constexpr std::uint64_t drawnByLayout = 5'000;

/// How many functions each rule and all together would skip.
std::string describeSymmetry(const Space &space, std::uint64_t drawn) {
  struct Row {
    std::string_view name;
    RepresentativeFilter filter;
    std::uint64_t skipped = 0;
  };
  std::vector<Row> rows;
  rows.reserve(symmetryRules.size() + 1);
  for (const SymmetryRule &rule : symmetryRules)
    rows.push_back({rule.name, RepresentativeFilter(rule.rule)});
  rows.push_back({"full", RepresentativeFilter(symmetry::full)});

  std::uint64_t looked = 0;
  const auto look = [&](const corpus::Program &program) {
    ++looked;
    for (Row &row : rows)
      row.skipped += row.filter.isRepresentative(program) ? 0 : 1;
  };
  const bool isExact = space.count() <= walkedFunctions;
  if (isExact)
    for (auto cursor = space.from(0); !cursor->atEnd(); cursor->next())
      look(cursor->program());
  else
    for (Rank rank : sampleRanks(space.count(), drawn, 0))
      look(space.at(rank));

  std::string text = fmt::format("\n{:<24}{:>20}\n", "skipped by symmetry",
                                 isExact ? "functions" : "about");
  for (const Row &row : rows) {
    const double share = looked == 0 ? 0 : double(row.skipped) / double(looked);
    text +=
        fmt::format("{:<24}{:>20}  {:5.1f} %\n", row.name,
                    isExact ? row.skipped
                            : static_cast<Rank>(share * double(space.count())),
                    100 * share);
  }
  return text;
}

/// What describeTables() says, from functions drawn at random.
std::string describeSample(const Space &space, const SpaceSpec &spec) {
  const std::vector<Opcode> opcodes = spec.vocabulary().opcodes;
  std::vector<std::uint64_t> withOpcode(opcodes.size());
  std::vector<std::uint64_t> withArguments(spec.arguments + 1);
  const auto ranks = sampleRanks(space.count(), drawnByLayout, 0);
  for (const Rank rank : ranks) {
    const corpus::Program program = space.at(rank);
    ++withArguments[program.signature.parameters.size()];
    for (std::size_t i = 0; i < opcodes.size(); ++i)
      withOpcode[i] +=
          std::any_of(program.instructions.begin(), program.instructions.end(),
                      [&](const auto &instruction) {
                        return instruction.opcode == opcodes[i];
                      })
              ? 1
              : 0;
  }
  std::string report;
  const auto row = [&](std::string_view name, std::uint64_t functions) {
    report += fmt::format("{:<24}{:>19.1f} %\n", name,
                          100 * double(functions) / double(ranks.size()));
  };
  report += fmt::format("{:<24}{:>21}\n", "with the instruction", "about");
  for (std::size_t i = 0; i < opcodes.size(); ++i)
    row(corpus::info(opcodes[i]).spelling, withOpcode[i]);
  report += fmt::format("\n{:<24}{:>21}\n", "with arguments", "about");
  for (std::size_t i = 0; i < withArguments.size(); ++i)
    row(fmt::format("{}", i), withArguments[i]);
  return report + describeSymmetry(space, drawnByLayout) + '\n';
}

/// What can only be said of a space that is generated.
std::string describeTables(const Space &space, const SpaceSpec &spec) {
  if (space.decisions() == nullptr)
    return describeSample(space, spec);
  const Vocabulary vocabulary = spec.vocabulary();
  const Rank total = space.count();
  std::string report;
  const auto row = [&](std::string_view name, Rank functions) {
    report += fmt::format(
        "{:<24}{:>20}  {:5.1f} %\n", name, functions,
        total == 0 ? 0.0 : 100.0 * double(functions) / double(total));
  };

  const auto has = [&](std::size_t idiom, Opcode opcode) {
    const corpus::Type type = vocabulary.typeOf(vocabulary.width);
    const auto made =
        makeExpression(idiomTable()[idiom].text, type).instructions;
    return std::any_of(made.begin(), made.end(), [&](const auto &instruction) {
      return instruction.opcode == opcode;
    });
  };
  report += fmt::format("{:<24}{:>20}\n", "with the instruction", "functions");
  for (Opcode opcode : vocabulary.opcodes) {
    Vocabulary without = vocabulary;
    std::erase(without.opcodes, opcode);
    without.recurrences = vocabulary.recurrences && opcode != Opcode::phi;
    std::erase_if(without.idioms,
                  [&](std::size_t idiom) { return has(idiom, opcode); });
    row(corpus::info(opcode).spelling, total - countOf(spec, without));
  }

  if (vocabulary.recurrences) {
    Vocabulary without = vocabulary;
    without.recurrences = false;
    row("a recurrence", total - countOf(spec, without));
  }

  if (!vocabulary.idioms.empty())
    report += fmt::format("\n{:<48}{:>20}\n", "with the idiom", "functions");
  for (const std::size_t idiom : vocabulary.idioms) {
    Vocabulary without = vocabulary;
    std::erase(without.idioms, idiom);
    const IdiomInfo &info = idiomTable()[idiom];
    report += fmt::format("{:<48}{:>20}  {}\n", info.text,
                          total - countOf(spec, without), info.help);
  }

  report += fmt::format("\n{:<24}{:>20}\n", "with arguments", "functions");
  Rank fewer = 0;
  for (unsigned arguments = 0; arguments <= spec.arguments; ++arguments) {
    SpaceSpec limited = spec;
    limited.arguments = arguments;
    const Rank upTo = countOf(limited, vocabulary);
    row(fmt::format("{}", arguments), upTo - fewer);
    fewer = upTo;
  }

  // An idiom or a recurrence stands in one way only.
  return vocabulary.idioms.empty() && !vocabulary.recurrences
             ? report + describeSymmetry(space, drawnFunctions) + '\n'
             : report + '\n';
}

std::string describeFolds(const FoldSet &set) {
  std::string report;
  for (const FoldList &list : foldLists()) {
    const auto folds = foldsOf(set, list);
    if (folds.empty())
      continue;
    report += fmt::format("rewritten by {}:\n", list.passes);
    for (const FoldInfo *fold : folds)
      report += fmt::format("{:<56}  {}\n", fold->text, fold->help);
    report += '\n';
  }
  return report;
}

} // namespace

Result<std::string> describeSpace(std::string_view text,
                                  corpus::ProgramReader &reader) {
  const auto space = openSpace(text, reader);
  if (!space)
    return space.error();
  std::string report =
      fmt::format("{}: {} functions\n\n", (*space)->spec(), (*space)->count());
  // Of pairs there is more to say about one of the two, and what comes from a
  // list is no spec.
  if (const auto spec = parseSpec(text); spec && !spec->pairs)
    report += describeTables(**space, *spec);
  if (const auto folds = parseFoldSpec(text); folds && *folds)
    report += describeFolds(*(*folds)->set);
  for (unsigned release : knownReleases)
    report += fmt::format("{}\n",
                          (*space)->lackIn(release).value_or(
                              fmt::format("LLVM {} takes all of it", release)));
  return report;
}

} // namespace enumerate
