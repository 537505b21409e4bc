// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Library functions that look at bytes or copy them: as many steps as there are
// bytes in what they are given, or, where nobody knows, as a loop has rounds.
#include "checker/symbolic/memory_run.h"

#include "checker/memory/memory.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace checker::smt {

namespace attribute = corpus::attribute;
using corpus::Instruction;
using corpus::LibraryAction;
using corpus::LibraryFunction;
using z3::expr;

namespace {

constexpr std::uint64_t mostBytes = 64;

} // namespace

/// At most so many follow there; nothing if that is not known.
std::optional<std::uint64_t>
MemoryRun::bytesBehind(const SymbolicPointer &pointer) const {
  std::uint64_t most = 0;
  for (const unsigned id : pointer.candidates) {
    if (id == 0)
      continue;
    const expr size = id >= MemoryInputs::firstLocal
                          ? locals_.at(id).size
                          : inputs_.blocks().at(id).size;
    if (!size.is_numeral())
      return std::nullopt;
    most = std::max(most, size.get_numeral_uint64());
  }
  return most;
}

MemoryRun::LibraryOperands
MemoryRun::libraryOperands(std::size_t index, const LibraryFunction &function) {
  const Instruction &instruction = program_.instructions[index];
  const corpus::Callee &callee = program_.callees[instruction.callee];
  const auto operands = program_.operandsOf(instruction);
  const corpus::CallAttributes *site = attributesOf(instruction);
  LibraryOperands result;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (i == function.size)
      continue;
    Value value = valueOf(operands[i]);
    restrict(callee.signature.parameters[i].attributes, operands[i].type,
             value);
    if (site != nullptr && !site->parameters.empty())
      restrict(site->parameters[i], operands[i].type, value);
    if (!value.choices.empty())
      fail("a library function on one of several values");
    if (value.pointer) {
      refuseInTailCall(instruction, value);
      result.places.push_back(std::move(value));
    } else {
      restrict(attribute::noundef, operands[i].type, value);
      result.numbers.push_back(std::move(value));
    }
  }
  return result;
}

/// Of so many bytes at most, or of nobody knows how many: then as of the rounds
/// of a loop.
std::uint64_t MemoryRun::followedOf(std::optional<std::uint64_t> most) const {
  return most && *most <= mostBytes ? *most : unroll_;
}

/// Runs in which there are more bytes end here.
void MemoryRun::goNoFurther(const expr &isFollowed) {
  if (isFollowed.is_true())
    return;
  if (isFollowed.is_false())
    return fail("a library function on many bytes");
  beyond_ = either(beyond_, both(guard_, negate(isFollowed))).simplify();
  guard_ = both(guard_, isFollowed).simplify();
}

/// One that is read; where that is poison.
expr MemoryRun::accessByte(Value from, std::uint64_t offset) {
  from.pointer = moved(*from.pointer, offset);
  return access(from, number(1, addressWidth), 1, false);
}

/// A byte that is looked at as a number, where `isRead`.
SymbolicByte MemoryRun::plainByte(const SymbolicPointer &at,
                                  const expr &isRead) {
  const expr zero = number(0, byteBits);
  if (inputs_.holdsPointers())
    noteRead(at, 1, false);
  Loaded loaded = byteAt(at);
  const bool isInitialized = (loaded.byte.uninit == zero).simplify().is_true();
  if (!loaded.choices.empty() ||
      (!isInitialized && !uninitIsPoison(semantics_) &&
       semantics_.uninitializedLoad != LoadRule::poison))
    fail("a library function that reads undef bytes");
  if (loaded.byte.part)
    puns_ = either(puns_, both(both(guard_, isRead),
                               (loaded.byte.part->place != zero).simplify()));
  return std::move(loaded.byte);
}

/// Whether it is poison to a load.
expr MemoryRun::isPoisonByte(const SymbolicByte &byte) const {
  return ((byte.poison | byte.uninit) != number(0, byteBits)).simplify();
}

void MemoryRun::returnFromLibrary(std::size_t index, Value result) {
  const Instruction &instruction = program_.instructions[index];
  restrict(program_.callees[instruction.callee].signature.result,
           instruction.type, result);
  if (const corpus::CallAttributes *site = attributesOf(instruction))
    restrict(site->result, instruction.type, result);
  values_[index] = std::move(result);
}

/// So far in `text`, or null.
MemoryRun::Value MemoryRun::foundAt(const Value &text, const expr &at,
                                    const expr &isFound) const {
  Value result = text;
  result.pointer->block =
      choose(isFound, text.pointer->block, number(0, blockWidth));
  result.pointer->offset = choose(
      isFound, (text.pointer->offset + at).simplify(), number(0, addressWidth));
  result.pointer->candidates.insert(0);
  result.term = {result.pointer->offset, no_};
  return result;
}

/// A poison byte among those that are read makes the result poison; it is UB
/// where it decides what is read next, and a poison number is. Of differing
/// bytes only the sign of the result is told, so that it is a choice.
void MemoryRun::readingCall(std::size_t index,
                            const LibraryFunction &function) {
  const Instruction &instruction = program_.instructions[index];
  const auto operands = program_.operandsOf(instruction);
  if (function.action >= LibraryAction::span)
    return searchingCall(index, function);
  const auto [given, numbers] = libraryOperands(index, function);
  if (!lack_.empty())
    return;
  std::vector<SymbolicPointer> places;
  places.reserve(given.size());
  for (const Value &each : given)
    places.push_back(*each.pointer);
  expr length = number(0, addressWidth);
  std::optional<std::uint64_t> most;
  const auto atMost = [&](std::optional<std::uint64_t> bytes) {
    if (bytes)
      most = most ? std::min(*most, *bytes) : bytes;
  };
  for (const SymbolicPointer &place : places)
    atMost(bytesBehind(place));
  const bool hasLength = function.size != LibraryFunction::noOperand;
  if (hasLength) {
    length = definedNumber(operands[function.size]);
    if (length.is_numeral())
      atMost(length.get_numeral_uint64());
  }
  const std::uint64_t followed = followedOf(most);
  const expr zero = number(0, byteBits);
  expr isPoison = no_;
  struct Look {
    expr bits;
    expr isPoison;
  };
  const auto look = [&](std::size_t which, std::uint64_t i,
                        const expr &isRead) {
    const SymbolicByte byte = plainByte(moved(places[which], i), isRead);
    Look result{byte.bits, isPoisonByte(byte)};
    isPoison = either(isPoison, both(isRead, result.isPoison));
    return result;
  };
  const expr before = guard_;
  if (!function.isSequential) {
    guard_ =
        both(before, (length != number(0, addressWidth)).simplify()).simplify();
    for (const Value &each : given)
      isPoison = either(isPoison, access(each, length, 1, false));
  }
  // Reading backward: a byte that is poison is read unless what decides comes
  // behind it.
  expr isPoisonRead = no_;
  expr goesOn = yes_;
  expr isFound = no_; ///< what decides
  expr isLess = no_;
  expr at = hasLength ? length : number(0, addressWidth);
  expr isFollowed = yes_;
  for (std::uint64_t i = 0; i <= followed; ++i) {
    const expr isRead =
        hasLength
            ? both(goesOn, z3::ugt(length, number(i, addressWidth))).simplify()
            : goesOn;
    if (isRead.is_false())
      break;
    if (i == followed && most != followed) {
      isFollowed = negate(isRead);
      break;
    }
    if (function.isSequential) {
      guard_ = both(before, isRead).simplify();
      for (const Value &each : given)
        isPoison = either(isPoison, both(isRead, accessByte(each, i)));
    }
    if (i == followed) // beyond the last byte: that was UB
      break;
    const expr isPoisonSoFar = isPoison;
    const Look first = look(0, i, isRead);
    const expr &byte = first.bits;
    const expr isEnd = function.endsAtZero ? (byte == zero).simplify() : no_;
    expr decides = isEnd;
    if (places.size() == 2) {
      const Look second = look(1, i, isRead);
      if (!function.isSequential)
        readsPoisonBehind_ =
            either(readsPoisonBehind_,
                   both(both(guard_, both(isRead, isFound)),
                        either(first.isPoison, second.isPoison)))
                .simplify();
      decides =
          both(both(isRead, negate(isFound)), (byte != second.bits).simplify())
              .simplify();
      isLess = choose(decides, z3::ult(byte, second.bits), isLess);
    } else if (!numbers.empty()) {
      decides =
          both(isRead, (byte == numbers[0].term.bits.extract(byteBits - 1, 0))
                           .simplify())
              .simplify();
    } else {
      decides = both(isRead, isEnd).simplify();
    }
    if (function.isBackward()) {
      isPoison = isPoisonSoFar;
      isPoisonRead = either(both(isPoisonRead, negate(decides)),
                            both(isRead, first.isPoison))
                         .simplify();
    }
    at = choose(decides, number(i, addressWidth), at);
    isFound = either(isFound, decides).simplify();
    if (function.isSequential)
      goesOn = both(both(goesOn, negate(isEnd)),
                    function.isLast ? yes_ : negate(decides))
                   .simplify();
  }
  guard_ = before;
  goNoFurther(isFollowed);
  // Whether it reads on depends on them, as a branch does.
  if (function.isSequential)
    addUb(std::exchange(isPoison, no_).simplify(), {});
  if (function.isBackward())
    addUb(isPoisonRead, {});
  Value result = integer({at, no_});
  if (function.action == LibraryAction::find) {
    result = foundAt(given[0], at, isFound);
  } else if (function.action != LibraryAction::length) {
    const unsigned width = instruction.type.width();
    const expr pick = fresh_.bits(width);
    const expr none = number(0, width);
    const expr isRight =
        function.action == LibraryAction::differ
            ? pick != none
            : z3::ite(isLess, z3::slt(pick, none), z3::sgt(pick, none));
    const expr usual =
        choose(isLess, number(~std::uint64_t(0), width), number(1, width));
    result.term.bits = none;
    if (!isFound.is_false()) {
      forks_.push_back(pick);
      result.term.bits = choose(isFound, choose(isRight, pick, usual), none);
    }
  }
  result.term.poison = isPoison.simplify();
  returnFromLibrary(index, std::move(result));
}

/// All that is read has to be there. A poison byte decides whether the next one
/// is read, so that it is UB.
MemoryRun::String MemoryRun::readUntil(const Value &from, const expr &stop,
                                       const std::optional<expr> &most) {
  std::optional<std::uint64_t> known = bytesBehind(*from.pointer);
  if (most && most->is_numeral())
    known =
        std::min(known.value_or(~std::uint64_t(0)), most->get_numeral_uint64());
  const std::uint64_t followed = followedOf(known);
  const expr before = guard_;
  expr isPoison = no_;
  expr goesOn = yes_;
  expr isFollowed = yes_;
  String result{{}, {}, {}, number(0, addressWidth), no_};
  for (std::uint64_t i = 0; i <= followed; ++i) {
    const expr isRead =
        most ? both(goesOn, z3::ugt(*most, number(i, addressWidth))).simplify()
             : goesOn;
    if (isRead.is_false())
      break;
    if (i == followed && known != followed) {
      isFollowed = negate(isRead);
      break;
    }
    guard_ = both(before, isRead).simplify();
    isPoison = either(isPoison, both(isRead, accessByte(from, i)));
    if (i == followed) // beyond the last byte: that was UB
      break;
    const SymbolicByte byte = plainByte(moved(*from.pointer, i), isRead);
    isPoison = either(isPoison, both(isRead, isPoisonByte(byte)));
    const expr decides =
        both(isRead, (byte.bits == stop).simplify()).simplify();
    result.length = choose(decides, number(i, addressWidth), result.length);
    result.isFound = either(result.isFound, decides).simplify();
    goesOn = both(goesOn, negate(decides)).simplify();
    result.bytes.push_back(byte);
    result.isRead.push_back(isRead);
    result.isInside.push_back(goesOn);
  }
  guard_ = before;
  goNoFurther(isFollowed);
  addUb(isPoison.simplify(), {});
  return result;
}

/// To copy between objects that overlap is UB (C17 7.24.2).
MemoryRun::Value MemoryRun::copyUntil(std::size_t index,
                                      const LibraryFunction &function,
                                      const Value &to, const Value &from,
                                      const expr &stop) {
  const auto operands = program_.operandsOf(program_.instructions[index]);
  const expr zero = number(0, byteBits);
  const expr nothing = number(0, addressWidth);
  const bool hasLength = function.size != LibraryFunction::noOperand;
  const expr length =
      hasLength ? definedNumber(operands[function.size]) : nothing;
  std::uint64_t padded = 0;
  if (function.isPadded) {
    padded = followedOf(length.is_numeral()
                            ? std::optional(length.get_numeral_uint64())
                            : std::nullopt);
    goNoFurther(z3::ule(length, number(padded, addressWidth)).simplify());
  }
  const String text =
      readUntil(from, stop, hasLength ? std::optional(length) : std::nullopt);
  if (!lack_.empty())
    return to;
  const expr one = number(1, addressWidth);
  const expr read =
      choose(text.isFound, (text.length + one).simplify(), length);
  const expr written = function.isPadded ? length : read;
  const expr followedRun = guard_;
  guard_ = both(followedRun, (written != nothing).simplify()).simplify();
  access(to, written, 1, true);
  refuseOverlap(to, from, written, read, yes_);
  for (std::uint64_t i = 0;
       i < std::max<std::uint64_t>(text.bytes.size(), padded); ++i) {
    const expr isGiven = i < text.bytes.size() ? text.isRead[i] : no_;
    const SymbolicPointer place = moved(*to.pointer, i);
    guard_ = both(followedRun, isGiven).simplify();
    if (!guard_.is_false())
      write(place, text.bytes[i], {}, to.basedOn);
    const expr isInside =
        hasLength ? z3::ugt(length, number(i, addressWidth)) : yes_;
    guard_ = both(followedRun, both(isInside, negate(isGiven))).simplify();
    if (i < padded && !guard_.is_false())
      write(place, {zero, zero, zero, number(0, tagWidth)}, {}, to.basedOn);
  }
  guard_ = followedRun;
  Value result = to;
  if (function.returnsEnd) {
    const bool orNull = !function.endsAtZero;
    const expr end =
        choose(text.isFound,
               (orNull ? text.length + one : text.length).simplify(), length);
    result.pointer->offset = (to.pointer->offset + end).simplify();
    if (orNull) {
      result.pointer->block =
          choose(text.isFound, to.pointer->block, number(0, blockWidth));
      result.pointer->offset =
          choose(text.isFound, result.pointer->offset, nothing);
      result.pointer->candidates.insert(0);
      result.term.poison = both(text.isFound, to.term.poison);
    }
    result.term.bits = result.pointer->offset;
  }
  return result;
}

void MemoryRun::writingCall(std::size_t index,
                            const LibraryFunction &function) {
  const Instruction &instruction = program_.instructions[index];
  const corpus::Callee &callee = program_.callees[instruction.callee];
  const auto operands = program_.operandsOf(instruction);
  const LibraryOperands given = libraryOperands(index, function);
  const auto &[places, numbers] = given;
  if (!lack_.empty())
    return;
  const Value &to = places[0];
  Value result = to;
  const bool isOfLength = function.action == LibraryAction::copyAll ||
                          function.action == LibraryAction::fill;
  if (function.limit != LibraryFunction::noOperand) {
    // Without a limit it is as large as can be.
    const expr needed = isOfLength ? definedNumber(operands[function.size])
                                   : number(~std::uint64_t(0), addressWidth);
    const expr limit = definedNumber(operands[function.limit]);
    if (!z3::ule(needed, limit).simplify().is_true())
      return fail(
          fmt::format("a call of @{} that may end the program", callee.name));
  }
  const auto lowByte = [](const Value &value) {
    return value.term.bits.extract(byteBits - 1, 0);
  };
  if (function.action == LibraryAction::copy) {
    result =
        copyUntil(index, function, to, places[1],
                  numbers.empty() ? number(0, byteBits) : lowByte(numbers[0]));
  } else if (function.action == LibraryAction::append) {
    result = append(index, function, given);
  } else if (function.action == LibraryAction::copyFitting) {
    result = copyFitting(index, function, given);
  } else if (function.action == LibraryAction::parse) {
    result = numberIn(index, function, given);
  } else {
    const expr length = definedNumber(operands[function.size]);
    const expr before = guard_;
    guard_ =
        both(before, (length != number(0, addressWidth)).simplify()).simplify();
    if (!guard_.is_false() && function.action == LibraryAction::fill)
      fillBytes(to, integer({lowByte(numbers[0]), no_}), length);
    else if (!guard_.is_false())
      copyBytes(to, places[1], length, function.mayOverlap);
    guard_ = before;
    if (function.returnsEnd) {
      result.pointer->offset = (to.pointer->offset + length).simplify();
      result.term.bits = result.pointer->offset;
    }
  }
  returnFromLibrary(index, std::move(result));
}

} // namespace checker::smt
