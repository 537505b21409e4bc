// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function through a pipeline, with what every pass left behind.
#pragma once

#include "runner/backend.h"

namespace runner {

/// What Backend::trace() promises. Requires that Session::make() accepts the
/// pipeline.
Trace traceFunction(const corpus::Program &program, const Pipeline &pipeline);

} // namespace runner
