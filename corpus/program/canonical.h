// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One Program for all that differ only in ways that do not matter: the order of
// commutative operands, icmp mirrored, the order of independent instructions,
// the numbering of arguments, dead instructions. Signatures of bugs rest on it.
//
// The form: operands that may be swapped stand in the order literal < argument
// < instruction, ties by value; instructions stand so that the sequence is the
// least one; arguments are numbered by first use. Instructions move only in
// straight lines, and accesses, calls, assumptions and divisions keep their
// order where there is an access or a call. The result means the same under
// every preset. Threads: pure functions.
#pragma once

#include "corpus/program/program.h"

#include <utility>

namespace corpus {

/// The same program with its arguments numbered by their first use in the order
/// of the operands, and without those that nothing uses (unless they carry
/// attributes).
Program renumberArguments(const Program &program);

/// The program without one instruction. Requires that nothing uses it and that
/// it ends no block.
Program withoutInstruction(const Program &program, std::size_t index);

/// The same program without what has no use and cannot be seen under any preset
/// (a division may be immediate UB, and so may a select).
Program withoutDeadInstructions(const Program &program);

/// Idempotent. The search for the least sequence gives up its guarantee (equal
/// forms for all symmetric programs) when there are too many ties.
Program canonical(const Program &program);

/// Both programs have the same parameter types. Both come out with the same
/// ones again: numbered by first use in the source, then in the target, and
/// without those that neither uses.
std::pair<Program, Program> canonicalPair(const Program &source,
                                          const Program &target);

/// Which of {0, 1, -1, INT_MIN, other} each constant is, and which of the
/// widths above 1, in ascending order, each type has: replaced by a
/// representative, so that pairs that differ in nothing else come out equal.
/// For signatures only; the result need not satisfy verify().
std::pair<Program, Program> abstractPair(const Program &source,
                                         const Program &target);

/// Puts the constants in the order of first use and drops those that nothing
/// uses.
void renumberConstants(Program &program);

} // namespace corpus
