// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a file of rules says about them, for tests: behind `Name:` lines
// `; EXPECT preset: correct`, `; EXPECT preset: wrong value`, parts of a
// counterexample, `; EXAMPLE preset: ...`, and the types, `; WIDTHS preset:
// ...`.
#pragma once

#include "checker/rules/prove.h"
#include "corpus/program/lines.h"

#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>

namespace checker::rules {

struct Expectation {
  std::map<std::string, std::string> answers; ///< by preset
  std::map<std::string, std::string> widths;  ///< by preset
  std::vector<std::string> example;
};

inline std::string textOfFile(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// By the rule's name.
inline std::map<std::string, Expectation>
expectationsIn(const std::string &text) {
  std::map<std::string, Expectation> result;
  std::string name;
  for (const std::string &line : corpus::linesOf(text)) {
    const std::size_t colon = line.find(": ");
    if (colon == line.npos)
      continue;
    const std::string content = line.substr(colon + 2);
    if (line.starts_with("Name:"))
      result[name = content];
    else if (line.starts_with("; EXPECT "))
      result[name].answers[line.substr(9, colon - 9)] = content;
    else if (line.starts_with("; WIDTHS "))
      result[name].widths[line.substr(9, colon - 9)] = content;
    else if (line.starts_with("; EXAMPLE "))
      result[name].example.push_back(content);
  }
  return result;
}

/// `correct`, `wrong value`, `undecided`.
inline std::string answerOf(const Proof &proof) {
  if (proof.word == VerdictWord::refines)
    return "correct";
  if (proof.word == VerdictWord::wrong)
    return fmt::format("wrong {}", toString(proof.kind));
  return std::string(toString(proof.word));
}

} // namespace checker::rules
