// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/polynomials.h"

#include "checker/symbolic/term_kinds.h"

#include <algorithm>

namespace checker::smt {

using z3::expr;

namespace {

constexpr unsigned maximumWidth = 64;
constexpr std::size_t maximumTerms = 16;
constexpr std::size_t maximumFactors = 4; ///< of one product

std::uint64_t maskOf(unsigned width) {
  return ~std::uint64_t(0) >> (maximumWidth - width);
}

void add(Polynomial &sum, const std::vector<unsigned> &factors,
         std::uint64_t times, std::uint64_t mask) {
  const auto place = sum.try_emplace(factors, 0).first;
  place->second = (place->second + times) & mask;
  if (place->second == 0)
    sum.erase(place);
}

std::optional<Polynomial> multiplied(const Polynomial &a, const Polynomial &b,
                                     std::uint64_t mask) {
  Polynomial result;
  for (const auto &[x, timesX] : a)
    for (const auto &[y, timesY] : b) {
      std::vector<unsigned> factors = x;
      factors.insert(factors.end(), y.begin(), y.end());
      if (factors.size() > maximumFactors)
        return std::nullopt;
      std::sort(factors.begin(), factors.end());
      add(result, factors, timesX * timesY, mask);
    }
  if (result.size() > maximumTerms)
    return std::nullopt;
  return result;
}

/// Of a word behind which there are zeros: that word, and how many.
std::optional<std::pair<expr, unsigned>> shifted(const expr &word) {
  const unsigned last = word.num_args() - 1;
  if (word.decl().decl_kind() != Z3_OP_CONCAT || last != 1 ||
      !word.arg(last).is_numeral() ||
      !(word.arg(last) == 0).simplify().is_true())
    return std::nullopt;
  return std::pair(word.arg(0), word.arg(last).get_sort().bv_size());
}

} // namespace

std::optional<Polynomial> Polynomials::ofAtom(const expr &word) {
  const unsigned id = idOf(word);
  factors_.emplace(id, word);
  return Polynomial{{{id}, 1}};
}

std::optional<Polynomial> Polynomials::ofSum(const expr &sum) {
  const std::uint64_t mask = maskOf(sum.get_sort().bv_size());
  Polynomial result;
  for (unsigned i = 0; i < sum.num_args(); ++i) {
    const auto part = of(sum.arg(i));
    if (!part)
      return std::nullopt;
    for (const auto &[factors, times] : *part)
      add(result, factors, times, mask);
  }
  if (result.size() > maximumTerms)
    return std::nullopt;
  return result;
}

std::optional<Polynomial>
Polynomials::ofProduct(const std::vector<expr> &factors) {
  std::optional<Polynomial> result = Polynomial{{{}, 1}};
  for (const expr &each : factors) {
    const auto factor = of(each);
    if (!factor)
      return std::nullopt;
    result = multiplied(*result, *factor, maskOf(each.get_sort().bv_size()));
    if (!result)
      return std::nullopt;
  }
  return result;
}

std::optional<Polynomial> Polynomials::of(const expr &word) {
  const unsigned id = idOf(word);
  auto found = known_.find(id);
  if (found == known_.end())
    found = known_.emplace(id, std::pair(word, computed(word))).first;
  return found->second.second;
}

std::optional<Polynomial> Polynomials::computed(const expr &word) {
  const unsigned width = word.get_sort().bv_size();
  if (width > maximumWidth)
    return std::nullopt;
  if (std::uint64_t bits = 0; word.is_numeral_u64(bits))
    return bits == 0 ? Polynomial() : Polynomial{{{}, bits}};
  if (!word.is_app())
    return ofAtom(word);
  if (const auto factors = factorsOf_(word))
    return ofProduct({factors->first, factors->second});
  const auto number = [&](std::uint64_t bits) {
    return word.ctx().bv_val(bits, width);
  };
  switch (word.decl().decl_kind()) {
  case Z3_OP_BADD:
    return ofSum(word);
  case Z3_OP_BMUL: {
    std::vector<expr> factors;
    for (unsigned i = 0; i < word.num_args(); ++i)
      factors.push_back(word.arg(i));
    return ofProduct(factors);
  }
  case Z3_OP_BNEG:
    return ofProduct({number(maskOf(width)), word.arg(0)});
  case Z3_OP_BNOT: // as two's complement has it
    return ofSum(number(maskOf(width)) + number(maskOf(width)) * word.arg(0));
  case Z3_OP_EXTRACT:
    // The low bits of a product are the product of low bits.
    if (word.lo() == 0)
      if (const auto factors = factorsOf_(word.arg(0)))
        return ofProduct({factors->first.extract(word.hi(), 0).simplify(),
                          factors->second.extract(word.hi(), 0).simplify()});
    break;
  case Z3_OP_CONCAT:
    if (const auto found = shifted(word)) {
      const auto &[part, zeros] = *found;
      const expr factor = number(std::uint64_t(1) << zeros);
      // Of bits that are shifted out nothing is left.
      const bool isCut =
          part.is_app() && part.decl().decl_kind() == Z3_OP_EXTRACT &&
          part.lo() == 0 && part.arg(0).get_sort().bv_size() == width;
      return ofProduct(
          {factor, isCut ? part.arg(0) : z3::zext(part, zeros).simplify()});
    }
    break;
  default:
    break;
  }
  return ofAtom(word);
}

} // namespace checker::smt
