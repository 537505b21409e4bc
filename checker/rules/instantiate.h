// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rule at one typing as a pair of Programs, so that every engine and every
// semantics answers for rules as it does for functions.
//
// Symbolic constants are arguments that are `noundef`: the same number on both
// sides. The source begins with what computes the precondition and an assume of
// it. A fact that an analysis claims of an argument holds of numbers only (an
// assume of poison is undefined), so a case of its own has poison in the
// argument's place and no fact. Of what the source computes, which may be
// poison of its own accord, a fact is a branch of the target on frozen values,
// behind whose other side stands the source: what has not the fact is not
// rewritten. Threads: a pure function.
#pragma once

#include "checker/rules/rule.h"
#include "checker/semantics/semantics.h"
#include "corpus/program/program.h"

#include <span>

namespace checker::rules {

/// Everything that a rule leaves open.
struct Choice {
  const Typing *typing = nullptr;
  Root root{};
  /// The register that is looked at, of which the root is a part: the source
  /// computes this too before it returns, and where that is undefined nothing
  /// is asked.
  std::optional<NodeId> executed;
  std::span<const corpus::Predicate> predicates; ///< for rule.openPredicates
  std::uint32_t poison = 0; ///< inputs that are poison, one bit each
  bool undefInputs = false; ///< facts must use an argument only once
  bool poisonBits = false;  ///< an input may be poison in part
  /// One for each symbolic constant, or none: then they are arguments.
  std::span<const std::uint64_t> constants;
  /// Those of `constants` that count, one bit each; others are arguments too.
  std::uint32_t fixedConstants = ~std::uint32_t(0);
  bool hasPrecondition = true;
};

struct Instance {
  corpus::Program source;
  corpus::Program target;
  std::vector<std::string> parameters; ///< `%x`, `C1`, names in the rule
  /// By instruction: the name in the rule, or nothing.
  std::vector<std::string> sourceNames;
  std::vector<std::string> targetNames;
};

/// Requires a rule that is not unsupported, and a semantics without lackOf().
Instance instantiate(const Rule &rule, const Choice &choice);

/// The precondition holds of these constants. Requires one that speaks of
/// constants only.
bool holds(const Rule &rule, const Typing &typing,
           std::span<const std::uint64_t> constants);

/// The inputs of which the precondition claims a fact, one bit each, and those
/// of which the source begins with a theorem: that a / b * b is a where nothing
/// remains, which Z3 does not find by itself.
std::uint32_t inputsWithFacts(const Rule &rule);

/// The precondition says what an analysis knows of some value.
bool claimsFacts(const Rule &rule);

/// Facts that this semantics gives no meaning here.
std::optional<std::string> lackOf(const Rule &rule, const Semantics &semantics);

corpus::Type typeOf(const Rule &rule, const Typing &typing, NodeId node);

} // namespace checker::rules
