// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A space spec `i<W>x<N>[:modifier,...]`, or `v<L>i<W>x<N>[:...]` of vectors,
// taken apart, and its canonical text. With `mem=` it is a space of functions
// that load and store.
// Every modifier is one line of a table, from which the parser, the printer and
// the help follow.
#pragma once

#include "corpus/program/opcode.h"
#include "corpus/program/program.h"
#include "corpus/program/result.h"
#include "corpus/program/type.h"
#include "enumerate/cfg.h"
#include "enumerate/symmetry.h"
#include "enumerate/vocabulary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enumerate {

/// Which constants are leaves.
enum class Constants : std::uint8_t {
  all,  ///< every value of the type, ascending as unsigned
  few,  ///< 0, 1, INT_MIN, -1: those that differ at that width, ascending
  none, ///< only arguments and results
  /// As `all`; of vectors also those in which one lane is poison.
  lanes,
  two, ///< 0 and 1
  /// As `few`; of vectors also those in which one lane is undef or poison.
  holes,
};

/// What memory the functions of a space have: allocations at the beginning of
/// the entry, which do not count as instructions, and arguments that point to
/// some. Each function has any of them, numbered by first use.
struct MemorySpec {
  std::vector<unsigned> allocations; ///< bytes of each, ascending
  unsigned pointers = 0;             ///< arguments
  unsigned window = 0; ///< bytes behind each argument; 0 where there is none

  bool empty() const { return allocations.empty() && pointers == 0; }
  friend bool operator==(const MemorySpec &, const MemorySpec &) = default;
};

struct SpaceSpec {
  static constexpr unsigned maximumInstructions = 8;
  static constexpr unsigned maximumArguments = 8;
  static constexpr unsigned maximumTypes = 4;
  static constexpr unsigned maximumBlocks = 6;
  static constexpr unsigned maximumLanes = 4; ///< masks are (2L + 1)^L
  static constexpr unsigned maximumAllocations = 3;
  static constexpr unsigned maximumBytes = 8; ///< of one, or of a window

  unsigned lanes = 0;        ///< L, of vectors; 0: there are none
  unsigned width = 0;        ///< W
  unsigned instructions = 0; ///< N
  unsigned arguments = 3;    ///< at most this many, pointers aside
  Constants constants = Constants::all;
  bool undef = false;                  ///< undef is a leaf
  bool poison = false;                 ///< poison is a leaf
  std::uint32_t vocabularies = 1;      ///< bit i: row i of vocabularyTable()
  std::vector<corpus::Opcode> opcodes; ///< of `ops=`, ascending; else empty
  unsigned blocks = 1;                 ///< of `blocks=`
  const CfgInfo *graph = nullptr;      ///< of `graph=`, in place of blocks
  bool loops = false;
  bool switches = false;
  bool sameTarget = false;
  bool unreachable = false;
  bool frozen = false; ///< what a br or switch takes is frozen first
  bool pairs = false;  ///< two of them side by side in one (pairs.h)
  Calls calls;
  MemorySpec memory;
  MemoryVocabulary accesses; ///< what is done with the memory
  /// Of `symmetry=`, if it was there. Does not change the ranks.
  std::optional<Symmetry> symmetry;
  /// Of `types=`: integers, ascending, 1 and W too.
  std::vector<unsigned> widths;

  friend bool operator==(const SpaceSpec &, const SpaceSpec &) = default;

  /// The opcodes, flags and types that the modifiers add up to.
  Vocabulary vocabulary() const;
  CfgRules cfgRules() const {
    return {blocks, loops, switches, sameTarget, unreachable, graph};
  }
  bool hasBranches() const { return blocks > 1 || graph != nullptr; }
};

/// Digits only, no sign, within [low, high].
std::optional<unsigned> parseNumber(std::string_view text, unsigned low,
                                    unsigned high);

/// The message names the bad word and what is allowed in its place.
corpus::Result<SpaceSpec> parseSpec(std::string_view text);
/// Canonical: modifiers that differ from their default, in the table's order.
std::string toString(const SpaceSpec &spec);
/// One line per modifier for --help.
std::string modifierHelp();

/// The constants that are leaves of a type, by position. Those of a vector are
/// equal in all lanes, then perhaps undef or poison in one.
class ConstantSet {
public:
  /// Of an integer, or a vector of them; narrower than 64 bits where
  /// `constants` is all. Of a pointer null, unless `constants` is none.
  ConstantSet(Constants constants, corpus::Type type);
  std::uint64_t size() const { return numbers_ * (1 + holes_.size() * lanes_); }
  /// Requires an integer and position < size().
  std::uint64_t at(std::uint64_t position) const {
    return listed_.empty() ? position : listed_[position];
  }
  std::optional<std::uint64_t> find(std::uint64_t bits) const;
  /// A literal of `program`. Requires position < size().
  corpus::Operand operandAt(std::uint64_t position,
                            corpus::Program &program) const;
  std::optional<std::uint64_t> find(const corpus::Operand &operand,
                                    const corpus::Program &program) const;

private:
  corpus::Type type_;
  std::uint64_t lanes_; ///< of it; 1 of an integer
  std::uint64_t numbers_ = 0;
  /// What may stand in any one lane instead of the number.
  std::vector<corpus::Operand> holes_;
  std::vector<std::uint64_t> listed_; ///< empty: every number
};

} // namespace enumerate
