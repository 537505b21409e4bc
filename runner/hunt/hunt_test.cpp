// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `irsieve hunt` as a user starts it, with the real LLVM. Facts: known bug x01
// is in every release; a hunt that was killed is the hunt that was not.
#include "corpus/store/store.h"
#include "corpus/system/process.h"
#include "runner/hunt/portfolio.h"
#include "runner/program_test.h"

#include <csignal>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <thread>

namespace runner {
namespace {

namespace fs = std::filesystem;
using testing::_;
using testing::HasSubstr;

class HuntTest : public ProgramTest {
protected:
  std::vector<std::string> hunt(const std::string &folder,
                                std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"hunt",
                                          "--db",
                                          path(folder),
                                          "-q",
                                          "--seed",
                                          "5",
                                          "--spaces=i1x2:args=2",
                                          "--spaces=i1x1:blocks=3",
                                          "--passes=reassociate",
                                          "--passes=simplifycfg",
                                          "--passes=instsimplify"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  /// All that its databases hold but what triage made of it, and its decisions.
  std::string resultsOf(const std::string &folder) const {
    std::string all = slurp(path(folder) + "/decisions.jsonl");
    std::vector<std::string> databases;
    for (const auto &entry : fs::directory_iterator(path(folder)))
      if (entry.path().extension() == ".db")
        databases.push_back(entry.path().string());
    std::sort(databases.begin(), databases.end());
    for (const std::string &database : databases) {
      const auto store = corpus::Store::open(database);
      EXPECT_TRUE(store);
      for (std::size_t lane = 0; lane < store->lanes().size(); ++lane) {
        all += corpus::toString(store->tally(lane, 0).digest) + "\n";
        for (const corpus::Finding &finding : store->findings(lane))
          all += finding.name + " " + finding.bucket + "\n";
        all += std::to_string(store->rewrites(lane).size()) + " rewrites\n";
      }
    }
    return all;
  }

  /// Of each space and pipeline.
  std::map<std::string, std::string>
  digestsOf(const std::string &folder) const {
    std::map<std::string, std::string> digests;
    for (const auto &entry : fs::directory_iterator(path(folder))) {
      if (entry.path().extension() != ".db")
        continue;
      const auto store = corpus::Store::open(entry.path().string());
      EXPECT_TRUE(store);
      const Json identity = Json::parse(store->identity());
      const auto lanes = store->lanes();
      for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        const auto [at, isNew] = digests.try_emplace(
            lanes[lane].passes + identity.at("space").dump(),
            corpus::toString(store->tally(lane, 0).digest));
        EXPECT_TRUE(isNew) << at->first;
      }
    }
    return digests;
  }
};

TEST_F(HuntTest, FindsAKnownBugAndWritesAPage) {
  auto arguments = hunt("one", {"--format=json"});
  const Finished finished = irsieve(arguments);
  EXPECT_EQ(finished.code, 1) << finished.err;
  const Json summary = finished.json();
  EXPECT_EQ(summary.at("finished"), true);
  std::vector<std::string> known;
  for (const Json &bug : summary.at("bugs")) {
    EXPECT_LE(bug.at("found_after_seconds"), summary.at("seconds"));
    if (!bug.at("known").is_null())
      known.push_back(bug.at("known").dump());
  }
  EXPECT_THAT(known, testing::Contains(HasSubstr("x01")));
  for (const Json &arm : summary.at("arms"))
    EXPECT_EQ(arm.at("functions"), arm.at("size")) << arm.dump();
  EXPECT_THAT(slurp(path("one") + "/index.html"), HasSubstr("reassociate"));

  // The folder stands for its databases.
  const Finished rewrites = irsieve({"rewrites", path("one"), "--top", "1"});
  EXPECT_EQ(rewrites.code, 0) << rewrites.err;
  EXPECT_THAT(rewrites.out, HasSubstr("simplifycfg, i1x1:blocks=3"));
  const Finished report =
      irsieve({"report", "--db", path("one"), "--out", path("pages")});
  EXPECT_EQ(report.code, 1) << report.err;
  EXPECT_THAT(report.out, HasSubstr("x01"));
}

/// Native integers are for the spaces that are about them, unless somebody says
/// otherwise.
TEST_F(HuntTest, SpacesHaveTheirDataLayouts) {
  const auto layouts = [&](const std::string &folder,
                           std::vector<std::string> more) {
    std::vector<std::string> arguments = {"hunt",          "--db",
                                          path(folder),    "--passes=indvars",
                                          "--decisions=1", "--format=json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::map<std::string, std::string> found;
    const Json summary = irsieve(arguments).json();
    for (const Json &arm : summary.at("arms"))
      found[arm.at("space")] = arm.at("data_layout");
    return found;
  };
  const auto usual = layouts("usual", {});
  for (const HuntSpace &row : huntSpaces())
    if (const auto at = usual.find(std::string(row.spec)); at != usual.end()) {
      EXPECT_EQ(at->second, row.dataLayout) << row.spec;
    }
  EXPECT_THAT(usual, testing::Contains(testing::Pair(_, "")));
  EXPECT_THAT(usual, testing::Contains(testing::Pair(_, HasSubstr("n2"))));
  EXPECT_THAT(layouts("given", {"--data-layout=n16"}),
              testing::Each(testing::Pair(_, "n16")));
}

/// What they are like is how a portfolio chooses, and nobody chose it.
TEST_F(HuntTest, SpacesThatAreGivenGoWithAnyPass) {
  for (const auto &[pass, spec] :
       {std::pair<std::string, std::string>{
            "sink", "i2x2:idioms,graph=if,args=1,consts=none"},
        {"instcombine", "folds:i4:loops"}}) {
    EXPECT_FALSE(goTogether(pipelineRow(pass), featuresOf(spec))) << spec;
    const Finished finished =
        irsieve({"hunt", "--llvm=22", "--passes=" + pass, "--spaces=" + spec,
                 "--decisions=1", "--quiet", "--db", path("given-" + pass)});
    EXPECT_NE(finished.code, 2) << finished.err;
  }
}

TEST_F(HuntTest, OneThatWasKilledDecidesAndFindsTheSame) {
  EXPECT_EQ(irsieve(hunt("whole")).code, 1);
  for (const int milliseconds : {300, 700, 1100}) {
    const pid_t pid = start(hunt("killed", {"-j", "1"}));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    ::kill(pid, SIGKILL);
    finish(pid);
  }
  EXPECT_EQ(irsieve(hunt("killed")).code, 1);
  EXPECT_FALSE(slurp(path("whole") + "/decisions.jsonl").empty());
  EXPECT_EQ(resultsOf("killed"), resultsOf("whole"));
}

/// Triage looks at several spaces at a time.
TEST_F(HuntTest, ThreadsMakeTheSameBugs) {
  const auto bugs = [&](const char *threads) {
    Json made = irsieve(hunt(std::string("by") + threads,
                             {"-j", threads, "--format=json",
                              "--spaces=v2i2x1:shuffle,undef,args=2",
                              "--passes=scalarizer"}))
                    .json()
                    .at("bugs");
    for (Json &bug : made)
      bug.erase("found_after_seconds");
    return made;
  };
  const Json alone = bugs("1");
  EXPECT_GT(alone.size(), 1U);
  EXPECT_EQ(bugs("4"), alone);
}

TEST_F(HuntTest, GoesOnWhereItStopped) {
  EXPECT_EQ(irsieve(hunt("steps", {"--decisions", "4"})).code, 1);
  const std::string four = slurp(path("steps") + "/decisions.jsonl");
  EXPECT_EQ(std::count(four.begin(), four.end(), '\n'), 4);
  std::vector<std::string> goOn = hunt("steps", {"--progress=json"});
  std::erase(goOn, "-q");
  const Finished resumed = irsieve(goOn);
  EXPECT_GT(
      Json::parse(resumed.err.substr(0, resumed.err.find('\n'))).at("bugs"), 0)
      << resumed.err;
  EXPECT_EQ(slurp(path("steps") + "/decisions.jsonl").substr(0, four.size()),
            four);
  // What was found before is no news.
  const std::string found = slurp(path("steps") + "/found.jsonl");
  EXPECT_THAT(found, HasSubstr("seconds"));
  const Finished again = irsieve(hunt("steps", {"--format=json"}));
  EXPECT_THAT(again.err, testing::Not(HasSubstr("found")));
  EXPECT_EQ(slurp(path("steps") + "/found.jsonl"), found);
  EXPECT_TRUE(again.json().at("bugs").at(0).contains("found_after_seconds"));
}

/// Every pair of a space and a pipeline is looked at by one shard: what they
/// hold together is what one machine holds.
TEST_F(HuntTest, ShardsAreTogetherTheWhole) {
  irsieve(hunt("whole"));
  EXPECT_EQ(
      irsieve({"cluster", "parallel-hunt", "--shards=4", "--dry-run",
               "--seed=5", "--spaces=i1x2:args=2", "--spaces=i1x1:blocks=3",
               "--passes=reassociate", "--passes=simplifycfg",
               "--passes=instsimplify", "--db", path("cluster")})
          .code,
      0);
  const auto shard = [&](int number) {
    return corpus::runProcess(
               {path("cluster") + "/shard.sh", std::to_string(number)}, "", {})
        .code;
  };
  for (const int number : {1, 2, 3})
    EXPECT_EQ(shard(number), 0) << slurp(path("cluster") + "/log/shard-1.txt");
  const Finished early = irsieve({"cluster", "finish", path("cluster")});
  EXPECT_EQ(early.code, 4);
  EXPECT_THAT(early.err, HasSubstr("1 of 4 shards are not finished: 4"));
  EXPECT_EQ(shard(4), 0);
  write("cluster/shard-2/i1x2_args=2.db", "no database");
  const Finished damaged = irsieve({"cluster", "finish", path("cluster")});
  EXPECT_EQ(damaged.code, 4);
  EXPECT_THAT(damaged.err, HasSubstr("1 of 4 shards are not finished: 2"));
  EXPECT_TRUE(fs::exists(path("cluster/shard-2.damaged")));
  EXPECT_EQ(shard(2), 0);
  const Finished merged = irsieve({"cluster", "finish", path("cluster")});
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_THAT(irsieve({"cluster", "status", path("cluster")}).out,
              HasSubstr("shard 4: ended: "));
  EXPECT_EQ(digestsOf("cluster/all"), digestsOf("whole"));
  EXPECT_THAT(digestsOf("whole"), testing::SizeIs(testing::Ge(5U)));
  const Finished triage = irsieve({"triage", "--db", path("cluster/all")});
  EXPECT_THAT(triage.out, HasSubstr("x01")) << triage.err;
}

TEST_F(HuntTest, SaysWhatIsWrongBeforeItWrites) {
  const auto refusal = [&](const std::vector<std::string> &arguments) {
    const Finished finished = irsieve(arguments);
    EXPECT_EQ(finished.code, 2) << finished.out;
    return finished.err;
  };
  EXPECT_THAT(refusal({"hunt"}), HasSubstr("--db"));
  EXPECT_THAT(refusal(hunt("bad", {"--passes=no-such-pass"})),
              HasSubstr("no-such-pass"));
  EXPECT_THAT(refusal(hunt("bad", {"--spaces=i0x1"})), HasSubstr("i0x1"));
  EXPECT_THAT(refusal(hunt("bad", {"--budget=soon"})), HasSubstr("--budget"));
  EXPECT_THAT(refusal(hunt("bad", {"--llvm=14,16"})), HasSubstr("one"));
  EXPECT_THAT(refusal(hunt("bad", {"--shard=2/1"})), HasSubstr("--shard"));
  EXPECT_THAT(refusal(hunt("bad", {"--shard=9/9"})), HasSubstr("pairs"));
  EXPECT_FALSE(fs::exists(path("bad")));
  write("file", "text");
  EXPECT_THAT(refusal(hunt("file")), HasSubstr("folder"));
  irsieve(hunt("good", {"--decisions", "1"}));
  EXPECT_THAT(refusal(hunt("good", {"--semantics=llvm-undef"})),
              HasSubstr("another hunt"));
}

} // namespace
} // namespace runner
