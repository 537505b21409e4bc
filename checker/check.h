// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does a target refine a source? The one door to all engines; it picks by cost.
// Threads: one Checker per thread; it owns the scratch memory that makes
// millions of small checks cheap.
#pragma once

#include "checker/semantics.h"
#include "checker/verdict.h"
#include "corpus/program/program.h"

#include <memory>

namespace checker {

enum class Engine : std::uint8_t {
  automatic,  ///< exhaustive, and smt where the inputs are too many
  exhaustive, ///< with the reference interpreter for what it lacks
  smt,
  reference,
  both, ///< exhaustive and smt; if they disagree, `undecided` says so
};

enum class WantWitness : bool { no, yes };

class Checker {
public:
  Checker();
  ~Checker();
  Checker(Checker &&) noexcept;
  Checker &operator=(Checker &&) noexcept;

  /// Both programs satisfy verify(). Different signatures (apart from
  /// attributes) are `unsupported`. Without a witness a wrong verdict still has
  /// its kind.
  Verdict check(const corpus::Program &source, const corpus::Program &target,
                const Semantics &semantics,
                WantWitness wantWitness = WantWitness::yes,
                Engine engine = Engine::automatic);

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace checker
