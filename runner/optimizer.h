// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An Optimizer maps Programs to Programs: an LLVM release inside a worker
// process, or anything else that tests put in its place. The campaign's inner
// loop (runner/evaluate.h) sees nothing but this.
#pragma once

#include "corpus/program/program.h"
#include "runner/in_flight.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace runner {

struct Output {
  enum class Status : std::uint8_t {
    ok,          ///< `program` is the result
    unsupported, ///< the result cannot be expressed; `detail` names why
    crash,       ///< the optimizer crashed on this function
    hang,        ///< it was stopped on this function at the time limit
    invalid,     ///< LLVM's verifier rejects the result; `detail` is its word
  };
  Status status = Status::ok;
  corpus::Program program; ///< of ok
  std::string detail;      ///< reason or message, one line
  std::string text;        ///< of unsupported and invalid: the result as IR
  std::string pass;        ///< of crash and hang: the pass that was running
  /// Of ok: it is the source without what nothing shows, and so refines it
  /// (checker::Deletions). False says nothing.
  bool onlyDeletes = false;
  /// The stage from which on this is what became of an earlier function that
  /// was the same there; 0 if it went all the way itself.
  std::size_t knownFrom = 0;
};

/// Whether the in-flight slot shows every pass, which costs up to a tenth of an
/// optimizer's time, or no more than what a watching one must do again when
/// this one dies.
enum class WatchPasses : std::uint8_t { no, yes };

/// Belongs to one thread.
class Optimizer {
public:
  virtual ~Optimizer() = default;
  /// How many functions to optimize at a time. The pass manager's fixed cost
  /// halves the speed at one, and is lost in the noise at this default.
  virtual std::size_t batchSize() const { return 256; }
  /// Optimizes every program of `batch`; outputs[i] belongs to batch[i]
  /// (`outputs` is resized; its elements are reused). Never throws and never
  /// dies on a crash of the optimizer that can be recovered. Keeps `slot` at
  /// the function and pass that are running, slot.enter(positions[i], pass);
  /// one that does not watch passes, at one of the functions that are.
  virtual void optimize(std::span<const corpus::Program> batch,
                        std::span<const std::uint64_t> positions, Slot &slot,
                        std::vector<Output> &outputs) = 0;
  /// From here on an optimizer that works in stages may remember what becomes
  /// of functions, in about so many bytes, instead of doing it again; 0: not at
  /// all, which is how one begins. It never changes an output.
  virtual void setMemo(std::size_t bytes) { (void)bytes; }
  /// The passes of a stage (Output::knownFrom).
  virtual std::string stage(std::size_t index) const {
    (void)index;
    return "";
  }
};

} // namespace runner
