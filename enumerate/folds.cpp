// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/folds.h"

#include "enumerate/expression.h"
#include "enumerate/file_space.h"

#include <charconv>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace enumerate {

using corpus::Error;
using corpus::Operand;
using corpus::Program;
using corpus::Result;
using corpus::Type;

namespace {

constexpr std::string_view prefix = "folds:";

Program functionOf(const FoldInfo &fold, Type type) {
  Program function = makeExpression(fold.text, type);
  const Type result = function.instructions.back().type;
  const auto last = function.instructions.size() - 1;
  function.signature.returnType = result;
  function.append(corpus::Opcode::ret, Type(),
                  {Operand::instruction(result, last)});
  return function;
}

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
  FoldSpec result;
  for (const auto &[word, edits] :
       {std::pair(":edits=1", 1U), {":edits=2", 2U}})
    if (rest.ends_with(word)) {
      result.edits = edits;
      rest.remove_suffix(std::string_view(word).size());
    }
  const auto number = [&](char letter, unsigned least, unsigned most) {
    unsigned value = 0;
    const char *const end = rest.data() + rest.size();
    if (!rest.starts_with(letter))
      return value;
    const auto [read, problem] = std::from_chars(rest.data() + 1, end, value);
    if (problem != std::errc() || value < least || value > most)
      return 0U;
    rest.remove_prefix(static_cast<std::size_t>(read - rest.data()));
    return value;
  };
  const bool isVector = rest.starts_with('v');
  const unsigned lanes = number('v', 1, FoldSpec::maximumLanes);
  const unsigned width =
      number('i', FoldSpec::minimumWidth, Type::maximumWidth);
  if (width == 0 || width % 2 != 0 || isVector != (lanes != 0) || !rest.empty())
    return Error{fmt::format(
        "space `{}`: it is folds:i<W>[:edits=2] or folds:v<L>i<W>[:edits=2], W "
        "an even number from {} to {}, L from 1 to {}, for example folds:i4",
        spec, FoldSpec::minimumWidth, Type::maximumWidth,
        FoldSpec::maximumLanes)};
  const Type scalar = Type::integer(width);
  result.type = isVector ? Type::vector(lanes, scalar) : scalar;
  return std::optional(result);
}

std::unique_ptr<Space> makeFoldSpace(const FoldSpec &spec) {
  const std::string name = fmt::format(
      "{}{}i{}", prefix,
      spec.type.isVector() ? fmt::format("v{}", spec.type.lanes()) : "",
      spec.type.lane(0).width());
  std::vector<NamedProgram> bases;
  for (const FoldInfo &fold : foldTable())
    bases.push_back({std::string(fold.text), functionOf(fold, spec.type)});
  constexpr auto kinds = Edits::Kinds::few;
  auto once =
      makeSpaceAround(name, makeListSpace(name, std::move(bases)), kinds);
  return spec.edits == 1
             ? std::move(once)
             : makeSpaceAround(name + ":edits=2", std::move(once), kinds);
}

} // namespace enumerate
