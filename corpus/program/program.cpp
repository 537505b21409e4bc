// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/program.h"

#include "corpus/program/graph.h"
#include "corpus/program/print.h"
#include "corpus/program/shape.h"
#include "corpus/program/target.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace corpus {

std::string toString(Type type) {
  assert(type.isKnown());
  if (type.isVoid())
    return "void";
  if (type.isInteger())
    return fmt::format("i{}", type.width());
  if (type.isPointer())
    return "ptr";
  if (type.isVector())
    return fmt::format("<{} x {}>", type.lanes(), toString(type.lane(0)));
  if (type.isArray())
    return fmt::format("[{} x {}]", type.elements(), toString(type.element(0)));
  return fmt::format("{{ {}, {} }}", toString(type.element(0)),
                     toString(type.element(1)));
}

void Program::clear() {
  signature.returnType = Type();
  signature.function = {};
  signature.result = {};
  signature.parameters.clear();
  blocks.clear();
  instructions.clear();
  operands.clear();
  callees.clear();
  callAttributes.clear();
  constants.clear();
  globals.clear();
  bigEndian = false;
}

Program Program::withoutBlocks() const {
  Program out;
  out.signature = signature;
  out.callees = callees;
  out.callAttributes = callAttributes;
  out.constants = constants;
  out.globals = globals;
  out.bigEndian = bigEndian;
  return out;
}

void Program::beginBlock() {
  const auto position = static_cast<std::uint32_t>(instructions.size());
  blocks.push_back({position, position});
}

Operand Program::append(Opcode opcode, Type type,
                        std::span<const Operand> values, Flags flags,
                        Predicate predicate) {
  Instruction instruction;
  instruction.opcode = opcode;
  instruction.flags = flags;
  instruction.predicate = predicate;
  instruction.type = type;
  return append(instruction, values);
}

Operand Program::append(Instruction like, std::span<const Operand> values) {
  if (blocks.empty())
    beginBlock();
  like.firstOperand = static_cast<std::uint32_t>(operands.size());
  like.operandCount = static_cast<std::uint32_t>(values.size());
  operands.insert(operands.end(), values.begin(), values.end());
  instructions.push_back(like);
  blocks.back().end = static_cast<std::uint32_t>(instructions.size());
  return Operand::instruction(like.type, instructions.size() - 1);
}

Operand Program::literal(Type type, std::vector<Operand> lanes) {
  assert(!type.isScalar() && lanes.size() == type.lanes());
  for (const Operand::Kind kind : {Operand::Kind::undef, Operand::Kind::poison})
    if (std::all_of(lanes.begin(), lanes.end(),
                    [&](const Operand &lane) { return lane.is(kind); }))
      return {kind, type, 0};
  const Constant constant = {type, std::move(lanes)};
  auto found = std::find(constants.begin(), constants.end(), constant);
  if (found == constants.end())
    found = constants.insert(found, constant);
  return Operand::pooled(type,
                         static_cast<std::uint64_t>(found - constants.begin()));
}

Operand Program::addParameter(Type type, Attributes attributes) {
  signature.parameters.push_back({type, std::move(attributes)});
  return Operand::argument(type, signature.parameters.size() - 1);
}

bool Program::isStraightLine() const {
  return blocks.size() == 1 && !instructions.empty() &&
         instructions.back().opcode == Opcode::ret;
}

unsigned Program::instructionCount() const {
  return static_cast<unsigned>(
      std::count_if(instructions.begin(), instructions.end(),
                    [](const Instruction &instruction) {
                      return !info(instruction.opcode).isTerminator();
                    }));
}

std::uint64_t allocationSize(Type type) {
  assert(type.isSingle());
  return std::bit_ceil(storeSize(type));
}

Callee indirectCallee(Type result, std::span<const Type> parameters) {
  Callee callee;
  callee.signature.returnType = result;
  callee.signature.parameters.push_back(
      {Type::pointer(), {attribute::noundef | attribute::nonnull}});
  callee.name = "*" + toString(result);
  for (const Type type : parameters) {
    callee.signature.parameters.push_back({type, {}});
    callee.name += " " + toString(type);
  }
  return callee;
}

std::uint32_t functionAttributeBits(const Program &program,
                                    const Instruction &call) {
  std::uint32_t bits = program.callees[call.callee].signature.function.bits;
  if (call.attributes != Instruction::noAttributes)
    bits |= program.callAttributes[call.attributes].function.bits;
  return bits;
}

bool mayBeSeen(const Instruction &instruction) {
  const OpcodeInfo &row = info(instruction.opcode);
  return row.isTerminator() || row.has(trait::mayBeSeen) ||
         instruction.attributes != Instruction::noAttributes;
}

namespace {

/// Where attributes of a value of this type may stand.
std::uint8_t placesOf(Type type) {
  if (!type.isSingle())
    return type.isVoid() ? 0 : place::value;
  return type.lane(0).isInteger() ? place::integer : place::pointer;
}

/// One pass over the program; the first broken invariant stops it.
class Verifier {
public:
  explicit Verifier(const Program &program) : program_(program) {}

  std::optional<std::string> run() {
    if (!checkLayout() || !checkSignature() || !checkConstants() ||
        !checkGlobals() || !checkInstructions() || !checkByteOrder() ||
        !checkDominance())
      return std::move(problem_);
    return std::nullopt;
  }

private:
  bool fail(std::string message) {
    problem_ = std::move(message);
    return false;
  }
  bool failAt(std::size_t index, std::string_view message) {
    return fail(fmt::format("instruction {} ({}): {}", index,
                            info(program_.instructions[index].opcode).spelling,
                            message));
  }

  bool checkLayout() {
    if (program_.blocks.empty())
      return fail("no blocks");
    std::size_t next = 0;
    for (const Block &block : program_.blocks) {
      if (block.begin != next || block.end <= block.begin ||
          block.end > program_.instructions.size())
        return fail("blocks do not cut the instructions into runs");
      next = block.end;
    }
    if (next != program_.instructions.size())
      return fail("instructions behind the last block");
    if (program_.blocks.size() == 1)
      return true;
    blockOf_.resize(program_.instructions.size());
    for (std::size_t b = 0; b < program_.blocks.size(); ++b)
      std::fill(blockOf_.begin() + program_.blocks[b].begin,
                blockOf_.begin() + program_.blocks[b].end, b);
    return true;
  }

  std::size_t blockOf(std::size_t instruction) const {
    return blockOf_.empty() ? 0 : blockOf_[instruction];
  }

  bool checkAttributes(const Attributes &attributes, std::uint8_t places,
                       Type type) {
    if (attributes.empty() && attributes.values.empty())
      return true;
    std::size_t values = 0;
    for (const AttributeInfo &row : attributeTable) {
      if (!attributes.has(row.bit))
        continue;
      // Of an aggregate what may stand on values of every type.
      const std::uint8_t needed =
          row.places == place::load ? places & place::load : places;
      if (needed == 0 || (row.places & needed) != needed)
        return fail(
            fmt::format("attribute {} in the wrong place", row.spelling));
      if (row.value == AttributeValue::none)
        continue;
      if (values == attributes.values.size() ||
          attributes.values[values].bit != row.bit ||
          !isValid(row, attributes.values[values], type))
        return fail(fmt::format("value of attribute {}", row.spelling));
      ++values;
    }
    if (values != attributes.values.size() ||
        attributes.bits >> attributeTable.size() != 0)
      return fail("unknown attribute");
    return true;
  }
  bool checkAttributes(const Attributes &attributes, Type type) {
    return checkAttributes(attributes, placesOf(type), type);
  }
  bool checkFunctionAttributes(const Attributes &attributes) {
    return checkAttributes(attributes, place::function, Type());
  }

  static bool isValid(const AttributeInfo &row, const Attributes::Value &value,
                      Type type) {
    switch (row.value) {
    case AttributeValue::none:
      return false;
    case AttributeValue::interval:
      return ((value.low | value.high) & ~type.lane(0).mask()) == 0;
    case AttributeValue::bytes:
      return value.low != 0 && value.high == 0;
    case AttributeValue::powerOfTwo:
      return std::has_single_bit(value.low) && value.high == 0;
    case AttributeValue::byteInterval:
      return static_cast<std::int64_t>(value.low) <
             static_cast<std::int64_t>(value.high);
    case AttributeValue::captures:
      return captures::isClosed(value.low) && captures::isClosed(value.high) &&
             (value.low != captures::all || value.high != captures::all);
    case AttributeValue::memory:
      return value.high == 0 && value.low != 0 && value.low < memory::all &&
             value.low != memory::readOnly;
    }
    return false;
  }

  bool checkSignature(const Signature &signature) {
    if (!signature.returnType.isKnown())
      return fail("unknown return type");
    for (const Parameter &parameter : signature.parameters)
      if (!parameter.type.isKnown() || parameter.type.isVoid() ||
          !checkAttributes(parameter.attributes, parameter.type))
        return problem_ ? false : fail("a parameter without a type");
    return checkAttributes(signature.result, signature.returnType) &&
           checkFunctionAttributes(signature.function);
  }

  bool checkConstants() {
    for (std::size_t i = 0; i < program_.constants.size(); ++i) {
      const Constant &constant = program_.constants[i];
      const Type type = constant.type;
      if (!type.isKnown() || type.isScalar() ||
          constant.lanes.size() != type.lanes() || constant.lanes.empty())
        return fail("a constant of the pool without a literal for each lane");
      for (unsigned lane = 0; lane < constant.lanes.size(); ++lane)
        if (constant.lanes[lane].type != type.lane(lane) ||
            !isScalarLiteral(constant.lanes[lane]))
          return fail("malformed lane of a constant");
      const bool same =
          std::all_of(constant.lanes.begin(), constant.lanes.end(),
                      [&](const Operand &lane) {
                        return lane.kind == constant.lanes[0].kind;
                      });
      if (same && !constant.lanes[0].is(Operand::Kind::constant))
        return fail("a constant of the pool that is all undef or all poison");
      if (std::find(program_.constants.begin(), program_.constants.begin() + i,
                    constant) != program_.constants.begin() + i)
        return fail("two equal constants in the pool");
    }
    return true;
  }

  static bool isAllocation(Type type, std::uint64_t count,
                           std::uint32_t alignment) {
    return type.isSingle() &&
           count < maximumAllocation / allocationSize(type) &&
           std::has_single_bit(alignment);
  }

  bool checkGlobals() {
    for (std::size_t i = 0; i < program_.globals.size(); ++i) {
      const Global &global = program_.globals[i];
      if (!isAllocation(global.type, global.count, global.alignment))
        return fail("a global variable that cannot be");
      if (!global.contents.empty() &&
          (!global.isConstant ||
           global.contents.size() !=
               global.count * allocationSize(global.type)))
        return fail("contents that do not fit their global variable");
      for (std::size_t j = 0; j < i; ++j)
        if (program_.globals[j].name == global.name)
          return fail("two global variables of one name");
    }
    return true;
  }

  bool checkByteOrder() {
    if (program_.bigEndian && !hasByteOrder(program_))
      return fail("a byte order without anything in memory");
    return true;
  }

  static bool isScalarLiteral(const Operand &operand) {
    if (operand.is(Operand::Kind::undef) || operand.is(Operand::Kind::poison))
      return operand.payload == 0;
    if (!operand.is(Operand::Kind::constant) || !operand.type.isScalar())
      return false;
    return operand.type.isPointer()
               ? operand.payload == 0
               : (operand.payload & ~operand.type.mask()) == 0;
  }

  static bool isIndirectCallee(const Callee &callee) {
    std::vector<Type> types;
    for (const Parameter &parameter : callee.signature.parameters)
      types.push_back(parameter.type);
    return !types.empty() &&
           callee == indirectCallee(callee.signature.returnType,
                                    std::span(types).subspan(1));
  }

  bool checkSignature() {
    for (const Callee &callee : program_.callees) {
      const TargetIntrinsic *known = targetIntrinsic(callee.name);
      if (!checkSignature(callee.signature))
        return false;
      if (known != nullptr && !(known->callee == callee))
        return fail("an intrinsic of a target with another signature");
      if (callee.isIndirect() && !isIndirectCallee(callee))
        return fail("a call through a pointer of another type");
    }
    return checkSignature(program_.signature);
  }

  bool checkOperand(std::size_t index, const Operand &operand) {
    if (!operand.type.isKnown())
      return failAt(index, "operand of an unknown type");
    switch (operand.kind) {
    case Operand::Kind::constant:
      if (!isScalarLiteral(operand))
        return failAt(index, "constant wider than its type");
      return true;
    case Operand::Kind::pooled:
      if (operand.payload >= program_.constants.size() ||
          program_.constants[operand.payload].type != operand.type)
        return failAt(index, "no such constant");
      return true;
    case Operand::Kind::global:
      if (operand.payload >= program_.globals.size() ||
          !operand.type.isPointer())
        return failAt(index, "no such global variable");
      return true;
    case Operand::Kind::undef:
    case Operand::Kind::poison:
      if (operand.type.isVoid() || operand.payload != 0)
        return failAt(index, "malformed undef or poison");
      return true;
    case Operand::Kind::argument:
      if (operand.payload >= program_.signature.parameters.size() ||
          program_.signature.parameters[operand.payload].type != operand.type)
        return failAt(index, "no such argument");
      return true;
    case Operand::Kind::instruction:
      if (operand.payload >= program_.instructions.size() ||
          program_.instructions[operand.payload].type != operand.type ||
          operand.type.isVoid())
        return failAt(index, "no such result");
      return true;
    case Operand::Kind::block:
      if (operand.payload >= program_.blocks.size() || !operand.type.isVoid())
        return failAt(index, "no such block");
      if (operand.payload == 0 &&
          info(program_.instructions[index].opcode).isTerminator())
        return failAt(index, "branch to the entry block");
      return true;
    }
    return failAt(index, "unknown operand kind");
  }

  bool isAllocated(const Operand &operand) const {
    return operand.is(Operand::Kind::instruction) &&
           program_.instructions[operand.payload].opcode == Opcode::alloca_;
  }

  /// Operand and result types, by the row of the shape.
  bool checkShape(std::size_t index) {
    const Instruction &instruction = program_.instructions[index];
    const OpcodeInfo &row = info(instruction.opcode);
    const ShapeInfo &shape = info(row.shape);
    const auto values = program_.operandsOf(instruction);
    switch (row.shape) {
    case Shape::phi:
    case Shape::call:
    case Shape::address:
    case Shape::terminator:
      return checkVariadic(row, instruction, values);
    case Shape::allocation:
      if (blockOf(index) != 0 || values.size() != 1 ||
          !isAllocation(instruction.accessedType, values[0].payload,
                        instruction.alignment))
        return false;
      break;
    case Shape::intrinsicLifetime:
      if (values.size() != 1 || !isAllocated(values[0]))
        return false;
      break;
    default:
      break;
    }
    if (values.size() != shape.operandCount())
      return false;
    const Type t = typeOf(program_, instruction);
    if (shape.types != 0 && !worksOn(row, t))
      return false;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!fits(shape.operands[i], t, values[i].type) ||
          (shape.operands[i] != Place::mask && isImmediate(shape.operands[i]) &&
           (!values[i].is(Operand::Kind::constant) ||
            (shape.operands[i] == Place::immediateFalse &&
             values[i].payload != 0))))
        return false;
    return fits(shape.result, t, instruction.type) &&
           checkImmediate(shape, t, instruction, values);
  }

  /// Those that name an element or lanes.
  bool checkImmediate(const ShapeInfo &shape, Type t,
                      const Instruction &instruction,
                      std::span<const Operand> values) {
    switch (shape.operands[values.size() - 1]) {
    case Place::immediateIndex: {
      const Type element =
          shape.result == Place::element ? instruction.type : values[1].type;
      return values.back().payload < t.elements() &&
             t.element(static_cast<unsigned>(values.back().payload)) == element;
    }
    case Place::immediateLane: {
      const unsigned part =
          (shape.result == Place::part ? instruction.type : values[1].type)
              .lanes();
      return part != 0 && values.back().payload % part == 0 &&
             values.back().payload <= t.lanes() - part;
    }
    case Place::mask:
      return values.back().type.lanes() == instruction.type.lanes() &&
             isMask(values.back(), 2 * t.lanes());
    default:
      return true;
    }
  }
  bool isMask(const Operand &mask, unsigned lanes) const {
    if (mask.is(Operand::Kind::poison))
      return true;
    if (!mask.is(Operand::Kind::pooled))
      return false;
    const std::vector<Operand> &entries =
        program_.constants[mask.payload].lanes;
    return std::all_of(entries.begin(), entries.end(), [&](const Operand &at) {
      return at.is(Operand::Kind::poison) ||
             (at.is(Operand::Kind::constant) && at.payload < lanes);
    });
  }

  bool checkVariadic(const OpcodeInfo &row, const Instruction &instruction,
                     std::span<const Operand> values) {
    switch (row.shape) {
    case Shape::phi:
      if (!worksOn(row, instruction.type) || values.empty() ||
          values.size() % 2 != 0)
        return false;
      for (std::size_t i = 0; i < values.size(); i += 2)
        if (values[i].type != instruction.type ||
            !values[i + 1].is(Operand::Kind::block))
          return false;
      return true;
    case Shape::address:
      if (values.size() < 3 || values.size() % 2 != 1 ||
          !values[0].type.isPointer() || !instruction.type.isPointer() ||
          instruction.flags.has(flag::inbounds | flag::nusw))
        return false;
      for (std::size_t i = 1; i < values.size(); i += 2)
        if (!values[i].type.isInteger() ||
            !values[i + 1].is(Operand::Kind::constant) ||
            values[i + 1].type != Type::integer(64))
          return false;
      return true;
    case Shape::call: {
      if (instruction.callee >= program_.callees.size())
        return false;
      const Signature &callee = program_.callees[instruction.callee].signature;
      if (const TargetIntrinsic *known =
              targetIntrinsic(program_.callees[instruction.callee].name))
        for (std::size_t i = 0; i < values.size(); ++i)
          if ((known->immediates >> i & 1) != 0 &&
              !values[i].is(Operand::Kind::constant))
            return false;
      return instruction.type == callee.returnType &&
             std::equal(values.begin(), values.end(), callee.parameters.begin(),
                        callee.parameters.end(),
                        [](const Operand &value, const Parameter &parameter) {
                          return value.type == parameter.type;
                        });
    }
    default:
      return instruction.type.isVoid() && checkTerminator(instruction, values);
    }
  }

  bool checkTerminator(const Instruction &instruction,
                       std::span<const Operand> values) {
    const auto isBlock = [&](std::size_t i) {
      return values[i].is(Operand::Kind::block);
    };
    switch (instruction.opcode) {
    case Opcode::ret:
      return program_.signature.returnType.isVoid()
                 ? values.empty()
                 : values.size() == 1 &&
                       values[0].type == program_.signature.returnType;
    case Opcode::br:
      return (values.size() == 1 && isBlock(0)) ||
             (values.size() == 3 && values[0].type == Type::integer(1) &&
              isBlock(1) && isBlock(2));
    case Opcode::switch_: {
      if (values.size() < 2 || values.size() % 2 != 0 ||
          !values[0].type.isInteger() || !isBlock(1))
        return false;
      for (std::size_t i = 2; i < values.size(); i += 2) {
        if (!values[i].is(Operand::Kind::constant) ||
            values[i].type != values[0].type || !isBlock(i + 1))
          return false;
        for (std::size_t j = 2; j < i; j += 2)
          if (values[j] == values[i])
            return false;
      }
      return true;
    }
    default:
      return instruction.opcode == Opcode::unreachable && values.empty();
    }
  }

  bool checkInstructions() {
    std::uint32_t nextOperand = 0;
    for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
      const Instruction &instruction = program_.instructions[i];
      const Block &block = program_.blocks[blockOf(i)];
      if (static_cast<std::size_t>(instruction.opcode) >= opcodeTable().size())
        return fail("unknown opcode");
      const OpcodeInfo &row = info(instruction.opcode);
      if (instruction.firstOperand != nextOperand ||
          instruction.operandCount > program_.operands.size() - nextOperand)
        return failAt(i, "operands are not in instruction order");
      nextOperand += instruction.operandCount;
      if (row.isTerminator() != (i + 1 == block.end))
        return failAt(i, "a block ends in its only terminator");
      if (instruction.opcode == Opcode::phi && i > block.begin &&
          program_.instructions[i - 1].opcode != Opcode::phi)
        return failAt(i, "phi behind another instruction");
      if (!row.allowedFlags.has(instruction.flags))
        return failAt(i, "flag that the opcode does not have");
      if (instruction.flags.has(flag::samesign) &&
          instruction.operandCount != 0 &&
          program_.operands[instruction.firstOperand].type.isPointer())
        return failAt(i, "samesign on pointers");
      if (!row.has(trait::predicate) && instruction.predicate != Predicate::eq)
        return failAt(i, "predicate on something that is not icmp");
      if (static_cast<std::size_t>(instruction.predicate) >=
          predicateTable.size())
        return failAt(i, "unknown predicate");
      if (!row.has(trait::callee) && instruction.callee != 0)
        return failAt(i, "callee on something that is not a call");
      if (row.has(trait::accessedType) ? !instruction.accessedType.isKnown() ||
                                             instruction.accessedType.isVoid()
                                       : !instruction.accessedType.isVoid())
        return failAt(i, "accessed type where there is none, or none");
      if (row.has(trait::alignment)
              ? !std::has_single_bit(instruction.alignment)
              : instruction.alignment != 0)
        return failAt(i, "alignment that cannot be, or none");
      if (!checkCallAttributes(i))
        return false;
      const bool takesBlocks =
          row.shape == Shape::terminator || row.shape == Shape::phi;
      for (const Operand &operand : program_.operandsOf(instruction)) {
        if (!checkOperand(i, operand))
          return false;
        if (operand.is(Operand::Kind::block) && !takesBlocks)
          return failAt(i, "a block as an operand");
      }
      if (!instruction.type.isKnown() || !checkShape(i))
        return failAt(i, "operands do not fit");
    }
    if (nextOperand != program_.operands.size())
      return fail("operands behind the last instruction");
    return true;
  }

  bool checkCallAttributes(std::size_t index) {
    const Instruction &instruction = program_.instructions[index];
    if (instruction.attributes == Instruction::noAttributes)
      return true;
    const OpcodeInfo &row = info(instruction.opcode);
    const bool isLoad = row.shape == Shape::load;
    if (!row.isIntrinsic() && row.shape != Shape::call && !isLoad)
      return failAt(index, "attributes on something that is not a call");
    if (instruction.attributes >= program_.callAttributes.size())
      return failAt(index, "no such call attributes");
    const CallAttributes &call =
        program_.callAttributes[instruction.attributes];
    if (!call.parameters.empty() &&
        call.parameters.size() != instruction.operandCount)
      return failAt(index, "attributes do not fit the arguments");
    if (isLoad && (!call.parameters.empty() || !call.function.empty()))
      return failAt(index, "more than metadata on a load");
    if (isLoad)
      return checkAttributes(call.result,
                             placesOf(instruction.type) | place::load,
                             instruction.type);
    const auto values = program_.operandsOf(instruction);
    for (std::size_t i = 0; i < call.parameters.size(); ++i)
      if (!checkAttributes(call.parameters[i], values[i].type))
        return false;
    return checkAttributes(call.result, instruction.type) &&
           checkFunctionAttributes(call.function);
  }

  /// Dominance in the one block that most functions of a campaign are.
  bool checkOrder() {
    for (std::size_t i = 0; i < program_.instructions.size(); ++i)
      for (const Operand &value : program_.operandsOf(program_.instructions[i]))
        if (value.is(Operand::Kind::instruction) && value.payload >= i)
          return failAt(i, "operand does not dominate its use");
    return true;
  }

  bool checkDominance() {
    if (program_.blocks.size() == 1)
      return checkOrder();
    const Graph graph(program_);
    for (std::size_t b = 1; b < graph.size(); ++b)
      if (graph.predecessors(b).empty())
        return fail(fmt::format("block {} has no predecessors", b));
    const auto dominates = [&](std::size_t definition, std::size_t block,
                               std::size_t position) {
      return blockOf(definition) == block
                 ? definition < position
                 : graph.dominates(blockOf(definition), block);
    };

    for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
      const Instruction &instruction = program_.instructions[i];
      const auto values = program_.operandsOf(instruction);
      if (instruction.opcode == Opcode::phi) {
        std::vector<std::size_t> incoming;
        for (std::size_t v = 0; v < values.size(); v += 2) {
          const std::size_t from = values[v + 1].payload;
          incoming.push_back(from);
          for (std::size_t w = 0; w < v; w += 2)
            if (values[w + 1].payload == from && values[w] != values[v])
              return failAt(i, "several values over edges from one block");
          if (values[v].is(Operand::Kind::instruction) &&
              !dominates(values[v].payload, from, program_.blocks[from].end))
            return failAt(i, "operand does not dominate its edge");
        }
        std::sort(incoming.begin(), incoming.end());
        if (!std::ranges::equal(incoming, graph.predecessors(blockOf(i))))
          return failAt(i, "phi does not list its block's predecessors");
        continue;
      }
      for (const Operand &value : values)
        if (value.is(Operand::Kind::instruction) &&
            !dominates(value.payload, blockOf(i), i))
          return failAt(i, "operand does not dominate its use");
    }
    return true;
  }

  const Program &program_;
  std::vector<std::size_t> blockOf_;
  std::optional<std::string> problem_;
};

} // namespace

bool hasByteOrder(const Program &program) {
  return std::any_of(program.instructions.begin(), program.instructions.end(),
                     [](const Instruction &instruction) {
                       return info(instruction.opcode).has(trait::byteOrder);
                     });
}

std::optional<std::string> verify(const Program &program) {
  return Verifier(program).run();
}

} // namespace corpus
