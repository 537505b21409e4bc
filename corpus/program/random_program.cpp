// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/random_program.h"

#include "corpus/program/canonical.h"
#include "corpus/program/shape.h"

#include <algorithm>
#include <array>
#include <optional>

namespace corpus {

namespace {

std::size_t below(Random &random, std::size_t count) {
  return random() % count;
}

bool oneIn(Random &random, unsigned n) { return below(random, n) == 0; }

Flags randomFlags(Random &random, Opcode opcode) {
  Flags flags;
  for (const FlagInfo &flag : flagTable)
    if (info(opcode).allowedFlags.has(flag.flag) && oneIn(random, 2))
      flags = flags | flag.flag;
  return flags;
}

/// Those that appendMemory() leaves.
std::span<const OpcodeInfo *const> opcodesOfNumbers() {
  static const std::vector<const OpcodeInfo *> rows = [] {
    std::vector<const OpcodeInfo *> result;
    for (const OpcodeInfo &row : opcodeTable()) {
      const ShapeInfo &shape = info(row.shape);
      const auto isOfMemory = [](Place place) {
        return place == Place::pointer || place == Place::integers;
      };
      if (!isOfMemory(shape.result) &&
          std::none_of(shape.operands.begin(), shape.operands.end(),
                       isOfMemory))
        result.push_back(&row);
    }
    return result;
  }();
  return rows;
}

Predicate randomPredicate(Random &random) {
  return predicateTable[below(random, predicateTable.size())].predicate;
}

/// Gives an instruction of the program attributes of its own.
void attach(Program &program, Instruction &call, CallAttributes attributes) {
  call.attributes = static_cast<std::uint32_t>(program.callAttributes.size());
  program.callAttributes.push_back(std::move(attributes));
}

Attributes randomPointerAttributes(Random &random) {
  Attributes attributes;
  for (const std::uint32_t bit :
       {attribute::noundef, attribute::nonnull, attribute::noalias,
        attribute::nofree, attribute::deadOnUnwind})
    if (oneIn(random, 6))
      attributes.add(bit);
  if (oneIn(random, 4))
    attributes.add(attribute::dereferenceable, 1 + below(random, 3));
  if (oneIn(random, 4))
    attributes.add(attribute::align, 2);
  if (oneIn(random, 4))
    attributes.add(attribute::captures);
  switch (below(random, 8)) { // no two of them
  case 0:
    attributes.add(attribute::readonly);
    break;
  case 1:
    attributes.add(attribute::readnone);
    break;
  case 2:
    attributes.add(attribute::writeonly);
    break;
  case 3:
    attributes.add(attribute::writable);
    break;
  case 4:
    attributes.add(attribute::initializes, 0, 1 + below(random, 2));
    break;
  default:
    break;
  }
  return attributes;
}

Attributes randomValueAttributes(Random &random, Type type) {
  if (type.isPointer())
    return randomPointerAttributes(random);
  Attributes attributes;
  if (oneIn(random, 3))
    attributes.add(attribute::noundef);
  if (!type.isSingle())
    return attributes;
  const std::uint64_t low = random() & type.lane(0).mask();
  const std::uint64_t high = random() & type.lane(0).mask();
  if (low != high && oneIn(random, 3))
    attributes.add(attribute::range, low, high);
  return attributes;
}

Attributes randomFunctionAttributes(Random &random) {
  Attributes attributes;
  for (const AttributeInfo &row : attributeTable)
    if ((row.places & place::function) != 0 &&
        row.value == AttributeValue::none &&
        (row.bit & attribute::aboutPointers) == 0 && oneIn(random, 6))
      attributes.add(row.bit);
  // memory(none) says memory(read) already, and LLVM keeps one of them.
  if (attributes.has(attribute::memoryNone))
    attributes.remove(attribute::memoryRead);
  return attributes;
}

/// Functions to call. The signature follows from the name, so that programs can
/// share a module; iN is added to the name of those that take one.
struct CalleeKind {
  std::string_view name;
  bool takesInteger;
  bool returnsInteger;
  std::uint32_t function; ///< attributes
  std::uint32_t value;    ///< attributes of parameter and result
};

constexpr std::array<CalleeKind, 5> calleeKinds = {{
    {"use", false, false, 0, 0},
    {"use", true, false, 0, 0},
    {"tell", true, false, attribute::willreturn | attribute::nounwind, 0},
    {"ask", true, true, 0, 0},
    {"get", true, true, attribute::willreturn | attribute::nounwind,
     attribute::noundef},
}};

Callee calleeOf(const CalleeKind &kind, Type type) {
  Callee callee;
  callee.name = kind.name;
  callee.signature.function = kind.function;
  if (kind.takesInteger) {
    callee.name += "_" + toString(type);
    callee.signature.parameters.push_back({type, kind.value});
  }
  if (kind.returnsInteger) {
    callee.signature.returnType = type;
    callee.signature.result = kind.value;
  }
  return callee;
}

/// The same for those that take a pointer.
struct PointerCalleeKind {
  std::string_view name;
  std::uint32_t function;
  std::uint64_t memory; ///< corpus::memory
  bool captures;
};

constexpr std::array<PointerCalleeKind, 4> pointerCalleeKinds = {{
    {"take", 0, memory::all, true},
    {"fill", attribute::willreturn | attribute::nounwind,
     (memory::read | memory::write) << memory::argument, false},
    {"look", attribute::nounwind, memory::readOnly, false},
    {"write", 0, memory::writeOnly, true},
}};

Callee calleeOf(const PointerCalleeKind &kind) {
  Callee callee;
  callee.name = kind.name;
  callee.signature.function = kind.function;
  if (kind.memory == memory::readOnly)
    callee.signature.function.add(attribute::memoryRead);
  else if (kind.memory != memory::all)
    callee.signature.function.add(attribute::memory, kind.memory);
  callee.signature.parameters.push_back({Type::pointer(), {}});
  if (!kind.captures)
    callee.signature.parameters[0].attributes.add(attribute::captures);
  return callee;
}

/// LLVM's verifier wants that the function may write what is writable.
void dropWritable(Program &program) {
  if (program.signature.function.has(attribute::memoryNone |
                                     attribute::memoryRead))
    for (Parameter &parameter : program.signature.parameters)
      parameter.attributes.remove(attribute::writable);
}

class Generator {
public:
  Generator(Random &random, const RandomOptions &options)
      : random_(random), options_(options) {}

  Program generate() {
    const std::size_t arguments = 1 + below(random_, options_.maximumArguments);
    for (std::size_t i = 0; i < arguments; ++i) {
      const Type type = randomValueType();
      program_.addParameter(type, options_.attributes
                                      ? randomValueAttributes(random_, type)
                                      : Attributes());
      values_.push_back(Operand::argument(type, i));
    }
    if (options_.maximumBlocks > 1)
      generateBlocks();
    else
      generateLine();
    const Type returned = program_.signature.returnType;
    if (options_.attributes && !returned.isVoid())
      program_.signature.result = randomValueAttributes(random_, returned);
    if (options_.attributes && options_.calls && oneIn(random_, 3)) {
      program_.signature.function = randomFunctionAttributes(random_);
      // No engine decides what such a function may call.
      program_.signature.function.remove(attribute::memoryNone |
                                         attribute::memoryRead);
    }
    dropWritable(program_);
    renumberConstants(program_);
    return std::move(program_);
  }

private:
  void generateLine() {
    appendAllocations();
    while (program_.instructions.size() < options_.instructions)
      appendRandom();
    // Return the last integer, so that most of the program matters.
    Operand last = values_.back();
    for (const Operand &value : values_)
      if (value.type.isInteger() || !options_.lanes.empty())
        last = value;
    program_.signature.returnType = last.type;
    program_.append(Opcode::ret, Type(), {last});
  }

  void generateBlocks() {
    const bool isVoid = options_.calls && oneIn(random_, 4);
    program_.signature.returnType = isVoid ? Type() : randomType();
    chooseSuccessors();
    const std::vector<Operand> arguments = values_;
    std::vector<Operand> outer;
    for (std::size_t block = 0; block < successors_.size(); ++block) {
      program_.beginBlock();
      if (block == 0)
        appendAllocations();
      for (auto i = block == 0 ? 0 : 1 + below(random_, 2); i > 0; --i)
        appendPhi(block, arguments);
      const std::size_t end =
          program_.instructions.size() + below(random_, options_.instructions);
      while (program_.instructions.size() < end)
        appendRandom();
      if (block == 0)
        outer = values_;
      appendTerminator(block);
      // Elsewhere only the entry is sure to have been passed.
      values_ = outer;
    }
    for (const std::size_t place : carriedBack_)
      chooseCarriedBack(place);
  }

  /// Every block but the entry has an earlier predecessor, so that all are
  /// reachable.
  void chooseSuccessors() {
    const std::size_t count = 2 + below(random_, options_.maximumBlocks - 1);
    successors_.resize(count);
    for (std::size_t block = 1; block < count; ++block) {
      std::size_t from = below(random_, block);
      while (successors_[from].size() == 3)
        ++from;
      successors_[from].push_back(block);
    }
    for (std::size_t block = 0; block < count; ++block)
      while (successors_[block].size() < 3 && oneIn(random_, 2)) {
        const std::size_t first = options_.loops ? 1 : block + 1;
        if (first == count)
          break;
        successors_[block].push_back(first + below(random_, count - first));
      }
  }

  /// One entry for each edge into `block`. What an edge from a later block
  /// carries is chosen when that exists.
  void appendPhi(std::size_t block, const std::vector<Operand> &arguments) {
    const Type type = randomType();
    std::vector<Operand> operands;
    std::vector<std::size_t> carriedBack;
    for (std::size_t from = 0; from < successors_.size(); ++from) {
      auto edges =
          std::count(successors_[from].begin(), successors_[from].end(), block);
      if (edges == 0)
        continue;
      if (from >= block && edges == 1)
        carriedBack.push_back(program_.operands.size() + operands.size());
      std::vector<Operand> known = arguments;
      if (from < block)
        for (std::size_t i = program_.blocks[from].begin;
             i < program_.blocks[from].end; ++i)
          known.push_back(
              Operand::instruction(program_.instructions[i].type, i));
      // Several edges from one block must carry the same value.
      for (const Operand carried = pick(known, type); edges > 0; --edges) {
        operands.push_back(carried);
        operands.push_back(Operand::block(from));
      }
    }
    if (operands.size() <= 2)
      return;
    values_.push_back(program_.append(Opcode::phi, type, operands));
    carriedBack_.insert(carriedBack_.end(), carriedBack.begin(),
                        carriedBack.end());
  }

  void chooseCarriedBack(std::size_t place) {
    const Operand old = program_.operands[place];
    for (unsigned attempt = 0; attempt < 8; ++attempt) {
      const std::size_t index = below(random_, program_.instructions.size());
      if (program_.instructions[index].type != old.type)
        continue;
      program_.operands[place] = Operand::instruction(old.type, index);
      if (!verify(program_))
        return;
      program_.operands[place] = old;
    }
  }

  void appendTerminator(std::size_t block) {
    const auto &targets = successors_[block];
    const Type returned = program_.signature.returnType;
    const Type bit = Type::integer(1);
    if (targets.empty()) {
      if (oneIn(random_, 8))
        program_.append(Opcode::unreachable, Type(), {});
      else if (returned.isVoid())
        program_.append(Opcode::ret, Type(), {});
      else
        program_.append(Opcode::ret, Type(), {operand(returned)});
    } else if (targets.size() == 1 && !oneIn(random_, 8)) {
      program_.append(Opcode::br, Type(), {Operand::block(targets[0])});
    } else if (targets.size() == 2 && !oneIn(random_, 4)) {
      program_.append(Opcode::br, Type(),
                      {operand(bit), Operand::block(targets[0]),
                       Operand::block(targets[1])});
    } else {
      const Type type = randomInteger();
      const std::uint64_t number = random_();
      std::vector<Operand> operands = {operand(type),
                                       Operand::block(targets[0])};
      for (std::size_t i = 1; i < targets.size(); ++i) {
        operands.push_back(Operand::constant(type, number ^ (i - 1)));
        operands.push_back(Operand::block(targets[i]));
      }
      program_.append(Opcode::switch_, Type(), operands);
    }
  }

  void appendAllocations() {
    if (!options_.memory)
      return;
    for (auto count = below(random_, 3); count > 0; --count) {
      Instruction made;
      made.opcode = Opcode::alloca_;
      made.type = Type::pointer();
      made.accessedType = randomInteger();
      made.alignment = 1U << below(random_, 2);
      const Operand size =
          Operand::constant(Type::integer(64), 1 + below(random_, 2));
      values_.push_back(program_.append(made, std::span(&size, 1)));
      allocations_.push_back(values_.back());
    }
  }

  void appendMemory() {
    const Type pointer = Type::pointer();
    const Type bit = Type::integer(1);
    Instruction access;
    access.alignment = 1U << below(random_, 2);
    switch (below(random_, 12)) {
    case 0:
    case 1:
    case 2: {
      access.opcode = Opcode::load;
      access.type = randomType();
      const Operand from = operand(pointer);
      values_.push_back(program_.append(access, std::span(&from, 1)));
      if (options_.attributes && access.type.isInteger() && oneIn(random_, 4)) {
        Attributes metadata = randomValueAttributes(random_, access.type);
        if (oneIn(random_, 4))
          metadata.add(attribute::invariantLoad);
        if (!metadata.empty())
          setAttributes({{}, metadata, {}});
      }
      return;
    }
    case 3:
    case 4:
    case 5: {
      access.opcode = Opcode::store;
      const std::array<Operand, 2> operands = {operand(randomType()),
                                               operand(pointer)};
      program_.append(access, operands);
      return;
    }
    case 6:
    case 7:
      return appendAddress();
    case 8: {
      static constexpr std::array<Opcode, 3> opcodes = {
          Opcode::memcpy_, Opcode::memmove_, Opcode::memset_};
      const Opcode opcode = opcodes[below(random_, opcodes.size())];
      const Operand to = operand(pointer);
      const Operand from =
          operand(opcode == Opcode::memset_ ? Type::integer(8) : pointer);
      const Operand length =
          Operand::constant(Type::integer(64), below(random_, 3));
      program_.append(opcode, Type(),
                      {to, from, length, Operand::constant(bit, 0)});
      if (options_.attributes && oneIn(random_, 3))
        setAttributes({{}, {}, {{attribute::align, 2}, {}, {}, {}}});
      return;
    }
    case 9:
      if (!allocations_.empty()) {
        const Operand of = allocations_[below(random_, allocations_.size())];
        program_.append(oneIn(random_, 2) ? Opcode::lifetimeStart
                                          : Opcode::lifetimeEnd,
                        Type(), {of});
      }
      return;
    case 10: {
      const Predicate predicate = randomPredicate(random_);
      values_.push_back(program_.append(Opcode::icmp, bit,
                                        {operand(pointer), operand(pointer)},
                                        {}, predicate));
      return;
    }
    default:
      values_.push_back(
          program_.append(Opcode::select, pointer,
                          {operand(bit), operand(pointer), operand(pointer)}));
      return;
    }
  }

  /// Of the last instruction.
  void setAttributes(CallAttributes attributes) {
    attach(program_, program_.instructions.back(), std::move(attributes));
  }

  void appendAddress() {
    const Type i64 = Type::integer(64);
    static constexpr std::array<std::uint64_t, 6> scales = {1, 1, 2, 4, 3, 12};
    std::vector<Operand> operands = {operand(Type::pointer())};
    for (auto terms = 1 + below(random_, 2); terms > 0; --terms) {
      const bool isConstant =
          oneIn(random_, 2) && !operands.back().is(Operand::Kind::constant);
      const Operand index = isConstant
                                ? Operand::constant(i64, below(random_, 4) - 1)
                                : operand(randomInteger());
      // Constants are counted in bytes, one step of them.
      if (index.is(Operand::Kind::constant) &&
          (!isConstant || index.payload == 0))
        continue;
      operands.push_back(index);
      operands.push_back(Operand::constant(
          i64, isConstant ? 1 : scales[below(random_, scales.size())]));
    }
    if (operands.size() == 1)
      return;
    Flags flags = randomFlags(random_, Opcode::getelementptr);
    if (flags.has(flag::inbounds))
      flags = flags.without(flag::nusw);
    values_.push_back(program_.append(Opcode::getelementptr, Type::pointer(),
                                      operands, flags));
  }

  void appendCall() {
    Callee callee;
    if (options_.memory && oneIn(random_, 2)) {
      callee = calleeOf(
          pointerCalleeKinds[below(random_, pointerCalleeKinds.size())]);
    } else {
      const Type type = randomInteger();
      callee = calleeOf(calleeKinds[below(random_, calleeKinds.size())], type);
    }
    auto &callees = program_.callees;
    const auto found = std::find(callees.begin(), callees.end(), callee);
    const auto index = static_cast<std::uint32_t>(found - callees.begin());
    if (found == callees.end())
      callees.push_back(callee);
    std::vector<Operand> arguments;
    for (const Parameter &parameter : callee.signature.parameters)
      arguments.push_back(operand(parameter.type));
    const Operand result =
        program_.append(Opcode::call, callee.signature.returnType, arguments);
    program_.instructions.back().callee = index;
    addCallAttributes();
    if (!result.type.isVoid())
      values_.push_back(result);
  }

  /// Of the last instruction, an intrinsic or a call.
  void addCallAttributes() {
    Instruction &made = program_.instructions.back();
    if (!options_.attributes || !oneIn(random_, 3))
      return;
    CallAttributes site;
    if (made.type.isSingle() && made.type.lane(0).isInteger())
      site.result = randomValueAttributes(random_, made.type);
    if (made.opcode == Opcode::call) {
      site.function = randomFunctionAttributes(random_);
      for (const Operand &argument : program_.operandsOf(made)) {
        site.parameters.push_back(
            randomValueAttributes(random_, argument.type));
        site.parameters.back().remove(attribute::writable);
      }
      if (std::all_of(site.parameters.begin(), site.parameters.end(),
                      [](const Attributes &each) { return each.empty(); }))
        site.parameters.clear();
    }
    if (site == CallAttributes())
      return;
    attach(program_, made, std::move(site));
  }

  /// A pointer too, if there is memory.
  Type randomValueType() {
    return options_.memory && oneIn(random_, 2) ? Type::pointer()
                                                : randomType();
  }

  Type randomInteger() {
    return Type::integer(
        options_.widths[below(random_, options_.widths.size())]);
  }
  /// A scalar or a vector.
  Type randomType() {
    const Type lane = randomInteger();
    return options_.lanes.empty() || oneIn(random_, 2) ? lane
                                                       : randomVector(lane);
  }
  Type randomVector(Type lane) {
    return Type::vector(options_.lanes[below(random_, options_.lanes.size())],
                        lane);
  }

  Operand literal(Type type) {
    if (options_.undefAndPoison && oneIn(random_, 4))
      return oneIn(random_, 3) ? Operand::poison(type) : Operand::undef(type);
    if (type.isPointer())
      return Operand::null();
    if (type.isScalar())
      return Operand::constant(type, random_());
    std::vector<Operand> lanes;
    for (unsigned i = 0; i < type.lanes(); ++i)
      lanes.push_back(literal(type.lane(i)));
    return program_.literal(type, std::move(lanes));
  }

  Operand randomMask(unsigned lanes, unsigned sources) {
    const Type i32 = Type::integer(32);
    std::vector<Operand> mask;
    for (unsigned i = 0; i < lanes; ++i)
      mask.push_back(oneIn(random_, 6)
                         ? Operand::poison(i32)
                         : Operand::constant(i32, below(random_, sources)));
    return program_.literal(Type::vector(lanes, i32), std::move(mask));
  }

  /// Where the place alone does not say which.
  Type typeFor(Place place, Type t) {
    switch (place) {
    case Place::condition:
      return t.isVector() && oneIn(random_, 2) ? t.withLanes(Type::integer(1))
                                               : Type::integer(1);
    case Place::sameLanes:
    case Place::part:
      return randomVector(t.lane(0));
    case Place::index:
      return randomInteger();
    case Place::element:
      return t.element(static_cast<unsigned>(below(random_, t.elements())));
    default:
      return typeAt(place, t).value_or(randomType());
    }
  }

  Operand operand(Type type) { return pick(values_, type); }

  Operand pick(const std::vector<Operand> &values, Type type) {
    std::vector<Operand> candidates;
    for (const Operand &value : values)
      if (value.type == type)
        candidates.push_back(value);
    // Newer values first, so that chains form.
    if (candidates.empty() || oneIn(random_, 5))
      return literal(type);
    return oneIn(random_, 2) ? candidates.back()
                             : candidates[below(random_, candidates.size())];
  }

  /// The number of an element of that type, any one for void.
  std::uint64_t elementOf(Type t, Type element) {
    std::uint64_t index = below(random_, t.elements());
    while (!element.isVoid() &&
           t.element(static_cast<unsigned>(index)) != element)
      index = (index + 1) % t.elements();
    return index;
  }
  /// Where lanes like those of `part` may stand.
  std::uint64_t partOf(Type t, Type part) {
    return part.lanes() * below(random_, t.lanes() / part.lanes());
  }

  std::optional<Operand> find(bool (Type::*property)() const) {
    std::vector<Operand> candidates;
    for (const Operand &value : values_)
      if ((value.type.*property)())
        candidates.push_back(value);
    if (candidates.empty())
      return std::nullopt;
    return candidates[below(random_, candidates.size())];
  }

  void appendRandom() {
    // Calls often: they are one row of many.
    if (options_.calls && oneIn(random_, 4))
      return appendCall();
    if (options_.memory && oneIn(random_, 2))
      return appendMemory();
    const auto table = opcodesOfNumbers();
    const OpcodeInfo &info = *table[below(random_, table.size())];
    if (info.isIntrinsic() && !options_.intrinsics)
      return;
    const Flags flags = randomFlags(random_, info.opcode);
    const Type type = randomType();
    const ShapeInfo &shape = corpus::info(info.shape);
    const bool movesLanes = shape.types == kind::vectors ||
                            info.shape == Shape::insert ||
                            info.shape == Shape::reinterpret;
    if (shape.operandCount() == 0 || (movesLanes && options_.lanes.empty()))
      return;
    // Rarely: most of them make the source UB.
    if (info.opcode == Opcode::assume && !oneIn(random_, 3))
      return;
    std::optional<Operand> first; // where T is neither integer nor vector
    if (shape.types == kind::aggregates) {
      first = find(&Type::isAggregate);
      if (!first && !options_.lanes.empty()) {
        const Type last = randomType();
        first = literal(Type::structure(randomType(), last));
      }
      if (!first)
        return;
    }
    const Type t = first ? first->type : type;
    if (shape.types != 0 && !worksOn(info, t))
      return;
    Type result;
    if (shape.result != Place::nothing && shape.result != Place::element) {
      result = typeFor(shape.result, t);
      if (!fits(shape.result, t, result))
        return;
    }
    const Predicate predicate =
        info.has(trait::predicate) ? randomPredicate(random_) : Predicate::eq;
    std::vector<Operand> operands;
    for (unsigned i = 0; i < shape.operandCount(); ++i) {
      if (shape.operands[i] == Place::mask) {
        operands.push_back(randomMask(result.lanes(), 2 * t.lanes()));
        continue;
      }
      const Type wanted = typeFor(shape.operands[i], t);
      if (!fits(shape.operands[i], t, wanted))
        return;
      if (i == 0 && first)
        operands.push_back(*first);
      else if (shape.operands[i] == Place::immediateIndex)
        operands.push_back(Operand::constant(
            wanted, elementOf(t, i == 1 ? Type() : operands[1].type)));
      else if (shape.operands[i] == Place::immediateLane)
        operands.push_back(Operand::constant(
            wanted, partOf(t, i == 1 ? result : operands[1].type)));
      else if (isImmediate(shape.operands[i]))
        operands.push_back(Operand::constant(wanted, random_()));
      else
        operands.push_back(operand(wanted));
    }
    if (shape.result == Place::element)
      result = t.element(static_cast<unsigned>(operands[1].payload));
    const Operand value =
        program_.append(info.opcode, result, operands, flags, predicate);
    if (info.isIntrinsic())
      addCallAttributes();
    if (!result.isVoid())
      values_.push_back(value);
  }

  Random &random_;
  const RandomOptions &options_;
  Program program_;
  std::vector<Operand> values_; ///< that the next instruction may use
  std::vector<Operand> allocations_;
  std::vector<std::vector<std::size_t>> successors_; ///< by block
  std::vector<std::size_t> carriedBack_; ///< operands of phis, over back edges
};

/// The program with that many copies of the instruction `at` in place of it,
/// behind a `freeze` of one of its operands if so asked. Requires that nothing
/// uses its result if there are no copies.
Program spliced(const Program &program, std::size_t at, std::size_t copies,
                std::optional<std::size_t> frozen = std::nullopt) {
  Program result = program.withoutBlocks();
  const auto renumbered = [&](Operand operand) {
    if (operand.is(Operand::Kind::instruction)) {
      const bool isBehind = operand.payload > at;
      operand.payload += frozen && operand.payload >= at ? 1 : 0;
      operand.payload += isBehind ? copies : 0;
      operand.payload -= isBehind ? 1 : 0;
    }
    return operand;
  };
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction &old = program.instructions[i];
    for (const Block &block : program.blocks)
      if (block.begin == i)
        result.beginBlock();
    std::vector<Operand> operands;
    for (const Operand &operand : program.operandsOf(old))
      operands.push_back(renumbered(operand));
    if (i == at && frozen)
      operands[*frozen] = result.append(Opcode::freeze, operands[*frozen].type,
                                        {operands[*frozen]});
    for (std::size_t n = i == at ? copies : 1; n > 0; --n)
      result.append(old, operands);
  }
  return result;
}

bool isUsed(const Program &program, std::size_t instruction) {
  return std::any_of(program.operands.begin(), program.operands.end(),
                     [&](const Operand &operand) {
                       return operand.is(Operand::Kind::instruction) &&
                              operand.payload == instruction;
                     });
}

/// A lane of a literal changed, an entry of a mask among them, or an index.
Program withOtherLane(Random &random, Program program, std::size_t at) {
  const auto operands = program.operandsOf(program.instructions[at]);
  for (Operand &operand : operands) {
    const bool isLast = &operand == &operands.back();
    if (operand.is(Operand::Kind::pooled)) {
      const Opcode opcode = program.instructions[at].opcode;
      const bool isMask = opcode == Opcode::shufflevector && isLast;
      std::vector<Operand> lanes = program.constants[operand.payload].lanes;
      Operand &lane = lanes[below(random, lanes.size())];
      const std::uint64_t bits =
          isMask ? below(random, 2 * std::uint64_t(operands[0].type.lanes()))
                 : random();
      lane = oneIn(random, 6) ? Operand::poison(lane.type)
                              : Operand::constant(lane.type, bits);
      operand = program.literal(operand.type, std::move(lanes));
      return program;
    }
    if (isLast && operand.is(Operand::Kind::constant) &&
        operand.type.isInteger())
      operand.payload = random() & operand.type.mask();
  }
  return program;
}

/// An edit that may not verify, or change nothing.
Program attemptedEdit(Random &random, Program program,
                      const RandomOptions &options) {
  const std::size_t at = below(random, program.instructions.size());
  Instruction &instruction = program.instructions[at];
  const OpcodeInfo &row = info(instruction.opcode);
  const auto operands = program.operandsOf(instruction);
  // Operands from the second on may be part of what the instruction is.
  const bool isFixed = isImmediate(row.shape, 1) || isImmediate(row.shape, 2) ||
                       instruction.opcode == Opcode::switch_;
  const std::size_t which =
      isFixed || operands.empty() ? 0 : below(random, operands.size());
  const bool isValue = !operands.empty() && !operands[which].type.isVoid();
  const bool isPhi = instruction.opcode == Opcode::phi;
  constexpr unsigned ofNumbers = 10;
  constexpr unsigned ofMemory = 13;
  if (!options.lanes.empty() && oneIn(random, 3))
    return withOtherLane(random, std::move(program), at);
  switch (below(random, options.memory ? ofMemory : ofNumbers)) {
  case 0:
  case 1: // drop flags
    instruction.flags =
        Flags(static_cast<std::uint8_t>(instruction.flags.bits() & random()));
    break;
  case 2: // commute
    if (row.has(trait::commutative))
      std::swap(operands[0], operands[1]);
    break;
  case 3:
    if (isValue && !isPhi)
      return spliced(program, at, 1, which);
    break;
  case 4:
    instruction.flags = randomFlags(random, instruction.opcode);
    break;
  case 5:
    if (row.shape == Shape::compare)
      instruction.predicate = randomPredicate(random);
    break;
  case 6: { // another opcode of the same shape
    const auto table = opcodeTable();
    const OpcodeInfo &other = table[below(random, table.size())];
    const bool fits = other.shape == row.shape && !row.isTerminator() &&
                      worksOn(other, typeOf(program, instruction)) &&
                      (options.intrinsics || !other.isIntrinsic());
    if (fits) {
      instruction.opcode = other.opcode;
      instruction.flags = randomFlags(random, other.opcode);
    }
    break;
  }
  case 7: { // another operand
    if (!isValue)
      break;
    const Type type = operands[which].type;
    std::vector<Operand> candidates;
    if (type.isInteger())
      candidates.push_back(Operand::constant(type, random()));
    else if (type.isVector() && type.lane(0).isInteger() && oneIn(random, 2))
      candidates.push_back(program.literal(
          type, std::vector(type.lanes(),
                            Operand::constant(type.lane(0), random()))));
    for (std::size_t i = 0; i < program.signature.parameters.size(); ++i)
      if (program.signature.parameters[i].type == type)
        candidates.push_back(Operand::argument(type, i));
    for (std::size_t i = 0; i < (isPhi ? program.instructions.size() : at); ++i)
      if (program.instructions[i].type == type)
        candidates.push_back(Operand::instruction(type, i));
    if (!candidates.empty())
      operands[which] = candidates[below(random, candidates.size())];
    break;
  }
  case 8: // the other way round, or to another block
    if (instruction.opcode == Opcode::br && operands.size() == 3)
      std::swap(operands[1], operands[2]);
    else if (operands.size() > 1 && row.isTerminator())
      operands[1] = Operand::block(below(random, program.blocks.size()));
    break;
  case 9: // calls and attributes
    if (instruction.opcode == Opcode::call && options.attributes &&
        oneIn(random, 3)) {
      if (instruction.attributes == Instruction::noAttributes)
        attach(program, instruction, {});
      program.callAttributes[instruction.attributes].function =
          randomFunctionAttributes(random);
      return program;
    }
    if (instruction.opcode == Opcode::call && !isUsed(program, at))
      return spliced(program, at, 2 * below(random, 2));
    if (options.attributes && options.calls && oneIn(random, 4))
      program.signature.function = randomFunctionAttributes(random);
    else if (options.attributes && !program.signature.returnType.isVoid())
      program.signature.result =
          randomValueAttributes(random, program.signature.returnType);
    break;
  case 10:
    if (row.has(trait::alignment))
      instruction.alignment = 1U << below(random, 2);
    break;
  case 11: // a store less, or twice
    if (row.has(trait::writesMemory) && instruction.type.isVoid())
      return spliced(program, at, 2 * below(random, 2));
    break;
  case 12: { // another pointer
    const std::size_t place =
        operands.empty() ? 0 : below(random, operands.size());
    if (operands.empty() || !operands[place].type.isPointer())
      break;
    std::vector<Operand> candidates;
    for (std::size_t i = 0; i < program.signature.parameters.size(); ++i)
      if (program.signature.parameters[i].type.isPointer())
        candidates.push_back(Operand::argument(Type::pointer(), i));
    for (std::size_t i = 0; i < at; ++i)
      if (program.instructions[i].type.isPointer())
        candidates.push_back(Operand::instruction(Type::pointer(), i));
    if (!candidates.empty())
      operands[place] = candidates[below(random, candidates.size())];
    break;
  }
  }
  return program;
}

} // namespace

Program randomProgram(Random &random, const RandomOptions &options) {
  return Generator(random, options).generate();
}

Program randomEdit(Random &random, const Program &program,
                   const RandomOptions &options) {
  for (unsigned attempt = 0; attempt < 32; ++attempt) {
    Program edited = attemptedEdit(random, program, options);
    dropWritable(edited);
    if (edited != program && !verify(edited))
      return edited;
  }
  return program;
}

RandomPair randomPair(Random &random, const RandomOptions &options) {
  RandomPair pair;
  pair.source = pair.target = randomProgram(random, options);
  // Of several blocks many an edit changes nothing that a run can reach.
  // Lanes: many a lane is poison before, or no one's.
  const std::size_t least = options.loops               ? 7
                            : options.maximumBlocks > 1 ? 5
                            : !options.lanes.empty()    ? 12
                                                        : 2;
  for (std::size_t edits = least + below(random, 4); edits > 0; --edits)
    pair.target = randomEdit(random, pair.target, options);
  return pair;
}

} // namespace corpus
