// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/memory_inputs.h"

#include "checker/memory/memory.h"
#include "corpus/program/library.h"

#include <algorithm>
#include <fmt/format.h>

namespace checker::smt {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Program;
using corpus::Type;
using z3::expr;

namespace {

/// Pointers that come of memory, of a call or of a number.
unsigned unknownPointersIn(const Program &program) {
  return static_cast<unsigned>(
      std::count_if(program.instructions.begin(), program.instructions.end(),
                    [&](const Instruction &instruction) {
                      return instruction.type.isPointer() &&
                             (instruction.opcode == Opcode::load ||
                              instruction.opcode == Opcode::inttoptr ||
                              instruction.opcode == Opcode::call) &&
                             !corpus::libraryFunctionOf(program, instruction);
                    }));
}

/// In a loop one may be made again.
unsigned callsForObjects(const Program &program) {
  constexpr unsigned mostInLoop = 4;
  unsigned count = 0;
  for (const auto &[call, isInLoop] : corpus::callsIn(program))
    if (returnsObject(program, *call))
      count += isInLoop ? mostInLoop : 1;
  return count;
}

bool storesPointers(const Program &program) {
  return std::any_of(
      program.instructions.begin(), program.instructions.end(),
      [&](const Instruction &instruction) {
        return instruction.opcode == Opcode::store &&
               program.operandsOf(instruction)[0].type.isPointer();
      });
}

bool loadsPointers(const Program &program) {
  return std::any_of(program.instructions.begin(), program.instructions.end(),
                     [](const Instruction &instruction) {
                       return instruction.opcode == Opcode::load &&
                              instruction.type.isPointer();
                     });
}

/// A term of 64 bits, without its literal summand.
struct Sum {
  expr term;
  std::uint64_t literal;
};

Sum sumOf(const expr &number) {
  z3::context &context = number.ctx();
  const expr simple = number.simplify();
  Sum sum{context.bv_val(0, addressWidth), 0};
  if (simple.is_numeral()) {
    sum.literal = simple.get_numeral_uint64();
    return sum;
  }
  if (!simple.is_app() || simple.decl().decl_kind() != Z3_OP_BADD)
    return {simple, 0};
  for (unsigned i = 0; i < simple.num_args(); ++i) {
    const expr each = simple.arg(i);
    if (each.is_numeral())
      sum.literal += each.get_numeral_uint64();
    else
      sum.term = sum.term.is_numeral() ? each : sum.term + each;
  }
  return sum;
}

} // namespace

bool returnsObject(const Program &program, const Instruction &call) {
  namespace attribute = corpus::attribute;
  return program.callees[call.callee].signature.result.has(
             attribute::noalias) ||
         (call.attributes != Instruction::noAttributes &&
          program.callAttributes[call.attributes].result.has(
              attribute::noalias));
}

bool intersect(const std::set<unsigned> &a, const std::set<unsigned> &b) {
  return std::any_of(a.begin(), a.end(),
                     [&](unsigned block) { return b.contains(block); });
}

void SymbolicByte::poisonUninit() {
  poison = poison | uninit;
  uninit = uninit.ctx().bv_val(0, byteBits);
}

void SymbolicByte::fillUninit(const expr &pick) {
  bits = (bits & ~uninit) | (pick & uninit);
  uninit = uninit.ctx().bv_val(0, byteBits);
}

PointerPart noPart(z3::context &context) {
  return {context.bv_val(0, byteBits),
          {context.bv_val(0, blockWidth), context.bv_val(0, addressWidth), {}}};
}

bool mayBeLocal(const SymbolicPointer &pointer) {
  return !pointer.candidates.empty() &&
         *pointer.candidates.rbegin() >= MemoryInputs::firstLocal;
}

bool mayBeGiven(const SymbolicPointer &pointer) {
  return std::any_of(
      pointer.candidates.begin(), pointer.candidates.end(),
      [](unsigned id) { return id != 0 && id < MemoryInputs::firstLocal; });
}

MemoryInputs::Scope MemoryInputs::scopeOf(const expr &term) {
  const auto known = scopes_.find(Z3_get_ast_id(term.ctx(), term));
  if (known != scopes_.end())
    return known->second;
  Scope scope;
  // Known ones were entered when they were made.
  scope.picks =
      !term.is_app() || (term.is_const() && !term.is_numeral() &&
                         term.decl().decl_kind() == Z3_OP_UNINTERPRETED);
  for (unsigned i = 0; term.is_app() && i < term.num_args(); ++i)
    scope = scope | scopeOf(term.arg(i));
  scoped_.push_back(term);
  scopes_.emplace(Z3_get_ast_id(term.ctx(), term), scope);
  return scope;
}

expr MemoryInputs::distance(const expr &from, const expr &to) {
  z3::context &context = fresh_.context();
  const auto number = [&](std::uint64_t value) {
    return context.bv_val(value, addressWidth);
  };
  const Sum a = sumOf(from);
  const Sum b = sumOf(to);
  if (z3::eq(a.term, b.term))
    return number(b.literal - a.literal);
  const Scope scope = scopeOf(a.term) | scopeOf(b.term);
  if (a.term.is_numeral() || b.term.is_numeral() || scope.picks)
    return (to - from).simplify();
  const auto idOf = [](const expr &term) {
    return Z3_get_ast_id(term.ctx(), term);
  };
  const auto reverse = distances_.find({idOf(b.term), idOf(a.term)});
  if (reverse != distances_.end())
    return (number(b.literal - a.literal) - reverse->second).simplify();
  const auto known = distances_.find({idOf(a.term), idOf(b.term)});
  if (known != distances_.end())
    return (known->second + number(b.literal - a.literal)).simplify();
  const expr variable =
      fresh(addressWidth, scope.later ? laterVariables_ : variables_);
  // So that Z3 puts the sum in the place of a variable of the program's, and
  // not the difference in the place of this one.
  assume(b.term == a.term + variable);
  distances_.emplace(std::pair(idOf(a.term), idOf(b.term)), variable);
  return (variable + number(b.literal - a.literal)).simplify();
}

expr MemoryInputs::samePlace(const SymbolicPointer &a,
                             const SymbolicPointer &b) {
  z3::context &context = fresh_.context();
  if (!intersect(a.candidates, b.candidates))
    return context.bool_val(false);
  // Equality alone needs no subtraction.
  const Sum one = sumOf(a.offset);
  const Sum other = sumOf(b.offset);
  expr offsets =
      (one.literal == other.literal
           ? one.term == other.term
           : distance(a.offset, b.offset) == context.bv_val(0, addressWidth))
          .simplify();
  if (offsets.is_false() || z3::eq(a.block, b.block))
    return offsets;
  return both((a.block == b.block).simplify(), offsets);
}

MemoryInputs::MemoryInputs(const Program &source, const Program &target,
                           const Semantics &semantics, FreshVariables &fresh,
                           PointerBytes pointerBytes)
    : semantics_(semantics), fresh_(fresh),
      pointerBytes_(pointerBytes), location_{fresh.bits(blockWidth),
                                             fresh.bits(addressWidth),
                                             {}},
      assumptions_(fresh.context().bool_val(true)),
      types_(fresh.context().bool_val(true)) {
  z3::context &context = fresh.context();
  for (const Program *program : {&source, &target})
    nullIsValid_ |=
        program->signature.function.has(corpus::attribute::nullPointerIsValid);
  for (const expr &each : {location_.block, location_.offset})
    added(each, laterVariables_);
  unsigned nextGlobal = firstGlobal;
  for (const Program *program : {&source, &target})
    for (const corpus::Global &global : program->globals)
      if (globals_.emplace(global.name, nextGlobal).second) {
        if (!global.contents.empty())
          contents_[nextGlobal] = global.contents;
        addBlock(nextGlobal++, &global);
      }
  const bool mayBePoison = semantics.inputs != Inputs::defined;
  std::set<unsigned> candidates = {0};
  for (const auto &[id, block] : blocks_)
    candidates.insert(id);
  for (const corpus::Parameter &parameter : source.signature.parameters) {
    const auto freshLane = [&](unsigned width) {
      Term term{this->fresh(width), context.bool_val(false)};
      if (mayBePoison)
        term.poison = freshBoolean();
      return term;
    };
    const Type first = parameter.type.lane(0);
    Argument argument{
        freshLane(first.isPointer() ? addressWidth : first.width()),
        {context.bv_val(0, blockWidth), context.bv_val(0, addressWidth), {}},
        {}};
    for (unsigned i = 1; i < parameter.type.lanes(); ++i)
      argument.rest.push_back(freshLane(parameter.type.lane(i).width()));
    if (parameter.type.isPointer()) {
      const auto id = static_cast<unsigned>(arguments_.size() + 1);
      addBlock(id, nullptr);
      candidates.insert(id);
      argument.pointer = {this->fresh(blockWidth), argument.term.bits,
                          candidates};
      expr isOne = context.bool_val(false);
      for (const unsigned each : candidates)
        isOne =
            isOne || argument.pointer.block == context.bv_val(each, blockWidth);
      assume(isOne);
      keepFromLocals(argument.pointer);
    }
    arguments_.push_back(std::move(argument));
  }
  constexpr unsigned mostPointers = 24;
  const unsigned unknown = unknownPointersIn(source) +
                           unknownPointersIn(target) + (nullIsValid_ ? 1 : 0);
  hasManyPointers_ = unknown > mostPointers;
  const auto first = static_cast<unsigned>(arguments_.size() + 1);
  nextObject_ = first + std::min(unknown, mostPointers);
  endOfObjects_ = nextObject_;
  constexpr unsigned mostObjects = 8;
  if (!nullIsValid_)
    endOfObjects_ += std::min(mostObjects, std::max(callsForObjects(source),
                                                    callsForObjects(target)));
  for (unsigned id = first; id < endOfObjects_; ++id)
    addBlock(id, nullptr);
  sharesAllocations_ =
      !corpus::callsIn(source).empty() || !corpus::callsIn(target).empty();
  for (const Program *program : {&source, &target})
    holdsPointers_ =
        holdsPointers_ || storesPointers(*program) || loadsPointers(*program);
  // Of locals only those that a call was given: others are numbered by either
  // side for itself.
  assume(z3::ult(location_.block, context.bv_val(firstLocal, blockWidth)) ||
         z3::uge(location_.block, context.bv_val(firstGiven, blockWidth)));
  // Valid bytes only; of locals whoever matches them says so.
  for (const auto &[id, block] : blocks_) {
    location_.candidates.insert(id);
    assume(location_.block != context.bv_val(id, blockWidth) ||
           z3::ult(location_.offset, block.size));
  }
}

/// Its address is not among those of locals.
void MemoryInputs::keepFromLocals(const SymbolicPointer &pointer) {
  z3::context &context = fresh_.context();
  for (const unsigned each : pointer.candidates) {
    const expr address =
        each == 0 ? pointer.offset : blocks_.at(each).base + pointer.offset;
    assume(pointer.block != context.bv_val(each, blockWidth) ||
           z3::ult(address, context.bv_val(localsBegin, addressWidth)) ||
           z3::uge(address, context.bv_val(localsEnd, addressWidth)));
  }
}

/// Into any block that is not local, or into none.
SymbolicPointer MemoryInputs::anyPointer(Variables &variables) {
  z3::context &context = fresh_.context();
  SymbolicPointer pointer{
      fresh(blockWidth, variables), fresh(addressWidth, variables), {0}};
  expr isOne = pointer.block == context.bv_val(0, blockWidth);
  for (const auto &[id, block] : blocks_) {
    if (id >= nextObject_ && id < endOfObjects_)
      continue;
    pointer.candidates.insert(id);
    isOne = isOne || pointer.block == context.bv_val(id, blockWidth);
  }
  assume(isOne);
  keepFromLocals(pointer);
  return pointer;
}

/// Of null_pointer_is_valid: what lies at address 0, if anything does.
const SymbolicPointer &MemoryInputs::nullPointer() {
  if (null_)
    return *null_;
  z3::context &context = fresh_.context();
  const expr zero = context.bv_val(0, addressWidth);
  null_ = {context.bv_val(0, blockWidth), zero, {0}};
  if (!nullIsValid_)
    return *null_;
  null_->block = fresh(blockWidth);
  expr isNone = context.bool_val(true);
  for (const auto &[id, block] : blocks_) {
    const expr isHere = block.base == zero && block.size != zero;
    isNone = isNone && !isHere;
    assume(!isHere || null_->block == context.bv_val(id, blockWidth));
    null_->candidates.insert(id);
  }
  assume(!isNone || null_->block == context.bv_val(0, blockWidth));
  return *null_;
}

std::optional<SymbolicPointer> MemoryInputs::pointerTo(const expr &address) {
  z3::context &context = fresh_.context();
  const Scope scope = scopeOf(address);
  if (scope.later || scope.picks)
    return std::nullopt;
  const expr zero = context.bv_val(0, addressWidth);
  if (z3::eq(address, zero))
    return nullPointer();
  for (const auto &[known, pointer] : pointersTo_)
    if (z3::eq(known, address))
      return pointer;
  SymbolicPointer pointer{fresh(blockWidth), fresh(addressWidth), {0}};
  const expr isNone = pointer.block == context.bv_val(0, blockWidth);
  expr isOne = isNone;
  assume(!isNone || pointer.offset == address);
  for (const auto &[id, block] : blocks_) {
    pointer.candidates.insert(id);
    const expr isHere = pointer.block == context.bv_val(id, blockWidth);
    isOne = isOne || isHere;
    // The end of one may be where another begins.
    const expr offset = (address - block.base).simplify();
    assume(!isHere ||
           (pointer.offset == offset && z3::ule(offset, block.maximum)));
    assume(isHere || isNone || z3::uge(offset, block.size));
  }
  assume(isOne);
  for (const auto &[known, other] : pointersTo_)
    assume(known != address ||
           (other.block == pointer.block && other.offset == pointer.offset));
  pointersTo_.emplace_back(address, pointer);
  return pointer;
}

/// Into a block that no pointer so far is to, or into none. What calls leave
/// and return from here on may be to it too, whether they know it or not.
/// Nothing if there are too many.
std::optional<SymbolicPointer> MemoryInputs::newObject() {
  if (nextObject_ == endOfObjects_)
    return std::nullopt;
  z3::context &context = fresh_.context();
  const unsigned id = nextObject_++;
  SymbolicPointer pointer{fresh(blockWidth), fresh(addressWidth), {0, id}};
  assume(pointer.block == context.bv_val(id, blockWidth) ||
         pointer.block == context.bv_val(0, blockWidth));
  keepFromLocals(pointer);
  return pointer;
}

const MemoryInputs::Argument &
MemoryInputs::pointerResult(std::size_t epoch, const std::string &callee,
                            bool isNoalias) {
  const auto found = pointerResults_.find({epoch, callee});
  if (found != pointerResults_.end())
    return found->second;
  std::optional<SymbolicPointer> object;
  if (isNoalias)
    object = newObject();
  const SymbolicPointer pointer = object ? *object : anyPointer(variables_);
  const expr poison = semantics_.inputs == Inputs::defined
                          ? fresh_.context().bool_val(false)
                          : freshBoolean();
  return pointerResults_
      .emplace(std::pair(epoch, callee),
               Argument{{pointer.offset, poison}, pointer, {}, isNoalias})
      .first->second;
}

expr MemoryInputs::freshBoolean(Variables &variables) {
  return added(fresh_.boolean(), variables);
}

expr MemoryInputs::isFreed(std::size_t epoch, unsigned block) {
  const auto found = freed_.find({epoch, block});
  if (found != freed_.end())
    return found->second;
  return freed_.emplace(std::pair(epoch, block), freshBoolean()).first->second;
}

expr MemoryInputs::isTouched(std::size_t epoch, std::size_t parameter) {
  const auto found = touched_.find({epoch, parameter});
  if (found != touched_.end())
    return found->second;
  return touched_.emplace(std::pair(epoch, parameter), freshBoolean())
      .first->second;
}

expr MemoryInputs::heapFamily(unsigned block) {
  const auto found = heapFamilies_.find(block);
  if (found != heapFamilies_.end())
    return found->second;
  const expr family = fresh(byteBits);
  assume(
      z3::ule(family, fresh_.context().bv_val(
                          static_cast<unsigned>(corpus::HeapFamily::newArray),
                          byteBits)));
  return heapFamilies_.emplace(block, family).first->second;
}

std::optional<unsigned> MemoryInputs::nameOfCaptured(std::size_t epoch,
                                                     std::size_t argument) {
  const auto found = captured_.find({epoch, argument});
  if (found != captured_.end())
    return found->second;
  if (captured_.size() == mostPassed)
    return std::nullopt;
  const auto name = static_cast<unsigned>(firstPassed + captured_.size());
  captured_.emplace(std::pair(epoch, argument), name);
  return name;
}

expr MemoryInputs::someAllocationMayFail() {
  if (!someAllocationMayFail_)
    someAllocationMayFail_ = freshBoolean();
  return *someAllocationMayFail_;
}

expr MemoryInputs::allocationFails(std::size_t index) {
  const auto found = allocationFails_.find(index);
  if (found != allocationFails_.end())
    return found->second;
  return allocationFails_.emplace(index, freshBoolean()).first->second;
}

Term MemoryInputs::result(std::size_t epoch, const std::string &callee,
                          unsigned width) {
  const auto key = std::tuple(epoch, callee, width);
  const auto found = results_.find(key);
  if (found != results_.end())
    return found->second;
  Term term{fresh(width), fresh_.context().bool_val(false)};
  if (semantics_.inputs != Inputs::defined)
    term.poison = freshBoolean();
  return results_.emplace(key, std::move(term)).first->second;
}

SymbolicByte MemoryInputs::initial(const SymbolicPointer &pointer, Side side,
                                   std::size_t epoch) {
  return read(pointer, side, epoch).byte;
}

expr MemoryInputs::isKept(const SymbolicPointer &pointer, Side side,
                          std::size_t epoch) {
  return read(pointer, side, epoch).isKept;
}

expr MemoryInputs::fresh(unsigned width, Variables &variables) {
  return added(fresh_.bits(width), variables);
}

expr MemoryInputs::added(const expr &variable, Variables &variables) {
  variables.push_back(variable);
  scoped_.push_back(variable);
  scopes_.insert_or_assign(Z3_get_ast_id(variable.ctx(), variable),
                           Scope{&variables == &laterVariables_, false});
  return variable;
}

void MemoryInputs::addBlock(unsigned id, const corpus::Global *global) {
  z3::context &context = fresh_.context();
  const auto number = [&](std::uint64_t value) {
    return context.bv_val(value, addressWidth);
  };
  Block block{fresh(addressWidth), number(0), number(0),
              context.bool_val(true)};
  if (global != nullptr) {
    block.size = block.maximum =
        number(global->count * corpus::allocationSize(global->type));
    block.writable = context.bool_val(!global->isConstant);
    assume((block.base & number(global->alignment - 1)) == number(0));
  } else {
    block.size = fresh(addressWidth);
    block.maximum = fresh(addressWidth);
    block.writable = freshBoolean();
    assume(z3::ule(block.size, block.maximum));
    assume(z3::ule(block.maximum, number(std::uint64_t(1) << 60)));
  }
  const expr end = block.base + block.maximum;
  assume(z3::uge(end, block.base));
  if (global != nullptr || !nullIsValid_)
    assume(block.base != number(0));
  assume(z3::ule(end, number(localsBegin)) ||
         z3::uge(block.base, number(localsEnd)));
  for (const auto &[other, with] : blocks_)
    assume(z3::ule(end, with.base) ||
           z3::ule(with.base + with.maximum, block.base));
  blocks_.emplace(id, std::move(block));
}

/// Of a constant, where both are known.
std::optional<std::uint8_t>
MemoryInputs::contentAt(const SymbolicPointer &pointer) const {
  if (!pointer.block.is_numeral() || !pointer.offset.is_numeral())
    return std::nullopt;
  const auto found =
      contents_.find(static_cast<unsigned>(pointer.block.get_numeral_uint64()));
  const std::uint64_t offset = pointer.offset.get_numeral_uint64();
  if (found == contents_.end() || offset >= found->second.size())
    return std::nullopt;
  return found->second[offset];
}

/// What stands where a run of the source picks, or where the byte that is
/// compared is, is no input but a function of the place: a variable that is
/// chosen after the picks are, and is what was fixed before in the same place.
const MemoryInputs::Read &MemoryInputs::read(const SymbolicPointer &pointer,
                                             Side side, std::size_t epoch) {
  z3::context &context = fresh_.context();
  const auto number = [&](std::uint64_t value, unsigned width) {
    return context.bv_val(value, width);
  };
  for (const Read &read : reads_)
    if (read.epoch == epoch && z3::eq(read.pointer.block, pointer.block) &&
        z3::eq(read.pointer.offset, pointer.offset))
      return read;
  if (const auto literal = contentAt(pointer); literal && epoch == 0) {
    SymbolicByte byte{number(*literal, byteBits), number(0, byteBits),
                      number(0, byteBits), number(Byte::anyType, tagWidth)};
    if (holdsPointers_)
      byte.part = noPart(context);
    reads_.push_back({epoch, pointer, byte, context.bool_val(false)});
    return reads_.back();
  }
  const Scope scope = scopeOf(pointer.block) | scopeOf(pointer.offset);
  const bool isPicked = scope.picks && side == Side::source;
  isReadWherePicked_ = isReadWherePicked_ || isPicked;
  Variables &variables = scope.later || isPicked ? laterVariables_ : variables_;
  const expr zero = number(0, byteBits);
  SymbolicByte byte{fresh(byteBits, variables), zero, zero,
                    number(Byte::anyType, tagWidth)};
  if (semantics_.inputs != Inputs::defined) {
    if (semantics_.memoryPoison == MemoryPoison::bit) {
      byte.poison = fresh(byteBits, variables);
    } else {
      const expr isPoison = freshBoolean(variables);
      byte.poison = z3::ite(isPoison, number(0xff, byteBits), zero);
    }
  }
  if (holdsPointers_) {
    byte.part = PointerPart{fresh(byteBits, variables), anyPointer(variables)};
    const expr isNone = byte.part->place == zero;
    assume(isNone || (byte.bits == zero &&
                      z3::ule(byte.part->place, number(8, byteBits)) &&
                      (byte.part->pointer.block != number(0, blockWidth) ||
                       byte.part->pointer.offset != number(0, addressWidth))));
  }
  const expr isKept =
      epoch == 0 ? context.bool_val(false) : freshBoolean(variables);
  for (const Read &read : reads_) {
    if (read.epoch != epoch)
      continue;
    const expr same = samePlace(read.pointer, pointer);
    if (!same.is_false())
      assume(!same ||
             (read.byte.bits == byte.bits && read.byte.poison == byte.poison &&
              read.isKept == isKept));
    if (!same.is_false() && byte.part)
      assume(!same ||
             (read.byte.part->place == byte.part->place &&
              read.byte.part->pointer.block == byte.part->pointer.block &&
              read.byte.part->pointer.offset == byte.part->pointer.offset));
  }
  for (const auto &[id, contents] : contents_) {
    if (!pointer.candidates.contains(id) || epoch != 0)
      continue;
    for (std::size_t i = 0; i < contents.size(); ++i) {
      const expr same =
          both((pointer.block == number(id, blockWidth)).simplify(),
               (pointer.offset == number(i, addressWidth)).simplify());
      if (!same.is_false())
        assume(!same || (byte.bits == number(contents[i], byteBits) &&
                         byte.poison == zero &&
                         (byte.part ? byte.part->place : zero) == zero));
    }
  }
  reads_.push_back({epoch, pointer, byte, isKept});
  return reads_.back();
}

} // namespace checker::smt
