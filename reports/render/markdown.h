// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bug as Markdown, ready to be pasted into an LLVM issue, and the index of
// all bugs of a campaign.
// Threads: pure functions.
#pragma once

#include "reports/triage/bug.h"

#include <span>
#include <string>
#include <string_view>

namespace reports {

/// @src, @tgt and what they call, as alive-tv takes them; empty for a bug
/// without a target.
std::string alive2(const Bug &bug);

/// Name of the file of a bug: `<id>.md`.
std::string markdownFile(const Bug &bug);
/// `asRule`: with what ruleText() says, which takes a second or so.
std::string markdown(const Bug &bug, bool asRule = true);
/// README.md: one line of a table for each row.
std::string markdownIndex(std::span<const Bug> bugs);

} // namespace reports
