// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A link that opens Compiler Explorer with a bug in it, made without asking
// anybody: the whole state is in the address.
// Threads: pure functions.
#pragma once

#include "reports/triage/bug.h"

#include <string>
#include <string_view>

namespace reports {

/// https://godbolt.org/clientstate/<base64 of a ClientState>, as Compiler
/// Explorer's docs/API.md describes it: the function, and a pane with `opt` of
/// the release where that site is known to have it, beside the one of trunk.
std::string compilerExplorerLink(const Bug &bug);

/// RFC 4648 section 5, without padding: Compiler Explorer reads it as it reads
/// the other alphabet, and it needs no escapes in Markdown, HTML or a shell.
std::string base64Url(std::string_view bytes);

} // namespace reports
