// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer that is undef may be null, so that an access through it is UB, as
// it is through poison (LangRef, "Undefined Values"). Where nothing but
// accesses can tell, engines need to know of poison alone.
//
// Threads: pure functions.
#pragma once

#include "corpus/program/program.h"

#include <optional>

namespace checker {

/// The program with poison for each undef pointer that only accesses, steps of
/// addresses and phis come to see. Nothing: there is none.
std::optional<corpus::Program>
withPoisonAddresses(const corpus::Program &program);

} // namespace checker
