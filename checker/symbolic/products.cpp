// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/products.h"

#include "checker/lane_ops/terms.h"
#include "checker/symbolic/polynomials.h"
#include "checker/symbolic/term_kinds.h"
#include "checker/symbolic/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace checker::smt {

using z3::expr;

namespace {

constexpr std::size_t maximumTerms = 20'000;
/// Each pair of one kind has laws.
constexpr std::size_t maximumUnknowns = 40;

using Kind = ProductKind;

bool isUnsigned(Kind kind) {
  return kind == Kind::unsignedQuotient || kind == Kind::unsignedRemainder;
}

bool isQuotient(Kind kind) {
  return kind == Kind::unsignedQuotient || kind == Kind::signedQuotient;
}

/// What stands for one term: `value` is a variable, of a remainder what a
/// multiple leaves.
struct Unknown {
  Kind kind;
  expr a;
  expr b;
  expr value;
  /// Of a quotient: b times that.
  std::optional<expr> multiple = {};

  unsigned width() const { return value.get_sort().bv_size(); }
  expr number(int number) const { return value.ctx().bv_val(number, width()); }
  expr isMinimum(const expr &word) const {
    return word == z3::shl(number(1), number(static_cast<int>(width()) - 1));
  }
};

class Rewriter {
public:
  explicit Rewriter(z3::context &context) : context_(context) {}

  bool isTooLarge() const {
    return rewritten_.size() > maximumTerms ||
           unknowns_.size() > maximumUnknowns;
  }
  bool hasUnknowns() const { return !unknowns_.empty(); }

  void rewriteProducts(const expr &formula);
  expr rewrite(const expr &term);
  expr laws();
  expr expansions() const;

private:
  std::optional<expr> known(const Unknown &one, Kind kind, const expr &a,
                            const expr &b) const;
  expr unknown(Kind kind, expr a, expr b);
  expr product(const std::vector<expr> &factors);
  expr byMagnitudes(const Unknown &one);
  expr lawsOf(const Unknown &one) const;
  /// Of two of one kind; those below have the wider one first.
  expr lawsOf(const Unknown &one, const Unknown &other) const;
  expr lawsOfProducts(const Unknown &one, const Unknown &other) const;
  expr lawsOfUnsigned(const Unknown &one, const Unknown &other) const;
  expr lawsOfSigned(const Unknown &one, const Unknown &other) const;
  expr lawsOfQuotients(const Unknown &one, const Unknown &other) const;
  bool isExact(Kind kind, unsigned width) const;
  bool isExact(const Unknown &one) const {
    return isExact(one.kind, one.width());
  }
  expr areWords(const Unknown &product, unsigned width, bool isSigned) const;
  expr fits(const Unknown &product, bool isSigned) const;
  expr lawsOfExact(const Unknown &product) const;
  expr lawsOfFitting(const Unknown &one, const Unknown &other) const;

  z3::context &context_;
  std::unordered_map<unsigned, expr> rewritten_; ///< by id of the term
  std::vector<Unknown> unknowns_;
  std::set<unsigned> widths_; ///< of all words of the formula
  std::set<unsigned> productWidths_;
};

expr isNegative(const expr &word) { return word < 0; }

expr magnitude(const expr &word) {
  return z3::ite(isNegative(word), -word, word);
}

expr widened(const expr &word, unsigned width, bool isSigned) {
  const unsigned more = width - word.get_sort().bv_size();
  if (more == 0)
    return word;
  return isSigned ? z3::sext(word, more) : z3::zext(word, more);
}

/// The result of that operation, where `one` has it: a product's low bits are
/// the product of its factors' low bits. An exact one has laws of its own.
std::optional<expr> Rewriter::known(const Unknown &one, Kind kind,
                                    const expr &a, const expr &b) const {
  const unsigned width = a.get_sort().bv_size();
  if (one.kind != kind || one.width() < width ||
      (one.width() > width && (kind != Kind::product || isExact(kind, width))))
    return std::nullopt;
  const auto low = [&](const expr &word) {
    return one.width() == width ? word : word.extract(width - 1, 0).simplify();
  };
  const expr x = low(one.a);
  const expr y = low(one.b);
  const bool isSwapped = kind == Kind::product && z3::eq(x, b) && z3::eq(y, a);
  if (isSwapped || (z3::eq(x, a) && z3::eq(y, b)))
    return low(one.value);
  return std::nullopt;
}

/// Of products the wide ones first, which say what the narrow ones are.
void Rewriter::rewriteProducts(const expr &formula) {
  std::vector<expr> products;
  for (const expr &term : applicationsIn(formula, maximumTerms)) {
    if (term.is_bv())
      widths_.insert(term.get_sort().bv_size());
    if (productKindOf(term) != Kind::product)
      continue;
    products.push_back(term);
    productWidths_.insert(term.get_sort().bv_size());
  }
  std::stable_sort(products.begin(), products.end(),
                   [](const expr &a, const expr &b) {
                     return a.get_sort().bv_size() > b.get_sort().bv_size();
                   });
  for (const expr &term : products)
    rewrite(term);
}

expr Rewriter::unknown(Kind kind, expr a, expr b) {
  a = a.simplify();
  b = b.simplify();
  if (kind == Kind::product && idOf(b) < idOf(a))
    std::swap(a, b);
  for (const Unknown &each : unknowns_)
    if (const auto value = known(each, kind, a, b))
      return *value;
  const auto add = [&](const expr &value) {
    unknowns_.push_back({kind, a, b, value});
    return value;
  };
  const auto variable = [&] {
    return context_.constant(fmt::format("product{}", unknowns_.size()).c_str(),
                             a.get_sort());
  };
  if (kind == Kind::product)
    return add(variable());
  const std::size_t place = unknowns_.size();
  if (isQuotient(kind)) {
    expr value = add(variable());
    const expr multiple = product({value, b});
    unknowns_[place].multiple = multiple;
    return value;
  }
  // For a divisor of 0 too, as SMT-LIB has it.
  const expr multiple = product(
      {unknown(isUnsigned(kind) ? Kind::unsignedQuotient : Kind::signedQuotient,
               a, b),
       b});
  return add((a - multiple).simplify());
}

/// A literal factor stays one.
expr Rewriter::product(const std::vector<expr> &factors) {
  std::optional<expr> literal;
  std::optional<expr> result;
  for (const expr &factor : factors)
    if (factor.is_numeral())
      literal = literal ? *literal * factor : factor;
    else
      result = result ? unknown(Kind::product, *result, factor) : factor;
  if (!result)
    return *literal;
  return literal ? *literal * *result : *result;
}

expr Rewriter::rewrite(const expr &term) {
  if (!term.is_app() || term.num_args() == 0)
    return term;
  if (const auto found = rewritten_.find(idOf(term)); found != rewritten_.end())
    return found->second;
  z3::expr_vector arguments(context_);
  std::vector<expr> factors;
  for (unsigned i = 0; i < term.num_args() && !isTooLarge(); ++i) {
    factors.push_back(rewrite(term.arg(i)));
    arguments.push_back(factors.back());
  }
  if (isTooLarge())
    return term;
  const auto kind = productKindOf(term);
  expr result = !kind ? term.decl()(arguments)
                : kind == Kind::product
                    ? product(factors)
                    : unknown(*kind, factors[0], factors[1]);
  rewritten_.emplace(idOf(term), result);
  return result;
}

expr Rewriter::lawsOf(const Unknown &one) const {
  const expr zero = one.number(0);
  const expr unit = one.number(1);
  const expr &a = one.a;
  const expr &b = one.b;
  const expr &value = one.value;
  const auto byFactor = [&](const expr &factor, const expr &other) {
    return z3::implies(factor == zero, value == zero) &&
           z3::implies(factor == unit, value == other) &&
           z3::implies(factor == -unit, value == -other);
  };
  expr result = context_.bool_val(true);
  switch (one.kind) {
  case Kind::product:
    return byFactor(a, b) && byFactor(b, a) &&
           value.extract(0, 0) == (a.extract(0, 0) & b.extract(0, 0));
  case Kind::unsignedQuotient:
    result =
        z3::ite(b == unit, value == a, z3::ule(value, z3::lshr(a, unit))) &&
        z3::implies(a == b, value == unit) && z3::ult(a, b) == (value == zero);
    if (b.is_numeral()) // then it is known
      result = result && z3::ule(value, z3::udiv(-unit, b)) &&
               z3::ule(value * b, a) && z3::ult(a - value * b, b);
    break;
  case Kind::unsignedRemainder:
    result = z3::ult(value, b) && z3::ule(value, a) &&
             z3::implies(z3::ult(a, b), value == a);
    break;
  case Kind::signedQuotient:
    result = z3::implies(b == unit, value == a) &&
             z3::implies(b == -unit, value == -a) &&
             z3::implies(a == b, value == unit) &&
             z3::implies(a == -b && !one.isMinimum(a), value == -unit) &&
             (value == zero || (one.isMinimum(a) && b == -unit) ||
              isNegative(value) == (isNegative(a) != isNegative(b))) &&
             z3::ule(magnitude(value), magnitude(a)) &&
             z3::ult(magnitude(a), magnitude(b)) == (value == zero);
    if (b.is_numeral()) {
      const expr rest = a - value * b;
      result = result &&
               z3::ule(magnitude(value), z3::udiv(-unit, magnitude(b))) &&
               z3::ult(magnitude(rest), magnitude(b)) &&
               (rest == zero || isNegative(rest) == isNegative(a));
    }
    break;
  case Kind::signedRemainder:
    result = (value == zero || isNegative(value) == isNegative(a)) &&
             z3::ule(magnitude(value), magnitude(a)) &&
             z3::ult(magnitude(value), magnitude(b));
    break;
  }
  return z3::implies(b != zero, result);
}

/// The operands of `one` may be the others', extended, or their negations.
expr Rewriter::lawsOfSigned(const Unknown &one, const Unknown &other) const {
  const auto wide = [&](const expr &word) {
    return widened(word, one.width(), true);
  };
  const expr isDefined = other.b != 0 && !(other.isMinimum(other.a) &&
                                           other.b == other.number(-1));
  const expr canBeNegated =
      !other.isMinimum(other.a) && !other.isMinimum(other.b);
  expr result = context_.bool_val(true);
  for (const bool a : {false, true})
    for (const bool b : {false, true}) {
      const auto when = [](bool isNegated, const expr &word) {
        return isNegated ? -word : word;
      };
      const bool isNegated = one.kind == Kind::signedQuotient ? a != b : a;
      expr same = isDefined && one.a == when(a, wide(other.a)) &&
                  one.b == when(b, wide(other.b));
      if (a || b)
        same = same && canBeNegated;
      result =
          result &&
          z3::implies(same, one.value == when(isNegated, wide(other.value)));
    }
  return result;
}

/// A multiple of the divisor is divided without a rest, and of one positive
/// divisor quotients are in the order of the dividends.
expr Rewriter::lawsOfQuotients(const Unknown &one, const Unknown &other) const {
  const auto divides = [](const Unknown &multiple, const Unknown &quotient) {
    return z3::implies(multiple.b != 0 && quotient.b == multiple.b &&
                           quotient.a == *multiple.multiple,
                       quotient.value == multiple.value);
  };
  const auto isLess = [&](const expr &a, const expr &b) {
    return isUnsigned(one.kind) ? z3::ult(a, b) : a < b;
  };
  const expr haveOneRest = one.a - *one.multiple == other.a - *other.multiple;
  const auto follows = [&](const Unknown &less, const Unknown &more) {
    return z3::implies(
        isLess(less.a, more.a),
        !isLess(more.value, less.value) &&
            z3::implies(haveOneRest, isLess(less.value, more.value)));
  };
  return divides(one, other) && divides(other, one) &&
         z3::implies(one.b == other.b && isLess(one.number(0), one.b),
                     follows(one, other) && follows(other, one));
}

expr Rewriter::lawsOfUnsigned(const Unknown &one, const Unknown &other) const {
  const auto wide = [&](const expr &word) {
    return widened(word, one.width(), false);
  };
  return z3::implies(other.b != 0 && one.a == wide(other.a) &&
                         one.b == wide(other.b),
                     one.value == wide(other.value));
}

/// The factors of `one`, cut to the width of `other`, may be the others', or
/// their negations.
expr Rewriter::lawsOfProducts(const Unknown &one, const Unknown &other) const {
  const unsigned high = other.width() - 1;
  const auto low = [&](const expr &word) { return word.extract(high, 0); };
  expr result = context_.bool_val(true);
  for (const auto &[x, y] : {std::pair(other.a, other.b), {other.b, other.a}}) {
    const expr isX = low(one.a) == x;
    const expr isY = low(one.b) == y;
    const expr isMinusX = low(one.a) == -x;
    const expr isMinusY = low(one.b) == -y;
    result = result &&
             z3::implies((isX && isY) || (isMinusX && isMinusY),
                         low(one.value) == other.value) &&
             z3::implies((isX && isMinusY) || (isMinusX && isY),
                         low(one.value) == -other.value);
  }
  if (isExact(other) &&
      (one.width() == other.width() || one.width() >= 2 * (other.width() - 1)))
    result = result && lawsOfFitting(one, other);
  return result;
}

expr Rewriter::lawsOf(const Unknown &one, const Unknown &other) const {
  if (one.width() < other.width())
    return lawsOf(other, one);
  if (one.kind == Kind::product)
    return lawsOfProducts(one, other);
  const expr result = isUnsigned(one.kind) ? lawsOfUnsigned(one, other)
                                           : lawsOfSigned(one, other);
  return isQuotient(one.kind) && one.width() == other.width()
             ? result && lawsOfQuotients(one, other)
             : result;
}

/// A product in one bit more than some word has says whether it fits that.
bool Rewriter::isExact(Kind kind, unsigned width) const {
  return kind == Kind::product && width > 2 && widths_.contains(width - 1);
}

/// Of a product in more bits than words have: its factors are such words,
/// extended.
expr Rewriter::areWords(const Unknown &product, unsigned width,
                        bool isSigned) const {
  const auto isWord = [&](const expr &factor) {
    return factor ==
           widened(factor.extract(width - 1, 0), product.width(), isSigned);
  };
  return isWord(product.a) && isWord(product.b);
}

/// Of an exact product of words: it is one too.
expr Rewriter::fits(const Unknown &product, bool isSigned) const {
  const unsigned high = product.width() - 2;
  return !productOverflows(product.a.extract(high, 0),
                           product.b.extract(high, 0), product.value, isSigned);
}

/// An exact product that fits: its sign, and what it is divided by a factor.
expr Rewriter::lawsOfExact(const Unknown &product) const {
  const unsigned width = product.width() - 1;
  const auto low = [&](const expr &word) { return word.extract(width - 1, 0); };
  const expr a = low(product.a);
  const expr b = low(product.b);
  expr result = context_.bool_val(true);
  for (const bool isSigned : {false, true}) {
    const expr hasFit =
        areWords(product, width, isSigned) && fits(product, isSigned);
    if (isSigned)
      result = result && z3::implies(hasFit && a != 0 && b != 0,
                                     product.value != 0 &&
                                         isNegative(product.value) ==
                                             (isNegative(a) != isNegative(b)));
    for (const Unknown &each : unknowns_) {
      if (!isQuotient(each.kind) || isUnsigned(each.kind) == isSigned ||
          each.width() != width)
        continue;
      const expr isDivided = hasFit && each.a == low(product.value);
      for (const auto &[x, y] : {std::pair(a, b), {b, a}}) {
        result = result && z3::implies(isDivided && x != 0 && each.b == x,
                                       each.value == y);
        if (isSigned)
          result = result && z3::implies(isDivided && x != 0 && each.b == -x &&
                                             !each.isMinimum(x),
                                         each.value == -y);
      }
    }
  }
  return result;
}

/// Of two products of the same words, or of negated ones, the second exact and
/// the first too or in twice as many bits.
expr Rewriter::lawsOfFitting(const Unknown &one, const Unknown &other) const {
  const unsigned width = other.width() - 1;
  expr result = context_.bool_val(true);
  for (const bool isSigned : {false, true}) {
    const auto wide = [&](const expr &word) {
      return widened(word, one.width(), isSigned);
    };
    const expr oneFits =
        one.width() == other.width()
            ? fits(one, isSigned)
            : one.value == wide(one.value.extract(width - 1, 0));
    expr areSame = context_.bool_val(false);
    for (const auto &[x, y] : {std::pair(one.a, one.b), {one.b, one.a}})
      areSame = areSame || (x == wide(other.a) && y == wide(other.b)) ||
                (x == -wide(other.a) && y == -wide(other.b));
    result = result && z3::implies(areSame && areWords(one, width, isSigned) &&
                                       areWords(other, width, isSigned),
                                   oneFits == fits(other, isSigned));
  }
  return result;
}

/// A signed one by the unsigned one of the magnitudes, as SMT-LIB has it.
expr Rewriter::byMagnitudes(const Unknown &one) {
  const bool isQuotient = one.kind == Kind::signedQuotient;
  const expr value =
      unknown(isQuotient ? Kind::unsignedQuotient : Kind::unsignedRemainder,
              magnitude(one.a), magnitude(one.b));
  const expr isNegated =
      isQuotient ? isNegative(one.a) != isNegative(one.b) : isNegative(one.a);
  return one.value == z3::ite(isNegated, -value, value);
}

expr Rewriter::laws() {
  expr result = context_.bool_val(true);
  if (std::any_of(unknowns_.begin(), unknowns_.end(),
                  [](const Unknown &each) { return isUnsigned(each.kind); }))
    for (std::size_t i = 0; i < unknowns_.size(); ++i)
      if (const Unknown one = unknowns_[i];
          one.kind == Kind::signedQuotient || one.kind == Kind::signedRemainder)
        result = result && byMagnitudes(one);
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    result = result && lawsOf(unknowns_[i]);
    if (isExact(unknowns_[i]))
      result = result && lawsOfExact(unknowns_[i]);
    for (std::size_t k = 0; k < i; ++k)
      if (unknowns_[i].kind == unknowns_[k].kind)
        result = result && lawsOf(unknowns_[i], unknowns_[k]);
  }
  return result;
}

/// Products of sums are sums of products, each of which is a number of its own.
/// In all widths in which there are products, since those of low bits are no
/// unknowns. Nothing where products have no sums, and no product comes twice.
expr Rewriter::expansions() const {
  const auto factorsOf = [&](const expr &word) -> Polynomials::Factors {
    for (const Unknown &one : unknowns_)
      if (one.kind == Kind::product && z3::eq(one.value, word))
        return std::pair(one.a, one.b);
    return std::nullopt;
  };
  Polynomials polynomials(factorsOf);
  std::map<std::pair<unsigned, std::vector<unsigned>>, expr> numbers;
  const auto termOf = [&](const std::vector<unsigned> &factors,
                          unsigned width) {
    if (factors.empty())
      return context_.bv_val(1, width);
    if (factors.size() == 1)
      return polynomials.factor(factors.front());
    const std::string name = fmt::format("monomial{}", numbers.size());
    return numbers
        .try_emplace({width, factors}, context_.bv_const(name.c_str(), width))
        .first->second;
  };
  expr result = context_.bool_val(true);
  std::size_t terms = 0;
  std::size_t products = 0;
  for (const Unknown &one : unknowns_)
    for (const unsigned width : productWidths_) {
      if (one.kind != Kind::product || one.width() < width)
        continue;
      const expr value = one.width() == width
                             ? one.value
                             : one.value.extract(width - 1, 0).simplify();
      const auto polynomial = polynomials.of(value);
      if (!polynomial)
        continue;
      expr sum = context_.bv_val(0, width);
      for (const auto &[factors, times] : *polynomial)
        sum = sum + context_.bv_val(times, width) * termOf(factors, width);
      result = result && value == sum;
      terms += polynomial->size();
      ++products;
    }
  const bool isOneEach = terms == products && numbers.size() == products;
  return isOneEach ? context_.bool_val(true) : result;
}

} // namespace

std::optional<expr> byLawsOfProducts(const expr &formula) {
  Rewriter rewriter(formula.ctx());
  rewriter.rewriteProducts(formula);
  const expr weaker = rewriter.rewrite(formula);
  if (rewriter.isTooLarge() || !rewriter.hasUnknowns())
    return std::nullopt;
  return weaker && rewriter.laws() && rewriter.expansions();
}

} // namespace checker::smt
