// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/lane_ops/terms.h"

#include <fmt/format.h>

#include <bit>
#include <cassert>

namespace checker::smt {

using corpus::Opcode;
using corpus::Predicate;
using corpus::Type;
using z3::expr;

unsigned bitsOf(Type type) {
  return type.width() + (type.isOverflowPair() ? 1 : 0);
}

expr either(const expr &a, const expr &b) {
  return a.is_true() || b.is_false()                   ? a
         : b.is_true() || a.is_false() || z3::eq(a, b) ? b
                                                       : a || b;
}

expr both(const expr &a, const expr &b) {
  return a.is_false() || b.is_true()                   ? a
         : b.is_false() || a.is_true() || z3::eq(a, b) ? b
                                                       : a && b;
}

expr negate(const expr &a) {
  return a.is_true()    ? a.ctx().bool_val(false)
         : a.is_false() ? a.ctx().bool_val(true)
                        : !a;
}

expr choose(const expr &condition, const expr &then, const expr &otherwise) {
  return condition.is_true() || z3::eq(then, otherwise) ? then
         : condition.is_false()                         ? otherwise
                                : z3::ite(condition, then, otherwise);
}

expr FreshVariables::bits(unsigned width) {
  return context_.bv_const(fmt::format("v{}", count_++).c_str(), width);
}

expr FreshVariables::boolean() {
  return context_.bool_const(fmt::format("v{}", count_++).c_str());
}

namespace {

expr compare(Predicate predicate, const expr &a, const expr &b) {
  switch (predicate) {
  case Predicate::eq:
    return a == b;
  case Predicate::ne:
    return a != b;
  case Predicate::ugt:
    return z3::ugt(a, b);
  case Predicate::uge:
    return z3::uge(a, b);
  case Predicate::ult:
    return z3::ult(a, b);
  case Predicate::ule:
    return z3::ule(a, b);
  case Predicate::sgt:
    return z3::sgt(a, b);
  case Predicate::sge:
    return z3::sge(a, b);
  case Predicate::slt:
    return z3::slt(a, b);
  case Predicate::sle:
    return z3::sle(a, b);
  }
  __builtin_unreachable();
}

/// What an instruction does with operands that are all numbers; the names are
/// those of the exhaustive engines' rules.
class Numbers {
public:
  Numbers(const Operation &operation, ShiftRule shiftRule,
          std::span<const Term> operands)
      : operation_(operation), shiftRule_(shiftRule),
        context_(operands[0].bits.ctx()), width_(operation.operandType.width()),
        mask_(operation.operandType.mask()), a_(operands[0].bits),
        b_(operands[operands.size() > 1 ? 1 : 0].bits),
        c_(operands[operands.size() > 2 ? 2 : 0].bits), bits(a_),
        ub(context_.bool_val(false)), poison(ub), flagViolated(ub),
        shiftTooWide(ub) {
    compute();
  }

private:
  expr number(std::uint64_t value) const {
    return context_.bv_val(value, width_);
  }
  expr one(unsigned width) const { return context_.bv_val(1, width); }
  expr zero() const { return number(0); }
  expr signedMinimum() const { return number(mask_ ^ (mask_ >> 1)); }
  expr signedMaximum() const { return number(mask_ >> 1); }
  expr unsignedMaximum() const { return number(mask_); }
  bool has(corpus::Flags flag) const { return operation_.flags.has(flag); }
  void violate(corpus::Flags flag, const expr &condition) {
    if (has(flag))
      flagViolated = either(flagViolated, condition);
  }

  /// Whether the exact result of + or - differs from the truncated one.
  expr addOverflows(bool isSigned) const {
    const expr exact = isSigned ? z3::sext(a_, 1) + z3::sext(b_, 1)
                                : z3::zext(a_, 1) + z3::zext(b_, 1);
    const expr sum = a_ + b_;
    return exact != (isSigned ? z3::sext(sum, 1) : z3::zext(sum, 1));
  }
  expr subOverflows(bool isSigned) const {
    return isSigned ? z3::sext(a_, 1) - z3::sext(b_, 1) != z3::sext(a_ - b_, 1)
                    : z3::ult(a_, b_);
  }
  expr mulOverflows(bool isSigned) const;
  /// The nearest signed number, for a result that has the sign of `a`.
  expr saturated() const {
    return z3::ite(a_ < zero(), signedMinimum(), signedMaximum());
  }
  void withOverflow(const expr &result, const expr &overflow) {
    bits = z3::concat(z3::ite(overflow, one(1), context_.bv_val(0, 1)), result);
  }

  expr shiftAmount() {
    if (shiftRule_ == ShiftRule::masked)
      return z3::urem(b_, number(width_));
    shiftTooWide = z3::uge(b_, number(width_));
    return b_;
  }
  expr funnelled() const {
    const expr amount = z3::zext(z3::urem(c_, number(width_)), width_);
    const expr pair = z3::concat(a_, b_);
    return operation_.opcode == Opcode::fshl
               ? z3::shl(pair, amount).extract(2 * width_ - 1, width_)
               : z3::lshr(pair, amount).extract(width_ - 1, 0);
  }
  expr populationCount() const;
  /// The number of zeros above the highest, or below the lowest, one.
  expr zeros(bool leading) const;
  /// Pieces of that size in reverse order.
  expr reversed(unsigned size) const;
  expr threeWay(bool isSigned) const;
  void divide();
  void shift();
  void compute();

  const Operation &operation_;
  ShiftRule shiftRule_;
  z3::context &context_;
  unsigned width_;
  std::uint64_t mask_;
  expr a_;
  expr b_;
  expr c_;

public:
  expr bits;
  expr ub;
  expr poison; ///< under every knob
  expr flagViolated;
  expr shiftTooWide;
};

/// One bit more than the width, and the lengths of the factors, tell (Schulte
/// et al., Combined unsigned and two's complement saturating multipliers,
/// 2000): far cheaper than a product of double width. Z3_mk_bvmul_no_overflow
/// is not to be relied on, in 4.8.12 it says that -1 * -1 overflows.
expr Numbers::mulOverflows(bool isSigned) const {
  if (width_ == 1)
    return isSigned ? both(a_ == 1, b_ == 1) : context_.bool_val(false);
  const auto extend = [&](const expr &term) {
    return isSigned ? z3::sext(term, 1) : z3::zext(term, 1);
  };
  // The bits that say how long a number is, without those that repeat the sign.
  const auto magnitude = [&](const expr &term) {
    return isSigned ? term ^ z3::ashr(term, number(width_ - 1)) : term;
  };
  const expr product = extend(a_) * extend(b_);
  const expr a = magnitude(a_);
  const expr b = magnitude(b_);
  const unsigned top = isSigned ? width_ - 2 : width_ - 1;
  expr overflow = isSigned ? product.extract(width_, width_) !=
                                 product.extract(width_ - 1, width_ - 1)
                           : product.extract(width_, width_) == 1;
  expr aIsLong = context_.bool_val(false);
  for (unsigned i = 1; i <= top; ++i) {
    const unsigned bit = top + 1 - i;
    aIsLong = either(aIsLong, a.extract(bit, bit) == 1);
    overflow = overflow || (aIsLong && b.extract(i, i) == 1);
  }
  return overflow;
}

expr Numbers::populationCount() const {
  const auto countWidth = static_cast<unsigned>(std::bit_width(width_));
  expr sum = context_.bv_val(0, countWidth);
  for (unsigned i = 0; i < width_; ++i) {
    const expr bit = a_.extract(i, i);
    sum = sum + (countWidth == 1 ? bit : z3::zext(bit, countWidth - 1));
  }
  return countWidth == width_ ? sum : z3::zext(sum, width_ - countWidth);
}

expr Numbers::zeros(bool leading) const {
  expr count = number(width_);
  for (unsigned i = 0; i < width_; ++i) {
    const unsigned bit = leading ? i : width_ - 1 - i;
    count = z3::ite(a_.extract(bit, bit) == 1, number(width_ - 1 - i), count);
  }
  return count;
}

expr Numbers::reversed(unsigned size) const {
  expr result = a_.extract(size - 1, 0);
  for (unsigned low = size; low < width_; low += size)
    result = z3::concat(result, a_.extract(low + size - 1, low));
  return result;
}

expr Numbers::threeWay(bool isSigned) const {
  const unsigned width = operation_.type.width();
  const expr less = isSigned ? a_ < b_ : z3::ult(a_, b_);
  const expr minusOne = context_.bv_val(operation_.type.mask(), width);
  return z3::ite(less, minusOne,
                 z3::ite(a_ == b_, context_.bv_val(0, width), one(width)));
}

void Numbers::divide() {
  const bool isSigned =
      operation_.opcode == Opcode::sdiv || operation_.opcode == Opcode::srem;
  const expr remainder = isSigned ? z3::srem(a_, b_) : z3::urem(a_, b_);
  ub = b_ == zero();
  if (isSigned)
    ub = ub || (a_ == signedMinimum() && b_ == unsignedMaximum());
  violate(corpus::flag::exact, remainder != zero());
  switch (operation_.opcode) {
  case Opcode::sdiv:
    bits = a_ / b_;
    break;
  case Opcode::udiv:
    bits = z3::udiv(a_, b_);
    break;
  default:
    bits = remainder;
  }
}

void Numbers::shift() {
  const expr amount = shiftAmount();
  switch (operation_.opcode) {
  case Opcode::shl:
    bits = z3::shl(a_, amount);
    violate(corpus::flag::nuw, z3::lshr(bits, amount) != a_);
    violate(corpus::flag::nsw, z3::ashr(bits, amount) != a_);
    break;
  case Opcode::lshr:
  case Opcode::ashr:
    bits = operation_.opcode == Opcode::lshr ? z3::lshr(a_, amount)
                                             : z3::ashr(a_, amount);
    violate(corpus::flag::exact, z3::shl(bits, amount) != a_);
    break;
  case Opcode::sshlSat:
    bits = z3::shl(a_, amount);
    bits = z3::ite(z3::ashr(bits, amount) == a_, bits, saturated());
    break;
  default:
    bits = z3::shl(a_, amount);
    bits = z3::ite(z3::lshr(bits, amount) == a_, bits, unsignedMaximum());
  }
}

void Numbers::compute() {
  using namespace corpus;
  switch (operation_.opcode) {
  case Opcode::add:
    bits = a_ + b_;
    violate(flag::nsw, addOverflows(true));
    violate(flag::nuw, addOverflows(false));
    break;
  case Opcode::sub:
    bits = a_ - b_;
    violate(flag::nsw, subOverflows(true));
    violate(flag::nuw, subOverflows(false));
    break;
  case Opcode::mul:
    bits = a_ * b_;
    violate(flag::nsw, mulOverflows(true));
    violate(flag::nuw, mulOverflows(false));
    break;
  case Opcode::udiv:
  case Opcode::sdiv:
  case Opcode::urem:
  case Opcode::srem:
    return divide();
  case Opcode::shl:
  case Opcode::lshr:
  case Opcode::ashr:
  case Opcode::sshlSat:
  case Opcode::ushlSat:
    return shift();
  case Opcode::and_:
    bits = a_ & b_;
    break;
  case Opcode::or_:
    bits = a_ | b_;
    violate(flag::disjoint, (a_ & b_) != zero());
    break;
  case Opcode::xor_:
    bits = a_ ^ b_;
    break;
  case Opcode::icmp:
    bits = z3::ite(compare(operation_.predicate, a_, b_), one(1),
                   context_.bv_val(0, 1));
    violate(flag::samesign, (a_ ^ b_) < zero());
    break;
  case Opcode::zext:
    bits = z3::zext(a_, operation_.type.width() - width_);
    violate(flag::nneg, a_ < zero());
    break;
  case Opcode::sext:
    bits = z3::sext(a_, operation_.type.width() - width_);
    break;
  case Opcode::trunc: {
    const unsigned width = operation_.type.width();
    bits = a_.extract(width - 1, 0);
    violate(flag::nuw, z3::zext(bits, width_ - width) != a_);
    violate(flag::nsw, z3::sext(bits, width_ - width) != a_);
    break;
  }
  case Opcode::smin:
    bits = z3::ite(a_ < b_, a_, b_);
    break;
  case Opcode::smax:
    bits = z3::ite(a_ > b_, a_, b_);
    break;
  case Opcode::umin:
    bits = z3::ite(z3::ult(a_, b_), a_, b_);
    break;
  case Opcode::umax:
    bits = z3::ite(z3::ugt(a_, b_), a_, b_);
    break;
  case Opcode::abs:
    bits = z3::ite(a_ < zero(), -a_, a_);
    poison = b_ == 1 && a_ == signedMinimum();
    break;
  case Opcode::ctpop:
    bits = populationCount();
    break;
  case Opcode::ctlz:
  case Opcode::cttz:
    bits = zeros(operation_.opcode == Opcode::ctlz);
    poison = b_ == 1 && a_ == zero();
    break;
  case Opcode::bitreverse:
    bits = reversed(1);
    break;
  case Opcode::bswap:
    bits = reversed(8);
    break;
  case Opcode::fshl:
  case Opcode::fshr:
    bits = funnelled();
    break;
  case Opcode::saddSat:
    bits = z3::ite(addOverflows(true), saturated(), a_ + b_);
    break;
  case Opcode::uaddSat:
    bits = z3::ite(addOverflows(false), unsignedMaximum(), a_ + b_);
    break;
  case Opcode::ssubSat:
    bits = z3::ite(subOverflows(true), saturated(), a_ - b_);
    break;
  case Opcode::usubSat:
    bits = z3::ite(subOverflows(false), zero(), a_ - b_);
    break;
  case Opcode::saddOverflow:
  case Opcode::uaddOverflow:
    withOverflow(a_ + b_,
                 addOverflows(operation_.opcode == Opcode::saddOverflow));
    break;
  case Opcode::ssubOverflow:
  case Opcode::usubOverflow:
    withOverflow(a_ - b_,
                 subOverflows(operation_.opcode == Opcode::ssubOverflow));
    break;
  case Opcode::smulOverflow:
  case Opcode::umulOverflow:
    withOverflow(a_ * b_,
                 mulOverflows(operation_.opcode == Opcode::smulOverflow));
    break;
  case Opcode::scmp:
  case Opcode::ucmp:
    bits = threeWay(operation_.opcode == Opcode::scmp);
    break;
  case Opcode::assume:
    ub = a_ == zero();
    break;
  default:
    assert(false && "not an operation on numbers");
  }
}

TermResult evaluateSelect(const Semantics &semantics,
                          std::span<const Term> operands,
                          FreshVariables &fresh) {
  const Term &condition = operands[0];
  const Term &first = operands[1];
  const Term &second = operands[2];
  TermResult result{
      {first.bits, first.poison}, first.bits.ctx().bool_val(false), {}, {}};
  const bool isFork =
      semantics.selectCondition == SelectCondition::nondeterministic &&
      !condition.poison.is_false();
  expr takesFirst = condition.bits == 1;
  if (isFork) {
    result.forks.push_back(fresh.boolean());
    takesFirst = choose(condition.poison, result.forks.back(), takesFirst);
  }
  result.value.bits = choose(takesFirst, first.bits, second.bits);
  const expr chosen = choose(takesFirst, first.poison, second.poison);
  const expr any = either(first.poison, second.poison);
  result.value.poison =
      semantics.selectArms == SelectArms::either ? any : chosen;
  switch (semantics.selectCondition) {
  case SelectCondition::poison:
    result.value.poison = either(condition.poison, result.value.poison);
    break;
  case SelectCondition::ub:
    result.ub = condition.poison;
    break;
  case SelectCondition::nondeterministic:
    // All of the arm, and poison beside it.
    if (isFork && semantics.selectArms == SelectArms::either) {
      result.choices.push_back(fresh.boolean());
      result.value.poison =
          choose(condition.poison,
                 either(chosen, both(result.choices.back(), any)), any);
    }
    break;
  }
  return result;
}

TermResult extract(const Operation &operation, std::span<const Term> operands) {
  const unsigned width = operation.operandType.width();
  const bool isNumber = operands[1].bits.simplify().get_numeral_uint64() == 0;
  return {{isNumber ? operands[0].bits.extract(width - 1, 0)
                    : operands[0].bits.extract(width, width),
           operands[0].poison},
          operands[0].bits.ctx().bool_val(false),
          {},
          {}};
}

/// Of a division or an assume with some poison operand.
expr ubOfPoison(const Operation &operation, std::span<const Term> operands) {
  switch (operation.opcode) {
  case Opcode::assume:
    return operands[0].poison;
  case Opcode::sdiv:
  case Opcode::srem: {
    const expr minusOne = operands[1].bits.ctx().bv_val(
        operation.operandType.mask(), operation.operandType.width());
    return either(operands[1].poison,
                  both(operands[0].poison, operands[1].bits == minusOne));
  }
  case Opcode::udiv:
  case Opcode::urem:
    return operands[1].poison;
  default:
    return operands[0].bits.ctx().bool_val(false);
  }
}

} // namespace

TermResult evaluate(const Operation &operation, const Semantics &semantics,
                    std::span<const Term> operands, FreshVariables &fresh) {
  if (operation.opcode == Opcode::select)
    return evaluateSelect(semantics, operands, fresh);
  if (operation.opcode == Opcode::extractvalue)
    return extract(operation, operands);

  const Numbers numbers(operation, semantics.shiftAmount, operands);
  const expr no = fresh.context().bool_val(false);
  // The answers of the knobs, the shift's before the flag's.
  expr undef = no;
  expr poison = numbers.poison;
  if (semantics.shiftAmount == ShiftRule::undef)
    undef = numbers.shiftTooWide;
  else
    poison = either(poison, numbers.shiftTooWide);
  const expr violated =
      both(negate(numbers.shiftTooWide), numbers.flagViolated);
  if (semantics.overflow == OverflowRule::undef)
    undef = either(undef, violated);
  else if (semantics.overflow == OverflowRule::poison)
    poison = either(poison, violated);
  if (semantics.undef == UndefRule::asPoison) {
    poison = either(poison, undef);
    undef = no;
  }
  for (const Term &operand : operands)
    poison = either(poison, operand.poison);

  TermResult result{{numbers.bits, poison},
                    either(numbers.ub, ubOfPoison(operation, operands)),
                    {},
                    {}};
  if (!undef.is_false()) {
    result.choices.push_back(fresh.bits(bitsOf(operation.type)));
    result.value.bits = choose(undef, result.choices.back(), result.value.bits);
  }
  return result;
}

} // namespace checker::smt
