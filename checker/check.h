// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does a target refine a source? The one door to all engines; it picks by cost.
// Threads: one Checker per thread; it owns the scratch memory that makes
// millions of small checks cheap.
#pragma once

#include "checker/exact/reference.h"
#include "checker/semantics/semantics.h"
#include "checker/semantics/verdict.h"
#include "checker/symbolic/smt.h"
#include "corpus/program/program.h"

#include <memory>

namespace checker {

enum class Engine : std::uint8_t {
  automatic,  ///< by cost: see Checker::check()
  exhaustive, ///< with the reference interpreter for what it lacks
  smt,
  reference,
  both, ///< exhaustive and smt; if they disagree, `undecided` says so
};

enum class WantWitness : bool { no, yes };

/// What one check may cost, engine by engine, in work and not in time, so that
/// verdicts are the same everywhere. Beyond it the answer is `undecided`.
struct Limits {
  double bitSlicedWork = 1 << 28;                        ///< on 512 inputs each
  std::uint64_t setSlicedTerms = std::uint64_t(1) << 31; ///< on 512 inputs each
  std::uint64_t referenceSteps = defaultReferenceSteps;
  std::size_t instructions = 4096; ///< of both programs together
  SmtLimits smt;
  /// Where arguments are sets, wider values are not tried one by one.
  unsigned setWidth = corpus::Type::maximumWidth;
  /// Of memory all contents, and not only those that can matter.
  FullBytes fullBytes = FullBytes::no;

  /// A second or two together: for millions of checks, of which none may look
  /// like a hang. The default is some seconds for each engine.
  static Limits ofCampaign() {
    return {1 << 25, std::uint64_t(1) << 28, 1'000'000, 4096, {4'000'000, 8}};
  }

  /// At most so much: a fraction of a second for each engine.
  Limits quick() const;
  /// For an engine that tries all inputs there is more than `other` gives.
  bool isBeyond(const Limits &other) const;
};

class Checker {
public:
  explicit Checker(const Limits &limits = {});
  ~Checker();
  Checker(Checker &&) noexcept;
  Checker &operator=(Checker &&) noexcept;

  /// Both programs satisfy verify(). Different signatures (apart from
  /// attributes) are `unsupported`. Without a witness a wrong verdict still has
  /// its kind.
  ///
  /// Engine::automatic asks, until one says it: all inputs if they are few;
  /// some inputs, at any width; Z3 for a moment; all inputs if that can be done
  /// at all; Z3 with all that `limits` give. Verdict::choice says which it was.
  /// Where a wrong pair may also show an earlier kind, the reason says so.
  /// Beside a call of a library function that only LLVM knows no verdict is
  /// `wrong`; it is `unsupported` then.
  Verdict check(const corpus::Program &source, const corpus::Program &target,
                const Semantics &semantics,
                WantWitness wantWitness = WantWitness::yes,
                Engine engine = Engine::automatic);

private:
  struct State;

  /// As if nobody knew such a function.
  Verdict checkAsUnknown(const corpus::Program &source,
                         const corpus::Program &target,
                         const Semantics &semantics, WantWitness wantWitness,
                         Engine engine);

  std::unique_ptr<State> state_;
};

} // namespace checker
