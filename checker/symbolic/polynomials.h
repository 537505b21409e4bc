// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words as polynomials modulo 2^width: one form for all that the laws of a ring
// make equal, as (a + b) * (a + b) and a * a + (2 * a + b) * b are.
// Threads: terms belong to a Z3 context, and that to one thread.
#pragma once

#include <z3++.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace checker::smt {

/// By the ids of its factors in order, which may come more than once: how often
/// a product is in the sum, modulo 2^width and never 0. Of none it is 1.
using Polynomial = std::map<std::vector<unsigned>, std::uint64_t>;

class Polynomials {
public:
  using Factors = std::optional<std::pair<z3::expr, z3::expr>>;

  /// Variables of which `factorsOf` knows factors are their product.
  explicit Polynomials(std::function<Factors(const z3::expr &)> factorsOf)
      : factorsOf_(std::move(factorsOf)) {}

  /// Requires a simplified bit-vector. Nothing of words above 64 bits, and
  /// where there are too many terms.
  std::optional<Polynomial> of(const z3::expr &word);

  /// A factor by its id.
  const z3::expr &factor(unsigned id) const { return factors_.at(id); }

private:
  std::optional<Polynomial> computed(const z3::expr &word);
  std::optional<Polynomial> ofAtom(const z3::expr &word);
  std::optional<Polynomial> ofSum(const z3::expr &sum);
  std::optional<Polynomial> ofProduct(const std::vector<z3::expr> &factors);

  std::function<Factors(const z3::expr &)> factorsOf_;
  std::map<unsigned, z3::expr> factors_;
  /// By id of the word, which is held so that the id stays its own.
  std::map<unsigned, std::pair<z3::expr, std::optional<Polynomial>>> known_;
};

} // namespace checker::smt
