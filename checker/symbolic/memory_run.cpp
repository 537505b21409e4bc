// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/memory_run.h"

#include "checker/core/elaborate.h"
#include "checker/memory/memory.h"
#include "checker/memory/windows.h"
#include "corpus/program/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

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

/// Bytes; those that one write covers take no time.
constexpr std::uint64_t mostInitialized = 4096;

constexpr std::uint64_t localDistance = std::uint64_t(1) << 34;

/// Of a number that was made a pointer: whoever looks at the address alone.
bool takesAnyPlace(Opcode opcode) {
  switch (opcode) {
  case Opcode::load:
  case Opcode::store:
  case Opcode::getelementptr:
  case Opcode::memcpy_:
  case Opcode::memmove_:
  case Opcode::memset_:
  case Opcode::icmp:
  case Opcode::ptrtoint:
  case Opcode::ptrtoaddr:
    return true;
  default:
    return false;
  }
}

} // namespace

expr MemoryRun::usualBase(unsigned local) const {
  return number(localsBegin +
                    localDistance * (local - MemoryInputs::firstLocal),
                addressWidth);
}

MemoryRun::MemoryRun(const Program &program, const Semantics &semantics,
                     MemoryInputs &inputs, Side side, FreshVariables &fresh,
                     unsigned unroll)
    : program_(program), semantics_(semantics), inputs_(inputs), side_(side),
      fresh_(fresh), unroll_(unroll), graph_(program),
      no_(fresh.context().bool_val(false)),
      yes_(fresh.context().bool_val(true)), guard_(yes_), beyond_(no_),
      values_(program.instructions.size()),
      settled_(program.instructions.size()), puns_(no_),
      readsPointerBytes_(no_), readsPoisonBehind_(no_),
      ub_(no_), made_{yes_}, ubAt_{no_}, returnsUseless_(no_) {
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
  addMissing(ubPicks_, picks);
}

void MemoryRun::run() {
  if (semantics_.poisonUnit == PoisonUnit::bit)
    return fail("poison_unit=bit beside memory");
  if (semantics_.undef == UndefRule::perUse &&
      semantics_.inputs >= Inputs::poisonUndef)
    return fail("undef inputs beside memory");
  if (touchesMemory(program_) && inputs_.isNullValid() &&
      !program_.signature.function.has(attribute::nullPointerIsValid))
    return fail("null_pointer_is_valid of one side alone");
  if (program_.signature.parameters.size() > tagWidth)
    return fail("more than 16 parameters beside memory");
  if (inputs_.hasManyPointers())
    return fail("more than 24 pointers of memory or of calls");
  for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
    const Instruction &instruction = program_.instructions[i];
    if (instruction.opcode != Opcode::alloca_)
      continue;
    if (nextLocal_ >= MemoryInputs::firstLocal + mostLocals)
      return fail(fmt::format("more than {} locals", mostLocals));
    const bool starts =
        std::any_of(program_.instructions.begin(), program_.instructions.end(),
                    [&](const Instruction &each) {
                      return each.opcode == Opcode::lifetimeStart &&
                             program_.operandsOf(each)[0].payload == i;
                    });
    Local local{number(program_.operandsOf(instruction)[0].payload *
                           corpus::allocationSize(instruction.accessedType),
                       addressWidth),
                usualBase(nextLocal_),
                false,
                instruction.alignment,
                corpus::HeapFamily::none,
                starts,
                starts ? no_ : yes_,
                no_,
                no_,
                no_,
                number(0, blockWidth)};
    blockOfLocal_[i] = nextLocal_;
    locals_.emplace(nextLocal_++, std::move(local));
  }
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
    if (own.has(attribute::deadOnReturn))
      fail("attribute dead_on_return");
    if (own.has(attribute::captures) && (own.valueOf(attribute::captures).high &
                                         corpus::captures::readProvenance) == 0)
      uncaptured_ |= std::uint64_t(1) << i;
    if (own.has(attribute::initializes)) {
      const auto &range = own.valueOf(attribute::initializes);
      if (range.high - range.low > mostInitialized)
        fail("attribute initializes of many bytes");
    }
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
    addMissing(picks, other.choices);
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
  addMissing(result.choices, otherwise.choices);
  for (std::size_t i = 0; i < then.rest.size(); ++i)
    result.rest.push_back(pickTerm(then.rest[i], otherwise.rest[i]));
  if (then.pointer) {
    result.pointer = {pick(then.pointer->block, otherwise.pointer->block),
                      result.term.bits, then.pointer->candidates};
    result.pointer->candidates.insert(otherwise.pointer->candidates.begin(),
                                      otherwise.pointer->candidates.end());
  }
  result.isAnywhere = then.isAnywhere || otherwise.isAnywhere;
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
    if (value.isAnywhere)
      fail(std::string(knowsLocal));
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
    if (operand.is(Operand::Kind::undef) &&
        semantics_.undef == UndefRule::perUse)
      return undefPointer();
    const bool isNull = operand.is(Operand::Kind::constant);
    Value value = integer({number(0, addressWidth), isNull ? no_ : yes_});
    value.pointer =
        isNull ? inputs_.nullPointer()
               : SymbolicPointer{number(0, blockWidth), value.term.bits, {0}};
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

/// Any pointer at all but one to a local: LLVM lets it become any other.
MemoryRun::Value MemoryRun::undefPointer() {
  const expr pick = fresh_.bits(blockWidth);
  Value value = integer({fresh_.bits(addressWidth), no_});
  value.choices = {pick, value.term.bits};
  value.pointer = {number(0, blockWidth), value.term.bits, {0}};
  for (const auto &[id, block] : inputs_.blocks()) {
    const expr name = number(id, blockWidth);
    value.pointer->block = choose(pick == name, name, value.pointer->block);
    value.pointer->candidates.insert(id);
  }
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
    const expr isNull =
        attributes.has(attribute::nonnull | attribute::dereferenceableOrNull)
            ? testedForNull(*value.pointer)
            : no_;
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
  addMissing(picks, other.choices);
  for (std::size_t i = 0; i < value.lanes(); ++i)
    addUb(value.lane(i).bits != other.lane(i).bits, picks);
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
  if (pointer.candidates.empty() || !pointer.offset.is_numeral())
    return std::nullopt;
  const unsigned id = *pointer.candidates.rbegin();
  // Of the heap it may be null instead.
  const bool isOne =
      pointer.candidates.size() == 1 ||
      (pointer.candidates.size() == 2 && pointer.candidates.contains(0) &&
       isHeap(id) && pointer.offset.get_numeral_uint64() == 0);
  if (!isOne || id < MemoryInputs::firstLocal ||
      !z3::ule(pointer.offset, locals_.at(id).size).simplify().is_true())
    return std::nullopt;
  return id;
}

/// The addresses are compared: from now on their locals may be anywhere.
void MemoryRun::observe(const SymbolicPointer &a, const SymbolicPointer &b) {
  // No local is at null, and none is where another one is.
  const auto isNull = [](const SymbolicPointer &pointer) {
    return pointer.block.is_numeral() && pointer.offset.is_numeral() &&
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

expr MemoryRun::testedForNull(const SymbolicPointer &pointer) {
  const SymbolicPointer null{
      number(0, blockWidth), number(0, addressWidth), {0}};
  observe(pointer, null);
  return (address(pointer) == null.offset).simplify();
}

void MemoryRun::placeAnywhere(unsigned id) {
  Local &local = locals_.at(id);
  if (local.isPlaced)
    return;
  local.isPlaced = true;
  if (isHeap(id) && (!local.size.is_numeral() ||
                     local.size.get_numeral_uint64() >= localDistance))
    fail("the address of a heap block of unknown or large size");
  if (isHeap(id) && mayReuse_)
    fail("the address of a heap block, where others were freed");
  const expr place = fresh_.bits(addressWidth);
  forks_.push_back(place);
  const expr zero = number(0, addressWidth);
  const expr &size = local.size;
  expr fits = (place & number(local.alignment - 1, addressWidth)) == zero &&
              place != zero && z3::ule(place, zero - size - 1);
  const auto keepFrom = [&](const expr &base, const expr &otherSize) {
    if (!z3::eq(size, zero))
      fits = fits && (otherSize == zero || (z3::uge(place - base, otherSize) &&
                                            z3::uge(base - place, size)));
  };
  for (const auto &[other, block] : inputs_.blocks())
    keepFrom(block.base, block.size);
  for (const auto &[other, each] : locals_)
    if (other != id)
      keepFrom(each.base, each.size);
  local.base = choose(fits, place, local.base);
}

expr MemoryRun::isValid(const SymbolicPointer &pointer,
                        const expr &wanted) const {
  const expr available = lookUp(pointer, [&](unsigned id) {
    return id == 0                          ? number(0, addressWidth)
           : id >= MemoryInputs::firstLocal ? locals_.at(id).size
                                            : inputs_.blocks().at(id).size;
  });
  // Of unknown lengths what is left behind the offset is one term.
  const expr inBlock =
      wanted.is_numeral()
          ? both(z3::uge(available, wanted).simplify(),
                 z3::ule(pointer.offset, available - wanted).simplify())
          : both(z3::ule(pointer.offset, available).simplify(),
                 z3::ule(wanted, available - pointer.offset).simplify());
  return both((pointer.block != number(0, blockWidth)).simplify(), inBlock);
}

expr MemoryRun::isAlive(const SymbolicPointer &pointer) const {
  return lookUp(pointer, [&](unsigned id) {
    const bool isOurs = id >= MemoryInputs::firstLocal;
    expr alive = isOurs ? locals_.at(id).isAlive : yes_;
    if (const auto freed = freedOthers_.find(id); freed != freedOthers_.end())
      alive = negate(freed->second);
    if (id == 0 || (isOurs && !isHeap(id)) ||
        (!isOurs && id >= MemoryInputs::firstGlobal))
      return alive;
    const SymbolicPointer block{
        number(id, blockWidth), number(0, addressWidth), {id}};
    for (const Reach &reach : reaches_) {
      if (!reach.mayFree)
        continue;
      const SymbolicPointer name = shared(block, reach);
      const expr reached = reaches(reach, block, effect::write);
      for (std::size_t p = 0; p < reach.at.size(); ++p)
        for (const unsigned known : name.candidates) {
          const expr isIt =
              (name.block == number(known, blockWidth)).simplify();
          alive =
              both(alive, negate(both(both(both(reach.at[p], reached), isIt),
                                      inputs_.isFreed(p + 1, known))))
                  .simplify();
        }
    }
    return alive;
  });
}

/// Locals by the names that both sides have for them at a call.
SymbolicPointer MemoryRun::shared(const SymbolicPointer &pointer,
                                  const Reach &reach) const {
  SymbolicPointer result = pointer;
  for (const auto &[id, naming] : reach.names) {
    if (result.candidates.erase(id) == 0)
      continue;
    const expr isIt = (pointer.block == number(id, blockWidth)).simplify();
    expr name = naming.name;
    result.candidates.insert(naming.names.begin(), naming.names.end());
    if (!naming.isGiven.is_false()) {
      name = choose(naming.isGiven, number(naming.given, blockWidth), name);
      result.candidates.insert(naming.given);
      result.offset =
          choose(both(isIt, naming.isGiven),
                 (pointer.offset - naming.offset).simplify(), result.offset);
    }
    result.block = choose(isIt, name, result.block);
  }
  return result;
}

/// The reverse; a local that the call does not know stays what it is.
SymbolicPointer MemoryRun::ours(const SymbolicPointer &pointer,
                                const Reach &reach) const {
  SymbolicPointer result = pointer;
  for (const auto &[id, naming] : reach.names) {
    result.candidates.insert(id);
    const expr isGiven =
        both(naming.isGiven,
             (pointer.block == number(naming.given, blockWidth)).simplify());
    const expr isKnown = both(both(naming.isKnown, negate(naming.isGiven)),
                              (pointer.block == naming.name).simplify());
    result.block = choose(either(isGiven, isKnown).simplify(),
                          number(id, blockWidth), result.block);
    result.offset = choose(isGiven, (pointer.offset + naming.offset).simplify(),
                           result.offset);
  }
  return result;
}

/// A product by a literal is in range as long as its factor is.
expr MemoryRun::isProductInRange(const expr &factor, std::uint64_t scale,
                                 bool isSigned) const {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  const auto literal = [&](std::int64_t value) {
    return number(static_cast<std::uint64_t>(value), addressWidth);
  };
  if (scale <= 1)
    return yes_;
  if (!isSigned)
    return z3::ule(factor, number(~std::uint64_t(0) / scale, addressWidth))
        .simplify();
  if (scale > static_cast<std::uint64_t>(most)) {
    const expr negative = number(scale, addressWidth);
    return both(z3::bvmul_no_overflow(factor, negative, true),
                z3::bvmul_no_underflow(factor, negative));
  }
  const auto positive = static_cast<std::int64_t>(scale);
  return both(z3::sge(factor, literal(least / positive)).simplify(),
              z3::sle(factor, literal(most / positive)).simplify());
}

/// Neither in its block nor where that ends.
expr MemoryRun::isOutside(const SymbolicPointer &pointer) const {
  const expr maximum = lookUp(pointer, [&](unsigned id) {
    return id == 0                          ? number(0, addressWidth)
           : id >= MemoryInputs::firstLocal ? locals_.at(id).size
                                            : inputs_.blocks().at(id).maximum;
  });
  return either((pointer.block == number(0, blockWidth)).simplify(),
                z3::ugt(pointer.offset, maximum).simplify());
}

void MemoryRun::getelementptr(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const auto operands = program_.operandsOf(instruction);
  Value result = use(operands[0]);
  if (result.isAnywhere && !instruction.flags.empty())
    return fail(std::string(knowsLocal));
  const bool checks = semantics_.gepBounds == GepBounds::poison;
  const bool inbounds = checks && instruction.flags.has(corpus::flag::inbounds);
  const bool nusw =
      checks && (inbounds || instruction.flags.has(corpus::flag::nusw));
  const bool nuw = checks && instruction.flags.has(corpus::flag::nuw);
  SymbolicPointer pointer = *result.pointer;
  expr outside = inbounds ? isOutside(pointer) : no_;
  expr moves = no_;
  expr wraps = no_;
  expr sum = number(0, addressWidth);
  for (std::size_t i = 1; i < operands.size(); i += 2) {
    const Value value = use(operands[i]);
    const unsigned width = operands[i].type.width();
    addMissing(result.choices, value.choices);
    result.term.poison = either(result.term.poison, value.term.poison);
    const expr each = width < addressWidth
                          ? z3::sext(value.term.bits, addressWidth - width)
                          : value.term.bits;
    const std::uint64_t scale = operands[i + 1].payload;
    const expr offset = (each * number(scale, addressWidth)).simplify();
    const bool isConstant = each.simplify().is_numeral();
    if (nusw && !isConstant)
      wraps = either(wraps, negate(isProductInRange(each, scale, true)));
    if (nuw)
      wraps = either(wraps, negate(isProductInRange(each, scale, false)));
    if (nuw || (nusw && !inbounds))
      observe(pointer, pointer);
    const expr before =
        nuw || (nusw && !inbounds) ? address(pointer) : number(0, addressWidth);
    pointer.offset = (pointer.offset + offset).simplify();
    if (nuw || (nusw && !inbounds)) {
      const expr after = address(pointer);
      const expr isNegative = z3::slt(offset, number(0, addressWidth));
      if (nusw) {
        wraps = either(wraps, z3::ite(isNegative, z3::uge(after, before),
                                      z3::ult(after, before)));
        const expr next = sum + offset;
        const expr zero = number(0, addressWidth);
        wraps = either(wraps, ((z3::slt(sum, zero) == isNegative) &&
                               z3::slt(next, zero) != isNegative)
                                  .simplify());
        sum = next.simplify();
      }
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
  const bool sameBlock = z3::eq(a.pointer->block, b.pointer->block);
  core::Step step;
  step.code = static_cast<std::uint8_t>(Opcode::icmp);
  step.flags = instruction.flags.bits();
  step.predicate = static_cast<std::uint8_t>(instruction.predicate);
  step.width = addressWidth;
  step.resultWidth = 1;
  const auto compared = [&](const expr &x, const expr &y) {
    const std::array<Term, 2> terms = {Term{x, a.term.poison},
                                       Term{y, b.term.poison}};
    return evaluate(step, terms).value;
  };
  // No block goes round the end of the address space, so that inside of one
  // offsets are in the order of addresses, which saves Z3 the sums.
  const bool isUnsigned = instruction.predicate < corpus::Predicate::sgt;
  const expr byOffset =
      !sameBlock || !isUnsigned ? no_
      : isEquality
          ? yes_
          : negate(either(isOutside(*a.pointer), isOutside(*b.pointer)));
  Term term{number(0, 1), no_};
  if (!byOffset.is_true()) {
    observe(*a.pointer, *b.pointer);
    term = compared(address(*a.pointer), address(*b.pointer));
  }
  if (!byOffset.is_false()) {
    const Term inBlock = compared(a.pointer->offset, b.pointer->offset);
    term = {choose(byOffset, inBlock.bits, term.bits), inBlock.poison};
  }
  Value result = integer(term);
  result.choices = a.choices;
  addMissing(result.choices, b.choices);
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
  addMissing(result.choices, condition.choices);
  values_[index] = std::move(result);
}

void MemoryRun::freeze(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  Value value = use(program_.operandsOf(instruction)[0]);
  addMissing(forks_, value.choices);
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
    addMissing(choices, value.choices);
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

/// LangRef, initializes: what was not written through the parameter is as if
/// nobody ever had.
void MemoryRun::finishMemory() {
  const auto &parameters = program_.signature.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const corpus::Attributes &own = parameters[i].attributes;
    if (!own.has(attribute::initializes))
      continue;
    const Value &argument = arguments_[i];
    const auto &range = own.valueOf(attribute::initializes);
    const expr before = guard_;
    const expr isThere =
        both(negate(argument.term.poison),
             (argument.pointer->block != number(0, blockWidth)).simplify());
    for (std::uint64_t at = range.low; at != range.high; ++at) {
      const SymbolicPointer byte = moved(*argument.pointer, at);
      const expr isWritten =
          this->isWritten(byte, static_cast<std::uint16_t>(1U << i));
      guard_ = both(before, both(isThere, negate(isWritten))).simplify();
      if (!guard_.is_false())
        write(byte, unwrittenByte(), {}, number(0, tagWidth));
    }
    guard_ = before;
  }
}

void MemoryRun::ret(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  if (program_.signature.function.has(attribute::noreturn))
    return addUb(yes_, {});
  finishMemory();
  if (instruction.operandCount == 0)
    return;
  Value value = valueOf(program_.operandsOf(instruction)[0]);
  const corpus::Attributes &result = program_.signature.result;
  restrict(result, program_.signature.returnType, value);
  // The caller finds no locals.
  if (value.pointer &&
      result.has(attribute::dereferenceable | attribute::dereferenceableOrNull))
    addUb(lookUp(*value.pointer,
                 [&](unsigned id) {
                   return id >= MemoryInputs::firstLocal && !isHeap(id) ? yes_
                                                                        : no_;
                 })
              .simplify(),
          value.choices);
  expr useless = no_;
  if (value.pointer && uncaptured_ != 0)
    useless =
        ((value.basedOn & number(uncaptured_, tagWidth)) != number(0, tagWidth))
            .simplify();
  if (!useless.is_false() && !value.choices.empty())
    return fail("captures of one of several pointers that may be returned");
  returnsUseless_ =
      returned_ ? choose(guard_, useless, returnsUseless_) : useless;
  returned_ = returned_ ? merged(guard_, value, *returned_) : value;
}

void MemoryRun::instruction(std::size_t index) {
  const std::size_t before = writes_.size();
  dispatch(index);
  if (writes_.size() == before)
    return;
  for (const InvariantByte &each : invariantBytes_)
    requireInvariant(each, writes_.size());
}

void MemoryRun::dispatch(std::size_t index) {
  const Instruction &instruction = program_.instructions[index];
  const auto operands = program_.operandsOf(instruction);
  if (!exposed_.empty() && !takesAnyPlace(instruction.opcode) &&
      std::any_of(operands.begin(), operands.end(), [&](const Operand &each) {
        return each.type.isPointer() && valueOf(each).isAnywhere;
      }))
    return fail(std::string(knowsLocal));
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
    if (const auto *known = corpus::libraryFunctionOf(program_, instruction))
      return known->reads()    ? readingCall(index, *known)
             : known->writes() ? writingCall(index, *known)
                               : heapCall(index, *known);
    return call(index);
  case Opcode::ptrtoint:
  case Opcode::ptrtoaddr:
    return pointerToInteger(index);
  case Opcode::inttoptr:
    return integerToPointer(index);
  default:
    return operate(index);
  }
}

} // namespace checker::smt
