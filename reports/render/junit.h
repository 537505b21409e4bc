// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A campaign as JUnit XML: a suite for each release and pipeline, in it a test
// case for each semantics, which fails with its bugs as the message.
// Threads: pure functions.
#pragma once

#include "reports/render/formats.h"

#include <string>

namespace reports {

/// A case whose functions were not all decided is an error when nothing is
/// wrong with the others: never passed.
std::string junit(const Report &report);

} // namespace reports
