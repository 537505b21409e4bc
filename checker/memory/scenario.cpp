// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/memory/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_set>

namespace checker {

using corpus::Program;

namespace {

/// Blocks whose order and gaps nobody sees lie this far from each other.
constexpr std::uint64_t farApart = std::uint64_t(1) << 32;
/// An alignment that every place which is not chosen for another reason has.
constexpr std::uint64_t maximumAlignment = std::uint64_t(1) << 30;

/// Pointers that are based on one block, at fixed distances.
struct Group {
  static constexpr std::size_t ofNothing = ~std::size_t(0);
  struct Member {
    std::size_t parameter;
    std::int64_t shift; ///< from the block's origin to the pointer
  };
  std::size_t global = ofNothing;
  std::vector<Member> members;
};

class Enumeration {
public:
  Enumeration(const Windows &windows, const corpus::Signature &signature,
              const Semantics &semantics, bool nullIsValid, FullBytes fullBytes,
              std::size_t limit)
      : windows_(windows), signature_(signature), semantics_(semantics),
        nullIsValid_(nullIsValid),
        onlyCompares_(fullBytes == FullBytes::no && windows.observesAddresses &&
                      !windows.observesNumbers && windows.globals.empty()),
        limit_(limit) {}

  /// False when there are more than the limit.
  bool run(std::vector<Scenario> &list);

private:
  /// What is not in a group.
  enum class Alone : std::uint8_t { null, poison };

  /// So many places of blocks may be looked at for each scenario of the limit.
  static constexpr std::size_t triedForOne = 8;

  bool isFull() const {
    constexpr std::size_t bytesOfOne = 256; // more in some, less in others
    return hasTooMany_ || list_->size() > limit_ ||
           bytes_ > limit_ * bytesOfOne;
  }
  void assign(std::size_t parameter);
  void placeAll();
  void place(std::size_t group);
  void placeBlock(std::size_t group, std::int64_t begin, std::int64_t end);
  void placeAddress(std::size_t group, MemoryBlock block, std::int64_t origin);
  std::optional<std::vector<std::uint64_t>>
  bases(const MemoryBlock &block, std::int64_t origin, std::size_t group) const;
  static std::vector<std::uint64_t>
  residues(const Window &window, std::int64_t origin, std::uint64_t alignment);
  static std::uint64_t alignmentOf(const Window &window);
  Window windowOf(const Group &group) const;
  bool isLikeAnother();

  const Windows &windows_;
  const corpus::Signature &signature_;
  const Semantics &semantics_;
  const bool nullIsValid_;
  const bool onlyCompares_; ///< nothing else is seen of where arguments lie
  const std::size_t limit_;
  std::vector<Scenario> *list_ = nullptr;
  std::vector<Group> groups_;
  std::vector<Window> placed_; ///< windows of the groups that are being placed
  Scenario scenario_;
  std::set<std::vector<std::uint64_t>> seen_; ///< what programs see of each
  std::vector<std::uint64_t> key_;
  std::size_t tried_ = 0;
  bool hasTooMany_ = false; ///< places of a block
  std::size_t bytes_ = 0;   ///< of all blocks in the list
};

/// Where blocks begin and end.
std::vector<std::uint64_t> endsOfBlocks(const Memory &memory) {
  std::vector<std::uint64_t> ends;
  for (const MemoryBlock &block : memory.blocks) {
    ends.push_back(block.base);
    ends.push_back(block.base + block.bytes.size());
  }
  return ends;
}

/// The window of all members, from the block's origin.
Window Enumeration::windowOf(const Group &group) const {
  Window all;
  if (group.global != Group::ofNothing)
    all = windows_.ofGlobals[group.global];
  for (const Group::Member &member : group.members) {
    const Window &own = windows_.parameters[member.parameter];
    for (const std::int64_t cut : own.cuts)
      all.cuts.insert(cut + member.shift);
    for (const std::int64_t step : own.steps)
      all.steps.insert(step + member.shift);
    for (const auto &[offset, alignment] : own.alignments)
      all.alignments.insert({offset + member.shift, alignment});
    for (const std::int64_t offset : own.nullTests)
      all.nullTests.insert(offset + member.shift);
    all.isWritten = all.isWritten || own.isWritten;
  }
  return all;
}

std::uint64_t Enumeration::alignmentOf(const Window &window) {
  std::uint64_t largest = 1;
  for (const auto &[offset, alignment] : window.alignments)
    largest = std::max<std::uint64_t>(largest, alignment);
  return std::min(largest, maximumAlignment);
}

/// Of the address of the origin: one of each class that the alignments of
/// accesses tell apart.
std::vector<std::uint64_t> Enumeration::residues(const Window &window,
                                                 std::int64_t origin,
                                                 std::uint64_t alignment) {
  std::vector<std::uint64_t> result;
  std::set<std::vector<bool>> seen;
  // Large alignments: what matters is near a multiple.
  constexpr std::uint64_t mostResidues = 256;
  for (std::uint64_t r = 0; r < std::min(alignment, mostResidues); ++r) {
    std::vector<bool> fits;
    for (const auto &[offset, each] : window.alignments)
      fits.push_back(((r + static_cast<std::uint64_t>(offset - origin)) &
                      (each - 1)) == 0);
    if (seen.insert(fits).second)
      result.push_back(r);
  }
  return result;
}

void Enumeration::assign(std::size_t parameter) {
  const auto &parameters = signature_.parameters;
  if (isFull())
    return;
  if (parameter == parameters.size())
    return placeAll();
  if (!parameters[parameter].type.isPointer())
    return assign(parameter + 1);

  // A block of its own; whether any of it is valid comes later.
  groups_.push_back({Group::ofNothing, {{parameter, 0}}});
  assign(parameter + 1);
  groups_.pop_back();

  // One block with others.
  const Window &own = windows_.parameters[parameter];
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (groups_[g].global == Group::ofNothing && groups_[g].members.empty())
      continue;
    const Window with = windowOf(groups_[g]);
    // Windows that touch matter to calls, which see all of a block.
    const std::int64_t more = windows_.hasCalls ? 1 : 0;
    std::vector<std::int64_t> shifts;
    for (std::int64_t shift = with.begin() - own.end() + 1 - more;
         shift <= with.end() - own.begin() - 1 + more; ++shift)
      shifts.push_back(shift);
    // Equal pointers are the plain case.
    std::stable_sort(shifts.begin(), shifts.end(),
                     [](std::int64_t a, std::int64_t b) {
                       return std::abs(a) < std::abs(b);
                     });
    for (const std::int64_t shift : shifts) {
      groups_[g].members.push_back({parameter, shift});
      assign(parameter + 1);
      groups_[g].members.pop_back();
    }
  }

  Element &pointer = scenario_.pointers[parameter];
  pointer = Element::number(0);
  assign(parameter + 1);
  if (semantics_.inputs != Inputs::defined) {
    pointer = Element::poisonOf(corpus::Type::pointer());
    assign(parameter + 1);
  }
  pointer = {};
}

/// Where programs only compare addresses, a scenario is what they can see of
/// it: which bytes there are, what is aligned, and how addresses compare.
bool Enumeration::isLikeAnother() {
  key_.clear();
  for (const MemoryBlock &block : scenario_.memory.blocks)
    key_.insert(key_.end(), {block.bytes.size(), block.isWritable,
                             static_cast<std::uint64_t>(block.boundsBegin),
                             static_cast<std::uint64_t>(block.boundsEnd)});
  // Null is compared, too.
  std::vector<std::uint64_t> compared = {0};
  for (std::size_t i = 0; i < signature_.parameters.size(); ++i) {
    const Element &pointer = scenario_.pointers[i];
    key_.insert(key_.end(), {pointer.hasPoison(), pointer.block, pointer.bits});
    if (!signature_.parameters[i].type.isPointer() || pointer.hasPoison())
      continue;
    const std::uint64_t address =
        pointer.bits + (pointer.block == 0
                            ? 0
                            : scenario_.memory.blocks[pointer.block - 1U].base);
    const Window &window = windows_.parameters[i];
    for (const auto &[offset, alignment] : window.alignments)
      key_.push_back((address + static_cast<std::uint64_t>(offset)) &
                     (alignment - 1));
    for (const std::int64_t offset : window.nullTests)
      key_.push_back(address + static_cast<std::uint64_t>(offset) == 0);
    for (const std::int64_t offset : window.compared)
      compared.push_back(address + static_cast<std::uint64_t>(offset));
  }
  for (std::size_t i = 0; i < compared.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const std::uint64_t a = compared[i];
      const std::uint64_t b = compared[j];
      key_.push_back(a == b);
      if (windows_.ordersUnsigned)
        key_.push_back(a < b);
      if (windows_.ordersSigned)
        key_.push_back(static_cast<std::int64_t>(a) <
                       static_cast<std::int64_t>(b));
    }
  return !seen_.insert(key_).second;
}

/// Each group anywhere.
void Enumeration::placeAll() {
  placed_.clear();
  for (const Group &group : groups_)
    placed_.push_back(windowOf(group));
  place(0);
}

void Enumeration::place(std::size_t group) {
  if (isFull())
    return;
  if (group == groups_.size()) {
    hasTooMany_ = hasTooMany_ || ++tried_ > triedForOne * limit_;
    if (isFull() || (onlyCompares_ && isLikeAnother()))
      return;
    for (const MemoryBlock &block : scenario_.memory.blocks)
      bytes_ += block.bytes.size();
    list_->push_back(scenario_);
    return;
  }
  const Group &at = groups_[group];
  const Window &window = placed_[group];
  if (at.global != Group::ofNothing)
    return placeBlock(group, window.begin() < 0 ? 0 : window.begin(),
                      *windows_.ofGlobals[at.global].cuts.rbegin());
  const auto touches = [&](std::int64_t begin, std::int64_t end) {
    return std::all_of(
        at.members.begin(), at.members.end(), [&](const Group::Member &member) {
          const Window &own = windows_.parameters[member.parameter];
          return begin < own.end() + member.shift &&
                 own.begin() + member.shift < end;
        });
  };
  // Long intervals first.
  const std::vector<std::int64_t> cuts(window.cuts.begin(), window.cuts.end());
  for (std::size_t length = cuts.size() - 1; length > 0; --length)
    for (std::size_t from = 0; from + length < cuts.size(); ++from)
      if (touches(cuts[from], cuts[from + length]))
        placeBlock(group, cuts[from], cuts[from + length]);
  if (at.members.size() == 1)
    placeBlock(group, 0, 0); // nothing valid
}

/// The block of this group has the valid bytes [begin, end), counted from the
/// group's origin.
void Enumeration::placeBlock(std::size_t group, std::int64_t begin,
                             std::int64_t end) {
  if (isFull())
    return;
  const Group &at = groups_[group];
  const Window &window = placed_[group];
  const corpus::Global *global =
      at.global == Group::ofNothing ? nullptr : &windows_.globals[at.global];
  MemoryBlock block;
  block.kind = global == nullptr ? MemoryBlock::Kind::argument
                                 : MemoryBlock::Kind::global;
  const auto size = static_cast<std::size_t>(end - begin);
  block.bytes.assign(size, Byte::number(0));
  block.accesses.resize(size);
  block.hasContents = global != nullptr && !global->contents.empty();
  if (block.hasContents)
    for (std::size_t i = 0; i < size; ++i)
      block.bytes[i] = Byte::number(global->contents[i]);

  // In bounds: the valid bytes, or more where an object may grow; if nothing is
  // valid, any run of the offsets that are stepped on.
  struct Bounds {
    std::int64_t begin, end;
  };
  std::vector<Bounds> bounds = {{begin, end}};
  if (global == nullptr) {
    const auto &steps = window.steps;
    if (size != 0) {
      for (const std::int64_t step : steps)
        if (step > end)
          bounds.push_back({begin, step});
    } else {
      for (auto low = steps.begin(); low != steps.end(); ++low)
        for (auto high = low; high != steps.end(); ++high)
          bounds.push_back({*low, *high});
      if (!steps.empty())
        bounds.front() = {1, 0}; // none of them
    }
  }
  std::vector<bool> writable = {true};
  if (global != nullptr)
    writable = {!global->isConstant};
  else if (size != 0 && window.isWritten)
    writable.push_back(false);
  for (const Bounds &each : bounds)
    for (const bool isWritable : writable) {
      MemoryBlock variant = block;
      variant.boundsBegin = each.begin - begin;
      variant.boundsEnd = each.end - begin;
      variant.isWritable = isWritable;
      placeAddress(group, std::move(variant), begin);
    }
}

/// Addresses of the block's first byte, `origin` behind that of the group;
/// nothing if they are too many.
std::optional<std::vector<std::uint64_t>>
Enumeration::bases(const MemoryBlock &block, std::int64_t origin,
                   std::size_t group) const {
  const Window &window = placed_[group];
  const std::size_t global = groups_[group].global;
  const std::uint64_t alignment = alignmentOf(window);
  const auto toFirst = static_cast<std::uint64_t>(origin);
  std::vector<std::uint64_t> result;
  const std::size_t index = scenario_.memory.blocks.size();
  if (global != Group::ofNothing) {
    const std::uint64_t own = windows_.globals[global].alignment;
    const std::uint64_t step = std::min<std::uint64_t>(own, maximumAlignment);
    for (std::uint64_t r = 0; r < alignment; r += step)
      result.push_back(farApart * (index + 1) + r);
  } else {
    for (const std::uint64_t r : residues(window, 0, alignment))
      result.push_back(farApart * (index + 1) + r + toFirst);
  }
  const std::size_t generic = result.size();
  // A pointer in front of what is valid, or behind, may be null.
  for (const std::int64_t offset : window.nullTests)
    result.push_back(static_cast<std::uint64_t>(origin - offset));
  if (windows_.observesAddresses) {
    // Another order of the blocks, then near each of them and near the ends of
    // the address space.
    if (!onlyCompares_ || windows_.ordersUnsigned || windows_.ordersSigned)
      for (std::size_t i = 0; i < generic; ++i)
        result.push_back(result[i] + (farApart << 16) - 2 * index * farApart);
    const std::int64_t extent = std::max<std::int64_t>(
        {1, window.end(), -window.begin(), window.end() - window.begin()});
    const std::int64_t reach = windows_.reach + extent + 1;
    std::vector<std::uint64_t> marks = endsOfBlocks(scenario_.memory);
    marks.insert(marks.begin(), 0);
    if (!onlyCompares_ || windows_.ordersSigned)
      marks.insert(marks.begin(), std::uint64_t(1) << 63);
    // Each is a scenario at least, and there is an end to those.
    if (marks.size() * static_cast<std::uint64_t>(reach) > limit_)
      return std::nullopt;
    for (const std::uint64_t mark : marks)
      for (std::int64_t d = -reach; d <= reach; ++d)
        result.push_back(mark + static_cast<std::uint64_t>(d));
  }
  const std::uint64_t size = block.bytes.size();
  std::vector<std::uint64_t> fit;
  std::unordered_set<std::uint64_t> known;
  for (const std::uint64_t base : result) {
    // An object is not at null, does not wrap, nor does the address of its end
    // (LangRef, "Allocated Objects"), and overlaps no other one.
    bool fits =
        size == 0 || (base + size > base && (base != 0 || nullIsValid_));
    // Nor does what is in bounds of one of which nothing is valid.
    if (size == 0 && block.boundsBegin <= block.boundsEnd) {
      const std::uint64_t begin =
          base + static_cast<std::uint64_t>(block.boundsBegin);
      const std::uint64_t end =
          base + static_cast<std::uint64_t>(block.boundsEnd);
      fits = (begin != 0 || nullIsValid_) && begin <= end;
    }
    if (global != Group::ofNothing)
      fits = fits && base % windows_.globals[global].alignment == 0;
    for (const MemoryBlock &other : scenario_.memory.blocks)
      fits = fits &&
             (size == 0 || other.bytes.empty() ||
              base - other.base >= other.bytes.size()) &&
             (size == 0 || other.bytes.empty() || other.base - base >= size);
    if (fits && known.insert(base).second)
      fit.push_back(base);
  }
  return fit;
}

void Enumeration::placeAddress(std::size_t group, MemoryBlock block,
                               std::int64_t origin) {
  if (isFull())
    return;
  const Group &at = groups_[group];
  const auto all = bases(block, origin, group);
  hasTooMany_ = hasTooMany_ || !all;
  if (isFull())
    return;
  for (const std::uint64_t base : *all) {
    block.base = base;
    scenario_.memory.blocks.push_back(block);
    for (const Group::Member &member : at.members) {
      Element &pointer = scenario_.pointers[member.parameter];
      pointer =
          Element::number(static_cast<std::uint64_t>(member.shift - origin));
      pointer.block =
          static_cast<std::uint16_t>(scenario_.memory.blocks.size());
    }
    place(group + 1);
    scenario_.memory.blocks.pop_back();
    if (isFull())
      return;
  }
}

bool Enumeration::run(std::vector<Scenario> &list) {
  list_ = &list;
  scenario_.pointers.resize(signature_.parameters.size());
  for (std::size_t i = 0; i < windows_.globals.size(); ++i)
    groups_.push_back({i, {}});
  for (const corpus::Global &global : windows_.globals)
    scenario_.globals.push_back(global.name);
  assign(0);
  return !isFull();
}

} // namespace

corpus::Result<std::vector<Scenario>> scenariosOf(const Program &source,
                                                  const Program &target,
                                                  const Semantics &semantics,
                                                  std::size_t limit) {
  const auto windows = windowsOf(source, target);
  if (!windows)
    return windows.error();
  return scenariosOf(*windows, source.signature, semantics, FullBytes::no,
                     limit);
}

corpus::Result<std::vector<Scenario>>
scenariosOf(const Windows &windows, const corpus::Signature &signature,
            const Semantics &semantics, FullBytes fullBytes,
            std::size_t limit) {
  const bool nullIsValid =
      signature.function.has(corpus::attribute::nullPointerIsValid);
  std::vector<Scenario> list;
  if (!Enumeration(windows, signature, semantics, nullIsValid, fullBytes, limit)
           .run(list))
    return corpus::Error{fmt::format(
        "more than {} ways in which pointers may lie to each other", limit)};
  return list;
}

std::vector<std::uint64_t> placesOfLocal(const Memory &memory,
                                         const Windows &windows,
                                         std::uint64_t size,
                                         std::uint32_t alignment) {
  const std::uint64_t step = alignment;
  const auto aligned = [&](std::uint64_t address) {
    return (address + step - 1) / step * step;
  };
  // Beyond what blocks of arguments can be.
  std::vector<std::uint64_t> places = {
      aligned((farApart << 17) + farApart * (memory.blocks.size() + 1))};
  if (!windows.observesAddresses || !windows.observesNumbers)
    return places;
  places.push_back(aligned(farApart / 2 + (memory.blocks.size() << 16)));
  const auto add = [&](std::uint64_t base) {
    bool fits = base % step == 0 && base != 0 && base + size >= base;
    for (const MemoryBlock &other : memory.blocks)
      fits = fits && (other.bytes.empty() || size == 0 ||
                      (base - other.base >= other.bytes.size() &&
                       other.base - base >= size));
    if (fits && std::find(places.begin(), places.end(), base) == places.end())
      places.push_back(base);
  };
  const std::int64_t reach =
      windows.reach + static_cast<std::int64_t>(size) + 1;
  std::vector<std::uint64_t> marks = endsOfBlocks(memory);
  marks.insert(marks.begin(), 0);
  for (const std::uint64_t mark : marks)
    for (std::int64_t d = -reach; d <= reach; ++d)
      add(mark + static_cast<std::uint64_t>(d));
  return places;
}

std::set<std::uint64_t> addressesOfNothing(const Memory &memory,
                                           const Windows &windows,
                                           unsigned shifts) {
  constexpr std::uint64_t farFromAll = std::uint64_t(0x7654321) << 36;
  std::set<std::uint64_t> addresses = {0, farFromAll};
  if (windows.observesAddresses)
    for (const std::uint64_t end : endsOfBlocks(memory))
      for (std::int64_t d = -windows.reach - 1; d <= windows.reach + 1; ++d)
        addresses.insert(end + static_cast<std::uint64_t>(d));
  for (unsigned i = 0; i < shifts; ++i) {
    std::set<std::uint64_t> shifted;
    for (const std::uint64_t address : addresses)
      for (const std::uint64_t shift : *windows.shifts)
        shifted.insert(address + shift);
    addresses = std::move(shifted);
  }
  return addresses;
}

} // namespace checker
