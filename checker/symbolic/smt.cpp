// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/smt.h"

#include "checker/core/elaborate.h"
#include "checker/exact/reference.h"
#include "checker/symbolic/game.h"
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
        game_(context_, limits.resources) {}

  Verdict check(bool wantWitness, std::optional<Kind> before);

private:
  std::optional<z3::model> find(Kind kind);
  std::optional<z3::model> findReturn(Kind kind);
  bool mayGoBeyond();
  std::optional<Input> inputIn(const z3::model &model) const;
  Witness witness(Kind kind, const z3::model &model);
  std::string textOfInput(std::size_t index, const z3::model &model) const;
  std::string textOf(const SymbolicSet &set, Type type,
                     const z3::model &model) const;
  std::vector<NamedValue> valuesIn(const Program &program,
                                   const SymbolicRun &run,
                                   const z3::model &model) const;
  std::string outcomeIn(const Program &program, SymbolicRun &run,
                        const z3::model &model) const;

  const Program &source_;
  const Program &target_;
  const Semantics &semantics_;
  const SmtLimits &limits_;
  z3::context context_;
  smt::FreshVariables fresh_;
  SymbolicInputs inputs_;
  SymbolicRun sourceRun_;
  SymbolicRun targetRun_;
  Game game_;
};

/// An input and target forks that show the kind, when no kind before it shows.
std::optional<z3::model> Comparison::find(Kind kind) {
  if (kind != Kind::moreUb)
    return findReturn(kind);
  if (targetRun_.ub().is_false())
    return std::nullopt;
  const expr notCovered = !sourceRun_.ub() && !sourceRun_.beyond();
  const Variables terms = targetRun_.forks() + targetRun_.ubPicks();
  return game_.play(
      {inputs_.variables() + terms, sourceRun_.forks() + sourceRun_.ubPicks()},
      targetRun_.ub() && notCovered, terms,
      {smt::matched(sourceRun_.forks(), targetRun_.forks()) +
       smt::matched(sourceRun_.ubPicks(), targetRun_.ubPicks())});
}

std::optional<z3::model> Comparison::findReturn(Kind kind) {
  const auto target = targetRun_.returned();
  if (!target)
    return std::nullopt;
  // The target is not in UB: that would be `more-ub`.
  expr condition =
      !targetRun_.beyond() && !sourceRun_.ub() && !sourceRun_.beyond();
  const auto source = sourceRun_.returned();
  Variables sourcePicks;
  if (source) {
    condition = condition && !source->element.poison;
    sourcePicks = source->choices;
  }
  const Variables given = inputs_.variables() + targetRun_.forks();
  const Variables &targetPicks = target->choices;
  const Variables terms =
      targetPicks + targetRun_.forks() + Variables{target->element.bits};
  // What the source may do, and guesses that copy the target.
  const Variables moves =
      sourcePicks + sourceRun_.forks() + sourceRun_.ubPicks();
  const Variables others =
      smt::matched(sourceRun_.forks(), targetRun_.forks()) +
      smt::matched(sourceRun_.ubPicks(), targetPicks);
  const std::vector<Variables> answers = {
      smt::matched(sourcePicks, targetPicks) + others,
      smt::matched(sourcePicks, {target->element.bits}) + others};
  if (kind == Kind::morePoison) {
    if (target->element.poison.is_false())
      return std::nullopt;
    return game_.play({given + targetPicks, moves},
                      condition && target->element.poison, terms, answers);
  }
  // Now an element of the target can be poison only where one of every set
  // that the source may return is.
  if (!source)
    return std::nullopt;
  Variables chosen = given;
  if (kind == Kind::moreUndef) {
    if (targetPicks.empty())
      return std::nullopt;
    const SymbolicSet one = *targetRun_.returned();
    const SymbolicSet other = *targetRun_.returned();
    condition = condition && one.element.bits != other.element.bits;
    chosen = chosen + one.choices + other.choices;
  }
  condition = condition && target->element.bits != source->element.bits;
  if (sourceRun_.forks().empty() || targetPicks.empty())
    return game_.play({chosen + targetPicks, moves}, condition, terms, answers);
  // Which pick of the target no pick of the source covers depends on the
  // source's fork.
  return game_.play({chosen, sourceRun_.forks(), targetPicks,
                     sourcePicks + sourceRun_.ubPicks()},
                    condition, targetRun_.forks(),
                    {smt::matched(sourceRun_.forks(), targetRun_.forks())});
}

/// Or cannot be ruled out.
bool Comparison::mayGoBeyond() {
  const expr beyond = smt::either(sourceRun_.beyond(), targetRun_.beyond());
  try {
    return game_
        .play({inputs_.variables() + sourceRun_.forks() + targetRun_.forks(),
               sourceRun_.ubPicks()},
              beyond && !sourceRun_.ub())
        .has_value();
  } catch (const smt::OutOfResources &) {
    return true;
  }
}

Verdict Comparison::check(bool wantWitness, std::optional<Kind> before) {
  Verdict verdict;
  verdict.engine = "smt";
  if (!sourceRun_.complete() || !targetRun_.complete()) {
    verdict.word = VerdictWord::undecided;
    verdict.reason = "too many uses of undef values";
    return verdict;
  }
  try {
    for (Kind kind :
         {Kind::moreUb, Kind::morePoison, Kind::moreUndef, Kind::value}) {
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

std::optional<Input> Comparison::inputIn(const z3::model &model) const {
  Input input;
  for (std::size_t i = 0; i < source_.signature.parameters.size(); ++i) {
    const SymbolicInputs::Concrete concrete = inputs_.concrete(i, model);
    const Type type = source_.signature.parameters[i].type;
    ValueSet set;
    if (concrete.poison) {
      set.push_back(Element::poisonOf(type));
    } else if (concrete.members != 0) {
      for (std::uint64_t n = 0; n <= type.mask(); ++n)
        if ((concrete.members >> n & 1) != 0)
          set.push_back(Element::number(n));
    } else {
      const std::uint64_t unknown = concrete.undef;
      if (std::popcount(unknown) > maximumUndefBits)
        return std::nullopt;
      for (std::uint64_t fill = 0;; fill = (fill - unknown) & unknown) {
        set.push_back(Element::number((concrete.bits & ~unknown) | fill));
        if (fill == unknown)
          break;
      }
    }
    input.push_back(std::move(set));
  }
  return input;
}

/// From the reference interpreter where that can follow the input, else what
/// the model says.
Witness Comparison::witness(Kind kind, const z3::model &model) {
  if (const auto input = inputIn(model))
    if (kindOfInput(source_, target_, semantics_, *input) == kind)
      return witnessOfInput(source_, target_, semantics_, *input);
  Witness witness;
  for (std::size_t i = 0; i < source_.signature.parameters.size(); ++i)
    witness.inputs.push_back({corpus::argumentName(i),
                              toString(source_.signature.parameters[i].type),
                              textOfInput(i, model)});
  witness.sourceValues = valuesIn(source_, sourceRun_, model);
  witness.targetValues = valuesIn(target_, targetRun_, model);
  witness.sourceOutcome = outcomeIn(source_, sourceRun_, model);
  witness.targetOutcome =
      kind == Kind::moreUb ? "UB" : outcomeIn(target_, targetRun_, model);
  return witness;
}

std::string Comparison::textOfInput(std::size_t index,
                                    const z3::model &model) const {
  const Type type = source_.signature.parameters[index].type;
  if (const auto input = inputIn(model))
    return format((*input)[index], type);
  const SymbolicInputs::Concrete concrete = inputs_.concrete(index, model);
  if (concrete.poison)
    return "poison";
  const std::string number = format({Element::number(concrete.bits)}, type);
  return concrete.undef == type.mask() ? "undef"
         : concrete.undef == 0         ? number
                               : fmt::format("{}, undef in the bits {:#x}",
                                             number, concrete.undef);
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
                                  const z3::model &model) const {
  const auto returned = run.returned();
  if (!returned)
    return "returns";
  return fmt::format("returns {}",
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
  core::Elaborator elaborator;
  if (!elaborator.elaborate(program, semantics, smt::takesOfSymbolicRun(),
                            options, function))
    return elaborator.lack().kind == core::Lack::Kind::type
               ? elaborator.lack().describe()
               : elaborator.lack().describe() + " in the symbolic engine";
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
