// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/spec.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>

namespace enumerate {

using corpus::Error;
using corpus::Opcode;
using corpus::Operand;
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

constexpr std::array<std::string_view, 4> constantsNames = {"all", "few",
                                                            "none", "lanes"};

/// `2+4` at each plus.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t end = text.find(separator);
    words.push_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return words;
    text.remove_prefix(end + 1);
  }
}

/// Spelled as in IR; `llvm.` may be left out.
std::string_view shortSpelling(Opcode opcode) {
  std::string_view spelling = corpus::info(opcode).spelling;
  if (corpus::info(opcode).isIntrinsic())
    spelling.remove_prefix(spelling.find('.') + 1);
  return spelling;
}

/// What `ops=` may name.
std::vector<Opcode> allOpcodes() {
  std::vector<Opcode> opcodes = {Opcode::phi};
  for (const VocabularyInfo &row : vocabularyTable())
    opcodes.insert(opcodes.end(), row.opcodes.begin(), row.opcodes.end());
  return opcodes;
}

/// `name` or `name=value` in a spec.
struct Modifier {
  std::string_view name;
  std::string values; ///< for help and messages; empty: there is none
  std::string_view help;
  /// False when `value` is not one of `values`.
  std::function<bool(SpaceSpec &spec, std::string_view value)> set;
  /// Nothing at the default, otherwise the value.
  std::function<std::optional<std::string>(const SpaceSpec &spec)> get;
  bool mayLackValue = false;
};

/// A modifier without a value.
Modifier flagModifier(std::string_view name, std::string_view help,
                      bool SpaceSpec::*member) {
  return {name, "", help,
          [member](SpaceSpec &spec, std::string_view) {
            spec.*member = true;
            return true;
          },
          [member](const SpaceSpec &spec) {
            return spec.*member ? std::optional(std::string()) : std::nullopt;
          }};
}

/// A modifier whose value is a number.
Modifier numberModifier(std::string_view name, unsigned low, unsigned high,
                        std::string_view help, unsigned SpaceSpec::*member) {
  return {name, fmt::format("{} to {}", low, high), help,
          [=](SpaceSpec &spec, std::string_view value) {
            const auto number = parseNumber(value, low, high);
            spec.*member = number.value_or(low);
            return number.has_value();
          },
          [member](const SpaceSpec &spec) {
            return spec.*member == SpaceSpec().*member
                       ? std::nullopt
                       : std::optional(std::to_string(spec.*member));
          }};
}

bool setConstants(SpaceSpec &spec, std::string_view value) {
  const auto *found =
      std::find(constantsNames.begin(), constantsNames.end(), value);
  if (found == constantsNames.end())
    return false;
  spec.constants = static_cast<Constants>(found - constantsNames.begin());
  return true;
}

std::optional<std::string> getConstants(const SpaceSpec &spec) {
  if (spec.constants == Constants::all)
    return std::nullopt;
  return std::string(constantsNames[static_cast<std::size_t>(spec.constants)]);
}

template <typename T> void sortUnique(std::vector<T> &values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

bool setOpcodes(SpaceSpec &spec, std::string_view value) {
  const std::vector<Opcode> known = allOpcodes();
  spec.opcodes.clear();
  for (std::string_view word : split(value, '+')) {
    const auto found =
        std::find_if(known.begin(), known.end(), [&](Opcode opcode) {
          return word == shortSpelling(opcode) ||
                 word == corpus::info(opcode).spelling;
        });
    if (found == known.end())
      return false;
    spec.opcodes.push_back(*found);
  }
  sortUnique(spec.opcodes);
  return true;
}

std::optional<std::string> getOpcodes(const SpaceSpec &spec) {
  if (spec.opcodes.empty())
    return std::nullopt;
  std::vector<std::string_view> names;
  for (Opcode opcode : spec.opcodes)
    names.push_back(shortSpelling(opcode));
  return fmt::to_string(fmt::join(names, "+"));
}

std::vector<unsigned> defaultWidths(unsigned width) {
  return width == 1 ? std::vector<unsigned>{1}
                    : std::vector<unsigned>{1, width};
}

bool setWidths(SpaceSpec &spec, std::string_view value) {
  spec.widths = defaultWidths(spec.width);
  for (std::string_view word : split(value, '+')) {
    const auto width = parseNumber(word, 1, Type::maximumWidth);
    if (!width)
      return false;
    spec.widths.push_back(*width);
  }
  sortUnique(spec.widths);
  return spec.widths.size() <= SpaceSpec::maximumTypes;
}

std::optional<std::string> getWidths(const SpaceSpec &spec) {
  if (spec.widths == defaultWidths(spec.width))
    return std::nullopt;
  return fmt::to_string(fmt::join(spec.widths, "+"));
}

bool setCalls(SpaceSpec &spec, std::string_view value) {
  spec.calls = value.empty() ? Calls::mayNotReturn : Calls::willReturn;
  return value.empty() || value == "willreturn";
}

std::optional<std::string> getCalls(const SpaceSpec &spec) {
  if (spec.calls == Calls::none)
    return std::nullopt;
  return spec.calls == Calls::willReturn ? "willreturn" : "";
}

std::string opcodeNames() {
  std::vector<std::string_view> names;
  for (Opcode opcode : allOpcodes())
    names.push_back(shortSpelling(opcode));
  return fmt::format("names joined by +, of {}", fmt::join(names, " "));
}

std::string symmetryNames() {
  std::vector<std::string_view> names;
  for (const SymmetryRule &row : symmetryRules)
    names.push_back(row.name);
  return fmt::format("args, full, or names joined by +, of {}",
                     fmt::join(names, " "));
}

/// Behind the vocabularies; a canonical spec names them in this order.
const std::vector<Modifier> &modifierTable() {
  static const std::vector<Modifier> table = {
      {"ops", opcodeNames(), "a vocabulary by hand, instead of core",
       setOpcodes, getOpcodes},
      {"types",
       fmt::format("widths joined by +, at most {} with i1 and iW",
                   SpaceSpec::maximumTypes),
       "more integer types, and all casts between them", setWidths, getWidths},
      flagModifier("undef", "undef is a leaf, and counts as a constant",
                   &SpaceSpec::undef),
      flagModifier("poison", "poison is a leaf, and counts as a constant",
                   &SpaceSpec::poison),
      numberModifier("blocks", 1, SpaceSpec::maximumBlocks,
                     "every control-flow graph of so many blocks, with phis "
                     "that count as instructions",
                     &SpaceSpec::blocks),
      flagModifier("loops", "control-flow graphs may have cycles",
                   &SpaceSpec::loops),
      flagModifier("switch", "blocks may end in a switch of one or two cases",
                   &SpaceSpec::switches),
      flagModifier("same-target", "all sides of a br or switch may be equal",
                   &SpaceSpec::sameTarget),
      {"calls", "willreturn, or nothing for calls that may not return",
       "calls to the external @use() and @use_iN(iN), which count as "
       "instructions",
       setCalls, getCalls, true},
      numberModifier("args", 0, SpaceSpec::maximumArguments,
                     "at most so many arguments, of any type (default 3)",
                     &SpaceSpec::arguments),
      {"consts", "all, few, none, lanes",
       "constant leaves: all values; 0, 1, INT_MIN and -1; or none (default "
       "all); lanes: of vectors also with one poison lane",
       setConstants, getConstants},
      {"symmetry", symmetryNames(),
       "skip functions that these rules make of others; ranks stay (run takes "
       "full, everything else args)",
       [](SpaceSpec &spec, std::string_view value) {
         spec.symmetry = parseSymmetry(value);
         return spec.symmetry.has_value();
       },
       [](const SpaceSpec &spec) {
         return spec.symmetry ? std::optional(toString(*spec.symmetry))
                              : std::nullopt;
       }},
  };
  return table;
}

std::string allowedModifiers() {
  std::vector<std::string> names;
  for (const VocabularyInfo &row : vocabularyTable())
    names.emplace_back(row.name);
  for (const Modifier &row : modifierTable())
    names.push_back(
        fmt::format("{}{}", row.name, row.values.empty() ? "" : "="));
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
  for (const Modifier &row : modifierTable()) {
    if (row.name != name)
      continue;
    const bool hasValue = equals != std::string_view::npos;
    if ((hasValue ? row.values.empty()
                  : !row.values.empty() && !row.mayLackValue) ||
        !row.set(spec, hasValue ? word.substr(equals + 1) : std::string_view()))
      return Error{fmt::format(
          "space modifier `{}`: {}", word,
          row.values.empty() ? fmt::format("{} takes no value", name)
                             : fmt::format("{}= takes {}", name, row.values))};
    return std::nullopt;
  }
  return Error{fmt::format("unknown space modifier `{}`: allowed are {}", word,
                           allowedModifiers())};
}

bool hasVocabulary(const SpaceSpec &spec, std::string_view name) {
  const auto table = vocabularyTable();
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i].name == name)
      return (spec.vocabularies & 1U << i) != 0;
  return false;
}

/// Vectors stand in one block, and their modifiers nowhere else.
std::optional<Error> checkVectors(const SpaceSpec &spec) {
  const bool isVector = spec.lanes != 0;
  const auto isNamed = [&](Opcode opcode) {
    return std::find(spec.opcodes.begin(), spec.opcodes.end(), opcode) !=
           spec.opcodes.end();
  };
  for (const VocabularyInfo &row : vocabularyTable())
    if (row.ofVectors && !isVector &&
        (hasVocabulary(spec, row.name) ||
         std::any_of(row.opcodes.begin(), row.opcodes.end(), isNamed)))
      return Error{fmt::format("space modifier `{}`: only vectors have lanes; "
                               "take v2i{}x{}",
                               row.name, spec.width, spec.instructions)};
  if (!isVector && spec.constants == Constants::lanes)
    return Error{"space modifier `consts=lanes`: only vectors have lanes"};
  if (!isVector)
    return std::nullopt;
  for (const auto &[isOn, word] :
       {std::pair(spec.blocks > 1, "blocks"),
        std::pair(spec.calls != Calls::none, "calls")})
    if (isOn)
      return Error{fmt::format("space modifier `{}`: a space of vectors is one "
                               "block without calls; leave it out",
                               word)};
  const Vocabulary vocabulary = spec.vocabulary();
  const bool hasCasts =
      std::find(vocabulary.opcodes.begin(), vocabulary.opcodes.end(),
                Opcode::bitcast) != vocabulary.opcodes.end();
  if (hasCasts && spec.lanes * spec.width > Type::maximumWidth)
    return Error{"space modifier `bitcast`: the lanes together have more than "
                 "64 bits; take fewer or narrower ones"};
  return std::nullopt;
}

/// What no single modifier can see.
std::optional<Error> checkWhole(const SpaceSpec &spec) {
  if (auto error = checkVectors(spec))
    return error;
  if ((spec.constants == Constants::all ||
       spec.constants == Constants::lanes) &&
      spec.widths.back() == Type::maximumWidth)
    return Error{"consts=all at i64 is 2^64 constants, more than can be "
                 "counted: take consts=few or consts=none"};
  if (hasVocabulary(spec, "cmp") && spec.widths.back() < 2)
    return Error{"space modifier `cmp`: scmp and ucmp return i2 or wider; take "
                 "i2 or wider, or leave `cmp` out"};
  const bool hasPhi = std::find(spec.opcodes.begin(), spec.opcodes.end(),
                                Opcode::phi) != spec.opcodes.end();
  if (spec.blocks == 1)
    for (const auto &[isOn, word] :
         {std::pair(spec.loops, "loops"), std::pair(spec.switches, "switch"),
          std::pair(spec.sameTarget, "same-target"),
          std::pair(hasPhi, "ops=phi")})
      if (isOn)
        return Error{fmt::format("space modifier `{}`: one block has no "
                                 "branches; add blocks=2 or more",
                                 word)};
  if (!spec.opcodes.empty())
    for (const VocabularyInfo &row : vocabularyTable().subspan(1))
      if (!row.opcodes.empty() && hasVocabulary(spec, row.name))
        return Error{fmt::format("space modifier `{}`: ops= names the "
                                 "vocabulary by hand; name its instructions "
                                 "there, or leave ops= out",
                                 row.name)};
  return std::nullopt;
}

} // namespace

Result<SpaceSpec> parseSpec(std::string_view text) {
  SpaceSpec spec;
  const std::size_t colon = text.find(':');
  const std::string_view base = text.substr(0, colon);
  const std::size_t cross = base.find('x');
  const std::string_view width = base.substr(0, cross);
  // `v2i4` is vectors of two i4.
  const std::size_t lane = width.find('i');
  const bool isVector = width.starts_with('v') && lane != width.npos;
  if ((!isVector && lane != 0) || cross == std::string_view::npos)
    return Error{fmt::format("space `{}`: a spec is i<W>x<N>[:modifier,...] or "
                             "v<L>i<W>x<N>[:modifier,...], for example i2x3, "
                             "i4x2:args=2,consts=few or v2i2x2:shuffle",
                             text)};
  if (isVector) {
    const auto lanes =
        parseNumber(width.substr(1, lane - 1), 1, SpaceSpec::maximumLanes);
    if (!lanes)
      return Error{fmt::format("space `{}`: `{}` is not a number of lanes; "
                               "allowed are 1 to {}",
                               text, width.substr(1, lane - 1),
                               SpaceSpec::maximumLanes)};
    spec.lanes = *lanes;
  }
  const auto bits = parseNumber(width.substr(lane + 1), 1, Type::maximumWidth);
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
  spec.widths = defaultWidths(spec.width);
  if (colon != std::string_view::npos)
    for (std::string_view word : split(text.substr(colon + 1), ','))
      if (auto error = applyModifier(spec, word))
        return *error;
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
  for (const Modifier &row : modifierTable())
    if (const auto value = row.get(spec))
      words.push_back(
          fmt::format("{}{}{}", row.name, value->empty() ? "" : "=", *value));
  return fmt::format("{}i{}x{}{}{}",
                     spec.lanes == 0 ? "" : fmt::format("v{}", spec.lanes),
                     spec.width, spec.instructions, words.empty() ? "" : ":",
                     fmt::join(words, ","));
}

std::string modifierHelp() {
  std::string help;
  const auto line = [&](std::string_view left, std::string_view right) {
    help += fmt::format("  {:<22}{}\n", left, right);
  };
  for (const VocabularyInfo &row : vocabularyTable())
    line(row.name, row.help);
  for (const Modifier &row : modifierTable()) {
    line(fmt::format("{}{}", row.name, row.values.empty() ? "" : "="),
         row.help);
    if (!row.values.empty())
      line("", row.values);
  }
  return help;
}

Vocabulary SpaceSpec::vocabulary() const {
  Vocabulary result{opcodes, calls, hasVocabulary(*this, "modern"), width,
                    widths,  lanes, hasVocabulary(*this, "index")};
  if (opcodes.empty())
    for (const VocabularyInfo &row : vocabularyTable())
      if (hasVocabulary(*this, row.name))
        result.opcodes.insert(result.opcodes.end(), row.opcodes.begin(),
                              row.opcodes.end());
  if (opcodes.empty() && blocks > 1)
    result.opcodes.push_back(Opcode::phi);
  if (calls != Calls::none)
    result.opcodes.push_back(Opcode::call);
  std::sort(result.opcodes.begin(), result.opcodes.end());
  return result;
}

ConstantSet::ConstantSet(Constants constants, Type type) : type_(type) {
  const std::uint64_t allOnes = type.lane(0).mask();
  switch (constants) {
  case Constants::lanes:
    poisonLanes_ = type.lanes() > 1 ? type.lanes() : 0;
    [[fallthrough]];
  case Constants::all:
    assert(allOnes != ~std::uint64_t(0));
    numbers_ = allOnes + 1;
    break;
  case Constants::few:
    listed_ = {0, 1, allOnes ^ (allOnes >> 1), allOnes};
    sortUnique(listed_);
    numbers_ = listed_.size();
    break;
  case Constants::none:
    break;
  }
}

corpus::Operand ConstantSet::operandAt(std::uint64_t position,
                                       corpus::Program &program) const {
  if (type_.isInteger())
    return Operand::constant(type_, at(position));
  const std::uint64_t behind = position - numbers_; // among those with poison
  const std::uint64_t number =
      at(position < numbers_ ? position : behind / poisonLanes_);
  std::vector<Operand> lanes(type_.lanes(),
                             Operand::constant(type_.lane(0), number));
  if (position >= numbers_)
    lanes[behind % poisonLanes_] = Operand::poison(type_.lane(0));
  return program.literal(type_, std::move(lanes));
}

std::optional<std::uint64_t>
ConstantSet::find(const Operand &operand,
                  const corpus::Program &program) const {
  if (operand.is(Operand::Kind::constant))
    return find(operand.payload);
  if (!operand.is(Operand::Kind::pooled))
    return std::nullopt;
  std::optional<std::uint64_t> number;
  std::optional<std::uint64_t> poison;
  const auto &lanes = program.constants[operand.payload].lanes;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const bool isNumber = lanes[i].is(Operand::Kind::constant);
    auto &seen = isNumber ? number : poison;
    if ((isNumber ? seen && *seen != lanes[i].payload
                  : seen || !lanes[i].is(Operand::Kind::poison)))
      return std::nullopt;
    seen = isNumber ? lanes[i].payload : i;
  }
  const auto position = number ? find(*number) : std::nullopt;
  if (!position || !poison)
    return position;
  return poisonLanes_ == 0
             ? std::nullopt
             : std::optional(numbers_ + *position * poisonLanes_ + *poison);
}

std::optional<std::uint64_t> ConstantSet::find(std::uint64_t bits) const {
  if (listed_.empty())
    return bits < numbers_ ? std::optional(bits) : std::nullopt;
  const auto found = std::find(listed_.begin(), listed_.end(), bits);
  if (found == listed_.end())
    return std::nullopt;
  return static_cast<std::uint64_t>(found - listed_.begin());
}

} // namespace enumerate
