// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What two programs can see of the memory behind their arguments, found before
// they are elaborated: where each pointer points to, which bytes are accessed,
// and the facts of an input that say which accesses are fine and which bytes
// coincide. Bytes and facts are inputs of the steps, as the arguments are.
//
// A pointer is a parameter, or a local, plus a constant: with that loads and
// stores are copies, and where windows may overlap `choose`; a returned one is
// the number of its place. Attributes look at facts, and at which bytes were
// written. What else there is (pointers in phis and memory, addresses as
// numbers, calls, noalias) is not taken.
// Threads: a MemoryShape belongs to one thread; it keeps scratch memory.
#pragma once

#include "checker/core/takes.h"
#include "checker/semantics/semantics.h"

#include <vector>

namespace checker::core {

/// Something that an input says of the memory behind arguments. Offsets count
/// from the argument.
struct MemoryFact {
  enum class Kind : std::uint8_t {
    invalid, ///< to access `size` bytes at root + offset is UB
    outside, ///< a step from root + offset to root + other is poison
    same,    ///< the byte root + offset is the byte otherRoot + other
  };
  Kind kind = Kind::invalid;
  std::uint8_t flags = 0; ///< of the getelementptr
  bool isWrite = false;
  std::uint16_t root = 0; ///< parameter
  std::uint16_t otherRoot = 0;
  std::int32_t offset = 0;
  std::int32_t other = 0;
  std::uint32_t size = 0;
  std::uint32_t alignment = 1;
  friend bool operator==(const MemoryFact &, const MemoryFact &) = default;
};

/// Where a returned pointer may point to.
struct Place {
  static constexpr std::uint16_t null = 0xffff; ///< as root
  std::uint16_t root = null;
  std::int32_t offset = 0;
  friend bool operator==(const Place &, const Place &) = default;
};

/// A byte behind an argument that one of the programs accesses.
struct WindowByte {
  std::uint16_t root = 0;
  bool isWritten = false; ///< by one of them
  std::int32_t offset = 0;
};

struct Pointer {
  enum class Kind : std::uint8_t {
    nowhere, ///< to access anything there is UB
    argument,
    local,
  };
  static constexpr std::size_t maximumSteps = 4;

  Kind kind = Kind::nowhere;
  std::uint8_t stepCount = 0;
  std::uint16_t root = 0; ///< parameter, or local in the order of the allocas
  std::int32_t offset = 0;
  /// It is poison if one of these facts holds.
  std::uint16_t steps[maximumSteps] = {};
};

class MemoryShape {
public:
  void clear();
  /// False where it is not taken. `pointers`: of each instruction that gives
  /// one.
  bool add(const corpus::Program &program, const Semantics &semantics,
           std::vector<Pointer> &pointers, Lack &lack);
  /// After the last add().
  void finish();

  const std::vector<MemoryFact> &facts() const { return facts_; }
  const std::vector<WindowByte> &bytes() const { return bytes_; }
  const std::vector<Place> &places() const { return places_; }
  /// Parameters of which it is asked whether they are null.
  const std::vector<std::uint16_t> &nullTests() const { return nullTests_; }
  /// Requires one that was added.
  std::size_t indexOf(const MemoryFact &fact) const;
  std::size_t byteAt(std::uint16_t root, std::int32_t offset) const;
  std::size_t indexOf(const Place &place) const;

private:
  std::size_t note(const MemoryFact &fact);
  void access(const Pointer &pointer, const corpus::Instruction &instruction,
              corpus::Type type, bool isWrite);
  bool step(const corpus::Program &program, const Semantics &semantics,
            const corpus::Instruction &gep, Pointer &pointer, Lack &lack);
  bool addAttributes(const corpus::Program &program, Lack &lack);
  void noteByte(std::uint16_t root, std::int32_t offset, bool isWrite);
  void noteNullTest(std::uint16_t root);

  std::vector<MemoryFact> facts_;
  std::vector<WindowByte> bytes_;
  std::vector<Place> places_;
  std::vector<std::uint16_t> nullTests_;
  std::vector<std::uint32_t> localSizes_; ///< of the program being added
};

/// The fact that an access through a pointer based on an argument is UB.
MemoryFact factOfAccess(const Pointer &pointer,
                        const corpus::Instruction &instruction,
                        corpus::Type type, bool isWrite);

/// That not all of these bytes are there.
MemoryFact factOfSize(std::uint16_t root, std::int64_t offset,
                      std::uint64_t size);

/// Of an operand of type ptr.
Pointer pointerOf(const corpus::Operand &operand,
                  const std::vector<Pointer> &pointers);

/// Of a returned one, other than poison.
Place placeOf(const corpus::Operand &operand,
              const std::vector<Pointer> &pointers);

/// What an Elaborator needs to know of it.
struct ProgramMemory {
  /// Of each byte: whether it is poison, then its bits.
  static constexpr Slot slotsOfByte = 9;
  /// Of an argument: whether it is poison, whether it is null.
  static constexpr Slot slotsOfPointer = 2;
  /// A returned pointer is poison or a number of this type, which tells apart
  /// those that the two programs may return.
  static constexpr corpus::Type returned = corpus::Type::integer(4);
  static constexpr Slot slotsOfPlace = 5;
  static constexpr std::size_t maximumPlaces = 16;

  const MemoryShape *shape = nullptr;
  const std::vector<Pointer> *pointers = nullptr;
  Slot bytes = 0; ///< slots of the shape's bytes
  Slot facts = 0; ///< and of its facts, one each
  Slot places = 0;
};

} // namespace checker::core
