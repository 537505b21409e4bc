// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/vocabulary.h"

#include <algorithm>
#include <cassert>

namespace enumerate {

using corpus::Flags;
using corpus::Opcode;
using corpus::OpcodeInfo;
using corpus::Predicate;
using corpus::Shape;
using corpus::Type;

std::span<const VocabularyInfo> vocabularyTable() {
  using enum Opcode;
  static const std::vector<VocabularyInfo> table = {
      {"core",
       "binary operators, icmp, select, freeze, casts",
       {add, sub, mul, udiv, sdiv, urem, srem, shl, lshr, ashr, and_, or_, xor_,
        icmp, Opcode::select, freeze, zext, sext, trunc}},
      {"modern", "disjoint, nneg, samesign, trunc nuw/nsw", {}},
      {"minmax", "smin smax umin umax abs", {smin, smax, umin, umax, abs}},
      {"bits",
       "ctpop ctlz cttz bitreverse, bswap where W % 16 = 0",
       {ctpop, ctlz, cttz, bitreverse, bswap}},
      {"sat",
       "sadd uadd ssub usub sshl ushl with saturation",
       {saddSat, uaddSat, ssubSat, usubSat, sshlSat, ushlSat}},
      {"funnel", "fshl fshr", {fshl, fshr}},
      {"overflow",
       "the with.overflow intrinsics; their results are free",
       {saddOverflow, uaddOverflow, ssubOverflow, usubOverflow, smulOverflow,
        umulOverflow}},
      {"cmp", "scmp ucmp, W >= 2", {scmp, ucmp}},
  };
  return table;
}

namespace {

constexpr unsigned oldestRelease = 13;

/// All sets of flags that `info` allows, in ascending order of their bits;
/// those that came later than release 13 and the opcode are `modern`.
std::vector<Flags> flagSets(const OpcodeInfo &info, bool modern) {
  const unsigned since = std::max(oldestRelease, info.since);
  std::vector<Flags> sets;
  for (unsigned bits = 0; bits <= info.allowedFlags.bits(); ++bits) {
    const Flags flags(static_cast<std::uint8_t>(bits));
    if (info.allowedFlags.has(flags) &&
        (modern || corpus::flagsSince(info.opcode, flags) <= since))
      sets.push_back(flags);
  }
  return sets;
}

/// Adds templates to the groups they belong to.
class Collector {
public:
  explicit Collector(const Vocabulary &vocabulary) : vocabulary_(vocabulary) {}

  void addOpcode(const OpcodeInfo &info) {
    if (info.shape == Shape::call)
      addCall(info, {});
    for (unsigned width : vocabulary_.widths)
      addType(info, width);
  }

  std::vector<TemplateGroup> take() { return std::move(groups_); }

private:
  /// `width` is that of the first operand, or of the arms of a select.
  void addType(const OpcodeInfo &info, unsigned width) {
    const Type t = Type::integer(width);
    const Type i1 = Type::integer(1);
    const bool arithmetic = vocabulary_.isArithmetic(width);
    switch (info.shape) {
    case Shape::binary: {
      const bool bitwise = info.opcode == Opcode::and_ ||
                           info.opcode == Opcode::or_ ||
                           info.opcode == Opcode::xor_;
      if (arithmetic || bitwise)
        add(info, {t, t}, t);
      break;
    }
    case Shape::compare:
      if (arithmetic)
        for (const corpus::PredicateInfo &predicate : corpus::predicateTable)
          add(info, {t, t}, i1, predicate.predicate);
      break;
    case Shape::select:
      add(info, {i1, t, t}, t);
      break;
    case Shape::unary:
      add(info, {t}, t);
      break;
    case Shape::widen:
    case Shape::narrow:
      for (unsigned result : vocabulary_.widths)
        if (info.shape == Shape::widen ? result > width : result < width)
          add(info, {t}, Type::integer(result));
      break;
    case Shape::intrinsicUnary:
      if (arithmetic && (info.opcode != Opcode::bswap || width % 16 == 0))
        add(info, {t}, t);
      break;
    case Shape::intrinsicUnaryWithFlag:
      for (std::uint8_t immediate : {0, 1})
        if (arithmetic)
          add(info, {t}, t, Predicate::eq, immediate);
      break;
    case Shape::intrinsicBinary:
      if (arithmetic)
        add(info, {t, t}, t);
      break;
    case Shape::intrinsicTernary:
      if (arithmetic)
        add(info, {t, t, t}, t);
      break;
    case Shape::intrinsicOverflow:
      if (arithmetic)
        for (std::uint8_t extracts : {1, 2, 3})
          addOverflow(info, t, extracts);
      break;
    case Shape::intrinsicThreeWay:
      for (unsigned result : vocabulary_.widths)
        if (arithmetic && result >= 2)
          add(info, {t, t}, Type::integer(result));
      break;
    case Shape::phi:
      groups_.push_back({{},
                         {t},
                         0,
                         false,
                         true,
                         std::nullopt,
                         {{info.opcode, corpus::flag::none, Predicate::eq, t,
                           std::nullopt}}});
      break;
    case Shape::call:
      addCall(info, {t});
      break;
    case Shape::intrinsicAssume:
    case Shape::extract:
    case Shape::terminator:
      assert(false && "no vocabulary has this opcode");
      break;
    }
  }

  void add(const OpcodeInfo &info, std::vector<Type> operands, Type result,
           Predicate predicate = Predicate::eq,
           std::optional<std::uint8_t> immediate = std::nullopt) {
    TemplateGroup &group = groupOf(std::move(operands), {result}, 0,
                                   info.opcode == Opcode::freeze);
    for (Flags flags : flagSets(info, vocabulary_.modern))
      group.templates.push_back(
          {info.opcode, flags, predicate, result, immediate});
  }

  void addOverflow(const OpcodeInfo &info, Type t, std::uint8_t extracts) {
    std::vector<Type> results;
    if (extracts & 1)
      results.push_back(t);
    if (extracts & 2)
      results.push_back(Type::integer(1));
    groupOf({t, t}, std::move(results), extracts, false)
        .templates.push_back({info.opcode, corpus::flag::none, Predicate::eq,
                              Type::overflowPair(t.width()), std::nullopt});
  }

  /// A call to `@use` with these parameters, at most one.
  void addCall(const OpcodeInfo &info, std::vector<Type> parameters) {
    corpus::Callee callee;
    callee.name = "use";
    for (Type parameter : parameters) {
      callee.name += "_" + corpus::toString(parameter);
      callee.signature.parameters.push_back({parameter, {}});
    }
    if (vocabulary_.calls == Calls::willReturn)
      callee.signature.function.bits =
          corpus::attribute::willreturn | corpus::attribute::nounwind;
    groups_.push_back({std::move(parameters),
                       {},
                       0,
                       false,
                       false,
                       std::move(callee),
                       {{info.opcode, corpus::flag::none, Predicate::eq, Type(),
                         std::nullopt}}});
  }

  TemplateGroup &groupOf(std::vector<Type> operands, std::vector<Type> results,
                         std::uint8_t extracts, bool isFreeze) {
    for (TemplateGroup &group : groups_)
      if (group.operands == operands && group.results == results &&
          group.extracts == extracts && group.isFreeze == isFreeze)
        return group;
    return groups_.emplace_back(TemplateGroup{std::move(operands),
                                              std::move(results),
                                              extracts,
                                              isFreeze,
                                              false,
                                              std::nullopt,
                                              {}});
  }

  const Vocabulary &vocabulary_;
  std::vector<TemplateGroup> groups_;
};

} // namespace

std::vector<TemplateGroup> makeTemplateGroups(const Vocabulary &vocabulary) {
  Collector collector(vocabulary);
  for (Opcode opcode : vocabulary.opcodes)
    collector.addOpcode(corpus::info(opcode));
  return collector.take();
}

} // namespace enumerate
