// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/integers.h"

#include "checker/symbolic/term_kinds.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace checker::smt {

using z3::expr;

namespace {

constexpr std::size_t maximumTerms = 200'000;

unsigned widthOf(const expr &word) { return word.get_sort().bv_size(); }

/// An operation on words alone, without parameters of its own.
bool isOnWords(const expr &term) {
  if (Z3_get_decl_num_parameters(term.ctx(), term.decl()) != 0)
    return false;
  for (unsigned i = 0; i < term.num_args(); ++i)
    if (!term.arg(i).is_bv())
      return false;
  return term.num_args() != 0;
}

/// Z3 has literals first.
bool isByLiteral(const expr &product) {
  return product.num_args() == 2 && product.arg(0).is_numeral();
}

class Translation {
public:
  explicit Translation(z3::context &context)
      : context_(context), facts_(context) {}

  bool isTooLarge() const {
    return conditions_.size() + numbers_.size() > maximumTerms;
  }
  expr condition(const expr &boolean);
  /// What holds of the integers that conditions are about.
  expr facts() const { return z3::mk_and(facts_); }

private:
  /// Words times literals, by id of the word, and a literal: a word is that
  /// modulo its number of values.
  struct Sum {
    std::map<unsigned, std::pair<expr, expr>> summands; ///< number, factor
    expr literal;
  };

  expr conditionOf(const expr &boolean);
  expr compared(const expr &boolean, bool isSigned);
  /// Of a word without sign.
  expr number(const expr &word);
  expr numberOf(const expr &word);
  expr signedNumber(const expr &word);
  void addTo(Sum &sum, const expr &word, const expr &factor);
  expr numberOfSum(const expr &word);
  expr numberOfPieces(const expr &word);
  expr numberOfUnion(const expr &word);
  expr numberOfDifference(const expr &word);
  struct Parts {
    expr low;
    expr high;
  };
  /// The `bits` least significant ones, and those above.
  Parts partsOf(const expr &word, unsigned bits);
  expr numberOfSlice(const expr &word);
  expr numberOfShift(const expr &word);
  expr application(const expr &term, const z3::sort &range);
  expr unknownNumber(const expr &word);
  expr signExtended(const expr &word, unsigned width);
  /// `value` where the sign of a word is set, and 0.
  expr ifNegative(const expr &word, const expr &value) {
    return z3::ite(number(word) >= powerOfTwo(widthOf(word) - 1), value,
                   context_.int_val(0));
  }
  /// From 0 on, and less than `end`, as is added to what holds.
  expr inRange(expr number, const expr &end);
  expr unknownInteger() {
    return context_.int_const(fmt::format("number!{}", unknowns_++).c_str());
  }
  expr unknown(const expr &end) { return inRange(unknownInteger(), end); }
  expr unknownBoolean() {
    return context_.bool_const(
        fmt::format("condition!{}", unknowns_++).c_str());
  }
  bool holds(const expr &literal) const { return literal.simplify().is_true(); }
  expr literal(const expr &numeral) const {
    return context_.int_val(Z3_get_numeral_string(context_, numeral));
  }
  expr powerOfTwo(unsigned exponent) const {
    constexpr unsigned most = 62;
    if (exponent > most)
      return (powerOfTwo(most) * powerOfTwo(exponent - most)).simplify();
    return context_.int_val(std::uint64_t(1) << exponent);
  }
  /// How many ones there are from the lowest bit on, if there are no others.
  std::optional<unsigned> lowOnes(const expr &numeral) const;

  z3::context &context_;
  z3::expr_vector facts_;
  // By id of the term.
  std::unordered_map<unsigned, expr> conditions_;
  std::unordered_map<unsigned, expr> numbers_;
  std::map<std::pair<unsigned, unsigned>, Parts> parts_; ///< and by bits
  unsigned unknowns_ = 0;
};

expr Translation::inRange(expr number, const expr &end) {
  facts_.push_back(number >= 0);
  facts_.push_back(number < end);
  return number;
}

expr Translation::unknownNumber(const expr &word) {
  const expr end = powerOfTwo(widthOf(word));
  return isOnWords(word) ? inRange(application(word, context_.int_sort()), end)
                         : unknown(end);
}

expr Translation::condition(const expr &boolean) {
  const auto known = conditions_.find(idOf(boolean));
  if (known != conditions_.end())
    return known->second;
  expr result = isTooLarge() ? context_.bool_val(true) : conditionOf(boolean);
  conditions_.emplace(idOf(boolean), result);
  return result;
}

expr Translation::conditionOf(const expr &boolean) {
  if (!boolean.is_app())
    return unknownBoolean();
  switch (boolean.decl().decl_kind()) {
  case Z3_OP_TRUE:
  case Z3_OP_FALSE:
  case Z3_OP_UNINTERPRETED:
    return boolean.num_args() == 0 ? boolean : unknownBoolean();
  case Z3_OP_EQ:
  case Z3_OP_DISTINCT:
    if (boolean.num_args() != 2 || !boolean.arg(0).is_bv())
      break;
    return boolean.decl().decl_kind() == Z3_OP_EQ
               ? number(boolean.arg(0)) == number(boolean.arg(1))
               : number(boolean.arg(0)) != number(boolean.arg(1));
  case Z3_OP_ULT:
  case Z3_OP_ULEQ:
  case Z3_OP_UGT:
  case Z3_OP_UGEQ:
    return compared(boolean, false);
  case Z3_OP_SLT:
  case Z3_OP_SLEQ:
  case Z3_OP_SGT:
  case Z3_OP_SGEQ:
    return compared(boolean, true);
  default:
    break;
  }
  if (isOnWords(boolean))
    return application(boolean, context_.bool_sort());
  z3::expr_vector arguments(context_);
  for (unsigned i = 0; i < boolean.num_args(); ++i) {
    if (!boolean.arg(i).is_bool())
      return unknownBoolean();
    arguments.push_back(condition(boolean.arg(i)));
  }
  return boolean.decl()(arguments);
}

expr Translation::compared(const expr &boolean, bool isSigned) {
  const auto of = [&](unsigned i) {
    return isSigned ? signedNumber(boolean.arg(i)) : number(boolean.arg(i));
  };
  switch (boolean.decl().decl_kind()) {
  case Z3_OP_ULT:
  case Z3_OP_SLT:
    return of(0) < of(1);
  case Z3_OP_ULEQ:
  case Z3_OP_SLEQ:
    return of(0) <= of(1);
  case Z3_OP_UGT:
  case Z3_OP_SGT:
    return of(0) > of(1);
  default:
    return of(0) >= of(1);
  }
}

expr Translation::number(const expr &word) {
  const auto known = numbers_.find(idOf(word));
  if (known != numbers_.end())
    return known->second;
  expr result = isTooLarge() ? context_.int_val(0) : numberOf(word);
  numbers_.emplace(idOf(word), result);
  return result;
}

expr Translation::numberOf(const expr &word) {
  const expr end = powerOfTwo(widthOf(word));
  if (word.is_numeral())
    return literal(word);
  if (!word.is_app())
    return unknownNumber(word);
  switch (word.decl().decl_kind()) {
  case Z3_OP_ITE:
    return z3::ite(condition(word.arg(0)), number(word.arg(1)),
                   number(word.arg(2)));
  case Z3_OP_BADD:
  case Z3_OP_BSUB:
  case Z3_OP_BNEG:
    return numberOfSum(word);
  case Z3_OP_BMUL:
    return isByLiteral(word) ? numberOfSum(word) : unknownNumber(word);
  case Z3_OP_BNOT:
    return end - 1 - number(word.arg(0));
  case Z3_OP_CONCAT:
    return numberOfPieces(word);
  case Z3_OP_EXTRACT:
    return numberOfSlice(word);
  case Z3_OP_BSHL:
  case Z3_OP_BLSHR:
  case Z3_OP_BASHR:
    return numberOfShift(word);
  case Z3_OP_ZERO_EXT:
    return number(word.arg(0));
  case Z3_OP_SIGN_EXT:
    return signExtended(word.arg(0), widthOf(word));
  case Z3_OP_BOR:
    return numberOfUnion(word);
  case Z3_OP_BXOR:
    return numberOfDifference(word);
  case Z3_OP_BUDIV:
  case Z3_OP_BUDIV_I:
  case Z3_OP_BUREM:
  case Z3_OP_BUREM_I: {
    const expr divisor = word.arg(1);
    if (!divisor.is_numeral() || holds(literal(divisor) == 0))
      return unknownNumber(word);
    const auto kind = word.decl().decl_kind();
    const expr quotient = unknown(end);
    const expr remainder = unknown(literal(divisor));
    facts_.push_back(number(word.arg(0)) ==
                     quotient * literal(divisor) + remainder);
    return kind == Z3_OP_BUDIV || kind == Z3_OP_BUDIV_I ? quotient : remainder;
  }
  default:
    return unknownNumber(word);
  }
}

expr Translation::signedNumber(const expr &word) {
  return number(word) - ifNegative(word, powerOfTwo(widthOf(word)));
}

Translation::Parts Translation::partsOf(const expr &word, unsigned bits) {
  const unsigned width = widthOf(word);
  const expr whole = number(word);
  const expr zero = context_.int_val(0);
  if (bits == 0 || bits == width)
    return bits == 0 ? Parts{zero, whole} : Parts{whole, zero};
  const auto known = parts_.find({idOf(word), bits});
  if (known != parts_.end())
    return known->second;
  const expr end = powerOfTwo(bits);
  const expr isAbove = whole >= end;
  Parts parts = bits + 1 == width
                    ? Parts{whole - z3::ite(isAbove, end, zero),
                            z3::ite(isAbove, context_.int_val(1), zero)}
                    : Parts{unknown(end), unknown(powerOfTwo(width - bits))};
  if (bits + 1 != width)
    facts_.push_back(whole == parts.high * end + parts.low);
  parts_.emplace(std::pair(idOf(word), bits), parts);
  return parts;
}

expr Translation::numberOfSlice(const expr &word) {
  const expr whole = word.arg(0);
  if (word.hi() + 1 == widthOf(whole))
    return partsOf(whole, word.lo()).high;
  expr upTo = partsOf(whole, word.hi() + 1).low;
  if (word.lo() == 0)
    return upTo;
  expr result = unknown(powerOfTwo(widthOf(word)));
  facts_.push_back(upTo == result * powerOfTwo(word.lo()) +
                               partsOf(whole, word.lo()).low);
  return result;
}

/// By a literal.
expr Translation::numberOfShift(const expr &word) {
  const unsigned width = widthOf(word);
  const expr end = powerOfTwo(width);
  if (!word.arg(1).is_numeral())
    return unknownNumber(word);
  const expr amount = literal(word.arg(1));
  const unsigned by = holds(amount >= static_cast<int>(width))
                          ? width
                          : static_cast<unsigned>(amount.get_numeral_uint64());
  const expr shifted = word.arg(0);
  if (word.decl().decl_kind() == Z3_OP_BSHL)
    return partsOf(shifted, width - by).low * powerOfTwo(by);
  expr high = partsOf(shifted, by).high;
  if (word.decl().decl_kind() == Z3_OP_BLSHR)
    return high;
  return high + ifNegative(shifted, end - powerOfTwo(width - by));
}

/// Of what nothing is known but that equal operands have equal results; all of
/// them are words.
expr Translation::application(const expr &term, const z3::sort &range) {
  z3::expr_vector arguments(context_);
  z3::sort_vector sorts(context_);
  std::string name = term.decl().name().str();
  for (unsigned i = 0; i < term.num_args(); ++i) {
    arguments.push_back(number(term.arg(i)));
    sorts.push_back(context_.int_sort());
    name += fmt::format("!{}", widthOf(term.arg(i)));
  }
  const z3::func_decl function = context_.function(name.c_str(), sorts, range);
  expr result = function(arguments);
  if (term.decl().decl_kind() == Z3_OP_BMUL && term.num_args() == 2)
    facts_.push_back(result == function(arguments[1], arguments[0]));
  return result;
}

void Translation::addTo(Sum &sum, const expr &word, const expr &factor) {
  const auto kind =
      word.is_app() ? word.decl().decl_kind() : Z3_OP_UNINTERPRETED;
  if (word.is_numeral()) {
    sum.literal = (sum.literal + literal(word) * factor).simplify();
  } else if (kind == Z3_OP_BADD) {
    for (unsigned i = 0; i < word.num_args(); ++i)
      addTo(sum, word.arg(i), factor);
  } else if (kind == Z3_OP_BSUB) {
    for (unsigned i = 0; i < word.num_args(); ++i)
      addTo(sum, word.arg(i), i == 0 ? factor : (-factor).simplify());
  } else if (kind == Z3_OP_BNEG) {
    addTo(sum, word.arg(0), (-factor).simplify());
  } else if (kind == Z3_OP_BMUL && isByLiteral(word)) {
    addTo(sum, word.arg(1), (factor * literal(word.arg(0))).simplify());
  } else {
    const auto [place, isNew] = sum.summands.emplace(
        idOf(word), std::pair(number(word), context_.int_val(0)));
    expr &known = place->second.second;
    known = (known + factor).simplify();
  }
}

expr Translation::numberOfSum(const expr &word) {
  Sum sum{{}, context_.int_val(0)};
  addTo(sum, word, context_.int_val(1));
  const expr end = powerOfTwo(widthOf(word));
  const auto centred = [&](const expr &value) {
    const expr rest = z3::mod(value, end).simplify();
    return holds(rest * 2 > end) ? (rest - end).simplify() : rest;
  };
  expr total = centred(sum.literal);
  // What it lies between before it is reduced.
  expr least = total;
  expr most = total;
  for (const auto &[id, summand] : sum.summands) {
    const expr factor = centred(summand.second);
    total = total + factor * summand.first;
    expr &bound = holds(factor < 0) ? least : most;
    bound = (bound + factor * (end - 1)).simplify();
  }
  const expr first = (least / end).simplify();
  const expr last = (most / end).simplify();
  if (holds(first == last))
    return total - first * end;
  if (holds(first + 1 == last))
    return total - z3::ite(total >= last * end, last * end, first * end);
  const expr times = unknownInteger();
  expr result = unknown(end);
  facts_.push_back(times >= first);
  facts_.push_back(times <= last);
  facts_.push_back(result == total - times * end);
  return result;
}

expr Translation::numberOfPieces(const expr &word) {
  // Copies of a sign are one summand.
  std::map<unsigned, std::pair<expr, expr>> summands;
  unsigned position = widthOf(word);
  for (unsigned i = 0; i < word.num_args(); ++i) {
    const expr piece = word.arg(i);
    position -= widthOf(piece);
    const auto [place, isNew] =
        summands.emplace(idOf(piece), std::pair(piece, context_.int_val(0)));
    expr &factor = place->second.second;
    factor = (factor + powerOfTwo(position)).simplify();
  }
  expr result = context_.int_val(0);
  for (const auto &[id, summand] : summands)
    result = result + summand.second * number(summand.first);
  return result;
}

std::optional<unsigned> Translation::lowOnes(const expr &numeral) const {
  const expr value = literal(numeral);
  for (unsigned bits = 0; bits <= widthOf(numeral); ++bits)
    if (holds(value == powerOfTwo(bits) - 1))
      return bits;
  return std::nullopt;
}

expr Translation::numberOfUnion(const expr &word) {
  const unsigned width = widthOf(word);
  const expr end = powerOfTwo(width);
  if (word.num_args() == 2 && word.arg(0).is_numeral()) {
    const expr mask = word.arg(0);
    const expr other = word.arg(1);
    if (const auto ones = lowOnes(mask))
      return number(other) - partsOf(other, *ones).low + literal(mask);
    if (const auto rest = lowOnes((~mask).simplify()))
      return literal(mask) + partsOf(other, *rest).low;
  }
  expr result = unknown(end);
  expr total = context_.int_val(0);
  for (unsigned i = 0; i < word.num_args(); ++i) {
    const expr each = number(word.arg(i));
    facts_.push_back(result >= each);
    total = total + each;
  }
  facts_.push_back(result <= total);
  return result;
}

expr Translation::numberOfDifference(const expr &word) {
  const expr end = powerOfTwo(widthOf(word));
  expr result = unknown(end);
  if (word.num_args() != 2)
    return result;
  const expr a = number(word.arg(0));
  const expr b = number(word.arg(1));
  facts_.push_back((a == b) == (result == 0));
  facts_.push_back(result <= a + b);
  facts_.push_back(a <= result + b);
  facts_.push_back(b <= result + a);
  return result;
}

expr Translation::signExtended(const expr &word, unsigned width) {
  return number(word) +
         ifNegative(word, powerOfTwo(width) - powerOfTwo(widthOf(word)));
}

} // namespace

std::optional<expr> overIntegers(const expr &formula) {
  Translation translation(formula.ctx());
  const expr condition = translation.condition(formula);
  if (translation.isTooLarge())
    return std::nullopt;
  return condition && translation.facts();
}

} // namespace checker::smt
