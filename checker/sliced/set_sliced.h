// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exhaustive engine for straight lines whose registers hold sets (undef,
// partly undef arguments, knobs that make undef, bitwise poison), for narrow
// integers. A set is a plane for each element that may be in it, over all
// inputs; a step of core is a table made from checker/lane_ops/concrete.h, so
// that every knob is served. Both halves of a pair are one value here, as they
// are picked together. Forks are tried one by one, on all inputs at once.
// Threads: a SetSliced belongs to one thread.
#pragma once

#include "checker/core/elaborate.h"
#include "checker/semantics/verdict.h"
#include "checker/value/inputs.h"

#include <memory>
#include <optional>

namespace checker {

class SetSliced {
public:
  SetSliced();
  ~SetSliced();
  SetSliced(SetSliced &&) noexcept;
  SetSliced &operator=(SetSliced &&) noexcept;

  struct Result {
    enum class Word : std::uint8_t {
      refines,
      wrong,
      cannot, ///< not a straight line, too wide, or too many inputs
    };
    Word word = Word::refines;
    Kind kind = Kind::value;
    std::optional<Input> smallest; ///< of wrong, when wanted
  };

  /// Requires equal parameter and return types. Bit i of `neverUndef`: no sets
  /// for argument i. `termLimit`: terms, on 512 inputs each.
  Result check(const corpus::Program &source, const corpus::Program &target,
               const Semantics &semantics, std::uint32_t neverUndef,
               bool wantSmallest, std::uint64_t termLimit);

private:
  struct World;
  World &worldOf(const Semantics &semantics);

  /// Tables and inputs by semantics; a campaign has a handful.
  std::vector<std::unique_ptr<World>> worlds_;
};

} // namespace checker
