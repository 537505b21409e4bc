// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time per pair: correct pairs (nothing to stop at early) of three-instruction
// functions, opcodes uniform over `core`; of vectors, all that take two
// <2 x i2>; of loops and calls, random ones; of memory, straight lines whose
// three instructions access bytes.
#include "checker/check.h"
#include "corpus/program/random_program.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <utility>

namespace checker {
namespace {

/// Few enough to stay in the cache, as the pair at hand does in a campaign.
using Pair = std::pair<corpus::Program, corpus::Program>;

using Accepts = bool (*)(const corpus::Program &, std::size_t arguments);

/// Pairs whose source is accepted and whose target is an edit of the source
/// that refines it.
std::vector<Pair> correctPairs(const corpus::RandomOptions &options,
                               std::size_t arguments, Accepts accepts,
                               const Semantics &semantics, std::size_t count) {
  corpus::Random random(std::size_t{options.widths.front()} * 8 + arguments);
  Checker checker;
  std::vector<Pair> pairs;
  while (pairs.size() < count) {
    corpus::Program source = randomProgram(random, options);
    if (!accepts(source, arguments))
      continue;
    corpus::Program target = randomEdit(random, source, options);
    if (!accepts(target, arguments))
      continue;
    const Verdict verdict =
        checker.check(source, target, semantics, WantWitness::no);
    if (verdict.word == VerdictWord::refines)
      pairs.emplace_back(std::move(source), std::move(target));
  }
  return pairs;
}

void check(benchmark::State &state, const std::vector<Pair> &pairs,
           const Semantics &semantics, Engine engine = Engine::automatic) {
  Checker checker;
  for ([[maybe_unused]] auto _ : state)
    for (const auto &[source, target] : pairs)
      benchmark::DoNotOptimize(
          checker.check(source, target, semantics, WantWitness::no, engine));
  const auto items = static_cast<std::int64_t>(pairs.size());
  state.SetItemsProcessed(state.iterations() * items);
  state.counters["us_per_pair"] = benchmark::Counter(
      static_cast<double>(state.iterations() * items) / 1e6,
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

bool takes(const corpus::Program &program, std::size_t arguments) {
  return program.signature.parameters.size() == arguments;
}

void checkPairs(benchmark::State &state, const char *semanticsName,
                bool branching = false) {
  const auto width = static_cast<unsigned>(state.range(0));
  const auto arguments = static_cast<unsigned>(state.range(1));
  const Semantics semantics = *parseSemantics(semanticsName);
  corpus::RandomOptions options;
  options.widths = {width, width, 1};
  options.maximumArguments = arguments;
  options.intrinsics = false;
  options.maximumBlocks = branching ? 4 : 1;
  check(state, correctPairs(options, arguments, takes, semantics, 256),
        semantics);
}

/// Which planes prove in part, and the reference interpreter decides.
void checkLoopsAndCalls(benchmark::State &state, Engine engine) {
  const Semantics semantics = *parseSemantics("llvm");
  corpus::RandomOptions options;
  options.widths = {static_cast<unsigned>(state.range(0))};
  options.maximumArguments = 2;
  options.intrinsics = false;
  options.maximumBlocks = 4;
  options.loops = options.calls = true;
  check(state, correctPairs(options, 2, takes, semantics, 64), semantics,
        engine);
}

void checkVectors(benchmark::State &state) {
  const Semantics semantics = *parseSemantics("llvm");
  corpus::RandomOptions options;
  options.widths = {2};
  options.lanes = {2};
  options.maximumArguments = 2;
  const auto accepts = [](const corpus::Program &program, std::size_t count) {
    const auto &parameters = program.signature.parameters;
    return parameters.size() == count &&
           std::all_of(parameters.begin(), parameters.end(), [](const auto &p) {
             return p.type == corpus::Type::vector(2, corpus::Type::integer(2));
           });
  };
  check(state, correctPairs(options, 2, accepts, semantics, 256), semantics);
}

/// That many pointers; all accesses of one byte, and where there are two of
/// them also of the byte behind.
void checkMemory(benchmark::State &state) {
  const Semantics semantics = *parseSemantics("llvm");
  const auto pointers = static_cast<std::size_t>(state.range(0));
  corpus::RandomOptions options;
  options.widths = {8};
  options.maximumArguments = static_cast<unsigned>(pointers) + 1;
  options.memory = true;
  options.intrinsics = false;
  const auto accepts = [](const corpus::Program &program, std::size_t count) {
    const auto &parameters = program.signature.parameters;
    if (static_cast<std::size_t>(std::count_if(
            parameters.begin(), parameters.end(),
            [](const auto &p) { return p.type.isPointer(); })) != count)
      return false;
    return std::all_of(
        program.instructions.begin(), program.instructions.end() - 1,
        [&](const corpus::Instruction &instruction) {
          switch (instruction.opcode) {
          case corpus::Opcode::load:
            return instruction.type == corpus::Type::integer(8);
          case corpus::Opcode::store:
            return program.operandsOf(instruction)[0].type ==
                   corpus::Type::integer(8);
          case corpus::Opcode::getelementptr: {
            const auto operands = program.operandsOf(instruction);
            return count > 1 && operands.size() == 3 &&
                   operands[1].is(corpus::Operand::Kind::constant) &&
                   operands[1].payload <= 1 && operands[2].payload == 1;
          }
          default:
            return false;
          }
        });
  };
  check(state, correctPairs(options, pointers, accepts, semantics, 64),
        semantics);
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
BENCHMARK_CAPTURE(checkLoopsAndCalls, planes, Engine::exhaustive)
    ->Arg(2)
    ->Arg(4);
BENCHMARK_CAPTURE(checkLoopsAndCalls, reference, Engine::reference)
    ->Arg(2)
    ->Arg(4);
BENCHMARK(checkVectors);
BENCHMARK(checkMemory)->Arg(1)->Arg(2);

} // namespace
} // namespace checker
