// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts by the definitions, from walks over paths, not from the algorithms
// under test.
#include "corpus/program/graph.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace corpus {
namespace {

using Successors = std::vector<std::vector<std::size_t>>;

/// Blocks that a walk from `start` meets when it never enters `without`.
std::vector<bool> met(const Successors &successors, std::size_t start,
                      std::size_t without) {
  std::vector<bool> seen(successors.size(), false);
  if (start == without)
    return seen;
  seen[start] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t from = 0; from < successors.size(); ++from)
      for (const std::size_t to : successors[from])
        if (seen[from] && !seen[to] && to != without)
          seen[to] = changed = true;
  }
  return seen;
}

TEST(Graph, AgreesWithTheDefinitions) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t count = 1 + random() % 7;
    Successors successors(count);
    for (auto &each : successors)
      for (std::size_t edges = random() % 4; edges > 0; --edges)
        each.push_back(random() % count);
    const Graph graph(successors);
    const std::size_t nothing = count;
    const std::vector<bool> reached = met(successors, 0, nothing);

    bool anyCycle = false;
    std::size_t inOrder = 0;
    for (std::size_t block = 0; block < count; ++block) {
      EXPECT_EQ(graph.isReachable(block), reached[block]);
      const auto order = graph.order();
      inOrder += std::count(order.begin(), order.end(), block);
      EXPECT_EQ(std::count(order.begin(), order.end(), block),
                reached[block] ? 1 : 0);
      if (reached[block]) {
        EXPECT_EQ(order[graph.place(block)], block);
      }

      bool cycle = false;
      for (const std::size_t next : successors[block])
        cycle = cycle || met(successors, next, nothing)[block];
      EXPECT_EQ(graph.isInCycle(block), cycle);
      anyCycle = anyCycle || (cycle && reached[block]);

      for (std::size_t other = 0; other < count; ++other) {
        const bool dominates =
            !reached[block] || !met(successors, 0, other)[block];
        EXPECT_EQ(graph.dominates(other, block), dominates)
            << other << " " << block;
        if (dominates && reached[block]) {
          EXPECT_LE(graph.place(other), graph.place(block));
        }
        const auto to = graph.predecessors(block);
        EXPECT_EQ(std::count(to.begin(), to.end(), other),
                  std::count(successors[other].begin(), successors[other].end(),
                             block));
      }
    }
    EXPECT_EQ(graph.order()[0], 0U);
    EXPECT_EQ(inOrder, graph.order().size());
    EXPECT_EQ(graph.hasCycle(), anyCycle);
    for (const std::size_t from : graph.order())
      for (const std::size_t to : successors[from])
        EXPECT_TRUE(anyCycle || graph.place(from) < graph.place(to));
  }
}

TEST(Graph, OfAProgramHasOneEdgeForEachBlockOperand) {
  Program program;
  const Operand a = program.addParameter(Type::integer(1));
  program.append(Opcode::br, Type(), {a, Operand::block(1), Operand::block(2)});
  program.beginBlock();
  program.append(Opcode::br, Type(), {a, Operand::block(2), Operand::block(2)});
  program.beginBlock();
  program.append(Opcode::ret, Type(), {});
  const Graph graph(program);
  EXPECT_TRUE(std::ranges::equal(graph.successors(0), std::vector{1, 2}));
  EXPECT_TRUE(std::ranges::equal(graph.successors(1), std::vector{2, 2}));
  EXPECT_TRUE(std::ranges::equal(graph.predecessors(2), std::vector{0, 1, 1}));
  EXPECT_TRUE(std::ranges::equal(graph.order(), std::vector{0, 1, 2}));
  EXPECT_FALSE(graph.dominates(1, 2));
}

/// Where the order leaves a choice, the first successor stands first: bug
/// identities rest on it.
TEST(Graph, OrdersTheFirstSuccessorFirst) {
  const Graph graph(Successors{{3, 1}, {2}, {}, {2}});
  EXPECT_TRUE(std::ranges::equal(graph.order(), std::vector{0, 3, 1, 2}));
}

} // namespace
} // namespace corpus
