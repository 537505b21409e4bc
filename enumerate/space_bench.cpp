// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enumerate/order.h"
#include "enumerate/space.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

using namespace enumerate;

namespace {

const char *const memory =
    "i8x4:mem=a1+p1,align,graph=diamond,args=2,consts=two";
const char *const specs[] = {"i2x3",
                             "i4x3:minmax",
                             "i8x4:args=2,consts=few",
                             "i2x3:blocks=4,args=2",
                             memory,
                             "i2x4:blocks=4,loops,args=2",
                             "i2x4:blocks=5,loops,args=3"};

std::unique_ptr<Space> space(const benchmark::State &state) {
  return std::move(*parseSpace(specs[state.range(0)]));
}

/// Functions per second in rank order.
void iterate(benchmark::State &state) {
  const auto members = space(state);
  auto cursor = members->from(members->count() / 2);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(cursor->program().operands.data());
    cursor->next();
    if (cursor->atEnd())
      cursor = members->from(0);
  }
  state.SetItemsProcessed(state.iterations());
  state.SetLabel(members->spec());
}
BENCHMARK(iterate)->DenseRange(0, 6);

/// Functions per second when most are skipped.
void iterateRepresentatives(benchmark::State &state) {
  const auto members = space(state);
  auto cursor = members->from(members->count() / 2);
  RepresentativeFilter filter(symmetry::full);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(filter.isRepresentative(cursor->program()));
    cursor->next();
    if (cursor->atEnd())
      cursor = members->from(0);
  }
  state.SetItemsProcessed(state.iterations());
  state.SetLabel(members->spec());
}
BENCHMARK(iterateRepresentatives)->DenseRange(0, 6);

void randomAccess(benchmark::State &state) {
  const auto members = space(state);
  const auto ranks = sampleRanks(members->count(), 1 << 12, 1);
  std::size_t i = 0;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(members->at(ranks[i++ % ranks.size()]));
  state.SetLabel(members->spec());
}
BENCHMARK(randomAccess)->DenseRange(0, 6);

/// Rank at a position.
void order(benchmark::State &state) {
  const auto members = space(state);
  const OrderInfo &info = orderTable()[state.range(1)];
  const auto order = info.make(*members, 1);
  const auto positions = sampleRanks(members->count(), 1 << 12, 1);
  std::size_t i = 0;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(order->at(positions[i++ % positions.size()]));
  state.SetLabel(fmt::format("{} {}", info.name, members->spec()));
}
BENCHMARK(order)->ArgsProduct({{0, 1, 2, 3, 4}, {0, 1}});

void rankOf(benchmark::State &state) {
  const auto members = space(state);
  std::vector<corpus::Program> programs;
  for (corpus::Rank rank : sampleRanks(members->count(), 1 << 12, 1))
    programs.push_back(members->at(rank));
  std::size_t i = 0;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(members->rank(programs[i++ % programs.size()]));
  state.SetLabel(members->spec());
}
BENCHMARK(rankOf)->DenseRange(0, 6);

void parse(benchmark::State &state) {
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(parseSpace(specs[state.range(0)]));
  state.SetLabel(specs[state.range(0)]);
}
BENCHMARK(parse)->DenseRange(0, 6)->Unit(benchmark::kMillisecond);

} // namespace
