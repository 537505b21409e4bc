// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Program: one small SSA function in our own compact form; what is enumerated,
// optimized, checked and stored. It knows nothing of LLVM.
//
// Layout: flat arrays. `blocks` cut `instructions` into consecutive runs, every
// instruction names a run of `operands`. A straight-line program is one block
// whose last instruction is `ret`. Names are not part of a Program.
//
// Invariants (verify() checks them): operands are dominated, typed as
// opcode.def says, phis first in their block, each block ends in its only
// terminator, the entry block has no predecessors.
// Threads: a value type; distinct objects may be used from distinct threads.
#pragma once

#include "corpus/program/attribute.h"
#include "corpus/program/opcode.h"
#include "corpus/program/type.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace corpus {

struct Operand {
  enum class Kind : std::uint8_t {
    constant,    ///< payload: bits of an integer; 0: the null pointer
    undef,       ///< payload: 0; every lane of the type
    poison,      ///< payload: 0; every lane of the type
    argument,    ///< payload: index into the parameters
    instruction, ///< payload: index into Program::instructions
    block,       ///< payload: index into Program::blocks; type void
    pooled,      ///< payload: index into Program::constants
    global,      ///< payload: index into Program::globals; type ptr
  };

  Kind kind = Kind::constant;
  Type type;
  std::uint64_t payload = 0;

  static constexpr Operand constant(Type type, std::uint64_t bits) {
    return {Kind::constant, type, bits & type.mask()};
  }
  static constexpr Operand null() {
    return {Kind::constant, Type::pointer(), 0};
  }
  static constexpr Operand undef(Type type) { return {Kind::undef, type, 0}; }
  static constexpr Operand poison(Type type) { return {Kind::poison, type, 0}; }
  static constexpr Operand argument(Type type, std::uint64_t index) {
    return {Kind::argument, type, index};
  }
  static constexpr Operand instruction(Type type, std::uint64_t index) {
    return {Kind::instruction, type, index};
  }
  static constexpr Operand block(std::uint64_t index) {
    return {Kind::block, Type(), index};
  }
  static constexpr Operand pooled(Type type, std::uint64_t index) {
    return {Kind::pooled, type, index};
  }
  static constexpr Operand global(std::uint64_t index) {
    return {Kind::global, Type::pointer(), index};
  }

  constexpr bool is(Kind k) const { return kind == k; }
  /// constant, undef, poison or pooled: nothing to compute.
  constexpr bool isLiteral() const {
    return kind <= Kind::poison || kind == Kind::pooled;
  }
  friend constexpr bool operator==(const Operand &, const Operand &) = default;
};

/// A constant that does not fit an operand: of a vector or an aggregate, one
/// literal for each lane. All lanes undef or all poison is an operand instead.
struct Constant {
  Type type;
  std::vector<Operand> lanes; ///< constant, undef or poison
  friend bool operator==(const Constant &, const Constant &) = default;
};

struct Parameter {
  Type type;
  Attributes attributes;
  friend bool operator==(const Parameter &, const Parameter &) = default;
};

/// A global variable of another module, at an address of its own that is not
/// null.
struct Global {
  std::string name;
  Type type;                   ///< a scalar or a vector
  std::uint64_t count = 1;     ///< that many of them, one behind the other
  std::uint32_t alignment = 1; ///< in bytes, a power of two
  bool isConstant = false;     ///< nobody writes it
  /// Of a constant one, byte by byte; empty: any contents.
  std::vector<std::uint8_t> contents;
  friend bool operator==(const Global &, const Global &) = default;
};

/// Attributes of one call site, beside those its callee declares. Intrinsics
/// have call sites too (`range` on the result of llvm.ctpop). The `result` of a
/// load is its metadata.
struct CallAttributes {
  Attributes function;
  Attributes result;
  std::vector<Attributes> parameters; ///< empty, or one for each argument
  friend bool operator==(const CallAttributes &,
                         const CallAttributes &) = default;
};

/// What a function, ours or a called one, shows to the outside.
struct Signature {
  Type returnType;
  Attributes function;
  Attributes result;
  std::vector<Parameter> parameters;
  friend bool operator==(const Signature &, const Signature &) = default;
};

/// An external function, known by its name; traces compare names.
struct Callee {
  std::string name;
  Signature signature;

  /// Whoever is called through a pointer, which is the first operand then:
  /// there is one of each type, made by indirectCallee().
  bool isIndirect() const { return name.starts_with('*'); }
  friend bool operator==(const Callee &, const Callee &) = default;
};

/// Of functions of that type. What it is called through must be defined, and
/// not null.
Callee indirectCallee(Type result, std::span<const Type> parameters);

struct Instruction {
  /// In `attributes`: the call site adds none.
  static constexpr std::uint32_t noAttributes = ~std::uint32_t(0);

  Opcode opcode = Opcode::ret;
  Flags flags;
  Predicate predicate = Predicate::eq; ///< of icmp; eq elsewhere
  Type type;                           ///< of the result; void without one
  std::uint32_t firstOperand = 0;      ///< index into Program::operands
  std::uint32_t operandCount = 0;
  std::uint32_t callee = 0; ///< of call: index into Program::callees
  std::uint32_t attributes = noAttributes; ///< index into callAttributes
  // Only of opcodes whose row has the trait.
  Type accessedType;           ///< of an allocation: a scalar or a vector
  std::uint32_t alignment = 0; ///< in bytes, a power of two
  friend bool operator==(const Instruction &, const Instruction &) = default;
};

/// Operands by opcode, where the shape leaves it open:
///   getelementptr  base, index, scale, index, scale, ...: base + sum of
///           index * scale, which is a constant, step by step; indices are
///           signed
///   phi     value, block, value, block, ...
///   call    the arguments
///   ret     nothing, or the value
///   br      block | condition, block if true, block if false
///   switch  value, default block, constant, block, constant, block, ...
struct Block {
  std::uint32_t begin = 0; ///< index of the first instruction
  std::uint32_t end = 0;   ///< one past the terminator
  friend bool operator==(const Block &, const Block &) = default;
};

struct Program {
  Signature signature;
  std::vector<Block> blocks;
  std::vector<Instruction> instructions;
  std::vector<Operand> operands;
  std::vector<Callee> callees;
  std::vector<CallAttributes> callAttributes;
  std::vector<Constant> constants; ///< no two are equal
  std::vector<Global> globals;     ///< no two have one name
  /// The first byte of a value in memory is its highest one. Only where
  /// hasByteOrder().
  bool bigEndian = false;

  friend bool operator==(const Program &, const Program &) = default;

  std::span<const Operand> operandsOf(const Instruction &instruction) const {
    return {operands.data() + instruction.firstOperand,
            instruction.operandCount};
  }
  std::span<Operand> operandsOf(const Instruction &instruction) {
    return {operands.data() + instruction.firstOperand,
            instruction.operandCount};
  }

  /// Keeps the capacity of every array.
  void clear();

  /// The same without blocks, instructions and operands.
  Program withoutBlocks() const;

  /// Opens a block behind the last one; the following append() go there.
  void beginBlock();
  /// Appends an instruction to the last block (opening the entry if there is
  /// none) and returns an operand that names its result.
  Operand append(Opcode opcode, Type type, std::span<const Operand> operands,
                 Flags flags = {}, Predicate predicate = Predicate::eq);
  /// Appends a copy of an instruction with these operands.
  Operand append(Instruction like, std::span<const Operand> operands);
  Operand append(Opcode opcode, Type type,
                 std::initializer_list<Operand> operands, Flags flags = {},
                 Predicate predicate = Predicate::eq) {
    return append(opcode, type, std::span(operands.begin(), operands.size()),
                  flags, predicate);
  }
  /// An operand that is this constant of a vector or an aggregate. Requires one
  /// literal for each lane; shares equal ones.
  Operand literal(Type type, std::vector<Operand> lanes);
  /// Adds a parameter and returns an operand that names it.
  Operand addParameter(Type type, Attributes attributes = {});

  /// One block, ending in `ret`.
  bool isStraightLine() const;
  /// Instructions that are not terminators.
  unsigned instructionCount() const;
};

/// Bytes from one value to the next in an allocation: those that it takes in
/// memory, rounded up to a power of two. Requires a scalar or a vector.
std::uint64_t allocationSize(Type type);
/// Bytes that a value of this type takes in memory.
constexpr std::uint64_t storeSize(Type type) { return (type.bits() + 7) / 8; }
/// Allocations and variables have fewer bytes than this.
inline constexpr std::uint64_t maximumAllocation = std::uint64_t(1) << 32;

/// Bits of the attributes of what a call calls, those of the call site among
/// them. Requires an instruction with the trait `callee`.
std::uint32_t functionAttributeBits(const Program &program,
                                    const Instruction &call);

/// Under some preset executing it may be seen even if nothing uses its result:
/// as UB, as a call, as memory, as the end of a block.
bool mayBeSeen(const Instruction &instruction);

/// Whether an instruction has the trait `byteOrder`.
bool hasByteOrder(const Program &program);

/// Why `program` breaks an invariant, or nothing.
std::optional<std::string> verify(const Program &program);

} // namespace corpus
