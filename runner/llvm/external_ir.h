// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This release's LLVM as the writer of an external opt's input and the reader
// of its output.
#pragma once

#include "runner/external_opt.h"

namespace runner {

/// Requires pipeline.opt. What it gives may be used from one thread.
ExternalIr makeExternalIr(const Pipeline &pipeline);

} // namespace runner
