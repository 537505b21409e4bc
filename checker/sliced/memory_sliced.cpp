// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/sliced/memory_sliced.h"

#include "checker/sliced/layout.h"

#include "checker/memory/scenario.h"

#include <algorithm>
#include <set>

namespace checker {

using bitsliced::Plane;
using core::MemoryFact;
using core::Slot;
using core::Step;
using core::Value;
using corpus::Program;
using corpus::Type;

namespace {

constexpr unsigned byteBits = 8;
/// More scenarios than that are for the reference, as are inputs of more
/// planes; of all inputs that are kept there are not more than some times that.
constexpr std::size_t maximumScenarios = 20'000;
constexpr std::size_t maximumPlanes = std::size_t(1) << 18;
constexpr std::size_t maximumPlanesKept = 4 * maximumPlanes;
constexpr std::size_t maximumEntries = 4096;
constexpr std::uint8_t noUnknown = 0xff;

constexpr core::Takes takes = {bitsliced::opcodesOfPlanes(),
                               core::feature::blocks | core::feature::memory};

Slot slotsOfParameter(Type type) {
  return type.isPointer() ? core::ProgramMemory::slotsOfPointer
                          : core::slotsOf(type);
}

/// What the steps know nothing of.
bool isTaken(const Program &program) {
  return program.globals.empty() &&
         !program.signature.function.has(corpus::attribute::nullPointerIsValid);
}

void appendStep(core::Function &function, const Step &step) {
  const std::size_t count = function.steps.size();
  if (function.storage.size() == count)
    function.storage.resize(2 * count + 16);
  function.storage[count] = step;
  function.steps = std::span(function.storage.data(), count + 1);
}

/// result = a
void appendCopy(core::Function &function, Slot from, Slot to, unsigned width) {
  Step step;
  step.code = core::code::choose;
  step.width = static_cast<std::uint8_t>(width);
  step.a = step.b = step.c = from;
  step.result = to;
  appendStep(function, step);
}

void appendJoin(core::Function &function, Slot a, Slot b, Slot to) {
  Step step;
  step.code = core::code::join;
  step.width = 1;
  step.a = a;
  step.b = b;
  step.result = to;
  appendStep(function, step);
}

} // namespace

std::size_t MemorySliced::KeyHash::operator()(const Key &key) const {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : key) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  return hash;
}

/// The register file: arguments, bytes, facts; then everything else.
bool MemorySliced::prepare(const Program &source, const Program &target,
                           const Semantics &semantics) {
  core::Lack lack;
  if (semantics.inputs > Inputs::poison ||
      semantics.poisonUnit == PoisonUnit::bit ||
      semantics.memoryPoison == MemoryPoison::bit || !isTaken(source) ||
      !isTaken(target) || source.bigEndian != target.bigEndian)
    return false;
  shape_.clear();
  if (!shape_.add(target, semantics, targetPointers_, lack) ||
      !shape_.add(source, semantics, sourcePointers_, lack))
    return false;
  shape_.finish();
  core::Options options;
  for (const corpus::Parameter &parameter : source.signature.parameters)
    options.free += slotsOfParameter(parameter.type);
  bytes_ = options.free;
  facts_ = bytes_ + static_cast<Slot>(shape_.bytes().size()) *
                        core::ProgramMemory::slotsOfByte;
  places_ = facts_ + static_cast<Slot>(shape_.facts().size());
  // Without any there is one input all the same.
  inputs_ =
      std::max<Slot>(1, places_ + static_cast<Slot>(shape_.places().size()) *
                                      core::ProgramMemory::slotsOfPlace);
  core::ProgramMemory memory{&shape_, &targetPointers_, bytes_, facts_,
                             places_};
  options.memory = &memory;
  // A fact is looked at together with the slot before and the one behind it.
  options.free = inputs_ + 1;
  if (!elaborator_.elaborate(target, semantics, takes, options, target_))
    return false;
  options.free = target_.end;
  memory.pointers = &sourcePointers_;
  if (!elaborator_.elaborate(source, semantics, takes, options, source_))
    return false;
  compareWhatIsLeft(source);
  if (file_.size() < end_)
    file_.resize(2 * static_cast<std::size_t>(end_));
  bitsliced::writeLiterals(source_, file_.data());
  bitsliced::writeLiterals(target_, file_.data());
  return true;
}

void MemorySliced::compareWhatIsLeft(const Program &source) {
  components_.clear();
  const auto add = [&](Value s, Value t, unsigned width) {
    // On what one side never gets to, the other one may do anything.
    if (s != t && s.exists() && t.exists())
      components_.push_back({s, t, width});
  };
  const Type declared = source.signature.returnType;
  const Type type =
      declared.isPointer() ? core::ProgramMemory::returned : declared;
  Slot offset = 0;
  for (unsigned lane = 0; lane < core::lanesOf(type); ++lane) {
    const unsigned width = core::laneWidth(type, lane);
    const auto part = [&](Value value) {
      return value.exists() ? Value(value.slot() + offset, value.maySet())
                            : value;
    };
    add(part(source_.returned), part(target_.returned), width);
    offset += 1 + width;
  }
  for (std::size_t i = 0; i < source_.bytes.size(); ++i)
    add(source_.bytes[i], target_.bytes[i], byteBits);
  addCopies();
}

/// Of each lane poison where poison may stand for more: a set covers all
/// numbers, so that numbers and sets are compared as if it were poison, poison
/// on its own.
void MemorySliced::addCopies() {
  laneWidths_.clear();
  laneOffsets_.clear();
  end_ = source_.end;
  const auto addLane = [&](unsigned width) {
    const Slot offset =
        laneOffsets_.empty() ? 0 : laneOffsets_.back() + 1 + laneWidths_.back();
    laneOffsets_.push_back(offset);
    laneWidths_.push_back(static_cast<std::uint8_t>(width));
    return offset;
  };
  const auto mayBeSet = [](const Component &component) {
    return component.source.maySet() || component.target.maySet();
  };
  Slot size = 0;
  for (const Component &component : components_)
    size += 4 + component.width;
  sourceLanes_ = end_;
  targetLanes_ = end_ + size;
  end_ += 2 * size;
  for (const Component &component : components_) {
    if (mayBeSet(component))
      continue;
    const Slot offset = addLane(component.width);
    appendCopy(source_, component.source.slot(), sourceLanes_ + offset,
               component.width);
    appendCopy(target_, component.target.slot(), targetLanes_ + offset,
               component.width);
  }
  for (const Component &component : components_) {
    if (!mayBeSet(component))
      continue;
    const Slot offset = addLane(0);
    appendCopy(source_, component.source.slot(), sourceLanes_ + offset, 0);
    appendCopy(target_, component.target.slot(), targetLanes_ + offset, 0);
  }
  firstOfSets_ = laneWidths_.size();
  const auto joinSet = [&](core::Function &function, Value value,
                           unsigned width, Slot to) {
    appendCopy(function, value.slot(), to, width);
    if (value.maySet())
      appendJoin(function, value.slot(), value.slot() + 1 + width, to);
  };
  for (const Component &component : components_) {
    if (!mayBeSet(component))
      continue;
    const Slot offset = addLane(component.width);
    joinSet(source_, component.source, component.width, sourceLanes_ + offset);
    joinSet(target_, component.target, component.width, targetLanes_ + offset);
  }
  firstSet_ = laneWidths_.size();
  for (const Component &component : components_) {
    if (!component.target.maySet())
      continue;
    const Slot offset = addLane(0);
    if (component.source.maySet())
      appendJoin(source_, component.source.slot(),
                 component.source.slot() + 1 + component.width,
                 sourceLanes_ + offset);
    else
      appendCopy(source_, component.source.slot(), sourceLanes_ + offset, 0);
    appendCopy(target_, component.target.slot() + 1 + component.width,
               targetLanes_ + offset, 0);
  }
}

namespace {

/// The windows of which the shape tells all that matters.
Windows windowsOf(const core::MemoryShape &shape,
                  const corpus::Signature &signature) {
  Windows windows;
  windows.parameters.resize(signature.parameters.size());
  for (const MemoryFact &fact : shape.facts()) {
    Window &window = windows.parameters[fact.root];
    switch (fact.kind) {
    case MemoryFact::Kind::invalid:
      window.cuts.insert(fact.offset);
      window.cuts.insert(fact.offset + static_cast<std::int64_t>(fact.size));
      if (fact.alignment > 1)
        window.alignments.insert({fact.offset, fact.alignment});
      window.isWritten = window.isWritten || fact.isWrite;
      break;
    case MemoryFact::Kind::outside: {
      const corpus::Flags flags(fact.flags);
      if (flags.has(corpus::flag::inbounds)) {
        window.steps.insert(fact.other);
        window.cuts.insert({fact.offset, fact.other});
      }
      if (flags.has(corpus::flag::nusw) || flags.has(corpus::flag::nuw))
        windows.observesAddresses = windows.observesNumbers = true;
      break;
    }
    case MemoryFact::Kind::same:
      break;
    }
  }
  for (const std::uint16_t root : shape.nullTests())
    windows.parameters[root].nullTests.insert(0);
  for (Window &window : windows.parameters)
    if (window.cuts.size() < 2)
      window.cuts.insert({0, 1});
  return windows;
}

const MemoryBlock *blockOf(const Scenario &scenario, std::uint16_t root) {
  const Element &pointer = scenario.pointers[root];
  return pointer.hasPoison() || pointer.block == 0
             ? nullptr
             : &scenario.memory.blocks[pointer.block - 1U];
}

std::uint64_t offsetInBlock(const Scenario &scenario, std::uint16_t root,
                            std::int32_t offset) {
  return scenario.pointers[root].bits +
         static_cast<std::uint64_t>(static_cast<std::int64_t>(offset));
}

/// As Run::step() of the reference interpreter. `block` is null of an address
/// in no block.
bool isOutside(const MemoryBlock *block, std::uint64_t from, std::uint64_t to,
               corpus::Flags flags) {
  const auto isInBounds = [&](std::uint64_t offset) {
    const auto at = static_cast<std::int64_t>(offset);
    return block != nullptr && block->boundsBegin <= at &&
           at <= block->boundsEnd;
  };
  const bool inbounds = flags.has(corpus::flag::inbounds);
  const std::uint64_t base = block == nullptr ? 0 : block->base;
  const std::uint64_t before = base + from;
  const std::uint64_t after = base + to;
  const bool isBack = static_cast<std::int64_t>(to - from) < 0;
  return (inbounds && (!isInBounds(from) || !isInBounds(to))) ||
         ((inbounds || flags.has(corpus::flag::nusw)) &&
          (isBack ? after >= before : after < before)) ||
         (flags.has(corpus::flag::nuw) && after < before);
}

bool holds(const MemoryFact &fact, const Scenario &scenario) {
  const MemoryBlock *block = blockOf(scenario, fact.root);
  const std::uint64_t at = offsetInBlock(scenario, fact.root, fact.offset);
  if (fact.kind == MemoryFact::Kind::outside)
    return isOutside(block, at, offsetInBlock(scenario, fact.root, fact.other),
                     corpus::Flags(fact.flags));
  if (block == nullptr)
    return fact.kind == MemoryFact::Kind::invalid;
  switch (fact.kind) {
  case MemoryFact::Kind::invalid:
    return !block->holds(at, fact.size) ||
           !block->isAligned(at, fact.alignment) ||
           (fact.isWrite && !block->isWritable);
  default:
    return block->holds(at, 1) && block == blockOf(scenario, fact.otherRoot) &&
           at == offsetInBlock(scenario, fact.otherRoot, fact.other);
  }
}

} // namespace

/// Null where there are too many scenarios. Requires the key of the shape.
const std::vector<MemorySliced::Situation> *
MemorySliced::situationsOf(const corpus::Signature &signature,
                           const Semantics &semantics) {
  if (situations_.size() == maximumEntries)
    situations_.clear();
  const auto [found, isNew] = situations_.try_emplace(key_);
  if (!isNew)
    return found->second.empty() ? nullptr : &found->second;
  const auto scenarios =
      scenariosOf(windowsOf(shape_, signature), signature, semantics,
                  FullBytes::no, maximumScenarios);
  if (!scenarios || shape_.bytes().size() >= noUnknown)
    return nullptr;
  std::set<Situation> seen;
  for (const Scenario &scenario : *scenarios) {
    Situation situation;
    for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
      if (!signature.parameters[i].type.isPointer())
        continue;
      const Element &pointer = scenario.pointers[i];
      const MemoryBlock *block =
          blockOf(scenario, static_cast<std::uint16_t>(i));
      const std::uint64_t address =
          block == nullptr ? pointer.bits : block->base + pointer.bits;
      situation.planes.push_back(pointer.hasPoison());
      situation.planes.push_back(!pointer.hasPoison() && address == 0);
    }
    for (const MemoryFact &fact : shape_.facts())
      situation.planes.push_back(holds(fact, scenario));
    // Pointers are numbered as they come: the same ones are equal.
    const auto &places = shape_.places();
    std::vector<Element> pointers;
    for (const core::Place &place : places) {
      Element pointer = place.root == core::Place::null
                            ? Element::number(0)
                            : scenario.pointers[place.root];
      if (!pointer.hasPoison())
        pointer.bits +=
            static_cast<std::uint64_t>(static_cast<std::int64_t>(place.offset));
      const auto number = static_cast<std::size_t>(
          std::find(pointers.begin(), pointers.end(), pointer) -
          pointers.begin());
      if (number == pointers.size())
        pointers.push_back(pointer);
      situation.planes.push_back(pointer.hasPoison());
      for (unsigned bit = 0; bit < core::ProgramMemory::returned.width(); ++bit)
        situation.planes.push_back((number >> bit & 1) != 0);
    }
    // Bytes that coincide are one unknown, the first of them.
    const auto &bytes = shape_.bytes();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const MemoryBlock *block = blockOf(scenario, bytes[i].root);
      const std::uint64_t at =
          offsetInBlock(scenario, bytes[i].root, bytes[i].offset);
      std::uint8_t unknown = noUnknown;
      if (block != nullptr && block->holds(at, 1)) {
        unknown = static_cast<std::uint8_t>(i);
        for (std::size_t j = i; j-- > 0;)
          if (block == blockOf(scenario, bytes[j].root) &&
              at == offsetInBlock(scenario, bytes[j].root, bytes[j].offset))
            unknown = static_cast<std::uint8_t>(j);
      }
      situation.unknowns.push_back(unknown);
    }
    if (seen.insert(situation).second)
      found->second.push_back(std::move(situation));
  }
  return &found->second;
}

void MemorySliced::build(const corpus::Signature &signature,
                         const std::vector<Situation> &situations,
                         Layout &layout) {
  std::size_t lane = bitsliced::lanes;
  std::vector<Unknown> unknowns;
  std::vector<std::size_t> unknownOfByte(contents_.size());
  for (const Situation &situation : situations) {
    // A byte is computed if it is so under one of its names.
    unknowns = arguments_;
    for (std::size_t i = 0; i < contents_.size(); ++i) {
      const std::uint8_t name = situation.unknowns[i];
      if (name == noUnknown)
        continue;
      if (name == i) {
        unknownOfByte[i] = unknowns.size();
        unknowns.push_back(contents_[i]);
        continue;
      }
      unknownOfByte[i] = unknownOfByte[name];
      Unknown &unknown = unknowns[unknownOfByte[i]];
      unknown.computed |= contents_[i].computed;
      unknown.moved &= contents_[i].moved;
      unknown.flagIsComputed =
          unknown.flagIsComputed || contents_[i].flagIsComputed;
    }
    const double inputs = countReduced(unknowns);
    const double planes =
        (inputs / bitsliced::lanes + 1) * static_cast<double>(inputs_);
    if (planes + static_cast<double>(layout.planes.size()) >
        static_cast<double>(maximumPlanes)) {
      layout.isTooLarge = true;
      return;
    }
    forEachReduced(unknowns, [&](const std::vector<UnknownValue> &values) {
      if (lane == bitsliced::lanes) {
        lane = 0;
        layout.planes.resize(layout.planes.size() + inputs_);
      }
      Plane *planes = layout.planes.data() + layout.planes.size() - inputs_;
      const auto set = [&](Slot slot, std::uint64_t value) {
        if ((value & 1) != 0)
          setLane(planes[slot], lane);
      };
      const auto setValue = [&](Slot slot, unsigned width,
                                const UnknownValue &value) {
        set(slot, value.poison != 0 ? 1 : 0);
        for (unsigned bit = 0; bit < width; ++bit)
          set(slot + 1 + bit, value.bits >> bit);
      };
      Slot slot = 0;
      std::size_t plane = 0;
      std::size_t unknown = 0;
      for (const corpus::Parameter &parameter : signature.parameters) {
        if (parameter.type.isPointer())
          for (Slot i = 0; i < 2; ++i)
            set(slot + i, situation.planes[plane++] ? 1 : 0);
        else
          setValue(slot, parameter.type.width(), values[unknown++]);
        slot += slotsOfParameter(parameter.type);
      }
      for (std::size_t i = 0; i < contents_.size(); ++i) {
        if (situation.unknowns[i] != noUnknown)
          setValue(slot, byteBits, values[unknownOfByte[i]]);
        slot += core::ProgramMemory::slotsOfByte;
      }
      for (; plane < situation.planes.size(); ++slot)
        set(slot, situation.planes[plane++] ? 1 : 0);
      ++lane;
      return true;
    });
  }
  // Lanes left over are the first input of their block once more.
  if (!layout.planes.empty()) {
    Plane *planes = layout.planes.data() + layout.planes.size() - inputs_;
    for (Slot slot = 0; slot < inputs_; ++slot)
      if ((planes[slot].words[0] & 1) != 0)
        for (std::size_t rest = lane; rest < bitsliced::lanes; ++rest)
          setLane(planes[slot], rest);
  }
  for (std::size_t at = 0; at < layout.planes.size(); at += inputs_)
    layout.series.push_back({layout.planes.data() + at, nullptr, 1});
}

const MemorySliced::Layout &
MemorySliced::layoutOf(const corpus::Signature &signature,
                       const Semantics &semantics, FullBytes fullBytes) {
  // Of the shape first, which says what the situations are.
  key_.clear();
  key_.push_back(static_cast<std::uint64_t>(semantics.inputs));
  for (const corpus::Parameter &parameter : signature.parameters)
    key_.push_back(std::uint64_t(1) << 32 | parameter.type.id());
  for (const core::WindowByte &byte : shape_.bytes())
    key_.push_back(std::uint64_t(2) << 48 | std::uint64_t(byte.root) << 32 |
                   static_cast<std::uint32_t>(byte.offset));
  for (const MemoryFact &fact : shape_.facts()) {
    key_.push_back(std::uint64_t(3) << 48 | std::uint64_t(fact.kind) << 40 |
                   std::uint64_t(fact.flags) << 32 |
                   std::uint64_t(fact.isWrite) << 31 |
                   std::uint64_t(fact.root) << 16 | fact.otherRoot);
    key_.push_back(std::uint64_t(static_cast<std::uint32_t>(fact.offset))
                       << 32 |
                   static_cast<std::uint32_t>(fact.other));
    if (fact.kind == MemoryFact::Kind::invalid)
      key_.push_back(std::uint64_t(fact.size) << 32 | fact.alignment);
  }
  for (const core::Place &place : shape_.places())
    key_.push_back(std::uint64_t(4) << 48 | std::uint64_t(place.root) << 32 |
                   static_cast<std::uint32_t>(place.offset));
  for (const std::uint16_t root : shape_.nullTests())
    key_.push_back(std::uint64_t(5) << 48 | root);
  const std::size_t shape = key_.size();

  const bool all = fullBytes == FullBytes::yes;
  const auto unknownAt = [&](Slot slot, unsigned width) {
    Unknown unknown;
    unknown.width = width;
    unknown.mayBePoison = semantics.inputs != Inputs::defined;
    unknown.flagIsComputed = all || moved_.isComputed(slot);
    for (unsigned bit = 0; bit < width; ++bit)
      (all || moved_.isComputed(slot + 1 + bit) ? unknown.computed
                                                : unknown.moved) |=
          std::uint64_t(1) << bit;
    key_.push_back(unknown.computed);
    key_.push_back(unknown.flagIsComputed ? 1 : 0);
    return unknown;
  };
  arguments_.clear();
  contents_.clear();
  Slot slot = 0;
  for (const corpus::Parameter &parameter : signature.parameters) {
    if (!parameter.type.isPointer())
      arguments_.push_back(unknownAt(slot, parameter.type.width()));
    slot += slotsOfParameter(parameter.type);
  }
  for (std::size_t i = 0; i < shape_.bytes().size(); ++i) {
    contents_.push_back(unknownAt(slot, byteBits));
    slot += core::ProgramMemory::slotsOfByte;
  }

  if (const auto found = layouts_.find(key_); found != layouts_.end())
    return found->second;
  if (layouts_.size() == maximumEntries ||
      planesInLayouts_ > maximumPlanesKept) {
    layouts_.clear();
    planesInLayouts_ = 0;
  }
  Layout &layout = layouts_[key_];
  key_.resize(shape);
  if (const auto *situations = situationsOf(signature, semantics))
    build(signature, *situations, layout);
  else
    layout.isTooLarge = true;
  if (layout.isTooLarge)
    layout.planes = {};
  planesInLayouts_ += layout.planes.size();
  return layout;
}

std::uint8_t MemorySliced::run(const Layout &layout, std::size_t firstLane,
                               std::size_t lanes) {
  bitsliced::Job job;
  job.file = file_.data();
  job.inputPlanes = inputs_;
  job.series = layout.series.data();
  job.seriesCount = layout.series.size();
  const Slot offset = lanes == 0 ? 0 : laneOffsets_[firstLane];
  job.source = {source_.steps.data(), source_.steps.size(),
                sourceLanes_ + offset};
  job.target = {target_.steps.data(), target_.steps.size(),
                targetLanes_ + offset};
  job.returnedWidths = laneWidths_.data() + firstLane;
  job.returnedLanes = static_cast<unsigned>(lanes);
  return kernel_(job);
}

MemorySliced::Result MemorySliced::check(const Program &source,
                                         const Program &target,
                                         const Semantics &semantics,
                                         FullBytes fullBytes) {
  using Word = Result::Word;
  if (!prepare(source, target, semantics))
    return {};
  moved_.find(target_, source_, end_);
  const Layout &layout = layoutOf(source.signature, semantics, fullBytes);
  if (layout.isTooLarge)
    return {};
  const std::uint8_t found = run(layout, 0, firstSet_);
  if (found == 0)
    return {Word::refines, {}};
  if ((found & bitsliced::found::moreUb) != 0)
    return {Word::wrong, Kind::moreUb};
  // Where sets are compared as if they were poison it says nothing.
  if ((run(layout, 0, firstOfSets_) & bitsliced::found::morePoison) != 0)
    return {Word::wrong, Kind::morePoison};
  if (firstSet_ != laneWidths_.size() &&
      run(layout, firstSet_, laneWidths_.size() - firstSet_) != 0)
    return {Word::wrong, Kind::moreUndef};
  return {Word::wrong, Kind::value};
}

} // namespace checker
