// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/smt.h"

#include "checker/core/elaborate.h"
#include "checker/exact/reference.h"
#include "checker/symbolic/game.h"
#include "checker/symbolic/guess.h"
#include "checker/symbolic/simulation.h"
#include "checker/symbolic/symbolic_run.h"
#include "corpus/program/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace checker {

using corpus::Program;
using corpus::Type;
using z3::expr;

namespace {

using smt::Game;
using smt::SymbolicInputs;
using smt::SymbolicRow;
using smt::SymbolicRun;
using smt::Variables;

/// Sets with more elements are not handed to the reference interpreter.
constexpr int maximumUndefBits = 8;
constexpr unsigned maximumAnySetWidth = 2;
/// Of a loop, where all that the limits give are too many.
constexpr std::array fewRounds = {2U, 1U};
/// Each may stand at each place of a trace.
constexpr long mostCallsOfRounds = 32;
constexpr long mostCallsOfOneRound = 160; ///< or nothing is known of the loop
/// Instructions times blocks: a copy of a block may merge each value.
constexpr std::size_t maximumSize = std::size_t(1) << 18;

Variables operator+(Variables a, const Variables &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

class Comparison {
public:
  Comparison(const Program &source, const core::Function &sourceFunction,
             const Program &target, const core::Function &targetFunction,
             const Semantics &semantics, const SmtLimits &limits)
      : source_(source), target_(target), semantics_(semantics),
        limits_(limits), fresh_(context_),
        inputs_(source.signature, semantics, fresh_),
        sourceRun_(sourceFunction, source, inputs_, fresh_),
        targetRun_(targetFunction, target, inputs_, fresh_),
        sourceTrace_(sourceRun_.trace()), targetTrace_(targetRun_.trace()),
        trace_(sourceTrace_, targetTrace_, fresh_),
        game_(context_, limits.resources) {}

  Verdict check(bool wantWitness, std::optional<Kind> before);

private:
  std::optional<z3::model> find(Kind kind);
  expr some(const std::vector<expr> &claims, Variables &given);
  expr isAnotherRow(const SymbolicRow &one, const SymbolicRow &other);
  std::optional<z3::model> findReturn(Kind kind);
  bool mayGoBeyond();
  std::optional<Input> inputIn(const z3::model &model) const;
  Witness witness(Kind kind, const z3::model &model);
  std::string textOf(const SymbolicRow &row, Type type,
                     const z3::model &model) const;
  std::vector<NamedValue> valuesIn(const Program &program,
                                   const SymbolicRun &run,
                                   const z3::model &model) const;
  std::string outcomeIn(const Program &program, SymbolicRun &run,
                        const smt::Trace &trace, const z3::model &model) const;

  const Program &source_;
  const Program &target_;
  const Semantics &semantics_;
  const SmtLimits &limits_;
  z3::context context_;
  smt::FreshVariables fresh_;
  SymbolicInputs inputs_;
  SymbolicRun sourceRun_;
  SymbolicRun targetRun_;
  smt::Trace sourceTrace_;
  smt::Trace targetTrace_;
  smt::TraceComparison trace_;
  Game game_;
};

/// Of claims of which one must hold whatever the source's forks are.
expr Comparison::some(const std::vector<expr> &claims, Variables &given) {
  std::vector<expr> left;
  for (const expr &claim : claims)
    if (!claim.is_false())
      left.push_back(claim);
  expr result = context_.bool_val(false);
  if (left.size() < 2 || sourceRun_.forks().empty()) {
    for (const expr &claim : left)
      result = smt::either(result, claim);
    return result;
  }
  const auto width = static_cast<unsigned>(std::bit_width(left.size()));
  given.push_back(fresh_.bits(width));
  for (std::size_t i = 0; i < left.size(); ++i)
    result =
        result ||
        (given.back() == context_.bv_val(std::uint64_t(i), width) && left[i]);
  return result;
}

/// An input and target forks that show the kind, when no kind before it shows.
std::optional<z3::model> Comparison::find(Kind kind) {
  const Variables sourcePicks = sourceRun_.ubPicks() + trace_.sourcePicks();
  Variables terms = targetRun_.forks();
  std::vector<expr> claims;
  switch (kind) {
  case Kind::moreUb:
    claims = trace_.moreUb();
    terms = terms + targetRun_.ubPicks();
    break;
  case Kind::calls:
    claims = trace_.calls();
    break;
  case Kind::returns:
    claims = trace_.returns();
    break;
  case Kind::diverges: // no run here goes on forever
    return std::nullopt;
  default:
    return findReturn(kind);
  }
  Variables given = inputs_.variables() + terms;
  const expr claim = some(claims, given);
  if (claim.is_false())
    return std::nullopt;
  const Variables answer =
      smt::matched(sourceRun_.forks(), targetRun_.forks()) +
      smt::matched(sourceRun_.ubPicks(), targetRun_.ubPicks()) +
      smt::matched(trace_.sourcePicks(), trace_.targetPicks());
  if (trace_.targetPicks().empty() || sourceRun_.forks().empty()) {
    const Variables moves = sourceRun_.forks() + sourcePicks;
    smt::Guess guess(moves, inputs_.variables());
    guess.unify(sourceRun_.ub(), targetRun_.ub());
    return game_.play({given + trace_.targetPicks(), moves}, claim,
                      terms + trace_.targetPicks(),
                      {answer, guess.answer(answer),
                       smt::alike(moves, terms + trace_.targetPicks())});
  }
  // What arguments differ in depends on the source's fork.
  return game_.play(
      {given, sourceRun_.forks(), trace_.targetPicks(), sourcePicks}, claim,
      terms, {smt::matched(sourceRun_.forks(), targetRun_.forks())});
}

/// Poison lanes are equal whatever their bits; a single one is no poison here.
expr Comparison::isAnotherRow(const SymbolicRow &one,
                              const SymbolicRow &other) {
  expr result = context_.bool_val(false);
  for (std::size_t lane = 0; lane < one.lanes.size(); ++lane) {
    const smt::Term &a = one.lanes[lane];
    const smt::Term &b = other.lanes[lane];
    const expr differs = a.bits != b.bits;
    result = smt::either(
        result,
        one.lanes.size() == 1
            ? differs
            : smt::both(smt::negate(smt::both(a.poison, b.poison)),
                        smt::either(smt::either(a.poison, b.poison), differs)));
  }
  return result;
}

std::optional<z3::model> Comparison::findReturn(Kind kind) {
  const auto target = targetRun_.returned();
  if (!target)
    return std::nullopt;
  // The target is not in UB: that would be `more-ub`. Without forks of the
  // source its trace is the target's, or that would be `calls`.
  const bool sourceForks = !sourceRun_.forks().empty();
  const expr comesToEnd = trace_.comesToEnd(!sourceForks);
  const expr lacksEnd =
      sourceForks ? trace_.lacksEnd() : context_.bool_val(false);
  const auto source = sourceRun_.returned();
  Variables sourcePicks;
  if (source)
    sourcePicks = source->choices;
  const Variables given = inputs_.variables() + targetRun_.forks();
  const Variables &targetPicks = target->choices;
  Variables returned;
  for (const smt::Term &lane : target->lanes)
    returned.push_back(lane.bits);
  const Variables terms = targetPicks + targetRun_.forks() + returned;
  // What the source may do, and guesses that copy the target.
  const Variables tracePicks = sourceForks ? trace_.sourcePicks() : Variables();
  const Variables argumentPicks =
      sourceForks ? trace_.targetPicks() : Variables();
  const Variables moves = sourcePicks + sourceRun_.ubPicks() + tracePicks;
  const Variables others = smt::matched(sourceRun_.ubPicks(), targetPicks) +
                           smt::matched(tracePicks, argumentPicks) +
                           smt::matched(sourceRun_.forks(), targetRun_.forks());
  const std::vector<Variables> answers = {
      smt::matched(sourcePicks, targetPicks) + others,
      smt::matched(sourcePicks, returned) + others};
  const auto condition = [&](const expr &isWrong) {
    return smt::both(comesToEnd, smt::either(lacksEnd, isWrong));
  };
  const auto play = [&](const Variables &chosen, const Variables &later,
                        const expr &formula) {
    if (sourceRun_.forks().empty() || later.empty()) {
      const Variables all = moves + sourceRun_.forks();
      std::vector<Variables> guesses = answers;
      smt::Guess guess(all, inputs_.variables());
      for (std::size_t i = 0; source && i < source->lanes.size(); ++i) {
        guess.unify(source->lanes[i].bits, target->lanes[i].bits);
        guess.unify(source->lanes[i].poison, target->lanes[i].poison);
      }
      guess.unify(sourceRun_.ub(), targetRun_.ub());
      guesses.push_back(guess.answer(answers.front()));
      guesses.push_back(smt::alike(all, targetPicks + targetRun_.forks()));
      return game_.play({chosen + later, all}, formula, terms, guesses);
    }
    return game_.play({chosen, sourceRun_.forks(), later, moves}, formula,
                      targetRun_.forks(),
                      {smt::matched(sourceRun_.forks(), targetRun_.forks())});
  };
  const std::size_t lanes = target->lanes.size();
  const auto sourceIsNumber = [&](std::size_t lane) {
    return source ? smt::negate(source->lanes[lane].poison)
                  : context_.bool_val(true);
  };
  expr isWrong = context_.bool_val(false);
  if (kind == Kind::morePoison) {
    for (std::size_t lane = 0; lane < lanes; ++lane)
      isWrong = smt::either(
          isWrong, smt::both(target->lanes[lane].poison,
                             smt::either(lacksEnd, sourceIsNumber(lane))));
    if (isWrong.is_false())
      return std::nullopt;
    return play(given + targetPicks, argumentPicks,
                smt::both(comesToEnd, isWrong));
  }
  // Now an element of the target can be poison only where one of every set
  // that the source may return is.
  if (!source)
    return std::nullopt;
  Variables chosen = given;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    expr differs = target->lanes[lane].bits != source->lanes[lane].bits;
    // Of several lanes, one that another source outcome has as poison.
    if (lanes > 1)
      differs = smt::either(target->lanes[lane].poison, differs);
    isWrong = smt::either(isWrong, smt::both(sourceIsNumber(lane), differs));
  }
  expr formula = condition(isWrong);
  if (kind == Kind::moreUndef) {
    if (targetPicks.empty())
      return std::nullopt;
    const SymbolicRow one = *targetRun_.returned();
    const SymbolicRow other = *targetRun_.returned();
    formula = formula && isAnotherRow(one, other);
    chosen = chosen + one.choices + other.choices;
  }
  // Which pick of the target no pick of the source covers depends on the
  // source's fork.
  return play(chosen, targetPicks + argumentPicks, formula);
}

/// Or cannot be ruled out.
bool Comparison::mayGoBeyond() {
  const expr beyond = smt::either(sourceRun_.beyond(), targetRun_.beyond());
  try {
    return game_
        .play({inputs_.variables() + sourceRun_.forks() + targetRun_.forks(),
               sourceRun_.ubPicks()},
              beyond && !trace_.ubFromStart())
        .has_value();
  } catch (const smt::OutOfResources &) {
    return true;
  }
}

Verdict Comparison::check(bool wantWitness, std::optional<Kind> before) {
  Verdict verdict;
  verdict.engine = "smt";
  for (const SymbolicRun *run : {&sourceRun_, &targetRun_})
    if (!run->lack().empty()) {
      verdict.word = VerdictWord::undecided;
      verdict.reason = run->lack();
      return verdict;
    }
  try {
    for (Kind kind : {Kind::moreUb, Kind::calls, Kind::returns,
                      Kind::morePoison, Kind::moreUndef, Kind::value}) {
      if (before && kind >= *before)
        break;
      if (const auto model = find(kind)) {
        verdict.word = VerdictWord::wrong;
        verdict.kind = kind;
        if (wantWitness)
          verdict.witness = witness(kind, *model);
        if (mayGoBeyond())
          verdict.reason =
              fmt::format("no earlier kind up to bound {}", limits_.unroll);
        return verdict;
      }
    }
    if (mayGoBeyond())
      verdict.reason = fmt::format("up to bound {}", limits_.unroll);
  } catch (const smt::OutOfResources &limit) {
    verdict.word = VerdictWord::undecided;
    verdict.reason = limit.what();
  }
  return verdict;
}

/// Nothing for sets too large to write down.
std::optional<ValueSet> setOf(const SymbolicInputs::Concrete &concrete,
                              Type type) {
  if (concrete.poison)
    return ValueSet{Element::poisonOf(type)};
  ValueSet set;
  if (concrete.members != 0) {
    for (std::uint64_t n = 0; n <= type.mask(); ++n)
      if ((concrete.members >> n & 1) != 0)
        set.push_back(Element::number(n));
    return set;
  }
  const std::uint64_t unknown = concrete.undef;
  if (std::popcount(unknown) > maximumUndefBits)
    return std::nullopt;
  for (std::uint64_t fill = 0;; fill = (fill - unknown) & unknown) {
    set.push_back(Element::number((concrete.bits & ~unknown) | fill));
    if (fill == unknown)
      return set;
  }
}

std::string textOfInput(const SymbolicInputs::Concrete &concrete, Type type) {
  if (const auto set = setOf(concrete, type))
    return format(*set, type);
  return concrete.undef == type.mask()
             ? "undef"
             : fmt::format("{}, undef in the bits {:#x}",
                           format({Element::number(concrete.bits)}, type),
                           concrete.undef);
}

std::optional<Input> Comparison::inputIn(const z3::model &model) const {
  Input input;
  std::size_t index = 0;
  for (const corpus::Parameter &parameter : source_.signature.parameters) {
    std::optional<ValueSet> set;
    for (unsigned i = 0; i < parameter.type.lanes(); ++i) {
      auto lane =
          setOf(inputs_.concrete(index++, model), parameter.type.lane(i));
      if (!lane || (set && set->size() * lane->size() >
                               std::size_t(1) << maximumUndefBits))
        return std::nullopt;
      set = set ? withLane(*set, *lane) : *lane;
    }
    input.push_back(std::move(*set));
  }
  return input;
}

/// From the reference interpreter where that can follow the input, else what
/// the model says.
Witness Comparison::witness(Kind kind, const z3::model &model) {
  const bool hasCalls =
      !sourceTrace_.calls.empty() || !targetTrace_.calls.empty();
  if (const auto input = inputIn(model); input && !hasCalls)
    if (kindOfInput(source_, target_, semantics_, *input) == kind)
      return witnessOfInput(source_, target_, semantics_, *input);
  Witness witness;
  const auto add = [&](std::string name, Type type, std::size_t index) {
    witness.inputs.push_back(
        {std::move(name), toString(type),
         textOfInput(inputs_.concrete(index, model), type)});
  };
  std::size_t index = 0;
  for (std::size_t i = 0; i < source_.signature.parameters.size(); ++i) {
    const Type type = source_.signature.parameters[i].type;
    for (unsigned lane = 0; lane < type.lanes(); ++lane)
      add(corpus::argumentName(i) +
              (type.isScalar() ? "" : fmt::format(", lane {}", lane)),
          type.lane(lane), index++);
  }
  for (const auto &[result, index] : inputs_.results())
    add(fmt::format("@{} as call {}{}", result.callee, result.position + 1,
                    result.lane == 0 ? ""
                                     : fmt::format(", lane {}", result.lane)),
        Type::integer(result.width), index);
  witness.sourceValues = valuesIn(source_, sourceRun_, model);
  witness.targetValues = valuesIn(target_, targetRun_, model);
  witness.sourceOutcome = outcomeIn(source_, sourceRun_, sourceTrace_, model);
  witness.targetOutcome = outcomeIn(target_, targetRun_, targetTrace_, model);
  if (kind == Kind::moreUb)
    witness.targetOutcome = "UB";
  return witness;
}

std::string Comparison::textOf(const SymbolicRow &row, Type type,
                               const z3::model &model) const {
  std::vector<Lane> lanes;
  for (unsigned i = 0; i < type.lanes(); ++i) {
    const smt::Term &lane = row.lanes[i];
    if (model.eval(lane.poison, true).is_true())
      lanes.push_back({0, type.lane(i).mask()});
    else
      lanes.push_back({model.eval(lane.bits, true).get_numeral_uint64(), 0});
  }
  return format({Element::ofLanes(lanes)}, type) +
         (row.choices.empty() ? "" : ", one of several picks");
}

std::vector<NamedValue> Comparison::valuesIn(const Program &program,
                                             const SymbolicRun &run,
                                             const z3::model &model) const {
  std::vector<NamedValue> values;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const Type type = program.instructions[i].type;
    if (type.isVoid())
      continue;
    const std::string name = corpus::resultName(i);
    const auto &value = run.value(i);
    if (value && model.eval(value->computed, true).is_true())
      values.push_back({name, toString(type), textOf(value->row, type, model)});
  }
  return values;
}

std::string Comparison::outcomeIn(const Program &program, SymbolicRun &run,
                                  const smt::Trace &trace,
                                  const z3::model &model) const {
  std::string text;
  for (std::size_t p = 0; p + 1 < trace.end.size(); ++p)
    for (const smt::TracedCall &call : trace.calls) {
      if (p >= call.at.size() || !model.eval(call.at[p], true).is_true())
        continue;
      std::string arguments;
      for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const Type type = call.call->callee->signature.parameters[i].type;
        arguments += (arguments.empty() ? "" : ", ") +
                     textOf(call.arguments[i], type, model);
      }
      text +=
          fmt::format("calls @{}({}), ", call.call->callee->name, arguments);
    }
  const auto returned = run.returned();
  if (!returned)
    return text + "returns";
  return fmt::format("{}returns {}", text,
                     textOf(*returned, program.signature.returnType, model));
}

/// What no formula here expresses, or nothing: then `function` is set.
std::optional<std::string> elaborate(const Program &program,
                                     const Semantics &semantics,
                                     const SmtLimits &limits,
                                     core::Function &function) {
  core::Options options;
  options.setInputs = true;
  options.unroll = limits.unroll;
  options.wantDefinitions = true;
  const bool isAnySet = semantics.undef == UndefRule::perUse &&
                        semantics.inputs == Inputs::anySet;
  for (const corpus::Parameter &parameter : program.signature.parameters) {
    if (core::lanesOf(parameter.type) == 0)
      return fmt::format("a value of type {}", toString(parameter.type));
    if (isAnySet && (!parameter.type.isInteger() ||
                     parameter.type.width() > maximumAnySetWidth))
      return fmt::format("inputs=any-set for {}, it takes i1 and i2",
                         toString(parameter.type));
    options.free += core::slotsOf(parameter.type);
  }
  if (program.blocks.size() * program.instructions.size() > maximumSize)
    return fmt::format("{} blocks with {} instructions in the symbolic engine",
                       program.blocks.size(), program.instructions.size());
  core::Elaborator elaborator;
  if (!elaborator.elaborate(program, semantics, smt::takesOfSymbolicRun(),
                            options, function))
    return elaborator.lack().kind == core::Lack::Kind::type
               ? elaborator.lack().describe()
               : elaborator.lack().describe() + " in the symbolic engine";
  const bool isSeen = std::any_of(
      function.calls.begin(), function.calls.end(), [](const core::Call &call) {
        return (call.functionAttributes & smt::untraced) == 0;
      });
  if (isSeen && program.signature.function.has(smt::untraced))
    return "a function that is memory(none) or memory(read) and calls";
  return std::nullopt;
}

/// Follows loops for `limits.unroll` rounds; without loops it looks at all.
Verdict checkRounds(const Program &source, const core::Function &sourceFunction,
                    const Program &target, const core::Function &targetFunction,
                    const Semantics &semantics, bool wantWitness,
                    const SmtLimits &limits, std::optional<Kind> before) {
  Verdict verdict;
  verdict.engine = "smt";
  for (const core::Function *function : {&sourceFunction, &targetFunction})
    if ((function->features & core::feature::loops) != 0 &&
        std::count_if(function->calls.begin(), function->calls.end(),
                      smt::isTraced) >
            (limits.unroll == 1 ? mostCallsOfOneRound : mostCallsOfRounds)) {
      verdict.word = VerdictWord::undecided;
      verdict.reason =
          fmt::format("too many calls in {} rounds", limits.unroll);
      return verdict;
    }
  try {
    return Comparison(source, sourceFunction, target, targetFunction, semantics,
                      limits)
        .check(wantWitness, before);
  } catch (const z3::exception &failure) { // memory, for one
    verdict.word = VerdictWord::undecided;
    verdict.reason = fmt::format("Z3: {}", failure.msg());
    return verdict;
  }
}

} // namespace

Verdict checkSymbolic(const Program &source, const Program &target,
                      const Semantics &semantics, bool wantWitness,
                      const SmtLimits &limits, std::optional<Kind> before) {
  bool hasLoops = false;
  const auto follow = [&](unsigned rounds, bool isFirst) {
    Verdict verdict;
    verdict.engine = "smt";
    SmtLimits here = limits;
    here.unroll = rounds;
    core::Function sourceFunction;
    core::Function targetFunction;
    auto lack = elaborate(source, semantics, here, sourceFunction);
    if (!lack)
      lack = elaborate(target, semantics, here, targetFunction);
    if (lack) {
      verdict.word = VerdictWord::unsupported;
      verdict.reason = std::move(*lack);
      return verdict;
    }
    const std::uint32_t features =
        sourceFunction.features | targetFunction.features;
    hasLoops = (features & core::feature::loops) != 0;
    if (isFirst && hasLoops && (features & core::feature::sets) == 0 &&
        smt::isSimulation(source, target, semantics, here))
      return verdict;
    return checkRounds(source, sourceFunction, target, targetFunction,
                       semantics, wantWitness, here, before);
  };
  Verdict verdict = follow(limits.unroll, true);
  // Better the first rounds than none.
  for (const unsigned rounds : fewRounds)
    if (hasLoops && verdict.word == VerdictWord::undecided &&
        rounds < limits.unroll) {
      Verdict first = follow(rounds, false);
      if (first.word != VerdictWord::undecided)
        verdict = std::move(first);
    }
  return verdict;
}

} // namespace checker
