// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run does to memory: docs/semantics.md section 9 word for word.
#include "checker/exact/picks.h"
#include "checker/exact/run.h"

#include <algorithm>
#include <cassert>

namespace checker {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Type;
namespace attribute = corpus::attribute;

namespace {

std::uint64_t sizeOfLocal(const corpus::Program &program,
                          const Instruction &alloca) {
  return program.operandsOf(alloca)[0].payload *
         corpus::allocationSize(alloca.accessedType);
}

bool isPoisonOrUnknown(const ValueSet &set) {
  return set.size() != 1 || set.front().hasPoison();
}

} // namespace

void Run::enterMemory() {
  Memory memory = memory_->memory;
  for (const corpus::Global &global : program_.globals) {
    const auto &all = memory_->windows->globals;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const corpus::Global &each) {
          return each.name == global.name;
        });
    globals_.push_back(static_cast<std::uint16_t>(found - all.begin() + 1));
  }
  for (std::size_t i = 0; i < program_.instructions.size(); ++i)
    if (program_.instructions[i].opcode == Opcode::alloca_)
      locals_.push_back(i);
  if (enterParameters(memory))
    return placeLocals(0, std::move(memory));
  addStart(std::move(memory));
  end(start, Transition::Kind::ub, State(states_[start]));
}

bool Run::enterParameters(Memory &memory) {
  const auto &parameters = program_.signature.parameters;
  arguments_.reserve(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const corpus::Parameter &parameter = parameters[i];
    ValueSet set = input_[i];
    if (parameter.type.isPointer())
      for (Element &element : set)
        if (!element.hasPoison())
          element.basedOn = static_cast<std::uint16_t>(1U << i);
    auto argument =
        applied(parameter.attributes, parameter.type, std::move(set), memory);
    if (!argument)
      return false;
    arguments_.push_back(std::move(*argument));
  }
  // `writable`: as if the dereferenceable bytes were stored to what they are.
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const corpus::Attributes &own = parameters[i].attributes;
    if (!own.has(attribute::writable) || !own.has(attribute::dereferenceable))
      continue;
    const Element &pointer = arguments_[i].front();
    MemoryBlock &block = memory.blocks[pointer.block - 1U];
    if (!block.isWritable ||
        !noteAccess(block, pointer, own.valueOf(attribute::dereferenceable).low,
                    true))
      return false;
  }
  return true;
}

/// The rest of the locals from that one on, each wherever it may be.
void Run::placeLocals(std::size_t local, Memory memory) {
  const bool isFirst = local == 0;
  if (isFirst && memory_->windows->observesAddresses && !locals_.empty())
    addStart(memory);
  if (local == locals_.size()) {
    addStart(std::move(memory));
    if (states_.size() > 1) {
      Transition transition;
      transition.to = states_.size() - 1;
      states_[start].transitions.push_back(std::move(transition));
    }
    return;
  }
  const Instruction &alloca = program_.instructions[locals_[local]];
  MemoryBlock block;
  block.kind = MemoryBlock::Kind::local;
  block.alignment = alloca.alignment;
  const std::uint64_t size = sizeOfLocal(program_, alloca);
  block.bytes.assign(size, Byte::uninitialized());
  block.boundsEnd = static_cast<std::int64_t>(size);
  block.isAlive = std::none_of(
      program_.instructions.begin(), program_.instructions.end(),
      [&](const Instruction &instruction) {
        return instruction.opcode == Opcode::lifetimeStart &&
               program_.operandsOf(instruction)[0].payload == locals_[local];
      });
  for (const std::uint64_t base :
       placesOfLocal(memory, *memory_->windows, size, alloca.alignment)) {
    if (!complete_)
      return;
    block.base = base;
    memory.blocks.push_back(block);
    placeLocals(local + 1, memory);
    memory.blocks.pop_back();
  }
}

std::size_t Run::blockOfLocal(std::size_t alloca) const {
  return memory_->memory.blocks.size() +
         static_cast<std::size_t>(
             std::find(locals_.begin(), locals_.end(), alloca) -
             locals_.begin());
}

std::uint64_t Run::addressOf(const Memory &memory,
                             const Element &pointer) const {
  return pointer.block == 0
             ? pointer.bits
             : memory.blocks[pointer.block - 1U].base + pointer.bits;
}

bool Run::isAligned(const Memory &memory, const Element &pointer,
                    std::uint64_t alignment) {
  return pointer.block == 0 ? (pointer.bits & (alignment - 1)) == 0
                            : memory.blocks[pointer.block - 1U].isAligned(
                                  pointer.bits, alignment);
}

bool Run::isDereferenceable(const Memory &memory, const Element &pointer,
                            std::uint64_t size) const {
  if (pointer.hasPoison() || pointer.block == 0)
    return false;
  const MemoryBlock &block = memory.blocks[pointer.block - 1U];
  return block.isAlive && block.holds(pointer.bits, size);
}

std::optional<ValueSet> Run::applied(const corpus::Attributes &attributes,
                                     Type type, ValueSet set,
                                     const Memory &memory) const {
  if (!type.isPointer())
    return applyAttributes(attributes, type, std::move(set));
  for (Element &element : set) {
    if (element.hasPoison())
      continue;
    const bool isMisaligned =
        attributes.has(attribute::align) &&
        !isAligned(memory, element, attributes.valueOf(attribute::align).low);
    if (isMisaligned ||
        (attributes.has(attribute::nonnull) && addressOf(memory, element) == 0))
      element = Element::poisonOf(type);
  }
  normalise(set);
  for (const Element &element : set) {
    if (attributes.has(attribute::dereferenceable) &&
        !isDereferenceable(memory, element,
                           attributes.valueOf(attribute::dereferenceable).low))
      return std::nullopt;
    const bool isNull = !element.hasPoison() && addressOf(memory, element) == 0;
    if (attributes.has(attribute::dereferenceableOrNull) && !isNull &&
        !isDereferenceable(
            memory, element,
            attributes.valueOf(attribute::dereferenceableOrNull).low))
      return std::nullopt;
  }
  if (attributes.has(attribute::noundef) && isPoisonOrUnknown(set))
    return std::nullopt;
  return set;
}

Run::Access Run::accessAsAttributesSay(const Memory &memory,
                                       const Element &pointer,
                                       std::uint64_t size, bool isWrite) const {
  const MemoryBlock &block = memory.blocks[pointer.block - 1U];
  if (block.isLocal())
    return Access::fine;
  const auto unwritten = [&](auto isWritten) {
    return !std::all_of(block.accesses.begin() +
                            static_cast<std::ptrdiff_t>(pointer.bits),
                        block.accesses.begin() +
                            static_cast<std::ptrdiff_t>(pointer.bits + size),
                        isWritten);
  };
  Access result = Access::fine;
  const auto &parameters = program_.signature.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const unsigned bit = 1U << i;
    if ((pointer.basedOn & bit) == 0)
      continue;
    const corpus::Attributes &own = parameters[i].attributes;
    if (own.has(attribute::readnone) ||
        (isWrite && own.has(attribute::readonly)))
      return Access::ub;
    if (isWrite)
      continue;
    const auto through = [&](const ByteAccess &access) {
      return (access.writtenThrough & bit) != 0;
    };
    if (own.has(attribute::writeonly)) {
      if (semantics_.writeonlyLoad == WriteonlyLoad::ub)
        return Access::ub;
      if (unwritten(through))
        result = Access::poison;
    }
    if (own.has(attribute::initializes) && !arguments_[i].front().hasPoison() &&
        arguments_[i].front().block == pointer.block) {
      const auto &range = own.valueOf(attribute::initializes);
      const std::uint64_t from = arguments_[i].front().bits;
      for (std::uint64_t offset = pointer.bits; offset < pointer.bits + size;
           ++offset) {
        const auto relative = static_cast<std::int64_t>(offset - from);
        if (relative >= static_cast<std::int64_t>(range.low) &&
            relative < static_cast<std::int64_t>(range.high) &&
            !through(block.accesses[offset]))
          result = Access::poison;
      }
    }
  }
  // What the function as a whole may do, locals aside.
  const std::uint64_t allowed = corpus::memory::at(
      program_.signature.function.effects(),
      pointer.basedOn != 0 ? corpus::memory::argument : corpus::memory::other);
  if (isWrite && (allowed & corpus::memory::write) == 0)
    return Access::ub;
  const bool readsConstant =
      block.kind == MemoryBlock::Kind::global && !block.isWritable;
  if (!isWrite && !readsConstant && (allowed & corpus::memory::read) == 0 &&
      unwritten([](const ByteAccess &access) { return access.written; }))
    result = Access::poison;
  return result;
}

bool Run::noteAccess(MemoryBlock &block, const Element &pointer,
                     std::uint64_t size, bool isWrite) const {
  if (block.isLocal())
    return true;
  const auto &parameters = program_.signature.parameters;
  unsigned restricted = 0;
  for (std::size_t i = 0; i < parameters.size() && i < 16; ++i)
    if (parameters[i].attributes.has(attribute::noalias))
      restricted |= 1U << i;
  bool fine = true;
  for (std::uint64_t i = pointer.bits; i < pointer.bits + size; ++i) {
    ByteAccess &byte = block.accesses[i];
    byte.through = static_cast<std::uint16_t>(byte.through |
                                              (pointer.basedOn & restricted));
    byte.around = static_cast<std::uint16_t>(
        byte.around | (restricted & ~unsigned(pointer.basedOn)));
    if (isWrite) {
      byte.written = true;
      byte.writtenThrough =
          static_cast<std::uint16_t>(byte.writtenThrough | pointer.basedOn);
    }
    fine = fine && !(byte.written && (byte.through & byte.around) != 0);
  }
  return fine;
}

Run::Access Run::access(State &at, const Element &pointer, std::uint64_t size,
                        std::uint32_t alignment, bool isWrite) const {
  if (pointer.hasPoison() || pointer.block == 0)
    return Access::ub;
  MemoryBlock &block = at.memory.blocks[pointer.block - 1U];
  if (!block.holds(pointer.bits, size) ||
      !block.isAligned(pointer.bits, alignment))
    return Access::ub;
  if (!block.isAlive)
    return isWrite || !block.isLocal() || semantics_.deadLoad == DeadLoad::ub
               ? Access::ub
               : Access::dead;
  if (isWrite && !block.isWritable)
    return Access::ub;
  const Access result =
      accessAsAttributesSay(at.memory, pointer, size, isWrite);
  if (result == Access::ub)
    return result;
  return noteAccess(block, pointer, size, isWrite) ? result : Access::ub;
}

bool Run::load(std::size_t from, State &at, const Instruction &instruction,
               std::size_t index) {
  const Type type = instruction.type;
  std::vector<ValueSet> forks(1);
  for (const Element &pointer :
       operand(at, program_.operandsOf(instruction)[0])) {
    std::vector<ValueSet> loaded;
    switch (access(at, pointer, corpus::storeSize(type), instruction.alignment,
                   false)) {
    case Access::ub:
      end(from, Transition::Kind::ub, std::move(at));
      return false;
    case Access::poison:
      loaded = {{Element::poisonOf(type)}};
      break;
    case Access::dead:
      loaded = {semantics_.deadLoad == DeadLoad::undef
                    ? undefOf(type)
                    : ValueSet{Element::poisonOf(type)}};
      break;
    case Access::fine:
      loaded = at.memory.load(pointer.block - 1U, pointer.bits, type, rules());
      break;
    }
    if (loaded.empty() || !budget_.spend(loaded.size())) {
      complete_ = false;
      return false;
    }
    if (forks.size() == 1 && forks.front().empty()) {
      forks = std::move(loaded);
      continue;
    }
    // Of several pointers any may be meant, with any of its forks.
    std::vector<ValueSet> unions;
    for (const ValueSet &fork : forks)
      for (const ValueSet &set : loaded) {
        unions.push_back(fork);
        unions.back().insert(unions.back().end(), set.begin(), set.end());
      }
    forks = std::move(unions);
  }
  for (ValueSet &fork : forks) {
    normalise(fork);
    if (instruction.attributes == Instruction::noAttributes)
      continue;
    auto set = applyAttributes(
        program_.callAttributes[instruction.attributes].result, type, fork);
    if (!set) {
      end(from, Transition::Kind::ub, std::move(at));
      return false;
    }
    fork = std::move(*set);
  }
  if (forks.size() == 1) {
    at.registers[index] = std::move(forks[0]);
    return true;
  }
  for (ValueSet &fork : forks)
    forkInto(from, at, index, std::move(fork));
  return false;
}

bool Run::store(std::size_t from, State &at, const Instruction &instruction,
                std::size_t index) {
  const auto operands = program_.operandsOf(instruction);
  const Type type = operands[0].type;
  const bool isUndef = operands[0].is(Operand::Kind::undef) &&
                       type.isInteger() && keepsUndef(semantics_);
  const bool isRegister = operands[0].is(Operand::Kind::instruction);
  const ValueSet made =
      isUndef || isRegister ? ValueSet() : operand(at, operands[0]);
  const ValueSet &value = isRegister ? at.registers[operands[0].payload] : made;
  const ValueSet pointers = operand(at, operands[1]);
  if (!complete_)
    return false;
  if (semantics_.storePoison == StorePoison::ub && hasPoison(value)) {
    end(from, Transition::Kind::ub, std::move(at));
    return false;
  }
  const auto storeTo = [&](State &state, const Element &pointer) {
    if (access(state, pointer, corpus::storeSize(type), instruction.alignment,
               true) != Access::fine)
      return false;
    const std::size_t block = pointer.block - 1U;
    if (isUndef)
      state.memory.storeUndef(block, pointer.bits, type, rules());
    else
      state.memory.store(block, pointer.bits, type, value, rules());
    return true;
  };
  if (pointers.size() == 1) {
    if (storeTo(at, pointers.front()))
      return true;
    end(from, Transition::Kind::ub, std::move(at));
    return false;
  }
  std::vector<State> forks;
  for (const Element &pointer : pointers) {
    forks.push_back(at);
    if (!storeTo(forks.back(), pointer)) {
      end(from, Transition::Kind::ub, std::move(at));
      return false;
    }
  }
  for (State &fork : forks) {
    Transition transition;
    transition.to = intern(static_cast<std::uint32_t>(index + 1), at.position,
                           at.registers, std::move(fork.memory));
    states_[from].transitions.push_back(std::move(transition));
  }
  return false;
}

Element Run::step(const Memory &memory, const Instruction &instruction,
                  std::span<const Element> pick) const {
  const auto operands = program_.operandsOf(instruction);
  Element poison = Element::poisonOf(Type::pointer());
  for (const Element &element : pick)
    if (element.hasPoison())
      return poison;
  const bool checks = semantics_.gepBounds == GepBounds::poison;
  const bool inbounds = checks && instruction.flags.has(corpus::flag::inbounds);
  const bool nusw =
      inbounds || (checks && instruction.flags.has(corpus::flag::nusw));
  const bool nuw = checks && instruction.flags.has(corpus::flag::nuw);
  Element pointer = pick[0];
  const auto isInBounds = [&] {
    if (pointer.block == 0)
      return false;
    const MemoryBlock &block = memory.blocks[pointer.block - 1U];
    const auto offset = static_cast<std::int64_t>(pointer.bits);
    return block.boundsBegin <= offset && offset <= block.boundsEnd;
  };
  bool stays = true;
  bool inside = isInBounds();
  bool wraps = false;
  std::int64_t sum = 0;
  for (std::size_t i = 1; i < operands.size(); i += 2) {
    const std::int64_t index =
        corpus::signExtend(pick[i].bits, operands[i].type.width());
    const auto scale = static_cast<std::int64_t>(operands[i + 1].payload);
    std::int64_t offset = 0;
    wraps = wraps || (nusw && __builtin_mul_overflow(index, scale, &offset));
    std::uint64_t product = 0;
    wraps = wraps || (nuw && __builtin_mul_overflow(
                                 static_cast<std::uint64_t>(index),
                                 static_cast<std::uint64_t>(scale), &product));
    offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(index) *
                                       static_cast<std::uint64_t>(scale));
    wraps = wraps || (nusw && __builtin_add_overflow(sum, offset, &sum));
    const std::uint64_t before = addressOf(memory, pointer);
    pointer.bits += static_cast<std::uint64_t>(offset);
    const std::uint64_t after = addressOf(memory, pointer);
    stays = stays && offset == 0;
    inside = inside && isInBounds();
    // The address is unsigned, the offset signed for nusw.
    wraps = wraps || (nusw && (offset < 0 ? after >= before : after < before));
    wraps = wraps || (nuw && after < before);
  }
  if (wraps || (inbounds && !stays && !inside))
    return poison;
  return pointer;
}

bool Run::getelementptr(State &at, const Instruction &instruction,
                        std::size_t index) {
  std::vector<ValueSet> operands;
  for (const Operand &item : program_.operandsOf(instruction))
    operands.push_back(operand(at, item));
  if (!complete_ || !budget_.spend(productOfSizes(operands))) {
    complete_ = false;
    return false;
  }
  ValueSet result;
  forEachPick(operands, [&](std::span<const Element> pick) {
    result.push_back(step(at.memory, instruction, pick));
    return true;
  });
  normalise(result);
  at.registers[index] = std::move(result);
  return true;
}

std::optional<std::uint64_t> Run::lengthOf(const State &at,
                                           const Operand &item) {
  const ValueSet set = operand(at, item);
  if (isPoisonOrUnknown(set))
    return std::nullopt;
  return set.front().bits;
}

/// LangRef of `tail`: the callee does not touch locals of the caller.
bool Run::touchesLocalInTailCall(const Instruction &instruction,
                                 const Memory &memory,
                                 const Element &pointer) const {
  return instruction.attributes != Instruction::noAttributes &&
         program_.callAttributes[instruction.attributes].function.has(
             attribute::tail) &&
         pointer.block != 0 && memory.blocks[pointer.block - 1U].isLocal();
}

/// The place that a memory intrinsic's pointer operand names; nothing where it
/// is UB, or where complete_ turned false: of several places we do not copy.
std::optional<Element> Run::placeOf(const State &at,
                                    const Instruction &instruction,
                                    std::size_t index) {
  const Operand &pointer = program_.operandsOf(instruction)[index];
  ValueSet set = operand(at, pointer);
  if (instruction.attributes != Instruction::noAttributes &&
      !program_.callAttributes[instruction.attributes].parameters.empty()) {
    auto after = applied(
        program_.callAttributes[instruction.attributes].parameters[index],
        pointer.type, std::move(set), at.memory);
    if (!after)
      return std::nullopt;
    set = std::move(*after);
  }
  if (isPoisonOrUnknown(set)) {
    complete_ = complete_ && hasPoison(set);
    return std::nullopt;
  }
  return complete_ ? std::optional(set.front()) : std::nullopt;
}

bool Run::copy(std::size_t from, State &at, const Instruction &instruction) {
  const auto operands = program_.operandsOf(instruction);
  const auto ub = [&] {
    end(from, Transition::Kind::ub, std::move(at));
    return false;
  };
  const auto size = lengthOf(at, operands[2]);
  if (!size)
    return complete_ ? ub() : false;
  if (*size == 0)
    return true;
  const auto to = placeOf(at, instruction, 0);
  const auto source = to ? placeOf(at, instruction, 1) : std::nullopt;
  if (!to || !source)
    return complete_ ? ub() : false;
  if (touchesLocalInTailCall(instruction, at.memory, *to) ||
      touchesLocalInTailCall(instruction, at.memory, *source))
    return ub();
  const Access read = access(at, *source, *size, 1, false);
  if (read == Access::ub || access(at, *to, *size, 1, true) == Access::ub)
    return ub();
  const std::uint64_t distance = to->bits - source->bits;
  const bool overlaps = to->block == source->block && distance != 0 &&
                        (distance < *size || -distance < *size);
  if (overlaps && instruction.opcode == Opcode::memcpy_)
    return ub();
  if (read == Access::fine) {
    at.memory.copy(to->block - 1U, to->bits, source->block - 1U, source->bits,
                   *size);
    return true;
  }
  const Byte byte =
      read == Access::dead && semantics_.deadLoad == DeadLoad::undef
          ? Byte::uninitialized()
          : Byte::poisoned();
  for (std::uint64_t i = 0; i < *size; ++i)
    at.memory.blocks[to->block - 1U].bytes[to->bits + i] = byte;
  return true;
}

bool Run::fill(std::size_t from, State &at, const Instruction &instruction) {
  const auto operands = program_.operandsOf(instruction);
  const auto ub = [&] {
    end(from, Transition::Kind::ub, std::move(at));
    return false;
  };
  const auto size = lengthOf(at, operands[2]);
  if (!size)
    return complete_ ? ub() : false;
  if (*size == 0)
    return true;
  const ValueSet value = operand(at, operands[1]);
  const auto pointer = placeOf(at, instruction, 0);
  if (!pointer)
    return complete_ ? ub() : false;
  if (semantics_.storePoison == StorePoison::ub && hasPoison(value))
    return ub();
  if (touchesLocalInTailCall(instruction, at.memory, *pointer))
    return ub();
  if (access(at, *pointer, *size, 1, true) != Access::fine)
    return ub();
  for (std::uint64_t i = 0; i < *size; ++i)
    at.memory.store(pointer->block - 1U, pointer->bits + i, Type::integer(8),
                    value, rules());
  return true;
}

void Run::lifetime(State &at, const Instruction &instruction) {
  MemoryBlock &block =
      at.memory
          .blocks[blockOfLocal(program_.operandsOf(instruction)[0].payload)];
  block.isAlive = instruction.opcode == Opcode::lifetimeStart;
  std::fill(block.bytes.begin(), block.bytes.end(), Byte::uninitialized());
}

bool Run::isOfPointers(const Instruction &instruction) const {
  const bool isComparison = instruction.opcode == Opcode::icmp;
  return (isComparison || instruction.opcode == Opcode::select) &&
         program_.operandsOf(instruction)[1].type.isPointer();
}

bool Run::compare(State &at, const Instruction &instruction,
                  std::size_t index) {
  std::vector<ValueSet> operands;
  for (const Operand &item : program_.operandsOf(instruction)) {
    operands.push_back(operand(at, item));
    for (Element &element : operands.back())
      if (!element.hasPoison())
        element = Element::number(addressOf(at.memory, element));
  }
  Operation operation;
  operation.opcode = Opcode::icmp;
  operation.flags = instruction.flags;
  operation.predicate = instruction.predicate;
  operation.operandType = Type::integer(Type::pointerWidth);
  operation.type = instruction.type;
  ValueSet result;
  forEachPick(operands, [&](std::span<const Element> pick) {
    result.push_back(evaluate(operation, semantics_, pick).element);
    return true;
  });
  normalise(result);
  at.registers[index] = std::move(result);
  return true;
}

bool Run::select(std::size_t from, State &at, const Instruction &instruction,
                 std::size_t index) {
  const auto operands = program_.operandsOf(instruction);
  const ValueSet condition = operand(at, operands[0]);
  const ValueSet arms[] = {operand(at, operands[1]), operand(at, operands[2])};
  const bool poison = hasPoison(condition);
  if (poison && semantics_.selectCondition == SelectCondition::ub) {
    end(from, Transition::Kind::ub, std::move(at));
    return false;
  }
  const bool forks =
      poison && semantics_.selectCondition == SelectCondition::nondeterministic;
  ValueSet result;
  const auto add = [](ValueSet &to, const ValueSet &set) {
    to.insert(to.end(), set.begin(), set.end());
  };
  for (const Element &element : condition) {
    if (!element.hasPoison())
      add(result, arms[element.bits != 0 ? 0 : 1]);
    else if (!forks)
      result.push_back(Element::poisonOf(instruction.type));
  }
  if (semantics_.selectArms == SelectArms::either &&
      (hasPoison(arms[0]) || hasPoison(arms[1])))
    result.push_back(Element::poisonOf(instruction.type));
  normalise(result);
  if (!forks) {
    at.registers[index] = std::move(result);
    return true;
  }
  for (const ValueSet &arm : arms) {
    ValueSet fork = result;
    add(fork, arm);
    normalise(fork);
    forkInto(from, at, index, std::move(fork));
  }
  return false;
}

bool Run::executeMemory(std::size_t from, State &at,
                        const Instruction &instruction, std::size_t index) {
  switch (instruction.opcode) {
  case Opcode::alloca_: {
    Element pointer = Element::number(0);
    pointer.block = static_cast<std::uint16_t>(blockOfLocal(index) + 1);
    at.registers[index] = {pointer};
    return true;
  }
  case Opcode::load:
    return load(from, at, instruction, index);
  case Opcode::store:
    return store(from, at, instruction, index);
  case Opcode::getelementptr:
    return getelementptr(at, instruction, index);
  case Opcode::memcpy_:
  case Opcode::memmove_:
    return copy(from, at, instruction);
  case Opcode::memset_:
    return fill(from, at, instruction);
  case Opcode::icmp:
    return compare(at, instruction, index);
  case Opcode::select:
    return select(from, at, instruction, index);
  default:
    lifetime(at, instruction);
    return true;
  }
}

ValueSet Run::shown(ValueSet set, const Memory &memory) const {
  for (Element &element : set) {
    // What was not captured through the result a caller does not get.
    const auto &parameters = program_.signature.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const corpus::Attributes &own = parameters[i].attributes;
      if ((element.basedOn >> i & 1) != 0 && own.has(attribute::captures))
        element.isUseless |= (own.valueOf(attribute::captures).high &
                              corpus::captures::readProvenance) == 0;
    }
    element.basedOn = 0;
    if (element.block == 0)
      continue;
    const MemoryBlock &block = memory.blocks[element.block - 1U];
    if (block.isLocal())
      element.block = static_cast<std::uint16_t>(localBlock | block.match);
  }
  normalise(set);
  return set;
}

void Run::finishMemory(State &at) const {
  const auto &parameters = program_.signature.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const corpus::Attributes &own = parameters[i].attributes;
    if (!own.has(attribute::initializes | attribute::deadOnReturn))
      continue;
    const Element &argument = arguments_[i].front();
    for (std::size_t b = 0; b < at.memory.blocks.size(); ++b) {
      MemoryBlock &block = at.memory.blocks[b];
      if (block.isLocal())
        continue;
      for (std::size_t offset = 0; offset < block.bytes.size(); ++offset) {
        const bool isWritten =
            (block.accesses[offset].writtenThrough >> i & 1) != 0;
        if (own.has(attribute::deadOnReturn) && isWritten)
          block.bytes[offset] = Byte::poisoned();
        if (!own.has(attribute::initializes) || isWritten ||
            argument.hasPoison() || argument.block != b + 1)
          continue;
        const auto &range = own.valueOf(attribute::initializes);
        const auto relative = static_cast<std::int64_t>(offset - argument.bits);
        if (relative >= static_cast<std::int64_t>(range.low) &&
            relative < static_cast<std::int64_t>(range.high))
          block.bytes[offset] = Byte::uninitialized();
      }
    }
  }
}

} // namespace checker
