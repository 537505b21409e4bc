// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/worker.h"

#include "enumerate/space.h"
#include "runner/external_opt.h"
#include "runner/worker_process.h"

#include <algorithm>
#include <cassert>
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

/// The same LLVM without its optimizer, which starts sooner, where it stands
/// beside the worker.
Installation readerOf(Installation worker) {
  const std::filesystem::path path(worker.path);
  const auto reader =
      path.parent_path() / fmt::format("irsieve-read-{}", worker.name);
  std::error_code error;
  if (std::filesystem::exists(reader, error))
    worker.path = reader.string();
  return worker;
}

/// The value of an answer, where there is one.
template <typename T> const T *valueOf(const Answer<T> &answer) {
  return std::get_if<T>(&answer);
}
template <typename T>
const T *valueOf(const Answer<corpus::Result<T>> &answer) {
  const auto *result = std::get_if<corpus::Result<T>>(&answer);
  return result != nullptr && *result ? &**result : nullptr;
}

/// What stays the same from 19.1.0 to 19.1.7; "" for what is no release.
std::string interfaceOf(const std::string &version) {
  const bool isRelease =
      version.find_first_not_of("0123456789.") == std::string::npos;
  return isRelease ? version.substr(0, version.rfind('.')) : "";
}

/// Some of every kind that there is.
std::vector<corpus::Program> samples() {
  constexpr std::uint64_t size = 32;
  std::vector<corpus::Program> programs;
  for (const std::string_view spec :
       {"i8x3", "i8x3:graph=if", "i8x2:mem=a1+p1"}) {
    const auto space = enumerate::parseSpace(spec);
    assert(space);
    for (const corpus::Rank rank :
         enumerate::sampleRanks((*space)->count(), size, /*seed=*/1))
      programs.push_back((*space)->at(rank));
  }
  return programs;
}

/// Whether two workers make the same of the pipeline, and of some functions: a
/// plugin that takes the opt's LLVM for another does not come so far.
bool agree(Worker &one, Worker &other, const Pipeline &pipeline) {
  const auto infos =
      std::pair(one.describe(pipeline), other.describe(pipeline));
  const auto *info = valueOf(infos.first);
  const auto *otherInfo = valueOf(infos.second);
  if (info == nullptr || otherInfo == nullptr || *info != *otherInfo)
    return false;
  const std::vector<corpus::Program> programs = samples();
  const auto answers = std::pair(one.optimize(programs, pipeline),
                                 other.optimize(programs, pipeline));
  const auto *outputs = valueOf(answers.first);
  const auto *otherOutputs = valueOf(answers.second);
  return outputs != nullptr && otherOutputs != nullptr &&
         std::equal(outputs->begin(), outputs->end(), otherOutputs->begin(),
                    otherOutputs->end(), [](const Output &a, const Output &b) {
                      return a.status == b.status &&
                             (a.status != Output::Status::ok ||
                              a.program == b.program);
                    });
}

/// The opt with this worker of its release in it.
std::optional<Installation> withinOpt(const Installation &worker,
                                      const Pipeline &pipeline) {
  Worker outside(worker);
  const auto own = outside.build();
  const auto *ofWorker = valueOf(own);
  if (ofWorker == nullptr || interfaceOf(ofWorker->version).empty() ||
      interfaceOf(ofWorker->version) != interfaceOf(pipeline.opt->version))
    return std::nullopt;
  // An option may be the program's own, and only it knows what it is for. A
  // process takes options once.
  if (!pipeline.llvmArgs.empty() &&
      valueOf(Worker(worker).describe({"verify", "", "", pipeline.llvmArgs})) ==
          nullptr)
    return std::nullopt;

  Installation opt = worker;
  opt.path = pipeline.opt->path;
  opt.isInPlaceOfOpt = true;
  opt.arguments = pipeline.llvmArgs;
  // Up to 14 a plugin is loaded when there is something to do.
  for (const std::string &word :
       {"-load-pass-plugin=" + worker.path + ".so",
        std::string("-passes=verify"), std::string("-disable-output")})
    opt.arguments.push_back(word);
  Worker inside(opt);
  const auto build = inside.build();
  const auto *loaded = valueOf(build);
  if (loaded == nullptr || loaded->arguments != opt.arguments)
    return std::nullopt;
  if (!agree(outside, inside, pipeline))
    return std::nullopt;
  return opt;
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
  if (same)
    if (auto opt = withinOpt(*same, pipeline))
      return *opt;
  const auto releases = installedReleases();
  if (same || releases.empty())
    return same;
  return releases.back();
}

KnownWorkers::KnownWorkers() : waiting_(std::make_unique<WaitingWorker>()) {}
KnownWorkers::~KnownWorkers() = default;

KnownWorkers::Known *KnownWorkers::known(unsigned release,
                                         const Pipeline &pipeline) {
  const auto found =
      std::find_if(known_.begin(), known_.end(), [&](const Known &each) {
        return each.release == release && each.pipeline == pipeline;
      });
  return found == known_.end() ? nullptr : &*found;
}

corpus::Result<Installation> KnownWorkers::find(unsigned release,
                                                const Pipeline &pipeline) {
  if (const Known *found = known(release, pipeline))
    return found->installation;
  auto installation = findWorker(release, pipeline);
  if (installation)
    known_.push_back({release, pipeline, *installation, std::nullopt});
  return installation;
}

const corpus::Lane *KnownWorkers::lane(unsigned release,
                                       const Pipeline &pipeline) {
  const Known *found = known(release, pipeline);
  return found != nullptr && found->lane ? &*found->lane : nullptr;
}

void KnownWorkers::note(unsigned release, const Pipeline &pipeline,
                        corpus::Lane lane) {
  Known *found = known(release, pipeline);
  assert(found != nullptr);
  found->lane = std::move(lane);
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
    try {
      return Answer<T>(convert(std::get<Json>(reply)));
    } catch (const GarbledFrame &) {
      process.reset();
      return WorkerDied{"an answer that nobody can read", false, ""};
    }
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
    worker_.emplace(readerOf(all.back()));
  }
  auto answer = worker_->read(path, reading);
  if (const auto *died = std::get_if<WorkerDied>(&answer))
    return corpus::Error{fmt::format(
        "{}: LLVM {}'s parser gave up on this file ({}); is it LLVM IR?", path,
        worker_->installation().name, died->how)};
  return std::move(std::get<0>(answer));
}

} // namespace runner
