// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/positions.h"

#include "checker/lane_ops/terms.h"
#include "checker/symbolic/term_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace checker::smt {

using z3::expr;

namespace {

/// More bits of words than that are as hard as the shifters.
constexpr std::size_t maximumReads = 200;
/// Of the formula, and bits of its words: in larger ones Z3 does as well alone.
constexpr std::size_t maximumTerms = 5000;
/// A literal with more runs of ones is a word like any other.
constexpr std::size_t maximumRuns = 8;

unsigned widthOf(const expr &word) { return word.get_sort().bv_size(); }

class Positions {
public:
  explicit Positions(const expr &formula)
      : context_(formula.ctx()), formula_(formula) {}

  std::optional<expr> weakened(unsigned rounds);

private:
  struct Equality {
    expr term;
    expr name; ///< Bool, in its place
  };
  /// Of a word that is no operation known here.
  struct Read {
    expr word;
    expr index;
    expr bit;
  };

  bool collect(const expr &term);
  expr index(std::uint64_t position) const {
    return context_.bv_val(position, indexWidth_);
  }
  expr amount(const expr &word) const;
  expr bit(const expr &word, const expr &at);
  expr bitOf(const expr &word, const expr &at);
  expr bitOfNumber(const expr &word, const expr &at, bool &isKnown) const;
  expr read(const expr &word, const expr &at);
  expr differ(const Equality &equality, const expr &at);

  z3::context &context_;
  const expr &formula_;
  unsigned widest_ = 1;
  unsigned indexWidth_ = 0;
  std::unordered_map<unsigned, bool> hasShifts_; ///< by id
  std::vector<Equality> equalities_;
  std::vector<Read> reads_;
  /// By ids of word and index; what has an id here is kept alive.
  std::unordered_map<std::uint64_t, expr> bits_;
  std::vector<expr> alive_;
};

/// Whether the term has such a shift in it, outside of equalities.
bool Positions::collect(const expr &term) {
  if (!term.is_app() || hasShifts_.size() > maximumTerms)
    return false;
  if (const auto found = hasShifts_.find(idOf(term)); found != hasShifts_.end())
    return found->second;
  bool result = false;
  for (unsigned i = 0; i < term.num_args(); ++i)
    result |= collect(term.arg(i));
  if (term.is_bv()) {
    widest_ = std::max(widest_, widthOf(term));
    result |= isOpenShift(term);
  } else if (result && term.is_eq() && term.arg(0).is_bv()) {
    equalities_.push_back(
        {term, context_.bool_const(
                   fmt::format("equality{}", equalities_.size()).c_str())});
  }
  // What is Bool is looked at on its own.
  return hasShifts_[idOf(term)] = result && term.is_bv();
}

/// As an index: only where it is less than the width.
expr Positions::amount(const expr &word) const {
  const unsigned width = widthOf(word);
  return width < indexWidth_ ? z3::zext(word, indexWidth_ - width)
                             : word.extract(indexWidth_ - 1, 0);
}

expr Positions::bit(const expr &word, const expr &position) {
  const expr at = position.simplify();
  const std::uint64_t key = std::uint64_t(idOf(word)) << 32 | idOf(at);
  if (const auto found = bits_.find(key); found != bits_.end())
    return found->second;
  alive_.push_back(word);
  alive_.push_back(at);
  expr result = bits_.size() < maximumTerms ? bitOf(word, at) : read(word, at);
  bits_.emplace(key, result);
  return result;
}

expr Positions::bitOfNumber(const expr &word, const expr &at,
                            bool &isKnown) const {
  std::uint64_t number = 0;
  expr result = context_.bool_val(false);
  isKnown = word.is_numeral_u64(number);
  std::size_t runs = 0;
  for (unsigned low = 0; isKnown && number != 0;) {
    const auto zeros = static_cast<unsigned>(std::countr_zero(number));
    number >>= zeros;
    low += zeros;
    const auto ones = static_cast<unsigned>(std::countr_one(number));
    number = ones == 64 ? 0 : number >> ones;
    result = either(result, z3::uge(at, index(low)) &&
                                z3::ule(at, index(low + ones - 1)));
    low += ones;
    isKnown = ++runs <= maximumRuns;
  }
  return result;
}

/// Means nothing where the index is not below the width.
expr Positions::bitOf(const expr &word, const expr &at) {
  const unsigned width = widthOf(word);
  if (word.is_numeral()) {
    bool isKnown = false;
    const expr result = bitOfNumber(word, at, isKnown);
    return isKnown ? result : read(word, at);
  }
  if (!word.is_app())
    return read(word, at);
  const auto operand = [&](unsigned i) { return bit(word.arg(i), at); };
  const auto all = [&](auto combine) {
    expr result = operand(0);
    for (unsigned i = 1; i < word.num_args(); ++i)
      result = combine(result, operand(i));
    return result;
  };
  const expr no = context_.bool_val(false);
  // Compared without a sum that may wrap.
  const auto compared = [&](const expr &a, const expr &position) {
    const unsigned size = std::max(width, indexWidth_);
    return std::pair(size > width ? z3::zext(a, size - width) : a,
                     size > indexWidth_ ? z3::zext(position, size - indexWidth_)
                                        : position);
  };
  switch (word.decl().decl_kind()) {
  case Z3_OP_BNOT:
    return negate(operand(0));
  case Z3_OP_BAND:
    return all([](const expr &a, const expr &b) { return both(a, b); });
  case Z3_OP_BOR:
    return all([](const expr &a, const expr &b) { return either(a, b); });
  case Z3_OP_BXOR:
    return all([](const expr &a, const expr &b) { return a != b; });
  case Z3_OP_ITE: {
    const expr then = bit(word.arg(1), at);
    return choose(word.arg(0), then, bit(word.arg(2), at));
  }
  case Z3_OP_BSHL: {
    const auto [a, position] = compared(word.arg(1), at);
    return both(z3::ule(a, position), // false where the amount is too large
                bit(word.arg(0), at - amount(word.arg(1))));
  }
  case Z3_OP_BLSHR:
  case Z3_OP_BASHR: {
    const auto [a, room] = compared(word.arg(1), index(width) - at);
    const expr beyond = word.decl().decl_kind() == Z3_OP_BLSHR
                            ? no
                            : bit(word.arg(0), index(width - 1));
    return choose(z3::ult(a, room), bit(word.arg(0), at + amount(word.arg(1))),
                  beyond);
  }
  case Z3_OP_CONCAT: {
    // The last operand is the lowest.
    unsigned low = width;
    expr result = no;
    for (unsigned i = 0; i < word.num_args(); ++i) {
      low -= widthOf(word.arg(i));
      const expr part = bit(word.arg(i), at - index(low));
      result = i == 0 ? part : result;
      if (i != 0)
        result = choose(z3::ult(at, index(low + widthOf(word.arg(i)))), part,
                        result);
    }
    return result;
  }
  case Z3_OP_EXTRACT:
    return bit(word.arg(0), at + index(word.lo()));
  case Z3_OP_ZERO_EXT:
    return both(z3::ult(at, index(widthOf(word.arg(0)))), operand(0));
  case Z3_OP_SIGN_EXT: {
    const unsigned inner = widthOf(word.arg(0));
    return choose(z3::ult(at, index(inner)), operand(0),
                  bit(word.arg(0), index(inner - 1)));
  }
  default:
    return read(word, at);
  }
}

expr Positions::read(const expr &word, const expr &at) {
  std::uint64_t position = 0;
  const bool isKnown = at.is_numeral_u64(position) && position < widthOf(word);
  const auto low = static_cast<unsigned>(position);
  expr bit =
      isKnown
          ? word.extract(low, low) == 1
          : context_.bool_const(fmt::format("bit{}", reads_.size()).c_str());
  reads_.push_back({word, at, bit});
  return bit;
}

/// At a position below the width.
expr Positions::differ(const Equality &equality, const expr &at) {
  const expr a = bit(equality.term.arg(0), at);
  const expr b = bit(equality.term.arg(1), at);
  return both(z3::ult(at, index(widthOf(equality.term.arg(0)))), a != b);
}

std::optional<expr> Positions::weakened(unsigned rounds) {
  collect(formula_);
  if (equalities_.empty() || hasShifts_.size() > maximumTerms)
    return std::nullopt;
  // As large as a sum of a position and an amount, and as the width.
  indexWidth_ =
      static_cast<unsigned>(std::bit_width(std::max(1U, 2 * widest_ - 2)));
  std::vector<expr> parts = {formula_};
  for (std::size_t i = 0; i < equalities_.size(); ++i) {
    const expr at =
        context_.bv_const(fmt::format("position{}", i).c_str(), indexWidth_);
    parts.push_back(either(equalities_[i].name, differ(equalities_[i], at)));
  }
  // What is equal is so wherever something is read.
  std::unordered_set<unsigned> known;
  for (unsigned round = 0; round < rounds; ++round) {
    std::vector<expr> indices;
    for (const Read &read : reads_)
      if (known.insert(idOf(read.index)).second)
        indices.push_back(read.index);
    for (const expr &at : indices)
      for (const Equality &equality : equalities_)
        if (reads_.size() < maximumReads)
          parts.push_back(negate(both(equality.name, differ(equality, at))));
  }
  for (std::size_t i = 0; i < reads_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (z3::eq(reads_[i].word, reads_[j].word))
        parts.push_back(reads_[i].index != reads_[j].index ||
                        reads_[i].bit == reads_[j].bit);
  z3::expr_vector from(context_);
  z3::expr_vector to(context_);
  z3::expr_vector all(context_);
  for (const Equality &equality : equalities_) {
    from.push_back(equality.term);
    to.push_back(equality.name);
  }
  for (const expr &part : parts)
    all.push_back(part);
  return z3::mk_and(all).substitute(from, to).simplify();
}

} // namespace

std::optional<expr> inPositions(const expr &formula, unsigned rounds) {
  return Positions(formula).weakened(rounds);
}

} // namespace checker::smt
