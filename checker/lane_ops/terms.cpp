// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/lane_ops/terms.h"

#include <fmt/format.h>

#include <bit>
#include <cassert>

namespace checker::smt {

using corpus::Opcode;
using corpus::Predicate;
using z3::expr;

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

/// The bit above the width, and the lengths of the factors, tell (Schulte et
/// al., Combined unsigned and two's complement saturating multipliers, 2000):
/// far cheaper than a product of double width. Z3_mk_bvmul_no_overflow is not
/// to be relied on, in 4.8.12 it says that -1 * -1 overflows.
expr productOverflows(const expr &a, const expr &b, const expr &product,
                      bool isSigned) {
  const unsigned width = a.get_sort().bv_size();
  if (width == 1)
    return isSigned ? both(a == 1, b == 1) : a.ctx().bool_val(false);
  // The bits that say how long a number is, without those that repeat the sign.
  const auto magnitude = [&](const expr &term) {
    return isSigned ? term ^ z3::ashr(term, static_cast<int>(width) - 1) : term;
  };
  const expr aLength = magnitude(a);
  const expr bLength = magnitude(b);
  const unsigned top = isSigned ? width - 2 : width - 1;
  expr overflow = isSigned ? product.extract(width, width) !=
                                 product.extract(width - 1, width - 1)
                           : product.extract(width, width) == 1;
  expr aIsLong = a.ctx().bool_val(false);
  for (unsigned i = 1; i <= top; ++i) {
    const unsigned bit = top + 1 - i;
    aIsLong = either(aIsLong, aLength.extract(bit, bit) == 1);
    overflow = overflow || (aIsLong && bLength.extract(i, i) == 1);
  }
  return overflow;
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
  Numbers(const core::Step &step, std::span<const Term> operands)
      : step_(step), context_(operands[0].bits.ctx()), width_(step.width),
        a_(operands[0].bits), b_(operands[operands.size() > 1 ? 1 : 0].bits),
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
  std::uint64_t mask() const { return ~std::uint64_t(0) >> (64 - width_); }
  expr unsignedMaximum() const { return number(mask()); }
  expr signedMaximum() const { return number(mask() >> 1); }
  expr signedMinimum() const { return number(mask() ^ (mask() >> 1)); }
  unsigned resultWidth() const { return step_.resultWidth; }
  bool has(corpus::Flags flag) const {
    return (step_.flags & flag.bits()) != 0;
  }
  void violate(corpus::Flags flag, const expr &condition) {
    if (has(flag))
      flagViolated = either(flagViolated, condition);
  }

  void overflows(const expr &isSigned, const expr &isUnsigned) {
    violate(corpus::flag::nsw, isSigned);
    violate(corpus::flag::nuw, isUnsigned);
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

  expr shiftAmount() {
    if ((step_.mode & core::mode::shiftMasked) != 0)
      return z3::urem(b_, number(width_));
    shiftTooWide = z3::uge(b_, number(width_));
    return b_;
  }
  expr funnelAmount() const {
    return z3::zext(z3::urem(c_, number(width_)), width_);
  }
  expr populationCount() const;
  /// The number of zeros above the highest, or below the lowest, one.
  expr zeros(bool leading) const;
  /// Pieces of that size in reverse order.
  expr reversed(unsigned size) const;
  expr threeWay(const expr &less) const;
  void divide(const expr &result, const expr &remainder, bool isSigned);
  void left();
  void right(const expr &shifted);
  void saturateShift(bool isSigned);
  void icmp();
  void truncate();
  void compute();

  const core::Step &step_;
  z3::context &context_;
  unsigned width_;
  expr a_;
  expr b_;
  expr c_;

public:
  expr bits;
  std::optional<expr> overflow; ///< of a pair
  expr ub;
  expr poison; ///< under every knob
  expr flagViolated;
  expr shiftTooWide;
};

expr Numbers::mulOverflows(bool isSigned) const {
  const auto extend = [&](const expr &term) {
    return isSigned ? z3::sext(term, 1) : z3::zext(term, 1);
  };
  return productOverflows(a_, b_, extend(a_) * extend(b_), isSigned);
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

expr Numbers::threeWay(const expr &less) const {
  const unsigned width = resultWidth();
  const expr zero = context_.bv_val(0, width);
  const expr minusOne = context_.bv_val(~std::uint64_t(0), width);
  return z3::ite(less, minusOne, z3::ite(a_ == b_, zero, one(width)));
}

void Numbers::divide(const expr &result, const expr &remainder, bool isSigned) {
  bits = result;
  ub = b_ == zero();
  if (isSigned)
    ub = ub || (a_ == signedMinimum() && b_ == unsignedMaximum());
  violate(corpus::flag::exact, remainder != zero());
}

void Numbers::left() {
  const expr amount = shiftAmount();
  bits = z3::shl(a_, amount);
  violate(corpus::flag::nuw, z3::lshr(bits, amount) != a_);
  violate(corpus::flag::nsw, z3::ashr(bits, amount) != a_);
}

void Numbers::right(const expr &shifted) {
  bits = shifted;
  violate(corpus::flag::exact, z3::shl(bits, shiftAmount()) != a_);
}

void Numbers::saturateShift(bool isSigned) {
  const expr amount = shiftAmount();
  bits = z3::shl(a_, amount);
  const expr back = isSigned ? z3::ashr(bits, amount) : z3::lshr(bits, amount);
  bits = z3::ite(back == a_, bits, isSigned ? saturated() : unsignedMaximum());
}

void Numbers::icmp() {
  const auto predicate = static_cast<Predicate>(step_.predicate);
  bits = z3::ite(compare(predicate, a_, b_), one(1), context_.bv_val(0, 1));
  violate(corpus::flag::samesign, (a_ ^ b_) < zero());
}

void Numbers::truncate() {
  const unsigned lost = width_ - resultWidth();
  bits = a_.extract(resultWidth() - 1, 0);
  violate(corpus::flag::nuw, z3::zext(bits, lost) != a_);
  violate(corpus::flag::nsw, z3::sext(bits, lost) != a_);
}

void Numbers::compute() {
  switch (static_cast<Opcode>(step_.code)) {
#define LANE(opcode, ...)                                                      \
  case Opcode::opcode:                                                         \
    __VA_ARGS__;                                                               \
    return;
#include "checker/lane_ops/terms.def"
#undef LANE
  default:
    assert(false && "the engine declares what stands in the table");
  }
}

/// A number as the condition, or poison: then so is the result.
TermResult evaluateSelect(const core::Step &step,
                          std::span<const Term> operands) {
  const Term &condition = operands[0];
  const Term &first = operands[1];
  const Term &second = operands[2];
  const expr takesFirst = condition.bits == 1;
  const expr arms = (step.mode & core::mode::selectEither) != 0
                        ? either(first.poison, second.poison)
                        : choose(takesFirst, first.poison, second.poison);
  const expr no = first.bits.ctx().bool_val(false);
  return {{choose(takesFirst, first.bits, second.bits),
           either(condition.poison, arms)},
          {},
          no,
          no};
}

/// Of a division or an assume with some poison operand.
expr ubOfPoison(const core::Step &step, std::span<const Term> operands) {
  switch (static_cast<Opcode>(step.code)) {
  case Opcode::assume:
    return operands[0].poison;
  case Opcode::sdiv:
  case Opcode::srem: {
    const expr &divisor = operands[1].bits;
    const expr minusOne = divisor.ctx().bv_val(~std::uint64_t(0), step.width);
    return either(operands[1].poison,
                  both(operands[0].poison, divisor == minusOne));
  }
  case Opcode::udiv:
  case Opcode::urem:
    return operands[1].poison;
  default:
    return operands[0].bits.ctx().bool_val(false);
  }
}

} // namespace

core::OpcodeSet opcodesOfTerms() {
  core::OpcodeSet opcodes;
  opcodes.insert(Opcode::select);
#define LANE(opcode, ...) opcodes.insert(Opcode::opcode);
#include "checker/lane_ops/terms.def"
#undef LANE
  return opcodes;
}

TermResult evaluate(const core::Step &step, std::span<const Term> operands) {
  if (static_cast<Opcode>(step.code) == Opcode::select)
    return evaluateSelect(step, operands);

  const Numbers numbers(step, operands);
  const expr no = operands[0].bits.ctx().bool_val(false);
  // The answers of the knobs, the shift's before the flag's.
  expr undef = no;
  expr poison = numbers.poison;
  if ((step.mode & core::mode::shiftUndef) != 0)
    undef = numbers.shiftTooWide;
  else
    poison = either(poison, numbers.shiftTooWide);
  const expr violated =
      both(negate(numbers.shiftTooWide), numbers.flagViolated);
  if ((step.mode & core::mode::flagUndef) != 0)
    undef = either(undef, violated);
  else
    poison = either(poison, violated);
  for (const Term &operand : operands)
    poison = either(poison, operand.poison);

  TermResult result{{numbers.bits, poison},
                    {},
                    either(numbers.ub, ubOfPoison(step, operands)),
                    undef};
  if (numbers.overflow) {
    z3::context &context = poison.ctx();
    result.overflow = Term{
        z3::ite(*numbers.overflow, context.bv_val(1, 1), context.bv_val(0, 1)),
        poison};
  }
  return result;
}

} // namespace checker::smt
