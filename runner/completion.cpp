// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <string_view>
#include <vector>

namespace runner {
namespace {

std::vector<const CLI::App *> subcommandsOf(const CLI::App &app) {
  std::vector<const CLI::App *> result;
  for (const CLI::App *each : app.get_subcommands({}))
    if (!each->get_group().empty())
      result.push_back(each);
  return result;
}

std::vector<const CLI::Option *> shownOptionsOf(const CLI::App &app) {
  return app.get_options([](const CLI::Option *option) {
    return option->nonpositional() && !option->get_group().empty();
  });
}

/// Such as -j and --threads.
std::vector<std::string> spellings(const CLI::Option &option) {
  std::vector<std::string> result;
  for (const std::string &name : option.get_snames())
    result.push_back("-" + name);
  for (const std::string &name : option.get_lnames())
    result.push_back("--" + name);
  return result;
}

/// Of TEXT:{text,md,json} the words in braces.
std::vector<std::string> choices(const CLI::Option &option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}');
  if (open == std::string::npos || close == std::string::npos)
    return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

/// With `prefix` before each of `characters`.
std::string escaped(std::string_view text, std::string_view characters,
                    std::string_view prefix) {
  std::string result;
  for (const char c : text) {
    if (characters.find(c) != std::string_view::npos)
      result += prefix;
    result += c;
  }
  return result;
}

std::string firstLine(const std::string &text) {
  return text.substr(0, text.find('\n'));
}

/// Each command below `app`, with the names that lead to it, such as
/// "cluster slurm".
void visit(const CLI::App &app, const std::string &path,
           const std::function<void(const CLI::App &, const std::string &)>
               &function) {
  for (const CLI::App *each : subcommandsOf(app)) {
    const std::string name =
        path.empty() ? each->get_name() : path + " " + each->get_name();
    function(*each, name);
    visit(*each, name, function);
  }
}

std::vector<std::string> names(const std::vector<const CLI::App *> &commands) {
  std::vector<std::string> result(commands.size());
  std::transform(commands.begin(), commands.end(), result.begin(),
                 [](const CLI::App *each) { return each->get_name(); });
  return result;
}

// In roff a line of text starts with neither a dot nor a quote, and a minus
// that is to be typed is not a hyphen.
std::string roff(const std::string &text) {
  std::string result;
  for (const std::string &line : CLI::detail::split(text, '\n')) {
    const std::string plain = escaped(line, "\\-", "\\");
    if (!plain.empty() && (plain[0] == '.' || plain[0] == '\''))
      result += "\\&";
    result += plain + "\n";
  }
  return result;
}

} // namespace

std::string bashCompletion(const CLI::App &app) {
  std::string nested;
  std::string values;
  std::string offers;
  const auto add = [&](const CLI::App &command, const std::string &path) {
    const auto inner = names(subcommandsOf(command));
    std::vector<std::string> words;
    for (const CLI::Option *option : shownOptionsOf(command)) {
      const auto spelled = spellings(*option);
      words.insert(words.end(), spelled.begin(), spelled.end());
      const auto listed = choices(*option);
      for (const std::string &word : spelled)
        if (!listed.empty())
          values += fmt::format("  '{} {}') words='{}' ;;\n", path, word,
                                fmt::join(listed, " "));
    }
    if (!inner.empty() && !path.empty())
      nested +=
          fmt::format("  '{}') path=\"$path ${{COMP_WORDS[2]-}}\" ;;\n", path);
    offers += fmt::format("  '{}') options='{}' commands='{}' ;;\n", path,
                          fmt::join(words, " "), fmt::join(inner, " "));
  };
  add(app, "");
  visit(app, "", add);
  return fmt::format(R"(# bash completion for {0}
_{0}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} path= words= options= commands=
  [ "$COMP_CWORD" -le 1 ] || path=${{COMP_WORDS[1]}}
  [ "$COMP_CWORD" -le 2 ] || case $path in
{1}  esac
  case "$path ${{COMP_WORDS[COMP_CWORD - 1]}}" in
{2}  esac
  case $path in
{3}  esac
  if [ -z "$words" ]; then
    case $current in
    -*) words=$options ;;
    *) words=$commands ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _{0} {0}
)",
                     app.get_name(), nested, values, offers);
}

std::string zshCompletion(const CLI::App &app) {
  const auto described = [](const CLI::App &parent) {
    std::string result;
    for (const CLI::App *each : subcommandsOf(parent))
      result +=
          fmt::format(" '{}:{}'", each->get_name(),
                      escaped(firstLine(each->get_description()), "'", "'\\'"));
    return result;
  };
  std::string cases;
  const auto add = [&](const CLI::App &command, const std::string &path) {
    cases += fmt::format("  '{}')\n", path);
    if (!subcommandsOf(command).empty())
      cases += fmt::format("    commands=({} )\n", described(command));
    cases += "    options=(";
    for (const CLI::Option *option : shownOptionsOf(command)) {
      const auto listed = choices(*option);
      const std::string text =
          escaped(escaped(firstLine(option->get_description()), "[]:\\", "\\"),
                  "'", "'\\'");
      for (const std::string &word : spellings(*option))
        cases +=
            fmt::format("\n      '{}[{}]{}'", word, text,
                        option->get_expected_max() == 0 ? ""
                        : listed.empty()                ? ":value:_files"
                                         : fmt::format(":value:({})",
                                                       fmt::join(listed, " ")));
    }
    cases += " )\n    ;;\n";
  };
  add(app, "");
  visit(app, "", add);
  std::string nested;
  visit(app, "", [&](const CLI::App &command, const std::string &path) {
    if (!subcommandsOf(command).empty())
      nested += fmt::format("  [[ $words[2] != '{0}' || $CURRENT -le 3 ]] || "
                            "path_='{0} '$words[3]\n",
                            path);
  });
  return fmt::format(R"(#compdef {0}
_{0}() {{
  local path_=
  local -a commands options
  (( CURRENT <= 2 )) || path_=$words[2]
{1}  case $path_ in
{2}  esac
  if (( $#commands )) && [[ $words[CURRENT] != -* ]]; then
    _describe command commands
  else
    _arguments $options '*:file:_files'
  fi
}}
_{0} "$@"
)",
                     app.get_name(), nested, cases);
}

std::string manualPage(const CLI::App &app, const std::string &version) {
  std::string upper = app.get_name();
  std::transform(upper.begin(), upper.end(), upper.begin(), ::toupper);
  const auto options = [](const CLI::App &command) {
    std::string text;
    for (const CLI::Option *option :
         command.get_options([](const CLI::Option *each) {
           return !each->get_group().empty();
         })) {
      const auto spelled =
          option->nonpositional()
              ? fmt::format("{}", fmt::join(spellings(*option), ", "))
              : option->get_name();
      text += fmt::format(".TP\n.B {}{}",
                          roff(spelled + (option->get_expected_max() == 0
                                              ? ""
                                              : " " + option->get_type_name())),
                          roff(option->get_description()));
    }
    return text;
  };
  std::string text = fmt::format(
      ".TH {} 1 \"\" \"{} {}\"\n.SH NAME\n{} \\- {}.SH SYNOPSIS\n.B {}\n"
      "[options] command [options]\n.SH OPTIONS\n{}.SH COMMANDS\n",
      upper, app.get_name(), version, app.get_name(),
      roff(firstLine(app.get_description())), app.get_name(), options(app));
  visit(app, "", [&](const CLI::App &command, const std::string &path) {
    text += fmt::format(".SS {} {}{}", app.get_name(), roff(path),
                        roff(command.get_description()));
    text += options(command);
    if (!command.get_footer().empty())
      text += ".PP\n.nf\n" + roff(command.get_footer()) + ".fi\n";
  });
  return text;
}

void addCompletionCommand(CLI::App &app, const std::string &version,
                          corpus::ExitCode &exitCode) {
  CLI::App *command = app.add_subcommand(
      "completion", "Print the completion of a shell, or the manual page");
  auto *form = command->add_option("form", "bash, zsh or man")
                   ->required()
                   ->check(CLI::IsMember({"bash", "zsh", "man"}));
  command->footer("Example: source <(irsieve completion bash)\n"
                  "Exit code: 0, or 2 bad input");
  command->callback([&app, form, version, &exitCode] {
    const auto wanted = form->as<std::string>();
    fmt::print("{}", wanted == "bash"  ? bashCompletion(app)
                     : wanted == "zsh" ? zshCompletion(app)
                                       : manualPage(app, version));
    exitCode = corpus::ExitCode::nothingWrong;
  });
}

} // namespace runner
