// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A developer's own `opt` program as an Optimizer: thousands of functions go in
// as text, and the text that comes out is read by the LLVM of the worker that
// runs this. What crashes, hangs, runs away or prints something else is found
// by the pass manager's own log of what it runs, and without one by halving.
// Threads: an ExternalOptimizer belongs to one thread; the functions may be
// called from any.
#pragma once

#include "corpus/program/result.h"
#include "corpus/system/process.h"
#include "runner/backend.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

/// What an opt is given so that it runs the pipeline: `-passes=gvn`,
/// `-mtriple=x86_64`.
std::vector<std::string> optArguments(const Pipeline &pipeline,
                                      const std::string &asRun);

/// Asks the program at `path` (or on PATH) for its version and reads it, with
/// the libLLVM that it loads. Fails for anything that is no opt.
corpus::Result<ExternalOpt> identifyOpt(const std::string &path);
/// Of a program's bytes, and of those of the libLLVM that it loads.
corpus::Result<std::string> hashOfOptimizer(const std::string &program);

/// A function is called so in the text, and its number in the batch follows.
inline constexpr std::string_view externalName = "irsieve_f";

/// What the text of an opt takes from the LLVM that reads it.
struct ExternalText {
  /// Fills *outputs[i] from the function externalName<i>, which was
  /// *sources[i]. Nothing, or why the text is no IR.
  std::function<std::optional<std::string>(
      const std::string &text, std::span<const corpus::Program *const> sources,
      std::span<Output *const> outputs)>
      read;
  /// `-passes=` spelling of a pass class, or the class.
  std::function<std::string(const std::string &className)> passName;
};

/// Whether that opt takes the pipeline as `asRun` spells it, and how it expands
/// it. Requires pipeline.opt.
corpus::Result<PipelineInfo> describeExternal(const Pipeline &pipeline,
                                              const std::string &asRun);

/// One function through that opt, with every pass that changed it.
Trace traceExternal(const corpus::Program &program, const Pipeline &pipeline,
                    const std::string &asRun, const ExternalText &text);

class ExternalOptimizer : public Optimizer {
public:
  /// Requires that describeExternal() accepts the pipeline.
  ExternalOptimizer(Pipeline pipeline, std::string asRun,
                    std::chrono::milliseconds functionLimit, ExternalText text);

  std::size_t batchSize() const override { return 2048; }
  void optimize(std::span<const corpus::Program> batch,
                std::span<const std::uint64_t> positions, Slot &slot,
                std::vector<Output> &outputs) override;

private:
  using Indices = std::vector<std::size_t>;

  /// The first of pending_ that fit into one module.
  Indices nextChunk() const;
  corpus::ProcessEnd run(const Indices &chunk, bool watched, bool symbols);
  /// Outputs for all of the chunk, or why there are none.
  std::optional<Output> tryChunk(const Indices &chunk, bool watched);
  void fail(std::size_t index, const Output &failure);

  Pipeline pipeline_;
  std::string asRun_;
  std::chrono::milliseconds functionLimit_;
  ExternalText text_;
  /// Most functions of one run; shrinks on a failure, grows without.
  std::size_t limit_;
  /// Failures that showed again when the function was alone.
  std::map<std::pair<std::string, std::string>, Output> confirmed_;

  // Of the running optimize().
  std::span<const corpus::Program> batch_;
  std::span<const std::uint64_t> positions_;
  Slot *slot_ = nullptr;
  std::vector<Output> *outputs_ = nullptr;
  Indices pending_;                    ///< last one first
  std::optional<std::size_t> culprit_; ///< of a failed run, where it says so
};

} // namespace runner
