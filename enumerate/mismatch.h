// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What to say of a program that is no member of a space. Pure functions, safe
// from any thread.
#pragma once

#include "enumerate/assembler.h"
#include "enumerate/space.h"

#include <span>
#include <string>

namespace enumerate {

/// One line: what stands where `assembler` has come in making `program`, and
/// which decisions of the space are allowed there.
std::string mismatch(const Space &space, const Assembler &assembler,
                     std::span<const Decision> allowed,
                     const corpus::Program &program);

/// Of a program all of whose decisions fit.
inline constexpr const char *undecidedMismatch =
    "it has attributes or unused arguments, which no member has";

} // namespace enumerate
