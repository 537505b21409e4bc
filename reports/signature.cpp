// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/signature.h"

#include "corpus/program/canonical.h"
#include "corpus/program/encode.h"

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

class CoreFinder {
public:
  CoreFinder(std::pair<Program, Program> pair, checker::Kind kind,
             const checker::Semantics &semantics, checker::Checker &checker)
      : pair_(std::move(pair)), kind_(kind), semantics_(semantics),
        checker_(checker) {}

  Core run() {
    while (peelOne() || returnOneTwin() || cutOne() || dropOneFlag()) {
    }
    return {pair_.first, pair_.second, kind_};
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

  /// The straight line that computes `value` and nothing else: a division that
  /// nothing uses would still be UB.
  static Program returning(const Program &program, const Operand &value) {
    Program out = program;
    out.operands.back() = value;
    if (out.signature.returnType != value.type)
      out.signature.result = {};
    out.signature.returnType = value.type;
    for (std::size_t i = out.instructions.size() - 1; i-- > 0;) {
      const Operand result = Operand::instruction(out.instructions[i].type, i);
      if (std::find(out.operands.begin(), out.operands.end(), result) ==
          out.operands.end())
        out = corpus::withoutInstruction(out, i);
    }
    return out;
  }

  bool areStraightLines() const {
    return pair_.first.isStraightLine() && pair_.second.isStraightLine() &&
           !pair_.first.signature.returnType.isVoid();
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
    if (!areStraightLines())
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

  /// A value that both sides compute becomes an argument of both; the largest,
  /// which stands last, first.
  bool cutOne() {
    const auto &[source, target] = pair_;
    for (std::size_t i = source.instructions.size(); i-- > 0;) {
      const corpus::Type type = source.instructions[i].type;
      if (!type.isInteger())
        continue;
      const Operand u = Operand::instruction(type, i);
      Program newSource = source;
      Program newTarget = target;
      const Operand argument = newSource.addParameter(type);
      newTarget.addParameter(type);
      std::replace(newSource.operands.begin(), newSource.operands.end(), u,
                   argument);
      bool found = false;
      for (Operand &operand : newTarget.operands)
        if (operand.is(Operand::Kind::instruction) &&
            sameValue(source, u, target, operand)) {
          operand = argument;
          found = true;
        }
      if (found && accept(newSource, newTarget))
        return true;
    }
    return false;
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

  std::pair<Program, Program> pair_;
  checker::Kind kind_;
  const checker::Semantics &semantics_;
  checker::Checker &checker_;
};

std::string idOf(std::string_view pass, checker::Kind kind,
                 corpus::Bytes rest) {
  const std::string head =
      fmt::format("{}/{}/", passWithoutOptions(pass), checker::toString(kind));
  rest.insert(rest.begin(), head.begin(), head.end());
  constexpr std::size_t digits = 12;
  return corpus::toString(corpus::digestOf(rest)).substr(0, digits);
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

std::string_view passWithoutOptions(std::string_view pass) {
  return pass.substr(0, pass.find('<'));
}

std::string signatureOf(std::string_view pass, const Core &core) {
  if (auto attributes = addedAttributes(core))
    return idOf(pass, core.kind, std::move(*attributes));
  const auto form = corpus::abstractPair(core.source, core.target);
  corpus::Bytes bytes = corpus::encode(form.first);
  corpus::encode(form.second, bytes);
  return idOf(pass, core.kind, std::move(bytes));
}

std::string signatureOf(std::string_view pass, checker::Kind kind,
                        std::string_view detail) {
  return idOf(pass, kind, corpus::Bytes(detail.begin(), detail.end()));
}

} // namespace reports
