// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which knobs of a Semantics can matter for a pair of programs: without a
// shift, what an over-wide one gives does not. A campaign under all presets
// checks a pair once for each relevant part and not once for each preset.
// Threads: a value type.
#pragma once

#include "checker/semantics/semantics.h"
#include "corpus/program/program.h"

namespace checker {

class Relevance {
public:
  Relevance(const corpus::Program &source, const corpus::Program &target);

  /// `semantics` with the knobs that cannot matter at their defaults. Two
  /// semantics of equal relevant part give this pair the same verdict.
  Semantics relevantPart(const Semantics &semantics) const;

private:
  void note(const corpus::Program &program);

  bool undef_ = false; ///< as an operand
  bool branch_ = false;
  bool select_ = false;
  bool flag_ = false;
  bool shift_ = false;
  bool memory_ = false;
};

} // namespace checker
