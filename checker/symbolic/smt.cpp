// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/smt.h"

#include "checker/core/elaborate.h"
#include "checker/exact/reference.h"
#include "checker/symbolic/game.h"
#include "checker/symbolic/simulation.h"
#include "checker/symbolic/symbolic_run.h"
#include "corpus/program/print.h"

#include <fmt/format.h>

#include <bit>

namespace checker {

using corpus::Program;
using corpus::Type;
using z3::expr;

namespace {

using smt::Game;
using smt::SymbolicInputs;
using smt::SymbolicRun;
using smt::SymbolicSet;
using smt::Variables;

/// Sets with more elements are not handed to the reference interpreter.
constexpr int maximumUndefBits = 8;
constexpr unsigned maximumAnySetWidth = 2;
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
  std::optional<z3::model> findReturn(Kind kind);
  bool mayGoBeyond();
  std::optional<Input> inputIn(const z3::model &model) const;
  Witness witness(Kind kind, const z3::model &model);
  std::string textOf(const SymbolicSet &set, Type type,
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
  Variables answer = smt::matched(sourceRun_.forks(), targetRun_.forks()) +
                     smt::matched(sourceRun_.ubPicks(), targetRun_.ubPicks()) +
                     smt::matched(trace_.sourcePicks(), trace_.targetPicks());
  if (trace_.targetPicks().empty() || sourceRun_.forks().empty())
    return game_.play(
        {given + trace_.targetPicks(), sourceRun_.forks() + sourcePicks}, claim,
        terms + trace_.targetPicks(), {answer});
  // What arguments differ in depends on the source's fork.
  return game_.play(
      {given, sourceRun_.forks(), trace_.targetPicks(), sourcePicks}, claim,
      terms, {smt::matched(sourceRun_.forks(), targetRun_.forks())});
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
  const auto sourceIsNumber =
      source ? smt::negate(source->element.poison) : context_.bool_val(true);
  Variables sourcePicks;
  if (source)
    sourcePicks = source->choices;
  const Variables given = inputs_.variables() + targetRun_.forks();
  const Variables &targetPicks = target->choices;
  const Variables terms =
      targetPicks + targetRun_.forks() + Variables{target->element.bits};
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
      smt::matched(sourcePicks, {target->element.bits}) + others};
  const auto condition = [&](const expr &isWrong) {
    return smt::both(comesToEnd, smt::either(lacksEnd, isWrong));
  };
  const auto play = [&](const Variables &chosen, const Variables &later,
                        const expr &formula) {
    if (sourceRun_.forks().empty() || later.empty())
      return game_.play({chosen + later, moves + sourceRun_.forks()}, formula,
                        terms, answers);
    return game_.play({chosen, sourceRun_.forks(), later, moves}, formula,
                      targetRun_.forks(),
                      {smt::matched(sourceRun_.forks(), targetRun_.forks())});
  };
  if (kind == Kind::morePoison) {
    if (target->element.poison.is_false())
      return std::nullopt;
    return play(given + targetPicks, argumentPicks,
                smt::both(target->element.poison, condition(sourceIsNumber)));
  }
  // Now an element of the target can be poison only where one of every set
  // that the source may return is.
  if (!source)
    return std::nullopt;
  Variables chosen = given;
  expr formula = condition(
      smt::both(sourceIsNumber, target->element.bits != source->element.bits));
  if (kind == Kind::moreUndef) {
    if (targetPicks.empty())
      return std::nullopt;
    const SymbolicSet one = *targetRun_.returned();
    const SymbolicSet other = *targetRun_.returned();
    formula = formula && one.element.bits != other.element.bits;
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
  for (std::size_t i = 0; i < source_.signature.parameters.size(); ++i) {
    auto set =
        setOf(inputs_.concrete(i, model), source_.signature.parameters[i].type);
    if (!set)
      return std::nullopt;
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
  for (std::size_t i = 0; i < source_.signature.parameters.size(); ++i)
    add(corpus::argumentName(i), source_.signature.parameters[i].type, i);
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

std::string Comparison::textOf(const SymbolicSet &set, Type type,
                               const z3::model &model) const {
  if (model.eval(set.element.poison, true).is_true())
    return set.choices.empty() ? "poison" : "poison, one of several picks";
  const expr bits = set.element.bits;
  Element element = Element::number(
      model.eval(bits.extract(type.width() - 1, 0), true).get_numeral_uint64());
  if (type.isOverflowPair())
    element.overflow =
        model.eval(bits.extract(type.width(), type.width()), true)
            .get_numeral_uint64() != 0;
  return format({element}, type) +
         (set.choices.empty() ? "" : ", one of several picks");
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
      values.push_back({name, toString(type), textOf(value->set, type, model)});
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
        const smt::SymbolicRow &row = call.arguments[i];
        for (std::size_t lane = 0; lane < row.lanes.size(); ++lane)
          arguments += (arguments.empty() ? "" : ", ") +
                       textOf(SymbolicSet{row.lanes[lane], row.choices},
                              Type::integer(core::laneWidth(
                                  type, static_cast<unsigned>(lane))),
                              model);
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
    if (!parameter.type.isInteger())
      return fmt::format("a value of type {}", toString(parameter.type));
    if (isAnySet && parameter.type.width() > maximumAnySetWidth)
      return fmt::format("inputs=any-set for {}, it takes i1 and i2",
                         toString(parameter.type));
    options.free += core::slotsOf(parameter.type);
  }
  if (program.blocks.size() * program.instructions.size() > maximumSize)
    return fmt::format("{} blocks with {} instructions in the symbolic engine",
                       program.blocks.size(), program.instructions.size());
  bool hasTrace = false;
  core::Elaborator elaborator;
  if (!elaborator.elaborate(program, semantics, smt::takesOfSymbolicRun(),
                            options, function))
    return elaborator.lack().kind == core::Lack::Kind::type
               ? elaborator.lack().describe()
               : elaborator.lack().describe() + " in the symbolic engine";
  constexpr std::uint32_t memory =
      corpus::attribute::memoryNone | corpus::attribute::memoryRead;
  constexpr std::uint32_t sure =
      corpus::attribute::willreturn | corpus::attribute::nounwind;
  for (const core::Call &call : function.calls) {
    const bool isTraced = (call.functionAttributes & memory) == 0;
    hasTrace = hasTrace || isTraced;
    if (!isTraced &&
        (call.result.exists() || (call.functionAttributes & sure) != sure))
      return fmt::format("call of @{}, which is memory(none) or memory(read)",
                         call.callee->name);
  }
  if (hasTrace && program.signature.function.has(memory))
    return "a function that is memory(none) or memory(read) and calls";
  return std::nullopt;
}

} // namespace

Verdict checkSymbolic(const Program &source, const Program &target,
                      const Semantics &semantics, bool wantWitness,
                      const SmtLimits &limits, std::optional<Kind> before) {
  Verdict verdict;
  verdict.engine = "smt";
  core::Function sourceFunction;
  core::Function targetFunction;
  auto lack = elaborate(source, semantics, limits, sourceFunction);
  if (!lack)
    lack = elaborate(target, semantics, limits, targetFunction);
  if (lack) {
    verdict.word = VerdictWord::unsupported;
    verdict.reason = std::move(*lack);
    return verdict;
  }
  const std::uint32_t features =
      sourceFunction.features | targetFunction.features;
  if ((features & core::feature::loops) != 0 &&
      (features & core::feature::sets) == 0 &&
      smt::isSimulation(source, target, semantics, limits))
    return verdict;
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

} // namespace checker
