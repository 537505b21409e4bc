// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/lane_ops/concrete.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace checker {
namespace {

using corpus::Opcode;
using corpus::Predicate;
using corpus::signExtend;
using corpus::Type;

using Signed = __int128;
using Unsigned = unsigned __int128;

/// What an instruction does with operands that are all numbers.
struct Concrete {
  std::uint64_t bits = 0;
  bool overflow = false; ///< second result of with.overflow
  bool ub = false;
  bool poison = false; ///< under every knob
  bool flagViolated = false;
  bool shiftTooWide = false;
};

constexpr unsigned maximumCompletionBits = 20;

bool compare(Predicate predicate, std::uint64_t a, std::uint64_t b,
             unsigned width) {
  const std::int64_t sa = signExtend(a, width);
  const std::int64_t sb = signExtend(b, width);
  switch (predicate) {
  case Predicate::eq:
    return a == b;
  case Predicate::ne:
    return a != b;
  case Predicate::ugt:
    return a > b;
  case Predicate::uge:
    return a >= b;
  case Predicate::ult:
    return a < b;
  case Predicate::ule:
    return a <= b;
  case Predicate::sgt:
    return sa > sb;
  case Predicate::sge:
    return sa >= sb;
  case Predicate::slt:
    return sa < sb;
  case Predicate::sle:
    return sa <= sb;
  }
  __builtin_unreachable();
}

Signed clamp(Signed value, Signed low, Signed high) {
  return std::min(std::max(value, low), high);
}

Concrete evaluateNumbers(const Operation &operation, ShiftRule shiftRule,
                         const std::array<std::uint64_t, 3> &operand) {
  const unsigned width = operation.operandType.width();
  const std::uint64_t mask = operation.operandType.mask();
  const std::uint64_t a = operand[0];
  const std::uint64_t b = operand[1];
  const std::uint64_t c = operand[2];
  const Signed sa = signExtend(a, width);
  const Signed sb = signExtend(b, width);
  const Unsigned ua = a;
  const Unsigned ub = b;
  const Signed smin = -(Signed(1) << (width - 1));
  const Signed smax = -smin - 1;
  const std::uint64_t resultMask =
      operation.type.isInteger() ? operation.type.mask() : mask;

  Concrete result;
  const auto violate = [&](corpus::Flags flag, bool condition) {
    result.flagViolated |= operation.flags.has(flag) && condition;
  };
  const auto bitsOf = [&](Signed value) {
    return static_cast<std::uint64_t>(value) & mask;
  };
  // The exact results: a flag is violated, and a with.overflow overflows, where
  // the truncated result differs from them.
  const auto arithmetic = [&](Signed exactSigned, Signed exactUnsigned) {
    result.bits = bitsOf(exactSigned);
    violate(corpus::flag::nsw, exactSigned != signExtend(result.bits, width));
    violate(corpus::flag::nuw, exactUnsigned != Signed(result.bits));
  };
  const auto multiply = [&] {
    result.bits = bitsOf(sa * sb);
    violate(corpus::flag::nsw, sa * sb != signExtend(result.bits, width));
    // The unsigned product of two 64-bit numbers does not fit Signed.
    violate(corpus::flag::nuw, ua * ub != result.bits);
  };
  const auto withOverflow = [&](Signed exact, bool isSigned) {
    result.bits = bitsOf(exact);
    result.overflow = isSigned ? exact != signExtend(result.bits, width)
                               : exact != Signed(result.bits);
  };
  const auto divides = [&](bool isSigned) {
    result.ub = b == 0 || (isSigned && sa == smin && sb == -1);
    return !result.ub;
  };
  const auto quotient = [&](Signed value, bool hasRemainder) {
    result.bits = bitsOf(value);
    violate(corpus::flag::exact, hasRemainder);
  };
  const auto amount = [&] {
    result.shiftTooWide = b >= width && shiftRule != ShiftRule::masked;
    return static_cast<unsigned>(b % width);
  };
  const auto shiftLeft = [&](unsigned by) {
    result.bits = (a << by) & mask;
    violate(corpus::flag::nuw, result.bits >> by != a);
    violate(corpus::flag::nsw, signExtend(result.bits, width) >> by != sa);
  };
  const auto shiftRight = [&](std::uint64_t shifted) {
    result.bits = shifted;
    violate(corpus::flag::exact, ((shifted << amount()) & mask) != a);
  };
  const auto truncate = [&] {
    result.bits = a & resultMask;
    const Signed back = signExtend(result.bits, operation.type.width());
    violate(corpus::flag::nuw, result.bits != a);
    violate(corpus::flag::nsw, back != sa);
  };
  const auto funnel = [&](std::uint64_t left) {
    const Unsigned both = (ua << width) | ub;
    return static_cast<std::uint64_t>((both << left) >> width) & mask;
  };

  switch (operation.opcode) {
#define LANE(opcode, ...)                                                      \
  case Opcode::opcode: {                                                       \
    __VA_ARGS__;                                                               \
    break;                                                                     \
  }
#include "checker/lane_ops/concrete.def"
#undef LANE
  default:
    assert(false && "not in the table, which the engines declare");
  }
  return result;
}

ElementResult poisonOf(Type type) {
  return {ElementResult::Kind::element, Element::poisonOf(type)};
}

/// What the knobs make of a number result.
ElementResult answer(const Concrete &concrete, const Operation &operation,
                     const Semantics &semantics) {
  if (concrete.ub)
    return {ElementResult::Kind::ub, {}};
  if (concrete.poison)
    return poisonOf(operation.type);
  if (concrete.shiftTooWide)
    return semantics.shiftAmount == ShiftRule::undef
               ? ElementResult{ElementResult::Kind::undef, {}}
               : poisonOf(operation.type);
  if (concrete.flagViolated && semantics.overflow != OverflowRule::wrap)
    return semantics.overflow == OverflowRule::undef
               ? ElementResult{ElementResult::Kind::undef, {}}
               : poisonOf(operation.type);
  return {ElementResult::Kind::element,
          operation.type.isOverflowPair()
              ? Element::pair(concrete.bits, concrete.overflow)
              : Element::number(concrete.bits)};
}

/// Value-wise: at least one operand is poison.
ElementResult evaluatePoison(const Operation &operation,
                             std::span<const Element> operands) {
  if (operation.opcode == Opcode::assume)
    return {ElementResult::Kind::ub, {}};
  if (corpus::info(operation.opcode).has(corpus::trait::division)) {
    const bool isSigned =
        operation.opcode == Opcode::sdiv || operation.opcode == Opcode::srem;
    const Element &divisor = operands[1];
    if (divisor.hasPoison() || divisor.bits == 0 ||
        (isSigned && divisor.bits == operation.operandType.mask()))
      return {ElementResult::Kind::ub, {}};
  }
  return poisonOf(operation.type);
}

/// Bitwise: every completion of the poison bits is tried.
ElementResult evaluateCompletions(const Operation &operation,
                                  const Semantics &semantics,
                                  std::span<const Element> operands) {
  const Type operandType = operation.operandType;
  if (operation.opcode == Opcode::icmp &&
      (operands[0].poison == operandType.mask() ||
       operands[1].poison == operandType.mask()))
    return poisonOf(operation.type);
  unsigned poisonBits = 0;
  for (const Element &operand : operands)
    poisonBits += static_cast<unsigned>(std::popcount(operand.poison));
  if (poisonBits > maximumCompletionBits)
    return {ElementResult::Kind::tooMany, {}};

  std::array<std::uint64_t, 3> number{};
  std::optional<ElementResult> first;
  std::optional<ElementResult> knobAnswer; ///< applies to every bit
  std::uint64_t varying = 0;
  const auto overflowOf = [](const ElementResult &result) {
    return result.element.rest.empty() ? 0 : result.element.rest[0].bits;
  };
  std::uint64_t overflowVaries = 0;
  for (std::uint64_t fill = 0; fill >> poisonBits == 0; ++fill) {
    std::uint64_t rest = fill;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      number[i] = operands[i].bits;
      for (std::uint64_t todo = operands[i].poison; todo != 0;
           todo &= todo - 1, rest >>= 1)
        number[i] |= (rest & 1) != 0 ? todo & -todo : 0;
    }
    ElementResult result =
        answer(evaluateNumbers(operation, semantics.shiftAmount, number),
               operation, semantics);
    if (result.kind == ElementResult::Kind::ub)
      return result;
    const bool isKnobAnswer =
        result.kind == ElementResult::Kind::undef || result.element.hasPoison();
    if (isKnobAnswer && (!knobAnswer || result.element.hasPoison()))
      knobAnswer = result;
    if (!first)
      first = result;
    varying |= result.element.bits ^ first->element.bits;
    overflowVaries |= overflowOf(result) ^ overflowOf(*first);
  }
  if (knobAnswer)
    return *knobAnswer;
  Element element{first->element.bits & ~varying, varying, {}};
  if (operation.type.isOverflowPair())
    element.rest.push_back(
        {overflowOf(*first) & ~overflowVaries, overflowVaries});
  return {ElementResult::Kind::element, std::move(element)};
}

ElementResult evaluateSelect(const Operation &operation,
                             const Semantics &semantics,
                             std::span<const Element> operands) {
  const Element &condition = operands[0];
  if (condition.hasPoison()) {
    switch (semantics.selectCondition) {
    case SelectCondition::ub:
      return {ElementResult::Kind::ub, {}};
    case SelectCondition::nondeterministic:
      return {ElementResult::Kind::eitherArm, {}};
    case SelectCondition::poison:
      return poisonOf(operation.type);
    }
  }
  Element chosen = condition.bits != 0 ? operands[1] : operands[2];
  if (semantics.selectArms == SelectArms::either) {
    chosen.poison = operands[1].poison | operands[2].poison;
    chosen.bits &= ~chosen.poison;
  }
  return {ElementResult::Kind::element, chosen};
}

} // namespace

core::OpcodeSet opcodesOfNumbers() {
  core::OpcodeSet opcodes;
  opcodes.insert(Opcode::select);
#define LANE(opcode, ...) opcodes.insert(Opcode::opcode);
#include "checker/lane_ops/concrete.def"
#undef LANE
  return opcodes;
}

Operation operationOf(const corpus::Program &program,
                      const corpus::Instruction &instruction) {
  return {instruction.opcode, instruction.flags, instruction.predicate,
          instruction.operandCount == 0
              ? Type()
              : program.operandsOf(instruction).front().type,
          instruction.type};
}

ElementResult evaluate(const Operation &operation, const Semantics &semantics,
                       std::span<const Element> operands) {
  if (operation.opcode == Opcode::select)
    return evaluateSelect(operation, semantics, operands);
  if (operation.opcode == Opcode::extractvalue)
    return {ElementResult::Kind::element,
            Element::ofLanes({{operands[0].lane(operands[1].bits)}})};
  const bool anyPoison =
      std::any_of(operands.begin(), operands.end(),
                  [](const Element &operand) { return operand.hasPoison(); });
  if (anyPoison)
    return semantics.poisonUnit == PoisonUnit::value ||
                   operation.opcode == Opcode::assume
               ? evaluatePoison(operation, operands)
               : evaluateCompletions(operation, semantics, operands);
  std::array<std::uint64_t, 3> number{};
  for (std::size_t i = 0; i < operands.size(); ++i)
    number[i] = operands[i].bits;
  return answer(evaluateNumbers(operation, semantics.shiftAmount, number),
                operation, semantics);
}

namespace {

/// Nothing where a value outside of the range is possible: bitwise poison is
/// outside if any completion is. low == high is the full range; a wrapping
/// interval counts modulo 2^width.
bool isInside(const Lane &lane, const corpus::Attributes::Value &range,
              Type type) {
  const std::uint64_t size = (range.high - range.low) & type.mask();
  for (std::uint64_t fill = lane.poison;; fill = (fill - 1) & lane.poison) {
    const std::uint64_t offset = ((lane.bits | fill) - range.low) & type.mask();
    if (size != 0 && offset >= size)
      return false;
    if (fill == 0 || lane.poison == type.mask())
      return true;
  }
}

} // namespace

std::optional<ValueSet> applyAttributes(const corpus::Attributes &attributes,
                                        corpus::Type type, ValueSet set) {
  if (attributes.has(corpus::attribute::range)) {
    const auto &range = attributes.range();
    for (Element &element : set)
      for (unsigned i = 0; i < type.lanes(); ++i)
        if (!isInside(element.lane(i), range, type.lane(i)))
          element.setLane(i, {0, type.lane(i).mask()});
    normalise(set);
  }
  if (attributes.has(corpus::attribute::noundef) &&
      (set.size() > 1 || hasPoison(set)))
    return std::nullopt;
  return set;
}

} // namespace checker
