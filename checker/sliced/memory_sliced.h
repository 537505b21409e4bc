// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exhaustive engine of planes for programs with memory: both run on all
// situations of their pointers (checker/memory/scenario.h) with all reduced
// contents (checker/memory/reduction.h), 512 at a time. Takes what
// core/memory_shape.h takes, without loops, calls and freeze.
// Threads: a MemorySliced belongs to one thread; it keeps the inputs it made.
#pragma once

#include "checker/core/elaborate.h"
#include "checker/memory/reduction.h"
#include "checker/semantics/verdict.h"
#include "checker/sliced/bitsliced_kernel.h"
#include "checker/sliced/moved_bits.h"

#include <memory>
#include <unordered_map>

namespace checker {

class MemorySliced {
public:
  explicit MemorySliced(bitsliced::Kernel kernel) : kernel_(kernel) {}

  struct Result {
    enum class Word : std::uint8_t {
      refines,
      wrong,
      cannot, ///< something is not taken, or there are too many inputs
    };
    Word word = Word::cannot;
    Kind kind = Kind::value;
  };

  /// Requires equal parameter and return types.
  Result check(const corpus::Program &source, const corpus::Program &target,
               const Semantics &semantics, FullBytes fullBytes);

private:
  using Key = std::vector<std::uint64_t>;
  struct KeyHash {
    std::size_t operator()(const Key &key) const;
  };
  /// Scenarios that the facts do not tell apart are one.
  struct Situation {
    /// By parameter that is a pointer: poison, null; then the facts, then by
    /// place: poison, and a number.
    std::vector<bool> planes;
    /// Which unknown a byte of the shape is; bytes that coincide are one.
    std::vector<std::uint8_t> unknowns;
    friend auto operator<=>(const Situation &,
                            const Situation &) = default; // NOLINT
  };
  struct Layout {
    std::vector<bitsliced::Plane> planes;
    std::vector<bitsliced::Series> series;
    bool isTooLarge = false;
  };
  /// What both programs leave behind is compared lane by lane: the slots of the
  /// source, then of the target.
  struct Component {
    core::Value source;
    core::Value target;
    unsigned width = 0;
  };

  bool prepare(const corpus::Program &source, const corpus::Program &target,
               const Semantics &semantics);
  void compareWhatIsLeft(const corpus::Program &source);
  void addCopies();
  const Layout &layoutOf(const corpus::Signature &signature,
                         const Semantics &semantics, FullBytes fullBytes);
  const std::vector<Situation> *situationsOf(const corpus::Signature &signature,
                                             const Semantics &semantics);
  void build(const corpus::Signature &signature,
             const std::vector<Situation> &situations, Layout &layout);
  std::uint8_t run(const Layout &layout, std::size_t firstLane,
                   std::size_t lanes);

  bitsliced::Kernel kernel_;
  std::vector<bitsliced::Plane> file_;
  core::Elaborator elaborator_;
  core::Function source_;
  core::Function target_;
  core::MemoryShape shape_;
  std::vector<core::Pointer> sourcePointers_;
  std::vector<core::Pointer> targetPointers_;
  core::Slot bytes_ = 0; ///< slots of the shape's bytes, then of its facts
  core::Slot facts_ = 0;
  core::Slot places_ = 0;
  core::Slot inputs_ = 0; ///< so many slots
  core::Slot end_ = 0;    ///< of all slots

  std::vector<Component> components_;
  // Lanes that are compared: numbers and poison; poison of components that may
  // be sets; these components where neither is one; sets.
  std::vector<std::uint8_t> laneWidths_;
  std::vector<core::Slot> laneOffsets_;
  std::size_t firstOfSets_ = 0; ///< lanes of the third sort
  std::size_t firstSet_ = 0;    ///< lanes of the last one
  core::Slot sourceLanes_ = 0;
  core::Slot targetLanes_ = 0;

  MovedBits moved_;
  Key key_;
  std::vector<Unknown> arguments_; ///< by parameter that is an integer
  std::vector<Unknown> contents_;  ///< by byte of the shape
  std::unordered_map<Key, std::vector<Situation>, KeyHash> situations_;
  std::unordered_map<Key, Layout, KeyHash> layouts_;
  std::size_t planesInLayouts_ = 0;
};

} // namespace checker
