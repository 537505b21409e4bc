// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/space.h"

#include "corpus/program/print.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace enumerate;

namespace {

std::unique_ptr<Space> space(std::string_view spec) {
  auto result = parseSpace(spec);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? std::move(*result) : nullptr;
}

TEST(Space, counts) {
  EXPECT_EQ(space("i1x1")->count(), 264U);
  EXPECT_EQ(space("i1x2")->count(), 114'969U);
  EXPECT_EQ(space("i2x1")->count(), 488U);
  EXPECT_EQ(space("i2x2")->count(), 203'557U);
  EXPECT_EQ(space("i2x3")->count(), 126'284'145U);
  EXPECT_EQ(space("i4x1")->count(), 1'736U);
  EXPECT_EQ(space("i4x2")->count(), 2'238'781U);
  EXPECT_EQ(space("i3x2:args=2")->count(), 596'752U);
}

} // namespace
