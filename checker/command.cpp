// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/command.h"

#include "checker/check.h"
#include "checker/render.h"
#include "corpus/program/print.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <memory>

namespace checker {

using corpus::ExitCode;
using corpus::ReadFunction;

namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::vector<std::string> semantics = {"llvm"};
  Engine engine = Engine::automatic;
  bool json = false;
};

struct Pair {
  std::string name;
  const ReadFunction *source;
  const ReadFunction *target;
};

struct Pairing {
  std::vector<Pair> pairs;
  std::vector<const ReadFunction *> alone; ///< not checked
};

const std::map<std::string, Engine> engineNames = {
    {"auto", Engine::automatic},
    {"exhaustive", Engine::exhaustive},
    {"smt", Engine::smt},
    {"reference", Engine::reference},
    {"both", Engine::both}};

ExitCode badInput(std::string_view message) {
  fmt::print(stderr, "irsieve check: {}\n", message);
  return ExitCode::badInput;
}

const ReadFunction *find(const std::vector<ReadFunction> &functions,
                         std::string_view name) {
  for (const ReadFunction &function : functions)
    if (function.name == name)
      return &function;
  return nullptr;
}

/// @src with @tgt, @src1 with @tgt1, as alive-tv pairs the functions of a file.
Pairing pairWithin(const std::vector<ReadFunction> &functions) {
  Pairing pairing;
  const auto partnerOf = [&](const ReadFunction &function,
                             std::string_view prefix,
                             std::string_view partnerPrefix) {
    return function.name.starts_with(prefix)
               ? find(functions, fmt::format("{}{}", partnerPrefix,
                                             function.name.substr(3)))
               : nullptr;
  };
  for (const ReadFunction &function : functions) {
    if (const ReadFunction *target = partnerOf(function, "src", "tgt"))
      pairing.pairs.push_back({function.name, &function, target});
    else if (partnerOf(function, "tgt", "src") == nullptr)
      pairing.alone.push_back(&function);
  }
  return pairing;
}

Pairing pairAcross(const std::vector<ReadFunction> &sources,
                   const std::vector<ReadFunction> &targets) {
  Pairing pairing;
  for (const ReadFunction &source : sources) {
    if (const ReadFunction *target = find(targets, source.name))
      pairing.pairs.push_back({source.name, &source, target});
    else
      pairing.alone.push_back(&source);
  }
  for (const ReadFunction &target : targets)
    if (find(sources, target.name) == nullptr)
      pairing.alone.push_back(&target);
  return pairing;
}

ExitCode exitCodeOf(const Verdict &verdict) {
  switch (verdict.word) {
  case VerdictWord::refines:
    return ExitCode::nothingWrong;
  case VerdictWord::wrong:
    return ExitCode::somethingWrong;
  case VerdictWord::unsupported:
  case VerdictWord::undecided:
    return ExitCode::incomplete;
  }
  return ExitCode::incomplete;
}

Verdict checkPair(Checker &checker, const Pair &pair,
                  const Semantics &semantics, Engine engine) {
  for (const ReadFunction *function : {pair.source, pair.target})
    if (const auto *lack = std::get_if<corpus::Unsupported>(&function->body)) {
      Verdict verdict;
      verdict.word = VerdictWord::unsupported;
      verdict.reason = fmt::format("@{}: {}", function->name, lack->reason);
      return verdict;
    }
  return checker.check(std::get<corpus::Program>(pair.source->body),
                       std::get<corpus::Program>(pair.target->body), semantics,
                       WantWitness::yes, engine);
}

void printText(const Pair &pair, const Verdict &verdict,
               const std::string &semantics) {
  if (verdict.word == VerdictWord::wrong) {
    fmt::print(
        "{}\n=>\n{}\n",
        corpus::printFunction(std::get<corpus::Program>(pair.source->body),
                              pair.source->name),
        corpus::printFunction(std::get<corpus::Program>(pair.target->body),
                              pair.target->name));
  }
  fmt::print("@{} under {}: {}\n", pair.name, semantics, headline(verdict));
  if (verdict.witness)
    fmt::print("\n{}\n", toText(*verdict.witness));
}

ExitCode runCheck(const CheckOptions &options, corpus::ProgramReader &reader) {
  std::vector<Semantics> columns;
  for (const std::string &text : options.semantics) {
    auto list = parseSemanticsList(text);
    if (!list)
      return badInput(list.error().message);
    columns.insert(columns.end(), list->begin(), list->end());
  }
  std::vector<std::vector<ReadFunction>> files;
  for (const std::string &path : options.files) {
    auto functions = reader.read(path);
    if (!functions)
      return badInput(functions.error().message);
    files.push_back(std::move(*functions));
  }
  const Pairing pairing =
      files.size() == 1 ? pairWithin(files[0]) : pairAcross(files[0], files[1]);
  if (pairing.pairs.empty())
    return badInput(
        files.size() == 1
            ? fmt::format("nothing to pair in {}: it needs functions @src and "
                          "@tgt, or @src1 and @tgt1, and so on",
                          options.files[0])
            : fmt::format("nothing to pair: no function of {} has a namesake "
                          "in {}",
                          options.files[0], options.files[1]));

  for (const ReadFunction *function : pairing.alone)
    fmt::print(stderr, "irsieve check: @{} has no partner, it is not checked\n",
               function->name);

  Checker checker;
  ExitCode code = ExitCode::nothingWrong;
  for (const Pair &pair : pairing.pairs)
    for (const Semantics &semantics : columns) {
      const Verdict verdict =
          checkPair(checker, pair, semantics, options.engine);
      const std::string name = toString(semantics);
      if (options.json)
        fmt::print("{}\n", toJson(verdict, pair.name, name).dump());
      else
        printText(pair, verdict, name);
      code = corpus::worse(code, exitCodeOf(verdict));
    }
  return code;
}

} // namespace

void addCheckCommand(CLI::App &app, corpus::ProgramReader &reader,
                     corpus::ExitCode &exitCode) {
  CLI::App *command =
      app.add_subcommand("check", "Does a target refine its source?");
  auto options = std::make_shared<CheckOptions>();
  command
      ->add_option("files", options->files,
                   "FILE.ll with @src and @tgt (@src1 and @tgt1, ...), or "
                   "SRC.ll TGT.ll whose functions are paired by name")
      ->required()
      ->expected(1, 2)
      ->type_name("FILE");
  command
      ->add_option("--semantics", options->semantics,
                   "Presets, each with knobs if need be; `irsieve semantics` "
                   "lists them, `all` means every preset")
      ->type_name("P[:knob=choice]")
      ->expected(1)
      ->take_all()
      ->capture_default_str();
  command->add_option("--engine", options->engine, "What decides")
      ->transform(CLI::CheckedTransformer(engineNames, CLI::ignore_case))
      ->default_str("auto");
  command
      ->add_option_function<std::string>(
          "--format",
          [options](const std::string &format) {
            options->json = format == "json";
          },
          "text, or json: one object a line")
      ->check(CLI::IsMember({"text", "json"}))
      ->default_str("text");
  command->footer("Exit code: 0 refines, 1 wrong, 2 bad input, 3 unsupported "
                  "or undecided.\n"
                  "Example:\n"
                  "  irsieve check pair.ll --semantics llvm,llvm-undef\n"
                  "  irsieve check before.ll after.ll --semantics "
                  "llvm:overflow=wrap --format json");
  command->callback([options, &reader, &exitCode] {
    exitCode = corpus::worse(exitCode, runCheck(*options, reader));
  });
}

void addSemanticsCommand(CLI::App &app, corpus::ExitCode &exitCode) {
  CLI::App *command = app.add_subcommand(
      "semantics", "Lists the semantics that check and run know");
  command->footer(
      "Example:\n"
      "  irsieve semantics\n"
      "  irsieve check pair.ll --semantics "
      "taming:select_arms=either,branch_on_poison=nondeterministic");
  command->callback([&exitCode] {
    fmt::print("Presets:\n");
    for (const Preset &preset : presetTable())
      fmt::print("  {:<20} {}\n", preset.name, preset.explanation);
    fmt::print("\nKnobs (PRESET:knob=choice,...):\n");
    for (const Knob &knob : knobTable()) {
      fmt::print("  {:<20} {}\n", knob.name, knob.explanation);
      for (const Knob::Choice &choice : knob.choices)
        fmt::print("    {:<18} {}\n", choice.name, choice.explanation);
    }
    exitCode = corpus::worse(exitCode, ExitCode::nothingWrong);
  });
}

} // namespace checker
