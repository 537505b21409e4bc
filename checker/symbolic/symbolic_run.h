// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All the ways in which one program can run, on every input at once, as
// formulas over the inputs, the forks of the run and its picks: the steps of a
// core Function carried out on terms. The symbolic counterpart of run.h.
//
// Where a run would take more back edges than were unrolled its formulas end in
// `beyond`. Steps of blocks that no run reaches are skipped.
// Threads: belongs to its Z3 context, and that to one thread.
#pragma once

#include "checker/core/core.h"
#include "checker/exact/run.h"
#include "checker/lane_ops/terms.h"
#include "checker/semantics/semantics.h"
#include "checker/symbolic/trace.h"

#include <map>
#include <optional>
#include <span>

namespace checker::smt {

/// On a call or a function: it writes nothing.
constexpr std::uint32_t untraced =
    corpus::attribute::memoryNone | corpus::attribute::memoryRead;
inline bool isTraced(const core::Call &call) {
  return !isWithoutEffect(call.functionAttributes, call.result.exists());
}

/// A set of a lane: one element for each value of `choices`.
struct SymbolicSet {
  Term element;
  Variables choices;
};

/// The arguments, and what calls return, the same for both sides, before any
/// attribute.
class SymbolicInputs {
public:
  SymbolicInputs(const corpus::Signature &signature, const Semantics &semantics,
                 FreshVariables &fresh);
  const Variables &variables() const { return variables_; }
  /// Lane `index` of all arguments, one behind the other.
  SymbolicSet argument(std::size_t index) const;

  /// A lane of what a call returns: an input of its own for each position in
  /// the trace and callee.
  struct Result {
    std::size_t position = 0;
    std::string callee;
    unsigned lane = 0;
    unsigned width = 1;
    friend auto operator<=>(const Result &, const Result &) = default; // NOLINT
  };
  SymbolicSet result(const Result &result);
  /// Bits that are neither fixed nor poison (poison+undef), or the members of
  /// the set (any-set), in that model.
  struct Concrete {
    bool poison = false;
    std::uint64_t bits = 0;
    std::uint64_t undef = 0;   ///< bits that vary
    std::uint64_t members = 0; ///< of any-set: bit n stands for the number n
  };
  Concrete concrete(std::size_t index, const z3::model &model) const;
  /// The results asked for so far.
  const std::map<Result, std::size_t> &results() const { return results_; }

private:
  struct Argument {
    z3::expr bits;
    z3::expr poison;
    std::optional<z3::expr> undef;
    std::optional<z3::expr> members;
  };
  /// `isDefined`: one number.
  void add(unsigned width, bool isDefined = false);

  FreshVariables &fresh_;
  const Semantics &semantics_;
  Variables variables_;
  std::vector<Argument> arguments_; ///< and results, as they are asked for
  std::map<Result, std::size_t> results_; ///< in arguments_
};

/// What the symbolic engine takes.
const core::Takes &takesOfSymbolicRun();

class SymbolicRun {
public:
  /// `function`: of `program`, with its definitions.
  SymbolicRun(const core::Function &function, const corpus::Program &program,
              SymbolicInputs &inputs, FreshVariables &fresh);

  /// Of what there is too much, or nothing; else the rest says nothing.
  std::string_view lack() const { return lack_; }
  /// Over the inputs: one way for the run to go.
  const Variables &forks() const { return forks_; }
  /// Some pick leads to UB. Over inputs, forks and ubPicks().
  const z3::expr &ub() const { return ub_; }
  const Variables &ubPicks() const { return ubPicks_; }
  /// The run takes more back edges than were unrolled.
  const z3::expr &beyond() const { return beyond_; }
  Trace trace() const;
  /// What a run that is neither UB nor beyond returns; nothing for void, or
  /// where no run returns. With choices of its own at every call.
  std::optional<SymbolicRow> returned();
  /// The last value of an instruction, if it was computed.
  struct Value {
    z3::expr computed;
    SymbolicRow row;
  };
  const std::optional<Value> &value(std::size_t instruction) const {
    return values_[instruction];
  }

private:
  struct Lane {
    std::optional<Term> element; ///< nothing: in no run that there is
    Variables choices;           ///< lanes of one value share theirs
  };

  void run();
  void writeLiterals();
  void operate(const core::Step &step);
  void structure(const core::Step &step);
  void control(const core::Step &step);
  /// Carry out the steps of all lanes of one value.
  void pick(std::span<const core::Step> steps);
  void choose(std::span<const core::Step> steps);
  void fork(std::span<const core::Step> steps);
  Variables choicesOf(std::span<const core::Step> steps) const;
  Variables freshCopies(const Variables &choices);
  void require(const core::Step &step);
  void restrictToRange(const core::Step &step);
  void setGuard(core::Slot slot, const z3::expr &guard);
  z3::expr guardAt(core::Slot slot) const;
  const Term &element(core::Slot slot) const;
  std::optional<SymbolicRow> valueAt(core::Value value,
                                     corpus::Type type) const;
  void noteDefinitions(const corpus::Program &program);
  void addUb(const z3::expr &condition, const Variables &picks);
  void addAt(std::vector<z3::expr> &list, const z3::expr &condition) const;
  void call(const core::Call &call);
  SymbolicRow rowAt(core::Value value, corpus::Type type) const;

  const core::Function &function_;
  FreshVariables &fresh_;
  SymbolicInputs &inputs_;
  corpus::Type returnType_;
  std::string_view lack_;
  std::vector<Lane> lanes_;                     ///< by slot
  std::vector<std::optional<z3::expr>> guards_; ///< by slot; nothing: never
  z3::expr guard_;                              ///< of the block at hand
  Variables forks_;
  z3::expr ub_;
  Variables ubPicks_;
  z3::expr beyond_;
  std::uint32_t attributes_; ///< of the function
  std::vector<TracedCall> calls_;
  // By number of calls so far.
  std::vector<z3::expr> made_;
  std::vector<z3::expr> ubAt_;
  std::vector<z3::expr> beyondAt_;
  std::vector<std::optional<Value>> values_;
};

} // namespace checker::smt
