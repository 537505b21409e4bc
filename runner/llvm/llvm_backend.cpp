// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/llvm/llvm_backend.h"

#include "runner/llvm/llvm_optimizer.h"
#include "runner/llvm/read.h"
#include "runner/llvm/release.h"
#include "runner/llvm/trace.h"

#include <llvm/Config/llvm-config.h>

namespace runner {

BuildInfo LlvmBackend::build() const {
  return {release::number, LLVM_VERSION_STRING};
}

corpus::Result<std::vector<corpus::ReadFunction>>
LlvmBackend::read(const std::string &path) {
  return readFile(path);
}

corpus::Result<PipelineInfo> LlvmBackend::describe(const Pipeline &pipeline) {
  auto session = Session::make(pipeline);
  if (!session)
    return session.error();
  return (*session)->info();
}

std::unique_ptr<Optimizer>
LlvmBackend::makeOptimizer(const Pipeline &pipeline) {
  return std::make_unique<LlvmOptimizer>(pipeline);
}

Trace LlvmBackend::trace(const corpus::Program &program,
                         const Pipeline &pipeline) {
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
