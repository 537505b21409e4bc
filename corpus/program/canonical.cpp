// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/canonical.h"

#include "corpus/program/shape.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <set>
#include <utility>

namespace corpus {
namespace {

constexpr std::size_t notNumbered = ~std::size_t(0);

/// New number of each argument, or notNumbered.
using Numbering = std::vector<std::size_t>;
/// What orders instructions: equal keys are equal instructions.
using Key = std::vector<std::uint64_t>;

void appendCopy(Program &out, Instruction instruction,
                std::span<const Operand> operands) {
  instruction.firstOperand = static_cast<std::uint32_t>(out.operands.size());
  out.operands.insert(out.operands.end(), operands.begin(), operands.end());
  out.instructions.push_back(instruction);
}

/// Requires that nothing kept uses what is not.
Program keepOnly(const Program &program, const std::vector<bool> &kept) {
  std::vector<std::size_t> position(kept.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    position[i] = next;
    next += kept[i] ? 1 : 0;
  }
  Program out = program.withoutBlocks();
  for (const Block &block : program.blocks) {
    const auto begin = static_cast<std::uint32_t>(out.instructions.size());
    for (std::size_t i = block.begin; i < block.end; ++i)
      if (kept[i])
        appendCopy(out, program.instructions[i],
                   program.operandsOf(program.instructions[i]));
    out.blocks.push_back(
        {begin, static_cast<std::uint32_t>(out.instructions.size())});
  }
  for (Operand &operand : out.operands)
    if (operand.is(Operand::Kind::instruction))
      operand.payload = position[operand.payload];
  return out;
}

void appendKey(Key &key, const Attributes &attributes) {
  key.push_back(attributes.bits);
  for (const Attributes::Value &value : attributes.values)
    key.insert(key.end(), {value.low, value.high});
}

/// Where literals stand before arguments, and those before results.
std::uint64_t rankOf(Operand::Kind kind) {
  return kind == Operand::Kind::pooled
             ? 2 * static_cast<std::uint64_t>(Operand::Kind::poison) + 1
             : 2 * static_cast<std::uint64_t>(kind);
}

/// Finds the least sequence of instructions that a program without dead ones
/// can be written as, and every numbering of the arguments that leads to it.
class LeastSequence {
public:
  LeastSequence(const Program &program, const Numbering &fixed)
      : program_(program), movable_(program.isStraightLine()),
        hasEffects_(std::any_of(
            program.instructions.begin(), program.instructions.end(),
            [](const Instruction &instruction) {
              return info(instruction.opcode)
                  .has(trait::mayNotReturn | trait::accessesMemory);
            })),
        next_(static_cast<std::size_t>(
            std::count_if(fixed.begin(), fixed.end(),
                          [](std::size_t n) { return n != notNumbered; }))),
        numbering_(fixed), position_(program.instructions.size(), notNumbered) {
    // A phi may use what stands behind it.
    if (!movable_)
      for (std::size_t i = 0; i < position_.size(); ++i)
        position_[i] = i;
    search();
  }

  const std::vector<Key> &keys() const { return bestKeys_; }

  struct Choice {
    std::size_t instruction = 0;
    bool swapped = false; ///< the first two operands
  };
  using Sequence = std::vector<Choice>;
  /// The sequences that have these keys, by their numbering of the arguments.
  const std::map<Numbering, Sequence> &sequences() const { return best_; }

  /// `numbering` may number arguments that the sequence does not use.
  Program write(const Sequence &sequence, const Numbering &numbering) const {
    Program out = program_.withoutBlocks();
    std::vector<std::size_t> position(position_.size());
    for (std::size_t i = 0; i < sequence.size(); ++i)
      position[sequence[i].instruction] = i;
    for (const Choice &choice : sequence) {
      Instruction instruction = program_.instructions[choice.instruction];
      if (choice.swapped)
        instruction.predicate = info(instruction.predicate).swapped;
      std::vector<Operand> operands = oriented(choice);
      for (Operand &operand : operands) {
        if (operand.is(Operand::Kind::argument))
          operand.payload = numbering[operand.payload];
        else if (operand.is(Operand::Kind::instruction))
          operand.payload = position[operand.payload];
      }
      appendCopy(out, instruction, operands);
    }
    out.blocks = program_.blocks;
    return out;
  }

private:
  /// Beyond this many keys the first sequence found is the answer.
  static constexpr std::size_t keyLimit = 100'000;

  std::vector<Operand> oriented(const Choice &choice) const {
    const auto operands =
        program_.operandsOf(program_.instructions[choice.instruction]);
    std::vector<Operand> result(operands.begin(), operands.end());
    if (choice.swapped)
      std::swap(result[0], result[1]);
    return result;
  }

  /// May stand next: its operands do, and nothing that must stay before it is
  /// left.
  bool isReady(std::size_t index) const {
    if (!movable_)
      return index == chosen_.size();
    if (position_[index] != notNumbered)
      return false;
    const Instruction &instruction = program_.instructions[index];
    const bool last = info(instruction.opcode).isTerminator();
    const bool ordered = hasEffects_ && mayBeSeen(instruction);
    for (std::size_t i = 0; i < index; ++i)
      if (position_[i] == notNumbered &&
          (last || (ordered && mayBeSeen(program_.instructions[i]))))
        return false;
    const auto operands = program_.operandsOf(instruction);
    return std::all_of(operands.begin(), operands.end(),
                       [&](const Operand &operand) {
                         return !operand.is(Operand::Kind::instruction) ||
                                position_[operand.payload] != notNumbered;
                       });
  }

  /// The operands stand before the predicate: they decide which way round an
  /// icmp is written.
  Key keyOf(const Choice &choice) const {
    const Instruction &instruction = program_.instructions[choice.instruction];
    Key key = {info(instruction.opcode).code, instruction.flags.bits(),
               instruction.type.id(), instruction.callee};
    Numbering numbering = numbering_;
    std::size_t next = next_;
    for (const Operand &operand : oriented(choice)) {
      std::uint64_t value = operand.payload;
      if (operand.is(Operand::Kind::argument)) {
        if (numbering[value] == notNumbered)
          numbering[value] = next++;
        value = numbering[value];
      } else if (operand.is(Operand::Kind::instruction)) {
        value = position_[value];
      }
      const bool isPooled = operand.is(Operand::Kind::pooled);
      key.insert(key.end(), {rankOf(operand.kind), isPooled ? 0 : value,
                             operand.type.id()});
      if (isPooled)
        for (const Operand &lane : program_.constants[value].lanes)
          key.insert(key.end(), {rankOf(lane.kind), lane.payload});
    }
    const Predicate predicate = choice.swapped
                                    ? info(instruction.predicate).swapped
                                    : instruction.predicate;
    key.push_back(static_cast<std::uint64_t>(predicate));
    key.insert(key.end(),
               {instruction.accessedType.id(), instruction.alignment});
    if (instruction.attributes != Instruction::noAttributes) {
      const CallAttributes &call =
          program_.callAttributes[instruction.attributes];
      appendKey(key, call.function);
      appendKey(key, call.result);
      for (const Attributes &parameter : call.parameters)
        appendKey(key, parameter);
    }
    return key;
  }

  bool isSwappable(std::size_t index) const {
    const Instruction &instruction = program_.instructions[index];
    // Attributes of the arguments would have to move along.
    return instruction.opcode == Opcode::icmp ||
           (info(instruction.opcode).has(trait::commutative) &&
            instruction.attributes == Instruction::noAttributes);
  }

  bool isWorseThanBest() const {
    return !bestKeys_.empty() &&
           std::lexicographical_compare(
               bestKeys_.begin(),
               bestKeys_.begin() + static_cast<std::ptrdiff_t>(keys_.size()),
               keys_.begin(), keys_.end());
  }

  void search() {
    if (isWorseThanBest())
      return;
    if (chosen_.size() == program_.instructions.size()) {
      if (keys_ != bestKeys_) {
        bestKeys_ = keys_;
        best_.clear();
      }
      best_.try_emplace(numbering_, chosen_);
      return;
    }
    Key least;
    std::vector<Choice> choices;
    const auto consider = [&](const Choice &choice) {
      ++keyCount_;
      Key key = keyOf(choice);
      if (choices.empty() || key < least) {
        least = std::move(key);
        choices = {choice};
      } else if (key == least) {
        choices.push_back(choice);
      }
    };
    for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
      if (!isReady(i))
        continue;
      consider({i, false});
      if (isSwappable(i))
        consider({i, true});
    }
    for (const Choice &choice : choices)
      if (keyCount_ <= keyLimit || best_.empty())
        follow(choice, least);
  }

  void follow(const Choice &choice, const Key &key) {
    const Numbering numbering = numbering_;
    const std::size_t next = next_;
    const std::size_t position = position_[choice.instruction];
    for (const Operand &operand : oriented(choice))
      if (operand.is(Operand::Kind::argument) &&
          numbering_[operand.payload] == notNumbered)
        numbering_[operand.payload] = next_++;
    position_[choice.instruction] = chosen_.size();
    chosen_.push_back(choice);
    keys_.push_back(key);
    search();
    keys_.pop_back();
    chosen_.pop_back();
    position_[choice.instruction] = position;
    next_ = next;
    numbering_ = numbering;
  }

  const Program &program_;
  const bool movable_;
  const bool hasEffects_;
  std::size_t keyCount_ = 0;
  std::size_t next_;
  Numbering numbering_;
  std::vector<std::size_t> position_;
  Sequence chosen_;
  std::vector<Key> keys_;
  std::vector<Key> bestKeys_;
  std::map<Numbering, Sequence> best_;
};

/// Puts the parameters in their new order; those without a number go.
void renumberParameters(Program &program, const Numbering &numbering) {
  std::vector<Parameter> parameters(program.signature.parameters.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < numbering.size(); ++i)
    if (numbering[i] != notNumbered) {
      parameters[numbering[i]] = program.signature.parameters[i];
      ++count;
    }
  parameters.resize(count);
  program.signature.parameters = std::move(parameters);
}

/// Numbers the arguments whose attributes speak even though nothing uses them.
void numberAttributed(const Program &program, Numbering &numbering) {
  auto next = static_cast<std::size_t>(
      std::count_if(numbering.begin(), numbering.end(),
                    [](std::size_t n) { return n != notNumbered; }));
  for (std::size_t i = 0; i < numbering.size(); ++i)
    if (numbering[i] == notNumbered &&
        !program.signature.parameters[i].attributes.empty())
      numbering[i] = next++;
}

/// Call attributes in the order of first use, without those nothing uses.
void renumberCallAttributes(Program &program) {
  const std::vector<CallAttributes> old =
      std::exchange(program.callAttributes, {});
  for (Instruction &instruction : program.instructions) {
    if (instruction.attributes == Instruction::noAttributes)
      continue;
    const CallAttributes &wanted = old[instruction.attributes];
    auto found = std::find(program.callAttributes.begin(),
                           program.callAttributes.end(), wanted);
    if (found == program.callAttributes.end())
      found = program.callAttributes.insert(found, wanted);
    instruction.attributes =
        static_cast<std::uint32_t>(found - program.callAttributes.begin());
  }
}

/// Callees in the order of first use, without those that nothing calls.
void renumberCallees(Program &program) {
  const std::vector<Callee> old = std::exchange(program.callees, {});
  for (Instruction &instruction : program.instructions) {
    if (info(instruction.opcode).shape != Shape::call)
      continue;
    const Callee &wanted = old[instruction.callee];
    auto found =
        std::find(program.callees.begin(), program.callees.end(), wanted);
    if (found == program.callees.end())
      found = program.callees.insert(found, wanted);
    instruction.callee =
        static_cast<std::uint32_t>(found - program.callees.begin());
  }
}

/// Global variables in the order of first use, without those that nothing uses.
void renumberGlobals(Program &program) {
  const std::vector<Global> old = std::exchange(program.globals, {});
  for (Operand &operand : program.operands) {
    if (!operand.is(Operand::Kind::global))
      continue;
    const Global &wanted = old[operand.payload];
    auto found =
        std::find(program.globals.begin(), program.globals.end(), wanted);
    if (found == program.globals.end())
      found = program.globals.insert(found, wanted);
    operand.payload =
        static_cast<std::uint64_t>(found - program.globals.begin());
  }
}

Numbering unnumbered(const Program &program) {
  return Numbering(program.signature.parameters.size(), notNumbered);
}

} // namespace

void renumberConstants(Program &program) {
  const std::vector<Constant> old = std::exchange(program.constants, {});
  for (Operand &operand : program.operands)
    if (operand.is(Operand::Kind::pooled))
      operand = program.literal(operand.type, old[operand.payload].lanes);
}

Program withoutInstruction(const Program &program, std::size_t index) {
  std::vector<bool> kept(program.instructions.size(), true);
  kept[index] = false;
  return keepOnly(program, kept);
}

Program withoutDeadInstructions(const Program &program) {
  std::vector<bool> live(program.instructions.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = program.instructions.size(); i-- > 0;) {
      const Instruction &instruction = program.instructions[i];
      if (!live[i] && !mayBeSeen(instruction))
        continue;
      changed = changed || !live[i];
      live[i] = true;
      for (const Operand &operand : program.operandsOf(instruction))
        if (operand.is(Operand::Kind::instruction) && !live[operand.payload])
          live[operand.payload] = changed = true;
    }
  }
  return keepOnly(program, live);
}

Program renumberArguments(const Program &program) {
  Numbering numbering = unnumbered(program);
  std::size_t next = 0;
  Program out = program;
  for (Operand &operand : out.operands)
    if (operand.is(Operand::Kind::argument)) {
      if (numbering[operand.payload] == notNumbered)
        numbering[operand.payload] = next++;
      operand.payload = numbering[operand.payload];
    }
  numberAttributed(program, numbering);
  renumberParameters(out, numbering);
  return out;
}

Program canonical(const Program &program) {
  const Program live = withoutDeadInstructions(program);
  const LeastSequence least(live, unnumbered(live));
  const auto &[used, sequence] = *least.sequences().begin();
  Numbering numbering = used;
  Program out = least.write(sequence, numbering);
  numberAttributed(live, numbering);
  renumberParameters(out, numbering);
  renumberCallAttributes(out);
  renumberCallees(out);
  renumberConstants(out);
  renumberGlobals(out);
  return out;
}

std::pair<Program, Program> canonicalPair(const Program &source,
                                          const Program &target) {
  assert(source.signature.parameters.size() ==
         target.signature.parameters.size());
  const Program liveSource = withoutDeadInstructions(source);
  const Program liveTarget = withoutDeadInstructions(target);
  const LeastSequence sourceLeast(liveSource, unnumbered(liveSource));

  const LeastSequence::Sequence *sourceSequence = nullptr;
  std::optional<LeastSequence> targetLeast;
  for (const auto &[fixed, sequence] : sourceLeast.sequences()) {
    LeastSequence attempt(liveTarget, fixed);
    if (!targetLeast || attempt.keys() < targetLeast->keys()) {
      targetLeast.emplace(std::move(attempt));
      sourceSequence = &sequence;
    }
  }
  const auto &[used, targetSequence] = *targetLeast->sequences().begin();
  Numbering numbering = used;
  numberAttributed(liveSource, numbering);
  numberAttributed(liveTarget, numbering);

  std::pair<Program, Program> pair(
      sourceLeast.write(*sourceSequence, numbering),
      targetLeast->write(targetSequence, numbering));
  for (Program *program : {&pair.first, &pair.second}) {
    renumberParameters(*program, numbering);
    renumberCallAttributes(*program);
    renumberCallees(*program);
    renumberConstants(*program);
    renumberGlobals(*program);
  }
  return pair;
}

std::pair<Program, Program> abstractPair(const Program &source,
                                         const Program &target) {
  // An immediate is not a value of the function.
  const auto isAnImmediate = [](const Instruction &instruction,
                                std::size_t index) {
    return isImmediate(info(instruction.opcode).shape, index);
  };
  std::set<unsigned> widths;
  const auto note = [&](Type type) {
    for (unsigned i = 0; i < type.lanes(); ++i)
      if (type.lane(i).isInteger() && type.lane(i).width() > 1)
        widths.insert(type.lane(i).width());
  };
  for (const Program *program : {&source, &target}) {
    for (const Parameter &parameter : program->signature.parameters)
      note(parameter.type);
    for (const Instruction &instruction : program->instructions) {
      note(instruction.type);
      const auto operands = program->operandsOf(instruction);
      for (std::size_t i = 0; i < operands.size(); ++i)
        if (!isAnImmediate(instruction, i))
          note(operands[i].type);
    }
  }
  note(source.signature.returnType);
  note(target.signature.returnType);

  // Representatives are multiples of 16, which every opcode can have.
  constexpr std::array<unsigned, 4> representatives = {16, 32, 48, 64};
  const bool fits = widths.size() <= representatives.size();
  const auto abstractType = [&](Type type) {
    return mapIntegers(type, [&](Type integer) {
      if (integer.width() == 1 || !fits)
        return integer;
      const auto index =
          std::distance(widths.begin(), widths.find(integer.width()));
      return Type::integer(representatives[static_cast<std::size_t>(index)]);
    });
  };
  const auto abstractConstant = [](std::uint64_t bits, Type from, Type to) {
    constexpr std::uint64_t other = 2;
    const auto signBit = [](Type type) { return (type.mask() >> 1) + 1; };
    if (bits <= 1)
      return bits;
    if (bits == from.mask())
      return to.mask();
    return bits == signBit(from) ? signBit(to) : other;
  };
  const auto abstractOperand = [&](Operand &operand) {
    const Type type = abstractType(operand.type);
    if (operand.is(Operand::Kind::constant) && type.isInteger())
      operand.payload = abstractConstant(operand.payload, operand.type, type);
    operand.type = type;
  };

  std::pair<Program, Program> pair(source, target);
  for (Program *program : {&pair.first, &pair.second}) {
    program->signature.returnType = abstractType(program->signature.returnType);
    for (Parameter &parameter : program->signature.parameters)
      parameter.type = abstractType(parameter.type);
    for (Instruction &instruction : program->instructions) {
      instruction.type = abstractType(instruction.type);
      const auto operands = program->operandsOf(instruction);
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (isAnImmediate(instruction, i))
          continue;
        abstractOperand(operands[i]);
        if (!operands[i].is(Operand::Kind::pooled))
          continue;
        std::vector<Operand> lanes =
            program->constants[operands[i].payload].lanes;
        std::for_each(lanes.begin(), lanes.end(), abstractOperand);
        operands[i] = program->literal(operands[i].type, std::move(lanes));
      }
      instruction.accessedType = abstractType(instruction.accessedType);
    }
    renumberConstants(*program);
  }
  return pair;
}

} // namespace corpus
