// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reports/command.h"

#include "runner/worker.h"

#include <CLI/CLI.hpp>
#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>

namespace reports {
namespace {

using corpus::ExitCode;

/// Full path of a program on PATH, or "".
std::string onPath(const std::string &program) {
  const char *variable = std::getenv("PATH");
  std::string_view rest = variable == nullptr ? "" : variable;
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const auto path = std::filesystem::path(rest.substr(0, colon)) / program;
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error))
      return path.string();
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return "";
}

/// "Z3 4.8.12.0", asked of the library itself; "" where there is none.
std::string z3Version() {
  void *library = dlopen("libz3.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr)
    return "";
  using FullVersion = const char *(*)();
  const auto fullVersion =
      reinterpret_cast<FullVersion>(dlsym(library, "Z3_get_full_version"));
  std::string version = fullVersion == nullptr ? "" : fullVersion();
  dlclose(library);
  return version;
}

std::string cpuFeatures() {
  std::string features;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2"))
    features += " avx2";
  if (__builtin_cpu_supports("avx512f"))
    features += " avx512f";
#endif
  return features.empty() ? " none of avx2, avx512f" : features;
}

/// Reports one worker; whether it answers.
bool reportWorker(const runner::Installation &installation) {
  runner::Worker worker(installation);
  const auto answer = worker.build();
  if (const auto *died = std::get_if<runner::WorkerDied>(&answer)) {
    fmt::print("LLVM {}: {} does not run ({}); rebuild irsieve\n",
               installation.name, installation.path, died->how);
    return false;
  }
  const auto &build = std::get<runner::BuildInfo>(answer);
  std::string line = build.version;
  if (!build.revision.empty())
    line += fmt::format(" revision {}", build.revision);
  if (!build.assertions.empty())
    line += fmt::format(", assertions {}", build.assertions);
  const bool isOwn = installation.release == 0;
  const std::string opt = fmt::format("opt-{}", installation.release);
  const std::string path = isOwn ? build.root : onPath(opt);
  fmt::print("LLVM {}: {}, {}\n", installation.name, line,
             path.empty()
                 ? fmt::format("no {} on PATH (the commands in reports "
                               "need it: install llvm-{})",
                               opt, installation.release)
                 : path);
  return true;
}

bool doctor() {
  unsigned working = 0;
  for (const auto &list :
       {runner::installedReleases(), runner::installedBuilds()})
    for (const runner::Installation &each : list)
      working += reportWorker(each) ? 1 : 0;
  if (working == 0)
    fmt::print("no LLVM release: run ci/install-deps (or install llvm-22-dev) "
               "and build again\n");
  const std::string z3 = z3Version();
  fmt::print("Z3: {}\n", z3.empty() ? "not found; install libz3-4" : z3);
  const std::string alive = onPath("alive-tv");
  fmt::print("alive-tv: {}\n",
             alive.empty()
                 ? "not on PATH (not needed; for a third opinion build "
                   "https://github.com/AliveToolkit/alive2)"
                 : alive);
  fmt::print("CPU:{}\n", cpuFeatures());
  return working > 0;
}

} // namespace

void addDoctorCommand(CLI::App &app, ExitCode &exitCode) {
  CLI::App *command = app.add_subcommand(
      "doctor", "Say which LLVM releases and tools were found");
  command->footer("Example: irsieve doctor\n"
                  "Exit code: 0 at least one LLVM release works, 3 none does");
  command->callback([&exitCode] {
    exitCode = doctor() ? ExitCode::nothingWrong : ExitCode::incomplete;
  });
}

} // namespace reports
