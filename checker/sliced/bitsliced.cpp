// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/sliced/bitsliced.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace checker {

using bitsliced::Plane;
using bitsliced::Series;
using bitsliced::Step;
using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

namespace {

constexpr std::size_t maximumArguments = 8;
constexpr std::size_t maximumLayouts = 4096;
/// Steps that an exact answer may take before a proof in parts is tried, and
/// that each part may take.
constexpr double quickLimit = 1 << 11;
constexpr double partLimit = 1 << 15;
constexpr std::size_t maximumPicks = 62;
constexpr std::size_t maximumGuesses = 64;

bool isUnmaskedShift(Opcode opcode) {
  return opcode == Opcode::shl || opcode == Opcode::lshr ||
         opcode == Opcode::ashr || opcode == Opcode::sshlSat ||
         opcode == Opcode::ushlSat;
}

bool isPoisonWhereTold(Opcode opcode) {
  return opcode == Opcode::abs || opcode == Opcode::ctlz ||
         opcode == Opcode::cttz;
}

bool isDivision(Opcode opcode) {
  return opcode == Opcode::udiv || opcode == Opcode::sdiv ||
         opcode == Opcode::urem || opcode == Opcode::srem;
}

/// A freeze that may have a choice, which one of a number does not.
bool isPick(const Program &program, const Instruction &instruction) {
  return instruction.opcode == Opcode::freeze &&
         !program.operands[instruction.firstOperand].is(
             Operand::Kind::constant);
}

/// Picks above the instruction `index`. Their order is that of the text; blocks
/// may be compiled in another.
std::size_t picksBefore(const Program &program, std::size_t index) {
  const auto first = program.instructions.begin();
  return static_cast<std::size_t>(
      std::count_if(first, first + static_cast<std::ptrdiff_t>(index),
                    [&](const Instruction &instruction) {
                      return isPick(program, instruction);
                    }));
}

/// A return would be UB, which is not worth a step of its own.
bool neverReturns(const Program &program) {
  return program.signature.function.has(corpus::attribute::noreturn);
}

/// How many instructions both programs begin with.
std::size_t commonPrefix(const Program &source, const Program &target) {
  const std::size_t limit =
      std::min(source.instructions.size(), target.instructions.size());
  std::size_t operands = 0;
  for (std::size_t i = 0; i < limit; ++i) {
    const Instruction &instruction = source.instructions[i];
    if (instruction != target.instructions[i])
      return i;
    for (; operands < instruction.firstOperand + instruction.operandCount;
         ++operands)
      if (source.operands[operands] != target.operands[operands])
        return i;
  }
  return limit;
}

unsigned planesOf(Type type) {
  return type.isVoid() ? 0 : 1 + type.width() + (type.isOverflowPair() ? 1 : 0);
}

} // namespace

inline std::uint32_t BitSliced::allocate(unsigned planes) {
  const std::uint32_t at = filePlanes_;
  filePlanes_ += planes;
  if (file_.size() < filePlanes_)
    file_.resize(2 * static_cast<std::size_t>(filePlanes_));
  return at;
}

std::uint32_t BitSliced::literal(Type type, std::uint64_t bits, bool poison) {
  const std::uint32_t at = allocate(planesOf(type));
  Plane *plane = file_.data() + at;
  const auto fill = [&](bool value) {
    for (std::uint64_t &word : plane->words)
      word = -std::uint64_t(value);
    ++plane;
  };
  fill(poison);
  for (unsigned i = 0; i < type.width(); ++i)
    fill((bits >> i & 1) != 0);
  return at;
}

void BitSliced::restrict(const corpus::Attributes &attributes, Type type,
                         Side &side, Value &value) {
  Step step;
  step.width = static_cast<std::uint8_t>(type.width());
  step.a = value.planes;
  if (attributes.has(corpus::attribute::range)) {
    step.code = bitsliced::code::restrictToRange;
    step.b = literal(type, attributes.rangeLow, false);
    step.c = literal(type,
                     (attributes.rangeHigh - attributes.rangeLow) & type.mask(),
                     false);
    step.result = allocate(planesOf(type));
    side.steps.push_back(step);
    value = {step.result, value.poison | always};
    step.a = value.planes;
  }
  if (attributes.has(corpus::attribute::noundef)) {
    step.code = bitsliced::code::requireNoundef;
    side.steps.push_back(step);
  }
}

/// None for a set of values.
inline BitSliced::Value BitSliced::valueOf(const Operand &operand,
                                           const Semantics &semantics,
                                           const Side &side) {
  // The common ones first, without a jump that nothing predicts.
  if (operand.is(Operand::Kind::instruction) ||
      operand.is(Operand::Kind::argument)) {
    const std::vector<Value> &values =
        operand.is(Operand::Kind::argument) ? side.arguments : side.results;
    return values[operand.payload];
  }
  if (operand.is(Operand::Kind::constant))
    return {literal(operand.type, operand.payload, false), 0};
  const bool isPoison = operand.is(Operand::Kind::poison) ||
                        (operand.is(Operand::Kind::undef) &&
                         semantics.undef == UndefRule::asPoison);
  if (!isPoison || !operand.type.isInteger())
    return {};
  return {literal(operand.type, 0, true), always};
}

void BitSliced::addEdge(std::size_t from, std::size_t to, std::uint32_t plane,
                        Side &side) {
  for (Edge &edge : edges_)
    if (edge.from == from && edge.to == to) {
      Step &step = side.steps.emplace_back();
      step.code = bitsliced::code::join;
      step.width = 1;
      step.a = edge.plane;
      step.b = plane;
      step.result = edge.plane = allocate(1);
      return;
    }
  edges_.push_back({from, to, plane});
}

bool BitSliced::compilePhi(const Program &program, const Semantics &semantics,
                           const Instruction &instruction, std::size_t block,
                           Side &side) {
  const auto operands = program.operandsOf(instruction);
  Value merged;
  bool isFirst = true;
  for (std::size_t i = 0; i < operands.size(); i += 2) {
    const auto edge =
        std::find_if(edges_.begin(), edges_.end(), [&](const Edge &e) {
          return e.from == operands[i + 1].payload && e.to == block;
        });
    if (edge == edges_.end())
      continue; // from a block that nothing reaches
    const Value value = valueOf(operands[i], semantics, side);
    if (!value.exists())
      return false;
    if (isFirst) {
      merged = value;
      isFirst = false;
      continue;
    }
    Step &step = side.steps.emplace_back();
    step.code = bitsliced::code::choose;
    step.width = static_cast<std::uint8_t>(instruction.type.width());
    step.a = value.planes;
    step.b = merged.planes;
    step.c = edge->plane;
    step.result = allocate(planesOf(instruction.type));
    merged = {step.result, merged.poison | value.poison};
  }
  side.results[static_cast<std::size_t>(&instruction -
                                        program.instructions.data())] = merged;
  return true;
}

bool BitSliced::compileBranch(const Program &program,
                              const Semantics &semantics,
                              const Instruction &instruction, std::size_t block,
                              std::uint32_t active, Side &side) {
  const auto operands = program.operandsOf(instruction);
  if (instruction.opcode == Opcode::unreachable) {
    Step &step = side.steps.emplace_back();
    step.code = bitsliced::code::cannotBeHere;
    step.width = 1;
    return true;
  }
  if (operands.size() == 1) {
    addEdge(block, operands[0].payload, active, side);
    return true;
  }
  if (semantics.branchOnPoison != BranchRule::ub)
    return false;
  const Value condition = valueOf(operands[0], semantics, side);
  if (!condition.exists())
    return false;
  Step step;
  step.code = bitsliced::code::requireNoundef;
  step.width = static_cast<std::uint8_t>(operands[0].type.width());
  step.a = condition.planes;
  side.steps.push_back(step);
  if (instruction.opcode == Opcode::br) {
    step.code = bitsliced::code::split;
    step.b = allocate(1);
    step.c = allocate(1);
    side.steps.push_back(step);
    addEdge(block, operands[1].payload, step.b, side);
    addEdge(block, operands[2].payload, step.c, side);
    return true;
  }
  const std::uint32_t rest = allocate(1);
  Step copy;
  copy.code = bitsliced::code::join;
  copy.width = 1;
  copy.a = copy.b = active;
  copy.result = rest;
  side.steps.push_back(copy);
  step.code = bitsliced::code::splitCase;
  step.c = rest;
  for (std::size_t i = 2; i < operands.size(); i += 2) {
    step.b = literal(operands[i].type, operands[i].payload, false);
    step.result = allocate(1);
    side.steps.push_back(step);
    addEdge(block, operands[i + 1].payload, step.result, side);
  }
  addEdge(block, operands[1].payload, rest, side);
  return true;
}

namespace {

/// Blocks that the entry reaches, each behind those that lead to it; nothing
/// when there is a loop.
std::optional<std::vector<std::size_t>>
topologicalOrder(const Program &program) {
  enum class Mark : std::uint8_t { unseen, open, done };
  std::vector<Mark> marks(program.blocks.size(), Mark::unseen);
  std::vector<std::size_t> order;
  struct Frame {
    std::size_t block;
    std::size_t next; ///< operand of the terminator to look at
  };
  std::vector<Frame> stack = {{0, 0}};
  marks[0] = Mark::open;
  while (!stack.empty()) {
    Frame &frame = stack.back();
    const auto operands = program.operandsOf(
        program.instructions[program.blocks[frame.block].end - 1]);
    if (frame.next == operands.size()) {
      marks[frame.block] = Mark::done;
      order.push_back(frame.block);
      stack.pop_back();
      continue;
    }
    const Operand &operand = operands[frame.next++];
    if (!operand.is(Operand::Kind::block))
      continue;
    if (marks[operand.payload] == Mark::open)
      return std::nullopt;
    if (marks[operand.payload] == Mark::unseen) {
      marks[operand.payload] = Mark::open;
      stack.push_back({operand.payload, 0});
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

} // namespace

bool BitSliced::compileBlocks(const Program &program,
                              const Semantics &semantics, Side &side) {
  const auto order = topologicalOrder(program);
  if (!order)
    return false;
  edges_.clear();
  const Type returnType = program.signature.returnType;
  std::optional<std::uint32_t> returned;
  for (std::size_t block : *order) {
    std::optional<std::uint32_t> active;
    for (const Edge &edge : edges_) {
      if (edge.to != block)
        continue;
      if (!active) {
        active = edge.plane;
        continue;
      }
      Step &step = side.steps.emplace_back();
      step.code = bitsliced::code::join;
      step.width = 1;
      step.a = *active;
      step.b = edge.plane;
      step.result = allocate(1);
      active = step.result;
    }
    if (!active) // the entry: bit 0 of the number 1
      active = literal(Type::integer(1), 1, false) + 1;
    Step &enter = side.steps.emplace_back();
    enter.code = bitsliced::code::enterBlock;
    enter.width = 1;
    enter.a = *active;
    for (std::size_t i = program.blocks[block].begin;
         i < program.blocks[block].end; ++i) {
      const Instruction &instruction = program.instructions[i];
      const bool isBranch = instruction.opcode == Opcode::br ||
                            instruction.opcode == Opcode::switch_ ||
                            instruction.opcode == Opcode::unreachable;
      const bool compiled =
          instruction.opcode == Opcode::phi
              ? compilePhi(program, semantics, instruction, block, side)
          : isBranch ? compileBranch(program, semantics, instruction, block,
                                     *active, side)
                     : compile(program, semantics, instruction, side);
      if (!compiled)
        return false;
      if (instruction.opcode != Opcode::ret || returnType.isVoid())
        continue;
      // compile() has put this block's value into side.returned.
      Step &step = side.steps.emplace_back();
      step.code = bitsliced::code::choose;
      step.width = static_cast<std::uint8_t>(returnType.width());
      step.a = side.returned;
      step.b = returned.value_or(side.returned);
      step.c = *active;
      step.result = allocate(planesOf(returnType));
      returned = step.result;
    }
  }
  // Without any return every lane is in UB, and any planes will do.
  side.returned = returned.value_or(
      returnType.isVoid() ? 0 : literal(returnType, 0, false));
  return true;
}

bool BitSliced::compile(const Program &program, const Semantics &semantics,
                        Side &side) {
  side.results.resize(program.instructions.size());
  const auto &parameters = program.signature.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (!parameters[i].attributes.empty())
      restrict(parameters[i].attributes, parameters[i].type, side,
               side.arguments[i]);
  if (program.blocks.size() != 1)
    return compileBlocks(program, semantics, side);
  for (const Instruction &instruction : program.instructions) {
    if (mode_ == Mode::beforeFreeze && isPick(program, instruction)) {
      // What is frozen is what counts.
      const Operand &frozen = program.operandsOf(instruction).front();
      if (frozen.isLiteral())
        return false;
      side.returned = frozen.is(Operand::Kind::argument)
                          ? side.arguments[frozen.payload].planes
                          : side.results[frozen.payload].planes;
      return true;
    }
    if (!compile(program, semantics, instruction, side))
      return false;
  }
  return true;
}

/// Whether the instruction, one that both programs begin with, has its value
/// from the target: no need to compute that again, as long as it has no effect
/// and makes no choice.
inline bool BitSliced::hasValueOfTarget(const Program &source,
                                        const Instruction &instruction,
                                        const Semantics &semantics) const {
  if (isDivision(instruction.opcode) || instruction.opcode == Opcode::freeze ||
      instruction.type.isVoid() ||
      instruction.attributes != Instruction::noAttributes ||
      (instruction.opcode == Opcode::select &&
       semantics.selectCondition == SelectCondition::ub))
    return false;
  const auto operands = source.operandsOf(instruction);
  return std::all_of(operands.begin(), operands.end(),
                     [&](const Operand &operand) {
                       const std::size_t at = operand.payload;
                       return operand.is(Operand::Kind::argument)
                                  ? source_.arguments[at].planes ==
                                        target_.arguments[at].planes
                                  : !operand.is(Operand::Kind::instruction) ||
                                        source_.results[at].planes ==
                                            target_.results[at].planes;
                     });
}

bool BitSliced::compile(const Program &program, const Semantics &semantics,
                        const Instruction &instruction, Side &side) {
  const auto index =
      static_cast<std::size_t>(&instruction - program.instructions.data());
  if (index < shared_ && hasValueOfTarget(program, instruction, semantics)) {
    side.results[index] = target_.results[index];
    return true;
  }
  const Opcode opcode = instruction.opcode;
  const Operand *operands = program.operands.data() + instruction.firstOperand;
  const corpus::CallAttributes *attributes =
      instruction.attributes == Instruction::noAttributes
          ? nullptr
          : &program.callAttributes[instruction.attributes];
  const bool isReturn = opcode == Opcode::ret;
  if (opcode == Opcode::phi || opcode == Opcode::call || opcode == Opcode::br ||
      opcode == Opcode::switch_ || opcode == Opcode::unreachable)
    return false;
  const bool mayShiftTooFar = isUnmaskedShift(opcode);
  const corpus::Flags flags = semantics.overflow == OverflowRule::wrap
                                  ? corpus::flag::none
                                  : instruction.flags;
  if ((semantics.overflow == OverflowRule::undef && !flags.empty()) ||
      (semantics.shiftAmount == ShiftRule::undef && mayShiftTooFar) ||
      (semantics.selectCondition == SelectCondition::nondeterministic &&
       opcode == Opcode::select))
    return false;

  // The index of an extractvalue is no value.
  const std::uint32_t valueCount =
      opcode == Opcode::extractvalue ? 1 : instruction.operandCount;
  std::uint32_t planes[3] = {0, 0, 0};
  MayBePoison poison = 0;
  for (std::uint32_t i = 0; i < valueCount; ++i) {
    const Operand &operand = operands[i];
    Value value = valueOf(operand, semantics, side);
    if (!value.exists())
      return false;
    if (attributes != nullptr && !attributes->parameters.empty())
      restrict(attributes->parameters[i], operand.type, side, value);
    planes[i] = value.planes;
    poison |= value.poison;
  }
  if (isReturn) {
    Value returned{planes[0], poison};
    if (valueCount != 0 && !operands[0].type.isInteger())
      return false;
    if (!program.signature.result.empty()) {
      restrict(program.signature.result, operands[0].type, side, returned);
    }
    side.returned = returned.planes;
    return true;
  }

  const bool mayPick = isPick(program, instruction);
  const bool isDropped =
      mayPick && &side == &target_ && mode_ == Mode::freezeDropped &&
      ((poison & always) != 0 || picksBefore(program, index) >= sourcePicks_);
  if (opcode == Opcode::freeze && (!mayPick || isDropped)) {
    side.results[index] = {planes[0], poison};
    return true;
  }
  if (mayPick && mode_ == Mode::afterFreeze) {
    // Both sides go on with the same number, whatever was frozen.
    target_.choices[0].when = always;
    side.results[index] = {target_.choices[0].planes, 0};
    return true;
  }

  Step &step = side.steps.emplace_back();
  step.a = planes[0];
  step.b = opcode == Opcode::extractvalue
               ? static_cast<std::uint32_t>(operands[1].payload)
               : planes[1];
  step.c = planes[2];
  const Type widthOf = operands[opcode == Opcode::select ? 1 : 0].type;
  step.code = static_cast<std::uint8_t>(opcode);
  step.flags = flags.bits();
  step.predicate = static_cast<std::uint8_t>(instruction.predicate);
  step.width = static_cast<std::uint8_t>(widthOf.width());
  if (semantics.shiftAmount == ShiftRule::masked)
    step.mode |= bitsliced::mode::shiftMasked;
  if (semantics.selectCondition == SelectCondition::ub)
    step.mode |= bitsliced::mode::selectUb;
  if (semantics.selectArms == SelectArms::either)
    step.mode |= bitsliced::mode::selectEither;
  if (instruction.type.isVoid())
    return true;

  step.resultWidth = static_cast<std::uint8_t>(instruction.type.width());
  step.result = allocate(planesOf(instruction.type));
  if (mayPick) {
    // The target's choices are inputs and stand there already.
    if (&side == &source_)
      side.choices.push_back({allocate(planesOf(widthOf)), step.width, poison});
    Choice &choice = &side == &source_
                         ? side.choices.back()
                         : side.choices[picksBefore(program, index)];
    choice.when = poison;
    step.b = choice.planes;
    poison = 0;
  } else if (!flags.empty() || mayShiftTooFar || isPoisonWhereTold(opcode)) {
    poison |= always;
  }
  Value &result = side.results[index];
  result = {step.result, poison};
  if (attributes != nullptr && instruction.type.isInteger())
    restrict(attributes->result, instruction.type, side, result);
  return true;
}

/// Lays out the inputs of one signature.
class BitSliced::LayoutBuilder {
public:
  struct Argument {
    std::uint32_t planes;
    unsigned width; ///< 0: unused, it stays 0
  };

  LayoutBuilder(std::vector<Argument> arguments,
                const std::vector<Choice> &choices, bool poisonInputs,
                std::uint32_t inputPlanes, Layout &layout)
      : arguments_(std::move(arguments)), choices_(choices),
        poisonInputs_(poisonInputs), inputPlanes_(inputPlanes),
        layout_(layout) {}

  void build() {
    if (!buildInOneBlock())
      buildByPattern();
    // The vectors no longer move.
    for (std::size_t i = 0; i < layout_.series.size(); ++i) {
      layout_.series[i].planes = layout_.planes.data() + i * inputPlanes_;
      layout_.series[i].counters = layout_.counters.data() + counterStart_[i];
      layout_.blocks += static_cast<double>(layout_.series[i].blocks);
    }
  }

private:
  /// The planes that count when exactly the arguments of `pattern` are poison.
  std::vector<std::uint32_t> dimensions(unsigned pattern) const {
    std::vector<std::uint32_t> planes;
    for (std::size_t i = arguments_.size(); i-- > 0;)
      if ((pattern >> i & 1) == 0)
        for (unsigned bit = 0; bit < arguments_[i].width; ++bit)
          planes.push_back(arguments_[i].planes + 1 + bit);
    for (const Choice &choice : choices_)
      if ((choice.when & (always | pattern)) != 0)
        for (unsigned bit = 0; bit < choice.width; ++bit)
          planes.push_back(choice.planes + 1 + bit);
    return planes;
  }

  Plane *addSeries(std::uint64_t blocks) {
    const std::size_t start = layout_.planes.size();
    layout_.planes.resize(start + inputPlanes_);
    Series series;
    series.blocks = blocks;
    layout_.series.push_back(series);
    counterStart_.push_back(layout_.counters.size());
    return layout_.planes.data() + start;
  }

  static Plane countingPlane(unsigned bit) {
    Plane plane{};
    for (unsigned lane = 0; lane < bitsliced::lanes; ++lane)
      plane.words[lane / 64] |= std::uint64_t(lane >> bit & 1) << lane % 64;
    return plane;
  }

  /// Poison is one more dimension of each argument; that there are several
  /// lanes for the same poison input does no harm.
  bool buildInOneBlock() {
    std::vector<std::uint32_t> planes = dimensions(0);
    for (const Choice &choice : choices_)
      if ((choice.when & always) == 0)
        for (unsigned bit = 0; bit < choice.width; ++bit)
          planes.push_back(choice.planes + 1 + bit);
    if (poisonInputs_)
      for (const Argument &argument : arguments_)
        if (argument.width != 0)
          planes.push_back(argument.planes);
    if (planes.size() > bitsliced::laneBits)
      return false;
    Plane *start = addSeries(1);
    for (unsigned bit = 0; bit < planes.size(); ++bit)
      start[planes[bit]] = countingPlane(bit);
    return true;
  }

  void buildByPattern() {
    const unsigned patterns = poisonInputs_ ? 1U << arguments_.size() : 1;
    unsigned used = 0;
    for (std::size_t i = 0; i < arguments_.size(); ++i)
      used |= arguments_[i].width != 0 ? 1U << i : 0;
    for (unsigned pattern = 0; pattern < patterns; ++pattern) {
      if ((pattern & ~used) != 0)
        continue;
      const std::vector<std::uint32_t> counting = dimensions(pattern);
      if (counting.size() < bitsliced::laneBits)
        addLanes(pattern, counting);
      else if (counting.size() - bitsliced::laneBits >= 62)
        layout_.blocks = HUGE_VAL;
      else
        addBlocks(pattern, counting);
    }
  }

  void addBlocks(unsigned pattern, const std::vector<std::uint32_t> &counting) {
    Plane *start =
        addSeries(std::uint64_t(1) << (counting.size() - bitsliced::laneBits));
    for (std::size_t i = 0; i < arguments_.size(); ++i)
      if ((pattern >> i & 1) != 0)
        std::fill(std::begin(start[arguments_[i].planes].words),
                  std::end(start[arguments_[i].planes].words),
                  ~std::uint64_t(0));
    for (unsigned bit = 0; bit < bitsliced::laneBits; ++bit)
      start[counting[bit]] = countingPlane(bit);
    layout_.counters.insert(layout_.counters.end(),
                            counting.begin() + bitsliced::laneBits,
                            counting.end());
  }

  /// Patterns that do not fill a block share blocks. Lanes left over are the
  /// input 0, 0, ..., which is an input like any other.
  void addLanes(unsigned pattern, const std::vector<std::uint32_t> &counting) {
    for (std::uint64_t number = 0; number >> counting.size() == 0; ++number) {
      if (sharedLane_ == bitsliced::lanes || sharedSeries_ == noSeries) {
        sharedSeries_ = layout_.series.size();
        addSeries(1);
        sharedLane_ = 0;
      }
      Plane *start = layout_.planes.data() + sharedSeries_ * inputPlanes_;
      const auto set = [&](std::uint32_t plane) {
        start[plane].words[sharedLane_ / 64] |= std::uint64_t(1)
                                                << sharedLane_ % 64;
      };
      for (std::size_t i = 0; i < arguments_.size(); ++i)
        if ((pattern >> i & 1) != 0)
          set(arguments_[i].planes);
      for (std::size_t bit = 0; bit < counting.size(); ++bit)
        if ((number >> bit & 1) != 0)
          set(counting[bit]);
      ++sharedLane_;
    }
  }

  static constexpr std::size_t noSeries = ~std::size_t(0);

  std::vector<Argument> arguments_;
  const std::vector<Choice> &choices_;
  bool poisonInputs_;
  std::uint32_t inputPlanes_;
  Layout &layout_;
  std::vector<std::size_t> counterStart_;
  std::size_t sharedSeries_ = noSeries;
  unsigned sharedLane_ = 0;
};

unsigned BitSliced::usedWidth(const Program &program,
                              std::size_t argument) const {
  return (unusedArguments_ >> argument & 1) != 0
             ? 0
             : program.signature.parameters[argument].type.width();
}

/// Takes away steps that cannot matter, and notes the arguments that only they
/// used.
void BitSliced::removeDeadSteps() {
  livePlanes_.assign(filePlanes_, false);
  std::vector<bool> &live = livePlanes_;
  for (Side *side : {&source_, &target_}) {
    live[side->returned] = true;
    std::size_t kept = side->steps.size();
    for (std::size_t i = side->steps.size(); i-- > 0;) {
      const Step &step = side->steps[i];
      const bool mayBeUb = step.code == bitsliced::code::requireNoundef ||
                           isDivision(static_cast<Opcode>(step.code)) ||
                           static_cast<Opcode>(step.code) == Opcode::assume ||
                           (step.mode & bitsliced::mode::selectUb) != 0;
      if (!mayBeUb && !live[step.result])
        continue;
      live[step.a] = true;
      if (static_cast<Opcode>(step.code) != Opcode::extractvalue)
        live[step.b] = true;
      live[step.c] = true;
      side->steps[--kept] = step;
    }
    side->steps.erase(side->steps.begin(),
                      side->steps.begin() + static_cast<std::ptrdiff_t>(kept));
  }
}

const BitSliced::Layout &BitSliced::layoutOf(const Program &source,
                                             bool poisonInputs) {
  const auto &parameters = source.signature.parameters;
  LayoutKey key;
  key.words[0] = poisonInputs ? 3 : 2; // the leading bit tells the length
  for (std::size_t i = 0; i < parameters.size(); ++i)
    key.words[0] = key.words[0] << 7 | usedWidth(source, i);
  for (std::size_t k = 0; k < target_.choices.size(); ++k)
    key.words[1 + k / 2] |= (std::uint64_t(target_.choices[k].width) << 16 |
                             target_.choices[k].when)
                            << 32 * (k % 2);
  // The pairs of a campaign come with the same arguments for long.
  if (latestLayout_ != nullptr && latestLayout_->first == key)
    return latestLayout_->second;
  if (const auto found = layouts_.find(key); found != layouts_.end()) {
    latestLayout_ = &*found;
    return latestLayout_->second;
  }

  if (layouts_.size() == maximumLayouts)
    layouts_.clear();
  const auto added = layouts_.try_emplace(key).first;
  latestLayout_ = &*added;
  Layout &layout = added->second;
  std::vector<LayoutBuilder::Argument> arguments;
  std::uint32_t inputPlanes = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    arguments.push_back({inputPlanes, usedWidth(source, i)});
    inputPlanes += planesOf(parameters[i].type);
  }
  for (const Choice &choice : target_.choices)
    inputPlanes += 1 + choice.width;
  LayoutBuilder(std::move(arguments), target_.choices, poisonInputs,
                inputPlanes, layout)
      .build();
  return layout;
}

/// Collects the smallest of the inputs that show a kind.
struct BitSliced::SmallestInput {
  /// Whether it is poison, and the number if it is not.
  using Value = std::pair<bool, std::uint64_t>;
  /// How many are poison, and all of them: compares as witnesses do.
  using Key = std::pair<unsigned, std::vector<Value>>;

  const Program &program;
  std::uint8_t kind; ///< one of bitsliced::found
  std::optional<Key> best;

  static void collect(void *context, const Plane *file, const Plane &wrong) {
    auto &self = *static_cast<SmallestInput *>(context);
    for (unsigned lane = 0; lane < bitsliced::lanes; ++lane)
      if ((wrong.words[lane / 64] >> lane % 64 & 1) != 0)
        self.consider(file, lane);
  }

  void consider(const Plane *file, unsigned lane) {
    const auto bit = [&](std::uint32_t plane) {
      return file[plane].words[lane / 64] >> lane % 64 & 1;
    };
    Key key;
    auto &[poisonCount, values] = key;
    std::uint32_t plane = 0;
    for (const corpus::Parameter &parameter : program.signature.parameters) {
      const bool poison = bit(plane) != 0;
      std::uint64_t number = 0;
      for (unsigned i = 0; i < parameter.type.width() && !poison; ++i)
        number |= bit(plane + 1 + i) << i;
      poisonCount += poison ? 1 : 0;
      values.emplace_back(poison, number);
      plane += planesOf(parameter.type);
    }
    if (!best || key < *best)
      best = std::move(key);
  }

  Input input() const {
    Input result;
    for (std::size_t i = 0; i < best->second.size(); ++i) {
      const auto [poison, number] = best->second[i];
      result.push_back(
          {poison ? Element::poisonOf(program.signature.parameters[i].type)
                  : Element::number(number)});
    }
    return result;
  }
};

/// What the source's freezes may pick: at first what the target's do, then
/// values of the target of the right width, then everything.
void BitSliced::preparePicks(const Program &target, std::uint32_t zero) {
  picks_.clear();
  guesses_.clear();
  if (source_.choices.empty())
    return;
  std::vector<std::vector<std::uint32_t>> candidates;
  std::size_t combinations = 1;
  for (std::size_t k = 0; k < source_.choices.size(); ++k) {
    const Choice &choice = source_.choices[k];
    const bool hasPartner =
        k < target_.choices.size() && target_.choices[k].width == choice.width;
    for (unsigned bit = 0; bit < choice.width; ++bit)
      picks_.push_back(
          {choice.planes + 1 + bit,
           hasPartner ? target_.choices[k].planes + 1 + bit : zero});
    std::vector<std::uint32_t> &list = candidates.emplace_back();
    if (hasPartner)
      list.push_back(target_.choices[k].planes);
    for (std::size_t i = 0; i < target.instructions.size(); ++i)
      if (target.instructions[i].type == Type::integer(choice.width))
        list.push_back(target_.results[i].planes);
    for (std::size_t i = 0; i < target.signature.parameters.size(); ++i)
      if (target.signature.parameters[i].type == Type::integer(choice.width))
        list.push_back(target_.arguments[i].planes);
    combinations = std::min(combinations * list.size(), maximumGuesses);
  }
  for (std::size_t guess = 0; guess < combinations; ++guess) {
    std::size_t rest = guess;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      const std::uint32_t from = candidates[k][rest % candidates[k].size()];
      rest /= candidates[k].size();
      for (unsigned bit = 0; bit < source_.choices[k].width; ++bit)
        guesses_.push_back(from + 1 + bit);
    }
  }
}

bool BitSliced::prepare(const Program &source, const Program &target,
                        const Semantics &semantics, Mode mode) {
  mode_ = mode;
  const auto &parameters = source.signature.parameters;
  // The register file: arguments and what the target's freezes pick, as the
  // layout has them; then everything else.
  filePlanes_ = 0;
  for (Side *side : {&source_, &target_}) {
    side->steps.clear();
    side->choices.clear();
    side->arguments.clear();
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::uint32_t planes = allocate(planesOf(parameters[i].type));
    for (Side *side : {&source_, &target_})
      side->arguments.push_back({planes, 1U << i});
  }
  for (const Instruction &instruction : target.instructions)
    if (isPick(target, instruction)) {
      if (target_.choices.size() == maximumChoices)
        return false;
      target_.choices.push_back(
          {allocate(planesOf(instruction.type)),
           static_cast<std::uint8_t>(instruction.type.width()), 0});
    }
  inputPlanes_ = filePlanes_;
  if (mode == Mode::freezeDropped)
    sourcePicks_ = picksBefore(source, source.instructions.size());
  shared_ = 0;
  if (!compile(target, semantics, target_))
    return false;
  const std::uint32_t zero = literal(Type::integer(1), 0, false);
  // Elsewhere the target may not be compiled up to its end.
  if (mode != Mode::beforeFreeze && source.blocks.size() == 1 &&
      target.blocks.size() == 1)
    shared_ = commonPrefix(source, target);
  if (!compile(source, semantics, source_))
    return false;
  unusedArguments_ = 0;
  if (mode == Mode::afterFreeze) {
    removeDeadSteps();
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (!livePlanes_[source_.arguments[i].planes])
        unusedArguments_ |= 1U << i;
  }
  preparePicks(target, zero);
  return true;
}

/// Requires prepare(). Nothing when it would take more than `limit` steps.
std::optional<std::uint8_t> BitSliced::run(const Program &source,
                                           const Semantics &semantics,
                                           Type returned, double limit,
                                           SmallestInput *smallest) {
  const Layout &layout = layoutOf(source, semantics.inputs != Inputs::defined);
  const double steps =
      1.0 + static_cast<double>(source_.steps.size() + target_.steps.size());
  if (layout.blocks * steps > limit || picks_.size() > maximumPicks)
    return std::nullopt;
  bitsliced::Job job;
  job.file = file_.data();
  job.inputPlanes = inputPlanes_;
  job.series = layout.series.data();
  job.seriesCount = layout.series.size();
  job.source = {source_.steps.data(), source_.steps.size(), source_.returned};
  job.target = {target_.steps.data(), target_.steps.size(), target_.returned};
  job.returnedPlanes =
      returned.isVoid() ? 0 : static_cast<std::uint8_t>(returned.width());
  job.picks = picks_.data();
  job.pickCount = picks_.size();
  job.guesses = guesses_.data();
  job.guessCount = picks_.empty() ? 0 : guesses_.size() / picks_.size();
  job.budget = static_cast<std::uint64_t>(limit / steps);
  if (smallest != nullptr) {
    job.onWrong = SmallestInput::collect;
    job.context = smallest;
    job.wantedKind = smallest->kind;
  }
  const std::uint8_t found = kernel_(job);
  if ((found & bitsliced::found::outOfBudget) != 0)
    return std::nullopt;
  return found;
}

/// Cheap proofs for pairs with freezes, each of them sufficient: the target
/// refines the source even without the freezes that the source lacks, or of
/// what numbers make poison (every operation is monotone); or the pair splits
/// at its only freezes into what is frozen and what comes of it.
bool BitSliced::isProvedInParts(const Program &source, const Program &target,
                                const Semantics &semantics) {
  const Type returned = source.signature.returnType;
  const auto holds = [&](Mode mode, Type type) {
    return prepare(source, target, semantics, mode) &&
           run(source, semantics, type, partLimit, nullptr) == 0;
  };
  if (holds(Mode::freezeDropped, returned))
    return true;
  if (source.blocks.size() != 1 || target.blocks.size() != 1)
    return false;
  const auto onlyFreeze = [](const Program &program) {
    const Instruction *only = nullptr;
    for (const Instruction &instruction : program.instructions)
      if (isPick(program, instruction)) {
        if (only != nullptr)
          return Type();
        only = &instruction;
      }
    return only == nullptr ? Type() : only->type;
  };
  const Type frozen = onlyFreeze(source);
  return !frozen.isVoid() && frozen == onlyFreeze(target) &&
         holds(Mode::beforeFreeze, frozen) &&
         holds(Mode::afterFreeze, returned);
}

BitSliced::Result BitSliced::check(const Program &source, const Program &target,
                                   const Semantics &semantics,
                                   bool wantSmallest) {
  using Word = Result::Word;
  const auto &parameters = source.signature.parameters;
  const Type returned = source.signature.returnType;
  const bool hasOddType =
      returned.isOverflowPair() ||
      std::any_of(parameters.begin(), parameters.end(),
                  [](const auto &p) { return !p.type.isInteger(); });
  if (semantics.poisonUnit == PoisonUnit::bit ||
      parameters.size() > maximumArguments || hasOddType ||
      neverReturns(source) || neverReturns(target) ||
      !prepare(source, target, semantics, Mode::exact))
    return {Word::needsSets, {}, {}};

  // With freezes the exact answer may be dear.
  std::optional<std::uint8_t> found =
      run(source, semantics, returned,
          target_.choices.empty() && source_.choices.empty() ? stepLimit_
                                                             : quickLimit,
          nullptr);
  if (!found) {
    if (isProvedInParts(source, target, semantics))
      return {};
    prepare(source, target, semantics, Mode::exact);
    found = run(source, semantics, returned, stepLimit_, nullptr);
  }
  if (!found)
    return {Word::tooMany, {}, {}};
  if (*found == 0)
    return {};

  Result result;
  result.word = Word::wrong;
  result.kind = (*found & bitsliced::found::moreUb) != 0 ? Kind::moreUb
                : (*found & bitsliced::found::morePoison) != 0
                    ? Kind::morePoison
                    : Kind::value;
  if (wantSmallest) {
    SmallestInput smallest{
        source,
        result.kind == Kind::moreUb       ? bitsliced::found::moreUb
        : result.kind == Kind::morePoison ? bitsliced::found::morePoison
                                          : bitsliced::found::value,
        {}};
    run(source, semantics, returned, stepLimit_, &smallest);
    result.smallest = smallest.input();
  }
  return result;
}

} // namespace checker
