// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// .ll and .bc files -> Programs.
#pragma once

#include "corpus/program/reader.h"

#include <string>
#include <vector>

namespace runner {

/// The functions with a body, in file order. Fails with one line, "file:3:5:
/// error: ..." as LLVM says it, for a file that is missing, that is not IR,
/// that the verifier rejects, or that crashes LLVM's parser.
corpus::Result<std::vector<corpus::ReadFunction>>
readFile(const std::string &path, corpus::Reading reading);

} // namespace runner
