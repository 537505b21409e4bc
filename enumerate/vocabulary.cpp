// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/vocabulary.h"

#include "corpus/program/shape.h"

#include <algorithm>
#include <cassert>

namespace enumerate {

using corpus::Flags;
using corpus::Opcode;
using corpus::OpcodeInfo;
using corpus::Operand;
using corpus::Place;
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
      {"shuffle", "shufflevector, every mask", {shufflevector}, true},
      {"insert",
       "insertelement extractelement",
       {insertelement, extractelement},
       true},
      {"index", "the same at any index, which iW names too", {}, true},
      {"bitcast", "between vector and integer", {bitcast}, true},
      {"reduce",
       "llvm.vector.reduce.*",
       {reduceAdd, reduceMul, reduceAnd, reduceOr, reduceXor, reduceSmin,
        reduceSmax, reduceUmin, reduceUmax},
       true},
  };
  return table;
}

namespace {

bool movesLanes(const OpcodeInfo &info) {
  return info.shape == Shape::reinterpret ||
         corpus::info(info.shape).types == corpus::kind::vectors;
}

} // namespace

std::optional<Type> Vocabulary::laneType() const {
  const bool hasLanes =
      std::any_of(opcodes.begin(), opcodes.end(), [](Opcode opcode) {
        const Shape shape = corpus::info(opcode).shape;
        return shape == Shape::insertElement ||
               shape == Shape::extractElement ||
               shape == Shape::intrinsicReduce;
      });
  return hasLanes ? std::optional(Type::integer(width)) : std::nullopt;
}

std::optional<Type> Vocabulary::wideType() const {
  const bool hasCasts = std::find(opcodes.begin(), opcodes.end(),
                                  Opcode::bitcast) != opcodes.end();
  return hasCasts ? std::optional(Type::integer(lanes * width)) : std::nullopt;
}

std::vector<Type> Vocabulary::types() const {
  std::vector<Type> types;
  for (unsigned each : widths)
    types.push_back(typeOf(each));
  for (const auto &more : {laneType(), wideType()})
    if (more && std::find(types.begin(), types.end(), *more) == types.end())
      types.push_back(*more);
  return types;
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
    if (movesLanes(info))
      return addLanes(info);
    for (unsigned width : vocabulary_.widths)
      addType(info, width);
  }

  std::vector<TemplateGroup> take() { return std::move(groups_); }

private:
  /// `width` is that of T (shape.h).
  void addType(const OpcodeInfo &info, unsigned width) {
    const Type t = vocabulary_.typeOf(width);
    if (info.shape == Shape::call)
      return addCall(info, {t});
    if (!worksOn(info, t) || (!info.has(corpus::trait::onConditions) &&
                              !vocabulary_.isArithmetic(width)))
      return;
    const corpus::ShapeInfo &shape = corpus::info(info.shape);
    switch (info.shape) {
    case Shape::phi:
      return addPhi(info, t);
    case Shape::intrinsicOverflow:
      for (std::uint8_t extracts : {1, 2, 3})
        addOverflow(info, t, extracts);
      return;
    default:
      break;
    }
    assert(shape.operandCount() > 0 && shape.result != Place::nothing &&
           "no vocabulary has this opcode");
    const Type i1 = Type::integer(1);
    std::vector<std::optional<Operand>> immediates = {std::nullopt};
    std::vector<Type> operands;
    for (unsigned i = 0; i < shape.operandCount(); ++i)
      if (isImmediate(shape.operands[i]))
        immediates = {Operand::constant(i1, 0), Operand::constant(i1, 1)};
      else
        operands.push_back(shape.operands[i] == Place::condition
                               ? t.withLanes(i1)
                               : *typeAt(shape.operands[i], t));
    std::span<const corpus::PredicateInfo> predicates = corpus::predicateTable;
    if (!info.has(corpus::trait::predicate))
      predicates = predicates.first(1);
    for (const Type result : resultsOf(shape, t))
      for (const corpus::PredicateInfo &predicate : predicates)
        for (const auto &immediate : immediates)
          add(info, operands, result, predicate.predicate, immediate);
  }

  std::vector<Type> resultsOf(const corpus::ShapeInfo &shape, Type t) const {
    if (const auto only = typeAt(shape.result, t))
      return {*only};
    std::vector<Type> results;
    for (const unsigned width : vocabulary_.widths)
      if (fits(shape.result, t, vocabulary_.typeOf(width)))
        results.push_back(vocabulary_.typeOf(width));
    return results;
  }

  /// What moves or combines lanes, of vectors of iW.
  void addLanes(const OpcodeInfo &info) {
    const Type v = vocabulary_.typeOf(vocabulary_.width);
    const Type lane = v.lane(0);
    switch (info.shape) {
    case Shape::shuffle:
      return addShuffles(info, v);
    case Shape::reinterpret: {
      const Type wide = *vocabulary_.wideType();
      add(info, {v}, wide, Predicate::eq, std::nullopt);
      return add(info, {wide}, v, Predicate::eq, std::nullopt);
    }
    case Shape::insertElement:
      return addAtIndex(info, {v, lane}, v);
    case Shape::extractElement:
      return addAtIndex(info, {v}, lane);
    default:
      assert(info.shape == Shape::intrinsicReduce &&
             "no vocabulary has this opcode");
      return add(info, {v}, lane, Predicate::eq, std::nullopt);
    }
  }

  void addAtIndex(const OpcodeInfo &info, std::vector<Type> operands,
                  Type result) {
    for (unsigned lane = 0; lane < vocabulary_.lanes; ++lane)
      add(info, operands, result, Predicate::eq,
          Operand::constant(Type::integer(32), lane));
    if (!vocabulary_.anyIndex)
      return;
    operands.push_back(Type::integer(vocabulary_.width));
    add(info, std::move(operands), result, Predicate::eq, std::nullopt);
  }

  /// Each lane of the result is poison, or one of both operands.
  void addShuffles(const OpcodeInfo &info, Type v) {
    const Type i32 = Type::integer(32);
    const unsigned choices = 2 * v.lanes() + 1;
    TemplateGroup &group = groupOf({v, v}, {v}, 0, false);
    std::vector<unsigned> mask(v.lanes(), 0);
    for (bool isLast = false; !isLast;) {
      Template made{info.opcode, {}, Predicate::eq, v};
      for (const unsigned entry : mask)
        made.mask.push_back(entry == 0 ? Operand::poison(i32)
                                       : Operand::constant(i32, entry - 1));
      group.templates.push_back(std::move(made));
      std::size_t i = mask.size();
      while (i > 0 && ++mask[i - 1] == choices)
        mask[--i] = 0;
      isLast = i == 0;
    }
  }

  void addPhi(const OpcodeInfo &info, Type t) {
    groups_.push_back({{},
                       {t},
                       0,
                       false,
                       true,
                       std::nullopt,
                       {{info.opcode, corpus::flag::none, Predicate::eq, t}}});
  }

  void add(const OpcodeInfo &info, std::vector<Type> operands, Type result,
           Predicate predicate, std::optional<Operand> immediate) {
    TemplateGroup &group = groupOf(std::move(operands), {result}, 0,
                                   info.opcode == Opcode::freeze);
    for (Flags flags : flagSets(info, vocabulary_.modern))
      group.templates.push_back(
          {info.opcode, flags, predicate, result, immediate, {}});
  }

  void addOverflow(const OpcodeInfo &info, Type t, std::uint8_t extracts) {
    std::vector<Type> results;
    if (extracts & 1)
      results.push_back(t);
    if (extracts & 2)
      results.push_back(t.withLanes(Type::integer(1)));
    groupOf({t, t}, std::move(results), extracts, false)
        .templates.push_back({info.opcode, corpus::flag::none, Predicate::eq,
                              Type::overflowPair(t)});
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
      callee.signature.function =
          corpus::attribute::willreturn | corpus::attribute::nounwind;
    groups_.push_back(
        {std::move(parameters),
         {},
         0,
         false,
         false,
         std::move(callee),
         {{info.opcode, corpus::flag::none, Predicate::eq, Type()}}});
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
