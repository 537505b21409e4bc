// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random Programs over every opcode, flag, attribute and terminator that
// opcode.def and attribute.h know; for tests.
// Threads: an object belongs to one thread.
#pragma once

#include "corpus/program/program.h"

#include <random>
#include <vector>

namespace runner {

class RandomPrograms {
public:
  explicit RandomPrograms(std::uint64_t seed) : random_(seed) {}

  /// A program of 1 to 4 blocks that verify() accepts. Same seed, same
  /// sequence.
  corpus::Program next();

private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  bool oneIn(std::uint64_t n) { return below(n) == 0; }
  corpus::Type width();
  corpus::Operand value(corpus::Type type, std::size_t block);
  corpus::Attributes valueAttributes(corpus::Type type);
  corpus::Attributes functionAttributes();
  void instruction(std::size_t block);
  void call(std::size_t block);
  void phi(std::size_t block);
  void terminator(std::size_t block);
  void chooseSuccessors();
  void addCallAttributes();

  std::mt19937_64 random_;
  corpus::Program program_;
  std::vector<std::vector<std::size_t>> successors_; ///< by block
};

} // namespace runner
