// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs with calls and loops on planes, 512 inputs at a time: on which
// inputs do both sides make the same calls and then return the same, or the
// source has UB? Nobody has to try these one by one, and what is wrong is among
// the others. Loops are followed for some rounds; an input on which a run takes
// more, or has a choice (a freeze of poison), is left. Where there is undef the
// target has poison in its place and the source a number: what is proved of
// these two holds of the pair, since the target does less and the source more.
// Threads: a TraceSliced belongs to one thread.
#pragma once

#include "checker/core/elaborate.h"
#include "checker/sliced/bitsliced_kernel.h"
#include "checker/value/inputs.h"

#include <map>
#include <optional>
#include <vector>

namespace checker {

class TraceSliced {
public:
  explicit TraceSliced(bitsliced::Kernel kernel) : kernel_(kernel) {}

  /// Of the inputs (parameters, then one choice for each slot) those that are
  /// left to try, smallest witness first. Nothing where it cannot say: memory,
  /// attributes of the functions that differ, too many inputs. Requires equal
  /// parameter and return types.
  std::optional<std::vector<Input>>
  inputsLeft(const corpus::Program &source, const corpus::Program &target,
             const Semantics &semantics,
             std::span<const std::vector<InputChoice> *const> choices,
             std::span<const CallResultSlot> slots);

private:
  /// Of one list of types. Lanes of inputs that are sets show an element of
  /// each, those behind the last input zeros.
  struct Layout {
    std::size_t inputs = 0;
    std::vector<std::uint32_t> places; ///< in their lists, for each input
    std::vector<bitsliced::Plane> planes;
    std::vector<bitsliced::Series> series;
    std::vector<bitsliced::Plane> numbers; ///< lanes of inputs without sets
  };
  struct Side {
    core::Function function;
    std::vector<bitsliced::Call> calls;
    std::vector<std::uint32_t> arguments;
    std::vector<std::uint8_t> widths;
    std::vector<std::uint32_t> results;
  };
  struct Identity {
    std::string callee;
    std::uint32_t attributes;
    friend bool operator==(const Identity &, const Identity &) = default;
  };

  const Layout *
  layoutOf(std::span<const corpus::Type> types,
           std::span<const std::vector<InputChoice> *const> choices,
           const Semantics &semantics);
  bool prepare(const corpus::Program &source, const corpus::Program &target,
               const Semantics &semantics,
               std::span<const CallResultSlot> slots);
  bool prepareCalls(Side &side, std::span<const CallResultSlot> slots,
                    core::Slot firstSlot);

  bool addFine(const corpus::Program &source, const corpus::Program &target,
               const Semantics &semantics, const Layout &layout,
               std::span<const CallResultSlot> slots,
               std::optional<core::Slot> except);

  bitsliced::Kernel kernel_;
  std::uint32_t inputPlanes_ = 0;
  core::Elaborator elaborator_;
  Side source_;
  Side target_;
  std::vector<Identity> identities_;
  unsigned positions_ = 0;
  unsigned argumentPlanes_ = 0;
  std::vector<std::uint8_t> returnedWidths_;
  std::vector<bitsliced::Plane> file_;
  std::vector<bitsliced::Plane> scratch_;
  std::vector<bitsliced::Plane> fine_; ///< as Traces::fine
  std::map<std::vector<std::uint32_t>, Layout> layouts_;
  std::size_t inputsKept_ = 0; ///< in all of them
};

} // namespace checker
