// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This release's LLVM as the reader of an external opt's text.
#pragma once

#include "runner/external_opt.h"

namespace runner {

/// What it gives may be used from one thread.
ExternalText makeExternalText();

} // namespace runner
