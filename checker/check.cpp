// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/check.h"

#include "checker/exact/reference.h"
#include "checker/render.h"
#include "checker/sliced/bitsliced.h"
#include "checker/sliced/set_sliced.h"
#include "checker/symbolic/smt.h"

#include <fmt/format.h>

#include <algorithm>

namespace checker {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

namespace {

bool sameTypes(const corpus::Signature &a, const corpus::Signature &b) {
  return a.returnType == b.returnType &&
         std::equal(
             a.parameters.begin(), a.parameters.end(), b.parameters.begin(),
             b.parameters.end(),
             [](const auto &p, const auto &q) { return p.type == q.type; });
}

/// A type of an argument or of the result that no engine takes.
std::optional<Type> untakenType(const corpus::Signature &signature) {
  const auto isTaken = [](Type type) {
    return type.isVoid() || type.isInteger() || type.isOverflowPair();
  };
  for (const corpus::Parameter &parameter : signature.parameters)
    if (!isTaken(parameter.type))
      return parameter.type;
  return isTaken(signature.returnType) ? std::nullopt
                                       : std::optional(signature.returnType);
}

std::string describeInputs(const Program &program) {
  std::string types;
  for (const corpus::Parameter &parameter : program.signature.parameters)
    types += fmt::format("{}{}", types.empty() ? "" : ", ",
                         toString(parameter.type));
  return types;
}

bool canFork(const Program &program, const Semantics &semantics) {
  return std::any_of(program.instructions.begin(), program.instructions.end(),
                     [&](const Instruction &instruction) {
                       return instruction.opcode == Opcode::freeze ||
                              (instruction.opcode == Opcode::select &&
                               semantics.selectCondition ==
                                   SelectCondition::nondeterministic);
                     });
}

bool hasAttributes(const Program &program) {
  return !program.signature.result.empty() || !program.callAttributes.empty() ||
         std::any_of(program.signature.parameters.begin(),
                     program.signature.parameters.end(),
                     [](const auto &p) { return !p.attributes.empty(); });
}

bool hasUndefInputs(const Semantics &semantics) {
  return semantics.undef == UndefRule::perUse &&
         (semantics.inputs == Inputs::poisonUndef ||
          semantics.inputs == Inputs::anySet);
}

bool isDecided(const Verdict &verdict) {
  return verdict.word == VerdictWord::refines ||
         verdict.word == VerdictWord::wrong;
}

/// Of two engines that must agree. A symbolic verdict up to a bound knows
/// nothing of longer runs: those may be wrong, or show an earlier kind.
Verdict combined(Verdict exact, Verdict symbolic) {
  if (!isDecided(symbolic))
    return exact;
  if (!isDecided(exact))
    return symbolic;
  const bool isBounded = !symbolic.reason.empty();
  const bool agree = symbolic.word == exact.word
                         ? isBounded || exact.word == VerdictWord::refines ||
                               symbolic.kind == exact.kind
                         : isBounded && symbolic.word == VerdictWord::refines;
  if (agree) {
    exact.engine = "both";
    return exact;
  }
  Verdict verdict;
  verdict.word = VerdictWord::undecided;
  verdict.engine = "both";
  verdict.reason = fmt::format(
      "the engines disagree, which is a bug of irsieve, please report it: {} "
      "says {}, smt says {}",
      exact.engine, headline(exact), headline(symbolic));
  return verdict;
}

} // namespace

struct Checker::State {
  explicit State(const Limits &l)
      : limits(l), bitSliced(bitsliced::kernels().back(), l.bitSlicedSteps),
        setSliced(l.setSlicedTerms) {}

  const Limits limits;
  BitSliced bitSliced;
  SetSliced setSliced;
  std::vector<unsigned> paths; ///< scratch of argumentsWithOnePath

  std::uint32_t argumentsWithOnePath(const Program &program);
  std::uint32_t argumentsWithoutUndef(const Program &source,
                                      const Program &target,
                                      const Semantics &semantics);
  bool checkExhaustively(const Program &source, const Program &target,
                         const Semantics &semantics, bool wantWitness,
                         Verdict &verdict);
};

/// The arguments, one bit each, of which no two picks can meet in what the
/// program returns or does.
std::uint32_t Checker::State::argumentsWithOnePath(const Program &program) {
  // Paths from each instruction to an effect; two are as good as more.
  const std::size_t count = program.instructions.size();
  const std::size_t arguments = program.signature.parameters.size();
  paths.assign(count + arguments, 0);
  for (std::size_t i = count; i-- > 0;) {
    const Instruction &instruction = program.instructions[i];
    if (mayBeSeen(instruction))
      paths[i] = std::max(paths[i], 1U);
    paths[i] = std::min(paths[i], 2U);
    for (const Operand &operand : program.operandsOf(instruction)) {
      if (operand.is(Operand::Kind::instruction))
        paths[operand.payload] += paths[i];
      else if (operand.is(Operand::Kind::argument))
        paths[count + operand.payload] += paths[i];
    }
  }
  std::uint32_t mask = 0;
  for (std::size_t i = 0; i < arguments && i < 32; ++i)
    if (paths[count + i] <= 1)
      mask |= std::uint32_t(1) << i;
  return mask;
}

/// Exact pruning (SEMANTICS section 1): these arguments need no undef.
std::uint32_t Checker::State::argumentsWithoutUndef(
    const Program &source, const Program &target, const Semantics &semantics) {
  if (!hasUndefInputs(semantics))
    return ~std::uint32_t(0);
  const bool branches = source.blocks.size() != 1 || target.blocks.size() != 1;
  if (branches || canFork(source, semantics) || canFork(target, semantics) ||
      hasAttributes(source) || hasAttributes(target))
    return 0;
  return argumentsWithOnePath(target);
}

/// False, and `verdict` untouched but for the engine, when it cannot say.
/// A verdict is too large to be handed from call to call for each pair.
bool Checker::State::checkExhaustively(const Program &source,
                                       const Program &target,
                                       const Semantics &semantics,
                                       bool wantWitness, Verdict &verdict) {
  const std::size_t arguments = source.signature.parameters.size();
  const std::uint32_t all =
      arguments < 32 ? (std::uint32_t(1) << arguments) - 1 : ~std::uint32_t(0);
  std::uint32_t withoutUndef =
      argumentsWithoutUndef(source, target, semantics) & all;
  verdict.engine = "exhaustive";
  const auto wrong = [&](Kind kind, const std::optional<Input> &smallest) {
    verdict.word = VerdictWord::wrong;
    verdict.kind = kind;
    if (wantWitness)
      verdict.witness = witnessOfInput(source, target, semantics, *smallest);
    return true;
  };

  if (withoutUndef == all) {
    using Word = BitSliced::Result::Word;
    const BitSliced::Result result =
        bitSliced.check(source, target, semantics, wantWitness);
    if (result.word == Word::refines)
      return true;
    if (result.word == Word::tooMany) {
      verdict.word = VerdictWord::undecided;
      verdict.reason =
          fmt::format("too many inputs to try them all ({}); narrow the "
                      "integers or take away arguments",
                      describeInputs(source));
      return true;
    }
    // Where an argument is a set, `value` may become `more-undef`.
    const bool isFinal =
        !hasUndefInputs(semantics) || result.kind != Kind::value;
    if (result.word == Word::wrong && isFinal)
      return wrong(result.kind, result.smallest);
    if (result.word == Word::wrong)
      withoutUndef = 0;
  }

  using Word = SetSliced::Result::Word;
  if (!hasUndefInputs(semantics))
    withoutUndef = 0;
  SetSliced::Result result =
      setSliced.check(source, target, semantics, withoutUndef, wantWitness);
  const bool mayChange =
      withoutUndef != 0 && result.word == Word::wrong &&
      (result.kind == Kind::value || result.kind == Kind::moreUndef);
  if (mayChange)
    result = setSliced.check(source, target, semantics, 0, wantWitness);
  switch (result.word) {
  case Word::refines:
    return true;
  case Word::wrong:
    return wrong(result.kind, result.smallest);
  case Word::cannot:
    return false;
  }
  return false;
}

Checker::Checker(const Limits &limits)
    : state_(std::make_unique<State>(limits)) {}
Checker::~Checker() = default;
Checker::Checker(Checker &&) noexcept = default;
Checker &Checker::operator=(Checker &&) noexcept = default;

Verdict Checker::check(const Program &source, const Program &target,
                       const Semantics &semantics, WantWitness wantWitness,
                       Engine engine) {
  Verdict verdict;
  if (!sameTypes(source.signature, target.signature)) {
    verdict.word = VerdictWord::unsupported;
    verdict.reason = "source and target take or return different types";
    return verdict;
  }
  // Of results and literals the engines themselves say it.
  if (const auto type = untakenType(source.signature)) {
    verdict.word = VerdictWord::unsupported;
    verdict.reason = fmt::format("a value of type {}", toString(*type));
    return verdict;
  }
  const Limits &limits = state_->limits;
  const std::size_t size =
      source.instructions.size() + target.instructions.size();
  if (size > limits.instructions) {
    verdict.word = VerdictWord::undecided;
    verdict.reason =
        fmt::format("{} instructions are too many, reduce them to {}", size,
                    limits.instructions);
    return verdict;
  }
  const bool wanted = wantWitness == WantWitness::yes;
  const auto symbolic = [&] {
    return checkSymbolic(source, target, semantics, wanted, limits.smt);
  };
  const auto byReference = [&] {
    return checkByReference(source, target, semantics, wanted,
                            limits.referenceSteps);
  };
  if (engine == Engine::reference)
    return byReference();
  if (engine == Engine::smt)
    return symbolic();
  if (!state_->checkExhaustively(source, target, semantics, wanted, verdict))
    verdict = byReference();
  if (engine == Engine::both)
    return combined(std::move(verdict), symbolic());
  if (engine == Engine::automatic && verdict.word == VerdictWord::undecided)
    if (Verdict other = symbolic(); other.word != VerdictWord::unsupported)
      return other;
  return verdict;
}

} // namespace checker
