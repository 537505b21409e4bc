// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Program as LLVM IR text that opt reads back. Arguments are %a, %b, ...,
// results %v0, %v1, ..., blocks entry, b1, b2, .... The same Program always
// prints the same text.
#pragma once

#include "corpus/program/program.h"

#include <string>
#include <string_view>

namespace corpus {

/// A whole module: the declarations that the function needs, then the function
/// `@name`, `@name.1` if a callee has that name. `release` is the LLVM major
/// release that shall read it (attribute spellings differ).
std::string printModule(const Program &program, std::string_view name = "f",
                        unsigned release = 22);
/// The `define` alone, without declarations.
std::string printFunction(const Program &program, std::string_view name = "f",
                          unsigned release = 22);
/// @src, @tgt and the declarations that they need, as `irsieve check` and
/// alive-tv take them.
std::string printPair(const Program &source, const Program &target,
                      unsigned release = 22);
/// One `declare` line for each callee and intrinsic of the program, in order of
/// first use.
std::vector<std::string> printDeclarations(const Program &program,
                                           unsigned release = 22);
/// One instruction without indentation: `%v0 = add nsw i4 %a, 1`.
std::string printInstruction(const Program &program, std::size_t index);
/// `%a`, `%v0`, `-3`, `true`, `undef`, without the type.
std::string printOperand(const Program &program, const Operand &operand);
/// Name with its sigil: `%a`, `%v0`.
std::string argumentName(std::size_t index);
std::string resultName(std::size_t index);

} // namespace corpus
