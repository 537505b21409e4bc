// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/program/opcode.h"

#include <algorithm>

namespace corpus {
namespace {

using namespace flag;

constexpr OpcodeInfo table[] = {
#define OPCODE(enumerator, spelling, shape, flags, commutative, since)         \
  {Opcode::enumerator, spelling, Shape::shape, flags, commutative, since},
#include "corpus/program/opcode.def"
#undef OPCODE
};

/// Flags younger than the opcode that carries them (LLVM release notes).
struct FlagSince {
  Flags flag;
  std::optional<Opcode> only; ///< nothing: on every opcode
  unsigned since;
};
constexpr FlagSince youngFlags[] = {
    {disjoint, {}, 18},       {nneg, {}, 18},           {samesign, {}, 20},
    {nuw, Opcode::trunc, 19}, {nsw, Opcode::trunc, 19},
};

} // namespace

std::span<const OpcodeInfo> opcodeTable() { return table; }

const OpcodeInfo &info(Opcode opcode) {
  return table[static_cast<std::size_t>(opcode)];
}

std::optional<Opcode> findOpcode(std::string_view spelling) {
  const auto *found =
      std::find_if(std::begin(table), std::end(table),
                   [&](const auto &row) { return row.spelling == spelling; });
  if (found == std::end(table))
    return std::nullopt;
  return found->opcode;
}

unsigned flagsSince(Opcode opcode, Flags flags) {
  unsigned since = info(opcode).since;
  for (const FlagSince &row : youngFlags)
    if (flags.has(row.flag) && (!row.only || *row.only == opcode))
      since = std::max(since, row.since);
  return since;
}

} // namespace corpus
