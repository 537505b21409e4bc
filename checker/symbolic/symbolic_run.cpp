// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/symbolic_run.h"

#include "checker/symbolic/term_kinds.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>

namespace checker::smt {

using core::Slot;
using core::Step;
using corpus::Program;
using corpus::Type;
using z3::expr;

namespace {

constexpr std::size_t maximumChoices = 512;
constexpr std::size_t maximumCalls = 100;

void append(Variables &to, const Variables &from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Two picks of a set that are not the same element.
expr differ(const Term &a, const Term &b) {
  return both(negate(both(a.poison, b.poison)),
              either(either(a.poison, b.poison), a.bits != b.bits));
}

bool isSame(const Term &a, const Term &b) {
  return z3::eq(a.bits, b.bits) && z3::eq(a.poison, b.poison);
}

Term merged(const expr &guard, const Term &then, const Term &otherwise) {
  return {smt::choose(guard, then.bits, otherwise.bits),
          smt::choose(guard, then.poison, otherwise.poison)};
}

/// Those of both, each once.
Variables unionOf(Variables a, const Variables &b) {
  std::unordered_set<unsigned> known;
  for (const expr &variable : a)
    known.insert(smt::idOf(variable));
  for (const expr &variable : b)
    if (known.insert(smt::idOf(variable)).second)
      a.push_back(variable);
  return a;
}

} // namespace

const core::Takes &takesOfSymbolicRun() {
  static const core::Takes takes = {
      opcodesOfTerms(), core::feature::sets | core::feature::freezes |
                            core::feature::knobForks | core::feature::blocks |
                            core::feature::loops | core::feature::calls |
                            core::feature::lanes};
  return takes;
}

SymbolicInputs::SymbolicInputs(const corpus::Signature &signature,
                               const Semantics &semantics,
                               FreshVariables &fresh)
    : fresh_(fresh), semantics_(semantics) {
  // Where the source is in UB for what an argument is, nothing can be wrong.
  for (const corpus::Parameter &parameter : signature.parameters)
    for (unsigned lane = 0; lane < core::lanesOf(parameter.type); ++lane)
      add(core::laneWidth(parameter.type, lane),
          parameter.attributes.has(corpus::attribute::noundef));
}

void SymbolicInputs::add(unsigned width, bool isDefined) {
  Argument argument{
      fresh_.bits(width), fresh_.context().bool_val(false), {}, {}};
  variables_.push_back(argument.bits);
  const Inputs inputs = isDefined ? Inputs::defined : semantics_.inputs;
  const bool isSet = semantics_.undef == UndefRule::perUse;
  if (inputs != Inputs::defined) {
    argument.poison = fresh_.boolean();
    variables_.push_back(argument.poison);
  }
  if (isSet && inputs == Inputs::poisonUndef) {
    argument.undef = fresh_.bits(width);
    variables_.push_back(*argument.undef);
  }
  if (isSet && inputs == Inputs::anySet) {
    argument.members = fresh_.bits(1U << width);
    variables_.push_back(*argument.members);
  }
  arguments_.push_back(std::move(argument));
}

SymbolicSet SymbolicInputs::result(const Result &result) {
  const auto [found, isNew] = results_.try_emplace(result, arguments_.size());
  if (isNew)
    add(result.width);
  return argument(found->second);
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

SymbolicRun::SymbolicRun(const core::Function &function, const Program &program,
                         SymbolicInputs &inputs, FreshVariables &fresh)
    : function_(function), fresh_(fresh), inputs_(inputs),
      returnType_(program.signature.returnType), lanes_(function.end),
      guards_(function.end), guard_(fresh.context().bool_val(true)),
      ub_(fresh.context().bool_val(false)), beyond_(ub_),
      attributes_(program.signature.function.bits), made_{guard_}, ubAt_{ub_},
      beyondAt_{ub_} {
  values_.resize(program.instructions.size());
  Slot slot = 0;
  std::size_t input = 0;
  for (const corpus::Parameter &parameter : program.signature.parameters)
    for (unsigned lane = 0; lane < core::lanesOf(parameter.type); ++lane) {
      SymbolicSet set = inputs.argument(input++);
      lanes_[slot] = {std::move(set.element), std::move(set.choices)};
      slot += 1 + core::laneWidth(parameter.type, lane);
    }
  writeLiterals();
  run();
  noteDefinitions(program);
}

void SymbolicRun::writeLiterals() {
  z3::context &context = fresh_.context();
  const expr no = context.bool_val(false);
  const expr yes = context.bool_val(true);
  for (const core::Literal &literal : function_.literals) {
    Lane &lane = lanes_[literal.slot];
    switch (literal.kind) {
    case core::Literal::Kind::number:
      lane.element = Term{context.bv_val(literal.bits, literal.width), no};
      break;
    case core::Literal::Kind::poison:
      lane.element = Term{context.bv_val(0, literal.width), yes};
      break;
    case core::Literal::Kind::any:
      lane.choices = {fresh_.bits(literal.width)};
      lane.element = Term{lane.choices.front(), no};
      break;
    case core::Literal::Kind::on:
      guards_[literal.slot] = yes;
    }
  }
}

void SymbolicRun::run() {
  const std::span<const Step> steps = function_.steps;
  std::size_t end = 0; ///< of the block at hand, if no run reaches it
  for (std::size_t i = 0; i < steps.size() && lack_.empty();) {
    const Step &step = steps[i];
    if (step.code == core::code::enterBlock) {
      guard_ = guardAt(step.a);
      end = guard_.is_false() ? step.b : 0;
      ++i;
      continue;
    }
    // What no run reaches only hands on what was chosen before.
    if (i < end && step.code != core::code::choose) {
      ++i;
      continue;
    }
    // Lanes of one value are picked, forked and chosen together.
    const std::size_t together = 1 + std::size_t(step.more);
    switch (step.code) {
    case core::code::pick:
    case core::code::single:
      pick(steps.subspan(i, together));
      break;
    case core::code::fork:
      fork(steps.subspan(i, together));
      break;
    case core::code::choose:
      choose(steps.subspan(i, together));
      break;
    default:
      if (step.code < core::code::first)
        operate(step);
      else if (step.code < core::code::firstControl)
        structure(step);
      else
        control(step);
      ++i;
      continue;
    }
    i += together;
  }
}

const Term &SymbolicRun::element(Slot slot) const {
  assert(lanes_[slot].element && "use before definition");
  return *lanes_[slot].element;
}

expr SymbolicRun::guardAt(Slot slot) const {
  return guards_[slot] ? *guards_[slot] : fresh_.context().bool_val(false);
}

void SymbolicRun::setGuard(Slot slot, const expr &guard) {
  guards_[slot] = guard.simplify();
}

void SymbolicRun::addUb(const expr &condition, const Variables &picks) {
  if (condition.is_false())
    return;
  ub_ = either(ub_, condition);
  addAt(ubAt_, condition);
  append(ubPicks_, picks);
}

void SymbolicRun::addAt(std::vector<expr> &list, const expr &condition) const {
  for (std::size_t i = 0; i < made_.size(); ++i)
    list[i] = either(list[i], both(made_[i], condition));
}

SymbolicRow SymbolicRun::rowAt(core::Value value, Type type) const {
  SymbolicRow row;
  Slot slot = value.slot();
  for (unsigned lane = 0; lane < core::lanesOf(type); ++lane) {
    row.lanes.push_back(element(slot));
    row.choices = unionOf(std::move(row.choices), lanes_[slot].choices);
    slot += 1 + core::laneWidth(type, lane);
  }
  return row;
}

void SymbolicRun::call(const core::Call &call) {
  if (!isTraced(call))
    return;
  if (calls_.size() == maximumCalls) {
    lack_ = "too many calls";
    return;
  }
  const corpus::Signature &signature = call.callee->signature;
  TracedCall traced{&call, {}, {}};
  for (std::uint32_t i = 0; i < call.argumentCount; ++i)
    traced.arguments.push_back(
        rowAt(function_.callArguments[call.firstArgument + i],
              signature.parameters[i].type));
  for (const expr &made : made_)
    traced.at.push_back(both(made, guard_).simplify());

  Slot slot = call.result.exists() ? call.result.slot() : core::noSlot;
  Variables choices;
  const unsigned lanes =
      call.result.exists() ? core::lanesOf(signature.returnType) : 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const unsigned width = core::laneWidth(signature.returnType, lane);
    std::optional<Term> element;
    for (std::size_t p = 0; p < traced.at.size(); ++p) {
      if (traced.at[p].is_false())
        continue;
      SymbolicSet set = inputs_.result({p, call.callee->name, lane, width});
      element =
          element ? merged(traced.at[p], set.element, *element) : set.element;
      append(choices, set.choices);
    }
    // A call that no run makes.
    if (!element)
      element = Term{fresh_.bits(width), fresh_.context().bool_val(false)};
    lanes_[slot].element = element;
    slot += 1 + width;
  }
  slot = call.result.exists() ? call.result.slot() : core::noSlot;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    lanes_[slot].choices = choices;
    slot += 1 + core::laneWidth(signature.returnType, lane);
  }

  const expr no = fresh_.context().bool_val(false);
  std::vector<expr> after;
  for (std::size_t i = 0; i <= made_.size(); ++i) {
    const expr stays =
        i < made_.size() ? both(made_[i], negate(guard_)).simplify() : no;
    after.push_back(i == 0 ? stays : either(stays, traced.at[i - 1]));
  }
  made_ = std::move(after);
  ubAt_.push_back(no);
  beyondAt_.push_back(no);
  calls_.push_back(std::move(traced));
}

Trace SymbolicRun::trace() const {
  Trace trace{calls_, made_, ubAt_, beyondAt_, attributes_};
  for (expr &end : trace.end)
    end = both(end, negate(beyond_));
  return trace;
}

void SymbolicRun::operate(const Step &step) {
  std::vector<Term> operands;
  Variables choices;
  for (Slot slot : {step.a, step.b, step.c})
    if (slot != core::noSlot) {
      operands.push_back(element(slot));
      choices = unionOf(std::move(choices), lanes_[slot].choices);
    }
  TermResult result = evaluate(step, operands);
  addUb(both(guard_, result.ub), choices);
  if (step.result == core::noSlot)
    return;
  if (!result.undef.is_false()) {
    choices.push_back(fresh_.bits(step.resultWidth));
    result.value.bits =
        smt::choose(result.undef, choices.back(), result.value.bits);
  }
  if (result.overflow)
    lanes_[step.result + 1 + step.resultWidth] = {*result.overflow, choices};
  lanes_[step.result] = {result.value, std::move(choices)};
}

Variables SymbolicRun::choicesOf(std::span<const Step> steps) const {
  Variables choices;
  for (const Step &step : steps)
    choices = unionOf(std::move(choices), lanes_[step.a].choices);
  return choices;
}

Variables SymbolicRun::freshCopies(const Variables &choices) {
  if (choices.size() > maximumChoices)
    lack_ = "too many uses of undef values";
  return copiesOf(choices, fresh_);
}

/// `single`: all picks are the same, or it is UB; any one decides.
void SymbolicRun::pick(std::span<const Step> steps) {
  const Variables choices = choicesOf(steps);
  const bool isSingle = steps.front().code == core::code::single;
  Variables picked;
  if (isSingle)
    for (const expr &choice : choices)
      picked.push_back(zeroOf(choice));
  else
    picked = freshCopies(choices);
  for (const Step &step : steps)
    lanes_[step.result] = {substituted(element(step.a), choices, picked),
                           isSingle ? Variables() : picked};
}

/// Sets that came from one register may share choices.
void SymbolicRun::choose(std::span<const Step> steps) {
  const expr guard = guardAt(steps.front().c);
  bool takesFirst = !guard.is_false();
  bool takesSecond = !guard.is_true();
  for (const Step &step : steps) {
    takesFirst = takesFirst && lanes_[step.a].element;
    takesSecond = takesSecond && lanes_[step.b].element;
  }
  if (!takesFirst || !takesSecond) {
    for (const Step &step : steps)
      lanes_[step.result] = lanes_[takesFirst ? step.a : step.b];
    return;
  }
  const Variables choices = choicesOf(steps);
  const Variables copies = freshCopies(choices);
  for (const Step &step : steps) {
    const Lane &otherwise = lanes_[step.b];
    if (isSame(element(step.a), *otherwise.element)) {
      lanes_[step.result] = otherwise;
      continue;
    }
    const Term then = substituted(element(step.a), choices, copies);
    lanes_[step.result] = {merged(guard, then, *otherwise.element),
                           unionOf(otherwise.choices, copies)};
  }
}

void SymbolicRun::fork(std::span<const Step> steps) {
  const bool ofSets = (steps.front().mode & core::mode::ofSets) != 0;
  const bool ofPoison = (steps.front().mode & core::mode::ofPoison) != 0;
  const Variables choices = choicesOf(steps);
  if (ofSets)
    append(forks_, choices);
  for (const Step &step : steps) {
    Term forked = element(step.a);
    if (ofPoison && !forked.poison.is_false()) {
      forks_.push_back(fresh_.bits(step.width));
      forked.bits = smt::choose(forked.poison, forks_.back(), forked.bits);
    }
    if (ofPoison)
      forked.poison = fresh_.context().bool_val(false);
    lanes_[step.result] = {forked, ofSets ? Variables() : choices};
  }
}

void SymbolicRun::require(const Step &step) {
  const Lane &lane = lanes_[step.a];
  Variables picks = lane.choices;
  expr condition = fresh_.context().bool_val(false);
  if ((step.mode & core::mode::ofPoison) != 0)
    condition = element(step.a).poison;
  if ((step.mode & core::mode::ofSets) != 0 && !lane.choices.empty()) {
    const Variables others = freshCopies(lane.choices);
    const Term other = substituted(element(step.a), lane.choices, others);
    condition = either(condition, differ(element(step.a), other));
    append(picks, others);
  }
  addUb(both(guard_, condition), picks);
}

void SymbolicRun::restrictToRange(const Step &step) {
  Lane lane = lanes_[step.a];
  const expr low = element(step.b).bits;
  const expr size = element(step.c).bits;
  if (size.get_numeral_uint64() != 0)
    lane.element->poison =
        either(lane.element->poison, z3::uge(lane.element->bits - low, size));
  lanes_[step.result] = std::move(lane);
}

void SymbolicRun::structure(const Step &step) {
  switch (step.code) {
  case core::code::require:
    return require(step);
  case core::code::restrictToRange:
    return restrictToRange(step);
  case core::code::call:
    return call(function_.calls[step.a]);
  default:
    assert(false && "the engine does not take it");
  }
}

void SymbolicRun::control(const Step &step) {
  switch (step.code) {
  case core::code::join:
    return setGuard(step.result, either(guardAt(step.a), guardAt(step.b)));
  case core::code::split: {
    const expr taken = element(step.a).bits == 1;
    setGuard(step.b, both(guard_, taken));
    return setGuard(step.c, both(guard_, negate(taken)));
  }
  case core::code::splitCase: {
    const expr taken = element(step.a).bits == element(step.b).bits;
    const expr rest = guardAt(step.c);
    setGuard(step.result, both(rest, taken));
    return setGuard(step.c, both(rest, negate(taken)));
  }
  case core::code::ub:
    return addUb(guard_, {});
  case core::code::beyond:
    beyond_ = either(beyond_, guardAt(step.a));
    return addAt(beyondAt_, guardAt(step.a));
  default:
    assert(false && "the engine does not take it");
  }
}

std::optional<SymbolicRow> SymbolicRun::valueAt(core::Value value,
                                                Type type) const {
  if (!value.exists())
    return std::nullopt;
  for (unsigned lane = 0; lane < core::lanesOf(type); ++lane)
    if (!lanes_[value.slot() + core::slotsBefore(type, lane)].element)
      return std::nullopt;
  return rowAt(value, type);
}

void SymbolicRun::noteDefinitions(const Program &program) {
  if (!lack_.empty())
    return;
  for (const core::Definition &definition : function_.definitions) {
    const expr computed = definition.guard == core::noSlot
                              ? fresh_.context().bool_val(true)
                              : guardAt(definition.guard);
    const auto row = valueAt(definition.value,
                             program.instructions[definition.instruction].type);
    if (computed.is_false() || !row)
      continue;
    std::optional<Value> &value = values_[definition.instruction];
    if (!value) {
      value = Value{computed, *row};
      continue;
    }
    value->computed = either(value->computed, computed);
    for (std::size_t lane = 0; lane < row->lanes.size(); ++lane)
      value->row.lanes[lane] =
          merged(computed, row->lanes[lane], value->row.lanes[lane]);
    value->row.choices = unionOf(std::move(value->row.choices), row->choices);
  }
}

std::optional<SymbolicRow> SymbolicRun::returned() {
  auto row = valueAt(function_.returned, returnType_);
  if (!row || row->choices.empty())
    return row;
  Variables copies = freshCopies(row->choices);
  for (Term &lane : row->lanes)
    lane = substituted(lane, row->choices, copies);
  row->choices = std::move(copies);
  return row;
}

} // namespace checker::smt
