// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/reduce.h"

#include "corpus/program/canonical.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>
#include <optional>
#include <set>

namespace reports {
namespace {

using corpus::Flags;
using corpus::Instruction;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

/// 0, 1, -1 and INT_MIN before the others.
std::uint64_t weightOf(const Operand &constant) {
  const std::uint64_t bits = constant.payload;
  const std::uint64_t mask = constant.type.mask();
  constexpr std::uint64_t special = 4;
  if (bits <= 1)
    return bits;
  if (bits == mask)
    return 2;
  if (bits == (mask >> 1) + 1)
    return 3;
  // Saturated, so that a sum of a few cannot wrap.
  return std::min<std::uint64_t>(bits + special, std::uint64_t(1) << 32);
}

std::uint64_t attributeCount(const Program &program) {
  std::uint64_t count = 0;
  const auto add = [&](const corpus::Attributes &attributes) {
    count += static_cast<std::uint64_t>(std::popcount(attributes.bits));
  };
  add(program.signature.function);
  add(program.signature.result);
  for (const corpus::Parameter &parameter : program.signature.parameters)
    add(parameter.attributes);
  for (const Instruction &instruction : program.instructions)
    count += instruction.attributes != Instruction::noAttributes ? 1 : 0;
  return count;
}

/// Whether a step may put something else there: not for a label, not for a
/// constant that the instruction demands, and not for the value returned, which
/// would leave what computes it dead instead of smaller.
bool isReplaceable(const Instruction &instruction, std::size_t index,
                   const Operand &operand) {
  using corpus::Shape;
  const Shape shape = corpus::info(instruction.opcode).shape;
  const bool demanded = index == 1 && (shape == Shape::extract ||
                                       shape == Shape::intrinsicUnaryWithFlag);
  const bool label = instruction.opcode == corpus::Opcode::switch_ && index > 0;
  const bool returned = instruction.opcode == corpus::Opcode::ret;
  return !demanded && !label && !returned && operand.type.isInteger();
}

void replaceUses(Program &program, std::size_t index, const Operand &by) {
  for (Operand &operand : program.operands)
    if (operand.is(Operand::Kind::instruction) && operand.payload == index)
      operand = by;
}

/// Collects what is one step from a program.
class Steps {
public:
  explicit Steps(const Program &program)
      : program_(program), size_(sizeOf(program)) {}

  std::vector<Program> run() {
    for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
      if (!corpus::info(program_.instructions[i].opcode).isTerminator()) {
        returnResult(i);
        deleteInstruction(i);
        dropFlags(i);
        dropCallAttributes(i);
      }
      changeOperands(i);
    }
    dropAttributes();
    std::sort(found_.begin(), found_.end());
    std::vector<Program> programs;
    programs.reserve(found_.size());
    for (Entry &entry : found_)
      programs.push_back(std::move(entry.program));
    return programs;
  }

private:
  using Order = std::pair<Size, corpus::Bytes>;
  struct Entry {
    Order order;
    Program program;
    friend bool operator<(const Entry &a, const Entry &b) {
      return a.order < b.order;
    }
  };

  void add(const Program &candidate) {
    Program program =
        corpus::renumberArguments(corpus::withoutDeadInstructions(candidate));
    if (corpus::verify(program))
      return;
    Order order(sizeOf(program), corpus::encode(program));
    if (order.first < size_ && seen_.insert(order.second).second)
      found_.push_back({std::move(order), std::move(program)});
  }

  void returnResult(std::size_t index) {
    const Instruction &instruction = program_.instructions[index];
    if (!program_.isStraightLine() || !instruction.type.isInteger())
      return;
    Program program = program_;
    program.operands.back() = Operand::instruction(instruction.type, index);
    if (program.signature.returnType != instruction.type)
      program.signature.result = {};
    program.signature.returnType = instruction.type;
    add(program);
  }

  void deleteInstruction(std::size_t index) {
    const Instruction &instruction = program_.instructions[index];
    const auto deleteFor = [&](Program program, const Operand &by) {
      replaceUses(program, index, by);
      add(corpus::withoutInstruction(program, index));
    };
    if (instruction.type.isVoid())
      return add(corpus::withoutInstruction(program_, index));
    if (!instruction.type.isInteger())
      return;
    Program withArgument = program_;
    const Operand argument = withArgument.addParameter(instruction.type);
    deleteFor(std::move(withArgument), argument);
    for (const Operand &operand : program_.operandsOf(instruction))
      if (operand.type == instruction.type)
        deleteFor(program_, operand);
    for (const Operand &constant : simpleConstants(instruction.type))
      deleteFor(program_, constant);
  }

  void dropFlags(std::size_t index) {
    const Flags flags = program_.instructions[index].flags;
    if (flags.empty())
      return;
    Program program = program_;
    program.instructions[index].flags = corpus::flag::none;
    add(program);
    for (const corpus::FlagInfo &row : corpus::flagTable)
      if (flags.has(row.flag)) {
        program.instructions[index].flags = flags.without(row.flag);
        add(program);
      }
  }

  void dropCallAttributes(std::size_t index) {
    if (program_.instructions[index].attributes == Instruction::noAttributes)
      return;
    Program program = program_;
    program.instructions[index].attributes = Instruction::noAttributes;
    add(program);
  }

  void dropAttributes() {
    const auto dropOne = [&](auto &&select) {
      Program program = program_;
      corpus::Attributes &attributes = select(program);
      if (attributes.empty())
        return;
      attributes = {};
      add(program);
    };
    dropOne([](Program & p) -> auto & { return p.signature.function; });
    dropOne([](Program & p) -> auto & { return p.signature.result; });
    for (std::size_t i = 0; i < program_.signature.parameters.size(); ++i)
      dropOne([i](Program & p) -> auto & {
        return p.signature.parameters[i].attributes;
      });
  }

  void changeOperands(std::size_t index) {
    const Instruction &instruction = program_.instructions[index];
    for (std::size_t i = 0; i < instruction.operandCount; ++i) {
      const Operand &operand = program_.operandsOf(instruction)[i];
      if (!isReplaceable(instruction, i, operand))
        continue;
      Program program = program_;
      const auto set = [&](const Operand &value) {
        program.operandsOf(program.instructions[index])[i] = value;
        add(program);
      };
      if (operand.isLiteral())
        for (const Operand &simpler : constantsBelow(operand))
          set(simpler);
      set(program.addParameter(operand.type));
    }
  }

  static std::vector<Operand> simpleConstants(Type type) {
    std::vector<Operand> result;
    for (const std::uint64_t bits : {std::uint64_t(0), std::uint64_t(1),
                                     type.mask(), (type.mask() >> 1) + 1})
      result.push_back(Operand::constant(type, bits));
    return result;
  }

  /// The simple ones, and a few on the way down to them.
  static std::vector<Operand> constantsBelow(const Operand &operand) {
    std::vector<Operand> result = simpleConstants(operand.type);
    if (operand.is(Operand::Kind::constant) && operand.payload > 1)
      for (const std::uint64_t bits :
           {operand.payload / 2, operand.payload - 1})
        result.push_back(Operand::constant(operand.type, bits));
    return result;
  }

  const Program &program_;
  const Size size_;
  std::set<corpus::Bytes> seen_;
  std::vector<Entry> found_;
};

} // namespace

Size sizeOf(const Program &program) {
  std::uint64_t results = 0;
  std::uint64_t undefined = 0;
  std::uint64_t constants = 0;
  std::uint64_t weight = 0;
  std::uint64_t arguments = 0;
  std::set<std::uint64_t> distinct;
  for (const Instruction &instruction : program.instructions) {
    const auto operands = program.operandsOf(instruction);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const Operand &operand = operands[i];
      if (!isReplaceable(instruction, i, operand))
        continue;
      switch (operand.kind) {
      case Operand::Kind::instruction:
        ++results;
        break;
      case Operand::Kind::undef:
      case Operand::Kind::poison:
        ++undefined;
        break;
      case Operand::Kind::constant:
        ++constants;
        weight += weightOf(operand);
        break;
      case Operand::Kind::argument:
        ++arguments;
        distinct.insert(operand.payload);
        break;
      case Operand::Kind::block:
        break;
      }
    }
  }
  const std::uint64_t flags = std::accumulate(
      program.instructions.begin(), program.instructions.end(),
      attributeCount(program), [](std::uint64_t sum, const Instruction &each) {
        return sum +
               static_cast<std::uint64_t>(std::popcount(each.flags.bits()));
      });
  return {program.blocks.size(),
          program.instructionCount(),
          results,
          flags,
          undefined,
          constants,
          weight,
          arguments - distinct.size()};
}

std::vector<Program> reductions(const Program &program) {
  return Steps(program).run();
}

Program Reducer::reduce(const Program &program) {
  std::vector<corpus::Bytes> path;
  Program current = program;
  for (;;) {
    corpus::Bytes key = corpus::encode(current);
    if (const auto known = reduced_.find(key); known != reduced_.end()) {
      current = known->second;
      break;
    }
    path.push_back(std::move(key));
    std::vector<Program> candidates = reductions(current);
    if (Program form = corpus::canonical(current);
        form != current && sizeOf(form) <= sizeOf(current))
      candidates.push_back(std::move(form));
    const std::vector<bool> interesting = interesting_(candidates);
    assert(interesting.size() == candidates.size());
    const auto first = std::find(interesting.begin(), interesting.end(), true);
    if (first == interesting.end())
      break;
    current = std::move(
        candidates[static_cast<std::size_t>(first - interesting.begin())]);
  }
  for (corpus::Bytes &key : path)
    reduced_.emplace(std::move(key), current);
  return current;
}

} // namespace reports
