// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text inside HTML and XML.
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace reports {

/// For element content and for attribute values in double quotes. Control
/// characters, which XML 1.0 cannot hold, become spaces.
std::string escaped(std::string_view text);

} // namespace reports
