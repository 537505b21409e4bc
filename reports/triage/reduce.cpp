// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/reduce.h"

#include "corpus/program/canonical.h"
#include "corpus/program/retype.h"
#include "corpus/program/shape.h"
#include "reports/triage/flow.h"

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
using corpus::Opcode;
using corpus::Operand;
using corpus::Predicate;
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

/// An integer or a vector of them.
bool isOfIntegers(Type type) {
  return type.isSingle() && type.lane(0).isInteger();
}

/// The same number in each lane.
Operand splat(Program &program, Type type, std::uint64_t bits) {
  const Operand lane = Operand::constant(type.lane(0), bits);
  return type.isInteger()
             ? lane
             : program.literal(type, std::vector(type.lanes(), lane));
}

/// Whether a step may put something else there: not for a label, not for a
/// constant that the instruction demands, and not for the value that a straight
/// line returns, which would leave what computes it dead instead of smaller.
bool isReplaceable(const Program &program, const Instruction &instruction,
                   std::size_t index) {
  const Operand &operand = program.operandsOf(instruction)[index];
  const corpus::Shape shape = corpus::info(instruction.opcode).shape;
  const bool demanded = isImmediate(shape, index);
  const bool label = instruction.opcode == Opcode::switch_ && index > 0;
  const bool returned =
      instruction.opcode == Opcode::ret && program.isStraightLine();
  return !demanded && !label && !returned && isOfIntegers(operand.type);
}

/// How far a mask is from taking the lanes where they stand.
std::uint64_t weightOfMask(const corpus::Constant &mask) {
  constexpr std::uint64_t most = corpus::Type::maximumLanes;
  std::uint64_t weight = 0;
  for (std::size_t i = 0; i < mask.lanes.size(); ++i)
    if (mask.lanes[i].is(Operand::Kind::poison))
      weight += 2 * most;
    else if (mask.lanes[i].payload != i)
      weight += 1 + mask.lanes[i].payload;
  return weight;
}

void replaceUses(Program &program, std::size_t index, const Operand &by) {
  for (Operand &operand : program.operands)
    if (operand.is(Operand::Kind::instruction) && operand.payload == index)
      operand = by;
}

/// Whether one that stands later in the opcode table may be exchanged for this
/// one, with its flags and operands.
bool canStandFor(const corpus::OpcodeInfo &simpler,
                 const Instruction &instruction) {
  const corpus::OpcodeInfo &row = corpus::info(instruction.opcode);
  return simpler.code < row.code && simpler.shape == row.shape &&
         simpler.since <= row.since &&
         simpler.allowedFlags.has(instruction.flags) &&
         row.shape != corpus::Shape::terminator &&
         row.shape != corpus::Shape::intrinsicUnary;
}

/// Whether there are loads and stores of integers, all of whole bytes.
bool accessesWholeBytes(const Program &program) {
  bool isAny = false;
  for (const Instruction &instruction : program.instructions) {
    if (instruction.opcode != Opcode::load &&
        instruction.opcode != Opcode::store)
      continue;
    const Type type = instruction.opcode == Opcode::load
                          ? instruction.type
                          : program.operandsOf(instruction)[0].type;
    if (!type.isInteger())
      continue;
    if (type.width() % 8 != 0)
      return false;
    isAny = true;
  }
  return isAny;
}

/// Collects what is one step from a program.
class Steps {
public:
  Steps(const Program &program, Arguments arguments)
      : program_(program), arguments_(arguments), size_(sizeOf(program)) {}

  std::vector<Step> run() {
    for (const Program &smaller : flowSteps(program_))
      add(smaller);
    for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
      if (!corpus::info(program_.instructions[i].opcode).isTerminator()) {
        returnResult(i);
        deleteInstruction(i);
        dropFlags(i);
        dropCallAttributes(i);
        replaceOpcode(i);
        replacePredicate(i);
        compareWithZero(i);
        replaceByTwin(i);
      }
      changeOperands(i);
      changeMask(i);
    }
    dropAttributes();
    dropLanes();
    narrow();
    std::sort(found_.begin(), found_.end());
    std::vector<Step> steps;
    steps.reserve(found_.size());
    for (Entry &entry : found_)
      steps.push_back(std::move(entry.step));
    return steps;
  }

private:
  using Order = std::pair<Size, corpus::Bytes>;
  struct Entry {
    Order order;
    Step step;
    friend bool operator<(const Entry &a, const Entry &b) {
      return a.order < b.order;
    }
  };

  void add(const Program &candidate) {
    add({Step::Kind::takesAway, candidate});
  }

  void add(Step step) {
    step.program = corpus::withoutDeadInstructions(step.program);
    if (arguments_ == Arguments::renumbered)
      step.program = corpus::renumberArguments(step.program);
    if (corpus::verify(step.program))
      return;
    Order order(sizeOf(step.program), corpus::encode(step.program));
    if (order.first < size_ && seen_.insert(order.second).second)
      found_.push_back({std::move(order), std::move(step)});
  }

  void replaceOpcode(std::size_t index) {
    const Instruction &instruction = program_.instructions[index];
    for (const corpus::OpcodeInfo &row : corpus::opcodeTable()) {
      if (!canStandFor(row, instruction))
        continue;
      Step step{
          Step::Kind::rewrites, program_, {instruction.opcode, row.opcode}};
      step.program.instructions[index].opcode = row.opcode;
      add(std::move(step));
    }
  }

  void replacePredicate(std::size_t index) {
    if (program_.instructions[index].opcode != Opcode::icmp)
      return;
    for (const corpus::PredicateInfo &row : corpus::predicateTable) {
      Step step{Step::Kind::rewrites, program_};
      step.program.instructions[index].predicate = row.predicate;
      add(std::move(step));
    }
  }

  /// Of what a comparison is computed from, each value with 0: what an analysis
  /// is wrong about shows in many comparisons.
  void compareWithZero(std::size_t index) {
    if (program_.instructions[index].opcode != Opcode::icmp)
      return;
    std::vector<std::uint64_t> values = {index};
    for (std::size_t next = 0; next < values.size(); ++next) {
      const Instruction &user = program_.instructions[values[next]];
      if (user.opcode == Opcode::phi)
        continue;
      for (const Operand &value : program_.operandsOf(user)) {
        if (!value.is(Operand::Kind::instruction) ||
            std::find(values.begin(), values.end(), value.payload) !=
                values.end())
          continue;
        values.push_back(value.payload);
        if (value.type.isInteger())
          compareWithZero(index, value);
      }
    }
  }

  void compareWithZero(std::size_t index, const Operand &value) {
    for (const Predicate predicate : {Predicate::eq, Predicate::ne}) {
      Step step{Step::Kind::rewrites, program_};
      Instruction &comparison = step.program.instructions[index];
      comparison.predicate = predicate;
      const auto operands = step.program.operandsOf(comparison);
      operands[0] = value;
      operands[1] = Operand::constant(value.type, 0);
      add(std::move(step));
    }
  }

  /// By a plainer instruction that computes the same (of a select, with its
  /// arms either way round): passes often begin so themselves.
  void replaceByTwin(std::size_t index) {
    const Instruction &instruction = program_.instructions[index];
    if (instruction.opcode != Opcode::mul &&
        instruction.opcode != Opcode::select)
      return;
    const Type type = instruction.type;
    if (!type.isInteger())
      return;
    const auto operands = program_.operandsOf(instruction);
    const Operand zero = Operand::constant(type, 0);
    const Operand one = Operand::constant(type, 1);
    const Operand ones = Operand::constant(type, type.mask());
    if (instruction.opcode == Opcode::mul &&
        !instruction.flags.has(corpus::flag::nuw))
      for (const std::size_t i : {0, 1})
        if (operands[i] == ones)
          rewrite(index, Opcode::sub, {zero, operands[1 - i]});
    if (instruction.opcode != Opcode::select || type.width() == 1)
      return;
    for (const auto &[arm, opcode] :
         {std::pair(ones, Opcode::sext), std::pair(one, Opcode::zext)})
      if ((operands[1] == arm && operands[2] == zero) ||
          (operands[1] == zero && operands[2] == arm))
        rewrite(index, opcode, {operands[0]});
  }

  /// As that, with no more operands than now.
  void rewrite(std::size_t index, Opcode opcode,
               const std::vector<Operand> &operands) {
    Step step{Step::Kind::rewrites, program_};
    Instruction &twin = step.program.instructions[index];
    twin.opcode = opcode;
    const auto old = step.program.operandsOf(twin);
    std::copy(operands.begin(), operands.end(), old.begin());
    const std::size_t fewer = old.size() - operands.size();
    const auto end =
        step.program.operands.begin() + twin.firstOperand + twin.operandCount;
    step.program.operands.erase(end - static_cast<std::ptrdiff_t>(fewer), end);
    twin.operandCount -= static_cast<std::uint32_t>(fewer);
    for (Instruction &each : step.program.instructions)
      if (each.firstOperand > twin.firstOperand)
        each.firstOperand -= static_cast<std::uint32_t>(fewer);
    add(std::move(step));
  }

  /// From i1 up to i2, too: LLVM has bugs that only i1 has. What is accessed as
  /// whole bytes stays so: padding is a question of its own, and a slow one.
  void narrow() {
    const bool isOfBytes = accessesWholeBytes(program_);
    for (const unsigned width : {2, 3, 4, 8, 16, 32})
      for (const corpus::ConstantRule rule : corpus::constantRules)
        if (auto program = corpus::atWidth(program_, width, rule);
            program && (!isOfBytes || accessesWholeBytes(*program)))
          add({Step::Kind::rewrites, std::move(*program)});
  }

  void dropLanes() {
    for (unsigned lanes = corpus::mainLanes(program_).value_or(1); --lanes > 0;)
      if (auto program = corpus::atLanes(program_, lanes))
        add(*program);
    if (const auto program = corpus::onScalars(program_))
      add(*program);
  }

  void returnResult(std::size_t index) {
    const Instruction &instruction = program_.instructions[index];
    if (!program_.isStraightLine() || !isOfIntegers(instruction.type))
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
    if (!isOfIntegers(instruction.type))
      return;
    Program withArgument = program_;
    const Operand argument = withArgument.addParameter(instruction.type);
    deleteFor(std::move(withArgument), argument);
    for (const Operand &operand : program_.operandsOf(instruction))
      if (operand.type == instruction.type)
        deleteFor(program_, operand);
    for (const std::uint64_t bits : simpleNumbers(instruction.type.lane(0))) {
      Program withConstant = program_;
      const Operand constant = splat(withConstant, instruction.type, bits);
      deleteFor(std::move(withConstant), constant);
    }
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
      if (!isReplaceable(program_, instruction, i))
        continue;
      Program program = program_;
      const auto set = [&](const Operand &value) {
        program.operandsOf(program.instructions[index])[i] = value;
        add(program);
      };
      if (operand.isLiteral())
        for (const std::uint64_t bits : numbersBelow(operand))
          set(splat(program, operand.type, bits));
      if (operand.is(Operand::Kind::pooled))
        for (unsigned lane = 0; lane < operand.type.lanes(); ++lane)
          for (const std::uint64_t bits :
               numbersBelow(program_.constants[operand.payload].lanes[lane]))
            set(withLane(program, operand, lane, bits));
      set(program.addParameter(operand.type));
    }
  }

  /// The pooled literal with another number in that lane.
  static Operand withLane(Program &program, const Operand &pooled,
                          std::size_t lane, std::uint64_t bits) {
    std::vector<Operand> lanes = program.constants[pooled.payload].lanes;
    lanes[lane] = Operand::constant(lanes[lane].type, bits);
    return program.literal(pooled.type, std::move(lanes));
  }

  /// Entries of a mask that take the lane where they stand, or a lower one.
  void changeMask(std::size_t index) {
    const Instruction &instruction = program_.instructions[index];
    if (instruction.opcode != Opcode::shufflevector)
      return;
    const Operand &mask = program_.operandsOf(instruction)[2];
    if (!mask.is(Operand::Kind::pooled))
      return;
    const std::uint64_t lanes =
        program_.operandsOf(instruction)[0].type.lanes();
    for (unsigned i = 0; i < mask.type.lanes(); ++i)
      for (std::uint64_t lane = 0; lane < 2 * lanes; ++lane) {
        Program program = program_;
        const Operand changed = withLane(program, mask, i, lane);
        program.operandsOf(program.instructions[index])[2] = changed;
        add(program);
      }
  }

  static std::vector<std::uint64_t> simpleNumbers(Type type) {
    return {0, 1 & type.mask(), type.mask(), (type.mask() >> 1) + 1};
  }

  /// The simple ones, and a few on the way down to them.
  static std::vector<std::uint64_t> numbersBelow(const Operand &operand) {
    std::vector<std::uint64_t> result = simpleNumbers(operand.type.lane(0));
    if (operand.is(Operand::Kind::constant) && operand.payload > 1)
      for (const std::uint64_t bits :
           {operand.payload / 2, operand.payload - 1})
        result.push_back(bits);
    return result;
  }

  const Program &program_;
  const Arguments arguments_;
  const Size size_;
  std::set<corpus::Bytes> seen_;
  std::vector<Entry> found_;
};

/// Lanes of all that it has; a scalar has fewer than a vector of one.
std::uint64_t lanesOf(const Program &program) {
  std::uint64_t lanes = 0;
  const auto note = [&](Type type) {
    lanes += type.isVector() ? type.lanes() : 0;
  };
  for (const corpus::Parameter &parameter : program.signature.parameters)
    note(parameter.type);
  for (const Instruction &instruction : program.instructions)
    note(instruction.type);
  return lanes;
}

/// The widest type; i1 stands for all widths if i2 can take its place, so that
/// i2 is smaller.
unsigned widestType(const Program &program) {
  unsigned width = 0;
  const auto note = [&](Type type) {
    for (unsigned i = 0; i < type.lanes(); ++i)
      if (type.lane(i).isInteger())
        width = std::max(width, type.lane(i).width());
  };
  for (const corpus::Parameter &parameter : program.signature.parameters)
    note(parameter.type);
  for (const Instruction &instruction : program.instructions)
    note(instruction.type);
  return width == 1 && corpus::mainWidth(program) ? Type::maximumWidth + 1
                                                  : width;
}

/// The canonical form, and branches the other way round where that comes first.
/// Of programs with one canonical form, only the form itself has such a step
/// from another one, so that steps cannot go round in circles.
void addSameSize(const Program &program, std::vector<Step> &steps) {
  const Program form = corpus::canonical(inFlowOrder(program));
  if (form != program && sizeOf(form) <= sizeOf(program)) {
    steps.push_back({Step::Kind::takesAway, form});
    return;
  }
  for (const Program &swapped : withSidesSwapped(program)) {
    Program other = corpus::canonical(swapped);
    if (std::pair(sizeOf(other), corpus::encode(other)) <
        std::pair(sizeOf(program), corpus::encode(program)))
      steps.push_back({Step::Kind::takesAway, std::move(other)});
  }
}

/// How often each instruction stands in the target.
std::map<std::pair<Opcode, std::uint8_t>, std::size_t>
contents(const Program &program) {
  std::map<std::pair<Opcode, std::uint8_t>, std::size_t> result;
  for (const Instruction &instruction : program.instructions)
    ++result[{instruction.opcode, instruction.flags.bits()}];
  return result;
}

/// Whether the pass made of the rewritten program what it made of `current`:
/// the same instructions, as many blocks. An opcode may be exchanged if it is
/// context, as many in the target as in the source, and stays so; what the pass
/// left there without a use is gone.
bool madeAlike(const Program &current, const std::optional<Program> &made,
               const Step &step, const std::optional<Program> &newlyMade) {
  if (!made || !newlyMade)
    return !made && !newlyMade;
  const Program target = corpus::withoutDeadInstructions(*made);
  const Program newTarget = corpus::withoutDeadInstructions(*newlyMade);
  if (target.blocks.size() != newTarget.blocks.size())
    return false;
  auto before = contents(target);
  auto after = contents(newTarget);
  const auto [from, to] = step.opcodes;
  if (from != to) {
    const auto isContext = [](const Program &source, const Program &made,
                              Opcode opcode) {
      const auto count = [&](const Program &program) {
        return std::count_if(
            program.instructions.begin(), program.instructions.end(),
            [&](const Instruction &each) { return each.opcode == opcode; });
      };
      return count(source) == count(made);
    };
    for (const Opcode opcode : {from, to})
      if (!isContext(current, target, opcode) ||
          !isContext(step.program, newTarget, opcode))
        return false;
    for (auto *counts : {&before, &after})
      std::erase_if(*counts, [&, from = from, to = to](const auto &entry) {
        return entry.first.first == from || entry.first.first == to;
      });
  }
  return before == after;
}

} // namespace

Size sizeOf(const Program &program) {
  std::uint64_t edges = 0;
  std::uint64_t returned = 0;
  std::uint64_t results = 0;
  std::uint64_t undefined = 0;
  std::uint64_t constants = 0;
  std::uint64_t weight = 0;
  std::uint64_t arguments = 0;
  std::uint64_t spelling = 0;
  std::set<std::uint64_t> distinct;
  for (const Instruction &instruction : program.instructions) {
    const auto operands = program.operandsOf(instruction);
    if (instruction.opcode == Opcode::ret)
      returned += operands.size();
    if (!corpus::info(instruction.opcode).isTerminator())
      spelling += corpus::info(instruction.opcode).code +
                  static_cast<std::uint64_t>(instruction.predicate);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const Operand &operand = operands[i];
      if (operand.is(Operand::Kind::block) &&
          corpus::info(instruction.opcode).isTerminator())
        ++edges;
      if (operand.is(Operand::Kind::pooled) &&
          instruction.opcode == Opcode::shufflevector && i == 2)
        weight += weightOfMask(program.constants[operand.payload]);
      if (!isReplaceable(program, instruction, i))
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
      case Operand::Kind::pooled: {
        const auto &lanes = program.constants[operand.payload].lanes;
        ++constants;
        for (const Operand &lane : lanes) {
          weight += lane.is(Operand::Kind::constant) ? weightOf(lane) : 0;
          undefined += lane.is(Operand::Kind::constant) ? 0 : 1;
        }
        // Numbers that differ say more than one number.
        weight +=
            std::count_if(lanes.begin(), lanes.end(), [&](const Operand &lane) {
              return lane != lanes.front();
            });
        break;
      }
      case Operand::Kind::block:
      case Operand::Kind::global:
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
          returned,
          edges,
          program.instructionCount(),
          results,
          flags,
          undefined,
          constants,
          weight,
          arguments - distinct.size(),
          spelling,
          lanesOf(program),
          widestType(program)};
}

std::vector<Step> reductions(const Program &program, Arguments arguments) {
  return Steps(program, arguments).run();
}

/// The first step that may be taken, with what was made of it in `shown`. Most
/// often it is one of the first; then the others are not asked.
std::optional<std::size_t>
Reducer::takeStep(const Program &current, const std::vector<Step> &steps,
                  std::optional<Shown> &shown) const {
  std::size_t batch = 4;
  for (std::size_t from = 0; from < steps.size(); from += batch, batch *= 2) {
    std::vector<Program> programs;
    const std::size_t end = std::min(from + batch, steps.size());
    for (std::size_t i = from; i < end; ++i)
      programs.push_back(steps[i].program);
    auto results = shows_(programs);
    assert(results.size() == programs.size());
    for (std::size_t i = from; i < end; ++i) {
      auto &result = results[i - from];
      if (result &&
          (steps[i].kind == Step::Kind::takesAway ||
           madeAlike(current, shown->target, steps[i], result->target))) {
        shown = std::move(result);
        return i;
      }
    }
  }
  return std::nullopt;
}

std::optional<Program> Reducer::reduce(const Program &program) {
  if (const auto known = reduced_.find(corpus::encode(program));
      known != reduced_.end())
    return known->second;
  auto shown = std::move(shows_({&program, 1}).front());
  if (!shown)
    return std::nullopt;
  std::vector<corpus::Bytes> path;
  Program current = program;
  for (;;) {
    corpus::Bytes key = corpus::encode(current);
    if (const auto known = reduced_.find(key); known != reduced_.end()) {
      current = known->second;
      break;
    }
    path.push_back(std::move(key));
    std::vector<Step> steps = reductions(current);
    addSameSize(current, steps);
    const auto taken = takeStep(current, steps, shown);
    if (!taken)
      break;
    current = std::move(steps[*taken].program);
  }
  for (corpus::Bytes &key : path)
    reduced_.emplace(std::move(key), current);
  return current;
}

} // namespace reports
