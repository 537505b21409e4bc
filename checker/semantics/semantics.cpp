// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/semantics/semantics.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace checker {
namespace {

constexpr Knob::Choice inputsChoices[] = {
    {"defined", "numbers only"},
    {"poison", "numbers and poison"},
    {"poison+undef", "also every partly undef value"},
    {"any-set", "every set of numbers, for widths 1 and 2"},
};
constexpr Knob::Choice undefChoices[] = {
    {"per-use", "each use observes a value of its own"},
    {"as-poison", "there is no undef; the literal means poison"},
};
constexpr Knob::Choice branchChoices[] = {
    {"ub", "undefined behaviour"},
    {"nondeterministic", "either way, chosen once"},
};
constexpr Knob::Choice selectConditionChoices[] = {
    {"poison", "the result is poison"},
    {"ub", "undefined behaviour"},
    {"nondeterministic", "either arm, chosen once"},
};
constexpr Knob::Choice selectArmsChoices[] = {
    {"chosen", "only the chosen arm matters"},
    {"either", "poison if either arm is"},
};
constexpr Knob::Choice overflowChoices[] = {
    {"poison", "poison"},
    {"undef", "undef"},
    {"wrap", "the flag is ignored"},
};
constexpr Knob::Choice shiftChoices[] = {
    {"poison", "poison"},
    {"undef", "undef"},
    {"masked", "the amount counts modulo the width"},
};
constexpr Knob::Choice poisonUnitChoices[] = {
    {"value", "a value is poison or not"},
    {"bit", "each bit is poison or not"},
};
constexpr Knob::Choice loadChoices[] = {
    {"undef", "undef"},
    {"poison", "poison"},
    {"nondeterministic", "a value, chosen once for each byte and load"},
};
constexpr Knob::Choice memoryPoisonChoices[] = {
    {"byte", "a byte is poison or not"},
    {"bit", "each bit of a byte is poison or not"},
};
constexpr Knob::Choice paddingChoices[] = {
    {"same-type", "a load of another type than was stored is poison"},
    {"zero", "a store writes zeros, a load of anything else is poison"},
};
constexpr Knob::Choice deadLoadChoices[] = {
    {"poison", "poison"},
    {"ub", "undefined behaviour"},
    {"undef", "undef"},
};
constexpr Knob::Choice writeonlyLoadChoices[] = {
    {"unwritten-poison", "poison where nothing was written through it before"},
    {"ub", "undefined behaviour"},
};
constexpr Knob::Choice storePoisonChoices[] = {
    {"ok", "memory holds poison"},
    {"ub", "undefined behaviour"},
};
constexpr Knob::Choice gepBoundsChoices[] = {
    {"poison", "poison"},
    {"ignored", "the flag is ignored"},
};
constexpr Knob::Choice derefChoices[] = {
    {"scope", "as long as the function runs"},
    {"point", "at entry; what may free, may free it"},
};

template <auto member>
constexpr Knob knob(std::string_view name, std::string_view explanation,
                    std::span<const Knob::Choice> choices) {
  using Value = std::remove_cvref_t<decltype(Semantics().*member)>;
  return {name, explanation, choices,
          [](const Semantics &semantics) {
            return static_cast<std::size_t>(semantics.*member);
          },
          [](Semantics &semantics, std::size_t choice) {
            semantics.*member = static_cast<Value>(choice);
          }};
}

constexpr Knob knobs[] = {
    knob<&Semantics::inputs>("inputs",
                             "what arguments may be (Alive; LLVM UB manual)",
                             inputsChoices),
    knob<&Semantics::undef>("undef", "what undef is (Taming UB 4; RFC 2016)",
                            undefChoices),
    knob<&Semantics::branchOnPoison>("branch_on_poison",
                                     "br and switch on poison (Taming UB 3.3)",
                                     branchChoices),
    knob<&Semantics::branchOnUndef>(
        "branch_on_undef",
        "br and switch on several values (LLVM UB manual; Alive figure 4)",
        branchChoices),
    knob<&Semantics::selectCondition>(
        "select_condition", "select on poison (Taming UB 3.4; RFC 2016)",
        selectConditionChoices),
    knob<&Semantics::selectArms>("select_arms",
                                 "poison in an arm of a select (Taming UB 3.4)",
                                 selectArmsChoices),
    knob<&Semantics::overflow>(
        "overflow",
        "a violated nsw, nuw, exact or newer flag (Taming UB 2.3, 2.4)",
        overflowChoices),
    knob<&Semantics::shiftAmount>(
        "shift_amount",
        "a shift by the width or more (Taming UB 2.3; LLVM UB manual)",
        shiftChoices),
    knob<&Semantics::poisonUnit>("poison_unit",
                                 "what poison sticks to (RFC 2016, option 1)",
                                 poisonUnitChoices),
    knob<&Semantics::uninitializedLoad>(
        "uninitialized_load",
        "a load of memory never written (uninitialized memory; RFC 2016)",
        loadChoices),
    knob<&Semantics::memoryPoison>(
        "memory_poison", "what poison sticks to in memory (RFC 2016, loads)",
        memoryPoisonChoices),
    knob<&Semantics::padding>(
        "padding", "memory of types that do not fill a byte (LangRef, load)",
        paddingChoices),
    knob<&Semantics::deadLoad>(
        "dead_load",
        "a load of a local before its lifetime starts or after it ends "
        "(LangRef, llvm.lifetime; Alive2: ub)",
        deadLoadChoices),
    knob<&Semantics::writeonlyLoad>(
        "writeonly_load", "a load through a writeonly pointer (LangRef)",
        writeonlyLoadChoices),
    knob<&Semantics::storePoison>("store_poison",
                                  "a store of poison (LLVM PR 141339)",
                                  storePoisonChoices),
    knob<&Semantics::gepBounds>("gep_bounds",
                                "a violated inbounds, nusw or nuw (LangRef)",
                                gepBoundsChoices),
    knob<&Semantics::deref>("deref", "how long dereferenceable holds (LangRef)",
                            derefChoices),
};

constexpr Preset presets[] = {
    {"llvm", "LLVM as documented, arguments may be poison (LangRef)", {}},
    {"llvm-undef",
     "arguments may be undef too, wholly or partly (LangRef)",
     {.inputs = Inputs::poisonUndef}},
    {"defined-inputs",
     "arguments are numbers (classic Alive)",
     {.inputs = Inputs::defined}},
    {"taming",
     "undef is removed, poison takes its place (Taming UB 4)",
     {.undef = UndefRule::asPoison}},
    {"branch-nondet",
     "a branch on poison goes either way (Taming UB 3.3, loop unswitching)",
     {.branchOnPoison = BranchRule::nondeterministic,
      .branchOnUndef = BranchRule::nondeterministic}},
    {"branch-nondet-undef",
     "branch-nondet with undef arguments (Taming UB 3.3)",
     {.inputs = Inputs::poisonUndef,
      .branchOnPoison = BranchRule::nondeterministic,
      .branchOnUndef = BranchRule::nondeterministic}},
    {"select-ub",
     "select on poison is a branch on poison (Taming UB 3.4)",
     {.selectCondition = SelectCondition::ub}},
    {"select-either",
     "select is poison if either arm is (Taming UB 3.4)",
     {.selectArms = SelectArms::either}},
    {"overflow-undef",
     "violated flags give undef (Taming UB 2.4)",
     {.overflow = OverflowRule::undef}},
    {"overflow-wrap",
     "flags are ignored (Taming UB 2.3)",
     {.overflow = OverflowRule::wrap}},
    {"shift-undef",
     "a shift too far gives undef (Taming UB 2.3)",
     {.shiftAmount = ShiftRule::undef}},
    {"bitwise",
     "each bit is poison or not (RFC 2016, option 1)",
     {.poisonUnit = PoisonUnit::bit}},
    {"uninit-poison",
     "memory never written holds poison (uninitialized memory; Alive2)",
     {.uninitializedLoad = LoadRule::poison},
     true},
    {"uninit-nondet",
     "a load of memory never written freezes it (RFC 2016)",
     {.uninitializedLoad = LoadRule::nondeterministic},
     true},
    {"memory-bits",
     "each bit in memory is poison or not (RFC 2016, loads)",
     {.memoryPoison = MemoryPoison::bit},
     true},
    {"store-poison-ub",
     "a store of poison is UB (LLVM PR 141339)",
     {.storePoison = StorePoison::ub},
     true},
    {"alive2",
     "memory as Alive2 has it, for second opinions",
     {.uninitializedLoad = LoadRule::poison,
      .deadLoad = DeadLoad::ub,
      .writeonlyLoad = WriteonlyLoad::ub},
     true},
};

template <typename Range> std::string namesOf(const Range &range) {
  std::string names;
  for (const auto &item : range)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", item.name);
  return names;
}

template <typename Range>
auto findByName(const Range &range, std::string_view name) {
  return std::find_if(std::begin(range), std::end(range),
                      [&](const auto &item) { return item.name == name; });
}

std::vector<std::string_view> splitAtCommas(std::string_view text) {
  std::vector<std::string_view> pieces;
  for (std::size_t comma; (comma = text.find(',')) != text.npos;
       text.remove_prefix(comma + 1))
    pieces.push_back(text.substr(0, comma));
  pieces.push_back(text);
  return pieces;
}

} // namespace

std::span<const Knob> knobTable() { return knobs; }

std::span<const Preset> presetTable() { return presets; }

corpus::Result<Semantics> parseSemantics(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const auto preset = findByName(presets, name);
  if (preset == std::end(presets))
    return corpus::Error{fmt::format("unknown semantics '{}'; presets are: {}",
                                     name, namesOf(presets))};
  Semantics semantics = preset->semantics;
  if (colon == text.npos)
    return semantics;
  for (std::string_view piece : splitAtCommas(text.substr(colon + 1))) {
    const std::size_t equals = piece.find('=');
    const std::string_view knobName = piece.substr(0, equals);
    const auto knob = findByName(knobs, knobName);
    if (knob == std::end(knobs))
      return corpus::Error{
          fmt::format("unknown knob '{}' in semantics '{}'; knobs are: {}",
                      knobName, text, namesOf(knobs))};
    const std::string_view choiceName =
        equals == piece.npos ? "" : piece.substr(equals + 1);
    const auto choice = std::find_if(
        knob->choices.begin(), knob->choices.end(),
        [&](const Knob::Choice &item) { return item.name == choiceName; });
    if (choice == knob->choices.end())
      return corpus::Error{fmt::format(
          "knob '{}' cannot be '{}' in semantics '{}'; choices are: {}",
          knobName, choiceName, text, namesOf(knob->choices))};
    knob->set(semantics,
              static_cast<std::size_t>(choice - knob->choices.begin()));
  }
  return semantics;
}

corpus::Result<std::vector<Semantics>>
parseSemanticsList(std::string_view text) {
  std::vector<Semantics> list;
  if (text == "all" || text == "memory") {
    for (const Preset &preset : presets)
      if (preset.isOfMemory == (text == "memory") ||
          preset.semantics == Semantics())
        list.push_back(preset.semantics);
    return list;
  }
  std::vector<std::string> items;
  for (std::string_view piece : splitAtCommas(text)) {
    const bool continues = !items.empty() && piece.find('=') != piece.npos &&
                           piece.find(':') == piece.npos;
    if (continues)
      items.back() += fmt::format(",{}", piece);
    else
      items.emplace_back(piece);
  }
  for (const std::string &item : items) {
    auto semantics = parseSemantics(item);
    if (!semantics)
      return semantics.error();
    list.push_back(*semantics);
  }
  return list;
}

std::string toString(const Semantics &semantics) {
  std::string shortest;
  for (const Preset &preset : presets) {
    std::string text(preset.name);
    char separator = ':';
    for (const Knob &knob : knobs) {
      const std::size_t choice = knob.get(semantics);
      if (choice == knob.get(preset.semantics))
        continue;
      text += fmt::format("{}{}={}", separator, knob.name,
                          knob.choices[choice].name);
      separator = ',';
    }
    if (shortest.empty() || text.size() < shortest.size())
      shortest = text;
  }
  return shortest;
}

} // namespace checker
