// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/triage/signature.h"

#include "corpus/program/canonical.h"
#include "corpus/program/encode.h"
#include "reports/triage/flow.h"
#include "runner/pass_names.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace reports {
namespace {

using corpus::Instruction;
using corpus::Operand;
using corpus::Program;

/// Both operands compute the same from the same arguments.
bool sameValue(const Program &source, const Operand &u, const Program &target,
               const Operand &w) {
  if (!u.is(Operand::Kind::instruction) || !w.is(Operand::Kind::instruction))
    return u == w;
  const Instruction &a = source.instructions[u.payload];
  const Instruction &b = target.instructions[w.payload];
  if (a.opcode != b.opcode || a.flags != b.flags ||
      a.predicate != b.predicate || a.type != b.type ||
      a.opcode == corpus::Opcode::phi || a.opcode == corpus::Opcode::call ||
      a.attributes != Instruction::noAttributes ||
      b.attributes != Instruction::noAttributes)
    return false;
  const auto x = source.operandsOf(a);
  const auto y = target.operandsOf(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [&](const Operand &left, const Operand &right) {
                      return sameValue(source, left, target, right);
                    });
}

bool isRanged(const corpus::Parameter &parameter) {
  return parameter.attributes.has(corpus::attribute::range);
}

class CoreFinder {
public:
  CoreFinder(std::pair<Program, Program> pair, checker::Kind kind,
             const checker::Semantics &semantics, checker::Checker &checker)
      : pair_(std::move(pair)), kind_(kind), semantics_(semantics),
        checker_(checker) {}

  Core run() {
    while (!isFact_ &&
           (returnOneTwin() || dropOneUnused() || returnOneCondition() ||
            peelOne() || bareOne() || cutOne() || dropOneFlag())) {
    }
    return {pair_.first, pair_.second, kind_, isFact_};
  }

private:
  enum class MayChangeKind : std::uint8_t { no, yes };

  /// Takes the pair if it is still wrong.
  bool accept(const Program &source, const Program &target,
              MayChangeKind mayChange = MayChangeKind::no) {
    const Program liveSource = corpus::withoutDeadInstructions(source);
    const Program liveTarget = corpus::withoutDeadInstructions(target);
    if (corpus::verify(liveSource) || corpus::verify(liveTarget))
      return false;
    const checker::Verdict verdict = checker_.check(
        liveSource, liveTarget, semantics_, checker::WantWitness::no);
    if (verdict.word != checker::VerdictWord::wrong ||
        (mayChange == MayChangeKind::no && verdict.kind != kind_))
      return false;
    kind_ = verdict.kind;
    pair_ = corpus::canonicalPair(liveSource, liveTarget);
    return true;
  }

  static bool isUnused(const Program &program, std::size_t index) {
    const Instruction &instruction = program.instructions[index];
    return instruction.type.isInteger() &&
           instruction.opcode != corpus::Opcode::call &&
           std::find(program.operands.begin(), program.operands.end(),
                     Operand::instruction(instruction.type, index)) ==
               program.operands.end();
  }

  /// A division or select that nothing uses any more, on both sides where the
  /// target has it too.
  bool dropOneUnused() {
    const auto &[source, target] = pair_;
    for (std::size_t i = 0; i < source.instructions.size(); ++i) {
      if (!isUnused(source, i))
        continue;
      const corpus::Type type = source.instructions[i].type;
      Program newTarget = target;
      for (std::size_t j = 0; j < target.instructions.size(); ++j)
        if (isUnused(target, j) &&
            sameValue(source, Operand::instruction(type, i), target,
                      Operand::instruction(target.instructions[j].type, j))) {
          newTarget = corpus::withoutInstruction(target, j);
          break;
        }
      if (accept(corpus::withoutInstruction(source, i), newTarget))
        return true;
    }
    for (std::size_t j = 0; j < target.instructions.size(); ++j)
      if (isUnused(target, j) &&
          accept(source, corpus::withoutInstruction(target, j)))
        return true;
    return false;
  }

  /// The straight line that computes `value` and nothing else: a division that
  /// nothing uses would still be UB.
  static Program returning(const Program &program, const Operand &value) {
    Program out = program;
    out.operands.resize(out.instructions.back().firstOperand);
    out.instructions.pop_back();
    if (out.signature.returnType != value.type)
      out.signature.result = {};
    out.signature.returnType = value.type;
    out.append(corpus::Opcode::ret, corpus::Type(), {value});
    for (std::size_t i = out.instructions.size() - 1; i-- > 0;) {
      const Operand result = Operand::instruction(out.instructions[i].type, i);
      if (std::find(out.operands.begin(), out.operands.end(), result) ==
          out.operands.end())
        out = corpus::withoutInstruction(out, i);
    }
    return out;
  }

  bool areStraightLines() const {
    return pair_.first.isStraightLine() && pair_.second.isStraightLine();
  }

  /// The same operation on the same values, with other flags: returns these, if
  /// the flags are wrong whatever becomes of the result.
  bool returnOneTwin() {
    if (!areStraightLines())
      return false;
    const auto &[source, target] = pair_;
    for (std::size_t i = 0; i < source.instructions.size(); ++i)
      for (std::size_t j = 0; j < target.instructions.size(); ++j) {
        const Instruction &a = source.instructions[i];
        const Instruction &b = target.instructions[j];
        const bool isLast = i + 2 == source.instructions.size();
        if (isLast || a.flags == b.flags)
          continue;
        Program sameFlags = target;
        sameFlags.instructions[j].flags = a.flags;
        const Operand u = Operand::instruction(a.type, i);
        const Operand w = Operand::instruction(b.type, j);
        if (sameValue(source, u, sameFlags, w) &&
            accept(returning(source, u), returning(target, w),
                   MayChangeKind::yes))
          return true;
      }
    return false;
  }

  /// Both sides return the same operation: returns one operand of each instead.
  bool peelOne() {
    if (!areStraightLines() || pair_.first.signature.returnType.isVoid())
      return false;
    const auto &[source, target] = pair_;
    const Operand u = source.operands.back();
    const Operand w = target.operands.back();
    if (!u.is(Operand::Kind::instruction) || !w.is(Operand::Kind::instruction))
      return false;
    const Instruction &a = source.instructions[u.payload];
    const Instruction &b = target.instructions[w.payload];
    if (a.opcode != b.opcode || a.operandCount != b.operandCount)
      return false;
    for (const Operand &x : source.operandsOf(a))
      for (const Operand &y : target.operandsOf(b))
        if (x.type == y.type && x.type.isInteger() && isContext(a, x, b, y) &&
            accept(returning(source, x), returning(target, y),
                   MayChangeKind::yes))
          return true;
    return false;
  }

  /// All operands but x and y pair up: the operation itself is not the
  /// difference.
  bool isContext(const Instruction &a, const Operand &x, const Instruction &b,
                 const Operand &y) const {
    if (a.flags != b.flags || a.predicate != b.predicate)
      return false;
    std::vector<const Operand *> left;
    for (const Operand &operand : pair_.second.operandsOf(b))
      if (&operand != &y)
        left.push_back(&operand);
    for (const Operand &operand : pair_.first.operandsOf(a)) {
      if (&operand == &x)
        continue;
      const auto same =
          std::find_if(left.begin(), left.end(), [&](const Operand *other) {
            return sameValue(pair_.first, operand, pair_.second, *other);
          });
      if (same == left.end())
        return false;
      left.erase(same);
    }
    return true;
  }

  /// Both sides branch, by values that differ: returns these instead. Where
  /// both compute them, the way there says nothing.
  bool returnOneCondition() {
    for (const Program &source : conditionsReturned(pair_.first))
      for (const Program &target : conditionsReturned(pair_.second)) {
        if (source.signature.returnType != target.signature.returnType)
          continue;
        const bool areComputed =
            source.operands.back().is(Operand::Kind::instruction) &&
            target.operands.back().is(Operand::Kind::instruction);
        if (areComputed ? accept(withBlocksFolded(source),
                                 withBlocksFolded(target), MayChangeKind::yes)
                        : accept(source, target, MayChangeKind::yes))
          return true;
      }
    return false;
  }

  using Pair = std::pair<Program, Program>;

  /// Both sides with a value that they share made an argument; nothing where
  /// the target does not have it.
  std::optional<Pair> cut(const Operand &value) const {
    const auto &[source, target] = pair_;
    Pair result(source, target);
    const Operand argument = result.first.addParameter(value.type);
    result.second.addParameter(value.type);
    std::replace(result.first.operands.begin(), result.first.operands.end(),
                 value, argument);
    bool found = false;
    for (Operand &operand : result.second.operands)
      if (sameValue(source, value, target, operand)) {
        operand = argument;
        found = true;
      }
    return found ? std::optional(std::move(result)) : std::nullopt;
  }

  /// A value that both sides compute becomes an argument of both; the largest,
  /// which stands last, first.
  bool cutOne() {
    return anyResult([&](const Operand &value) {
      const auto pair = cut(value);
      return pair && accept(pair->first, pair->second);
    });
  }

  /// Whether `visit` says yes to a result of the source; from the last one.
  template <typename Visitor> bool anyResult(Visitor &&visit) {
    for (std::size_t i = pair_.first.instructions.size(); i-- > 0;) {
      const corpus::Type type = pair_.first.instructions[i].type;
      if (type.isInteger() && visit(Operand::instruction(type, i)))
        return true;
    }
    return false;
  }

  /// A value that both sides compute only matters for what the optimizer knows
  /// of it. Either the change is wrong for anything of which the same is known,
  /// or what is known of it is wrong.
  bool bareOne() {
    return anyResult([&](const Operand &value) {
             auto pair = cut(value);
             if (!pair)
               return false;
             const auto range = rangeOf(pair_.first, value);
             if (!range)
               return false;
             for (Program *program : {&pair->first, &pair->second})
               program->signature.parameters.back().attributes = *range;
             return bare(*pair) || blame(value, *pair, *range);
           }) ||
           bareConstant();
  }

  /// Beside such an argument, a constant of the source is one more.
  bool bareConstant() {
    const auto &parameters = pair_.first.signature.parameters;
    if (std::none_of(parameters.begin(), parameters.end(), isRanged))
      return false;
    for (const Instruction &instruction : pair_.first.instructions) {
      if (corpus::info(instruction.opcode).shape != corpus::Shape::binary)
        continue;
      for (const Operand &value : pair_.first.operandsOf(instruction)) {
        if (!value.is(Operand::Kind::constant))
          continue;
        auto pair = cut(value);
        if (!pair)
          continue;
        const corpus::Attributes range(corpus::attribute::range, value.payload,
                                       (value.payload + 1) & value.type.mask());
        for (Program *program : {&pair->first, &pair->second})
          program->signature.parameters.back().attributes = range;
        if (bare(*pair))
          return true;
      }
    }
    return false;
  }

  /// Takes a pair that is wrong only because an input is not one number.
  bool bare(const Pair &pair) {
    checker::Semantics simpler = semantics_;
    if (simpler.inputs == checker::Inputs::defined)
      return false;
    simpler.inputs = simpler.inputs == checker::Inputs::poison
                         ? checker::Inputs::defined
                         : checker::Inputs::poison;
    return word(pair, simpler) == checker::VerdictWord::refines &&
           accept(pair.first, pair.second);
  }

  /// Takes the claim that `value` is in its range, if that explains the pair.
  bool blame(const Operand &value, const Pair &pair,
             const corpus::Attributes &range) {
    if (!pair_.first.isStraightLine() ||
        word(pair, semantics_) != checker::VerdictWord::refines)
      return false;
    const Program provider = returning(pair_.first, value);
    Program claim = provider;
    claim.signature.result = range;
    isFact_ = accept(provider, claim, MayChangeKind::yes);
    return isFact_;
  }

  checker::VerdictWord word(const Pair &pair,
                            const checker::Semantics &semantics) {
    return checker_
        .check(pair.first, pair.second, semantics, checker::WantWitness::no)
        .word;
  }

  /// The smallest range that holds every number that `value` can be on defined
  /// inputs; nothing where it is too wide to try them all.
  std::optional<corpus::Attributes> rangeOf(const Program &program,
                                            const Operand &value) {
    constexpr unsigned widest = 4;
    if (!program.isStraightLine() || !value.type.isInteger() ||
        value.type.width() > widest)
      return std::nullopt;
    const Program provider = returning(program, value);
    checker::Semantics defined = semantics_;
    defined.inputs = checker::Inputs::defined;
    const std::uint64_t mask = value.type.mask();
    for (std::uint64_t size = 1; size <= mask; ++size)
      for (std::uint64_t low = 0; low <= mask; ++low) {
        Program claim = provider;
        const corpus::Attributes range(corpus::attribute::range, low,
                                       (low + size) & mask);
        claim.signature.result = range;
        if (word({provider, claim}, defined) == checker::VerdictWord::refines)
          return range;
      }
    return corpus::Attributes();
  }

  /// A flag of the target without which the pair is wrong all the same.
  bool dropOneFlag() {
    const auto &[source, target] = pair_;
    for (std::size_t i = 0; i < target.instructions.size(); ++i)
      for (const corpus::FlagInfo &row : corpus::flagTable) {
        if (!target.instructions[i].flags.has(row.flag))
          continue;
        Program newTarget = target;
        corpus::Flags &flags = newTarget.instructions[i].flags;
        flags = flags.without(row.flag);
        if (accept(source, newTarget))
          return true;
      }
    return false;
  }

  Pair pair_;
  checker::Kind kind_;
  bool isFact_ = false;
  const checker::Semantics &semantics_;
  checker::Checker &checker_;
};

std::string shortDigest(const corpus::Bytes &bytes) {
  constexpr std::size_t digits = 12;
  return corpus::toString(corpus::digestOf(bytes)).substr(0, digits);
}

std::string idOf(std::string_view pass, checker::Kind kind,
                 corpus::Bytes rest) {
  const std::string head =
      fmt::format("{}/{}/", canonicalPass(pass), checker::toString(kind));
  rest.insert(rest.begin(), head.begin(), head.end());
  return shortDigest(rest);
}

/// Its own attributes, and not those of its calls, removed.
Program withoutAttributes(const Program &program) {
  Program out = program;
  out.signature.function = {};
  out.signature.result = {};
  for (corpus::Parameter &parameter : out.signature.parameters)
    parameter.attributes = {};
  return out;
}

/// Without the ranges of arguments, which are constants.
Program withoutRanges(const Program &program) {
  Program out = program;
  for (corpus::Parameter &parameter : out.signature.parameters)
    if (isRanged(parameter))
      parameter.attributes = {};
  return out;
}

/// Which attributes the target has and the source has not; their ranges are
/// constants and do not count. Nothing where more than attributes differ.
std::optional<corpus::Bytes> addedAttributes(const Core &core) {
  if (withoutAttributes(core.source) != withoutAttributes(core.target))
    return std::nullopt;
  std::uint32_t onParameters = 0;
  const auto added = [](const corpus::Attributes &before,
                        const corpus::Attributes &after) {
    return before == after ? 0 : after.bits & ~before.bits;
  };
  const corpus::Signature &before = core.source.signature;
  const corpus::Signature &after = core.target.signature;
  for (std::size_t i = 0; i < before.parameters.size(); ++i)
    onParameters |=
        added(before.parameters[i].attributes, after.parameters[i].attributes);
  const std::string text =
      fmt::format("{}/{}/{}", added(before.function, after.function),
                  added(before.result, after.result), onParameters);
  return corpus::Bytes(text.begin(), text.end());
}

} // namespace

Core coreOf(const Program &source, const Program &target, checker::Kind kind,
            const checker::Semantics &semantics, checker::Checker &checker) {
  return CoreFinder(corpus::canonicalPair(source, target), kind, semantics,
                    checker)
      .run();
}

std::string_view canonicalPass(std::string_view pass) {
  return runner::passNameIn(pass.substr(0, pass.find('<')));
}

std::string signatureOf(std::string_view pass, const Core &core) {
  if (auto attributes = addedAttributes(core); attributes && !core.isFact)
    return idOf(pass, core.kind, std::move(*attributes));
  const auto form = corpus::abstractPair(withoutRanges(core.source),
                                         withoutRanges(core.target));
  corpus::Bytes bytes = corpus::encode(form.first);
  corpus::encode(form.second, bytes);
  return idOf(pass, core.kind, std::move(bytes));
}

std::string exactSignatureOf(std::string_view pass, checker::Kind kind,
                             const Program &source, const Program &target) {
  const auto form = corpus::canonicalPair(source, target);
  corpus::Bytes bytes = corpus::encode(form.first);
  corpus::encode(form.second, bytes);
  return idOf(pass, kind, std::move(bytes));
}

std::string signatureOf(std::string_view pass, checker::Kind kind,
                        std::string_view detail) {
  return idOf(pass, kind, corpus::Bytes(detail.begin(), detail.end()));
}

std::string rootOf(std::string_view pass, std::string_view fault) {
  const std::string text =
      fmt::format("root/{}/{}", canonicalPass(pass), fault);
  return shortDigest(corpus::Bytes(text.begin(), text.end()));
}

} // namespace reports
