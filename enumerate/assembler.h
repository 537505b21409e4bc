// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decisions become a Program, one at a time and undone one at a time, in place.
// The rule of a decision's meaning stands here and nowhere else.
// Threads: belongs to one.
#pragma once

#include "corpus/program/program.h"
#include "enumerate/grammar.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace enumerate {

class Assembler {
public:
  explicit Assembler(const Grammar &grammar);

  /// Requires a decision that the grammar offers now and choice < choices.
  void apply(const Decision &decision, std::uint64_t choice);
  /// Takes back the last decision.
  void undo(const Decision &decision, std::uint64_t choice);
  /// The first choice from `least` on that leads to `wanted`, whose beginning
  /// is the program so far, if this decision does. Only of the instructions of
  /// a space with idioms or recurrences may there be more than one.
  std::optional<std::uint64_t> match(const Decision &decision,
                                     const corpus::Program &wanted,
                                     std::uint64_t least = 0) const;

  /// What a decision offers, for messages: "a constant", "%a".
  std::string describe(const Decision &decision) const;
  /// Where in `wanted`, whose beginning is the program so far, the next
  /// decision stands: "operand `%b` of `%v0 = add i2 %b, 1`".
  std::string describePosition(const corpus::Program &wanted) const;

  /// A valid program once the grammar is complete, with constants of other
  /// programs beside its own where there are vectors.
  const corpus::Program &program() const { return program_; }
  corpus::Program take();

private:
  /// An operand to decide. Of a phi: the value of all edges from one block,
  /// which are every other operand.
  struct Slot {
    std::uint32_t operand;
    std::uint32_t instruction;
    std::uint32_t edges = 1;
    /// Of an idiom: where it stands, counted from the idiom's first operand.
    const std::vector<std::uint32_t> *places = nullptr;
  };

  void appendFrame(const std::vector<unsigned> &bytes);
  void appendInstruction(const TemplateGroup &group, const Template &made);
  void appendIncoming(std::uint32_t index);
  void appendRecurrence(const Template &made);
  void appendIdiom(const Template &made);
  void removeInstruction(const TemplateGroup &group, const Template &made);
  std::uint32_t calleeIndex(const corpus::Callee &callee);
  void appendTerminator(const Decision &decision);
  void removeTerminator(const Decision &decision);
  void fill(const corpus::Operand &operand);
  std::uint32_t firstOperandOf(const Slot &slot) const {
    return slot.operand - slot.places->front();
  }

  /// Of a decision that no two choices of match.
  std::optional<std::uint64_t> matchOnly(const Decision &decision,
                                         const corpus::Program &wanted) const;
  bool matchesCfg(const Cfg &cfg, const corpus::Program &wanted) const;
  std::optional<std::uint64_t> matchFrame(const Decision &decision,
                                          const corpus::Program &wanted) const;
  std::optional<std::uint64_t>
  matchArgument(const Decision &decision, const corpus::Program &wanted) const;
  std::optional<std::uint64_t> matchInstruction(const TemplateGroup &group,
                                                const corpus::Program &wanted,
                                                std::uint64_t least) const;
  bool matchesRecurrence(const Template &made,
                         const corpus::Program &wanted) const;
  bool matchesIdiom(const corpus::Program &idiom,
                    const corpus::Program &wanted) const;
  bool matchesTerminator(const Decision &decision,
                         const corpus::Program &wanted) const;
  std::optional<std::uint64_t> matchCases(const Decision &decision,
                                          const corpus::Program &wanted) const;
  std::optional<std::uint64_t> constantOf(const Decision &decision,
                                          std::uint64_t choice) const;
  corpus::Operand operandFor(const Decision &decision) const;
  /// Position in the constants of the operand that the phi has just got.
  std::uint64_t constantBefore(corpus::Type type) const;
  const Slot &slot(std::size_t index) const {
    return index < slots_.size() ? slots_[index]
                                 : phiSlots_[index - slots_.size()];
  }

  const Grammar &grammar_;
  const Cfg *cfg_;
  corpus::Program program_;
  std::vector<corpus::Operand> values_; ///< results in order of definition
  std::vector<Slot> slots_;             ///< in order of decision
  std::vector<Slot> phiSlots_;          ///< decided behind all the others
  std::size_t filled_ = 0;              ///< slots decided
};

} // namespace enumerate
