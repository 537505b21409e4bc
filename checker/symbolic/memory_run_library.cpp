// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Library functions that look at bytes: as many steps as there are bytes in
// what they are given, which has to be known.
#include "checker/symbolic/memory_run.h"

#include "checker/memory/memory.h"

#include <algorithm>

namespace checker::smt {

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

/// A poison byte among those that are read makes the result poison. Of
/// differing bytes only the sign of the result is told, so that it is a choice.
void MemoryRun::readingCall(std::size_t index,
                            const LibraryFunction &function) {
  const Instruction &instruction = program_.instructions[index];
  const corpus::Callee &callee = program_.callees[instruction.callee];
  const auto operands = program_.operandsOf(instruction);
  const corpus::CallAttributes *site = attributesOf(instruction);
  const bool isLength = function.action == LibraryAction::length;
  std::vector<SymbolicPointer> places;
  std::vector<Value> given;
  for (std::size_t i = 0; i < (isLength ? 1U : 2U); ++i) {
    Value value = valueOf(operands[i]);
    restrict(callee.signature.parameters[i].attributes, operands[i].type,
             value);
    if (site != nullptr && !site->parameters.empty())
      restrict(site->parameters[i], operands[i].type, value);
    if (!value.choices.empty())
      return fail("a library function on one of several pointers");
    refuseInTailCall(instruction, value);
    places.push_back(*value.pointer);
    given.push_back(std::move(value));
  }
  std::optional<std::uint64_t> most = bytesBehind(places[0]);
  expr length = number(0, addressWidth);
  if (!isLength) {
    length = definedNumber(operands[2]);
    if (length.is_numeral())
      most = length.get_numeral_uint64();
    else if (const auto other = bytesBehind(places[1]))
      most = most ? std::min(*most, *other) : other;
  }
  if (!most || *most > mostBytes)
    return fail("a library function that reads many bytes, or nobody knows "
                "how many");
  const expr zero = number(0, byteBits);
  expr isPoison = no_;
  const auto byteOf = [&](std::size_t which, std::uint64_t i,
                          const expr &isRead) {
    const SymbolicPointer at = moved(places[which], i);
    if (inputs_.holdsPointers())
      noteRead(at, 1, false);
    const Loaded loaded = byteAt(at);
    const bool isInitialized =
        (loaded.byte.uninit == zero).simplify().is_true();
    if (!loaded.choices.empty() ||
        (!isInitialized && !uninitIsPoison(semantics_) &&
         semantics_.uninitializedLoad != LoadRule::poison))
      fail("a library function that reads undef bytes");
    if (loaded.byte.part)
      puns_ = either(puns_, both(both(guard_, isRead),
                                 (loaded.byte.part->place != zero).simplify()));
    isPoison = either(
        isPoison,
        both(isRead,
             ((loaded.byte.poison | loaded.byte.uninit) != zero).simplify()));
    return loaded.byte.bits;
  };
  const expr before = guard_;
  const unsigned width = instruction.type.width();
  Value result = integer({number(0, width), no_});
  if (isLength) {
    expr goesOn = yes_;
    for (std::uint64_t i = 0; i <= *most; ++i) {
      guard_ = both(before, goesOn).simplify();
      if (guard_.is_false())
        break;
      Value at = given[0];
      at.pointer = moved(places[0], i);
      isPoison = either(isPoison, both(goesOn, access(at, 1, 1, false)));
      if (i == *most) // beyond the last byte: that was UB
        break;
      const expr isEnd = (byteOf(0, i, goesOn) == zero).simplify();
      result.term.bits = choose(both(goesOn, isEnd).simplify(),
                                number(i, width), result.term.bits);
      goesOn = both(goesOn, negate(isEnd)).simplify();
    }
  } else {
    guard_ =
        both(before, (length != number(0, addressWidth)).simplify()).simplify();
    for (const Value &each : given)
      isPoison = either(isPoison, access(each, length, 1, false));
    expr differs = no_;
    expr isLess = no_;
    for (std::uint64_t i = 0; i < *most; ++i) {
      const expr isRead = z3::ugt(length, number(i, addressWidth)).simplify();
      const expr a = byteOf(0, i, isRead);
      const expr b = byteOf(1, i, isRead);
      const expr isFirst =
          both(both(isRead, negate(differs)), (a != b).simplify()).simplify();
      isLess = choose(isFirst, z3::ult(a, b), isLess);
      differs = either(differs, isFirst).simplify();
    }
    const expr pick = fresh_.bits(width);
    const expr none = number(0, width);
    const expr isRight =
        function.action == LibraryAction::differ
            ? pick != none
            : z3::ite(isLess, z3::slt(pick, none), z3::sgt(pick, none));
    const expr usual =
        choose(isLess, number(~std::uint64_t(0), width), number(1, width));
    if (!differs.is_false()) {
      forks_.push_back(pick);
      result.term.bits = choose(differs, choose(isRight, pick, usual), none);
    }
  }
  guard_ = before;
  result.term.poison = isPoison.simplify();
  restrict(callee.signature.result, instruction.type, result);
  if (site != nullptr)
    restrict(site->result, instruction.type, result);
  values_[index] = std::move(result);
}

} // namespace checker::smt
