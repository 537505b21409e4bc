// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/folds.h"

#include "enumerate/expression.h"
#include "enumerate/file_space.h"
#include "enumerate/spec.h"

#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace enumerate {

using corpus::Error;
using corpus::Result;
using corpus::Type;

namespace {

constexpr std::string_view prefix = "folds:";

} // namespace

std::span<const FoldInfo> foldTable() {
  static constexpr FoldInfo table[] = {
#define FOLD(text, help) {text, help},
#include "enumerate/folds.def"
#undef FOLD
  };
  return table;
}

Result<std::optional<FoldSpec>> parseFoldSpec(std::string_view spec) {
  if (!spec.starts_with(prefix))
    return std::optional<FoldSpec>();
  std::string_view rest = spec.substr(prefix.size());
  const auto edits = takeEdits(rest);
  const std::size_t lane = rest.find('i');
  const bool isVector = rest.starts_with('v') && lane != rest.npos;
  const auto lanes = parseNumber(isVector ? rest.substr(1, lane - 1) : "1", 1,
                                 FoldSpec::maximumLanes);
  const auto width =
      parseNumber(isVector || lane == 0 ? rest.substr(lane + 1) : "",
                  FoldSpec::minimumWidth, Type::maximumWidth);
  if (!edits || !lanes || !width || *width % 2 != 0)
    return Error{fmt::format(
        "space `{}`: it is folds:i<W>[:edits=2] or folds:v<L>i<W>[:edits=2], W "
        "an even number from {} to {}, L from 1 to {}, for example folds:i4",
        spec, FoldSpec::minimumWidth, Type::maximumWidth,
        FoldSpec::maximumLanes)};
  const Type scalar = Type::integer(*width);
  return std::optional(
      FoldSpec{isVector ? Type::vector(*lanes, scalar) : scalar, *edits});
}

std::vector<NamedProgram> makeFolds(Type type) {
  std::vector<NamedProgram> folds;
  for (const FoldInfo &fold : foldTable())
    folds.push_back({std::string(fold.text), makeFunction(fold.text, type)});
  return folds;
}

std::unique_ptr<Space> makeFoldSpace(const FoldSpec &spec) {
  const std::string name = fmt::format(
      "{}{}i{}", prefix,
      spec.type.isVector() ? fmt::format("v{}", spec.type.lanes()) : "",
      spec.type.lane(0).width());
  constexpr auto kinds = Edits::Kinds::few;
  auto once =
      makeSpaceAround(name, makeListSpace(name, makeFolds(spec.type)), kinds);
  return spec.edits == 1
             ? std::move(once)
             : makeSpaceAround(name + ":edits=2", std::move(once), kinds);
}

} // namespace enumerate
