// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rewrite: what an optimizer did to one function, cut down to what changed;
// what changed in two places that have nothing to do with each other is two
// rewrites. Values that stand in both functions, under the same conditions,
// become variables. Of what a removed instruction was computed from only the
// opcode remains, and nothing further above, unless the new code still uses its
// operands. Constants are one of 0, 1, -1, INT_MIN and any other, widths above
// 1 are numbered by first use, operands that may be swapped have no order,
// flags count where something is replaced or new. How many distinct rewrites a
// pass showed is the black-box measure of how much of it a space has seen, so
// they are coarse enough to come to an end.
//
// A rewrite is kept as its form, a short string of bytes: equal forms are the
// same rewrite. It says what was done, not why it was right: a condition that
// lies in an unchanged instruction is not in it.
// Threads: one RewriteFinder per thread.
#pragma once

#include "corpus/program/encode.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace runner {

/// Finds the forms of rewrites; made once, because it keeps its memory.
class RewriteFinder {
public:
  /// The forms of what makes `target` of `source`, at least one, valid until
  /// the next call. Both satisfy corpus::verify() and differ.
  std::span<const corpus::Bytes> find(const corpus::Program &source,
                                      const corpus::Program &target);

private:
  static constexpr std::uint32_t none = ~std::uint32_t(0);
  using Links = std::vector<std::uint32_t>;
  /// A function with what is found out about its instructions.
  struct Side {
    const corpus::Program *program = nullptr;
    Links blockOf; ///< of each instruction
    Links partner; ///< the same value in the other function, or none
    Links blockPartner;
    Links local; ///< place in the form of each instruction, or none
    std::vector<std::uint64_t> edges; ///< of each block, its number first
    /// Of each block, once it is asked for: functions with the same edges share
    /// them.
    mutable std::vector<std::uint8_t> blockKinds;
  };

  void start(Side &side, const corpus::Program &program);
  void matchBlocks();
  std::uint32_t home(std::uint32_t sourceBlock) const;
  void matchValues();
  void matchUsers();
  void cutSource();
  std::size_t partOf(std::size_t node);
  void join(std::size_t a, std::size_t b);
  void findParts();
  void writeForm(std::size_t part);
  corpus::Bytes &newForm();
  bool isSame(const corpus::Operand &before,
              const corpus::Operand &after) const;
  bool areSwapped(const corpus::Instruction &before,
                  const corpus::Instruction &after) const;
  bool haveSameHead(const corpus::Instruction &before,
                    const corpus::Instruction &after) const;
  void writeInstruction(const Side &side, std::uint32_t index);
  void writeOperand(const Side &side, const corpus::Operand &operand);
  std::size_t numberOf(corpus::Type type);
  void writeBlock(const Side &side, std::uint64_t block);
  void write(std::size_t value);
  /// At most eight.
  void write(std::initializer_list<std::size_t> values);

  Side source_;
  Side target_;
  Links replacement_; ///< of each source instruction: index in replacements_
  std::vector<corpus::Operand> replacements_; ///< operands of the target
  /// How much of a removed instruction is in the form.
  enum class Extent : std::uint8_t { none, opcode, all };
  std::vector<Extent> extent_;
  std::vector<bool> isUsed_; ///< by another instruction that is removed
  bool hasBranches_ = false;
  Links part_;     ///< of source, then target instructions: union-find
  Links variable_; ///< numbers of variables, see variableOf()
  std::uint32_t variables_ = 0;
  std::vector<corpus::Type> types_; ///< above i1, by first use
  std::vector<std::pair<const Side *, std::uint64_t>> blocks_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open_; ///< to be matched
  std::vector<std::uint64_t> edges_;
  std::vector<corpus::Bytes> forms_;
  std::size_t formCount_ = 0;
  corpus::Bytes *form_ = nullptr; ///< that is being written
};

/// 63 bits: rewrites are kept and compared by it.
std::uint64_t rewriteHash(std::span<const std::uint8_t> form);

/// `%v0 = mul iN %a, C -> %v1 = shl iN %a, 1; %v0 := %v1`; nothing for a string
/// of bytes that is no form.
std::optional<std::string> rewriteText(std::span<const std::uint8_t> form);

} // namespace runner
