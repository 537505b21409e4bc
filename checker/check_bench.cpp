// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time per pair: correct pairs (nothing to stop at early) of three-instruction
// functions, opcodes uniform over `core`.
#include "checker/check.h"
#include "corpus/program/random_program.h"

#include <benchmark/benchmark.h>

#include <utility>

namespace checker {
namespace {

/// Few enough to stay in the cache, as the pair at hand does in a campaign.
using Pair = std::pair<corpus::Program, corpus::Program>;

/// Pairs with exactly that many arguments whose target is an edit of the source
/// that refines it.
std::vector<Pair> correctPairs(unsigned width, unsigned arguments,
                               const Semantics &semantics, std::size_t count,
                               bool branching) {
  corpus::RandomOptions options;
  options.widths = {width, width, 1};
  options.maximumArguments = arguments;
  options.intrinsics = false;
  options.maximumBlocks = branching ? 4 : 1;
  corpus::Random random(width * 8 + arguments);
  Checker checker;
  std::vector<Pair> pairs;
  while (pairs.size() < count) {
    corpus::Program source = randomProgram(random, options);
    if (source.signature.parameters.size() != arguments)
      continue;
    corpus::Program target = randomEdit(random, source, options);
    const Verdict verdict =
        checker.check(source, target, semantics, WantWitness::no);
    if (verdict.word == VerdictWord::refines)
      pairs.emplace_back(std::move(source), std::move(target));
  }
  return pairs;
}

void checkPairs(benchmark::State &state, const char *semanticsName,
                bool branching = false) {
  const auto width = static_cast<unsigned>(state.range(0));
  const auto arguments = static_cast<unsigned>(state.range(1));
  const Semantics semantics = *parseSemantics(semanticsName);
  const std::vector<Pair> pairs =
      correctPairs(width, arguments, semantics, 256, branching);
  Checker checker;
  for ([[maybe_unused]] auto _ : state)
    for (const auto &[source, target] : pairs)
      benchmark::DoNotOptimize(
          checker.check(source, target, semantics, WantWitness::no));
  const auto items = static_cast<std::int64_t>(pairs.size());
  state.SetItemsProcessed(state.iterations() * items);
  state.counters["us_per_pair"] = benchmark::Counter(
      static_cast<double>(state.iterations() * items) / 1e6,
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK_CAPTURE(checkPairs, llvm, "llvm")
    ->Args({1, 3})
    ->Args({2, 3})
    ->Args({4, 2})
    ->Args({4, 3})
    ->Args({8, 2});
BENCHMARK_CAPTURE(checkPairs, branching, "llvm", true)
    ->Args({2, 3})
    ->Args({4, 2});
BENCHMARK_CAPTURE(checkPairs, undef, "llvm-undef")->Args({2, 2})->Args({2, 3});

} // namespace
} // namespace checker
