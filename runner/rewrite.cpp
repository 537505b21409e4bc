// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/rewrite.h"

#include "corpus/program/graph.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace runner {
namespace {

using corpus::Bytes;
using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Shape;
using corpus::Type;

/// What a byte of a form announces; numbers follow in base 128.
enum Tag : std::uint8_t {
  instruction = 1, ///< opcode flags predicate type 0|1 block? operands...
  arrow,           ///< what follows is the new code
  replaced,        ///< local operand
  signature,       ///< attributes changed
  order,           ///< nothing else changed
  large,           ///< more than is compared
  variable,        ///< number type
  constant,        ///< class type
  undef,           ///< type
  poison,          ///< type
  anyValue,        ///< type
  head,            ///< opcode: a removed instruction of any operands
  local,           ///< an instruction of the form
  block,           ///< number kind
};

/// Comparing takes time in the square of the length.
constexpr std::size_t mostInstructions = 128;

enum class Constant : std::uint8_t { zero, one, minusOne, intMin, other };
constexpr std::string_view constantSpelling[] = {"0", "1", "-1", "INT_MIN",
                                                 "C"};

Constant classOf(const Operand &operand) {
  if (operand.is(Operand::Kind::pooled))
    return Constant::other;
  if (!operand.type.isInteger())
    return operand.payload == 0 ? Constant::zero : Constant::other;
  const std::uint64_t mask = operand.type.mask();
  if (operand.payload == 0)
    return Constant::zero;
  if (operand.payload == 1)
    return Constant::one;
  if (operand.payload == mask)
    return Constant::minusOne;
  return operand.payload == (mask >> 1) + 1 ? Constant::intMin
                                            : Constant::other;
}

enum class BlockKind : std::uint8_t { entry, straight, join, loop };
constexpr std::string_view blockSpelling[] = {"entry", "block", "join", "loop"};

BlockKind kindOf(const corpus::Graph &graph, std::size_t index) {
  if (graph.isInCycle(index))
    return BlockKind::loop;
  if (index == 0)
    return BlockKind::entry;
  return graph.predecessors(index).size() > 1 ? BlockKind::join
                                              : BlockKind::straight;
}

std::vector<std::uint8_t> kindsOf(const Program &program) {
  const corpus::Graph graph(program);
  std::vector<std::uint8_t> kinds;
  for (std::size_t i = 0; i < graph.size(); ++i)
    kinds.push_back(static_cast<std::uint8_t>(kindOf(graph, i)));
  return kinds;
}

} // namespace

void RewriteFinder::start(Side &side, const Program &program) {
  side.program = &program;
  side.blockOf.clear();
  edges_.clear();
  for (std::uint32_t i = 0; i < program.blocks.size(); ++i) {
    side.blockOf.resize(program.blocks[i].end, i);
    edges_.push_back(i);
    for (const Operand &operand :
         program.operandsOf(program.instructions[program.blocks[i].end - 1]))
      if (operand.is(Operand::Kind::block))
        edges_.push_back(program.blocks.size() + operand.payload);
  }
  if (edges_ != side.edges) {
    side.edges = edges_;
    side.blockKinds.clear();
  }
  side.partner.assign(program.instructions.size(), none);
  side.local.assign(program.instructions.size(), none);
  side.blockPartner.assign(program.blocks.size(), none);
}

Bytes &RewriteFinder::newForm() {
  if (forms_.size() == formCount_)
    forms_.emplace_back();
  forms_[formCount_].clear();
  return forms_[formCount_++];
}

std::span<const Bytes> RewriteFinder::find(const Program &source,
                                           const Program &target) {
  formCount_ = 0;
  if (std::max(source.instructions.size(), target.instructions.size()) >
      mostInstructions) {
    newForm().push_back(Tag::large);
    return std::span(forms_).first(formCount_);
  }
  hasBranches_ = source.blocks.size() + target.blocks.size() > 2;
  start(source_, source);
  start(target_, target);
  replacement_.assign(source.instructions.size(), none);
  replacements_.clear();
  matchBlocks();
  matchValues();
  matchUsers();
  cutSource();
  findParts();
  for (std::size_t node = 0; node < part_.size(); ++node)
    if (part_[node] == node)
      writeForm(node);
  if (source.signature != target.signature)
    newForm().push_back(Tag::signature);
  if (formCount_ == 0)
    newForm().push_back(Tag::order);
  return std::span(forms_).first(formCount_);
}

/// Blocks that stand at the same place: behind the same branches.
void RewriteFinder::matchBlocks() {
  source_.blockPartner[0] = target_.blockPartner[0] = 0;
  if (!hasBranches_)
    return;
  open_.assign({{0, 0}});
  while (!open_.empty()) {
    const auto [before, after] = open_.back();
    open_.pop_back();
    const auto endOf = [](const Side &side,
                          std::uint32_t index) -> const Instruction & {
      return side.program->instructions[side.program->blocks[index].end - 1];
    };
    const Instruction &one = endOf(source_, before);
    const Instruction &other = endOf(target_, after);
    if (one.opcode != other.opcode || one.operandCount != other.operandCount)
      continue;
    const auto from = source_.program->operandsOf(one);
    const auto to = target_.program->operandsOf(other);
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (!from[i].is(Operand::Kind::block) || !to[i].is(Operand::Kind::block))
        continue;
      auto &mine = source_.blockPartner[from[i].payload];
      auto &theirs = target_.blockPartner[to[i].payload];
      if (mine != none || theirs != none)
        continue;
      mine = static_cast<std::uint32_t>(to[i].payload);
      theirs = static_cast<std::uint32_t>(from[i].payload);
      open_.emplace_back(theirs, mine);
    }
  }
}

/// Where the code of a block stands after it was merged into the only block
/// that branches to it, and only to it.
std::uint32_t RewriteFinder::home(std::uint32_t index) const {
  const Program &program = *source_.program;
  for (std::size_t step = 0; step < program.blocks.size(); ++step) {
    if (source_.blockPartner[index] != none)
      return source_.blockPartner[index];
    std::uint32_t from = none;
    for (std::uint32_t i = 0; i < program.blocks.size(); ++i)
      for (const Operand &operand :
           program.operandsOf(program.instructions[program.blocks[i].end - 1]))
        if (operand.is(Operand::Kind::block) && operand.payload == index) {
          if (from != none)
            return none;
          from = i;
        }
    if (from == none ||
        program.instructions[program.blocks[from].end - 1].operandCount != 1)
      return none;
    index = from;
  }
  return none;
}

bool RewriteFinder::isSame(const Operand &before, const Operand &after) const {
  switch (before.kind) {
  case Operand::Kind::instruction: {
    if (after.is(Operand::Kind::instruction) &&
        source_.partner[before.payload] == after.payload)
      return true;
    const std::uint32_t replaced = replacement_[before.payload];
    return replaced != none && replacements_[replaced] == after;
  }
  case Operand::Kind::block:
    return after.is(Operand::Kind::block) &&
           source_.blockPartner[before.payload] == after.payload;
  case Operand::Kind::pooled:
    return after.is(Operand::Kind::pooled) && before.type == after.type &&
           source_.program->constants[before.payload] ==
               target_.program->constants[after.payload];
  default:
    return before == after;
  }
}

/// The same operands, the first two the other way round.
bool RewriteFinder::areSwapped(const Instruction &before,
                               const Instruction &after) const {
  const bool isCompare =
      before.opcode == Opcode::icmp && after.opcode == Opcode::icmp &&
      before.flags == after.flags &&
      corpus::info(before.predicate).swapped == after.predicate;
  if (!isCompare &&
      !(corpus::info(before.opcode).has(corpus::trait::commutative) &&
        haveSameHead(before, after)))
    return false;
  const auto from = source_.program->operandsOf(before);
  const auto to = target_.program->operandsOf(after);
  return from.size() == 2 && isSame(from[0], to[1]) && isSame(from[1], to[0]);
}

bool RewriteFinder::haveSameHead(const Instruction &before,
                                 const Instruction &after) const {
  return before.opcode == after.opcode && before.flags == after.flags &&
         before.predicate == after.predicate && before.type == after.type &&
         before.operandCount == after.operandCount &&
         before.accessedType == after.accessedType &&
         before.alignment == after.alignment &&
         (corpus::info(before.opcode).shape != Shape::call ||
          before.callee == after.callee);
}

/// Equal instructions of equal operands, in blocks of the same place.
void RewriteFinder::matchValues() {
  const Program &source = *source_.program;
  const Program &target = *target_.program;
  for (std::uint32_t t = 0; t < target.instructions.size(); ++t) {
    const Instruction &after = target.instructions[t];
    const auto to = target.operandsOf(after);
    for (std::uint32_t s = 0; s < source.instructions.size(); ++s) {
      const Instruction &before = source.instructions[s];
      if (before.opcode != after.opcode || source_.partner[s] != none ||
          home(source_.blockOf[s]) != target_.blockOf[t])
        continue;
      const auto from = source.operandsOf(before);
      bool same = haveSameHead(before, after);
      for (std::size_t i = 0; i < from.size() && same; ++i)
        // What a loop brings back is not known yet.
        same = isSame(from[i], to[i]) ||
               (before.opcode == Opcode::phi &&
                from[i].is(Operand::Kind::instruction) &&
                to[i].is(Operand::Kind::instruction) && from[i].payload >= s &&
                to[i].payload >= t &&
                haveSameHead(source.instructions[from[i].payload],
                             target.instructions[to[i].payload]));
      if (!same && !areSwapped(before, after))
        continue;
      source_.partner[s] = t;
      target_.partner[t] = s;
      break;
    }
  }
}

/// Instructions that only use another value in the place of one that is gone:
/// what is replaced is found here.
void RewriteFinder::matchUsers() {
  const Program &source = *source_.program;
  const Program &target = *target_.program;
  for (std::uint32_t t = 0; t < target.instructions.size(); ++t) {
    const Instruction &after = target.instructions[t];
    const auto to = target.operandsOf(after);
    for (std::uint32_t s = 0;
         s < source.instructions.size() && target_.partner[t] == none; ++s) {
      const Instruction &before = source.instructions[s];
      if (before.opcode != after.opcode || source_.partner[s] != none ||
          home(source_.blockOf[s]) != target_.blockOf[t])
        continue;
      if (areSwapped(before, after)) {
        source_.partner[s] = t;
        target_.partner[t] = s;
        break;
      }
      if (!haveSameHead(before, after))
        continue;
      const auto from = source.operandsOf(before);
      std::size_t other = from.size();
      bool fits = true;
      for (std::size_t i = 0; i < from.size() && fits; ++i) {
        if (isSame(from[i], to[i]))
          continue;
        fits = from[i].is(Operand::Kind::instruction) &&
               !to[i].is(Operand::Kind::block) &&
               source_.partner[from[i].payload] == none &&
               replacement_[from[i].payload] == none &&
               (other == from.size() ||
                (from[other] == from[i] && to[other] == to[i]));
        other = i;
      }
      if (!fits)
        continue;
      source_.partner[s] = t;
      target_.partner[t] = s;
      if (other == from.size())
        break;
      replacement_[from[other].payload] =
          static_cast<std::uint32_t>(replacements_.size());
      replacements_.push_back(to[other]);
    }
  }
}

/// Decides how much of the removed instructions is in the form.
void RewriteFinder::cutSource() {
  const Program &source = *source_.program;
  const Program &target = *target_.program;
  const std::size_t parameters = source.signature.parameters.size();
  // For now whether the new code uses it; numbers come when the form is
  // written.
  variable_.assign(parameters + source.instructions.size(), none);
  const auto use = [&](const Operand &operand) {
    if (operand.is(Operand::Kind::argument))
      variable_[operand.payload] = 0;
    else if (operand.is(Operand::Kind::instruction) &&
             target_.partner[operand.payload] != none)
      variable_[parameters + target_.partner[operand.payload]] = 0;
  };
  for (std::size_t t = 0; t < target.instructions.size(); ++t)
    if (target_.partner[t] == none)
      for (const Operand &operand : target.operandsOf(target.instructions[t]))
        use(operand);
  for (const Operand &operand : replacements_)
    use(operand);

  // A removed instruction that no other removed one needs is there as a whole,
  // and so is all that leads from there to what the new code uses.
  extent_.assign(source.instructions.size(), Extent::none);
  const auto isCut = [&](const Operand &operand, std::size_t user) {
    return !operand.is(Operand::Kind::instruction) || operand.payload >= user ||
           replacement_[operand.payload] != none;
  };
  for (std::size_t s = 0; s < source.instructions.size(); ++s) {
    if (source_.partner[s] != none)
      continue;
    for (const Operand &operand : source.operandsOf(source.instructions[s]))
      if ((operand.is(Operand::Kind::argument) &&
           variable_[operand.payload] != none) ||
          (operand.is(Operand::Kind::instruction) &&
           variable_[parameters + operand.payload] != none) ||
          (!isCut(operand, s) && extent_[operand.payload] == Extent::all))
        extent_[s] = Extent::all;
  }
  isUsed_.assign(source.instructions.size(), false);
  for (std::size_t s = source.instructions.size(); s-- > 0;) {
    if (source_.partner[s] != none)
      continue;
    if (!isUsed_[s])
      extent_[s] = Extent::all;
    for (const Operand &operand : source.operandsOf(source.instructions[s])) {
      if (isCut(operand, s) || source_.partner[operand.payload] != none)
        continue;
      isUsed_[operand.payload] = true;
      if (extent_[s] == Extent::all && extent_[operand.payload] == Extent::none)
        extent_[operand.payload] = Extent::opcode;
    }
  }
}

std::size_t RewriteFinder::partOf(std::size_t node) {
  while (part_[node] != node)
    node = part_[node] = part_[part_[node]];
  return node;
}

void RewriteFinder::join(std::size_t a, std::size_t b) {
  a = partOf(a);
  b = partOf(b);
  part_[std::max(a, b)] = static_cast<std::uint32_t>(std::min(a, b));
}

/// What hangs together by its values is one part; so are all changed branches.
void RewriteFinder::findParts() {
  const std::size_t sources = extent_.size();
  part_.assign(sources + target_.partner.size(), none);
  for (std::size_t s = 0; s < sources; ++s)
    if (extent_[s] == Extent::all)
      part_[s] = static_cast<std::uint32_t>(s);
  for (std::size_t t = 0; t < target_.partner.size(); ++t)
    if (target_.partner[t] == none)
      part_[sources + t] = static_cast<std::uint32_t>(sources + t);
  std::size_t branch = none;
  const auto joinUses = [&](const Side &side, std::size_t first) {
    const auto &instructions = side.program->instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      if (part_[first + i] == none)
        continue;
      const Shape shape = corpus::info(instructions[i].opcode).shape;
      if (shape == Shape::terminator || shape == Shape::phi) {
        if (branch != none)
          join(branch, first + i);
        branch = first + i;
      }
      for (const Operand &operand : side.program->operandsOf(instructions[i]))
        if (operand.is(Operand::Kind::instruction) &&
            part_[first + operand.payload] != none)
          join(first + i, first + operand.payload);
    }
  };
  joinUses(source_, 0);
  joinUses(target_, sources);
  for (std::size_t s = 0; s < sources; ++s)
    if (replacement_[s] != none && part_[s] != none)
      if (const Operand &by = replacements_[replacement_[s]];
          by.is(Operand::Kind::instruction) &&
          part_[sources + by.payload] != none)
        join(s, sources + by.payload);
  // New code that nothing links to what it is for.
  for (std::size_t t = sources; t < part_.size(); ++t)
    if (part_[t] == t)
      for (std::size_t s = 0; s < sources; ++s)
        if (part_[s] == s) {
          join(s, t);
          break;
        }
}

void RewriteFinder::write(std::size_t value) {
  for (; value >= 128; value /= 128)
    form_->push_back(static_cast<std::uint8_t>(value % 128 + 128));
  form_->push_back(static_cast<std::uint8_t>(value));
}

void RewriteFinder::write(std::initializer_list<std::size_t> values) {
  std::uint8_t bytes[8];
  assert(values.size() <= std::size(bytes));
  std::uint8_t *end = bytes;
  bool areShort = true;
  for (const std::size_t value : values) {
    areShort = areShort && value < 128;
    *end++ = static_cast<std::uint8_t>(value);
  }
  if (areShort)
    form_->insert(form_->end(), bytes, end);
  else
    for (const std::size_t value : values)
      write(value);
}

/// 0 for void, 1 for i1, from 2 on by first use.
std::size_t RewriteFinder::numberOf(Type type) {
  if (type.isVoid() || type == Type::integer(1))
    return type.isVoid() ? 0 : 1;
  auto found = std::find(types_.begin(), types_.end(), type);
  if (found == types_.end())
    found = types_.insert(found, type);
  return static_cast<std::size_t>(found - types_.begin()) + 2;
}

void RewriteFinder::writeBlock(const Side &side, std::uint64_t index) {
  const Side *owner = &side;
  std::uint64_t number = index;
  if (owner == &target_ && target_.blockPartner[index] != none) {
    owner = &source_;
    number = target_.blockPartner[index];
  }
  auto found =
      std::find(blocks_.begin(), blocks_.end(), std::pair(owner, number));
  const bool isNew = found == blocks_.end();
  if (isNew)
    found = blocks_.insert(found, {owner, number});
  write(static_cast<std::size_t>(found - blocks_.begin()));
  if (isNew && side.blockKinds.empty())
    side.blockKinds = kindsOf(*side.program);
  write(isNew ? side.blockKinds[index] : 0);
}

void RewriteFinder::writeOperand(const Side &side, const Operand &operand) {
  std::size_t identity = 0;
  switch (operand.kind) {
  case Operand::Kind::constant:
  case Operand::Kind::pooled:
    return write({Tag::constant, static_cast<std::size_t>(classOf(operand)),
                  numberOf(operand.type)});
  case Operand::Kind::undef:
  case Operand::Kind::poison:
    return write({operand.is(Operand::Kind::undef) ? Tag::undef : Tag::poison,
                  numberOf(operand.type)});
  case Operand::Kind::global:
    return write({Tag::anyValue, numberOf(operand.type)});
  case Operand::Kind::block:
    form_->push_back(Tag::block);
    return writeBlock(side, operand.payload);
  case Operand::Kind::argument:
    identity = operand.payload;
    break;
  case Operand::Kind::instruction:
    if (side.local[operand.payload] != none)
      return write({Tag::local, side.local[operand.payload]});
    if (&side == &source_ && extent_[operand.payload] == Extent::opcode)
      return write(
          {Tag::head,
           corpus::info(side.program->instructions[operand.payload].opcode)
               .code});
    identity = source_.program->signature.parameters.size() +
               (&side == &source_ ? operand.payload
                                  : target_.partner[operand.payload]);
    break;
  }
  if (hasBranches_)
    return write({Tag::anyValue, numberOf(operand.type)});
  if (variable_[identity] == none)
    variable_[identity] = variables_++;
  write({Tag::variable, variable_[identity], numberOf(operand.type)});
}

void RewriteFinder::writeInstruction(const Side &side, std::uint32_t index) {
  const Instruction &each = side.program->instructions[index];
  const bool isInside = &side == &source_ && replacement_[index] == none &&
                        corpus::info(each.opcode).shape != Shape::terminator;
  write({Tag::instruction, corpus::info(each.opcode).code,
         isInside ? std::size_t(0) : each.flags.bits(),
         static_cast<std::size_t>(each.predicate), numberOf(each.type),
         hasBranches_ ? std::size_t(1) : 0});
  if (hasBranches_)
    writeBlock(side, side.blockOf[index]);
  write(each.operandCount);
  const auto operands = side.program->operandsOf(each);
  const bool swaps =
      corpus::info(each.opcode).has(corpus::trait::commutative) &&
      operands.front().isLiteral();
  for (std::size_t i = 0; i < operands.size(); ++i)
    writeOperand(side, operands[swaps && i < 2 ? 1 - i : i]);
}

void RewriteFinder::writeForm(std::size_t part) {
  const std::size_t sources = extent_.size();
  const auto isIn = [&](std::size_t node) {
    return part_[node] != none && partOf(node) == part;
  };
  std::fill(variable_.begin(), variable_.end(), none);
  variables_ = 0;
  types_.clear();
  blocks_.clear();
  std::uint32_t locals = 0;
  for (std::size_t s = 0; s < sources; ++s)
    source_.local[s] = isIn(s) ? locals++ : none;
  for (std::size_t t = 0; t < target_.local.size(); ++t)
    target_.local[t] = isIn(sources + t) ? locals++ : none;

  form_ = &newForm();
  for (std::uint32_t s = 0; s < sources; ++s)
    if (source_.local[s] != none)
      writeInstruction(source_, s);
  form_->push_back(Tag::arrow);
  for (std::uint32_t t = 0; t < target_.local.size(); ++t)
    if (target_.local[t] != none)
      writeInstruction(target_, t);
  for (std::size_t s = 0; s < sources; ++s)
    if (replacement_[s] != none && source_.local[s] != none) {
      form_->push_back(Tag::replaced);
      write(source_.local[s]);
      writeOperand(target_, replacements_[replacement_[s]]);
    }
}

std::uint64_t rewriteHash(std::span<const std::uint8_t> form) {
  return corpus::digestOf(form).low >> 1;
}

namespace {

/// Reads a form and writes it as text; any string of bytes is survived.
class Reader {
public:
  explicit Reader(std::span<const std::uint8_t> form) : left_(form) {}

  std::optional<std::string> text() {
    std::vector<std::string> before;
    std::vector<std::string> after;
    std::vector<std::string> *side = &before;
    while (!left_.empty() && good_)
      switch (byte()) {
      case Tag::instruction:
        side->push_back(instruction());
        break;
      case Tag::arrow:
        side = &after;
        break;
      case Tag::replaced: {
        const std::size_t which = number();
        after.push_back(fmt::format("%v{} := {}", which, operand()));
        break;
      }
      case Tag::signature:
        after.emplace_back("attributes");
        break;
      case Tag::order:
        after.emplace_back("order or names only");
        break;
      case Tag::large:
        return "a function of more than " + std::to_string(mostInstructions) +
               " instructions";
      default:
        good_ = false;
      }
    if (!good_)
      return std::nullopt;
    return fmt::format(
        "{} -> {}",
        before.empty() ? "()" : fmt::format("{}", fmt::join(before, "; ")),
        after.empty() ? "()" : fmt::format("{}", fmt::join(after, "; ")));
  }

private:
  std::uint8_t byte() {
    good_ = good_ && !left_.empty();
    if (!good_)
      return 0;
    const std::uint8_t first = left_.front();
    left_ = left_.subspan(1);
    return first;
  }
  std::size_t number() {
    std::size_t value = 0;
    for (unsigned shift = 0; shift < 28; shift += 7) {
      const std::uint8_t next = byte();
      value |= static_cast<std::size_t>(next % 128) << shift;
      if (next < 128)
        return value;
    }
    good_ = false;
    return 0;
  }
  /// Null, and no longer good, for a code that no opcode has.
  const corpus::OpcodeInfo *opcode() {
    const std::size_t code = number();
    const auto table = corpus::opcodeTable();
    const auto found =
        std::find_if(table.begin(), table.end(),
                     [&](const auto &row) { return row.code == code; });
    good_ = good_ && found != table.end();
    return good_ ? &*found : nullptr;
  }
  std::string type() {
    const std::size_t code = number();
    if (code <= 1)
      return code == 0 ? "void" : "i1";
    return code == 2 ? "iN" : fmt::format("iN{}", code - 1);
  }
  std::string blockName() {
    const std::size_t which = number();
    const std::size_t kind = number();
    if (which == kinds_.size() && kind < std::size(blockSpelling))
      kinds_.push_back(kind);
    good_ = good_ && which < kinds_.size();
    return good_ ? fmt::format("{}{}", blockSpelling[kinds_[which]], which)
                 : "";
  }
  std::string operand() {
    switch (byte()) {
    case Tag::variable: {
      const std::size_t which = number();
      type();
      return which < 26 ? fmt::format("%{:c}", 'a' + static_cast<int>(which))
                        : fmt::format("%a{}", which);
    }
    case Tag::constant: {
      const std::size_t which = number();
      const std::string of = type();
      good_ = good_ && which < std::size(constantSpelling);
      if (!good_)
        return "";
      if (of == "i1")
        return which == 0 ? "false" : "true";
      return std::string(constantSpelling[which]);
    }
    case Tag::undef:
      return type(), "undef";
    case Tag::poison:
      return type(), "poison";
    case Tag::anyValue:
      return type(), "_";
    case Tag::head: {
      const corpus::OpcodeInfo *row = opcode();
      return row == nullptr ? "" : fmt::format("({})", row->spelling);
    }
    case Tag::local:
      return fmt::format("%v{}", number());
    case Tag::block:
      return blockName();
    default:
      good_ = false;
      return "";
    }
  }
  std::string instruction() {
    const corpus::OpcodeInfo *found = opcode();
    const auto flags = static_cast<std::uint8_t>(number());
    const std::size_t predicate = number();
    const std::string result = type();
    if (found == nullptr || predicate >= corpus::predicateTable.size()) {
      good_ = false;
      return "";
    }
    const corpus::OpcodeInfo &row = *found;
    const std::string where = number() == 0 ? "" : blockName() + ": ";
    std::string text(row.spelling);
    for (const corpus::FlagInfo &flag : corpus::flagTable)
      if (corpus::Flags(flags).has(flag.flag))
        text += fmt::format(" {}", flag.spelling);
    if (row.shape == Shape::compare)
      text += fmt::format(" {}", corpus::predicateTable[predicate].spelling);
    if (!row.isTerminator())
      text += " " + result;
    const std::size_t count = number();
    for (std::size_t i = 0; i < count && good_; ++i)
      text += (i == 0 ? " " : ", ") + operand();
    const std::size_t mine = instructions_++;
    return row.isTerminator() ? where + text
                              : fmt::format("{}%v{} = {}", where, mine, text);
  }

  std::span<const std::uint8_t> left_;
  std::vector<std::size_t> kinds_;
  std::size_t instructions_ = 0;
  bool good_ = true;
};

} // namespace

std::optional<std::string> rewriteText(std::span<const std::uint8_t> form) {
  return Reader(form).text();
}

} // namespace runner
