// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/exact/reference.h"

#include "checker/exact/lanes.h"
#include "checker/exact/run.h"
#include "checker/value/samples.h"
#include "corpus/program/graph.h"
#include "corpus/program/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace checker {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;

namespace {

bool isTaken(corpus::Type type) {
  for (unsigned i = 0; i < type.lanes(); ++i)
    if (!type.lane(i).isInteger())
      return false;
  return true;
}

/// What is no operation on numbers, and known all the same.
bool isStructure(Opcode opcode) {
  switch (opcode) {
  case Opcode::freeze:
  case Opcode::phi:
  case Opcode::call:
  case Opcode::ret:
  case Opcode::br:
  case Opcode::switch_:
  case Opcode::unreachable:
    return true;
  default:
    return false;
  }
}

constexpr std::uint32_t memoryAttributes =
    corpus::attribute::memoryNone | corpus::attribute::memoryRead;

std::uint32_t functionBits(const Program &program, const Instruction &call) {
  std::uint32_t bits = program.callees[call.callee].signature.function.bits;
  if (call.attributes != Instruction::noAttributes)
    bits |= program.callAttributes[call.attributes].function.bits;
  return bits;
}

bool isTraced(const Program &program, const Instruction &instruction) {
  return instruction.opcode == Opcode::call &&
         (functionBits(program, instruction) & memoryAttributes) == 0;
}

/// How the target goes beyond what the source may do.
class Comparison {
public:
  Comparison(const Run &source, const Run &target)
      : source_(source), target_(target) {}

  /// The worst kind of a target outcome that no source outcome covers.
  std::optional<Kind> worst();
  /// States of the target on the way to that outcome, the last one final.
  const std::vector<std::size_t> &path() const { return path_; }
  const std::string &outcome() const { return outcome_; }

private:
  /// States of the source behind one trace, closed under silent transitions:
  /// what they can do together. Every place of a loop shares one.
  struct Sources {
    bool isEmpty = true;
    bool reachesUb = false;
    bool diverges = false;
    bool returns = false;
    std::set<ValueSet> returned;
    std::vector<const Transition *> calls;
  };
  /// A state of the target, and those of the source behind the same trace.
  struct Place {
    std::size_t target;
    const Sources *sources;
    bool sourceExits; ///< the source may not come back from the last call
    friend auto operator<=>(const Place &, const Place &) = default; // NOLINT
  };
  struct Visit {
    Place place;
    std::size_t parent;
    std::vector<std::size_t> next; ///< visits
  };

  /// Of these states and all that silent transitions reach.
  const Sources &closure(std::vector<std::size_t> states);
  static bool sourceMayEndHere(const Visit &visit);
  static bool isMorePoisonThanAny(const ValueSet &target,
                                  const Sources &sources);
  void push(const Place &place, std::size_t parent);
  void step(std::size_t visit, const Transition &transition);
  void stepCall(std::size_t visit, const Transition &transition);
  void stepReturn(std::size_t visit, const Transition &transition);
  void findEndlessCalls();
  void report(Kind kind, std::size_t visit, std::size_t finalState,
              std::string_view outcome);

  const Run &source_;
  const Run &target_;
  std::map<std::set<std::size_t>, Sources> closures_;
  std::vector<Visit> visits_;
  std::map<Place, std::size_t> seen_; ///< its visit
  std::optional<Kind> worst_;
  std::vector<std::size_t> path_;
  std::string outcome_;
};

const Comparison::Sources &
Comparison::closure(std::vector<std::size_t> states) {
  std::set<std::size_t> members(states.begin(), states.end());
  while (!states.empty()) {
    const std::size_t state = states.back();
    states.pop_back();
    for (const Transition &transition : source_.transitions(state))
      if (transition.kind == Transition::Kind::silent &&
          members.insert(transition.to).second)
        states.push_back(transition.to);
  }
  const auto [found, isNew] = closures_.try_emplace(std::move(members));
  Sources &sources = found->second;
  if (!isNew)
    return sources;
  for (const std::size_t state : found->first) {
    sources.isEmpty = false;
    sources.reachesUb |= source_.reachesUb(state);
    sources.diverges |= source_.diverges(state);
    for (const Transition &transition : source_.transitions(state)) {
      if (transition.kind == Transition::Kind::call)
        sources.calls.push_back(&transition);
      if (transition.kind != Transition::Kind::returns)
        continue;
      sources.returns = true;
      sources.returned.insert(transition.returned);
    }
  }
  return sources;
}

/// Requires a set that is not covered. With several lanes: an element of it has
/// poison in a lane where each element that the source may return has none.
bool Comparison::isMorePoisonThanAny(const ValueSet &target,
                                     const Sources &sources) {
  if (target.front().lanes() == 1)
    return hasPoison(target);
  return std::any_of(target.begin(), target.end(), [&](const Element &t) {
    for (const ValueSet &set : sources.returned)
      for (const Element &s : set)
        if (!isMorePoison(t, s))
          return false;
    return true;
  });
}

/// It has an outcome with just the trace of this visit.
bool Comparison::sourceMayEndHere(const Visit &visit) {
  const Sources &sources = *visit.place.sources;
  return visit.place.sourceExits || sources.diverges || sources.returns;
}

void Comparison::push(const Place &place, std::size_t parent) {
  if (place.sources->reachesUb)
    return;
  const auto [found, isNew] = seen_.try_emplace(place, visits_.size());
  if (isNew)
    visits_.push_back({place, parent, {}});
  if (!isNew || found->second != 0) // the first has no parent
    visits_[parent].next.push_back(found->second);
}

void Comparison::report(Kind kind, std::size_t visit, std::size_t finalState,
                        std::string_view outcome) {
  if (worst_ && *worst_ <= kind)
    return;
  worst_ = kind;
  outcome_ = outcome;
  path_ = {finalState};
  for (std::size_t at = visit;; at = visits_[at].parent) {
    path_.push_back(visits_[at].place.target);
    if (at == 0)
      break;
  }
  std::reverse(path_.begin(), path_.end());
}

void Comparison::stepReturn(std::size_t visit, const Transition &transition) {
  const Sources &sources = *visits_[visit].place.sources;
  if (std::any_of(sources.returned.begin(), sources.returned.end(),
                  [&](const ValueSet &returned) {
                    return refines(transition.returned, returned);
                  }))
    return;
  const Kind kind = !sourceMayEndHere(visits_[visit]) ? Kind::calls
                    : !sources.returns                ? Kind::returns
                    : isMorePoisonThanAny(transition.returned, sources)
                        ? Kind::morePoison
                    : transition.returned.size() > 1 ? Kind::moreUndef
                                                     : Kind::value;
  report(kind, visit, transition.to, "returns");
}

void Comparison::stepCall(std::size_t visit, const Transition &transition) {
  const CallEvent &call = transition.call;
  std::vector<std::size_t> after;
  unsigned sourceExits = 0;
  unsigned sourceExitUb = 0;
  for (const Transition *other : visits_[visit].place.sources->calls) {
    const CallEvent &event = other->call;
    if (event.callee->name != call.callee->name ||
        event.arguments.size() != call.arguments.size())
      continue;
    bool matches = true;
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      matches = matches && refines(call.arguments[i], event.arguments[i]);
    if (!matches)
      continue;
    after.push_back(other->to);
    sourceExits |= event.exits;
    sourceExitUb |= event.exitUb;
  }
  const Sources &sources = closure(std::move(after));
  // The source may already be in UB when the call does not come back.
  const bool coveredAfter = sources.reachesUb || sourceExitUb != 0;
  if (!coveredAfter) {
    if (call.exitUb != 0)
      report(Kind::moreUb, visit, transition.to, "UB");
    else if ((call.exits & ~sourceExits) != 0)
      report(Kind::calls, visit, transition.to,
             "does not return from the call");
    else if (sources.isEmpty) // however it goes on
      report(Kind::calls, visit, transition.to, "");
    push({transition.to, &sources, sourceExits != 0}, visit);
  }
}

void Comparison::step(std::size_t visit, const Transition &transition) {
  switch (transition.kind) {
  case Transition::Kind::silent:
    return push({transition.to, visits_[visit].place.sources,
                 visits_[visit].place.sourceExits},
                visit);
  case Transition::Kind::ub:
    return report(Kind::moreUb, visit, transition.to, "UB");
  case Transition::Kind::returns:
    return stepReturn(visit, transition);
  case Transition::Kind::call:
    return stepCall(visit, transition);
  }
}

/// A target that must return and does not, for all its calls: what is left when
/// visits without a next one are taken away again and again. Where the source
/// must return as well, endless runs of its own with the same trace are UB too.
void Comparison::findEndlessCalls() {
  if (!target_.mustReturn())
    return;
  std::vector<std::vector<std::size_t>> previous(visits_.size());
  std::vector<std::size_t> left(visits_.size(), 0);
  std::vector<std::size_t> todo;
  for (std::size_t visit = 0; visit < visits_.size(); ++visit) {
    const bool mayFollow =
        source_.mustReturn() && !visits_[visit].place.sources->isEmpty;
    if (!mayFollow)
      left[visit] = visits_[visit].next.size();
    for (std::size_t next : visits_[visit].next)
      previous[next].push_back(visit);
    if (left[visit] == 0)
      todo.push_back(visit);
  }
  while (!todo.empty()) {
    const std::size_t visit = todo.back();
    todo.pop_back();
    for (std::size_t from : previous[visit])
      if (left[from] != 0 && --left[from] == 0)
        todo.push_back(from);
  }
  const auto endless = std::find_if(left.begin(), left.end(),
                                    [](std::size_t n) { return n != 0; });
  if (endless != left.end()) {
    const auto visit = static_cast<std::size_t>(endless - left.begin());
    report(Kind::moreUb, visit, visits_[visit].place.target,
           "UB (it must return)");
  }
}

std::optional<Kind> Comparison::worst() {
  push({Run::start, &closure({Run::start}), false}, 0);
  for (std::size_t visit = 0; visit < visits_.size(); ++visit) {
    const std::size_t target = visits_[visit].place.target;
    if (target_.divergesIntoUb(target))
      report(Kind::moreUb, visit, target, "UB (it must make progress)");
    if (target_.diverges(target) && !visits_[visit].place.sources->diverges)
      report(sourceMayEndHere(visits_[visit]) ? Kind::diverges : Kind::calls,
             visit, target, "loops forever");
    for (const Transition &transition : target_.transitions(target))
      step(visit, transition);
  }
  findEndlessCalls();
  return worst_;
}

std::string describeCall(const CallEvent &call) {
  std::string text = fmt::format("calls @{}(", call.callee->name);
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    text += fmt::format(
        "{}{}", i == 0 ? "" : ", ",
        format(call.arguments[i], call.callee->signature.parameters[i].type));
  return text + ")";
}

std::string describeReturn(const Program &program, const ValueSet &returned) {
  if (program.signature.returnType.isVoid())
    return "returns";
  return fmt::format("returns {}",
                     format(returned, program.signature.returnType));
}

std::vector<NamedValue> valuesOf(const Program &program,
                                 const std::vector<ValueSet> &registers) {
  std::vector<NamedValue> values;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const corpus::Type type = program.instructions[i].type;
    if (type.isVoid())
      continue;
    const std::string name = corpus::resultName(i);
    if (!registers[i].empty())
      values.push_back({name, toString(type), format(registers[i], type)});
  }
  return values;
}

/// One way for a run to go: along `path`; then, unless that ended in
/// `pathOutcome`, always the first transition.
struct Walk {
  std::string outcome;
  std::size_t finalState = Run::start;
};

Walk walk(const Program &program, const Run &run,
          const std::vector<std::size_t> &path, std::string_view pathOutcome) {
  Walk result;
  const auto say = [&](const std::string &text) {
    result.outcome += (result.outcome.empty() ? "" : ", ") + text;
  };
  std::set<std::size_t> seen;
  std::size_t step = 1;
  while (true) {
    const bool onPath = step < path.size();
    if (!onPath && !path.empty() && !pathOutcome.empty()) {
      // The path ends in a final state, or where an outcome without one arose.
      if (pathOutcome != "returns")
        say(std::string(pathOutcome));
      return result;
    }
    const auto transitions = run.transitions(result.finalState);
    if (!onPath && !seen.insert(result.finalState).second) {
      say("loops forever");
      return result;
    }
    auto next = transitions.begin();
    if (onPath)
      while (next != transitions.end() && next->to != path[step])
        ++next;
    if (next == transitions.end())
      next = transitions.begin();
    if (transitions.empty())
      return result;
    ++step;
    if (next->kind == Transition::Kind::call)
      say(describeCall(next->call));
    if (next->kind == Transition::Kind::returns)
      say(describeReturn(program, next->returned));
    const bool isUb = next->kind == Transition::Kind::ub && !onPath;
    if (isUb)
      say("UB");
    result.finalState = next->to;
    if (next->kind == Transition::Kind::returns || isUb)
      return result;
  }
}

class Reference {
public:
  Reference(const Program &source, const Program &target,
            const Semantics &semantics)
      : source_(source), target_(target), semantics_(semantics) {}

  /// What keeps the runs from being enumerated, or nothing.
  std::optional<std::string> findCallResults();
  Verdict check(bool wantWitness, std::uint64_t stepLimit);
  std::optional<Verdict> trySamples(bool wantWitness, std::uint64_t stepLimit);
  std::optional<Kind> kindOf(const Input &input, Budget &budget);
  Witness witness(const Input &input, Budget &budget);

private:
  void addInputNames(Witness &witness, const Input &input) const;

  const Program &source_;
  const Program &target_;
  const Semantics &semantics_;
  std::vector<CallResultSlot> slots_;
  bool complete_ = true;
};

std::optional<std::string> Reference::findCallResults() {
  std::size_t calls = 0;
  std::map<std::string, corpus::Type> results;
  bool inCycle = false;
  for (const Program *program : {&source_, &target_}) {
    std::size_t callsHere = 0;
    for (std::size_t block = 0; block < program->blocks.size(); ++block)
      for (std::size_t i = program->blocks[block].begin;
           i < program->blocks[block].end; ++i) {
        const Instruction &instruction = program->instructions[i];
        if (!isTraced(*program, instruction))
          continue;
        ++callsHere;
        inCycle = inCycle || corpus::Graph(*program).isInCycle(block);
        if (!instruction.type.isVoid())
          results.emplace(program->callees[instruction.callee].name,
                          instruction.type);
      }
    calls = std::max(calls, callsHere);
  }
  if (results.empty())
    return std::nullopt;
  if (inCycle)
    return fmt::format("a call in a loop, where the result of @{} matters",
                       results.begin()->first);
  for (unsigned position = 0; position < calls; ++position)
    for (const auto &[callee, type] : results)
      slots_.push_back({position, callee, type});
  return std::nullopt;
}

std::optional<Kind> Reference::kindOf(const Input &input, Budget &budget) {
  const Run target(target_, semantics_, input, slots_, budget);
  const Run source(source_, semantics_, input, slots_, budget);
  complete_ = complete_ && source.complete() && target.complete();
  if (!complete_)
    return std::nullopt;
  return Comparison(source, target).worst();
}

void Reference::addInputNames(Witness &witness, const Input &input) const {
  const auto &parameters = source_.signature.parameters;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const bool isArgument = i < parameters.size();
    const CallResultSlot *slot =
        isArgument ? nullptr : &slots_[i - parameters.size()];
    const corpus::Type type = isArgument ? parameters[i].type : slot->type;
    witness.inputs.push_back(
        {isArgument
             ? corpus::argumentName(i)
             : fmt::format("@{} as call {}", slot->callee, slot->position + 1),
         toString(type), format(input[i], type)});
  }
}

Witness Reference::witness(const Input &input, Budget &budget) {
  const Run source(source_, semantics_, input, slots_, budget);
  const Run target(target_, semantics_, input, slots_, budget);
  Comparison comparison(source, target);
  comparison.worst();
  const Walk targetWalk =
      walk(target_, target, comparison.path(), comparison.outcome());
  const Walk sourceWalk = walk(source_, source, {}, {});
  Witness witness;
  addInputNames(witness, input);
  witness.sourceValues =
      valuesOf(source_, source.registers(sourceWalk.finalState));
  witness.targetValues =
      valuesOf(target_, target.registers(targetWalk.finalState));
  witness.sourceOutcome = sourceWalk.outcome;
  witness.targetOutcome = targetWalk.outcome;
  return witness;
}

Verdict Reference::check(bool wantWitness, std::uint64_t stepLimit) {
  Verdict verdict;
  verdict.engine = "reference";
  const auto give = [&](VerdictWord word, std::string reason) {
    verdict.word = word;
    verdict.reason = std::move(reason);
    return verdict;
  };
  for (const Program *program : {&source_, &target_})
    if (auto lack = lackOfReference(*program))
      return give(VerdictWord::unsupported, std::move(*lack));
  if (auto lack = findCallResults())
    return give(VerdictWord::unsupported, std::move(*lack));

  std::map<std::uint32_t, std::vector<InputChoice>> lists;
  std::vector<const std::vector<InputChoice> *> choices;
  double inputCount = 1;
  const auto addInput = [&](corpus::Type type) -> std::optional<Verdict> {
    auto found = lists.find(type.id());
    if (found == lists.end()) {
      auto list = inputChoices(type, semantics_);
      if (!list)
        return give(semantics_.inputs != Inputs::anySet
                        ? VerdictWord::undecided
                        : VerdictWord::unsupported,
                    list.error().message);
      found = lists.emplace(type.id(), std::move(*list)).first;
    }
    choices.push_back(&found->second);
    inputCount *= static_cast<double>(found->second.size());
    return std::nullopt;
  };
  for (const corpus::Parameter &parameter : source_.signature.parameters)
    if (auto problem = addInput(parameter.type))
      return *problem;
  for (const CallResultSlot &slot : slots_)
    if (auto problem = addInput(slot.type))
      return *problem;

  const double work =
      inputCount * static_cast<double>(source_.instructions.size() +
                                       target_.instructions.size());
  if (work > static_cast<double>(stepLimit))
    return give(VerdictWord::undecided,
                fmt::format("{:.0f} inputs are too many to try one by one; "
                            "narrow the integers",
                            inputCount));

  Budget budget{stepLimit};
  std::optional<Input> smallest;
  forEachInput(choices, [&](const Input &input) {
    const auto kind = kindOf(input, budget);
    if (kind && (!smallest || *kind < verdict.kind)) {
      verdict.kind = *kind;
      smallest = input;
    }
    return complete_ && !(smallest && verdict.kind == Kind::moreUb);
  });
  if (!complete_)
    return give(VerdictWord::undecided,
                "too many states, or sets of values too large, to try one by "
                "one; narrow the integers");
  if (!smallest)
    return verdict;
  verdict.word = VerdictWord::wrong;
  if (wantWitness) {
    Budget unlimited{stepLimit};
    verdict.witness = witness(*smallest, unlimited);
  }
  return verdict;
}

std::optional<Verdict> Reference::trySamples(bool wantWitness,
                                             std::uint64_t stepLimit) {
  constexpr std::uint64_t samples = 96;
  constexpr unsigned maximumRounds = 20;
  for (const Program *program : {&source_, &target_})
    if (lackOfReference(*program))
      return std::nullopt;
  if (findCallResults())
    return std::nullopt;
  std::vector<corpus::Type> types;
  for (const corpus::Parameter &parameter : source_.signature.parameters)
    types.push_back(parameter.type);
  for (const CallResultSlot &slot : slots_)
    types.push_back(slot.type);
  if (!std::all_of(types.begin(), types.end(),
                   [](corpus::Type type) { return type.isInteger(); }))
    return std::nullopt;

  const auto inputOf = [](std::span<const Element> elements) {
    Input input;
    for (const Element &element : elements)
      input.push_back({element});
    return input;
  };
  std::uint64_t steps = stepLimit;
  const auto kindOfSample = [&](std::span<const Element> sample) {
    Budget budget{std::min(steps, stepLimit / 16)};
    const std::uint64_t before = budget.steps;
    complete_ = true;
    const auto kind = kindOf(inputOf(sample), budget);
    steps -= before - budget.steps;
    return kind;
  };
  std::optional<Kind> worst;
  std::vector<Element> best;
  const Samples values(source_, target_, semantics_.inputs != Inputs::defined);
  for (std::uint64_t number = 0; number < samples && steps != 0; ++number) {
    // Of several arguments not only the first corners.
    const std::vector<Element> sample =
        values.input(types, types.size() < 2 ? number : number * 19);
    const auto kind = kindOfSample(sample);
    if (!kind || (worst && (*worst < *kind ||
                            (*worst == *kind && !isSmaller(sample, best)))))
      continue;
    worst = kind;
    best = sample;
  }
  if (!worst)
    return std::nullopt;
  bool isSmallest = !wantWitness;
  for (unsigned round = 0; round < maximumRounds && !isSmallest; ++round) {
    isSmallest = true;
    for (const std::vector<Element> &smaller : smallerInputs(types, best))
      if (steps != 0 && isSmaller(smaller, best) &&
          kindOfSample(smaller) == worst) {
        best = smaller;
        isSmallest = false;
      }
  }
  Verdict verdict;
  verdict.word = VerdictWord::wrong;
  verdict.kind = *worst;
  verdict.engine = "reference";
  if (wantWitness) {
    Budget budget{stepLimit};
    verdict.witness = witness(inputOf(best), budget);
  }
  return verdict;
}

} // namespace

std::optional<Verdict> trySamplesByReference(const Program &source,
                                             const Program &target,
                                             const Semantics &semantics,
                                             bool wantWitness,
                                             std::uint64_t stepLimit) {
  return Reference(source, target, semantics)
      .trySamples(wantWitness, stepLimit);
}

std::optional<std::string> lackOfReference(const Program &program) {
  for (const corpus::Parameter &parameter : program.signature.parameters)
    if (!isTaken(parameter.type))
      return fmt::format("a value of type {}", toString(parameter.type));
  for (const Operand &operand : program.operands)
    if (!isTaken(operand.type))
      return fmt::format("a value of type {}", toString(operand.type));
  static const core::OpcodeSet numbers = opcodesOfNumbers();
  bool traced = false;
  for (const Instruction &instruction : program.instructions) {
    if (!isTaken(instruction.type))
      return fmt::format("a value of type {}", toString(instruction.type));
    if (!numbers.has(instruction.opcode) && !isStructure(instruction.opcode) &&
        !isMoveOfLanes(instruction.opcode))
      return std::string(corpus::info(instruction.opcode).spelling);
    if (instruction.opcode != Opcode::call)
      continue;
    traced = traced || isTraced(program, instruction);
    if (isTraced(program, instruction))
      continue;
    const std::uint32_t bits = functionBits(program, instruction);
    const bool isSure = (bits & corpus::attribute::willreturn) != 0 &&
                        (bits & corpus::attribute::nounwind) != 0;
    if (!isSure || !instruction.type.isVoid())
      return fmt::format("call of @{}, which is memory(none) or memory(read)",
                         program.callees[instruction.callee].name);
  }
  if (traced && program.signature.function.has(memoryAttributes))
    return "a function that is memory(none) or memory(read) and calls";
  return std::nullopt;
}

Verdict checkByReference(const Program &source, const Program &target,
                         const Semantics &semantics, bool wantWitness,
                         std::uint64_t stepLimit) {
  return Reference(source, target, semantics).check(wantWitness, stepLimit);
}

std::optional<Kind> kindOfInput(const Program &source, const Program &target,
                                const Semantics &semantics,
                                const Input &input) {
  Budget budget{defaultReferenceSteps};
  return Reference(source, target, semantics).kindOf(input, budget);
}

Witness witnessOfInput(const Program &source, const Program &target,
                       const Semantics &semantics, const Input &input) {
  Budget budget{defaultReferenceSteps};
  return Reference(source, target, semantics).witness(input, budget);
}

} // namespace checker
