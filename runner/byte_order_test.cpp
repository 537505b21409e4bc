// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/byte_order.h"

#include <gtest/gtest.h>

using namespace runner;

namespace {

// LangRef, "Data Layout".
TEST(ByteOrder, OfADataLayout) {
  EXPECT_FALSE(isBigEndian(""));
  EXPECT_TRUE(isBigEndian("E"));
  EXPECT_TRUE(isBigEndian("E-p:32:32:32"));
  EXPECT_FALSE(isBigEndian("e-m:e-i64:64-n32:64-S128"));
  EXPECT_FALSE(isBigEndian("n2:4:8"));
}

TEST(ByteOrder, MattersForValuesInMemory) {
  corpus::Program program;
  program.instructions.resize(1);
  program.instructions[0].opcode = corpus::Opcode::add;
  EXPECT_EQ(otherByteOrder(program, true), std::nullopt);
  program.instructions[0].opcode = corpus::Opcode::load;
  EXPECT_EQ(otherByteOrder(program, false), std::nullopt);
  EXPECT_NE(otherByteOrder(program, true), std::nullopt);
}

} // namespace
