// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/fault.h"

#include "corpus/program/canonical.h"
#include "reports/triage/repair.h"
#include "runner/crash_text.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace reports {
namespace {

using checker::Kind;
using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;

/// Where a value must not be poison, or not any value at all: what a missing
/// freeze is missing for.
struct Sink {
  std::string_view key;
  std::string_view words;
  bool (*takes)(const Program &, const Instruction &, std::size_t operand);
};

bool isDivision(Opcode opcode) {
  return corpus::info(opcode).has(corpus::trait::division);
}

/// Executing these may be the undefined behaviour itself. A branch is no
/// suspect: what it decides by can be frozen.
constexpr corpus::Traits mayBeUndefined = corpus::trait::mayBeUb |
                                          corpus::trait::mayNotReturn |
                                          corpus::trait::accessesMemory;

/// The first that takes a value counts.
constexpr std::array<Sink, 5> sinks = {{
    {"branch", "branches on a value that may be poison, without `freeze`",
     [](const Program &, const Instruction &user, std::size_t operand) {
       return operand == 0 && corpus::info(user.opcode).isTerminator() &&
              user.opcode != Opcode::ret;
     }},
    {"divisor", "divides by a value that may be poison, without `freeze`",
     [](const Program &, const Instruction &user, std::size_t operand) {
       return operand == 1 && isDivision(user.opcode);
     }},
    {"bitwise",
     "uses `{}` where one side may be poison and the other one decides",
     [](const Program &program, const Instruction &user, std::size_t operand) {
       return (user.opcode == Opcode::and_ || user.opcode == Opcode::or_) &&
              program.operandsOf(user)[operand].type ==
                  corpus::Type::integer(1);
     }},
    {"condition", "chooses by a condition that may be poison, without `freeze`",
     [](const Program &, const Instruction &user, std::size_t operand) {
       return operand == 0 && user.opcode == Opcode::select;
     }},
    {"call", "passes a value that may be poison to a call, without `freeze`",
     [](const Program &, const Instruction &user, std::size_t) {
       return user.opcode == Opcode::call;
     }},
}};

/// "`udiv i1`".
std::string quoted(const Program &program, const Instruction &instruction) {
  const auto operands = program.operandsOf(instruction);
  const bool isByOperand =
      instruction.type.isVoid() || instruction.opcode == Opcode::icmp;
  const corpus::Type type =
      isByOperand && !operands.empty() ? operands[0].type : instruction.type;
  const std::string_view name = corpus::info(instruction.opcode).spelling;
  return type.isVoid() || (instruction.type.isVoid() && type.isPointer())
             ? fmt::format("`{}`", name)
             : fmt::format("`{} {}`", name, toString(type));
}

/// Divisions are one class, so are `and` and `or`, casts, and copies: passes
/// treat them alike.
std::string_view classOf(Opcode opcode) {
  if (opcode == Opcode::memcpy_ || opcode == Opcode::memmove_)
    return "copy";
  if (isDivision(opcode))
    return "division";
  if (opcode == Opcode::and_ || opcode == Opcode::or_)
    return "and/or";
  if (opcode == Opcode::zext || opcode == Opcode::sext ||
      opcode == Opcode::trunc)
    return "cast";
  return corpus::info(opcode).spelling;
}

/// Keys where no single change helps: by the operations of the source.
std::string keyOf(Kind kind, const Program &source,
                  std::string_view (&nameOf)(Opcode)) {
  std::set<std::string> operations;
  for (const Instruction &each : source.instructions)
    if (!corpus::info(each.opcode).isTerminator() &&
        each.opcode != Opcode::phi) {
      std::string text(nameOf(each.opcode));
      for (const corpus::FlagInfo &row : corpus::flagTable)
        if (each.flags.has(row.flag))
          text += fmt::format(" {}", row.spelling);
      operations.insert(std::move(text));
    }
  return fmt::format("{} {}", checker::toString(kind),
                     fmt::join(operations, ", "));
}

std::string flowKeyOf(Kind kind) {
  return fmt::format("flow {}", checker::toString(kind));
}

std::string flagKeyOf(const corpus::FlagInfo &flag,
                      std::string_view operation) {
  return fmt::format("flag {} {}", flag.spelling, operation);
}

/// Operations that passes treat alike, but seldom by one line.
constexpr std::array<std::pair<Opcode, std::string_view>, 10> kins = {{
    {Opcode::add, "add/sub"},
    {Opcode::sub, "add/sub"},
    {Opcode::lshr, "right shift"},
    {Opcode::ashr, "right shift"},
    {Opcode::fshl, "funnel shift"},
    {Opcode::fshr, "funnel shift"},
    {Opcode::smin, "min/max"},
    {Opcode::smax, "min/max"},
    {Opcode::umin, "min/max"},
    {Opcode::umax, "min/max"},
}};

std::string_view kinOf(Opcode opcode) {
  for (const auto &[one, kin] : kins)
    if (one == opcode)
      return kin;
  return classOf(opcode);
}

/// A wrong value may decide whether a loop ends.
Kind kinOf(Kind kind) {
  switch (kind) {
  case Kind::diverges:
  case Kind::returns:
    return Kind::value;
  case Kind::moreUndef:
    return Kind::morePoison;
  default:
    return kind;
  }
}

class FaultFinder {
public:
  FaultFinder(const Bug &bug, checker::Checker &checker, checker::Engine engine)
      : bug_(bug), source_(bug.source), target_(*bug.target),
        semantics_(*checker::parseSemantics(bug.checkedUnder)),
        checker_(checker), engine_(engine) {}

  Fault run() {
    const std::vector<Edit> edits = repairsOf(target_);
    for (const Edit &edit : edits)
      if (const auto repaired = edit.apply(target_);
          repaired && !kindOf(*repaired))
        return ofRepair(edit);
    if (bug_.verdict.kind == Kind::moreUb) {
      for (const Edit &edit : edits)
        if (const auto repaired = edit.apply(target_);
            repaired && kindOf(*repaired) != Kind::moreUb)
          return ofRepair(edit);
      if (auto fault = onlyDrops() ? ofWrites(bug_.verdict.kind) : std::nullopt)
        return *fault;
      if (auto fault = ofUndefined())
        return *fault;
    }
    return ofKind();
  }

private:
  /// Of the source with that target; nothing where it is right.
  std::optional<Kind> kindOf(const Program &target) {
    constexpr unsigned patience = 2;
    if (undecided_ == patience)
      return bug_.verdict.kind;
    const checker::Verdict verdict = checker_.check(
        source_, target, semantics_, checker::WantWitness::no, engine_);
    if (verdict.word == checker::VerdictWord::refines)
      return std::nullopt;
    if (verdict.word == checker::VerdictWord::wrong)
      return verdict.kind;
    ++undecided_;
    return bug_.verdict.kind; // as if nothing had changed
  }

  Fault ofRepair(const Edit &edit) const {
    switch (edit.kind) {
    case Edit::Kind::flag:
      return ofFlag(edit);
    case Edit::Kind::attributes:
      return ofAttributes(edit);
    case Edit::Kind::alignment:
      return ofAlignment(edit);
    case Edit::Kind::freeze:
      return ofFreeze(edit.value);
    case Edit::Kind::logical:
      return ofSink(
          sinks[2],
          target_.operandsOf(target_.instructions[edit.instruction])[0],
          target_.instructions[edit.instruction]);
    }
    assert(false && "a kind of edit without words");
    return {};
  }

  Fault ofFlag(const Edit &edit) const {
    const auto row = std::find_if(
        corpus::flagTable.begin(), corpus::flagTable.end(),
        [&](const corpus::FlagInfo &each) { return each.flag == edit.flag; });
    const Instruction &instruction = target_.instructions[edit.instruction];
    const std::string what = quoted(target_, instruction);
    const auto sourceHas = [&](auto is) {
      return std::any_of(source_.instructions.begin(),
                         source_.instructions.end(), is);
    };
    // These hand on whatever the operation and the flag are.
    if (makesNothing())
      return {"flag of another value",
              fmt::format("uses {} with its `{}` in place of another value",
                          what, row->spelling)};
    if (!instruction.type.isVector() && sourceHas([&](const Instruction &each) {
          return each.opcode == instruction.opcode && each.type.isVector() &&
                 !each.flags.has(edit.flag);
        }))
      return {"flag of a scalarized instruction",
              fmt::format("gives `{}` to {} in place of one on vectors",
                          row->spelling, what)};
    const bool hadIt = sourceHas(
        [&](const Instruction &each) { return each.flags.has(edit.flag); });
    // Beside undef it may hold for one value of that.
    const bool isByUndef = std::any_of(
        source_.operands.begin(), source_.operands.end(),
        [](const Operand &each) { return each.is(Operand::Kind::undef); });
    return {flagKeyOf(*row, corpus::info(instruction.opcode).spelling),
            fmt::format("{} `{}` {} {}", hadIt ? "keeps" : "gives",
                        row->spelling, hadIt ? "on" : "to", what),
            isByUndef ? "flag undef"
                      : flagKeyOf(*row, classOf(instruction.opcode))};
  }

  Fault ofAlignment(const Edit &edit) const {
    const Instruction &access = target_.instructions[edit.instruction];
    return {"alignment",
            fmt::format("believes `align {}` of {}", access.alignment,
                        quoted(target_, access))};
  }

  /// Every instruction of the target is one of the source, with its flags.
  bool makesNothing() const {
    std::vector<const Instruction *> left;
    for (const Instruction &each : source_.instructions)
      left.push_back(&each);
    return std::all_of(target_.instructions.begin(), target_.instructions.end(),
                       [&](const Instruction &made) {
                         const auto same = std::find_if(
                             left.begin(), left.end(), [&](const auto *each) {
                               return each->opcode == made.opcode &&
                                      each->type == made.type &&
                                      each->flags == made.flags &&
                                      each->predicate == made.predicate;
                             });
                         if (same == left.end())
                           return false;
                         left.erase(same);
                         return true;
                       });
  }

  /// "drop nofree", "drop all attributes".
  Fault ofAttributes(const Edit &edit) const {
    // Of two edits at a time, the first.
    std::string what = edit.text.substr(edit.text.find(' ') + 1);
    what.resize(std::min(what.find(" and "), what.size()));
    // A load that promises not to be poison shows what was written.
    if (isSaidOfLoad(edit.attribute))
      if (auto fault = ofWrites(Kind::morePoison))
        return *std::move(fault);
    return {fmt::format("attributes {}", what),
            what == "all attributes"
                ? "promises attributes that do not hold"
                : fmt::format("promises `{}`, which does not hold", what)};
  }

  /// Whether a load of the target has it.
  bool isSaidOfLoad(std::uint32_t attribute) const {
    return std::any_of(
        target_.instructions.begin(), target_.instructions.end(),
        [&](const Instruction &each) {
          return each.opcode == Opcode::load &&
                 each.attributes != Instruction::noAttributes &&
                 target_.callAttributes[each.attributes].result.has(attribute);
        });
  }

  Fault ofFreeze(const Operand &value) const {
    const auto isFreeze = [](const Instruction &each) {
      return each.opcode == Opcode::freeze;
    };
    const auto freezes = std::count_if(
        target_.instructions.begin(), target_.instructions.end(),
        [&](const Instruction &each) {
          return isFreeze(each) && target_.operandsOf(each)[0] == value;
        });
    if (freezes > 1 &&
        freezes > std::count_if(source_.instructions.begin(),
                                source_.instructions.end(), isFreeze))
      return {"freeze twice", "freezes a value twice, and may get two values"};
    // The nearest use that matters; a phi or an `xor` only hands it on.
    std::vector<Operand> level = {value};
    std::set<std::uint64_t> seen;
    while (!level.empty()) {
      for (const Sink &sink : sinks)
        for (const Instruction &user : target_.instructions)
          for (std::size_t i = 0; i < user.operandCount; ++i)
            if (std::find(level.begin(), level.end(),
                          target_.operandsOf(user)[i]) != level.end() &&
                sink.takes(target_, user, i))
              return ofSink(sink, value, user);
      std::vector<Operand> next;
      for (std::size_t i = 0; i < target_.instructions.size(); ++i)
        for (const Operand &operand :
             target_.operandsOf(target_.instructions[i]))
          if (std::find(level.begin(), level.end(), operand) != level.end() &&
              !target_.instructions[i].type.isVoid() && seen.insert(i).second)
            next.push_back(
                Operand::instruction(target_.instructions[i].type, i));
      level = std::move(next);
    }
    // In memory it is the writes that make a value of it.
    if (isInMemory(value))
      if (auto fault = ofWrites(bug_.verdict.kind))
        return *std::move(fault);
    return ofUses(value);
  }

  /// Whether it is loaded or stored.
  bool isInMemory(const Operand &value) const {
    return std::any_of(
        target_.instructions.begin(), target_.instructions.end(),
        [&](const Instruction &each) {
          const auto operands = target_.operandsOf(each);
          return each.opcode == Opcode::load
                     ? value.is(Operand::Kind::instruction) &&
                           &each == &target_.instructions[value.payload]
                     : each.opcode == Opcode::store && operands[0] == value;
        });
  }

  Fault ofSink(const Sink &sink, const Operand &value,
               const Instruction &user) const {
    // One value for all uses of an undef is another matter than its poison.
    if (bug_.verdict.kind == Kind::moreUndef)
      return ofUses(value);
    return {fmt::format("freeze {} {}", sink.key,
                        checker::toString(bug_.verdict.kind)),
            fmt::format(fmt::runtime(sink.words),
                        corpus::info(user.opcode).spelling)};
  }

  Fault ofUses(const Operand &value) const {
    const auto uses =
        std::count(target_.operands.begin(), target_.operands.end(), value);
    return {fmt::format("freeze {}", checker::toString(bug_.verdict.kind)),
            uses > 1 ? "uses a value more than once that may be undef or "
                       "poison, without `freeze`"
                     : "takes a value that may be undef or poison where the "
                       "source has another, without `freeze`"};
  }

  /// What stands for the result of an instruction that is left out: its first
  /// operand where that is of the type, else 0; or 0 wherever it can.
  enum class Instead : std::uint8_t { operand, zero };

  /// A program without an instruction that is more than its result.
  static std::optional<Program> without(const Program &program,
                                        std::size_t index, Instead instead) {
    Program out = program;
    const Instruction &instruction = program.instructions[index];
    const corpus::OpcodeInfo &row = corpus::info(instruction.opcode);
    if (row.isTerminator() || !row.has(mayBeUndefined))
      return std::nullopt;
    if (!instruction.type.isVoid()) {
      const auto operands = program.operandsOf(instruction);
      const bool handsOn = instead == Instead::operand && !operands.empty() &&
                           operands[0].type == instruction.type;
      if (!handsOn && !instruction.type.isInteger())
        return std::nullopt;
      const Operand by =
          handsOn ? operands[0] : Operand::constant(instruction.type, 0);
      std::replace(out.operands.begin(), out.operands.end(),
                   Operand::instruction(instruction.type, index), by);
    }
    out = corpus::withoutInstruction(out, index);
    if (corpus::verify(out))
      return std::nullopt;
    return out;
  }

  /// One that is undefined; or all of them are, the first stands for the rest.
  /// What stands instead of it may lead to where the source never comes.
  std::optional<Fault> ofUndefined() {
    for (const Instead instead : {Instead::operand, Instead::zero})
      if (auto fault = ofUndefined(instead))
        return fault;
    return std::nullopt;
  }
  std::optional<Fault> ofUndefined(Instead instead) {
    const Instruction *first = nullptr;
    Program none = target_;
    for (std::size_t i = target_.instructions.size(); i-- > 0;) {
      const auto harmless = without(target_, i, instead);
      if (!harmless)
        continue;
      if (kindOf(*harmless) != Kind::moreUb)
        return ofGuard(target_.instructions[i]);
      // From the last one on, so that the numbers before it stay.
      if (auto fewer = without(none, i, instead)) {
        none = std::move(*fewer);
        first = &target_.instructions[i];
      }
    }
    if (first == nullptr || kindOf(none) == Kind::moreUb)
      return std::nullopt;
    return ofGuard(*first);
  }

  /// What may not be written is no matter of who writes it.
  Fault ofGuard(const Instruction &instruction) {
    if (source_.isStraightLine() && isOfLifetime())
      return {"guard lifetime",
              fmt::format("makes {} access an alloca outside its lifetime",
                          quoted(target_, instruction))};
    const bool isWrite =
        instruction.opcode != Opcode::call &&
        corpus::info(instruction.opcode).has(corpus::trait::writesMemory);
    return {fmt::format("guard {}",
                        isWrite ? "write" : classOf(instruction.opcode)),
            guardWords(instruction)};
  }

  /// Whether the target is fine where every alloca is alive.
  bool isOfLifetime() {
    Program alive = target_;
    for (std::size_t i = target_.instructions.size(); i-- > 0;)
      if (corpus::info(target_.instructions[i].opcode).shape ==
          corpus::Shape::intrinsicLifetime)
        alive = corpus::withoutInstruction(alive, i);
    return alive.instructions.size() < target_.instructions.size() &&
           kindOf(alive) != Kind::moreUb;
  }

  /// Whether the target is the source without some instructions, whatever it
  /// says of those that stay.
  bool onlyDrops() const {
    if (!source_.isStraightLine() || !target_.isStraightLine())
      return false;
    std::vector<std::optional<std::uint64_t>> kept(source_.instructions.size());
    const auto isSame = [&](const Instruction &before,
                            const Instruction &after) {
      constexpr std::string_view copy = "copy";
      if ((before.opcode != after.opcode &&
           (classOf(before.opcode) != copy || classOf(after.opcode) != copy)) ||
          before.type != after.type ||
          before.operandCount != after.operandCount)
        return false;
      for (std::size_t i = 0; i < before.operandCount; ++i) {
        const Operand &from = source_.operandsOf(before)[i];
        const Operand &to = target_.operandsOf(after)[i];
        if (from.is(Operand::Kind::instruction)
                ? !to.is(Operand::Kind::instruction) ||
                      kept[from.payload] != to.payload
                : from != to)
          return false;
      }
      return true;
    };
    std::size_t next = 0;
    for (std::size_t i = 0; i < source_.instructions.size(); ++i)
      if (next < target_.instructions.size() &&
          isSame(source_.instructions[i], target_.instructions[next]))
        kept[i] = next++;
    return next == target_.instructions.size();
  }

  std::string guardWords(const Instruction &instruction) const {
    const std::string what = quoted(target_, instruction);
    if (source_.isStraightLine())
      return fmt::format("makes {} undefined where the source is not", what);
    const std::string outcome =
        bug_.verdict.witness ? bug_.verdict.witness->sourceOutcome : "";
    const auto says = [&](std::string_view text) {
      return outcome.find(text) != std::string::npos;
    };
    return fmt::format("speculates {} past {}", what,
                       says("forever") ? "a loop that may not end"
                       : says("call")  ? "a call that may not return"
                                       : "a branch");
  }

  using Accesses = std::multimap<std::string_view, const Instruction *>;

  /// Accesses of a program, other than calls, that another one has not, by
  /// class.
  static Accesses accessesWithout(const Program &program,
                                  const Program &other) {
    const auto isAccess = [](const Instruction &each) {
      return each.opcode != Opcode::call &&
             corpus::info(each.opcode).has(corpus::trait::accessesMemory);
    };
    Accesses accesses;
    for (const Instruction &each : program.instructions)
      if (isAccess(each))
        accesses.emplace(classOf(each.opcode), &each);
    for (const Instruction &each : other.instructions)
      if (const auto same = accesses.find(classOf(each.opcode));
          isAccess(each) && same != accesses.end())
        accesses.erase(same);
    return accesses;
  }

  static std::string textOf(const Program &program, const Accesses &accesses) {
    std::set<std::string> texts;
    for (const auto &[name, instruction] : accesses)
      texts.insert(quoted(program, *instruction));
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  /// What became of the writes of the source; nothing where they are as many.
  /// Where what they leave is poison or undef, callees and readers see it
  /// alike; and of dropping what writes such, it is no matter which it is.
  /// `kind`: of what they leave, which may be UB only where it is used.
  std::optional<Fault> ofWrites(Kind kind) const {
    Accesses gone = accessesWithout(source_, target_);
    const Accesses made = accessesWithout(target_, source_);
    const auto isNoWrite = [](const Accesses::value_type &each) {
      return !corpus::info(each.second->opcode)
                  .has(corpus::trait::writesMemory);
    };
    if (std::all_of(gone.begin(), gone.end(), isNoWrite) &&
        std::all_of(made.begin(), made.end(), isNoWrite))
      return std::nullopt;
    // Loads that only the dropped writes needed are no matter.
    if (made.empty())
      std::erase_if(gone, isNoWrite);
    const auto keysOf = [](const Accesses &accesses) {
      std::set<std::string_view> keys;
      for (const auto &[name, instruction] : accesses)
        keys.insert(name);
      return fmt::format("{}", fmt::join(keys, ", "));
    };
    const bool isMerelyLess = kind == Kind::morePoison ||
                              kind == Kind::moreUndef || kind == Kind::calls;
    if (made.empty())
      return Fault{isMerelyLess ? "poison drops"
                   : kind == Kind::moreUb
                       ? "more-ub drops"
                       : fmt::format("{} drops {}", checker::toString(kind),
                                     keysOf(gone)),
                   fmt::format("drops {}", textOf(source_, gone))};
    return Fault{fmt::format("{} writes {} -> {}",
                             isMerelyLess ? "poison" : checker::toString(kind),
                             keysOf(gone), keysOf(made)),
                 gone.empty()
                     ? fmt::format("adds {}", textOf(target_, made))
                     : fmt::format("makes {} of {}", textOf(target_, made),
                                   textOf(source_, gone))};
  }

  /// Of scalars that became vectors: the last operation of which there are more
  /// lanes than the source has instructions, so that other ones became it.
  std::optional<Fault> ofLanes() const {
    const auto computesLanes = [](const Instruction &each) {
      return each.type.isVector() && each.opcode != Opcode::insertelement;
    };
    if (std::any_of(source_.instructions.begin(), source_.instructions.end(),
                    computesLanes))
      return std::nullopt;
    const auto lanesOf = [](const Program &program) {
      std::map<Opcode, std::size_t> lanes;
      for (const Instruction &each : program.instructions)
        lanes[each.opcode] += each.type.isVector() ? each.type.lanes() : 1;
      return lanes;
    };
    auto before = lanesOf(source_);
    auto after = lanesOf(target_);
    std::optional<Fault> fault;
    for (const Instruction &each : target_.instructions)
      if (corpus::info(each.opcode).shape == corpus::Shape::binary &&
          each.type.isVector() && before[each.opcode] < after[each.opcode])
        fault = {
            fmt::format("lanes {}", corpus::info(each.opcode).spelling),
            fmt::format("makes {} of other operations", quoted(target_, each))};
    return fault;
  }

  /// No single change helps.
  Fault ofKind() const {
    if (auto fault = ofLanes())
      return *std::move(fault);
    const bool sameFlow = source_.blocks.size() == target_.blocks.size();
    if (!sameFlow)
      return {flowKeyOf(bug_.kind), valueWords(), flowKeyOf(kinOf(bug_.kind))};
    if (auto fault = ofWrites(bug_.verdict.kind))
      return *std::move(fault);
    return {keyOf(bug_.kind, source_, classOf), valueWords(),
            keyOf(kinOf(bug_.kind), source_, kinOf)};
  }

  /// The value that the target returns, against that of the source.
  std::string valueWords() const {
    if (bug_.kind < Kind::morePoison)
      return std::string(titleOf(bug_.kind));
    const auto isPhi = [&](const Operand &operand) {
      return operand.is(Operand::Kind::instruction) &&
             target_.instructions[operand.payload].opcode == Opcode::phi;
    };
    for (std::size_t b = 0;
         b < std::min(source_.blocks.size(), target_.blocks.size()); ++b) {
      const auto returned = [b](const Program &program) {
        const Instruction &last =
            program.instructions[program.blocks[b].end - 1];
        const auto operands = program.operandsOf(last);
        return last.opcode == Opcode::ret && !operands.empty()
                   ? std::optional(operands[0])
                   : std::nullopt;
      };
      const auto before = returned(source_);
      const auto after = returned(target_);
      if (!before || !after || !before->is(Operand::Kind::instruction))
        continue;
      const Instruction &computed = source_.instructions[before->payload];
      if (after->isLiteral())
        return fmt::format("folds {} to a constant that it is not",
                           quoted(source_, computed));
      if (after->is(Operand::Kind::argument))
        return fmt::format("folds {} to an operand that it is not",
                           quoted(source_, computed));
      const Instruction &made = target_.instructions[after->payload];
      if (isPhi(*after))
        continue;
      if (made.opcode != computed.opcode)
        return fmt::format("makes {} of {}", quoted(target_, made),
                           quoted(source_, computed));
      return fmt::format("makes another {}", quoted(source_, computed));
    }
    for (const Instruction &each : target_.instructions)
      if (each.opcode == Opcode::ret &&
          std::any_of(target_.operandsOf(each).begin(),
                      target_.operandsOf(each).end(), isPhi))
        return "lets a wrong value into a `phi`";
    return std::string(titleOf(bug_.kind));
  }

  const Bug &bug_;
  const Program &source_;
  const Program &target_;
  const checker::Semantics semantics_;
  checker::Checker &checker_;
  const checker::Engine engine_;
  unsigned undecided_ = 0;
};

} // namespace

Fault faultOf(const Bug &bug, checker::Checker &checker,
              checker::Engine engine) {
  switch (bug.kind) {
  case Kind::crash:
    return {fmt::format("crash {}", bug.detail.substr(
                                        0, bug.detail.find(runner::notAgain))),
            fmt::format("crashes: {}", bug.detail)};
  case Kind::hang:
    return {bug.id, "does not finish"};
  case Kind::invalid:
    // The verifier goes on about it in further lines.
    return {bug.id, fmt::format("makes invalid IR: {}",
                                bug.detail.substr(0, bug.detail.find('\n')))};
  case Kind::nondeterministic:
    return {bug.id, "gives another output from run to run"};
  default:
    assert(bug.target);
    return FaultFinder(bug, checker, engine).run();
  }
}

} // namespace reports
