// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/spec.h"

#include "enumerate/idioms.h"

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

namespace {

constexpr std::array<std::string_view, 6> constantsNames = {
    "all", "few", "none", "lanes", "two", "holes"};

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
  std::vector<Opcode> opcodes = {Opcode::phi, Opcode::load, Opcode::store};
  for (const VocabularyInfo &row : vocabularyTable())
    opcodes.insert(opcodes.end(), row.opcodes.begin(), row.opcodes.end());
  return opcodes;
}

/// What `ptr=` may name.
constexpr std::array pointerOpcodes = {Opcode::icmp, Opcode::select,
                                       Opcode::phi, Opcode::ret};

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
  bool needsMemory = false;
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

Modifier ofMemory(Modifier row) {
  row.needsMemory = true;
  return row;
}

Modifier flagModifier(std::string_view name, std::string_view help,
                      bool MemoryVocabulary::*member) {
  return ofMemory({name, "", help,
                   [member](SpaceSpec &spec, std::string_view) {
                     spec.accesses.*member = true;
                     return true;
                   },
                   [member](const SpaceSpec &spec) {
                     return spec.accesses.*member ? std::optional(std::string())
                                                  : std::nullopt;
                   }});
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

template <typename T, typename Key = std::identity>
void sortUnique(std::vector<T> &values, Key key = {}) {
  std::ranges::sort(values, {}, key);
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

/// The position of a name in a table of rows that have one.
template <typename Rows>
std::optional<std::size_t> rowNamed(const Rows &rows, std::string_view name) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].name == name)
      return i;
  return std::nullopt;
}

/// The names of a table's rows, one behind the other.
template <typename Rows> std::string rowNames(const Rows &rows) {
  std::vector<std::string_view> names;
  for (const auto &row : rows)
    names.push_back(row.name);
  return fmt::to_string(fmt::join(names, " "));
}

bool setCalls(SpaceSpec &spec, std::string_view value) {
  spec.calls = {true, 0};
  if (value.empty())
    return true;
  for (std::string_view word : split(value, '+')) {
    const auto rule = rowNamed(callRules(), word);
    if (!rule)
      return false;
    spec.calls.rules |= 1U << *rule;
  }
  return true;
}

std::optional<std::string> getCalls(const SpaceSpec &spec) {
  if (!spec.calls.any)
    return std::nullopt;
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < callRules().size(); ++i)
    if ((spec.calls.rules >> i & 1U) != 0)
      names.push_back(callRules()[i].name);
  return fmt::to_string(fmt::join(names, "+"));
}

bool setGraph(SpaceSpec &spec, std::string_view value) {
  const auto row = rowNamed(cfgTable(), value);
  if (row)
    spec.graph = &cfgTable()[*row];
  return row.has_value();
}

std::optional<std::string> getGraph(const SpaceSpec &spec) {
  return spec.graph == nullptr ? std::nullopt
                               : std::optional(std::string(spec.graph->name));
}

/// `a1+p2`: an alloca of a byte, an argument that points to two.
bool setMemory(SpaceSpec &spec, std::string_view value) {
  MemorySpec memory;
  for (std::string_view word : split(value, '+')) {
    if (word.empty())
      return false;
    const auto bytes = parseNumber(word.substr(1), 1, SpaceSpec::maximumBytes);
    if (!bytes)
      return false;
    if (word[0] == 'a') {
      memory.allocations.push_back(*bytes);
    } else if (word[0] == 'p' &&
               (memory.pointers == 0 || memory.window == *bytes)) {
      ++memory.pointers;
      memory.window = *bytes;
    } else {
      return false;
    }
  }
  std::sort(memory.allocations.begin(), memory.allocations.end());
  spec.memory = std::move(memory);
  return spec.memory.allocations.size() <= SpaceSpec::maximumAllocations;
}

std::optional<std::string> getMemory(const SpaceSpec &spec) {
  if (spec.memory.empty())
    return std::nullopt;
  std::vector<std::string> words;
  for (const unsigned bytes : spec.memory.allocations)
    words.push_back(fmt::format("a{}", bytes));
  for (unsigned i = 0; i < spec.memory.pointers; ++i)
    words.push_back(fmt::format("p{}", spec.memory.window));
  return fmt::to_string(fmt::join(words, "+"));
}

/// `8`, or `2x8` of a vector.
std::optional<Type> parseAccess(std::string_view word) {
  const auto parts = split(word, 'x');
  const auto width = parseNumber(parts.back(), 1, Type::maximumWidth);
  if (!width || parts.size() > 2)
    return std::nullopt;
  if (parts.size() == 1)
    return Type::integer(*width);
  const auto lanes = parseNumber(parts.front(), 1, SpaceSpec::maximumLanes);
  if (!lanes)
    return std::nullopt;
  return Type::vector(*lanes, Type::integer(*width));
}

bool setAccess(SpaceSpec &spec, std::string_view value) {
  std::vector<Type> &types = spec.accesses.types;
  for (std::string_view word : split(value, '+')) {
    const auto type = parseAccess(word);
    if (!type)
      return false;
    types.push_back(*type);
  }
  sortUnique(types, [](Type type) { return type.id(); });
  if (types == std::vector{Type::integer(spec.width)})
    types.clear();
  return true;
}

std::optional<std::string> getAccess(const SpaceSpec &spec) {
  if (spec.accesses.types.empty())
    return std::nullopt;
  std::vector<std::string> words;
  for (const Type type : spec.accesses.types)
    words.push_back(type.isVector() ? fmt::format("{}x{}", type.lanes(),
                                                  type.lane(0).width())
                                    : fmt::to_string(type.width()));
  return fmt::to_string(fmt::join(words, "+"));
}

bool setOffsets(SpaceSpec &spec, std::string_view value) {
  corpus::Flags flags;
  if (!value.empty())
    for (std::string_view word : split(value, '+')) {
      const auto *const row = std::find_if(
          corpus::flagTable.begin(), corpus::flagTable.end(),
          [&](const corpus::FlagInfo &flag) { return flag.spelling == word; });
      if (row == corpus::flagTable.end() ||
          !corpus::info(Opcode::getelementptr).allowedFlags.has(row->flag))
        return false;
      flags = flags | row->flag;
    }
  spec.accesses.offsets = flags;
  return true;
}

std::optional<std::string> getOffsets(const SpaceSpec &spec) {
  if (!spec.accesses.offsets)
    return std::nullopt;
  std::vector<std::string_view> names;
  for (const corpus::FlagInfo &row : corpus::flagTable)
    if (spec.accesses.offsets->has(row.flag))
      names.push_back(row.spelling);
  return fmt::to_string(fmt::join(names, "+"));
}

bool setPointers(SpaceSpec &spec, std::string_view value) {
  std::vector<Opcode> &opcodes = spec.accesses.pointers;
  for (std::string_view word : split(value, '+')) {
    const auto *const found = std::find_if(
        pointerOpcodes.begin(), pointerOpcodes.end(),
        [&](Opcode opcode) { return corpus::info(opcode).spelling == word; });
    if (found == pointerOpcodes.end())
      return false;
    opcodes.push_back(*found);
  }
  sortUnique(opcodes);
  return true;
}

std::optional<std::string> getPointers(const SpaceSpec &spec) {
  if (spec.accesses.pointers.empty())
    return std::nullopt;
  std::vector<std::string_view> names;
  for (const Opcode opcode : spec.accesses.pointers)
    names.push_back(corpus::info(opcode).spelling);
  return fmt::to_string(fmt::join(names, "+"));
}

bool setAttributes(SpaceSpec &spec, std::string_view value) {
  std::vector<std::uint32_t> &bits = spec.accesses.attributes;
  for (std::string_view word : split(value, '+')) {
    const auto table = pointerAttributes();
    const auto found =
        std::find_if(table.begin(), table.end(), [&](std::uint32_t bit) {
          return corpus::attributeInfo(bit).spelling == word;
        });
    if (found == table.end())
      return false;
    bits.push_back(*found);
  }
  sortUnique(bits);
  return bits.size() <= MemoryVocabulary::maximumAttributes;
}

std::optional<std::string> getAttributes(const SpaceSpec &spec) {
  if (spec.accesses.attributes.empty())
    return std::nullopt;
  std::vector<std::string_view> names;
  for (const std::uint32_t bit : spec.accesses.attributes)
    names.push_back(corpus::attributeInfo(bit).spelling);
  return fmt::to_string(fmt::join(names, "+"));
}

std::string attributeNames() {
  std::vector<std::string_view> names;
  for (const std::uint32_t bit : pointerAttributes())
    names.push_back(corpus::attributeInfo(bit).spelling);
  return fmt::format("names joined by +, at most {}, of {}",
                     MemoryVocabulary::maximumAttributes,
                     fmt::join(names, " "));
}

std::string opcodeNames() {
  std::vector<std::string_view> names;
  for (Opcode opcode : allOpcodes())
    names.push_back(shortSpelling(opcode));
  return fmt::format("names joined by +, of {}", fmt::join(names, " "));
}

std::string symmetryNames() {
  std::vector<std::string_view> names;
  names.reserve(symmetryRules.size());
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
      flagModifier("unreachable", "blocks may end in `unreachable`",
                   &SpaceSpec::unreachable),
      flagModifier(
          "frozen",
          "each br and switch freezes what it takes, in an instruction "
          "that does not count; there is no other freeze",
          &SpaceSpec::frozen),
      flagModifier("pairs",
                   "two functions of the space side by side, and an operation "
                   "on what they return, for passes that look for the same "
                   "twice",
                   &SpaceSpec::pairs),
      {"graph", rowNames(cfgTable()),
       "one control-flow graph, in the place of blocks=", setGraph, getGraph},
      {"calls",
       fmt::format(
           "names joined by +, of {}, or nothing for calls that may not "
           "return and may read and write all memory",
           rowNames(callRules())),
       "calls to the external @use() and @use_iN(iN), with memory "
       "@use_ptr(ptr) "
       "too, which count as instructions",
       setCalls, getCalls, true},
      {"mem",
       fmt::format("aK or pK joined by +, K from 1 to {}, at most {} aK, one K "
                   "for all pK",
                   SpaceSpec::maximumBytes, SpaceSpec::maximumAllocations),
       "functions that load and store: at most these allocas of K bytes, which "
       "do not count, and arguments that point to K bytes; load and store in "
       "the place of core",
       setMemory, getMemory},
      ofMemory({"access",
                fmt::format("widths joined by +, 2x8 of a vector of two lanes "
                            "(at most {})",
                            SpaceSpec::maximumLanes),
                "integers, or vectors of them, that are loaded and stored "
                "(default W)",
                setAccess, getAccess}),
      flagModifier(
          "align",
          "accesses say align 1 or align 2 (default 1), allocas align 2",
          &MemoryVocabulary::aligned),
      ofMemory({"gep", "inbounds nusw nuw joined by +, or nothing",
                "getelementptr by a byte, without flags and with each set of "
                "these",
                setOffsets, getOffsets, true}),
      ofMemory({"ptr", "icmp select phi ret joined by +",
                "the same of pointers", setPointers, getPointers}),
      flagModifier("null", "the null pointer is a leaf",
                   &MemoryVocabulary::null),
      ofMemory({"attrs", attributeNames(),
                "arguments that are pointers carry any of these that go "
                "together; bytes as in mem=",
                setAttributes, getAttributes}),
      numberModifier("args", 0, SpaceSpec::maximumArguments,
                     "at most so many arguments, of any type but ptr (default "
                     "3)",
                     &SpaceSpec::arguments),
      {"consts", "all, few, none, two, lanes, holes",
       "constant leaves: all values (default); 0, 1, INT_MIN and -1; none; 0 "
       "and 1; lanes: all, of vectors also with one poison lane; holes: few, "
       "of vectors also with one lane of undef or poison",
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

/// Families (idioms.h).
std::uint8_t idiomsOf(const SpaceSpec &spec) {
  std::uint8_t families = 0;
  for (const VocabularyInfo &row : vocabularyTable())
    if (hasVocabulary(spec, row.name))
      families |= row.idioms;
  return families;
}

bool hasMemory(const SpaceSpec &spec) { return !spec.memory.empty(); }

/// Modifiers of memory stand only where there is some.
std::optional<Error> checkMemory(const SpaceSpec &spec) {
  const Vocabulary vocabulary = spec.vocabulary();
  if (!hasMemory(spec)) {
    std::vector<std::string> words;
    for (const Modifier &row : modifierTable())
      if (const auto value = row.get(spec); value && row.needsMemory)
        words.push_back(
            fmt::format("{}{}{}", row.name, value->empty() ? "" : "=", *value));
    for (const VocabularyInfo &row : vocabularyTable())
      if (row.ofMemory && !row.ofVectors && hasVocabulary(spec, row.name))
        words.emplace_back(row.name);
    if ((spec.calls.rules & ~1U) != 0)
      words.push_back(fmt::format("calls={}", *getCalls(spec)));
    for (const Opcode opcode : vocabulary.opcodes)
      if (corpus::info(opcode).has(corpus::trait::accessesMemory) &&
          opcode != Opcode::call)
        words.push_back(fmt::format("ops={}", shortSpelling(opcode)));
    if (words.empty())
      return std::nullopt;
    return Error{fmt::format("space modifier `{}`: there is no memory; add "
                             "mem=a1 or mem=p1",
                             words.front())};
  }
  const auto types = vocabulary.accessedTypes();
  for (const Type type : types)
    for (const auto &[bytes, letter] :
         {std::pair(spec.memory.window, 'p'),
          std::pair(spec.memory.allocations.empty()
                        ? 0U
                        : spec.memory.allocations.back(),
                    'a')})
      if (bytes != 0 && bytes < corpus::storeSize(type))
        return Error{fmt::format(
            "space modifier `mem={}{}`: fewer bytes than an access of {}; take "
            "{}{}, or access= of less",
            letter, bytes, toString(type), letter, corpus::storeSize(type))};
  const bool fillsBytes =
      std::find(vocabulary.opcodes.begin(), vocabulary.opcodes.end(),
                Opcode::memset_) != vocabulary.opcodes.end();
  if (fillsBytes &&
      std::find(vocabulary.widths.begin(), vocabulary.widths.end(), 8U) ==
          vocabulary.widths.end())
    return Error{"space modifier `intrinsics`: memset takes an i8; take i8, or "
                 "access= or types= with 8"};
  const bool hasLifetime =
      std::find(vocabulary.opcodes.begin(), vocabulary.opcodes.end(),
                Opcode::lifetimeStart) != vocabulary.opcodes.end();
  if (hasLifetime && spec.memory.allocations.empty())
    return Error{"space modifier `lifetime`: only allocas have one; add aK to "
                 "mem="};
  if (!spec.accesses.attributes.empty() && spec.memory.pointers == 0)
    return Error{"space modifier `attrs`: there is no argument to carry them; "
                 "add pK to mem="};
  if (spec.accesses.has(Opcode::phi) && !spec.hasBranches())
    return Error{"space modifier `ptr=phi`: one block has no branches; add "
                 "graph=if or blocks=3"};
  if (spec.arguments + spec.memory.pointers > SpaceSpec::maximumArguments)
    return Error{fmt::format("space modifier `args={}`: with {} pointers more "
                             "than {} arguments",
                             spec.arguments, spec.memory.pointers,
                             SpaceSpec::maximumArguments)};
  return std::nullopt;
}

/// Vectors stand in one block, and their modifiers nowhere else.
std::optional<Error> checkVectors(const SpaceSpec &spec) {
  const bool isVector = spec.lanes != 0;
  const auto isNamed = [&](Opcode opcode) {
    return std::find(spec.opcodes.begin(), spec.opcodes.end(), opcode) !=
           spec.opcodes.end();
  };
  for (const VocabularyInfo &row : vocabularyTable())
    if (row.ofVectors && !isVector && !(row.ofMemory && hasMemory(spec)) &&
        (hasVocabulary(spec, row.name) ||
         std::any_of(row.opcodes.begin(), row.opcodes.end(), isNamed)))
      return Error{fmt::format("space modifier `{}`: only vectors have lanes; "
                               "take v2i{}x{}",
                               row.name, spec.width, spec.instructions)};
  if (!isVector && (spec.constants == Constants::lanes ||
                    spec.constants == Constants::holes))
    return Error{fmt::format("space modifier `consts={}`: only vectors have "
                             "lanes",
                             *getConstants(spec))};
  if (!isVector)
    return std::nullopt;
  for (const auto &[isOn, word] :
       {std::pair(spec.blocks > 1, "blocks"),
        std::pair(spec.graph != nullptr, "graph"),
        std::pair(hasMemory(spec), "mem"), std::pair(spec.calls.any, "calls"),
        std::pair(hasVocabulary(spec, "assume") || isNamed(Opcode::assume),
                  "assume")})
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

std::optional<Error> checkPatterns(const SpaceSpec &spec) {
  const bool hasLoops =
      spec.loops || (spec.graph != nullptr && hasCycle(*spec.graph));
  for (const VocabularyInfo &row : vocabularyTable()) {
    if (!hasVocabulary(spec, row.name))
      continue;
    if (row.idioms != 0 && spec.width < 2)
      return Error{fmt::format(
          "space modifier `{}`: they are of i2 or wider; take i2", row.name)};
    if (row.ofLoops && !hasLoops)
      return Error{fmt::format("space modifier `{}`: it is of loops; take "
                               "graph=loop, or blocks=3,loops",
                               row.name)};
  }
  return std::nullopt;
}

/// The two are straight lines of integers, in which the last result is the
/// function's.
std::optional<Error> checkPairs(const SpaceSpec &spec) {
  if (!spec.pairs)
    return std::nullopt;
  const bool hasAssume = hasVocabulary(spec, "assume") ||
                         std::find(spec.opcodes.begin(), spec.opcodes.end(),
                                   Opcode::assume) != spec.opcodes.end();
  for (const auto &[isOn, word] :
       {std::pair(spec.blocks > 1, "blocks"),
        std::pair(spec.graph != nullptr, "graph"),
        std::pair(hasMemory(spec), "mem"), std::pair(spec.calls.any, "calls"),
        std::pair(spec.lanes != 0, "pairs"), std::pair(hasAssume, "assume")})
    if (isOn)
      return Error{fmt::format("space modifier `{}`: pairs are of straight "
                               "lines of integers; leave it out",
                               word)};
  return std::nullopt;
}

/// What counts as one and is several keeps its shape only under `args`.
std::optional<Error> checkSymmetry(const SpaceSpec &spec) {
  for (const auto &[isOn, word] :
       {std::pair(idiomsOf(spec) != 0, "an idiom"),
        std::pair(hasVocabulary(spec, "recurrences"), "a recurrence"),
        std::pair(spec.pairs, "a pair")})
    if (isOn && spec.symmetry && *spec.symmetry != symmetry::args)
      return Error{fmt::format("space modifier `symmetry={}`: what it makes of "
                               "{} is none; take symmetry=args",
                               toString(*spec.symmetry), word)};
  return std::nullopt;
}

/// What no single modifier can see.
std::optional<Error> checkWhole(const SpaceSpec &spec) {
  if (auto error = checkVectors(spec))
    return error;
  if (auto error = checkMemory(spec))
    return error;
  if (auto error = checkPatterns(spec))
    return error;
  if (auto error = checkPairs(spec))
    return error;
  if (auto error = checkSymmetry(spec))
    return error;
  const std::vector<unsigned> widths = spec.vocabulary().widths;
  if ((spec.constants == Constants::all ||
       spec.constants == Constants::lanes) &&
      widths.back() == Type::maximumWidth)
    return Error{"consts=all at i64 is 2^64 constants, more than can be "
                 "counted: take consts=few or consts=none"};
  if (hasVocabulary(spec, "cmp") && widths.back() < 2)
    return Error{"space modifier `cmp`: scmp and ucmp return i2 or wider; take "
                 "i2 or wider, or leave `cmp` out"};
  const bool hasPhi = std::find(spec.opcodes.begin(), spec.opcodes.end(),
                                Opcode::phi) != spec.opcodes.end();
  for (const auto &[isOn, word] :
       {std::pair(spec.loops, "loops"), std::pair(spec.switches, "switch"),
        std::pair(spec.sameTarget, "same-target"),
        std::pair(spec.unreachable, "unreachable")})
    if (isOn && spec.graph != nullptr)
      return Error{fmt::format("space modifier `{}`: graph={} is one graph; "
                               "take blocks= for all",
                               word, spec.graph->name)};
    else if (isOn && !spec.hasBranches())
      return Error{fmt::format("space modifier `{}`: one block has no "
                               "branches; add blocks=2 or more",
                               word)};
  if (spec.frozen && !spec.hasBranches())
    return Error{"space modifier `frozen`: one block has no branches; add "
                 "blocks=2 or more"};
  if (spec.frozen && std::find(spec.opcodes.begin(), spec.opcodes.end(),
                               Opcode::freeze) != spec.opcodes.end())
    return Error{"space modifier `frozen`: the only freeze is that of each br "
                 "and switch; leave freeze out of ops="};
  if (hasPhi && !spec.hasBranches())
    return Error{"space modifier `ops=phi`: one block has no branches; add "
                 "blocks=2 or more"};
  if (spec.blocks > 1 && spec.graph != nullptr)
    return Error{"space modifier `graph`: it says how many blocks there are; "
                 "leave blocks= out"};
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
                             "i4x2:args=2,consts=few, v2i2x2:shuffle or "
                             "i8x2:mem=a1+p1,consts=two",
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

/// What may stand in one lane of a constant that is the same in the others.
static std::vector<Operand> holesOf(Constants constants, Type lane) {
  switch (constants) {
  case Constants::lanes:
    return {Operand::poison(lane)};
  case Constants::holes:
    return {Operand::undef(lane), Operand::poison(lane)};
  default:
    return {};
  }
}

Vocabulary SpaceSpec::vocabulary() const {
  Vocabulary result{opcodes, calls, hasVocabulary(*this, "modern"), width,
                    widths,  lanes, hasVocabulary(*this, "index")};
  const std::uint8_t families = idiomsOf(*this);
  for (std::size_t i = 0; i < idiomTable().size(); ++i)
    if ((idiomTable()[i].families & families) != 0)
      result.idioms.push_back(i);
  if (families != 0)
    result.holes = holesOf(constants, Type::integer(width));
  result.recurrences = hasVocabulary(*this, "recurrences");
  const bool hasMemory = !memory.empty();
  std::vector<Opcode> &used = result.opcodes;
  if (opcodes.empty()) {
    for (const VocabularyInfo &row : vocabularyTable())
      if (hasVocabulary(*this, row.name) && !(hasMemory && row.name == "core"))
        used.insert(used.end(), row.opcodes.begin(), row.opcodes.end());
    if (hasMemory)
      used.insert(used.end(), {Opcode::load, Opcode::store});
    if (hasBranches())
      used.push_back(Opcode::phi);
  }
  if (calls.any)
    used.push_back(Opcode::call);
  if (hasMemory) {
    result.memory = accesses;
    for (const Type type : accesses.types)
      if (type.isInteger())
        result.widths.push_back(type.width());
    sortUnique(result.widths);
    if (accesses.offsets || result.anyIndex)
      used.push_back(Opcode::getelementptr);
  }
  if (frozen)
    used.erase(std::remove(used.begin(), used.end(), Opcode::freeze),
               used.end());
  std::sort(used.begin(), used.end());
  return result;
}

ConstantSet::ConstantSet(Constants constants, Type type)
    : type_(type), lanes_(type.lanes()) {
  if (type.isPointer()) { // null, where there are any
    if (constants != Constants::none)
      listed_ = {0};
    numbers_ = listed_.size();
    return;
  }
  if (lanes_ > 1)
    holes_ = holesOf(constants, type.lane(0));
  const std::uint64_t allOnes = type.lane(0).mask();
  switch (constants) {
  case Constants::lanes:
  case Constants::all:
    assert(allOnes != ~std::uint64_t(0));
    numbers_ = allOnes + 1;
    break;
  case Constants::holes:
  case Constants::few:
    listed_ = {0, 1, allOnes ^ (allOnes >> 1), allOnes};
    sortUnique(listed_);
    numbers_ = listed_.size();
    break;
  case Constants::two:
    listed_ = {0, 1};
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
  if (type_.isPointer())
    return Operand::null();
  const std::uint64_t behind = position - numbers_; // among those with a hole
  const std::uint64_t lane = behind % lanes_;
  const std::uint64_t which = behind / lanes_;
  const std::uint64_t number =
      at(position < numbers_ ? position : which / holes_.size());
  std::vector<Operand> lanes(lanes_, Operand::constant(type_.lane(0), number));
  if (position >= numbers_)
    lanes[lane] = holes_[which % holes_.size()];
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
  std::optional<std::uint64_t> hole; // which, and in which lane
  const auto &lanes = program.constants[operand.payload].lanes;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (lanes[i].is(Operand::Kind::constant)) {
      if (number && *number != lanes[i].payload)
        return std::nullopt;
      number = lanes[i].payload;
      continue;
    }
    const auto which = std::find(holes_.begin(), holes_.end(), lanes[i]);
    if (hole || which == holes_.end())
      return std::nullopt;
    hole =
        static_cast<std::uint64_t>(which - holes_.begin()) * lanes.size() + i;
  }
  const auto position = number ? find(*number) : std::nullopt;
  if (!position || !hole)
    return position;
  return numbers_ + *position * holes_.size() * lanes.size() + *hole;
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
