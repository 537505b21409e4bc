// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a rule's author may leave to us: the flags (Alive paper, section 3.4:
// the weakest of the source, the strongest of the target) and a precondition on
// the constants.
//
// Both are found on all inputs of a few narrow types and then proved for all
// typings. Taking a flag from the source, or giving one to the target, never
// makes a wrong rule right.
// Threads: pure functions.
#pragma once

#include "checker/rules/prove.h"
#include "corpus/program/result.h"

namespace checker::rules {

/// `nsw of %r`.
std::string flagsText(const Rule &rule, NodeId node, corpus::Flags flags);

struct FlagInference {
  /// The rule with as few flags in its source as keep it right, every way that
  /// has no smaller one inside; target as written. Empty: no flags make it
  /// right. The first ones only, where there are many.
  std::vector<Rule> weakestSources;
  /// The rule with its source as written and all flags in its target that keep
  /// it right; nothing when it is wrong as written, or isLate.
  std::optional<Rule> strongestTarget;
  bool isLate = false; ///< the prover's time was over before the end
};

FlagInference inferFlags(const Rule &rule, const Semantics &semantics,
                         Prover &prover);

struct PreconditionInference {
  Rule rule; ///< with the inferred precondition behind its own
  /// On the table of constants at narrow types: how many of the right ones the
  /// precondition allows. It allows none of the wrong ones.
  unsigned allowed = 0;
  unsigned right = 0;
  unsigned wrong = 0;
};

/// The weakest precondition from a vocabulary of comparisons and predicates of
/// one or two constants, joined by && and ||. Nothing where the rule has no
/// constants, needs none, or the vocabulary does not do. `wanted` false: when
/// is the rule *wrong* whatever the inputs; then no precondition of the result
/// allows a right one.
std::optional<PreconditionInference>
inferPrecondition(const Rule &rule, const Semantics &semantics, Prover &prover,
                  bool wantRight = true);

/// The same rule with another precondition; nothing when its constants cannot
/// have the types that that needs.
std::optional<Rule> withPrecondition(const Rule &rule,
                                     const std::string &condition);

/// All typings whose widths are at most `width`, a few of them.
std::vector<Typing> narrowTypings(const Rule &rule, unsigned width);

} // namespace checker::rules
