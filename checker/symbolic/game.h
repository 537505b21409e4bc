// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quantified bit-vector formulas by counterexample-guided refinement over
// quantifier-free queries (as RAReQS, Janota et al., SAT 2012, plays QBF): the
// first player proposes values for the outer block, the second looks for an
// answer to them, and each answer is put into the formula for all proposals to
// come. Z3's own quantifiers are not used.
// Threads: belongs to its Z3 context, and that to one thread.
#pragma once

#include <z3++.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace checker::smt {

/// A limit was reached; what() says which one.
class OutOfResources : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// For each variable the next term of its sort that no other has, else the last
/// one of that sort, else zero.
std::vector<z3::expr> matched(const std::vector<z3::expr> &variables,
                              const std::vector<z3::expr> &terms);

/// For each variable a term of its sort, else zero; neighbours have the same
/// one where terms are fewer: what one side uses twice the other uses once.
std::vector<z3::expr> alike(const std::vector<z3::expr> &variables,
                            const std::vector<z3::expr> &terms);

class Game {
public:
  using Block = std::vector<z3::expr>;

  /// What formulas are about: choices between terms that nobody computes with
  /// (memory), which are best taken apart as far as needed, or computations.
  enum class Style : std::uint8_t { numbers, memory };

  /// `resources`: Z3 units for all queries of this context.
  Game(z3::context &context, std::uint32_t resources,
       Style style = Style::numbers)
      : context_(context), resources_(resources), style_(style),
        left_(resources), leftOfLazy_(resources * unitsOfLazy),
        leftOfIntegers_(resources * unitsOfIntegers) {}

  /// Values for blocks[0] such that for all of blocks[1] there are blocks[2]
  /// such that ... `formula`; nothing if there are none. Blocks may be empty.
  /// `terms` over blocks[0] are what a good answer to a proposal may be made
  /// of, `answers` are guesses at it: terms for all of blocks[1], one by one.
  /// Both only save time. Throws OutOfResources.
  std::optional<z3::model> play(std::vector<Block> blocks, z3::expr formula,
                                const Block &terms = {},
                                const std::vector<Block> &answers = {}) {
    return play(std::move(blocks), std::move(formula), terms, answers, false);
  }
  /// Z3 units of all queries so far.
  std::uint64_t spent() const { return spent_; }

private:
  /// A unit of the lazy solver is half as much time.
  static constexpr std::uint64_t unitsOfLazy = 2;
  static constexpr std::uint64_t unitsOfIntegers = 2; ///< likewise

  /// One list of formulas, for one solver after the other.
  class Solvers {
  public:
    Solvers(z3::context &context, Style style);
    void add(const z3::expr &formula);
    /// All that was added.
    z3::expr formula() const { return z3::mk_and(eager_.assertions()); }
    /// Each with what it may take.
    std::vector<std::pair<z3::solver *, std::uint64_t *>> inTurn(Game &game) {
      if (lazy_)
        return {{&*lazy_, &game.leftOfLazy_}, {&eager_, &game.left_}};
      return {{&eager_, &game.left_}};
    }

  private:
    std::optional<z3::solver> lazy_; ///< of bits only those that decide
    z3::solver eager_;               ///< all of them at once
  };

  /// `isAnswer`: to a proposal that is known.
  std::optional<z3::model> play(std::vector<Block> blocks, z3::expr formula,
                                const Block &terms,
                                const std::vector<Block> &answers,
                                bool isAnswer);
  z3::check_result ask(z3::solver &solver, std::uint64_t units,
                       std::uint64_t &purse);
  /// `isAlone`: there will be no more formulas.
  std::optional<z3::model> check(Solvers &solvers, bool isAlone);
  std::uint64_t unitsOfFirstTry() const;
  /// So many units, or a quarter of all.
  std::uint64_t shareOf(std::uint64_t units) const {
    return std::min<std::uint64_t>(units, resources_ / 4);
  }
  bool isRefutedAtOnce(const z3::expr &formula);
  bool isRefutedOverIntegers(const z3::expr &formula, std::uint64_t units);
  /// Where integers are an answer they are one soon, and else a unit may take
  /// long: half as many, each time they were none.
  bool isRefutedOverIntegers(const z3::expr &formula);
  bool isRefutedInPositions(const z3::expr &formula);
  bool isRefutedByFactors(const z3::expr &formula);
  bool isRefutedByAmounts(const z3::expr &formula);
  bool isRefutedByProducts(const z3::expr &formula);

  z3::context &context_;
  std::uint32_t resources_;
  Style style_;
  std::uint64_t left_;
  std::uint64_t leftOfLazy_;
  std::uint64_t leftOfIntegers_;
  std::uint64_t unitsOfIntegersNow_ = shareOf(500'000);
  std::uint64_t counted_ = 0; ///< by Z3, of this context
  std::uint64_t spent_ = 0;
  unsigned rounds_ = 0;
  unsigned fresh_ = 0;
};

} // namespace checker::smt
