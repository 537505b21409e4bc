// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a whole campaign costs above what any in-process tool must pay for the
// same functions: build IR, run the passes, destroy IR, in batches. Both sides
// are measured in CPU time and interleaved in one run, so that the ratio stands
// on a noisy machine, each time in a new process: where a process finds its
// memory makes it several per cent faster or slower. The campaign is the real
// program with its worker, from start to triage, on one thread, over ranks from
// the middle of the space.
// And what an opt costs that is started again and again, above a worker of the
// same release (opt_ratio).
#include "corpus/system/process.h"
#include "corpus/system/temporary_folder.h"
#include "enumerate/space.h"
#include "runner/llvm/lower.h"
#include "runner/llvm/pipeline.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace runner {
namespace {

constexpr std::size_t batchSize = 256;

double ownCpuSeconds() {
  timespec now = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9;
}

/// What both sides do the same with.
struct Work {
  std::string space;
  std::uint64_t begin = 0;
  std::uint64_t functions = 0;
  std::string passes;
};

/// Build, run, destroy.
double secondsOfPasses(const Work &work) {
  const auto space = enumerate::parseSpace(work.space);
  std::vector<corpus::Program> programs;
  for (std::uint64_t rank = work.begin; rank < work.begin + work.functions;
       ++rank)
    programs.push_back((*space)->at(rank));
  auto session = Session::make({work.passes, "", "", {}});
  const double started = ownCpuSeconds();
  Lowerer lowerer((*session)->context());
  for (std::size_t begin = 0; begin < programs.size(); begin += batchSize) {
    const auto module = (*session)->makeModule();
    lowerer.start(*module);
    const std::size_t end = std::min(begin + batchSize, programs.size());
    for (std::size_t i = begin; i < end; ++i)
      lowerer.lower(programs[i], llvm::Twine(i));
    if ((*session)->runsByFunction())
      for (llvm::Function &function : *module)
        if (!function.isDeclaration()) {
          (*session)->run(function);
          (*session)->forget(function);
        }
    if (!(*session)->runsByFunction())
      (*session)->run(*module);
    (*session)->clearAnalyses();
  }
  return ownCpuSeconds() - started;
}

constexpr const char *baselineOption = "--baseline";

/// The same in a process of its own: this program, started with that option.
double baselineSeconds(const Work &work) {
  const corpus::ProcessEnd end = corpus::runProcess(
      {std::filesystem::read_symlink("/proc/self/exe"), baselineOption,
       work.space, std::to_string(work.begin), std::to_string(work.functions),
       work.passes},
      "", {.timeLimit = std::chrono::minutes(10)});
  if (!end.isGood())
    throw std::runtime_error("baseline: " + end.what);
  return std::stod(end.out);
}

/// irsieve and all the processes that it started; `more`: options of it.
double campaignSeconds(const Work &work, const std::vector<std::string> &more) {
  const corpus::TemporaryFolder folder;
  std::vector<std::string> arguments = {
      IRSIEVE_PROGRAM,
      "run",
      work.space,
      "--passes=" + work.passes,
      fmt::format("--range={}:{}", work.begin, work.begin + work.functions),
      "-j",
      "1",
      "-q",
      "--db",
      folder.file("bench.db")};
  arguments.insert(arguments.end(), more.begin(), more.end());
  std::vector<char *> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  ::posix_spawn(&pid, IRSIEVE_PROGRAM, &actions, nullptr, pointers.data(),
                environ);
  ::posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  rusage usage = {};
  ::wait4(pid, &status, 0, &usage);
  const auto seconds = [](const timeval &time) {
    return static_cast<double>(time.tv_sec) +
           static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

const std::vector<std::string> worker = {"--llvm", "22"};
const std::vector<std::string> withoutMemo = {"--llvm", "22", "--no-memo"};
const std::vector<std::string> program = {"--opt", "opt-22"};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<long>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Work fromTheMiddle(const std::string &space, const std::string &passes,
                   std::uint64_t functions) {
  const auto count =
      static_cast<std::uint64_t>((*enumerate::parseSpace(space))->count());
  return {space, count / 2, functions, passes};
}

/// The ratio is the median of those of the iterations, each against the
/// baselines before and after it, so that a machine that becomes slower or
/// faster does not count.
void campaign(benchmark::State &state, const std::string &space,
              const std::string &passes, std::uint64_t functions,
              const std::vector<std::string> &options) {
  const Work work = fromTheMiddle(space, passes, functions);
  double baseline = 0;
  double whole = 0;
  std::vector<double> ratios;
  double before = baselineSeconds(work);
  for ([[maybe_unused]] auto _ : state) {
    const double other = campaignSeconds(work, options);
    const double after = baselineSeconds(work);
    const double one = (before + after) / 2;
    before = after;
    baseline += one;
    whole += other;
    ratios.push_back(other / one);
    state.SetIterationTime(other);
  }
  const double ratio = median(ratios);
  const auto perFunction = [&](double seconds) {
    return seconds * 1e6 / static_cast<double>(functions * state.iterations());
  };
  const auto [least, most] = std::ranges::minmax(ratios);
  state.counters["baseline_us"] = perFunction(baseline);
  state.counters["campaign_us"] = perFunction(whole);
  state.counters["overhead_ratio"] = ratio;
  state.SetLabel(fmt::format("overhead_ratio: {:.3f} ({:.3f} to {:.3f})", ratio,
                             least, most));
}

/// An opt against the worker of its release.
void externalOpt(benchmark::State &state, const std::string &passes,
                 std::uint64_t functions,
                 const std::vector<std::string> &options) {
  const Work work = fromTheMiddle("i2x3:symmetry=args", passes, functions);
  std::vector<double> ratios;
  for ([[maybe_unused]] auto _ : state) {
    const double inside = campaignSeconds(work, options);
    const double outside = campaignSeconds(work, program);
    ratios.push_back(outside / inside);
    state.SetIterationTime(outside);
  }
  state.SetLabel(fmt::format("opt_ratio: {:.2f}", median(ratios)));
}

/// What a simplification pipeline of its own might be.
constexpr const char *tenPasses =
    "instcombine,gvn,simplifycfg,reassociate,sccp,early-cse,instsimplify,adce,"
    "correlated-propagation,bdce";

constexpr const char *integers = "i2x3:symmetry=args";
// Nothing is wrong there, so that no time goes to reducing it.
constexpr const char *bytes =
    "i8x4:mem=a1,align,graph=diamond,args=2,consts=two,symmetry=args";

#define CAMPAIGN(name, spec, passes, functions, memoise)                       \
  BENCHMARK_CAPTURE(campaign, name, spec, passes, functions, memoise)          \
      ->Iterations(25)                                                         \
      ->UseManualTime()                                                        \
      ->Unit(benchmark::kSecond)

CAMPAIGN(instcombine, integers, "instcombine", 800'000, worker);
CAMPAIGN(ten_passes, integers, tenPasses, 400'000, worker);
CAMPAIGN(O2, integers, "default<O2>", 150'000, worker);
CAMPAIGN(O3, integers, "default<O3>", 150'000, worker);
CAMPAIGN(memory_gvn, bytes, "gvn", 200'000, worker);
CAMPAIGN(memory_instcombine, bytes, "instcombine", 200'000, worker);
CAMPAIGN(memory_O2, bytes, "default<O2>", 60'000, worker);
CAMPAIGN(O2_without_memo, integers, "default<O2>", 150'000, withoutMemo);

#define EXTERNAL(name, passes, functions, options)                             \
  BENCHMARK_CAPTURE(externalOpt, name, passes, functions, options)             \
      ->Iterations(3)                                                          \
      ->UseManualTime()                                                        \
      ->Unit(benchmark::kSecond)

EXTERNAL(instcombine, "instcombine", 100'000, worker);
EXTERNAL(O2, "default<O2>", 30'000, worker);
EXTERNAL(O2_without_memo, "default<O2>", 30'000, withoutMemo);

} // namespace
} // namespace runner

int main(int argc, char **argv) {
  if (argc == 6 && std::string_view(argv[1]) == runner::baselineOption) {
    fmt::print("{}", runner::secondsOfPasses({argv[2], std::stoull(argv[3]),
                                              std::stoull(argv[4]), argv[5]}));
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 2;
  benchmark::RunSpecifiedBenchmarks();
}
