// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/command.h"

#include "checker/check.h"
#include "checker/child.h"
#include "checker/confirm.h"
#include "checker/coverage.h"
#include "checker/pairing.h"
#include "checker/render.h"
#include "corpus/program/print.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <map>
#include <memory>
#include <thread>

namespace checker {

using corpus::ExitCode;
using corpus::ReadFunction;

namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::vector<std::string> semantics = {"llvm"};
  Engine engine = Engine::automatic;
  bool json = false;
  unsigned jobs = 0; ///< 0: as many as there are processors
  Limits limits;
  std::int64_t seconds = ChildLimits().time.count();
  std::uint64_t megabytes = ChildLimits().memory >> 20;
  bool confirm = false;
  std::string differences = shippedDifferences();
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

/// What one question comes to; a child hands it on as its exit code.
struct Answer {
  VerdictWord word = VerdictWord::undecided;
  bool isDisputed = false; ///< by another checker

  int toCode() const {
    return static_cast<int>(word) * 2 + (isDisputed ? 1 : 0);
  }
  static Answer ofCode(int code) {
    return {static_cast<VerdictWord>(code / 2), code % 2 != 0};
  }
};

ExitCode exitCodeOf(VerdictWord word) {
  switch (word) {
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

/// A pair and semantics, and everything said about it.
class Question {
public:
  Question(const CheckOptions &options, const AliveTv *alive, const Pair &pair,
           const Semantics &semantics)
      : options_(&options), alive_(alive), pair_(&pair),
        semantics_(&semantics) {}

  /// Prints the verdict.
  Answer answer() const {
    Checker checker(options_->limits);
    return print(checkPair(checker, *pair_, *semantics_, options_->engine));
  }
  /// Likewise, where there was none.
  Answer giveUp(const std::string &reason) const {
    Verdict verdict;
    verdict.word = VerdictWord::undecided;
    verdict.reason = reason;
    return print(verdict);
  }

private:
  Answer print(const Verdict &verdict) const {
    const std::string name = toString(*semantics_);
    nlohmann::json line = toJson(verdict, pair_->name, name);
    Answer answer{verdict.word, false};
    Confirmation confirmation;
    if (alive_ != nullptr) {
      if (verdict.word == VerdictWord::refines ||
          verdict.word == VerdictWord::wrong)
        confirmation =
            alive_->confirm(std::get<corpus::Program>(pair_->source->body),
                            std::get<corpus::Program>(pair_->target->body),
                            *semantics_, verdict);
      line["confirm"] =
          opinionSpelling[static_cast<std::size_t>(confirmation.opinion)];
      if (confirmation.opinion == Opinion::disagrees) {
        answer.isDisputed = true;
        fmt::print(
            stderr,
            "irsieve check: @{} under {}: alive-tv disagrees ({}); a bug "
            "of either, please report it, or add the pair to {}\n",
            pair_->name, name, confirmation.why, options_->differences);
      }
    }
    if (options_->json) {
      fmt::print("{}\n", line.dump());
      return answer;
    }
    printText(*pair_, verdict, name);
    if (alive_ != nullptr)
      fmt::print("alive-tv: {}{}\n", line["confirm"].get<std::string>(),
                 confirmation.why.empty()
                     ? ""
                     : fmt::format(" ({})", confirmation.why));
    return answer;
  }

  const CheckOptions *options_;
  const AliveTv *alive_;
  const Pair *pair_;
  const Semantics *semantics_;
};

/// How many of each word, and the exit code of them all.
class Summary {
public:
  void add(const Answer &answer) {
    ++counts_[static_cast<std::size_t>(answer.word)];
    code_ = corpus::worse(code_, answer.isDisputed ? ExitCode::incomplete
                                                   : exitCodeOf(answer.word));
  }
  ExitCode code() const { return code_; }
  void print() const {
    std::string text;
    for (std::size_t i = 0; i < counts_.size(); ++i)
      text += fmt::format("{} {} {}", i == 0 ? "" : ",", counts_[i],
                          verdictSpelling[i]);
    fmt::print("Summary:{}\n", text);
  }

private:
  std::array<std::size_t, verdictSpelling.size()> counts_{};
  ExitCode code_ = ExitCode::nothingWrong;
};

ExitCode runCheck(const CheckOptions &options, corpus::ProgramReader &reader) {
  std::vector<Semantics> columns;
  for (const std::string &text : options.semantics) {
    auto list = parseSemanticsList(text);
    if (!list)
      return badInput(list.error().message);
    columns.insert(columns.end(), list->begin(), list->end());
  }
  std::optional<AliveTv> alive;
  if (options.confirm) {
    auto found = AliveTv::find(options.differences, reader);
    if (!found)
      return badInput(found.error().message);
    alive = std::move(*found);
  }
  std::vector<std::vector<ReadFunction>> files;
  for (const std::string &path : options.files) {
    auto functions = reader.read(path, corpus::Reading::exactly);
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

  std::vector<Question> questions;
  for (const Pair &pair : pairing.pairs)
    for (const Semantics &semantics : columns)
      questions.emplace_back(options, alive ? &*alive : nullptr, pair,
                             semantics);
  Summary summary;
  Children children;
  children.count = questions.size();
  children.atOnce = options.jobs != 0
                        ? options.jobs
                        : std::max(1U, std::thread::hardware_concurrency());
  children.limits = {std::chrono::seconds(options.seconds),
                     options.megabytes << 20};
  children.work = [&](std::size_t i) { return questions[i].answer().toCode(); };
  children.done = [&](std::size_t i, const ChildEnd &end,
                      const std::string &output) {
    const int *code = std::get_if<int>(&end);
    if (code != nullptr)
      fmt::print("{}", output);
    summary.add(code != nullptr
                    ? Answer::ofCode(*code)
                    : questions[i].giveUp(std::get<std::string>(end)));
  };
  runChildren(children);
  if (!options.json)
    summary.print();
  return summary.code();
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
  std::vector<std::string> engines;
  engines.reserve(engineNames.size());
  for (const auto &[name, engine] : engineNames)
    engines.push_back(name);
  command
      ->add_option_function<std::string>(
          "--engine",
          [options](const std::string &name) {
            options->engine = engineNames.at(name);
          },
          "What decides; auto: by cost")
      ->check(CLI::IsMember(engines))
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
  command
      ->add_option("-j,--jobs", options->jobs,
                   "Pairs at a time; 0: as many as there are processors")
      ->capture_default_str();
  command
      ->add_option("--timeout", options->seconds,
                   "For a pair and semantics; then it is undecided. 0: none")
      ->check(CLI::NonNegativeNumber)
      ->type_name("SECONDS")
      ->capture_default_str();
  command
      ->add_option("--memory", options->megabytes,
                   "For a pair and semantics; then it is undecided")
      ->check(CLI::Range(64, 1 << 20))
      ->type_name("MB")
      ->capture_default_str();
  command
      ->add_option("--smt-resources", options->limits.smt.resources,
                   "Z3 resource units for a pair and semantics: work, not time")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--smt-unroll", options->limits.smt.unroll,
                   "How often loops go round in the symbolic engine")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  command->add_flag_callback(
      "--full-bytes",
      [options] {
        options->limits.fullBytes = FullBytes::yes;
        if (options->engine == Engine::automatic)
          options->engine = Engine::exhaustive;
      },
      "Try all contents and places of memory, and not only those that can "
      "matter; "
      "without --engine: exhaustive");
  command->add_flag("--confirm", options->confirm,
                    "Ask an alive-tv on PATH for another opinion; if it "
                    "disagrees, the verdict does not count");
  command
      ->add_option("--differences", options->differences,
                   "Pairs @src, @tgt on which alive-tv is known to differ")
      ->type_name("FILE");
  command->footer("Exit code: 0 refines, 1 wrong, 2 bad input, 3 unsupported "
                  "or undecided,\n"
                  "or alive-tv disagrees.\n"
                  "Example:\n"
                  "  irsieve check pair.ll --semantics llvm,llvm-undef\n"
                  "  irsieve check before.ll after.ll --semantics "
                  "llvm:overflow=wrap --format json\n"
                  "  irsieve check pair.ll --engine both --confirm");
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
      "  irsieve semantics --coverage\n"
      "  irsieve check pair.ll --semantics "
      "taming:select_arms=either,branch_on_poison=nondeterministic");
  auto coverage = std::make_shared<bool>(false);
  command->add_flag("--coverage", *coverage,
                    "Which engine decides which opcode under which knob, and "
                    "what they lack; takes some seconds");
  command->callback([coverage, &exitCode] {
    if (*coverage) {
      fmt::print("{}", toText(measureCoverage()));
      return;
    }
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
