// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/exact/run.h"
#include "checker/exact/picks.h"

#include "checker/exact/lanes.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace checker {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Type;

namespace {

/// Of a select's condition, whose poison forks.
constexpr std::size_t maximumForkedLanes = 8;

void appendBytes(std::string &key, const void *data, std::size_t size) {
  key.append(static_cast<const char *>(data), size);
}

/// Numbers that a lane with poison bits may turn into, in order.
std::vector<Lane> completionsOf(const Lane &lane) {
  std::vector<Lane> list;
  list.reserve(std::size_t(1) << std::popcount(lane.poison));
  for (std::uint64_t fill = 0;; fill = (fill - lane.poison) & lane.poison) {
    list.push_back({lane.bits | fill, 0});
    if (fill == lane.poison)
      return list;
  }
}

/// What many picks give: small numbers, and poison.
class Seen {
public:
  /// True of anything but one of these that was asked for before.
  bool isNew(const Element &element) {
    constexpr unsigned few = 64;
    if (element.bits >= few ||
        element != Element{element.bits, element.poison, {}})
      return true;
    if (element.poison != 0)
      return element.bits != 0 ||
             std::exchange(poison_, element.poison) != element.poison;
    const std::uint64_t bit = std::uint64_t(1) << element.bits;
    return (std::exchange(numbers_, numbers_ | bit) & bit) == 0;
  }

private:
  std::uint64_t numbers_ = 0;
  std::uint64_t poison_ = 0;
};

/// What a freeze of `set` may pick: every completion of poison bits.
ValueSet picksOf(const ValueSet &set) {
  ValueSet picks;
  for (const Element &element : set) {
    std::vector<std::vector<Lane>> lanes;
    for (std::size_t i = 0; i < element.lanes(); ++i)
      lanes.push_back(completionsOf(element.lane(i)));
    if (lanes.size() == 1) {
      for (const Lane &lane : lanes.front())
        picks.push_back(Element::number(lane.bits));
      continue;
    }
    forEachTuple(lanes, [&](const Element &pick) {
      picks.push_back(pick);
      return true;
    });
  }
  normalise(picks);
  return picks;
}

unsigned poisonBits(const Element &element) {
  int count = 0;
  for (std::size_t i = 0; i < element.lanes(); ++i)
    count += std::popcount(element.lane(i).poison);
  return static_cast<unsigned>(count);
}

/// The condition of a select picks a number where it is poison, bit i of `arms`
/// in lane i.
Element settled(Element condition, unsigned arms) {
  for (std::size_t i = 0; i < condition.lanes(); ++i)
    if (condition.lane(i).poison != 0)
      condition.setLane(i, {arms >> i & 1, 0});
  return condition;
}

} // namespace

Run::Run(const corpus::Program &program, const Semantics &semantics,
         const Input &input, std::span<const CallResultSlot> slots,
         Budget &budget, const MemoryInput *memory, Side side)
    : program_(program), semantics_(semantics), input_(input), memory_(memory),
      side_(side), slots_(slots), budget_(budget) {
  enter();
  for (std::size_t state = 0; complete_ && state < states_.size(); ++state)
    execute(state);
  if (complete_)
    classify();
}

void Run::enter() {
  if (memory_ != nullptr)
    return enterMemory();
  addStart({});
  arguments_.reserve(program_.signature.parameters.size());
  for (std::size_t i = 0; i < program_.signature.parameters.size(); ++i) {
    const corpus::Parameter &parameter = program_.signature.parameters[i];
    auto argument =
        applyAttributes(parameter.attributes, parameter.type, input_[i]);
    if (!argument) {
      end(start, Transition::Kind::ub, State(states_[start]));
      return;
    }
    arguments_.push_back(std::move(*argument));
  }
}

/// No run comes back to the entry block, so that nobody looks for its states.
void Run::addStart(Memory memory) {
  addState(0, 0, std::vector<ValueSet>(program_.instructions.size()),
           std::move(memory));
}

void Run::addState(std::uint32_t next, unsigned position,
                   std::vector<ValueSet> registers, Memory memory) {
  std::uint64_t weight = 1 + registers.size();
  for (const ValueSet &set : registers)
    weight += set.size();
  for (const MemoryBlock &block : memory.blocks)
    weight += block.bytes.size();
  complete_ = complete_ && budget_.spend(weight);
  State &state = states_.emplace_back();
  state.next = next;
  state.position = position;
  state.registers = std::move(registers);
  state.memory = std::move(memory);
}

std::size_t Run::intern(std::uint32_t next, unsigned position,
                        std::vector<ValueSet> registers, Memory memory) {
  std::string key;
  appendBytes(key, &next, sizeof next);
  appendBytes(key, &position, sizeof position);
  for (const ValueSet &set : registers) {
    const std::size_t size = set.size();
    appendBytes(key, &size, sizeof size);
    for (const Element &element : set) {
      appendBytes(key, &element.bits, sizeof element.bits);
      appendBytes(key, &element.poison, sizeof element.poison);
      appendBytes(key, element.rest.data(), element.rest.size() * sizeof(Lane));
      if (memory_ != nullptr) {
        appendBytes(key, &element.block, sizeof element.block);
        appendBytes(key, &element.basedOn, sizeof element.basedOn);
      }
    }
  }
  if (memory_ != nullptr) {
    memory.normalise();
    memory.appendTo(key);
  }
  const auto [found, isNew] =
      known_.try_emplace(std::move(key), states_.size());
  if (isNew)
    addState(next, position, std::move(registers), std::move(memory));
  return found->second;
}

void Run::end(std::size_t from, Transition::Kind kind, State at,
              ValueSet returned) {
  // The final state keeps the registers for the witness.
  Transition transition;
  transition.kind = kind;
  transition.to = states_.size();
  transition.returned = std::move(returned);
  states_[from].transitions.push_back(std::move(transition));
  State final;
  final.next = static_cast<std::uint32_t>(program_.instructions.size());
  final.registers = std::move(at.registers);
  final.memory = std::move(at.memory);
  states_.push_back(std::move(final));
}

void Run::forkInto(std::size_t from, const State &at, std::size_t instruction,
                   ValueSet value) {
  std::vector<ValueSet> registers = at.registers;
  registers[instruction] = std::move(value);
  Transition transition;
  transition.to = intern(static_cast<std::uint32_t>(instruction + 1),
                         at.position, std::move(registers), at.memory);
  states_[from].transitions.push_back(std::move(transition));
}

ValueSet Run::undefOf(Type type) {
  if (semantics_.undef == UndefRule::asPoison)
    return {Element::poisonOf(type)};
  if (type.bits() >= maximumSetBits) {
    complete_ = false;
    return {Element::poisonOf(type)};
  }
  return picksOf({Element::poisonOf(type)});
}

ValueSet Run::operand(const State &at, const Operand &operand) {
  switch (operand.kind) {
  case Operand::Kind::constant:
    return {Element::number(operand.payload)};
  case Operand::Kind::undef:
    return undefOf(operand.type);
  case Operand::Kind::poison:
    return {Element::poisonOf(operand.type)};
  case Operand::Kind::argument:
    return arguments_[operand.payload];
  case Operand::Kind::instruction:
    assert(!at.registers[operand.payload].empty() && "use before definition");
    return at.registers[operand.payload];
  case Operand::Kind::pooled:
    return literal(program_.constants[operand.payload]);
  case Operand::Kind::global: {
    Element pointer = Element::number(0);
    pointer.block = globals_[operand.payload];
    return {pointer};
  }
  case Operand::Kind::block:
    break;
  }
  assert(false && "a block is not a value");
  return {};
}

/// Undef lanes pick on their own.
ValueSet Run::literal(const corpus::Constant &constant) {
  std::vector<std::vector<Lane>> lanes;
  unsigned undefBits = 0;
  for (const Operand &lane : constant.lanes) {
    const bool isUndef =
        lane.is(Operand::Kind::undef) && semantics_.undef == UndefRule::perUse;
    undefBits += isUndef ? lane.type.width() : 0;
    if (undefBits >= maximumSetBits)
      complete_ = false;
    if (lane.is(Operand::Kind::constant))
      lanes.push_back({{lane.payload, 0}});
    else if (isUndef && complete_)
      lanes.push_back(completionsOf({0, lane.type.mask()}));
    else
      lanes.push_back({{0, lane.type.mask()}});
  }
  ValueSet set;
  forEachTuple(lanes, [&](const Element &element) {
    set.push_back(element);
    return true;
  });
  return set;
}

void Run::execute(std::size_t from) {
  if (states_[from].next == program_.instructions.size() ||
      !states_[from].transitions.empty())
    return;
  State at;
  at.next = states_[from].next;
  at.position = states_[from].position;
  at.registers = states_[from].registers;
  at.memory = states_[from].memory;
  for (std::size_t index = at.next; complete_; ++index) {
    const Instruction &instruction = program_.instructions[index];
    switch (instruction.opcode) {
    case Opcode::ret:
      return finish(from, at, instruction);
    case Opcode::unreachable:
      return end(from, Transition::Kind::ub, std::move(at));
    case Opcode::br:
    case Opcode::switch_:
      if (!jump(from, at, instruction))
        return;
      index = at.next - 1; // not the entry block
      break;
    case Opcode::call:
      if (!call(from, at, instruction, index))
        return;
      break;
    case Opcode::freeze:
      if (!freeze(from, at, instruction, index))
        return;
      break;
    case Opcode::alloca_:
    case Opcode::load:
    case Opcode::store:
    case Opcode::getelementptr:
    case Opcode::memcpy_:
    case Opcode::memmove_:
    case Opcode::memset_:
    case Opcode::lifetimeStart:
    case Opcode::lifetimeEnd:
      if (!executeMemory(from, at, instruction, index))
        return;
      break;
    default:
      if (memory_ != nullptr && isOfPointers(instruction)
              ? !executeMemory(from, at, instruction, index)
              : !compute(from, at, instruction, index))
        return;
    }
  }
}

bool Run::compute(std::size_t from, State &at, const Instruction &instruction,
                  std::size_t index) {
  std::vector<ValueSet> operands;
  for (const Operand &item : program_.operandsOf(instruction))
    operands.push_back(operand(at, item));
  const corpus::CallAttributes *attributes =
      instruction.attributes == Instruction::noAttributes
          ? nullptr
          : &program_.callAttributes[instruction.attributes];
  if (attributes != nullptr)
    for (std::size_t i = 0; i < attributes->parameters.size(); ++i) {
      auto set = applyAttributes(attributes->parameters[i],
                                 program_.operandsOf(instruction)[i].type,
                                 std::move(operands[i]));
      if (!set) {
        end(from, Transition::Kind::ub, std::move(at));
        return false;
      }
      operands[i] = std::move(*set);
    }
  if (!budget_.spend(productOfSizes(operands))) {
    complete_ = false;
    return false;
  }

  // Forks: one pick for the poison in each lane of a select's condition, whose
  // answer is then a whole arm for all uses of it.
  const bool eitherArm =
      instruction.opcode == Opcode::select && hasPoison(operands[0]) &&
      semantics_.selectCondition == SelectCondition::nondeterministic;
  const std::size_t conditions = eitherArm ? operands[0][0].lanes() : 0;
  if (conditions > maximumForkedLanes) {
    complete_ = false;
    return false;
  }
  std::vector<ValueSet> forks(std::size_t(1) << conditions);
  bool ub = false;
  for (unsigned arms = 0; arms < forks.size() && !ub && complete_; ++arms) {
    std::vector<ValueSet> sets = operands;
    if (eitherArm)
      for (Element &condition : sets[0])
        condition = settled(condition, arms);
    Seen seen;
    forEachPick(sets, [&](std::span<const Element> pick) {
      LaneResults result =
          evaluateLanes(program_, instruction, semantics_, pick);
      ub = result.kind == LaneResults::Kind::ub;
      complete_ = complete_ && result.kind != LaneResults::Kind::tooMany;
      if (result.kind != LaneResults::Kind::set || !complete_)
        return false;
      for (Element &element : result.set)
        if (seen.isNew(element))
          forks[arms].push_back(std::move(element));
      return true;
    });
  }
  if (!complete_)
    return false;
  if (ub) {
    end(from, Transition::Kind::ub, std::move(at));
    return false;
  }
  if (instruction.type.isVoid())
    return true;
  for (ValueSet &fork : forks) {
    normalise(fork);
    if (attributes == nullptr)
      continue;
    auto set = applyAttributes(attributes->result, instruction.type, fork);
    if (!set) {
      end(from, Transition::Kind::ub, std::move(at));
      return false;
    }
    fork = std::move(*set);
  }
  std::sort(forks.begin(), forks.end());
  forks.erase(std::unique(forks.begin(), forks.end()), forks.end());
  if (forks.size() == 1) {
    at.registers[index] = std::move(forks[0]);
    return true;
  }
  for (ValueSet &fork : forks)
    forkInto(from, at, index, std::move(fork));
  return false;
}

bool Run::freeze(std::size_t from, State &at, const Instruction &instruction,
                 std::size_t index) {
  ValueSet set = operand(at, program_.operandsOf(instruction).front());
  if (instruction.type.isPointer()) {
    if (hasPoison(set)) {
      if (!memory_->windows->shifts) {
        complete_ = false;
        return false;
      }
      std::erase_if(set, [](const Element &e) { return e.hasPoison(); });
      for (const std::uint64_t address : addressesOfNothing(
               at.memory, *memory_->windows, side_ == Side::source ? 2 : 1))
        set.push_back(Element::number(address));
      normalise(set);
    }
    if (set.size() == 1) {
      at.registers[index] = std::move(set);
      return true;
    }
    for (const Element &pick : set)
      forkInto(from, at, index, {pick});
    return false;
  }
  for (const Element &element : set)
    if (poisonBits(element) >= maximumSetBits) {
      complete_ = false;
      return false;
    }
  ValueSet picks = picksOf(set);
  if (picks.size() == 1) {
    at.registers[index] = std::move(picks);
    return true;
  }
  for (std::size_t i = 0; complete_ && i < picks.size(); ++i)
    forkInto(from, at, index, {picks[i]});
  return false;
}

/// `noundef` of either looks at what both make poison.
std::optional<ValueSet> Run::appliedAtCall(const corpus::Attributes &declared,
                                           const corpus::Attributes *site,
                                           Type type, ValueSet set,
                                           const Memory &memory) const {
  std::optional<ValueSet> result =
      applied(declared, type, std::move(set), memory);
  if (site == nullptr)
    return result;
  for (const corpus::Attributes *each : {site, &declared})
    if (result)
      result = applied(*each, type, std::move(*result), memory);
  return result;
}

bool Run::call(std::size_t from, State &at, const Instruction &instruction,
               std::size_t index) {
  const corpus::Callee &callee = program_.callees[instruction.callee];
  static const corpus::CallAttributes none;
  const corpus::CallAttributes &site =
      instruction.attributes == Instruction::noAttributes
          ? none
          : program_.callAttributes[instruction.attributes];
  const std::uint32_t function =
      callee.signature.function.bits | site.function.bits;
  const auto has = [&](std::uint32_t bit) { return (function & bit) != 0; };

  Transition transition;
  transition.kind = Transition::Kind::call;
  transition.call.callee = &callee;
  const auto operands = program_.operandsOf(instruction);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Type type = operands[i].type;
    const std::optional<ValueSet> argument =
        appliedAtCall(callee.signature.parameters[i].attributes,
                      site.parameters.empty() ? nullptr : &site.parameters[i],
                      type, operand(at, operands[i]), at.memory);
    if (!argument) {
      end(from, Transition::Kind::ub, std::move(at));
      return false;
    }
    transition.call.arguments.push_back(*argument);
  }
  // Without an effect and sure to return, a call is not part of the trace.
  if (isWithoutEffect(function, !instruction.type.isVoid())) {
    if (!has(corpus::attribute::noreturn))
      return true;
    end(from, Transition::Kind::ub, std::move(at));
    return false;
  }

  const corpus::Attributes &own = program_.signature.function;
  transition.call.exits =
      (has(corpus::attribute::willreturn) ? 0 : exit_way::notReturning) |
      (has(corpus::attribute::nounwind) ? 0 : exit_way::unwinding);
  transition.call.exitUb =
      transition.call.exits &
      ((own.has(corpus::attribute::willreturn) ? exit_way::notReturning : 0) |
       (own.has(corpus::attribute::nounwind) ? exit_way::unwinding : 0));

  State after = at;
  if (memory_ != nullptr && !callMemory(after, instruction, transition.call)) {
    if (complete_)
      end(from, Transition::Kind::ub, std::move(at));
    return false;
  }
  bool ub = has(corpus::attribute::noreturn);
  if (!instruction.type.isVoid()) {
    const CallResultSlot slot{tracedCalls(at.position), callee.name,
                              instruction.type};
    const auto found = std::find(slots_.begin(), slots_.end(), slot);
    assert(found != slots_.end() && "a call without a result to return");
    const auto slotIndex = static_cast<std::size_t>(found - slots_.begin());
    std::optional<ValueSet> result = appliedAtCall(
        callee.signature.result, &site.result, instruction.type,
        input_[program_.signature.parameters.size() + slotIndex], after.memory);
    ub = ub || !result;
    if (result)
      after.registers[index] = std::move(*result);
  }
  if (transition.call.isOptional)
    after.position += optionalCall;
  else if (!slots_.empty() || memory_ != nullptr)
    ++after.position;
  transition.to = intern(static_cast<std::uint32_t>(index + 1), after.position,
                         after.registers, after.memory);
  if (ub && states_[transition.to].transitions.empty())
    end(transition.to, Transition::Kind::ub, after);
  states_[from].transitions.push_back(std::move(transition));
  return false;
}

std::size_t Run::blockOf(std::size_t instruction) const {
  const auto block =
      std::find_if(program_.blocks.begin(), program_.blocks.end(),
                   [&](const corpus::Block &b) { return instruction < b.end; });
  return static_cast<std::size_t>(block - program_.blocks.begin());
}

/// Behind the phis of a block.
void Run::enterBlock(State &at, std::size_t block) {
  const std::size_t previous = blockOf(at.next);
  std::size_t index = program_.blocks[block].begin;
  std::vector<ValueSet> phis;
  for (; program_.instructions[index].opcode == Opcode::phi; ++index) {
    const auto operands = program_.operandsOf(program_.instructions[index]);
    std::size_t i = 0;
    while (operands[i + 1].payload != previous)
      i += 2;
    phis.push_back(operand(at, operands[i]));
  }
  at.next = static_cast<std::uint32_t>(index);
  for (; !phis.empty(); phis.pop_back())
    at.registers[--index] = std::move(phis.back());
}

void Run::goTo(std::size_t from, State at, std::size_t block) {
  enterBlock(at, block);
  Transition transition;
  transition.to = intern(at.next, at.position, std::move(at.registers),
                         std::move(at.memory));
  states_[from].transitions.push_back(std::move(transition));
}

/// False where the run ends or forks, or may have been in that state before:
/// every cycle of blocks goes back somewhere.
bool Run::jump(std::size_t from, State &at, const Instruction &instruction) {
  const auto goOn = [&](std::size_t block) {
    if (block > blockOf(at.next)) {
      enterBlock(at, block);
      return true;
    }
    goTo(from, std::move(at), block);
    return false;
  };
  const auto operands = program_.operandsOf(instruction);
  if (operands.size() == 1)
    return goOn(operands[0].payload);
  const ValueSet condition = operand(at, operands[0]);
  const bool poison = hasPoison(condition);
  if ((poison && semantics_.branchOnPoison == BranchRule::ub) ||
      (condition.size() > 1 && semantics_.branchOnUndef == BranchRule::ub)) {
    end(from, Transition::Kind::ub, std::move(at));
    return false;
  }

  std::vector<std::size_t> blocks;
  const auto add = [&](const Operand &block) {
    blocks.push_back(block.payload);
  };
  if (instruction.opcode == Opcode::br) {
    for (const Element &element : condition) {
      if (element.hasPoison() || element.bits != 0)
        add(operands[1]);
      if (element.hasPoison() || element.bits == 0)
        add(operands[2]);
    }
  } else {
    for (const Element &element : condition) {
      bool matched = false;
      for (std::size_t i = 2; i < operands.size(); i += 2)
        if (element.hasPoison() || operands[i].payload == element.bits) {
          add(operands[i + 1]);
          matched = true;
        }
      if (element.hasPoison() || !matched)
        add(operands[1]);
    }
  }
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  if (blocks.size() == 1)
    return goOn(blocks.front());
  for (std::size_t block : blocks)
    goTo(from, at, block);
  return false;
}

void Run::finish(std::size_t from, State &at, const Instruction &instruction) {
  if (program_.signature.function.has(corpus::attribute::noreturn))
    return end(from, Transition::Kind::ub, std::move(at));
  if (instruction.operandCount == 0) {
    finishMemory(at);
    return end(from, Transition::Kind::returns, std::move(at));
  }
  // The caller finds no locals.
  Memory left;
  if (program_.signature.returnType.isPointer())
    left = at.memory;
  for (MemoryBlock &block : left.blocks)
    block.isAlive = block.isAlive && !block.isLocal();
  auto returned =
      applied(program_.signature.result, program_.signature.returnType,
              operand(at, program_.operandsOf(instruction).front()), left);
  if (!returned)
    return end(from, Transition::Kind::ub, std::move(at));
  if (memory_ != nullptr)
    *returned = shown(std::move(*returned), at.memory);
  finishMemory(at);
  end(from, Transition::Kind::returns, std::move(at), std::move(*returned));
}

/// States with an infinite run over transitions that `follows` accepts: what is
/// left when states without such a transition are taken away again and again.
template <typename Follows>
std::vector<bool> Run::statesThatGoOnForEver(Follows follows) const {
  std::vector<std::vector<std::size_t>> from(states_.size());
  std::vector<std::size_t> out(states_.size(), 0);
  std::vector<std::size_t> todo;
  for (std::size_t state = 0; state < states_.size(); ++state) {
    for (const Transition &transition : states_[state].transitions)
      if (follows(transition)) {
        from[transition.to].push_back(state);
        ++out[state];
      }
    if (out[state] == 0)
      todo.push_back(state);
  }
  std::vector<bool> result(states_.size(), true);
  while (!todo.empty()) {
    const std::size_t state = todo.back();
    todo.pop_back();
    result[state] = false;
    for (std::size_t previous : from[state])
      if (--out[previous] == 0)
        todo.push_back(previous);
  }
  return result;
}

void Run::classify() {
  const Transition &first = states_[start].transitions.front();
  if (states_.size() == 2 && (first.kind == Transition::Kind::ub ||
                              first.kind == Transition::Kind::returns)) {
    states_[start].reachesUb = first.kind == Transition::Kind::ub;
    return;
  }
  const auto isSilent = [](const Transition &transition) {
    return transition.kind == Transition::Kind::silent;
  };
  // A call that comes back, or else it is UB that it does not.
  const auto isSure = [&](const Transition &transition) {
    return isSilent(transition) || (transition.kind == Transition::Kind::call &&
                                    transition.call.leaves() == 0);
  };
  const std::vector<bool> silentForEver = statesThatGoOnForEver(isSilent);
  // Divergence that an attribute forbids is UB, and travels back like all UB.
  std::vector<bool> isUb(states_.size(), false);
  if (mustReturn())
    isUb = statesThatGoOnForEver(isSure);
  else if (mustProgress())
    isUb = silentForEver;

  std::vector<std::vector<std::size_t>> sureFrom(states_.size());
  std::vector<std::size_t> todo;
  for (std::size_t state = 0; state < states_.size(); ++state) {
    states_[state].diverges = silentForEver[state];
    states_[state].reachesUb = isUb[state];
    for (const Transition &transition : states_[state].transitions) {
      if (isSure(transition))
        sureFrom[transition.to].push_back(state);
      if (transition.kind == Transition::Kind::ub)
        states_[state].reachesUb = true;
    }
    if (states_[state].reachesUb)
      todo.push_back(state);
  }
  while (!todo.empty()) {
    const std::size_t state = todo.back();
    todo.pop_back();
    for (std::size_t from : sureFrom[state])
      if (!states_[from].reachesUb) {
        states_[from].reachesUb = true;
        todo.push_back(from);
      }
  }
}

} // namespace checker
