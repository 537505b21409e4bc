// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an engine takes, as data: the opcodes of its table of lane operations,
// and the features of a core Function. Anything else it refuses by name.
// Threads: immutable data.
#pragma once

#include "checker/core/core.h"
#include "corpus/program/opcode.h"

#include <string>

namespace checker::core {

class OpcodeSet {
public:
  constexpr void insert(corpus::Opcode opcode) {
    words_[index(opcode) / 64] |= std::uint64_t(1) << index(opcode) % 64;
  }
  constexpr bool has(corpus::Opcode opcode) const {
    return (words_[index(opcode) / 64] >> index(opcode) % 64 & 1) != 0;
  }

private:
  static constexpr unsigned index(corpus::Opcode opcode) {
    return static_cast<std::uint8_t>(opcode);
  }
  std::uint64_t words_[4] = {};
};

struct Takes {
  OpcodeSet opcodes; ///< lane operations
  std::uint32_t features = 0;
};

/// What stands in the way.
struct Lack {
  enum class Kind : std::uint8_t { none, opcode, feature, attribute, type };
  Kind kind = Kind::none;
  /// The Opcode, the core::feature, bits of corpus::attribute, the Type's id.
  std::uint32_t what = 0;

  /// `llvm.foo`, `call of a function`, `attribute bar`.
  std::string describe() const;
};

} // namespace checker::core
