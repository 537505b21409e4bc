// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/symmetry.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace enumerate {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;

std::string toString(Symmetry symmetry) {
  if (symmetry.empty())
    return "args";
  if (symmetry == symmetry::full)
    return "full";
  std::string text;
  for (const SymmetryRule &row : symmetryRules)
    if (symmetry.has(row.rule)) {
      text += text.empty() ? "" : "+";
      text += row.name;
    }
  return text;
}

std::optional<Symmetry> parseSymmetry(std::string_view text) {
  if (text == "args")
    return symmetry::args;
  if (text == "full")
    return symmetry::full;
  Symmetry result;
  for (;;) {
    const std::size_t end = text.find('+');
    const auto *found =
        std::find_if(symmetryRules.begin(), symmetryRules.end(),
                     [name = text.substr(0, end)](const SymmetryRule &row) {
                       return row.name == name;
                     });
    if (found == symmetryRules.end())
      return std::nullopt;
    result = result | found->rule;
    if (end == std::string_view::npos)
      return result;
    text.remove_prefix(end + 1);
  }
}

namespace {

constexpr std::uint32_t unknown = ~std::uint32_t(0);

bool mayNotReturn(const Program &program, const Instruction &instruction) {
  constexpr std::uint32_t returning =
      corpus::attribute::willreturn | corpus::attribute::nounwind;
  return corpus::info(instruction.opcode).has(corpus::trait::mayNotReturn) &&
         (functionAttributeBits(program, instruction) & returning) != returning;
}

/// Reads or writes memory, any of `traits`.
bool hasMemoryTrait(const Program &program, const Instruction &instruction,
                    corpus::Traits traits) {
  return corpus::info(instruction.opcode).has(traits) &&
         !(instruction.opcode == Opcode::call &&
           (functionAttributeBits(program, instruction) &
            corpus::attribute::memoryNone) != 0);
}

/// The allocas that an access is about, one bit for each instruction; nothing
/// where it may be about other memory.
std::optional<std::uint64_t> allocasOf(const Program &program,
                                       const Instruction &access) {
  if (access.opcode == Opcode::call)
    return std::nullopt;
  std::uint64_t allocas = 0;
  for (const Operand &operand : program.operandsOf(access)) {
    if (!operand.type.isPointer())
      continue;
    if (!operand.is(Operand::Kind::instruction) || operand.payload >= 64 ||
        program.instructions[operand.payload].opcode != Opcode::alloca_)
      return std::nullopt;
    allocas |= std::uint64_t(1) << operand.payload;
  }
  return allocas;
}

/// Whether UB or effects forbid to exchange the two.
bool keepOrder(const Program &program, const Instruction &a,
               const Instruction &b) {
  if (a.opcode == Opcode::call && b.opcode == Opcode::call)
    return true;
  const auto mayBeUb = [](const Instruction &instruction) {
    return corpus::info(instruction.opcode).has(corpus::trait::mayBeUb);
  };
  if ((mayBeUb(a) && mayNotReturn(program, b)) ||
      (mayBeUb(b) && mayNotReturn(program, a)))
    return true;
  const auto writes = [&](const Instruction &instruction) {
    return hasMemoryTrait(program, instruction, corpus::trait::writesMemory);
  };
  const auto accesses = [&](const Instruction &instruction) {
    return hasMemoryTrait(program, instruction,
                          corpus::trait::writesMemory |
                              corpus::trait::readsMemory);
  };
  if (!(writes(a) && accesses(b)) && !(accesses(a) && writes(b)))
    return false;
  const auto allocasOfA = allocasOf(program, a);
  const auto allocasOfB = allocasOf(program, b);
  return !allocasOfA || !allocasOfB || (*allocasOfA & *allocasOfB) != 0;
}

/// The freeze in a block that nothing takes but the block's end. Of functions
/// that differ in where it stands, the representative has it directly before:
/// spaces with `frozen` have it nowhere else.
std::optional<std::uint32_t> freezeOfExit(const Program &program,
                                          const corpus::Block &block) {
  const auto taken = program.operandsOf(program.instructions[block.end - 1]);
  if (taken.empty() || !taken[0].is(Operand::Kind::instruction) ||
      taken[0].payload < block.begin ||
      program.instructions[taken[0].payload].opcode != Opcode::freeze ||
      std::count(program.operands.begin(), program.operands.end(), taken[0]) !=
          1)
    return std::nullopt;
  return static_cast<std::uint32_t>(taken[0].payload);
}

} // namespace

bool RepresentativeFilter::isRepresentative(const Program &program) {
  if (rules_.empty())
    return true;
  program_ = &program;
  if (rules_.has(symmetry::reorder))
    for (const corpus::Block &block : program.blocks)
      if (const auto freeze = freezeOfExit(program, block);
          freeze && *freeze + 2 != block.end)
        return false;
  split();
  findNeeds();
  argumentNumber_.assign(program.signature.parameters.size() +
                             program.instructions.size(),
                         unknown);
  numbered_.clear();
  own_.clear();
  // The program itself, in the order in which variants are compared: operands
  // of phis last, since they may name later instructions.
  for (const bool phis : {false, true})
    for (const Unit &unit : units_) {
      const Instruction &instruction = program.instructions[unit.first];
      if ((instruction.opcode == Opcode::phi) == phis)
        for (const Operand &operand : program.operandsOf(instruction))
          own_.push_back(keyOf(operand));
    }
  forgetArguments(0);
  placed_ = 0;
  order_.clear();
  ownNext_ = 0;
  return !hasSmaller(0);
}

/// Cuts the program into units. A section is the phis of a block, or its other
/// instructions, or the freeze of its exit, or its terminator.
void RepresentativeFilter::split() {
  units_.clear();
  unitOf_.clear();
  std::uint32_t section = 0;
  for (const corpus::Block &block : program_->blocks) {
    const auto freeze = freezeOfExit(*program_, block);
    for (std::uint32_t i = block.begin; i < block.end; ++i) {
      const Opcode opcode = program_->instructions[i].opcode;
      if (opcode == Opcode::alloca_) {
        unitOf_.push_back(unknown);
        continue;
      }
      if (opcode == Opcode::extractvalue) {
        ++units_.back().size;
      } else {
        const bool isPhi = opcode == Opcode::phi;
        const bool isTerminator = i + 1 == block.end;
        const auto position = static_cast<std::uint32_t>(units_.size());
        units_.push_back({i, 1,
                          section + (isTerminator  ? 3U
                                     : i == freeze ? 2U
                                     : isPhi       ? 0U
                                                   : 1U),
                          0, position});
      }
      unitOf_.push_back(static_cast<std::uint32_t>(units_.size() - 1));
    }
    section += 4;
  }
  assert(units_.size() <= 64);
}

void RepresentativeFilter::findNeeds() {
  for (std::size_t u = 0; u < units_.size(); ++u) {
    Unit &unit = units_[u];
    const Instruction &instruction = program_->instructions[unit.first];
    if (instruction.opcode == Opcode::phi)
      continue;
    for (const Operand &operand : program_->operandsOf(instruction))
      if (operand.is(Operand::Kind::instruction) &&
          unitOf_[operand.payload] != unknown)
        unit.needs |= std::uint64_t(1) << unitOf_[operand.payload];
    for (std::size_t before = 0; before < u; ++before)
      if (!rules_.has(symmetry::reorder) ||
          keepOrder(*program_, program_->instructions[units_[before].first],
                    instruction))
        unit.needs |= std::uint64_t(1) << before;
  }
}

/// Whether what stands so far, equal to the program's own beginning, can go on
/// to something less than the program.
bool RepresentativeFilter::hasSmaller(std::uint32_t position) {
  if (position == units_.size())
    return hasSmallerPhis();
  const std::size_t known = numbered_.size();
  const std::size_t ownNext = ownNext_;
  for (std::uint32_t u = 0; u < units_.size(); ++u) {
    Unit &unit = units_[u];
    const std::uint64_t bit = std::uint64_t(1) << u;
    if (unit.section != units_[position].section || (placed_ & bit) != 0 ||
        (unit.needs & ~placed_) != 0)
      continue;
    const bool isPhi = program_->instructions[unit.first].opcode == Opcode::phi;
    if (isPhi && !rules_.has(symmetry::reorder) && u != position)
      continue;
    for (const bool swapped : {false, true}) {
      if (swapped && !canSwap(program_->instructions[unit.first]))
        break;
      const int order = compare(u, swapped, position);
      bool found = order < 0;
      if (order == 0) {
        unit.position = position;
        placed_ |= bit;
        found = hasSmaller(position + 1);
        placed_ &= ~bit;
      }
      forgetArguments(known);
      ownNext_ = ownNext;
      if (found)
        return true;
    }
  }
  return false;
}

bool RepresentativeFilter::canSwap(const Instruction &instruction) const {
  return instruction.opcode == Opcode::icmp
             ? rules_.has(symmetry::mirror)
             : rules_.has(symmetry::commute) &&
                   corpus::info(instruction.opcode)
                       .has(corpus::trait::commutative);
}

/// The unit in the place of the program's unit `original`: less, equal or
/// greater. Numbers the arguments it meets, and moves ownNext_ when equal.
int RepresentativeFilter::compare(std::uint32_t unit, bool swapped,
                                  std::uint32_t original) {
  const Instruction &a = program_->instructions[units_[unit].first];
  const Instruction &b = program_->instructions[units_[original].first];
  const auto header = [&](const Instruction &instruction, const Unit &of) {
    // Of the extracts of an overflow intrinsic the first tells them all.
    std::uint64_t extracts = of.size;
    if (of.size == 2)
      extracts =
          2 +
          2 * program_
                  ->operands[program_->instructions[of.first + 1].firstOperand +
                             1]
                  .payload;
    return std::tuple(corpus::info(instruction.opcode).code,
                      instruction.flags.bits(), instruction.type.id(),
                      instruction.operandCount, instruction.callee, extracts,
                      instruction.alignment);
  };
  const auto headerA = header(a, units_[unit]);
  const auto headerB = header(b, units_[original]);
  if (headerA != headerB)
    return headerA < headerB ? -1 : 1;
  if (a.opcode == Opcode::phi)
    return 0;
  const auto operands = program_->operandsOf(a);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Key key = keyOf(operands[swapped && i < 2 ? 1 - i : i]);
    const Key &own = own_[ownNext_ + i];
    if (key != own)
      return key < own ? -1 : 1;
  }
  const auto predicate =
      swapped ? corpus::info(a.predicate).swapped : a.predicate;
  if (predicate != b.predicate)
    return predicate < b.predicate ? -1 : 1;
  ownNext_ += operands.size();
  return 0;
}

bool RepresentativeFilter::hasSmallerPhis() {
  const std::size_t known = numbered_.size();
  order_.resize(units_.size());
  for (std::uint32_t u = 0; u < units_.size(); ++u)
    order_[units_[u].position] = u;
  int order = 0;
  std::size_t next = ownNext_;
  for (std::size_t i = 0; i < order_.size() && order == 0; ++i) {
    const Instruction &instruction =
        program_->instructions[units_[order_[i]].first];
    if (instruction.opcode != Opcode::phi)
      continue;
    for (const Operand &operand : program_->operandsOf(instruction)) {
      const Key key = keyOf(operand);
      const Key &own = own_[next++];
      if (key != own) {
        order = key < own ? -1 : 1;
        break;
      }
    }
  }
  forgetArguments(known);
  return order < 0;
}

/// By first use, of an argument or, behind them, an alloca.
std::uint32_t RepresentativeFilter::numberOf(std::size_t leaf) {
  std::uint32_t &number = argumentNumber_[leaf];
  if (number == unknown) {
    number = static_cast<std::uint32_t>(numbered_.size());
    numbered_.push_back(static_cast<std::uint32_t>(leaf));
  }
  return number;
}

RepresentativeFilter::Key RepresentativeFilter::keyOf(const Operand &operand) {
  const std::uint32_t type = operand.type.id();
  const auto &parameters = program_->signature.parameters;
  switch (operand.kind) {
  case Operand::Kind::instruction: {
    if (unitOf_[operand.payload] == unknown) {
      const Instruction &made = program_->instructions[operand.payload];
      constexpr unsigned half = 32;
      return {8, type,
              numberOf(parameters.size() + operand.payload) |
                  program_->operandsOf(made)[0].payload << half,
              made.accessedType.id() | std::uint64_t(made.alignment) << half};
    }
    const Unit &unit = units_[unitOf_[operand.payload]];
    return {0, type,
            std::uint64_t(4) * unit.position + (operand.payload - unit.first),
            0};
  }
  case Operand::Kind::argument:
    return {1, type, numberOf(operand.payload),
            parameters[operand.payload].attributes.bits};
  case Operand::Kind::constant:
    return {2, type, operand.payload, 0};
  case Operand::Kind::undef:
    return {3, type, 0, 0};
  case Operand::Kind::poison:
    return {4, type, 0, 0};
  case Operand::Kind::block:
    return {5, type, operand.payload, 0};
  case Operand::Kind::pooled:
    return {6, type, operand.payload, 0};
  case Operand::Kind::global:
    return {7, type, operand.payload, 0};
  }
  assert(false && "unknown operand kind");
  return {};
}

void RepresentativeFilter::forgetArguments(std::size_t known) {
  for (std::size_t i = known; i < numbered_.size(); ++i)
    argumentNumber_[numbered_[i]] = unknown;
  numbered_.resize(known);
}

} // namespace enumerate
