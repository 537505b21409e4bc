// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of the heap: a local that a run makes when it comes there, if the
// allocation does not fail, and that is dead once it was freed.
#include "checker/symbolic/memory_run.h"

#include "checker/memory/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace checker::smt {

using corpus::HeapFamily;
using corpus::Instruction;
using corpus::LibraryFunction;
using corpus::Operand;
using z3::expr;
namespace attribute = corpus::attribute;

namespace {

/// No allocation is larger.
constexpr std::uint64_t largestBlock = std::uint64_t(1) << 60;

} // namespace

std::optional<MemoryRun::HeapBlock> MemoryRun::returnedHeapBlock() const {
  if (!returned_ || !returned_->pointer)
    return std::nullopt;
  const SymbolicPointer &pointer = *returned_->pointer;
  if (std::none_of(pointer.candidates.begin(), pointer.candidates.end(),
                   [&](unsigned id) { return isHeap(id); }))
    return std::nullopt;
  const auto ofHeap = [&](const auto &get, const expr &otherwise) {
    return lookUp(pointer,
                  [&](unsigned id) {
                    return isHeap(id) ? get(locals_.at(id)) : otherwise;
                  })
        .simplify();
  };
  const expr isHeapBlock =
      both((pointer.block != number(0, blockWidth)).simplify(),
           ofHeap([&](const Local &) { return yes_; }, no_));
  return HeapBlock{both(isHeapBlock, isAlive(pointer)).simplify(),
                   ofHeap([](const Local &local) { return local.size; },
                          number(0, addressWidth)),
                   ofHeap(
                       [&](const Local &local) {
                         return number(static_cast<std::uint64_t>(local.family),
                                       byteBits);
                       },
                       number(0, byteBits)),
                   ofHeap(
                       [&](const Local &local) {
                         return number(local.alignment, addressWidth);
                       },
                       number(0, addressWidth))};
}

bool MemoryRun::mayShareHeap() const { return storesLocals_ || passesHeap_; }

/// A choice of the run. Whether memory is short is not for the source to say,
/// or else what needs an allocation, without looking at it, would be UB. Beside
/// calls, which look at memory before the source makes its choices, both sides
/// make the same ones.
expr MemoryRun::mayFail() {
  ++allocations_;
  if (inputs_.sharesAllocations())
    return inputs_.allocationFails(allocations_);
  const expr fails = fresh_.boolean();
  forks_.push_back(fails);
  return both(inputs_.someAllocationMayFail(), fails);
}

/// Poison, or one of several values, is UB, as in C.
expr MemoryRun::definedNumber(const Operand &operand) {
  Value value = valueOf(operand);
  restrict(attribute::noundef, operand.type, value);
  Variables zeros;
  for (const expr &choice : value.choices)
    zeros.push_back(zeroOf(choice));
  return substituted(value.term.bits, value.choices, zeros).simplify();
}

MemoryRun::Value MemoryRun::allocate(const expr &size, const expr &fails,
                                     std::uint32_t alignment,
                                     const LibraryFunction &function) {
  Value value = integer({number(0, addressWidth), no_});
  value.pointer = {number(0, blockWidth), value.term.bits, {0}};
  if (nextLocal_ >= MemoryInputs::firstLocal + mostLocals)
    fail(fmt::format("more than {} locals", mostLocals));
  if (fails.is_true() || !lack_.empty())
    return value;
  mayReuse_ = mayReuse_ || !freedOthers_.empty() ||
              std::any_of(reaches_.begin(), reaches_.end(),
                          [](const Reach &reach) { return reach.mayFree; });
  for (const auto &[id, local] : locals_)
    mayReuse_ = mayReuse_ || (isHeap(id) && !local.isAlive.is_true());
  const unsigned id = nextLocal_++;
  locals_.emplace(id,
                  Local{size, usualBase(id), false, alignment, function.family,
                        false, yes_, no_, no_, no_, number(0, blockWidth)});
  value.pointer->block =
      choose(fails, number(0, blockWidth), number(id, blockWidth));
  value.pointer->candidates.insert(id);
  if (fails.is_false())
    value.pointer->candidates.erase(0);
  const expr zero = number(0, byteBits);
  if (function.isZeroed)
    writes_.push_back({guard_,
                       {number(id, blockWidth), number(0, addressWidth), {id}},
                       true,
                       noCall,
                       {zero, zero, zero, number(0, tagWidth)},
                       {},
                       number(0, tagWidth)});
  return value;
}

/// Null is left alone. Anything else that is no live block of the family, at
/// its begin, is UB.
void MemoryRun::free(const Value &value, HeapFamily family) {
  const SymbolicPointer &pointer = *value.pointer;
  addUb(value.term.poison, {});
  const expr atBegin = (pointer.offset == number(0, addressWidth)).simplify();
  // By its address: who compares with null does not ask for the block.
  const expr addressIsNull = lookUp(pointer, [&](unsigned id) {
    return id == 0 || id >= MemoryInputs::firstLocal
               ? no_
               : inputs_.blocks().at(id).base + pointer.offset ==
                     number(0, addressWidth);
  });
  const expr hasNoBlock = (pointer.block == number(0, blockWidth)).simplify();
  const expr isNull =
      either(both(hasNoBlock, atBegin), both(negate(hasNoBlock), addressIsNull))
          .simplify();
  const expr isFree = lookUp(pointer, [&](unsigned id) {
    if (id == 0 ||
        (id >= MemoryInputs::firstGlobal && id < MemoryInputs::firstLocal))
      return no_;
    if (id >= MemoryInputs::firstLocal)
      return locals_.at(id).family == family ? yes_ : no_;
    return (inputs_.heapFamily(id) ==
            number(static_cast<std::uint64_t>(family), byteBits));
  });
  const expr isRight =
      both(both(atBegin, (pointer.block != number(0, blockWidth)).simplify()),
           both(isFree, isAlive(pointer)));
  addUb(negate(either(isNull, isRight)).simplify(), {});

  const expr before = guard_;
  guard_ = both(guard_, negate(isNull)).simplify();
  const auto isOther = [](unsigned id) {
    return id != 0 && id < MemoryInputs::firstLocal;
  };
  const expr ofOthers =
      z3::ult(pointer.block, number(MemoryInputs::firstLocal, blockWidth))
          .simplify();
  const bool mayBeOther = std::any_of(pointer.candidates.begin(),
                                      pointer.candidates.end(), isOther);
  const auto &parameters = program_.signature.parameters;
  if (mayBeOther) {
    if (program_.signature.function.has(attribute::nofree))
      addUb(ofOthers, {});
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i].attributes.has(attribute::nofree | attribute::readonly |
                                       attribute::readnone))
        addUb(both(ofOthers,
                   (value.basedOn & number(std::uint64_t(1) << i, tagWidth)) !=
                       number(0, tagWidth))
                  .simplify(),
              {});
    SymbolicPointer block = pointer;
    block.offset = number(0, addressWidth);
    noteAccess({guard_, block, number(largestBlock, addressWidth),
                value.basedOn, true});
  }
  for (const unsigned id : pointer.candidates) {
    const expr here =
        both(guard_, (pointer.block == number(id, blockWidth)).simplify())
            .simplify();
    if (id >= MemoryInputs::firstLocal) {
      Local &local = locals_.at(id);
      local.isAlive = both(local.isAlive, negate(here)).simplify();
    } else if (isOther(id) && id < MemoryInputs::firstGlobal) {
      const auto [freed, isFirst] = freedOthers_.emplace(id, here);
      if (!isFirst)
        freed->second = either(freed->second, here);
    }
  }
  guard_ = before;
  if (mayBeOther && semantics_.deref == DerefRule::scope)
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i].attributes.has(attribute::dereferenceable))
        addUb(negate(isAlive(*arguments_[i].pointer)), {});
}

void MemoryRun::heapCall(std::size_t index, const LibraryFunction &function) {
  const Instruction &instruction = program_.instructions[index];
  const corpus::Callee &callee = program_.callees[instruction.callee];
  const auto operands = program_.operandsOf(instruction);
  // To allocate is to write inaccessible memory, to free to write the block.
  if (program_.signature.function.has(
          attribute::memory | attribute::memoryRead | attribute::memoryNone))
    return fail("the heap in a function that may not access all memory");
  static const corpus::CallAttributes none;
  const corpus::CallAttributes *here = attributesOf(instruction);
  const corpus::CallAttributes &site = here == nullptr ? none : *here;
  const auto argument = [&](std::size_t i) {
    Value value = valueOf(operands[i]);
    restrict(callee.signature.parameters[i].attributes, operands[i].type,
             value);
    if (!site.parameters.empty())
      restrict(site.parameters[i], operands[i].type, value);
    if (!value.choices.empty())
      fail("one of several pointers is freed");
    return value;
  };
  if (function.action == corpus::LibraryAction::free)
    return free(argument(0), function.family);
  expr size = definedNumber(operands[function.size]);
  expr isTooLarge = z3::ugt(size, number(largestBlock, addressWidth));
  if (function.count != LibraryFunction::noOperand) {
    const expr count = definedNumber(operands[function.count]);
    isTooLarge =
        either(negate(z3::bvmul_no_overflow(size, count, false)),
               z3::ugt(size * count, number(largestBlock, addressWidth)));
    size = (size * count).simplify();
  }
  isTooLarge = isTooLarge.simplify();
  std::uint64_t alignment = corpus::heapAlignment;
  if (function.alignment != LibraryFunction::noOperand) {
    const expr wanted = definedNumber(operands[function.alignment]);
    if (!wanted.is_numeral() ||
        !std::has_single_bit(wanted.get_numeral_uint64()) ||
        wanted.get_numeral_uint64() > (std::uint64_t(1) << 30))
      return fail("an allocation of unknown or large alignment");
    alignment = std::max(alignment, wanted.get_numeral_uint64());
  }
  for (const corpus::Attributes *each :
       {&callee.signature.result, &site.result})
    if (each->has(attribute::align) &&
        each->valueOf(attribute::align).low > alignment)
      return fail("a block of the heap with a larger alignment");
  expr fails = isTooLarge;
  if (function.mayFail && !isTooLarge.is_true())
    fails = either(isTooLarge, mayFail());
  else if (!function.mayFail)
    addUb(isTooLarge, {});
  std::optional<Value> old;
  expr isNull = yes_;
  if (function.action == corpus::LibraryAction::reallocate) {
    // Whether it frees the block if the size is 0 is for C libraries to say.
    if (!size.is_numeral() || size.get_numeral_uint64() == 0)
      return fail("a reallocation to a size that may be 0");
    old = argument(0);
    if (mayBeGiven(*old->pointer))
      return fail("a reallocation of a block that is not the function's own");
    isNull = both((old->pointer->block == number(0, blockWidth)).simplify(),
                  (old->pointer->offset == number(0, addressWidth)).simplify());
  }
  Value value =
      allocate(size, fails, static_cast<std::uint32_t>(alignment), function);
  if (!lack_.empty())
    return;
  if (old) {
    const expr before = guard_;
    guard_ = both(guard_, negate(fails)).simplify();
    if (!fails.is_true() && !isNull.is_true()) {
      const unsigned id = nextLocal_ - 1;
      const expr oldSize = lookUp(*old->pointer, [&](unsigned each) {
        return each == 0 ? number(0, addressWidth) : locals_.at(each).size;
      });
      const expr zero = number(0, byteBits);
      writes_.push_back(
          {both(guard_, negate(isNull)).simplify(),
           {number(id, blockWidth), number(0, addressWidth), {id}},
           false,
           noCall,
           {zero, zero, zero, number(0, tagWidth)},
           {},
           number(0, tagWidth),
           z3::ite(z3::ult(oldSize, size), oldSize, size).simplify(),
           *old->pointer});
    }
    free(*old, function.family);
    guard_ = before;
  }
  for (const corpus::Attributes *each :
       {&callee.signature.result, &site.result, &callee.signature.result})
    restrict(*each, instruction.type, value);
  values_[index] = std::move(value);
}

} // namespace checker::smt
