// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a Program and a Semantics to the steps of core.h. It stops at the first
// thing that the engine does not take, and says what that is.
//
// Blocks stand in reverse post order, each predicated by a guard. A block on a
// cycle is copied once for each number of back edges that a run has taken to
// get there; the copies, in that order, form a graph without cycles. Where
// paths meet, registers are merged.
// Threads: an Elaborator belongs to one thread; it keeps scratch memory.
#pragma once

#include "checker/core/memory_shape.h"
#include "checker/core/takes.h"
#include "checker/semantics/semantics.h"
#include "corpus/program/graph.h"

#include <optional>

namespace checker::core {

struct Options {
  /// Slots of the arguments, one parameter behind the other.
  Slot arguments = 0;
  /// Slots from here on are free.
  Slot free = 0;
  /// Where the picks of forks stand, in the order of Function::forks; noSlot:
  /// anywhere.
  Slot picks = noSlot;
  /// Arguments may be sets, if the semantics has such inputs.
  bool setInputs = false;
  /// How often a run may go back to an earlier block.
  unsigned unroll = 0;
  bool wantDefinitions = false;
  /// Else each step picks from the sets itself.
  bool wantPicks = true;
  /// A Function with the same arguments, whose program begins with the same
  /// `sharedInstructions`: they are not computed again as long as they have no
  /// effect and make no choice. Both are one block.
  const Function *shared = nullptr;
  std::size_t sharedInstructions = 0;
  /// Of programs with memory. Arguments that are pointers then take two slots:
  /// poison, null. A value that may be a set is a number, poison, or any
  /// number at all, and then has a slot behind its bits that says so.
  const ProgramMemory *memory = nullptr;
};

/// Step::mode of every lane operation.
std::uint8_t laneModeOf(const Semantics &semantics);

class Elaborator {
public:
  /// False when the engine does not take it: lack() says why, and `out` says
  /// nothing.
  bool elaborate(const corpus::Program &program, const Semantics &semantics,
                 const Takes &takes, const Options &options, Function &out);
  const Lack &lack() const { return lack_; }

private:
  struct Copy {
    unsigned backEdges = 0; ///< taken so far
    std::size_t place = 0;  ///< of the block in reverse post order
    friend bool operator==(const Copy &, const Copy &) = default;
  };
  struct Edge {
    std::size_t from = 0; ///< block
    Copy to;
    Slot guard = 0;
    std::size_t registers = 0; ///< in registers_, where there are loops
  };
  using Registers = std::vector<Value>;

  bool fails(Lack::Kind kind, std::uint32_t what);
  bool need(std::uint32_t feature);
  Slot allocate(Slot count);
  Step &add(std::uint8_t code, unsigned width);
  Slot literal(Literal::Kind kind, unsigned width, std::uint64_t bits);
  // Values that do not exist are not taken.
  Value literal(const corpus::Operand &operand);
  Value literal(const corpus::Constant &constant);
  Value valueOf(const corpus::Operand &operand);
  Value use(const corpus::Operand &operand);
  Value pick(const Value &set, corpus::Type type);
  template <typename Fill>
  Value byLane(std::uint8_t code, const Value &value, corpus::Type type,
               Fill fill);
  bool fork(std::uint32_t feature, std::uint8_t what, corpus::Type type,
            Value &value);
  void require(const Value &value, corpus::Type type, std::uint8_t what);
  bool restrictAtCall(const corpus::Attributes &declared,
                      const corpus::Attributes *site, corpus::Type type,
                      Value &value);
  bool restrict(const corpus::Attributes &attributes, corpus::Type type,
                Value &value);
  Value choose(Slot guard, const Value &then, const Value &otherwise,
               corpus::Type type);

  bool elaborate();
  bool arguments();
  bool notAnInteger(const corpus::Parameter &parameter, Value &value);
  bool instruction(std::size_t index);
  bool isShared(std::size_t index) const;
  Value condition(Value value, corpus::Type type);
  const corpus::CallAttributes *
  attributesOf(const corpus::Instruction &instruction) const {
    return instruction.attributes == corpus::Instruction::noAttributes
               ? nullptr
               : &program_->callAttributes[instruction.attributes];
  }
  Value argumentOf(const corpus::CallAttributes &attributes, std::size_t index,
                   const corpus::Operand &operand);
  bool laneOperation(std::size_t index);
  // elaborate_lanes.cpp
  bool laneByLane(std::size_t index);
  bool moveLanes(std::size_t index);
  Slot operate(corpus::Opcode opcode, unsigned width, unsigned resultWidth,
               Slot a, Slot b = noSlot, Slot c = noSlot);
  Slot icmp(corpus::Predicate predicate, unsigned width, Slot a, Slot b);
  Value assemble(corpus::Type type, std::span<const Slot> lanes, bool maySet);
  Slot bitsOf(const Value &value, corpus::Type type, unsigned first,
              unsigned width);
  Slot extractElement(const Value &vector, corpus::Type type,
                      const Value &index, corpus::Type indexType);
  void insertElement(const corpus::Instruction &instruction,
                     std::span<const Value> values, std::vector<Slot> &lanes);
  void shuffle(const corpus::Instruction &instruction,
               std::span<const Value> values, std::vector<Slot> &lanes);
  bool freeze(std::size_t index);
  // elaborate_memory.cpp
  struct Local {
    std::size_t first = 0; ///< in localBytes_
    std::uint64_t size = 0;
    std::uint32_t alignment = 1;
  };
  void enterMemory();
  bool pointerArgument(const corpus::Parameter &parameter, Value &value);
  void leaveMemory();
  bool isForbidden(const Pointer &pointer, bool isWrite) const;
  void requireNot(const MemoryFact &fact);
  Slot chooseSlot(Slot guard, Slot then, Slot otherwise);
  Slot poisonWhere(Slot value, unsigned slots, Slot poison);
  Value poisonWhereUnwritten(Value value, const Pointer &pointer,
                             corpus::Type type, std::span<Value *const> bytes);
  const corpus::Attributes &attributesOf(const Pointer &pointer) const {
    return program_->signature.parameters[pointer.root].attributes;
  }
  bool memory(std::size_t index);
  bool load(std::size_t index);
  bool store(std::size_t index);
  bool testForNull(std::size_t index);
  bool returnPointer(std::size_t index);
  Value wholeWithMemory(const corpus::Operand &operand);
  /// What is moved as it is.
  Value whole(const corpus::Operand &operand) {
    return options_->memory == nullptr ? valueOf(operand)
                                       : wholeWithMemory(operand);
  }
  std::span<Value *const> access(const corpus::Operand &operand,
                                 const corpus::Instruction &instruction,
                                 corpus::Type type, bool isWrite);
  Value partOf(const Value &value, corpus::Type type, std::size_t place);
  void write(Value &byte, const Value &value);
  Value undefined(unsigned width);
  Slot isUndefined(const Value &value, unsigned width) const;
  void copyPlanes(Slot from, Slot to, unsigned count);
  Value chooseWithUndefined(Slot guard, const Value &then,
                            const Value &otherwise, unsigned width);
  void chooseUndefined(Slot guard, const Value &then, const Value &otherwise,
                       unsigned width, Slot result);
  bool selectWithUndefined(std::size_t index);
  bool call(std::size_t index);
  bool ret(std::size_t index);

  bool blocks();
  bool block(const Copy &copy);
  bool phi(std::size_t index, const Copy &copy);
  void merge(const Copy &copy);
  bool branch(std::size_t index, const Copy &copy);
  bool addEdge(const Copy &from, std::size_t to, Slot guard);

  const corpus::Program *program_ = nullptr;
  const Semantics *semantics_ = nullptr;
  const Takes *takes_ = nullptr;
  const Options *options_ = nullptr;
  Function *out_ = nullptr;
  Value *arguments_ = nullptr; ///< of *out_
  Value *results_ = nullptr;   ///< of *out_
  std::size_t stepCount_ = 0;
  Lack lack_;
  std::uint8_t laneMode_ = 0; ///< of every lane operation
  std::uint8_t flagMask_ = 0;
  Slot nextPick_ = noSlot;
  Slot guard_ = noSlot; ///< of the block at hand; noSlot: always
  std::optional<corpus::Graph> graph_;
  std::vector<Edge> edges_;
  std::vector<Registers> registers_;
  Value uninitialized_;       ///< of a byte
  Value fresh_;               ///< of a byte that nobody wrote
  Slot zero_ = 0;             ///< never holds
  std::uint64_t effects_ = 0; ///< of read and write, allowed of arguments
  bool tracksWrites_ = false; ///< attributes ask for it
  std::vector<Value> bytes_;
  /// By byte: holds where it was not written yet, and not through its argument.
  std::vector<Slot> unwritten_;
  std::vector<Slot> unwrittenThrough_;
  std::vector<Value> localBytes_;
  std::vector<Local> locals_;
  std::vector<Value *> accessed_;
};

inline bool Elaborator::need(std::uint32_t feature) {
  out_->features |= feature;
  return (takes_->features & feature) != 0 ||
         fails(Lack::Kind::feature, feature);
}

inline Slot Elaborator::allocate(Slot count) {
  const Slot at = out_->end;
  out_->end += count;
  return at;
}

inline Step &Elaborator::add(std::uint8_t code, unsigned width) {
  if (stepCount_ == out_->storage.size())
    out_->storage.resize(2 * stepCount_ + 16);
  Step &step = out_->storage[stepCount_++];
  step = Step();
  step.code = code;
  step.width = static_cast<std::uint8_t>(width);
  return step;
}

inline Slot Elaborator::literal(Literal::Kind kind, unsigned width,
                                std::uint64_t bits) {
  const Slot at = allocate(kind == Literal::Kind::on ? 1 : 1 + width);
  out_->literals.push_back({at, kind, static_cast<std::uint8_t>(width), bits});
  return at;
}

inline Value Elaborator::valueOf(const corpus::Operand &operand) {
  // The common ones first, without a jump that nothing predicts.
  if (operand.is(corpus::Operand::Kind::instruction) ||
      operand.is(corpus::Operand::Kind::argument))
    return (operand.is(corpus::Operand::Kind::argument)
                ? arguments_
                : results_)[operand.payload];
  return literal(operand);
}

/// One step for each lane, each with a result; `fill` does the rest.
template <typename Fill>
Value Elaborator::byLane(std::uint8_t code, const Value &value,
                         corpus::Type type, Fill fill) {
  const unsigned lanes = lanesOf(type);
  const Slot result = allocate(slotsOf(type));
  Slot offset = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const unsigned width = laneWidth(type, lane);
    Step &step = add(code, width);
    step.more = static_cast<std::uint8_t>(lanes - 1 - lane);
    step.a = value.slot() + offset;
    step.result = result + offset;
    fill(step, offset);
    offset += 1 + width;
  }
  return {result, value.maySet()};
}

/// An element of the operand. A literal is used once anyway.
inline Value Elaborator::use(const corpus::Operand &operand) {
  const Value value = valueOf(operand);
  return value.maySet() && !operand.isLiteral() && options_->wantPicks
             ? pick(value, operand.type)
             : value;
}

} // namespace checker::core
