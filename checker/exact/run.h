// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All the ways in which one program can run on one input, as a finite graph.
// Part of the reference interpreter.
//
// A state is a place in the program with the registers there: the start, and
// what is behind a fork (freeze, a nondeterministic knob), a call, or a jump
// back. Between two states execution is deterministic. Equal states are one
// state, so a loop that goes on forever is a cycle. Threads: a Run belongs to
// one thread.
#pragma once

#include "checker/lane_ops/concrete.h"
#include "checker/memory/scenario.h"
#include "checker/value/inputs.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

namespace checker {

/// Ways in which a call may not come back.
namespace exit_way {
inline constexpr unsigned notReturning = 1; ///< not `willreturn`
inline constexpr unsigned unwinding = 2;    ///< not `nounwind`
inline constexpr unsigned all = 3;
} // namespace exit_way

/// What a call sees of memory.
struct CallMemory {
  /// A block that it may touch. Offsets count from `origin`.
  struct Shown {
    std::uint16_t key = 0; ///< the same on both sides, as CallSlot::block
    std::size_t block = 0;
    std::uint64_t origin = 0;
    bool isRead = false;
    bool isWritten = false;
    /// Of read and write, what attributes let the callee do.
    std::uint64_t permitted = 0;
  };
  Memory before;
  Memory unwound; ///< what an unwinding call shows
  std::vector<Shown> shown;
  /// By argument, of read and write what it may not do through it.
  std::vector<std::uint64_t> forbidden;
  bool isTailWithLocal = false; ///< for the callee to touch a local is UB
};

struct CallEvent {
  const corpus::Callee *callee = nullptr;
  std::vector<ValueSet> arguments;
  std::shared_ptr<const CallMemory> memory; ///< null without memory
  /// Sure to return, and all its effects are in memory that it knows by an
  /// argument alone: they show there, and not that it was made.
  bool isOptional = false;
  unsigned position = 0; ///< of its slots; optional calls have their own
  unsigned exits = 0;    ///< exit_way bits: may end the run here
  unsigned exitUb = 0; ///< exit_way bits that this function's attributes forbid
  /// In these it leaves this function too; in the others that is UB.
  unsigned leaves() const { return exits & ~exitUb; }
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

/// A call that returns surely, nothing, and writes nothing. `bits`: its
/// function attributes.
bool isWithoutEffect(std::uint32_t bits, bool hasResult);

/// What memory a call may read and write: corpus::memory.
std::uint64_t effectsOfCall(const corpus::Program &program,
                            const corpus::Instruction &call);

/// What a call captures of an argument, by the callee and by the call site:
/// corpus::captures.
std::uint64_t capturesOfCall(const corpus::Program &program,
                             const corpus::Instruction &call,
                             std::size_t argument);

/// What a run finds in memory.
struct MemoryInput {
  Memory memory; ///< blocks of variables and arguments
  const Windows *windows = nullptr;
  const std::map<CallSlot, Byte> *slots = nullptr;
  std::vector<CallSlot> *missing = nullptr; ///< asked for, not in `slots`
};

class Run {
public:
  /// What the source picks must answer any pick of the target: where only a few
  /// are tried, it has those too that are one shift further away.
  enum class Side : std::uint8_t { source, target };
  /// In Element::block of a pointer that leaves the run: a local.
  static constexpr std::uint16_t localBlock = 0x8000;

  /// `input`: the parameters, then one set for each slot. `memory` is null for
  /// programs without pointers.
  Run(const corpus::Program &program, const Semantics &semantics,
      const Input &input, std::span<const CallResultSlot> slots, Budget &budget,
      const MemoryInput *memory, Side side);

  /// False when the budget ran out or a set grew too large; then the rest of
  /// this class says nothing.
  bool complete() const { return complete_; }
  const corpus::Program &program() const { return program_; }
  bool hasPoisonBits() const {
    return semantics_.poisonUnit == PoisonUnit::bit;
  }
  std::size_t stateCount() const { return states_.size(); }
  static constexpr std::size_t start = 0;
  std::span<const Transition> transitions(std::size_t state) const {
    return states_[state].transitions;
  }
  /// Registers by instruction, as far as they were computed.
  const std::vector<ValueSet> &registers(std::size_t state) const {
    return states_[state].registers;
  }
  bool hasMemory() const { return memory_ != nullptr; }
  const Semantics &semantics() const { return semantics_; }
  const Memory &memory(std::size_t state) const {
    return states_[state].memory;
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
    /// Calls made, where inputs depend on it; optional ones count from bit 16
    /// on.
    unsigned position = 0;
    std::vector<ValueSet> registers;
    Memory memory;
    std::vector<Transition> transitions;
    bool diverges = false;
    bool reachesUb = false;
  };
  enum class Access : std::uint8_t {
    fine,
    ub,
    poison, ///< a load that attributes forbid without making it UB
    dead,   ///< a load from a local outside its lifetime
  };

  static constexpr unsigned optionalCall = 1U << 16;
  static unsigned tracedCalls(unsigned position) {
    return position % optionalCall;
  }
  bool mustProgress() const {
    return program_.signature.function.has(corpus::attribute::willreturn |
                                           corpus::attribute::mustprogress);
  }
  void enter();
  void execute(std::size_t state);
  template <typename Follows>
  std::vector<bool> statesThatGoOnForEver(Follows follows) const;
  void classify();
  void addStart(Memory memory);
  void addState(std::uint32_t next, unsigned position,
                std::vector<ValueSet> registers, Memory memory);
  std::size_t intern(std::uint32_t next, unsigned position,
                     std::vector<ValueSet> registers, Memory memory);
  void end(std::size_t from, Transition::Kind kind, State at,
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
  bool jump(std::size_t from, State &at,
            const corpus::Instruction &instruction);
  void enterBlock(State &at, std::size_t block);
  void goTo(std::size_t from, State at, std::size_t block);
  void finish(std::size_t from, State &at,
              const corpus::Instruction &instruction);
  std::size_t blockOf(std::size_t instruction) const;

  // Memory: run_memory.cpp.
  void enterMemory();
  bool enterParameters(Memory &memory);
  void placeLocals(std::size_t local, Memory memory);
  /// False when the state ended or forked, as compute().
  bool executeMemory(std::size_t from, State &at,
                     const corpus::Instruction &instruction, std::size_t index);
  /// A comparison of pointers, or a select of them.
  bool isOfPointers(const corpus::Instruction &instruction) const;
  bool compare(State &at, const corpus::Instruction &instruction,
               std::size_t index);
  bool select(std::size_t from, State &at,
              const corpus::Instruction &instruction, std::size_t index);
  bool load(std::size_t from, State &at, const corpus::Instruction &instruction,
            std::size_t index);
  bool store(std::size_t from, State &at,
             const corpus::Instruction &instruction, std::size_t index);
  bool getelementptr(State &at, const corpus::Instruction &instruction,
                     std::size_t index);
  bool copy(std::size_t from, State &at,
            const corpus::Instruction &instruction);
  bool fill(std::size_t from, State &at,
            const corpus::Instruction &instruction);
  bool touchesLocalInTailCall(const corpus::Instruction &instruction,
                              const Memory &memory,
                              const Element &pointer) const;
  void lifetime(State &at, const corpus::Instruction &instruction);
  std::optional<Element> placeOf(const State &at,
                                 const corpus::Instruction &instruction,
                                 std::size_t index);
  /// A length, or nothing where it is not one number.
  std::optional<std::uint64_t> lengthOf(const State &at,
                                        const corpus::Operand &operand);
  void finishMemory(State &at) const;
  // Calls: run_calls.cpp.
  /// What the call does to memory; fills in the event. False: UB.
  bool callMemory(State &after, const corpus::Instruction &instruction,
                  CallEvent &event);
  Byte valueOf(CallSlot slot);
  Memory unwound(Memory memory) const;
  Access access(State &at, const Element &pointer, std::uint64_t size,
                std::uint32_t alignment, bool isWrite) const;
  /// What attributes say of an access that memory allows.
  Access accessAsAttributesSay(const Memory &memory, const Element &pointer,
                               std::uint64_t size, bool isWrite) const;
  /// Notes it; false: UB by noalias.
  bool noteAccess(MemoryBlock &block, const Element &pointer,
                  std::uint64_t size, bool isWrite) const;
  static bool isAligned(const Memory &memory, const Element &pointer,
                        std::uint64_t alignment);
  bool isDereferenceable(const Memory &memory, const Element &pointer,
                         std::uint64_t size) const;
  std::uint64_t addressOf(const Memory &memory, const Element &pointer) const;
  Element step(const Memory &memory, const corpus::Instruction &instruction,
               std::span<const Element> pick) const;
  /// Attributes of a value of any type; nothing is UB.
  std::optional<ValueSet> applied(const corpus::Attributes &attributes,
                                  corpus::Type type, ValueSet set,
                                  const Memory &memory) const;
  /// By the callee, and by the call site if it says more.
  std::optional<ValueSet> appliedAtCall(const corpus::Attributes &declared,
                                        const corpus::Attributes *site,
                                        corpus::Type type, ValueSet set,
                                        const Memory &memory) const;
  MemoryRules rules() const { return {semantics_, program_.bigEndian}; }
  std::size_t blockOfLocal(std::size_t alloca) const;
  /// What the outside sees of a pointer.
  ValueSet shown(ValueSet set, const Memory &memory) const;

  const corpus::Program &program_;
  const Semantics &semantics_;
  const Input &input_;
  const MemoryInput *memory_;
  Side side_;
  std::span<const CallResultSlot> slots_;
  Budget &budget_;
  bool complete_ = true;
  std::vector<ValueSet> arguments_;
  std::vector<State> states_;
  std::vector<std::size_t>
      locals_; ///< instructions, by block behind the shared ones
  std::vector<std::uint16_t> globals_; ///< Element::block of a global variable
  std::unordered_map<std::string, std::size_t> known_;
};

} // namespace checker
