// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/spec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace enumerate {

using corpus::Error;
using corpus::Result;
using corpus::Type;

namespace {

/// Digits only, no sign, within [low, high].
std::optional<unsigned> parseNumber(std::string_view text, unsigned low,
                                    unsigned high) {
  unsigned value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low ||
      value > high)
    return std::nullopt;
  return value;
}

constexpr std::array<std::string_view, 3> constantsNames = {"all", "few",
                                                            "none"};

/// `name=value` in a spec.
struct Modifier {
  std::string_view name;
  std::string_view values; ///< for help and messages
  std::string_view help;
  /// False when `value` is not one of `values`.
  bool (*set)(SpaceSpec &spec, std::string_view value);
  /// Empty at the default.
  std::string (*get)(const SpaceSpec &spec);
};

constexpr std::array modifiers = {
    Modifier{"args", "0 to 8",
             "at most so many arguments, of any of the types (default 3)",
             [](SpaceSpec &spec, std::string_view value) {
               const auto number =
                   parseNumber(value, 0, SpaceSpec::maximumArguments);
               if (number)
                 spec.arguments = *number;
               return number.has_value();
             },
             [](const SpaceSpec &spec) {
               return spec.arguments == 3 ? std::string()
                                          : std::to_string(spec.arguments);
             }},
    Modifier{"consts", "all, few, none",
             "constant leaves: all values; 0, 1, INT_MIN and -1; or none "
             "(default all)",
             [](SpaceSpec &spec, std::string_view value) {
               const auto *found = std::find(constantsNames.begin(),
                                             constantsNames.end(), value);
               if (found == constantsNames.end())
                 return false;
               spec.constants =
                   static_cast<Constants>(found - constantsNames.begin());
               return true;
             },
             [](const SpaceSpec &spec) {
               return spec.constants == Constants::all
                          ? std::string()
                          : std::string(constantsNames[static_cast<std::size_t>(
                                spec.constants)]);
             }},
    Modifier{
        "symmetry", "args",
        "functions that differ in the numbering of arguments are one",
        [](SpaceSpec &, std::string_view value) { return value == "args"; },
        [](const SpaceSpec &) { return std::string(); }},
};

std::string allowedModifiers() {
  std::vector<std::string> names;
  for (const VocabularyInfo &row : vocabularyTable())
    names.emplace_back(row.name);
  for (const Modifier &row : modifiers)
    names.push_back(fmt::format("{}=", row.name));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Applies one word behind the colon.
std::optional<Error> applyModifier(SpaceSpec &spec, std::string_view word) {
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  if (equals == std::string_view::npos) {
    const auto table = vocabularyTable();
    for (std::size_t i = 0; i < table.size(); ++i)
      if (table[i].name == name) {
        spec.vocabularies |= 1U << i;
        return std::nullopt;
      }
  }
  for (const Modifier &row : modifiers)
    if (row.name == name) {
      if (equals != std::string_view::npos &&
          row.set(spec, word.substr(equals + 1)))
        return std::nullopt;
      return Error{fmt::format("space modifier `{}`: {}= takes {}", word, name,
                               row.values)};
    }
  return Error{fmt::format("unknown space modifier `{}`: allowed are {}", word,
                           allowedModifiers())};
}

/// What no single modifier can see.
std::optional<Error> checkWhole(const SpaceSpec &spec) {
  if (spec.constants == Constants::all && spec.width == Type::maximumWidth)
    return Error{"consts=all at i64 is 2^64 constants, more than can be "
                 "counted: take consts=few or consts=none"};
  return std::nullopt;
}

} // namespace

Result<SpaceSpec> parseSpec(std::string_view text) {
  SpaceSpec spec;
  const std::size_t colon = text.find(':');
  const std::string_view base = text.substr(0, colon);
  const std::size_t cross = base.find('x');
  const std::string_view width = base.substr(0, cross);
  if (!width.starts_with('i') || cross == std::string_view::npos)
    return Error{fmt::format("space `{}`: a spec is i<W>x<N>[:modifier,...], "
                             "for example i2x3 or i4x2:args=2,consts=few",
                             text)};
  const auto bits = parseNumber(width.substr(1), 1, Type::maximumWidth);
  if (!bits)
    return Error{fmt::format("space `{}`: `{}` is not a type; allowed are i1 "
                             "to i{}",
                             text, width, Type::maximumWidth)};
  const auto count =
      parseNumber(base.substr(cross + 1), 1, SpaceSpec::maximumInstructions);
  if (!count)
    return Error{fmt::format("space `{}`: `{}` is not a number of "
                             "instructions; allowed are 1 to {}",
                             text, base.substr(cross + 1),
                             SpaceSpec::maximumInstructions)};
  spec.width = *bits;
  spec.instructions = *count;
  if (colon != std::string_view::npos) {
    std::string_view rest = text.substr(colon + 1);
    for (;;) {
      const std::size_t comma = rest.find(',');
      if (auto error = applyModifier(spec, rest.substr(0, comma)))
        return *error;
      if (comma == std::string_view::npos)
        break;
      rest.remove_prefix(comma + 1);
    }
  }
  if (auto error = checkWhole(spec))
    return *error;
  return spec;
}

std::string toString(const SpaceSpec &spec) {
  std::vector<std::string> words;
  const auto table = vocabularyTable();
  for (std::size_t i = 1; i < table.size(); ++i)
    if ((spec.vocabularies & 1U << i) != 0)
      words.emplace_back(table[i].name);
  for (const Modifier &row : modifiers)
    if (const std::string value = row.get(spec); !value.empty())
      words.push_back(fmt::format("{}={}", row.name, value));
  return fmt::format("i{}x{}{}{}", spec.width, spec.instructions,
                     words.empty() ? "" : ":", fmt::join(words, ","));
}

std::string modifierHelp() {
  std::string help;
  const auto line = [&](std::string_view left, std::string_view right) {
    help += fmt::format("  {:<22}{}\n", left, right);
  };
  for (const VocabularyInfo &row : vocabularyTable())
    line(row.name, row.help);
  for (const Modifier &row : modifiers)
    line(fmt::format("{}={}", row.name, row.values), row.help);
  return help;
}

Vocabulary SpaceSpec::vocabulary() const {
  Vocabulary result;
  result.width = width;
  result.widths =
      width == 1 ? std::vector<unsigned>{1} : std::vector<unsigned>{1, width};
  const auto table = vocabularyTable();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if ((vocabularies & 1U << i) == 0)
      continue;
    result.modern |= table[i].name == "modern";
    result.opcodes.insert(result.opcodes.end(), table[i].opcodes.begin(),
                          table[i].opcodes.end());
  }
  std::sort(result.opcodes.begin(), result.opcodes.end());
  return result;
}

ConstantSet::ConstantSet(Constants constants, Type type) : size_(0) {
  switch (constants) {
  case Constants::all:
    assert(type.width() < Type::maximumWidth);
    size_ = type.mask() + 1;
    break;
  case Constants::few:
    listed_ = {0, 1, std::uint64_t(1) << (type.width() - 1), type.mask()};
    std::sort(listed_.begin(), listed_.end());
    listed_.erase(std::unique(listed_.begin(), listed_.end()), listed_.end());
    size_ = listed_.size();
    break;
  case Constants::none:
    break;
  }
}

std::optional<std::uint64_t> ConstantSet::find(std::uint64_t bits) const {
  if (listed_.empty())
    return bits < size_ ? std::optional(bits) : std::nullopt;
  const auto found = std::find(listed_.begin(), listed_.end(), bits);
  if (found == listed_.end())
    return std::nullopt;
  return static_cast<std::uint64_t>(found - listed_.begin());
}

} // namespace enumerate
