// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quantified bit-vector formulas by counterexample-guided refinement over
// quantifier-free queries (as RAReQS, Janota et al., SAT 2012, plays QBF): the
// first player proposes values for the outer block, the second looks for an
// answer to them, and each answer is put into the formula for all proposals to
// come. Z3's own quantifiers are not used.
// Threads: belongs to its Z3 context, and that to one thread.
#pragma once

#include <z3++.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
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

class Game {
public:
  using Block = std::vector<z3::expr>;

  /// `resources`: Z3 units for all queries of this context.
  Game(z3::context &context, std::uint32_t resources)
      : context_(context), resources_(resources) {}

  /// Values for blocks[0] such that for all of blocks[1] there are blocks[2]
  /// such that ... `formula`; nothing if there are none. Blocks may be empty.
  /// `terms` over blocks[0] are what a good answer to a proposal may be made
  /// of, `answers` are guesses at it: terms for all of blocks[1], one by one.
  /// Both only save time. Throws OutOfResources.
  std::optional<z3::model> play(std::vector<Block> blocks, z3::expr formula,
                                const Block &terms = {},
                                const std::vector<Block> &answers = {});

private:
  z3::check_result ask(z3::solver &solver, std::uint64_t units);
  std::optional<z3::model> check(z3::solver &solver);
  std::uint64_t unitsOfFirstTry() const;
  bool isRefutedInPositions(const z3::expr &formula);
  bool isRefutedByAmounts(const z3::expr &formula);

  z3::context &context_;
  std::uint32_t resources_;
  std::uint64_t used_ = 0;
  unsigned rounds_ = 0;
  unsigned fresh_ = 0;
};

} // namespace checker::smt
