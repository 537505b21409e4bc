// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/own_build.h"

#include "runner/external_opt.h"
#include "runner/worker.h"

#include <filesystem>
#include <fmt/format.h>

namespace runner {

corpus::Result<IdentifiedBuild> identifyBuild(const std::string &name) {
  const auto installation = findNamed(name);
  if (!installation)
    return installation.error();
  Worker worker(*installation);
  const auto answer = worker.build();
  if (const auto *died = std::get_if<WorkerDied>(&answer))
    return corpus::Error{fmt::format("{} does not start ({}); rebuild it",
                                     installation->path, died->how)};
  const auto &info = std::get<BuildInfo>(answer);
  auto hash = hashOfOptimizer(installation->path);
  if (!hash)
    return hash.error();
  const auto opt = std::filesystem::path(info.root) / "bin" / "opt";
  std::error_code error;
  return IdentifiedBuild{
      info.release,
      {name, info.version,
       std::filesystem::exists(opt, error) ? opt.string() : "", *hash}};
}

} // namespace runner
