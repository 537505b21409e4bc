// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/llvm_backend.h"

#include "runner/llvm/external_ir.h"
#include "runner/llvm/llvm_optimizer.h"
#include "runner/llvm/read.h"
#include "runner/llvm/release.h"
#include "runner/llvm/trace.h"

#include <llvm/Config/llvm-config.h>
#if __has_include(<llvm/Support/VCSRevision.h>)
#include <llvm/Support/VCSRevision.h>
#endif
#ifndef LLVM_REVISION
#define LLVM_REVISION ""
#endif

namespace runner {
namespace {

/// The spelling that the pipeline's own opt takes.
corpus::Result<std::string> spellForOpt(const Pipeline &pipeline) {
  return spellForRelease(pipeline.passes, pipeline.opt->release,
                         !pipeline.triple.empty());
}

} // namespace

BuildInfo LlvmBackend::build() const {
  return {release::number, LLVM_VERSION_STRING,     IRSIEVE_LLVM_NAME,
          LLVM_REVISION,   IRSIEVE_LLVM_ASSERTIONS, IRSIEVE_LLVM_ROOT};
}

corpus::Result<std::vector<corpus::ReadFunction>>
LlvmBackend::read(const std::string &path, corpus::Reading reading) {
  return readFile(path, reading);
}

corpus::Result<PipelineInfo> LlvmBackend::describe(const Pipeline &pipeline) {
  if (pipeline.opt) {
    const auto asRun = spellForOpt(pipeline);
    if (!asRun)
      return asRun.error();
    return describeExternal(pipeline, *asRun);
  }
  auto session = Session::make(pipeline);
  if (!session)
    return session.error();
  return (*session)->info();
}

std::unique_ptr<Optimizer>
LlvmBackend::makeOptimizer(const Pipeline &pipeline, WatchPasses watch,
                           std::chrono::milliseconds functionLimit) {
  if (pipeline.opt)
    return std::make_unique<ExternalOptimizer>(pipeline, *spellForOpt(pipeline),
                                               functionLimit,
                                               makeExternalIr(pipeline));
  return std::make_unique<LlvmOptimizer>(pipeline, watch);
}

Trace LlvmBackend::trace(const corpus::Program &program,
                         const Pipeline &pipeline) {
  if (pipeline.opt)
    return traceExternal(program, pipeline, *spellForOpt(pipeline),
                         makeExternalIr(pipeline));
  return traceFunction(program, pipeline);
}

std::optional<std::string> LlvmBackend::verify(const corpus::Program &program) {
  if (auto lack = lackOf(program))
    return lack;
  llvm::LLVMContext context;
  llvm::Module module("irsieve", context);
  Lowerer lowerer(context);
  lowerer.start(module);
  return verifyIr(lowerer.lower(program, "f"));
}

} // namespace runner
