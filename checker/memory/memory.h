// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of one run: blocks of bytes. A bit is a number, poison, uninitialized,
// or belongs to a stored set of values; of such a set a load picks one element
// for all its bits, so that the halves of what was stored stay correlated.
// Threads: value types.
#pragma once

#include "checker/semantics/semantics.h"
#include "checker/semantics/verdict.h"
#include "checker/value/value.h"

#include <optional>
#include <span>

namespace checker {

struct Byte {
  /// In `stored`: not known, what a caller or a call wrote.
  static constexpr std::uint16_t anyType = 0xffff;

  // No bit is in two of these.
  std::uint8_t bits = 0;
  std::uint8_t poison = 0;
  std::uint8_t uninit = 0;
  std::uint8_t ofSet = 0;      ///< bits of an element of Memory::sets
  std::uint8_t firstOfSet = 0; ///< bit 0 here is that bit of the element
  /// What was stored, where the type does not fill its bytes: its width and
  /// which of its bytes this is. 0: it fills them.
  std::uint16_t stored = anyType;
  std::uint32_t set = 0; ///< index into Memory::sets, 0 where ofSet is empty

  static constexpr Byte number(std::uint8_t bits) { return {bits}; }
  static constexpr Byte poisoned() { return {0, 0xff}; }
  static constexpr Byte uninitialized() { return {0, 0, 0xff}; }
  friend bool operator==(const Byte &, const Byte &) = default;
};

/// Who touched a byte so far, by parameter: bit i stands for pointers based on
/// parameter i.
struct ByteAccess {
  std::uint16_t through = 0; ///< read or written through the parameter
  std::uint16_t around = 0;  ///< ... through another pointer
  std::uint16_t writtenThrough = 0;
  bool written = false;
  friend bool operator==(const ByteAccess &, const ByteAccess &) = default;
};

struct MemoryBlock {
  enum class Kind : std::uint8_t { argument, global, local };
  Kind kind = Kind::argument;
  bool isAlive = true;
  bool isWritable = true;
  bool hasContents = false; ///< a constant variable: its bytes are known
  /// A local that later calls may read, and one that they may write too.
  bool isEscaped = false;
  bool isEscapedForWrites = false;
  std::uint32_t match = 0; ///< a local that escaped: the same on both sides
  std::uint32_t alignment = 1;
  std::uint64_t base = 0;       ///< address
  std::int64_t boundsBegin = 0; ///< offsets that are in bounds of the object
  std::int64_t boundsEnd = 0;   ///< ... this one too
  std::vector<Byte> bytes;
  std::vector<ByteAccess> accesses; ///< one for each byte

  bool isLocal() const { return kind == Kind::local; }
  /// Bytes [offset, offset + size) are in it.
  bool holds(std::uint64_t offset, std::uint64_t size) const {
    return offset <= bytes.size() && size <= bytes.size() - offset;
  }
  /// Of a local only what its alloca says: it may lie at any other multiple of
  /// that. `alignment` is a power of two.
  bool isAligned(std::uint64_t offset, std::uint64_t alignment) const {
    return isLocal()
               ? alignment <= this->alignment && (offset & (alignment - 1)) == 0
               : ((base + offset) & (alignment - 1)) == 0;
  }
};

/// How a program reads and writes values.
struct MemoryRules {
  const Semantics &semantics;
  bool bigEndian = false;
};

/// Every load picks anew from what may be anything, so that undef in memory is
/// what nothing was written to.
bool keepsUndef(const Semantics &semantics);

class Memory {
public:
  std::vector<MemoryBlock> blocks;
  std::vector<ValueSet> sets; ///< those that were stored and may be read

  bool empty() const { return blocks.empty(); }

  /// The value at `offset`, one set for each fork (uninitialized_load =
  /// nondeterministic); none where there are too many. Requires bytes that the
  /// block holds, and an integer type.
  std::vector<ValueSet> load(std::size_t block, std::uint64_t offset,
                             corpus::Type type, const MemoryRules &rules) const;
  /// Requires as load().
  void store(std::size_t block, std::uint64_t offset, corpus::Type type,
             const ValueSet &value, const MemoryRules &rules);
  /// store() of every value that the type has, without making them. Requires
  /// keepsUndef().
  void storeUndef(std::size_t block, std::uint64_t offset, corpus::Type type,
                  const MemoryRules &rules);
  /// As memmove. Of a stored set the copy is a set of its own. Requires bytes
  /// that the blocks hold.
  void copy(std::size_t toBlock, std::uint64_t to, std::size_t fromBlock,
            std::uint64_t from, std::uint64_t size);

  /// Drops sets that no byte has any more and numbers the others in the order
  /// of the bytes: equal memories become equal.
  void normalise();
  /// Appends what tells this memory from others. Requires normalise().
  void appendTo(std::string &key) const;

private:
  /// `fill` completes each byte that a store of `type` writes, by its place in
  /// the value and the bits of it that the value has.
  template <typename Fill>
  void put(std::size_t block, std::uint64_t offset, corpus::Type type,
           const MemoryRules &rules, const Fill &fill);
};

/// A run of bytes that two memories are compared on.
struct ByteRange {
  std::size_t targetBlock = 0;
  std::size_t targetBegin = 0;
  std::size_t sourceBlock = 0;
  std::size_t sourceBegin = 0;
  std::size_t size = 0;
};

struct MemoryComparison {
  std::optional<Kind> kind; ///< nothing: the target refines the source
  bool tooMany = false;     ///< stored sets whose picks we do not try
};

/// Contents of `target` in all ranges against those of `source`: bit by bit
/// (poison above uninitialized above a number), stored sets as sets of tuples.
/// The kind is the first one that any byte shows.
MemoryComparison compareContents(const Memory &target, const Memory &source,
                                 std::span<const ByteRange> ranges,
                                 const Semantics &semantics);
/// What was never written is poison as soon as it is loaded.
bool uninitIsPoison(const Semantics &semantics);

/// `null`, `poison`, `A + 1`, `local 1 + 0`, or the address.
std::string formatPointer(const Memory &memory, const Element &pointer);
/// `A`, `local 1`.
std::string nameOfBlock(const Memory &memory, std::size_t block);
/// All bytes of a block, with spaces between them.
std::string formatBytes(const Memory &memory, std::size_t block);

/// `0x05`, `poison`, `uninit`, `{0x00, 0x01}[0:8]`.
std::string format(const Memory &memory, const Byte &byte);

} // namespace checker
