// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spaces with control flow and calls against generate-and-filter: here every
// block has any exit, every operand is anything of its type, and corpus::verify
// and the definition of a space reject what is too much. Compared up to the
// numbering of blocks and arguments.
#include "corpus/program/print.h"
#include "enumerate/cfg.h"
#include "enumerate/space.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;
using corpus::Type;
using ::testing::HasSubstr;

namespace enumerate {
namespace {

/// The program as text, with blocks in the order that makes the exits least and
/// arguments named by first use in that text.
std::string unnumbered(const Program &program) {
  const std::size_t count = program.blocks.size();
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::string best;
  std::vector<std::size_t> bestOrder;
  do {
    std::vector<std::size_t> position(count);
    for (std::size_t i = 0; i < count; ++i)
      position[order[i]] = i;
    std::string exits;
    for (std::size_t block : order) {
      const Instruction &exit =
          program.instructions[program.blocks[block].end - 1];
      exits += fmt::format("{}:", static_cast<int>(exit.opcode));
      for (const Operand &operand : program.operandsOf(exit))
        if (operand.is(Operand::Kind::block))
          exits += fmt::format("{},", position[operand.payload]);
    }
    if (best.empty() || exits < best) {
      best = exits;
      bestOrder = order;
    }
  } while (std::next_permutation(order.begin() + 1, order.end()));

  std::vector<std::size_t> position(count);
  std::map<std::uint64_t, std::size_t> values;
  for (std::size_t i = 0; i < count; ++i) {
    position[bestOrder[i]] = i;
    const corpus::Block &block = program.blocks[bestOrder[i]];
    for (std::uint64_t v = block.begin; v < block.end; ++v)
      values.emplace(v, values.size());
  }
  std::map<std::uint64_t, std::size_t> arguments;
  const auto name = [&](const Operand &operand) {
    switch (operand.kind) {
    case Operand::Kind::argument:
      return fmt::format(
          "{} a{}", toString(operand.type),
          arguments.emplace(operand.payload, arguments.size()).first->second);
    case Operand::Kind::instruction:
      return fmt::format("v{}", values[operand.payload]);
    case Operand::Kind::block:
      return fmt::format("b{}", position[operand.payload]);
    default:
      return fmt::format("{} {}", toString(operand.type),
                         corpus::printOperand(program, operand));
    }
  };
  std::string text = toString(program.signature.returnType) + "\n";
  for (std::size_t block : bestOrder)
    for (std::size_t i = program.blocks[block].begin;
         i < program.blocks[block].end; ++i) {
      const Instruction &instruction = program.instructions[i];
      std::vector<std::string> operands;
      const auto all = program.operandsOf(instruction);
      if (instruction.opcode == Opcode::phi) {
        std::vector<std::pair<std::size_t, Operand>> edges;
        for (std::size_t o = 0; o < all.size(); o += 2)
          edges.emplace_back(position[all[o + 1].payload], all[o]);
        std::stable_sort(
            edges.begin(), edges.end(),
            [](const auto &a, const auto &b) { return a.first < b.first; });
        for (const auto &[from, value] : edges)
          operands.push_back(fmt::format("{} from {}", name(value), from));
      } else {
        for (const Operand &operand : all)
          operands.push_back(name(operand));
      }
      text += fmt::format("{} {}", corpus::info(instruction.opcode).spelling,
                          toString(instruction.type));
      if (instruction.opcode == Opcode::call)
        text += program.callees[instruction.callee].name;
      for (const std::string &operand : operands)
        text += ", " + operand;
      text += "\n";
    }
  return text;
}

/// What an instruction may be, without flags.
struct Kind {
  Opcode opcode;
  std::vector<unsigned> operands;
  unsigned result; ///< 0: none
};

struct Case {
  const char *spec;
  unsigned instructions;
  unsigned blocks;
  std::vector<unsigned> widths;
  std::size_t arguments;
  std::vector<Kind> kinds; ///< phi without operands
  std::map<unsigned, std::vector<Operand>> literals;
  bool loops = false;
  bool switches = false;
  bool sameTarget = false;
  bool unreachable = false;
  bool calls = false;
  bool frozen = false;
  const CfgInfo *graph = nullptr;
};

void PrintTo(const Case &value, std::ostream *out) { *out << value.spec; }

class Generator {
public:
  explicit Generator(const Case &what) : case_(what) {}

  std::set<std::string> run() {
    exits_.resize(case_.blocks);
    contents_.resize(case_.blocks);
    if (case_.graph != nullptr) {
      takeGraph();
      placeInstruction(0, 0);
    } else {
      chooseExit(0);
    }
    return std::move(found_);
  }

private:
  struct Exit {
    Opcode opcode = Opcode::ret;
    std::vector<unsigned> targets;
  };
  /// An operand still to choose.
  struct Hole {
    std::size_t instruction;
    std::size_t operand;
    unsigned width;
  };

  void takeGraph() {
    using enum enumerate::Exit::Kind;
    const std::map<enumerate::Exit::Kind, Opcode> opcodes = {
        {ret, Opcode::ret},
        {jump, Opcode::br},
        {branch, Opcode::br},
        {switch_, Opcode::switch_}};
    for (unsigned block = 0; block < case_.blocks; ++block) {
      const auto &exit = case_.graph->exits.at(block);
      exits_[block] = {opcodes.at(exit.kind),
                       {exit.targets.begin(), exit.targets.end()}};
    }
  }

  void chooseExit(unsigned block) {
    if (block == case_.blocks) {
      if (isConnected() && (case_.loops || !hasCycle()))
        placeInstruction(0, 0);
      return;
    }
    exits_[block] = {Opcode::ret, {}};
    chooseExit(block + 1);
    if (case_.unreachable) {
      exits_[block] = {Opcode::unreachable, {}};
      chooseExit(block + 1);
    }
    for (unsigned a = 1; a < case_.blocks; ++a) {
      exits_[block] = {Opcode::br, {a}};
      chooseExit(block + 1);
      for (unsigned b = 1; b < case_.blocks; ++b) {
        if (a != b || case_.sameTarget) {
          exits_[block] = {Opcode::br, {a, b}};
          chooseExit(block + 1);
        }
        if (!case_.switches)
          continue;
        if (a != b || case_.sameTarget) {
          exits_[block] = {Opcode::switch_, {a, b}};
          chooseExit(block + 1);
        }
        for (unsigned c = 1; c < case_.blocks; ++c)
          if (a != b || b != c || case_.sameTarget) {
            exits_[block] = {Opcode::switch_, {a, b, c}};
            chooseExit(block + 1);
          }
      }
    }
  }

  /// Blocks that can be reached from `from` by one or more edges.
  std::set<unsigned> reachable(unsigned from) const {
    std::set<unsigned> seen;
    std::vector<unsigned> work = {from};
    while (!work.empty()) {
      const unsigned block = work.back();
      work.pop_back();
      for (unsigned target : exits_[block].targets)
        if (seen.insert(target).second)
          work.push_back(target);
    }
    return seen;
  }
  bool isConnected() const { return reachable(0).size() + 1 == case_.blocks; }
  bool hasCycle() const {
    for (unsigned block = 0; block < case_.blocks; ++block)
      if (reachable(block).count(block) != 0)
        return true;
    return false;
  }

  /// Puts the remaining instructions into `block` and the following ones.
  void placeInstruction(unsigned block, unsigned placed) {
    if (placed == case_.instructions) {
      chooseReturnType();
      return;
    }
    if (block == case_.blocks)
      return;
    placeInstruction(block + 1, placed);
    for (const Kind &kind : case_.kinds) {
      const bool behindOther = !contents_[block].empty() &&
                               contents_[block].back()->opcode != Opcode::phi;
      if (kind.opcode == Opcode::phi && behindOther)
        continue;
      contents_[block].push_back(&kind);
      placeInstruction(block, placed + 1);
      contents_[block].pop_back();
    }
  }

  void chooseReturnType() {
    const bool returns =
        std::any_of(exits_.begin(), exits_.end(), [](const Exit &exit) {
          return exit.opcode == Opcode::ret;
        });
    if (!returns) {
      build(Type::integer(case_.widths.back()));
      return;
    }
    for (unsigned width : case_.widths)
      build(Type::integer(width));
    if (case_.calls)
      build(Type());
  }

  void build(Type returnType) {
    switchWidths_.clear();
    chooseSwitchWidth(returnType, 0);
  }

  void chooseSwitchWidth(Type returnType, unsigned block) {
    if (block == case_.blocks) {
      fillSkeleton(returnType);
      return;
    }
    if (exits_[block].opcode != Opcode::switch_) {
      chooseSwitchWidth(returnType, block + 1);
      return;
    }
    for (unsigned width : case_.widths) {
      switchWidths_[block] = width;
      chooseSwitchWidth(returnType, block + 1);
    }
  }

  void fillSkeleton(Type returnType) {
    Program program;
    program.signature.returnType = returnType;
    holes_.clear();
    frozen_.clear();
    const auto add = [&](Opcode opcode, Type type,
                         std::vector<Operand> operands) {
      for (std::size_t i = 0; i < operands.size(); ++i)
        if (operands[i] == Operand()) // still open
          operands[i].kind = Operand::Kind::undef;
      program.append(opcode, type, operands);
    };
    const auto open = [&](std::size_t operand, unsigned width) {
      holes_.push_back({program.instructions.size(), operand, width});
    };
    for (unsigned block = 0; block < case_.blocks; ++block) {
      program.beginBlock();
      for (const Kind *kind : contents_[block]) {
        if (kind->opcode == Opcode::phi) {
          std::vector<Operand> operands;
          std::set<unsigned> predecessors;
          for (unsigned from = 0; from < case_.blocks; ++from)
            for (unsigned target : exits_[from].targets)
              if (target == block) {
                if (predecessors.insert(from).second)
                  open(operands.size(), kind->result);
                operands.push_back({});
                operands.push_back(Operand::block(from));
              }
          if (predecessors.size() < 2)
            return;
          add(Opcode::phi, Type::integer(kind->result), operands);
          continue;
        }
        for (std::size_t i = 0; i < kind->operands.size(); ++i)
          open(i, kind->operands[i]);
        add(kind->opcode,
            kind->result == 0 ? Type() : Type::integer(kind->result),
            std::vector<Operand>(kind->operands.size()));
        if (kind->opcode == Opcode::call)
          setCallee(program, *kind);
      }
      const Exit &exit = exits_[block];
      std::vector<Operand> operands;
      const auto take = [&](unsigned width) {
        open(0, width);
        operands.push_back({});
        if (!case_.frozen || exit.opcode == Opcode::ret)
          return;
        const auto freeze =
            static_cast<std::uint32_t>(program.instructions.size());
        frozen_.insert(freeze);
        add(Opcode::freeze, Type::integer(width), operands);
        operands = {Operand::instruction(Type::integer(width), freeze)};
      };
      if (exit.opcode == Opcode::ret && !returnType.isVoid())
        take(returnType.width());
      if (exit.opcode == Opcode::br && exit.targets.size() == 2)
        take(1);
      if (exit.opcode == Opcode::switch_)
        take(switchWidths_[block]);
      for (std::size_t i = 0; i < exit.targets.size(); ++i) {
        if (exit.opcode == Opcode::switch_ && i > 0) {
          open(operands.size(), switchWidths_[block]);
          operands.push_back({});
        }
        operands.push_back(Operand::block(exit.targets[i]));
      }
      add(exit.opcode, Type(), operands);
    }
    fillHole(program, 0, {});
  }

  static void setCallee(Program &program, const Kind &kind) {
    corpus::Callee callee;
    callee.name = kind.operands.empty()
                      ? "use"
                      : fmt::format("use_i{}", kind.operands[0]);
    for (unsigned width : kind.operands)
      callee.signature.parameters.push_back({Type::integer(width), {}});
    auto found =
        std::find(program.callees.begin(), program.callees.end(), callee);
    if (found == program.callees.end())
      found = program.callees.insert(found, callee);
    program.instructions.back().callee =
        static_cast<std::uint32_t>(found - program.callees.begin());
  }

  /// `arguments`: types of those used so far.
  void fillHole(Program &program, std::size_t index,
                const std::vector<unsigned> &arguments) {
    if (index == holes_.size()) {
      program.signature.parameters.clear();
      for (unsigned width : arguments)
        program.addParameter(Type::integer(width));
      if (isMember(program)) {
        EXPECT_TRUE(found_.insert(unnumbered(program)).second ||
                    case_.blocks > 2);
      }
      return;
    }
    const Hole &hole = holes_[index];
    const Type type = Type::integer(hole.width);
    const auto put = [&](const Operand &operand,
                         const std::vector<unsigned> &used) {
      const Instruction &instruction = program.instructions[hole.instruction];
      const auto operands = program.operandsOf(instruction);
      operands[hole.operand] = operand;
      // Further edges from the same block have the same value.
      if (instruction.opcode == Opcode::phi)
        for (std::size_t o = hole.operand + 2; o < operands.size(); o += 2)
          if (operands[o + 1] == operands[hole.operand + 1])
            operands[o] = operand;
      fillHole(program, index + 1, used);
    };
    for (const Operand &literal : case_.literals.at(hole.width))
      put(literal, arguments);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i] == hole.width)
        put(Operand::argument(type, i), arguments);
    if (arguments.size() < case_.arguments) {
      std::vector<unsigned> more = arguments;
      more.push_back(hole.width);
      put(Operand::argument(type, arguments.size()), more);
    }
    for (std::size_t i = 0; i < program.instructions.size(); ++i)
      if (program.instructions[i].type == type && frozen_.count(i) == 0)
        put(Operand::instruction(type, i), arguments);
  }

  bool isMember(const Program &program) const {
    std::set<std::uint64_t> used;
    for (const Operand &operand : program.operands)
      if (operand.is(Operand::Kind::instruction))
        used.insert(operand.payload);
    for (std::size_t i = 0; i < program.instructions.size(); ++i) {
      const Instruction &instruction = program.instructions[i];
      const auto operands = program.operandsOf(instruction);
      if (!instruction.type.isVoid() && used.count(i) == 0)
        return false;
      const bool allLiteral = std::all_of(
          operands.begin(), operands.end(),
          [](const Operand &operand) { return operand.isLiteral(); });
      switch (instruction.opcode) {
      case Opcode::ret:
        break;
      case Opcode::br:
        if (operands.size() == 3 && operands[0].isLiteral())
          return false;
        break;
      case Opcode::switch_:
        if (operands[0].isLiteral())
          return false;
        for (std::size_t o = 2; o < operands.size(); o += 2)
          if (!operands[o].is(Operand::Kind::constant) ||
              (o > 2 && operands[o - 2].payload >= operands[o].payload))
            return false;
        break;
      case Opcode::phi: {
        bool same = true;
        for (std::size_t o = 2; o < operands.size(); o += 2)
          same &= operands[o] == operands[0];
        if (same)
          return false;
        break;
      }
      case Opcode::freeze:
        if (operands[0].is(Operand::Kind::constant) ||
            (frozen_.count(i) != 0 && operands[0].isLiteral()))
          return false;
        break;
      default:
        if (allLiteral && !operands.empty())
          return false;
      }
    }
    return !corpus::verify(program);
  }

  const Case &case_;
  std::vector<Exit> exits_;
  std::vector<std::vector<const Kind *>> contents_;
  std::map<unsigned, unsigned> switchWidths_;
  std::vector<Hole> holes_;
  std::set<std::size_t> frozen_; ///< freezes that belong to exits
  std::set<std::string> found_;
};

class Branching : public ::testing::TestWithParam<Case> {};

TEST_P(Branching, sameFunctionsAsBruteForce) {
  const auto space = parseSpace(GetParam().spec);
  ASSERT_TRUE(space) << space.error().message;
  EXPECT_EQ((*space)->spec(), GetParam().spec);
  std::set<std::string> members;
  for (auto cursor = (*space)->from(0); !cursor->atEnd(); cursor->next()) {
    const Program &program = cursor->program();
    ASSERT_EQ(corpus::verify(program), std::nullopt)
        << corpus::printFunction(program);
    ASSERT_EQ((*space)->rank(program), cursor->rank())
        << corpus::printFunction(program);
    ASSERT_EQ((*space)->at(cursor->rank()), program);
    ASSERT_TRUE(members.insert(unnumbered(program)).second)
        << corpus::printFunction(program);
  }
  EXPECT_EQ(members.size(), (*space)->count());
  const std::set<std::string> expected = Generator(GetParam()).run();
  EXPECT_EQ(members.size(), expected.size());
  std::vector<std::string> difference;
  std::set_symmetric_difference(members.begin(), members.end(),
                                expected.begin(), expected.end(),
                                std::back_inserter(difference));
  EXPECT_TRUE(difference.empty()) << difference.front();
}

std::vector<Operand> all(unsigned width) {
  std::vector<Operand> literals;
  for (std::uint64_t value = 0; value < 1U << width; ++value)
    literals.push_back(Operand::constant(Type::integer(width), value));
  return literals;
}

const Kind freeze1 = {Opcode::freeze, {1}, 1};
const Kind freeze2 = {Opcode::freeze, {2}, 2};
const Kind xor1 = {Opcode::xor_, {1, 1}, 1};
const Kind phi1 = {Opcode::phi, {}, 1};
const Kind phi2 = {Opcode::phi, {}, 2};
const Kind use0 = {Opcode::call, {}, 0};
const Kind use1 = {Opcode::call, {1}, 0};
const Kind use2 = {Opcode::call, {2}, 0};

std::vector<Case> cases() {
  std::vector<Case> list;
  const auto add = [&](const char *spec, unsigned instructions, unsigned blocks,
                       std::size_t arguments,
                       std::vector<Kind> kinds) -> Case & {
    Case made{spec, instructions, blocks, {1}, arguments, std::move(kinds), {}};
    made.literals[1] = all(1);
    list.push_back(made);
    return list.back();
  };
  add("i1x1:ops=xor,blocks=2,args=2", 1, 2, 2, {xor1});
  add("i1x2:ops=freeze,blocks=2,args=1", 2, 2, 1, {freeze1});
  add("i1x1:ops=xor+phi,blocks=3,args=2", 1, 3, 2, {xor1, phi1});
  add("i1x2:ops=freeze+phi,blocks=3,args=1", 2, 3, 1, {freeze1, phi1});
  add("i1x1:ops=xor+phi,blocks=3,loops,args=1", 1, 3, 1, {xor1, phi1}).loops =
      true;
  add("i1x2:ops=freeze+phi,blocks=2,loops,args=1", 2, 2, 1, {freeze1, phi1})
      .loops = true;
  Case &threeLoops =
      add("i1x2:ops=phi,blocks=3,loops,args=1,consts=none", 2, 3, 1, {phi1});
  threeLoops.literals[1].clear();
  threeLoops.loops = true;
  Case &four = add("i1x1:ops=phi,blocks=4,args=2,consts=none", 1, 4, 2, {phi1});
  four.literals[1].clear();
  Case &fourLoops =
      add("i1x1:ops=phi,blocks=4,loops,args=1,consts=none", 1, 4, 1, {phi1});
  fourLoops.literals[1].clear();
  fourLoops.loops = true;
  add("i1x1:ops=freeze+phi,blocks=3,same-target,args=1", 1, 3, 1,
      {freeze1, phi1})
      .sameTarget = true;
  Case &switches = add("i1x1:ops=freeze+phi,blocks=3,switch,same-target,args=1",
                       1, 3, 1, {freeze1, phi1});
  switches.switches = switches.sameTarget = true;
  add("i1x1:ops=freeze+phi,blocks=3,unreachable,args=2", 1, 3, 2,
      {freeze1, phi1})
      .unreachable = true;
  Case &wide = add("i2x1:ops=freeze+phi,blocks=3,switch,args=2", 1, 3, 2,
                   {freeze1, freeze2, phi1, phi2});
  wide.switches = true;
  wide.widths = {1, 2};
  wide.literals[2] = all(2);
  for (const auto &[name, spec] :
       {std::pair("table", "i2x1:ops=phi,graph=table,args=1"),
        std::pair("lookup", "i2x1:ops=phi,graph=lookup,args=1"),
        std::pair("chain", "i2x1:ops=phi,graph=chain,args=1"),
        std::pair("dispatch", "i2x1:ops=phi,graph=dispatch,args=1")}) {
    const auto graph = std::ranges::find(cfgTable(), name, &CfgInfo::name);
    Case &named = add(spec, 1, static_cast<unsigned>(graph->exits.size()), 1,
                      {phi1, phi2});
    named.graph = &*graph;
    named.widths = {1, 2};
    named.literals[2] = all(2);
  }
  add("i1x2:ops=xor,calls,args=1", 2, 1, 1, {xor1, use0, use1}).calls = true;
  add("i1x2:ops=phi,blocks=3,calls,args=1", 2, 3, 1, {phi1, use0, use1}).calls =
      true;
  Case &wideCalls = add("i2x1:ops=freeze,blocks=2,calls,args=1", 1, 2, 1,
                        {freeze1, freeze2, use0, use1, use2});
  wideCalls.calls = true;
  wideCalls.widths = {1, 2};
  wideCalls.literals[2] = all(2);
  Case &frozen = add("i1x2:ops=xor+phi,blocks=3,frozen,args=2,consts=none", 2,
                     3, 2, {xor1, phi1});
  frozen.literals[1].clear();
  frozen.frozen = true;
  Case &frozenSwitch = add("i2x1:ops=phi,poison,blocks=3,switch,frozen,args=2",
                           1, 3, 2, {phi1, phi2});
  frozenSwitch.switches = frozenSwitch.frozen = true;
  frozenSwitch.widths = {1, 2};
  frozenSwitch.literals[2] = all(2);
  for (const unsigned width : {1U, 2U})
    frozenSwitch.literals[width].push_back(
        Operand::poison(Type::integer(width)));
  for (const char *spec :
       {"i1x1:ops=freeze+phi,undef,poison,blocks=3,args=1"}) {
    Case &indefinite = add(spec, 1, 3, 1, {freeze1, phi1});
    indefinite.literals[1].push_back(Operand::undef(Type::integer(1)));
    indefinite.literals[1].push_back(Operand::poison(Type::integer(1)));
  }
  return list;
}

INSTANTIATE_TEST_SUITE_P(Spaces, Branching, ::testing::ValuesIn(cases()));

TEST(Branching, samplesOfLargeSpacesAreValidAndRanked) {
  for (const char *spec :
       {"i2x3:blocks=3", "i2x2:blocks=4,args=2", "i1x3:blocks=4,loops,args=2",
        "i1x2:blocks=3,loops,switch,same-target,calls,undef,poison",
        "i2x3:blocks=3,loops,switch,frozen,args=2",
        "i2x2:ops=add+phi,graph=table,args=1", "i4x2:graph=dispatch,args=2",
        "i2x2:ops=icmp+phi,graph=chain,args=2",
        "i1x2:blocks=4,unreachable,calls,args=1",
        "i4x3:modern,overflow,blocks=3,calls=willreturn,args=2,consts=few"}) {
    const auto space = parseSpace(spec);
    ASSERT_TRUE(space) << space.error().message;
    for (corpus::Rank rank : sampleRanks((*space)->count(), 2'000, 1)) {
      const auto cursor = (*space)->from(rank);
      for (int i = 0; i < 5 && !cursor->atEnd(); ++i, cursor->next()) {
        ASSERT_EQ(corpus::verify(cursor->program()), std::nullopt)
            << corpus::printFunction(cursor->program());
        ASSERT_EQ(cursor->program(), (*space)->at(cursor->rank()));
        ASSERT_EQ((*space)->rank(cursor->program()), cursor->rank())
            << corpus::printFunction(cursor->program());
      }
    }
  }
}

TEST(Branching, willReturnIsDeclared) {
  const auto space = parseSpace("i1x1:calls=willreturn,args=1");
  ASSERT_TRUE(space) << space.error().message;
  unsigned calls = 0;
  for (auto cursor = (*space)->from(0); !cursor->atEnd(); cursor->next())
    for (const corpus::Callee &callee : cursor->program().callees) {
      ++calls;
      EXPECT_TRUE(callee.signature.function.has(corpus::attribute::willreturn));
      EXPECT_TRUE(callee.signature.function.has(corpus::attribute::nounwind));
    }
  EXPECT_GT(calls, 0U);
}

/// One attribute says what all rules allow: LLVM takes the last of several.
TEST(Branching, WhatCallsMayDoToMemoryIsSaidOnce) {
  for (const auto &[rules, attribute] :
       {std::pair("read", "memory(read)"),
        {"argmem+read", "memory(argmem: read)"},
        {"none", "memory(none)"},
        {"read+write", "memory(none)"},
        {"argmem+write", "memory(argmem: write)"}}) {
    const auto space = parseSpace(fmt::format("i8x1:mem=p1,calls={}", rules));
    ASSERT_TRUE(space) << space.error().message;
    unsigned declared = 0;
    for (auto cursor = (*space)->from(0); !cursor->atEnd(); cursor->next()) {
      const std::string text = corpus::printModule(cursor->program());
      if (text.find("declare") == std::string::npos)
        continue;
      ++declared;
      EXPECT_THAT(text, testing::HasSubstr(fmt::format(") {}\n", attribute)))
          << rules;
    }
    EXPECT_GT(declared, 0U) << rules;
  }
}

TEST(Branching, badModifiersAreNamed) {
  const auto messageOf = [](std::string_view spec) {
    const auto result = parseSpace(spec);
    EXPECT_FALSE(result) << spec;
    return result ? std::string() : result.error().message;
  };
  EXPECT_THAT(messageOf("i2x2:blocks=0"), HasSubstr("1 to 6"));
  EXPECT_THAT(messageOf("i2x2:blocks=7"), HasSubstr("1 to 6"));
  EXPECT_THAT(messageOf("i2x2:blocks"), HasSubstr("1 to 6"));
  EXPECT_THAT(messageOf("i2x2:loops"), HasSubstr("blocks=2"));
  EXPECT_THAT(messageOf("i2x2:switch"), HasSubstr("blocks=2"));
  EXPECT_THAT(messageOf("i2x2:same-target"), HasSubstr("blocks=2"));
  EXPECT_THAT(messageOf("i2x2:unreachable"), HasSubstr("blocks=2"));
  EXPECT_THAT(messageOf("i2x2:frozen"), HasSubstr("blocks=2"));
  EXPECT_THAT(messageOf("i2x2:ops=freeze,blocks=2,frozen"),
              HasSubstr("leave freeze out"));
  EXPECT_THAT(messageOf("i2x2:ops=add+phi"), HasSubstr("blocks=2"));
  EXPECT_THAT(messageOf("i2x2:calls=never"), HasSubstr("willreturn"));
  for (const char *spec : {"i1x1:blocks=4,loops,switch", "i1x1:blocks=6,loops",
                           "i4x6:blocks=6,loops,calls,switch"})
    EXPECT_THAT(messageOf(spec), HasSubstr("control-flow graphs"));
}

} // namespace
} // namespace enumerate
