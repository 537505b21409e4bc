// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which programs a pipeline can take by how its data layout stores a value: the
// highest byte first or last.
// Threads: the functions may be called from any.
#pragma once

#include "corpus/program/program.h"

#include <optional>
#include <string>
#include <string_view>

namespace runner {

/// Of a data layout, by LangRef ("Data Layout"): little unless it has an `E`.
bool isBigEndian(std::string_view dataLayout);

/// Why a program's memory cannot go through a pipeline whose data layout has
/// that byte order, or nothing.
std::optional<std::string> otherByteOrder(const corpus::Program &program,
                                          bool isBigEndian);

} // namespace runner
