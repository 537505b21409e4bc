// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A developer's own `opt` program as an Optimizer, where it cannot load a
// worker (runner/worker.h): thousands of functions go in as one module, written
// by the LLVM of the worker that runs this, which reads what comes out. That is
// bitcode, with the order of uses, so that opt does what a worker of its
// release does. An older opt than that LLVM is given text, since it would
// overlook what it does not know in newer bitcode; a newer one gives text, for
// the same reason. Modules are as large as fits into a quarter of a second.
// What crashes, hangs, runs away or prints something else is found by the pass
// manager's own log of what it runs, and without one by halving.
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
/// The libLLVM that a program loads; "" where it loads none.
std::string libraryOf(const std::string &program);
/// Of a program's bytes, and of those of the libLLVM that it loads.
corpus::Result<std::string> hashOfOptimizer(const std::string &program);

/// A function is called so in the module, and its number there follows.
inline constexpr std::string_view externalName = "irsieve_f";

/// What an opt takes from the LLVM of the worker.
struct ExternalIr {
  unsigned release = 0;     ///< of that LLVM
  bool isBigEndian = false; ///< the data layout that the opt will use
  /// The first functions of a list as one module of bitcode: as many as go
  /// together and as that LLVM can express.
  struct Written {
    std::size_t functions = 0;
    std::string module;
  };
  std::function<Written(std::span<const corpus::Program *const>)> write;
  /// Fills *outputs[i] from the function externalName<i>, which was
  /// *sources[i]. Nothing, or why the text or bitcode is no IR.
  std::function<std::optional<std::string>(
      const std::string &ir, std::span<const corpus::Program *const> sources,
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
                    const std::string &asRun, const ExternalIr &ir);

class ExternalOptimizer : public Optimizer {
public:
  /// Requires that describeExternal() accepts the pipeline.
  ExternalOptimizer(Pipeline pipeline, std::string asRun,
                    std::chrono::milliseconds functionLimit, ExternalIr ir);

  /// What a larger one saves of starts it loses on the memory that it takes.
  std::size_t batchSize() const override { return 8192; }
  void optimize(std::span<const corpus::Program> batch,
                std::span<const std::uint64_t> positions, Slot &slot,
                std::vector<Output> &outputs) override;

private:
  using Indices = std::vector<std::size_t>;
  struct Module {
    Indices functions; ///< as in batch_
    std::string ir;
    bool isText = false;
  };

  Module nextModule() const;
  Module makeModule(Indices functions) const;
  void adjustLimit(std::size_t size, std::chrono::duration<double> elapsed);
  corpus::ProcessEnd run(const Module &module, bool watched, bool symbols);
  /// Outputs for all of the module, or why there are none.
  std::optional<Output> tryModule(const Module &module, bool watched);
  void fail(std::size_t index, const Output &failure);

  Pipeline pipeline_;
  std::string asRun_;
  std::chrono::milliseconds functionLimit_;
  ExternalIr ir_;
  bool takesBitcode_;
  bool givesBitcode_;
  bool isLong_ = false; ///< there was a batch where asRun_ is worth a thought
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
