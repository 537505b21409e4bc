// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/opcode.h"

#include <algorithm>

namespace corpus {
namespace {

using namespace flag;

constexpr bool codesDiffer() {
  const auto table = opcodeTable();
  for (std::size_t i = 0; i < table.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (table[i].code == table[j].code)
        return false;
  return true;
}
static_assert(codesDiffer(), "two opcodes share a code");

template <typename Matches> std::optional<Opcode> findRow(Matches matches) {
  const auto table = opcodeTable();
  const auto found = std::find_if(table.begin(), table.end(), matches);
  return found == table.end() ? std::nullopt : std::optional(found->opcode);
}

/// Flags younger than the opcode that carries them (LLVM release notes).
struct FlagSince {
  Flags flag;
  std::optional<Opcode> only; ///< nothing: on every opcode
  unsigned since;
};
constexpr FlagSince youngFlags[] = {
    {disjoint, {}, 18},
    {nneg, {}, 18},
    {samesign, {}, 20},
    {nuw, Opcode::trunc, 19},
    {nsw, Opcode::trunc, 19},
    {nusw, {}, 19},
    {nuw, Opcode::getelementptr, 19},
};

} // namespace

std::optional<Opcode> findOpcode(std::string_view spelling) {
  return findRow(
      [&](const OpcodeInfo &row) { return row.spelling == spelling; });
}

std::optional<Opcode> findOpcode(std::uint8_t code) {
  return findRow([&](const OpcodeInfo &row) { return row.code == code; });
}

unsigned flagsSince(Opcode opcode, Flags flags) {
  unsigned since = info(opcode).since;
  for (const FlagSince &row : youngFlags)
    if (flags.has(row.flag) && (!row.only || *row.only == opcode))
      since = std::max(since, row.since);
  return since;
}

std::optional<Opcode> reductionOf(Opcode opcode) {
  constexpr std::string_view prefix = "llvm.vector.reduce.";
  const std::string_view spelling = info(opcode).spelling;
  if (!spelling.starts_with(prefix))
    return std::nullopt;
  const std::string_view name = spelling.substr(prefix.size());
  for (const OpcodeInfo &row : opcodeTable())
    if (row.spelling == name ||
        (row.spelling.starts_with("llvm.") && row.spelling.substr(5) == name))
      return row.opcode;
  return std::nullopt;
}

} // namespace corpus
