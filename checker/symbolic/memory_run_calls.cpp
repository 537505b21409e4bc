// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls with memory: what they may reach, what the trace shows of it, and what
// they leave behind.
#include "checker/symbolic/memory_run.h"

#include "checker/core/elaborate.h"
#include "checker/memory/memory.h"

#include <fmt/format.h>

#include <algorithm>

namespace checker::smt {

using corpus::Instruction;
using corpus::Type;
using z3::expr;
namespace attribute = corpus::attribute;
namespace effect = corpus::memory;

std::optional<std::vector<MemoryRun::KnownArgument>>
MemoryRun::argumentsAt(const z3::model &model, std::size_t position) const {
  for (const Reach &reach : reaches_) {
    if (position >= reach.at.size() ||
        !model.eval(reach.at[position], true).is_true())
      continue;
    std::vector<KnownArgument> arguments;
    for (const SymbolicPointer &pointer : reach.shown) {
      const std::uint64_t block =
          model.eval(pointer.block, true).get_numeral_uint64();
      const std::uint64_t name =
          model.eval(shared(pointer, reach).block, true).get_numeral_uint64();
      const auto local = locals_.find(static_cast<unsigned>(block));
      arguments.push_back(
          {name >= MemoryInputs::firstGiven && name < MemoryInputs::firstPassed,
           local != locals_.end() && local->second.hasLifetime, name});
    }
    return arguments;
  }
  return std::nullopt;
}

expr MemoryRun::reaches(const Reach &reach, const SymbolicPointer &pointer,
                        std::uint64_t access) const {
  expr result = no_;
  const bool mayBeOurs =
      std::any_of(pointer.candidates.begin(), pointer.candidates.end(),
                  [](unsigned id) { return id < MemoryInputs::firstLocal; });
  if ((reach.other & access) != 0 && mayBeOurs) {
    expr untouched = no_;
    const auto &parameters = program_.signature.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i].attributes.has(attribute::noalias) &&
          intersect(arguments_[i].pointer->candidates, pointer.candidates))
        untouched = either(
            untouched,
            both((arguments_[i].pointer->block == pointer.block).simplify(),
                 negate(reach.touched[i])));
    result = both(
        z3::ult(pointer.block, number(MemoryInputs::firstLocal, blockWidth))
            .simplify(),
        negate(untouched));
  }
  if ((reach.other & access) != 0)
    for (const auto &[id, escaped] : reach.escaped)
      if (pointer.candidates.contains(id))
        result = either(
            result,
            both(access == effect::write ? escaped.second : escaped.first,
                 (pointer.block == number(id, blockWidth)).simplify()));
  for (const Reach::Passed &passed : reach.passed)
    if ((passed.allowed & access) != 0 &&
        intersect(passed.pointer.candidates, pointer.candidates))
      result =
          either(result, (passed.pointer.block == pointer.block).simplify());
  if (access == effect::write && mayBeOurs)
    result = both(result, lookUp(pointer, [&](unsigned id) {
                    return id == 0 || id >= MemoryInputs::firstLocal
                               ? yes_
                               : inputs_.blocks().at(id).writable;
                  }));
  return result.simplify();
}

/// What stands there after a call, if it reaches the place.
MemoryRun::Loaded MemoryRun::leftBy(const Write &write,
                                    const SymbolicPointer &pointer,
                                    const Loaded &before) {
  const Reach &reach = reaches_[write.call];
  const SymbolicPointer name = shared(pointer, reach);
  Loaded result = before;
  const expr isLocal =
      z3::uge(pointer.block, number(MemoryInputs::firstLocal, blockWidth))
          .simplify();
  const bool readsAll =
      (reach.other & effect::read) != 0 &&
      std::all_of(reach.passed.begin(), reach.passed.end(),
                  [](const Reach::Passed &passed) {
                    return (passed.allowed & effect::read) != 0;
                  });
  for (std::size_t p = 0; p < reach.at.size(); ++p) {
    if (reach.at[p].is_false())
      continue;
    const SymbolicByte fresh = inputs_.initial(name, side_, p + 1);
    // Elsewhere a byte that is kept is one of those that may be written.
    const expr kept = readsAll && isLocal.is_false()
                          ? no_
                          : inputs_.isKept(name, side_, p + 1);
    const expr takes = both(reach.at[p], negate(kept)).simplify();
    result.byte = pickByte(takes, fresh, result.byte);
  }
  return result;
}

/// Of a local that is passed: its size and what frees it, where others know it
/// too, and how far the address is aligned: for each power of two the bits
/// below it. More is right as well.
void MemoryRun::appendTraits(SymbolicRow &row, const Reach &reach,
                             const Value &value) {
  const SymbolicPointer &pointer = *value.pointer;
  const auto last = pointer.candidates.rbegin();
  const bool isOurs =
      last != pointer.candidates.rend() && *last >= MemoryInputs::firstLocal;
  const Local *local = isOurs ? &locals_.at(*last) : nullptr;
  const expr isHidden =
      local == nullptr
          ? yes_
          : either(value.term.poison,
                   (pointer.block != number(*last, blockWidth)).simplify());
  const expr isUnknown =
      local == nullptr ? yes_ : either(isHidden, reach.names.at(*last).isGiven);
  row.lanes.push_back(
      {local == nullptr ? number(0, addressWidth) : local->size, isUnknown});
  row.lanes.push_back(
      {number(local == nullptr ? 0 : static_cast<std::uint64_t>(local->family),
              byteBits),
       isUnknown});
  for (unsigned bits = 1; std::uint32_t(1) << bits <= mostAlignment; ++bits) {
    const bool isKnown =
        local != nullptr && local->alignment >= std::uint32_t(1) << bits;
    row.lanes.push_back({isKnown
                             ? pointer.offset.extract(bits - 1, 0).simplify()
                             : number(0, bits),
                         isKnown ? isHidden : yes_});
  }
}

SymbolicRow MemoryRun::rowOf(const Value &value, const Reach &reach) {
  if (!value.pointer) {
    SymbolicRow row{{value.term}, value.choices};
    row.lanes.insert(row.lanes.end(), value.rest.begin(), value.rest.end());
    return row;
  }
  const SymbolicPointer name = shared(*value.pointer, reach);
  return {{{name.block, value.term.poison}, {name.offset, value.term.poison}},
          value.choices};
}

SymbolicRow MemoryRun::shownBy(const Reach &reach, bool mayUnwind) {
  const SymbolicPointer pointer = ours(inputs_.location(), reach);
  expr isOurs = no_;
  expr isInside = yes_;
  for (const auto &[id, naming] : reach.names) {
    const expr isIt = (pointer.block == number(id, blockWidth)).simplify();
    isOurs = either(isOurs, isIt);
    isInside =
        both(isInside,
             either(negate(isIt),
                    z3::ult(pointer.offset, locals_.at(id).size).simplify()));
  }
  expr isShown = reaches(reach, pointer, effect::read);
  if (mayUnwind)
    isShown =
        either(isShown, z3::ult(pointer.block,
                                number(MemoryInputs::firstLocal, blockWidth)));
  const expr isThere = both(isAlive(pointer), isInside);
  isShown = both(isShown, isThere).simplify();
  SymbolicRow row;
  // To access what the source lets the callee access is not UB in the target.
  const expr mayWrite =
      both(reaches(reach, pointer, effect::write), isThere).simplify();
  row.lanes.push_back({number(1, 1), negate(mayWrite)});
  row.lanes.push_back({number(1, 1), negate(both(isOurs, isShown))});
  Loaded loaded = seenAt(pointer);
  SymbolicByte &byte = loaded.byte;
  const expr zero = number(0, byteBits);
  row.choices = loaded.choices;
  if (uninitIsPoison(semantics_)) {
    byte.poisonUninit();
  } else if (side_ == Side::target && !isShown.is_false() &&
             !(byte.uninit == zero).simplify().is_true()) {
    row.choices.push_back(fresh_.bits(byteBits));
    byte.fillUninit(row.choices.back());
  }
  if (inputs_.holdsPointers()) {
    const PointerPart part = partOf(byte);
    const expr isCovered =
        either(negate(isShown),
               (byte.poison != zero || byte.uninit == number(0xff, byteBits))
                   .simplify());
    const expr isNone = (part.place == zero).simplify();
    row.lanes.push_back({part.place, isCovered});
    row.lanes.push_back({part.pointer.block, either(isCovered, isNone)});
    row.lanes.push_back({part.pointer.offset, either(isCovered, isNone)});
  }
  // A bit that the source has not initialized is any number, in each place
  // another one, but not poison.
  const expr isOpen = byte.poison | byte.uninit;
  for (unsigned i = 0; i < byteBits; ++i) {
    const auto isHidden = [&](const expr &bits) {
      return either(negate(isShown),
                    (bits.extract(i, i) == number(1, 1)).simplify());
    };
    row.lanes.push_back({byte.bits.extract(i, i).simplify(), isHidden(isOpen)});
    row.lanes.push_back({number(0, 1), isHidden(byte.poison)});
  }
  return row;
}

/// Whether there is something in a block that is no local.
expr MemoryRun::isWritableByOthers(unsigned id) const {
  if (id >= MemoryInputs::firstLocal)
    return no_;
  const auto &block = inputs_.blocks().at(id);
  const SymbolicPointer pointer{
      number(id, blockWidth), number(0, addressWidth), {id}};
  return both(both(block.writable, (block.size != 0).simplify()),
              isAlive(pointer));
}

/// Where a call captures nothing of a local and does not see what an earlier
/// one captured, the local has a name for this call only: its contents are all
/// that counts, and which arguments are to one local. Requires that reach.at
/// says where the call is made, and that guard_ does.
void MemoryRun::nameLocals(Reach &reach,
                           const std::vector<PassedLocal> &passed) {
  const auto isCaptured = [&](unsigned id) {
    return std::any_of(passed.begin(), passed.end(),
                       [&](const PassedLocal &each) {
                         return each.id == id && each.isCaptured;
                       });
  };
  for (const PassedLocal &each : passed) {
    if (!isCaptured(each.id))
      continue;
    Local &local = locals_.at(each.id);
    for (std::size_t p = 0; p < reach.at.size(); ++p) {
      const expr isFirst = both(reach.at[p], negate(local.isKnown)).simplify();
      if (isFirst.is_false())
        continue;
      const auto name = inputs_.nameOfCaptured(p + 1, each.argument);
      if (!name)
        return fail(fmt::format("more than {} locals passed to calls",
                                MemoryInputs::mostPassed));
      local.name = choose(isFirst, number(*name, blockWidth), local.name);
      local.names.insert(*name);
    }
    local.isKnown = either(local.isKnown, guard_).simplify();
  }
  for (const auto &[id, local] : locals_)
    if (!local.isKnown.is_false())
      reach.names.emplace(id, Reach::Naming{no_, 0, number(0, addressWidth),
                                            local.isKnown, local.name,
                                            local.names});
  for (const PassedLocal &each : passed) {
    const Local &local = locals_.at(each.id);
    const auto [naming, isNew] = reach.names.emplace(
        each.id, Reach::Naming{no_, 0, each.offset, local.isKnown, local.name,
                               local.names});
    if (isCaptured(each.id) || !naming->second.isGiven.is_false())
      continue;
    if (each.argument >= MemoryInputs::mostGiven)
      return fail(
          fmt::format("a local as pointer {} of a call", each.argument + 1));
    naming->second.isGiven = reach.other == 0 ? yes_
                             : z3::eq(local.isKnown, guard_)
                                 ? no_
                                 : negate(local.isKnown);
    naming->second.given =
        static_cast<unsigned>(MemoryInputs::firstGiven + each.argument);
    naming->second.offset = each.offset;
  }
}

void MemoryRun::call(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  if (!instruction.type.isVoid() && !instruction.type.isInteger() &&
      !instruction.type.isPointer())
    return fail(fmt::format("a call that returns {} beside memory",
                            toString(instruction.type)));
  const corpus::Callee &callee = program_.callees[instruction.callee];
  static const corpus::CallAttributes none;
  const corpus::CallAttributes *here = attributesOf(instruction);
  const corpus::CallAttributes &site = here == nullptr ? none : *here;
  const std::uint32_t bits =
      corpus::functionAttributeBits(program_, instruction);
  const bool isSure = (bits & attribute::willreturn) != 0 &&
                      (bits & attribute::nounwind) != 0 &&
                      instruction.type.isVoid();
  std::uint64_t effects = effect::all;
  for (const corpus::Attributes *each :
       {&callee.signature.function, &site.function})
    effects &= each->effects();
  // Out of a function that is nounwind that would be UB.
  const bool mayUnwind = (bits & attribute::nounwind) == 0 &&
                         !program_.signature.function.has(attribute::nounwind);
  const auto operands = program_.operandsOf(instruction);
  const auto &own = program_.signature.parameters;
  if (mayUnwind)
    for (const corpus::Parameter &parameter : own)
      if (parameter.attributes.has(attribute::deadOnUnwind))
        return fail("dead_on_unwind and a call that may unwind");

  constexpr std::size_t mostCalls = 40;
  if (calls_.size() == mostCalls)
    return fail("too many calls");
  callData_.emplace_back();
  callData_.back().callee = &callee;
  callData_.back().functionAttributes = bits;
  TracedCall traced{&callData_.back(), {}, {}};
  Reach reach;
  reach.other = effect::at(effects, effect::other);
  reach.mayFree = (bits & attribute::nofree) == 0 &&
                  !program_.signature.function.has(attribute::nofree);
  for (const expr &made : made_)
    reach.at.push_back(both(made, guard_).simplify());
  for (std::size_t i = 0; i < own.size(); ++i) {
    expr touched = yes_;
    if (own[i].attributes.has(attribute::noalias) && reach.other != 0) {
      touched = no_;
      for (std::size_t p = 0; p < reach.at.size(); ++p)
        if (!reach.at[p].is_false())
          touched =
              either(touched, both(reach.at[p], inputs_.isTouched(p + 1, i)));
    }
    reach.touched.push_back(touched);
  }
  for (const auto &[id, local] : locals_)
    if (!local.isEscaped.is_false())
      reach.escaped.emplace(
          id, std::pair(local.isEscaped, local.isEscapedForWrites));

  // One that is sure to come back is made only where it may write what others
  // see.
  expr isMade = !isSure || effect::at(effects, effect::inaccessible) != 0 ||
                        effect::at(effects, effect::errnoVariable) != 0 ||
                        (reach.other & effect::write) != 0
                    ? yes_
                    : no_;
  bool showsInMemoryAlone = isMade.is_false();
  bool writesLocals = false;
  bool returnsRestricted = false;
  std::vector<Value> values;
  std::vector<PassedLocal> locals;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    Value value = valueOf(operands[i]);
    const Type type = operands[i].type;
    const corpus::Attributes &declared =
        callee.signature.parameters[i].attributes;
    static const corpus::Attributes nothing;
    const corpus::Attributes &given =
        site.parameters.empty() ? nothing : site.parameters[i];
    // `noundef` of either looks at what both make poison.
    for (const corpus::Attributes *each : {&declared, &given, &declared})
      restrict(*each, type, value);
    values.push_back(value);
    if (!value.pointer)
      continue;
    const bool isUndef = operands[i].is(corpus::Operand::Kind::undef);
    if (!value.choices.empty() && !isUndef)
      return fail("one of several pointers is passed to a call");
    std::uint64_t permitted = effect::read | effect::write;
    std::uint64_t captured = corpus::captures::all;
    std::uint64_t returned = corpus::captures::all;
    for (const corpus::Attributes *each : {&declared, &given}) {
      if (each->has(attribute::readnone))
        permitted = 0;
      if (each->has(attribute::readonly))
        permitted &= effect::read;
      if (each->has(attribute::writeonly))
        permitted &= effect::write;
      if (each->has(attribute::captures)) {
        captured &= each->valueOf(attribute::captures).low;
        returned &= each->valueOf(attribute::captures).high;
      }
    }
    const bool isRestricted = mayBeRestricted(value);
    leavesRestricted_ |=
        isRestricted && (captured & corpus::captures::provenance) != 0;
    returnsRestricted |=
        isRestricted && (returned & corpus::captures::provenance) != 0;
    const std::uint64_t allowed =
        permitted & effect::at(effects, effect::argument);
    // Through poison nothing is accessed, nor through undef.
    SymbolicPointer accessible = value.choices.empty()
                                     ? *value.pointer
                                     : SymbolicPointer{number(0, blockWidth),
                                                       number(0, addressWidth),
                                                       {0}};
    if (!value.term.poison.is_false()) {
      accessible.block =
          choose(value.term.poison, number(0, blockWidth), accessible.block);
      accessible.candidates.insert(0);
    }
    showsInMemoryAlone &= captured == 0 || (allowed & effect::write) == 0;
    if ((allowed & effect::write) != 0)
      isMade = either(
          isMade, both((accessible.block != number(0, blockWidth)).simplify(),
                       lookUp(accessible, [&](unsigned id) {
                         return id == 0 ? no_ : isWritableByOthers(id);
                       })));
    reach.passed.push_back(
        {std::move(accessible), allowed, permitted, value.basedOn});
    for (const unsigned id : value.pointer->candidates) {
      if (id < MemoryInputs::firstLocal)
        continue;
      if ((bits & attribute::tail) != 0)
        return fail("a local in a tail call");
      const bool isHeapOrNull = value.pointer->candidates.size() == 2 &&
                                value.pointer->candidates.contains(0) &&
                                isHeap(id);
      if (value.pointer->candidates.size() > 1 && !isHeapOrNull)
        return fail("one of several locals is passed to a call");
      Local &local = locals_.at(id);
      if (!local.size.is_numeral())
        return fail("a heap block of unknown size is passed to a call");
      if (captured != 0)
        isMade = yes_;
      writesLocals |= (allowed & effect::write) != 0;
      if (local.alignment > mostAlignment)
        return fail(fmt::format("a local of alignment {} is passed to a call",
                                local.alignment));
      passesLocals_ = true;
      passesHeap_ |= isHeap(id);
      const bool isCaptured = captured != 0 || returned != 0 || isHeap(id);
      capturesLocals_ |= isCaptured;
      locals.push_back(
          {reach.passed.size() - 1, id, value.pointer->offset, isCaptured});
      const expr isGiven = both(
          guard_, (value.pointer->block == number(id, blockWidth)).simplify());
      if ((captured & corpus::captures::readProvenance) != 0)
        local.isEscaped = either(local.isEscaped, isGiven);
      if ((captured & corpus::captures::provenance) ==
          corpus::captures::provenance)
        local.isEscapedForWrites = either(local.isEscapedForWrites, isGiven);
    }
  }
  if (isSure && effects == (effects & effect::readOnly))
    return; // without any effect
  callsUnseen_ |= showsInMemoryAlone;
  isMade = isMade.simplify();
  if (!isMade.is_true() && writesLocals)
    return fail("a call whose effects only locals show");
  if (storesLocals_ && passesLocals_)
    return fail("the address of a local in memory, beside a call");
  // Which is nothing of what calls were given.
  const bool isNewObject =
      instruction.type.isPointer() && returnsObject(program_, instruction);
  callsForObjects_ |= isNewObject;
  const bool returnsAny = instruction.type.isPointer() && !isNewObject;
  if (returnsAny && (returnsRestricted || leavesRestricted_))
    return fail("a pointer that a call returns, beside restricted pointers "
                "passed to calls");
  if (returnsAny && capturesLocals_)
    return fail("a pointer that a call returns, beside locals passed to calls");

  const expr whole = guard_;
  guard_ = both(guard_, isMade).simplify();
  if (guard_.is_false()) {
    guard_ = whole;
    return;
  }
  for (expr &at : reach.at)
    at = both(at, isMade).simplify();
  nameLocals(reach, locals);
  if (!lack_.empty())
    return;

  // What it may touch, by noalias.
  const expr wholeBlock = number(std::uint64_t(1) << 60, addressWidth);
  const expr before = guard_;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (!own[i].attributes.has(attribute::noalias))
      continue;
    SymbolicPointer block = *arguments_[i].pointer;
    block.offset = number(0, addressWidth);
    if (reach.other != 0) {
      guard_ = both(before, reach.touched[i]).simplify();
      noteAccess({guard_, block, wholeBlock, number(0, tagWidth),
                  (reach.other & effect::write) != 0});
      guard_ = before;
    }
  }
  for (const Reach::Passed &passed : reach.passed) {
    if (passed.allowed == 0)
      continue;
    SymbolicPointer block = passed.pointer;
    block.offset = number(0, addressWidth);
    noteAccess({guard_, block, wholeBlock, passed.basedOn,
                (passed.allowed & effect::write) != 0});
  }

  std::size_t pointers = 0;
  for (const Value &value : values) {
    traced.arguments.push_back(rowOf(value, reach));
    if (!value.pointer)
      continue;
    appendTraits(traced.arguments.back(), reach, value);
    reach.shown.push_back(*value.pointer);
    // To do through it what the source allows is not UB in the target.
    const Reach::Passed &passed = reach.passed[pointers++];
    for (const std::uint64_t each : {effect::read, effect::write})
      traced.arguments.back().lanes.push_back(
          {number(1, 1),
           (passed.permitted & each) != 0
               ? (passed.pointer.block == number(0, blockWidth)).simplify()
               : yes_});
  }
  traced.arguments.push_back(shownBy(reach, mayUnwind));
  traced.at = reach.at;

  if (!instruction.type.isVoid()) {

    std::optional<Value> result;
    const bool isPointer = instruction.type.isPointer();
    const unsigned width = isPointer ? addressWidth : instruction.type.width();
    for (std::size_t p = 0; p < reach.at.size(); ++p) {
      if (reach.at[p].is_false())
        continue;
      Value each = integer({number(0, width), yes_});
      if (isPointer) {
        const auto &given =
            inputs_.pointerResult(p + 1, callee.name, isNewObject);
        each.term = given.term;
        each.pointer = given.pointer;
        if (isNewObject && !given.isNoalias)
          addUb(both(reach.at[p],
                     (each.pointer->block != number(0, blockWidth)).simplify()),
                {});
      } else {
        each.term = inputs_.result(p + 1, callee.name, width);
      }
      result = result ? merged(reach.at[p], each, *result) : each;
    }
    if (!result) {
      result = integer({number(0, width), yes_});
      if (isPointer)
        result->pointer = {number(0, blockWidth), result->term.bits, {0}};
    }
    values_[index] = std::move(result);
  }

  // From here on it was made.
  std::vector<expr> after;
  for (std::size_t i = 0; i <= made_.size(); ++i) {
    const expr stays =
        i < made_.size() ? both(made_[i], negate(guard_)).simplify() : no_;
    after.push_back(i == 0 ? stays : either(stays, traced.at[i - 1]));
  }
  made_ = std::move(after);
  ubAt_.push_back(no_);
  calls_.push_back(std::move(traced));
  reaches_.push_back(std::move(reach));
  const expr zero = number(0, byteBits);
  Write write{guard_,
              {number(0, blockWidth), number(0, addressWidth), {}},
              false,
              reaches_.size() - 1,
              {zero, zero, zero, number(0, tagWidth)},
              {},
              number(0, tagWidth)};
  writes_.push_back(std::move(write));
  if (reaches_.back().mayFree && semantics_.deref == DerefRule::scope)
    for (std::size_t i = 0; i < own.size(); ++i)
      if (own[i].attributes.has(attribute::dereferenceable))
        addUb(negate(isAlive(*arguments_[i].pointer)), {});
  guard_ = whole;
  if ((bits & attribute::noreturn) != 0)
    addUb(yes_, {});
  if (!instruction.type.isVoid()) {
    for (const corpus::Attributes *each :
         {&callee.signature.result, &site.result, &callee.signature.result})
      restrict(*each, instruction.type, *values_[index]);
  }
}

} // namespace checker::smt
