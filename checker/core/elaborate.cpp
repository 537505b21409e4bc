// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/core/elaborate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace checker::core {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Shape;
using corpus::Type;

namespace {

enum class Role : std::uint8_t {
  unknown, ///< not elaborated
  lane,
  freeze,
  move, ///< of lanes
  memory,
  phi,
  call,
  ret,
  branch,
  unreachable,
};

struct Row {
  Role role = Role::unknown;
  bool isShift = false;   ///< the knob shift_amount matters
  bool isSelect = false;  ///< the knobs of select matter
  bool hasEffect = false; ///< may be UB
};

constexpr Role roleOf(Opcode opcode, Shape shape) {
  switch (shape) {
  case Shape::binary:
  case Shape::compare:
  case Shape::select:
  case Shape::widen:
  case Shape::narrow:
  case Shape::intrinsicUnary:
  case Shape::intrinsicUnaryWithFlag:
  case Shape::intrinsicBinary:
  case Shape::intrinsicTernary:
  case Shape::intrinsicOverflow:
  case Shape::intrinsicThreeWay:
  case Shape::intrinsicAssume:
    return Role::lane;
  case Shape::unary:
    return opcode == Opcode::freeze ? Role::freeze : Role::unknown;
  case Shape::extract:
  case Shape::intrinsicReduce:
  case Shape::intrinsicExtract:
  case Shape::intrinsicInsert:
  case Shape::insert:
  case Shape::reinterpret:
  case Shape::extractElement:
  case Shape::insertElement:
  case Shape::shuffle:
    return Role::move;
  case Shape::allocation:
  case Shape::load:
  case Shape::store:
  case Shape::address:
    return Role::memory;
  case Shape::toInteger:
  case Shape::toPointer:
  case Shape::intrinsicCopy:
  case Shape::intrinsicFill:
  case Shape::intrinsicLifetime:
    return Role::unknown;
  case Shape::phi:
    return Role::phi;
  case Shape::call:
    return Role::call;
  case Shape::terminator:
    return opcode == Opcode::ret           ? Role::ret
           : opcode == Opcode::unreachable ? Role::unreachable
           : opcode == Opcode::br || opcode == Opcode::switch_ ? Role::branch
                                                               : Role::unknown;
  }
  return Role::unknown;
}

/// An opcode that is not in opcode.def has the role `unknown`.
constexpr std::array<Row, 256> makeRows() {
  std::array<Row, 256> rows{};
  for (const corpus::OpcodeInfo &info : corpus::opcodeTable()) {
    Row &row = rows[static_cast<std::uint8_t>(info.opcode)];
    row.role = roleOf(info.opcode, info.shape);
    row.isShift = info.has(corpus::trait::shift);
    row.hasEffect = info.has(corpus::trait::mayBeUb);
    row.isSelect = info.shape == Shape::select;
  }
  return rows;
}

constexpr std::array<Row, 256> rows = makeRows();

constexpr const Row &rowOf(Opcode opcode) {
  return rows[static_cast<std::uint8_t>(opcode)];
}

} // namespace

std::uint8_t laneModeOf(const Semantics &semantics) {
  const bool hasUndef = semantics.undef == UndefRule::perUse;
  std::uint8_t mode = 0;
  if (semantics.shiftAmount == ShiftRule::masked)
    mode |= mode::shiftMasked;
  if (semantics.shiftAmount == ShiftRule::undef && hasUndef)
    mode |= mode::shiftUndef;
  if (semantics.overflow == OverflowRule::undef && hasUndef)
    mode |= mode::flagUndef;
  if (semantics.selectArms == SelectArms::either)
    mode |= mode::selectEither;
  return mode;
}

namespace {

bool hasSetInputs(const Semantics &semantics) {
  return semantics.undef == UndefRule::perUse &&
         (semantics.inputs == Inputs::poisonUndef ||
          semantics.inputs == Inputs::anySet);
}

constexpr std::uint32_t valueAttributes =
    corpus::attribute::noundef | corpus::attribute::range;

} // namespace

std::string Lack::describe() const {
  struct Name {
    std::uint32_t feature;
    std::string_view text;
  };
  static constexpr Name names[] = {
      {feature::sets, "values that may be undef"},
      {feature::freezes, "freeze"},
      {feature::knobForks, "a nondeterministic branch or select"},
      {feature::blocks, "branches"},
      {feature::loops, "loops"},
      {feature::calls, "calls"},
      {feature::bitwise, "poison_unit=bit"},
      {feature::lanes, "vectors and aggregates"},
      {feature::memory, "memory"},
  };
  switch (kind) {
  case Kind::none:
    return "nothing";
  case Kind::opcode:
    return std::string(corpus::info(static_cast<Opcode>(what)).spelling);
  case Kind::feature:
    for (const Name &name : names)
      if (name.feature == what)
        return std::string(name.text);
    break;
  case Kind::attribute:
    for (const corpus::AttributeInfo &row : corpus::attributeTable)
      if ((row.bit & what) != 0)
        return fmt::format("attribute {}", row.spelling);
    break;
  case Kind::type:
    return fmt::format("a value of type {}", toString(Type::fromId(what)));
  }
  return "something without a name";
}

bool Elaborator::fails(Lack::Kind kind, std::uint32_t what) {
  lack_ = {kind, what};
  return false;
}

Value Elaborator::literal(const Operand &operand) {
  Literal::Kind kind = Literal::Kind::number;
  switch (operand.kind) {
  case Operand::Kind::constant:
    break;
  case Operand::Kind::poison:
    kind = Literal::Kind::poison;
    break;
  case Operand::Kind::undef:
    kind = semantics_->undef == UndefRule::asPoison ? Literal::Kind::poison
                                                    : Literal::Kind::any;
    break;
  case Operand::Kind::pooled:
    return literal(program_->constants[operand.payload]);
  default:
    return fails(Lack::Kind::type, operand.type.id()), Value();
  }
  const Type type = operand.type;
  const unsigned lanes = lanesOf(type);
  if (lanes == 0)
    return fails(Lack::Kind::type, type.id()), Value();
  const bool isSet = kind == Literal::Kind::any;
  if ((isSet && !need(feature::sets)) ||
      (lanes > 1 && !type.isOverflowPair() && !need(feature::lanes)))
    return {};
  const Slot slot = literal(kind, laneWidth(type, 0), operand.payload);
  for (unsigned lane = 1; lane < lanes; ++lane)
    literal(kind, laneWidth(type, lane), 0);
  return {slot, isSet};
}

Value Elaborator::literal(const corpus::Constant &constant) {
  if (lanesOf(constant.type) == 0)
    return fails(Lack::Kind::type, constant.type.id()), Value();
  if (!need(feature::lanes))
    return {};
  Value first;
  bool maySet = false;
  for (const Operand &lane : constant.lanes) {
    const Value value = literal(lane);
    if (!value.exists())
      return {};
    if (!first.exists())
      first = value;
    maySet = maySet || value.maySet();
  }
  return {first.slot(), maySet};
}

Value Elaborator::pick(const Value &set, Type type) {
  if (!need(feature::sets))
    return {};
  return byLane(code::pick, set, type, [](Step &, Slot) {});
}

void Elaborator::require(const Value &value, Type type, std::uint8_t what) {
  const unsigned lanes = lanesOf(type);
  Slot slot = value.slot();
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const unsigned width = laneWidth(type, lane);
    Step &step = add(code::require, width);
    step.mode = what;
    step.more = static_cast<std::uint8_t>(lanes - 1 - lane);
    step.a = slot;
    slot += 1 + width;
  }
}

/// Requires an element, not a set that others see.
bool Elaborator::fork(std::uint32_t feature, std::uint8_t what, Type type,
                      Value &value) {
  if (!need(feature))
    return false;
  value = byLane(code::fork, value, type, [&](Step &step, Slot) {
    step.mode = what;
    const Slot count = 1 + step.width;
    if (nextPick_ == noSlot) {
      step.b = allocate(count);
    } else {
      step.b = nextPick_;
      nextPick_ += count;
    }
    out_->forks.push_back(
        {static_cast<std::uint32_t>(stepCount_ - 1), step.b, step.width});
  });
  value = {value.slot(), value.maySet() && (what & mode::ofSets) == 0};
  return true;
}

/// Range, then noundef. Requires attributes.
bool Elaborator::restrict(const corpus::Attributes &attributes, Type type,
                          Value &value) {
  if (options_->memory != nullptr && value.maySet() && !need(feature::sets))
    return false;
  if ((attributes.bits & ~valueAttributes) != 0)
    return fails(Lack::Kind::attribute, attributes.bits & ~valueAttributes);
  if (attributes.has(corpus::attribute::range)) {
    const auto &range = attributes.range();
    const Type lane = type.lane(0);
    const Slot low = literal(Literal::Kind::number, lane.width(), range.low);
    const Slot size = literal(Literal::Kind::number, lane.width(),
                              (range.high - range.low) & lane.mask());
    value = byLane(code::restrictToRange, value, type, [&](Step &step, Slot) {
      step.b = low;
      step.c = size;
    });
  }
  if (attributes.has(corpus::attribute::noundef))
    require(value, type, mode::ofPoison | mode::ofSets);
  return true;
}

Value Elaborator::choose(Slot guard, const Value &then, const Value &otherwise,
                         Type type) {
  if (options_->memory != nullptr && type.isInteger())
    return chooseWithUndefined(guard, then, otherwise, type.width());
  const Value result =
      byLane(code::choose, then, type, [&](Step &step, Slot offset) {
        step.b = otherwise.slot() + offset;
        step.c = guard;
      });
  return {result.slot(), then.maySet() || otherwise.maySet()};
}

bool Elaborator::notAnInteger(const corpus::Parameter &parameter,
                              Value &value) {
  const Type type = parameter.type;
  if (options_->memory != nullptr && type.isPointer())
    return pointerArgument(parameter, value);
  return lanesOf(type) == 0 ? fails(Lack::Kind::type, type.id())
                            : need(feature::lanes);
}

inline bool Elaborator::arguments() {
  const auto &parameters = program_->signature.parameters;
  Slot slot = options_->arguments;
  const bool maySet = options_->setInputs && hasSetInputs(*semantics_);
  if (maySet && !parameters.empty() && !need(feature::sets))
    return false;
  Value *value = arguments_;
  for (const corpus::Parameter &parameter : parameters) {
    *value = {slot, maySet};
    slot += slotsOf(parameter.type);
    if (!parameter.type.isInteger()) {
      if (!notAnInteger(parameter, *value))
        return false;
      if (parameter.type.isPointer())
        slot += ProgramMemory::slotsOfPointer;
    }
    if (!parameter.attributes.empty() && !parameter.type.isPointer() &&
        !restrict(parameter.attributes, parameter.type, *value))
      return false;
    ++value;
  }
  return true;
}

bool Elaborator::isShared(std::size_t index) const {
  const Instruction &instruction = program_->instructions[index];
  const Row &row = rowOf(instruction.opcode);
  const Function &shared = *options_->shared;
  if (row.hasEffect || (row.role != Role::lane && row.role != Role::move) ||
      instruction.attributes != Instruction::noAttributes ||
      (row.isSelect && semantics_->selectCondition != SelectCondition::poison))
    return false;
  for (const Operand &operand : program_->operandsOf(instruction)) {
    const std::size_t at = operand.payload;
    if (operand.is(Operand::Kind::instruction)
            ? results_[at] != shared.results[at]
            : operand.is(Operand::Kind::argument) &&
                  arguments_[at] != shared.arguments[at])
      return false;
  }
  return true;
}

/// What the knob makes of a select on poison.
Value Elaborator::condition(Value value, Type type) {
  if (semantics_->selectCondition == SelectCondition::ub)
    require(value, type, mode::ofPoison);
  if (semantics_->selectCondition == SelectCondition::nondeterministic)
    fork(feature::knobForks, mode::ofPoison, type, value);
  return value;
}

/// Of a call of an intrinsic.
Value Elaborator::argumentOf(const corpus::CallAttributes &attributes,
                             std::size_t index, const Operand &operand) {
  Value value = use(operand);
  if (!attributes.parameters.empty() && value.exists())
    restrict(attributes.parameters[index], operand.type, value);
  return value;
}

inline bool Elaborator::laneOperation(std::size_t index) {
  const Instruction &instruction = program_->instructions[index];
  const Row row = rowOf(instruction.opcode);
  if (!takes_->opcodes.has(instruction.opcode))
    return fails(Lack::Kind::opcode,
                 static_cast<std::uint32_t>(instruction.opcode));
  const Operand *operands =
      program_->operands.data() + instruction.firstOperand;
  const Type worked = operands[row.isSelect ? 1 : 0].type;
  if (!worked.isInteger())
    return laneByLane(index);
  if (row.isSelect && options_->memory != nullptr)
    return selectWithUndefined(index);
  const corpus::CallAttributes *attributes = attributesOf(instruction);
  // One by one, and by value, so that they stay in registers.
  const auto operand = [&](std::uint32_t i) {
    return i >= instruction.operandCount ? Value()
           : attributes == nullptr       ? use(operands[i])
                                   : argumentOf(*attributes, i, operands[i]);
  };
  const Value first = operand(0);
  const Value b = operand(1);
  const Value c = operand(2);
  const Value a = row.isSelect ? condition(first, Type::integer(1)) : first;
  if (lack_.kind != Lack::Kind::none)
    return false;
  bool maySet = a.maySet() || b.maySet() || c.maySet();

  Step &step =
      add(static_cast<std::uint8_t>(instruction.opcode), worked.width());
  step.flags = instruction.flags.bits() & flagMask_;
  step.predicate = static_cast<std::uint8_t>(instruction.predicate);
  step.mode = laneMode_;
  step.a = a.slot();
  step.b = b.slot();
  step.c = c.slot();
  const bool isVoid = instruction.type.isVoid();
  if (!isVoid) {
    // A lane, of a with.overflow intrinsic and a bit.
    step.resultWidth = static_cast<std::uint8_t>(instruction.type.width());
    step.result = allocate(slotsOf(instruction.type));
  }
  if (((laneMode_ & mode::flagUndef) != 0 && step.flags != 0) ||
      ((laneMode_ & mode::shiftUndef) != 0 && row.isShift)) {
    maySet = true;
    if (!need(feature::sets))
      return false;
  }
  if (isVoid)
    return true;
  Value &result = results_[index];
  result = {step.result, maySet};
  return attributes == nullptr || attributes->result.empty() ||
         restrict(attributes->result, instruction.type, result);
}

bool Elaborator::freeze(std::size_t index) {
  const Instruction &instruction = program_->instructions[index];
  const Operand &operand = program_->operandsOf(instruction).front();
  Value &result = results_[index];
  if (operand.is(Operand::Kind::constant)) {
    result = literal(operand);
    return result.exists();
  }
  Value value = use(operand);
  if (!value.exists() || !fork(feature::freezes, mode::ofPoison | mode::ofSets,
                               instruction.type, value))
    return false;
  result = value;
  return true;
}

/// By the callee, and by the call site if it says more. `noundef` of either
/// looks at what both make poison.
bool Elaborator::restrictAtCall(const corpus::Attributes &declared,
                                const corpus::Attributes *site, Type type,
                                Value &value) {
  return restrict(declared, type, value) &&
         (site == nullptr || (restrict(*site, type, value) &&
                              (!declared.has(corpus::attribute::noundef) ||
                               restrict(declared, type, value))));
}

bool Elaborator::call(std::size_t index) {
  if (!need(feature::calls))
    return false;
  const Instruction &instruction = program_->instructions[index];
  const corpus::Callee &callee = program_->callees[instruction.callee];
  const corpus::CallAttributes *attributes = attributesOf(instruction);
  const auto operands = program_->operandsOf(instruction);
  std::vector<Value> arguments;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    Value value = valueOf(operands[i]);
    const bool hasOwn =
        attributes != nullptr && !attributes->parameters.empty();
    if (!value.exists() ||
        !restrictAtCall(callee.signature.parameters[i].attributes,
                        hasOwn ? &attributes->parameters[i] : nullptr,
                        operands[i].type, value))
      return false;
    arguments.push_back(value);
  }
  Call call;
  call.callee = &callee;
  call.functionAttributes =
      callee.signature.function.bits |
      (attributes == nullptr ? 0 : attributes->function.bits);
  call.firstArgument = static_cast<std::uint32_t>(out_->callArguments.size());
  call.argumentCount = static_cast<std::uint32_t>(arguments.size());
  out_->callArguments.insert(out_->callArguments.end(), arguments.begin(),
                             arguments.end());
  const bool hasResult = !instruction.type.isVoid();
  if (hasResult && lanesOf(instruction.type) == 0)
    return fails(Lack::Kind::type, instruction.type.id());
  if (hasResult)
    call.result = {allocate(slotsOf(instruction.type)),
                   options_->setInputs && hasSetInputs(*semantics_)};
  add(code::call, 1).a = static_cast<Slot>(out_->calls.size());
  out_->calls.push_back(call);
  if ((call.functionAttributes & corpus::attribute::noreturn) != 0)
    add(code::ub, 1);
  if (!hasResult)
    return true;
  Value result = call.result;
  if (!restrictAtCall(callee.signature.result,
                      attributes == nullptr ? nullptr : &attributes->result,
                      instruction.type, result))
    return false;
  results_[index] = result;
  return true;
}

bool Elaborator::ret(std::size_t index) {
  const Instruction &instruction = program_->instructions[index];
  if (program_->signature.function.has(corpus::attribute::noreturn)) {
    add(code::ub, 1);
    return true;
  }
  if (instruction.operandCount == 0)
    return true;
  const Type type = program_->signature.returnType;
  if (options_->memory != nullptr && type.isPointer())
    return returnPointer(index);
  Value value = whole(program_->operands[instruction.firstOperand]);
  if (!value.exists() || (!program_->signature.result.empty() &&
                          !restrict(program_->signature.result, type, value)))
    return false;
  out_->returned = out_->returned.exists()
                       ? choose(guard_, value, out_->returned, type)
                       : value;
  return true;
}

/// Other than phis and branches, which belong to the block.
inline bool Elaborator::instruction(std::size_t index) {
  const Opcode opcode = program_->instructions[index].opcode;
  const Role role = rowOf(opcode).role;
  if (role == Role::lane) // as in valueOf()
    return laneOperation(index);
  switch (role) {
  case Role::ret:
    return ret(index);
  case Role::freeze:
    return freeze(index);
  case Role::move:
    return moveLanes(index);
  case Role::call:
    return call(index);
  case Role::memory:
    return memory(index);
  case Role::unreachable:
    add(code::ub, 1);
    return true;
  default:
    return fails(Lack::Kind::opcode, static_cast<std::uint32_t>(opcode));
  }
}

bool Elaborator::elaborate(const Program &program, const Semantics &semantics,
                           const Takes &takes, const Options &options,
                           Function &out) {
  program_ = &program;
  semantics_ = &semantics;
  takes_ = &takes;
  options_ = &options;
  out_ = &out;
  lack_ = {};
  laneMode_ = laneModeOf(semantics);
  flagMask_ = semantics.overflow == OverflowRule::wrap ? 0 : 0xff;
  nextPick_ = options.picks;
  guard_ = noSlot;
  out.literals.clear();
  out.forks.clear();
  out.calls.clear();
  out.callArguments.clear();
  out.definitions.clear();
  out.returned = {};
  out.features = 0;
  out.end = options.free;
  if (out.results.size() < program.instructions.size())
    out.results.resize(program.instructions.size());
  if (out.arguments.size() < program.signature.parameters.size())
    out.arguments.resize(program.signature.parameters.size());
  results_ = out.results.data();
  arguments_ = out.arguments.data();
  stepCount_ = 0;
  const bool isTaken = elaborate();
  if (options.memory != nullptr && isTaken)
    leaveMemory();
  out.steps = std::span(out.storage.data(), stepCount_);
  return isTaken;
}

bool Elaborator::elaborate() {
  if (semantics_->poisonUnit == PoisonUnit::bit && !need(feature::bitwise))
    return false;
  if (options_->memory != nullptr) {
    if (!need(feature::memory))
      return false;
    enterMemory();
  }
  if (!arguments())
    return false;
  if (program_->blocks.size() != 1)
    return need(feature::blocks) && blocks();
  const std::size_t last = program_->instructions.size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    if (i < options_->sharedInstructions && isShared(i)) {
      results_[i] = options_->shared->results[i];
      continue;
    }
    if (!instruction(i))
      return false;
    if (options_->wantDefinitions && !program_->instructions[i].type.isVoid())
      out_->definitions.push_back(
          {static_cast<std::uint32_t>(i), results_[i], noSlot});
  }
  return instruction(last);
}

bool Elaborator::blocks() {
  graph_.emplace(*program_);
  edges_.clear();
  registers_.clear();
  std::fill_n(results_, program_->instructions.size(), Value());
  if (graph_->hasCycle() && !need(feature::loops))
    return false;
  const unsigned last = graph_->hasCycle() ? options_->unroll : 0;
  for (unsigned backEdges = 0; backEdges <= last; ++backEdges)
    for (std::size_t place = 0; place < graph_->order().size(); ++place)
      if (!block({backEdges, place}))
        return false;
  return true;
}

/// Nothing where no edge leads to this copy.
bool Elaborator::block(const Copy &copy) {
  guard_ = noSlot;
  for (const Edge &edge : edges_) {
    if (edge.to != copy)
      continue;
    if (guard_ == noSlot) {
      guard_ = edge.guard;
      continue;
    }
    Step &step = add(code::join, 1);
    step.a = guard_;
    step.b = edge.guard;
    step.result = guard_ = allocate(1);
  }
  if (copy.place == 0 && copy.backEdges == 0)
    guard_ = literal(Literal::Kind::on, 1, 0);
  if (guard_ == noSlot)
    return true;
  const std::size_t enter = stepCount_;
  add(code::enterBlock, 1).a = guard_;
  if (graph_->hasCycle() && copy != Copy{})
    merge(copy);
  const corpus::Block &block = program_->blocks[graph_->order()[copy.place]];
  for (std::size_t i = block.begin; i < block.end; ++i) {
    const Instruction &at = program_->instructions[i];
    switch (rowOf(at.opcode).role) {
    case Role::phi:
      if (!graph_->hasCycle() && !phi(i, copy))
        return false;
      break;
    case Role::branch:
      if (!branch(i, copy))
        return false;
      break;
    default:
      if (!instruction(i))
        return false;
    }
    if (options_->wantDefinitions && !at.type.isVoid())
      out_->definitions.push_back(
          {static_cast<std::uint32_t>(i), results_[i], guard_});
  }
  out_->storage[enter].b = static_cast<Slot>(stepCount_);
  return true;
}

/// The whole set of the edge that was taken. Without loops each block that an
/// edge comes from stands there once.
bool Elaborator::phi(std::size_t index, const Copy &copy) {
  const Instruction &instruction = program_->instructions[index];
  const auto operands = program_->operandsOf(instruction);
  Value merged;
  for (std::size_t i = 0; i < operands.size(); i += 2) {
    const auto edge =
        std::find_if(edges_.begin(), edges_.end(), [&](const Edge &e) {
          return e.to == copy && e.from == operands[i + 1].payload;
        });
    if (edge == edges_.end())
      continue; // from a block that nothing reaches
    const Value value = whole(operands[i]);
    if (!value.exists())
      return false;
    merged = merged.exists()
                 ? choose(edge->guard, value, merged, instruction.type)
                 : value;
  }
  results_[index] = merged;
  return true;
}

/// The registers that the block and those behind it may use: its phis, and what
/// was computed on every path.
void Elaborator::merge(const Copy &copy) {
  Value *merged = results_;
  std::fill_n(merged, program_->instructions.size(), Value());
  const std::size_t here = graph_->order()[copy.place];
  bool isFirst = true;
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const Edge edge = edges_[e];
    if (edge.to != copy)
      continue;
    for (std::size_t block : graph_->order()) {
      if (!graph_->dominates(block, here))
        continue;
      for (std::size_t i = program_->blocks[block].begin;
           i < program_->blocks[block].end; ++i) {
        const Instruction &instruction = program_->instructions[i];
        if (block == here && instruction.opcode != Opcode::phi)
          break;
        const Value value = registers_[edge.registers][i];
        if (isFirst || !value.exists())
          merged[i] = value;
        else if (merged[i] != value)
          merged[i] = choose(edge.guard, value, merged[i], instruction.type);
      }
    }
    isFirst = false;
  }
}

bool Elaborator::addEdge(const Copy &from, std::size_t to, Slot guard) {
  const std::size_t block = graph_->order()[from.place];
  const std::size_t place = graph_->place(to);
  const bool isBack = place <= from.place;
  const Copy target{from.backEdges + (isBack ? 1 : 0), place};
  if (target.backEdges > options_->unroll) {
    add(code::beyond, 1).a = guard;
    return true;
  }
  for (Edge &edge : edges_)
    if (edge.from == block && edge.to == target) {
      Step &step = add(code::join, 1);
      step.a = edge.guard;
      step.b = guard;
      step.result = edge.guard = allocate(1);
      return true;
    }
  edges_.push_back({block, target, guard, registers_.size()});
  if (!graph_->hasCycle())
    return true;
  registers_.emplace_back(results_, results_ + program_->instructions.size());
  for (std::size_t i = program_->blocks[to].begin;
       program_->instructions[i].opcode == Opcode::phi; ++i) {
    const auto operands = program_->operandsOf(program_->instructions[i]);
    for (std::size_t j = 0; j < operands.size(); j += 2)
      if (operands[j + 1].payload == block) {
        const Value value = valueOf(operands[j]);
        if (!value.exists())
          return false;
        registers_.back()[i] = value;
        break;
      }
  }
  return true;
}

bool Elaborator::branch(std::size_t index, const Copy &copy) {
  const auto operands = program_->operandsOf(program_->instructions[index]);
  if (operands.size() == 1)
    return addEdge(copy, operands[0].payload, guard_);
  const bool isSwitch = program_->instructions[index].opcode != Opcode::br;
  const bool poisonForks =
      semantics_->branchOnPoison == BranchRule::nondeterministic;
  const bool setForks =
      semantics_->branchOnUndef == BranchRule::nondeterministic;
  const Type type = operands[0].type;
  Value condition = use(operands[0]);
  if (!condition.exists())
    return false;
  const auto what = static_cast<std::uint8_t>(
      (poisonForks ? 0 : mode::ofPoison) | (setForks ? 0 : mode::ofSets));
  if (what != 0)
    require(condition, type, what);
  if (condition.maySet() && !setForks)
    condition = {
        byLane(code::single, condition, type, [](Step &, Slot) {}).slot(),
        false};
  const auto forks = static_cast<std::uint8_t>(
      (condition.maySet() ? mode::ofSets : 0) |
      (poisonForks && !isSwitch ? mode::ofPoison : 0));
  if (forks != 0 && !fork(feature::knobForks, forks, type, condition))
    return false;

  if (!isSwitch) {
    Step &step = add(code::split, 1);
    step.a = condition.slot();
    const Slot whenTrue = step.b = allocate(1);
    const Slot whenFalse = step.c = allocate(1);
    return addEdge(copy, operands[1].payload, whenTrue) &&
           addEdge(copy, operands[2].payload, whenFalse);
  }
  const Slot rest = allocate(1);
  Step &start = add(code::join, 1);
  start.a = start.b = guard_;
  start.result = rest;
  for (std::size_t i = 2; i < operands.size(); i += 2) {
    Value value = condition;
    Slot number =
        literal(Literal::Kind::number, type.width(), operands[i].payload);
    unsigned width = type.width();
    if (poisonForks) {
      // Poison goes anywhere, to the default even when the cases are all.
      Step &same = add(static_cast<std::uint8_t>(Opcode::icmp), width);
      same.a = condition.slot();
      same.b = number;
      same.resultWidth = width = 1;
      same.result = allocate(2);
      value = {same.result, false};
      if (!fork(feature::knobForks, mode::ofPoison, Type::integer(1), value))
        return false;
      number = literal(Literal::Kind::number, 1, 1);
    }
    Step &step = add(code::splitCase, width);
    step.a = value.slot();
    step.b = number;
    step.c = rest;
    const Slot edge = step.result = allocate(1);
    if (!addEdge(copy, operands[i + 1].payload, edge))
      return false;
  }
  return addEdge(copy, operands[1].payload, rest);
}

} // namespace checker::core
