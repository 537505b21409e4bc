// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All programs within one edit of a Program, by index and valid by
// construction: swap the first two operands, replace an operand by anything of
// its type in scope, change an opcode or predicate, toggle a flag, wrap an
// operand into a new instruction, or delete an instruction in favour of
// something of its type in scope; what is promised of the result of an
// intrinsic or a load (noundef, not 0), more or less. With memory also: another
// alignment, two neighbouring accesses exchanged, an attribute of an argument
// that is a pointer more or less.
//
// Constants are all of the type up to i8; of wider types 0, 1, INT_MIN, -1 and
// the neighbours of a constant that stands there.
// Threads: a value type, immutable after construction.
#pragma once

#include "corpus/program/graph.h"

#include <cstdint>
#include <vector>

namespace enumerate {

class Edits {
public:
  enum class Kinds : std::uint8_t {
    all,
    /// None that adds an instruction, and few constants where none stands:
    /// those are most. Of flags any other set.
    few,
  };
  /// Requires a program that satisfies verify().
  explicit Edits(corpus::Program program, Kinds kinds = Kinds::all);

  /// Number of edits; different edits may make the same program.
  std::uint64_t count() const { return count_; }
  /// Requires index < count().
  corpus::Program apply(std::uint64_t index) const;

private:
  enum class Kind : std::uint8_t {
    swap,
    flag,      ///< detail: row of the flag table
    flags,     ///< choice: another set of them
    predicate, ///< choice: one of the others
    opcode,    ///< choice: one of the others that fit
    operand,   ///< detail: which; choice: another candidate
    lane,      ///< of a literal; detail: which; choice: place and value
    wrap,      ///< detail: which; choice: opcode, side, other operand
    freeze,    ///< detail: which
    remove,    ///< choice: candidate that replaces the result
    removeVoid,
    alignment, ///< choice: one of the others
    exchange,  ///< with the next instruction
    attribute, ///< instruction: the parameter; detail: row of the table
    promise,   ///< of its result; detail: the attribute
  };
  struct Site {
    Kind kind;
    std::uint32_t instruction;
    std::uint32_t detail;
    std::uint64_t before; ///< edits of earlier sites
  };

  void addSites(std::uint32_t instruction);
  /// Whether releases that know the program know that flag there.
  bool canHave(const corpus::OpcodeInfo &row, corpus::Flags flag) const;
  /// Whether they know what the result of an instruction is said to be.
  bool canPromise(const corpus::Instruction &instruction,
                  std::uint32_t attribute) const;
  /// All that an instruction of that opcode may have.
  std::vector<corpus::Flags> flagSets(const corpus::OpcodeInfo &row) const;
  void add(Kind kind, std::uint32_t instruction, std::uint32_t detail,
           std::uint64_t choices);
  bool isVisible(std::uint64_t value, std::uint32_t position) const;
  /// Where operand `which` is read: the instruction, or for a phi the end of
  /// the block that it comes from.
  std::uint32_t readAt(std::uint32_t instruction, std::uint32_t which) const;
  /// What may stand at `position` in the place of `now`, itself included.
  std::vector<corpus::Operand> candidates(const corpus::Operand &now,
                                          std::uint32_t position) const;
  corpus::Program insert(std::uint32_t instruction, std::uint32_t which,
                         corpus::Opcode opcode,
                         std::vector<corpus::Operand> operands) const;
  corpus::Program exchange(std::uint32_t instruction) const;
  bool canExchange(std::uint32_t instruction) const;
  corpus::Program remove(std::uint32_t instruction,
                         const corpus::Operand &replacement) const;

  corpus::Program program_;
  Kinds kinds_;
  corpus::Graph graph_;
  bool isModern_;                      ///< has a flag that release 13 lacks
  std::vector<std::uint32_t> blockOf_; ///< by instruction
  std::vector<Site> sites_;
  std::uint64_t count_ = 0;
};

} // namespace enumerate
