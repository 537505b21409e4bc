// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference interpreter: docs/semantics.md word for word, slow and
// obviously right. Values are sets, forks are followed one by one, a run is a
// finite graph of states, and inclusion of outcomes is decided on that graph
// (subset construction over the source's states), so divergence is exact.
// Threads: pure functions.
#pragma once

#include "checker/memory/reduction.h"
#include "checker/semantics/verdict.h"
#include "checker/value/inputs.h"
#include "corpus/program/program.h"

#include <optional>
#include <string>

namespace checker {

/// What of `program` no run can express ("call of @g, which is memory(none)").
std::optional<std::string> lackOfReference(const corpus::Program &program);

/// Who can say at once for most inputs that they show nothing: given a list of
/// choices for each parameter, then for each result of a call, the inputs that
/// are left, smallest witness first; nothing where it cannot say.
using InputsLeft = std::function<std::optional<std::vector<Input>>(
    std::span<const std::vector<InputChoice> *const> choices,
    std::span<const CallResultSlot> slots)>;

/// Steps of a few seconds.
inline constexpr std::uint64_t defaultReferenceSteps = 8'000'000;

/// Decides by trying every input; of memory those that InputPlan lists. Without
/// memory `inputsLeft`, if there is one, is asked first. Requires equal
/// parameter and return types.
Verdict checkByReference(const corpus::Program &source,
                         const corpus::Program &target,
                         const Semantics &semantics, bool wantWitness,
                         std::uint64_t stepLimit = defaultReferenceSteps,
                         FullBytes fullBytes = FullBytes::no,
                         const InputsLeft &inputsLeft = {});

/// `wrong` when one of a few inputs (value/samples.h) shows it, of integers of
/// any width, loops and results of calls: the worst kind they show. Else
/// nothing, which proves nothing. Requires what checkByReference() requires.
std::optional<Verdict> trySamplesByReference(const corpus::Program &source,
                                             const corpus::Program &target,
                                             const Semantics &semantics,
                                             bool wantWitness,
                                             std::uint64_t stepLimit);

/// The kind that one input shows, nothing if it shows none. `input` has one set
/// for each parameter. For programs without calls.
std::optional<Kind> kindOfInput(const corpus::Program &source,
                                const corpus::Program &target,
                                const Semantics &semantics, const Input &input);

/// Fills in every value and both outcomes on one input that shows `kind`.
/// For programs without calls.
Witness witnessOfInput(const corpus::Program &source,
                       const corpus::Program &target,
                       const Semantics &semantics, const Input &input);

} // namespace checker
