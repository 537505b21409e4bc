// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The choices about undef and poison that the field has argued about, as one
// value that is passed down, printed in every report and stored with every
// verdict. Never a global. docs/semantics.md explains each.
#pragma once

#include "corpus/program/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace checker {

enum class Inputs : std::uint8_t { defined, poison, poisonUndef, anySet };
enum class UndefRule : std::uint8_t { perUse, asPoison };
enum class BranchRule : std::uint8_t { ub, nondeterministic };
enum class SelectCondition : std::uint8_t { poison, ub, nondeterministic };
enum class SelectArms : std::uint8_t { chosen, either };
enum class OverflowRule : std::uint8_t { poison, undef, wrap };
enum class ShiftRule : std::uint8_t { poison, undef, masked };
enum class PoisonUnit : std::uint8_t { value, bit };
enum class LoadRule : std::uint8_t { undef, poison, nondeterministic };
enum class MemoryPoison : std::uint8_t { byte, bit };
enum class PaddingRule : std::uint8_t { sameType, zero };
enum class DeadLoad : std::uint8_t { poison, ub, undef };
enum class WriteonlyLoad : std::uint8_t { unwrittenPoison, ub };
enum class StorePoison : std::uint8_t { ok, ub };
enum class GepBounds : std::uint8_t { poison, ignored };
enum class DerefRule : std::uint8_t { scope, point };

/// The default is the preset `llvm`.
struct Semantics {
  Inputs inputs = Inputs::poison;
  UndefRule undef = UndefRule::perUse;
  BranchRule branchOnPoison = BranchRule::ub;
  BranchRule branchOnUndef = BranchRule::ub;
  SelectCondition selectCondition = SelectCondition::poison;
  SelectArms selectArms = SelectArms::chosen;
  OverflowRule overflow = OverflowRule::poison;
  ShiftRule shiftAmount = ShiftRule::poison;
  PoisonUnit poisonUnit = PoisonUnit::value;
  // Of memory; programs without it have them at their defaults.
  LoadRule uninitializedLoad = LoadRule::undef;
  MemoryPoison memoryPoison = MemoryPoison::byte;
  PaddingRule padding = PaddingRule::sameType;
  DeadLoad deadLoad = DeadLoad::poison;
  WriteonlyLoad writeonlyLoad = WriteonlyLoad::unwrittenPoison;
  StorePoison storePoison = StorePoison::ok;
  GepBounds gepBounds = GepBounds::poison;
  DerefRule deref = DerefRule::scope;

  friend bool operator==(const Semantics &, const Semantics &) = default;
};

/// One knob of SEMANTICS: its name on the command line and what it may be.
struct Knob {
  struct Choice {
    std::string_view name;
    std::string_view explanation;
  };
  std::string_view name;
  std::string_view explanation;
  std::span<const Choice> choices;
  /// Index into `choices` of what a Semantics has.
  std::size_t (*get)(const Semantics &);
  void (*set)(Semantics &, std::size_t);
};

std::span<const Knob> knobTable();

struct Preset {
  std::string_view name;
  std::string_view explanation; ///< one line, with its source
  Semantics semantics;
  bool isOfMemory = false; ///< `llvm` but for what loads and stores do
};

std::span<const Preset> presetTable();

/// `llvm`, `llvm-undef`, or `llvm:overflow=wrap,shift_amount=masked`. An
/// unknown name is an error that lists the known ones.
corpus::Result<Semantics> parseSemantics(std::string_view text);
/// Several, separated by commas; `all` presets but those of memory; `memory`:
/// those and `llvm`. `a:knob=x,knob=y,b` is two.
corpus::Result<std::vector<Semantics>>
parseSemanticsList(std::string_view text);
/// The shortest text that parseSemantics() reads back to this value.
std::string toString(const Semantics &semantics);

} // namespace checker
