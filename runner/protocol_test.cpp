// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/protocol.h"

#include "corpus/program/encode.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace runner {
namespace {

class SocketPair {
public:
  SocketPair() { ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_); }
  ~SocketPair() {
    close(0);
    close(1);
  }
  int operator[](int end) const { return ends_[end]; }
  void close(int end) {
    if (ends_[end] >= 0)
      ::close(ends_[end]);
    ends_[end] = -1;
  }

private:
  int ends_[2] = {-1, -1};
};

corpus::Program identityFunction() {
  corpus::Program program;
  const corpus::Type i4 = corpus::Type::integer(4);
  program.signature.returnType = i4;
  const corpus::Operand a = program.addParameter(i4);
  program.append(corpus::Opcode::ret, corpus::Type(), {a});
  return program;
}

TEST(Frame, LargeOnesArriveWhole) {
  SocketPair sockets;
  const Json message = {{"text", std::string(5'000'000, 'x')}};
  std::thread writer([&] { EXPECT_TRUE(writeFrame(sockets[0], message)); });
  EXPECT_EQ(readFrame(sockets[1]), message);
  writer.join();
}

TEST(Frame, DeadPeersAndGarbageAreNothing) {
  SocketPair sockets;
  const std::uint32_t size = 3;
  ASSERT_EQ(::write(sockets[0], &size, sizeof size),
            static_cast<ssize_t>(sizeof size));
  ASSERT_EQ(::write(sockets[0], "\xff\xff\xff", 3), 3);
  EXPECT_EQ(readFrame(sockets[1]), std::nullopt);
  ASSERT_EQ(::write(sockets[0], &size, 2), 2);
  sockets.close(0);
  EXPECT_EQ(readFrame(sockets[1]), std::nullopt);
  EXPECT_FALSE(writeFrame(sockets[1], Json()));
}

TEST(Protocol, EveryMessageRoundTrips) {
  WorkOrder order;
  order.pipeline = {"gvn,sccp", "x86_64-linux-gnu", "e", {"-opt"}};
  order.programs = {corpus::encode(identityFunction())};
  order.names = {"a.ll:@f"};
  order.selection = Selection::sample(1000, 10, 3).shard(2, 3);
  order.columns = {*checker::parseSemantics("llvm-undef"),
                   *checker::parseSemantics("llvm:overflow=wrap")};
  order.ranges = {{1, 2}, {5, 9}};
  order.chunkSize = 7;
  order.keep = 8;
  order.threads = 3;
  order.watchPasses = WatchPasses::yes;
  order.checkEach = true;
  order.wantsOutcomes = true;
  const Json json = order;
  EXPECT_EQ(Json(json.get<WorkOrder>()), json);

  Trace trace;
  trace.end.status = Output::Status::crash;
  trace.end.detail = "SIGFPE";
  trace.end.pass = "gvn";
  trace.steps = {{"gvn", 1, true, identityFunction(), "", "text"},
                 {"sccp", 2, true, std::nullopt, "load", "text"}};
  const Json traceJson = trace;
  const Trace back = traceJson;
  EXPECT_EQ(Json(back), traceJson);
  EXPECT_EQ(back.steps.at(0).after, identityFunction());
  EXPECT_EQ(back.end.status, Output::Status::crash);

  corpus::ChunkResult chunk{3,  5, std::vector<corpus::Tally>(2), {}, {},
                            {}, {}};
  chunk.tallies[1][corpus::Counter::wrong] = 9;
  chunk.tallies[1].digest = {1, ~std::uint64_t(0)};
  chunk.buckets = {{-1, "b", 4}};
  chunk.findings = {{1, 4, "n", "value", "b", {1}, {}, "p", "d", "t", ""},
                    {1, ~Rank(0), "n", "value", "b", {}, {}, "", "", "", ""}};
  chunk.omissions = {{0, "undecided", "r", 2, 3, "t"}};
  chunk.outcomes = {{7, ~std::uint64_t(0)}, {1, 0}, {0, 4, 1, 2}, {{3, "r"}}};
  chunk.rewrites = {5, 1, 2, 3, 7};
  EXPECT_EQ(toJson(chunkFromJson(toJson(chunk))), toJson(chunk));
  EXPECT_EQ(chunkFromJson(toJson(chunk)).findings, chunk.findings);
  EXPECT_EQ(chunkFromJson(toJson(chunk)).tallies, chunk.tallies);
  EXPECT_EQ(chunkFromJson(toJson(chunk)).outcomes.positions,
            chunk.outcomes.positions);
  EXPECT_EQ(chunkFromJson(toJson(chunk)).outcomes.reasons,
            chunk.outcomes.reasons);
  EXPECT_EQ(chunkFromJson(toJson(chunk)).rewrites, chunk.rewrites);

  const std::vector<corpus::ReadFunction> functions = {
      {"f", identityFunction()}, {"g", corpus::Unsupported{"float"}}};
  EXPECT_EQ(toJson(functionsFromJson(toJson(functions))), toJson(functions));
}

std::vector<Rank> ranksOf(const Selection &selection) {
  std::vector<Rank> ranks;
  const auto [begin, end] = selection.window();
  EXPECT_EQ(end - begin, selection.size());
  for (std::uint64_t p = begin; p < end; ++p)
    ranks.push_back(selection.rank(p));
  return ranks;
}

TEST(Selection, ShardsCutIntoDisjointPartsThatCoverAll) {
  const auto space = enumerate::parseSpace("i2x2");
  const Rank large = Rank(7) << 90;
  for (const Selection &whole :
       {Selection::range(5, 30), Selection::sample(1000, 40, 7),
        Selection::range(large, large + 30), Selection::sample(large, 40, 7),
        Selection::inOrder(**space, *enumerate::findOrder("strata"), 5, 40)})
    for (const std::uint64_t n : {1, 2, 3, 7, 60}) {
      std::vector<Rank> joined;
      for (std::uint64_t i = 1; i <= n; ++i) {
        const Selection shard = whole.shard(i, n);
        auto back = Selection::fromJson(shard.toJson());
        ASSERT_TRUE(back);
        ASSERT_TRUE(back->bind(**space));
        EXPECT_EQ(ranksOf(*back), ranksOf(shard));
        EXPECT_EQ(shard.whole().toJson(), whole.toJson());
        EXPECT_EQ(ranksOf(shard.whole()), ranksOf(whole));
        for (const corpus::Rank rank : ranksOf(shard))
          joined.push_back(rank);
      }
      EXPECT_EQ(joined, ranksOf(whole));
    }
}

TEST(Selection, PartsCoverEveryPositionOnce) {
  for (const std::uint64_t size :
       {1ULL, 65535ULL, 200'000ULL, 126'284'145ULL, 1ULL << 63}) {
    const Selection selection = Selection::range(3, 3 + size);
    const std::uint64_t parts = selection.parts();
    EXPECT_LE(parts, 256U);
    EXPECT_EQ(selection.part(0).begin, 0U);
    EXPECT_EQ(selection.part(parts - 1).end, size);
    for (std::uint64_t i = 0; i < parts; ++i) {
      const auto [begin, end] = selection.part(i);
      ASSERT_LT(begin, end);
      EXPECT_EQ(selection.partOf(begin), i);
      EXPECT_EQ(selection.partOf(end - 1), i);
      if (i > 0) {
        EXPECT_EQ(selection.part(i - 1).end, begin);
      }
    }
    EXPECT_EQ(selection.shard(2, 3).parts(), parts);
  }
}

TEST(Selection, AnOrderIsOfOneSpace) {
  const auto space = enumerate::parseSpace("i2x1");
  const auto *uniform = enumerate::findOrder("uniform");
  const Selection all = Selection::inOrder(**space, *uniform, 1, 1000);
  EXPECT_EQ(all.size(), 488U);
  EXPECT_FALSE(all.isContiguous());
  const auto order = uniform->make(**space, 1);
  for (std::uint64_t position = 0; position < all.size(); ++position)
    ASSERT_EQ(all.rank(position), order->at(position));
  auto back = Selection::fromJson(all.toJson());
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->bind(**enumerate::parseSpace("i3x1")));
}

TEST(Selection, NonsenseIsNothing) {
  for (const char *text :
       {"7", "{}", R"({"begin": 5, "end": 3})", R"({"begin": -1, "end": 3})",
        R"({"size": 5, "sample": 3})",
        R"({"size": 5, "order": "backwards", "seed": 0, "first": 3})",
        R"({"size": 5, "order": "uniform", "seed": 0, "first": 6})",
        R"({"begin": 0, "end": "18446744073709551616"})",
        R"({"begin": "1", "end": "2"})",
        R"({"begin": 0, "end": 3, "shard": [3, 2]})",
        R"({"begin": 0, "end": 3, "shard": [0, 2]})",
        R"({"begin": 0, "end": 3, "shard": "1/2"})"})
    EXPECT_FALSE(Selection::fromJson(Json::parse(text))) << text;
}

TEST(Selection, SamplesAscendWithoutRepetition) {
  const auto ranks = ranksOf(Selection::sample(1000, 200, 1));
  EXPECT_EQ(ranks.size(), 200U);
  EXPECT_TRUE(std::is_sorted(ranks.begin(), ranks.end()));
  EXPECT_EQ(std::adjacent_find(ranks.begin(), ranks.end()), ranks.end());
  EXPECT_EQ(Selection::sample(10, 20, 1).size(), 10U);
}

} // namespace
} // namespace runner
