// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/exact/oracle.h"

#include "checker/lane_ops/concrete.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

namespace checker {
namespace {

using corpus::Attributes;
using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;
namespace attribute = corpus::attribute;

constexpr std::size_t maximumTrace = 5;
constexpr unsigned maximumSteps = 15'000; ///< blocks and ends, for one pair
constexpr double maximumInputs = 1500;

using Set = std::set<Element>;

struct Call {
  std::string callee;
  std::vector<Set> arguments;
  bool isSure = false; ///< to come back
  friend auto operator<=>(const Call &, const Call &) = default; // NOLINT
};

using Trace = std::vector<Call>;

/// A call behind so many others.
using PlacedCall = std::pair<std::size_t, Call>;

/// In which a callee may leave, and the attribute that forbids it.
constexpr std::uint32_t ways[] = {attribute::willreturn, attribute::nounwind};

/// `breaks`: UB, since the callee leaves as its attributes say it does not.
enum class End : std::uint8_t { ub, breaks, returns, diverges, exits, cut };

struct Outcome {
  Trace trace;
  End end = End::ub;
  Set returned;
  std::uint32_t way = 0; ///< where a callee left: the attribute that forbids it
  friend auto operator<=>(const Outcome &, const Outcome &) = default; // NOLINT
};

using Outcomes = std::set<Outcome>;

/// Results of calls: by the length of the trace before, and callee.
using ResultKey = std::pair<std::size_t, std::string>;

/// A call of the target that does not come back, nor do those of the source
/// that it may stand for.
struct Leaving {
  PlacedCall call;
  std::uint32_t way;
};

struct Given {
  std::vector<Set> arguments;
  std::map<ResultKey, Set> results;
  std::optional<Leaving> leaving; ///< all other calls come back
};

Set numbersOf(Type type) {
  Set set;
  for (std::uint64_t bits = 0; bits <= type.mask(); ++bits)
    if (type.isOverflowPair())
      set.insert({Element::pair(bits, false), Element::pair(bits, true)});
    else
      set.insert(Element::number(bits));
  return set;
}

bool isPoisonous(const Set &set) {
  return std::any_of(set.begin(), set.end(),
                     [](const Element &e) { return e.hasPoison(); });
}

/// The numbers that bits of poison may turn into.
Set completionsOf(const Element &element, Type type) {
  Set set;
  for (const Element &number : numbersOf(type))
    if ((number.bits & ~element.poison) == element.bits &&
        (!type.isOverflowPair() || element.rest[0].poison != 0 ||
         number.rest == element.rest))
      set.insert(number);
  return set;
}

bool setRefines(const Set &target, const Set &source) {
  return std::all_of(target.begin(), target.end(), [&](const Element &t) {
    return std::any_of(source.begin(), source.end(), [&](const Element &s) {
      const std::uint64_t defined = ~s.poison;
      const bool pairRefines =
          s.rest.empty() || s.rest[0].poison != 0 || t.rest == s.rest;
      return (t.poison & defined) == 0 && (t.bits & defined) == s.bits &&
             pairRefines;
    });
  });
}

bool callRefines(const Call &target, const Call &source) {
  return target.callee == source.callee &&
         std::equal(target.arguments.begin(), target.arguments.end(),
                    source.arguments.begin(), source.arguments.end(),
                    setRefines);
}

/// The first calls of `target` are those of `source`.
bool startsWith(const Trace &target, const Trace &source) {
  return source.size() <= target.size() &&
         std::equal(
             source.begin(), source.end(), target.begin(),
             [](const Call &s, const Call &t) { return callRefines(t, s); });
}

class Walk {
public:
  Walk(const Program &program, const Semantics &semantics, const Given &given,
       unsigned &steps)
      : program_(program), semantics_(semantics), given_(given), steps_(steps) {
    State state;
    for (std::size_t i = 0; i < given.arguments.size(); ++i) {
      Set set = given.arguments[i];
      const corpus::Parameter &parameter = program.signature.parameters[i];
      if (!restrict(parameter.attributes, parameter.type, set)) {
        stop({}, End::ub);
        return;
      }
      arguments_.push_back(std::move(set));
    }
    enterBlock(std::move(state), 0, 0, {});
  }

  bool complete() const { return complete_; }
  const Outcomes &outcomes() const { return outcomes_; }
  const std::set<PlacedCall> &called() const { return called_; }
  /// Behind which the last callee might not have come back.
  const std::set<Trace> &leaves() const { return leaves_; }

private:
  struct State {
    std::size_t block = 0;
    std::map<std::size_t, Set> registers;
    friend bool operator==(const State &, const State &) = default;
  };
  /// A block that is being run, with what had been called before.
  struct Passed {
    State state;
    Trace trace;
  };

  bool spend() {
    complete_ = complete_ && steps_++ < maximumSteps;
    return complete_;
  }

  bool isOurs(std::uint32_t bits) const {
    return program_.signature.function.has(bits);
  }

  void stop(Trace trace, End end, Set returned = {}, std::uint32_t way = 0) {
    if (spend())
      outcomes_.insert({std::move(trace), end, std::move(returned), way});
  }

  static bool restrict(const Attributes &attributes, Type type, Set &set) {
    if (attributes.has(attribute::range)) {
      const auto isOutside = [&](const Element &number) {
        const std::uint64_t low = attributes.range().low;
        const std::uint64_t high = attributes.range().high;
        return low < high
                   ? number.bits < low || number.bits >= high
                   : low > high && number.bits < low && number.bits >= high;
      };
      Set result;
      for (const Element &element : set) {
        const Set numbers = completionsOf(element, type);
        result.insert(std::any_of(numbers.begin(), numbers.end(), isOutside)
                          ? Element::poisonOf(type)
                          : element);
      }
      set = std::move(result);
    }
    return !attributes.has(attribute::noundef) ||
           (set.size() == 1 && !isPoisonous(set));
  }

  Set undef(Type type) const {
    return semantics_.undef == UndefRule::asPoison
               ? Set{Element::poisonOf(type)}
               : numbersOf(type);
  }

  Set valueOf(const State &state, const Operand &operand) const {
    switch (operand.kind) {
    case Operand::Kind::constant:
      return {Element::number(operand.payload)};
    case Operand::Kind::undef:
      return undef(operand.type);
    case Operand::Kind::poison:
      return {Element::poisonOf(operand.type)};
    case Operand::Kind::argument:
      return arguments_[operand.payload];
    default:
      return state.registers.at(operand.payload);
    }
  }

  void enterBlock(State state, std::size_t from, std::size_t block,
                  const Trace &trace) {
    if (!complete_)
      return;
    const State before = state;
    state.block = block;
    std::size_t index = program_.blocks[block].begin;
    for (; program_.instructions[index].opcode == Opcode::phi; ++index) {
      const auto operands = program_.operandsOf(program_.instructions[index]);
      for (std::size_t i = 0; i < operands.size(); i += 2)
        if (operands[i + 1].payload == from)
          state.registers[index] = valueOf(before, operands[i]);
    }
    for (const Passed &passed : passed_)
      if (passed.state == state) {
        const bool callFree = passed.trace.size() == trace.size();
        const bool isSure =
            std::all_of(trace.begin() + passed.trace.size(), trace.end(),
                        [](const Call &call) { return call.isSure; });
        // The run may go round like this for ever.
        if (callFree || (isSure && isOurs(attribute::willreturn)))
          return stop(trace,
                      isOurs(attribute::willreturn) ||
                              (callFree && isOurs(attribute::mustprogress))
                          ? End::ub
                          : End::diverges);
      }
    if (!spend())
      return;
    passed_.push_back({state, trace});
    run(std::move(state), index, trace);
    passed_.pop_back();
  }

  void run(State state, std::size_t index, Trace trace) {
    for (; complete_; ++index) {
      const Instruction &instruction = program_.instructions[index];
      const auto operands = program_.operandsOf(instruction);
      switch (instruction.opcode) {
      case Opcode::unreachable:
        return stop(trace, End::ub);
      case Opcode::ret: {
        Set returned;
        if (!operands.empty())
          returned = valueOf(state, operands[0]);
        const bool isFine =
            !isOurs(attribute::noreturn) &&
            (operands.empty() ||
             restrict(program_.signature.result, operands[0].type, returned));
        return stop(trace, isFine ? End::returns : End::ub, returned);
      }
      case Opcode::br:
      case Opcode::switch_:
        return branch(state, instruction, trace);
      case Opcode::freeze: {
        Set picks;
        for (const Element &element : valueOf(state, operands[0]))
          picks.merge(completionsOf(element, instruction.type));
        for (const Element &pick : picks)
          goOn(state, index, Set{pick}, trace);
        return;
      }
      case Opcode::call:
        if (!call(state, instruction, index, trace))
          return;
        break;
      default: {
        const auto forks = compute(state, instruction);
        for (std::size_t i = 1; i < forks.size(); ++i)
          goOn(state, index, forks[i], trace);
        if (!forks[0])
          return stop(trace, End::ub);
        if (!instruction.type.isVoid())
          state.registers[index] = *forks[0];
      }
      }
    }
  }

  /// One way for an instruction to end: with a result, or with UB.
  void goOn(State state, std::size_t index, const std::optional<Set> &result,
            const Trace &trace) {
    if (!result)
      return stop(trace, End::ub);
    state.registers[index] = *result;
    run(std::move(state), index + 1, trace);
  }

  void branch(const State &state, const Instruction &instruction,
              const Trace &trace) {
    const auto operands = program_.operandsOf(instruction);
    if (operands.size() == 1)
      return enterBlock(state, state.block, operands[0].payload, trace);
    const Set condition = valueOf(state, operands[0]);
    if ((isPoisonous(condition) &&
         semantics_.branchOnPoison == BranchRule::ub) ||
        (condition.size() > 1 && semantics_.branchOnUndef == BranchRule::ub))
      return stop(trace, End::ub);
    std::set<std::size_t> to;
    for (const Element &element : condition) {
      std::size_t chosen = operands[1].payload;
      if (instruction.opcode == Opcode::br)
        chosen = operands[element.bits != 0 ? 1 : 2].payload;
      for (std::size_t i = 2;
           instruction.opcode == Opcode::switch_ && i < operands.size(); i += 2)
        if (operands[i].payload == element.bits)
          chosen = operands[i + 1].payload;
      if (!element.hasPoison())
        to.insert(chosen);
      else
        for (const Operand &operand : operands)
          if (operand.is(Operand::Kind::block))
            to.insert(operand.payload);
    }
    for (const std::size_t block : to)
      enterBlock(state, state.block, block, trace);
  }

  const corpus::CallAttributes &siteOf(const Instruction &instruction) const {
    static const corpus::CallAttributes none;
    return instruction.attributes == Instruction::noAttributes
               ? none
               : program_.callAttributes[instruction.attributes];
  }

  /// What it may give, one for each way its fork falls; nothing is UB.
  std::vector<std::optional<Set>> compute(const State &state,
                                          const Instruction &instruction) {
    const auto operands = program_.operandsOf(instruction);
    const corpus::CallAttributes &site = siteOf(instruction);
    std::vector<Set> sets;
    std::vector<std::vector<Element>> picks(1);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      Set &set = sets.emplace_back(valueOf(state, operands[i]));
      if (!site.parameters.empty() &&
          !restrict(site.parameters[i], operands[i].type, set))
        return {std::nullopt};
      std::vector<std::vector<Element>> longer;
      for (const auto &prefix : picks)
        for (const Element &element : set) {
          longer.push_back(prefix);
          longer.back().push_back(element);
        }
      picks = std::move(longer);
    }
    Set result;
    bool forks = false;
    for (const std::vector<Element> &pick : picks) {
      const ElementResult one =
          evaluate(operationOf(program_, instruction), semantics_, pick);
      switch (one.kind) {
      case ElementResult::Kind::ub:
        return {std::nullopt};
      case ElementResult::Kind::undef:
        result.merge(undef(instruction.type));
        break;
      case ElementResult::Kind::element:
        result.insert(one.element);
        break;
      case ElementResult::Kind::eitherArm:
        forks = true;
        break;
      case ElementResult::Kind::tooMany:
        complete_ = false;
        return {std::nullopt};
      }
    }
    std::vector<Set> results = {result};
    if (forks) { // beside what the condition's other picks give, a whole arm
      results = {sets[1], sets[2]};
      const bool isPoison = semantics_.selectArms == SelectArms::either &&
                            (isPoisonous(sets[1]) || isPoisonous(sets[2]));
      for (Set &arm : results) {
        arm.merge(Set(result));
        if (isPoison)
          arm.insert(Element::poisonOf(instruction.type));
      }
    }
    std::vector<std::optional<Set>> ends;
    ends.reserve(results.size());
    for (Set &each : results)
      ends.push_back(instruction.type.isVoid() ||
                             restrict(site.result, instruction.type, each)
                         ? std::optional(each)
                         : std::nullopt);
    return ends;
  }

  /// False when the run ends here.
  bool call(State &state, const Instruction &instruction, std::size_t index,
            Trace &trace) {
    const corpus::Callee &callee = program_.callees[instruction.callee];
    const corpus::CallAttributes &site = siteOf(instruction);
    const std::uint32_t bits =
        callee.signature.function.bits | site.function.bits;
    const auto operands = program_.operandsOf(instruction);
    Call made{callee.name, {}, false};
    for (std::size_t i = 0; i < operands.size(); ++i) {
      Set set = valueOf(state, operands[i]);
      const Type type = operands[i].type;
      const auto &declared = callee.signature.parameters[i].attributes;
      if (!restrict(declared, type, set) ||
          (!site.parameters.empty() &&
           (!restrict(site.parameters[i], type, set) ||
            !restrict(declared, type, set)))) {
        stop(trace, End::ub);
        return false;
      }
      made.arguments.push_back(std::move(set));
    }
    if ((bits & (attribute::memoryNone | attribute::memoryRead)) != 0 &&
        instruction.type.isVoid() &&
        std::all_of(std::begin(ways), std::end(ways),
                    [&](std::uint32_t way) { return (bits & way) != 0; })) {
      if ((bits & attribute::noreturn) == 0)
        return true;
      stop(trace, End::ub); // sure to return, and never does
      return false;
    }
    // Or this very function may not let it go elsewhere.
    made.isSure = true;
    for (const std::uint32_t way : ways)
      made.isSure = made.isSure && ((bits & way) != 0 || isOurs(way));
    const ResultKey key{trace.size(), callee.name};
    called_.emplace(trace.size(), made);
    const bool leaves = given_.leaving &&
                        given_.leaving->call.first == trace.size() &&
                        callRefines(given_.leaving->call.second, made);
    trace.push_back(std::move(made));
    if (leaves) {
      const std::uint32_t way = given_.leaving->way;
      stop(trace,
           (bits & way) != 0 ? End::breaks
           : isOurs(way)     ? End::ub
                             : End::exits,
           {}, way);
      return false;
    }
    for (const std::uint32_t way : ways)
      if ((bits & way) == 0 && !isOurs(way))
        leaves_.insert(trace);
    if ((bits & attribute::noreturn) != 0) {
      stop(trace, End::ub);
      return false;
    }
    if (!instruction.type.isVoid()) {
      Set result = given_.results.at(key);
      if (!restrict(callee.signature.result, instruction.type, result) ||
          !restrict(site.result, instruction.type, result) ||
          !restrict(callee.signature.result, instruction.type, result)) {
        stop(trace, End::ub);
        return false;
      }
      state.registers[index] = std::move(result);
    }
    if (trace.size() == maximumTrace) {
      stop(trace, End::cut);
      return false;
    }
    return true;
  }

  const Program &program_;
  const Semantics &semantics_;
  const Given &given_;
  bool complete_ = true;
  unsigned &steps_;
  std::vector<Set> arguments_;
  std::vector<Passed> passed_;
  Outcomes outcomes_;
  std::set<PlacedCall> called_;
  std::set<Trace> leaves_;
};

/// UB travels back over calls that surely return. A run that was cut after such
/// calls may still end in UB.
Trace beforeSureCalls(Trace trace) {
  while (!trace.empty() && trace.back().isSure)
    trace.pop_back();
  return trace;
}

enum class Cover : std::uint8_t { no, perhaps, yes };

Cover cover(const Outcome &target, const Outcome &source) {
  const bool sameTrace = target.trace.size() == source.trace.size() &&
                         startsWith(target.trace, source.trace);
  bool isCovered = false;
  switch (source.end) {
  case End::ub:
  case End::breaks:
    isCovered = startsWith(target.trace, beforeSureCalls(source.trace));
    break;
  case End::cut:
    return startsWith(target.trace, beforeSureCalls(source.trace))
               ? Cover::perhaps
               : Cover::no;
  case End::returns:
    isCovered = sameTrace && target.end == End::returns &&
                setRefines(target.returned, source.returned);
    break;
  case End::diverges:
  case End::exits:
    isCovered =
        sameTrace && target.end == source.end && target.way == source.way;
    break;
  }
  return isCovered ? Cover::yes : Cover::no;
}

Kind kindOf(const Outcome &target, const Walk &walk) {
  const auto isAlike = [&](const Trace &trace) {
    return trace.size() == target.trace.size() &&
           startsWith(target.trace, trace);
  };
  const auto someSource = [&](auto property) {
    return std::any_of(walk.outcomes().begin(), walk.outcomes().end(),
                       [&](const Outcome &source) {
                         return isAlike(source.trace) && property(source);
                       });
  };
  if (target.end == End::ub)
    return Kind::moreUb;
  const bool mayEndThere =
      someSource([](const Outcome &) { return true; }) ||
      std::any_of(walk.leaves().begin(), walk.leaves().end(), isAlike);
  if (target.end == End::exits || target.end == End::breaks ||
      target.end == End::cut || !mayEndThere)
    return Kind::calls;
  if (target.end == End::diverges)
    return Kind::diverges;
  if (!someSource([](const Outcome &s) { return s.end == End::returns; }))
    return Kind::returns;
  return isPoisonous(target.returned) ? Kind::morePoison
         : target.returned.size() > 1 ? Kind::moreUndef
                                      : Kind::value;
}

/// Notes what `input` shows, by the runs that a callee leaves or by all.
void consider(const Walk &sources, const Walk &targets, bool onlyLeft,
              const Input &input, OracleAnswer &answer) {
  for (const Outcome &target : targets.outcomes()) {
    if (onlyLeft && target.way == 0)
      continue;
    Cover best = Cover::no;
    for (const Outcome &source : sources.outcomes())
      best = std::max(best, cover(target, source));
    if (best == Cover::yes)
      continue;
    if (best == Cover::perhaps || target.end == End::cut)
      answer.exact = false;
    if (best == Cover::perhaps)
      continue;
    const Kind kind = kindOf(target, sources);
    if (!answer.kind || kind < *answer.kind) {
      answer.kind = kind;
      answer.smallest = input;
    }
  }
}

/// Places in a trace where a result may be needed, and its type.
std::map<ResultKey, Type> resultsOf(const Program &source,
                                    const Program &target) {
  std::size_t calls = 0;
  std::map<std::string, Type> callees;
  for (const Program *program : {&source, &target}) {
    std::size_t here = 0;
    for (const Instruction &instruction : program->instructions)
      if (instruction.opcode == Opcode::call) {
        ++here;
        if (!instruction.type.isVoid())
          callees.emplace(program->callees[instruction.callee].name,
                          instruction.type);
      }
    calls = std::max(calls, here);
  }
  std::map<ResultKey, Type> results;
  for (std::size_t position = 0; position < calls; ++position)
    for (const auto &[callee, type] : callees)
      results.emplace(ResultKey{position, callee}, type);
  return results;
}

} // namespace

OracleAnswer askOracle(const Program &source, const Program &target,
                       const Semantics &semantics) {
  const std::map<ResultKey, Type> results = resultsOf(source, target);
  std::vector<std::vector<InputChoice>> lists;
  double count = 1;
  const auto addInput = [&](Type type) {
    lists.push_back(*inputChoices(type, semantics));
    count *= static_cast<double>(lists.back().size());
  };
  for (const corpus::Parameter &parameter : source.signature.parameters)
    addInput(parameter.type);
  for (const auto &[key, type] : results)
    addInput(type);
  unsigned steps = 0;
  OracleAnswer answer;
  answer.complete = count <= maximumInputs;
  if (!answer.complete)
    return answer;
  std::vector<const std::vector<InputChoice> *> choices;
  choices.reserve(lists.size());
  for (const auto &list : lists)
    choices.push_back(&list);
  forEachInput(choices, [&](const Input &input) {
    Given given;
    std::size_t next = 0;
    const auto take = [&] {
      const ValueSet &set = input[next++];
      return Set(set.begin(), set.end());
    };
    while (next < source.signature.parameters.size())
      given.arguments.push_back(take());
    for (const auto &[key, type] : results)
      given.results.emplace(key, take());
    std::set<PlacedCall> called; ///< where all callees come back
    const auto look = [&] {
      const Walk sourceWalk(source, semantics, given, steps);
      const Walk targetWalk(target, semantics, given, steps);
      answer.complete = sourceWalk.complete() && targetWalk.complete();
      if (answer.complete)
        consider(sourceWalk, targetWalk, given.leaving.has_value(), input,
                 answer);
      if (!given.leaving)
        called = targetWalk.called();
      return answer.complete && answer.kind != Kind::moreUb;
    };
    bool goesOn = look();
    for (const PlacedCall &call : called)
      for (const std::uint32_t way : ways) {
        given.leaving = Leaving{call, way};
        goesOn = goesOn && look();
      }
    return goesOn;
  });
  // An earlier input may show it behind the cut.
  if (!answer.exact)
    answer.smallest.reset();
  // Nothing comes before it.
  answer.exact = answer.exact || answer.kind == Kind::moreUb;
  return answer;
}

} // namespace checker
