// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/serve.h"

#include "corpus/program/encode.h"
#include "corpus/program/exit_code.h"
#include "corpus/system/process.h"
#include "enumerate/decision_graph.h"
#include "enumerate/file_space.h"
#include "runner/evaluate.h"
#include "runner/protocol.h"
#include "runner/worker_channel.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <list>
#include <mutex>
#include <numeric>
#include <sys/stat.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <unistd.h>

namespace runner {
namespace {

/// A worker above this much memory is replaced by a fresh one: every recovered
/// crash leaks the LLVM context that it happened in.
constexpr std::uint64_t recycleAboveBytes = 2ULL << 30;

/// Decision graphs of spaces that are kept for later orders: some 400 MB.
constexpr std::size_t mostEdges = 4'000'000;

template <typename T> Json resultToJson(const corpus::Result<T> &result) {
  if (!result)
    return {{"error", result.error().message}};
  return {{"value", *result}};
}

/// Cuts ranges into chunks, in order. None reaches into the next part of the
/// selection, and they become small at the end, where a thread would wait for
/// the last one of another.
class ChunkQueue {
public:
  explicit ChunkQueue(const WorkOrder &order) : order_(order) {
    for (const corpus::PositionRange &range : order.ranges)
      left_ += range.end - range.begin;
  }

  std::optional<corpus::PositionRange> next() {
    while (index_ < order_.ranges.size()) {
      const corpus::PositionRange &range = order_.ranges[index_];
      const std::uint64_t begin = std::max(position_, range.begin);
      if (begin >= range.end) {
        ++index_;
        position_ = 0;
        continue;
      }
      const Selection &selection = order_.selection;
      const std::uint64_t size = std::min(
          order_.chunkSize,
          std::max(left_ / 4 / order_.threads,
                   order_.pipeline.opt ? smallestOfOpt : smallestChunk));
      position_ = std::min({begin + size, range.end,
                            selection.part(selection.partOf(begin)).end});
      left_ -= position_ - begin;
      return corpus::PositionRange{begin, position_};
    }
    return std::nullopt;
  }

private:
  static constexpr std::uint64_t smallestChunk = 512;
  /// Of a program that must be started.
  static constexpr std::uint64_t smallestOfOpt = 8192;

  const WorkOrder &order_;
  std::uint64_t left_ = 0;
  std::size_t index_ = 0;
  std::uint64_t position_ = 0;
};

/// Of this process.
std::vector<std::string> arguments() {
  std::ifstream file("/proc/self/cmdline");
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');)
    words.push_back(word);
  if (!words.empty())
    words.erase(words.begin()); // the program
  return words;
}

class Server {
public:
  Server(Backend &backend, int socket, SharedTable table, bool isInPlaceOfOpt)
      : backend_(backend), socket_(socket), table_(std::move(table)),
        isInPlaceOfOpt_(isInPlaceOfOpt) {}

  void run() {
    while (const auto request = readFrame(socket_))
      if (!answer(*request))
        return;
  }

private:
  bool answer(const Json &request) {
    const std::string question = request.at("do");
    if (question == "run") {
      WorkOrder order = request.at("order");
      order.pipeline = ours(std::move(order.pipeline));
      return runOrder(std::move(order));
    }
    // The parent shows this slot's pass when a question kills the worker.
    table_->slots[0].enter(0, PassName(question));
    const Json reply = replyTo(question, request);
    table_->slots[0].leave();
    return writeFrame(socket_, reply);
  }

  Pipeline ours(Pipeline pipeline) const {
    if (isInPlaceOfOpt_) {
      pipeline.opt.reset();
      pipeline.llvmArgs.clear();
    }
    return pipeline;
  }

  Json replyTo(const std::string &question, const Json &request) {
    if (question == "build") {
      BuildInfo build = backend_.build();
      build.arguments = arguments();
      return build;
    }
    if (question == "read")
      return answerToRead(
          request, [&](const std::string &path, corpus::Reading reading) {
            return backend_.read(path, reading);
          });
    if (question == "verify") {
      const auto problem =
          backend_.verify(programFromJson(request.at("program")));
      return problem ? Json(*problem) : Json();
    }
    const Pipeline pipeline = ours(request.at("pipeline"));
    if (question == "describe")
      return resultToJson(backend_.describe(pipeline));
    if (question == "trace")
      return backend_.trace(programFromJson(request.at("program")), pipeline);
    assert(question == "optimize");
    return optimize(request.at("programs"), pipeline);
  }

  Json optimize(const Json &programs, const Pipeline &pipeline) {
    if (!optimizer_ || optimizerPipeline_ != pipeline) {
      optimizer_ = backend_.makeOptimizer(pipeline, WatchPasses::yes,
                                          defaultFunctionLimit);
      optimizerPipeline_ = pipeline;
    }
    std::vector<corpus::Program> batch;
    std::vector<std::uint64_t> positions;
    for (const Json &program : programs) {
      positions.push_back(batch.size());
      batch.push_back(programFromJson(program));
    }
    std::vector<Output> outputs;
    optimizer_->optimize(batch, positions, table_->slots[0], outputs);
    return outputs;
  }

  /// A space that an order named, with its selection of it.
  struct Opened {
    std::string spec; ///< "" where the order had the programs
    Json selection;   ///< as the order has it
    std::unique_ptr<enumerate::Space> space;
    Selection bound;

    std::size_t edges() const {
      return space->decisions() != nullptr ? space->decisions()->edgeCount()
                                           : 0;
    }
  };

  /// Looks among those of earlier orders first: to count a space may take as
  /// long as what is to be done in it.
  const Opened &open(const WorkOrder &order) {
    const bool isSpec = order.programs.empty();
    Json selection = order.selection.toJson();
    const auto found =
        std::find_if(opened_.begin(), opened_.end(), [&](const Opened &each) {
          return isSpec && each.spec == order.space &&
                 each.selection == selection;
        });
    if (found != opened_.end()) {
      opened_.splice(opened_.begin(), opened_, found);
      return opened_.front();
    }
    opened_.remove_if([](const Opened &each) { return each.spec.empty(); });
    Opened made = {isSpec ? order.space : "", std::move(selection), make(order),
                   order.selection};
    if (!made.bound.bind(*made.space))
      assert(false && "the parent has the same space");
    opened_.push_front(std::move(made));
    const auto edges = [&] {
      return std::accumulate(opened_.begin(), opened_.end(), std::size_t(0),
                             [](std::size_t sum, const Opened &each) {
                               return sum + each.edges();
                             });
    };
    while (opened_.size() > 1 && edges() > mostEdges)
      opened_.pop_back();
    return opened_.front();
  }

  static std::unique_ptr<enumerate::Space> make(const WorkOrder &order) {
    std::vector<enumerate::NamedProgram> programs;
    for (std::size_t i = 0; i < order.programs.size(); ++i) {
      auto program = corpus::decode(order.programs[i]);
      assert(program && "the parent sends what encode() wrote");
      programs.push_back({order.names[i], std::move(*program)});
    }
    auto space = programs.empty()
                     ? enumerate::parseSpace(order.space)
                     : enumerate::makeFileSpace(order.space, programs);
    assert(space && "the parent sends what it opened itself");
    return std::move(*space);
  }

  bool runOrder(WorkOrder order) {
    const Opened &opened = open(order);
    order.selection = opened.bound;
    struct Thread {
      std::unique_ptr<Evaluator> evaluator;
      Slot *slot = nullptr;
    };
    std::atomic<std::size_t> threadCount{0};
    tbb::enumerable_thread_specific<Thread> threads([&] {
      const std::size_t index = threadCount.fetch_add(1);
      assert(index < maximumThreads);
      return Thread{
          std::make_unique<Evaluator>(
              *opened.space, order,
              backend_.makeOptimizer(order.pipeline, order.watchPasses,
                                     order.functionLimit),
              [&](const corpus::Program &program) {
                return backend_.trace(program, order.pipeline);
              }),
          &table_->slots[index]};
    });

    std::atomic<bool> recycle{false};
    // Serial filters of TBB would do as well, but a thread sanitizer cannot see
    // what happens inside TBB.
    std::mutex queueMutex;
    ChunkQueue queue(order);
    std::mutex socketMutex;
    bool parentLives = true;
    const tbb::global_control limit(
        tbb::global_control::max_allowed_parallelism, order.threads);
    const auto next = [&]() -> std::optional<corpus::PositionRange> {
      const std::lock_guard lock(queueMutex);
      if (table_->stop.load() || recycle.load())
        return std::nullopt;
      return queue.next();
    };
    const auto hand = [&](const Json &frame) {
      const std::lock_guard lock(socketMutex);
      parentLives = parentLives && writeFrame(socket_, frame);
      if (!parentLives || corpus::residentBytes(::getpid()) > recycleAboveBytes)
        recycle = true;
      return parentLives;
    };
    // Chunks are handed out in order; their results may come in any.
    tbb::parallel_pipeline(
        order.threads,
        tbb::make_filter<void, void>(
            tbb::filter_mode::parallel, [&](tbb::flow_control &control) {
              const auto range = next();
              if (!range)
                return control.stop();
              Thread &thread = threads.local();
              hand({{"chunk", toJson(thread.evaluator->evaluate(
                                  *range, *thread.slot, &table_->stop))}});
            }));
    return hand({{"done", true}, {"recycle", recycle.load()}}) && !recycle;
  }

  Backend &backend_;
  int socket_;
  SharedTable table_;
  bool isInPlaceOfOpt_;
  std::list<Opened> opened_; ///< the last used comes first
  std::unique_ptr<Optimizer> optimizer_;
  Pipeline optimizerPipeline_;
};

[[noreturn]] void serveParent(Backend &backend, bool isInPlaceOfOpt) {
  SharedTable table = joinParent();
  Server(backend, workerSocket, std::move(table), isInPlaceOfOpt).run();
  std::fflush(nullptr);
  // Crashed LLVM contexts were leaked on purpose; their destructors and those
  // of LLVM's globals have nothing to say any more.
  ::_exit(0);
}

} // namespace

int serve(Backend &backend, int argc, char **argv) {
  if (argc < 2 || std::string_view(argv[1]) != workerArgument) {
    const BuildInfo build = backend.build();
    fmt::print(stderr,
               "This is irsieve's worker for LLVM {}; run irsieve instead.\n",
               build.version);
    return static_cast<int>(corpus::ExitCode::badInput);
  }
  serveParent(backend, /*isInPlaceOfOpt=*/false);
}

void serveInPlaceOfOpt(Backend &backend) {
  struct stat socket = {};
  struct stat table = {};
  if (::fstat(workerSocket, &socket) != 0 || !S_ISSOCK(socket.st_mode) ||
      ::fstat(workerTable, &table) != 0 ||
      table.st_size != static_cast<off_t>(sizeof(InFlightTable))) {
    fmt::print(stderr, "This plugin is for `irsieve run --opt`, which gives it "
                       "what to do.\n");
    ::_exit(static_cast<int>(corpus::ExitCode::badInput));
  }
  serveParent(backend, /*isInPlaceOfOpt=*/true);
}

} // namespace runner
