// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Is a rule right at every typing? Each feasible one up to 64 bits is a check
// of its own, by the exhaustive engine where that can and by the symbolic one
// above.
// Threads: one Prover per thread.
#pragma once

#include "checker/check.h"
#include "checker/rules/instantiate.h"
#include "checker/rules/rule.h"

#include <ctime>
#include <limits>
#include <map>
#include <span>

namespace checker::rules {

struct ProofLimits {
  /// Of each check; the engines' own limits, in work and not in time.
  Limits check = {
      1 << 19, std::uint64_t(1) << 24, 100'000, 4096, {40'000'000, 1}};
  /// Of each rule, all semantics together, of this process's CPU time; what is
  /// left then is undecided.
  double seconds = 60;
  /// Of all rules of one prover, likewise.
  double allSeconds = std::numeric_limits<double>::infinity();
  /// Typings with wider open types are left out.
  unsigned width = corpus::Type::maximumWidth;
  /// Of a rule with more of them only the narrower ones are looked at.
  std::size_t maximumTypings = 300'000;
  /// Typings without an answer after which wider ones are not tried.
  unsigned giveUpAfter = 3;
};

/// A rule under one semantics.
struct Proof {
  VerdictWord word = VerdictWord::refines;
  Kind kind = Kind::value;    ///< of wrong: of the counterexample
  std::string reason;         ///< of unsupported and undecided
  std::string counterexample; ///< as the Alive paper prints it
  unsigned typings = 0;       ///< feasible ones
  unsigned right = 0;
  unsigned wrong = 0;
  /// By width, where one type is open and all others follow: what each width
  /// showed. Widths without an answer are missing.
  std::map<unsigned, bool> isRight;
  bool hasOneOpenType = false;
  double seconds = 0; ///< CPU time
};

class Prover {
public:
  explicit Prover(const ProofLimits &limits = {},
                  Engine engine = Engine::automatic);

  /// One answer for each semantics, in that order.
  std::vector<Proof> prove(const Rule &rule,
                           const std::vector<Semantics> &semantics);

  /// At the given typing alone: the first verdict that is not `refines`.
  Verdict check(const Rule &rule, const Typing &typing,
                const Semantics &semantics,
                std::span<const std::uint64_t> constants = {},
                bool hasPrecondition = true);

  const ProofLimits &limits() const { return limits_; }

private:
  bool isRightInParts(const Rule &rule, const Choice &choice,
                      const Semantics &semantics, Checker &checker);
  Verdict checkCase(const Rule &rule, const Choice &choice,
                    const Semantics &semantics, WantWitness wantWitness,
                    Instance &instance, Checker &checker);
  bool isRightByOperands(const Rule &rule, const Choice &choice,
                         const Semantics &semantics, Checker &checker);
  bool isRightByConstants(const Rule &rule, const Choice &choice,
                          const Semantics &semantics, Checker &checker);
  std::string counterexample(const Rule &rule, const Choice &choice,
                             const Semantics &semantics,
                             const Instance &instance, const Verdict &verdict,
                             std::vector<std::uint64_t> &constants);
  bool isWrongLike(const Rule &rule, const Typing &typing,
                   const Semantics &semantics,
                   std::span<const std::uint64_t> constants,
                   const Typing &narrow);

  ProofLimits limits_;
  std::clock_t begin_ = std::clock();
  Engine engine_;
  Checker checker_;
  Checker quick_; ///< for what is tried first
};

/// `right for i1-i64`, `wrong for i2-i64, right for i1`, `wrong for 12 of 64
/// typings`.
std::string widthsOf(const Proof &proof);

/// How hard a counterexample at that width is to read; i4 and i8 are easy.
unsigned readingRank(unsigned width);

/// Feasible typings, those first at which counterexamples are easy to read: i4
/// and i8, then the narrow ones; none with an open type wider than `width`.
std::vector<Typing> typingsOf(const Rule &rule,
                              unsigned width = corpus::Type::maximumWidth);

} // namespace checker::rules
