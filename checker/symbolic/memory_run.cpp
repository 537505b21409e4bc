// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/memory_run.h"

#include "checker/core/elaborate.h"
#include "checker/exact/lanes.h"
#include "checker/memory/memory.h"
#include "corpus/program/graph.h"
#include "corpus/program/shape.h"

#include <fmt/format.h>

#include <algorithm>

namespace checker::smt {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;
using z3::expr;
namespace attribute = corpus::attribute;
namespace effect = corpus::memory;

namespace {

constexpr unsigned byteBits = 8;
constexpr unsigned blockWidth = 8;
constexpr unsigned tagWidth = 16;
constexpr unsigned addressWidth = Type::pointerWidth;
/// Locals lie here, and nothing else does.
constexpr std::uint64_t localsBegin = std::uint64_t(1) << 62;
constexpr std::uint64_t localsEnd = localsBegin + (std::uint64_t(1) << 48);
constexpr std::uint64_t localDistance = std::uint64_t(1) << 34;
/// Bytes that a copy is made of one by one, and writes of one run.
constexpr std::uint64_t maximumCopy = 64;
constexpr std::size_t maximumWrites = 2000;

bool intersect(const std::set<unsigned> &a, const std::set<unsigned> &b) {
  return std::any_of(a.begin(), a.end(),
                     [&](unsigned block) { return b.contains(block); });
}

bool isLiteral(const expr &term) { return term.is_numeral(); }

/// Pointers that come of memory or of a call.
unsigned unknownPointersIn(const Program &program) {
  return static_cast<unsigned>(
      std::count_if(program.instructions.begin(), program.instructions.end(),
                    [](const Instruction &instruction) {
                      return instruction.type.isPointer() &&
                             (instruction.opcode == Opcode::load ||
                              instruction.opcode == Opcode::call);
                    }));
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

void append(Variables &to, const Variables &from) {
  for (const expr &each : from)
    if (std::none_of(to.begin(), to.end(),
                     [&](const expr &e) { return z3::eq(e, each); }))
      to.push_back(each);
}

} // namespace

namespace {

/// A term of 64 bits, without its literal summand.
struct Sum {
  expr term;
  std::uint64_t literal;
};

Sum sumOf(const expr &number) {
  z3::context &context = number.ctx();
  const expr simple = number.simplify();
  Sum sum{context.bv_val(0, addressWidth), 0};
  if (isLiteral(simple)) {
    sum.literal = simple.get_numeral_uint64();
    return sum;
  }
  if (!simple.is_app() || simple.decl().decl_kind() != Z3_OP_BADD)
    return {simple, 0};
  for (unsigned i = 0; i < simple.num_args(); ++i) {
    const expr each = simple.arg(i);
    if (isLiteral(each))
      sum.literal += each.get_numeral_uint64();
    else
      sum.term = isLiteral(sum.term) ? each : sum.term + each;
  }
  return sum;
}

} // namespace

MemoryInputs::Scope MemoryInputs::scopeOf(const expr &term) {
  const auto known = scopes_.find(Z3_get_ast_id(term.ctx(), term));
  if (known != scopes_.end())
    return known->second;
  Scope scope = Scope::inputs;
  if (!term.is_app() || (term.is_const() && !isLiteral(term) &&
                         term.decl().decl_kind() == Z3_OP_UNINTERPRETED))
    scope = Scope::other; // known ones were entered when they were made
  for (unsigned i = 0; term.is_app() && i < term.num_args(); ++i)
    scope = std::max(scope, scopeOf(term.arg(i)));
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
  const Scope scope = std::max(scopeOf(a.term), scopeOf(b.term));
  if (isLiteral(a.term) || isLiteral(b.term) || scope == Scope::other)
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
  const expr variable = fresh_.bits(addressWidth);
  scoped_.push_back(variable);
  scopes_.insert_or_assign(idOf(variable), scope);
  (scope == Scope::inputs ? variables_ : locationVariables_)
      .push_back(variable);
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
  const expr offsets =
      (one.literal == other.literal
           ? one.term == other.term
           : distance(a.offset, b.offset) == context.bv_val(0, addressWidth))
          .simplify();
  if (offsets.is_false() || z3::eq(a.block, b.block))
    return offsets;
  return both((a.block == b.block).simplify(), offsets);
}

MemoryInputs::MemoryInputs(const Program &source, const Program &target,
                           const Semantics &semantics, FreshVariables &fresh)
    : semantics_(semantics), fresh_(fresh), location_{fresh.bits(blockWidth),
                                                      fresh.bits(addressWidth),
                                                      {}},
      assumptions_(fresh.context().bool_val(true)),
      types_(fresh.context().bool_val(true)) {
  z3::context &context = fresh.context();
  for (const expr &each : {location_.block, location_.offset}) {
    locationVariables_.push_back(each);
    scopes_.emplace(Z3_get_ast_id(context, each), Scope::location);
  }
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
  constexpr unsigned mostPointers = 10;
  const unsigned unknown =
      unknownPointersIn(source) + unknownPointersIn(target);
  hasManyPointers_ = unknown > mostPointers;
  for (unsigned i = 0; i < std::min(unknown, mostPointers); ++i)
    addBlock(static_cast<unsigned>(arguments_.size() + 1) + i, nullptr);
  for (const Program *program : {&source, &target})
    holdsPointers_ =
        holdsPointers_ || storesPointers(*program) || loadsPointers(*program);
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
SymbolicPointer MemoryInputs::anyPointer() {
  z3::context &context = fresh_.context();
  SymbolicPointer pointer{fresh(blockWidth), fresh(addressWidth), {0}};
  expr isOne = pointer.block == context.bv_val(0, blockWidth);
  for (const auto &[id, block] : blocks_) {
    pointer.candidates.insert(id);
    isOne = isOne || pointer.block == context.bv_val(id, blockWidth);
  }
  assume(isOne);
  keepFromLocals(pointer);
  return pointer;
}

const MemoryInputs::Argument &
MemoryInputs::pointerResult(std::size_t epoch, const std::string &callee) {
  const auto found = pointerResults_.find({epoch, callee});
  if (found != pointerResults_.end())
    return found->second;
  const SymbolicPointer pointer = anyPointer();
  const expr poison = semantics_.inputs == Inputs::defined
                          ? fresh_.context().bool_val(false)
                          : freshBoolean();
  return pointerResults_
      .emplace(std::pair(epoch, callee),
               Argument{{pointer.offset, poison}, pointer, {}})
      .first->second;
}

expr MemoryInputs::freshBoolean() {
  expr variable = fresh_.boolean();
  variables_.push_back(variable);
  scopes_.emplace(Z3_get_ast_id(variable.ctx(), variable), Scope::inputs);
  return variable;
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

SymbolicByte MemoryInputs::initial(const SymbolicPointer &pointer,
                                   std::size_t epoch) {
  return read(pointer, epoch).byte;
}

expr MemoryInputs::isKept(const SymbolicPointer &pointer, std::size_t epoch) {
  return read(pointer, epoch).isKept;
}

expr MemoryInputs::fresh(unsigned width) {
  expr variable = fresh_.bits(width);
  variables_.push_back(variable);
  scopes_.emplace(Z3_get_ast_id(variable.ctx(), variable), Scope::inputs);
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
  assume(block.base != number(0) && z3::uge(end, block.base));
  assume(z3::ule(end, number(localsBegin)) ||
         z3::uge(block.base, number(localsEnd)));
  for (const auto &[other, with] : blocks_)
    assume(z3::ule(end, with.base) ||
           z3::ule(with.base + with.maximum, block.base));
  blocks_.emplace(id, std::move(block));
}

const MemoryInputs::Read &MemoryInputs::read(const SymbolicPointer &pointer,
                                             std::size_t epoch) {
  z3::context &context = fresh_.context();
  const auto number = [&](std::uint64_t value, unsigned width) {
    return context.bv_val(value, width);
  };
  for (const Read &read : reads_)
    if (read.epoch == epoch && z3::eq(read.pointer.block, pointer.block) &&
        z3::eq(read.pointer.offset, pointer.offset))
      return read;
  const expr zero = number(0, byteBits);
  SymbolicByte byte{fresh(byteBits), zero, zero,
                    number(Byte::anyType, tagWidth)};
  if (semantics_.inputs != Inputs::defined) {
    if (semantics_.memoryPoison == MemoryPoison::bit) {
      byte.poison = fresh(byteBits);
    } else {
      const expr isPoison = freshBoolean();
      byte.poison = z3::ite(isPoison, number(0xff, byteBits), zero);
    }
  }
  if (holdsPointers_) {
    byte.part = PointerPart{fresh(byteBits), anyPointer()};
    const expr isNone = byte.part->place == zero;
    assume(isNone || (byte.bits == zero &&
                      z3::ule(byte.part->place, number(8, byteBits)) &&
                      (byte.part->pointer.block != number(0, blockWidth) ||
                       byte.part->pointer.offset != number(0, addressWidth))));
  }
  const expr isKept = epoch == 0 ? context.bool_val(false) : freshBoolean();
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

MemoryRun::MemoryRun(const Program &program, const Semantics &semantics,
                     MemoryInputs &inputs, FreshVariables &fresh,
                     unsigned unroll)
    : program_(program), semantics_(semantics), inputs_(inputs), fresh_(fresh),
      unroll_(unroll), graph_(program), no_(fresh.context().bool_val(false)),
      yes_(fresh.context().bool_val(true)), guard_(yes_), beyond_(no_),
      values_(program.instructions.size()),
      settled_(program.instructions.size()), puns_(no_),
      ub_(no_), made_{yes_}, ubAt_{no_} {
  run();
}

Trace MemoryRun::trace() const {
  std::vector<expr> ends;
  std::vector<expr> beyond;
  for (const expr &made : made_) {
    ends.push_back(both(made, negate(beyond_)));
    beyond.push_back(both(made, beyond_));
  }
  return {calls_, ends, ubAt_, beyond, program_.signature.function.bits};
}

MemoryRun::Value MemoryRun::integer(Term term) const {
  return {std::move(term), {}, {}, number(0, tagWidth), {}};
}

const corpus::CallAttributes *
MemoryRun::attributesOf(const Instruction &instruction) const {
  return instruction.attributes == Instruction::noAttributes
             ? nullptr
             : &program_.callAttributes[instruction.attributes];
}

void MemoryRun::addUb(const expr &condition, const Variables &picks) {
  const expr here = both(guard_, condition).simplify();
  if (here.is_false())
    return;
  ub_ = either(ub_, here);
  for (std::size_t i = 0; i < made_.size(); ++i)
    ubAt_[i] = either(ubAt_[i], both(made_[i], here));
  append(ubPicks_, picks);
}

void MemoryRun::run() {
  if (semantics_.poisonUnit == PoisonUnit::bit)
    return fail("poison_unit=bit beside memory");
  if (semantics_.undef == UndefRule::perUse &&
      semantics_.inputs >= Inputs::poisonUndef)
    return fail("undef inputs beside memory");
  if (program_.signature.function.has(attribute::nullPointerIsValid))
    return fail("null_pointer_is_valid");
  if (program_.signature.parameters.size() > tagWidth)
    return fail("more than 16 parameters beside memory");
  if (inputs_.hasManyPointers())
    return fail("more than 10 pointers of memory or of calls");
  unsigned nextLocal = MemoryInputs::firstLocal;
  for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
    const Instruction &instruction = program_.instructions[i];
    if (instruction.opcode != Opcode::alloca_)
      continue;
    constexpr unsigned mostLocals = 100;
    if (nextLocal >= MemoryInputs::firstLocal + mostLocals)
      return fail("more than 100 locals");
    const bool starts =
        std::any_of(program_.instructions.begin(), program_.instructions.end(),
                    [&](const Instruction &each) {
                      return each.opcode == Opcode::lifetimeStart &&
                             program_.operandsOf(each)[0].payload == i;
                    });
    Local local{program_.operandsOf(instruction)[0].payload *
                    corpus::allocationSize(instruction.accessedType),
                number(localsBegin + localDistance *
                                         (nextLocal - MemoryInputs::firstLocal),
                       addressWidth),
                false,
                instruction.alignment,
                starts ? no_ : yes_,
                no_,
                no_};
    blockOfLocal_[i] = nextLocal;
    locals_.emplace(nextLocal++, std::move(local));
  }
  if (program_.signature.returnType.isPointer())
    for (const corpus::Parameter &parameter : program_.signature.parameters)
      if (parameter.attributes.has(attribute::captures))
        return fail("captures of a pointer that may be returned");
  findHeaders();
  enterParameters();
  for (unsigned round = 0; round <= unroll_; ++round) {
    for (const std::size_t index : graph_.order()) {
      if (block(index))
        runBlock(index);
      if (!lack_.empty())
        return;
    }
    edges_ = std::move(backEdges_);
    backEdges_.clear();
    if (edges_.empty())
      return;
  }
  for (const auto &[edge, taken] : edges_)
    beyond_ = either(beyond_, taken);
}

void MemoryRun::findHeaders() {
  for (std::size_t block = 0; block < program_.blocks.size(); ++block)
    for (std::size_t i = program_.blocks[block].begin;
         i < program_.blocks[block].end; ++i)
      blockOf_.push_back(block);
  for (const std::size_t header : graph_.order()) {
    const auto from = graph_.predecessors(header);
    if (std::none_of(from.begin(), from.end(), [&](std::size_t block) {
          return graph_.isReachable(block) && isBackEdge(block, header);
        }))
      continue;
    std::set<std::size_t> &reached = reachedFrom_[header];
    std::vector<std::size_t> todo = {header};
    reached.insert(header);
    while (!todo.empty()) {
      const std::size_t block = todo.back();
      todo.pop_back();
      for (const std::size_t next : graph_.successors(block))
        if (reached.insert(next).second)
          todo.push_back(next);
    }
  }
}

/// Whoever comes to `block` computed what stands in `from` after he last went
/// back: all headers that he may have gone back to lie before `from`, and it
/// lies between them and `block`.
bool MemoryRun::isOfThisRound(std::size_t from, std::size_t block) const {
  return std::all_of(reachedFrom_.begin(), reachedFrom_.end(),
                     [&](const auto &header) {
                       return !header.second.contains(block) ||
                              graph_.dominates(header.first, from);
                     });
}

void MemoryRun::runBlock(std::size_t index) {
  block_ = index;
  std::size_t i = program_.blocks[index].begin;
  // All phis look at what was there before any of them.
  std::vector<std::pair<std::size_t, std::optional<Value>>> phis;
  for (; program_.instructions[i].opcode == Opcode::phi; ++i)
    phis.emplace_back(i, phi(i, index));
  for (auto &[instruction, value] : phis)
    values_[instruction] = std::move(value);
  for (; i < program_.blocks[index].end && lack_.empty(); ++i) {
    const Instruction &each = program_.instructions[i];
    if (each.opcode == Opcode::br || each.opcode == Opcode::switch_)
      branch(each, index);
    else
      instruction(i);
  }
  if (!lack_.empty())
    return;
  for (i = program_.blocks[index].begin; i < program_.blocks[index].end; ++i) {
    const auto [reached, isFirst] = reached_.emplace(i, guard_);
    if (!isFirst)
      reached->second = either(reached->second, guard_);
    if (!values_[i])
      continue;
    settled_[i] =
        settled_[i] ? merged(guard_, *values_[i], *settled_[i]) : *values_[i];
  }
}

void MemoryRun::enterParameters() {
  const auto &parameters = program_.signature.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const MemoryInputs::Argument &argument = inputs_.argument(i);
    Value value = integer(argument.term);
    value.rest = argument.rest;
    if (parameters[i].type.isPointer()) {
      value.pointer = argument.pointer;
      value.basedOn = number(std::uint64_t(1) << i, tagWidth);
    }
    restrict(parameters[i].attributes, parameters[i].type, value);
    arguments_.push_back(std::move(value));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const corpus::Attributes &own = parameters[i].attributes;
    if (own.has(attribute::initializes | attribute::deadOnReturn))
      fail("attribute initializes or dead_on_return");
    if (!own.has(attribute::writable) || !own.has(attribute::dereferenceable))
      continue;
    const Value &value = arguments_[i];
    addUb(negate(lookUp(
              *value.pointer,
              [&](unsigned id) { return inputs_.blocks().at(id).writable; })),
          {});
    noteAccess(
        {guard_, *value.pointer,
         number(own.valueOf(attribute::dereferenceable).low, addressWidth),
         value.basedOn, true});
  }
}

/// False where no edge of this round leads to it.
bool MemoryRun::block(std::size_t index) {
  if (index == 0)
    return edges_.empty();
  expr guard = no_;
  for (const auto &[edge, taken] : edges_)
    if (edge.second == index)
      guard = either(guard, taken);
  guard_ = guard.simplify();
  return !guard_.is_false();
}

void MemoryRun::branch(const Instruction &instruction, std::size_t block) {
  const auto operands = program_.operandsOf(instruction);
  const auto edge = [&](const Operand &to, const expr &taken) {
    if (taken.is_false())
      return;
    auto &edges = isBackEdge(block, to.payload) ? backEdges_ : edges_;
    const auto [found, isNew] = edges.try_emplace({block, to.payload}, taken);
    if (!isNew)
      found->second = either(found->second, taken);
  };
  if (operands.size() == 1)
    return edge(operands[0], guard_);
  if (semantics_.branchOnPoison != BranchRule::ub ||
      semantics_.branchOnUndef != BranchRule::ub)
    return fail("a nondeterministic branch beside memory");
  Value condition = use(operands[0]);
  addUb(condition.term.poison, condition.choices);
  if (!condition.choices.empty()) {
    // Several values are UB: two picks that differ. Then any one decides.
    const Value other = picked(condition);
    Variables picks = condition.choices;
    append(picks, other.choices);
    addUb(condition.term.bits != other.term.bits, picks);
    Variables zeros;
    for (const expr &choice : condition.choices)
      zeros.push_back(zeroOf(choice));
    condition.term.bits =
        substituted(condition.term.bits, condition.choices, zeros);
  }
  const unsigned width = operands[0].type.width();
  if (instruction.opcode == Opcode::br) {
    const expr taken = (condition.term.bits == number(1, 1)).simplify();
    edge(operands[1], both(guard_, taken).simplify());
    edge(operands[2], both(guard_, negate(taken)).simplify());
    return;
  }
  expr rest = guard_;
  for (std::size_t i = 2; i < operands.size(); i += 2) {
    const expr matches =
        (condition.term.bits == number(operands[i].payload, width)).simplify();
    edge(operands[i + 1], both(rest, matches).simplify());
    rest = both(rest, negate(matches)).simplify();
  }
  edge(operands[1], rest);
}

MemoryRun::Value MemoryRun::merged(const expr &guard, const Value &then,
                                   const Value &otherwise) const {
  const auto pick = [&](const expr &a, const expr &b) {
    return z3::eq(a, b) ? a : choose(guard, a, b);
  };
  const auto pickTerm = [&](const Term &a, const Term &b) {
    return Term{pick(a.bits, b.bits), pick(a.poison, b.poison)};
  };
  Value result{pickTerm(then.term, otherwise.term),
               {},
               {},
               pick(then.basedOn, otherwise.basedOn),
               then.choices};
  append(result.choices, otherwise.choices);
  for (std::size_t i = 0; i < then.rest.size(); ++i)
    result.rest.push_back(pickTerm(then.rest[i], otherwise.rest[i]));
  if (then.pointer) {
    result.pointer = {pick(then.pointer->block, otherwise.pointer->block),
                      result.term.bits, then.pointer->candidates};
    result.pointer->candidates.insert(otherwise.pointer->candidates.begin(),
                                      otherwise.pointer->candidates.end());
  }
  return result;
}

std::optional<MemoryRun::Value> MemoryRun::phi(std::size_t index,
                                               std::size_t block) {
  const auto operands = program_.operandsOf(program_.instructions[index]);
  std::optional<Value> result;
  for (std::size_t i = 0; i < operands.size(); i += 2) {
    const auto edge = edges_.find({operands[i + 1].payload, block});
    if (edge == edges_.end() || edge->second.is_false())
      continue;
    block_ = operands[i + 1].payload;
    const Value value = valueOf(operands[i]);
    result = result ? merged(edge->second, value, *result) : value;
  }
  block_ = block;
  return result;
}

MemoryRun::Value MemoryRun::valueOf(const Operand &operand) {
  switch (operand.kind) {
  case Operand::Kind::argument:
    return arguments_[operand.payload];
  case Operand::Kind::instruction: {
    // In the block at hand it is not settled yet.
    const std::size_t from = blockOf_[operand.payload];
    const auto &value = from == block_ || isOfThisRound(from, block_)
                            ? values_[operand.payload]
                            : settled_[operand.payload];
    if (value)
      return *value;
    break; // of a block that nothing reaches
  }
  case Operand::Kind::global: {
    const unsigned id =
        inputs_.blockOfGlobal(program_.globals[operand.payload].name);
    Value value = integer({number(0, addressWidth), no_});
    value.pointer = {number(id, blockWidth), value.term.bits, {id}};
    return value;
  }
  default:
    break;
  }
  if (operand.type.isPointer()) {
    if (operand.is(Operand::Kind::undef))
      fail("a pointer that is undef");
    Value value = integer({number(0, addressWidth),
                           operand.is(Operand::Kind::constant) ? no_ : yes_});
    value.pointer = {number(0, blockWidth), value.term.bits, {0}};
    return value;
  }
  std::vector<Term> lanes;
  Variables choices;
  for (unsigned i = 0; i < operand.type.lanes(); ++i) {
    const Type type = operand.type.lane(i);
    const Operand literal = operand.is(Operand::Kind::pooled)
                                ? program_.constants[operand.payload].lanes[i]
                                : operand;
    if (!type.isInteger()) {
      fail(fmt::format("a value of type {}", toString(operand.type)));
      return integer({number(0, 1), yes_});
    }
    const bool isUndef = literal.is(Operand::Kind::undef) &&
                         semantics_.undef == UndefRule::perUse;
    if (isUndef)
      choices.push_back(fresh_.bits(type.width()));
    lanes.push_back(
        {isUndef ? choices.back() : number(literal.payload, type.width()),
         isUndef || literal.is(Operand::Kind::constant) ? no_ : yes_});
  }
  Value value = ofLanes(std::move(lanes));
  value.choices = std::move(choices);
  return value;
}

MemoryRun::Value MemoryRun::ofLanes(std::vector<Term> lanes) const {
  Value value = integer(std::move(lanes[0]));
  value.rest.assign(lanes.begin() + 1, lanes.end());
  return value;
}

MemoryRun::Value MemoryRun::picked(Value value) {
  if (value.choices.empty())
    return value;
  constexpr std::size_t mostChoices = 512;
  if (value.choices.size() > mostChoices)
    fail("too many uses of undef values");
  const Variables copies = copiesOf(value.choices, fresh_);
  const auto rename = [&](expr &term) {
    term = substituted(term, value.choices, copies);
  };
  rename(value.term.bits);
  rename(value.term.poison);
  for (Term &lane : value.rest) {
    rename(lane.bits);
    rename(lane.poison);
  }
  if (value.pointer) {
    rename(value.pointer->block);
    rename(value.pointer->offset);
  }
  value.choices = copies;
  return value;
}

MemoryRun::Value MemoryRun::use(const Operand &operand) {
  return picked(valueOf(operand));
}

void MemoryRun::restrict(const corpus::Attributes &attributes, Type type,
                         Value &value) {
  if (type.isPointer()) {
    if (attributes.has(attribute::align))
      value.term.poison =
          either(value.term.poison,
                 isMisaligned(*value.pointer,
                              attributes.valueOf(attribute::align).low));
    const SymbolicPointer null{
        number(0, blockWidth), number(0, addressWidth), {0}};
    if (attributes.has(attribute::nonnull | attribute::dereferenceableOrNull))
      observe(*value.pointer, null);
    const expr isNull =
        (address(*value.pointer) == number(0, addressWidth)).simplify();
    if (attributes.has(attribute::nonnull))
      value.term.poison = either(value.term.poison, isNull);
    const auto requireBytes = [&](std::uint32_t bit, const expr &unless) {
      if (attributes.has(bit))
        addUb(both(negate(unless),
                   either(value.term.poison,
                          negate(both(isAlive(*value.pointer),
                                      isValid(*value.pointer,
                                              attributes.valueOf(bit).low))))),
              value.choices);
    };
    requireBytes(attribute::dereferenceable, no_);
    requireBytes(attribute::dereferenceableOrNull,
                 both(negate(value.term.poison), isNull));
  } else if (attributes.has(attribute::range)) {
    const auto &range = attributes.range();
    const Type lane = type.lane(0);
    const std::uint64_t size = (range.high - range.low) & lane.mask();
    for (std::size_t i = 0; i < value.lanes() && size != 0; ++i) {
      Term &term = value.lane(i);
      term.poison = either(term.poison,
                           z3::uge(term.bits - number(range.low, lane.width()),
                                   number(size, lane.width()))
                               .simplify());
    }
  }
  if (!attributes.has(attribute::noundef))
    return;
  for (std::size_t i = 0; i < value.lanes(); ++i)
    addUb(value.lane(i).poison, value.choices);
  if (value.choices.empty())
    return;
  const Value other = picked(value);
  Variables picks = value.choices;
  append(picks, other.choices);
  for (std::size_t i = 0; i < value.lanes(); ++i)
    addUb(value.lane(i).bits != other.lane(i).bits, picks);
}

template <typename Get>
expr MemoryRun::lookUp(const SymbolicPointer &pointer, Get get) const {
  std::optional<expr> result;
  for (const unsigned id : pointer.candidates) {
    if (id == 0)
      continue;
    const expr here = get(id);
    result = result
                 ? choose((pointer.block == number(id, blockWidth)).simplify(),
                          here, *result)
                 : here;
  }
  return result ? *result : get(0);
}

expr MemoryRun::address(const SymbolicPointer &pointer) const {
  const expr base = lookUp(pointer, [&](unsigned id) {
    return id == 0                          ? number(0, addressWidth)
           : id >= MemoryInputs::firstLocal ? locals_.at(id).base
                                            : inputs_.blocks().at(id).base;
  });
  const expr inBlock = base + pointer.offset;
  if (!pointer.candidates.contains(0))
    return inBlock.simplify();
  return choose((pointer.block == number(0, blockWidth)).simplify(),
                pointer.offset, inBlock)
      .simplify();
}

/// A local may lie at any multiple of its alignment.
expr MemoryRun::isMisaligned(const SymbolicPointer &pointer,
                             std::uint64_t alignment) const {
  if (alignment == 1)
    return no_;
  const expr isLoose = lookUp(pointer, [&](unsigned id) {
    return id >= MemoryInputs::firstLocal &&
                   locals_.at(id).alignment < alignment
               ? yes_
               : no_;
  });
  return either(both(pointer.block != number(0, blockWidth), isLoose),
                (address(pointer) & number(alignment - 1, addressWidth)) !=
                    number(0, addressWidth))
      .simplify();
}

/// The local that it points into or to the end of, if that can be seen.
std::optional<unsigned>
MemoryRun::seenLocal(const SymbolicPointer &pointer) const {
  if (pointer.candidates.size() != 1 || !isLiteral(pointer.offset))
    return std::nullopt;
  const unsigned id = *pointer.candidates.begin();
  if (id < MemoryInputs::firstLocal ||
      pointer.offset.get_numeral_uint64() > locals_.at(id).size)
    return std::nullopt;
  return id;
}

/// The addresses are compared: from now on their locals may be anywhere.
void MemoryRun::observe(const SymbolicPointer &a, const SymbolicPointer &b) {
  // No local is at null, and none is where another one is.
  const auto isNull = [](const SymbolicPointer &pointer) {
    return isLiteral(pointer.block) && isLiteral(pointer.offset) &&
           pointer.block.get_numeral_uint64() == 0 &&
           pointer.offset.get_numeral_uint64() == 0;
  };
  if ((seenLocal(a) && isNull(b)) || (seenLocal(b) && isNull(a)))
    return;
  for (const SymbolicPointer *pointer : {&a, &b})
    for (const unsigned id : pointer->candidates)
      if (id >= MemoryInputs::firstLocal)
        placeAnywhere(id);
}

void MemoryRun::placeAnywhere(unsigned id) {
  Local &local = locals_.at(id);
  if (local.isPlaced)
    return;
  local.isPlaced = true;
  const expr place = fresh_.bits(addressWidth);
  forks_.push_back(place);
  const expr zero = number(0, addressWidth);
  const expr size = number(local.size, addressWidth);
  expr fits = (place & number(local.alignment - 1, addressWidth)) == zero &&
              place != zero && z3::ule(place, zero - size - 1);
  const auto keepFrom = [&](const expr &base, const expr &otherSize) {
    if (local.size != 0)
      fits = fits && (otherSize == zero || (z3::uge(place - base, otherSize) &&
                                            z3::uge(base - place, size)));
  };
  for (const auto &[other, block] : inputs_.blocks())
    keepFrom(block.base, block.size);
  for (const auto &[other, each] : locals_)
    if (other != id)
      keepFrom(each.base, number(each.size, addressWidth));
  local.base = choose(fits, place, local.base);
}

expr MemoryRun::isValid(const SymbolicPointer &pointer,
                        const expr &wanted) const {
  const expr available = lookUp(pointer, [&](unsigned id) {
    return id == 0 ? number(0, addressWidth)
           : id >= MemoryInputs::firstLocal
               ? number(locals_.at(id).size, addressWidth)
               : inputs_.blocks().at(id).size;
  });
  // Of unknown lengths what is left behind the offset is one term.
  const expr inBlock =
      isLiteral(wanted)
          ? both(z3::uge(available, wanted).simplify(),
                 z3::ule(pointer.offset, available - wanted).simplify())
          : both(z3::ule(pointer.offset, available).simplify(),
                 z3::ule(wanted, available - pointer.offset).simplify());
  return both((pointer.block != number(0, blockWidth)).simplify(), inBlock);
}

expr MemoryRun::isAlive(const SymbolicPointer &pointer) const {
  return lookUp(pointer, [&](unsigned id) {
    if (id >= MemoryInputs::firstLocal)
      return locals_.at(id).isAlive;
    expr alive = yes_;
    const SymbolicPointer block{
        number(id, blockWidth), number(0, addressWidth), {id}};
    for (const Reach &reach : reaches_) {
      if (!reach.mayFree || id == 0 || id >= MemoryInputs::firstGlobal)
        continue;
      const expr reached = reaches(reach, block, effect::write);
      for (std::size_t p = 0; p < reach.at.size(); ++p)
        alive = both(alive, negate(both(both(reach.at[p], reached),
                                        inputs_.isFreed(p + 1, id))))
                    .simplify();
    }
    return alive;
  });
}

/// Locals by the names that both sides have for them.
SymbolicPointer MemoryRun::shared(const SymbolicPointer &pointer) const {
  SymbolicPointer result = pointer;
  for (std::size_t i = 0; i < passed_.size(); ++i) {
    if (result.candidates.erase(passed_[i]) == 0)
      continue;
    const auto name = static_cast<unsigned>(MemoryInputs::firstPassed + i);
    result.candidates.insert(name);
    result.block =
        choose((pointer.block == number(passed_[i], blockWidth)).simplify(),
               number(name, blockWidth), result.block);
  }
  return result;
}

/// The reverse; a local that is not known yet stays what it is.
SymbolicPointer MemoryRun::ours(const SymbolicPointer &pointer) const {
  SymbolicPointer result = pointer;
  for (std::size_t i = 0; i < passed_.size(); ++i) {
    const auto name = static_cast<unsigned>(MemoryInputs::firstPassed + i);
    result.candidates.insert(passed_[i]);
    result.block =
        choose((pointer.block == number(name, blockWidth)).simplify(),
               number(passed_[i], blockWidth), result.block);
  }
  return result;
}

std::vector<MemoryRun::PassedLocal> MemoryRun::passedLocals() const {
  std::vector<PassedLocal> result;
  for (const unsigned id : passed_)
    result.push_back({locals_.at(id).size, locals_.at(id).alignment});
  return result;
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
  const SymbolicPointer name = shared(pointer);
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
    const SymbolicByte fresh = inputs_.initial(name, p + 1);
    // Elsewhere a byte that is kept is one of those that may be written.
    const expr kept =
        readsAll && isLocal.is_false() ? no_ : inputs_.isKept(name, p + 1);
    const expr takes = both(reach.at[p], negate(kept)).simplify();
    result.byte = pickByte(takes, fresh, result.byte);
  }
  return result;
}

SymbolicRow MemoryRun::rowOf(const Value &value) {
  if (!value.pointer) {
    SymbolicRow row{{value.term}, value.choices};
    row.lanes.insert(row.lanes.end(), value.rest.begin(), value.rest.end());
    return row;
  }
  const SymbolicPointer name = shared(*value.pointer);
  return {{{name.block, value.term.poison}, {name.offset, value.term.poison}},
          value.choices};
}

SymbolicRow MemoryRun::shownBy(const Reach &reach, bool mayUnwind) {
  const SymbolicPointer pointer = ours(inputs_.location());
  expr isShown = reaches(reach, pointer, effect::read);
  if (mayUnwind)
    isShown =
        either(isShown, z3::ult(pointer.block,
                                number(MemoryInputs::firstLocal, blockWidth)));
  isShown = both(isShown, isAlive(pointer)).simplify();
  SymbolicRow row;
  // To write what the source lets the callee write is not UB in the target.
  const expr mayWrite =
      both(reaches(reach, pointer, effect::write), isAlive(pointer)).simplify();
  row.lanes.push_back({number(1, 1), negate(mayWrite)});
  Loaded loaded = seenAt(pointer);
  SymbolicByte &byte = loaded.byte;
  const expr zero = number(0, byteBits);
  row.choices = loaded.choices;
  const bool isInitialized =
      isShown.is_false() || (byte.uninit == zero).simplify().is_true();
  if (!isInitialized && uninitIsPoison(semantics_)) {
    byte.poison = byte.poison | byte.uninit;
  } else if (!isInitialized) {
    row.choices.push_back(fresh_.bits(byteBits));
    byte.bits = (byte.bits & ~byte.uninit) | (row.choices.back() & byte.uninit);
  }
  if (inputs_.holdsPointers()) {
    const PointerPart part = partOf(byte);
    const expr isCovered =
        either(negate(isShown), (byte.poison != zero).simplify());
    const expr isNone = (part.place == zero).simplify();
    row.lanes.push_back({part.place, isCovered});
    row.lanes.push_back({part.pointer.block, either(isCovered, isNone)});
    row.lanes.push_back({part.pointer.offset, either(isCovered, isNone)});
  }
  for (unsigned i = 0; i < byteBits; ++i)
    row.lanes.push_back(
        {byte.bits.extract(i, i).simplify(),
         either(negate(isShown),
                (byte.poison.extract(i, i) == number(1, 1)).simplify())});
  return row;
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
       {&callee.signature.function, &site.function}) {
    if (each->has(attribute::memoryNone))
      effects = 0;
    else if (each->has(attribute::memoryRead))
      effects &= effect::readOnly;
    else if (each->has(attribute::memory))
      effects &= each->valueOf(attribute::memory).low;
  }
  const bool mayUnwind = (bits & attribute::nounwind) == 0;
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

  bool reachesOthers = effect::at(effects, effect::inaccessible) != 0 ||
                       effect::at(effects, effect::errnoVariable) != 0 ||
                       (reach.other & effect::write) != 0;
  std::vector<Value> values;
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
    if (!value.choices.empty())
      return fail("one of several pointers is passed to a call");
    std::uint64_t permitted = effect::read | effect::write;
    std::uint64_t captured = corpus::captures::all;
    for (const corpus::Attributes *each : {&declared, &given}) {
      if (each->has(attribute::readnone))
        permitted = 0;
      if (each->has(attribute::readonly))
        permitted &= effect::read;
      if (each->has(attribute::writeonly))
        permitted &= effect::write;
      if (each->has(attribute::captures))
        captured &= each->valueOf(attribute::captures).low;
    }
    const std::uint64_t allowed =
        permitted & effect::at(effects, effect::argument);
    reach.passed.push_back({*value.pointer, allowed, permitted, value.basedOn});
    for (const unsigned id : value.pointer->candidates) {
      if (id < MemoryInputs::firstLocal) {
        reachesOthers |= id != 0 && (allowed & effect::write) != 0;
        continue;
      }
      if ((bits & attribute::tail) != 0)
        return fail("a local in a tail call");
      if (value.pointer->candidates.size() > 1)
        return fail("one of several locals is passed to a call");
      Local &local = locals_.at(id);
      reachesOthers |= captured != 0;
      if (std::find(passed_.begin(), passed_.end(), id) == passed_.end())
        passed_.push_back(id);
      if ((captured & corpus::captures::readProvenance) != 0)
        local.isEscaped = either(local.isEscaped, guard_);
      if ((captured & corpus::captures::provenance) ==
          corpus::captures::provenance)
        local.isEscapedForWrites = either(local.isEscapedForWrites, guard_);
    }
  }
  if (isSure && effects == (effects & effect::readOnly))
    return; // without any effect
  if (isSure && !reachesOthers)
    return fail("a call whose effects only locals show");
  if (passed_.size() > 20)
    return fail("more than 20 locals passed to calls");
  if (storesLocals_ && !passed_.empty())
    return fail("the address of a local in memory, beside a call");
  if (instruction.type.isPointer() && !passed_.empty())
    return fail("a pointer that a call returns, beside locals passed to calls");
  if (instruction.type.isPointer() &&
      (callee.signature.result.has(attribute::noalias) ||
       site.result.has(attribute::noalias)))
    return fail("a call whose result is noalias");

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
    traced.arguments.push_back(rowOf(value));
    if (!value.pointer)
      continue;
    // To do through it what the source allows is not UB in the target.
    const std::uint64_t allowed = reach.passed[pointers++].permitted;
    for (const std::uint64_t each : {effect::read, effect::write})
      traced.arguments.back().lanes.push_back(
          {number(1, 1),
           (allowed & each) != 0
               ? (value.pointer->block == number(0, blockWidth)).simplify()
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
        const auto &given = inputs_.pointerResult(p + 1, callee.name);
        each.term = given.term;
        each.pointer = given.pointer;
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
  if ((bits & attribute::noreturn) != 0)
    addUb(yes_, {});
  if (!instruction.type.isVoid()) {
    for (const corpus::Attributes *each :
         {&callee.signature.result, &site.result, &callee.signature.result})
      restrict(*each, instruction.type, *values_[index]);
  }
}

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
      return id >= MemoryInputs::firstLocal ? yes_ : no_;
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
    if (!isLiteral(size) || size.get_numeral_uint64() > maximumCopy) {
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
    if (isWrite || !own.has(attribute::writeonly) || based().is_false())
      continue;
    if (semantics_.writeonlyLoad == WriteonlyLoad::ub)
      addUb(based(), picks);
    else
      poison = either(poison, both(based(), mayBeUnwritten(bit)));
  }
  const corpus::Attributes &own = program_.signature.function;
  std::uint64_t effects = effect::all;
  if (own.has(attribute::memoryNone))
    effects = 0;
  else if (own.has(attribute::memoryRead))
    effects = effect::readOnly;
  else if (own.has(attribute::memory))
    effects = own.valueOf(attribute::memory).low;
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
      poison = either(poison, both(both(here, writable), mayBeUnwritten(0)));
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
  return byte.part ? *byte.part
                   : PointerPart{
                         number(0, byteBits),
                         {number(0, blockWidth), number(0, addressWidth), {}}};
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
  const bool mayBeOurs = std::any_of(
      pointer.candidates.begin(), pointer.candidates.end(),
      [](unsigned id) { return id != 0 && id < MemoryInputs::firstLocal; });
  if (!inputs_.holdsPointers() || (!mayBeOurs && reaches_.empty()))
    return;
  reads_.push_back({pointer, size, isPointer});
  for (std::size_t epoch = 0; epoch <= reaches_.size(); ++epoch) {
    expr isWhole = yes_;
    expr isNumber = yes_;
    expr isNull = yes_;
    std::optional<PointerPart> first;
    for (std::uint64_t i = 0; i < size; ++i) {
      const SymbolicPointer at = moved(pointer, i);
      const SymbolicByte byte =
          inputs_.initial(epoch == 0 ? at : shared(at), epoch);
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
  }
}

void MemoryRun::loadPointer(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const Value from = use(program_.operandsOf(instruction)[0]);
  constexpr unsigned size = addressWidth / byteBits;
  expr poison = access(from, size, instruction.alignment, false);
  if (!forks_.empty() || !from.choices.empty())
    return fail("a pointer in memory beside freeze or undef");
  if (!reaches_.empty() && !passed_.empty())
    return fail("a pointer in memory, beside locals passed to calls");
  expr isWhole = yes_;
  expr isNull = yes_;
  expr isUninit = no_;
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
    result.candidates.insert(part.pointer.candidates.begin(),
                             part.pointer.candidates.end());
  }
  noteRead(*from.pointer, size, true);
  if (uninitIsPoison(semantics_))
    poison = either(poison, isUninit);
  puns_ = either(
      puns_,
      both(guard_, both(negate(poison),
                        either(isUninit, negate(either(isWhole, isNull)))))
          .simplify());
  result.block = choose(isWhole, first->pointer.block, result.block);
  result.offset = choose(isWhole, first->pointer.offset, result.offset);
  Value value = integer({result.offset, poison});
  value.pointer = std::move(result);
  if (const corpus::CallAttributes *attributes = attributesOf(instruction)) {
    if (attributes->result.has(attribute::invariantLoad))
      return fail("!invariant.load");
    restrict(attributes->result, instruction.type, value);
  }
  values_[index] = std::move(value);
}

void MemoryRun::storePointer(const Instruction &instruction) {
  const auto operands = program_.operandsOf(instruction);
  const Value value = valueOf(operands[0]);
  const Value to = use(operands[1]);
  if (!to.choices.empty() || !value.choices.empty())
    return fail("a pointer in memory beside freeze or undef");
  const auto isLocal = [](unsigned id) {
    return id >= MemoryInputs::firstLocal;
  };
  const auto &into = to.pointer->candidates;
  if (std::any_of(value.pointer->candidates.begin(),
                  value.pointer->candidates.end(), isLocal)) {
    storesLocals_ = true;
    if (!passed_.empty() || !std::all_of(into.begin(), into.end(), isLocal))
      return fail("the address of a local in memory that others see");
  }
  // Who loads it does not know what it is based on.
  constexpr std::uint32_t restricted =
      attribute::noalias | attribute::readonly | attribute::readnone |
      attribute::writeonly | attribute::captures | attribute::deadOnUnwind;
  bool isRestricted = program_.signature.function.has(
      attribute::memory | attribute::memoryRead | attribute::memoryNone);
  for (const corpus::Parameter &parameter : program_.signature.parameters)
    isRestricted |= parameter.attributes.has(restricted);
  const expr isBased = (value.basedOn != number(0, tagWidth)).simplify();
  if (isRestricted && !isBased.is_false())
    return fail("a restricted pointer in memory");
  if (semantics_.storePoison == StorePoison::ub)
    addUb(value.term.poison, {});
  constexpr unsigned size = addressWidth / byteBits;
  access(to, size, instruction.alignment, true);
  const expr zero = number(0, byteBits);
  // Null is the number 0 in memory as well.
  const expr isNull =
      both((value.pointer->block == number(0, blockWidth)).simplify(),
           (value.pointer->offset == number(0, addressWidth)).simplify());
  for (unsigned i = 0; i < size; ++i) {
    const SymbolicByte byte{
        zero, choose(value.term.poison, number(0xff, byteBits), zero), zero,
        number(0, tagWidth),
        PointerPart{choose(isNull, zero, number(i + 1, byteBits)),
                    *value.pointer}};
    write(moved(*to.pointer, i), byte, {}, to.basedOn);
  }
}

void MemoryRun::pointerToInteger(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const Value pointer = use(program_.operandsOf(instruction)[0]);
  for (const unsigned id : pointer.pointer->candidates)
    if (id >= MemoryInputs::firstLocal)
      return fail("the address of a local as a number");
  const unsigned width = instruction.type.width();
  const expr where = address(*pointer.pointer);
  Value value =
      integer({where.extract(width - 1, 0).simplify(), pointer.term.poison});
  value.choices = pointer.choices;
  values_[index] = std::move(value);
}

/// A store, a copy or the end of a local is to this place.
expr MemoryRun::hits(const Write &write, const SymbolicPointer &pointer) const {
  if (!write.isWholeBlock && !write.length)
    return inputs_.samePlace(write.pointer, pointer);
  if (!intersect(write.pointer.candidates, pointer.candidates))
    return no_;
  const expr sameBlock =
      z3::eq(pointer.block, write.pointer.block)
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
  const SymbolicByte unwritten{zero, zero, number(0xff, byteBits),
                               number(Byte::anyType, tagWidth)};
  Loaded result{unwritten, {}};
  if (sure) {
    result = writtenBy(*sure);
  } else {
    const bool mayBeOurs = std::any_of(
        pointer.candidates.begin(), pointer.candidates.end(),
        [](unsigned id) { return id != 0 && id < MemoryInputs::firstLocal; });
    const bool mayBeLocal =
        !pointer.candidates.empty() &&
        *pointer.candidates.rbegin() >= MemoryInputs::firstLocal;
    if (mayBeOurs) {
      SymbolicByte ours = inputs_.initial(pointer);
      if (mayBeLocal) {
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
    append(result.choices, left.choices);
  }
  return result;
}

SymbolicByte MemoryRun::last(const SymbolicPointer &pointer,
                             Variables &choices) {
  guard_ = yes_;
  Loaded loaded = seenAt(pointer);
  append(choices, loaded.choices);
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

namespace {

/// Its lanes follow each other without a gap.
bool isInMemory(Type type) {
  return type.isInteger() || (type.isVector() && !type.lane(0).isPointer());
}

/// The lowest bit of a lane among those of all.
unsigned lowestBitOf(Type type, unsigned lane, bool bigEndian) {
  return (bigEndian ? type.lanes() - 1 - lane : lane) * type.lane(0).width();
}

} // namespace

void MemoryRun::load(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const Type type = instruction.type;
  if (type.isPointer())
    return loadPointer(index);
  if (!isInMemory(type))
    return fail(fmt::format("a value of type {} in memory", toString(type)));
  const Value pointer = use(program_.operandsOf(instruction)[0]);
  const auto size = static_cast<unsigned>(corpus::storeSize(type));
  const expr isPoison = access(pointer, size, instruction.alignment, false);
  const corpus::CallAttributes *attributes = attributesOf(instruction);
  if (attributes != nullptr && attributes->result.has(attribute::invariantLoad))
    return fail("!invariant.load");

  std::vector<Loaded> bytes; // the lowest first
  for (unsigned i = 0; i < size; ++i)
    bytes.push_back(
        byteAt(moved(*pointer.pointer, program_.bigEndian ? size - 1 - i : i)));
  if (inputs_.holdsPointers())
    noteRead(*pointer.pointer, size, false);
  for (const Loaded &loaded : bytes) {
    if (!loaded.byte.part)
      continue;
    const expr isPart =
        (loaded.byte.part->place != number(0, byteBits)).simplify();
    if (isPart.is_true() || !pointer.choices.empty())
      return fail("memory that is read as a pointer and as a number");
    puns_ = either(puns_, both(guard_, isPart));
  }
  Value result = integer({bytes[0].byte.bits, no_});
  expr poison = bytes[0].byte.poison;
  expr uninit = bytes[0].byte.uninit;
  for (unsigned i = 0; i < size; ++i)
    append(result.choices, bytes[i].choices);
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
  if (attributes != nullptr)
    restrict(attributes->result, type, result);
  values_[index] = std::move(result);
}

void MemoryRun::store(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const auto operands = program_.operandsOf(instruction);
  const Type type = operands[0].type;
  if (type.isPointer())
    return storePointer(instruction);
  if (!isInMemory(type))
    return fail(fmt::format("a value of type {} in memory", toString(type)));
  const Value value = valueOf(operands[0]);
  const Value pointer = use(operands[1]);
  if (!pointer.choices.empty())
    return fail("a store to one of several places");
  const auto size = static_cast<unsigned>(corpus::storeSize(type));
  if (semantics_.storePoison == StorePoison::ub) {
    const Value pick = picked(value);
    for (std::size_t i = 0; i < pick.lanes(); ++i)
      addUb(pick.lane(i).poison, pick.choices);
  }
  access(pointer, size, instruction.alignment, true);
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
  const expr poison = extend(*allPoison, false);
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
    write(moved(*pointer.pointer, program_.bigEndian ? size - 1 - i : i), byte,
          value.choices, pointer.basedOn);
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

void MemoryRun::copyRange(const Instruction &instruction, const Value &to,
                          const Value &from, const expr &length) {
  constexpr std::ptrdiff_t mostCopies = 6; // each may be read through another
  if (std::count_if(writes_.begin(), writes_.end(), [](const Write &write) {
        return write.from.has_value();
      }) == mostCopies)
    return fail("more than 6 copies of unknown or large length");
  const expr isPoison = access(from, length, 1, false);
  access(to, length, 1, true);
  const expr distance =
      inputs_.distance(from.pointer->offset, to.pointer->offset);
  if (instruction.opcode == Opcode::memcpy_ &&
      intersect(to.pointer->candidates, from.pointer->candidates))
    addUb(both(to.pointer->block == from.pointer->block,
               (distance != number(0, addressWidth) &&
                (z3::ult(distance, length) || z3::ult(-distance, length)))
                   .simplify()),
          {});
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
      isLiteral(length) && length.get_numeral_uint64() == 0;
  if (isLiterally0)
    return;
  Value to = use(operands[0]);
  Value from = use(operands[1]);
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
  if (!isLiteral(length) || length.get_numeral_uint64() > maximumCopy) {
    copyRange(instruction, to, from, length);
    guard_ = before;
    return;
  }
  const std::uint64_t size = length.get_numeral_uint64();
  const expr isPoison = access(from, length, 1, false);
  access(to, length, 1, true);
  if (instruction.opcode == Opcode::memcpy_ &&
      intersect(to.pointer->candidates, from.pointer->candidates)) {
    const expr distance =
        inputs_.distance(from.pointer->offset, to.pointer->offset);
    const expr overlaps =
        distance != number(0, addressWidth) &&
        (z3::ult(distance, length) || z3::ult(-distance, length));
    addUb(both(to.pointer->block == from.pointer->block, overlaps.simplify()),
          {});
  }
  std::vector<Loaded> bytes;
  for (std::uint64_t i = 0; i < size; ++i)
    bytes.push_back(byteAt(moved(*from.pointer, i)));
  // Of stored sets the copies are sets of their own, the same ones for all
  // bytes.
  Variables choices;
  for (const Loaded &loaded : bytes)
    append(choices, loaded.choices);
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
      isLiteral(length) && length.get_numeral_uint64() == 0;
  if (isLiterally0)
    return;
  Value to = use(operands[0]);
  if (!to.choices.empty())
    return fail("a memset of one of several places");
  const expr before = guard_;
  guard_ = both(guard_, (length != number(0, addressWidth)).simplify());
  const corpus::CallAttributes *attributes = attributesOf(instruction);
  if (attributes != nullptr && !attributes->parameters.empty())
    restrict(attributes->parameters[0], operands[0].type, to);
  refuseInTailCall(instruction, to);
  const Value value = valueOf(operands[1]);
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
  } else if (!isLiteral(length) || length.get_numeral_uint64() > maximumCopy) {
    fail("a memset of unknown or large length with undef");
  } else {
    for (std::uint64_t i = 0; i < length.get_numeral_uint64(); ++i) {
      const Value each = picked(value);
      write(moved(*to.pointer, i), byteOf(each), each.choices, to.basedOn);
    }
  }
  guard_ = before;
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

void MemoryRun::getelementptr(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const auto operands = program_.operandsOf(instruction);
  Value result = use(operands[0]);
  const bool checks = semantics_.gepBounds == GepBounds::poison;
  const bool inbounds = checks && instruction.flags.has(corpus::flag::inbounds);
  const bool nusw =
      checks && (inbounds || instruction.flags.has(corpus::flag::nusw));
  const bool nuw = checks && instruction.flags.has(corpus::flag::nuw);
  const auto isOutside = [&](const SymbolicPointer &pointer) {
    const expr maximum = lookUp(pointer, [&](unsigned id) {
      return id == 0 ? number(0, addressWidth)
             : id >= MemoryInputs::firstLocal
                 ? number(locals_.at(id).size, addressWidth)
                 : inputs_.blocks().at(id).maximum;
    });
    return either((pointer.block == number(0, blockWidth)).simplify(),
                  z3::ugt(pointer.offset, maximum).simplify());
  };
  SymbolicPointer pointer = *result.pointer;
  expr outside = inbounds ? isOutside(pointer) : no_;
  expr moves = no_;
  expr wraps = no_;
  for (std::size_t i = 1; i < operands.size(); i += 2) {
    const Value value = use(operands[i]);
    const unsigned width = operands[i].type.width();
    append(result.choices, value.choices);
    result.term.poison = either(result.term.poison, value.term.poison);
    const expr each = width < addressWidth
                          ? z3::sext(value.term.bits, addressWidth - width)
                          : value.term.bits;
    const expr scale = number(operands[i + 1].payload, addressWidth);
    const expr offset = (each * scale).simplify();
    const bool isConstant = isLiteral(each.simplify());
    // A product of a narrow number and a small one does not wrap.
    const bool isSmall = width <= 32 && operands[i + 1].payload < (1U << 20);
    if (nusw && !isConstant && !isSmall && operands[i + 1].payload != 1)
      wraps =
          either(wraps, negate(both(z3::bvmul_no_overflow(each, scale, true),
                                    z3::bvmul_no_underflow(each, scale))));
    if (nuw && operands[i + 1].payload != 1)
      wraps = either(wraps, negate(z3::bvmul_no_overflow(each, scale, false)));
    if (nuw || (nusw && !inbounds))
      observe(pointer, pointer);
    const expr before =
        nuw || (nusw && !inbounds) ? address(pointer) : number(0, addressWidth);
    pointer.offset = (pointer.offset + offset).simplify();
    if (nuw || (nusw && !inbounds)) {
      const expr after = address(pointer);
      const expr isNegative = z3::slt(offset, number(0, addressWidth));
      if (nusw)
        wraps = either(wraps, z3::ite(isNegative, z3::uge(after, before),
                                      z3::ult(after, before)));
      if (nuw)
        wraps = either(wraps, z3::ult(after, before));
    }
    moves = either(moves, (offset != number(0, addressWidth)).simplify());
    if (inbounds)
      outside = either(outside, isOutside(pointer));
  }
  result.term.poison =
      either(result.term.poison, either(wraps, both(moves, outside)));
  result.term.bits = pointer.offset;
  result.pointer = pointer;
  values_[index] = std::move(result);
}

void MemoryRun::compare(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const auto operands = program_.operandsOf(instruction);
  const Value a = use(operands[0]);
  const Value b = use(operands[1]);
  const bool isEquality = instruction.predicate == corpus::Predicate::eq ||
                          instruction.predicate == corpus::Predicate::ne;
  const bool sameBlock =
      isEquality && z3::eq(a.pointer->block, b.pointer->block);
  if (!sameBlock)
    observe(*a.pointer, *b.pointer);
  core::Step step;
  step.code = static_cast<std::uint8_t>(Opcode::icmp);
  step.flags = instruction.flags.bits();
  step.predicate = static_cast<std::uint8_t>(instruction.predicate);
  step.width = addressWidth;
  step.resultWidth = 1;
  const std::array<Term, 2> terms = {
      Term{sameBlock ? a.pointer->offset : address(*a.pointer), a.term.poison},
      Term{sameBlock ? b.pointer->offset : address(*b.pointer), b.term.poison}};
  Value result = integer(evaluate(step, terms).value);
  result.choices = a.choices;
  append(result.choices, b.choices);
  values_[index] = std::move(result);
}

void MemoryRun::select(std::size_t index) {
  const auto operands = program_.operandsOf(program_.instructions[index]);
  if (semantics_.selectCondition == SelectCondition::nondeterministic)
    return fail("a nondeterministic select beside memory");
  const Value condition = use(operands[0]);
  const Value first = use(operands[1]);
  const Value second = use(operands[2]);
  if (semantics_.selectCondition == SelectCondition::ub)
    for (std::size_t i = 0; i < condition.lanes(); ++i)
      addUb(condition.lane(i).poison, condition.choices);
  Value result =
      merged((condition.term.bits == number(1, 1)).simplify(), first, second);
  for (std::size_t i = 0; i < result.lanes(); ++i) {
    const Term &each = condition.lane(i % condition.lanes());
    const expr isFirst = (each.bits == number(1, 1)).simplify();
    Term &lane = result.lane(i);
    const Term &a = first.lane(i);
    const Term &b = second.lane(i);
    if (condition.lanes() > 1)
      lane = {choose(isFirst, a.bits, b.bits),
              choose(isFirst, a.poison, b.poison)};
    lane.poison = either(lane.poison, each.poison);
    if (semantics_.selectArms == SelectArms::either)
      lane.poison = either(lane.poison, either(a.poison, b.poison));
  }
  append(result.choices, condition.choices);
  values_[index] = std::move(result);
}

void MemoryRun::freeze(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  Value value = use(program_.operandsOf(instruction)[0]);
  append(forks_, value.choices);
  value.choices.clear();
  if (!value.term.poison.is_false()) {
    const expr pick = fresh_.bits(
        value.pointer ? addressWidth : value.term.bits.get_sort().bv_size());
    forks_.push_back(pick);
    value.term.bits = choose(value.term.poison, pick, value.term.bits);
    if (value.pointer) {
      // Null or some address, never a valid one.
      value.pointer->block = choose(value.term.poison, number(0, blockWidth),
                                    value.pointer->block);
      value.pointer->offset = value.term.bits;
      value.pointer->candidates.insert(0);
    }
    value.term.poison = no_;
  }
  for (Term &lane : value.rest)
    if (!lane.poison.is_false()) {
      const expr pick = fresh_.bits(lane.bits.get_sort().bv_size());
      forks_.push_back(pick);
      lane = {choose(lane.poison, pick, lane.bits), no_};
    }
  values_[index] = std::move(value);
}

/// Of an instruction that moves lanes; nothing if it is none.
std::optional<MemoryRun::Value>
MemoryRun::movedLanes(const Instruction &instruction,
                      const std::vector<Value> &operands) {
  const auto given = program_.operandsOf(instruction);
  const Type from = given[0].type;
  std::vector<Term> lanes;
  for (std::size_t i = 0; i < operands[0].lanes(); ++i)
    lanes.push_back(operands[0].lane(i));
  const auto take = [&](std::size_t first) {
    const auto begin = lanes.begin() + static_cast<std::ptrdiff_t>(first);
    lanes = std::vector<Term>(begin, begin + instruction.type.lanes());
  };
  const auto put = [&](std::size_t first) {
    for (std::size_t i = 0; i < operands[1].lanes(); ++i)
      lanes[first + i] = operands[1].lane(i);
  };
  const auto isLane = [&](const Term &index, std::size_t lane) {
    const unsigned width = index.bits.get_sort().bv_size();
    return width < 64 && lane >> width != 0
               ? no_
               : (index.bits == number(lane, width)).simplify();
  };
  switch (instruction.opcode) {
  case Opcode::extractvalue:
    take(from.firstLane(given[1].payload));
    break;
  case Opcode::insertvalue:
    put(from.firstLane(given[2].payload));
    break;
  case Opcode::vectorExtract:
    take(given[1].payload);
    break;
  case Opcode::vectorInsert:
    put(given[2].payload);
    break;
  case Opcode::extractelement: {
    const Term &index = operands[1].term;
    Term result{number(0, from.lane(0).width()), yes_};
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const expr here = isLane(index, i);
      result = {choose(here, lanes[i].bits, result.bits),
                choose(here, lanes[i].poison, result.poison)};
    }
    result.poison = either(result.poison, index.poison);
    lanes = {result};
    break;
  }
  case Opcode::insertelement: {
    const Term &index = operands[2].term;
    expr isAny = no_;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const expr here = isLane(index, i);
      isAny = either(isAny, here);
      lanes[i] = {choose(here, operands[1].term.bits, lanes[i].bits),
                  choose(here, operands[1].term.poison, lanes[i].poison)};
    }
    for (Term &lane : lanes)
      lane.poison = either(lane.poison, either(index.poison, negate(isAny)));
    break;
  }
  case Opcode::shufflevector: {
    for (std::size_t i = 0; i < operands[1].lanes(); ++i)
      lanes.push_back(operands[1].lane(i));
    std::vector<Term> result;
    for (unsigned i = 0; i < instruction.type.lanes(); ++i) {
      const bool isPooled = given[2].is(Operand::Kind::pooled);
      const Operand lane =
          isPooled ? program_.constants[given[2].payload].lanes[i] : given[2];
      result.push_back(
          lane.is(Operand::Kind::constant)
              ? lanes[lane.payload]
              : Term{number(0, instruction.type.lane(i).width()), yes_});
    }
    lanes = std::move(result);
    break;
  }
  case Opcode::bitcast: {
    std::optional<expr> bits;
    std::optional<expr> flags;
    for (unsigned i = 0; i < from.lanes(); ++i) {
      const Type lane = from.lane(i);
      const expr flag =
          choose(lanes[i].poison, number(lane.mask(), lane.width()),
                 number(0, lane.width()));
      bits = bits ? z3::concat(lanes[i].bits, *bits) : lanes[i].bits;
      flags = flags ? z3::concat(flag, *flags) : flag;
    }
    lanes.clear();
    unsigned low = 0;
    for (unsigned i = 0; i < instruction.type.lanes(); ++i) {
      const unsigned width = instruction.type.lane(i).width();
      lanes.push_back(
          {bits->extract(low + width - 1, low).simplify(),
           (flags->extract(low + width - 1, low) != number(0, width))
               .simplify()});
      low += width;
    }
    break;
  }
  default: {
    const auto fold = corpus::reductionOf(instruction.opcode);
    if (!fold)
      return std::nullopt;
    core::Step step;
    step.code = static_cast<std::uint8_t>(*fold);
    step.mode = core::laneModeOf(semantics_);
    step.width = step.resultWidth =
        static_cast<std::uint8_t>(from.lane(0).width());
    Term sum = lanes[0];
    for (std::size_t i = 1; i < lanes.size(); ++i) {
      const std::array<Term, 2> pair = {sum, lanes[i]};
      sum = evaluate(step, pair).value;
    }
    lanes = {sum};
    break;
  }
  }
  return ofLanes(std::move(lanes));
}

void MemoryRun::operate(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const auto operands = program_.operandsOf(instruction);
  const corpus::CallAttributes *attributes = attributesOf(instruction);
  std::vector<Value> values;
  Variables choices;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    // The mask of a shuffle is no value.
    const bool isMask = instruction.opcode == Opcode::shufflevector && i == 2;
    Value value = isMask ? integer({number(0, 1), no_}) : use(operands[i]);
    if (value.pointer || !lack_.empty())
      return fail(std::string(corpus::info(instruction.opcode).spelling) +
                  " of a pointer");
    if (attributes != nullptr && !attributes->parameters.empty())
      restrict(attributes->parameters[i], operands[i].type, value);
    append(choices, value.choices);
    values.push_back(std::move(value));
  }
  std::optional<Value> result = movedLanes(instruction, values);
  if (!result) {
    static const core::OpcodeSet known = opcodesOfTerms();
    if (!known.has(instruction.opcode))
      return fail(std::string(corpus::info(instruction.opcode).spelling));
    const bool isPair = corpus::shapeOf(instruction.opcode).result ==
                        corpus::Place::overflowPair;
    const Type operandType = operands[0].type;
    const unsigned count = instruction.type.isVoid() || isPair
                               ? operandType.lanes()
                               : instruction.type.lanes();
    core::Step step;
    step.code = static_cast<std::uint8_t>(instruction.opcode);
    step.flags = semantics_.overflow == OverflowRule::wrap
                     ? 0
                     : instruction.flags.bits();
    step.predicate = static_cast<std::uint8_t>(instruction.predicate);
    step.mode = core::laneModeOf(semantics_);
    step.width = static_cast<std::uint8_t>(operandType.lane(0).width());
    if (!instruction.type.isVoid())
      step.resultWidth =
          static_cast<std::uint8_t>(instruction.type.lane(0).width());
    std::vector<Term> lanes;
    std::vector<Term> overflows;
    for (unsigned lane = 0; lane < count; ++lane) {
      std::vector<Term> terms;
      terms.reserve(values.size());
      for (const Value &value : values)
        terms.push_back(value.lane(lane % value.lanes()));
      TermResult answer = evaluate(step, terms);
      addUb(answer.ub, choices);
      if (instruction.type.isVoid())
        continue;
      if (!answer.undef.is_false()) {
        const expr any = fresh_.bits(step.resultWidth);
        choices.push_back(any);
        answer.value.bits = choose(answer.undef, any, answer.value.bits);
      }
      lanes.push_back(std::move(answer.value));
      if (answer.overflow)
        overflows.push_back(std::move(*answer.overflow));
    }
    if (instruction.type.isVoid())
      return;
    lanes.insert(lanes.end(), overflows.begin(), overflows.end());
    result = ofLanes(std::move(lanes));
  }
  result->choices = std::move(choices);
  if (attributes != nullptr)
    restrict(attributes->result, instruction.type, *result);
  values_[index] = std::move(result);
}

void MemoryRun::ret(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  if (program_.signature.function.has(attribute::noreturn))
    return addUb(yes_, {});
  if (instruction.operandCount == 0)
    return;
  Value value = valueOf(program_.operandsOf(instruction)[0]);
  const corpus::Attributes &result = program_.signature.result;
  restrict(result, program_.signature.returnType, value);
  // The caller finds no locals.
  if (value.pointer &&
      result.has(attribute::dereferenceable | attribute::dereferenceableOrNull))
    addUb(z3::uge(value.pointer->block,
                  number(MemoryInputs::firstLocal, blockWidth))
              .simplify(),
          value.choices);
  returned_ = returned_ ? merged(guard_, value, *returned_) : value;
}

void MemoryRun::instruction(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const auto operands = program_.operandsOf(instruction);
  switch (instruction.opcode) {
  case Opcode::alloca_: {
    const unsigned id = blockOfLocal_.at(index);
    Value value = integer({number(0, addressWidth), no_});
    value.pointer = {number(id, blockWidth), value.term.bits, {id}};
    values_[index] = std::move(value);
    return;
  }
  case Opcode::load:
    return load(index);
  case Opcode::store:
    return store(index);
  case Opcode::getelementptr:
    return getelementptr(index);
  case Opcode::memcpy_:
  case Opcode::memmove_:
    return copy(index);
  case Opcode::memset_:
    return fill(index);
  case Opcode::lifetimeStart:
  case Opcode::lifetimeEnd:
    return lifetime(index);
  case Opcode::select:
    return select(index);
  case Opcode::freeze:
    return freeze(index);
  case Opcode::ret:
    return ret(index);
  case Opcode::unreachable:
    return addUb(yes_, {});
  case Opcode::icmp:
    if (operands[0].type.isPointer())
      return compare(index);
    return operate(index);
  case Opcode::call:
    return call(index);
  case Opcode::ptrtoint:
  case Opcode::ptrtoaddr:
    return pointerToInteger(index);
  default:
    return operate(index);
  }
}

} // namespace checker::smt
