// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/bitsliced.h"

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
constexpr std::size_t maximumPicks = 62;

bool isUnmaskedShift(Opcode opcode) {
  return opcode == Opcode::shl || opcode == Opcode::lshr ||
         opcode == Opcode::ashr || opcode == Opcode::sshlSat ||
         opcode == Opcode::ushlSat;
}

bool isPoisonWhereTold(Opcode opcode) {
  return opcode == Opcode::abs || opcode == Opcode::ctlz ||
         opcode == Opcode::cttz;
}

unsigned planesOf(Type type) {
  return type.isVoid() ? 0 : 1 + type.width() + (type.isOverflowPair() ? 1 : 0);
}

} // namespace

std::uint32_t BitSliced::allocate(unsigned planes) {
  const std::uint32_t at = filePlanes_;
  filePlanes_ += planes;
  if (file_.size() < filePlanes_)
    file_.resize(2 * static_cast<std::size_t>(filePlanes_));
  return at;
}

std::uint32_t BitSliced::literal(Type type, std::uint64_t bits, bool poison) {
  const std::uint32_t at = allocate(planesOf(type));
  const auto fill = [&](std::uint32_t plane, bool value) {
    std::fill(std::begin(file_[plane].words), std::end(file_[plane].words),
              value ? ~std::uint64_t(0) : 0);
  };
  fill(at, poison);
  for (unsigned i = 0; i < type.width(); ++i)
    fill(at + 1 + i, (bits >> i & 1) != 0);
  return at;
}

void BitSliced::restrict(const corpus::Attributes &attributes, Type type,
                         Side &side, std::uint32_t &planes,
                         MayBePoison &poison) {
  Step step;
  step.width = static_cast<std::uint8_t>(type.width());
  step.a = planes;
  if (attributes.has(corpus::attribute::range)) {
    step.code = bitsliced::code::restrictToRange;
    step.b = literal(type, attributes.rangeLow, false);
    step.c = literal(type,
                     (attributes.rangeHigh - attributes.rangeLow) & type.mask(),
                     false);
    step.result = planes = allocate(planesOf(type));
    side.steps.push_back(step);
    poison.always = true;
    step.a = planes;
  }
  if (attributes.has(corpus::attribute::noundef)) {
    step.code = bitsliced::code::requireNoundef;
    side.steps.push_back(step);
  }
}

bool BitSliced::compile(const Program &program, const Semantics &semantics,
                        Side &side) {
  side.results.assign(program.instructions.size(), 0);
  side.mayBePoison.assign(program.instructions.size(), {});
  const auto &parameters = program.signature.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    restrict(parameters[i].attributes, parameters[i].type, side,
             side.argumentPlanes[i], side.argumentPoison[i]);
  for (std::size_t i = 0; i < program.instructions.size(); ++i)
    if (!compile(program, semantics, program.instructions[i], i, side))
      return false;
  return true;
}

bool BitSliced::compile(const Program &program, const Semantics &semantics,
                        const Instruction &instruction, std::size_t index,
                        Side &side) {
  const corpus::OpcodeInfo &opcode = corpus::info(instruction.opcode);
  const auto operands = program.operandsOf(instruction);
  const corpus::CallAttributes *attributes =
      instruction.attributes == Instruction::noAttributes
          ? nullptr
          : &program.callAttributes[instruction.attributes];
  const bool isReturn = instruction.opcode == Opcode::ret;
  if (!isReturn &&
      (opcode.isTerminator() || instruction.opcode == Opcode::phi ||
       instruction.opcode == Opcode::call))
    return false;
  const bool mayShiftTooFar = isUnmaskedShift(instruction.opcode);
  const corpus::Flags flags = semantics.overflow == OverflowRule::wrap
                                  ? corpus::flag::none
                                  : instruction.flags;
  if ((semantics.overflow == OverflowRule::undef && !flags.empty()) ||
      (semantics.shiftAmount == ShiftRule::undef && mayShiftTooFar) ||
      (semantics.selectCondition == SelectCondition::nondeterministic &&
       instruction.opcode == Opcode::select))
    return false;

  Step step;
  std::uint32_t *places[] = {&step.a, &step.b, &step.c};
  MayBePoison poison;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Operand &operand = operands[i];
    if (instruction.opcode == Opcode::extractvalue && i == 1) {
      step.b = static_cast<std::uint32_t>(operand.payload);
      break;
    }
    std::uint32_t planes = 0;
    MayBePoison operandPoison;
    switch (operand.kind) {
    case Operand::Kind::constant:
      planes = literal(operand.type, operand.payload, false);
      break;
    case Operand::Kind::undef:
      if (semantics.undef == UndefRule::perUse)
        return false;
      [[fallthrough]];
    case Operand::Kind::poison:
      if (!operand.type.isInteger())
        return false;
      planes = literal(operand.type, 0, true);
      operandPoison.always = true;
      break;
    case Operand::Kind::argument:
      planes = side.argumentPlanes[operand.payload];
      operandPoison = side.argumentPoison[operand.payload];
      break;
    case Operand::Kind::instruction:
      planes = side.results[operand.payload];
      operandPoison = side.mayBePoison[operand.payload];
      break;
    case Operand::Kind::block:
      return false;
    }
    if (attributes != nullptr && !attributes->parameters.empty())
      restrict(attributes->parameters[i], operand.type, side, planes,
               operandPoison);
    *places[i] = planes;
    poison.arguments |= operandPoison.arguments;
    poison.always |= operandPoison.always;
  }
  if (isReturn) {
    if (!operands.empty() && !operands[0].type.isInteger())
      return false;
    side.returned = step.a;
    if (!operands.empty())
      restrict(program.signature.result, operands[0].type, side, side.returned,
               poison);
    return true;
  }

  const Type widthOf =
      operands[instruction.opcode == Opcode::select ? 1 : 0].type;
  step.code = static_cast<std::uint8_t>(instruction.opcode);
  step.flags = flags.bits();
  step.predicate = static_cast<std::uint8_t>(instruction.predicate);
  step.width = static_cast<std::uint8_t>(widthOf.width());
  step.mode = static_cast<std::uint8_t>(
      (semantics.shiftAmount == ShiftRule::masked ? bitsliced::mode::shiftMasked
                                                  : 0) |
      (semantics.selectCondition == SelectCondition::ub
           ? bitsliced::mode::selectUb
           : 0) |
      (semantics.selectArms == SelectArms::either
           ? bitsliced::mode::selectEither
           : 0));
  if (!instruction.type.isVoid()) {
    step.resultWidth = static_cast<std::uint8_t>(instruction.type.width());
    step.result = allocate(planesOf(instruction.type));
  }
  if (instruction.opcode == Opcode::freeze) {
    // The target's choices are inputs and stand there already.
    std::size_t number = 0;
    while (number < side.choices.size() && side.choices[number].width != 0)
      ++number;
    Choice &choice = number < side.choices.size() ? side.choices[number]
                                                  : side.choices.emplace_back();
    if (choice.planes == 0)
      choice.planes = allocate(planesOf(widthOf));
    choice.width = step.width;
    choice.when = poison;
    step.b = choice.planes;
    poison = {};
  }
  poison.always |=
      !flags.empty() || mayShiftTooFar || isPoisonWhereTold(instruction.opcode);
  side.steps.push_back(step);
  std::uint32_t planes = step.result;
  if (attributes != nullptr && !instruction.type.isVoid() &&
      instruction.type.isInteger())
    restrict(attributes->result, instruction.type, side, planes, poison);
  side.results[index] = planes;
  side.mayBePoison[index] = poison;
  return true;
}

/// Lays out the inputs of one signature.
class BitSliced::LayoutBuilder {
public:
  struct Argument {
    std::uint32_t planes;
    unsigned width;
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
      if (choice.when.always || (choice.when.arguments & pattern) != 0)
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
      if (!choice.when.always)
        for (unsigned bit = 0; bit < choice.width; ++bit)
          planes.push_back(choice.planes + 1 + bit);
    if (poisonInputs_)
      for (const Argument &argument : arguments_)
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
    for (unsigned pattern = 0; pattern < patterns; ++pattern) {
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

const BitSliced::Layout &BitSliced::layoutOf(const Program &source,
                                             bool poisonInputs) {
  const auto &parameters = source.signature.parameters;
  key_.clear();
  key_.push_back(static_cast<char>(poisonInputs));
  key_.push_back(static_cast<char>(parameters.size()));
  for (const corpus::Parameter &parameter : parameters)
    key_.push_back(static_cast<char>(parameter.type.width()));
  for (const Choice &choice : target_.choices) {
    key_.push_back(static_cast<char>(choice.width));
    key_.push_back(static_cast<char>(choice.when.arguments));
    key_.push_back(static_cast<char>(choice.when.always));
  }
  if (const auto found = layouts_.find(key_); found != layouts_.end())
    return found->second;

  if (layouts_.size() == maximumLayouts)
    layouts_.clear();
  Layout &layout = layouts_[key_];
  std::vector<LayoutBuilder::Argument> arguments;
  std::uint32_t inputPlanes = 0;
  for (const corpus::Parameter &parameter : parameters) {
    arguments.push_back({inputPlanes, parameter.type.width()});
    inputPlanes += planesOf(parameter.type);
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
  struct Value {
    bool poison;
    std::uint64_t bits;
    friend auto operator<=>(const Value &, const Value &) = default;
  };
  struct Key {
    unsigned poison = 0;
    std::vector<Value> values;
    friend auto operator<=>(const Key &, const Key &) = default;
  };

  const Program &program;
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
    std::uint32_t plane = 0;
    for (const corpus::Parameter &parameter : program.signature.parameters) {
      Value value{bit(plane) != 0, 0};
      if (!value.poison)
        for (unsigned i = 0; i < parameter.type.width(); ++i)
          value.bits |= bit(plane + 1 + i) << i;
      key.poison += value.poison ? 1 : 0;
      key.values.push_back(value);
      plane += planesOf(parameter.type);
    }
    if (!best || key < *best)
      best = std::move(key);
  }

  Input input() const {
    Input result;
    for (std::size_t i = 0; i < best->values.size(); ++i)
      result.push_back(
          {best->values[i].poison
               ? Element::poisonOf(program.signature.parameters[i].type)
               : Element::number(best->values[i].bits)});
    return result;
  }
};

BitSliced::Result BitSliced::check(const Program &source, const Program &target,
                                   const Semantics &semantics,
                                   bool wantSmallest) {
  using Word = Result::Word;
  const auto &parameters = source.signature.parameters;
  if (semantics.poisonUnit == PoisonUnit::bit || source.blocks.size() != 1 ||
      target.blocks.size() != 1 || parameters.size() > maximumArguments ||
      source.signature.returnType.isOverflowPair())
    return {Word::needsSets, {}, {}};

  // The register file: arguments and what the target's freezes pick, as the
  // layout has them; then everything else.
  filePlanes_ = 0;
  for (Side *side : {&source_, &target_}) {
    side->steps.clear();
    side->choices.clear();
    side->argumentPlanes.clear();
    side->argumentPoison.clear();
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters[i].type.isInteger())
      return {Word::needsSets, {}, {}};
    const std::uint32_t planes = allocate(planesOf(parameters[i].type));
    for (Side *side : {&source_, &target_}) {
      side->argumentPlanes.push_back(planes);
      side->argumentPoison.push_back(
          {static_cast<std::uint8_t>(1U << i), false});
    }
  }
  for (const Instruction &instruction : target.instructions)
    if (instruction.opcode == Opcode::freeze) {
      // Plane 0 as a choice's place means none yet; without arguments skip it.
      if (filePlanes_ == 0)
        return {Word::needsSets, {}, {}};
      Choice &choice = target_.choices.emplace_back();
      choice.planes = allocate(planesOf(instruction.type));
    }
  const std::uint32_t inputPlanes = filePlanes_;
  if (!compile(target, semantics, target_))
    return {Word::needsSets, {}, {}};
  const std::uint32_t zero = literal(Type::integer(1), 0, false);
  if (!compile(source, semantics, source_))
    return {Word::needsSets, {}, {}};

  picks_.clear();
  for (std::size_t k = 0; k < source_.choices.size(); ++k)
    for (unsigned bit = 0; bit < source_.choices[k].width; ++bit) {
      const bool hasPartner =
          k < target_.choices.size() && bit < target_.choices[k].width;
      picks_.push_back(
          {source_.choices[k].planes + 1 + bit,
           hasPartner ? target_.choices[k].planes + 1 + bit : zero});
    }

  const Layout &layout = layoutOf(source, semantics.inputs != Inputs::defined);
  const double steps =
      1.0 + static_cast<double>(source_.steps.size() + target_.steps.size());
  if (layout.blocks * steps > stepLimit_ || picks_.size() > maximumPicks)
    return {Word::tooMany, {}, {}};

  bitsliced::Job job;
  job.file = file_.data();
  job.inputPlanes = inputPlanes;
  job.series = layout.series.data();
  job.seriesCount = layout.series.size();
  job.source = {source_.steps.data(), source_.steps.size(), source_.returned};
  job.target = {target_.steps.data(), target_.steps.size(), target_.returned};
  job.returnedPlanes =
      source.signature.returnType.isVoid()
          ? 0
          : static_cast<std::uint8_t>(source.signature.returnType.width());
  job.picks = picks_.data();
  job.pickCount = picks_.size();
  job.budget = static_cast<std::uint64_t>(stepLimit_ / steps);
  const std::uint8_t found = kernel_(job);
  if ((found & bitsliced::found::outOfBudget) != 0)
    return {Word::tooMany, {}, {}};
  if (found == 0)
    return {};

  Result result;
  result.word = Word::wrong;
  result.kind = (found & bitsliced::found::moreUb) != 0       ? Kind::moreUb
                : (found & bitsliced::found::morePoison) != 0 ? Kind::morePoison
                                                              : Kind::value;
  if (wantSmallest) {
    SmallestInput smallest{source, {}};
    job.onWrong = SmallestInput::collect;
    job.context = &smallest;
    job.wantedKind = result.kind == Kind::moreUb ? bitsliced::found::moreUb
                     : result.kind == Kind::morePoison
                         ? bitsliced::found::morePoison
                         : bitsliced::found::value;
    kernel_(job);
    result.smallest = smallest.input();
  }
  return result;
}

} // namespace checker
