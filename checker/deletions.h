// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Targets that are their source without instructions that nothing shows: most
// of what an optimizer does to small functions with memory. Such a target
// refines its source under every semantics, whatever else the two compute, and
// is well-formed if the source is; to say so costs a walk over both. Leaves out
// an instruction that only computes, a store to a local of which nothing is
// read, and a store that another one overwrites in its block before anything
// is read. Says nothing of programs that call, or see more of a pointer than
// what is there.
// Threads: a Deletions belongs to one thread; it keeps scratch memory.
#pragma once

#include "corpus/program/program.h"

#include <vector>

namespace checker {

class Deletions {
public:
  /// False says nothing of the two. Requires well-formed programs.
  bool explain(const corpus::Program &source, const corpus::Program &target);

private:
  bool seesOnlyContents(const corpus::Program &program);
  bool isUnread(const corpus::Program &source,
                const corpus::Operand &pointer) const;
  bool canLeaveOut(const corpus::Program &source, std::uint32_t index,
                   std::uint32_t end) const;
  bool isSame(const corpus::Operand &before,
              const corpus::Operand &after) const;
  bool haveSameOperands(const corpus::Program &source,
                        const corpus::Instruction &before,
                        const corpus::Program &target,
                        const corpus::Instruction &after) const;
  bool areSame(const corpus::Program &source, std::uint32_t before,
               const corpus::Program &target, std::uint32_t after) const;
  bool matchBlock(const corpus::Program &source, const corpus::Block &from,
                  const corpus::Program &target, const corpus::Block &to);

  static constexpr std::uint32_t none = ~std::uint32_t(0);
  std::vector<bool> isRead_;        ///< of each local of the source
  std::vector<std::uint32_t> kept_; ///< of each of the source: in the target
  std::vector<std::uint32_t> phis_; ///< of the source, kept
};

} // namespace checker
