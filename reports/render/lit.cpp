// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/render/lit.h"

#include "corpus/program/lines.h"
#include "corpus/program/print.h"
#include "runner/pass_names.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <map>
#include <vector>

namespace reports {
namespace {

using corpus::Program;

/// Makes one line of a module, without what says nothing: comments, the label
/// of the entry, `tail`, `returned`, and the numbers of attribute groups.
constexpr const char *oneLineFilter =
    "sed -E -e 's/;.*//' -e '/^entry:/d' -e 's/tail call/call/' "
    "-e 's/ returned / /g' -e 's/ #[0-9]+//' | tr '\\n' ' '";

/// The lane of a vector constant of equal ones, such as `i2 1` of
/// `<i2 1, i2 1>`, which LLVM prints as `splat (i2 1)` since 20, and as
/// `zeroinitializer` if it is zero; or "".
std::string_view splatLane(std::string_view constant) {
  if (!constant.starts_with("<i") || !constant.ends_with('>'))
    return "";
  constant = constant.substr(1, constant.size() - 2);
  const std::string_view lane = constant.substr(0, constant.find(','));
  while (constant.size() > lane.size() && constant.starts_with(lane) &&
         constant.substr(lane.size()).starts_with(", "))
    constant.remove_prefix(lane.size() + 2);
  return constant == lane ? lane : "";
}

bool isNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' ||
         c == '_' || c == '-';
}

std::string nameOf(std::size_t instruction) {
  return corpus::resultName(instruction).substr(1);
}

/// Patterns by the name of a value.
using Expressions = std::map<std::string, std::string, std::less<>>;

/// Of the values that LLVM may print as constant expressions where they are
/// used: patterns of those, by name.
Expressions expressionsIn(const Program &program) {
  using corpus::Opcode;
  using corpus::Operand;
  Expressions patterns;
  const auto patternOf = [&](const Operand &operand) -> const std::string * {
    const auto known = operand.is(Operand::Kind::instruction)
                           ? patterns.find(nameOf(operand.payload))
                           : patterns.end();
    return known == patterns.end() ? nullptr : &known->second;
  };
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const corpus::Instruction &instruction = program.instructions[i];
    const auto operands = program.operandsOf(instruction);
    const bool isOne = std::none_of(
        operands.begin(), operands.end(), [&](const Operand &operand) {
          return operand.is(Operand::Kind::argument) ||
                 (operand.is(Operand::Kind::instruction) &&
                  patternOf(operand) == nullptr);
        });
    if (!isOne)
      continue;
    if (instruction.opcode == Opcode::getelementptr) {
      std::string flags;
      for (const corpus::FlagInfo &row : corpus::flagTable)
        if (instruction.flags.has(row.flag))
          flags += fmt::format("{} ", row.spelling);
      patterns[nameOf(i)] = fmt::format("getelementptr {}\\(.*\\)", flags);
    } else if (instruction.opcode == Opcode::ptrtoint ||
               instruction.opcode == Opcode::inttoptr)
      if (const std::string *inner = patternOf(operands[0]))
        patterns[nameOf(i)] = fmt::format(
            "{} \\({} {} to {}\\)", corpus::info(instruction.opcode).spelling,
            toString(operands[0].type), *inner, toString(instruction.type));
  }
  return patterns;
}

/// Turns the lines of a printed body into one FileCheck pattern.
class BodyPattern {
public:
  BodyPattern(const Program &program, Expressions expressions)
      : expressions_(std::move(expressions)) {
    for (std::size_t i = 0; i < program.signature.parameters.size(); ++i)
      kept_.push_back(corpus::argumentName(i).substr(1));
  }

  void addLine(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty() || line == "entry:")
      return;
    if (line.starts_with('%') &&
        expressions_.contains(line.substr(1, line.find(' ') - 1)))
      return;
    text_ += ' ';
    if (line.ends_with(':')) {
      addName(line.substr(0, line.size() - 1));
      text_ += ':';
      return;
    }
    for (std::size_t i = 0; i < line.size();) {
      if (line[i] == '<') {
        const std::string_view constant =
            line.substr(i, line.find('>', i) + 1 - i);
        if (const auto lane = splatLane(constant); !lane.empty()) {
          const bool isZero = lane.ends_with(" 0") || lane.ends_with("false");
          text_ += fmt::format("{{{{{}|splat \\({}\\){}}}}}", constant, lane,
                               isZero ? "|zeroinitializer" : "");
          i += constant.size();
          continue;
        }
      }
      if (line[i] != '%') {
        text_ += line[i++];
        continue;
      }
      std::size_t end = ++i;
      while (end < line.size() && isNameCharacter(line[end]))
        ++end;
      const std::string_view name = line.substr(i, end - i);
      if (const auto expression = expressions_.find(name);
          expression != expressions_.end()) {
        text_ += fmt::format("{{{{{}}}}}", expression->second);
      } else {
        text_ += '%';
        addName(name);
      }
      i = end;
    }
  }

  const std::string &text() const { return text_; }

private:
  /// The optimizer keeps the names of arguments and of the entry; it gives
  /// others as it likes.
  void addName(std::string_view name) {
    // FileCheck can refer back to nine groups; older ones count each {{}} of
    // the head too.
    constexpr std::size_t backReferences = 7;
    if (name == "entry" ||
        std::find(kept_.begin(), kept_.end(), name) != kept_.end()) {
      text_ += name;
      return;
    }
    const bool isTied =
        std::find(tied_.begin(), tied_.end(), name) != tied_.end();
    if (isTied) {
      text_ += fmt::format("[[N_{}]]", name);
    } else if (tied_.size() < backReferences) {
      tied_.emplace_back(name);
      text_ += fmt::format("[[N_{}:[-a-zA-Z0-9._]+]]", name);
    } else {
      text_ += "{{[-a-zA-Z0-9._]+}}";
    }
  }

  Expressions expressions_;
  std::vector<std::string> kept_;
  std::vector<std::string> tied_;
  std::string text_;
};

/// Whether what the signature says of arguments and the result differs.
bool sameSignature(const Program &source, const Program &target) {
  const auto &a = source.signature;
  const auto &b = target.signature;
  return a.result == b.result &&
         std::equal(a.parameters.begin(), a.parameters.end(),
                    b.parameters.begin(), b.parameters.end(),
                    [](const auto &x, const auto &y) {
                      return x.attributes == y.attributes;
                    });
}

/// `define i2 @f(ptr align 2 %a` of such a line; what comes behind the list has
/// parentheses of its own.
std::string_view untilListEnds(std::string_view line) {
  std::size_t end = line.find("@f(") + 3;
  for (int open = 1; end < line.size(); ++end) {
    open += line[end] == '(' ? 1 : line[end] == ')' ? -1 : 0;
    if (open == 0)
      break;
  }
  return line.substr(0, end);
}

/// In which LLVM prints them.
constexpr std::string_view attributeOrder[] = {
    "dead_on_return", "dead_on_unwind",  "noalias",
    "nocapture",      "nofree",          "noundef",
    "nonnull",        "readnone",        "readonly",
    "writable",       "writeonly",       "align",
    "captures",       "dereferenceable", "dereferenceable_or_null",
    "range",          "initializes"};

/// Of `noundef dereferenceable(1)`, alone or with a type and a name around it.
std::string inOrderOfLlvm(std::string_view words) {
  const auto rankOf = [](std::string_view word) {
    return std::find(std::begin(attributeOrder), std::end(attributeOrder),
                     word.substr(0, word.find_first_of(" (")));
  };
  std::vector<std::string_view> list;
  for (std::size_t begin = 0; begin < words.size();) {
    std::size_t end = begin;
    for (int open = 0; end < words.size(); ++end) {
      open += words[end] == '(' ? 1 : words[end] == ')' ? -1 : 0;
      if (words[end] == ' ' && open == 0 &&
          words.substr(begin, end - begin) != "align")
        break;
    }
    list.push_back(words.substr(begin, end - begin));
    begin = end + 1;
  }
  const auto isAttribute = [&](std::string_view word) {
    return rankOf(word) != std::end(attributeOrder);
  };
  const auto first = std::find_if(list.begin(), list.end(), isAttribute);
  const auto last = std::find_if_not(first, list.end(), isAttribute);
  std::stable_sort(first, last, [&](std::string_view a, std::string_view b) {
    return rankOf(a) < rankOf(b);
  });
  return fmt::to_string(fmt::join(list, " "));
}

/// The same of each argument in `define i2 @f(ptr readonly align 2 %a`, and of
/// the result.
std::string headInOrderOfLlvm(std::string_view head) {
  const std::size_t list = head.find("@f(") + 3;
  std::string text = inOrderOfLlvm(head.substr(0, list - 4)) + " @f(";
  std::size_t begin = list;
  int open = 0;
  for (std::size_t i = list; i <= head.size(); ++i) {
    if (i < head.size()) {
      open += head[i] == '(' ? 1 : head[i] == ')' ? -1 : 0;
      if (head[i] != ',' || open != 0)
        continue;
    }
    text += inOrderOfLlvm(head.substr(begin, i - begin));
    if (i < head.size())
      text += ", ";
    begin = i + 2;
  }
  return text;
}

/// What no right optimizer makes of the source, with these as expressions.
std::string wrongOutput(const Bug &bug, Expressions expressions) {
  const Program &target = *bug.target;
  auto lines = corpus::linesOf(corpus::printFunction(target, "f", bug.release));
  BodyPattern body(target, std::move(expressions));
  for (std::size_t i = 1; i + 1 < lines.size(); ++i)
    body.addLine(lines[i]);
  std::string head = "define {{.*}}@f({{[^{]*}}{";
  if (!sameSignature(bug.source, target))
    head = fmt::format("{}){{{{[^{{]*}}}}{{",
                       headInOrderOfLlvm(untilListEnds(lines.front())));
  std::string pattern = head + body.text() + " }";
  for (const corpus::AttributeInfo &row : corpus::attributeTable)
    if (target.signature.function.has(row.bit) &&
        !bug.source.signature.function.has(row.bit)) {
      pattern +=
          fmt::format("{{{{.*}}}}attributes = {{{{.*}}}}{}", row.spelling);
      break;
    }
  return pattern;
}

std::string runLines(const Bug &bug) {
  using checker::Kind;
  const std::string arguments = optArguments(bug);
  switch (bug.kind) {
  case Kind::crash:
  case Kind::invalid:
    return fmt::format("; RUN: opt -disable-output {} %s\n", arguments);
  case Kind::hang:
    return fmt::format("; RUN: timeout 10 opt -disable-output {} %s\n",
                       arguments);
  case Kind::nondeterministic:
    return fmt::format("; RUN: opt -S {0} %s -o %t.1\n"
                       "; RUN: opt -S {0} %s -o %t.2\n"
                       "; RUN: diff %t.1 %t.2\n",
                       arguments);
  default:
    break;
  }
  // Inside a pipeline the wrong body is there after the culprit, and perhaps
  // not at the end.
  const std::string show =
      bug.input
          ? fmt::format("-disable-output -print-module-scope "
                        "-print-after={} {} %s 2>&1",
                        runner::passNameIn(bug.pass, bug.release), arguments)
          : fmt::format("-S {} %s", arguments);
  return fmt::format("; RUN: opt {} \\\n; RUN:   | {} \\\n"
                     "; RUN:   | FileCheck %s\n",
                     show, oneLineFilter);
}

} // namespace

std::string litTest(const Bug &bug) {
  std::string text =
      fmt::format("; [{}] {}. irsieve bug {}, seen in LLVM {}.\n", bug.pass,
                  headline(bug), bug.id, bug.release);
  if (!bug.detail.empty())
    for (const std::string &line : corpus::linesOf(bug.detail))
      text += fmt::format("; {}\n", line);
  text += runLines(bug) + "\n";
  text += corpus::printModule(optInput(bug), "f", bug.release);
  if (bug.target) {
    text +=
        fmt::format("\n; Anything but this, on one line:\n; CHECK-NOT: {}\n",
                    wrongOutput(bug, {}));
    if (auto expressions = expressionsIn(*bug.target); !expressions.empty())
      text += fmt::format("; CHECK-NOT: {}\n",
                          wrongOutput(bug, std::move(expressions)));
  }
  return text;
}

std::string litConfiguration() {
  return R"(# `lit --param bin=/usr/lib/llvm-22/bin .` tests that LLVM.
import os
import lit.formats

config.name = "irsieve"
config.test_format = lit.formats.ShTest(False)
config.suffixes = [".ll"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params.get("out", config.test_source_root)
if "bin" in lit_config.params:
    config.environment["PATH"] = os.pathsep.join(
        [lit_config.params["bin"], config.environment["PATH"]])
)";
}

} // namespace reports
