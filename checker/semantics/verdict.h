// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a check says: a verdict, for a wrong pair its kind, and the smallest
// input that shows that kind. The words are the only ones in any output.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace checker {

enum class VerdictWord : std::uint8_t {
  refines,
  wrong,
  unsupported,
  undecided
};

inline constexpr std::array<std::string_view, 4> verdictSpelling = {
    "refines", "wrong", "unsupported", "undecided"};

/// Kinds of a wrong pair in order of precedence, then those of an optimizer
/// that gave no usable result.
enum class Kind : std::uint8_t {
  moreUb,
  calls,
  diverges,
  returns,
  morePoison,
  moreUndef,
  value,
  crash,
  hang,
  invalid,
  nondeterministic,
};

inline constexpr std::array<std::string_view, 11> kindSpelling = {
    "more-ub", "calls", "diverges", "returns", "more-poison",     "more-undef",
    "value",   "crash", "hang",     "invalid", "nondeterministic"};

constexpr std::string_view toString(VerdictWord word) {
  return verdictSpelling[static_cast<std::size_t>(word)];
}
constexpr std::string_view toString(Kind kind) {
  return kindSpelling[static_cast<std::size_t>(kind)];
}
/// The kind that is spelled so.
constexpr std::optional<Kind> parseKind(std::string_view spelling) {
  for (std::size_t i = 0; i < kindSpelling.size(); ++i)
    if (kindSpelling[i] == spelling)
      return static_cast<Kind>(i);
  return std::nullopt;
}

/// A named value of one side, as text for people: `3`, `poison`, `undef`,
/// `0b?1 (partly undef)`, `{0, 2}`.
struct NamedValue {
  std::string name; ///< `%a`, `%v0`
  std::string type; ///< `i4`
  std::string text;
};

/// One concrete input that shows the kind. `inputs` is the smallest one: fewest
/// poison, then fewest undef bits, then unsigned, arguments left to right.
struct Witness {
  std::vector<NamedValue> inputs;
  std::vector<NamedValue> sourceValues; ///< every result, in program order
  std::vector<NamedValue> targetValues;
  std::string sourceOutcome; ///< `UB`, `returns 3`, `returns poison`
  std::string targetOutcome;
};

struct Verdict {
  VerdictWord word = VerdictWord::refines;
  Kind kind = Kind::value;        ///< of wrong
  std::string reason;             ///< of unsupported and undecided
  std::optional<Witness> witness; ///< of wrong, when it was asked for
  std::string_view engine;        ///< the engine that answered
  /// Why that one, where the checker had the choice.
  std::string_view choice;
};

inline bool isDecided(const Verdict &verdict) {
  return verdict.word == VerdictWord::refines ||
         verdict.word == VerdictWord::wrong;
}

} // namespace checker
