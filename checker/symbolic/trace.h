// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of a run as formulas, and what it takes for the trace of a target
// to be one of its source (SEMANTICS section 3). The run is symbolic, so which
// call is the first, the second and so on is a formula too; positions count
// from 0.
// Threads: formulas belong to a Z3 context, and that to one thread.
#pragma once

#include "checker/core/core.h"
#include "checker/symbolic/variables.h"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace checker::smt {

/// A set of a value of several lanes: one row for each value of `choices`.
struct SymbolicRow {
  std::vector<Term> lanes;
  Variables choices;
};

struct TracedCall {
  const core::Call *call = nullptr;
  std::vector<z3::expr> at; ///< by position: it is made there
  std::vector<SymbolicRow> arguments;
};

/// The calls of one side, and where it is UB.
struct Trace {
  std::vector<TracedCall> calls;
  std::vector<z3::expr> end; ///< by number of calls: so many in all, not beyond
  std::vector<z3::expr> ub;  ///< by number of calls: UB after these
  /// By number of calls: after these it takes too many back edges.
  std::vector<z3::expr> beyond;
  /// Of the function: what its attributes forbid is UB.
  std::uint32_t attributes = 0;
};

/// What the target does that no run of the source covers. A source beyond its
/// bound is taken for UB: nobody knows what it covers.
class TraceComparison {
public:
  TraceComparison(const Trace &source, const Trace &target,
                  FreshVariables &fresh);

  /// Each is one way to show the kind: after so many calls, in such a way.
  /// True for a target run that no run of the source with these forks covers.
  std::vector<z3::expr> moreUb() const;
  std::vector<z3::expr> calls() const;
  std::vector<z3::expr> returns() const;

  /// The source is in UB whatever its calls do.
  const z3::expr &ubFromStart() const { return ubFromStart_; }
  /// The target comes to its end, and the source is not in UB before;
  /// `assumeMatch`: where there are no ways to show the kind `calls`.
  z3::expr comesToEnd(bool assumeMatch) const;
  /// At its end the source has made other calls, or more of them.
  z3::expr lacksEnd() const;

  /// What the arguments of the target's calls pick, and those of the source's.
  const Variables &targetPicks() const { return targetPicks_; }
  const Variables &sourcePicks() const { return sourcePicks_; }

private:
  static constexpr unsigned ways = 2; ///< not to come back from a call
  /// The calls of one side at one position, by callee.
  struct Event {
    const core::Call *like = nullptr;
    z3::expr made;
    std::vector<SymbolicRow> arguments;
  };
  struct Position {
    std::vector<Event> events;
    z3::expr any;                      ///< some call
    z3::expr comesBack;                ///< or it is UB
    std::array<z3::expr, ways> exits;  ///< where the callee leaves so: an end
    std::array<z3::expr, ways> exitUb; ///< or this function is UB
  };
  std::vector<Position> positionsOf(const Trace &trace) const;
  z3::expr mismatch(const Position &source, const Position &target);
  z3::expr differ(const SymbolicRow &source, const SymbolicRow &target);
  SymbolicRow freshCopy(const SymbolicRow &row, Variables &picks);

  FreshVariables &fresh_;
  z3::expr no_;
  std::size_t count_; ///< of positions
  z3::expr ubFromStart_;
  std::vector<Position> source_;
  std::vector<Position> target_;
  // By number of calls, count_ + 1 each.
  std::vector<z3::expr> targetUb_;
  std::vector<z3::expr> sourceEnd_;
  std::vector<z3::expr> targetEnd_;
  std::vector<z3::expr> sourceUb_; ///< and it travels back to here
  std::vector<z3::expr> noMatch_;
  std::vector<z3::expr> uncovered_;
  std::vector<z3::expr> uncoveredIfMatch_;
  Variables targetPicks_;
  Variables sourcePicks_;
};

} // namespace checker::smt
