// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people want to know about a space before they run it, as text.
#pragma once

#include "corpus/program/result.h"

#include <string>
#include <string_view>

namespace enumerate {

/// The exact count of a spec, tables by opcode and by number of arguments, and
/// what each LLVM release lacks. Ends with a newline.
corpus::Result<std::string> describeSpace(std::string_view spec);

} // namespace enumerate
