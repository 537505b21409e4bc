// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds: for what InstCombine rewrites, small functions that it does it to,
// with constants, flags and operands that fit each other, which functions of a
// space seldom have. And the spaces of what is near them, `folds:i4`, where
// conditions of a rewrite that are off by one come to light. Immutable data,
// safe from any thread.
#pragma once

#include "corpus/program/result.h"
#include "corpus/program/type.h"
#include "enumerate/space.h"

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace enumerate {

struct FoldInfo {
  std::string_view text; ///< as expression.h says; fits i4
  std::string_view help;
};
std::span<const FoldInfo> foldTable();

/// What `folds:i<W>[:edits=2]` and `folds:v<L>i<W>[:edits=2]` say: all that is
/// within so many edits of a fold over that type, such as add no instruction.
struct FoldSpec {
  static constexpr unsigned minimumWidth = 4; ///< widths are even
  static constexpr unsigned maximumLanes = 4;
  corpus::Type type = corpus::Type::integer(minimumWidth);
  unsigned edits = 1;
};
/// Nothing for another spec. The message says what is allowed.
corpus::Result<std::optional<FoldSpec>> parseFoldSpec(std::string_view spec);
/// The functions of the table over that type, named by their texts.
std::vector<NamedProgram> makeFolds(corpus::Type type);
/// Of each fold, and with two edits of each function near one, the function
/// itself and then what is one edit from it. Some come up twice.
std::unique_ptr<Space> makeFoldSpace(const FoldSpec &spec);

} // namespace enumerate
