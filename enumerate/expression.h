// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions: a few instructions in one line of a table, such as
// `and(x, add(x, -1))`. What idioms and folds are written in.
//
// Opcodes are spelled as in IR without `llvm.`, with flags or a predicate
// behind a space, or `noundef` of what an intrinsic returns. x, y, z stand for
// any value of type T, n and m for any of half its width, c and d for any i1
// (of vectors one for each lane), p and q for pointers, u and v for such as are
// `noalias`, the same letter for the same value. Of constants there are
// numbers, `min` and `max` (signed), `width` and `last` (width - 1), of T or of
// the type of the operand in front, `true` and `false`, `undef` and `poison`,
// and `null`. A cast is to T, or to what is said behind a space: `half` its
// width, `wide` (twice it), one `bit`; so is what is loaded. What stands there
// twice is one instruction with two uses.
//
// A function is an expression that it returns, or statements with `; ` between
// them: `name = expression`, `br(label)`, `br(c, label, label)`,
// `switch(x, label, 1@label, ...)`, `ret(x)`, `ret()`, `unreachable()`,
// `assume(c)`, and `use(x)` or `use()`, which call what nobody knows. Each but
// the first block (`entry`) has `label: ` in front. `phi(x@label, ...)` is of
// type T, or `phi half(...)`, `phi bit(...)`; it may name what comes later.
// What stands in two statements is two instructions, and so is what accesses
// memory: `a = alloca(2)` of so many T, `load(p)`, `store(x, p)`, all aligned
// to one byte, `memcpy(p, q, 2)`, `memset(p, x, 2)`, `begin(a)` and `end(a)` of
// its lifetime. `gep(p, x)` is the address of the T behind so many.
// Threads: none of this has a state.
#pragma once

#include "corpus/program/program.h"
#include "corpus/program/type.h"

#include <string_view>

namespace enumerate {

/// The instructions of an expression over `type`, an integer of two bits or
/// more or a vector of them: without a terminator, parameters in the order of
/// their first use; the result of the last one is the expression's. Requires
/// that it is well-formed, and not a single letter or number.
corpus::Program makeExpression(std::string_view text, corpus::Type type);
/// A function. Requires that it is well-formed, and satisfies
/// corpus::verify().
corpus::Program makeFunction(std::string_view text, corpus::Type type);

} // namespace enumerate
