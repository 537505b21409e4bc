// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a function costs on its way through LLVM: our part (lower, lift), LLVM's
// part (passes), and all of it. Times are per batch of 256 functions of i2x3;
// items are functions.
#include "checker/semantics/semantics.h"
#include "enumerate/space.h"
#include "runner/evaluate.h"
#include "runner/llvm/llvm_optimizer.h"

#include <benchmark/benchmark.h>

#include <numeric>

namespace runner {
namespace {

constexpr std::size_t batchSize = 256;

const std::vector<corpus::Program> &batch() {
  static const std::vector<corpus::Program> programs = [] {
    const auto space = enumerate::parseSpace("i2x3");
    std::vector<corpus::Program> members;
    for (const corpus::Rank rank :
         enumerate::sampleRanks((*space)->count(), batchSize, 1))
      members.push_back((*space)->at(rank));
    return members;
  }();
  return programs;
}

void countFunctions(benchmark::State &state) {
  state.SetItemsProcessed(
      static_cast<std::int64_t>(state.iterations() * batchSize));
}

/// Building the IR and destroying it.
void lower(benchmark::State &state) {
  llvm::LLVMContext context;
  Lowerer lowerer(context);
  for ([[maybe_unused]] auto _ : state) {
    llvm::Module module("bench", context);
    lowerer.start(module);
    for (std::size_t i = 0; i < batchSize; ++i)
      lowerer.lower(batch()[i], llvm::Twine(i));
  }
  countFunctions(state);
}
BENCHMARK(lower);

void lift(benchmark::State &state) {
  llvm::LLVMContext context;
  llvm::Module module("bench", context);
  Lowerer lowerer(context);
  lowerer.start(module);
  std::vector<llvm::Function *> functions;
  for (std::size_t i = 0; i < batchSize; ++i)
    functions.push_back(&lowerer.lower(batch()[i], llvm::Twine(i)));
  Lifter lifter;
  corpus::Program program;
  for ([[maybe_unused]] auto _ : state)
    for (const llvm::Function *function : functions)
      benchmark::DoNotOptimize(lifter.lift(*function, program));
  countFunctions(state);
}
BENCHMARK(lift);

/// LLVM's verifier, which runs on every function that changed.
void verify(benchmark::State &state) {
  llvm::LLVMContext context;
  llvm::Module module("bench", context);
  Lowerer lowerer(context);
  lowerer.start(module);
  std::vector<llvm::Function *> functions;
  for (std::size_t i = 0; i < batchSize; ++i)
    functions.push_back(&lowerer.lower(batch()[i], llvm::Twine(i)));
  for ([[maybe_unused]] auto _ : state)
    for (const llvm::Function *function : functions)
      benchmark::DoNotOptimize(verifyIr(*function));
  countFunctions(state);
}
BENCHMARK(verify);

/// What any in-process tool must pay: build, run the passes, destroy.
void passesAlone(benchmark::State &state, const char *passes) {
  const auto session = Session::make({passes, "", "", {}});
  Lowerer lowerer((*session)->context());
  for ([[maybe_unused]] auto _ : state) {
    const auto module = (*session)->makeModule();
    lowerer.start(*module);
    std::vector<llvm::Function *> functions;
    for (std::size_t i = 0; i < batchSize; ++i)
      functions.push_back(&lowerer.lower(batch()[i], llvm::Twine(i)));
    if ((*session)->runsByFunction())
      for (llvm::Function *function : functions) {
        (*session)->run(*function);
        (*session)->forget(*function);
      }
    else
      (*session)->run(*module);
    (*session)->clearAnalyses();
  }
  countFunctions(state);
}
BENCHMARK_CAPTURE(passesAlone, instcombine, "instcombine");
BENCHMARK_CAPTURE(passesAlone, sccp, "sccp");
BENCHMARK_CAPTURE(passesAlone, O2, "default<O2>");

void optimize(benchmark::State &state, const char *passes) {
  LlvmOptimizer optimizer({passes, "", "", {}}, WatchPasses::no);
  std::vector<std::uint64_t> positions(batchSize);
  std::iota(positions.begin(), positions.end(), 0);
  Slot slot;
  std::vector<Output> outputs;
  for ([[maybe_unused]] auto _ : state)
    optimizer.optimize(batch(), positions, slot, outputs);
  countFunctions(state);
}
BENCHMARK_CAPTURE(optimize, instcombine, "instcombine");
BENCHMARK_CAPTURE(optimize, sccp, "sccp");
BENCHMARK_CAPTURE(optimize, O2, "default<O2>");

/// All of a worker's inner loop, database and pipe aside: enumerate, optimize,
/// check, count. Compare with optimize/instcombine.
void evaluate(benchmark::State &state) {
  const auto space = enumerate::parseSpace("i2x3");
  WorkOrder order;
  order.columns = *checker::parseSemanticsList("llvm");
  order.selection = Selection::sample((*space)->count(), batchSize, /*seed=*/1);
  Evaluator evaluator(
      **space, order,
      std::make_unique<LlvmOptimizer>(Pipeline{"instcombine", "", "", {}},
                                      WatchPasses::no));
  Slot slot;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(evaluator.evaluate({0, batchSize}, slot));
  countFunctions(state);
}
BENCHMARK(evaluate);

} // namespace
} // namespace runner
