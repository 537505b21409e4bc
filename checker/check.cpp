// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/check.h"

#include "checker/bitsliced.h"
#include "checker/reference.h"

#include <fmt/format.h>

#include <algorithm>

namespace checker {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;

namespace {

bool sameTypes(const corpus::Signature &a, const corpus::Signature &b) {
  return a.returnType == b.returnType &&
         std::equal(
             a.parameters.begin(), a.parameters.end(), b.parameters.begin(),
             b.parameters.end(),
             [](const auto &p, const auto &q) { return p.type == q.type; });
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

} // namespace

struct Checker::State {
  BitSliced bitSliced;
  std::vector<unsigned> paths; ///< scratch of someArgumentHasTwoPaths

  bool someArgumentHasTwoPaths(const Program &program);
  bool undefInputsMatter(const Program &source, const Program &target,
                         const Semantics &semantics);
  std::optional<Verdict> checkBitSliced(const Program &source,
                                        const Program &target,
                                        const Semantics &semantics,
                                        bool wantWitness);
};

/// Two picks of one argument can meet in what the program returns or does.
bool Checker::State::someArgumentHasTwoPaths(const Program &program) {
  // Paths from each instruction to an effect, capped at 2; every instruction
  // with an effect of its own (UB, return) ends a path.
  const std::size_t count = program.instructions.size();
  paths.assign(count + program.signature.parameters.size(), 0);
  for (std::size_t i = count; i-- > 0;) {
    const Instruction &instruction = program.instructions[i];
    const bool hasEffect = instruction.opcode == Opcode::ret ||
                           instruction.opcode == Opcode::assume ||
                           instruction.opcode == Opcode::udiv ||
                           instruction.opcode == Opcode::sdiv ||
                           instruction.opcode == Opcode::urem ||
                           instruction.opcode == Opcode::srem ||
                           instruction.opcode == Opcode::select ||
                           instruction.attributes != Instruction::noAttributes;
    if (hasEffect)
      paths[i] = std::max(paths[i], 1U);
    for (const Operand &operand : program.operandsOf(instruction)) {
      if (operand.is(Operand::Kind::instruction))
        paths[operand.payload] += paths[i];
      else if (operand.is(Operand::Kind::argument) &&
               (paths[count + operand.payload] += paths[i]) > 1)
        return true;
    }
    if (paths[i] > 1)
      paths[i] = 2;
  }
  return false;
}

bool Checker::State::undefInputsMatter(const Program &source,
                                       const Program &target,
                                       const Semantics &semantics) {
  const auto hasAttributes = [](const Program &program) {
    return !program.signature.result.empty() ||
           std::any_of(program.signature.parameters.begin(),
                       program.signature.parameters.end(),
                       [](const auto &p) { return !p.attributes.empty(); }) ||
           !program.callAttributes.empty();
  };
  return canFork(source, semantics) || canFork(target, semantics) ||
         hasAttributes(source) || hasAttributes(target) ||
         someArgumentHasTwoPaths(target);
}

std::optional<Verdict>
Checker::State::checkBitSliced(const Program &source, const Program &target,
                               const Semantics &semantics, bool wantWitness) {
  using Word = BitSliced::Result::Word;
  const bool withUndef = semantics.undef == UndefRule::perUse &&
                         (semantics.inputs == Inputs::poisonUndef ||
                          semantics.inputs == Inputs::anySet);
  const bool exact =
      !withUndef || !undefInputsMatter(source, target, semantics);
  if (!exact)
    return std::nullopt;
  BitSliced::Result result =
      bitSliced.check(source, target, semantics, wantWitness);
  Verdict verdict;
  verdict.engine = "exhaustive";
  switch (result.word) {
  case Word::needsSets:
    return std::nullopt;
  case Word::tooMany:
    verdict.word = VerdictWord::undecided;
    verdict.reason = "too many inputs to try them all; narrow the integers or "
                     "take away arguments";
    return verdict;
  case Word::refines:
    return verdict;
  case Word::wrong:
    break;
  }
  // Without sets the kind `more-undef` does not come up, where it might.
  if (withUndef && result.kind == Kind::value)
    return std::nullopt;
  verdict.word = VerdictWord::wrong;
  verdict.kind = result.kind;
  if (wantWitness)
    verdict.witness =
        witnessOfInput(source, target, semantics, *result.smallest);
  return verdict;
}

Checker::Checker() : state_(std::make_unique<State>()) {}
Checker::~Checker() = default;
Checker::Checker(Checker &&) noexcept = default;
Checker &Checker::operator=(Checker &&) noexcept = default;

Verdict Checker::check(const Program &source, const Program &target,
                       const Semantics &semantics, WantWitness wantWitness,
                       Engine engine) {
  if (!sameTypes(source.signature, target.signature)) {
    Verdict verdict;
    verdict.word = VerdictWord::unsupported;
    verdict.reason = "source and target take or return different types";
    return verdict;
  }
  const bool wanted = wantWitness == WantWitness::yes;
  if (engine != Engine::reference)
    if (auto verdict =
            state_->checkBitSliced(source, target, semantics, wanted))
      return *verdict;
  return checkByReference(source, target, semantics, wanted);
}

} // namespace checker
