// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/sliced/bitsliced.h"

#include "checker/value/samples.h"

#include <algorithm>
#include <array>

namespace checker {

using bitsliced::Choice;
using bitsliced::MayBePoison;
using bitsliced::Plane;
using core::Slot;
using core::Step;
using corpus::Instruction;
using corpus::Opcode;
using corpus::Program;
using corpus::Type;

namespace {

/// Work that an exact answer may take before a proof in parts is tried, and
/// that each part may take.
constexpr double quickLimit = 1 << 14;
constexpr double partLimit = 1 << 18;
constexpr std::size_t maximumPicks = 62;
constexpr std::size_t maximumGuesses = 64;
/// Of samples: blocks of inputs, picks of the source that are all tried, and
/// rounds of making an input smaller.
constexpr std::uint64_t sampleBlocks = 8;
constexpr std::size_t maximumSamplePicks = 8;
constexpr std::size_t maximumSampleLanes = 256;
constexpr unsigned maximumRounds = 100;

constexpr core::Takes takes = {
    bitsliced::opcodesOfPlanes(),
    core::feature::freezes | core::feature::knobForks | core::feature::blocks |
        core::feature::lanes};

bool isPair(const Step &step) {
  return step.code < core::code::first &&
         corpus::info(static_cast<Opcode>(step.code)).shape ==
             corpus::Shape::intrinsicOverflow;
}

/// A lane operation that gives poison for no operand that is a number.
bool keepsNumbers(const Step &step) {
  switch (static_cast<Opcode>(step.code)) {
  case Opcode::shl:
  case Opcode::lshr:
  case Opcode::ashr:
  case Opcode::sshlSat:
  case Opcode::ushlSat:
  case Opcode::abs:
  case Opcode::ctlz:
  case Opcode::cttz:
    return false;
  default:
    return step.flags == 0;
  }
}

/// By Step::code: its work grows with the square of the width.
constexpr std::array<bool, 256> isQuadratic = [] {
  std::array<bool, 256> rows{};
  for (const Opcode opcode :
       {Opcode::mul, Opcode::udiv, Opcode::sdiv, Opcode::urem, Opcode::srem,
        Opcode::umulOverflow, Opcode::smulOverflow})
    rows[static_cast<std::uint8_t>(opcode)] = true;
  return rows;
}();

/// The kind of bitsliced::found that comes first.
constexpr std::uint8_t worstOf(std::uint8_t found) {
  for (const std::uint8_t kind :
       {bitsliced::found::moreUb, bitsliced::found::morePoison})
    if ((found & kind) != 0)
      return kind;
  return bitsliced::found::value;
}

constexpr Kind kindOf(std::uint8_t found) {
  return found == bitsliced::found::moreUb       ? Kind::moreUb
         : found == bitsliced::found::morePoison ? Kind::morePoison
                                                 : Kind::value;
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
         ++operands) {
      const corpus::Operand &operand = source.operands[operands];
      if (operand != target.operands[operands] ||
          (operand.is(corpus::Operand::Kind::pooled) &&
           source.constants[operand.payload] !=
               target.constants[operand.payload]))
        return i;
    }
  }
  return limit;
}

/// Of all parameters, one behind the other.
std::vector<Type> laneTypes(const corpus::Signature &signature) {
  std::vector<Type> types;
  for (const corpus::Parameter &parameter : signature.parameters)
    for (unsigned lane = 0; lane < parameter.type.lanes(); ++lane)
      types.push_back(parameter.type.lane(lane));
  return types;
}

/// From at least one element of one lane for each of laneTypes().
Input inputOf(const corpus::Signature &signature,
              std::span<const Element> lanes) {
  Input input;
  for (const corpus::Parameter &parameter : signature.parameters) {
    Element element = lanes.front();
    for (unsigned lane = 1; lane < parameter.type.lanes(); ++lane)
      element.rest.push_back(lanes[lane].lane(0));
    lanes = lanes.subspan(parameter.type.lanes());
    input.push_back({std::move(element)});
  }
  return input;
}

/// At least as many slots as the picks of its forks take.
Slot slotsOfPicks(const Program &program, const Semantics &semantics) {
  const bool selectForks =
      semantics.selectCondition == SelectCondition::nondeterministic;
  const bool branchForks =
      semantics.branchOnPoison == BranchRule::nondeterministic;
  Slot slots = 0;
  for (const Instruction &instruction : program.instructions) {
    if (instruction.opcode == Opcode::freeze)
      slots += core::slotsOf(instruction.type);
    else if (selectForks && instruction.opcode == Opcode::select)
      slots += core::slotsOf(program.operandsOf(instruction)[0].type);
    else if (branchForks && (instruction.opcode == Opcode::br ||
                             instruction.opcode == Opcode::switch_))
      slots += 2 * instruction.operandCount;
  }
  return slots;
}

/// result = a, whatever the step was.
void becomeCopy(Step &step, Slot from) {
  step.code = core::code::choose;
  step.a = step.b = step.c = from;
}

} // namespace

/// What the target's forks pick, and when: in which lanes what they fork may be
/// poison. Forks that the source lacks, or of what numbers make poison, may be
/// dropped on the way.
void BitSliced::noteChoices(bool dropsForks) {
  choices_.clear();
  if (target_.forks.empty())
    return;
  mayBePoison_.assign(target_.end, 0);
  for (std::size_t i = 0; i < arguments_.size(); ++i)
    mayBePoison_[arguments_[i].planes] =
        i < bitsliced::maximumArguments ? 1U << i : bitsliced::always;
  for (const core::Literal &literal : target_.literals)
    if (literal.kind == core::Literal::Kind::poison)
      mayBePoison_[literal.slot] = bitsliced::always;
  const auto of = [&](Slot slot) {
    return slot == core::noSlot ? 0 : mayBePoison_[slot];
  };
  const std::size_t end = target_.forks.back().step + 1;
  for (Step &step : target_.steps.first(end)) {
    const bool hasValue = step.code < core::code::firstControl
                              ? step.result != core::noSlot
                              : step.code == core::code::choose;
    if (!hasValue)
      continue;
    MayBePoison poison = of(step.a);
    if (step.code == core::code::fork) {
      const std::size_t number = choices_.size();
      const core::Fork &fork = target_.forks[number];
      Choice &choice =
          choices_.emplace_back(Choice{fork.picks, fork.width, poison});
      const bool isDropped = dropsForks && ((poison & bitsliced::always) != 0 ||
                                            number >= source_.forks.size());
      if (isDropped) {
        becomeCopy(step, step.a);
        choice.when = 0;
      }
      mayBePoison_[step.result] = isDropped ? poison : 0;
      continue;
    }
    poison |= of(step.b) | of(step.c);
    if (step.code < core::code::first
            ? !keepsNumbers(step)
            : step.code == core::code::restrictToRange)
      poison |= bitsliced::always;
    mayBePoison_[step.result] = poison;
    if (isPair(step))
      mayBePoison_[step.result + 1 + step.width] = poison;
  }
}

/// What is forked is what counts.
void BitSliced::endAtFork(core::Function &function) {
  const std::size_t fork = function.forks.front().step;
  function.returned = {function.steps[fork].a, false};
  function.steps = function.steps.first(fork);
  returnedWidths_ = {function.forks.front().width};
  function.forks.clear();
}

/// Both sides go on with the same number, whatever was forked.
void BitSliced::startAtFork() {
  const Slot picked = choices_.front().planes;
  choices_.front().when = bitsliced::always;
  for (core::Function *function : {&source_, &target_}) {
    becomeCopy(function->steps[function->forks.front().step], picked);
    function->forks.clear();
  }
  removeDeadSteps();
}

/// Takes away steps that cannot matter, and notes the arguments that only they
/// used. Requires one block on both sides.
void BitSliced::removeDeadSteps() {
  liveSlots_.assign(file_.size(), false);
  std::vector<bool> &live = liveSlots_;
  const auto isLive = [&](Slot slot) {
    return slot != core::noSlot && live[slot];
  };
  for (core::Function *function : {&source_, &target_}) {
    Slot returned = function->returned.slot();
    for (std::uint8_t width : returnedWidths_) {
      live[returned] = true;
      returned += 1 + width;
    }
    std::size_t kept = function->steps.size();
    for (std::size_t i = function->steps.size(); i-- > 0;) {
      const Step &step = function->steps[i];
      const bool mayBeUb = step.code == core::code::require ||
                           step.code == core::code::ub ||
                           (step.code < core::code::first &&
                            corpus::info(static_cast<Opcode>(step.code))
                                .has(corpus::trait::mayBeUb));
      if (!mayBeUb && !isLive(step.result) &&
          !(isPair(step) && live[step.result + 1 + step.width]))
        continue;
      for (Slot operand : {step.a, step.b, step.c})
        if (operand != core::noSlot)
          live[operand] = true;
      function->steps[--kept] = step;
    }
    function->steps = function->steps.subspan(kept);
  }
  for (bitsliced::LayoutArgument &argument : arguments_)
    if (!live[argument.planes])
      argument.width = 0;
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
      if (hasLane(wrong, lane))
        self.consider(file, lane);
  }

  void consider(const Plane *file, unsigned lane) {
    const auto bit = [&](std::uint32_t plane) {
      return file[plane].words[lane / 64] >> lane % 64 & 1;
    };
    Key key;
    auto &[poisonCount, values] = key;
    std::uint32_t plane = 0;
    for (const Type type : laneTypes(program.signature)) {
      const bool poison = bit(plane) != 0;
      std::uint64_t number = 0;
      for (unsigned i = 0; i < type.width() && !poison; ++i)
        number |= bit(plane + 1 + i) << i;
      poisonCount += poison ? 1 : 0;
      values.emplace_back(poison, number);
      plane += core::slotsOf(type);
    }
    if (!best || key < *best)
      best = std::move(key);
  }

  Input input() const {
    const std::vector<Type> types = laneTypes(program.signature);
    std::vector<Element> lanes;
    for (std::size_t i = 0; i < types.size(); ++i) {
      const auto [poison, number] = best->second[i];
      lanes.push_back(poison ? Element::poisonOf(types[i])
                             : Element::number(number));
    }
    return inputOf(program.signature, lanes);
  }
};

/// What the source's forks may pick: at first what the target's do, then values
/// of the target of the right width, then everything.
void BitSliced::preparePicks(const Program &target, Slot zero) {
  picks_.clear();
  guesses_.clear();
  if (source_.forks.empty())
    return;
  candidates_.clear();
  candidateEnds_.clear();
  std::size_t combinations = 1;
  for (std::size_t k = 0; k < source_.forks.size(); ++k) {
    const core::Fork &fork = source_.forks[k];
    const bool hasPartner =
        k < choices_.size() && choices_[k].width == fork.width;
    for (unsigned bit = 0; bit < fork.width; ++bit)
      picks_.push_back({fork.picks + 1 + bit,
                        hasPartner ? choices_[k].planes + 1 + bit : zero});
    const std::size_t begin = candidates_.size();
    if (hasPartner)
      candidates_.push_back(choices_[k].planes);
    for (std::size_t i = 0; i < target.instructions.size(); ++i)
      if (target.instructions[i].type == Type::integer(fork.width) &&
          target_.results[i].exists())
        candidates_.push_back(target_.results[i].slot());
    for (std::size_t i = 0; i < target.signature.parameters.size(); ++i)
      if (target.signature.parameters[i].type == Type::integer(fork.width))
        candidates_.push_back(target_.arguments[i].slot());
    candidateEnds_.push_back(candidates_.size());
    combinations =
        std::min(combinations * (candidates_.size() - begin), maximumGuesses);
  }
  for (std::size_t guess = 0; guess < combinations; ++guess) {
    std::size_t rest = guess;
    std::size_t begin = 0;
    for (std::size_t k = 0; k < source_.forks.size(); ++k) {
      const std::size_t count = candidateEnds_[k] - begin;
      const Slot from = candidates_[begin + rest % count];
      rest /= count;
      begin += count;
      for (unsigned bit = 0; bit < source_.forks[k].width; ++bit)
        guesses_.push_back(from + 1 + bit);
    }
  }
}

/// The register file: arguments and what the target's forks pick, as the layout
/// has them; then everything else.
bool BitSliced::prepare(const Program &source, const Program &target,
                        const Semantics &semantics, Mode mode) {
  arguments_.clear();
  core::Options options;
  for (const corpus::Parameter &parameter : source.signature.parameters)
    for (unsigned lane = 0; lane < core::lanesOf(parameter.type); ++lane) {
      const unsigned width = core::laneWidth(parameter.type, lane);
      arguments_.push_back({options.free, width});
      options.free += 1 + width;
    }
  const Slot picks = options.free;
  options.picks = picks;
  options.free += slotsOfPicks(target, semantics);
  if (!elaborator_.elaborate(target, semantics, takes, options, target_) ||
      target_.forks.size() > bitsliced::maximumChoices)
    return false;
  inputPlanes_ = target_.forks.empty() ? picks
                                       : target_.forks.back().picks + 1 +
                                             target_.forks.back().width;
  options.picks = core::noSlot;
  options.free = target_.end;
  // Elsewhere the target may not be run up to its end.
  if (mode != Mode::beforeFork && source.blocks.size() == 1 &&
      target.blocks.size() == 1) {
    options.shared = &target_;
    options.sharedInstructions = commonPrefix(source, target);
  }
  if (!elaborator_.elaborate(source, semantics, takes, options, source_))
    return false;

  const Type returned = source.signature.returnType;
  bitsliced::noteWidths(returned, returnedWidths_);
  const Slot zero = bitsliced::prepareFile(source_, target_, returned, file_);
  noteChoices(mode == Mode::forkDropped);
  if (mode == Mode::beforeFork) {
    choices_.front().when = 0;
    for (core::Function *function : {&source_, &target_})
      endAtFork(*function);
  }
  if (mode == Mode::afterFork)
    startAtFork();
  preparePicks(target, zero);
  return true;
}

/// Requires prepare(). All but the inputs.
bitsliced::Job BitSliced::job() const {
  bitsliced::Job job;
  job.file = const_cast<Plane *>(file_.data()); // the kernel works in it
  job.inputPlanes = inputPlanes_;
  job.source = {source_.steps.data(), source_.steps.size(),
                source_.returned.slot()};
  job.target = {target_.steps.data(), target_.steps.size(),
                target_.returned.slot()};
  job.returnedWidths = returnedWidths_.data();
  job.returnedLanes = static_cast<unsigned>(returnedWidths_.size());
  job.picks = picks_.data();
  job.pickCount = picks_.size();
  job.guesses = guesses_.data();
  job.guessCount = picks_.empty() ? 0 : guesses_.size() / picks_.size();
  return job;
}

/// Requires prepare(). What one block of inputs takes.
double BitSliced::workOfBlock() const {
  std::uint64_t work = 1;
  for (const core::Function *function : {&source_, &target_})
    for (const Step &step : function->steps) {
      const std::uint64_t width = step.width + 1U;
      work += width * (isQuadratic[step.code] ? width : 1);
    }
  return static_cast<double>(work);
}

/// Requires prepare(). Nothing when it would take more work than `limit`.
std::optional<std::uint8_t> BitSliced::run(const Semantics &semantics,
                                           double limit,
                                           SmallestInput *smallest) {
  const bitsliced::Layout &layout = layouts_.of(
      arguments_, choices_, semantics.inputs != Inputs::defined, inputPlanes_);
  const double work = workOfBlock();
  if (layout.blocks * work > limit || picks_.size() > maximumPicks)
    return std::nullopt;
  bitsliced::Job job = this->job();
  job.series = layout.series.data();
  job.seriesCount = layout.series.size();
  job.budget = static_cast<std::uint64_t>(limit / work);
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

/// Cheap proofs for pairs with forks, each of them sufficient: the target
/// refines the source even without the forks that the source lacks, or of what
/// numbers make poison (every operation is monotone); or the pair splits at its
/// only forks into what is forked and what comes of it.
bool BitSliced::isProvedInParts(const Program &source, const Program &target,
                                const Semantics &semantics) {
  const auto holds = [&](Mode mode) {
    return prepare(source, target, semantics, mode) &&
           run(semantics, partLimit, nullptr) == 0;
  };
  if (holds(Mode::forkDropped))
    return true;
  return source.blocks.size() == 1 && target.blocks.size() == 1 &&
         source_.forks.size() == 1 && target_.forks.size() == 1 &&
         source_.forks[0].width == target_.forks[0].width &&
         holds(Mode::beforeFork) && holds(Mode::afterFork);
}

BitSliced::Result BitSliced::check(const Program &source, const Program &target,
                                   const Semantics &semantics,
                                   bool wantSmallest, double workLimit) {
  using Word = Result::Word;
  if (!prepare(source, target, semantics, Mode::exact) ||
      arguments_.size() > bitsliced::maximumArguments)
    return {Word::needsSets, {}, {}};

  // With forks the exact answer may be dear.
  const bool hasForks = !target_.forks.empty() || !source_.forks.empty();
  const bool knobForks =
      ((target_.features | source_.features) & core::feature::knobForks) != 0;
  std::optional<std::uint8_t> found =
      run(semantics, hasForks ? std::min(quickLimit, workLimit) : workLimit,
          nullptr);
  if (!found && hasForks) {
    if (isProvedInParts(source, target, semantics))
      return {};
    prepare(source, target, semantics, Mode::exact);
    found = run(semantics, workLimit, nullptr);
  }
  // The general engine may have an answer where a knob forks.
  if (!found)
    return {knobForks ? Word::needsSets : Word::tooMany, {}, {}};
  if (*found == 0)
    return {};

  Result result;
  result.word = Word::wrong;
  const std::uint8_t worst = worstOf(*found);
  result.kind = kindOf(worst);
  if (wantSmallest) {
    SmallestInput smallest{source, worst, {}};
    run(semantics, workLimit, &smallest);
    result.smallest = smallest.input();
  }
  return result;
}

/// Blocks of inputs, a row of elements each: the arguments, then what the
/// target's forks pick.
struct BitSliced::Tries {
  BitSliced &engine;
  std::size_t arguments;
  std::vector<Type> types;
  std::vector<std::vector<Element>> block; ///< by lane
  std::vector<Element> best;
  std::vector<Plane> planes;

  bool isBetter(std::span<const Element> row) const {
    return best.empty() ||
           isSmaller(row.first(arguments), std::span(best).first(arguments));
  }
  static void collect(void *context, const Plane *, const Plane &wrong) {
    auto &self = *static_cast<Tries *>(context);
    for (unsigned lane = 0; lane < self.block.size(); ++lane)
      if (hasLane(wrong, lane) && self.isBetter(self.block[lane]))
        self.best = self.block[lane];
  }
  void write(Slot slot, unsigned width, unsigned lane, const Element &element) {
    const auto set = [&](Slot plane) { setLane(planes[plane], lane); };
    if (element.hasPoison())
      set(slot);
    for (unsigned bit = 0; bit < width; ++bit)
      if ((element.bits >> bit & 1) != 0)
        set(slot + 1 + bit);
  }
  /// Collects the best row that shows `wantedKind`, if one is wanted.
  std::uint8_t run(std::uint8_t wantedKind) {
    planes.assign(engine.inputPlanes_, Plane{});
    for (unsigned lane = 0; lane < block.size(); ++lane) {
      for (std::size_t i = 0; i < arguments; ++i)
        write(engine.arguments_[i].planes, types[i].width(), lane,
              block[lane][i]);
      for (std::size_t i = 0; i < engine.choices_.size(); ++i)
        write(engine.choices_[i].planes, engine.choices_[i].width, lane,
              Element::number(block[lane][arguments + i].bits));
    }
    const bitsliced::Series series{planes.data(), nullptr, 1};
    bitsliced::Job job = engine.job();
    job.series = &series;
    job.seriesCount = 1;
    job.searchesPicks = job.pickCount <= maximumSamplePicks;
    job.budget = std::uint64_t(1) << maximumSamplePicks;
    if (wantedKind != 0) {
      job.onWrong = collect;
      job.context = this;
      job.wantedKind = wantedKind;
    }
    return kernel(job);
  }
  std::uint8_t kernel(const bitsliced::Job &job) const {
    return engine.kernel_(job);
  }
};

BitSliced::Result BitSliced::trySamples(const Program &source,
                                        const Program &target,
                                        const Semantics &semantics,
                                        bool wantSmall) {
  using Word = Result::Word;
  std::vector<Type> types = laneTypes(source.signature);
  if (types.size() > maximumSampleLanes ||
      !prepare(source, target, semantics, Mode::exact))
    return {Word::needsSets, {}, {}};
  Tries tries{*this, types.size(), std::move(types), {}, {}, {}};
  for (const Choice &choice : choices_)
    tries.types.push_back(Type::integer(choice.width));
  const Samples samples(source, target, semantics.inputs != Inputs::defined);
  const auto fill = [&](std::uint64_t block) {
    tries.block.clear();
    for (std::uint64_t lane = 0; lane < bitsliced::lanes; ++lane)
      tries.block.push_back(
          samples.input(tries.types, block * bitsliced::lanes + lane));
  };

  std::array<std::uint8_t, sampleBlocks> found{};
  std::uint8_t all = 0;
  for (std::uint64_t block = 0; block < sampleBlocks; ++block) {
    fill(block);
    found[block] = tries.run(0);
    all |= found[block];
  }
  if (all == 0)
    return {};
  const std::uint8_t worst = worstOf(all);
  Result result{Word::wrong, kindOf(worst), {}};
  if (!wantSmall)
    return result;
  for (std::uint64_t block = 0; block < sampleBlocks; ++block)
    if ((found[block] & worst) != 0) {
      fill(block);
      tries.run(worst);
    }
  const auto arguments = std::span(tries.types).first(tries.arguments);
  for (unsigned round = 0; round < maximumRounds; ++round) {
    const std::vector<Element> before = tries.best;
    auto smaller =
        smallerInputs(arguments, std::span(before).first(arguments.size()));
    for (std::size_t begin = 0; begin < smaller.size();
         begin += bitsliced::lanes) {
      const std::size_t end =
          std::min<std::size_t>(begin + bitsliced::lanes, smaller.size());
      tries.block.clear();
      for (std::size_t i = begin; i < end; ++i) {
        std::vector<Element> &row = tries.block.emplace_back(smaller[i]);
        row.insert(row.end(), before.begin() + arguments.size(), before.end());
      }
      // Lanes left over are like the last one.
      tries.block.resize(bitsliced::lanes, tries.block.back());
      tries.run(worst);
    }
    if (tries.best == before)
      break;
  }
  result.smallest = inputOf(source.signature, tries.best);
  return result;
}

} // namespace checker
