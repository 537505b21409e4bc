// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a shell and `man` want to know of the command line, told by the options
// themselves: nothing here names a command or an option of irsieve.
//
// Threads: pure functions.
#pragma once

#include "corpus/program/exit_code.h"

#include <string>

namespace CLI {
class App;
}

namespace runner {

/// For bash's `source` or its folder of completions. Offers commands, options,
/// and the words of an option whose type lists them; files otherwise.
std::string bashCompletion(const CLI::App &app);
/// For a file `_NAME` in zsh's $fpath: the same, with descriptions.
std::string zshCompletion(const CLI::App &app);
/// In roff, section 1.
std::string manualPage(const CLI::App &app, const std::string &version);

/// `completion bash|zsh|man`, which prints one of them.
void addCompletionCommand(CLI::App &app, const std::string &version,
                          corpus::ExitCode &exitCode);

} // namespace runner
