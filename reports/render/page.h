// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// page.html inside the program.
// Threads: a constant.
#pragma once

#include <string_view>

namespace reports {

/// With marks such as `{{title}}`, which html() fills in.
std::string_view pageTemplate();

} // namespace reports
