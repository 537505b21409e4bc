// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bugs as a SARIF 2.1.0 log: a rule for each kind, a result for each bug, with
// its signature as fingerprint.
// Threads: pure functions.
#pragma once

#include "reports/render/formats.h"

#include <nlohmann/json_fwd.hpp>

namespace reports {

nlohmann::json sarif(const Report &report);

} // namespace reports
