// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Backend of one LLVM release; see runner/backend.h for the contract.
#pragma once

#include "runner/backend.h"

namespace runner {

class LlvmBackend : public Backend {
public:
  BuildInfo build() const override;
  corpus::Result<std::vector<corpus::ReadFunction>>
  read(const std::string &path, corpus::Reading reading) override;
  corpus::Result<PipelineInfo> describe(const Pipeline &pipeline) override;
  std::unique_ptr<Optimizer>
  makeOptimizer(const Pipeline &pipeline, WatchPasses watch,
                std::chrono::milliseconds functionLimit) override;
  Trace trace(const corpus::Program &program,
              const Pipeline &pipeline) override;
  std::optional<std::string> verify(const corpus::Program &program) override;
};

} // namespace runner
