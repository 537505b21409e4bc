// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/check.h"

#include "checker/exact/reference.h"
#include "checker/exact/run.h"
#include "checker/intrinsics/expand.h"
#include "checker/memory/repeated_calls.h"
#include "checker/memory/undef_addresses.h"
#include "checker/memory/windows.h"
#include "checker/render.h"
#include "checker/sliced/bitsliced.h"
#include "checker/sliced/memory_sliced.h"
#include "checker/sliced/set_sliced.h"
#include "checker/sliced/trace_sliced.h"
#include "checker/symbolic/memory_smt.h"
#include "checker/symbolic/smt.h"

#include "corpus/program/graph.h"
#include "corpus/program/library.h"

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

/// What Verdict::choice says.
namespace choice {
constexpr std::string_view fewInputs = "few enough inputs to try them all";
constexpr std::string_view someInputs =
    "one of the inputs tried first shows it";
constexpr std::string_view manyInputs =
    "too many inputs, or ways to go, to try them all";
constexpr std::string_view hardForZ3 =
    "Z3 found no answer soon, and all inputs can be tried";
} // namespace choice

/// Lanes that are no integers, other than of a pointer.
bool isUntaken(Type type) {
  if (type.isInteger() || type.isPointer())
    return false;
  for (unsigned i = 0; i < type.lanes(); ++i)
    if (!type.lane(i).isInteger())
      return true;
  return false;
}

/// A type of an argument or of the result that no engine takes.
std::optional<Type> untakenType(const corpus::Signature &signature) {
  for (const corpus::Parameter &parameter : signature.parameters)
    if (isUntaken(parameter.type))
      return parameter.type;
  if (isUntaken(signature.returnType))
    return signature.returnType;
  return std::nullopt;
}

/// A type of several lanes, which only formulas take beside memory; of the pair
/// {iN, i1} as a parameter only.
std::optional<Type> lanesIn(const Program &program) {
  for (const corpus::Parameter &parameter : program.signature.parameters)
    if (!parameter.type.isScalar())
      return parameter.type;
  const auto isOther = [](Type type) {
    return !type.isVoid() && !type.isScalar() && !type.isOverflowPair();
  };
  for (const Instruction &instruction : program.instructions)
    if (isOther(instruction.type))
      return instruction.type;
  for (const Operand &operand : program.operands)
    if (isOther(operand.type))
      return operand.type;
  return std::nullopt;
}

/// A call that is in the trace and does not both read and write. One that
/// writes nothing may, as far as it returns, be made earlier, later, again or
/// not at all, and one that reads nothing, after itself, again: a trace does
/// not know that.
const Instruction *repeatableCallIn(const Program &program) {
  std::vector<std::uint32_t> callees; ///< of calls that only write
  for (const auto &[call, isInLoop] : corpus::callsIn(program)) {
    if (isWithoutEffect(functionAttributeBits(program, *call),
                        !call->type.isVoid()))
      continue;
    const std::uint64_t effects = effectsOfCall(program, *call);
    if ((effects & corpus::memory::writeOnly) == 0)
      return call;
    if ((effects & corpus::memory::readOnly) != 0)
      continue;
    if (isInLoop || std::find(callees.begin(), callees.end(), call->callee) !=
                        callees.end())
      return call;
    callees.push_back(call->callee);
  }
  return nullptr;
}

/// Whether the pointer is to a local on some way.
bool mayBeLocal(const Program &program, const Operand &pointer) {
  std::vector<Operand> left = {pointer};
  std::vector<bool> isSeen(program.instructions.size(), false);
  while (!left.empty()) {
    const Operand operand = left.back();
    left.pop_back();
    if (!operand.is(Operand::Kind::instruction) || isSeen[operand.payload])
      continue;
    isSeen[operand.payload] = true;
    const Instruction &instruction = program.instructions[operand.payload];
    if (instruction.opcode == Opcode::alloca_)
      return true;
    for (const Operand &each : program.operandsOf(instruction))
      if (each.type.isPointer())
        left.push_back(each);
  }
  return false;
}

/// A call that is sure to return and writes nothing but what it is given, a
/// local among it, yet is in the trace because it has a result or captures an
/// argument: where nobody looks at what it leaves behind it may be made later
/// or not at all.
const Instruction *writingCallIn(const Program &program) {
  namespace attribute = corpus::attribute;
  namespace effect = corpus::memory;
  for (const corpus::CallInProgram &call : corpus::callsIn(program)) {
    const Instruction &instruction = *call.instruction;
    constexpr std::uint32_t sure = attribute::willreturn | attribute::nounwind;
    const std::uint64_t effects = effectsOfCall(program, instruction);
    const auto writes = [&](auto location) {
      return (effect::at(effects, location) & effect::write) != 0;
    };
    if ((functionAttributeBits(program, instruction) & sure) != sure ||
        !writes(effect::argument) || writes(effect::other) ||
        writes(effect::inaccessible) || writes(effect::errnoVariable))
      continue;
    bool isTraced = !instruction.type.isVoid();
    bool hasLocal = false;
    const auto operands = program.operandsOf(instruction);
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (operands[i].type.isPointer()) {
        isTraced |= capturesOfCall(program, instruction, i) != 0;
        hasLocal |= mayBeLocal(program, operands[i]);
      }
    if (isTraced && hasLocal)
      return &instruction;
  }
  return nullptr;
}

/// One in a loop may be made again.
bool hasManyCalls(const Program &program) {
  const auto calls = corpus::callsIn(program);
  return calls.size() > 1 || (!calls.empty() && calls.front().isInLoop);
}

std::string describeInputs(const Program &program) {
  std::string types;
  for (const corpus::Parameter &parameter : program.signature.parameters)
    types += fmt::format("{}{}", types.empty() ? "" : ", ",
                         toString(parameter.type));
  return types;
}

unsigned widestArgument(const Program &program) {
  unsigned width = 0;
  for (const corpus::Parameter &parameter : program.signature.parameters)
    for (unsigned lane = 0; lane < parameter.type.lanes(); ++lane)
      if (parameter.type.lane(lane).isInteger())
        width = std::max(width, parameter.type.lane(lane).width());
  return width;
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

Verdict disagreement(const Verdict &a, const Verdict &b) {
  Verdict verdict;
  verdict.word = VerdictWord::undecided;
  verdict.engine = "both";
  verdict.reason = fmt::format(
      "the engines disagree, which is a bug of irsieve, please report it: {} "
      "says {}, {} says {}",
      a.engine, headline(a), b.engine, headline(b));
  return verdict;
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
  return disagreement(exact, symbolic);
}

/// What a wrong verdict becomes where it may come of what nobody here knows.
Verdict unsupportedBeside(const Verdict &wrong, std::string reason) {
  Verdict unknown;
  unknown.word = VerdictWord::unsupported;
  unknown.engine = wrong.engine;
  unknown.reason = std::move(reason);
  return unknown;
}

/// Where a trace says more than the program: a wrong verdict may come of that.
Verdict withoutGuess(const Program &source, const Program &target,
                     Verdict verdict) {
  if (verdict.word != VerdictWord::wrong)
    return verdict;
  const bool isAlone = !hasManyCalls(source) && !hasManyCalls(target);
  const bool isOnlyCall = isAlone && verdict.kind >= Kind::morePoison;
  for (const Program *program : {&source, &target})
    if (const Instruction *call = repeatableCallIn(*program);
        call != nullptr && !isOnlyCall && !(isAlone && call->type.isVoid()))
      return unsupportedBeside(
          verdict, fmt::format("a call of @{}, which may be repeated",
                               program->callees[call->callee].name));
  for (const Program *program : {&source, &target})
    if (const Instruction *call = writingCallIn(*program);
        call != nullptr && !isOnlyCall)
      return unsupportedBeside(
          verdict, fmt::format("a call of @{} that shows in memory alone",
                               program->callees[call->callee].name));
  return verdict;
}

/// LLVM knows what such a function does, and the checker does not: all that it
/// can tell is that a target is right whatever the function does.
Verdict withoutUnknown(const Program &source, const Program &target,
                       Verdict verdict) {
  if (verdict.word != VerdictWord::wrong)
    return verdict;
  for (const Program *program : {&source, &target})
    for (const Instruction &instruction : program->instructions) {
      if (instruction.opcode != Opcode::call)
        continue;
      const std::string_view name =
          corpus::unknownLibraryFunction(program->callees[instruction.callee]);
      if (!name.empty())
        return unsupportedBeside(verdict,
                                 fmt::format("the meaning of @{}", name));
    }
  return verdict;
}

void nameAsIn(const Program &program, const Rewritten &rewritten,
              Verdict &verdict, std::vector<NamedValue> Witness::*values) {
  if (verdict.witness)
    (*verdict.witness).*values =
        namedAsIn(program, rewritten, (*verdict.witness).*values);
}

/// What LLVM knows of the pointers that a callee is given.
void forgetPointers(Program &program, std::size_t callee) {
  constexpr std::uint32_t known =
      corpus::attribute::captures | corpus::attribute::readonly |
      corpus::attribute::readnone | corpus::attribute::writeonly;
  for (corpus::Parameter &parameter :
       program.callees[callee].signature.parameters)
    parameter.attributes.remove(known);
  for (Instruction &call : program.instructions) {
    if (call.opcode != Opcode::call || call.callee != callee ||
        call.attributes == Instruction::noAttributes)
      continue;
    corpus::CallAttributes site = program.callAttributes[call.attributes];
    for (corpus::Attributes &each : site.parameters)
      each.remove(known);
    call.attributes = static_cast<std::uint32_t>(program.callAttributes.size());
    program.callAttributes.push_back(std::move(site));
  }
}

/// With the functions that read and copy as ones that may do anything; nothing
/// if there are none. That they do not keep pointers which do not come back is
/// nothing that a target adds.
std::optional<Program> withUnknownReads(const Program &program) {
  std::optional<Program> result;
  for (std::size_t i = 0; i < program.callees.size(); ++i) {
    const auto *known = corpus::libraryFunctionOf(program.callees[i]);
    if (known == nullptr || !(known->reads() || known->writes()))
      continue;
    if (!result)
      result = program;
    result->callees[i].name += ".unknown";
    if (!result->callees[i].signature.returnType.isPointer())
      forgetPointers(*result, i);
  }
  return result;
}

} // namespace

struct Checker::State {
  explicit State(const Limits &l)
      : limits(l), quick(l.quick()), bitSliced(bitsliced::kernels().back()),
        memorySliced(bitsliced::kernels().back()),
        traceSliced(bitsliced::kernels().back()) {}

  const Limits limits;
  const Limits quick; ///< of a first try
  BitSliced bitSliced;
  SetSliced setSliced;
  MemorySliced memorySliced;
  TraceSliced traceSliced;
  std::vector<unsigned> paths; ///< scratch of argumentsWithOnePath

  std::uint32_t argumentsWithOnePath(const Program &program);
  std::uint32_t argumentsWithoutUndef(const Program &source,
                                      const Program &target,
                                      const Semantics &semantics);
  bool checkExhaustively(const Program &source, const Program &target,
                         const Semantics &semantics, bool wantWitness,
                         const Limits &limits, Verdict &verdict);
  bool trySamples(const Program &source, const Program &target,
                  const Semantics &semantics, bool wantWitness,
                  Verdict &verdict);
  bool checkByCost(const Program &source, const Program &target,
                   const Semantics &semantics, bool wantWitness,
                   Verdict &verdict);
  Verdict checkMemory(const Program &source, const Program &target,
                      const Semantics &semantics, bool wantWitness,
                      Engine engine);
  Verdict checkBy(Engine engine, const Program &source, const Program &target,
                  const Semantics &semantics, WantWitness wantWitness);
  std::optional<Verdict> checkMemoryByPlanes(const Program &source,
                                             const Program &target,
                                             const Semantics &semantics,
                                             bool wantWitness);
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

/// The engines of planes, and where they cannot say the reference. A verdict is
/// too large to be handed from call to call for each pair. False, and nothing
/// is said, where there is memory; to look for it first would cost all pairs.
bool Checker::State::checkExhaustively(const Program &source,
                                       const Program &target,
                                       const Semantics &semantics,
                                       bool wantWitness, const Limits &limits,
                                       Verdict &verdict) {
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
  };

  if (withoutUndef == all) {
    using Word = BitSliced::Result::Word;
    const BitSliced::Result result = bitSliced.check(
        source, target, semantics, wantWitness, limits.bitSlicedWork);
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
    if (result.word == Word::wrong && isFinal) {
      wrong(result.kind, result.smallest);
      return true;
    }
    if (result.word == Word::wrong)
      withoutUndef = 0;
  }

  if (touchesMemory(source) || touchesMemory(target))
    return false;
  using Word = SetSliced::Result::Word;
  if (!hasUndefInputs(semantics))
    withoutUndef = 0;
  else if (widestArgument(source) > limits.setWidth) {
    verdict.word = VerdictWord::undecided;
    verdict.reason = fmt::format("too many sets of values to try them all ({})",
                                 describeInputs(source));
    return true;
  }
  SetSliced::Result result =
      setSliced.check(source, target, semantics, withoutUndef, wantWitness,
                      limits.setSlicedTerms);
  const bool mayChange =
      withoutUndef != 0 && result.word == Word::wrong &&
      (result.kind == Kind::value || result.kind == Kind::moreUndef);
  if (mayChange)
    result = setSliced.check(source, target, semantics, 0, wantWitness,
                             limits.setSlicedTerms);
  switch (result.word) {
  case Word::refines:
    break;
  case Word::wrong:
    wrong(result.kind, result.smallest);
    break;
  case Word::cannot:
    verdict = checkByReference(source, target, semantics, wantWitness,
                               limits.referenceSteps, FullBytes::no,
                               [&](const auto &choices, const auto &slots) {
                                 return traceSliced.inputsLeft(
                                     source, target, semantics, choices, slots);
                               });
  }
  return true;
}

/// Whether an input shows that the pair is wrong, of any width.
bool Checker::State::trySamples(const Program &source, const Program &target,
                                const Semantics &semantics, bool wantWitness,
                                Verdict &verdict) {
  // Inputs that are no sets are inputs all the same.
  Semantics plain = semantics;
  if (hasUndefInputs(semantics))
    plain.inputs = Inputs::poison;
  using Word = BitSliced::Result::Word;
  const BitSliced::Result result =
      bitSliced.trySamples(source, target, plain, wantWitness);
  if (result.word == Word::refines)
    return false;
  if (result.word == Word::wrong) {
    verdict = {};
    verdict.word = VerdictWord::wrong;
    verdict.kind = result.kind;
    verdict.engine = "exhaustive";
    if (wantWitness)
      verdict.witness =
          witnessOfInput(source, target, semantics, *result.smallest);
    return true;
  }
  constexpr std::uint64_t maximumSteps = 400'000;
  auto found =
      trySamplesByReference(source, target, plain, wantWitness,
                            std::min(maximumSteps, limits.referenceSteps));
  if (found)
    verdict = std::move(*found);
  return found.has_value();
}

/// See check(); false as of checkExhaustively.
bool Checker::State::checkByCost(const Program &source, const Program &target,
                                 const Semantics &semantics, bool wantWitness,
                                 Verdict &verdict) {
  if (!checkExhaustively(source, target, semantics, wantWitness, quick,
                         verdict))
    return false;
  verdict.choice = choice::fewInputs;
  if (isDecided(verdict))
    return true;
  const auto symbolic = [&](const SmtLimits &smt, std::optional<Kind> before) {
    return checkSymbolic(source, target, semantics, wantWitness, smt, before);
  };
  if (trySamples(source, target, semantics, wantWitness, verdict)) {
    verdict.choice = choice::someInputs;
    if (verdict.kind == Kind::moreUb)
      return true;
    Verdict earlier = symbolic(quick.smt, verdict.kind);
    if (earlier.word == VerdictWord::wrong) {
      verdict = std::move(earlier);
      verdict.choice = choice::manyInputs;
    } else if (earlier.word != VerdictWord::refines ||
               !earlier.reason.empty()) {
      verdict.reason = "other inputs may show an earlier kind";
    }
    return true;
  }
  // Of two that do not decide the one that says more.
  const auto take = [&](Verdict other, std::string_view why) {
    const auto rank = [](const Verdict &v) {
      return v.word == VerdictWord::unsupported ? 0
             : v.word == VerdictWord::undecided ? 1
             : v.reason.empty()                 ? 3
                                                : 2;
    };
    // Of two that give up the later one, which tried harder.
    if (rank(other) > rank(verdict) ||
        (rank(other) == 1 && rank(verdict) == 1)) {
      verdict = std::move(other);
      verdict.choice = why;
    }
    return rank(verdict) == 3;
  };
  if (take(symbolic(quick.smt, {}), choice::manyInputs))
    return true;
  if (limits.isBeyond(quick)) {
    Verdict slow;
    checkExhaustively(source, target, semantics, wantWitness, limits, slow);
    if (isDecided(slow)) {
      verdict = std::move(slow);
      verdict.choice = choice::hardForZ3;
      return true;
    }
  }
  if (limits.smt.resources > quick.smt.resources &&
      verdict.word == VerdictWord::undecided)
    take(symbolic(limits.smt, {}), choice::manyInputs);
  return true;
}

/// Nothing where planes do not take it. The witness is that of the reference
/// interpreter, which tries inputs in an order of its own.
std::optional<Verdict> Checker::State::checkMemoryByPlanes(
    const Program &source, const Program &target, const Semantics &semantics,
    bool wantWitness) {
  using Word = MemorySliced::Result::Word;
  const MemorySliced::Result result =
      memorySliced.check(source, target, semantics, limits.fullBytes);
  if (result.word == Word::cannot)
    return std::nullopt;
  Verdict verdict;
  verdict.engine = "exhaustive";
  if (result.word == Word::refines)
    return verdict;
  verdict.word = VerdictWord::wrong;
  verdict.kind = result.kind;
  if (!wantWitness)
    return verdict;
  Verdict slow = checkByReference(source, target, semantics, true,
                                  limits.referenceSteps, limits.fullBytes);
  if (!isDecided(slow))
    return std::nullopt;
  if (slow.word != verdict.word || slow.kind != verdict.kind)
    return disagreement(slow, verdict);
  slow.engine = verdict.engine;
  return slow;
}

Verdict Checker::State::checkMemory(const Program &source,
                                    const Program &target,
                                    const Semantics &semantics,
                                    bool wantWitness, Engine engine) {
  const auto byReference = [&](std::uint64_t steps) {
    return checkByReference(source, target, semantics, wantWitness, steps,
                            limits.fullBytes);
  };
  const auto byFormulas = [&] {
    return checkMemorySymbolically(source, target, semantics, wantWitness,
                                   limits.smt);
  };
  if (engine == Engine::smt)
    return byFormulas();
  if (auto verdict =
          checkMemoryByPlanes(source, target, semantics, wantWitness))
    return engine == Engine::both ? combined(std::move(*verdict), byFormulas())
                                  : std::move(*verdict);
  for (const Program *program : {&source, &target})
    if (const auto type = lanesIn(*program)) {
      if (engine == Engine::automatic || engine == Engine::both)
        return byFormulas();
      Verdict verdict;
      verdict.word = VerdictWord::unsupported;
      verdict.reason =
          fmt::format("a value of type {} beside memory", toString(*type));
      return verdict;
    }
  if (engine == Engine::both)
    return combined(byReference(limits.referenceSteps), byFormulas());
  if (engine == Engine::exhaustive)
    return byReference(limits.referenceSteps);
  // What is small is decided input by input at once.
  constexpr std::uint64_t shareOfFirstTry = 8;
  Verdict first = byReference(limits.referenceSteps / shareOfFirstTry);
  if (isDecided(first))
    return first;
  Verdict second = byFormulas();
  if (isDecided(second))
    return second;
  return first.word == VerdictWord::undecided
             ? byReference(limits.referenceSteps)
             : second;
}

Limits Limits::quick() const {
  Limits quick = *this;
  quick.bitSlicedWork = std::min<double>(bitSlicedWork, 1 << 21);
  quick.setSlicedTerms =
      std::min<std::uint64_t>(setSlicedTerms, std::uint64_t(1) << 22);
  quick.referenceSteps = std::min<std::uint64_t>(referenceSteps, 300'000);
  quick.setWidth = std::min(setWidth, 5U);
  quick.smt.resources = std::min<std::uint32_t>(smt.resources, 1'000'000);
  return quick;
}

bool Limits::isBeyond(const Limits &other) const {
  return bitSlicedWork > other.bitSlicedWork ||
         setSlicedTerms > other.setSlicedTerms || setWidth > other.setWidth ||
         referenceSteps > other.referenceSteps;
}

Checker::Checker(const Limits &limits)
    : state_(std::make_unique<State>(limits)) {}
Checker::~Checker() = default;
Checker::Checker(Checker &&) noexcept = default;
Checker &Checker::operator=(Checker &&) noexcept = default;

Verdict Checker::check(const Program &source, const Program &target,
                       const Semantics &semantics, WantWitness wantWitness,
                       Engine engine) {
  const auto plainSource = withPoisonAddresses(source);
  const auto plainTarget = withPoisonAddresses(target);
  if (plainSource || plainTarget)
    return check(plainSource ? *plainSource : source,
                 plainTarget ? *plainTarget : target, semantics, wantWitness,
                 engine);
  Verdict verdict = withoutUnknown(
      source, target,
      checkAsUnknown(source, target, semantics, wantWitness, engine));
  if (verdict.word == VerdictWord::wrong ||
      (verdict.word == VerdictWord::refines && verdict.reason.empty()))
    return verdict;
  // What refines whatever they do needs no meaning of them, and no bound.
  const auto unknownSource = withUnknownReads(source);
  const auto unknownTarget = withUnknownReads(target);
  if (unknownSource || unknownTarget) {
    Verdict other = checkAsUnknown(unknownSource ? *unknownSource : source,
                                   unknownTarget ? *unknownTarget : target,
                                   semantics, wantWitness, engine);
    if (other.word == VerdictWord::refines)
      return other;
  }
  return verdict;
}

Verdict Checker::checkAsUnknown(const Program &source, const Program &target,
                                const Semantics &semantics,
                                WantWitness wantWitness, Engine engine) {
  if (intrinsics::callsTarget(source) || intrinsics::callsTarget(target)) {
    const auto plainSource = intrinsics::expanded(source, semantics);
    const auto plainTarget = intrinsics::expanded(target, semantics);
    Verdict verdict;
    if (!plainSource || !plainTarget) {
      verdict.word = VerdictWord::unsupported;
      verdict.reason =
          (plainSource ? plainTarget : plainSource).error().message;
      return verdict;
    }
    verdict = checkAsUnknown(plainSource->program, plainTarget->program,
                             semantics, wantWitness, engine);
    nameAsIn(source, *plainSource, verdict, &Witness::sourceValues);
    nameAsIn(target, *plainTarget, verdict, &Witness::targetValues);
    return verdict;
  }
  const auto singleSource = withoutRepeatedCalls(source, semantics);
  const auto singleTarget = withoutRepeatedCalls(target, semantics);
  if (singleSource || singleTarget) {
    Verdict verdict =
        checkAsUnknown(singleSource ? singleSource->program : source,
                       singleTarget ? singleTarget->program : target, semantics,
                       wantWitness, engine);
    if (singleSource)
      nameAsIn(source, *singleSource, verdict, &Witness::sourceValues);
    if (singleTarget)
      nameAsIn(target, *singleTarget, verdict, &Witness::targetValues);
    return verdict;
  }
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
  if (source.bigEndian != target.bigEndian && hasByteOrder(source) &&
      hasByteOrder(target)) {
    verdict.word = VerdictWord::unsupported;
    verdict.reason = "source and target have another byte order";
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
  return withoutGuess(
      source, target,
      state_->checkBy(engine, source, target, semantics, wantWitness));
}

Verdict Checker::State::checkBy(Engine engine, const Program &source,
                                const Program &target,
                                const Semantics &semantics,
                                WantWitness wantWitness) {
  const bool wanted = wantWitness == WantWitness::yes;
  const auto symbolic = [&] {
    return checkSymbolic(source, target, semantics, wanted, limits.smt);
  };
  const auto byReference = [&] {
    return checkByReference(source, target, semantics, wanted,
                            limits.referenceSteps, limits.fullBytes);
  };
  if (engine == Engine::reference)
    return byReference();
  Verdict verdict;
  if (engine == Engine::automatic &&
      checkByCost(source, target, semantics, wanted, verdict))
    return verdict;
  if (engine == Engine::automatic || touchesMemory(source) ||
      touchesMemory(target))
    return checkMemory(source, target, semantics, wanted, engine);
  if (engine == Engine::smt)
    return symbolic();
  checkExhaustively(source, target, semantics, wanted, limits, verdict);
  if (engine == Engine::both)
    return combined(std::move(verdict), symbolic());
  return verdict;
}

} // namespace checker
