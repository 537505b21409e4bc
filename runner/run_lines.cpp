// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/run_lines.h"

#include "corpus/program/lines.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace runner {
namespace {

using Words = std::vector<std::string>;

/// Options of opt itself that say what it prints and where, not what it does.
struct OutputOption {
  std::string_view name;
  bool hasValue = false; ///< as the next word
};
constexpr std::array<OutputOption, 7> outputOptions = {{
    {"S"},
    {"f"},
    {"o", true},
    {"disable-output"},
    {"disable-verify"},
    {"verify-each"},
    {"preserve-ll-uselistorder"},
}};

/// What follows each "RUN:", with continued lines in one.
std::string scriptOf(std::string_view text) {
  constexpr std::string_view marker = "RUN:";
  std::string script;
  for (std::string line : corpus::linesOf(std::string(text))) {
    const std::size_t at = line.find(marker);
    if (at == std::string::npos)
      continue;
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r'))
      line.pop_back();
    line.erase(0, at + marker.size());
    const bool isContinued = line.ends_with('\\');
    if (isContinued)
      line.pop_back();
    script += line;
    script += isContinued ? ' ' : '\n';
  }
  return script;
}

/// The commands of a script, as a shell splits it; < and > are words.
std::vector<Words> commandsOf(std::string_view script) {
  std::vector<Words> commands(1);
  std::string word;
  bool isWord = false; // "" is one
  char quote = 0;
  const auto endWord = [&] {
    if (isWord)
      commands.back().push_back(std::move(word));
    word.clear();
    isWord = false;
  };
  const auto endCommand = [&] {
    endWord();
    if (!commands.back().empty())
      commands.emplace_back();
  };
  for (std::size_t i = 0; i < script.size(); ++i) {
    const char c = script[i];
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      isWord = true;
    } else if (c == '|' || c == ';' || c == '\n' ||
               script.substr(i).starts_with("&&")) {
      endCommand();
    } else if (c == ' ' || c == '\t' || c == '&') {
      endWord();
    } else if (c == '<' || c == '>') {
      if (c == '>' && word == "2")
        isWord = false;
      endWord();
      commands.back().push_back(std::string(1, c));
    } else {
      word += c;
      isWord = true;
    }
  }
  endCommand();
  commands.pop_back();
  return commands;
}

/// The words of one `opt`, as far as they are looked at.
class OptCommand {
public:
  explicit OptCommand(const Words &words) : words_(words) {
    for (next_ = 1; next_ < words_.size();)
      take(words_[next_++]);
  }

  bool readsFile() const { return readsFile_; }
  bool hasPasses() const { return !pipeline_.passes.empty(); }
  const std::string &refusal() const { return refusal_; }
  const Pipeline &pipeline() const { return pipeline_; }

private:
  void take(const std::string &word) {
    if (word == ">") {
      ++next_; // a file, or the 1 of 2>&1
    } else if (word == "%s") {
      readsFile_ = true;
    } else if (word.starts_with('-')) {
      option(word);
    } else if (word != "<") {
      refuse(fmt::format("`{}` on the line of opt", word));
    }
  }

  void option(const std::string &word) {
    const std::size_t dashes = word.starts_with("--") ? 2 : 1;
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string name = word.substr(dashes, equals - dashes);
    const auto value = [&]() -> std::string {
      if (equals < word.size())
        return word.substr(equals + 1);
      return next_ < words_.size() ? words_[next_++] : "";
    };
    const auto output =
        std::find_if(outputOptions.begin(), outputOptions.end(),
                     [&](const auto &row) { return row.name == name; });
    if (output != outputOptions.end()) {
      if (output->hasValue)
        (void)value();
    } else if (name == "passes" || name == "p") {
      pipeline_.passes = value();
    } else if (name == "mtriple") {
      pipeline_.triple = value();
    } else if (name == "data-layout") {
      pipeline_.dataLayout = value();
    } else {
      if (word.find('%') != std::string::npos)
        refuse(fmt::format("`{}` stands for what only lit knows", word));
      pipeline_.llvmArgs.push_back(word);
    }
  }

  void refuse(std::string reason) {
    if (refusal_.empty())
      refusal_ = std::move(reason);
  }

  const Words &words_;
  std::size_t next_ = 0;
  bool readsFile_ = false;
  std::string refusal_;
  Pipeline pipeline_;
};

} // namespace

RunLines parseRunLines(std::string_view text) {
  RunLines lines;
  for (const Words &words : commandsOf(scriptOf(text))) {
    if (words.front() != "opt")
      continue;
    const OptCommand command(words);
    if (!command.readsFile())
      continue;
    if (!command.hasPasses())
      lines.refused.push_back("a RUN line of opt without -passes=");
    else if (!command.refusal().empty())
      lines.refused.push_back(command.refusal());
    else if (std::find(lines.pipelines.begin(), lines.pipelines.end(),
                       command.pipeline()) == lines.pipelines.end())
      lines.pipelines.push_back(command.pipeline());
  }
  return lines;
}

} // namespace runner
