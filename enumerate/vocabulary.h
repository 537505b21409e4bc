// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which instructions a space may use, as a table of vocabularies, and the
// templates that follow from it: an opcode with its flags, predicate and types,
// everything of an instruction but its operands.
// Immutable data, safe from any thread.
#pragma once

#include "corpus/program/opcode.h"
#include "corpus/program/program.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace enumerate {

/// One vocabulary of the spec; `core` is always there.
struct VocabularyInfo {
  std::string_view name;
  std::string_view help;
  std::vector<corpus::Opcode> opcodes = {};
  bool ofVectors = false;  ///< only where there are some
  bool ofMemory = false;   ///< only where there is some; of both: one of them
  bool ofLoops = false;    ///< only where there are some
  std::uint8_t idioms = 0; ///< of which family (idioms.h)
};

/// In the order in which a canonical spec names them; the first is `core`.
/// `modern` has no opcodes: it is the flags that came after release 13; nor has
/// `index`: it is insertelement and extractelement at any index, and
/// getelementptr at one; nor have those of idioms.
std::span<const VocabularyInfo> vocabularyTable();

/// What is said of the external functions that are called.
struct CallRule {
  std::string_view name;
  corpus::Attributes function = {};
  corpus::Attributes pointer = {}; ///< the parameter of @use_ptr
  bool value = false;              ///< they return an iW
  /// What they may do to memory; of several rules, what all of them allow.
  std::uint64_t effects = corpus::memory::all;
};
std::span<const CallRule> callRules();

/// Calls to the external `void @use()`, `void @use_iN(iN)` and, in spaces with
/// memory, `void @use_ptr(ptr)`; the rules may give them a result.
struct Calls {
  bool any = false;
  unsigned rules = 0; ///< bit i: row i of callRules()
  friend bool operator==(const Calls &, const Calls &) = default;
};

/// What a pointer argument may carry: bits of corpus::attributeTable.
std::span<const std::uint32_t> pointerAttributes();
/// Adds one of them; `bytes` is the value of what has one.
void addPointerAttribute(corpus::Attributes &attributes, std::uint32_t bit,
                         std::uint64_t bytes);
/// Whether no release's verifier objects to these on one argument.
bool canStandTogether(const corpus::Attributes &attributes);

/// What is done with memory and pointers.
struct MemoryVocabulary {
  static constexpr unsigned maximumAttributes = 5;

  /// Integers and vectors of them that are loaded and stored, ascending by id;
  /// empty: iW.
  std::vector<corpus::Type> types;
  bool aligned = false;                 ///< they say align 1 or align 2
  bool null = false;                    ///< is a leaf
  std::optional<corpus::Flags> offsets; ///< getelementptr by 1, its flags
  /// Of pointers: select, phi, icmp, ret.
  std::vector<corpus::Opcode> pointers;
  /// Bits, ascending; each argument has any of these that go together.
  std::vector<std::uint32_t> attributes;

  bool has(corpus::Opcode opcode) const;
  friend bool operator==(const MemoryVocabulary &,
                         const MemoryVocabulary &) = default;
};

/// What decides the set of instructions.
struct Vocabulary {
  std::vector<corpus::Opcode> opcodes; ///< ascending; phi and call too
  Calls calls;                         ///< what `call` calls
  bool modern = false;                 ///< flags newer than release 13 too
  unsigned width = 0;                  ///< W, the type of arithmetic
  std::vector<unsigned> widths;        ///< all integer types, ascending
  unsigned lanes = 0;    ///< of the vectors that stand for integers; 0: none
  bool anyIndex = false; ///< of a lane or a byte: a value too
  /// Over iW, of which each counts as one instruction: rows of idiomTable().
  std::vector<std::size_t> idioms = {};
  /// What may stand in one lane of a constant of an idiom.
  std::vector<corpus::Operand> holes = {};
  bool recurrences = false; ///< a phi and what it becomes count as one, too
  std::optional<MemoryVocabulary> memory = std::nullopt;

  /// What instructions work on: iN, or a vector of it.
  corpus::Type typeOf(unsigned width) const {
    const corpus::Type type = corpus::Type::integer(width);
    return lanes == 0 ? type : corpus::Type::vector(lanes, type);
  }
  /// The type of a lane, where an instruction of the vocabulary has it.
  std::optional<corpus::Type> laneType() const;
  /// The integer of all lanes, where there is bitcast.
  std::optional<corpus::Type> wideType() const;
  /// Of all values, in a fixed order.
  std::vector<corpus::Type> types() const;
  /// Types that are loaded and stored.
  std::vector<corpus::Type> accessedTypes() const;
  /// Types that arithmetic works on: all but i1, and i1 too when W is 1.
  bool isArithmetic(unsigned typeWidth) const {
    return typeWidth != 1 || width == 1;
  }
};

/// An instruction without its operands. Of an overflow intrinsic the template
/// also says which of its results have an extractvalue (bit 0: the number, bit
/// 1: the overflow bit), since each of these must be used.
struct Template {
  corpus::Opcode opcode = corpus::Opcode::ret;
  corpus::Flags flags;
  corpus::Predicate predicate = corpus::Predicate::eq;
  corpus::Type type;
  /// Constants behind the operands: i1 of ctlz, cttz, abs; the number of a
  /// lane; index and scale of an address; what an intrinsic ends in.
  std::vector<corpus::Operand> immediates = {};
  std::vector<corpus::Operand> mask = {}; ///< of shufflevector
  std::uint32_t alignment = 0;            ///< of load and store
  /// In place of all that, what an idiom is.
  std::optional<corpus::Program> idiom = std::nullopt;
  /// By parameter of the idiom: where in its operands it stands, ascending.
  std::vector<std::vector<std::uint32_t>> places = {};
  /// Of a recurrence, which is described by its step: what the step's second
  /// operand is.
  bool phiIsSecond = false;
};

/// What the operands of an instruction may be that are pointers.
enum class Pointers : std::uint8_t {
  any,
  accessed,   ///< no literals
  allocation, ///< the result of an alloca
};

/// Templates that differ in nothing that later choices depend on.
struct TemplateGroup {
  std::vector<corpus::Type> operands; ///< types of the operands to choose
  std::vector<corpus::Type> results;  ///< types of the values it makes
  std::uint8_t extracts = 0;          ///< of an overflow intrinsic
  bool isFreeze = false;              ///< may have undef or poison alone
  bool isPhi = false; ///< its operands follow behind everything else
  /// A phi, which is the first result, and its step, the second one: what it is
  /// where the loop goes on. `operands` are those of the step, without the phi.
  bool isRecurrence = false;
  Pointers pointers = Pointers::any;
  std::optional<corpus::Callee> callee; ///< of a call
  std::vector<Template> templates;
};

/// What calls call: `@use`, of which nothing is known but those parameters.
corpus::Callee calleeOf(std::span<const corpus::Type> parameters);

/// In a fixed order: that of the first template by opcode, flags, predicate and
/// types.
std::vector<TemplateGroup> makeTemplateGroups(const Vocabulary &vocabulary);

} // namespace enumerate
