// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/sliced/moved_bits.h"

#include <algorithm>

namespace checker {

using core::Slot;
using core::Step;
using corpus::Opcode;

void MovedBits::compute(Slot operand, unsigned width) {
  std::fill_n(computed_.begin() + operand + 1, width, std::uint8_t(1));
}

/// Bits that are the same in all runs.
void MovedBits::findConstants(const core::Function &function) {
  for (const core::Literal &literal : function.literals)
    if (literal.kind == core::Literal::Kind::number)
      for (unsigned i = 0; i < literal.width; ++i)
        known_[literal.slot + 1 + i] =
            (literal.bits >> i & 1) != 0 ? Known::one : Known::zero;
  for (const Step &step : function.steps)
    switch (step.code) {
    case static_cast<std::uint8_t>(Opcode::zext):
    case static_cast<std::uint8_t>(Opcode::trunc):
      for (unsigned i = 0; i < step.resultWidth; ++i)
        known_[step.result + 1 + i] =
            i < step.width ? known_[step.a + 1 + i] : Known::zero;
      break;
    case core::code::choose:
      // A copy.
      if (step.a == step.b)
        std::copy_n(known_.begin() + step.a, step.width + 1U,
                    known_.begin() + step.result);
      break;
    default:
      break;
    }
}

void MovedBits::logic(const Step &step) {
  const bool absorbing = step.code == static_cast<std::uint8_t>(Opcode::or_);
  const auto absorbs = [&](Known known) {
    return step.code != static_cast<std::uint8_t>(Opcode::xor_) &&
           known == (absorbing ? Known::one : Known::zero);
  };
  for (unsigned i = 1; i <= step.width; ++i) {
    const Slot a = step.a + i;
    const Slot b = step.b + i;
    if (absorbs(known_[a]) || absorbs(known_[b]))
      continue;
    if (known_[a] != Known::no)
      move(step.result + i, b);
    else if (known_[b] != Known::no)
      move(step.result + i, a);
    else
      computed_[a] = computed_[b] = 1;
  }
}

/// By a constant; false where it is not.
bool MovedBits::shift(const Step &step) {
  unsigned amount = 0;
  for (unsigned i = 0; i < step.width; ++i) {
    const Known known = known_[step.b + 1 + i];
    if (known == Known::no)
      return false;
    if (known == Known::one)
      amount = i < 8 ? amount | 1U << i : step.width;
  }
  if (amount >= step.width)
    return false;
  const bool isLeft = step.code == static_cast<std::uint8_t>(Opcode::shl);
  for (unsigned i = 0; i + amount < step.width; ++i)
    if (isLeft)
      move(step.result + 1 + i + amount, step.a + 1 + i);
    else
      move(step.result + 1 + i, step.a + 1 + i + amount);
  if (step.code == static_cast<std::uint8_t>(Opcode::ashr))
    for (unsigned i = step.width - amount; i < step.width; ++i)
      move(step.result + 1 + i, step.a + step.width);
  return true;
}

void MovedBits::operation(const Step &step) {
  const auto opcode = static_cast<Opcode>(step.code);
  const corpus::OpcodeInfo &row = corpus::info(opcode);
  const bool hasResult = step.result != core::noSlot;
  // Whatever it is, poison goes through, or is UB.
  const bool looksAtPoison = !hasResult || row.has(corpus::trait::mayBeUb) ||
                             row.shape == corpus::Shape::intrinsicOverflow;
  for (const Slot operand : {step.a, step.b, step.c}) {
    if (operand == core::noSlot)
      continue;
    if (looksAtPoison)
      computed_[operand] = 1;
    else
      move(step.result, operand);
  }
  const bool isPlain = step.flags == 0;
  switch (opcode) {
  case Opcode::zext:
    if (!isPlain)
      break;
    for (unsigned i = 1; i <= step.width; ++i)
      move(step.result + i, step.a + i);
    return;
  case Opcode::sext:
    for (unsigned i = 1; i <= step.resultWidth; ++i)
      move(step.result + i, step.a + std::min<unsigned>(i, step.width));
    return;
  case Opcode::trunc:
    if (!isPlain)
      break;
    for (unsigned i = 1; i <= step.resultWidth; ++i)
      move(step.result + i, step.a + i);
    return;
  case Opcode::and_:
  case Opcode::or_:
  case Opcode::xor_:
    if (!isPlain)
      break;
    return logic(step);
  case Opcode::shl:
  case Opcode::lshr:
  case Opcode::ashr:
    if (isPlain && shift(step))
      return;
    break;
  case Opcode::select:
    compute(step.a, 1);
    for (unsigned i = 1; i <= step.width; ++i) {
      move(step.result + i, step.b + i);
      move(step.result + i, step.c + i);
    }
    return;
  default:
    break;
  }
  for (const Slot operand : {step.a, step.b, step.c})
    if (operand != core::noSlot)
      compute(operand, step.width);
}

void MovedBits::follow(const Step &step) {
  switch (step.code) {
  case core::code::require:
    computed_[step.a] = 1;
    return;
  case core::code::restrictToRange:
    move(step.result, step.a);
    return compute(step.a, step.width);
  case core::code::choose:
    for (unsigned i = 0; i <= step.width; ++i) {
      move(step.result + i, step.a + i);
      move(step.result + i, step.b + i);
    }
    // A copy has no guard.
    if (step.a != step.b)
      computed_[step.c] = 1;
    return;
  case core::code::join:
    move(step.result, step.a);
    return move(step.result, step.b);
  case core::code::split:
    return compute(step.a, 1);
  case core::code::splitCase:
    return compute(step.a, step.width);
  case core::code::enterBlock:
  case core::code::ub:
    return;
  default:
    return operation(step);
  }
}

void MovedBits::find(const core::Function &first, const core::Function &second,
                     std::size_t slots) {
  // Of widths that a step says of all its operands, beyond the last of them.
  constexpr std::size_t margin = std::size_t(2) * 64;
  computed_.assign(slots + margin, 0);
  known_.assign(slots + margin, Known::no);
  findConstants(first);
  findConstants(second);
  // The second may use what the first one computes.
  for (const core::Function *function : {&second, &first})
    for (std::size_t i = function->steps.size(); i-- > 0;)
      follow(function->steps[i]);
}

} // namespace checker
