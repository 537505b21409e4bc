// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: a space whose spec is right.
#pragma once

#include "enumerate/space.h"

#include <gtest/gtest.h>

#include <memory>
#include <string_view>

namespace enumerate {

/// Fails the running test where the spec does not parse.
inline std::unique_ptr<Space> space(std::string_view spec) {
  auto result = parseSpace(spec);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? std::move(*result) : nullptr;
}

} // namespace enumerate
