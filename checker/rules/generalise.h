// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From one function and what a pass made of it to a rule: constants become
// symbols, those of the target expressions over them, types open, and what the
// rule then needs (a precondition, flags) is inferred and proved.
// Threads: pure functions.
#pragma once

#include "checker/rules/prove.h"
#include "corpus/program/program.h"

namespace checker::rules {

struct Rewrite {
  corpus::Program source;
  corpus::Program target;
  /// A change of a wrong target that makes it right: what is general is then
  /// that which the same change makes right.
  std::optional<corpus::Program> repaired = std::nullopt;
};

struct Generalisation {
  Rule rule;   ///< the most general one that is as wrong, or as right, as seen
  Proof proof; ///< of `rule`
  /// Of a wrong rule: constants for which it is wrong; empty where it always is
  /// or the vocabulary has no word for it.
  std::string wrongWhen;
  /// Of a wrong rule: with a precondition or with flags of its source that make
  /// it right.
  std::optional<Rule> repaired;
};

/// `seen`: the rewrite, then perhaps the same one at other widths and
/// constants, which decides between expressions that agree on the first.
/// Nothing for what the language cannot say: branches, calls, intrinsics,
/// attributes.
std::optional<Generalisation> generalise(std::span<const Rewrite> seen,
                                         const Semantics &semantics,
                                         Prover &prover);

/// `wrong for i2-i64 when C1 u>= C2; right when C1 u< C2`, the rule and the
/// repaired one. Lines end in newlines.
std::string toText(const Generalisation &generalisation);

} // namespace checker::rules
