// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the pointers of an input point to. A program sees of the memory behind
// an argument only which bytes of its window are valid, which bytes coincide
// with those of other windows, residues and writability; so these scenarios,
// with all contents, are all inputs. Where a program observes addresses, the
// order and the gaps of blocks are part of them.
// Threads: pure functions.
#pragma once

#include "checker/memory/memory.h"
#include "checker/memory/windows.h"

namespace checker {

/// What a call leaves behind, one unknown each; the same in both programs.
/// Blocks that the call reaches through one argument only are known by that
/// argument, offsets then count from it.
struct CallSlot {
  enum class Kind : std::uint8_t {
    byte,  ///< what it writes there
    kept,  ///< whether it leaves the byte as it is
    freed, ///< whether it frees the block
    touch, ///< of a block behind noalias: 0 not at all, 1 read, 2 written
  };
  /// In `block`: an argument of the call, by number; a local that escaped.
  static constexpr std::uint16_t byArgument = 0x4000;
  static constexpr std::uint16_t local = 0x8000;

  Kind kind = Kind::byte;
  unsigned position = 0; ///< calls before it
  std::uint16_t block = 0;
  std::int64_t offset = 0;
  friend auto operator<=>(const CallSlot &,
                          const CallSlot &) = default; // NOLINT
};

struct Scenario {
  /// Blocks of variables (in the order of Windows::globals), then of arguments.
  /// Their contents are zeros, those of constant variables apart.
  Memory memory;
  /// By parameter; of integers unused. `block` is an index into memory.blocks
  /// plus one, 0 for an address that is in no block.
  std::vector<Element> pointers;
  std::vector<std::string> globals; ///< names of the first blocks
  std::vector<CallSlot> slots;      ///< found while running
  /// Results of calls, behind the parameters in an input.
  struct Result {
    std::string callee;
    corpus::Type type;
  };
  std::vector<Result> results;
};

/// Whether those contents and layouts are tried, too, that no program can tell
/// from others.
enum class FullBytes : std::uint8_t { no, yes };

/// All scenarios of two programs with the same parameters, plain ones first. An
/// error says why they cannot be listed.
corpus::Result<std::vector<Scenario>> scenariosOf(const corpus::Program &source,
                                                  const corpus::Program &target,
                                                  const Semantics &semantics,
                                                  std::size_t limit);

/// The same of windows that programs of that signature have.
corpus::Result<std::vector<Scenario>>
scenariosOf(const Windows &windows, const corpus::Signature &signature,
            const Semantics &semantics, FullBytes fullBytes, std::size_t limit);

/// Addresses at which a local of that size may be: one where nothing observes
/// addresses, otherwise far from all blocks and near each of them.
std::vector<std::uint64_t> placesOfLocal(const Memory &memory,
                                         const Windows &windows,
                                         std::uint64_t size,
                                         std::uint32_t alignment);

/// What a freeze may make of a poison pointer, as far as the programs can tell
/// it apart: null, a place where nothing is, where addresses are observed those
/// near blocks, and what is so many shifts away. Requires windows.shifts.
std::set<std::uint64_t> addressesOfNothing(const Memory &memory,
                                           const Windows &windows,
                                           unsigned shifts);

} // namespace checker
