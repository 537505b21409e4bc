// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds: for what passes rewrite, small functions that they do it to, with
// constants, flags and operands that fit each other, which functions of a space
// seldom have. And the spaces of what is near them, `folds:i4`, where
// conditions of a rewrite that are off by one come to light. Immutable data,
// safe from any thread.
#pragma once

#include "corpus/program/result.h"
#include "corpus/program/type.h"
#include "enumerate/space.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace enumerate {

struct FoldInfo {
  std::string_view text; ///< as expression.h says; fits i4
  std::string_view help;
};
/// What one pass rewrites.
struct FoldList {
  std::string_view passes;
  std::span<const FoldInfo> folds;
  std::string_view dataLayout = ""; ///< with which it does
};
std::span<const FoldList> foldLists();

/// What the functions of a set have.
namespace foldFeature {
inline constexpr std::uint8_t branches = 1;
inline constexpr std::uint8_t loops = 2;
inline constexpr std::uint8_t memory = 4;
inline constexpr std::uint8_t modern = 8; ///< flags of later releases than 13
} // namespace foldFeature

/// Folds that are one space: those of InstCombine that are straight lines, and
/// of all other lists those that are alike. What has flags that not every
/// release has is one by itself.
struct FoldSet {
  std::string_view word; ///< in a spec; of InstCombine's empty
  std::string_view help;
  std::uint8_t features = 0; ///< foldFeature
  std::string_view dataLayout = "";
};
std::span<const FoldSet> foldSets();
/// Their words, with what they are about.
std::string foldSetHelp();

/// What `folds:i<W>[:SET][:edits=2]` and `folds:v<L>i<W>[:edits=2]` say: all
/// that is within so many edits of a fold over that type, such as add no
/// instruction.
struct FoldSpec {
  static constexpr unsigned minimumWidth = 4; ///< widths are even
  static constexpr unsigned maximumLanes = 4;
  corpus::Type type = corpus::Type::integer(minimumWidth);
  unsigned edits = 1;
  const FoldSet *set = &foldSets().front();
};
/// Nothing for another spec. The message says what is allowed.
corpus::Result<std::optional<FoldSpec>> parseFoldSpec(std::string_view spec);
/// What is in a set, as far as one list has it.
std::vector<const FoldInfo *> foldsOf(const FoldSet &set, const FoldList &list);
/// The functions of its set over its type, named by their texts.
std::vector<NamedProgram> makeFolds(const FoldSpec &spec);
/// The folds, then what is one edit from each; with two edits the same of that
/// space. Some come up twice.
std::unique_ptr<Space> makeFoldSpace(const FoldSpec &spec);

} // namespace enumerate
