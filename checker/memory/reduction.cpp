// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/memory/reduction.h"

#include <algorithm>
#include <bit>
#include <bitset>
#include <cassert>
#include <cmath>
#include <map>
#include <optional>

namespace checker {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;
namespace attribute = corpus::attribute;

namespace {

constexpr unsigned byteBits = 8;
/// Bits of all unknowns, one flag each behind them, and one for the choices of
/// the program itself.
constexpr std::size_t maximumTaints = 512;
using Taints = std::bitset<maximumTaints>;

/// What one bit may be.
struct Bit {
  bool isKnown = true; ///< the constant `value`, unless poison
  bool value = false;
  Taints from;

  static Bit constant(bool value) { return {true, value, {}}; }
  void join(const Bit &other) {
    isKnown = isKnown && other.isKnown && value == other.value;
    from |= other.from;
  }
  friend bool operator==(const Bit &, const Bit &) = default;
};

/// What a register, or a byte, may be; one that was never computed is empty.
struct Content {
  std::vector<Bit> bits;
  Taints flags;

  bool join(const Content &other) {
    const Content before = *this;
    if (bits.empty())
      bits = other.bits;
    else
      for (std::size_t i = 0; i < bits.size(); ++i)
        bits[i].join(other.bits[i]);
    flags |= other.flags;
    return !(*this == before);
  }
  friend bool operator==(const Content &, const Content &) = default;
};

/// Where a pointer may point to; all over the place if `isAnywhere`.
struct Targets {
  std::set<std::pair<std::size_t, std::int64_t>> places; ///< block, offset
  bool isAnywhere = false;

  bool join(const Targets &other) {
    const std::size_t before = places.size();
    const bool wasAnywhere = isAnywhere;
    isAnywhere = isAnywhere || other.isAnywhere;
    if (isAnywhere)
      places.clear();
    else
      places.insert(other.places.begin(), other.places.end());
    constexpr std::size_t most = 64;
    if (places.size() > most) {
      places.clear();
      isAnywhere = true;
    }
    return wasAnywhere != isAnywhere ||
           (!isAnywhere && places.size() != before);
  }
};

/// The bits and flags of the unknowns that a program computes with.
class Classification {
public:
  Classification(const Program &program, const Semantics &semantics,
                 const Scenario &scenario,
                 const std::vector<Unknown> &unknowns);

  void run();
  const Taints &computed() const { return computed_; }
  bool computesWithChoice() const { return computed_.test(choice); }

  static constexpr std::size_t choice = maximumTaints - 1;
  /// Index of the flag of an unknown.
  static std::size_t flagOf(std::size_t unknown) {
    return maximumTaints - 2 - unknown;
  }

private:
  using State = std::vector<std::vector<Content>>; ///< by block and offset

  Content contentOf(const Operand &operand) const;
  Targets targetsOf(const Operand &operand) const;
  void compute(const Content &content) {
    for (const Bit &bit : content.bits)
      computed_ |= bit.from;
  }
  void computeFlags(const Content &content) { computed_ |= content.flags; }
  void computeAll(const Content &content) {
    compute(content);
    computeFlags(content);
  }
  void attributes(const corpus::Attributes &attributes, const Content &content);
  Content unknownContent(unsigned width) const;
  void set(std::size_t instruction, const Content &content) {
    changed_ = registers_[instruction].join(content) || changed_;
  }
  void point(std::size_t instruction, const Targets &targets) {
    changed_ = pointers_[instruction].join(targets) || changed_;
  }
  void visit(std::size_t index);
  void pointer(std::size_t index, const Instruction &instruction);
  static bool joinInto(std::optional<State> &to, const State &from);
  Content loaded(const Instruction &instruction);
  void stored(const Operand &pointer, const Content &content, Type type);
  void copied(const Instruction &instruction);
  void called(const Instruction &instruction);
  Content logic(const Instruction &instruction, const Content &a,
                const Content &b);
  Content shifted(const Instruction &instruction, const Content &a,
                  unsigned amount) const;
  Content generic(const Instruction &instruction);
  template <typename Visit>
  void forEachByte(const Targets &targets, std::uint64_t size, Visit visit);

  const Program &program_;
  const Semantics &semantics_;
  const Scenario &scenario_;
  std::vector<Content> arguments_;
  std::vector<Content> registers_;
  std::vector<Targets> pointers_;
  State memory_;                              ///< where visit() is
  std::vector<std::optional<State>> atEntry_; ///< by block of instructions
  std::map<std::size_t, std::size_t> locals_; ///< block by instruction
  std::vector<Content> slots_;                ///< by slot of the scenario
  std::vector<Content> results_;              ///< by result of the scenario
  Taints computed_;
  bool changed_ = false;
};

Classification::Classification(const Program &program,
                               const Semantics &semantics,
                               const Scenario &scenario,
                               const std::vector<Unknown> &unknowns)
    : program_(program), semantics_(semantics), scenario_(scenario),
      arguments_(program.signature.parameters.size()),
      registers_(program.instructions.size()),
      pointers_(program.instructions.size()) {
  for (const MemoryBlock &block : scenario.memory.blocks) {
    memory_.emplace_back(block.bytes.size());
    for (std::size_t i = 0; i < block.bytes.size(); ++i)
      for (unsigned bit = 0; bit < byteBits; ++bit)
        memory_.back()[i].bits.push_back(
            Bit::constant((block.bytes[i].bits >> bit & 1) != 0));
  }
  slots_.resize(scenario.slots.size());
  results_.resize(scenario.results.size());
  std::size_t next = 0;
  for (std::size_t u = 0; u < unknowns.size(); ++u) {
    const Unknown &unknown = unknowns[u];
    const std::size_t parameters = arguments_.size();
    Content &content = unknown.slot != nullptr
                           ? slots_[static_cast<std::size_t>(
                                 unknown.slot - scenario.slots.data())]
                       : unknown.parameter == Unknown::isByte
                           ? memory_[unknown.block][unknown.offset]
                       : unknown.parameter < parameters
                           ? arguments_[unknown.parameter]
                           : results_[unknown.parameter - parameters];
    content.bits.clear();
    for (unsigned bit = 0; bit < unknown.width; ++bit) {
      Bit moved{false, false, {}};
      moved.from.set(next++);
      content.bits.push_back(moved);
    }
    if (unknown.mayBePoison)
      content.flags.set(flagOf(u));
  }
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction &instruction = program.instructions[i];
    if (instruction.opcode != Opcode::alloca_)
      continue;
    locals_[i] = memory_.size();
    const std::uint64_t size = program.operandsOf(instruction)[0].payload *
                               corpus::allocationSize(instruction.accessedType);
    Content content = unknownContent(byteBits);
    for (Bit &bit : content.bits)
      if (semantics.uninitializedLoad != LoadRule::poison)
        bit.from.set(choice);
    memory_.emplace_back(size, content);
  }
}

Content Classification::unknownContent(unsigned width) const {
  Content content;
  content.bits.assign(width, Bit{false, false, {}});
  return content;
}

Content Classification::contentOf(const Operand &operand) const {
  Content content;
  switch (operand.kind) {
  case Operand::Kind::constant:
    if (!operand.type.isInteger())
      return content;
    for (unsigned i = 0; i < operand.type.width(); ++i)
      content.bits.push_back(Bit::constant((operand.payload >> i & 1) != 0));
    return content;
  case Operand::Kind::argument:
    return arguments_[operand.payload];
  case Operand::Kind::instruction:
    return registers_[operand.payload];
  case Operand::Kind::undef:
  case Operand::Kind::poison:
    if (operand.type.isInteger()) {
      content = unknownContent(operand.type.width());
      if (operand.is(Operand::Kind::undef))
        for (Bit &bit : content.bits)
          bit.from.set(choice);
    }
    return content;
  default:
    return content;
  }
}

Targets Classification::targetsOf(const Operand &operand) const {
  Targets targets;
  switch (operand.kind) {
  case Operand::Kind::argument: {
    const Element &pointer = scenario_.pointers[operand.payload];
    if (!pointer.hasPoison() && pointer.block != 0)
      targets.places.insert(
          {pointer.block - 1U, static_cast<std::int64_t>(pointer.bits)});
    return targets;
  }
  case Operand::Kind::global: {
    const auto &names = scenario_.globals;
    const auto found = std::find(names.begin(), names.end(),
                                 program_.globals[operand.payload].name);
    targets.places.insert({static_cast<std::size_t>(found - names.begin()), 0});
    return targets;
  }
  case Operand::Kind::instruction:
    return pointers_[operand.payload];
  default:
    return targets;
  }
}

void Classification::attributes(const corpus::Attributes &attributes,
                                const Content &content) {
  if (attributes.has(attribute::range))
    compute(content);
  if (attributes.has(attribute::noundef))
    computeAll(content);
}

bool Classification::joinInto(std::optional<State> &to, const State &from) {
  if (!to) {
    to = from;
    return true;
  }
  bool changed = false;
  for (std::size_t block = 0; block < from.size(); ++block)
    for (std::size_t i = 0; i < from[block].size(); ++i)
      changed = (*to)[block][i].join(from[block][i]) || changed;
  return changed;
}

/// What a write through a pointer to these targets leaves in a byte.
void write(Content &byte, const Content &content, const Targets &targets) {
  if (!targets.isAnywhere && targets.places.size() == 1)
    byte = content;
  else
    byte.join(content);
}

template <typename Visit>
void Classification::forEachByte(const Targets &targets, std::uint64_t size,
                                 Visit visit) {
  if (targets.isAnywhere) {
    for (std::vector<Content> &block : memory_)
      for (Content &byte : block)
        for (std::uint64_t place = 0; place < size; ++place)
          visit(byte, place);
    return;
  }
  // Of a copy that is longer than the block what is inside.
  for (const auto &[block, offset] : targets.places) {
    const auto start = static_cast<std::uint64_t>(offset);
    std::vector<Content> &bytes = memory_[block];
    for (std::uint64_t at = offset < 0 ? 0 : start;
         at < bytes.size() && at - start < size; ++at)
      visit(bytes[at], at - start);
  }
}

Content Classification::loaded(const Instruction &instruction) {
  const Type type = instruction.type;
  const std::uint64_t size = corpus::storeSize(type);
  Content content;
  std::vector<Content> bytes(size);
  forEachByte(targetsOf(program_.operandsOf(instruction)[0]), size,
              [&](const Content &byte, std::uint64_t place) {
                const std::uint64_t at =
                    program_.bigEndian ? size - 1 - place : place;
                bytes[at].join(byte);
              });
  for (const Content &byte : bytes) {
    content.flags |= byte.flags;
    for (unsigned bit = 0; bit < byteBits; ++bit)
      content.bits.push_back(byte.bits.empty() ? Bit{false, false, {}}
                                               : byte.bits[bit]);
  }
  // A load of a type that leaves bits unused looks at them.
  for (std::size_t i = type.width(); i < content.bits.size(); ++i)
    computed_ |= content.bits[i].from;
  content.bits.resize(type.width());
  if (semantics_.uninitializedLoad == LoadRule::nondeterministic ||
      semantics_.deadLoad == DeadLoad::undef) {
    // A pick for each load, which is a choice.
    for (Bit &bit : content.bits)
      if (bit.from.test(choice))
        bit.isKnown = false;
  }
  if (instruction.attributes != Instruction::noAttributes)
    attributes(program_.callAttributes[instruction.attributes].result, content);
  return content;
}

void Classification::stored(const Operand &pointer, const Content &content,
                            Type type) {
  if (content.bits.empty())
    return;
  if (semantics_.storePoison == StorePoison::ub)
    computeFlags(content);
  const std::uint64_t size = corpus::storeSize(type);
  const Targets targets = targetsOf(pointer);
  forEachByte(targets, size, [&](Content &byte, std::uint64_t place) {
    const std::uint64_t at = program_.bigEndian ? size - 1 - place : place;
    Content part;
    part.flags = content.flags;
    for (unsigned bit = 0; bit < byteBits; ++bit) {
      const std::size_t from = at * byteBits + bit;
      if (from < content.bits.size())
        part.bits.push_back(content.bits[from]);
      else if (semantics_.padding == PaddingRule::zero)
        part.bits.push_back(Bit::constant(false));
      else {
        Bit padding{false, false, {}};
        padding.from.set(choice);
        part.bits.push_back(padding);
      }
    }
    write(byte, part, targets);
  });
}

void Classification::copied(const Instruction &instruction) {
  const auto operands = program_.operandsOf(instruction);
  computeAll(contentOf(operands[2]));
  const Targets to = targetsOf(operands[0]);
  // More than the longest block is UB.
  std::uint64_t size = 0;
  for (const std::vector<Content> &block : memory_)
    size = std::max<std::uint64_t>(size, block.size());
  if (operands[2].is(Operand::Kind::constant))
    size = std::min(size, operands[2].payload);
  if (instruction.opcode == Opcode::memset_) {
    const Content value = contentOf(operands[1]);
    if (semantics_.storePoison == StorePoison::ub)
      computeFlags(value);
    if (!value.bits.empty())
      forEachByte(to, size, [&](Content &byte, std::uint64_t) {
        write(byte, value, to);
      });
    return;
  }
  // Byte by byte; what is copied onto what is exact for single places.
  const Targets from = targetsOf(operands[1]);
  std::vector<Content> bytes(size);
  forEachByte(from, bytes.size(),
              [&](const Content &byte, std::uint64_t place) {
                bytes[place].join(byte);
              });
  forEachByte(to, bytes.size(), [&](Content &byte, std::uint64_t place) {
    if (!bytes[place].bits.empty())
      write(byte, bytes[place], to);
  });
}

/// Any byte may be any of those that calls leave behind.
void Classification::called(const Instruction &instruction) {
  if ((corpus::functionAttributeBits(program_, instruction) &
       (attribute::memoryNone | attribute::memoryRead)) != 0)
    return;
  for (std::size_t block = 0; block < memory_.size(); ++block)
    for (std::size_t offset = 0; offset < memory_[block].size(); ++offset)
      for (std::size_t i = 0; i < slots_.size(); ++i) {
        const CallSlot &slot = scenario_.slots[i];
        const bool isNamed =
            (slot.block & (CallSlot::byArgument | CallSlot::local)) == 0;
        const bool isOther =
            isNamed && (slot.block != block + 1 ||
                        slot.offset != static_cast<std::int64_t>(offset));
        if (slot.kind == CallSlot::Kind::byte && !isOther)
          memory_[block][offset].join(slots_[i]);
      }
}

Content Classification::logic(const Instruction &instruction, const Content &a,
                              const Content &b) {
  Content result;
  result.flags = a.flags | b.flags;
  for (std::size_t i = 0; i < a.bits.size(); ++i) {
    const Bit &x = a.bits[i];
    const Bit &y = b.bits[i];
    const bool absorbing = instruction.opcode == Opcode::or_;
    if (instruction.opcode != Opcode::xor_ &&
        ((x.isKnown && x.value == absorbing) ||
         (y.isKnown && y.value == absorbing))) {
      result.bits.push_back(Bit::constant(absorbing));
      continue;
    }
    if (x.isKnown && y.isKnown) {
      const bool value = instruction.opcode == Opcode::and_ ? x.value && y.value
                         : instruction.opcode == Opcode::or_
                             ? x.value || y.value
                             : x.value != y.value;
      result.bits.push_back(Bit::constant(value));
      continue;
    }
    if (x.isKnown || y.isKnown) {
      result.bits.push_back(x.isKnown ? y : x); // or its negation
      continue;
    }
    computed_ |= x.from | y.from;
    result.bits.push_back(Bit{false, false, {}});
  }
  return result;
}

Content Classification::shifted(const Instruction &instruction,
                                const Content &a, unsigned amount) const {
  Content result;
  result.flags = a.flags;
  const std::size_t width = a.bits.size();
  for (std::size_t i = 0; i < width; ++i) {
    if (instruction.opcode == Opcode::shl)
      result.bits.push_back(i >= amount ? a.bits[i - amount]
                                        : Bit::constant(false));
    else if (i + amount < width)
      result.bits.push_back(a.bits[i + amount]);
    else
      result.bits.push_back(instruction.opcode == Opcode::ashr
                                ? a.bits.back()
                                : Bit::constant(false));
  }
  return result;
}

Content Classification::generic(const Instruction &instruction) {
  Content result;
  if (instruction.type.isInteger())
    result = unknownContent(instruction.type.width());
  const corpus::OpcodeInfo &row = corpus::info(instruction.opcode);
  for (const Operand &operand : program_.operandsOf(instruction)) {
    const Content content = contentOf(operand);
    compute(content);
    result.flags |= content.flags;
    if (row.has(corpus::trait::mayBeUb) || instruction.type.isOverflowPair())
      computeFlags(content);
  }
  const bool mayBeSet = (!instruction.flags.empty() &&
                         semantics_.overflow == OverflowRule::undef) ||
                        (row.has(corpus::trait::shift) &&
                         semantics_.shiftAmount == ShiftRule::undef);
  if (mayBeSet)
    for (Bit &bit : result.bits)
      bit.from.set(choice);
  return result;
}

void Classification::pointer(std::size_t index,
                             const Instruction &instruction) {
  const auto operands = program_.operandsOf(instruction);
  switch (instruction.opcode) {
  case Opcode::alloca_: {
    Targets targets;
    targets.places.insert({locals_.at(index), 0});
    return point(index, targets);
  }
  case Opcode::getelementptr: {
    Targets targets = targetsOf(operands[0]);
    for (std::size_t i = 1; i < operands.size(); i += 2) {
      computeAll(contentOf(operands[i]));
      const OffsetRange range = rangeOf(program_, operands[i]);
      const auto scale = static_cast<std::int64_t>(operands[i + 1].payload);
      Targets next;
      next.isAnywhere = targets.isAnywhere;
      constexpr std::uint64_t most = 64;
      if (static_cast<std::uint64_t>(range.high) -
              static_cast<std::uint64_t>(range.low) >
          most)
        next.isAnywhere = true;
      if (!next.isAnywhere)
        for (const auto &[block, offset] : targets.places)
          for (std::int64_t each = range.low; each <= range.high; ++each)
            next.places.insert({block, offset + each * scale});
      targets = Targets();
      targets.join(next);
    }
    return point(index, targets);
  }
  case Opcode::select:
    computeAll(contentOf(operands[0]));
    point(index, targetsOf(operands[1]));
    return point(index, targetsOf(operands[2]));
  case Opcode::phi:
    for (std::size_t i = 0; i < operands.size(); i += 2)
      point(index, targetsOf(operands[i]));
    return;
  case Opcode::freeze:
    return point(index, targetsOf(operands[0]));
  default: {
    for (const Operand &operand : operands)
      computeAll(contentOf(operand));
    Targets anywhere;
    anywhere.isAnywhere = true;
    return point(index, anywhere);
  }
  }
}

void Classification::visit(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const auto operands = program_.operandsOf(instruction);
  const auto content = [&](std::size_t i) { return contentOf(operands[i]); };
  if (instruction.type.isPointer())
    return pointer(index, instruction);
  const bool flagged = !instruction.flags.empty();
  switch (instruction.opcode) {
  case Opcode::load:
    return set(index, loaded(instruction));
  case Opcode::store:
    return stored(operands[1], content(0), operands[0].type);
  case Opcode::memcpy_:
  case Opcode::memmove_:
  case Opcode::memset_:
    return copied(instruction);
  case Opcode::lifetimeStart:
  case Opcode::lifetimeEnd:
    return;
  case Opcode::zext: {
    if (flagged)
      break;
    Content result = content(0);
    result.bits.resize(instruction.type.width(), Bit::constant(false));
    return set(index, result);
  }
  case Opcode::sext: {
    Content result = content(0);
    if (result.bits.empty())
      return;
    result.bits.resize(instruction.type.width(), result.bits.back());
    return set(index, result);
  }
  case Opcode::trunc: {
    if (flagged)
      break;
    Content result = content(0);
    if (result.bits.empty())
      return;
    result.bits.resize(instruction.type.width());
    return set(index, result);
  }
  case Opcode::shl:
  case Opcode::lshr:
  case Opcode::ashr:
    if (flagged || !operands[1].is(Operand::Kind::constant) ||
        operands[1].payload >= instruction.type.width())
      break;
    return set(index, shifted(instruction, content(0),
                              static_cast<unsigned>(operands[1].payload)));
  case Opcode::bswap: {
    Content result = content(0);
    const std::size_t bytes = result.bits.size() / byteBits;
    std::vector<Bit> swapped(result.bits.size());
    for (std::size_t i = 0; i < swapped.size(); ++i)
      swapped[i] =
          result.bits[(bytes - 1 - i / byteBits) * byteBits + i % byteBits];
    result.bits = std::move(swapped);
    return set(index, result);
  }
  case Opcode::and_:
  case Opcode::or_:
  case Opcode::xor_: {
    if (flagged)
      break;
    const Content a = content(0);
    const Content b = content(1);
    if (a.bits.empty() || b.bits.empty())
      return;
    return set(index, logic(instruction, a, b));
  }
  case Opcode::freeze: {
    Content result = content(0);
    computeFlags(result);
    const bool mayBePoison = true; // flags of the program itself are not kept
    result.flags.reset();
    // What it picks is a choice where the operand may be poison.
    if (mayBePoison)
      for (Bit &bit : result.bits) {
        bit.isKnown = false;
        bit.from.set(choice);
      }
    return set(index, result);
  }
  case Opcode::select: {
    const Content condition = content(0);
    compute(condition);
    if (semantics_.selectCondition != SelectCondition::poison)
      computeFlags(condition);
    const bool forks =
        semantics_.selectCondition == SelectCondition::nondeterministic;
    Content result = content(1);
    result.join(content(2));
    result.flags |= condition.flags;
    if (forks && condition.flags.any())
      computed_.set(choice);
    return set(index, result);
  }
  case Opcode::phi:
    for (std::size_t i = 0; i < operands.size(); i += 2)
      if (const Content value = content(i); !value.bits.empty())
        set(index, value);
    return;
  case Opcode::br:
  case Opcode::switch_: {
    if (operands.size() <= 1)
      return;
    const Content condition = content(0);
    computeAll(condition);
    if (semantics_.branchOnPoison == BranchRule::nondeterministic &&
        condition.flags.any())
      computed_.set(choice);
    return;
  }
  case Opcode::ret:
    if (!operands.empty())
      attributes(program_.signature.result, content(0));
    return;
  case Opcode::call: {
    const corpus::Signature &signature =
        program_.callees[instruction.callee].signature;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!operands[i].type.isInteger())
        continue;
      attributes(signature.parameters[i].attributes, content(i));
      if (instruction.attributes == Instruction::noAttributes)
        continue;
      const auto &site = program_.callAttributes[instruction.attributes];
      if (!site.parameters.empty())
        attributes(site.parameters[i], content(i));
    }
    called(instruction);
    if (instruction.type.isVoid())
      return;
    Content result;
    for (std::size_t i = 0; i < results_.size(); ++i)
      if (scenario_.results[i].type == instruction.type &&
          scenario_.results[i].callee ==
              program_.callees[instruction.callee].name)
        result.join(results_[i]);
    attributes(signature.result, result);
    if (instruction.attributes != Instruction::noAttributes)
      attributes(program_.callAttributes[instruction.attributes].result,
                 result);
    return set(index, result);
  }
  default:
    break;
  }
  // With attributes intrinsics look at their operands too, which are computed.
  Content result = generic(instruction);
  if (instruction.attributes != Instruction::noAttributes) {
    const auto &site = program_.callAttributes[instruction.attributes];
    for (std::size_t i = 0; i < site.parameters.size(); ++i)
      attributes(site.parameters[i], content(i));
    attributes(site.result, result);
  }
  if (!instruction.type.isVoid())
    set(index, result);
}

void Classification::run() {
  const auto &parameters = program_.signature.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    attributes(parameters[i].attributes, arguments_[i]);
  atEntry_.resize(program_.blocks.size());
  atEntry_[0] = memory_;
  Taints before;
  do {
    before = computed_;
    changed_ = false;
    for (std::size_t b = 0; b < program_.blocks.size(); ++b) {
      if (!atEntry_[b])
        continue;
      memory_ = *atEntry_[b];
      const corpus::Block &block = program_.blocks[b];
      for (std::size_t i = block.begin; i < block.end; ++i)
        visit(i);
      const Instruction &last = program_.instructions[block.end - 1];
      for (const Operand &operand : program_.operandsOf(last))
        if (operand.is(Operand::Kind::block))
          changed_ = joinInto(atEntry_[operand.payload], memory_) || changed_;
    }
  } while (changed_ || before != computed_);
}

} // namespace

InputPlan::InputPlan(const Program &source, const Program &target,
                     const Semantics &semantics, const Scenario &scenario,
                     FullBytes fullBytes)
    : scenario_(scenario) {
  list(source, semantics);
  std::size_t bits = unknowns_.size();
  for (const Unknown &unknown : unknowns_)
    bits += unknown.width;
  const bool isPlain = semantics.poisonUnit == PoisonUnit::value &&
                       semantics.inputs <= Inputs::poison;
  bool all = fullBytes == FullBytes::yes || !isPlain || bits >= maximumTaints;
  Taints computed;
  if (!all) {
    Classification ofSource(source, semantics, scenario, unknowns_);
    ofSource.run();
    Classification ofTarget(target, semantics, scenario, unknowns_);
    ofTarget.run();
    computed = ofSource.computed() | ofTarget.computed();
    all = ofSource.computesWithChoice();
  }
  std::size_t next = 0;
  for (std::size_t u = 0; u < unknowns_.size(); ++u) {
    Unknown &unknown = unknowns_[u];
    const bool isChoice =
        unknown.slot != nullptr && unknown.slot->kind != CallSlot::Kind::byte;
    for (unsigned bit = 0; bit < unknown.width; ++bit)
      (all || computed.test(next++) || isChoice ? unknown.computed
                                                : unknown.moved) |=
          std::uint64_t(1) << bit;
    unknown.flagIsComputed = all || computed.test(Classification::flagOf(u));
  }
}

void InputPlan::list(const Program &program, const Semantics &semantics) {
  const auto &parameters = program.signature.parameters;
  const bool mayBePoison = semantics.inputs != Inputs::defined;
  for (std::size_t i = 0; i < scenario_.results.size(); ++i) {
    Unknown unknown;
    unknown.parameter = parameters.size() + i;
    unknown.width = scenario_.results[i].type.width();
    unknown.mayBePoison = mayBePoison;
    unknown.hasFlagPerBit = semantics.poisonUnit == PoisonUnit::bit;
    unknowns_.push_back(unknown);
  }
  for (const CallSlot &slot : scenario_.slots) {
    // Whether a byte is kept is a value more that it may have.
    const auto twin = [&](CallSlot::Kind kind) -> const CallSlot * {
      CallSlot other = slot;
      other.kind = kind;
      const auto found =
          std::find(scenario_.slots.begin(), scenario_.slots.end(), other);
      return found == scenario_.slots.end() ? nullptr : &*found;
    };
    if (slot.kind == CallSlot::Kind::kept &&
        twin(CallSlot::Kind::byte) != nullptr)
      continue;
    Unknown unknown;
    if (slot.kind == CallSlot::Kind::byte)
      unknown.kept = twin(CallSlot::Kind::kept);
    unknown.slot = &slot;
    const bool isByte = slot.kind == CallSlot::Kind::byte;
    unknown.width = isByte                               ? byteBits
                    : slot.kind == CallSlot::Kind::touch ? 2
                                                         : 1;
    unknown.mayBePoison = isByte && mayBePoison;
    unknown.hasFlagPerBit = semantics.memoryPoison == MemoryPoison::bit;
    unknowns_.push_back(unknown);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters[i].type.isInteger())
      continue;
    Unknown unknown;
    unknown.parameter = i;
    unknown.width = parameters[i].type.width();
    unknown.mayBePoison = mayBePoison;
    unknown.hasFlagPerBit = semantics.poisonUnit == PoisonUnit::bit;
    unknowns_.push_back(unknown);
  }
  const auto &blocks = scenario_.memory.blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    // Contents that everybody knows.
    if (blocks[b].kind == MemoryBlock::Kind::global && blocks[b].hasContents)
      continue;
    for (std::size_t offset = 0; offset < blocks[b].bytes.size(); ++offset) {
      Unknown unknown;
      unknown.block = b;
      unknown.offset = offset;
      unknown.mayBePoison = mayBePoison;
      unknown.hasFlagPerBit = semantics.memoryPoison == MemoryPoison::bit;
      unknowns_.push_back(unknown);
    }
  }
}

double countReduced(const std::vector<Unknown> &unknowns) {
  double computed = 1;
  unsigned moved = 0;
  double flags = 0;
  for (const Unknown &unknown : unknowns) {
    double choices = std::ldexp(1.0, std::popcount(unknown.computed)) +
                     (unknown.kept != nullptr ? 1 : 0);
    moved += static_cast<unsigned>(std::popcount(unknown.moved));
    if (unknown.mayBePoison && unknown.flagIsComputed)
      choices += unknown.hasFlagPerBit ? std::pow(3.0, unknown.width) : 1;
    else if (unknown.mayBePoison)
      flags += unknown.hasFlagPerBit ? unknown.width : 1;
    computed *= choices;
  }
  return computed * (1 + static_cast<double>(std::bit_width(moved)) + flags);
}

namespace {

/// Every combination of the computed bits and flags.
bool forEachComputed(
    const std::vector<Unknown> &unknowns,
    const std::function<bool(std::vector<UnknownValue> &)> &visit,
    bool withPoison) {
  std::vector<UnknownValue> values(unknowns.size());
  const std::function<bool(std::size_t, bool)> extend = [&](std::size_t u,
                                                            bool hasPoison) {
    if (u == unknowns.size())
      return hasPoison != withPoison || visit(values);
    const Unknown &unknown = unknowns[u];
    UnknownValue &value = values[u];
    value = {};
    for (std::uint64_t bits = 0;;
         bits = (bits - unknown.computed) & unknown.computed) {
      value.bits = bits;
      if (!extend(u + 1, hasPoison))
        return false;
      if (bits == unknown.computed)
        break;
    }
    value = {};
    if (unknown.kept != nullptr) {
      value.isKept = true;
      if (!extend(u + 1, hasPoison))
        return false;
      value = {};
    }
    if (!withPoison || !unknown.mayBePoison || !unknown.flagIsComputed)
      return true;
    const std::uint64_t mask = ~std::uint64_t(0) >> (64 - unknown.width);
    if (!unknown.hasFlagPerBit) {
      value.poison = mask;
      return extend(u + 1, true);
    }
    for (value.poison = mask; value.poison != 0;
         value.poison = (value.poison - 1) & mask) {
      const std::uint64_t rest = unknown.computed & ~value.poison;
      for (value.bits = 0;; value.bits = (value.bits - rest) & rest) {
        if (!extend(u + 1, true))
          return false;
        if (value.bits == rest)
          break;
      }
    }
    value = {};
    return true;
  };
  return extend(0, false);
}

} // namespace

InputVector InputPlan::vectorOf(const std::vector<UnknownValue> &values) const {
  InputVector vector;
  vector.memory = scenario_.memory;
  for (const Element &pointer : scenario_.pointers)
    vector.arguments.push_back({pointer});
  vector.arguments.resize(scenario_.pointers.size() + scenario_.results.size());
  for (std::size_t u = 0; u < unknowns_.size(); ++u) {
    const Unknown &unknown = unknowns_[u];
    const UnknownValue &value = values[u];
    if (unknown.parameter != Unknown::isByte) {
      vector.arguments[unknown.parameter] = {
          {value.bits & ~value.poison, value.poison, {}}};
      continue;
    }
    if (unknown.slot != nullptr) {
      Byte byte;
      byte.bits = static_cast<std::uint8_t>(value.bits & ~value.poison);
      byte.poison = static_cast<std::uint8_t>(value.poison);
      vector.slots.emplace(*unknown.slot, byte);
      if (unknown.kept != nullptr)
        vector.slots.emplace(*unknown.kept, Byte::number(value.isKept ? 1 : 0));
      continue;
    }
    Byte &byte = vector.memory.blocks[unknown.block].bytes[unknown.offset];
    byte.bits = static_cast<std::uint8_t>(value.bits & ~value.poison);
    byte.poison = static_cast<std::uint8_t>(value.poison);
  }
  return vector;
}

void InputPlan::forEach(
    const std::function<bool(const InputVector &)> &visit) const {
  forEachReduced(unknowns_, [&](const std::vector<UnknownValue> &values) {
    return visit(vectorOf(values));
  });
}

void forEachReduced(
    const std::vector<Unknown> &unknowns,
    const std::function<bool(const std::vector<UnknownValue> &)> &visit) {
  unsigned moved = 0;
  for (const Unknown &unknown : unknowns)
    moved += static_cast<unsigned>(std::popcount(unknown.moved));
  const unsigned codes = static_cast<unsigned>(std::bit_width(moved));
  for (const bool withPoison : {false, true}) {
    const auto withMoved = [&](std::vector<UnknownValue> &values) {
      if (!visit(values))
        return false;
      for (unsigned place = 0; place < codes; ++place) {
        std::vector<UnknownValue> coded = values;
        unsigned code = 0;
        for (std::size_t u = 0; u < unknowns.size(); ++u)
          for (unsigned bit = 0; bit < unknowns[u].width; ++bit)
            if ((unknowns[u].moved >> bit & 1) != 0 &&
                (++code >> place & 1) != 0)
              coded[u].bits |= std::uint64_t(1) << bit;
        if (!visit(coded))
          return false;
      }
      return true;
    };
    const auto withFlags = [&](std::vector<UnknownValue> &values) {
      for (std::size_t u = 0; u < unknowns.size(); ++u) {
        const Unknown &unknown = unknowns[u];
        if (!unknown.mayBePoison || unknown.flagIsComputed)
          continue;
        const std::uint64_t mask = ~std::uint64_t(0) >> (64 - unknown.width);
        for (unsigned bit = 0;
             bit < (unknown.hasFlagPerBit ? unknown.width : 1); ++bit) {
          std::vector<UnknownValue> flagged = values;
          flagged[u].poison =
              unknown.hasFlagPerBit ? std::uint64_t(1) << bit : mask;
          if (!visit(flagged))
            return false;
        }
      }
      return true;
    };
    if (!forEachComputed(unknowns, withMoved, withPoison))
      return;
    if (!forEachComputed(unknowns, withFlags, withPoison))
      return;
  }
}

} // namespace checker
