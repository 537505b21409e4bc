// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores, copies and the ends of locals: what is UB, what is written,
// and what a place holds.
#include "checker/symbolic/memory_run.h"

#include "checker/memory/memory.h"

#include <fmt/format.h>

#include <algorithm>

namespace checker::smt {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Type;
using z3::expr;
namespace attribute = corpus::attribute;
namespace effect = corpus::memory;

namespace {

constexpr std::size_t maximumWrites = 2000; ///< of one run

/// Of an aggregate, or what is none.
struct Element {
  Type type;
  std::uint64_t offset; ///< bytes
};

/// As usual layouts have them; between them is padding.
std::vector<Element> elementsOf(Type type) {
  if (!type.isAggregate())
    return {{type, 0}};
  std::vector<Element> result;
  std::uint64_t end = 0;
  for (unsigned i = 0; i < type.elements(); ++i) {
    const std::uint64_t size = corpus::allocationSize(type.element(i));
    const std::uint64_t offset = (end + size - 1) / size * size;
    result.push_back({type.element(i), offset});
    end = offset + size;
  }
  return result;
}

std::uint64_t sizeInMemory(Type type) {
  if (!type.isAggregate())
    return corpus::storeSize(type);
  std::uint64_t largest = 1;
  for (unsigned i = 0; i < type.elements(); ++i)
    largest = std::max(largest, corpus::allocationSize(type.element(i)));
  const Element last = elementsOf(type).back();
  const std::uint64_t end = last.offset + corpus::allocationSize(last.type);
  return (end + largest - 1) / largest * largest;
}

/// The lanes of its elements follow each other without a gap.
bool isInMemory(Type type) {
  if (type.isAggregate()) {
    for (unsigned i = 0; i < type.elements(); ++i)
      if (!type.element(i).isInteger())
        return false;
    return true;
  }
  return type.isInteger() || (type.isVector() && !type.lane(0).isPointer());
}

/// What nobody wrote is undef to a load.
bool loadsUndef(const Semantics &semantics) {
  return !uninitIsPoison(semantics) &&
         semantics.uninitializedLoad == LoadRule::undef;
}

/// The lowest bit of a lane among those of all.
unsigned lowestBitOf(Type type, unsigned lane, bool bigEndian) {
  return (bigEndian ? type.lanes() - 1 - lane : lane) * type.lane(0).width();
}

} // namespace

/// UB by noalias: two accesses to one byte, one of them a write, one through
/// the parameter and one not.
void MemoryRun::noteAccess(const Access &access) {
  std::uint64_t restricted = 0;
  const auto &parameters = program_.signature.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].attributes.has(attribute::noalias))
      restricted |= std::uint64_t(1) << i;
  if (restricted == 0)
    return;
  for (const Access &other : accesses_) {
    if (!other.isWrite && !access.isWrite)
      continue;
    if (!intersect(other.pointer.candidates, access.pointer.candidates))
      continue;
    const expr differs = (((other.basedOn ^ access.basedOn) &
                           number(restricted, tagWidth)) != number(0, tagWidth))
                             .simplify();
    if (differs.is_false())
      continue;
    const expr a = other.pointer.offset;
    const expr b = access.pointer.offset;
    const expr distance = inputs_.distance(a, b);
    const expr overlap =
        (z3::ult(distance, other.size) || z3::ult(-distance, access.size))
            .simplify();
    addUb(both(both(other.guard, differs),
               both(overlap, other.pointer.block == access.pointer.block)),
          {});
  }
  accesses_.push_back(access);
}

expr MemoryRun::isWritten(const SymbolicPointer &pointer,
                          std::uint16_t through) {
  expr result = no_;
  for (const Write &write : writes_) {
    if (write.isWholeBlock || write.call != noCall)
      continue;
    const expr same = both(write.guard, hits(write, pointer));
    const expr tag = through == 0
                         ? yes_
                         : ((write.basedOn & number(through, tagWidth)) !=
                            number(0, tagWidth))
                               .simplify();
    result = either(result, both(same, tag));
  }
  return result;
}

SymbolicByte MemoryRun::unwrittenByte() {
  const expr zero = number(0, byteBits);
  return {zero, zero, number(0xff, byteBits), number(Byte::anyType, tagWidth)};
}

/// Whether one of the bytes is among those that parameter `i` initializes, and
/// was not written through it.
expr MemoryRun::readsInitialized(std::size_t i, const SymbolicPointer &pointer,
                                 const expr &size) {
  const auto &range = program_.signature.parameters[i].attributes.valueOf(
      attribute::initializes);
  const Value &argument = arguments_[i];
  if (!size.is_numeral() || size.get_numeral_uint64() > maximumCopy) {
    fail("initializes and a copy of unknown or large length");
    return no_;
  }
  expr result = no_;
  for (std::uint64_t k = 0; k < size.get_numeral_uint64(); ++k) {
    const SymbolicPointer byte = moved(pointer, k);
    const expr place = (byte.offset - argument.pointer->offset).simplify();
    const expr isInside = (z3::sge(place, number(range.low, addressWidth)) &&
                           z3::slt(place, number(range.high, addressWidth)))
                              .simplify();
    if (!isInside.is_false())
      result = either(
          result,
          both(isInside,
               negate(isWritten(byte, static_cast<std::uint16_t>(1U << i)))));
  }
  const expr isSameBlock =
      (pointer.block == argument.pointer->block).simplify();
  return both(both(negate(argument.term.poison), isSameBlock), result);
}

expr MemoryRun::access(const Value &value, const expr &size,
                       std::uint32_t alignment, bool isWrite) {
  const SymbolicPointer &pointer = *value.pointer;
  const Variables &picks = value.choices;
  addUb(value.term.poison, picks);
  addUb(negate(isValid(pointer, size)), picks);
  addUb(isMisaligned(pointer, alignment), picks);
  const expr isDead = negate(isAlive(pointer)).simplify();
  expr poison = no_;
  if (isWrite || semantics_.deadLoad == DeadLoad::ub) {
    addUb(isDead, picks);
  } else {
    // What was freed is no local that is dead.
    const expr isLocal = lookUp(pointer, [&](unsigned id) {
      return id >= MemoryInputs::firstLocal && !isHeap(id) ? yes_ : no_;
    });
    addUb(both(negate(isLocal), isDead).simplify(), picks);
    // Undef too is refined by what we say of poison.
    poison = both(isLocal, isDead).simplify();
  }
  if (!isWrite && semantics_.deadLoad == DeadLoad::undef && !poison.is_false())
    fail("dead_load=undef");
  if (isWrite)
    addUb(negate(lookUp(pointer,
                        [&](unsigned id) {
                          return id == 0 || id >= MemoryInputs::firstLocal
                                     ? yes_
                                     : inputs_.blocks().at(id).writable;
                        })),
          picks);

  const bool isOurs =
      std::any_of(pointer.candidates.begin(), pointer.candidates.end(),
                  [](unsigned id) { return id < MemoryInputs::firstLocal; });
  if (!isOurs)
    return poison;
  const auto mayBeUnwritten = [&](std::uint16_t through) {
    if (writes_.empty())
      return yes_;
    if (!size.is_numeral() || size.get_numeral_uint64() > maximumCopy) {
      fail("writeonly and a copy of unknown or large length");
      return no_;
    }
    expr unwritten = no_;
    for (std::uint64_t i = 0; i < size.get_numeral_uint64(); ++i)
      unwritten =
          either(unwritten, negate(isWritten(moved(pointer, i), through)));
    return unwritten;
  };
  const auto &parameters = program_.signature.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const corpus::Attributes &own = parameters[i].attributes;
    const auto bit = static_cast<std::uint16_t>(1U << i);
    const auto based = [&] {
      return ((value.basedOn & number(bit, tagWidth)) != number(0, tagWidth))
          .simplify();
    };
    if (own.has(attribute::readnone) ||
        (isWrite && own.has(attribute::readonly)))
      addUb(based(), picks);
    if (isWrite || based().is_false())
      continue;
    if (own.has(attribute::initializes))
      poison = either(
          poison, both(based(), readsInitialized(i, pointer, size)).simplify());
    if (!own.has(attribute::writeonly))
      continue;
    if (semantics_.writeonlyLoad == WriteonlyLoad::ub)
      addUb(based(), picks);
    else
      poison = either(poison, both(based(), mayBeUnwritten(bit)));
  }
  const std::uint64_t effects = program_.signature.function.effects();
  const expr isOurBlock =
      z3::ult(pointer.block, number(MemoryInputs::firstLocal, blockWidth))
          .simplify();
  const expr byArgument = (value.basedOn != number(0, tagWidth)).simplify();
  for (const bool argument : {true, false}) {
    const std::uint64_t allowed =
        effect::at(effects, argument ? effect::argument : effect::other);
    const expr here =
        both(isOurBlock, argument ? byArgument : negate(byArgument));
    if (isWrite && (allowed & effect::write) == 0)
      addUb(here, picks);
    if (!isWrite && (allowed & effect::read) == 0) {
      // A variable that nobody writes may be read all the same.
      const expr writable = lookUp(pointer, [&](unsigned id) {
        return id < MemoryInputs::firstGlobal || id >= MemoryInputs::firstLocal
                   ? yes_
                   : inputs_.blocks().at(id).writable;
      });
      if (const expr mayNot = both(here, writable).simplify();
          !mayNot.is_false())
        poison = either(poison, both(mayNot, mayBeUnwritten(0)));
    }
  }
  noteAccess({guard_, pointer, size, value.basedOn, isWrite});
  return poison;
}

SymbolicPointer MemoryRun::moved(const SymbolicPointer &pointer,
                                 std::uint64_t bytes) {
  if (bytes == 0)
    return pointer;
  z3::context &context = pointer.offset.ctx();
  return {pointer.block,
          (pointer.offset + context.bv_val(bytes, addressWidth)).simplify(),
          pointer.candidates};
}

PointerPart MemoryRun::partOf(const SymbolicByte &byte) const {
  return byte.part ? *byte.part : noPart(fresh_.context());
}

SymbolicByte MemoryRun::pickByte(const expr &condition,
                                 const SymbolicByte &then,
                                 const SymbolicByte &otherwise) const {
  const auto pick = [&](const expr &a, const expr &b) {
    return z3::eq(a, b) ? a : choose(condition, a, b);
  };
  SymbolicByte byte{
      pick(then.bits, otherwise.bits), pick(then.poison, otherwise.poison),
      pick(then.uninit, otherwise.uninit), pick(then.stored, otherwise.stored)};
  if (!then.part && !otherwise.part)
    return byte;
  const PointerPart a = partOf(then);
  const PointerPart b = partOf(otherwise);
  byte.part = PointerPart{pick(a.place, b.place),
                          {pick(a.pointer.block, b.pointer.block),
                           pick(a.pointer.offset, b.pointer.offset),
                           a.pointer.candidates}};
  byte.part->pointer.candidates.insert(b.pointer.candidates.begin(),
                                       b.pointer.candidates.end());
  return byte;
}

/// Memory that others wrote has what is read there.
void MemoryRun::noteRead(const SymbolicPointer &pointer, std::uint64_t size,
                         bool isPointer) {
  if (!inputs_.holdsPointers() || (!mayBeGiven(pointer) && reaches_.empty()))
    return;
  reads_.push_back({pointer, size, isPointer});
  if (!isPointer && inputs_.pointerBytes() == PointerBytes::asAddress)
    return;
  const auto assumeType = [&](const SymbolicPointer &name, std::size_t epoch) {
    expr isWhole = yes_;
    expr isNumber = yes_;
    expr isNull = yes_;
    std::optional<PointerPart> first;
    for (std::uint64_t i = 0; i < size; ++i) {
      const SymbolicByte byte = inputs_.initial(moved(name, i), side_, epoch);
      const PointerPart part = partOf(byte);
      if (!first)
        first = part;
      isWhole = isWhole && part.place == number(i + 1, byteBits) &&
                part.pointer.block == first->pointer.block &&
                part.pointer.offset == first->pointer.offset;
      isNumber = isNumber && part.place == number(0, byteBits);
      isNull = isNull && byte.bits == number(0, byteBits);
    }
    inputs_.assumeType(isPointer ? isWhole || (isNumber && isNull) : isNumber);
  };
  assumeType(pointer, 0);
  forEachEpoch(pointer, assumeType);
}

/// LangRef, !invariant.load: the place has the same value wherever it may be
/// accessed, before the load and behind it; else the load is UB. It has that of
/// the inputs, as long as it is in a block that is there from the start.
void MemoryRun::loadInvariant(const SymbolicPointer &pointer,
                              std::uint64_t size) {
  constexpr std::size_t mostWrites = 64;
  if (mayBeLocal(pointer))
    return fail("!invariant.load of a local");
  if (writes_.size() > mostWrites)
    return fail("!invariant.load behind many writes");
  for (std::uint64_t i = 0; i < size; ++i) {
    const InvariantByte byte{guard_, moved(pointer, i)};
    for (std::size_t writes = 1; writes <= writes_.size(); ++writes)
      requireInvariant(byte, writes);
    invariantBytes_.push_back(byte);
  }
}

/// UB where the first `writes` writes changed it.
void MemoryRun::requireInvariant(const InvariantByte &byte,
                                 std::size_t writes) {
  const expr isLoaded = both(guard_, byte.guard).simplify();
  if (isLoaded.is_false())
    return;
  const Loaded now = byteAt(byte.place, writes, isLoaded);
  if (!now.choices.empty())
    return fail("!invariant.load of undef values");
  const SymbolicByte first = inputs_.initial(byte.place, side_);
  expr differs = now.byte.bits != first.bits ||
                 now.byte.poison != first.poison ||
                 now.byte.uninit != first.uninit;
  if (now.byte.part || first.part) {
    const PointerPart a = partOf(now.byte);
    const PointerPart b = partOf(first);
    differs = differs || a.place != b.place ||
              (a.place != number(0, byteBits) &&
               (a.pointer.block != b.pointer.block ||
                a.pointer.offset != b.pointer.offset));
  }
  addUb(both(both(byte.guard, isAlive(byte.place)), differs.simplify()), {});
}

void MemoryRun::loadPointer(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const Value from = place(program_.operandsOf(instruction)[0]);
  constexpr unsigned size = addressWidth / byteBits;
  expr poison = access(from, size, instruction.alignment, false);
  if (!from.choices.empty() || inputs_.isPicked(*from.pointer))
    return fail("a pointer in memory where freeze or undef say");
  if (!reaches_.empty() && passesLocals_)
    return fail("a pointer in memory, beside locals passed to calls");
  if (leavesRestricted_)
    return fail("a pointer in memory, beside restricted pointers passed to "
                "calls");
  expr isWhole = yes_;
  expr isNull = yes_;
  expr isUninit = no_;
  expr isUndef = loadsUndef(semantics_) ? yes_ : no_;
  std::optional<PointerPart> first;
  SymbolicPointer result{number(0, blockWidth), number(0, addressWidth), {0}};
  for (unsigned i = 0; i < size; ++i) {
    const Loaded loaded = byteAt(moved(*from.pointer, i));
    if (!loaded.choices.empty())
      return fail("a pointer in memory beside freeze or undef");
    const SymbolicByte &byte = loaded.byte;
    const PointerPart part = partOf(byte);
    const expr zero = number(0, byteBits);
    if (!first)
      first = part;
    isWhole = both(isWhole, (part.place == number(i + 1, byteBits) &&
                             part.pointer.block == first->pointer.block &&
                             part.pointer.offset == first->pointer.offset)
                                .simplify());
    isNull = both(isNull, (part.place == zero && byte.bits == zero).simplify());
    poison = either(poison, (byte.poison != zero).simplify());
    isUninit = either(isUninit, (byte.uninit != zero).simplify());
    isUndef = both(isUndef, (byte.uninit == number(0xff, byteBits)).simplify());
    result.candidates.insert(part.pointer.candidates.begin(),
                             part.pointer.candidates.end());
  }
  noteRead(*from.pointer, size, true);
  if (uninitIsPoison(semantics_))
    poison = either(poison, isUninit);
  const expr isPointer =
      either(isUndef, both(negate(isUninit), either(isWhole, isNull)));
  puns_ = either(
      puns_, both(guard_, both(negate(poison), negate(isPointer))).simplify());
  result.block = choose(isWhole, first->pointer.block, result.block);
  result.offset = choose(isWhole, first->pointer.offset, result.offset);
  Value value = integer({result.offset, poison});
  value.pointer = std::move(result);
  if (!isUndef.is_false())
    value = merged(isUndef, undefPointer(), value);
  if (const corpus::CallAttributes *attributes = attributesOf(instruction)) {
    if (attributes->result.has(attribute::invariantLoad))
      loadInvariant(*from.pointer, size);
    restrict(attributes->result, instruction.type, value);
  }
  values_[index] = std::move(value);
}

bool MemoryRun::hasRestrictions() const {
  constexpr std::uint32_t restricted =
      attribute::noalias | attribute::readonly | attribute::readnone |
      attribute::writeonly | attribute::captures | attribute::deadOnUnwind;
  bool isRestricted = program_.signature.function.has(
      attribute::memory | attribute::memoryRead | attribute::memoryNone);
  for (const corpus::Parameter &parameter : program_.signature.parameters)
    isRestricted |= parameter.attributes.has(restricted);
  return isRestricted;
}

bool MemoryRun::mayBeRestricted(const Value &pointer) const {
  return hasRestrictions() &&
         !(pointer.basedOn != number(0, tagWidth)).simplify().is_false();
}

void MemoryRun::storePointer(const Instruction &instruction) {
  const auto operands = program_.operandsOf(instruction);
  const Value value = valueOf(operands[0]);
  if (!value.choices.empty() && !operands[0].is(Operand::Kind::undef))
    return fail("a pointer in memory beside freeze or undef");
  if (value.isAnywhere)
    return fail("a pointer in memory that was a number, beside locals");
  storePointer(value, place(operands[1]), instruction.alignment);
}

/// A value with choices is undef.
void MemoryRun::storePointer(const Value &value, const Value &to,
                             std::uint32_t alignment) {
  // As if nobody had written there.
  const bool isUndef = !value.choices.empty();
  if (!to.choices.empty() || (isUndef && !loadsUndef(semantics_)))
    return fail("a pointer in memory beside freeze or undef");
  const auto &into = to.pointer->candidates;
  if (mayBeLocal(*value.pointer)) {
    storesLocals_ = true;
    if (passesLocals_ || std::any_of(into.begin(), into.end(), [](unsigned id) {
          return id < MemoryInputs::firstLocal;
        }))
      return fail("the address of a local in memory that others see");
  }
  if (mayBeRestricted(value))
    return fail("a restricted pointer in memory");
  if (semantics_.storePoison == StorePoison::ub)
    addUb(value.term.poison, {});
  constexpr unsigned size = addressWidth / byteBits;
  access(to, size, alignment, true);
  const expr zero = number(0, byteBits);
  // Null is the number 0 in memory as well.
  const expr isNull =
      both((value.pointer->block == number(0, blockWidth)).simplify(),
           (value.pointer->offset == number(0, addressWidth)).simplify());
  for (unsigned i = 0; i < size; ++i) {
    SymbolicByte byte{
        zero, choose(value.term.poison, number(0xff, byteBits), zero),
        number(isUndef ? 0xff : 0, byteBits), number(0, tagWidth)};
    if (!isUndef)
      byte.part = PointerPart{choose(isNull, zero, number(i + 1, byteBits)),
                              *value.pointer};
    write(moved(*to.pointer, i), byte, {}, to.basedOn);
  }
}

/// Where something is accessed: of a number in that local whose address it is.
MemoryRun::Value MemoryRun::place(const Operand &operand) {
  Value value = use(operand);
  if (!value.isAnywhere)
    return value;
  SymbolicPointer &pointer = *value.pointer;
  const SymbolicPointer given = pointer;
  expr isFound = no_;
  for (const unsigned id : exposed_) {
    const Local &local = locals_.at(id);
    const expr offset = (given.offset - local.base).simplify();
    const expr isHere = z3::ult(offset, local.size).simplify();
    isFound = either(isFound, isHere);
    pointer.block = choose(isHere, number(id, blockWidth), pointer.block);
    pointer.offset = choose(isHere, offset, pointer.offset);
    pointer.candidates.insert(id);
  }
  if (!isFound.is_true())
    fail(std::string(knowsLocal));
  return value;
}

/// Nothing but comparisons uses the result.
bool MemoryRun::isComparedOnly(std::size_t index) const {
  return std::all_of(program_.instructions.begin(), program_.instructions.end(),
                     [&](const Instruction &user) {
                       if (user.opcode == Opcode::icmp)
                         return true;
                       const auto operands = program_.operandsOf(user);
                       return std::none_of(
                           operands.begin(), operands.end(),
                           [&](const Operand &operand) {
                             return operand.is(Operand::Kind::instruction) &&
                                    operand.payload == index;
                           });
                     });
}

void MemoryRun::pointerToInteger(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const Value pointer = use(program_.operandsOf(instruction)[0]);
  for (const unsigned id : pointer.pointer->candidates) {
    if (id < MemoryInputs::firstLocal)
      continue;
    // A callee that knows the number could access the local, and who has that
    // of a block of the heap still can when we returned.
    exposesLocals_ = true;
    if (isHeap(id) && !isComparedOnly(index))
      return fail("the address of a block of the heap as a number");
    if (locals_.at(id).hasLifetime)
      return fail("the address of a local with a lifetime as a number");
    exposed_.insert(id);
    placeAnywhere(id);
  }
  const unsigned width = instruction.type.width();
  const expr where = address(*pointer.pointer);
  Value value =
      integer({where.extract(width - 1, 0).simplify(), pointer.term.poison});
  value.choices = pointer.choices;
  values_[index] = std::move(value);
}

/// What it is based on is not followed, and no local is among what it may be,
/// unless the address of one is a number.
void MemoryRun::integerToPointer(std::size_t index) {
  const bool isOfLocals = !exposed_.empty();
  readsAddresses_ = readsAddresses_ || !isOfLocals;
  if (hasRestrictions())
    return fail("inttoptr beside restricted pointers");
  Value value = use(program_.operandsOf(program_.instructions[index])[0]);
  if (!value.choices.empty())
    return fail("inttoptr of one of several values");
  const unsigned width = value.term.bits.get_sort().bv_size();
  const expr address = width < addressWidth
                           ? z3::zext(value.term.bits, addressWidth - width)
                           : value.term.bits.extract(addressWidth - 1, 0);
  if (isOfLocals) {
    value.pointer = {number(0, blockWidth), address.simplify(), {0}};
    value.term.bits = value.pointer->offset;
    value.isAnywhere = true;
    values_[index] = std::move(value);
    return;
  }
  const auto pointer = inputs_.pointerTo(address.simplify());
  if (!pointer)
    return fail("inttoptr of a number that a run chooses");
  value.pointer = pointer;
  value.term.bits = pointer->offset;
  values_[index] = std::move(value);
}

/// A store, a copy or the end of a local is to this place.
expr MemoryRun::hits(const Write &write, const SymbolicPointer &pointer) const {
  if (!write.isWholeBlock && !write.length)
    return inputs_.samePlace(write.pointer, pointer);
  if (!intersect(write.pointer.candidates, pointer.candidates))
    return no_;
  expr sameBlock = z3::eq(pointer.block, write.pointer.block)
                       ? yes_
                       : (pointer.block == write.pointer.block).simplify();
  if (write.isWholeBlock)
    return sameBlock;
  return both(
      sameBlock,
      z3::ult(pointer.offset - write.pointer.offset, *write.length).simplify());
}

/// What a copy brought there.
MemoryRun::Loaded MemoryRun::copiedBy(std::size_t write,
                                      const SymbolicPointer &pointer) {
  const Write &copy = writes_[write];
  SymbolicPointer from = *copy.from;
  from.offset =
      (from.offset + inputs_.distance(copy.pointer.offset, pointer.offset))
          .simplify();
  Loaded result = byteAt(from, write, copy.guard);
  // The copies would be sets of their own.
  if (!result.choices.empty())
    fail("a long copy of undef values");
  SymbolicByte &byte = result.byte;
  if (!copy.isPoison.is_false()) {
    byte.poison = choose(copy.isPoison, number(0xff, byteBits), byte.poison);
    byte.uninit = choose(copy.isPoison, number(0, byteBits), byte.uninit);
  }
  return result;
}

MemoryRun::Loaded MemoryRun::byteAt(const SymbolicPointer &pointer,
                                    std::size_t count, const expr &guard) {
  // From the latest write back to one that is surely the one.
  struct Part {
    expr hit;
    std::size_t write;
  };
  std::vector<Part> parts;
  std::optional<std::size_t> sure;
  for (std::size_t i = count; i-- > 0 && !sure;) {
    const Write &write = writes_[i];
    if (write.call != noCall) {
      const expr hit = both(write.guard, reaches(reaches_[write.call], pointer,
                                                 effect::write))
                           .simplify();
      if (!hit.is_false())
        parts.push_back({hit, i});
      continue;
    }
    const expr hit = both(write.guard, hits(write, pointer));
    if (hit.is_true() || z3::eq(hit, guard))
      sure = i;
    else if (!hit.is_false())
      parts.push_back({hit, i});
  }
  const auto writtenBy = [&](std::size_t i) {
    return writes_[i].from ? copiedBy(i, pointer)
                           : Loaded{writes_[i].byte, writes_[i].choices};
  };
  const expr zero = number(0, byteBits);
  const SymbolicByte unwritten = unwrittenByte();
  Loaded result{unwritten, {}};
  if (sure) {
    result = writtenBy(*sure);
  } else {
    if (mayBeGiven(pointer)) {
      SymbolicByte ours = inputs_.initial(pointer, side_);
      if (mayBeLocal(pointer)) {
        const expr isLocal =
            z3::uge(pointer.block, number(MemoryInputs::firstLocal, blockWidth))
                .simplify();
        ours = {choose(isLocal, zero, ours.bits),
                choose(isLocal, zero, ours.poison),
                choose(isLocal, unwritten.uninit, ours.uninit), ours.stored,
                ours.part};
        if (ours.part)
          ours.part->place = choose(isLocal, zero, ours.part->place);
      }
      result.byte = ours;
    }
  }
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    const bool isCall = writes_[part->write].call != noCall;
    const Loaded left = isCall ? leftBy(writes_[part->write], pointer, result)
                               : writtenBy(part->write);
    result.byte = pickByte(part->hit, left.byte, result.byte);
    addMissing(result.choices, left.choices);
  }
  return result;
}

bool MemoryRun::readWhatIsWritten() {
  bool isAll = true;
  for (const Write &write : writes_) {
    if (write.isWholeBlock || write.call != noCall)
      continue;
    const bool isGiven = mayBeGiven(write.pointer);
    if (!isGiven && !passesLocals_)
      continue;
    std::uint64_t bytes = 1;
    if (write.length)
      bytes = write.length->is_numeral() ? write.length->get_numeral_uint64()
                                         : maximumCopy + 1;
    if (bytes > maximumCopy) {
      isAll = false;
      continue;
    }
    for (std::uint64_t i = 0; i < bytes; ++i) {
      const SymbolicPointer at = moved(write.pointer, i);
      if (isGiven)
        inputs_.initial(at, side_);
      forEachEpoch(at, [&](const SymbolicPointer &name, std::size_t epoch) {
        inputs_.initial(name, side_, epoch);
      });
    }
  }
  return isAll;
}

SymbolicByte MemoryRun::last(const SymbolicPointer &pointer,
                             Variables &choices) {
  guard_ = yes_;
  Loaded loaded = seenAt(pointer);
  addMissing(choices, loaded.choices);
  return loaded.byte;
}

MemoryRun::Loaded MemoryRun::seenAt(const SymbolicPointer &pointer) {
  Loaded loaded = byteAt(pointer);
  const Variables copies = copiesOf(loaded.choices, fresh_);
  const auto rename = [&](expr &term) {
    term = substituted(term, loaded.choices, copies);
  };
  rename(loaded.byte.bits);
  rename(loaded.byte.poison);
  rename(loaded.byte.uninit);
  if (loaded.byte.part) {
    rename(loaded.byte.part->place);
    rename(loaded.byte.part->pointer.block);
    rename(loaded.byte.part->pointer.offset);
  }
  loaded.choices = copies;
  return loaded;
}

void MemoryRun::write(const SymbolicPointer &pointer, const SymbolicByte &byte,
                      const Variables &choices, const expr &basedOn) {
  if (writes_.size() > maximumWrites)
    fail("too many writes");
  writes_.push_back({guard_, pointer, false, noCall, byte, choices, basedOn});
}

void MemoryRun::load(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const Type type = instruction.type;
  if (type.isPointer())
    return loadPointer(index);
  if (!isInMemory(type))
    return fail(fmt::format("a value of type {} in memory", toString(type)));
  const Value pointer = place(program_.operandsOf(instruction)[0]);
  if (!pointer.choices.empty())
    return fail("a load from one of several places");
  const std::uint64_t size = sizeInMemory(type);
  const expr isPoison = access(pointer, size, instruction.alignment, false);
  const corpus::CallAttributes *attributes = attributesOf(instruction);
  if (attributes != nullptr && attributes->result.has(attribute::invariantLoad))
    loadInvariant(*pointer.pointer, size);
  std::vector<Term> lanes;
  Variables choices;
  for (const Element &element : elementsOf(type)) {
    const Value value = loadNumber(moved(*pointer.pointer, element.offset),
                                   element.type, isPoison);
    if (!lack_.empty())
      return;
    for (std::size_t i = 0; i < value.lanes(); ++i)
      lanes.push_back(value.lane(i));
    addMissing(choices, value.choices);
  }
  Value result = ofLanes(std::move(lanes));
  result.choices = std::move(choices);
  if (attributes != nullptr)
    restrict(attributes->result, type, result);
  values_[index] = std::move(result);
}

/// A byte of what ptrtoint makes of the pointer.
expr MemoryRun::addressByte(const PointerPart &part) {
  if (mayBeLocal(part.pointer))
    fail(std::string(readsBoth));
  if (!lack_.empty())
    return number(0, byteBits);
  const unsigned bytes = addressWidth / byteBits;
  const expr place =
      z3::zext(part.place - number(1, byteBits), addressWidth - byteBits);
  const expr nth =
      program_.bigEndian ? number(bytes - 1, addressWidth) - place : place;
  return z3::lshr(address(part.pointer), nth * number(byteBits, addressWidth))
      .extract(byteBits - 1, 0)
      .simplify();
}

/// An integer or a vector of some, poison where `isPoison` too.
MemoryRun::Value MemoryRun::loadNumber(const SymbolicPointer &place, Type type,
                                       const expr &isPoison) {
  const auto size = static_cast<unsigned>(corpus::storeSize(type));
  std::vector<Loaded> bytes; // the lowest first
  for (unsigned i = 0; i < size; ++i)
    bytes.push_back(
        byteAt(moved(place, program_.bigEndian ? size - 1 - i : i)));
  if (inputs_.holdsPointers())
    noteRead(place, size, false);
  for (Loaded &loaded : bytes) {
    if (!loaded.byte.part)
      continue;
    const expr isPart =
        (loaded.byte.part->place != number(0, byteBits)).simplify();
    if (inputs_.pointerBytes() == PointerBytes::asAddress) {
      readsPointerBytes_ = either(readsPointerBytes_, both(guard_, isPart));
      loaded.byte.bits =
          choose(isPart, addressByte(*loaded.byte.part), loaded.byte.bits);
    } else if (isPart.is_true()) {
      fail(std::string(readsBoth));
      return integer({number(0, 1), yes_});
    } else {
      puns_ = either(puns_, both(guard_, isPart));
    }
  }
  Value result = integer({bytes[0].byte.bits, no_});
  expr poison = bytes[0].byte.poison;
  expr uninit = bytes[0].byte.uninit;
  for (unsigned i = 0; i < size; ++i)
    addMissing(result.choices, bytes[i].choices);
  for (unsigned i = 1; i < size; ++i) {
    result.term.bits = z3::concat(bytes[i].byte.bits, result.term.bits);
    poison = z3::concat(bytes[i].byte.poison, poison);
    uninit = z3::concat(bytes[i].byte.uninit, uninit);
  }
  const unsigned width = type.bits();
  expr badType = no_;
  for (unsigned i = 0; i < size && width % byteBits == 0; ++i) {
    const expr &stored = bytes[i].byte.stored;
    badType = either(badType, (stored != number(0, tagWidth) &&
                               stored != number(Byte::anyType, tagWidth))
                                  .simplify());
  }
  if (width % byteBits != 0) {
    const unsigned high = size * byteBits - 1;
    const expr zero = number(0, high + 1 - width);
    const expr padding = result.term.bits.extract(high, width);
    const expr isNonZero =
        (padding != zero) || (poison.extract(high, width) != zero);
    for (unsigned i = 0; i < size; ++i) {
      const SymbolicByte &byte = bytes[i].byte;
      if (semantics_.padding == PaddingRule::zero) {
        badType = either(badType, isNonZero);
        // What is uninitialized may be anything.
        badType = either(badType, uninit.extract(high, width) != zero);
        break;
      }
      const expr isAny = byte.stored == number(Byte::anyType, tagWidth);
      const expr isFresh = byte.uninit == number(0xff, byteBits);
      const expr isSame = byte.stored == number(width * byteBits + i, tagWidth);
      badType = either(
          badType, (!(isSame || isFresh || (isAny && !isNonZero))).simplify());
    }
    result.term.bits = result.term.bits.extract(width - 1, 0);
    poison = poison.extract(width - 1, 0);
    uninit = uninit.extract(width - 1, 0);
  }
  poison = poison.simplify();
  uninit = uninit.simplify();
  expr bits = result.term.bits.simplify();
  const auto partOfLane = [&](const expr &all, unsigned lane) {
    const unsigned low = lowestBitOf(type, lane, program_.bigEndian);
    return all.extract(low + type.lane(0).width() - 1, low).simplify();
  };
  const LoadRule rule = uninitIsPoison(semantics_)
                            ? LoadRule::poison
                            : semantics_.uninitializedLoad;
  std::vector<Term> lanes;
  for (unsigned i = 0; i < type.lanes(); ++i) {
    const unsigned laneWidth = type.lane(0).width();
    const expr zero = number(0, laneWidth);
    const expr unwritten = partOfLane(uninit, i);
    const bool mayBeUninit = !(unwritten == zero).simplify().is_true();
    Term lane{
        partOfLane(bits, i),
        either((partOfLane(poison, i) != zero).simplify(), badType.simplify())};
    if (mayBeUninit && rule == LoadRule::poison) {
      lane.poison = either(lane.poison, (unwritten != zero).simplify());
    } else if (mayBeUninit) {
      const expr fill = fresh_.bits(laneWidth);
      (rule == LoadRule::undef ? result.choices : forks_).push_back(fill);
      lane.bits = ((lane.bits & ~unwritten) | (fill & unwritten)).simplify();
    }
    lane.poison = either(lane.poison, isPoison);
    lanes.push_back(std::move(lane));
  }
  Variables choices = std::move(result.choices);
  result = ofLanes(std::move(lanes));
  result.choices = std::move(choices);
  return result;
}

void MemoryRun::store(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const auto operands = program_.operandsOf(instruction);
  const Type type = operands[0].type;
  if (type.isPointer())
    return storePointer(instruction);
  if (!isInMemory(type))
    return fail(fmt::format("a value of type {} in memory", toString(type)));
  // Each store of an undef value is one of its own.
  const Value value = use(operands[0]);
  const Value pointer = place(operands[1]);
  if (!pointer.choices.empty())
    return fail("a store to one of several places");
  if (semantics_.storePoison == StorePoison::ub) {
    const Value pick = picked(value);
    for (std::size_t i = 0; i < pick.lanes(); ++i)
      addUb(pick.lane(i).poison, pick.choices);
  }
  const std::uint64_t size = sizeInMemory(type);
  access(pointer, size, instruction.alignment, true);
  std::size_t first = 0;
  std::uint64_t end = 0;
  const auto pad = [&](std::uint64_t until) {
    for (; end < until; ++end)
      write(moved(*pointer.pointer, end), unwrittenByte(), {}, pointer.basedOn);
  };
  for (const Element &element : elementsOf(type)) {
    pad(element.offset);
    end += corpus::storeSize(element.type);
    std::vector<Term> lanes;
    for (unsigned i = 0; i < element.type.lanes(); ++i)
      lanes.push_back(value.lane(first++));
    Value each = ofLanes(std::move(lanes));
    each.choices = value.choices;
    storeNumber(each, element.type, moved(*pointer.pointer, element.offset),
                pointer.basedOn);
  }
  pad(size);
}

/// An integer or a vector of some.
void MemoryRun::storeNumber(const Value &value, Type type,
                            const SymbolicPointer &place, const expr &basedOn) {
  const auto size = static_cast<unsigned>(corpus::storeSize(type));
  const unsigned width = type.bits();
  const unsigned padded = size * byteBits;
  const bool zeroes = semantics_.padding == PaddingRule::zero;
  const auto extend = [&](const expr &bits, bool ones) {
    return padded == width ? bits
           : ones
               ? z3::concat(number((std::uint64_t(1) << (padded - width)) - 1,
                                   padded - width),
                            bits)
               : z3::zext(bits, padded - width);
  };
  // The lowest lane first.
  std::optional<expr> allBits;
  std::optional<expr> allPoison;
  for (unsigned i = 0; i < type.lanes(); ++i) {
    const Type lane = type.lane(0);
    const Term &term =
        value.lane(program_.bigEndian ? type.lanes() - 1 - i : i);
    const expr flags = choose(term.poison, number(lane.mask(), lane.width()),
                              number(0, lane.width()));
    allBits = allBits ? z3::concat(term.bits, *allBits) : term.bits;
    allPoison = allPoison ? z3::concat(flags, *allPoison) : flags;
  }
  const expr bits = extend(*allBits, false);
  // LangRef of zext: a poison number is poison in all bits.
  const bool isZeroExtended = zeroes && padded != width && type.isInteger();
  const expr poison = isZeroExtended ? z3::sext(*allPoison, padded - width)
                                     : extend(*allPoison, false);
  const expr padding = extend(number(0, width), !zeroes);
  for (unsigned i = 0; i < size; ++i) {
    const unsigned low = i * byteBits;
    const auto part = [&](const expr &all) {
      return all.extract(low + byteBits - 1, low).simplify();
    };
    const std::uint64_t stored =
        width % byteBits == 0 || zeroes ? 0 : width * byteBits + i;
    const SymbolicByte byte{part(bits), part(poison), part(padding),
                            number(stored, tagWidth)};
    write(moved(place, program_.bigEndian ? size - 1 - i : i), byte,
          value.choices, basedOn);
  }
}

/// LangRef of `tail`: the callee does not touch locals of the caller.
void MemoryRun::refuseInTailCall(const Instruction &instruction,
                                 const Value &pointer) {
  const corpus::CallAttributes *attributes = attributesOf(instruction);
  if (attributes != nullptr && attributes->function.has(attribute::tail))
    addUb(z3::uge(pointer.pointer->block,
                  number(MemoryInputs::firstLocal, blockWidth))
              .simplify(),
          {});
}

/// Of a copy or fill, in 64 bits. Not to know it is UB.
expr MemoryRun::lengthOf(const Operand &operand) {
  const Value value = use(operand);
  if (!value.choices.empty())
    fail("a copy of undef length");
  addUb(value.term.poison, {});
  const unsigned width = operand.type.width();
  return width < addressWidth
             ? z3::zext(value.term.bits, addressWidth - width).simplify()
             : value.term.bits;
}

/// UB where a byte is in both, or, of the same place, where `isUbAtOnePlace`.
void MemoryRun::refuseOverlap(const Value &to, const Value &from,
                              const expr &written, const expr &read,
                              const expr &isUbAtOnePlace) {
  if (!intersect(to.pointer->candidates, from.pointer->candidates))
    return;
  const expr distance =
      inputs_.distance(from.pointer->offset, to.pointer->offset);
  const expr overlaps =
      both(either(isUbAtOnePlace, distance != number(0, addressWidth)),
           z3::ult(distance, read) || z3::ult(-distance, written));
  addUb(both(to.pointer->block == from.pointer->block, overlaps.simplify()),
        {});
}

void MemoryRun::copyRange(const Value &to, const Value &from,
                          const expr &length, bool mayOverlap) {
  constexpr std::ptrdiff_t mostCopies = 6; // each may be read through another
  if (std::count_if(writes_.begin(), writes_.end(), [](const Write &write) {
        return write.from.has_value();
      }) == mostCopies)
    return fail("more than 6 copies of unknown or large length");
  const expr isPoison = access(from, length, 1, false);
  access(to, length, 1, true);
  if (!mayOverlap)
    refuseOverlap(to, from, length, length, no_);
  const expr zero = number(0, byteBits);
  writes_.push_back({guard_,
                     *to.pointer,
                     false,
                     noCall,
                     {zero, zero, zero, number(0, tagWidth)},
                     {},
                     to.basedOn,
                     length,
                     *from.pointer,
                     isPoison});
}

void MemoryRun::copy(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const auto operands = program_.operandsOf(instruction);
  const expr length = lengthOf(operands[2]);
  const bool isLiterally0 =
      length.is_numeral() && length.get_numeral_uint64() == 0;
  if (isLiterally0)
    return;
  Value to = place(operands[0]);
  Value from = place(operands[1]);
  if (!to.choices.empty() || !from.choices.empty())
    return fail("a copy of one of several places");
  const expr before = guard_;
  guard_ = both(guard_, (length != number(0, addressWidth)).simplify());
  const corpus::CallAttributes *attributes = attributesOf(instruction);
  if (attributes != nullptr && !attributes->parameters.empty()) {
    restrict(attributes->parameters[0], operands[0].type, to);
    restrict(attributes->parameters[1], operands[1].type, from);
  }
  refuseInTailCall(instruction, to);
  refuseInTailCall(instruction, from);
  copyBytes(to, from, length, instruction.opcode == Opcode::memmove_);
  guard_ = before;
}

/// In a run where the length is not 0.
void MemoryRun::copyBytes(const Value &to, const Value &from,
                          const expr &length, bool mayOverlap) {
  if (!length.is_numeral() || length.get_numeral_uint64() > maximumCopy)
    return copyRange(to, from, length, mayOverlap);
  const std::uint64_t size = length.get_numeral_uint64();
  const expr isPoison = access(from, length, 1, false);
  access(to, length, 1, true);
  if (!mayOverlap)
    refuseOverlap(to, from, length, length, no_);
  std::vector<Loaded> bytes;
  for (std::uint64_t i = 0; i < size; ++i)
    bytes.push_back(byteAt(moved(*from.pointer, i)));
  // Of stored sets the copies are sets of their own, the same ones for all
  // bytes.
  Variables choices;
  for (const Loaded &loaded : bytes)
    addMissing(choices, loaded.choices);
  const Variables copies = copiesOf(choices, fresh_);
  for (std::uint64_t i = 0; i < size; ++i) {
    SymbolicByte byte = bytes[i].byte;
    Variables own;
    if (!bytes[i].choices.empty()) {
      byte.bits = substituted(byte.bits, choices, copies);
      byte.poison = substituted(byte.poison, choices, copies);
      own = copies;
    }
    if (!isPoison.is_false()) {
      byte.poison = choose(isPoison, number(0xff, byteBits), byte.poison);
      byte.uninit = choose(isPoison, number(0, byteBits), byte.uninit);
    }
    write(moved(*to.pointer, i), byte, own, to.basedOn);
  }
}

void MemoryRun::fill(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const auto operands = program_.operandsOf(instruction);
  const expr length = lengthOf(operands[2]);
  const bool isLiterally0 =
      length.is_numeral() && length.get_numeral_uint64() == 0;
  if (isLiterally0)
    return;
  Value to = place(operands[0]);
  if (!to.choices.empty())
    return fail("a memset of one of several places");
  const expr before = guard_;
  guard_ = both(guard_, (length != number(0, addressWidth)).simplify());
  const corpus::CallAttributes *attributes = attributesOf(instruction);
  if (attributes != nullptr && !attributes->parameters.empty())
    restrict(attributes->parameters[0], operands[0].type, to);
  refuseInTailCall(instruction, to);
  fillBytes(to, valueOf(operands[1]), length);
  guard_ = before;
}

/// In a run where the length is not 0.
void MemoryRun::fillBytes(const Value &to, const Value &value,
                          const expr &length) {
  if (semantics_.storePoison == StorePoison::ub) {
    const Value pick = picked(value);
    addUb(pick.term.poison, pick.choices);
  }
  access(to, length, 1, true);
  const auto byteOf = [&](const Value &each) {
    return SymbolicByte{
        each.term.bits,
        choose(each.term.poison, number(0xff, byteBits), number(0, byteBits)),
        number(0, byteBits), number(0, tagWidth)};
  };
  if (value.choices.empty()) {
    writes_.push_back({guard_,
                       *to.pointer,
                       false,
                       noCall,
                       byteOf(value),
                       {},
                       to.basedOn,
                       length});
  } else if (!length.is_numeral() ||
             length.get_numeral_uint64() > maximumCopy) {
    fail("a memset of unknown or large length with undef");
  } else {
    for (std::uint64_t i = 0; i < length.get_numeral_uint64(); ++i) {
      const Value each = picked(value);
      write(moved(*to.pointer, i), byteOf(each), each.choices, to.basedOn);
    }
  }
}

void MemoryRun::lifetime(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const unsigned id =
      blockOfLocal_.at(program_.operandsOf(instruction)[0].payload);
  Local &local = locals_.at(id);
  const bool starts = instruction.opcode == Opcode::lifetimeStart;
  local.isAlive = choose(guard_, starts ? yes_ : no_, local.isAlive).simplify();
  const expr zero = number(0, byteBits);
  writes_.push_back(
      {guard_,
       {number(id, blockWidth), number(0, addressWidth), {id}},
       true,
       noCall,
       {zero, zero, number(0xff, byteBits), number(Byte::anyType, tagWidth)},
       {},
       number(0, tagWidth)});
}

} // namespace checker::smt
