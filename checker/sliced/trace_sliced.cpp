// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/sliced/trace_sliced.h"

#include "checker/exact/run.h"
#include "checker/sliced/layout.h"

#include <algorithm>

namespace checker {

using bitsliced::Plane;
using core::Slot;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

namespace {

/// Rounds of a loop over i4, and the calls that they make.
constexpr unsigned mostBackEdges = 16;
constexpr unsigned mostPositions = 24;
constexpr std::size_t mostInputs = std::size_t(1) << 18;
/// Together; some tens of megabytes.
constexpr std::size_t mostInputsKept = std::size_t(1) << 20;

constexpr core::Takes takes = {
    bitsliced::opcodesOfPlanes(),
    core::feature::freezes | core::feature::knobForks | core::feature::blocks |
        core::feature::loops | core::feature::calls | core::feature::lanes};

Slot slotsOfAll(std::span<const Type> types) {
  Slot slots = 0;
  for (const Type type : types)
    slots += core::slotsOf(type);
  return slots;
}

/// Into planes from `first` on.
void write(Plane *first, const Element &element, Type type, std::size_t lane) {
  for (unsigned i = 0; i < core::lanesOf(type); ++i) {
    const Lane value = element.lane(i);
    if (value.poison != 0)
      setLane(first[0], lane);
    const unsigned width = core::laneWidth(type, i);
    for (unsigned bit = 0; bit < width; ++bit)
      if ((value.bits >> bit & 1) != 0)
        setLane(first[1 + bit], lane);
    first += 1 + width;
  }
}

/// `isLane`: of a constant, which is made of literals.
template <typename AnyProgram, typename Visit>
void forEachUndef(AnyProgram &program, Visit visit) {
  for (auto &operand : program.operands)
    if (operand.is(Operand::Kind::undef))
      visit(operand, false);
  for (auto &constant : program.constants)
    for (auto &lane : constant.lanes)
      if (lane.is(Operand::Kind::undef))
        visit(lane, true);
}

bool hasUndef(const Program &program) {
  bool isThere = false;
  forEachUndef(program, [&](const Operand &, bool) { isThere = true; });
  return isThere;
}

/// A program with more behaviours: poison for each undef.
Program withPoison(Program program) {
  forEachUndef(program, [](Operand &operand, bool) {
    operand = Operand::poison(operand.type);
  });
  return program;
}

/// One with fewer, where that argument is no poison: each undef picks `number`,
/// or the argument if it is of its type. Nothing where an undef is no integer.
std::optional<Program> withPick(Program program, std::uint64_t number,
                                std::optional<std::size_t> argument) {
  bool isWhole = true;
  forEachUndef(program, [&](Operand &operand, bool isLane) {
    const Type type = operand.type;
    isWhole = isWhole && type.isInteger();
    const bool takesArgument =
        argument && !isLane &&
        program.signature.parameters[*argument].type == type;
    if (type.isInteger())
      operand = takesArgument ? Operand::argument(type, *argument)
                              : Operand::constant(type, number);
  });
  return isWhole ? std::optional(std::move(program)) : std::nullopt;
}

} // namespace

const TraceSliced::Layout *
TraceSliced::layoutOf(std::span<const Type> types,
                      std::span<const std::vector<InputChoice> *const> choices,
                      const Semantics &semantics) {
  double count = 1;
  for (const auto *list : choices)
    count *= static_cast<double>(list->size());
  if (count > static_cast<double>(mostInputs))
    return nullptr;
  // What the lists are follows from these.
  std::vector<std::uint32_t> key = {
      static_cast<std::uint32_t>(semantics.inputs),
      static_cast<std::uint32_t>(semantics.undef),
      static_cast<std::uint32_t>(semantics.poisonUnit)};
  for (const Type type : types)
    key.push_back(type.id());
  if (const auto known = layouts_.find(key); known != layouts_.end())
    return &known->second;
  inputsKept_ += static_cast<std::size_t>(count);
  if (inputsKept_ > mostInputsKept) {
    layouts_.clear();
    inputsKept_ = static_cast<std::size_t>(count);
  }
  Layout &layout = layouts_[std::move(key)];
  const Slot slots = slotsOfAll(types);
  forEachChoice(choices, [&](std::span<const std::uint32_t> places) {
    const std::size_t lane = layout.inputs++ % bitsliced::lanes;
    if (lane == 0) {
      layout.planes.resize(layout.planes.size() + slots);
      layout.numbers.emplace_back();
    }
    layout.places.insert(layout.places.end(), places.begin(), places.end());
    bool isNumber = true;
    Plane *plane = layout.planes.data() + (layout.planes.size() - slots);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const ValueSet &set = (*choices[i])[places[i]].set;
      isNumber = isNumber && set.size() == 1;
      write(plane, set.front(), types[i], lane);
      plane += core::slotsOf(types[i]);
    }
    if (isNumber)
      setLane(layout.numbers.back(), lane);
    return true;
  });
  for (std::size_t i = 0; i < layout.numbers.size(); ++i)
    layout.series.push_back({layout.planes.data() + i * slots, nullptr, 1});
  return &layout;
}

/// Requires the elaborated function.
bool TraceSliced::prepareCalls(Side &side,
                               std::span<const CallResultSlot> slots,
                               Slot firstSlot) {
  side.calls.clear();
  side.arguments.clear();
  side.widths.clear();
  side.results.clear();
  const core::Function &function = side.function;
  for (const core::Call &call : function.calls) {
    const corpus::Signature &signature = call.callee->signature;
    const Type type = signature.returnType;
    bitsliced::Call &made = side.calls.emplace_back();
    if (isWithoutEffect(call.functionAttributes, !type.isVoid()))
      continue;
    const Identity identity{call.callee->name, call.functionAttributes};
    const auto known =
        std::find(identities_.begin(), identities_.end(), identity);
    made.identity = static_cast<std::uint32_t>(known - identities_.begin());
    if (known == identities_.end())
      identities_.push_back(identity);
    unsigned planes = 0;
    for (std::uint32_t i = 0; i < call.argumentCount; ++i) {
      const Type passed = signature.parameters[i].type;
      const core::Value value = function.callArguments[call.firstArgument + i];
      if (value.maySet() || core::lanesOf(passed) == 0)
        return false;
      for (unsigned lane = 0; lane < core::lanesOf(passed); ++lane) {
        const unsigned width = core::laneWidth(passed, lane);
        side.arguments.push_back(value.slot() +
                                 core::slotsBefore(passed, lane));
        side.widths.push_back(static_cast<std::uint8_t>(width));
        ++made.lanes;
        planes += 1 + width;
      }
    }
    argumentPlanes_ = std::max(argumentPlanes_, planes);
    if (type.isVoid())
      continue;
    made.result = call.result.slot();
    made.resultPlanes = core::slotsOf(type);
    for (unsigned position = 0; position < positions_; ++position) {
      Slot slot = firstSlot;
      for (const CallResultSlot &each : slots) {
        if (each == CallResultSlot{position, call.callee->name, type})
          break;
        slot += core::slotsOf(each.type);
      }
      side.results.push_back(slot);
    }
  }
  // The vectors no longer move.
  const std::uint32_t *arguments = side.arguments.data();
  const std::uint8_t *widths = side.widths.data();
  const std::uint32_t *results = side.results.data();
  for (bitsliced::Call &call : side.calls) {
    call.arguments = arguments;
    call.widths = widths;
    call.results = results;
    arguments += call.lanes;
    widths += call.lanes;
    results += call.resultPlanes == 0 ? 0 : positions_;
  }
  return true;
}

bool TraceSliced::prepare(const Program &source, const Program &target,
                          const Semantics &semantics,
                          std::span<const CallResultSlot> slots) {
  core::Options options;
  for (const corpus::Parameter &parameter : source.signature.parameters)
    options.free += core::slotsOf(parameter.type);
  const Slot firstSlot = options.free;
  for (const CallResultSlot &slot : slots)
    options.free += core::slotsOf(slot.type);
  inputPlanes_ = options.free;
  options.unroll = mostBackEdges;
  for (const auto &[program, side] :
       {std::pair(&source, &source_), std::pair(&target, &target_)}) {
    if (!elaborator_.elaborate(*program, semantics, takes, options,
                               side->function))
      return false;
    options.free = side->function.end;
  }

  identities_.clear();
  argumentPlanes_ = 0;
  // Where results matter a position is one of the slots.
  positions_ = slots.empty() ? mostPositions : 0;
  for (const CallResultSlot &slot : slots)
    positions_ = std::max(positions_, slot.position + 1);
  if (!prepareCalls(source_, slots, firstSlot) ||
      !prepareCalls(target_, slots, firstSlot))
    return false;
  if (identities_.empty())
    positions_ = 0;

  const Type returned = source.signature.returnType;
  bitsliced::noteWidths(returned, returnedWidths_);
  bitsliced::prepareFile(source_.function, target_.function, returned, file_);
  return true;
}

/// Adds to fine_, but for inputs in which the plane `except` is set.
bool TraceSliced::addFine(const Program &source, const Program &target,
                          const Semantics &semantics, const Layout &layout,
                          std::span<const CallResultSlot> slots,
                          std::optional<Slot> except) {
  if (!prepare(source, target, semantics, slots))
    return false;
  const std::size_t blocks = layout.series.size();
  bitsliced::Traces traces;
  traces.source = source_.calls.data();
  traces.target = target_.calls.data();
  traces.positions = positions_;
  traces.identities = static_cast<unsigned>(identities_.size());
  traces.argumentPlanes = argumentPlanes_;
  scratch_.resize(std::max(scratch_.size(), traces.scratchPlanes() + blocks));
  traces.fine = scratch_.data();
  traces.scratch = scratch_.data() + blocks;

  bitsliced::Job job;
  job.file = file_.data();
  job.inputPlanes = inputPlanes_;
  job.series = layout.series.data();
  job.seriesCount = blocks;
  job.source = {source_.function.steps.data(), source_.function.steps.size(),
                source_.function.returned.slot()};
  job.target = {target_.function.steps.data(), target_.function.steps.size(),
                target_.function.returned.slot()};
  job.returnedWidths = returnedWidths_.data();
  job.returnedLanes = static_cast<unsigned>(returnedWidths_.size());
  job.traces = &traces;
  kernel_(job);
  const Plane none{};
  for (std::size_t i = 0; i < blocks; ++i) {
    const Plane &excluded = except ? layout.series[i].planes[*except] : none;
    for (std::size_t word = 0; word < bitsliced::lanes / 64; ++word)
      fine_[i].words[word] |= traces.fine[i].words[word] &
                              layout.numbers[i].words[word] &
                              ~excluded.words[word];
  }
  return true;
}

std::optional<std::vector<Input>> TraceSliced::inputsLeft(
    const Program &source, const Program &target, const Semantics &semantics,
    std::span<const std::vector<InputChoice> *const> choices,
    std::span<const CallResultSlot> slots) {
  std::vector<Type> types;
  for (const corpus::Parameter &parameter : source.signature.parameters)
    types.push_back(parameter.type);
  for (const CallResultSlot &slot : slots)
    types.push_back(slot.type);
  if (source.signature.function != target.signature.function ||
      !std::all_of(types.begin(), types.end(),
                   [](Type type) { return core::lanesOf(type) != 0; }))
    return std::nullopt;
  const Layout *layout = layoutOf(types, choices, semantics);
  if (layout == nullptr)
    return std::nullopt;
  fine_.assign(layout->series.size(), Plane{});

  if (!hasUndef(source) && !hasUndef(target)) {
    if (!addFine(source, target, semantics, *layout, slots, {}))
      return std::nullopt;
  } else {
    const Program more = withPoison(target);
    bool isTaken = false;
    const auto pick = [&](std::uint64_t number,
                          std::optional<std::size_t> argument,
                          std::optional<Slot> except) {
      if (const auto fewer = withPick(source, number, argument))
        isTaken |= addFine(*fewer, more, semantics, *layout, slots, except);
    };
    pick(0, {}, {});
    if (hasUndef(source)) {
      pick(~std::uint64_t(0), {}, {});
      Slot slot = 0;
      const auto &parameters = source.signature.parameters;
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        // An attribute may make poison of a number.
        if (parameters[i].type.isInteger() && parameters[i].attributes.empty())
          pick(0, i, slot);
        slot += core::slotsOf(parameters[i].type);
      }
    }
    if (!isTaken)
      return std::nullopt;
  }

  std::vector<Input> left;
  for (std::size_t i = 0; i < layout->inputs; ++i) {
    if (hasLane(fine_[i / bitsliced::lanes], i % bitsliced::lanes))
      continue;
    Input &input = left.emplace_back();
    for (std::size_t j = 0; j < choices.size(); ++j)
      input.push_back(
          (*choices[j])[layout->places[i * choices.size() + j]].set);
  }
  return left;
}

} // namespace checker
