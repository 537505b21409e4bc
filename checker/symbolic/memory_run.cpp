// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/memory_run.h"

#include "checker/core/elaborate.h"
#include "checker/memory/memory.h"
#include "corpus/program/graph.h"

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
/// Bytes that one instruction may copy, and writes of one run.
constexpr std::uint64_t maximumCopy = 256;
constexpr std::size_t maximumWrites = 2000;

expr substituted(const expr &term, const Variables &from, const Variables &to) {
  z3::expr_vector source(term.ctx());
  z3::expr_vector target(term.ctx());
  for (std::size_t i = 0; i < from.size(); ++i) {
    source.push_back(from[i]);
    target.push_back(to[i]);
  }
  return expr(term).substitute(source, target);
}

bool intersect(const std::set<unsigned> &a, const std::set<unsigned> &b) {
  return std::any_of(a.begin(), a.end(),
                     [&](unsigned block) { return b.contains(block); });
}

bool isLiteral(const expr &term) { return term.is_numeral(); }

void append(Variables &to, const Variables &from) {
  for (const expr &each : from)
    if (std::none_of(to.begin(), to.end(),
                     [&](const expr &e) { return z3::eq(e, each); }))
      to.push_back(each);
}

} // namespace

expr samePlace(const SymbolicPointer &a, const SymbolicPointer &b) {
  z3::context &context = a.block.ctx();
  if (!intersect(a.candidates, b.candidates))
    return context.bool_val(false);
  const expr offsets = (a.offset == b.offset).simplify();
  if (offsets.is_false() || z3::eq(a.block, b.block))
    return offsets;
  return both((a.block == b.block).simplify(), offsets);
}

MemoryInputs::MemoryInputs(const Program &source, const Program &target,
                           const Semantics &semantics, FreshVariables &fresh)
    : semantics_(semantics), fresh_(fresh), location_{fresh.bits(blockWidth),
                                                      fresh.bits(addressWidth),
                                                      {}},
      assumptions_(fresh.context().bool_val(true)) {
  z3::context &context = fresh.context();
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
    const unsigned width =
        parameter.type.isPointer() ? addressWidth : parameter.type.width();
    Argument argument{
        {this->fresh(width), context.bool_val(false)},
        {context.bv_val(0, blockWidth), context.bv_val(0, addressWidth), {}}};
    if (mayBePoison) {
      argument.term.poison = fresh_.boolean();
      variables_.push_back(argument.term.poison);
    }
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
      // Nor is its address among those of locals.
      for (const unsigned each : candidates) {
        const expr address = each == 0
                                 ? argument.term.bits
                                 : blocks_.at(each).base + argument.term.bits;
        assume(argument.pointer.block != context.bv_val(each, blockWidth) ||
               z3::ult(address, context.bv_val(localsBegin, addressWidth)) ||
               z3::uge(address, context.bv_val(localsEnd, addressWidth)));
      }
    }
    arguments_.push_back(std::move(argument));
  }
  // Valid bytes only; of locals whoever matches them says so.
  for (const auto &[id, block] : blocks_) {
    location_.candidates.insert(id);
    assume(location_.block != context.bv_val(id, blockWidth) ||
           z3::ult(location_.offset, block.size));
  }
}

expr MemoryInputs::freshBoolean() {
  const expr variable = fresh_.boolean();
  variables_.push_back(variable);
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
  const expr variable = fresh_.bits(width);
  variables_.push_back(variable);
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
    block.writable = fresh_.boolean();
    variables_.push_back(block.writable);
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
  const expr isKept = epoch == 0 ? context.bool_val(false) : freshBoolean();
  for (const Read &read : reads_) {
    if (read.epoch != epoch)
      continue;
    const expr same = samePlace(read.pointer, pointer);
    if (!same.is_false())
      assume(!same ||
             (read.byte.bits == byte.bits && read.byte.poison == byte.poison &&
              read.isKept == isKept));
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
                         byte.poison == zero));
    }
  }
  reads_.push_back({epoch, pointer, byte, isKept});
  return reads_.back();
}

MemoryRun::MemoryRun(const Program &program, const Semantics &semantics,
                     MemoryInputs &inputs, FreshVariables &fresh)
    : program_(program), semantics_(semantics), inputs_(inputs), fresh_(fresh),
      no_(fresh.context().bool_val(false)),
      yes_(fresh.context().bool_val(true)), guard_(yes_),
      values_(program.instructions.size()), ub_(no_), made_{yes_}, ubAt_{no_} {
  run();
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
  const corpus::Graph graph(program_);
  if (graph.hasCycle())
    return fail("a loop beside memory");
  if (program_.signature.function.has(attribute::nullPointerIsValid))
    return fail("null_pointer_is_valid");
  if (program_.signature.parameters.size() > tagWidth)
    return fail("more than 16 parameters beside memory");
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
                localsBegin +
                    localDistance * (nextLocal - MemoryInputs::firstLocal),
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
  enterParameters();
  for (const std::size_t index : graph.order()) {
    if (!lack_.empty())
      return;
    if (block(index))
      for (std::size_t i = program_.blocks[index].begin;
           i < program_.blocks[index].end && lack_.empty(); ++i) {
        reached_.emplace(i, guard_);
        if (program_.instructions[i].opcode == Opcode::phi)
          phi(i, index);
        else if (corpus::info(program_.instructions[i].opcode).isTerminator() &&
                 (program_.instructions[i].opcode == Opcode::br ||
                  program_.instructions[i].opcode == Opcode::switch_))
          branch(program_.instructions[i], index);
        else
          instruction(i);
      }
  }
}

void MemoryRun::enterParameters() {
  const auto &parameters = program_.signature.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const MemoryInputs::Argument &argument = inputs_.argument(i);
    Value value = integer(argument.term);
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
    noteAccess({guard_, *value.pointer,
                own.valueOf(attribute::dereferenceable).low, value.basedOn,
                true});
  }
}

/// False where no edge leads to it.
bool MemoryRun::block(std::size_t index) {
  if (index == 0)
    return true;
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
    const auto [found, isNew] = edges_.try_emplace({block, to.payload}, taken);
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
      zeros.push_back(
          choice.is_bool() ? no_ : number(0, choice.get_sort().bv_size()));
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
  if (then.overflow)
    result.overflow = pickTerm(*then.overflow, *otherwise.overflow);
  if (then.pointer) {
    result.pointer = {pick(then.pointer->block, otherwise.pointer->block),
                      result.term.bits, then.pointer->candidates};
    result.pointer->candidates.insert(otherwise.pointer->candidates.begin(),
                                      otherwise.pointer->candidates.end());
  }
  return result;
}

void MemoryRun::phi(std::size_t index, std::size_t block) {
  const auto operands = program_.operandsOf(program_.instructions[index]);
  std::optional<Value> result;
  for (std::size_t i = 0; i < operands.size(); i += 2) {
    const auto edge = edges_.find({operands[i + 1].payload, block});
    if (edge == edges_.end() || edge->second.is_false())
      continue;
    const Value value = valueOf(operands[i]);
    result = result ? merged(edge->second, value, *result) : value;
  }
  values_[index] = std::move(result);
}

MemoryRun::Value MemoryRun::valueOf(const Operand &operand) {
  switch (operand.kind) {
  case Operand::Kind::argument:
    return arguments_[operand.payload];
  case Operand::Kind::instruction:
    if (values_[operand.payload])
      return *values_[operand.payload];
    break; // of a block that nothing reaches
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
  if (!operand.type.isInteger() && !operand.type.isOverflowPair()) {
    fail(fmt::format("a value of type {}", toString(operand.type)));
    return integer({number(0, 1), yes_});
  }
  const unsigned width = operand.type.width();
  Value value = integer({number(operand.payload, width), no_});
  if (operand.type.isOverflowPair())
    value.overflow = Term{number(0, 1), yes_};
  const bool isUndef =
      operand.is(Operand::Kind::undef) && semantics_.undef == UndefRule::perUse;
  if (isUndef) {
    value.choices = {fresh_.bits(width)};
    value.term.bits = value.choices[0];
    if (value.overflow) {
      value.choices.push_back(fresh_.bits(1));
      value.overflow = Term{value.choices[1], no_};
    }
  } else if (!operand.is(Operand::Kind::constant)) {
    value.term.poison = yes_;
  }
  return value;
}

MemoryRun::Value MemoryRun::picked(Value value) {
  if (value.choices.empty())
    return value;
  constexpr std::size_t mostChoices = 512;
  if (value.choices.size() > mostChoices)
    fail("too many uses of undef values");
  Variables copies;
  for (const expr &choice : value.choices)
    copies.push_back(choice.is_bool()
                         ? fresh_.boolean()
                         : fresh_.bits(choice.get_sort().bv_size()));
  const auto rename = [&](expr &term) {
    term = substituted(term, value.choices, copies);
  };
  rename(value.term.bits);
  rename(value.term.poison);
  if (value.overflow) {
    rename(value.overflow->bits);
    rename(value.overflow->poison);
  }
  if (value.pointer) {
    rename(value.pointer->block);
    rename(value.pointer->offset);
  }
  value.choices = std::move(copies);
  return value;
}

MemoryRun::Value MemoryRun::use(const Operand &operand) {
  return picked(valueOf(operand));
}

void MemoryRun::restrict(const corpus::Attributes &attributes, Type type,
                         Value &value) {
  if (type.isPointer()) {
    const expr where = address(*value.pointer);
    if (attributes.has(attribute::align)) {
      const std::uint64_t low = attributes.valueOf(attribute::align).low - 1;
      value.term.poison =
          either(value.term.poison, ((where & number(low, addressWidth)) !=
                                     number(0, addressWidth))
                                        .simplify());
    }
    if (attributes.has(attribute::nonnull))
      value.term.poison = either(value.term.poison,
                                 (where == number(0, addressWidth)).simplify());
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
                 both(negate(value.term.poison),
                      (where == number(0, addressWidth)).simplify()));
  } else if (attributes.has(attribute::range)) {
    const auto &range = attributes.range();
    const std::uint64_t size = (range.high - range.low) & type.mask();
    if (size != 0)
      value.term.poison =
          either(value.term.poison,
                 z3::uge(value.term.bits - number(range.low, type.width()),
                         number(size, type.width()))
                     .simplify());
  }
  if (!attributes.has(attribute::noundef))
    return;
  addUb(value.term.poison, value.choices);
  if (value.choices.empty())
    return;
  const Value other = picked(value);
  Variables picks = value.choices;
  append(picks, other.choices);
  addUb(value.term.bits != other.term.bits, picks);
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
    return id == 0 ? number(0, addressWidth)
           : id >= MemoryInputs::firstLocal
               ? number(locals_.at(id).base, addressWidth)
               : inputs_.blocks().at(id).base;
  });
  const expr inBlock = base + pointer.offset;
  if (!pointer.candidates.contains(0))
    return inBlock.simplify();
  return choose((pointer.block == number(0, blockWidth)).simplify(),
                pointer.offset, inBlock)
      .simplify();
}

expr MemoryRun::isValid(const SymbolicPointer &pointer,
                        std::uint64_t size) const {
  const expr available = lookUp(pointer, [&](unsigned id) {
    return id == 0 ? number(0, addressWidth)
           : id >= MemoryInputs::firstLocal
               ? number(locals_.at(id).size, addressWidth)
               : inputs_.blocks().at(id).size;
  });
  const expr wanted = number(size, addressWidth);
  const expr inBlock =
      both(z3::uge(available, wanted).simplify(),
           z3::ule(pointer.offset, available - wanted).simplify());
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

std::vector<std::uint64_t> MemoryRun::passedSizes() const {
  std::vector<std::uint64_t> sizes;
  for (const unsigned id : passed_)
    sizes.push_back(locals_.at(id).size);
  return sizes;
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
    result.byte = {choose(takes, fresh.bits, result.byte.bits),
                   choose(takes, fresh.poison, result.byte.poison),
                   choose(takes, fresh.uninit, result.byte.uninit),
                   choose(takes, fresh.stored, result.byte.stored)};
  }
  return result;
}

SymbolicRow MemoryRun::rowOf(const Value &value) {
  if (!value.pointer)
    return {{value.term}, value.choices};
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
  Loaded loaded = byteAt(pointer);
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
  for (unsigned i = 0; i < byteBits; ++i)
    row.lanes.push_back(
        {byte.bits.extract(i, i).simplify(),
         either(negate(isShown),
                (byte.poison.extract(i, i) == number(1, 1)).simplify())});
  return row;
}

void MemoryRun::call(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  if (!instruction.type.isVoid() && !instruction.type.isInteger())
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
    if (!type.isInteger() && !type.isPointer())
      return fail(fmt::format("a value of type {}", toString(type)));
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

  // What it may touch, by noalias.
  constexpr std::uint64_t wholeBlock = std::uint64_t(1) << 60;
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
    for (std::size_t p = 0; p < reach.at.size(); ++p)
      if (!reach.at[p].is_false()) {
        const Value each = integer(
            inputs_.result(p + 1, callee.name, instruction.type.width()));
        result = result ? merged(reach.at[p], each, *result) : each;
      }
    if (!result)
      result = integer({number(0, instruction.type.width()), yes_});
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
    const expr overlap = (z3::ult(b - a, number(other.size, addressWidth)) ||
                          z3::ult(a - b, number(access.size, addressWidth)))
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
    const expr same = both(write.guard, samePlace(write.pointer, pointer));
    const expr tag = through == 0
                         ? yes_
                         : ((write.basedOn & number(through, tagWidth)) !=
                            number(0, tagWidth))
                               .simplify();
    result = either(result, both(same, tag));
  }
  return result;
}

expr MemoryRun::access(const Value &value, std::uint64_t size,
                       std::uint32_t alignment, bool isWrite) {
  const SymbolicPointer &pointer = *value.pointer;
  const Variables &picks = value.choices;
  addUb(value.term.poison, picks);
  addUb(negate(isValid(pointer, size)), picks);
  if (alignment > 1)
    addUb(((address(pointer) & number(alignment - 1, addressWidth)) !=
           number(0, addressWidth))
              .simplify(),
          picks);
  const expr alive = isAlive(pointer);
  expr poison = no_;
  if (isWrite || semantics_.deadLoad == DeadLoad::ub)
    addUb(negate(alive), picks);
  else
    poison = negate(alive); // undef too is refined by what we say of poison
  if (!isWrite && semantics_.deadLoad == DeadLoad::undef && !alive.is_true())
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
    expr unwritten = no_;
    for (std::uint64_t i = 0; i < size; ++i)
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

MemoryRun::Loaded MemoryRun::byteAt(const SymbolicPointer &pointer) {
  // From the latest write back to one that is surely the one.
  struct Part {
    expr hit;
    const Write *write;
  };
  std::vector<Part> parts;
  const Write *sure = nullptr;
  for (auto write = writes_.rbegin(); write != writes_.rend() && !sure;
       ++write) {
    expr hit = no_;
    if (write->call != noCall) {
      hit = both(write->guard,
                 reaches(reaches_[write->call], pointer, effect::write))
                .simplify();
      if (!hit.is_false())
        parts.push_back({hit, &*write});
      continue;
    }
    if (!write->isWholeBlock)
      hit = samePlace(write->pointer, pointer);
    else if (intersect(write->pointer.candidates, pointer.candidates))
      hit = (pointer.block == write->pointer.block).simplify();
    hit = both(write->guard, hit);
    if (hit.is_true() || z3::eq(hit, guard_))
      sure = &*write;
    else if (!hit.is_false())
      parts.push_back({hit, &*write});
  }
  const expr zero = number(0, byteBits);
  const SymbolicByte unwritten{zero, zero, number(0xff, byteBits),
                               number(Byte::anyType, tagWidth)};
  Loaded result{unwritten, {}};
  if (sure != nullptr) {
    result = {sure->byte, sure->choices};
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
                choose(isLocal, unwritten.uninit, ours.uninit), ours.stored};
      }
      result.byte = ours;
    }
  }
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    Loaded left{part->write->byte, {}};
    if (part->write->call != noCall)
      left = leftBy(*part->write, pointer, result);
    const SymbolicByte &byte = left.byte;
    const auto pick = [&](const expr &a, const expr &b) {
      return z3::eq(a, b) ? a : choose(part->hit, a, b);
    };
    result.byte = {pick(byte.bits, result.byte.bits),
                   pick(byte.poison, result.byte.poison),
                   pick(byte.uninit, result.byte.uninit),
                   pick(byte.stored, result.byte.stored)};
    append(result.choices, part->write->choices);
  }
  return result;
}

SymbolicByte MemoryRun::last(const SymbolicPointer &pointer,
                             Variables &choices) {
  guard_ = yes_;
  Loaded loaded = byteAt(pointer);
  append(choices, loaded.choices);
  return loaded.byte;
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
  if (!type.isInteger())
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
  const unsigned width = type.width();
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
  const expr zero = number(0, width);
  poison = poison.simplify();
  uninit = uninit.simplify();
  result.term.bits = result.term.bits.simplify();
  result.term.poison = either((poison != zero).simplify(), badType.simplify());
  const bool mayBeUninit = !(uninit == zero).simplify().is_true();
  const LoadRule rule = uninitIsPoison(semantics_)
                            ? LoadRule::poison
                            : semantics_.uninitializedLoad;
  if (mayBeUninit && rule == LoadRule::poison) {
    result.term.poison =
        either(result.term.poison, (uninit != zero).simplify());
  } else if (mayBeUninit) {
    const expr fill = fresh_.bits(width);
    (rule == LoadRule::undef ? result.choices : forks_).push_back(fill);
    result.term.bits =
        ((result.term.bits & ~uninit) | (fill & uninit)).simplify();
  }
  result.term.poison = either(result.term.poison, isPoison);
  if (attributes != nullptr)
    restrict(attributes->result, type, result);
  values_[index] = std::move(result);
}

void MemoryRun::store(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const auto operands = program_.operandsOf(instruction);
  const Type type = operands[0].type;
  if (!type.isInteger())
    return fail(fmt::format("a value of type {} in memory", toString(type)));
  const Value value = valueOf(operands[0]);
  const Value pointer = use(operands[1]);
  if (!pointer.choices.empty())
    return fail("a store to one of several places");
  const auto size = static_cast<unsigned>(corpus::storeSize(type));
  if (semantics_.storePoison == StorePoison::ub) {
    const Value pick = picked(value);
    addUb(pick.term.poison, pick.choices);
  }
  access(pointer, size, instruction.alignment, true);
  const unsigned width = type.width();
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
  const expr bits = extend(value.term.bits, false);
  const std::uint64_t ones = type.mask();
  const expr poison =
      choose(value.term.poison, number(ones, padded), number(0, padded));
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

void MemoryRun::copy(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const auto operands = program_.operandsOf(instruction);
  if (!operands[2].is(Operand::Kind::constant) ||
      operands[2].payload > maximumCopy)
    return fail("a copy of unknown or large length");
  const std::uint64_t size = operands[2].payload;
  if (size == 0)
    return;
  Value to = use(operands[0]);
  Value from = use(operands[1]);
  if (!to.choices.empty() || !from.choices.empty())
    return fail("a copy of one of several places");
  const corpus::CallAttributes *attributes = attributesOf(instruction);
  if (attributes != nullptr && !attributes->parameters.empty()) {
    restrict(attributes->parameters[0], operands[0].type, to);
    restrict(attributes->parameters[1], operands[1].type, from);
  }
  refuseInTailCall(instruction, to);
  refuseInTailCall(instruction, from);
  const expr isPoison = access(from, size, 1, false);
  access(to, size, 1, true);
  if (instruction.opcode == Opcode::memcpy_ &&
      intersect(to.pointer->candidates, from.pointer->candidates)) {
    const expr distance = to.pointer->offset - from.pointer->offset;
    const expr length = number(size, addressWidth);
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
  Variables copies;
  for (const expr &choice : choices)
    copies.push_back(fresh_.bits(choice.get_sort().bv_size()));
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
  if (!operands[2].is(Operand::Kind::constant) ||
      operands[2].payload > maximumCopy)
    return fail("a memset of unknown or large length");
  const std::uint64_t size = operands[2].payload;
  if (size == 0)
    return;
  Value to = use(operands[0]);
  if (!to.choices.empty())
    return fail("a memset of one of several places");
  const corpus::CallAttributes *attributes = attributesOf(instruction);
  if (attributes != nullptr && !attributes->parameters.empty())
    restrict(attributes->parameters[0], operands[0].type, to);
  refuseInTailCall(instruction, to);
  const Value value = valueOf(operands[1]);
  if (semantics_.storePoison == StorePoison::ub) {
    const Value pick = picked(value);
    addUb(pick.term.poison, pick.choices);
  }
  access(to, size, 1, true);
  for (std::uint64_t i = 0; i < size; ++i) {
    const Value each = picked(value);
    const SymbolicByte byte{
        each.term.bits,
        choose(each.term.poison, number(0xff, byteBits), number(0, byteBits)),
        number(0, byteBits), number(0, tagWidth)};
    write(moved(*to.pointer, i), byte, each.choices, to.basedOn);
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
    addUb(condition.term.poison, condition.choices);
  Value result =
      merged((condition.term.bits == number(1, 1)).simplify(), first, second);
  result.term.poison = either(result.term.poison, condition.term.poison);
  if (semantics_.selectArms == SelectArms::either)
    result.term.poison = either(result.term.poison,
                                either(first.term.poison, second.term.poison));
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
    if (value.overflow)
      fail("freeze of a pair beside memory");
    value.term.poison = no_;
  }
  values_[index] = std::move(value);
}

void MemoryRun::operate(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const auto operands = program_.operandsOf(instruction);
  static const core::OpcodeSet known = opcodesOfTerms();
  if (!known.has(instruction.opcode))
    return fail(std::string(corpus::info(instruction.opcode).spelling));
  const corpus::CallAttributes *attributes = attributesOf(instruction);
  std::vector<Term> terms;
  Variables choices;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    Value value = use(operands[i]);
    if (value.pointer || !lack_.empty())
      return fail(std::string(corpus::info(instruction.opcode).spelling) +
                  " of a pointer");
    if (attributes != nullptr && !attributes->parameters.empty())
      restrict(attributes->parameters[i], operands[i].type, value);
    append(choices, value.choices);
    terms.push_back(std::move(value.term));
  }
  if (!instruction.type.isVoid() && !instruction.type.isInteger() &&
      !instruction.type.isOverflowPair())
    return fail(fmt::format("a value of type {}", toString(instruction.type)));
  core::Step step;
  step.code = static_cast<std::uint8_t>(instruction.opcode);
  step.flags =
      semantics_.overflow == OverflowRule::wrap ? 0 : instruction.flags.bits();
  step.predicate = static_cast<std::uint8_t>(instruction.predicate);
  step.mode = core::laneModeOf(semantics_);
  step.width = static_cast<std::uint8_t>(operands[0].type.width());
  if (!instruction.type.isVoid())
    step.resultWidth = static_cast<std::uint8_t>(instruction.type.width());
  TermResult answer = evaluate(step, terms);
  addUb(answer.ub, choices);
  if (instruction.type.isVoid())
    return;
  Value result = integer(std::move(answer.value));
  result.overflow = std::move(answer.overflow);
  if (!answer.undef.is_false()) {
    const expr any = fresh_.bits(step.resultWidth);
    choices.push_back(any);
    result.term.bits = choose(answer.undef, any, result.term.bits);
  }
  result.choices = std::move(choices);
  if (attributes != nullptr)
    restrict(attributes->result, instruction.type, result);
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
  case Opcode::extractvalue: {
    const Value pair = valueOf(operands[0]);
    Value value = pair;
    value.overflow.reset();
    if (operands[1].payload == 1) {
      if (!pair.overflow)
        return fail("extractvalue");
      value.term = *pair.overflow;
    }
    values_[index] = std::move(value);
    return;
  }
  case Opcode::call:
    return call(index);
  default:
    return operate(index);
  }
}

} // namespace checker::smt
