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
  const auto has = [&](corpus::Flags flag) {
    return operation.flags.has(flag);
  };

  Concrete result;
  // The exact results: a flag is violated, and a with.overflow overflows, where
  // the truncated result differs from them.
  const auto arithmetic = [&](Signed exactSigned, Signed exactUnsigned) {
    result.bits = static_cast<std::uint64_t>(exactSigned) & mask;
    const bool signedOverflow = exactSigned != signExtend(result.bits, width);
    const bool unsignedOverflow = exactUnsigned != Signed(result.bits);
    result.flagViolated = (has(corpus::flag::nsw) && signedOverflow) ||
                          (has(corpus::flag::nuw) && unsignedOverflow);
  };
  const auto withOverflow = [&](Signed exact, bool isSigned) {
    result.bits = static_cast<std::uint64_t>(exact) & mask;
    result.overflow = isSigned ? exact != signExtend(result.bits, width)
                               : exact != Signed(result.bits);
  };
  const auto bitsOf = [&](Signed value) {
    return static_cast<std::uint64_t>(value) & mask;
  };
  const auto amount = [&] {
    result.shiftTooWide = b >= width && shiftRule != ShiftRule::masked;
    return static_cast<unsigned>(b % width);
  };
  const auto funnel = [&](std::uint64_t high, std::uint64_t low,
                          unsigned left) {
    const Unsigned both = (Unsigned(high) << width) | low;
    return static_cast<std::uint64_t>((both << left) >> width) & mask;
  };

  switch (operation.opcode) {
  case Opcode::add:
    arithmetic(sa + sb, Signed(ua + ub));
    break;
  case Opcode::sub:
    arithmetic(sa - sb, Signed(ua) - Signed(ub));
    break;
  case Opcode::mul: {
    arithmetic(sa * sb, 0);
    // The unsigned product of two 64-bit numbers does not fit Signed.
    const bool unsignedOverflow = ua * ub != result.bits;
    const bool signedOverflow = sa * sb != signExtend(result.bits, width);
    result.flagViolated = (has(corpus::flag::nsw) && signedOverflow) ||
                          (has(corpus::flag::nuw) && unsignedOverflow);
    break;
  }
  case Opcode::udiv:
    result.ub = b == 0;
    if (!result.ub) {
      result.bits = a / b;
      result.flagViolated = has(corpus::flag::exact) && a % b != 0;
    }
    break;
  case Opcode::urem:
    result.ub = b == 0;
    if (!result.ub)
      result.bits = a % b;
    break;
  case Opcode::sdiv:
    result.ub = b == 0 || (sa == smin && sb == -1);
    if (!result.ub) {
      result.bits = bitsOf(sa / sb);
      result.flagViolated = has(corpus::flag::exact) && sa % sb != 0;
    }
    break;
  case Opcode::srem:
    result.ub = b == 0 || (sa == smin && sb == -1);
    if (!result.ub)
      result.bits = bitsOf(sa % sb);
    break;
  case Opcode::shl: {
    const unsigned shift = amount();
    result.bits = (a << shift) & mask;
    result.flagViolated =
        (has(corpus::flag::nuw) && result.bits >> shift != a) ||
        (has(corpus::flag::nsw) &&
         signExtend(result.bits, width) >> shift != sa);
    break;
  }
  case Opcode::lshr:
  case Opcode::ashr: {
    const unsigned shift = amount();
    result.bits =
        operation.opcode == Opcode::lshr ? a >> shift : bitsOf(sa >> shift);
    result.flagViolated =
        has(corpus::flag::exact) && ((result.bits << shift) & mask) != a;
    break;
  }
  case Opcode::and_:
    result.bits = a & b;
    break;
  case Opcode::or_:
    result.bits = a | b;
    result.flagViolated = has(corpus::flag::disjoint) && (a & b) != 0;
    break;
  case Opcode::xor_:
    result.bits = a ^ b;
    break;
  case Opcode::icmp:
    result.bits = compare(operation.predicate, a, b, width) ? 1 : 0;
    result.flagViolated = has(corpus::flag::samesign) && (sa < 0) != (sb < 0);
    break;
  case Opcode::zext:
    result.bits = a;
    result.flagViolated = has(corpus::flag::nneg) && sa < 0;
    break;
  case Opcode::sext:
    result.bits = static_cast<std::uint64_t>(sa) & operation.type.mask();
    break;
  case Opcode::trunc: {
    result.bits = a & operation.type.mask();
    const Signed back = signExtend(result.bits, operation.type.width());
    result.flagViolated = (has(corpus::flag::nuw) && result.bits != a) ||
                          (has(corpus::flag::nsw) && back != sa);
    break;
  }
  case Opcode::smin:
    result.bits = sa < sb ? a : b;
    break;
  case Opcode::smax:
    result.bits = sa > sb ? a : b;
    break;
  case Opcode::umin:
    result.bits = std::min(a, b);
    break;
  case Opcode::umax:
    result.bits = std::max(a, b);
    break;
  case Opcode::abs:
    result.bits = bitsOf(sa < 0 ? -sa : sa);
    result.poison = b != 0 && sa == smin;
    break;
  case Opcode::ctpop:
    result.bits = static_cast<std::uint64_t>(std::popcount(a)) & mask;
    break;
  case Opcode::ctlz:
    result.bits = static_cast<std::uint64_t>(std::countl_zero(a)) -
                  (Type::maximumWidth - width);
    result.bits &= mask;
    result.poison = b != 0 && a == 0;
    break;
  case Opcode::cttz:
    result.bits =
        a == 0 ? width : static_cast<std::uint64_t>(std::countr_zero(a));
    result.bits &= mask;
    result.poison = b != 0 && a == 0;
    break;
  case Opcode::bitreverse:
    for (unsigned i = 0; i < width; ++i)
      result.bits |= (a >> i & 1) << (width - 1 - i);
    break;
  case Opcode::bswap:
    result.bits = __builtin_bswap64(a) >> (Type::maximumWidth - width);
    break;
  case Opcode::fshl:
    result.bits = funnel(a, b, static_cast<unsigned>(c % width));
    break;
  case Opcode::fshr: {
    const unsigned shift = static_cast<unsigned>(c % width);
    result.bits = shift == 0 ? b : funnel(a, b, width - shift);
    break;
  }
  case Opcode::saddSat:
    result.bits = bitsOf(clamp(sa + sb, smin, smax));
    break;
  case Opcode::uaddSat:
    result.bits = bitsOf(clamp(Signed(ua + ub), 0, Signed(mask)));
    break;
  case Opcode::ssubSat:
    result.bits = bitsOf(clamp(sa - sb, smin, smax));
    break;
  case Opcode::usubSat:
    result.bits = a > b ? a - b : 0;
    break;
  case Opcode::sshlSat: {
    const unsigned shift = amount();
    const Signed exact = sa * (Signed(1) << shift);
    result.bits = bitsOf(clamp(exact, smin, smax));
    break;
  }
  case Opcode::ushlSat: {
    const Unsigned exact = ua << amount();
    result.bits = exact > mask ? mask : static_cast<std::uint64_t>(exact);
    break;
  }
  case Opcode::saddOverflow:
    withOverflow(sa + sb, true);
    break;
  case Opcode::uaddOverflow:
    withOverflow(Signed(ua + ub), false);
    break;
  case Opcode::ssubOverflow:
    withOverflow(sa - sb, true);
    break;
  case Opcode::usubOverflow:
    withOverflow(Signed(ua) - Signed(ub), false);
    break;
  case Opcode::smulOverflow:
    withOverflow(sa * sb, true);
    break;
  case Opcode::umulOverflow:
    result.bits = a * b & mask;
    result.overflow = ua * ub != result.bits;
    break;
  case Opcode::scmp:
    result.bits = static_cast<std::uint64_t>((sa > sb) - (sa < sb)) &
                  operation.type.mask();
    break;
  case Opcode::ucmp:
    result.bits =
        static_cast<std::uint64_t>((a > b) - (a < b)) & operation.type.mask();
    break;
  case Opcode::assume:
    result.ub = a == 0;
    break;
  default:
    assert(false && "not an operation on numbers");
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
          {concrete.bits, 0, concrete.overflow, false}};
}

bool isDivision(Opcode opcode) {
  return opcode == Opcode::udiv || opcode == Opcode::sdiv ||
         opcode == Opcode::urem || opcode == Opcode::srem;
}

/// Value-wise: at least one operand is poison.
ElementResult evaluatePoison(const Operation &operation,
                             std::span<const Element> operands) {
  if (operation.opcode == Opcode::assume)
    return {ElementResult::Kind::ub, {}};
  if (isDivision(operation.opcode)) {
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
  bool overflowVaries = false;
  for (std::uint64_t fill = 0; fill >> poisonBits == 0; ++fill) {
    std::uint64_t rest = fill;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      number[i] = operands[i].bits;
      for (std::uint64_t todo = operands[i].poison; todo != 0;
           todo &= todo - 1, rest >>= 1)
        number[i] |= (rest & 1) != 0 ? todo & -todo : 0;
    }
    const ElementResult result =
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
    overflowVaries |= result.element.overflow != first->element.overflow;
  }
  if (knobAnswer)
    return *knobAnswer;
  return {ElementResult::Kind::element,
          {first->element.bits & ~varying, varying,
           first->element.overflow && !overflowVaries, overflowVaries}};
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

ElementResult extract(const Element &pair, std::uint64_t index) {
  if (index == 0)
    return {ElementResult::Kind::element, {pair.bits, pair.poison}};
  return {ElementResult::Kind::element,
          {pair.overflow ? 1U : 0U, pair.overflowPoison ? 1U : 0U}};
}

} // namespace

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
    return extract(operands[0], operands[1].bits);
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

std::optional<ValueSet> applyAttributes(const corpus::Attributes &attributes,
                                        corpus::Type type, ValueSet set) {
  if (attributes.has(corpus::attribute::range)) {
    // low == high is the full range; a wrapping interval counts modulo 2^width.
    const std::uint64_t size =
        (attributes.rangeHigh - attributes.rangeLow) & type.mask();
    for (Element &element : set) {
      bool inside = true;
      // Bitwise poison: outside if any completion is.
      for (std::uint64_t fill = element.poison;;
           fill = (fill - 1) & element.poison) {
        const std::uint64_t offset =
            ((element.bits | fill) - attributes.rangeLow) & type.mask();
        inside = inside && (size == 0 || offset < size);
        if (fill == 0 || !inside || element.poison == type.mask())
          break;
      }
      if (!inside)
        element = Element::poisonOf(type);
    }
    normalise(set);
  }
  if (attributes.has(corpus::attribute::noundef) &&
      (set.size() > 1 || hasPoison(set)))
    return std::nullopt;
  return set;
}

} // namespace checker
