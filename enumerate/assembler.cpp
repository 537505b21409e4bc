// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/assembler.h"

#include "corpus/program/canonical.h"
#include "corpus/program/print.h"
#include "enumerate/subsets.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <fmt/format.h>

namespace enumerate {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;
using Kind = Decision::Kind;

namespace {

/// Extracts of the overflow call at `call`, as TemplateGroup::extracts says;
/// those directly behind it count.
std::uint8_t extractsOf(const Program &program, std::size_t call) {
  std::uint8_t extracts = 0;
  for (std::size_t i = call + 1; i < program.instructions.size(); ++i) {
    const auto operands = program.operandsOf(program.instructions[i]);
    if (program.instructions[i].opcode != Opcode::extractvalue ||
        operands[0].payload != call)
      break;
    extracts |= static_cast<std::uint8_t>(1U << operands[1].payload);
  }
  return extracts;
}

Opcode opcodeOf(Exit::Kind kind) {
  switch (kind) {
  case Exit::Kind::ret:
    return Opcode::ret;
  case Exit::Kind::jump:
  case Exit::Kind::branch:
    return Opcode::br;
  case Exit::Kind::switch_:
    return Opcode::switch_;
  case Exit::Kind::unreachable:
    break;
  }
  return Opcode::unreachable;
}

Type maskTypeOf(const Template &made) {
  return Type::vector(static_cast<unsigned>(made.mask.size()),
                      Type::integer(32));
}

/// An alloca of so many bytes, as one integer where there is one of that size.
Instruction makeAllocation(unsigned bytes, std::uint32_t leastAlignment) {
  Instruction made;
  made.opcode = Opcode::alloca_;
  made.type = Type::pointer();
  const bool isInteger = std::has_single_bit(bytes);
  made.accessedType = Type::integer(isInteger ? 8 * bytes : 8);
  made.alignment = std::max(isInteger ? bytes : 1, leastAlignment);
  return made;
}
Operand allocationCount(unsigned bytes) {
  return Operand::constant(Type::integer(64),
                           std::has_single_bit(bytes) ? 1 : bytes);
}

bool isMask(const Template &made, const Operand &mask, const Program &program) {
  if (mask.is(Operand::Kind::pooled))
    return program.constants[mask.payload].lanes == made.mask;
  return mask.is(Operand::Kind::poison) &&
         std::all_of(made.mask.begin(), made.mask.end(),
                     [](const Operand &lane) {
                       return lane.is(Operand::Kind::poison);
                     });
}

} // namespace

Assembler::Assembler(const Grammar &grammar)
    : grammar_(grammar), cfg_(&grammar.cfgs().front()) {
  constexpr std::size_t usualInstructions = 8;
  program_.blocks.push_back({0, 0});
  program_.signature.parameters.reserve(4);
  program_.instructions.reserve(usualInstructions);
  program_.operands.reserve(2 * usualInstructions);
  values_.reserve(usualInstructions);
  slots_.reserve(2 * usualInstructions);
}

void Assembler::apply(const Decision &decision, std::uint64_t choice) {
  assert(choice < decision.choices);
  switch (decision.kind) {
  case Kind::cfg:
    cfg_ = &grammar_.cfgs()[decision.index];
    // Each `ret` decides it; where there is none it is iW.
    program_.signature.returnType = grammar_.arithmeticType();
    return;
  case Kind::frame:
    return appendFrame(grammar_.frames(decision.index)[choice]);
  case Kind::instruction: {
    const TemplateGroup &group = grammar_.groups()[decision.index];
    appendInstruction(group, group.templates[choice]);
    return;
  }
  case Kind::terminator:
    return appendTerminator(decision);
  case Kind::cases: {
    const ConstantSet &constants = grammar_.constants(decision.type);
    // The switch is the last instruction of all: value, default, case, ....
    const auto operands = program_.operandsOf(program_.instructions.back());
    for (unsigned i = decision.index; i > 0; --i) {
      const std::uint64_t position = largestOfSubset(i, choice);
      choice -= *subsets(position, i);
      operands[2UL * i] =
          Operand::constant(decision.type, constants.at(position));
    }
    return;
  }
  case Kind::newArgument:
    program_.signature.parameters.push_back({decision.type, {}});
    if (decision.type.isPointer())
      program_.signature.parameters.back().attributes =
          grammar_.pointerAttributes()[choice];
    break;
  case Kind::constant:
  case Kind::sameConstant:
  case Kind::otherConstant:
  case Kind::undef:
  case Kind::poison:
  case Kind::argument:
  case Kind::value:
  case Kind::allocation:
    break;
  }
  const std::optional<std::uint64_t> constant = constantOf(decision, choice);
  fill(constant
           ? grammar_.constants(decision.type).operandAt(*constant, program_)
           : operandFor(decision));
}

Program Assembler::take() {
  if (!program_.constants.empty())
    corpus::renumberConstants(program_);
  return std::move(program_);
}

void Assembler::undo(const Decision &decision, std::uint64_t choice) {
  switch (decision.kind) {
  case Kind::cfg:
  case Kind::cases:
    return;
  case Kind::frame:
    program_.instructions.clear();
    program_.operands.clear();
    program_.blocks.back().end = 0;
    return;
  case Kind::instruction:
    return removeInstruction(
        grammar_.groups()[decision.index],
        grammar_.groups()[decision.index].templates[choice]);
  case Kind::terminator:
    return removeTerminator(decision);
  case Kind::newArgument:
    program_.signature.parameters.pop_back();
    break;
  case Kind::constant:
  case Kind::sameConstant:
  case Kind::otherConstant:
  case Kind::undef:
  case Kind::poison:
  case Kind::argument:
  case Kind::value:
  case Kind::allocation:
    break;
  }
  --filled_;
}

/// Position in the constants of the type; nothing for other operands.
std::optional<std::uint64_t> Assembler::constantOf(const Decision &decision,
                                                   std::uint64_t choice) const {
  switch (decision.kind) {
  case Kind::constant:
    return choice;
  case Kind::sameConstant:
    return constantBefore(decision.type);
  case Kind::otherConstant:
    return choice + (choice >= constantBefore(decision.type) ? 1 : 0);
  default:
    return std::nullopt;
  }
}

Operand Assembler::operandFor(const Decision &decision) const {
  switch (decision.kind) {
  case Kind::undef:
    return Operand::undef(decision.type);
  case Kind::poison:
    return Operand::poison(decision.type);
  case Kind::argument:
  case Kind::newArgument:
    return Operand::argument(decision.type, decision.index);
  case Kind::value:
    return values_[decision.index];
  case Kind::allocation:
    return Operand::instruction(decision.type, decision.index);
  default:
    break;
  }
  assert(false && "not an operand");
  return {};
}

std::uint64_t Assembler::constantBefore(Type type) const {
  const Operand &before = program_.operands[slot(filled_ - 1).operand];
  const auto position = grammar_.constants(type).find(before, program_);
  assert(position);
  return *position;
}

void Assembler::fill(const Operand &operand) {
  const Slot &next = slot(filled_++);
  for (std::uint32_t i = 0; i < next.edges; ++i)
    program_.operands[next.operand + 2 * i] = operand;
  if (next.places != nullptr)
    for (const std::uint32_t place : *next.places)
      program_.operands[firstOperandOf(next) + place] = operand;
}

void Assembler::appendFrame(const std::vector<unsigned> &bytes) {
  for (const unsigned each : bytes)
    program_.append(makeAllocation(each, grammar_.leastAlignment()),
                    {{allocationCount(each)}});
}

void Assembler::appendInstruction(const TemplateGroup &group,
                                  const Template &made) {
  if (made.idiom)
    return appendIdiom(made);
  if (group.isRecurrence)
    return appendRecurrence(made);
  const auto index = static_cast<std::uint32_t>(program_.instructions.size());
  Instruction instruction;
  instruction.opcode = made.opcode;
  instruction.flags = made.flags;
  instruction.predicate = made.predicate;
  instruction.type = made.type;
  instruction.alignment = made.alignment;
  instruction.firstOperand =
      static_cast<std::uint32_t>(program_.operands.size());
  if (group.callee)
    instruction.callee = calleeIndex(*group.callee);
  for (std::uint32_t i = 0; i < group.operands.size(); ++i) {
    slots_.push_back({instruction.firstOperand + i, index});
    program_.operands.emplace_back();
  }
  program_.operands.insert(program_.operands.end(), made.immediates.begin(),
                           made.immediates.end());
  if (!made.mask.empty())
    program_.operands.push_back(program_.literal(maskTypeOf(made), made.mask));
  if (group.isPhi)
    appendIncoming(index);
  instruction.operandCount =
      static_cast<std::uint32_t>(program_.operands.size()) -
      instruction.firstOperand;
  program_.instructions.push_back(instruction);
  program_.blocks.back().end = index + 1;

  const Operand result = Operand::instruction(made.type, index);
  if (group.extracts == 0) {
    if (!made.type.isVoid())
      values_.push_back(result);
    return;
  }
  std::size_t next = 0;
  for (std::uint64_t i : {0, 1})
    if ((group.extracts & 1U << i) != 0)
      values_.push_back(
          program_.append(Opcode::extractvalue, group.results[next++],
                          {result, Operand::constant(Type::integer(32), i)}));
}

/// The operands of the phi that instruction `index` will be.
void Assembler::appendIncoming(std::uint32_t index) {
  for (const Cfg::Incoming &from : cfg_->incoming[program_.blocks.size() - 1]) {
    phiSlots_.push_back({static_cast<std::uint32_t>(program_.operands.size()),
                         index, from.edges});
    for (unsigned i = 0; i < from.edges; ++i) {
      program_.operands.emplace_back();
      program_.operands.push_back(Operand::block(from.block));
    }
  }
}

void Assembler::appendRecurrence(const Template &made) {
  const auto index = static_cast<std::uint32_t>(program_.instructions.size());
  Instruction phi;
  phi.opcode = Opcode::phi;
  phi.type = made.type;
  phi.firstOperand = static_cast<std::uint32_t>(program_.operands.size());
  appendIncoming(index);
  phi.operandCount =
      static_cast<std::uint32_t>(program_.operands.size()) - phi.firstOperand;
  program_.instructions.push_back(phi);
  values_.push_back(Operand::instruction(made.type, index));

  const auto operand = static_cast<std::uint32_t>(program_.operands.size());
  slots_.push_back({operand + (made.phiIsSecond ? 0 : 1), index + 1});
  const Operand value = values_.back();
  const Operand open;
  values_.push_back(program_.append(
      made.opcode, made.type,
      {made.phiIsSecond ? open : value, made.phiIsSecond ? value : open},
      made.flags));
}

void Assembler::appendIdiom(const Template &made) {
  const Program &idiom = *made.idiom;
  const auto index = static_cast<std::uint32_t>(program_.instructions.size());
  const auto operand = static_cast<std::uint32_t>(program_.operands.size());
  for (Instruction instruction : idiom.instructions) {
    instruction.firstOperand += operand;
    program_.instructions.push_back(instruction);
  }
  for (Operand each : idiom.operands) {
    if (each.is(Operand::Kind::instruction))
      each.payload += index;
    if (each.is(Operand::Kind::pooled))
      each = program_.literal(each.type, idiom.constants[each.payload].lanes);
    program_.operands.push_back(each);
  }
  for (const auto &places : made.places)
    slots_.push_back({operand + places.front(), index, 1, &places});
  program_.blocks.back().end =
      static_cast<std::uint32_t>(program_.instructions.size());
  values_.push_back(
      Operand::instruction(made.type, program_.instructions.size() - 1));
}

void Assembler::removeInstruction(const TemplateGroup &group,
                                  const Template &made) {
  values_.resize(values_.size() - group.results.size());
  slots_.resize(slots_.size() - group.operands.size());
  if (made.idiom) {
    program_.instructions.resize(program_.instructions.size() -
                                 made.idiom->instructions.size());
    program_.operands.resize(program_.operands.size() -
                             made.idiom->operands.size());
    program_.blocks.back().end =
        static_cast<std::uint32_t>(program_.instructions.size());
    return;
  }
  const int behind = group.isRecurrence ? 1 : std::popcount(group.extracts);
  program_.instructions.resize(program_.instructions.size() -
                               static_cast<std::size_t>(behind));
  const Instruction removed = program_.instructions.back();
  program_.operands.resize(removed.firstOperand);
  program_.instructions.pop_back();
  program_.blocks.back().end =
      static_cast<std::uint32_t>(program_.instructions.size());
  if (group.isPhi)
    phiSlots_.resize(phiSlots_.size() -
                     cfg_->incoming[program_.blocks.size() - 1].size());
  const bool calleeStays =
      std::any_of(program_.instructions.begin(), program_.instructions.end(),
                  [&](const Instruction &instruction) {
                    return instruction.opcode == Opcode::call &&
                           instruction.callee == removed.callee;
                  });
  if (group.callee && !calleeStays)
    program_.callees.pop_back();
}

/// Callees are numbered by first use.
std::uint32_t Assembler::calleeIndex(const corpus::Callee &callee) {
  auto found =
      std::find(program_.callees.begin(), program_.callees.end(), callee);
  if (found == program_.callees.end())
    found = program_.callees.insert(found, callee);
  return static_cast<std::uint32_t>(found - program_.callees.begin());
}

/// Ends the block, with the value that it takes still open, and begins the
/// next.
void Assembler::appendTerminator(const Decision &decision) {
  const std::size_t block = program_.blocks.size() - 1;
  const Exit &exit = cfg_->exits[block];
  const auto openSlot = [&] {
    slots_.push_back(
        {static_cast<std::uint32_t>(program_.operands.size()),
         static_cast<std::uint32_t>(program_.instructions.size())});
  };
  std::optional<Operand> frozen;
  if (grammar_.freezes(exit.kind)) {
    openSlot();
    frozen = program_.append(Opcode::freeze, decision.type, {Operand()});
  }
  const auto index = static_cast<std::uint32_t>(program_.instructions.size());
  Instruction instruction;
  instruction.opcode = opcodeOf(exit.kind);
  instruction.firstOperand =
      static_cast<std::uint32_t>(program_.operands.size());
  if (!decision.type.isVoid()) {
    if (!frozen)
      openSlot();
    program_.operands.push_back(frozen.value_or(Operand()));
  }
  for (std::size_t i = 0; i < exit.targets.size(); ++i) {
    if (exit.kind == Exit::Kind::switch_ && i > 0)
      program_.operands.emplace_back(); // the case
    program_.operands.push_back(Operand::block(exit.targets[i]));
  }
  instruction.operandCount =
      static_cast<std::uint32_t>(program_.operands.size()) -
      instruction.firstOperand;
  program_.instructions.push_back(instruction);
  program_.blocks.back().end = index + 1;
  if (exit.kind == Exit::Kind::ret)
    program_.signature.returnType = decision.type;
  if (program_.blocks.size() < cfg_->size())
    program_.beginBlock();
}

void Assembler::removeTerminator(const Decision &decision) {
  if (program_.blocks.back().begin == program_.instructions.size())
    program_.blocks.pop_back();
  const bool isFrozen =
      grammar_.freezes(cfg_->exits[program_.blocks.size() - 1].kind);
  for (unsigned i = 0; i < (isFrozen ? 2 : 1); ++i) {
    program_.operands.resize(program_.instructions.back().firstOperand);
    program_.instructions.pop_back();
    --program_.blocks.back().end;
  }
  if (!decision.type.isVoid())
    slots_.pop_back();
}

std::string Assembler::describe(const Decision &decision) const {
  switch (decision.kind) {
  case Kind::cfg:
    return "a control-flow graph of the space, breadth first";
  case Kind::frame:
    return decision.index == 0
               ? "no alloca"
               : fmt::format("{} alloca{} of the space", decision.index,
                             decision.index == 1 ? "" : "s");
  case Kind::instruction:
    return "an instruction of the vocabulary";
  case Kind::terminator:
    return "the terminator";
  case Kind::cases:
    return "cases in ascending order";
  case Kind::constant:
  case Kind::sameConstant:
  case Kind::otherConstant:
    return "a constant of the space";
  case Kind::undef:
  case Kind::poison:
  case Kind::argument:
  case Kind::newArgument:
  case Kind::value:
  case Kind::allocation:
    return corpus::printOperand(program_, operandFor(decision));
  }
  return "";
}

std::string Assembler::describePosition(const Program &wanted) const {
  const bool atOperand = filled_ < slots_.size() + phiSlots_.size() &&
                         slot(filled_).instruction < wanted.instructions.size();
  const bool atPhi = filled_ >= slots_.size() &&
                     program_.instructions.size() < wanted.instructions.size();
  if (!atOperand || atPhi) {
    if (program_.instructions.size() >= wanted.instructions.size())
      return "it ends early";
    return fmt::format(
        "`{}`", corpus::printInstruction(wanted, program_.instructions.size()));
  }
  return fmt::format(
      "operand `{}` of `{}`",
      corpus::printOperand(wanted, wanted.operands[slot(filled_).operand]),
      corpus::printInstruction(wanted, slot(filled_).instruction));
}

std::optional<std::uint64_t> Assembler::match(const Decision &decision,
                                              const Program &wanted,
                                              std::uint64_t least) const {
  if (decision.kind == Kind::instruction)
    return matchInstruction(grammar_.groups()[decision.index], wanted, least);
  const auto choice = matchOnly(decision, wanted);
  return choice && *choice >= least ? choice : std::nullopt;
}

std::optional<std::uint64_t> Assembler::matchOnly(const Decision &decision,
                                                  const Program &wanted) const {
  const auto only = [](bool matches) {
    return matches ? std::optional<std::uint64_t>(0) : std::nullopt;
  };
  switch (decision.kind) {
  case Kind::cfg:
    return only(matchesCfg(grammar_.cfgs()[decision.index], wanted));
  case Kind::frame:
    return matchFrame(decision, wanted);
  case Kind::terminator:
    return only(matchesTerminator(decision, wanted));
  case Kind::cases:
    return matchCases(decision, wanted);
  default:
    break;
  }
  const Slot &next = slot(filled_);
  const Operand &operand = wanted.operands[next.operand];
  if (operand.type != decision.type)
    return std::nullopt;
  if (next.places != nullptr &&
      !std::all_of(
          next.places->begin(), next.places->end(), [&](std::uint32_t place) {
            return wanted.operands[firstOperandOf(next) + place] == operand;
          }))
    return std::nullopt;
  switch (decision.kind) {
  case Kind::constant:
    return grammar_.constants(decision.type).find(operand, wanted);
  case Kind::sameConstant:
    return only(grammar_.constants(decision.type).find(operand, wanted) ==
                constantBefore(decision.type));
  case Kind::otherConstant: {
    const auto position =
        grammar_.constants(decision.type).find(operand, wanted);
    const std::uint64_t before = constantBefore(decision.type);
    if (!position || *position == before)
      return std::nullopt;
    return *position - (*position > before ? 1 : 0);
  }
  case Kind::newArgument:
    return operand == operandFor(decision) ? matchArgument(decision, wanted)
                                           : std::nullopt;
  default:
    return only(operand == operandFor(decision));
  }
}

bool Assembler::matchesCfg(const Cfg &cfg, const Program &wanted) const {
  if (wanted.blocks.size() != cfg.size())
    return false;
  for (std::size_t b = 0; b < cfg.size(); ++b) {
    const Instruction &terminator =
        wanted.instructions[wanted.blocks[b].end - 1];
    if (terminator.opcode != opcodeOf(cfg.exits[b].kind))
      return false;
    std::vector<std::uint8_t> targets;
    for (const Operand &operand : wanted.operandsOf(terminator))
      if (operand.is(Operand::Kind::block))
        targets.push_back(static_cast<std::uint8_t>(operand.payload));
    if (targets != cfg.exits[b].targets)
      return false;
  }
  return true;
}

std::optional<std::uint64_t>
Assembler::matchFrame(const Decision &decision, const Program &wanted) const {
  const auto isAllocation = [&](std::size_t index) {
    return index < wanted.instructions.size() &&
           wanted.instructions[index].opcode == Opcode::alloca_;
  };
  if (isAllocation(decision.index))
    return std::nullopt;
  const auto isAt = [&](std::size_t index, unsigned bytes) {
    if (!isAllocation(index))
      return false;
    const Instruction &there = wanted.instructions[index];
    const Instruction made = makeAllocation(bytes, grammar_.leastAlignment());
    return there.accessedType == made.accessedType &&
           there.alignment == made.alignment &&
           wanted.operandsOf(there)[0] == allocationCount(bytes);
  };
  const auto &frames = grammar_.frames(decision.index);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    std::size_t index = 0;
    if (std::all_of(frames[i].begin(), frames[i].end(),
                    [&](unsigned bytes) { return isAt(index++, bytes); }))
      return i;
  }
  return std::nullopt;
}

std::optional<std::uint64_t>
Assembler::matchArgument(const Decision &decision,
                         const Program &wanted) const {
  // Where no argument carries anything, that is said of the whole program.
  if (decision.choices == 1)
    return 0;
  const auto &sets = grammar_.pointerAttributes();
  const auto found =
      std::find(sets.begin(), sets.end(),
                wanted.signature.parameters[decision.index].attributes);
  return found == sets.end()
             ? std::nullopt
             : std::optional<std::uint64_t>(found - sets.begin());
}

std::optional<std::uint64_t>
Assembler::matchInstruction(const TemplateGroup &group, const Program &wanted,
                            std::uint64_t least) const {
  const std::size_t index = program_.instructions.size();
  if (index >= wanted.instructions.size())
    return std::nullopt;
  const Instruction &instruction = wanted.instructions[index];
  const auto operands = wanted.operandsOf(instruction);
  for (std::size_t i = least; i < group.templates.size(); ++i) {
    const Template &made = group.templates[i];
    if (made.idiom) {
      if (matchesIdiom(*made.idiom, wanted))
        return i;
      continue;
    }
    if (group.isRecurrence) {
      if (matchesRecurrence(made, wanted))
        return i;
      continue;
    }
    if (made.opcode != instruction.opcode || made.flags != instruction.flags ||
        made.predicate != instruction.predicate ||
        made.type != instruction.type ||
        made.alignment != instruction.alignment ||
        instruction.firstOperand != program_.operands.size())
      continue;
    if (group.isPhi)
      return i;
    if (operands.size() != group.operands.size() + made.immediates.size() +
                               (made.mask.empty() ? 0 : 1) ||
        !std::equal(group.operands.begin(), group.operands.end(),
                    operands.begin(), [](Type type, const Operand &operand) {
                      return type == operand.type;
                    }))
      continue;
    if (!std::equal(made.immediates.begin(), made.immediates.end(),
                    operands.begin() +
                        static_cast<std::ptrdiff_t>(group.operands.size())) ||
        (!made.mask.empty() && !isMask(made, operands.back(), wanted)))
      continue;
    if (group.extracts != 0 && group.extracts != extractsOf(wanted, index))
      continue;
    if (group.callee && *group.callee != wanted.callees[instruction.callee])
      continue;
    return i;
  }
  return std::nullopt;
}

/// In everything but the operand that is open, and what the phi has.
bool Assembler::matchesRecurrence(const Template &made,
                                  const Program &wanted) const {
  const std::size_t index = program_.instructions.size();
  if (index + 1 >= wanted.instructions.size())
    return false;
  const Instruction &phi = wanted.instructions[index];
  const Instruction &step = wanted.instructions[index + 1];
  return phi.opcode == Opcode::phi && phi.type == made.type &&
         step.opcode == made.opcode && step.flags == made.flags &&
         step.type == made.type && step.operandCount == 2 &&
         wanted.operandsOf(step)[made.phiIsSecond ? 1 : 0] ==
             Operand::instruction(made.type, index);
}

/// In everything but the operands that are parameters of the idiom.
bool Assembler::matchesIdiom(const Program &idiom,
                             const Program &wanted) const {
  const std::size_t index = program_.instructions.size();
  const std::size_t operand = program_.operands.size();
  if (index + idiom.instructions.size() > wanted.instructions.size() ||
      operand + idiom.operands.size() > wanted.operands.size())
    return false;
  for (std::size_t i = 0; i < idiom.instructions.size(); ++i) {
    Instruction expected = idiom.instructions[i];
    expected.firstOperand += static_cast<std::uint32_t>(operand);
    if (wanted.instructions[index + i] != expected)
      return false;
  }
  for (std::size_t i = 0; i < idiom.operands.size(); ++i) {
    Operand expected = idiom.operands[i];
    const Operand &there = wanted.operands[operand + i];
    switch (expected.kind) {
    case Operand::Kind::argument:
      if (there.type != expected.type)
        return false;
      continue;
    case Operand::Kind::pooled:
      if (!there.is(Operand::Kind::pooled) ||
          wanted.constants[there.payload] != idiom.constants[expected.payload])
        return false;
      continue;
    case Operand::Kind::instruction:
      expected.payload += index;
      break;
    default:
      break;
    }
    if (there != expected)
      return false;
  }
  return true;
}

bool Assembler::matchesTerminator(const Decision &decision,
                                  const Program &wanted) const {
  const std::size_t block = program_.blocks.size() - 1;
  const Exit::Kind exit = cfg_->exits[block].kind;
  const std::size_t index =
      program_.instructions.size() + (grammar_.freezes(exit) ? 1 : 0);
  if (block >= wanted.blocks.size() || index + 1 != wanted.blocks[block].end)
    return false;
  const Instruction &terminator = wanted.instructions[index];
  if (terminator.opcode != opcodeOf(exit))
    return false;
  const auto operands = wanted.operandsOf(terminator);
  if (grammar_.freezes(exit) &&
      (wanted.instructions[index - 1].opcode != Opcode::freeze ||
       operands.front() != Operand::instruction(decision.type, index - 1)))
    return false;
  return decision.type == (operands.empty() ? Type() : operands.front().type);
}

std::optional<std::uint64_t>
Assembler::matchCases(const Decision &decision, const Program &wanted) const {
  const auto operands =
      wanted.operandsOf(wanted.instructions[program_.instructions.size() - 1]);
  const ConstantSet &constants = grammar_.constants(decision.type);
  std::uint64_t choice = 0;
  std::optional<std::uint64_t> before;
  for (unsigned i = 1; i <= decision.index; ++i) {
    const auto position = constants.find(operands[2UL * i].payload);
    if (!position || (before && *before >= *position))
      return std::nullopt;
    choice += *subsets(*position, i);
    before = position;
  }
  return choice;
}

} // namespace enumerate
