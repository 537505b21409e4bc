// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/memory/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>

namespace checker {

using corpus::Type;

namespace {

constexpr unsigned byteBits = 8;
/// Elements of a set that a load makes, and forks.
constexpr std::size_t maximumPicks = std::size_t(1) << 16;

unsigned bytesOf(Type type) { return (type.width() + byteBits - 1) / byteBits; }

/// Which byte in memory has the bits from 8 * `place` of a value.
std::uint64_t byteAt(std::uint64_t offset, unsigned place, unsigned count,
                     bool bigEndian) {
  return offset + (bigEndian ? count - 1 - place : place);
}

bool fillsBytes(Type type) { return type.width() % byteBits == 0; }

std::uint16_t partOf(Type type, unsigned place) {
  return fillsBytes(type)
             ? 0
             : static_cast<std::uint16_t>(type.width() * byteBits + place);
}

std::uint8_t usedBits(Type type, unsigned place) {
  const unsigned left = type.width() - place * byteBits;
  return left >= byteBits ? 0xff : static_cast<std::uint8_t>((1U << left) - 1);
}

/// Bits of a value, gathered from its bytes.
struct Gathered {
  Element fixed;            ///< numbers and poison
  std::uint64_t uninit = 0; ///< none of fixed
  bool isPoison = false;    ///< all of it
  bool mayBePoison = false; ///< by bits of the padding that may be anything
  struct Part {
    std::uint32_t set;
    unsigned from; ///< bit of the element
    unsigned to;   ///< bit of the value
    std::uint64_t mask;
  };
  std::vector<Part> parts;
};

Gathered gather(const MemoryBlock &block, std::uint64_t offset, Type type,
                const MemoryRules &rules) {
  Gathered result;
  const unsigned count = bytesOf(type);
  for (unsigned place = 0; place < count; ++place) {
    const Byte &byte =
        block.bytes[byteAt(offset, place, count, rules.bigEndian)];
    const unsigned shift = place * byteBits;
    const std::uint8_t used = usedBits(type, place);
    const auto padding = static_cast<std::uint8_t>(~used);
    const bool ofOtherType = byte.stored != 0 && byte.stored != Byte::anyType;
    if (fillsBytes(type)) {
      result.isPoison |= ofOtherType;
    } else {
      const bool isUninit = byte.uninit == 0xff;
      const bool sameType = rules.semantics.padding == PaddingRule::zero ||
                            isUninit || byte.stored == Byte::anyType ||
                            byte.stored == partOf(type, place);
      const bool checksPadding = rules.semantics.padding == PaddingRule::zero ||
                                 byte.stored == Byte::anyType;
      const bool nonZero =
          ((byte.bits | byte.poison | byte.ofSet) & padding) != 0;
      result.isPoison |= !sameType || (checksPadding && nonZero);
      result.mayBePoison |= rules.semantics.padding == PaddingRule::zero &&
                            (byte.uninit & padding) != 0;
    }
    result.fixed.bits |= std::uint64_t(byte.bits & used) << shift;
    result.fixed.poison |= std::uint64_t(byte.poison & used) << shift;
    result.uninit |= std::uint64_t(byte.uninit & used) << shift;
    if ((byte.ofSet & used) != 0)
      result.parts.push_back({byte.set, byte.firstOfSet, shift,
                              std::uint64_t(byte.ofSet & used) << shift});
  }
  return result;
}

std::uint64_t moved(std::uint64_t bits, const Gathered::Part &part) {
  const std::uint64_t low = bits >> part.from;
  return (low << part.to) & part.mask;
}

/// Every choice of one element for each set in `parts`, put into `fixed`.
std::vector<Element> picksOf(const Gathered &gathered,
                             const std::vector<ValueSet> &sets) {
  std::vector<Element> picks = {gathered.fixed};
  std::vector<std::uint32_t> done;
  for (const Gathered::Part &part : gathered.parts) {
    if (std::find(done.begin(), done.end(), part.set) != done.end())
      continue;
    done.push_back(part.set);
    std::vector<Element> longer;
    for (const Element &pick : picks)
      for (const Element &element : sets[part.set]) {
        Element next = pick;
        for (const Gathered::Part &same : gathered.parts)
          if (same.set == part.set) {
            next.bits |= moved(element.bits, same);
            next.poison |= moved(element.poison, same);
          }
        longer.push_back(next);
      }
    picks = std::move(longer);
    if (picks.size() > maximumPicks)
      return {};
  }
  return picks;
}

} // namespace

std::vector<ValueSet> Memory::load(std::size_t block, std::uint64_t offset,
                                   Type type, const MemoryRules &rules) const {
  const Gathered gathered = gather(blocks[block], offset, type, rules);
  if (gathered.isPoison)
    return {{Element::poisonOf(type)}};
  std::vector<Element> picks = picksOf(gathered, sets);
  const unsigned free = static_cast<unsigned>(std::popcount(gathered.uninit));
  if (picks.empty() || free > 16 || picks.size() << free > maximumPicks)
    return {};
  const LoadRule rule = uninitIsPoison(rules.semantics)
                            ? LoadRule::poison
                            : rules.semantics.uninitializedLoad;
  if (rule == LoadRule::poison)
    for (Element &pick : picks)
      pick.poison |= gathered.uninit;
  const std::uint64_t varying = rule == LoadRule::poison ? 0 : gathered.uninit;
  std::vector<ValueSet> forks(1);
  if (rule != LoadRule::nondeterministic)
    forks.front().reserve((picks.size() << std::popcount(varying)) + 1);
  for (std::uint64_t fill = 0;; fill = (fill - varying) & varying) {
    for (Element pick : picks) {
      pick.bits |= fill;
      if (pick.poison != 0 && rules.semantics.poisonUnit == PoisonUnit::value)
        pick = Element::poisonOf(type);
      forks.back().push_back(std::move(pick));
    }
    if (gathered.mayBePoison)
      forks.back().push_back(Element::poisonOf(type));
    if (fill == varying)
      break;
    if (rule == LoadRule::nondeterministic)
      forks.emplace_back();
  }
  for (ValueSet &fork : forks)
    checker::normalise(fork);
  return forks;
}

bool keepsUndef(const Semantics &semantics) {
  return semantics.uninitializedLoad == LoadRule::undef &&
         semantics.undef == UndefRule::perUse;
}

template <typename Fill>
void Memory::put(std::size_t block, std::uint64_t offset, Type type,
                 const MemoryRules &rules, const Fill &fill) {
  const unsigned count = bytesOf(type);
  const bool zeroes = rules.semantics.padding == PaddingRule::zero;
  for (unsigned place = 0; place < count; ++place) {
    const std::uint8_t used = usedBits(type, place);
    Byte byte;
    byte.stored = zeroes ? 0 : partOf(type, place);
    byte.uninit = zeroes ? 0 : static_cast<std::uint8_t>(~used);
    fill(byte, place, used);
    blocks[block].bytes[byteAt(offset, place, count, rules.bigEndian)] = byte;
  }
}

void Memory::storeUndef(std::size_t block, std::uint64_t offset, Type type,
                        const MemoryRules &rules) {
  assert(keepsUndef(rules.semantics));
  put(block, offset, type, rules,
      [](Byte &byte, unsigned, std::uint8_t used) { byte.uninit |= used; });
}

void Memory::store(std::size_t block, std::uint64_t offset, Type type,
                   const ValueSet &value, const MemoryRules &rules) {
  if (value.size() > 1 && keepsUndef(rules.semantics) &&
      value.size() - 1 == type.mask() && !checker::hasPoison(value))
    return storeUndef(block, offset, type, rules);
  const bool isSet = value.size() > 1;
  const auto set = static_cast<std::uint32_t>(sets.size());
  if (isSet)
    sets.push_back(value);
  put(block, offset, type, rules,
      [&](Byte &byte, unsigned place, std::uint8_t used) {
        const unsigned first = place * byteBits;
        if (isSet) {
          byte.ofSet = used;
          byte.firstOfSet = static_cast<std::uint8_t>(first);
          byte.set = set;
          return;
        }
        byte.bits =
            static_cast<std::uint8_t>(value.front().bits >> first) & used;
        byte.poison =
            static_cast<std::uint8_t>(value.front().poison >> first) & used;
        // LangRef of zext: all bits of it.
        if (rules.semantics.padding == PaddingRule::zero && byte.poison != 0 &&
            rules.semantics.poisonUnit == PoisonUnit::value)
          byte.poison = 0xff;
      });
}

void Memory::copy(std::size_t toBlock, std::uint64_t to, std::size_t fromBlock,
                  std::uint64_t from, std::uint64_t size) {
  const auto begin =
      blocks[fromBlock].bytes.begin() + static_cast<std::ptrdiff_t>(from);
  std::vector<Byte> bytes(begin, begin + static_cast<std::ptrdiff_t>(size));
  std::map<std::uint32_t, std::uint32_t> copies;
  for (Byte &byte : bytes) {
    if (byte.ofSet == 0)
      continue;
    const auto [found, isNew] =
        copies.try_emplace(byte.set, static_cast<std::uint32_t>(sets.size()));
    if (isNew)
      sets.push_back(ValueSet(sets[byte.set]));
    byte.set = found->second;
  }
  std::copy(bytes.begin(), bytes.end(),
            blocks[toBlock].bytes.begin() + static_cast<std::ptrdiff_t>(to));
}

void Memory::normalise() {
  if (sets.empty())
    return;
  std::map<std::uint32_t, std::uint32_t> numbers;
  std::vector<ValueSet> used;
  for (MemoryBlock &block : blocks)
    for (Byte &byte : block.bytes) {
      if (byte.ofSet == 0)
        continue;
      const auto [found, isNew] = numbers.try_emplace(
          byte.set, static_cast<std::uint32_t>(used.size()));
      if (isNew)
        used.push_back(std::move(sets[byte.set]));
      byte.set = found->second;
    }
  sets = std::move(used);
}

void Memory::appendTo(std::string &key) const {
  const auto append = [&](const auto &value) {
    key.append(reinterpret_cast<const char *>(&value), sizeof value);
  };
  for (const MemoryBlock &block : blocks) {
    append(block.isAlive);
    append(block.isWritable);
    append(block.isEscaped);
    append(block.isEscapedForWrites);
    append(block.match);
    append(block.base);
    append(block.bytes.size());
    for (const Byte &byte : block.bytes) {
      append(byte.bits);
      append(byte.poison);
      append(byte.uninit);
      append(byte.ofSet);
      append(byte.firstOfSet);
      append(byte.stored);
      append(byte.set);
    }
    for (const ByteAccess &access : block.accesses) {
      append(access.through);
      append(access.around);
      append(access.writtenThrough);
      append(access.written);
    }
  }
  for (const ValueSet &set : sets) {
    append(set.size());
    for (const Element &element : set) {
      append(element.bits);
      append(element.poison);
    }
  }
}

namespace {

/// Bits that are numbers or poison once an element of each set was picked.
struct FixedByte {
  std::uint8_t bits = 0;
  std::uint8_t poison = 0;
  std::uint8_t uninit = 0;
};

FixedByte fix(const Memory &memory, const Byte &byte,
              std::span<const std::size_t> picks) {
  FixedByte result{byte.bits, byte.poison, byte.uninit};
  if (byte.ofSet == 0)
    return result;
  const Element &element = memory.sets[byte.set][picks[byte.set]];
  result.bits |=
      static_cast<std::uint8_t>(element.bits >> byte.firstOfSet) & byte.ofSet;
  result.poison |=
      static_cast<std::uint8_t>(element.poison >> byte.firstOfSet) & byte.ofSet;
  return result;
}

std::optional<Kind> kindOf(FixedByte target, FixedByte source,
                           bool uninitIsPoison) {
  if (uninitIsPoison)
    for (FixedByte *byte : {&target, &source}) {
      byte->poison |= byte->uninit;
      byte->uninit = 0;
    }
  const auto open = static_cast<std::uint8_t>(~source.poison);
  if ((target.poison & open) != 0)
    return Kind::morePoison;
  const auto known = static_cast<std::uint8_t>(open & ~source.uninit);
  if ((target.uninit & known) != 0)
    return Kind::moreUndef;
  if (((target.bits ^ source.bits) & known) != 0)
    return Kind::value;
  return std::nullopt;
}

/// One element of each set in turn; false when there are no more.
bool next(std::vector<std::size_t> &picks, const std::vector<ValueSet> &sets) {
  for (std::size_t i = 0; i < picks.size(); ++i) {
    if (++picks[i] < sets[i].size())
      return true;
    picks[i] = 0;
  }
  return false;
}

/// Bits of the byte that the type that stored `part` leaves over: no load of
/// it sees them, and one of another type is poison.
std::uint8_t paddingOf(std::uint16_t part) {
  if (part == 0 || part == Byte::anyType)
    return 0;
  const unsigned used = part / byteBits - part % byteBits * byteBits;
  return static_cast<std::uint8_t>(used >= byteBits ? 0 : 0xffU << used);
}

FixedByte withoutPadding(FixedByte fixed, const Byte &byte) {
  const std::uint8_t padding = paddingOf(byte.stored);
  fixed.poison |= padding;
  fixed.uninit = static_cast<std::uint8_t>(fixed.uninit & ~padding);
  return fixed;
}

/// A load of the type that the source stored there, and that is not poison
/// anyway, is poison in the target. What a caller wrote is of any type that
/// leaves no bit over.
bool losesType(const Byte &target, const Byte &source) {
  if (source.stored == 0 || source.stored == Byte::anyType ||
      target.stored == source.stored)
    return false;
  const std::uint8_t padding = paddingOf(source.stored);
  if ((source.poison | padding) == 0xff || (source.uninit | padding) == 0xff)
    return false;
  return target.stored != Byte::anyType ||
         ((target.bits | target.poison | target.uninit | target.ofSet) &
          padding) != 0;
}

double countPicks(const std::vector<ValueSet> &sets) {
  double count = 1;
  for (const ValueSet &set : sets)
    count *= static_cast<double>(set.size());
  return count;
}

} // namespace

bool uninitIsPoison(const Semantics &semantics) {
  return semantics.uninitializedLoad == LoadRule::poison ||
         (semantics.uninitializedLoad == LoadRule::undef &&
          semantics.undef == UndefRule::asPoison);
}

MemoryComparison compareContents(const Memory &target, const Memory &source,
                                 std::span<const ByteRange> ranges,
                                 const Semantics &semantics) {
  const bool allPoison = uninitIsPoison(semantics);
  struct Pair {
    const Byte *target;
    const Byte *source;
  };
  std::vector<Pair> withSets;
  MemoryComparison result;
  const auto show = [&](Kind kind) {
    if (!result.kind || kind < *result.kind)
      result.kind = kind;
  };
  for (const ByteRange &range : ranges)
    for (std::size_t i = 0; i < range.size; ++i) {
      const Byte &t =
          target.blocks[range.targetBlock].bytes[range.targetBegin + i];
      const Byte &s =
          source.blocks[range.sourceBlock].bytes[range.sourceBegin + i];
      if (losesType(t, s))
        show(Kind::morePoison);
      if (t.ofSet != 0 || s.ofSet != 0)
        withSets.push_back({&t, &s});
      else if (const auto kind = kindOf(
                   FixedByte{t.bits, t.poison, t.uninit},
                   withoutPadding({s.bits, s.poison, s.uninit}, s), allPoison))
        show(*kind);
    }
  if (withSets.empty())
    return result;
  if (countPicks(target.sets) * countPicks(source.sets) >
      static_cast<double>(maximumPicks) * 16) {
    result.tooMany = true;
    return result;
  }
  std::vector<std::size_t> targetPicks(target.sets.size(), 0);
  do {
    std::vector<std::size_t> sourcePicks(source.sets.size(), 0);
    bool covered = false;
    // Of the picks of the source the one that comes closest says the kind.
    std::optional<Kind> closest;
    do {
      std::optional<Kind> worst;
      for (const Pair &pair : withSets) {
        const auto kind =
            kindOf(fix(target, *pair.target, targetPicks),
                   withoutPadding(fix(source, *pair.source, sourcePicks),
                                  *pair.source),
                   allPoison);
        if (kind && (!worst || *kind < *worst))
          worst = kind;
      }
      covered = !worst;
      if (worst && (!closest || *closest < *worst))
        closest = worst;
    } while (!covered && next(sourcePicks, source.sets));
    if (!covered)
      show(*closest == Kind::value && countPicks(target.sets) > 1
               ? Kind::moreUndef
               : *closest);
  } while (next(targetPicks, target.sets));
  return result;
}

std::string format(const Memory &memory, const Byte &byte) {
  if (byte.poison == 0xff)
    return "poison";
  if (byte.uninit == 0xff)
    return "uninit";
  if (byte.ofSet == 0 && byte.poison == 0 && byte.uninit == 0)
    return fmt::format("0x{:02x}", byte.bits);
  if (byte.ofSet != 0 && memory.sets[byte.set].size() <= 4) {
    std::string text = "{";
    for (const Element &element : memory.sets[byte.set])
      text += fmt::format(
          "{}{}", text.size() == 1 ? "" : ", ",
          element.hasPoison()
              ? "poison"
              : fmt::format("0x{:02x}",
                            static_cast<std::uint8_t>(
                                element.bits >> byte.firstOfSet & byte.ofSet) |
                                byte.bits));
    return text + "}";
  }
  std::string text = "0b";
  for (unsigned i = byteBits; i-- > 0;) {
    const auto has = [&](std::uint8_t mask) { return (mask >> i & 1) != 0; };
    text += has(byte.poison)   ? 'p'
            : has(byte.uninit) ? '?'
            : has(byte.ofSet)  ? '*'
            : has(byte.bits)   ? '1'
                               : '0';
  }
  return text;
}

std::string nameOfBlock(const Memory &memory, std::size_t block) {
  std::size_t before = 0;
  const bool isLocal = memory.blocks[block].isLocal();
  for (std::size_t i = 0; i < block; ++i)
    before += memory.blocks[i].isLocal() == isLocal ? 1 : 0;
  if (isLocal)
    return fmt::format("local {}", before + 1);
  constexpr std::size_t letters = 26;
  return before < letters ? std::string(1, static_cast<char>('A' + before))
                          : fmt::format("block {}", before + 1);
}

std::string formatPointer(const Memory &memory, const Element &pointer) {
  if (pointer.hasPoison())
    return "poison";
  if (pointer.block == 0)
    return pointer.bits == 0 ? "null" : fmt::format("{:#x}", pointer.bits);
  const std::size_t index = pointer.block - 1U;
  const auto offset = static_cast<std::int64_t>(pointer.bits);
  const bool isOfBlock = index < memory.blocks.size();
  std::string text = isOfBlock ? nameOfBlock(memory, index) : "a local";
  text +=
      offset < 0 ? fmt::format(" - {}", -offset) : fmt::format(" + {}", offset);
  if (!isOfBlock)
    return text;
  const MemoryBlock &block = memory.blocks[index];
  if (block.bytes.empty())
    text += " (no valid byte)";
  else if (!block.isAlive)
    text += " (dead)";
  return text;
}

std::string formatBytes(const Memory &memory, std::size_t block) {
  std::string text;
  for (const Byte &byte : memory.blocks[block].bytes)
    text += fmt::format("{}{}", text.empty() ? "" : " ", format(memory, byte));
  return text;
}

} // namespace checker
