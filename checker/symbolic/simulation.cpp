// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/simulation.h"

#include "checker/memory/windows.h"
#include "checker/symbolic/memory_smt.h"
#include "corpus/program/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>
#include <set>

namespace checker::smt {

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;

namespace {

/// Checks of pieces, and of what two values have in common.
constexpr unsigned maximumChecks = 60;
constexpr std::size_t maximumCuts = 8;
constexpr std::size_t maximumLive = 12;

/// Of the resources, for one piece with memory.
constexpr std::uint32_t shareOfPiece = 8;

/// Numbers that fill their bytes: of these a byte of memory is poison as a
/// whole or not at all.
bool fillsBytes(Type type) {
  constexpr unsigned byteBits = 8;
  for (unsigned lane = 0; lane < type.lanes(); ++lane)
    if (!type.lane(lane).isInteger() || type.lane(lane).width() % byteBits != 0)
      return false;
  return true;
}

/// What lives on in memory is what a caller may leave there: bytes that are a
/// number or poison, in blocks that both sides have. So no locals, no sets and
/// no pointers in memory. Accesses of two pieces are never held against each
/// other, which rules out what attributes say of accesses.
bool hasSimpleMemory(const Program &program, const Semantics &semantics) {
  namespace attribute = corpus::attribute;
  if (program.signature.function.has(attribute::memory | attribute::memoryRead |
                                     attribute::memoryNone |
                                     attribute::nullPointerIsValid))
    return false;
  std::uint32_t ofAccesses = attribute::noalias | attribute::readonly |
                             attribute::readnone | attribute::writeonly |
                             attribute::writable | attribute::captures |
                             attribute::initializes | attribute::deadOnReturn |
                             attribute::deadOnUnwind;
  if (semantics.deref != DerefRule::scope)
    ofAccesses |= attribute::dereferenceable | attribute::dereferenceableOrNull;
  for (const corpus::Parameter &parameter : program.signature.parameters)
    if (parameter.attributes.has(ofAccesses) ||
        !(parameter.type.isPointer() || parameter.type.isInteger()))
      return false;
  for (const Operand &operand : program.operands)
    if (operand.is(Operand::Kind::undef) || operand.is(Operand::Kind::pooled))
      return false;
  for (const Instruction &instruction : program.instructions) {
    // What a number is as a pointer is chosen anew in each piece.
    if (instruction.opcode == Opcode::alloca_ ||
        instruction.opcode == Opcode::inttoptr ||
        (instruction.opcode == Opcode::load && !fillsBytes(instruction.type)) ||
        (instruction.opcode == Opcode::store &&
         !fillsBytes(program.operandsOf(instruction)[0].type)))
      return false;
  }
  return true;
}

constexpr std::size_t entry = ~std::size_t(0); ///< the piece that starts there

/// One program with its cuts.
class Side {
public:
  Side(const Program &program, const Semantics &semantics);

  const Program &program() const { return program_; }
  const corpus::Graph &graph() const { return graph_; }
  /// Headers, in reverse post order.
  const std::vector<std::size_t> &cuts() const { return cuts_; }
  /// Instructions whose values live on at a cut and are not computed again
  /// there; first the phis of the header.
  const std::vector<std::size_t> &live(std::size_t cut) const {
    return live_[cut];
  }
  std::size_t startOf(std::size_t piece) const {
    return piece == entry ? 0 : cuts_[piece];
  }
  std::optional<std::size_t> cutAt(std::size_t block) const;
  /// The blocks of a piece, in reverse post order.
  std::vector<std::size_t> blocksOf(std::size_t piece) const;
  std::size_t blockOf(std::size_t instruction) const {
    return blockOf_[instruction];
  }
  /// The same operands give the same value, at any time.
  bool isPure(const Instruction &instruction) const;
  /// Computed in the piece, and not brought along.
  bool isInside(std::size_t piece, const std::set<std::size_t> &blocks,
                std::size_t instruction) const;
  /// Of a phi those of the edges inside.
  std::vector<Operand> operandsInside(const std::set<std::size_t> &blocks,
                                      const Instruction &instruction) const;
  /// What arrives at a cut over that edge as the value of `instruction`.
  Operand arriving(std::size_t from, std::size_t cut,
                   std::size_t instruction) const;

private:
  void findLive();
  bool addLive(std::size_t piece);

  const Program &program_;
  const Semantics &semantics_;
  corpus::Graph graph_;
  std::vector<std::size_t> blockOf_;
  std::vector<std::size_t> cuts_;
  std::vector<std::vector<std::size_t>> live_;
};

Side::Side(const Program &program, const Semantics &semantics)
    : program_(program), semantics_(semantics), graph_(program) {
  for (std::size_t block = 0; block < program.blocks.size(); ++block)
    for (std::size_t i = program.blocks[block].begin;
         i < program.blocks[block].end; ++i)
      blockOf_.push_back(block);
  for (const std::size_t block : graph_.order())
    for (const std::size_t from : graph_.predecessors(block))
      if (graph_.isReachable(from) &&
          graph_.place(block) <= graph_.place(from)) {
        cuts_.push_back(block);
        break;
      }
  live_.resize(cuts_.size());
  findLive();
}

std::optional<std::size_t> Side::cutAt(std::size_t block) const {
  const auto found = std::find(cuts_.begin(), cuts_.end(), block);
  if (found == cuts_.end())
    return std::nullopt;
  return static_cast<std::size_t>(found - cuts_.begin());
}

std::vector<std::size_t> Side::blocksOf(std::size_t piece) const {
  std::set<std::size_t> reached = {startOf(piece)};
  std::vector<std::size_t> todo = {startOf(piece)};
  while (!todo.empty()) {
    const std::size_t block = todo.back();
    todo.pop_back();
    for (const std::size_t next : graph_.successors(block))
      if (!cutAt(next) && reached.insert(next).second)
        todo.push_back(next);
  }
  std::vector<std::size_t> blocks;
  for (const std::size_t block : graph_.order())
    if (reached.count(block) != 0)
      blocks.push_back(block);
  return blocks;
}

bool Side::isPure(const Instruction &instruction) const {
  const corpus::OpcodeInfo &info = corpus::info(instruction.opcode);
  const bool mayFork =
      instruction.opcode == Opcode::freeze ||
      (instruction.opcode == Opcode::select &&
       semantics_.selectCondition == SelectCondition::nondeterministic);
  return !mayFork && instruction.opcode != Opcode::phi &&
         instruction.opcode != Opcode::call && !info.isTerminator() &&
         !info.has(corpus::trait::mayNotReturn | corpus::trait::accessesMemory);
}

bool Side::isInside(std::size_t piece, const std::set<std::size_t> &blocks,
                    std::size_t instruction) const {
  const std::size_t block = blockOf_[instruction];
  return blocks.count(block) != 0 &&
         !(piece != entry && block == cuts_[piece] &&
           program_.instructions[instruction].opcode == Opcode::phi);
}

Operand Side::arriving(std::size_t from, std::size_t cut,
                       std::size_t instruction) const {
  const Instruction &live = program_.instructions[instruction];
  if (live.opcode == Opcode::phi && blockOf_[instruction] == cuts_[cut]) {
    const auto operands = program_.operandsOf(live);
    for (std::size_t i = 0; i < operands.size(); i += 2)
      if (operands[i + 1].payload == from)
        return operands[i];
  }
  return Operand::instruction(live.type, instruction);
}

std::vector<Operand>
Side::operandsInside(const std::set<std::size_t> &blocks,
                     const Instruction &instruction) const {
  const auto operands = program_.operandsOf(instruction);
  if (instruction.opcode != Opcode::phi)
    return {operands.begin(), operands.end()};
  std::vector<Operand> inside;
  for (std::size_t i = 0; i < operands.size(); i += 2)
    if (blocks.count(operands[i + 1].payload) != 0)
      inside.insert(inside.end(), {operands[i], operands[i + 1]});
  return inside;
}

/// Adds to the live values of a piece what it needs from before.
bool Side::addLive(std::size_t piece) {
  if (piece == entry)
    return false;
  const std::vector<std::size_t> order = blocksOf(piece);
  const std::set<std::size_t> blocks(order.begin(), order.end());
  std::vector<std::size_t> &live = live_[piece];
  bool isNew = false;
  std::vector<Operand> todo;
  for (const std::size_t block : order) {
    for (std::size_t i = program_.blocks[block].begin;
         i < program_.blocks[block].end; ++i) {
      const Instruction &instruction = program_.instructions[i];
      if (instruction.opcode != Opcode::phi || block != cuts_[piece])
        for (const Operand &operand : operandsInside(blocks, instruction))
          todo.push_back(operand);
    }
    for (const std::size_t next : graph_.successors(block))
      if (const auto cut = cutAt(next))
        for (const std::size_t value : live_[*cut])
          todo.push_back(arriving(block, *cut, value));
  }
  while (!todo.empty()) {
    const Operand operand = todo.back();
    todo.pop_back();
    if (!operand.is(Operand::Kind::instruction) ||
        isInside(piece, blocks, operand.payload))
      continue;
    const Instruction &instruction = program_.instructions[operand.payload];
    if (isPure(instruction)) {
      for (const Operand &deeper : program_.operandsOf(instruction))
        todo.push_back(deeper);
      continue;
    }
    if (std::find(live.begin(), live.end(), operand.payload) == live.end()) {
      live.push_back(operand.payload);
      isNew = true;
    }
  }
  return isNew;
}

void Side::findLive() {
  for (std::size_t cut = 0; cut < cuts_.size(); ++cut)
    for (std::size_t i = program_.blocks[cuts_[cut]].begin;
         program_.instructions[i].opcode == Opcode::phi; ++i)
      live_[cut].push_back(i);
  bool isNew = true;
  while (isNew) {
    isNew = false;
    for (std::size_t cut = 0; cut < cuts_.size(); ++cut)
      isNew = addLive(cut) || isNew;
  }
}

/// For each live value of the target at each cut the one of the source that it
/// refines, if it is known to refine one.
using Partners = std::vector<std::vector<std::optional<std::size_t>>>;

/// Two values of which one is said to refine the other, at a cut.
struct Atom {
  std::size_t cut;
  std::size_t value; ///< place in the live values of the target
};

/// A side's piece as a program.
class Piece {
public:
  Piece(const Side &side, std::size_t piece) : side_(side), piece_(piece) {
    const auto order = side.blocksOf(piece);
    blocks_.insert(order.begin(), order.end());
    const Program &program = side.program();
    result_ = program.withoutBlocks();
    result_.signature.function = {};
    order_ = order;
  }

  void addParameter(Type type) { result_.addParameter(type); }
  /// What a live value stands for: a parameter.
  void bind(std::size_t instruction, std::size_t parameter) {
    values_[instruction] = Operand::argument(
        side_.program().instructions[instruction].type, parameter);
  }
  /// `arguments`: by cut, the instructions whose values arrive there.
  Program build(const std::vector<std::vector<std::size_t>> &arguments,
                bool assumesGuards);

private:
  struct Arrival {
    std::size_t from;
    std::size_t cut;
    std::size_t block; ///< of the result
  };
  Operand map(const Operand &operand);
  void mapAll(const std::vector<std::vector<std::size_t>> &arguments);
  void assumeGuards();
  bool isKnown(const Operand &operand) const;

  const Side &side_;
  std::size_t piece_;
  std::set<std::size_t> blocks_;
  std::vector<std::size_t> order_;
  std::map<std::size_t, Operand> values_; ///< by instruction of the side
  std::map<std::size_t, std::size_t> blockNumbers_;
  std::vector<Arrival> arrivals_;
  Program result_;
};

/// Computes again what stands before the piece, at its start.
Operand Piece::map(const Operand &operand) {
  if (operand.is(Operand::Kind::block))
    return Operand::block(blockNumbers_.at(operand.payload));
  if (!operand.is(Operand::Kind::instruction))
    return operand;
  if (const auto known = values_.find(operand.payload); known != values_.end())
    return known->second;
  const Instruction &instruction =
      side_.program().instructions[operand.payload];
  assert(side_.isPure(instruction) && "it lives on, so it was bound");
  std::vector<Operand> operands;
  for (const Operand &deeper : side_.program().operandsOf(instruction))
    operands.push_back(map(deeper));
  const Operand value = result_.append(instruction, operands);
  values_.emplace(operand.payload, value);
  return value;
}

void Piece::mapAll(const std::vector<std::vector<std::size_t>> &arguments) {
  const auto mapOutside = [&](const Operand &operand) {
    if (operand.is(Operand::Kind::instruction) &&
        !side_.isInside(piece_, blocks_, operand.payload))
      map(operand);
  };
  const Program &program = side_.program();
  for (const std::size_t block : order_)
    for (std::size_t i = program.blocks[block].begin;
         i < program.blocks[block].end; ++i) {
      const Instruction &instruction = program.instructions[i];
      if (instruction.opcode != Opcode::phi ||
          side_.isInside(piece_, blocks_, i))
        for (const Operand &operand :
             side_.operandsInside(blocks_, instruction))
          mapOutside(operand);
    }
  for (const Arrival &arrival : arrivals_)
    for (const std::size_t value : arguments[arrival.cut])
      mapOutside(side_.arriving(arrival.from, arrival.cut, value));
}

/// Computed from what is there at the start.
bool Piece::isKnown(const Operand &operand) const {
  if (!operand.is(Operand::Kind::instruction) ||
      values_.count(operand.payload) != 0)
    return true;
  const Instruction &instruction =
      side_.program().instructions[operand.payload];
  const auto operands = side_.program().operandsOf(instruction);
  return side_.isPure(instruction) &&
         std::all_of(operands.begin(), operands.end(),
                     [&](const Operand &deeper) { return isKnown(deeper); });
}

/// Conditions of the branches that every run took on its way here.
void Piece::assumeGuards() {
  const Program &program = side_.program();
  const corpus::Graph &graph = side_.graph();
  const std::size_t start = side_.startOf(piece_);
  for (const std::size_t block : graph.order()) {
    if (block == start || !graph.dominates(block, start) ||
        graph.predecessors(block).size() != 1)
      continue;
    const std::size_t from = graph.predecessors(block).front();
    const Instruction &branch =
        program.instructions[program.blocks[from].end - 1];
    const auto operands = program.operandsOf(branch);
    if (branch.opcode != Opcode::br || operands.size() != 3 ||
        !isKnown(operands[0]))
      continue;
    Operand condition = map(operands[0]);
    if (operands[2].payload == block)
      condition =
          result_.append(Opcode::icmp, Type::integer(1),
                         {condition, Operand::constant(Type::integer(1), 0)});
    result_.append(Opcode::assume, Type(), {condition});
  }
}

Program Piece::build(const std::vector<std::vector<std::size_t>> &arguments,
                     bool assumesGuards) {
  const Program &program = side_.program();
  for (const std::size_t block : order_)
    blockNumbers_.emplace(block, blockNumbers_.size());
  for (const std::size_t block : order_)
    for (const std::size_t next : side_.graph().successors(block))
      if (const auto cut = side_.cutAt(next))
        arrivals_.push_back({block, *cut, blocks_.size() + arrivals_.size()});
  const auto ownCallees = static_cast<std::uint32_t>(result_.callees.size());
  for (std::size_t cut = 0; cut < arguments.size(); ++cut) {
    corpus::Callee callee{fmt::format("irsieve.cut.{}", cut), {}};
    for (const std::size_t value : arguments[cut])
      callee.signature.parameters.push_back(
          {program.instructions[value].type, {}});
    result_.callees.push_back(std::move(callee));
  }

  result_.beginBlock();
  mapAll(arguments);
  if (assumesGuards)
    assumeGuards();
  for (const std::size_t block : order_) {
    if (blockNumbers_.at(block) != 0)
      result_.beginBlock();
    for (std::size_t i = program.blocks[block].begin;
         i < program.blocks[block].end; ++i) {
      const Instruction &instruction = program.instructions[i];
      if (instruction.opcode == Opcode::phi &&
          !side_.isInside(piece_, blocks_, i))
        continue;
      std::vector<Operand> mapped;
      for (const Operand &operand :
           side_.operandsInside(blocks_, instruction)) {
        const auto arrival =
            operand.is(Operand::Kind::block) &&
                    instruction.opcode != Opcode::phi
                ? std::find_if(arrivals_.begin(), arrivals_.end(),
                               [&](const Arrival &a) {
                                 return a.from == block &&
                                        side_.cuts()[a.cut] == operand.payload;
                               })
                : arrivals_.end();
        mapped.push_back(arrival != arrivals_.end()
                             ? Operand::block(arrival->block)
                             : map(operand));
      }
      values_.insert_or_assign(i, result_.append(instruction, mapped));
    }
  }
  for (const Arrival &arrival : arrivals_) {
    result_.beginBlock();
    std::vector<Operand> values;
    for (const std::size_t value : arguments[arrival.cut])
      values.push_back(map(side_.arriving(arrival.from, arrival.cut, value)));
    result_.append(Opcode::call, Type(), values);
    result_.instructions.back().callee =
        ownCallees + static_cast<std::uint32_t>(arrival.cut);
    const Type type = result_.signature.returnType;
    if (touchesMemory(program)) // which nobody looks at any more
      result_.append(Opcode::unreachable, Type(), {});
    else if (type.isVoid())
      result_.append(Opcode::ret, Type(), {});
    else
      result_.append(Opcode::ret, Type(),
                     {type.isInteger() ? Operand::constant(type, 0)
                                       : Operand::poison(type)});
  }
  return std::move(result_);
}

class Proof {
public:
  Proof(const Program &source, const Program &target,
        const Semantics &semantics, const SmtLimits &limits)
      : source_(source, semantics), target_(target, semantics),
        semantics_(semantics), limits_(limits),
        hasMemory_(touchesMemory(source) || touchesMemory(target)) {
    if (hasMemory_)
      limits_.resources /= shareOfPiece;
    // What lives on may be poison, even where arguments are not.
    if (semantics_.inputs == Inputs::defined)
      semantics_.inputs = Inputs::poison;
  }

  bool holds();

private:
  bool isInScope() const;
  void guess();
  int likeness(std::size_t cut, std::size_t value, std::size_t other) const;
  bool isRefined(std::size_t piece, const std::optional<Atom> &only);
  bool next(const Atom &atom);

  Side source_;
  Side target_;
  Semantics semantics_;
  SmtLimits limits_;
  bool hasMemory_;
  Partners partners_;
  /// What else may be tried, the best last.
  std::vector<std::vector<std::vector<std::size_t>>> others_;
  unsigned checks_ = 0;
};

bool Proof::isInScope() const {
  const std::size_t cuts = source_.cuts().size();
  if (cuts != target_.cuts().size() || cuts > maximumCuts ||
      source_.program().signature.function !=
          target_.program().signature.function)
    return false;
  for (const Side *side : {&source_, &target_}) {
    for (std::size_t cut = 0; cut < cuts; ++cut)
      if (side->live(cut).size() > maximumLive)
        return false;
    if (hasMemory_ && !hasSimpleMemory(side->program(), semantics_))
      return false;
  }
  const auto &mine = source_.program().signature.parameters;
  const auto &theirs = target_.program().signature.parameters;
  return !hasMemory_ ||
         std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(),
                    [](const auto &a, const auto &b) {
                      return a.attributes == b.attributes;
                    });
}

/// How well they go together, of the same type.
int Proof::likeness(std::size_t cut, std::size_t value,
                    std::size_t other) const {
  const Program &target = target_.program();
  const Program &source = source_.program();
  const Instruction &a = target.instructions[target_.live(cut)[value]];
  const Instruction &b = source.instructions[source_.live(cut)[other]];
  int likeness = value == other ? 1 : 0;
  if (a.opcode != b.opcode)
    return likeness;
  likeness += 2;
  // Of phis: the same constants, and values made in the same way.
  const auto theirs = source.operandsOf(b);
  for (const Operand &mine : target.operandsOf(a))
    likeness +=
        2 * static_cast<int>(std::any_of(
                theirs.begin(), theirs.end(), [&](const Operand &o) {
                  if (!mine.is(o.kind) || mine.is(Operand::Kind::block))
                    return false;
                  return mine.is(Operand::Kind::instruction)
                             ? target.instructions[mine.payload].opcode ==
                                   source.instructions[o.payload].opcode
                             : mine == o;
                }));
  return likeness;
}

void Proof::guess() {
  const std::size_t cuts = source_.cuts().size();
  partners_.resize(cuts);
  others_.resize(cuts);
  for (std::size_t cut = 0; cut < cuts; ++cut) {
    const auto &mine = target_.live(cut);
    const auto &theirs = source_.live(cut);
    partners_[cut].resize(mine.size());
    others_[cut].resize(mine.size());
    for (std::size_t value = 0; value < mine.size(); ++value) {
      std::vector<std::size_t> &others = others_[cut][value];
      const Type type = target_.program().instructions[mine[value]].type;
      for (std::size_t other = 0; other < theirs.size(); ++other)
        if (source_.program().instructions[theirs[other]].type == type)
          others.push_back(other);
      std::stable_sort(
          others.begin(), others.end(), [&](std::size_t a, std::size_t b) {
            return likeness(cut, value, a) < likeness(cut, value, b);
          });
      next({cut, value});
    }
  }
}

/// The next guess; false if there was none before either.
bool Proof::next(const Atom &atom) {
  auto &partner = partners_[atom.cut][atom.value];
  auto &others = others_[atom.cut][atom.value];
  const bool had = partner.has_value();
  partner.reset();
  if (others.empty())
    return had;
  partner = others.back();
  others.pop_back();
  return true;
}

/// `only`: of all that arrives, only these two values are compared.
bool Proof::isRefined(std::size_t piece, const std::optional<Atom> &only) {
  if (++checks_ > maximumChecks)
    return false;
  Piece source(source_, piece);
  Piece target(target_, piece);
  if (piece != entry) {
    std::size_t parameter = source_.program().signature.parameters.size();
    std::vector<std::size_t> parameters;
    const auto add = [&](Type type) {
      source.addParameter(type);
      target.addParameter(type);
      return parameter++;
    };
    for (const std::size_t value : source_.live(piece)) {
      parameters.push_back(add(source_.program().instructions[value].type));
      source.bind(value, parameters.back());
    }
    for (std::size_t i = 0; i < target_.live(piece).size(); ++i) {
      const std::size_t value = target_.live(piece)[i];
      const auto partner = partners_[piece][i];
      target.bind(value, partner
                             ? parameters[*partner]
                             : add(target_.program().instructions[value].type));
    }
  }
  std::vector<std::vector<std::size_t>> sourceArguments(partners_.size());
  std::vector<std::vector<std::size_t>> targetArguments(partners_.size());
  for (std::size_t cut = 0; cut < partners_.size(); ++cut)
    for (std::size_t i = 0; i < partners_[cut].size(); ++i) {
      const bool isLeftOut = only && (only->cut != cut || only->value != i);
      if (!partners_[cut][i] || isLeftOut)
        continue;
      sourceArguments[cut].push_back(source_.live(cut)[*partners_[cut][i]]);
      targetArguments[cut].push_back(target_.live(cut)[i]);
    }
  const bool assumes =
      piece != entry && semantics_.branchOnPoison == BranchRule::ub;
  const Program s = source.build(sourceArguments, assumes);
  const Program t = target.build(targetArguments, false);
  const Verdict verdict =
      hasMemory_ ? checkMemorySymbolically(s, t, semantics_, false, limits_)
                 : checkSymbolic(s, t, semantics_, false, limits_);
  // Each may take all there is, but not often.
  if (verdict.word == VerdictWord::undecided)
    checks_ += maximumChecks / 4;
  return verdict.word == VerdictWord::refines && verdict.reason.empty();
}

bool Proof::holds() {
  if (!isInScope())
    return false;
  guess();
  std::vector<std::size_t> pieces = {entry};
  for (std::size_t cut = 0; cut < partners_.size(); ++cut)
    pieces.push_back(cut);
  for (std::size_t i = 0; i < pieces.size();) {
    if (isRefined(pieces[i], std::nullopt)) {
      ++i;
      continue;
    }
    // Whatever does not hold is guessed anew, and all is checked again.
    bool isNew = false;
    for (std::size_t cut = 0; cut < partners_.size(); ++cut)
      for (std::size_t value = 0; value < partners_[cut].size(); ++value)
        if (partners_[cut][value] && checks_ <= maximumChecks &&
            !isRefined(pieces[i], Atom{cut, value}))
          isNew = next({cut, value}) || isNew;
    if (!isNew || checks_ > maximumChecks)
      return false;
    i = 0;
  }
  return true;
}

} // namespace

bool isSimulation(const Program &source, const Program &target,
                  const Semantics &semantics, const SmtLimits &limits) {
  return Proof(source, target, semantics, limits).holds();
}

} // namespace checker::smt
