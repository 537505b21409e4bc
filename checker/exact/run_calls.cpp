// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call sees of memory and leaves behind: docs/semantics.md section 9
// word for word.
#include "checker/exact/run.h"

#include <algorithm>

namespace checker {

using corpus::Instruction;
namespace attribute = corpus::attribute;
namespace effect = corpus::memory;

namespace {

/// Of read and write, what a callee may do through a parameter.
std::uint64_t allowedThrough(const corpus::Attributes &attributes) {
  if (attributes.has(attribute::readnone))
    return 0;
  std::uint64_t allowed = effect::read | effect::write;
  if (attributes.has(attribute::readonly))
    allowed &= effect::read;
  if (attributes.has(attribute::writeonly))
    allowed &= effect::write;
  return allowed;
}

std::uint64_t capturesOf(const corpus::Attributes &attributes) {
  return attributes.has(attribute::captures)
             ? attributes.valueOf(attribute::captures).low
             : corpus::captures::all;
}

/// Of one argument, both by the callee and by the call site.
struct Passing {
  std::size_t argument;
  Element pointer;
  std::uint64_t allowed;
  std::uint64_t captures;
  bool mayFree;
};

} // namespace

bool isWithoutEffect(std::uint32_t bits, bool hasResult) {
  constexpr std::uint32_t sure = attribute::willreturn | attribute::nounwind;
  return (bits & sure) == sure && !hasResult &&
         (bits & (attribute::memoryNone | attribute::memoryRead)) != 0;
}

std::uint64_t effectsOfCall(const corpus::Program &program,
                            const Instruction &call) {
  const std::uint64_t declared =
      program.callees[call.callee].signature.function.effects();
  return call.attributes == Instruction::noAttributes
             ? declared
             : declared &
                   program.callAttributes[call.attributes].function.effects();
}

std::uint64_t capturesOfCall(const corpus::Program &program,
                             const Instruction &call, std::size_t argument) {
  const std::uint64_t declared = capturesOf(
      program.callees[call.callee].signature.parameters[argument].attributes);
  if (call.attributes == Instruction::noAttributes)
    return declared;
  const auto &site = program.callAttributes[call.attributes].parameters;
  return site.empty() ? declared : declared & capturesOf(site[argument]);
}

Byte Run::valueOf(CallSlot slot) {
  const auto found = memory_->slots->find(slot);
  if (found != memory_->slots->end())
    return found->second;
  memory_->missing->push_back(slot);
  return Byte::number(0);
}

/// What a caller that catches an exception sees.
Memory Run::unwound(Memory memory) const {
  const auto &parameters = program_.signature.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].attributes.has(attribute::deadOnUnwind))
      for (MemoryBlock &block : memory.blocks)
        for (std::size_t b = 0; b < block.accesses.size(); ++b)
          if ((block.accesses[b].writtenThrough >> i & 1) != 0)
            block.bytes[b] = Byte::poisoned();
  return memory;
}

bool Run::callMemory(State &after, const Instruction &instruction,
                     CallEvent &event) {
  const corpus::Callee &callee = program_.callees[instruction.callee];
  static const corpus::CallAttributes none;
  const corpus::CallAttributes &site =
      instruction.attributes == Instruction::noAttributes
          ? none
          : program_.callAttributes[instruction.attributes];
  const std::uint64_t effects = effectsOfCall(program_, instruction);
  const std::uint32_t bits =
      corpus::functionAttributeBits(program_, instruction);
  const auto &own = program_.signature.parameters;

  std::vector<Passing> passings;
  for (std::size_t i = 0; i < event.arguments.size(); ++i) {
    const ValueSet &set = event.arguments[i];
    if (!callee.signature.parameters[i].type.isPointer())
      continue;
    if (set.size() > 1) {
      complete_ = false; // of several pointers we do not follow each
      return false;
    }
    if (set.front().hasPoison() || set.front().block == 0)
      continue;
    const corpus::Attributes &declared =
        callee.signature.parameters[i].attributes;
    static const corpus::Attributes nothing;
    const corpus::Attributes &here =
        site.parameters.empty() ? nothing : site.parameters[i];
    passings.push_back(
        {i, set.front(), allowedThrough(declared) & allowedThrough(here),
         capturesOfCall(program_, instruction, i),
         ((declared.bits | here.bits) & attribute::nofree) == 0});
  }

  auto memory = std::make_shared<CallMemory>();
  memory->forbidden.resize(event.arguments.size());
  for (const Passing &passing : passings)
    memory->forbidden[passing.argument] =
        ~passing.allowed & (effect::read | effect::write);
  memory->before = after.memory;
  memory->unwound = unwound(after.memory);
  const bool isSure = (bits & attribute::willreturn) != 0 &&
                      (bits & attribute::nounwind) != 0 &&
                      instruction.type.isVoid();
  const bool mayFree = (bits & attribute::nofree) == 0 &&
                       !program_.signature.function.has(attribute::nofree);

  // First who sees what: whether it is an event depends on it.
  struct Seen {
    CallMemory::Shown shown;
    std::uint64_t other = 0; ///< what it may do without an argument
    std::uint64_t through = 0;
    std::uint16_t basedOn = 0;
    bool isRestricted = false; ///< behind a noalias parameter of ours
    bool mayFree = false;
  };
  std::vector<Seen> seen;
  bool reachesOthers =
      effect::at(effects, effect::inaccessible) != 0 ||
      effect::at(effects, effect::errnoVariable) != 0 ||
      (effect::at(effects, effect::other) & effect::write) != 0;
  std::uint32_t lastMatch = 0;
  for (const MemoryBlock &block : after.memory.blocks)
    lastMatch = std::max(lastMatch, block.match);
  for (std::size_t b = 0; b < after.memory.blocks.size(); ++b) {
    MemoryBlock &block = after.memory.blocks[b];
    Seen each;
    each.shown.block = b;
    const Passing *first = nullptr;
    std::uint64_t captured = 0;
    for (const Passing &passing : passings) {
      if (passing.pointer.block != b + 1)
        continue;
      if (first == nullptr)
        first = &passing;
      each.through |= passing.allowed & effect::at(effects, effect::argument);
      each.basedOn |= passing.pointer.basedOn;
      captured |= passing.captures;
      each.mayFree |= passing.mayFree && mayFree;
    }
    if (!block.isLocal())
      each.other = effect::at(effects, effect::other);
    else if (block.isEscaped)
      each.other = effect::at(effects, effect::other) &
                   (block.isEscapedForWrites ? effect::read | effect::write
                                             : effect::read);
    each.shown.permitted = each.other | each.through;
    for (std::size_t i = 0; i < own.size(); ++i)
      each.isRestricted |= own[i].attributes.has(attribute::noalias) &&
                           arguments_[i].front().block == b + 1;
    if (each.isRestricted && each.other != 0 && block.isAlive) {
      const CallSlot slot{CallSlot::Kind::touch, tracedCalls(after.position),
                          static_cast<std::uint16_t>(b + 1), 0};
      const std::uint8_t touch = valueOf(slot).bits;
      each.other &= touch == 0   ? 0
                    : touch == 1 ? effect::read
                                 : effect::read | effect::write;
    }
    each.mayFree |= mayFree && (each.other & effect::write) != 0;
    // By which name both sides know it.
    if (block.isLocal() && captured != 0 && block.match == 0)
      block.match = ++lastMatch;
    const bool mayWrite =
        block.isWritable && ((each.other | each.through) & effect::write) != 0;
    const bool isKnownByArgument =
        first != nullptr && captured == 0 &&
        (each.other == 0 || (block.match == 0 && !mayWrite));
    if (isKnownByArgument) {
      each.shown.key =
          static_cast<std::uint16_t>(CallSlot::byArgument | first->argument);
      each.shown.origin = first->pointer.bits;
    } else if (block.isLocal()) {
      each.shown.key =
          static_cast<std::uint16_t>(CallSlot::local | block.match);
    } else {
      each.shown.key = static_cast<std::uint16_t>(b + 1);
    }
    for (const Passing &passing : passings)
      if (passing.pointer.block == b + 1) {
        Element shown = passing.pointer;
        shown.bits -= each.shown.origin;
        shown.block = each.shown.key;
        shown.basedOn = 0;
        event.arguments[passing.argument] = {shown};
      }
    if (block.isLocal()) {
      block.isEscaped |= (captured & corpus::captures::readProvenance) != 0;
      block.isEscapedForWrites |= (captured & corpus::captures::provenance) ==
                                  corpus::captures::provenance;
    }
    const std::uint64_t access = each.other | each.through;
    each.shown.isRead = (access & effect::read) != 0;
    each.shown.isWritten = (access & effect::write) != 0 && block.isWritable;
    if (!block.isAlive || block.bytes.empty() || each.shown.permitted == 0)
      continue;
    if (block.isLocal() && (bits & attribute::tail) != 0) {
      // For the callee to touch it would be UB.
      memory->isTailWithLocal = true;
      each.shown.isRead = false;
      each.shown.isWritten = false;
    }
    reachesOthers |=
        each.shown.isWritten && (each.shown.key & CallSlot::byArgument) == 0;
    if (isKnownByArgument && each.other != 0) {
      // What is only read is the same by whichever way, so that a copy could
      // stand for it by one of them.
      Seen around = each;
      around.through = 0;
      around.shown.key = static_cast<std::uint16_t>(b + 1);
      around.shown.origin = 0;
      around.shown.permitted = around.other;
      around.shown.isRead = (around.other & effect::read) != 0;
      seen.push_back(around);
      each.other = 0;
      each.shown.permitted = each.through;
      each.shown.isRead = (each.through & effect::read) != 0;
    }
    seen.push_back(each);
  }
  event.isOptional = isSure && !reachesOthers;
  constexpr unsigned optionalPosition = 1U << 31;
  const unsigned position =
      event.isOptional ? optionalPosition | after.position / optionalCall
                       : tracedCalls(after.position);
  event.position = position;

  // Then what it does.
  for (const Seen &each : seen) {
    MemoryBlock &block = after.memory.blocks[each.shown.block];
    memory->shown.push_back(each.shown);
    Element whole = Element::number(0);
    whole.block = static_cast<std::uint16_t>(each.shown.block + 1);
    const std::uint64_t size = block.bytes.size();
    if (each.isRestricted) {
      if (each.other != 0 &&
          !noteAccess(block, whole, size, (each.other & effect::write) != 0))
        return false;
      whole.basedOn = each.basedOn;
      if (each.through != 0 &&
          !noteAccess(block, whole, size, (each.through & effect::write) != 0))
        return false;
    }
    if (each.shown.isWritten)
      for (std::uint64_t i = 0; i < size; ++i) {
        Byte &byte = block.bytes[i];
        CallSlot slot{CallSlot::Kind::byte, position, each.shown.key,
                      static_cast<std::int64_t>(i - each.shown.origin)};
        const bool isPlain = byte.uninit == 0 && byte.ofSet == 0 &&
                             (byte.poison == 0 || byte.poison == 0xff);
        const bool mayBeKept =
            block.isLocal() || event.isOptional || !each.shown.isRead ||
            !isPlain ||
            (byte.poison != 0 && semantics_.inputs == Inputs::defined);
        CallSlot kept = slot;
        kept.kind = CallSlot::Kind::kept;
        // The other side may have asked.
        const auto known = memory_->slots->find(kept);
        const bool isKept = mayBeKept ? valueOf(kept).bits != 0
                                      : known != memory_->slots->end() &&
                                            known->second.bits != 0;
        if (isKept)
          continue;
        byte = valueOf(slot);
      }
    if (each.shown.isWritten && each.mayFree) {
      const CallSlot slot{CallSlot::Kind::freed, position, each.shown.key, 0};
      // To free a variable or a local is UB, so nobody has to try it; but by
      // the same argument the other side may pass a block that can be freed.
      const bool canBeFreed = block.kind == MemoryBlock::Kind::argument;
      const auto known = memory_->slots->find(slot);
      block.isAlive = canBeFreed ? valueOf(slot).bits == 0
                                 : known == memory_->slots->end() ||
                                       known->second.bits == 0;
      if (!block.isAlive && !canBeFreed)
        return false;
      for (std::size_t i = 0; i < own.size() && !block.isAlive; ++i)
        if (semantics_.deref == DerefRule::scope &&
            own[i].attributes.has(attribute::dereferenceable) &&
            arguments_[i].front().block == each.shown.block + 1)
          return false;
    }
  }
  event.memory = std::move(memory);
  return true;
}

} // namespace checker
