// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Campaigns over an optimizer that fails in every way it can, and campaigns
// that are killed, run out of disk or find their database locked. Whatever
// happens, the rest is done, the results are those of an undisturbed run, and
// no process is left behind. With IRSIEVE_AT_LENGTH in the environment there
// are more functions, memory that runs away, and 200 SIGKILLs: minutes instead
// of seconds.
#include "corpus/program/encode.h"
#include "corpus/store/store.h"
#include "enumerate/space.h"
#include "runner/program_test.h"
#include "runner/worker.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <random>
#include <sqlite3.h>
#include <thread>

namespace runner {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

bool isAtLength() { return std::getenv("IRSIEVE_AT_LENGTH") != nullptr; }

/// Children of a process, which may be gone already.
std::vector<pid_t> childrenOf(pid_t parent) {
  std::vector<pid_t> children;
  std::ifstream list(fmt::format("/proc/{0}/task/{0}/children", parent));
  for (pid_t child = 0; list >> child;)
    children.push_back(child);
  return children;
}

bool isAlive(pid_t process) {
  std::ifstream stat(fmt::format("/proc/{}/stat", process));
  std::string text;
  std::getline(stat, text);
  const std::size_t name = text.rfind(')');
  return name != std::string::npos && text.at(name + 2) != 'Z';
}

/// The kernel ends them, in its own time.
bool endSoon(const std::vector<pid_t> &processes) {
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (std::any_of(processes.begin(), processes.end(), isAlive)) {
    if (std::chrono::steady_clock::now() > deadline)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

/// Results that must not depend on what happened on the way.
Json essence(const Json &summary) {
  return {summary.at("results"), summary.at("omissions"), summary.at("bugs")};
}

class FaultTest : public ProgramTest {
protected:
  void SetUp() override { ::unsetenv("IRSIEVE_FAULT"); }
  void TearDown() override { ::unsetenv("IRSIEVE_FAULT"); }

  /// Results with the fault. Triage, which would ask a failing optimizer a
  /// thousand questions more, is not the subject here.
  Json runOnceWith(const std::string &fault,
                   std::vector<std::string> arguments) {
    const std::string database = fmt::format("{}.db", runs_++);
    arguments.insert(arguments.end(), {"--no-triage", "--db", path(database)});
    ::setenv("IRSIEVE_FAULT", fault.c_str(), 1);
    Json results = essence(run(arguments, fault.empty() ? 0 : 1));
    ::unsetenv("IRSIEVE_FAULT");
    for (const corpus::Finding &finding :
         corpus::Store::open(path(database))->findings(0)) {
      EXPECT_TRUE(corpus::decode(finding.source)) << fault;
      results.push_back({toJson(finding.rank), finding.kind, finding.bucket,
                         finding.source, finding.pass, finding.detail});
    }
    return results;
  }

  /// The same of any cut of the work.
  Json runWith(const std::string &fault, std::vector<std::string> arguments) {
    const Json results = runOnceWith(fault, arguments);
    arguments.insert(arguments.end(), {"-j", "1", "--chunk", "50"});
    EXPECT_EQ(runOnceWith(fault, arguments), results) << fault;
    return results.at(0).at(0);
  }

private:
  int runs_ = 0;
};

/// A few functions of one instruction each, some of which multiply.
constexpr const char *fewFunctions =
    "i1x1:ops=add+mul+xor,args=1,consts=few,symmetry=args";

/// Ranks of those that multiply, found one by one.
std::vector<std::uint64_t> multiplications() {
  const auto space = enumerate::parseSpace(fewFunctions);
  std::vector<std::uint64_t> ranks;
  for (corpus::Rank rank = 0; rank < (*space)->count(); ++rank)
    if ((*space)->at(rank).instructions.front().opcode == corpus::Opcode::mul)
      ranks.push_back(rank);
  return ranks;
}
/// A range of two functions; the second one multiplies, and not the first.
std::string oneMultiplication() {
  const std::uint64_t rank = multiplications().front();
  return fmt::format("{}:{}", rank - 1, rank + 1);
}

/// The functions that fail are findings of that kind, and all others have the
/// verdict that they had.
void expectOnlyThose(const Json &undisturbed, const Json &faulty,
                     const char *kind, std::uint64_t functions) {
  EXPECT_EQ(faulty.at(kind), functions);
  EXPECT_EQ(faulty.at("functions"), undisturbed.at("functions"));
  EXPECT_EQ(faulty.at("refines").get<std::uint64_t>() + functions,
            undisturbed.at("refines"));
}

/// A worker process that no recovery inside can help.
class WorkerFaults : public FaultTest {
protected:
  WorkerFaults()
      : folder_(fs::path(IRSIEVE_PROGRAM).parent_path() /
                fmt::format("fault-{}", ::getpid())) {
    fs::create_directory(folder_);
    fs::create_hard_link(IRSIEVE_PROGRAM, folder_ / "irsieve");
    fs::create_hard_link(IRSIEVE_FAULT_WORKER, folder_ / "irsieve-llvm-22");
    program_ = folder_ / "irsieve";
  }
  ~WorkerFaults() override { fs::remove_all(folder_); }

private:
  fs::path folder_;
};

TEST_F(WorkerFaults, AreFindingsAndTheRestIsDone) {
  const std::vector<std::string> what = {fewFunctions, "--passes=p", "--keep",
                                         "1"};
  const Json undisturbed = runWith("", what);
  const std::uint64_t chosen = multiplications().size();
  ASSERT_GT(chosen, 3U);
  ASSERT_GT(undisturbed.at("refines"), chosen);
  for (const char *fault :
       {"crash:mul", "quit:mul", "garbage:mul", "any:mul", "spoil:mul"})
    expectOnlyThose(undisturbed, runWith(fault, what), "crash", chosen);
}

/// Somebody who asks is not brought down by what a pass did to a worker.
TEST_F(WorkerFaults, AnswersThatNobodyCanReadAreADeath) {
  const auto space = enumerate::parseSpace(fewFunctions);
  ASSERT_TRUE(space);
  const std::vector<corpus::Program> programs = {
      (*space)->at(0), (*space)->at(multiplications().front())};
  Worker worker({22, IRSIEVE_FAULT_WORKER, "22"});
  const auto ask = [&](const char *fault) {
    ::setenv("IRSIEVE_FAULT", fault, 1);
    return worker.optimize(programs, {"p", "", "", {}});
  };
  const auto garbled = ask("garble:mul");
  const auto *died = std::get_if<WorkerDied>(&garbled);
  ASSERT_NE(died, nullptr);
  EXPECT_THAT(died->how, testing::HasSubstr("nobody can read"));
  const auto sound = ask("");
  ASSERT_TRUE(std::holds_alternative<std::vector<Output>>(sound));
}

TEST_F(WorkerFaults, OneInTen) {
  const std::vector<std::string> what = {"i1x2",   "--passes=p", "--range",
                                         "0:2000", "--keep",     "2"};
  const Json undisturbed = runWith("", what);
  const Json faulty = runWith("any:tenth", what);
  const auto crashes = faulty.at("crash").get<std::uint64_t>();
  EXPECT_GT(crashes, undisturbed.at("refines").get<std::uint64_t>() / 20);
  expectOnlyThose(undisturbed, faulty, "crash", crashes);
}

TEST_F(WorkerFaults, HangsAndRunawayMemory) {
  std::vector<std::string> what = {fewFunctions,       "--passes=p",
                                   "--range",          oneMultiplication(),
                                   "--function-limit", "0.5"};
  const Json undisturbed = runWith("", what);
  expectOnlyThose(undisturbed, runWith("hang:mul", what), "hang", 1);
  if (!isAtLength())
    return;
  what.back() = "60";
  expectOnlyThose(undisturbed, runOnceWith("leak:mul", what).at(0).at(0),
                  "crash", 1);
}

/// An opt that fails, in a batch of thousands.
class OptFaults : public FaultTest {
protected:
  void SetUp() override {
    ::setenv("IRSIEVE_REAL_OPT", "/usr/bin/opt-22", 1);
    FaultTest::SetUp();
  }
  static std::vector<std::string> campaign(const std::string &space) {
    return {space, "--passes=instcombine", "--opt", IRSIEVE_FAULT_OPT, "--keep",
            "1"};
  }
};

TEST_F(OptFaults, AreFindingsAndTheRestIsDone) {
  auto what = campaign(fewFunctions);
  if (!isAtLength())
    what.insert(what.end(), {"--range", oneMultiplication()});
  const Json undisturbed = runWith("", what);
  const std::uint64_t chosen = isAtLength() ? multiplications().size() : 1;
  ASSERT_GT(undisturbed.at("refines"), chosen);
  for (const auto &[fault, kind] :
       {std::pair("crash:mul", "crash"), std::pair("quit:mul", "crash"),
        std::pair("garbage:mul", "invalid")})
    expectOnlyThose(undisturbed, runWith(fault, what), kind, chosen);
}

TEST_F(OptFaults, OneInTen) {
  auto what = campaign("i1x1:symmetry=args");
  if (!isAtLength())
    what.insert(what.end(), {"--range", "0:20"});
  const Json undisturbed = runWith("", what);
  const Json faulty = runWith("crash:tenth", what);
  const auto crashes = faulty.at("crash").get<std::uint64_t>();
  EXPECT_GE(crashes, isAtLength() ? 13U : 1U);
  expectOnlyThose(undisturbed, faulty, "crash", crashes);
}

TEST_F(OptFaults, HangsAndRunawayMemory) {
  auto what = campaign(fewFunctions);
  what.insert(what.end(),
              {"--range", oneMultiplication(), "--function-limit", "3"});
  const Json undisturbed = runWith("", what);
  expectOnlyThose(undisturbed, runOnceWith("hang:mul", what).at(0).at(0),
                  "hang", 1);
  if (!isAtLength())
    return;
  what.back() = "60";
  expectOnlyThose(undisturbed, runOnceWith("leak:mul", what).at(0).at(0),
                  "crash", 1);
}

/// A campaign with many findings, over and over killed.
class Disturbed : public FaultTest {
protected:
  std::vector<std::string> campaign(const std::string &database) const {
    return {"i1x2", "--passes=reassociate", "--llvm", "22", "--chunk", "256",
            "--db", path(database)};
  }
  std::vector<std::string> command(const std::string &database) const {
    auto arguments = campaign(database);
    arguments.insert(arguments.begin(), {"run", "--format", "json", "-q"});
    return arguments;
  }
  bool isFinished(const std::string &database) const {
    const auto store = corpus::Store::open(path(database));
    return store && !store->certificate().empty();
  }
};

TEST_F(Disturbed, BySigkillsOfParentAndChildren) {
  const int kills = isAtLength() ? 200 : 12;
  const Json undisturbed = essence(run(campaign("a.db"), 1));
  std::mt19937_64 random(7);
  int finished = 0;
  int parents = 0;
  for (int kill = 0; kill < kills;) {
    const std::string database = fmt::format("{}.db", finished);
    const pid_t parent = start(command(database));
    // Some die at once, some at their work, some never.
    std::vector<pid_t> children;
    for (bool parentLives = true; parentLives && kill < kills;) {
      std::this_thread::sleep_for(
          std::chrono::microseconds(random() % 300'000));
      children = childrenOf(parent);
      int status = 0;
      if (::waitpid(parent, &status, WNOHANG) != 0)
        break;
      ++kill;
      if (children.empty() || random() % 2 == 0) {
        ::kill(parent, SIGKILL);
        ::waitpid(parent, &status, 0);
        parentLives = false;
        ++parents;
      } else {
        ::kill(children[random() % children.size()], SIGKILL);
      }
    }
    int status = 0;
    if (kill == kills)
      ::waitpid(parent, &status, 0);
    EXPECT_TRUE(endSoon(children)) << "a child is left behind";
    if (isFinished(database)) {
      EXPECT_EQ(essence(run(campaign(database), 1)), undisturbed);
      ++finished;
    }
  }
  const std::string database = fmt::format("{}.db", finished);
  EXPECT_EQ(essence(run(campaign(database), 1)), undisturbed);
  EXPECT_GT(parents, 0);
}

TEST_F(Disturbed, ByAFullDisk) {
  const Json undisturbed = essence(run(campaign("a.db"), 1));
  // No file may grow beyond so many kB: as a full disk does, writes fail.
  for (const int limit : {8, 60, 1000}) {
    const std::string script =
        fmt::format("trap '' XFSZ; ulimit -f {}; exec \"$@\"", 2 * limit);
    std::vector<std::string> arguments = {"/bin/sh", "-c", script, "sh",
                                          program_};
    const auto rest = command("b.db");
    arguments.insert(arguments.end(), rest.begin(), rest.end());
    const Finished full = finish(startProgram(arguments));
    EXPECT_THAT(full.code, testing::AnyOf(2, 3)) << limit << full.err;
    EXPECT_THAT(full.err, HasSubstr("b.db: cannot"));
  }
  EXPECT_EQ(essence(run(campaign("b.db"), 1)), undisturbed);
}

TEST_F(Disturbed, ByALockedDatabase) {
  const Json undisturbed = essence(run(campaign("a.db"), 1));
  const pid_t running = start(command("b.db"));
  sqlite3 *other = nullptr;
  while (!fs::exists(path("b.db")))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_EQ(sqlite3_open(path("b.db").c_str(), &other), SQLITE_OK);
  sqlite3_busy_timeout(other, 20'000);
  const auto execute = [&](const char *sql) {
    return sqlite3_exec(other, sql, nullptr, nullptr, nullptr);
  };
  while (execute("SELECT * FROM done") != SQLITE_OK)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_EQ(execute("BEGIN IMMEDIATE"), SQLITE_OK);
  const Finished locked = finish(running);
  EXPECT_EQ(locked.code, 3);
  EXPECT_THAT(locked.err, HasSubstr("locked"));
  ASSERT_EQ(execute("COMMIT"), SQLITE_OK);
  sqlite3_close(other);
  EXPECT_EQ(essence(run(campaign("b.db"), 1)), undisturbed);
}

} // namespace
} // namespace runner
