// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "corpus/store/store.h"

#include "corpus/system/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <sqlite3.h>
#include <unistd.h>

namespace corpus {
namespace {

class StoreTest : public testing::Test {
protected:
  std::string path(const std::string &name) const { return folder_.file(name); }

  Store create(const std::string &name) const {
    auto store =
        Store::openOrCreate(path(name), "{\"space\":\"i2x2\"}",
                            {{22, "22.1.8", "gvn", "gvn", "function(gvn)"}});
    EXPECT_TRUE(store);
    return std::move(*store);
  }

private:
  TemporaryFolder folder_;
};

Finding findingAt(std::uint64_t rank) {
  return {0,  rank, "n", "value", rank % 3 == 0 ? "b0" : "b1", {1, 2}, {},
          "", "",   "",  ""};
}

/// Every third position is wrong in bucket b0, the others in b1.
ChunkResult chunk(std::uint64_t begin, std::uint64_t end) {
  ChunkResult result{begin, end, std::vector<Tally>(1), {}, {}, {}, {}};
  std::uint64_t inBucket[2] = {};
  for (std::uint64_t rank = begin; rank < end; ++rank) {
    result.tallies[0][Counter::functions]++;
    result.tallies[0][Counter::wrong]++;
    result.tallies[0].digest += Digest{rankHash(rank), rank};
    result.findings.push_back(findingAt(rank));
    inBucket[rank % 3 == 0 ? 0 : 1]++;
  }
  result.buckets = {{0, "b0", inBucket[0]}, {0, "b1", inBucket[1]}};
  result.omissions = {{0, "unsupported", "load", 1, begin, "text"}};
  return result;
}

TEST_F(StoreTest, ResultDoesNotDependOnTheOrderOfChunks) {
  std::vector<std::uint64_t> cuts = {0, 7, 40, 41, 100, 250};
  Store inOrder = create("a");
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
    ASSERT_TRUE(inOrder.commit(0, chunk(cuts[i], cuts[i + 1]), 10));
  Store reversed = create("b");
  for (std::size_t i = cuts.size() - 1; i > 0; --i)
    ASSERT_TRUE(reversed.commit(0, chunk(cuts[i - 1], cuts[i]), 10));
  EXPECT_EQ(inOrder.done(0), (std::vector<PositionRange>{{0, 250}}));
  EXPECT_EQ(inOrder.done(0), reversed.done(0));
  EXPECT_EQ(inOrder.tally(0, 0), reversed.tally(0, 0));
  EXPECT_EQ(inOrder.tally(0, 0)[Counter::wrong], 250U);
  EXPECT_EQ(inOrder.findings(0), reversed.findings(0));
  EXPECT_EQ(inOrder.omissions(0), reversed.omissions(0));
  EXPECT_EQ(inOrder.omissions(0).at(0).count, 5U);
  EXPECT_EQ(inOrder.bucketCount(0, 0, "b1"), 166U);

  // What is kept is what trimBucket() keeps of all of them at once.
  std::vector<Finding> b0;
  for (std::uint64_t rank = 0; rank < 250; rank += 3)
    b0.push_back(findingAt(rank));
  trimBucket(b0, 10);
  std::vector<Finding> kept = inOrder.findings(0);
  std::erase_if(kept, [](const Finding &f) { return f.bucket != "b0"; });
  EXPECT_EQ(kept, b0);
  EXPECT_GE(b0.size(), 10U);
  EXPECT_LE(b0.size(), 20U);
}

TEST_F(StoreTest, DoneKeepsHoles) {
  Store store = create("a");
  ASSERT_TRUE(store.commit(0, chunk(10, 20), 10));
  ASSERT_TRUE(store.commit(0, chunk(30, 40), 10));
  EXPECT_EQ(store.done(0), (std::vector<PositionRange>{{10, 20}, {30, 40}}));
  ASSERT_TRUE(store.commit(0, chunk(20, 30), 10));
  EXPECT_EQ(store.done(0), (std::vector<PositionRange>{{10, 40}}));
}

TEST_F(StoreTest, FoldedStoresAreTheStoreOfAllChunks) {
  const auto parts = [](const PositionRange &range) {
    return range.begin / 50;
  };
  const std::vector<PositionRange> ranges = {
      {0, 20}, {20, 50}, {50, 60}, {60, 100}, {100, 150}};
  Store all = create("all");
  Store even = create("even");
  Store odd = create("odd");
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto [begin, end] = ranges[i];
    ASSERT_TRUE(all.commit(0, chunk(begin, end), 10, parts(ranges[i])));
    Store &one = i % 2 == 0 ? even : odd;
    ASSERT_TRUE(one.commit(0, chunk(begin, end), 10, parts(ranges[i])));
  }
  ASSERT_TRUE(odd.saveBugs({{"id1", "{}"}}, {{0, 0, "b0", 60, "id1"}}));
  Store folded = create("folded");
  for (const Store *one : {&odd, &even}) {
    EXPECT_TRUE(*folded.fold(*one, 0, 10));
    EXPECT_FALSE(*folded.fold(*one, 0, 10)) << "it was there";
  }
  EXPECT_EQ(folded.done(0), (std::vector<PositionRange>{{0, 150}}));
  EXPECT_EQ(folded.tally(0, 0), all.tally(0, 0));
  EXPECT_EQ(folded.digests(0, 0), all.digests(0, 0));
  EXPECT_EQ(all.digests(0, 0).size(), 3U);
  EXPECT_EQ(folded.findings(0), all.findings(0)) << "without their bugs";
  EXPECT_EQ(folded.bucketCount(0, 0, "b1"), 100U);
  EXPECT_EQ(folded.omissions(0), all.omissions(0));
  EXPECT_TRUE(folded.bugs().empty());

  Store half = create("half");
  ASSERT_TRUE(half.commit(0, chunk(20, 30), 10));
  const auto overlap = half.fold(odd, 0, 10);
  ASSERT_FALSE(overlap);
  EXPECT_NE(overlap.error().message.find("20 to 30"), std::string::npos);
  EXPECT_EQ(half.tally(0, 0)[Counter::functions], 10U);
}

TEST_F(StoreTest, RanksHave128Bits) {
  Store store = create("a");
  ChunkResult large = chunk(0, 6);
  const std::vector<Rank> ranks = {
      (Rank(1) << 64) + 1, (Rank(1) << 63) + 1, 1, ~Rank(0), 255,
      Rank(1) << 127};
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    large.findings[i].rank = ranks[i];
    large.findings[i].bucket = "b0";
  }
  large.omissions[0].exampleRank = ~Rank(0) - 1;
  ASSERT_TRUE(store.commit(0, large, 10));
  std::vector<Rank> sorted = ranks;
  std::sort(sorted.begin(), sorted.end());
  std::vector<Rank> stored;
  for (const Finding &finding : store.findings(0))
    stored.push_back(finding.rank);
  EXPECT_EQ(stored, sorted);
  EXPECT_EQ(store.omissions(0).at(0).exampleRank, ~Rank(0) - 1);
  std::set<std::uint64_t> hashes;
  for (const Rank rank : ranks)
    hashes.insert(rankHash(rank));
  EXPECT_EQ(hashes.size(), ranks.size());
}

TEST_F(StoreTest, SurvivesReopening) {
  {
    Store store = create("a");
    ASSERT_TRUE(store.commit(0, chunk(0, 5), 10));
    ASSERT_TRUE(store.saveBugs({{"id1", "{}"}}, {{0, 0, "b0", 3, "id1"}}));
  }
  auto store = Store::open(path("a"));
  ASSERT_TRUE(store);
  EXPECT_EQ(store->tally(0, 0)[Counter::functions], 5U);
  EXPECT_EQ(store->lanes().at(0).expanded, "function(gvn)");
  EXPECT_EQ(store->bugs().at(0).id, "id1");
  const auto findings = store->findings(0);
  EXPECT_EQ(std::count_if(findings.begin(), findings.end(),
                          [](const Finding &f) { return f.bug == "id1"; }),
            1);
}

TEST_F(StoreTest, RefusesWhatIsNotItsOwn) {
  create("a");
  const auto other = Store::openOrCreate(path("a"), "{\"space\":\"i4x2\"}", {});
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("another campaign"), std::string::npos);

  std::ofstream(path("text")) << std::string(4096, 'x');
  EXPECT_FALSE(Store::openOrCreate(path("text"), "{}", {}));
  EXPECT_FALSE(Store::open(path("missing")));
  EXPECT_FALSE(std::filesystem::exists(path("missing")));
  EXPECT_FALSE(Store::openOrCreate("/nonexistent/folder/a.db", "{}", {}));

  const auto run = [&](const std::string &name, const char *sql) {
    sqlite3 *raw = nullptr;
    ASSERT_EQ(sqlite3_open(path(name).c_str(), &raw), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(raw, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(raw);
  };
  run("foreign", "CREATE TABLE t (x)");
  EXPECT_FALSE(Store::openOrCreate(path("foreign"), "{}", {}));
  run("a", "PRAGMA user_version = 99");
  const auto newer = Store::open(path("a"));
  ASSERT_FALSE(newer);
  EXPECT_NE(newer.error().message.find("a newer irsieve"), std::string::npos);
}

TEST_F(StoreTest, FailedCommitChangesNothing) {
  Store store = create("a");
  ASSERT_TRUE(store.commit(0, chunk(0, 5), 10));
  sqlite3 *other = nullptr;
  ASSERT_EQ(sqlite3_open(path("a").c_str(), &other), SQLITE_OK);
  ASSERT_EQ(
      sqlite3_exec(other, "DROP TABLE omission", nullptr, nullptr, nullptr),
      SQLITE_OK);
  sqlite3_close(other);
  EXPECT_FALSE(store.commit(0, chunk(5, 9), 10));
  EXPECT_EQ(store.tally(0, 0)[Counter::functions], 5U);
  EXPECT_EQ(store.done(0), (std::vector<PositionRange>{{0, 5}}));
}

TEST(TrimBucket, IsTheSameForAnySplit) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<Finding> all;
    std::vector<Finding> parts;
    all.reserve(60);
    for (int i = 0; i < 60; ++i)
      all.push_back(findingAt(random() % 100000));
    std::sort(all.begin(), all.end(),
              [](const auto &a, const auto &b) { return a.rank < b.rank; });
    all.erase(std::unique(all.begin(), all.end()), all.end());
    const auto middle = all.begin() + static_cast<long>(random() % all.size());
    for (auto [begin, end] :
         {std::pair(all.begin(), middle), std::pair(middle, all.end())}) {
      std::vector<Finding> part(begin, end);
      trimBucket(part, 8);
      parts.insert(parts.end(), part.begin(), part.end());
    }
    trimBucket(all, 8);
    trimBucket(parts, 8);
    EXPECT_EQ(all, parts);
  }
}

Rewrite rewriteOf(std::uint64_t hash, std::uint64_t count,
                  std::uint64_t firstRank) {
  return {hash, {1, static_cast<std::uint8_t>(hash)}, count, firstRank};
}

/// Counts and first functions add up over chunks in any order, through a merge
/// and after a new start; beyond the limit the lowest hashes stay.
TEST_F(StoreTest, KeepsTheRewritesOfTheLowestHashes) {
  const std::vector<Rewrite> one = {rewriteOf(7, 2, 30), rewriteOf(9, 1, 31)};
  const std::vector<Rewrite> other = {rewriteOf(7, 3, 5), rewriteOf(8, 1, 6)};
  const std::vector<Rewrite> both = {rewriteOf(7, 5, 5), rewriteOf(8, 1, 6),
                                     rewriteOf(9, 1, 31)};
  const auto chunkOf = [](std::uint64_t begin,
                          const std::vector<Rewrite> &rewrites) {
    ChunkResult chunk;
    chunk.begin = begin;
    chunk.end = begin + 1;
    chunk.tallies.resize(1);
    chunk.rewrites = packRewrites(rewrites);
    return chunk;
  };
  {
    Store store = create("r");
    ASSERT_TRUE(store.commit(0, chunkOf(3, one), 50));
  }
  Store store = create("r");
  ASSERT_TRUE(store.commit(0, chunkOf(0, other), 50));
  EXPECT_EQ(store.rewrites(0), both);
  EXPECT_TRUE(store.rewrites(1).empty());
  const auto expectHashes = [](const Store &of) {
    std::vector<std::uint64_t> hashes;
    for (const Rewrite &rewrite : of.rewrites(0))
      hashes.push_back(rewrite.hash);
    EXPECT_EQ(of.rewriteHashes(0), hashes);
  };
  expectHashes(store);

  std::vector<Rewrite> many;
  for (std::uint64_t hash = 0; hash < 3 * keptRewrites; ++hash)
    many.push_back(rewriteOf(10 + hash, 1, hash));
  for (std::uint64_t i = 0; i < 2; ++i)
    ASSERT_TRUE(store.commit(0, chunkOf(10 + i, many), 50));
  const std::vector<Rewrite> kept = store.rewrites(0);
  ASSERT_EQ(kept.size(), keptRewrites);
  EXPECT_EQ(kept[0], both[0]);
  EXPECT_EQ(kept.back(), rewriteOf(10 + keptRewrites - 4, 2, keptRewrites - 4));
  expectHashes(store);
  expectHashes(create("r"));
}

} // namespace
} // namespace corpus
