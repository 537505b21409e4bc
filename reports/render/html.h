// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report as one page that needs nothing else: no network, no frameworks,
// and of scripts only sorting, copying and the choice of light or dark.
// Threads: pure functions.
#pragma once

#include "reports/render/formats.h"

#include <string>

namespace reports {

/// The frame is page.html beside this file; each bug is the section `#id`.
std::string html(const Report &report);

} // namespace reports
