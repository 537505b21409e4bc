// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rule of Alive's language (Lopes et al., PLDI 2015, section 2): a source and
// a target template over inputs, symbolic constants and open integer types, and
// a precondition. What a rule means is instantiate.h's.
//
// Invariants: operands stand before the node that has them; every node has a
// type variable of `types`; `unsupported` names the first construct that only
// the grammar knows, and then nothing else of the rule may be used.
// Threads: a value type.
#pragma once

#include "checker/rules/types.h"
#include "corpus/program/opcode.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace checker::rules {

/// Operators on constants, with the meaning that SMT-LIB gives to bit-vectors:
/// all are total (x /u 0 is -1, x << 64 is 0).
enum class Operator : std::uint8_t {
  multiply,
  sdiv,
  srem,
  udiv,
  urem,
  add,
  sub,
  shl,
  ashr,
  lshr,
  and_,
  xor_,
  or_,
};

struct OperatorInfo {
  Operator op;
  std::string_view spelling;
  unsigned precedence; ///< the higher the tighter
  corpus::Opcode opcode;
};

inline constexpr std::array<OperatorInfo, 13> operatorTable = {{
    {Operator::multiply, "*", 6, corpus::Opcode::mul},
    {Operator::sdiv, "/", 6, corpus::Opcode::sdiv},
    {Operator::srem, "%", 6, corpus::Opcode::srem},
    {Operator::udiv, "/u", 6, corpus::Opcode::udiv},
    {Operator::urem, "%u", 6, corpus::Opcode::urem},
    {Operator::add, "+", 5, corpus::Opcode::add},
    {Operator::sub, "-", 5, corpus::Opcode::sub},
    {Operator::shl, "<<", 4, corpus::Opcode::shl},
    {Operator::ashr, ">>", 4, corpus::Opcode::ashr},
    {Operator::lshr, "u>>", 4, corpus::Opcode::lshr},
    {Operator::and_, "&", 3, corpus::Opcode::and_},
    {Operator::xor_, "^", 2, corpus::Opcode::xor_},
    {Operator::or_, "|", 1, corpus::Opcode::or_},
}};

constexpr const OperatorInfo &info(Operator op) {
  return operatorTable[static_cast<std::size_t>(op)];
}

/// Functions on constants. Of a value that is not constant, the last three are
/// what an analysis of the compiler knows, anything that is true of it.
enum class Function : std::uint8_t {
  abs,
  countLeadingZeros,
  countTrailingZeros,
  log2, ///< rounded down; 0 of 0
  lshr,
  max,
  sext,
  trunc,
  umax,
  width,
  zext,
  numSignBits,
  knownOneBits,
  knownZeroBits,
};

/// How the types of a function's arguments and its result hang together.
enum class FunctionShape : std::uint8_t { same, widens, narrows, open };

struct FunctionInfo {
  Function function;
  std::string_view spelling;
  unsigned arguments;
  FunctionShape shape;
};

inline constexpr std::array<FunctionInfo, 14> functionTable = {{
    {Function::abs, "abs", 1, FunctionShape::same},
    {Function::countLeadingZeros, "countLeadingZeros", 1, FunctionShape::open},
    {Function::countTrailingZeros, "countTrailingZeros", 1,
     FunctionShape::open},
    {Function::log2, "log2", 1, FunctionShape::open},
    {Function::lshr, "lshr", 2, FunctionShape::same},
    {Function::max, "max", 2, FunctionShape::same},
    {Function::sext, "sext", 1, FunctionShape::widens},
    {Function::trunc, "trunc", 1, FunctionShape::narrows},
    {Function::umax, "umax", 2, FunctionShape::same},
    {Function::width, "width", 1, FunctionShape::open},
    {Function::zext, "zext", 1, FunctionShape::widens},
    {Function::numSignBits, "ComputeNumSignBits", 1, FunctionShape::open},
    {Function::knownOneBits, "computeKnownOneBits", 1, FunctionShape::same},
    {Function::knownZeroBits, "computeKnownZeroBits", 1, FunctionShape::same},
}};

constexpr const FunctionInfo &info(Function function) {
  return functionTable[static_cast<std::size_t>(function)];
}

/// The built-in predicates: of constants exact, of other values something that
/// an analysis knows when it says so, and may not know.
enum class Analysis : std::uint8_t {
  isPowerOf2,
  isPowerOf2OrZero,
  isShiftedMask,
  isSignBit,
  maskedValueIsZero,
  noOverflowSignedAdd,
  noOverflowUnsignedAdd,
  noOverflowSignedSub,
  noOverflowUnsignedSub,
  noOverflowSignedMul,
  noOverflowUnsignedMul,
  noOverflowUnsignedShl,
  hasOneUse,
  equivalentAddressValues,
};

struct AnalysisInfo {
  Analysis analysis;
  std::string_view spelling;
  unsigned arguments;
};

inline constexpr std::array<AnalysisInfo, 14> analysisTable = {{
    {Analysis::isPowerOf2, "isPowerOf2", 1},
    {Analysis::isPowerOf2OrZero, "isPowerOf2OrZero", 1},
    {Analysis::isShiftedMask, "isShiftedMask", 1},
    {Analysis::isSignBit, "isSignBit", 1},
    {Analysis::maskedValueIsZero, "MaskedValueIsZero", 2},
    {Analysis::noOverflowSignedAdd, "WillNotOverflowSignedAdd", 2},
    {Analysis::noOverflowUnsignedAdd, "WillNotOverflowUnsignedAdd", 2},
    {Analysis::noOverflowSignedSub, "WillNotOverflowSignedSub", 2},
    {Analysis::noOverflowUnsignedSub, "WillNotOverflowUnsignedSub", 2},
    {Analysis::noOverflowSignedMul, "WillNotOverflowSignedMul", 2},
    {Analysis::noOverflowUnsignedMul, "WillNotOverflowUnsignedMul", 2},
    {Analysis::noOverflowUnsignedShl, "WillNotOverflowUnsignedShl", 2},
    {Analysis::hasOneUse, "hasOneUse", 1},
    {Analysis::equivalentAddressValues, "equivalentAddressValues", 2},
}};

constexpr const AnalysisInfo &info(Analysis analysis) {
  return analysisTable[static_cast<std::size_t>(analysis)];
}

using NodeId = std::uint32_t;

/// A value of the templates or of a constant expression.
struct Node {
  enum class Kind : std::uint8_t {
    input,       ///< %x that no instruction of the source makes
    symbol,      ///< C, C1: a constant of the compiled program
    literal,     ///< a number, read as two's complement of the type's width
    undef,       ///< one pick at each use, as the program's
    instruction, ///< `opcode`, `flags`, and for icmp `predicate`
    copy,        ///< %x = %y
    resize,      ///< ZExtOrTrunc, of constants and of values
    operation,   ///< `op` of two constants
    complement,  ///< ~ of a constant
    negation,    ///< - of a constant
    function,    ///< `function` of one or two
  };

  Kind kind = Kind::literal;
  TypeVariable type = 0;
  std::string name; ///< `%x`, `C1`; empty of literals and expressions
  corpus::Opcode opcode = corpus::Opcode::add;
  corpus::Flags flags;
  corpus::Predicate predicate = corpus::Predicate::eq;
  /// icmp without a predicate has any: the index of that choice.
  std::optional<unsigned> openPredicate;
  Operator op = Operator::add;
  Function function = Function::abs;
  std::vector<NodeId> operands;
  std::uint64_t literal = 0; ///< 64-bit two's complement
  unsigned line = 0;

  bool isTemporary() const {
    return kind == Kind::instruction || kind == Kind::copy ||
           kind == Kind::resize;
  }
};

struct Condition {
  enum class Kind : std::uint8_t {
    always,
    negation,
    conjunction,
    disjunction,
    comparison, ///< `predicate` of two constants
    analysis,
  };
  Kind kind = Kind::always;
  std::vector<Condition> operands;
  corpus::Predicate predicate = corpus::Predicate::eq;
  Analysis analysis = Analysis::isPowerOf2;
  std::vector<NodeId> arguments;
};

/// A register that both templates define: where the target refines the source.
struct Root {
  NodeId source;
  NodeId target;
};

struct Rule {
  std::string name;
  unsigned line = 0; ///< where it begins
  std::vector<Node> nodes;
  std::vector<NodeId> inputs;  ///< in order of appearance
  std::vector<NodeId> symbols; ///< in order of appearance
  std::vector<NodeId> source;  ///< temporaries in order of definition
  std::vector<NodeId> target;
  std::vector<std::string> openPredicates; ///< names of predicate choices
  Condition precondition;
  std::vector<Root> roots; ///< the last one is what the rule rewrites
  TypeSystem types;
  std::optional<std::string> unsupported;

  bool isConstant(NodeId node) const;
  /// How often an instruction of the source template uses the node.
  unsigned uses(NodeId node) const;
};

} // namespace checker::rules
