// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/vocabulary.h"

#include "corpus/program/shape.h"
#include "enumerate/expression.h"
#include "enumerate/idioms.h"

#include <algorithm>
#include <cassert>

namespace enumerate {

using corpus::Flags;
using corpus::Opcode;
using corpus::OpcodeInfo;
using corpus::Operand;
using corpus::Place;
using corpus::Predicate;
using corpus::Program;
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
      {"assume", "llvm.assume", {assume}},
      {.name = "idioms",
       .help =
           "patterns of one to five instructions, such as `and x, (sub 0, x)`; "
           "each counts as one (irsieve space i2x1:idioms lists them)",
       .idioms = family::idioms},
      {.name = "recurrences",
       .help =
           "in loops a phi together with what it becomes, an operation of two "
           "operands on it; both count as one",
       .ofLoops = true},
      {.name = "conditions",
       .help =
           "such patterns of comparisons and of what is made of their results",
       .idioms = family::conditions},
      {.name = "masks",
       .help = "such patterns of logic, sums and shifts",
       .idioms = family::masks},
      {.name = "shuffle",
       .help = "shufflevector, every mask",
       .opcodes = {shufflevector},
       .ofVectors = true},
      {.name = "insert",
       .help = "insertelement extractelement",
       .opcodes = {insertelement, extractelement},
       .ofVectors = true},
      {.name = "index",
       .help = "the same at any index, which iW names too; with memory: "
               "getelementptr i8 by i1, which is 0 or -1",
       .ofVectors = true,
       .ofMemory = true},
      {.name = "bitcast",
       .help = "between vector and integer",
       .opcodes = {bitcast},
       .ofVectors = true},
      {.name = "reduce",
       .help = "llvm.vector.reduce.*",
       .opcodes = {reduceAdd, reduceMul, reduceAnd, reduceOr, reduceXor,
                   reduceSmin, reduceSmax, reduceUmin, reduceUmax},
       .ofVectors = true},
      {.name = "intrinsics",
       .help = "memcpy memmove memset of 0 to 2 bytes",
       .opcodes = {memcpy_, memmove_, memset_},
       .ofMemory = true},
      {.name = "lifetime",
       .help = "lifetime.start lifetime.end",
       .opcodes = {lifetimeStart, lifetimeEnd},
       .ofMemory = true},
  };
  return table;
}

std::span<const CallRule> callRules() {
  using namespace corpus::attribute;
  static const std::vector<CallRule> table = {
      {.name = "willreturn", .function = {willreturn | nounwind}},
      {.name = "none", .effects = 0},
      {.name = "read", .effects = corpus::memory::readOnly},
      {.name = "write", .effects = corpus::memory::writeOnly},
      {.name = "argmem",
       .effects = (corpus::memory::read | corpus::memory::write)
                  << corpus::memory::argument},
      {.name = "nofree", .function = {nofree}},
      {.name = "align", .pointer = {align, 2}},
      {.name = "nonnull", .pointer = {nonnull}},
      {.name = "captures", .pointer = {captures}},
      {.name = "noalias", .pointer = {noalias}},
      {.name = "readonly", .pointer = {readonly}},
      {.name = "value", .value = true},
  };
  return table;
}

std::span<const std::uint32_t> pointerAttributes() {
  using namespace corpus::attribute;
  static constexpr std::uint32_t table[] = {
      noundef,  nonnull,     align,    dereferenceable, noalias,
      writable, readonly,    readnone, writeonly,       deadOnUnwind,
      captures, initializes, nofree,
  };
  return table;
}

void addPointerAttribute(corpus::Attributes &attributes, std::uint32_t bit,
                         std::uint64_t bytes) {
  switch (corpus::attributeInfo(bit).value) {
  case corpus::AttributeValue::bytes:
    return attributes.add(bit, bytes);
  case corpus::AttributeValue::byteInterval:
    return attributes.add(bit, 0, bytes);
  case corpus::AttributeValue::powerOfTwo:
    return attributes.add(bit, 2);
  default: // none, captures(none)
    return attributes.add(bit);
  }
}

bool canStandTogether(const corpus::Attributes &attributes) {
  using namespace corpus::attribute;
  for (const std::uint32_t pair :
       {readonly | readnone, readonly | writeonly, readnone | writeonly,
        writable | readonly, writable | readnone, initializes | readonly,
        initializes | readnone})
    if ((attributes.bits & pair) == pair)
      return false;
  return true;
}

bool MemoryVocabulary::has(Opcode opcode) const {
  return std::find(pointers.begin(), pointers.end(), opcode) != pointers.end();
}

namespace {

bool movesLanes(const OpcodeInfo &info) {
  return info.shape == corpus::Shape::reinterpret ||
         corpus::info(info.shape).types == corpus::kind::vectors;
}

} // namespace

std::optional<Type> Vocabulary::laneType() const {
  const bool hasLanes =
      std::any_of(opcodes.begin(), opcodes.end(), [](Opcode opcode) {
        const corpus::Shape shape = corpus::info(opcode).shape;
        return shape == corpus::Shape::insertElement ||
               shape == corpus::Shape::extractElement ||
               shape == corpus::Shape::intrinsicReduce;
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
  if (memory) {
    std::copy_if(memory->types.begin(), memory->types.end(),
                 std::back_inserter(types),
                 [](Type type) { return type.isVector(); });
    types.push_back(Type::pointer());
  }
  return types;
}

std::vector<Type> Vocabulary::accessedTypes() const {
  if (!memory)
    return {};
  return memory->types.empty() ? std::vector{Type::integer(width)}
                               : memory->types;
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
    switch (info.shape) {
    case corpus::Shape::call:
      return addCalls(info);
    case corpus::Shape::load:
    case corpus::Shape::store:
      return addAccesses(info);
    case corpus::Shape::address:
      return addAddresses(info);
    case corpus::Shape::intrinsicCopy:
    case corpus::Shape::intrinsicFill:
      return addCopies(info);
    case corpus::Shape::intrinsicAssume:
      groupOf({Type::integer(1)}, {}, 0, false)
          .templates.push_back({info.opcode, {}, Predicate::eq, Type()});
      return;
    case corpus::Shape::intrinsicLifetime:
      groupOf({pointer}, {}, 0, false, Pointers::allocation)
          .templates.push_back({info.opcode, {}, Predicate::eq, Type()});
      return;
    default:
      break;
    }
    if (movesLanes(info))
      return addLanes(info);
    for (unsigned width : vocabulary_.widths)
      if (info.shape != corpus::Shape::phi || isMade(vocabulary_.typeOf(width)))
        addType(info, width);
    if (info.shape == corpus::Shape::phi)
      for (const Type type : vocabulary_.accessedTypes())
        if (type.isVector() && isMade(type))
          addPhi(info, type);
  }

  /// The same of pointers.
  void addOfPointers(const OpcodeInfo &info) {
    const Type i1 = Type::integer(1);
    switch (info.shape) {
    case corpus::Shape::phi:
      return addPhi(info, pointer);
    case corpus::Shape::select:
      return add(info, {i1, pointer, pointer}, pointer, Predicate::eq, {});
    case corpus::Shape::compare:
      for (const corpus::PredicateInfo &predicate : corpus::predicateTable)
        groupOf({pointer, pointer}, {i1}, 0, false)
            .templates.push_back({info.opcode, {}, predicate.predicate, i1});
      return;
    default:
      assert(info.shape == corpus::Shape::terminator &&
             "ptr= has no such name");
    }
  }

  void addIdiom(const IdiomInfo &info) {
    Program idiom =
        makeExpression(info.text, vocabulary_.typeOf(vocabulary_.width));
    for (Program &variant : withHoles(idiom, vocabulary_.holes))
      addIdiom(std::move(variant));
    addIdiom(std::move(idiom));
  }

  void addIdiom(Program idiom) {
    std::vector<Type> operands;
    for (const corpus::Parameter &parameter : idiom.signature.parameters)
      operands.push_back(parameter.type);
    std::vector<std::vector<std::uint32_t>> places(operands.size());
    for (std::uint32_t i = 0; i < idiom.operands.size(); ++i)
      if (idiom.operands[i].is(Operand::Kind::argument))
        places[idiom.operands[i].payload].push_back(i);
    Template made;
    made.type = idiom.instructions.back().type;
    made.places = std::move(places);
    made.idiom = std::move(idiom);
    groupOf(std::move(operands), {made.type}, 0, false)
        .templates.push_back(std::move(made));
  }

  /// Of all operations there are with two operands of one type.
  void addRecurrences() {
    for (const unsigned width : vocabulary_.widths) {
      const Type t = vocabulary_.typeOf(width);
      TemplateGroup group;
      group.operands = {t};
      group.results = {t, t};
      group.isPhi = true;
      group.isRecurrence = true;
      for (const Opcode opcode : vocabulary_.opcodes)
        if (const OpcodeInfo &info = corpus::info(opcode);
            (info.shape == corpus::Shape::binary ||
             info.shape == corpus::Shape::intrinsicBinary) &&
            worksHere(info, width))
          addSteps(info, t, group.templates);
      if (!group.templates.empty())
        groups_.push_back(std::move(group));
    }
  }

  std::vector<TemplateGroup> take() { return std::move(groups_); }

private:
  bool worksHere(const OpcodeInfo &info, unsigned width) const {
    return worksOn(info, vocabulary_.typeOf(width)) &&
           (info.has(corpus::trait::onConditions) ||
            vocabulary_.isArithmetic(width));
  }

  void addSteps(const OpcodeInfo &info, Type t,
                std::vector<Template> &templates) const {
    for (const bool phiIsSecond : {false, true}) {
      if (phiIsSecond && info.has(corpus::trait::commutative))
        continue;
      for (const Flags flags : flagSets(info, vocabulary_.modern)) {
        Template made{info.opcode, flags, Predicate::eq, t};
        made.phiIsSecond = phiIsSecond;
        templates.push_back(std::move(made));
      }
    }
  }

  /// `width` is that of T (shape.h).
  void addType(const OpcodeInfo &info, unsigned width) {
    const Type t = vocabulary_.typeOf(width);
    if (!worksHere(info, width))
      return;
    const corpus::ShapeInfo &shape = corpus::info(info.shape);
    switch (info.shape) {
    case corpus::Shape::phi:
      return addPhi(info, t);
    case corpus::Shape::intrinsicOverflow:
      for (std::uint8_t extracts : {1, 2, 3})
        addOverflow(info, t, extracts);
      return;
    default:
      break;
    }
    assert(shape.operandCount() > 0 && shape.result != Place::nothing &&
           "no vocabulary has this opcode");
    const Type i1 = Type::integer(1);
    std::vector<std::vector<Operand>> immediates = {{}};
    std::vector<Type> operands;
    for (unsigned i = 0; i < shape.operandCount(); ++i)
      if (isImmediate(shape.operands[i]))
        immediates = {{Operand::constant(i1, 0)}, {Operand::constant(i1, 1)}};
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
    case corpus::Shape::shuffle:
      return addShuffles(info, v);
    case corpus::Shape::reinterpret: {
      const Type wide = *vocabulary_.wideType();
      add(info, {v}, wide, Predicate::eq, {});
      return add(info, {wide}, v, Predicate::eq, {});
    }
    case corpus::Shape::insertElement:
      return addAtIndex(info, {v, lane}, v);
    case corpus::Shape::extractElement:
      return addAtIndex(info, {v}, lane);
    default:
      assert(info.shape == corpus::Shape::intrinsicReduce &&
             "no vocabulary has this opcode");
      return add(info, {v}, lane, Predicate::eq, {});
    }
  }

  /// In a space with memory phis and calls are about what it works with, other
  /// types have spaces without.
  bool isMade(Type type) const {
    return !vocabulary_.memory ||
           std::any_of(
               groups_.begin(), groups_.end(), [&](const TemplateGroup &group) {
                 return std::find(group.results.begin(), group.results.end(),
                                  type) != group.results.end();
               });
  }

  void addCalls(const OpcodeInfo &info) {
    addCall(info, {});
    for (const Type type : vocabulary_.types())
      if (type.isPointer() || (type.isInteger() && isMade(type)))
        addCall(info, {type});
  }

  void addAccesses(const OpcodeInfo &info) {
    const std::uint32_t maximum = vocabulary_.memory->aligned ? 2 : 1;
    const bool isLoad = info.shape == corpus::Shape::load;
    for (const Type type : vocabulary_.accessedTypes()) {
      const std::vector<Type> operands =
          isLoad ? std::vector{pointer} : std::vector{type, pointer};
      const std::vector<Type> results =
          isLoad ? std::vector{type} : std::vector<Type>();
      for (std::uint32_t alignment = 1; alignment <= maximum; alignment *= 2)
        groupOf(operands, results, 0, false, Pointers::accessed)
            .templates.push_back({info.opcode,
                                  {},
                                  Predicate::eq,
                                  isLoad ? type : Type(),
                                  {},
                                  {},
                                  alignment});
    }
  }

  /// Steps of one byte.
  void addAddresses(const OpcodeInfo &info) {
    const Operand one = Operand::constant(Type::integer(64), 1);
    const auto addStep = [&](const std::vector<Type> &operands,
                             const std::vector<Operand> &immediates,
                             corpus::Flags allowed) {
      for (const Flags flags : flagSets(info, true))
        if (allowed.has(flags) &&
            !flags.has(corpus::flag::inbounds | corpus::flag::nusw))
          groupOf(operands, {pointer}, 0, false)
              .templates.push_back(
                  {info.opcode, flags, Predicate::eq, pointer, immediates});
    };
    if (vocabulary_.memory->offsets)
      addStep({pointer}, {one, one}, *vocabulary_.memory->offsets);
    if (vocabulary_.anyIndex)
      addStep({pointer, Type::integer(1)}, {one},
              vocabulary_.memory->offsets.value_or(corpus::flag::none));
  }

  void addCopies(const OpcodeInfo &info) {
    const Operand isVolatile = Operand::constant(Type::integer(1), 0);
    const Type second =
        info.shape == corpus::Shape::intrinsicCopy ? pointer : Type::integer(8);
    constexpr std::uint64_t longest = 2;
    for (std::uint64_t length = 0; length <= longest; ++length)
      groupOf({pointer, second}, {}, 0, false, Pointers::accessed)
          .templates.push_back(
              {info.opcode,
               {},
               Predicate::eq,
               Type(),
               {Operand::constant(Type::integer(64), length), isVolatile}});
  }

  void addAtIndex(const OpcodeInfo &info, std::vector<Type> operands,
                  Type result) {
    for (unsigned lane = 0; lane < vocabulary_.lanes; ++lane)
      add(info, operands, result, Predicate::eq,
          {Operand::constant(Type::integer(32), lane)});
    if (!vocabulary_.anyIndex)
      return;
    operands.push_back(Type::integer(vocabulary_.width));
    add(info, std::move(operands), result, Predicate::eq, {});
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
    TemplateGroup group;
    group.results = {t};
    group.isPhi = true;
    group.templates = {{info.opcode, corpus::flag::none, Predicate::eq, t}};
    groups_.push_back(std::move(group));
  }

  void add(const OpcodeInfo &info, std::vector<Type> operands, Type result,
           Predicate predicate, const std::vector<Operand> &immediates) {
    TemplateGroup &group = groupOf(std::move(operands), {result}, 0,
                                   info.opcode == Opcode::freeze);
    for (Flags flags : flagSets(info, vocabulary_.modern))
      group.templates.push_back(
          {info.opcode, flags, predicate, result, immediates});
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
    corpus::Callee callee = calleeOf(parameters);
    Type result;
    std::uint64_t effects = corpus::memory::all;
    for (std::size_t i = 0; i < callRules().size(); ++i) {
      if ((vocabulary_.calls.rules >> i & 1U) == 0)
        continue;
      effects &= callRules()[i].effects;
      if (callRules()[i].value)
        result = vocabulary_.typeOf(vocabulary_.width);
      callee.signature.function.add(callRules()[i].function);
      for (corpus::Parameter &parameter : callee.signature.parameters)
        if (parameter.type.isPointer())
          parameter.attributes.add(callRules()[i].pointer);
    }
    callee.signature.function.addEffects(effects);
    callee.signature.returnType = result;
    TemplateGroup group;
    group.operands = std::move(parameters);
    if (!result.isVoid())
      group.results = {result};
    group.callee = std::move(callee);
    group.templates = {
        {info.opcode, corpus::flag::none, Predicate::eq, result}};
    groups_.push_back(std::move(group));
  }

  TemplateGroup &groupOf(std::vector<Type> operands, std::vector<Type> results,
                         std::uint8_t extracts, bool isFreeze,
                         Pointers pointers = Pointers::any) {
    for (TemplateGroup &group : groups_)
      if (!group.isPhi && !group.callee && group.operands == operands &&
          group.results == results && group.extracts == extracts &&
          group.isFreeze == isFreeze && group.pointers == pointers)
        return group;
    TemplateGroup &group = groups_.emplace_back();
    group.operands = std::move(operands);
    group.results = std::move(results);
    group.extracts = extracts;
    group.isFreeze = isFreeze;
    group.pointers = pointers;
    return group;
  }

  static constexpr Type pointer = Type::pointer();

  const Vocabulary &vocabulary_;
  std::vector<TemplateGroup> groups_;
};

} // namespace

corpus::Callee calleeOf(std::span<const Type> parameters) {
  corpus::Callee callee;
  callee.name = "use";
  for (const Type parameter : parameters) {
    callee.name += "_" + corpus::toString(parameter);
    callee.signature.parameters.push_back({parameter, {}});
  }
  return callee;
}

std::vector<TemplateGroup> makeTemplateGroups(const Vocabulary &vocabulary) {
  Collector collector(vocabulary);
  for (const OpcodeInfo &info : corpus::opcodeTable()) {
    if (std::find(vocabulary.opcodes.begin(), vocabulary.opcodes.end(),
                  info.opcode) != vocabulary.opcodes.end())
      collector.addOpcode(info);
    if (vocabulary.memory && vocabulary.memory->has(info.opcode))
      collector.addOfPointers(info);
  }
  for (const std::size_t row : vocabulary.idioms)
    collector.addIdiom(idiomTable()[row]);
  if (vocabulary.recurrences)
    collector.addRecurrences();
  return collector.take();
}

} // namespace enumerate
