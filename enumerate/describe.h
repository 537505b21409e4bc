// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people want to know about a space before they run it, as text.
#pragma once

#include "corpus/program/reader.h"

#include <string>
#include <string_view>

namespace enumerate {

/// The exact count of a spec that openSpace() takes and what each LLVM release
/// lacks; unless it names a file, tables by opcode, by number of arguments and
/// of what symmetry skips. Ends with a newline.
corpus::Result<std::string> describeSpace(std::string_view spec,
                                          corpus::ProgramReader &reader);

} // namespace enumerate
