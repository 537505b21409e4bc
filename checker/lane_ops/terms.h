// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one instruction computes from one element of each operand, as bit-vector
// terms: the symbolic engine's reading of SEMANTICS section 4, with value-wise
// poison. Freeze, phi, calls and terminators are in symbolic/symbolic_run.h.
// Threads: terms belong to a Z3 context, and that to one thread.
#pragma once

#include "checker/lane_ops/concrete.h"

#include <z3++.h>

#include <span>
#include <vector>

namespace checker::smt {

/// An element of a register. The pair of a with.overflow intrinsic is one
/// bit-vector, the overflow bit above the number; both are poison or neither.
struct Term {
  z3::expr bits;
  z3::expr poison; ///< Bool; `bits` mean nothing where it holds
};

/// Bits of a term of that type.
unsigned bitsOf(corpus::Type type);

/// Boolean terms, folded as far as their operands are literals: what cannot be
/// poison or UB is literally false, and needs no query.
z3::expr either(const z3::expr &a, const z3::expr &b);
z3::expr both(const z3::expr &a, const z3::expr &b);
z3::expr negate(const z3::expr &a);
z3::expr choose(const z3::expr &condition, const z3::expr &then,
                const z3::expr &otherwise);

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
  Term value; ///< meaningless for assume
  z3::expr ub;
  std::vector<z3::expr> choices; ///< new: the undef that a knob gives
  std::vector<z3::expr> forks;   ///< new: a knob's nondeterminism
};

/// Requires as many operands as the shape of the opcode has.
TermResult evaluate(const Operation &operation, const Semantics &semantics,
                    std::span<const Term> operands, FreshVariables &fresh);

} // namespace checker::smt
