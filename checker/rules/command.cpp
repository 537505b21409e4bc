// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/command.h"

#include "checker/child.h"
#include "checker/pairing.h"
#include "checker/rules/cxx.h"
#include "checker/rules/functions.h"
#include "checker/rules/infer.h"
#include "checker/rules/parse.h"
#include "checker/rules/print.h"
#include "checker/rules/prove.h"
#include "corpus/program/print.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

namespace checker::rules {

using corpus::ExitCode;

namespace {

struct ProveOptions {
  std::vector<std::string> files;
  std::vector<std::string> semantics = {"llvm"};
  std::string match;
  Engine engine = Engine::automatic;
  bool json = false;
  bool infersFlags = false;
  bool infersPrecondition = false;
  std::string cxxPath;
  unsigned jobs = 0; ///< 0: as many as there are processors
  ProofLimits limits;
};

ExitCode badInput(std::string_view message) {
  fmt::print(stderr, "irsieve prove: {}\n", message);
  return ExitCode::badInput;
}

ExitCode exitCodeOf(const Proof &proof) {
  switch (proof.word) {
  case VerdictWord::refines:
    return ExitCode::nothingWrong;
  case VerdictWord::wrong:
    return ExitCode::somethingWrong;
  case VerdictWord::unsupported:
  case VerdictWord::undecided:
    break;
  }
  return ExitCode::incomplete;
}

/// `correct`, `wrong (value)`, `undecided`.
std::string wordOf(const Proof &proof) {
  switch (proof.word) {
  case VerdictWord::refines:
    return "correct";
  case VerdictWord::wrong:
    return fmt::format("wrong ({})", toString(proof.kind));
  case VerdictWord::unsupported:
  case VerdictWord::undecided:
    break;
  }
  return std::string(toString(proof.word));
}

std::string headline(const Proof &proof) {
  std::string text = wordOf(proof);
  if (proof.word != VerdictWord::unsupported) {
    const std::string widths = widthsOf(proof);
    if (!widths.empty())
      text += ": " + widths;
  }
  if (!proof.reason.empty())
    text += fmt::format(" ({})", proof.reason);
  return text;
}

/// A rule, or a pair of functions at all widths.
struct Statement {
  std::string name;
  unsigned line = 0; ///< of a rule
  std::string text;
  std::optional<Rule> rule;
  corpus::Program source; ///< of functions
  corpus::Program target;
  std::string lack; ///< why functions cannot be read
};

nlohmann::json toJson(const Statement &statement, const std::string &semantics,
                      const Proof &proof) {
  nlohmann::json object = {
      {"name", statement.name},    {"line", statement.line},
      {"semantics", semantics},    {"verdict", toString(proof.word)},
      {"kind", nullptr},           {"typings", proof.typings},
      {"right", proof.right},      {"wrong", proof.wrong},
      {"widths", widthsOf(proof)}, {"counterexample", nullptr},
      {"seconds", proof.seconds}};
  if (proof.word == VerdictWord::wrong) {
    object["kind"] = toString(proof.kind);
    object["counterexample"] = proof.counterexample;
  }
  if (!proof.reason.empty())
    object["reason"] = proof.reason;
  return object;
}

/// Every flag of the templates: `nsw of %a, exact of %r`, or `none`.
std::string allFlags(const Rule &rule, const std::vector<NodeId> &definitions) {
  std::string text;
  for (const NodeId node : definitions)
    if (const corpus::Flags flags = rule.nodes[node].flags; !flags.empty())
      text += fmt::format("{}{}", text.empty() ? "" : ", ",
                          flagsText(rule, node, flags));
  return text.empty() ? "none" : text;
}

/// What the author may leave to us, a line each.
nlohmann::json inferences(const ProveOptions &options, const Rule &rule,
                          const Semantics &semantics, Prover &prover) {
  nlohmann::json lines = nlohmann::json::object();
  if (options.infersFlags) {
    const FlagInference flags = inferFlags(rule, semantics, prover);
    nlohmann::json sources = nlohmann::json::array();
    for (const Rule &source : flags.weakestSources)
      sources.push_back(allFlags(source, source.source));
    lines["source flags as written"] = allFlags(rule, rule.source);
    lines["target flags as written"] = allFlags(rule, rule.target);
    lines["weakest source flags"] = sources;
    lines["strongest target flags"] =
        flags.strongestTarget
            ? nlohmann::json(allFlags(*flags.strongestTarget, rule.target))
            : nlohmann::json(nullptr);
    if (flags.isLate)
      lines["flags"] =
          fmt::format("not all tried within {} s", options.limits.seconds);
  }
  if (options.infersPrecondition) {
    const auto inferred = inferPrecondition(rule, semantics, prover);
    lines["precondition"] =
        inferred ? nlohmann::json(
                       toText(inferred->rule, inferred->rule.precondition))
                 : nlohmann::json(nullptr);
    if (inferred)
      lines["right constants that it allows"] =
          fmt::format("{} of {}", inferred->allowed, inferred->right);
  }
  return lines;
}

std::string inferenceText(const nlohmann::json &inference) {
  std::string text;
  for (const auto &[what, found] : inference.items()) {
    std::string content;
    if (found.is_array())
      for (const auto &way : found)
        content += (content.empty() ? "" : "; or ") + way.get<std::string>();
    else if (found.is_string())
      content = found.get<std::string>();
    text +=
        fmt::format("{}: {}\n", what, content.empty() ? "not found" : content);
  }
  return text;
}

corpus::Result<std::vector<Statement>> rulesIn(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file || file.bad())
    return corpus::Error{fmt::format("cannot read {}", path)};
  auto parsed = parseRules(text.str());
  if (!parsed)
    return corpus::Error{fmt::format("{}: {}", path, parsed.error().message)};
  std::vector<Statement> statements;
  for (Rule &rule : *parsed) {
    Statement statement;
    statement.name = rule.name;
    statement.line = rule.line;
    statement.text = toText(rule);
    statement.rule = std::move(rule);
    statements.push_back(std::move(statement));
  }
  return statements;
}

corpus::Result<std::vector<Statement>>
functionsIn(const std::string &path, corpus::ProgramReader &reader) {
  const auto functions = reader.read(path, corpus::Reading::exactly);
  if (!functions)
    return functions.error();
  std::vector<Statement> statements;
  const Pairing pairing = pairWithin(*functions);
  for (const Pair &pair : pairing.pairs) {
    Statement statement;
    // What stands behind `src`, and a dot or line between.
    statement.name = pair.name.substr(3);
    if (statement.name.find_first_of("._") == 0)
      statement.name.erase(0, 1);
    const auto take = [&](const corpus::ReadFunction &function,
                          corpus::Program &program) {
      if (const auto *lack = std::get_if<corpus::Unsupported>(&function.body)) {
        statement.lack = fmt::format("@{}: {}", function.name, lack->reason);
        return;
      }
      program = std::get<corpus::Program>(function.body);
      statement.text +=
          fmt::format("{}{}", statement.text.empty() ? "" : "=>\n",
                      printFunction(program, function.name));
    };
    take(*pair.source, statement.source);
    take(*pair.target, statement.target);
    statements.push_back(std::move(statement));
  }
  for (const corpus::ReadFunction *function : pairing.alone)
    fmt::print(stderr, "irsieve prove: @{} has no partner, it is left out\n",
               function->name);
  return statements;
}

std::vector<Proof> proofsOf(const Statement &statement,
                            const std::vector<Semantics> &columns,
                            const ProveOptions &options, Prover &prover) {
  if (statement.rule)
    return prover.prove(*statement.rule, columns);
  std::vector<Proof> proofs;
  for (const Semantics &semantics : columns) {
    Proof &proof = proofs.emplace_back();
    if (statement.lack.empty()) {
      proof = prove(statement.source, statement.target, semantics,
                    options.limits, options.engine);
    } else {
      proof.word = VerdictWord::unsupported;
      proof.reason = statement.lack;
    }
  }
  return proofs;
}

/// What a statement's process hands over.
struct Answer {
  std::string text; ///< for stdout
  std::string row;  ///< of the table behind all statements
  ExitCode code = ExitCode::nothingWrong;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Answer, text, row, code)

/// `inferred`: for each of the columns, lines about it.
Answer answerOf(const Statement &statement,
                const std::vector<Semantics> &columns,
                const ProveOptions &options, const std::vector<Proof> &proofs,
                const std::vector<nlohmann::json> &inferred) {
  Answer answer;
  if (!options.json)
    answer.text = statement.text + "\n";
  answer.row = fmt::format("| {} |", statement.name);
  for (std::size_t i = 0; i < proofs.size(); ++i) {
    answer.code = corpus::worse(answer.code, exitCodeOf(proofs[i]));
    const std::string name = toString(columns[i]);
    if (options.json) {
      nlohmann::json line = toJson(statement, name, proofs[i]);
      line.update(inferred[i]);
      answer.text += line.dump() + "\n";
      continue;
    }
    // The same example again says nothing new.
    const bool isNew = std::none_of(
        proofs.begin(), proofs.begin() + static_cast<std::ptrdiff_t>(i),
        [&](const Proof &p) {
          return p.counterexample == proofs[i].counterexample;
        });
    if (isNew && !proofs[i].counterexample.empty())
      answer.text += proofs[i].counterexample + "\n";
    answer.text += fmt::format("{}: {}\n{}", name, headline(proofs[i]),
                               inferenceText(inferred[i]));
    const std::string widths =
        columns.size() == 1 ? widthsOf(proofs[i]) : std::string();
    answer.row += fmt::format(" {}{}{} |", wordOf(proofs[i]),
                              widths.empty() ? "" : ": ", widths);
  }
  answer.row += "\n";
  if (!options.json)
    answer.text += "\n";
  return answer;
}

Answer answerOf(const Statement &statement,
                const std::vector<Semantics> &columns,
                const ProveOptions &options) {
  Prover prover(options.limits, options.engine);
  const std::vector<Proof> proofs =
      proofsOf(statement, columns, options, prover);
  std::vector<nlohmann::json> inferred;
  inferred.reserve(columns.size());
  for (const Semantics &semantics : columns)
    inferred.push_back(
        statement.rule ? inferences(options, *statement.rule, semantics, prover)
                       : nlohmann::json::object());
  return answerOf(statement, columns, options, proofs, inferred);
}

/// Of a process that came to no end.
Answer answerWithout(const Statement &statement,
                     const std::vector<Semantics> &columns,
                     const ProveOptions &options, const std::string &failure) {
  Proof proof;
  proof.word = VerdictWord::undecided;
  proof.reason = failure;
  return answerOf(
      statement, columns, options, std::vector<Proof>(columns.size(), proof),
      std::vector<nlohmann::json>(columns.size(), nlohmann::json::object()));
}

ExitCode writeCxx(const ProveOptions &options,
                  const std::vector<Statement> &statements) {
  std::vector<Rule> rules;
  for (const Statement &statement : statements) {
    if (!statement.rule)
      return badInput("only rules are written as C++, and not functions");
    rules.push_back(*statement.rule);
  }
  std::ofstream file(options.cxxPath);
  if (!(file << cxxFile(rules)))
    return badInput(fmt::format("cannot write {}", options.cxxPath));
  return ExitCode::nothingWrong;
}

ExitCode runProve(const ProveOptions &options, corpus::ProgramReader &reader) {
  std::vector<Semantics> columns;
  for (const std::string &text : options.semantics) {
    auto list = parseSemanticsList(text);
    if (!list)
      return badInput(list.error().message);
    columns.insert(columns.end(), list->begin(), list->end());
  }
  std::vector<Statement> statements;
  for (const std::string &path : options.files) {
    auto found = path.ends_with(".ll") || path.ends_with(".bc")
                     ? functionsIn(path, reader)
                     : rulesIn(path);
    if (!found)
      return badInput(found.error().message);
    for (Statement &statement : *found)
      if (statement.name.find(options.match) != statement.name.npos)
        statements.push_back(std::move(statement));
  }
  if (statements.empty())
    return badInput(
        options.match.empty()
            ? "there is no rule, and no @src with @tgt, in the files"
            : fmt::format("no rule's name has '{}' in it", options.match));
  if (!options.cxxPath.empty())
    return writeCxx(options, statements);
  ExitCode code = ExitCode::nothingWrong;
  std::string table;
  Children children;
  children.count = statements.size();
  children.atOnce = options.jobs != 0
                        ? options.jobs
                        : std::max(1U, std::thread::hardware_concurrency());
  children.limits.time = {}; // --timeout is of CPU time
  children.work = [&](std::size_t i) {
    const Answer answer = answerOf(statements[i], columns, options);
    fmt::print("{}", nlohmann::json(answer).dump());
    return 0;
  };
  children.done = [&](std::size_t i, const ChildEnd &end,
                      const std::string &output) {
    const std::string *failure = std::get_if<std::string>(&end);
    const Answer answer =
        failure == nullptr
            ? nlohmann::json::parse(output).get<Answer>()
            : answerWithout(statements[i], columns, options, *failure);
    code = corpus::worse(code, answer.code);
    table += answer.row;
    fmt::print("{}", answer.text);
    std::fflush(stdout);
  };
  runChildren(children);
  if (!options.json && (statements.size() > 1 || columns.size() > 1)) {
    std::string head = "| rule |";
    std::string line = "|---|";
    for (const Semantics &semantics : columns) {
      head += fmt::format(" {} |", toString(semantics));
      line += "---|";
    }
    fmt::print("{}\n{}\n{}", head, line, table);
  }
  return code;
}

} // namespace

void addProveCommand(CLI::App &app, corpus::ProgramReader &reader,
                     ExitCode &exitCode) {
  CLI::App *command = app.add_subcommand(
      "prove", "Is a rewrite rule right for all types and constants?");
  auto options = std::make_shared<ProveOptions>();
  command
      ->add_option("files", options->files,
                   "FILE.opt with rules in the language of the Alive paper; or "
                   "FILE.ll with functions @src and @tgt (@src1 and @tgt1, "
                   "...), whose widest integers stand for those of all widths")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--semantics", options->semantics,
                   "Presets, each with knobs if need be; `irsieve semantics` "
                   "lists them, `all` means every preset")
      ->type_name("P[:knob=choice]")
      ->expected(1)
      ->take_all()
      ->capture_default_str();
  command
      ->add_option("--match", options->match,
                   "Only rules with this text in their name")
      ->type_name("TEXT");
  command
      ->add_option_function<std::string>(
          "--engine",
          [options](const std::string &engine) {
            options->engine = engine == "smt"    ? Engine::smt
                              : engine == "both" ? Engine::both
                                                 : Engine::automatic;
          },
          "auto: exhaustive for narrow types and smt above; both: where both "
          "can, they must agree")
      ->check(CLI::IsMember({"auto", "smt", "both"}))
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
                   "Rules at a time; 0: as many as there are processors")
      ->capture_default_str();
  command
      ->add_option(
          "--timeout", options->limits.seconds,
          "CPU time for each rule, and for what is inferred; the typings "
          "that are left are undecided")
      ->check(CLI::PositiveNumber)
      ->type_name("SECONDS")
      ->capture_default_str();
  command
      ->add_option("--width", options->limits.width,
                   "Open types up to so many bits; wider ones are not looked "
                   "at")
      ->check(CLI::Range(1U, corpus::Type::maximumWidth))
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--smt-resources", options->limits.check.smt.resources,
                   "Z3 resource units for each typing: work, not time")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_flag("--infer-flags", options->infersFlags,
                    "The weakest flags of the source and the strongest of the "
                    "target");
  command->add_flag("--infer-precondition", options->infersPrecondition,
                    "A precondition on the constants that makes the rule "
                    "right");
  command
      ->add_option("--emit-cpp", options->cxxPath,
                   "Proves nothing; writes the rules as C++ for InstCombine")
      ->type_name("FILE");
  command->footer("Exit code: 0 correct, 1 wrong, 2 bad input, 3 unsupported "
                  "or undecided.\n"
                  "Example:\n"
                  "  irsieve prove rules.opt\n"
                  "  irsieve prove rules.opt --semantics all --match PR21245\n"
                  "  irsieve prove rules.opt --infer-flags "
                  "--infer-precondition\n"
                  "  irsieve prove pair.ll");
  command->callback([options, &reader, &exitCode] {
    exitCode = corpus::worse(exitCode, runProve(*options, reader));
  });
}

} // namespace checker::rules
