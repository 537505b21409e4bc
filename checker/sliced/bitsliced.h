// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exhaustive engine for programs without loops and calls whose registers
// are single values: both programs run on all inputs, 512 at a time, one bit an
// input. What the target's forks pick is an input too; what the source's pick
// is searched.
// Threads: a BitSliced belongs to one thread.
#pragma once

#include "checker/core/elaborate.h"
#include "checker/semantics/verdict.h"
#include "checker/sliced/layout.h"
#include "checker/value/inputs.h"
#include "corpus/program/program.h"

#include <optional>

namespace checker {

class BitSliced {
public:
  explicit BitSliced(bitsliced::Kernel kernel) : kernel_(kernel) {}

  struct Result {
    enum class Word : std::uint8_t {
      refines,
      wrong,
      needsSets, ///< loops, calls, or registers that hold sets
      tooMany,   ///< inputs, or picks of freezes
    };
    Word word = Word::refines;
    Kind kind = Kind::value;
    std::optional<Input> smallest; ///< of wrong, when wanted
  };

  /// Requires equal parameter and return types. Arguments are numbers, or also
  /// poison unless `semantics` has inputs=defined; never sets. `workLimit`:
  /// operations on single planes, of 512 inputs each.
  Result check(const corpus::Program &source, const corpus::Program &target,
               const Semantics &semantics, bool wantSmallest, double workLimit);

  /// The same on some thousand inputs (value/samples.h), for integers of any
  /// width: `refines` then proves nothing. The input of `wrong` is made small,
  /// but need not be the smallest.
  Result trySamples(const corpus::Program &source,
                    const corpus::Program &target, const Semantics &semantics,
                    bool wantSmall);

private:
  enum class Mode : std::uint8_t {
    exact,
    forkDropped, ///< without some of the target's forks
    beforeFork,  ///< up to the only fork, returning what it forks
    afterFork,   ///< from the fork on, which gives any number
  };
  struct SmallestInput;

  bool prepare(const corpus::Program &source, const corpus::Program &target,
               const Semantics &semantics, Mode mode);
  void noteChoices(bool dropsForks);
  void endAtFork(core::Function &function);
  void startAtFork();
  void removeDeadSteps();
  void preparePicks(const corpus::Program &target, core::Slot zero);
  bitsliced::Job job() const;
  double workOfBlock() const;
  std::optional<std::uint8_t> run(const Semantics &semantics, double limit,
                                  SmallestInput *smallest);
  struct Tries;
  bool isProvedInParts(const corpus::Program &source,
                       const corpus::Program &target,
                       const Semantics &semantics);

  bitsliced::Kernel kernel_;
  std::vector<bitsliced::Plane> file_;
  core::Slot inputPlanes_ = 0;
  core::Elaborator elaborator_;
  core::Function source_;
  core::Function target_;
  std::vector<std::uint8_t> returnedWidths_; ///< of the lanes
  std::vector<bitsliced::LayoutArgument> arguments_;
  std::vector<bitsliced::Choice> choices_; ///< one for each fork of the target
  std::vector<bitsliced::MayBePoison> mayBePoison_; ///< by slot
  std::vector<bool> liveSlots_;
  std::vector<bitsliced::Pick> picks_;
  std::vector<std::uint32_t> guesses_;
  std::vector<core::Slot> candidates_; ///< for the picks of one fork, the next
  std::vector<std::size_t> candidateEnds_;
  bitsliced::Layouts layouts_;
};

} // namespace checker
