// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions: a few instructions in one line of a table, such as
// `and(x, add(x, -1))`. What idioms and folds are written in.
//
// Opcodes are spelled as in IR without `llvm.`, with flags or a predicate
// behind a space. x, y, z stand for any value of type T, n and m for any of
// half its width, c and d for any i1 (of vectors one for each lane), the same
// letter for the same value. Of constants there are numbers, `min` and `max`
// (signed), `width` and `last` (width - 1), of T or of the type of the operand
// in front, and `true` and `false`. A cast is to T, or to what is said behind a
// space: `half` its width, or one `bit`. What stands there twice is one
// instruction with two uses. Threads: none of this has a state.
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
/// The function that returns it.
corpus::Program makeFunction(std::string_view text, corpus::Type type);

} // namespace enumerate
