// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/sliced/set_sliced.h"

#include "checker/sliced/set_tables.h"

#include <algorithm>
#include <map>

namespace checker {

using core::Slot;
using corpus::Opcode;
using corpus::Program;
using corpus::Type;
using setsliced::Elements;
using setsliced::Plane;
using setsliced::Step;
using setsliced::TableOperand;

namespace {

constexpr std::size_t maximumInputPlanes = 1 << 17;
constexpr std::size_t maximumWorlds = 64;
constexpr unsigned maximumPickBits = 24;
constexpr std::size_t maximumLayouts = 256;
/// Together; some hundred megabytes.
constexpr std::size_t maximumTableTerms = std::size_t(1) << 25;

const core::Takes takes = {
    opcodesOfNumbers(), core::feature::sets | core::feature::freezes |
                            core::feature::knobForks | core::feature::bitwise};

struct Layout {
  std::vector<Plane> planes;
  std::vector<Plane> valid;
  std::uint32_t planesPerBlock = 0;
  bool tooLarge = false;
  std::vector<std::vector<InputChoice>> choices; ///< by argument
};

/// What a lane of core stands for here: all of a value, or one half of a pair.
/// A literal has planes when somebody needed them.
struct Place {
  static constexpr std::uint32_t none = ~std::uint32_t(0);
  std::uint32_t planes = none;  ///< of the value
  Type type;                    ///< of the value
  std::uint32_t literal = none; ///< in Function::literals
  std::uint8_t half = 0;        ///< of a pair
};

} // namespace

struct SetSliced::World {
  explicit World(const Semantics &semantics) : tables(semantics) {}

  struct Side {
    core::Function function;
    std::vector<Place> places; ///< by slot; at least so many
    std::vector<std::pair<Slot, std::uint32_t>> halves; ///< planes of some
    std::vector<Step> steps;
    std::uint32_t returned = 0;
    unsigned pickBits = 0;

    setsliced::Code code() const {
      setsliced::Code result{steps.data(), steps.size(), returned, pickBits, 1};
      for (const Step &step : steps)
        if (step.tables[0].outputs != 0)
          result.cost += step.tables[0].ends[step.tables[0].outputs - 1];
      return result;
    }
  };

  const Layout &layoutOf(const Program &program, std::uint32_t neverUndef);
  void buildLayout(const Program &program, std::uint32_t neverUndef,
                   Layout &layout);
  std::uint32_t allocate(std::size_t planes);
  std::optional<std::uint32_t> add(Side &side, const Step &step, Type result);
  std::optional<std::uint32_t> halfOf(Side &side, Slot slot);
  std::optional<std::uint32_t> planesOf(Side &side, Slot slot);
  std::optional<std::uint32_t> wholeOf(Side &side, Slot slot, Type type);
  std::uint32_t literalPlanes(const core::Literal &literal, Type type);
  bool compile(const Program &program, Side &side);
  bool compile(std::span<const core::Step> steps, Side &side);
  bool operate(const core::Step &step, Side &side);
  bool require(const core::Step &step, Side &side);
  bool restrictToRange(const core::Step &step, Side &side);
  bool fork(std::span<const core::Step> steps, Side &side);
  Result check(const Program &source, const Program &target,
               std::uint32_t neverUndef, bool wantSmallest,
               std::uint64_t termLimit);

  setsliced::SetTables tables;
  setsliced::Kernel kernel = setsliced::kernels().back();
  core::Elaborator elaborator;
  std::map<std::vector<std::uint32_t>, Layout> layouts;
  std::vector<Plane> file;
  std::uint32_t filePlanes = 0;
  Side source;
  Side target;
  std::vector<std::uint32_t> key;
};

void SetSliced::World::buildLayout(const Program &program,
                                   std::uint32_t neverUndef, Layout &layout) {
  double count = 1;
  const auto &parameters = program.signature.parameters;
  Semantics withoutSets = tables.semantics();
  if (withoutSets.inputs != Inputs::defined)
    withoutSets.inputs = Inputs::poison;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Elements *all = tables.elementsOf(parameters[i].type);
    layout.tooLarge = all == nullptr;
    if (layout.tooLarge)
      return;
    auto list = inputChoices(parameters[i].type, (neverUndef >> i & 1) != 0
                                                     ? withoutSets
                                                     : tables.semantics());
    layout.tooLarge = !list;
    if (layout.tooLarge)
      return;
    count *= static_cast<double>(list->size());
    layout.planesPerBlock += static_cast<std::uint32_t>(all->list.size());
    layout.choices.push_back(std::move(*list));
  }
  const double blocks = count / setsliced::lanes + 1;
  if (blocks * (layout.planesPerBlock + 1) > maximumInputPlanes) {
    layout.tooLarge = true;
    return;
  }
  std::vector<const std::vector<InputChoice> *> choices;
  for (const auto &list : layout.choices)
    choices.push_back(&list);
  std::uint64_t number = 0;
  forEachInput(choices, [&](const Input &input) {
    const auto lane = static_cast<unsigned>(number % setsliced::lanes);
    if (lane == 0) {
      layout.planes.resize(layout.planes.size() + layout.planesPerBlock);
      layout.valid.emplace_back();
    }
    setLane(layout.valid.back(), lane);
    Plane *plane =
        layout.planes.data() + (layout.planes.size() - layout.planesPerBlock);
    for (std::size_t i = 0; i < input.size(); ++i) {
      const Elements &all = *tables.elementsOf(parameters[i].type);
      for (const Element &element : input[i])
        setLane(plane[all.indexOf(element)], lane);
      plane += all.list.size();
    }
    ++number;
    return true;
  });
}

const Layout &SetSliced::World::layoutOf(const Program &program,
                                         std::uint32_t neverUndef) {
  key.assign(1, neverUndef);
  for (const corpus::Parameter &parameter : program.signature.parameters)
    key.push_back(parameter.type.id());
  if (layouts.size() == maximumLayouts)
    layouts.clear();
  const auto [found, isNew] = layouts.try_emplace(key);
  if (isNew)
    buildLayout(program, neverUndef, found->second);
  return found->second;
}

std::uint32_t SetSliced::World::allocate(std::size_t planes) {
  const std::uint32_t at = filePlanes;
  filePlanes += static_cast<std::uint32_t>(planes);
  if (file.size() < filePlanes)
    file.resize(2 * static_cast<std::size_t>(filePlanes));
  return at;
}

std::uint32_t SetSliced::World::literalPlanes(const core::Literal &literal,
                                              Type type) {
  const std::size_t count = tables.elementsOf(type)->list.size();
  const std::uint32_t at = allocate(count);
  std::fill_n(file.begin() + at, count, Plane{});
  for (std::uint16_t index : tables.literalElements({type, &literal}))
    std::fill(std::begin(file[at + index].words),
              std::end(file[at + index].words), ~std::uint64_t(0));
  return at;
}

/// The planes of its result, if it has one.
std::optional<std::uint32_t> SetSliced::World::add(Side &side, const Step &step,
                                                   Type result) {
  Step &added = side.steps.emplace_back(step);
  if (!result.isVoid()) {
    const Elements *elements = tables.elementsOf(result);
    if (elements == nullptr)
      return std::nullopt;
    added.size = static_cast<std::uint32_t>(elements->list.size());
    added.result = allocate(elements->list.size());
  }
  return added.result;
}

/// Planes of that lane alone.
std::optional<std::uint32_t> SetSliced::World::planesOf(Side &side, Slot slot) {
  Place &place = side.places[slot];
  if (place.type.isOverflowPair())
    return halfOf(side, slot);
  if (place.planes == Place::none) {
    if (tables.elementsOf(place.type) == nullptr)
      return std::nullopt;
    place.planes =
        literalPlanes(side.function.literals[place.literal], place.type);
  }
  return place.planes;
}

std::optional<std::uint32_t> SetSliced::World::halfOf(Side &side, Slot slot) {
  for (const auto &[known, planes] : side.halves)
    if (known == slot)
      return planes;
  const Place &place = side.places[slot];
  const Type type = Type::integer(core::laneWidth(place.type, place.half));
  const core::Literal half{0, core::Literal::Kind::number, 1, place.half};
  // The index is an i32; any type that has both values does.
  const TableOperand operands[] = {{place.type}, {Type::integer(1), &half}};
  const auto table = tables.compute(
      {Opcode::extractvalue, {}, corpus::Predicate::eq, place.type, type},
      operands);
  if (!table)
    return std::nullopt;
  Step step;
  step.tables[0] = *table;
  step.operands[0] = place.planes;
  const auto result = add(side, step, type);
  if (result)
    side.halves.emplace_back(slot, *result);
  return result;
}

/// Planes of a value of that type which begins there.
std::optional<std::uint32_t> SetSliced::World::wholeOf(Side &side, Slot slot,
                                                       Type type) {
  const Place &place = side.places[slot];
  if (!type.isOverflowPair())
    return planesOf(side, slot);
  if (place.literal != Place::none && tables.elementsOf(type) != nullptr)
    return literalPlanes(side.function.literals[place.literal], type);
  if (place.type != type || place.half != 0 || place.planes == Place::none)
    return std::nullopt;
  return place.planes;
}

bool SetSliced::World::operate(const core::Step &step, Side &side) {
  const auto opcode = static_cast<Opcode>(step.code);
  std::array<TableOperand, 3> operands;
  std::size_t count = 0;
  Step result;
  std::size_t place = 0;
  for (Slot slot : {step.a, step.b, step.c}) {
    if (slot == core::noSlot)
      break;
    const Place &at = side.places[slot];
    TableOperand &operand = operands[count++];
    operand.type = at.type;
    if (at.planes == Place::none) {
      operand.literal = &side.function.literals[at.literal];
      if (tables.elementsOf(at.type) == nullptr)
        return false;
      continue;
    }
    if (at.type.isOverflowPair())
      operand.type = Type::integer(core::laneWidth(at.type, at.half));
    const auto planes = planesOf(side, slot);
    if (!planes)
      return false;
    result.operands[place++] = *planes;
  }
  const bool isPair =
      corpus::info(opcode).shape == corpus::Shape::intrinsicOverflow;
  const Type type = step.result == core::noSlot ? Type()
                    : isPair ? Type::overflowPair(step.resultWidth)
                             : Type::integer(step.resultWidth);
  const auto table = tables.compute(
      {opcode, corpus::Flags(step.flags),
       static_cast<corpus::Predicate>(step.predicate), operands[0].type, type},
      std::span(operands.data(), count));
  if (!table)
    return false;
  result.tables[0] = *table;
  const auto planes = add(side, result, type);
  if (!planes)
    return false;
  if (!type.isVoid())
    side.places[step.result] = {*planes, type, Place::none, 0};
  if (isPair)
    side.places[step.result + 1 + step.resultWidth] = {*planes, type,
                                                       Place::none, 1};
  return true;
}

bool SetSliced::World::require(const core::Step &step, Side &side) {
  const Type type = Type::integer(step.width);
  const auto planes = planesOf(side, step.a);
  if (!planes)
    return false;
  const Elements &all = *tables.elementsOf(type);
  Step result;
  result.kind = Step::Kind::require;
  result.ofPoison = (step.mode & core::mode::ofPoison) != 0;
  result.ofSets = (step.mode & core::mode::ofSets) != 0;
  result.operands[0] = *planes;
  result.size = static_cast<std::uint32_t>(all.list.size());
  result.poison = all.poisonFrom;
  side.steps.push_back(result);
  return true;
}

bool SetSliced::World::restrictToRange(const core::Step &step, Side &side) {
  const Type type = Type::integer(step.width);
  const auto planes = planesOf(side, step.a);
  const std::uint64_t low =
      side.function.literals[side.places[step.b].literal].bits;
  const std::uint64_t size =
      side.function.literals[side.places[step.c].literal].bits;
  const auto table = planes
                         ? tables.range(type, low, (low + size) & type.mask())
                         : std::nullopt;
  if (!table)
    return false;
  Step result;
  result.tables[0] = *table;
  result.operands[0] = *planes;
  const auto to = add(side, result, type);
  if (to)
    side.places[step.result] = {*to, type, Place::none, 0};
  return to.has_value();
}

/// All lanes of a value. Of poison alone only a condition, an i1.
bool SetSliced::World::fork(std::span<const core::Step> steps, Side &side) {
  const core::Step &first = steps.front();
  if (steps.size() > 2 || (steps.size() == 2 && steps[1].width != 1))
    return false;
  const Type type = steps.size() == 2 ? Type::overflowPair(first.width)
                                      : Type::integer(first.width);
  const auto planes = wholeOf(side, first.a, type);
  if (!planes)
    return false;
  const bool ofSets = (first.mode & core::mode::ofSets) != 0;
  Step step;
  step.operands[0] = *planes;
  step.firstPick = static_cast<std::uint8_t>(side.pickBits);
  if (ofSets) {
    const auto table = tables.pick(type);
    if (!table)
      return false;
    step.kind = Step::Kind::pick;
    step.pickBits = static_cast<std::uint8_t>(first.width +
                                              (type.isOverflowPair() ? 1 : 0));
    step.tables[0] = *table;
  } else {
    if (type != Type::integer(1))
      return false;
    step.kind = Step::Kind::settle;
    step.pickBits = 1;
    for (unsigned picked = 0; picked < 2; ++picked) {
      const auto table = tables.settle(type, picked);
      if (!table)
        return false;
      step.tables[picked] = *table;
    }
  }
  side.pickBits += step.pickBits;
  if (side.pickBits > maximumPickBits)
    return false;
  const auto result = add(side, step, type);
  if (!result)
    return false;
  std::uint8_t half = 0;
  for (const core::Step &each : steps)
    side.places[each.result] = {*result, type, Place::none, half++};
  return true;
}

bool SetSliced::World::compile(std::span<const core::Step> steps, Side &side) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const core::Step &step = steps[i];
    bool done = false;
    if (step.code < core::code::first)
      done = operate(step, side);
    else
      switch (step.code) {
      case core::code::require:
        done = require(step, side);
        break;
      case core::code::restrictToRange:
        done = restrictToRange(step, side);
        break;
      case core::code::fork:
        done = fork(steps.subspan(i, 1 + std::size_t(step.more)), side);
        i += step.more;
        break;
      default:
        break;
      }
    if (!done)
      return false;
  }
  return true;
}

bool SetSliced::World::compile(const Program &program, Side &side) {
  core::Options options;
  options.setInputs = true;
  options.wantPicks = false; // tables do
  for (const corpus::Parameter &parameter : program.signature.parameters)
    options.free += core::slotsOf(parameter.type);
  if (!elaborator.elaborate(program, tables.semantics(), takes, options,
                            side.function))
    return false;
  side.steps.clear();
  side.pickBits = 0;
  side.halves.clear();
  if (side.places.size() < side.function.end)
    side.places.resize(side.function.end);
  Slot slot = 0;
  std::uint32_t plane = 0;
  for (const corpus::Parameter &parameter : program.signature.parameters) {
    side.places[slot] = {plane, parameter.type, Place::none, 0};
    slot += core::slotsOf(parameter.type);
    plane += static_cast<std::uint32_t>(
        tables.elementsOf(parameter.type)->list.size());
  }
  for (std::uint32_t i = 0; i < side.function.literals.size(); ++i) {
    const core::Literal &literal = side.function.literals[i];
    side.places[literal.slot] = {Place::none, Type::integer(literal.width), i,
                                 0};
  }
  if (!compile(side.function.steps, side))
    return false;
  const Type type = program.signature.returnType;
  if (type.isVoid())
    return true;
  if (!side.function.returned.exists())
    return false;
  const auto returned = wholeOf(side, side.function.returned.slot(), type);
  side.returned = returned.value_or(0);
  return returned.has_value();
}

SetSliced::Result SetSliced::World::check(const Program &sourceProgram,
                                          const Program &targetProgram,
                                          std::uint32_t neverUndef,
                                          bool wantSmallest,
                                          std::uint64_t termLimit) {
  using Word = Result::Word;
  if (tables.size() > maximumTableTerms)
    tables.clear();
  const Layout &layout = layoutOf(sourceProgram, neverUndef);
  if (layout.tooLarge)
    return {Word::cannot, {}, {}};
  filePlanes = 0;
  allocate(layout.planesPerBlock);
  if (!compile(sourceProgram, source) || !compile(targetProgram, target))
    return {Word::cannot, {}, {}};

  setsliced::Job job;
  job.file = file.data();
  job.inputPlanes = layout.planesPerBlock;
  job.inputs = layout.planes.data();
  job.valid = layout.valid.data();
  job.blocks = layout.valid.size();
  job.source = source.code();
  job.target = target.code();
  job.budget = termLimit;
  if (const Type type = sourceProgram.signature.returnType; !type.isVoid()) {
    const Elements *returned = tables.elementsOf(type);
    const auto covers = tables.covers(type);
    if (returned == nullptr || !covers)
      return {Word::cannot, {}, {}};
    job.returnedSize = static_cast<std::uint32_t>(returned->list.size());
    job.returnedPoison = returned->poisonFrom;
    job.covers = *covers;
  }
  const setsliced::Answer answer = kernel(job);
  if (answer.outOfBudget)
    return {Word::cannot, {}, {}};
  constexpr Kind kinds[] = {Kind::moreUb, Kind::morePoison, Kind::moreUndef,
                            Kind::value};
  for (unsigned kind = 0; kind < 4; ++kind) {
    const std::uint64_t lane = answer.firstLane[kind];
    if (lane == setsliced::Answer::never)
      continue;
    Result result{Word::wrong, kinds[kind], {}};
    if (wantSmallest) {
      const Plane *plane = layout.planes.data() +
                           lane / setsliced::lanes * layout.planesPerBlock;
      const auto bit = static_cast<unsigned>(lane % setsliced::lanes);
      Input input;
      for (const corpus::Parameter &parameter :
           sourceProgram.signature.parameters) {
        ValueSet set;
        for (const Element &element : tables.elementsOf(parameter.type)->list) {
          if ((plane->words[bit / 64] >> bit % 64 & 1) != 0)
            set.push_back(element);
          ++plane;
        }
        normalise(set);
        input.push_back(std::move(set));
      }
      result.smallest = std::move(input);
    }
    return result;
  }
  return {};
}

SetSliced::SetSliced() = default;
SetSliced::~SetSliced() = default;
SetSliced::SetSliced(SetSliced &&) noexcept = default;
SetSliced &SetSliced::operator=(SetSliced &&) noexcept = default;

SetSliced::World &SetSliced::worldOf(const Semantics &semantics) {
  for (const auto &world : worlds_)
    if (world->tables.semantics() == semantics)
      return *world;
  if (worlds_.size() == maximumWorlds)
    worlds_.clear();
  return *worlds_.emplace_back(std::make_unique<World>(semantics));
}

SetSliced::Result SetSliced::check(const Program &source, const Program &target,
                                   const Semantics &semantics,
                                   std::uint32_t neverUndef, bool wantSmallest,
                                   std::uint64_t termLimit) {
  if (source.blocks.size() != 1 || target.blocks.size() != 1 ||
      source.signature.parameters.size() > 8)
    return {Result::Word::cannot, {}, {}};
  return worldOf(semantics).check(source, target, neverUndef, wantSmallest,
                                  termLimit);
}

} // namespace checker
