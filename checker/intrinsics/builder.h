// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Appends lane operations to a Program, each to all lanes of its operands.
// Threads: a Builder belongs to one thread.
#pragma once

#include "corpus/program/program.h"

#include <optional>
#include <span>
#include <vector>

namespace checker::intrinsics {

class Builder {
public:
  explicit Builder(corpus::Program &program) : program_(program) {}

  /// `bits` in each lane.
  corpus::Operand number(corpus::Type type, std::uint64_t bits);
  /// As integers or vectors take it: a binary operator or intrinsic.
  corpus::Operand apply(corpus::Opcode opcode, corpus::Operand a,
                        corpus::Operand b);
  corpus::Operand apply(corpus::Opcode opcode, corpus::Operand a,
                        std::uint64_t b) {
    return apply(opcode, a, number(a.type, b));
  }
  corpus::Operand compare(corpus::Predicate predicate, corpus::Operand a,
                          corpus::Operand b);
  corpus::Operand compare(corpus::Predicate predicate, corpus::Operand a,
                          std::uint64_t b) {
    return compare(predicate, a, number(a.type, b));
  }
  corpus::Operand select(corpus::Operand condition, corpus::Operand a,
                         corpus::Operand b);
  /// Each lane zext, sext or trunc to `lane`, unless it has that width.
  corpus::Operand resize(corpus::Opcode opcode, corpus::Operand value,
                         corpus::Type lane);
  corpus::Operand bitcast(corpus::Operand value, corpus::Type type);
  /// The address of a pointer.
  corpus::Operand address(corpus::Operand pointer);
  /// So many bytes behind a pointer, wherever that is.
  corpus::Operand move(corpus::Operand pointer, corpus::Operand bytes);

  corpus::Operand extract(corpus::Operand vector, corpus::Operand index);
  corpus::Operand extract(corpus::Operand vector, unsigned lane);
  corpus::Operand insert(corpus::Operand vector, corpus::Operand value,
                         unsigned lane);
  /// A lane for each entry, of `a` and behind those of `b`; nothing: poison.
  corpus::Operand shuffle(corpus::Operand a, corpus::Operand b,
                          std::span<const std::optional<unsigned>> mask);
  /// A scalar in each lane.
  corpus::Operand splat(corpus::Type type, corpus::Operand value);

  /// The literal in that lane of a literal, else nothing.
  std::optional<corpus::Operand> literal(corpus::Operand vector,
                                         unsigned lane) const;

private:
  corpus::Program &program_;
};

} // namespace checker::intrinsics
