// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the C and C++ libraries that the checker knows, as data: those
// that allocate and free, look at bytes, or copy them. LLVM knows them by name
// too, and more, of which there are just the names. Source: C17 7.22.3
// and 7.24, of numbers in texts 7.22.1, C++17 [new.delete]; of memrchr the GNU
// C library, of memccpy and stpcpy POSIX, of strlcpy the BSDs. Threads:
// immutable data.
#pragma once

#include "corpus/program/program.h"

namespace corpus {

/// What was allocated by one is freed by the same.
enum class HeapFamily : std::uint8_t { none, malloc, new_, newArray };

enum class LibraryAction : std::uint8_t {
  allocate,
  reallocate,
  free,
  compare, ///< bytes; the sign of the result says which are larger
  differ,  ///< bytes; the result is 0 if all are equal
  length,  ///< bytes in front of the first 0
  find,    ///< where a byte stands, or null
  // Of two strings, the second one as a set of bytes or as a whole.
  span, ///< bytes of the first one that are in the set, in front of others
  spanOthers,  ///< the reverse
  findAny,     ///< the first one that is in the set, or null
  findString,  ///< where the second one stands in the first one, or null
  parse,       ///< a number that is written there
  copy,        ///< bytes of the second operand to where the first one points
  append,      ///< the same, to where a 0 stands behind that
  copyFitting, ///< what fits, with a 0 behind it; the result is how long all is
  copyAll,     ///< so many
  fill,        ///< so many, with the second operand
};

struct LibraryFunction {
  static constexpr std::uint8_t noOperand = 0xff;

  std::string_view name;
  /// The result, then the parameters: v void, p ptr, b i8, h i16, i i32, l i64,
  /// x any integer; a dot at the end: and more of any type.
  std::string_view types;
  LibraryAction action = LibraryAction::allocate;
  HeapFamily family = HeapFamily::none;
  // Which operands say what. The block that is freed, or moved, is the first
  // one, what is read the first, or the first two.
  std::uint8_t size = noOperand;  ///< bytes, of those that read the most
  std::uint8_t count = noOperand; ///< of that size each
  std::uint8_t alignment = noOperand;
  bool isZeroed = false;
  bool mayFail = false; ///< the result may be null
  // Of those that read.
  /// Byte after byte, no further than a 0, or what decides; else all are there.
  bool isSequential = false;
  bool endsAtZero = false;
  bool isLast = false; ///< of find: not the first one
  // Of those that copy, up to a 0, or the byte that an operand names, with it.
  bool isPadded = false; ///< with 0 up to the size
  /// The place of that 0, or behind that byte, or null; of copyAll behind all.
  bool returnsEnd = false;
  /// Of copyAll and fill: so many bytes are there to be written, or the program
  /// ends.
  std::uint8_t limit = noOperand;
  bool mayOverlap = false;
  // Of parse.
  std::uint8_t base = noOperand; ///< of the number; else it is 10
  std::uint8_t rest = noOperand; ///< where to store what follows, or null
  bool isUnsigned = false;

  /// Of C++.
  bool isOperator() const {
    return family == HeapFamily::new_ || family == HeapFamily::newArray;
  }
  /// Its result depends on what it reads and nothing else; it writes nothing.
  bool reads() const {
    return action >= LibraryAction::compare &&
           action <= LibraryAction::findString;
  }
  bool writes() const { return action >= LibraryAction::parse; }
  /// From the last byte down, no further than what decides.
  bool isBackward() const {
    return action == LibraryAction::find && isLast && !endsAtZero;
  }
};

/// Blocks are aligned for any type: max_align_t, where pointers have 64 bits.
inline constexpr std::uint32_t heapAlignment = 16;

/// By name and types; nothing if it is none of them.
const LibraryFunction *libraryFunctionOf(const Callee &callee);
/// Nothing if it is no call, too.
const LibraryFunction *libraryFunctionOf(const Program &program,
                                         const Instruction &instruction);

struct CallInProgram {
  const Instruction *instruction;
  bool isInLoop;
};
/// Of other functions than these, in the order of blocks.
std::vector<CallInProgram> callsIn(const Program &program);

/// The name of a library function that LLVM knows by name and types and the
/// checker does not, or empty. A variadic one, as a callee, has its types
/// behind its name: `printf.ptr.i32`. To the checker such a callee may do
/// anything; LLVM may use what it does, so that only a verdict `refines` counts
/// beside it.
std::string_view unknownLibraryFunction(const Callee &callee);
/// One of either kind has that name. With other types, and under a data layout
/// with pointers of 64 bits, it is an ordinary function to LLVM.
bool isLibraryName(std::string_view name);

} // namespace corpus
