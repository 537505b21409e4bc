// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/intrinsics/expand.h"

#include "checker/intrinsics/meanings.h"
#include "corpus/program/target.h"

#include <algorithm>
#include <fmt/format.h>

namespace checker::intrinsics {
namespace {

using corpus::CallAttributes;
using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;

/// Promises that any call of an intrinsic keeps.
constexpr std::uint32_t keptAnyway =
    corpus::attribute::willreturn | corpus::attribute::nounwind |
    corpus::attribute::mustprogress | corpus::attribute::memoryNone |
    corpus::attribute::memoryRead | corpus::attribute::nofree |
    corpus::attribute::tail;

/// Promises of a pointer without which it is poison.
constexpr std::uint32_t ofPointers =
    corpus::attribute::nonnull | corpus::attribute::align;

bool saysMore(const CallAttributes &site) {
  return (site.function.bits & ~keptAnyway) != 0 ||
         (site.result.bits & ~ofPointers) != 0 ||
         std::any_of(
             site.parameters.begin(), site.parameters.end(),
             [](const auto &each) { return (each.bits & ~ofPointers) != 0; });
}

/// The pointer, or poison where it is not what `attributes` promise.
Operand asPromised(Builder &builder, Operand pointer,
                   const corpus::Attributes &attributes) {
  const Operand poison = Operand::poison(pointer.type);
  if (attributes.has(corpus::attribute::nonnull))
    pointer = builder.select(
        builder.compare(corpus::Predicate::ne, pointer, Operand::null()),
        pointer, poison);
  if (attributes.has(corpus::attribute::align)) {
    const auto &value = attributes.valueOf(corpus::attribute::align);
    const Operand below =
        builder.apply(Opcode::and_, builder.address(pointer), value.low - 1);
    pointer = builder.select(builder.compare(corpus::Predicate::eq, below, 0),
                             pointer, poison);
  }
  return pointer;
}

/// Whether operations, of which the first is instruction `begin`, use a lane of
/// an operand of the call or of each other twice that may be a set: to them it
/// may be two values, to the intrinsic it is one.
class Uses {
public:
  Uses(const Program &program, std::size_t begin)
      : program_(program), begin_(begin) {}

  /// An operand of the call.
  void add(const Operand &operand, Lanes sets) {
    values_.push_back({operand, sets, 0});
  }
  bool areSingle() {
    for (std::size_t i = begin_; i < program_.instructions.size(); ++i)
      if (!use(program_.instructions[i], i))
        return false;
    return true;
  }

private:
  struct Value {
    Operand operand;
    Lanes sets = 0;
    Lanes used = 0;
  };

  Value *find(const Operand &operand) {
    const auto found =
        std::find_if(values_.begin(), values_.end(), [&](const Value &value) {
          return value.operand == operand;
        });
    return found == values_.end() ? nullptr : &*found;
  }

  /// Of operand `which`, lanes that go into lane `lane` of the result.
  Lanes partOf(const Instruction &instruction, std::size_t which,
               unsigned lane) const {
    const auto operands = program_.operandsOf(instruction);
    const corpus::Type type = operands[which].type;
    const Lanes own = Lanes(1) << lane;
    switch (instruction.opcode) {
    case Opcode::extractelement:
      return which == 0 && operands[1].is(Operand::Kind::constant) &&
                     operands[1].payload < type.lanes()
                 ? Lanes(1) << operands[1].payload
                 : allLanes(type);
    case Opcode::insertelement:
      if (which != 0)
        return operands[2].payload == lane ? 1 : 0;
      return operands[2].payload == lane ? 0 : own;
    case Opcode::shufflevector: {
      if (which == 2 || !operands[2].is(Operand::Kind::pooled))
        return 0;
      const Operand &from = program_.constants[operands[2].payload].lanes[lane];
      const std::uint64_t first = which == 0 ? 0 : type.lanes();
      return from.is(Operand::Kind::constant) && from.payload >= first &&
                     from.payload < first + type.lanes()
                 ? Lanes(1) << (from.payload - first)
                 : 0;
    }
    case Opcode::bitcast: {
      const unsigned width = instruction.type.lane(0).width();
      const unsigned from = type.lane(0).width();
      Lanes lanes = 0;
      for (unsigned i = 0; i < type.lanes(); ++i)
        if (i * from < (lane + 1) * width && (i + 1) * from > lane * width)
          lanes |= Lanes(1) << i;
      return lanes;
    }
    default:
      return type.lanes() == 1 ? 1 : own;
    }
  }

  bool use(const Instruction &instruction, std::size_t index) {
    const auto operands = program_.operandsOf(instruction);
    Value result = {Operand::instruction(instruction.type, index), 0, 0};
    for (std::size_t which = 0; which < operands.size(); ++which) {
      Value *value = find(operands[which]);
      if (value == nullptr)
        continue;
      Lanes used = 0;
      for (unsigned lane = 0; lane < instruction.type.lanes(); ++lane) {
        const Lanes part = partOf(instruction, which, lane) & value->sets;
        result.sets |= part != 0 ? Lanes(1) << lane : 0;
        used |= part;
      }
      if ((used & value->used) != 0)
        return false;
      value->used |= used;
    }
    values_.push_back(result);
    return true;
  }

  const Program &program_;
  const std::size_t begin_;
  std::vector<Value> values_;
};

bool selectsFrom(const Program &program, std::size_t begin) {
  return std::any_of(
      program.instructions.begin() + static_cast<std::ptrdiff_t>(begin),
      program.instructions.end(), [](const Instruction &instruction) {
        return instruction.opcode == Opcode::select;
      });
}

} // namespace

bool callsTarget(const Program &program) {
  return std::any_of(program.callees.begin(), program.callees.end(),
                     [](const corpus::Callee &callee) {
                       return corpus::targetIntrinsic(callee.name) != nullptr;
                     });
}

corpus::Result<Rewritten> expanded(const Program &program,
                                   const Semantics &semantics) {
  // Values of the old program, until it is known what they become.
  constexpr std::uint64_t old = std::uint64_t(1) << 32;
  const auto asOld = [](Operand operand) {
    operand.payload += operand.is(Operand::Kind::instruction) ? old : 0;
    return operand;
  };
  const auto isOld = [](const Operand &operand) {
    return operand.is(Operand::Kind::instruction) && operand.payload >= old;
  };
  const std::vector<bool> sets = setsIn(program, semantics);
  // An intrinsic that chooses is no `select`, whatever that may do.
  const bool isPlain = semantics.selectCondition == SelectCondition::poison &&
                       semantics.selectArms == SelectArms::chosen;
  Program result = program.withoutBlocks();
  std::vector<std::uint32_t> newCallee;
  result.callees.clear();
  for (const corpus::Callee &callee : program.callees) {
    newCallee.push_back(static_cast<std::uint32_t>(result.callees.size()));
    if (corpus::targetIntrinsic(callee.name) == nullptr)
      result.callees.push_back(callee);
  }
  std::vector<Operand> values;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    Instruction instruction = program.instructions[i];
    for (const corpus::Block &block : program.blocks)
      if (block.begin == i)
        result.beginBlock();
    std::vector<Operand> operands;
    for (const Operand &operand : program.operandsOf(instruction))
      operands.push_back(asOld(operand));
    const corpus::TargetIntrinsic *intrinsic =
        instruction.opcode == Opcode::call
            ? corpus::targetIntrinsic(program.callees[instruction.callee].name)
            : nullptr;
    if (intrinsic == nullptr) {
      if (instruction.opcode == Opcode::call)
        instruction.callee = newCallee[instruction.callee];
      values.push_back(result.append(instruction, operands));
      continue;
    }
    const std::string &name = intrinsic->callee.name;
    static const CallAttributes none;
    const CallAttributes &promises =
        instruction.attributes == Instruction::noAttributes
            ? none
            : program.callAttributes[instruction.attributes];
    if (saysMore(promises))
      return corpus::Error{fmt::format("attributes of a call of {}", name)};
    const std::size_t begin = result.instructions.size();
    Uses uses(result, begin);
    for (std::size_t o = 0; o < operands.size(); ++o)
      uses.add(operands[o], setLanes(program, semantics, sets,
                                     program.operandsOf(instruction)[o]));
    Builder builder(result);
    const auto row =
        static_cast<std::size_t>(intrinsic - corpus::targetIntrinsics().data());
    for (std::size_t o = 0; o < promises.parameters.size(); ++o)
      operands[o] = asPromised(builder, operands[o], promises.parameters[o]);
    values.push_back(
        asPromised(builder, meaningOf(row)(builder, instruction.type, operands),
                   promises.result));
    if (!isPlain && selectsFrom(result, begin))
      return corpus::Error{fmt::format(
          "{} where select_condition or select_arms is not that of llvm",
          name)};
    if (!uses.areSingle())
      return corpus::Error{fmt::format("{} of what may be undef", name)};
  }
  const auto resolve = [&](Operand &operand) {
    while (isOld(operand))
      operand = values[operand.payload - old];
  };
  for (Operand &operand : result.operands)
    resolve(operand);
  for (Operand &value : values)
    resolve(value);
  return Rewritten{std::move(result), std::move(values)};
}

} // namespace checker::intrinsics
