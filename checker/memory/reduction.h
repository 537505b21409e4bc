// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which contents and integer arguments of one scenario have to be tried.
//
// A bit of the input is *moved* if in both programs it only passes through
// loads, stores, copies, phi, select arms, freeze, zext, sext, trunc, shifts by
// constants, bswap, and and, or, xor with constants: then every bit that comes
// out is 0, 1, x or not x. It is *computed* if it reaches anything else: a
// condition, an address, a length, arithmetic, a comparison, the padding of a
// load, an attribute that looks at it. A poison flag is moved if it is only
// ored into what comes out, and computed where it reaches a branch, a freeze,
// an address or other undefined behaviour.
//
// Computed bits and flags are tried in every combination. For k moved bits and
// n moved flags, 1 + ceil(log2(k + 1)) + n inputs are exact: all zero; vectors
// that give each bit a nonzero code of its own; one flag at a time. Of
// different functions among {0, 1, x, not x} two differ on one of the former,
// and one or of flags implies another iff it does for each flag alone.
//
// Choices of the source (freeze, undef, uninitialized bits, nondeterministic
// knobs) are existential: where one reaches anything but a move, every bit and
// flag is computed. Choices of the target are tried in full by the engine.
// Threads: pure functions.
#pragma once

#include "checker/memory/scenario.h"
#include "checker/value/inputs.h"

#include <functional>
#include <map>

namespace checker {

/// One integer argument or result of a call, one byte of initial memory, or one
/// slot of a call.
struct Unknown {
  static constexpr std::size_t isByte = ~std::size_t(0);

  std::size_t parameter = isByte; ///< index into the input
  const CallSlot *slot = nullptr; ///< of Scenario::slots
  std::size_t block = 0;          ///< of a byte
  std::size_t offset = 0;
  unsigned width = 8;
  std::uint64_t computed = 0; ///< bits to try in every combination
  std::uint64_t moved = 0;    ///< the others
  bool mayBePoison = true;
  bool flagIsComputed = false;
  bool hasFlagPerBit = false;
  const CallSlot *kept = nullptr; ///< of a byte that the call may leave alone
};

/// Contents of the memory and the arguments of one run.
struct InputVector {
  Input arguments; ///< pointers too; then the results of calls
  Memory memory;
  std::map<CallSlot, Byte> slots; ///< choices as the number of a byte
};

/// What one unknown is in one input.
struct UnknownValue {
  std::uint64_t bits = 0;
  std::uint64_t poison = 0;
  bool isKept = false;
};

/// How many inputs there are for unknowns whose bits are computed or moved.
double countReduced(const std::vector<Unknown> &unknowns);
/// Calls `visit` with each of them, those without poison first, until it
/// returns false.
void forEachReduced(
    const std::vector<Unknown> &unknowns,
    const std::function<bool(const std::vector<UnknownValue> &)> &visit);

class InputPlan {
public:
  InputPlan(const corpus::Program &source, const corpus::Program &target,
            const Semantics &semantics, const Scenario &scenario,
            FullBytes fullBytes);

  /// How many vectors there are.
  double count() const { return countReduced(unknowns_); }
  /// As forEachReduced().
  void forEach(const std::function<bool(const InputVector &)> &visit) const;
  const std::vector<Unknown> &unknowns() const { return unknowns_; }

private:
  void list(const corpus::Program &program, const Semantics &semantics);
  InputVector vectorOf(const std::vector<UnknownValue> &values) const;

  const Scenario &scenario_;
  std::vector<Unknown> unknowns_;
};

} // namespace checker
