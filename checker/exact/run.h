// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All the ways in which one program can run on one input, as a finite graph.
// Part of the reference interpreter.
//
// A state is a place in the program with the registers there. Between two
// states execution is deterministic; a state has several transitions where the
// run forks (freeze, a nondeterministic knob). Equal states are one state, so a
// loop that goes on forever is a cycle. Threads: a Run belongs to one thread.
#pragma once

#include "checker/lane_ops/concrete.h"
#include "checker/value/inputs.h"

#include <string>
#include <unordered_map>

namespace checker {

/// Ways in which a call may not come back.
namespace exit_way {
inline constexpr unsigned notReturning = 1; ///< not `willreturn`
inline constexpr unsigned unwinding = 2;    ///< not `nounwind`
} // namespace exit_way

/// Results of external calls: one input for each place in the trace and callee.
struct CallResultSlot {
  unsigned position = 0;
  std::string callee;
  corpus::Type type;
  friend bool operator==(const CallResultSlot &,
                         const CallResultSlot &) = default;
};

struct CallEvent {
  const corpus::Callee *callee = nullptr;
  std::vector<ValueSet> arguments;
  unsigned exits = 0;  ///< exit_way bits: may end the run here
  unsigned exitUb = 0; ///< exit_way bits that this function's attributes forbid
};

struct Transition {
  enum class Kind : std::uint8_t { silent, call, ub, returns };
  Kind kind = Kind::silent;
  std::size_t to = 0; ///< of silent and call; of the others the final state
  CallEvent call;     ///< of call
  ValueSet returned;  ///< of returns; empty for void
};

/// Work that one check may still do; when it is used up the answer is
/// `undecided`.
struct Budget {
  std::uint64_t steps = 0;
  bool spend(std::uint64_t amount) {
    if (steps < amount) {
      steps = 0;
      return false;
    }
    steps -= amount;
    return true;
  }
};

class Run {
public:
  /// `input`: the parameters, then one set for each slot.
  Run(const corpus::Program &program, const Semantics &semantics,
      const Input &input, std::span<const CallResultSlot> slots,
      Budget &budget);

  /// False when the budget ran out or a set grew too large; then the rest of
  /// this class says nothing.
  bool complete() const { return complete_; }
  std::size_t stateCount() const { return states_.size(); }
  static constexpr std::size_t start = 0;
  std::span<const Transition> transitions(std::size_t state) const {
    return states_[state].transitions;
  }
  /// Registers by instruction, as far as they were computed.
  const std::vector<ValueSet> &registers(std::size_t state) const {
    return states_[state].registers;
  }
  /// There is an infinite run without calls from here, and no attribute
  /// forbids it.
  bool diverges(std::size_t state) const {
    return !mustProgress() && states_[state].diverges;
  }
  /// UB can come about from here without a call that may not return.
  bool reachesUb(std::size_t state) const { return states_[state].reachesUb; }
  /// UB by divergence without calls that an attribute forbids.
  bool divergesIntoUb(std::size_t state) const {
    return mustProgress() && states_[state].diverges;
  }
  /// Infinite runs are UB even if they make calls.
  bool mustReturn() const {
    return program_.signature.function.has(corpus::attribute::willreturn);
  }

private:
  struct State {
    std::uint32_t next = 0; ///< instruction to execute
    unsigned position = 0;  ///< calls made, where call results need it
    std::vector<ValueSet> registers;
    std::vector<Transition> transitions;
    bool diverges = false;
    bool reachesUb = false;
  };

  bool mustProgress() const {
    return program_.signature.function.has(corpus::attribute::willreturn |
                                           corpus::attribute::mustprogress);
  }
  void enter();
  void execute(std::size_t state);
  template <typename Follows>
  std::vector<bool> statesThatGoOnForEver(Follows follows) const;
  void classify();
  std::size_t intern(std::uint32_t next, unsigned position,
                     std::vector<ValueSet> registers);
  void end(std::size_t from, Transition::Kind kind, const State &at,
           ValueSet returned = {});
  void forkInto(std::size_t from, const State &at, std::size_t instruction,
                ValueSet value);
  ValueSet operand(const State &at, const corpus::Operand &operand);
  ValueSet undefOf(corpus::Type type);
  ValueSet literal(const corpus::Constant &constant);
  bool compute(std::size_t from, State &at,
               const corpus::Instruction &instruction, std::size_t index);
  bool freeze(std::size_t from, State &at,
              const corpus::Instruction &instruction, std::size_t index);
  bool call(std::size_t from, State &at, const corpus::Instruction &instruction,
            std::size_t index);
  void jump(std::size_t from, const State &at,
            const corpus::Instruction &instruction);
  void goTo(std::size_t from, const State &at, std::size_t block);
  void finish(std::size_t from, const State &at,
              const corpus::Instruction &instruction);
  std::size_t blockOf(std::size_t instruction) const;

  const corpus::Program &program_;
  const Semantics &semantics_;
  const Input &input_;
  std::span<const CallResultSlot> slots_;
  Budget &budget_;
  bool complete_ = true;
  std::vector<ValueSet> arguments_;
  std::vector<State> states_;
  std::unordered_map<std::string, std::size_t> known_;
};

} // namespace checker
