// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/symbolic_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace checker::smt {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;
using z3::expr;

namespace {

constexpr unsigned maximumAnySetWidth = 2;
constexpr std::size_t maximumChoices = 512;
/// Instructions times blocks: a copy of a block keeps a value of each.
constexpr std::size_t maximumSize = std::size_t(1) << 18;

bool isAnySet(const Semantics &semantics) {
  return semantics.undef == UndefRule::perUse &&
         semantics.inputs == Inputs::anySet;
}

void append(Variables &to, const Variables &from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Two picks of a set that are not the same element.
expr differ(const Term &a, const Term &b) {
  return both(negate(both(a.poison, b.poison)),
              either(either(a.poison, b.poison), a.bits != b.bits));
}

expr substitute(expr term, const Variables &from, const Variables &to) {
  z3::expr_vector source(term.ctx());
  z3::expr_vector target(term.ctx());
  for (const expr &variable : from)
    source.push_back(variable);
  for (const expr &replacement : to)
    target.push_back(replacement);
  return term.substitute(source, target);
}

SymbolicSet renamed(const SymbolicSet &set, const Variables &choices) {
  return {{substitute(set.element.bits, set.choices, choices),
           substitute(set.element.poison, set.choices, choices)},
          choices};
}

} // namespace

std::optional<std::string> lackOfSymbolicRun(const Program &program,
                                             const Semantics &semantics) {
  if (semantics.poisonUnit == PoisonUnit::bit)
    return "poison_unit=bit in the symbolic engine";
  for (const corpus::Parameter &parameter : program.signature.parameters) {
    if (!parameter.type.isInteger())
      return fmt::format("an input of type {}", toString(parameter.type));
    if (isAnySet(semantics) && parameter.type.width() > maximumAnySetWidth)
      return fmt::format("inputs=any-set for {}, it takes i1 and i2",
                         toString(parameter.type));
  }
  if (program.blocks.size() * program.instructions.size() > maximumSize)
    return fmt::format("{} blocks with {} instructions in the symbolic engine",
                       program.blocks.size(), program.instructions.size());
  for (const Instruction &instruction : program.instructions)
    if (instruction.opcode == Opcode::call)
      return fmt::format("call of @{} in the symbolic engine",
                         program.callees[instruction.callee].name);
  return std::nullopt;
}

SymbolicInputs::SymbolicInputs(const corpus::Signature &signature,
                               const Semantics &semantics,
                               FreshVariables &fresh)
    : fresh_(fresh) {
  const bool hasUndef = semantics.undef == UndefRule::perUse &&
                        semantics.inputs == Inputs::poisonUndef;
  for (const corpus::Parameter &parameter : signature.parameters) {
    const unsigned width = parameter.type.width();
    Argument argument{
        fresh.bits(width), fresh.context().bool_val(false), {}, {}};
    variables_.push_back(argument.bits);
    if (semantics.inputs != Inputs::defined) {
      argument.poison = fresh.boolean();
      variables_.push_back(argument.poison);
    }
    if (hasUndef) {
      argument.undef = fresh.bits(width);
      variables_.push_back(*argument.undef);
    }
    if (isAnySet(semantics)) {
      argument.members = fresh.bits(1U << width);
      variables_.push_back(*argument.members);
    }
    arguments_.push_back(std::move(argument));
  }
}

SymbolicSet SymbolicInputs::argument(std::size_t index) const {
  const Argument &argument = arguments_[index];
  if (!argument.undef && !argument.members)
    return {{argument.bits, argument.poison}, {}};
  const unsigned width = argument.bits.get_sort().bv_size();
  const expr pick = fresh_.bits(width);
  if (argument.undef)
    return {{(argument.bits & ~*argument.undef) | (pick & *argument.undef),
             argument.poison},
            {pick}};
  // A pick that is not a member stands for `bits`, which always is one.
  expr isMember = fresh_.context().bool_val(false);
  for (unsigned number = 0; number >> width == 0; ++number)
    isMember = isMember || (pick == fresh_.context().bv_val(number, width) &&
                            argument.members->extract(number, number) == 1);
  return {{z3::ite(isMember, pick, argument.bits), argument.poison}, {pick}};
}

SymbolicInputs::Concrete
SymbolicInputs::concrete(std::size_t index, const z3::model &model) const {
  const Argument &argument = arguments_[index];
  const auto number = [&](const expr &term) {
    return model.eval(term, true).get_numeral_uint64();
  };
  Concrete concrete;
  concrete.poison = model.eval(argument.poison, true).is_true();
  concrete.bits = number(argument.bits);
  if (argument.undef)
    concrete.undef = number(*argument.undef);
  if (argument.members)
    concrete.members = number(*argument.members) | std::uint64_t(1)
                                                       << concrete.bits;
  return concrete;
}

SymbolicRun::SymbolicRun(const Program &program, const Semantics &semantics,
                         const SymbolicInputs &inputs, FreshVariables &fresh,
                         unsigned unroll)
    : program_(program), semantics_(semantics), fresh_(fresh), unroll_(unroll),
      ub_(fresh.context().bool_val(false)), beyond_(ub_) {
  values_.resize(program.instructions.size());
  const expr always = fresh.context().bool_val(true);
  for (std::size_t i = 0; i < program.signature.parameters.size(); ++i) {
    const corpus::Parameter &parameter = program.signature.parameters[i];
    SymbolicSet set = inputs.argument(i);
    apply(parameter.attributes, parameter.type, set, always);
    arguments_.push_back(std::move(set));
  }
  orderBlocks();
  incoming_[{0, 0}].push_back({always, Registers(program.instructions.size())});
  while (complete_ && !incoming_.empty()) {
    const auto [copy, edges] = std::move(*incoming_.begin());
    incoming_.erase(incoming_.begin());
    expr guard = fresh_.context().bool_val(false);
    for (const Edge &edge : edges)
      guard = either(guard, edge.guard);
    run(copy, guard, merge(edges));
  }
}

void SymbolicRun::orderBlocks() {
  std::vector<bool> seen(program_.blocks.size(), false);
  struct Visit {
    std::size_t block;
    std::size_t next;
  };
  std::vector<Visit> path = {{0, 0}};
  seen[0] = true;
  while (!path.empty()) {
    Visit &visit = path.back();
    const auto operands = program_.operandsOf(
        program_.instructions[program_.blocks[visit.block].end - 1]);
    if (visit.next == operands.size()) {
      order_.push_back(visit.block);
      path.pop_back();
      continue;
    }
    const Operand &operand = operands[visit.next++];
    if (operand.is(Operand::Kind::block) && !seen[operand.payload]) {
      seen[operand.payload] = true;
      path.push_back({operand.payload, 0});
    }
  }
  std::reverse(order_.begin(), order_.end());
  place_.resize(program_.blocks.size());
  for (std::size_t i = 0; i < order_.size(); ++i)
    place_[order_[i]] = i;
}

SymbolicRun::Registers SymbolicRun::merge(const std::vector<Edge> &edges) {
  Registers merged = edges.back().registers;
  for (std::size_t i = 0; i < merged.size(); ++i)
    for (std::size_t j = edges.size() - 1; j-- > 0 && merged[i];) {
      const std::optional<SymbolicSet> &other = edges[j].registers[i];
      if (!other) { // then nothing behind here uses it
        merged[i].reset();
        break;
      }
      SymbolicSet &set = *merged[i];
      const bool isSame = z3::eq(set.element.bits, other->element.bits) &&
                          z3::eq(set.element.poison, other->element.poison);
      if (isSame)
        continue;
      // Sets that came from one register may share choices.
      const SymbolicSet added = withFreshChoices(*other);
      set.element.bits =
          choose(edges[j].guard, added.element.bits, set.element.bits);
      set.element.poison =
          choose(edges[j].guard, added.element.poison, set.element.poison);
      append(set.choices, added.choices);
    }
  return merged;
}

SymbolicSet SymbolicRun::withFreshChoices(const SymbolicSet &set) {
  if (set.choices.empty())
    return set;
  if (set.choices.size() > maximumChoices) {
    complete_ = false;
    return set;
  }
  Variables choices;
  for (const expr &choice : set.choices)
    choices.push_back(choice.is_bool()
                          ? fresh_.boolean()
                          : fresh_.bits(choice.get_sort().bv_size()));
  return renamed(set, choices);
}

void SymbolicRun::addUb(const expr &condition, const Variables &picks) {
  if (condition.is_false())
    return;
  ub_ = either(ub_, condition);
  append(ubPicks_, picks);
}

SymbolicSet SymbolicRun::undefOf(Type type) {
  const expr pick = fresh_.bits(bitsOf(type));
  if (semantics_.undef == UndefRule::asPoison)
    return {{pick, fresh_.context().bool_val(true)}, {pick}};
  return {{pick, fresh_.context().bool_val(false)}, {pick}};
}

/// One use: a pick of its own.
SymbolicSet SymbolicRun::operand(const Registers &registers,
                                 const Operand &operand) {
  z3::context &context = fresh_.context();
  switch (operand.kind) {
  case Operand::Kind::constant:
    return {{context.bv_val(operand.payload, bitsOf(operand.type)),
             context.bool_val(false)},
            {}};
  case Operand::Kind::undef:
    return undefOf(operand.type);
  case Operand::Kind::poison:
    return {{context.bv_val(0, bitsOf(operand.type)), context.bool_val(true)},
            {}};
  case Operand::Kind::argument:
    return withFreshChoices(arguments_[operand.payload]);
  case Operand::Kind::instruction:
    assert(registers[operand.payload] && "use before definition");
    return withFreshChoices(*registers[operand.payload]);
  case Operand::Kind::block:
    break;
  }
  assert(false && "a block is not a value");
  return undefOf(operand.type);
}

void SymbolicRun::apply(const corpus::Attributes &attributes, Type type,
                        SymbolicSet &set, const expr &guard) {
  if (attributes.has(corpus::attribute::range)) {
    // low == high is the full range; a wrapping interval counts modulo 2^width.
    z3::context &context = fresh_.context();
    const std::uint64_t size =
        (attributes.rangeHigh - attributes.rangeLow) & type.mask();
    const expr low = context.bv_val(attributes.rangeLow, type.width());
    if (size != 0)
      set.element.poison = either(
          set.element.poison,
          z3::uge(set.element.bits - low, context.bv_val(size, type.width())));
  }
  if (attributes.has(corpus::attribute::noundef)) {
    const SymbolicSet other = withFreshChoices(set);
    Variables picks = set.choices;
    append(picks, other.choices);
    expr condition = set.element.poison;
    if (!set.choices.empty())
      condition = either(condition, differ(set.element, other.element));
    addUb(both(guard, condition), picks);
  }
}

SymbolicSet SymbolicRun::freeze(SymbolicSet set, Type type) {
  append(forks_, set.choices);
  if (!set.element.poison.is_false()) {
    forks_.push_back(fresh_.bits(bitsOf(type)));
    set.element.bits =
        choose(set.element.poison, forks_.back(), set.element.bits);
  }
  return {{set.element.bits, fresh_.context().bool_val(false)}, {}};
}

std::optional<SymbolicSet> SymbolicRun::compute(const Instruction &instruction,
                                                const Registers &registers,
                                                const expr &guard) {
  const corpus::CallAttributes *attributes =
      instruction.attributes == Instruction::noAttributes
          ? nullptr
          : &program_.callAttributes[instruction.attributes];
  const auto operands = program_.operandsOf(instruction);
  std::vector<Term> terms;
  Variables choices;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    SymbolicSet set = operand(registers, operands[i]);
    if (attributes != nullptr && !attributes->parameters.empty())
      apply(attributes->parameters[i], operands[i].type, set, guard);
    terms.push_back(set.element);
    append(choices, set.choices);
  }
  if (instruction.opcode == Opcode::freeze)
    return freeze({terms[0], choices}, instruction.type);
  TermResult result =
      evaluate(operationOf(program_, instruction), semantics_, terms, fresh_);
  addUb(both(guard, result.ub), choices);
  if (instruction.type.isVoid())
    return std::nullopt;
  append(forks_, result.forks);
  append(choices, result.choices);
  SymbolicSet set{result.value, std::move(choices)};
  if (attributes != nullptr)
    apply(attributes->result, instruction.type, set, guard);
  return set;
}

void SymbolicRun::run(const Copy &copy, const expr &guard,
                      Registers registers) {
  const corpus::Block &block = program_.blocks[order_[copy.second]];
  for (std::size_t i = block.begin; i < block.end && complete_; ++i) {
    const Instruction &instruction = program_.instructions[i];
    switch (instruction.opcode) {
    case Opcode::phi: // done on the edge
      break;
    case Opcode::ret:
      return finish(instruction, registers, guard);
    case Opcode::unreachable:
      return addUb(guard, {});
    case Opcode::br:
    case Opcode::switch_:
      return jump(copy, instruction, registers, guard);
    default:
      registers[i] = compute(instruction, registers, guard);
    }
    if (registers[i])
      remember(i, guard, *registers[i]);
  }
}

void SymbolicRun::remember(std::size_t instruction, const expr &guard,
                           const SymbolicSet &set) {
  std::optional<Value> &value = values_[instruction];
  if (!value) {
    value = Value{guard, set};
    return;
  }
  value->computed = either(value->computed, guard);
  Term &element = value->set.element;
  element.bits = choose(guard, set.element.bits, element.bits);
  element.poison = choose(guard, set.element.poison, element.poison);
  append(value->set.choices, set.choices);
}

void SymbolicRun::goTo(const Copy &from, std::size_t block, const expr &guard,
                       const Registers &registers) {
  const expr taken = guard.simplify();
  if (taken.is_false())
    return;
  const bool isBack = place_[block] <= from.second;
  const Copy to{from.first + (isBack ? 1 : 0), place_[block]};
  if (to.first > unroll_) {
    beyond_ = either(beyond_, taken);
    return;
  }
  Edge edge{taken, registers};
  const std::size_t previous = order_[from.second];
  for (std::size_t i = program_.blocks[block].begin;
       program_.instructions[i].opcode == Opcode::phi; ++i) {
    const auto operands = program_.operandsOf(program_.instructions[i]);
    for (std::size_t j = 0; j < operands.size(); j += 2)
      if (operands[j + 1].payload == previous) {
        edge.registers[i] = operand(registers, operands[j]);
        break;
      }
  }
  incoming_[to].push_back(std::move(edge));
}

void SymbolicRun::jump(const Copy &copy, const Instruction &instruction,
                       const Registers &registers, const expr &guard) {
  const auto operands = program_.operandsOf(instruction);
  if (operands.size() == 1)
    return goTo(copy, operands[0].payload, guard, registers);

  SymbolicSet condition = operand(registers, operands[0]);
  const bool isSet = !condition.choices.empty();
  if (semantics_.branchOnPoison == BranchRule::ub)
    addUb(both(guard, condition.element.poison), condition.choices);
  if (semantics_.branchOnUndef == BranchRule::ub && isSet) {
    const SymbolicSet other = withFreshChoices(condition);
    Variables picks = condition.choices;
    append(picks, other.choices);
    addUb(both(guard, differ(condition.element, other.element)), picks);
  }
  if (semantics_.branchOnUndef == BranchRule::nondeterministic) {
    append(forks_, condition.choices);
  } else if (isSet) {
    // All picks are the same, or it is UB: any one decides.
    Variables zeros;
    for (const expr &choice : condition.choices)
      zeros.push_back(choice.is_bool() ? fresh_.context().bool_val(false)
                                       : fresh_.context().bv_val(
                                             0, choice.get_sort().bv_size()));
    condition = renamed(condition, zeros);
  }

  // Targets: every case in order, then the default.
  std::vector<std::pair<std::size_t, expr>> edges;
  expr rest = fresh_.context().bool_val(true);
  const auto addCase = [&](std::uint64_t number, std::size_t block) {
    const expr matches =
        condition.element.bits ==
        fresh_.context().bv_val(number, operands[0].type.width());
    edges.emplace_back(block, matches);
    rest = both(rest, negate(matches));
  };
  if (instruction.opcode == Opcode::br) {
    addCase(1, operands[1].payload);
    edges.emplace_back(operands[2].payload, rest);
  } else {
    for (std::size_t i = 2; i < operands.size(); i += 2)
      addCase(operands[i].payload, operands[i + 1].payload);
    edges.emplace_back(operands[1].payload, rest);
  }
  const bool poisonForks =
      semantics_.branchOnPoison == BranchRule::nondeterministic &&
      !condition.element.poison.is_false();
  if (poisonForks) {
    // Poison goes anywhere, to the default even when the cases are all.
    expr notYet = fresh_.context().bool_val(true);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      expr picked = notYet;
      if (i + 1 < edges.size()) {
        const expr here = fresh_.boolean();
        forks_.push_back(here);
        picked = both(notYet, here);
        notYet = both(notYet, negate(here));
      }
      edges[i].second =
          choose(condition.element.poison, picked, edges[i].second);
    }
  }
  for (const auto &[block, matches] : edges)
    goTo(copy, block, both(guard, matches), registers);
}

void SymbolicRun::finish(const Instruction &instruction,
                         const Registers &registers, const expr &guard) {
  if (program_.signature.function.has(corpus::attribute::noreturn))
    return addUb(guard, {});
  if (instruction.operandCount == 0)
    return;
  SymbolicSet set =
      operand(registers, program_.operandsOf(instruction).front());
  apply(program_.signature.result, program_.signature.returnType, set, guard);
  returns_.emplace_back(guard, std::move(set));
}

std::optional<SymbolicSet> SymbolicRun::returned() {
  if (returns_.empty())
    return std::nullopt;
  SymbolicSet merged = returns_.back().second;
  for (std::size_t i = returns_.size() - 1; i-- > 0;) {
    const auto &[guard, set] = returns_[i];
    merged.element.bits = choose(guard, set.element.bits, merged.element.bits);
    merged.element.poison =
        choose(guard, set.element.poison, merged.element.poison);
    append(merged.choices, set.choices);
  }
  return withFreshChoices(merged);
}

} // namespace checker::smt
