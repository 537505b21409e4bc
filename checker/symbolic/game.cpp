// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/game.h"

#include "checker/symbolic/amounts.h"
#include "checker/symbolic/equations.h"
#include "checker/symbolic/factors.h"
#include "checker/symbolic/integers.h"
#include "checker/symbolic/positions.h"
#include "checker/symbolic/products.h"
#include "checker/symbolic/variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <initializer_list>
#include <map>
#include <span>

namespace checker::smt {

using z3::expr;

namespace {

/// Proposals and answers of one check; each costs more than its query.
constexpr unsigned maximumRounds = 5000;

Game::Block valuesIn(const z3::model &model, const Game::Block &variables) {
  Game::Block values;
  for (const expr &variable : variables)
    values.push_back(model.eval(variable, true));
  return values;
}

/// One tactic after the other.
z3::solver solverOf(z3::context &context,
                    std::initializer_list<const char *> tactics) {
  z3::tactic all(context, *tactics.begin());
  for (const char *next : std::span(tactics).subspan(1))
    all = all & z3::tactic(context, next);
  return all.mk_solver();
}

/// Of bits only those that decide.
z3::solver lazySolver(z3::context &context) {
  return solverOf(context, {"simplify", "propagate-values", "solve-eqs",
                            "elim-uncnstr", "simplify", "smt"});
}

bool sameSort(const expr &a, const expr &b) {
  return z3::eq(a.get_sort(), b.get_sort());
}

/// Each value as a term that has it, where there is one: an answer to more
/// proposals than the one that it was made for.
Game::Block generalised(const Game::Block &values, const Game::Block &terms,
                        const Game::Block &valuesOfTerms) {
  std::vector<bool> taken(terms.size(), false);
  Game::Block result;
  for (const expr &value : values) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < terms.size(); ++i)
      if (z3::eq(valuesOfTerms[i], value) && (!found || taken[*found]))
        found = i;
    if (found)
      taken[*found] = true;
    result.push_back(found ? terms[*found] : value);
  }
  return result;
}

/// Without empty blocks but the first; their neighbours become one.
std::vector<Game::Block> joined(const std::vector<Game::Block> &blocks) {
  std::vector<Game::Block> result = {blocks[0]};
  std::size_t quantifier = 0; // of the last block in `result`, by parity
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    if (blocks[i].empty())
      continue;
    if (i % 2 != quantifier % 2) {
      result.emplace_back();
      quantifier = i;
    }
    result.back().insert(result.back().end(), blocks[i].begin(),
                         blocks[i].end());
  }
  return result;
}

} // namespace

std::vector<expr> matched(const std::vector<expr> &variables,
                          const std::vector<expr> &terms) {
  std::vector<bool> taken(terms.size(), false);
  std::vector<expr> result;
  for (const expr &variable : variables) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < terms.size(); ++i)
      if (sameSort(terms[i], variable) && (!found || !taken[i])) {
        found = i;
        if (!taken[i])
          break;
      }
    if (found)
      taken[*found] = true;
    result.push_back(found ? terms[*found] : zeroOf(variable));
  }
  return result;
}

std::vector<expr> alike(const std::vector<expr> &variables,
                        const std::vector<expr> &terms) {
  struct OfSort {
    std::vector<expr> terms;
    std::size_t variables = 0;
    std::size_t served = 0;
  };
  std::map<unsigned, OfSort> sorts; // by Z3's number of the sort
  const auto ofSort = [&](const expr &each) -> OfSort & {
    return sorts[Z3_get_ast_id(each.ctx(), each.get_sort())];
  };
  for (const expr &term : terms)
    ofSort(term).terms.push_back(term);
  for (const expr &variable : variables)
    ++ofSort(variable).variables;
  std::vector<expr> result;
  for (const expr &variable : variables) {
    OfSort &sort = ofSort(variable);
    const std::size_t place = sort.served++;
    result.push_back(
        sort.terms.empty()
            ? zeroOf(variable)
            : sort.terms[place * sort.terms.size() / sort.variables]);
  }
  return result;
}

/// `units`: as many, if `purse` still has them; it pays.
z3::check_result Game::ask(z3::solver &solver, std::uint64_t units,
                           std::uint64_t &purse) {
  const auto limit = static_cast<unsigned>(std::min(units, purse));
  if (limit == 0) // which to Z3 is no limit
    return z3::unknown;
  z3::params params(context_);
  params.set("rlimit", limit);
  params.set("ctrl_c", false); // SIGINT belongs to whoever runs us
  solver.set(params);
  const z3::check_result result = solver.check();
  const z3::stats statistics = solver.statistics();
  for (unsigned i = 0; i < statistics.size(); ++i)
    if (statistics.key(i) == "rlimit count") {
      const std::uint64_t count = statistics.uint_value(i);
      purse -= std::min(purse, count - counted_);
      spent_ += count - counted_;
      counted_ = count;
    }
  return result;
}

Game::Solvers::Solvers(z3::context &context, Style style)
    : eager_(context, "QF_BV") {
  if (style == Style::memory)
    lazy_ = lazySolver(context);
}

void Game::Solvers::add(const expr &formula) {
  eager_.add(formula);
  if (lazy_)
    lazy_->add(formula);
}

std::optional<z3::model> Game::check(Solvers &solvers, bool isAlone) {
  const auto outOfUnits = [&] {
    return OutOfResources(
        fmt::format("Z3 found no answer within {} resource units", resources_));
  };
  if (++rounds_ > maximumRounds)
    throw OutOfResources(
        fmt::format("no answer after {} guesses at choices", maximumRounds));
  // Most numbers are easy, and what is known of kinds of terms costs more.
  constexpr std::uint64_t easy = 50'000;
  const auto turns = solvers.inTurn(*this);
  if (style_ == Style::numbers) {
    auto &[solver, purse] = turns.front();
    const z3::check_result result = ask(*solver, shareOf(easy), *purse);
    if (result == z3::sat)
      return solver->get_model();
    if (result == z3::unsat)
      return std::nullopt;
  }
  if (isAlone
          ? isRefutedAtOnce(solvers.formula())
          : style_ == Style::memory && isRefutedOverIntegers(solvers.formula()))
    return std::nullopt;
  for (auto &[solver, purse] : turns) {
    switch (ask(*solver, *purse, *purse)) {
    case z3::sat:
      return solver->get_model();
    case z3::unsat:
      return std::nullopt;
    case z3::unknown:
      break;
    }
  }
  // More often than not more of the same is none, but it may be luck.
  if (style_ == Style::memory &&
      isRefutedOverIntegers(solvers.formula(), unitsOfFirstTry()))
    return std::nullopt;
  throw outOfUnits();
}

/// What is tried before Z3 has the whole formula: much where it helps at all.
std::uint64_t Game::unitsOfFirstTry() const {
  constexpr std::uint64_t enough = 1'000'000;
  return shareOf(enough);
}

bool Game::isRefutedInPositions(const expr &formula) {
  constexpr unsigned rounds = 2;
  for (unsigned round = 0; round < rounds && left_ != 0; ++round) {
    const auto weaker = inPositions(formula, round);
    if (!weaker)
      return false;
    z3::solver solver(context_, "QF_BV");
    solver.add(*weaker);
    const z3::check_result result = ask(solver, unitsOfFirstTry(), left_);
    if (result != z3::sat)
      return result == z3::unsat;
  }
  return false;
}

bool Game::isRefutedOverIntegers(const expr &formula, std::uint64_t units) {
  if (leftOfIntegers_ == 0)
    return false;
  const auto weaker = overIntegers(formula);
  if (!weaker)
    return false;
  z3::solver solver = solverOf(context_, {"simplify", "propagate-values",
                                          "solve-eqs", "simplify", "smt"});
  solver.add(*weaker);
  return ask(solver, units, leftOfIntegers_) == z3::unsat;
}

bool Game::isRefutedOverIntegers(const expr &formula) {
  constexpr std::uint64_t fewest = 20'000;
  const std::uint64_t before = leftOfIntegers_;
  const bool isRefuted = isRefutedOverIntegers(formula, unitsOfIntegersNow_);
  if (before - leftOfIntegers_ >= unitsOfIntegersNow_ && !isRefuted)
    unitsOfIntegersNow_ = std::max(fewest, unitsOfIntegersNow_ / 2);
  return isRefuted;
}

bool Game::isRefutedByAmounts(const expr &formula) {
  const std::vector<expr> cases = casesOfAmount(formula);
  if (cases.size() == 1 && z3::eq(cases[0], formula))
    return false;
  const std::uint64_t end = left_ - std::min(left_, unitsOfFirstTry());
  return std::all_of(cases.begin(), cases.end(), [&](const expr &part) {
    if (left_ <= end)
      return false;
    z3::solver solver(context_, "QF_BV");
    solver.add(part);
    return ask(solver, left_ - end, left_) == z3::unsat;
  });
}

bool Game::isRefutedByProducts(const expr &formula) {
  const auto weaker = byLawsOfProducts(formula);
  if (!weaker)
    return false;
  if (style_ == Style::memory) {
    z3::solver lazy = lazySolver(context_);
    lazy.add(*weaker);
    if (ask(lazy, unitsOfFirstTry(), leftOfLazy_) == z3::unsat)
      return true;
  }
  z3::solver solver(context_, "QF_BV");
  solver.add(*weaker);
  // Beside memory laws over integers take minutes; check() asks them without.
  return ask(solver, unitsOfFirstTry(), left_) == z3::unsat ||
         (style_ == Style::numbers &&
          isRefutedOverIntegers(weaker->simplify()));
}

/// By the numbers that a factor can be, where they are few.
bool Game::isRefutedByFactors(const expr &formula) {
  constexpr int most = 4;
  constexpr std::uint64_t enough = 300'000;
  for (const expr &factor : factorsOf(formula)) {
    const auto number = [&](int n) {
      return context_.bv_val(n, factor.get_sort().bv_size());
    };
    if (!isRefutedOverIntegers(
            (formula && z3::ugt(factor, number(most))).simplify(),
            shareOf(enough)))
      continue;
    for (int n = 0; n <= most; ++n) {
      const expr part = substituted(formula, {factor}, {number(n)}).simplify();
      if (!part.is_false() && !isRefutedAtOnce(part))
        return false;
    }
    return true;
  }
  return false;
}

/// By what is known of kinds of terms, which bit by bit nobody finds.
bool Game::isRefutedAtOnce(const expr &formula) {
  if (style_ == Style::memory)
    return isRefutedByFactors(formula) || isRefutedByProducts(formula) ||
           isRefutedOverIntegers(formula);
  return isRefutedInPositions(formula) || isRefutedByAmounts(formula) ||
         isRefutedByProducts(formula) || isRefutedOverIntegers(formula);
}

std::optional<z3::model> Game::play(std::vector<Block> blocks, expr formula,
                                    const Block &terms,
                                    const std::vector<Block> &answers,
                                    bool isAnswer) {
  formula = formula.simplify();
  if (formula.is_false())
    return std::nullopt;
  blocks = joined(blocks);
  Solvers solvers(context_, style_);
  if (blocks.size() == 1) {
    solvers.add(formula);
    // Most answers to a proposal exist, and there may be thousands.
    return check(solvers, !isAnswer);
  }

  // What the answers so far leave of the formula: the second player's first
  // block is gone, the deeper ones are copied for each answer.
  std::vector<Block> left = {blocks[0]};
  left.resize(std::max<std::size_t>(1, blocks.size() - 2));
  const bool isQuantifierFree = left.size() == 1;
  expr conditions = context_.bool_val(true);
  const auto answer = [&](const Block &terms) {
    expr instance = substituted(formula, blocks[1], terms);
    for (std::size_t i = 2; i < blocks.size(); ++i) {
      Block copies;
      for (const expr &variable : blocks[i])
        copies.push_back(context_.constant(fmt::format("c{}", fresh_++).c_str(),
                                           variable.get_sort()));
      instance = substituted(instance, blocks[i], copies);
      left[i - 2].insert(left[i - 2].end(), copies.begin(), copies.end());
    }
    if (isQuantifierFree)
      solvers.add(instance);
    else
      conditions = conditions && instance;
  };
  for (Block guess : answers) {
    // Where nothing is asked in between, later choices came to the first ones.
    const Block later(blocks[1].begin() + static_cast<long>(guess.size()),
                      blocks[1].end());
    for (const expr &term : matched(later, terms))
      guess.push_back(term);
    answer(guess);
  }

  Block later;
  for (std::size_t i = 2; i < blocks.size(); ++i)
    later.insert(later.end(), blocks[i].begin(), blocks[i].end());
  if (const auto solved = solveEquations(formula, blocks[1], later))
    answer(*solved);

  const std::vector<Block> rest(blocks.begin() + 1, blocks.end());
  while (true) {
    auto proposal = isQuantifierFree
                        ? check(solvers, false)
                        : play(left, conditions, terms, {}, isAnswer);
    if (!proposal)
      return std::nullopt;
    const expr open =
        substituted(formula, blocks[0], valuesIn(*proposal, blocks[0]));
    const auto refutation = play(rest, !open, {}, {}, true);
    if (!refutation)
      return proposal;
    answer(generalised(valuesIn(*refutation, blocks[1]), terms,
                       valuesIn(*proposal, terms)));
  }
}

} // namespace checker::smt
