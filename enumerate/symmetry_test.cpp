// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orbits by union of elementary moves, made here without the code under test:
// each must have exactly one representative.
#include "enumerate/symmetry.h"

#include "corpus/program/print.h"
#include "enumerate/space.h"
#include "enumerate/spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>

using corpus::Instruction;
using corpus::Opcode;
using corpus::Operand;
using corpus::Program;

namespace enumerate {
namespace {

/// `program` with its first two operands of instruction `i` exchanged, if the
/// rules allow it.
std::optional<Program> swapOperands(const Program &program, std::size_t i,
                                    Symmetry rules) {
  Program result = program;
  Instruction &instruction = result.instructions[i];
  using enum Opcode;
  switch (instruction.opcode) {
  case add:
  case mul:
  case and_:
  case or_:
  case xor_:
  case smin:
  case smax:
  case umin:
  case umax:
  case saddSat:
  case uaddSat:
  case saddOverflow:
  case uaddOverflow:
  case smulOverflow:
  case umulOverflow:
    if (!rules.has(symmetry::commute))
      return std::nullopt;
    break;
  case icmp: {
    if (!rules.has(symmetry::mirror))
      return std::nullopt;
    using enum corpus::Predicate;
    const std::map<corpus::Predicate, corpus::Predicate> mirrored = {
        {eq, eq},   {ne, ne},   {ugt, ult}, {ult, ugt}, {uge, ule},
        {ule, uge}, {sgt, slt}, {slt, sgt}, {sge, sle}, {sle, sge}};
    instruction.predicate = mirrored.at(instruction.predicate);
    break;
  }
  default:
    return std::nullopt;
  }
  std::swap(result.operands[instruction.firstOperand],
            result.operands[instruction.firstOperand + 1]);
  return result;
}

/// The instructions in another order, each in its block; `order` names old
/// positions.
Program permute(const Program &program, const std::vector<std::size_t> &order) {
  Program result = program;
  std::vector<std::size_t> newPosition(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    newPosition[order[i]] = i;
  result.operands.clear();
  for (std::size_t i = 0; i < order.size(); ++i) {
    Instruction &instruction = result.instructions[i];
    instruction = program.instructions[order[i]];
    instruction.firstOperand = result.operands.size();
    for (Operand operand : program.operandsOf(program.instructions[order[i]])) {
      if (operand.is(Operand::Kind::instruction))
        operand.payload = newPosition[operand.payload];
      result.operands.push_back(operand);
    }
  }
  return result;
}

bool isDivision(Opcode opcode) {
  return opcode == Opcode::udiv || opcode == Opcode::sdiv ||
         opcode == Opcode::urem || opcode == Opcode::srem;
}

bool isAccess(Opcode opcode) {
  return opcode == Opcode::load || opcode == Opcode::store ||
         opcode == Opcode::memset_ || opcode == Opcode::lifetimeEnd;
}

/// Where a load, store, memset or lifetime points to.
Operand pointerOf(const Program &program, const Instruction &access) {
  return program.operandsOf(access)[access.opcode == Opcode::store ? 1 : 0];
}

bool pointsToAlloca(const Program &program, const Operand &pointer) {
  return pointer.is(Operand::Kind::instruction) &&
         program.instructions[pointer.payload].opcode == Opcode::alloca_;
}

/// Whether the two may be exchanged as far as effects go: phis stay in front,
/// calls in their order, no division crosses a call that may not return, no
/// access a call, and no write an access that may be of the same memory.
bool areIndifferent(const Program &program, const Instruction &a,
                    const Instruction &b) {
  if ((a.opcode == Opcode::phi) != (b.opcode == Opcode::phi))
    return false;
  if (a.opcode == Opcode::call && b.opcode == Opcode::call)
    return false;
  const auto mayNotReturn = [&](const Instruction &instruction) {
    return instruction.opcode == Opcode::call &&
           !program.callees[instruction.callee].signature.function.has(
               corpus::attribute::willreturn);
  };
  if ((isAccess(a.opcode) && b.opcode == Opcode::call) ||
      (isAccess(b.opcode) && a.opcode == Opcode::call))
    return false;
  if (isAccess(a.opcode) && isAccess(b.opcode) &&
      (a.opcode != Opcode::load || b.opcode != Opcode::load)) {
    const Operand first = pointerOf(program, a);
    const Operand second = pointerOf(program, b);
    if (!pointsToAlloca(program, first) || !pointsToAlloca(program, second) ||
        first == second)
      return false;
  }
  return !(isDivision(a.opcode) && mayNotReturn(b)) &&
         !(isDivision(b.opcode) && mayNotReturn(a));
}

/// Every program from exchanging two neighbours of a block of which the second
/// does not use the first; an overflow intrinsic moves with its extracts.
std::vector<Program> exchanges(const Program &program) {
  std::vector<std::vector<std::size_t>> units;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    if (program.instructions[i].opcode == Opcode::extractvalue)
      units.back().push_back(i);
    else
      units.push_back({i});
  }
  const auto blockOf = [&](std::size_t instruction) {
    return std::find_if(
        program.blocks.begin(), program.blocks.end(),
        [&](const corpus::Block &block) { return instruction < block.end; });
  };
  std::vector<Program> result;
  for (std::size_t u = 0; u + 1 < units.size(); ++u) {
    const Instruction &first = program.instructions[units[u].front()];
    const Instruction &second = program.instructions[units[u + 1].front()];
    const auto block = blockOf(units[u].front());
    if (first.opcode == Opcode::alloca_)
      continue;
    // The last of a block ends it.
    if (units[u + 1].back() + 1 >= block->end ||
        !areIndifferent(program, first, second))
      continue;
    bool depends = false;
    // A phi reads what its predecessors left, not its neighbour.
    if (second.opcode != Opcode::phi)
      for (const Operand &operand : program.operandsOf(second))
        depends |= operand.is(Operand::Kind::instruction) &&
                   operand.payload >= units[u].front() &&
                   operand.payload <= units[u].back();
    if (depends)
      continue;
    auto exchanged = units;
    std::swap(exchanged[u], exchanged[u + 1]);
    std::vector<std::size_t> order;
    for (const auto &unit : exchanged)
      order.insert(order.end(), unit.begin(), unit.end());
    result.push_back(permute(program, order));
  }
  return result;
}

/// The same with the allocas as they are.
std::optional<Rank> rankOfNumbered(const Space &space, const Program &program) {
  std::vector<std::size_t> numbers(program.signature.parameters.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t(0));
  std::optional<std::uint64_t> found;
  do {
    Program renumbered = program;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      renumbered.signature.parameters[numbers[i]] =
          program.signature.parameters[i];
    for (Operand &operand : renumbered.operands)
      if (operand.is(Operand::Kind::argument))
        operand.payload = numbers[operand.payload];
    const auto rank = space.rank(renumbered);
    if (!rank)
      continue;
    EXPECT_EQ(found.value_or(*rank), *rank) << corpus::printFunction(program);
    found = rank;
  } while (std::next_permutation(numbers.begin(), numbers.end()));
  return found;
}

/// The rank of `program` or of what other numbers for its arguments and allocas
/// make of it, of which the space has one.
std::optional<Rank> rankOf(const Space &space, const Program &given) {
  std::vector<std::size_t> order(given.instructions.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  const auto behindAllocas =
      std::find_if(order.begin(), order.end(), [&](std::size_t i) {
        return given.instructions[i].opcode != Opcode::alloca_;
      });
  std::optional<Rank> found;
  do {
    const auto rank = rankOfNumbered(space, permute(given, order));
    if (!rank)
      continue;
    EXPECT_EQ(found.value_or(*rank), *rank) << corpus::printFunction(given);
    found = rank;
  } while (std::next_permutation(order.begin(), behindAllocas));
  return found;
}

struct Case {
  const char *spec;
  Symmetry rules;
};

void PrintTo(const Case &value, std::ostream *out) {
  *out << value.spec << " " << toString(value.rules);
}

class Orbits : public ::testing::TestWithParam<Case> {};

TEST_P(Orbits, haveOneRepresentativeEach) {
  const auto space = parseSpace(GetParam().spec);
  ASSERT_TRUE(space) << space.error().message;
  const Symmetry rules = GetParam().rules;
  const bool isFrozen = parseSpec(GetParam().spec)->frozen;
  std::vector<std::uint64_t> parent((*space)->count());
  std::iota(parent.begin(), parent.end(), std::uint64_t(0));
  const auto find = [&](std::uint64_t rank) {
    while (parent[rank] != rank)
      rank = parent[rank] = parent[parent[rank]];
    return rank;
  };
  std::vector<bool> isRepresentative((*space)->count());
  RepresentativeFilter filter(rules);
  for (auto cursor = (*space)->from(0); !cursor->atEnd(); cursor->next()) {
    const Program &program = cursor->program();
    isRepresentative[cursor->rank()] = filter.isRepresentative(program);
    std::vector<Program> variants;
    for (std::size_t i = 0; i < program.instructions.size(); ++i)
      if (auto swapped = swapOperands(program, i, rules))
        variants.push_back(std::move(*swapped));
    if (rules.has(symmetry::reorder))
      for (Program &exchanged : exchanges(program))
        variants.push_back(std::move(exchanged));
    for (const Program &variant : variants) {
      const auto rank = rankOf(**space, variant);
      // Where exits freeze what they take, they do it at the end.
      if (!rank && isFrozen)
        continue;
      ASSERT_TRUE(rank) << corpus::printFunction(variant);
      parent[find(*rank)] = find(cursor->rank());
    }
  }
  std::vector<int> representatives((*space)->count());
  for (corpus::Rank rank = 0; rank < parent.size(); ++rank)
    representatives[find(rank)] += isRepresentative[rank] ? 1 : 0;
  std::uint64_t skipped = 0;
  for (corpus::Rank rank = 0; rank < parent.size(); ++rank) {
    if (find(rank) == rank) {
      ASSERT_EQ(representatives[rank], 1)
          << corpus::printFunction((*space)->at(rank));
    }
    skipped += isRepresentative[rank] ? 0 : 1;
  }
  EXPECT_EQ(skipped == 0, rules.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Spaces, Orbits,
    ::testing::Values(
        Case{"i1x1", symmetry::args}, Case{"i1x2", symmetry::full},
        Case{"i2x2", symmetry::commute}, Case{"i2x2", symmetry::mirror},
        Case{"i2x2", symmetry::full},
        Case{"i2x3:ops=add+zext,args=2,consts=none", symmetry::reorder},
        Case{"i1x3:ops=mul+icmp,args=2,consts=none", symmetry::full},
        Case{"i1x2:ops=xor+icmp,blocks=3,args=2,consts=none",
             symmetry::commute | symmetry::mirror},
        Case{"i1x3:ops=xor+udiv,blocks=2,args=2,consts=none", symmetry::full},
        Case{"i1x3:ops=xor+phi,blocks=2,loops,args=2,consts=none",
             symmetry::full},
        Case{"i1x3:ops=udiv,calls,blocks=2,args=2,consts=none", symmetry::full},
        Case{"i1x3:ops=xor+freeze,blocks=3,args=2,consts=none", symmetry::full},
        Case{"i1x2:ops=xor+phi,blocks=3,loops,frozen,args=2,consts=none",
             symmetry::full},
        Case{"i1x3:ops=udiv,calls=willreturn,args=2,consts=none",
             symmetry::full},
        Case{"i2x3:ops=xor+sub+select,consts=none", symmetry::full},
        Case{"i1x4:ops=and+udiv,consts=none,args=2", symmetry::full},
        Case{"i2x2:ops=uadd.with.overflow+umin+select,args=2,consts=few",
             symmetry::full},
        Case{"i1x3:ops=sadd.with.overflow+xor,consts=none,args=2",
             symmetry::full},
        Case{"i8x3:mem=a1+a1+p1,args=1,consts=none", symmetry::reorder},
        Case{"i8x3:mem=a1+a2,ops=load+store+xor,args=1,consts=none",
             symmetry::full},
        Case{"i8x3:mem=p1+p1,align,attrs=noalias,args=0,consts=two",
             symmetry::full},
        Case{"i8x2:mem=a1+a1,calls=willreturn,graph=if,args=2,consts=none",
             symmetry::full},
        Case{"v2i2x2:ops=add+shufflevector+extractelement,args=2,consts=none",
             symmetry::full},
        Case{"v2i1x3:ops=xor+insertelement+extractelement,args=2,consts=none",
             symmetry::full}));

// Burnside by hand on one instruction, where the group is the swap of two
// operands. Two i2 operands: (a,a) and (a,b) are fixed, (a,c) and (c,a) for
// each of 4 constants are not: 6 orbits of 10. 11 commutative templates and eq,
// ne have these, the 8 other predicates 80 / 2. Two i1 operands: 4 orbits of 6,
// for and, or, xor. Nothing else in i2x1 can be swapped: 488 - 390 - 18
// functions.
TEST(Symmetry, burnsideOfI2x1) {
  const auto space = parseSpace("i2x1");
  std::uint64_t represented = 0;
  RepresentativeFilter filter(symmetry::full);
  for (auto cursor = (*space)->from(0); !cursor->atEnd(); cursor->next())
    represented += filter.isRepresentative(cursor->program()) ? 1 : 0;
  EXPECT_EQ(represented,
            (11 + 2) * 6 + 40 + 18 * 10 + 3 * 4 + (488 - 390 - 18));
}

TEST(Symmetry, prefersConstantsOnTheRight) {
  const auto space = parseSpace("i4x1");
  RepresentativeFilter filter(symmetry::full);
  for (auto cursor = (*space)->from(0); !cursor->atEnd(); cursor->next()) {
    const Program &program = cursor->program();
    const Instruction &instruction = program.instructions.front();
    const bool canSwap =
        corpus::info(instruction.opcode).has(corpus::trait::commutative) ||
        instruction.opcode == Opcode::icmp;
    if (canSwap &&
        program.operandsOf(instruction)[0].is(Operand::Kind::constant)) {
      EXPECT_FALSE(filter.isRepresentative(program));
    }
  }
}

TEST(Symmetry, names) {
  for (const char *text : {"args", "full", "commute", "mirror+reorder"})
    EXPECT_EQ(toString(*parseSymmetry(text)), text);
  EXPECT_EQ(parseSymmetry("reorder+commute+mirror"), symmetry::full);
  EXPECT_EQ(parseSymmetry("all"), std::nullopt);
  EXPECT_EQ(parseSymmetry(""), std::nullopt);
  EXPECT_THAT((parseSpace("i2x2:symmetry=some")).error().message,
              ::testing::AllOf(::testing::HasSubstr("`symmetry=some`"),
                               ::testing::HasSubstr("commute mirror reorder")));
}

} // namespace
} // namespace enumerate
