// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/worker.h"

#include "runner/external_opt.h"
#include "runner/worker_process.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tuple>

namespace runner {
namespace {

/// The number that `name` is, or 0.
unsigned releaseNamed(std::string_view name) {
  unsigned release = 0;
  const auto [end, error] =
      std::from_chars(name.data(), name.data() + name.size(), release);
  return error == std::errc() && end == name.data() + name.size() ? release : 0;
}

/// Every irsieve-llvm-NAME that stands beside this program.
std::vector<Installation> installed() {
  constexpr std::string_view prefix = "irsieve-llvm-";
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  std::vector<Installation> found;
  std::filesystem::directory_iterator entry(self.parent_path(), error);
  for (; !error && entry != std::filesystem::directory_iterator();
       entry.increment(error)) {
    const std::string file = entry->path().filename().string();
    if (file.starts_with(prefix) && file.find('.') == std::string::npos) {
      const std::string name = file.substr(prefix.size());
      found.push_back({releaseNamed(name), entry->path().string(), name});
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Installation &a, const Installation &b) {
              return std::tie(a.release, a.name) < std::tie(b.release, b.name);
            });
  return found;
}

/// The worker in the place of an opt of its release, where it does what that
/// would, or else as it is.
Installation inPlaceOf(const ExternalOpt &opt, const Installation &worker) {
  const std::string library = libraryOf(opt.path);
  const std::string own = libraryOf(worker.path);
  const auto fileName = [](const std::string &path) {
    return std::filesystem::path(path).filename();
  };
  // A name says what interface a library has. These characters end a path for
  // the loader.
  if (library.empty() || fileName(library) != fileName(own) ||
      library.find_first_of(" :") != std::string::npos ||
      !hasNoPasses(opt.path))
    return worker;
  Installation result = worker;
  result.isInPlaceOfOpt = true;
  std::error_code error;
  if (std::filesystem::equivalent(library, own, error))
    return result;
  // Built with other options it may lack what the worker asks of it.
  result.library = library;
  const auto answer = Worker(result).build();
  return std::holds_alternative<BuildInfo>(answer) ? result : worker;
}

} // namespace

std::vector<Installation> installedReleases() {
  auto found = installed();
  std::erase_if(found, [](const auto &each) { return each.release == 0; });
  return found;
}

std::vector<Installation> installedBuilds() {
  auto found = installed();
  std::erase_if(found, [](const auto &each) { return each.release != 0; });
  return found;
}

corpus::Result<Installation> findRelease(unsigned release) {
  return findNamed(fmt::format("{}", release));
}

corpus::Result<Installation> findNamed(const std::string &name) {
  std::vector<std::string> known;
  for (const Installation &installation : installed()) {
    if (installation.name == name)
      return installation;
    known.push_back(installation.name);
  }
  if (known.empty())
    return corpus::Error{"no LLVM worker stands beside irsieve; "
                         "`ci/install-deps` and a rebuild make them"};
  if (releaseNamed(name) == 0)
    return corpus::Error{
        fmt::format("there is no worker {}; take one of {}, or build it with "
                    "-DIRSIEVE_LLVM={}=PATH of an LLVM",
                    name, fmt::join(known, ", "), name)};
  return corpus::Error{fmt::format(
      "LLVM {} is not installed here; take one of {}, or install llvm-{}-dev "
      "and rebuild",
      name, fmt::join(known, ", "), name)};
}

std::string optimizerName(unsigned release, const Pipeline &pipeline) {
  return pipeline.opt     ? pipeline.opt->path
         : pipeline.build ? pipeline.build->name
                          : fmt::format("LLVM {}", release);
}

corpus::Result<Installation> findWorker(unsigned release,
                                        const Pipeline &pipeline) {
  if (pipeline.build)
    return findNamed(pipeline.build->name);
  if (!pipeline.opt)
    return findRelease(release);
  auto same = findRelease(release);
  if (same && pipeline.llvmArgs.empty())
    return inPlaceOf(*pipeline.opt, *same);
  const auto releases = installedReleases();
  if (same || releases.empty())
    return same;
  return releases.back();
}

struct Worker::State {
  explicit State(Installation worker) : installation(std::move(worker)) {}

  Installation installation;
  std::chrono::milliseconds timeLimit = std::chrono::seconds(20);
  std::uint64_t memoryLimit = corpus::runawayBytes;
  std::function<bool()> stop;
  std::optional<WorkerProcess> process;

  Answer<Json> ask(const Json &request) {
    for (int attempt = 1;; ++attempt) {
      Answer<Json> answer = askOnce(request);
      const auto *died = std::get_if<WorkerDied>(&answer);
      if (died == nullptr || !died->isKilled() || attempt == killedAttempts)
        return answer;
    }
  }

  Answer<Json> askOnce(const Json &request) {
    if (stop && stop())
      return WorkerDied{"stopped", true, ""};
    if (!process) {
      process = WorkerProcess::start(installation);
      process->setMemoryLimit(memoryLimit);
    }
    if (process->send(request)) {
      const auto deadline = std::chrono::steady_clock::now() + timeLimit;
      if (auto reply = process->receive(deadline, stop))
        return std::move(*reply);
    }
    WorkerDied died = process->bury();
    if (died.hung)
      died.how = fmt::format("no answer for {} s", timeLimit.count() / 1000);
    process.reset();
    return died;
  }

  /// Asks, and turns the reply into a T unless the worker died.
  template <typename T, typename Convert>
  Answer<T> ask(const Json &request, Convert convert) {
    Answer<Json> reply = ask(request);
    if (auto *died = std::get_if<WorkerDied>(&reply))
      return std::move(*died);
    return Answer<T>(convert(std::get<Json>(reply)));
  }
};

Worker::Worker(Installation installation)
    : state_(std::make_unique<State>(std::move(installation))) {}
Worker::~Worker() = default;
Worker::Worker(Worker &&) noexcept = default;
Worker &Worker::operator=(Worker &&) noexcept = default;

const Installation &Worker::installation() const {
  return state_->installation;
}

void Worker::setTimeLimit(std::chrono::milliseconds limit) {
  state_->timeLimit = limit;
}

void Worker::setMemoryLimit(std::uint64_t bytes) {
  state_->memoryLimit = bytes;
}

void Worker::setStop(std::function<bool()> stop) {
  state_->stop = std::move(stop);
}

Answer<BuildInfo> Worker::build() {
  return state_->ask<BuildInfo>({{"do", "build"}}, [](const Json &reply) {
    return reply.get<BuildInfo>();
  });
}

Answer<corpus::Result<std::vector<corpus::ReadFunction>>>
Worker::read(const std::string &path, corpus::Reading reading) {
  using Functions = corpus::Result<std::vector<corpus::ReadFunction>>;
  return state_->ask<Functions>({{"do", "read"},
                                 {"path", path},
                                 {"to_run", reading == corpus::Reading::toRun}},
                                [](const Json &reply) -> Functions {
                                  if (reply.contains("error"))
                                    return corpus::Error{reply.at("error")};
                                  return functionsFromJson(reply.at("value"));
                                });
}

Answer<corpus::Result<PipelineInfo>>
Worker::describe(const Pipeline &pipeline) {
  using Info = corpus::Result<PipelineInfo>;
  return state_->ask<Info>({{"do", "describe"}, {"pipeline", pipeline}},
                           [](const Json &reply) -> Info {
                             if (reply.contains("error"))
                               return corpus::Error{reply.at("error")};
                             return reply.at("value").get<PipelineInfo>();
                           });
}

Answer<std::vector<Output>>
Worker::optimize(std::span<const corpus::Program> programs,
                 const Pipeline &pipeline) {
  Json request = {
      {"do", "optimize"}, {"pipeline", pipeline}, {"programs", Json::array()}};
  for (const corpus::Program &program : programs)
    request["programs"].push_back(toJson(program));
  return state_->ask<std::vector<Output>>(request, [](const Json &reply) {
    return reply.get<std::vector<Output>>();
  });
}

Answer<Trace> Worker::trace(const corpus::Program &program,
                            const Pipeline &pipeline) {
  return state_->ask<Trace>(
      {{"do", "trace"}, {"pipeline", pipeline}, {"program", toJson(program)}},
      [](const Json &reply) { return reply.get<Trace>(); });
}

Answer<std::optional<std::string>>
Worker::verify(const corpus::Program &program) {
  using Problem = std::optional<std::string>;
  return state_->ask<Problem>({{"do", "verify"}, {"program", toJson(program)}},
                              [](const Json &reply) -> Problem {
                                if (reply.is_null())
                                  return std::nullopt;
                                return reply.get<std::string>();
                              });
}

corpus::Result<std::vector<corpus::ReadFunction>>
WorkerReader::read(const std::string &path, corpus::Reading reading) {
  if (!worker_) {
    // Of the releases the newest; without any, an own build.
    const auto all = installed();
    if (all.empty())
      return findRelease(0).error();
    worker_.emplace(all.back());
  }
  auto answer = worker_->read(path, reading);
  if (const auto *died = std::get_if<WorkerDied>(&answer))
    return corpus::Error{fmt::format(
        "{}: LLVM {}'s parser gave up on this file ({}); is it LLVM IR?", path,
        worker_->installation().name, died->how)};
  return std::move(std::get<0>(answer));
}

} // namespace runner
