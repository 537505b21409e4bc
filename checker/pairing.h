// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions of files are source and target of each other.
// Threads: pure functions. A Pairing points into what it was made of.
#pragma once

#include "corpus/program/reader.h"

#include <string>
#include <vector>

namespace checker {

struct Pair {
  std::string name;
  const corpus::ReadFunction *source;
  const corpus::ReadFunction *target;
};

struct Pairing {
  std::vector<Pair> pairs;
  std::vector<const corpus::ReadFunction *> alone; ///< not checked
};

/// @src with @tgt, @src1 with @tgt1, as alive-tv pairs the functions of a file.
Pairing pairWithin(const std::vector<corpus::ReadFunction> &functions);
/// By name.
Pairing pairAcross(const std::vector<corpus::ReadFunction> &sources,
                   const std::vector<corpus::ReadFunction> &targets);

} // namespace checker
