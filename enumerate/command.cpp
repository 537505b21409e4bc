// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/command.h"

#include "corpus/program/print.h"
#include "enumerate/describe.h"
#include "enumerate/file_space.h"
#include "enumerate/folds.h"
#include "enumerate/order.h"
#include "enumerate/spec.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <set>

namespace enumerate {

using corpus::Error;
using corpus::ExitCode;
using corpus::Program;
using corpus::Result;

namespace {

ExitCode badInput(const std::string &message) {
  fmt::print(stderr, "irsieve: {}\n", message);
  return ExitCode::badInput;
}

Result<Rank> parseRank(std::string_view text) {
  if (const auto rank = corpus::parseRank(text))
    return *rank;
  return Error{fmt::format("`{}` is not a rank: a rank is a number", text)};
}

/// Ranks [begin, end) of a space.
struct Range {
  Rank begin = 0;
  Rank end = 0;
};

Result<Range> parseRange(std::string_view text, const Space &space) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos)
    return Error{fmt::format("--range {}: a range is FIRST:END, without END "
                             "itself, for example 0:100",
                             text)};
  const auto begin = parseRank(text.substr(0, colon));
  const auto end = parseRank(text.substr(colon + 1));
  if (!begin)
    return begin.error();
  if (!end)
    return end.error();
  if (*begin > *end || *end > space.count())
    return Error{fmt::format("--range {}: {} has the ranks 0:{}", text,
                             space.spec(), space.count())};
  return Range{*begin, *end};
}

struct EnumerateOptions {
  std::string spec;
  std::string rank;
  std::string range;
  std::uint64_t sample = 0;
  std::uint64_t seed = 0;
  std::string order;
  std::uint64_t first = 0;
  bool count = false;
  std::string rankOf;

  bool hasSample = false;
};

/// Prints functions as one module; a declaration stands before its first use.
class ModulePrinter {
public:
  explicit ModulePrinter(const Space &space) : space_(space) {}

  void print(const Program &program, Rank rank) {
    for (std::string &line : corpus::printDeclarations(program)) {
      const auto [position, isNew] = declared_.insert(std::move(line));
      if (isNew)
        fmt::print("{}\n\n", *position);
    }
    fmt::print("; {}\n{}\n", space_.nameOf(rank),
               corpus::printFunction(program, fmt::format("f{}", rank)));
  }

private:
  const Space &space_;
  std::set<std::string> declared_;
};

ExitCode printRanksOf(const Space &space, const std::string &path,
                      corpus::ProgramReader &reader) {
  const auto functions = reader.read(path, corpus::Reading::exactly);
  if (!functions)
    return badInput(functions.error().message);
  // Nothing on stdout unless all of it is right.
  std::string lines;
  for (const corpus::ReadFunction &function : *functions) {
    const auto refuse = [&](const std::string &why) {
      return badInput(fmt::format("{}: @{} is not in {}: {}", path,
                                  function.name, space.spec(), why));
    };
    if (const auto *unsupported =
            std::get_if<corpus::Unsupported>(&function.body))
      return refuse(unsupported->reason);
    const Program &program = std::get<Program>(function.body);
    const auto rank = space.rank(program);
    if (!rank)
      return refuse(space.whyNotMember(program));
    lines += fmt::format("@{} {}\n", function.name, *rank);
  }
  fmt::print("{}", lines);
  return ExitCode::nothingWrong;
}

ExitCode printFunctions(const Space &space, const EnumerateOptions &options) {
  Range range{0, space.count()};
  std::vector<Rank> ranks;
  if (!options.rank.empty()) {
    const auto rank = parseRank(options.rank);
    if (!rank)
      return badInput(rank.error().message);
    if (*rank >= space.count())
      return badInput(fmt::format("--rank {}: {} has the ranks 0:{}", *rank,
                                  space.spec(), space.count()));
    range = {*rank, *rank + 1};
  } else if (!options.range.empty()) {
    const auto parsed = parseRange(options.range, space);
    if (!parsed)
      return badInput(parsed.error().message);
    range = *parsed;
  } else if (options.hasSample) {
    ranks = sampleRanks(space.count(), options.sample, options.seed);
  } else if (!options.order.empty()) {
    const OrderInfo *info = findOrder(options.order);
    if (info == nullptr)
      return badInput(
          fmt::format("--order {}: there is {}", options.order, orderNames()));
    const auto order = info->make(space, options.seed);
    for (Rank position = 0;
         position < std::min(Rank(options.first), order->count()); ++position)
      ranks.push_back(order->at(position));
  }
  const bool isList = options.hasSample || !options.order.empty();

  const Symmetry symmetry = space.symmetry().value_or(symmetry::args);
  if (options.count && symmetry.empty()) {
    fmt::print("{}\n", isList ? Rank(ranks.size()) : range.end - range.begin);
    return ExitCode::nothingWrong;
  }
  RepresentativeFilter filter(symmetry);
  ModulePrinter printer(space);
  std::uint64_t printed = 0;
  const auto print = [&](const Program &program, Rank rank) {
    if (!filter.isRepresentative(program))
      return;
    ++printed;
    if (!options.count)
      printer.print(program, rank);
  };
  if (isList)
    for (Rank rank : ranks)
      print(space.at(rank), rank);
  else
    for (auto cursor = space.from(range.begin); cursor->rank() < range.end;
         cursor->next())
      print(cursor->program(), cursor->rank());
  if (options.count)
    fmt::print("{}\n", printed);
  return ExitCode::nothingWrong;
}

ExitCode runEnumerate(const EnumerateOptions &options,
                      corpus::ProgramReader &reader) {
  const auto space = openSpace(options.spec, reader);
  if (!space)
    return badInput(space.error().message);
  if (!options.rankOf.empty())
    return printRanksOf(**space, options.rankOf, reader);
  return printFunctions(**space, options);
}

std::string specHelp() {
  return "SPEC is i<W>x<N>[:modifier,...]: functions of N instructions on iW "
         "and i1.\nModifiers:\n" +
         modifierHelp();
}

std::string fileSpecHelp() {
  return "or corpus:FILE.ll, the functions of a file, or "
         "near:FILE.ll[:edits=2],\neverything within one edit (or two) of "
         "them; or folds:i<W>[:SET][:edits=2],"
         "\nthe same of what passes are known to rewrite, without edits that "
         "add an\ninstruction; SET is " +
         foldSetHelp() + ".\n";
}

} // namespace

void addSpaceCommand(CLI::App &app, corpus::ProgramReader &reader,
                     const EstimateTime &estimateTime, ExitCode &exitCode) {
  auto *command = app.add_subcommand(
      "space", "Count the functions of a space, by instruction and arguments");
  auto question = std::make_shared<TimeQuestion>();
  command->add_option("SPEC", question->space, "the space, for example i2x3")
      ->required();
  auto *passes =
      command
          ->add_option("--passes", question->passes,
                       "also say how long this pipeline would take, from a "
                       "short run over a sample; repeat it for more")
          ->allow_extra_args(false);
  command
      ->add_option("--llvm", question->optimizers,
                   "of these LLVM releases and own builds (default: the newest "
                   "release)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->needs(passes);
  command
      ->add_option("--cores", question->cores,
                   "also say how long it would take on so many cores like "
                   "these, in how many shards of about ten minutes, and how "
                   "large the databases would be")
      ->check(CLI::Range(std::uint64_t(1), std::uint64_t(1'000'000)))
      ->needs(passes);
  command->footer(specHelp() + fileSpecHelp() +
                  "\nExample: irsieve space i4x2:args=2,minmax "
                  "--passes=instcombine\n"
                  "         irsieve space i2x4 --passes='default<O2>' "
                  "--cores 4000");
  command->callback([question, estimateTime, &reader, &exitCode] {
    const auto report = describeSpace(question->space, reader);
    if (!report) {
      exitCode = badInput(report.error().message);
      return;
    }
    fmt::print("{}", *report);
    exitCode = ExitCode::nothingWrong;
    if (question->passes.empty())
      return;
    std::fflush(stdout);
    const auto time = estimateTime(*question);
    if (!time) {
      exitCode = badInput(time.error().message);
      return;
    }
    fmt::print("\n{}", *time);
  });
}

void addEnumerateCommand(CLI::App &app, corpus::ProgramReader &reader,
                         ExitCode &exitCode) {
  auto *command = app.add_subcommand(
      "enumerate", "Print functions of a space as LLVM IR, or say their rank");
  auto options = std::make_shared<EnumerateOptions>();
  command->add_option("SPEC", options->spec, "the space, for example i2x3")
      ->required();
  auto *rank = command->add_option("--rank", options->rank,
                                   "only the function of this rank");
  auto *range = command->add_option("--range", options->range,
                                    "only the ranks FIRST:END, without END");
  auto *sample = command->add_option("--sample", options->sample,
                                     "only so many, drawn uniformly");
  auto *seed = command->add_option("--seed", options->seed,
                                   "another draw or order for another number");
  auto *order = command->add_option("--order", options->order,
                                    "in this order:\n" + orderHelp());
  auto *first = command->add_option("--first", options->first,
                                    "only so many, the first of --order");
  auto *count = command->add_flag("--count", options->count,
                                  "only how many functions that are");
  auto *rankOf = command->add_option("--rank-of", options->rankOf,
                                     "ranks of the functions in this file");
  rank->excludes(range)->excludes(sample)->excludes(rankOf);
  range->excludes(sample)->excludes(rankOf);
  sample->excludes(rankOf);
  order->needs(first)
      ->excludes(rank)
      ->excludes(range)
      ->excludes(sample)
      ->excludes(rankOf);
  first->needs(order);
  count->excludes(rankOf);
  command->footer(
      specHelp() + fileSpecHelp() +
      "\nExamples: irsieve enumerate i2x3 --rank 1234567\n"
      "          irsieve enumerate i4x3 --sample 100 --seed 7 > sample.ll\n"
      "          irsieve enumerate i4x3 --order strata --first 100\n"
      "          irsieve enumerate i2x2 --rank-of mine.ll");
  command->callback([options, sample, seed, order, &reader, &exitCode] {
    options->hasSample = sample->count() != 0;
    if (seed->count() != 0 && !options->hasSample && order->count() == 0) {
      exitCode = badInput("--seed is of a --sample or an --order");
      return;
    }
    exitCode = runEnumerate(*options, reader);
  });
}

} // namespace enumerate
