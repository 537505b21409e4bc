// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `irsieve rewrites`: what passes did to the functions of a campaign.
#pragma once

#include "corpus/program/exit_code.h"

namespace CLI {
class App;
}

namespace runner {

/// `exitCode` must outlive the parsing.
void addRewritesCommand(CLI::App &app, corpus::ExitCode &exitCode);

} // namespace runner
