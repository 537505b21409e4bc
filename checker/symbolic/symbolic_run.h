// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All the ways in which one program can run, on every input at once, as
// formulas over the inputs, the forks of the run and its picks. The symbolic
// counterpart of run.h.
//
// A block is copied once for each number of back edges that a run has taken to
// get there; copies in that order form a graph without cycles, and where paths
// meet, registers are merged. Where a run would take more back edges than
// `unroll` its formulas end in `beyond`.
// Threads: belongs to its Z3 context, and that to one thread.
#pragma once

#include "checker/lane_ops/terms.h"
#include "checker/value/inputs.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace checker::smt {

using Variables = std::vector<z3::expr>;

/// A set: one element for each value of `choices`, which occur nowhere else.
struct SymbolicSet {
  Term element;
  Variables choices;
};

/// The arguments, the same for both sides, before any attribute.
class SymbolicInputs {
public:
  SymbolicInputs(const corpus::Signature &signature, const Semantics &semantics,
                 FreshVariables &fresh);
  const Variables &variables() const { return variables_; }
  SymbolicSet argument(std::size_t index) const;
  /// Bits that are neither fixed nor poison (poison+undef), or the members of
  /// the set (any-set), in that model.
  struct Concrete {
    bool poison = false;
    std::uint64_t bits = 0;
    std::uint64_t undef = 0;   ///< bits that vary
    std::uint64_t members = 0; ///< of any-set: bit n stands for the number n
  };
  Concrete concrete(std::size_t index, const z3::model &model) const;

private:
  struct Argument {
    z3::expr bits;
    z3::expr poison;
    std::optional<z3::expr> undef;
    std::optional<z3::expr> members;
  };
  FreshVariables &fresh_;
  Variables variables_;
  std::vector<Argument> arguments_;
};

/// What no formula here expresses ("poison_unit=bit"), or nothing.
std::optional<std::string> lackOfSymbolicRun(const corpus::Program &program,
                                             const Semantics &semantics);

class SymbolicRun {
public:
  SymbolicRun(const corpus::Program &program, const Semantics &semantics,
              const SymbolicInputs &inputs, FreshVariables &fresh,
              unsigned unroll);

  /// False when a set has too many choices; then the rest says nothing.
  bool complete() const { return complete_; }
  /// Over the inputs: one way for the run to go.
  const Variables &forks() const { return forks_; }
  /// Some pick leads to UB. Over inputs, forks and ubPicks().
  const z3::expr &ub() const { return ub_; }
  const Variables &ubPicks() const { return ubPicks_; }
  /// The run takes more back edges than were unrolled.
  const z3::expr &beyond() const { return beyond_; }
  /// What a run that is neither UB nor beyond returns; nothing for void, or
  /// where no run returns. With choices of its own at every call.
  std::optional<SymbolicSet> returned();
  /// The last value of an instruction, if it was computed.
  struct Value {
    z3::expr computed;
    SymbolicSet set;
  };
  const std::optional<Value> &value(std::size_t instruction) const {
    return values_[instruction];
  }

private:
  SymbolicSet withFreshChoices(const SymbolicSet &set);
  using Registers = std::vector<std::optional<SymbolicSet>>;
  struct Edge {
    z3::expr guard;
    Registers registers;
  };
  /// Back edges taken so far, then the block by its place in reverse post
  /// order.
  using Copy = std::pair<unsigned, std::size_t>;

  void orderBlocks();
  void run(const Copy &copy, const z3::expr &guard, Registers registers);
  Registers merge(const std::vector<Edge> &edges);
  SymbolicSet operand(const Registers &registers,
                      const corpus::Operand &operand);
  SymbolicSet undefOf(corpus::Type type);
  std::optional<SymbolicSet> compute(const corpus::Instruction &instruction,
                                     const Registers &registers,
                                     const z3::expr &guard);
  SymbolicSet freeze(SymbolicSet set, corpus::Type type);
  void apply(const corpus::Attributes &attributes, corpus::Type type,
             SymbolicSet &set, const z3::expr &guard);
  void jump(const Copy &copy, const corpus::Instruction &instruction,
            const Registers &registers, const z3::expr &guard);
  void goTo(const Copy &from, std::size_t block, const z3::expr &guard,
            const Registers &registers);
  void finish(const corpus::Instruction &instruction,
              const Registers &registers, const z3::expr &guard);
  void remember(std::size_t instruction, const z3::expr &guard,
                const SymbolicSet &set);
  void addUb(const z3::expr &condition, const Variables &picks);

  const corpus::Program &program_;
  const Semantics &semantics_;
  FreshVariables &fresh_;
  unsigned unroll_;
  bool complete_ = true;
  std::vector<std::size_t> order_; ///< reachable blocks, reverse post order
  std::vector<std::size_t> place_; ///< of a block in order_
  std::map<Copy, std::vector<Edge>> incoming_;
  std::vector<SymbolicSet> arguments_;
  Variables forks_;
  z3::expr ub_;
  Variables ubPicks_;
  z3::expr beyond_;
  std::vector<std::pair<z3::expr, SymbolicSet>> returns_;
  std::vector<std::optional<Value>> values_;
};

} // namespace checker::smt
