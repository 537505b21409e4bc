// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one lane operation computes from one element of each operand, as
// bit-vector terms: the symbolic engine's reading of SEMANTICS section 4, with
// value-wise poison; terms.def has a line for each opcode.
// Threads: terms belong to a Z3 context, and that to one thread.
#pragma once

#include "checker/core/takes.h"

#include <z3++.h>

#include <optional>
#include <span>
#include <vector>

namespace checker::smt {

/// An element of a lane.
struct Term {
  z3::expr bits;
  z3::expr poison; ///< Bool; `bits` mean nothing where it holds
};

/// Boolean terms, folded as far as their operands are literals: what cannot be
/// poison or UB is literally false, and needs no query.
z3::expr either(const z3::expr &a, const z3::expr &b);
z3::expr both(const z3::expr &a, const z3::expr &b);
z3::expr negate(const z3::expr &a);
z3::expr choose(const z3::expr &condition, const z3::expr &then,
                const z3::expr &otherwise);

/// Whether two words of one width have a product that is none of it. `product`:
/// theirs in one bit more, both extended by their sign or by 0.
z3::expr productOverflows(const z3::expr &a, const z3::expr &b,
                          const z3::expr &product, bool isSigned);

/// Makes variables that nobody has seen before.
class FreshVariables {
public:
  explicit FreshVariables(z3::context &context) : context_(context) {}
  z3::expr bits(unsigned width);
  z3::expr boolean();
  z3::context &context() { return context_; }

private:
  z3::context &context_;
  unsigned count_ = 0;
};

struct TermResult {
  Term value;                   ///< meaningless for assume
  std::optional<Term> overflow; ///< of a with.overflow intrinsic
  z3::expr ub;
  z3::expr undef; ///< where the value is any number
};

/// Requires as many operands as the step has, and an opcode of the table.
TermResult evaluate(const core::Step &step, std::span<const Term> operands);

/// The opcodes of the table.
core::OpcodeSet opcodesOfTerms();

} // namespace checker::smt
