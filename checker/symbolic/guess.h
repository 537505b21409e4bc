// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guesses at what the source may pick to be like the target: the terms that
// stand in the target where the source has its picks. A wrong guess costs a
// round of the game and nothing else.
// Threads: terms belong to a Z3 context, and that to one thread.
#pragma once

#include <z3++.h>

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace checker::smt {

class Guess {
public:
  /// `variables`: those to be guessed. `inputs` are the same on both sides;
  /// of everything else one stands for another.
  Guess(const std::vector<z3::expr> &variables,
        const std::vector<z3::expr> &inputs);

  /// Walks both terms as far as they are alike. What a variable met first
  /// counts.
  void unify(const z3::expr &source, const z3::expr &target);

  /// A term for each of the variables, in their order: what it met, else
  /// `otherwise`.
  std::vector<z3::expr> answer(const std::vector<z3::expr> &otherwise) const;

private:
  bool isAlike(const z3::expr &a, const z3::expr &b) {
    return shapeOf(a) == shapeOf(b);
  }
  std::uint64_t shapeOf(const z3::expr &term);

  struct PairHash {
    std::size_t operator()(const std::pair<unsigned, unsigned> &pair) const {
      return (static_cast<std::size_t>(pair.first) << 32) ^ pair.second;
    }
  };

  std::vector<z3::expr> variables_;
  std::unordered_map<unsigned, std::size_t> places_; ///< by id of the variable
  std::unordered_set<unsigned> inputs_;              ///< ids
  /// By id: a hash of the term, but for the names of picks.
  std::unordered_map<unsigned, std::uint64_t> shapes_;
  std::unordered_map<std::size_t, z3::expr> met_; ///< by place
  std::unordered_map<std::pair<unsigned, unsigned>, bool, PairHash> seen_;
};

} // namespace checker::smt
