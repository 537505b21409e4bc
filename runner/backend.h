// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a worker executable must be able to do; runner/llvm implements it once
// per LLVM release and runner/serve.h puts it behind a pipe. LLVM-free, so that
// tests can stand in for LLVM.
// Threads: the functions here may be called from any thread, one at a time,
// except makeOptimizer() and trace(), which threads may call at the same time.
// Each Optimizer that the former returns then belongs to one thread.
#pragma once

#include "corpus/program/reader.h"
#include "runner/optimizer.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace runner {

/// A developer's own `opt` program, which takes the place of the worker's LLVM.
struct ExternalOpt {
  std::string path;     ///< absolute
  std::string version;  ///< "19.1.7", as it says itself
  unsigned release = 0; ///< 19
  std::string hash;     ///< of the program and of the libLLVM that it loads

  friend bool operator==(const ExternalOpt &, const ExternalOpt &) = default;
};

/// An LLVM of the user's own, built into a worker: -DIRSIEVE_LLVM="name=path".
struct OwnBuild {
  std::string name;
  std::string version; ///< "23.0.0git"
  std::string opt;     ///< path of its opt, or "" where it has none
  std::string hash;    ///< of the worker and of the libLLVM that it loads

  friend bool operator==(const OwnBuild &, const OwnBuild &) = default;
};

/// What a function may take before it counts as a hang, unless said otherwise.
inline constexpr std::chrono::milliseconds defaultFunctionLimit(10000);

/// What decides an optimizer's output beside the function itself. Part of a
/// campaign's identity.
struct Pipeline {
  std::string passes;                ///< as the user spelled them
  std::string triple;                ///< empty: none
  std::string dataLayout;            ///< empty: LLVM's default
  std::vector<std::string> llvmArgs; ///< options of LLVM itself
  std::optional<ExternalOpt> opt = std::nullopt;
  std::optional<OwnBuild> build = std::nullopt; ///< instead of the release's

  friend bool operator==(const Pipeline &, const Pipeline &) = default;
};

/// "LLVM 22", the name of an own build, or the path of an opt.
std::string optimizerName(unsigned release, const Pipeline &pipeline);

/// What a worker says of itself.
struct BuildInfo {
  unsigned release = 0;        ///< 22
  std::string version;         ///< "22.1.8"
  std::string name = "";       ///< "22", or that of an own build
  std::string revision = "";   ///< of its source, or "" where it does not say
  std::string assertions = ""; ///< "ON", "OFF", or "" where nobody knows
  std::string root = "";       ///< of its installation or build tree
  /// Of its process: a script may have given it others.
  std::vector<std::string> arguments = {};
};

struct PipelineInfo {
  std::string asRun;    ///< the spelling that this release takes
  std::string expanded; ///< every pass by name, where the release can print it

  friend bool operator==(const PipelineInfo &, const PipelineInfo &) = default;
};

/// One pass of a pipeline that ran on one function, in order.
struct Step {
  std::string pass; ///< as -passes= spells it, or the class where that fails
  /// As -opt-bisect-limit counts the passes, from 1; 0 for one that it does not
  /// count, and where an external opt does not tell.
  unsigned index = 0;
  bool changed = false;
  std::optional<corpus::Program> after; ///< of changed, when it can be lifted
  std::string reason;                   ///< why it cannot
  std::string text;                     ///< of changed: the function as IR
};

struct Trace {
  std::vector<Step> steps;
  /// ok with the final program, or what went wrong; crash names the pass.
  Output end;
  unsigned crashIndex = 0; ///< of that pass, as Step::index
};

class Backend {
public:
  virtual ~Backend() = default;
  virtual BuildInfo build() const = 0;
  /// Functions with a body of a .ll or .bc file, in order.
  virtual corpus::Result<std::vector<corpus::ReadFunction>>
  read(const std::string &path, corpus::Reading reading) = 0;
  /// Fails with LLVM's message for a pipeline that it does not know, and with
  /// ours for passes that merge or clone functions of a batch.
  virtual corpus::Result<PipelineInfo> describe(const Pipeline &pipeline) = 0;
  /// Requires that describe() accepts the pipeline. An external opt that takes
  /// longer than the limit for a function hangs; nobody else can stop it.
  virtual std::unique_ptr<Optimizer>
  makeOptimizer(const Pipeline &pipeline, WatchPasses watch,
                std::chrono::milliseconds functionLimit) = 0;
  /// Runs one function alone and reports every pass.
  virtual Trace trace(const corpus::Program &program,
                      const Pipeline &pipeline) = 0;
  /// LLVM's own verifier on a program: nothing, or its message.
  virtual std::optional<std::string> verify(const corpus::Program &program) = 0;
};

} // namespace runner
