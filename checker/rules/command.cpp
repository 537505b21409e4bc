// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/rules/command.h"

#include "checker/rules/cxx.h"
#include "checker/rules/infer.h"
#include "checker/rules/parse.h"
#include "checker/rules/print.h"
#include "checker/rules/prove.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <malloc.h>
#include <memory>
#include <sstream>

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

nlohmann::json toJson(const Rule &rule, const std::string &semantics,
                      const Proof &proof) {
  nlohmann::json object = {
      {"name", rule.name},         {"line", rule.line},
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
    lines["weakest source flags"] = sources;
    lines["strongest target flags"] =
        flags.strongestTarget
            ? nlohmann::json(allFlags(*flags.strongestTarget, rule.target))
            : nlohmann::json(nullptr);
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

ExitCode runProve(const ProveOptions &options) {
  std::vector<Semantics> columns;
  for (const std::string &text : options.semantics) {
    auto list = parseSemanticsList(text);
    if (!list)
      return badInput(list.error().message);
    columns.insert(columns.end(), list->begin(), list->end());
  }
  std::vector<Rule> rules;
  for (const std::string &path : options.files) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    if (!file || file.bad())
      return badInput(fmt::format("cannot read {}", path));
    auto parsed = parseRules(text.str());
    if (!parsed)
      return badInput(fmt::format("{}: {}", path, parsed.error().message));
    for (Rule &rule : *parsed)
      if (rule.name.find(options.match) != rule.name.npos)
        rules.push_back(std::move(rule));
  }
  if (rules.empty())
    return badInput(
        options.match.empty()
            ? "there is no rule in the file"
            : fmt::format("no rule's name has '{}' in it", options.match));
  // Each check gives back all that its Z3 had, and the next one wants it again.
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  ExitCode code = ExitCode::nothingWrong;
  Prover prover(options.limits, options.engine);
  if (!options.cxxPath.empty()) {
    std::ofstream file(options.cxxPath);
    if (!(file << cxxFile(rules)))
      return badInput(fmt::format("cannot write {}", options.cxxPath));
    return code;
  }
  std::string table;
  for (const Rule &rule : rules) {
    const std::vector<Proof> proofs = prover.prove(rule, columns);
    if (!options.json)
      fmt::print("{}\n", toText(rule));
    table += fmt::format("| {} |", rule.name);
    for (std::size_t i = 0; i < proofs.size(); ++i) {
      code = corpus::worse(code, exitCodeOf(proofs[i]));
      const std::string name = toString(columns[i]);
      const nlohmann::json inference =
          inferences(options, rule, columns[i], prover);
      if (options.json) {
        nlohmann::json line = toJson(rule, name, proofs[i]);
        line.update(inference);
        fmt::print("{}\n", line.dump());
        std::fflush(stdout);
        continue;
      }
      // The same example again says nothing new.
      const bool isNew = std::none_of(
          proofs.begin(), proofs.begin() + static_cast<std::ptrdiff_t>(i),
          [&](const Proof &p) {
            return p.counterexample == proofs[i].counterexample;
          });
      if (isNew && !proofs[i].counterexample.empty())
        fmt::print("{}\n", proofs[i].counterexample);
      fmt::print("{}: {}\n", name, headline(proofs[i]));
      fmt::print("{}", inferenceText(inference));
      table += fmt::format(" {} |", wordOf(proofs[i]));
    }
    table += "\n";
    if (!options.json)
      fmt::print("\n");
  }
  if (!options.json && columns.size() > 1) {
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

void addProveCommand(CLI::App &app, ExitCode &exitCode) {
  CLI::App *command = app.add_subcommand(
      "prove", "Is a rewrite rule right for all types and constants?");
  auto options = std::make_shared<ProveOptions>();
  command
      ->add_option("files", options->files,
                   "FILE.opt with rules in the language of the Alive paper")
      ->required()
      ->type_name("FILE.opt");
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
      ->add_option("--timeout", options->limits.seconds,
                   "CPU time for each rule; the typings that are left are "
                   "undecided")
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
                  "--infer-precondition");
  command->callback([options, &exitCode] {
    exitCode = corpus::worse(exitCode, runProve(*options));
  });
}

} // namespace checker::rules
